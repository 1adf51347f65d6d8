mg 1
import elementwise
// Operations of StableHLO and CHLO that are not operators of the library.

// the inverse of erf, a polynomial in single precision: Giles, 2010
op erf_inv<T: float>(x: T[..S]) -> (y: T[..S]) {
    w[..s]: f32[..S] = -log1p(-f32(x[..s]) * f32(x[..s]))
    a[..s]: f32[..S] = w[..s] - 2.5
    b[..s]: f32[..S] = sqrt(w[..s]) - 3
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
    y[..s] = T(where(abs(f32(x[..s])) == 1, f32(x[..s]) * inf,
            where(w[..s] < 5, p8[..s], q8[..s]) * f32(x[..s])))
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
