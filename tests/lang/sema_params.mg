mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Parameters, instances and their keys.
import nn
layer square<T: float>(x: T[N, I]) -> (y: T[N, I]) {
    param w: T[I, I]
    y = matmul(x, w)
}
graph params(x: f32[N, 8], z: f32[N, 4]) -> (y: f32[N, 8])
{
    param w: square()
    early = w.w
    a = w(x)
    b = w(z)
    c = w.weight
    param v: f32[8]
    param u: f32[4] as "v"
    param v2: nn.linear(features = 3.5)
    param v3: relu()
    param v4: nn.liner(features = 3)
    param v5: nn.linear(x, features = 3)
    param h[2]: square()
    d = h[2](x)
    e = h(x)
    f = nn.linear(x, features = 8)
    param t: f32[4, _]
    g[n] = t[0, n]
    y = x
}

// CHECK:{{.*}}sema_params.mg:6:11: error: the parameter 'w.w' is f32[8, 8] elsewhere, but f32[4, 4] here{{$}}
// CHECK-NEXT:{{^}}    6 |     param w: T[I, I]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:14:9: note: in this use of 'square'{{$}}
// CHECK-NEXT:{{^}}   14 |     b = w(z){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:6:11: note: 'w.w' is defined here{{$}}
// CHECK-NEXT:{{^}}    6 |     param w: T[I, I]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:12:13: error: 'w.w' is not known before 'w' is applied{{$}}
// CHECK-NEXT:{{^}}   12 |     early = w.w{{$}}
// CHECK-NEXT:{{^}}      |             ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:15:9: error: the layer 'square' has no parameter 'weight'{{$}}
// CHECK-NEXT:{{^}}   15 |     c = w.weight{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:17:11: error: the parameter 'v' is f32[8] elsewhere, but f32[4] here{{$}}
// CHECK-NEXT:{{^}}   17 |     param u: f32[4] as "v"{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:16:11: note: 'v' is defined here{{$}}
// CHECK-NEXT:{{^}}   16 |     param v: f32[8]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:18:25: error: the attribute 'features': expected an integer, found 3.5{{$}}
// CHECK-NEXT:{{^}}   18 |     param v2: nn.linear(features = 3.5){{$}}
// CHECK-NEXT:{{^}}      |                         ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/nn.mg:{{[0-9:]+}} note: 'features' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_params.mg:19:15: error: 'relu' is not a layer: it has no parameters{{$}}
// CHECK-NEXT:{{^}}   19 |     param v3: relu(){{$}}
// CHECK-NEXT:{{^}}      |               ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:20:15: error: no layer is named 'nn.liner'; did you mean 'nn.linear'?{{$}}
// CHECK-NEXT:{{^}}   20 |     param v4: nn.liner(features = 3){{$}}
// CHECK-NEXT:{{^}}      |               ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:21:25: error: 'v5' is only declared here: give it operands where it is applied{{$}}
// CHECK-NEXT:{{^}}   21 |     param v5: nn.linear(x, features = 3){{$}}
// CHECK-NEXT:{{^}}      |                         ^{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:23:9: error: 'h' has length 2, so it has no element 2{{$}}
// CHECK-NEXT:{{^}}   23 |     d = h[2](x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:24:9: error: 'h' is an array of layers: choose one, 'h[i](…)'{{$}}
// CHECK-NEXT:{{^}}   24 |     e = h(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_params.mg:27:12: error: the '_' dimensions of 't' are not known: an operator that takes it must decide them{{$}}
// CHECK-NEXT:{{^}}   27 |     g[n] = t[0, n]{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~{{$}}
// CHECK-NOT:{{.}}
