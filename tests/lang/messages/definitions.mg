mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Names, types and parameters of graphs and operators.
import nn
graph g25(x: f32[N]) -> (y: f32[N]) { h = relu(x) }
graph g26(x: f32[N]) -> (y: f32[N]) { y = h h = relu(x) }
graph g27(x: f32[N]) -> (y: f32[N]) { y = relu(h)
    h = relu(x) }
graph g28(x: f32[N]) -> (y: f32[N]) { x = relu(x)
    y = x }
graph g29(x: f32[N]) -> (y: f32[N]) { y = relu(x)
    y = tanh(y) }
graph g30(x: f32[N], x: f32[N]) -> (y: f32[N]) { y = relu(x) }
graph g31(x: f32[N]) -> (y: f32[N], y: f32[N]) { y = relu(x) }
graph g34(x: f32[N]) -> (y: i32[N]) { y = relu(x) }
graph g35(x: f32[N]) -> (y: f32[N, 1]) { y = relu(x) }
graph g83(x: f32[N]) -> (y: f32[N]) { yield x }
graph g84(x: f32[-1]) -> (y: f32[-1]) { y = x }
graph g87(x: f32[_]) -> (y) { y = x }
graph g89(x: f32[..S]) -> (y) { y = x }
graph g91(x: F32[N]) -> (y) { y = x }
graph g92(n: int) -> (y) { y = zeros(shape = [n]) }
graph g93<T: float>(x: T[N]) -> (y) { y = x }
graph g94(x: f32[N]?) -> (y) { y = x }
graph g95(x: f32[N] = 3) -> (y) { y = x }
op f97(x: f32[N]) -> (y: f32[N]) { y = relu(z) }
graph g97(x: f32[N]) -> (y) { y = f97(x) }
op f98(x: T[N]) -> (y: T[N]) { y = relu(x) }
graph g98(x: f32[N]) -> (y) { y = f98(x) }
op f100<T: real>(x: T[N]) -> (y: T[N]) { y = relu(x) }
graph g100(x: f32[N]) -> (y) { y = f100(x) }
graph g144(x: f32[2, 3]) -> (y) { y: f32[2, 4] = relu(x) }

// CHECK:{{.*}}definitions.mg:5:26: error: the result 'y' of 'g25' is never defined{{$}}
// CHECK-NEXT:{{^}}    5 | graph g25(x: f32[N]) -> (y: f32[N]) { h = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                          ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:6:43: error: 'h' is used before it is defined{{$}}
// CHECK-NEXT:{{^}}    6 | graph g26(x: f32[N]) -> (y: f32[N]) { y = h h = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                           ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:6:45: note: 'h' is defined here{{$}}
// CHECK-NEXT:{{^}}    6 | graph g26(x: f32[N]) -> (y: f32[N]) { y = h h = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:7:48: error: 'h' is used before it is defined{{$}}
// CHECK-NEXT:{{^}}    7 | graph g27(x: f32[N]) -> (y: f32[N]) { y = relu(h){{$}}
// CHECK-NEXT:{{^}}      |                                                ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:8:5: note: 'h' is defined here{{$}}
// CHECK-NEXT:{{^}}    8 |     h = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:9:39: error: 'x' is defined twice{{$}}
// CHECK-NEXT:{{^}}    9 | graph g28(x: f32[N]) -> (y: f32[N]) { x = relu(x){{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:9:11: note: 'x' is defined here{{$}}
// CHECK-NEXT:{{^}}    9 | graph g28(x: f32[N]) -> (y: f32[N]) { x = relu(x){{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:12:5: error: 'y' is defined twice{{$}}
// CHECK-NEXT:{{^}}   12 |     y = tanh(y) }{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:11:39: note: 'y' is defined here{{$}}
// CHECK-NEXT:{{^}}   11 | graph g29(x: f32[N]) -> (y: f32[N]) { y = relu(x){{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:13:22: error: 'x' is defined twice{{$}}
// CHECK-NEXT:{{^}}   13 | graph g30(x: f32[N], x: f32[N]) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                      ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:13:11: note: 'x' is defined here{{$}}
// CHECK-NEXT:{{^}}   13 | graph g30(x: f32[N], x: f32[N]) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:14:37: error: 'y' is defined twice{{$}}
// CHECK-NEXT:{{^}}   14 | graph g31(x: f32[N]) -> (y: f32[N], y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                     ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:14:26: note: 'y' is defined here{{$}}
// CHECK-NEXT:{{^}}   14 | graph g31(x: f32[N]) -> (y: f32[N], y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                          ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:15:39: error: 'y' is declared i32, but its value is f32{{$}}
// CHECK-NEXT:{{^}}   15 | graph g34(x: f32[N]) -> (y: i32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:15:26: note: 'y' is declared here{{$}}
// CHECK-NEXT:{{^}}   15 | graph g34(x: f32[N]) -> (y: i32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                          ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:16:42: error: 'y' [N] has rank 1: expected 2{{$}}
// CHECK-NEXT:{{^}}   16 | graph g35(x: f32[N]) -> (y: f32[N, 1]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:16:29: note: 'y' is declared here{{$}}
// CHECK-NEXT:{{^}}   16 | graph g35(x: f32[N]) -> (y: f32[N, 1]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                             ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:17:26: error: the result 'y' of 'g83' is never defined{{$}}
// CHECK-NEXT:{{^}}   17 | graph g83(x: f32[N]) -> (y: f32[N]) { yield x }{{$}}
// CHECK-NEXT:{{^}}      |                          ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:17:39: error: 'yield' ends the body of a run-time 'if' or a 'fused' group; 'emit' belongs in the body of a 'loop'{{$}}
// CHECK-NEXT:{{^}}   17 | graph g83(x: f32[N]) -> (y: f32[N]) { yield x }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:18:18: error: a dimension is negative: -1; a dimension of any size has a name, as in f32[N]{{$}}
// CHECK-NEXT:{{^}}   18 | graph g84(x: f32[-1]) -> (y: f32[-1]) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                  ^~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:19:18: error: '_' may stand only in the type of a parameter, whose first use decides it{{$}}
// CHECK-NEXT:{{^}}   19 | graph g87(x: f32[_]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:20:18: error: the number of dimensions in this pack is not known{{$}}
// CHECK-NEXT:{{^}}   20 | graph g89(x: f32[..S]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |                  ^~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:21:14: error: no element type is named 'F32'; did you mean 'f32'?{{$}}
// CHECK-NEXT:{{^}}   21 | graph g91(x: F32[N]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |              ^~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:22:11: error: 'n': an input of a graph must be a tensor, neither optional nor with a default{{$}}
// CHECK-NEXT:{{^}}   22 | graph g92(n: int) -> (y) { y = zeros(shape = [n]) }{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:23:11: error: a graph has no type parameters: the element types of its inputs are fixed{{$}}
// CHECK-NEXT:{{^}}   23 | graph g93<T: float>(x: T[N]) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:24:11: error: 'x': an input of a graph must be a tensor, neither optional nor with a default{{$}}
// CHECK-NEXT:{{^}}   24 | graph g94(x: f32[N]?) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:25:11: error: 'x': an input of a graph must be a tensor, neither optional nor with a default{{$}}
// CHECK-NEXT:{{^}}   25 | graph g95(x: f32[N] = 3) -> (y) { y = x }{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:26:45: error: nothing is named 'z'{{$}}
// CHECK-NEXT:{{^}}   26 | op f97(x: f32[N]) -> (y: f32[N]) { y = relu(z) }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:27:35: note: in this use of 'f97'{{$}}
// CHECK-NEXT:{{^}}   27 | graph g97(x: f32[N]) -> (y) { y = f97(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                   ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:28:11: error: no element type is named 'T'; declare a type parameter, as in 'f98<T: float>(…)'{{$}}
// CHECK-NEXT:{{^}}   28 | op f98(x: T[N]) -> (y: T[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:29:35: note: in this use of 'f98'{{$}}
// CHECK-NEXT:{{^}}   29 | graph g98(x: f32[N]) -> (y) { y = f98(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                   ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:30:12: error: no class of types is named 'real': expected any, number, int or float{{$}}
// CHECK-NEXT:{{^}}   30 | op f100<T: real>(x: T[N]) -> (y: T[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:31:36: note: in this use of 'f100'{{$}}
// CHECK-NEXT:{{^}}   31 | graph g100(x: f32[N]) -> (y) { y = f100(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                    ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:32:35: error: 'y' [2, 3] has a dimension of 3 where 4 is declared{{$}}
// CHECK-NEXT:{{^}}   32 | graph g144(x: f32[2, 3]) -> (y) { y: f32[2, 4] = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                   ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}definitions.mg:32:38: note: '4' is declared here{{$}}
// CHECK-NEXT:{{^}}   32 | graph g144(x: f32[2, 3]) -> (y) { y: f32[2, 4] = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                      ^~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
