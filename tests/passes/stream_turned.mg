// RUN: %mgc --emit-kernels --graph=last --march=x86-64-v4 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --graph=first --march=x86-64-v4 %s | %FileCheck %s --check-prefix=BELOW
mg 1
// Transposed tiles prefetch the next block into the second cache, line after line as it lies in memory: the block
// beside this one, or the one below if there is none. Rows of whole lines go past the caches, however few vectors they have.
graph last(x: f32[32, 64, 56, 56]) -> (y: f32[32, 56, 56, 64]) {
    // CHECK: for tile in [[FROM:[a-z0-9.]+]]..{{.*}} step 16
    // CHECK: [[ASKED:asked]]: i64 = (shr(tile - [[FROM]], 4) * 64) + tile.2
    // CHECK-NEXT: row: i64 = shr([[ASKED]], 3)
    // CHECK-NEXT: prefetch far x[((({{.*}} * 200704) + [[FROM]]) + (row * 3136)) + 143]
    // CHECK-NEXT: prefetch far x[((({{.*}} * 200704) + [[FROM]]) + (row * 3136)) + 159]
    // CHECK: = nontemporal
    y = transpose(x, perm = [0, 2, 3, 1])
}
graph first(x: f32[32, 56, 56, 64]) -> (y: f32[32, 64, 56, 56]) {
    // BELOW: prefetch far x[(({{.*}} * 200704) + (row * 64)) + 8207]
    // BELOW-NEXT: prefetch far x[(({{.*}} * 200704) + (row * 64)) + 8223]
    y = transpose(x, perm = [0, 3, 1, 2])
}
