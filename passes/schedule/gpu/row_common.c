// Rows on a GPU that have steps in common: values that are the same for all rows, such as the one
// normalised row that a product of a matrix by a vector reads (passes/repeat.c). All items of a
// group compute these together, once, and leave them in local memory. What each row then reads for
// itself is on its way meanwhile.
#include "passes/schedule/gpu/row.h"
#include "passes/schedule/words.h"

typedef struct Look {
    const MgRows *r;
    const MgOp *op;
    const bool *common;
    bool same; // for all rows, so far
} Look;

static bool mentions_rows(const MgGroup *gr, MgIx x) {
    bool any = false;
    for (uint32_t i = 0; i < gr->depth; i++)
        any |= mg_ix_mentions(gr->s->ix, x, mg_ix_index(gr->s->ix, i));
    return any;
}

static void look_at(Look *look, const MgSx *x) {
    const MgGroup *gr = look->r->gr;
    uint32_t first = 0;
    const MgGroupNest *maker =
        x->kind == MG_SX_READ ? mg_gpu_row_maker(gr, look->op->operands[x->operand]) : NULL;
    if (x->kind == MG_SX_IX)
        look->same &= !mentions_rows(gr, x->ix);
    if (maker) {
        look->same &= look->common[maker - gr->nests];
        first = gr->depth; // its own row, which is the same for all
    }
    for (uint32_t i = first; i < x->n_args; i++)
        look_at(look, x->args[i]);
    if (x->kind == MG_SX_READ && x->otherwise)
        look_at(look, x->otherwise);
}

// Does any nest that is not in common read the value?
static bool is_read(const MgRows *r, const bool *common, MgValueId v) {
    bool is = false;
    for (uint32_t i = 0; i < r->gr->n_nests; i++)
        is |= !common[i] && mg_op_reads(mg_op(r->gr->s->g, r->gr->nests[i].op), v);
    return is;
}

// The bytes of local memory for values along the row that are in common.
static int64_t bytes(const MgRows *r, const bool *common) {
    int64_t all = 0;
    for (uint32_t i = 0; i < r->gr->n_nests; i++) {
        const MgGroupNest *n = &r->gr->nests[i];
        if (common[i] && mg_gpu_row_inner(r->gr, n) && is_read(r, common, n->result))
            all += r->p.width * (int64_t)mg_dtype_size(n->piece->expr->dtype);
    }
    return all;
}

const bool *mg_gpu_rows_common(const MgRows *r) {
    const MgGroup *gr = r->gr;
    bool *common = MG_NEW_N(gr->s->arena, bool, gr->n_nests), any = false, all = true;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        Look look = {r, mg_op(gr->s->g, gr->nests[i].op), common, true};
        look_at(&look, gr->nests[i].piece->expr);
        common[i] = look.same && !mg_unit_is_output(gr->unit, gr->nests[i].result);
        any |= common[i];
        all &= common[i];
    }
    bool may = gr->depth && !r->p.across && !r->p.stream && r->p.rows > 1 && any && !all;
    return may && bytes(r, common) <= (int64_t)gr->s->options->target.local_bytes / 2 ? common
                                                                                      : NULL;
}

static bool is_common(const MgRows *r, MgOpId op) {
    bool is = false;
    for (uint32_t i = 0; i < r->gr->n_nests; i++)
        is |= r->gr->nests[i].op == op && r->common[i];
    return is;
}

// Caches what nests in common read along the row, or what the others read.
static void keep_cached(MgRows *r, bool common) {
    r->n_cached = 0;
    for (uint32_t i = 0; i < r->n_read; i++)
        if (is_common(r, r->cached[i].op) == common)
            r->cached[r->n_cached++] = r->cached[i];
}

// Leaves the values along the row that others read in local memory. local[i]: that of nest i.
static void leave(const MgRows *c, MgKBlock *block, MgKBufId *local) {
    MgKernel *k = c->gr->kb.k;
    for (uint32_t i = 0; i < c->gr->n_nests; i++) {
        const MgGroupNest *n = &c->gr->nests[i];
        if (!c->common[i] || !mg_gpu_row_inner(c->gr, n) || !is_read(c, c->common, n->result))
            continue;
        MgDType type = c->kept[i * c->rounds]->type.dtype;
        local[i] = mg_gpu_local(k, "row", mg_kt(type, 1), c->p.width);
        for (uint32_t round = 0; round < c->rounds; round++) {
            MgKBlock *b = c->inside[round] ? block_if(k, block, c->inside[round]) : block;
            store(k, b, local[i], c->position[round], c->kept[i * c->rounds + round]);
        }
    }
    mg_kbarrier(k, block, MG_BARRIER_GROUP);
}

void mg_gpu_rows_share(MgRows *r, MgKBlock *block) {
    MgKernel *k = r->gr->kb.k;
    uint32_t n = r->gr->n_nests;
    MgKBufId *local = MG_NEW_N(r->gr->s->arena, MgKBufId, n);
    MgRows c = *r; // the row in common, which all items of the group share
    c.p.items = mg_gpu_row_group(r);
    c.p.rows = 1;
    c.rounds = (uint32_t)mg_ceil_div(r->p.width, c.p.items * c.p.lanes);
    c.me = mg_kspecial(k, MG_KX_LOCAL_ID);
    c.first = num(k, 0);
    c.valid = NULL;
    keep_cached(&c, true);
    keep_cached(r, false);
    mg_gpu_row_begin(r, block);
    mg_gpu_row_begin(&c, block);
    for (uint32_t i = 0; i < n; i++)
        if (c.common[i])
            mg_gpu_row_nest(&c, block, i);
    leave(&c, block, local);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t round = 0; local[i] && round < r->rounds; round++)
            r->kept[i * r->rounds + round] =
                named(k, block, "x", loaded(k, local[i], r->position[round], r->p.lanes));
}
