mg 1
// RUN: %mgc --emit-ir --passes=canonicalise,fold,dce --verify-each --no-annotations %s | %FileCheck %s
graph main(x: f32[N, 4]) -> (y: f32[N, 4], large: f32[100]) {
    const a: f32[4] = [1, 2, 3, 4]
    const b: f16[2, 2] = [0.1, inf, -0.0, 65504]
    // CHECK-NOT: const a:
    // CHECK: const twice: f32[4] = [2.0, 4.0, 6.0, 8.0]
    twice[i] = a[i] + a[i]
    // CHECK: const line: f16[4] = [0.1, inf, -0.0, 6.55e+04]
    line[(i, j)]: f16[4] = b[i, j]
    // CHECK: y[n in 0..N, i in 0..4]: f32[N, 4] = x[n, i] * twice[i] + line[i]
    y[n, i] = x[n, i] * twice[i] + line[i]
    // more than 64 elements: the equation stays
    // CHECK: large[i in 0..100]: f32[100] = i
    large[i in 0..100]: f32[100] = f32(i)
}
