// x 2^floor(n), rounded once, for every x and n.
//
// If the target has the instruction, only n has to be bounded. Otherwise a power of two is built
// from bits, and three such factors reach from the largest number to the smallest. Only the last
// product may round: the first factor that can make a denormal is 2^-102 (in f64 2^-969), and
// results beyond it are 0 anyway.
#include "ir/kernel_math.h"

typedef struct Format {
    int least, most, safe; // exponents: the limits of normal numbers, and a step down that loses
                           // nothing
    uint32_t mantissa;
    MgDType bits;
    double rounder; // adding it leaves an integer in the low bits
} Format;

static X with(MgKernel *k, X x, double value) {
    return mg_klike_float(k, x, x->type.dtype, value);
}

// 2^n for an integer n that is the exponent of a normal number.
static X power(MgKernel *k, const Format *f, X n) {
    X low = mg_kcast(k, MG_PRIM_BITCAST, f->bits, add(k, n, with(k, n, f->rounder)));
    X biased = add(k, shl(k, low, f->mantissa),
                   mg_klike_int(k, low, f->bits, (int64_t)f->most << f->mantissa));
    return mg_kcast(k, MG_PRIM_BITCAST, n->type.dtype, biased);
}

const MgKx *mg_expand_scaleb(MgKernel *k, const MgKx *a, const MgKx *b) {
    static const Format single = {-126, 127, -102, 23, MG_U32, 0x1.8p23};
    static const Format dble = {-1022, 1023, -969, 52, MG_U64, 0x1.8p52};
    const Format *f = a->type.dtype == MG_F64 ? &dble : &single;
    X n = mg_k2(k, MG_PRIM_MIN, mg_k2(k, MG_PRIM_MAX, b, with(k, b, -4096)), with(k, b, 4096));
    if (k->scaleb)
        return mg_k2(k, MG_PRIM_SCALEB, a, n);
    n = mg_k1(k, MG_PRIM_FLOOR, n);
    X y = a, rest = n;
    for (int i = 0; i < 3; i++) {
        X down = with(k, n, i < 2 ? f->safe : f->least);
        X step = mg_kwhere(k, less(k, rest, with(k, n, f->least)), down,
                           mg_k2(k, MG_PRIM_MIN, rest, with(k, n, f->most)));
        y = mul(k, y, power(k, f, step));
        rest = sub(k, rest, step);
    }
    return mg_kwhere(k, mg_k1(k, MG_PRIM_ISNAN, b), b, y);
}
