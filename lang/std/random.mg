mg 1
// Random numbers: functions of a seed, from the counter-based bits of `random_bits`. The same seed
// gives the same numbers on every target.

// a seed for a purpose of its own; draw() chooses the salt
op salted(seed: u64[], salt: int) -> (y: u64[]) {
    y[] = seed[] + salt
}
// the seed with number `counter` of those that follow from a seed
op seed_at(seed: u64[], counter: u64[]) -> (y: u64[]) {
    b = random_bits(counter, shape = [2])
    y[] = xor(seed[], u64(b[0]) + shl(u64(b[1]), 32))
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
// n draws from each row of unnormalised logarithms of probabilities; what has the probability 0 is
// never drawn
op multinomial<T: float>(x: T[B, C], seed: u64[], n: int, type: type = i32) -> (y: type[B, n]) {
    p = softmax(x)
    below = cumsum(p)
    u = unit_random(seed, shape = [B, n], type = T)
    likely[b] = max[c] where(p[b, c] > 0, i64(c), 0)
    first[b, k] = min[c] where(below[b, c] > u[b, k] and p[b, c] > 0, i64(c), C)
    y[b, k] = type(min(first[b, k], likely[b]))
}
// x with elements dropped and the others scaled up, as in training: Srivastava et al., 2014. If
// `together`, four elements have the bits of one counter, which takes less time.
op dropout<T: float>(x: T[..S], seed: u64[], ratio: T[], together: bool = false)
    -> (y: T[..S], kept: bool[..S])
{
    r[] = f32(ratio[])
    kept = random_keeps(r, seed, shape = S, together = together)
    y[..s] = where(kept[..s], x[..s] / (1 - ratio[]), 0)
}

// ---- sampling from a language model, whose logits are logarithms of probabilities
// whole numbers in the order of the numbers x
op order_bits(x: f32[..N]) -> (y: u32[..N]) {
    b[..n] = bitcast(where(x[..n] == 0, 0, x[..n]), u32)
    y[..n] = xor(b[..n], where(shr(b[..n], 31) == 1, u32(0xffffffff), u32(0x80000000)))
}
// the largest elements of each row, as many as it takes until their weights reach `need`; of equal
// elements, the first ones
op keep_largest(x: f32[..N, C], weight: f32[..N, C], need: f32[]) -> (keep: bool[..N, C]) {
    bits = order_bits(x)
    none[..n in 0..N]: u32[..N] = 0
    // the largest number such that the elements from it on have enough weight, bit by bit
    least = loop b in 0..32 carry (l = none) {
        try[..n] = l[..n] + shl(u32(1), u32(31 - b))
        reached[..n] = sum[c] where(bits[..n, c] >= try[..n], weight[..n, c], 0)
        m[..n] = where(reached[..n] >= need[], try[..n], l[..n])
        next l = m
    }
    larger[..n] = sum[c] where(bits[..n, c] > least[..n], weight[..n, c], 0)
    equal[..n, c] = where(bits[..n, c] == least[..n], weight[..n, c], 0)
    before = cumsum(equal, exclusive = true)
    keep[..n, c] = bits[..n, c] > least[..n]
        or (bits[..n, c] == least[..n] and larger[..n] + before[..n, c] < need[])
}
// the k largest logits of each row, -inf in place of the others: Fan et al., 2018. At least one is
// kept.
op top_k_logits(x: f32[..N, C], k: i64[]) -> (y: f32[..N, C]) {
    one[..n in 0..N, c in 0..C]: f32[..N, C] = 1
    need[] = f32(max(k[], 1))
    keep = keep_largest(x, one, need)
    y[..n, c] = where(keep[..n, c], x[..n, c], -inf)
}
// the nucleus of each row, -inf in place of the others: the fewest of its most probable elements
// that have the probability p together: Holtzman et al., 2020
op top_p_logits(x: f32[..N, C], p: f32[]) -> (y: f32[..N, C]) {
    keep = keep_largest(x, softmax(x), p)
    y[..n, c] = where(keep[..n, c], x[..n, c], -inf)
}
