// Is a nest right for its unit? A wrong one is refused with its line and the reason.
#include "passes/nest/nest.h"

// Where an equation is computed.
typedef struct Done {
    const MgLine *line, *body;          // its own, and that in whose body its value is
    const MgLine *kept;                 // in whose body a line keeps it; NULL: none does
    const MgLine *loops[MG_NEST_DEPTH]; // around it, the outermost first
    uint32_t n_loops, order;            // order: among all equations
} Done;

typedef struct Checker {
    MgSession *session;
    const MgNest *nest;
    const MgNestScope *scope;
    const MgValueId *outputs;
    uint32_t n_outputs;
    MgNestLimits limits;
    Done *done;                         // by equation
    const MgLine *loops[MG_NEST_DEPTH]; // around the line that is looked at
    uint32_t n_loops, n_done;
    bool failed;
} Checker;

static bool refuse(Checker *c, const MgLine *line, const char *why) {
    if (!c->failed)
        mg_diag(c->session, line->span, MG_D_schedule_wrong, why);
    c->failed = true;
    return false;
}

// ---------------------------------------------------------------- what lines walk

static const char *index_name(const Checker *c, uint32_t index) {
    return c->scope->indices.at[index].name;
}

// Does walking `walked` walk `index`: is it that, or joined to it?
static bool covers(const MgNest *nest, uint32_t walked, uint32_t index) {
    const MgLine *join = mg_nest_join_line(nest, walked);
    for (uint32_t i = 0; join && i < join->n_numbers; i++)
        if (join->numbers[i] == index)
            return true;
    return walked == index;
}

// Do these loops take each position of the index apart?
static bool is_walked(const MgNest *nest, const MgLine *const *loops, uint32_t n, uint32_t index) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < loops[i]->n_walks; w++)
            if (!loops[i]->walks[w].by && covers(nest, loops[i]->walks[w].index, index))
                return true;
    return false;
}

static bool is_single(const MgNestScope *scope, uint32_t index) {
    MgIxTable *t = scope->g->module->ix;
    const MgNestIndex *i = &scope->indices.at[index];
    return i->position < UINT32_MAX && mg_ix_sub(t, i->high, i->low) == mg_ix_const(t, 1);
}

// ---------------------------------------------------------------- reads

typedef struct Reads { // of one value by one equation
    const MgNestScope *scope;
    const MgOp *op;
    MgValueId value;
    uint32_t first, n; // subscripts that are to be plain indices
    bool any, plain;
} Reads;

static void see_read(void *ctx, const MgSx *x) {
    Reads *r = ctx;
    if (x->kind != MG_SX_READ || r->op->operands[x->operand] != r->value)
        return;
    r->any = true;
    MgIxTable *t = r->scope->g->module->ix;
    for (uint32_t i = r->first; i < r->n; i++)
        r->plain &=
            i < x->n_args && x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(t, i);
}

// Reads of equation `by` from `of`'s value; are subscripts first to n the reader's own indices?
static Reads reads_of(const MgNestScope *scope, uint32_t by, uint32_t of, uint32_t first,
                      uint32_t n) {
    const MgOp *op = mg_op(scope->g, scope->ops[by]);
    Reads r = {scope, op, mg_op(scope->g, scope->ops[of])->results[0], first, n, false, true};
    mg_sx_walk(mg_nest_piece(scope, by)->expr, see_read, &r);
    return r;
}

// The loops and the body of an equation's line. False if no line computes it.
static bool find(const MgLine *outer, uint32_t equation, Done *d) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *l = outer->body.at[i];
        for (uint32_t j = 0; l->kind == MG_LINE_DO && j < l->n_numbers; j++)
            if (l->numbers[j] == equation) {
                d->line = l;
                d->body = outer;
                return true;
            }
        if (l->kind != MG_LINE_FOR || d->n_loops == MG_NEST_DEPTH)
            continue;
        d->loops[d->n_loops++] = l;
        if (find(l, equation, d))
            return true;
        d->n_loops--;
    }
    return false;
}

// Are all of its own indices, past the shared ones, walked around it?
static bool is_point(const MgNest *nest, const MgNestScope *scope, uint32_t equation,
                     const Done *d) {
    const MgPiece *p = mg_nest_piece(scope, equation);
    for (uint32_t i = nest->depth; i < p->n_free; i++)
        if (!is_walked(nest, d->loops, d->n_loops, mg_nest_index(scope, equation, i)))
            return false;
    return true;
}

bool mg_nest_reads_beside(const MgNestScope *scope, const MgNest *nest, uint32_t equation) {
    Done d = {0};
    if (!find(&nest->root, equation, &d) || !is_point(nest, scope, equation, &d))
        return false;
    bool behind = false;
    for (uint32_t i = 0; i < d.body->body.len; i++) {
        const MgLine *l = d.body->body.at[i];
        for (uint32_t j = 0; l->kind == MG_LINE_DO && j < l->n_numbers; j++) {
            if (behind && reads_of(scope, l->numbers[j], equation, 0, 0).any)
                return true;
            behind |= l->numbers[j] == equation;
        }
    }
    return false;
}

// ---------------------------------------------------------------- loops

static bool is_bound(const Checker *c, uint32_t equation, uint32_t index) {
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    uint32_t at = c->scope->indices.at[index].position;
    return at < p->n_indices && at >= p->n_free && mg_nest_index(c->scope, equation, at) == index;
}

// Has the equation the index, as a free one?
static bool is_free(const Checker *c, uint32_t equation, uint32_t index) {
    const MgLine *join = mg_nest_join_line(c->nest, index);
    if (join)
        index = join->numbers[0];
    uint32_t at = c->scope->indices.at[index].position;
    return at < mg_nest_piece(c->scope, equation)->n_free &&
           mg_nest_index(c->scope, equation, at) == index;
}

static bool is_shared(const Checker *c, uint32_t index) {
    return mg_nest_join_line(c->nest, index) ||
           c->scope->indices.at[index].position < c->nest->depth;
}

// Positions of the index, -1 if that is open.
static int64_t extent_of(const Checker *c, uint32_t index) {
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

static const char *say(Checker *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(c->session->arena, format, args);
    va_end(args);
    return text;
}

static bool check_walk(Checker *c, const MgLine *line, const MgWalk *w) {
    const char *name = index_name(c, w->index);
    for (uint32_t i = 0; i < c->nest->root.body.len; i++) {
        const MgLine *join = c->nest->root.body.at[i];
        if (join->kind == MG_LINE_INDEX && join->index != w->index &&
            covers(c->nest, join->index, w->index))
            return refuse(
                c, line,
                say(c, "'%s' is part of '%s': walk that", name, index_name(c, join->index)));
    }
    if (is_walked(c->nest, c->loops, c->n_loops, w->index))
        return refuse(c, line, say(c, "a loop around this one walks '%s' already", name));
    return true;
}

static bool is_power(int64_t n) {
    return n > 0 && !(n & (n - 1));
}

static bool is_core(const MgLine *line) {
    return line->kind == MG_LINE_FOR && !line->walks[0].n_digits && line->level == MG_LEVEL_CORE;
}

static bool check_cores(Checker *c, const MgLine *line) {
    for (uint32_t i = 0; i < c->n_loops; i++)
        if (!is_core(c->loops[i]))
            return refuse(c, line, "a loop on cores stands in no loop that is not on cores");
    const MgLine *outer = c->n_loops ? c->loops[c->n_loops - 1] : &c->nest->root;
    for (uint32_t i = 0; i < outer->body.len; i++)
        if (outer->body.at[i] != line && outer->body.at[i]->kind != MG_LINE_INDEX)
            return refuse(c, outer->body.at[i],
                          "no line stands beside a loop on cores: every core would do it");
    for (uint32_t i = 0; i < line->n_walks; i++)
        if (!is_shared(c, line->walks[i].index))
            return refuse(c, line,
                          say(c,
                              "'%s' is not an index that all equations share: cores share out "
                              "only those",
                              index_name(c, line->walks[i].index)));
    return true;
}

// The digits are `levels` in this order, of which those with a blank in `optional` have to be there.
static bool has_digits(const MgWalk *w, const MgLevel *levels, const char *optional, uint32_t n) {
    uint32_t d = 0;
    for (uint32_t i = 0; i < n; i++)
        if (d < w->n_digits && w->digits[d].level == levels[i])
            d++;
        else if (optional[i] == ' ')
            return false;
    return d == w->n_digits;
}

static int64_t digit(const MgWalk *w, MgLevel level) {
    for (uint32_t d = 0; d < w->n_digits; d++)
        if (w->digits[d].level == level)
            return w->digits[d].size;
    return 1;
}

static bool check_tail(Checker *c, const MgLine *line, int64_t block) {
    int64_t extent = extent_of(c, line->walks->index);
    if (line->tail == MG_TAIL_MASK || (extent >= 0 && extent % block == 0))
        return true;
    const char *name = index_name(c, line->walks->index);
    return refuse(c, line,
                  extent < 0 ? say(c, "the size of '%s' is open: add 'tail mask'", name)
                             : say(c,
                                   "'%s' has %lld positions, which blocks of %lld do not "
                                   "divide: add 'tail mask'",
                                   name, (long long)extent, (long long)block));
}

static bool ranges_follow(const Checker *c, uint32_t equation, uint32_t index) {
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

static bool check_lanes(Checker *c, const MgLine *line) {
    static const MgLevel levels[] = {MG_LEVEL_TIME, MG_LEVEL_REG, MG_LEVEL_LANE};
    const MgWalk *w = line->walks;
    int64_t lane = digit(w, MG_LEVEL_LANE), reg = digit(w, MG_LEVEL_REG);
    const char *name = index_name(c, w->index);
    if (!has_digits(w, levels, " o ", 3) || w->digits[0].size)
        return refuse(c, line, "on a CPU an index has the digits time(*), reg(N) or not, lane(N)");
    if (!is_power(lane) || !is_power(reg) || lane < 2 || reg > c->limits.lanes ||
        lane > c->limits.lanes || lane * reg > c->limits.lanes)
        return refuse(c, line,
                      say(c,
                          "lanes and registers are powers of two, of at least 2 lanes and at "
                          "most %u in all",
                          c->limits.lanes));
    for (uint32_t i = 0; i < line->body.len; i++) {
        const MgLine *l = line->body.at[i];
        if (l->kind != MG_LINE_DO)
            return refuse(c, l, "below lanes there are only 'do' lines");
        for (uint32_t j = 0; j < l->n_numbers; j++) {
            bool bound = is_bound(c, l->numbers[j], w->index);
            if (bound && (line->body.len > 1 || l->n_numbers > 1))
                return refuse(c, l,
                              say(c, "'%s' is summed in '%s': its loop has no other 'do'", name,
                                  c->scope->names[l->numbers[j]]));
            if (ranges_follow(c, l->numbers[j], w->index))
                return refuse(c, line,
                              say(c,
                                  "the range of another index of '%s' depends on "
                                  "'%s', so lanes cannot run along it",
                                  c->scope->names[l->numbers[j]], name));
        }
    }
    return check_tail(c, line, lane * reg);
}

static bool check_items(Checker *c, const MgLine *line) {
    enum { MOST_REGISTERS = 16 };
    static const MgLevel levels[] = {MG_LEVEL_TIME, MG_LEVEL_CORE, MG_LEVEL_REG, MG_LEVEL_LANE,
                                     MG_LEVEL_VEC};
    const MgWalk *w = line->walks;
    bool limited = w->digits[0].level == MG_LEVEL_TIME;
    if (!has_digits(w, levels, "o o o", 5) || (limited && w->digits[0].size) ||
        limited != (digit(w, MG_LEVEL_CORE) > 0) || c->n_loops)
        return refuse(
            c, line,
            "on a GPU the index has the digits core(*), reg(N) or not, lane(N), vec(N) or "
            "not; or, for a number of groups, time(*) core(N) in front");
    int64_t items = digit(w, MG_LEVEL_LANE), reg = digit(w, MG_LEVEL_REG);
    int64_t vec = digit(w, MG_LEVEL_VEC);
    if (!is_power(items) || items > c->limits.items || reg < 1 || reg > MOST_REGISTERS ||
        !is_power(vec) || vec > c->limits.lanes || digit(w, MG_LEVEL_CORE) > INT32_MAX)
        return refuse(c, line,
                      say(c,
                          "lanes and vectors are powers of two, of at most %u lanes, 16 "
                          "registers and vectors of %u",
                          c->limits.items, c->limits.lanes));
    for (uint32_t i = 0; i < line->body.len; i++)
        if (line->body.at[i]->kind != MG_LINE_DO)
            return refuse(c, line->body.at[i], "below lanes there are only 'do' lines");
    return check_tail(c, line, items * reg * vec);
}

static bool check_for(Checker *c, const MgLine *line) {
    if (!line->body.len)
        return refuse(c, line, "there are no lines below the loop");
    if (c->n_loops == MG_NEST_DEPTH)
        return refuse(c, line, "at most 64 loops stand in each other");
    bool digits = false;
    for (uint32_t i = 0; i < line->n_walks; i++) {
        if (!check_walk(c, line, &line->walks[i]))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (line->walks[j].index == line->walks[i].index)
                return refuse(
                    c, line,
                    say(c, "the line walks '%s' twice", index_name(c, line->walks[i].index)));
        digits |= line->walks[i].n_digits > 0;
    }
    if (digits && (line->n_walks > 1 || line->level != MG_LEVEL_TIME))
        return refuse(c, line, "digits say who takes the positions: of one index, without 'on'");
    if (digits)
        return c->nest->gpu ? check_items(c, line) : check_lanes(c, line);
    if (c->nest->gpu)
        return refuse(c, line, "on a GPU the loop's index has digits, such as core(*) lane(256)");
    if (line->tail)
        return refuse(c, line, "a tail belongs to lanes");
    if (line->level == MG_LEVEL_CORE)
        return check_cores(c, line);
    return line->level == MG_LEVEL_TIME ||
           refuse(c, line,
                  "a loop is on cores or on nobody; lanes and registers are digits, such as "
                  "time(*) reg(2) lane(8)");
}

// ---------------------------------------------------------------- values and equations

static bool is_output(const Checker *c, uint32_t equation) {
    MgValueId v = mg_op(c->scope->g, c->scope->ops[equation])->results[0];
    for (uint32_t i = 0; i < c->n_outputs; i++)
        if (c->outputs[i] == v)
            return true;
    return false;
}

// The first shared index of several positions that no loop around the line walks, or UINT32_MAX.
static uint32_t open_index(const Checker *c) {
    for (uint32_t i = 0; i < c->nest->depth; i++) {
        uint32_t index = mg_nest_index(c->scope, 0, i);
        if (!is_single(c->scope, index) && !is_walked(c->nest, c->loops, c->n_loops, index))
            return index;
    }
    return UINT32_MAX;
}

static bool check_keep(Checker *c, const MgLine *line) {
    uint32_t open = open_index(c);
    if (open < UINT32_MAX)
        return refuse(c, line,
                      say(c,
                          "a row is kept inside the loops over what all equations "
                          "share: '%s' is not walked around this line",
                          index_name(c, open)));
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        Done *d = &c->done[line->numbers[i]];
        const char *name = c->scope->names[line->numbers[i]];
        if (is_output(c, line->numbers[i]))
            return refuse(c, line, say(c, "'%s' leaves the unit, so it is in memory", name));
        if (mg_nest_piece(c->scope, line->numbers[i])->n_free == c->nest->depth)
            return refuse(c, line,
                          say(c, "'%s' is one number at a point, so it is in a register", name));
        if (d->kept)
            return refuse(c, line, say(c, "'%s' is kept already", name));
        if (d->line)
            return refuse(c, line, say(c, "'%s' is computed above this line", name));
        d->kept = c->n_loops ? c->loops[c->n_loops - 1] : &c->nest->root;
    }
    return true;
}

// Lanes that several equations share are at one point of each.
static bool check_whole_point(Checker *c, const MgLine *line, uint32_t equation) {
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    for (uint32_t i = 0; i < p->n_free; i++) {
        uint32_t index = mg_nest_index(c->scope, equation, i);
        if (!is_single(c->scope, index) && !is_walked(c->nest, c->loops, c->n_loops, index))
            return refuse(c, line,
                          say(c, "'%s' is not walked around 'do %s'", index_name(c, index),
                              c->scope->names[equation]));
    }
    return true;
}

static bool check_do(Checker *c, const MgLine *line, const MgLine *body) {
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        uint32_t equation = line->numbers[i];
        Done *d = &c->done[equation];
        const char *name = c->scope->names[equation];
        if (d->line)
            return refuse(c, line, say(c, "'%s' is computed already", name));
        uint32_t open = open_index(c);
        if (open < UINT32_MAX && (c->scope->n_ops > 1 || c->nest->gpu))
            return refuse(c, line,
                          say(c, "'%s' is not walked around 'do %s'", index_name(c, open), name));
        for (uint32_t l = 0; l < c->n_loops; l++)
            for (uint32_t w = 0; w < c->loops[l]->n_walks; w++) {
                uint32_t index = c->loops[l]->walks[w].index;
                bool last = l + 1 == c->n_loops && c->loops[l]->walks[w].n_digits;
                if (is_free(c, equation, index) || (last && is_bound(c, equation, index)))
                    continue;
                return refuse(c, line,
                              is_bound(c, equation, index)
                                  ? say(c,
                                        "'%s' is summed in '%s': only lanes right around its "
                                        "'do' walk it",
                                        index_name(c, index), name)
                                  : say(c,
                                        "'%s' has no index '%s': it would be computed again at "
                                        "each position",
                                        name, index_name(c, index)));
            }
        if (body->kind == MG_LINE_FOR && (body->body.len > 1 || line->n_numbers > 1) &&
            body->walks[0].n_digits && !check_whole_point(c, line, equation))
            return false;
        d->line = line;
        d->body = body;
        d->n_loops = c->n_loops;
        d->order = ++c->n_done;
        memcpy(d->loops, c->loops, c->n_loops * sizeof *d->loops);
        if (c->n_loops && body->walks[0].n_digits && is_bound(c, equation, body->walks[0].index))
            d->body = c->n_loops > 1 ? c->loops[c->n_loops - 2] : &c->nest->root;
    }
    return true;
}

static bool check_join(Checker *c, const MgLine *line) {
    if (c->n_loops || line->n_numbers < 2)
        return refuse(c, line, "an index is joined of two or more, before the first loop");
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        uint32_t index = line->numbers[i];
        const char *name = index_name(c, index);
        if (c->scope->indices.at[index].position >= c->nest->depth)
            return refuse(c, line, say(c, "'%s' is not an index that all equations share", name));
        for (uint32_t j = 0; j < i; j++)
            if (line->numbers[j] == index)
                return refuse(c, line, say(c, "the line joins '%s' twice", name));
        for (uint32_t l = 0; c->nest->root.body.at[l] != line; l++)
            if (covers(c->nest, c->nest->root.body.at[l]->index, index))
                return refuse(c, line, say(c, "'%s' is joined already", name));
    }
    return true;
}

static bool check_body(Checker *c, const MgLine *outer) {
    bool begun = false;
    for (uint32_t i = 0; i < outer->body.len && !c->failed; i++) {
        const MgLine *line = outer->body.at[i];
        switch (line->kind) {
        case MG_LINE_INDEX:
            if (begun)
                refuse(c, line, "an index is joined of two or more, before the first loop");
            else
                check_join(c, line);
            break;
        case MG_LINE_KEEP:
            check_keep(c, line);
            break;
        case MG_LINE_DO:
            check_do(c, line, outer);
            break;
        case MG_LINE_FOR:
            if (!check_for(c, line))
                break;
            c->loops[c->n_loops++] = line;
            uint32_t before = c->n_done;
            if (check_body(c, line) && c->n_done == before)
                refuse(c, line, "no line below the loop computes anything");
            c->n_loops--;
            break;
        case MG_LINE_ROOT:
            break;
        }
        begun |= line->kind != MG_LINE_INDEX;
    }
    return !c->failed;
}

// ---------------------------------------------------------------- what is read is there

static bool stands_in(const Done *d, const MgLine *root, const MgLine *body) {
    for (uint32_t i = 0; i < d->n_loops; i++)
        if (d->loops[i] == body)
            return true;
    return body == root;
}

// Loops that walk an index of `of` that is not shared, with its reader inside: the reader sees one
// position of it.
static bool check_positions(Checker *c, uint32_t by, uint32_t of) {
    const Done *r = &c->done[by], *d = &c->done[of];
    for (uint32_t l = 0; l < d->n_loops && l < r->n_loops && d->loops[l] == r->loops[l]; l++)
        for (uint32_t w = 0; w < d->loops[l]->n_walks; w++) {
            uint32_t index = d->loops[l]->walks[w].index;
            if (is_shared(c, index))
                continue;
            uint32_t at = c->scope->indices.at[index].position;
            if (!reads_of(c->scope, by, of, at, at + 1).plain)
                return refuse(c, r->line,
                              say(c,
                                  "'%s' reads '%s' at other places than the loop over '%s' has "
                                  "reached",
                                  c->scope->names[by], c->scope->names[of], index_name(c, index)));
        }
    return true;
}

static bool check_read(Checker *c, uint32_t by, uint32_t of) {
    const Done *r = &c->done[by], *d = &c->done[of];
    const char *reader = c->scope->names[by], *value = c->scope->names[of];
    const MgLine *root = &c->nest->root;
    if (r->order < d->order)
        return refuse(c, r->line,
                      say(c, "'%s' reads '%s', which is computed below", reader, value));
    if (!check_positions(c, by, of))
        return false;
    bool row = mg_nest_piece(c->scope, of)->n_free > c->nest->depth;
    if (row && d->kept)
        return (stands_in(d, root, d->kept) && stands_in(r, root, d->kept)) ||
               refuse(c, r->line,
                      say(c, "'%s' is kept in another loop than 'do %s' stands in", value, reader));
    if (row && is_output(c, of) && !mg_nest_reads_beside(c->scope, c->nest, of))
        return true;
    if (!stands_in(r, root, d->body) || !is_point(c->nest, c->scope, of, d))
        return refuse(c, r->line,
                      say(c,
                          row ? "'%s' reads '%s' outside of the loop that computes it: write "
                                "'keep %s in local' above both"
                              : "'%s' reads '%s' outside of the loop that computes it",
                          reader, value, value));
    return true;
}

bool mg_nest_check(MgSession *session, const MgNest *nest, const MgNestScope *scope,
                   const MgValueId *outputs, uint32_t n_outputs, MgNestLimits limits) {
    Checker c = {.session = session,
                 .nest = nest,
                 .scope = scope,
                 .outputs = outputs,
                 .n_outputs = n_outputs,
                 .limits = limits,
                 .done = MG_NEW_N(session->arena, Done, scope->n_ops)};
    if (!check_body(&c, &nest->root))
        return false;
    for (uint32_t i = 0; i < scope->n_ops; i++)
        if (!c.done[i].line)
            return refuse(
                &c, &nest->root,
                say(&c, "no line computes '%s': write 'do %s'", scope->names[i], scope->names[i]));
    for (uint32_t by = 0; by < scope->n_ops; by++)
        for (uint32_t of = 0; of < scope->n_ops; of++)
            if (reads_of(scope, by, of, 0, 0).any && !check_read(&c, by, of))
                return false;
    return true;
}
