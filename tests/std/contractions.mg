mg 1
// made by make_cases.py
graph contractions(x0: f32[4, 3],
    x1: f32[3, 5],
    x2: f32[2, 4, 3],
    x3: f32[2, 3, 5],
    x4: f32[2, 1, 4, 3],
    x5: f32[3, 3, 5],
    x6: f32[1, 3],
    x7: f32[4, 0],
    x8: f32[0, 5],
    x9: i32[3, 4],
    x10: i32[4, 2],
    x11: f64[4, 3],
    x12: f64[3, 5],
    x13: f16[4, 3],
    x14: f16[3, 5],
    x15: f32[3],
    x16: f32[5],
    x17: f32[5, 3],
    x18: f32[5],
    x19: f32[5, 3],
    x20: f32[5, 4],
    x21: f32[2, 3, 4],
    x22: f32[2],
    x23: f32[5],
    x24: f32[3, 4],
    x25: f32[5, 3],
    x26: f32[4, 1],
    x27: f32[2, 3, 4],
    x28: f32[4, 3, 5],
    x29: f32[4, 4],
    x30: f32[4, 5],
    x31: f32[5],
    x32: f32[5],
    x33: u8[3, 4],
    x34: i8[4, 2],
    x35: u8[],
    x36: i8[])
-> (matmul: f32[4, 5],
    matmul_batched: f32[2, 4, 5],
    matmul_broadcast: f32[2, 3, 4, 5],
    matmul_shared: f32[2, 4, 5],
    matmul_row: f32[1, 5],
    matmul_nothing: f32[4, 5],
    matmul_int: i32[3, 2],
    matmul_double: f64[4, 5],
    matmul_half: f16[4, 5],
    matvec: f32[4],
    dot: f32[4],
    outer: f32[3, 5],
    linear: f32[2, 4, 5],
    linear_bare: f32[5],
    bilinear: f32[5, 2],
    gemm: f32[4, 5],
    add_scaled: f32[4, 3],
    gemm_transposed: f32[4, 5],
    gemm_column: f32[4, 5],
    einsum: f32[2, 5],
    trace: f32[],
    user_product: f32[4, 5],
    derivative: f32[4, 3],
    derivative_all: f32[5, 5],
    constant: f32[4, 5],
    derivative_of_constant: f32[5, 5],
    matmul_integer: i32[3, 2],
    matmul_integer_bare: i32[3, 2])
{
    matmul = matmul(x0, x1)
    matmul_batched = matmul(x2, x3)
    matmul_broadcast = matmul(x4, x5)
    matmul_shared = matmul(x2, x1)
    matmul_row = matmul(x6, x1)
    matmul_nothing = matmul(x7, x8)
    matmul_int = matmul(x9, x10)
    matmul_double = matmul(x11, x12)
    matmul_half = matmul(x13, x14)
    matvec = matvec(x0, x15)
    dot = dot(x0, x15)
    outer = outer(x15, x16)
    linear = linear(x2, x17, x18)
    linear_bare = linear(x15, x17)
    bilinear = bilinear(x19, x20, x21, x22)
    gemm = gemm(x0, x1, x23, alpha = 0.5, beta = 2.0)
    add_scaled = add_scaled(x0, x15, scale = 2.0)
    gemm_transposed = gemm(x24, x25, transpose_a = true, transpose_b = true)
    gemm_column = gemm(x0, x1, x26)
    einsum[b, e] = sum[i, j] x27[b, i, j] * x28[j, i, e]
    trace[] = sum[i] x29[i, i]
    user_product[i, k] = sum[j] x0[i, j] * x1[j, k]
    derivative = derivative(user_product, x0, along = x30)
    derivative_all = derivative(mul(x31, x31), x31)
    constant = constant(x30)
    derivative_of_constant = derivative(mul(constant(x32), x32), x32)
    matmul_integer = matmul_integer(x33, x34, x35, x36)
    matmul_integer_bare = matmul_integer(x33, x34)
}
