// An equation whose box is empty adds nothing to those that define the rest, wherever it stands and whatever it reads:
// as written, where an operand has no elements, in a loop's trip, and once sizes are known. What is printed is read back.
// RUN: %mgc run %s --set A=0 --input x=1,2,3 --input a=zeros --input b=4,5 | %FileCheck %s
// RUN: %mgc run --interp %s --set A=0 --input x=1,2,3 --input a=zeros --input b=4,5 | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --set A=0 --set B=2 %s | %mgc run - --input x=1,2,3 --input a=zeros --input b=4,5 | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --set A=2 --set B=0 %s | %mgc run - --input x=1,2,3 --input a=4,5 --input b=zeros | %FileCheck %s --check-prefix=OTHER
mg 1
op joined<T: any>(a: T[A], b: T[B]) -> (y: T[A + B]) {
    y[i in 0..A] = a[i]
    y[i in A..A + B] = b[i - A]
}
graph g(x: f32[3], a: f32[A], b: f32[B])
    -> (early: f32[3], late: f32[3], behind: f32[3], before: f32[3], open: f32[A + B], trip: f32[1]) {
    none[i]: f32[0] = x[i]
    early[i in 0..0] = x[i]
    early[i in 0..3] = x[i] * 2
    late[i in 0..3] = x[i] * 2
    used = neg(late)
    late[i in 3..3] = used[i]
    behind = joined(x, none)
    before = joined(none, x)
    open = joined(a, b)
    one[i]: f32[1] = x[i]
    trip = loop t in 0..1 carry (c = one) {
        u[i in 0..t + 1]: f32[1] = c[i] * 3
        u[i in t + 1..1]: f32[1] = c[i]
        next c = u
    }
}
// CHECK: early: f32[3] = [2.0, 4.0, 6.0]
// CHECK: late: f32[3] = [2.0, 4.0, 6.0]
// CHECK: behind: f32[3] = [1.0, 2.0, 3.0]
// CHECK: before: f32[3] = [1.0, 2.0, 3.0]
// CHECK: open: f32[2] = [4.0, 5.0]
// CHECK: trip: f32[1] = [3.0]
// OTHER: open: f32[2] = [4.0, 5.0]
// OTHER: trip: f32[1] = [3.0]

// What is wrong in an empty box is its only error.
// RUN: printf 'mg 1\ngraph g(x: f32[4]) -> (y) {\n y[i in 0..4]: f32[4] = x[i]\n y[i in 4..4]: f64[4] = 1.0\n}\n' > %t.mg
// RUN: %not %mgc --emit-ir %t.mg 2>&1 | %FileCheck %s --check-prefix=TYPE
// TYPE-NOT: twice
// TYPE: :4:16: error: 'y' is declared f64, but its value is f32
// TYPE-NOT: error:
