mg 1
graph main(a: f32[2048, 2048], b: f32[2048, 2048], c: f32[2048]) -> (y: f32[2048, 2048]) {
    y = relu(matmul(a, b) + c)
}
