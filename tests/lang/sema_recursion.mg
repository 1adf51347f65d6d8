mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Calls that never end, and loops that are too long.
op again<T: float>(x: T[N]) -> (y: T[N]) { y = other(x) }
op other<T: float>(x: T[N]) -> (y: T[N]) { y = again(x) }
graph recursion(x: f32[N]) -> (y: f32[N])
{
    y = again(x)
}
graph once_more(x: f32[N]) -> (y: f32[N])
{
    y = add(again(again(x)), other(x)) // one message for each operator is enough
}
graph unrolled(x: f32[N]) -> (y: f32[N])
{
    y = x
    for i in 0..10000000 { y = relu(y) }
}

// CHECK:{{.*}}sema_recursion.mg:5:48: error: 'again' calls itself, which no operator may: write a recurrence as a 'loop'{{$}}
// CHECK-NEXT:{{^}}    5 | op other<T: float>(x: T[N]) -> (y: T[N]) { y = again(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_recursion.mg:4:48: note: in this use of 'other'{{$}}
// CHECK-NEXT:{{^}}    4 | op again<T: float>(x: T[N]) -> (y: T[N]) { y = other(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_recursion.mg:8:9: note: in this use of 'again'{{$}}
// CHECK-NEXT:{{^}}    8 |     y = again(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_recursion.mg:17:14: error: the 'for' loops and calls make more than 1000000 statements{{$}}
// CHECK-NEXT:{{^}}   17 |     for i in 0..10000000 { y = relu(y) }{{$}}
// CHECK-NEXT:{{^}}      |              ^~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
