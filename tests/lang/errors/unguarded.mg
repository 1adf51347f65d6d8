mg 1
// RUN: %not %mgc %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A read that only an empty box could keep inside is an error, and a misspelt tensor is named.
graph g(x: f32[N]) -> (before: f32[N], after: f32[N], named: f32[N]) {
    before[i] = x[i - 1]
    after[i] = x[i + 1]
    named[i] = xx[i]
    free[i] = xx[i]
}

// CHECK:{{.*}}unguarded.mg:5:17: error: 'x' is read out of bounds: the subscript at axis 0 runs from -1 to N - 2, but the dimension is N; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    5 |     before[i] = x[i - 1]{{$}}
// CHECK-NEXT:{{^}}      |                 ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}unguarded.mg:6:16: error: 'x' is read out of bounds: the subscript at axis 0 runs from 1 to N, but the dimension is N; write '… else 0' for what is outside, or 'require' what keeps it inside{{$}}
// CHECK-NEXT:{{^}}    6 |     after[i] = x[i + 1]{{$}}
// CHECK-NEXT:{{^}}      |                ^~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}unguarded.mg:7:16: error: nothing is named 'xx'; did you mean 'x'?{{$}}
// CHECK-NEXT:{{^}}    7 |     named[i] = xx[i]{{$}}
// CHECK-NEXT:{{^}}      |                ^~{{$}}
// CHECK-NEXT:{{.*}}unguarded.mg:8:15: error: nothing is named 'xx'; did you mean 'x'?{{$}}
// CHECK-NEXT:{{^}}    8 |     free[i] = xx[i]{{$}}
// CHECK-NEXT:{{^}}      |               ^~{{$}}
// CHECK-NOT:{{.}}
