mg 1
// RUN: for mode in --interp -O2 -O3; do %mgc run --graph=undefined --input q=ones --input k=ones --input v=ones %s $mode | %FileCheck %s --check-prefix=NAN || exit 1; done
// RUN: %mgc --emit-ir -O2 --verify-each %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --strict %s | %FileCheck --check-prefix=STRICT %s
// RUN: %mgc --emit-ir -O2 --march=x86-64-v4 --explain=fusion %s 2>&1 >/dev/null | %FileCheck --check-prefix=WHY %s
// RUN: %mgc --emit-ir -O2 %s > %t && %mgc --emit-ir -O2 --verify-each %s | cmp - %t
// A contraction, elementwise steps over the scores, a softmax over them and a contraction over the same axis are one op: no
// score leaves it. Heads are grouped, the mask is read inside.
// CHECK-LABEL: graph masked
// STRICT-LABEL: graph masked
graph masked(q: f32[B, 12, S, 64], k: f32[B, 3, L, 64], v: f32[B, 3, L, 48], m: f32[S, L]) -> (y: f32[B, 12, S, 48])
    require L >= S
{
    // CHECK: y: f32[B, 12, S, 48] = fused {
    // CHECK-NEXT: y_s_sum[b in 0..B, h in 0..3, g in 0..4, i in 0..S, j in 0..L]{{.*}} = sum[d in 0..64] q[b, 4*h + g, i, d] * k[b, h, j, d]
    // CHECK-NEXT: y_s[
    // CHECK-NEXT: + m[
    // CHECK-NEXT: where(
    // CHECK-NEXT: max[j in 0..L]
    // CHECK-NEXT: exp(
    // CHECK-NEXT: sum[j in 0..L]
    // CHECK-NEXT: y_p[
    // CHECK-NEXT: y_in[b in 0..B, (h in 0..3, g in 0..4), i in 0..S, e in 0..48]
    // CHECK-NEXT: yield y_in
    // CHECK-NEXT: } #anchor("attention")
    // The blocks' sums are rescaled, and a row's factor is applied after its sum: --strict allows neither.
    // STRICT-NOT: anchor("attention")
    y = attention(q, k, v, m, causal = true)
}
// It is found by its indices, whatever it is called and however it is cut up.
// CHECK-LABEL: graph pieces
graph pieces(a: f32[30, 16], b: f32[7, 9, 16], c: f32[8, 7, 9]) -> (y: f32[8, 30]) {
    // CHECK: } #anchor("attention")
    s[i, a1, a2] = sum[d] a[i, d] * b[a1, a2, d]
    m[i] = max[a1, a2] s[i, a1, a2]
    d[i, a1, a2] = s[i, a1, a2] - m[i]
    e[i, a1, a2] = exp(d[i, a1, a2])
    r[i] = 1 / (sum[a1, a2] e[i, a1, a2])
    y[o, i] = sum[a1, a2] c[o, a1, a2] * (r[i] * e[i, a1, a2])
}
// Elementwise ops that follow end the kernel, with what they read: broadcasts, other tensors. Heads side by side are
// split for it, and joined by a view.
// CHECK-LABEL: graph residual
graph residual(q: f32[2, 40, 48], k: f32[2, 40, 48], v: f32[2, 40, 48], x: f32[2, 40, 48], b: f32[48]) -> (y: f32[2, 40, 48])
{
    // CHECK-NEXT: {
    // CHECK-NEXT: y_3: f32[2, 40, 3, 16] = fused {
    // CHECK: a[{{.*}} = sum[j in 0..40] a_p[
    // CHECK-NEXT: * 0.5
    // CHECK-NEXT: + x[s0, s1, 16*h + e]
    // CHECK-NEXT: + b[16*h + e]
    // CHECK-NEXT: yield y_3_in
    // CHECK-NEXT: } #anchor("attention")
    // CHECK-NEXT: y[i0 in 0..2, i1 in 0..40, i2 in 0..48]: f32[2, 40, 48] = y_3[i0, i1, i2/16, i2 % 16]
    // CHECK-NEXT: {{^}}}
    a = attention(split_heads(q, heads = 3), split_heads(k, heads = 3), split_heads(v, heads = 3))
    y = merge_heads(a) * 0.5 + x + b
}
// The kernel also takes in values that only the steps after it read. One of several results may be attention's.
// CHECK-LABEL: graph before
graph before(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8], x: f32[30, 8]) -> (o: f32[30, 8], y: f16[30, 8]) {
    // CHECK-NEXT: {
    // CHECK-NEXT: o: f32[30, 8], y: f16[30, 8] = fused {
    // CHECK: o_in[{{.*}} = sum[j in 0..44]
    // CHECK-NEXT: r[{{.*}} = max(x[
    // CHECK-NEXT: o_in[{{.*}} + r[
    // CHECK-NEXT: y_in[
    // CHECK-NEXT: yield o_in, y_in
    // CHECK-NEXT: } #anchor("attention")
    // CHECK-NEXT: {{^}}}
    r = relu(x)
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    o[i, e] = sum[j] p[i, j] * v[j, e]
    y = f16(o + r)
}
// If another op reads the result in between, its kernel ends there: later steps come too late.
// CHECK-LABEL: graph between
graph between(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8], w: f32[8, 8]) -> (y: f32[30, 8]) {
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    o[i, e] = sum[j] p[i, j] * v[j, e]
    // CHECK: yield o_in
    // CHECK-NEXT: } #anchor("attention")
    // CHECK: #anchor("contraction")
    // WHY: o ({{.*}}) -> y ({{.*}}): apart: t ({{.*}}), which y ({{.*}}) needs, reads o ({{.*}}) from memory
    t[i, e] = sum[c] o[i, c] * w[c, e]
    y = o + t
}
// A reduction of its result has its own kernel: the steps that end the kernel of an attention, or of a product, reduce nothing.
// CHECK-LABEL: graph beside
graph beside(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8], x: f32[30, 8, 3]) -> (y: f32[30, 8], z: f32[30, 44]) {
    r[i, e] = max[c] x[i, e, c]
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    o[i, e] = sum[j] p[i, j] * v[j, e]
    // CHECK: r[{{.*}} = max[
    // CHECK-NEXT: y: f32[30, 8] = fused {
    // CHECK: yield y_in
    // CHECK-NEXT: } #anchor("attention")
    // WHY: r ({{.*}}) -> y ({{.*}}): apart: r ({{.*}}) reduces; the kernel of a matrix product ends with elementwise steps
    y = o + r
    t[i, j] = sum[d] q[i, d] * k[j, 15 - d]
    // CHECK: z: f32[30, 44] = fused {
    // CHECK-NEXT: t[
    // CHECK: } #anchor("contraction")
    // WHY: u ({{.*}}) -> z ({{.*}}): apart: u ({{.*}}) reduces; the kernel of a matrix product ends with elementwise steps
    u[i, j in 0..44] = max[c] x[i, 0, c] * f32(j)
    z = t + u
}
// Scores that another op reads would have to be in memory.
// CHECK-LABEL: graph leaves
graph leaves(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8], p: f32[30, 44]) {
    // CHECK-NOT: anchor("attention")
    // WHY: p ({{.*}}) -> y ({{.*}}): apart: attention keeps no scores, but another op reads them
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    y[i, e] = sum[j] p[i, j] * v[j, e]
}
// Later kernels may read what has one value for each row.
// CHECK-LABEL: graph statistics
graph statistics(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8], t: f32[30]) {
    // CHECK: m: f32[30], z: f32[30], y: f32[30, 8] = fused {
    // CHECK: yield m_in, z_in, y_in
    // CHECK-NEXT: } #anchor("attention")
    // CHECK-NEXT: t[{{.*}} = m[i] + log(z[i])
    s[i, j] = sum[d] q[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    y[i, c] = sum[j] e[i, j] / z[i] * v[j, c]
    t[i] = m[i] + log(z[i])
}
// A row with a NaN has it as its maximum, too, though blocks of keys pass over it.
// NAN: x: f32[30] = [16.0, nan, 16.0, {{.*}}, nan]
graph undefined(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8], x: f32[30]) {
    r[i, d] = sqrt(1 - q[i, d] * 2 * (i % 2))
    s[i, j] = sum[d] r[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    y[i, c] = sum[j] e[i, j] / z[i] * v[j, c]
    x = m
}
// But not before the attention ends.
// CHECK-LABEL: graph early
graph early(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8]) {
    // CHECK-NOT: anchor("attention")
    // WHY: apart: w ({{.*}}) reads a row's value before the attention ends
    s[i, j] = sum[d] q[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    w[j, c] = v[j, c] * z[j / 2]
    x = sort(w)
    y[i, c] = sum[j] e[i, j] / z[i] * x[j, c]
}
// A rounding to 8 bits is a value of its own: the weights that are multiplied have 3 or 4 significant bits.
// CHECK-LABEL: graph eighths
graph eighths(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8]) {
    // CHECK-NOT: anchor("attention")
    s[i, j] = sum[d] q[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    y[i, c] = sum[j] f32(f8e4m3(e[i, j] / z[i])) * v[j, c]
}
// CHECK-LABEL: graph stored
graph stored(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8], x: f32[30, 8]) {
    // CHECK-NOT: anchor("attention")
    s[i, j] = sum[d] q[i, d] * k[j, d]
    m[i] = max[j] s[i, j]
    e[i, j] = exp(s[i, j] - m[i])
    z[i] = sum[j] e[i, j]
    p[i, j]: f8e4m3[30, 44] = e[i, j] / z[i]
    y[i, c] = sum[j] p[i, j] * v[j, c]
    t[i, j] = sum[d] q[i, d] * k[j, d] * 2
    n[i] = max[j] t[i, j]
    f[i, j]: f8e4m3[30, 44] = exp(t[i, j] - n[i])
    w[i] = sum[j] f[i, j]
    x[i, c] = sum[j] f[i, j] / w[i] * v[j, c]
}
// Few queries leave most lanes idle, and their scores are no larger than the operands.
// CHECK-LABEL: graph decode
graph decode(q: f32[4, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[4, 8]) {
    // CHECK-NOT: anchor("attention")
    // WHY: apart: the attention that ends in {{.*}} has {{[0-9]+}} rows; one kernel pays from 14
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    y[i, e] = sum[j] p[i, j] * v[j, e]
}
// After the softmax, weights may be multiplied by any factor that isn't computed from scores, or be dropped.
// CHECK-LABEL: graph gains
graph gains(q: f32[44, 16], k: f32[44, 16], v: f32[44, 8], x: f32[44, 44], g: f32[44]) -> (y: f32[44, 8]) {
    // CHECK-NEXT: {
    // CHECK-NEXT: y: f32[44, 8] = fused {
    // CHECK: } #anchor("attention")
    // CHECK-NEXT: {{^}}}
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    w[i, j] = where(x[i, j] > 0.2, p[i, j] / 0.8, 0)
    y[i, e] = sum[j] w[i, j] * g[j] * v[j, e]
}
// Weights that change with the column, or with scores, have no common factor in a row. A transposed matrix has other rows.
// CHECK-LABEL: graph others
graph others(q: f32[44, 16], k: f32[44, 16], v: f32[44, 8], g: f32[8])
    -> (y: f32[44, 8], x: f32[44, 8], z: f32[44, 8])
{
    // CHECK-NOT: anchor("attention")
    s[i, j] = sum[d] q[i, d] * k[j, d]
    p = softmax(s)
    y[i, e] = sum[j] (p[i, j] * g[e]) * v[j, e]
    r[i, j] = sum[d] q[i, d] * k[j, d] * 3
    o = softmax(r)
    w[i, j] = where(r[i, j] > 0, o[i, j], 0)
    x[i, e] = sum[j] w[i, j] * v[j, e]
    t[i, j] = sum[d] q[i, d] * k[j, d] * 2
    u = softmax(t)
    z[i, e] = sum[j] u[j, i] * v[j, e]
}
