// Operators of ops_shape.def that need more than a template.
#include "frontend/onnx/ops.h"

// ---------------------------------------------------------------- constants
static bool constant_of(MgOnnxNode *n, MgDType dtype, const void *bytes, size_t count,
                        uint32_t rank) {
    MgSafetensor *data = MG_NEW(n->t->arena, MgSafetensor);
    int64_t *dims = MG_NEW_N(n->t->arena, int64_t, 1);
    dims[0] = (int64_t)count;
    size_t size = mg_dtype_size(dtype);
    *data = (MgSafetensor){.key = mg_sym(n->t->names, n->proto->output[0]),
                           .type = mg_dtype(dtype)->name,
                           .dtype = dtype,
                           .rank = rank,
                           .dims = dims,
                           .data = mg_arena_copy(n->t->arena, bytes, count, size),
                           .bytes = count * size};
    return mg_onnx_same(n, 0, mg_onnx_constant(n->t, data));
}

MG_ONNX_OP(constant) {
    (void)text;
    const Onnx__AttributeProto *a;
    if ((a = mg_onnx_attribute(n, "value")) && a->has_t) {
        const MgSafetensor *data = mg_onnx_tensor(n->t, a->t, n->label, n->proto->output[0]);
        if (!data)
            return n->failed = true, false;
        return mg_onnx_same(n, 0, mg_onnx_constant(n->t, data));
    }
    if ((a = mg_onnx_attribute(n, "value_float")))
        return constant_of(n, MG_F32, &a->f, 1, 0);
    if ((a = mg_onnx_attribute(n, "value_floats")))
        return constant_of(n, MG_F32, a->floats, a->n_floats, 1);
    if ((a = mg_onnx_attribute(n, "value_int")))
        return constant_of(n, MG_I64, &a->i, 1, 0);
    if ((a = mg_onnx_attribute(n, "value_ints")))
        return constant_of(n, MG_I64, a->ints, a->n_ints, 1);
    return mg_onnx_unsupported(n, "a constant that is not a dense tensor of numbers");
}

MG_ONNX_OP(cast) {
    (void)text;
    return mg_onnx_takes(n, 1) && mg_onnx_cast(n, mg_onnx_int(n, "to", 0));
}

// ---------------------------------------------------------------- shape
// A 0 in the given shape copies x's dimension. So does an open size that turns out to be 0, unless
// the dimension itself would be 0.
static MgIx copied_if_zero(MgOnnxNode *n, MgIx size, MgIx dim) {
    MgIxTable *ix = n->t->ix;
    MgIx one = mg_ix_const(ix, 1);
    if (mg_scope_prove(n->t->scope, mg_ix_sub(ix, size, one)) == MG_PROVED ||
        mg_scope_prove(n->t->scope, size) != MG_PROVED ||
        mg_ix_mul(ix, mg_ix_div(ix, dim, size), size) == dim)
        return size;
    return mg_ix_add(ix, size, mg_ix_mul(ix, dim, mg_ix_sub(ix, one, mg_ix_min(ix, size, one))));
}

// Does the given shape contain a -1?
static bool has_open_place(const MgOnnxNode *n, MgOnnxSizes shape) {
    int64_t d;
    for (uint32_t i = 0; i < shape.n; i++)
        if (mg_onnx_const(n, shape.at[i], &d) && d == -1)
            return true;
    return false;
}

// If the run decides the given shape, resolves its entries 0 and -1 at run time.
static bool shape_of_run(MgOnnxNode *n) {
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxValue *v = mg_onnx_input(n, 1);
    if (n->t->use != MG_ONNX_USE_BOUNDS || !v || v->known || v->moved_by ||
        mg_onnx_numbers(n->t, v))
        return true;
    MgOnnxNumber *sizes = MG_NEW_N(n->t->arena, MgOnnxNumber, x->rank + 1);
    MgIx rank = mg_ix_const(n->t->ix, x->rank);
    for (uint32_t i = 0; i < x->rank; i++)
        sizes[i].ix = x->shape[i];
    MgOnnxValue own = {.type = {MG_I64, 1, &rank}, .known = sizes, .n_known = x->rank};
    MgIx total = mg_ix_product(n->t->ix, x->shape, x->rank);
    n->inputs[1] =
        mg_onnx_let(n, "shape",
                    mg_onnx_text(n, "wanted_shape($1, %s, %s{, keep0 = @allowzero:bool!=0})",
                                 mg_onnx_operand(n, &own), mg_onnx_size_value(n, total)));
    return n->inputs[1] != NULL;
}

MG_ONNX_OP(reshape) {
    (void)text;
    if (!mg_onnx_takes(n, 1) || !shape_of_run(n))
        return false;
    const MgOnnxValue *x = n->inputs[0];
    if (!mg_onnx_const(n, mg_ix_product(n->t->ix, x->type.shape, x->type.rank), &n->most))
        n->most = 0;
    MgOnnxSizes shape = mg_onnx_sizes(n, "shape", 1);
    if (!shape.given)
        return false;
    MgIx *to = mg_arena_copy(n->t->arena, shape.at, shape.n + 1, sizeof *to);
    bool copies = !mg_onnx_int(n, "allowzero", 0), open = has_open_place(n, shape);
    for (uint32_t i = 0; i < shape.n && copies; i++) {
        int64_t d;
        if (!mg_onnx_const(n, to[i], &d)) {
            if (open && i < x->type.rank)
                to[i] = copied_if_zero(n, to[i], x->type.shape[i]);
            continue;
        }
        if (d != 0)
            continue;
        if (i >= x->type.rank)
            return mg_onnx_fail(n, "entry %u of its shape is 0, but the rank is %u", i,
                                x->type.rank);
        to[i] = x->type.shape[i];
    }
    return mg_onnx_give(
        n, 0, mg_onnx_text(n, "reshape($0, shape = %s)", mg_onnx_ix_list(n, to, shape.n)));
}

// The axes, counted from the front and sorted.
static bool sorted_axes(MgOnnxNode *n, MgOnnxInts axes, uint32_t rank, int64_t **out) {
    int64_t *at = *out = MG_NEW_N(n->t->arena, int64_t, axes.n + 1);
    for (uint32_t i = 0; i < axes.n; i++) {
        int64_t axis = axes.at[i];
        if (!mg_onnx_axis(n, &axis, rank))
            return false;
        uint32_t k = i;
        for (; k > 0 && at[k - 1] > axis; k--)
            at[k] = at[k - 1];
        at[k] = axis;
    }
    return true;
}

// Squeezes axes of open size. They must turn out to be 1, which the reshape requires.
static bool squeeze_open(MgOnnxNode *n, const int64_t *axes, uint32_t count) {
    const MgScopeType *x = &n->inputs[0]->type;
    MgIx *left = MG_NEW_N(n->t->arena, MgIx, x->rank + 1);
    uint32_t rank = 0;
    for (uint32_t i = 0, k = 0; i < x->rank; i++)
        if (k < count && axes[k] == i)
            k++;
        else
            left[rank++] = x->shape[i];
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "reshape($0, shape = %s)", mg_onnx_ix_list(n, left, rank)));
}

// Without axes, the sizes determine the result's rank. An open size, or one that data decide, is
// assumed not to be 1, and the graph requires that.
static bool require_stays(MgOnnxNode *n, MgIx size) {
    if (n->t->use != MG_ONNX_USE_BOUNDS)
        return mg_onnx_unsupported(n, "squeezing an open size without axes");
    const char *text = mg_onnx_ix(n, size);
    return mg_onnx_say(
        n, mg_onnx_text(n, "require %s != 1 : \"%s is 1, and would be squeezed\"", text, text));
}

// The text is for axes that the run decides.
MG_ONNX_OP(squeeze) {
    if (!mg_onnx_takes(n, 1))
        return false;
    if (mg_onnx_by_run(n, 1))
        return mg_onnx_by_template(n, text);
    const MgScopeType *x = &n->inputs[0]->type;
    MgOnnxInts axes = mg_onnx_axes(n, "axes", 1);
    int64_t *at, size;
    if (n->failed || !sorted_axes(n, axes, x->rank, &at))
        return false;
    for (uint32_t i = 0; i < axes.n; i++)
        if (!mg_onnx_const(n, x->shape[at[i]], &size))
            return squeeze_open(n, at, axes.n);
    if (!axes.given) {
        at = MG_NEW_N(n->t->arena, int64_t, x->rank + 1);
        for (uint32_t i = 0; i < x->rank; i++)
            if (!mg_onnx_const(n, x->shape[i], &size)) {
                if (!require_stays(n, x->shape[i]))
                    return false;
            } else if (size == 1) {
                at[axes.n++] = i;
            }
    }
    if (!axes.n)
        return mg_onnx_same(n, 0, n->inputs[0]);
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "squeeze($0, axes = %s)", mg_onnx_list(n, at, axes.n)));
}

// ---------------------------------------------------------------- splits and expansion
// Piece i of a split, from `start` on.
static bool give_piece(MgOnnxNode *n, uint32_t i, int64_t axis, MgIx start, MgIx length) {
    MgOnnxValue *x = n->inputs[0];
    int64_t from, count;
    if (mg_onnx_numbers(n->t, x) && x->type.rank == 1 && mg_onnx_const(n, start, &from) &&
        mg_onnx_const(n, length, &count) && from >= 0 && count >= 0 && from <= x->n_known &&
        count <= x->n_known - from)
        return mg_onnx_give_known(n, i, x->type.dtype, 1,
                                  mg_arena_copy(n->t->arena, &length, 1, sizeof length),
                                  x->known + from, (uint32_t)count);
    return mg_onnx_give(n, i,
                        mg_onnx_text(n, "part(%s, axis = %lld, start = %s, length = %s)",
                                     mg_onnx_operand(n, x), (long long)axis, mg_onnx_ix(n, start),
                                     mg_onnx_ix(n, length)));
}

// The sizes are an attribute before opset 13 and an input from then on. Without them the parts are
// equal; from opset 18 on the last may be smaller.
MG_ONNX_OP(split) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    const MgScopeType *x = &n->inputs[0]->type;
    MgIxTable *ix = n->t->ix;
    int64_t axis = mg_onnx_int(n, "axis", 0), parts = mg_onnx_int(n, "num_outputs", n->n_outputs);
    MgOnnxSizes sizes = mg_onnx_sizes(n, "split", 1);
    if (n->failed || !mg_onnx_axis(n, &axis, x->rank))
        return false;
    if (sizes.given && sizes.n != n->n_outputs)
        return mg_onnx_fail(n, "it has %u size%s for %u output%s; expected one for each", sizes.n,
                            mg_plural(sizes.n), n->n_outputs, mg_plural(n->n_outputs));
    if (parts < n->n_outputs)
        return mg_onnx_fail(n, "attribute 'num_outputs' is %lld, but it has %u output%s",
                            (long long)parts, n->n_outputs, mg_plural(n->n_outputs));
    MgIx at = mg_ix_const(ix, 0), size = x->shape[axis], none = at;
    MgIx part = mg_ix_neg(ix, mg_ix_div(ix, mg_ix_neg(ix, size), mg_ix_const(ix, parts)));
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        MgIx left = mg_ix_sub(ix, size, at), length = sizes.given ? sizes.at[i] : left;
        if (!sizes.given && i + 1 < parts)
            length = mg_onnx_smaller(n, part, mg_onnx_larger(n, left, none));
        if (mg_onnx_wants(n, i) && !give_piece(n, i, axis, at, length))
            return false;
        at = mg_ix_add(ix, at, length);
    }
    return true;
}

// An entry of the shape that data decide meets an axis of this size, which is not known to be 1.
// The entry must be 1 or the size, which the run checks, so the result has the size.
static bool meet(MgOnnxNode *n, MgIx *entry, MgIx size) {
    MgOnnx *t = n->t;
    int64_t number;
    if (mg_scope_is_early(t->scope, *entry) || (mg_onnx_const(n, size, &number) && number == 1))
        return true;
    const char *given = mg_onnx_ix(n, *entry), *want = mg_onnx_ix(n, size);
    *entry = size;
    return mg_onnx_say(n, mg_onnx_text(n,
                                       "require %s == 1 or %s == %s : \"the shape has {%s} for an "
                                       "axis that keeps its size {%s}\"",
                                       given, given, want, given, want));
}

// The same for an open axis, whose size may turn out to be 1: the run decides the result's size.
static bool stretch(MgOnnxNode *n, uint32_t axis, MgIx *entry) {
    n->t->stretched = true;
    MgOnnxValue *y = mg_onnx_let(
        n, "wide",
        mg_onnx_text(n, "onnx.stretch($0, size = %s, axis = %u)", mg_onnx_ix(n, *entry), axis));
    if (!y)
        return false;
    n->inputs[0] = y;
    *entry = y->type.shape[axis];
    return true;
}

MG_ONNX_OP(expand) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    MgOnnxSizes given = mg_onnx_sizes(n, NULL, 1);
    if (!given.given)
        return false;
    const MgScopeType *x = &n->inputs[0]->type;
    MgIx *shape = mg_arena_copy(n->t->arena, given.at, given.n, sizeof *shape);
    for (uint32_t i = 1, rank = x->rank; i <= given.n && i <= rank; i++) {
        MgIx *entry = &shape[given.n - i], size = n->inputs[0]->type.shape[rank - i];
        int64_t number;
        bool open = !mg_onnx_const(n, size, &number) && !mg_scope_is_early(n->t->scope, *entry);
        if (!(open && !n->t->keep_axes ? stretch(n, rank - i, entry) : meet(n, entry, size)))
            return false;
    }
    return mg_onnx_give(
        n, 0, mg_onnx_text(n, "expand($0, shape = %s)", mg_onnx_ix_list(n, shape, given.n)));
}
