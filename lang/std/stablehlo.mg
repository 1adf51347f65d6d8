mg 1
import elementwise
// Operations of StableHLO and CHLO that are not operators of the library.

// the inverse of erf: in f64 two of Halley's steps from Winitzki's estimate of 2008, where 1 - |x| is
// exact for the large ones; otherwise a polynomial in single precision: Giles, 2010
op erf_inv<T: float>(x: T[..S]) -> (y: T[..S]) {
    if T == f64 {
        // abs(x), with derivative 1 at 0; that of the steps is right, that of the estimate infinite.
        // At 1 the steps begin at 0, from where they and their derivatives are finite.
        a[..s]: f64[..S] = where(x[..s] < 0, -x[..s], x[..s])
        l[..s]: f64[..S] = log1p(-a[..s] * a[..s]) / 0.147
        t[..s]: f64[..S] = 4.330746750799873 + l[..s] * 0.0735
        estimate[..s]: f64[..S] = sqrt(-l[..s] / (sqrt(t[..s] * t[..s] - l[..s]) + t[..s]))
        start[..s]: f64[..S] = where(a[..s] == 1, 0, estimate[..s])
        size = erf_inv_step(a, erf_inv_step(a, elementwise.constant(start)))
        y[..s] = where(a[..s] == 1, x[..s] * inf, where(x[..s] < 0, -size[..s], size[..s]))
    } else {
        v[..s]: f32[..S] = where(abs(x[..s]) == 1, 0, f32(x[..s]))
        w[..s]: f32[..S] = -log1p(-v[..s] * v[..s])
        a[..s]: f32[..S] = w[..s] - 2.5
        b[..s]: f32[..S] = sqrt(max(w[..s], 5)) - 3
        p1[..s]: f32[..S] = 3.43273939e-07 + a[..s] * 2.81022636e-08
        p2[..s]: f32[..S] = -3.5233877e-06 + a[..s] * p1[..s]
        p3[..s]: f32[..S] = -4.39150654e-06 + a[..s] * p2[..s]
        p4[..s]: f32[..S] = 0.00021858087 + a[..s] * p3[..s]
        p5[..s]: f32[..S] = -0.00125372503 + a[..s] * p4[..s]
        p6[..s]: f32[..S] = -0.00417768164 + a[..s] * p5[..s]
        p7[..s]: f32[..S] = 0.246640727 + a[..s] * p6[..s]
        p8[..s]: f32[..S] = 1.50140941 + a[..s] * p7[..s]
        q1[..s]: f32[..S] = 0.000100950558 + b[..s] * -0.000200214257
        q2[..s]: f32[..S] = 0.00134934322 + b[..s] * q1[..s]
        q3[..s]: f32[..S] = -0.00367342844 + b[..s] * q2[..s]
        q4[..s]: f32[..S] = 0.00573950773 + b[..s] * q3[..s]
        q5[..s]: f32[..S] = -0.0076224613 + b[..s] * q4[..s]
        q6[..s]: f32[..S] = 0.00943887047 + b[..s] * q5[..s]
        q7[..s]: f32[..S] = 1.00167406 + b[..s] * q6[..s]
        q8[..s]: f32[..S] = 2.83297682 + b[..s] * q7[..s]
        y[..s] = T(where(abs(x[..s]) == 1, f32(x[..s]) * inf,
                where(w[..s] < 5, p8[..s], q8[..s]) * v[..s]))
    }
}
// a better y with erf(y) = x for x of at least 0: Halley's step
op erf_inv_step(x: f64[..S], y: f64[..S]) -> (z: f64[..S]) {
    off[..s]: f64[..S] = where(x[..s] < 0.5, erf(y[..s]) - x[..s], (1 - x[..s]) - erfc(y[..s]))
    u[..s]: f64[..S] = off[..s] * exp(y[..s] * y[..s]) * 0.8862269254527580
    z[..s] = y[..s] - u[..s] / (1 + y[..s] * u[..s])
}
// the nearest whole number; of two, the one that is farther from 0
op round_nearest_afz<T: float>(x: T[..S]) -> (y: T[..S]) {
    below[..s]: T[..S] = floor(abs(x[..s]))
    y[..s] = sign(x[..s]) * where(abs(x[..s]) - below[..s] < 0.5, below[..s], ceil(abs(x[..s])))
}
// Numbers in the order of x: -nan, -inf, ..., -0, 0, ..., inf, nan
op total_order<T: float>(x: T[..S]) -> (place: i64[..S]) {
    if T == f64 {
        bits[..s]: i64[..S] = bitcast(x[..s], i64)
        place[..s] = where(bits[..s] < 0, bit_xor(bits[..s], i64(9223372036854775807)), bits[..s])
    } else {
        half[..s]: i32[..S] = bitcast(f32(x[..s]), i32)
        place[..s] = i64(where(half[..s] < 0, bit_xor(half[..s], i32(2147483647)), half[..s]))
    }
}
// the bits of x, with zeros above them
op bits_of<T: int>(x: T[..S]) -> (v: u64[..S]) {
    if T == i32 or T == u32 {
        v[..s] = bit_and(u64(x[..s]), u64(4294967295))
    } else if T == i16 or T == u16 {
        v[..s] = bit_and(u64(x[..s]), u64(65535))
    } else if T == i8 or T == u8 {
        v[..s] = bit_and(u64(x[..s]), u64(255))
    } else {
        v[..s] = u64(x[..s])
    }
}
// how many bits are set
op popcnt<T: int>(x: T[..S]) -> (y: T[..S]) {
    v = bits_of(x)
    two[..s]: u64[..S] = v[..s] - bit_and(shr(v[..s], 1), u64(6148914691236517205))
    four[..s]: u64[..S] = bit_and(two[..s], u64(3689348814741910323))
        + bit_and(shr(two[..s], 2), u64(3689348814741910323))
    eight[..s]: u64[..S] = bit_and(four[..s] + shr(four[..s], 4), u64(1085102592571150095))
    y[..s] = T(shr(eight[..s] * u64(72340172838076673), 56))
}
// how many bits are 0 above the highest one that is set
op count_leading_zeros<T: int>(x: T[..S]) -> (y: T[..S]) {
    width = where(T == i8 or T == u8, 8,
        where(T == i16 or T == u16, 16, where(T == i32 or T == u32, 32, 64)))
    a = bits_of(x)
    b[..s]: u64[..S] = bit_or(a[..s], shr(a[..s], 1))
    c[..s]: u64[..S] = bit_or(b[..s], shr(b[..s], 2))
    d[..s]: u64[..S] = bit_or(c[..s], shr(c[..s], 4))
    e[..s]: u64[..S] = bit_or(d[..s], shr(d[..s], 8))
    f[..s]: u64[..S] = bit_or(e[..s], shr(e[..s], 16))
    below[..s]: u64[..S] = bit_or(f[..s], shr(f[..s], 32))
    y[..s] = T(u64(width) - popcnt(below[..s]))
}
// the bits of a moved down by b; a bit that comes in is 0
op shift_right_logical<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) {
    if T == i64 {
        y[..s] = bitcast(shr(bitcast(a[..s], u64), bitcast(b[..s], u64)), i64)
    } else if T == i32 {
        y[..s] = bitcast(shr(bitcast(a[..s], u32), bitcast(b[..s], u32)), i32)
    } else if T == i16 {
        y[..s] = bitcast(shr(bitcast(a[..s], u16), bitcast(b[..s], u16)), i16)
    } else if T == i8 {
        y[..s] = bitcast(shr(bitcast(a[..s], u8), bitcast(b[..s], u8)), i8)
    } else {
        y[..s] = shr(a[..s], b[..s])
    }
}
// the bits of a moved down by b; a bit that comes in is the sign
op shift_right_arithmetic<T: int>(a: T[..S], b: T[..S]) -> (y: T[..S]) {
    if T == u64 {
        y[..s] = bitcast(shr(bitcast(a[..s], i64), bitcast(b[..s], i64)), u64)
    } else if T == u32 {
        y[..s] = bitcast(shr(bitcast(a[..s], i32), bitcast(b[..s], i32)), u32)
    } else if T == u16 {
        y[..s] = bitcast(shr(bitcast(a[..s], i16), bitcast(b[..s], i16)), u16)
    } else if T == u8 {
        y[..s] = bitcast(shr(bitcast(a[..s], i8), bitcast(b[..s], i8)), u8)
    } else {
        y[..s] = shr(a[..s], b[..s])
    }
}
// the number after x in the direction of y
op next_after<T: float>(x: T[..S], y: T[..S]) -> (z: T[..S])
    broadcast S
{
    if T == f64 {
        place[..s]: i64[..S] = bitcast(x[..s], i64)
        up[..s]: bool[..S] = (y[..s] > x[..s]) == (x[..s] > 0)
        z[..s] = where(x[..s] != x[..s] or y[..s] != y[..s], x[..s] + y[..s],
            where(x[..s] == y[..s], y[..s],
                where(x[..s] == 0, where(y[..s] > 0, bitcast(i64(1), f64), -bitcast(i64(1), f64)),
                    bitcast(place[..s] + where(up[..s], i64(1), -1), f64))))
    } else {
        place[..s]: i32[..S] = bitcast(f32(x[..s]), i32)
        up[..s]: bool[..S] = (y[..s] > x[..s]) == (x[..s] > 0)
        z[..s] = where(x[..s] != x[..s] or y[..s] != y[..s], x[..s] + y[..s],
            where(x[..s] == y[..s], y[..s],
                where(x[..s] == 0, where(y[..s] > 0, bitcast(i32(1), f32), -bitcast(i32(1), f32)),
                    bitcast(place[..s] + where(up[..s], i32(1), -1), f32))))
    }
}
// log(|gamma(x)|) for x of at least a half: Lanczos, 1964, with g = 7 and 9 terms
op log_gamma_right(x: f64[..S]) -> (y: f64[..S]) {
    a[..s]: f64[..S] = x[..s] - 1
    sum1[..s]: f64[..S] = 0.99999999999980993
        + 676.5203681218851 / (a[..s] + 1)
        - 1259.1392167224028 / (a[..s] + 2)
        + 771.32342877765313 / (a[..s] + 3)
        - 176.61502916214059 / (a[..s] + 4)
    sum2[..s]: f64[..S] = 12.507343278686905 / (a[..s] + 5)
        - 0.13857109526572012 / (a[..s] + 6)
        + 9.9843695780195716e-6 / (a[..s] + 7)
        + 1.5056327351493116e-7 / (a[..s] + 8)
    t[..s]: f64[..S] = a[..s] + 7.5
    y[..s] = 0.91893853320467274
        + (a[..s] + 0.5) * log(t[..s])
        - t[..s]
        + log(sum1[..s] + sum2[..s])
}
// log(|gamma(x)|); on the left by reflection
op log_gamma<T: float>(x: T[..S]) -> (y: T[..S]) {
    wide[..s]: f64[..S] = f64(x[..s])
    turned[..s]: f64[..S] = where(wide[..s] < 0.5, 1 - wide[..s], wide[..s])
    right = log_gamma_right(turned)
    part[..s]: f64[..S] = wide[..s] - round(wide[..s])
    wave[..s]: f64[..S] = abs(sin(3.141592653589793 * part[..s]))
    y[..s] = T(where(abs(wide[..s]) == inf, inf,
            where(wide[..s] <= 0 and part[..s] == 0, inf,
                where(wide[..s] < 0.5, 1.1447298858494002 - log(wave[..s]) - right[..s],
                    right[..s]))))
}
// the derivative of log(gamma(x)): the asymptotic series beyond 6, recurrence, and reflection
op digamma<T: float>(x: T[..S]) -> (y: T[..S]) {
    wide[..s]: f64[..S] = f64(x[..s])
    a[..s]: f64[..S] = where(wide[..s] < 0.5, 1 - wide[..s], wide[..s])
    lower[..s]: f64[..S] = 1 / a[..s]
        + 1 / (a[..s] + 1)
        + 1 / (a[..s] + 2)
        + 1 / (a[..s] + 3)
        + 1 / (a[..s] + 4)
        + 1 / (a[..s] + 5)
        + 1 / (a[..s] + 6)
        + 1 / (a[..s] + 7)
    b[..s]: f64[..S] = a[..s] + 8
    q[..s]: f64[..S] = 1 / (b[..s] * b[..s])
    series[..s]: f64[..S] = q[..s]
        * (0.083333333333333333
            - q[..s]
                * (0.0083333333333333333
                    - q[..s]
                        * (0.003968253968253968
                            - q[..s] * (0.0041666666666666667 - q[..s] * 0.0075757575757575758))))
    right[..s]: f64[..S] = log(b[..s]) - 0.5 / b[..s] - series[..s] - lower[..s]
    part[..s]: f64[..S] = wide[..s] - round(wide[..s])
    turn[..s]: f64[..S] = 3.141592653589793 / tan(3.141592653589793 * part[..s])
    y[..s] = T(where(wide[..s] <= 0 and part[..s] == 0, nan,
            where(wide[..s] < 0.5, right[..s] - turn[..s], right[..s])))
}
// x without its last `drop` bits, rounded to even. What is then above the bits `most` is infinite,
// and what is below `least` is 0: a float of fewer bits.
op reduce_precision(x: f32[..S], drop: int, half: int, least: int, most: int) -> (y: f32[..S]) {
    bits[..s]: u32[..S] = bitcast(x[..s], u32)
    size[..s]: u32[..S] = bit_and(bits[..s], u32(2147483647))
    odd[..s]: u32[..S] = bit_and(shr(size[..s], u32(drop)), u32(min(half, 1)))
    more[..s]: u32[..S] = size[..s] + odd[..s] + u32(max(half - 1, 0))
    near[..s]: u32[..S] = shl(shr(more[..s], u32(drop)), u32(drop))
    near_value[..s]: f32[..S] = bitcast(near[..s], f32)
    sized[..s]: f32[..S] = where(near[..s] > u32(most), inf,
        where(near[..s] < u32(least), 0, near_value[..s]))
    y[..s] = where(x[..s] != x[..s], x[..s],
        where(bits[..s] >= u32(2147483648), -sized[..s], sized[..s]))
}
// the places of the k largest of an axis in order, in which a positive NaN is above all numbers and
// -0 below 0
op top_places<T: number>(x: T[..N, D @ axis], k: int, axis: int = -1) -> (i: i64[..N, k @ axis]) {
    if T == f64 or T == f32 or T == f16 or T == bf16 or T == f8e4m3 or T == f8e5m2 {
        v, i = topk(total_order(x), k = k, axis = axis)
    } else {
        v, i = topk(x, k = k, axis = axis)
    }
}
// the sum of (q + n) to the power -x over n >= 0, for x above 1: Euler and Maclaurin's formula after
// 20 terms
op zeta<T: float>(x: T[..S], q: T[..S]) -> (y: T[..S])
    broadcast S
{
    s[..s]: f64[..S] = f64(x[..s])
    b[..s]: f64[..S] = f64(q[..s]) + 20
    first[..s] = sum[n in 0..20] pow(f64(q[..s]) + n, -s[..s])
    next[..s]: f64[..S] = pow(b[..s], -s[..s])
    r[..s]: f64[..S] = 1 / (b[..s] * b[..s])
    c4[..s]: f64[..S] = 1 - r[..s] * (s[..s] + 7) * (s[..s] + 8) / 39.6
    c3[..s]: f64[..S] = 1 - r[..s] * (s[..s] + 5) * (s[..s] + 6) / 40 * c4[..s]
    c2[..s]: f64[..S] = 1 - r[..s] * (s[..s] + 3) * (s[..s] + 4) / 42 * c3[..s]
    c1[..s]: f64[..S] = 1 - r[..s] * (s[..s] + 1) * (s[..s] + 2) / 60 * c2[..s]
    whole[..s]: f64[..S] = first[..s]
        + next[..s] * (b[..s] / (s[..s] - 1) + 0.5 + s[..s] / (12 * b[..s]) * c1[..s])
    pole[..s]: bool[..S] = q[..s] <= 0 and q[..s] == floor(q[..s])
    other[..s]: f64[..S] = where(s[..s] < 1 or q[..s] < -10, nan, whole[..s])
    at_pole[..s]: f64[..S] = where(rem(s[..s], 2) == 0, inf, nan)
    y[..s] = T(where(s[..s] == 1, inf, where(pole[..s], at_pole[..s], other[..s])))
}
// derivative n of digamma
op polygamma<T: float>(n: T[..S], x: T[..S]) -> (y: T[..S])
    broadcast S
{
    odd[..s]: bool[..S] = rem(n[..s], 2) == 1
    power[..s]: f64[..S] = f64(n[..s]) + 1
    place[..s]: f64[..S] = f64(x[..s])
    series = zeta(power, place)
    size[..s]: f64[..S] = exp(log_gamma(power[..s])) * series[..s]
    none[..s]: bool[..S] = n[..s] < 0 or n[..s] != floor(n[..s])
    y[..s] = T(where(none[..s], nan,
            where(n[..s] == 0, digamma(place[..s]), where(odd[..s], size[..s], -size[..s]))))
}
// the modified Bessel function of order 1 times exp(-|x|): the trapezoidal rule for its integral
// over a circle, which is exact up to 32, and the asymptotic series
op bessel_i1e<T: float>(x: T[..S]) -> (y: T[..S]) {
    a[..s]: f64[..S] = abs(f64(x[..s]))
    wave[k in 0..64]: f64[64] = cos(0.09817477042468103 * k)
    near[..s] = sum[k in 0..64] exp(min(a[..s], 32) * (wave[k] - 1)) * wave[k]
    b[..s]: f64[..S] = max(a[..s], 32)
    c6[..s]: f64[..S] = 1 + 117 / (48 * b[..s]) * (1 + 165 / (56 * b[..s]))
    c4[..s]: f64[..S] = 1 + 45 / (32 * b[..s]) * (1 + 77 / (40 * b[..s]) * c6[..s])
    c2[..s]: f64[..S] = 1 + 5 / (16 * b[..s]) * (1 + 21 / (24 * b[..s]) * c4[..s])
    far[..s]: f64[..S] = 0.3989422804014327 / sqrt(b[..s]) * (1 - 3 / (8 * b[..s]) * c2[..s])
    size[..s]: f64[..S] = where(a[..s] <= 32, near[..s] / 64, far[..s])
    y[..s] = T(where(x[..s] != x[..s], f64(x[..s]), where(x[..s] < 0, -size[..s], size[..s])))
}
