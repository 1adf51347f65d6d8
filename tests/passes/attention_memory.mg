mg 1
// Memory does not grow with the square of the length: scores of 1024 keys and queries in 12 heads would take 50 MB, and of
// 4096 they would take 805 MB. Keys and values that lie in memory in the order of use are read there; a worker has a block
// of scores. (The CPU is named because with fewer registers keys are transposed first.)
// RUN: %mgc --emit-memplan -O2 --march=x86-64-v4 --graph=flat --set=L=1024 %s | %FileCheck --check-prefix=FLAT %s
// RUN: %mgc --emit-memplan -O2 --march=x86-64-v4 --graph=flat --set=L=4096 %s | %FileCheck --check-prefix=FLAT %s
// FLAT: arena: {{[1-9][0-9][0-9][0-9][0-9]}} bytes
graph flat(q: f32[1, 12, L, 64], k: f32[1, 12, L, 64], v: f32[1, 12, L, 64]) -> (y: f32[1, 12, L, 64]) {
    y = attention(q, k, v, causal = true)
}
// Otherwise a worker has the keys and values of one head, widened: four times the length takes four times the bytes.
// RUN: %mgc --emit-memplan -O2 --march=x86-64-v4 --graph=packed --set=L=1024 %s | %FileCheck --check-prefix=SHORT %s
// RUN: %mgc --emit-memplan -O2 --march=x86-64-v4 --graph=packed --set=L=4096 %s | %FileCheck --check-prefix=LONG %s
// SHORT: arena: {{[4-6][0-9][0-9][0-9][0-9][0-9]}} bytes
// LONG: arena: {{[1-2][0-9][0-9][0-9][0-9][0-9][0-9]}} bytes
graph packed(q: bf16[1, 12, L, 64], k: bf16[1, 12, L, 64], v: bf16[1, 12, L, 64]) -> (y: bf16[1, 12, L, 64]) {
    y = attention(q, k, v, causal = true)
}
// Sums of 0 times unseen values lie in a GPU's local memory if it has room for them, for what aligns lines and for the device's
// own copies: 227 KiB would hold the values' alone. (Results that are only stored have such sums behind them.)
// RUN: %mgc --emit-kernels --target=gpu --march=h200 --graph=unseen --set=L=15872 %s | %FileCheck --check-prefix=NEAR %s
// RUN: %mgc --emit-kernels --target=gpu --march=h200 --graph=unseen --set=L=16128 %s | %FileCheck --check-prefix=FAR %s
// NEAR: alloc shared group nothings: f32[15872]
// FAR: nothings: inout f32[]
// FAR-NOT: alloc shared group nothings
graph unseen(q: bf16[33, 16, L, 128], k: bf16[33, 16, L, 128], v: bf16[33, 16, L, 128]) -> (y: bf16[33, 16, L, 128]) {
    y = tanh(attention(q, k, v, causal = true))
}
// Sums over weights that derivatives compute again have them behind them, too, since the last row sees all keys, or the first does.
// Where all rows of a group see all keys, a loop of its own doesn't choose. Keys that are also the values come once.
// RUN: %mgc --emit-kernels --target=gpu --march=h200 --precision=bf16 --graph=derived --set=L=1024 %s | %FileCheck --check-prefix=DERIVED %s
// DERIVED: kernel attention_
// DERIVED-NOT: alloc shared group nothings
// DERIVED-NOT: alloc shared group v
// DERIVED: for keys
// DERIVED-NOT: barrier grid
// DERIVED: for keys
// DERIVED: whole[
// DERIVED: barrier grid
// DERIVED: kernel attention_
// DERIVED-NOT: alloc shared group nothings
// DERIVED-NOT: alloc shared group v
// DERIVED: for keys
// DERIVED-NOT: barrier grid
// DERIVED: for keys
// DERIVED: whole[
// DERIVED: barrier grid
// DERIVED: kernel attention_
// DERIVED-NOT: alloc shared group nothings
// DERIVED: alloc shared group v
// DERIVED: for keys
// DERIVED-NOT: barrier grid
// DERIVED: for keys
// DERIVED: whole[
// DERIVED: barrier grid
graph derived(q: bf16[8, 12, L, 64], k: bf16[8, 12, L, 64], v: bf16[8, 12, L, 64], g: bf16[8, 12, L, 64]) -> (a, b, c) {
    y = attention(q, k, v, causal = true)
    a = derivative(y, q, g)
    b = derivative(y, k, g)
    c = derivative(y, v, g)
}
