mg 1
// RUN: %mgc --emit-ir -O2 --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --strict %s | %FileCheck --check-prefix=STRICT %s
// RUN: %mgc --emit-ir -O2 --target=gpu --march=cu=132,items=1024,local=49152,warp=32 --explain=fusion --graph=classes %s 2>&1 >/dev/null | %FileCheck --check-prefix=GPU %s
// RUN: %mgc --emit-ir -O2 --explain=fusion %s 2>&1 >/dev/null | %FileCheck --check-prefix=WHY %s
// RUN: %mgc --emit-plan --march=x86-64-v3 --graph=classes %s | %FileCheck --check-prefix=PLAN %s
// RUN: %mgc --emit-plan --march=x86-64-v2 --graph=classes %s | %FileCheck --check-prefix=NARROW %s
// A product of few columns, and what follows it row by row, is one kernel: a row is in registers when its sums are.
// CHECK-LABEL: graph classes
// STRICT-LABEL: graph classes
// PLAN: site 0: y (contraction)
// PLAN-NOT: site 1
// RUN: %mgc --emit-plan --explain=fusion --march=x86-64-v2 --graph=classes %s 2>&1 >/dev/null | %FileCheck --check-prefix=TOLD %s
// No tile of narrower vectors holds a row: there are two kernels, and --explain says so.
// TOLD: -> y_relu ({{.*}}): one kernel
// TOLD: y_relu ({{.*}}) -> y_m ({{.*}}): apart: the product's rows are wider than a tile of this target
// TOLD: y_m ({{.*}}) -> y_e ({{.*}}): one kernel
// NARROW: site 0: y_relu (contraction)
// NARROW: site 1: y (row)
graph classes(x: f32[32, 64], w: f32[10, 64], b: f32[10]) -> (y: f32[32, 10]) {
    // CHECK-NEXT: {
    // CHECK-NEXT: y: f32[32, 10] = fused {
    // CHECK-NEXT: sum[i in 0..64]
    // CHECK-NEXT: + b[o]
    // CHECK-NEXT: max(
    // CHECK-NEXT: max[d in 0..10]
    // CHECK-NEXT: exp(
    // CHECK-NEXT: sum[j in 0..10]
    // CHECK-NEXT: y_in[
    // CHECK-NEXT: yield y_in
    // CHECK-NEXT: } #anchor("contraction")
    // CHECK-NEXT: {{^}}}
    // STRICT: anchor("contraction")
    // STRICT: anchor("row")
    // GPU: y_relu ({{.*}}) -> y_m ({{.*}}): apart: y_m ({{.*}}) reduces rows of a product, which on a GPU many items hold
    y = softmax(relu(linear(x, w, b)))
}
// Several results, of rows and of their elements; rows of any number.
// CHECK-LABEL: graph results
graph results(x: f64[N, 40], w: f64[8, 40], g: f64[8], r: f64[N, 8]) -> (h: f64[N, 8], m: f64[N], y: f64[N, 8]) {
    // CHECK-NEXT: {
    // CHECK-NEXT: h: f64[N, 8], m: f64[N], y: f64[N, 8] = fused {
    // CHECK: yield
    // CHECK-NEXT: } #anchor("contraction")
    // CHECK-NEXT: {{^}}}
    h = linear(x, w) + r
    m[n] = mean[o] h[n, o]
    y[n, o] = (h[n, o] - m[n]) * g[o]
}
// Wider rows go through a cache.
// CHECK-LABEL: graph wide
graph wide(x: f32[32, 64], w: f32[1000, 64]) -> (y: f32[32, 1000]) {
    // CHECK: anchor("contraction")
    // CHECK: anchor("row")
    // WHY: y_relu ({{.*}}) -> y_m ({{.*}}): apart: y_relu_linear ({{.*}}) has rows that are wider than a vector of 64 bytes: its kernel writes them, and the next finds them in a cache
    y = softmax(relu(linear(x, w)))
}
// A value that is read at other places is not a row of this product.
// CHECK-LABEL: graph turned
graph turned(x: f32[32, 64], w: f32[10, 64]) -> (y: f32[32, 10]) {
    // CHECK: anchor("contraction")
    // CHECK-NEXT: {{^ *}}m[n in 0..32]
    h = relu(linear(x, w))
    // WHY: h ({{.*}}) -> m ({{.*}}): apart: m ({{.*}}) reads rows of the product other than the one that it computes
    m[n] = max[o] h[n, 9 - o] * h[n, o]
    y[n, o] = h[n, o] - m[n]
}
