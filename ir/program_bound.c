// The errors that a program's algorithms add to the interpreter's bounds.
//
// A program's graph has other ops than its source, so bounds over it are not bounds for the source.
// But the difference of two bounds over it, with and without the algorithms, is the error that the
// algorithms add.
#include "ir/program.h"

static uint32_t find_tiled(const MgProgram *p, MgTiledOp *ops) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->sites.len; i++) {
        const MgSite *site = &p->sites.at[i];
        if (site->tiled)
            ops[n++] = (MgTiledOp){site->ops[0], site->tiled};
    }
    return n;
}

static void widen(MgInterpTensor *t, const MgInterpTensor *plain, const MgInterpTensor *tiled,
                  MgArena *arena) {
    t->exempt = mg_arena_copy(arena, t->exempt, t->n, 1);
    if (t->bound)
        t->bound = mg_arena_copy(arena, t->bound, t->n, sizeof *t->bound);
    for (size_t i = 0; i < t->n; i++) {
        if (tiled->exempt[i] && !plain->exempt[i]) // a jump is within its bound now
            t->exempt[i] = 1;
        else if (t->bound && tiled->bound[i] > plain->bound[i])
            t->bound[i] += tiled->bound[i] - plain->bound[i];
    }
}

MgInterpTensor *mg_program_widen(const MgProgram *p, const MgInterpTensor *inputs,
                                 const MgInterpTensor *expected, const MgInterpOptions *options,
                                 MgArena *arena) {
    MgGraph *g = p->graph;
    MgTiledOp *ops = MG_NEW_N(arena, MgTiledOp, p->sites.len + 1);
    MgInterpOptions with = *options;
    with.bounds = true;
    with.n_tiled = 0;
    MgInterpTensor *wide = mg_arena_copy(arena, expected, g->outputs.len, sizeof *wide);
    MgInterpTensor *plain = MG_NEW_N(arena, MgInterpTensor, g->outputs.len + 1);
    MgInterpTensor *tiled = MG_NEW_N(arena, MgInterpTensor, g->outputs.len + 1);
    uint32_t n = find_tiled(p, ops);
    if (!n)
        return wide;
    if (!mg_interp(g, inputs, plain, &with, arena))
        return NULL;
    with.tiled = ops;
    with.n_tiled = n;
    if (!mg_interp(g, inputs, tiled, &with, arena))
        return NULL;
    for (uint32_t k = 0; k < g->outputs.len; k++)
        widen(&wide[k], &plain[k], &tiled[k], arena);
    return wide;
}
