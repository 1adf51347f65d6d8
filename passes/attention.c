// Finds attention; see attention.h. It collects the steps between the two contractions, backwards
// from the last one, expresses the indices of each step in those of the last, and then finds each
// step's role.
#include "passes/attention.h"

#include <math.h>

enum { MOST_VISITED = 96 };

typedef struct Find {
    MgGraph *g;
    MgIxTable *t;
    MgRegionId region;
    MgAttention *a;
    MgOpId scores;
    bool single; // there is one query: its products are of a matrix and a vector
    MgOpId visited[MOST_VISITED];
    bool inside[MOST_VISITED];
    uint32_t n_visited;
    bool known[MG_ATTENTION_STEPS]; // its indices are known
    bool late[MG_ATTENTION_STEPS];  // it depends on the exponential
    MgIxRanges ranges;
    MgIx zeros[MG_ATTENTION_SYMBOLS];
} Find;

static const MgPiece *piece_of(const Find *f, MgOpId id) {
    return &mg_op(f->g, id)->equation->pieces[0];
}

// The step that computes v, or UINT32_MAX.
static uint32_t step_of(const Find *f, MgValueId v) {
    MgOpId def = mg_value(f->g, v)->def;
    for (uint32_t i = 0; def && i < f->a->n_steps; i++)
        if (f->a->steps[i].op == def)
            return i;
    return UINT32_MAX;
}

static uint32_t step_read(const Find *f, MgOpId reader, const MgSx *x) {
    return x->kind == MG_SX_READ ? step_of(f, mg_op(f->g, reader)->operands[x->operand])
                                 : UINT32_MAX;
}

// ---------------------------------------------------------------- the steps
// Is the op one equation over a box that begins at 0 and whose ends depend on no index?
static bool is_simple(const Find *f, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    if (op->kind != MG_OP_EQUATION || op->region != f->region || op->equation->n_pieces != 1)
        return false;
    const MgPiece *p = piece_of(f, id);
    int64_t low;
    for (uint32_t i = 0; i < p->n_indices; i++)
        if (!mg_ix_is_const(f->t, p->indices[i].low, &low) || low ||
            mg_ix_mentions_index(f->t, p->indices[i].high))
            return false;
    return !p->scatter && p->n_indices <= MG_ATTENTION_SYMBOLS;
}

// Is it a product with the matrix of the queries, or with the vector of a single query?
static bool contracts(const Find *f, const MgPiece *p) {
    MgContraction least = f->single ? MG_CONTRACTS_VECTORS : MG_CONTRACTS_MATRICES;
    return mg_piece_contraction(f->g->module, p) >= least;
}

static bool add_step(Find *f, MgOpId id) {
    if (f->a->n_steps == MG_ATTENTION_STEPS)
        return false;
    f->a->steps[f->a->n_steps++].op = id;
    return true;
}

// Adds the steps from the scores to op, including op, in an order in which they can run. False if
// op doesn't depend on scores: then it is an ordinary operand.
static bool collect(Find *f, MgOpId id) {
    for (uint32_t i = 0; i < f->n_visited; i++)
        if (f->visited[i] == id)
            return f->inside[i];
    if (!id || f->n_visited == MOST_VISITED || !is_simple(f, id))
        return false;
    uint32_t number = f->n_visited++;
    f->visited[number] = id;
    const MgOp *op = mg_op(f->g, id);
    const MgPiece *p = piece_of(f, id);
    if (contracts(f, p)) {
        if (f->scores)
            return false;
        f->scores = id;
        return f->inside[number] = add_step(f, id);
    }
    if (p->reducer != MG_REDUCE_NONE && p->reducer != MG_REDUCE_MAX && p->reducer != MG_REDUCE_SUM)
        return false;
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++)
        any |= collect(f, mg_value(f->g, op->operands[i])->def);
    return f->inside[number] = any && add_step(f, id);
}

// ---------------------------------------------------------------- their indices
typedef struct Place {
    Find *f;
    uint32_t step;
    bool ok;
} Place;

// Index k of the step whose value is read, from the target subscript that contains it.
static bool digit(Find *f, const MgTarget *target, const MgPiece *p, uint32_t k, MgIx sub,
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
    Find *f = pl->f;
    const MgAttentionStep *reader = &f->a->steps[pl->step];
    uint32_t number = step_read(f, reader->op, x);
    if (!pl->ok || number == UINT32_MAX)
        return;
    MgAttentionStep *read = &f->a->steps[number];
    const MgPiece *p = piece_of(f, read->op);
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
    Find *f = pl->f;
    MgAttentionStep *reader = &f->a->steps[pl->step];
    uint32_t number = step_read(f, reader->op, x);
    const MgPiece *p = piece_of(f, reader->op);
    if (number == UINT32_MAX || !f->known[number])
        return;
    const MgAttentionStep *read = &f->a->steps[number];
    for (uint32_t k = p->n_free; k < p->n_indices; k++)
        for (uint32_t i = 0; i < x->n_args; i++)
            if (x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(f->t, k))
                reader->with[k] =
                    mg_ix_subst_indices(f->t, piece_of(f, read->op)->target[i].sub->ix, read->with,
                                        MG_ATTENTION_SYMBOLS);
}

static bool place_steps(Find *f) {
    MgAttention *a = f->a;
    const MgPiece *last = piece_of(f, a->steps[a->values].op);
    const MgPiece *first = piece_of(f, f->scores);
    a->n_symbols = last->n_indices;
    for (uint32_t k = 0; k < last->n_indices; k++)
        a->extent[k] = last->indices[k].high;
    for (uint32_t k = first->n_free; k < first->n_indices; k++) {
        if (a->n_symbols == MG_ATTENTION_SYMBOLS)
            return false;
        a->depth |= UINT64_C(1) << a->n_symbols;
        a->extent[a->n_symbols++] = first->indices[k].high;
    }
    f->ranges = (MgIxRanges){f->zeros, a->extent, a->n_symbols};
    f->known[a->values] = true;
    for (uint32_t s = a->n_steps; s-- > 0;) {
        Place pl = {f, s, f->known[s]};
        MgAttentionStep *step = &a->steps[s];
        const MgPiece *p = piece_of(f, step->op);
        for (uint32_t k = p->n_free; k < p->n_indices; k++) {
            if (s == a->values)
                step->with[k] = mg_ix_idx(f->t, k);
            else if (s == a->scores)
                step->with[k] = mg_ix_idx(f->t, last->n_indices + k - p->n_free);
        }
        if (s != a->values && s != a->scores)
            mg_sx_walk(p->expr, bind_index, &pl);
        mg_sx_walk(p->expr, place_read, &pl);
        for (uint32_t k = 0; k < p->n_indices; k++)
            pl.ok &= step->with[k] != 0;
        if (!pl.ok)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- roles
typedef struct Symbols {
    Find *f;
    const MgAttentionStep *step;
    uint64_t seen;
} Symbols;

static uint64_t symbols_of(const Find *f, MgIx x) {
    uint64_t seen = 0;
    for (uint32_t i = 0; i < f->a->n_symbols; i++)
        if (mg_ix_mentions(f->t, x, mg_ix_index(f->t, i)))
            seen |= UINT64_C(1) << i;
    return seen;
}

static void note_symbols(void *ctx, const MgSx *x) {
    Symbols *s = ctx;
    if (x->kind == MG_SX_IX)
        s->seen |= symbols_of(
            s->f, mg_ix_subst_indices(s->f->t, x->ix, s->step->with, MG_ATTENTION_SYMBOLS));
}

// The symbols that an expression of a step depends on.
static uint64_t mentioned(Find *f, const MgAttentionStep *step, const MgSx *x) {
    Symbols s = {f, step, 0};
    mg_sx_walk(x, note_symbols, &s);
    return s.seen;
}

// The symbols that a step's value depends on.
static uint64_t box_of(Find *f, const MgAttentionStep *step) {
    uint64_t seen = 0;
    for (uint32_t k = 0; k < piece_of(f, step->op)->n_free; k++)
        seen |= symbols_of(f, step->with[k]);
    return seen;
}

// Are the step's bound indices exactly the keys, each used once?
static bool reduces_keys(Find *f, const MgAttentionStep *step) {
    const MgPiece *p = piece_of(f, step->op);
    uint64_t seen = 0;
    for (uint32_t k = p->n_free; k < p->n_indices; k++) {
        MgIxSym sym;
        uint64_t one = symbols_of(f, step->with[k]);
        if (!mg_ix_is_sym(f->t, step->with[k], &sym) || (seen & one))
            return false;
        seen |= one;
    }
    return seen == f->a->keys && !(box_of(f, step) & f->a->keys);
}

typedef struct Reads {
    const Find *f;
    MgOpId op;
    bool late, any;
    uint32_t keyed; // how many reads depend on the keys
    uint64_t box[MG_ATTENTION_STEPS];
} Reads;

static void note_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    uint32_t number = step_read(r->f, r->op, x);
    if (number == UINT32_MAX)
        return;
    r->any = true;
    r->late |= r->f->late[number];
    r->keyed += (r->box[number] & r->f->a->keys) != 0;
}

// Does x read only steps that have one value for each row?
static bool of_rows(Find *f, const MgAttentionStep *step, const MgSx *x, const uint64_t *box) {
    Reads r = {.f = f, .op = step->op};
    memcpy(r.box, box, sizeof r.box);
    mg_sx_walk(x, note_read, &r);
    return !r.keyed && !(mentioned(f, step, x) & (f->a->keys | f->a->columns));
}

static bool may_round(MgDType from, MgDType to) {
    return mg_dtype(to)->bits == 16 || mg_dtype(to)->bits >= mg_dtype(from)->bits;
}

bool mg_attention_may_skip(const MgSx *x) {
    return x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST && mg_is_float(x->dtype) &&
           mg_is_float(x->args[0]->dtype) && may_round(x->args[0]->dtype, x->dtype);
}

// Does x compare the row's largest score with -inf? Where they are equal, the row sees no key.
static bool asks_for_keys(const Find *f, MgOpId op, const MgSx *x, MgPrim comparison) {
    uint32_t read = step_read(f, op, x);
    if (read != UINT32_MAX) {
        MgOpId row = f->a->steps[read].op;
        return f->a->steps[read].role == MG_ATTENTION_ROW &&
               asks_for_keys(f, row, piece_of(f, row)->expr, comparison);
    }
    return x->kind == MG_SX_PRIM && x->prim == comparison && f->a->max != UINT32_MAX &&
           step_read(f, op, x->args[0]) == f->a->max && x->args[1]->kind == MG_SX_CONST &&
           mg_bits_to_double(x->args[1]->dtype, x->args[1]->bits) == -INFINITY;
}

static const MgSx *linear(Find *f, const MgAttentionStep *step, const MgSx *x, const uint64_t *box);

// What linear returns for a choice between what it accepts and 0, which rows that see no key take.
static const MgSx *linear_or_zero(Find *f, const MgAttentionStep *step, const MgSx *x,
                                  const uint64_t *box) {
    for (uint32_t zero = 1; zero <= 2; zero++) {
        const MgSx *args[] = {x->args[0], x->args[1], x->args[2]};
        if (args[zero]->kind != MG_SX_CONST ||
            mg_bits_to_double(args[zero]->dtype, args[zero]->bits) != 0 ||
            !asks_for_keys(f, step->op, args[0], zero == 1 ? MG_PRIM_EQ : MG_PRIM_NE))
            continue;
        args[3 - zero] = linear(f, step, args[3 - zero], box);
        return args[3 - zero] ? mg_sx_prim(f->g->module, x->prim, x->dtype, args, 3) : NULL;
    }
    return NULL;
}

// Is x a read of a late step, multiplied or divided by values that depend on the row only, or 0 in
// rows that see no key? Returns it without roundings; NULL: it is not.
static const MgSx *linear(Find *f, const MgAttentionStep *step, const MgSx *x,
                          const uint64_t *box) {
    while (mg_attention_may_skip(x))
        x = x->args[0];
    if (x->kind != MG_SX_PRIM) {
        uint32_t read = step_read(f, step->op, x);
        return read != UINT32_MAX && f->late[read] && (box[read] & f->a->keys) ? x : NULL;
    }
    if (x->prim == MG_PRIM_WHERE)
        return linear_or_zero(f, step, x, box);
    if (x->prim != MG_PRIM_MUL && x->prim != MG_PRIM_DIV)
        return NULL;
    uint32_t at = x->prim == MG_PRIM_MUL && of_rows(f, step, x->args[0], box) ? 1 : 0;
    if (!of_rows(f, step, x->args[1 - at], box))
        return NULL;
    const MgSx *args[] = {x->args[0], x->args[1]};
    args[at] = linear(f, step, x->args[at], box);
    return args[at] ? mg_sx_prim(f->g->module, x->prim, x->dtype, args, 2) : NULL;
}

// exp(score - shift), in one equation or in two. In two, the argument's equation has a role as
// well.
static bool is_exponential(Find *f, uint32_t s, const uint64_t *box) {
    MgAttention *a = f->a;
    const MgSx *x = piece_of(f, a->steps[s].op)->expr;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_EXP)
        return false;
    x = x->args[0];
    uint32_t argument = s, read = step_read(f, a->steps[s].op, x);
    if (read != UINT32_MAX) {
        argument = read;
        x = piece_of(f, a->steps[argument].op)->expr;
    }
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_SUB ||
        piece_of(f, a->steps[argument].op)->reducer != MG_REDUCE_NONE ||
        !of_rows(f, &a->steps[argument], x->args[1], box))
        return false;
    a->score = x->args[0];
    a->shift = x->args[1];
    a->argument = argument;
    if (argument != s)
        a->steps[argument].role = MG_ATTENTION_SHIFT;
    return true;
}

static bool set_once(uint32_t *step, uint32_t s) {
    bool first = *step == UINT32_MAX;
    *step = s;
    return first;
}

// Gives step s its role. False if it has none.
static bool cast_step(Find *f, uint32_t s, const uint64_t *box) {
    MgAttention *a = f->a;
    MgAttentionStep *step = &a->steps[s];
    const MgPiece *p = piece_of(f, step->op);
    if (s == a->scores || s == a->values) {
        step->role = s == a->scores ? MG_ATTENTION_SCORES : MG_ATTENTION_VALUES;
        return true;
    }
    Reads r = {.f = f, .op = step->op};
    memcpy(r.box, box, sizeof r.box);
    mg_sx_walk(p->expr, note_read, &r);
    f->late[s] = r.late;
    if (p->reducer == MG_REDUCE_MAX) {
        step->role = MG_ATTENTION_MAX;
        return set_once(&a->max, s) && !r.late && reduces_keys(f, step);
    }
    if (p->reducer == MG_REDUCE_SUM) {
        step->role = MG_ATTENTION_SUM;
        return set_once(&a->sum, s) && a->exp != UINT32_MAX && reduces_keys(f, step) &&
               step_read(f, step->op, p->expr) == a->exp;
    }
    if (!(box[s] & a->keys)) {
        step->role = MG_ATTENTION_ROW;
        return !r.keyed;
    }
    MgDType stored = mg_value(f->g, mg_op(f->g, step->op)->results[0])->dtype;
    if (r.late) {
        step->role = MG_ATTENTION_WEIGHT;
        step->weight = linear(f, step, p->expr, box);
        return step->weight && may_round(p->expr->dtype, stored);
    }
    if (is_exponential(f, s, box)) {
        step->role = MG_ATTENTION_EXP;
        f->late[s] = true;
        return set_once(&a->exp, s) && may_round(p->expr->dtype, stored);
    }
    step->role = MG_ATTENTION_SCORE;
    return true;
}

// Before the exponential, the only row value is the maximum, and only the argument reads it.
static bool reads_in_order(Find *f) {
    MgAttention *a = f->a;
    MgOpId argument = a->steps[a->argument].op, max = a->steps[a->max].op;
    uint32_t score = step_read(f, argument, a->score);
    if (score == UINT32_MAX || step_read(f, max, piece_of(f, max)->expr) != score)
        return false;
    for (uint32_t s = 0; s < a->n_steps; s++) {
        const MgOp *op = mg_op(f->g, a->steps[s].op);
        for (uint32_t i = 0; i < op->n_operands; i++) {
            uint32_t read = step_of(f, op->operands[i]);
            MgAttentionRole role = read == UINT32_MAX ? MG_ATTENTION_SCORES : a->steps[read].role;
            bool row = role == MG_ATTENTION_MAX || role == MG_ATTENTION_ROW;
            if (a->steps[s].role == MG_ATTENTION_SCORE && row)
                return false;
            if (role == MG_ATTENTION_SHIFT && s != a->exp)
                return false;
        }
    }
    return true;
}

static bool cast_steps(Find *f) {
    MgAttention *a = f->a;
    uint64_t box[MG_ATTENTION_STEPS] = {0};
    const MgPiece *last = piece_of(f, a->steps[a->values].op);
    for (uint32_t k = last->n_free; k < last->n_indices; k++)
        a->keys |= UINT64_C(1) << k;
    for (uint32_t s = 0; s < a->n_steps; s++)
        box[s] = box_of(f, &a->steps[s]);
    a->max = a->exp = a->sum = UINT32_MAX;
    for (uint32_t s = 0; s < a->n_steps; s++)
        if (!cast_step(f, s, box))
            return false;
    if (a->max == UINT32_MAX || a->exp == UINT32_MAX || a->sum == UINT32_MAX)
        return false;
    MgAttentionStep *values = &a->steps[a->values];
    values->weight = linear(f, values, a->weight, box);
    return values->weight && reads_in_order(f);
}

// ---------------------------------------------------------------- classes of symbols
static bool classify(Find *f) {
    MgAttention *a = f->a;
    const MgAttentionStep *first = &a->steps[a->scores], *last = &a->steps[a->values];
    const MgPiece *p = piece_of(f, first->op), *end = piece_of(f, last->op);
    a->q = p->expr->args[0];
    a->k = p->expr->args[1];
    if (mentioned(f, first, a->q) & a->keys) {
        a->q = p->expr->args[1];
        a->k = p->expr->args[0];
    }
    uint64_t box = box_of(f, first), q = mentioned(f, first, a->q), k = mentioned(f, first, a->k);
    uint64_t v = mentioned(f, last, a->v);
    if ((q & a->keys) || (box & a->keys) != a->keys || !(k & a->keys))
        return false;
    for (uint32_t i = 0; i < end->n_free; i++) {
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

static bool one_type(Find *f) {
    MgAttention *a = f->a;
    a->type = piece_of(f, a->steps[a->values].op)->expr->dtype;
    bool same = a->type == MG_F32 || a->type == MG_F64;
    const uint32_t steps[] = {a->scores, a->max, a->exp, a->sum};
    for (uint32_t i = 0; i < 4; i++)
        same &= piece_of(f, a->steps[steps[i]].op)->expr->dtype == a->type;
    return same && a->score->dtype == a->type && a->weight->dtype == a->type;
}

// Are only the last value and values of rows used outside?
static bool is_closed(Find *f, const uint32_t *uses) {
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

typedef struct Weights {
    Find *f;
    MgOpId op;
    bool any;
} Weights;

static void collect_read(void *ctx, const MgSx *x) {
    Weights *w = ctx;
    if (x->kind == MG_SX_READ)
        w->any |=
            collect(w->f, mg_value(w->f->g, mg_op(w->f->g, w->op)->operands[x->operand])->def);
}

static bool find_with(Find *f, MgOpId id, uint32_t factor) {
    MgAttention *a = f->a;
    const MgSx *x = piece_of(f, id)->expr;
    *a = (MgAttention){.weight = x->args[factor], .v = x->args[1 - factor]};
    f->n_visited = 0;
    f->scores = MG_NONE;
    memset(f->known, 0, sizeof f->known);
    memset(f->late, 0, sizeof f->late);
    f->visited[f->n_visited] = id; // values don't depend on their own weights
    f->inside[f->n_visited++] = false;
    Weights w = {f, id, false};
    mg_sx_walk(a->weight, collect_read, &w);
    if (!w.any || !add_step(f, id))
        return false;
    a->values = a->n_steps - 1;
    a->scores = UINT32_MAX;
    for (uint32_t s = 0; s < a->values; s++)
        if (a->steps[s].op == f->scores)
            a->scores = s;
    for (uint32_t k = 0; k < MG_ATTENTION_SYMBOLS; k++) {
        f->zeros[k] = mg_ix_const(f->t, 0);
        a->steps[a->values].with[k] = mg_ix_idx(f->t, k);
    }
    return a->scores != UINT32_MAX && place_steps(f) && cast_steps(f) && classify(f);
}

bool mg_attention_find(MgGraph *g, MgOpId op, const uint32_t *uses, MgAttention *a,
                       const char **why) {
    Find f = {.g = g, .t = g->module->ix, .region = mg_op(g, op)->region, .a = a};
    *why = NULL;
    if (!is_simple(&f, op) || !mg_piece_sums_products(piece_of(&f, op)))
        return false;
    if (!find_with(&f, op, 0) && !find_with(&f, op, 1)) {
        f.single = true;
        if (!find_with(&f, op, 0) && !find_with(&f, op, 1))
            return false;
    }
    if (!one_type(&f))
        *why = "attention is computed in one type, f32 or f64";
    else if (uses && !is_closed(&f, uses))
        *why = "attention keeps no scores, but another op reads them";
    return !*why;
}
