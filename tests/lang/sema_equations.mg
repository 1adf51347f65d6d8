mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Indices, ranges and types in equations.
op twice<T: float>(x: T[N]) -> (y: T[N]) { y[n] = x[n] * 2 }
graph equations(x: f32[N, 8], v: f32[M], i: i64[N], k: i32[8]) -> (y: f32[N, 8])
{
    b[n] = sum[j] x[n, j] * v[j]
    c[n, j] = x[n, j + 1]
    f[n, j] = x[n, j] + k[j]
    l[j] = k[j] + 1.5
    m[n, j in 0..4]: f32[N, 8] = x[n, j]
    o[2 * n]: f32[16] = x[n, 0]
    p[n, j] = x[n]
    q[n, j] = x
    t[n] = t[n] + v[n]
    w[n] = twice(x[n, 0])
    z1[n] = foo(x[n, 0])
    z2[n]: i32[N] = x[n, 0]
    z3[n] = where(x[n, 0], 1, 2)
    z4[n] = x[n, 0] and x[n, 1]
    z5[n] = sum[n2] max[n2] x[n, n2]
    z6[N] = v[0]
    z7[i2] = last[j] x[i2, j]
    z8[n] = x[n, 0] over v
    z9[i[n]]: f32[8] = last[n] x[n, 0]
    z10[n, j]: u8[N, 8] = 300
    z11[n] = any[j] x[n, j]
    z12[(n, a)] = x[n, a] + v[(n, b)]
    z13[n] = "a"
    z14[n] = x[n, 1.5]
    y[n, j in 0..5] = x[n, j]
    y[n, j in 4..8] = x[n, j]
}

// CHECK:{{.*}}sema_equations.mg:7:29: error: the index 'j' ranges over 8 of x, but also over M of v{{$}}
// CHECK-NEXT:{{^}}    7 |     b[n] = sum[j] x[n, j] * v[j]{{$}}
// CHECK-NEXT:{{^}}      |                             ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:7:29: note: dimensions with different names may differ: use one name for both, write 'require 8 == M', or give the index its range, as in 'j in 0..8'{{$}}
// CHECK-NEXT:{{^}}    7 |     b[n] = sum[j] x[n, j] * v[j]{{$}}
// CHECK-NEXT:{{^}}      |                             ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:8:10: error: the range of the index 'j' is not known: write 'j in a..b', or declare the type of the left side{{$}}
// CHECK-NEXT:{{^}}    8 |     c[n, j] = x[n, j + 1]{{$}}
// CHECK-NEXT:{{^}}      |          ^{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:9:15: error: '+' between f32 and i32: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}    9 |     f[n, j] = x[n, j] + k[j]{{$}}
// CHECK-NEXT:{{^}}      |               ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:10:12: error: 1.5 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   10 |     l[j] = k[j] + 1.5{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:11:5: error: the equations of 'm' must define each element of [N, 8] exactly once{{$}}
// CHECK-NEXT:{{^}}   11 |     m[n, j in 0..4]: f32[N, 8] = x[n, j]{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:12:11: error: nothing is named 'n'; an index is bound on the left side or by a reduction, as in sum[n]{{$}}
// CHECK-NEXT:{{^}}   12 |     o[2 * n]: f32[16] = x[n, 0]{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:13:15: error: 'x' is f32[N, 8]: expected 2 subscripts, found 1{{$}}
// CHECK-NEXT:{{^}}   13 |     p[n, j] = x[n]{{$}}
// CHECK-NEXT:{{^}}      |               ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:14:15: error: 'x' is a tensor, f32[N, 8]: an equation reads its elements, as in 'x[i, j]'{{$}}
// CHECK-NEXT:{{^}}   14 |     q[n, j] = x{{$}}
// CHECK-NEXT:{{^}}      |               ^{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:15:12: error: 't' is read while it is being defined: write a recurrence as a 'loop'{{$}}
// CHECK-NEXT:{{^}}   15 |     t[n] = t[n] + v[n]{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:16:12: error: 'twice' does not compute single numbers, so it cannot be used in an equation: call it in a statement of its own{{$}}
// CHECK-NEXT:{{^}}   16 |     w[n] = twice(x[n, 0]){{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:17:13: error: no operator is named 'foo'{{$}}
// CHECK-NEXT:{{^}}   17 |     z1[n] = foo(x[n, 0]){{$}}
// CHECK-NEXT:{{^}}      |             ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:18:21: error: expected i32, found a scalar f32: types are converted only on request, as in i32(…){{$}}
// CHECK-NEXT:{{^}}   18 |     z2[n]: i32[N] = x[n, 0]{{$}}
// CHECK-NEXT:{{^}}      |                     ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:19:13: error: expected bool, found a scalar f32: types are converted only on request, as in bool(…){{$}}
// CHECK-NEXT:{{^}}   19 |     z3[n] = where(x[n, 0], 1, 2){{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:20:13: error: 'and' does not take f32{{$}}
// CHECK-NEXT:{{^}}   20 |     z4[n] = x[n, 0] and x[n, 1]{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:21:25: error: the index 'n2' is bound twice: use another name for one of them{{$}}
// CHECK-NEXT:{{^}}   21 |     z5[n] = sum[n2] max[n2] x[n, n2]{{$}}
// CHECK-NEXT:{{^}}      |                         ^~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:22:8: error: the dimensions of 'z6' do not follow from its indices: declare its type, 'z6[…]: f32[…] = …'{{$}}
// CHECK-NEXT:{{^}}   22 |     z6[N] = v[0]{{$}}
// CHECK-NEXT:{{^}}      |        ^{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:23:5: error: 'last' combines writes: it needs a computed subscript on the left side{{$}}
// CHECK-NEXT:{{^}}   23 |     z7[i2] = last[j] x[i2, j]{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:24:5: error: 'over' belongs to an equation with a computed subscript on the left side{{$}}
// CHECK-NEXT:{{^}}   24 |     z8[n] = x[n, 0] over v{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:25:5: error: 'last' has no value for elements that are never written: name the tensor that it writes into with 'over'{{$}}
// CHECK-NEXT:{{^}}   25 |     z9[i[n]]: f32[8] = last[n] x[n, 0]{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:26:27: error: 300 does not fit u8{{$}}
// CHECK-NEXT:{{^}}   26 |     z10[n, j]: u8[N, 8] = 300{{$}}
// CHECK-NEXT:{{^}}      |                           ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:27:14: error: 'any' does not take f32{{$}}
// CHECK-NEXT:{{^}}   27 |     z11[n] = any[j] x[n, j]{{$}}
// CHECK-NEXT:{{^}}      |              ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:29:9: error: the range of the index 'n' is not known: write 'n in a..b', or declare the type of the left side{{$}}
// CHECK-NEXT:{{^}}   29 |     z13[n] = "a"{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:30:19: error: a subscript: expected an integer, found 1.5{{$}}
// CHECK-NEXT:{{^}}   30 |     z14[n] = x[n, 1.5]{{$}}
// CHECK-NEXT:{{^}}      |                   ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_equations.mg:31:5: error: the equations of 'y' must define each element of [N, 8] exactly once{{$}}
// CHECK-NEXT:{{^}}   31 |     y[n, j in 0..5] = x[n, j]{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
