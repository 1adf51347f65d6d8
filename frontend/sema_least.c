// A lower bound on the number of statements that a body makes, found before any of them is made.
//
// Calls are instantiated, so 24 operators that each call the next one twice make 2^24 bodies. The
// limit on statements would stop that too, but only after a million of them. The tree gives a lower
// bound at once: the calls that happen whatever the operands are, times the trip counts of loops.
// Integers that calls give as attributes are known (sema_early.h), so each item is walked once for
// each set of them. A part that depends on anything else counts as nothing, and of two branches the
// smaller one counts.
#include "frontend/sema_early.h"

enum {
    MOST_NESTED = 4000,   // as deep as sema evaluates; deeper parts count as nothing
    MOST_TRIPS = 64,      // trips that are walked separately
    MOST_WALKED = 100000, // statements; after these, attributes count as unknown
};

typedef struct Body {
    uint64_t statements;
    uint64_t largest; // the most statements that any one of the body's own makes
    MgSpan largest_at;
    const struct Body *worst; // the callee that contributes most
    uint64_t worst_share;
    MgSpan worst_at;
    const MgAstItem *item; // the item, and the values of its parameters
    const MgEarly *values;
} Body;

typedef struct Least {
    MgSema *s;
    MgMap bodies; // hash -> Body *; the body is empty while its item is being walked
    uint32_t depth, walked;
} Least;

typedef struct Walk {
    Least *least;
    MgSourceUnit *unit;
    MgMap layers; // in this item: name of a `param` -> the call that gives its layer
    MgEarlyNames names;
    Body *body;
} Walk;

static Body *body_of(Least *l, MgSourceUnit *unit, const MgAstItem *item, const MgEarly *values);
static uint64_t block(Walk *w, const MgAstBlock *b);
static uint64_t expr(Walk *w, const MgAstExpr *e);

static uint64_t plus(uint64_t a, uint64_t b) {
    return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

static bool may_walk(const Least *l) {
    return l->walked < MOST_WALKED;
}

static bool same_values(const MgEarly *a, const MgEarly *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!mg_early_same(&a[i], &b[i]))
            return false;
    return true;
}

static uint64_t times(uint64_t a, uint64_t b) {
    return __builtin_mul_overflow(a, b, &a) ? UINT64_MAX : a;
}

static uint64_t call(Walk *w, const MgAstExpr *e) {
    uint64_t n = 0;
    MgEnv env = {.s = w->least->s, .unit = w->unit};
    MgCallee callee;
    for (uint32_t i = 0; i < e->call.args.len; i++)
        n = plus(n, expr(w, e->call.args.at[i].value));
    const MgAstExpr *layer =
        (const MgAstExpr *)(uintptr_t)mg_map_get(&w->layers, e->call.name.sym, 0);
    if (!mg_find_item(&env, layer ? layer->call.name.sym : e->call.name.sym, &callee))
        return n;
    const MgEarly *values = mg_early_arguments(&w->names, layer ? layer : e, callee.item);
    const Body *made = body_of(w->least, callee.unit, callee.item, values);
    uint64_t own = made->statements;
    if (own > w->body->worst_share) {
        w->body->worst = made;
        w->body->worst_share = own;
        w->body->worst_at = e->span;
    }
    return plus(n, own);
}

static uint64_t expr(Walk *w, const MgAstExpr *e) {
    uint64_t n = 0;
    if (!e || w->least->depth >= MOST_NESTED)
        return 0;
    w->least->depth++;
    switch (e->kind) {
    case MG_EXPR_UNARY:
        n = expr(w, e->unary.operand);
        break;
    case MG_EXPR_BINARY: // the right side of `and` and `or` may be skipped
        n = expr(w, e->binary.left);
        if (e->binary.op != MG_AST_AND && e->binary.op != MG_AST_OR)
            n = plus(n, expr(w, e->binary.right));
        break;
    case MG_EXPR_REDUCE:
        n = expr(w, e->reduce.body);
        break;
    case MG_EXPR_CALL:
        n = call(w, e);
        break;
    default: // a read with `else` vanishes if its operand is absent
        break;
    }
    w->least->depth--;
    return n;
}

// A branch that is known to be taken counts; otherwise the smaller one does.
static uint64_t branch(Walk *w, const MgAstStmt *st) {
    MgEarly taken = mg_early(&w->names, st->if_.cond);
    bool known = taken.kind == MG_EARLY_INT;
    uint64_t then = known && !taken.n ? UINT64_MAX : block(w, &st->if_.then), otherwise = 0;
    if (known && taken.n)
        return then;
    if (st->if_.has_else)
        otherwise = block(w, &st->if_.otherwise);
    return then < otherwise ? then : otherwise;
}

// The rounds of a compile-time loop over a range or a list. Each round makes at least what a round
// with unknown values makes; in addition, a few rounds are walked separately.
static uint64_t rounds(Walk *w, const MgAstStmt *st) {
    const MgAstRange *r = &st->for_.index.range;
    MgSym index = st->for_.index.name.sym;
    MgEarly first = mg_early(&w->names, r->first), last = mg_early(&w->names, r->last);
    bool list = !r->last && first.kind == MG_EARLY_LIST;
    if (!list && (first.kind != MG_EARLY_INT || last.kind != MG_EARLY_INT || last.n < first.n))
        return 0;
    uint64_t trips =
        list ? (uint64_t)first.n : plus((uint64_t)last.n - (uint64_t)first.n, r->closed);
    uint64_t sum = 0;
    mg_early_set(&w->names, index, (MgEarly){0});
    uint64_t least = trips ? times(trips, block(w, &st->for_.body)) : 0;
    for (uint64_t i = 0; i < trips && trips <= MOST_TRIPS && may_walk(w->least); i++) {
        MgEarly value = {MG_EARLY_INT, list ? 0 : first.n + (int64_t)i, NULL};
        mg_early_set(&w->names, index, !list ? value : first.at ? first.at[i] : (MgEarly){0});
        sum = plus(sum, block(w, &st->for_.body));
    }
    mg_early_set(&w->names, index, (MgEarly){0});
    return sum > least ? sum : least;
}

static uint64_t statement(Walk *w, const MgAstStmt *st) {
    w->least->walked++;
    switch (st->kind) {
    case MG_STMT_BIND:
        for (uint32_t i = 0; i < st->bind.targets.len; i++)
            mg_early_bind(&w->names, st->bind.targets.at[i].name.sym,
                          mg_early(&w->names, st->bind.value));
        return plus(1, expr(w, st->bind.value));
    case MG_STMT_EQUATION:
        return plus(1, expr(w, st->equation.value));
    case MG_STMT_IF_VALUE:
        return plus(1, plus(block(w, &st->if_value.then), block(w, &st->if_value.otherwise)));
    case MG_STMT_LOOP:
        return plus(1, block(w, &st->loop.body));
    case MG_STMT_FUSED:
        return plus(1, block(w, &st->fused.body));
    case MG_STMT_FOR:
        return plus(1, rounds(w, st));
    case MG_STMT_IF:
        return plus(1, branch(w, st));
    case MG_STMT_PARAM:
        if (st->param.layer && st->param.layer->kind == MG_EXPR_CALL)
            mg_map_put(&w->layers, st->param.name.sym, (uintptr_t)st->param.layer);
        return 1;
    default:
        return 0;
    }
}

static MgSpan place(const MgAstStmt *st) {
    return st->kind == MG_STMT_FOR ? st->for_.index.range.span : st->span;
}

static uint64_t block(Walk *w, const MgAstBlock *b) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->stmts.len; i++) {
        uint64_t own = statement(w, b->stmts.at[i]);
        n = plus(n, own);
        if (own > w->body->largest) {
            w->body->largest = own;
            w->body->largest_at = place(b->stmts.at[i]);
        }
    }
    return n;
}

static Body *body_of(Least *l, MgSourceUnit *unit, const MgAstItem *item, const MgEarly *values) {
    uint32_t n = item->params.len;
    if (!may_walk(l))
        values = MG_NEW_N(l->s->arena, MgEarly, n);
    uint64_t hash = (uintptr_t)item;
    for (uint32_t i = 0; i < n; i++)
        hash = mg_early_hash(&values[i], hash);
    for (uint64_t *known; (known = mg_map_find(&l->bodies, hash)); hash++) {
        Body *body = (Body *)(uintptr_t)*known;
        if (body->item == item && same_values(body->values, values, n))
            return body;
    }
    Body *body = MG_NEW(l->s->arena, Body);
    body->item = item;
    body->values = values;
    mg_map_put(&l->bodies, hash, (uintptr_t)body);
    Walk w = {.least = l, .unit = unit, .names = mg_early_names(l->s, item), .body = body};
    mg_map_init(&w.layers, l->s->arena);
    for (uint32_t i = 0; i < n; i++)
        mg_early_set(&w.names, item->params.at[i].name.sym, values[i]);
    body->statements = block(&w, &item->body);
    return body;
}

// a -> b -> c -> …: the path from a body through the callees that contribute most.
static const char *chain(Least *l, const Body *body) {
    enum { SHOWN = 6 };
    MgText out = mg_text(l->s->arena);
    for (uint32_t i = 0; body; body = body->worst, i++)
        if (i < SHOWN || !body->worst)
            mg_textf(&out, "%s%s", i ? " -> " : "", mg_sym_text(l->s, body->item->name.sym));
        else if (i == SHOWN)
            mg_text_add(&out, " -> ...");
    return mg_text_str(&out);
}

bool mg_least_fits(MgSema *s, MgSourceUnit *unit, const MgAstItem *graph) {
    Least l = {.s = s};
    mg_map_init(&l.bodies, s->arena);
    const Body *body = body_of(&l, unit, graph, MG_NEW_N(s->arena, MgEarly, graph->params.len));
    if (body->statements <= s->options.max_unrolled)
        return true;
    if (body->worst_share > body->statements / 2)
        mg_diag(s->session, body->worst_at, MG_D_unrolled_by, s->options.max_unrolled,
                chain(&l, body->worst));
    else
        mg_diag(s->session, body->largest_at, MG_D_unrolled, s->options.max_unrolled);
    return false;
}
