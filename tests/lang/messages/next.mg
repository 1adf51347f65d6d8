mg 1
// RUN: %not %mgc --emit-ir %s 2>%t
// RUN: %FileCheck %s < %t
import nn
layer counts(x: f32[4]) -> (y: f32[4]) {
    buffer n: f32[4] = 0
    y[i] = x[i] + n[i]
    next n = y
}
graph wrong(x: f32[4]) -> (y: f32[4]) {
    param w: f32[4]
    param v: f32[4] = x
    param k: i64[] = 1.5
    param net: counts() = 1
    y[i] = w[i] + x[i]
    next x = y
    next y = w
    next w = x
    next w = y
    next v2 = y
}
graph shapes(x: f32[5], n: i64[4]) -> (y: f32[5]) {
    param w: f32[4]
    y = x
    next w = x
}
graph inside(x: f32[4]) -> (y: f32[4]) {
    param net: counts()
    y = loop t in 0..3 carry (s = x) { next s = net(s) }
    for w in x { next w = w }
}
graph twice(x: f32[4]) -> (y: f32[4]) {
    param net: counts()
    y = net(net(x))
}
graph unapplied(x: f32[4]) -> (y: f32[4]) {
    param net: counts()
    for w in net { next w = x }
    y = x
}
// CHECK: {{.*}}next.mg:8:10: error: 'next n' stands in the body of a run-time 'loop' or 'if', or in an operator that is called there: parameters change once in a run, in the graph's own body
// CHECK: {{.*}}next.mg:29:49: note: in this use of 'counts'
// CHECK: {{.*}}next.mg:8:10: error: the parameter 'net.n' gets a second next value
// CHECK: {{.*}}next.mg:34:9: note: in this use of 'counts'
// CHECK: {{.*}}next.mg:8:10: note: 'net.n' has one here
// CHECK: {{.*}}next.mg:12:23: error: the initial value of 'v' must be a number; found f32[4]
// CHECK: {{.*}}next.mg:13:22: error: the initial value of 'k' must be an integer; found 1.5
// CHECK: {{.*}}next.mg:14:27: error: 'net' is the layer 'counts', which has no initial value: its own parameters have theirs
// CHECK: {{.*}}next.mg:16:10: error: 'next' changes a parameter or a buffer; 'x' is a value
// CHECK: {{.*}}next.mg:17:10: error: 'next' changes a parameter or a buffer; 'y' is a value
// CHECK: {{.*}}next.mg:19:10: error: the parameter 'w' gets a second next value
// CHECK: {{.*}}next.mg:18:10: note: 'w' has one here
// CHECK: {{.*}}next.mg:20:10: error: nothing is named 'v2'; did you mean 'v'?
// CHECK: {{.*}}next.mg:25:14: error: the parameter 'w' is f32[4], but its next value is f32[5]
// CHECK: {{.*}}next.mg:30:14: error: 'for' needs a range, a list known at compile time or a layer's instance, found f32[4]
// CHECK: {{.*}}next.mg:38:14: error: the parameters of 'net' are known once it is applied
