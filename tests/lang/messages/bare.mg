mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// A statement that names no value gets one message, although a result then has no definition.
// CHECK:{{.*}}bare.mg:[[@LINE+1]]:36: error: expected ',', ':', '=' or '[', found '('; a statement names its value, as in y = relu(x)
graph bare(x: f32[4]) -> (y) { relu(x) }
// CHECK-NOT: error
// CHECK:{{.*}}bare.mg:[[@LINE+2]]:12: error: expected ',', ':', '=' or '[', found 'relu'; a result gets its value by its name, as in y = relu(x)
graph returned(x: f32[4]) -> (y) { z = x
    return relu(x) }
// CHECK-NOT: error
