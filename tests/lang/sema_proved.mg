mg 1
// RUN: %mgc --emit-ir -O0 --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// A proof about sizes decides an `if`. A condition that may hold or not is not proved.
op scaled<T: float>(x: T[..N, D], by: T[..B]) -> (y) {
    if rank(by) == 1 and proved(size(by) == D) { y[..n, d] = x[..n, d] * by[d] } else { y = x }
}
graph g(x: f32[A, 2 * B], same: f32[2 * B], other: f32[C], one: f32[1]) -> (p, q, r)
    require B >= 1
{
    // CHECK: p[n in 0..A, d in 0..2*B]: f32[A, 2*B] = x[n, d] * same[d]
    p = scaled(x, same)
    // CHECK: q: f32[A, 2*B] = x
    q = scaled(x, other)
    // CHECK: r: f32[A, 2*B] = x
    r = scaled(x, one)
}
