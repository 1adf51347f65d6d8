mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Small texts may have huge expressions: shared operands multiply when functions are inlined.
op sq<T: float>(x: T[..S]) -> (y: T[..S]) { y[..s] = x[..s] * x[..s] }
graph g(x: f32[N]) -> (y: f32[N]) { y[n] = sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(x[n]))))))))))))))))))))))))))))))))) }
graph h(x: f32[N]) -> (y: f32[N]) { y[n] = x[i64(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(x[n]))))))))))))))))))))))))))))))))))] }
op m(i: i64[]) -> (r: i64[]) { r[] = max(where(i[] < 3, i[], i[] + 1), i[]) }
graph k(x: f32[N], j: i64[N]) -> (y: f32[N]) { y[n] = x[m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(j[n]))))))))))))))))))))))))))))] }
graph l(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] * sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(n + 0.5)))))))))))))))))))))))))))))))) }
graph o(x: f32[N]) -> (y: f32[N]) { y[n] = x[m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(n))))))))))))))))))))))))))))] }

// CHECK:{{.*}}sema_sizes.mg:5:44: error: the expression has more than 50000 parts once its calls are expanded{{$}}
// CHECK-NEXT:{{^}}    5 | graph g(x: f32[N]) -> (y: f32[N]) { y[n] = sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(x[n]))))))))))))))))))))))))))))))))) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_sizes.mg:6:46: error: the expression has more than 50000 parts once its calls are expanded{{$}}
// CHECK-NEXT:{{^}}    6 | graph h(x: f32[N]) -> (y: f32[N]) { y[n] = x[i64(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(x[n]))))))))))))))))))))))))))))))))))] }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_sizes.mg:8:57: error: the expression has more than 50000 parts once its calls are expanded{{$}}
// CHECK-NEXT:{{^}}    8 | graph k(x: f32[N], j: i64[N]) -> (y: f32[N]) { y[n] = x[m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(j[n]))))))))))))))))))))))))))))] }{{$}}
// CHECK-NEXT:{{^}}      |                                                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_sizes.mg:9:44: error: the expression has more than 50000 parts once its calls are expanded{{$}}
// CHECK-NEXT:{{^}}    9 | graph l(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] * sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(sq(n + 0.5)))))))))))))))))))))))))))))))) }{{$}}
// CHECK-NEXT:{{^}}      |                                            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_sizes.mg:10:46: error: the expression has more than 50000 parts once its calls are expanded{{$}}
// CHECK-NEXT:{{^}}   10 | graph o(x: f32[N]) -> (y: f32[N]) { y[n] = x[m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(m(n))))))))))))))))))))))))))))] }{{$}}
// CHECK-NEXT:{{^}}      |                                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
