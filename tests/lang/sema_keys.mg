mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// One key of one file is one tensor, in every graph; its uses decide sizes that are left open.
graph a(x: f32[N]) -> (y: f32[4]) weights "w.safetensors" {
    param w: f32[4]
    y = w
}
graph b(x: f32[N]) -> (y: f32[5]) weights "w.safetensors" {
    param w: f32[5]
    y = w
}
graph c(x: f32[N]) -> (y: f32[N]) weights "w.safetensors" {
    param v: f32[4, _]
    y = x
}
graph d(x: f32[N]) -> (y: f32[N] over z, z: f32[M] over x) {
    y = relu(x)
    z = relu(x)
}

// CHECK:{{.*}}sema_keys.mg:9:11: error: the parameter 'w' is f32[4] elsewhere, but f32[5] here{{$}}
// CHECK-NEXT:{{^}}    9 |     param w: f32[5]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_keys.mg:13:11: error: the '_' dimensions of 'v' are not known: an operator that takes it must decide them{{$}}
// CHECK-NEXT:{{^}}   13 |     param v: f32[4, _]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_keys.mg:16:39: error: nothing is named 'z'{{$}}
// CHECK-NEXT:{{^}}   16 | graph d(x: f32[N]) -> (y: f32[N] over z, z: f32[M] over x) {{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NOT:{{.}}
