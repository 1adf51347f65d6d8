mg 1
// RUN: %mgc --emit-ir --passes=dce --verify-each --no-annotations %s | %FileCheck %s
// CHECK-LABEL: graph main
// CHECK-NEXT: {
graph main(x: f32[N], m: bool[N]) -> (y: f32[N]) {
    // CHECK-NEXT: y[i in 0..N]
    param unused: f32[N]
    a[i] = x[i] + unused[i]
    b[i] = a[i] * 2
    y[i] = x[i] + 1
    // CHECK-NEXT: }
}
// A value of a loop that nothing reads is removed.
// CHECK-LABEL: graph loops
// CHECK-NOT: loop
// CHECK: y[i in 0..N]
graph loops(x: f32[N]) -> (y: f32[N]) {
    z = loop t in 0..3 carry (h = x) {
        g[i] = h[i] * 2
        next h = g
    }
    y[i] = x[i] + 1
}
