// Fixed rounding; see rounding.h. Exactness flows forward through the graph, decisiveness backward.
// Loops are walked until nothing changes: values only ever lose exactness and only gain
// decisiveness.
#include "ir/rounding.h"

typedef struct Walk {
    MgGraph *g;
    MgArena *arena;
    MgRounding *r;
    bool changed, loops;
} Walk;

// ---------------------------------------------------------------- forward: what is exact

typedef struct Nodes {
    const MgRounding *r;
    const MgOp *op;
    MgMap *exact;
} Nodes;

// A backend chooses the sign of a zero that max and min return, and a bitcast makes it visible.
static bool shows_bits(const MgSx *x) {
    return x->prim == MG_PRIM_BITCAST && mg_is_float(x->args[0]->dtype);
}

static void see_exact(void *ctx, const MgSx *x) {
    Nodes *n = ctx;
    bool exact = x->kind == MG_SX_READ ? n->r->exact[n->op->operands[x->operand]]
                 : x->kind == MG_SX_PRIM
                     ? mg_prim(x->prim)->kind != MG_KIND_APPROX && !shows_bits(x)
                     : true;
    for (uint32_t i = 0; i < x->n_args; i++)
        exact &= mg_sx_in(n->exact, x->args[i]);
    if (x->otherwise)
        exact &= mg_sx_in(n->exact, x->otherwise);
    if (exact)
        mg_map_put(n->exact, (uint64_t)(uintptr_t)x, 1);
}

void mg_rounding_exact(const MgRounding *r, MgGraph *g, MgOpId id, MgMap *exact) {
    const MgOp *op = mg_op(g, id);
    Nodes n = {r, op, exact};
    uint32_t rank = mg_value(g, op->results[0])->rank;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        const MgPiece *p = &op->equation->pieces[i];
        mg_sx_walk(p->expr, see_exact, &n);
        for (uint32_t d = 0; d < rank; d++)
            mg_sx_walk(p->target[d].sub, see_exact, &n);
    }
}

// A backend chooses the order in which a sum or product of floats rounds.
static bool reduces_exactly(const MgPiece *p) {
    return p->reducer == MG_REDUCE_NONE || !mg_is_float(p->expr->dtype) ||
           mg_reduce_order(p->reducer) != MG_ORDER_SUM;
}

static bool equation_exact(const MgRounding *r, MgGraph *g, MgOpId id, MgArena *scratch) {
    const MgOp *op = mg_op(g, id);
    const MgEquation *e = op->equation;
    MgMap nodes;
    mg_map_init(&nodes, scratch);
    mg_rounding_exact(r, g, id, &nodes);
    bool exact = !e->has_base || r->exact[op->operands[op->n_operands - 1]];
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        const MgPiece *p = &e->pieces[i];
        exact &= reduces_exactly(p) && mg_sx_in(&nodes, p->expr);
        for (uint32_t d = 0; d < mg_value(g, op->results[0])->rank; d++)
            exact &= mg_sx_in(&nodes, p->target[d].sub);
    }
    return exact;
}

static void lose(Walk *w, MgValueId v, bool exact) {
    w->changed |= w->r->exact[v] && !exact;
    w->r->exact[v] &= exact;
}

static const MgOp *yield_of(Walk *w, MgRegionId region) {
    const MgRegion *r = mg_region(w->g, region);
    for (uint32_t i = r->ops.len; i-- > 0;)
        if (mg_op(w->g, r->ops.at[i])->kind == MG_OP_YIELD)
            return mg_op(w->g, r->ops.at[i]);
    return NULL;
}

// Operand i of the yield of an op's region; MG_NONE if there is none.
static MgValueId yielded(Walk *w, const MgOp *op, uint32_t region, uint32_t i) {
    const MgOp *y = region < op->n_regions ? yield_of(w, op->regions[region]) : NULL;
    return y && i < y->n_operands ? y->operands[i] : MG_NONE;
}

static bool is_exact(Walk *w, MgValueId v) {
    return v == MG_NONE || w->r->exact[v];
}

// A carried value is exact if it is exact before the loop and after every trip.
static void lose_carried(Walk *w, const MgOp *op) {
    for (uint32_t k = 0; k < op->loop->n_carried; k++) {
        bool exact = is_exact(w, op->operands[k]) && is_exact(w, yielded(w, op, 0, k));
        for (uint32_t i = 0; i < op->n_regions; i++) {
            const MgRegion *r = mg_region(w->g, op->regions[i]);
            if (k < r->params.len)
                lose(w, r->params.at[k], exact);
        }
    }
    w->loops = true;
}

static void forward(Walk *w, MgRegionId region);

static void forward_op(Walk *w, MgOpId id) {
    const MgOp *op = mg_op(w->g, id);
    if (op->kind == MG_OP_LOOP)
        lose_carried(w, op);
    for (uint32_t i = 0; i < op->n_regions; i++)
        forward(w, op->regions[i]);
    bool exact = op->kind != MG_OP_EQUATION || equation_exact(w->r, w->g, id, w->arena);
    if (op->kind == MG_OP_LOOP && op->loop->has_while)
        exact = is_exact(w, yielded(w, op, 1, 0));
    for (uint32_t i = 0; i < op->n_operands && (op->kind == MG_OP_BUILTIN || op->kind == MG_OP_IF);
         i++)
        exact &= is_exact(w, op->operands[i]);
    for (uint32_t k = 0; k < op->n_results; k++) {
        bool one = exact;
        for (uint32_t i = 0; i < op->n_regions && !(op->kind == MG_OP_LOOP && i); i++)
            one &= is_exact(w, yielded(w, op, i, k));
        if (op->kind == MG_OP_LOOP && k < op->loop->n_carried)
            one &= is_exact(w, op->operands[k]);
        lose(w, op->results[k], one);
    }
}

static void forward(Walk *w, MgRegionId region) {
    for (uint32_t i = 0; i < mg_region(w->g, region)->ops.len; i++) {
        MgOpId id = mg_region(w->g, region)->ops.at[i];
        if (mg_op(w->g, id)->kind != MG_OP_ERASED)
            forward_op(w, id);
    }
}

// ---------------------------------------------------------------- backward: what decides

bool mg_sx_jumps(const MgSx *x) {
    if (x->kind != MG_SX_PRIM || !x->n_args)
        return false;
    bool floats = mg_is_float(x->args[x->n_args - 1]->dtype);
    if (x->prim == MG_PRIM_CAST)
        return floats && !mg_is_float(x->dtype);
    return floats && (mg_prim(x->prim)->kind == MG_KIND_JUMP || shows_bits(x));
}

typedef struct Decide {
    const MgRounding *r;
    const MgOp *op;
    const MgMap *exact;
    MgMap *fixed;
    bool *gained; // by operand
} Decide;

static void decide(Decide *d, const MgSx *x, bool decisive) {
    decisive = decisive && mg_sx_in(d->exact, x);
    if (decisive)
        mg_map_put(d->fixed, (uint64_t)(uintptr_t)x, 1);
    if (decisive && x->kind == MG_SX_READ)
        d->gained[x->operand] = true;
    for (uint32_t i = 0; i < x->n_args; i++)
        decide(d, x->args[i], decisive || mg_sx_jumps(x) || x->kind == MG_SX_READ);
    if (x->otherwise)
        decide(d, x->otherwise, decisive);
}

static bool *decide_equation(const MgRounding *r, MgGraph *g, MgOpId id, MgMap *fixed) {
    const MgOp *op = mg_op(g, id);
    MgMap exact;
    mg_map_init(&exact, fixed->arena);
    mg_rounding_exact(r, g, id, &exact);
    Decide d = {r, op, &exact, fixed, MG_NEW_N(fixed->arena, bool, op->n_operands + 1)};
    bool decisive = r->decisive[op->results[0]];
    for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
        const MgPiece *p = &op->equation->pieces[i];
        bool place = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
        decide(&d, p->expr, decisive || place);
        for (uint32_t k = 0; k < mg_value(g, op->results[0])->rank; k++)
            decide(&d, p->target[k].sub, true);
    }
    if (op->equation->has_base)
        d.gained[op->n_operands - 1] |= decisive;
    return d.gained;
}

void mg_rounding_fixed(const MgRounding *r, MgGraph *g, MgOpId op, MgMap *fixed) {
    decide_equation(r, g, op, fixed);
}

static void gain(Walk *w, MgValueId v, bool decisive) {
    if (v == MG_NONE || !decisive || !w->r->exact[v])
        return;
    w->changed |= !w->r->decisive[v];
    w->r->decisive[v] = true;
}

static void gain_carried(Walk *w, const MgOp *op) {
    for (uint32_t k = 0; k < op->loop->n_carried; k++) {
        bool decisive = w->r->decisive[op->results[k]];
        for (uint32_t i = 0; i < op->n_regions; i++) {
            const MgRegion *r = mg_region(w->g, op->regions[i]);
            decisive |= k < r->params.len && w->r->decisive[r->params.at[k]];
        }
        gain(w, op->operands[k], decisive);
        gain(w, yielded(w, op, 0, k), decisive);
    }
}

static void backward(Walk *w, MgRegionId region);

static void backward_op(Walk *w, MgOpId id) {
    const MgOp *op = mg_op(w->g, id);
    for (uint32_t i = 0; i < op->n_regions; i++)
        for (uint32_t k = 0; k < op->n_results; k++)
            gain(w, yielded(w, op, i, k), w->r->decisive[op->results[k]]);
    if (op->kind == MG_OP_LOOP)
        gain_carried(w, op);
    for (uint32_t i = op->n_regions; i-- > 0;)
        backward(w, op->regions[i]);
    if (op->kind == MG_OP_EQUATION) {
        MgMap fixed;
        mg_map_init(&fixed, w->arena);
        const bool *gained = decide_equation(w->r, w->g, id, &fixed);
        for (uint32_t i = 0; i < op->n_operands; i++)
            gain(w, op->operands[i], gained[i]);
    }
    for (uint32_t i = 0; i < op->n_operands && op->kind == MG_OP_BUILTIN; i++)
        gain(w, op->operands[i], true);
}

static void backward(Walk *w, MgRegionId region) {
    for (uint32_t i = mg_region(w->g, region)->ops.len; i-- > 0;) {
        MgOpId id = mg_region(w->g, region)->ops.at[i];
        if (mg_op(w->g, id)->kind != MG_OP_ERASED)
            backward_op(w, id);
    }
}

MgRounding mg_rounding(MgGraph *g, MgArena *arena) {
    MgRounding r = {MG_NEW_N(arena, bool, g->values.len + 1),
                    MG_NEW_N(arena, bool, g->values.len + 1)};
    memset(r.exact, true, g->values.len + 1);
    Walk w = {.g = g, .arena = mg_arena_new(mg_arena_mem(arena)), .r = &r};
    do {
        w.changed = false;
        forward(&w, 0);
    } while (w.changed && w.loops);
    do {
        w.changed = false;
        backward(&w, 0);
    } while (w.changed && w.loops);
    mg_arena_free(w.arena);
    return r;
}
