// The error bounds of primitives.
//
// For y = f(x...): e_y = sum |df/dx_i| e_i + 4u|y| + tiny. The slope is the steepest within 8
// bounds of the operand, so that the rule holds where f bends. If f jumps, has a pole or leaves its
// domain within 8 bounds, the element is exempt (it has an infinite bound). Moves carry the bound
// of the value that they choose. Integers are exact or exempt. A result of infinity or NaN has
// bound 0: only its kind is compared, and it is exempt if an operand's bound could change that
// kind.
// that kind.
#include "ir/interp_internal.h"

double mg_interp_unit_roundoff(MgDType dtype) {
    static const double u[] = {[MG_F64] = 0x1p-53, [MG_F32] = 0x1p-24,   [MG_F16] = 0x1p-11,
                               [MG_BF16] = 0x1p-8, [MG_F8E4M3] = 0x1p-4, [MG_F8E5M2] = 0x1p-3};
    return mg_is_float(dtype) ? u[dtype] : 0;
}

double mg_interp_least_normal(MgDType dtype) {
    static const double tiny[] = {
        [MG_F64] = 0x1p-1022, [MG_F32] = 0x1p-126,  [MG_F16] = 0x1p-14,
        [MG_BF16] = 0x1p-126, [MG_F8E4M3] = 0x1p-6, [MG_F8E5M2] = 0x1p-14};
    return mg_is_float(dtype) ? tiny[dtype] : 0;
}

double mg_interp_largest(MgDType dtype) {
    static const double max[] = {[MG_F64] = 0x1.fffffffffffffp1023,
                                 [MG_F32] = 0x1.fffffep127,
                                 [MG_F16] = 65504,
                                 [MG_BF16] = 0x1.fep127,
                                 [MG_F8E4M3] = 448,
                                 [MG_F8E5M2] = 57344};
    return mg_is_float(dtype) ? max[dtype] : 0;
}

bool mg_interp_near(double distance, double e) {
    return e > 1e3 * MG_SIGN_BOUND && distance <= 8 * e;
}

// The bound of a result y, finite or overflowed, to which the operands contribute e_in. `exact` is
// y before rounding.
static double settle(MgDType type, double y, double exact, double e_in) {
    double u = mg_interp_unit_roundoff(type), max = mg_interp_largest(type);
    if (isnan(e_in) || isnan(y))
        return MG_INTERP_EXEMPT;
    double e = e_in + 4 * u * fabs(exact) + mg_interp_least_normal(type);
    if (isinf(y))
        return isinf(exact)                ? (e_in > 0 ? MG_INTERP_EXEMPT : 0)
               : fabs(exact) - 8 * e > max ? 0
                                           : MG_INTERP_EXEMPT;
    return fabs(y) + 8 * e > max ? MG_INTERP_EXEMPT : e;
}

// ---------------------------------------------------------------- rules for floats
typedef struct Args {
    MgPrim prim;
    MgDType type, to;
    double a, b, c, ea, eb, ec, y;
} Args;
typedef double Rule(const Args *x);

static double add_rule(const Args *x) {
    if (!isfinite(x->a) || !isfinite(x->b))
        return 0;
    return settle(x->type, x->y, x->prim == MG_PRIM_ADD ? x->a + x->b : x->a - x->b, x->ea + x->eb);
}

// What a product loses at -O3, where a subnormal factor may count as 0.
static double lost(MgDType type, double a, double b) {
    double least = mg_interp_least_normal(type);
    return fabs(a) < least || fabs(b) < least ? fabs(a * b) : 0;
}

// May a factor be 0, whose product with an infinity is NaN?
static bool may_vanish(const Args *x, double factor, double e) {
    double size = fabs(factor);
    return mg_interp_near(size, e) || (size > 0 && size < mg_interp_least_normal(x->type));
}

static double mul_rule(const Args *x) {
    if (isnan(x->a) || isnan(x->b))
        return 0;
    if (isinf(x->a) || isinf(x->b))
        return may_vanish(x, x->a, x->ea) || may_vanish(x, x->b, x->eb) ? MG_INTERP_EXEMPT : 0;
    if (isinf(x->y)) // contracted into a sum, the product does not overflow
        return MG_INTERP_EXEMPT;
    return settle(x->type, x->y, x->a * x->b,
                  fabs(x->a) * x->eb + fabs(x->b) * x->ea + 8 * x->ea * x->eb +
                      lost(x->type, x->a, x->b));
}

static double div_rule(const Args *x) {
    if (isnan(x->a) || isnan(x->b))
        return 0;
    if (mg_interp_near(fabs(x->b), x->eb) || (x->b == 0 && x->eb > 0))
        return MG_INTERP_EXEMPT;
    if (x->b == 0 || isinf(x->a))
        return x->b == 0 && mg_interp_near(fabs(x->a), x->ea) ? MG_INTERP_EXEMPT : 0;
    if (isinf(x->b))
        return MG_SIGN_BOUND;
    return settle(x->type, x->y, x->a / x->b,
                  (x->ea + fabs(x->a / x->b) * x->eb) / (fabs(x->b) - 8 * x->eb));
}

static double fma_rule(const Args *x) {
    if (!isfinite(x->a) || !isfinite(x->b) || !isfinite(x->c))
        return !isnan(x->a) && !isnan(x->b) && !isnan(x->c) &&
                       (x->ea + x->eb + x->ec > 0 || may_vanish(x, x->a, 0) ||
                        may_vanish(x, x->b, 0))
                   ? MG_INTERP_EXEMPT
                   : 0;
    double product = fabs(x->a * x->b), u = mg_interp_unit_roundoff(x->type);
    if (product > mg_interp_largest(x->type))
        return MG_INTERP_EXEMPT;
    return settle(x->type, x->y, x->a * x->b + x->c,
                  fabs(x->a) * x->eb + fabs(x->b) * x->ea + 8 * x->ea * x->eb + x->ec +
                      4 * u * product + lost(x->type, x->a, x->b));
}

// The larger of two values. If either may be the larger one, the larger bound covers both.
static double extreme_rule(const Args *x) {
    if (isnan(x->a) || isnan(x->b))
        return 0;
    if (x->a == 0 && x->b == 0 && signbit(x->a) != signbit(x->b))
        return fmax(fmax(x->ea, x->eb), MG_SIGN_BOUND);
    if (fabs(x->a - x->b) <= 8 * (x->ea + x->eb))
        return fmax(x->ea, x->eb);
    return x->y == x->a ? x->ea : x->eb;
}

static double keep_rule(const Args *x) {
    return x->ea;
}

static double zero_or(double y) {
    return y == 0 ? MG_SIGN_BOUND : 0;
}

static double sign_rule(const Args *x) {
    return mg_interp_near(fabs(x->a), x->ea) ? MG_INTERP_EXEMPT : zero_or(x->y);
}

static double whole_rule(const Args *x) {
    double a = fabs(x->a);
    if (!isfinite(a))
        return 0;
    double distance = fabs(a - rint(a));
    if (x->prim == MG_PRIM_ROUND)
        distance = fabs(a - floor(a) - 0.5);
    else if (x->prim == MG_PRIM_TRUNC && a < 1)
        distance = 1 - a;
    return mg_interp_near(distance, x->ea) ? MG_INTERP_EXEMPT : zero_or(x->y);
}

static double rem_rule(const Args *x) {
    if (!isfinite(x->a) || isnan(x->b) || x->b == 0)
        return x->b == 0 && x->eb > 0 ? MG_INTERP_EXEMPT : 0;
    if (isinf(x->b)) // the remainder is a itself
        return x->ea;
    if (mg_interp_near(fabs(x->b), x->eb))
        return MG_INTERP_EXEMPT;
    double q = fabs(x->a / x->b);
    double e_in = x->ea + floor(q) * x->eb;
    if (mg_interp_near(fabs(q - rint(q)), (x->ea + q * x->eb) / fabs(x->b)))
        return MG_INTERP_EXEMPT;
    return settle(x->type, x->y, x->y, e_in);
}

static double scaleb_rule(const Args *x) {
    if (isnan(x->a) || isnan(x->b))
        return 0;
    if (mg_interp_near(isinf(x->b) ? INFINITY : fabs(x->b - rint(x->b)), x->eb))
        return MG_INTERP_EXEMPT;
    double power = exp2(floor(x->b));
    if (isinf(x->a) || isinf(power)) // infinite, unless a may be zero
        return mg_interp_near(fabs(x->a), x->ea) ? MG_INTERP_EXEMPT : 0;
    return settle(x->type, x->y, x->a * power, power * x->ea);
}

static double compare_rule(const Args *x) {
    return mg_interp_near(fabs(x->a - x->b), x->ea + x->eb) ? MG_INTERP_EXEMPT : 0;
}

static double never_rule(const Args *x) {
    (void)x;
    return 0;
}

// A conversion from a float. Between float types, a narrower one adds its rounding.
static double convert_rule(const Args *x) {
    if (mg_is_float(x->to)) {
        if (!isfinite(x->a) || (x->y == x->a && x->ea <= MG_SIGN_BOUND))
            return x->ea;
        bool narrows = mg_dtype(x->to)->bits < mg_dtype(x->type)->bits;
        return narrows ? settle(x->to, x->y, x->a, x->ea) : x->ea;
    }
    if (isnan(x->a))
        return 0;
    if (x->to == MG_BOOL)
        return mg_interp_near(fabs(x->a), x->ea) ? MG_INTERP_EXEMPT : 0;
    double a = fabs(x->a);
    return mg_interp_near(a < 1 ? 1 - a : fabs(a - rint(a)), x->ea) ? MG_INTERP_EXEMPT : 0;
}

static double bits_rule(const Args *x) {
    return x->ea > 0 ? MG_INTERP_EXEMPT : 0;
}

// ---------------------------------------------------------------- smooth functions of one operand
// |f'| at a; NaN outside the domain.
static double slope(MgPrim prim, double a) {
    switch (prim) {
    case MG_PRIM_SQRT:
        return a > 0 ? 0.5 / sqrt(a) : NAN;
    case MG_PRIM_RSQRT:
        return a > 0 ? 0.5 / (a * sqrt(a)) : NAN;
    case MG_PRIM_EXP:
    case MG_PRIM_EXPM1:
        return exp(a);
    case MG_PRIM_EXP2:
        return 0.6931471805599453 * exp2(a);
    case MG_PRIM_LOG:
        return a > 0 ? 1 / a : NAN;
    case MG_PRIM_LOG2:
        return a > 0 ? 1.4426950408889634 / a : NAN;
    case MG_PRIM_LOG1P:
        return a > -1 ? 1 / (1 + a) : NAN;
    case MG_PRIM_TAN:
        return 1 + tan(a) * tan(a);
    case MG_PRIM_ASIN:
    case MG_PRIM_ACOS:
        return fabs(a) < 1 ? 1 / sqrt(1 - a * a) : NAN;
    case MG_PRIM_ATAN:
        return 1 / (1 + a * a);
    case MG_PRIM_SINH:
        return cosh(a);
    case MG_PRIM_COSH:
        return fabs(sinh(a));
    case MG_PRIM_TANH:
        return 1 - tanh(a) * tanh(a);
    case MG_PRIM_ASINH:
        return 1 / sqrt(1 + a * a);
    case MG_PRIM_ACOSH:
        return a > 1 ? 1 / sqrt(a * a - 1) : NAN;
    case MG_PRIM_ATANH:
        return fabs(a) < 1 ? 1 / (1 - a * a) : NAN;
    case MG_PRIM_ERF:
    case MG_PRIM_ERFC:
        return 1.1283791670955126 * exp(-a * a);
    default:
        return INFINITY;
    }
}

// The steepest slope within 8e of a. NaN if this whole range is outside the domain, infinite if a
// part of it is.
static double steepest(const Args *x) {
    double a = x->a, e = 8 * x->ea, low = a - e, high = a + e;
    switch (x->prim) {
    case MG_PRIM_SIN:
        return fmin(1, fabs(cos(a)) + e);
    case MG_PRIM_COS:
        return fmin(1, fabs(sin(a)) + e);
    case MG_PRIM_EXP:
        return fabs(x->y) * (e < 0.01 ? 1.02 : exp(e)) + mg_interp_least_normal(x->type);
    case MG_PRIM_TANH:
        return fmin(1, 1 - x->y * x->y + e);
    case MG_PRIM_TAN:
        if (e > 0.5 || cos(low) * cos(high) <= 0)
            return INFINITY;
        break;
    case MG_PRIM_ATAN:
    case MG_PRIM_ASINH:
    case MG_PRIM_ERF:
    case MG_PRIM_ERFC:
        if (low <= 0 && high >= 0)
            return slope(x->prim, 0);
        break;
    default:
        break;
    }
    double s0 = slope(x->prim, low), s1 = slope(x->prim, a), s2 = slope(x->prim, high);
    if (isnan(s0) && isnan(s1) && isnan(s2))
        return NAN;
    return isnan(s0) || isnan(s1) || isnan(s2) ? INFINITY : fmax(s1, fmax(s0, s2));
}

static double smooth_rule(const Args *x) {
    if (isnan(x->a))
        return 0;
    double e_in = 0;
    if (x->ea > MG_SIGN_BOUND) {
        double s = steepest(x);
        if (isnan(s))
            return 0;
        if (isinf(s))
            return MG_INTERP_EXEMPT;
        e_in = s * x->ea;
    } else if (x->ea > 0 && x->prim == MG_PRIM_RSQRT && x->a == 0) {
        return MG_INTERP_EXEMPT;
    }
    if (isnan(x->y))
        return 0;
    double exact = x->y;
    if (isinf(x->y) && isfinite(x->a) && x->type == MG_F32) {
        MgBits bits = mg_bits_from_double(MG_F64, x->a);
        exact = mg_bits_to_double(MG_F64, mg_prim_eval(x->prim, MG_F64, MG_F64, &bits));
    }
    if (isinf(exact) && x->ea == 0)
        return 0;
    return settle(x->type, x->y, exact, e_in);
}

static double pow_rule(const Args *x) {
    double a = x->a, b = x->b, da = 8 * x->ea, db = 8 * x->eb;
    bool whole = b == rint(b) && x->eb <= MG_SIGN_BOUND;
    if (!isfinite(a) || !isfinite(b))
        return x->ea + x->eb > 0 ? MG_INTERP_EXEMPT : zero_or(x->y);
    if (x->ea + x->eb <= MG_SIGN_BOUND)
        return isnan(x->y)             ? 0
               : isinf(x->y) && a == 0 ? (x->ea > 0 ? MG_INTERP_EXEMPT : 0)
                                       : settle(x->type, x->y, pow(a, b), 0);
    if (whole && b >= 0)
        return settle(x->type, x->y, pow(a, b), b == 0 ? 0 : b * pow(fabs(a) + da, b - 1) * x->ea);
    if (fabs(a) <= da)
        return MG_INTERP_EXEMPT;
    if (a < 0 && whole)
        return settle(x->type, x->y, pow(a, b), fabs(b) * pow(fabs(a) - da, b - 1) * x->ea);
    if (a < 0)
        return x->eb > 0 ? MG_INTERP_EXEMPT : 0;
    double middle = pow(a, b), most = 0;
    for (int corner = 0; corner < 4; corner++)
        most = fmax(most,
                    fabs(pow(corner & 1 ? a + da : a - da, corner & 2 ? b + db : b - db) - middle));
    return settle(x->type, x->y, middle, most / 8);
}

static Rule *rule_of(MgPrim prim) {
    static Rule *const rules[MG_PRIM_COUNT] = {
        [MG_PRIM_ADD] = add_rule,       [MG_PRIM_SUB] = add_rule,
        [MG_PRIM_MUL] = mul_rule,       [MG_PRIM_DIV] = div_rule,
        [MG_PRIM_REM] = rem_rule,       [MG_PRIM_NEG] = keep_rule,
        [MG_PRIM_ABS] = keep_rule,      [MG_PRIM_SIGN] = sign_rule,
        [MG_PRIM_MIN] = extreme_rule,   [MG_PRIM_MAX] = extreme_rule,
        [MG_PRIM_FMA] = fma_rule,       [MG_PRIM_POW] = pow_rule,
        [MG_PRIM_SCALEB] = scaleb_rule, [MG_PRIM_FLOOR] = whole_rule,
        [MG_PRIM_CEIL] = whole_rule,    [MG_PRIM_ROUND] = whole_rule,
        [MG_PRIM_TRUNC] = whole_rule,   [MG_PRIM_EQ] = compare_rule,
        [MG_PRIM_NE] = compare_rule,    [MG_PRIM_LT] = compare_rule,
        [MG_PRIM_LE] = compare_rule,    [MG_PRIM_GT] = compare_rule,
        [MG_PRIM_GE] = compare_rule,    [MG_PRIM_ISNAN] = never_rule,
        [MG_PRIM_CAST] = convert_rule,  [MG_PRIM_SATURATE] = convert_rule,
        [MG_PRIM_BITCAST] = bits_rule};
    return rules[prim] ? rules[prim] : smooth_rule;
}

// ---------------------------------------------------------------- instructions
// The bound of operand k of lane l. If the function jumps, an exact operand counts as having none.
static double operand_bound(const MgInterpInstr *in, const MgInterpReg *r, uint32_t k, uint32_t l) {
    uint32_t at = k < in->n_args ? k : 0;
    double e = r[in->args[at]].e[l];
    bool converts = in->prim == MG_PRIM_CAST && mg_is_float(in->to);
    bool jumps = mg_prim(in->prim)->kind == MG_KIND_JUMP && !converts;
    return jumps && in->exact[at] && e < MG_INTERP_EXEMPT ? 0 : e;
}

// The rules of sums, differences and products for finite numbers far from overflow, as nearly all
// are. Gives the first lane that needs its rule.
static uint32_t plain_bounds(const MgInterpInstr *in, const MgInterpReg *r, uint32_t from,
                             uint32_t n) {
    const MgInterpReg *a = &r[in->args[0]], *b = &r[in->args[1]], *d = &r[in->dst];
    double u = 4 * mg_interp_unit_roundoff(in->type), tiny = mg_interp_least_normal(in->type),
           max = mg_interp_largest(in->type);
    bool product = in->prim == MG_PRIM_MUL;
    double sign = in->prim == MG_PRIM_SUB ? -1 : 1;
    for (uint32_t l = from; l < n; l++) {
        double x = a->v.f[l], y = b->v.f[l], ex = a->e[l], ey = b->e[l];
        double exact = product ? x * y : x + sign * y;
        double e =
            product ? fabs(x) * ey + fabs(y) * ex + 8 * ex * ey + lost(in->type, x, y) : ex + ey;
        e = e + u * fabs(exact) + tiny;
        if (!(fabs(d->v.f[l]) + 8 * e <= max)) // also if one of them is infinite or NaN
            return l;
        d->e[l] = e;
    }
    return n;
}

static void float_bounds(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    Rule *rule = rule_of(in->prim);
    bool plain = in->prim == MG_PRIM_ADD || in->prim == MG_PRIM_SUB || in->prim == MG_PRIM_MUL;
    const MgInterpReg *a = &r[in->args[0]], *b = &r[in->args[in->n_args > 1 ? 1 : 0]],
                      *c = &r[in->args[in->n_args > 2 ? 2 : 0]], *d = &r[in->dst];
    bool float_result = mg_is_float(in->to);
    Args x = {.prim = in->prim, .type = in->type, .to = in->to};
    for (uint32_t l = 0; l < n; l++) {
        if (plain && (l = plain_bounds(in, r, l, n)) == n)
            break;
        x.ea = operand_bound(in, r, 0, l);
        x.eb = operand_bound(in, r, 1, l);
        x.ec = operand_bound(in, r, 2, l);
        if (x.ea + x.eb + x.ec == MG_INTERP_EXEMPT) {
            d->e[l] = MG_INTERP_EXEMPT;
            continue;
        }
        x.a = a->v.f[l], x.b = b->v.f[l], x.c = c->v.f[l];
        x.y = float_result ? d->v.f[l] : 0;
        double e = rule(&x);
        d->e[l] = e < MG_INTERP_EXEMPT ? e : MG_INTERP_EXEMPT;
    }
}

// An integer becomes a float exactly, or is rounded once.
static double from_int_bound(MgDType from, MgDType to, int64_t i, double y) {
    long double exact = from == MG_U64 ? (long double)(uint64_t)i : (long double)i;
    return (long double)y == exact || isinf(y) ? 0 : mg_interp_unit_roundoff(to) * fabs(y);
}

static void int_bounds(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const MgInterpReg *d = &r[in->dst], *a = &r[in->args[0]], *b = &r[in->args[1]];
    bool conjunction = in->prim == MG_PRIM_AND && in->type == MG_BOOL;
    bool disjunction = in->prim == MG_PRIM_OR && in->type == MG_BOOL;
    for (uint32_t l = 0; l < n; l++) {
        double e = 0;
        for (uint32_t k = 0; k < in->n_args; k++)
            e = fmax(e, r[in->args[k]].e[l]);
        if ((conjunction || disjunction) && e > 0) {
            int64_t wins = disjunction;
            if ((a->e[l] == 0 && a->v.i[l] == wins) || (b->e[l] == 0 && b->v.i[l] == wins))
                e = 0;
        }
        if (e == 0 && mg_is_float(in->to) && in->prim != MG_PRIM_BITCAST)
            e = from_int_bound(in->type, in->to, a->v.i[l], d->v.f[l]);
        d->e[l] = e;
    }
}

// If the condition is in doubt, either value may be the result. If the values are close, their
// distance still bounds it.
static void where_bounds(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const MgInterpReg *c = &r[in->args[0]], *a = &r[in->args[1]], *b = &r[in->args[2]],
                      *d = &r[in->dst];
    for (uint32_t l = 0; l < n; l++) {
        if (c->e[l] == 0) {
            d->e[l] = c->v.i[l] ? a->e[l] : b->e[l];
            continue;
        }
        double e = fmax(a->e[l], b->e[l]);
        if (mg_is_float(in->to)) {
            double gap = a->v.f[l] == b->v.f[l] ? 0 : fabs(a->v.f[l] - b->v.f[l]);
            d->e[l] = gap <= 8 * (a->e[l] + b->e[l]) ? e + gap / 8 : MG_INTERP_EXEMPT;
        } else {
            d->e[l] = a->v.i[l] == b->v.i[l] ? e : MG_INTERP_EXEMPT;
        }
    }
}

void mg_interp_bound_instr(const MgInterpProgram *p, const MgInterpInstr *in, uint32_t n) {
    const MgInterpReg *r = p->regs.at;
    if (in->code == MG_CODE_SELECT || (in->code == MG_CODE_PRIM && in->prim == MG_PRIM_WHERE))
        where_bounds(in, r, n);
    else if (in->code == MG_CODE_PRIM && mg_is_float(in->type))
        float_bounds(in, r, n);
    else
        int_bounds(in, r, n);
}
