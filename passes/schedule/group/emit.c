// Emits what a group computes at one point of its loops, whichever code opens these: reductions,
// and elements in registers, scratch or memory.
#include "passes/schedule/group/group.h"
#include "passes/schedule/riders.h"
#include "passes/schedule/words.h"

#include <stdio.h>

// The type in which a reduction accumulates: f64 for float sums in the interpreter's order, else
// the value's own.
MgDType mg_group_accumulator(const MgScheduleOptions *o, const MgPiece *p) {
    bool sum = mg_reduce_order(p->reducer) == MG_ORDER_SUM;
    bool exact = o->level == 0 || o->strict;
    return sum && exact && mg_is_float(p->expr->dtype) ? MG_F64 : p->expr->dtype;
}

MgPoint mg_group_point(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector,
                       uint32_t lanes, const MgKx *mask) {
    MgPoint p = mg_point(&gr->kb, n->op, block, gr->with, MG_GROUP_LOOPS, gr->loop,
                         (MgIxRanges){gr->low, gr->high, MG_GROUP_LOOPS});
    p = mg_vector_of(p, vector, vector < 0 ? 1 : lanes, mask);
    p.memo_on = gr->n_given > 0;
    if (gr->n_given)
        mg_map_init(&p.memo, gr->s->arena);
    for (uint32_t i = 0; i < gr->n_given; i++)
        if (gr->given[i].nest == n) {
            mg_map_put(&p.memo, (uint64_t)(uintptr_t)gr->given[i].read,
                       (uint64_t)(uintptr_t)gr->given[i].lanes);
            p.inside[p.n_inside++] = gr->given[i].read;
        }
    return p;
}

const MgKx *mg_group_open(MgGroup *gr, MgKBlock **block, uint32_t sym, MgLoopKind kind) {
    MgKernel *k = gr->kb.k;
    char name[16];
    snprintf(name, sizeof name, "i%u", sym);
    const MgKx *low = mg_kb_ix(&gr->kb, gr->low[sym], gr->loop);
    const MgKx *high = mg_kb_ix(&gr->kb, gr->high[sym], gr->loop);
    Loop loop = loop_of(k, *block, kind, name, low, high, 1);
    *block = loop.body;
    return gr->loop[sym] = loop.at;
}

// A nest's element or lanes at the current point: computed, stored if it is used outside, and kept
// in a register or scratch.
void mg_group_emit(MgGroup *gr, const MgGroupNest *n, MgKBlock *block, int vector, uint32_t lanes,
                   const MgKx *mask, bool keep) {
    MgSched *s = gr->s;
    const MgPiece *piece = n->piece;
    const MgValue *result = mg_value(s->g, n->result);
    mg_group_enter(gr, n);
    bool bound = vector >= (int)piece->n_free;
    MgPoint p = mg_group_point(gr, n, block, bound ? -1 : vector, lanes, bound ? NULL : mask);
    const MgKx *x;
    if (mg_piece_reduces(piece)) {
        MgPartial all = mg_group_reduce(gr, n, block, vector, lanes, mask);
        p.block = gr->tail;
        x = mg_group_reduced(gr, n, p.block, all);
    } else
        x = named(gr->kb.k, block, mg_name(s->m->session->names, result->name),
                  mg_point_expr(&p, piece->expr));
    mg_group_settle(gr, n, &p, x, keep);
}

void mg_group_settle(MgGroup *gr, const MgGroupNest *n, MgPoint *p, const MgKx *x, bool keep) {
    MgSched *s = gr->s;
    MgKBlock *block = p->block;
    const MgValue *result = mg_value(s->g, n->result);
    const MgKbValue *scratch = keep ? NULL : mg_kb_local(&gr->kb, n->result);
    if (scratch && !scratch->reg) {
        MgIx address =
            mg_target_address(s, n->piece, n->result, gr->with, MG_GROUP_LOOPS, scratch->depth);
        x = converted(gr->kb.k, result->dtype, x);
        const MgKx *index = p->vector < 0 ? NULL : mg_point_strided(p, address);
        if (!index)
            index = mg_kb_ix(&gr->kb, address, gr->loop);
        if (scratch->base)
            index = add(gr->kb.k, index, mg_ksplat(gr->kb.k, scratch->base, index->type.lanes));
        mg_kstore(gr->kb.k, block, scratch->buf, index,
                  p->vector < 0 ? x : mg_ksplat(gr->kb.k, x, p->lanes), p->mask);
        return;
    }
    if (mg_unit_is_output(gr->unit, n->result))
        mg_point_leave(p, n->result, mg_group_target(gr, n), x);
    if (keep) {
        // A declared type narrower than the compute type rounds the value for readers in the group,
        // too.
        if (x->type.dtype != result->dtype)
            x = cast(gr->kb.k, x->type.dtype, cast(gr->kb.k, result->dtype, x));
        x = named(gr->kb.k, block, "r", x);
        mg_kb_define(&gr->kb, (MgKbValue){.value = n->result, .reg = x});
    }
}

void mg_group_points(void *ctx, MgKBlock *block, const MgKx *mask) {
    MgPoints *b = ctx;
    uint32_t sources = b->gr->kb.sources.len;
    for (uint32_t i = 0; i < b->n; i++)
        mg_group_emit(b->gr, &b->gr->nests[b->first + i], block, b->vector, b->lanes, mask,
                      b->keep);
    mg_kb_forget(&b->gr->kb, sources);
}
