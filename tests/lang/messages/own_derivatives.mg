mg 1
// RUN: %not %mgc --emit-ir %s 2>%t
// RUN: %FileCheck %s < %t
op f(x: f32[N], by: float = 2.0) -> (y: f32[N]) {
    y[n] = x[n] * by
}
op all_of(xs: f32[N]...) -> (y) {
    y = concat(xs, axis = 0)
}
// CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:15: error: there is no op 'g' in this file whose derivative this could be
derivative of g(x: f32[N], d_y: f32[N]) -> (d_x: f32[N]) {
    d_x = d_y
}
// CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:39: error: 'd_z' is not an operand, attribute or result of 'f', nor `d_` and a result
derivative of f(x: f32[N], y: f32[N], d_z: f32[N]) -> (d_x: f32[N]) {
    d_x = d_z
}
// CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:34: error: 'd_by' is not `d_` and an operand of 'f'
derivative of f(d_y: f32[N]) -> (d_by: f32[N]) {
    d_by = d_y
}
// CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:15: error: 'all_of' takes any number of operands, so its derivative cannot be stated
derivative of all_of(d_y: f32[N]) -> (d_xs: f32[N]) {
    d_xs = d_y
}
op h(x: f32[N]) -> (y: f32[N]) {
    y[n] = x[n] * 2
}
derivative of h(d_y: f32[N]) -> (d_x: f32[1]) {
    d_x[i in 0..1] = sum[n] d_y[n]
}
// CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:15: error: the derivative of 'h' is stated twice
derivative of h(d_y: f32[N]) -> (d_x: f32[N]) {
    d_x = d_y
}
op once<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = x[..s]
}
derivative of once<T: float>(d_y: T[..S]) -> (d_x: T[..S]) {
    d_x[..s] = d_y[..s]
}
graph use(x: f32[3]) -> (a, b, c) {
    y = h(x)
    // CHECK-DAG: own_derivatives.mg:29:34: error: 'd_x' is f32[1], but 'x' is f32[3]: they have to agree
    // CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:9: note: it is needed for the derivative of 'y' with respect to 'x'
    a = derivative(y, x, along = x)
    // CHECK-DAG: own_derivatives.mg:[[@LINE+1]]:{{.*}}error: 'once' states a derivative of its own, so it cannot be used in an equation
    b[i] = once(x[i]) + 1
    z = once(x)
    // CHECK-DAG: own_derivatives.mg:37:5: error: this has no derivative: the derivative that the op states is along one adjoint: give `along`
    c = derivative(z, x)
}
