mg 1
// Three forms of one graph: one launch for each kernel, one kernel whose groups own rows, and one whose groups meet.
// RUN: %mgc --emit-opencl --launch=separate %s | %FileCheck %s --check-prefix=SEPARATE
// RUN: %mgc --emit-opencl --launch=owned %s | %FileCheck %s --check-prefix=OWNED
// RUN: %mgc --emit-opencl --launch=persistent %s | %FileCheck %s --check-prefix=MEET

// SEPARATE-NOT: mg_meet
// SEPARATE: __kernel void mg_contraction_
// SEPARATE: __kernel void mg_
// SEPARATE: __kernel void mg_row_

// Weights are packed once; a group keeps its rows in local memory through all layers and passes.
// OWNED: __kernel void mg_pack
// OWNED-NOT: __kernel
// OWNED: __kernel void mg_owned_{{[0-9]+}}({{.*}}, long [[PASSES:_passes_[0-9]+]])
// OWNED: __local float [[ROWS:b[0-9]+_rows]][
// OWNED: for (int [[G:g_[0-9]+]] = 0 + (int)get_group_id(0) * 1; [[G]] < {{[0-9]+}}; [[G]] += (int)get_num_groups(0) * 1) {
// OWNED: for (long pass_{{[0-9]+}} = 0; pass_{{[0-9]+}} < max([[PASSES]], (long)1)
// OWNED: fma(
// OWNED: barrier(
// OWNED-NOT: __kernel

// Arrivals are counted and waiting is bounded; groups that come too late have nothing to do.
// MEET: __kernel void mg_clear(
// MEET: static void mg_join(__global uint *m, __local uint *who, __global int *trap, int code) {
// MEET: i < MG_PATIENCE
// MEET: if (i == MG_LIMIT) {
// MEET: static uint mg_meet(
// MEET: if (i == MG_LIMIT ||
// MEET: __kernel void mg_persistent{{.*}}, __global int *trap) {
// MEET: mg_join(meeting, who, trap, 1);
// MEET: if (group < groups) {
// MEET: for (long pass_
// MEET: round = mg_meet(meeting, (uint)groups, round, trap, 1);
// MEET-NOT: __kernel
graph net(x: f32[32, 32], w: f32[32, 32], v: f32[32, 32]) -> (y: f32[32, 32]) {
    y = softmax(matmul(relu(matmul(x, w)), v))
}
