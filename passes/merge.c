// Plans to merge equations along an index; see merge.h.
//
// The parts' expressions are rewritten over the merged box (index i of part p is i - start[p]) and
// over one list of operands. Then equal subtrees are shared, and different ones are joined or
// chosen by index.
#include "passes/merge_plan.h"

enum { MOST_BYTES = 64 << 20 };

static const MgPiece *piece_of(const MgMerge *m, MgOpId id) {
    return &mg_op(m->g, id)->equation->pieces[0];
}

static bool refuse(MgMerge *m, const char *why) {
    return m->why = why, false;
}

// ---------------------------------------------------------------- values that are replaced

// Does the op, or its enclosing op in the merge's region, come after `at`?
static bool comes_behind(const MgMerge *m, MgOpId id, MgOpId at) {
    while (id && mg_op(m->g, id)->region != mg_op(m->g, at)->region)
        id = mg_region(m->g, mg_op(m->g, id)->region)->parent;
    return mg_merge_position(m, id) > mg_merge_position(m, at);
}

uint32_t mg_merge_step_of(const MgMerge *m, MgValueId v, MgOpId reader, uint32_t *part) {
    MgOpId def = v < MG_MERGE_IN_STEP ? mg_value(m->g, v)->def : MG_NONE;
    for (uint32_t s = m->n_steps; def && s-- > 0;)
        for (uint32_t p = 0; p < m->n; p++) {
            if (m->steps[s].op[p] != def)
                continue;
            *part = p;
            // the value is carried to the next step
            while (s + 1 < m->n_steps && !m->steps[s + 1].op[p] &&
                   (!reader || comes_behind(m, reader, m->steps[s + 1].at)))
                s++;
            return s;
        }
    return UINT32_MAX;
}

uint32_t mg_merge_part_of(const MgMerge *m, MgValueId v) {
    uint32_t part;
    return mg_merge_step_of(m, v, MG_NONE, &part) == UINT32_MAX ? UINT32_MAX : part;
}

typedef struct Certain {
    const MgMerge *m;
    const MgOp *op;
    MgIxRanges ranges;
    MgValueId v;
    bool ok;
} Certain;

static void check_certain(void *ctx, const MgSx *x) {
    Certain *c = ctx;
    const MgMerge *m = c->m;
    if (x->kind != MG_SX_READ || c->op->operands[x->operand] != c->v || !c->ok)
        return;
    const MgSx *at = x->args[m->axis];
    c->ok = at->kind == MG_SX_IX &&
            (x->bounds == MG_BOUNDS_PROVED ||
             mg_inside(m->g->module->ix, at->ix, mg_value(m->g, c->v)->shape[m->axis], &c->ranges,
                       NULL, 0) == MG_PROVED);
}

// An equation is rewritten whenever a value that it reads is merged, so one with more pieces than
// this keeps its operands.
enum { MOST_PIECES = 256 };

bool mg_merge_may_move(const MgMerge *m, MgValueId v) {
    const MgMergeValue *value = &m->index->values.at[v];
    Certain c = {.m = m, .v = v, .ok = !value->pinned && m->axis < mg_value(m->g, v)->rank};
    for (uint32_t i = 0; i < value->readers.len && c.ok; i++) {
        c.op = mg_op(m->g, value->readers.at[i]);
        if (c.op->kind != MG_OP_EQUATION || !mg_op_reads(c.op, v))
            continue;
        c.ok = c.op->equation->n_pieces <= MOST_PIECES;
        for (uint32_t p = 0; p < c.op->equation->n_pieces && c.ok; p++) {
            const MgPiece *piece = &c.op->equation->pieces[p];
            c.ranges = mg_piece_ranges(piece, m->arena);
            mg_sx_walk(piece->expr, check_certain, &c);
            for (uint32_t a = 0; a < mg_value(m->g, c.op->results[0])->rank; a++)
                mg_sx_walk(piece->target[a].sub, check_certain, &c);
        }
    }
    return c.ok;
}

// ---------------------------------------------------------------- one list of operands
typedef struct Resolve {
    MgMerge *m;
    MgMergeStep *step;
    const MgOp *op;
    bool ok;
} Resolve;

static uint32_t operand(MgMerge *m, MgMergeStep *step, MgValueId v) {
    return mg_distinct(m->arena, &step->operands, v);
}

const MgSx *mg_merge_moved(MgModule *module, const MgSx *read, uint32_t to, uint32_t axis,
                           MgIx by) {
    const MgSx *args[MG_MERGE_INDICES];
    for (uint32_t i = 0; i < read->n_args; i++)
        args[i] = read->args[i];
    args[axis] = mg_sx_ix(module, MG_I64, mg_ix_add(module->ix, read->args[axis]->ix, by));
    return mg_sx_read(module, to, read->dtype, args, read->n_args, read->bounds, read->otherwise);
}

static const MgSx *resolve(void *ctx, const MgSx *x) {
    Resolve *r = ctx;
    MgMerge *m = r->m;
    if (x->kind != MG_SX_READ)
        return x;
    MgValueId v = r->op->operands[x->operand];
    uint32_t part, s = mg_merge_step_of(m, v, MG_NONE, &part);
    r->ok &= x->n_args < MG_MERGE_INDICES;
    if (s == UINT32_MAX || !r->ok)
        return mg_sx_read(m->g->module, operand(m, r->step, v), x->dtype, x->args, x->n_args,
                          x->bounds, x->otherwise);
    return mg_merge_moved(m->g->module, x, operand(m, r->step, MG_MERGE_IN_STEP | s), m->axis,
                          m->start[part]);
}

// The expression of part p's op, or a read of its old value, over the merged box.
static const MgSx *told(MgMerge *m, MgMergeStep *step, uint32_t p) {
    MgModule *module = m->g->module;
    MgIxTable *t = module->ix;
    MgIx with[MG_MERGE_INDICES];
    for (uint32_t i = 0; i < MG_MERGE_INDICES; i++)
        with[i] = mg_ix_idx(t, i);
    if (!step->op[p]) {
        const MgSx *args[MG_MERGE_INDICES];
        const MgValue *v = mg_value(m->g, m->value[p]);
        for (uint32_t i = 0; i < v->rank; i++)
            args[i] = mg_sx_ix(module, MG_I64, with[i]);
        return mg_sx_read(module, operand(m, step, MG_MERGE_IN_STEP | (m->n_steps - 1)),
                          mg_dtype(v->dtype)->compute, args, v->rank, MG_BOUNDS_PROVED, NULL);
    }
    with[m->axis] = mg_ix_sub(t, with[m->axis], m->start[p]);
    Resolve r = {m, step, mg_op(m->g, step->op[p]), true};
    const MgSx *x =
        mg_sx_subst_indices(module, piece_of(m, step->op[p])->expr, with, MG_MERGE_INDICES);
    x = mg_sx_rewrite(module, x, resolve, &r);
    return r.ok ? x : NULL;
}

// ---------------------------------------------------------------- joining
static bool never_changes(MgGraph *g, MgValueId v, uint32_t depth) {
    MgOpId def = v < MG_MERGE_IN_STEP ? mg_value(g, v)->def : MG_NONE;
    const MgOp *op = def ? mg_op(g, def) : NULL;
    if (!op || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST)
        return op;
    bool ok = op->kind == MG_OP_EQUATION && op->region == 0 && depth && !op->equation->has_base;
    for (uint32_t i = 0; i < op->n_operands && ok; i++)
        ok = never_changes(g, op->operands[i], depth - 1);
    return ok;
}

bool mg_merge_never_changes(MgGraph *g, MgValueId v) {
    return never_changes(g, v, 4);
}

MgOpId mg_merge_in_body(MgGraph *g, MgOpId at) {
    while (mg_op(g, at)->region)
        at = mg_region(g, mg_op(g, at)->region)->parent;
    return at;
}

// Can v be concatenated with others before the step? It can if it is the caller's, or is computed
// by then.
static bool is_given(const MgMerge *m, const MgMergeStep *step, MgValueId v) {
    MgOpId def = mg_value(m->g, v)->def, at = mg_merge_in_body(m->g, step->at);
    if (!def)
        return mg_value(m->g, v)->param_of == 0;
    return mg_op(m->g, def)->region == 0 && mg_merge_position(m, def) < mg_merge_position(m, at);
}

// Finds the only subscript of a read that mentions the index, as factor * index + rest. False if
// there is no such subscript.
static bool along(const MgMerge *m, const MgSx *read, uint32_t *axis, int64_t *factor, MgIx *rest) {
    MgIxTable *t = m->g->module->ix;
    MgIxSym sym = mg_ix_index(t, m->axis);
    uint32_t n = 0;
    if (read->kind != MG_SX_READ || read->bounds != MG_BOUNDS_PROVED)
        return false;
    for (uint32_t i = 0; i < read->n_args; i++) {
        if (read->args[i]->kind != MG_SX_IX)
            return false;
        if (!mg_ix_mentions(t, read->args[i]->ix, sym))
            continue;
        *axis = i;
        n++;
    }
    return n == 1 && mg_ix_steps(t, read->args[*axis]->ix, sym, factor, rest) && *factor > 0;
}

// Do two reads walk their tensors in the same way, each from end to end, and differ only in their
// sizes along `axis`? `first` is the first of the two.
static bool alike(const MgMerge *m, const MgSx *first, MgValueId v0, const MgSx *x, MgValueId v,
                  uint32_t p, uint32_t axis, int64_t factor, MgIx rest) {
    MgIxTable *t = m->g->module->ix;
    const MgValue *a = mg_value(m->g, v0), *b = mg_value(m->g, v);
    uint32_t own;
    int64_t f;
    MgIx r, c = mg_ix_const(t, factor);
    if (!along(m, x, &own, &f, &r) || own != axis || f != factor || x->n_args != first->n_args ||
        x->dtype != first->dtype || a->dtype != b->dtype)
        return false;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (i != axis && (x->args[i]->ix != first->args[i]->ix || a->shape[i] != b->shape[i]))
            return false;
    MgIx extent = mg_ix_sub(t, m->start[p + 1], m->start[p]);
    return b->shape[axis] == mg_ix_mul(t, c, extent) &&
           mg_ix_add(t, r, mg_ix_mul(t, c, m->start[p])) == rest;
}

static uint32_t find_joined(MgMerge *m, const MgMergeJoined *j) {
    uint32_t i = 0;
    while (i < m->n_joined &&
           (m->joined[i].axis != j->axis || memcmp(m->joined[i].part, j->part, sizeof j->part)))
        i++;
    if (i == m->n_joined && i < MG_MERGE_JOINED)
        m->joined[m->n_joined++] = *j;
    return i;
}

// given: values computed in each run may be concatenated, too.
static const MgSx *join(MgMerge *m, MgMergeStep *step, const MgSx *const *x, bool given) {
    MgIxTable *t = m->g->module->ix;
    MgMergeJoined j = {0};
    int64_t factor, bytes, all = 0;
    MgIx rest;
    if (!along(m, x[0], &j.axis, &factor, &rest))
        return NULL;
    for (uint32_t p = 0; p < m->n; p++) {
        MgValueId v = x[p]->kind == MG_SX_READ ? step->operands.at[x[p]->operand] : MG_NONE;
        j.part[p] = v;
        if (!v || v >= MG_MERGE_IN_STEP ||
            !alike(m, x[0], j.part[0], x[p], v, p, j.axis, factor, rest) ||
            !mg_ix_is_const(t, mg_value_bytes(m->g, v), &bytes))
            return NULL;
        if (!mg_merge_never_changes(m->g, v) && !(given && is_given(m, step, v)))
            return m->why = given ? "the second's weights are computed after the first; computed "
                                    "before it, they could be joined"
                                  : NULL,
                   NULL;
        all += bytes;
    }
    uint32_t number = all > MOST_BYTES ? MG_MERGE_JOINED : find_joined(m, &j);
    if (number == MG_MERGE_JOINED)
        return NULL;
    return mg_sx_read(m->g->module, operand(m, step, MG_MERGE_IN_JOINED | number), x[0]->dtype,
                      x[0]->args, x[0]->n_args, MG_BOUNDS_PROVED, NULL);
}

// ---------------------------------------------------------------- choosing
typedef struct Guard {
    MgMerge *m;
    MgMergeStep *step;
    int64_t operations;
    bool ok;
} Guard;

// The expression is computed for every point of the merged box, so it must not trap there or read
// outside.
static const MgSx *guard(void *ctx, const MgSx *x) {
    Guard *d = ctx;
    MgModule *module = d->m->g->module;
    if (x->kind == MG_SX_PRIM) {
        bool approximate = mg_prim(x->prim)->kind == MG_KIND_APPROX;
        d->ok &= mg_is_float(x->dtype) || x->dtype == MG_BOOL;
        d->operations += approximate ? 10 : 1;
    }
    if (x->kind != MG_SX_READ || !mg_sx_mentions(module, x, d->m->axis))
        return x;
    bool own = d->step->operands.at[x->operand] >= MG_MERGE_IN_STEP &&
               x->args[d->m->axis]->ix == mg_ix_idx(module->ix, d->m->axis);
    d->ok &= x->bounds != MG_BOUNDS_CHECKED && mg_is_float(x->dtype);
    if (own || x->bounds != MG_BOUNDS_PROVED || !d->ok)
        return x;
    d->operations++;
    return mg_sx_read(module, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_ELSE,
                      mg_sx_double(module, x->dtype, 0));
}

static const MgSx *choose(MgMerge *m, MgMergeStep *step, const MgSx *const *x) {
    MgModule *module = m->g->module;
    int64_t least = INT64_MAX, sum = 0;
    const MgSx *y = NULL;
    for (uint32_t p = m->n; p-- > 0;) {
        if (y && mg_sx_equal(x[p], x[p + 1]))
            continue;
        Guard d = {m, step, 0, mg_is_float(x[p]->dtype)};
        const MgSx *own = mg_sx_rewrite(module, x[p], guard, &d);
        if (!d.ok)
            return NULL;
        least = d.operations < least ? d.operations : least;
        sum += d.operations + (y != NULL);
        const MgSx *ends[] = {mg_sx_ix(module, MG_I64, mg_ix_idx(module->ix, m->axis)),
                              mg_sx_ix(module, MG_I64, m->start[p + 1])};
        const MgSx *args[] = {mg_sx_prim(module, MG_PRIM_LT, MG_BOOL, ends, 2), own, y};
        y = y ? mg_sx_prim(module, MG_PRIM_WHERE, own->dtype, args, 3) : own;
    }
    m->extra += sum - least;
    return y;
}

// ---------------------------------------------------------------- merging expressions
static bool all_equal(const MgMerge *m, const MgSx *const *x) {
    for (uint32_t p = 1; p < m->n; p++)
        if (!mg_sx_equal(x[0], x[p]))
            return false;
    return true;
}

static bool same_operation(const MgMerge *m, const MgSx *const *x) {
    for (uint32_t p = 0; p < m->n; p++)
        if (x[p]->kind != MG_SX_PRIM || x[p]->prim != x[0]->prim || x[p]->dtype != x[0]->dtype ||
            x[p]->n_args != x[0]->n_args || x[p]->n_args > 3)
            return false;
    return true;
}

// Factors and terms may come in either order.
static bool turned(const MgSx *first, const MgSx *x) {
    return (x->prim == MG_PRIM_MUL || x->prim == MG_PRIM_ADD) &&
           !mg_sx_equal(first->args[0], x->args[0]) && !mg_sx_equal(first->args[1], x->args[1]) &&
           (mg_sx_equal(first->args[0], x->args[1]) || mg_sx_equal(first->args[1], x->args[0]));
}

static const MgSx *merge(MgMerge *m, MgMergeStep *step, const MgSx *const *x, bool may_choose);

static const MgSx *merge_args(MgMerge *m, MgMergeStep *step, const MgSx *const *x,
                              bool may_choose) {
    const MgSx *args[3], *of[MG_MERGE_PARTS];
    for (uint32_t i = 0; i < x[0]->n_args; i++) {
        for (uint32_t p = 0; p < m->n; p++)
            of[p] = x[p]->args[x[p]->n_args == 2 && turned(x[0], x[p]) ? 1 - i : i];
        args[i] = merge(m, step, of, may_choose);
        if (!args[i])
            return NULL;
    }
    return mg_sx_prim(m->g->module, x[0]->prim, x[0]->dtype, args, x[0]->n_args);
}

static const MgSx *merge(MgMerge *m, MgMergeStep *step, const MgSx *const *x, bool may_choose) {
    for (uint32_t p = 1; p < m->n; p++)
        if (x[p]->dtype != x[0]->dtype)
            return NULL;
    if (all_equal(m, x))
        return x[0];
    const MgSx *y = join(m, step, x, !may_choose);
    if (!y && same_operation(m, x))
        y = merge_args(m, step, x, may_choose);
    return y || !may_choose ? y : choose(m, step, x);
}

// ---------------------------------------------------------------- planning

// The boxes must be equal except for the range along the axis.
static const char *boxes_differ(const MgMerge *m, MgOpId first, MgOpId id) {
    const MgPiece *a = piece_of(m, first), *b = piece_of(m, id);
    if (a->n_free != b->n_free || a->n_indices != b->n_indices || a->reducer != b->reducer)
        return "they have different numbers of axes; with the same ones they could be joined";
    for (uint32_t i = 0; i < a->n_indices; i++)
        if (i != m->axis &&
            (a->indices[i].low != b->indices[i].low || a->indices[i].high != b->indices[i].high))
            return i < a->n_free
                       ? "their shapes differ along more than one axis; along one they could be "
                         "joined"
                       : "their sums differ in length; of one length they could be joined";
    bool same = mg_value(m->g, mg_merge_result_of(m, first))->dtype ==
                    mg_value(m->g, mg_merge_result_of(m, id))->dtype &&
                a->expr->dtype == b->expr->dtype;
    return same ? NULL : "their types differ; of one type they could be joined";
}

static bool merge_step(MgMerge *m, MgMergeStep *step, bool may_choose) {
    const MgSx *x[MG_MERGE_PARTS];
    m->why = NULL;
    int64_t extra = m->extra;
    uint32_t joined = m->n_joined;
    for (uint32_t p = 0; p < m->n; p++)
        if (!(x[p] = told(m, step, p)))
            return refuse(m, "too many axes");
    step->expr = merge(m, step, x, may_choose);
    if (step->expr)
        return true;
    m->extra = extra;
    m->n_joined = joined;
    return refuse(m, m->why ? m->why
                            : "their operands differ in more than whole tensors of known sizes");
}

bool mg_merge_begin(MgMerge *m, const MgOpId *ops, uint32_t n) {
    MgIxTable *t = m->g->module->ix;
    MgMergeStep *step = &m->steps[0];
    *step = (MgMergeStep){.at = ops[0]};
    m->n = n;
    m->n_steps = m->n_joined = 0;
    m->start[0] = mg_ix_const(t, 0);
    for (uint32_t p = 0; p < n; p++) {
        const char *why = boxes_differ(m, ops[0], ops[p]);
        if (why)
            return refuse(m, why);
        step->op[p] = ops[p];
        m->start[p + 1] = mg_ix_add(t, m->start[p], piece_of(m, ops[p])->indices[m->axis].high);
        m->value[p] = mg_merge_result_of(m, ops[p]);
        if (mg_merge_position(m, ops[p]) < mg_merge_position(m, step->at))
            step->at = ops[p];
    }
    if (!merge_step(m, step, false))
        return false;
    m->n_steps = 1;
    return true;
}

// Do all operands of the step exist at its place?
static bool is_there(const MgMerge *m, const MgMergeStep *step) {
    for (uint32_t i = 0; i < step->operands.len; i++) {
        MgValueId v = step->operands.at[i];
        if (v >= MG_MERGE_IN_JOINED)
            continue;
        MgOpId def =
            v >= MG_MERGE_IN_STEP ? m->steps[v - MG_MERGE_IN_STEP].at : mg_value(m->g, v)->def;
        if (def && mg_op(m->g, def)->region == mg_op(m->g, step->at)->region &&
            mg_merge_position(m, def) >= mg_merge_position(m, step->at) + (v >= MG_MERGE_IN_STEP))
            return false;
    }
    return true;
}

bool mg_merge_step(MgMerge *m, const MgOpId *ops) {
    MgMergeStep *step = &m->steps[m->n_steps];
    if (m->n_steps == MG_MERGE_STEPS)
        return refuse(m, "too many ops follow");
    *step = (MgMergeStep){0};
    for (uint32_t p = 0; p < m->n; p++) {
        step->op[p] = ops[p];
        if (ops[p] && (!step->at || mg_merge_position(m, ops[p]) < mg_merge_position(m, step->at)))
            step->at = ops[p];
    }
    MgValueId like = mg_merge_result_of(m, step->at);
    for (uint32_t p = 0; p < m->n; p++)
        if (mg_value(m->g, ops[p] ? mg_merge_result_of(m, ops[p]) : m->value[p])->dtype !=
            mg_value(m->g, like)->dtype)
            return refuse(m, "their types differ; of one type they could be joined");
    if (!merge_step(m, step, true))
        return false;
    if (!is_there(m, step))
        return refuse(m, "an op after one needs an op after another");
    for (uint32_t p = 0; p < m->n; p++)
        if (ops[p])
            m->value[p] = mg_merge_result_of(m, ops[p]);
    m->n_steps++;
    return true;
}
