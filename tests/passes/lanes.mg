mg 1
// What runs along lanes is chosen by the terms that each op computes: a function behind a sum is computed once for all of its terms.
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=window %s | %FileCheck %s --check-prefix=WINDOW
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=columns %s | %FileCheck %s --check-prefix=COLUMNS
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=rows %s | %FileCheck %s --check-prefix=ROWS
graph window(x: f32[1, 8, 172, 264], w: f32[1, 8, 5, 5]) -> (y) {
    y = sigmoid(conv(x, w, pad = 2))
}
// WINDOW: for o1 = time(*) reg(4) lane(16)
// WINDOW-NEXT: do y_conv
graph columns(x: f32[64, 10], b: f32[10]) -> (y) {
    y = tanh(sum(x, axes = [0]) + b)
}
// COLUMNS: for k = time(*) lane(16)
graph rows(x: f32[40, 1000]) -> (y) {
    y = tanh(sum(x, axes = [1]))
}
// ROWS: for i = time(*) reg(4) lane(16)
