// The normalised row that a product of a matrix by a vector reads is computed again by each group of
// a GPU's items: one kernel instead of two. It is not for very many groups, for a row with another
// reader, or on a CPU, where a kernel begins at once; nor where it would not be one kernel, and each
// group's row would be stored.
// RUN: %mgc --emit-ir --graph=near --passes=squeeze,inline,repeat --verify-each --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=IR
// RUN: %mgc --emit-ir --graph=near --passes=squeeze,inline,repeat --march=h200 --target=gpu %s | %mgc --emit-ir -O0 - | %FileCheck %s --check-prefix=IR
// RUN: %mgc --emit-kernels --graph=near --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=NEAR
// RUN: %mgc --emit-schedule --graph=far --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-schedule --graph=read --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-memplan --graph=unknown --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=STORED
// RUN: %mgc --emit-memplan --graph=turned --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=STORED
// RUN: %mgc --emit-memplan --graph=scaled --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=STORED
// RUN: %mgc --emit-schedule --graph=near --march=x86-64-v4 %s | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-schedule --graph=near --strict --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=APART
mg 1

// IR: m_r[o in 0..2048]: f32[2048] = mean[i in 0..512] x[i]
// IR: n[o_ in 0..2048, o in 0..512]: f32[2048, 512] = x[o] - m_r[o_]
// IR: s[o in 0..2048]: f32[2048] = sum[i in 0..512] n[o, i] * w[o, i]

// The rows of a group read their weights and biases first, then share the row in local memory.
// NEAR: kernel {{.*}} items 128 groups 1024
// NEAR: v: f32 = b[
// NEAR: = w[
// NEAR: = x[
// NEAR: barrier group
// NEAR: row[own.2]
// NEAR: barrier group
// NEAR: = row[own]
// NEAR-NOT: kernel
graph near(x: f32[512], w: f32[2048, 512], b: f32[2048]) -> (y: f32[2048]) {
    m = mean(x)
    n[o] = x[o] - m[]
    s[o] = sum[i] n[i] * w[o, i]
    y[o] = s[o] + b[o]
}

// APART: schedule {{.*}}n on
// APART: schedule {{.*}}y on
graph far(x: f32[512], w: f32[1048576, 512]) -> (y: f32[1048576]) {
    m = mean(x)
    n[i] = x[i] - m[]
    y[o] = sum[i] n[i] * w[o, i]
}

graph read(x: f32[512], w: f32[2048, 512]) -> (y: f32[2048], n: f32[512]) {
    m = mean(x)
    n[i] = x[i] - m[]
    y[o] = sum[i] n[i] * w[o, i]
}

// STORED: n {{ *[0-9]+ +[0-9]+ +}}{{2048|4\*S}} {{.*}}its own bytes
graph unknown(x: f32[S], w: f32[2048, S]) -> (y: f32[2048]) {
    m = mean(x)
    n[i] = x[i] - m[]
    y[o] = sum[i] n[i] * w[o, i]
}

graph turned(x: f32[512], w: f32[2048, 512]) -> (y: f32[2048]) {
    m = mean(x)
    t[i] = x[i] - m[]
    n[i] = max(t[i], 0) * t[511 - i]
    y[o] = sum[i] n[i] * w[o, i]
}

graph scaled(x: f32[512], w: f32[3, 2048, 512], z: f32[3]) -> (y: f32[3, 2048]) {
    m = mean(x)
    n[i] = x[i] - m[]
    y[b, o] = sum[i] n[i] * w[b, o, i] * z[b]
}
