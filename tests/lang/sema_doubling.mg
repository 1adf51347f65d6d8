mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Programs that double with each level are refused before anything is instantiated: operators,
// layers, functions of elements, and lists.
op a0(x: f32[4]) -> (y: f32[4]) { y = a1(a1(x)) }
op a1(x: f32[4]) -> (y: f32[4]) { y = a2(a2(x)) }
op a2(x: f32[4]) -> (y: f32[4]) { y = a3(a3(x)) }
op a3(x: f32[4]) -> (y: f32[4]) { y = a4(a4(x)) }
op a4(x: f32[4]) -> (y: f32[4]) { y = a5(a5(x)) }
op a5(x: f32[4]) -> (y: f32[4]) { y = a6(a6(x)) }
op a6(x: f32[4]) -> (y: f32[4]) { y = a7(a7(x)) }
op a7(x: f32[4]) -> (y: f32[4]) { y = a8(a8(x)) }
op a8(x: f32[4]) -> (y: f32[4]) { y = a9(a9(x)) }
op a9(x: f32[4]) -> (y: f32[4]) { y = a10(a10(x)) }
op a10(x: f32[4]) -> (y: f32[4]) { y = a11(a11(x)) }
op a11(x: f32[4]) -> (y: f32[4]) { y = a12(a12(x)) }
op a12(x: f32[4]) -> (y: f32[4]) { y = a13(a13(x)) }
op a13(x: f32[4]) -> (y: f32[4]) { y = a14(a14(x)) }
op a14(x: f32[4]) -> (y: f32[4]) { y = a15(a15(x)) }
op a15(x: f32[4]) -> (y: f32[4]) { y = a16(a16(x)) }
op a16(x: f32[4]) -> (y: f32[4]) { y = a17(a17(x)) }
op a17(x: f32[4]) -> (y: f32[4]) { y = a18(a18(x)) }
op a18(x: f32[4]) -> (y: f32[4]) { y = a19(a19(x)) }
op a19(x: f32[4]) -> (y: f32[4]) { y = a20(a20(x)) }
op a20(x: f32[4]) -> (y: f32[4]) { y = a21(a21(x)) }
op a21(x: f32[4]) -> (y: f32[4]) { y = a22(a22(x)) }
op a22(x: f32[4]) -> (y: f32[4]) { y = a23(a23(x)) }
op a23(x: f32[4]) -> (y: f32[4]) { y = a24(a24(x)) }
op a24(x: f32[4]) -> (y: f32[4]) { y[i] = x[i] }
layer b0(x: f32[4]) -> (y: f32[4]) {
    param p: b1()
    y = p(p(x))
}
layer b1(x: f32[4]) -> (y: f32[4]) {
    param p: b2()
    y = p(p(x))
}
layer b2(x: f32[4]) -> (y: f32[4]) {
    param p: b3()
    y = p(p(x))
}
layer b3(x: f32[4]) -> (y: f32[4]) {
    param p: b4()
    y = p(p(x))
}
layer b4(x: f32[4]) -> (y: f32[4]) {
    param p: b5()
    y = p(p(x))
}
layer b5(x: f32[4]) -> (y: f32[4]) {
    param p: b6()
    y = p(p(x))
}
layer b6(x: f32[4]) -> (y: f32[4]) {
    param p: b7()
    y = p(p(x))
}
layer b7(x: f32[4]) -> (y: f32[4]) {
    param p: b8()
    y = p(p(x))
}
layer b8(x: f32[4]) -> (y: f32[4]) {
    param p: b9()
    y = p(p(x))
}
layer b9(x: f32[4]) -> (y: f32[4]) {
    param p: b10()
    y = p(p(x))
}
layer b10(x: f32[4]) -> (y: f32[4]) {
    param p: b11()
    y = p(p(x))
}
layer b11(x: f32[4]) -> (y: f32[4]) {
    param p: b12()
    y = p(p(x))
}
layer b12(x: f32[4]) -> (y: f32[4]) {
    param p: b13()
    y = p(p(x))
}
layer b13(x: f32[4]) -> (y: f32[4]) {
    param p: b14()
    y = p(p(x))
}
layer b14(x: f32[4]) -> (y: f32[4]) {
    param p: b15()
    y = p(p(x))
}
layer b15(x: f32[4]) -> (y: f32[4]) {
    param p: b16()
    y = p(p(x))
}
layer b16(x: f32[4]) -> (y: f32[4]) {
    param p: b17()
    y = p(p(x))
}
layer b17(x: f32[4]) -> (y: f32[4]) {
    param p: b18()
    y = p(p(x))
}
layer b18(x: f32[4]) -> (y: f32[4]) {
    param p: b19()
    y = p(p(x))
}
layer b19(x: f32[4]) -> (y: f32[4]) {
    param p: b20()
    y = p(p(x))
}
layer b20(x: f32[4]) -> (y: f32[4]) {
    param p: b21()
    y = p(p(x))
}
layer b21(x: f32[4]) -> (y: f32[4]) {
    param p: b22()
    y = p(p(x))
}
layer b22(x: f32[4]) -> (y: f32[4]) {
    param p: b23()
    y = p(p(x))
}
layer b23(x: f32[4]) -> (y: f32[4]) {
    param p: b24()
    y = p(p(x))
}
layer b24(x: f32[4]) -> (y: f32[4]) { y[i] = x[i] }
op c0<T: float>(x: T[]) -> (y: T[]) { y = c1(x) * c1(x) }
op c1<T: float>(x: T[]) -> (y: T[]) { y = c2(x) * c2(x) }
op c2<T: float>(x: T[]) -> (y: T[]) { y = c3(x) * c3(x) }
op c3<T: float>(x: T[]) -> (y: T[]) { y = c4(x) * c4(x) }
op c4<T: float>(x: T[]) -> (y: T[]) { y = c5(x) * c5(x) }
op c5<T: float>(x: T[]) -> (y: T[]) { y = c6(x) * c6(x) }
op c6<T: float>(x: T[]) -> (y: T[]) { y = c7(x) * c7(x) }
op c7<T: float>(x: T[]) -> (y: T[]) { y = c8(x) * c8(x) }
op c8<T: float>(x: T[]) -> (y: T[]) { y = c9(x) * c9(x) }
op c9<T: float>(x: T[]) -> (y: T[]) { y = c10(x) * c10(x) }
op c10<T: float>(x: T[]) -> (y: T[]) { y = c11(x) * c11(x) }
op c11<T: float>(x: T[]) -> (y: T[]) { y = c12(x) * c12(x) }
op c12<T: float>(x: T[]) -> (y: T[]) { y = c13(x) * c13(x) }
op c13<T: float>(x: T[]) -> (y: T[]) { y = c14(x) * c14(x) }
op c14<T: float>(x: T[]) -> (y: T[]) { y = c15(x) * c15(x) }
op c15<T: float>(x: T[]) -> (y: T[]) { y = c16(x) * c16(x) }
op c16<T: float>(x: T[]) -> (y: T[]) { y = c17(x) * c17(x) }
op c17<T: float>(x: T[]) -> (y: T[]) { y = c18(x) * c18(x) }
op c18<T: float>(x: T[]) -> (y: T[]) { y = c19(x) * c19(x) }
op c19<T: float>(x: T[]) -> (y: T[]) { y = c20(x) * c20(x) }
op c20<T: float>(x: T[]) -> (y: T[]) { y = c21(x) * c21(x) }
op c21<T: float>(x: T[]) -> (y: T[]) { y = c22(x) * c22(x) }
op c22<T: float>(x: T[]) -> (y: T[]) { y = c23(x) * c23(x) }
op c23<T: float>(x: T[]) -> (y: T[]) { y = c24(x) * c24(x) }
op c24<T: float>(x: T[]) -> (y: T[]) { y = x + 1 }
op d0(x: f32[4], k: int[]) -> (y: f32[4]) { y = d1(x, k = k + k) }
op d1(x: f32[4], k: int[]) -> (y: f32[4]) { y = d2(x, k = k + k) }
op d2(x: f32[4], k: int[]) -> (y: f32[4]) { y = d3(x, k = k + k) }
op d3(x: f32[4], k: int[]) -> (y: f32[4]) { y = d4(x, k = k + k) }
op d4(x: f32[4], k: int[]) -> (y: f32[4]) { y = d5(x, k = k + k) }
op d5(x: f32[4], k: int[]) -> (y: f32[4]) { y = d6(x, k = k + k) }
op d6(x: f32[4], k: int[]) -> (y: f32[4]) { y = d7(x, k = k + k) }
op d7(x: f32[4], k: int[]) -> (y: f32[4]) { y = d8(x, k = k + k) }
op d8(x: f32[4], k: int[]) -> (y: f32[4]) { y = d9(x, k = k + k) }
op d9(x: f32[4], k: int[]) -> (y: f32[4]) { y = d10(x, k = k + k) }
op d10(x: f32[4], k: int[]) -> (y: f32[4]) { y = d11(x, k = k + k) }
op d11(x: f32[4], k: int[]) -> (y: f32[4]) { y = d12(x, k = k + k) }
op d12(x: f32[4], k: int[]) -> (y: f32[4]) { y = d13(x, k = k + k) }
op d13(x: f32[4], k: int[]) -> (y: f32[4]) { y = d14(x, k = k + k) }
op d14(x: f32[4], k: int[]) -> (y: f32[4]) { y = d15(x, k = k + k) }
op d15(x: f32[4], k: int[]) -> (y: f32[4]) { y = d16(x, k = k + k) }
op d16(x: f32[4], k: int[]) -> (y: f32[4]) { y = d17(x, k = k + k) }
op d17(x: f32[4], k: int[]) -> (y: f32[4]) { y = d18(x, k = k + k) }
op d18(x: f32[4], k: int[]) -> (y: f32[4]) { y = d19(x, k = k + k) }
op d19(x: f32[4], k: int[]) -> (y: f32[4]) { y = d20(x, k = k + k) }
op d20(x: f32[4], k: int[]) -> (y: f32[4]) { y = d21(x, k = k + k) }
op d21(x: f32[4], k: int[]) -> (y: f32[4]) { y = d22(x, k = k + k) }
op d22(x: f32[4], k: int[]) -> (y: f32[4]) { y = d23(x, k = k + k) }
op d23(x: f32[4], k: int[]) -> (y: f32[4]) { y = d24(x, k = k + k) }
op d24(x: f32[4], k: int[]) -> (y: f32[4]) { y[i] = x[i] }
graph ops(x: f32[4]) -> (y: f32[4]) { y = a0(x) }
graph layers(x: f32[4]) -> (y: f32[4]) {
    param p: b0()
    y = p(x)
}
graph functions(x: f32[4]) -> (y: f32[4]) { y[i] = c0(x[i]) }
graph lists(x: f32[4]) -> (y: f32[4]) { y = d0(x, k = [1, 2]) }

// CHECK:{{.*}}:167:61: error: a list of 131072 elements is too long: the limit is 65536{{$}}
// CHECK:{{.*}}:177:43: error: the 'for' loops and calls make more than 1000000 statements, most of them by a0 -> a1 -> a2 -> a3 -> a4 -> a5 -> ... -> a24{{$}}
// CHECK:{{.*}}:180:9: error: the 'for' loops and calls make more than 1000000 statements, most of them by b0 -> b1 -> b2 -> b3 -> b4 -> b5 -> ... -> b24{{$}}
// CHECK:{{.*}}:182:52: error: the 'for' loops and calls make more than 1000000 statements, most of them by c0 -> c1 -> c2 -> c3 -> c4 -> c5 -> ... -> c24{{$}}
// CHECK-NOT:error:
