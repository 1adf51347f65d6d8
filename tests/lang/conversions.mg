mg 1
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// A copy keeps its type. A conversion has the type in which its value is computed, even if there is
// nothing to compute.
op over_none(x: bf16[S, ..R]) -> (y: f32[S]) {
    wide[s] = sum[..r] x[s, ..r]
    y = wide
}
// CHECK: graph step(
graph step(h: f16[4], q: i8[4], i: i64[4]) -> (loss: f32[], kept: f32[2, 4])
{
    param w: bf16[4] = 1
    // CHECK: copy[s in 0..4]: bf16[4] = w[s]
    copy[s] = w[s]
    // CHECK: a[s in 0..4]: f32[4] = w[s]
    a[s] = f32(w[s])
    // CHECK: b[s in 0..4]: f32[4] = h[s]
    b[s] = f32(h[s])
    // CHECK: narrow[s in 0..4]: f32[4] = f16(h[s])
    narrow[s] = f16(h[s])
    // CHECK: c[s in 0..4]: f32[4] = f32(q[s])
    c[s] = f32(q[s])
    // CHECK: gathered[s in 0..4]: f32[4] = w[i[s]]
    gathered[s in 0..4] = f32(w[i[s]] else 0)
    // CHECK: total_wide[s in 0..4]: f32[4] = w[s]
    total = over_none(w)
    // CHECK: chosen[s in 0..4]: f32[4] = w[s]
    chosen[s] = where(true, f32(w[s]), 0)
    // CHECK: scanned[i in 0..4]: f32[4] = sum[j in 0..i + 1] a[j]
    scanned = cumsum(a)
    // CHECK: l_a[s in 0..4]: f32[4] = w[s]
    c2, kept = loop t in 0..2 carry (c1 = c) {
        l_a[s] = f32(w[s])
        next c1 = add(c1, l_a)
        emit l_a
    }
    loss[] = sum[s] (a[s] + b[s] + c[s] + gathered[s] + f32(copy[s]) + f32(narrow[s]) + chosen[s])
    // CHECK: d_chosen[s in 0..4]: f32[4] =
    // CHECK: d_copy[s in 0..4]: bf16[4] =
    // CHECK: d_gathered[s in 0..4]: f32[4] =
    // CHECK: d_a[s in 0..4]: f32[4] =
    // CHECK: d_w[s in 0..4]: bf16[4] =
    d = derivative(loss, w)
    next w = sub(w, d)
}
