mg 1
// Conversions between floats and small integers: x is about (q - zero) * scale. There is one scale
// for the tensor, or one for each slice of an axis.

// x / scale rounded to an integer type and shifted by the zero point
op quantize<T: float, Q: int>(x: T[..S], scale: T[], zero: Q[]) -> (y: Q[..S]) {
    y[..s] = saturate(round(x[..s] / scale[]) + T(zero[]), Q)
}
// quantize with a scale and a zero point for each element of an axis
op quantize_axis<T: float, Q: int>(x: T[..N, C @ axis], scale: T[C], zero: Q[C], axis: int = 1)
    -> (y: Q[..N, C @ axis])
{
    y[..n, c @ axis] = saturate(round(x[..n, c @ axis] / scale[c]) + T(zero[c]), Q)
}
// (x - zero) * scale
op dequantize<T: float, Q: int>(x: Q[..S], scale: T[], zero: Q[]?) -> (y: T[..S]) {
    y[..s] = (T(x[..s]) - T(zero[] else 0)) * scale[]
}
// dequantize with a scale and a zero point for each element of an axis
op dequantize_axis<T: float, Q: int>(x: Q[..N, C @ axis], scale: T[C], zero: Q[C]?, axis: int = 1)
    -> (y: T[..N, C @ axis])
{
    y[..n, c @ axis] = (T(x[..n, c @ axis]) - T(zero[c] else 0)) * scale[c]
}
// quantize with one scale for each `block` elements of an axis
op quantize_blocks<T: float, Q: int>(x: T[..N, D @ axis], scale: T[..N, B @ axis],
        zero: Q[..N, B @ axis], block: int, axis: int = 1) -> (y: Q[..N, D @ axis])
    require B == ceildiv(D, block) : "{B} scales for {D} elements in blocks of {block}"
{
    y[..n, d @ axis] = saturate(round(x[..n, d @ axis] / scale[..n, d / block @ axis])
            + T(zero[..n, d / block @ axis]), Q)
}
// dequantize with a scale and a zero point for each block of an axis
op dequantize_blocks<T: float, Q: int>(x: Q[..N, D @ axis], scale: T[..N, B @ axis],
        zero: Q[..N, B @ axis]?, block: int, axis: int = 1) -> (y: T[..N, D @ axis])
    require B == ceildiv(D, block) : "{B} scales for {D} elements in blocks of {block}"
{
    y[..n, d @ axis] = (T(x[..n, d @ axis]) - T(zero[..n, d / block @ axis] else 0))
        * scale[..n, d / block @ axis]
}
// x as u8. The scale and the zero point follow from the range of the values, which always has 0.
op dynamic_quantize(x: f32[..S]) -> (y: u8[..S], scale: f32[], zero: u8[]) {
    hi[] = max(max[..s] x[..s], 0)
    lo[] = min(min[..s] x[..s], 0)
    scale[] = (hi[] - lo[]) / 255
    zero[] = saturate(round(-lo[] / scale[]), u8)
    y = quantize(x, scale, zero)
}
// small integers from i32 sums of products. Each channel has a weight scale of its own.
op requantize<Q: int>(sums: i32[N, M, ..X], x_scale: f32[], weight_scale: f32[M], y_scale: f32[],
        y_zero: Q[]) -> (y: Q[N, M, ..X])
{
    y[n, m, ..i] = saturate(round(f32(sums[n, m, ..i]) * (x_scale[] * weight_scale[m] / y_scale[]))
            + f32(y_zero[]), Q)
}
// small integers minus a zero point, which broadcasts, as i32: the factors of integer products
op above_zero<Q: int>(x: Q[..S], zero: Q[..S]) -> (y: i32[..S])
    broadcast S
{
    y[..s] = i32(x[..s]) - i32(zero[..s])
}
// small integers from i32 sums of products. The scale broadcasts.
op rescale<T: float, Q: int>(sums: i32[..S], scale: T[..S], zero: Q[]) -> (y: Q[..S])
    broadcast S
{
    y[..s] = saturate(round(T(sums[..s]) * scale[..s]) + T(zero[]), Q)
}
