mg 1
// RUN: %mgc --emit-ir -O0 --graph=product --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=PRODUCT %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=product --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir -O0 --graph=image --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=IMAGE %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=stepped --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=STEPPED %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=stepped --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir -O0 --graph=slices --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=SLICES %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=slices --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir -O0 --graph=heads --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=HEADS %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=table --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=TABLE %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=steps --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=STEPS %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=steps --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir -O0 --graph=batches --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=BATCHES %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=batches --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir -O0 --graph=forward --no-annotations %s -o %t.mg
// RUN: %FileCheck --check-prefix=FORWARD %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=forward --no-annotations %t.mg | diff - %t.mg
// RUN: %mgc run %s --graph=forward --input x=3,4 --input v=1,0 | %FileCheck --check-prefix=VALUES %s
// RUN: %mgc --emit-ir -O0 --graph=rows %s -o %t.mg
// RUN: %FileCheck --check-prefix=MARKS %s < %t.mg
// RUN: %mgc --emit-ir -O0 --graph=rows %t.mg | diff - %t.mg
// RUN: %mgc --emit-ir --graph=rows %s | %FileCheck --check-prefix=FUSED %s

// The backward part of a product is two products.
graph product(x: f32[N, 4], w: f32[5, 4], g: f32[N, 5]) -> (dx, dw) {
    y[n, o] = sum[i] x[n, i] * w[o, i]
    dx = derivative(y, x, along = g)
    dw = derivative(y, w, along = g)
}
// PRODUCT: dx[n in 0..N, i in 0..4]: f32[N, 4] = sum[o in 0..5] g[n, o] * w[o, i]
// PRODUCT: dw[o in 0..5, i in 0..4]: f32[5, 4] = sum[n in 0..N] g[n, o] * x[n, i]

// The backward part of a convolution with step 1 is two convolutions; nothing is written to computed places.
graph image(x: f32[2, 3, 8, 8], w: f32[4, 3, 3, 3], g: f32[2, 4, 8, 8]) -> (dx, dw) {
    y = conv2d(x, w, pad = 1)
    dx = derivative(y, x, along = g)
    dw = derivative(y, w, along = g)
}
// IMAGE: dx[n in 0..2, {{.*}}, o0 in 0..8, o1 in 0..8]: f32[2, 3, 8, 8] = sum[{{.*}}k0 in 0..3, k1 in 0..3] g[{{.*}}o0 + 1 - k0, o1 + 1 - k1] else 0.0 * w
// IMAGE: dw[{{.*}}k0 in 0..3, k1 in 0..3]: f32[4, 3, 3, 3] = sum[n in 0..2, o0 in 0..8, o1 in 0..8]

// With a stride, each residue has its own convolution, over the taps that arrive there.
graph stepped(x: f32[2, 3, 9], w: f32[4, 3, 3], g: f32[2, 4, 5]) -> (dx) {
    y = conv(x, w, pad = 1, stride = 2)
    dx = derivative(y, x, along = g)
}
// STEPPED-NOT: else none
// STEPPED: d_x_class[n in 0..2, (g in 0..1, c in 0..3), o in 0..5]: f32[2, 3, 5] = sum[m in 0..4, k in 0..1] g[n, 4*g + m, o - k] * w[4*g + m, c, 2*k + 1]
// STEPPED-NEXT: d_x_class_2[n in 0..2, (g in 0..1, c in 0..3), o in 0..5]: f32[2, 3, 5] = sum[m in 0..4, k in 0..2] g[n, 4*g + m, o + 1 - k] else 0.0 * w[4*g + m, c, 2*k]
// STEPPED-NEXT: d_x_whole[i0 in 0..2, i1 in 0..3, (i2 in 0..5, i2_step in 0..2)]: f32[2, 3, 10] = where(i2_step == 0, d_x_class[i0, i1, i2], d_x_class_2[i0, i1, i2])
// STEPPED-NEXT: dx[i0 in 0..2, i1 in 0..3, i2 in 0..9]: f32[2, 3, 9] = d_x_whole[i0, i1, i2]

// A read of a part contributes to that part alone, and the rest is 0.
graph slices(x: f32[2, 12], g: f32[2, 4]) -> (dx) {
    y[i, j]: f32[2, 4] = sigmoid(x[i, j]) * tanh(x[i, j + 6]) + x[i, 11]
    dx = derivative(y, x, along = g)
}
// SLICES: d_x_part[i in 0..2, i1 in 0..1]: f32[2, 1] = sum[j in 0..4] g[i, j]
// SLICES-NEXT: dx[i in 0..2, j in 0..4]: f32[2, 12] = {{.*}}tanh(x[i, j + 6])
// SLICES-NEXT: dx[i0 in 0..2, i1 in 4..6]: f32[2, 12] = 0.0
// SLICES-NEXT: dx[i in 0..2, j in 6..10]: f32[2, 12] = {{.*}}tanh(x[i, j])
// SLICES-NEXT: dx[i0 in 0..2, i1 in 10..11]: f32[2, 12] = 0.0
// SLICES-NEXT: dx[i0 in 0..2, i1 in 11..12]: f32[2, 12] = d_x_part[i0, i1 - 11]

// So do rows of heads that stand side by side: each has a part, and no head is looked for.
graph heads(x: f32[2, 24], g: f32[2, 3, 4]) -> (dx) {
    y[i, h, e]: f32[2, 3, 4] = x[i, 4 * h + e] * x[i, 4 * h + e + 12]
    dx = derivative(y, x, along = g)
}
// HEADS: d_x_part[i in 0..2, (h in 0..3, e in 0..4)]: f32[2, 12] = g[i, h, e] * x[i, 4*h + e + 12]
// HEADS-NEXT: d_x_part_2[i in 0..2, (h in 0..3, e in 0..4)]: f32[2, 12] = {{.*}}g[i, h, e]
// HEADS-NEXT: dx[i0 in 0..2, i1 in 0..12]: f32[2, 24] = d_x_part[i0, i1]
// HEADS-NEXT: dx[i0 in 0..2, i1 in 12..24]: f32[2, 24] = d_x_part_2[i0, i1 - 12]

// A table's rows are added up where they were read; a read by row and column needs no write.
graph table(ids: i64[7], w: f32[10, 4], p: f32[7, 4], g: f32[7, 4]) -> (dw, dp) {
    rows[n, c] = w[ids[n], c]
    dw = derivative(rows, w, along = g)
    one[n] = p[n, ids[n]]
    total[] = sum[n] one[n]
    dp = derivative(total, p)
}
// TABLE: dw[ids[n], c in 0..4]: f32[10, 4] = sum[n in 0..7] g[n, c]
// TABLE: dp[n in 0..7, i1 in 0..4]: f32[7, 4] = where(ids[n] == i1, d_one[n], 0.0)

// The forward loop emits what the backward one needs, which takes it in reverse. The product for w
// follows the loop.
graph steps(x: f32[T, 3], w: f32[3, 3], h0: f32[3]) -> (dw)
    require T >= 1
{
    final = loop t in 0..T carry (h = h0) {
        a[j] = tanh(x[t, j] + (sum[k] w[j, k] * h[k]))
        next h = a
    }
    dw = derivative(final, w, along = h0)
}
// STEPS: final: f32[3], h_all: f32[T, 3], a_all: f32[T, 3] = loop t in 0..T
// STEPS: emit h, a
// STEPS: d_h0: f32[3], d_a_sum_2_all: f32[T, 3] = loop u in 0..T carry (d_h: f32[3] = h0) {
// STEPS-NEXT: a_2_2[i0 in 0..3]: f32[3] = a_all[T - u - 1, i0]
// STEPS-NEXT: d_a_sum_2[j in 0..3]: f32[3] = d_h[j] * (1.0 - a_2_2[j] * a_2_2[j])
// STEPS-NEXT: d_h_2[k in 0..3]: f32[3] = sum[j in 0..3] d_a_sum_2[j] * w[j, k]
// STEPS: emit d_a_sum_2
// STEPS: dw[j in 0..3, k in 0..3]: f32[3, 3] = sum[trip in 0..T] d_a_sum_2_all[trip, j] * h_all[T - trip - 1, k]

// The part of x that a trip reads has an adjoint of its own, and a body without a state is recomputed.
graph batches(x: f32[12, 3], w: f32[3, 2]) -> (dx, dw) {
    zero[]: f32[] = 0
    total = loop batch in 0..4 carry (s = zero) {
        l[] = sum[k] tanh(sum[j] x[batch + 2, j] * w[j, k])
        next s = add(s, l)
    }
    dx = derivative(total, x)
    dw = derivative(total, w)
}
// BATCHES: total: f32[], s_all: f32[4] = loop batch in 0..4
// BATCHES: emit s
// BATCHES: x_part[i1 in 0..3]: f32[3] = x[5 - {{u[0-9]*}}, i1]
// BATCHES: dx[i0 in 0..2, i1 in 0..3]: f32[12, 3] = 0.0
// BATCHES-NEXT: dx[i0 in 2..6, i1 in 0..3]: f32[12, 3] = d_x_part_all[5 - i0, i1]
// BATCHES-NEXT: dx[i0 in 6..12, i1 in 0..3]: f32[12, 3] = 0.0

// `towards` goes forward: pieces stay pieces, and a loop whose end the data decide has one, too.
graph forward(x: f32[2], v: f32[2]) -> (t, s) {
    y = concat(x, mul(x, x), axis = 0)
    t = derivative(y, x, towards = v)
    halved = loop carry (a = x) while a[0] > 1 {
        next a = mul(a, 0.5)
    }
    s = derivative(halved, x, towards = v)
}
// FORWARD: t[i0 in 0..2]: f32[4] = v[i0]
// FORWARD: t[i0 in 2..4]: f32[4] = t_y_mul[i0 - 2]
// FORWARD: halved_2: f32[2], s: f32[2] = loop carry (a_{{.}}: f32[2] = x, t_a: f32[2] = v) while a_{{.}}[0] > 1.0
// VALUES: t: f32[4] = [1.0, 0.0, 6.0, 0.0]
// VALUES: s: f32[2] = [0.25, 0.0]

// Every statement of a derivative is marked, also within fused ops; a text that is read back keeps it.
graph rows(x: f32[4, 8]) -> (d) {
    m[i] = mean[j] exp(x[i, j])
    d = derivative(m, x, along = m)
}
// MARKS: m[i in 0..4]: f32[4] = mean[j in 0..8] exp(x[i, j]){{$}}
// MARKS-NEXT: d[i in 0..4, j in 0..8]: f32[4, 8] = m[i] / 8.0 * exp(x[i, j]) #backward{{$}}
// FUSED: m[i in 0..4]: f32[4] = mean[j in 0..8] exp(x[i, j]){{$}}
// FUSED: * exp(x[i, j]) #backward{{$}}
