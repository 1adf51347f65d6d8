// RUN: %mgc --emit-schedule --graph=rows %s | %FileCheck %s --check-prefix=ROWS
// RUN: %mgc --emit-schedule --graph=slice %s | %FileCheck %s --check-prefix=SLICE
// RUN: %mgc --emit-schedule --graph=whole %s | %FileCheck %s --check-prefix=WHOLE
mg 1
// A kernel that picks rows of a table moves these rows, not the table.
// ROWS: 64 operations on 544 bytes
graph rows(ids: i64[4], table: f32[100000, 16]) -> (y: f32[4, 16]) {
    y[n, i] = table[ids[n], i] + 1
}
// SLICE: 64 operations on 512 bytes
graph slice(x: f32[1000, 64]) -> (y: f32[64]) { y[i] = x[7, i] + 1 }
// Each element is moved once, although the equation names it twice.
// WHOLE: 128000 operations on 256256 bytes
graph whole(x: f32[1000, 64]) -> (y: f32[64]) { y[i] = sum[n] x[n, i] * x[n, i] }
