// Makes ops from drafts: numbers indices, collects operands, finds names.
#include "derive/internal.h"

uint32_t mg_draft_index(MgDraft *draft, MgSym name, MgIx low, MgIx high) {
    if (draft->n == MG_DRAFT_INDICES)
        return MG_DRAFT_INDICES;
    draft->at[draft->n] = (MgIndex){name, low, high};
    return draft->n++;
}

void mg_draft_target(MgDraft *draft, uint32_t position) {
    draft->free[draft->n_free++] = position;
    draft->target[draft->rank++] =
        (MgTarget){.sub = mg_derive_ix(draft->d, mg_ix_idx(draft->d->ix, position))};
}

MgIxRanges mg_draft_ranges(const MgDraft *draft) {
    MgIx *low = MG_NEW_N(draft->d->scratch, MgIx, draft->n),
         *high = MG_NEW_N(draft->d->scratch, MgIx, draft->n);
    for (uint32_t i = 0; i < draft->n; i++) {
        low[i] = draft->at[i].low;
        high[i] = draft->at[i].high;
    }
    return (MgIxRanges){low, high, draft->n};
}

// ---------------------------------------------------------------- expressions

const MgSx *mg_derive_ix(MgDerivation *d, MgIx x) {
    return mg_sx_ix(d->m, MG_I64, x);
}

const MgSx *mg_derive_compare(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b) {
    return mg_sx_prim(d->m, prim, MG_BOOL, (const MgSx *[]){a, b}, 2);
}

const MgSx *mg_derive_both(MgDerivation *d, const MgSx *a, const MgSx *b) {
    return a ? mg_sx_prim(d->m, MG_PRIM_AND, MG_BOOL, (const MgSx *[]){a, b}, 2) : b;
}

const MgSx *mg_derive_where(MgDerivation *d, const MgSx *condition, const MgSx *x) {
    const MgSx *args[] = {condition, x, mg_sx_int(d->m, x->dtype, 0)};
    return condition ? mg_sx_prim(d->m, MG_PRIM_WHERE, x->dtype, args, 3) : x;
}

const MgSx *mg_derive_binary(MgDerivation *d, MgPrim prim, const MgSx *a, const MgSx *b) {
    return mg_sx_prim(d->m, prim, a->dtype, (const MgSx *[]){a, b}, 2);
}

// ---------------------------------------------------------------- reads

typedef struct Settle {
    MgDerivation *d;
    MgIxRanges ranges;
    bool may_trap;
} Settle;

static const MgSx *settle(void *ctx, const MgSx *x) {
    Settle *s = ctx;
    MgDerivation *d = s->d;
    if (x->kind != MG_SX_READ)
        return x;
    s->may_trap |= x->bounds == MG_BOUNDS_CHECKED;
    if (x->bounds != MG_BOUNDS_PROVED)
        return x;
    MgValueId operands[] = {x->operand};
    MgOp reader = {.operands = operands};
    MgSx alone = *x;
    alone.operand = 0;
    MgProof inside = mg_read_inside(d->g, &reader, &alone, &s->ranges, d->facts, d->n_facts);
    const MgSx *zero = mg_sx_int(d->m, x->dtype, 0);
    if (inside == MG_REFUTED)
        return zero;
    return inside == MG_PROVED
               ? x
               : mg_sx_read(d->m, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_ELSE, zero);
}

const MgSx *mg_settle_reads(const MgDraft *draft, const MgSx *x, bool *may_trap) {
    Settle s = {draft->d, mg_draft_ranges(draft), false};
    x = mg_sx_rewrite(draft->d->m, x, settle, &s);
    *may_trap = s.may_trap;
    return x;
}

// ---------------------------------------------------------------- ops

static uint32_t operand(void *ctx, uint32_t value) {
    return mg_distinct(((void **)ctx)[1], ((void **)ctx)[0], value);
}

static bool is_taken(MgDerivation *d, const MgIndex *indices, uint32_t n, MgSym name) {
    for (uint32_t i = 0; i < n; i++)
        if (indices[i].name == name)
            return true;
    for (uint32_t i = 1; i < mg_ix_n_syms(d->ix); i++) // dimensions, and trip numbers of loops
        if (mg_ix_sym_name(d->ix, i) == name)
            return true;
    return false;
}

// Makes the piece; its operands are added to those of the equation.
static MgPiece make_piece(const MgDraft *draft, MgDistinct *operands) {
    MgDerivation *d = draft->d;
    MgArena *arena = d->m->arena;
    MgNames *names = d->m->session->names;
    MgIx with[MG_DRAFT_INDICES];
    uint32_t place[MG_DRAFT_INDICES] = {0}, n = draft->n_free + draft->n_bound;
    MgSxMap map = {d->m, with, draft->n, operand, (void *[]){operands, d->scratch}, {0}};
    mg_map_init(&map.done, d->scratch);
    for (uint32_t i = 0; i < draft->n; i++)
        with[i] = mg_ix_idx(d->ix, i);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i < draft->n_free ? draft->free[i] : draft->bound[i - draft->n_free];
        with[at] = mg_ix_idx(d->ix, i);
        place[at] = i;
    }
    MgPiece p = {.n_free = draft->n_free,
                 .n_indices = n,
                 .reducer = draft->n_bound ? draft->reducer : MG_REDUCE_NONE,
                 .scatter = draft->scatter,
                 .write = draft->write,
                 .indices = MG_NEW_N(arena, MgIndex, n),
                 .target = MG_NEW_N(arena, MgTarget, draft->rank)};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i < draft->n_free ? draft->free[i] : draft->bound[i - draft->n_free];
        MgSym index = draft->at[at].name;
        while (is_taken(d, p.indices, i, index))
            index = mg_symf(names, "%s_", mg_name(names, index));
        p.indices[i] = (MgIndex){index, mg_ix_subst_indices(d->ix, draft->at[at].low, with, map.n),
                                 mg_ix_subst_indices(d->ix, draft->at[at].high, with, map.n)};
    }
    for (uint32_t k = 0; k < draft->rank; k++) {
        MgTarget *t = &p.target[k];
        *t = draft->target[k];
        t->sub = mg_sx_map(&map, t->sub);
        t->tuple = mg_arena_copy(arena, t->tuple, t->n_tuple, sizeof *t->tuple);
        for (uint32_t i = 0; i < t->n_tuple; i++)
            t->tuple[i] = place[t->tuple[i]];
    }
    p.expr = mg_sx_map(&map, draft->expr);
    return p;
}

MgValueId mg_drafts_emit(const MgDraft *drafts, uint32_t n, MgValueId base, MgSym name,
                         MgDType dtype, const MgIx *shape) {
    MgDerivation *d = drafts->d;
    MgArena *arena = d->m->arena;
    MgDistinct operands = {0};
    MgPiece *pieces = MG_NEW_N(arena, MgPiece, n);
    for (uint32_t i = 0; i < n; i++)
        pieces[i] = make_piece(&drafts[i], &operands);
    if (base)
        mg_push(d->scratch, &operands, base);
    MgOpId op =
        mg_op_new(d->g, d->region, MG_OP_EQUATION, operands.at, operands.len, d->of->origin);
    MgEquation *e = mg_op(d->g, op)->equation = MG_NEW(arena, MgEquation);
    *e = (MgEquation){.pieces = pieces, .n_pieces = n, .has_base = base};
    return mg_op_result(d->g, op, mg_unique_name(d->g, name), dtype, drafts->rank, shape);
}

MgValueId mg_draft_emit(MgDraft *draft, MgSym name, MgDType dtype, const MgIx *shape) {
    return mg_drafts_emit(draft, 1, MG_NONE, name, dtype, shape);
}
