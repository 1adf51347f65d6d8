// remat: decides whether values that only derivatives read late are kept in memory or recomputed
// there.
//
// Needs: derivatives' origins (#backward); ops are still apart, so a copy may join its readers'
// kernel. Keeps: every value; copies are the same equations over the same operands. Ends: one cut.
//
// Late ops are those of derivatives and the ops that depend on them. For each early value v that
// late ops may read there are two nodes, and the minimum cut of this graph decides all values at
// once:
//
//   source -> in(v)    what computing v once more costs; never, if it may not be repeated
//   in(v) -> out(v)    what keeping v costs: to write and to read it, and the price of its bytes
//   out(u) -> in(v)    never: v, computed late, reads u
//   out(v) -> sink     never: a late op reads v
//
// What crosses a border between two segments of the forward pass is never recomputed if bytes have
// a price (remat_profile.h). If in(v) is on the sink's side, v is recomputed. If only out(v) is, v
// is kept. So the result is minimal (Jain et al., Checkmate, 2020, for the problem; a cut suffices
// if nothing is repeated twice).
#include "passes/remat.h"

#include "ir/rounding.h"
#include "passes/min_cut.h"
#include "passes/remat_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A price at which any arithmetic is cheaper than a byte.
static const double dearest = 1e12;

typedef struct Remat {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    bool *late;         // by op
    bool *free_to_keep; // by value: it is in memory in any case
    bool *decides;      // by value: a late op compares it, so it must be the same number
    uint32_t *node;     // by value: its `in`; `out` follows. 0: it has none
    uint32_t n_nodes;
    double *price;      // by value: of keeping it, in addition to the time
    bool *border;       // by value: a later segment of the forward pass reads it
    MgValueId *outputs; // by value: the output that shares its bytes
    MgMap copies;       // value -> its late copy
} Remat;

bool mg_remat_parse(const char *text, MgRematPlan *plan) {
    static const char *const words[] = {"none", "auto", "all"};
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    *plan = (MgRematPlan){0};
    for (uint32_t i = 0; i < 3; i++)
        if (!strcmp(text ? text : "none", words[i])) {
            *plan = (MgRematPlan){.kind = (MgRemat)i, .price = i == MG_REMAT_ALL ? dearest : 0};
            return true;
        }
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    int64_t n = strtoll(text, &end, 10);
    for (uint32_t i = 0; i < 4; i++)
        if (!strcmp(end, units[i]) && !errno && n <= INT64_MAX >> 10 * i) {
            *plan = (MgRematPlan){.kind = MG_REMAT_BYTES, .bytes = n << 10 * i};
            return true;
        }
    return false;
}

// ---------------------------------------------------------------- what is late

static bool reads_late(const Remat *r, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(r->g, op->operands[i])->def;
        if (def && r->late[def])
            return true;
    }
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(r->g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (reads_late(r, mg_op(r->g, region->ops.at[i])))
                return true;
    }
    return false;
}

static bool find_late(Remat *r) {
    const MgRegion *body = mg_region(r->g, 0);
    bool some = false;
    for (uint32_t i = 0; i < body->ops.len; i++) {
        const MgOp *op = mg_op(r->g, body->ops.at[i]);
        bool computes = op->kind != MG_OP_ERASED && op->kind != MG_OP_CONST &&
                        op->kind != MG_OP_PARAM && op->n_results;
        r->late[body->ops.at[i]] =
            computes && (mg_origin_is_backward(r->g->module, op->origin) || reads_late(r, op));
        some |= r->late[body->ops.at[i]];
    }
    return some;
}

// The time to write the value and read it again.
static double keep_ns(const Remat *r, MgValueId v) {
    return r->free_to_keep[v] ? 0 : 2 * mg_remat_memory_ns(r->context, mg_remat_bytes(r->g, v));
}

// ---------------------------------------------------------------- the cut

static bool may_repeat(const Remat *r, MgOpId id) {
    const MgOp *op = mg_op(r->g, id);
    if (op->kind != MG_OP_EQUATION || op->region || r->decides[op->results[0]] ||
        r->border[op->results[0]])
        return false;
    return !op->equation->has_base; // its base may no longer exist
}

static bool has_node(const Remat *r, MgValueId v) {
    const MgOp *op = mg_def(r->g, v);
    return op && op->region == 0 && !r->late[mg_value(r->g, v)->def] && op->kind != MG_OP_PARAM &&
           op->kind != MG_OP_CONST && op->kind != MG_OP_ERASED;
}

static void add_nodes(Remat *r) {
    r->n_nodes = 2;
    for (MgValueId v = 1; v < r->g->values.len; v++)
        if (has_node(r, v)) {
            r->node[v] = r->n_nodes;
            r->n_nodes += 2;
        }
}

// What it costs to keep each value's bytes: nothing if the peak stays as it is without them.
static void find_prices(Remat *r) {
    const MgRematPlan *plan = r->context->remat;
    double *bytes = MG_NEW_N(r->arena, double, r->g->values.len);
    for (MgValueId v = 1; v < r->g->values.len; v++)
        bytes[v] = r->node[v] && !r->free_to_keep[v] ? mg_remat_bytes(r->g, v) : 0;
    MgRematProfile profile = mg_remat_profile(r->g, r->late, bytes, plan->price > 0, r->arena);
    r->price = MG_NEW_N(r->arena, double, r->g->values.len);
    r->border = profile.border;
    for (MgValueId v = 1; v < r->g->values.len; v++)
        r->price[v] = plan->kind == MG_REMAT_ALL     ? plan->price * bytes[v]
                      : profile.part[v] < plan->part ? plan->price * profile.saves[v]
                                                     : plan->rest_price * profile.saves[v];
}

static void need_late(Remat *r, MgCut *cut, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (r->node[op->operands[i]])
            mg_cut_edge(cut, r->node[op->operands[i]] + 1, 1, MG_CUT_NEVER);
    for (uint32_t k = 0; k < op->n_regions; k++)
        for (uint32_t i = 0; i < mg_region(r->g, op->regions[k])->ops.len; i++)
            need_late(r, cut, mg_op(r->g, mg_region(r->g, op->regions[k])->ops.at[i]));
}

static bool *find_cut(Remat *r) {
    MgCut *cut = mg_cut_new(r->arena, r->n_nodes);
    bool *side = MG_NEW_N(r->arena, bool, r->n_nodes);
    for (MgValueId v = 1; v < r->g->values.len; v++) {
        if (!r->node[v])
            continue;
        MgOpId def = mg_value(r->g, v)->def;
        const MgOp *op = mg_op(r->g, def);
        bool may = may_repeat(r, def);
        mg_cut_edge(cut, 0, r->node[v],
                    may ? mg_remat_repeat_ns(r->g, r->context, op) : MG_CUT_NEVER);
        mg_cut_edge(cut, r->node[v], r->node[v] + 1, keep_ns(r, v) + r->price[v]);
        for (uint32_t i = 0; may && i < op->n_operands; i++)
            if (r->node[op->operands[i]])
                mg_cut_edge(cut, r->node[op->operands[i]] + 1, r->node[v], MG_CUT_NEVER);
    }
    for (uint32_t i = 0; i < mg_region(r->g, 0)->ops.len; i++) {
        MgOpId id = mg_region(r->g, 0)->ops.at[i];
        if (r->late[id])
            need_late(r, cut, mg_op(r->g, id));
    }
    mg_cut_solve(cut, side);
    return side;
}

// ---------------------------------------------------------------- copies

MgValueId mg_remat_copy(MgGraph *g, MgOpId of, const MgValueId *operands, MgOpId before) {
    MgArena *arena = g->module->arena;
    const MgOp op = *mg_op(g, of);
    MgOpId copy = mg_op_new_before(g, before, MG_OP_EQUATION, operands, op.n_operands,
                                   mg_origin_backward(g->module, op.origin));
    MgEquation *e = MG_NEW(arena, MgEquation);
    e->pieces = mg_arena_copy(arena, op.equation->pieces, op.equation->n_pieces, sizeof *e->pieces);
    e->n_pieces = op.equation->n_pieces;
    mg_op(g, copy)->equation = e;
    const MgValue value = *mg_value(g, op.results[0]);
    MgNames *names = g->module->session->names;
    MgSym name = mg_unique_name(g, mg_symf(names, "%s_again", mg_name(names, value.name)));
    return mg_op_result(g, copy, name, value.dtype, value.rank, value.shape);
}

// Makes late copies of v, and of its operands as far as they are recomputed, before the op.
static MgValueId copy_of(Remat *r, const bool *side, MgValueId v, MgOpId before) {
    uint64_t made = mg_map_get(&r->copies, v, 0);
    if (made || !r->node[v] || !side[r->node[v]])
        return made ? (MgValueId)made : v;
    MgOpId def = mg_value(r->g, v)->def;
    const MgOp op = *mg_op(r->g, def);
    MgValueId *operands = mg_arena_copy(r->arena, op.operands, op.n_operands, sizeof *operands);
    for (uint32_t i = 0; i < op.n_operands; i++)
        operands[i] = copy_of(r, side, operands[i], before);
    MgValueId result = mg_remat_copy(r->g, def, operands, before);
    mg_map_put(&r->copies, v, result);
    return result;
}

// Makes the op, and what it holds, read copies.
static void read_copies(Remat *r, const bool *side, MgOpId id, MgOpId before) {
    for (uint32_t i = 0; i < mg_op(r->g, id)->n_operands; i++) {
        MgValueId to = copy_of(r, side, mg_op(r->g, id)->operands[i], before);
        mg_op(r->g, id)->operands[i] = to;
    }
    for (uint32_t k = 0; k < mg_op(r->g, id)->n_regions; k++) {
        MgRegionId region = mg_op(r->g, id)->regions[k];
        for (uint32_t i = 0; i < mg_region(r->g, region)->ops.len; i++)
            read_copies(r, side, mg_region(r->g, region)->ops.at[i], before);
    }
}

static void tell(Remat *r, const bool *side) {
    for (MgValueId v = 1; v < r->g->values.len && r->context->remat_tell; v++) {
        if (!r->node[v] || !side[r->node[v] + 1])
            continue;
        bool again = side[r->node[v]];
        const MgOp *op = mg_op(r->g, mg_value(r->g, v)->def);
        r->context->remat_tell(r->context->edge_ctx, r->g, v, again, mg_remat_bytes(r->g, v),
                               again ? mg_remat_repeat_ns(r->g, r->context, op) : keep_ns(r, v));
    }
}

// ---------------------------------------------------------------- the pass

// Marks the floats on which a jump of the expression depends.
static void find_decisive(Remat *r, const MgOp *op, const MgSx *x, bool decides) {
    if (decides && x->kind == MG_SX_READ)
        r->decides[op->operands[x->operand]] |=
            mg_is_float(mg_value(r->g, op->operands[x->operand])->dtype);
    for (uint32_t i = 0; i < x->n_args; i++)
        find_decisive(r, op, x->args[i], decides || mg_sx_jumps(x) || x->kind == MG_SX_READ);
    if (x->otherwise)
        find_decisive(r, op, x->otherwise, decides);
}

static void find_facts(Remat *r) {
    MgGraph *g = r->g;
    mg_output_bytes(g, r->outputs);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        uint32_t n = op->kind == MG_OP_EQUATION && r->late[id] ? op->equation->n_pieces : 0;
        for (uint32_t i = 0; i < n; i++) {
            const MgPiece *p = &op->equation->pieces[i];
            bool place = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
            find_decisive(r, op, p->expr, place);
            for (uint32_t k = 0; k < mg_value(g, op->results[0])->rank; k++)
                find_decisive(r, op, p->target[k].sub, true);
        }
    }
    for (MgValueId v = 1; v < g->values.len; v++)
        r->free_to_keep[v] = r->outputs[v];
}

// Erases originals that only late ops read.
static void erase_unread(Remat *r, const MgOpId *ops, uint32_t n) {
    uint32_t *uses = mg_use_counts(r->g, r->arena);
    for (uint32_t i = n; i-- > 0;) {
        const MgOp *op = mg_op(r->g, ops[i]);
        if (op->kind != MG_OP_EQUATION || uses[op->results[0]] ||
            !mg_map_find(&r->copies, op->results[0]))
            continue;
        for (uint32_t k = 0; k < op->n_operands; k++)
            uses[op->operands[k]]--;
        mg_op_erase(r->g, ops[i]);
    }
    mg_graph_compact(r->g);
}

bool mg_pass_remat(MgGraph *g, MgPassContext *context) {
    MgArena *arena = context->scratch;
    Remat r = {.g = g, .context = context, .arena = arena};
    if (!context->remat || context->remat->kind == MG_REMAT_NONE)
        return false;
    r.late = MG_NEW_N(arena, bool, g->ops.len);
    if (!find_late(&r))
        return false;
    r.free_to_keep = MG_NEW_N(arena, bool, g->values.len);
    r.decides = MG_NEW_N(arena, bool, g->values.len);
    r.outputs = MG_NEW_N(arena, MgValueId, g->values.len);
    r.node = MG_NEW_N(arena, uint32_t, g->values.len);
    mg_map_init(&r.copies, arena);
    find_facts(&r);
    add_nodes(&r);
    find_prices(&r);
    const bool *side = find_cut(&r);
    tell(&r, side);
    bool changed = false;
    MgRegion body = *mg_region(g, 0);
    MgOpId *ops = mg_arena_copy(arena, body.ops.at, body.ops.len, sizeof *ops);
    for (uint32_t i = 0; i < body.ops.len; i++) {
        uint32_t before = g->ops.len;
        if (!r.late[ops[i]] || !mg_pass_may(context, ops[i]))
            continue;
        read_copies(&r, side, ops[i], ops[i]);
        changed |= g->ops.len > before || r.copies.entries.len;
    }
    if (changed)
        erase_unread(&r, ops, body.ops.len);
    return changed;
}
