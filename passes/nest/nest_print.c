// A nest as text, and the names that its text uses.
#include "passes/nest/nest.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

// ---------------------------------------------------------------- indices and their names

const MgPiece *mg_nest_piece(const MgNestScope *scope, uint32_t op) {
    uint32_t piece = scope->piece ? scope->piece - 1 : 0;
    return &mg_op(scope->g, scope->ops[op])->equation->pieces[piece];
}

static bool is_index(const MgNestScope *scope, const char *name) {
    for (uint32_t i = 0; i < scope->indices.len; i++)
        if (!strcmp(scope->indices.at[i].name, name))
            return true;
    return false;
}

static const char *index_name(const MgNestScope *scope, MgArena *arena, const char *name) {
    const char *own = name;
    for (uint32_t n = 2; is_index(scope, own); n++)
        own = mg_arena_printf(arena, "%s%u", name, n);
    return own;
}

// The values of a scope while they get names.
typedef struct Naming {
    MgNestScope *scope;
    MgArena *arena;
    MgMap known, taken; // by value; by name
    const MgOp *op;     // whose reads are named
} Naming;

// The value's name; a number follows if another value of the scope has the same name.
static const char *name_value(Naming *n, MgValueId v) {
    MgNames *names = n->scope->g->module->session->names;
    MgSym name = mg_value(n->scope->g, v)->name, own = name;
    for (uint32_t k = 2; mg_map_find(&n->taken, own); k++)
        own = mg_symf(names, "%s.%u", mg_name(names, name), k);
    mg_map_put(&n->known, v, 1);
    mg_map_put(&n->taken, own, 1);
    return mg_name(names, own);
}

static void name_read(Naming *n, MgValueId v) {
    if (mg_map_find(&n->known, v))
        return;
    MgNestRead read = {v, name_value(n, v)};
    mg_push(n->arena, &n->scope->reads, read);
}

static void see_read(void *ctx, const MgSx *x) {
    Naming *n = ctx;
    if (x->kind == MG_SX_READ)
        name_read(n, n->op->operands[x->operand]);
}

// A piece reads few of the operands of its equation, which may have thousands of pieces and
// operands.
static void name_reads(Naming *n) {
    const MgNestScope *scope = n->scope;
    for (uint32_t o = 0; o < scope->n_ops; o++) {
        n->op = mg_op(scope->g, scope->ops[o]);
        if (scope->piece)
            mg_sx_walk(mg_nest_piece(scope, o)->expr, see_read, n);
        for (uint32_t i = 0; i < n->op->n_operands && !scope->piece; i++)
            name_read(n, n->op->operands[i]);
    }
}

uint32_t mg_nest_index(const MgNestScope *scope, uint32_t op, uint32_t position) {
    if (scope->followed)
        return scope->followed[op][position];
    const MgIndex *index = &mg_nest_piece(scope, op)->indices[position];
    uint32_t i = 0;
    while (i < scope->indices.len &&
           (scope->indices.at[i].position != position || scope->indices.at[i].low != index->low ||
            scope->indices.at[i].high != index->high))
        i++;
    return i;
}

static void add_index(MgNestScope *scope, MgArena *arena, const MgIndex *of, uint32_t position) {
    const char *name = mg_name(scope->g->module->session->names, of->name);
    MgNestIndex index = {index_name(scope, arena, name), position, of->low, of->high};
    mg_push(arena, &scope->indices, index);
}

MgNestScope mg_nest_scope(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                          uint32_t piece) {
    MgNestScope scope = {.g = g, .ops = ops, .n_ops = n_ops, .piece = piece};
    Naming naming = {.scope = &scope, .arena = arena};
    mg_map_init(&naming.known, arena);
    mg_map_init(&naming.taken, arena);
    scope.names = MG_NEW_N(arena, const char *, n_ops);
    for (uint32_t o = 0; o < n_ops; o++) {
        scope.names[o] = name_value(&naming, mg_op(g, ops[o])->results[0]);
        const MgPiece *p = mg_nest_piece(&scope, o);
        for (uint32_t i = 0; i < p->n_indices; i++)
            if (mg_nest_index(&scope, o, i) == scope.indices.len)
                add_index(&scope, arena, &p->indices[i], i);
    }
    name_reads(&naming);
    return scope;
}

typedef struct Follow {
    const MgNestScope *scope;
    uint32_t equation;
} Follow;

// Gives the indices by which a value of the unit is read the value's own.
static void follow_read(void *ctx, const MgSx *x) {
    const Follow *f = ctx;
    const MgNestScope *scope = f->scope;
    MgIxTable *t = scope->g->module->ix;
    uint32_t of = 0;
    if (x->kind != MG_SX_READ)
        return;
    MgValueId v = mg_op(scope->g, scope->ops[f->equation])->operands[x->operand];
    while (of < f->equation && mg_op(scope->g, scope->ops[of])->results[0] != v)
        of++;
    const MgPiece *p = mg_nest_piece(scope, f->equation), *read = mg_nest_piece(scope, of);
    for (uint32_t a = 0; of < f->equation && a < x->n_args; a++)
        for (uint32_t i = 0; i < p->n_indices; i++)
            for (uint32_t k = 0; k < read->n_free; k++)
                if (x->args[a]->kind == MG_SX_IX && x->args[a]->ix == mg_ix_idx(t, i) &&
                    !read->target[a].n_tuple && read->target[a].sub->kind == MG_SX_IX &&
                    read->target[a].sub->ix == mg_ix_idx(t, k) &&
                    read->indices[k].high == p->indices[i].high)
                    scope->followed[f->equation][i] = scope->followed[of][k];
}

MgNestScope mg_nest_scope_following(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops) {
    MgNestScope scope = mg_nest_scope(arena, g, ops, n_ops, 0);
    scope.indices.len = 0;
    scope.followed = MG_NEW_N(arena, uint32_t *, n_ops);
    for (uint32_t o = 0; o < n_ops; o++) {
        const MgPiece *p = mg_nest_piece(&scope, o);
        Follow f = {&scope, o};
        scope.followed[o] = MG_NEW_N(arena, uint32_t, p->n_indices + 1);
        for (uint32_t i = 0; i < p->n_indices; i++)
            scope.followed[o][i] = UINT32_MAX;
        mg_sx_walk(p->expr, follow_read, &f);
        for (uint32_t i = 0; i < p->n_indices; i++)
            if (scope.followed[o][i] == UINT32_MAX) {
                scope.followed[o][i] = scope.indices.len;
                add_index(&scope, arena, &p->indices[i], i);
            }
    }
    return scope;
}

const MgLine *mg_nest_join_line(const MgNest *nest, uint32_t index) {
    for (uint32_t i = 0; i < nest->root.body.len; i++)
        if (nest->root.body.at[i]->kind == MG_LINE_INDEX && nest->root.body.at[i]->index == index)
            return nest->root.body.at[i];
    return NULL;
}

static const MgLine *tile_in(const MgLine *outer) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        const MgLine *found = line->kind == MG_LINE_STAGE ? outer : tile_in(line);
        if (found)
            return found;
    }
    return NULL;
}

const MgLine *mg_nest_tile(const MgNest *nest) {
    return tile_in(&nest->root);
}

uint32_t mg_nest_first_part(const MgNest *nest, uint32_t index) {
    const MgLine *join = mg_nest_join_line(nest, index);
    return join ? join->numbers[0] : index;
}

MgNestScope mg_nest_scope_of(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                             const MgNest *nest) {
    MgNestScope scope = nest->follows ? mg_nest_scope_following(arena, g, ops, n_ops)
                                      : mg_nest_scope(arena, g, ops, n_ops, nest->piece);
    for (uint32_t i = 0; i < nest->root.body.len; i++)
        if (nest->root.body.at[i]->kind == MG_LINE_INDEX)
            mg_nest_join(&scope, arena, NULL);
    return scope;
}

uint32_t mg_nest_join(MgNestScope *scope, MgArena *arena, const char *name) {
    MgNestIndex index = {name ? name : index_name(scope, arena, "p"), UINT32_MAX, 0, 0};
    mg_push(arena, &scope->indices, index);
    return scope->indices.len - 1;
}

// ---------------------------------------------------------------- words

static bool is_reserved(const char *name) {
    static const char *const words[] = {
#define MG_LEVEL(id, word, documentation) word,
#define MG_NEST_SPACE(id, word, documentation) word,
#define MG_WAY(id, word, documentation) word,
#define MG_TAIL(id, word, documentation) word,
#define MG_BLOCK(id, word, documentation) word,
#define MG_RESERVED(word) word,
#include "passes/nest/words.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return false;
}

void mg_nest_print_word(const char *name, MgText *out) {
    bool plain = *name && !isdigit((unsigned char)*name) && !is_reserved(name);
    for (const char *c = name; *c; c++)
        plain &= isalnum((unsigned char)*c) || *c == '_' || *c == '.';
    mg_textf(out, plain ? "%s" : "`%s`", name);
}

const char *mg_nest_values(MgArena *arena, const MgNestScope *scope) {
    MgText text = mg_text(arena);
    for (uint32_t i = 0; i < scope->n_ops; i++) {
        mg_text_add(&text, i ? ", " : "");
        mg_nest_print_word(scope->names[i], &text);
    }
    return mg_text_str(&text);
}

const char *mg_nest_values_of(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (mg_op(g, ops[i])->kind != MG_OP_EQUATION)
            return NULL;
    MgNestScope scope = mg_nest_scope(arena, g, ops, n, 0);
    return mg_nest_values(arena, &scope);
}

// "h, y (piece 1 of 2)"; the target is not part of it.
static void print_name(const MgNestName *name, MgText *out) {
    mg_text_add(out, name->values);
    bool piece = name->n_pieces > 1, unit = name->n_units > 1;
    if (!piece && !unit)
        return;
    mg_text_add(out, " (");
    if (piece)
        mg_textf(out, "piece %u of %u", name->piece, name->n_pieces);
    if (unit)
        mg_textf(out, "%sunit %u of %u", piece ? ", " : "", name->unit, name->n_units);
    mg_text_add(out, ")");
}

// ---------------------------------------------------------------- digits

bool mg_nest_has_digit(const MgWalk *w, MgLevel level) {
    for (uint32_t d = 0; d < w->n_digits; d++)
        if (w->digits[d].level == level)
            return true;
    return false;
}

int64_t mg_nest_digit(const MgWalk *w, MgLevel level) {
    for (uint32_t d = 0; d < w->n_digits; d++)
        if (w->digits[d].level == level)
            return w->digits[d].size;
    return 1;
}

// ---------------------------------------------------------------- lines

const char *const mg_level_words[] = {
#define MG_LEVEL(id, word, documentation) [MG_LEVEL_##id] = word,
#include "passes/nest/words.def"
};
const char *const mg_nest_space_words[] = {
#define MG_NEST_SPACE(id, word, documentation) [MG_NEST_SPACE_##id] = word,
#include "passes/nest/words.def"
};
const char *const mg_nest_way_words[] = {
#define MG_WAY(id, word, documentation) [MG_WAY_##id] = word,
#include "passes/nest/words.def"
};
const char *const mg_tail_words[] = {
#define MG_TAIL(id, word, documentation) [MG_TAIL_##id] = word,
#include "passes/nest/words.def"
};
const char *const mg_block_words[] = {
#define MG_BLOCK(id, word, documentation) [MG_BLOCK_##id] = word,
#include "passes/nest/words.def"
};

typedef struct Printer {
    const MgNestScope *scope;
    MgText *out;
} Printer;

static void print_walk(const Printer *p, const MgWalk *w) {
    mg_nest_print_word(p->scope->indices.at[w->index].name, p->out);
    if (w->block)
        mg_textf(p->out, " by %s", mg_block_words[w->block]);
    else if (w->by)
        mg_textf(p->out, " by %" PRId64, w->by);
    for (uint32_t d = 0; d < w->n_digits; d++) {
        mg_textf(p->out, "%s%s(", d ? " " : " = ", mg_level_words[w->digits[d].level]);
        if (w->digits[d].size)
            mg_textf(p->out, "%" PRId64 ")", w->digits[d].size);
        else
            mg_text_add(p->out, "*)");
    }
}

static void print_values(const Printer *p, const MgLine *line) {
    if (line->kind == MG_LINE_STAGE && !line->n_numbers)
        mg_text_add(p->out, "*");
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        mg_text_add(p->out, i ? ", " : "");
        mg_nest_print_word(line->kind == MG_LINE_STAGE ? p->scope->reads.at[line->numbers[i]].name
                                                       : p->scope->names[line->numbers[i]],
                           p->out);
    }
}

static void print_axes(const Printer *p, const MgLine *line) {
    for (uint32_t a = 0; a < line->n_axes; a++) {
        const MgNestAxis *axis = &line->axes[a];
        mg_text_add(p->out, a ? ", " : " as [");
        if (axis->index != UINT32_MAX)
            mg_nest_print_word(p->scope->indices.at[axis->index].name, p->out);
        if (axis->plus) {
            mg_text_add(p->out, " + ");
            mg_nest_print_word(p->scope->indices.at[axis->plus - 1].name, p->out);
        }
        if (axis->by)
            mg_textf(p->out, axis->index == UINT32_MAX ? "%" PRId64 : " / %" PRId64, axis->by);
    }
    mg_text_add(p->out, line->n_axes ? "]" : "");
}

static void print_way(const Printer *p, const MgLine *line) {
    if (line->way)
        mg_textf(p->out, " by %s", mg_nest_way_words[line->way]);
}

// "x as [k, 14] in local by lines"
static void print_place(const Printer *p, const MgLine *line) {
    print_values(p, line);
    print_axes(p, line);
    mg_textf(p->out, " in %s", mg_nest_space_words[line->space]);
    print_way(p, line);
}

static void print_line(const Printer *p, const MgLine *line) {
    switch (line->kind) {
    case MG_LINE_ROOT:
        break;
    case MG_LINE_INDEX:
        mg_text_add(p->out, "index ");
        mg_nest_print_word(p->scope->indices.at[line->index].name, p->out);
        for (uint32_t i = 0; i < line->n_numbers; i++) {
            mg_text_add(p->out, i ? " * " : " = ");
            mg_nest_print_word(p->scope->indices.at[line->numbers[i]].name, p->out);
        }
        break;
    case MG_LINE_FOR:
        for (uint32_t i = 0; i < line->n_walks; i++) {
            mg_text_add(p->out, i ? ", " : "for ");
            print_walk(p, &line->walks[i]);
        }
        if (line->level != MG_LEVEL_TIME)
            mg_textf(p->out, " on %s", mg_level_words[line->level]);
        mg_text_add(p->out, line->dealt ? " dealt" : "");
        mg_text_add(p->out, line->edges ? " edges" : "");
        mg_text_add(p->out, line->skips ? " skip " : line->n_numbers ? " carry " : "");
        print_values(p, line);
        if (line->tail)
            mg_textf(p->out, " tail %s", mg_tail_words[line->tail]);
        break;
    case MG_LINE_STAGE:
        mg_text_add(p->out, "stage ");
        print_place(p, line);
        break;
    case MG_LINE_KEEP:
        mg_text_add(p->out, "keep ");
        print_place(p, line);
        break;
    case MG_LINE_DO:
        mg_text_add(p->out, "do ");
        print_values(p, line);
        if (line->atom)
            mg_textf(p->out, " with %s", mg_atom((MgAtom)(line->atom - 1))->word);
        if (line->at_last) {
            mg_text_add(p->out, " at last ");
            mg_nest_print_word(p->scope->indices.at[line->index].name, p->out);
        }
        print_way(p, line);
        break;
    case MG_LINE_JOIN:
        mg_text_add(p->out, "join ");
        print_values(p, line);
        mg_text_add(p->out, " over ");
        mg_nest_print_word(p->scope->indices.at[line->index].name, p->out);
        if (line->monoid)
            mg_textf(p->out, " by %s", mg_monoid((MgMonoid)(line->monoid - 1))->word);
        mg_textf(p->out, " in %s", mg_nest_space_words[line->space]);
        break;
    }
}

void mg_nest_print_line(const MgLine *line, const MgNestScope *scope, MgText *out) {
    Printer p = {scope, out};
    print_line(&p, line);
}

static void print_body(const Printer *p, const MgLine *outer, uint32_t indent) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        mg_textf(p->out, "%*s", 2 * (int)indent, "");
        print_line(p, outer->body.at[i]);
        mg_text_add(p->out, "\n");
        print_body(p, outer->body.at[i], indent + 1);
    }
}

void mg_nest_print(const MgNest *nest, const MgNestScope *scope, const MgNestName *name,
                   MgText *out) {
    Printer p = {scope, out};
    mg_text_add(out, "schedule ");
    print_name(name, out);
    mg_textf(out, " on %s\n", name->gpu ? "gpu" : "cpu");
    print_body(&p, &nest->root, 1);
}
