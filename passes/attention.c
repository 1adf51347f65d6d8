// Finds attention; see attention.h. The steps between the two contractions are known
// (attention_steps.h); each step's role is found here.
#include "passes/attention_steps.h"

#include <math.h>

// ---------------------------------------------------------------- roles
// Are the step's bound indices exactly the keys, each used once?
static bool reduces_keys(MgSearch *f, const MgAttentionStep *step) {
    const MgPiece *p = mg_search_piece(f, step->op);
    uint64_t seen = 0;
    for (uint32_t k = p->n_free; k < p->n_indices; k++) {
        MgIxSym sym;
        uint64_t one = mg_search_symbols(f, step->with[k]);
        if (!mg_ix_is_sym(f->t, step->with[k], &sym) || (seen & one))
            return false;
        seen |= one;
    }
    return seen == f->a->keys && !(mg_search_box(f, step) & f->a->keys);
}

typedef struct Reads {
    const MgSearch *f;
    MgOpId op;
    bool late, any;
    uint32_t keyed; // how many reads depend on the keys
    uint64_t box[MG_ATTENTION_STEPS];
} Reads;

static void note_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    uint32_t number = mg_search_read(r->f, r->op, x);
    if (number == UINT32_MAX)
        return;
    r->any = true;
    r->late |= r->f->late[number];
    r->keyed += (r->box[number] & r->f->a->keys) != 0;
}

// Does x read only steps that have one value for each row?
static bool of_rows(MgSearch *f, const MgAttentionStep *step, const MgSx *x, const uint64_t *box) {
    Reads r = {.f = f, .op = step->op};
    memcpy(r.box, box, sizeof r.box);
    mg_sx_walk(x, note_read, &r);
    return !r.keyed && !(mg_search_mentioned(f, step, x) & (f->a->keys | f->a->columns));
}

static bool may_round(MgDType from, MgDType to) {
    return mg_dtype(to)->bits == 16 || mg_dtype(to)->bits >= mg_dtype(from)->bits;
}

bool mg_attention_may_skip(const MgSx *x) {
    return x->kind == MG_SX_PRIM && x->prim == MG_PRIM_CAST && mg_is_float(x->dtype) &&
           mg_is_float(x->args[0]->dtype) && may_round(x->args[0]->dtype, x->dtype);
}

const MgSx *mg_attention_unrounded(const MgSx *x) {
    const MgSx *found = x;
    for (; mg_attention_may_skip(x); x = x->args[0])
        found = x->args[0]->dtype == found->dtype ? x->args[0] : found;
    return found;
}

// ---------------------------------------------------------------- weights
typedef struct Weights { // of a step
    MgSearch *f;
    const MgAttentionStep *step;
    const uint64_t *box;
    const MgSx *gain; // the factor found so far; NULL: 1
} Weights;

// May x be a gain, or a part of one? It reads no step.
static bool is_early(const Weights *w, const MgSx *x) {
    Reads r = {.f = w->f, .op = w->step->op};
    mg_sx_walk(x, note_read, &r);
    return !r.any;
}

static const MgSx *linear(Weights *w, const MgSx *x);

// What linear returns for a choice between what it accepts and 0. Rows that see no key choose so,
// and gains do.
static const MgSx *linear_or_zero(Weights *w, const MgSx *x) {
    MgModule *m = w->f->g->module;
    uint32_t zero = mg_sx_is_number(x->args[1], 0) ? 1 : 2;
    const MgSx *args[] = {x->args[0], x->args[1], x->args[2]};
    args[3 - zero] = mg_sx_is_number(args[zero], 0) ? linear(w, args[3 - zero]) : NULL;
    if (!args[3 - zero])
        return NULL;
    if (of_rows(w->f, w->step, args[0], w->box))
        return mg_sx_prim(m, x->prim, x->dtype, args, 3);
    if (!is_early(w, args[0]))
        return NULL;
    const MgSx *kept = args[3 - zero];
    args[3 - zero] = w->gain ? w->gain : mg_sx_double(m, x->dtype, 1);
    w->gain = mg_sx_prim(m, x->prim, x->dtype, args, 3);
    return kept;
}

// Is x a read of a late step, multiplied or divided by values that depend on the row only, or 0 in
// some rows? Returns it without roundings and gains; NULL: it is not.
static const MgSx *linear(Weights *w, const MgSx *x) {
    MgSearch *f = w->f;
    while (mg_attention_may_skip(x))
        x = x->args[0];
    if (x->kind != MG_SX_PRIM) {
        uint32_t read = mg_search_read(f, w->step->op, x);
        return read != UINT32_MAX && f->late[read] && (w->box[read] & f->a->keys) ? x : NULL;
    }
    if (x->prim == MG_PRIM_WHERE)
        return linear_or_zero(w, x);
    if (x->prim != MG_PRIM_MUL && x->prim != MG_PRIM_DIV)
        return NULL;
    bool swapped = x->prim == MG_PRIM_MUL &&
                   (of_rows(f, w->step, x->args[0], w->box) || is_early(w, x->args[0]));
    const MgSx *args[] = {x->args[0], x->args[1]}, *factor = x->args[!swapped];
    args[swapped] = linear(w, x->args[swapped]);
    if (!args[swapped])
        return NULL;
    if (of_rows(f, w->step, factor, w->box))
        return mg_sx_prim(f->g->module, x->prim, x->dtype, args, 2);
    if (!is_early(w, factor))
        return NULL;
    const MgSx *gains[] = {w->gain ? w->gain : mg_sx_double(f->g->module, x->dtype, 1), factor};
    w->gain = mg_sx_prim(f->g->module, x->prim, x->dtype, gains, 2);
    return args[swapped];
}

// Splits x, an expression of the step, into its weight and its gain. False if it is none.
static bool split_weight(MgSearch *f, MgAttentionStep *step, const MgSx *x, const uint64_t *box) {
    Weights w = {.f = f, .step = step, .box = box};
    step->weight = linear(&w, x);
    step->gain = w.gain;
    return step->weight;
}

bool mg_attention_gains(const MgAttention *a) {
    bool any = false;
    for (uint32_t s = 0; s < a->n_steps; s++)
        any |= a->steps[s].gain != NULL;
    return any;
}

static bool is_finite(const MgSx *x) {
    if (x->kind == MG_SX_CONST)
        return isfinite(mg_bits_to_double(x->dtype, x->bits));
    if (x->kind != MG_SX_PRIM)
        return false;
    switch (x->prim) {
    case MG_PRIM_CAST:
        return !mg_is_float(x->args[0]->dtype) && mg_dtype(x->dtype)->bits >= 32;
    case MG_PRIM_WHERE:
        return is_finite(x->args[1]) && is_finite(x->args[2]);
    case MG_PRIM_MUL: // 0 is multiplied by both in turn
        return is_finite(x->args[0]) && is_finite(x->args[1]);
    default:
        return false;
    }
}

// A choice of 0 and 1?
static bool only_drops(const MgSx *x) {
    if (x->kind == MG_SX_CONST) {
        double v = mg_bits_to_double(x->dtype, x->bits);
        return v == 0 || v == 1;
    }
    return x->kind == MG_SX_PRIM &&
           ((x->prim == MG_PRIM_WHERE && only_drops(x->args[1]) && only_drops(x->args[2])) ||
            (x->prim == MG_PRIM_MUL && only_drops(x->args[0]) && only_drops(x->args[1])) ||
            (x->prim == MG_PRIM_CAST && x->args[0]->dtype == MG_BOOL));
}

bool mg_attention_gains_are_finite(const MgAttention *a) {
    bool all = true;
    for (uint32_t s = 0; s < a->n_steps; s++)
        all &= !a->steps[s].gain || is_finite(a->steps[s].gain);
    return all;
}

bool mg_attention_only_drops(const MgAttention *a) {
    bool all = true;
    for (uint32_t s = 0; s < a->n_steps; s++)
        all &= !a->steps[s].gain || only_drops(a->steps[s].gain);
    return all;
}

// ---------------------------------------------------------------- steps
// exp(score - shift), in one equation or in two. In two, the argument's equation has a role as
// well.
static bool is_exponential(MgSearch *f, uint32_t s, const uint64_t *box) {
    MgAttention *a = f->a;
    const MgSx *x = mg_search_piece(f, a->steps[s].op)->expr;
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_EXP)
        return false;
    x = x->args[0];
    uint32_t argument = s, read = mg_search_read(f, a->steps[s].op, x);
    if (read != UINT32_MAX) {
        argument = read;
        x = mg_search_piece(f, a->steps[argument].op)->expr;
    }
    if (x->kind != MG_SX_PRIM || x->prim != MG_PRIM_SUB ||
        mg_search_piece(f, a->steps[argument].op)->reducer != MG_REDUCE_NONE ||
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
static bool cast_step(MgSearch *f, uint32_t s, const uint64_t *box) {
    MgAttention *a = f->a;
    MgAttentionStep *step = &a->steps[s];
    const MgPiece *p = mg_search_piece(f, step->op);
    if (s == a->products[0].step || s == a->values) {
        step->role = s == a->values ? MG_ATTENTION_VALUES : MG_ATTENTION_SCORES;
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
               mg_search_read(f, step->op, p->expr) == a->exp;
    }
    if (!(box[s] & a->keys)) {
        step->role = MG_ATTENTION_ROW;
        return !r.keyed;
    }
    MgDType stored = mg_value(f->g, mg_op(f->g, step->op)->results[0])->dtype;
    if (r.late) {
        step->role = MG_ATTENTION_WEIGHT;
        return split_weight(f, step, p->expr, box) && may_round(p->expr->dtype, stored);
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
static bool reads_in_order(MgSearch *f) {
    MgAttention *a = f->a;
    MgOpId argument = a->steps[a->argument].op, max = a->steps[a->max].op;
    uint32_t score = mg_search_read(f, argument, a->score);
    if (score == UINT32_MAX || mg_search_read(f, max, mg_search_piece(f, max)->expr) != score)
        return false;
    for (uint32_t s = 0; s < a->n_steps; s++) {
        const MgOp *op = mg_op(f->g, a->steps[s].op);
        for (uint32_t i = 0; i < op->n_operands; i++) {
            uint32_t read = mg_search_step(f, op->operands[i]);
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

static bool cast_steps(MgSearch *f) {
    MgAttention *a = f->a;
    uint64_t box[MG_ATTENTION_STEPS] = {0};
    for (uint32_t s = 0; s < a->n_steps; s++)
        box[s] = mg_search_box(f, &a->steps[s]);
    a->max = a->exp = a->sum = UINT32_MAX;
    for (uint32_t s = 0; s < a->n_steps; s++)
        if (!cast_step(f, s, box))
            return false;
    if (a->max == UINT32_MAX || a->exp == UINT32_MAX || a->sum == UINT32_MAX)
        return false;
    MgAttentionStep *values = &a->steps[a->values];
    return split_weight(f, values, a->weight, box) && reads_in_order(f);
}

static bool one_type(MgSearch *f) {
    MgAttention *a = f->a;
    a->type = mg_search_piece(f, a->steps[a->values].op)->expr->dtype;
    bool same = a->type == MG_F32 || a->type == MG_F64;
    const uint32_t steps[] = {a->products[0].step, a->max, a->exp, a->sum};
    for (uint32_t i = 0; i < 4; i++)
        same &= mg_search_piece(f, a->steps[steps[i]].op)->expr->dtype == a->type;
    return same && a->score->dtype == a->type && a->weight->dtype == a->type;
}

// Do weights depend on the row and the key only?
static bool spares_columns(MgSearch *f) {
    uint64_t seen = 0;
    for (uint32_t s = 0; s < f->a->n_steps; s++) {
        const MgAttentionStep *step = &f->a->steps[s];
        seen |= step->weight ? mg_search_mentioned(f, step, step->weight) : 0;
        seen |= step->gain ? mg_search_mentioned(f, step, step->gain) : 0;
    }
    return !(seen & f->a->columns);
}

static bool find_with(MgSearch *f, MgOpId id, uint32_t factor) {
    memset(f->late, 0, sizeof f->late);
    return mg_search_steps(f, id, factor) && cast_steps(f) && mg_search_classes(f) &&
           spares_columns(f);
}

bool mg_attention_find(MgGraph *g, MgOpId op, const uint32_t *uses, MgAttention *a,
                       const char **why) {
    MgSearch f = mg_search_begin(g, op, a);
    f.softmax = true;
    *why = NULL;
    if (!mg_search_is_last(&f, op))
        return false;
    if (!find_with(&f, op, 0) && !find_with(&f, op, 1)) {
        f.single = true;
        if (!find_with(&f, op, 0) && !find_with(&f, op, 1))
            return false;
    }
    if (!one_type(&f))
        *why = "attention is computed in one type, f32 or f64";
    else if (uses && !mg_search_is_closed(&f, uses))
        *why = "attention keeps no scores, but another op reads them";
    return !*why;
}
