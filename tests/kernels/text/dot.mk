// Words and their dot products: read, printed, run and refused.
// RUN: %mgc kernels %s --run | %FileCheck %s
// RUN: %mgc kernels %s | %FileCheck %s --check-prefix=PRINTED
// RUN: for i in 1 2 3 4; do sed -n "s|^//$i: ||p" %s > %t.mk; %not %mgc kernels %t.mk >> %t.out 2>&1 || exit 1; done
// RUN: %FileCheck %s --check-prefix=WRONG < %t.out

// The first element of a word is in its lowest bits.
// CHECK: y: i32[2] = [67305985, -1]
// PRINTED: y[0]<2> = words(x[0]<8>)
kernel joined(y: out i32[2]) {
  alloc private thread x: i8[8]
  for i in 0..4 {
    x[i] = cast<i8>(i + 1)
    x[i + 4] = -1i8
  }
  y[0]<2> = words(x[0]<8>)
}

// 255 * -128 and three times 1 * 2, on 10. As i8 the same row is -1.
// CHECK: y: i32[2] = [-32624, 144]
// PRINTED: dot<u8_i8>(10i32, 16843263i32, 33686144i32)
kernel mixed(y: out i32[2]) {
  y[0] = dot<u8_i8>(10i32, 16843263i32, 33686144i32)
  y[1] = dot<i8>(10i32, 16843263i32, 33686144i32)
}

// 3 * 7 + 2 * -5, and 1.5 * 2 + 0.5 * 4 in every lane.
// CHECK: y: i32[1] = [11]
// CHECK: z: f32[2] = [5.0, 6.0]
kernel pairs(y: out i32[1], z: out f32[2]) {
  y[0] = dot<i16>(0i32, 131075i32, -327673i32)
  z[0]<2> = dot<bf16>(cast<f32>(ramp<2>(0, 1)), 1056980928i32<2>, 1082146816i32<2>)
}

//1: kernel f(y: out i32[]) {
//1:   y[0] = words(1.0)
//1: }
// WRONG: error: kernel f is invalid: words of f32 give i32
//2: kernel f(y: out i32[]) {
//2:   y[0] = words(1i8)
//2: }
// WRONG: error: kernel f is invalid: words of i8 give i32
//3: kernel f(y: out f32[]) {
//3:   y[0] = dot<i8>(1.0, 1i32, 1i32)
//3: }
// WRONG: error: kernel f is invalid: dot by i8 of f32, i32 and i32
//4: kernel f(y: out f32[]) {
//4:   y[0] = dot<tf32>(1.0, 1i32, 1i32)
//4: }
// WRONG: error: kernel f is invalid: dot by tf32 of f32, i32 and i32
