mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A statement that a syntax error cuts in two has that error alone, and words of other languages have a suggestion.
graph brackets(x: f32[N, 3]) -> (y)
{
    y[n] = sum(c) x[n, c]
}
graph twice(x: f32[N, 3]) -> (y)
{
    y[n] = x[n][0]
}
graph reduction(x: f32[N, 3]) -> (y)
{
    y = sum[c] x[n, c]
}
graph alone(x: f32[N, 3]) -> (y)
{
    y = mean(x, axes = 1)
}

// CHECK:{{.*}}half_read.mg:6:19: error: expected an operator or a new line, found 'x'; the indices of a reduction go in brackets, as in sum[i] x[i]{{$}}
// CHECK-NEXT:{{^}}    6 |     y[n] = sum(c) x[n, c]{{$}}
// CHECK-NEXT:{{^}}      |                   ^{{$}}
// CHECK-NEXT:{{.*}}half_read.mg:10:16: error: expected a statement or '}', found '['; subscripts go in one pair of brackets, as in x[i, j]{{$}}
// CHECK-NEXT:{{^}}   10 |     y[n] = x[n][0]{{$}}
// CHECK-NEXT:{{^}}      |                ^{{$}}
// CHECK-NEXT:{{.*}}half_read.mg:14:9: error: the reduction 'sum' may stand only in an equation: write 'y[…] = …' with subscripts on the left{{$}}
// CHECK-NEXT:{{^}}   14 |     y = sum[c] x[n, c]{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}half_read.mg:18:17: error: the attribute 'axes': expected a list of integers, found 1; write [1]{{$}}
// CHECK-NEXT:{{^}}   18 |     y = mean(x, axes = 1){{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:14:42: note: 'axes' is declared here{{$}}
// CHECK-NEXT:{{^}}   14 | op mean<T: float>(x: T[..K, ..R @ axes], axes: int[] = [0..rank(x)], keepdims: bool = false) -> (y){{$}}
// CHECK-NEXT:{{^}}      |                                          ^~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
