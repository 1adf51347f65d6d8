// An anchor (a contraction, a window, an attention) and the elementwise equations after it: do they
// fit, and how are they applied to the anchor's finished value at one point or a vector of points?
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

MgIx mg_unit_target(MgSched *s, MgOpId op, const MgIx *with, uint32_t n_with) {
    const MgOp *o = mg_op(s->g, op);
    return mg_target_address(s, &o->equation->pieces[0], o->results[0], with, n_with, 0);
}

bool mg_unit_has_epilogue(MgSched *s, const MgUnit *unit) {
    MgGraph *g = s->g;
    const MgPiece *first = &mg_op(g, unit->ops[0])->equation->pieces[0];
    for (uint32_t o = 0; o < unit->n_ops; o++) {
        const MgOp *op = mg_op(g, unit->ops[o]);
        const MgPiece *p = mg_only_piece(op);
        if (!p)
            return false;
        uint32_t rank = mg_value(g, op->results[0])->rank;
        if (p->n_free != first->n_free || !mg_same_box(first, p, p->n_free) || p->scatter ||
            (o && (mg_piece_reduces(p) || rank != p->n_free)))
            return false;
        for (uint32_t i = 0; o && i < rank; i++)
            if (p->target[i].sub->kind != MG_SX_IX || p->target[i].sub->ix != mg_ix_idx(s->ix, i))
                return false;
    }
    return mg_unit_reads_in_place(s, unit, first->n_free);
}

// Finishes the value x of an op at the point: stores it if it is used outside the unit, and returns
// it rounded to the declared type, as its readers see it.
static const MgKx *settle(MgPoint *p, const MgKx *x) {
    MgKb *kb = p->kb;
    MgKernel *k = kb->k;
    MgValueId result = mg_op(kb->s->g, p->op)->results[0];
    MgDType storage = mg_value(kb->s->g, result)->dtype;
    x = named(k, p->block, "x", mg_ksplat(k, x, p->lanes));
    if (mg_unit_is_output(kb->unit, result))
        mg_point_store(p, mg_kb_value(kb, result), storage,
                       mg_unit_target(kb->s, p->op, p->with, p->n_with), x);
    if (x->type.dtype == storage)
        return x;
    x = cast(k, x->type.dtype, cast(k, storage, x));
    return named(k, p->block, "x", x);
}

static const MgPiece *piece_of(const MgPoint *p) {
    return &mg_op(p->kb->s->g, p->op)->equation->pieces[0];
}

void mg_kb_epilogue(const MgPoint *at, const MgKx *x) {
    MgKb *kb = at->kb;
    uint32_t locals = kb->sources.len;
    for (uint32_t o = kb->anchor; o < kb->unit->n_ops; o++) {
        MgPoint p = *at;
        p.op = kb->unit->ops[o];
        p.memo_on = false;
        x = settle(&p, o > kb->anchor ? mg_point_expr(&p, piece_of(&p)->expr) : x);
        mg_kb_define(kb, (MgKbValue){.value = mg_op(kb->s->g, p.op)->results[0], .reg = x});
    }
    mg_kb_forget(kb, locals);
}

// ---------------------------------------------------------------- rows
typedef struct RowEnd {
    MgKb *kb;
    const MgPoint *at;
    uint32_t n, locals;
    MG_VEC(const MgKx *) values; // n values of each op so far
} RowEnd;

// The point of op o at the row's vector v, at which earlier values can be read.
static MgPoint open_vector(RowEnd *e, uint32_t o, uint32_t v) {
    MgKb *kb = e->kb;
    MgPoint p = e->at[v];
    p.op = kb->unit->ops[o];
    p.memo_on = false;
    mg_kb_forget(kb, e->locals);
    for (uint32_t i = 0; i < o; i++)
        mg_kb_define(kb, (MgKbValue){.value = mg_op(kb->s->g, kb->unit->ops[i])->results[0],
                                     .reg = e->values.at[i * e->n + v]});
    return p;
}

// Reduces the whole row to one value.
static const MgKx *reduce_row(RowEnd *e, uint32_t o) {
    MgKernel *k = e->kb->k;
    const MgKx *all = NULL;
    MgPoint p = open_vector(e, o, 0);
    const MgPiece *piece = piece_of(&p);
    for (uint32_t v = 0; v < e->n; v++) {
        p = open_vector(e, o, v);
        const MgKx *x = mg_ksplat(k, mg_point_expr(&p, piece->expr), p.lanes);
        if (p.mask)
            x = where(k, p.mask, x, mg_reduce_identity(k, piece->reducer, x->type));
        x = named(k, p.block, "x", x);
        all = all ? named(k, p.block, "x", mg_reduce_step(k, piece->reducer, all, x)) : x;
    }
    all = mg_kfold(k, mg_reduce_prim(piece->reducer), all);
    int64_t points = mg_ix_const_or(e->kb->s->ix, piece->indices[piece->n_free].high, 1);
    if (piece->reducer == MG_REDUCE_MEAN)
        all = bin(k, MG_PRIM_DIV, all, mg_kfloat(k, all->type, (double)points));
    return named(k, p.block, "r", all);
}

void mg_kb_row_end(const MgPoint *at, uint32_t n, const MgKx *const *x) {
    MgKb *kb = at->kb;
    RowEnd e = {.kb = kb, .at = at, .n = n, .locals = kb->sources.len};
    MgPoint p = {.kb = kb, .op = kb->unit->ops[0]};
    uint32_t axes = piece_of(&p)->n_free;
    for (uint32_t o = 0; o < kb->unit->n_ops; o++) {
        p = open_vector(&e, o, 0);
        const MgPiece *piece = piece_of(&p);
        if (piece->n_free == axes) {
            for (uint32_t v = 0; v < n; v++) {
                p = open_vector(&e, o, v);
                const MgKx *own = o ? mg_point_expr(&p, piece->expr) : x[v];
                mg_push(kb->s->arena, &e.values, settle(&p, own));
            }
            continue;
        }
        p.vector = -1; // one value per row
        p.lanes = 1;
        p.mask = NULL;
        bool reduces = mg_piece_reduces(piece);
        const MgKx *own = reduces ? reduce_row(&e, o) : mg_point_expr(&p, piece->expr);
        own = settle(&p, own);
        for (uint32_t v = 0; v < n; v++)
            mg_push(kb->s->arena, &e.values, own);
    }
    mg_kb_forget(kb, e.locals);
}
