mg 1
// Many contributions to computed places, which a GPU sorts by place: from one row and from rows beside each other, to few places and
// to many, some of them outside, with an order that matters and without one.
graph gathered(x: f32[530, 3], ids: i64[530], base: f32[7, 3], each: i32[520, 4], y: f32[520, 4],
        h: f16[40, 15, 2], pairs: i64[40, 15, 2], v: f32[1100], places: i64[1100], w: f32[600])
    -> (added: f32[7, 3], onto: f32[7, 3], most: f32[7, 3], along: f32[90, 4], halves: f16[5, 4, 2],
        last_one: f32[600], counts: i32[600], turned: f32[3, 7], product: f32[7],
        dropped: f32[7, 3])
{
    added[ids[i], j]: f32[7, 3] = sum[i] x[i, j]
    onto[ids[i], j] = sum[i] x[i, j] over base
    most[ids[i], 2 - j]: f32[7, 3] else none = max[i, j] x[i, j]
    along[each[i, j], j]: f32[90, 4] = sum[i] y[i, j]
    halves[pairs[a, b, 0], pairs[a, b, 1], c]: f16[5, 4, 2] = sum[a, b] h[a, b, c]
    last_one[places[i] % 600] = last[i] v[i] over w
    counts[places[i]]: i32[600] else none = sum[i] 1
    turned[j, ids[i]]: f32[3, 7] = sum[i] x[i, j]
    product[ids[i]]: f32[7] = sum[i, j] x[i, j] * x[i, 2 - j]
    dropped[i * i % 11 - 2, j]: f32[7, 3] else none = sum[i] x[i, j]
}
