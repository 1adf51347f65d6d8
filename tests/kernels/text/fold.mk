// The constructors simplify expressions: sums have one constant, splats and ramps move outwards,
// and an expression over floats changes only if every value stays the same, including NaN and -0.
// RUN: %mgc kernels %s --passes=fold | %FileCheck %s

// CHECK: kernel integers
// CHECK-NEXT: y[0] = n + 7
// CHECK-NEXT: y[1] = (n * 6) + 3
// CHECK-NEXT: y[2] = 0
// CHECK-NEXT: y[3] = 0
// CHECK-NEXT: y[4] = -4
kernel integers(y: out i64[5]; n: i64) {
  y[0] = (n + 3) + 4
  y[1] = ((n * 2) + 1) * 3
  y[2] = n * 0
  y[3] = floormod(n, 1)
  y[4] = floordiv(-7, 2)
}

// CHECK: kernel vectors
// CHECK-NEXT: y[n]<4> = splat<4>(x[0] + 1.0)
// CHECK-NEXT: i[0]<4> = ramp<4>(n + 2, 3)
// CHECK-NEXT: y[4]<4> = splat<4>(x[n])
kernel vectors(x: in f32[4], y: out f32[16], i: out i64[4]; n: i64) {
  y[n]<4> = splat<4>(x[0]) + 1.0<4>
  i[0]<4> = ramp<4>(n, 3) + 2<4>
  y[4]<4> = x[splat<4>(n)]
}

// CHECK: kernel floats
// CHECK-NEXT: y[0] = x[0]
// CHECK-NEXT: y[1] = x[0] + 0.0
// CHECK-NEXT: y[2] = x[0]
// CHECK-NEXT: y[3] = x[0] * 0.0
kernel floats(x: in f32[1], y: out f32[4]) {
  y[0] = x[0] * 1.0
  y[1] = x[0] + 0.0
  y[2] = x[0] + -0.0
  y[3] = x[0] * 0.0
}
