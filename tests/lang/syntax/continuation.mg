mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Lines that belong to a wrong statement are not read as statements of their own.
op f(x: f32[N]) -> (y: f32[N]) {
    q = f(a,
        b c,
        d = 3)
    r = a * * b
        + c
        - d
    s = g(
    t = 1
    y = u(x,
}
op second() -> (y: f32[]) { y = 3 3 }

// CHECK:{{.*}}continuation.mg:6:11: error: expected ')' or ',', found 'c'{{$}}
// CHECK-NEXT:{{^}}    6 |         b c,{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}continuation.mg:8:13: error: expected an expression, found '*'{{$}}
// CHECK-NEXT:{{^}}    8 |     r = a * * b{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}continuation.mg:12:10: error: expected ')' or ',', found 'y' on the next line{{$}}
// CHECK-NEXT:{{^}}   12 |     t = 1{{$}}
// CHECK-NEXT:{{^}}      |          ^{{$}}
// CHECK-NEXT:{{.*}}continuation.mg:13:13: error: expected an expression or ')', found '}' on the next line{{$}}
// CHECK-NEXT:{{^}}   13 |     y = u(x,{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}continuation.mg:15:35: error: expected a statement or '}', found '3'{{$}}
// CHECK-NEXT:{{^}}   15 | op second() -> (y: f32[]) { y = 3 3 }{{$}}
// CHECK-NEXT:{{^}}      |                                   ^{{$}}
// CHECK-NOT:{{.}}
