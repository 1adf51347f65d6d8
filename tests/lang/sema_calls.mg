mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Calls whose arguments don't match what the operator takes.
import nn

graph calls(x: f32[B, 8], half: f16[B, 8], ids: i64[B]) -> (y: f32[B, 8])
{
    a = relu(x, x)
    b = relu()
    c = softmax(x, axs = 1)
    d = softmax(x, axis = x)
    e = softmax(x, axis = 1.5)
    f = softmax(x, axis = 0, axis = 1)
    g = pad(x, before = [1, 1], mode = "mirror")
    h = max_pool(unsqueeze(x, axes = [1]), kernel = [2, 2])
    i = nn.linear(x)
    j = relu(nn.linear(x, features = 3))
    k = half + x
    l = exp(ids)
    m = embedding(x, x)
    n = ids + 1.5
    o, p = relu(x)
    q = one_hot(ids, 0.0, 1.0)
    r = cast(x, to = "f32")
    y = topk(x, k = 9)
}

// CHECK:{{.*}}sema_calls.mg:8:17: error: 'relu' takes 1 operand; f32[B, 8] is one too many{{$}}
// CHECK-NEXT:{{^}}    8 |     a = relu(x, x){{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:9:9: error: 'relu' needs the operand 'x'{{$}}
// CHECK-NEXT:{{^}}    9 |     b = relu(){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:10:20: error: 'softmax' has no attribute 'axs'; did you mean 'axis'?{{$}}
// CHECK-NEXT:{{^}}   10 |     c = softmax(x, axs = 1){{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:11:27: error: 'x' is a tensor, f32[B, 8]: an equation reads its elements, as in 'x[i, j]'{{$}}
// CHECK-NEXT:{{^}}   11 |     d = softmax(x, axis = x){{$}}
// CHECK-NEXT:{{^}}      |                           ^{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:12:20: error: the attribute 'axis': expected an integer, found 1.5{{$}}
// CHECK-NEXT:{{^}}   12 |     e = softmax(x, axis = 1.5){{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:{{[0-9:]+}} note: 'axis' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:13:30: error: the attribute 'axis' is given twice{{$}}
// CHECK-NEXT:{{^}}   13 |     f = softmax(x, axis = 0, axis = 1){{$}}
// CHECK-NEXT:{{^}}      |                              ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:14:33: error: the attribute 'mode': expected "constant", "reflect", "edge" or "wrap", found "mirror"{{$}}
// CHECK-NEXT:{{^}}   14 |     g = pad(x, before = [1, 1], mode = "mirror"){{$}}
// CHECK-NEXT:{{^}}      |                                 ^~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: 'mode' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:15:9: error: the attribute 'kernel' has length 2, but ..X has length 1{{$}}
// CHECK-NEXT:{{^}}   15 |     h = max_pool(unsqueeze(x, axes = [1]), kernel = [2, 2]){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:16:9: error: 'linear' needs the attribute 'features', an integer{{$}}
// CHECK-NEXT:{{^}}   16 |     i = nn.linear(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:17:14: error: the layer 'nn.linear' needs a name for its parameters: give it a statement of its own, 'h = nn.linear(…)', or declare 'param h: nn.linear(…)'{{$}}
// CHECK-NEXT:{{^}}   17 |     j = relu(nn.linear(x, features = 3)){{$}}
// CHECK-NEXT:{{^}}      |              ^~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:18:16: error: element types differ: T is f16 from 'half', but f32 from 'x'{{$}}
// CHECK-NEXT:{{^}}   18 |     k = half + x{{$}}
// CHECK-NEXT:{{^}}      |                ^{{$}}
// CHECK-NEXT:{{^}}std/elementwise.mg:{{[0-9:]+}} note: 'b' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:19:13: error: 'exp' does not take 'ids', whose type is i64: expected a floating-point type{{$}}
// CHECK-NEXT:{{^}}   19 |     l = exp(ids){{$}}
// CHECK-NEXT:{{^}}      |             ^~~{{$}}
// CHECK-NEXT:{{^}}std/elementwise.mg:{{[0-9:]+}} note: 'T' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:20:19: error: 'embedding' does not take 'x', whose type is f32: expected an integer type{{$}}
// CHECK-NEXT:{{^}}   20 |     m = embedding(x, x){{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{^}}std/gather.mg:{{[0-9:]+}} note: 'I' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:21:15: error: 1.5 is a float, but an integer of type i64 is needed{{$}}
// CHECK-NEXT:{{^}}   21 |     n = ids + 1.5{{$}}
// CHECK-NEXT:{{^}}      |               ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:22:12: error: 'relu' gives 1 value, but 2 names are bound here{{$}}
// CHECK-NEXT:{{^}}   22 |     o, p = relu(x){{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:23:9: error: 'one_hot' needs the attribute 'depth', an integer{{$}}
// CHECK-NEXT:{{^}}   23 |     q = one_hot(ids, 0.0, 1.0){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_calls.mg:24:17: error: the attribute 'to': expected an element type, found "f32"{{$}}
// CHECK-NEXT:{{^}}   24 |     r = cast(x, to = "f32"){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/elementwise.mg:{{[0-9:]+}} note: 'to' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_calls.mg:25:9: error: a requirement does not hold: k is 9, but the axis has 8 elements{{$}}
// CHECK-NEXT:{{^}}   25 |     y = topk(x, k = 9){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/gather.mg:{{[0-9:]+}} note: in 'topk' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NOT:{{.}}
