mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Calls: operands, attributes, results, layers.
import nn
graph g1(x: f32[N]) -> (y: f32[N]) { y = relu() }
graph g2(x: f32[N]) -> (y: f32[N]) { y = relu(x, x) }
graph g3(x: f32[N]) -> (y: f32[N]) { y = add(x) }
graph g4(x: f32[N]) -> (y: f32[N]) { y = softmax(x, 1) }
graph g5(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = "last") }
graph g6(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = 3) }
graph g7(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = x) }
graph g9(x: f32[N]) -> (y: f32[N]) { y = softmax(x = x) }
graph g36(x: f32[N]) -> (y: f32[N]) { a, b = relu(x)
    y = a }
graph g37(x: f32[N]) -> (y: f32[N]) { y = topk(x, k = 2) }
graph g42(x: f32[N]) -> (y: f32[N]) { y[i] = x(i) }
op f101(x: f32[N], n: int) -> (y: f32[N]) { y = relu(x) }
graph g101(x: f32[N]) -> (y) { y = f101(x, 3) }
op f102(x: f32[N], n: int) -> (y: f32[N]) { y = relu(x) }
graph g102(x: f32[N]) -> (y) { y = f102(x, n = 3.5) }
op f103(x: f32[N, N]) -> (y: f32[N]) { y[i] = x[i, i] }
graph g103(x: f32[3, 4]) -> (y) { y = f103(x) }
graph g104(x: f32[N]) -> (y) { y = g104(x) }
layer l105(x: f32[B, I], o: int) -> (y: f32[B, o]) { param w: f32[o, I]
    y = linear(x, w) }
graph g105(x: f32[B, 3]) -> (y) { y = l105(x) }
graph g107(x: f32[B, 3]) -> (y) { y = linear(x, features = 3) }
graph g109(x: f32[B, 3]) -> (y) { fc = nn.linear(features = 3)
    y = fc(x) }
graph g110(x: f32[B, 3]) -> (y) { param fc: nn.linear(3)
    y = fc(x) }
graph g111(x: f32[B, 3]) -> (y) { param fc: nn.linear(features = 3)
    y = fc(x, x) }
graph g112(x: f32[B, 3]) -> (y) { param fc[3]: nn.linear(features = 3)
    y = fc(x) }
graph g113(x: f32[B, 3]) -> (y) { param fc[3]: nn.linear(features = 3)
    y = fc[3](x) }
graph g120(x: f32[B, 3, 8, 8]) -> (y) { y = nn.conv2d(x, channels = 4, kernel = [3, 3, 3]) }
graph g123(x: f32[2, 3]) -> (y) { y = reshape(x, shape = [4, 2]) }
graph g125(x: f32[2, 3]) -> (y) { y = reshape(x, 6) }
graph g126(x: f32[2, 3]) -> (y) { y = transpose(x, perm = [0, 1, 2]) }
graph g127(x: f32[2, 3]) -> (y) { y = transpose(x, perm = [0]) }
graph g128(x: f32[2, 3]) -> (y) { y = squeeze(x, axes = [0]) }
graph g129(x: f32[2, 3], z: f32[4]) -> (y) { y = concat(x, z, axis = 0) }
graph g130(x: f32[2, 3], z: f64[2, 3]) -> (y) { y = concat(x, z, axis = 0) }
graph g131(x: f32[2, 3]) -> (y) { y = concat([x, x], axis = 0) }
graph g132(x: f32[2, 3]) -> (y) { y = concat(x, x) }
graph g133(x: f32[2, 3]) -> (y) { y = gather(x, [0, 1]) }

// CHECK:{{.*}}calls.mg:5:42: error: 'relu' needs the operand 'x'{{$}}
// CHECK-NEXT:{{^}}    5 | graph g1(x: f32[N]) -> (y: f32[N]) { y = relu() }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:6:50: error: 'relu' takes 1 operand; f32[N] is one too many{{$}}
// CHECK-NEXT:{{^}}    6 | graph g2(x: f32[N]) -> (y: f32[N]) { y = relu(x, x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                  ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:7:42: error: 'add' needs the operand 'b'{{$}}
// CHECK-NEXT:{{^}}    7 | graph g3(x: f32[N]) -> (y: f32[N]) { y = add(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:8:53: error: 'softmax' takes 1 operand; 1 is one too many{{$}}
// CHECK-NEXT:{{^}}    8 | graph g4(x: f32[N]) -> (y: f32[N]) { y = softmax(x, 1) }{{$}}
// CHECK-NEXT:{{^}}      |                                                     ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:8:53: note: operands are given by position, attributes by name: write 'axis = …'{{$}}
// CHECK-NEXT:{{^}}    8 | graph g4(x: f32[N]) -> (y: f32[N]) { y = softmax(x, 1) }{{$}}
// CHECK-NEXT:{{^}}      |                                                     ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:9:53: error: the attribute 'axis': expected an integer, found "last"{{$}}
// CHECK-NEXT:{{^}}    9 | graph g5(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = "last") }{{$}}
// CHECK-NEXT:{{^}}      |                                                     ^~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:{{[0-9:]+}} note: 'axis' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:10:42: error: axis 3 does not exist: the rank is 1{{$}}
// CHECK-NEXT:{{^}}   10 | graph g6(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = 3) }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:{{[0-9:]+}} note: in 'softmax' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:11:60: error: 'x' is a tensor, f32[N]: an equation reads its elements, as in 'x[i]'{{$}}
// CHECK-NEXT:{{^}}   11 | graph g7(x: f32[N]) -> (y: f32[N]) { y = softmax(x, axis = x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                            ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:12:42: error: 'softmax' needs the operand 'x'{{$}}
// CHECK-NEXT:{{^}}   12 | graph g9(x: f32[N]) -> (y: f32[N]) { y = softmax(x = x) }{{$}}
// CHECK-NEXT:{{^}}      |                                          ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:12:54: error: 'x' is a tensor, f32[N]: an equation reads its elements, as in 'x[i]'{{$}}
// CHECK-NEXT:{{^}}   12 | graph g9(x: f32[N]) -> (y: f32[N]) { y = softmax(x = x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                      ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:13:46: error: 'relu' gives 1 value, but 2 names are bound here{{$}}
// CHECK-NEXT:{{^}}   13 | graph g36(x: f32[N]) -> (y: f32[N]) { a, b = relu(x){{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:15:39: error: N is N from 'x', but 2 from 'y' [2]{{$}}
// CHECK-NEXT:{{^}}   15 | graph g37(x: f32[N]) -> (y: f32[N]) { y = topk(x, k = 2) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:15:39: note: dimensions with different names may differ: use one name for both, or write 'require N == 2'{{$}}
// CHECK-NEXT:{{^}}   15 | graph g37(x: f32[N]) -> (y: f32[N]) { y = topk(x, k = 2) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:15:29: note: 'N' is declared here{{$}}
// CHECK-NEXT:{{^}}   15 | graph g37(x: f32[N]) -> (y: f32[N]) { y = topk(x, k = 2) }{{$}}
// CHECK-NEXT:{{^}}      |                             ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:16:46: error: no operator is named 'x'; that name is a tensor: read its elements with brackets{{$}}
// CHECK-NEXT:{{^}}   16 | graph g42(x: f32[N]) -> (y: f32[N]) { y[i] = x(i) }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:18:44: error: 'f101' takes 1 operand; 3 is one too many{{$}}
// CHECK-NEXT:{{^}}   18 | graph g101(x: f32[N]) -> (y) { y = f101(x, 3) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:18:44: note: operands are given by position, attributes by name: write 'n = …'{{$}}
// CHECK-NEXT:{{^}}   18 | graph g101(x: f32[N]) -> (y) { y = f101(x, 3) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:20:44: error: the attribute 'n': expected an integer, found 3.5{{$}}
// CHECK-NEXT:{{^}}   20 | graph g102(x: f32[N]) -> (y) { y = f102(x, n = 3.5) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:19:20: note: 'n' is declared here{{$}}
// CHECK-NEXT:{{^}}   19 | op f102(x: f32[N], n: int) -> (y: f32[N]) { y = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:22:44: error: N is 3 from 'x' [3, 4], but 4 from 'x' [3, 4]{{$}}
// CHECK-NEXT:{{^}}   22 | graph g103(x: f32[3, 4]) -> (y) { y = f103(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:21:9: note: 'N' is declared here{{$}}
// CHECK-NEXT:{{^}}   21 | op f103(x: f32[N, N]) -> (y: f32[N]) { y[i] = x[i, i] }{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:23:36: error: 'g104' is a graph, which cannot be called: make it an 'op' or a 'layer'{{$}}
// CHECK-NEXT:{{^}}   23 | graph g104(x: f32[N]) -> (y) { y = g104(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                    ^~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:26:39: error: 'l105' needs the attribute 'o', an integer{{$}}
// CHECK-NEXT:{{^}}   26 | graph g105(x: f32[B, 3]) -> (y) { y = l105(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:27:39: error: 'linear' needs the operand 'weight'; the layer is 'nn.linear', as in 'h = nn.linear(…)'{{$}}
// CHECK-NEXT:{{^}}   27 | graph g107(x: f32[B, 3]) -> (y) { y = linear(x, features = 3) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:28:40: error: 'linear' needs the operand 'x'; to declare a layer without calling it, write 'param h: nn.linear(…)'{{$}}
// CHECK-NEXT:{{^}}   28 | graph g109(x: f32[B, 3]) -> (y) { fc = nn.linear(features = 3){{$}}
// CHECK-NEXT:{{^}}      |                                        ^~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:30:55: error: 'fc' is only declared here: give it operands where it is applied{{$}}
// CHECK-NEXT:{{^}}   30 | graph g110(x: f32[B, 3]) -> (y) { param fc: nn.linear(3){{$}}
// CHECK-NEXT:{{^}}      |                                                       ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:33:15: error: 'linear' takes 1 operand; f32[B, 3] is one too many{{$}}
// CHECK-NEXT:{{^}}   33 |     y = fc(x, x) }{{$}}
// CHECK-NEXT:{{^}}      |               ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:35:9: error: 'fc' is an array of layers: choose one, 'fc[i](…)'{{$}}
// CHECK-NEXT:{{^}}   35 |     y = fc(x) }{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:37:9: error: 'fc' has length 3, so it has no element 3{{$}}
// CHECK-NEXT:{{^}}   37 |     y = fc[3](x) }{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:38:45: error: the attribute 'kernel' has length 3, but ..X has length 2{{$}}
// CHECK-NEXT:{{^}}   38 | graph g120(x: f32[B, 3, 8, 8]) -> (y) { y = nn.conv2d(x, channels = 4, kernel = [3, 3, 3]) }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:39:39: error: a requirement does not hold: 6 elements into [4, 2]{{$}}
// CHECK-NEXT:{{^}}   39 | graph g123(x: f32[2, 3]) -> (y) { y = reshape(x, shape = [4, 2]) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: in 'reshape' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:40:50: error: 'reshape' takes 1 operand; 6 is one too many{{$}}
// CHECK-NEXT:{{^}}   40 | graph g125(x: f32[2, 3]) -> (y) { y = reshape(x, 6) }{{$}}
// CHECK-NEXT:{{^}}      |                                                  ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:40:50: note: operands are given by position, attributes by name: write 'shape = …'{{$}}
// CHECK-NEXT:{{^}}   40 | graph g125(x: f32[2, 3]) -> (y) { y = reshape(x, 6) }{{$}}
// CHECK-NEXT:{{^}}      |                                                  ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:41:49: error: 'x' [2, 3] has rank 2: expected 3{{$}}
// CHECK-NEXT:{{^}}   41 | graph g126(x: f32[2, 3]) -> (y) { y = transpose(x, perm = [0, 1, 2]) }{{$}}
// CHECK-NEXT:{{^}}      |                                                 ^{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: 'x' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:42:49: error: 'x' [2, 3] has rank 2: expected 1{{$}}
// CHECK-NEXT:{{^}}   42 | graph g127(x: f32[2, 3]) -> (y) { y = transpose(x, perm = [0]) }{{$}}
// CHECK-NEXT:{{^}}      |                                                 ^{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: 'x' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:43:47: error: 'x' [2, 3] has a dimension of 2 where 1 is declared{{$}}
// CHECK-NEXT:{{^}}   43 | graph g128(x: f32[2, 3]) -> (y) { y = squeeze(x, axes = [0]) }{{$}}
// CHECK-NEXT:{{^}}      |                                               ^{{$}}
// CHECK-NEXT:{{^}}std/move.mg:{{[0-9:]+}} note: '1' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:44:60: error: concat joins f32[2, 3] and f32[4], which differ at another axis than 0{{$}}
// CHECK-NEXT:{{^}}   44 | graph g129(x: f32[2, 3], z: f32[4]) -> (y) { y = concat(x, z, axis = 0) }{{$}}
// CHECK-NEXT:{{^}}      |                                                            ^{{$}}
// CHECK-NEXT:{{.*}}calls.mg:45:63: error: element types differ: T is f32 from 'x', but f64 from 'z'{{$}}
// CHECK-NEXT:{{^}}   45 | graph g130(x: f32[2, 3], z: f64[2, 3]) -> (y) { y = concat(x, z, axis = 0) }{{$}}
// CHECK-NEXT:{{^}}      |                                                               ^{{$}}
// CHECK-NEXT:{{^}}std/builtin.mg:{{[0-9:]+}} note: 'xs' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}calls.mg:46:46: error: the operand 'xs': expected a tensor or a number, found [f32[2, 3], f32[2, 3]]; tensors are given one by one, without brackets{{$}}
// CHECK-NEXT:{{^}}   46 | graph g131(x: f32[2, 3]) -> (y) { y = concat([x, x], axis = 0) }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:47:39: error: 'concat' needs the attribute 'axis', an integer{{$}}
// CHECK-NEXT:{{^}}   47 | graph g132(x: f32[2, 3]) -> (y) { y = concat(x, x) }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}calls.mg:48:49: error: the operand 'ids': expected a tensor or a number, found [0, 1]; tensors are given one by one, without brackets{{$}}
// CHECK-NEXT:{{^}}   48 | graph g133(x: f32[2, 3]) -> (y) { y = gather(x, [0, 1]) }{{$}}
// CHECK-NEXT:{{^}}      |                                                 ^~~~~~{{$}}
// CHECK-NOT:{{.}}
