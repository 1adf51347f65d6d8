// Small questions about equations; see equation.h.
#include "ir/equation.h"

MgIxRanges mg_piece_ranges(const MgPiece *piece, MgArena *arena) {
    MgIx *low = MG_NEW_N(arena, MgIx, piece->n_indices),
         *high = MG_NEW_N(arena, MgIx, piece->n_indices);
    for (uint32_t i = 0; i < piece->n_indices; i++) {
        low[i] = piece->indices[i].low;
        high[i] = piece->indices[i].high;
    }
    return (MgIxRanges){low, high, piece->n_indices};
}

MgIx mg_row_major(MgGraph *g, MgValueId v, const MgIx *subs) {
    const MgValue *value = mg_value(g, v);
    MgIxTable *t = g->module->ix;
    MgIx at = mg_ix_const(t, 0);
    for (uint32_t i = 0; i < value->rank; i++)
        at = mg_ix_add(t, mg_ix_mul(t, at, value->shape[i]), subs[i]);
    return at;
}

bool mg_read_subs(const MgSx *read, MgIx *subs) {
    for (uint32_t i = 0; i < read->n_args; i++) {
        if (read->args[i]->kind != MG_SX_IX)
            return false;
        subs[i] = read->args[i]->ix;
    }
    return true;
}

bool mg_sx_mentions(const MgModule *m, const MgSx *x, uint32_t position) {
    if (x->kind == MG_SX_IX)
        return mg_ix_mentions(m->ix, x->ix, mg_ix_index(m->ix, position));
    for (uint32_t i = 0; i < x->n_args; i++)
        if (mg_sx_mentions(m, x->args[i], position))
            return true;
    return x->otherwise && mg_sx_mentions(m, x->otherwise, position);
}

bool mg_piece_is_plain(MgGraph *g, const MgPiece *piece, MgValueId result) {
    const MgValue *v = mg_value(g, result);
    MgIxTable *t = g->module->ix;
    if (piece->n_free != v->rank || piece->scatter)
        return false;
    for (uint32_t i = 0; i < v->rank; i++)
        if (piece->target[i].n_tuple || piece->target[i].sub->kind != MG_SX_IX ||
            piece->target[i].sub->ix != mg_ix_idx(t, i) ||
            piece->indices[i].low != mg_ix_const(t, 0) || piece->indices[i].high != v->shape[i])
            return false;
    return true;
}

bool mg_piece_is_scanned(const MgModule *m, const MgPiece *piece) {
    for (uint32_t i = 0; i < piece->n_indices; i++)
        if (mg_ix_mentions_index(m->ix, piece->indices[i].low) ||
            mg_ix_mentions_index(m->ix, piece->indices[i].high))
            return true;
    return false;
}
