mg 1
// One step of training: weights x and their gradient g, at a learning rate, after `step` steps. An
// optimiser's state is passed in and returned with the weights. `norm` times the weights is added
// to the gradient: the gradient of a penalty on their squares.

// a step at a rate that falls with the gradient's past squares: Duchi et al., 2011
op adagrad_step<R: float, T: float>(rate: R[], step: i64[], x: T[..S], g: T[..S], squares: T[..S],
        decay: float = 0.0, norm: float = 0.0, eps: float = 0.000001)
    -> (y: T[..S], next_squares: T[..S])
{
    r[] = T(rate[]) / (1 + T(step[]) * decay)
    d[..s] = norm * x[..s] + g[..s]
    next_squares[..s] = squares[..s] + d[..s] * d[..s]
    y[..s] = x[..s] - r[] * d[..s] / (sqrt(next_squares[..s]) + eps)
}
// adam: Kingma and Ba, 2015; step 0 corrects no bias, and `shrink` is a penalty on the result
op adam_step<R: float, T: float>(rate: R[], step: i64[], x: T[..S], g: T[..S], average: T[..S],
        squares: T[..S], alpha: float = 0.9, beta: float = 0.999, norm: float = 0.0,
        shrink: float = 0.0, eps: float = 0.000001)
    -> (y: T[..S], next_average: T[..S], next_squares: T[..S])
{
    t[] = T(step[])
    a[]: T[] = alpha
    b[]: T[] = beta
    r[] = T(rate[])
        * where(step[] > 0, sqrt(1 - pow(b[], max(t[], 1))) / (1 - pow(a[], max(t[], 1))), 1)
    d[..s] = norm * x[..s] + g[..s]
    next_average[..s] = alpha * average[..s] + (1 - alpha) * d[..s]
    next_squares[..s] = beta * squares[..s] + (1 - beta) * d[..s] * d[..s]
    y[..s] = (1 - shrink) * (x[..s] - r[] * (next_average[..s] / (sqrt(next_squares[..s]) + eps)))
}
// a step along a momentum: Polyak, 1964; Nesterov, 1983; `beta` scales the gradient after step 0
op momentum_step<R: float, T: float>(rate: R[], step: i64[], x: T[..S], g: T[..S], momentum: T[..S],
        alpha: float = 0.9, beta: float = 1.0, norm: float = 0.0, nesterov: bool = false)
    -> (y: T[..S], next_momentum: T[..S])
{
    d[..s] = norm * x[..s] + g[..s]
    next_momentum[..s] = alpha * momentum[..s] + where(step[] > 0, beta, 1) * d[..s]
    if nesterov {
        y[..s] = x[..s] - T(rate[]) * (d[..s] + alpha * next_momentum[..s])
    } else {
        y[..s] = x[..s] - T(rate[]) * next_momentum[..s]
    }
}
