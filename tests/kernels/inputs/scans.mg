mg 1
// Scans. Along a contiguous axis: by whole vectors and with remainders, upwards and downwards, with and without the
// element itself, over elements after the last result's range, and over ranges that begin later.
graph scans(x: f32[3, 37], n: f32[3, 37], e: f32[2, 0], o: f32[2, 1], v: f32[8], w: f32[17],
        i: i32[2, 50], b: u8[70], t: f32[4, 3, 70], u: f64[7, 128])
    -> (up: f32[3, 37], before: f32[3, 37], down: f32[3, 37], behind: f32[3, 37], most: f32[3, 37],
        product: f32[3, 37], longer: f32[3, 38], later: f32[3, 30], empty: f32[2, 0],
        one: f32[2, 1], none: f32[2, 1], whole: f32[8], odd: f32[17], whole_before: f32[8],
        ints: i32[2, 50], ints_behind: i32[2, 50], bytes: u8[70], rows: f32[3, 37],
        planes: f32[4, 3, 70], planes_behind: f32[4, 3, 70], blocks: f32[4, 3, 70],
        wide: f64[7, 128], byte_rows: i32[2, 50])
{
    up = cumsum(x)
    before = cumsum(x, exclusive = true)
    down = cumsum(x, reverse = true)
    behind = cumsum(x, exclusive = true, reverse = true)
    most = cummax(n)
    product = cumprod(n)
    longer[r, k in 0..38] = sum[j in 0..k] x[r, j] * n[r, j]
    later[r, k in 0..30] = min[j in 4..k + 5] x[r, j]
    empty = cumsum(e)
    one = cumsum(o)
    none = cumsum(o, exclusive = true)
    whole = cumsum(v)
    odd = cumsum(w, reverse = true)
    whole_before = cumsum(v, exclusive = true, reverse = true)
    ints = cumsum(i)
    ints_behind = cumsum(i, exclusive = true, reverse = true)
    bytes = cumsum(b)
    // side by side
    rows = cumsum(x, axis = 0)
    planes = cumsum(t, axis = 1)
    planes_behind = cumsum(t, axis = 1, exclusive = true, reverse = true)
    blocks = cummax(t, axis = 0)
    wide = cumsum(u, axis = 0, exclusive = true)
    byte_rows = cumsum(i, axis = 0, reverse = true)
}
