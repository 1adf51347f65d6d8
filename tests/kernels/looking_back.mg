// Where groups can wait for earlier ones, parts of a row are dealt, each a block, if all of them run at once.
// RUN: %mgc %s --target=gpu --march=h200 --emit-schedule -o %t.mgs && %FileCheck %s < %t.mgs
// RUN: %mgc %s --target=gpu --march=h200 --schedule=%t.mgs --emit-schedule | diff %t.mgs -
// RUN: %mgc %s --target=gpu --march=h200 --emit-kernels | %FileCheck %s --check-prefix=KERNELS
// RUN: %mgc %s --target=gpu --march=h200 --emit-opencl --launch=separate | %FileCheck %s --check-prefix=WAITS
// RUN: %mgc %s --target=gpu --march=h200 --emit-opencl --launch=persistent | %FileCheck %s --check-prefix=MEETS
// RUN: %mgc %s --target=gpu --march=hopper --emit-schedule | %FileCheck %s --check-prefix=PHASES
// RUN: sed 's/by 4096 on core/by 8192 on core/' %t.mgs > %t2.mgs
// RUN: %not %mgc %s --target=gpu --march=h200 --schedule=%t2.mgs --emit-schedule 2>&1 | %FileCheck %s --check-prefix=LONG
// RUN: %not %mgc %s --target=gpu --march=hopper --schedule=%t.mgs --emit-schedule 2>&1 | %FileCheck %s --check-prefix=LONG

mg 1
graph net(x: f32[2, 100000]) -> (y: f32[2, 100000]) { y = cumsum(x, axis = 1) }
// CHECK: for n on core
// CHECK-NEXT: for i by 4096 on core dealt carry y
// CHECK-NEXT: for i by 4096 carry y
// CHECK-NEXT: for i = lane(256) vec(16) tail mask
// KERNELS: take
// KERNELS: post posts
// KERNELS: collect
// WAITS: for (;;) {
// WAITS: ) >> 32)
// WAITS-NEXT: break;
// WAITS-NEXT: }
// Where a group may give up at a barrier, others don't wait for its posts for ever.
// MEETS: round = mg_meet(
// MEETS: for (uint [[LOOK:look[0-9]+]] = 1;; [[LOOK]]++) {
// MEETS: if ([[LOOK]] % 1024 == 0 && *(volatile __global int *)trap)
// MEETS-NEXT: break;
// PHASES: for i by {{[0-9]+}} on core carry y
// LONG: only on a GPU whose groups can wait for earlier ones are parts dealt, each a block, if not too many
