mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Nested loops that make too many statements together.
op nested(x: f32[N], n: int) -> (y: f32[N])
{
    y = x
    for i in 0..n { for j in 0..n { for k in 0..n { for l in 0..n { y = relu(y) } } } }
}
graph unrolled(x: f32[N]) -> (y: f32[N])
{
    for i in 0..1000 { for j in 0..10000 { a = x } }
    y = x
}
graph by_attribute(x: f32[N]) -> (y: f32[N]) { y = nested(x, n = 100) }

// CHECK:{{.*}}sema_unrolled.mg:11:14: error: the 'for' loops and calls make more than 1000000 statements{{$}}
// CHECK-NEXT:{{^}}   11 |     for i in 0..1000 { for j in 0..10000 { a = x } }{{$}}
// CHECK:{{.*}}sema_unrolled.mg:14:52: error: the 'for' loops and calls make more than 1000000 statements, most of them by nested -> relu -> max{{$}}
// CHECK-NOT:error:
