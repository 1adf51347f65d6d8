// Sizes that data decide.
//
// Such a number becomes a dimension with a bound, `dim K <= most = k`. Memory is planned for the
// bound, and the run checks it. From there on the number is a size like any other. Some operators
// supply the bound: a slice is no longer than its axis, and one of two numbers is at most the
// larger. Otherwise the bound is MG_ONNX_MOST, or less if several numbers determine one tensor. The
// import tries this only if everything else fails.
#include "frontend/onnx/internal.h"

enum { MAX_NUMBERS = 64, MAX_MOVES = 16, OPEN_SIZE = 64 };

// The elements of a tensor whose sizes have no other bound.
static const double ELEMENTS = 1 << 27;

static double plain_size(const MgOnnxNode *n, MgIx size) {
    int64_t d;
    return mg_onnx_const(n, size, &d) ? (double)d : OPEN_SIZE;
}

double mg_onnx_elements(const MgOnnxNode *n, const MgScopeType *type) {
    double elements = 1;
    for (uint32_t i = 0; i < type->rank; i++)
        elements *= plain_size(n, type->shape[i]);
    return elements;
}

int64_t mg_onnx_room(const MgOnnxNode *n, double elements, const MgIx *least, uint32_t count) {
    int64_t most = MG_ONNX_MOST;
    for (; most > 4; most /= 2) {
        double all = elements > 1 ? elements : 1;
        for (uint32_t i = 0; i < count; i++)
            all *= (double)most + (least ? plain_size(n, least[i]) : 0);
        if (all <= ELEMENTS)
            break;
    }
    return most;
}

MgIx mg_onnx_late(MgOnnxNode *n, const char *hint, const char *value, MgIx most) {
    MgOnnx *t = n->t;
    MgIx size = MG_IX_ERROR;
    MgSym number = mg_onnx_fresh(t, NULL, hint), dim = mg_onnx_fresh(t, NULL, "size");
    const char *k = mg_onnx_spelled(t, number);
    if (n->failed || !mg_onnx_say(n, mg_onnx_text(n, "%s[]: i64[] = %s", k, value)) ||
        !mg_onnx_say(n, mg_onnx_text(n, "dim %s <= %s = %s", mg_onnx_spelled(t, dim),
                                     mg_onnx_ix(n, most), k)) ||
        !mg_scope_size(t->scope, dim, &size))
        n->failed = true;
    return size;
}

MgIx mg_onnx_larger(MgOnnxNode *n, MgIx a, MgIx b) {
    MgIx more = mg_ix_sub(n->t->ix, a, b);
    if (mg_scope_prove(n->t->scope, more) == MG_PROVED)
        return a;
    bool less = mg_scope_prove(n->t->scope, mg_ix_neg(n->t->ix, more)) == MG_PROVED;
    return less ? b : mg_ix_max(n->t->ix, a, b);
}

MgIx mg_onnx_smaller(MgOnnxNode *n, MgIx a, MgIx b) {
    MgIx most = mg_onnx_larger(n, a, b);
    return most == a ? b : most == b ? a : mg_ix_min(n->t->ix, a, b);
}

MgIx mg_onnx_late_between(MgOnnxNode *n, const char *condition, MgIx yes, MgIx no) {
    MgIxTable *ix = n->t->ix;
    if (yes == no)
        return yes;
    MgIx least = mg_onnx_smaller(n, yes, no), most = mg_onnx_larger(n, yes, no);
    MgText value = mg_text(n->t->arena);
    mg_textf(&value, "where(%s, ", condition);
    mg_ix_print_value(ix, n->t->names, mg_ix_sub(ix, yes, least), NULL, NULL, &value);
    mg_text_add(&value, ", ");
    mg_ix_print_value(ix, n->t->names, mg_ix_sub(ix, no, least), NULL, NULL, &value);
    mg_text_add(&value, ")");
    MgIx more = mg_onnx_late(n, "more", mg_text_str(&value), mg_ix_sub(ix, most, least));
    return mg_ix_add(ix, least, more);
}

const char *mg_onnx_size_value(MgOnnxNode *n, MgIx size) {
    MgOnnxNumber *number = MG_NEW(n->t->arena, MgOnnxNumber);
    MgOnnxValue *v = MG_NEW(n->t->arena, MgOnnxValue);
    number->ix = size;
    *v = (MgOnnxValue){.type = {.dtype = MG_I64}, .known = number, .n_known = 1};
    return mg_onnx_operand(n, v);
}

MgOnnxNode *mg_onnx_kept(const MgOnnxNode *n) {
    MgOnnxNode *kept = mg_arena_copy(n->t->arena, n, 1, sizeof *n);
    kept->inputs = mg_arena_copy(n->t->arena, n->inputs, n->n_inputs + 1, sizeof *n->inputs);
    kept->outputs = MG_NEW_N(n->t->arena, MgOnnxValue *, n->n_outputs + 1);
    return kept;
}

// The number of entries of v that none of its parts knows.
static uint32_t unknown_numbers(const MgOnnxNode *n, MgOnnxValue *v, uint32_t depth) {
    int64_t count = 1;
    uint32_t unknown = 0;
    if (v->known || mg_onnx_numbers(n->t, v))
        return 0;
    for (uint32_t i = 0; v->moved_by && depth && i < v->moved_by->n_inputs; i++)
        if (v->moved_by->inputs[i])
            unknown += unknown_numbers(n, v->moved_by->inputs[i], depth - 1);
    if (unknown)
        return unknown;
    return !v->type.rank || mg_onnx_const(n, v->type.shape[0], &count) ? (uint32_t)count : 1;
}

static bool make_known(MgOnnxNode *n, MgOnnxValue *v, int64_t most, uint32_t depth);

// Makes a value that was assembled from others known, by making its unknown parts known. Parts that
// are known keep their numbers.
static bool known_by_parts(const MgOnnxNode *n, MgOnnxValue *v, int64_t most, uint32_t depth) {
    MgOnnxNode *by = v->moved_by;
    if (!by || !depth)
        return false;
    by->label = n->label; // the run's messages name the node that needs the sizes
    for (uint32_t i = 0; i < by->n_inputs; i++)
        if (by->inputs[i] && !by->inputs[i]->known && !mg_onnx_numbers(by->t, by->inputs[i]) &&
            !make_known(by, by->inputs[i], most, depth - 1))
            return false;
    if (!mg_onnx_fold(by) || !by->outputs[0]->known)
        return false;
    v->known = by->outputs[0]->known;
    v->n_known = by->outputs[0]->n_known;
    return true;
}

static bool make_known(MgOnnxNode *n, MgOnnxValue *v, int64_t most, uint32_t depth) {
    int64_t count = 1;
    if (v->known)
        return true;
    if (!mg_is_int(v->type.dtype) || v->type.rank > 1 ||
        (v->type.rank && !mg_onnx_const(n, v->type.shape[0], &count)) || count > MAX_NUMBERS)
        return false;
    if (known_by_parts(n, v, most, depth))
        return true;
    const char *x = mg_onnx_operand(n, v);
    MgOnnxNumber *numbers = MG_NEW_N(n->t->arena, MgOnnxNumber, (size_t)count + 1);
    for (int64_t i = 0; i < count && !n->failed; i++) {
        const char *at = v->type.rank ? mg_onnx_text(n, "%lld", (long long)i) : "";
        numbers[i].ix = mg_onnx_late(n, "number", mg_onnx_text(n, "i64(%s[%s])", x, at),
                                     mg_ix_const(n->t->ix, most));
    }
    v->known = numbers;
    v->n_known = (uint32_t)count;
    return !n->failed;
}

bool mg_onnx_late_numbers(MgOnnxNode *n, uint32_t k) {
    MgOnnxValue *v = n->inputs[k];
    if (n->t->use != MG_ONNX_USE_BOUNDS)
        return false;
    uint32_t unknown = unknown_numbers(n, v, MAX_MOVES);
    int64_t most = mg_onnx_room(n, n->around, NULL, unknown);
    most = n->most && n->most < most ? n->most : most;
    if (!mg_scope_is_inner(n->t->scope))
        return make_known(n, v, most, MAX_MOVES);
    // This needs a value of its own, since the dimensions are known only in this body.
    n->inputs[k] = MG_NEW(n->t->arena, MgOnnxValue);
    *n->inputs[k] = *v;
    return make_known(n, n->inputs[k], most, 0);
}

bool mg_onnx_entry(const MgOnnxNode *n, MgOnnxValue *v, uint32_t k, MgOnnxNumber *number) {
    const MgOnnxNode *by = v->moved_by;
    if (v->known || mg_onnx_numbers(n->t, v)) {
        *number = v->known[v->n_known == 1 ? 0 : k];
        return v->n_known == 1 || k < v->n_known;
    }
    if (!by || v->type.rank != 1 || strcmp(by->proto->op_type, "Concat") != 0)
        return false;
    for (uint32_t i = 0; i < by->n_inputs; i++) {
        MgOnnxValue *part = by->inputs[i];
        int64_t length;
        if (!part || part->type.rank != 1 || !mg_onnx_const(n, part->type.shape[0], &length))
            return false;
        if (k < length)
            return mg_onnx_entry(n, part, k, number);
        k -= (uint32_t)length;
    }
    return false;
}

static bool is_late(const MgOnnxNode *n, MgIx size) {
    int64_t number;
    return !mg_onnx_const(n, size, &number) && !mg_scope_is_early(n->t->scope, size);
}

// The size of input i at an axis that is counted from the last, which is 1. It is 1 if the input
// has no such axis.
static MgIx size_at(const MgOnnxNode *n, uint32_t i, uint32_t at) {
    const MgOnnxValue *v = n->inputs[i];
    return v && at <= v->type.rank ? v->type.shape[v->type.rank - at] : mg_ix_const(n->t->ix, 1);
}

// The joined size of two sizes that the run decides, one of which may be 1.
static MgIx joined(MgOnnxNode *n, MgIx a, MgIx b) {
    MgText size = mg_text(n->t->arena);
    mg_text_add(&size, "where(");
    mg_ix_print_value(n->t->ix, n->t->names, a, NULL, NULL, &size);
    mg_text_add(&size, " == 1, ");
    mg_ix_print_value(n->t->ix, n->t->names, b, NULL, NULL, &size);
    mg_text_add(&size, ", ");
    mg_ix_print_value(n->t->ix, n->t->names, a, NULL, NULL, &size);
    mg_text_add(&size, ")");
    return mg_onnx_late(n, "joined", mg_text_str(&size), mg_onnx_larger(n, a, b));
}

// The size of the result at an axis. It is a size that is known before the graph runs, if there is
// one.
static MgIx common_size(MgOnnxNode *n, uint32_t at) {
    MgIx one = mg_ix_const(n->t->ix, 1), common = one;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (size_at(n, i, at) != one && !is_late(n, size_at(n, i, at)))
            return size_at(n, i, at);
    for (uint32_t i = 0; i < n->n_inputs && !n->failed; i++) {
        MgIx size = size_at(n, i, at);
        if (size != one && size != common)
            common = common == one ? size : joined(n, common, size);
    }
    return common;
}

// The largest rank of the inputs, or 0 if the run decides none of their sizes.
static uint32_t late_rank(const MgOnnxNode *n) {
    uint32_t rank = 0;
    bool late = false;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        uint32_t own = n->inputs[i] ? n->inputs[i]->type.rank : 0;
        rank = own > rank ? own : rank;
        for (uint32_t at = 1; at <= own && !late; at++)
            late = is_late(n, size_at(n, i, at));
    }
    return late ? rank : 0;
}

bool mg_onnx_stretch(MgOnnxNode *n) {
    uint32_t rank = late_rank(n);
    for (uint32_t at = 1; at <= rank; at++) {
        MgIx size = common_size(n, at);
        for (uint32_t i = 0; i < n->n_inputs && !n->failed; i++) {
            MgIx own = size_at(n, i, at);
            if (own == size || !is_late(n, own))
                continue;
            const char *wide = mg_onnx_text(n, "onnx.stretch_to(%s, size = %s, axis = %u)",
                                            mg_onnx_operand(n, n->inputs[i]), mg_onnx_ix(n, size),
                                            n->inputs[i]->type.rank - at);
            n->inputs[i] = mg_onnx_let(n, "wide", wide);
        }
    }
    return !n->failed;
}

// Gives each axis of size `size` the size `other`.
static bool resize(MgOnnxNode *n, MgOnnxValue **inputs, MgIx size, MgIx other) {
    bool any = false;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        for (uint32_t k = 0; inputs[i] && k < inputs[i]->type.rank; k++) {
            if (inputs[i]->type.shape[k] != size)
                continue;
            const char *same = mg_onnx_text(n, "onnx.sized(%s, size = %s, axis = %u)",
                                            mg_onnx_operand(n, inputs[i]), mg_onnx_ix(n, other), k);
            if (!(inputs[i] = mg_onnx_let(n, "sized", same)))
                return false;
            any = true;
        }
    return any;
}

bool mg_onnx_agree(MgOnnxNode *n, MgOnnxValue **inputs) {
    MgIx a, b;
    if (!n->refused || !mg_scope_unequal(n->t->scope, &a, &b) || (!is_late(n, a) && !is_late(n, b)))
        return false;
    n->t->disagreed = true;
    if (!n->t->may_agree)
        return false;
    n->failed = n->refused = false;
    bool agreed = is_late(n, a) ? resize(n, inputs, a, b) : resize(n, inputs, b, a);
    n->failed |= !agreed;
    return agreed;
}

bool mg_onnx_by_run(const MgOnnxNode *n, uint32_t k) {
    MgOnnxValue *v = mg_onnx_input(n, k);
    return v && !v->known && !mg_onnx_numbers(n->t, v);
}
