// Reductions of whole axes and of windows.
#include "frontend/stablehlo/internal.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- reduce
typedef struct Axes {
    const char **subscripts; // of the operand: k0, … along reduced axes, i0, … along others
    MgText ranges;           // "k0 in 0..3, k1 in 0..4"
    uint32_t n;
    const int64_t *at;
} Axes;

static bool read_axes(MgHloNode *n, Axes *axes) {
    const MgHloType *type = &n->inputs[0]->type;
    // The forms are `across dimensions = [1]` and `dimensions = array<…>`.
    MgHloInts dims = mg_hlo_ints(n, "dimensions");
    uint32_t kept = 0;
    *axes = (Axes){MG_NEW_N(n->t->arena, const char *, type->rank + 1), mg_text(n->t->arena),
                   dims.n, dims.at};
    for (uint32_t i = 0; i < dims.n; i++) {
        if (dims.at[i] < 0 || dims.at[i] >= type->rank || axes->subscripts[dims.at[i]])
            return mg_hlo_fail(n->t, n->op->at, "dimension %lld is wrong", (long long)dims.at[i]);
        axes->subscripts[dims.at[i]] = mg_hlo_text(n->t, "k%u", i);
        mg_textf(&axes->ranges, "%sk%u in 0..%s", i ? ", " : "", i,
                 mg_hlo_size(n->t, type->dims[dims.at[i]]));
    }
    for (uint32_t i = 0; i < type->rank; i++)
        if (!axes->subscripts[i])
            axes->subscripts[i] = mg_hlo_text(n->t, "i%u", kept++);
    return kept == n->op->types[0].rank ||
           mg_hlo_fail(n->t, n->op->at, "the result has another rank than what is left");
}

static const char *reduced(MgHlo *t, const char *reducer, MgText *ranges, const char *x) {
    return ranges->bytes.len ? mg_hlo_text(t, "%s[%s] %s", reducer, mg_text_str(ranges), x) : x;
}

static bool reduce_one(MgHloNode *n, Axes *axes, const char *reducer) {
    MgHlo *t = n->t;
    const char *x = mg_hlo_read(t, n->inputs[0], axes->subscripts);
    if (n->inputs[0]->literal && n->inputs[0]->type.dtype != MG_BOOL)
        x = mg_hlo_text(t, "%s(%s)", mg_dtype(n->inputs[0]->type.dtype)->name, x);
    const char *all = reduced(t, reducer, &axes->ranges, x);
    if (!mg_hlo_is_neutral(reducer, n->inputs[1]))
        all = mg_hlo_combine(t, reducer, mg_hlo_number(n, 1), all);
    return mg_hlo_give(n, 0, all);
}

// Does the region return the first of a pair of arguments where something holds, and otherwise the
// second?
static bool chooses(const MgHloBlock *block, uint32_t k) {
    const MgHloOp *end = block->ops.at[block->ops.len - 1];
    const MgHloOp *op = end->n_operands == 2 ? mg_hlo_maker(block, end->operands[k]) : NULL;
    return op && !strcmp(op->name, "stablehlo.select") && op->n_operands == 3 &&
           !strcmp(op->operands[1], block->args[k]) && !strcmp(op->operands[2], block->args[k + 2]);
}

// Recognises a reduction of two operands, the second of which counts along the axis, to the largest
// element and its place. The region compares the first pair by > or <, and of equal elements takes
// the smaller place.
static const char *extreme(const MgHloBlock *block) {
    if (block->n_args != 4 || !chooses(block, 0) || !chooses(block, 1))
        return NULL;
    const char *word = NULL;
    bool smaller = false;
    for (uint32_t i = 0; i < block->ops.len; i++) {
        const MgHloOp *op = block->ops.at[i];
        if (strcmp(op->name, "stablehlo.compare") || op->n_operands != 2)
            continue;
        MgHloToken sign = mg_hlo_token(op->attributes.at, op->attributes.at);
        bool greater = mg_hlo_is(&sign, "GT"), less = mg_hlo_is(&sign, "LT");
        if (!strcmp(op->operands[0], block->args[0]) && !strcmp(op->operands[1], block->args[2]))
            word = greater ? "max" : less ? "min" : word;
        smaller |= less && !strcmp(op->operands[0], block->args[1]) &&
                   !strcmp(op->operands[1], block->args[3]);
    }
    return smaller ? word : NULL;
}

static const char *extreme_of(const MgHloNode *n, const Axes *axes) {
    const MgHloOp *second = n->op->n_results == 2 ? n->inputs[1]->op : NULL;
    MgHloNode of = {n->t, NULL, second, NULL, NULL};
    if (n->op->n_regions != 1 || !second || strcmp(second->name, "stablehlo.iota") != 0 ||
        axes->n != 1 || !mg_is_int(n->inputs[1]->type.dtype) ||
        mg_hlo_int(&of, "iota_dimension", mg_hlo_int(&of, "dim", 0)) != axes->at[0])
        return NULL;
    return extreme(n->op->regions[0]);
}

static bool reduce_place(MgHloNode *n, Axes *axes, const char *word) {
    MgHlo *t = n->t;
    const char *x = mg_hlo_read(t, n->inputs[0], axes->subscripts), *of = word;
    if (n->inputs[0]->type.dtype == MG_BOOL) { // false < true
        of = !strcmp(word, "max") ? "any" : "all";
        if (!mg_hlo_give(n, 0, mg_hlo_text(t, "%s[%s] %s", of, mg_text_str(&axes->ranges), x)))
            return false;
        x = mg_hlo_text(t, "where(%s, 1, 0)", x);
    }
    return (of != word ||
            mg_hlo_give(n, 0, mg_hlo_text(t, "%s[%s] %s", word, mg_text_str(&axes->ranges), x))) &&
           mg_hlo_give(n, 1,
                       mg_hlo_text(t, "%s(arg%s[%s] %s)", mg_dtype(n->op->types[1].dtype)->name,
                                   word, mg_text_str(&axes->ranges), x));
}

// The subscript of one axis among several that the index `i` walks together: those after it have
// `step` places.
static const char *digit(MgHlo *t, uint32_t i, int64_t step, int64_t size) {
    return mg_hlo_text(t, "i%u / %lld %% %lld", i, (long long)step, (long long)size);
}

// Gives the axes that are reduced one new axis, behind the others, and combines that.
static bool reduce_by_region(MgHloNode *n, Axes *axes) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->inputs[0]->type;
    uint32_t kept = 0, count = n->op->n_results, last = n->op->types[0].rank;
    int64_t *dims = MG_NEW_N(t->arena, int64_t, last + 1), step = 1;
    MgHloValue **values = MG_NEW_N(t->arena, MgHloValue *, count);
    if (n->op->n_regions != 1)
        return mg_hlo_fail(t, n->op->at, "a reduction has a region");
    for (uint32_t i = 0; i < type->rank; i++)
        if (axes->subscripts[i][0] == 'i')
            dims[kept++] = type->dims[i];
        else if (mg_hlo_is_open(type->dims[i]))
            return mg_hlo_all_closed(n, type);
    for (uint32_t i = type->rank; i-- > 0;) {
        if (axes->subscripts[i][0] == 'i')
            continue;
        axes->subscripts[i] = digit(t, last, step ? step : 1, type->dims[i]);
        step *= type->dims[i];
    }
    dims[last] = step;
    for (uint32_t k = 0; k < count; k++) {
        const MgHloType *mine = &n->inputs[k]->type;
        if (mine->rank != type->rank ||
            (mine->rank && memcmp(mine->dims, type->dims, mine->rank * sizeof *mine->dims) != 0))
            return mg_hlo_fail(t, n->op->at, "the operands' shapes differ");
        values[k] = mg_hlo_let(t, n->op, "line", (MgHloType){mine->dtype, last + 1, dims, false},
                               step ? mg_hlo_read(t, n->inputs[k], axes->subscripts)
                               : mine->dtype == MG_BOOL ? "false"
                                                        : "0");
    }
    return mg_hlo_fold(n, n->op->regions[0], values);
}

// In `%x init: %c, %y init: %d`, operands and initial values alternate. Puts the operands first.
static void put_in_order(MgHloNode *n) {
    uint32_t count = n->op->n_results;
    MgHloValue **inputs = MG_NEW_N(n->t->arena, MgHloValue *, 2 * (size_t)count);
    if (!memmem(n->op->attributes.at, n->op->attributes.length, "init:", 5))
        return;
    for (uint32_t k = 0; k < 2 * count; k++)
        inputs[k / 2 + k % 2 * count] = n->inputs[k];
    n->inputs = inputs;
}

bool mg_hlo_op_reduce(MgHloNode *n) {
    Axes axes;
    if (!n->op->n_results || n->op->n_operands != 2 * n->op->n_results)
        return mg_hlo_fail(n->t, n->op->at,
                           "a reduction has an operand and a start for each result");
    put_in_order(n);
    if (!read_axes(n, &axes))
        return false;
    bool one = n->op->n_results == 1 && n->op->n_regions == 1;
    const char *reducer = one ? mg_hlo_reducer(n->op->regions[0], n->inputs[0]->type.dtype) : NULL;
    if (reducer && strcmp(reducer, "last") != 0)
        return reduce_one(n, &axes, reducer);
    const char *word = extreme_of(n, &axes);
    return word ? reduce_place(n, &axes, word) : reduce_by_region(n, &axes);
}

// ---------------------------------------------------------------- windows
typedef struct Window {
    uint32_t rank;
    const int64_t *size, *stride, *spread, *dilation, *padding; // padding: low and high by axis
} Window;

static bool has_taps(const Window *w, uint32_t i);

// The windows of a dynamic_reduce_window, which are operands.
static bool read_operands(MgHloNode *n, Window *w) {
    const int64_t **to[] = {&w->size, &w->stride, &w->spread, &w->dilation, &w->padding};
    for (uint32_t k = 0; k < 5; k++) {
        const MgHloValue *v = n->inputs[k + 2];
        *to[k] = mg_hlo_sizes_in(n->t, v);
        if (!*to[k] || mg_hlo_count(n->t, &v->type) != w->rank * (k == 4 ? 2 : 1))
            return mg_hlo_unsupported(n->t, n->op->at, "windows that depend on data");
        for (uint32_t i = 0; k < 4 && i < w->rank; i++) {
            int64_t number = (*to[k])[i];
            if (k > 0 && mg_hlo_is_open(number))
                return mg_hlo_unsupported(n->t, n->op->at, "open steps of windows");
            if (!mg_hlo_is_open(number) && (number < 1 || number > INT32_MAX))
                return mg_hlo_fail(n->t, n->op->at, "a size or step of the window is wrong");
        }
        for (uint32_t i = 0; k == 4 && i < 2 * w->rank; i++)
            if (!mg_hlo_is_open((*to[k])[i]) && llabs((*to[k])[i]) > INT32_MAX)
                return mg_hlo_fail(n->t, n->op->at, "the padding of the window is too large");
    }
    return true;
}

static bool read_window(MgHloNode *n, Window *w) {
    uint32_t rank = w->rank = n->inputs[0]->type.rank;
    if (n->op->n_operands == 7)
        return read_operands(n, w);
    w->size = mg_hlo_list(n, "window_dimensions", rank, 1);
    w->stride = mg_hlo_list(n, "window_strides", rank, 1);
    w->spread = mg_hlo_list(n, "base_dilations", rank, 1);
    w->dilation = mg_hlo_list(n, "window_dilations", rank, 1);
    w->padding = mg_hlo_list(n, "padding", 2 * rank, 0);
    for (uint32_t i = 0; i < rank && !n->t->failed; i++)
        if (w->size[i] < 1 || w->stride[i] < 1 || w->spread[i] < 1 || w->dilation[i] < 1)
            return mg_hlo_fail(n->t, n->op->at, "a size or step of the window is not positive");
    int64_t taps = 1;
    for (uint32_t i = 0; i < rank && !n->t->failed; i++) {
        taps *= w->size[i];
        if (taps > INT32_MAX)
            return mg_hlo_fail(n->t, n->op->at, "the window is too large");
    }
    return !n->t->failed;
}

int64_t mg_hlo_window_places(MgHlo *t, int64_t size, int64_t low, int64_t high, int64_t spread,
                             int64_t window, int64_t dilation, int64_t stride) {
    MgIxTable *x = t->sizes;
    MgIx one = mg_ix_const(x, 1), zero = mg_ix_const(x, 0), whole = mg_hlo_formula(t, size);
    whole = mg_ix_mul(x, mg_ix_max(x, mg_ix_sub(x, whole, one), zero), mg_ix_const(x, spread));
    MgIx span =
        mg_ix_mul(x, mg_ix_sub(x, mg_hlo_formula(t, window), one), mg_ix_const(x, dilation));
    MgIx ends = mg_ix_add(x, mg_hlo_formula(t, low), mg_hlo_formula(t, high));
    MgIx first = mg_ix_sub(x, mg_ix_add(x, whole, ends), span);
    MgIx places = mg_ix_add(x, mg_ix_div(x, first, mg_ix_const(x, stride)), one);
    return mg_hlo_size_of(t, mg_ix_max(x, places, zero));
}

bool mg_hlo_sizes_of_windows(MgHloNode *n, uint32_t k, int64_t *dims) {
    Window w;
    const MgHloType *type = k < n->op->n_operands ? &n->inputs[k]->type : NULL;
    if (!type || type->rank != n->op->types[k].rank || !read_window(n, &w))
        return false;
    for (uint32_t i = 0; i < w.rank; i++)
        dims[i] = has_taps(&w, i) ? mg_hlo_window_places(n->t, type->dims[i], w.padding[2 * i],
                                                         w.padding[2 * i + 1], w.spread[i],
                                                         w.size[i], w.dilation[i], w.stride[i])
                                  : type->dims[i];
    return true;
}

static bool has_taps(const Window *w, uint32_t i) {
    return w->size[i] != 1 || w->stride[i] != 1 || w->spread[i] != 1 || w->padding[2 * i];
}

// "k0 in 0..3, k1 in 0..2": the taps of a window.
static MgText taps_of(MgHlo *t, const Window *w) {
    MgText ranges = mg_text(t->arena);
    for (uint32_t i = 0; i < w->rank; i++)
        if (has_taps(w, i))
            mg_textf(&ranges, "%sk%u in 0..%s", ranges.bytes.len ? ", " : "", i,
                     mg_hlo_size(t, w->size[i]));
    return ranges;
}

// The operand's element at output index j and tap k, which `taps` has by axis, or which is k0, k1,
// …. Outside the operand it is the initial value.
static const char *in_window(MgHloNode *n, const Window *w, MgHloValue *of, const char *around,
                             const char *const *taps) {
    MgHlo *t = n->t;
    MgText holes = mg_text(t->arena);
    const char **at = MG_NEW_N(t->arena, const char *, w->rank + 1);
    bool outside = false;
    for (uint32_t i = 0; i < w->rank; i++) {
        int64_t low = w->padding[2 * i];
        outside |= low > 0 || mg_hlo_is_open(low) || w->padding[2 * i + 1] > 0 ||
                   mg_hlo_is_open(w->padding[2 * i + 1]);
        if (w->spread[i] > 1 && mg_hlo_is_open(low)) {
            mg_hlo_unsupported(t, n->op->at, "open padding of an operand with holes");
            return around;
        }
        if (!has_taps(w, i)) {
            at[i] = mg_hlo_text(t, "i%u", i);
            continue;
        }
        at[i] = mg_hlo_text(t, "%lld * i%u + %lld * %s - (%s)", (long long)w->stride[i], i,
                            (long long)w->dilation[i], taps ? taps[i] : mg_hlo_text(t, "k%u", i),
                            mg_hlo_size(t, low));
        if (w->spread[i] > 1) {
            mg_textf(&holes, "%s(%s + %lld) %% %lld == 0", holes.bytes.len ? " and " : "", at[i],
                     (long long)(w->spread[i] * (1 + llabs(low))), (long long)w->spread[i]);
            at[i] = mg_hlo_text(t, "(%s) / %lld", at[i], (long long)w->spread[i]);
        }
    }
    const char *x = mg_hlo_read(t, of, at);
    around = *around == '-' ? mg_hlo_text(t, "(%s)", around) : around;
    if (outside && !of->literal)
        x = mg_hlo_text(t, "(%s else %s)", x, around);
    return holes.bytes.len ? mg_hlo_text(t, "where(%s, %s, %s)", mg_text_str(&holes), x, around)
                           : x;
}

static bool window_by_reducer(MgHloNode *n, const Window *w, const char *reducer) {
    MgHlo *t = n->t;
    MgText ranges = taps_of(t, w);
    const char *start = mg_hlo_number(n, 1);
    const char *x = in_window(n, w, n->inputs[0], start, NULL);
    if (n->inputs[0]->literal && n->inputs[0]->type.dtype != MG_BOOL)
        x = mg_hlo_text(t, "%s(%s)", mg_dtype(n->inputs[0]->type.dtype)->name, x);
    const char *all = reduced(t, reducer, &ranges, x);
    if (!mg_hlo_is_neutral(reducer, n->inputs[1]))
        all = mg_hlo_combine(t, reducer, start, all);
    return mg_hlo_give(n, 0, all);
}

// Gives the elements of each window an axis behind the others, and combines that.
static bool window_by_region(MgHloNode *n, const Window *w) {
    MgHlo *t = n->t;
    uint32_t count = n->op->n_results;
    int64_t *dims = MG_NEW_N(t->arena, int64_t, w->rank + 1), step = 1;
    const char **taps = MG_NEW_N(t->arena, const char *, w->rank + 1);
    MgHloValue **values = MG_NEW_N(t->arena, MgHloValue *, count);
    for (uint32_t i = w->rank; i-- > 0;) {
        taps[i] = mg_hlo_text(t, "(%s)", digit(t, w->rank, step, w->size[i]));
        step *= w->size[i];
        dims[i] = n->op->types[0].dims[i];
    }
    dims[w->rank] = step;
    if (mg_hlo_count(t, &n->op->types[0]) > MG_COUNT_MAX / step)
        return mg_hlo_unsupported(t, n->op->at, "windows of so many elements by such a region");
    for (uint32_t k = 0; k < count; k++) {
        MgHloType type = {n->inputs[k]->type.dtype, w->rank + 1, dims, false};
        const char *start = mg_hlo_number(n, count + k);
        const char *x = in_window(n, w, n->inputs[k], start, taps);
        values[k] = mg_hlo_let(t, n->op, "window", type, x);
    }
    return !t->failed && mg_hlo_fold(n, n->op->regions[0], values);
}

// The function that a custom call names.
static const MgHloBlock *called(const MgHloNode *n) {
    MgHloText text = mg_hlo_find(n->op->attributes, "called_computations");
    const char *name = text.length > 2 // [@name]
                           ? mg_hlo_text(n->t, "%.*s", (int)text.length - 2, text.at + 1)
                           : NULL;
    const MgHloFunction *f = mg_hlo_function(n->t, name);
    return f ? f->body : NULL;
}

bool mg_hlo_op_reduce_window(MgHloNode *n) {
    MgHlo *t = n->t;
    Window w;
    uint32_t count = n->op->n_results;
    bool open = n->op->n_operands == 7 && count == 1;
    if (!open && (!count || n->op->n_operands != 2 * count || n->op->n_regions != 1))
        return mg_hlo_fail(t, n->op->at, "windows have an operand and a start for each result");
    for (uint32_t k = 0; k < count; k++)
        if (n->op->types[k].rank != n->inputs[k]->type.rank ||
            n->inputs[k]->type.rank != n->inputs[0]->type.rank)
            return mg_hlo_fail(t, n->op->at, "a window keeps the rank");
    if (!read_window(n, &w))
        return false;
    const MgHloBlock *region = open ? called(n) : n->op->regions[0];
    const char *reducer =
        region && count == 1 ? mg_hlo_reducer(region, n->inputs[0]->type.dtype) : NULL;
    if (open && (!reducer || !strcmp(reducer, "last")))
        return mg_hlo_unsupported(t, n->op->at, "open windows with such a region");
    return reducer && strcmp(reducer, "last") != 0 ? window_by_reducer(n, &w, reducer)
                                                   : window_by_region(n, &w);
}

// ---------------------------------------------------------------- select_and_scatter
// The first place of the extreme in a window, counted along the taps that move.
static bool first_place(MgHloNode *n, const Window *w, const char *word, MgHloValue **place) {
    MgHlo *t = n->t;
    MgText ranges = taps_of(t, w), flat = mg_text(t->arena);
    const MgHloType *type = &n->inputs[1]->type;
    const char *worst = !strcmp(word, "max") ? "lowest" : "highest";
    const char *x = in_window(n, w, n->inputs[0],
                              mg_hlo_text(t, "%s(%s)", worst, mg_dtype(type->dtype)->name), NULL);
    MgHloValue *best = mg_hlo_let(t, n->op, "best", *type, reduced(t, word, &ranges, x));
    int64_t step = 1;
    mg_text_add(&flat, "0");
    for (uint32_t i = w->rank; i-- > 0;) {
        bool moves = w->size[i] > 1 || w->stride[i] > 1 || w->padding[2 * i];
        if (moves)
            mg_textf(&flat, " + %lld * k%u", (long long)step, i);
        step *= moves ? w->size[i] : 1;
    }
    const char *same = mg_hlo_read(t, best, mg_hlo_indices(t, w->rank));
    MgHloType places = *type;
    places.dtype = MG_I64;
    *place = mg_hlo_let(t, n->op, "place", places,
                        reduced(t, "min", &ranges,
                                mg_hlo_text(t, "where(%s == %s, i64(%s), %lld)", x, same,
                                            mg_text_str(&flat), (long long)step - 1)));
    return true;
}

bool mg_hlo_op_select_and_scatter(MgHloNode *n) {
    MgHlo *t = n->t;
    Window w;
    MgHloValue *place;
    if (n->op->n_operands != 3 || n->op->n_results != 1 || n->op->n_regions != 2 ||
        n->inputs[1]->type.rank != n->inputs[0]->type.rank)
        return mg_hlo_fail(t, n->op->at, "a select_and_scatter has three operands and two regions");
    const MgHloBlock *select = n->op->regions[0];
    MgHloToken word = mg_hlo_token(t->text, select->ops.at[0]->attributes.at);
    bool greater = mg_hlo_is(&word, "GE") || mg_hlo_is(&word, "GT");
    const char *reducer = mg_hlo_reducer(n->op->regions[1], n->op->types[0].dtype);
    if (select->ops.len != 2 || strcmp(select->ops.at[0]->name, "stablehlo.compare") != 0 ||
        (!greater && !mg_hlo_is(&word, "LE") && !mg_hlo_is(&word, "LT")) || !reducer ||
        strcmp(reducer, "sum") != 0)
        return mg_hlo_unsupported(t, n->op->at, "other regions than a comparison and a sum");
    if (!read_window(n, &w) || !first_place(n, &w, greater ? "max" : "min", &place))
        return false;
    // The source's element goes to the tap that the place names.
    MgText at = mg_text(t->arena), over = mg_text(t->arena);
    const char *where = mg_hlo_read(t, place, mg_hlo_indices(t, w.rank));
    int64_t step = 1;
    const char **left = MG_NEW_N(t->arena, const char *, w.rank + 1);
    for (uint32_t i = w.rank; i-- > 0;) {
        bool moves = w.size[i] > 1 || w.stride[i] > 1 || w.padding[2 * i];
        left[i] = moves ? mg_hlo_text(t, "%lld * i%u + %s / %lld %% %lld - (%lld)",
                                      (long long)w.stride[i], i, where, (long long)step,
                                      (long long)w.size[i], (long long)w.padding[2 * i])
                        : mg_hlo_text(t, "i%u", i);
        step *= moves ? w.size[i] : 1;
    }
    for (uint32_t i = 0; i < w.rank; i++) {
        mg_textf(&at, "%s%s", i ? ", " : "", left[i]);
        mg_textf(&over, "%si%u in 0..%s", i ? ", " : "", i,
                 mg_hlo_size(t, n->inputs[1]->type.dims[i]));
    }
    const char *name = mg_hlo_result_name(n, 0), *shape = mg_hlo_shape(t, &n->op->types[0]);
    const char *source = mg_hlo_read(t, n->inputs[1], mg_hlo_indices(t, w.rank));
    if (n->inputs[1]->literal)
        source = mg_hlo_text(t, "%s(%s)", mg_dtype(n->op->types[0].dtype)->name, source);
    mg_hlo_say(t, n->op, "%s[%s]: %s else none = sum[%s] %s", name, mg_text_str(&at), shape,
               mg_text_str(&over), source);
    n->outputs[0] = mg_hlo_value(t, n->op->types[0], name);
    if (mg_hlo_is_neutral("sum", n->inputs[2]))
        return true;
    const char *sum = mg_hlo_read(t, n->outputs[0], mg_hlo_indices(t, w.rank));
    return mg_hlo_give(n, 0, mg_hlo_combine(t, "sum", sum, mg_hlo_number(n, 2)));
}
