mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// Broadcasting made explicit, tuples, computed writes, pieces, prefix ranges, places.
graph shapes(a: f32[B, 1, N], b: f32[M, N], x: f32[B, 6, 8], i: i64[B]) -> (sum1: f32[B, M, N], heads: f32[B, 2, 8, 3], hist: f32[9],
    both: f32[B, 12, 8], run: f32[B, 6, 8], pad1: f32[B, 8, 10], flat: f32[B, 48], picked: f32[B, 8])
{
    sum1 = a + b
    heads[n, g, j, d]: f32[B, 2, 8, 3] = x[n, (g, d), j]
    hist[i[n] + 1]: f32[9] else none = sum[n, c] x[n, c, 0]
    both[n, c in 0..6, j]: f32[B, 12, 8] = x[n, c, j]
    both[n, c in 6..12, j] = -x[n, c - 6, j]
    run = cumsum(x, axis = 1)
    pad1 = pad(x, before = [0, 1, 1], mode = "reflect")
    flat = reshape(x, shape = [B, -1])
    picked[n, j] = x[n, clamp(i[n], 6), j]
}
graph windows(x: f32[N, C, H, W]) -> (y: f32[N, C, OH, OW]) { y = avg_pool2d(x, kernel = 3, stride = 2, pad = 1) }
graph requires(x: f32[N], y: f32[M]) -> (z: f32[N])
    require N == M
{
    z = x + y
}

// CHECK:{{^}}graph shapes(a: f32[B, 1, N], b: f32[M, N], x: f32[B, 6, 8], i: i64[B]) -> (sum1: f32[B, M, N], heads: f32[B, 2, 8, 3], hist: f32[9], both: f32[B, 12, 8], run: f32[B, 6, 8], pad1: f32[B, 8, 10], flat: f32[B, 48], picked: f32[B, 8]){{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    sum1[s0 in 0..B, s1 in 0..M, s2 in 0..N]: f32[B, M, N] = a[s0, 0, s2] + b[s1, s2]{{$}}
// CHECK-NEXT:{{^}}    heads[n in 0..B, g in 0..2, j in 0..8, d in 0..3]: f32[B, 2, 8, 3] = x[n, 3*g + d, j]{{$}}
// CHECK-NEXT:{{^}}    hist[i[n] + 1]: f32[9] else none = sum[n in 0..B, c in 0..6] x[n, c, 0]{{$}}
// CHECK-NEXT:{{^}}    both[n in 0..B, c in 0..6, j in 0..8]: f32[B, 12, 8] = x[n, c, j]{{$}}
// CHECK-NEXT:{{^}}    both[n in 0..B, c in 6..12, j in 0..8]: f32[B, 12, 8] = -x[n, c - 6, j]{{$}}
// CHECK-NEXT:{{^}}    run[n0 in 0..B, i in 0..6, n1 in 0..8]: f32[B, 6, 8] = sum[j in 0..i + 1] x[n0, j, n1]{{$}}
// CHECK-NEXT:{{^}}    pad1[i0 in 0..B, i1 in 0..8, i2 in 0..10]: f32[B, 8, 10] = x[B - max(max(-i0, i0) + 1 - B, B - max(-i0, i0) - 1) - 1, 5 - max(5 - max(1 - i1, i1 - 1), max(1 - i1, i1 - 1) - 5), 7 - max(7 - max(1 - i2, i2 - 1), max(1 - i2, i2 - 1) - 7)]{{$}}
// CHECK-NEXT:{{^}}    flat_line[(s0 in 0..B, s1 in 0..6, s2 in 0..8)]: f32[48*B] = x[s0, s1, s2]{{$}}
// CHECK-NEXT:{{^}}    flat[o0 in 0..B, o1 in 0..48]: f32[B, 48] = flat_line[48*o0 + o1]{{$}}
// CHECK-NEXT:{{^}}    picked[n in 0..B, j in 0..8]: f32[B, 8] = x[n, min(max(i[n], 0), 5), j]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
// CHECK:{{^}}graph windows(x: f32[N, C, H, W]) -> (y: f32[N, C, (H + 1)/2, (W + 1)/2]){{$}}
// CHECK-NEXT:{{^}}    require H >= 1 and W >= 1 : "the window covers [3, 3], but the input with its padding is only [H + 2, W + 2]"{{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    y_one[i0 in 0..H + 2, i1 in 0..W + 2]: f32[H + 2, W + 2] = 1.0{{$}}
// CHECK-NEXT:{{^}}    y_m[o0 in 0..(H + 1)/2, o1 in 0..(W + 1)/2]: f32[(H + 1)/2, (W + 1)/2] = sum[k0 in 0..3, k1 in 0..3] y_one[2*o0 + k0, 2*o1 + k1]{{$}}
// CHECK-NEXT:{{^}}    y_sum[n in 0..N, c in 0..C, o0 in 0..(H + 1)/2, o1 in 0..(W + 1)/2]: f32[N, C, (H + 1)/2, (W + 1)/2] = sum[k0 in 0..3, k1 in 0..3] x[n, c, 2*o0 + k0 - 1, 2*o1 + k1 - 1] else 0.0{{$}}
// CHECK-NEXT:{{^}}    y[n in 0..N, c in 0..C, o0 in 0..(H + 1)/2, o1 in 0..(W + 1)/2]: f32[N, C, (H + 1)/2, (W + 1)/2] = y_sum[n, c, o0, o1] / y_m[o0, o1]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
// CHECK:{{^}}graph requires(x: f32[N], y: f32[M]) -> (z: f32[N]){{$}}
// CHECK-NEXT:{{^}}    require N == M{{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    z[s in 0..N]: f32[N] = x[s] + y[s]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
