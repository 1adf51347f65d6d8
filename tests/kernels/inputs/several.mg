mg 1
// Points of many instructions, of which an item of a GPU takes several vectors: a last group that has
// fewer, whole groups, two equations of which one reads the other's; infinities, NaN and denormals.
graph g(x: f32[130, 132], b: f32[132], w: f32[128, 128])
    -> (y: f32[130, 132], z: f32[128, 128], u: f32[128, 128])
{
    y = gelu(x + b) * sigmoid(x)
    u = tanh(w)
    z = u * exp(-w) / (2 + exp(w))
}
