// Rows on a GPU: softmax, normalisations, reductions.
//
// The items of a group, or some of them, share a row. Each keeps its elements in registers from the
// first nest to the last, so memory is read once and written once; reductions are combined in local
// memory. Every element of a row has the same owner in every nest: a group that reads across the
// row does not have this form. Reductions alone need to keep nothing and take rows of any length.
// If there are few rows, groups of their own reduce parts of them, which are combined afterwards,
// always in the same order.
#include "passes/schedule/gpu/row.h"
#include "passes/schedule/form.h"

// ---------------------------------------------------------------- the form

// The number of elements in the nest's part of a row; 1 for a scalar, -1 if it has no such part.
static int64_t width_of(MgGroup *gr, const MgGroupNest *n) {
    const MgPiece *p = n->piece;
    int64_t width = 1, low, high;
    if (mg_gpu_row_inner(gr, n) && mg_piece_reduces(n->piece))
        return -1;
    for (uint32_t i = gr->depth; i < p->n_indices; i++) {
        if (!mg_ix_is_const(gr->s->ix, p->indices[i].low, &low) || low ||
            !mg_ix_is_const(gr->s->ix, p->indices[i].high, &high) || high < 1 ||
            __builtin_mul_overflow(width, high, &width))
            return -1;
    }
    return width;
}

// Turns the nest's own indices into digits of the position in the row.
static void enter(MgGroup *gr, const MgGroupNest *n, int64_t width) {
    MgIxTable *t = gr->s->ix;
    MgIx whole = mg_ix_idx(t, MG_ROWS_SYM), stride = mg_ix_const(t, 1);
    for (uint32_t i = n->piece->n_indices; i-- > gr->depth;) {
        MgIx digit = mg_ix_div(t, whole, stride);
        gr->with[i] = i > gr->depth ? mg_ix_mod(t, digit, n->piece->indices[i].high) : digit;
        stride = mg_ix_mul(t, stride, n->piece->indices[i].high);
    }
    gr->low[MG_ROWS_SYM] = mg_ix_const(t, 0);
    gr->high[MG_ROWS_SYM] = mg_ix_const(t, width);
}

static void note_start(MgRows *r, MgValueId v, MgIx address) {
    MgIxTable *t = r->gr->s->ix;
    int64_t size = mg_dtype_size(mg_value(r->gr->s->g, v)->dtype);
    MgIx start = mg_ix_subst_index(t, address, MG_ROWS_SYM, mg_ix_const(t, 0));
    while (r->whole > 1 && mg_ix_mod(t, start, mg_ix_const(t, r->whole)) != mg_ix_const(t, 0))
        r->whole /= 2;
    r->longest = size > r->longest ? size : r->longest;
}

const MgGroupNest *mg_gpu_row_maker(const MgGroup *gr, MgValueId v) {
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (gr->nests[i].result == v)
            return &gr->nests[i];
    return NULL;
}

// Does the nest read values of the group at their own points? Clears *straight or *across if it
// reads others that are not contiguous along the row, or from row to row.
static bool check_reads(MgRows *r, const MgGroupNest *n, bool *straight, bool *across) {
    MgGroup *gr = r->gr;
    MgGpuReads reads = {r->cached, r->n_cached, MG_ROWS_CACHED};
    MgAccesses all = mg_accesses(gr->s, n->op, n->piece->expr, gr->with, MG_GROUP_LOOPS);
    for (uint32_t i = 0; i < all.n; i++) {
        const MgAccess *a = &all.at[i];
        const MgGroupNest *own = mg_gpu_row_maker(gr, a->value);
        bool plain = a->known && a->read->bounds == MG_BOUNDS_PROVED;
        if (!own) {
            MgMove along = mg_moves(gr->s, a, MG_ROWS_SYM);
            bool moves = plain && along != MG_STAYS;
            if (moves)
                note_start(r, a->value, a->address);
            *straight &= plain && along != MG_JUMPS;
            *across &=
                plain && mg_moves(gr->s, a, gr->depth ? gr->depth - 1 : MG_ROWS_SYM) != MG_JUMPS;
            mg_gpu_note_read(&reads, n->op, a, plain, moves);
        } else if (mg_gpu_row_inner(gr, own)) {
            MgIx with[MG_GROUP_LOOPS];
            memcpy(with, gr->with, sizeof with);
            enter(gr, own, r->p.width);
            bool same = plain && a->address == mg_group_target(gr, own);
            memcpy(gr->with, with, sizeof with);
            if (!same)
                return false;
        }
    }
    r->n_cached = reads.n;
    return true;
}

static int64_t count_rows(MgGroup *gr) {
    return mg_ix_const_or(gr->s->ix, mg_group_rows(gr), 1024);
}

static void keep_readers(MgRows *r) {
    MgGpuRead all[MG_ROWS_CACHED];
    uint32_t n = r->n_cached, *ends[] = {&r->n_cached, &r->n_read, &r->n_single}, kept = 0;
    memcpy(all, r->cached, n * sizeof *all);
    for (uint32_t kind = 0; kind < 3; kind++) {
        for (uint32_t i = 0; i < n; i++)
            if (all[i].ok && (all[i].moves ? all[i].readers < 2 : 2u) == kind)
                r->cached[kept++] = all[i];
        *ends[kind] = kept;
    }
}

static MgRows *rows_of(MgGroup *gr) {
    MgRows *r = MG_NEW(gr->s->arena, MgRows);
    *r = (MgRows){.gr = gr, .p = {.columns = 1}};
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        r->inner += mg_gpu_row_inner(gr, &gr->nests[i]);
        r->reduces += mg_piece_reduces(gr->nests[i].piece);
    }
    return r;
}

// Does the group have the form? Finds the width of the rows and the values that are read.
static bool look(MgRows *r) {
    MgGroup *gr = r->gr;
    bool any = false, straight = true, across = gr->depth > 0;
    r->p.width = 1;
    r->whole = MG_GPU_MOST_LANES;
    r->longest = 1;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        int64_t width = width_of(gr, n);
        any |= mg_piece_reduces(n->piece);
        if (width < 0 || (width > 1 && r->p.width > 1 && width != r->p.width) ||
            (mg_piece_reduces(n->piece) && !mg_group_folds(n->piece->reducer) && gr->n_nests > 1))
            return false;
        r->p.width = width > 1 ? width : r->p.width;
    }
    if (!any || r->p.width < 2)
        return false;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        if ((mg_gpu_row_inner(gr, n) || mg_piece_reduces(n->piece)) &&
            width_of(gr, n) != r->p.width)
            return false; // axes of size 1 follow after a row was reduced, so there is no element
                          // for each item
        enter(gr, n, r->p.width);
        if (!check_reads(r, n, &straight, &across))
            return false;
        if (mg_gpu_row_inner(gr, n))
            straight &= mg_moves_by_one(gr->s->ix, mg_group_target(gr, n),
                                        mg_ix_index(gr->s->ix, MG_ROWS_SYM));
    }
    uint32_t lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    uint32_t most = gr->s->options->target.max_lanes;
    lanes = lanes < most ? lanes : most;
    bool folds = mg_group_folds(gr->nests[0].piece->reducer);
    r->straight = straight;
    r->p.lanes = straight && folds && r->p.width % lanes == 0 ? lanes : 1;
    r->p.across = !straight && across;
    keep_readers(r);
    return true;
}

// The lanes of a row of which memory is read once by two reductions: those that fill a vector of
// memory, if rows begin at whole vectors. Such a row may end within a vector.
static uint32_t joined_lanes(const MgRows *r) {
    uint32_t lanes = r->gr->s->options->target.vector_bytes / (uint32_t)r->longest;
    lanes = lanes < r->whole ? lanes : r->whole;
    return r->straight && lanes > 1 && r->p.width >= lanes ? lanes : 1;
}

// The number of items per row that gives all units work.
static int64_t items_wanted(const MgGroup *gr) {
    return (int64_t)gr->s->options->target.compute_units * mg_figure(gr->s, row_unit_items);
}

// Reductions that are not contiguous are left to items that each walk a row, if there are enough
// such items for the device.
static bool is_worth(const MgRows *r) {
    MgGroup *gr = r->gr;
    return r->straight || gr->rows ||
           (r->p.width >= mg_figure(gr->s, row_shared) && count_rows(gr) < items_wanted(gr));
}

// ---------------------------------------------------------------- sizes

static int64_t power_below(int64_t most) {
    int64_t n = 1;
    while (2 * n <= most)
        n *= 2;
    return n;
}

// The number of elements that neighbouring items should read at once.
static int64_t elements_of_line(const MgSched *s) {
    return mg_figure(s, row_line) / (int64_t)sizeof(float);
}

static int64_t items_along(MgRows *r, int64_t n_rows, int64_t most) {
    MgSched *s = r->gr->s;
    int64_t together = elements_of_line(s) / r->p.lanes;
    int64_t vectors = mg_ceil_div(r->p.width, r->p.lanes), items = 1;
    int64_t wanted = items_wanted(r->gr), kept = mg_figure(s, row_kept);
    while (items < most &&
           (vectors > items * kept / r->p.lanes ||
            ((n_rows * items < wanted || items < together) && vectors >= 2 * items)))
        items *= 2;
    if (n_rows == 1 && items == 2 && most >= 4)
        items = 4; // all items of the group; PoCL refuses some loops in groups of two
    return items;
}

// A group has a row for each item of a warp. It has fewer if there are fewer rows, or if rows are
// long and kept.
static int64_t items_across(MgRows *r, int64_t n_rows, int64_t most) {
    MgSched *s = r->gr->s;
    int64_t line = power_below(elements_of_line(s)),
            side = n_rows < line ? power_below(n_rows) : line;
    int64_t items = power_below(mg_figure(s, usual_items)) / side;
    items = items < 1 ? 1 : items;
    while (items < most / 4 && r->gr->rows && r->p.width > items * mg_figure(s, row_kept))
        items *= 2;
    return items < most ? items : most;
}

// The neighbouring rows that an item can read as one vector, if memory runs across rows.
static uint32_t columns_of(const MgRows *r) {
    MgGroup first = *r->gr;
    uint32_t lanes = mg_group_lanes(&first, first.nests, 1);
    uint32_t most = r->gr->s->options->target.max_lanes;
    first.n_nests = 1;
    lanes = lanes < most ? lanes : most;
    if (!r->p.across || r->together.second || !mg_group_folds(first.nests->piece->reducer) ||
        mg_monoid(mg_reducer(first.nests->piece->reducer)->monoid)->beside)
        return 1;
    enter(&first, first.nests, r->p.width);
    return mg_gpu_takes_vectors(&first, first.depth - 1, lanes) ? lanes : 1;
}

// Chooses the number of parts of a row, each for a group. False if its reductions can only be split
// into parts in kernels of their own.
static bool choose_parts(MgRows *r, int64_t n_rows) {
    MgGroup *gr = r->gr;
    int64_t units = gr->s->options->target.compute_units * mg_figure(gr->s, row_unit_groups);
    units *= r->p.across || r->together.second ? 2 : 1;
    int64_t whole = r->p.items * r->p.lanes * 8;
    int64_t groups = r->p.across ? n_rows / r->p.rows : n_rows;
    r->p.parts = 1;
    r->p.columns = 1;
    if (!r->p.stream || groups >= units || r->p.width < 4 * whole)
        return true;
    if (!r->together.second && (r->reduces > 1 || !mg_piece_reduces(gr->nests[0].piece)))
        return r->reduces < 2;
    r->p.columns = columns_of(r);
    groups /= r->p.columns;
    units /= r->p.columns > 2 ? r->p.columns / 2 : 1;
    r->p.parts = mg_ceil_div(units, groups ? groups : 1);
    r->p.parts = r->p.parts < r->p.width / whole ? r->p.parts : r->p.width / whole;
    r->p.parts = r->p.parts < 1024 ? r->p.parts : 1024;
    r->p.columns = r->p.parts > 1 ? r->p.columns : 1;
    return true;
}

// The last nest that reads the value.
static uint32_t last_reader(const MgGroup *gr, MgValueId v) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < gr->n_nests; i++)
        last = mg_op_reads(mg_op(gr->s->g, gr->nests[i].op), v) ? i : last;
    return last;
}

// Counts a value in the nests from `first` to its last reader.
static void count_held(const MgGroup *gr, MgValueId v, uint32_t first, uint32_t *held) {
    uint32_t last = last_reader(gr, v);
    for (uint32_t k = first; k == first || k <= last; k++)
        held[k]++;
}

// The most values of the row that an item holds at once. A cached value is held from the first nest
// to its last reader, a nest's result from that nest to its last reader.
static uint32_t most_at_once(const MgRows *r) {
    const MgGroup *gr = r->gr;
    uint32_t most = 0, *held = MG_NEW_N(gr->s->arena, uint32_t, gr->n_nests);
    for (uint32_t i = 0; i < r->n_cached; i++)
        count_held(gr, r->cached[i].value, 0, held);
    for (uint32_t i = 0; i < gr->n_nests; i++)
        if (mg_gpu_row_inner(gr, &gr->nests[i]))
            count_held(gr, gr->nests[i].result, i, held);
    for (uint32_t k = 0; k < gr->n_nests; k++)
        most = held[k] > most ? held[k] : most;
    return most;
}

// Sets the number of items that share a row, and the rounds of each. Returns the number of elements
// of one value that an item keeps.
static int64_t set_items(MgRows *r, int64_t items) {
    int64_t vectors = mg_ceil_div(r->p.width, r->p.lanes), rounds = mg_ceil_div(vectors, items);
    r->p.items = items;
    r->rounds = (uint32_t)(rounds < UINT32_MAX ? rounds : 0);
    return (int64_t)r->rounds * r->p.lanes;
}

// Does a row fit into the registers of the items that share it? It uses more items if it must; then
// nothing is cached.
static bool fits(MgRows *r, int64_t most) {
    int64_t all = mg_figure(r->gr->s, row_all_kept), vectors = mg_ceil_div(r->p.width, r->p.lanes);
    int64_t held = most_at_once(r);
    for (;;) {
        int64_t kept = (int64_t)r->rounds * r->p.lanes;
        if (r->rounds <= MG_ROWS_ROUNDS && kept <= mg_figure(r->gr->s, row_kept) &&
            kept * held <= all)
            return true;
        if (!r->p.across && 2 * r->p.items <= most && r->p.items < vectors) {
            set_items(r, 2 * r->p.items);
        } else if (r->n_cached) {
            r->n_cached = 0;
            held = most_at_once(r);
        } else {
            return false;
        }
    }
}

// Chooses the items that share a row, and the part that each keeps. False if it is not possible, or
// *apart.
static bool choose(MgRows *r, bool *apart) {
    MgGroup *gr = r->gr;
    const MgTargetInfo *target = &gr->s->options->target;
    int64_t n_rows = count_rows(gr);
    int64_t most = mg_figure(gr->s, row_most_items);
    most = power_below(target->max_items < most ? target->max_items : most);
    int64_t items = r->p.across ? items_across(r, n_rows, most) : items_along(r, n_rows, most);
    r->p.side = mg_figure(gr->s, row_flight);
    for (uint32_t i = 0; i < gr->depth; i++)
        r->axes[i] = i;
    int64_t kept = set_items(r, items);
    if (r->inner && !fits(r, most))
        return false;
    if (!r->inner && (r->rounds > MG_ROWS_ROUNDS || kept > mg_figure(gr->s, row_kept) ||
                      kept * r->n_cached > mg_figure(gr->s, row_all_kept))) {
        r->p.stream = true;
        r->rounds = 1;
        r->n_cached = 0;
    }
    if (r->p.stream && r->reduces == 2 && mg_monoid_find(r->gr, &r->together)) {
        r->p.items = power_below(
            r->p.items < mg_gpu_usual_items(gr->s) ? r->p.items : mg_gpu_usual_items(gr->s));
        r->p.lanes = joined_lanes(r);
    } else {
        r->together.second = 0;
    }
    int64_t group = power_below(mg_figure(gr->s, row_items)) * (r->p.across ? 2 : 1);
    group = group < most ? group : most;
    r->p.rows = r->p.items > group ? 1 : group / r->p.items;
    *apart = !choose_parts(r, n_rows);
    if (r->together.second)
        r->p.side = mg_figure(gr->s, row_flight_beside);
    while (r->p.side > 1 && r->p.lanes * r->p.side > MG_QUAD * mg_figure(gr->s, row_flight_beside))
        r->p.side /= 2;
    return !*apart;
}

// ---------------------------------------------------------------- nests

// Finds the loops of a checked nest: the one over rows (NULL if there is none), and the first one
// along a row.
static const MgLine *find_loops(const MgNest *nest, const MgNestScope *scope, const MgLine **row) {
    const MgLine *over = NULL, *outer = &nest->root;
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        if (line->kind != MG_LINE_FOR)
            continue;
        uint32_t index = mg_nest_first_part(nest, line->walks->index);
        *row = line;
        if (scope->indices.at[index].position >= nest->depth)
            break;
        over = outer = line;
        i = UINT32_MAX; // its lines are searched from the first again
    }
    return over;
}

// Rows are numbered as the nest joins their indices; an index that it does not walk has one
// position.
static void read_axes(MgRows *r, const MgNest *nest, const MgNestScope *scope, const MgLine *over) {
    bool walked[MG_GROUP_LOOPS] = {0};
    uint32_t n = 0, last = r->gr->depth;
    const MgLine *join = over ? mg_nest_join_line(nest, over->walks->index) : NULL;
    uint32_t parts = join ? join->n_numbers : over != NULL;
    for (uint32_t i = 0; i < parts; i++)
        walked[scope->indices.at[join ? join->numbers[i] : over->walks->index].position] = true;
    for (uint32_t i = 0; i < last; i++)
        if (!walked[i])
            r->axes[n++] = i;
    for (uint32_t i = 0; i < parts; i++)
        r->axes[n++] = scope->indices.at[join ? join->numbers[i] : over->walks->index].position;
}

// The digits of both loops.
static MgGpuRow digits_of(const MgRows *r, const MgLine *over, const MgLine *row) {
    const MgWalk *of_rows = over ? over->walks : NULL, *w = row->walks;
    bool across = over && mg_nest_has_digit(of_rows, MG_LEVEL_LANE);
    return (MgGpuRow){.width = r->p.width,
                      .across = across,
                      .stream = mg_nest_has_digit(w, MG_LEVEL_TIME),
                      .rows = over ? mg_nest_digit(of_rows, MG_LEVEL_LANE) *
                                         mg_nest_digit(of_rows, MG_LEVEL_WARP)
                                   : 1,
                      .items = mg_nest_digit(w, across ? MG_LEVEL_WARP : MG_LEVEL_LANE),
                      .lanes = mg_nest_digit(w, MG_LEVEL_VEC),
                      .side = mg_nest_digit(w, MG_LEVEL_REG),
                      .columns = over ? mg_nest_digit(of_rows, MG_LEVEL_VEC) : 1,
                      .parts = mg_nest_digit(w, MG_LEVEL_CORE)};
}

// Takes a plan. Values along the row are kept, or nothing is.
static void take(MgRows *r, MgGpuRow plan) {
    r->p = plan;
    r->rounds = plan.stream ? 1 : (uint32_t)mg_ceil_div(plan.width, plan.items * plan.lanes);
    r->n_cached = plan.stream ? 0 : r->n_cached;
}

static void read_nest(MgRows *r, const MgNest *nest) {
    MgGroup *gr = r->gr;
    MgSched *s = gr->s;
    MgNestScope scope = mg_nest_scope_of(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, nest);
    const MgLine *row = NULL, *over = find_loops(nest, &scope, &row);
    MgGpuRow plan = digits_of(r, over, row);
    plan.parts = plan.columns = 1;
    take(r, plan);
    r->nest = nest;
    read_axes(r, nest, &scope, over);
}

// The reason why rows of the group can't be shared as the nest says; NULL if they can.
static const char *misfit(MgRows *r, const MgNest *nest) {
    const MgScheduleOptions *o = r->gr->s->options;
    bool folds = mg_group_folds(r->gr->nests[0].piece->reducer);
    if (o->strict)
        return "sums keep their order: items can't share a row";
    if (!look(r))
        return "the equations have no rows that items can share: of one known width, of which each "
               "element is read at its own position only";
    uint32_t lanes = r->straight && folds ? r->p.lanes : 1;
    read_nest(r, nest);
    if (r->p.lanes > 1 && (lanes == 1 || r->p.width % r->p.lanes))
        return "not every access along the row is one of whole vectors: some value lies across, or "
               "the width is no multiple";
    if (!folds && !r->p.stream)
        return "the place of an extreme is looked for as the row is read: its digits are time(*), "
               "reg(N) or not, lane(N) or warp(N)";
    return r->rounds > MG_ROWS_ROUNDS ? "an item would have more than 32 vectors of a row" : NULL;
}

const char *mg_gpu_rows_misfit(MgGroup *gr, const MgNest *nest) {
    MgGroup copy = *gr;
    return misfit(rows_of(&copy), nest);
}

void mg_gpu_rows_items(MgGroup *gr, const MgNest *nest) {
    MgRows *r = rows_of(gr);
    look(r);
    read_nest(r, nest);
    mg_gpu_rows_emit(r);
}

// ---------------------------------------------------------------- joined reductions

static void nest_of(void *found, MgNest *nest, MgNestScope *scope) {
    MgRows *r = found;
    (void)scope; // the nest's joined indices follow in the same order
    r->p.stream |= !mg_group_folds(r->gr->nests[0].piece->reducer);
    r->p.second = r->together.second;
    r->p.monoid = r->together.monoid;
    *nest = *mg_choose_gpu_rows(r->gr, &r->p);
}

// Can the group's rows be reduced in parts, or by two equations together?
static void *find_joined(MgGroup *gr) {
    MgRows *r = rows_of(gr);
    bool fits = gr->s->options->level > 0 && !gr->s->options->strict && !r->inner && look(r) &&
                mg_piece_reduces(gr->nests[0].piece) &&
                (r->reduces == 1 || (r->reduces == 2 && mg_monoid_find(gr, &r->together)));
    if (fits && r->together.second)
        r->p.lanes = joined_lanes(r);
    return fits ? r : NULL;
}

static bool read_joined(void *found, const MgGivenNest *given) {
    enum { MOST_PARTS = 1024, MOST_SIDE = 32 };
    MgRows *r = found;
    MgSched *s = r->gr->s;
    const MgLine *row = NULL, *over = find_loops(given->nest, given->scope, &row);
    uint32_t most = s->options->target.max_items;
    if (!row)
        return mg_form_refuse(given, NULL, "no loop walks the row");
    MgGpuRow d = digits_of(r, over, row);
    if (!mg_nest_is_power(d.items) || !mg_nest_is_power(d.rows) || d.items > most ||
        d.rows > most / d.items || d.side < 1 || d.side > MOST_SIDE)
        return mg_form_refuse(given, row,
                              "rows of a group and items of a row are powers of two, of at most %u "
                              "items in all, each with 1 to %d vectors at once",
                              most, MOST_SIDE);
    if (!mg_nest_is_power(d.lanes) || d.lanes > r->p.lanes)
        return mg_form_refuse(given, row,
                              "a vector has a power of two of elements here, at most %u: more are "
                              "not contiguous, or do not divide the row",
                              (uint32_t)r->p.lanes);
    if (d.parts < 1 || d.parts > MOST_PARTS)
        return mg_form_refuse(given, row, "a row has at most %d parts", MOST_PARTS);
    d.stream = true;
    take(r, d);
    if (!mg_nest_is_power(r->p.columns) || r->p.columns > columns_of(r))
        return mg_form_refuse(given, over,
                              "an item takes a power of two of rows at once here, at most %u",
                              columns_of(r));
    for (uint32_t i = 0; i < r->gr->depth; i++)
        r->axes[i] = i;
    return d.parts > 1 || r->together.second ||
           mg_form_refuse(given, row, "nothing is joined: the row has one part, and one reduction");
}

const MgForm mg_group_gpu_joined = {.nests = MG_NEST_PARTS,
                                    .gpu = true,
                                    .what = "a reduction of joined parts",
                                    .find_in = find_joined,
                                    .read = read_joined,
                                    .nest = nest_of,
                                    .make = mg_gpu_rows_emit};

// ---------------------------------------------------------------- the default

bool mg_gpu_rows(MgGroup *gr, bool *apart) {
    const MgScheduleOptions *o = gr->s->options;
    MgRows *r = rows_of(gr);
    MgIx with[MG_GROUP_LOOPS];
    memcpy(with, gr->with, sizeof with);
    if (o->level < 1 || o->strict || !look(r) || !is_worth(r) || !choose(r, apart)) {
        memcpy(gr->with, with, sizeof with);
        return false;
    }
    gr->kb.nest = mg_form_nest(&mg_group_gpu_joined, r, gr->s, mg_group_place_of(gr));
    if (r->p.parts == 1 && !r->together.second)
        read_nest(r, gr->kb.nest);
    mg_gpu_rows_emit(r);
    return true;
}

void mg_gpu_row_enter(MgRows *r, const MgGroupNest *n) {
    enter(r->gr, n, r->p.width);
}
