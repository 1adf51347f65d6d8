// Groups pass totals on in one launch: each takes the next part, posts its own, and collects earlier ones.
// RUN: %mgc kernels %s --run --threads=4 | %FileCheck %s
// RUN: %mgc kernels %s --passes=legalise --run --threads=3 | %FileCheck %s
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | grep . | diff - %t.mk
// RUN: sed 's/0..number {/number..6 {/' %s | %not %mgc kernels - --run --threads=2 2>&1 | %FileCheck %s --check-prefix=LATER
// LATER: kernel look_back: 2 of 2 groups wait for posts that nobody makes
// RUN: sed 's/post totals\[number\]/post totals[0]/' %s | %not %mgc kernels - --run --threads=2 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: kernel look_back: two workers race for element 0 of totals
// RUN: grep -v 'barrier grid' %s | %not %mgc kernels - --run --threads=2 2>&1 | %FileCheck %s --check-prefix=EARLY
// EARLY: kernel look_back: two workers race for element 0 of turns
// RUN: sed 's/earlier = totals\[past\]/earlier = turns[past]/' %s | %not %mgc kernels - 2>&1 | %FileCheck %s --check-prefix=COUNTS
// COUNTS: kernel look_back is invalid: turns has no posts that all groups share
// RUN: sed 's/post totals\[number\] = x/post totals[number] = number/' %s | %not %mgc kernels - 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE: kernel look_back is invalid: what is posted is i64, not u32

// CHECK: sums: i64[6] = [1, 3, 6, 10, 15, 21]
kernel look_back(sums: out i64[6]) items 2 {
  alloc global call totals: u64[6]
  alloc global call turns: u32[1]
  alloc shared group turn: u32[1]
  alloc private thread sum: u32[1]
  group c in 0..6 {
    if local_id == 0 {
      totals[c] = 0u64
      if c == 0 {
        turns[0] = 0u32
      }
    }
  }
  barrier grid
  group g in 0..6 {
    if local_id == 0 {
      take taken = turns[0]
      turn[0] = taken
    }
    barrier group
    number: i64 = cast<i64>(turn[0])
    if local_id == 0 {
      x: u32 = cast<u32>(number + 1)
      post totals[number] = x
      sum[0] = x
      for past in 0..number {
        collect earlier = totals[past]
        sum[0] = sum[0] + earlier
      }
      sums[number] = cast<i64>(sum[0])
    }
    barrier group
  }
}
