// Kernels from nests: walks the lines of a nest and writes the loops, points and reductions that
// they say, for workers. Nothing is chosen here: a kernel follows from its unit and its nest.
#include "passes/schedule/group/transpose.h"
#include "passes/schedule/words.h"

typedef struct Emitter {
    MgGroup *gr;
    const MgNest *nest;
    MgNestScope scope;
    bool walked[MG_GROUP_LOOPS]; // by symbol: a loop around the line has it
    const MgKx *from[MG_GROUP_LOOPS], *to[MG_GROUP_LOOPS]; // of open blocks; NULL: the whole range
    bool *buffered;         // by equation: its readers find it in memory
    const MgLine *tile;     // the loop over tiles; NULL: there are none
    MgTranspose *transpose; // what they are
} Emitter;

uint32_t mg_nest_symbol(const MgNest *nest, const MgNestScope *scope, uint32_t index) {
    const MgLine *join = mg_nest_join_line(nest, index);
    return scope->indices.at[join ? join->numbers[join->n_numbers - 1] : index].position;
}

static uint32_t symbol_of(const Emitter *e, const MgWalk *w) {
    return mg_nest_symbol(e->nest, &e->scope, w->index);
}

static const MgKx *low_of(Emitter *e, uint32_t sym) {
    return e->from[sym] ? e->from[sym] : mg_kb_ix(&e->gr->kb, e->gr->low[sym], e->gr->loop);
}

static const MgKx *high_of(Emitter *e, uint32_t sym) {
    return e->to[sym] ? e->to[sym] : mg_kb_ix(&e->gr->kb, e->gr->high[sym], e->gr->loop);
}

static const MgKx *size_of(Emitter *e, uint32_t sym) {
    MgGroup *gr = e->gr;
    if (e->from[sym])
        return sub(gr->kb.k, e->to[sym], e->from[sym]);
    return mg_kb_ix(&gr->kb, mg_group_extent(gr, sym), gr->loop);
}

// ---------------------------------------------------------------- where values are

static bool is_kept(const MgLine *line, uint32_t equation) {
    for (uint32_t j = 0; line->kind == MG_LINE_KEEP && j < line->n_numbers; j++)
        if (line->numbers[j] == equation)
            return true;
    for (uint32_t i = 0; i < line->body.len; i++)
        if (is_kept(line->body.at[i], equation))
            return true;
    return false;
}

// Rows of values that are not used outside the unit live in a worker's scratch, at the lines that
// say so. A row that is used outside is read from where it is written, unless its readers are on
// the same line and find it in a register.
static void make_buffers(Emitter *e) {
    MgGroup *gr = e->gr;
    MgSched *s = gr->s;
    e->buffered = MG_NEW_N(s->arena, bool, gr->n_nests);
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        if (n->piece->n_free == gr->depth)
            continue;
        const MgValue *v = mg_value(s->g, n->result);
        MgKbValue source = {.value = n->result};
        if (is_kept(&e->nest->root, i)) {
            MgIx count = mg_ix_product(s->ix, v->shape + gr->depth, v->rank - gr->depth);
            source.depth = gr->depth;
            source.buf = mg_kb_scratch(&gr->kb, mg_name(s->m->session->names, v->name), v->dtype,
                                       count, MG_SCOPE_WORKER, &source.base);
        } else if (mg_unit_is_output(gr->unit, n->result) &&
                   !mg_nest_reads_beside(&e->scope, e->nest, i)) {
            source.buf = mg_kb_value(&gr->kb, n->result);
        } else
            continue;
        e->buffered[i] = true;
        mg_kb_define(&gr->kb, source);
    }
}

// ---------------------------------------------------------------- equations

typedef struct Points { // the lines of a loop, which run over the same vectors
    Emitter *e;
    const MgLine *loop;
    int vector;
    uint32_t lanes;
} Points;

static void points(void *ctx, MgKBlock *block, const MgKx *mask) {
    const Points *p = ctx;
    MgGroup *gr = p->e->gr;
    uint32_t sources = gr->kb.sources.len;
    for (uint32_t l = 0; l < p->loop->body.len; l++)
        for (uint32_t i = 0; i < p->loop->body.at[l]->n_numbers; i++) {
            uint32_t number = p->loop->body.at[l]->numbers[i];
            mg_group_emit(gr, &gr->nests[number], block, p->vector, p->lanes, mask,
                          !p->e->buffered[number]);
        }
    mg_kb_forget(&gr->kb, sources);
}

// A loop over all positions of a symbol, or of its current block.
static MgKBlock *open_positions(Emitter *e, uint32_t sym, MgLoopKind kind, MgKBlock *block) {
    if (!e->from[sym]) {
        mg_group_open(e->gr, &block, sym, kind);
        return block;
    }
    MgKernel *k = e->gr->kb.k;
    Loop loop = loop_of(k, block, kind, "i", e->from[sym], e->to[sym], 1);
    e->gr->loop[sym] = loop.at;
    return loop.body;
}

// An equation's free indices that no line walks are walked one by one.
static MgKBlock *open_rest(Emitter *e, const MgGroupNest *n, MgKBlock *block, int skip) {
    mg_group_enter(e->gr, n);
    for (uint32_t i = 0; i < n->piece->n_free; i++)
        if (!e->walked[i] && (int)i != skip && !(i < e->gr->depth && e->gr->collapsed[i]))
            block = open_positions(e, i, MG_LOOP_SERIAL, block);
    return block;
}

static void emit_do(Emitter *e, const MgLine *line, MgKBlock *block) {
    MgGroup *gr = e->gr;
    for (uint32_t i = 0; i < line->n_numbers; i++) {
        uint32_t number = line->numbers[i];
        const MgGroupNest *n = &gr->nests[number];
        mg_group_emit(gr, n, open_rest(e, n, block, -1), -1, 1, NULL, !e->buffered[number]);
    }
}

static const MgLine *first_do(const MgLine *line) {
    while (line->kind == MG_LINE_FOR) {
        uint32_t i = 0;
        while (line->body.at[i]->kind == MG_LINE_KEEP || line->body.at[i]->kind == MG_LINE_STAGE)
            i++;
        line = line->body.at[i];
    }
    return line;
}

static uint32_t lanes_of(const MgWalk *w) {
    uint32_t lanes = 1;
    for (uint32_t d = 0; d < w->n_digits; d++)
        lanes *= w->digits[d].size ? (uint32_t)w->digits[d].size : 1;
    return lanes;
}

// Subscripts that depend on data and are the same for all rows are checked before the loops:
// `chosen` then has them.
typedef struct Hoisted {
    const MgLine *line; // the line that runs along lanes; NULL: none
    MgPoints points;
    MgChosen chosen;
} Hoisted;

static void emit_lanes(Emitter *e, const MgLine *line, MgKBlock *block, Hoisted *hoisted) {
    MgGroup *gr = e->gr;
    const MgGroupNest *n = &gr->nests[first_do(line)->numbers[0]];
    uint32_t sym = symbol_of(e, line->walks), lanes = lanes_of(line->walks);
    if (sym >= n->piece->n_free) { // a summed index
        uint32_t number = line->body.at[0]->numbers[0];
        block = open_rest(e, n, block, -1);
        mg_group_emit(gr, n, block, (int)sym, lanes, NULL, !e->buffered[number]);
        return;
    }
    if (line->body.at[0]->kind == MG_LINE_FOR) {
        uint32_t phases = symbol_of(e, line->body.at[0]->walks);
        e->walked[phases] = true;
        block = open_rest(e, n, block, (int)sym);
        MgInterleaved t = {gr, sym, phases, lanes, high_of(e, sym)};
        mg_lanes_loop(gr->kb.k, block, &gr->loop[sym], low_of(e, sym), t.end, lanes, false,
                      mg_interleaved_points, &t);
        return;
    }
    block = open_rest(e, n, block, (int)sym);
    Points p = {e, line, (int)sym, lanes};
    bool chosen = hoisted->line == line;
    mg_lanes_loop(gr->kb.k, block, &gr->loop[sym], low_of(e, sym), high_of(e, sym), lanes, false,
                  chosen ? mg_group_chosen_points : points, chosen ? (void *)&hoisted->chosen : &p);
}

// ---------------------------------------------------------------- loops

static void emit_body(Emitter *e, const MgLine *outer, MgKBlock *block, Hoisted *hoisted);

// Opens the blocks, or single positions, of a walk as a loop of the given kind.
static MgKBlock *open_walk(Emitter *e, const MgWalk *w, MgLoopKind kind, MgKBlock *block) {
    MgKernel *k = e->gr->kb.k;
    uint32_t sym = symbol_of(e, w);
    if (!w->by)
        return open_positions(e, sym, kind, block);
    const MgKx *low = low_of(e, sym), *high = high_of(e, sym), *by = num(k, w->by);
    if (kind == MG_LOOP_SERIAL) {
        Loop steps = loop_of(k, block, kind, "from", low, high, w->by);
        e->from[sym] = steps.at;
        const MgKx *end = least(k, high, add(k, e->from[sym], by));
        e->to[sym] = named(k, steps.body, "to", end);
        return steps.body;
    }
    const MgKx *n = sub(k, high, low);
    const MgKx *blocks = mg_kceil_div(k, n, w->by);
    Loop loop = loop_of(k, block, kind, "chunk", num(k, 0), blocks, 1);
    e->from[sym] = named(k, loop.body, "from", add(k, low, mul(k, loop.at, by)));
    const MgKx *to = least(k, high, add(k, e->from[sym], by));
    e->to[sym] = named(k, loop.body, "to", to);
    return loop.body;
}

// Several walks become one parallel loop, whose number has a digit for each.
static MgKBlock *open_grid(Emitter *e, MgWalk *const *walks, uint32_t n, MgKBlock *block) {
    MgKernel *k = e->gr->kb.k;
    const MgKx *sizes[MG_GROUP_LOOPS], *total = num(k, 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t sym = symbol_of(e, walks[i]);
        sizes[i] = size_of(e, sym);
        if (walks[i]->by)
            sizes[i] = mg_kceil_div(k, sizes[i], walks[i]->by);
        total = mul(k, total, sizes[i]);
    }
    Loop loop = share_out(k, block, "t", total);
    block = loop.body;
    const MgKx *left = loop.at;
    for (uint32_t i = n; i-- > 0;) {
        uint32_t sym = symbol_of(e, walks[i]);
        const MgKx *digit = i ? remainder_of(k, left, sizes[i]) : left;
        if (walks[i]->by)
            digit = times(k, digit, walks[i]->by);
        const MgKx *at = named(k, block, "i", add(k, digit, low_of(e, sym)));
        if (walks[i]->by) {
            const MgKx *end = plus(k, at, walks[i]->by);
            e->to[sym] = named(k, block, "to", least(k, high_of(e, sym), end));
            e->from[sym] = at;
        } else
            e->gr->loop[sym] = at;
        if (i)
            left = named(k, block, "t", quotient(k, left, sizes[i]));
    }
    return block;
}

static bool is_core_loop(const MgLine *line) {
    return line->kind == MG_LINE_FOR && line->level == MG_LEVEL_CORE && !line->walks[0].n_digits;
}

// Loops on cores that directly follow each other become one grid.
static const MgLine *open_cores(Emitter *e, const MgLine *line, MgKBlock **block) {
    MG_VEC(MgWalk *) walks = {0};
    for (;; line = line->body.at[0]) {
        for (uint32_t i = 0; i < line->n_walks; i++)
            mg_push(e->gr->s->arena, &walks, &line->walks[i]);
        if (line->body.len != 1 || !is_core_loop(line->body.at[0]))
            break;
    }
    *block = walks.len == 1 ? open_walk(e, walks.at[0], MG_LOOP_PARALLEL, *block)
                            : open_grid(e, walks.at, walks.len, *block);
    for (uint32_t i = 0; i < walks.len; i++)
        e->walked[symbol_of(e, walks.at[i])] |= !walks.at[i]->by;
    return line;
}

// Sums the rows of a block together in registers, and then emits the following lines for each row.
static void emit_together(Emitter *e, const MgLine *line, MgKBlock *block, Hoisted *hoisted) {
    MgGroup *gr = e->gr;
    uint32_t sym = symbol_of(e, line->walks);
    gr->together = (uint32_t)mg_nest_find_blocks(&e->nest->root, line->walks->index).walk->by;
    gr->row = sym;
    gr->first = e->from[sym];
    e->walked[sym] = true;
    for (uint32_t i = 0; i < line->body.len; i++)
        if (line->body.at[i]->kind == MG_LINE_FOR)
            emit_lanes(e, line->body.at[i], block, hoisted);
        else
            emit_do(e, line->body.at[i], gr->tail);
    gr->together = 0;
    gr->number = NULL;
}

static void emit_for(Emitter *e, const MgLine *line, MgKBlock *block, Hoisted *hoisted) {
    MgGroup *gr = e->gr;
    Emitter outer = *e;
    uint32_t sources = gr->kb.sources.len;
    mg_group_enter(gr, &gr->nests[first_do(line)->numbers[0]]);
    if (line == e->tile) {
        MgTranspose *t = e->transpose;
        for (uint32_t i = 0; i < 2; i++) {
            t->from[i] = low_of(e, i ? t->q : t->p);
            t->end[i] = high_of(e, i ? t->q : t->p);
        }
        e->walked[t->p] = e->walked[t->q] = true;
        mg_transpose_tiles(t, open_rest(e, &gr->nests[0], block, -1));
        *e = outer;
        return;
    }
    if (line->level == MG_LEVEL_REG) {
        emit_together(e, line, block, hoisted);
        mg_kb_forget(&gr->kb, sources);
        *e = outer;
        return;
    }
    if (line->walks[0].n_digits) {
        emit_lanes(e, line, block, hoisted);
        return; // a register that a sum along lanes sets is read after the loop
    }
    if (is_core_loop(line)) {
        line = open_cores(e, line, &block);
    } else
        for (uint32_t i = 0; i < line->n_walks; i++) {
            block = open_walk(e, &line->walks[i], MG_LOOP_SERIAL, block);
            e->walked[symbol_of(e, &line->walks[i])] |= !line->walks[i].by;
        }
    emit_body(e, line, block, hoisted);
    mg_kb_forget(&gr->kb, sources);
    *e = outer;
}

static void emit_body(Emitter *e, const MgLine *outer, MgKBlock *block, Hoisted *hoisted) {
    for (uint32_t i = 0; i < outer->body.len; i++)
        if (outer->body.at[i]->kind == MG_LINE_FOR)
            emit_for(e, outer->body.at[i], block, hoisted);
        else if (outer->body.at[i]->kind == MG_LINE_DO)
            emit_do(e, outer->body.at[i], block);
        else if (outer->body.at[i]->space == MG_NEST_SPACE_MEM) {
            e->transpose->row = e->from[e->transpose->p];
            e->transpose->span = e->from[e->transpose->q];
            e->transpose->span_end = e->to[e->transpose->q];
        }
}

// ---------------------------------------------------------------- the whole nest

// The loop along lanes, if it contains all equations and runs along an index that they share.
static const MgLine *lanes_of_all(const Emitter *e, const MgLine *outer) {
    const MgLine *last = NULL;
    for (uint32_t i = 0; i < outer->body.len; i++)
        if (outer->body.at[i]->kind != MG_LINE_INDEX) {
            if (last || outer->body.at[i]->kind != MG_LINE_FOR)
                return NULL;
            last = outer->body.at[i];
        }
    if (!last || !last->walks[0].n_digits)
        return last ? lanes_of_all(e, last) : NULL;
    uint32_t next = 0;
    for (uint32_t i = 0; i < last->body.len; i++)
        for (uint32_t j = 0; j < last->body.at[i]->n_numbers; j++)
            if (last->body.at[i]->numbers[j] != next++)
                return NULL;
    return next == e->gr->n_nests && symbol_of(e, last->walks) < e->gr->depth ? last : NULL;
}

void mg_nest_workers(MgGroup *gr, const MgNest *nest, MgKBlock *block) {
    MgSched *s = gr->s;
    Emitter e = {.gr = gr,
                 .nest = nest,
                 .scope = mg_nest_scope_of(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, nest)};
    make_buffers(&e);
    e.tile = mg_nest_tile(nest);
    e.transpose = e.tile ? mg_transpose_read(gr, nest, &e.scope) : NULL;
    if (e.tile && e.transpose->by_lines)
        mg_transpose_lines_open(e.transpose);
    Hoisted hoisted = {.line = lanes_of_all(&e, &nest->root)};
    if (hoisted.line) {
        uint32_t sym = symbol_of(&e, hoisted.line->walks), lanes = lanes_of(hoisted.line->walks);
        hoisted.points = (MgPoints){gr, (int)sym, lanes, 0, gr->n_nests, true};
        hoisted.chosen =
            (MgChosen){.gr = gr, .points = &hoisted.points, .vector = sym, .lanes = lanes};
        if (!mg_group_choose(&hoisted.chosen, block))
            hoisted.line = NULL;
    }
    for (uint32_t i = 0; i < gr->depth; i++)
        if (!gr->collapsed[i] && mg_group_extent(gr, i) == mg_ix_const(s->ix, 1)) {
            // an index of one position needs no loop
            gr->loop[i] = mg_kb_ix(&gr->kb, gr->low[i], gr->loop);
            e.walked[i] = true;
        }
    emit_body(&e, &nest->root, block, &hoisted);
    if (!e.tile || (!e.transpose->by_lines && mg_transpose_lines_fill(e.transpose)))
        mg_kb_stream(&gr->kb);
}
