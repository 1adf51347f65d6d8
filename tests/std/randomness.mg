mg 1
// made by make_cases.py
graph randomness(x0: u64[],
    x1: f32[4, 5],
    x2: f32[2, 4],
    x3: f32[5, 4],
    x4: f32[],
    x5: f32[25])
-> (unit_random: f32[3, 2],
    random_uniform: f64[7],
    random_normal: f32[2, 3],
    fan_in_normal: f32[4, 3, 2],
    fan_in_uniform: f32[3, 8],
    glorot_uniform: f32[4, 2, 3],
    bernoulli: f32[4, 5],
    bernoulli_bool: bool[4, 5],
    multinomial: i32[2, 9],
    dropout_0: f32[5, 4],
    dropout_1: bool[5, 4],
    dropout_none_0: f32[5, 4],
    dropout_none_1: bool[5, 4],
    round_stochastic: f32[25])
{
    unit_random = unit_random(x0, shape = [3, 2])
    random_uniform = random_uniform(x0, shape = [7], low = -1, high = 3, type = f64)
    random_normal = random_normal(x0, shape = [2, 3], mean = 1, scale = 2)
    fan_in_normal = fan_in_normal(x0, shape = [4, 3, 2], gain = 1.5)
    fan_in_uniform = fan_in_uniform(x0, shape = [3, 8])
    glorot_uniform = glorot_uniform(x0, shape = [4, 2, 3], gain = 0.5)
    bernoulli = bernoulli(x1, x0)
    bernoulli_bool = bernoulli(x1, x0, type = bool)
    multinomial = multinomial(x2, x0, n = 9)
    dropout_0, dropout_1 = dropout(x3, x0, x4)
    dropout_none_0, dropout_none_1 = dropout(x3, x0, 0)
    round_stochastic = cast(round_stochastic(x5, x0), to = f32)
}
