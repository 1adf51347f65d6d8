// Operators of ops_lists.def. They act on lists of values (lists.c) while the model is translated.
// A body that walks a list is written once for each round.
#include "frontend/onnx/ops.h"

enum { MAX_ROUNDS = 1000, MAX_ALL_ROUNDS = 10000 }; // of a loop; of all, inner ones each time

// May another round of an unrolled body be written?
static bool may_go_round(MgOnnxNode *n) {
    if (n->t->n_rounds++ < MAX_ALL_ROUNDS)
        return true;
    return mg_onnx_unsupported(n, "loops over sequences that have more than %d rounds together",
                               MAX_ALL_ROUNDS);
}

static bool give_list(MgOnnxNode *n, uint32_t k, MgOnnxKind kind, MgOnnxValue *const *elements,
                      uint32_t count) {
    return mg_onnx_same(n, k, mg_onnx_list_of(n->t, kind, elements, count));
}

static bool give_number(MgOnnxNode *n, uint32_t k, MgDType dtype, int64_t value) {
    return mg_onnx_same(n, k, mg_onnx_number_value(n->t, dtype, mg_ix_const(n->t->ix, value)));
}

// Input 0, which must be a sequence. NULL after an error.
static const MgOnnxValue *sequence(MgOnnxNode *n) {
    const MgOnnxValue *v = mg_onnx_input(n, 0);
    if (v && v->kind == MG_ONNX_SEQUENCE)
        return v;
    mg_onnx_fail(n, v ? "input 0 is %s; expected a sequence" : "input 0 is missing",
                 v ? mg_onnx_kind_name(v) : "");
    return NULL;
}

// Input k as a position in the sequence or, with `more`, also the position after its last element.
// The default is the last position.
static bool place(MgOnnxNode *n, uint32_t k, uint32_t length, bool more, uint32_t *at) {
    const MgOnnxNumber *numbers;
    uint32_t count, end = length + more;
    int64_t c = (int64_t)end - 1;
    if (mg_onnx_input(n, k)) {
        if (!mg_onnx_known(n, k, &numbers, &count))
            return false;
        if (count != 1 || numbers[0].real)
            return mg_onnx_fail(n, "its position is not one integer");
        if (!mg_onnx_const(n, numbers[0].ix, &c))
            return mg_onnx_unsupported(n, "a position that depends on sizes");
    }
    if (c < -(int64_t)length || c >= (int64_t)end)
        return mg_onnx_fail(n, "position %lld does not exist: the sequence's length is %u",
                            (long long)c, length);
    *at = (uint32_t)(c < 0 ? c + length : c);
    return true;
}

// A sequence holds only tensors, as in ONNX: lists of lists of lists would grow without bound.
static bool are_tensors(MgOnnxNode *n, MgOnnxValue *const *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (values[i]->kind)
            return mg_onnx_fail(n, "an element of a sequence is %s; expected a tensor",
                                mg_onnx_kind_name(values[i]));
    return true;
}

// ---------------------------------------------------------------- sequences
MG_ONNX_OP(sequence_construct) {
    (void)text;
    return mg_onnx_takes(n, n->n_inputs) && are_tensors(n, n->inputs, n->n_inputs) &&
           give_list(n, 0, MG_ONNX_SEQUENCE, n->inputs, n->n_inputs);
}

MG_ONNX_OP(sequence_empty) {
    (void)text;
    return give_list(n, 0, MG_ONNX_SEQUENCE, NULL, 0);
}

// The element at a place that the run decides: all elements are joined to one tensor, from which
// one is taken.
static bool element_of_run(MgOnnxNode *n, const MgOnnxValue *s) {
    MgText all = mg_text(n->t->arena);
    for (uint32_t i = 0; i < s->n_elements; i++) {
        const MgScopeType *type = &s->elements[i]->type, *first = &s->elements[0]->type;
        bool same = type->dtype == first->dtype && type->rank == first->rank;
        for (uint32_t d = 0; same && d < type->rank; d++)
            same = type->shape[d] == first->shape[d];
        if (!same)
            return mg_onnx_unsupported(n, "a place that the run decides, in elements that differ");
        mg_textf(&all, "%sunsqueeze(%s, axes = [0])", i ? ", " : "",
                 mg_onnx_operand(n, s->elements[i]));
    }
    return mg_onnx_scalar(n, 1) &&
           mg_onnx_give(
               n, 0,
               mg_onnx_text(n, "gather(concat(%s, axis = 0), $1, axis = 0)", mg_text_str(&all)));
}

MG_ONNX_OP(sequence_at) {
    (void)text;
    uint32_t at;
    const MgOnnxValue *s = sequence(n);
    if (s && s->n_elements && n->t->use == MG_ONNX_USE_BOUNDS && mg_onnx_by_run(n, 1))
        return element_of_run(n, s);
    return s && mg_onnx_takes(n, 2) && place(n, 1, s->n_elements, false, &at) &&
           mg_onnx_same(n, 0, s->elements[at]);
}

MG_ONNX_OP(sequence_insert) {
    (void)text;
    uint32_t at;
    const MgOnnxValue *s = sequence(n);
    if (!s || !mg_onnx_takes(n, 2) || !are_tensors(n, &n->inputs[1], 1) ||
        !place(n, 2, s->n_elements, true, &at))
        return false;
    MgOnnxValue **all = MG_NEW_N(n->t->arena, MgOnnxValue *, s->n_elements + 1);
    for (uint32_t i = 0; i <= s->n_elements; i++)
        all[i] = i == at ? n->inputs[1] : s->elements[i - (i > at)];
    return give_list(n, 0, MG_ONNX_SEQUENCE, all, s->n_elements + 1);
}

MG_ONNX_OP(sequence_erase) {
    (void)text;
    uint32_t at;
    const MgOnnxValue *s = sequence(n);
    if (!s || !place(n, 1, s->n_elements, false, &at))
        return false;
    MgOnnxValue **rest = MG_NEW_N(n->t->arena, MgOnnxValue *, s->n_elements);
    for (uint32_t i = 0; i + 1 < s->n_elements; i++)
        rest[i] = s->elements[i + (i >= at)];
    return give_list(n, 0, MG_ONNX_SEQUENCE, rest, s->n_elements - 1);
}

MG_ONNX_OP(sequence_length) {
    (void)text;
    const MgOnnxValue *s = sequence(n);
    return s && give_number(n, 0, MG_I64, s->n_elements);
}

// Joins tensors along an axis; with `fresh`, along a new axis.
static MgOnnxValue *joined(MgOnnxNode *n, MgOnnxValue *const *parts, uint32_t count, int64_t axis,
                           bool fresh) {
    MgText out = mg_text(n->t->arena);
    if (!are_tensors(n, parts, count))
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const char *part = mg_onnx_operand(n, parts[i]);
        mg_textf(&out, fresh ? "%sunsqueeze(%s, axes = [%lld])" : "%s%s", i ? ", " : "", part,
                 (long long)axis);
    }
    if (!count)
        return mg_onnx_unsupported(n, "joining no tensors"), NULL;
    return mg_onnx_let(
        n, "joined",
        count > 1 ? mg_onnx_text(n, "concat(%s, axis = %lld)", mg_text_str(&out), (long long)axis)
        : fresh   ? mg_text_str(&out)
                  : mg_onnx_text(n, "identity(%s)", mg_text_str(&out)));
}

MG_ONNX_OP(concat_from_sequence) {
    (void)text;
    const MgOnnxValue *s = sequence(n);
    if (!s)
        return false;
    int64_t axis = mg_onnx_int(n, "axis", 0);
    bool fresh = mg_onnx_int(n, "new_axis", 0);
    if (s->n_elements && !mg_onnx_axis(n, &axis, s->elements[0]->type.rank + fresh))
        return false;
    MgOnnxValue *y = joined(n, s->elements, s->n_elements, axis, fresh);
    return y && mg_onnx_same(n, 0, y);
}

// The bounds of the pieces of a split: where each piece begins, and where the last one ends.
static const MgIx *split_bounds(MgOnnxNode *n, MgIx size, uint32_t *count) {
    MgIxTable *ix = n->t->ix;
    MgOnnxSizes lengths = {0};
    int64_t total, each = 1;
    bool one = !mg_onnx_input(n, 1) || !n->inputs[1]->type.rank;
    if (mg_onnx_input(n, 1) && !(lengths = mg_onnx_sizes(n, NULL, 1)).given)
        return NULL;
    if (one) { // pieces of one length, except that the last may be shorter
        if (!mg_onnx_const(n, size, &total) ||
            (lengths.given && !mg_onnx_const(n, lengths.at[0], &each)))
            return mg_onnx_unsupported(n, "a number of pieces that depends on sizes"), NULL;
        if (each < 1 || total / each > MAX_ROUNDS)
            return mg_onnx_fail(
                       n,
                       "it splits %lld element%s into pieces of %lld; expected at most %d pieces",
                       (long long)total, mg_plural(total), (long long)each, MAX_ROUNDS),
                   NULL;
    }
    *count = one ? (uint32_t)((total + each - 1) / each) : lengths.n;
    MgIx *bounds = MG_NEW_N(n->t->arena, MgIx, *count + 1);
    bounds[0] = mg_ix_const(ix, 0);
    for (uint32_t i = 0; i < *count; i++)
        bounds[i + 1] = one ? mg_ix_const(ix, i + 1 < *count ? (i + 1) * each : total)
                            : mg_ix_add(ix, bounds[i], lengths.at[i]);
    return bounds;
}

MG_ONNX_OP(split_to_sequence) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    const MgScopeType *x = &n->inputs[0]->type;
    int64_t axis = mg_onnx_int(n, "axis", 0);
    bool keep = mg_onnx_input(n, 1) || mg_onnx_int(n, "keepdims", 1);
    uint32_t count;
    if (!mg_onnx_axis(n, &axis, x->rank))
        return false;
    const MgIx *bounds = split_bounds(n, x->shape[axis], &count);
    if (!bounds)
        return false;
    MgOnnxValue **pieces = MG_NEW_N(n->t->arena, MgOnnxValue *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const char *piece =
            keep ? mg_onnx_text(n, "slice($0, axis = %lld, start = %s, stop = %s)", (long long)axis,
                                mg_onnx_ix(n, bounds[i]), mg_onnx_ix(n, bounds[i + 1]))
                 : mg_onnx_text(n, "select($0, index = %u, axis = %lld)", i, (long long)axis);
        if (!(pieces[i] = mg_onnx_let(n, "piece", piece)))
            return false;
        pieces[i]->narrow = n->inputs[0]->narrow;
    }
    return give_list(n, 0, MG_ONNX_SEQUENCE, pieces, count);
}

// ---------------------------------------------------------------- optionals
MG_ONNX_OP(optional) {
    (void)text;
    return give_list(n, 0, MG_ONNX_OPTIONAL, n->inputs, mg_onnx_input(n, 0) ? 1 : 0);
}

MG_ONNX_OP(optional_has_element) {
    (void)text;
    const MgOnnxValue *v = mg_onnx_input(n, 0);
    return give_number(n, 0, MG_BOOL, v && (v->kind != MG_ONNX_OPTIONAL || v->n_elements));
}

MG_ONNX_OP(optional_get_element) {
    (void)text;
    if (!mg_onnx_takes(n, 1))
        return false;
    MgOnnxValue *v = n->inputs[0];
    if (v->kind == MG_ONNX_OPTIONAL && !v->n_elements)
        return mg_onnx_fail(n, "the optional has no element");
    return mg_onnx_same(n, 0, v->kind == MG_ONNX_OPTIONAL ? v->elements[0] : v);
}

// ---------------------------------------------------------------- round by round
// The results of each round for one output.
typedef MG_VEC(MgOnnxValue *) Column;

MG_ONNX_OP(sequence_map) {
    (void)text;
    const MgOnnxValue *s = sequence(n);
    const Onnx__AttributeProto *body = mg_onnx_attribute(n, "body");
    if (!s || !mg_onnx_takes(n, n->n_inputs))
        return false;
    if (!body || !body->g || body->g->n_input != n->n_inputs || body->g->n_output != n->n_outputs)
        return mg_onnx_fail(n, "its body does not take its %u input%s and give its %u output%s",
                            n->n_inputs, mg_plural(n->n_inputs), n->n_outputs,
                            mg_plural(n->n_outputs));
    Column *columns = MG_NEW_N(n->t->arena, Column, n->n_outputs + 1);
    MgOnnxValue **in = MG_NEW_N(n->t->arena, MgOnnxValue *, n->n_inputs + 1);
    MgOnnxValue **out = MG_NEW_N(n->t->arena, MgOnnxValue *, n->n_outputs + 1);
    for (uint32_t i = 0; i < s->n_elements; i++) {
        for (uint32_t k = 0; k < n->n_inputs; k++) {
            MgOnnxValue *v = n->inputs[k];
            bool each = v->kind == MG_ONNX_SEQUENCE;
            if (each && v->n_elements != s->n_elements)
                return mg_onnx_fail(n, "the lengths of its sequences are %u and %u", s->n_elements,
                                    v->n_elements);
            in[k] = each ? v->elements[i] : v;
        }
        if (!may_go_round(n) || !mg_onnx_inline(n, body->g, in, out) ||
            !are_tensors(n, out, n->n_outputs))
            return false;
        for (uint32_t k = 0; k < n->n_outputs; k++)
            mg_push(n->t->arena, &columns[k], out[k]);
    }
    for (uint32_t k = 0; k < n->n_outputs; k++)
        give_list(n, k, MG_ONNX_SEQUENCE, columns[k].at, columns[k].len);
    return true;
}

// Is the bool v known? If so, sets its value.
static bool is_truth(MgOnnxNode *n, MgOnnxValue *v, int64_t *truth) {
    return !v->kind && mg_onnx_numbers(n->t, v) && v->n_known == 1 && !v->known[0].real &&
           mg_onnx_const(n, v->known[0].ix, truth);
}

bool mg_onnx_unroll(MgOnnxNode *n, const Onnx__GraphProto *g) {
    MgOnnx *t = n->t;
    uint32_t states = (uint32_t)g->n_input - 2, stacked = (uint32_t)g->n_output - 1 - states;
    const MgOnnxNumber *trips = NULL;
    uint32_t count;
    int64_t rounds = INT64_MAX, going = 1;
    if (mg_onnx_input(n, 0) && (!mg_onnx_known(n, 0, &trips, &count) || count != 1 ||
                                !mg_onnx_const(n, trips[0].ix, &rounds)))
        return mg_onnx_unsupported(n,
                                   "sequences in a loop whose rounds are counted only at run time");
    MgOnnxValue **in = MG_NEW_N(t->arena, MgOnnxValue *, states + 2);
    MgOnnxValue **out = MG_NEW_N(t->arena, MgOnnxValue *, g->n_output + 1);
    Column *columns = MG_NEW_N(t->arena, Column, stacked + 1);
    for (uint32_t k = 0; k < states; k++)
        in[k + 2] = n->inputs[k + 2];
    in[1] = mg_onnx_input(n, 1) ? n->inputs[1]
                                : mg_onnx_number_value(t, MG_BOOL, mg_ix_const(t->ix, 1));
    for (int64_t i = 0; i < rounds; i++) {
        if (!is_truth(n, in[1], &going))
            return mg_onnx_unsupported(n,
                                       "sequences in a loop whose end is decided only at run time");
        if (!going)
            break;
        if (i == MAX_ROUNDS)
            return mg_onnx_unsupported(n, "sequences in a loop of more than %d rounds", MAX_ROUNDS);
        in[0] = mg_onnx_number_value(t, MG_I64, mg_ix_const(t->ix, i));
        if (!may_go_round(n) || !mg_onnx_inline(n, g, in, out))
            return false;
        for (uint32_t k = 0; k <= states; k++)
            in[k + 1] = out[k];
        for (uint32_t k = 0; k < stacked; k++)
            mg_push(t->arena, &columns[k], out[states + 1 + k]);
    }
    for (uint32_t k = 0; k < states && k < n->n_outputs; k++)
        mg_onnx_same(n, k, in[k + 2]);
    for (uint32_t k = 0; k < stacked && states + k < n->n_outputs; k++) {
        if (!mg_onnx_wants(n, states + k))
            continue;
        MgOnnxValue *y = joined(n, columns[k].at, columns[k].len, 0, true);
        if (!y || !mg_onnx_same(n, states + k, y))
            return false;
    }
    return true;
}
