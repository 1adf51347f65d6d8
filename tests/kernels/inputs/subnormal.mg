mg 1
// Subnormal factors beside the largest numbers and infinities: -O3 may take them for 0.
graph g(x: f32[5, 3], w: f32[3, 33]) -> (y: f32[5, 33], z: f32[5]) {
    y = matmul(x, w)
    z[i] = sum[k] x[i, k] * w[k, 0]
}
