mg 1
// The checks at run time and the proofs, each with its line.
// RUN: %mgc --emit-plan --explain=guards %s 2>&1 >/dev/null | %FileCheck %s
// RUN: %mgc --emit-ir --explain=guards --set N=20 --set V=9 %s 2>&1 >/dev/null | %FileCheck --check-prefix=SET %s
// RUN: { %mgc --emit-ir --explain=guard %s 2>&1; test $? = 2; } | %FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: --explain is one of nothing|fusion|launch|guards|layouts|remat|precision, not 'guard'
graph g(x: f32[N], t: f32[V, 4], ids: i64[N], p: i64[N])
    -> (a: f32[N - 3], b: f32[N], c: f32[N, 4], d: f32[N], e: f32[8], h: i64[1, some C <= N])
    require N <= 64 : "at most 64, not {N}"
{
    // CHECK-DAG: proved {{.*}}guards.mg:[[@LINE+1]]:5 x[i + 3] is inside at all sizes
    a[i] = x[i] + x[i + 3]
    // CHECK-DAG: kept {{.*}}guards.mg:[[@LINE+1]]:5 each element: x[i - 1] takes its else outside: its subscript 1 is not always in 0..N
    b[i] = (x[i - 1] else 0) + x[i]
    // CHECK-DAG: kept {{.*}}guards.mg:[[@LINE+1]]:5 each element: t[ids[i], j] traps outside: its subscript 1 is data
    c[i, j] = t[ids[i], j]
    // SET-DAG: proved {{.*}}guards.mg:[[@LINE+2]]:5 x[i] is never outside: no else, no check
    // CHECK-DAG: proved {{.*}}guards.mg:[[@LINE+1]]:5 x[i + N] is always outside: only its else is used
    d[i] = (x[i + N] else 1) + (x[i + V - 9] else 2)
    // CHECK-DAG: kept {{.*}}guards.mg:[[@LINE+1]]:5 each element written to e: dropped outside, as its place is data
    e[p[i]] else none = sum[i] x[i]
    // CHECK-DAG: kept {{.*}}guards.mg:[[@LINE+1]]:9 when it is reached: a size that data decide is within N
    h = nonzero(x)
    // CHECK-DAG: kept {{.*}}guards.mg:9:{{[0-9]+}} when sizes are set: 64 >= N: at most 64, not {N}
    // CHECK-DAG: kept g when bound: memory of inputs is aligned to their elements
    // SET-NOT: at most 64
}
