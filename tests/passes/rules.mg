mg 1
// Rules of rules.def in the pass: counted one by one, held back one by one, by level and --strict.
// RUN: %mgc --emit-ir --passes=canonicalise --no-annotations %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=canonicalise --strict --no-annotations %s | %FileCheck --check-prefix=STRICT %s
// RUN: %mgc --emit-ir --passes=canonicalise -O3 --no-annotations %s | %FileCheck --check-prefix=FAST %s
// RUN: %mgc --emit-ir --passes=canonicalise --no-annotations --debug-counter=mul_one=..1 --debug-counter=div_exact=..0 %s | %FileCheck --check-prefix=HELD %s
// RUN: %mgc --emit-ir --passes=canonicalise --pass-stats --debug-counter=mul_one=2.. %s 2>&1 >/dev/null | %FileCheck --check-prefix=STATS %s
// RUN: %mgc --emit-ir --passes=canonicalise --pass-stats --debug-counter=canonicalise=..0 %s 2>&1 >/dev/null | %FileCheck --check-prefix=NONE %s
// RUN: %mgc --list-passes | %FileCheck --check-prefix=LIST %s
// STATS: 2 3 rule mul_one
// STATS: 1 1 rule div_exact
// STATS: 1 1 rule pow_three
// NONE: 0 3 rule mul_one
// LIST: rules of canonicalise
// LIST: div_exact exact float x / c => x * (1 / c) if fma(1 / c, c, -1) == 0
// LIST: pow_three reassociates float
graph g(x: f32[N], k: i32[N]) -> (a: f32[N], b: f32[N], c: f32[N], d: f32[N], e: f32[N], f: i32[N], h: bool[N])
{
    // CHECK: a[i in 0..N]: f32[N] = x[i]
    // HELD: a[i in 0..N]: f32[N] = x[i]
    a[i] = x[i] * 1
    // CHECK: b[i in 0..N]: f32[N] = max(x[i], 0.0)
    // HELD: b[i in 0..N]: f32[N] = max(1.0 * x[i], 0.0)
    b[i] = max(1 * x[i], 0)
    // CHECK: c[i in 0..N]: f32[N] = x[i] * 0.125
    // HELD: c[i in 0..N]: f32[N] = x[i] / 8.0
    // STRICT: c[i in 0..N]: f32[N] = x[i] * 0.125
    c[i] = x[i] / 8
    // CHECK: d[i in 0..N]: f32[N] = x[i] / 1e+01
    // FAST: d[i in 0..N]: f32[N] = x[i] * 0.1
    d[i] = x[i] / 10
    // CHECK: e[i in 0..N]: f32[N] = x[i] * (x[i] * x[i])
    // STRICT: e[i in 0..N]: f32[N] = pow(x[i], 3.0)
    e[i] = pow(x[i], 3)
    // CHECK: f[i in 0..N]: i32[N] = k[i] + 3
    f[i] = (k[i] + 1 + 2) * 1
    // CHECK: h[i in 0..N]: bool[N] = k[i] >= 4
    h[i] = not (k[i] < 4)
}
