// Folds operators that read shapes or move elements (known.c folds arithmetic), and decides which
// nodes fold.
#include "frontend/onnx/fold.h"

static MgOnnxNumber constant(MgOnnxFold *f, int64_t value) {
    return mg_onnx_whole(mg_ix_const(f->ix, value));
}

static bool start_line(MgOnnxFold *f, MgDType dtype, uint32_t count) {
    MgIx length = mg_ix_const(f->ix, count);
    return mg_onnx_fold_begin(f, dtype, 1, &length, count);
}

static int64_t extent(const MgOnnxFold *f, const MgOnnxValue *v, uint32_t axis) {
    int64_t value = 0;
    mg_ix_is_const(f->ix, v->type.shape[axis], &value);
    return value;
}

static bool fold_shape(MgOnnxFold *f) {
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
        f->out[i] = mg_onnx_whole(x->type.shape[from + i]);
    return true;
}

static bool fold_size(MgOnnxFold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx none = 0;
    if (!mg_onnx_fold_begin(f, MG_I64, 0, &none, 1))
        return false;
    f->out[0] = mg_onnx_whole(mg_ix_product(f->ix, x->type.shape, x->type.rank));
    return f->out[0].ix != MG_IX_ERROR;
}

static bool fold_gather(MgOnnxFold *f) {
    const MgOnnxValue *x = f->n->inputs[0], *ids = f->n->inputs[1];
    int64_t axis = mg_onnx_int(f->n, "axis", 0);
    if (x->type.rank != 1 || (axis != 0 && axis != -1) || !mg_onnx_fold_like(f, ids, x->type.dtype))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        int64_t at;
        if (!mg_onnx_is_int(f, ids->known[i], &at))
            return false;
        at += at < 0 ? x->n_known : 0;
        if (at < 0 || at >= x->n_known)
            return mg_onnx_fail(f->n, "index %lld does not exist: the length is %u", (long long)at,
                                x->n_known);
        f->out[i] = x->known[at];
    }
    return true;
}

static bool fold_concat(MgOnnxFold *f) {
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

// Plain numbers: an attribute in older opsets, input k in newer ones. They may be absent.
static MgOnnxInts plain(MgOnnxFold *f, const char *name, uint32_t k) {
    const MgOnnxValue *v = mg_onnx_input(f->n, k);
    if (name && mg_onnx_has(f->n, name))
        return mg_onnx_ints(f->n, name);
    if (!v || !v->known)
        return (MgOnnxInts){0};
    int64_t *at = MG_NEW_N(f->n->t->arena, int64_t, v->n_known + 1);
    for (uint32_t i = 0; i < v->n_known; i++)
        if (!mg_onnx_is_int(f, v->known[i], &at[i]))
            return (MgOnnxInts){0};
    return (MgOnnxInts){true, v->n_known, at};
}

static bool fold_slice(MgOnnxFold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgOnnxInts from = plain(f, "starts", 1), to = plain(f, "ends", 2);
    MgOnnxInts axes = plain(f, "axes", 3), steps = plain(f, NULL, 4);
    if ((mg_onnx_input(f->n, 3) && !axes.given) || (mg_onnx_input(f->n, 4) && !steps.given))
        return false;
    if (!x->type.rank || from.n != 1 || to.n != 1 || (steps.given && steps.n != 1) || axes.n > 1)
        return false;
    int64_t axis = axes.given ? axes.at[0] : 0;
    if (!mg_onnx_axis(f->n, &axis, x->type.rank))
        return false;
    int64_t n = extent(f, x, (uint32_t)axis), step = steps.given ? steps.at[0] : 1;
    int64_t a = from.at[0], b = to.at[0];
    if (!step)
        return false;
    step = step > n ? n + 1 : step < -n ? -n - 1 : step; // a longer step also takes one element
    a = a < 0 ? a + n : a;
    b = mg_onnx_is_open_end(b, step) ? -1 : b < 0 ? b + n : b;
    a = a < 0 ? 0 : a;
    a = step > 0 ? (a > n ? n : a) : (a > n - 1 ? n - 1 : a);
    b = step > 0 ? (b < 0 ? 0 : b > n ? n : b) : (b < -1 ? -1 : b > n - 1 ? n - 1 : b);
    uint32_t count = 0;
    for (int64_t i = a; step > 0 ? i < b : i > b; i += step)
        count++;
    MgIx *shape = mg_arena_copy(f->n->t->arena, x->type.shape, x->type.rank, sizeof *shape);
    shape[axis] = mg_ix_const(f->ix, count);
    uint32_t inner = 1, at = 0;
    for (uint32_t i = (uint32_t)axis + 1; i < x->type.rank; i++)
        inner *= (uint32_t)extent(f, x, i);
    uint32_t outer = n && inner ? x->n_known / ((uint32_t)n * inner) : 0;
    if (!mg_onnx_fold_begin(f, x->type.dtype, x->type.rank, shape, (uint64_t)outer * count * inner))
        return false;
    for (uint32_t o = 0; o < outer; o++)
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < inner; k++)
                f->out[at++] = x->known[((int64_t)o * n + a + i * step) * inner + k];
    return true;
}

// Folds only matrices: models transpose nothing larger on the way to a Pad.
static bool fold_transpose(MgOnnxFold *f) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgOnnxInts perm = mg_onnx_ints(f->n, "perm");
    bool turns = !perm.given || (perm.n == 2 && perm.at[0] == 1 && perm.at[1] == 0);
    if (x->type.rank != 2 || !turns)
        return false;
    MgIx shape[2] = {x->type.shape[1], x->type.shape[0]};
    if (!mg_onnx_fold_begin(f, x->type.dtype, 2, shape, x->n_known))
        return false;
    uint32_t rows = (uint32_t)extent(f, x, 0), columns = (uint32_t)extent(f, x, 1);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            f->out[c * rows + r] = x->known[r * columns + c];
    return true;
}

static bool reshaped(MgOnnxFold *f, const MgIx *shape, uint32_t rank) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx none = 0;
    if (!mg_onnx_fold_begin(f, x->type.dtype, rank, rank ? shape : &none, x->n_known))
        return false;
    memcpy(f->out, x->known, f->count * sizeof *f->out);
    return true;
}

static bool fold_unsqueeze(MgOnnxFold *f) {
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

static bool fold_squeeze(MgOnnxFold *f) {
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

static bool fold_reshape(MgOnnxFold *f) {
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
        else if (__builtin_mul_overflow(product, d, &product))
            return false;
        shape[i] = mg_ix_const(f->ix, d);
    }
    if (open >= 0 && product)
        shape[open] = mg_ix_const(f->ix, x->n_known / product);
    return (open >= 0 || product == x->n_known) && reshaped(f, shape, to.n);
}

static bool fold_range(MgOnnxFold *f) {
    int64_t a, b, step;
    if (!mg_onnx_is_int(f, f->n->inputs[0]->known[0], &a) ||
        !mg_onnx_is_int(f, f->n->inputs[1]->known[0], &b) ||
        !mg_onnx_is_int(f, f->n->inputs[2]->known[0], &step) || !step)
        return false;
    int64_t span, by = step > 0 ? step : -(step + 1) + (step > INT64_MIN);
    if (__builtin_sub_overflow(step > 0 ? b : a, step > 0 ? a : b, &span))
        return false;
    int64_t count = span > 0 ? (span - 1) / by + 1 : 0;
    if (count > 64 || !start_line(f, f->n->inputs[0]->type.dtype, (uint32_t)count))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = constant(f, a + i * step);
    return true;
}

static bool fold_constant_of_shape(MgOnnxFold *f) {
    const MgOnnxValue *shape = f->n->inputs[0];
    const Onnx__AttributeProto *a = mg_onnx_attribute(f->n, "value");
    int64_t n;
    if (shape->n_known != 1 || !mg_onnx_is_int(f, shape->known[0], &n) || n > 64 || n < 0)
        return false;
    if (!a || !a->has_t)
        return false; // the default is zeros of f32
    const MgSafetensor *data = mg_onnx_tensor(f->n->t, a->t, "attribute 'value'", "value");
    MgOnnxValue *v = data ? mg_onnx_constant(f->n->t, data) : NULL;
    if (!v || mg_is_float(data->dtype) || !mg_onnx_numbers(f->n->t, v) || v->n_known != 1 ||
        !start_line(f, data->dtype, (uint32_t)n))
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        f->out[i] = v->known[0];
    return true;
}

// Reduces a list by op.
static bool together(MgOnnxFold *f,
                     bool (*op)(MgOnnxFold *, MgOnnxNumber, MgOnnxNumber, MgOnnxNumber *),
                     int64_t nothing) {
    const MgOnnxValue *x = f->n->inputs[0];
    MgIx one = mg_ix_const(f->ix, 1);
    bool keep = mg_onnx_int(f->n, "keepdims", 1);
    MgOnnxInts axes = plain(f, "axes", 1);
    if (x->type.rank != 1 || mg_is_float(x->type.dtype) || (axes.given && axes.n != 1) ||
        !mg_onnx_fold_begin(f, x->type.dtype, keep, &one, 1))
        return false;
    f->out[0] = x->n_known ? x->known[0] : constant(f, nothing);
    for (uint32_t i = 1; i < x->n_known; i++)
        if (!op(f, f->out[0], x->known[i], &f->out[0]))
            return false;
    return true;
}
static bool fold_prod(MgOnnxFold *f) {
    return together(f, mg_onnx_fold_mul, 1);
}
static bool fold_sum(MgOnnxFold *f) {
    return together(f, mg_onnx_fold_add, 0);
}

const MgOnnxFolding mg_onnx_foldings_of_shapes[] = {
    {"Shape", fold_shape, 1, true, false},
    {"Size", fold_size, 1, true, false},
    {"Gather", fold_gather, 2, false, true},
    {"Concat", fold_concat, 1, false, true},
    {"Slice", fold_slice, 1, false, true},
    {"Transpose", fold_transpose, 1, false, true},
    {"Unsqueeze", fold_unsqueeze, 1, false, true},
    {"Squeeze", fold_squeeze, 1, false, true},
    {"Reshape", fold_reshape, 1, false, true},
    {"Range", fold_range, 3, false, false},
    {"ConstantOfShape", fold_constant_of_shape, 1, false, false},
    {"ReduceProd", fold_prod, 1, false, false},
    {"ReduceSum", fold_sum, 1, false, false},
    {NULL, NULL, 0, false, false}};

static const MgOnnxFolding *folding_of(const char *name) {
    const MgOnnxFolding *const tables[] = {mg_onnx_foldings_of_numbers, mg_onnx_foldings_of_shapes};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const MgOnnxFolding *row = tables[t]; row->name; row++)
            if (!strcmp(row->name, name))
                return row;
    return NULL;
}

// Can the value be sizes? Only sizes are folded. An input of the model counts as data, even if the
// caller gives it, unless it looks like sizes.
static bool may_be_sizes(const MgOnnxValue *v) {
    return !v->is_input || v->type.rank <= (mg_is_float(v->type.dtype) ? 0 : 1);
}

bool mg_onnx_moves(const MgOnnxNode *n) {
    const MgOnnxFolding *row = folding_of(n->proto->op_type);
    return row && row->moves && !*n->row->domain && n->n_outputs == 1;
}

bool mg_onnx_fold(MgOnnxNode *n) {
    const MgOnnxFolding *row = folding_of(n->proto->op_type);
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i])
            mg_onnx_settle(n->t, n->inputs[i]);
    if (!row || n->n_inputs < row->inputs || n->n_outputs != 1 || *n->row->domain)
        return false;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (!n->inputs[i] && i < row->inputs)
            return false;
        if (n->inputs[i] && !row->of_shape &&
            (!may_be_sizes(n->inputs[i]) || !mg_onnx_numbers(n->t, n->inputs[i])))
            return false;
    }
    MgOnnxFold f = {.n = n, .ix = n->t->ix};
    if (!row->fold(&f) || n->failed)
        return false;
    return mg_onnx_give_known(n, 0, f.dtype, f.rank, f.shape, f.out, f.count);
}
