mg 1
// made by make_cases.py
graph data_sizes(x0: f32[2, 3],
    x1: i32[2, 2],
    x2: f32[3, 4],
    x3: bool[3],
    x4: i64[],
    x5: i64[],
    x6: i64[],
    x7: i64[],
    x8: i64[],
    x9: i64[],
    x10: f32[],
    x11: f32[],
    x12: f32[],
    x13: i64[],
    x14: i64[3],
    x15: i64[3],
    x16: i64[],
    x17: bool[4],
    x18: f32[1, 4, 4],
    x19: f32[1, 2, 4],
    x20: u64[])
-> (nonzero: i64[2, some C0 <= 6],
    nonzero_none: i64[2, some C1 <= 4],
    compress: f32[some C2 <= 3, 4],
    slice_at: f32[3, some E4 <= 4],
    slice_at_back: f32[3, some E5 <= 2],
    slice_at_none: f32[some E6 <= 3, 4],
    range_to: f32[some E7 <= 9],
    range_to_back: i64[some E8 <= 9],
    wanted_shape: i64[3],
    compress_columns: f32[3, some C3 <= 4],
    boxes: i64[some C4 <= 4, 3],
    random: u32[2, 3])
{
    nonzero = nonzero(x0)
    nonzero_none = nonzero(x1)
    compress = compress(x2, x3)
    slice_at = slice_at(x2, x4, x5, axis = 1)
    slice_at_back = slice_at(x2, x6, x7, axis = 1, step = -2)
    slice_at_none = slice_at(x2, x8, x9, axis = 0)
    range_to = range_to(x10, x11, x12, most = 9)
    range_to_back = range_to(x5, x13, x4, most = 9)
    wanted_shape = wanted_shape(x14, x15, x16)
    compress_columns = compress(x2, x17, axis = 1)
    boxes = non_max_suppression(x18, x19, max_output = 2, iou = 0.5, score = 0.15)
    random = random_bits(x20, shape = [2, 3])
}
