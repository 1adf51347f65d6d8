// Facts about dimensions: proofs, requirements, and predicates over them.
//
// A predicate is one expression that must be >= 0 (MgRequire): `and` is min, `or` is max, and `not
// p` is -p - 1. A predicate that can be neither proved nor refuted at compile time becomes a
// requirement of the graph, which is checked when its dimensions are bound, and a fact for every
// later proof.
#include "frontend/sema_internal.h"

#include "ir/equation.h"

// If x is linear in the trip numbers of enclosing loops, replaces these by the ends of their
// ranges.
static MgProof prove_in_loops(MgSema *s, MgIx x, const MgIxRanges *ranges, const MgCounter *k) {
    MgProof p = mg_ix_nonnegative(s->ix, x, ranges, s->facts.at, s->facts.len);
    if (p != MG_UNKNOWN)
        return p;
    for (; k; k = k->outer) {
        MgIx coefficient, rest;
        if (!mg_ix_mentions(s->ix, x, k->sym) ||
            !mg_ix_linear(s->ix, x, k->sym, &coefficient, &rest))
            continue;
        bool up =
            mg_ix_nonnegative(s->ix, coefficient, ranges, s->facts.at, s->facts.len) == MG_PROVED;
        MgIx end = k->low;
        if (!up) {
            if (!k->bounded)
                continue;
            end = mg_ix_sub(s->ix, k->high, mg_ix_const(s->ix, 1));
        }
        return prove_in_loops(s, mg_ix_add(s->ix, mg_ix_mul(s->ix, coefficient, end), rest), ranges,
                              k->outer) == MG_PROVED
                   ? MG_PROVED
                   : MG_UNKNOWN;
    }
    return MG_UNKNOWN;
}

MgProof mg_prove(MgSema *s, MgIx nonnegative, const MgIxRanges *ranges) {
    int64_t c;
    if (nonnegative == MG_IX_ERROR)
        return MG_UNKNOWN;
    if (mg_ix_is_const(s->ix, nonnegative, &c))
        return c >= 0 ? MG_PROVED : MG_REFUTED;
    return prove_in_loops(s, nonnegative, ranges, s->counters);
}

MgProof mg_same(MgSema *s, MgIx a, MgIx b) {
    if (a == b)
        return MG_PROVED;
    MgIx d = mg_ix_sub(s->ix, a, b);
    int64_t c;
    if (mg_ix_is_const(s->ix, d, &c))
        return c == 0 ? MG_PROVED : MG_REFUTED;
    MgProof up = mg_prove(s, d, NULL), down = mg_prove(s, mg_ix_neg(s->ix, d), NULL);
    if (up == MG_PROVED && down == MG_PROVED)
        return MG_PROVED;
    return up == MG_REFUTED || down == MG_REFUTED ? MG_REFUTED : MG_UNKNOWN;
}

// Is it a name or a number? Two different ones are never equated silently.
bool mg_simple_dim(MgSema *s, MgIx a) {
    int64_t c;
    MgIxSym sym;
    return mg_ix_is_const(s->ix, a, &c) || mg_ix_is_sym(s->ix, a, &sym);
}

// Can nonnegative only hold if a dimension is 0?
static bool only_if_empty(MgSema *s, MgIx nonnegative) {
    MgIxSym *syms;
    MgIx one = mg_ix_const(s->ix, 1);
    uint32_t n = mg_ix_symbols(s->ix, nonnegative, s->arena, &syms), kept = s->facts.len;
    for (uint32_t i = 0; i < n; i++)
        mg_push(s->arena, &s->facts, mg_ix_sub(s->ix, mg_ix_sym(s->ix, syms[i]), one));
    MgIx never = mg_ix_sub(s->ix, mg_ix_neg(s->ix, nonnegative), one);
    bool refuted = mg_prove(s, never, NULL) == MG_PROVED;
    s->facts.len = kept;
    return refuted;
}

bool mg_equate(MgEnv *env, MgSpan span, MgIx a, MgIx b) {
    MgRequire *made;
    return mg_equate_or_require(env, span, a, b, &made);
}

bool mg_equate_or_require(MgEnv *env, MgSpan span, MgIx a, MgIx b, MgRequire **made) {
    MgSema *s = env->s;
    *made = NULL;
    MgProof p = mg_same(s, a, b);
    if (p != MG_UNKNOWN)
        return p == MG_PROVED;
    if (a == MG_IX_ERROR || b == MG_IX_ERROR)
        return true; // the error was reported where it arose
    if (mg_simple_dim(s, a) && mg_simple_dim(s, b)) {
        s->unequal[0] = a;
        s->unequal[1] = b;
        return false;
    }
    MgIx d = mg_ix_sub(s->ix, a, b), e = mg_ix_neg(s->ix, d);
    if (only_if_empty(s, d) || only_if_empty(s, e))
        return false;
    *made = mg_record_require(env, span, mg_ix_min(s->ix, d, e), 0);
    mg_assume(s, d);
    mg_assume(s, e);
    return true;
}

// ---------------------------------------------------------------- predicates
static MgVal pred(MgSema *s, MgIx ix, MgIx part, MgIx other_part, const MgSx *written) {
    MgVal *list = MG_NEW_N(s->arena, MgVal, 2);
    list[0] = mg_val_ix(part);
    list[1] = mg_val_ix(other_part);
    return (MgVal){
        .kind = MG_V_PRED, .ix = ix, .list = list, .n = other_part ? 2 : 1, .written = written};
}

static const MgSx *written(MgSema *s, MgPrim prim, const MgSx *a, const MgSx *b) {
    return mg_sx_prim(s->module, prim, MG_BOOL, (const MgSx *[]){a, b}, b ? 2 : 1);
}

static bool compare_numbers(MgPrim prim, int64_t a, int64_t b) {
    MgBits bits[] = {mg_bits_from_int(MG_I64, a), mg_bits_from_int(MG_I64, b)};
    return mg_prim_eval(prim, MG_I64, MG_BOOL, bits) != 0;
}

MgVal mg_compare_ix(MgSema *s, MgPrim prim, MgIx a, MgIx b) {
    MgIxTable *t = s->ix;
    int64_t x, y;
    if (mg_ix_is_const(t, a, &x) && mg_ix_is_const(t, b, &y)) // their difference may overflow
        return mg_val_bool(compare_numbers(prim, x, y));
    MgIx d = mg_ix_sub(t, a, b), e = mg_ix_neg(t, d), one = mg_ix_const(t, 1);
    MgIx ix, part, other = 0;
    const MgSx *whole =
        written(s, prim, mg_sx_ix(s->module, MG_I64, a), mg_sx_ix(s->module, MG_I64, b));
    switch (prim) {
    case MG_PRIM_LT:
        ix = part = mg_ix_sub(t, e, one);
        break;
    case MG_PRIM_LE:
        ix = part = e;
        break;
    case MG_PRIM_GT:
        ix = part = mg_ix_sub(t, d, one);
        break;
    case MG_PRIM_GE:
        ix = part = d;
        break;
    case MG_PRIM_EQ:
        ix = mg_ix_min(t, d, e), part = d, other = e;
        break;
    default:
        ix = part = mg_ix_sub(t, mg_ix_max(t, d, e), one);
        break;
    }
    if (ix == MG_IX_ERROR || d == MG_IX_ERROR || e == MG_IX_ERROR)
        return pred(s, MG_IX_ERROR, ix, 0, whole);
    MgProof p = prim == MG_PRIM_EQ ? mg_same(s, a, b) : mg_prove(s, ix, NULL);
    if (prim == MG_PRIM_NE && p == MG_UNKNOWN && mg_same(s, a, b) == MG_PROVED)
        p = MG_REFUTED;
    if (p != MG_UNKNOWN)
        return mg_val_bool(p == MG_PROVED);
    return pred(s, ix, part, other, whole);
}

MgVal mg_pred_and(MgSema *s, MgVal a, MgVal b) {
    if (a.kind == MG_V_BOOL)
        return a.b ? b : a;
    if (b.kind == MG_V_BOOL)
        return b.b ? a : b;
    MgVal *list = MG_NEW_N(s->arena, MgVal, a.n + b.n);
    memcpy(list, a.list, a.n * sizeof *list);
    memcpy(list + a.n, b.list, b.n * sizeof *list);
    return (MgVal){.kind = MG_V_PRED,
                   .ix = mg_ix_min(s->ix, a.ix, b.ix),
                   .list = list,
                   .n = a.n + b.n,
                   .written = written(s, MG_PRIM_AND, a.written, b.written)};
}

MgVal mg_pred_or(MgSema *s, MgVal a, MgVal b) {
    if (a.kind == MG_V_BOOL)
        return a.b ? a : b;
    if (b.kind == MG_V_BOOL)
        return b.b ? b : a;
    MgIx ix = mg_ix_max(s->ix, a.ix, b.ix);
    return pred(s, ix, ix, 0, written(s, MG_PRIM_OR, a.written, b.written));
}

MgVal mg_pred_not(MgSema *s, MgVal a) {
    if (a.kind == MG_V_BOOL)
        return mg_val_bool(!a.b);
    MgIx ix = mg_ix_sub(s->ix, mg_ix_neg(s->ix, a.ix), mg_ix_const(s->ix, 1));
    return pred(s, ix, ix, 0, written(s, MG_PRIM_NOT, a.written, NULL));
}

// ---------------------------------------------------------------- requirements
void mg_assume(MgSema *s, MgIx nonnegative) {
    for (uint32_t i = 0; i < s->facts.len; i++)
        if (s->facts.at[i] == nonnegative)
            return;
    mg_push(s->arena, &s->facts, nonnegative);
}

static bool is_late(MgSema *s, MgIx x) {
    for (uint32_t i = 0; i < s->late.len; i++)
        if (mg_ix_mentions(s->ix, x, s->late.at[i]))
            return true;
    for (MgCounter *k = s->counters; k; k = k->outer)
        if (mg_ix_mentions(s->ix, x, k->sym))
            return true;
    return false;
}

static const char *without_braces(MgSema *s, MgSym message) {
    char *copy = mg_arena_copy(s->arena, mg_sym_text(s, message),
                               strlen(mg_sym_text(s, message)) + 1, 1),
         *to = copy;
    for (const char *c = copy; *c; c++)
        if (*c != '{' && *c != '}')
            *to++ = *c;
    *to = 0;
    return copy;
}

MgIx mg_unproved(MgSema *s, MgIx p) {
    bool both;
    MgIx a, b;
    if (!mg_ix_is_choice(s->ix, p, &both, &a, &b) || !both)
        return p;
    a = mg_unproved(s, a);
    b = mg_unproved(s, b);
    return mg_prove(s, a, NULL) == MG_PROVED   ? b
           : mg_prove(s, b, NULL) == MG_PROVED ? a
                                               : mg_ix_min(s->ix, a, b);
}

MgRequire *mg_record_require(MgEnv *env, MgSpan span, MgIx nonnegative, MgSym message) {
    MgSema *s = env->s;
    MgRequire r = {
        .nonnegative = nonnegative, .message = message, .origin = mg_env_origin(env, span)};
    if (nonnegative == MG_IX_ERROR) {
        mg_lost(env, span, "what must hold here");
        return NULL;
    }
    if (is_late(s, nonnegative)) {
        MgOpId op = mg_op_new(s->g, env->region, MG_OP_REQUIRE, NULL, 0, r.origin);
        mg_op(s->g, op)->require = r;
        return &mg_op(s->g, op)->require;
    }
    if (mg_map_find(&s->requires, nonnegative))
        return NULL;
    mg_map_put(&s->requires, nonnegative, 1);
    mg_push(s->module->arena, &s->g->requires, r);
    return &s->g->requires.at[s->g->requires.len - 1];
}

bool mg_require(MgEnv *env, MgSpan span, const MgVal *p, MgSym message) {
    MgSema *s = env->s;
    if (p->kind == MG_V_POISON)
        return false;
    if (p->kind != MG_V_BOOL && p->kind != MG_V_PRED) {
        MG_FAIL(env, span, expected_condition, mg_val_text(s, p));
        return false;
    }
    MgProof proof =
        p->kind == MG_V_BOOL ? (p->b ? MG_PROVED : MG_REFUTED) : mg_prove(s, p->ix, NULL);
    if (proof == MG_PROVED)
        return true;
    for (uint32_t i = 0; proof == MG_UNKNOWN && i < p->n; i++)
        if (only_if_empty(s, p->list[i].ix))
            proof = MG_REFUTED;
    if (message)
        message = mg_interpolate(env, message);
    if (proof == MG_REFUTED) {
        MG_FAIL(env, span, require_refuted,
                message ? without_braces(s, message) : "it never holds");
        return false;
    }
    mg_record_require(env, span, p->ix, message);
    for (uint32_t i = 0; i < p->n; i++)
        mg_assume(s, p->list[i].ix);
    return true;
}

typedef struct Reads {
    MgGraph *g;
    const MgOp *op;
    MgIxRanges ranges;
    MgIx *facts;
    uint32_t n_facts;
} Reads;

static const MgSx *prove_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    MgModule *m = r->g->module;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_ELSE ||
        mg_read_inside(r->g, r->op, x, &r->ranges, r->facts, r->n_facts) != MG_PROVED)
        return x;
    return mg_sx_read(m, x->operand, x->dtype, x->args, x->n_args, MG_BOUNDS_PROVED, NULL);
}

void mg_prove_reads(MgSema *s) {
    Reads r = {.g = s->g};
    r.n_facts = mg_graph_facts(s->g, s->arena, &r.facts);
    for (MgOpId id = 1; r.n_facts && id < s->g->ops.len; id++) {
        r.op = mg_op(s->g, id);
        for (uint32_t i = 0; r.op->kind == MG_OP_EQUATION && i < r.op->equation->n_pieces; i++) {
            MgPiece *p = &r.op->equation->pieces[i];
            r.ranges = mg_piece_ranges(p, s->arena);
            p->expr = mg_sx_rewrite(s->module, p->expr, prove_read, &r);
        }
    }
}
