mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Nested loops that make too many statements together.
graph unrolled(x: f32[N]) -> (y: f32[N])
{
    for i in 0..1000 { for j in 0..10000 { a = x } }
    y = x
}

// CHECK:{{.*}}sema_unrolled.mg:6:44: error: compile-time loops and calls make more than 1000000 statements{{$}}
// CHECK-NEXT:{{^}}    6 |     for i in 0..1000 { for j in 0..10000 { a = x } }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~{{$}}
// CHECK-NOT:error:
