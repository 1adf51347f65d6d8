mg 1
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// RUN: %mgc --emit-ir -O0 %s -o %t.mg && %mgc --emit-ir -O0 %t.mg | diff %t.mg -
// RUN: %mgc --emit-ir -O2 %s -o %t.mg && %mgc --emit-ir -O0 %t.mg | diff %t.mg -
// RUN: %mgc run %s --input x=1,2,3,4,5 | %FileCheck %s --check-prefix=VALUES
// A condition on sizes or on a loop's number is printed as it is written, and read back so.
graph g(x: f32[N]) -> (y: f32[N], z: f32[N]) {
    // CHECK: where(1 < N and not floormod(N, 3) == 0 or N == 7, x[i], 0.0)
    y[i] = where(1 < N and not N % 3 == 0 or N == 7, x[i], 0)
    z = loop k in 0..4 carry (s = x) {
        // CHECK: where(floormod(k, 3) == 0, s[i] * 2.0, s[i] + k)
        t[i] = where(k % 3 == 0, s[i] * 2, s[i] + k)
        next s = t
    }
}
// VALUES: y: f32[5] = [1.0, 2.0, 3.0, 4.0, 5.0]
// VALUES: z: f32[5] = [10.0, 14.0, 18.0, 22.0, 26.0]
