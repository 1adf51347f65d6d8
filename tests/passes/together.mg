// Calls that are not in each other's way have no barrier between them: pieces of a value, and ops of which none reads
// what the other writes.
// RUN: %mgc --emit-plan --threads=2 --graph=pieces %s | %FileCheck %s --check-prefix=PIECES
// RUN: %mgc --emit-plan --threads=2 --graph=apart %s | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-plan --threads=2 --graph=emitted %s | %FileCheck %s --check-prefix=EMITTED
// RUN: %mgc --emit-plan --threads=2 --graph=started %s | %FileCheck %s --check-prefix=STARTED
// PIECES: call {{.*}} site 2(
// PIECES-NEXT: call {{.*}} site 3(
// PIECES-NEXT: barrier grid
// PIECES-NEXT: call {{.*}} site 4(
// APART: call {{.*}} site 0(
// APART-NEXT: call {{.*}} site 1(
// APART-NEXT: barrier grid
// APART-NEXT: call {{.*}} site 2(
// Of a loop's results, those come first that workers copy together; the first worker copies all others.
// EMITTED: for t in 0..9 {
// EMITTED: call {{.*}} site 3 copies(
// EMITTED-NEXT: barrier grid
// EMITTED-NEXT: if worker == 0 {
// EMITTED-NEXT: call {{.*}} alone copies(
// EMITTED-NEXT: call {{.*}} alone copies(
// EMITTED-NEXT: }
// What a loop begins with is copied behind a barrier: it may be in the place of what the call before has read.
// STARTED: call {{.*}} site 5(arena + [[PLACE:[0-9]+]],
// STARTED-NEXT: barrier grid
// STARTED-NEXT: call {{.*}} site 6 copies(arena + 0, arena + [[PLACE]])
mg 1

graph pieces(a: f32[128, 256], b: f32[256, 64]) -> (y: f32[256, 64]) {
    c = concat(tanh(a), exp(a), axis = 0)
    y[i, j] = sum[k] c[i, k] * b[k, j]
}

graph apart(a: f32[64, 256], b: f32[256, 64]) -> (y: f32[64, 64]) {
    c[i, j] = sum[k] a[i, k] * b[k, j]
    d[i in 0..64, j in 0..64] = sum[k in 0..64] a[k, i] * b[j, k]
    y[i, j] = sum[k] c[i, k] * d[k, j]
}

graph emitted(a: f32[16, 64]) -> (end: f32[16, 64], small: f32[9, 16, 64], large: f32[9, 64, 512]) {
    end, small, large = loop t in 0..9 carry (s = a) {
        big[i in 0..64, j in 0..512]: f32[64, 512] = tanh(s[i / 4, j / 8] * s[j / 32, i])
        n[i in 0..16, j in 0..64]: f32[16, 64] = big[i, j] + s[i, j]
        next s = n
        emit s, big
    }
}

graph started(x: f32[64, 512]) -> (y: f32[64, 512]) {
    a = tanh(x)
    zero[i in 0..64, j in 0..512]: f32[64, 512] = 0
    s = loop t in 0..3 carry (u = zero) {
        n[i in 0..64, j in 0..512]: f32[64, 512] = u[i, 511 - j] + a[i, j]
        next u = n
    }
    b[i in 0..64, j in 0..512]: f32[64, 512] = a[63 - i, 511 - j] + s[i, 511 - j]
    r = loop t in 0..3 carry (u = zero) {
        n[i in 0..64, j in 0..512]: f32[64, 512] = u[i, 511 - j] + b[i, j]
        next u = n
    }
    y[i in 0..64, j in 0..512] = r[63 - i, j]
}
