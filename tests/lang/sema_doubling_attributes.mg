mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// What doubles by attributes is refused before anything is made: loops whose ranges are attributes,
// lengths of lists or local integers, and branches that attributes decide. Loops that run once are
// not refused.
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

graph loops(x: f32[4]) -> (y: f32[4]) { y = a0(x, n = 2) }
graph once(x: f32[4]) -> (y: f32[4]) { y = a0(x, n = 1) }
graph lists(x: f32[4]) -> (y: f32[4]) { y = b0(x, k = [1, 2]) }

// CHECK:{{.*}}:225:45: error: the 'for' loops and calls make more than 1000000 statements, most of them by a0 -> a1 -> a2 -> a3 -> a4 -> a5 -> ... -> a24{{$}}
// CHECK:{{.*}}:227:45: error: the 'for' loops and calls make more than 1000000 statements, most of them by b0 -> b1 -> b2 -> b3 -> b4 -> b5 -> ... -> b24{{$}}
// CHECK-NOT:error:
