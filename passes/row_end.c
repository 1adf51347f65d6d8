// Finds the ops that follow a matrix product row by row; see row_end.h.
#include "passes/row_end.h"

typedef struct Find {
    MgGraph *g;
    MgIxTable *t;
    const MgOpId *ops;
    uint32_t n, column; // the index of the columns
    const MgOp *op;
    bool ok;
} Find;

static const MgPiece *piece_of(const Find *f, uint32_t i) {
    return &mg_op(f->g, f->ops[i])->equation->pieces[0];
}

static bool known(MgIxTable *t, const MgIndex *index, int64_t *n) {
    int64_t low;
    return mg_ix_is_const(t, index->high, n) && mg_ix_is_const(t, index->low, &low) && !low;
}

// Checks that each read of an earlier step is in the same row and, if it has columns, in the same
// column.
static void check_read(void *ctx, const MgSx *x) {
    Find *f = ctx;
    bool inside = false;
    for (uint32_t i = 0; i < f->n && x->kind == MG_SX_READ; i++)
        inside |= mg_op(f->g, f->ops[i])->results[0] == f->op->operands[x->operand];
    for (uint32_t i = 0; inside && i < x->n_args; i++)
        f->ok &= x->bounds == MG_BOUNDS_PROVED && x->args[i]->kind == MG_SX_IX &&
                 x->args[i]->ix == mg_ix_idx(f->t, i);
}

static const char *step_misfit(Find *f, uint32_t i) {
    const MgPiece *p = piece_of(f, i), *first = piece_of(f, 0);
    bool folds = p->reducer == MG_REDUCE_SUM || p->reducer == MG_REDUCE_MEAN ||
                 p->reducer == MG_REDUCE_MAX || p->reducer == MG_REDUCE_MIN;
    f->op = mg_op(f->g, f->ops[i]);
    bool plain = mg_value(f->g, f->op->results[0])->rank == p->n_free && !p->scatter;
    for (uint32_t k = 0; plain && k < p->n_free; k++)
        plain = !p->target[k].n_tuple && p->target[k].sub->kind == MG_SX_IX &&
                p->target[k].sub->ix == mg_ix_idx(f->t, k);
    if (!plain || p->n_free > f->column + 1 || p->n_free < f->column ||
        (i && p->n_indices > f->column + 1))
        return "is not a function of one row of the product";
    if (i && p->n_indices > p->n_free && (!folds || p->expr->dtype != first->expr->dtype))
        return "reduces a row of the product by something other than a sum, a mean or an extreme "
               "of its "
               "type";
    for (uint32_t k = 0; i && k < p->n_indices; k++)
        if (p->indices[k].low != first->indices[k].low ||
            p->indices[k].high != first->indices[k].high)
            return "takes a part of the product's rows";
    f->ok = true;
    mg_sx_walk(p->expr, check_read, f);
    return f->ok ? NULL : "reads rows of the product other than the one that it computes";
}

const char *mg_row_end_misfit(MgGraph *g, const MgMachine *machine, const MgOpId *ops, uint32_t n,
                              MgOpId *at) {
    Find f = {.g = g, .t = g->module->ix, .ops = ops, .n = n};
    const MgPiece *p = piece_of(&f, 0);
    int64_t columns;
    if (at)
        *at = ops[0];
    if (mg_piece_contraction(g->module, p) < MG_CONTRACTS_VECTORS || p->n_free < 2 ||
        (p->expr->dtype != MG_F32 && p->expr->dtype != MG_F64))
        return "is not a product of two or more axes in f32 or f64, so no tile can hold its rows";
    f.column = p->n_free - 1;
    if (!known(f.t, &p->indices[f.column], &columns))
        return "has rows of an open size: no tile is known to hold one";
    if (columns < 1 || columns > (int64_t)machine->row_end / (int64_t)mg_dtype_size(p->expr->dtype))
        return mg_arena_printf(g->module->arena,
                               "has rows that are wider than a vector of %d bytes: its kernel "
                               "writes them, and the next finds them in a cache",
                               (int)machine->row_end);
    const char *why = NULL;
    for (uint32_t i = 0; i < n && !why; i++) {
        why = step_misfit(&f, i);
        if (at)
            *at = ops[i];
    }
    return why;
}

// One factor must have the columns, the other the rows, and there must be enough work for a tile of
// sums.
const char *mg_row_end_is_small(MgGraph *g, const MgMachine *machine, MgOpId product) {
    const int64_t least = (int64_t)machine->tile_work;
    const MgPiece *p = &mg_op(g, product)->equation->pieces[0];
    const MgSx *x = p->expr;
    uint32_t column = p->n_free - 1;
    int64_t size, all = 1, rows = 1, columns = 1;
    bool open = false;
    bool second = x->kind == MG_SX_PRIM && mg_sx_mentions(g->module, x->args[1], column);
    for (uint32_t i = 0; i < p->n_indices; i++) {
        bool in[2] = {mg_sx_mentions(g->module, x->args[0], i),
                      mg_sx_mentions(g->module, x->args[1], i)};
        if (i < p->n_free && (in[0] == in[1] || in[second] != (i == column)))
            return "has no factor for its rows besides the one for its columns";
        bool constant = known(g->module->ix, &p->indices[i], &size);
        open |= !constant;
        size = constant ? size : 1;
        all = size && all > least / size ? least : all * size;
        if (i < column)
            rows = size && rows > least / size ? least : rows * size;
        columns = i == column ? size : columns;
    }
    if (open || ((double)columns >= machine->tile_columns && (double)rows >= machine->tile_rows &&
                 all >= least))
        return NULL;
    return mg_arena_printf(g->module->arena,
                           "is too small for tiles of sums, which begin at %g columns, %g rows and "
                           "%g products",
                           machine->tile_columns, machine->tile_rows, machine->tile_work);
}
