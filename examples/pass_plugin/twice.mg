mg 1

graph doubled(x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y[i] = x[i] * 2
    z[i] = x[i] * 3
}
