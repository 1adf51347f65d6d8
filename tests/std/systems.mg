mg 1
// made by make_cases.py
graph systems(x0: f32[2, 4, 4],
    x1: f32[2, 4, 4],
    x2: f32[2, 4, 3],
    x3: f32[2, 5, 3],
    x4: f32[2, 3, 5],
    x5: f32[4, 2],
    x6: i64[],
    x7: bool[5],
    x8: i64[],
    x9: bool[6],
    x10: f32[2, 4],
    x11: f32[2, 4],
    x12: f32[2, 4],
    x13: i64[4],
    x14: f32[3, 3, 3],
    x15: f32[2, 3, 3])
-> (definite: f32[2, 4, 4],
    lower: f32[2, 4, 4],
    fine: i32[2],
    place: i32[2],
    triangle: f32[2, 4, 4],
    below: f32[2, 4, 3],
    above: f32[2, 4, 3],
    unit_below: f32[2, 4, 3],
    unit_above: f32[2, 4, 3],
    solved: f32[2, 4, 3],
    square_lu: f32[2, 4, 4],
    square_pivots: i32[2, 4],
    square_info: i32[2],
    square_h: f32[2, 4, 4],
    square_tau: f32[2, 4],
    square_q: f32[2, 4, 4],
    square_r: f32[2, 4, 4],
    tall_lu: f32[2, 5, 3],
    tall_pivots: i32[2, 3],
    tall_info: i32[2],
    tall_h: f32[2, 5, 3],
    tall_tau: f32[2, 3],
    tall_q: f32[2, 5, 3],
    tall_r: f32[2, 3, 3],
    wide_lu: f32[2, 3, 5],
    wide_pivots: i32[2, 3],
    wide_info: i32[2],
    wide_h: f32[2, 3, 5],
    wide_tau: f32[2, 3],
    wide_q: f32[2, 3, 3],
    wide_r: f32[2, 3, 5],
    product: f32[2, 5, 3],
    begun: f32[4, 2],
    gram: f32[4, 4],
    partners_5_0: i64[5],
    partners_5_3: i64[5],
    partners_6_0: i64[6],
    partners_6_3: i64[6],
    rotation_0: f32[2, 4],
    rotation_1: f32[2, 4],
    not_diagonal: bool[3],
    singular: i32[2])
{
    definite[n, i, j] = (sum[k] x0[n, i, k] * x0[n, j, k]) + where(i == j, 1, 0)
    lower, fine = cholesky(definite)
    unfinished, place = cholesky(x1)
    triangle[n, i, j] = x0[n, i, j] + where(i == j, 3, 0)
    below = triangular_solve(triangle, x2)
    above = triangular_solve(triangle, x2, lower = false)
    unit_below = triangular_solve(triangle, x2, unit = true)
    unit_above = triangular_solve(triangle, x2, lower = false, unit = true)
    solved = solve(triangle, x2)
    square_lu, square_pivots, square_info = lu(x0)
    square_h, square_tau = householder(x0)
    square_q, square_r = qr(x0)
    tall_lu, tall_pivots, tall_info = lu(x3)
    tall_h, tall_tau = householder(x3)
    tall_q, tall_r = qr(x3)
    wide_lu, wide_pivots, wide_info = lu(x4)
    wide_h, wide_tau = householder(x4)
    wide_q, wide_r = qr(x4)
    product = householder_product(tall_h, tall_tau)
    completed = orthonormal(x5, columns = 4)
    begun[i, j]: f32[4, 2] = completed[i, j]
    gram[i, j] = sum[k] completed[k, i] * completed[k, j]
    partners_5_0 = partners(x6, x7)
    partners_5_3 = partners(x8, x7)
    partners_6_0 = partners(x6, x9)
    partners_6_3 = partners(x8, x9)
    rotation_0, rotation_1 = rotation(x10, x11, x12, x13)
    not_diagonal = not_diagonal(x14)
    one_lu, one_pivots, singular = lu(x15)
}
