mg 1
// Losses, for training.

// ---- losses of class probabilities x[N, C, …] against class numbers target[N, …]
// An element whose target is `ignore` doesn't count; any other target must be a class. "mean"
// divides by the sum of the weights.

// the negative log likelihood of the given classes, where x holds log-probabilities.
// With `smoothing`, the target is the given class with 1 - smoothing of the weight, and all classes
// share the rest: Szegedy et al., 2016.
op nll_loss<T: float, I: int>(x: T[N, C, ..D], target: I[N, ..D], weight: T[C]?,
        reduction: "mean" | "sum" | "none" = "mean", ignore: int = -100, smoothing: float = 0.0)
    -> (y)
{
    t[n, ..i] = i64(target[n, ..i])
    w[n, ..i]: T[N, ..D] = where(t[n, ..i] == ignore, 0, weight[t[n, ..i]] else 1)
    class[n, ..i] = where(t[n, ..i] == ignore, 0, t[n, ..i])
    given[n, ..i]: T[N, ..D] = where(t[n, ..i] == ignore, 0, -x[n, class[n, ..i], ..i]) * w[n, ..i]
    if smoothing == 0 {
        l = given
    } else {
        spread[n, ..i]: T[N, ..D] = sum[c] x[n, c, ..i] * (weight[c] else 1)
        l[n, ..i]: T[N, ..D] = (1 - smoothing) * given[n, ..i]
            - where(t[n, ..i] == ignore, 0, smoothing / C * spread[n, ..i])
    }
    if reduction == "mean" {
        y = div(sum(l), sum(w))
    } else {
        y = reduce_loss(l, reduction = reduction)
    }
}
// the loss of unnormalised log-probabilities; the second result holds the normalised ones
op cross_entropy<T: float, I: int>(x: T[N, C, ..D], target: I[N, ..D], weight: T[C]?,
        reduction: "mean" | "sum" | "none" = "mean", ignore: int = -100, smoothing: float = 0.0)
    -> (y, logs: T[N, C, ..D])
{
    logs = log_softmax(x, axis = 1)
    y = nll_loss(logs, target, weight, reduction = reduction, ignore = ignore,
        smoothing = smoothing)
}
// the losses of single elements, reduced: their mean, their sum, or the losses themselves
op reduce_loss<T: float>(l: T[..S], reduction: "mean" | "sum" | "none" = "mean") -> (y) {
    if reduction == "none" { y = l }
    if reduction == "sum" { y = sum(l) }
    if reduction == "mean" { y = mean(l) }
}

// ---- losses of numbers x against targets of the same shape

// the squared error
op mse_loss<T: float>(x: T[..S], target: T[..S], reduction: "mean" | "sum" | "none" = "mean") -> (y)
{
    l[..s] = (x[..s] - target[..s]) * (x[..s] - target[..s])
    y = reduce_loss(l, reduction = reduction)
}
// the absolute error
op l1_loss<T: float>(x: T[..S], target: T[..S], reduction: "mean" | "sum" | "none" = "mean") -> (y)
{
    l[..s] = abs(x[..s] - target[..s])
    y = reduce_loss(l, reduction = reduction)
}
// half the squared error up to a distance of `delta`, and linear beyond it: Huber, 1964
op huber_loss<T: float>(x: T[..S], target: T[..S], reduction: "mean" | "sum" | "none" = "mean",
        delta: float = 1.0) -> (y)
{
    e[..s] = abs(x[..s] - target[..s])
    l[..s] = where(e[..s] <= delta, 0.5 * e[..s] * e[..s], delta * (e[..s] - 0.5 * delta))
    y = reduce_loss(l, reduction = reduction)
}
// the cross entropy of yes-or-no answers, where x holds log-odds and target probabilities.
// The loss of a yes counts `positive` times.
op binary_cross_entropy<T: float>(x: T[..S], target: T[..S],
        reduction: "mean" | "sum" | "none" = "mean", positive: float = 1.0) -> (y)
{
    no = softplus(x)
    yes[..s] = softplus(-x[..s])
    l[..s] = positive * target[..s] * yes[..s] + (1 - target[..s]) * no[..s]
    y = reduce_loss(l, reduction = reduction)
}
// the divergence of log-probabilities x from probabilities target: Kullback and Leibler, 1951.
// A target of 0 adds nothing. "batch" divides the sum by the size of the first axis.
op kl_loss<T: float>(x: T[N, ..S], target: T[N, ..S],
        reduction: "mean" | "batch" | "sum" | "none" = "batch") -> (y)
{
    l[n, ..s] = where(target[n, ..s] == 0, 0, target[n, ..s] * (log(target[n, ..s]) - x[n, ..s]))
    if reduction == "batch" {
        total = sum(l)
        y[] = total[] / N
    } else {
        y = reduce_loss(l, reduction = reduction)
    }
}

// ---- losses of sequences

// log(exp(a) + exp(b) + exp(c)), whose slope is 0 where all three are minus infinity
op log_add<T: float>(a: T[..S], b: T[..S], c: T[..S]) -> (y: T[..S]) {
    m[..s] = max(a[..s], max(b[..s], c[..s]))
    reached[..s] = m[..s] > -inf
    shift[..s]: T[..S] = where(reached[..s], m[..s], 0)
    total[..s] = exp(a[..s] - shift[..s]) + exp(b[..s] - shift[..s]) + exp(c[..s] - shift[..s])
    y[..s]: T[..S] = where(reached[..s], shift[..s] + log(where(reached[..s], total[..s], 1)), -inf)
}
// connectionist temporal classification: Graves et al., 2006.
// The negative log likelihood of the labels target[n, 0..lengths[n]], summed over all alignments,
// given the log-probabilities x of each step below steps[n]. Steps between labels may be `blank`,
// and between equal labels one must be. Labels that don't fit into the steps have an infinite loss,
// or 0 without a slope if `zero_infinity`. "mean" first divides each loss by its number of labels.
op ctc_loss<T: float, I: int, J: int>(x: T[S, N, C], target: I[N, L], steps: J[N], lengths: J[N],
        blank: int = 0, reduction: "mean" | "sum" | "none" = "mean", zero_infinity: bool = false)
    -> (y)
    require blank >= 0 and blank < C : "blank is {blank}, but there are {C} classes"
{
    // A path goes through 2 * L + 1 states: a blank, a label, a blank, …, a blank. It stays, takes
    // the next state, or passes over the blank between two labels that differ.
    said[n, s in 0..2 * L + 1] = where(s % 2 == 0, blank, i64(target[n, s / 2] else 0))
    passes[n, s in 0..2 * L + 1] = s % 2 == 1 and said[n, s] != (said[n, s - 2] else blank)
    first[n in 0..N, s in 0..2 * L + 1]: T[N, 2 * L + 1] = where(s == 0, 0, -inf)
    end = loop t in 0..S carry (a = first) {
        before[n, s]: T[N, 2 * L + 1] = a[n, s - 1] else -inf
        across[n, s]: T[N, 2 * L + 1] = where(passes[n, s], a[n, s - 2] else -inf, -inf)
        ways = log_add(a, before, across)
        b[n, s] = where(t < i64(steps[n]), ways[n, s] + (x[t, n, said[n, s]] else -inf), a[n, s])
        next a = b
    }
    label[n]: T[N] = where(lengths[n] > 0, end[n, 2 * i64(lengths[n]) - 1] else -inf, -inf)
    space[n]: T[N] = end[n, 2 * i64(lengths[n])] else -inf
    nothing[n]: T[N] = -inf
    likely = log_add(label, space, nothing)
    l[n]: T[N] = where(zero_infinity and likely[n] == -inf, 0, -likely[n])
    if reduction == "mean" {
        each[n] = l[n] / T(max(lengths[n], 1))
        y = mean(each)
    } else {
        y = reduce_loss(l, reduction = reduction)
    }
}
