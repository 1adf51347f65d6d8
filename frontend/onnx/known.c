// Arithmetic on known values. Models compute with shapes before they pass the results to Reshape,
// Slice or Resize. Integers are expressions over dimensions, so this is the arithmetic of MgIx. A
// result that depends on the sizes of the run is not known, and the graph computes it.
//
// An operator is folded if all its inputs are known. Nothing is written for it; if something needs
// the tensor after all, emit.c writes it at that point.
#include "frontend/onnx/fold.h"

#include <math.h>

enum { MAX_REAL = 64 }; // floats that are folded; longer lists are not sizes

MgOnnxValue *mg_onnx_constant(MgOnnx *t, const MgSafetensor *data) {
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    v->data = data;
    v->type.dtype = data->dtype;
    v->type.rank = data->rank;
    v->narrow = (uint32_t)mg_map_get(&t->narrow, (uintptr_t)data, 0);
    return v;
}

MgOnnxValue *mg_onnx_number_value(MgOnnx *t, MgDType dtype, MgIx number) {
    MgOnnxNumber *known = MG_NEW(t->arena, MgOnnxNumber);
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    known->ix = number;
    *v = (MgOnnxValue){.type = {.dtype = dtype}, .known = known, .n_known = 1};
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

// Records the elements of an input that were used, because the text is correct only for these.
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
        known[i] = mg_is_float(d->dtype) ? mg_onnx_real(mg_bits_to_double(d->dtype, bits))
                                         : mg_onnx_whole(mg_ix_const(t->ix, value));
    }
    v->known = known;
    v->n_known = (uint32_t)n;
    if (v->is_input)
        fix(t, v);
    return true;
}

// ---------------------------------------------------------------- one number
static MgOnnxNumber constant(MgOnnxFold *f, int64_t value) {
    return mg_onnx_whole(mg_ix_const(f->ix, value));
}

bool mg_onnx_is_int(const MgOnnxFold *f, MgOnnxNumber x, int64_t *value) {
    return !x.real && mg_ix_is_const(f->ix, x.ix, value);
}

static bool never_negative(const MgOnnxFold *f, MgIx x) {
    return mg_scope_prove(f->n->t->scope, x) == MG_PROVED;
}

typedef bool Binary(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r);

static bool rounded(const MgOnnxFold *f, double x, MgOnnxNumber *r) {
    *r = mg_onnx_real(f->dtype == MG_F32 ? (double)(float)x : x);
    return f->dtype == MG_F32 || f->dtype == MG_F64;
}

#define WHOLE_AND_REAL(name, ix_op, op)                                                            \
    bool name(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {                    \
        if (a.real != b.real)                                                                      \
            return false;                                                                          \
        if (a.real)                                                                                \
            return rounded(f, a.f op b.f, r);                                                      \
        *r = mg_onnx_whole(ix_op(f->ix, a.ix, b.ix));                                              \
        return r->ix != MG_IX_ERROR;                                                               \
    }
WHOLE_AND_REAL(mg_onnx_fold_add, mg_ix_add, +)
WHOLE_AND_REAL(mg_onnx_fold_sub, mg_ix_sub, -)
WHOLE_AND_REAL(mg_onnx_fold_mul, mg_ix_mul, *)

// ONNX truncates, sizes round down. They agree if nothing is negative.
static bool divide(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    if (a.real != b.real)
        return false;
    if (a.real)
        return rounded(f, a.f / b.f, r);
    if (mg_onnx_is_int(f, a, &p) && mg_onnx_is_int(f, b, &q)) {
        if (!q || (q == -1 && p == INT64_MIN))
            return false;
        *r = constant(f, p / q);
        return true;
    }
    *r = mg_onnx_whole(mg_ix_div(f->ix, a.ix, b.ix));
    return never_negative(f, a.ix) &&
           never_negative(f, mg_ix_sub(f->ix, b.ix, mg_ix_const(f->ix, 1)));
}

static bool modulo(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    if (a.real || b.real || mg_onnx_int(f->n, "fmod", 0))
        return false;
    if (mg_onnx_is_int(f, a, &p) && mg_onnx_is_int(f, b, &q)) {
        if (!q || q == -1)
            return false;
        int64_t m = p % q;
        *r = constant(f, m && (m < 0) != (q < 0) ? m + q : m);
        return true;
    }
    *r = mg_onnx_whole(mg_ix_mod(f->ix, a.ix, b.ix));
    return mg_onnx_is_int(f, b, &q) && q > 0;
}

static bool larger(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    *r = a.real ? mg_onnx_real(fmax(a.f, b.f)) : mg_onnx_whole(mg_ix_max(f->ix, a.ix, b.ix));
    return a.real == b.real && !(a.real && (isnan(a.f) || isnan(b.f)));
}

static bool smaller(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    *r = a.real ? mg_onnx_real(fmin(a.f, b.f)) : mg_onnx_whole(mg_ix_min(f->ix, a.ix, b.ix));
    return a.real == b.real && !(a.real && (isnan(a.f) || isnan(b.f)));
}

// Is a >= b? 1: yes, 0: no, -1: it depends on the sizes.
static int at_least(const MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b) {
    if (a.real || b.real)
        return a.real && b.real ? a.f >= b.f : -1;
    MgProof p = mg_scope_prove(f->n->t->scope, mg_ix_sub(f->ix, a.ix, b.ix));
    return p == MG_PROVED ? 1 : p == MG_REFUTED ? 0 : -1;
}

static bool truth(MgOnnxFold *f, int value, MgOnnxNumber *r) {
    *r = constant(f, value > 0);
    return value >= 0;
}

static bool greater_equal(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return truth(f, at_least(f, a, b), r);
}
static bool less_equal(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return truth(f, at_least(f, b, a), r);
}
static bool greater(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int v = a.real && b.real ? b.f >= a.f || a.f != a.f || b.f != b.f : at_least(f, b, a);
    return truth(f, v < 0 ? v : !v, r);
}
static bool less(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    return greater(f, b, a, r);
}
static bool equal(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int up = at_least(f, a, b), down = at_least(f, b, a);
    if (!a.real && !b.real && a.ix == b.ix)
        up = down = 1;
    return truth(f, up == 0 || down == 0 ? 0 : up < 0 || down < 0 ? -1 : 1, r);
}
static bool both(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    return mg_onnx_is_int(f, a, &p) && mg_onnx_is_int(f, b, &q) && truth(f, p && q, r);
}
static bool either(MgOnnxFold *f, MgOnnxNumber a, MgOnnxNumber b, MgOnnxNumber *r) {
    int64_t p, q;
    return mg_onnx_is_int(f, a, &p) && mg_onnx_is_int(f, b, &q) && truth(f, p || q, r);
}

// ---------------------------------------------------------------- many
bool mg_onnx_fold_begin(MgOnnxFold *f, MgDType dtype, uint32_t rank, const MgIx *shape,
                        uint64_t count) {
    if (count > MG_ONNX_MAX_KNOWN)
        return false;
    f->dtype = dtype;
    f->rank = rank;
    f->shape = mg_arena_copy(f->n->t->arena, shape, rank + (rank == 0), sizeof *shape);
    f->count = (uint32_t)count;
    f->out = MG_NEW_N(f->n->t->arena, MgOnnxNumber, f->count + 1);
    return true;
}

bool mg_onnx_fold_like(MgOnnxFold *f, const MgOnnxValue *v, MgDType dtype) {
    MgIx none = 0;
    return mg_onnx_fold_begin(f, dtype, v->type.rank, v->type.rank ? v->type.shape : &none,
                              v->n_known);
}

static bool overflows(const MgOnnxFold *f, MgOnnxNumber x) {
    int64_t value;
    return f->dtype == MG_I32 && mg_onnx_is_int(f, x, &value) &&
           (value < INT32_MIN || value > INT32_MAX);
}

// The operands have equal shapes, or one of them has a single element.
static bool elementwise(MgOnnxFold *f, Binary *op, bool compares) {
    const MgOnnxValue *a = f->n->inputs[0], *b = f->n->inputs[1];
    MgDType dtype = compares ? MG_BOOL : a->type.dtype;
    bool wraps = dtype != MG_I64 && dtype != MG_I32 && dtype != MG_F32 && dtype != MG_F64;
    if (f->n->n_inputs != 2 || (wraps && !compares) || !a->n_known || !b->n_known)
        return false;
    bool same = a->n_known == b->n_known && a->type.rank == b->type.rank;
    for (uint32_t i = 0; same && i < a->type.rank; i++)
        same = a->type.shape[i] == b->type.shape[i];
    if (!same && a->n_known != 1 && b->n_known != 1)
        return false;
    const MgOnnxValue *wide =
        a->n_known > b->n_known || (a->n_known == b->n_known && a->type.rank >= b->type.rank) ? a
                                                                                              : b;
    if (wide->type.rank < (wide == a ? b : a)->type.rank || !mg_onnx_fold_like(f, wide, dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!op(f, a->known[a->n_known == 1 ? 0 : i], b->known[b->n_known == 1 ? 0 : i],
                &f->out[i]) ||
            overflows(f, f->out[i]))
            return false;
    return true;
}

#define ELEMENTWISE(name, op, compares)                                                            \
    static bool name(MgOnnxFold *f) {                                                              \
        return elementwise(f, op, compares);                                                       \
    }
ELEMENTWISE(fold_add, mg_onnx_fold_add, false)
ELEMENTWISE(fold_sub, mg_onnx_fold_sub, false)
ELEMENTWISE(fold_mul, mg_onnx_fold_mul, false)
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

static bool fold_not(MgOnnxFold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    int64_t p;
    if (!mg_onnx_fold_like(f, a, MG_BOOL))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!mg_onnx_is_int(f, a->known[i], &p) || !truth(f, !p, &f->out[i]))
            return false;
    return true;
}

static bool fold_neg(MgOnnxFold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!mg_onnx_fold_like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = a->known[i].real ? mg_onnx_real(-a->known[i].f)
                                     : mg_onnx_whole(mg_ix_neg(f->ix, a->known[i].ix));
    return true;
}

static bool fold_relu(MgOnnxFold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!mg_onnx_fold_like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!larger(f, a->known[i], a->known[i].real ? mg_onnx_real(0) : constant(f, 0),
                    &f->out[i]))
            return false;
    return true;
}

static bool to_whole(MgOnnxFold *f, double (*round_to)(double)) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!mg_onnx_fold_like(f, a, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = a->known[i].real ? mg_onnx_real(round_to(a->known[i].f)) : a->known[i];
    return true;
}
static bool fold_floor(MgOnnxFold *f) {
    return to_whole(f, floor);
}
static bool fold_ceil(MgOnnxFold *f) {
    return to_whole(f, ceil);
}

// A size that is cast to a float stays an expression, since models cast it back later.
static bool fold_cast(MgOnnxFold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    MgDType to;
    if (a->narrow || !mg_onnx_dtype(mg_onnx_int(f->n, "to", 0), &to) ||
        !mg_onnx_fold_like(f, a, to))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        MgOnnxNumber x = a->known[i];
        int64_t value = 0;
        bool fixed = mg_onnx_is_int(f, x, &value);
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

static bool fold_identity(MgOnnxFold *f) {
    const MgOnnxValue *a = f->n->inputs[0];
    if (!mg_onnx_fold_like(f, a, a->type.dtype))
        return false;
    memcpy(f->out, a->known, f->count * sizeof *f->out);
    return true;
}

static bool fold_where(MgOnnxFold *f) {
    const MgOnnxValue *c = f->n->inputs[0], *a = f->n->inputs[1], *b = f->n->inputs[2];
    const MgOnnxValue *wide = c->n_known > 1 ? c : a->n_known > 1 ? a : b;
    int64_t p;
    if ((c->n_known != 1 && c->n_known != wide->n_known) ||
        (a->n_known != 1 && a->n_known != wide->n_known) ||
        (b->n_known != 1 && b->n_known != wide->n_known) || c->type.rank > wide->type.rank ||
        a->type.rank > wide->type.rank || b->type.rank > wide->type.rank || wide->type.rank > 1 ||
        !mg_onnx_fold_like(f, wide, a->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!mg_onnx_is_int(f, c->known[c->n_known == 1 ? 0 : i], &p))
            return false;
        f->out[i] = p ? a->known[a->n_known == 1 ? 0 : i] : b->known[b->n_known == 1 ? 0 : i];
    }
    return true;
}

const MgOnnxFolding mg_onnx_foldings_of_numbers[] = {
    {"Identity", fold_identity, 1, false, true},
    {"Cast", fold_cast, 1, false, true},
    {"Add", fold_add, 2, false, false},
    {"Sub", fold_sub, 2, false, false},
    {"Mul", fold_mul, 2, false, false},
    {"Div", fold_div, 2, false, false},
    {"Mod", fold_mod, 2, false, false},
    {"Max", fold_max, 2, false, false},
    {"Min", fold_min, 2, false, false},
    {"Neg", fold_neg, 1, false, false},
    {"Relu", fold_relu, 1, false, false},
    {"Floor", fold_floor, 1, false, false},
    {"Ceil", fold_ceil, 1, false, false},
    {"Greater", fold_greater, 2, false, false},
    {"GreaterOrEqual", fold_greater_equal, 2, false, false},
    {"Less", fold_less, 2, false, false},
    {"LessOrEqual", fold_less_equal, 2, false, false},
    {"Equal", fold_equal, 2, false, false},
    {"And", fold_and, 2, false, false},
    {"Or", fold_or, 2, false, false},
    {"Not", fold_not, 1, false, false},
    {"Where", fold_where, 3, false, false},
    {NULL, NULL, 0, false, false}};
