mg 1
// Between floats and small integers: x is about (q - zero) * scale. One scale for the tensor, or
// one for each slice of an axis.

op quantize<T: float, Q: int>(x: T[..S], scale: T[], zero: Q[]) -> (y: Q[..S]) {
    y[..s] = saturate(round(x[..s] / scale[]) + T(zero[]), Q)
}
op quantize_axis<T: float, Q: int>(x: T[..N, C @ axis], scale: T[C], zero: Q[C], axis: int = 1)
    -> (y: Q[..N, C @ axis])
{
    y[..n, c @ axis] = saturate(round(x[..n, c @ axis] / scale[c]) + T(zero[c]), Q)
}
op dequantize<T: float, Q: int>(x: Q[..S], scale: T[], zero: Q[]?) -> (y: T[..S]) {
    y[..s] = (T(x[..s]) - T(zero[] else 0)) * scale[]
}
op dequantize_axis<T: float, Q: int>(x: Q[..N, C @ axis], scale: T[C], zero: Q[C]?, axis: int = 1)
    -> (y: T[..N, C @ axis])
{
    y[..n, c @ axis] = (T(x[..n, c @ axis]) - T(zero[c] else 0)) * scale[c]
}
// to u8, the scale and the zero point taken from the values, 0 always in the range
op dynamic_quantize(x: f32[..S]) -> (y: u8[..S], scale: f32[], zero: u8[]) {
    hi[] = max(max[..s] x[..s], 0)
    lo[] = min(min[..s] x[..s], 0)
    scale[] = (hi[] - lo[]) / 255
    zero[] = saturate(round(-lo[] / scale[]), u8)
    y = quantize(x, scale, zero)
}
// i32 sums of products back to small integers, one weight scale for each channel
op requantize<Q: int>(sums: i32[N, M, ..X], x_scale: f32[], weight_scale: f32[M], y_scale: f32[],
        y_zero: Q[]) -> (y: Q[N, M, ..X])
{
    y[n, m, ..i] = saturate(round(f32(sums[n, m, ..i]) * (x_scale[] * weight_scale[m] / y_scale[]))
            + f32(y_zero[]), Q)
}
