mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// One syntax error is one message: names that it hides are not reported as missing.
import nn
import "none.mg" as f
op half(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] / }
op head(x: f32[N) -> (y: f32[N]) {
    y = relu(x)
}
graph comma(x: f32[B, 3, 8, 8]) -> (y: f32[B, 4, 8, 8])
{
    y = nn.conv2d(x, channels = 4 kernel = 3, pad = 1)
}
graph bracket(x: f32[N]) -> (y: f32[N])
{
    y[i] = (x[i] + 1
}
graph pieces(x: f32[N], n: bool[]) -> (y: f32[2], z: f32[N], u: f32[N])
    require N > 0
{
    y[0] = x[0]
    y[1] = x[0 +]
    h = relu(x))
    z = half(h)
    u = f.twice(head(x))
    w = if n { yield x } else { yield x + }
}
graph missing(x: f32[N]) -> (y: f32[N], z: f32[N])
{
    y = relu(x) relu(y)
}

// CHECK:{{.*}}skipped.mg:5:1: error: cannot open '{{.*}}none.mg': No such file or directory{{$}}
// CHECK-NEXT:{{^}}    5 | import "none.mg" as f{{$}}
// CHECK-NEXT:{{^}}      | ^~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:6:51: error: expected an expression, found '}'{{$}}
// CHECK-NEXT:{{^}}    6 | op half(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] / }{{$}}
// CHECK-NEXT:{{^}}      |                                                   ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:7:17: error: expected ']', ',', 'in' or '@', found ')'{{$}}
// CHECK-NEXT:{{^}}    7 | op head(x: f32[N) -> (y: f32[N]) {{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:12:35: error: expected ')' or ',', found 'kernel'{{$}}
// CHECK-NEXT:{{^}}   12 |     y = nn.conv2d(x, channels = 4 kernel = 3, pad = 1){{$}}
// CHECK-NEXT:{{^}}      |                                   ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:16:21: error: expected ')', found '}' on the next line{{$}}
// CHECK-NEXT:{{^}}   16 |     y[i] = (x[i] + 1{{$}}
// CHECK-NEXT:{{^}}      |                     ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:22:17: error: expected an expression, found ']'{{$}}
// CHECK-NEXT:{{^}}   22 |     y[1] = x[0 +]{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:23:16: error: expected a statement or '}', found ')'{{$}}
// CHECK-NEXT:{{^}}   23 |     h = relu(x)){{$}}
// CHECK-NEXT:{{^}}      |                ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:26:43: error: expected an expression, found '}'{{$}}
// CHECK-NEXT:{{^}}   26 |     w = if n { yield x } else { yield x + }{{$}}
// CHECK-NEXT:{{^}}      |                                           ^{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:28:41: error: the result 'z' of 'missing' is never defined{{$}}
// CHECK-NEXT:{{^}}   28 | graph missing(x: f32[N]) -> (y: f32[N], z: f32[N]){{$}}
// CHECK-NEXT:{{^}}      |                                         ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}skipped.mg:30:17: error: expected an operator or a new line, found 'relu'{{$}}
// CHECK-NEXT:{{^}}   30 |     y = relu(x) relu(y){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~{{$}}
// CHECK-NOT:{{.}}
