mg 1
// Requirements make sizes equal, at all sizes, as in a detector's pyramid. A value whose size is halved and doubled
// again is added to another, which says what that size must be, and further reads are proved by it.
// RUN: %mgc --emit-ir -O0 --graph=pyramid %s | %FileCheck %s
// RUN: %mgc --emit-opencl -O2 --graph=pyramid %s >/dev/null
// RUN: %mgc run --graph=pyramid --set n=16 --input x=random %s >/dev/null
// RUN: { %mgc run --graph=pyramid --set n=18 --input x=random %s 2>&1; test $? = 1; } | %FileCheck --check-prefix=ODD %s
// RUN: %mgc --emit-ir -O0 --graph=branches %s | %FileCheck --check-prefix=BRANCHES %s
// RUN: %mgc --emit-opencl -O2 --graph=branches %s >/dev/null

// CHECK: require 2*((n + 15)/16) == (n + 7)/8
// CHECK-NOT: {{^[{]}}
// CHECK: require 2*((n + 3)/4) == (n + 1)/2
// CHECK-NEXT: {{^[{]}}
// CHECK: y[i0 in 0..1, i1 in 3..4, i2 in 0..(n + 1)/2]: f32[1, 4, (n + 1)/2] = {{[a-z_0-9]+}}[i0, i1 - 3, i2]
// ODD: this needs 2*((n + 15)/16) == (n + 7)/8 (n = 18 from x)
graph pyramid(x: f32[1, 1, n]) -> (y: f32[1, 4, (n + 1) / 2]) {
    a = max_pool(x, kernel = 3, stride = 2, pad = 1)
    b = max_pool(a, kernel = 3, stride = 2, pad = 1)
    c = max_pool(b, kernel = 3, stride = 2, pad = 1)
    d = max_pool(c, kernel = 3, stride = 2, pad = 1)
    c1 = c + repeat(d, times = 2)
    b1 = b + repeat(c1, times = 2)
    a1 = a + repeat(b1, times = 2)
    y = concat(a1, repeat(b1, times = 2), repeat(c1, times = 4), repeat(d, times = 8), axis = 1)
}

// Each branch mirrors a different end and takes one place of the rest.
// BRANCHES: require (n + 320)/512 >= 1
// BRANCHES: f[{{.*}}o in 0..(n + 320)/512]
// BRANCHES: = f[n0, n1, 0]
// BRANCHES: = f_2[n0, n1, 0]
graph branches(x: f32[1, 1, n], c: bool[]) -> (y: f32[1, 1]) {
    y = if c {
        p = pad(x, before = [0, 0, 0], after = [0, 0, 64], mode = "reflect")
        h = max_pool(p, kernel = 256, stride = 128)
        g = max_pool(h, kernel = 3, stride = 2, pad = 1)
        f = max_pool(g, kernel = 3, stride = 2, pad = 1)
        yield select(f, index = 0, axis = 2)
    } else {
        p = pad(x, before = [0, 0, 0], after = [0, 0, 32], mode = "reflect")
        h = max_pool(p, kernel = 128, stride = 64)
        g = max_pool(h, kernel = 3, stride = 2, pad = 1)
        f = max_pool(g, kernel = 3, stride = 2, pad = 1)
        yield select(f, index = 0, axis = 2)
    }
}
