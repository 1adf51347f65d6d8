mg 1
// Rows that items of a group share: along memory and across it, of one index and of two, extremes, one row alone.
graph shared_rows(x: f32[6, 100], q: f32[4, 8, 6, 10])
    -> (y: f32[6, 100], a: i64[6], c: f32[100], v: f32[4, 8, 6, 10], u: f32[4, 8], w: f32)
{
    y = softmax(x, axis = 1)
    a = argmax(x, axis = 1)
    c = max(x, axes = [0])
    s = sum(q, axes = [2, 3], keepdims = true)
    v = q - s
    u = sum(exp(v), axes = [2, 3])
    w = sum(u)
}
