// case, if and while: blocks that the run chooses.
#include "frontend/stablehlo/internal.h"

#include <string.h>

// Translates a block into a text of its own.
static bool inner(MgHloNode *n, const MgHloBlock *block, MgHloValue **args, MgHloValue **results,
                  uint32_t count, MgText *out) {
    MgText *outer = n->t->out;
    n->t->out = out;
    bool ok = mg_hlo_block(n->t, n->frame, block, args, results, count, n->op->at);
    n->t->out = outer;
    return ok;
}

static const char *names_of(MgHlo *t, MgHloValue **values, uint32_t n, MgText *out) {
    MgText list = mg_text(t->arena), *outer = t->out;
    t->out = out;
    for (uint32_t k = 0; k < n; k++)
        mg_textf(&list, "%s%s", k ? ", " : "", mg_hlo_name(t, values[k]));
    t->out = outer;
    return mg_text_str(&list);
}

// ---------------------------------------------------------------- case and if
static bool same_types(MgHloNode *n, MgHloValue **values) {
    for (uint32_t k = 0; k < n->op->n_results; k++) {
        MgHloType *type = n->outputs[k] ? &n->outputs[k]->type : &n->op->types[k];
        if (!mg_hlo_same_type(&values[k]->type, type))
            return mg_hlo_fail(n->t, n->op->at, "a branch gives result %u in another type", k);
        if (mg_hlo_has_any(type)) // the first branch decides
            *type = values[k]->type;
    }
    return true;
}

// Writes { statements yield results } of one branch.
static bool write_branch(MgHloNode *n, const MgHloBlock *block, MgText *out) {
    MgText body = mg_text(n->t->arena);
    MgHloValue **results = MG_NEW_N(n->t->arena, MgHloValue *, n->op->n_results + 1);
    if (block->n_args)
        return mg_hlo_fail(n->t, n->op->at, "a branch has no arguments");
    if (!inner(n, block, NULL, results, n->op->n_results, &body) || !same_types(n, results))
        return false;
    const char *names = names_of(n->t, results, n->op->n_results, &body);
    mg_textf(out, "{\n%syield %s\n}", mg_text_str(&body), names);
    return true;
}

// Writes the branches of a number as a chain of nested ifs; the last one serves all other numbers.
static bool write_branches(MgHloNode *n, const char *number, bool condition, uint32_t first,
                           MgText *out) {
    MgHlo *t = n->t;
    if (first + 1 == n->op->n_regions)
        return write_branch(n, n->op->regions[first], out);
    MgText rest = mg_text(t->arena), names = mg_text(t->arena);
    const char *test = condition ? number : mg_hlo_text(t, "%s == %u", number, first);
    if (!first) {
        mg_textf(out, "if %s ", test);
        return write_branch(n, n->op->regions[0], out) && (mg_text_add(out, " else "), true) &&
               write_branches(n, number, condition, 1, out);
    }
    for (uint32_t k = 0; k < n->op->n_results; k++)
        mg_textf(&names, "%s%s", k ? ", " : "", mg_hlo_fresh(t, "chosen"));
    mg_textf(&rest, "{\n%s = if %s ", mg_text_str(&names), test);
    if (!write_branch(n, n->op->regions[first], &rest))
        return false;
    mg_text_add(&rest, " else ");
    if (!write_branches(n, number, condition, first + 1, &rest))
        return false;
    mg_textf(out, "%s\nyield %s\n}", mg_text_str(&rest), mg_text_str(&names));
    return true;
}

bool mg_hlo_op_branch(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloOp *op = n->op;
    if (op->n_operands != 1 || n->inputs[0]->type.rank || !op->n_regions || !op->n_results ||
        op->n_regions > MG_HLO_MAX_DEPTH)
        return mg_hlo_fail(t, op->at, "%s has a number, branches and results", op->name);
    bool condition = n->inputs[0]->type.dtype == MG_BOOL;
    if (condition && op->n_regions != 2)
        return mg_hlo_fail(t, op->at, "an if has two branches");
    if (op->n_regions == 1)
        return inner(n, op->regions[0], NULL, n->outputs, op->n_results, t->out);
    MgText out = mg_text(t->arena), left = mg_text(t->arena);
    const char *number = mg_hlo_name(t, n->inputs[0]);
    for (uint32_t k = 0; k < op->n_results; k++) {
        n->outputs[k] = mg_hlo_value(t, op->types[k], mg_hlo_result_name(n, k));
        mg_textf(&left, "%s%s", k ? ", " : "", n->outputs[k]->text);
    }
    if (!write_branches(n, number, condition, 0, &out))
        return false;
    mg_hlo_say(t, op, "%s = %s", mg_text_str(&left), mg_text_str(&out));
    return true;
}

// ---------------------------------------------------------------- while
typedef struct Loop {
    MgHloNode *n;
    uint32_t count;
    const MgHloBlock *cond, *body;
    const MgHloOp *end;   // of the body
    bool *fixed;          // states that the body passes on unchanged
    int64_t counter;      // the state that counts, or -1
    int64_t first, bound; // of the counter: a number and a size
    const char *index;    // the loop's index in MG
    MgHloValue **args;    // states inside the body
    MgHloValue **next;    // their next values
    MgHloStack **stacks;  // by state, or NULL
    bool may_stack;
} Loop;

static bool is_fixed(const Loop *l, uint32_t k) {
    return !strcmp(l->end->operands[k], l->body->args[k]);
}

// A size that stays the same in all rounds: a constant of the block, a state that no round changes,
// or a value from outside. NULL: the name is another value.
static const int64_t *lasting_size(Loop *l, const MgHloBlock *block, const char *name) {
    MgHlo *t = l->n->t;
    const MgHloOp *made = mg_hlo_maker(block, name);
    MgHloValue *v = made ? NULL : mg_hlo_look_up(t, l->n->frame, name);
    MgHloNode one = {t, NULL, made, NULL, &v};
    if (made && (strcmp(made->name, "stablehlo.constant") || !mg_hlo_op_constant(&one)))
        return NULL;
    for (uint32_t k = 0; k < l->count; k++)
        if (!strcmp(block->args[k], name))
            v = is_fixed(l, k) ? l->n->inputs[k] : NULL;
    return v && !v->type.rank ? mg_hlo_sizes_in(t, v) : NULL;
}

// Finds a state that begins at a number, grows by 1 and is compared with a number by <.
static void find_counter(Loop *l) {
    MgHloNode *n = l->n;
    const MgHloOp *end = l->cond->ops.at[l->cond->ops.len - 1];
    const MgHloOp *test = end->n_operands == 1 ? mg_hlo_maker(l->cond, end->operands[0]) : NULL;
    l->counter = -1;
    if (!test || strcmp(test->name, "stablehlo.compare") || test->n_operands != 2)
        return;
    MgHloToken word = mg_hlo_token(test->attributes.at, test->attributes.at);
    const int64_t *bound = lasting_size(l, l->cond, test->operands[1]);
    if (!mg_hlo_is(&word, "LT") || !bound || *bound >= INT32_MAX)
        return;
    for (uint32_t k = 0; k < l->count; k++) {
        const MgHloOp *grown = mg_hlo_maker(l->body, l->end->operands[k]);
        if (strcmp(l->cond->args[k], test->operands[0]) || n->inputs[k]->type.rank ||
            !mg_hlo_is_number(n->inputs[k], &l->first) || l->first <= -INT32_MAX || !grown ||
            strcmp(grown->name, "stablehlo.add") || grown->n_operands != 2 ||
            strcmp(grown->operands[0], l->body->args[k]))
            continue;
        const int64_t *step = lasting_size(l, l->body, grown->operands[1]);
        if (!step || *step != 1 || !mg_hlo_at_most(n->t, l->first, *bound))
            continue;
        l->counter = k;
        l->bound = *bound;
    }
}

static void prepare(Loop *l) {
    MgHloNode *n = l->n;
    int64_t most = mg_hlo_is_open(l->bound) ? INT32_MAX : l->bound - 1;
    int64_t counts = l->counter < 0 ? 0
                                    : mg_hlo_new_size(n->t, l->index, l->first,
                                                      most > l->first ? most : l->first);
    for (uint32_t k = 0; k < l->count; k++) {
        MgHloValue *first = n->inputs[k];
        l->fixed[k] = is_fixed(l, k);
        l->stacks[k] = NULL;
        l->args[k] = first;
        if (l->fixed[k])
            continue;
        l->args[k] = mg_hlo_value(n->t, first->type, NULL);
        if ((int64_t)k == l->counter) {
            l->args[k] = mg_hlo_known(n->t, first->type, NULL, &counts);
            continue;
        }
        l->args[k]->text = mg_hlo_fresh(n->t, l->body->args[k]);
        if (l->counter >= 0 && l->may_stack && !l->first && l->bound) {
            l->stacks[k] = l->args[k]->stack = MG_NEW(n->t->arena, MgHloStack);
            *l->stacks[k] = (MgHloStack){.counter = counts, .rounds = l->bound};
        }
    }
}

// Are all states that the rounds may stack really stacked?
static bool settle(Loop *l) {
    bool settled = true;
    for (uint32_t k = 0; k < l->count; k++) {
        MgHloStack *s = l->stacks[k];
        MgHloValue *next = l->next[k];
        if (s && s->written && (s->used || next->stack != s || !next->row))
            settled = false; // its rows were not written, but without stacks they are
        if (s && !s->written && next->stack == s)
            settled = false;
        if (!s && next->stack)
            settled = false;
        if (s && !s->written)
            l->stacks[k] = NULL;
    }
    return settled;
}

static bool carried(const Loop *l, uint32_t k) {
    return !l->fixed[k] && (int64_t)k != l->counter && !l->stacks[k];
}

// The rows that a round emits.
static const char *emitted(Loop *l, uint32_t k, MgText *body) {
    MgHlo *t = l->n->t;
    MgHloValue *row = l->next[k]->row;
    MgHloType type = mg_hlo_tensor(t, row->type.dtype, row->type.rank - 1, row->type.dims + 1);
    const char **at = MG_NEW_N(t->arena, const char *, row->type.rank + 1);
    MgText *outer = t->out;
    at[0] = "0";
    for (uint32_t i = 1; i < row->type.rank; i++)
        at[i] = mg_hlo_text(t, "i%u", i - 1);
    t->out = body;
    MgHloValue *v = mg_hlo_let(t, l->n->op, "row", type, mg_hlo_read(t, row, at));
    t->out = outer;
    return v->text;
}

// The condition of a loop without a counter: a state of its own, computed before and in each round.
static bool condition(Loop *l, MgHloValue **states, const char *name, MgText *out) {
    MgHloValue *result;
    if (!inner(l->n, l->cond, states, &result, 1, out))
        return false;
    if (result->type.rank || result->type.dtype != MG_BOOL)
        return mg_hlo_fail(l->n->t, l->n->op->at, "a loop's condition is one bool");
    mg_textf(out, "%s[]: bool[] = %s\n", name,
             result->literal ? result->literal
                             : mg_hlo_text(l->n->t, "%s[]", names_of(l->n->t, &result, 1, out)));
    return true;
}

static bool write_body(Loop *l, MgText *body) {
    l->index = mg_hlo_fresh(l->n->t, "t");
    prepare(l);
    return inner(l->n, l->body, l->args, l->next, l->count, body);
}

static bool write_loop(Loop *l, MgText *body) {
    MgHlo *t = l->n->t;
    MgText left = mg_text(t->arena), carry = mg_text(t->arena), next = mg_text(t->arena),
           emit = mg_text(t->arena);
    const char *go = NULL, *before = NULL;
    if (l->counter < 0) {
        go = mg_hlo_fresh(t, "go");
        before = mg_hlo_fresh(t, "begin");
        if (!condition(l, l->n->inputs, before, t->out))
            return false;
        const char *again = mg_hlo_fresh(t, "again");
        if (!condition(l, l->next, again, body))
            return false;
        mg_textf(&left, "%s", mg_hlo_fresh(t, "done"));
        mg_textf(&carry, "%s = %s", go, before);
        mg_textf(&next, "%s = %s", go, again);
    }
    for (uint32_t k = 0; k < l->count; k++) {
        if (!carried(l, k))
            continue;
        const char *name = mg_hlo_result_name(l->n, k), *comma = carry.bytes.len ? ", " : "";
        l->n->outputs[k] = mg_hlo_value(t, l->n->inputs[k]->type, name);
        mg_textf(&left, "%s%s", comma, name);
        mg_textf(&carry, "%s%s = %s", comma, l->args[k]->text, mg_hlo_name(t, l->n->inputs[k]));
        mg_textf(&next, "%s%s = %s", comma, l->args[k]->text, names_of(t, &l->next[k], 1, body));
    }
    for (uint32_t k = 0; k < l->count; k++) {
        if (!l->stacks[k])
            continue;
        const char *name = mg_hlo_fresh(t, "rows");
        l->n->outputs[k] = mg_hlo_value(t, l->n->inputs[k]->type, name);
        mg_textf(&left, "%s%s", left.bytes.len ? ", " : "", name);
        mg_textf(&emit, "%s%s", emit.bytes.len ? ", " : "", emitted(l, k, body));
    }
    const char *range = l->counter < 0 ? ""
                                       : mg_hlo_text(t, "%s in %lld..%s ", l->index,
                                                     (long long)l->first, mg_hlo_size(t, l->bound));
    if (!left.bytes.len) // nothing changes but the counter
        return true;
    if (!carry.bytes.len) { // a loop has a state
        const char *idle = mg_hlo_fresh(t, "idle"), *zero = mg_hlo_fresh(t, "zero");
        mg_textf(t->out, "%s[]: bool[] = false\n", zero);
        mg_textf(&carry, "%s = %s", idle, zero);
        mg_textf(&next, "%s = %s", idle, idle);
        left = mg_text(t->arena);
        mg_textf(&left, "%s", mg_hlo_fresh(t, "unused"));
        for (uint32_t k = 0; k < l->count; k++)
            if (l->stacks[k])
                mg_textf(&left, ", %s", l->n->outputs[k]->text);
    }
    mg_hlo_say(t, l->n->op, "%s = loop %s%s%s%s%s{\n%s%s%s%s%s}", mg_text_str(&left), range,
               carry.bytes.len ? mg_hlo_text(t, "carry (%s) ", mg_text_str(&carry)) : "",
               go ? "while " : "", go ? go : "", go ? " " : "", mg_text_str(body),
               next.bytes.len ? mg_hlo_text(t, "next %s\n", mg_text_str(&next)) : "",
               emit.bytes.len ? "emit " : "", mg_text_str(&emit), emit.bytes.len ? "\n" : "");
    return true;
}

// Makes results that the loop itself doesn't give.
static void finish(Loop *l) {
    MgHloNode *n = l->n;
    for (uint32_t k = 0; k < l->count; k++) {
        if (l->fixed[k])
            n->outputs[k] = n->inputs[k];
        else if ((int64_t)k == l->counter) {
            n->outputs[k] = mg_hlo_known(n->t, n->inputs[k]->type, n->op, &l->bound);
        } else if (l->stacks[k] && l->stacks[k]->reversed) {
            const MgHloType *type = &n->inputs[k]->type;
            const char **at = MG_NEW_N(n->t->arena, const char *, type->rank + 1);
            memcpy(at, mg_hlo_indices(n->t, type->rank), type->rank * sizeof *at);
            at[0] = mg_hlo_text(n->t, "%s - i0 - 1", mg_hlo_size(n->t, l->bound));
            n->outputs[k] = mg_hlo_let(n->t, n->op, mg_hlo_result_name(n, k), *type,
                                       mg_hlo_read(n->t, n->outputs[k], at));
        }
    }
}

bool mg_hlo_op_repeat(MgHloNode *n) {
    MgHlo *t = n->t;
    const MgHloOp *op = n->op;
    uint32_t count = op->n_operands;
    if (op->n_regions != 2 || !count || count != op->n_results || op->regions[0]->n_args != count ||
        op->regions[1]->n_args != count)
        return mg_hlo_fail(t, op->at, "a while has states, a condition and a body");
    Loop l = {
        .n = n, .count = count, .cond = op->regions[0], .body = op->regions[1], .may_stack = true};
    l.end = l.body->ops.at[l.body->ops.len - 1];
    if (l.end->n_operands != count)
        return mg_hlo_fail(t, op->at, "the body returns %u value%s, but the number of states is %u",
                           l.end->n_operands, mg_plural(l.end->n_operands), count);
    l.fixed = MG_NEW_N(t->arena, bool, count);
    l.args = MG_NEW_N(t->arena, MgHloValue *, count);
    l.next = MG_NEW_N(t->arena, MgHloValue *, count);
    l.stacks = MG_NEW_N(t->arena, MgHloStack *, count);
    find_counter(&l);
    MgText body = mg_text(t->arena), head = t->head;
    if (!write_body(&l, &body))
        return false;
    if (!settle(&l)) { // again, with every state as it is
        body = mg_text(t->arena);
        t->head = head;
        l.may_stack = false;
        if (!write_body(&l, &body))
            return false;
    }
    for (uint32_t k = 0; k < count; k++) {
        const MgHloType *a = &l.next[k]->type, *b = &n->inputs[k]->type;
        if (!mg_hlo_same_type(a, b))
            return mg_hlo_fail(t, op->at, "state %u changes its type", k);
    }
    if (!write_loop(&l, &body))
        return false;
    finish(&l);
    return true;
}
