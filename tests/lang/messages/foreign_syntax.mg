mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// The messages for syntax of other languages show MG's.
graph g(x: f32[4, 4]) -> () {
    # a comment
    a = relu(x);
    b = x ** 2
    c = x @ x
    d[i, j] = where(x[i, j] > 0 && x[i, j] < 1, 1.0, 0.0)
    e[i, j] = where(0 < x[i, j] < 1, 1.0, 0.0)
    f[i, j] = where(!(x[i, j] > 1), 1.0, 0.0)
    h = x[1:3]
    let k = relu(x)
    m += x
    n := relu(x)
    o = x > 0 ? x : 0
    return x
}
def f(x: f32[4]) -> (y) { y = x }

// CHECK:{{.*}}foreign_syntax.mg:5:5: error: expected a statement or '}', found '#'; a comment begins with //{{$}}
// CHECK-NEXT:{{^}}    5 |     # a comment{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:6:16: error: unexpected character ';'; statements need nothing between them, parameters a comma{{$}}
// CHECK-NEXT:{{^}}    6 |     a = relu(x);{{$}}
// CHECK-NEXT:{{^}}      |                ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:7:12: error: expected an expression, found '*'; a power is pow(x, y){{$}}
// CHECK-NEXT:{{^}}    7 |     b = x ** 2{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:8:11: error: expected a statement or '}', found '@'; a matrix product is matmul(a, b){{$}}
// CHECK-NEXT:{{^}}    8 |     c = x @ x{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:9:33: error: unexpected character '&'; write 'and'{{$}}
// CHECK-NEXT:{{^}}    9 |     d[i, j] = where(x[i, j] > 0 && x[i, j] < 1, 1.0, 0.0){{$}}
// CHECK-NEXT:{{^}}      |                                 ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:10:33: error: expected ')', ',' or 'else', found '<'; comparisons do not chain: write 'a < b and b < c'{{$}}
// CHECK-NEXT:{{^}}   10 |     e[i, j] = where(0 < x[i, j] < 1, 1.0, 0.0){{$}}
// CHECK-NEXT:{{^}}      |                                 ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:11:21: error: unexpected character '!'; write 'not'{{$}}
// CHECK-NEXT:{{^}}   11 |     f[i, j] = where(!(x[i, j] > 1), 1.0, 0.0){{$}}
// CHECK-NEXT:{{^}}      |                     ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:12:12: error: expected ']', ',' or '@', found ':'; a part of an axis is slice(x, axis = 0, start = 1, stop = 3){{$}}
// CHECK-NEXT:{{^}}   12 |     h = x[1:3]{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:13:9: error: expected ',', ':', '=' or '[', found 'k'; a definition needs no word before it: y = relu(x){{$}}
// CHECK-NEXT:{{^}}   13 |     let k = relu(x){{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:14:7: error: expected ',', ':', '=' or '[', found '+'; a name is defined once: give the result a name of its own{{$}}
// CHECK-NEXT:{{^}}   14 |     m += x{{$}}
// CHECK-NEXT:{{^}}      |       ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:15:8: error: expected a name, found '='; write '=' alone{{$}}
// CHECK-NEXT:{{^}}   15 |     n := relu(x){{$}}
// CHECK-NEXT:{{^}}      |        ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:16:15: error: expected a statement or '}', found '?'; a choice is where(condition, a, b){{$}}
// CHECK-NEXT:{{^}}   16 |     o = x > 0 ? x : 0{{$}}
// CHECK-NEXT:{{^}}      |               ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:17:12: error: expected ',', ':', '=' or '[', found 'x'; a result gets its value by its name, as in y = relu(x){{$}}
// CHECK-NEXT:{{^}}   17 |     return x{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}foreign_syntax.mg:19:1: error: expected 'import', 'graph', 'layer', 'op' or 'builtin', found 'def'; write 'op', 'layer' or 'graph'{{$}}
// CHECK-NEXT:{{^}}   19 | def f(x: f32[4]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      | ^~~{{$}}
// CHECK-NOT:{{.}}
