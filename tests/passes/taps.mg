// RUN: %mgc --emit-ir --passes=canonicalise,taps,canonicalise --march=x86-64-v3 --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --passes=canonicalise,taps,canonicalise --march=x86-64-v3 --strict %s | %FileCheck %s --check-prefix=STRICT
// RUN: %mgc --emit-ir --passes=canonicalise,taps,canonicalise --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=GPU
// RUN: %mgc --emit-ir --march=x86-64-v3 --graph=far %s | %FileCheck %s --check-prefix=FUSED
mg 1

// The outer taps are inside at 32 of 160 places: each has a sum of its own, which needs no condition.
// CHECK: graph far
// CHECK: y_conv1d_0[n in 0..1, m in 0..128, o in 0..32]: f32[1, 128, 32] = sum[c in 0..256] x[n, c, o] * w[m, c, 0]
// CHECK: y_conv1d_1[n in 0..1, m in 0..128, o in 0..160]: f32[1, 128, 160] = sum[c in 0..256] x[n, c, o] * w[m, c, 1]
// CHECK: y_conv1d_2[n in 0..1, m in 0..128, o in 0..32]: f32[1, 128, 32] = sum[c in 0..256] x[n, c, o + 128] * w[m, c, 2]
// CHECK: y_conv1d[n in 0..1, m in 0..128, o in 0..160]: f32[1, 128, 160] = y_conv1d_0[n, m, o - 128] else 0.0 + y_conv1d_1[n, m, o] + y_conv1d_2[n, m, o] else 0.0
// STRICT: graph far
// STRICT: sum[c in 0..256, k in 0..3]
// GPU: graph far
// GPU: sum[c in 0..256, k in 0..3]
// Their addition isn't the end of a product, whose vectors have lanes in several rows; here they have not.
// FUSED: y_conv1d_1[
// FUSED: yield
// FUSED: #anchor("contraction")
graph far(x: f32[1, 256, 160], w: f32[128, 256, 3]) -> (y: f32[1, 128, 160]) {
    y = relu(conv1d(x, w, pad = 128, dilation = 128))
}

// Taps that are inside nowhere are dropped, on every target.
// CHECK: graph nowhere
// CHECK: y[n in 0..1, m in 0..128, o in 0..160]: f32[1, 128, 160] = sum[c in 0..256] x[n, c, o] * w[m, c, 1]
// STRICT: graph nowhere
// STRICT: sum[c in 0..256, k in 0..3]
// GPU: graph nowhere
// GPU: y[n in 0..1, m in 0..128, o in 0..160]: f32[1, 128, 160] = sum[c in 0..256] x[n, c, o] * w[m, c, 1]
graph nowhere(x: f32[1, 256, 160], w: f32[128, 256, 3]) -> (y: f32[1, 128, 160]) {
    y = conv1d(x, w, pad = 160, dilation = 160)
}

// A causal convolution with a stride: at place o, tap k is inside if 2 * o >= 100 - 100 * k.
// CHECK: graph causal
// CHECK: y_conv1d_0[n in 0..1, m in 0..128, o in 0..14]: f32[1, 128, 14] = sum[c in 0..256] x[n, c, 2*o] * w[m, c, 0]
// CHECK: y_conv1d_1[n in 0..1, m in 0..128, o in 0..64]: f32[1, 128, 64] = sum[c in 0..256] x[n, c, 2*o] * w[m, c, 1]
// CHECK: y_conv1d_0[n, m, o - 50] else 0.0 + y_conv1d_1[n, m, o]
graph causal(x: f32[1, 256, 128]) -> (y: f32[1, 128, 64])
    weights "none.safetensors"
{
    param w: f32[128, 256, 2]
    y = relu(conv1d(x, w, pad = 100, pad_end = 0, dilation = 100, stride = 2))
}

// If most taps are inside, one sum is better; and open sizes have no known places.
// CHECK: graph near
// CHECK: sum[c in 0..256, k in 0..3] x[n, c, o + 8*k - 8] else 0.0 * w[m, c, k]
// CHECK: graph open
// CHECK: sum[c in 0..256, k in 0..3]
graph near(x: f32[1, 256, 160], w: f32[128, 256, 3]) -> (y: f32[1, 128, 160]) {
    y = conv1d(x, w, pad = 8, dilation = 8)
}
graph open(x: f32[1, 256, N], w: f32[128, 256, 3]) -> (y: f32[1, 128, N]) {
    y = conv1d(x, w, pad = 128, dilation = 128)
}

// Weights that change with every run lie tap beside tap: each of many sums would read all their lines.
// CHECK: graph given
// CHECK: sum[c in 0..256, k0 in 0..7, k1 in 0..7]
// CHECK: graph kept
// CHECK: y_48[
graph given(x: f32[1, 256, 7, 7], w: f32[256, 256, 7, 7]) -> (y: f32[1, 256, 7, 7]) {
    y = conv2d(x, w, pad = 3)
}
graph kept(x: f32[1, 256, 7, 7]) -> (y: f32[1, 256, 7, 7])
    weights "none.safetensors"
{
    param v: f32[256, 256, 7, 7]
    y = conv2d(x, v, pad = 3)
}
