mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// Graphs that change their parameters.
import nn
layer momentum<T: float>(w: T[..S], g: T[..S], rate: f32[]) -> (y: T[..S]) {
    buffer speed: T[..S] = 0
    buffer steps: i64[] = -3
    s[..i] = 0.9 * speed[..i] + g[..i]
    y[..i] = w[..i] - T(rate[]) * s[..i]
    n[] = steps[] + 1
    next speed = s, steps = n
}
layer pair(x: f32[N, 4]) -> (y: f32[N, 2]) {
    param fixed: f32[4] = 0.5
    param fc[2]: nn.linear(features = 2)
    a = fc[0](x)
    b = fc[1](x)
    y[n, i] = a[n, i] + b[n, i] * fixed[i]
}
graph step(x: f32[N, 4], rate: f32[]) -> (loss: f32[]) {
    param net: pair()
    y = net(x)
    loss[] = sum[n, i] y[n, i] * y[n, i]
    for w in net {
        if rank(w) == 2 {
            m = momentum(w, derivative(loss, w), rate)
            next w = m
        }
    }
}
// Reads see the values of before: the two change places.
graph swap(x: f32[2]) -> (y: f32[2]) {
    param a: f32[2] = 1
    param b: f32[2] = 2 as "other"
    y[i] = a[i] + x[i]
    next b = a, a = b
}

// CHECK-LABEL: graph step(x: f32[N, 4], rate: f32[]) -> (loss: f32[])
// CHECK-NEXT: {
// CHECK-NEXT: param net.fc.0.weight: f32[2, 4]
// CHECK-NEXT: param net.fc.1.weight: f32[2, 4]
// CHECK: buffer m.net.fc.0.weight.speed: f32[2, 4] = 0.0
// CHECK-NEXT: buffer m.net.fc.0.weight.steps: i64[] = -3
// CHECK: param net.fixed: f32[4] = 0.5
// CHECK-NEXT: param net.fc.0.bias: f32[2]
// CHECK: next net.fc.0.weight = net.fc.0.weight.next
// CHECK-NEXT: next net.fc.1.weight = net.fc.1.weight.next
// CHECK: next m.net.fc.0.weight.speed = {{.*}}
// CHECK-LABEL: graph swap(x: f32[2]) -> (y: f32[2])
// CHECK-NEXT: {
// CHECK-NEXT: param a: f32[2] = 1.0
// CHECK-NEXT: param b: f32[2] = 2.0 as "other"
// CHECK-NEXT: y[i in 0..2]: f32[2] = a[i] + x[i]
// CHECK-NEXT: next a = b
// CHECK-NEXT: next b = a
// CHECK-NEXT: }
