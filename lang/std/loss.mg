mg 1
// Losses of class probabilities x[N, C, …] against class numbers target[N, …]. An element whose
// target is `ignore` counts nothing; "mean" divides by the sum of the weights.

// the negative log likelihood of the given classes
op nll_loss<T: float, I: int>(x: T[N, C, ..D], target: I[N, ..D], weight: T[C]?,
        reduction: "mean" | "sum" | "none" = "mean", ignore: int = -100) -> (y)
{
    t[n, ..i] = i64(target[n, ..i])
    w[n, ..i]: T[N, ..D] = where(t[n, ..i] == ignore, 0, weight[t[n, ..i]] else 1)
    l[n, ..i]: T[N, ..D] = where(t[n, ..i] == ignore, 0, -(x[n, t[n, ..i], ..i] else 0)) * w[n, ..i]
    if reduction == "none" { y = l }
    if reduction == "sum" { y = sum(l) }
    if reduction == "mean" { y = div(sum(l), sum(w)) }
}
// The loss of unnormalised log-probabilities. The second result has the normalised ones.
op cross_entropy<T: float, I: int>(x: T[N, C, ..D], target: I[N, ..D], weight: T[C]?,
        reduction: "mean" | "sum" | "none" = "mean", ignore: int = -100) -> (y, logs: T[N, C, ..D])
{
    logs = log_softmax(x, axis = 1)
    y = nll_loss(logs, target, weight, reduction = reduction, ignore = ignore)
}
