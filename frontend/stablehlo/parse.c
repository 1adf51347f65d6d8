// Reads a module: functions, blocks, operations. The attributes of an operation are interpreted
// later.
#include "frontend/stablehlo/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    MgHlo *t;
    MgHloToken now;
    uint32_t depth;
} Reader;

typedef MG_VEC(const char *) Names;
typedef MG_VEC(MgHloType) Types;
typedef MG_VEC(MgHloBlock *) Blocks;
typedef MG_VEC(MgHloText) Texts;

static void next(Reader *r) {
    r->now = mg_hlo_token(r->t->text, r->now.at + r->now.length);
}

static bool is(const Reader *r, const char *word) {
    return mg_hlo_is(&r->now, word);
}

static bool take(Reader *r, const char *word) {
    bool taken = is(r, word);
    if (taken)
        next(r);
    return taken;
}

static bool expected(Reader *r, const char *what) {
    if (r->now.kind == MG_HLO_END)
        return mg_hlo_fail(r->t, r->now.at, "the program ends where %s is expected", what);
    return mg_hlo_fail(r->t, r->now.at, "%s is expected", what);
}

static bool need(Reader *r, const char *word) {
    return take(r, word) || expected(r, word);
}

static const char *spelled(Reader *r) {
    return mg_arena_printf(r->t->arena, "%.*s", (int)r->now.length, r->now.at);
}

// Skips a bracket with its contents.
static bool skip_group(Reader *r) {
    uint32_t depth = 0;
    do {
        char c = r->now.kind == MG_HLO_PUNCT && r->now.length == 1 ? *r->now.at : 0;
        depth += c && strchr("([{<", c) ? 1 : 0;
        depth -= c && strchr(")]}>", c) ? 1 : 0;
        if (r->now.kind == MG_HLO_END || r->now.kind == MG_HLO_WRONG)
            return expected(r, "a closing bracket");
        next(r);
    } while (depth);
    return true;
}

static bool skip_location(Reader *r) {
    return !take(r, "loc") || (is(r, "(") ? skip_group(r) : expected(r, "("));
}

static bool read_type(Reader *r, Types *types) {
    MgHloType type;
    if (r->now.kind != MG_HLO_TYPE)
        return r->now.kind == MG_HLO_WORD || r->now.kind == MG_HLO_PUNCT
                   ? mg_hlo_unsupported(r->t, r->now.at, "only tensors have a place here")
                   : expected(r, "a type");
    if (!mg_hlo_type(r->t, &r->now, &type))
        return false;
    mg_push(r->t->arena, types, type);
    next(r);
    return true;
}

// Reads one type, or several in brackets, with their attributes.
static bool read_types(Reader *r, Types *types) {
    if (!take(r, "("))
        return read_type(r, types);
    while (!is(r, ")")) {
        if (!read_type(r, types) || (is(r, "{") && !skip_group(r)) || !skip_location(r))
            return false;
        if (!take(r, ",") && !is(r, ")"))
            return expected(r, ", or )");
    }
    next(r);
    return true;
}

// Reads `%a: tensor<…> {…}, …`.
static bool read_arguments(Reader *r, Names *names, Types *types, Texts *attributes) {
    if (!need(r, "("))
        return false;
    while (!is(r, ")")) {
        if (r->now.kind != MG_HLO_VALUE)
            return expected(r, "an argument");
        mg_push(r->t->arena, names, spelled(r));
        next(r);
        if (!need(r, ":") || !read_type(r, types))
            return false;
        MgHloText text = {r->now.at, 0};
        if (is(r, "{") && !skip_group(r))
            return false;
        text.length = (size_t)(r->now.at - text.at);
        if (attributes)
            mg_push(r->t->arena, attributes, text);
        if (!skip_location(r))
            return false;
        if (!take(r, ",") && !is(r, ")"))
            return expected(r, ", or )");
    }
    next(r);
    return true;
}

static bool read_op(Reader *r, MgHloOp *op);

static bool is_return(const MgHloOp *op) {
    const char *dot = strrchr(op->name, '.');
    return !strcmp(dot ? dot + 1 : op->name, "return");
}

// Reads `{ ^bb0(…): operations }`. The arguments may be given already.
static bool read_block(Reader *r, MgHloBlock *block) {
    Names names = {0};
    Types types = {0};
    if (r->depth++ >= MG_HLO_MAX_DEPTH)
        return mg_hlo_unsupported(r->t, r->now.at, "regions lie more than %d deep",
                                  MG_HLO_MAX_DEPTH);
    if (!need(r, "{"))
        return false;
    if (r->now.kind == MG_HLO_CARET) {
        next(r);
        if ((is(r, "(") && !read_arguments(r, &names, &types, NULL)) || !need(r, ":"))
            return false;
        block->n_args = names.len;
        block->args = names.at;
        block->types = types.at;
    }
    while (!is(r, "}")) {
        MgHloOp *op = MG_NEW(r->t->arena, MgHloOp);
        if (r->now.kind == MG_HLO_CARET)
            return mg_hlo_unsupported(r->t, r->now.at, "a region has more than one block");
        if (!read_op(r, op))
            return false;
        mg_push(r->t->arena, &block->ops, op);
    }
    if (!block->ops.len || !is_return(block->ops.at[block->ops.len - 1]))
        return expected(r, "a return");
    next(r);
    r->depth--;
    return true;
}

static bool add_block(Reader *r, Blocks *blocks, const Names *names, const Types *types) {
    MgHloBlock *block = MG_NEW(r->t->arena, MgHloBlock);
    if (names) {
        block->n_args = names->len;
        block->args = names->at;
        block->types = types->at;
    }
    mg_push(r->t->arena, blocks, block);
    return read_block(r, block);
}

// Reads `name, name = ` or `name:2 = `.
static bool read_results(Reader *r, MgHloOp *op, Names *named, uint32_t *counted) {
    do {
        if (r->now.kind != MG_HLO_VALUE)
            return expected(r, "a result");
        mg_push(r->t->arena, named, spelled(r));
        next(r);
        if (take(r, ":")) {
            if (r->now.kind != MG_HLO_NUMBER)
                return expected(r, "a number of results");
            *counted = (uint32_t)strtoul(r->now.at, NULL, 10);
            next(r);
        }
    } while (take(r, ","));
    op->result = named->at[0];
    op->results = named->len > 1 ? named->at : NULL;
    op->n_named = named->len;
    return need(r, "=");
}

// The region that `applies stablehlo.add` is short for.
static MgHloBlock *applied(Reader *r, const MgHloOp *of, const char *name) {
    MgArena *arena = r->t->arena;
    static const char *const args[] = {"%left", "%right"};
    MgHloBlock *block = MG_NEW(arena, MgHloBlock);
    MgHloOp *op = MG_NEW(arena, MgHloOp), *end = MG_NEW(arena, MgHloOp);
    block->n_args = 2;
    block->args = mg_arena_copy(arena, args, 2, sizeof *args);
    block->types = MG_NEW_N(arena, MgHloType, 2);
    block->types[0] = block->types[1] = of->types[0];
    block->types[0].rank = block->types[1].rank = 0;
    *op = (MgHloOp){.name = name,
                    .at = of->at,
                    .attributes = {of->at, 0},
                    .n_operands = 2,
                    .operands = block->args,
                    .n_results = 1,
                    .n_named = 1,
                    .result = "%result",
                    .types = block->types};
    *end = (MgHloOp){.name = "stablehlo.return", .at = of->at, .n_operands = 1};
    end->operands = mg_arena_copy(arena, &op->result, 1, sizeof op->result);
    mg_push(arena, &block->ops, op);
    mg_push(arena, &block->ops, end);
    return block;
}

// Reads operands and attributes, up to the signature or, without one, to the end of the line.
static bool read_middle(Reader *r, MgHloOp *op, Names *operands, Blocks *regions,
                        const char **applies) {
    uint32_t depth = 0, dictionary = 0;
    bool named = false; // the last word was `applies`
    op->attributes.at = r->now.at;
    for (; !(is(r, ":") && !depth) && !(r->now.first && !depth); next(r)) {
        char c = r->now.kind == MG_HLO_PUNCT && r->now.length == 1 ? *r->now.at : 0;
        if (r->now.kind == MG_HLO_END || r->now.kind == MG_HLO_WRONG)
            return expected(r, "the operation's type");
        if (c == '{' && depth && r->now.at[-1] == '(') { // ({ … }, { … })
            do {
                if (!add_block(r, regions, NULL, NULL))
                    return false;
            } while (take(r, ","));
            if (!is(r, ")"))
                return expected(r, ")");
            c = ')';
        }
        if (c && strchr("([{<", c))
            depth++;
        if (c && strchr(")]}>", c) && !depth--)
            return expected(r, "the operation's type");
        dictionary += c == '{';
        dictionary -= c == '}' && dictionary;
        if (r->now.kind == MG_HLO_VALUE && !dictionary)
            mg_push(r->t->arena, operands, spelled(r));
        if (r->now.kind == MG_HLO_SYMBOL && !op->symbol)
            op->symbol = spelled(r);
        if (named)
            *applies = spelled(r);
        named = !depth && is(r, "applies");
    }
    op->attributes.length = (size_t)(r->now.at - op->attributes.at);
    return true;
}

// Reads the regions after the signature of a while or a reduce.
static bool read_tail(Reader *r, MgHloOp *op, Names *operands, const Types *types,
                      Blocks *regions) {
    if (is(r, "cond")) { // %a = %x, %b = %y: arguments and their first values
        Names args = {0}, firsts = {0};
        for (uint32_t i = 0; i < operands->len; i++)
            mg_push(r->t->arena, i % 2 ? &firsts : &args, operands->at[i]);
        if (args.len != firsts.len || args.len != types->len)
            return mg_hlo_fail(r->t, op->at, "the loop's states don't match their types");
        *operands = firsts;
        next(r);
        return add_block(r, regions, &args, types) && need(r, "do") &&
               add_block(r, regions, &args, types);
    }
    if (!take(r, "reducer"))
        return true;
    Names left = {0}, right = {0};
    Types left_types = {0}, right_types = {0};
    while (is(r, "(")) { // (%a, %b) of each operand
        Names pair = {0};
        Types pair_types = {0};
        if (!read_arguments(r, &pair, &pair_types, NULL))
            return false;
        if (pair.len != 2)
            return mg_hlo_fail(r->t, r->now.at, "a reducer's arguments come in pairs");
        mg_push(r->t->arena, &left, pair.at[0]);
        mg_push(r->t->arena, &left_types, pair_types.at[0]);
        mg_push(r->t->arena, &right, pair.at[1]);
        mg_push(r->t->arena, &right_types, pair_types.at[1]);
    }
    for (uint32_t i = 0; i < right.len; i++) {
        mg_push(r->t->arena, &left, right.at[i]);
        mg_push(r->t->arena, &left_types, right_types.at[i]);
    }
    return add_block(r, regions, &left, &left_types);
}

static bool finish_op(Reader *r, MgHloOp *op, const Names *operands, const Types *types,
                      Blocks *regions, const char *applies, uint32_t counted) {
    op->operands = operands->at;
    op->n_operands = operands->len;
    op->types = types->at;
    op->n_results = is_return(op) ? 0 : types->len;
    if (applies && op->n_results)
        mg_push(r->t->arena, regions, applied(r, op, applies));
    op->regions = regions->at;
    op->n_regions = regions->len;
    uint32_t named = counted ? counted : op->n_named;
    if (named && named != op->n_results)
        return mg_hlo_fail(r->t, op->at, "the number of named results is %u, of types %u", named,
                           op->n_results);
    return true;
}

static bool read_op(Reader *r, MgHloOp *op) {
    Names named = {0}, operands = {0};
    Types types = {0};
    Blocks regions = {0};
    uint32_t counted = 0;
    op->at = r->now.at;
    if (r->now.kind == MG_HLO_VALUE && !read_results(r, op, &named, &counted))
        return false;
    if (r->now.kind != MG_HLO_WORD && r->now.kind != MG_HLO_STRING)
        return expected(r, "an operation");
    op->name = spelled(r);
    if (r->now.kind == MG_HLO_STRING)
        op->name = mg_arena_printf(r->t->arena, "%.*s", (int)r->now.length - 2, r->now.at + 1);
    next(r);
    r->now.first = false;
    const char *applies = NULL;
    if (!read_middle(r, op, &operands, &regions, &applies))
        return false;
    if (take(r, ":")) { // the last types are those of the results
        do {
            if (!read_types(r, &types))
                return false;
        } while (take(r, ","));
        if (take(r, "->")) {
            types = (Types){0};
            if (!read_types(r, &types))
                return false;
        } else if (!strcmp(op->name, "stablehlo.select") && types.len == 2)
            types.at[0] = types.at[types.len = 1]; // the condition's, and that of the rest
    }
    return read_tail(r, op, &operands, &types, &regions) && skip_location(r) &&
           finish_op(r, op, &operands, &types, &regions, applies, counted);
}

// ---------------------------------------------------------------- functions
MgHloFunction *mg_hlo_function(MgHlo *t, const char *symbol) {
    return symbol ? (MgHloFunction *)(uintptr_t)mg_map_get(&t->by_name, mg_sym(t->names, symbol), 0)
                  : NULL;
}

static bool read_function(Reader *r) {
    MgHloFunction *f = MG_NEW(r->t->arena, MgHloFunction);
    Names names = {0};
    Types types = {0}, results = {0};
    Texts attributes = {0};
    f->at = r->now.at;
    f->public = !take(r, "private");
    take(r, "public");
    if (r->now.kind != MG_HLO_SYMBOL)
        return expected(r, "a function's name");
    f->name = spelled(r);
    next(r);
    if (!read_arguments(r, &names, &types, &attributes) ||
        (take(r, "->") && !read_types(r, &results)))
        return false;
    if (take(r, "attributes") && !(is(r, "{") ? skip_group(r) : expected(r, "{")))
        return false;
    f->body = MG_NEW(r->t->arena, MgHloBlock);
    f->body->n_args = names.len;
    f->body->args = names.at;
    f->body->attributes = attributes.at;
    f->body->types = types.at;
    f->n_results = results.len;
    f->results = results.at;
    if (mg_hlo_function(r->t, f->name))
        return mg_hlo_fail(r->t, f->at, "there are two functions %s", f->name);
    mg_map_put(&r->t->by_name, mg_sym(r->t->names, f->name), (uint64_t)(uintptr_t)f);
    mg_push(r->t->arena, &r->t->functions, f);
    return read_block(r, f->body) && skip_location(r);
}

bool mg_hlo_parse(MgHlo *t) {
    Reader r = {.t = t, .now = mg_hlo_token(t->text, t->text)};
    bool inside = false;
    while (r.now.kind != MG_HLO_END) {
        if (r.now.kind == MG_HLO_HASH) { // #loc1 = loc(…)
            next(&r);
            if (!need(&r, "="))
                return false;
            do
                next(&r);
            while (r.now.kind != MG_HLO_END && !r.now.first);
        } else if (take(&r, "module")) {
            inside = true;
            if (r.now.kind == MG_HLO_SYMBOL)
                next(&r);
            if (take(&r, "attributes") && !(is(&r, "{") ? skip_group(&r) : expected(&r, "{")))
                return false;
            if (!need(&r, "{"))
                return false;
        } else if (inside && take(&r, "}")) {
            inside = false;
            if (!skip_location(&r))
                return false;
        } else if (take(&r, "func.func")) {
            if (!read_function(&r))
                return false;
        } else
            return expected(&r, "a function");
    }
    return !inside || expected(&r, "}");
}
