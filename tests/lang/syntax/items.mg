mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
import nn nn
graf c(x: f32[N]) -> (y: f32[N]) {
    y = = 3
}
op d(x: f32[N, ) -> (y: f32[N]) { }
op e<T>(x: T[N]) -> (y: T[N]) { }
op f(x: T[N]) -> y { }
op g(x: T[N]) -> (y: T[N]) where N > 3 { }
builtin f(x: T[N])
y = 3
op h() { }
import late

// CHECK:{{.*}}items.mg:3:11: error: expected 'import', 'graph', 'layer', 'op' or 'builtin', found 'nn'{{$}}
// CHECK-NEXT:{{^}}    3 | import nn nn{{$}}
// CHECK-NEXT:{{^}}      |           ^~{{$}}
// CHECK-NEXT:{{.*}}items.mg:4:1: error: expected 'import', 'graph', 'layer', 'op' or 'builtin', found 'graf'; did you mean 'graph'?{{$}}
// CHECK-NEXT:{{^}}    4 | graf c(x: f32[N]) -> (y: f32[N]) {{{$}}
// CHECK-NEXT:{{^}}      | ^~~~{{$}}
// CHECK-NEXT:{{.*}}items.mg:5:9: error: expected an expression, found '='{{$}}
// CHECK-NEXT:{{^}}    5 |     y = = 3{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:7:16: error: expected an expression or '..', found ')'{{$}}
// CHECK-NEXT:{{^}}    7 | op d(x: f32[N, ) -> (y: f32[N]) { }{{$}}
// CHECK-NEXT:{{^}}      |                ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:8:7: error: expected ':', found '>'; a type parameter has a class, as in T: float{{$}}
// CHECK-NEXT:{{^}}    8 | op e<T>(x: T[N]) -> (y: T[N]) { }{{$}}
// CHECK-NEXT:{{^}}      |       ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:9:18: error: expected '(', found 'y'{{$}}
// CHECK-NEXT:{{^}}    9 | op f(x: T[N]) -> y { }{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:10:28: error: expected '{' or a clause, found 'where'{{$}}
// CHECK-NEXT:{{^}}   10 | op g(x: T[N]) -> (y: T[N]) where N > 3 { }{{$}}
// CHECK-NEXT:{{^}}      |                            ^~~~~{{$}}
// CHECK-NEXT:{{.*}}items.mg:11:9: error: expected 'op', found 'f'{{$}}
// CHECK-NEXT:{{^}}   11 | builtin f(x: T[N]){{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:12:1: error: expected 'import', 'graph', 'layer', 'op' or 'builtin', found 'y'{{$}}
// CHECK-NEXT:{{^}}   12 | y = 3{{$}}
// CHECK-NEXT:{{^}}      | ^{{$}}
// CHECK-NEXT:{{.*}}items.mg:14:1: error: imports come before the first graph, layer or op{{$}}
// CHECK-NEXT:{{^}}   14 | import late{{$}}
// CHECK-NEXT:{{^}}      | ^~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
