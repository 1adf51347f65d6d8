// RUN: %mgc --emit-ir --march=x86-64-v4 --passes=canonicalise,siblings --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir --graph=projections %s | %FileCheck %s --check-prefix=FUSED
mg 1
// Three projections of one input: their weights and biases are concatenated, the ops that
// follow each still follow the product, and readers read a part.
// CHECK-LABEL: graph projections
// CHECK-DAG: wq_all[i0 in 0..8, i1 in 0..6]: f32[20, 6] = wq[i0, i1]
// CHECK-DAG: wq_all[i0 in 8..16, i1 in 0..6]: f32[20, 6] = wk[i0 - 8, i1]
// CHECK-DAG: wq_all[i0 in 16..20, i1 in 0..6]: f32[20, 6] = wv[i0 - 16, i1]
// CHECK: q_all[n in 0..N, o in 0..20]: f32[N, 20] = sum[i in 0..6] x[n, i] * wq_all[o, i]
// CHECK: a_all[n in 0..N, o in 0..20]: f32[N, 20] = q_all[n, o] + bq_all[o]
// CHECK: s[n in 0..N, m in 0..N]: f32[N, N] = sum[o in 0..8] a_all[n, o] * a_all[m, o + 8]
// CHECK: y[n in 0..N, o in 0..4]: f32[N, 4] = sum[m in 0..N] s[n, m] * a_all[m, o + 16]
// FUSED: a_all: f32[N, 20] = fused {
graph projections(x: f32[N, 6]) -> (y: f32[N, 4])
    weights "projections.safetensors"
{
    param wq: f32[8, 6]
    param wk: f32[8, 6]
    param wv: f32[4, 6]
    param bq: f32[8]
    param bk: f32[8]
    param bv: f32[4]
    q[n, o] = sum[i] x[n, i] * wq[o, i]
    a[n, o] = q[n, o] + bq[o]
    k[n, o] = sum[i] wk[o, i] * x[n, i]
    b[n, o] = k[n, o] + bk[o]
    v[n, o] = sum[i] x[n, i] * wv[o, i]
    c[n, o] = bv[o] + v[n, o]
    s[n, m] = sum[o] a[n, o] * b[m, o]
    y[n, o] = sum[m] s[n, m] * c[m, o]
}
// What follows may differ: the index chooses; where nothing follows, the sum stays as it is.
// CHECK-LABEL: graph differ
// CHECK: q_all[n in 0..4, o in 0..14]
// CHECK: a_all[n in 0..4, o in 0..14]: f32[4, 14] = where(o < 8, max(q_all[n, o], 0.0), where(o < 10, q_all[n, o], tanh(q_all[n, o])))
// CHECK: y[n in 0..4, o in 0..2]: f32[4, 2] = a_all[n, o] * a_all[n, o + 8] * a_all[n, o + 10]
graph differ(x: f32[4, 6]) -> (y: f32[4, 2])
    weights "differ.safetensors"
{
    param wq: f32[8, 6]
    param wk: f32[2, 6]
    param wv: f32[4, 6]
    q[n, o] = sum[i] x[n, i] * wq[o, i]
    k[n, o] = sum[i] x[n, i] * wk[o, i]
    v[n, o] = sum[i] x[n, i] * wv[o, i]
    a[n, o] = max(q[n, o], 0)
    c[n, o] = tanh(v[n, o])
    y[n, o in 0..2] = a[n, o] * k[n, o] * c[n, o]
}
// Slices of one tensor that follow one another need no new tensor; they may be given at run time.
// CHECK-LABEL: graph slices
// CHECK: k_all[h in 0..6, n in 0..5, e in 0..4]: f32[6, 5, 4] = sum[i in 0..6] x[n, i] * w[4*h + e, i]
// CHECK: y[n in 0..5]: f32[5] = sum[h in 0..3, e in 0..4] k_all[h, n, e] * k_all[h + 3, n, e]
graph slices(x: f32[5, 6], w: f32[24, 6]) -> (y: f32[5]) {
    k[h in 0..3, n, e in 0..4]: f32[3, 5, 4] = sum[i] x[n, i] * w[4 * h + e + 12, i]
    q[h in 0..3, n, e in 0..4]: f32[3, 5, 4] = sum[i] x[n, i] * w[4 * h + e, i]
    y[n] = sum[h, e] q[h, n, e] * k[h, n, e]
}
// Convolutions of 1 x 1, and a product in batches.
// CHECK-LABEL: graph images
// CHECK: p_all[c in 0..12, i in 0..5, j in 0..5]: f32[12, 5, 5] = sum[d in 0..3] x[d, i, j] * wp_all[c, d]
// CHECK: b_all[z in 0..2, i in 0..5, j in 0..9]
graph images(x: f32[3, 5, 5], u: f32[2, 5, 7]) -> (y: f32[4], z: f32[2, 5, 3])
    weights "images.safetensors"
{
    param wp: f32[8, 3]
    param wr: f32[4, 3]
    param wb: f32[2, 7, 6]
    param wc: f32[2, 7, 3]
    p[c, i, j] = sum[d] x[d, i, j] * wp[c, d]
    r[c, i, j] = sum[d] x[d, i, j] * wr[c, d]
    y[c] = sum[i, j] p[c, i, j] * p[c + 4, i, j] * r[c, i, j]
    b[z, i, j] = sum[k] u[z, i, k] * wb[z, k, j]
    d[z, i, j] = sum[k] u[z, i, k] * wc[z, k, j]
    z[z, i, j] = b[z, i, j] * b[z, i, j + 3] * d[z, i, 2 - j]
}
// In a loop the tensors are concatenated before it. What the cell makes of all gates is a kernel of
// its own then, which costs less than the two products that are gone.
// CHECK-LABEL: graph cell
// CHECK: u_all[i0 in 0..4, i1 in 0..4]: f32[12, 4] = u[i0, i1]
// CHECK: loop t in 0..T
// CHECK: fs_all[o in 0..12]: f32[12] = sum[i in 0..4] s[i] * u_all[o, i]
// CHECK: f_all[o in 0..12]: f32[12] = where(o < 8, 1.0 / (1.0 + exp(-fs_all[o])), tanh(fs_all[o]))
graph cell(x: f32[T, 4], h0: f32[4]) -> (h: f32[4])
    weights "cell.safetensors"
{
    param u: f32[4, 4]
    param v: f32[4, 4]
    param w: f32[4, 4]
    h = loop t in 0..T carry (s = h0) {
        fs[o in 0..4]: f32[4] = sum[i] s[i] * u[o, i]
        gs[o in 0..4]: f32[4] = sum[i] s[i] * v[o, i]
        ks[o in 0..4]: f32[4] = sum[i] s[i] * w[o, i]
        f[o in 0..4]: f32[4] = 1.0 / (1.0 + exp(-fs[o]))
        g[o in 0..4]: f32[4] = 1.0 / (1.0 + exp(-gs[o]))
        k[o in 0..4]: f32[4] = tanh(ks[o])
        n[o in 0..4]: f32[4] = f[o] * x[t, o] + g[o] * k[o]
        next s = n
    }
}
// Weights that are given at run time are concatenated in every run, if that saves enough lanes that thin
// results leave idle. Results that are seen from outside are copied.
// CHECK-LABEL: graph given
// CHECK-DAG: a_all[i0 in 0..8, i1 in 0..256]: f32[16, 256] = a[i0, i1]
// CHECK-DAG: a_all[i0 in 8..16, i1 in 0..256]: f32[16, 256] = b[i0 - 8, i1]
// CHECK: p_all[n in 0..64, o in 0..16]: f32[64, 16] = sum[i in 0..256] x[n, i] * a_all[o, i]
// CHECK: z[n in 0..64]: f32[64] = p_all[n, 0] * p_all[n, 8]
// CHECK-DAG: p[i0 in 0..64, i1 in 0..8]: f32[64, 8] = p_all[i0, i1]
// CHECK-DAG: q[i0 in 0..64, i1 in 0..8]: f32[64, 8] = p_all[i0, i1 + 8]
graph given(x: f32[64, 256], a: f32[8, 256], b: f32[8, 256]) -> (p: f32[64, 8], q: f32[64, 8], z: f32[64]) {
    p[n, o] = sum[i] x[n, i] * a[o, i]
    q[n, o] = sum[i] x[n, i] * b[o, i]
    z[n] = p[n, 0] * q[n, 0]
}
// A read before a later step is made reads the step before it.
// CHECK-LABEL: graph early
// CHECK: p_all[n in 0..4, o in 0..7]
// CHECK: y[n in 0..4, o in 0..4]: f32[4, 4] = p_all[n, o] * p_all[n, 3 - o]
// CHECK: r_all[n in 0..4, o in 0..7]: f32[4, 7] = where(o < 4, p_all[n, o], max(p_all[n, o], 0.0))
graph early(x: f32[4, 6]) -> (y: f32[4, 4], z: f32[4])
    weights "early.safetensors"
{
    param u: f32[4, 6]
    param v: f32[3, 6]
    p[n, o] = sum[i] x[n, i] * u[o, i]
    q[n, o] = sum[i] x[n, i] * v[o, i]
    y[n, o] = p[n, o] * p[n, 3 - o]
    r[n, o] = max(q[n, o], 0)
    z[n] = sum[o in 0..3] r[n, o] * r[n, 2 - o]
}
