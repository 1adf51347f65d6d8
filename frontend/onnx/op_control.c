// Operators of ops_control.def: If, Loop and Scan become MG's own `if` and `loop`.
//
// A body is translated in an inner scope, which is then left. Only its text stays, as part of a
// statement that is lowered as a whole. If the condition is known, its branch is chosen at once.
#include "frontend/onnx/ops.h"

enum { MAX_DEPTH = 20 };

// A body: its statements, and the names of its outputs in them.
typedef struct Body {
    MgOnnxFrame *frame;
    const Onnx__GraphProto *g;
    MgText text;
    MgText *outer;
    // Its outputs. A sequence or optional is replaced by its tensors.
    uint32_t n;
    MgScopeType *types;
    const char **names;
    MgOnnxValue **values;  // the tensors
    MgOnnxValue **results; // the outputs themselves
} Body;

static const char *name_of(const Onnx__ValueInfoProto *p) {
    return p->name ? p->name : "";
}

static const Onnx__GraphProto *graph_of(MgOnnxNode *n, const char *name) {
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, name);
    if (!a || !a->g)
        mg_onnx_fail(n, "attribute '%s' must be a graph", name);
    return a ? a->g : NULL;
}

static MgOnnxFrame *frame_in(MgOnnxNode *n) {
    MgOnnxFrame *frame = mg_onnx_frame(n->t, n->frame);
    if (frame->depth > MAX_DEPTH)
        mg_onnx_fail(n, "its graphs are nested more than %d deep", MAX_DEPTH);
    return frame->depth > MAX_DEPTH ? NULL : frame;
}

static bool open_body(MgOnnxNode *n, Body *b, const Onnx__GraphProto *g) {
    *b = (Body){.g = g, .text = mg_text(n->t->arena), .outer = n->t->out};
    size_t first, second;
    if (mg_onnx_named_twice(n->t, g, &first, &second))
        return mg_onnx_fail(n, "inputs %zu and %zu of its body have the same name, '%s'", first + 1,
                            second + 1, name_of(g->input[first]));
    if (!(b->frame = frame_in(n)))
        return false;
    mg_scope_enter(n->t->scope);
    return true;
}

// Binds the body's input k to a value of this type. Returns its name in the text.
static const char *body_input(MgOnnxNode *n, Body *b, uint32_t k, const MgScopeType *type,
                              const char *otherwise) {
    MgOnnx *t = n->t;
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    v->name = mg_onnx_fresh(t, name_of(b->g->input[k]), otherwise);
    v->type = *type;
    mg_scope_assume(t->scope, v->name, type);
    mg_onnx_define(t, b->frame, name_of(b->g->input[k]), v);
    return mg_onnx_spelled(t, v->name);
}

static bool find_outputs(MgOnnxNode *n, const Onnx__GraphProto *g, MgOnnxFrame *frame,
                         MgOnnxValue **results) {
    for (size_t i = 0; i < g->n_output; i++) {
        const char *name = name_of(g->output[i]);
        results[i] = mg_onnx_find(frame, mg_sym(n->t->names, name));
        if (!results[i])
            return mg_onnx_fail(n, "no node computes its graph's output '%s'", name);
        if (results[i]->poison)
            return n->failed = true, false;
    }
    return true;
}

static bool translate_outputs(MgOnnxNode *n, Body *b) {
    MgOnnx *t = n->t;
    uint32_t leaves = 0, made = 0;
    b->results = MG_NEW_N(t->arena, MgOnnxValue *, b->g->n_output + 1);
    if (!find_outputs(n, b->g, b->frame, b->results))
        return false;
    for (size_t i = 0; i < b->g->n_output; i++)
        leaves += mg_onnx_leaves(b->results[i]);
    b->types = MG_NEW_N(t->arena, MgScopeType, leaves + 1);
    b->names = MG_NEW_N(t->arena, const char *, leaves + 1);
    b->values = MG_NEW_N(t->arena, MgOnnxValue *, leaves + 1);
    for (size_t i = 0; i < b->g->n_output; i++)
        mg_onnx_flatten(b->results[i], b->values, &made);
    b->n = made;
    for (uint32_t i = 0; i < b->n; i++) {
        mg_onnx_settle(t, b->values[i]);
        b->types[i] = b->values[i]->type;
        b->names[i] = mg_onnx_operand(n, b->values[i]);
    }
    return !n->failed;
}

// Translates the body and leaves the scope, even after an error.
static bool close_body(MgOnnxNode *n, Body *b) {
    MgOnnx *t = n->t;
    t->out = &b->text;
    bool ok = mg_onnx_initialisers(t, b->frame, b->g) && mg_onnx_graph(t, b->frame, b->g) &&
              translate_outputs(n, b);
    t->out = b->outer;
    mg_scope_leave(t->scope);
    n->failed |= !ok;
    return ok;
}

// The name of input k, a single number, as a value of rank 0.
static const char *single(MgOnnxNode *n, uint32_t k) {
    return mg_onnx_scalar(n, k) ? mg_onnx_operand(n, n->inputs[k]) : "_";
}

static bool known_number(MgOnnxNode *n, MgOnnxValue *v, MgIx *value) {
    if (!v || !mg_onnx_numbers(n->t, v) || v->n_known != 1 || v->known[0].real)
        return false;
    *value = v->known[0].ix;
    return true;
}

// ---------------------------------------------------------------- inlining
// Translates the nodes of g in a frame of their own, whose ports the caller has named.
static bool inline_graph(MgOnnxNode *n, const Onnx__GraphProto *g, MgOnnxValue *const *values,
                         MgOnnxFrame *frame, MgOnnxValue **results) {
    MgOnnx *t = n->t;
    for (size_t i = 0; i < g->n_input; i++)
        mg_onnx_define(t, frame, name_of(g->input[i]), values[i]);
    if (!mg_onnx_initialisers(t, frame, g) || !mg_onnx_graph(t, frame, g))
        return n->failed = true, false;
    return find_outputs(n, g, frame, results);
}

bool mg_onnx_inline(MgOnnxNode *n, const Onnx__GraphProto *g, MgOnnxValue *const *values,
                    MgOnnxValue **results) {
    MgOnnxFrame *frame = frame_in(n);
    return frame && inline_graph(n, g, values, frame, results);
}

// ---------------------------------------------------------------- If
// A branch that is known to be taken becomes part of the surrounding graph.
static bool inline_branch(MgOnnxNode *n, const Onnx__GraphProto *g) {
    MgOnnx *t = n->t;
    MgOnnxFrame *frame = frame_in(n);
    if (!frame)
        return false;
    if (g->n_output != n->n_outputs || g->n_input)
        return mg_onnx_fail(n, "a branch takes %zu value%s and gives %zu for %u output%s",
                            g->n_input, mg_plural(g->n_input), g->n_output, n->n_outputs,
                            mg_plural(n->n_outputs));
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        MgSym port = (MgSym)mg_map_get(&n->frame->ports, mg_sym(t->names, n->proto->output[i]), 0);
        if (port)
            mg_map_put(&frame->ports, mg_sym(t->names, name_of(g->output[i])), port);
    }
    return inline_graph(n, g, NULL, frame, n->outputs);
}

static bool translate_branch(MgOnnxNode *n, Body *b, const Onnx__GraphProto *g) {
    if (g->n_output != n->n_outputs)
        return mg_onnx_fail(n, "a branch gives %zu value%s for %u output%s; expected one for each",
                            g->n_output, mg_plural(g->n_output), n->n_outputs,
                            mg_plural(n->n_outputs));
    return open_body(n, b, g) && close_body(n, b);
}

static void add_values(const char *word, const char *const *names, size_t count, MgText *out) {
    for (size_t i = 0; i < count; i++)
        mg_textf(out, "%s %s", i ? "," : word, names[i]);
    mg_text_add(out, "\n");
}

// Do both branches give the same: lists of equal lengths, tensors of one type and rank?
static bool same_results(MgOnnxNode *n, const Body *then, const Body *otherwise) {
    bool same = true;
    for (uint32_t i = 0, k = 0; i < n->n_outputs && same; i++) {
        same = mg_onnx_same_structure(then->results[i], otherwise->results[i]);
        uint32_t end = k + mg_onnx_leaves(then->results[i]);
        for (; same && k < end; k++)
            same = then->types[k].dtype == otherwise->types[k].dtype &&
                   then->types[k].rank == otherwise->types[k].rank;
    }
    return same;
}

static bool join_branches(MgOnnxNode *n, const char *condition, Body *then, Body *otherwise) {
    MgOnnx *t = n->t;
    int32_t *outputs = MG_NEW_N(t->arena, int32_t, then->n + 1);
    MgOnnxValue **values = MG_NEW_N(t->arena, MgOnnxValue *, then->n + 1);
    for (uint32_t i = 0, k = 0; i < n->n_outputs; i++)
        for (uint32_t end = k + mg_onnx_leaves(then->results[i]); k < end; k++)
            outputs[k] = then->results[i]->kind ? -1 : (int32_t)i;
    MgOnnxBranch a = {then->n, then->types, then->names, then->values, mg_text_str(&then->text)};
    MgOnnxBranch b = {otherwise->n, otherwise->types, otherwise->names, otherwise->values,
                      mg_text_str(&otherwise->text)};
    if (!mg_onnx_join(n, condition, &a, &b, outputs, values))
        return false;
    for (uint32_t i = 0, k = 0; i < n->n_outputs; i++)
        n->outputs[i] = mg_onnx_rebuild(t, then->results[i], values, &k);
    return true;
}

// Values of different ranks can't be joined. So the graph is translated for one of the branches,
// and a run that would take the other one fails.
static bool only_one(MgOnnxNode *n, const char *condition, const Onnx__GraphProto *yes,
                     const Onnx__GraphProto *no) {
    bool take_else = n->t->take_else;
    if (n->t->use != MG_ONNX_USE_BOUNDS)
        return mg_onnx_unsupported(n, "branches that give values of different types");
    n->t->took_branch = true;
    const char *other = mg_onnx_text(n, "where(%s[], %d, %d)", condition, take_else, !take_else);
    MgIx none = mg_ix_const(n->t->ix, 0);
    return mg_onnx_late(n, "other_branch", other, none) != MG_IX_ERROR &&
           inline_branch(n, take_else ? no : yes);
}

MG_ONNX_OP(if) {
    (void)text;
    MgIx value;
    int64_t chosen;
    if (!mg_onnx_takes(n, 1))
        return false;
    const Onnx__GraphProto *yes = graph_of(n, "then_branch"), *no = graph_of(n, "else_branch");
    if (n->failed)
        return false;
    if (known_number(n, n->inputs[0], &value) && mg_onnx_const(n, value, &chosen))
        return inline_branch(n, chosen ? yes : no);
    Body then, otherwise;
    const char *condition = single(n, 0);
    if (n->failed || !translate_branch(n, &then, yes) || !translate_branch(n, &otherwise, no))
        return false;
    return same_results(n, &then, &otherwise) ? join_branches(n, condition, &then, &otherwise)
                                              : only_one(n, condition, yes, no);
}

// ---------------------------------------------------------------- loops
// The statement `a, b, all = loop i in 0..N carry (…) while keep { … }` while it is written.
typedef struct Loop {
    MgOnnxNode *n;
    Body body;
    const char *range, *keep; // "i in 0..8", and the condition to continue; or NULL
    MgText first, last;       // statements around the body's own
    MgText carry, next;
    MG_VEC(int32_t) outputs; // the output of each result
    MG_VEC(const char *) emits;
    MgOnnxValue **results; // set once the statement is written
} Loop;

static void loop_begin(Loop *l, MgOnnxNode *n) {
    MgArena *arena = n->t->arena;
    *l = (Loop){.n = n,
                .first = mg_text(arena),
                .last = mg_text(arena),
                .carry = mg_text(arena),
                .next = mg_text(arena)};
}

// output: the number of the output that takes the last value, or -1.
static void carry(Loop *l, const char *name, const char *initial, const char *next,
                  int32_t output) {
    const char *comma = l->outputs.len ? ", " : "";
    mg_textf(&l->carry, "%s%s = %s", comma, name, initial);
    mg_textf(&l->next, "%s%s = %s", comma, name, next);
    mg_push(l->n->t->arena, &l->outputs, output);
}

static void emit(Loop *l, const char *value, int32_t output) {
    mg_push(l->n->t->arena, &l->emits, value);
    mg_push(l->n->t->arena, &l->outputs, output);
}

static const char *fresh(const Loop *l, const char *name) {
    return mg_onnx_spelled(l->n->t, mg_onnx_fresh(l->n->t, NULL, name));
}

static bool loop_end(Loop *l) {
    MgOnnxNode *n = l->n;
    MgText out = mg_text(n->t->arena);
    mg_textf(&out, "loop %s carry (%s)", l->range ? l->range : "", mg_text_str(&l->carry));
    if (l->keep)
        mg_textf(&out, " while %s", l->keep);
    mg_textf(&out, " {\n%s%s%snext %s\n", mg_text_str(&l->first), mg_text_str(&l->body.text),
             mg_text_str(&l->last), mg_text_str(&l->next));
    add_values("emit", l->emits.at, l->emits.len, &out);
    mg_text_add(&out, "}");
    l->results = MG_NEW_N(n->t->arena, MgOnnxValue *, l->outputs.len + 1);
    return mg_onnx_give_as(n, l->outputs.at, l->outputs.len, mg_text_str(&out), l->results);
}

static bool only_tensors(const Loop *l) {
    for (size_t i = 0; i < l->body.g->n_output; i++)
        if (l->body.results[i]->kind)
            return mg_onnx_unsupported(l->n, "a round that gives %s",
                                       mg_onnx_kind_name(l->body.results[i]));
    return true;
}

// Checks that a carried value keeps its type.
static bool same_type(Loop *l, uint32_t k, const MgScopeType *a, const MgScopeType *b) {
    bool same = a->dtype == b->dtype && a->rank == b->rank;
    for (uint32_t i = 0; same && i < a->rank; i++)
        same = a->shape[i] == b->shape[i];
    return same || mg_onnx_unsupported(l->n, "carried value %u, which changes its shape", k);
}

// ---------------------------------------------------------------- Loop
// How an ONNX loop ends: after a number of rounds, when its body says so, or by whichever is first.
typedef struct Ends {
    MgOnnxValue *count, *start; // NULL: omitted
    const char *number;         // the name of the round's number in the body: the range's index, or
                                // a value
    const char *going;          // the name of the condition to continue
    MgIx trips;
    bool counted, forever; // the count is known; the body never ends the loop
} Ends;

// Does nothing in the body ever end the loop?
static bool goes_on(MgOnnxNode *n, const Ends *e, const Body *b) {
    MgIx value;
    int64_t c = 1;
    if (e->start && (!known_number(n, e->start, &value) || !mg_onnx_const(n, value, &c) || !c))
        return false;
    if (!strcmp(b->names[0], e->going))
        return true;
    return known_number(n, b->values[0], &value) && mg_onnx_const(n, value, &c) && c;
}

// The loop gets a range if the count is known; otherwise it carries a counter. The body's own
// condition and a count that data decide become one condition, which is carried too.
static bool write_ends(Loop *l, const Ends *e) {
    MgOnnxNode *n = l->n;
    const char *limit = e->count && !e->counted ? single(n, 0) : NULL;
    const char *start = e->start ? single(n, 1) : NULL;
    if (n->failed)
        return false;
    if (e->counted) {
        l->range = mg_onnx_text(n, "%s in 0..%s", e->number, mg_onnx_ix(n, e->trips));
    } else {
        const char *zero = fresh(l, "zero"), *after = fresh(l, "after");
        mg_onnx_say(n, mg_onnx_text(n, "%s[]: i64[] = 0", zero));
        mg_textf(&l->last, "%s[] = %s[] + 1\n", after, e->number);
        carry(l, e->number, zero, after, -1);
    }
    if (e->forever && !limit && (e->counted || l->outputs.len))
        return e->counted ||
               mg_onnx_fail(
                   n, "the loop never ends: it has neither a number of rounds nor a condition");
    l->keep = e->going;
    const char *first = fresh(l, "first"), *then = fresh(l, "goes_on");
    mg_onnx_say(n, mg_onnx_text(n, "%s[]: bool[] = %s%s%s", first,
                                limit ? mg_onnx_text(n, "0 < %s[]", limit) : "",
                                limit && start ? " and " : "",
                                start   ? mg_onnx_text(n, "%s[]", start)
                                : limit ? ""
                                        : "true"));
    // Some models give the condition as a tensor of one element.
    mg_textf(&l->last, "%s[]: bool[] = %s[%s]", then, l->body.names[0],
             l->body.types[0].rank ? "0" : "");
    if (limit)
        mg_textf(&l->last, " and %s[] + 1 < %s[]", e->number, limit);
    mg_text_add(&l->last, "\n");
    carry(l, e->going, first, then, -1);
    return !n->failed;
}

// Binds the body's first input to the index of a range. It counts as a known number.
static const char *counter(MgOnnxNode *n, Body *b, MgIx *trips) {
    MgOnnx *t = n->t;
    int64_t c;
    if (mg_onnx_const(n, *trips, &c) && (c < 0 || c > INT32_MAX))
        *trips = mg_ix_const(t->ix, c < 0 ? 0 : INT32_MAX);
    MgSym i = mg_onnx_fresh(t, NULL, "i");
    MgOnnxNumber *known = MG_NEW(t->arena, MgOnnxNumber);
    known->ix = mg_scope_counter(t->scope, i, *trips);
    MgOnnxValue *v = MG_NEW(t->arena, MgOnnxValue);
    *v = (MgOnnxValue){.type = {.dtype = MG_I64}, .known = known, .n_known = 1};
    mg_onnx_define(t, b->frame, name_of(b->g->input[0]), v);
    return mg_onnx_spelled(t, i);
}

// If the run decides the number of rounds, stacked results need a bound for it.
static bool trips_of_run(MgOnnxNode *n, Ends *e, const Onnx__GraphProto *g, uint32_t states) {
    if (g->n_output <= states + 1 || n->t->use != MG_ONNX_USE_BOUNDS)
        return false;
    e->trips = mg_ix_const(n->t->ix, MG_ONNX_MOST);
    if (e->count)
        e->trips =
            mg_onnx_late(n, "rounds", mg_onnx_text(n, "max(i64(%s[]), 0)", single(n, 0)), e->trips);
    return !n->failed;
}

MG_ONNX_OP(loop) {
    (void)text;
    const Onnx__GraphProto *g = graph_of(n, "body");
    uint32_t states = n->proto->n_input > 2 ? (uint32_t)n->proto->n_input - 2 : 0;
    MgScopeType number = {.dtype = MG_I64}, truth = {.dtype = MG_BOOL};
    Loop l;
    loop_begin(&l, n);
    if (n->failed)
        return false;
    if (g->n_input != states + 2 || g->n_output < states + 1)
        return mg_onnx_fail(n, "its body takes %zu value%s and gives %zu, but carries %u",
                            g->n_input, mg_plural(g->n_input), g->n_output, states);
    if (mg_onnx_has_lists(n))
        return mg_onnx_unroll(n, g);
    Ends e = {.count = mg_onnx_input(n, 0), .start = mg_onnx_input(n, 1)};
    e.counted = known_number(n, e.count, &e.trips) || trips_of_run(n, &e, g, states);
    for (uint32_t i = 0; i < states; i++)
        if (!mg_onnx_input(n, i + 2))
            return mg_onnx_unsupported(n, "a carried value without an initial value");
    if (!open_body(n, &l.body, g))
        return false;
    e.number =
        e.counted ? counter(n, &l.body, &e.trips) : body_input(n, &l.body, 0, &number, "round");
    e.going = body_input(n, &l.body, 1, &truth, "going");
    const char **names = MG_NEW_N(n->t->arena, const char *, states + 1);
    for (uint32_t i = 0; i < states; i++)
        names[i] = body_input(n, &l.body, i + 2, &n->inputs[i + 2]->type, "carried");
    if (!close_body(n, &l.body) || !only_tensors(&l))
        return false;
    if (l.body.types[0].dtype != MG_BOOL || l.body.types[0].rank > 1)
        return mg_onnx_fail(n, "its body's condition has rank %u; expected one truth value",
                            l.body.types[0].rank);
    for (uint32_t i = 0; i < states; i++) {
        if (!same_type(&l, i, &n->inputs[i + 2]->type, &l.body.types[i + 1]))
            return false;
        carry(&l, names[i], mg_onnx_operand(n, n->inputs[i + 2]), l.body.names[i + 1], (int32_t)i);
    }
    e.forever = goes_on(n, &e, &l.body);
    if (e.forever && e.counted) // the body may still read its condition
        mg_textf(&l.first, "%s[]: bool[] = true\n", e.going);
    if (!write_ends(&l, &e))
        return false;
    if (!l.range && g->n_output > states + 1)
        return mg_onnx_unsupported(n, "stacked results whose number is known only at run time");
    if (e.forever && e.counted && !states)
        carry(&l, fresh(&l, "nothing"), single(n, 0), single(n, 0), -1);
    for (uint32_t i = states + 1; i < g->n_output; i++)
        emit(&l, l.body.names[i], (int32_t)i - 1);
    return loop_end(&l);
}

// ---------------------------------------------------------------- Scan
static bool backwards(MgOnnxInts directions, uint32_t k) {
    return directions.given && k < directions.n && directions.at[k];
}

// Element number `at` of scan input k, inside the body.
static bool scan_input(Loop *l, uint32_t k, uint32_t states, int64_t axis, const char *at) {
    MgOnnxNode *n = l->n;
    const MgScopeType *x = &n->inputs[states + k]->type;
    MgIx *shape = MG_NEW_N(n->t->arena, MgIx, x->rank + 1);
    if (!mg_onnx_axis(n, &axis, x->rank))
        return false;
    for (uint32_t i = 0, to = 0; i < x->rank; i++)
        if (i != axis)
            shape[to++] = x->shape[i];
    MgScopeType type = {x->dtype, x->rank - 1, shape};
    const char *name = body_input(n, &l->body, states + k, &type, "element");
    mg_textf(&l->first, "%s = select(%s, index = %s, axis = %lld)\n", name,
             mg_onnx_operand(n, n->inputs[states + k]), at, (long long)axis);
    return true;
}

// MG stacks along the first dimension. This flips and transposes the result if ONNX wants another
// order.
static bool place_stacked(MgOnnxNode *n, uint32_t k, MgOnnxValue *v, bool reversed, int64_t axis) {
    uint32_t rank = v->type.rank;
    const char *name = mg_onnx_operand(n, v);
    int64_t perm[16];
    if (!mg_onnx_axis(n, &axis, rank) || rank > 16)
        return mg_onnx_fail(n, "it stacks along an axis that does not exist");
    if (reversed)
        name = mg_onnx_text(n, "flip(%s, axes = [0])", name);
    for (uint32_t i = 0; i < rank; i++)
        perm[i] = i == axis ? 0 : i < axis ? i + 1 : i;
    if (axis)
        name = mg_onnx_text(n, "transpose(%s, perm = %s)", name, mg_onnx_list(n, perm, rank));
    return mg_onnx_give(n, k, name);
}

MG_ONNX_OP(scan) {
    (void)text;
    const Onnx__GraphProto *g = graph_of(n, "body");
    uint32_t scanned = (uint32_t)mg_onnx_int(n, "num_scan_inputs", 0);
    if (n->failed || !mg_onnx_takes(n, n->n_inputs))
        return false;
    if (!scanned || scanned > n->n_inputs || g->n_input != n->n_inputs ||
        g->n_output < n->n_inputs - scanned || g->n_output != n->n_outputs)
        return mg_onnx_fail(
            n, "its body takes %zu value%s and gives %zu, but the node takes %u and gives %u",
            g->n_input, mg_plural(g->n_input), g->n_output, n->n_inputs, n->n_outputs);
    uint32_t states = n->n_inputs - scanned;
    MgOnnxInts axes = mg_onnx_ints(n, "scan_input_axes"), to = mg_onnx_ints(n, "scan_output_axes");
    MgOnnxInts in = mg_onnx_ints(n, "scan_input_directions");
    MgOnnxInts out = mg_onnx_ints(n, "scan_output_directions");
    const MgScopeType *x = &n->inputs[states]->type;
    int64_t axis = axes.n ? axes.at[0] : 0;
    Loop l;
    loop_begin(&l, n);
    if (!mg_onnx_axis(n, &axis, x->rank) || !open_body(n, &l.body, g))
        return false;
    const char *i = fresh(&l, "i"), *size = mg_onnx_ix(n, x->shape[axis]);
    l.range = mg_onnx_text(n, "%s in 0..%s", i, size);
    const char **names = MG_NEW_N(n->t->arena, const char *, states + 1);
    for (uint32_t k = 0; k < states; k++)
        names[k] = body_input(n, &l.body, k, &n->inputs[k]->type, "state");
    bool ok = true;
    for (uint32_t k = 0; k < scanned && ok; k++)
        ok = scan_input(&l, k, states, k < axes.n ? axes.at[k] : 0,
                        backwards(in, k) ? mg_onnx_text(n, "%s - 1 - %s", size, i) : i);
    if (!close_body(n, &l.body) || !ok || !only_tensors(&l))
        return false;
    for (uint32_t k = 0; k < states; k++) {
        if (!same_type(&l, k, &n->inputs[k]->type, &l.body.types[k]))
            return false;
        carry(&l, names[k], mg_onnx_operand(n, n->inputs[k]), l.body.names[k], (int32_t)k);
    }
    if (!states) {
        const char *nothing = fresh(&l, "nothing");
        mg_onnx_say(n, mg_onnx_text(n, "%s[]: bool[] = false", nothing));
        carry(&l, fresh(&l, "idle"), nothing, nothing, -1);
    }
    for (uint32_t k = states; k < g->n_output; k++) {
        bool moves = backwards(out, k - states) || (k - states < to.n && to.at[k - states]);
        emit(&l, l.body.names[k], moves ? -1 : (int32_t)k);
    }
    ok = loop_end(&l);
    uint32_t first = l.outputs.len - l.emits.len;
    for (uint32_t k = 0; k < l.emits.len && ok; k++)
        if (l.outputs.at[first + k] < 0)
            ok = place_stacked(n, states + k, l.results[first + k], backwards(out, k),
                               k < to.n ? to.at[k] : 0);
    return ok;
}
