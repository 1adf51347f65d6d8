mg 1
// made by make_cases.py
graph optimisers(x0: f32[],
    x1: i64[],
    x2: f32[3, 2],
    x3: f32[3, 2],
    x4: f32[3, 2],
    x5: f32[3, 2],
    x6: i64[])
-> (adagrad_0_0: f32[3, 2],
    adagrad_0_1: f32[3, 2],
    adam_0_0: f32[3, 2],
    adam_0_1: f32[3, 2],
    adam_0_2: f32[3, 2],
    momentum_0_false_0: f32[3, 2],
    momentum_0_false_1: f32[3, 2],
    momentum_0_true_0: f32[3, 2],
    momentum_0_true_1: f32[3, 2],
    adagrad_3_0: f32[3, 2],
    adagrad_3_1: f32[3, 2],
    adam_3_0: f32[3, 2],
    adam_3_1: f32[3, 2],
    adam_3_2: f32[3, 2],
    momentum_3_false_0: f32[3, 2],
    momentum_3_false_1: f32[3, 2],
    momentum_3_true_0: f32[3, 2],
    momentum_3_true_1: f32[3, 2])
{
    adagrad_0_0, adagrad_0_1 = adagrad_step(x0, x1, x2, x3, x4, decay = 0.2, norm = 0.05)
    adam_0_0, adam_0_1, adam_0_2 = adam_step(x0, x1, x2, x3, x5, x4, beta = 0.95, norm = 0.05, shrink = 0.1)
    momentum_0_false_0, momentum_0_false_1 = momentum_step(x0, x1, x2, x3, x5, alpha = 0.8, beta = 0.7, norm = 0.05, nesterov = false)
    momentum_0_true_0, momentum_0_true_1 = momentum_step(x0, x1, x2, x3, x5, alpha = 0.8, beta = 0.7, norm = 0.05, nesterov = true)
    adagrad_3_0, adagrad_3_1 = adagrad_step(x0, x6, x2, x3, x4, decay = 0.2, norm = 0.05)
    adam_3_0, adam_3_1, adam_3_2 = adam_step(x0, x6, x2, x3, x5, x4, beta = 0.95, norm = 0.05, shrink = 0.1)
    momentum_3_false_0, momentum_3_false_1 = momentum_step(x0, x6, x2, x3, x5, alpha = 0.8, beta = 0.7, norm = 0.05, nesterov = false)
    momentum_3_true_0, momentum_3_true_1 = momentum_step(x0, x6, x2, x3, x5, alpha = 0.8, beta = 0.7, norm = 0.05, nesterov = true)
}
