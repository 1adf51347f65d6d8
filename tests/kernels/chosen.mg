// RUN: %mgc --emit-kernels --march=x86-64-v4 %s | %FileCheck %s
mg 1
// A subscript from data that all rows share is checked once; one outside is reported, and replaced by one inside.
// CHECK: for v in
// CHECK: trap 1
// CHECK: places[v]<16> = cast<i32>(where(inside, sub, 0<16>))
// CHECK: parallel i0 in 0..4096 {
// CHECK-NOT: trap
// CHECK: [[PLACE:place[.0-9]*]]: i32<16> = places[
// CHECK: = x[splat<16>(i0 * 4096) + cast<i64>([[PLACE]])]
graph columns(x: f32[4096, 4096], ids: i64[2048]) -> (y: f32[4096, 2048]) {
    y = gather(x, ids, axis = 1)
}
