mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// A loop whose condition reduces, an output that takes the buffer of an input.
graph g(x: f32[S, D], most: f32[], k: f32[D]) -> (total: f32[D], k2: f32[D] over k)
{
    total = loop t in 0..S carry (acc = k) while norm1(acc) < most and max(acc) < 3.0 {
        a[d] = acc[d] + x[t, d]
        next acc = a
    }
    k2 = relu(k)
}

// CHECK:{{^}}graph g(x: f32[S, D], most: f32[], k: f32[D]) -> (total: f32[D], k2: f32[D] over k){{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    total: f32[D] = loop t in 0..S carry (acc: f32[D] = k) while (sum[i in 0..D] abs(acc[i])) < most[] and (max[i in 0..D] acc[i]) < 3.0 {{{$}}
// CHECK-NEXT:{{^}}        a[d in 0..D]: f32[D] = acc[d] + x[t, d]{{$}}
// CHECK-NEXT:{{^}}        next acc = a{{$}}
// CHECK-NEXT:{{^}}    }{{$}}
// CHECK-NEXT:{{^}}    k2[s in 0..D]: f32[D] = max(k[s], 0.0){{$}}
// CHECK-NEXT:{{^}}}{{$}}
