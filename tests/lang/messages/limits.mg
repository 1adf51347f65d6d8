mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck %s
// Numbers that do not fit 64 bits are reported where they arise.
// CHECK: limits.mg:[[@LINE+1]]:50: error: the result of '*' does not fit 64 bits
graph value() -> (y: i64[99]) { y[i in 0..99] = (i % 7) * (i % 7 - 4611686018427387904) / 2 }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: the result of '-' does not fit 64 bits
graph constant(x: i32[8]) -> (y: i32[8]) { y[i] = x[i] - shl(127 - -9223372036854775808, 3) }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: the number of bytes of a tensor of shape [N, 8, H + 4294967294, W + 4294967294] does not fit 64 bits
graph window(x: f32[N, C, H, W], w: f32[8, C, 3, 3]) -> (y) { y = conv2d(x, w, pad = 2147483648) }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: 'y' is read out of bounds: the subscript at axis 0 is 9223372036854775807, but the dimension is N;
graph place(x: f32[N], y: f32[N]) -> (p: f32[N]) { p[i] = x[i] + y[9223372036854775807] }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: this subscript does not fit 64 bits
graph otherwise(x: f32[9]) -> (y: f32[9]) { y[i] = x[i * 4611686018427387904] else 0 }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: a subscript may multiply an index or a size by at most 4294967295, found 4611686018427387905: the product might not fit 64 bits
graph symbolic(x: f32[N]) -> (y: f32[N]) { y[i] = x[4611686018427387905 * i] else 0 }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: the end of the range does not fit 64 bits
graph range(x: f32[9]) -> (y: f32[9]) { y[i] = sum[k in 0..=9223372036854775807] (x[k] else 0) }
// CHECK: limits.mg:[[@LINE+1]]:{{[0-9]+}}: error: the bound does not fit 64 bits
graph bound(x: f32[N > 9223372036854775807]) -> (y) { y = relu(x) }
