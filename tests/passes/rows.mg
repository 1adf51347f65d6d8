// Runs of ops in which a row needs only its own row are walked by blocks of rows: each worker takes
// its blocks through all the ops alone, and no barrier stands between them.
// RUN: %mgc --emit-plan --threads=2 --graph=net %s | %FileCheck %s
// RUN: %mgc --emit-plan --threads=2 --graph=net --explain=launch %s 2>&1 | %FileCheck %s --check-prefix=WHY
// RUN: %mgc --emit-plan --threads=2 --graph=net --explain=fusion %s 2>&1 | %FileCheck %s --check-prefix=FUSED
// FUSED: one kernel
// FUSED: r_relu to y: 3 ops by blocks of 16 rows, each of one worker
// WHY: r_relu to y: 3 ops by blocks of 16 rows, each of one worker
// CHECK: slots[2] = 1
// CHECK: parallel block in 0..2 {
// CHECK-NEXT: first: i64 = block * 16
// CHECK-NEXT: call {{.*}} alone(in0 + (first * 256), weight0 + 0,
// CHECK-NEXT: call {{.*}} alone(arena +
// CHECK-NEXT: call {{.*}} alone({{.*}}, out0 + (first * 256)
// CHECK-NEXT: }
// CHECK-NEXT: barrier grid
// One thread has nothing to share, and the cache holds it all.
// RUN: %mgc --emit-plan --graph=net %s | %FileCheck %s --check-prefix=ONE
// ONE-NOT: alone
// What reads other rows ends a run: the sums over them are a call of all workers.
// RUN: %mgc --emit-plan --threads=2 --graph=sums %s | %FileCheck %s --check-prefix=SUMS
// RUN: %mgc --emit-plan --threads=2 --graph=open %s | %FileCheck %s --check-prefix=OPEN
// SUMS-NOT: alone
mg 1
import nn

graph net(x: f32[32, 64]) -> (y: f32[32, 64])
    weights "none.safetensors"
{
    h = nn.linear(x, features = 64)
    r = nn.linear(relu(h), features = 64)
    y = softmax(r)
}

graph sums(x: f32[32, 64]) -> (y: f32[32, 64])
{
    s[j] = sum[i] exp(x[i, j])
    y[i, j] = x[i, j] / s[j]
}

// OPEN: size: i64 =
// OPEN: parallel block in
// OPEN: rows: i64 = min(size, B - first)
// OPEN-NEXT: call {{.*}} alone({{.*}}; rows)
graph open(x: f32[B, 64], w: f32[64, 64]) -> (y: f32[B, 64])
{
    // how many rows a block has is decided in the run
    y = softmax(matmul(relu(matmul(x, w)), w))
}
