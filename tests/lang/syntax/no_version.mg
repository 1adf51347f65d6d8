// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
op f() { y = }

// CHECK:{{.*}}no_version.mg:2:1: error: a file begins with the version of its language: expected 'mg 1'{{$}}
// CHECK-NEXT:{{^}}    2 | op f() { y = }{{$}}
// CHECK-NEXT:{{^}}      | ^~{{$}}
// CHECK-NEXT:{{.*}}no_version.mg:2:14: error: expected an expression, found '}'{{$}}
// CHECK-NEXT:{{^}}    2 | op f() { y = }{{$}}
// CHECK-NEXT:{{^}}      |              ^{{$}}
// CHECK-NOT:{{.}}
