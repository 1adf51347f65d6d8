mg 1
// Along rows of few elements most lanes would be idle. Then lanes run across the rows, in one kernel if each row has one result.
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=one %s | %FileCheck %s --check-prefix=ONE
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=each %s | %FileCheck %s --check-prefix=EACH
// RUN: %mgc --emit-schedule --march=sapphirerapids --graph=few %s | %FileCheck %s --check-prefix=FEW
graph one(x: f32[65536, 4]) -> (y: f32[65536]) {
    y = log_sum_exp(x, axes = [-1])
}
// ONE: schedule y_top, y_m, y_r_sum, y on cpu
// ONE: for k = time(*) reg(4) lane(16)
// ONE-NEXT: do y_top
graph each(x: f32[65536, 3]) -> (y: f32[65536, 3]) {
    y = softmax(x)
}
// EACH: schedule y_m on cpu
// EACH: for n = time(*) reg(4) lane(16)
// EACH: schedule y_e on cpu
// EACH: schedule y_sum on cpu
// EACH: schedule y on cpu
graph few(x: f32[64, 3]) -> (y: f32[64, 3]) {
    y = softmax(x)
}
// FEW: schedule y_m, y_e, y_sum, y on cpu
