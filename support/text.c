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

void mg_text_add_xml(MgText *text, const char *string) {
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c < sizeof entities / sizeof *entities && entities[c])
            mg_text_add(text, entities[c]);
        else
            mg_text_add_n(text, string, 1);
    }
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

const MgScale mg_time_scales[] = {{1e-6, " µs"}, {1e-3, " ms"}, {1, " s"}, {0, NULL}};

const char *mg_scaled(MgArena *arena, const MgScale *scales, double value, int digits) {
    double rounds_up = 1 - 0.5 * pow(10, -digits); // 999.6 to three digits is the next unit's 1
    while (scales[1].name && value >= scales[1].factor * rounds_up)
        scales++;
    double v = value / scales->factor;
    bool whole = v >= pow(10, digits) * rounds_up; // all digits before the point: no exponent
    return whole ? mg_arena_printf(arena, "%.0f%s", v, scales->name)
                 : mg_arena_printf(arena, "%.*g%s", digits, v, scales->name);
}

const char *mg_time_text(MgArena *arena, double us) {
    // A smaller time is not meaningful, and would be written with an exponent.
    return mg_scaled(arena, mg_time_scales, us < 1e-4 ? 0 : us * 1e-6, 3);
}

size_t mg_columns(const char *text, size_t length) {
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}
