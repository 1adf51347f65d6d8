// Is a loop of a nest correct at its place: does its target have these levels, in these sizes?
#include "passes/nest/nest_check.h"

static int64_t extent_of(const MgNestChecker *c, uint32_t index) {
    MgIxTable *t = c->scope->g->module->ix;
    const MgLine *join = mg_nest_join_line(c->nest, index);
    uint32_t n = join ? join->n_numbers : 1;
    MgIx product = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < n; i++) {
        const MgNestIndex *x = &c->scope->indices.at[join ? join->numbers[i] : index];
        product = mg_ix_mul(t, product, mg_ix_sub(t, x->high, x->low));
    }
    int64_t extent;
    return mg_ix_is_const(t, product, &extent) ? extent : -1;
}

static bool has_index(const MgNestChecker *c, uint32_t equation, uint32_t index) {
    uint32_t at = c->scope->indices.at[index].position;
    return at < mg_nest_piece(c->scope, equation)->n_indices &&
           mg_nest_index(c->scope, equation, at) == index;
}

// Is an equation below the line one of all parts of a joint index?
static bool has_joint(const MgNestChecker *c, const MgLine *line, const MgLine *join) {
    for (uint32_t i = 0; i < line->n_numbers && line->kind == MG_LINE_DO; i++) {
        bool all = true;
        for (uint32_t k = 0; k < join->n_numbers; k++)
            all &= has_index(c, line->numbers[i], join->numbers[k]);
        if (all)
            return true;
    }
    for (uint32_t i = 0; i < line->body.len; i++)
        if (has_joint(c, line->body.at[i], join))
            return true;
    return false;
}

static bool check_walk(MgNestChecker *c, const MgLine *line, const MgWalk *w) {
    const char *name = mg_nest_index_name(c, w->index);
    for (uint32_t i = 0; i < c->nest->root.body.len; i++) {
        const MgLine *join = c->nest->root.body.at[i];
        if (join->kind == MG_LINE_INDEX && join->index != w->index &&
            mg_nest_covers(c->nest, join->index, w->index) && has_joint(c, line, join))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is part of '%s': walk that", name,
                                              mg_nest_index_name(c, join->index)));
    }
    if (mg_nest_is_walked(c->nest, c->loops, c->n_loops, w->index))
        return mg_nest_refuse(c, line,
                              mg_nest_say(c, "a loop around this one walks '%s' already", name));
    return true;
}

bool mg_nest_is_core(const MgLine *line) {
    return line->kind == MG_LINE_FOR && !line->walks[0].n_digits && line->level == MG_LEVEL_CORE;
}

static bool check_cores(MgNestChecker *c, const MgLine *line) {
    for (uint32_t i = 0; i < c->n_loops; i++)
        if (!mg_nest_is_core(c->loops[i]))
            return mg_nest_refuse(
                c, line, "a loop on cores cannot stand inside a loop that is not on cores");
    const MgLine *outer = c->n_loops ? c->loops[c->n_loops - 1] : &c->nest->root;
    for (uint32_t i = 0; i < outer->body.len; i++)
        if (outer->body.at[i] != line && outer->body.at[i]->kind != MG_LINE_INDEX)
            return mg_nest_refuse(
                c, outer->body.at[i],
                "no line can stand beside a loop on cores: every core would execute it");
    for (uint32_t i = 0; i < line->n_walks; i++)
        if (!mg_nest_is_shared(c, line->walks[i].index))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c,
                                              "'%s' is not an index that all equations share: only "
                                              "those can be divided among cores",
                                              mg_nest_index_name(c, line->walks[i].index)));
    return true;
}

// Are the digits `levels`, in this order? Those with a blank in `optional` are required.
static bool has_digits(const MgWalk *w, const MgLevel *levels, const char *optional, uint32_t n) {
    uint32_t d = 0;
    for (uint32_t i = 0; i < n; i++)
        if (d < w->n_digits && w->digits[d].level == levels[i])
            d++;
        else if (optional[i] == ' ')
            return false;
    return d == w->n_digits;
}

bool mg_nest_check_tail(MgNestChecker *c, const MgLine *line, uint32_t index, int64_t block) {
    int64_t extent = extent_of(c, index);
    if (line->tail == MG_TAIL_MASK || (extent >= 0 && extent % block == 0))
        return true;
    const char *name = mg_nest_index_name(c, index);
    return mg_nest_refuse(
        c, line,
        extent < 0 ? mg_nest_say(c, "the size of '%s' is open: add 'tail mask'", name)
                   : mg_nest_say(c,
                                 "'%s' has %lld position%s, which blocks of %lld do not "
                                 "divide: add 'tail mask'",
                                 name, (long long)extent, mg_plural(extent), (long long)block));
}

static bool ranges_follow(const MgNestChecker *c, uint32_t equation, uint32_t index) {
    MgIxTable *t = c->scope->g->module->ix;
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    const MgLine *join = mg_nest_join_line(c->nest, index);
    uint32_t at = c->scope->indices.at[join ? join->numbers[join->n_numbers - 1] : index].position;
    MgIxSym sym = mg_ix_index(t, at);
    for (uint32_t i = at + 1; i < p->n_indices; i++)
        if (mg_ix_mentions(t, p->indices[i].low, sym) || mg_ix_mentions(t, p->indices[i].high, sym))
            return true;
    return false;
}

static bool check_lanes(MgNestChecker *c, const MgLine *line) {
    static const MgLevel levels[] = {MG_LEVEL_TIME, MG_LEVEL_REG, MG_LEVEL_LANE};
    const MgWalk *w = line->walks;
    int64_t lane = mg_nest_digit(w, MG_LEVEL_LANE), reg = mg_nest_digit(w, MG_LEVEL_REG);
    const char *name = mg_nest_index_name(c, w->index);
    if (!has_digits(w, levels, " o ", 3) || w->digits[0].size)
        return mg_nest_refuse(
            c, line,
            "on a CPU the digits of an index are time(*), an optional reg(N), and lane(N)");
    if (!mg_nest_is_power(lane) || !mg_nest_is_power(reg) || lane < 2 || reg > c->limits.lanes ||
        lane > c->limits.lanes || lane * reg > c->limits.lanes)
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "lanes and registers are powers of two, of at least 2 lanes and at "
                        "most %u in all",
                        c->limits.lanes));
    for (uint32_t i = 0; i < line->body.len; i++) {
        const MgLine *l = line->body.at[i];
        if (l->kind != MG_LINE_DO &&
            (l->kind != MG_LINE_FOR || l->level != MG_LEVEL_REG || line->body.len > 1))
            return mg_nest_refuse(c, l, "below lanes there are only 'do' lines");
        for (uint32_t j = 0; j < l->n_numbers; j++) {
            bool bound = mg_nest_is_bound(c, l->numbers[j], w->index);
            if (bound && (line->body.len > 1 || l->n_numbers > 1))
                return mg_nest_refuse(
                    c, l,
                    mg_nest_say(c, "'%s' is summed in '%s': its loop has no other 'do'", name,
                                c->scope->names[l->numbers[j]]));
            if (ranges_follow(c, l->numbers[j], w->index))
                return mg_nest_refuse(c, line,
                                      mg_nest_say(c,
                                                  "the range of another index of '%s' depends on "
                                                  "'%s', so lanes cannot run along it",
                                                  c->scope->names[l->numbers[j]], name));
        }
    }
    return mg_nest_check_tail(c, line, line->walks->index, lane * reg);
}

// Does the line contain only single points of a loop's positions?
static bool has_only_dos(MgNestChecker *c, const MgLine *line) {
    for (uint32_t i = 0; i < line->body.len; i++)
        if (line->body.at[i]->kind != MG_LINE_DO)
            return mg_nest_refuse(c, line->body.at[i], "below lanes there are only 'do' lines");
    return true;
}

// A GPU's kernel must be one loop over the indices that all equations share.
static bool is_alone(MgNestChecker *c, const MgLine *line) {
    for (uint32_t i = 0; i < c->nest->root.body.len; i++) {
        const MgLine *other = c->nest->root.body.at[i];
        if (other != line && other->kind != MG_LINE_INDEX)
            return mg_nest_refuse(
                c, other, "on a GPU no line can stand beside the loop over the shared indices");
    }
    return true;
}

// The loop over rows; a group has one row or several.
static bool check_rows(MgNestChecker *c, const MgLine *line) {
    static const MgLevel across[] = {MG_LEVEL_CORE, MG_LEVEL_LANE},
                         along[] = {MG_LEVEL_CORE, MG_LEVEL_WARP};
    const MgWalk *w = line->walks;
    int64_t rows = mg_nest_digit(w, MG_LEVEL_LANE) * mg_nest_digit(w, MG_LEVEL_WARP);
    if (!(has_digits(w, along, " o", 2) || has_digits(w, across, "  ", 2)) || w->digits[0].size ||
        c->n_loops)
        return mg_nest_refuse(c, line,
                              "on a GPU the digits of the rows' index are core(*) and, for several "
                              "rows in a group, warp(N), or lane(N) if each lane has a row");
    if (!mg_nest_is_power(rows) || rows > c->limits.items)
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c, "the number of rows in a group must be a power of two, at most %u",
                        c->limits.items));
    return is_alone(c, line) && mg_nest_check_tail(c, line, line->walks->index, rows);
}

static bool same_digits(const MgWalk *a, const MgWalk *b) {
    bool same = a->n_digits == b->n_digits;
    for (uint32_t d = 0; same && d < a->n_digits; d++)
        same = a->digits[d].level == b->digits[d].level && a->digits[d].size == b->digits[d].size;
    return same;
}

// A loop along a row that the items of a group share: each item has the same elements in all
// equations.
static bool check_row(MgNestChecker *c, const MgLine *line) {
    enum { MOST_REGISTERS = 16 };
    const MgWalk *w = line->walks, *outer = c->n_loops ? c->loops[0]->walks : NULL;
    MgLevel shares =
        outer && mg_nest_has_digit(outer, MG_LEVEL_LANE) ? MG_LEVEL_WARP : MG_LEVEL_LANE;
    const MgLevel kept[] = {MG_LEVEL_REG, shares, MG_LEVEL_VEC},
                  read[] = {MG_LEVEL_TIME, MG_LEVEL_REG, shares, MG_LEVEL_VEC};
    bool keeps = has_digits(w, kept, "  o", 3) && !w->digits[0].size;
    if (!keeps && (!has_digits(w, read, " o o", 4) || w->digits[0].size))
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "on a GPU the digits of a row's index are reg(*), %s(N), and an optional "
                        "vec(N); or, to keep nothing, time(*), an optional reg(N), %s(N), and an "
                        "optional vec(N)",
                        mg_level_words[shares], mg_level_words[shares]));
    int64_t items = mg_nest_digit(w, shares), vec = mg_nest_digit(w, MG_LEVEL_VEC);
    int64_t reg = keeps ? 1 : mg_nest_digit(w, MG_LEVEL_REG);
    int64_t rows =
        outer ? mg_nest_digit(outer, MG_LEVEL_LANE) * mg_nest_digit(outer, MG_LEVEL_WARP) : 1;
    if (!mg_nest_is_power(items) || items > c->limits.items / rows || !mg_nest_is_power(vec) ||
        vec > c->limits.lanes || reg > MOST_REGISTERS)
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "items and vectors are powers of two, of at most %u items in all, 16 "
                        "registers and vectors of %u",
                        c->limits.items, c->limits.lanes));
    if (c->row && !same_digits(c->row->walks, w))
        return mg_nest_refuse(c, line,
                              "all loops along rows must have the same digits: an item has the "
                              "same elements in all of them");
    c->row = line;
    for (uint32_t i = 0; i < line->body.len; i++)
        for (uint32_t j = 0; j < line->body.at[i]->n_numbers; j++)
            if (line->body.at[i]->kind == MG_LINE_DO &&
                mg_nest_is_bound(c, line->body.at[i]->numbers[j], w->index) &&
                (line->body.len > 1 || line->body.at[i]->n_numbers > 1))
                return mg_nest_refuse(
                    c, line->body.at[i],
                    mg_nest_say(c, "'%s' is summed in '%s': its loop has no other 'do'",
                                mg_nest_index_name(c, w->index),
                                c->scope->names[line->body.at[i]->numbers[j]]));
    return has_only_dos(c, line) &&
           mg_nest_check_tail(c, line, line->walks->index, items * vec * reg);
}

enum { MOST_REGISTERS = 16 };

// The loop around one whose positions the items of a group share.
static bool check_around(MgNestChecker *c, const MgLine *line) {
    const MgLine *inner = line->body.at[0];
    if (line->body.len > 1 || !mg_nest_is_shared(c, inner->walks->index))
        return mg_nest_refuse(c, inner, "below core(*) alone one loop walks the last shared index");
    return is_alone(c, line) && mg_nest_check_tail(c, line, line->walks->index, 1);
}

// The loop inside that one.
static bool check_along(MgNestChecker *c, const MgLine *line) {
    static const MgLevel levels[] = {MG_LEVEL_TIME, MG_LEVEL_REG, MG_LEVEL_LANE};
    const MgWalk *w = line->walks;
    int64_t items = mg_nest_digit(w, MG_LEVEL_LANE), reg = mg_nest_digit(w, MG_LEVEL_REG);
    if (!has_digits(w, levels, " o ", 3) || w->digits[0].size || c->n_loops > 1 ||
        !mg_nest_is_power(items) || items > c->limits.items || reg < 1 || reg > MOST_REGISTERS)
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "on a GPU the digits of an index below core(*) alone are time(*), an "
                        "optional reg(N) of at most 16, and lane(N), a power of two of at most %u",
                        c->limits.items));
    return has_only_dos(c, line) && mg_nest_check_tail(c, line, line->walks->index, items * reg);
}

static bool check_items(MgNestChecker *c, const MgLine *line) {
    static const MgLevel levels[] = {MG_LEVEL_TIME, MG_LEVEL_CORE, MG_LEVEL_REG, MG_LEVEL_LANE,
                                     MG_LEVEL_VEC};
    const MgWalk *w = line->walks;
    if (c->n_loops)
        return check_along(c, line);
    if (w->n_digits == 1 && w->digits[0].level == MG_LEVEL_CORE && !w->digits[0].size &&
        line->body.at[0]->kind == MG_LINE_FOR)
        return check_around(c, line);
    bool limited = w->digits[0].level == MG_LEVEL_TIME;
    if (!has_digits(w, levels, "o o o", 5) || (limited && w->digits[0].size) ||
        limited != (mg_nest_digit(w, MG_LEVEL_CORE) > 0))
        return mg_nest_refuse(
            c, line,
            "on a GPU the digits of the index are core(*), an optional reg(N), lane(N), and an "
            "optional vec(N); or, for a number of groups, time(*) core(N) in front");
    int64_t items = mg_nest_digit(w, MG_LEVEL_LANE), reg = mg_nest_digit(w, MG_LEVEL_REG);
    int64_t vec = mg_nest_digit(w, MG_LEVEL_VEC);
    if (!mg_nest_is_power(items) || items > c->limits.items || reg < 1 || reg > MOST_REGISTERS ||
        !mg_nest_is_power(vec) || vec > c->limits.lanes ||
        mg_nest_digit(w, MG_LEVEL_CORE) > INT32_MAX)
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "lanes and vectors are powers of two, of at most %u lanes, 16 "
                        "registers and vectors of %u",
                        c->limits.items, c->limits.lanes));
    return has_only_dos(c, line) && is_alone(c, line) &&
           mg_nest_check_tail(c, line, line->walks->index, items * reg * vec);
}

// A loop on registers is below lanes, which it interleaves, or around sums along lanes, for all
// positions of a block.
static bool check_registers(MgNestChecker *c, const MgLine *line) {
    const MgLine *outer = c->n_loops ? c->loops[c->n_loops - 1] : NULL;
    uint32_t index = line->walks->index, first = 0;
    bool below = outer && outer->walks->n_digits;
    while (!below && first < line->body.len && line->body.at[first]->kind == MG_LINE_FOR &&
           line->body.at[first]->walks->n_digits &&
           line->body.at[first]->body.at[0]->kind == MG_LINE_DO)
        first++;
    for (uint32_t i = first; i < line->body.len; i++)
        if (line->body.at[i]->kind != MG_LINE_DO)
            return mg_nest_refuse(c, line->body.at[i],
                                  "below registers there are only 'do' lines, or lanes along one "
                                  "sum and then 'do' lines");
    int64_t by = outer ? outer->walks[outer->n_walks - 1].by : 0, extent = extent_of(c, index);
    if (line->n_walks > 1 || (!below && (first != 1 || outer == NULL || by > MG_MOST_TOGETHER ||
                                         outer->walks[outer->n_walks - 1].index != index || !by ||
                                         extent < 0 || extent % by)))
        return mg_nest_refuse(
            c, line,
            mg_nest_say(c,
                        "a loop on registers is over one index, directly below lanes, or directly "
                        "below blocks of it, at most %d positions and whole ones, around lanes "
                        "along a sum",
                        MG_MOST_TOGETHER));
    return true;
}

bool mg_nest_check_for(MgNestChecker *c, const MgLine *line) {
    if (!line->body.len)
        return mg_nest_refuse(c, line, "there are no lines below the loop");
    if (c->n_loops == MG_NEST_DEPTH)
        return mg_nest_refuse(c, line, "loops can be nested at most 64 deep");
    bool digits = false;
    if (line->edges)
        return mg_nest_refuse(c, line, "only windows have code of their own for edges");
    if (line->n_numbers)
        return mg_nest_refuse(c, line,
                              mg_nest_say(c, "'%s' is no running sum, so no loop carries it",
                                          c->scope->names[line->numbers[0]]));
    if (line->dealt || line->walks[0].block)
        return mg_nest_refuse(c, line, "only a contraction's blocks are dealt, parts or trips");
    for (uint32_t i = 0; i < line->n_walks; i++) {
        if (!check_walk(c, line, &line->walks[i]))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (line->walks[j].index == line->walks[i].index)
                return mg_nest_refuse(c, line,
                                      mg_nest_say(c, "the line walks '%s' twice",
                                                  mg_nest_index_name(c, line->walks[i].index)));
        digits |= line->walks[i].n_digits > 0;
    }
    if (line == c->tile)
        return mg_nest_check_tile(c, line);
    for (uint32_t i = 0; i < c->n_loops; i++)
        if (c->loops[i] == c->tile)
            return true; // it was checked with the tile
    if (digits && (line->n_walks > 1 || line->level != MG_LEVEL_TIME))
        return mg_nest_refuse(c, line, "a loop with digits walks one index and has no 'on'");
    if (digits)
        return (!c->nest->gpu                               ? check_lanes
                : !mg_nest_is_shared(c, line->walks->index) ? check_row
                : c->rows                                   ? check_rows
                                                            : check_items)(c, line);
    if (c->nest->gpu)
        return mg_nest_refuse(c, line,
                              "on a GPU the loop's index has digits, such as core(*) lane(256)");
    if (line->tail)
        return mg_nest_refuse(c, line, "a tail belongs to lanes");
    if (line->level == MG_LEVEL_CORE)
        return check_cores(c, line);
    if (line->level == MG_LEVEL_REG)
        return check_registers(c, line);
    return line->level == MG_LEVEL_TIME ||
           mg_nest_refuse(
               c, line,
               "a loop is on cores or on nobody; lanes and registers are digits, such as "
               "time(*) reg(2) lane(8)");
}
