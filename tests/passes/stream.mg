// RUN: %mgc --emit-kernels --march=aarch64 %s | %FileCheck %s
mg 1
// Rows that data choose from a table larger than caches are prefetched: by the index of a later row, except for
// the last ones. The result is stored past the caches.
graph chosen(x: f32[256000, 768], ids: i64[262144]) -> (y: f32[262144, 768]) {
    // CHECK: parallel [[I:i0]] in 0..262144
    // CHECK: [[NEXT:t[.0-9]*]]: i64 = min([[I]] + 2, 262143)
    // CHECK-NEXT: prefetch x[v + (where(ids[[[NEXT]]] < 0, ids[[[NEXT]]] + 256000, ids[[[NEXT]]]) * 768)]
    // CHECK: = nontemporal
    y = gather(x, ids)
}
