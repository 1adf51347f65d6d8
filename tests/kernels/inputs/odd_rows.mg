mg 1
// Sums and rows without whole vectors: 25 steps of four k, fewer steps than parts, less than a step. The
// value that is fed back is one of them, and the bytes after a row are never part of its sum. An input
// that nothing reads is no buffer of the kernel.
graph odd(x: f32[6, 22], unread: f32[6, 3], w1: f32[34, 22], w2: f32[34, 7], w3: f32[3, 7], w4: f32[3, 100], b: f32[100],
        w5: f32[100, 22])
    -> (y: f32[6, 22], z: f32[6, 3])
{
    h1[n, o] = sum[i] x[n, i] * w1[o, i]
    h2[n, o] = sum[i] h1[n, i] * w2[i, o]
    z[n, o] = sum[i] h2[n, i] * w3[o, i]
    h4[n, o] = sum[i] z[n, i] * w4[i, o]
    h5 = relu(add(h4, b))
    y[n, o] = sum[i] h5[n, i] * w5[i, o]
}
