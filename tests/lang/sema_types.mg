mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Nothing converts unless told to.
op generic<T: number>(a: T[N], b: T[N]) -> (y: T[N]) { y[n] = a[n] + b[n] }
op floats<T: float>(a: T[N]) -> (y: T[N]) { y[n] = exp(a[n]) }
op wrong<T: float>(a: T[N]) -> (y: i32[N]) { y[n] = a[n] }
op narrow(a: f32[N]) -> (y: f16[N]) { y = a }
op undeclared(a: T[N]) -> (y: T[N]) { y = a }
graph types(f: f32[N], h: f16[N], d: f64[N], i: i32[N], u: u8[N], b: bool[N]) -> (y: f64[N])
{
    a1 = generic(f, d)
    a2 = generic(b, b)
    a3 = floats(i)
    a4 = wrong(f)
    a5 = narrow(f)
    a6 = undeclared(f)
    a7[n] = f[n] + d[n]
    a8[n] = i[n] / 2.0
    a9[n] = u[n] + 256
    b1[n] = not f[n]
    b2[n] = f[n] % b[n]
    b3[n] = where(b[n], i[n], 0.5)
    b4 = f + d
    b5 = i * 0.5
    y = f
}

// CHECK:{{.*}}sema_types.mg:6:53: error: expected i32, found a scalar f32: types are converted only on request, as in i32(…){{$}}
// CHECK-NEXT:{{^}}    6 | op wrong<T: float>(a: T[N]) -> (y: i32[N]) { y[n] = a[n] }{{$}}
// CHECK-NEXT:{{^}}      |                                                     ^~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:14:10: note: in this use of 'wrong'{{$}}
// CHECK-NEXT:{{^}}   14 |     a4 = wrong(f){{$}}
// CHECK-NEXT:{{^}}      |          ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:7:39: error: 'y' is declared f16, but its value is f32{{$}}
// CHECK-NEXT:{{^}}    7 | op narrow(a: f32[N]) -> (y: f16[N]) { y = a }{{$}}
// CHECK-NEXT:{{^}}      |                                       ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:15:10: note: in this use of 'narrow'{{$}}
// CHECK-NEXT:{{^}}   15 |     a5 = narrow(f){{$}}
// CHECK-NEXT:{{^}}      |          ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:7:26: note: 'y' is declared here{{$}}
// CHECK-NEXT:{{^}}    7 | op narrow(a: f32[N]) -> (y: f16[N]) { y = a }{{$}}
// CHECK-NEXT:{{^}}      |                          ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:8:18: error: no element type is named 'T'; declare a type parameter, as in 'undeclared<T: float>(…)'{{$}}
// CHECK-NEXT:{{^}}    8 | op undeclared(a: T[N]) -> (y: T[N]) { y = a }{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:16:10: note: in this use of 'undeclared'{{$}}
// CHECK-NEXT:{{^}}   16 |     a6 = undeclared(f){{$}}
// CHECK-NEXT:{{^}}      |          ^~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:11:21: error: element types differ: T is f32 from 'f', but f64 from 'd'{{$}}
// CHECK-NEXT:{{^}}   11 |     a1 = generic(f, d){{$}}
// CHECK-NEXT:{{^}}      |                     ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:4:32: note: 'b' is declared here{{$}}
// CHECK-NEXT:{{^}}    4 | op generic<T: number>(a: T[N], b: T[N]) -> (y: T[N]) { y[n] = a[n] + b[n] }{{$}}
// CHECK-NEXT:{{^}}      |                                ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:12:18: error: 'generic' does not take 'b', whose type is bool: expected a number type{{$}}
// CHECK-NEXT:{{^}}   12 |     a2 = generic(b, b){{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:4:12: note: 'T' is declared here{{$}}
// CHECK-NEXT:{{^}}    4 | op generic<T: number>(a: T[N], b: T[N]) -> (y: T[N]) { y[n] = a[n] + b[n] }{{$}}
// CHECK-NEXT:{{^}}      |            ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:13:17: error: 'floats' does not take 'i', whose type is i32: expected a floating-point type{{$}}
// CHECK-NEXT:{{^}}   13 |     a3 = floats(i){{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:5:11: note: 'T' is declared here{{$}}
// CHECK-NEXT:{{^}}    5 | op floats<T: float>(a: T[N]) -> (y: T[N]) { y[n] = exp(a[n]) }{{$}}
// CHECK-NEXT:{{^}}      |           ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:17:13: error: '+' between f32 and f64: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}   17 |     a7[n] = f[n] + d[n]{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:18:13: error: 2.0 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   18 |     a8[n] = i[n] / 2.0{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:19:13: error: 256 does not fit u8{{$}}
// CHECK-NEXT:{{^}}   19 |     a9[n] = u[n] + 256{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:20:13: error: 'not' does not take f32{{$}}
// CHECK-NEXT:{{^}}   20 |     b1[n] = not f[n]{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:21:13: error: '%' between f32 and bool: types are converted only on request, as in f32(…){{$}}
// CHECK-NEXT:{{^}}   21 |     b2[n] = f[n] % b[n]{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:22:13: error: 0.5 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   22 |     b3[n] = where(b[n], i[n], 0.5){{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:23:14: error: element types differ: T is f32 from 'f', but f64 from 'd'{{$}}
// CHECK-NEXT:{{^}}   23 |     b4 = f + d{{$}}
// CHECK-NEXT:{{^}}      |              ^{{$}}
// CHECK-NEXT:{{^}}std/elementwise.mg:{{[0-9:]+}} note: 'b' is declared here{{$}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{^}}  {{.*}}
// CHECK-NEXT:{{.*}}sema_types.mg:24:14: error: 0.5 is a float, but an integer of type i32 is needed{{$}}
// CHECK-NEXT:{{^}}   24 |     b5 = i * 0.5{{$}}
// CHECK-NEXT:{{^}}      |              ^~~{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:25:5: error: 'y' is declared f64, but its value is f32{{$}}
// CHECK-NEXT:{{^}}   25 |     y = f{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}sema_types.mg:9:83: note: 'y' is declared here{{$}}
// CHECK-NEXT:{{^}}    9 | graph types(f: f32[N], h: f16[N], d: f64[N], i: i32[N], u: u8[N], b: bool[N]) -> (y: f64[N]){{$}}
// CHECK-NEXT:{{^}}      |                                                                                   ^~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
