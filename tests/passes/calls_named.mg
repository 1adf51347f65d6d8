mg 1
// Plan, tables and kernels use the user's names for values, each call is told from the others, and the same weights are packed
// once, however many products read them.
// RUN: %mgc --emit-plan --weights=random --graph=shared --set N=300 %s | %FileCheck %s --check-prefix=SHARED
// RUN: %mgc --emit-kernels --weights=random --graph=shared --set N=300 %s | %FileCheck %s --check-prefix=KERNELS
// RUN: %mgc --emit-memplan --weights=random --graph=shared --set N=300 %s | %FileCheck %s --check-prefix=MEMORY
// SHARED: site 0: a (pack) runs pack_0, from {{.*}}calls_named.mg:{{[0-9]+}}:9
// SHARED-NOT: (pack)
// SHARED: {{^}}kernel bind
// KERNELS: // pack: for a ({{.*}}calls_named.mg:{{[0-9]+}}:9)
// KERNELS-NEXT: kernel pack_0(
// KERNELS: // contraction: a_linear ({{.*}}calls_named.mg:{{[0-9]+}}:17), a ({{.*}}calls_named.mg:{{[0-9]+}}:9)
// KERNELS-NOT: _in:
// KERNELS: exp(
// MEMORY-NOT: _in
// MEMORY: {{^}}y {{.*}} an output's buffer
graph shared(x: f32[N, 64]) -> (y: f32[N, 64]) weights "none.safetensors" {
    param w: f32[64, 64]
    a = sigmoid(linear(x, w))
    b = sigmoid(linear(a, w))
    y = sigmoid(linear(b, w))
}
// RUN: %mgc --emit-plan --graph=joined %s | %FileCheck %s --check-prefix=PIECES
// PIECES: site 0: y (piece 1 of 2) (elementwise)
// PIECES: site 1: y (piece 2 of 2) (elementwise)
graph joined(x: f32[8]) -> (y: f32[16]) {
    y[i in 0..8] = exp(x[i])
    y[i in 8..16] = sin(x[i - 8])
}
