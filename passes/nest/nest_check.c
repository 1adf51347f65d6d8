// Is a nest correct for its unit? A wrong nest is refused with its line and the reason.
#include "passes/nest/nest_check.h"

bool mg_nest_refuse(MgNestChecker *c, const MgLine *line, const char *why) {
    if (!c->failed)
        mg_diag(c->session, line->span, MG_D_schedule_wrong, why);
    c->failed = true;
    return false;
}

const char *mg_nest_say(MgNestChecker *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(c->session->arena, format, args);
    va_end(args);
    return text;
}

// ---------------------------------------------------------------- what loops walk

bool mg_nest_covers(const MgNest *nest, uint32_t walked, uint32_t index) {
    const MgLine *join = mg_nest_join_line(nest, walked);
    for (uint32_t i = 0; join && i < join->n_numbers; i++)
        if (join->numbers[i] == index)
            return true;
    return walked == index;
}

bool mg_nest_is_walked(const MgNest *nest, const MgLine *const *loops, uint32_t n, uint32_t index) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < loops[i]->n_walks; w++)
            if (!loops[i]->walks[w].by && mg_nest_covers(nest, loops[i]->walks[w].index, index))
                return true;
    return false;
}

bool mg_nest_is_bound(const MgNestChecker *c, uint32_t equation, uint32_t index) {
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    index = mg_nest_first_part(c->nest, index);
    uint32_t at = c->scope->indices.at[index].position;
    return at < p->n_indices && at >= p->n_free && mg_nest_index(c->scope, equation, at) == index;
}

// Is the index a free index of the equation?
static bool is_free(const MgNestChecker *c, uint32_t equation, uint32_t index) {
    index = mg_nest_first_part(c->nest, index);
    uint32_t at = c->scope->indices.at[index].position;
    return at < mg_nest_piece(c->scope, equation)->n_free &&
           mg_nest_index(c->scope, equation, at) == index;
}

bool mg_nest_is_shared(const MgNestChecker *c, uint32_t index) {
    return c->scope->indices.at[mg_nest_first_part(c->nest, index)].position < c->nest->depth;
}

static bool walks_rows(const MgNest *nest, const MgNestScope *scope, const MgLine *outer) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        if (line->kind != MG_LINE_FOR)
            continue;
        for (uint32_t w = 0; w < line->n_walks; w++) {
            uint32_t index = mg_nest_first_part(nest, line->walks[w].index);
            if (scope->indices.at[index].position >= nest->depth)
                return true;
        }
        if (walks_rows(nest, scope, line))
            return true;
    }
    return false;
}

// The marks of a nest's loops, which decide its form.
typedef struct Marks {
    bool sums, registers, tile; // walked without digits; such loops on registers; a tile with edges
    bool carries, joins;        // sums, from one position to the next; those of blocks
    bool winograd;              // an equation is computed by winograd
    bool blocks;                // cores walk blocks of an index
    bool keeps, stages;
} Marks;

static void see_marks(const MgNestScope *scope, const MgNest *nest, const MgLine *outer, Marks *m) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        m->joins |= line->kind == MG_LINE_JOIN;
        m->keeps |= line->kind == MG_LINE_KEEP;
        m->stages |= line->kind == MG_LINE_STAGE;
        m->winograd |= line->kind == MG_LINE_DO && line->way == MG_WAY_WINOGRAD;
        if (line->kind != MG_LINE_FOR)
            continue;
        m->carries |= line->n_numbers > 0 && !line->skips;
        for (uint32_t w = 0; w < line->n_walks; w++) {
            const MgWalk *walk = &line->walks[w];
            uint32_t at = scope->indices.at[mg_nest_first_part(nest, walk->index)].position;
            bool sums = !walk->n_digits && at >= mg_nest_piece(scope, 0)->n_free;
            m->sums |= sums;
            m->blocks |= line->level == MG_LEVEL_CORE && walk->by;
            m->registers |= sums && line->level == MG_LEVEL_REG;
            m->tile |= line->edges && mg_nest_has_digit(walk, MG_LEVEL_REG);
        }
        see_marks(scope, nest, line, m);
    }
}

MgNestForm mg_nest_form(const MgNest *nest, const MgNestScope *scope) {
    Marks m = {0};
    see_marks(scope, nest, &nest->root, &m);
    return nest->follows                                   ? MG_NEST_ATTENTION
           : m.winograd                                    ? MG_NEST_WINOGRAD
           : mg_nest_piece(scope, 0)->scatter              ? MG_NEST_SCATTER
           : m.carries                                     ? MG_NEST_SCAN
           : nest->gpu && m.blocks && m.keeps && !m.stages ? MG_NEST_OWNED
           : nest->gpu && m.sums                           ? MG_NEST_CONTRACTION
           : m.joins                                       ? MG_NEST_PARTS
           : nest->gpu && mg_nest_tile(nest)               ? MG_NEST_GPU_TILES
           : nest->gpu || !m.sums                          ? MG_NEST_GROUP
           : !m.registers                                  ? MG_NEST_CONTRACTION
           : m.tile                                        ? MG_NEST_CHANNELS
           : mg_nest_find_kind(&nest->root, MG_LINE_KEEP)  ? MG_NEST_COLUMNS
                                                           : MG_NEST_WINDOW;
}

bool mg_nest_has_rows(const MgNest *nest, const MgNestScope *scope) {
    return nest->gpu && walks_rows(nest, scope, &nest->root);
}

// The number of positions of the index, -1 if unknown.
// ---------------------------------------------------------------- reads

typedef struct Reads { // of one value by one equation
    const MgNestScope *scope;
    const MgOp *op;
    MgValueId value;
    uint32_t first, n; // subscripts that must be plain indices
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

// Collects the reads of `of`'s value in equation `by`. Are subscripts first to n the reader's own
// indices?
static Reads reads_of(const MgNestScope *scope, uint32_t by, uint32_t of, uint32_t first,
                      uint32_t n) {
    const MgOp *op = mg_op(scope->g, scope->ops[by]);
    Reads r = {scope, op, mg_op(scope->g, scope->ops[of])->results[0], first, n, false, true};
    mg_sx_walk(mg_nest_piece(scope, by)->expr, see_read, &r);
    return r;
}

// Finds the loops and the body of an equation's line. False if no line computes it.
static bool find(const MgLine *outer, uint32_t equation, MgNestDone *d) {
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

// Do the loops around it walk all of its own indices, past the shared ones?
static bool is_point(const MgNest *nest, const MgNestScope *scope, uint32_t equation,
                     const MgNestDone *d) {
    const MgPiece *p = mg_nest_piece(scope, equation);
    for (uint32_t i = nest->depth; i < p->n_free; i++)
        if (!mg_nest_is_walked(nest, d->loops, d->n_loops, mg_nest_index(scope, equation, i)))
            return false;
    return true;
}

bool mg_nest_reads_beside(const MgNestScope *scope, const MgNest *nest, uint32_t equation) {
    MgNestDone d = {0};
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

// ---------------------------------------------------------------- values and equations

static bool is_output(const MgNestChecker *c, uint32_t equation) {
    MgValueId v = mg_op(c->scope->g, c->scope->ops[equation])->results[0];
    for (uint32_t i = 0; i < c->n_outputs; i++)
        if (c->outputs[i] == v)
            return true;
    return false;
}

// The first shared index of several positions that no loop around the line walks, or UINT32_MAX.
static uint32_t open_index(const MgNestChecker *c) {
    for (uint32_t i = 0; i < c->nest->depth; i++) {
        uint32_t index = mg_nest_index(c->scope, 0, i);
        if (!mg_nest_is_single(c->scope, index) &&
            !mg_nest_is_walked(c->nest, c->loops, c->n_loops, index))
            return index;
    }
    return UINT32_MAX;
}

static bool check_keep(MgNestChecker *c, const MgLine *line) {
    if (line->space == MG_NEST_SPACE_MEM)
        return mg_nest_check_lines(c, line);
    if (line->space == MG_NEST_SPACE_COMMON || line->space == MG_NEST_SPACE_KEPT)
        return mg_nest_refuse(c, line,
                              "only copies of a contraction can be 'in common' or 'in kept'");
    if (line->way)
        return mg_nest_refuse(c, line, "only 'in mem' takes a way: 'by lines'");
    if ((line->space == MG_NEST_SPACE_REG) != c->nest->gpu)
        return mg_nest_refuse(c, line,
                              c->nest->gpu ? "on a GPU a row is kept in registers: 'in reg'"
                                           : "on a CPU a row is kept in scratch: 'in local'");
    uint32_t open = open_index(c);
    if (open < UINT32_MAX)
        return mg_nest_refuse(c, line,
                              mg_nest_say(c,
                                          "a row is kept inside the loops over shared indices: "
                                          "'%s' is not walked around this line",
                                          mg_nest_index_name(c, open)));
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        MgNestDone *d = &c->done[line->numbers[i]];
        const char *name = c->scope->names[line->numbers[i]];
        if (is_output(c, line->numbers[i]))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' leaves the unit, so it is in memory", name));
        if (mg_nest_piece(c->scope, line->numbers[i])->n_free == c->nest->depth)
            return mg_nest_refuse(
                c, line,
                mg_nest_say(c, "'%s' is one number at a point, so it is in a register", name));
        if (d->kept)
            return mg_nest_refuse(c, line, mg_nest_say(c, "'%s' is kept already", name));
        if (d->line)
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is computed above this line", name));
        d->kept = c->n_loops ? c->loops[c->n_loops - 1] : &c->nest->root;
    }
    return true;
}

// Lanes that several equations share must be at one point of each.
static bool check_whole_point(MgNestChecker *c, const MgLine *line, uint32_t equation) {
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    for (uint32_t i = 0; i < p->n_free; i++) {
        uint32_t index = mg_nest_index(c->scope, equation, i);
        if (!mg_nest_is_single(c->scope, index) &&
            !mg_nest_is_walked(c->nest, c->loops, c->n_loops, index))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is not walked around 'do %s'",
                                              mg_nest_index_name(c, index),
                                              c->scope->names[equation]));
    }
    return true;
}

// On a GPU: if items share rows, the loops of its row must walk each equation's own indices.
static bool check_row(MgNestChecker *c, const MgLine *line, uint32_t equation) {
    const MgPiece *p = mg_nest_piece(c->scope, equation);
    uint32_t n = c->rows ? p->n_indices : p->n_free;
    const MgWalk *w = c->n_loops ? c->loops[c->n_loops - 1]->walks : NULL;
    for (uint32_t i = c->nest->depth; i < n; i++) {
        uint32_t index = mg_nest_index(c->scope, equation, i);
        if (!w || !mg_nest_covers(c->nest, w->index, index))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is not walked around 'do %s'",
                                              mg_nest_index_name(c, index),
                                              c->scope->names[equation]));
    }
    return p->n_free == c->nest->depth || !mg_nest_has_digit(w, MG_LEVEL_TIME) ||
           mg_nest_refuse(
               c, line,
               mg_nest_say(c,
                           "'%s' is a row, which items have in registers: its index must have the "
                           "digits reg(*), lane(N) or warp(N), and optionally vec(N)",
                           c->scope->names[equation]));
}

static bool check_do(MgNestChecker *c, const MgLine *line, const MgLine *body) {
    if (line->at_last)
        return mg_nest_refuse(c, line, "only a contraction's end is computed 'at last'");
    if (line->way)
        return mg_nest_refuse(c, line,
                              "only windows are reduced 'by phases', and only scatters 'by sort'");
    if (c->tile && (c->n_loops < 3 || c->loops[c->n_loops - 3] != c->tile))
        return mg_nest_refuse(c, line,
                              "if lines stage values, all equations must be in the one tile");
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        uint32_t equation = line->numbers[i];
        MgNestDone *d = &c->done[equation];
        const char *name = c->scope->names[equation];
        if (d->line)
            return mg_nest_refuse(c, line, mg_nest_say(c, "'%s' is computed already", name));
        uint32_t open = open_index(c);
        if (open < UINT32_MAX && (c->scope->n_ops > 1 || c->nest->gpu))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "'%s' is not walked around 'do %s'",
                                              mg_nest_index_name(c, open), name));
        for (uint32_t l = 0; l < c->n_loops; l++)
            for (uint32_t w = 0; w < c->loops[l]->n_walks; w++) {
                uint32_t index = c->loops[l]->walks[w].index;
                bool last = l + 1 == c->n_loops && c->loops[l]->walks[w].n_digits;
                if (is_free(c, equation, index) || (last && mg_nest_is_bound(c, equation, index)))
                    continue;
                return mg_nest_refuse(
                    c, line,
                    mg_nest_is_bound(c, equation, index)
                        ? mg_nest_say(c,
                                      "'%s' is summed in '%s': only lanes directly around its 'do' "
                                      "may walk it",
                                      mg_nest_index_name(c, index), name)
                        : mg_nest_say(c,
                                      "'%s' has no index '%s': it would be computed again at "
                                      "each position",
                                      name, mg_nest_index_name(c, index)));
            }
        if (body->kind == MG_LINE_FOR && (body->body.len > 1 || line->n_numbers > 1) &&
            body->walks[0].n_digits && !check_whole_point(c, line, equation))
            return false;
        if (c->nest->gpu && !check_row(c, line, equation))
            return false;
        d->line = line;
        d->body = body;
        d->n_loops = c->n_loops;
        d->order = ++c->n_done;
        memcpy(d->loops, c->loops, c->n_loops * sizeof *d->loops);
        if (c->n_loops && body->walks[0].n_digits &&
            mg_nest_is_bound(c, equation, body->walks[0].index))
            d->body = c->n_loops > 1 ? c->loops[c->n_loops - 2] : &c->nest->root;
    }
    return true;
}

static bool check_join(MgNestChecker *c, const MgLine *line) {
    if (c->n_loops || line->n_numbers < 2)
        return mg_nest_refuse(c, line,
                              "an 'index' line joins two or more indices, before the first loop");
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        uint32_t index = line->numbers[i];
        const char *name = mg_nest_index_name(c, index);
        if (c->scope->indices.at[index].position >= c->nest->depth &&
            !(c->nest->gpu && c->scope->indices.at[index].position == c->nest->depth + i))
            return mg_nest_refuse(
                c, line, mg_nest_say(c, "'%s' is not an index that all equations share", name));
        if (mg_nest_is_shared(c, index) != mg_nest_is_shared(c, line->numbers[0]))
            return mg_nest_refuse(c, line,
                                  mg_nest_say(c, "all equations share only one of '%s' and '%s'",
                                              name, mg_nest_index_name(c, line->numbers[0])));
        for (uint32_t j = 0; j < i; j++)
            if (line->numbers[j] == index)
                return mg_nest_refuse(c, line, mg_nest_say(c, "the line joins '%s' twice", name));
        for (uint32_t l = 0; c->nest->root.body.at[l] != line; l++)
            if (mg_nest_covers(c->nest, c->nest->root.body.at[l]->index, index))
                return mg_nest_refuse(c, line, mg_nest_say(c, "'%s' is joined already", name));
    }
    return true;
}

static bool check_body(MgNestChecker *c, const MgLine *outer) {
    bool begun = false;
    for (uint32_t i = 0; i < outer->body.len && !c->failed; i++) {
        const MgLine *line = outer->body.at[i];
        switch (line->kind) {
        case MG_LINE_INDEX:
            if (begun)
                mg_nest_refuse(c, line,
                               "an 'index' line joins two or more indices, before the first loop");
            else
                check_join(c, line);
            break;
        case MG_LINE_STAGE:
            mg_nest_check_stage(c, line, outer);
            break;
        case MG_LINE_KEEP:
            check_keep(c, line);
            break;
        case MG_LINE_DO:
            check_do(c, line, outer);
            break;
        case MG_LINE_FOR:
            if (!mg_nest_check_for(c, line))
                break;
            c->loops[c->n_loops++] = line;
            uint32_t before = c->n_done;
            if (check_body(c, line) && c->n_done == before)
                mg_nest_refuse(c, line, "no line below the loop computes anything");
            c->n_loops--;
            break;
        case MG_LINE_JOIN: // of a form, which checks it
        case MG_LINE_ROOT:
            break;
        }
        begun |= line->kind != MG_LINE_INDEX;
    }
    return !c->failed;
}

// ---------------------------------------------------------------- reads of computed values

static bool stands_in(const MgNestDone *d, const MgLine *root, const MgLine *body) {
    for (uint32_t i = 0; i < d->n_loops; i++)
        if (d->loops[i] == body)
            return true;
    return body == root;
}

// If a loop walks an index of `of` that is not shared, and its reader is inside the loop, the
// reader sees one position of it. (Rows that items share are read at their own positions only; the
// check of the form covers that.)
static bool check_positions(MgNestChecker *c, uint32_t by, uint32_t of) {
    const MgNestDone *r = &c->done[by], *d = &c->done[of];
    if (c->rows)
        return true;
    for (uint32_t l = 0; l < d->n_loops && l < r->n_loops && d->loops[l] == r->loops[l]; l++)
        for (uint32_t w = 0; w < d->loops[l]->n_walks; w++) {
            uint32_t index = d->loops[l]->walks[w].index;
            if (mg_nest_is_shared(c, index))
                continue;
            uint32_t at = c->scope->indices.at[index].position;
            if (!reads_of(c->scope, by, of, at, at + 1).plain)
                return mg_nest_refuse(
                    c, r->line,
                    mg_nest_say(c,
                                "'%s' reads '%s' at other places than the loop over '%s' has "
                                "reached",
                                c->scope->names[by], c->scope->names[of],
                                mg_nest_index_name(c, index)));
        }
    return true;
}

static bool check_read(MgNestChecker *c, uint32_t by, uint32_t of) {
    const MgNestDone *r = &c->done[by], *d = &c->done[of];
    const char *reader = c->scope->names[by], *value = c->scope->names[of];
    const MgLine *root = &c->nest->root;
    if (r->order < d->order)
        return mg_nest_refuse(
            c, r->line, mg_nest_say(c, "'%s' reads '%s', which is computed below", reader, value));
    if (!check_positions(c, by, of))
        return false;
    bool row = mg_nest_piece(c->scope, of)->n_free > c->nest->depth;
    if (row && d->kept)
        return (stands_in(d, root, d->kept) && stands_in(r, root, d->kept)) ||
               mg_nest_refuse(c, r->line,
                              mg_nest_say(c, "'%s' is kept in another loop than 'do %s' stands in",
                                          value, reader));
    if (row && is_output(c, of) && !mg_nest_reads_beside(c->scope, c->nest, of))
        return true;
    if (!stands_in(r, root, d->body) || !is_point(c->nest, c->scope, of, d))
        return mg_nest_refuse(
            c, r->line,
            mg_nest_say(
                c,
                row ? "'%s' reads '%s' outside of the loop that computes it: write "
                      "'keep %s in %s' above both"
                    : "'%s' reads '%s' outside of the loop that computes it",
                reader, value, value,
                mg_nest_space_words[c->nest->gpu ? MG_NEST_SPACE_REG : MG_NEST_SPACE_LOCAL]));
    return true;
}

bool mg_nest_check(MgSession *session, const MgNest *nest, const MgNestScope *scope,
                   const MgValueId *outputs, uint32_t n_outputs, MgNestLimits limits) {
    MgNestChecker c = {.session = session,
                       .nest = nest,
                       .scope = scope,
                       .outputs = outputs,
                       .n_outputs = n_outputs,
                       .limits = limits,
                       .rows = mg_nest_has_rows(nest, scope),
                       .tile = mg_nest_tile(nest),
                       .done = MG_NEW_N(session->arena, MgNestDone, scope->n_ops)};
    if (!check_body(&c, &nest->root))
        return false;
    for (uint32_t i = 0; i < scope->n_ops; i++)
        if (!c.done[i].line)
            return mg_nest_refuse(&c, &nest->root,
                                  mg_nest_say(&c, "no line computes '%s': write 'do %s'",
                                              scope->names[i], scope->names[i]));
    for (uint32_t by = 0; by < scope->n_ops; by++)
        for (uint32_t of = 0; of < scope->n_ops; of++)
            if (reads_of(scope, by, of, 0, 0).any && !check_read(&c, by, of))
                return false;
    return true;
}
