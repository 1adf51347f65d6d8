// Planning a merge of equations along an index, and making it; see merge.h.
//
// Expressions of the parts are told in the merged box (index i of part p is i - start[p]) and over
// one list of operands; then what is equal is one tree, and what isn't is joined or chosen.
#include "passes/merge.h"

enum { STEP = 1u << 30, JOINED = 1u << 31, MOST_INDICES = 60, MOST_BYTES = 64 << 20 };

static const MgPiece *piece_of(const MgMerge *m, MgOpId id) {
    return &mg_op(m->g, id)->equation->pieces[0];
}

static MgValueId result_of(const MgMerge *m, MgOpId id) {
    return mg_op(m->g, id)->results[0];
}

static bool refuse(MgMerge *m, const char *why) {
    return m->why = why, false;
}

// ---------------------------------------------------------------- what is replaced

// Does the op, or the one of the merge's region that it is in, come behind `at`?
static bool comes_behind(const MgMerge *m, MgOpId id, MgOpId at) {
    while (id && mg_op(m->g, id)->region != mg_op(m->g, at)->region)
        id = mg_region(m->g, mg_op(m->g, id)->region)->parent;
    return m->position[id] > m->position[at];
}

// The step whose result, from start[*part] on, stands for v where `reader` reads it (MG_NONE:
// behind all steps); UINT32_MAX: none.
static uint32_t step_of(const MgMerge *m, MgValueId v, MgOpId reader, uint32_t *part) {
    MgOpId def = v < STEP ? mg_value(m->g, v)->def : MG_NONE;
    for (uint32_t s = m->n_steps; def && s-- > 0;)
        for (uint32_t p = 0; p < m->n; p++) {
            if (m->steps[s].op[p] != def)
                continue;
            *part = p;
            while (s + 1 < m->n_steps && !m->steps[s + 1].op[p] && // carried on
                   (!reader || comes_behind(m, reader, m->steps[s + 1].at)))
                s++;
            return s;
        }
    return UINT32_MAX;
}

uint32_t mg_merge_part_of(const MgMerge *m, MgValueId v) {
    uint32_t part;
    return step_of(m, v, MG_NONE, &part) == UINT32_MAX ? UINT32_MAX : part;
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

bool mg_merge_may_move(const MgMerge *m, MgValueId v) {
    Certain c = {.m = m, .v = v, .ok = !m->pinned[v] && m->axis < mg_value(m->g, v)->rank};
    for (MgOpId id = 1; id < m->g->ops.len && c.ok; id++) {
        c.op = mg_op(m->g, id);
        for (uint32_t p = 0;
             c.op->kind == MG_OP_EQUATION && mg_op_reads(c.op, v) && p < c.op->equation->n_pieces;
             p++) {
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
    for (uint32_t i = 0; i < step->operands.len; i++)
        if (step->operands.at[i] == v)
            return i;
    mg_push(m->arena, &step->operands, v);
    return step->operands.len - 1;
}

static const MgSx *moved(MgModule *module, const MgSx *read, uint32_t to, uint32_t axis, MgIx by) {
    const MgSx *args[MOST_INDICES];
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
    uint32_t part, s = step_of(m, v, MG_NONE, &part);
    r->ok &= x->n_args < MOST_INDICES;
    if (s == UINT32_MAX || !r->ok)
        return mg_sx_read(m->g->module, operand(m, r->step, v), x->dtype, x->args, x->n_args,
                          x->bounds, x->otherwise);
    return moved(m->g->module, x, operand(m, r->step, STEP | s), m->axis, m->start[part]);
}

// The expression of part p's op, or of its value as it was, in the merged box.
static const MgSx *told(MgMerge *m, MgMergeStep *step, uint32_t p) {
    MgModule *module = m->g->module;
    MgIxTable *t = module->ix;
    MgIx with[MOST_INDICES];
    for (uint32_t i = 0; i < MOST_INDICES; i++)
        with[i] = mg_ix_idx(t, i);
    if (!step->op[p]) {
        const MgSx *args[MOST_INDICES];
        const MgValue *v = mg_value(m->g, m->value[p]);
        for (uint32_t i = 0; i < v->rank; i++)
            args[i] = mg_sx_ix(module, MG_I64, with[i]);
        return mg_sx_read(module, operand(m, step, STEP | (m->n_steps - 1)),
                          mg_dtype(v->dtype)->compute, args, v->rank, MG_BOUNDS_PROVED, NULL);
    }
    with[m->axis] = mg_ix_sub(t, with[m->axis], m->start[p]);
    Resolve r = {m, step, mg_op(m->g, step->op[p]), true};
    const MgSx *x = mg_sx_subst_indices(module, piece_of(m, step->op[p])->expr, with, MOST_INDICES);
    x = mg_sx_rewrite(module, x, resolve, &r);
    return r.ok ? x : NULL;
}

// ---------------------------------------------------------------- joining
// Parameters and constants, and what is made of such alone, or of its indices.
static bool never_changes(MgGraph *g, MgValueId v, uint32_t depth) {
    MgOpId def = v < STEP ? mg_value(g, v)->def : MG_NONE;
    const MgOp *op = def ? mg_op(g, def) : NULL;
    if (!op || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST)
        return op;
    bool ok = op->kind == MG_OP_EQUATION && op->region == 0 && depth && !op->equation->has_base;
    for (uint32_t i = 0; i < op->n_operands && ok; i++)
        ok = never_changes(g, op->operands[i], depth - 1);
    return ok;
}

// The only subscript of a read that mentions the index, as factor * index + rest; false if there is
// none such.
static bool along(const MgMerge *m, const MgSx *read, uint32_t *axis, int64_t *factor, MgIx *rest) {
    MgIxTable *t = m->g->module->ix;
    MgIxSym sym = mg_ix_index(t, m->axis);
    MgIx coefficient;
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
    return n == 1 && mg_ix_linear(t, read->args[*axis]->ix, sym, &coefficient, rest) &&
           mg_ix_is_const(t, coefficient, factor) && *factor > 0;
}

// Do the reads, the first of which is `first`, walk tensors alike but for their sizes along `axis`,
// each from end to end?
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

static const MgSx *join(MgMerge *m, MgMergeStep *step, const MgSx *const *x) {
    MgIxTable *t = m->g->module->ix;
    MgMergeJoined j = {0};
    int64_t factor, bytes, all = 0;
    MgIx rest;
    if (!along(m, x[0], &j.axis, &factor, &rest))
        return NULL;
    for (uint32_t p = 0; p < m->n; p++) {
        MgValueId v = x[p]->kind == MG_SX_READ ? step->operands.at[x[p]->operand] : MG_NONE;
        j.part[p] = v;
        if (!v || v >= STEP || !never_changes(m->g, v, 4) ||
            !alike(m, x[0], j.part[0], x[p], v, p, j.axis, factor, rest) ||
            !mg_ix_is_const(t, mg_value_bytes(m->g, v), &bytes))
            return NULL;
        all += bytes;
    }
    uint32_t number = all > MOST_BYTES ? MG_MERGE_JOINED : find_joined(m, &j);
    if (number == MG_MERGE_JOINED)
        return NULL;
    return mg_sx_read(m->g->module, operand(m, step, JOINED | number), x[0]->dtype, x[0]->args,
                      x[0]->n_args, MG_BOUNDS_PROVED, NULL);
}

// ---------------------------------------------------------------- choosing
typedef struct Guard {
    MgMerge *m;
    MgMergeStep *step;
    int64_t operations;
    bool ok;
} Guard;

// Computed for every point of the merged box: it must not trap there, nor read what isn't there.
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
    bool own = d->step->operands.at[x->operand] >= STEP &&
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

// Factors and terms may stand in either order.
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
    const MgSx *y = join(m, step, x);
    if (!y && same_operation(m, x))
        y = merge_args(m, step, x, may_choose);
    return y || !may_choose ? y : choose(m, step, x);
}

// ---------------------------------------------------------------- planning

// The boxes are one but for the range along the axis.
static const char *boxes_differ(const MgMerge *m, MgOpId first, MgOpId id) {
    const MgPiece *a = piece_of(m, first), *b = piece_of(m, id);
    if (a->n_free != b->n_free || a->n_indices != b->n_indices || a->reducer != b->reducer)
        return "their boxes have other axes";
    for (uint32_t i = 0; i < a->n_indices; i++)
        if (i != m->axis &&
            (a->indices[i].low != b->indices[i].low || a->indices[i].high != b->indices[i].high))
            return i < a->n_free ? "their boxes differ along more than one axis"
                                 : "their sums have other lengths";
    bool same =
        mg_value(m->g, result_of(m, first))->dtype == mg_value(m->g, result_of(m, id))->dtype &&
        a->expr->dtype == b->expr->dtype;
    return same ? NULL : "their types differ";
}

static bool merge_step(MgMerge *m, MgMergeStep *step, bool may_choose) {
    const MgSx *x[MG_MERGE_PARTS];
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
    return refuse(m, "what they read differs, in more than tensors that never change");
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
        m->value[p] = result_of(m, ops[p]);
        if (m->position[ops[p]] < m->position[step->at])
            step->at = ops[p];
    }
    if (!merge_step(m, step, false))
        return false;
    m->n_steps = 1;
    return true;
}

// Is everything that the step reads there where it will stand?
static bool is_there(const MgMerge *m, const MgMergeStep *step) {
    for (uint32_t i = 0; i < step->operands.len; i++) {
        MgValueId v = step->operands.at[i];
        if (v >= JOINED)
            continue;
        MgOpId def = v >= STEP ? m->steps[v - STEP].at : mg_value(m->g, v)->def;
        if (def && mg_op(m->g, def)->region == mg_op(m->g, step->at)->region &&
            m->position[def] >= m->position[step->at] + (v >= STEP))
            return false;
    }
    return true;
}

bool mg_merge_step(MgMerge *m, const MgOpId *ops) {
    MgMergeStep *step = &m->steps[m->n_steps];
    if (m->n_steps == MG_MERGE_STEPS)
        return refuse(m, "too many steps follow");
    *step = (MgMergeStep){0};
    for (uint32_t p = 0; p < m->n; p++) {
        step->op[p] = ops[p];
        if (ops[p] && (!step->at || m->position[ops[p]] < m->position[step->at]))
            step->at = ops[p];
    }
    MgValueId like = result_of(m, step->at);
    for (uint32_t p = 0; p < m->n; p++)
        if (mg_value(m->g, ops[p] ? result_of(m, ops[p]) : m->value[p])->dtype !=
            mg_value(m->g, like)->dtype)
            return refuse(m, "their types differ");
    if (!merge_step(m, step, true))
        return false;
    if (!is_there(m, step))
        return refuse(m, "what follows one needs what follows another");
    for (uint32_t p = 0; p < m->n; p++)
        if (ops[p])
            m->value[p] = result_of(m, ops[p]);
    m->n_steps++;
    return true;
}

// ---------------------------------------------------------------- making it
static MgSym name_of(MgGraph *g, MgValueId like) {
    MgNames *names = g->module->session->names;
    return mg_unique_name(g, mg_symf(names, "%s_all", mg_name(names, mg_value(g, like)->name)));
}

static MgTarget *plain_target(MgModule *module, uint32_t rank) {
    MgTarget *target = MG_NEW_N(module->arena, MgTarget, rank);
    for (uint32_t i = 0; i < rank; i++)
        target[i].sub = mg_sx_ix(module, MG_I64, mg_ix_idx(module->ix, i));
    return target;
}

// One part of a joined tensor: a copy from `low` on along its axis.
static MgPiece piece_of_joined(MgGraph *g, const MgMergeJoined *j, uint32_t p, MgIx low) {
    MgModule *module = g->module;
    MgIxTable *t = module->ix;
    const MgValue *v = mg_value(g, j->part[p]);
    MgIndex *indices = MG_NEW_N(module->arena, MgIndex, v->rank);
    const MgSx *args[MOST_INDICES];
    for (uint32_t i = 0; i < v->rank; i++) {
        MgIx from = i == j->axis ? low : mg_ix_const(t, 0);
        indices[i] = (MgIndex){mg_symf(module->session->names, "i%u", i), from,
                               mg_ix_add(t, from, v->shape[i])};
        args[i] = mg_sx_ix(module, MG_I64, mg_ix_sub(t, mg_ix_idx(t, i), from));
    }
    return (MgPiece){.indices = indices,
                     .n_free = v->rank,
                     .n_indices = v->rank,
                     .target = plain_target(module, v->rank),
                     .expr = mg_sx_read(module, p, mg_dtype(v->dtype)->compute, args, v->rank,
                                        MG_BOUNDS_PROVED, NULL)};
}

// The op of the body that step `at` stands in.
static MgOpId in_body(MgGraph *g, MgOpId at) {
    while (mg_op(g, at)->region)
        at = mg_region(g, mg_op(g, at)->region)->parent;
    return at;
}

static bool comes_before(MgGraph *g, MgOpId a, MgOpId b) {
    const MgRegion *body = mg_region(g, 0);
    for (uint32_t i = 0; i < body->ops.len; i++)
        if (body->ops.at[i] == a || body->ops.at[i] == b)
            return body->ops.at[i] == a;
    return false;
}

// What never changes can be computed wherever it is needed first.
static void hoist(MgGraph *g, MgValueId v, MgOpId before) {
    MgOpId def = mg_value(g, v)->def;
    if (comes_before(g, def, before))
        return;
    for (uint32_t i = 0; i < mg_op(g, def)->n_operands; i++)
        hoist(g, mg_op(g, def)->operands[i], before);
    mg_op_move_before(g, def, before);
}

static void make_joined(MgMerge *m, MgMergeJoined *j) {
    MgGraph *g = m->g;
    MgModule *module = g->module;
    MgValue first = *mg_value(g, j->part[0]);
    MgIx shape[MOST_INDICES], end = mg_ix_const(module->ix, 0);
    MgEquation *e = MG_NEW(module->arena, MgEquation);
    e->pieces = MG_NEW_N(module->arena, MgPiece, m->n);
    e->n_pieces = m->n;
    for (uint32_t p = 0; p < m->n; p++) {
        e->pieces[p] = piece_of_joined(g, j, p, end);
        end = mg_ix_add(module->ix, end, mg_value(g, j->part[p])->shape[j->axis]);
    }
    for (uint32_t i = 0; i < first.rank; i++)
        shape[i] = i == j->axis ? end : first.shape[i];
    MgOpId before = in_body(g, m->steps[0].at);
    for (uint32_t p = 0; p < m->n; p++)
        hoist(g, j->part[p], before);
    MgOpId made = mg_op_new_before(g, before, MG_OP_EQUATION, j->part, m->n,
                                   mg_op(g, m->steps[0].at)->origin);
    j->result = mg_op_result(g, made, name_of(g, j->part[0]), first.dtype, first.rank, shape);
    mg_op(g, made)->equation = e;
    mg_normalise_operands(g, made, m->arena);
}

static void make_step(MgMerge *m, MgMergeStep *step) {
    MgGraph *g = m->g;
    MgModule *module = g->module;
    MgOp like = *mg_op(g, step->at);
    MgValue v = *mg_value(g, like.results[0]);
    MgPiece *p = mg_arena_copy(module->arena, like.equation->pieces, 1, sizeof *p);
    MgIx *shape = mg_arena_copy(module->arena, v.shape, v.rank, sizeof *shape);
    for (uint32_t i = 0; i < step->operands.len; i++) {
        MgValueId *x = &step->operands.at[i];
        *x = *x >= JOINED ? m->joined[*x - JOINED].result
             : *x >= STEP ? m->steps[*x - STEP].result
                          : *x;
    }
    shape[m->axis] = m->start[m->n];
    p->indices = mg_arena_copy(module->arena, p->indices, p->n_indices, sizeof *p->indices);
    p->indices[m->axis].high = m->start[m->n];
    p->target = plain_target(module, v.rank);
    p->expr = step->expr;
    MgOpId made = mg_op_new_before(g, step->at, MG_OP_EQUATION, step->operands.at,
                                   step->operands.len, like.origin);
    step->result = mg_op_result(g, made, name_of(g, like.results[0]), v.dtype, v.rank, shape);
    MgEquation *e = mg_op(g, made)->equation = MG_NEW(module->arena, MgEquation);
    e->pieces = p;
    e->n_pieces = 1;
    mg_normalise_operands(g, made, m->arena);
}

typedef struct Redirect {
    MgMerge *m;
    MgOpId op;
} Redirect;
static const MgSx *redirect(void *ctx, const MgSx *x) {
    Redirect *r = ctx;
    MgMerge *m = r->m;
    uint32_t part, s;
    if (x->kind != MG_SX_READ)
        return x;
    s = step_of(m, mg_op(m->g, r->op)->operands[x->operand], r->op, &part);
    if (s == UINT32_MAX)
        return x;
    uint32_t to = mg_add_operand(m->g, r->op, m->steps[s].result);
    return moved(m->g->module, x, to, m->axis, m->start[part]);
}

// Readers of the parts read the whole.
static void redirect_op(MgMerge *m, MgOpId id) {
    MgGraph *g = m->g;
    MgArena *arena = g->module->arena;
    Redirect r = {m, id};
    uint32_t part, n = mg_op(g, id)->n_operands, rank = mg_value(g, result_of(m, id))->rank;
    bool some = false;
    for (uint32_t i = 0; i < n; i++)
        some |= step_of(m, mg_op(g, id)->operands[i], MG_NONE, &part) != UINT32_MAX;
    if (!some)
        return;
    MgEquation *e = mg_arena_copy(arena, mg_op(g, id)->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        p->expr = mg_sx_rewrite(g->module, p->expr, redirect, &r);
        p->target = mg_arena_copy(arena, p->target, rank, sizeof *p->target);
        for (uint32_t a = 0; a < rank; a++)
            p->target[a].sub = mg_sx_rewrite(g->module, p->target[a].sub, redirect, &r);
    }
    mg_op(g, id)->equation = e;
    mg_normalise_operands(g, id, m->arena);
}

void mg_merge_make(MgMerge *m) {
    MgGraph *g = m->g;
    uint32_t n = g->ops.len;
    for (uint32_t i = 0; i < m->n_joined; i++)
        make_joined(m, &m->joined[i]);
    for (uint32_t s = 0; s < m->n_steps; s++)
        make_step(m, &m->steps[s]);
    for (MgOpId id = 1; id < n; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            redirect_op(m, id);
    for (uint32_t s = 0; s < m->n_steps; s++)
        for (uint32_t p = 0; p < m->n; p++)
            if (m->steps[s].op[p])
                mg_op_erase(g, m->steps[s].op[p]);
    mg_graph_compact(g);
}
