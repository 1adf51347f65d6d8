// Lines of nests: adding, finding and comparing them.
#include "passes/nest/nest.h"

#include <string.h>

// ---------------------------------------------------------------- adding

MgLine *mg_nest_add(MgArena *arena, MgLine *outer, MgLineKind kind) {
    MgLine *line = MG_NEW(arena, MgLine);
    line->kind = kind;
    mg_push(arena, &outer->body, line);
    return line;
}

MgLine *mg_nest_add_for(MgArena *arena, MgLine *outer, uint32_t n_walks) {
    MgLine *line = mg_nest_add(arena, outer, MG_LINE_FOR);
    line->n_walks = n_walks;
    line->walks = MG_NEW_N(arena, MgWalk, n_walks);
    return line;
}

MgLine *mg_nest_add_grid(MgArena *arena, MgLine *outer, const MgNestScope *scope, uint64_t without,
                         MgWalk blocks, bool cores) {
    uint32_t n = 0, free = mg_nest_piece(scope, 0)->n_free;
    MgWalk *walks = MG_NEW_N(arena, MgWalk, free + 1);
    for (uint32_t i = 0; i < free; i++) {
        uint32_t index = mg_nest_index(scope, 0, i);
        if (!(without >> i & 1) && !mg_nest_is_single(scope, index))
            walks[n++].index = index;
    }
    if (blocks.by)
        walks[n++] = blocks;
    if (!n)
        return outer;
    return mg_nest_add_walks(arena, outer, cores ? MG_LEVEL_CORE : MG_LEVEL_TIME, walks, n);
}

MgLine *mg_nest_add_blocks(MgArena *arena, MgLine *outer, uint32_t index, int64_t by) {
    return mg_nest_add_walks(arena, outer, MG_LEVEL_TIME, &(MgWalk){.index = index, .by = by}, 1);
}

void mg_nest_add_digit(MgWalk *w, MgLevel level, int64_t size) {
    w->digits[w->n_digits++] = (MgDigit){level, size};
}

MgLine *mg_nest_add_lanes(MgArena *arena, MgLine *outer, uint32_t index, int64_t vectors,
                          int64_t lanes, int64_t extent) {
    MgLine *line = mg_nest_add_blocks(arena, outer, index, 0);
    mg_nest_add_digit(line->walks, MG_LEVEL_TIME, 0);
    if (vectors > 1)
        mg_nest_add_digit(line->walks, MG_LEVEL_REG, vectors);
    mg_nest_add_digit(line->walks, MG_LEVEL_LANE, lanes);
    if (extent < 0 || extent % (vectors * lanes))
        line->tail = MG_TAIL_MASK;
    return line;
}

MgLine *mg_nest_add_walks(MgArena *arena, MgLine *outer, MgLevel level, const MgWalk *walks,
                          uint32_t n) {
    MgLine *line = mg_nest_add(arena, outer, MG_LINE_FOR);
    line->walks = mg_arena_copy(arena, walks, n, sizeof *walks);
    line->n_walks = n;
    line->level = level;
    return line;
}

MgLine *mg_nest_add_registers(MgArena *arena, MgLine *outer, uint32_t index, int64_t n,
                              uint32_t along, int64_t vectors, int64_t lanes) {
    MgWalk walks[] = {{.index = index, .digits = {{MG_LEVEL_REG, n}}, .n_digits = 1},
                      {.index = along}};
    if (vectors > 1)
        mg_nest_add_digit(&walks[1], MG_LEVEL_REG, vectors);
    mg_nest_add_digit(&walks[1], MG_LEVEL_LANE, lanes);
    return mg_nest_add_walks(arena, outer, MG_LEVEL_TIME, n ? walks : walks + 1, n ? 2 : 1);
}

MgLine *mg_nest_add_numbers(MgArena *arena, MgLine *outer, MgLineKind kind, uint32_t first,
                            uint32_t n) {
    MgLine *line = mg_nest_add(arena, outer, kind);
    line->n_numbers = n;
    line->numbers = MG_NEW_N(arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        line->numbers[i] = first + i;
    return line;
}

uint32_t mg_nest_joined(const MgNest *nest, const uint32_t *indices, uint32_t n) {
    if (n == 1)
        return indices[0];
    for (uint32_t i = 0; i < nest->root.body.len; i++) {
        const MgLine *line = nest->root.body.at[i];
        if (line->kind == MG_LINE_INDEX && line->n_numbers == n &&
            !memcmp(line->numbers, indices, n * sizeof *indices))
            return line->index;
    }
    return UINT32_MAX;
}

uint32_t mg_nest_add_joined(MgNest *nest, MgNestScope *scope, MgArena *arena,
                            const uint32_t *indices, uint32_t n) {
    uint32_t known = mg_nest_joined(nest, indices, n);
    if (known < UINT32_MAX)
        return known;
    MgLine *line = mg_nest_add_numbers(arena, &nest->root, MG_LINE_INDEX, 0, n);
    memcpy(line->numbers, indices, n * sizeof *indices);
    return line->index = mg_nest_join(scope, arena, NULL);
}

typedef struct Reads {
    MgArena *arena;
    const MgNestScope *scope;
    uint32_t equation;
    MG_VEC(uint32_t) all; // numbers of the scope
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind != MG_SX_READ)
        return;
    uint32_t number = 0;
    MgValueId v = mg_op(r->scope->g, r->scope->ops[r->equation])->operands[x->operand];
    while (number < r->scope->reads.len && r->scope->reads.at[number].value != v)
        number++;
    if (number == r->scope->reads.len)
        return; // the unit computes it
    for (uint32_t i = 0; i < r->all.len; i++)
        if (r->all.at[i] == number)
            return;
    mg_push(r->arena, &r->all, number);
}

MgLine *mg_nest_add_stage(MgArena *arena, MgLine *outer, const MgNestScope *scope,
                          uint32_t equation, const MgSx *x) {
    MgLine *line = mg_nest_add(arena, outer, MG_LINE_STAGE);
    Reads r = {.arena = arena, .scope = scope, .equation = equation};
    mg_sx_walk(x, see_read, &r);
    line->numbers = r.all.at;
    line->n_numbers = r.all.len;
    return line;
}

MgLine *mg_nest_set_copy(MgArena *arena, MgLine *stage, MgNestSpace space, MgNestWay way,
                         const MgNestAxis *axes, uint32_t n) {
    stage->space = space;
    stage->way = way;
    stage->axes = mg_arena_copy(arena, axes, n, sizeof *axes);
    stage->n_axes = n;
    return stage;
}

// ---------------------------------------------------------------- finding

bool mg_nest_is_single(const MgNestScope *scope, uint32_t index) {
    MgIxTable *t = scope->g->module->ix;
    const MgNestIndex *i = &scope->indices.at[index];
    return i->position < UINT32_MAX && mg_ix_sub(t, i->high, i->low) == mg_ix_const(t, 1);
}

const MgLine *mg_nest_find(const MgLine *outer, MgNestTest *is, const void *ctx) {
    const MgLine *found = NULL;
    for (uint32_t i = 0; i < outer->body.len && !found; i++) {
        const MgLine *line = outer->body.at[i];
        found = is(ctx, line) ? line : mg_nest_find(line, is, ctx);
    }
    return found;
}

static bool is_kind(const void *ctx, const MgLine *line) {
    return line->kind == *(const MgLineKind *)ctx;
}

static bool is_on(const void *ctx, const MgLine *line) {
    return line->level == *(const MgLevel *)ctx;
}

const MgLine *mg_nest_find_kind(const MgLine *outer, MgLineKind kind) {
    return mg_nest_find(outer, is_kind, &kind);
}

const MgLine *mg_nest_find_level(const MgLine *outer, MgLevel level) {
    return mg_nest_find(outer, is_on, &level);
}

static bool is_stage(const void *ctx, const MgLine *line) {
    const uint32_t *axes = ctx;
    return line->kind == MG_LINE_STAGE && line->n_axes >= 2 && line->axes[0].index == axes[0] &&
           line->axes[1].index == axes[1];
}

const MgLine *mg_nest_find_stage(const MgLine *outer, uint32_t across, uint32_t along) {
    const uint32_t axes[] = {across, along};
    return mg_nest_find(outer, is_stage, axes);
}

MgNestFound mg_nest_find_blocks(const MgLine *outer, uint32_t index) {
    MgNestFound found = {0};
    for (uint32_t i = 0; i < outer->body.len && !found.line; i++) {
        const MgLine *line = outer->body.at[i];
        for (uint32_t w = 0; w < line->n_walks && !found.line; w++)
            if (line->walks[w].index == index && line->walks[w].by && !line->walks[w].block)
                found = (MgNestFound){line, &line->walks[w]};
        if (!found.line)
            found = mg_nest_find_blocks(line, index);
    }
    return found;
}

MgNestFound mg_nest_find_digit_of(const MgLine *outer, uint32_t index, MgLevel level) {
    MgNestFound found = {0};
    for (uint32_t i = 0; i < outer->body.len && !found.line; i++) {
        const MgLine *line = outer->body.at[i];
        for (uint32_t w = 0; w < line->n_walks && !found.line; w++)
            if ((index == UINT32_MAX || line->walks[w].index == index) &&
                mg_nest_has_digit(&line->walks[w], level))
                found = (MgNestFound){line, &line->walks[w]};
        if (!found.line)
            found = mg_nest_find_digit_of(line, index, level);
    }
    return found;
}

// ---------------------------------------------------------------- comparing

static bool same_walk(const MgWalk *a, const MgWalk *b) {
    bool same = a->index == b->index && a->by == b->by && a->block == b->block &&
                a->n_digits == b->n_digits;
    for (uint32_t d = 0; same && d < a->n_digits; d++)
        same = a->digits[d].level == b->digits[d].level && a->digits[d].size == b->digits[d].size;
    return same;
}

static bool same_line(const MgLine *a, const MgLine *b) {
    bool same = a->kind == b->kind && a->n_walks == b->n_walks && a->n_axes == b->n_axes &&
                a->n_numbers == b->n_numbers && a->level == b->level && a->tail == b->tail &&
                a->dealt == b->dealt && a->skips == b->skips && a->edges == b->edges &&
                a->space == b->space && a->way == b->way && a->atom == b->atom &&
                a->monoid == b->monoid && a->at_last == b->at_last && a->index == b->index;
    for (uint32_t i = 0; same && i < a->n_walks; i++)
        same = same_walk(&a->walks[i], &b->walks[i]);
    for (uint32_t i = 0; same && i < a->n_axes; i++)
        same = a->axes[i].index == b->axes[i].index && a->axes[i].by == b->axes[i].by &&
               a->axes[i].plus == b->axes[i].plus;
    for (uint32_t i = 0; same && i < a->n_numbers; i++)
        same = a->numbers[i] == b->numbers[i];
    return same;
}

typedef struct Comparison {
    MgSession *session;
    const MgNestScope *scope;
    const char *what;
} Comparison;

static bool differ(const Comparison *c, const MgLine *outer, const MgLine *given,
                   const MgLine *wanted) {
    MgText text = mg_text(c->session->arena);
    mg_textf(&text, "%s with these loops has ", c->what);
    if (wanted) {
        mg_text_add(&text, "'");
        mg_nest_print_line(wanted, c->scope, &text);
    }
    mg_text_add(&text, !wanted ? "no such line" : given ? "' here" : "' at the end of these lines");
    mg_diag(c->session, (given ? given : outer)->span, MG_D_schedule_wrong, mg_text_str(&text));
    return false;
}

static bool compare(const Comparison *c, const MgLine *given, const MgLine *wanted) {
    for (uint32_t i = 0; i < given->body.len || i < wanted->body.len; i++) {
        const MgLine *a = i < given->body.len ? given->body.at[i] : NULL;
        const MgLine *b = i < wanted->body.len ? wanted->body.at[i] : NULL;
        if (!a || !b || !same_line(a, b))
            return differ(c, given, a, b);
        if (!compare(c, a, b))
            return false;
    }
    return true;
}

bool mg_nest_compare(MgSession *session, const MgNest *given, const MgNest *wanted,
                     const MgNestScope *scope, const char *what) {
    Comparison c = {session, scope, what};
    return compare(&c, &given->root, &wanted->root);
}
