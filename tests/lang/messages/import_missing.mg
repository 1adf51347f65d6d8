mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A layer needs its module.
graph g(x: f32[B, 3]) -> () {
    a = nn.linear(x, features = 4)
    b = nn.linaer(x, features = 4)
    c = Conv2d(x, channels = 4)
    param d: nn.linear(features = 4)
    param e: linear(features = 4)
}

// CHECK:{{.*}}import_missing.mg:5:9: error: no operator is named 'nn.linear'; it needs 'import nn' at the top of the file{{$}}
// CHECK-NEXT:{{^}}    5 |     a = nn.linear(x, features = 4){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}import_missing.mg:6:9: error: no operator is named 'nn.linaer'; did you mean 'nn.linear', with 'import nn' before it?{{$}}
// CHECK-NEXT:{{^}}    6 |     b = nn.linaer(x, features = 4){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}import_missing.mg:7:9: error: no operator is named 'Conv2d'; did you mean 'nn.conv2d', with 'import nn' before it?{{$}}
// CHECK-NEXT:{{^}}    7 |     c = Conv2d(x, channels = 4){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~{{$}}
// CHECK-NEXT:{{.*}}import_missing.mg:8:14: error: no layer is named 'nn.linear'; it needs 'import nn' at the top of the file{{$}}
// CHECK-NEXT:{{^}}    8 |     param d: nn.linear(features = 4){{$}}
// CHECK-NEXT:{{^}}      |              ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}import_missing.mg:9:14: error: 'linear' is not a layer: it has no parameters{{$}}
// CHECK-NEXT:{{^}}    9 |     param e: linear(features = 4){{$}}
// CHECK-NEXT:{{^}}      |              ^~~~~~{{$}}
// CHECK-NOT:{{.}}
