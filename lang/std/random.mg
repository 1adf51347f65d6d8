mg 1
// Random numbers: functions of a seed, from the counter-based bits of `random_bits`. The same seed
// gives the same numbers on every target.

// a seed for a purpose of its own; draw() chooses the salt
op salted(seed: u64[], salt: int) -> (y: u64[]) {
    y[] = seed[] + salt
}
// numbers from 0 to below 1, in steps of 2^-24
op unit_random(seed: u64[], shape: int[], type: type = f32) -> (y: type[..shape]) {
    bits = random_bits(seed, shape = shape)
    y[..s] = type(f32(shr(bits[..s], 8)) * 0x1p-24)
}
// numbers between low and high, all equally likely
op random_uniform(seed: u64[], shape: int[], low: float = 0.0, high: float = 1.0, type: type = f32)
    -> (y: type[..shape])
{
    u = unit_random(seed, shape = shape)
    y[..s] = type(low + u[..s] * (high - low))
}
// normally distributed numbers: Box and Muller, 1958
op random_normal(seed: u64[], shape: int[], mean: float = 0.0, scale: float = 1.0, type: type = f32)
    -> (y: type[..shape])
{
    u = unit_random(seed, shape = [2, size(shape)])
    y[..s] = type(mean
            + scale * sqrt(-2 * log(1 - u[0, (..s)])) * cos(6.283185307179586 * u[1, (..s)]))
}
// the initial values of weights [outputs, inputs, …] that keep the variance of what they multiply, if
// gain is 1, or double it (sqrt(2.0), before relu): He et al., 2015
op fan_in_normal(seed: u64[], shape: int[], gain: float = 1.0, type: type = f32)
    -> (y: type[..shape])
    let deviation = gain / sqrt(1.0 * size(shape) / shape[0])
{
    y = random_normal(seed, shape = shape, scale = deviation, type = type)
}
// the same, all numbers of an interval equally likely
op fan_in_uniform(seed: u64[], shape: int[], gain: float = 1.0, type: type = f32)
    -> (y: type[..shape])
    let reach = gain * sqrt(3.0 * shape[0] / size(shape))
{
    y = random_uniform(seed, shape = shape, low = -reach, high = reach, type = type)
}
// the same, with a variance between those for the ways forward and backward: Glorot and Bengio, 2010
op glorot_uniform(seed: u64[], shape: int[], gain: float = 1.0, type: type = f32)
    -> (y: type[..shape])
    let reach = gain * sqrt(6.0 * shape[0] * shape[1] / (1.0 * size(shape) * (shape[0] + shape[1])))
{
    y = random_uniform(seed, shape = shape, low = -reach, high = reach, type = type)
}
// x in bf16, rounded up or down by chance, to the nearer number more often, so that the mean is x.
// Infinities and NaN stay.
op round_stochastic(x: f32[..S], seed: u64[]) -> (y: bf16[..S]) {
    r = random_bits(seed, shape = S)
    n[..s] = bitcast(x[..s], u32) + shr(r[..s], 16)
    y[..s] = where(abs(x[..s]) < inf, bf16(bitcast(shl(shr(n[..s], 16), 16), f32)), bf16(x[..s]))
}
// true, or 1, with probability p
op bernoulli<T: float>(p: T[..S], seed: u64[], type: type = T) -> (y: type[..S]) {
    u = unit_random(seed, shape = S)
    y[..s] = type(u[..s] < f32(p[..s]))
}
// n draws from each row of unnormalised logarithms of probabilities
op multinomial<T: float>(x: T[B, C], seed: u64[], n: int, type: type = i32) -> (y: type[B, n]) {
    p = softmax(x)
    below = cumsum(p)
    u = unit_random(seed, shape = [B, n], type = T)
    y[b, k] = type(min(sum[c] where(below[b, c] <= u[b, k], i64(1), 0), C - 1))
}
// x with elements dropped and the others scaled up, as in training: Srivastava et al., 2014
op dropout<T: float>(x: T[..S], seed: u64[], ratio: T[]) -> (y: T[..S], kept: bool[..S]) {
    u = unit_random(seed, shape = S)
    kept[..s] = u[..s] >= f32(ratio[])
    y[..s] = where(kept[..s], x[..s] / (1 - ratio[]), 0)
}
