mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// If dimensions differ, the message says where each comes from, in the names of the program.
import nn

graph shapes(image: f32[B, 784], other: f32[C, 784], w: f32[10, 128], odd: f32[2, 9, 4])
    -> (y: f32[B, 10])
{
    a = linear(image, w)
    b = image + other
    c = matmul(image, other)
    d = concat(image, other, axis = 1)
    e: f32[B, 3] = relu(image)
    f = reshape(image, shape = [B, 28, 27])
    g = conv(odd, odd, groups = 2)
    h = matmul(w, w)
    i[n] = sum[j] image[n, j] * w[n, j]
    k = transpose(image, perm = [0, 0])
    l = softmax(image, axis = 2)
    m = flatten(image, from = 5)
    n = twice(image)
    o = max_pool2d(image, kernel = 2)
    p: f32[B, 784] = expand(image, shape = [B, 783])
    y = linear(image, other)
}
op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = 2 * x[n] }

// CHECK:{{.*}}sema_shapes.mg:9:23: error: I is 784 from 'image' [B, 784], but 128 from 'w' [10, 128]{{$}}
// CHECK-NEXT:{{^}}    9 |     a = linear(image, w){{$}}
// CHECK-NEXT:{{^}}      |                       ^{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: 'I' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:10:17: error: 'image' [B, 784] and 'other' [C, 784] do not broadcast: B against C{{$}}
// CHECK-NEXT:{{^}}   10 |     b = image + other{{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:10:17: note: dimensions with different names may differ: use one name for both, or write 'require B == C'{{$}}
// CHECK-NEXT:{{^}}   10 |     b = image + other{{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:11:23: error: K is 784 from 'image' [B, 784], but C from 'other' [C, 784]{{$}}
// CHECK-NEXT:{{^}}   11 |     c = matmul(image, other){{$}}
// CHECK-NEXT:{{^}}      |                       ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:11:23: note: dimensions with different names may differ: use one name for both, or write 'require 784 == C'{{$}}
// CHECK-NEXT:{{^}}   11 |     c = matmul(image, other){{$}}
// CHECK-NEXT:{{^}}      |                       ^~~~~{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: 'K' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:12:23: error: concat joins f32[B, 784] and f32[C, 784], which differ at another axis than 1{{$}}
// CHECK-NEXT:{{^}}   12 |     d = concat(image, other, axis = 1){{$}}
// CHECK-NEXT:{{^}}      |                       ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:13:5: error: 'e' [B, 784] has a dimension of 784 where 3 is declared{{$}}
// CHECK-NEXT:{{^}}   13 |     e: f32[B, 3] = relu(image){{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:13:8: note: '3' is declared here{{$}}
// CHECK-NEXT:{{^}}   13 |     e: f32[B, 3] = relu(image){{$}}
// CHECK-NEXT:{{^}}      |        ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:14:9: error: a requirement does not hold: 784*B elements into [B, 28, 27]{{$}}
// CHECK-NEXT:{{^}}   14 |     f = reshape(image, shape = [B, 28, 27]){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: in 'reshape' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:15:14: error: 'odd' [2, 9, 4] has a dimension of 9, which is not a multiple of groups = 2{{$}}
// CHECK-NEXT:{{^}}   15 |     g = conv(odd, odd, groups = 2){{$}}
// CHECK-NEXT:{{^}}      |              ^~~{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: 'odd' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:16:19: error: K is 128 from 'w' [10, 128], but 10 from 'w' [10, 128]{{$}}
// CHECK-NEXT:{{^}}   16 |     h = matmul(w, w){{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: 'K' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:17:33: error: the index 'n' ranges over B of image, but also over 10 of w{{$}}
// CHECK-NEXT:{{^}}   17 |     i[n] = sum[j] image[n, j] * w[n, j]{{$}}
// CHECK-NEXT:{{^}}      |                                 ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:17:33: note: dimensions with different names may differ: use one name for both, write 'require B == 10', or give the index its range, as in 'n in 0..B'{{$}}
// CHECK-NEXT:{{^}}   17 |     i[n] = sum[j] image[n, j] * w[n, j]{{$}}
// CHECK-NEXT:{{^}}      |                                 ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:18:9: error: axis 0 is given twice{{$}}
// CHECK-NEXT:{{^}}   18 |     k = transpose(image, perm = [0, 0]){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: in 'transpose' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:19:9: error: axis 2 does not exist: the rank is 2{{$}}
// CHECK-NEXT:{{^}}   19 |     l = softmax(image, axis = 2){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:{{[0-9:]+}} note: in 'softmax' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:20:17: error: 'image' [B, 784] has rank 2: expected at least 5{{$}}
// CHECK-NEXT:{{^}}   20 |     m = flatten(image, from = 5){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: 'image' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:21:15: error: 'image' [B, 784] has rank 2: expected 1{{$}}
// CHECK-NEXT:{{^}}   21 |     n = twice(image){{$}}
// CHECK-NEXT:{{^}}      |               ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:26:20: note: 'image' is declared here{{$}}
// CHECK-NEXT:{{^}}   26 | op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = 2 * x[n] }{{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:22:20: error: 'image' [B, 784] has rank 2: expected 4{{$}}
// CHECK-NEXT:{{^}}   22 |     o = max_pool2d(image, kernel = 2){{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~{{$}}
// CHECK-NEXT:{{^}}std/window.mg:{{[0-9:]+}} note: 'image' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:23:22: error: 'image' [B, 784] and 'shape' [B, 783] do not broadcast: 784 against 783{{$}}
// CHECK-NEXT:{{^}}   23 |     p: f32[B, 784] = expand(image, shape = [B, 783]){{$}}
// CHECK-NEXT:{{^}}      |                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:24:5: error: 'y' [B, C] has a dimension of C where 10 is declared{{$}}
// CHECK-NEXT:{{^}}   24 |     y = linear(image, other){{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:24:5: note: dimensions with different names may differ: use one name for both, or write 'require 10 == C'{{$}}
// CHECK-NEXT:{{^}}   24 |     y = linear(image, other){{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}sema_shapes.mg:7:12: note: '10' is declared here{{$}}
// CHECK-NEXT:{{^}}    7 |     -> (y: f32[B, 10]){{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
