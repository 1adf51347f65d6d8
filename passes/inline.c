// inline: substitutes producers into the equations that read them: moves, constants, and values
// that only one reduction, or one piece of several, reads.
//
// Needs: nothing; canonical operands help. Keeps: the value of every element. If the producer
// rounds to a narrower type, the expression keeps that rounding with --strict, below -O2, and if
// the type has eight bits; it drops it otherwise. A producer has one piece, which covers its whole
// result, and no reduction. It is substituted if
//   - it moves or generates elements (one read, constant or index, and at most a cast), unless its
//     subscripts would then need divisions that they did not need before; or
//   - it chooses between two constants by places, and its reader reduces nothing; or
//   - its only reader is a reduction that reads each of its elements once, so no work is repeated;
//     or
//   - its only reader is a piece of several that computes something, at no more points than it has
//     elements: fuse makes no group of pieces; or
//   - it is large and its reader is a reduction over rows that fit no cache: storing and reloading
//     its elements would take longer than recomputing them from one operand.
// A parameter in a narrower type is not, if it is multiplied by a vector: it is kept.
// Ends: each substitution removes a read of an earlier producer. dce erases the producers.
#include "ir/rounding.h"
#include "passes/exact.h"
#include "passes/rewrite.h"

enum { MAX_RANK = 32, MAX_INDICES = 64, MAX_SIZE = 200, REPEATED_SIZE = 24 };

typedef struct Inline {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    MgIx *facts;
    uint32_t n_facts;
    MgRounding rounding;
    uint32_t *uses; // by value id: number of ops that read it, plus outputs
    MgOpId consumer;
    uint32_t *reads, n_reads; // by operand of the consumer: in how many places it reads that
    const MgPiece *piece;     // the consumer's
    MgIxRanges ranges;        // ranges of the piece
    bool changed;
} Inline;

// ---------------------------------------------------------------- what can be substituted

static bool is_cheap(const MgSx *x) {
    if (x->kind == MG_SX_READ) {
        for (uint32_t i = 0; i < x->n_args; i++)
            if (x->args[i]->kind != MG_SX_IX)
                return false;
        return x->bounds != MG_BOUNDS_CHECKED &&
               (!x->otherwise || x->otherwise->kind == MG_SX_CONST);
    }
    if (x->kind == MG_SX_PRIM)
        return mg_prim(x->prim)->result == MG_RESULT_CONVERT && is_cheap(x->args[0]);
    return true;
}

// Is x a choice of two constants by a comparison of places, as a mask is? To compute it takes no
// longer than to load it.
static bool is_mask(const MgSx *x) {
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_WHERE)
        return false;
    const MgSx *condition = x->args[0];
    return condition->kind == MG_SX_PRIM && condition->n_args == 2 &&
           condition->args[0]->kind == MG_SX_IX && condition->args[1]->kind == MG_SX_IX &&
           x->args[1]->kind == MG_SX_CONST && x->args[2]->kind == MG_SX_CONST;
}

static const MgPiece *producer(Inline *in, MgValueId v) {
    const MgPiece *p = mg_only_piece(mg_def(in->g, v));
    if (!p || p->reducer != MG_REDUCE_NONE || p->n_indices > MAX_INDICES ||
        mg_value(in->g, v)->rank > MAX_RANK)
        return NULL;
    for (uint32_t d = 0; d < mg_value(in->g, v)->rank; d++)
        if (p->target[d].sub->kind != MG_SX_IX)
            return NULL;
    return p;
}

static MgIx points(MgIxTable *t, const MgPiece *p) {
    return mg_index_points(t, p->indices, p->n_indices);
}

static void count_read(void *ctx, const MgSx *x) {
    Inline *in = ctx;
    if (x->kind == MG_SX_READ)
        in->reads[x->operand]++;
}

static void count_reads(Inline *in, const MgOp *consumer) {
    in->n_reads = consumer->n_operands;
    in->reads = MG_NEW_N(in->context->scratch, uint32_t, in->n_reads);
    for (uint32_t i = 0; i < consumer->equation->n_pieces; i++)
        mg_sx_walk(consumer->equation->pieces[i].expr, count_read, in);
}

// An open number counts as large if the consumer reduces a single row, which workers share: a kept
// value would be read by several kernels.
static bool at_least(Inline *in, MgIx x, int64_t least) {
    int64_t n;
    return mg_ix_is_const(in->m->ix, x, &n) ? n >= least : !in->piece->n_free && !in->context->gpu;
}

// Does recomputing v for this consumer, which reads each element once, beat keeping it for others?
// It does if v goes to memory, if no row of it stays in a cache for the next step, and if it is
// computed from at most one tensor of its size.
static bool is_worth_repeating(Inline *in, MgValueId v, const MgPiece *p) {
    MgIxTable *t = in->m->ix;
    const MgPiece *own = in->piece;
    MgIx row = mg_index_points(t, own->indices + own->n_free, own->n_indices - own->n_free);
    if (!at_least(in, row, (int64_t)in->context->machine->longest_row + 1) ||
        !at_least(in, mg_value_elements(in->g, v), (int64_t)in->context->machine->recomputed) ||
        !mg_traits(in->g, in->consumer).row ||
        mg_piece_contraction(in->m, in->piece) >= MG_CONTRACTS_VECTORS ||
        mg_sx_size(p->expr, REPEATED_SIZE) >= REPEATED_SIZE)
        return false;
    const MgOp *op = mg_op(in->g, mg_value(in->g, v)->def);
    uint32_t large = 0;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgIx n = mg_ix_mul(t, mg_value_elements(in->g, op->operands[i]), mg_ix_const(t, 16));
        bool small = mg_ix_nonnegative(t, mg_ix_sub(t, mg_value_elements(in->g, v), n), NULL, NULL,
                                       0) == MG_PROVED;
        small |= mg_ix_is_const(t, n, NULL) && !mg_ix_is_const(t, row, NULL);
        bool wider = mg_dtype_size(mg_value(in->g, op->operands[i])->dtype) >
                     mg_dtype_size(mg_value(in->g, v)->dtype);
        large += !small + (!small && wider);
    }
    return large <= 1;
}

// Does v hold a parameter in a narrower type, for a consumer that reads each of its elements once?
// Then it is converted in the first run and kept: in later runs, memory has fewer bytes to deliver.
// (A CPU's product of matrices packs its factors. A GPU's tiles read them as they are.)
static bool is_narrowed_once(Inline *in, MgValueId v, const MgPiece *p) {
    const MgOp *op = mg_op(in->g, mg_value(in->g, v)->def);
    int64_t bytes;
    MgContraction most = in->context->gpu ? MG_CONTRACTS_MATRICES : MG_CONTRACTS_VECTORS;
    MgContraction contraction = mg_piece_contraction(in->m, in->piece);
    if (op->region || op->n_operands != 1 || contraction < MG_CONTRACTS_VECTORS ||
        contraction > most)
        return false;
    const MgValue *from = mg_value(in->g, op->operands[0]), *to = mg_value(in->g, v);
    return from->def && mg_op(in->g, from->def)->kind == MG_OP_PARAM &&
           p->expr->kind == MG_SX_PRIM && mg_dtype_size(to->dtype) < mg_dtype_size(from->dtype) &&
           mg_ix_is_const(in->m->ix, mg_value_bytes(in->g, v), &bytes) && bytes <= MG_MOST_KEPT;
}

// Does the consumer read v in one place?
static bool is_read_once(Inline *in, MgValueId v, uint32_t operand) {
    return in->uses[v] == 1 && operand < in->n_reads && in->reads[operand] == 1;
}

// Is the piece, one of several, more than a move, with no more points than v has elements?
static bool is_computed_piece(Inline *in, MgValueId v) {
    MgIxTable *t = in->m->ix;
    MgIx rest = mg_ix_sub(t, mg_value_elements(in->g, v), points(t, in->piece));
    return mg_op(in->g, in->consumer)->equation->n_pieces > 1 &&
           in->piece->reducer == MG_REDUCE_NONE && in->piece->expr->kind != MG_SX_READ &&
           mg_ix_nonnegative(t, rest, NULL, NULL, 0) == MG_PROVED;
}

static bool may_inline(Inline *in, const MgSx *read, MgValueId v, const MgPiece *p) {
    if (is_narrowed_once(in, v, p))
        return false;
    if (is_cheap(p->expr) || (in->piece->reducer == MG_REDUCE_NONE && is_mask(p->expr)))
        return true;
    MgIxTable *t = in->m->ix;
    bool once = is_read_once(in, v, read->operand), all;
    all = points(t, in->piece) == mg_value_elements(in->g, v) &&
          in->piece->reducer != MG_REDUCE_NONE && (once || is_worth_repeating(in, v, p));
    return (all || (once && is_computed_piece(in, v))) &&
           mg_op(in->g, mg_value(in->g, v)->def)->region == mg_op(in->g, in->consumer)->region &&
           !mg_ix_mentions_index(t, points(t, in->piece)) &&
           mg_sx_size(p->expr, MAX_SIZE) + mg_sx_size(in->piece->expr, MAX_SIZE) < MAX_SIZE;
}

// ---------------------------------------------------------------- composition

typedef struct Compose {
    Inline *in;
    const MgOp *op; // the producer
    MgIx with[MAX_INDICES];
    bool ok;
} Compose;

static MgIx narrow(Inline *in, MgIx x) {
    return mg_ix_narrow_by(in->m->ix, x, &in->ranges, in->facts, in->n_facts);
}

// Solves for the producer's indices, given the subscripts of the read. A tuple is decomposed in
// row-major order.
static bool solve_indices(Compose *c, const MgPiece *p, const MgSx *read, uint32_t rank) {
    MgIxTable *t = c->in->m->ix;
    for (uint32_t d = 0; d < rank; d++) {
        const MgTarget *target = &p->target[d];
        MgIxSym s;
        uint32_t position;
        if (read->args[d]->kind != MG_SX_IX)
            return false;
        MgIx left = read->args[d]->ix;
        for (uint32_t i = target->n_tuple; i-- > 0;) {
            MgIx extent = p->indices[target->tuple[i]].high;
            MgIx digit = i ? mg_ix_mod(t, left, extent) : left;
            left = mg_ix_div(t, left, extent);
            c->with[target->tuple[i]] = narrow(c->in, digit);
        }
        if (target->n_tuple)
            continue;
        if (!mg_ix_is_sym(t, target->sub->ix, &s) || !mg_ix_sym_is_index(t, s, &position) ||
            position >= p->n_free)
            return false;
        c->with[position] = left;
    }
    return true;
}

static bool is_inside(Compose *c, const MgSx *x, MgValueId v) {
    Inline *in = c->in;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (x->args[i]->kind != MG_SX_IX ||
            mg_inside(in->m->ix, x->args[i]->ix, mg_value(in->g, v)->shape[i], &in->ranges,
                      in->facts, in->n_facts) != MG_PROVED)
            return false;
    return true;
}

static const MgSx *compose(void *ctx, const MgSx *x) {
    Compose *c = ctx;
    MgModule *m = c->in->m;
    if (!c->ok || x->kind == MG_SX_CONST || x->kind == MG_SX_PRIM)
        return x;
    if (x->kind == MG_SX_IX) {
        MgIx ix = mg_ix_subst_indices(m->ix, x->ix, c->with, MAX_INDICES);
        ix = narrow(c->in, ix);
        c->ok = ix && (!mg_ix_has_division(m->ix, ix) || mg_ix_has_division(m->ix, x->ix));
        return mg_sx_ix(m, x->dtype, ix);
    }
    MgValueId v = c->op->operands[x->operand];
    if (x->bounds == MG_BOUNDS_PROVED && !is_inside(c, x, v))
        c->ok = false;
    uint32_t operand = c->ok ? mg_add_operand(c->in->g, c->in->consumer, v) : 0;
    return mg_sx_read(m, operand, x->dtype, x->args, x->n_args, x->bounds, x->otherwise);
}

// Applies the rounding of a store to a narrower type than the expression's. A number of that type
// isn't changed.
static const MgSx *with_rounding(Inline *in, const MgSx *x, const MgSx *original, const MgOp *op,
                                 MgDType stored) {
    MgDType compute = mg_dtype(stored)->compute;
    bool decisive = in->rounding.decisive[op->results[0]];
    bool byte = mg_dtype(stored)->bits == 8; // so few bits are stored because they are meant
    bool may_skip = in->context->level >= 2 && !in->context->strict && !decisive && !byte;
    if (stored == compute || may_skip || mg_sx_is_exact_in(in->g, op, original, stored))
        return x;
    return mg_rounded(in->m, x, stored);
}

// A read that may be outside is only substituted through a producer that renames dimensions one to
// one: then both reads are outside at the same places.
static bool renames(Inline *in, const MgPiece *p, const MgOp *op, uint32_t rank) {
    const MgSx *x = p->expr;
    MgIxTable *t = in->m->ix;
    bool seen[MAX_RANK] = {0};
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || x->n_args != rank)
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        MgIxSym s;
        uint32_t position;
        if (p->target[i].n_tuple || p->target[i].sub->ix != mg_ix_idx(t, i) ||
            !mg_ix_is_sym(t, x->args[i]->ix, &s) || !mg_ix_sym_is_index(t, s, &position) ||
            position >= rank || seen[position] ||
            mg_value(in->g, op->operands[x->operand])->shape[i] != p->indices[position].high)
            return false;
        seen[position] = true;
    }
    return true;
}

static const MgSx *renamed(Inline *in, const MgSx *read, const MgPiece *p, const MgOp *op) {
    const MgSx *subs[MAX_RANK];
    MgIxSym s;
    uint32_t position = 0;
    for (uint32_t i = 0; i < read->n_args; i++) {
        mg_ix_is_sym(in->m->ix, p->expr->args[i]->ix, &s);
        mg_ix_sym_is_index(in->m->ix, s, &position);
        subs[i] = read->args[position];
    }
    uint32_t operand = mg_add_operand(in->g, in->consumer, op->operands[p->expr->operand]);
    return mg_sx_read(in->m, operand, read->dtype, subs, read->n_args, read->bounds,
                      read->otherwise);
}

static const MgSx *inline_read(void *ctx, const MgSx *x) {
    Inline *in = ctx;
    if (x->kind != MG_SX_READ)
        return x;
    MgValueId v = mg_op(in->g, in->consumer)->operands[x->operand];
    const MgPiece *p = producer(in, v);
    if (!p || !may_inline(in, x, v, p))
        return x;
    const MgOp op = *mg_op(in->g, mg_value(in->g, v)->def);
    const MgValue value = *mg_value(in->g, v);
    if (x->bounds != MG_BOUNDS_PROVED) {
        if (!renames(in, p, &op, value.rank) ||
            mg_value(in->g, op.operands[p->expr->operand])->dtype != value.dtype)
            return x;
        in->changed = true;
        return renamed(in, x, p, &op);
    }
    Compose c = {.in = in, .op = &op, .ok = true};
    if (!solve_indices(&c, p, x, value.rank))
        return x;
    const MgSx *y = mg_sx_rewrite(in->m, p->expr, compose, &c);
    if (!c.ok)
        return x;
    in->changed = true;
    return with_rounding(in, y, p->expr, &op, value.dtype);
}

// ---------------------------------------------------------------- the pass

// The piece's new expression, without a rounding that its result has anyway. A rounding that was
// there before stays: it is meant, and is never skipped.
static const MgSx *stored_expr(const MgPiece *p, const MgSx *expr, MgDType stored) {
    bool meant = p->reducer != MG_REDUCE_NONE || mg_sx_unrounded(p->expr, stored) != p->expr;
    return meant ? expr : mg_sx_unrounded(expr, stored);
}

// Places of a scatter that are moved or generated become places by indices, which gather knows.
// They must be inside: only a place that data decide is checked.
static bool visit_places(Inline *in, MgPiece *p, MgValueId result) {
    uint32_t rank = mg_value(in->g, result)->rank;
    bool changed = false;
    p->target = mg_arena_copy(in->m->arena, p->target, rank, sizeof *p->target);
    for (uint32_t d = 0; d < rank; d++) {
        const MgSx *old = p->target[d].sub;
        const MgSx *sub = p->target[d].n_tuple ? old : mg_sx_rewrite(in->m, old, inline_read, in);
        if (sub == old || sub->kind != MG_SX_IX ||
            mg_inside(in->m->ix, sub->ix, mg_value(in->g, result)->shape[d], &in->ranges, in->facts,
                      in->n_facts) != MG_PROVED)
            continue;
        p->target[d].sub = sub;
        changed = true;
    }
    return changed;
}

static bool visit(Inline *in, MgOpId id) {
    MgOp *op = mg_op(in->g, id);
    MgArena *arena = in->m->arena;
    MgEquation *e = mg_arena_copy(arena, op->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    in->consumer = id;
    count_reads(in, op);
    MgValueId result = op->results[0];
    bool changed = false;
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        MgPiece *p = &e->pieces[i];
        in->piece = p;
        in->ranges = mg_piece_ranges(p, in->context->scratch);
        in->changed = false;
        const MgSx *expr = mg_sx_rewrite(in->m, p->expr, inline_read, in);
        if (in->changed)
            p->expr = stored_expr(p, expr, mg_value(in->g, result)->dtype);
        changed |= in->changed;
        if (p->scatter)
            changed |= visit_places(in, p, result);
    }
    op = mg_op(in->g, id);
    changed = changed && mg_pass_may(in->context, id);
    if (changed)
        op->equation = e;
    // Failed attempts have added operands, too.
    mg_normalise_operands(in->g, id, in->context->scratch);
    return changed;
}

// In the body of a counted loop the counter lies in the loop's range.
static void learn_range(Inline *in, const MgLoop *loop) {
    MgIxTable *t = in->m->ix;
    MgIx counter = mg_ix_sym(t, loop->counter);
    MgIx *facts = MG_NEW_N(in->context->scratch, MgIx, in->n_facts + 2);
    if (in->n_facts)
        memcpy(facts, in->facts, in->n_facts * sizeof *facts);
    facts[in->n_facts++] = mg_ix_sub(t, counter, loop->low);
    if (loop->counted)
        facts[in->n_facts++] = mg_ix_sub(t, mg_ix_sub(t, loop->high, mg_ix_const(t, 1)), counter);
    in->facts = facts;
}

// Producers come before their consumers, whatever their numbers.
static bool visit_region(Inline *in, MgRegionId r) {
    bool changed = false;
    uint32_t n_facts = in->n_facts;
    MgOpId parent = mg_region(in->g, r)->parent;
    if (parent && mg_op(in->g, parent)->kind == MG_OP_LOOP)
        learn_range(in, mg_op(in->g, parent)->loop);
    for (uint32_t i = 0; i < mg_region(in->g, r)->ops.len; i++) {
        MgOpId id = mg_region(in->g, r)->ops.at[i];
        if (mg_op(in->g, id)->kind == MG_OP_EQUATION && mg_op(in->g, id)->n_operands)
            changed |= visit(in, id);
        for (uint32_t k = 0; k < mg_op(in->g, id)->n_regions; k++)
            changed |= visit_region(in, mg_op(in->g, id)->regions[k]);
    }
    in->n_facts = n_facts;
    return changed;
}

bool mg_pass_inline(MgGraph *g, MgPassContext *context) {
    Inline in = {.g = g, .m = g->module, .context = context};
    in.uses = mg_use_counts(g, context->scratch);
    in.n_facts = mg_graph_facts(g, context->scratch, &in.facts);
    in.rounding = mg_rounding(g, context->scratch);
    return visit_region(&in, 0);
}
