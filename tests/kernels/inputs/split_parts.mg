mg 1
// A product of split f32 factors whose sum comes in parts. Some of the parts' sums are not finite.
graph g(h: f32[3]) -> (y) {
    a[i in 0..100, k in 0..640]: f32[100, 640] = where(k == 500 and i % 9 == 0, inf, sin(3 * i + 5 * k) + h[0])
    b[k in 0..640, j in 0..128]: f32[640, 128] = cos(2 * k + 7 * j) + h[1]
    y[i, j]: f32[100, 128] = relu(sum[k] a[i, k] * b[k, j])
}
