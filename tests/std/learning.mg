mg 1
// made by make_cases.py
import nn
import optim
graph learning(x0: f32[3, 4],
    x1: f32[3, 4],
    x2: f32[],
    x3: f32[3, 4],
    x4: f32[3, 4],
    x5: i64[],
    x6: f32[2, 3, 4],
    x7: f32[2, 3, 4],
    x8: f32[4],
    x9: f32[4],
    x10: f64[3, 4],
    x11: f64[3, 4],
    x12: f64[4, 3],
    x13: f64[4, 3],
    x14: f32[],
    x15: u64[],
    x16: u64[],
    x17: u64[],
    x18: u64[],
    x19: u64[],
    x20: u64[],
    x21: i64[],
    x22: i64[],
    x23: i64[],
    x24: bool[],
    x25: bool[],
    x26: f32[],
    x27: i64[],
    x28: u64[])
-> (sgd: f32[3, 4],
    sgd_false: f32[3, 4],
    sgd_true: f32[3, 4],
    adam: f32[3, 4],
    adamw: f32[3, 4],
    adamw_betas: f32[3, 4],
    stepped: f32[3, 4],
    stepped_m: f32[3, 4],
    stepped_v: f32[3, 4],
    stepped_t: i64[],
    lion: f32[3, 4],
    adafactor: f32[3, 4],
    adafactor_limited: f32[3, 4],
    adafactor_three: f32[2, 3, 4],
    adafactor_vector: f32[4],
    muon: f64[3, 4],
    muon_plain: f64[4, 3],
    orthogonal: f64[3, 4],
    squares: f32[],
    clipped: f32[],
    not_clipped: f32[],
    cosine_0: f32[],
    cosine_9: f32[],
    cosine_10: f32[],
    cosine_40: f32[],
    cosine_100: f32[],
    cosine_120: f32[],
    decayed_0: f32[],
    decayed_4: f32[],
    decayed_5: f32[],
    decayed_12: f32[],
    not_dropped: f32[3, 4],
    moved: f32[3, 4],
    moved_on: f32[3, 4],
    moved_always: f32[3, 4],
    adamw_held: f32[3, 4],
    sgd_held: f32[3, 4],
    adamw_let: f32[3, 4],
    sgd_let: f32[3, 4],
    scale_doubled_0: f32[],
    scale_doubled_1: i64[],
    scale_counted_0: f32[],
    scale_counted_1: i64[],
    scale_halved_0: f32[],
    scale_halved_1: i64[],
    salted: u64[],
    average: f32[3, 4])
{
    sgd = optim.sgd(x0, x1, x2, decay = 0.1)
    sgd_false = optim.sgd(x0, x1, x2, momentum = 0.9, nesterov = false)
    sgd_true = optim.sgd(x0, x1, x2, momentum = 0.9, nesterov = true)
    adam = optim.adam(x0, x1, x2, eps = 0.01)
    adamw = optim.adamw(x0, x1, x2, decay = 0.2)
    adamw_betas = optim.adamw(x0, x1, x2, beta1 = 0.8, beta2 = 0.95)
    stepped, stepped_m, stepped_v, stepped_t = optim.adamw_step(x0, x1, x3, x4, x5, x2)
    lion = optim.lion(x0, x1, x2, decay = 0.1)
    adafactor = optim.adafactor(x0, x1, x2)
    adafactor_limited = optim.adafactor(x0, x1, x2, limit = 0.3)
    adafactor_three = optim.adafactor(x6, x7, x2)
    adafactor_vector = optim.adafactor(x8, x9, x2, power = 0.5)
    muon = optim.muon(x10, x11, x2, nesterov = true, decay = 0.1)
    muon_plain = optim.muon(x12, x13, x2, nesterov = false, decay = 0.1)
    orthogonal = optim.orthogonal(x11)
    squares = optim.squares(x1)
    clipped = optim.clip_factor(x14, limit = 1.0)
    not_clipped = optim.clip_factor(x14, limit = 3.0)
    cosine_0 = optim.warmup_cosine(x15, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    cosine_9 = optim.warmup_cosine(x16, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    cosine_10 = optim.warmup_cosine(x17, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    cosine_40 = optim.warmup_cosine(x18, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    cosine_100 = optim.warmup_cosine(x19, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    cosine_120 = optim.warmup_cosine(x20, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)
    decayed_0 = optim.step_decay(x21, start = 0.5, every = 5, factor = 0.3)
    decayed_4 = optim.step_decay(x5, start = 0.5, every = 5, factor = 0.3)
    decayed_5 = optim.step_decay(x22, start = 0.5, every = 5, factor = 0.3)
    decayed_12 = optim.step_decay(x23, start = 0.5, every = 5, factor = 0.3)
    not_dropped = nn.dropout(x0)
    moved = optim.moved(x0, x1, x24)
    moved_on = optim.moved(x0, x1, x25)
    moved_always = optim.moved(x0, x1)
    adamw_held = optim.adamw(x0, x1, x2, x24)
    sgd_held = optim.sgd(x0, x1, x2, x24, momentum = 0.9)
    adamw_let = optim.adamw(x0, x1, x2, x25)
    sgd_let = optim.sgd(x0, x1, x2, x25, momentum = 0.9)
    scale_doubled_0, scale_doubled_1 = optim.adjust_scale(x26, x5, x25, every = 5)
    scale_counted_0, scale_counted_1 = optim.adjust_scale(x26, x27, x25, every = 5)
    scale_halved_0, scale_halved_1 = optim.adjust_scale(x26, x27, x24, every = 5)
    salted = salted(x28, salt = 7)
    average = optim.average(x0, decay = 0.9)
}
