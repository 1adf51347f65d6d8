mg 1
// made by make_cases.py
graph halves(x0: f16[3, 4],
    x1: f16[3, 4],
    x2: f16[3, 4],
    x3: f16[4],
    x4: f16[1, 4, 5, 5],
    x5: f16[4],
    x6: f16[4, 3],
    x7: f16[2, 4],
    x8: f16[2],
    x9: f16[3],
    x10: f16[2, 4, 3, 3],
    x11: f16[4, 2, 2, 2],
    x12: f16[1, 2, 3, 4],
    x13: f16[1, 2, 5, 4],
    x14: f16[1, 2, 5, 4],
    x15: f16[3, 5],
    x16: f16[3, 2, 4],
    x17: f16[2, 2],
    x18: f16[8, 4],
    x19: f16[8, 2],
    x20: f16[8],
    x21: f16[8],
    x22: f16[6, 4],
    x23: f16[6, 2],
    x24: f16[6],
    x25: f16[6],
    x26: f16[2, 4],
    x27: f16[2, 2],
    x28: f16[2],
    x29: f16[2],
    x30: f16[],
    x31: i8[],
    x32: f32[3, 4],
    x33: f32[3, 4],
    x34: i64[2])
-> (infix: f16[3, 4],
    exp: f16[3, 4],
    tanh: f16[3, 4],
    sigmoid: f16[3, 4],
    silu: f16[3, 4],
    gelu: f16[3, 4],
    softplus: f16[3, 4],
    erf: f16[3, 4],
    sin: f16[3, 4],
    round: f16[3, 4],
    leaky_relu: f16[3, 4],
    log: f16[3, 4],
    pow: f16[3, 4],
    compare: bool[3, 4],
    to_f32: f32[3, 4],
    sum_: f16[3],
    mean_: f16[3],
    max_: f16[3],
    min_: f16[3],
    prod_: f16[3],
    sum_square: f16[3],
    norm1: f16[3],
    norm2: f16[3],
    log_sum: f16[3],
    log_sum_exp: f16[3],
    variance: f16[3],
    softmax: f16[3, 4],
    log_softmax: f16[3, 4],
    cumsum: f16[3, 4],
    layer_norm: f16[3, 4],
    rms_norm: f16[3, 4],
    batch_norm: f16[1, 4, 5, 5],
    group_norm: f16[1, 4, 5, 5],
    matmul: f16[3, 3],
    linear: f16[3, 2],
    gemm: f16[3, 3],
    conv: f16[1, 2, 5, 5],
    conv_transpose: f16[1, 2, 10, 10],
    max_pool: f16[1, 4, 2, 2],
    avg_pool: f16[1, 4, 3, 3],
    resize_linear: f16[1, 4, 5, 7],
    resize_cubic: f16[1, 4, 5, 7],
    attention: f16[1, 2, 3, 4],
    lstm_0: f16[3, 2, 2],
    lstm_1: f16[2, 2],
    lstm_2: f16[2, 2],
    gru_0: f16[3, 2, 2],
    gru_1: f16[2, 2],
    rnn_0: f16[3, 2, 2],
    rnn_1: f16[2, 2],
    quantize: i8[3, 4],
    bf16_cast: f32[3, 4],
    bf16_add: f32[3, 4],
    bf16_sum: f32[4],
    bf16_call: f32[3, 4],
    gather: f16[2, 4],
    sort: f16[3, 4])
{
    infix = x0 * x1 + 1
    exp = exp(x0)
    tanh = tanh(x0)
    sigmoid = sigmoid(x0)
    silu = silu(x0)
    gelu = gelu(x0)
    softplus = softplus(x0)
    erf = erf(x0)
    sin = sin(x0)
    round = round(x0)
    leaky_relu = leaky_relu(x0)
    log = log(x2)
    pow = pow(x2, x1)
    compare = less(x0, x1)
    to_f32 = cast(x0, to = f32)
    sum_ = sum(x2, axes = [1])
    mean_ = mean(x2, axes = [1])
    max_ = max(x2, axes = [1])
    min_ = min(x2, axes = [1])
    prod_ = prod(x2, axes = [1])
    sum_square = sum_square(x2, axes = [1])
    norm1 = norm1(x2, axes = [1])
    norm2 = norm2(x2, axes = [1])
    log_sum = log_sum(x2, axes = [1])
    log_sum_exp = log_sum_exp(x2, axes = [1])
    variance = variance(x2, axes = [1])
    softmax = softmax(x0)
    log_softmax = log_softmax(x0, axis = 0)
    cumsum = cumsum(x0)
    layer_norm = layer_norm(x0, x3, x3)
    rms_norm = rms_norm(x0, x3)
    batch_norm = batch_norm(x4, x3, x5, x3)
    group_norm = group_norm(x4, groups = 2)
    matmul = matmul(x0, x6)
    linear = linear(x0, x7, x8)
    gemm = gemm(x0, x6, x9)
    conv = conv(x4, x10, pad = 1)
    conv_transpose = conv_transpose(x4, x11, stride = 2)
    max_pool = max_pool(x4, kernel = 2)
    avg_pool = avg_pool(x4, kernel = 2, pad = 1)
    resize_linear = resize_linear(x4, to = 7)
    resize_cubic = resize_cubic(x4, to = 7)
    attention = attention(x12, x13, x14, x15, causal = true)
    lstm_0, lstm_1, lstm_2 = lstm(x16, x17, x17, x18, x19, x20, x21)
    gru_0, gru_1 = gru(x16, x17, x22, x23, x24, x25)
    rnn_0, rnn_1 = rnn(x16, x17, x26, x27, x28, x29)
    quantize = quantize(x0, x30, x31)
    bf16_cast = cast(cast(x32, to = bf16), to = f32)
    bf16_add = cast(add(cast(x32, to = bf16), cast(x33, to = bf16)), to = f32)
    bf16_sum = cast(sum(cast(x32, to = bf16), axes = [0]), to = f32)
    bf16_call = f32(relu(bf16(x32)))
    gather = gather(x0, x34)
    sort = sort(x0)
}
