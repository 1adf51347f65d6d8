mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// Files beside this one, and definitions that beat the library.
import "inputs/blocks.mg" as blocks
op relu<T: number>(x: T[..S]) -> (y: T[..S]) { y[..s] = max(x[..s], 1) }
graph imports(x: f32[N, 4]) -> (y: f32[N, 4]) {
    p = blocks.pair(x, width = 8)
    y = relu(blocks.triple(p))
}

// CHECK:{{^}}graph imports(x: f32[N, 4]) -> (y: f32[N, 4]){{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    param p.a.weight: f32[8, 4]{{$}}
// CHECK-NEXT:{{^}}    param p.a.bias: f32[8]{{$}}
// CHECK-NEXT:{{^}}    param p.b.weight: f32[4, 8]{{$}}
// CHECK-NEXT:{{^}}    param p.b.bias: f32[4]{{$}}
// CHECK-NEXT:{{^}}    p_a_sum[n in 0..N, o in 0..8]: f32[N, 8] = sum[i in 0..4] x[n, i] * p.a.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    p_a[n in 0..N, o in 0..8]: f32[N, 8] = p_a_sum[n, o] + p.a.bias[o]{{$}}
// CHECK-NEXT:{{^}}    p_b_relu[s0 in 0..N, s1 in 0..8]: f32[N, 8] = max(p_a[s0, s1], 0.0){{$}}
// CHECK-NEXT:{{^}}    p_b_sum[n in 0..N, o in 0..4]: f32[N, 4] = sum[i in 0..8] p_b_relu[n, i] * p.b.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    p_b[n in 0..N, o in 0..4]: f32[N, 4] = p_b_sum[n, o] + p.b.bias[o]{{$}}
// CHECK-NEXT:{{^}}    y_triple[s0 in 0..N, s1 in 0..4]: f32[N, 4] = 3.0 * p_b[s0, s1]{{$}}
// CHECK-NEXT:{{^}}    y[s0 in 0..N, s1 in 0..4]: f32[N, 4] = max(y_triple[s0, s1], 1.0){{$}}
// CHECK-NEXT:{{^}}}{{$}}
