// order: puts the ops of a region into the order that keeps the fewest bytes alive.
//
// Needs: nothing; it runs after fuse, whose groups are single steps here. Keeps: every op, and the
// order of ops that define or check dimensions, across which nothing moves. A model of the storage
// plan estimates memory: a view shares its operand's block, and an elementwise result takes the
// bytes of an operand that dies. The peak never grows; if no order is better, the source's order
// stays. Ends: there is one search per region.
#include "passes/order.h"
#include "passes/rewrite.h"

// ---------------------------------------------------------------- the problem
typedef MG_VEC(uint32_t) Numbers;

typedef struct Build {
    MgGraph *g;
    MgRegionId region;
    MgArena *arena;
    MG_VEC(MgOrderStep) steps;
    MG_VEC(MgOrderBlock) blocks;
    MG_VEC(MgValueId) maker; // by block: the value for which it was made
    uint32_t *step_of;       // by op id: 1 + its step
    uint32_t *block_of;      // by value id: 1 + its block; 0: not in the arena
    MgValueId *leaves;       // by value id: the output whose bytes it shares, if any
    Numbers needs, reads;    // of the step that is being built
    uint32_t *needed_by;     // by step: 1 + the last step whose needs list it
    uint32_t *read_by;       // by block: 1 + the last step whose reads list it
} Build;

static int64_t bytes_of(Build *b, MgValueId v) {
    return (mg_ix_likely(b->g->module->ix, mg_value_bytes(b->g, v)) + 63) / 64 * 64;
}

// Adds x to a list of the step that is being built; `last` holds the last step that listed it.
static void add_once(Build *b, Numbers *list, uint32_t *last, uint32_t x) {
    if (last[x] == b->steps.len + 1)
        return;
    last[x] = b->steps.len + 1;
    mg_push(b->arena, list, x);
}

static void read_value(Build *b, MgValueId v) {
    MgOpId def = mg_value(b->g, v)->def;
    if (def && b->step_of[def])
        add_once(b, &b->needs, b->needed_by, b->step_of[def] - 1);
    if (b->block_of[v])
        add_once(b, &b->reads, b->read_by, b->block_of[v] - 1);
}

// Records everything that an op and its regions read from outside.
static void read_op(Build *b, MgOpId id) {
    const MgOp *op = mg_op(b->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++)
        read_value(b, op->operands[i]);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = mg_region(b->g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (mg_op(b->g, region->ops.at[i])->kind != MG_OP_ERASED)
                read_op(b, region->ops.at[i]);
    }
}

static void make_value(Build *b, MgOrderStep *step, MgValueId v) {
    if (b->leaves[v])
        return; // it uses the caller's bytes
    mg_push(b->arena, &b->blocks, (MgOrderBlock){.bytes = bytes_of(b, v)});
    mg_push(b->arena, &b->maker, v);
    b->block_of[v] = b->blocks.len;
    step->makes[step->n_makes++] = b->blocks.len - 1;
}

static int64_t likely_elements(Build *b, MgValueId v) {
    return mg_ix_likely(b->g->module->ix, mg_value_elements(b->g, v));
}

// Do a group's ops read v only at their own point, all of them over the same box?
static bool is_pointwise(Build *b, const MgRegion *group, MgValueId v) {
    for (uint32_t i = 0; i < group->ops.len; i++) {
        MgOpId id = group->ops.at[i];
        const MgOp *op = mg_op(b->g, id);
        if (op->kind == MG_OP_ERASED || op->kind == MG_OP_YIELD)
            continue;
        const MgPiece *p = mg_only_piece(op);
        if (!p || likely_elements(b, op->results[0]) != likely_elements(b, v) ||
            p->reducer != MG_REDUCE_NONE)
            return false;
        for (uint32_t k = 0; k < op->n_operands; k++)
            if (op->operands[k] == v && !mg_traits(b->g, id).elementwise)
                return false;
    }
    return true;
}

// Elementwise ops and groups may write over an operand of equal size that dies there.
static uint32_t taken_over(Build *b, MgOpId id, const MgOrderStep *step) {
    const MgOp *op = mg_op(b->g, id);
    bool group = op->kind == MG_OP_FUSED;
    if (!group && (op->kind != MG_OP_EQUATION || !mg_traits(b->g, id).elementwise))
        return UINT32_MAX;
    int64_t bytes = op->n_results ? bytes_of(b, op->results[0]) : -1;
    for (uint32_t i = 0; i < step->n_reads; i++) {
        uint32_t block = step->reads[i];
        if (b->blocks.at[block].bytes == bytes &&
            (!group || is_pointwise(b, mg_region(b->g, op->regions[0]), b->maker.at[block])))
            return block;
    }
    return UINT32_MAX;
}

static bool is_fixed(const MgOp *op) {
    return op->kind == MG_OP_REQUIRE || op->kind == MG_OP_DIM || op->kind == MG_OP_YIELD ||
           (op->kind == MG_OP_BUILTIN && op->dim) || (op->kind == MG_OP_LOOP && op->loop->trips);
}

static void add_step(Build *b, MgOpId id) {
    const MgOp *op = mg_op(b->g, id);
    MgOrderStep step = {.op = id, .over = UINT32_MAX, .fixed = is_fixed(op)};
    b->needs.len = b->reads.len = 0;
    read_op(b, id);
    step.needs = mg_arena_copy(b->arena, b->needs.at, b->needs.len, sizeof *step.needs);
    step.n_needs = b->needs.len;
    step.reads = mg_arena_copy(b->arena, b->reads.at, b->reads.len, sizeof *step.reads);
    step.n_reads = b->reads.len;
    if (mg_is_view(b->g, id) && !b->leaves[op->results[0]]) {
        b->block_of[op->results[0]] = b->block_of[op->operands[0]];
    } else if (op->kind != MG_OP_PARAM && op->kind != MG_OP_CONST) {
        step.over = taken_over(b, id, &step);
        step.makes = MG_NEW_N(b->arena, uint32_t, op->n_results);
        for (uint32_t i = 0; i < op->n_results; i++)
            make_value(b, &step, op->results[i]);
    }
    mg_push(b->arena, &b->steps, step);
    b->step_of[id] = b->steps.len;
}

MgOrderProblem mg_order_problem(MgGraph *g, MgRegionId r, MgArena *arena) {
    Build b = {.g = g, .region = r, .arena = arena};
    b.step_of = MG_NEW_N(arena, uint32_t, g->ops.len);
    b.block_of = MG_NEW_N(arena, uint32_t, g->values.len);
    b.needed_by = MG_NEW_N(arena, uint32_t, g->ops.len);
    b.read_by = MG_NEW_N(arena, uint32_t, g->values.len); // a value makes at most one block
    b.leaves = MG_NEW_N(arena, MgValueId, g->values.len);
    mg_output_bytes(g, b.leaves);
    const MgRegion *region = mg_region(g, r);
    for (uint32_t i = 0; i < region->ops.len; i++)
        if (mg_op(g, region->ops.at[i])->kind != MG_OP_ERASED)
            add_step(&b, region->ops.at[i]);
    for (uint32_t i = 0; i < b.steps.len; i++)
        for (uint32_t k = 0; k < b.steps.at[i].n_reads; k++)
            b.blocks.at[b.steps.at[i].reads[k]].n_readers++;
    return (MgOrderProblem){b.steps.at, b.blocks.at, b.steps.len, b.blocks.len};
}

// ---------------------------------------------------------------- the pass
// The peak is at least that of the largest step alone.
static bool may_gain(const MgOrderProblem *p, MgArena *arena) {
    uint32_t *order = MG_NEW_N(arena, uint32_t, p->n_steps);
    int64_t largest = 0;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        int64_t alone = 0;
        const MgOrderStep *s = &p->steps[i];
        for (uint32_t k = 0; k < s->n_reads; k++)
            alone += s->reads[k] == s->over ? 0 : p->blocks[s->reads[k]].bytes;
        for (uint32_t k = 0; k < s->n_makes; k++)
            alone += p->blocks[s->makes[k]].bytes;
        largest = alone > largest ? alone : largest;
        order[i] = i;
    }
    return mg_order_peak(p, order, p->n_steps, arena) > largest;
}

static bool order_region(MgGraph *g, MgRegionId r, MgPassContext *context) {
    MgOrderProblem p = mg_order_problem(g, r, context->scratch);
    if (p.n_steps < 3 || !may_gain(&p, context->scratch))
        return false;
    uint32_t *order = mg_order_search(&p, context->scratch);
    bool changed = false;
    for (uint32_t i = 0; i < p.n_steps; i++)
        changed |= order[i] != i;
    if (!changed || !mg_pass_may(context, p.steps[0].op))
        return false;
    MgRegion *region = mg_region(g, r);
    for (uint32_t i = 0; i < p.n_steps; i++)
        region->ops.at[i] = p.steps[order[i]].op;
    region->ops.len = p.n_steps;
    return true;
}

bool mg_pass_order(MgGraph *g, MgPassContext *context) {
    bool changed = false;
    for (MgRegionId r = 0; r < g->regions.len; r++) {
        MgOpId parent = mg_region(g, r)->parent;
        if (!parent ||
            (mg_op(g, parent)->kind != MG_OP_FUSED && mg_op(g, parent)->kind != MG_OP_ERASED))
            changed |= order_region(g, r, context);
    }
    return changed;
}
