// Runs of ops in which a row needs only its own row are walked by blocks of rows: each worker takes
// its blocks through all the ops alone, and no barrier stands between them.
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=net %s | %FileCheck %s
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=net --explain=launch %s 2>&1 | %FileCheck %s --check-prefix=WHY
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=net --explain=fusion %s 2>&1 | %FileCheck %s --check-prefix=FUSED
// FUSED: one kernel
// FUSED: r_relu to y: 3 ops by blocks of 16 rows, each by one worker
// WHY: r_relu to y: 3 ops by blocks of 16 rows, each by one worker
// CHECK: slots[2] = 1
// CHECK: parallel block in 0..2 {
// CHECK-NEXT: first: i64 = block * 16
// CHECK-NEXT: call {{.*}} alone(in0 + (first * 256), weight0 + 0,
// CHECK-NEXT: call {{.*}} alone(arena +
// CHECK-NEXT: call {{.*}} alone({{.*}}, out0 + (first * 256)
// CHECK-NEXT: }
// CHECK-NEXT: barrier grid
// One thread has nothing to share, and the cache holds all values.
// RUN: %mgc --emit-plan --graph=net %s | %FileCheck %s --check-prefix=ONE
// ONE-NOT: alone
// An op that reads other rows ends a run: the sums over them are a call of all workers.
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=sums %s | %FileCheck %s --check-prefix=SUMS
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=open %s | %FileCheck %s --check-prefix=OPEN
// SUMS-NOT: alone
// One worker's cache would not hold the values of 4096 rows. A block's scores stay there until softmax has read them. The layer before,
// whose values only another product reads, is left as it is.
// RUN: %mgc --emit-plan --graph=classes %s | %FileCheck %s --check-prefix=CLASSES
// RUN: %mgc --explain=fusion --graph=classes %s -o %t.mgb 2>&1 | %FileCheck %s --check-prefix=CLASSES-WHY
// CLASSES-WHY: s to y: 2 ops by blocks of {{[0-9]+}} rows, each by one worker: at most 8000 bytes a row stay with it
// A row may have several indices: a block is a range of rows that lie one after another.
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=tokens %s | %FileCheck %s --check-prefix=TOKENS
// Rows are too long for blocks of them to stay in a cache, and there are more of them than the last-level cache holds. Separate kernels
// read each row once for its mean and its variance, and store past the caches.
// RUN: %mgc --emit-plan --threads=2 --march=aarch64 --graph=long %s | %FileCheck %s --check-prefix=LONG
// RUN: %mgc --emit-kernels --threads=2 --march=aarch64 --graph=long %s | %FileCheck %s --check-prefix=LONG-KERNELS
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=open_long %s | %FileCheck %s --check-prefix=LONG
// LONG-NOT: alone
// LONG-KERNELS: others: inout
// LONG-KERNELS: nontemporal
// RUN: %mgc --emit-kernels --threads=2 --share=all --graph=tokens %s | %FileCheck %s --check-prefix=TOKENS-ROW
// RUN: %mgc --emit-plan --threads=2 --share=all --graph=open_tokens %s | %FileCheck %s --check-prefix=OPEN-TOKENS
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
    // the rows of a block are counted at run time
    y = softmax(matmul(relu(matmul(x, w)), w))
}

// CLASSES: for block in
// CLASSES-NEXT: first: i64 = block *
// CLASSES-NEXT: call {{.*}} alone(in0 + (first * 256), in1 + 0,
// CLASSES-NEXT: call {{.*}} alone({{.*}}, out0 + (first * 4000)
// CLASSES-NEXT: }
graph classes(x: f32[4096, 64], w: f32[1000, 64], b: f32[1000]) -> (y: f32[4096, 1000])
{
    s = relu(linear(x, w, b))
    y = softmax(s)
}

// TOKENS: parallel block in 0..2 {
// TOKENS-NEXT: first: i64 = block * 30
// TOKENS-NEXT: call {{.*}} alone(in0 + (first * 256), in1 + 0, in2 + (first * 256),
// TOKENS-NEXT: call {{.*}} alone({{.*}}, out0 + (first * 256)
// TOKENS-ROW: kernel row
// TOKENS-ROW: i1 in 0..30 {
graph tokens(x: f32[5, 12, 64], w: f32[64, 64], r: f32[5, 12, 64]) -> (y: f32[5, 12, 64])
{
    y = layer_norm(matmul(x, w) + r)
}

// OPEN-TOKENS: rows: i64 = {{.*}} * T
// OPEN-TOKENS: call {{.*}} alone({{.*}}; rows
graph open_tokens(x: f32[B, T, 64], w: f32[64, 64], r: f32[B, T, 64]) -> (y: f32[B, T, 64])
{
    y = layer_norm(matmul(x, w) + r)
}

graph long(x: f32[64, 524288]) -> (y: f32[64, 524288]) { y = layer_norm(x) }

graph open_long(x: f32[B, 524288]) -> (y: f32[B, 524288]) { y = layer_norm(x) }
