mg 1

graph main(x: f32[19, 75]) -> (y: f32[19, 75]) {
    y = softmax(x, axis = -1)
}
