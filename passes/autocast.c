#include "passes/autocast.h"

#include "passes/exact.h"
#include "passes/rewrite.h"

typedef struct Autocast {
    MgGraph *g;
    MgDType narrow;
    MG_VEC(MgValueId) narrowed; // by value: its copy in the narrow type, or MG_NONE
    const uint32_t *uses;       // of values, before anything changes
    MgReaders readers;
} Autocast;

static MgValueId *narrowed(Autocast *a, MgValueId v) {
    while (a->narrowed.len <= v)
        mg_push(a->g->module->session->arena, &a->narrowed, MG_NONE);
    return &a->narrowed.at[v];
}

// ---------------------------------------------------------------- copies

// What v copies, element by element: the derivative by a term of a sum is such a copy.
static MgValueId copied(MgGraph *g, MgValueId v) {
    while (mg_value(g, v)->def && mg_is_copy(g, mg_value(g, v)->def))
        v = mg_op(g, mg_value(g, v)->def)->operands[0];
    return v;
}

static MgValueId narrow_copy(Autocast *a, MgValueId v) {
    v = copied(a->g, v);
    if (!*narrowed(a, v)) {
        MgValueId copy = mg_copy_behind(a->g, v, mg_dtype(a->narrow)->name, a->narrow);
        *narrowed(a, v) = copy;
    }
    return *narrowed(a, v);
}

// ---------------------------------------------------------------- one equation

// Does every piece multiply matrices of f32?
static bool multiplies(const Autocast *a, const MgEquation *e) {
    bool all = e->n_pieces > 0;
    for (uint32_t i = 0; i < e->n_pieces && all; i++)
        all = mg_piece_contraction(a->g->module, &e->pieces[i]) == MG_CONTRACTS_MATRICES &&
              e->pieces[i].expr->dtype == MG_F32;
    return all;
}

// Notes what is rounded, for --explain=precision.
static void note(Autocast *a, MgOpId op, uint32_t what) {
    MgMap *narrowed = a->g->module->narrowed;
    const uint64_t *before = mg_map_find(narrowed, mg_op(a->g, op)->origin);
    mg_map_put(narrowed, mg_op(a->g, op)->origin, (before ? *before : 0) | what);
}

static const MgSx *narrow_factor(Autocast *a, MgOpId op, const MgSx *x) {
    MgGraph *g = a->g;
    if (mg_sx_is_exact_in(g, mg_op(g, op), x, a->narrow))
        return x;
    bool stored = x->kind == MG_SX_READ &&
                  mg_value(g, mg_op(g, op)->operands[x->operand])->dtype == MG_F32 &&
                  (x->bounds != MG_BOUNDS_ELSE ||
                   mg_sx_is_exact_in(g, mg_op(g, op), x->otherwise, a->narrow));
    if (!stored)
        return mg_rounded(a->g->module, x, a->narrow);
    MgValueId v = narrow_copy(a, mg_op(g, op)->operands[x->operand]);
    return mg_sx_read(g->module, mg_add_operand(g, op, v), MG_F32, x->args, x->n_args, x->bounds,
                      x->otherwise);
}

static void narrow_factors(Autocast *a, MgOpId op) {
    MgModule *m = a->g->module;
    const MgEquation *shared = mg_op(a->g, op)->equation;
    MgEquation *e = mg_arena_copy(m->arena, shared, 1, sizeof *e);
    e->pieces = mg_arena_copy(m->arena, e->pieces, e->n_pieces, sizeof *e->pieces);
    for (uint32_t i = 0; i < e->n_pieces; i++) {
        const MgSx *x = e->pieces[i].expr, *factors[] = {narrow_factor(a, op, x->args[0]),
                                                         narrow_factor(a, op, x->args[1])};
        note(a, op, factors[0] != x->args[0] ? MG_NARROWED_FIRST : 0);
        note(a, op, factors[1] != x->args[1] ? MG_NARROWED_SECOND : 0);
        e->pieces[i].expr = mg_sx_prim(m, MG_PRIM_MUL, MG_F32, factors, 2);
    }
    mg_op(a->g, op)->equation = e;
    mg_normalise_operands(a->g, op, m->session->arena);
}

static bool is_gradient(const MgGraph *g, MgValueId v) {
    for (uint32_t i = 0; i < g->gradients.len; i++)
        if (g->gradients.at[i].value == v)
            return true;
    return false;
}

static bool reads(const MgOp *op, const MgSx *x, MgValueId v) {
    return x->kind == MG_SX_READ && op->operands[x->operand] == v;
}

// Is x the same for all values of one of the piece's indices?
static bool repeats(const MgModule *m, const MgPiece *piece, const MgSx *x) {
    bool all = true;
    for (uint32_t i = 0; i < piece->n_free; i++)
        all &= mg_sx_mentions(m, x, i);
    return !all;
}

// Does the op add a bias to v, element by element?
static bool adds_bias(MgGraph *g, MgOpId id, MgValueId v) {
    const MgOp *op = mg_op(g, id);
    const MgPiece *piece = mg_only_piece(op);
    if (!piece || !mg_traits(g, id).elementwise)
        return false;
    const MgSx *x = piece->expr;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_ADD ||
        !mg_piece_is_plain(g, piece, op->results[0]))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (reads(op, x->args[i], v) && !repeats(g->module, piece, x->args[i]))
            return repeats(g->module, piece, x->args[1 - i]);
    return false;
}

// The op whose result is rounded: the one that adds a bias, if nobody else reads the product.
static MgOpId rounded_op(Autocast *a, MgOpId op) {
    MgValueId v = mg_op(a->g, op)->results[0];
    if (is_gradient(a->g, v) || mg_op(a->g, op)->equation->has_base || a->uses[v] != 1 ||
        a->readers.first[v] == a->readers.first[v + 1])
        return op;
    MgOpId reader = a->readers.ops[a->readers.first[v]];
    return adds_bias(a->g, reader, v) ? reader : op;
}

// Makes the readers of the result read its rounded copy.
static void narrow_result(Autocast *a, MgOpId product) {
    MgGraph *g = a->g;
    MgOpId op = rounded_op(a, product);
    MgValueId v = mg_op(g, op)->results[0];
    if (mg_value(g, v)->dtype != MG_F32 || is_gradient(g, v) || mg_op(g, op)->equation->has_base)
        return;
    note(a, product, MG_NARROWED_RESULT);
    MgValueId narrow = narrow_copy(a, v), wide = mg_copy_behind(g, narrow, "f32", MG_F32);
    mg_replace_uses(g, v, wide);
    mg_op(g, mg_value(g, narrow)->def)->operands[0] = v;
    *narrowed(a, wide) = narrow;
}

// A bias's gradient is the sum of what the weights' gradient has as a factor, rounded for both.
static void narrow_sum(Autocast *a, MgOpId id) {
    MgGraph *g = a->g;
    const MgOp *op = mg_op(g, id);
    const MgPiece *piece = mg_only_piece(op);
    if (!piece || piece->reducer != MG_REDUCE_SUM || piece->scatter || op->equation->has_base ||
        piece->expr->kind != MG_SX_READ || !is_gradient(g, op->results[0]))
        return;
    const MgSx *x = piece->expr;
    MgValueId narrow = *narrowed(a, copied(g, op->operands[x->operand]));
    if (narrow)
        mg_op(g, id)->operands[x->operand] = narrow;
}

void mg_autocast(MgGraph *g, MgDType narrow) {
    MgModule *m = g->module;
    MgArena *scratch = m->session->arena;
    Autocast a = {.g = g,
                  .narrow = narrow,
                  .uses = mg_use_counts(g, scratch),
                  .readers = mg_readers(g, scratch)};
    if (!m->narrowed)
        mg_map_init(m->narrowed = MG_NEW(m->arena, MgMap), m->arena);
    uint32_t n = g->ops.len;
    for (MgOpId id = 1; id < n; id++) {
        const MgOp *op = mg_op(g, id);
        if (op->kind != MG_OP_EQUATION || !multiplies(&a, op->equation))
            continue;
        narrow_factors(&a, id);
        narrow_result(&a, id);
    }
    for (MgOpId id = 1; id < n; id++)
        narrow_sum(&a, id);
}
