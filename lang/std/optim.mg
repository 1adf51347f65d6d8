mg 1
// Optimisers: each layer owns the state of one parameter, and computes the parameter's next
// value. In a graph: `for w in net { u = optim.adamw(w, derivative(loss, w), lr)   next w = u }`.

// ---- optimisers
// x1, or x if `when` is false, so that a step whose gradients are not finite changes nothing
op moved<T: number>(x: T[..S], x1: T[..S], when: bool[]?) -> (y: T[..S]) {
    y[..s] = where(when[] else true, x1[..s], x[..s])
}
// gradient descent, with a momentum: Polyak, 1964; if `nesterov`: Nesterov, 1983
layer sgd<T: float>(w: T[..S], g: T[..S], lr: f32[], when: bool[]?, momentum: float = 0.0,
        nesterov: bool = false, decay: float = 0.0) -> (y: T[..S])
{
    if decay == 0.0 { d = g } else { d[..s] = g[..s] + decay * w[..s] }
    if momentum == 0.0 {
        w1[..s] = w[..s] - T(lr[]) * d[..s]
    } else {
        buffer speed: T[..S] = 0
        m[..s] = momentum * speed[..s] + d[..s]
        if nesterov {
            w1[..s] = w[..s] - T(lr[]) * (d[..s] + momentum * m[..s])
        } else {
            w1[..s] = w[..s] - T(lr[]) * m[..s]
        }
        next speed = moved(speed, m, when)
    }
    y = moved(w, w1, when)
}
// one step of adamw, for a state that is kept elsewhere; t1 counts steps from 1
op adamw_step<T: float>(w: T[..S], g: T[..S], m: f32[..S], v: f32[..S], t: i64[], lr: f32[],
        beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8, decay: float = 0.01)
    -> (w1: T[..S], m1: f32[..S], v1: f32[..S], t1: i64[])
{
    t1[] = t[] + 1
    b1[]: f32[] = beta1
    b2[]: f32[] = beta2
    m1[..s] = m[..s] + (f32(g[..s]) - m[..s]) * (1 - beta1)
    v1[..s] = v[..s] + (f32(g[..s]) * f32(g[..s]) - v[..s]) * (1 - beta2)
    a[] = lr[] / (1 - pow(b1[], f32(t1[])))
    b[] = 1 / sqrt(1 - pow(b2[], f32(t1[])))
    w1[..s] = T(f32(w[..s]) * (1 - lr[] * decay) - a[] * m1[..s] / (sqrt(v1[..s]) * b[] + eps))
}
// a step along the mean gradient over its root mean square: Kingma and Ba, 2015
layer adam<T: float>(w: T[..S], g: T[..S], lr: f32[], when: bool[]?, beta1: float = 0.9,
        beta2: float = 0.999, eps: float = 1e-8) -> (y: T[..S])
{
    buffer m: f32[..S] = 0
    buffer v: f32[..S] = 0
    buffer t: i64[] = 0
    w1, m1, v1, t1 = adamw_step(w, g, m, v, t, lr, beta1 = beta1, beta2 = beta2, eps = eps,
        decay = 0.0)
    y = moved(w, w1, when)
    next m = moved(m, m1, when), v = moved(v, v1, when), t = moved(t, t1, when)
}
// adam whose weights decay separately from the gradient: Loshchilov and Hutter, 2019. With
// `stochastic`, weights in bf16 are rounded up or down by chance, so that small steps add up.
layer adamw<T: float>(w: T[..S], g: T[..S], lr: f32[], when: bool[]?, beta1: float = 0.9,
        beta2: float = 0.999, eps: float = 1e-8, decay: float = 0.01, stochastic: bool = false)
    -> (y: T[..S])
    require not stochastic or T == bf16 : "stochastic rounding is for weights in bf16"
{
    buffer m: f32[..S] = 0
    buffer v: f32[..S] = 0
    buffer t: i64[] = 0
    if stochastic {
        wide[..s] = f32(w[..s])
        slope[..s] = f32(g[..s])
        w32, m1, v1, t1 = adamw_step(wide, slope, m, v, t, lr, beta1 = beta1, beta2 = beta2,
            eps = eps, decay = decay)
        w1 = round_stochastic(w32, draw())
    } else {
        w1, m1, v1, t1 = adamw_step(w, g, m, v, t, lr, beta1 = beta1, beta2 = beta2, eps = eps,
            decay = decay)
    }
    y = moved(w, w1, when)
    next m = moved(m, m1, when), v = moved(v, v1, when), t = moved(t, t1, when)
}
// a step along the signs of a momentum: Chen et al., 2023
layer lion<T: float>(w: T[..S], g: T[..S], lr: f32[], when: bool[]?, beta1: float = 0.9,
        beta2: float = 0.99, decay: float = 0.0) -> (y: T[..S])
{
    buffer m: T[..S] = 0
    u[..s] = beta1 * m[..s] + (1 - beta1) * g[..s]
    w1[..s] = w[..s] - T(lr[]) * (sign(u[..s]) + decay * w[..s])
    m1[..s] = beta2 * m[..s] + (1 - beta2) * g[..s]
    y = moved(w, w1, when)
    next m = moved(m, m1, when)
}
// adam without momentum, with second moments of rows and columns only: Shazeer and Stern, 2018.
// `limit` bounds the root mean square of a step.
layer adafactor<T: float>(w: T[..N, C], g: T[..N, C], lr: f32[], when: bool[]?, power: float = 0.8,
        limit: float = 1.0, eps: float = 1e-30) -> (y: T[..N, C])
{
    buffer rows: f32[..N] = 0
    buffer columns: f32[C] = 0
    buffer t: i64[] = 0
    t1[] = t[] + 1
    b[] = 1 / pow(f32(t1[]), power)
    q[..n, c] = f32(g[..n, c]) * f32(g[..n, c]) + eps
    r_new[..n] = mean[c] q[..n, c]
    c_new[c] = mean[..n] q[..n, c]
    r1[..n] = rows[..n] + (r_new[..n] - rows[..n]) * b[]
    c1[c] = columns[c] + (c_new[c] - columns[c]) * b[]
    overall[] = mean[..n] r1[..n]
    // r1 * c1 would be 0 where a row and a column have no gradient
    u[..n, c] = f32(g[..n, c]) * (sqrt(overall[] / r1[..n]) / sqrt(c1[c]))
    rms[] = mean[..n, c] u[..n, c] * u[..n, c]
    w1[..n, c] = T(f32(w[..n, c]) - lr[] * u[..n, c] / max(1, sqrt(rms[]) / limit))
    y = moved(w, w1, when)
    next rows = moved(rows, r1, when), columns = moved(columns, c1, when), t = moved(t, t1, when)
}
// a matrix near the orthogonal one that is nearest to x: all singular values come near 1.
// It takes five steps of Newton and Schulz (Jordan et al., 2024).
op orthogonal<T: float>(x: T[R, C]) -> (y: T[R, C]) {
    squared[] = sum[i, j] x[i, j] * x[i, j]
    y[i, j] = x[i, j] / (sqrt(squared[]) + 1e-7)
    for k in 0..5 {
        a[i, j] = sum[c] y[i, c] * y[j, c]
        aa[i, j] = sum[l] a[i, l] * a[l, j]
        by[i, j] = sum[l] (2.0315 * aa[i, l] - 4.775 * a[i, l]) * y[l, j]
        y = add(mul(y, 3.4445), by)
    }
}
// an orthogonal step along a momentum, for matrices: Jordan et al., 2024
layer muon<T: float>(w: T[R, C], g: T[R, C], lr: f32[], when: bool[]?, momentum: float = 0.95,
        nesterov: bool = true, decay: float = 0.0) -> (y: T[R, C])
{
    buffer speed: T[R, C] = 0
    m[i, j] = momentum * speed[i, j] + g[i, j]
    if nesterov { d[i, j] = g[i, j] + momentum * m[i, j] } else { d[i, j] = m[i, j] }
    o = orthogonal(d)
    longer[]: T[] = max(1, T(R) / T(C))
    w1[i, j] = w[i, j] * (1 - T(lr[]) * decay) - T(lr[]) * sqrt(longer[]) * o[i, j]
    y = moved(w, w1, when)
    next speed = moved(speed, m, when)
}

// ---- gradients and rates
// the sum of a gradient's squares; add several to find the norm of all
op squares<T: float>(g: T[..S]) -> (y: f32[]) { y[] = sum[..s] f32(g[..s]) * f32(g[..s]) }
// the factor that brings gradients, whose squares add up to `total`, to a norm of at most `limit`
op clip_factor(total: f32[], limit: float) -> (y: f32[]) {
    y[] = min(1, limit / (sqrt(total[]) + 1e-6))
}
// the scale of a loss for f16, and the number of steps since it changed: twice as large after
// `every` steps with gradients that were fine, half as large after one that was not
op adjust_scale(scale: f32[], good: i64[], fine: bool[], every: int = 2000)
    -> (scale1: f32[], good1: i64[])
    require every > 0 : "every is {every}; expected at least 1"
{
    full[] = good[] + 1 >= every
    scale1[] = where(fine[], where(full[], 2 * scale[], scale[]), max(scale[] / 2, 1))
    good1[] = where(fine[] and not full[], good[] + 1, 0)
}
// a rate that rises for `warmup` steps, then falls to `floor` like a cosine until step `steps`
op warmup_cosine<I: int>(step: I[], peak: float, warmup: int, steps: int, floor: float = 0.0)
    -> (y: f32[])
    require 0 <= warmup and warmup < steps : "warmup is {warmup}; expected >= 0 and < {steps}"
{
    t[] = f32(step[])
    c[] = min(max((t[] - warmup) / (steps - warmup), 0), 1)
    y[] = where(t[] < warmup, peak * (t[] + 1) / warmup,
        floor + (peak - floor) * 0.5 * (1 + cos(3.141592653589793 * c[])))
}
// a rate that is multiplied by `factor` after every `every` steps
op step_decay<I: int>(step: I[], start: float, every: int, factor: float = 0.1) -> (y: f32[])
    require every > 0 : "every is {every}; expected at least 1"
{
    f[]: f32[] = factor
    y[] = start * pow(f[], f32(i64(step[]) / every))
}
// the exponential average of a value over steps, corrected for the zero that it begins with
layer average<T: float>(x: T[..S], decay: float = 0.999) -> (y: T[..S]) {
    buffer kept: f32[..S] = 0
    buffer t: i64[] = 0
    t1[] = t[] + 1
    b[]: f32[] = decay
    k1[..s] = decay * kept[..s] + (1 - decay) * f32(x[..s])
    y[..s] = T(k1[..s] / (1 - pow(b[], f32(t1[]))))
    next kept = k1, t = t1
}
