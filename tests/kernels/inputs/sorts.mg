mg 1
// The stable order of rows: several rows in a group, one in a group, and rows in tiles of several
// groups; of odd lengths, along any axis, with ties, NaN and zeros of both signs;
// and those of shorter numbers.
graph sorts(one: f32[3, 1], few: f32[5, 9], many: i8[3, 2, 70], odd: f32[300], longer: f64[260],
        long: f32[600], open: f32[N, R])
    -> (one_order: i64[3, 1], few_order: i64[5, 9], few_down: i64[5, 9], many_order: i64[3, 2, 70],
        many_across: i64[3, 2, 70], odd_order: i64[300], longer_down: i64[260],
        open_order: i64[N, R], open_across: i64[N, R], best: f32[20], places: i64[20],
        halves: i64[600], halves_down: i64[5, 9], shorts: i64[N, R], bytes: i64[300], bytes_down: i64[600])
{
    one_order = argsort(one)
    few_order = argsort(few)
    few_down = argsort(few, descending = true)
    many_order = argsort(many)
    many_across = argsort(many, axis = 0, descending = true)
    odd_order = argsort(odd)
    longer_down = argsort(longer, descending = true)
    open_order = argsort(open, axis = 0)
    open_across = argsort(open, descending = true)
    best, places = topk(long, k = 20)
    halves = argsort(f16(long))
    halves_down = argsort(f16(few), descending = true)
    shorts = argsort(bf16(open))
    bytes = argsort(f8e4m3(odd))
    bytes_down = argsort(f8e5m2(long), descending = true)
}
