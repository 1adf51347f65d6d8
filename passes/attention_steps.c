// Collects the steps before a last contraction, backwards from it, and expresses the indices of
// each in those of the last; see attention_steps.h.
#include "passes/attention_steps.h"

// The step that computes v, or UINT32_MAX.
uint32_t mg_search_step(const MgSearch *f, MgValueId v) {
    MgOpId def = mg_value(f->g, v)->def;
    for (uint32_t i = 0; def && i < f->a->n_steps; i++)
        if (f->a->steps[i].op == def)
            return i;
    return UINT32_MAX;
}

uint32_t mg_search_read(const MgSearch *f, MgOpId reader, const MgSx *x) {
    return x->kind == MG_SX_READ ? mg_search_step(f, mg_op(f->g, reader)->operands[x->operand])
                                 : UINT32_MAX;
}

// ---------------------------------------------------------------- the steps
// Is the op one equation over a box that begins at 0 and whose ends depend on no index?
static bool is_simple(const MgSearch *f, MgOpId id) {
    const MgPiece *p = mg_only_piece(mg_op(f->g, id));
    int64_t low;
    if (!p || mg_op(f->g, id)->region != f->region)
        return false;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (!mg_ix_is_const(f->t, p->indices[i].low, &low) || low ||
            mg_ix_mentions_index(f->t, p->indices[i].high))
            return false;
    return !p->scatter && p->n_indices <= MG_ATTENTION_SYMBOLS;
}

// Is it a product with the matrix of the queries, or with the vector of a single query?
static bool contracts(const MgSearch *f, const MgPiece *p) {
    MgContraction least = f->single ? MG_CONTRACTS_VECTORS : MG_CONTRACTS_MATRICES;
    return mg_piece_contraction(f->g->module, p) >= least;
}

static bool is_outside(const MgSearch *f, MgOpId id) {
    bool found = false;
    for (uint32_t i = 0; i < f->n_outside; i++)
        found |= f->outside[i] == id;
    return found;
}

static bool add_step(MgSearch *f, MgOpId id) {
    if (f->a->n_steps == MG_ATTENTION_STEPS)
        return false;
    f->a->steps[f->a->n_steps++].op = id;
    return true;
}

// Adds the steps from the scores to op, including op, in an order in which they can run. False if
// op doesn't depend on scores: then it is an ordinary operand.
static bool collect(MgSearch *f, MgOpId id) {
    for (uint32_t i = 0; i < f->n_visited; i++)
        if (f->visited[i] == id)
            return f->inside[i];
    if (!id || f->n_visited == MG_STEPS_VISITED || !is_simple(f, id))
        return false;
    uint32_t number = f->n_visited++;
    f->visited[number] = id;
    const MgOp *op = mg_op(f->g, id);
    const MgPiece *p = mg_search_piece(f, id);
    if (contracts(f, p)) {
        if (is_outside(f, id) || f->n_products == (f->softmax ? 1 : MG_ATTENTION_PRODUCTS))
            return false;
        f->products[f->n_products++] = id;
        return f->inside[number] = add_step(f, id);
    }
    bool reduces = f->softmax && (p->reducer == MG_REDUCE_MAX || p->reducer == MG_REDUCE_SUM);
    if (p->reducer != MG_REDUCE_NONE && !reduces)
        return false;
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++)
        any |= collect(f, mg_value(f->g, op->operands[i])->def);
    return f->inside[number] = any && add_step(f, id);
}

// ---------------------------------------------------------------- their indices
typedef struct Place {
    MgSearch *f;
    uint32_t step;
    bool ok;
} Place;

// Index k of the step whose value is read, from the target subscript that contains it.
static bool digit(MgSearch *f, const MgTarget *target, const MgPiece *p, uint32_t k, MgIx sub,
                  MgIx *out) {
    if (!target->n_tuple) {
        *out = mg_ix_narrow(f->t, sub, &f->ranges);
        return target->sub->kind == MG_SX_IX && target->sub->ix == mg_ix_idx(f->t, k);
    }
    MgIx stride = mg_ix_const(f->t, 1);
    for (uint32_t i = target->n_tuple; i-- > 0;) {
        if (target->tuple[i] == k) {
            MgIx x = mg_ix_div(f->t, sub, stride);
            x = i ? mg_ix_mod(f->t, x, p->indices[k].high) : x;
            *out = mg_ix_narrow(f->t, x, &f->ranges);
            return true;
        }
        stride = mg_ix_mul(f->t, stride, p->indices[target->tuple[i]].high);
    }
    return false;
}

static void place_read(void *ctx, const MgSx *x) {
    Place *pl = ctx;
    MgSearch *f = pl->f;
    const MgAttentionStep *reader = &f->a->steps[pl->step];
    uint32_t number = mg_search_read(f, reader->op, x);
    if (!pl->ok || number == UINT32_MAX)
        return;
    MgAttentionStep *read = &f->a->steps[number];
    const MgPiece *p = mg_search_piece(f, read->op);
    MgIx subs[64];
    pl->ok = x->bounds == MG_BOUNDS_PROVED && mg_read_subs(x, subs);
    for (uint32_t k = 0; pl->ok && k < p->n_free; k++) {
        MgIx at = 0;
        bool found = false;
        for (uint32_t i = 0; i < x->n_args && !found; i++)
            found =
                digit(f, &p->target[i], p, k,
                      mg_ix_subst_indices(f->t, subs[i], reader->with, MG_ATTENTION_SYMBOLS), &at);
        pl->ok = found && (!f->known[number] || read->with[k] == at);
        read->with[k] = at;
    }
    f->known[number] = true;
}

// Finds a bound index that is a whole subscript of a value whose indices are known.
static void bind_index(void *ctx, const MgSx *x) {
    Place *pl = ctx;
    MgSearch *f = pl->f;
    MgAttentionStep *reader = &f->a->steps[pl->step];
    uint32_t number = mg_search_read(f, reader->op, x);
    const MgPiece *p = mg_search_piece(f, reader->op);
    if (number == UINT32_MAX || !f->known[number])
        return;
    const MgAttentionStep *read = &f->a->steps[number];
    for (uint32_t k = p->n_free; k < p->n_indices; k++)
        for (uint32_t i = 0; i < x->n_args; i++)
            if (x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(f->t, k))
                reader->with[k] =
                    mg_ix_subst_indices(f->t, mg_search_piece(f, read->op)->target[i].sub->ix,
                                        read->with, MG_ATTENTION_SYMBOLS);
}

static const MgAttentionProduct *product_of(const MgAttention *a, uint32_t step) {
    for (uint32_t i = 0; i < a->n_products; i++)
        if (a->products[i].step == step)
            return &a->products[i];
    return NULL;
}

// Gives the bound indices of a product symbols of their own.
static bool add_depth(MgSearch *f, MgAttentionProduct *product) {
    MgAttention *a = f->a;
    MgAttentionStep *step = &a->steps[product->step];
    const MgPiece *p = mg_search_piece(f, step->op);
    for (uint32_t k = p->n_free; k < p->n_indices; k++) {
        if (a->n_symbols == MG_ATTENTION_SYMBOLS)
            return false;
        product->depth |= UINT64_C(1) << a->n_symbols;
        step->with[k] = mg_ix_idx(f->t, a->n_symbols);
        a->extent[a->n_symbols++] = p->indices[k].high;
    }
    return true;
}

static bool place_steps(MgSearch *f) {
    MgAttention *a = f->a;
    const MgPiece *last = mg_search_piece(f, a->steps[a->values].op);
    a->n_symbols = last->n_indices;
    for (uint32_t k = 0; k < last->n_indices; k++)
        a->extent[k] = last->indices[k].high;
    for (uint32_t i = 0; i < a->n_products; i++)
        if (!add_depth(f, &a->products[i]))
            return false;
    f->ranges = (MgIxRanges){f->zeros, a->extent, a->n_symbols};
    f->known[a->values] = true;
    for (uint32_t s = a->n_steps; s-- > 0;) {
        Place pl = {f, s, f->known[s]};
        MgAttentionStep *step = &a->steps[s];
        const MgPiece *p = mg_search_piece(f, step->op);
        for (uint32_t k = p->n_free; k < p->n_indices; k++) {
            if (s == a->values)
                step->with[k] = mg_ix_idx(f->t, k);
        }
        if (s != a->values && !product_of(a, s))
            mg_sx_walk(p->expr, bind_index, &pl);
        mg_sx_walk(p->expr, place_read, &pl);
        for (uint32_t k = 0; k < p->n_indices; k++)
            pl.ok &= step->with[k] != 0;
        if (!pl.ok)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- classes of symbols
typedef struct Symbols {
    MgSearch *f;
    const MgAttentionStep *step;
    uint64_t seen;
} Symbols;

uint64_t mg_search_symbols(const MgSearch *f, MgIx x) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < f->a->n_symbols; i++)
        if (mg_ix_mentions(f->t, x, mg_ix_index(f->t, i)))
            seen |= UINT64_C(1) << i;
    return seen;
}

static void note_symbols(void *ctx, const MgSx *x) {
    Symbols *s = ctx;
    if (x->kind == MG_SX_IX)
        s->seen |= mg_search_symbols(
            s->f, mg_ix_subst_indices(s->f->t, x->ix, s->step->with, MG_ATTENTION_SYMBOLS));
}

// The symbols that an expression of a step depends on.
uint64_t mg_search_mentioned(MgSearch *f, const MgAttentionStep *step, const MgSx *x) {
    Symbols s = {f, step, 0};
    mg_sx_walk(x, note_symbols, &s);
    return s.seen;
}

// The symbols that a step's value depends on.
uint64_t mg_search_box(MgSearch *f, const MgAttentionStep *step) {
    uint64_t seen = 0;
    for (uint32_t k = 0; k < mg_search_piece(f, step->op)->n_free; k++)
        seen |= mg_search_symbols(f, step->with[k]);
    return seen;
}

// The factors of a product: that of the rows, and that of the keys.
static bool find_factors(MgSearch *f, MgAttentionProduct *product) {
    uint64_t keys = f->a->keys;
    const MgAttentionStep *step = &f->a->steps[product->step];
    const MgSx *const *args = mg_search_piece(f, step->op)->expr->args;
    bool first = mg_search_mentioned(f, step, args[0]) & keys;
    product->q = args[first];
    product->k = args[!first];
    return !(mg_search_mentioned(f, step, product->q) & keys) &&
           (mg_search_mentioned(f, step, product->k) & keys) &&
           (mg_search_box(f, step) & keys) == keys;
}

bool mg_search_classes(MgSearch *f) {
    MgAttention *a = f->a;
    const MgAttentionStep *last = &a->steps[a->values];
    uint64_t box = 0, k = 0, v = mg_search_mentioned(f, last, a->v);
    for (uint32_t i = 0; i < a->n_products; i++) {
        MgAttentionProduct *product = &a->products[i];
        const MgAttentionStep *step = &a->steps[product->step];
        if (!find_factors(f, product))
            return false;
        box |= mg_search_box(f, step);
        k |= mg_search_mentioned(f, step, product->k);
    }
    for (uint32_t i = 0; i < mg_search_piece(f, last->op)->n_free; i++) {
        uint64_t one = UINT64_C(1) << i;
        if ((box & one) && !(v & one) && !(k & one))
            a->rows |= one;
        else if (!(box & one) && (v & one))
            a->columns |= one;
        else
            a->batch |= one;
    }
    return a->columns; // a single query has no rows' symbols
}

int64_t mg_attention_likely_size(MgGraph *g, const MgAttention *a, uint64_t set) {
    MgIx n = mg_ix_const(g->module->ix, 1);
    for (uint32_t i = 0; i < a->n_symbols; i++)
        if (set >> i & 1)
            n = mg_ix_mul(g->module->ix, n, a->extent[i]);
    return mg_ix_likely(g->module->ix, n);
}

// ---------------------------------------------------------------- the search

MgSearch mg_search_begin(MgGraph *g, MgOpId op, MgAttention *a) {
    return (MgSearch){.g = g, .t = g->module->ix, .region = mg_op(g, op)->region, .a = a};
}

bool mg_search_is_last(const MgSearch *f, MgOpId op) {
    return is_simple(f, op) && mg_piece_sums_products(mg_search_piece(f, op));
}

typedef struct Weights {
    MgSearch *f;
    MgOpId op;
    bool any;
} Weights;

static void collect_read(void *ctx, const MgSx *x) {
    Weights *w = ctx;
    if (x->kind == MG_SX_READ)
        w->any |=
            collect(w->f, mg_value(w->f->g, mg_op(w->f->g, w->op)->operands[x->operand])->def);
}

// Does a step take a maximum, as one of each softmax does? This is asked before the steps' indices,
// since products that follow one another are steps, too.
static bool has_maximum(const MgSearch *f) {
    bool any = false;
    for (uint32_t s = 0; s < f->a->n_steps; s++)
        any |= mg_search_piece(f, f->a->steps[s].op)->reducer == MG_REDUCE_MAX;
    return any;
}

bool mg_search_steps(MgSearch *f, MgOpId op, uint32_t factor) {
    MgAttention *a = f->a;
    const MgPiece *last = mg_search_piece(f, op);
    const MgSx *x = last->expr;
    *a = (MgAttention){.weight = x->args[factor], .v = x->args[1 - factor], .softmax = f->softmax};
    f->n_visited = f->n_products = 0;
    memset(f->known, 0, sizeof f->known);
    f->visited[f->n_visited] = op; // values don't depend on their own weights
    f->inside[f->n_visited++] = false;
    Weights w = {f, op, false};
    mg_sx_walk(a->weight, collect_read, &w);
    if (!w.any || !add_step(f, op) || (f->softmax && !has_maximum(f)))
        return false;
    a->values = a->n_steps - 1;
    for (uint32_t s = 0; s < a->values; s++)
        for (uint32_t i = 0; i < f->n_products; i++)
            if (a->steps[s].op == f->products[i])
                a->products[a->n_products++].step = s;
    for (uint32_t k = 0; k < MG_ATTENTION_SYMBOLS; k++) {
        f->zeros[k] = mg_ix_const(f->t, 0);
        a->steps[a->values].with[k] = mg_ix_idx(f->t, k);
    }
    for (uint32_t k = last->n_free; k < last->n_indices; k++)
        a->keys |= UINT64_C(1) << k;
    return a->n_products && place_steps(f);
}

// Are only the last value and values of rows used outside?
bool mg_search_is_closed(const MgSearch *f, const uint32_t *uses) {
    MgAttention *a = f->a;
    for (uint32_t s = 0; s + 1 < a->n_steps; s++) {
        if (mg_attention_is_of_rows(&a->steps[s]))
            continue;
        MgValueId v = mg_op(f->g, a->steps[s].op)->results[0];
        uint32_t inside = 0;
        for (uint32_t i = 0; i < a->n_steps; i++) {
            const MgOp *op = mg_op(f->g, a->steps[i].op);
            for (uint32_t k = 0; k < op->n_operands; k++)
                inside += op->operands[k] == v;
        }
        if (uses[v] > inside)
            return false;
    }
    return true;
}
