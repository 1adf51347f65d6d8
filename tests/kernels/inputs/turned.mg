mg 1
// Results that are transposed from an operand and larger than caches: rows that end inside cache lines, one stretch of blocks and
// several, a last block of few elements, other operands that are contiguous or a single row, other element types, rows of whole lines.
graph turned(x: f32[10, 131, 37], z: f32[10, 37, 131], s: f32[37], w: f32[9, 550, 17],
    v: f32[9, 513, 33], e: f32[9, 144, 20])
    -> (a: f32[10, 37, 131], b: f32[10, 37, 131], c: f32[9, 17, 550], d: f32[9, 33, 513],
        f: f64[10, 37, 131], g: f16[9, 17, 550], h: u8[9, 17, 550], k: f32[9, 20, 144])
{
    a[i, p, q] = x[i, q, p]
    b[i, p, q] = x[i, q, p] * s[p] + z[i, p, q]
    c[i, p, q] = max(w[i, q, p], 0)
    d[i, p, q] = v[i, q, p]
    fx = cast(x, to = f64)
    f[i, p, q] = fx[i, q, p] + 1
    gw = cast(w, to = f16)
    g[i, p, q] = gw[i, q, p]
    hw = cast(w * w, to = u8)
    h[i, p, q] = hw[i, q, p]
    k[i, p, q] = e[i, q, p]
}
