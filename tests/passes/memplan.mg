// Every row of the memory plan, and every bar of its picture, names a line. Memory of a kernel's own has the line of its op.
// RUN: %mgc --emit-memplan --march=x86-64-v3 --graph=net %s | %FileCheck %s
// RUN: %mgc --emit-memplan --march=x86-64-v3 --graph=turns %s | %FileCheck %s --check-prefix=TURNS
// RUN: %mgc --emit-memplan -O1 --graph=rounded %s | %FileCheck %s --check-prefix=ROUNDED
// RUN: %mgc --emit-memplan --graph=softened %s | %FileCheck %s --check-prefix=PLACED
// RUN: %mgc --emit-memplan --march=x86-64-v3 --graph=net %s -o %t.svg && %FileCheck %s --check-prefix=SVG --input-file=%t.svg
mg 1
graph net(x: f32[2, 16, 14, 14]) -> (y: f32[2, 16, 14, 14])
    weights "none.safetensors"
{
    param w: f32[16, 16, 3, 3]
    // CHECK: y {{.*}} an output's buffer {{.*}}memplan.mg:[[@LINE+5]]:9
    // CHECK: (packed) {{.*}} packed once, of what never changes {{.*}}memplan.mg:[[@LINE+4]]:14
    // CHECK: (scratch) {{.*}} a kernel's scratch {{.*}}memplan.mg:[[@LINE+3]]:14
    // SVG: packed, {{.*}}memplan.mg:[[@LINE+2]]: packed once, of what never changes
    // SVG: scratch, {{.*}}memplan.mg:[[@LINE+1]]: a kernel's scratch
    y = relu(conv2d(x, w, pad = 1))
}

// The weights of a loop's product are packed before the loop.
graph turns(x: f32[16, 256], w: f32[1024, 256]) -> (y) {
    y = loop t in 0..9 carry (h = x) {
        // TURNS: (packed) {{.*}} packed once for all trips of a loop {{.*}}memplan.mg:[[@LINE+1]]:
        s[n, j] = sum[k] h[n, k] * w[j, k]
        r[n, j in 0..256] = tanh(s[n, j] + s[n, j + 256] * s[n, j + 512] + s[n, j + 768])
        next h = r
    }
}

// What is stored in a type is not changed by a rounding to that type.
graph rounded(x: f32[64, 64], w: f32[64, 64]) -> (y: f32[64, 64]) {
    a[i, j]: bf16[64, 64] = sum[k] x[i, k] * w[k, j]
    // ROUNDED: b {{.*}} a view {{.*}}memplan.mg:[[@LINE+1]]:
    b[(i, j)]: bf16[4096] = f32(bf16(a[i, j]))
    y[i, j] = b[i + 64 * j] + 1
}

// A value may take the bytes of what another op of its kernel reads, element by element.
graph softened(x: f32[64, 512], z: f32[64]) -> (y: f32[64, 64]) {
    a[i, j]: bf16[64, 512] = sum[k] x[i, k] * x[j % 64, k]
    m[j] = max[i] a[i, j]
    // PLACED: b {{.*}} in place of a {{.*}}memplan.mg:[[@LINE+2]]:
    e[i, j] = z[i] * exp(f32(a[i, j]) - f32(m[j]))
    b[i, j in 0..512]: bf16[64, 512] = bf16(e[i, j] - where(j == i, 1.0, 0.0))
    y[i, k] = sum[j] f32(b[i, j]) * x[k, j]
}
