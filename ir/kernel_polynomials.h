// Written by ir/fit_polynomials.py. Lowest degree first.
// Each table is included where it is used, so a file may leave some unused.
#ifndef MG_IR_KERNEL_POLYNOMIALS_H
#define MG_IR_KERNEL_POLYNOMIALS_H

#include <stdint.h>

// exp(r) = 1 + r p(r), |r| <= ln 2 / 2; relative error 2^-28.25 (2^-28.91 before rounding)
__attribute__((unused)) static const double exp_poly[] = {
    0x1.0000000000000p+0, 0x1.fffffc0000000p-2, 0x1.5554920000000p-3,
    0x1.5558ae0000000p-5, 0x1.1239880000000p-7, 0x1.6a4f8e0000000p-10};

// expm1(r) = r + r^2 p(r), |r| <= ln 2 / 2; relative error 2^-31.1 (2^-31.81 before rounding)
__attribute__((unused)) static const double expm1_poly[] = {
    0x1.0000000000000p-1, 0x1.5555540000000p-3,  0x1.5554f80000000p-5,
    0x1.1112da0000000p-7, 0x1.6d3a420000000p-10, 0x1.9e6ea80000000p-13};

// exp2(r) = 1 + r p(r), |r| <= 1/2; relative error 2^-32.52 (2^-34.32 before rounding)
__attribute__((unused)) static const double exp2_poly[] = {
    0x1.62e4300000000p-1,  0x1.ebfbe00000000p-3,  0x1.c6b06e0000000p-5, 0x1.3b2a5c0000000p-7,
    0x1.5da59c0000000p-10, 0x1.440de40000000p-13, 0x1.e083ae0000000p-17};

// log(1 + f) = f - f^2 / 2 + f^3 p(f), |f| <= 1/3; relative error 2^-27.68 (2^-27.68 before
// rounding)
__attribute__((unused)) static const double log_poly[] = {
    0x1.5555060000000p-2, -0x1.fffef60000000p-3, 0x1.99d0620000000p-3, -0x1.559cf20000000p-3,
    0x1.1ed39c0000000p-3, -0x1.f326120000000p-4, 0x1.1e77860000000p-3, -0x1.07dcc80000000p-3};
// log2(e) to f32, and what is left
__attribute__((unused)) static const double log2e[] = {0x1.7154760000000p+0, 0x1.4ae0c00000000p-26};

// log2(1 + f) = f log2(e) + f^2 p(f), |f| <= 1/3; relative error 2^-27.65 (2^-27.73 before
// rounding)
__attribute__((unused)) static const double log2_poly[] = {
    -0x1.7154760000000p-1, 0x1.ec70300000000p-2,  -0x1.7153de0000000p-2,
    0x1.279d780000000p-2,  -0x1.ecd1660000000p-3, 0x1.9de40a0000000p-3,
    -0x1.6849180000000p-3, 0x1.9ce8b00000000p-3,  -0x1.7bf4d80000000p-3};

// tanh(x) = x + x^3 p(x^2), |x| <= 0.625; relative error 2^-32.39 (2^-32.55 before rounding)
__attribute__((unused)) static const double tanh_poly[] = {
    -0x1.5555540000000p-2, 0x1.11107a0000000p-3,  -0x1.b9f1880000000p-5,
    0x1.63a5500000000p-6,  -0x1.0c5ed00000000p-7, 0x1.1a28160000000p-9};

// erf(x) = x + x p(x^2), |x| <= 0.93; relative error 2^-30.12 (2^-31.03 before rounding)
__attribute__((unused)) static const double erf_poly[] = {
    0x1.06eba80000000p-3, -0x1.8127420000000p-2,  0x1.ce2dec0000000p-4, -0x1.b80cd80000000p-6,
    0x1.54bb160000000p-8, -0x1.a9e1ec0000000p-11, 0x1.5bcf3a0000000p-14};

// log(erfc(x)) = p(x), 0.92 <= x <= 4; relative error 2^-34.22 (2^-34.34 before rounding)
__attribute__((unused)) static const double erf_tail_poly[] = {
    0x1.6e58fe0000000p-13, -0x1.2127e40000000p+0, -0x1.44460c0000000p-1, -0x1.bb83e80000000p-4,
    0x1.9b8ea80000000p-6,  -0x1.115b700000000p-8, 0x1.c795560000000p-12, -0x1.61f4be0000000p-16};

// exp(x^2) erfc(x) = c d / (s x d + r(x)), d = 1 + x p(x), 0 <= x <= 10.13; relative error 2^-25.50
// (2^-25.54 before rounding): p; s and r, times 2^24; and c exp(t), |t| <= ln 2 / 2
__attribute__((unused)) static const double erfc_over_poly[] = {
    0x1.4cafb40000000p+0, 0x1.97ae7a0000000p-1, 0x1.0a7f240000000p-2, 0x1.4296400000000p-5};
__attribute__((unused)) static const double erfc_under_scale[] = {0x1.88944c0000000p+24};
__attribute__((unused)) static const double erfc_under_poly[] = {
    0x1.bafa380000000p+23, 0x1.225cc40000000p+23, 0x1.9be5300000000p+21, 0x1.ed1a500000000p+18};
__attribute__((unused)) static const double erfc_exp_poly[] = {
    0x1.bafa380000000p-1, 0x1.bafa380000000p-1, 0x1.bafa340000000p-2, 0x1.2750d20000000p-3,
    0x1.2754600000000p-5, 0x1.da835c0000000p-8, 0x1.3977be0000000p-10};

// exp(r) 2^(j / 16) = T[j] (C[0] + C[1] r + C[2] r^2 + r^3), |r| <= ln 2 / 32; relative error
// 2^-28.23: C, T
__attribute__((unused)) static const double exp_cubic[] = {
    0x1.810f820000000p+2, 0x1.810f840000000p+2, 0x1.8113440000000p+1};
// the same for exp(ln 2 / l r), l being ln 2 to 12 bits; relative error 2^-28.48
__attribute__((unused)) static const double exp_square_cubic[] = {
    0x1.810f820000000p+2, 0x1.8114100000000p+2, 0x1.811c5c0000000p+1};
__attribute__((unused)) static const double exp_sixteenths[16] = {
    0x1.5464a80000000p-3, 0x1.6376b40000000p-3, 0x1.7333900000000p-3, 0x1.83a2ca0000000p-3,
    0x1.94cc4a0000000p-3, 0x1.a6b84e0000000p-3, 0x1.b96f740000000p-3, 0x1.ccfab80000000p-3,
    0x1.e163800000000p-3, 0x1.f6b39a0000000p-3, 0x1.067aa20000000p-2, 0x1.1219980000000p-2,
    0x1.1e3c440000000p-2, 0x1.2ae87c0000000p-2, 0x1.3824560000000p-2, 0x1.45f62e0000000p-2};

// exp(-ln 2 / l a^2) / erfc(a) = sum Q[i][j] (a - P[j])^i, j the bits of a + 3.5 from 2^20 on,
// modulo 16; l: ln 2 to 12 bits; relative error 2^-24.82: P, Q
__attribute__((unused)) static const double erfc_points[16] = {
    0x1.4635400000000p+2, 0x1.78a0900000000p+2, 0x1.bdc2900000000p+2, 0x1.02680a0000000p+3,
    0x1.1f14120000000p+3, 0x1.3df97e0000000p+3, 0x1.f4538e0000000p-4, 0x1.8724740000000p-2,
    0x1.7b78040000000p-1, 0x1.43c6a80000000p+0, 0x1.c97f620000000p+0, 0x1.1e45a20000000p+1,
    0x1.55eecc0000000p+1, 0x1.a16a160000000p+1, 0x1.e9e3540000000p+1, 0x1.0c3f140000000p+2};
__attribute__((unused)) static const double erfc_quartics[5][16] = {
    {0x1.261c1c0000000p+3, 0x1.51ed260000000p+3, 0x1.8e25240000000p+3, 0x1.cc16aa0000000p+3,
     0x1.fe0f880000000p+3, 0x1.19ecb20000000p+4, 0x1.244bf60000000p+0, 0x1.77960c0000000p+0,
     0x1.f5bd380000000p+0, 0x1.5ee2580000000p+1, 0x1.c8c4900000000p+1, 0x1.1374f80000000p+2,
     0x1.41e3960000000p+2, 0x1.81c8460000000p+2, 0x1.bfcbfc0000000p+2, 0x1.e7e9940000000p+2},
    {0x1.bc3fce0000000p+0, 0x1.bd863e0000000p+0, 0x1.be4a260000000p+0, 0x1.be53f80000000p+0,
     0x1.bdfc1a0000000p+0, 0x1.bd55e40000000p+0, 0x1.312c7a0000000p+0, 0x1.4ed6940000000p+0,
     0x1.6de0b80000000p+0, 0x1.8bab6a0000000p+0, 0x1.9db14e0000000p+0, 0x1.a79fac0000000p+0,
     0x1.ae333a0000000p+0, 0x1.b423aa0000000p+0, 0x1.b7d3ec0000000p+0, 0x1.b984e80000000p+0},
    {0x1.12d6fa0000000p-8, 0x1.29b60c0000000p-9, 0x1.4cb62a0000000p-11, -0x1.c06ac40000000p-12,
     -0x1.1152660000000p-10, -0x1.9a1f440000000p-10, 0x1.fcb63e0000000p-3, 0x1.9698b80000000p-3,
     0x1.221c260000000p-3, 0x1.5db1260000000p-4, 0x1.ad066c0000000p-5, 0x1.20bf080000000p-5,
     0x1.92b8840000000p-6, 0x1.fdc9c80000000p-7, 0x1.5146a60000000p-7, 0x1.04c9840000000p-7},
    {-0x1.0bad620000000p-10, -0x1.55c6de0000000p-11, -0x1.9c62580000000p-12, -0x1.11dd960000000p-12,
     -0x1.a83bc40000000p-13, -0x1.5159820000000p-13, -0x1.125b820000000p-4, -0x1.ea61980000000p-5,
     -0x1.74e52c0000000p-5, -0x1.c090ae0000000p-6, -0x1.04a2560000000p-6, -0x1.4a587a0000000p-7,
     -0x1.b071e00000000p-8, -0x1.feb1520000000p-9, -0x1.40f3ae0000000p-9, -0x1.e888a60000000p-10},
    {0x1.6428260000000p-13, 0x1.4de5e60000000p-14, 0x1.55030e0000000p-15, 0x1.6eb3ec0000000p-16,
     0x1.b855c80000000p-17, 0x1.fb18060000000p-18, 0x1.e8062a0000000p-9, 0x1.2905d60000000p-7,
     0x1.47ca740000000p-7, 0x1.d382340000000p-8, 0x1.18b9260000000p-8, 0x1.44c6e40000000p-9,
     0x1.78664a0000000p-10, 0x1.b948660000000p-11, 0x1.0c6e620000000p-11, 0x1.519e9e0000000p-12}};

// sin(r) = r + r^3 p(r^2), |r| <= pi / 4; relative error 2^-32.52 (2^-37.5 before rounding)
__attribute__((unused)) static const double sin_poly[] = {
    -0x1.5555560000000p-3, 0x1.1111740000000p-7, -0x1.a0595c0000000p-13, 0x1.7c326e0000000p-19};

// cos(r) = 1 - r^2 / 2 + r^4 p(r^2), |r| <= pi / 4; relative error 2^-32.99 (2^-33.0 before
// rounding)
__attribute__((unused)) static const double cos_poly[] = {
    0x1.55554a0000000p-5, -0x1.6c0c2a0000000p-10, 0x1.99e90e0000000p-16};

// asin(x) = x + x^3 p(x^2), |x| <= 1/2; relative error 2^-31.69 (2^-31.75 before rounding)
__attribute__((unused)) static const double asin_poly[] = {
    0x1.55554c0000000p-3, 0x1.3338ac0000000p-4, 0x1.6ca7500000000p-5,
    0x1.04d36a0000000p-5, 0x1.d512360000000p-7, 0x1.34cf3c0000000p-5};

// atan(x) = x + x^3 p(x^2), |x| <= 1; relative error 2^-28.51 (2^-28.53 before rounding)
__attribute__((unused)) static const double atan_poly[] = {
    -0x1.55553e0000000p-2, 0x1.9991e60000000p-3,  -0x1.2420b60000000p-3,
    0x1.c08f640000000p-4,  -0x1.58155c0000000p-4, 0x1.da5ebc0000000p-5,
    -0x1.fdfbb60000000p-6, 0x1.64c1140000000p-7,  -0x1.d4965a0000000p-10};

// sinh(x) = x + x^3 p(x^2), |x| <= 1; relative error 2^-31.61 (2^-34.16 before rounding)
__attribute__((unused)) static const double sinh_poly[] = {
    0x1.5555560000000p-3, 0x1.1110e00000000p-7, 0x1.a022b60000000p-13, 0x1.756dfa0000000p-19};

// log2((1 + s) / (1 - s)) = s p(s^2), |s| <= (sqrt 2 - 1) / (sqrt 2 + 1), in f64; relative error
// 2^-45.08 (2^-45.08 before rounding)
__attribute__((unused)) static const double log2_f64_poly[] = {
    0x1.71547652b8250p+1, 0x1.ec709dc53ea3ap-1, 0x1.2776c29079de8p-1,
    0x1.a61a312339e34p-2, 0x1.4794efaaccc12p-2, 0x1.21b6f5891316ep-2};

// 2 / pi in words of 32 bits: 0.A2F9836E...
__attribute__((unused)) static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

#endif
