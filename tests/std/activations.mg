mg 1
// made by make_cases.py
graph activations(x0: f32[20],
    x1: f32[2, 3, 4],
    x2: f32[3, 1],
    x3: f32[3])
-> (relu: f32[20],
    relu6: f32[20],
    leaky_relu: f32[20],
    elu: f32[20],
    selu: f32[20],
    celu: f32[20],
    sigmoid: f32[20],
    log_sigmoid: f32[20],
    gelu: f32[20],
    silu: f32[20],
    mish: f32[20],
    gelu_tanh: f32[20],
    hard_sigmoid: f32[20],
    hard_swish: f32[20],
    hard_tanh: f32[20],
    softplus: f32[20],
    softsign: f32[20],
    tanh_shrink: f32[20],
    thresholded_relu: f32[20],
    shrink: f32[20],
    leaky_relu_slope: f32[20],
    elu_alpha: f32[20],
    celu_alpha: f32[20],
    hard_sigmoid_onnx: f32[20],
    hard_tanh_range: f32[20],
    soft_shrink: f32[20],
    prelu: f32[2, 3, 4],
    glu: f32[2, 3, 2],
    swiglu: f32[2, 3, 2],
    glu_axis: f32[1, 3, 4],
    tail: f32[3])
{
    relu = relu(x0)
    relu6 = relu6(x0)
    leaky_relu = leaky_relu(x0)
    elu = elu(x0)
    selu = selu(x0)
    celu = celu(x0)
    sigmoid = sigmoid(x0)
    log_sigmoid = log_sigmoid(x0)
    gelu = gelu(x0)
    silu = silu(x0)
    mish = mish(x0)
    gelu_tanh = gelu_tanh(x0)
    hard_sigmoid = hard_sigmoid(x0)
    hard_swish = hard_swish(x0)
    hard_tanh = hard_tanh(x0)
    softplus = softplus(x0)
    softsign = softsign(x0)
    tanh_shrink = tanh_shrink(x0)
    thresholded_relu = thresholded_relu(x0)
    shrink = shrink(x0)
    leaky_relu_slope = leaky_relu(x0, slope = 0.2)
    elu_alpha = elu(x0, alpha = 2.0)
    celu_alpha = celu(x0, alpha = 2.0)
    hard_sigmoid_onnx = hard_sigmoid(x0, alpha = 0.2)
    hard_tanh_range = hard_tanh(x0, lo = -2.0, hi = 3.0)
    soft_shrink = shrink(x0, threshold = 0.5, bias = 0.5)
    prelu = prelu(x1, x2)
    glu = glu(x1)
    swiglu = swiglu(x1, axis = 2)
    glu_axis = glu(x1, axis = 0)
    tail = gelu(x3)
}
