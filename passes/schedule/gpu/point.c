// Elementwise groups, and any group of which one item can compute a point, on a GPU.
//
// The box is flattened, with the contiguous axis innermost, so that adjacent items access adjacent
// elements. An item takes one element, or a vector if every access is contiguous and the axis is a
// whole number of vectors. If a vector takes much arithmetic, an item takes several, so that all
// loads are issued before the first vector is computed. If no vectors divide a long axis, a group
// walks it. Reductions in this form run inside an item.
#include "ir/equation.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/group/nest.h"
#include "passes/schedule/riders.h"
#include "passes/schedule/words.h"

// The number of vectors per item, and of groups per unit for points with many instructions, were
// measured on an H200 with 2^28 elements. Times with one vector per item, with four, and with four
// and 64 groups per unit: exp 0.515, 0.533 and 0.557 ms; gelu 0.576, 0.533, 0.545; tanh 0.588,
// 0.525, 0.557; gelu(x) * sigmoid(x) 0.734, 0.577, 0.561. Groups that only move memory are fastest
// with the most and shortest groups.

// ---------------------------------------------------------------- lanes

static void note_size(MgGroup *gr, MgValueId v, int64_t *longest) {
    int64_t size = mg_dtype_size(mg_value(gr->s->g, v)->dtype);
    *longest = size > *longest ? size : *longest;
}

// Is every access contiguous along v, or constant along it? gathers: other reads may be gathered,
// since the axis is so short that neighbouring items read along another. *longest: the bytes of the
// largest element that moves along v.
static bool look_along(MgGroup *gr, uint32_t v, bool gathers, int64_t *longest) {
    MgIxSym sym = mg_ix_index(gr->s->ix, v);
    MgIxRanges ranges = {gr->low, gr->high, MG_GROUP_LOOPS};
    *longest = 1;
    for (uint32_t i = 0; i < gr->n_nests; i++) {
        const MgGroupNest *n = &gr->nests[i];
        MgAccesses all = mg_accesses(gr->s, n->op, n->piece->expr, gr->with, MG_GROUP_LOOPS);
        for (uint32_t r = 0; r < all.n; r++) {
            const MgAccess *a = &all.at[r];
            MgMove along = mg_moves(gr->s, a, v);
            if (mg_unit_def(gr->unit, gr->s->g, a->value)) // in a register
                continue;
            if (along == MG_STEPS)
                note_size(gr, a->value, longest);
            if (gathers && a->read->bounds != MG_BOUNDS_CHECKED)
                continue;
            if (along == MG_JUMPS || !mg_read_is_inside_along(gr->s, a->value, a->read, gr->with,
                                                              MG_GROUP_LOOPS, &ranges, sym))
                return false;
        }
        if (!mg_moves_by_one(gr->s->ix, mg_group_target(gr, n), sym))
            return false;
        if (mg_unit_is_output(gr->unit, n->result))
            note_size(gr, n->result, longest);
    }
    return true;
}

static bool is_straight(MgGroup *gr, uint32_t v, bool gathers) {
    int64_t longest;
    return look_along(gr, v, gathers, &longest);
}

bool mg_gpu_takes_vectors(MgGroup *gr, uint32_t v, uint32_t lanes) {
    MgIxTable *t = gr->s->ix;
    int64_t extent = mg_ix_const_or(t, mg_group_extent(gr, v), 1);
    return is_straight(gr, v, extent <= 2 * (int64_t)lanes) && extent % lanes == 0 &&
           mg_ix_const_or(t, gr->low[v], 1) % lanes == 0;
}

// The lanes along index v: those that fill a vector of memory, or half of one, if all accesses
// allow it and there is work for all items. An item computes in registers of one number, so it
// doesn't matter how wide the numbers are with which it does.
static uint32_t lanes_along(MgGroup *gr, uint32_t v, int64_t points) {
    const MgTargetInfo *target = &gr->s->options->target;
    int64_t enough = (int64_t)target->compute_units * mg_figure(gr->s, point_items);
    int64_t longest;
    if (!look_along(gr, v, true, &longest))
        return 1;
    uint32_t lanes = target->vector_bytes / (uint32_t)longest;
    lanes = lanes < MG_GPU_MOST_LANES ? lanes : MG_GPU_MOST_LANES;
    for (; lanes > 1 && 2 * lanes * longest >= target->vector_bytes; lanes /= 2)
        if (mg_gpu_takes_vectors(gr, v, lanes) && points / lanes >= enough)
            return lanes;
    return 1;
}

// ---------------------------------------------------------------- the loops

void mg_gpu_digits(MgGroup *gr, MgKBlock *block, const uint32_t *axes, uint32_t n, const MgKx *left,
                   uint32_t lanes) {
    MgKernel *k = gr->kb.k;
    for (uint32_t i = n; i-- > 0;) {
        MgIx extent = mg_group_extent(gr, axes[i]);
        const MgKx *step = num(k, i + 1 == n ? lanes : 1);
        const MgKx *size = quotient(k, mg_kb_ix(&gr->kb, extent, gr->loop), step);
        const MgKx *digit = i ? remainder_of(k, left, size) : left;
        const MgKx *low = mg_kb_ix(&gr->kb, gr->low[axes[i]], gr->loop);
        gr->loop[axes[i]] = named(k, block, "i", add(k, low, mul(k, digit, step)));
        if (i)
            left = named(k, block, "t", quotient(k, left, size));
    }
}

// ---------------------------------------------------------------- several vectors per item

// The points of the box by number; an item computes the point of a number.
typedef struct Numbered {
    MgGroup *gr;
    const uint32_t *axes;
    uint32_t n;
    MgGpuPoints p; // the plan
} Numbered;

static void emit_number(const Numbered *p, MgKBlock *block, const MgKx *number) {
    mg_gpu_digits(p->gr, block, p->axes, p->n, number, p->p.lanes);
    MgPoints body = {
        p->gr, p->p.lanes > 1 ? (int)p->axes[p->n - 1] : -1, p->p.lanes, 0, p->gr->n_nests, true};
    mg_group_points(&body, block, NULL);
}

static double instructions(const MgGroup *gr) {
    double sum = 0;
    for (uint32_t i = 0; i < gr->n_nests; i++)
        sum += mg_sx_instructions(&gr->s->options->target.machine, gr->nests[i].piece->expr);
    return sum;
}

// Each item takes several numbers, a group's width apart; a group with fewer numbers takes them one
// by one.
static void several(const Numbered *p, const MgKx *trips) {
    MgKernel *k = p->gr->kb.k;
    int64_t of_group = (int64_t)p->p.items * p->p.several;
    const MgKx *share = num(k, of_group), *blocks = mg_kceil_div(k, trips, of_group);
    k->items = p->p.items;
    Loop g = each_group(k, &k->body, "g", blocks);
    if (p->p.groups)
        k->groups = least(k, blocks, num(k, p->p.groups));
    MgKBlock *block = g.body, all = {0}, rest = {0};
    const MgKx *base = named(k, block, "t", mul(k, g.at, share));
    const MgKx *first = named(k, block, "t", add(k, base, mg_kspecial(k, MG_KX_LOCAL_ID)));
    for (int64_t v = 0; v < p->p.several; v++) {
        MgKBlock copy = {0};
        const MgKx *number = plus(k, first, v * p->p.items);
        emit_number(p, &copy, named(k, &copy, "t", number));
        mg_gpu_part_loads(k, &copy, &all, &rest);
    }
    mg_kblock_append(k, &all, &rest);
    const MgKx *whole = bin(k, MG_PRIM_LE, add(k, base, share), trips);
    if (trips->kind == MG_KX_CONST && (int64_t)trips->bits % of_group == 0) {
        mg_kblock_append(k, block, &all);
        return;
    }
    MgKs *branch = mg_kif(k, block, whole);
    branch->body = all;
    Loop v = each_from(k, &branch->orelse, "v", first, trips, p->p.items);
    emit_number(p, v.body, v.at);
}

// ---------------------------------------------------------------- kernels from nests

static void read_digits(MgGpuPoints *p, const MgWalk *w) {
    if (mg_nest_has_digit(w, MG_LEVEL_CORE))
        p->groups = (uint32_t)mg_nest_digit(w, MG_LEVEL_CORE);
    if (mg_nest_has_digit(w, MG_LEVEL_LANE))
        p->items = (uint32_t)mg_nest_digit(w, MG_LEVEL_LANE);
    p->several = (uint32_t)mg_nest_digit(w, MG_LEVEL_REG);
    p->lanes = (uint32_t)mg_nest_digit(w, MG_LEVEL_VEC);
}

// A group takes all positions of the last axis, at one position of the others, so each of these is
// found once for the group, and so is what is read along the last axis alone. Each item takes
// several positions, a group's width apart.
static void emit_along(const Numbered *p) {
    MgGroup *gr = p->gr;
    MgKernel *k = gr->kb.k;
    uint32_t last = p->axes[p->n - 1];
    const MgKx *groups = num(k, 1), *low = mg_kb_ix(&gr->kb, gr->low[last], gr->loop);
    for (uint32_t i = 0; i + 1 < p->n; i++)
        groups = mul(
            k, groups,
            greatest(k, mg_kb_ix(&gr->kb, mg_group_extent(gr, p->axes[i]), gr->loop), num(k, 0)));
    const MgKx *extent =
        greatest(k, mg_kb_ix(&gr->kb, mg_group_extent(gr, last), gr->loop), num(k, 0));
    const MgKx *block = num(k, (int64_t)p->p.items * p->p.several);
    k->items = p->p.items;
    Loop g = each_group(k, &k->body, "g", groups);
    mg_gpu_digits(gr, g.body, p->axes, p->n - 1, g.at, 1);
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    const MgKx *whole = named(k, g.body, "whole", mul(k, quotient(k, extent, block), block));
    MgPoints body = {gr, -1, 1, 0, gr->n_nests, true};
    for (int tail = 0; tail < 2; tail++) {
        uint32_t n = tail ? 1 : p->p.several;
        MgKBlock rest = {0};
        Loop v = each_from(k, g.body, "v", tail ? add(k, whole, me) : me, tail ? extent : whole,
                           (int64_t)p->p.items * n);
        for (uint32_t c = 0; c < n; c++) {
            MgKBlock copy = {0};
            const MgKx *at = plus(k, add(k, low, v.at), (int64_t)c * p->p.items);
            gr->loop[last] = named(k, &copy, "at", at);
            mg_group_points(&body, &copy, NULL);
            mg_gpu_part_loads(k, &copy, v.body, &rest);
        }
        mg_kblock_append(k, v.body, &rest);
    }
}

// Adds the axes that a loop's index joins, outermost first.
static void read_axes(Numbered *p, uint32_t *axes, const MgNest *nest, const MgNestScope *scope,
                      uint32_t index) {
    const MgLine *join = mg_nest_join_line(nest, index);
    for (uint32_t i = 0; i < (join ? join->n_numbers : 1); i++) {
        uint32_t at = scope->indices.at[join ? join->numbers[i] : index].position;
        if (!join || !p->gr->collapsed[at])
            axes[p->n++] = at;
    }
}

static void emit_points(MgGroup *gr, const MgNest *nest) {
    MgSched *s = gr->s;
    MgKernel *k = gr->kb.k;
    uint32_t axes[MG_GROUP_LOOPS];
    Numbered point = {gr, axes, 0, {.lanes = 1, .several = 1}};
    point.p.items = mg_gpu_usual_items(s);
    const MgLine *line = nest->root.body.at[nest->root.body.len - 1];
    bool along = line->kind == MG_LINE_FOR && line->body.at[0]->kind == MG_LINE_FOR;
    if (line->kind == MG_LINE_FOR) {
        MgNestScope scope = mg_nest_scope_of(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, nest);
        const MgLine *join = mg_nest_join_line(nest, line->walks->index);
        for (uint32_t i = 0; join && i < join->n_numbers; i++)
            axes[i] = scope.indices.at[join->numbers[i]].position;
        if (join && s->options->level > 0 && !gr->reduces)
            mg_group_join(gr, axes, join->n_numbers);
        read_axes(&point, axes, nest, &scope, line->walks->index);
        if (along)
            read_axes(&point, axes, nest, &scope, line->body.at[0]->walks->index);
        read_digits(&point.p, along ? line->body.at[0]->walks : line->walks);
    }
    for (uint32_t i = 0; i < gr->depth; i++)
        gr->loop[i] = mg_kb_ix(&gr->kb, gr->low[i], gr->loop); // of indices that no loop walks
    if (point.p.lanes == 1) // vectors would be written one by one
        mg_kb_ride(&gr->kb);
    if (along) {
        emit_along(&point);
        return;
    }
    if (!point.n && s->options->level > 0) {
        MgKBlock all = {0};
        emit_number(&point, &all, num(k, 0));
        mg_gpu_chains(&gr->kb, &all, point.p.items);
        return;
    }
    const MgKx *trips = num(k, 1);
    for (uint32_t i = 0; i < point.n; i++) {
        const MgKx *size = mg_kb_ix(&gr->kb, mg_group_extent(gr, axes[i]), gr->loop);
        size = greatest(k, size, num(k, 0));
        if (i + 1 == point.n)
            size = over(k, size, point.p.lanes);
        trips = mul(k, trips, size);
    }
    MgKBlock *block = &k->body;
    if (point.p.several > 1 || point.p.groups) {
        several(&point, trips);
        return;
    }
    const MgKx *number = mg_share_items(k, &block, trips, point.p.items);
    emit_number(&point, block, number);
}

void mg_nest_items(MgGroup *gr, const MgNest *nest) {
    MgSched *s = gr->s;
    MgNestScope scope = mg_nest_scope_of(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, nest);
    (mg_nest_has_rows(nest, &scope) ? mg_gpu_rows_items : emit_points)(gr, nest);
}

// ---------------------------------------------------------------- the default

// Determines the axes, with the one along which memory is contiguous last.
uint32_t mg_gpu_order_axes(MgGroup *gr, uint32_t *axes) {
    uint32_t n = 0, lanes = mg_group_lanes(gr, gr->nests, gr->n_nests);
    for (uint32_t i = 0; i < gr->depth; i++)
        if (!gr->collapsed[i])
            axes[n++] = i;
    int vector = mg_group_vector(gr, gr->nests, gr->n_nests, 0, gr->depth, lanes, NULL);
    for (uint32_t i = 0; i < n && vector >= 0 && vector < (int)gr->depth; i++)
        if (axes[i] == (uint32_t)vector) {
            memmove(axes + i, axes + i + 1, (n - 1 - i) * sizeof *axes);
            axes[n - 1] = (uint32_t)vector;
            break;
        }
    return n;
}

// Does memory run along the last axis, which no vector divides, and has it enough positions for a
// group, with enough groups for all units?
static bool walks_rows(MgGroup *gr, const uint32_t *axes, uint32_t n, int64_t points) {
    const MgTargetInfo *target = &gr->s->options->target;
    int64_t row = mg_ix_const_or(gr->s->ix, mg_group_extent(gr, axes[n - 1]), 0);
    int64_t least = (int64_t)mg_gpu_usual_items(gr->s) * mg_figure(gr->s, row_points);
    bool alone = !axes[n - 1] || !gr->collapsed[axes[n - 1] - 1]; // no other axis was joined to it
    return alone && gr->s->options->level > 0 && row >= least &&
           points / row >= (int64_t)target->compute_units * mg_figure(gr->s, row_unit_groups) &&
           is_straight(gr, axes[n - 1], false);
}

MgGpuPoints mg_gpu_choose_points(MgGroup *gr, const uint32_t *axes, uint32_t n) {
    MgIxTable *t = gr->s->ix;
    const MgTargetInfo *target = &gr->s->options->target;
    MgIx box = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < n; i++)
        box = mg_ix_mul(t, box, mg_group_extent(gr, axes[i]));
    int64_t points = mg_ix_const_or(t, box, 0);
    MgGpuPoints p = {.lanes = 1, .several = 1};
    p.items = mg_gpu_usual_items(gr->s);
    if (n && gr->s->options->level > 0)
        p.lanes = lanes_along(gr, axes[n - 1], points);
    int64_t enough = (int64_t)target->compute_units * p.items * mg_figure(gr->s, several_from);
    const MgMachine *machine = &target->machine;
    double weight = instructions(gr);
    if (p.lanes > 1 && !gr->reduces && points / p.lanes >= enough && weight >= machine->long_work) {
        p.several = (uint32_t)machine->several;
        p.groups = weight >= machine->longer_work
                       ? target->compute_units * (uint32_t)machine->several_groups
                       : 0;
    }
    if (n > 1 && p.lanes == 1 && !gr->reduces && walks_rows(gr, axes, n, points)) {
        p.along = true;
        p.several = (uint32_t)mg_figure(gr->s, row_points);
    }
    return p;
}

static void emit_default(MgGroup *gr) {
    uint32_t axes[MG_GROUP_LOOPS];
    if (gr->s->options->level > 0 && !gr->reduces)
        mg_group_merge(gr);
    uint32_t n = mg_gpu_order_axes(gr, axes);
    if (!mg_group_by_form(gr, &mg_group_gpu_tiles)) {
        gr->kb.nest = mg_choose_gpu_points(gr, axes, n);
        mg_nest_items(gr, gr->kb.nest);
    }
}

static bool emit(MgGroup *gr) {
    bool apart = false;
    if (mg_gpu_rows(gr, &apart))
        return true;
    if (apart)
        return false;
    if (gr->rows) {
        gr->s->draft->unit.apart_why =
            "items share rows of one known width, of which each element is read at "
            "its own position only";
        return false;
    }
    emit_default(gr);
    return true;
}

bool mg_schedule_gpu_group(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    return mg_group_form(s, unit, emit, plan);
}
