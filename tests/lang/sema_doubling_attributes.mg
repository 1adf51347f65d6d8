mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Programs that double by attributes are refused before anything is made: loops whose ranges are attributes,
// lengths or elements of lists or local integers, and branches that attributes decide. Loops that run
// once are not refused.
op a0(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a1(y, n = n) }
}
op a1(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a2(y, n = n) }
}
op a2(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a3(y, n = n) }
}
op a3(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a4(y, n = n) }
}
op a4(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a5(y, n = n) }
}
op a5(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a6(y, n = n) }
}
op a6(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a7(y, n = n) }
}
op a7(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a8(y, n = n) }
}
op a8(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a9(y, n = n) }
}
op a9(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a10(y, n = n) }
}
op a10(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a11(y, n = n) }
}
op a11(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a12(y, n = n) }
}
op a12(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a13(y, n = n) }
}
op a13(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a14(y, n = n) }
}
op a14(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a15(y, n = n) }
}
op a15(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a16(y, n = n) }
}
op a16(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a17(y, n = n) }
}
op a17(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a18(y, n = n) }
}
op a18(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a19(y, n = n) }
}
op a19(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a20(y, n = n) }
}
op a20(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a21(y, n = n) }
}
op a21(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a22(y, n = n) }
}
op a22(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a23(y, n = n) }
}
op a23(x: f32[4], n: int) -> (y: f32[4]) {
    y = x
    for i in 0..n { y = a24(y, n = n) }
}
op a24(x: f32[4], n: int) -> (y: f32[4]) { y[i] = x[i] * n }
op b0(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b1(y, k = k) }
}
op b1(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b2(y, k = k) }
}
op b2(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b3(y, k = k) }
}
op b3(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b4(y, k = k) }
}
op b4(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b5(y, k = k) }
}
op b5(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b6(y, k = k) }
}
op b6(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b7(y, k = k) }
}
op b7(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b8(y, k = k) }
}
op b8(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b9(y, k = k) }
}
op b9(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b10(y, k = k) }
}
op b10(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b11(y, k = k) }
}
op b11(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b12(y, k = k) }
}
op b12(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b13(y, k = k) }
}
op b13(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b14(y, k = k) }
}
op b14(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b15(y, k = k) }
}
op b15(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b16(y, k = k) }
}
op b16(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b17(y, k = k) }
}
op b17(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b18(y, k = k) }
}
op b18(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b19(y, k = k) }
}
op b19(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b20(y, k = k) }
}
op b20(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b21(y, k = k) }
}
op b21(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b22(y, k = k) }
}
op b22(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b23(y, k = k) }
}
op b23(x: f32[4], k: int[]) -> (y: f32[4]) {
    m = len(k) - 1
    if m >= 0 { y = x }
    for i in m..=2 * m { y = b24(y, k = k) }
}
op b24(x: f32[4], k: int[]) -> (y: f32[4]) { y[i] = x[i] }
op c0(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c1(y, k = [k[1], k[0]]) }
}
op d0(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d1(y, k = [i] + [k[1]]) }
}
op c1(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c2(y, k = [k[1], k[0]]) }
}
op d1(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d2(y, k = [i] + [k[1]]) }
}
op c2(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c3(y, k = [k[1], k[0]]) }
}
op d2(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d3(y, k = [i] + [k[1]]) }
}
op c3(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c4(y, k = [k[1], k[0]]) }
}
op d3(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d4(y, k = [i] + [k[1]]) }
}
op c4(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c5(y, k = [k[1], k[0]]) }
}
op d4(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d5(y, k = [i] + [k[1]]) }
}
op c5(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c6(y, k = [k[1], k[0]]) }
}
op d5(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d6(y, k = [i] + [k[1]]) }
}
op c6(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c7(y, k = [k[1], k[0]]) }
}
op d6(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d7(y, k = [i] + [k[1]]) }
}
op c7(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c8(y, k = [k[1], k[0]]) }
}
op d7(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d8(y, k = [i] + [k[1]]) }
}
op c8(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c9(y, k = [k[1], k[0]]) }
}
op d8(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d9(y, k = [i] + [k[1]]) }
}
op c9(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c10(y, k = [k[1], k[0]]) }
}
op d9(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d10(y, k = [i] + [k[1]]) }
}
op c10(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c11(y, k = [k[1], k[0]]) }
}
op d10(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d11(y, k = [i] + [k[1]]) }
}
op c11(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c12(y, k = [k[1], k[0]]) }
}
op d11(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d12(y, k = [i] + [k[1]]) }
}
op c12(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c13(y, k = [k[1], k[0]]) }
}
op d12(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d13(y, k = [i] + [k[1]]) }
}
op c13(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c14(y, k = [k[1], k[0]]) }
}
op d13(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d14(y, k = [i] + [k[1]]) }
}
op c14(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c15(y, k = [k[1], k[0]]) }
}
op d14(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d15(y, k = [i] + [k[1]]) }
}
op c15(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c16(y, k = [k[1], k[0]]) }
}
op d15(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d16(y, k = [i] + [k[1]]) }
}
op c16(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c17(y, k = [k[1], k[0]]) }
}
op d16(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d17(y, k = [i] + [k[1]]) }
}
op c17(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c18(y, k = [k[1], k[0]]) }
}
op d17(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d18(y, k = [i] + [k[1]]) }
}
op c18(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c19(y, k = [k[1], k[0]]) }
}
op d18(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d19(y, k = [i] + [k[1]]) }
}
op c19(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c20(y, k = [k[1], k[0]]) }
}
op d19(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d20(y, k = [i] + [k[1]]) }
}
op c20(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c21(y, k = [k[1], k[0]]) }
}
op d20(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d21(y, k = [i] + [k[1]]) }
}
op c21(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c22(y, k = [k[1], k[0]]) }
}
op d21(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d22(y, k = [i] + [k[1]]) }
}
op c22(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c23(y, k = [k[1], k[0]]) }
}
op d22(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d23(y, k = [i] + [k[1]]) }
}
op c23(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in 0..k[-1] { y = c24(y, k = [k[1], k[0]]) }
}
op d23(x: f32[4], k: int[]) -> (y: f32[4]) {
    y = x
    for i in k { y = d24(y, k = [i] + [k[1]]) }
}
op c24(x: f32[4], k: int[]) -> (y: f32[4]) { y[i] = x[i] }
op d24(x: f32[4], k: int[]) -> (y: f32[4]) { y[i] = x[i] }

graph loops(x: f32[4]) -> (y: f32[4]) { y = a0(x, n = 2) }
graph once(x: f32[4]) -> (y: f32[4]) { y = a0(x, n = 1) }
graph lists(x: f32[4]) -> (y: f32[4]) { y = b0(x, k = [1, 2]) }
graph elements(x: f32[4]) -> (y: f32[4]) { y = c0(x, k = [2, 2]) }
graph each(x: f32[4]) -> (y: f32[4]) { y = d0(x, k = [1..3]) }
graph one(x: f32[4]) -> (y: f32[4]) { y = c0(x, k = [1, 1]) }

// CHECK:{{.*}}:419:45: error: the 'for' loops and calls make more than 1000000 statements, most of them by a0 -> a1 -> a2 -> a3 -> a4 -> a5 -> ... -> a24{{$}}
// CHECK:{{.*}}:421:45: error: the 'for' loops and calls make more than 1000000 statements, most of them by b0 -> b1 -> b2 -> b3 -> b4 -> b5 -> ... -> b24{{$}}
// CHECK:{{.*}}:422:48: error: the 'for' loops and calls make more than 1000000 statements, most of them by c0 -> c1 -> c2 -> c3 -> c4 -> c5 -> ... -> c24{{$}}
// CHECK:{{.*}}:423:44: error: the 'for' loops and calls make more than 1000000 statements, most of them by d0 -> d1 -> d2 -> d3 -> d4 -> d5 -> ... -> d24{{$}}
// CHECK-NOT:error:
