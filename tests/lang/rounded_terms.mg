// A conversion to the type of the result is dropped where the result is rounded anyway, but not from the terms of a
// reduction: each term is rounded before it is added.
// RUN: %mgc --emit-ir -O0 %s | %FileCheck %s
// RUN: %mgc run %s --input x=ones --interp | %FileCheck %s --check-prefix=VALUES
// RUN: %mgc run %s --input x=ones -O3 | %FileCheck %s --check-prefix=VALUES

// CHECK: total[]: f16[] = sum[i in 0..1000] f16(a[i])
// CHECK: each[i in 0..1000]: f16[1000] = a[i] * 2.0
// VALUES: total: f16[] = 1000.0
// VALUES: exact: f16[] = 1000.5
mg 1
graph g(x: f32[1000]) -> (total: f16[], exact: f16[], each: f16[1000]) {
    a[i] = x[i] * 1.00048
    total[] = sum[i] f16(a[i])
    exact[] = sum[i] a[i]
    each[i] = f16(a[i] * 2)
}
