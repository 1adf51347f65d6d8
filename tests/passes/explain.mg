// Every edge is told about, with its line.
// RUN: %mgc --emit-ir --explain=fusion %s 2>&1 >/dev/null | %FileCheck %s
mg 1
graph g(x: f32[N, 64], w: f32[64, 32], v: f32[32, 8]) -> (y: f32[N, 8]) {
    // CHECK: h ({{.*}}explain.mg:[[@LINE+1]]:9) -> a ({{.*}}explain.mg:[[@LINE+2]]:9): one kernel
    h = matmul(x, w)
    a = relu(h)
    // CHECK: a ({{.*}}explain.mg:[[@LINE-1]]:9) -> y ({{.*}}explain.mg:[[@LINE+1]]:9): apart: their boxes differ
    y = matmul(a, v)
}
