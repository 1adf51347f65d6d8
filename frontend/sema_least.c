// A lower bound on the number of statements that a body makes, found before any of them is made.
//
// Calls are instantiated, so 24 operators that each call the next one twice make 2^24 bodies. The
// limit on statements would stop that too, but only after a million of them. The tree gives a lower
// bound at once: the calls that happen whatever the operands are, times the trip counts of loops
// that are written as numbers. Each item is walked once. A part that depends on attributes counts
// as nothing, and of two branches the smaller one counts.
#include "frontend/sema_internal.h"

enum { MOST_NESTED = 4000 }; // as deep as sema evaluates; deeper parts count as nothing

typedef struct Body {
    uint64_t statements;
    uint64_t largest; // the most statements that any one of the body's own makes
    MgSpan largest_at;
    const MgAstItem *worst; // the callee that contributes most
    uint64_t worst_share;
    MgSpan worst_at;
} Body;

typedef struct Least {
    MgSema *s;
    MgMap bodies; // MgAstItem * -> Body *; the body is empty while its item is being walked
    uint32_t depth;
} Least;

typedef struct Walk {
    Least *least;
    MgUnit *unit;
    MgMap layers; // in this item: name of a `param` -> the call that gives its layer
    Body *body;
} Walk;

static Body *body_of(Least *l, MgUnit *unit, const MgAstItem *item);
static uint64_t block(Walk *w, const MgAstBlock *b);
static uint64_t expr(Walk *w, const MgAstExpr *e);

static uint64_t plus(uint64_t a, uint64_t b) {
    return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
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
    uint64_t own = body_of(w->least, callee.unit, callee.item)->statements;
    if (own > w->body->worst_share) {
        w->body->worst = callee.item;
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

// The trips of a compile-time loop if its range is written as numbers, else 0.
static uint64_t trips(const MgAstRange *r) {
    if (!r->last || r->first->kind != MG_EXPR_INT || r->last->kind != MG_EXPR_INT)
        return 0;
    uint64_t low = r->first->integer, high = r->last->integer;
    return high >= low ? plus(high - low, r->closed) : 0;
}

static uint64_t statement(Walk *w, const MgAstStmt *st) {
    uint64_t then, otherwise;
    switch (st->kind) {
    case MG_STMT_BIND:
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
        return plus(1, times(trips(&st->for_.index.range), block(w, &st->for_.body)));
    case MG_STMT_IF:
        then = block(w, &st->if_.then);
        otherwise = st->if_.has_else ? block(w, &st->if_.otherwise) : 0;
        return plus(1, then < otherwise ? then : otherwise);
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

static Body *body_of(Least *l, MgUnit *unit, const MgAstItem *item) {
    uint64_t *known = mg_map_find(&l->bodies, (uintptr_t)item);
    if (known)
        return (Body *)(uintptr_t)*known;
    Body *body = MG_NEW(l->s->arena, Body);
    mg_map_put(&l->bodies, (uintptr_t)item, (uintptr_t)body);
    Walk w = {.least = l, .unit = unit, .body = body};
    mg_map_init(&w.layers, l->s->arena);
    body->statements = block(&w, &item->body);
    return body;
}

// a -> b -> c -> …: the path from a body through the callees that contribute most.
static const char *chain(Least *l, const MgAstItem *item) {
    enum { SHOWN = 6 };
    MgText out = mg_text(l->s->arena);
    for (uint32_t i = 0; item; i++) {
        const Body *body = (const Body *)(uintptr_t)mg_map_get(&l->bodies, (uintptr_t)item, 0);
        if (i < SHOWN || !body->worst)
            mg_textf(&out, "%s%s", i ? " -> " : "", mg_sym_text(l->s, item->name.sym));
        else if (i == SHOWN)
            mg_text_add(&out, " -> ...");
        item = body->worst;
    }
    return mg_text_str(&out);
}

bool mg_least_fits(MgSema *s, MgUnit *unit, const MgAstItem *graph) {
    Least l = {.s = s};
    mg_map_init(&l.bodies, s->arena);
    const Body *body = body_of(&l, unit, graph);
    if (body->statements <= s->options.max_unrolled)
        return true;
    if (body->worst_share > body->statements / 2)
        mg_diag(s->session, body->worst_at, MG_D_unrolled_by, s->options.max_unrolled,
                chain(&l, body->worst));
    else
        mg_diag(s->session, body->largest_at, MG_D_unrolled, s->options.max_unrolled);
    return false;
}
