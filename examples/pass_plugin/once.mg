mg 1

graph rounded(x: f32[N]) -> (y: f32[N]) {
    h = floor(x)
    y = floor(h)
}
