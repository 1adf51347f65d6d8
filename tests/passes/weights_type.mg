// Weights in a narrow type: rounded, or with a scale for each output channel, which leaves the sum.
// RUN: %mgc --emit-ir -O0 --weights-type=bf16 %s | %FileCheck %s --check-prefix=BF16
// RUN: %mgc --emit-ir -O0 --weights-type=i8 %s | %FileCheck %s --check-prefix=I8
// RUN: %mgc --emit-ir -O0 --weights-type=f8e4m3 %s | %FileCheck %s --check-prefix=F8
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s --check-prefix=GIVEN
// The first run makes them, and later runs read them.
// RUN: %mgc --emit-plan --weights-type=i8 %s | %FileCheck %s --check-prefix=PLAN
// RUN: %mgc --emit-plan --weights-type=bf16 --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90 %s | %FileCheck %s --check-prefix=GPU
mg 1
graph net(x: f32[5, 256], e: f32[256, 8], i: i64[5])
    -> (y: f32[5, 512], z: f32[5, 64], c: f32[1, 8, 6, 6], s: f32[5], u: f32[5, 8])
{
    // GIVEN-NOT: _scale
    // BF16: w_bf16[i0 in 0..512, i1 in 0..256]: bf16[512, 256] = f32(bf16(w[i0, i1]))
    // I8: w_most[i0 in 0..512]: f32[512] = max[i1 in 0..256] abs(w[i0, i1])
    // I8: w_scale[i0 in 0..512]: f32[512] = where(w_most[i0] > 0.0, w_most[i0] / 127.0, 1.0)
    // I8: w_i8[i0 in 0..512, i1 in 0..256]: i8[512, 256] = i8(round(w[i0, i1] / w_scale[i0]))
    // F8: w_scale[i0 in 0..512]: f32[512] = where(w_most[i0] > 0.0, w_most[i0] / 448.0, 1.0)
    // F8: w_f8e4m3[i0 in 0..512, i1 in 0..256]: f8e4m3[512, 256] = f32(f8e4m3(w[i0, i1] / w_scale[i0]))
    param w: f32[512, 256]
    param b: f32[512]
    param v0: f32[64, 512]
    // Channels that belong to groups are channels of the result.
    // I8: f_most[i0 in 0..8]: f32[8] = max[i1 in 0..5, i2 in 0..3, i3 in 0..3] abs(f[i0, i1, i2, i3])
    param f: f32[8, 5, 3, 3]
    // Neither a bias, nor a table, nor a factor of a dot product.
    param t: f32[5, 256]
    // What is computed from parameters alone is a weight, too.
    // I8: v_scale[{{.*}}]: f32[64] =
    v[k, j] = 2 * v0[j, k]
    // BF16: sum[i in 0..256] x[n, i] * w_bf16[o, i]
    // I8: y_sum_sum[n in 0..5, o in 0..512]: f32[5, 512] = sum[i in 0..256] x[n, i] * f32(w_i8[o, i])
    // I8: y_sum[i0 in 0..5, i1 in 0..512]: f32[5, 512] = y_sum_sum[i0, i1] * w_scale[i1]
    // F8: sum[i in 0..256] x[n, i] * w_f8e4m3[o, i]
    y = linear(x, w, b)
    // I8: z_sum[{{.*}}] = sum[k in 0..512] z_relu[i, k] * f32(v_i8[k, j])
    // I8: z[i0 in 0..5, i1 in 0..64]: f32[5, 64] = z_sum[i0, i1] * v_scale[i1]
    z = matmul(relu(y), v)
    img[n in 0..1, k in 0..5, h in 0..8, l in 0..8] = x[k, h * 8 + l]
    // I8: c[{{.*}}]: f32[1, 8, 6, 6] = c_sum[i0, i1, i2, i3] * f_scale[i1]
    c = conv2d(img, f)
    // I8: s[n in 0..5]: f32[5] = sum[k in 0..256] x[n, k] * t[i[n], k] else 0.0
    s[n] = sum[k] x[n, k] * (t[i[n], k] else 0)
    // I8: u[{{.*}}] = sum[k in 0..256] x[n, k] * e[k, j]
    u[n, j] = sum[k] x[n, k] * e[k, j]
}
// PLAN: if slots[2] == 0 {
// PLAN: site 0 untimed
// GPU: if slots[2] == 0 {
// GPU: site 0 untimed(weight0 + 0, arena
