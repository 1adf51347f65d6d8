mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// The index of a reduction ends with its body.
graph g(x: f32[B, I], w: f32[O, I]) -> () {
    a[b, o] = sum[i] x[b, i] * w[o, i] + x[b, i]
    c[b, o] = (sum[i] x[b, i]) * w[o, i]
    d[b] = x[b, k]
    e[b] = x[b, i]
}

// CHECK:{{.*}}ended.mg:5:47: error: the index 'i' is not known here: 'sum[i]' ended before '+', so put its body in parentheses, 'sum[i] (…)'{{$}}
// CHECK-NEXT:{{^}}    5 |     a[b, o] = sum[i] x[b, i] * w[o, i] + x[b, i]{{$}}
// CHECK-NEXT:{{^}}      |                                               ^{{$}}
// CHECK-NEXT:{{.*}}ended.mg:6:39: error: the index 'i' is not known here: only 'sum[i]' knows it, so put its whole body in parentheses{{$}}
// CHECK-NEXT:{{^}}    6 |     c[b, o] = (sum[i] x[b, i]) * w[o, i]{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}ended.mg:7:17: error: nothing is named 'k'; an index is bound on the left side or by a reduction, as in sum[k]{{$}}
// CHECK-NEXT:{{^}}    7 |     d[b] = x[b, k]{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}ended.mg:8:17: error: nothing is named 'i'; an index is bound on the left side or by a reduction, as in sum[i]{{$}}
// CHECK-NEXT:{{^}}    8 |     e[b] = x[b, i]{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NOT:{{.}}
