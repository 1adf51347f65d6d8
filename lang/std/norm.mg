mg 1
// Normalisation. A variance is the mean of the squared distances from the mean, because
// mean(x * x) - mean(x) * mean(x) would cancel. Weights and biases are optional everywhere.
// Dimension 1 holds the channels, except in layer_norm and rms_norm.

// x, normalised over the axes from `axis` to the last: Ba et al., 2016
op layer_norm<T: float>(x: T[..N, ..R @ axis..rank(x)], weight: T[..R]?, bias: T[..R]?,
        axis: int = -1, eps: float = 1e-5) -> (y: T[..N, ..R @ axis..rank(x)])
{
    mu[..n] = mean[..r] x[..n, ..r @ axis..rank(x)]
    v[..n] = mean[..r] (x[..n, ..r @ axis..rank(x)] - mu[..n])
        * (x[..n, ..r @ axis..rank(x)] - mu[..n])
    y[..n, ..r @ axis..rank(x)] = (x[..n, ..r @ axis..rank(x)] - mu[..n])
        / sqrt(v[..n] + eps)
        * (weight[..r] else 1)
        + (bias[..r] else 0)
}
// the mean that layer_norm subtracts, and the factor by which it then multiplies
op layer_norm_stats<T: float>(x: T[..N, ..R @ axis..rank(x)], axis: int = -1, eps: float = 1e-5)
    -> (mu: T[..N, ..(R * 0 + 1) @ axis..rank(x)], scale: T[..N, ..(R * 0 + 1) @ axis..rank(x)])
{
    m[..n] = mean[..r] x[..n, ..r @ axis..rank(x)]
    v[..n] = mean[..r] (x[..n, ..r @ axis..rank(x)] - m[..n])
        * (x[..n, ..r @ axis..rank(x)] - m[..n])
    mu = unsqueeze(m, axes = [axis..rank(x)])
    s[..n] = 1 / sqrt(v[..n] + eps)
    scale = unsqueeze(s, axes = [axis..rank(x)])
}
// layer_norm without subtracting the mean: Zhang and Sennrich, 2019
op rms_norm<T: float>(x: T[..N, ..R @ axis..rank(x)], weight: T[..R]?, axis: int = -1,
        eps: float = 1e-5) -> (y: T[..N, ..R @ axis..rank(x)])
{
    q[..n] = mean[..r] x[..n, ..r @ axis..rank(x)] * x[..n, ..r @ axis..rank(x)]
    y[..n, ..r @ axis..rank(x)] = x[..n, ..r @ axis..rank(x)]
        / sqrt(q[..n] + eps)
        * (weight[..r] else 1)
}
// x, normalised by the statistics that training gathered: Ioffe and Szegedy, 2015
op batch_norm<T: float>(x: T[N, C, ..X], running_mean: T[C], running_var: T[C], weight: T[C]?,
        bias: T[C]?, eps: float = 1e-5) -> (y: T[N, C, ..X])
{
    y[n, c, ..i] = (x[n, c, ..i] - running_mean[c])
        / sqrt(running_var[c] + eps)
        * (weight[c] else 1)
        + (bias[c] else 0)
}
// x, normalised by its own statistics, as in training, which also update the running ones
op batch_norm_train<T: float>(x: T[N, C, ..X], weight: T[C], bias: T[C], running_mean: T[C],
        running_var: T[C], momentum: float = 0.9, eps: float = 1e-5)
    -> (y: T[N, C, ..X], next_mean: T[C], next_var: T[C])
{
    mu[c] = mean[n, ..i] x[n, c, ..i]
    v[c] = mean[n, ..i] (x[n, c, ..i] - mu[c]) * (x[n, c, ..i] - mu[c])
    y = batch_norm(x, mu, v, weight, bias, eps = eps)
    next_mean[c] = running_mean[c] * momentum + mu[c] * (1 - momentum)
    next_var[c] = running_var[c] * momentum + v[c] * (1 - momentum)
}
// x, normalised over each group of channels and all places: Wu and He, 2018
op group_norm<T: float>(x: T[N, groups * C, ..X], weight: T[groups * C]?, bias: T[groups * C]?,
        groups: int, eps: float = 1e-5) -> (y: T[N, groups * C, ..X])
{
    mu[n, g] = mean[c, ..i] x[n, (g, c), ..i]
    v[n, g] = mean[c, ..i] (x[n, (g, c), ..i] - mu[n, g]) * (x[n, (g, c), ..i] - mu[n, g])
    y[n, (g, c), ..i] = (x[n, (g, c), ..i] - mu[n, g])
        / sqrt(v[n, g] + eps)
        * (weight[(g, c)] else 1)
        + (bias[(g, c)] else 0)
}
// x, normalised over all places of each channel: Ulyanov et al., 2016
op instance_norm<T: float>(x: T[N, C, ..X], weight: T[C]?, bias: T[C]?, eps: float = 1e-5)
    -> (y: T[N, C, ..X])
{
    mu[n, c] = mean[..i] x[n, c, ..i]
    v[n, c] = mean[..i] (x[n, c, ..i] - mu[n, c]) * (x[n, c, ..i] - mu[n, c])
    y[n, c, ..i] = (x[n, c, ..i] - mu[n, c]) / sqrt(v[n, c] + eps) * (weight[c] else 1)
        + (bias[c] else 0)
}
// x, divided by a power of the squares of `span` adjacent channels: Krizhevsky et al., 2012
op lrn<T: float>(x: T[N, C, ..X], span: int, alpha: float = 1e-4, beta: float = 0.75,
        bias: float = 1.0) -> (y: T[N, C, ..X])
{
    // no neighbour is C channels away
    q[n, c, ..i]: T[N, C, ..X] = sum[r in -min((span - 1) / 2, C)..=min(span / 2, C)] (x[n, c + r,
        ..i] else 0)
        * (x[n, c + r, ..i] else 0)
    y[n, c, ..i] = x[n, c, ..i] / pow(bias + alpha / span * q[n, c, ..i], beta)
}
// x, divided by its l2 norm along an axis, or by eps if that is larger
op normalize<T: float>(x: T[..N, D @ axis], axis: int = 1, eps: float = 1e-12)
    -> (y: T[..N, D @ axis])
{
    squares[..n] = sum[d] x[..n, d @ axis] * x[..n, d @ axis]
    l[..n] = where(squares[..n] == 0, eps, max(sqrt(squares[..n]), eps))
    y[..n, d @ axis] = x[..n, d @ axis] / l[..n]
}
// x, divided by its l1 norm along an axis; a norm of 0 leaves 0
op normalize1<T: float>(x: T[..N, D @ axis], axis: int = 1, eps: float = 1e-12)
    -> (y: T[..N, D @ axis])
{
    l[..n] = max(sum[d] abs(x[..n, d @ axis]), eps)
    y[..n, d @ axis] = x[..n, d @ axis] / l[..n]
}
// x, brought to mean 0 and variance 1 over the axes
op standardize<T: float>(x: T[..K, ..R @ axes], axes: int[], eps: float = 1e-9)
    -> (y: T[..K, ..R @ axes])
{
    mu[..k] = mean[..i] x[..k, ..i @ axes]
    s[..k] = sqrt(mean[..i] (x[..k, ..i @ axes] - mu[..k]) * (x[..k, ..i @ axes] - mu[..k])) + eps
    y[..k, ..i @ axes] = (x[..k, ..i @ axes] - mu[..k]) / s[..k]
}
