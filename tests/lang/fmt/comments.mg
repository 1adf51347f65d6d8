mg 1
// Comments stay where they are: before a line, or at its end.
// RUN: %mgc fmt %s | %FileCheck --strict-whitespace --match-full-lines %s
// RUN: %mgc fmt %s >%t.1 && %mgc fmt %t.1 | diff %t.1 -
//      CHECK:op f(
// CHECK-NEXT:        x: f32[N],  // the input
// CHECK-NEXT:        // on its own line
// CHECK-NEXT:        y: f32[N]  // the other
// CHECK-NEXT:) -> (z: f32[N])
// CHECK-NEXT:    require N > 3  // at the clause
// CHECK-NEXT:    // before the next
// CHECK-NEXT:    let Q = 3
// CHECK-NEXT:{  // at the brace
// CHECK-NEXT:    // first
// CHECK-NEXT:    // inside a statement
// CHECK-NEXT:    z[i] = x[i] + y[i]  // at its end
// CHECK-EMPTY:
// CHECK-NEXT:    // after one blank line
// CHECK-NEXT:    if a { z = 1 }  // at the block
// CHECK-NEXT:    // at the end
// CHECK-NEXT:}  // at the item
op f( x: f32[N],   // the input
   // on its own line
   y: f32[N],   // the other
) -> (z: f32[N])
   require N > 3 // at the clause
   // before the next
   let Q = 3
{ // at the brace
    // first
    z[i] = x[i] + // inside a statement
       y[i] // at its end


    // after one blank line
    if a { z = 1 } // at the block
  // at the end
} // at the item
