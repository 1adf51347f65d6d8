// What the nests of attention have in common, for workers and for GPUs: the indices that walk its
// classes, and the lines that compute, copy, keep and join its steps.
#include "passes/schedule/attention/attention.h"

static const MgOp *op_of(const MgAttn *t, uint32_t step) {
    return mg_op(t->s->g, t->a->steps[step].op);
}

uint32_t mg_attention_number(const MgAttn *t, MgOpId op) {
    uint32_t i = 0;
    while (t->unit->ops[i] != op)
        i++;
    return i;
}

// ---------------------------------------------------------------- indices

// The indices of a class of symbols. Symbols are the indices of the last contraction, and then the
// bound ones of each product (passes/attention.h).
static uint32_t indices_of(const MgAttn *t, const MgNestScope *scope, uint64_t set,
                           uint32_t *indices) {
    uint32_t n = 0, step = t->a->values, index = 0;
    for (uint32_t i = 0; i < t->a->n_symbols; i++, index++) {
        for (uint32_t p = 0; p < t->a->n_products; p++)
            if ((t->a->products[p].depth >> i & 1) && step != t->a->products[p].step) {
                step = t->a->products[p].step;
                index = op_of(t, step)->equation->pieces[0].n_free;
            }
        if (set >> i & 1)
            indices[n++] =
                mg_nest_index(scope, mg_attention_number(t, t->a->steps[step].op), index);
    }
    return n;
}

static uint32_t add_class(const MgAttn *t, MgNest *nest, MgNestScope *scope, uint64_t set) {
    uint32_t indices[MG_ATTENTION_SYMBOLS], n = indices_of(t, scope, set, indices);
    return n ? mg_nest_add_joined(nest, scope, t->s->arena, indices, n) : UINT32_MAX;
}

MgAttnIndices mg_attention_add_indices(const MgAttn *t, MgNest *nest, MgNestScope *scope) {
    MgAttnIndices x;
    x.rows = add_class(t, nest, scope, t->a->rows);
    x.keys = add_class(t, nest, scope, t->a->keys);
    for (uint32_t i = 0; i < t->a->n_products; i++)
        x.depth[i] = add_class(t, nest, scope, t->a->products[i].depth);
    x.columns = add_class(t, nest, scope, t->a->columns);
    return x;
}

static bool read_class(const MgAttn *t, const MgGivenNest *given, uint64_t set, uint32_t *index) {
    uint32_t indices[MG_ATTENTION_SYMBOLS], n = indices_of(t, given->scope, set, indices);
    *index = UINT32_MAX;
    return !n || mg_form_read_joined(given, indices, n, "attention", index);
}

bool mg_attention_read_indices(const MgAttn *t, const MgGivenNest *given, MgAttnIndices *x) {
    bool ok =
        read_class(t, given, t->a->rows, &x->rows) && read_class(t, given, t->a->keys, &x->keys);
    for (uint32_t i = 0; i < t->a->n_products; i++)
        ok = ok && read_class(t, given, t->a->products[i].depth, &x->depth[i]);
    return ok && read_class(t, given, t->a->columns, &x->columns);
}

MgLine *mg_attention_add_batches(const MgAttn *t, const MgNestScope *scope, MgLine *outer,
                                 const MgWalk *others, uint32_t n) {
    uint32_t indices[MG_ATTENTION_SYMBOLS], m = 0;
    uint32_t batches = indices_of(t, scope, t->a->batch, indices);
    MgWalk walks[MG_ATTENTION_SYMBOLS + 2] = {0};
    for (uint32_t i = 0; i < batches; i++)
        if (!mg_nest_is_single(scope, indices[i]))
            walks[m++].index = indices[i];
    for (uint32_t i = 0; i < n; i++)
        walks[m++] = others[i];
    return m ? mg_nest_add_walks(t->s->arena, outer, MG_LEVEL_CORE, walks, m) : outer;
}

MgLine *mg_attention_add_blocks(const MgAttn *t, MgLine *outer, uint32_t keys, int64_t by,
                                bool skips) {
    MgLine *block = mg_nest_add_blocks(t->s->arena, outer, keys, by);
    if (skips) {
        block->skips = true;
        block->n_numbers = 1;
        block->numbers = MG_NEW(t->s->arena, uint32_t);
        *block->numbers = mg_attention_number(t, mg_attention_choice(t)->op);
    }
    return block;
}

// ---------------------------------------------------------------- lines

// Adds a line about the steps of some roles, and what follows the last contraction.
static MgLine *add_steps(const MgAttn *t, MgLine *outer, MgLineKind kind, uint32_t roles,
                         bool tail) {
    uint32_t n = 0, after = tail ? t->tail.n_ops - 1 : 0;
    uint32_t *numbers = MG_NEW_N(t->s->arena, uint32_t, t->a->n_steps + after);
    for (uint32_t s = 0; s < t->a->n_steps; s++)
        if (roles >> t->a->steps[s].role & 1)
            numbers[n++] = mg_attention_number(t, t->a->steps[s].op);
    for (uint32_t i = 1; i <= after; i++)
        numbers[n++] = mg_attention_number(t, t->tail.ops[i]);
    if (!n)
        return NULL;
    MgLine *line = mg_nest_add(t->s->arena, outer, kind);
    line->numbers = numbers;
    line->n_numbers = n;
    return line;
}

MgLine *mg_attention_add_do(const MgAttn *t, MgLine *outer, uint32_t roles, bool tail) {
    return add_steps(t, outer, MG_LINE_DO, roles, tail);
}

MgLine *mg_attention_add_do_step(const MgAttn *t, MgLine *outer, uint32_t step) {
    MgLine *line = mg_nest_add(t->s->arena, outer, MG_LINE_DO);
    line->numbers = MG_NEW(t->s->arena, uint32_t);
    *line->numbers = mg_attention_number(t, t->a->steps[step].op);
    line->n_numbers = 1;
    return line;
}

void mg_attention_add_keep(const MgAttn *t, MgLine *outer, uint32_t roles, MgNestSpace space,
                           MgNestWay way) {
    MgLine *line = add_steps(t, outer, MG_LINE_KEEP, roles, false);
    line->space = space;
    line->way = way;
}

void mg_attention_add_join(const MgAttn *t, MgLine *outer, uint32_t keys, MgNestSpace space) {
    enum {
        JOINED = MG_ATTENTION_SET(MG_ATTENTION_MAX) | MG_ATTENTION_SET(MG_ATTENTION_SUM) |
                 MG_ATTENTION_SET(MG_ATTENTION_VALUES)
    };
    MgLine *line = add_steps(t, outer, MG_LINE_JOIN, JOINED, false);
    line->index = keys;
    line->monoid = t->a->softmax ? 1 + MG_MONOID_SHIFTED : 0;
    line->space = space;
}

MgLine *mg_attention_add_stage(const MgAttn *t, MgLine *outer, const MgNestScope *scope,
                               const MgAttnFactor *f, uint32_t across, uint32_t along) {
    uint32_t equation = mg_attention_number(t, t->a->steps[f->step].op);
    MgNestAxis axes[2];
    uint32_t n = 0;
    if (across < UINT32_MAX)
        axes[n++] = (MgNestAxis){.index = across};
    if (along < UINT32_MAX)
        axes[n++] = (MgNestAxis){.index = along};
    return mg_nest_set_copy(t->s->arena,
                            mg_nest_add_stage(t->s->arena, outer, scope, equation, f->x),
                            MG_NEST_SPACE_LOCAL, MG_WAY_PLAIN, axes, n);
}

static bool is_keep(const void *ctx, const MgLine *line) {
    return line->kind == MG_LINE_KEEP && line->numbers[0] == *(const uint32_t *)ctx;
}

const MgLine *mg_attention_find_keep(const MgLine *outer, uint32_t equation) {
    return mg_nest_find(outer, is_keep, &equation);
}
