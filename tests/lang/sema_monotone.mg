// A subscript that grows or falls with its indices, but not by a constant, is checked once, at the ends of their ranges.
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// RUN: %mgc run %s --input x=1,2,3,4 --input z=zeros --set M=8 | %FileCheck %s --check-prefix=VALUES
// RUN: %not %mgc run %s --input x=1,2,3,4 --input z=zeros --set M=9 2>&1 | %FileCheck %s --check-prefix=LONG
mg 1
graph open(x: f32[N], z: f32[M]) -> (y: f32[M]) {
    y[i] = z[i] + x[i / 2]
}
// CHECK: require 0 >= M or N >= (M + 1)/2
// CHECK: y[i in 0..M]: f32[M] = z[i] + x[i/2]{{$}}
// VALUES: y: f32[8] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]
// LONG: this needs 0 >= M or N >= (M + 1)/2 (N = 4 from x, M = 9 from z)
