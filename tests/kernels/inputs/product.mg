mg 1
graph main(a: f32[512, 512], b: f32[512, 512], c: f32[512]) -> (y: f32[512, 512]) {
    y = relu(matmul(a, b) + c)
}
