// sink: a large elementwise value is not stored if the kernels that read it compute it for less.
//
//   logs[n, c] = x[n, c] - m[n] - z[n]             becomes
//   loss[n]    = logs[n, class[n]]                 loss[n]  = x[n, class[n]] - m[n] - z[n]
//   d_x[n, c]  = exp(logs[n, c]) * r[n]            d_x[n, c] = exp(x[n, c] - m[n] - z[n]) * r[n]
//
// Storing costs a write, and a read in each kernel that reads the value. Computing it there costs
// arithmetic, and reads of what the kernel doesn't read yet. Both are weighed by the machine's
// figures. A value that a last-level cache holds stays.
//
// Needs: fuse has run, so it is known what is stored. Keeps: the value of every element, since a
// rounding to a narrower type is written into the expression. A float on which a jump of a reader
// depends stays stored, since kernels may round in different ways; so does what is unchanging or is
// seen from outside. The operands of a value that is no longer stored must be no larger than it is,
// as they live until its last reader. Readers are equations other than products, whose kernels read
// their factors as they lie, and views. A read at a place that data decide is still checked. Ends:
// it is one walk over the ops.
#include "ir/rounding.h"
#include "passes/remat.h"
#include "passes/rewrite.h"

enum { MAX_INDICES = 64, MAX_SIZE = 200, MAX_READERS = 8 };
enum { SMALL = 64 }; // of a value's operands that a group has for itself: this part of its bytes

// How a stored value is computed from stored values.
typedef struct Formula {
    MgValueId value; // what is stored
    MgOpId kernel;   // the op of the home region that stores it
    MgOpId op;       // the equation: the kernel, or an op inside it
    const MgPiece *piece;
    MgValueId *operands; // by operand of `op`: the value that is stored, or will be
    bool *inside;        // by operand: only the kernel has it until now; it is small
} Formula;

typedef struct Sink {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgArena *arena;
    MgReaders readers;
    bool *pinned;       // by value
    bool *fixed;        // by value: it is an input with an output over it, or a loop carries it
    bool *unchanging;   // by value: the first run computes it for all runs
    uint32_t n_values;  // of these arrays; later values are results that this pass added to groups
    MgValueId *outputs; // by value: the output that shares its bytes
    MgValueId *result;  // by value of a group: the result by which others read it, if there is one
    MgMap reads;        // of a kernel and a value: the kernel reads it
    bool *product;      // by op that is a kernel: it multiplies
    bool *changed;      // by op that is a kernel: some of its results may be read no more
} Sink;

// ---------------------------------------------------------------- kernels

// The op that is a kernel of its own: the group that holds the op, or the op.
static MgOpId kernel_of(Sink *s, MgOpId id) {
    MgOpId parent = mg_region(s->g, mg_op(s->g, id)->region)->parent;
    return parent && mg_op(s->g, parent)->kind == MG_OP_FUSED ? parent : id;
}

static MgOp *yield_of(Sink *s, MgOpId kernel) {
    const MgRegion *body = mg_region(s->g, mg_op(s->g, kernel)->regions[0]);
    return mg_op(s->g, body->ops.at[body->ops.len - 1]);
}

static uint64_t read_key(MgOpId kernel, MgValueId v) {
    return (uint64_t)kernel << 32 | v;
}

// Notes what the op's kernel reads, and whether it multiplies.
static void note_op(Sink *s, MgOpId id) {
    const MgOp *op = mg_op(s->g, id);
    MgOpId kernel = kernel_of(s, id);
    for (uint32_t i = 0; i < op->n_operands; i++)
        mg_map_put(&s->reads, read_key(kernel, op->operands[i]), 1);
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        s->product[kernel] |=
            mg_piece_contraction(s->m, &op->equation->pieces[i]) >= MG_CONTRACTS_VECTORS;
}

static void note_group(Sink *s, MgOpId id) {
    const MgOp *yield = yield_of(s, id);
    for (uint32_t i = 0; i < yield->n_operands; i++)
        s->result[yield->operands[i]] = mg_op(s->g, id)->results[i];
}

// May the value be read later than now, or be stored in addition to what its kernel stores?
static bool may_stay(Sink *s, const Formula *f, uint32_t operand) {
    MgValueId v = f->operands[operand];
    if (f->inside[operand])
        return mg_remat_bytes(s->g, v) * SMALL <= mg_remat_bytes(s->g, f->value);
    return v >= s->n_values || !s->fixed[v];
}

static bool find_formula(Sink *s, MgValueId v, Formula *f) {
    MgGraph *g = s->g;
    *f = (Formula){.value = v, .kernel = mg_value(g, v)->def};
    f->op = f->kernel;
    if (mg_op(g, f->kernel)->kind == MG_OP_FUSED)
        f->op = mg_value(g, yield_of(s, f->kernel)->operands[mg_value(g, v)->result])->def;
    const MgOp *op = mg_op(g, f->op);
    if (op->kind != MG_OP_EQUATION || !mg_traits(g, f->op).elementwise || op->equation->has_base)
        return false;
    f->piece = &op->equation->pieces[0];
    f->operands = MG_NEW_N(s->arena, MgValueId, op->n_operands + 1);
    f->inside = MG_NEW_N(s->arena, bool, op->n_operands + 1);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(g, op->operands[i])->def;
        bool member = def && f->op != f->kernel && mg_op(g, def)->region == op->region;
        MgValueId result = member ? s->result[op->operands[i]] : op->operands[i];
        f->inside[i] = !result;
        f->operands[i] = result ? result : op->operands[i];
        if (!may_stay(s, f, i))
            return false;
    }
    return f->piece->n_indices <= MAX_INDICES && mg_piece_is_plain(g, f->piece, op->results[0]) &&
           !mg_piece_is_scanned(s->m, f->piece);
}

// ---------------------------------------------------------------- substitution

typedef struct Compose {
    Sink *s;
    const Formula *f;
    MgOpId reader;
    const MgSx *read; // of the stored value
    MgIx with[MAX_INDICES];
    MgIxRanges ranges;
    uint64_t chosen, checked; // indices for which data stand, and those of them that are checked
    bool ok;
} Compose;

// The index that data choose, if the expression is exactly that index.
static bool is_chosen(const Compose *c, const MgSx *x, uint32_t *position) {
    MgIxTable *t = c->s->m->ix;
    MgIxSym sym;
    return x->kind == MG_SX_IX && x->dtype == MG_I64 && mg_ix_is_sym(t, x->ix, &sym) &&
           mg_ix_sym_is_index(t, sym, position) && c->chosen >> *position & 1;
}

static const MgSx *compose_ix(Compose *c, const MgSx *x) {
    MgIxTable *t = c->s->m->ix;
    uint32_t position;
    if (is_chosen(c, x, &position))
        return c->read->args[position];
    for (uint32_t i = 0; i < c->f->piece->n_indices; i++)
        c->ok &= !(c->chosen >> i & 1 && mg_ix_mentions(t, x->ix, mg_ix_index(t, i)));
    MgIx ix = mg_ix_subst_indices(t, x->ix, c->with, MAX_INDICES);
    ix = mg_ix_narrow(t, ix, &c->ranges);
    c->ok &= ix != MG_IX_ERROR;
    return mg_sx_ix(c->s->m, x->dtype, ix);
}

static const MgSx *compose(Compose *c, const MgSx *x);

// A read of the formula. Where data choose a place, it must be checked as the read of the stored
// value was: the axes are equally long.
static const MgSx *compose_read(Compose *c, const MgSx *x) {
    MgGraph *g = c->s->g;
    MgModule *m = c->s->m;
    MgValueId v = c->f->operands[x->operand];
    const MgValue *from = mg_value(g, v), *stored = mg_value(g, c->f->value);
    const MgSx **args = MG_NEW_N(m->arena, const MgSx *, x->n_args + 1);
    MgBounds bounds = x->bounds;
    bool inside = true;
    for (uint32_t i = 0; i < x->n_args; i++) {
        uint32_t position = 0;
        args[i] = compose(c, x->args[i]);
        if (is_chosen(c, x->args[i], &position)) {
            c->ok &= x->bounds == MG_BOUNDS_PROVED && from->shape[i] == stored->shape[position];
            c->checked |= (uint64_t)1 << position;
            bounds = c->read->bounds;
        } else if (args[i]->kind != MG_SX_IX) {
            inside = false;
        } else {
            inside &=
                mg_inside(m->ix, args[i]->ix, from->shape[i], &c->ranges, NULL, 0) == MG_PROVED;
        }
    }
    c->ok &= x->bounds != MG_BOUNDS_CHECKED && (x->bounds == MG_BOUNDS_ELSE || inside);
    const MgSx *otherwise = x->otherwise ? compose(c, x->otherwise) : NULL;
    uint32_t operand = c->ok ? mg_add_operand(g, c->reader, v) : 0;
    return mg_sx_read(m, operand, x->dtype, args, x->n_args, bounds, otherwise);
}

static const MgSx *compose(Compose *c, const MgSx *x) {
    if (!c->ok || x->kind == MG_SX_CONST)
        return x;
    if (x->kind == MG_SX_IX)
        return compose_ix(c, x);
    if (x->kind == MG_SX_READ)
        return compose_read(c, x);
    const MgSx **args = MG_NEW_N(c->s->m->arena, const MgSx *, x->n_args + 1);
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = compose(c, x->args[i]);
    return mg_sx_prim(c->s->m, x->prim, x->dtype, args, x->n_args);
}

// The formula at the place of the read; NULL if it can't be written there.
static const MgSx *at_read(Sink *s, const Formula *f, MgOpId reader, const MgPiece *piece,
                           const MgSx *read) {
    Compose c = {.s = s, .f = f, .reader = reader, .read = read, .ok = true};
    c.ranges = mg_piece_ranges(piece, s->arena);
    for (uint32_t i = 0; i < read->n_args; i++)
        if (read->args[i]->kind == MG_SX_IX)
            c.with[i] = read->args[i]->ix;
        else
            c.chosen |= (uint64_t)1 << i;
    if (read->bounds == MG_BOUNDS_ELSE || (read->bounds == MG_BOUNDS_CHECKED && !c.chosen))
        return NULL;
    const MgSx *x = compose(&c, f->piece->expr);
    if (!c.ok || (read->bounds == MG_BOUNDS_CHECKED && c.checked != c.chosen))
        return NULL;
    MgDType stored = mg_value(s->g, f->value)->dtype;
    return stored == x->dtype ? x : mg_rounded(s->m, x, stored);
}

typedef struct Replace {
    Sink *s;
    const Formula *f;
    MgOpId reader;
    const MgPiece *piece;
    uint32_t reads;
    bool ok;
} Replace;

static const MgSx *replace(void *ctx, const MgSx *x) {
    Replace *r = ctx;
    const MgOp *op = mg_op(r->s->g, r->reader);
    if (x->kind != MG_SX_READ || op->operands[x->operand] != r->f->value || !r->ok)
        return x;
    const MgSx *y = at_read(r->s, r->f, r->reader, r->piece, x);
    r->ok = y != NULL;
    r->reads++;
    return y ? y : x;
}

// The reader's equation with the formula in it; NULL if that is not possible.
static MgEquation *with_formula(Sink *s, const Formula *f, MgOpId reader) {
    MgArena *arena = s->m->arena;
    const MgOp *op = mg_op(s->g, reader);
    MgEquation *e = mg_arena_copy(arena, op->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    Replace r = {.s = s, .f = f, .reader = reader, .ok = true};
    for (uint32_t i = 0; i < e->n_pieces && r.ok; i++) {
        r.piece = &e->pieces[i];
        e->pieces[i].expr = mg_sx_rewrite(s->m, e->pieces[i].expr, replace, &r);
        r.ok &= mg_sx_size(e->pieces[i].expr, MAX_SIZE) < MAX_SIZE;
    }
    return r.ok && r.reads ? e : NULL;
}

// ---------------------------------------------------------------- readers

// Does a jump of the expression, an operation of a reader, depend on the value?
static bool decides(const MgOp *op, const MgSx *x, MgValueId v, bool jumps) {
    if (x->kind == MG_SX_READ && op->operands[x->operand] == v && jumps)
        return true;
    bool some = x->otherwise && decides(op, x->otherwise, v, jumps);
    for (uint32_t i = 0; i < x->n_args && !some; i++)
        some = decides(op, x->args[i], v, jumps || mg_sx_jumps(x) || x->kind == MG_SX_READ);
    return some;
}

static bool may_compute(Sink *s, const MgOp *op, const MgPiece *p, MgValueId v) {
    bool place = p->reducer == MG_REDUCE_ARGMAX || p->reducer == MG_REDUCE_ARGMIN;
    bool exact = !mg_is_float(mg_value(s->g, v)->dtype);
    return !p->scatter && (exact || !decides(op, p->expr, v, place));
}

// May the op compute the value itself?
static bool may_read(Sink *s, const Formula *f, MgOpId reader) {
    const MgOp *op = mg_op(s->g, reader);
    MgOpId kernel = kernel_of(s, reader);
    if (op->kind != MG_OP_EQUATION || op->equation->has_base ||
        mg_op(s->g, kernel)->region != mg_op(s->g, f->kernel)->region ||
        mg_traits(s->g, reader).view || s->product[kernel])
        return false;
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        if (!may_compute(s, op, &op->equation->pieces[i], f->value))
            return false;
    return true;
}

// ---------------------------------------------------------------- costs

static double points(Sink *s, MgOpId op) {
    const MgEquation *e = mg_op(s->g, op)->equation;
    double all = 0;
    for (uint32_t i = 0; i < e->n_pieces; i++)
        all += mg_remat_points(s->g, &e->pieces[i], 0, e->pieces[i].n_indices);
    return all;
}

// The bytes of v that as many points read.
static double bytes_read(Sink *s, MgValueId v, double n) {
    double some = n * mg_dtype_size(mg_value(s->g, v)->dtype), whole = mg_remat_bytes(s->g, v);
    return some < whole ? some : whole;
}

// Is it cheaper to compute the value in these readers than to store it? Reads of one kernel count
// once.
static bool pays(Sink *s, const Formula *f, const MgOpId *readers, uint32_t n) {
    double whole = mg_remat_bytes(s->g, f->value), stored = whole, again = 0, ns = 0, kept = 0;
    uint32_t n_operands = mg_op(s->g, f->op)->n_operands;
    for (uint32_t k = 0; k < n_operands && f->op == f->kernel; k++)
        stored += bytes_read(s, f->operands[k], points(s, f->op)); // its own kernel goes
    for (uint32_t i = 0; i < n; i++) {
        double times = points(s, readers[i]);
        MgOpId kernel = kernel_of(s, readers[i]);
        ns += times * mg_remat_point_ns(s->context, f->piece->expr);
        bool first = true;
        for (uint32_t k = 0; k < i; k++)
            first &= kernel_of(s, readers[k]) != kernel;
        stored += first ? bytes_read(s, f->value, times) : 0;
        for (uint32_t k = 0; k < n_operands && first; k++)
            if (!mg_map_find(&s->reads, read_key(kernel, f->operands[k])))
                again += bytes_read(s, f->operands[k], times);
    }
    for (uint32_t k = 0; k < n_operands; k++) {
        double bytes = mg_remat_bytes(s->g, f->operands[k]);
        kept += bytes;
        again += f->inside[k] ? bytes : 0;
    }
    return kept <= whole * (1 + 1.0 / SMALL) &&
           ns + mg_remat_memory_ns(s->context, again) < mg_remat_memory_ns(s->context, stored);
}

// ---------------------------------------------------------------- the pass

// Makes the small operands that only the group has results of it. The operands become these.
static void yield_more(Sink *s, const Formula *f) {
    MgGraph *g = s->g;
    MgNames *names = s->m->session->names;
    for (uint32_t i = 0; i < mg_op(g, f->op)->n_operands; i++) {
        if (!f->inside[i])
            continue;
        MgOp *yield = yield_of(s, f->kernel);
        MgValueId *yields = MG_NEW_N(s->m->arena, MgValueId, yield->n_operands + 1);
        memcpy(yields, yield->operands, yield->n_operands * sizeof *yields);
        yields[yield->n_operands++] = f->operands[i];
        yield->operands = yields;
        MgValue v = *mg_value(g, f->operands[i]);
        MgSym name = mg_unique_name(g, mg_symf(names, "%s_out", mg_name(names, v.name)));
        s->result[f->operands[i]] = mg_op_result(g, f->kernel, name, v.dtype, v.rank, v.shape);
        f->operands[i] = s->result[f->operands[i]];
    }
}

static bool is_large(Sink *s, MgValueId v) {
    return mg_remat_bytes(s->g, v) > s->context->machine->l3_size;
}

// Makes the readers compute the value, unless one of them can't.
static bool compute_in(Sink *s, const Formula *f, const MgOpId *readers, uint32_t n) {
    MgEquation *equations[MAX_READERS];
    bool all = true;
    yield_more(s, f);
    for (uint32_t i = 0; i < n && all; i++)
        all = (equations[i] = with_formula(s, f, readers[i])) != NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (all)
            mg_op(s->g, readers[i])->equation = equations[i];
        mg_normalise_operands(s->g, readers[i], s->arena);
        note_op(s, readers[i]);
    }
    for (uint32_t i = 0; i < mg_op(s->g, f->op)->n_operands && all; i++)
        if (f->operands[i] < s->n_values)
            s->pinned[f->operands[i]] = true; // `readers` doesn't list its new readers
    s->changed[f->kernel] = true;
    return all;
}

static bool visit(Sink *s, MgValueId v) {
    Formula f;
    MgOpId readers[MAX_READERS];
    uint32_t n = 0;
    if (v >= s->n_values || !is_large(s, v) || s->pinned[v] || s->outputs[v] || s->unchanging[v] ||
        !find_formula(s, v, &f))
        return false;
    for (uint32_t i = s->readers.first[v]; i < s->readers.first[v + 1]; i++) {
        MgOpId reader = s->readers.ops[i];
        if (n && readers[n - 1] == reader)
            continue;
        if (n == MAX_READERS || !may_read(s, &f, reader))
            return false;
        readers[n++] = reader;
    }
    return n && pays(s, &f, readers, n) && mg_pass_may(s->context, f.op) &&
           compute_in(s, &f, readers, n);
}

// Values that some kernel may change in place, so nothing should read them later than now.
static void find_fixed(Sink *s) {
    MgGraph *g = s->g;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].aliases >= 0)
            s->fixed[g->inputs.at[g->outputs.at[i].aliases].value] = true;
    for (MgRegionId r = 1; r < g->regions.len; r++)
        for (uint32_t i = 0; i < mg_region(g, r)->params.len; i++)
            s->fixed[mg_region(g, r)->params.at[i]] = true;
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_LOOP)
            for (uint32_t i = 0; i < mg_op(g, id)->n_operands; i++)
                s->fixed[mg_op(g, id)->operands[i]] = true;
}

// Weights and constants, and what ops of the body make of them alone.
static void find_unchanging(Sink *s) {
    MgGraph *g = s->g;
    for (uint32_t i = 0; i < mg_region(g, 0)->ops.len; i++) {
        const MgOp *op = mg_op(g, mg_region(g, 0)->ops.at[i]);
        bool all = op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST ||
                   (op->kind == MG_OP_EQUATION && op->n_operands);
        for (uint32_t k = 0; k < op->n_operands; k++)
            all &= s->unchanging[op->operands[k]];
        for (uint32_t k = 0; k < op->n_results; k++)
            s->unchanging[op->results[k]] = all;
    }
}

// Takes the results of a kernel that nothing reads; a kernel without results goes. dce erases what
// only these results needed.
static void drop_results(Sink *s, MgOpId kernel, const uint32_t *uses) {
    MgGraph *g = s->g;
    MgOp *op = mg_op(g, kernel);
    MgOp *yield = op->kind == MG_OP_FUSED ? yield_of(s, kernel) : NULL;
    MgArena *arena = s->m->arena;
    uint32_t n = 0;
    op->results = mg_arena_copy(arena, op->results, op->n_results, sizeof *op->results);
    if (yield)
        yield->operands = mg_arena_copy(arena, yield->operands, op->n_results, sizeof *op->results);
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (!uses[op->results[i]])
            continue;
        if (yield)
            yield->operands[n] = yield->operands[i];
        mg_value(g, op->results[i])->result = n;
        op->results[n++] = op->results[i];
    }
    if (!n) {
        mg_op_erase(g, kernel);
        return;
    }
    op->n_results = n;
    if (yield)
        yield->n_operands = n;
}

bool mg_pass_sink(MgGraph *g, MgPassContext *context) {
    MgArena *arena = context->scratch;
    Sink s = {.g = g, .m = g->module, .context = context, .arena = arena};
    s.n_values = g->values.len;
    s.readers = mg_readers(g, arena);
    s.pinned = MG_NEW_N(arena, bool, g->values.len);
    s.fixed = MG_NEW_N(arena, bool, g->values.len);
    s.unchanging = MG_NEW_N(arena, bool, g->values.len);
    s.outputs = MG_NEW_N(arena, MgValueId, g->values.len);
    mg_pin_shapes(g, s.pinned);
    mg_output_bytes(g, s.outputs);
    s.result = MG_NEW_N(arena, MgValueId, g->values.len);
    mg_map_init(&s.reads, arena);
    s.product = MG_NEW_N(arena, bool, g->ops.len);
    s.changed = MG_NEW_N(arena, bool, g->ops.len);
    find_fixed(&s);
    find_unchanging(&s);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            note_op(&s, id);
        else if (mg_op(g, id)->kind == MG_OP_FUSED)
            note_group(&s, id);
    bool changed = false;
    for (MgRegionId r = 0; r < g->regions.len; r++) {
        MgOpId parent = mg_region(g, r)->parent;
        if (parent && mg_op(g, parent)->kind == MG_OP_FUSED)
            continue;
        for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
            MgOpId id = mg_region(g, r)->ops.at[i];
            MgOpKind kind = mg_op(g, id)->kind;
            for (uint32_t k = mg_op(g, id)->n_results;
                 (kind == MG_OP_EQUATION || kind == MG_OP_FUSED) && k-- > 0;)
                changed |= visit(&s, mg_op(g, id)->results[k]);
        }
    }
    const uint32_t *uses = mg_use_counts(g, arena);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (s.changed[id])
            drop_results(&s, id, uses);
    if (changed)
        mg_graph_compact(g);
    return changed;
}
