mg 1
// RUN: %not %mgc --emit-ir %s 2>%t
// RUN: %FileCheck %s < %t
graph rounded(x: f32[3]) -> (d) {
    y[i] = f32(i64(x[i]))
    d = derivative(y, x)
}
// CHECK: {{.*}}derivatives.mg:6:9: error: 'y' has no derivative with respect to 'x': no path of floats leads from one to the other
graph endless(x: f32[3]) -> (d) {
    y = loop carry (a = x) while less(a_sum(a), 10) {
        next a = add(a, a)
    }
    d = derivative(y, x)
}
op a_sum(x: f32[N]) -> (y: f32[]) {
    y[] = sum[i] x[i]
}
// CHECK: {{.*}}derivatives.mg:10:5: error: this has no derivative: the data decide when this loop ends, so only `towards` goes through it
// CHECK: {{.*}}derivatives.mg:13:9: note: it is needed for the derivative of 'y' with respect to 'x'
graph whole(n: i64[3], x: f32[3]) -> (d) {
    y[i] = x[i] * x[i]
    d = derivative(y, n)
}
// CHECK: {{.*}}derivatives.mg:22:23: error: 'derivative' does not take 'n', whose type is i64: expected a floating-point type
graph shaped(x: f32[3], g: f32[4]) -> (d, e, f) {
    y[i] = x[i] * x[i]
    d = derivative(y, x, along = g)
    e = derivative(y, x, x, x, along = x)
    f = derivative(y, x, along = x, along = x)
}
// CHECK: {{.*}}derivatives.mg:27:26: error: ..Y is [3] from 'y' [3], but [4] from 'g' [4]
// CHECK: {{.*}}derivatives.mg:28:29: error: 'derivative' takes 4 operands; f32[3] is one too many
// CHECK: {{.*}}derivatives.mg:29:37: error: the operand 'along' is given twice
graph forward(x: f32[2], n: i64[2], v: f32[2], w: f32[3]) -> (d, e, f) {
    y = mul(x, x)
    rounded[i] = f32(n[i])
    d = derivative(y, x, along = v, towards = v)
    e = derivative(rounded, x, towards = v)
    f = derivative(y, x, towards = w)
}
// CHECK: {{.*}}derivatives.mg:37:9: error: give `along`, which is like the first operand, or `towards`, which is like the second, but not both
// CHECK: {{.*}}derivatives.mg:38:9: error: 'rounded' has no derivative with respect to 'x'
// CHECK: {{.*}}derivatives.mg:39:26: error: ..X is [2] from 'x' [2], but [3] from 'w' [3]
// A loss that is no single number: its derivative has its dimensions in front.
graph many(x: f32[B, 3]) -> (w1: f32[3]) {
    param w: f32[3] = 0.5
    loss[b] = sum[i] x[b, i] * w[i]
    rate[]: f32[] = 0.1
    w1 = stepped(w, derivative(loss, w), rate)
}
op stepped(w: f32[N], g: f32[N], rate: f32[]) -> (w1: f32[N]) {
    w1[i] = w[i] - rate[] * g[i]
}
// CHECK: {{.*}}derivatives.mg:49:21: error: 'derivative(loss, w)' [B, 3] has rank 2: expected 1
// CHECK: {{.*}}derivatives.mg:49:21: note: the derivative of a value with dimensions has these in front: take that of a single number, such as the value's mean
graph turned(x: f32[3]) -> (d, e) {
    y[i] = x[i] * x[i]
    z[] = sum[i] y[i]
    d = derivative(x, z)
    e = derivative(z, mul(x, 1))
}
// CHECK: {{.*}}derivatives.mg:59:9: error: 'x' has no derivative with respect to 'z'
// CHECK: {{.*}}derivatives.mg:59:9: note: 'z' is computed from 'x', so it belongs in front: derivative(z, x)
// CHECK: {{.*}}derivatives.mg:60:9: error: 'z' has no derivative with respect to
// CHECK: {{.*}}derivatives.mg:60:9: note: derivative(y, x) takes a value that was computed from x, and x itself by its name: another value with the same numbers is not x
