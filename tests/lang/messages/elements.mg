mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Equations: elements, types, indices, conditions, loops.
import nn
graph g39(x: f32[N]) -> (y: f32[N]) { y[i] = relu(x) }
graph g40(x: f32[N]) -> (y: f32[N]) { y[i] = x }
graph g41(x: f32[N]) -> (y: f32[N]) { y = x[i] }
graph g43(x: f32[N]) -> (y: f32[N]) { y[i, j] = x[i] }
graph g45(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum(x[i, j]) }
graph g46(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum[j](x) }
graph g49(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum[j in 0..M+1] x[i, j] }
graph g51(x: f32[N, M]) -> (y: f32[N]) { y[i] = x[i, 0.5] }
graph g52(x: f32[N], k: f32[]) -> (y: f32[]) { y[] = x[k[]] }
graph g53(x: f32[N], k: i32[]) -> (y: f32[N]) { y[i] = x[i] + k }
graph g54(x: f32[N], k: i32[]) -> (y: f32[N]) { y[i] = x[i] + k[] }
graph g56(x: i32[N]) -> (y: i32[N]) { y[i] = x[i] + 0.5 }
graph g57(x: i32[N]) -> (y: i32[N]) { y[i] = x[i] / 2.0 }
graph g58(x: i8[N]) -> (y: i8[N]) { y[i] = x[i] + 300 }
graph g59(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] and true }
graph g60(x: f32[N]) -> (y: f32[N]) { y[i] = not x[i] }
graph g61(x: f32[N]) -> (y: bool[N]) { y[i] = x[i] }
graph g63(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] > 0 }
graph g64(x: f32[N]) -> (y: f32[N]) { for i in 0..N { y[i] = x[i] } }
graph g68(x: f32[N]) -> (y: f32[N]) { y = loop i in 0..3 carry(h = x) { h = relu(h) } }
graph g69(x: f32[N]) -> (y: f32[N]) { y = loop carry(h = x) { next h = relu(h) } }
graph g70(x: f32[N]) -> (y: f32[N]) { y = loop i in 0..3 carry(h = x) { next hh = relu(h) } }
graph g73(x: f32[N], c: f32[]) -> (y: f32[N]) { y = if c { yield x } else { yield relu(x) } }
graph g74(x: f32[N], c: bool[N]) -> (y: f32[N]) { y = if c { yield x } else { yield relu(x) } }
graph g79(x: f32[N]) -> (y: f32[N]) { const c: f32[3] = [1, 2]
    y = x }
graph g80(x: f32[N]) -> (y: f32[N]) { c = [1, 2]
    y = x + c }
graph g82(x: f32[N]) -> (y: f32[N]) { require x > 0
    y = x }

// CHECK:{{.*}}elements.mg:5:51: error: 'x' is a tensor, f32[N]: an equation reads its elements, as in 'x[i]'{{$}}
// CHECK-NEXT:{{^}}    5 | graph g39(x: f32[N]) -> (y: f32[N]) { y[i] = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                   ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:6:46: error: 'x' is a tensor, f32[N]: an equation reads its elements, as in 'x[i]'{{$}}
// CHECK-NEXT:{{^}}    6 | graph g40(x: f32[N]) -> (y: f32[N]) { y[i] = x }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:7:43: error: 'x[…]' reads an element, which only an equation can: write 'y[…] = …' with subscripts on the left{{$}}
// CHECK-NEXT:{{^}}    7 | graph g41(x: f32[N]) -> (y: f32[N]) { y = x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                           ^~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:8:39: error: 'y' has rank 1: expected 1 subscript on the left side, found 2{{$}}
// CHECK-NEXT:{{^}}    8 | graph g43(x: f32[N]) -> (y: f32[N]) { y[i, j] = x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:9:58: error: nothing is named 'j'; an index is bound on the left side or by a reduction, as in sum[j]{{$}}
// CHECK-NEXT:{{^}}    9 | graph g45(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum(x[i, j]) }{{$}}
// CHECK-NEXT:{{^}}      |                                                          ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:10:56: error: 'x' is a tensor, f32[N, M]: an equation reads its elements, as in 'x[i, j]'{{$}}
// CHECK-NEXT:{{^}}   10 | graph g46(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum[j](x) }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:11:66: error: 'x' is read out of bounds: the subscript at axis 1 runs from 0 to M, but the dimension is M; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}   11 | graph g49(x: f32[N, M]) -> (y: f32[N]) { y[i] = sum[j in 0..M+1] x[i, j] }{{$}}
// CHECK-NEXT:{{^}}      |                                                                  ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:12:54: error: a subscript: expected an integer, found 0.5{{$}}
// CHECK-NEXT:{{^}}   12 | graph g51(x: f32[N, M]) -> (y: f32[N]) { y[i] = x[i, 0.5] }{{$}}
// CHECK-NEXT:{{^}}      |                                                      ^~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:13:56: error: a subscript: expected an integer, found a scalar f32{{$}}
// CHECK-NEXT:{{^}}   13 | graph g52(x: f32[N], k: f32[]) -> (y: f32[]) { y[] = x[k[]] }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:14:63: error: 'k' is a tensor, i32[]: an equation reads its elements, as in 'k[]'{{$}}
// CHECK-NEXT:{{^}}   14 | graph g53(x: f32[N], k: i32[]) -> (y: f32[N]) { y[i] = x[i] + k }{{$}}
// CHECK-NEXT:{{^}}      |                                                               ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:15:56: error: '+' between f32 and i32: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}   15 | graph g54(x: f32[N], k: i32[]) -> (y: f32[N]) { y[i] = x[i] + k[] }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:16:46: error: 0.5 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   16 | graph g56(x: i32[N]) -> (y: i32[N]) { y[i] = x[i] + 0.5 }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:17:46: error: 2.0 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   17 | graph g57(x: i32[N]) -> (y: i32[N]) { y[i] = x[i] / 2.0 }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:18:44: error: 300 does not fit i8{{$}}
// CHECK-NEXT:{{^}}   18 | graph g58(x: i8[N]) -> (y: i8[N]) { y[i] = x[i] + 300 }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:19:46: error: expected f32, found true: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}   19 | graph g59(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] and true }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:20:46: error: 'not' does not take f32{{$}}
// CHECK-NEXT:{{^}}   20 | graph g60(x: f32[N]) -> (y: f32[N]) { y[i] = not x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:21:47: error: expected bool, found a scalar f32: types are converted only on request, as in bool(…){{$}}
// CHECK-NEXT:{{^}}   21 | graph g61(x: f32[N]) -> (y: bool[N]) { y[i] = x[i] }{{$}}
// CHECK-NEXT:{{^}}      |                                               ^~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:22:46: error: expected f32, found a scalar bool: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}   22 | graph g63(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] > 0 }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:23:51: error: the range of 'for' must be known at compile time, but is N{{$}}
// CHECK-NEXT:{{^}}   23 | graph g64(x: f32[N]) -> (y: f32[N]) { for i in 0..N { y[i] = x[i] } }{{$}}
// CHECK-NEXT:{{^}}      |                                                   ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:24:73: error: 'h' is defined twice{{$}}
// CHECK-NEXT:{{^}}   24 | graph g68(x: f32[N]) -> (y: f32[N]) { y = loop i in 0..3 carry(h = x) { h = relu(h) } }{{$}}
// CHECK-NEXT:{{^}}      |                                                                         ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:24:64: note: 'h' is defined here{{$}}
// CHECK-NEXT:{{^}}   24 | graph g68(x: f32[N]) -> (y: f32[N]) { y = loop i in 0..3 carry(h = x) { h = relu(h) } }{{$}}
// CHECK-NEXT:{{^}}      |                                                                ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:25:39: error: this loop never ends: give it a range, 'loop i in 0..10 carry', or a condition, 'while …'{{$}}
// CHECK-NEXT:{{^}}   25 | graph g69(x: f32[N]) -> (y: f32[N]) { y = loop carry(h = x) { next h = relu(h) } }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:26:78: error: 'hh' is not carried by this loop{{$}}
// CHECK-NEXT:{{^}}   26 | graph g70(x: f32[N]) -> (y: f32[N]) { y = loop i in 0..3 carry(h = x) { next hh = relu(h) } }{{$}}
// CHECK-NEXT:{{^}}      |                                                                              ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:27:56: error: expected a condition, found f32[]{{$}}
// CHECK-NEXT:{{^}}   27 | graph g73(x: f32[N], c: f32[]) -> (y: f32[N]) { y = if c { yield x } else { yield relu(x) } }{{$}}
// CHECK-NEXT:{{^}}      |                                                        ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:28:58: error: expected a condition, found bool[N]{{$}}
// CHECK-NEXT:{{^}}   28 | graph g74(x: f32[N], c: bool[N]) -> (y: f32[N]) { y = if c { yield x } else { yield relu(x) } }{{$}}
// CHECK-NEXT:{{^}}      |                                                          ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:29:57: error: expected 3 elements, as many as the type has; found 2{{$}}
// CHECK-NEXT:{{^}}   29 | graph g79(x: f32[N]) -> (y: f32[N]) { const c: f32[3] = [1, 2]{{$}}
// CHECK-NEXT:{{^}}      |                                                         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}elements.mg:32:13: error: the operand 'b': expected a tensor or a number, found [1, 2]; tensors are given one by one, without brackets{{$}}
// CHECK-NEXT:{{^}}   32 |     y = x + c }{{$}}
// CHECK-NEXT:{{^}}      |             ^{{$}}
// CHECK-NEXT:{{.*}}elements.mg:33:47: error: 'x' is a tensor, f32[N]: an equation reads its elements, as in 'x[i]'{{$}}
// CHECK-NEXT:{{^}}   33 | graph g82(x: f32[N]) -> (y: f32[N]) { require x > 0{{$}}
// CHECK-NEXT:{{^}}      |                                               ^{{$}}
// CHECK-NOT:{{.}}
