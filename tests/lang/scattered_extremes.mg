// An extreme begins as an infinity. f8e4m3 has none, so extremes of it that are scattered or scanned are kept in f32.
// RUN: %mgc run %s --input x=1,2,3,4,5,-6 --input ids=0,0,1,1,2,2 --interp | %FileCheck %s
// RUN: %mgc run %s --input x=1,2,3,4,5,-6 --input ids=0,0,1,1,2,2 -O0 | %FileCheck %s
// RUN: %mgc run %s --input x=1,2,3,4,5,-6 --input ids=0,0,1,1,2,2 -O2 | %FileCheck %s

// CHECK: most: f8e4m3[4] = [2.0, 4.0, 5.0, nan]
// CHECK: least: f8e4m3[4] = [1.0, 3.0, -6.0, nan]
// CHECK: so_far: f8e4m3[6] = [nan, 1.0, 2.0, 3.0, 4.0, 5.0]
mg 1
graph g(x: f32[6], ids: i64[6]) -> (most: f8e4m3[4], least: f8e4m3[4], so_far: f8e4m3[6]) {
    v[i]: f8e4m3[6] = x[i]
    most[ids[i]] else none = max[i] v[i]
    least[ids[i]] else none = min[i] v[i]
    so_far[i] = max[j in 0..i] v[j]
}
