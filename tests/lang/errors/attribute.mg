mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 | %FileCheck %s
// An attribute that is missing is what to say, not that a shape is unknown without it.
graph g(k: f32[3, 4]) -> (y: f32[4, 3]) {
    // CHECK: attribute.mg:[[@LINE+2]]:9: error: 'transpose' needs the attribute 'perm', a list of integers
    // CHECK-NOT: error
    y = transpose(k)
}
