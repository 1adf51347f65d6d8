mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A wrong head leaves its block readable, with the errors in it; blocks that are not closed.
op f(x: f32[N]) -> (y: f32[N]) {
    for i in 0.. {
        a = 1 2
    }
    if x > { y = 1 } else { y = 2 3 }
    loop { b = = 1 }
    y = if c { yield a }
    ok = 1
}
op g(x f32[N])
    -> (y: f32)
{
    y = = 3
}
op open(x: f32[N]) -> (y: f32[N]) {
    if c {
        y = relu(x)
op after(x: f32[N]) -> (y: f32[N]) {
    y = = x
}
op last() {
    y = x

// CHECK:{{.*}}blocks.mg:5:18: error: expected an expression, found '{'{{$}}
// CHECK-NEXT:{{^}}    5 |     for i in 0.. {{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:6:15: error: expected a statement or '}', found '2'{{$}}
// CHECK-NEXT:{{^}}    6 |         a = 1 2{{$}}
// CHECK-NEXT:{{^}}      |               ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:8:12: error: expected an expression, found '{'{{$}}
// CHECK-NEXT:{{^}}    8 |     if x > { y = 1 } else { y = 2 3 }{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:9:5: error: expected a statement or '}', found 'loop'{{$}}
// CHECK-NEXT:{{^}}    9 |     loop { b = = 1 }{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:10:25: error: expected 'else', found 'ok' on the next line{{$}}
// CHECK-NEXT:{{^}}   10 |     y = if c { yield a }{{$}}
// CHECK-NEXT:{{^}}      |                         ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:13:8: error: expected ':', found 'f32'{{$}}
// CHECK-NEXT:{{^}}   13 | op g(x f32[N]){{$}}
// CHECK-NEXT:{{^}}      |        ^~~{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:16:9: error: expected an expression, found '='{{$}}
// CHECK-NEXT:{{^}}   16 |     y = = 3{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:21:1: error: expected '}' before 'op'{{$}}
// CHECK-NEXT:{{^}}   21 | op after(x: f32[N]) -> (y: f32[N]) {{{$}}
// CHECK-NEXT:{{^}}      | ^~{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:19:10: note: the block that is not closed begins here{{$}}
// CHECK-NEXT:{{^}}   19 |     if c {{{$}}
// CHECK-NEXT:{{^}}      |          ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:22:9: error: expected an expression, found '='{{$}}
// CHECK-NEXT:{{^}}   22 |     y = = x{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:25:9: error: expected '}' before the end of the file{{$}}
// CHECK-NEXT:{{^}}   25 |     y = x{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}blocks.mg:24:11: note: the block that is not closed begins here{{$}}
// CHECK-NEXT:{{^}}   24 | op last() {{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NOT:{{.}}
