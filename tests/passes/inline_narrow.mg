// RUN: %mgc --emit-ir -O2 --precision=bf16 %s --graph=one | %FileCheck %s --check-prefix=ONE
// RUN: %mgc --emit-ir -O2 --precision=bf16 %s --graph=many | %FileCheck %s --check-prefix=MANY
// RUN: %mgc --emit-ir -O2 --precision=bf16 %s --graph=state | %FileCheck %s --check-prefix=STATE
mg 1
// A parameter that one row is multiplied with is converted once, and kept in the narrower type.
// ONE: w_bf16[i0 in 0..64, i1 in 0..32]: bf16[64, 32] = f32(bf16(w[i0, i1]))
// ONE: sum[i in 0..64] bf16(x[0, i]) * w_bf16[i, o]
graph one(x: f32[1, 64]) -> (y: f32[1, 32]) {
    param w: f32[64, 32]
    y[s, o] = sum[i] x[s, i] * w[i, o]
}
// A product of matrices converts it while it packs.
// MANY-NOT: bf16[64, 32] =
// MANY: sum[i in 0..64] bf16(x[s, i]) * bf16(w[i, o])
graph many(x: f32[48, 64]) -> (y: f32[48, 32]) {
    param w: f32[64, 32]
    y[s, o] = sum[i] x[s, i] * w[i, o]
}
// The copy of the state is not kept, although its conversion is the younger op.
// STATE-NOT: 8, 64] =
// STATE: bf16(x[1, p, e])
graph state(x: f32[2, 8, 64], q: f32[1, 64]) -> (y: f32[1, 8]) {
    k[p, e] = x[1, p, e]
    y[s, p] = sum[e] q[s, e] * k[p, e]
}
