mg 1
// Parts of concatenations are made in their places: those of products, of rows and of points, through a view, and in a
// loop. Some can't be: one begins within a line, one is read twice, two are copied twice, one is a concatenation itself.
graph g(x: f32[24, 64], w: f32[64, 96], p: f32[24, 10])
    -> (y: f32[24, 256], h: f32[24, 160], o: f32[24, 106], q: f32[24, 192], n: f32[2, 24, 160], d: f32[48, 64], e)
{
    a = matmul(x, w)
    b = softmax(x)
    c[i, j]: f32[24, 96] = sqrt(abs(a[i, j]) + 1.0)
    whole = concat(b, c, matmul(c, transpose(w, perm = [1, 0])), axis = 1)
    y[i, j]: f32[24, 256] = whole[i, j - j / 224 * 32] * 2.0
    heads[i, k, j]: f32[24, 3, 32] = sum[e in 0..64] b[i, e] * w[e, k * 32 + j]
    merged[i, (k, j)]: f32[24, 96] = heads[i, k, j]
    joined = concat(merged, softmax(x), axis = 1)
    h[i, j]: f32[24, 160] = max[r in 0..2] joined[i, j] * f32(r)
    odd = concat(exp(p), matmul(x, w), axis = 1)
    o[i, j]: f32[24, 106] = odd[i, 105 - j]
    nested = concat(concat(exp(x), tanh(x), axis = 1), sin(x), axis = 1)
    q[i, j]: f32[24, 192] = nested[23 - i, j]
    once = softmax(x * 2.0)
    again = concat(once, once, axis = 0)
    d[i, j]: f32[48, 64] = again[47 - i, j]
    ahead = softmax(x * 3.0)
    mirrored[i, j in 0..64]: f32[24, 128] = ahead[i, j]
    mirrored[i, j in 64..128]: f32[24, 128] = ahead[i, 127 - j]
    e[i, j]: f32[24, 128] = mirrored[23 - i, j]
    end, n = loop t in 0..2 carry (state = x) {
        left = tanh(state)
        each = concat(left, matmul(left, w), axis = 1)
        moved[i, j]: f32[24, 64] = each[23 - i, j + 3]
        next state = moved
        one[i, j]: f32[24, 160] = each[23 - i, j]
        emit one
    }
}
