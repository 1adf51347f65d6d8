// order: puts the ops of a region into the order that keeps the fewest bytes alive.
//
// Needs: nothing; it runs after fuse, whose groups are single steps here. Keeps: every op, and the
// order of ops that define or check dimensions, across which nothing moves. A model of the storage
// plan estimates memory: a view shares its operand's block, and an elementwise result takes the
// bytes of an operand that dies. The peak never grows; if no order is better, the source's order
// stays. Ends: there is one search per region.
#include "passes/order.h"
#include "passes/pass.h"

// ---------------------------------------------------------------- the problem
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
} Build;

static int64_t bytes_of(Build *b, MgValueId v) {
    return (mg_ix_likely(b->g->module->ix, mg_value_bytes(b->g, v)) + 63) / 64 * 64;
}

static bool is_view(MgGraph *g, MgOpId id) {
    return mg_op(g, id)->kind == MG_OP_EQUATION && mg_op(g, id)->n_operands &&
           mg_traits(g, id).view;
}

static void add_once(Build *b, uint32_t **list, uint32_t *n, uint32_t x) {
    for (uint32_t i = 0; i < *n; i++)
        if ((*list)[i] == x)
            return;
    uint32_t *grown = MG_NEW_N(b->arena, uint32_t, *n + 1); // lists are short
    for (uint32_t i = 0; i < *n; i++)
        grown[i] = (*list)[i];
    grown[(*n)++] = x;
    *list = grown;
}

static void read_value(Build *b, MgOrderStep *step, MgValueId v) {
    MgOpId def = mg_value(b->g, v)->def;
    if (def && b->step_of[def])
        add_once(b, &step->needs, &step->n_needs, b->step_of[def] - 1);
    if (b->block_of[v])
        add_once(b, &step->reads, &step->n_reads, b->block_of[v] - 1);
}

// Records everything that an op and its regions read from outside.
static void read_op(Build *b, MgOrderStep *step, MgOpId id) {
    const MgOp *op = mg_op(b->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++)
        read_value(b, step, op->operands[i]);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = mg_region(b->g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (mg_op(b->g, region->ops.at[i])->kind != MG_OP_ERASED)
                read_op(b, step, region->ops.at[i]);
    }
}

static void make_value(Build *b, MgOrderStep *step, MgValueId v) {
    if (b->leaves[v])
        return; // it has the caller's bytes
    mg_push(b->arena, &b->blocks, (MgOrderBlock){.bytes = bytes_of(b, v)});
    mg_push(b->arena, &b->maker, v);
    b->block_of[v] = b->blocks.len;
    add_once(b, &step->makes, &step->n_makes, b->blocks.len - 1);
}

// Whether a group's ops read v only at their own point, all of them over the same box.
static bool is_pointwise(Build *b, const MgRegion *group, MgValueId v, int64_t bytes) {
    for (uint32_t i = 0; i < group->ops.len; i++) {
        MgOpId id = group->ops.at[i];
        const MgOp *op = mg_op(b->g, id);
        if (op->kind == MG_OP_ERASED || op->kind == MG_OP_YIELD)
            continue;
        if (op->kind != MG_OP_EQUATION || bytes_of(b, op->results[0]) != bytes ||
            op->equation->n_pieces != 1 || op->equation->pieces[0].reducer != MG_REDUCE_NONE)
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
            (!group || is_pointwise(b, mg_region(b->g, op->regions[0]), b->maker.at[block], bytes)))
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
    read_op(b, &step, id);
    if (is_view(b->g, id) && !b->leaves[op->results[0]]) {
        b->block_of[op->results[0]] = b->block_of[op->operands[0]];
    } else if (op->kind != MG_OP_PARAM && op->kind != MG_OP_CONST) {
        step.over = taken_over(b, id, &step);
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

// ---------------------------------------------------------------- the model
typedef struct Memory {
    const MgOrderProblem *p;
    uint32_t *left; // by block: remaining readers
    int64_t live;
} Memory;

static Memory memory_new(const MgOrderProblem *p, MgArena *arena) {
    Memory m = {p, MG_NEW_N(arena, uint32_t, p->n_blocks), 0};
    for (uint32_t i = 0; i < p->n_blocks; i++)
        m.left[i] = p->blocks[i].n_readers;
    return m;
}

// The bytes that a step allocates beyond those that it takes over.
static int64_t made_by(const Memory *m, const MgOrderStep *s) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_makes; i++)
        bytes += m->p->blocks[s->makes[i]].bytes;
    bool over = s->over != UINT32_MAX && m->left[s->over] == 1;
    return over ? bytes - m->p->blocks[s->over].bytes : bytes;
}

static int64_t freed_by(const Memory *m, const MgOrderStep *s) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_reads; i++) {
        uint32_t block = s->reads[i];
        bool over = block == s->over; // its bytes are reused
        if (m->left[block] == 1 && !over)
            bytes += m->p->blocks[block].bytes;
    }
    for (uint32_t i = 0; i < s->n_makes; i++)
        if (!m->p->blocks[s->makes[i]].n_readers)
            bytes += m->p->blocks[s->makes[i]].bytes; // it has no readers
    return bytes;
}

// Runs a step and returns the bytes alive while it runs.
static int64_t run(Memory *m, const MgOrderStep *s) {
    int64_t during = m->live + made_by(m, s);
    m->live = during - freed_by(m, s);
    for (uint32_t i = 0; i < s->n_reads; i++)
        m->left[s->reads[i]]--;
    return during;
}

int64_t mg_order_peak(const MgOrderProblem *p, const uint32_t *order, uint32_t n, MgArena *arena) {
    Memory m = memory_new(p, arena);
    int64_t peak = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t during = run(&m, &p->steps[order[i]]);
        peak = during > peak ? during : peak;
    }
    return peak;
}

// ---------------------------------------------------------------- exhaustive search of few steps
// The live bytes after a set of steps do not depend on the order in the set: dynamic programming
// over sets, after Ahn et al., "Ordering chaos", MLSys 2020.
enum { WINDOW = 14 };

typedef struct State { // after a set of the window's steps
    int64_t peak, live;
    uint8_t latest; // the last step of the best order
    bool reached;
} State;

typedef struct WindowRead { // a read of a block that dies in the window
    uint32_t readers;       // a set of steps
    int64_t bytes;
    bool over; // the step's result may take its bytes
} WindowRead;

typedef struct WindowStep {
    uint32_t needs; // a set of steps
    int64_t makes;  // bytes
    int64_t wasted; // of these, bytes without readers
    WindowRead *reads;
    uint32_t n_reads;
} WindowStep;

typedef struct Window {
    WindowStep steps[WINDOW];
    uint32_t n;
    State *states; // by set of steps: 1 << WINDOW of them
} Window;

static void extend(Window *w, uint32_t set) {
    const State *from = &w->states[set];
    for (uint32_t i = 0; i < w->n; i++) {
        const WindowStep *s = &w->steps[i];
        if (set >> i & 1 || (s->needs & ~set))
            continue;
        int64_t during = from->live + s->makes, freed = s->wasted;
        for (uint32_t k = 0; k < s->n_reads; k++) {
            if (s->reads[k].readers & ~(set | 1u << i))
                continue;
            if (s->reads[k].over)
                during -= s->reads[k].bytes;
            else
                freed += s->reads[k].bytes;
        }
        int64_t peak = from->peak > during ? from->peak : during;
        State *to = &w->states[set | 1u << i];
        if (!to->reached || peak < to->peak)
            *to = (State){peak, during - freed, (uint8_t)i, true};
    }
}

static WindowStep window_step(const MgOrderProblem *p, const Memory *m, const uint32_t *steps,
                              uint32_t n, uint32_t i, MgArena *arena) {
    const MgOrderStep *s = &p->steps[steps[i]];
    WindowStep w = {.reads = MG_NEW_N(arena, WindowRead, s->n_reads)};
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < s->n_needs; j++)
            if (s->needs[j] == steps[k])
                w.needs |= 1u << k;
    for (uint32_t j = 0; j < s->n_reads; j++) {
        uint32_t block = s->reads[j], readers = 0, count = 0;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t r = 0; r < p->steps[steps[k]].n_reads; r++)
                if (p->steps[steps[k]].reads[r] == block) {
                    readers |= 1u << k;
                    count++;
                }
        if (count == m->left[block])
            w.reads[w.n_reads++] = (WindowRead){readers, p->blocks[block].bytes, block == s->over};
    }
    for (uint32_t j = 0; j < s->n_makes; j++) {
        const MgOrderBlock *made = &p->blocks[s->makes[j]];
        w.makes += made->bytes;
        w.wasted += made->n_readers ? 0 : made->bytes;
    }
    return w;
}

// Puts steps[0..n) into the best order, where m is the memory before them.
static void order_window(const MgOrderProblem *p, const Memory *m, uint32_t *steps, uint32_t n,
                         State *states, MgArena *arena) {
    Window w = {.n = n, .states = states};
    for (uint32_t i = 0; i < n; i++)
        w.steps[i] = window_step(p, m, steps, n, i, arena);
    memset(states, 0, sizeof *states << n);
    states[0] = (State){.live = m->live, .reached = true};
    for (uint32_t set = 0; set + 1 < 1u << n; set++)
        if (states[set].reached)
            extend(&w, set);
    uint32_t best[WINDOW];
    for (uint32_t set = (1u << n) - 1, i = n; i-- > 0;) {
        best[i] = steps[states[set].latest];
        set &= ~(1u << states[set].latest);
    }
    memcpy(steps, best, n * sizeof *best);
}

// ---------------------------------------------------------------- many steps
// Of the steps that may run, takes the one that frees the most, then the first in the source.
static void greedy(const MgOrderProblem *p, Memory *m, uint32_t *steps, uint32_t n,
                   MgArena *arena) {
    bool *done = MG_NEW_N(arena, bool, p->n_steps), *mine = MG_NEW_N(arena, bool, p->n_steps);
    uint32_t *list = mg_arena_copy(arena, steps, n, sizeof *steps);
    for (uint32_t i = 0; i < n; i++)
        mine[list[i]] = true;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = UINT32_MAX;
        int64_t least = INT64_MAX;
        for (uint32_t k = 0; k < n; k++) {
            const MgOrderStep *s = &p->steps[list[k]];
            bool ready = !done[list[k]];
            for (uint32_t j = 0; j < s->n_needs && ready; j++)
                ready = !mine[s->needs[j]] || done[s->needs[j]];
            if (!ready)
                continue;
            int64_t change = made_by(m, s) - freed_by(m, s);
            if (change < least) {
                least = change;
                best = list[k];
            }
        }
        done[best] = true;
        steps[i] = best;
        run(m, &p->steps[best]);
    }
}

// Gives each window in turn its best order; twice, with the windows shifted.
static void repair(const MgOrderProblem *p, uint32_t *steps, uint32_t first, uint32_t n,
                   State *states, MgArena *arena) {
    enum { SMALL = 10 };
    for (uint32_t round = 0; round < 2; round++) {
        Memory m = memory_new(p, arena);
        for (uint32_t i = 0; i < first; i++)
            run(&m, &p->steps[i]); // any order will do, since the result is the same
        for (uint32_t at = 0; at < n;) {
            uint32_t length = round && !at ? SMALL / 2 : SMALL;
            length = length < n - at ? length : n - at;
            order_window(p, &m, steps + at, length, states, arena);
            for (uint32_t i = 0; i < length; i++)
                run(&m, &p->steps[steps[at + i]]);
            at += length;
        }
    }
}

// Orders the steps between two fixed ones.
static void order_stretch(const MgOrderProblem *p, uint32_t *order, uint32_t first, uint32_t n,
                          State *states, MgArena *arena) {
    if (n < 2)
        return;
    uint32_t *steps = order + first, *source = mg_arena_copy(arena, steps, n, sizeof *steps);
    int64_t before = mg_order_peak(p, order, first + n, arena);
    Memory m = memory_new(p, arena);
    for (uint32_t i = 0; i < first; i++)
        run(&m, &p->steps[order[i]]);
    if (n <= WINDOW) {
        order_window(p, &m, steps, n, states, arena);
    } else {
        greedy(p, &m, steps, n, arena);
        repair(p, steps, first, n, states, arena);
        int64_t peak = mg_order_peak(p, order, first + n, arena);
        uint32_t *found = mg_arena_copy(arena, steps, n, sizeof *steps);
        memcpy(steps, source, n * sizeof *steps);
        repair(p, steps, first, n, states, arena);
        if (mg_order_peak(p, order, first + n, arena) > peak)
            memcpy(steps, found, n * sizeof *steps);
    }
    if (mg_order_peak(p, order, first + n, arena) >= before)
        memcpy(steps, source, n * sizeof *steps);
}

uint32_t *mg_order_search(const MgOrderProblem *p, MgArena *arena) {
    uint32_t *order = MG_NEW_N(arena, uint32_t, p->n_steps);
    State *states = MG_NEW_N(arena, State, (size_t)1 << WINDOW);
    uint32_t first = 0;
    for (uint32_t i = 0; i < p->n_steps; i++)
        order[i] = i;
    for (uint32_t i = 0; i <= p->n_steps; i++)
        if (i == p->n_steps || p->steps[i].fixed) {
            order_stretch(p, order, first, i - first, states, arena);
            first = i + 1;
        }
    return order;
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
