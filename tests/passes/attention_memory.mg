mg 1
// Memory grows with the length, not with its square: four times the length takes four times the bytes. (Scores of 1024
// keys and queries in 12 heads would be 50 MB, of 4096 805 MB.)
// RUN: %mgc --emit-memplan -O2 --set=L=1024 %s | %FileCheck --check-prefix=SHORT %s
// RUN: %mgc --emit-memplan -O2 --set=L=4096 %s | %FileCheck --check-prefix=LONG %s
// SHORT: arena: {{[4-6][0-9][0-9][0-9][0-9][0-9]}} bytes
// LONG: arena: {{[1-2][0-9][0-9][0-9][0-9][0-9][0-9]}} bytes
graph g(q: f32[1, 12, L, 64], k: f32[1, 12, L, 64], v: f32[1, 12, L, 64]) -> (y: f32[1, 12, L, 64]) {
    y = attention(q, k, v, causal = true)
}
