mg 1
// RUN: %mgc --emit-ir -O0 --graph=through --no-annotations %s | %FileCheck --check-prefix=THROUGH %s
// RUN: %mgc run %s --graph=through --input x=0.4,1.6 --input v=1,2 | %FileCheck --check-prefix=VALUES %s
// RUN: %mgc run %s --graph=agree --input x=0.5,2 --input w=2,3 --input g=1,4 | %FileCheck --check-prefix=AGREE %s
// RUN: %mgc run %s --graph=agree -O3 --input x=0.5,2 --input w=2,3 --input g=1,4 | %FileCheck --check-prefix=AGREE %s
// RUN: %mgc check-gradients %s --graph=agree | %FileCheck --check-prefix=RIGHT %s
// RUN: %mgc run %s --graph=inverse --input x=0,0.5,-0.9,-1,1 --input v=ones | %FileCheck --check-prefix=INVERSE %s
// RUN: %not %mgc check-gradients %s --graph=wrong | %FileCheck --check-prefix=WRONG %s
import stablehlo

// No derivative flows through a rounding, but the op says otherwise.
op round_through<T: float>(x: T[..S]) -> (y: T[..S]) {
    y[..s] = round(x[..s])
}
derivative of round_through<T: float>(d_y: T[..S]) -> (d_x: T[..S]) {
    d_x[..s] = d_y[..s]
}
// This op hands its operand on, and negates the adjoint.
op reverse(x: f32[N], by: float = 1.0) -> (y: f32[N]) {
    y = x
}
derivative of reverse(x: f32[N], d_y: f32[N], by: float) -> (d_x: f32[N]) {
    d_x[n] = -by * d_y[n] + 0 * x[n]
}
graph through(x: f32[2], v: f32[2]) -> (d, t, turned) {
    y = round_through(x)
    d = derivative(y, x, along = v)
    t = derivative(y, x, towards = v)
    z = reverse(x, by = 3.0)
    turned = derivative(z, x, along = v)
}
// THROUGH: d[s in 0..2]: f32[2] = v[s]
// THROUGH: t[s in 0..2]: f32[2] = v[s]
// VALUES: d: f32[2] = [1.0, 2.0]
// VALUES: t: f32[2] = [1.0, 2.0]
// VALUES: turned: f32[2] = [-3.0, -6.0]

// The estimate with which erf_inv begins has no finite derivative at 0, but erf_inv has. At 1 it is
// infinite, though steps towards it would be NaN.
graph inverse(x: f64[5], v: f64[5]) -> (d, narrow) {
    y = stablehlo.erf_inv(x)
    d = derivative(y, x, along = v)
    x32[i]: f32[5] = f32(x[i])
    v32[i]: f32[5] = f32(v[i])
    z = stablehlo.erf_inv(x32)
    narrow = derivative(z, x32, along = v32)
}
// INVERSE: d: f64[5] = [0.88622692545275{{[0-9]+}}, 1.1125848189719{{[0-9]+}}, 3.4280428114518{{[0-9]+}}, inf, inf]
// INVERSE: narrow: f32[5] = [0.88622{{[0-9]+}}, 1.11258{{[0-9]+}}, 3.428{{[0-9]+}}, inf, inf]

// One op with and without a derivative of its own: two results, an operand that may be left out, a
// loop, an `if`, a second derivative.
op plain(x: f32[N], w: f32[N], b: f32[N]?) -> (y: f32[N], z: f32[N]) {
    y[n] = x[n] * x[n] * w[n] + (b[n] else 0)
    z[n] = exp(x[n]) * w[n]
}
op stated(x: f32[N], w: f32[N], b: f32[N]?) -> (y: f32[N], z: f32[N]) {
    y, z = plain(x, w, b)
}
derivative of stated(x: f32[N], w: f32[N], b: f32[N]?, z: f32[N], d_y: f32[N], d_z: f32[N])
    -> (d_x: f32[N], d_w: f32[N], d_b: f32[N])
{
    d_x[n] = 2 * x[n] * w[n] * d_y[n] + z[n] * d_z[n]
    d_w[n] = x[n] * x[n] * d_y[n] + exp(x[n]) * d_z[n]
    d_b[n] = d_y[n]
}
graph agree(x: f32[2], w: f32[2], g: f32[2])
    -> (once, twice, looped, branched, towards, once1, twice1, looped1, branched1, towards1)
{
    few[] = g[0] < 2
    y, z = plain(x, w, w)
    s = mul(y, z)
    once = derivative(s, w, along = g)
    by_x = derivative(s, x, along = g)
    twice = derivative(by_x, x, along = g)
    towards = derivative(s, x, towards = g)
    l = loop i in 0..3 carry (a = x) {
        b, c = plain(a, w)
        next a = mul(b, 0.5)
    }
    looped = derivative(l, x, along = g)
    c = if few {
        p, q = plain(x, w)
        yield q
    } else {
        yield x
    }
    branched = derivative(c, x, along = g)
    y1, z1 = stated(x, w, w)
    s1 = mul(y1, z1)
    once1 = derivative(s1, w, along = g)
    by_x1 = derivative(s1, x, along = g)
    twice1 = derivative(by_x1, x, along = g)
    towards1 = derivative(s1, x, towards = g)
    l1 = loop i in 0..3 carry (a = x) {
        b, c = stated(a, w)
        next a = mul(b, 0.5)
    }
    looped1 = derivative(l1, x, along = g)
    c1 = if few {
        p, q = stated(x, w)
        yield q
    } else {
        yield x
    }
    branched1 = derivative(c1, x, along = g)
}
// AGREE: once: f32[2] = [8.2436{{[0-9.]*}}, 886.686{{[0-9.]*}}]
// AGREE: twice: f32[2] = [34.6231{{[0-9.]*}}, 15960.3{{[0-9.]*}}]
// AGREE: looped: f32[2] = [0.06{{[0-9.]*}}, 69984{{[0-9.]*}}]
// AGREE: branched: f32[2] = [3.29744{{[0-9.]*}}, 88.668{{[0-9.]*}}]
// AGREE: towards: f32[2] = [14.8384{{[0-9.]*}}, 2394.05{{[0-9.]*}}]
// AGREE: once1: f32[2] = [8.2436{{[0-9.]*}}, 886.68{{[0-9.]*}}]
// AGREE: twice1: f32[2] = [34.623{{[0-9.]*}}, 15960.3{{[0-9.]*}}]
// AGREE: looped1: f32[2] = [0.06{{[0-9.]*}}, 69984{{[0-9.]*}}]
// AGREE: branched1: f32[2] = [3.29744{{[0-9.]*}}, 88.668{{[0-9.]*}}]
// AGREE: towards1: f32[2] = [14.8384{{[0-9.]*}}, 2394.05{{[0-9.]*}}]
// RIGHT: 30 right, 0 wrong

// What is stated is checked, through parameters, numbers and loops too.
op cube<T: float>(x: T[..S], by: float = 1.0) -> (y: T[..S]) {
    y[..s] = by * x[..s] * x[..s] * x[..s]
}
derivative of cube<T: float>(x: T[..S], d_y: T[..S], by: float) -> (d_x: T[..S]) {
    d_x[..s] = 2 * by * x[..s] * x[..s] * d_y[..s]
}
graph wrong(x: f32[2], z: f32[2]) -> (y, l, apart) {
    param w: f32[2] = 0.5
    y = cube(mul(x, w), by = 2.0)
    a = loop i in 0..2 carry (a = z) {
        b = cube(a)
        next a = b
    }
    l[] = sum[n] a[n]
    apart = mul(x, z)
}
// WRONG: {{^}}WRONG     y by x:
// WRONG: {{^}}WRONG     y by w:
// WRONG: {{^}}WRONG     l by z:
// WRONG: right     apart by x:
// WRONG: right     apart by z:
