mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Tensors that no memory could hold, as declared ones and as results.
graph declared(x: f32[4611686018427387904, 4]) -> (y) { y = relu(x) }
graph made(x: f32[4294967296], z: f32[4294967296]) -> (y) { y[i, j] = x[i] * z[j] }
graph called(x: f32[4294967296]) -> (y) { y = outer(x, x) }
graph empty(x: f32[4611686018427387904, 0, 4]) -> (y) { y = relu(x) }

// CHECK:{{.*}}sema_large.mg:4:19: error: a tensor of shape [4611686018427387904, 4] is larger than any memory{{$}}
// CHECK-NEXT:{{^}}    4 | graph declared(x: f32[4611686018427387904, 4]) -> (y) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_large.mg:5:61: error: a tensor of shape [4294967296, 4294967296] is larger than any memory{{$}}
// CHECK-NEXT:{{^}}    5 | graph made(x: f32[4294967296], z: f32[4294967296]) -> (y) { y[i, j] = x[i] * z[j] }{{$}}
// CHECK-NEXT:{{^}}      |                                                             ^~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_large.mg:6:47: error: a tensor of shape [4294967296, 4294967296] is larger than any memory{{$}}
// CHECK-NEXT:{{^}}    6 | graph called(x: f32[4294967296]) -> (y) { y = outer(x, x) }{{$}}
// CHECK-NEXT:{{^}}      |                                               ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/contraction.mg:{{[0-9:]+}} note: in 'outer' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NOT:{{.}}
