mg 1

graph clamped(x: f32[N]) -> (y: f32[N]) {
    h = relu(x)
    y = relu(h)
}
