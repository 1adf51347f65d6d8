mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Slips of syntax, one message each.
import nn
graph g0(x: f32[N]) -> (y: f32[N]) { y = relu x }
graph g10(x: f32[N] -> (y: f32[N]) { y = relu(x) }
graph g11(x: f32[N]) -> (y: f32[N] { y = relu(x) }
graph g14(x: f32[N]) -> y: f32[N] { y = relu(x) }
graph g15(x: f32(N)) -> (y: f32[N]) { y = relu(x) }
graph g16(x: [N]f32) -> (y: f32[N]) { y = relu(x) }
graph g17(x f32[N]) -> (y: f32[N]) { y = relu(x) }
graph g18(f32[N] x) -> (y: f32[N]) { y = relu(x) }
graph (x: f32[N]) -> (y: f32[N]) { y = relu(x) }
graph g20(x: f32[N]; y: f32[N]) -> (z) { z = x + y }
Graph g21(x: f32[N]) -> (y: f32[N]) { y = relu(x) }
graph g22(x: f32[N]) -> (y: f32[N]) { y == relu(x) }
graph g23(x: f32[N]) -> (y: f32[N]) { y[i] == x[i] }
graph g38(x: f32[N]) -> (y: f32[N]) { y = x[0:2] }
graph g44(x: f32[N]) -> (y: f32[N]) { y[i] = sum x[i] }
graph g47(x: f32[N, M]) -> (y: f32[N]) { y[i] = avg[j] x[i, j] }
graph g62(x: f32[N]) -> (y: f32[N]) { y[i] = if x[i] > 0 { x[i] } else { 0 } }
graph g65(x: f32[N]) -> (y: f32[N]) { for i in range(3) { y = x } }
graph g71(x: f32[N], c: bool[]) -> (y: f32[N]) { y = if c { relu(x) } else { x } }
graph g72(x: f32[N], c: bool[]) -> (y: f32[N]) { y = if c { yield x } }
graph g75(x: f32[N]) -> (y: f32[N]) { w: f32[N]
    y = x + w }
graph g76(x: f32[N]) -> (y: f32[N]) { param w
    y = x + w }
graph g81(x: f32[N]) -> (y: f32[N]) require N = 4 { y = x }
graph g85(x: f32[?]) -> (y: f32[?]) { y = x }
graph g88(x: f32[..]) -> (y) { y = x }
op f99<T>(x: T[N]) -> (y: T[N]) { y = relu(x) }
graph g99(x: f32[N]) -> (y) { y = f99(x) }
graph g108(x: f32[B, 3]) -> (y) { y = nn.linear(features = 3)(x) }
graph g134(x: f32[2, 3]) -> (y) { y = x * }
graph g135(x: f32[2, 3]) -> (y) { y = (x + 1 }
graph g136(x: f32[2, 3]) -> (y) { y = x + 1) }
graph g137(x: f32[2, 3]) -> (y) { y = x ++ 1 }
graph g138(x: f32[2, 3]) -> (y) { y = 2x }
graph g139(x: f32[2, 3]) -> (y) { y = "relu"(x) }
graph g140(x: f32[2, 3]) -> (y) { y = x. }
graph g141(x: f32[2, 3]) -> (y) { if = relu(x)
    y = x }
graph g142(in: f32[2, 3]) -> (out) { out = relu(in) }
graph g143(x: f32[2, 3]) -> (y) { y = x, }
graph g145(x: f32[2, 3]) -> (y) { y: relu(x) }

// CHECK:{{.*}}slips.mg:5:47: error: expected an operator or a new line, found 'x'{{$}}
// CHECK-NEXT:{{^}}    5 | graph g0(x: f32[N]) -> (y: f32[N]) { y = relu x }{{$}}
// CHECK-NEXT:{{^}}      |                                               ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:6:21: error: expected ')', ',', '...', '?' or '=', found '->'{{$}}
// CHECK-NEXT:{{^}}    6 | graph g10(x: f32[N] -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                     ^~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:7:36: error: expected ')', ',', '...' or 'over', found '{'{{$}}
// CHECK-NEXT:{{^}}    7 | graph g11(x: f32[N]) -> (y: f32[N] { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                    ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:8:25: error: expected '(', found 'y'{{$}}
// CHECK-NEXT:{{^}}    8 | graph g14(x: f32[N]) -> y: f32[N] { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                         ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:9:17: error: expected ')', ',', '...', '?', '=', …, found '('; a shape goes in brackets, as in f32[N]{{$}}
// CHECK-NEXT:{{^}}    9 | graph g15(x: f32(N)) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:10:14: error: expected a name or a string, found '['; a shape follows its element type, as in f32[N]{{$}}
// CHECK-NEXT:{{^}}   10 | graph g16(x: [N]f32) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:11:13: error: expected ':', found 'f32'{{$}}
// CHECK-NEXT:{{^}}   11 | graph g17(x f32[N]) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |             ^~~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:12:14: error: expected ':', found '['{{$}}
// CHECK-NEXT:{{^}}   12 | graph g18(f32[N] x) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:13:7: error: expected a name, found '('{{$}}
// CHECK-NEXT:{{^}}   13 | graph (x: f32[N]) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |       ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:14:20: error: unexpected character ';'; statements need nothing between them, parameters a comma{{$}}
// CHECK-NEXT:{{^}}   14 | graph g20(x: f32[N]; y: f32[N]) -> (z) { z = x + y }{{$}}
// CHECK-NEXT:{{^}}      |                    ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:15:1: error: expected 'import', 'graph', 'layer', 'op' or 'builtin', found 'Graph'; did you mean 'graph'?{{$}}
// CHECK-NEXT:{{^}}   15 | Graph g21(x: f32[N]) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      | ^~~~~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:16:41: error: expected ',', ':', '=' or '[', found '=='; a definition has one '='{{$}}
// CHECK-NEXT:{{^}}   16 | graph g22(x: f32[N]) -> (y: f32[N]) { y == relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                         ^~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:17:44: error: expected 'else', ':' or '=', found '=='; a definition has one '='{{$}}
// CHECK-NEXT:{{^}}   17 | graph g23(x: f32[N]) -> (y: f32[N]) { y[i] == x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:18:46: error: expected ']', ',' or '@', found ':'; a part of an axis is slice(x, axis = 0, start = 1, stop = 3){{$}}
// CHECK-NEXT:{{^}}   18 | graph g38(x: f32[N]) -> (y: f32[N]) { y = x[0:2] }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:19:50: error: expected an operator or a new line, found 'x'; a reduction names its indices in brackets, as in sum[i] x[i]{{$}}
// CHECK-NEXT:{{^}}   19 | graph g44(x: f32[N]) -> (y: f32[N]) { y[i] = sum x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                                  ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:20:56: error: expected an operator or a new line, found 'x'{{$}}
// CHECK-NEXT:{{^}}   20 | graph g47(x: f32[N, M]) -> (y: f32[N]) { y[i] = avg[j] x[i, j] }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:21:46: error: expected an expression, found 'if'; to choose between numbers, use where(condition, a, b){{$}}
// CHECK-NEXT:{{^}}   21 | graph g62(x: f32[N]) -> (y: f32[N]) { y[i] = if x[i] > 0 { x[i] } else { 0 } }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:22:57: error: expected '..' or '..=', found '{'; a range is written first..end, as in 0..3{{$}}
// CHECK-NEXT:{{^}}   22 | graph g65(x: f32[N]) -> (y: f32[N]) { for i in range(3) { y = x } }{{$}}
// CHECK-NEXT:{{^}}      |                                                         ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:23:65: error: expected ',', ':', '=' or '[', found '('; a statement names its value, as in y = relu(x){{$}}
// CHECK-NEXT:{{^}}   23 | graph g71(x: f32[N], c: bool[]) -> (y: f32[N]) { y = if c { relu(x) } else { x } }{{$}}
// CHECK-NEXT:{{^}}      |                                                                 ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:24:71: error: expected 'else', found '}'{{$}}
// CHECK-NEXT:{{^}}   24 | graph g72(x: f32[N], c: bool[]) -> (y: f32[N]) { y = if c { yield x } }{{$}}
// CHECK-NEXT:{{^}}      |                                                                       ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:25:48: error: expected ',' or '=', found 'y' on the next line{{$}}
// CHECK-NEXT:{{^}}   25 | graph g75(x: f32[N]) -> (y: f32[N]) { w: f32[N]{{$}}
// CHECK-NEXT:{{^}}      |                                                ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:27:46: error: expected ':' or '[', found 'y' on the next line{{$}}
// CHECK-NEXT:{{^}}   27 | graph g76(x: f32[N]) -> (y: f32[N]) { param w{{$}}
// CHECK-NEXT:{{^}}      |                                              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:29:47: error: expected ':', '{' or a clause, found '='; a comparison is '=='{{$}}
// CHECK-NEXT:{{^}}   29 | graph g81(x: f32[N]) -> (y: f32[N]) require N = 4 { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                                               ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:30:18: error: expected an expression, ']' or '..', found '?'; a dimension of any size has a name, as in f32[N]{{$}}
// CHECK-NEXT:{{^}}   30 | graph g85(x: f32[?]) -> (y: f32[?]) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:31:20: error: expected a name or '(', found ']'{{$}}
// CHECK-NEXT:{{^}}   31 | graph g88(x: f32[..]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                    ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:32:9: error: expected ':', found '>'; a type parameter has a class, as in T: float{{$}}
// CHECK-NEXT:{{^}}   32 | op f99<T>(x: T[N]) -> (y: T[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:34:62: error: expected a statement or '}', found '('; operands and attributes go in one pair of parentheses{{$}}
// CHECK-NEXT:{{^}}   34 | graph g108(x: f32[B, 3]) -> (y) { y = nn.linear(features = 3)(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:35:43: error: expected an expression, found '}'{{$}}
// CHECK-NEXT:{{^}}   35 | graph g134(x: f32[2, 3]) -> (y) { y = x * }{{$}}
// CHECK-NEXT:{{^}}      |                                           ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:36:46: error: expected ')', found '}'{{$}}
// CHECK-NEXT:{{^}}   36 | graph g135(x: f32[2, 3]) -> (y) { y = (x + 1 }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:37:44: error: expected a statement or '}', found ')'{{$}}
// CHECK-NEXT:{{^}}   37 | graph g136(x: f32[2, 3]) -> (y) { y = x + 1) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:38:42: error: expected an expression, found '+'{{$}}
// CHECK-NEXT:{{^}}   38 | graph g137(x: f32[2, 3]) -> (y) { y = x ++ 1 }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:39:39: error: this is neither a number nor a name: a name begins with a letter{{$}}
// CHECK-NEXT:{{^}}   39 | graph g138(x: f32[2, 3]) -> (y) { y = 2x }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~{{$}}
// CHECK-NEXT:{{.*}}slips.mg:40:45: error: expected a statement or '}', found '('; operands and attributes go in one pair of parentheses{{$}}
// CHECK-NEXT:{{^}}   40 | graph g139(x: f32[2, 3]) -> (y) { y = "relu"(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:41:40: error: unexpected character '.'{{$}}
// CHECK-NEXT:{{^}}   41 | graph g140(x: f32[2, 3]) -> (y) { y = x. }{{$}}
// CHECK-NEXT:{{^}}      |                                        ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:42:38: error: expected an expression, found '='{{$}}
// CHECK-NEXT:{{^}}   42 | graph g141(x: f32[2, 3]) -> (y) { if = relu(x){{$}}
// CHECK-NEXT:{{^}}      |                                      ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:44:51: error: expected '=', found ')'; 'in' is a word of the language: to use it as a name, put it in backticks{{$}}
// CHECK-NEXT:{{^}}   44 | graph g142(in: f32[2, 3]) -> (out) { out = relu(in) }{{$}}
// CHECK-NEXT:{{^}}      |                                                   ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:45:40: error: expected a statement or '}', found ','{{$}}
// CHECK-NEXT:{{^}}   45 | graph g143(x: f32[2, 3]) -> (y) { y = x, }{{$}}
// CHECK-NEXT:{{^}}      |                                        ^{{$}}
// CHECK-NEXT:{{.*}}slips.mg:46:42: error: expected ',', '=' or '[', found '('; a statement names its value, as in y = relu(x){{$}}
// CHECK-NEXT:{{^}}   46 | graph g145(x: f32[2, 3]) -> (y) { y: relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^{{$}}
// CHECK-NOT:{{.}}
