// Kernels run with numbers from the command line, by several workers, and as items of a group that
// hand values on across a barrier.
// RUN: %mgc kernels %s --run --set n=5 --input x=1,2,3,4,5 --threads 2 | %FileCheck %s
// RUN: %mgc kernels %s --run --set n=5 --input x=1,2,3,4,5 --passes=legalise | %FileCheck %s
// RUN: %not %mgc kernels %s --run --set n=6 --input x=1,2,3,4,5 2>&1 | %FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: kernel scale: a load of element 5 of x, which has 5

// CHECK: y: f32[5] = [2.0, 4.0, 6.0, 8.0, 10.0]
kernel scale(x: in f32[], y: out f32[n]; n: i64) {
  parallel i in 0..n {
    y[i] = x[i] * 2.0
  }
}

// CHECK: last: f32[1] = [5.0]
// CHECK-NEXT: trap 7
kernel trapped(x: in f32[], last: out f32[1]; n: i64) {
  parallel i in 0..1 {
    last[i] = x[n - 1]
    if n > 4 {
      trap 7 of n
    }
  }
}

// CHECK: turned: i64[4] = [3, 2, 1, 0]
kernel turned(turned: out i64[4]) items 4 {
  alloc shared group all: i64[4]
  group g in 0..1 {
    all[local_id] = local_id
    barrier group
    turned[local_id] = all[3 - local_id]
  }
}

// All workers meet at the end of a loop that is dealt out, also those without a trip.
// CHECK: kept: i64[3] = [2, 3, 1]
kernel dealt(round: inout i64[3], kept: out i64[3]) {
  for t in 0..2 {
    parallel i in 0..3 {
      round[i] = i + t
    }
    barrier grid
    parallel trip in 0..1 dealt {
      for i in 0..3 {
        kept[i] = round[(i + 1) % 3]
      }
    }
  }
}
