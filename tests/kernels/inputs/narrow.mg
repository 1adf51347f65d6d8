mg 1
// Products of few columns, whose rows are finished in a tile: full and masked vectors, several results.
graph g(x: f32[37, 64], w: f32[10, 64], b: f32[10])
    -> (y: f32[37, 10], z: f32[37, 10], h: f32[37, 8], m: f32[37])
{
    y = softmax(relu(linear(x, w, b)))
    l[n, o]: f32[37, 10] = sum[i] x[36 - n, i] * w[9 - o, i]
    z = layer_norm(l, b, b)
    h[n, o]: f32[37, 8] = sum[i] x[n, i] * abs(w[o + 2, 63 - i])
    m[n] = mean[o] h[n, o] * b[o + 2]
}
