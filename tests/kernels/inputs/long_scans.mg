mg 1
// Long scans: rows of one block and of several, rows in parts, upwards and downwards, with and without the element itself, along
// axes that are not contiguous, over ranges of their own, of open length, and of integers.
graph long_scans(x: f32[2, 300], p: f32[2500], h: f16[1, 1100], i: i32[2, 1030], b: u8[400],
        t: f64[270, 2], o: f32[R, N])
    -> (up: f32[2, 300], before: f32[2, 300], down: f32[2, 300], behind: f32[2, 300],
        parts: f32[2500], parts_behind: f32[2500], rounded: f16[1, 1100], most: i32[2, 1030],
        bytes: u8[400], products: u8[400], across: f64[270, 2], across_behind: f64[270, 2],
        open: f32[R, N], open_before: f32[R, N], longer: f32[2, 301], later: f32[2, 290],
        factors: f32[2, 300])
{
    up = cumsum(x)
    before = cumsum(x, exclusive = true)
    down = cumsum(x, reverse = true)
    behind = cumsum(x, exclusive = true, reverse = true)
    parts = cumsum(p)
    parts_behind = cumsum(p, exclusive = true, reverse = true)
    rounded = cumsum(h)
    most = cummax(i)
    bytes = cumsum(b, reverse = true)
    products = cumprod(b)
    across = cumsum(t, axis = 0)
    across_behind = cumsum(t, axis = 0, exclusive = true, reverse = true)
    open = cumsum(o)
    open_before = cummax(o, axis = 0)
    longer[r, k in 0..301] = sum[j in 0..k] x[r, j] * x[1 - r, j]
    later[r, k in 0..290] = min[j in 4..k + 5] x[r, j]
    factors = cumprod(x)
}
