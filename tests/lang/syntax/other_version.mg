// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
mg 2
op f() { y = }

// CHECK:{{.*}}other_version.mg:2:4: error: this file is written in version 2 of the language; this compiler reads version 1{{$}}
// CHECK-NEXT:{{^}}    2 | mg 2{{$}}
// CHECK-NEXT:{{^}}      |    ^{{$}}
// CHECK-NOT:{{.}}
