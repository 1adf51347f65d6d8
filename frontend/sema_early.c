// A small evaluator beside sema's. It sees only the tree and integers, and gives up early.
#include "frontend/sema_early.h"

enum {
    MOST_DEEP = 50 * MG_AST_LEVEL, // the depth of an expression that is examined
    MOST_ELEMENTS = 32,            // of a list whose elements are kept
};

static const MgEarly unknown;

static MgEarly integer(int64_t n) {
    return (MgEarly){.kind = MG_EARLY_INT, .n = n};
}

// ---------------------------------------------------------------- names
static void count(MgMap *bindings, MgSym name) {
    mg_map_put(bindings, name, mg_map_get(bindings, name, 0) + 1);
}

static void count_block(MgMap *bindings, const MgAstBlock *b);

static void count_statement(MgMap *bindings, const MgAstStmt *st) {
    const MgAstTargets *targets = NULL;
    const MgAstBlock *blocks[2] = {NULL, NULL};
    switch (st->kind) {
    case MG_STMT_BIND:
    case MG_STMT_CONST:
        targets = &st->bind.targets;
        break;
    case MG_STMT_EQUATION:
        count(bindings, st->equation.name.sym);
        break;
    case MG_STMT_IF_VALUE:
        targets = &st->if_value.targets;
        blocks[0] = &st->if_value.then;
        blocks[1] = &st->if_value.otherwise;
        break;
    case MG_STMT_LOOP:
        targets = &st->loop.targets;
        count(bindings, st->loop.index.name.sym);
        for (uint32_t i = 0; i < st->loop.carries.len; i++)
            count(bindings, st->loop.carries.at[i].name.sym);
        blocks[0] = &st->loop.body;
        break;
    case MG_STMT_FUSED:
        targets = &st->fused.targets;
        blocks[0] = &st->fused.body;
        break;
    case MG_STMT_PARAM:
    case MG_STMT_BUFFER:
        count(bindings, st->param.name.sym);
        break;
    case MG_STMT_DIM:
        count(bindings, st->dim.name.sym);
        break;
    case MG_STMT_FOR:
        blocks[0] = &st->for_.body;
        break;
    case MG_STMT_IF:
        blocks[0] = &st->if_.then;
        blocks[1] = &st->if_.otherwise;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; targets && i < targets->len; i++)
        count(bindings, targets->at[i].name.sym);
    for (uint32_t i = 0; i < 2; i++)
        if (blocks[i])
            count_block(bindings, blocks[i]);
}

static void count_block(MgMap *bindings, const MgAstBlock *b) {
    for (uint32_t i = 0; i < b->stmts.len; i++)
        count_statement(bindings, b->stmts.at[i]);
}

MgEarlyNames mg_early_names(MgSema *s, const MgAstItem *item) {
    MgEarlyNames names = {.s = s, .item = item};
    mg_map_init(&names.values, s->arena);
    mg_map_init(&names.bindings, s->arena);
    count_block(&names.bindings, &item->body);
    return names;
}

static void set(MgEarlyNames *names, MgSym name, MgEarly value, uint64_t bindings) {
    MgEarly *known = MG_NEW(names->s->arena, MgEarly);
    *known = mg_map_get(&names->bindings, name, 0) == bindings ? value : unknown;
    mg_map_put(&names->values, name, (uintptr_t)known);
}

void mg_early_set(MgEarlyNames *names, MgSym name, MgEarly value) {
    set(names, name, value, 0);
}

void mg_early_bind(MgEarlyNames *names, MgSym name, MgEarly value) {
    set(names, name, value, 1);
}

// ---------------------------------------------------------------- expressions
static const MgAstParam *param_of(const MgAstItem *item, MgSym name) {
    for (uint32_t i = 0; i < item->params.len; i++)
        if (item->params.at[i].name.sym == name)
            return &item->params.at[i];
    return NULL;
}

static MgEarly of_name(const MgEarlyNames *names, MgSym name) {
    const MgEarly *known = (const MgEarly *)(uintptr_t)mg_map_get(&names->values, name, 0);
    const char *text = mg_sym_text(names->s, name);
    if (known)
        return *known;
    if (!strcmp(text, "true") || !strcmp(text, "false"))
        return integer(!strcmp(text, "true"));
    return unknown;
}

bool mg_early_same(const MgEarly *a, const MgEarly *b) {
    if (a->kind != b->kind || a->n != b->n || !a->at != !b->at)
        return false;
    for (int64_t i = 0; a->at && i < a->n; i++)
        if (!mg_early_same(&a->at[i], &b->at[i]))
            return false;
    return true;
}

uint64_t mg_early_hash(const MgEarly *value, uint64_t seed) {
    uint64_t hash = mg_hash_mix(mg_hash_mix(seed, value->kind), (uint64_t)value->n);
    for (int64_t i = 0; value->at && i < value->n; i++)
        hash = mg_early_hash(&value->at[i], hash);
    return hash;
}

// A list of n elements. `some` are a copy of its elements, or NULL if they aren't known.
static MgEarly list_of(const MgEarlyNames *names, const MgEarly *some, int64_t n) {
    bool kept = some && n <= MOST_ELEMENTS;
    return (MgEarly){MG_EARLY_LIST, n,
                     kept ? mg_arena_copy(names->s->arena, some, (size_t)n, sizeof *some) : NULL};
}

static MgEarly of_list(const MgEarlyNames *names, const MgAstExpr *e) {
    MgEarly at[MOST_ELEMENTS];
    int64_t n = 0;
    for (uint32_t i = 0; i < e->list.len; i++) {
        const MgAstRange *r = &e->list.at[i];
        MgEarly first = mg_early(names, r->first), last = mg_early(names, r->last);
        if (!r->last) {
            if (n < MOST_ELEMENTS)
                at[n] = first.kind == MG_EARLY_LIST ? unknown : first;
            n++;
            continue;
        }
        int64_t length; // a range in a list is several elements
        if (first.kind != MG_EARLY_INT || last.kind != MG_EARLY_INT ||
            __builtin_sub_overflow(last.n, first.n, &length) || length < 0 || length > INT32_MAX)
            return unknown;
        length += r->closed;
        for (int64_t k = 0; k < length && n + k < MOST_ELEMENTS; k++)
            at[n + k] = integer(first.n + k);
        n += length;
    }
    return list_of(names, at, n);
}

static MgEarly joined(const MgEarlyNames *names, MgEarly a, MgEarly b) {
    MgEarly at[MOST_ELEMENTS];
    if (a.n > INT32_MAX || b.n > INT32_MAX)
        return unknown;
    bool kept = a.at && b.at && a.n + b.n <= MOST_ELEMENTS;
    for (int64_t i = 0; kept && i < a.n + b.n; i++)
        at[i] = i < a.n ? a.at[i] : b.at[i - a.n];
    return list_of(names, kept ? at : NULL, a.n + b.n);
}

static MgEarly of_element(const MgEarlyNames *names, const MgAstExpr *e) {
    if (e->read.otherwise || e->read.subs.len != 1 || e->read.subs.at[0].kind != MG_SUB_EXPR)
        return unknown;
    MgEarly list = of_name(names, e->read.name.sym);
    MgEarly place = mg_early(names, e->read.subs.at[0].expr);
    if (list.kind != MG_EARLY_LIST || !list.at || place.kind != MG_EARLY_INT)
        return unknown;
    int64_t k = place.n < 0 ? place.n + list.n : place.n;
    return k >= 0 && k < list.n ? list.at[k] : unknown;
}

// The declared rank of an operand.
static MgEarly declared_rank(const MgEarlyNames *names, const MgAstExpr *e) {
    const MgAstParam *p = e->kind == MG_EXPR_NAME ? param_of(names->item, e->name) : NULL;
    if (!p || p->kind != MG_PARAM_TENSOR || p->variadic || p->optional || !p->type.has_shape ||
        mg_map_find(&names->bindings, e->name))
        return unknown;
    for (uint32_t i = 0; i < p->type.shape.len; i++)
        if (p->type.shape.at[i].kind == MG_SUB_PACK || p->type.shape.at[i].kind == MG_SUB_ZIP)
            return unknown;
    return integer(p->type.shape.len);
}

static MgEarly of_call(const MgEarlyNames *names, const MgAstExpr *e) {
    const char *name = mg_sym_text(names->s, e->call.name.sym);
    if (e->call.args.len != 1 || (strcmp(name, "len") && strcmp(name, "rank")))
        return unknown;
    MgEarly list = mg_early(names, e->call.args.at[0].value);
    return list.kind == MG_EARLY_LIST ? integer(list.n)
                                      : declared_rank(names, e->call.args.at[0].value);
}

static MgEarly of_unary(const MgEarlyNames *names, const MgAstExpr *e) {
    MgEarly a = mg_early(names, e->unary.operand);
    if (a.kind != MG_EARLY_INT || a.n == INT64_MIN)
        return unknown;
    return integer(e->unary.op == MG_AST_NOT ? !a.n : -a.n);
}

static MgEarly of_binary(const MgEarlyNames *names, const MgAstExpr *e) {
    MgEarly a = mg_early(names, e->binary.left), b = mg_early(names, e->binary.right);
    int64_t n = 0;
    MgAstOp op = e->binary.op;
    bool both = a.kind == MG_EARLY_INT && b.kind == MG_EARLY_INT;
    if (op == MG_AST_ADD && a.kind == MG_EARLY_LIST && b.kind == MG_EARLY_LIST)
        return joined(names, a, b);
    if (op == MG_AST_AND || op == MG_AST_OR) { // the left side may decide alone
        if (a.kind == MG_EARLY_INT && !a.n == (op == MG_AST_AND))
            return integer(op == MG_AST_OR);
        return both ? integer(b.n != 0) : unknown;
    }
    if (!both)
        return unknown;
    switch (op) {
    case MG_AST_EQ:
        return integer(a.n == b.n);
    case MG_AST_NE:
        return integer(a.n != b.n);
    case MG_AST_LT:
        return integer(a.n < b.n);
    case MG_AST_LE:
        return integer(a.n <= b.n);
    case MG_AST_GT:
        return integer(a.n > b.n);
    case MG_AST_GE:
        return integer(a.n >= b.n);
    case MG_AST_ADD:
        return __builtin_add_overflow(a.n, b.n, &n) ? unknown : integer(n);
    case MG_AST_SUB:
        return __builtin_sub_overflow(a.n, b.n, &n) ? unknown : integer(n);
    case MG_AST_MUL:
        return __builtin_mul_overflow(a.n, b.n, &n) ? unknown : integer(n);
    case MG_AST_DIV: // rounding of negative numbers is left to the other evaluator
        return a.n >= 0 && b.n > 0 ? integer(a.n / b.n) : unknown;
    case MG_AST_MOD:
        return a.n >= 0 && b.n > 0 ? integer(a.n % b.n) : unknown;
    default:
        return unknown;
    }
}

MgEarly mg_early(const MgEarlyNames *names, const MgAstExpr *e) {
    if (!e || e->depth > MOST_DEEP)
        return unknown;
    switch (e->kind) {
    case MG_EXPR_INT:
        return e->integer <= INT64_MAX ? integer((int64_t)e->integer) : unknown;
    case MG_EXPR_NAME:
        return of_name(names, e->name);
    case MG_EXPR_LIST:
        return of_list(names, e);
    case MG_EXPR_READ:
        return of_element(names, e);
    case MG_EXPR_UNARY:
        return of_unary(names, e);
    case MG_EXPR_BINARY:
        return of_binary(names, e);
    case MG_EXPR_CALL:
        return of_call(names, e);
    default:
        return unknown;
    }
}

MgEarly *mg_early_arguments(const MgEarlyNames *names, const MgAstExpr *call,
                            const MgAstItem *callee) {
    MgEarly *values = MG_NEW_N(names->s->arena, MgEarly, callee->params.len);
    const MgEarlyNames none = {.s = names->s, .item = callee};
    for (uint32_t i = 0; i < callee->params.len; i++) {
        const MgAstParam *p = &callee->params.at[i];
        const MgAstExpr *given = NULL;
        if (p->kind != MG_PARAM_INT && p->kind != MG_PARAM_BOOL)
            continue;
        for (uint32_t k = 0; k < call->call.args.len; k++)
            if (call->call.args.at[k].name.sym == p->name.sym)
                given = call->call.args.at[k].value;
        values[i] = given ? mg_early(names, given) : mg_early(&none, p->initial);
    }
    return values;
}
