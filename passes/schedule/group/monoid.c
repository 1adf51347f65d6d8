// Operations on a monoid's elements as kernel IR: the formulas of lang/monoids.def.
#include "passes/schedule/group/monoid.h"
#include "passes/schedule/words.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------- leaders
static MgMonoid monoid_of(MgReducer r) {
    return mg_reducer(r)->monoid;
}

const MgKx *mg_reduce_step(MgKernel *k, MgReducer r, const MgKx *acc, const MgKx *x) {
    return bin(k, mg_reduce_prim(r), acc, mg_ksplat(k, x, acc->type.lanes));
}

void mg_reduce_held(MgKernel *k, MgKBlock *block, MgReducer r, MgKBufId acc, const MgKx *x) {
    set_held(k, block, acc, mg_reduce_step(k, r, held(k, acc), x));
}

static const MgKx *leader_identity(MgKernel *k, MgMonoid m, MgKType type) {
    switch (mg_monoid(m)->identity) {
    case MG_IDENTITY_ONE:
    case MG_IDENTITY_TRUE:
        return mg_kconst(k, type, mg_bits_from_int(type.dtype, 1));
    case MG_IDENTITY_LOWEST:
        return mg_kconst(k, type, mg_lowest(type.dtype));
    case MG_IDENTITY_HIGHEST:
        return mg_kconst(k, type, mg_highest(type.dtype));
    default:
        return mg_kconst(k, type, 0);
    }
}

const MgKx *mg_reduce_identity(MgKernel *k, MgReducer r, MgKType type) {
    return leader_identity(k, monoid_of(r), type);
}

MgPartial mg_monoid_identity(MgKernel *k, MgMonoid m, MgKType type, MgDType at) {
    MgBeside beside = mg_monoid(m)->beside;
    MgKType second = beside == MG_BESIDE_PLACE ? mg_kt(at, type.lanes) : type;
    return (MgPartial){leader_identity(k, m, type), beside ? mg_kconst(k, second, 0) : NULL};
}

static const MgKx * not(MgKernel * k, const MgKx *x) {
    return un(k, MG_PRIM_NOT, x);
}

static const MgKx *is_nan(MgKernel *k, const MgKx *x) {
    return un(k, MG_PRIM_ISNAN, x);
}

// Does x replace acc, which came earlier? It does if it is not at most acc, or if it is NaN and acc
// is not.
static const MgKx *beats(MgKernel *k, MgMonoid m, const MgKx *x, const MgKx *acc) {
    bool most = mg_monoid(m)->leader == MG_PRIM_MAX;
    if (!mg_is_float(x->type.dtype))
        return bin(k, most ? MG_PRIM_GT : MG_PRIM_LT, x, acc);
    const MgKx *not_worse = not(k, bin(k, most ? MG_PRIM_LE : MG_PRIM_GE, x, acc));
    return both(k, not_worse, not(k, is_nan(k, acc)));
}

static const MgKx *same(MgKernel *k, const MgKx *a, const MgKx *b) {
    const MgKx *equals = equal(k, a, b);
    if (!mg_is_float(a->type.dtype))
        return equals;
    return either(k, equals, both(k, is_nan(k, a), is_nan(k, b)));
}

MgPartial mg_monoid_better(MgKernel *k, MgKBlock *block, MgMonoid m, MgPartial a, MgPartial b,
                           bool behind, const MgKx *on) {
    const MgKx *take = beats(k, m, b.x, a.x);
    if (!behind) {
        const MgKx *earlier = less(k, b.at, a.at);
        take = either(k, take, both(k, same(k, a.x, b.x), earlier));
    }
    if (on)
        take = both(k, take, on);
    take = named(k, block, "take", take);
    return (MgPartial){where(k, take, b.x, a.x), where(k, take, b.at, a.at)};
}

// ---------------------------------------------------------------- sums beside a leader
static const MgKx *square(MgKernel *k, const MgKx *x) {
    return mul(k, x, x);
}

static const MgKx *apart(MgKernel *k, MgKBlock *block, const MgKx *a, const MgKx *b) {
    const MgKx *same = named(k, block, "same", equal(k, a, b));
    const MgKx *zero = mg_kfloat(k, a->type, 0);
    a = where(k, same, zero, a);
    b = where(k, same, zero, b);
    return named(k, block, "apart", sub(k, a, b));
}

#define CONST(v) mg_kfloat(k, x->type, v)
#define MOST CONST(x->type.dtype == MG_F64 ? DBL_MAX : FLT_MAX)
#define APART(a, b) apart(k, block, a, b)
#define SQUARE(a) square(k, a)
#define EXP(a) (rough ? mg_kexp_rough(k, a) : un(k, MG_PRIM_EXP, a))
#define EQ(a, b) equal(k, a, b)
#define MIN(a, b) least(k, a, b)
#define MAX(a, b) greatest(k, a, b)
#define SUB(a, b) sub(k, a, b)
#define MUL(a, b) mul(k, a, b)
#define DIV(a, b) bin(k, MG_PRIM_DIV, a, b)
#define FMA(a, b, c) mg_kprim(k, MG_PRIM_FMA, a, b, c)
#define WHERE(c, a, b) where(k, c, a, b)

const MgKx *mg_monoid_shift(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *x,
                            const MgKx *n) {
    const MgKx *shift = NULL;
    switch (m) {
#define MG_MONOID_SHIFTED(id, word, leader, identity, order, counts, shift_, term, moved)          \
    case MG_MONOID_##id:                                                                           \
        shift = shift_;                                                                            \
        break;
#include "lang/monoids.def"
    default:
        return NULL;
    }
    (void)n;
    return named(k, block, "about", shift);
}

const MgKx *mg_monoid_term(MgKernel *k, MgMonoid m, const MgKx *a, const MgKx *b, bool rough) {
    switch (m) {
#define MG_MONOID_SHIFTED(id, word, leader, identity, order, counts, shift, term, moved)           \
    case MG_MONOID_##id:                                                                           \
        return term;
#include "lang/monoids.def"
    default:
        return NULL;
    }
}

const MgKx *mg_monoid_moved(MgKernel *k, MgKBlock *block, MgMonoid m, const MgKx *s, const MgKx *x,
                            const MgKx *n, const MgKx *b, bool rough) {
    switch (m) {
#define MG_MONOID_SHIFTED(id, word, leader, identity, order, counts, shift, term, moved)           \
    case MG_MONOID_##id:                                                                           \
        return moved;
#include "lang/monoids.def"
    default:
        return NULL;
    }
}

bool mg_monoid_counts(MgMonoid m) {
    return mg_monoid(m)->beside == MG_BESIDE_COUNTED;
}
