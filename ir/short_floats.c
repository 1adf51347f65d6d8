// Floats of 16 and 8 bits, to f32 and back.
//
// Rounding is half to even. A number that is too large becomes infinite. f8e4m3 has no infinity, so
// it becomes NaN there (Micikevicius et al., "FP8 formats for deep learning", 2022; the OCP 8-bit
// floating point specification, 2023). An f8e5m2 is the upper byte of an f16.
#include "ir/types.h"

#include <math.h>

float mg_half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, m = half & 0x3ff;
    if (exponent == 31)
        return mg_f32_of_bits(sign | 0x7f800000 | m << 13);
    if (exponent)
        return mg_f32_of_bits(sign | (exponent + 112) << 23 | m << 13);
    float tiny = (float)m * 0x1p-24f;
    return mg_f32_of_bits(mg_bits_of_f32(tiny) | sign);
}

uint16_t mg_half_from_float(float value) {
    uint32_t bits = mg_bits_of_f32(value), sign = bits >> 16 & 0x8000;
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) // NaN: quiet, the upper bits of its payload kept
        return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
    if (magnitude >= 0x477ff000) // 65520 and above
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { // below 2^-14: denormal, a multiple of 2^-24
        float scaled = mg_f32_of_bits(magnitude) * 0x1p24f;
        return (uint16_t)(sign | (uint32_t)roundevenf(scaled));
    }
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | ((rounded - 0x38000000) >> 13));
}

float mg_bfloat_to_float(uint16_t bits) {
    return mg_f32_of_bits((uint32_t)bits << 16);
}

uint16_t mg_bfloat_from_float(float value) {
    uint32_t bits = mg_bits_of_f32(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float mg_f8e5m2_to_float(uint8_t bits) {
    return mg_half_to_float((uint16_t)(bits << 8));
}

float mg_f8e4m3_to_float(uint8_t bits) {
    uint32_t magnitude = bits & 0x7f, exponent = magnitude >> 3;
    float value = magnitude == 0x7f ? NAN
                  : exponent        ? mg_f32_of_bits((magnitude << 20) + (120u << 23))
                                    : (float)magnitude * 0x1p-9f;
    return bits & 0x80 ? -value : value;
}

// The code of a magnitude in a format of `digits` bits of mantissa, of which 1 has exponent `bias`.
// It is above the format's last code if the magnitude is too large.
static uint32_t code_of(float magnitude, uint32_t digits, uint32_t bias) {
    uint32_t bits = mg_bits_of_f32(magnitude), shift = 23 - digits;
    if (magnitude < ldexpf(1, 1 - (int)bias)) // denormal, or rounded to the least normal number
        return (uint32_t)roundevenf(ldexpf(magnitude, (int)(bias + digits) - 1));
    uint32_t rounded = bits + (1u << (shift - 1)) - 1 + (bits >> shift & 1);
    return (rounded >> shift) - ((127 - bias) << digits);
}

static uint8_t with_sign(float value, uint32_t code) {
    return (uint8_t)(code | (signbit(value) ? 0x80 : 0));
}

uint8_t mg_f8e5m2_from_float(float value) {
    uint32_t code = isnan(value) ? 0x7f : code_of(fabsf(value), 2, 15);
    return with_sign(value, isnan(value) || code < 0x7c ? code : 0x7c);
}

uint8_t mg_f8e4m3_from_float(float value) {
    uint32_t code = isnan(value) ? 0x7f : code_of(fabsf(value), 3, 7);
    return with_sign(value, code < 0x7f ? code : 0x7f);
}
