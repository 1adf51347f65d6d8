// These texts are not kernels. Each message names the place, what was expected and what was found.
// RUN: for i in 1 2 3 4 5 6 7 8 9 10 11; do sed -n "s|^//$i: ||p" %s > %t.mk; %not %mgc kernels %t.mk >> %t.out 2>&1 || exit 1; done
// RUN: %FileCheck %s < %t.out

//1: kernel f(y: out f32[]) { y[0] = 1.0 }
// CHECK: :1:26: error: expected a new line, found 'y'
//2: kernel f(y: f32[]) {
// CHECK: :1:13: error: expected 'in', 'out', 'inout' or 'unused', found 'f32'
//3: kernel f(y: out f32[]) {
//3:   y[0] = x
// CHECK: :2:10: error: 'x' is no variable that is defined before
//4: kernel f(y: out f32[]) {
//4:   y[0]<4> = 1.0<8>
// CHECK: :2:3: error: a value of 8 lanes is stored in 4
//5: kernel f(y: out i8[]) {
//5:   y[0] = 128i8
// CHECK: :2:10: error: '128i8' is outside the range of i8
//6: kernel f(y: out f32[]) {
//6:   y[0] = max(1.0)
// CHECK: :2:17: error: expected 2 operands, found ')'
//7: kernel f(y: out f32[]) {
//7:   for i in 0..4 step 0 {
// CHECK: :2:22: error: expected a number from 1 to 9223372036854775807, found '0'
//8: kernel f(y: out f32[]) {
//8:   y[0] = splat<65>(1.0)
// CHECK: :2:16: error: expected a number from 1 to 64, found '65'
//9: kernel f(y: out f32[], y: out f32[]) {
// CHECK: :1:24: error: 'y' is the name of something else already
//10: kernel f(y: out f32[]) {
//10:   y[0] = 1.0
// CHECK: :3:1: error: expected a statement, found the end of the file
//11: kernel f(y: out f32[]) {
//11:   y[0] = _1
// CHECK: :2:10: error: no line above this statement says what this is
