// Neighbouring items count one after another; others use the counts when all have met.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s --passes=legalise --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk
// RUN: sed 's/counts\[own + /counts[/' %s | %not %mgc kernels - --run 2>&1 | %FileCheck %s --check-prefix=RACE
// RACE: kernel tally: two workers race for element 2 of counts
// RUN: grep -v 'barrier' %s | %not %mgc kernels - --run 2>&1 | %FileCheck %s --check-prefix=EARLY
// EARLY: kernel tally: two workers race for element
// RUN: sed '/^    own/s/^/if local_id < 32 {\n/; /^    ranks/s/$/\n}/' %s | %not %mgc kernels - --run 2>&1 | %FileCheck %s --check-prefix=APART
// APART: items 0 and 32 of a group meet at different places
// RUN: sed 's/items 64/items 48/' %s | %not %mgc kernels - --run 2>&1 | %FileCheck %s --check-prefix=FEW
// FEW: 48 items count, not a multiple of 32

// Items 0, 3, 6 ... of the first 32 have the first count, items 33, 36 ... of the others.
// CHECK: ranks: i64[64] = [0, 0, 0, 1, 1, 1, 2, 2, 2,
// CHECK: all: i64[6] = [11, 11, 10, 11, 10, 11]
kernel tally(ranks: out i64[64], all: out i64[6]) items 64 {
  alloc shared group counts: u32[6]
  group g in 0..1 {
    if local_id < 6 {
      counts[local_id] = 0u32
    }
    barrier group
    own: i64 = shr(local_id, 5) * 3
    tally rank = counts[own + floormod(local_id, 3)]
    ranks[local_id] = cast<i64>(rank)
    barrier group
    if local_id < 6 {
      all[local_id] = cast<i64>(counts[local_id])
    }
  }
}
