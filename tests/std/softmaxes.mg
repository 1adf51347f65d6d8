mg 1
// made by make_cases.py
graph softmaxes(x0: f32[2, 3, 4],
    x1: f32[3, 3],
    x2: f32[1, 4],
    x3: f32[1, 3],
    x4: f32[1, 3],
    x5: f32[3, 5],
    x6: f32[2, 0])
-> (softmax_m1: f32[2, 3, 4],
    log_softmax_m1: f32[2, 3, 4],
    hardmax_m1: f32[2, 3, 4],
    softmax_0: f32[2, 3, 4],
    log_softmax_0: f32[2, 3, 4],
    hardmax_0: f32[2, 3, 4],
    softmax_1: f32[2, 3, 4],
    log_softmax_1: f32[2, 3, 4],
    hardmax_1: f32[2, 3, 4],
    softmax_wide: f32[3, 3],
    log_softmax_wide: f32[3, 3],
    hardmax_tie: f32[1, 4],
    softmax_one: f32[1, 3],
    softmax_masked: f32[1, 3],
    cumsum: f32[3, 5],
    cumsum_0: f32[3, 5],
    cumsum_reverse: f32[3, 5],
    cumsum_exclusive: f32[3, 5],
    cumsum_both: f32[3, 5],
    cumprod: f32[3, 5],
    cumprod_both: f32[3, 5],
    cummax: f32[3, 5],
    cummin: f32[3, 5],
    cumsum_empty: f32[2, 0])
{
    softmax_m1 = softmax(x0, axis = -1)
    log_softmax_m1 = log_softmax(x0, axis = -1)
    hardmax_m1 = hardmax(x0, axis = -1)
    softmax_0 = softmax(x0, axis = 0)
    log_softmax_0 = log_softmax(x0, axis = 0)
    hardmax_0 = hardmax(x0, axis = 0)
    softmax_1 = softmax(x0, axis = 1)
    log_softmax_1 = log_softmax(x0, axis = 1)
    hardmax_1 = hardmax(x0, axis = 1)
    softmax_wide = softmax(x1)
    log_softmax_wide = log_softmax(x1)
    hardmax_tie = hardmax(x2)
    softmax_one = softmax(x3, axis = 0)
    softmax_masked = softmax(x4)
    cumsum = cumsum(x5)
    cumsum_0 = cumsum(x5, axis = 0)
    cumsum_reverse = cumsum(x5, reverse = true)
    cumsum_exclusive = cumsum(x5, exclusive = true)
    cumsum_both = cumsum(x5, axis = 0, exclusive = true, reverse = true)
    cumprod = cumprod(x5)
    cumprod_both = cumprod(x5, axis = 0, exclusive = true, reverse = true)
    cummax = cummax(x5)
    cummin = cummin(x5, axis = 0)
    cumsum_empty = cumsum(x6)
}
