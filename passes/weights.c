#include "passes/weights.h"

#include "passes/exact.h"
#include "passes/rewrite.h"

// A weight in the narrow type, for readers that keep the same axes.
typedef struct Copy {
    MgValueId from, narrow, scale; // scale: MG_NONE if the type needs none
    uint64_t kept;                 // the axes with scales of their own, as bits
} Copy;

typedef struct Weights {
    MgGraph *g;
    MgModule *m;
    MgDType narrow;
    MG_VEC(uint8_t) known; // by value: whether parameters alone decide it
    MG_VEC(Copy) copies;
} Weights;

enum { UNKNOWN, IS_WEIGHT, IS_CONSTANT, IS_OTHER }; // values of `known`

static bool has_scales(const Weights *w) {
    return mg_dtype(w->narrow)->bits == 8;
}

// The largest number that the scaled weights have.
static double most_of(const Weights *w) {
    return mg_bits_to_double(w->narrow, mg_highest(w->narrow));
}

// ---------------------------------------------------------------- which values are weights

static uint8_t kind_of(Weights *w, MgValueId v) {
    while (w->known.len <= v)
        mg_push(w->m->session->arena, &w->known, UNKNOWN);
    if (w->known.at[v] != UNKNOWN)
        return w->known.at[v];
    const MgOp *op = mg_def(w->g, v);
    uint8_t kind = IS_OTHER;
    if (op && op->kind == MG_OP_PARAM)
        kind = IS_WEIGHT;
    else if (op && op->kind == MG_OP_CONST)
        kind = IS_CONSTANT;
    else if (op && op->kind == MG_OP_EQUATION && op->region == 0 &&
             !mg_equation_varies(w->m, op->equation, w->m->session->arena)) {
        kind = IS_CONSTANT;
        for (uint32_t i = 0; i < op->n_operands && kind != IS_OTHER; i++) {
            uint8_t part = kind_of(w, op->operands[i]);
            kind = part == IS_CONSTANT ? kind : part;
        }
    }
    w->known.at[v] = kind;
    return kind;
}

// Is x a read of a weight that the narrow type would change?
static bool is_weight(Weights *w, MgOpId id, const MgSx *x) {
    if (x->kind != MG_SX_READ || (x->bounds == MG_BOUNDS_ELSE && w->narrow == MG_I8))
        return false;
    MgValueId v = mg_op(w->g, id)->operands[x->operand];
    MgDType type = mg_value(w->g, v)->dtype;
    return mg_is_float(type) && mg_dtype_size(type) > mg_dtype_size(w->narrow) &&
           kind_of(w, v) == IS_WEIGHT && !mg_sx_is_exact_in(w->g, mg_op(w->g, id), x, w->narrow);
}

// ---------------------------------------------------------------- narrow copies

// Makes an equation behind the op that makes v, and its result. The order of such equations is that
// in which they are made.
static MgValueId make(Weights *w, MgOpId *behind, const MgValueId *operands, uint32_t n,
                      const MgPiece *piece, const char *name, MgDType type, const MgIx *shape) {
    MgGraph *g = w->g;
    MgRegionId r = mg_op(g, *behind)->region;
    const MgRegion *region = mg_region(g, r);
    uint32_t at = 0;
    while (region->ops.at[at] != *behind)
        at++;
    MgOpId next = at + 1 < region->ops.len ? region->ops.at[at + 1] : MG_NONE;
    MgOriginId origin = mg_op(g, *behind)->origin;
    MgOpId op = next ? mg_op_new_before(g, next, MG_OP_EQUATION, operands, n, origin)
                     : mg_op_new(g, r, MG_OP_EQUATION, operands, n, origin);
    mg_op(g, op)->equation = mg_equation_of(w->m, *piece);
    *behind = op;
    return mg_op_result(g, op, mg_unique_name(g, mg_sym(w->m->session->names, name)), type,
                        piece->n_free, shape);
}

// The axes of v: those that are kept come first, as free indices, then those that are not.
typedef struct Axes {
    MgPiece all;         // v, element by element, by these indices
    const MgSx **places; // of v's axes
    const MgSx **kept;   // of the kept axes
    MgIx *shape;         // of the kept axes
    uint32_t n;          // how many these are
} Axes;

static Axes axes_of(Weights *w, const MgValue *v, uint64_t kept) {
    MgArena *arena = w->m->arena;
    Axes a = {.places = MG_NEW_N(arena, const MgSx *, v->rank + 1),
              .kept = MG_NEW_N(arena, const MgSx *, v->rank + 1),
              .shape = MG_NEW_N(arena, MgIx, v->rank + 1)};
    MgIndex *indices = MG_NEW_N(arena, MgIndex, v->rank + 1);
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < v->rank; i++) {
            if ((kept >> i & 1) != !pass)
                continue;
            indices[n] = (MgIndex){mg_symf(w->m->session->names, "i%u", n),
                                   mg_ix_const(w->m->ix, 0), v->shape[i]};
            a.places[i] = mg_sx_ix(w->m, MG_I64, mg_ix_idx(w->m->ix, n));
            if (!pass) {
                a.kept[a.n] = a.places[i];
                a.shape[a.n++] = v->shape[i];
            }
            n++;
        }
    a.all = (MgPiece){.indices = indices, .n_free = n, .n_indices = n};
    return a;
}

static const MgSx *read(Weights *w, uint32_t operand, MgDType type, const MgSx *const *subs,
                        uint32_t n) {
    return mg_sx_read(w->m, operand, mg_dtype(type)->compute, subs, n, MG_BOUNDS_PROVED, NULL);
}

static const MgSx *prim2(Weights *w, MgPrim prim, MgDType type, const MgSx *a, const MgSx *b) {
    const MgSx *args[] = {a, b};
    return mg_sx_prim(w->m, prim, type, args, 2);
}

static const MgSx *prim1(Weights *w, MgPrim prim, MgDType type, const MgSx *a) {
    return mg_sx_prim(w->m, prim, type, &a, 1);
}

// The scales of v, one for each point of the kept axes.
static MgValueId make_scale(Weights *w, MgOpId *behind, MgValueId v, uint64_t kept,
                            const char *name) {
    const MgValue value = *mg_value(w->g, v);
    MgArena *arena = w->m->session->arena;
    Axes a = axes_of(w, &value, kept);
    MgPiece most = a.all;
    most.n_free = a.n;
    most.reducer = MG_REDUCE_MAX;
    most.target = mg_plain_target(w->m, a.n);
    most.expr = prim1(w, MG_PRIM_ABS, MG_F32, read(w, 0, value.dtype, a.places, value.rank));
    if (most.n_indices == most.n_free)
        most.reducer = MG_REDUCE_NONE;
    MgValueId largest =
        make(w, behind, &v, 1, &most, mg_arena_printf(arena, "%s_most", name), MG_F32, a.shape);
    MgPiece scale = a.all;
    scale.n_free = scale.n_indices = a.n;
    scale.target = most.target;
    const MgSx *x = read(w, 0, MG_F32, a.kept, a.n), *zero = mg_sx_double(w->m, MG_F32, 0);
    const MgSx *args[] = {prim2(w, MG_PRIM_GT, MG_BOOL, x, zero),
                          prim2(w, MG_PRIM_DIV, MG_F32, x, mg_sx_double(w->m, MG_F32, most_of(w))),
                          mg_sx_double(w->m, MG_F32, 1)};
    scale.expr = mg_sx_prim(w->m, MG_PRIM_WHERE, MG_F32, args, 3);
    return make(w, behind, &largest, 1, &scale, mg_arena_printf(arena, "%s_scale", name), MG_F32,
                a.shape);
}

static void make_narrow(Weights *w, Copy *c) {
    MgGraph *g = w->g;
    const MgValue value = *mg_value(g, c->from);
    MgArena *arena = w->m->session->arena;
    const char *name = mg_name(w->m->session->names, value.name);
    MgOpId behind = value.def;
    c->scale = has_scales(w) ? make_scale(w, &behind, c->from, c->kept, name) : MG_NONE;
    MgPiece p = *mg_plain_copy(g, &value)->pieces;
    const MgSx *x = p.expr;
    const MgSx **kept = MG_NEW_N(w->m->arena, const MgSx *, value.rank + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < value.rank; i++)
        if (c->kept >> i & 1)
            kept[n++] = x->args[i];
    if (c->scale)
        x = prim2(w, MG_PRIM_DIV, MG_F32, x, read(w, 1, MG_F32, kept, n));
    if (w->narrow == MG_I8)
        x = prim1(w, MG_PRIM_ROUND, MG_F32, x);
    x = prim1(w, MG_PRIM_CAST, w->narrow, x);
    p.expr = mg_is_float(w->narrow) ? prim1(w, MG_PRIM_CAST, MG_F32, x) : x;
    const MgValueId operands[] = {c->from, c->scale};
    c->narrow = make(w, &behind, operands, c->scale ? 2 : 1, &p,
                     mg_arena_printf(arena, "%s_%s", name, mg_dtype(w->narrow)->name), w->narrow,
                     value.shape);
}

static const Copy *copy_of(Weights *w, MgValueId v, uint64_t kept) {
    for (uint32_t i = 0; i < w->copies.len; i++)
        if (w->copies.at[i].from == v && w->copies.at[i].kept == kept)
            return &w->copies.at[i];
    Copy c = {.from = v, .kept = kept};
    make_narrow(w, &c);
    mg_push(w->m->session->arena, &w->copies, c);
    return &w->copies.at[w->copies.len - 1];
}

// ---------------------------------------------------------------- sums of products

// The axis of the result with the same subscript as axis i of a read, or UINT32_MAX.
static uint32_t axis_of(const MgPiece *p, uint32_t rank, const MgSx *x, uint32_t i) {
    uint32_t a = 0;
    while (a < rank && (x->args[i]->kind != MG_SX_IX || p->target[a].sub->kind != MG_SX_IX ||
                        p->target[a].sub->ix != x->args[i]->ix))
        a++;
    return a < rank ? a : UINT32_MAX;
}

// The axes of the weight that are axes of the result, too.
static uint64_t kept_axes(const Weights *w, MgOpId id, const MgSx *x) {
    const MgPiece *p = &mg_op(w->g, id)->equation->pieces[0];
    uint32_t rank = mg_value(w->g, mg_op(w->g, id)->results[0])->rank;
    uint64_t kept = 0;
    for (uint32_t i = 0; has_scales(w) && i < x->n_args && i < 64; i++)
        kept |= (uint64_t)(axis_of(p, rank, x, i) != UINT32_MAX) << i;
    return kept;
}

// y[…] = y_sum[…] * scale[…], where y_sum is what y was.
static void scale_result(Weights *w, MgOpId id, const MgSx *x, const Copy *c) {
    MgGraph *g = w->g;
    MgOp *op = mg_op(g, id);
    const MgValue y = *mg_value(g, op->results[0]);
    const MgPiece *p = &op->equation->pieces[0];
    const MgSx **subs = MG_NEW_N(w->m->arena, const MgSx *, x->n_args + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (c->kept >> i & 1)
            subs[n++] = mg_sx_ix(w->m, MG_I64, mg_ix_idx(w->m->ix, axis_of(p, y.rank, x, i)));
    MgOpId sum = mg_op_new_before(g, id, MG_OP_EQUATION, op->operands, op->n_operands, op->origin);
    op = mg_op(g, id);
    mg_op(g, sum)->equation = op->equation;
    MgNames *names = w->m->session->names;
    MgSym name = mg_unique_name(g, mg_symf(names, "%s_sum", mg_name(names, y.name)));
    MgValueId from = mg_op_result(g, sum, name, MG_F32, y.rank, y.shape);
    op = mg_op(g, id);
    MgEquation *e = mg_plain_copy(g, &y);
    e->pieces[0].expr =
        prim2(w, MG_PRIM_MUL, MG_F32, e->pieces[0].expr, read(w, 1, MG_F32, subs, n));
    const MgValueId operands[] = {from, c->scale};
    op->operands = mg_arena_copy(w->m->arena, operands, 2, sizeof *operands);
    op->n_operands = 2;
    op->equation = e;
}

// Replaces factor `which` of the sum of products. Returns whether its scale has to leave the sum.
static const Copy *narrow_factor(Weights *w, MgOpId id, uint32_t which) {
    MgGraph *g = w->g;
    const MgSx *product = mg_op(g, id)->equation->pieces[0].expr, *x = product->args[which];
    if (!is_weight(w, id, x))
        return NULL;
    const Copy *c = copy_of(w, mg_op(g, id)->operands[x->operand], kept_axes(w, id, x));
    MgDType type = mg_dtype(w->narrow)->compute;
    const MgSx *y = mg_sx_read(w->m, mg_add_operand(g, id, c->narrow), type, x->args, x->n_args,
                               x->bounds, x->otherwise);
    y = type == MG_F32 ? y : prim1(w, MG_PRIM_CAST, MG_F32, y);
    MgEquation *e = mg_arena_copy(w->m->arena, mg_op(g, id)->equation, 1, sizeof *e);
    e->pieces = mg_arena_copy(w->m->arena, e->pieces, 1, sizeof *e->pieces);
    const MgSx *factors[] = {which ? product->args[0] : y, which ? y : product->args[1]};
    e->pieces[0].expr = mg_sx_prim(w->m, MG_PRIM_MUL, MG_F32, factors, 2);
    mg_op(g, id)->equation = e;
    mg_map_put(w->m->narrowed, mg_op(g, id)->origin, MG_NARROWED_WEIGHT);
    return c;
}

static void narrow_op(Weights *w, MgOpId id) {
    for (uint32_t which = 0; which < 2; which++) {
        const MgSx *x = mg_op(w->g, id)->equation->pieces[0].expr->args[which];
        const Copy *c = narrow_factor(w, id, which);
        if (!c)
            continue;
        const Copy copy = *c;
        mg_normalise_operands(w->g, id, w->m->session->arena);
        if (copy.scale)
            scale_result(w, id, x, &copy);
        return; // if parameters decide both factors, one is enough
    }
}

// Is it a sum, or mean, of products of f32 that a scale may leave?
static bool multiplies(const Weights *w, MgOpId id) {
    const MgOp *op = mg_op(w->g, id);
    const MgPiece *p = mg_only_piece(op);
    return p && !op->equation->has_base && !p->scatter &&
           mg_piece_contraction(w->m, p) >= MG_CONTRACTS_VECTORS && p->expr->dtype == MG_F32;
}

void mg_narrow_weights(MgGraph *g, MgDType narrow) {
    Weights w = {.g = g, .m = g->module, .narrow = narrow};
    if (!w.m->narrowed)
        mg_map_init(w.m->narrowed = MG_NEW(w.m->arena, MgMap), w.m->arena);
    uint32_t n = g->ops.len;
    for (MgOpId id = 1; id < n; id++)
        if (multiplies(&w, id))
            narrow_op(&w, id);
}
