// The text buffer, and floats printed so that they read back exactly.
#include "support/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void mg_text_add_n(MgText *text, const char *string, size_t length) {
    while (text->bytes.cap - text->bytes.len < length)
        text->bytes.at =
            mg_vec_grow(text->arena, text->bytes.at, text->bytes.len, &text->bytes.cap, 1);
    if (length)
        memcpy(text->bytes.at + text->bytes.len, string, length);
    text->bytes.len += (uint32_t)length;
}

void mg_text_add(MgText *text, const char *string) {
    mg_text_add_n(text, string, strlen(string));
}

void mg_textf(MgText *text, const char *format, ...) {
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    if (n >= 0 && (size_t)n < sizeof small)
        mg_text_add_n(text, small, (size_t)n);
    else
        mg_text_add(text, mg_arena_vprintf(text->arena, format, again));
    va_end(again);
    va_end(args);
}

const char *mg_text_str(MgText *text) {
    mg_push(text->arena, &text->bytes, '\0');
    text->bytes.len--;
    return text->bytes.at;
}

const char *mg_float_str(MgArena *arena, double value, bool single) {
    if (isnan(value))
        return "nan";
    if (isinf(value))
        return value < 0 ? "-inf" : "inf";
    char digits[40];
    int precision = 0; // after the first digit
    for (; precision < 17; precision++) {
        snprintf(digits, sizeof digits, "%.*e", precision, value);
        if (single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value)
            break;
    }
    int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent >= -5 && exponent < (single ? 8 : 16))
        snprintf(digits, sizeof digits, "%.*f", precision > exponent ? precision - exponent : 1,
                 value);
    else
        snprintf(digits, sizeof digits, "%.*g", precision + 1, value);
    return mg_arena_str(arena, digits, strlen(digits));
}

const char *mg_counted(MgArena *arena, uint64_t n, const char *noun) {
    return mg_arena_printf(arena, "%llu %s%s", (unsigned long long)n, noun, mg_plural(n));
}

const char *mg_time_text(MgArena *arena, double us) {
    static const char *const units[] = {"µs", "ms", "s"};
    uint32_t unit = 0;
    if (us < 1e-4) // too little to tell, and "%.3g" would write 1e-05
        us = 0;
    for (; unit < 2 && us >= 999.5; unit++) // "%.3g" would write 1e+03
        us *= 1e-3;
    return mg_arena_printf(arena, us < 999.5 ? "%.3g %s" : "%.0f %s", us, units[unit]);
}

size_t mg_columns(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}
