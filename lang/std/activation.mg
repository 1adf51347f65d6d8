mg 1
// Activation functions. Each is one equation, so that it is inlined in an index
// expression, and each is written so that no intermediate overflows where the result doesn't, and
// NaN stays NaN.

// x where it is positive, else 0
op relu<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = max(x[..s], 0) }
// x, clipped to the range from 0 to 6
op relu6<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = min(max(x[..s], 0), 6) }
// x where it is not negative, else slope * x
op leaky_relu<T: float>(x: T[..S], slope: float = 0.01) -> (y: T[..S]) {
    y[..s] = where(x[..s] >= 0, x[..s], slope * x[..s])
}
// leaky_relu with a learnt slope, which broadcasts: He et al., 2015
op prelu<T: number>(x: T[..S], slope: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(x[..s] >= 0, x[..s], slope[..s] * x[..s])
}
// x where it is above alpha, else 0
op thresholded_relu<T: float>(x: T[..S], alpha: float = 1.0) -> (y: T[..S]) {
    y[..s] = where(x[..s] <= alpha, 0, x[..s])
}
// x where it is positive, else alpha * (exp(x) - 1): Clevert et al., 2015
op elu<T: float>(x: T[..S], alpha: float = 1.0) -> (y: T[..S]) {
    y[..s] = where(x[..s] > 0, x[..s], alpha * expm1(x[..s]))
}
// gamma * elu(x), whose constants keep the mean at 0 and the variance at 1: Klambauer et al., 2017
op selu<T: float>(x: T[..S], alpha: float = 1.6732632423543772, gamma: float = 1.0507009873554805)
    -> (y: T[..S])
{
    y[..s] = gamma * where(x[..s] > 0, x[..s], alpha * expm1(x[..s]))
}
// elu with a slope of 1 on both sides of 0: Barron, 2017
op celu<T: float>(x: T[..S], alpha: float = 1.0) -> (y: T[..S]) {
    y[..s] = where(x[..s] > 0, x[..s], alpha * expm1(x[..s] / alpha))
}
// the logistic function 1 / (1 + exp(-x))
op sigmoid<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = 1 / (1 + exp(-x[..s])) }
// log(sigmoid(x)) without underflow; written like softplus, so that its derivative at 0 is right
op log_sigmoid<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = where(x[..s] <= 0, x[..s], 0) - log1p(exp(where(x[..s] <= 0, x[..s], -x[..s])))
}
// x times the normal distribution function: Hendrycks and Gimpel, 2016.
// By erfc it is exact in the left tail.
op gelu<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = 0.5 * x[..s] * erfc(x[..s] * -0.7071067811865476)
}
// gelu, approximated by tanh; the constant is sqrt(2 / pi)
op gelu_tanh<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = 0.5
        * x[..s]
        * (1 + tanh(0.7978845608028654 * (x[..s] + 0.044715 * x[..s] * x[..s] * x[..s])))
}
// x * sigmoid(x), also called swish
op silu<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] / (1 + exp(-x[..s])) }
// x * tanh(softplus(x)): Misra, 2019.
// With u = exp(-|x|) the quotient is exact in both tails and nothing overflows.
op mish<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = x[..s]
        * where(x[..s] >= 0,
            (1 + 2 * exp(-abs(x[..s])))
                / (1 + 2 * exp(-abs(x[..s])) + 2 * exp(-abs(x[..s])) * exp(-abs(x[..s]))),
            exp(-abs(x[..s]))
                * (exp(-abs(x[..s])) + 2)
                / (exp(-abs(x[..s])) * (exp(-abs(x[..s])) + 2) + 2))
}
// a straight line in place of the sigmoid, clipped to the range from 0 to 1
op hard_sigmoid<T: float>(x: T[..S], alpha: float = 0.16666666666666666, beta: float = 0.5)
    -> (y: T[..S])
{
    y[..s] = min(max(alpha * x[..s] + beta, 0), 1)
}
// x * hard_sigmoid(x): Howard et al., 2019
op hard_swish<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = x[..s] * min(max(x[..s] + 3, 0), 6) / 6
}
// x, clipped to the range from lo to hi
op hard_tanh<T: float>(x: T[..S], lo: float = -1.0, hi: float = 1.0) -> (y: T[..S]) {
    y[..s] = min(max(x[..s], lo), hi)
}
// log(1 + exp(x)) without overflow.
// It is written so that its derivative at 0 is 1/2; that of max(x, 0) and abs(x) would be 0.
op softplus<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = where(x[..s] >= 0, x[..s], 0) + log1p(exp(where(x[..s] >= 0, -x[..s], x[..s])))
}
// x / (1 + |x|)
op softsign<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] / (1 + abs(x[..s])) }
// x - tanh(x)
op tanh_shrink<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] - tanh(x[..s]) }
// 0 within the threshold; values outside it move towards 0 by `bias`.
// With bias 0 this is hard shrinkage, and with bias = threshold soft shrinkage.
op shrink<T: float>(x: T[..S], threshold: float = 0.5, bias: float = 0.0) -> (y: T[..S]) {
    y[..s] = where(x[..s] < -threshold, x[..s] + bias,
        where(x[..s] > threshold, x[..s] - bias, where(isnan(x[..s]), x[..s], 0)))
}
// the first half of an axis, gated by the sigmoid of the second half: Dauphin et al., 2016
op glu<T: float>(x: T[..N, 2 * D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    y[..n, d @ axis] = x[..n, (0, d) @ axis] * sigmoid(x[..n, (1, d) @ axis])
}
// the second half of an axis, gated by the silu of the first half: Shazeer, 2020
op swiglu<T: float>(x: T[..N, 2 * D @ axis], axis: int = -1) -> (y: T[..N, D @ axis]) {
    y[..n, d @ axis] = silu(x[..n, (0, d) @ axis]) * x[..n, (1, d) @ axis]
}
