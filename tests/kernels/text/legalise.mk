// Legalising writes out loops that are unrolled, divides an index by shifts and machine remainders
// where that gives the same result, and names shared nodes.
// RUN: %mgc kernels %s --passes=legalise | %FileCheck %s

// CHECK: kernel unrolled(y: out i64[]) legal {
// CHECK-NEXT: y[0] = 0
// CHECK-NEXT: y[1] = 10
// CHECK-NEXT: y[2] = 20
// CHECK-NEXT: y[3] = 30
// CHECK-NEXT: {{^}}}
kernel unrolled(y: out i64[]) {
  unrolled i in 0..2 {
    row: i64 = i * 2
    unrolled j in 0..2 {
      y[row + j] = (row + j) * 10
    }
  }
}

// CHECK: kernel divided
// CHECK-NEXT: for i in 0..100 {
// CHECK-NEXT: y[i] = shr(i, 3)
// CHECK-NEXT: y[i] = i % 7
kernel divided(y: out i64[]) {
  for i in 0..100 {
    y[i] = floordiv(i, 8)
    y[i] = floormod(i, 7)
  }
}

// CHECK: kernel below_0(y: out i64[]; t: i64 signed)
// CHECK-NEXT: y[0] = shr(t, 1)
// CHECK-NEXT: [[R:t[.0-9]*]]: i64 = t % 7
// CHECK-NEXT: y[1] = where({{.*}}, [[R]] + 7, [[R]])
kernel below_0(y: out i64[]; t: i64 signed) {
  y[0] = floordiv(t, 2)
  y[1] = floormod(t, 7)
}

// CHECK: kernel shared
// CHECK-NEXT: [[T:[a-z]+]]: f32 = x[0] + 1.0
// CHECK-NEXT: y[0] = [[T]] * [[T]]
kernel shared(x: in f32[1], y: out f32[1]) {
  _1 = x[0] + 1.0
  y[0] = _1 * _1
}

// An empty loop, a loop of nothing else, and a branch whose condition is known disappear.
// CHECK: kernel decided
// CHECK-NEXT: y[0] = 2
// CHECK-NEXT: {{^}}}
kernel decided(y: out i64[1]) {
  for i in 3..3 {
    y[0] = 1
  }
  for j in 0..1000000000000 {
    for i in 3..3 {
      y[j] = 1
    }
  }
  if 1 < 2 {
    y[0] = 2
  } else {
    y[0] = 3
  }
}
