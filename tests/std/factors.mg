mg 1
// made by make_cases.py
graph factors(x0: f32[5, 3, 3],
    x1: f32[5],
    x2: f32[5, 4, 3],
    x3: f16[2, 2, 2])
-> (eigenvalues: f32[5, 3],
    turned: f32[5, 3, 3],
    singular_values: f32[5, 3],
    recomposed: f32[5, 4, 3],
    half_eigen: f16[2, 2],
    half_singular: f16[2, 2])
{
    sized_a = mul(x0, reshape(x1, shape = [5, 1, 1]))
    turns, eigen = eigh(sized_a)
    eigenvalues[n, i] = eigen[n, i] / x1[n]
    turned[n, i, j] = sum[k] turns[n, i, k] * (eigen[n, k] / x1[n]) * turns[n, j, k]
    sized_b = mul(x2, reshape(x1, shape = [5, 1, 1]))
    left, singular, right = svd(sized_b)
    singular_values[n, i] = singular[n, i] / x1[n]
    recomposed[n, i, j] = sum[k] left[n, i, k] * (singular[n, k] / x1[n]) * right[n, j, k]
    half_turns, half_eigen = eigh(x3)
    half_left, half_singular, half_right = svd(x3)
}
