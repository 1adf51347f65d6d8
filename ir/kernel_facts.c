#include "ir/kernel_facts.h"

#include "ir/number.h"

typedef struct Range {
    bool known;
    int64_t low, high;
} Range;

// The most groups in a launch; larger launches are limited to it, so that strides can be narrow.
#define MOST_GROUPS (INT64_C(1) << 24)

static bool fits(Range r) {
    return r.known && r.low >= INT32_MIN && r.high <= INT32_MAX;
}

static Range range_of(const MgKFacts *f, const MgKx *x);

static Range product(Range a, Range b) {
    int64_t v[4];
    Range r = {true, 0, 0};
    if (__builtin_mul_overflow(a.low, b.low, &v[0]) ||
        __builtin_mul_overflow(a.low, b.high, &v[1]) ||
        __builtin_mul_overflow(a.high, b.low, &v[2]) ||
        __builtin_mul_overflow(a.high, b.high, &v[3]))
        return (Range){false, 0, 0};
    r.low = r.high = v[0];
    for (int i = 1; i < 4; i++) {
        r.low = v[i] < r.low ? v[i] : r.low;
        r.high = v[i] > r.high ? v[i] : r.high;
    }
    return r;
}

static Range sum(Range a, Range b) {
    Range r = {true, 0, 0};
    r.known = !__builtin_add_overflow(a.low, b.low, &r.low) &&
              !__builtin_add_overflow(a.high, b.high, &r.high);
    return r;
}

static Range difference(Range a, Range b) {
    Range r = {true, 0, 0};
    r.known = !__builtin_sub_overflow(a.low, b.high, &r.low) &&
              !__builtin_sub_overflow(a.high, b.low, &r.high);
    return r;
}

static int bits_of(int64_t n) { // the bits that n >= 0 needs
    int bits = 0;
    while (bits < 62 && n >> bits)
        bits++;
    return bits;
}

static Range binary(MgPrim prim, Range a, Range b) {
    Range none = {false, 0, 0};
    switch (prim) {
    case MG_PRIM_ADD:
        return sum(a, b);
    case MG_PRIM_SUB:
        return difference(a, b);
    case MG_PRIM_MUL:
        return product(a, b);
    case MG_PRIM_DIV: // truncates, as in C
        return b.low == b.high && b.low > 0 ? (Range){true, a.low / b.low, a.high / b.low} : none;
    case MG_PRIM_REM:
        if (b.low <= 0 || a.low < 0)
            return none;
        return (Range){true, 0, a.high < b.high - 1 ? a.high : b.high - 1};
    case MG_PRIM_AND: // with a constant mask
        return b.low == b.high && b.low >= 0 ? (Range){true, 0, b.low} : none;
    case MG_PRIM_XOR: // no bit above the highest bit of either
        if (a.low < 0 || b.low < 0)
            return none;
        return (Range){true, 0, (INT64_C(1) << bits_of(a.high | b.high)) - 1};
    case MG_PRIM_SHR:
        if (b.low != b.high || b.low < 0 || b.low > 62)
            return none;
        return (Range){true, a.low >> b.low, a.high >> b.low};
    case MG_PRIM_MIN:
        return (Range){true, a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case MG_PRIM_MAX:
        return (Range){true, a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    default:
        return none;
    }
}

static Range range_of_prim(const MgKFacts *f, const MgKx *x) {
    Range none = {false, 0, 0};
    if (x->prim == MG_PRIM_CAST) {
        MgDType from = x->args[0]->type.dtype;
        bool narrow =
            from == MG_I32 || from == MG_I16 || from == MG_I8 || from == MG_U16 || from == MG_U8;
        return narrow ? (Range){true, INT32_MIN, INT32_MAX} : none;
    }
    uint32_t first = x->prim == MG_PRIM_WHERE;
    if (x->n_args != first + 2)
        return none;
    Range a = range_of(f, x->args[first]), b = range_of(f, x->args[first + 1]);
    if (!a.known || !b.known)
        return none;
    if (first)
        return (Range){true, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return binary(x->prim, a, b);
}

static Range range_of(const MgKFacts *f, const MgKx *x) {
    Range none = {false, 0, 0};
    if (x->type.dtype != MG_I64 || x->type.lanes != 1)
        return none;
    switch (x->kind) {
    case MG_KX_CONST:
        return (Range){true, (int64_t)x->bits, (int64_t)x->bits};
    case MG_KX_VAR:
        return (Range){f->of[x->var].bounded, f->of[x->var].low, f->of[x->var].high};
    case MG_KX_PRIM:
        return range_of_prim(f, x);
    case MG_KX_WORKER:
        return (Range){true, 0, MOST_GROUPS - 1};
    case MG_KX_WORKERS:
        return (Range){true, 1, MOST_GROUPS};
    case MG_KX_LOCAL_ID:
        return (Range){true, 0, f->k->items - 1};
    case MG_KX_LOCAL_SIZE:
        return (Range){true, f->k->items, f->k->items};
    default:
        return none;
    }
}

bool mg_kfacts_narrow(const MgKFacts *f, const MgKx *x) {
    if (!fits(range_of(f, x)))
        return false;
    if (x->kind == MG_KX_VAR)
        return f->of[x->var].narrow;
    if (x->kind != MG_KX_PRIM || x->prim == MG_PRIM_CAST)
        return true;
    for (uint32_t i = x->prim == MG_PRIM_WHERE; i < x->n_args; i++)
        if (!mg_kfacts_narrow(f, x->args[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------- divisors

// A number that divides x; 0 for 0.
static int64_t divisor(const MgKFacts *f, const MgKx *x) {
    int64_t v;
    if (x->type.dtype != MG_I64 || x->type.lanes != 1)
        return 1;
    if (x->kind == MG_KX_CONST)
        return mg_gcd((int64_t)x->bits % (1 << 20), 0);
    if (x->kind == MG_KX_VAR)
        return f->of[x->var].divisor;
    if (x->kind != MG_KX_PRIM || x->n_args != 2)
        return 1;
    int64_t a = divisor(f, x->args[0]), b = divisor(f, x->args[1]);
    if (x->prim == MG_PRIM_ADD || x->prim == MG_PRIM_SUB || x->prim == MG_PRIM_MIN ||
        x->prim == MG_PRIM_MAX || x->prim == MG_PRIM_FMOD)
        return mg_gcd(a, b);
    if (x->prim == MG_PRIM_AND) // zeros at the end stay
        return a & -a;
    int64_t shift = x->args[1]->kind == MG_KX_CONST ? (int64_t)x->args[1]->bits : -1;
    if (x->prim == MG_PRIM_SHR && shift >= 0 && shift < 20 && a % (INT64_C(1) << shift) == 0)
        return a >> shift;
    if (x->prim == MG_PRIM_MUL)
        return __builtin_mul_overflow(a, b, &v) ? 1 : v % (1 << 20);
    return 1;
}

bool mg_kfacts_aligned(const MgKFacts *f, MgKBufId buf, const MgKx *index, uint32_t lanes) {
    const MgKBuf *b = &f->k->bufs.at[buf];
    return b->space != MG_SPACE_PRIVATE && (lanes & (lanes - 1)) == 0 && index->type.lanes == 1 &&
           b->align % (lanes * mg_dtype_size(b->elem.dtype)) == 0 && divisor(f, index) % lanes == 0;
}

// ---------------------------------------------------------------- variables

bool mg_kfacts_counts(const MgKFacts *f, const MgKx *x) {
    if (x->type.dtype != MG_I64 || x->type.lanes != 1)
        return false;
    if (x->kind == MG_KX_VAR)
        return f->of[x->var].counts;
    if (x->kind == MG_KX_CONST || x->kind >= MG_KX_WORKER)
        return true;
    if (x->kind != MG_KX_PRIM || x->n_args != 2)
        return false;
    return mg_kfacts_counts(f, x->args[0]) && mg_kfacts_counts(f, x->args[1]);
}

MgKFacts mg_kfacts(MgArena *arena, const MgKernel *k) {
    MgKFacts f = {k, MG_NEW_N(arena, MgKFact, k->vars.len + 1)};
    for (uint32_t i = 0; i < k->scalars.len; i++)
        f.of[k->scalars.at[i]] = (MgKFact){.counts = true, .divisor = 1};
    return f;
}

void mg_kfacts_let(MgKFacts *f, const MgKs *s) {
    Range r = range_of(f, s->x);
    f->of[s->var] = (MgKFact){.counts = mg_kfacts_counts(f, s->x),
                              .narrow = mg_kfacts_narrow(f, s->x),
                              .bounded = r.known,
                              .low = r.low,
                              .high = r.high,
                              .divisor = divisor(f, s->x)};
}

void mg_kfacts_loop(MgKFacts *f, const MgKs *s) {
    Range low = range_of(f, s->low), high = range_of(f, s->high);
    // A loop's variable may pass its end by up to a stride.
    int64_t stride = s->loop == MG_LOOP_GROUP  ? MOST_GROUPS
                     : s->loop == MG_LOOP_ITEM ? f->k->items
                                               : 1;
    Range past = sum(high, product((Range){true, s->step, s->step}, (Range){true, 0, stride}));
    bool bounded = low.known && high.known;
    f->of[s->var] = (MgKFact){.counts = true,
                              .narrow = bounded && fits(low) && fits(past),
                              .bounded = bounded,
                              .low = low.low,
                              .high = high.high - 1,
                              .divisor = mg_gcd(s->step, divisor(f, s->low))};
}
