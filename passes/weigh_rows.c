// What weights compute from values of the rows alone, or of the keys alone: it is the same for all
// keys, or rows, so an op of its own computes it once for each. A division by the sum of a softmax
// becomes a multiplication by its reciprocal (weigh_sums.c). In a kernel that keeps no steps,
// roundings of these to 16 bits are skipped. What has fixed rounding stays as it is
// (ir/rounding.h).
#include "ir/rounding.h"
#include "passes/rewrite.h"
#include "passes/weigh.h"

#include <math.h>

enum { MOST = MG_ATTENTION_SYMBOLS };

typedef struct Rows {
    MgGraph *g;
    MgModule *m;
    MgPassContext *context;
    const MgAttention *a;
    const MgAttentionStep *step;
    bool own;
    MgWeighRows *known;
    MgTaken taken; // operands of the op that is being made
} Rows;

static const MgPiece *piece_of(const Rows *r) {
    return &mg_op(r->g, r->step->op)->equation->pieces[0];
}

// Which classes of symbols does x depend on?
typedef struct Depends {
    bool rows, keys, steps, traps; // steps: on a value of another step
    uint32_t costs;                // divisions and functions that take as long
} Depends;

static void note_places(const Rows *r, MgIx x, Depends *d) {
    MgIxTable *t = r->m->ix;
    x = mg_ix_subst_indices(t, x, r->step->with, MOST);
    for (uint32_t i = 0; i < r->a->n_symbols; i++)
        if (mg_ix_mentions(t, x, mg_ix_index(t, i))) {
            d->rows |= r->a->rows >> i & 1;
            d->keys |= r->a->keys >> i & 1;
        }
}

typedef struct Asking {
    const Rows *r;
    Depends d;
} Asking;

static void note(void *ctx, const MgSx *x) {
    Asking *a = ctx;
    const MgOp *op = mg_op(a->r->g, a->r->step->op);
    if (x->kind == MG_SX_IX)
        note_places(a->r, x->ix, &a->d);
    if (x->kind == MG_SX_PRIM)
        a->d.costs += x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_SQRT ||
                      mg_prim(x->prim)->kind == MG_KIND_APPROX;
    if (x->kind != MG_SX_READ)
        return;
    a->d.traps |= x->bounds != MG_BOUNDS_PROVED;
    for (uint32_t s = 0; s < a->r->a->n_steps; s++)
        a->d.steps |= mg_op(a->r->g, a->r->a->steps[s].op)->results[0] == op->operands[x->operand];
}

static Depends depends(const Rows *r, const MgSx *x) {
    Asking a = {.r = r};
    mg_sx_walk(x, note, &a);
    return a.d;
}

// May an op of its own compute x, for the rows or for the keys?
static bool stands_alone(const Rows *r, const MgSx *x) {
    Depends d = depends(r, x);
    return !d.steps && !d.traps && !(d.rows && d.keys) && (d.rows || d.keys) &&
           x->dtype == r->a->type;
}

// ---------------------------------------------------------------- the op

static bool same_piece(const MgPiece *a, const MgPiece *b) {
    bool same = a->n_indices == b->n_indices && mg_sx_equal(a->expr, b->expr);
    for (uint32_t i = 0; same && i < a->n_indices; i++)
        same = a->indices[i].high == b->indices[i].high;
    return same;
}

static bool precedes(const Rows *r, MgOpId a, MgOpId b) {
    const MgRegion *region = mg_region(r->g, mg_op(r->g, b)->region);
    for (uint32_t i = 0; i < region->ops.len && region->ops.at[i] != b; i++)
        if (region->ops.at[i] == a)
            return true;
    return false;
}

// An op that computes the piece over the operands in r->taken, made earlier; or MG_NONE.
static MgOpId find_made(const Rows *r, const MgPiece *piece) {
    for (uint32_t i = 0; i < r->known->made.len; i++) {
        const MgOp *op = mg_op(r->g, r->known->made.at[i]);
        bool same =
            op->n_operands == r->taken.values.len && same_piece(&op->equation->pieces[0], piece);
        for (uint32_t k = 0; same && k < r->taken.values.len; k++)
            same = op->operands[k] == r->taken.values.at[k];
        if (same && mg_op(r->g, r->known->made.at[i])->region == mg_op(r->g, r->step->op)->region)
            return r->known->made.at[i];
    }
    return MG_NONE;
}

static MgOpId make_op(Rows *r, const MgPiece *piece) {
    MgNames *names = r->m->session->names;
    MgOpId op = mg_op_new_before(r->g, r->step->op, MG_OP_EQUATION, r->taken.values.at,
                                 r->taken.values.len, mg_op(r->g, r->step->op)->origin);
    mg_op(r->g, op)->equation = mg_equation_of(r->m, *piece);
    MgIx shape[MOST];
    for (uint32_t i = 0; i < piece->n_indices; i++)
        shape[i] = piece->indices[i].high;
    MgSym of = mg_value(r->g, mg_op(r->g, r->step->op)->results[0])->name;
    MgSym name = mg_unique_name(r->g, mg_symf(names, "%s_once", mg_name(names, of)));
    mg_op_result(r->g, op, name, r->a->type, piece->n_indices, shape);
    mg_push(r->context->scratch, &r->known->made, op);
    return op;
}

// A read, in the step, of a value that an op of its own computes as x.
static const MgSx *put_apart(Rows *r, const MgSx *x) {
    const MgPiece *p = piece_of(r);
    MgIx with[MOST] = {0};
    MgPiece own = {.indices = MG_NEW_N(r->m->arena, MgIndex, p->n_indices)};
    const MgSx *subs[MOST];
    for (uint32_t k = 0; k < p->n_indices; k++) {
        if (!mg_sx_mentions(r->m, x, k))
            continue;
        subs[own.n_free] = mg_sx_ix(r->m, MG_I64, mg_ix_idx(r->m->ix, k));
        with[k] = mg_ix_idx(r->m->ix, own.n_free);
        own.indices[own.n_free++] = p->indices[k];
    }
    own.n_indices = own.n_free;
    own.target = mg_plain_target(r->m, own.n_free);
    r->taken.from = r->step->op;
    r->taken.values.len = 0;
    MgSxMap map = {.module = r->m,
                   .with = with,
                   .n = p->n_indices,
                   .operand = mg_take_operand,
                   .ctx = &r->taken};
    mg_map_init(&map.done, r->m->arena);
    own.expr = mg_sx_map(&map, x);
    MgOpId op = find_made(r, &own);
    op = op ? op : make_op(r, &own);
    if (!precedes(r, op, r->step->op))
        mg_op_move_before(r->g, op, r->step->op);
    uint32_t at = mg_add_operand(r->g, r->step->op, mg_op(r->g, op)->results[0]);
    return mg_sx_read(r->m, at, x->dtype, subs, own.n_free, MG_BOUNDS_PROVED, NULL);
}

static bool is_moderate(float x) {
    return isnormal(x) && isnormal(1 / x);
}

// Is a product with the reciprocal of x as good as a quotient? Not if the reciprocal may be
// infinite or subnormal where x is neither 0 nor infinite.
static bool has_reciprocal(const Rows *r, const MgSx *x) {
    if (x->kind == MG_SX_CONST)
        return is_moderate((float)mg_bits_to_double(x->dtype, x->bits));
    if (x->kind == MG_SX_PRIM && x->prim == MG_PRIM_WHERE)
        return has_reciprocal(r, x->args[1]) && has_reciprocal(r, x->args[2]);
    return x->kind == MG_SX_READ &&
           mg_is_softmax_sum(r->g, mg_op(r->g, r->step->op)->operands[x->operand]);
}

static const MgSx *quotient(Rows *r, const MgSx *x, const MgSx *by) {
    const MgSx *args[] = {mg_sx_double(r->m, x->dtype, 1), by};
    const MgSx *once = put_apart(r, mg_sx_prim(r->m, MG_PRIM_DIV, x->dtype, args, 2));
    const MgSx *factors[] = {x, once};
    return mg_sx_prim(r->m, MG_PRIM_MUL, x->dtype, factors, 2);
}

static const MgSx *rewrite(Rows *r, const MgSx *x) {
    if (mg_sx_in(&r->known->fixed, x))
        return x;
    x = r->own ? mg_attention_unrounded(x) : x;
    if (x->kind != MG_SX_PRIM || x->n_args > 3)
        return x;
    if (stands_alone(r, x))
        return depends(r, x).costs ? put_apart(r, x) : x;
    if (x->prim == MG_PRIM_DIV && x->dtype == r->a->type && stands_alone(r, x->args[1]) &&
        has_reciprocal(r, x->args[1]))
        return quotient(r, rewrite(r, x->args[0]), x->args[1]);
    const MgSx *args[3];
    bool changed = false;
    for (uint32_t i = 0; i < x->n_args; i++) {
        args[i] = rewrite(r, x->args[i]);
        changed |= args[i] != x->args[i];
    }
    return changed ? mg_sx_prim(r->m, x->prim, x->dtype, args, x->n_args) : x;
}

MgWeighRows mg_weigh_rows_begin(MgGraph *g, MgPassContext *context) {
    MgRounding rounding = mg_rounding(g, context->scratch);
    MgWeighRows known = {.done = MG_NEW_N(context->scratch, bool, g->ops.len)};
    mg_map_init(&known.fixed, context->scratch);
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_EQUATION)
            mg_rounding_fixed(&rounding, g, id, &known.fixed);
    return known;
}

bool mg_weigh_rows(MgGraph *g, MgPassContext *context, const MgAttention *a, bool own,
                   MgWeighRows *known) {
    bool changed = false;
    for (uint32_t s = 0; s < a->n_steps; s++) {
        Rows r = {.g = g,
                  .m = g->module,
                  .context = context,
                  .a = a,
                  .step = &a->steps[s],
                  .own = own,
                  .known = known,
                  .taken = {.g = g}};
        if (a->steps[s].role != MG_ATTENTION_SCORE || known->done[a->steps[s].op])
            continue;
        known->done[a->steps[s].op] = true;
        const MgSx *x = rewrite(&r, piece_of(&r)->expr);
        if (x == piece_of(&r)->expr)
            continue;
        mg_op(g, a->steps[s].op)->equation->pieces[0].expr = x;
        mg_normalise_operands(g, a->steps[s].op, context->scratch);
        changed = true;
    }
    return changed;
}
