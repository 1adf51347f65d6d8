mg 1
// Elements that take many instructions, so that an item of a GPU computes several vectors: a last group with
// fewer, whole groups, an equation that reads another's result, infinities, NaN and denormals.
graph g(x: f32[130, 132], b: f32[132], w: f32[128, 128])
    -> (y: f32[130, 132], z: f32[128, 128], u: f32[128, 128])
{
    y = gelu(x + b) * sigmoid(x)
    u = tanh(w)
    z = u * exp(-w) / (2 + exp(w))
}
