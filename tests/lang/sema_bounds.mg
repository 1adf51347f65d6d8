mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Reads are proved inside, required, or guarded by else; refuted ones are errors.
graph bounds(x: f32[N, 8], i: i64[N]) -> (y: f32[N])
{
    a[n] = x[n, 8]
    b[n, j in 0..8] = x[n, j + 1]
    c[n] = x[n, -1]
    d[n, j in 0..8] = x[n, j * 2 - 8]
    e[n] = sum[j in 0..9] x[n, j]
    f[n in 0..N] = x[n + N, 0]
    y[n] = x[n, 0]
}
graph windows(x: f32[8]) -> (y: f32[3])
{
    y[o]: f32[3] = max[k in 0..4] x[2 * o + k + 1]
}

graph floors(x: f32[4]) -> (y: f32[9])
{
    y[i] = x[i / 2]
}

// CHECK:{{.*}}sema_bounds.mg:6:12: error: 'x' is read out of bounds: the subscript at axis 1 is 8, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    6 |     a[n] = x[n, 8]{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:7:23: error: 'x' is read out of bounds: the subscript at axis 1 runs from 1 to 8, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    7 |     b[n, j in 0..8] = x[n, j + 1]{{$}}
// CHECK-NEXT:{{^}}      |                       ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:8:12: error: 'x' is read out of bounds: the subscript at axis 1 is -1, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    8 |     c[n] = x[n, -1]{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:9:23: error: 'x' is read out of bounds: the subscript at axis 1 runs from -8 to 6, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    9 |     d[n, j in 0..8] = x[n, j * 2 - 8]{{$}}
// CHECK-NEXT:{{^}}      |                       ^~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:10:27: error: 'x' is read out of bounds: the subscript at axis 1 runs from 0 to 8, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}   10 |     e[n] = sum[j in 0..9] x[n, j]{{$}}
// CHECK-NEXT:{{^}}      |                           ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:11:20: error: 'x' is read out of bounds: the subscript at axis 0 runs from N to 2*N - 1, but the dimension is N; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}   11 |     f[n in 0..N] = x[n + N, 0]{{$}}
// CHECK-NEXT:{{^}}      |                    ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:16:35: error: 'x' is read out of bounds: the subscript at axis 0 runs from 1 to 8, but the dimension is 8; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}   16 |     y[o]: f32[3] = max[k in 0..4] x[2 * o + k + 1]{{$}}
// CHECK-NEXT:{{^}}      |                                   ^~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_bounds.mg:21:12: error: 'x' is read out of bounds: the subscript at axis 0 runs from 0 to 4, but the dimension is 4; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}   21 |     y[i] = x[i / 2]{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~{{$}}
// CHECK-NOT:{{.}}
