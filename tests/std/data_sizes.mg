mg 1
// made by make_cases.py
graph data_sizes(x0: f32[2, 3],
    x1: i32[2, 2],
    x2: f32[3, 4],
    x3: bool[3],
    x4: bool[4],
    x5: f32[1, 4, 4],
    x6: f32[1, 2, 4],
    x7: u64[])
-> (nonzero: i64[2, some C0 <= 6],
    nonzero_none: i64[2, some C1 <= 4],
    compress: f32[some C2 <= 3, 4],
    compress_columns: f32[3, some C3 <= 4],
    boxes: i64[some C4 <= 4, 3],
    random: u32[2, 3])
{
    nonzero = nonzero(x0)
    nonzero_none = nonzero(x1)
    compress = compress(x2, x3)
    compress_columns = compress(x2, x4, axis = 1)
    boxes = non_max_suppression(x5, x6, max_output = 2, iou = 0.5, score = 0.15)
    random = random_bits(x7, shape = [2, 3])
}
