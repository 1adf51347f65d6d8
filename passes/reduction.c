// Reductions of programs. Each function finds its k-th place and changes the graph there; dead code
// is removed afterwards.
#include "passes/reduction.h"

#include "passes/pass.h"
#include "passes/rewrite.h"

static void sweep(MgGraph *g) {
    MgPassContext context = {.scratch = mg_arena_new(mg_arena_mem(g->module->arena)),
                             .machine = mg_machine_usual(),
                             .first = 1,
                             .last = UINT64_MAX};
    mg_pass_dce(g, &context);
    mg_arena_free(context.scratch);
    bool has_weights = false;
    for (MgOpId id = 1; id < g->ops.len; id++)
        has_weights |= mg_op(g, id)->kind == MG_OP_PARAM;
    if (!has_weights)
        g->weights = 0;
}

static bool reduce_graphs(MgGraph *g, uint32_t k) {
    MgModule *m = g->module;
    if (k || m->graphs.len < 2)
        return false;
    m->graphs.at[0] = g;
    m->graphs.len = 1;
    return true;
}

static bool reduce_output(MgGraph *g, uint32_t k) {
    if (g->outputs.len < 2 || k >= g->outputs.len)
        return false;
    memmove(g->outputs.at + k, g->outputs.at + k + 1,
            (g->outputs.len - k - 1) * sizeof *g->outputs.at);
    g->outputs.len--;
    return true;
}

// The k-th live op of the body that computes something, counted from the end, since late ops depend
// on the most.
static MgOpId op_of(MgGraph *g, uint32_t k) {
    const MgRegion *body = mg_region(g, 0);
    for (uint32_t i = body->ops.len; i-- > 0;) {
        const MgOp *op = mg_op(g, body->ops.at[i]);
        if (op->kind != MG_OP_ERASED && op->n_results && !op->dim && k-- == 0)
            return body->ops.at[i];
    }
    return MG_NONE;
}

static bool reduce_early(MgGraph *g, uint32_t k) {
    MgOpId id = op_of(g, k);
    if (!id || !g->outputs.len)
        return false;
    MgValueId v = mg_op(g, id)->results[0];
    g->outputs.at[0] = (MgPort){.value = v, .name = mg_value(g, v)->name, .aliases = -1};
    g->outputs.len = 1;
    return true;
}

// Makes a new input, which takes the result's name and its uses.
static void give_from_outside(MgGraph *g, MgValueId v) {
    const MgValue old = *mg_value(g, v);
    MgNames *names = g->module->session->names;
    MgSym away = mg_unique_name(g, mg_symf(names, "%s_cut", mg_name(names, old.name)));
    MgValueId input = mg_input_new(g, away, old.dtype, old.rank, old.shape, old.origin);
    mg_replace_uses(g, v, input);
    mg_value(g, v)->name = away;
    mg_value(g, input)->name = old.name;
    g->inputs.at[g->inputs.len - 1].name = old.name;
    mg_map_put(&g->value_names, away, v);
    mg_map_put(&g->value_names, old.name, input);
}

static bool reduce_cut(MgGraph *g, uint32_t k) {
    MgOpId id = op_of(g, k);
    if (!id)
        return false;
    for (uint32_t i = 0; i < mg_op(g, id)->n_results; i++)
        give_from_outside(g, mg_op(g, id)->results[i]);
    for (uint32_t i = 0; i < g->outputs.len;) // an output that is an input tells nothing
        if (!mg_value(g, g->outputs.at[i].value)->def && g->outputs.len > 1)
            reduce_output(g, i);
        else
            i++;
    return true;
}

static bool same_type(const MgValue *a, const MgValue *b) {
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, a->rank * sizeof *a->shape);
}

static bool reduce_bypass(MgGraph *g, uint32_t k) {
    MgOpId id;
    for (uint32_t n = 0; (id = op_of(g, n)); n++) {
        const MgOp *op = mg_op(g, id);
        for (uint32_t i = 0; i < op->n_operands && op->n_results == 1; i++)
            if (same_type(mg_value(g, op->operands[i]), mg_value(g, op->results[0])) && k-- == 0) {
                mg_replace_uses(g, op->results[0], op->operands[i]);
                return true;
            }
    }
    return false;
}

typedef struct Parts {
    const MgSx *whole, *found;
    uint32_t k;
} Parts;

static void see_part(void *ctx, const MgSx *x) {
    Parts *p = ctx;
    bool part = x != p->whole && x->dtype == p->whole->dtype && x->kind != MG_SX_IX;
    if (part && !p->found && p->k-- == 0)
        p->found = x;
}

static bool reduce_expression(MgGraph *g, uint32_t k) {
    Parts parts = {.k = k};
    for (MgOpId id = 1; id < g->ops.len; id++) {
        MgOp *op = mg_op(g, id);
        for (uint32_t p = 0; op->kind == MG_OP_EQUATION && p < op->equation->n_pieces; p++) {
            parts.whole = op->equation->pieces[p].expr;
            mg_sx_walk(parts.whole, see_part, &parts);
            if (!parts.found)
                continue;
            op->equation->pieces[p].expr = parts.found;
            MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
            mg_normalise_operands(g, id, scratch);
            mg_arena_free(scratch);
            return true;
        }
    }
    return false;
}

static bool reduce_input(MgGraph *g, uint32_t k) {
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    const uint32_t *uses = mg_use_counts(g, scratch);
    bool found = false;
    for (uint32_t i = 0; i < g->inputs.len && !found; i++)
        if (!uses[g->inputs.at[i].value] && k-- == 0) {
            memmove(g->inputs.at + i, g->inputs.at + i + 1,
                    (g->inputs.len - i - 1) * sizeof *g->inputs.at);
            g->inputs.len--;
            found = true;
        }
    mg_arena_free(scratch);
    return found;
}

bool mg_reduce(MgModule *module, uint32_t graph, MgReduction kind, uint32_t k) {
    static bool (*const reductions[MG_REDUCTIONS])(MgGraph *, uint32_t) = {
        [MG_REDUCE_GRAPHS] = reduce_graphs,        [MG_REDUCE_OUTPUT] = reduce_output,
        [MG_REDUCE_EARLY] = reduce_early,          [MG_REDUCE_CUT] = reduce_cut,
        [MG_REDUCE_BYPASS] = reduce_bypass,        [MG_REDUCE_INPUT] = reduce_input,
        [MG_REDUCE_EXPRESSION] = reduce_expression};
    MgGraph *g = module->graphs.at[graph];
    if (!reductions[kind](g, k))
        return false;
    sweep(g);
    return true;
}
