// Sums of weights times products with the values; see rescore.h.
#include "passes/rescore.h"
#include "passes/rewrite.h"

enum { MOST = MG_ATTENTION_SYMBOLS };

typedef struct Rows {
    MgGraph *g;
    MgModule *m;
    MgIxTable *t;
    const MgAttention *a;
    MgOpId id;
    const MgPiece *p;   // of the op
    const MgSx *w, *dp; // its reads of the weights, and of the product
    uint32_t step;      // the step of which w is the value
    MgIx symbol[MOST];  // each symbol of the attention, over the op's indices; 0: it has none
    MgIx inner[MOST];   // each index of the product, over the op's and the new sum's
    MgIx dims[MOST];    // the ends of the op's indices
    MgTaken taken;      // operands of the op that is being made
    const MgSx *sum;    // takes the place of the sum over keys
    bool ok;
} Rows;

static const MgPiece *piece_of(const Rows *r, MgOpId id) {
    return &mg_op(r->g, id)->equation->pieces[0];
}

static MgValueId read_of(const Rows *r, MgOpId id, const MgSx *x) {
    return mg_op(r->g, id)->operands[x->operand];
}

static bool is_keyed(const Rows *r, const MgSx *x) {
    bool any = false;
    for (uint32_t k = r->p->n_free; k < r->p->n_indices; k++)
        any |= mg_sx_mentions(r->m, x, k);
    return any;
}

// ---------------------------------------------------------------- indices

// Which subscript of a read of the piece's value stands for index k of the piece; 0: unknown.
static MgIx subscript_for(Rows *r, const MgPiece *p, const MgSx *read, uint32_t k) {
    MgIx subs[64], zeros[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        zeros[i] = mg_ix_const(r->t, 0);
    MgIxRanges ranges = {zeros, r->dims, r->p->n_indices};
    if (!mg_read_subs(read, subs))
        return 0;
    for (uint32_t i = 0; i < read->n_args; i++) {
        const MgTarget *target = &p->target[i];
        MgIx stride = mg_ix_const(r->t, 1);
        if (!target->n_tuple && target->sub->kind == MG_SX_IX &&
            target->sub->ix == mg_ix_idx(r->t, k))
            return subs[i];
        for (uint32_t j = target->n_tuple; j-- > 0;) {
            MgIx x = mg_ix_div(r->t, subs[i], stride), high = p->indices[target->tuple[j]].high;
            x = mg_ix_narrow(r->t, j ? mg_ix_mod(r->t, x, high) : x, &ranges);
            if (target->tuple[j] == k)
                return x;
            stride = mg_ix_mul(r->t, stride, high);
        }
    }
    return 0;
}

static bool find_symbols(Rows *r) {
    const MgAttentionStep *step = &r->a->steps[r->step];
    const MgPiece *p = piece_of(r, step->op);
    for (uint32_t k = 0; k < p->n_free; k++) {
        MgIx at = subscript_for(r, p, r->w, k);
        MgIxSym sym;
        if (!at || !mg_ix_is_sym(r->t, step->with[k], &sym))
            return false;
        for (uint32_t s = 0; s < r->a->n_symbols; s++)
            if (sym == mg_ix_index(r->t, s))
                r->symbol[s] = at;
    }
    return true;
}

// Are the indices that the op sums over the keys, all of them and nothing else?
static bool sums_keys(const Rows *r) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < r->a->n_symbols; s++) {
        if (!(r->a->keys >> s & 1))
            continue;
        uint32_t at = r->p->n_free + n++;
        for (uint32_t k = r->p->n_free; k < r->p->n_indices; k++)
            at = r->symbol[s] == mg_ix_idx(r->t, k) ? k : at;
        if (at >= r->p->n_indices || r->symbol[s] != mg_ix_idx(r->t, at) ||
            r->p->indices[at].low != mg_ix_const(r->t, 0) ||
            r->p->indices[at].high != r->a->extent[s])
            return false;
    }
    return n == r->p->n_indices - r->p->n_free;
}

// Gives the columns of the values indices after those of the op's result, and finds the product's
// indices.
static bool find_inner(Rows *r) {
    const MgPiece *p = piece_of(r, mg_value(r->g, read_of(r, r->id, r->dp))->def);
    uint32_t bound = p->n_free;
    // Above all of the op's own indices, so that both can be told apart.
    for (uint32_t s = 0; s < r->a->n_symbols; s++) {
        if (!(r->a->columns >> s & 1))
            continue;
        if (bound == p->n_indices || p->indices[bound].high != r->a->extent[s])
            return false;
        r->inner[bound] = r->symbol[s] = mg_ix_idx(r->t, r->p->n_indices + bound - p->n_free);
        bound++;
    }
    for (uint32_t k = 0; k < p->n_free; k++)
        r->inner[k] = subscript_for(r, p, r->dp, k);
    for (uint32_t k = 0; k < p->n_free; k++)
        if (!r->inner[k])
            return false;
    return bound == p->n_indices && p->n_indices <= MOST;
}

// ---------------------------------------------------------------- expressions

// An expression of another op over the indices that `with` gives, as one of the op being made.
static const MgSx *moved(Rows *r, MgOpId from, const MgSx *x, const MgIx *with, uint32_t n) {
    MgSxMap map = {
        .module = r->m, .with = with, .n = n, .operand = mg_take_operand, .ctx = &r->taken};
    mg_map_init(&map.done, r->m->arena);
    r->taken.from = from;
    return mg_sx_map(&map, x);
}

// An expression of a step, over the op's indices.
static const MgSx *of_step(Rows *r, uint32_t step, const MgSx *x) {
    MgIx with[MOST];
    uint32_t n = piece_of(r, r->a->steps[step].op)->n_indices;
    for (uint32_t k = 0; k < n; k++) {
        with[k] = mg_ix_subst_indices(r->t, r->a->steps[step].with[k], r->symbol, r->a->n_symbols);
        r->ok &= with[k] != 0;
    }
    return moved(r, r->a->steps[step].op, x, with, n);
}

static const MgSx *both(Rows *r, MgPrim prim, const MgSx *a, const MgSx *b) {
    const MgSx *args[] = {a, b};
    return mg_sx_prim(r->m, prim, a->dtype, args, 2);
}

static uint32_t step_of(const Rows *r, MgValueId v) {
    for (uint32_t s = 0; s < r->a->n_steps; s++)
        if (mg_op(r->g, r->a->steps[s].op)->results[0] == v)
            return s;
    return UINT32_MAX;
}

typedef struct Reader {
    const Rows *r;
    uint32_t step;
    bool weights, sums; // reads a step that has a value for each key; the sum of the weights
} Reader;

static void note_read(void *ctx, const MgSx *x) {
    Reader *reader = ctx;
    const Rows *r = reader->r;
    uint32_t step = UINT32_MAX;
    if (x->kind == MG_SX_READ)
        step = step_of(r, read_of(r, r->a->steps[reader->step].op, x));
    if (step == UINT32_MAX)
        return;
    MgAttentionRole role = r->a->steps[step].role;
    reader->weights |= !mg_attention_is_of_rows(&r->a->steps[step]);
    reader->sums |= role == MG_ATTENTION_SUM || role == MG_ATTENTION_ROW;
}

// What x, an expression of the step, reads.
static Reader reads_in(const Rows *r, uint32_t step, const MgSx *x) {
    Reader reader = {r, step, false, false};
    mg_sx_walk(x, note_read, &reader);
    return reader;
}

// May x be divided by a factor of the weights, or multiplied with what they are divided by? Not if
// it may be 0, or infinite, where the op's own value is none of these: only the sum of the weights
// is known to be neither.
static bool may_undo(const Rows *r, uint32_t step, const MgSx *factor, bool product) {
    if (product)
        return factor->kind == MG_SX_CONST && !mg_sx_is_number(factor, 0);
    return factor->kind == MG_SX_CONST || reads_in(r, step, factor).sums;
}

// The weights of the values are those that the op reads, times factors of the row. Takes these from
// x, the sum of the former.
static const MgSx *without_factors(Rows *r, const MgSx *x) {
    uint32_t step = r->a->values;
    const MgSx *w = r->a->steps[step].weight;
    while (w) {
        r->ok &= !r->a->steps[step].gain;
        if (w->kind == MG_SX_READ) {
            step = step_of(r, read_of(r, r->a->steps[step].op, w));
            w = step == r->step || step == UINT32_MAX ? NULL : r->a->steps[step].weight;
            continue; // scores have no weight, nor has the exponential
        }
        bool product = w->kind == MG_SX_PRIM && w->prim == MG_PRIM_MUL;
        if (!product && (w->kind != MG_SX_PRIM || w->prim != MG_PRIM_DIV))
            break;
        uint32_t at = product && !reads_in(r, step, w->args[0]).weights ? 1 : 0;
        const MgSx *factor = w->args[1 - at];
        r->ok &= may_undo(r, step, factor, product);
        x = both(r, product ? MG_PRIM_DIV : MG_PRIM_MUL, x, of_step(r, step, factor));
        w = w->args[at];
    }
    r->ok &= step == r->step;
    return x;
}

// What is left of x if the sum takes the place of the product of both reads. x must be linear in
// each of them. NULL stands for the weights' factor, 1.
static const MgSx *around(Rows *r, const MgSx *x) {
    if (!is_keyed(r, x))
        return moved(r, r->id, x, r->symbol, 0);
    if (x == r->w)
        return NULL;
    if (x == r->dp)
        return r->sum;
    if (mg_attention_may_skip(x))
        return around(r, x->args[0]);
    const MgSx *args[3] = {0};
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && i < x->n_args && i < 3; i++)
        args[i] = around(r, x->args[i]);
    bool one = x->kind == MG_SX_PRIM && x->prim == MG_PRIM_MUL && (!args[0] || !args[1]);
    if (one)
        return args[0] ? args[0] : args[1];
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && i < x->n_args && i < 3; i++)
        args[i] = args[i] ? args[i] : mg_sx_double(r->m, x->dtype, 1);
    if (x->kind == MG_SX_PRIM && x->n_args <= 3)
        return mg_sx_prim(r->m, x->prim, x->dtype, args, x->n_args);
    r->ok = false;
    return x;
}

// Finds both reads in x, which is a product of them and of values of the row, or 0.
static bool find_reads(Rows *r, const MgSx *x) {
    if (!is_keyed(r, x))
        return true;
    if (x->kind == MG_SX_READ) {
        MgValueId v = read_of(r, r->id, x);
        uint32_t step = step_of(r, v);
        if (x->bounds != MG_BOUNDS_PROVED || (step == UINT32_MAX ? r->dp : r->w))
            return false;
        *(step == UINT32_MAX ? &r->dp : &r->w) = x;
        r->step = step == UINT32_MAX ? r->step : step;
        return true;
    }
    if (x->kind != MG_SX_PRIM)
        return false;
    switch (x->prim) {
    case MG_PRIM_CAST:
        return mg_attention_may_skip(x) && find_reads(r, x->args[0]);
    case MG_PRIM_NEG:
        return find_reads(r, x->args[0]);
    case MG_PRIM_MUL:
        return find_reads(r, x->args[0]) && find_reads(r, x->args[1]);
    case MG_PRIM_DIV:
        return !is_keyed(r, x->args[1]) && find_reads(r, x->args[0]);
    case MG_PRIM_WHERE:
        return !is_keyed(r, x->args[0]) &&
               (mg_sx_is_number(x->args[1], 0) || mg_sx_is_number(x->args[2], 0)) &&
               find_reads(r, x->args[mg_sx_is_number(x->args[1], 0) ? 2 : 1]);
    default:
        return false;
    }
}

// ---------------------------------------------------------------- gains
// A gain of the weights is one of their derivative, too. Since it only multiplies, it may change
// sides, and then the weights are those that are multiplied with the values:
//
//   sum[j] p(i, j) * f(dw(i, j)) = sum[j] f(p(i, j)) * dw(i, j)

// Is b, apart from roundings, what a is, but with another read in place of that of the weights?
// Sets this read.
static bool are_alike(const Rows *r, const MgSx *a, const MgSx *b, const MgSx **other) {
    while (mg_attention_may_skip(a))
        a = a->args[0];
    while (mg_attention_may_skip(b))
        b = b->args[0];
    if (a->kind == MG_SX_READ && r->taken.values.at[a->operand] == read_of(r, r->id, r->w)) {
        bool first = !*other && b->kind == MG_SX_READ && b->bounds == MG_BOUNDS_PROVED;
        *other = first ? b : *other;
        return first;
    }
    if (a->kind != MG_SX_PRIM)
        return mg_sx_equal(a, b);
    const MgSx *before = *other;
    bool same = b->kind == MG_SX_PRIM && a->prim == b->prim && a->dtype == b->dtype;
    for (uint32_t turn = 0; turn < (a->prim == MG_PRIM_MUL ? 2 : 1) && same; turn++) {
        bool alike = true;
        *other = before;
        for (uint32_t i = 0; i < a->n_args && alike; i++)
            alike = are_alike(r, a->args[i], b->args[i ^ turn], other);
        if (alike)
            return true;
    }
    return false;
}

// The read that takes the place of dp if the gain that the step applies to the weights is that of
// dp; or NULL. The operands are those of a new op.
static const MgSx *without_gain(Rows *r, uint32_t step) {
    MgValueId dp = read_of(r, r->id, r->dp);
    MgOpId id = mg_value(r->g, dp)->def;
    const MgPiece *p = mg_only_piece(mg_def(r->g, dp));
    const MgSx *other = NULL;
    MgIx with[MOST];
    r->taken.values.len = 0;
    if (!p || p->reducer != MG_REDUCE_NONE || p->scatter || p->n_indices > MOST)
        return NULL;
    for (uint32_t k = 0; k < p->n_indices; k++)
        if (!(with[k] = subscript_for(r, p, r->dp, k)))
            return NULL;
    const MgSx *own = of_step(r, step, piece_of(r, r->a->steps[step].op)->expr);
    bool found = r->ok && are_alike(r, own, moved(r, id, p->expr, with, p->n_indices), &other);
    r->ok = true;
    return found ? other : NULL;
}

// Makes the op read the step's value in place of the weights, and `other` in place of dp.
static void move_gain(Rows *r, uint32_t step, const MgSx *other) {
    MgOpId from = r->a->steps[step].op;
    MgValueId v = mg_op(r->g, from)->results[0];
    uint32_t rank = mg_value(r->g, v)->rank;
    const MgSx *subs[64];
    for (uint32_t i = 0; i < rank; i++)
        subs[i] = of_step(r, step, piece_of(r, from)->target[i].sub);
    mg_push(r->m->arena, &r->taken.values, v);
    const MgSx *w =
        mg_sx_read(r->m, r->taken.values.len - 1, r->w->dtype, subs, rank, MG_BOUNDS_PROVED, NULL);
    MgSxMap map = {.module = r->m, .operand = mg_take_operand, .ctx = &r->taken};
    mg_map_init(&map.done, r->m->arena);
    mg_map_put(&map.done, (uintptr_t)r->w, (uintptr_t)w);
    mg_map_put(&map.done, (uintptr_t)r->dp, (uintptr_t)other);
    r->taken.from = r->id;
    MgPiece piece = *r->p;
    piece.expr = mg_sx_map(&map, piece.expr);
    MgOp *op = mg_op(r->g, r->id);
    op->equation = mg_equation_of(r->m, piece);
    op->operands =
        mg_arena_copy(r->m->arena, r->taken.values.at, r->taken.values.len, sizeof *op->operands);
    op->n_operands = r->taken.values.len;
    mg_normalise_operands(r->g, r->id, r->m->session->arena);
    r->taken.values.len = 0;
}

static bool find_factors(Rows *r) {
    memset(r->symbol, 0, sizeof r->symbol);
    r->w = r->dp = NULL;
    r->p = piece_of(r, r->id);
    return find_reads(r, r->p->expr) && r->w && r->dp && find_symbols(r);
}

// Moves gains of dp to the weights. Returns whether anything changed.
static bool move_gains(Rows *r) {
    bool changed = false;
    for (uint32_t s = 0; s < r->a->values; s++) { // each step follows those that it reads
        const MgSx *other = r->a->steps[s].role == MG_ATTENTION_WEIGHT ? without_gain(r, s) : NULL;
        if (!other)
            continue;
        move_gain(r, s, other);
        changed = true;
        if (!find_factors(r))
            break;
    }
    return changed;
}

// ---------------------------------------------------------------- the rewrite

// g, if the product is that of g and the values; else NULL. The operands are those of the new sum.
static const MgSx *other_factor(Rows *r) {
    MgOpId id = mg_value(r->g, read_of(r, r->id, r->dp))->def;
    const MgPiece *p = piece_of(r, id);
    const MgSx *v = of_step(r, r->a->values, r->a->v), *g = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const MgSx *x = moved(r, id, p->expr->args[i], r->inner, p->n_indices);
        if (mg_sx_equal(x, v))
            g = moved(r, id, p->expr->args[1 - i], r->inner, p->n_indices);
    }
    return g && !is_keyed(r, g) ? g : NULL;
}

// Renumbers the columns, which follow the op's free indices in the new sum.
static const MgSx *in_new_sum(Rows *r, const MgSx *x) {
    MgIx with[2 * MOST];
    uint32_t keys = r->p->n_indices - r->p->n_free, n = r->p->n_indices + MOST;
    for (uint32_t k = 0; k < n; k++)
        with[k] = mg_ix_idx(r->t, k < r->p->n_indices ? k : k - keys);
    return mg_sx_subst_indices(r->m, x, with, n);
}

static MgValueId result_like(Rows *r, MgOpId op, MgValueId like, const char *suffix) {
    const MgValue v = *mg_value(r->g, like);
    MgNames *names = r->m->session->names;
    MgSym name = mg_unique_name(r->g, mg_symf(names, "%s%s", mg_name(names, v.name), suffix));
    return mg_op_result(r->g, op, name, v.dtype, v.rank, v.shape);
}

static MgOpId make_op(Rows *r, MgPiece piece) {
    MgOpId op = mg_op_new_before(r->g, r->id, MG_OP_EQUATION, r->taken.values.at,
                                 r->taken.values.len, mg_op(r->g, r->id)->origin);
    mg_op(r->g, op)->equation = mg_equation_of(r->m, piece);
    return op;
}

// sum[c] g(i, c) * y(i, c). Returns its value, or MG_NONE.
static MgValueId make_sum(Rows *r) {
    const MgSx *g = other_factor(r), *subs[64];
    MgOpId last = r->a->steps[r->a->values].op;
    const MgPiece *values = piece_of(r, last);
    MgValueId y = mg_op(r->g, last)->results[0], result = mg_op(r->g, r->id)->results[0];
    uint32_t rank = mg_value(r->g, y)->rank;
    for (uint32_t i = 0; g && i < rank; i++)
        subs[i] = of_step(r, r->a->values, values->target[i].sub);
    if (!g || !r->ok || mg_dtype(mg_value(r->g, y)->dtype)->compute != g->dtype)
        return MG_NONE;
    mg_push(r->m->arena, &r->taken.values, y);
    const MgSx *read =
        mg_sx_read(r->m, r->taken.values.len - 1, g->dtype, subs, rank, MG_BOUNDS_PROVED, NULL);
    MgPiece sum = *r->p;
    const MgPiece *dp = piece_of(r, mg_value(r->g, read_of(r, r->id, r->dp))->def);
    uint32_t columns = dp->n_indices - dp->n_free;
    sum.n_indices = sum.n_free + columns;
    sum.indices = MG_NEW_N(r->m->arena, MgIndex, sum.n_indices);
    memcpy(sum.indices, r->p->indices, sum.n_free * sizeof *sum.indices);
    memcpy(sum.indices + sum.n_free, dp->indices + dp->n_free, columns * sizeof *sum.indices);
    for (uint32_t k = 0; k < columns; k++) { // no free index has this name
        MgNames *names = r->m->session->names;
        MgIndex *own = &sum.indices[sum.n_free + k];
        for (uint32_t i = 0; i < sum.n_free + k; i++)
            if (sum.indices[i].name == own->name) {
                own->name = mg_symf(names, "%s_%u", mg_name(names, own->name), k + 1);
                i = UINT32_MAX;
            }
    }
    sum.expr = in_new_sum(r, both(r, MG_PRIM_MUL, g, read));
    return result_like(r, make_op(r, sum), result, "_sum");
}

static bool is_sum(const Rows *r) {
    const MgOp *op = mg_op(r->g, r->id);
    return mg_only_piece(op) && r->p->reducer == MG_REDUCE_SUM && !r->p->scatter &&
           r->p->n_indices <= MOST && mg_piece_is_plain(r->g, r->p, op->results[0]) &&
           !mg_piece_is_scanned(r->m, r->p);
}

// The product of which dp is the value.
static bool is_product(const Rows *r) {
    const MgPiece *p = mg_only_piece(mg_def(r->g, read_of(r, r->id, r->dp)));
    return p && mg_piece_sums_products(p) && !p->scatter && !mg_piece_is_scanned(r->m, p) &&
           p->expr->dtype == r->p->expr->dtype;
}

// The op, of which the sum takes the place of the reduction. False if there is no such sum.
static bool replace_sum(Rows *r) {
    MgGraph *g = r->g;
    MgValueId sum = make_sum(r);
    if (!sum)
        return false;
    const MgSx *subs[64];
    for (uint32_t k = 0; k < r->p->n_free; k++)
        subs[k] = mg_sx_ix(r->m, MG_I64, mg_ix_idx(r->t, k));
    r->taken.values.len = 0;
    mg_push(r->m->arena, &r->taken.values, sum);
    r->sum = mg_sx_read(r->m, 0, r->p->expr->dtype, subs, r->p->n_free, MG_BOUNDS_PROVED, NULL);
    r->sum = without_factors(r, r->sum);
    MgPiece piece = *r->p;
    piece.n_indices = piece.n_free;
    piece.reducer = MG_REDUCE_NONE;
    piece.expr = around(r, r->p->expr);
    if (!r->ok) {
        mg_op_erase(g, mg_value(g, sum)->def);
        return false;
    }
    MgValueId before = mg_op(g, r->id)->results[0];
    bool plain = piece.expr->kind == MG_SX_READ; // of the sum
    mg_replace_uses(g, before, plain ? sum : result_like(r, make_op(r, piece), before, "_rows"));
    mg_op_erase(g, r->id);
    return true;
}

bool mg_rescore_rows(MgGraph *g, MgPassContext *context, const MgAttention *a, MgOpId id) {
    Rows rows = {.g = g,
                 .m = g->module,
                 .t = g->module->ix,
                 .a = a,
                 .id = id,
                 .taken = {.g = g},
                 .ok = true},
         *r = &rows;
    r->p = mg_op(g, id)->kind == MG_OP_EQUATION ? piece_of(r, id) : NULL;
    if (!r->p || !is_sum(r))
        return false;
    for (uint32_t k = 0; k < r->p->n_indices; k++)
        r->dims[k] = r->p->indices[k].high;
    if (!find_factors(r) || !sums_keys(r) || !mg_pass_may(context, id))
        return false;
    bool changed = !is_product(r) && move_gains(r);
    return (r->w && r->dp && is_product(r) && find_inner(r) && replace_sum(r)) || changed;
}
