// Work is shared among the workers if this saves more than it costs.
// A program that is too small for two is made for one, and so is a small kernel beside a large one: the first worker calls it alone, and
// continues with the next of its kind without a barrier.
// RUN: %mgc --emit-plan --threads=2 --graph=tiny %s | %FileCheck %s --check-prefix=TINY
// RUN: %mgc --emit-plan --threads=2 --graph=tiny --explain=launch %s 2>&1 | %FileCheck %s --check-prefix=WHY
// RUN: %mgc --emit-plan --threads=2 --graph=tiny --share=all %s | %FileCheck %s --check-prefix=ALL
// RUN: %mgc --emit-plan --threads=2 --graph=beside %s | %FileCheck %s --check-prefix=BESIDE
// If sizes are open, the number of workers that a call is worth is computed with its offsets.
// RUN: %mgc --emit-plan --threads=2 --graph=open %s | %FileCheck %s --check-prefix=OPEN
// RUN: %mgc --emit-plan --threads=2 --graph=open --explain=launch %s 2>&1 | %FileCheck %s --check-prefix=OPEN-WHY
// Few points with long functions are shared, and a product of few rows by its columns if these are evener parts.
// RUN: %mgc --emit-schedule --threads=2 --march=sapphirerapids --graph=long %s | %FileCheck %s --check-prefix=LONG
// TINY: slots[3] = 1
// WHY: of one worker's time, waking others costs 5 µs: one runs it
// ALL: slots[3] = 2
// BESIDE: slots[3] = 2
// BESIDE: call #{{.*}} site 0(
// BESIDE-NEXT: barrier grid
// BESIDE-NEXT: if worker == 0 {
// BESIDE-NEXT: call {{.*}} alone(
// BESIDE-NEXT: call {{.*}} alone(
// BESIDE-NEXT: }
// BESIDE-NEXT: barrier grid
// BESIDE-NEXT: }
// OPEN: slots[3] = where({{.*}}N{{.*}}, 2, 1)
// OPEN-WHY: how many workers run it depends on its dimensions
mg 1

graph tiny(a: f32[32, 32], b: f32[32, 32]) -> (y: f32[32, 32]) {
    y[i, j] = sum[k] a[i, k] * b[k, j]
}

graph beside(a: f32[256, 256], b: f32[256, 256], v: f32[8, 8], w: f32[8, 8]) -> (y: f32[256, 256], z: f32[8, 8]) {
    y[i, j] = sum[k] a[i, k] * b[k, j]
    u[i, j] = sum[k] v[i, k] * w[k, j]
    z[i, j] = sum[k in 0..8] w[i, k] * u[k, j] * a[k + 9, i + 7] // of a it reads little
}

graph open(a: f32[N, N], b: f32[N, N]) -> (y: f32[N, N]) {
    y[i, j] = sum[k] a[i, k] * b[k, j]
}

graph long(a: f32[16, 1024]) -> (y: f32[16, 256], z: f32[16, 256], w: f32[16, 256]) weights "none" {
    param b: f32[1024, 256]
    y[i, j] = sum[k] a[i, k] * b[k, j]
    z[i, j] = tanh(exp(y[15 - i, j])) // not where it is computed, so it isn't fused
    w[i, j] = z[15 - i, j] + 1
}
// LONG: schedule y on cpu
// LONG: for j by 64 on core
// LONG: schedule z on cpu
// LONG-NEXT: for i on core
// LONG: schedule w on cpu
// LONG-NEXT: {{for i$}}
