mg 1
// Row i of every value depends on row i alone: layers, elementwise and row ops, products of both orientations.
graph rows(x: f32[6, 16], w1: f32[12, 16], b1: f32[12], w2: f32[12, 40], w3: f32[8, 40], s: f32[6])
    -> (y: f32[6, 8], m: f32[6], z: f32[6, 12])
{
    h1[n, o] = sum[i] x[n, i] * w1[o, i]
    z = relu(add(h1, b1))
    h2[n, o] = sum[i] z[n, i] * w2[i, o]
    h3[n, o] = tanh(h2[n, o]) * s[n]
    h4[n, o] = sum[i] h3[n, i] * w3[o, i]
    y = softmax(h4)
    m[n] = mean[i] h2[n, i]
}
