mg 1
// Where a device copies factors by itself, rows that end within a vector become longer: a factor's, a product's results, and those
// of the elementwise equations between them. An element that data choose is still checked against the row's own end. The rows of
// outputs stay, of what a read leaves on purpose, and of attention; and where they would become much longer.
// RUN: %mgc --emit-ir --graph=long --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=LONG
// RUN: %mgc --emit-ir --graph=stay --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=STAY
// RUN: %mgc --emit-ir --graph=attend --target=gpu --march=h200 %s | %FileCheck %s --check-prefix=ATTEND
// RUN: %mgc --emit-ir --graph=long --target=gpu --march=cu=132,items=1024,local=49152,ptx=80 %s | %FileCheck %s --check-prefix=PLAIN
// RUN: %mgc --emit-schedule --graph=long --target=gpu --march=h200 %s > %t.mgs
// RUN: %FileCheck %s --check-prefix=TEXT < %t.mgs
// RUN: %mgc --emit-kernels --graph=long --target=gpu --march=h200 %s > %t.mk
// RUN: %mgc --emit-kernels --graph=long --target=gpu --march=h200 --schedule=%t.mgs %s | cmp - %t.mk
graph long(x: bf16[512, 256], w: bf16[2041, 256], c: f32[2041], at: i64[512]) -> (y: f32[512, 256], z: f32[2041, 256], m: f32[512], p: f32[512])
{
    l[i, t]: bf16[512, 2041] = (sum[d] f32(x[i, d]) * f32(w[t, d])) + c[t]
    m[i] = max[t] f32(l[i, t])
    e[i, t]: bf16[512, 2041] = exp(f32(l[i, t]) - m[i])
    y[i, d] = sum[t] f32(e[i, t]) * f32(w[t, d])
    z[t, d] = sum[i] f32(e[i, t]) * f32(x[i, d])
    p[i] = f32(e[i, at[i]])
}
// LONG: sum[d in 0..256] x[i, d] * w[t, d] else 0.0
// LONG: l{{.*}}: bf16[512, 2048] = {{.*}} + c[t] else 0.0
// LONG: max[t in 0..2041] l[i, t]
// LONG: e_place[i0 in 0..2041]: i64[2041] = i0
// LONG: e{{.*}}: bf16[512, 2048] = exp(l[i, t] - m{{.*}}[i])
// LONG: sum[t in 0..2041] e[i, t] * w[t, d]
// LONG: z[t in 0..2041, d in 0..256]
// LONG: e[i, e_place[at[i]]]
// PLAIN-NOT: 2048
// TEXT: schedule l_sum, l on gpu
// TEXT: by wide
// TEXT: schedule z on gpu
// TEXT: by wide

graph stay(x: bf16[512, 256], w: bf16[2041, 256], v: bf16[130, 256]) -> (l: bf16[512, 2041], p: f32[512], y: f32[512, 256])
{
    l[i, t] = sum[d] f32(x[i, d]) * f32(w[t, d])
    e[i, t]: bf16[512, 2041] = exp(f32(l[i, t]))
    p[i] = f32(e[i, 2035 + i / 32] else 0)
    s[i, t]: bf16[512, 130] = sum[d] f32(x[i, d]) * f32(v[t, d])
    y[i, d] = (sum[t] f32(e[i, t]) * f32(w[t, d])) + (sum[t] f32(s[i, t]) * f32(v[t, d]))
}
// STAY: s{{.*}}: bf16[512, 130]
// STAY: l{{.*}}: bf16[512, 2041]
// STAY: e{{.*}}: bf16[512, 2041]

graph attend(q: bf16[1023, 64], k: bf16[1023, 64], v: bf16[1023, 64]) -> (y: f32[1023, 64])
{
    s[i, j]: f32[1023, 1023] = sum[d] f32(q[i, d]) * f32(k[j, d])
    m[i]: f32[1023] = max[j] s[i, j]
    e[i, j]: bf16[1023, 1023] = exp(s[i, j] - m[i])
    z[i]: f32[1023] = sum[j] f32(e[i, j])
    y[i, c] = sum[j] f32(e[i, j]) / z[i] * f32(v[j, c])
}
// ATTEND-NOT: 1024
