// Arithmetic on known values: what models compute from shapes before they hand it to Reshape, Slice
// or Resize. Whole numbers are expressions over dimensions, so the arithmetic is that of MgIx;
// where an answer would depend on the sizes that come, it is not known, and the operator is left to
// run.
//
// An operator folds if all its inputs are known. Nothing is written for it; should something need
// the tensor after all, it is written then (emit.c).
#include "frontend/onnx/internal.h"

#include <math.h>

enum { MAX_REAL = 64 }; // floats that are folded: more are no sizes

typedef struct Fold {
    MgOnnxNode *n;
    MgIxTable *ix;
    MgDType dtype; // of the result
    uint32_t rank;
    MgIx *shape;
    MgOnnxNumber *out;
    uint32_t count;
} Fold;

static MgOnnxNumber whole(MgIx x) {
    return (MgOnnxNumber){.ix = x};
}

static MgOnnxNumber real(double f) {
    return (MgOnnxNumber){.real = true, .f = f};
}

static MgOnnxNumber constant(Fold *f, int64_t value) {
    return whole(mg_ix_const(f->ix, value));
}

MgOnnxValue *mg_onnx_constant(MgOnnx *t, const MgSafetensor *data) {
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    v->data = data;
    v->type.dtype = data->dtype;
    v->type.rank = data->rank;
    return v;
}

void mg_onnx_settle(MgOnnx *t, MgOnnxValue *v) {
    if (!v->data || v->type.shape)
        return;
    MgIx *shape = MG_NEW_N(t->arena, MgIx, v->type.rank + 1);
    for (uint32_t i = 0; i < v->type.rank; i++)
        shape[i] = mg_ix_const(t->ix, v->data->dims[i]);
    v->type.shape = shape;
}

// An input's elements are used: they are kept, since the text is right for them alone.
static void fix(MgOnnx *t, const MgOnnxValue *v) {
    MgText text = mg_text(t->arena);
    for (uint32_t i = 0; i < v->n_known; i++) {
        mg_text_add(&text, i ? ", " : "[");
        if (v->known[i].real)
            mg_text_add(&text, mg_float_str(t->arena, v->known[i].f, true));
        else
            mg_ix_print(t->ix, t->names, v->known[i].ix, NULL, NULL, &text);
    }
    mg_text_add(&text, v->n_known ? "]" : "[]");
    MgFixedInput fixed = {.port = v->name,
                          .bytes = mg_arena_copy(t->arena, v->data->data, v->data->bytes, 1),
                          .length = v->data->bytes,
                          .text = mg_text_str(&text)};
    mg_push(t->arena, &t->fixed, fixed);
}

bool mg_onnx_numbers(MgOnnx *t, MgOnnxValue *v) {
    const MgSafetensor *d = v->data;
    if (v->known)
        return true;
    if (!d)
        return false;
    size_t size = mg_dtype_size(d->dtype), n = d->bytes / size;
    if (n > MG_ONNX_MAX_KNOWN || (mg_is_float(d->dtype) && n > MAX_REAL))
        return false;
    MgOnnxNumber *known = MG_NEW_N(t->arena, MgOnnxNumber, n + 1);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)d->data + i * size, size);
        unsigned shift = 64 - (unsigned)mg_dtype(d->dtype)->bits;
        int64_t value = mg_is_signed(d->dtype) ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
        known[i] = mg_is_float(d->dtype) ? real(mg_bits_to_double(d->dtype, bits))
                                         : whole(mg_ix_const(t->ix, value));
    }
    v->known = known;
    v->n_known = (uint32_t)n;
    if (v->is_input)
        fix(t, v);
    return true;
}

// ---------------------------------------------------------------- one number
static bool int_of(const Fold *f, MgOnnxNumber x, int64_t *value) {
    return !x.real && mg_ix_is_const(f->ix, x.ix, value);
}

static bool never_negative(const Fold *f, MgIx x) {
    return mg_scope_prove(f->n->t->scope, x) == MG_PROVED;
}

typedef bool Binary(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r);

static bool rounded(const Fold *f, double x, MgOnnxNumber *r) {
    *r = real(f->dtype == MG_F32 ? (double)(float)x : x);
    return f->dtype == MG_F32 || f->dtype == MG_F64;
}

#define WHOLE_AND_REAL(name, ix_op, op)                                                            \
    static bool name(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {                   \
        if (a.real != b.real)                                                                      \
            return false;                                                                          \
        if (a.real)                                                                                \
            return rounded(f, a.f op b.f, r);                                                      \
        *r = whole(ix_op(f->ix, a.ix, b.ix));                                                      \
        return r->ix != MG_IX_ERROR;                                                               \
    }
WHOLE_AND_REAL(add, mg_ix_add, +)
WHOLE_AND_REAL(sub, mg_ix_sub, -)
WHOLE_AND_REAL(mul, mg_ix_mul, *)

// ONNX cuts off, sizes round down: the same where nothing is negative.
static bool divide(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    if (a.real != b.real)
        return false;
    if (a.real)
        return rounded(f, a.f / b.f, r);
    if (int_of(f, a, &p) && int_of(f, b, &q)) {
        if (!q || (q == -1 && p == INT64_MIN))
            return false;
        *r = constant(f, p / q);
        return true;
    }
    *r = whole(mg_ix_div(f->ix, a.ix, b.ix));
    return never_negative(f, a.ix) &&
           never_negative(f, mg_ix_sub(f->ix, b.ix, mg_ix_const(f->ix, 1)));
}

static bool modulo(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    if (a.real || b.real || mg_onnx_int(f->n, "fmod", 0))
        return false;
    if (int_of(f, a, &p) && int_of(f, b, &q)) {
        if (!q || q == -1)
            return false;
        int64_t m = p % q;
        *r = constant(f, m && (m < 0) != (q < 0) ? m + q : m);
        return true;
    }
    *r = whole(mg_ix_mod(f->ix, a.ix, b.ix));
    return int_of(f, b, &q) && q > 0;
}

static bool larger(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    *r = a.real ? real(fmax(a.f, b.f)) : whole(mg_ix_max(f->ix, a.ix, b.ix));
    return a.real == b.real && !(a.real && (isnan(a.f) || isnan(b.f)));
}

static bool smaller(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    *r = a.real ? real(fmin(a.f, b.f)) : whole(mg_ix_min(f->ix, a.ix, b.ix));
    return a.real == b.real && !(a.real && (isnan(a.f) || isnan(b.f)));
}

// Is a >= b? 1, 0, or -1: it depends.
static int at_least(const Fold *f, MgOnnxNumber a, MgOnnxNumber b) {
    if (a.real || b.real)
        return a.real && b.real ? a.f >= b.f : -1;
    MgProof p = mg_scope_prove(f->n->t->scope, mg_ix_sub(f->ix, a.ix, b.ix));
    return p == MG_PROVED ? 1 : p == MG_REFUTED ? 0 : -1;
}

static bool truth(Fold *f, int value, MgOnnxNumber *r) {
    *r = constant(f, value > 0);
    return value >= 0;
}

static bool greater_equal(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return truth(f, at_least(f, a, b), r);
}
static bool less_equal(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return truth(f, at_least(f, b, a), r);
}
static bool greater(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int v = at_least(f, b, a);
    return truth(f, v < 0 ? v : !v, r);
}
static bool less(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return greater(f, b, a, r);
}
static bool equal(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int up = at_least(f, a, b), down = at_least(f, b, a);
    if (!a.real && !b.real && a.ix == b.ix)
        up = down = 1;
    return truth(f, up == 0 || down == 0 ? 0 : up < 0 || down < 0 ? -1 : 1, r);
}
static bool both(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    return int_of(f, a, &p) && int_of(f, b, &q) && truth(f, p && q, r);
}
static bool either(Fold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    return int_of(f, a, &p) && int_of(f, b, &q) && truth(f, p || q, r);
}

// ---------------------------------------------------------------- many
static bool start(Fold *f, MgDType dtype, uint32_t rank, const MgIx *shape, uint64_t count) {
    if (count > MG_ONNX_MAX_KNOWN)
        return false;
    f->dtype = dtype;
    f->rank = rank;
    f->shape = mg_arena_copy(f->n->t->arena, shape, rank + (rank == 0), sizeof *shape);
    f->count = (uint32_t)count;
    f->out = MG_NEW_N(f->n->t->arena, MgOnnxNumber, f->count + 1);
    return true;
}

static bool start_line(Fold *f, MgDType dtype, uint32_t count) {
    MgIx length = mg_ix_const(f->ix, count);
    return start(f, dtype, 1, &length, count);
}

static bool like(Fold *f, const MgOnnxValue *v, MgDType dtype) {
    MgIx none = 0;
    return start(f, dtype, v->type.rank, v->type.rank ? v->type.shape : &none, v->n_known);
}

static int64_t extent(const Fold *f, const MgOnnxValue *v, uint32_t axis) {
    int64_t value = 0;
    mg_ix_is_const(f->ix, v->type.shape[axis], &value);
    return value;
}

// Operands of rank 0 or 1 broadcast, or those of equal shape.
static bool elementwise(Fold *f, Binary *op, bool compares) {
    const MgOnnxValue *a = f->n->inputs[0], *b = f->n->inputs[1];
    MgDType dtype = compares ? MG_BOOL : a->type.dtype;
    if (f->n->n_inputs != 2)
        return false;
    bool same = a->n_known == b->n_known && a->type.rank == b->type.rank;
    for (uint32_t i = 0; same && i < a->type.rank; i++)
        same = a->type.shape[i] == b->type.shape[i];
    if (!same && a->n_known != 1 && b->n_known != 1)
        return false;
    const MgOnnxValue *wide =
        a->n_known > b->n_known || (a->n_known == b->n_known && a->type.rank >= b->type.rank) ? a
                                                                                              : b;
    if (wide->type.rank < (wide == a ? b : a)->type.rank || !like(f, wide, dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!op(f, a->known[a->n_known == 1 ? 0 : i], b->known[b->n_known == 1 ? 0 : i],
                &f->out[i]))
            return false;
    return true;
}

#define ELEMENTWISE(name, op, compares)                                                            \
    static bool name(Fold *f) {                                                                    \
        return elementwise(f, op, compares);                                                       \
    }
ELEMENTWISE(fold_add, add, false)
ELEMENTWISE(fold_sub, sub, false)
ELEMENTWISE(fold_mul, mul, false)
ELEMENTWISE(fold_div, divide, false)
ELEMENTWISE(fold_mod, modulo, false)
ELEMENTWISE(fold_max, larger, false)
ELEMENTWISE(fold_min, smaller, false)
ELEMENTWISE(fold_greater, greater, true)
ELEMENTWISE(fold_greater_equal, greater_equal, true)
ELEMENTWISE(fold_less, less, true)
ELEMENTWISE(fold_less_equal, less_equal, true)
ELEMENTWISE(fold_equal, equal, true)
ELEMENTWISE(fold_and, both, true)
ELEMENTWISE(fold_or, either, true)

static bool fold_not(Fold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    int64_t p;
    if (!like(f, a, MG_BOOL))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!int_of(f, a->known[i], &p) || !truth(f, !p, &f->out[i]))
            return false;
    return true;
}

static bool fold_neg(Fold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] =
            a->known[i].real ? real(-a->known[i].f) : whole(mg_ix_neg(f->ix, a->known[i].ix));
    return true;
}

static bool fold_relu(Fold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!larger(f, a->known[i], a->known[i].real ? real(0) : constant(f, 0), &f->out[i]))
            return false;
    return true;
}

static bool to_whole(Fold *f, double (*round_to)(double)) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = a->known[i].real ? real(round_to(a->known[i].f)) : a->known[i];
    return true;
}
static bool fold_floor(Fold *f) {
    return to_whole(f, floor);
}
static bool fold_ceil(Fold *f) {
    return to_whole(f, ceil);
}

// A size stays an expression when it becomes a float: it does so to come back from it.
static bool fold_cast(Fold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    MgDType to;
    if (!mg_onnx_dtype((int32_t)mg_onnx_int(f->n, "to", 0), &to) || !like(f, a, to))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        MgOnnxNumber x = a->known[i];
        int64_t value = 0;
        bool fixed = int_of(f, x, &value);
        if (mg_is_float(to)) {
            if (x.real ? !rounded(f, x.f, &x) : fixed && !rounded(f, (double)value, &x))
                return false;
        } else if (to == MG_BOOL) {
            if (!x.real && !fixed)
                return false;
            x = constant(f, x.real ? x.f != 0 : value != 0);
        } else if (x.real) {
            if (!(fabs(x.f) < 2147483648.0) || (x.f < 0 && !mg_is_signed(to)))
                return false;
            x = constant(f, (int64_t)x.f);
        } else if (to != MG_I64 && to != MG_I32 && !fixed) {
            return false;
        } else if (fixed && mg_dtype(to)->bits < 64 && (value < -128 || value > 127)) {
            if (to != MG_I32 || value < INT32_MIN || value > INT32_MAX)
                return false;
        }
        f->out[i] = x;
    }
    return true;
}

static bool fold_identity(Fold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!like(f, a, a->type.dtype))
        return false;
    memcpy(f->out, a->known, f->count * sizeof *f->out);
    return true;
}

static bool fold_where(Fold *f) {
    const MgOnnxValue *c = f->n->inputs[0], *a = f->n->inputs[1], *b = f->n->inputs[2];
    const MgOnnxValue *wide = c->n_known > 1 ? c : a->n_known > 1 ? a : b;
    int64_t p;
    if ((c->n_known != 1 && c->n_known != wide->n_known) ||
        (a->n_known != 1 && a->n_known != wide->n_known) ||
        (b->n_known != 1 && b->n_known != wide->n_known) || c->type.rank > wide->type.rank ||
        a->type.rank > wide->type.rank || b->type.rank > wide->type.rank || wide->type.rank > 1 ||
        !like(f, wide, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!int_of(f, c->known[c->n_known == 1 ? 0 : i], &p))
            return false;
        f->out[i] = p ? a->known[a->n_known == 1 ? 0 : i] : b->known[b->n_known == 1 ? 0 : i];
    }
    return true;
}

// ---------------------------------------------------------------- shapes and places
static bool fold_shape(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    int64_t rank = x->type.rank;
    int64_t from = mg_onnx_int(f->n, "start", 0), to = mg_onnx_int(f->n, "end", rank);
    from = from < 0 ? from + rank : from;
    to = to < 0 ? to + rank : to;
    from = from < 0 ? 0 : from > rank ? rank : from;
    to = to < from ? from : to > rank ? rank : to;
    if (!start_line(f, MG_I64, (uint32_t)(to - from)))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = whole(x->type.shape[from + i]);
    return true;
}

static bool fold_size(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx none = 0;
    if (!start(f, MG_I64, 0, &none, 1))
        return false;
    f->out[0] = whole(mg_ix_product(f->ix, x->type.shape, x->type.rank));
    return f->out[0].ix != MG_IX_ERROR;
}

static bool fold_gather(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0], *ids = f->n->inputs[1];
    int64_t axis = mg_onnx_int(f->n, "axis", 0);
    if (x->type.rank != 1 || (axis != 0 && axis != -1) || !like(f, ids, x->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        int64_t at;
        if (!int_of(f, ids->known[i], &at))
            return false;
        at += at < 0 ? x->n_known : 0;
        if (at < 0 || at >= x->n_known)
            return mg_onnx_fail(f->n, "index %lld of %u elements", (long long)at, x->n_known);
        f->out[i] = x->known[at];
    }
    return true;
}

static bool fold_concat(Fold *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->n->n_inputs; i++) {
        if (!f->n->inputs[i] || f->n->inputs[i]->type.rank != 1)
            return false;
        count += f->n->inputs[i]->n_known;
    }
    if (!start_line(f, f->n->inputs[0]->type.dtype, count))
        return false;
    for (uint32_t i = 0, k = 0; i < f->n->n_inputs; k += f->n->inputs[i++]->n_known)
        memcpy(f->out + k, f->n->inputs[i]->known, f->n->inputs[i]->n_known * sizeof *f->out);
    return true;
}

// An attribute of older opsets, an input of newer ones: plain numbers, or not given.
static MgOnnxInts plain(Fold *f, const char *name, uint32_t k) {
    const MgOnnxValue *v = mg_onnx_input(f->n, k);
    if (name && mg_onnx_has(f->n, name))
        return mg_onnx_ints(f->n, name);
    if (!v || !v->known)
        return (MgOnnxInts){0};
    int64_t *at = MG_NEW_N(f->n->t->arena, int64_t, v->n_known + 1);
    for (uint32_t i = 0; i < v->n_known; i++)
        if (!int_of(f, v->known[i], &at[i]))
            return (MgOnnxInts){0};
    return (MgOnnxInts){true, v->n_known, at};
}

static bool fold_slice(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgOnnxInts from = plain(f, "starts", 1), to = plain(f, "ends", 2);
    MgOnnxInts steps = plain(f, NULL, 4);
    if (f->n->n_inputs > 4 && !steps.given)
        return false;
    if (x->type.rank != 1 || from.n != 1 || to.n != 1 || (steps.given && steps.n != 1))
        return false;
    int64_t n = x->n_known, step = steps.given ? steps.at[0] : 1, a = from.at[0], b = to.at[0];
    if (!step)
        return false;
    a = a < 0 ? a + n : a;
    b = b < 0 ? b + n : b;
    a = a < 0 ? (step > 0 ? 0 : a < -1 ? -1 : a) : a;
    a = step > 0 ? (a > n ? n : a) : (a > n - 1 ? n - 1 : a);
    b = step > 0 ? (b < 0 ? 0 : b > n ? n : b) : (b < -1 ? -1 : b > n - 1 ? n - 1 : b);
    uint32_t count = 0;
    for (int64_t i = a; step > 0 ? i < b : i > b; i += step)
        count++;
    if (!start_line(f, x->type.dtype, count))
        return false;
    for (uint32_t i = 0; i < count; i++, a += step)
        f->out[i] = x->known[a];
    return true;
}

static bool reshaped(Fold *f, const MgIx *shape, uint32_t rank) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx none = 0;
    if (!start(f, x->type.dtype, rank, rank ? shape : &none, x->n_known))
        return false;
    memcpy(f->out, x->known, f->count * sizeof *f->out);
    return true;
}

static bool fold_unsqueeze(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgOnnxInts axes = plain(f, "axes", 1);
    uint32_t rank = x->type.rank + axes.n;
    MgIx shape[16];
    if (!axes.given || rank > 16)
        return false;
    memset(shape, 0, sizeof shape);
    for (uint32_t i = 0; i < axes.n; i++) {
        int64_t axis = axes.at[i];
        if (!mg_onnx_axis(f->n, &axis, rank))
            return false;
        shape[axis] = mg_ix_const(f->ix, 1);
    }
    for (uint32_t i = 0, k = 0; i < rank; i++)
        if (!shape[i] && k < x->type.rank)
            shape[i] = x->type.shape[k++];
    return reshaped(f, shape, rank);
}

static bool fold_squeeze(Fold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgOnnxInts axes = plain(f, "axes", 1);
    MgIx shape[16];
    uint32_t rank = 0;
    if (f->n->n_inputs > 1 && !axes.given)
        return false;
    for (uint32_t i = 0; i < x->type.rank && i < 16; i++) {
        bool gone = !axes.given && extent(f, x, i) == 1;
        for (uint32_t k = 0; k < axes.n; k++)
            gone |= axes.at[k] == i || axes.at[k] + (int64_t)x->type.rank == i;
        if (gone && extent(f, x, i) != 1)
            return false;
        if (!gone)
            shape[rank++] = x->type.shape[i];
    }
    return x->type.rank <= 16 && reshaped(f, shape, rank);
}

static bool fold_reshape(Fold *f) {
    MgOnnxInts to = plain(f, "shape", 1);
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx shape[16];
    int64_t product = 1, open = -1;
    if (!to.given || to.n > 16)
        return false;
    for (uint32_t i = 0; i < to.n; i++) {
        int64_t d = to.at[i];
        if (d == 0 && !mg_onnx_int(f->n, "allowzero", 0) && i < x->type.rank)
            d = extent(f, x, i);
        if (d < 0)
            open = i;
        else
            product *= d;
        shape[i] = mg_ix_const(f->ix, d);
    }
    if (open >= 0 && product)
        shape[open] = mg_ix_const(f->ix, x->n_known / product);
    return (open >= 0 || product == x->n_known) && reshaped(f, shape, to.n);
}

static bool fold_range(Fold *f) {
    int64_t a, b, step;
    if (!int_of(f, f->n->inputs[0]->known[0], &a) || !int_of(f, f->n->inputs[1]->known[0], &b) ||
        !int_of(f, f->n->inputs[2]->known[0], &step) || !step)
        return false;
    int64_t count = step > 0 ? (b > a ? (b - a + step - 1) / step : 0)
                             : (a > b ? (a - b - step - 1) / -step : 0);
    if (count > 64 || !start_line(f, f->n->inputs[0]->type.dtype, (uint32_t)count))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = constant(f, a + i * step);
    return true;
}

static bool fold_constant_of_shape(Fold *f) {
    const MgOnnxValue *shape = f->n->inputs[0];
    const Onnx__AttributeProto *a = mg_onnx_attribute(f->n, "value");
    int64_t n;
    if (shape->n_known != 1 || !int_of(f, shape->known[0], &n) || n > 64 || n < 0)
        return false;
    if (!a || !a->has_t)
        return false; // zeros of f32
    const MgSafetensor *data = mg_onnx_tensor(f->n->t, a->t, "attribute 'value'", "value");
    MgOnnxValue *v = data ? mg_onnx_constant(f->n->t, data) : NULL;
    if (!v || mg_is_float(data->dtype) || !mg_onnx_numbers(f->n->t, v) || v->n_known != 1 ||
        !start_line(f, data->dtype, (uint32_t)n))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = v->known[0];
    return true;
}

// All elements of a list together.
static bool together(Fold *f, Binary *op, int64_t nothing) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx one = mg_ix_const(f->ix, 1);
    bool keep = mg_onnx_int(f->n, "keepdims", 1);
    MgOnnxInts axes = plain(f, "axes", 1);
    if (x->type.rank != 1 || mg_is_float(x->type.dtype) || (axes.given && axes.n != 1) ||
        !start(f, x->type.dtype, keep, &one, 1))
        return false;
    f->out[0] = x->n_known ? x->known[0] : constant(f, nothing);
    for (uint32_t i = 1; i < x->n_known; i++)
        if (!op(f, f->out[0], x->known[i], &f->out[0]))
            return false;
    return true;
}
static bool fold_prod(Fold *f) {
    return together(f, mul, 1);
}
static bool fold_sum(Fold *f) {
    return together(f, add, 0);
}

static const struct {
    const char *name;
    bool (*fold)(Fold *f);
    uint32_t inputs; // that it has to have
    bool of_shape;   // the input's shape is enough
} folds[] = {
    {"Shape", fold_shape, 1, true},
    {"Size", fold_size, 1, true},
    {"Identity", fold_identity, 1, false},
    {"Cast", fold_cast, 1, false},
    {"Add", fold_add, 2, false},
    {"Sub", fold_sub, 2, false},
    {"Mul", fold_mul, 2, false},
    {"Div", fold_div, 2, false},
    {"Mod", fold_mod, 2, false},
    {"Max", fold_max, 2, false},
    {"Min", fold_min, 2, false},
    {"Neg", fold_neg, 1, false},
    {"Relu", fold_relu, 1, false},
    {"Floor", fold_floor, 1, false},
    {"Ceil", fold_ceil, 1, false},
    {"Greater", fold_greater, 2, false},
    {"GreaterOrEqual", fold_greater_equal, 2, false},
    {"Less", fold_less, 2, false},
    {"LessOrEqual", fold_less_equal, 2, false},
    {"Equal", fold_equal, 2, false},
    {"And", fold_and, 2, false},
    {"Or", fold_or, 2, false},
    {"Not", fold_not, 1, false},
    {"Where", fold_where, 3, false},
    {"Gather", fold_gather, 2, false},
    {"Concat", fold_concat, 1, false},
    {"Slice", fold_slice, 1, false},
    {"Unsqueeze", fold_unsqueeze, 1, false},
    {"Squeeze", fold_squeeze, 1, false},
    {"Reshape", fold_reshape, 1, false},
    {"Range", fold_range, 3, false},
    {"ConstantOfShape", fold_constant_of_shape, 1, false},
    {"ReduceProd", fold_prod, 1, false},
    {"ReduceSum", fold_sum, 1, false},
};

bool mg_onnx_fold(MgOnnxNode *n) {
    size_t row = 0, n_rows = sizeof folds / sizeof *folds;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i])
            mg_onnx_settle(n->t, n->inputs[i]);
    while (row < n_rows && strcmp(folds[row].name, n->proto->op_type) != 0)
        row++;
    if (row == n_rows || n->n_inputs < folds[row].inputs || n->n_outputs != 1 ||
        (n->proto->domain && *n->proto->domain && strcmp(n->proto->domain, "ai.onnx") != 0))
        return false;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (!n->inputs[i] && i < folds[row].inputs)
            return false;
        if (n->inputs[i] && !folds[row].of_shape && !mg_onnx_numbers(n->t, n->inputs[i]))
            return false;
    }
    Fold f = {.n = n, .ix = n->t->ix};
    if (!folds[row].fold(&f) || n->failed)
        return false;
    return mg_onnx_give_known(n, 0, f.dtype, f.rank, f.shape, f.out, f.count);
}
