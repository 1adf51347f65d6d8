mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Sums of narrow integers wrap.
graph g(x: u8[N], y: f32[N]) -> (z: u8[], w: i32[])
{
    z = sum(x)
    w[] = sum[n] i32(x[n])
    v[] = prod[n] x[n]
    bad = y + undefined
}

// CHECK:{{.*}}sema_warnings.mg:6:9: warning: this sum is computed in u8 and wraps: widen its terms, as in i32(…){{$}}
// CHECK-NEXT:{{^}}    6 |     z = sum(x){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{^}}std/reduce.mg:{{[0-9:]+}} note: in 'sum' of the library{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_warnings.mg:8:11: warning: this prod is computed in u8 and wraps: widen its terms, as in i32(…){{$}}
// CHECK-NEXT:{{^}}    8 |     v[] = prod[n] x[n]{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_warnings.mg:9:15: error: nothing is named 'undefined'{{$}}
// CHECK-NEXT:{{^}}    9 |     bad = y + undefined{{$}}
// CHECK-NEXT:{{^}}      |               ^~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
