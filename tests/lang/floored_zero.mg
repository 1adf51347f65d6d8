mg 1
// RUN: %mgc run %s -O0 --input a=-0.0,0,0,1,-1,2 --input b=1,-1,3,3,-3,inf | %FileCheck %s
// RUN: %mgc run %s -O3 --input a=-0.0,0,0,1,-1,2 --input b=1,-1,3,3,-3,inf | %FileCheck %s
import aten

// A quotient that is rounded down to 0 keeps its sign, as PyTorch has it.
graph floored(a: f32[6], b: f32[6]) -> (y) {
    y = aten.div(a, b, rounding = "floor")
}
// CHECK: y: f32[6] = [-0.0, -0.0, 0.0, 0.0, 0.0, 0.0]
