mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 | %FileCheck %s
// The message names the missing attribute, not the shape that is unknown without it.
graph g(k: f32[3, 4]) -> (y: f32[4, 3]) {
    // CHECK: attribute.mg:[[@LINE+2]]:9: error: 'transpose' needs the attribute 'perm', a list of integers
    // CHECK-NOT: error
    y = transpose(k)
}
