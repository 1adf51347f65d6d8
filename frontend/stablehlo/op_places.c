// Places that data decide: slices, gather, scatter.
#include "frontend/stablehlo/internal.h"

#include <string.h>

// ---------------------------------------------------------------- slices
static bool starts(MgHloNode *n, uint32_t first, const MgHloType *part, const char **at) {
    const MgHloType *whole = &n->inputs[0]->type;
    if (n->op->n_results != 1 || n->op->n_operands != first + whole->rank ||
        part->rank != whole->rank)
        return mg_hlo_fail(n->t, n->op->at, "%s has a start for each dimension", n->op->name);
    for (uint32_t i = 0; i < whole->rank; i++) {
        MgHloValue *v = n->inputs[first + i];
        if (v->type.rank || !mg_is_int(v->type.dtype) ||
            mg_hlo_less(n->t, whole->dims[i], part->dims[i]))
            return mg_hlo_fail(n->t, n->op->at,
                               "start %u is no whole number, or the part is larger", i);
        at[i] = mg_hlo_start(n->t, v,
                             mg_hlo_combine_sizes(n->t, mg_ix_sub, whole->dims[i], part->dims[i]));
    }
    return true;
}

static bool is_zero(const char *start) {
    return !strcmp(start, "0");
}

bool mg_hlo_op_dynamic_slice(MgHloNode *n) {
    const char *at[MG_HLO_MAX_RANK];
    if (!n->op->n_operands || !starts(n, 1, &n->op->types[0], at))
        return n->t->failed ? false : mg_hlo_fail(n->t, n->op->at, "a slice has operands");
    const MgHloType *type = &n->inputs[0]->type;
    for (uint32_t i = 0; i < type->rank; i++)
        at[i] = is_zero(at[i])                 ? mg_hlo_text(n->t, "i%u", i)
                : n->op->types[0].dims[i] == 1 ? at[i]
                                               : mg_hlo_text(n->t, "%s + i%u", at[i], i);
    return mg_hlo_give(n, 0, mg_hlo_read(n->t, n->inputs[0], at));
}

// Is the part row `counter`, or row n - 1 - counter, of a state that rounds stack?
static bool stacks(MgHloNode *n) {
    MgHlo *t = n->t;
    MgHloValue *state = n->inputs[0], *part = n->inputs[1];
    MgHloStack *stack = state->stack;
    const int64_t *row = mg_hlo_sizes_in(t, n->inputs[2]);
    if (!stack || !row || stack->used || stack->written || !state->type.rank ||
        state->type.dims[0] != stack->rounds || part->type.rank != state->type.rank ||
        part->type.dims[0] != 1)
        return false;
    int64_t end = mg_hlo_combine_sizes(t, mg_ix_sub, stack->rounds, 1);
    bool reversed = *row == mg_hlo_combine_sizes(t, mg_ix_sub, end, stack->counter);
    if (!reversed && *row != stack->counter)
        return false;
    for (uint32_t i = 1; i < state->type.rank; i++)
        if (part->type.dims[i] != state->type.dims[i])
            return false;
    stack->written = true;
    stack->reversed = reversed;
    n->outputs[0] = mg_hlo_value(t, state->type, NULL);
    n->outputs[0]->stack = stack;
    n->outputs[0]->row = part;
    return true;
}

bool mg_hlo_op_dynamic_update_slice(MgHloNode *n) {
    MgHlo *t = n->t;
    const char *at[MG_HLO_MAX_RANK], *inside[MG_HLO_MAX_RANK];
    if (n->op->n_operands < 2)
        return mg_hlo_fail(t, n->op->at, "an update has an operand and a part");
    const MgHloType *part = &n->inputs[1]->type, *whole = &n->inputs[0]->type;
    if (n->op->n_operands == 2 + whole->rank && stacks(n))
        return true;
    MgText condition = mg_text(t->arena);
    if (!starts(n, 2, part, at))
        return false;
    for (uint32_t i = 0; i < whole->rank; i++) {
        inside[i] =
            is_zero(at[i]) ? mg_hlo_text(t, "i%u", i) : mg_hlo_text(t, "i%u - (%s)", i, at[i]);
        if (part->dims[i] == whole->dims[i])
            inside[i] = mg_hlo_text(t, "i%u", i);
        else if (part->dims[i] == 1) {
            mg_textf(&condition, "%si%u == %s", condition.bytes.len ? " and " : "", i, at[i]);
            inside[i] = "0";
        } else
            mg_textf(&condition, "%si%u >= %s and i%u < %s + %s",
                     condition.bytes.len ? " and " : "", i, at[i], i, at[i],
                     mg_hlo_size(t, part->dims[i]));
    }
    const char *new = mg_hlo_read(t, n->inputs[1], inside);
    if (!condition.bytes.len)
        return mg_hlo_give(n, 0, new);
    const char *old = mg_hlo_read(t, n->inputs[0], mg_hlo_indices(t, whole->rank));
    if (!n->inputs[1]->literal &&
        strchr(new, '-')) // outside of the part, what is read doesn't count
        new = mg_hlo_text(t, "(%s else %s)", new, part->dtype == MG_BOOL ? "false" : "0");
    if (n->inputs[0]->literal && n->inputs[1]->literal)
        old = mg_hlo_text(t, "%s(%s)", mg_dtype(whole->dtype)->name, old);
    return mg_hlo_give(n, 0,
                       mg_hlo_text(t, "where(%s, %s, %s)", mg_text_str(&condition), new, old));
}

// ---------------------------------------------------------------- gather and scatter
// How an index vector names a place of the operand, and which axes of the other tensor walk the
// window.
typedef struct Places {
    MgHloInts window;    // axes of the result or updates that walk the window
    MgHloInts collapsed; // axes of the operand that the window doesn't have
    MgHloInts map;       // index k of a vector belongs to this axis of the operand
    MgHloInts batch, index_batch;
    int64_t vector; // the axis of vectors among the indices
} Places;

static bool has(MgHloInts list, int64_t axis, uint32_t *at) {
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i] == axis) {
            *at = i;
            return true;
        }
    return false;
}

// Clamps the start of a window so that the window lies inside, or moves a window that doesn't lie
// inside to where all of it is outside.
static const char *window_at(MgHlo *t, const char *start, int64_t whole, int64_t size,
                             bool clamped) {
    const char *last = mg_hlo_size(t, mg_hlo_combine_sizes(t, mg_ix_sub, whole, size));
    if (clamped)
        return mg_hlo_text(t, "min(max(%s, 0), %s)", start, last);
    return size == 1 ? start
                     : mg_hlo_text(t, "where(%s >= 0 and %s <= %s, %s, -%s)", start, start, last,
                                   start, mg_hlo_size(t, size));
}

// The subscripts of the operand, over the indices i0, i1, … of the other tensor `with`. A slice is
// clamped; without its sizes, an update that isn't inside is left out.
static bool place(MgHloNode *n, const Places *p, const MgHloType *with, const int64_t *sizes,
                  const char **at) {
    MgHlo *t = n->t;
    const MgHloType *x = &n->inputs[0]->type, *indices = &n->inputs[1]->type;
    const char **vector = MG_NEW_N(t->arena, const char *, indices->rank + 2);
    uint32_t next = 0, k, walked = 0, others = indices->rank - (p->vector < indices->rank);
    if (p->vector < 0 || p->vector > indices->rank || with->rank != others + p->window.n)
        return mg_hlo_fail(t, n->op->at, "the ranks of operands and result don't match");
    for (uint32_t i = 0, axis = 0; i < with->rank; i++) { // the axes that don't walk the window
        if (has(p->window, i, &k))
            continue;
        axis += axis == p->vector;
        vector[axis++] = mg_hlo_text(t, "i%u", i);
        next++;
    }
    if (next != others)
        return mg_hlo_fail(t, n->op->at, "a dimension of the window is wrong");
    for (uint32_t d = 0; d < x->rank; d++) {
        const char *offset = NULL;
        at[d] = NULL;
        if (has(p->batch, d, &k)) {
            if (k >= p->index_batch.n || p->index_batch.at[k] < 0 ||
                p->index_batch.at[k] >= indices->rank || p->index_batch.at[k] == p->vector)
                return mg_hlo_fail(t, n->op->at, "a batch dimension is wrong");
            at[d] = vector[p->index_batch.at[k]];
        } else if (!has(p->collapsed, d, &k)) {
            if (walked == p->window.n || p->window.at[walked] < 0 ||
                p->window.at[walked] >= with->rank)
                return mg_hlo_fail(t, n->op->at, "a dimension of the window is wrong");
            offset = mg_hlo_text(t, "i%lld", (long long)p->window.at[walked++]);
        }
        if (has(p->map, d, &k)) {
            if (p->vector < indices->rank)
                vector[p->vector] = mg_hlo_text(t, "%u", k);
            const char *start = mg_hlo_text(t, "i64(%s)", mg_hlo_read(t, n->inputs[1], vector));
            int64_t size = sizes ? sizes[d] : offset ? with->dims[p->window.at[walked - 1]] : 1;
            start = window_at(t, start, x->dims[d], size, sizes != NULL);
            at[d] =
                offset && (size != 1 || !sizes) ? mg_hlo_text(t, "%s + %s", start, offset) : start;
        } else if (!at[d])
            at[d] = offset ? offset : "0";
    }
    return walked == p->window.n || mg_hlo_fail(t, n->op->at, "the window has too many dimensions");
}

static MgHloInts in(MgHloNode *n, MgHloText text, const char *name) {
    return mg_hlo_ints_of(n->t, mg_hlo_find(text, name));
}

static Places gathered(MgHloNode *n) {
    MgHloText text = n->op->attributes;
    MgHloInts vector = in(n, text, "index_vector_dim");
    return (Places){in(n, text, "offset_dims"),
                    in(n, text, "collapsed_slice_dims"),
                    in(n, text, "start_index_map"),
                    in(n, text, "operand_batching_dims"),
                    in(n, text, "start_indices_batching_dims"),
                    vector.n ? vector.at[0] : 0};
}

// An attribute, or the third operand of a dynamic_gather. NULL after an error.
static const int64_t *slice_sizes(MgHloNode *n) {
    uint32_t rank = n->inputs[0]->type.rank;
    if (n->op->n_operands < 3) {
        const int64_t *list = mg_hlo_list(n, "slice_sizes", rank, 1);
        return n->t->failed ? NULL : list;
    }
    const MgHloType *type = &n->inputs[2]->type;
    const int64_t *sizes = mg_hlo_sizes_in(n->t, n->inputs[2]);
    if (!sizes || type->rank != 1 || type->dims[0] != rank) {
        mg_hlo_unsupported(n->t, n->op->at, "slices whose sizes depend on data");
        return NULL;
    }
    return sizes;
}

bool mg_hlo_sizes_of_gather(MgHloNode *n, uint32_t k, int64_t *dims) {
    const int64_t *sizes = n->op->n_operands < 2 ? NULL : slice_sizes(n);
    if (!sizes)
        return false;
    const MgHloType *x = &n->inputs[0]->type, *indices = &n->inputs[1]->type;
    Places p = gathered(n);
    uint32_t rank = n->op->types[k].rank, walked = 0, axis = 0, at;
    for (uint32_t d = 0; d < x->rank; d++)
        if (!has(p.collapsed, d, &at) && !has(p.batch, d, &at)) {
            if (walked == p.window.n || p.window.at[walked] < 0 || p.window.at[walked] >= rank)
                return false;
            dims[p.window.at[walked++]] = sizes[d];
        }
    for (uint32_t i = 0; i < rank; i++) {
        if (has(p.window, i, &at))
            continue;
        axis += axis == p.vector;
        if (axis >= indices->rank)
            return false;
        dims[i] = indices->dims[axis++];
    }
    return true;
}

bool mg_hlo_op_gather(MgHloNode *n) {
    MgHlo *t = n->t;
    if (n->op->n_operands < 2 || n->op->n_operands > 3 || n->op->n_results != 1 ||
        !mg_is_int(n->inputs[1]->type.dtype))
        return mg_hlo_fail(t, n->op->at, "a gather has an operand and whole numbers");
    Places p = gathered(n);
    const char *at[MG_HLO_MAX_RANK];
    const int64_t *sizes = slice_sizes(n);
    for (uint32_t d = 0; d < n->inputs[0]->type.rank && sizes; d++)
        if (mg_hlo_less(t, sizes[d], 0) || mg_hlo_less(t, n->inputs[0]->type.dims[d], sizes[d]))
            return mg_hlo_fail(t, n->op->at, "the slice is larger than dimension %u", d);
    if (!sizes || !place(n, &p, &n->op->types[0], sizes, at))
        return false;
    return mg_hlo_give(n, 0, mg_hlo_read(t, n->inputs[0], at));
}

// The number of the operand's element to which each update goes, or -1 if it lies outside.
static MgHloValue *targets(MgHloNode *n, const char *const *at) {
    MgHlo *t = n->t;
    const MgHloType *x = &n->inputs[0]->type, *updates = &n->inputs[2]->type;
    MgText inside = mg_text(t->arena), number = mg_text(t->arena);
    mg_text_add(&number, "i64(0)");
    for (uint32_t d = 0; d < x->rank; d++)
        mg_textf(&inside, "%s%s >= 0 and %s < %lld", d ? " and " : "", at[d], at[d],
                 (long long)x->dims[d]);
    int64_t step = 1;
    for (uint32_t d = x->rank; d-- > 0; step *= x->dims[d])
        mg_textf(&number, " + %lld * (%s)", (long long)step, at[d]);
    return mg_hlo_let(
        t, n->op, "target", (MgHloType){MG_I64, updates->rank, updates->dims, false},
        x->rank ? mg_hlo_text(t, "where(%s, %s, -1)", mg_text_str(&inside), mg_text_str(&number))
                : mg_text_str(&number));
}

// A value as a tensor of one dimension.
static MgHloValue *flat(MgHloNode *n, MgHloValue *v, const char *hint) {
    MgHlo *t = n->t;
    int64_t count = mg_hlo_count(t, &v->type);
    const char *x = mg_hlo_name(t, v);
    return mg_hlo_let_whole(t, n->op, hint, mg_hlo_tensor(t, v->type.dtype, 1, &count),
                            mg_hlo_text(t, "reshape(%s, shape = [%lld])", x, (long long)count));
}

// Writes one round of updates: the region's result for element to[round] of the state, which is
// otherwise kept. Returns the next state, or NULL after an error.
static const char *update(MgHloNode *n, const char *round, MgHloValue *state, MgHloValue *to,
                          MgHloValue *from) {
    MgHlo *t = n->t;
    MgHloType one = mg_hlo_tensor(t, from->type.dtype, 0, NULL);
    MgHloValue *made, *given = mg_hlo_let(t, n->op, "update", one, mg_hlo_read(t, from, &round));
    MgHloValue *args[] = {state, given};
    if (!mg_hlo_region(n, n->op->regions[0], &state->type, args, 2, &made, 1))
        return NULL;
    if (made->type.dtype != state->type.dtype) {
        mg_hlo_fail(t, n->op->at, "the region gives another type");
        return NULL;
    }
    const char *const *at = mg_hlo_indices(t, 1);
    const char *target = mg_hlo_read(t, to, &round), *old = mg_hlo_read(t, state, at);
    return mg_hlo_let(
               t, n->op, "changed", state->type,
               mg_hlo_text(t, "where(i0 == %s, %s, %s)", target, mg_hlo_read(t, made, at), old))
        ->text;
}

// Updates one element after the other: each may change what a later one sees.
static bool scatter_by_region(MgHloNode *n, const char *const *at) {
    enum { MOST = 1 << 26 }; // elements that all rounds pass
    MgHlo *t = n->t;
    const MgHloType *x = &n->inputs[0]->type;
    if (!mg_hlo_all_closed(n, x) || !mg_hlo_all_closed(n, &n->inputs[2]->type))
        return false;
    int64_t count = mg_hlo_count(t, x), rounds = mg_hlo_count(t, &n->inputs[2]->type);
    if (!count || !rounds) {
        n->outputs[0] = n->inputs[0];
        return true;
    }
    if (count > MOST / rounds)
        return mg_hlo_unsupported(t, n->op->at,
                                  "a scatter of so many elements by more than one operation");
    MgHloValue *to = flat(n, targets(n, at), "target"), *from = flat(n, n->inputs[2], "given");
    MgHloValue *first = flat(n, n->inputs[0], "first");
    MgHloValue *state = mg_hlo_value(t, first->type, mg_hlo_fresh(t, "state"));
    const char *round = mg_hlo_fresh(t, "t");
    MgText body = mg_text(t->arena), shape = mg_text(t->arena), *outer = t->out;
    state->lifted = true;
    t->out = &body;
    const char *next = update(n, round, state, to, from);
    t->out = outer;
    if (!next)
        return false;
    const char *end = mg_hlo_fresh(t, "end"), *name = mg_hlo_result_name(n, 0);
    mg_hlo_say(t, n->op, "%s = loop %s in 0..%lld carry (%s = %s) {\n%snext %s = %s\n}", end, round,
               (long long)rounds, state->text, first->text, mg_text_str(&body), state->text, next);
    for (uint32_t d = 0; d < x->rank; d++)
        mg_textf(&shape, "%s%lld", d ? ", " : "", (long long)x->dims[d]);
    n->outputs[0] = mg_hlo_value(t, *x, name);
    mg_hlo_say(t, n->op, "%s = reshape(%s, shape = [%s])", name, end, mg_text_str(&shape));
    return true;
}

// Updates one element. Its place may be a number, which no reduction binds.
static bool scatter_one(MgHloNode *n, const char *const *at, const char *reducer) {
    MgHlo *t = n->t;
    uint32_t rank = n->inputs[0]->type.rank;
    MgText here = mg_text(t->arena);
    for (uint32_t d = 0; d < rank; d++)
        mg_textf(&here, "%si%u == %s", d ? " and " : "", d, at[d]);
    const char *old = mg_hlo_read(t, n->inputs[0], mg_hlo_indices(t, rank));
    const char *new = mg_hlo_number(n, 2);
    if (n->inputs[0]->literal && n->inputs[0]->type.dtype != MG_BOOL)
        old = mg_hlo_text(t, "%s(%s)", mg_dtype(n->inputs[0]->type.dtype)->name, old);
    new = !strcmp(reducer, "last") ? new : mg_hlo_combine(t, reducer, old, new);
    return mg_hlo_give(
        n, 0, rank ? mg_hlo_text(t, "where(%s, %s, %s)", mg_text_str(&here), new, old) : new);
}

bool mg_hlo_op_scatter(MgHloNode *n) {
    MgHlo *t = n->t;
    if (n->op->n_operands != 3 || n->op->n_results != 1 || n->op->n_regions != 1)
        return mg_hlo_unsupported(t, n->op->at, "a scatter of several operands");
    const char *reducer = mg_hlo_reducer(n->op->regions[0], n->op->types[0].dtype);
    MgHloText text = n->op->attributes;
    MgHloInts vector = in(n, text, "index_vector_dim");
    Places p = {in(n, text, "update_window_dims"),
                in(n, text, "inserted_window_dims"),
                in(n, text, "scatter_dims_to_operand_dims"),
                in(n, text, "input_batching_dims"),
                in(n, text, "scatter_indices_batching_dims"),
                vector.n ? vector.at[0] : 0};
    const MgHloType *updates = &n->inputs[2]->type;
    const char *at[MG_HLO_MAX_RANK];
    if (!mg_is_int(n->inputs[1]->type.dtype) || !place(n, &p, updates, NULL, at))
        return t->failed ? false : mg_hlo_fail(t, n->op->at, "places are whole numbers");
    if (!reducer)
        return scatter_by_region(n, at);
    if (!updates->rank)
        return scatter_one(n, at, reducer);
    MgText left = mg_text(t->arena), over = mg_text(t->arena);
    for (uint32_t d = 0; d < n->inputs[0]->type.rank; d++)
        mg_textf(&left, "%s%s", d ? ", " : "", at[d]);
    for (uint32_t i = 0; i < updates->rank; i++)
        mg_textf(&over, "%si%u in 0..%s", i ? ", " : "", i, mg_hlo_size(t, updates->dims[i]));
    const char *name = mg_hlo_result_name(n, 0), *x = mg_hlo_name(t, n->inputs[0]);
    const char *value = mg_hlo_read(t, n->inputs[2], mg_hlo_indices(t, updates->rank));
    if (n->inputs[2]->literal && updates->dtype != MG_BOOL)
        value = mg_hlo_text(t, "%s(%s)", mg_dtype(updates->dtype)->name, value);
    mg_hlo_say(t, n->op, "%s[%s]: %s else none = %s[%s] %s over %s", name, mg_text_str(&left),
               mg_hlo_shape(t, &n->op->types[0]), reducer, mg_text_str(&over), value, x);
    n->outputs[0] = mg_hlo_value(t, n->op->types[0], name);
    return true;
}
