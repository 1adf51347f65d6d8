mg 1
// made by make_cases.py
graph randomness(x0: u64[],
    x1: f32[4, 5],
    x2: f32[2, 4],
    x3: f32[5, 4],
    x4: f32[],
    x5: f32[25],
    x6: f32[1, 9],
    x7: u64[],
    x8: f32[2, 8],
    x9: f32[2, 8],
    x10: f32[],
    x11: f32[],
    x12: f32[],
    x13: f32[],
    x14: f32[],
    x15: i64[],
    x16: i64[],
    x17: i64[],
    x18: i64[],
    x19: i64[],
    x20: i64[],
    x21: i64[],
    x22: f32[2, 5],
    x23: f32[],
    x24: f32[],
    x25: f32[],
    x26: f32[],
    x27: f32[],
    x28: f32[],
    x29: f32[],
    x30: f32[2, 5])
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
    round_stochastic: f32[25],
    multinomial_last: i32[1, 40],
    seed_at: u64[],
    order_bits: u32[2, 8],
    keep_largest_0_25: bool[2, 8],
    keep_largest_1_0: bool[2, 8],
    keep_largest_1_5: bool[2, 8],
    keep_largest_2_0: bool[2, 8],
    keep_largest_3_5: bool[2, 8],
    keep_largest_9_0: bool[2, 8],
    top_k_logits_1: f32[2, 8],
    top_k_logits_2: f32[2, 8],
    top_k_logits_3: f32[2, 8],
    top_k_logits_5: f32[2, 8],
    top_k_logits_8: f32[2, 8],
    top_k_logits_100: f32[2, 8],
    top_k_logits_none: f32[2, 8],
    top_p_logits_0_01: f32[2, 5],
    top_p_logits_0_39: f32[2, 5],
    top_p_logits_0_41: f32[2, 5],
    top_p_logits_0_6: f32[2, 5],
    top_p_logits_0_8: f32[2, 5],
    top_p_logits_0_875: f32[2, 5],
    top_p_logits_0_97: f32[2, 5],
    top_p_logits_one: f32[2, 5])
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
    multinomial_last = multinomial(x6, x0, n = 40)
    seed_at = seed_at(x0, x7)
    order_bits = order_bits(x8)
    keep_largest_0_25 = keep_largest(x8, x9, x4)
    keep_largest_1_0 = keep_largest(x8, x9, x10)
    keep_largest_1_5 = keep_largest(x8, x9, x11)
    keep_largest_2_0 = keep_largest(x8, x9, x12)
    keep_largest_3_5 = keep_largest(x8, x9, x13)
    keep_largest_9_0 = keep_largest(x8, x9, x14)
    top_k_logits_1 = top_k_logits(x8, x15)
    top_k_logits_2 = top_k_logits(x8, x16)
    top_k_logits_3 = top_k_logits(x8, x17)
    top_k_logits_5 = top_k_logits(x8, x18)
    top_k_logits_8 = top_k_logits(x8, x19)
    top_k_logits_100 = top_k_logits(x8, x20)
    top_k_logits_none = top_k_logits(x8, x21)
    top_p_logits_0_01 = top_p_logits(x22, x23)
    top_p_logits_0_39 = top_p_logits(x22, x24)
    top_p_logits_0_41 = top_p_logits(x22, x25)
    top_p_logits_0_6 = top_p_logits(x22, x26)
    top_p_logits_0_8 = top_p_logits(x22, x27)
    top_p_logits_0_875 = top_p_logits(x22, x28)
    top_p_logits_0_97 = top_p_logits(x22, x29)
    top_p_logits_one = top_p_logits(x30, x10)
}
