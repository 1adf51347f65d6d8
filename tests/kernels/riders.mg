// RUN: %mgc --emit-schedule --target=gpu --graph=g %s | %FileCheck %s
// RUN: %mgc --emit-kernels --target=gpu --graph=g %s | %FileCheck %s --check-prefix=KERNEL
// RUN: %mgc --emit-schedule --target=gpu -o %t.mgs --graph=g %s && %mgc --emit-schedule --target=gpu --schedule=%t.mgs --graph=g %s | %FileCheck %s
// RUN: %mgc run %s --graph=g --input x=1 --input w=0.5 --input kc=0 --input vc=9 --input at=1 --input uc=2 | %FileCheck %s --check-prefix=OUT
// RUN: %mgc --emit-kernels --target=gpu --march=h200 --graph=attends %s | %FileCheck %s --check-prefix=MASK
mg 1
// Rows of a product are written into two caches by its own kernel: each element finds its place there, or has none. The place
// `at` is loaded first, and checked. A third tensor is read behind the product and before the write, so it has its own kernel.
// CHECK: // y[n in 0..1, o in 0..12]
// CHECK: // rides: k[b in 0..1, h in 0..2, at[] + s, d in 0..2]: f32[1, 2, 3, 2] = last[s in 0..1] y[0, 2*h + d + 4] over kc
// CHECK: // rides: v[b in 0..1, h in 0..2, at[] + s, d in 0..2]: f32[1, 2, 3, 2] = last[s in 0..1] y[0, 2*h + d + 8] over vc
// CHECK: schedule y
// CHECK-NOT: schedule k
// CHECK-NOT: schedule v
// CHECK: schedule late on gpu
// KERNEL: kernel {{.*}}at: in i64[]{{.*}}k: out f32[]{{.*}}v: out f32[]
// KERNEL: [[AT:v[.0-9]*]]: i64 = at[0]
// KERNEL: y[{{.*}}] = [[X:[a-z.0-9]+]]
// KERNEL: [[FROM:from[.0-9]*]]: i64 = {{.*}} + -4
// KERNEL: inside{{.*}}: bool = and([[FROM]] >= 0, {{.*}} < 2)
// KERNEL: inside{{.*}}: bool = and([[AT]] >= 0, [[AT]] < 3)
// KERNEL: k[{{.*}}] = [[X]]
// KERNEL: trap
// OUT: k: f32[1, 2, 3, 2] =
// OUT-NEXT: {{\[\[\[\[}}0.0, 0.0],
// OUT-NEXT: [1.5, 1.5],
// OUT-NEXT: [0.0, 0.0]],
// OUT-NEXT: {{\[\[}}0.0, 0.0],
// OUT-NEXT: [1.5, 1.5],
// OUT: old: f32[3, 4] =
// OUT-NEXT: {{\[\[}}3.5
// Attention of one query loads its mask's elements before it stores the query, which is the first that it waits for.
// MASK: kernel attention
// MASK: = k[
// MASK: = mask[
// MASK: = q[
// MASK: barrier group
// MASK-NOT: mask[
// MASK: barrier grid
graph attends(q: f32[1, 4, 1, 64], k: f32[1, 4, 512, 64], v: f32[1, 4, 512, 64], mask: f32[1, 512]) -> (y: f32[1, 4, 1, 64])
{
    y = attention(q, k, v, mask)
}
graph g(x: f32[1, 3], w: f32[12, 3], kc: f32[1, 2, 3, 2], vc: f32[1, 2, 3, 2], uc: f32[3, 4], at: i64[])
    -> (y: f32[1, 12], k: f32[1, 2, 3, 2] over kc, v: f32[1, 2, 3, 2] over vc, late: f32[3, 4] over uc, old: f32[3, 4])
{
    y = linear(x, w)
    kn[b, h, s, d]: f32[1, 2, 1, 2] = y[b, 4 + h * 2 + d]
    vn[b, h, s, d]: f32[1, 2, 1, 2] = y[b, 8 + h * 2 + d]
    k = cache_update(kc, kn, at)
    v = cache_update(vc, vn, at)
    old[i, j] = uc[i, j] + y[0, j]
    late[at[] + s, j] = last[s in 0..1, j in 0..4] y[0, j] over uc
}
