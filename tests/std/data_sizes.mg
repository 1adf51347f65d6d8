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
    x10: i64[],
    x11: i64[],
    x12: i64[],
    x13: i64[],
    x14: f32[],
    x15: i64[],
    x16: i64[3],
    x17: i64[2],
    x18: f32[],
    x19: f32[],
    x20: f32[],
    x21: i64[3],
    x22: i64[3],
    x23: i64[],
    x24: bool[4],
    x25: f32[1, 4, 4],
    x26: f32[1, 2, 4],
    x27: u64[])
-> (nonzero: i64[2, some C0 <= 6],
    nonzero_none: i64[2, some C1 <= 4],
    compress: f32[some C2 <= 3, 4],
    slice_at: f32[3, some E4 <= 4],
    slice_at_back: f32[3, some E5 <= 2],
    slice_at_none: f32[some E6 <= 3, 4],
    slice_by: f32[3, some E9 <= 4],
    slice_by_far: f32[some E10 <= 3, 4],
    pad_at: f32[3, some E11 <= 9],
    pad_at_reflect: f32[some Preflect <= 8, 4],
    pad_at_edge: f32[some Pedge <= 8, 4],
    pad_at_wrap: f32[some Pwrap <= 8, 4],
    wanted_shape_keep: i64[3],
    range_to: f32[some E7 <= 9],
    range_to_back: i64[some E8 <= 9],
    wanted_shape: i64[3],
    compress_columns: f32[3, some C3 <= 4],
    boxes: i64[some C4 <= 4, 3],
    random: u32[2, 3],
    keeps: bool[2, 5])
{
    nonzero = nonzero(x0)
    nonzero_none = nonzero(x1)
    compress = compress(x2, x3)
    slice_at = slice_at(x2, x4, x5, axis = 1)
    slice_at_back = slice_at(x2, x6, x7, axis = 1, step = -2)
    slice_at_none = slice_at(x2, x8, x9, axis = 0)
    slice_by = slice_by(x2, x10, x7, x11, axis = 1)
    slice_by_far = slice_by(x2, x9, x12, x13, axis = 0)
    pad_at = pad_at(x2, x14, x15, x10, axis = 1, most = 5)
    pad_at_reflect = pad_at(x2, none, x8, x9, axis = 0, most = 5, mode = "reflect")
    pad_at_edge = pad_at(x2, none, x8, x9, axis = 0, most = 5, mode = "edge")
    pad_at_wrap = pad_at(x2, none, x8, x9, axis = 0, most = 5, mode = "wrap")
    wanted_shape_keep = wanted_shape(x16, x17, x7, keep0 = true)
    range_to = range_to(x18, x19, x20, most = 9)
    range_to_back = range_to(x5, x15, x4, most = 9)
    wanted_shape = wanted_shape(x21, x22, x23)
    compress_columns = compress(x2, x24, axis = 1)
    boxes = non_max_suppression(x25, x26, max_output = 2, iou = 0.5, score = 0.15)
    random = random_bits(x27, shape = [2, 3])
    keeps = random_keeps(0.5, x27, shape = [2, 5], together = true)
}
