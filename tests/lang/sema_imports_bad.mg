mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Imports that form a circle, are missing, or have no such name.
import "inputs/circle.mg" as circle
import "inputs/none.mg" as none
import "inputs/blocks.mg" as blocks
graph imports(x: f32[N, 4]) -> (y: f32[N, 4]) {
    a = blocks.pai(x, width = 8)
    y = circle.one(x)
}

// CHECK:{{.*}}sema_imports_bad.mg:5:1: error: cannot open '{{.*}}inputs/none.mg': No such file or directory{{$}}
// CHECK-NEXT:{{^}}    5 | import "inputs/none.mg" as none{{$}}
// CHECK-NEXT:{{^}}      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_imports_bad.mg:8:9: error: no operator is named 'blocks.pai'; did you mean 'blocks.pair'?{{$}}
// CHECK-NEXT:{{^}}    8 |     a = blocks.pai(x, width = 8){{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}inputs/circle_back.mg:3:1: error: this import is circular: 'circle.mg' is already being read{{$}}
// CHECK-NEXT:{{^}}    3 | import "circle.mg" as circle{{$}}
// CHECK-NEXT:{{^}}      | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NOT:{{.}}
