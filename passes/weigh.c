// weigh: a sum of products whose weights are computed from other products gets these steps for
// itself, so that its kernel computes the weights and no kernel keeps them. What is the same for
// all keys, or for all rows, leaves the steps (weigh_rows.c).
//
// Needs: remat, which decides what derivatives keep. Keeps: every value; copies are the same
// equations over the same operands. Ends: each sum is looked at twice.
//
// The derivative of attention has three such sums, over weights or over the scores' derivatives:
// those of the queries, the keys and the values. Together they multiply eight times instead of
// five, but matrix units do this in less time than it takes to move one (row, key) value: Dao et
// al., FlashAttention, 2022. fuse makes one op of each sum.
#include "passes/weigh.h"
#include "passes/exact.h"
#include "passes/remat.h"

enum {
    LANES = 8,    // of 16 bits in a vector
    WIDEST = 128, // elements of a factor's row
    BLOCK = 64    // rows, or keys, that a group has at once
};

// ---------------------------------------------------------------- costs

typedef struct Straight { // do all reads of a step's factor move by one along a symbol, or not?
    MgGraph *g;
    const MgAttention *a;
    const MgAttentionStep *step;
    uint64_t along; // the set of this symbol
    bool ok;
} Straight;

static void note_read(void *ctx, const MgSx *x) {
    Straight *s = ctx;
    MgIxTable *t = s->g->module->ix;
    MgIx subs[64], rest;
    int64_t by = 0;
    if (x->kind != MG_SX_READ || !s->ok)
        return;
    s->ok = mg_read_subs(x, subs);
    for (uint32_t i = 0; s->ok && i < x->n_args; i++)
        subs[i] = mg_ix_subst_indices(t, subs[i], s->step->with, MG_ATTENTION_SYMBOLS);
    MgIx at = s->ok ? mg_row_major(s->g, mg_op(s->g, s->step->op)->operands[x->operand], subs) : 0;
    for (uint32_t i = 0; s->ok && i < s->a->n_symbols; i++)
        if (s->along >> i & 1)
            s->ok = mg_ix_steps(t, at, mg_ix_index(t, i), &by, &rest) && (by == 1 || by == 0);
}

// Do matrix units take a factor as it lies: are its rows whole vectors?
static bool lies(MgGraph *g, const MgAttention *a, uint32_t step, const MgSx *x, uint64_t along) {
    int64_t n = 0;
    bool single = along && !(along & (along - 1));
    for (uint32_t i = 0; i < a->n_symbols; i++)
        if ((along >> i & 1) && !mg_ix_is_const(g->module->ix, a->extent[i], &n))
            return false;
    Straight s = {g, a, &a->steps[step], along, single && n % LANES == 0 && n <= WIDEST};
    mg_sx_walk(x, note_read, &s);
    return s.ok;
}

static bool all_lie(MgGraph *g, const MgAttention *a) {
    bool ok = lies(g, a, a->values, a->v, a->columns);
    for (uint32_t i = 0; i < a->n_products && ok; i++) {
        const MgAttentionProduct *p = &a->products[i];
        ok = lies(g, a, p->step, p->q, p->depth) && lies(g, a, p->step, p->k, p->depth);
    }
    return ok;
}

// Are the factors of all products exact in 16 bits? Others are split, if the machine does that.
static bool are_narrow(MgGraph *g, const MgAttention *a) {
    bool are = mg_sx_are_exact_in_16(g, mg_op(g, a->steps[a->values].op), a->weight, a->v);
    for (uint32_t i = 0; i < a->n_products && are; i++) {
        const MgAttentionProduct *p = &a->products[i];
        are = mg_sx_are_exact_in_16(g, mg_op(g, a->steps[p->step].op), p->q, p->k);
    }
    return are;
}

// Do rows, and two blocks of keys and of values, fit into local memory?
static bool fits(MgGraph *g, const MgAttention *a, const MgMachine *machine) {
    int64_t elements = 2 * mg_attention_likely_size(g, a, a->columns);
    for (uint32_t i = 0; i < a->n_products; i++)
        elements += 3 * mg_attention_likely_size(g, a, a->products[i].depth);
    double most = machine->local_most > 0 ? machine->local_most : machine->local_size;
    return (double)(elements * BLOCK * (are_narrow(g, a) ? 2 : 4)) <= most;
}

// Could a kernel by matrix units compute the weights?
static bool suit(MgGraph *g, const MgPassContext *context, const MgAttention *a) {
    const MgMachine *machine = context->machine;
    return context->gpu && !context->strict && mg_machine_has_units(machine) &&
           (double)mg_attention_likely_size(g, a, a->rows) >= machine->attention_rows &&
           (double)mg_attention_likely_size(g, a, a->keys) >= machine->attention_least &&
           all_lie(g, a) && (mg_machine_splits(machine) || are_narrow(g, a));
}

// Which steps have readers that need the original? Steps follow those that they read. Returns
// whether there are any.
static bool find_shared(MgGraph *g, const MgAttention *a, const uint32_t *uses, bool *copied) {
    bool any = false;
    copied[a->values] = false;
    for (uint32_t s = a->values; s-- > 0;) {
        MgValueId v = mg_op(g, a->steps[s].op)->results[0];
        uint32_t own = 0;
        for (uint32_t i = s + 1; i < a->n_steps; i++) {
            const MgOp *op = mg_op(g, a->steps[i].op);
            for (uint32_t k = 0; k < op->n_operands && !copied[i]; k++)
                own += op->operands[k] == v;
        }
        copied[s] = uses[v] > own;
        any |= copied[s];
    }
    return any;
}

// The step that makes v; UINT32_MAX: none does.
static uint32_t step_of(MgGraph *g, const MgAttention *a, MgValueId v) {
    for (uint32_t s = 0; s < a->n_steps; s++)
        if (mg_op(g, a->steps[s].op)->results[0] == v)
            return s;
    return UINT32_MAX;
}

// The bytes that a step reads besides the values of other steps, such as an array of rows and keys
// that stays in memory.
static double bytes_read(MgGraph *g, const MgAttention *a, uint32_t step) {
    const MgOp *op = mg_op(g, a->steps[step].op);
    double bytes = 0;
    for (uint32_t k = 0; k < op->n_operands; k++)
        bytes +=
            step_of(g, a, op->operands[k]) == UINT32_MAX ? mg_remat_bytes(g, op->operands[k]) : 0;
    return bytes;
}

bool mg_weigh_pays(MgGraph *g, const MgPassContext *context, const MgAttention *a,
                   const uint32_t *uses) {
    double again = 0, bytes = 0;
    bool copied[MG_ATTENTION_STEPS];
    find_shared(g, a, uses, copied);
    for (uint32_t s = 0; s < a->values; s++) {
        const MgOp *op = mg_op(g, a->steps[s].op);
        bool product = a->steps[s].role == MG_ATTENTION_SCORES;
        bytes += product ? mg_remat_bytes(g, op->results[0]) : 0;
        if (copied[s])
            again += product ? mg_remat_product_ns(g, context, op)
                             : mg_remat_memory_ns(context, bytes_read(g, a, s));
    }
    return again < context->machine->weigh_share * mg_remat_memory_ns(context, 2 * bytes) &&
           suit(g, context, a) && fits(g, a, context->machine);
}

// ---------------------------------------------------------------- copies

typedef struct Weigh {
    MgGraph *g;
    MgPassContext *context;
    MgAttention a;
    bool own;             // its kernel computes the weights
    const uint32_t *uses; // of each value; NULL: not counted since the graph changed
    bool copied[MG_ATTENTION_STEPS];
} Weigh;

static void copy_shared(Weigh *w) {
    MgGraph *g = w->g;
    MgOpId last = w->a.steps[w->a.values].op;
    MgValueId made[MG_ATTENTION_STEPS] = {0};
    for (uint32_t s = 0; s < w->a.n_steps; s++) {
        const MgOp op = *mg_op(g, w->a.steps[s].op);
        MgValueId *operands =
            mg_arena_copy(g->module->arena, op.operands, op.n_operands, sizeof *operands);
        for (uint32_t k = 0; k < op.n_operands; k++) {
            uint32_t read = step_of(w->g, &w->a, op.operands[k]);
            operands[k] = read < UINT32_MAX && made[read] ? made[read] : operands[k];
        }
        if (w->copied[s]) {
            made[s] = mg_remat_copy(g, w->a.steps[s].op, operands, last);
            mg_op(g, mg_value(g, made[s])->def)->origin = op.origin;
        } else {
            mg_op(g, w->a.steps[s].op)->operands = operands;
            if (s != w->a.values)
                mg_op_move_before(g, w->a.steps[s].op, last); // behind the copies that it reads
        }
    }
}

// Is op a sum over computed weights, for which matrix units are suited? Sets own if its kernel
// should compute them. A softmax has a kernel that finds its rows' sums as well.
static bool is_weighted(Weigh *w, MgOpId id) {
    const char *why;
    MgAttention a;
    bool found = false;
    w->own = false;
    if (mg_op(w->g, id)->kind != MG_OP_EQUATION)
        return false;
    for (uint32_t i = 0; i < 2 && !w->own; i++)
        if (mg_attention_find_weighted(w->g, id, i, NULL, &a) && suit(w->g, w->context, &a)) {
            w->a = a;
            w->uses = w->uses ? w->uses : mg_use_counts(w->g, w->context->scratch);
            w->own = mg_weigh_pays(w->g, w->context, &a, w->uses);
            found = true;
        }
    return found && !mg_attention_find(w->g, id, NULL, &a, &why);
}

// Gives the sums whose kernels should compute their weights steps of their own.
static bool copy_steps(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    Weigh w = {.g = g, .context = context};
    for (MgOpId id = 1, n = g->ops.len; id < n; id++) {
        if (!is_weighted(&w, id) || !w.own || !find_shared(g, &w.a, w.uses, w.copied) ||
            !mg_pass_may(context, id))
            continue;
        copy_shared(&w);
        w.uses = NULL;
        changed = true;
    }
    return changed;
}

bool mg_pass_weigh(MgGraph *g, MgPassContext *context) {
    if (!context->gpu || context->strict)
        return false;
    bool changed = context->machine->weigh_share > 0 && copy_steps(g, context);
    MgWeighRows known = mg_weigh_rows_begin(g, context);
    Weigh w = {.g = g, .context = context};
    for (MgOpId id = 1, n = g->ops.len; id < n; id++)
        if (is_weighted(&w, id) && mg_pass_may(context, id) &&
            mg_weigh_rows(g, context, &w.a, w.own, &known)) {
            changed = true;
            w.uses = NULL;
        }
    return changed;
}
