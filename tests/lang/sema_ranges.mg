mg 1
// RUN: %not %mgc --emit-ir -O0 %s 2>&1 | %FileCheck %s
// The end of a range may depend on the indices before it, but not on later ones, nor on a reduction's from outside.
graph g(x: f32[4, 5], ids: i32[3]) -> (a, b, c, d, e) {
    // CHECK: sema_ranges.mg:[[@LINE+1]]:19: error: the range of 'k' depends on 'l', which has no value there yet: a range may use only the indices before it
    a[i, j] = sum[k in 0..l, l in 0..4] x[k, j] * x[i, l]
    // CHECK: sema_ranges.mg:[[@LINE+1]]:15: error: the range of 'j' depends on 'i', which only the reduction binds: bind 'j' there too
    b[ids[i], j in 0..i + 1]: f32[8, 5] = sum[i in 0..3] x[i, j]
    // CHECK: sema_ranges.mg:[[@LINE+1]]:16: error: the range of 'k' depends on 'k', which has no value there yet
    c[i] = sum[k in 0..k + 1] x[i, k]
    // CHECK: sema_ranges.mg:[[@LINE+1]]:5: error: the equations of 'd' must define each element of [4, 5] exactly once
    d[i, j in 0..i + 1]: f32[4, 5] = x[i, j]
    // Each equation of a value that states a type states the same one.
    e[i in 0..1]: f32[3] = x[i, 0]
    // CHECK: sema_ranges.mg:[[@LINE+1]]:19: error: 'e' is declared f64, but its value is f32
    e[i in 1..3]: f64[3] = f64(x[i, 0])
    // CHECK-NOT: invalid IR
}
// The right form has both in the reduction.
// RUN: printf 'mg 1\ngraph g(x: f32[4, 5], ids: i32[3]) -> (y: f32[8, 5]) {\n y[ids[i], j] = sum[i in 0..3, j in 0..i + 1] x[i, j]\n}\n' > %t.mg && %mgc --emit-ir -O0 %t.mg | %FileCheck --check-prefix=BOTH %s
// BOTH: sum[i in 0..3, j in 0..i + 1] x[i, j]
