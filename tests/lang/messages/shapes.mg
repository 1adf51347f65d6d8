mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Both shapes are shown, at the statement that is wrong.
import nn
graph g(a: f32[4, 5], b: f32[6, 7], p: f32[B, 3], q: f32[C, 3]) -> (y: f32[4, 7], z: f32[4], u: i32[4, 5])
{
    c = a + b
    d = matmul(a, b)
    e = where(a > 0, a, b)
    f = p * q
    h[i] = sum[j] a[i]
    k: f32[2] = a
    l: f32[4, 6] = relu(a)
    m[i]: f32[4, 5] = a[i, 0]
    n = nn.conv2d(a, channels = 3, kernel = 3)
    o = concat(a, b, axis = 0)
    y = a
    z = a
    u = a
}

// CHECK:{{.*}}shapes.mg:7:13: error: 'a' [4, 5] and 'b' [6, 7] do not broadcast: 4 against 6{{$}}
// CHECK-NEXT:{{^}}    7 |     c = a + b{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:8:19: error: K is 5 from 'a' [4, 5], but 6 from 'b' [6, 7]{{$}}
// CHECK-NEXT:{{^}}    8 |     d = matmul(a, b){{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: 'K' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}shapes.mg:9:25: error: 'a > 0' [4, 5] and 'b' [6, 7] do not broadcast: 4 against 6{{$}}
// CHECK-NEXT:{{^}}    9 |     e = where(a > 0, a, b){{$}}
// CHECK-NEXT:{{^}}      |                         ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:10:13: error: 'p' [B, 3] and 'q' [C, 3] do not broadcast: B against C{{$}}
// CHECK-NEXT:{{^}}   10 |     f = p * q{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:10:13: note: dimensions with different names may differ: use one name for both, or write 'require B == C'{{$}}
// CHECK-NEXT:{{^}}   10 |     f = p * q{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:11:19: error: 'a' is f32[4, 5]: expected 2 subscripts, found 1{{$}}
// CHECK-NEXT:{{^}}   11 |     h[i] = sum[j] a[i]{{$}}
// CHECK-NEXT:{{^}}      |                   ^~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:12:5: error: 'k' [4, 5] has rank 2: expected 1{{$}}
// CHECK-NEXT:{{^}}   12 |     k: f32[2] = a{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:12:8: note: 'k' is declared here{{$}}
// CHECK-NEXT:{{^}}   12 |     k: f32[2] = a{{$}}
// CHECK-NEXT:{{^}}      |        ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:13:5: error: 'l' [4, 5] has a dimension of 5 where 6 is declared{{$}}
// CHECK-NEXT:{{^}}   13 |     l: f32[4, 6] = relu(a){{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:13:8: note: '6' is declared here{{$}}
// CHECK-NEXT:{{^}}   13 |     l: f32[4, 6] = relu(a){{$}}
// CHECK-NEXT:{{^}}      |        ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:14:5: error: 'm' has rank 2: expected 2 subscripts on the left side, found 1{{$}}
// CHECK-NEXT:{{^}}   14 |     m[i]: f32[4, 5] = a[i, 0]{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:15:19: error: 'a' [4, 5] has rank 2: expected 4{{$}}
// CHECK-NEXT:{{^}}   15 |     n = nn.conv2d(a, channels = 3, kernel = 3){{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{^}}std/nn.mg:{{[0-9:]+}} note: 'a' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}shapes.mg:16:19: error: concat joins f32[4, 5] and f32[6, 7], which differ at another axis than 0{{$}}
// CHECK-NEXT:{{^}}   16 |     o = concat(a, b, axis = 0){{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:17:5: error: 'y' [4, 5] has a dimension of 5 where 7 is declared{{$}}
// CHECK-NEXT:{{^}}   17 |     y = a{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:5:72: note: '7' is declared here{{$}}
// CHECK-NEXT:{{^}}    5 | graph g(a: f32[4, 5], b: f32[6, 7], p: f32[B, 3], q: f32[C, 3]) -> (y: f32[4, 7], z: f32[4], u: i32[4, 5]){{$}}
// CHECK-NEXT:{{^}}      |                                                                        ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:18:5: error: 'z' [4, 5] has rank 2: expected 1{{$}}
// CHECK-NEXT:{{^}}   18 |     z = a{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:5:86: note: 'z' is declared here{{$}}
// CHECK-NEXT:{{^}}    5 | graph g(a: f32[4, 5], b: f32[6, 7], p: f32[B, 3], q: f32[C, 3]) -> (y: f32[4, 7], z: f32[4], u: i32[4, 5]){{$}}
// CHECK-NEXT:{{^}}      |                                                                                      ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:19:5: error: 'u' is declared i32, but its value is f32{{$}}
// CHECK-NEXT:{{^}}   19 |     u = a{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}shapes.mg:5:94: note: 'u' is declared here{{$}}
// CHECK-NEXT:{{^}}    5 | graph g(a: f32[4, 5], b: f32[6, 7], p: f32[B, 3], q: f32[C, 3]) -> (y: f32[4, 7], z: f32[4], u: i32[4, 5]){{$}}
// CHECK-NEXT:{{^}}      |                                                                                              ^~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
