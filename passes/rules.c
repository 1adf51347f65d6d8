// A rule is two small trees. The left side is matched once for each order of the operands of its
// commutative nodes, so matching needs no backtracking.
#include "passes/rules.h"

#include <ctype.h>
#include <stdlib.h>

typedef enum NodeKind { LETTER, NUMBER, PRIM } NodeKind;
typedef struct Node {
    NodeKind kind;
    char letter;
    double number;
    MgPrim prim;
    uint32_t swap; // of a PRIM: its bit in an order; 0 if its operands do not commute
    uint32_t n;
    struct Node *args[3];
} Node;

typedef struct Rule {
    const MgRuleRow *row;
    uint32_t number, orders; // the row's number; the number of orders
    Node *lhs, *rhs, *condition;
    struct Rule *next; // the next rule with the same primitive at its root
} Rule;

struct MgRules {
    MG_VEC(Rule *) all;
    Rule *of_prim[MG_PRIM_COUNT];
};

static const MgRuleRow table[] = {
#define MG_RULE(name, class, type, lhs, rhs, condition)                                            \
    {#name, MG_RULE_##class, type, lhs, rhs, condition},
#include "passes/rules.def"
#undef MG_RULE
};

const MgRuleRow *mg_rule_rows(uint32_t *n) {
    *n = sizeof table / sizeof *table;
    return table;
}

void mg_rules_list(MgText *out) {
    static const char *const classes[] = {"exact", "reassociates", "fast"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        mg_textf(out, "%-14s %-12s %-6s  %s => %s%s%s\n", table[i].name, classes[table[i].class],
                 table[i].type, table[i].lhs, table[i].rhs, *table[i].condition ? " if " : "",
                 table[i].condition);
}

// ---------------------------------------------------------------- reading
typedef struct Reader {
    MgArena *arena;
    const char *at;
    uint32_t swaps; // commutative nodes so far
    bool wrong;
} Reader;

static void skip_spaces(Reader *r) {
    r->at += strspn(r->at, " ");
}

static bool accept(Reader *r, char c) {
    skip_spaces(r);
    bool is = *r->at == c;
    r->at += is;
    return is;
}

static Node *node(Reader *r, NodeKind kind) {
    Node *n = MG_NEW(r->arena, Node);
    n->kind = kind;
    return n;
}

static Node *prim_node(Reader *r, const char *name, size_t length) {
    Node *n = node(r, PRIM);
    n->prim = mg_prim_of_name(mg_arena_str(r->arena, name, length));
    r->wrong |= n->prim == MG_PRIM_COUNT;
    return n;
}

static bool commutes(MgPrim p) {
    return p == MG_PRIM_ADD || p == MG_PRIM_MUL || p == MG_PRIM_AND || p == MG_PRIM_OR ||
           p == MG_PRIM_XOR || p == MG_PRIM_EQ ||
           p == MG_PRIM_NE; // min and max prefer the first zero, so they don't commute
}

static Node *finish(Reader *r, Node *n) {
    r->wrong = r->wrong || n->n != mg_prim(n->prim)->arity;
    if (!r->wrong && commutes(n->prim))
        n->swap = 1u << r->swaps++;
    return n;
}

static Node *read_whole(Reader *r);

static Node *read_operand(Reader *r) {
    skip_spaces(r);
    if (accept(r, '(')) {
        Node *n = read_whole(r);
        r->wrong |= !accept(r, ')');
        return n;
    }
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    const char *name = r->at;
    if (!isalpha((unsigned char)*name)) {
        Node *n = node(r, NUMBER);
        char *end;
        n->number = strtod(name, &end);
        r->wrong |= end == name;
        r->at = end;
        return n;
    }
    r->at += length;
    if (length == 1 || (length == 4 && !memcmp(name, "true", 4)) ||
        (length == 5 && !memcmp(name, "false", 5))) {
        Node *n = node(r, length == 1 ? LETTER : NUMBER);
        n->letter = *name;
        n->number = *name == 't';
        return n;
    }
    Node *n = prim_node(r, name, length);
    r->wrong |= !accept(r, '(');
    do
        n->args[n->n++] = read_whole(r);
    while (!r->wrong && n->n < 3 && accept(r, ','));
    r->wrong |= !accept(r, ')');
    return finish(r, n);
}

// Parses: operand, or operand infix operand.
static Node *read_whole(Reader *r) {
    Node *left = read_operand(r);
    skip_spaces(r);
    size_t length = strcspn(r->at, " ,)");
    if (r->wrong || !length)
        return left;
    Node *n = prim_node(r, r->at, length);
    r->at += length;
    n->args[0] = left;
    n->args[1] = read_operand(r);
    n->n = 2;
    return finish(r, n);
}

static Node *read_text(Reader *r, const char *text) {
    r->at = text;
    r->swaps = 0;
    Node *n = read_whole(r);
    r->wrong |= *r->at != 0;
    return n;
}

// The cost of a tree: a transcendental function costs more than a division, a division more than
// any other operation, and a leaf the least. A subtree of constants is folded first.
static uint32_t cost(const Node *n, bool *constant) {
    uint32_t sum = n->kind != PRIM                                    ? 1
                   : mg_prim(n->prim)->kind == MG_KIND_APPROX         ? 32
                   : n->prim == MG_PRIM_DIV || n->prim == MG_PRIM_REM ? 8
                                                                      : 2;
    *constant = n->kind == NUMBER || (n->kind == LETTER && (n->letter == 'c' || n->letter == 'd'));
    bool all = n->kind == PRIM, one;
    for (uint32_t i = 0; i < n->n; i++) {
        sum += cost(n->args[i], &one);
        all &= one;
    }
    *constant |= all;
    return *constant ? 1 : sum;
}

static uint32_t count_letter(const Node *n, char letter) {
    uint32_t sum = n->kind == LETTER && n->letter == letter;
    for (uint32_t i = 0; i < n->n; i++)
        sum += count_letter(n->args[i], letter);
    return sum;
}

// Is the right side cheaper, whatever the letters stand for?
static bool gets_cheaper(const Node *lhs, const Node *rhs) {
    bool constant;
    for (char letter = 'a'; letter <= 'z'; letter++) {
        uint32_t before = count_letter(lhs, letter), after = count_letter(rhs, letter);
        if (after > before && !(letter == 'r' && before))
            return false;
    }
    return cost(rhs, &constant) < cost(lhs, &constant);
}

static bool add_rule(MgRules *rules, Reader *r, const MgRuleRow *row, uint32_t number) {
    Rule *rule = MG_NEW(r->arena, Rule);
    *rule = (Rule){.row = row, .number = number, .lhs = read_text(r, row->lhs)};
    rule->orders = 1u << r->swaps;
    rule->rhs = read_text(r, row->rhs);
    if (*row->condition)
        rule->condition = read_text(r, row->condition);
    if (r->wrong || rule->lhs->kind != PRIM || !gets_cheaper(rule->lhs, rule->rhs))
        return false;
    mg_push(r->arena, &rules->all, rule);
    Rule **at = &rules->of_prim[rule->lhs->prim];
    while (*at)
        at = &(*at)->next;
    *at = rule;
    return true;
}

MgRules *mg_rules_new(MgArena *arena, const MgRuleRow *rows, uint32_t n, uint32_t level,
                      bool strict) {
    static const uint32_t lowest[] = {
        [MG_RULE_EXACT] = 0, [MG_RULE_REASSOCIATES] = 2, [MG_RULE_FAST] = 3};
    MgRules *rules = MG_NEW(arena, MgRules);
    Reader r = {.arena = arena};
    for (uint32_t i = 0; i < n; i++)
        if (level >= lowest[rows[i].class] && (rows[i].class == MG_RULE_EXACT || !strict) &&
            !add_rule(rules, &r, &rows[i], i))
            return NULL;
    return rules;
}

// ---------------------------------------------------------------- matching
typedef struct Match {
    MgModule *m;
    uint32_t order;
    const MgSx *bound[26]; // by letter
} Match;

static MgBits bits_of(MgDType type, double number) {
    return mg_is_float(type) ? mg_bits_from_double(type, number)
                             : mg_bits_from_int(type, (int64_t)number);
}

static bool may_stand_for(char letter, const MgSx *x) {
    if (letter == 'c' || letter == 'd')
        return x->kind == MG_SX_CONST;
    return letter != 'r' || x->kind == MG_SX_READ || x->kind == MG_SX_IX;
}

static bool matches(Match *match, const Node *n, const MgSx *x) {
    if (n->kind == LETTER) {
        const MgSx **bound = &match->bound[n->letter - 'a'];
        if (*bound)
            return mg_sx_equal(*bound, x);
        *bound = x;
        return may_stand_for(n->letter, x);
    }
    if (n->kind == NUMBER)
        return x->kind == MG_SX_CONST && x->bits == bits_of(x->dtype, n->number);
    if (x->kind != MG_SX_PRIM || x->prim != n->prim)
        return false;
    bool swapped = match->order & n->swap;
    for (uint32_t i = 0; i < n->n; i++)
        if (!matches(match, n->args[swapped ? 1 - i : i], x->args[i]))
            return false;
    return true;
}

static bool admits(const char *type, MgDType d) {
    static const struct {
        const char *name;
        MgOperands operands;
    } words[] = {{"float", MG_OPERANDS_FLOAT},   {"int", MG_OPERANDS_INT},
                 {"number", MG_OPERANDS_NUMBER}, {"logic", MG_OPERANDS_LOGIC},
                 {"bool", MG_OPERANDS_BOOL},     {"any", MG_OPERANDS_ANY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(type, words[i].name))
            return mg_operands_admit(words[i].operands, d);
    if (!strcmp(type, "signed"))
        return mg_is_float(d) ||
               (mg_operands_admit(MG_OPERANDS_INT, d) && mg_dtype(d)->name[0] == 'i');
    return !strcmp(type, mg_dtype(d)->name);
}

// ---------------------------------------------------------------- building
// The type of a comparison's operands, since its own type is bool: that of a letter in them.
static MgDType type_below(const Match *match, const Node *n, MgDType otherwise) {
    if (n->kind == LETTER && match->bound[n->letter - 'a'])
        return match->bound[n->letter - 'a']->dtype;
    for (uint32_t i = n->kind == PRIM && n->prim == MG_PRIM_WHERE; i < n->n; i++) {
        MgDType d = type_below(match, n->args[i], otherwise);
        if (d != otherwise)
            return d;
    }
    return otherwise;
}

// Builds an expression of `type`. A subtree of constants becomes a constant.
static const MgSx *build(const Match *match, const Node *n, MgDType type) {
    if (n->kind == LETTER)
        return match->bound[n->letter - 'a'];
    if (n->kind == NUMBER)
        return mg_sx_const(match->m, type, bits_of(type, n->number));
    const MgSx *args[3];
    MgBits bits[3];
    bool folds = true, swapped = match->order & n->swap,
         compares = mg_prim(n->prim)->result == MG_RESULT_BOOL;
    MgDType below = compares ? type_below(match, n, type) : type;
    for (uint32_t i = 0; i < n->n; i++) {
        bool asks = n->prim == MG_PRIM_WHERE && !i;
        args[i] = build(match, n->args[swapped ? 1 - i : i], asks ? MG_BOOL : below);
        bits[i] = args[i]->bits;
        folds &= args[i]->kind == MG_SX_CONST;
    }
    if (folds)
        return mg_sx_const(match->m, type, mg_prim_eval(n->prim, below, type, bits));
    return mg_sx_prim(match->m, n->prim, type, args, n->n);
}

static bool holds(const Match *match, const Rule *rule) {
    const MgSx *x = match->bound['x' - 'a'] ? match->bound['x' - 'a'] : match->bound['r' - 'a'];
    if (!x || !admits(rule->row->type, x->dtype))
        return false;
    return !rule->condition || build(match, rule->condition, MG_BOOL)->bits != 0;
}

const MgSx *mg_rules_apply(const MgRules *rules, MgModule *m, const MgSx *x, MgRuleAsk *may,
                           void *ctx) {
    if (x->kind != MG_SX_PRIM)
        return x;
    for (const Rule *rule = rules->of_prim[x->prim]; rule; rule = rule->next)
        for (uint32_t order = 0; order < rule->orders; order++) {
            Match match = {.m = m, .order = order};
            if (!matches(&match, rule->lhs, x))
                continue;
            match.order = 0; // orders apply to the left side only
            if (!holds(&match, rule))
                continue;
            if (!may(ctx, rule->number))
                break;
            return build(&match, rule->rhs, x->dtype);
        }
    return x;
}

// ---------------------------------------------------------------- for tests
uint32_t mg_rule_orders(const MgRules *rules, uint32_t rule) {
    return rules->all.at[rule]->orders;
}

static bool gives_bool(const Node *n) {
    return n->kind == PRIM && (mg_prim(n->prim)->result == MG_RESULT_BOOL ||
                               (n->prim == MG_PRIM_NOT && gives_bool(n->args[0])));
}

const MgSx *mg_rule_left(const MgRules *rules, uint32_t rule, uint32_t order, MgModule *m,
                         const MgSx *const bound[26], MgDType type) {
    const Node *lhs = rules->all.at[rule]->lhs;
    Match match = {.m = m, .order = order};
    memcpy(match.bound, bound, sizeof match.bound);
    return build(&match, lhs, gives_bool(lhs) ? MG_BOOL : type);
}
