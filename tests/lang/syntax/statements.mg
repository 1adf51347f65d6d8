mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Several wrong statements in one file: each is reported, and no other.
graph g(x: f32[B, 4]) -> (y: f32[B, 4])
{
    a = relu(x
    b[n, i] = x[n, i] + * 2
    c = softmax(a, axis = )
    d[n] = sum[k x[n, k]
    e = f(a,, b)
    ok = relu(x)
    y = add(a, b))
    z = 1 +
}
op h(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] else }

// CHECK:{{.*}}statements.mg:6:15: error: expected ')' or ',', found 'b' on the next line{{$}}
// CHECK-NEXT:{{^}}    6 |     a = relu(x{{$}}
// CHECK-NEXT:{{^}}      |               ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:7:25: error: expected an expression, found '*'{{$}}
// CHECK-NEXT:{{^}}    7 |     b[n, i] = x[n, i] + * 2{{$}}
// CHECK-NEXT:{{^}}      |                         ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:8:27: error: expected an expression, found ')'{{$}}
// CHECK-NEXT:{{^}}    8 |     c = softmax(a, axis = ){{$}}
// CHECK-NEXT:{{^}}      |                           ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:9:18: error: expected ']', ',' or 'in', found 'x'{{$}}
// CHECK-NEXT:{{^}}    9 |     d[n] = sum[k x[n, k]{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:10:13: error: expected an expression or ')', found ','{{$}}
// CHECK-NEXT:{{^}}   10 |     e = f(a,, b){{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:12:18: error: expected a statement or '}', found ')'{{$}}
// CHECK-NEXT:{{^}}   12 |     y = add(a, b)){{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:13:12: error: expected an expression, found '}' on the next line{{$}}
// CHECK-NEXT:{{^}}   13 |     z = 1 +{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}statements.mg:15:51: error: expected an expression, found '}'{{$}}
// CHECK-NEXT:{{^}}   15 | op h(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] else }{{$}}
// CHECK-NEXT:{{^}}      |                                                   ^{{$}}
// CHECK-NOT:{{.}}
