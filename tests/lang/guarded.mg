// A read that is inside by the form of its subscripts, but that can't be proved again from the graph's requirements, is
// guarded: it takes an else, which it never needs.
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --verify-each %s > %t.ir
// RUN: %mgc run %s --input x=random:1 --set M=6 --set N=3 > %t.run
// RUN: %mgc run %s --input x=random:1 --set M=6 --set N=3 --interp > %t.interpreted
// RUN: diff %t.run %t.interpreted
// RUN: %FileCheck %s --check-prefix=SHAPE --input-file=%t.run

// CHECK: y_line[(s0 in 0..6, s1 in 0..M, s2 in 0..N)]
// CHECK: else 0
// SHAPE: y: f32[36, 1, 3] =
mg 1
graph g(x: f32[6, M, N]) -> (y) {
    y = reshape(x, shape = [36, M + N - M * min(N - min(N, 2), 1) - min(N, 2), -1])
}
