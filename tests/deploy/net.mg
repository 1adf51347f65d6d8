mg 1

graph affine(x: f32[N <= 64, 2], `end`: bool[3]) -> (y: f32[N, 2], z: bool[3]) weights "w.safetensors" {
    param weight: f32[2]
    y[n, i] = x[n, i] * weight[i] + 1
    z[i] = not `end`[i]
}

graph pick(table: f32[V, 2], ids: i64[M]) -> (rows: f32[M, 2]) {
    require V >= 2 : "the table has {V} rows"
    rows[n, d] = table[ids[n], d]
}

graph found(x: f32[N]) -> (taken: f32[some C <= N]) {
    taken = compress(x, x > 0, axis = 0)
}

graph dense(image: f32[B, 64], weight: f32[64, 64]) -> (y: f32[B, 64]) {
    y = relu(matmul(image, weight))
}
