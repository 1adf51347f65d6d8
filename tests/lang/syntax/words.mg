mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
op f(x: f32[N]) -> (y: f32[N]) {
    y[for] = 3
    in = 4
    pram w: f32[3]
    requrie N == 3
    y = sum
    (a, b) = f(x)
    const = 3
    y[i] else zero = sum[k] x[k]
    dim K < 4 = count(x)
    x = if c { yield a } else yield b
}

// CHECK:{{.*}}words.mg:4:7: error: expected an expression, ']' or '..', found 'for'; 'for' is a word of the language: to use it as a name, put it in backticks{{$}}
// CHECK-NEXT:{{^}}    4 |     y[for] = 3{{$}}
// CHECK-NEXT:{{^}}      |       ^~~{{$}}
// CHECK-NEXT:{{.*}}words.mg:6:10: error: expected ',', ':', '=' or '[', found 'w'; did you mean 'param'?{{$}}
// CHECK-NEXT:{{^}}    6 |     pram w: f32[3]{{$}}
// CHECK-NEXT:{{^}}      |          ^{{$}}
// CHECK-NEXT:{{.*}}words.mg:7:13: error: expected ',', ':', '=' or '[', found 'N'; did you mean 'require'?{{$}}
// CHECK-NEXT:{{^}}    7 |     requrie N == 3{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}words.mg:9:12: error: expected a statement or '}', found '='{{$}}
// CHECK-NEXT:{{^}}    9 |     (a, b) = f(x){{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}words.mg:10:11: error: expected a name, found '='{{$}}
// CHECK-NEXT:{{^}}   10 |     const = 3{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}words.mg:11:15: error: expected 'else none', which drops writes outside the tensor; found 'else zero'{{$}}
// CHECK-NEXT:{{^}}   11 |     y[i] else zero = sum[k] x[k]{{$}}
// CHECK-NEXT:{{^}}      |               ^~~~{{$}}
// CHECK-NEXT:{{.*}}words.mg:12:11: error: expected '<=' or '=', found '<'{{$}}
// CHECK-NEXT:{{^}}   12 |     dim K < 4 = count(x){{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}words.mg:13:31: error: expected '{', found 'yield'{{$}}
// CHECK-NEXT:{{^}}   13 |     x = if c { yield a } else yield b{{$}}
// CHECK-NEXT:{{^}}      |                               ^~~~~{{$}}
// CHECK-NOT:{{.}}
