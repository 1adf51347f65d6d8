// Scatter equations: contributions to computed places, combined by the reducer.
//
// The target first becomes the base or the identity, then contributions are added in row-major
// order of the indices. Free indices that stand alone in a target subscript belong to one worker
// each: no two workers touch one element. Bound indices run in order inside, so results don't
// depend on threads.
#include "passes/schedule/schedule.h"

typedef struct Scatter {
    MgSched *s;
    MgKb *kb;
    const MgPiece *piece;
    MgOpId op;
    MgValueId result, base;
    MgKBufId sum; // where contributions are combined: the target, or scratch of the compute type
    MgDType type; // of its elements
    MgIx with[64], low[64], high[64];
    const MgKx *loop[64];
} Scatter;

// Is free index i a target subscript by itself?
static bool stands_alone(const Scatter *sc, uint32_t i) {
    MgIxTable *t = sc->s->ix;
    uint32_t rank = mg_value(sc->s->g, sc->result)->rank;
    bool alone = false;
    for (uint32_t r = 0; r < rank; r++) {
        const MgSx *sub = sc->piece->target[r].sub;
        if (sub->kind == MG_SX_IX && sub->ix == mg_ix_idx(t, i))
            alone = true;
    }
    return alone;
}

// A sum in 16-bit floats is kept in f32 and rounded once, at the end.
static void choose_sum(Scatter *sc) {
    MgSched *s = sc->s;
    MgDType stored = mg_value(s->g, sc->result)->dtype;
    const MgKx *base;
    sc->sum = mg_kb_value(sc->kb, sc->result);
    sc->type = stored;
    if (mg_dtype(stored)->compute == stored ||
        mg_reducer(sc->piece->reducer)->order != MG_ORDER_SUM)
        return;
    sc->type = mg_dtype(stored)->compute;
    MgIx elements = mg_bound_of(s, mg_value_elements(s->g, sc->result));
    sc->sum = mg_kb_scratch(sc->kb, "sum", sc->type, elements, MG_SCOPE_CALL, &base);
}

// to[i] = from[i] in the type of `to`, one worker a block of elements; from NULL: the identity.
static void emit_copy(Scatter *sc, MgKBlock *block, MgKBufId to, MgDType type,
                      const MgKBufId *from) {
    MgKernel *k = sc->kb->k;
    const MgKx *n = mg_kb_ix(sc->kb, mg_value_elements(sc->s->g, sc->result), sc->loop);
    MgKs *loop = mg_kfor(k, block, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), n, 1);
    const MgKx *i = mg_kvar(k, loop->var), *x;
    if (from)
        x = mg_kload(k, *from, i, 1, NULL, NULL);
    else
        x = mg_reduce_identity(k, sc->piece->reducer, mg_kt(mg_dtype(type)->compute, 1));
    if (x->type.dtype != type)
        x = mg_kcast(k, MG_PRIM_CAST, type, x);
    mg_kstore(k, &loop->body, to, i, x, NULL);
}

// Fills the sum with the base's elements or the identity.
static void emit_fill(Scatter *sc, MgKBlock *block) {
    MgKBufId from = sc->base ? mg_kb_value(sc->kb, sc->base) : 0;
    if (sc->base && from == sc->sum)
        return; // in place
    emit_copy(sc, block, sc->sum, sc->type, sc->base ? &from : NULL);
}
static const MgKx *both(MgKernel *k, const MgKx *a, const MgKx *b) {
    return a ? mg_kprim(k, MG_PRIM_AND, a, b, NULL) : b;
}

// target[subs] = target[subs] combined with expr, at the open point.
static void emit_contribution(Scatter *sc, MgKBlock *block) {
    MgKernel *k = sc->kb->k;
    MgSched *s = sc->s;
    MgPoint p = {.kb = sc->kb,
                 .op = sc->op,
                 .block = block,
                 .with = sc->with,
                 .n_with = 64,
                 .loop = sc->loop,
                 .vector = -1,
                 .lanes = 1,
                 .ranges = {sc->low, sc->high, 64}};
    const MgValue *result = mg_value(s->g, sc->result);
    const MgKx *address = mg_kint(k, 0), *inside = NULL, *outside[64] = {NULL}, *subs[64];
    for (uint32_t r = 0; r < result->rank; r++) {
        const MgKx *extent = mg_kb_ix(sc->kb, result->shape[r], sc->loop);
        const MgKx *sub = mg_klet_x(k, block, "sub", mg_point_expr(&p, sc->piece->target[r].sub));
        if (sc->piece->write != MG_BOUNDS_PROVED) {
            const MgKx *in = both(k, mg_kprim(k, MG_PRIM_GE, sub, mg_kint(k, 0), NULL),
                                  mg_kprim(k, MG_PRIM_LT, sub, extent, NULL));
            inside = both(k, inside, in);
            outside[r] = mg_kprim(k, MG_PRIM_NOT, in, NULL, NULL);
            subs[r] = sub;
        }
        address = mg_kadd(k, mg_kmul(k, address, extent), sub);
    }
    if (inside) {
        inside = mg_klet_x(k, block, "inside", inside);
        MgKs *branch = mg_kif(k, block, inside);
        for (uint32_t r = 0; r < result->rank && sc->piece->write == MG_BOUNDS_CHECKED; r++)
            mg_ktrap(k, &mg_kif(k, &branch->orelse, outside[r])->body,
                     mg_kb_trap_subscript(sc->kb, sc->op, sc->result, r), subs[r]);
        p.block = block = &branch->body;
        p.memo_on = false;
    }
    address = mg_klet_x(k, block, "at", address);
    const MgKx *x = mg_point_expr(&p, sc->piece->expr);
    if (sc->piece->reducer != MG_REDUCE_LAST) {
        const MgKx *old = mg_kload(k, sc->sum, address, 1, NULL, NULL);
        if (sc->type != x->type.dtype)
            old = mg_kcast(k, MG_PRIM_CAST, x->type.dtype, old);
        x = mg_reduce_step(k, sc->piece->reducer, old, x);
    }
    if (sc->type != x->type.dtype)
        x = mg_kcast(k, MG_PRIM_CAST, sc->type, x);
    mg_kstore(k, block, sc->sum, address, x, NULL);
}

bool mg_schedule_scatter(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    if (unit->n_ops != 1 || op->kind != MG_OP_EQUATION || !op->equation->pieces[0].scatter)
        return false;
    MgKb kb;
    mg_kb_begin(&kb, s, unit, "scatter");
    Scatter sc = {.s = s,
                  .kb = &kb,
                  .piece = &op->equation->pieces[0],
                  .op = unit->ops[0],
                  .result = op->results[0]};
    sc.base = op->equation->has_base ? op->operands[op->n_operands - 1] : MG_NONE;
    for (uint32_t i = 0; i < 64; i++) {
        bool used = i < sc.piece->n_indices;
        sc.with[i] = mg_ix_idx(s->ix, i);
        sc.low[i] = used ? sc.piece->indices[i].low : mg_ix_const(s->ix, 0);
        sc.high[i] = used ? sc.piece->indices[i].high : mg_ix_const(s->ix, 1);
        sc.loop[i] = mg_kint(kb.k, 0);
    }
    MgKernel *k = kb.k;
    choose_sum(&sc);
    emit_fill(&sc, &k->body);
    mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    MgKBlock *block = &k->body;
    bool shared = false;
    for (int pass = 0; pass < 2;
         pass++) // an index that stands alone goes outermost and is shared out
        for (uint32_t i = 0; i < sc.piece->n_indices; i++) {
            bool first = !shared && pass == 0 && i < sc.piece->n_free && stands_alone(&sc, i);
            if (pass == 0 ? !first : sc.loop[i]->kind == MG_KX_VAR)
                continue;
            if (pass == 1 && !shared) {
                const MgKx *mine =
                    mg_kprim(k, MG_PRIM_EQ, mg_kspecial(k, MG_KX_WORKER), mg_kint(k, 0), NULL);
                block = &mg_kif(k, block, mine)->body;
                shared = true;
            }
            MgKs *f =
                mg_kfor(k, block, first ? MG_LOOP_PARALLEL : MG_LOOP_SERIAL, "i",
                        mg_kb_ix(&kb, sc.low[i], sc.loop), mg_kb_ix(&kb, sc.high[i], sc.loop), 1);
            sc.loop[i] = mg_kvar(k, f->var);
            block = &f->body;
            shared = true;
        }
    emit_contribution(&sc, block);
    MgKBufId target = mg_kb_value(&kb, sc.result);
    if (sc.sum != target) {
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
        emit_copy(&sc, &k->body, target, mg_value(s->g, sc.result)->dtype, &sc.sum);
    }
    mg_kb_end(&kb, plan, unit->ops[0]);
    return true;
}
