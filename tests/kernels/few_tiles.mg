// Where a sort has few tiles, each group adds up their counts, so that a step has two launches and not three. A place
// whose first subscripts are the key is found by the key alone.
// RUN: %mgc %s --graph=few --target=gpu --march=h200 --emit-kernels | %FileCheck %s --check-prefix=FEW
// RUN: %mgc %s --graph=many --target=gpu --march=h200 --emit-kernels | %FileCheck %s --check-prefix=MANY
// RUN: %mgc %s --graph=open --target=gpu --march=h200 --emit-kernels | %FileCheck %s --check-prefix=OPEN
// RUN: %mgc %s --graph=add --target=gpu --march=h200 --emit-kernels | %FileCheck %s --check-prefix=ADD
mg 1
graph few(x: f32[65536]) -> (y: f32[65536]) { y = sort(x) }
// FEW: for step in 0..4
// FEW-NOT: group line
// FEW: for from in 0..64 step 16
graph many(x: f32[1048576]) -> (y: f32[1048576]) { y = sort(x) }
// MANY: for step in 0..4
// MANY: group line in 0..256
graph open(x: f32[L]) -> (y: f32[L]) { y = sort(x) }
// OPEN: for step in 0..
// OPEN: group line in 0..
graph add(x: f32[4096, 256], at: i64[4096]) -> (y: f32[4096, 256]) {
    y[at[i], c]: f32[4096, 256] = sum[i] x[i, c]
}
// ADD: [[KEY:key[.0-9]*]]: i64 = sorted[
// ADD: at{{[.0-9]*}}: i64 = ([[KEY]] * 256) + point
// ADD-NOT: = at[
