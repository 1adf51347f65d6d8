mg 1
// RUN: %mgc --emit-ir --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-plan --explain=fusion %s 2>&1 | %FileCheck --check-prefix=PLAN %s
// A value that is computed from parameters alone is in no group, so the first run computes it for all runs.
// CHECK-NOT: fused
// PLAN: n_r_sum ({{.*}}) -> n_r ({{.*}}): apart: it depends on parameters and constants alone: the first run computes it for all runs
// PLAN: e ({{.*}}) -> y ({{.*}}): apart: it depends on parameters and constants alone: the first run computes it for all runs
// PLAN: site 4: y (pack)
// PLAN: if slots[2] == 0 {
// PLAN-COUNT-5: call #
// PLAN: {{^}}  }
// PLAN: call #5
// PLAN-NOT: call
graph g(x: f32[B, 32]) -> (y: f32[B, 48]) weights "unchanging.safetensors" {
    param v: f32[48, 32]
    param s: f32[48]
    n = norm2(v, axes = [1])
    w[o, i] = v[o, i] * (s[o] / n[o])
    e[o, i] = exp(w[o, i]) + 1
    y = linear(x, e)
}
