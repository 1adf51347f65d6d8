mg 1
// Few long rows, whose parts go to different groups. Equal extremes and NaN across the parts.
graph g(x: f32[3, 9000], i: i32[9001], h: f16[2, 7000], t: f32[6000, 2])
    -> (a: i64[3], b: i64[3], c: i64[], d: i64[2], e: i64[2], s: f32[3])
{
    a = argmax(x, axis = 1)
    b = argmin(x, axis = 1)
    c = argmax(i, axis = 0)
    d = argmax(h, axis = 1)
    e = argmin(t, axis = 0)
    s = sum(x, axes = [1])
}
