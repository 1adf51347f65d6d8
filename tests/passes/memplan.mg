// Every row of the memory plan, and every bar of its picture, names a line. Memory of a kernel's own has the line of its op.
// RUN: %mgc --emit-memplan --march=x86-64-v3 --graph=net %s | %FileCheck %s
// RUN: %mgc --emit-memplan --march=x86-64-v3 --graph=turns %s | %FileCheck %s --check-prefix=TURNS
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
