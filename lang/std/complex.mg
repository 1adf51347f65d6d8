mg 1
import aten
// Functions of complex numbers a + bi, whose parts are operands of their own. Each gives one part of
// its result.

// the real part of (a + bi) / (c + di): Smith, 1962. The imaginary part is that of (b - ai) / (c + di).
op quotient<T: float>(a: T[..S], b: T[..S], c: T[..S], d: T[..S]) -> (y: T[..S])
    broadcast S
{
    tall[..s] = abs(d[..s]) > abs(c[..s])
    big[..s]: T[..S] = where(tall[..s], d[..s], c[..s])
    small[..s]: T[..S] = where(tall[..s], c[..s], d[..s])
    ratio[..s]: T[..S] = where(big[..s] == 0, 0, small[..s] / big[..s])
    top[..s]: T[..S] = where(tall[..s], a[..s] * ratio[..s] + b[..s], a[..s] + b[..s] * ratio[..s])
    y[..s] = top[..s] / (big[..s] + small[..s] * ratio[..s])
}
// the real part of the exponential function
op exp_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(b[..s] == 0, exp(a[..s]), exp(a[..s]) * cos(b[..s]))
}
// the imaginary part of the exponential function
op exp_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = where(b[..s] == 0, b[..s], exp(a[..s]) * sin(b[..s]))
}
// the real part of the natural logarithm; the imaginary part is the angle
op log_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    r[..s]: T[..S] = aten.hypot(a[..s], b[..s])
    y[..s] = log(r[..s])
}
// the real part of the natural logarithm of 1 + a + bi
op log1p_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    more[..s]: T[..S] = a[..s] * (2 + a[..s]) + b[..s] * b[..s]
    moved[..s]: T[..S] = log_re(1 + a[..s], b[..s])
    y[..s] = where(abs(more[..s]) < 0.5, log1p(more[..s]) / 2, moved[..s])
}
// the real part of the square root, which is not negative
op sqrt_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    r[..s]: T[..S] = aten.hypot(a[..s], b[..s])
    more[..s]: T[..S] = sqrt((r[..s] + abs(a[..s])) / 2)
    less[..s]: T[..S] = where(more[..s] == 0, 0,
        where(abs(b[..s]) == inf, inf, abs(b[..s]) / (2 * more[..s])))
    y[..s] = where(a[..s] >= 0, more[..s], less[..s])
}
// the imaginary part of the square root, which has the sign of b
op sqrt_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    r[..s]: T[..S] = sqrt_re(-a[..s], b[..s])
    y[..s] = where(b[..s] < 0 or b[..s] == 0 and 1 / b[..s] < 0, -r[..s], r[..s])
}
// the real part of a + bi to the power c + di
op power_re<T: float>(a: T[..S], b: T[..S], c: T[..S], d: T[..S]) -> (y: T[..S])
    broadcast S
{
    size[..s]: T[..S] = log_re(a[..s], b[..s])
    angle[..s]: T[..S] = aten.atan2(b[..s], a[..s])
    r[..s]: T[..S] = exp_re(c[..s] * size[..s] - d[..s] * angle[..s],
        d[..s] * size[..s] + c[..s] * angle[..s])
    y[..s] = where(c[..s] == 0 and d[..s] == 0, 1, where(a[..s] == 0 and b[..s] == 0, 0, r[..s]))
}
// the imaginary part of a + bi to the power c + di
op power_im<T: float>(a: T[..S], b: T[..S], c: T[..S], d: T[..S]) -> (y: T[..S])
    broadcast S
{
    size[..s]: T[..S] = log_re(a[..s], b[..s])
    angle[..s]: T[..S] = aten.atan2(b[..s], a[..s])
    r[..s]: T[..S] = exp_im(c[..s] * size[..s] - d[..s] * angle[..s],
        d[..s] * size[..s] + c[..s] * angle[..s])
    y[..s] = where(c[..s] == 0 and d[..s] == 0 or a[..s] == 0 and b[..s] == 0, 0, r[..s])
}
// the real part of the hyperbolic tangent: the sine is divided by the cosine, after both have been
// divided by the cosine of the real part, which may be huge
op tanh_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    t[..s]: T[..S] = tanh(a[..s])
    y[..s] = t[..s] / (cos(b[..s]) * cos(b[..s]) + t[..s] * t[..s] * sin(b[..s]) * sin(b[..s]))
}
// the imaginary part of the hyperbolic tangent
op tanh_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    t[..s]: T[..S] = tanh(a[..s])
    less[..s]: T[..S] = where(abs(a[..s]) > 40, 0, 1 / cosh(min(max(a[..s], -40), 40)))
    y[..s] = less[..s]
        * less[..s]
        * sin(b[..s])
        * cos(b[..s])
        / (cos(b[..s]) * cos(b[..s]) + t[..s] * t[..s] * sin(b[..s]) * sin(b[..s]))
}
// the real part of the inverse sine; these inverses are Kahan's, 1987
op asin_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    less_re[..s]: T[..S] = sqrt_re(1 - a[..s], -b[..s])
    less_im[..s]: T[..S] = sqrt_im(1 - a[..s], -b[..s])
    more_re[..s]: T[..S] = sqrt_re(1 + a[..s], b[..s])
    more_im[..s]: T[..S] = sqrt_im(1 + a[..s], b[..s])
    y[..s] = aten.atan2(a[..s], less_re[..s] * more_re[..s] - less_im[..s] * more_im[..s])
}
// the imaginary part of the inverse sine
op asin_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    less_re[..s]: T[..S] = sqrt_re(1 - a[..s], -b[..s])
    less_im[..s]: T[..S] = sqrt_im(1 - a[..s], -b[..s])
    more_re[..s]: T[..S] = sqrt_re(1 + a[..s], b[..s])
    more_im[..s]: T[..S] = sqrt_im(1 + a[..s], b[..s])
    y[..s] = asinh(less_re[..s] * more_im[..s] - less_im[..s] * more_re[..s])
}
// the real part of the inverse cosine; the imaginary part is that of -asin
op acos_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    less_re[..s]: T[..S] = sqrt_re(1 - a[..s], -b[..s])
    more_re[..s]: T[..S] = sqrt_re(1 + a[..s], b[..s])
    y[..s] = 2 * aten.atan2(less_re[..s], more_re[..s])
}
// the real part of the inverse hyperbolic cosine
op acosh_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    less_re[..s]: T[..S] = sqrt_re(a[..s] - 1, b[..s])
    less_im[..s]: T[..S] = sqrt_im(a[..s] - 1, b[..s])
    more_re[..s]: T[..S] = sqrt_re(a[..s] + 1, b[..s])
    more_im[..s]: T[..S] = sqrt_im(a[..s] + 1, b[..s])
    y[..s] = asinh(less_re[..s] * more_re[..s] + less_im[..s] * more_im[..s])
}
// the imaginary part of the inverse hyperbolic cosine
op acosh_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    less_im[..s]: T[..S] = sqrt_im(a[..s] - 1, b[..s])
    more_re[..s]: T[..S] = sqrt_re(a[..s] + 1, b[..s])
    y[..s] = 2 * aten.atan2(less_im[..s], more_re[..s])
}
// the real part of the inverse hyperbolic tangent
op atanh_re<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    size[..s]: T[..S] = abs(a[..s])
    far[..s]: T[..S] = aten.hypot(1 - size[..s], b[..s])
    near[..s]: T[..S] = log(far[..s] * far[..s] + 4 * size[..s]) / 4 - log(far[..s]) / 2
    other[..s]: T[..S] = log1p(4 * (size[..s] / far[..s] / far[..s])) / 4
    r[..s]: T[..S] = where(far[..s] < 0.5, near[..s], where(far[..s] == inf, 0, other[..s]))
    y[..s] = where(a[..s] < 0, -r[..s], r[..s])
}
// the imaginary part of the inverse hyperbolic tangent
op atanh_im<T: float>(a: T[..S], b: T[..S]) -> (y: T[..S])
    broadcast S
{
    y[..s] = (aten.atan2(b[..s], 1 + a[..s]) + aten.atan2(b[..s], 1 - a[..s])) / 2
}
