// Tiles: blocks of two indices. Values that don't lie along them are staged.
#include "passes/nest/nest_check.h"

enum { MOST_SIDE = 16 }; // rows of a tile in registers

// Is it the line's only walk, over this index, with this digit alone?
static bool walks_side(const MgLine *line, uint32_t index, MgLevel level, int64_t side) {
    return line->kind == MG_LINE_FOR && line->n_walks == 1 && line->walks->index == index &&
           line->level == MG_LEVEL_TIME && !line->tail && line->walks->n_digits == 1 &&
           line->walks->digits[0].level == level && line->walks->digits[0].size == side;
}

static bool has_shape(const MgLine *line) {
    uint32_t last = line->body.len - 1;
    if (line->kind != MG_LINE_FOR || line->n_walks != 2 || line->level != MG_LEVEL_TIME)
        return false;
    int64_t side = line->walks[1].by;
    if (line->walks[0].by != side || !mg_nest_is_power(side) || side < 2 || side > MOST_SIDE)
        return false;
    for (uint32_t i = 0; i < last; i++)
        if (line->body.at[i]->kind != MG_LINE_STAGE)
            return false;
    const MgLine *p = line->body.at[last], *q = p->body.len == 1 ? p->body.at[0] : NULL;
    if (!q || !walks_side(p, line->walks[0].index, MG_LEVEL_REG, side) ||
        !walks_side(q, line->walks[1].index, MG_LEVEL_LANE, side))
        return false;
    for (uint32_t i = 0; i < q->body.len; i++)
        if (q->body.at[i]->kind != MG_LINE_DO)
            return false;
    return true;
}

// Tiles must end where the blocks around them end.
static bool fills_blocks(MgNestChecker *c, const MgLine *line, const MgWalk *side) {
    for (uint32_t l = 0; l < c->n_loops; l++)
        for (uint32_t w = 0; w < c->loops[l]->n_walks; w++) {
            const MgWalk *outer = &c->loops[l]->walks[w];
            if (outer->index == side->index && outer->by % side->by)
                return mg_nest_refuse(
                    c, line,
                    mg_nest_say(c,
                                "tiles of %lld do not fill the blocks of %lld of '%s' around them",
                                (long long)side->by, (long long)outer->by,
                                mg_nest_index_name(c, side->index)));
        }
    return true;
}

bool mg_nest_check_tile(MgNestChecker *c, const MgLine *line) {
    if (c->nest->gpu)
        return mg_nest_refuse(c, line, "tiles on a GPU have no schedule as text yet");
    if (!has_shape(line))
        return mg_nest_refuse(
            c, line,
            "a tile is 'for i by S, j by S' with the lines 'stage NAMES in reg by "
            "turn' and 'for i = reg(S)', in which 'for j = lane(S)' has all 'do' "
            "lines; S is a power of two of at most 16");
    for (uint32_t i = 0; i < line->n_walks; i++) {
        const MgWalk *w = &line->walks[i];
        if (!mg_nest_is_shared(c, w->index))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is not an index that all equations share",
                                              mg_nest_index_name(c, w->index)));
        if (!fills_blocks(c, line, w) || !mg_nest_check_tail(c, line, w->index, w->by))
            return false;
    }
    return true;
}

bool mg_nest_check_stage(MgNestChecker *c, const MgLine *line, const MgLine *outer) {
    if (outer != c->tile || outer->kind != MG_LINE_FOR)
        return mg_nest_refuse(c, line,
                              "only one tile can have 'stage' lines: 'for i by S, j by S'");
    if (line->space != MG_NEST_SPACE_REG || line->way != MG_WAY_TURN || line->n_axes)
        return mg_nest_refuse(c, line, "a tile is staged 'in reg by turn'");
    if (!line->n_numbers)
        return mg_nest_refuse(c, line, "a tile stages values that are read");
    for (uint32_t i = 0; i < line->n_numbers; i++)
        for (uint32_t b = 0; b < outer->body.len && outer->body.at[b]->kind == MG_LINE_STAGE; b++)
            for (uint32_t j = 0; j < outer->body.at[b]->n_numbers; j++)
                if (outer->body.at[b]->numbers[j] == line->numbers[i] &&
                    (outer->body.at[b] != line || j != i))
                    return mg_nest_refuse(c, line,
                                          mg_nest_say(c, "'%s' is staged twice",
                                                      c->scope->reads.at[line->numbers[i]].name));
    return true;
}

// ---------------------------------------------------------------- whole lines

// The block length of an index in an enclosing loop on cores.
static int64_t core_block(const MgNestChecker *c, uint32_t index) {
    for (uint32_t l = 0; l < c->n_loops; l++)
        for (uint32_t w = 0; w < c->loops[l]->n_walks; w++)
            if (c->loops[l]->walks[w].index == index)
                return c->loops[l]->walks[w].by;
    return 0;
}

// The loop over blocks of a tile's side that makes up a body, after its first lines.
static const MgLine *only_block(const MgLine *outer, uint32_t first, uint32_t index) {
    const MgLine *line = outer->body.len == first + 1 ? outer->body.at[first] : NULL;
    bool is = line && line->kind == MG_LINE_FOR && line->n_walks == 1 && line->walks->by &&
              line->walks->index == index && line->level == MG_LEVEL_TIME;
    return is ? line : NULL;
}

bool mg_nest_check_lines(MgNestChecker *c, const MgLine *line) {
    enum { LEAST = 128 }; // elements: two of the smallest cache lines
    const MgLine *outer = c->n_loops ? c->loops[c->n_loops - 1] : NULL;
    const MgWalk *side = c->tile && c->tile->n_walks == 2 && !c->nest->gpu ? c->tile->walks : NULL;
    const MgLine *q = side && outer ? only_block(outer, 1, side[1].index) : NULL;
    const MgLine *p = q ? only_block(q, 0, side[0].index) : NULL;
    if (line->way != MG_WAY_LINES || !p || p->body.len != 1 || p->body.at[0] != c->tile ||
        !mg_nest_is_core(outer) || outer->body.at[0] != line)
        return mg_nest_refuse(c, line,
                              "'keep NAME in mem by lines' is the first line in a loop on cores "
                              "over blocks of a tile's sides i and j; it is followed by 'for j by "
                              "N' and, in that, 'for i by N' with the tile");
    int64_t rows = core_block(c, side[0].index), span = core_block(c, side[1].index);
    if (!rows || !span || rows % p->walks->by || span % q->walks->by || q->walks->by % LEAST)
        return mg_nest_refuse(c, line,
                              "blocks inside fill those on cores, and a block has a multiple of "
                              "128 elements of a row");
    for (uint32_t i = 0; i < c->nest->depth; i++) {
        uint32_t index = mg_nest_index(c->scope, 0, i);
        if (!mg_nest_is_single(c->scope, index) &&
            !mg_nest_is_walked(c->nest, c->loops, c->n_loops, index) &&
            !mg_nest_covers(c->nest, side[0].index, index) &&
            !mg_nest_covers(c->nest, side[1].index, index))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is not walked around this line",
                                              mg_nest_index_name(c, index)));
    }
    if (line->n_numbers != 1 || c->scope->n_ops != 1)
        return mg_nest_refuse(c, line,
                              "only the value of a single equation can be stored in whole lines");
    return true;
}
