mg 1
// RUN: %not %mgc --emit-ir %s 2>%t
// RUN: %FileCheck %s < %t
op eye(n: int) -> (y: f32[n, n]) { y[i, j] = where(i == j, f32(1), 0) }
op two(seed: u64[]) -> (a: f32[4], b: f32[4]) {
    a = random_uniform(seed, shape = [4])
    b = a
}
op many(shape: int[]) -> (y: f32[..shape])
    // CHECK: initial.mg:[[@LINE+2]]:13: error: a requirement does not hold: only 4
    // CHECK: initial.mg:[[@LINE+14]]:23: note: in this use of 'many'
    require size(shape) > 100 : "only {size(shape)}"
{
    y[..s] = 1
}
graph shapes(x: f32[N, 4], seed: u64[]) -> (y: f32[N, 4]) {
    // CHECK: initial.mg:[[@LINE+1]]:26: error: the initial value of 'a' must be f32[4, 4]; 'eye' makes f32[3, 3]
    param a: f32[4, 4] = eye(n = 3)
    // CHECK: initial.mg:[[@LINE+1]]:27: error: the initial value of 'b' must be bf16[4, 4]; 'eye' makes f32[4, 4]
    param b: bf16[4, 4] = eye(n = 4)
    // CHECK: initial.mg:[[@LINE+1]]:23: error: the initial value of 'c' must be f32[4]; 'two' makes several values
    param c: f32[4] = two()
    // CHECK: initial.mg:[[@LINE+1]]:11: error: the initial value of 'd' is computed before the graph runs, so its sizes must be numbers; they are [N, 4]
    param d: f32[N, 4] = random_normal()
    param e: f32[4] = many()
    // CHECK: initial.mg:[[@LINE+1]]:23: error: 'shape' has length 1, so it has no element 1
    param f: f32[4] = glorot_uniform()
    y = x
}
graph inputs(x: f32[4], seed: u64[]) -> (y: f32[4]) {
    // CHECK: initial.mg:[[@LINE+2]]:23: error: the initial value of 'a' must be a number; found f32[4]
    // CHECK: note: an op computes it if it has no operands, or only a seed
    param a: f32[4] = relu(x)
    // CHECK: initial.mg:[[@LINE+1]]:37: error: the initial value of 'b' has a seed of its own: give 'random_normal' only attributes
    param b: f32[4] = random_normal(seed)
    // CHECK: initial.mg:[[@LINE+1]]:37: error: the initial value of 'c' has a seed of its own: give 'random_normal' only attributes
    param c: f32[4] = random_normal(seed = seed)
    // CHECK: initial.mg:[[@LINE+1]]:45: error: 'x' is a tensor, f32[4]
    param d: f32[4] = random_normal(scale = x)
    // CHECK: initial.mg:[[@LINE+1]]:37: error: 'random_normal' has no attribute 'scal'; did you mean 'scale'?
    param e: f32[4] = random_normal(scal = 1.0)
    // CHECK: initial.mg:[[@LINE+1]]:29: error: 'random_normal' needs the operand 'seed'
    param f: f32[4] = 0.1 * random_normal()
    y = x
}
