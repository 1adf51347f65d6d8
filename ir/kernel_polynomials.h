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

// 2^(b^2) erfc(b sqrt(ln 2)) = d / (s b d + r(b)), d = 1 + b p(b), 0 <= b <= 12.19; relative error
// 2^-24.58 (2^-24.59 before rounding): p; s and r, times 2^32
__attribute__((unused)) static const double erfc2_over_poly[] = {
    0x1.1cfc2e0000000p+0, 0x1.29b3540000000p-1, 0x1.4d11e60000000p-3, 0x1.5d37900000000p-6};
__attribute__((unused)) static const double erfc2_under_scale[] = {0x1.79c5300000000p+32};
__attribute__((unused)) static const double erfc2_under_poly[] = {
    0x1.0000000000000p+32, 0x1.276c280000000p+31, 0x1.6418ba0000000p+29, 0x1.73426e0000000p+26};

// 2^(r + j / 16) = T[j] (C[0] + C[1] r + C[2] r^2 + r^3), |r| <= 1 / 32; relative error 2^-26.93:
// C, T
__attribute__((unused)) static const double exp2_cubic[] = {
    0x1.24c88a0000000p+4, 0x1.95e2600000000p+3, 0x1.1958d60000000p+2};
__attribute__((unused)) static const double exp2_sixteenths[16] = {
    0x1.bfacfc0000000p-5, 0x1.d37efc0000000p-5, 0x1.e831a00000000p-5, 0x1.fdceda0000000p-5,
    0x1.0a30880000000p-4, 0x1.15f98c0000000p-4, 0x1.2248240000000p-4, 0x1.2f22380000000p-4,
    0x1.3c8df60000000p-4, 0x1.4a91d20000000p-4, 0x1.5934860000000p-4, 0x1.687d1c0000000p-4,
    0x1.7872ec0000000p-4, 0x1.891da00000000p-4, 0x1.9a853c0000000p-4, 0x1.acb21c0000000p-4};

// 2^(r + j / 4) = T[j] (C[0] + C[1] r + C[2] r^2 + C[3] r^3 + r^4), |r| <= 1 / 8; relative error
// 2^-26.95: C, T
__attribute__((unused)) static const double exp2_quartic[] = {
    0x1.a6eab20000000p+6, 0x1.2524be0000000p+6, 0x1.9663020000000p+4, 0x1.77c4340000000p+2};
__attribute__((unused)) static const double exp2_quarters[4] = {
    0x1.35ec820000000p-7, 0x1.70904c0000000p-7, 0x1.b64c6c0000000p-7, 0x1.049d260000000p-6};

// 2^(-b^2) / erfc(b sqrt(ln 2)) = sum Q[i][j] b^i, j the bits of b + 0.90625 from 2^21 on, modulo
// 16; relative error 2^-24.73: Q
__attribute__((unused)) static const double erfc_quartics[5][16] = {
    {0x1.ff24900000000p-1, 0x1.faf9e40000000p-1, 0x1.f1e6aa0000000p-1, 0x1.e4049c0000000p-1,
     0x1.c9f7300000000p-1, 0x1.a0c35a0000000p-1, 0x1.785ac80000000p-1, 0x1.53df940000000p-1,
     0x1.277dfc0000000p-1, 0x1.ef1f480000000p-2, 0x1.b4b5080000000p-2, 0x1.0000000000000p+0,
     0x1.00000c0000000p+0, 0x1.0001980000000p+0, 0x1.0004e40000000p+0, 0x1.fff7c20000000p-1},
    {0x1.e3cb860000000p-1, 0x1.ee28c60000000p-1, 0x1.ff7e760000000p-1, 0x1.0a7a020000000p+0,
     0x1.1adbf40000000p+0, 0x1.2f35cc0000000p+0, 0x1.3f37c00000000p+0, 0x1.4b46a60000000p+0,
     0x1.578f9e0000000p+0, 0x1.6243ec0000000p+0, 0x1.67aa140000000p+0, 0x1.e0fdec0000000p-1,
     0x1.e0fb4a0000000p-1, 0x1.e0d82a0000000p-1, 0x1.e0a9740000000p-1, 0x1.e0fa3e0000000p-1},
    {0x1.7813060000000p-3, 0x1.5136440000000p-3, 0x1.1f655e0000000p-3, 0x1.db16840000000p-4,
     0x1.5f26620000000p-4, 0x1.cc49b40000000p-5, 0x1.33c93c0000000p-5, 0x1.a7fdfe0000000p-6,
     0x1.046fc40000000p-6, 0x1.22cbe00000000p-7, 0x1.85c77e0000000p-8, 0x1.83e2be0000000p-3,
     0x1.8454ba0000000p-3, 0x1.86bb160000000p-3, 0x1.88aee80000000p-3, 0x1.868f680000000p-3},
    {-0x1.3f07fc0000000p-5, -0x1.fbe07e0000000p-6, -0x1.7c3e340000000p-6, -0x1.15194c0000000p-6,
     -0x1.5949ba0000000p-7, -0x1.71cd560000000p-8, -0x1.a019d00000000p-9, -0x1.ed873c0000000p-10,
     -0x1.f62eca0000000p-11, -0x1.c58a4a0000000p-12, -0x1.080fde0000000p-12, -0x1.4115d80000000p-5,
     -0x1.4a134a0000000p-5, -0x1.5d452c0000000p-5, -0x1.669ef20000000p-5, -0x1.6044840000000p-5},
    {0x1.f8249a0000000p-9, 0x1.53c4c20000000p-9, 0x1.b18c8a0000000p-10, 0x1.112f6c0000000p-10,
     0x1.198d3c0000000p-11, 0x1.e685560000000p-13, 0x1.c958b00000000p-14, 0x1.d10c960000000p-15,
     0x1.85f0aa0000000p-16, 0x1.1c2e540000000p-17, 0x1.1f58640000000p-18, 0x1.7177700000000p-12,
     0x1.572e060000000p-9, 0x1.22004c0000000p-8, 0x1.43cbfa0000000p-8, 0x1.35865a0000000p-8}};

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
