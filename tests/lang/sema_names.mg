mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Names that nothing has, with the nearest one that something has, and names that are taken.
import nn
import nope

op bad<T: float>(x: T[N]) -> (y: T[N]) { y[n] = x[n] + z[n] }
op badtype(x: f23[N]) -> (y: f32[N]) { y = x }
op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = 2 * x[n] }
op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = x[n] + x[n] }
op missing<T: float>(x: T[N]) -> (y: T[N], z: T[N]) { y = x }

graph names(image: f32[B, 8], v: f32[M]) -> (y: f32[B, 8], lost: f32[B])
{
    a = relu(imag)
    b = sofmax(image)
    c = bad(v)
    d = badtype(v)
    e, f = missing(v)
    a = relu(image)
    g = conv.dim(image)
    h = nn.liner(image, features = 3)
    y = names(image)
}

// CHECK:{{.*}}sema_names.mg:5:8: error: the library has no module 'nope'; did you mean 'move'?{{$}}
// CHECK-NEXT:{{^}}    5 | import nope{{$}}
// CHECK-NEXT:{{^}}      |        ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:7:56: error: nothing is named 'z'{{$}}
// CHECK-NEXT:{{^}}    7 | op bad<T: float>(x: T[N]) -> (y: T[N]) { y[n] = x[n] + z[n] }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:17:9: note: in this use of 'bad'{{$}}
// CHECK-NEXT:{{^}}   17 |     c = bad(v){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:8:15: error: no element type is named 'f23'; did you mean 'f32'?{{$}}
// CHECK-NEXT:{{^}}    8 | op badtype(x: f23[N]) -> (y: f32[N]) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |               ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:18:9: note: in this use of 'badtype'{{$}}
// CHECK-NEXT:{{^}}   18 |     d = badtype(v){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:10:4: error: 'twice' is defined twice{{$}}
// CHECK-NEXT:{{^}}   10 | op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = x[n] + x[n] }{{$}}
// CHECK-NEXT:{{^}}      |    ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:9:4: note: 'twice' is defined here{{$}}
// CHECK-NEXT:{{^}}    9 | op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = 2 * x[n] }{{$}}
// CHECK-NEXT:{{^}}      |    ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:11:44: error: the result 'z' of 'missing' is never defined{{$}}
// CHECK-NEXT:{{^}}   11 | op missing<T: float>(x: T[N]) -> (y: T[N], z: T[N]) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:19:12: note: in this use of 'missing'{{$}}
// CHECK-NEXT:{{^}}   19 |     e, f = missing(v){{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:13:60: error: the result 'lost' of 'names' is never defined{{$}}
// CHECK-NEXT:{{^}}   13 | graph names(image: f32[B, 8], v: f32[M]) -> (y: f32[B, 8], lost: f32[B]){{$}}
// CHECK-NEXT:{{^}}      |                                                            ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:15:14: error: nothing is named 'imag'; did you mean 'image'?{{$}}
// CHECK-NEXT:{{^}}   15 |     a = relu(imag){{$}}
// CHECK-NEXT:{{^}}      |              ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:16:9: error: no operator is named 'sofmax'; did you mean 'softmax'?{{$}}
// CHECK-NEXT:{{^}}   16 |     b = sofmax(image){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:21:9: error: no operator is named 'conv.dim'; did you mean 'conv1d'?{{$}}
// CHECK-NEXT:{{^}}   21 |     g = conv.dim(image){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:22:9: error: no operator is named 'nn.liner'; did you mean 'nn.linear'?{{$}}
// CHECK-NEXT:{{^}}   22 |     h = nn.liner(image, features = 3){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_names.mg:23:9: error: 'names' is a graph, which cannot be called: make it an 'op' or a 'layer'{{$}}
// CHECK-NEXT:{{^}}   23 |     y = names(image){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~{{$}}
// CHECK-NOT:{{.}}
