// What all forms have in common: a plan is chosen or read, and the kernel is made from it.
#include "passes/schedule/form.h"
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

static bool follows(const MgForm *form) {
    return form->nests == MG_NEST_ATTENTION;
}

static MgNestScope scope_of(const MgForm *form, const MgSched *s, MgFormPlace at) {
    const MgUnit *unit = at.unit;
    return follows(form) ? mg_nest_scope_following(s->arena, s->g, unit->ops, unit->n_ops)
                         : mg_nest_scope(s->arena, s->g, unit->ops, unit->n_ops, at.piece);
}

static MgFormPlace place_of(const MgForm *form, MgSched *s, const MgUnit *unit) {
    const MgOp *first = mg_op(s->g, unit->ops[0]);
    return (MgFormPlace){unit, follows(form) ? 0 : first->equation->pieces[0].n_free, 0};
}

const MgNest *mg_form_nest(const MgForm *form, void *found, MgSched *s, MgFormPlace at) {
    MgNest *nest = MG_NEW(s->arena, MgNest);
    MgNestScope scope = scope_of(form, s, at);
    nest->gpu = s->options->target.gpu;
    nest->follows = follows(form);
    nest->depth = at.depth;
    nest->piece = at.piece;
    form->nest(found, nest, &scope);
    return nest;
}

bool mg_form_read(const MgForm *form, void *found, MgFormPlace at, const MgGivenNest *given) {
    MgSched *s = given->s;
    return (!form->read || form->read(found, given)) &&
           mg_nest_compare(s->m->session, given->nest, mg_form_nest(form, found, s, at),
                           given->scope, form->what);
}

static void make(const MgForm *form, void *found, MgSched *s, const MgUnit *unit,
                 const MgNest *nest, MgKBlock *plan) {
    MgKb *kb = found;
    if (form->kernel)
        mg_kb_begin(kb, s, unit, form->kernel);
    kb->plan = plan;
    form->make(found);
    kb->nest = nest;
    mg_kb_end(kb, plan, unit->ops[0]);
}

bool mg_form_schedule(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    void *found = (uint32_t)s->options->level >= form->level ? form->find(s, unit) : NULL;
    if (!found || !form->choose(found))
        return false;
    make(form, found, s, unit, mg_form_nest(form, found, s, place_of(form, s, unit)), plan);
    return true;
}

const MgNest *mg_form_given(const MgForm *form, void *found, MgSched *s, const MgUnit *unit,
                            bool *failed) {
    MgFormPlace at = place_of(form, s, unit);
    MgNestScope scope = scope_of(form, s, at);
    const MgNest *nest = mg_nest_given_form(s, unit, form->nests, &scope, failed);
    *failed |= nest && !mg_form_read(form, found, at, &(MgGivenNest){s, nest, &scope});
    s->draft->failed |= *failed;
    return *failed ? NULL : nest;
}

bool mg_form_schedule_given(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    bool failed = false;
    void *found = form->find(s, unit);
    const MgNest *nest = found ? mg_form_given(form, found, s, unit, &failed) : NULL;
    if (nest)
        make(form, found, s, unit, nest, plan);
    return nest || failed;
}

bool mg_form_refuse(const MgGivenNest *given, const MgLine *line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *why = mg_arena_vprintf(given->s->arena, format, args);
    va_end(args);
    mg_diag(given->s->m->session, line ? line->span : given->nest->root.span, MG_D_schedule_wrong,
            why);
    return false;
}

bool mg_form_read_joined(const MgGivenNest *given, const uint32_t *indices, uint32_t n,
                         const char *what, uint32_t *index) {
    *index = mg_nest_joined(given->nest, indices, n);
    if (*index < UINT32_MAX)
        return true;
    MgText names = mg_text(given->s->arena);
    for (uint32_t i = 0; i < n; i++) {
        mg_text_add(&names, i ? " * " : "");
        mg_nest_print_word(mg_given_name(given, indices[i]), &names);
    }
    return mg_form_refuse(given, NULL, "%s walks these as one: begin with 'index NAME = %s'", what,
                          mg_text_str(&names));
}

bool mg_form_read_lanes(const MgGivenNest *given, MgNestFound found, uint32_t most,
                        uint32_t *lanes) {
    if (!found.walk)
        return mg_form_refuse(given, NULL, "no loop has lanes, as 'for i = time(*) lane(%u)' has",
                              most);
    int64_t n = mg_nest_digit(found.walk, MG_LEVEL_LANE);
    *lanes = (uint32_t)n;
    if (n == most || (n > 1 && n < most && mg_nest_is_power(n)))
        return true;
    return mg_form_refuse(given, found.line,
                          "a vector has %u lanes here, or a power of two of at least 2 below",
                          most);
}

const MgPiece *mg_form_box(MgSched *s, const MgUnit *unit) {
    const MgPiece *p = mg_only_piece(mg_op(s->g, unit->ops[0]));
    if (!p)
        return NULL;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (p->indices[i].low != mg_ix_const(s->ix, 0) ||
            mg_ix_mentions_index(s->ix, p->indices[i].high))
            return NULL;
    return p;
}

bool mg_form_folds(const MgSched *s, const MgPiece *p) {
    bool sum = p->reducer == MG_REDUCE_SUM || p->reducer == MG_REDUCE_MEAN;
    return mg_piece_reduces(p) && !p->scatter &&
           (p->expr->dtype == MG_F32 || p->expr->dtype == MG_F64) &&
           (sum ? !s->options->strict : p->reducer == MG_REDUCE_MAX || p->reducer == MG_REDUCE_MIN);
}

bool mg_form_shares(MgSched *s, const MgPiece *piece) {
    return mg_share_pays(s, mg_index_points(s->ix, piece->indices, piece->n_indices), 0);
}

bool mg_form_is_shared(const MgGivenNest *given, uint64_t without) {
    const MgNestScope *scope = given->scope;
    const MgPiece *piece = mg_nest_piece(scope, 0);
    bool any = false;
    for (uint32_t i = 0; i < piece->n_free; i++)
        any |= !(without >> i & 1) && !mg_nest_is_single(scope, mg_nest_index(scope, 0, i));
    return any ? mg_nest_find_cores(&given->nest->root) != NULL : mg_form_shares(given->s, piece);
}

int64_t mg_form_extent(MgSched *s, const MgIndex *index) {
    return mg_ix_const_or(s->ix, mg_index_extent(s->ix, index), -1);
}

MgLine *mg_form_add_items(MgSched *s, MgNest *nest, MgNestScope *scope, uint32_t *axes, uint32_t n,
                          int64_t items) {
    int64_t rest = 1;
    for (uint32_t i = 0; i < n; i++) {
        const MgNestIndex *index = &scope->indices.at[axes[i]];
        int64_t extent = mg_form_extent(s, &(MgIndex){.low = index->low, .high = index->high});
        rest = extent < 0 || rest < 0 ? -1 : rest * (extent % items) % items;
    }
    if (!n)
        return &nest->root;
    axes[0] = mg_nest_add_joined(nest, scope, s->arena, axes, n);
    MgLine *line = mg_nest_add_blocks(s->arena, &nest->root, axes[0], 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_CORE, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, items);
    line->tail = rest ? MG_TAIL_MASK : MG_TAIL_NONE;
    return line;
}

void mg_loops_begin(MgLoops *l, MgKb *kb, const MgPiece *piece) {
    MgIxTable *t = kb->s->ix;
    for (uint32_t i = 0; i < MG_FORM_SYMS; i++) {
        bool used = i < piece->n_indices;
        l->with[i] = mg_ix_idx(t, i);
        l->low[i] = used ? piece->indices[i].low : mg_ix_const(t, 0);
        l->high[i] = used ? piece->indices[i].high : mg_ix_const(t, 1);
        l->loop[i] = i < piece->n_free ? mg_kb_ix(kb, l->low[i], l->loop) : num(kb->k, 0);
    }
}

MgPoint mg_loops_point(const MgLoops *l, MgKb *kb, MgKBlock *block, int vector, uint32_t lanes,
                       const MgKx *mask) {
    MgPoint p = mg_point(kb, kb->unit->ops[0], block, l->with, MG_FORM_SYMS, l->loop,
                         (MgIxRanges){l->low, l->high, MG_FORM_SYMS});
    return mg_vector_of(p, vector, lanes, mask);
}

MgKDigit mg_loops_digit(const MgLoops *l, MgKb *kb, uint32_t index) {
    MgIx extent = mg_ix_sub(kb->s->ix, l->high[index], l->low[index]);
    return (MgKDigit){index, mg_kb_ix(kb, l->low[index], l->loop), mg_kb_ix(kb, extent, l->loop)};
}

MgKBlock *mg_loops_flat(MgLoops *l, MgKb *kb, MgKBlock *block, const uint32_t *which, uint32_t n,
                        MgIx blocks, bool shared, const MgKx **number) {
    enum { NUMBER = MG_FORM_SYMS - 1 };
    MgKernel *k = kb->k;
    MgIxTable *t = kb->s->ix;
    const MgKx *zero = num(k, 0);
    MgKDigit digits[MG_FORM_SYMS];
    MgIx total = blocks;
    for (uint32_t i = 0; i < n; i++) {
        total = mg_ix_mul(t, total, mg_ix_sub(t, l->high[which[i]], l->low[which[i]]));
        digits[i] = mg_loops_digit(l, kb, which[i]);
    }
    if (blocks != mg_ix_const(t, 1))
        digits[n++] = (MgKDigit){NUMBER, zero, mg_kb_ix(kb, blocks, l->loop)};
    const MgKx *all = mg_kb_ix(kb, total, l->loop);
    Loop loop = {shared ? block : mg_kb_alone(kb, block), zero};
    if (shared)
        loop.at = mg_kb_share(kb, &loop.body, "outer", all);
    else if (n)
        loop = each_of(k, loop.body, "outer", all);
    mg_kb_digits(kb, loop.body, digits, n, loop.at, l->loop);
    *number = l->loop[NUMBER];
    return loop.body;
}

MgKBlock *mg_loops_open(MgLoops *l, MgKb *kb, const MgPiece *piece, uint64_t without, MgIx blocks,
                        bool shared, const MgKx **number) {
    uint32_t which[MG_FORM_SYMS], n = 0;
    for (uint32_t i = 0; i < piece->n_free; i++)
        if (!(without >> i & 1) &&
            mg_ix_sub(kb->s->ix, l->high[i], l->low[i]) != mg_ix_const(kb->s->ix, 1))
            which[n++] = i;
    return mg_loops_flat(l, kb, &kb->k->body, which, n, blocks, shared, number);
}
