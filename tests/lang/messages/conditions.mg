mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A tensor decides nothing at compile time; names that the branches would define are not reported as missing.
graph g(x: f32[N], n: i64[], c: bool[]) -> (y: f32[N], z: f32[N]) {
    if n > 3 { y = relu(x) } else { y = tanh(x) }
    if n[] > 3 { z = relu(x) } else { z = tanh(x) }
    if c { a = x }
    if any(c) { b = x } else { b = relu(x) }
    if N > 3 { d = x }
    e = relu(d)
    f = relu(b)
    h = x[0]
}

// CHECK:{{.*}}conditions.mg:5:8: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    5 |     if n > 3 { y = relu(x) } else { y = tanh(x) }{{$}}
// CHECK-NEXT:{{^}}      |        ^{{$}}
// CHECK-NEXT:{{.*}}conditions.mg:6:8: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    6 |     if n[] > 3 { z = relu(x) } else { z = tanh(x) }{{$}}
// CHECK-NEXT:{{^}}      |        ^~~{{$}}
// CHECK-NEXT:{{.*}}conditions.mg:7:8: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    7 |     if c { a = x }{{$}}
// CHECK-NEXT:{{^}}      |        ^{{$}}
// CHECK-NEXT:{{.*}}conditions.mg:8:12: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    8 |     if any(c) { b = x } else { b = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}conditions.mg:9:8: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    9 |     if N > 3 { d = x }{{$}}
// CHECK-NEXT:{{^}}      |        ^~~~~{{$}}
// CHECK-NEXT:{{.*}}conditions.mg:12:9: error: 'x[…]' reads an element, which only an equation can: write 'y[…] = …' with subscripts on the left{{$}}
// CHECK-NEXT:{{^}}   12 |     h = x[0]{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~{{$}}
// CHECK-NOT:{{.}}
