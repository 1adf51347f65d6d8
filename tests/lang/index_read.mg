mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck %s
// An index is a number: it has no elements.
// CHECK: index_read.mg:6:44: error: 'i' is an index, not a tensor: it has no elements to read
// CHECK: index_read.mg:7:49: error: 'j' is an index, not a tensor: it has no elements to read
graph g(x: f32[4]) -> (y: f32[4]) { y[i] = i[i] * 2 }
graph h(x: f32[4]) -> (y: f32[]) { y[] = sum[j] j[0] + x[j] }
