// fuse: equations that share a box become one fused op, which a schedule turns into one kernel.
//
// Needs: nothing; inline and dce before it make the groups better. Keeps: every equation, its order
// and its origin. By structure alone, a group is
//   - a chain or dag of elementwise equations over one box;
//   - a reduction or contraction, and elementwise equations over the box of its results (an
//     epilogue);
//   - a row group: reductions over trailing axes that share the leading box, and elementwise
//     equations over that box and more axes, such as a whole softmax or normalisation;
//   - a matrix product of few columns, and the ops that follow it row by row (row_end.h);
//   - single numbers, such as counts of steps and rates of learning, which need not be related;
//   - attention: a contraction, a softmax over its rows, a contraction over the softmax
//     (attention.h), and elementwise equations over the box of its result.
// An op joins the groups of its operands if the result is such a group again and no op outside has
// read from them yet. So a group can take the place of its last op: everything that it reads comes
// before, and everything that reads it comes after. Values that are read outside a group are its
// yields. Ends: there is one walk over the ops, and each op is moved once.
#include "passes/fuse.h"

enum { MOST_NUMBERS = 32 }; // in a group

static uint32_t find_group(MgFuse *f, uint32_t n) {
    while (n && f->groups.at[n].merged_into)
        n = f->groups.at[n].merged_into;
    return n;
}

static uint32_t group_of_value(MgFuse *f, MgValueId v) {
    MgOpId def = mg_value(f->g, v)->def;
    return def ? find_group(f, f->group_of[def]) : 0;
}

// ---------------------------------------------------------------- properties of ops

// Is it one piece over the plain indices of its whole result, without a range that depends on an
// index?
bool mg_fuse_is_plain(MgFuse *f, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    const MgPiece *p = mg_only_piece(op);
    return p && mg_piece_is_plain(f->g, p, op->results[0]) && !mg_piece_is_scanned(f->g->module, p);
}

// ---------------------------------------------------------------- building groups

static void copy_members(MgFuse *f, MgFuseGroup *to, const MgFuseGroup *from) {
    for (uint32_t i = 0; i < from->members.len; i++)
        mg_push(f->arena, &to->members, from->members.at[i]);
}

static bool is_before(MgFuse *f, const MgFuseMember *a, const MgFuseMember *b) {
    bool front = a->inner || a->product, other = b->inner || b->product;
    return front != other ? front : f->order[a->op] < f->order[b->op];
}

void mg_fuse_sort(MgFuse *f, MgFuseGroup *group) {
    MgFuseMember *m = group->members.at;
    for (uint32_t i = 1; i < group->members.len; i++) // two sorted runs, so the moves are short
        for (uint32_t k = i; k && is_before(f, &m[k], &m[k - 1]); k--) {
            MgFuseMember swap = m[k];
            m[k] = m[k - 1];
            m[k - 1] = swap;
        }
}

// ---------------------------------------------------------------- explaining
// Reports why operand `i` of an op did not join it; if `why` is NULL, reports that it did. Weights
// and constants need no report.
static void note(MgFuse *f, MgOpId id, uint32_t i, const char *why) {
    MgOpId def = mg_value(f->g, mg_op(f->g, id)->operands[i])->def;
    if (def && f->unchanging[def] && !mg_traits(f->g, def).view)
        why = mg_fuse_made_once;
    if (f->context->edge && def && mg_op(f->g, def)->kind != MG_OP_PARAM &&
        mg_op(f->g, def)->kind != MG_OP_CONST)
        f->context->edge(f->context->edge_ctx, f->g, id, i, why);
}

static void note_all(MgFuse *f, MgOpId id, const char *why) {
    for (uint32_t i = 0; i < mg_op(f->g, id)->n_operands; i++)
        note(f, id, i, why);
}

// Reports a member of an attention: operands from other members are inside.
static void note_attention(MgFuse *f, MgOpId id) {
    for (uint32_t i = 0; i < mg_op(f->g, id)->n_operands; i++) {
        uint32_t other = group_of_value(f, mg_op(f->g, id)->operands[i]);
        note(f, id, i,
             other == f->group_of[id] ? NULL
                                      : "attention reads its queries, keys and values from memory");
    }
}

// A group that ops outside have read from precedes them, so it can't wait for later ops.
static void close_group(MgFuse *f, uint32_t group, MgOpId reader) {
    f->groups.at[group].closed = true;
    if (f->context->edge)
        mg_push(f->arena, &f->groups.at[group].readers, reader);
}

// The members of two groups, as one group.
static MgFuseGroup both(MgFuse *f, uint32_t a, uint32_t b) {
    MgFuseGroup all = {.attention = f->groups.at[a].attention || f->groups.at[b].attention};
    copy_members(f, &all, &f->groups.at[a]);
    copy_members(f, &all, &f->groups.at[b]);
    mg_fuse_sort(f, &all);
    return all;
}

// Joins two groups, which may both still grow. Returns the number of the new group.
static uint32_t join(MgFuse *f, const MgFuseGroup *joined, uint32_t a, uint32_t b) {
    mg_push(f->arena, &f->groups, *joined);
    uint32_t number = f->groups.len - 1;
    f->groups.at[a].merged_into = f->groups.at[b].merged_into = number;
    return number;
}

static bool are_numbers(MgFuse *f, const MgFuseGroup *group) {
    bool all = !group->attention;
    for (uint32_t i = 0; i < group->members.len && all; i++) {
        MgOpId id = group->members.at[i].op;
        all = !group->members.at[i].reduces && !mg_value(f->g, mg_op(f->g, id)->results[0])->rank;
    }
    return all;
}

// Each single number would be a kernel, which takes longer to begin than to run. Returns the number
// of the group that has the op now.
static uint32_t join_numbers(MgFuse *f, MgOpId id, uint32_t number) {
    if (!are_numbers(f, &f->groups.at[number]))
        return number;
    uint32_t other = find_group(f, f->numbers);
    f->numbers = number;
    if (!other || other == number || f->groups.at[other].closed ||
        f->groups.at[other].members.len + f->groups.at[number].members.len > MOST_NUMBERS)
        return number;
    MgFuseGroup joined = both(f, other, number);
    if (mg_fuse_misfit(f, &joined) || !mg_pass_may(f->context, id))
        return number;
    return f->numbers = join(f, &joined, other, number);
}

// Puts the op into a group of its own, which then absorbs the groups of its operands as far as that
// is legal.
static void place(MgFuse *f, MgOpId id) {
    const MgPiece *p = mg_fuse_piece(f, id);
    MgFuseMember self = {id, p->reducer != MG_REDUCE_NONE,
                         mg_piece_contraction(f->g->module, p) >= MG_CONTRACTS_VECTORS, false};
    MgFuseGroup own = {0};
    mg_push(f->arena, &own.members, self);
    const char *why = mg_fuse_misfit(f, &own);
    if (why) {
        note_all(f, id, why);
        return;
    }
    mg_push(f->arena, &f->groups, own);
    uint32_t number = f->groups.len - 1;
    f->group_of[id] = number;
    const MgOp *op = mg_op(f->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint32_t other = group_of_value(f, op->operands[i]);
        bool closed = f->groups.at[other].closed;
        if (!other || other == number || (closed && !f->context->edge)) {
            note(f, id, i, other == number ? NULL : mg_fuse_ungrouped(f, op->operands[i]));
            continue;
        }
        MgFuseGroup joined = both(f, other, number);
        why = f->groups.at[other].closed_why ? f->groups.at[other].closed_why
                                             : mg_fuse_misfit(f, &joined);
        if (!why && closed)
            why = mg_fuse_closed(f, id, &f->groups.at[other]);
        if (!why && !mg_pass_may(f->context, id))
            why = "--debug-counter holds it back";
        note(f, id, i, why && f->not_attention[id] ? f->not_attention[id] : why);
        if (why)
            continue;
        number = join(f, &joined, other, number);
    }
    number = join_numbers(f, id, number);
    for (uint32_t i = 0; i < op->n_operands;
         i++) { // read from outside: nothing may join them any more
        uint32_t other = group_of_value(f, op->operands[i]);
        if (other && other != number)
            close_group(f, other, id);
    }
}

static void close_operands(MgFuse *f, MgRegionId r);

static void close_read(MgFuse *f, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint32_t group = group_of_value(f, op->operands[i]);
        if (group && group != find_group(f, f->group_of[id]))
            close_group(f, group, id);
    }
    for (uint32_t r = 0; r < op->n_regions; r++)
        close_operands(f, op->regions[r]);
}

static void close_operands(MgFuse *f, MgRegionId r) {
    for (uint32_t i = 0; i < mg_region(f->g, r)->ops.len; i++)
        close_read(f, mg_region(f->g, r)->ops.at[i]);
}

// ---------------------------------------------------------------- making the fused op

static bool leaves(MgFuse *f, const MgFuseGroup *group, MgValueId v) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < group->members.len; i++) {
        const MgOp *op = mg_op(f->g, group->members.at[i].op);
        for (uint32_t k = 0; k < op->n_operands; k++)
            inside += op->operands[k] == v;
    }
    return f->uses[v] > inside;
}

// A group that nobody reads stays apart, since a fused op has a result.
static bool is_group(MgFuse *f, const MgFuseGroup *group) {
    bool read = false;
    for (uint32_t i = 0; i < group->members.len; i++)
        read |= leaves(f, group, mg_op(f->g, group->members.at[i].op)->results[0]);
    return group->members.len > 1 && read;
}

static const char *anchor_of(const MgFuseGroup *group) {
    return group->attention ? "attention"
           : group->product ? "contraction"
           : group->rows    ? "row"
           : group->reduces ? "reduction"
                            : "none";
}

// Makes the fused op's result. It takes the name; the inner value gets another.
static MgValueId result_for(MgGraph *g, MgOpId fused, MgValueId inner) {
    MgValue v = *mg_value(g, inner);
    MgNames *names = g->module->session->names;
    MgSym inside = mg_unique_name(g, mg_symf(names, "%s_in", mg_name(names, v.name)));
    mg_map_put(&g->value_names, inside, inner);
    mg_value(g, inner)->name = inside;
    MgValueId outer = mg_op_result(g, fused, inside, v.dtype, v.rank, v.shape);
    mg_value(g, outer)->name = v.name;
    mg_map_put(&g->value_names, v.name, outer);
    mg_value(g, outer)->origin = v.origin;
    return outer;
}

// Returns the fused op, which the caller puts into the list of its region. with[inner] = outer.
static MgOpId wrap(MgFuse *f, const MgFuseGroup *group, MgRegionId r, MgValueId *with) {
    MgGraph *g = f->g;
    MgArena *arena = g->module->arena;
    MgOpId last = group->members.at[group->members.len - 1].op;
    MgOpId fused = mg_op_new(g, r, MG_OP_FUSED, NULL, 0, mg_op(g, last)->origin);
    MgRegionId body = mg_region_new(g, fused);
    MG_VEC(MgValueId) yields = {0};
    for (uint32_t i = 0; i < group->members.len; i++) {
        MgOpId id = group->members.at[i].op;
        MgValueId v = mg_op(g, id)->results[0];
        mg_op(g, id)->region = body;
        mg_push(arena, &mg_region(g, body)->ops, id);
        if (leaves(f, group, v))
            mg_push(f->arena, &yields, v);
    }
    mg_op_new(g, body, MG_OP_YIELD, yields.at, yields.len, mg_op(g, last)->origin);
    for (uint32_t i = 0; i < yields.len; i++)
        with[yields.at[i]] = result_for(g, fused, yields.at[i]);
    MgNames *names = g->module->session->names;
    MgAnnotation a = {mg_sym(names, "anchor"), mg_symf(names, "\"%s\"", anchor_of(group))};
    mg_push(arena, &mg_op(g, fused)->annotations, a);
    return fused;
}

// ---------------------------------------------------------------- regions

// Redirects reads of a group's values from outside the group to the fused op's results, once all
// groups are wrapped.
static void redirect(MgFuse *f, const MgValueId *with, uint32_t n_values) {
    MgGraph *g = f->g;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        MgOp *op = mg_op(g, id);
        for (uint32_t k = 0; op->kind != MG_OP_ERASED && k < op->n_operands; k++) {
            MgValueId v = op->operands[k];
            if (v >= n_values || !with[v])
                continue;
            MgOpId def = mg_value(g, v)->def;
            if (mg_op(g, def)->region != op->region) // outside the group
                op->operands[k] = with[v];
        }
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].value < n_values && with[g->outputs.at[i].value])
            g->outputs.at[i].value = with[g->outputs.at[i].value];
}

static bool wrap_groups(MgFuse *f, MgRegionId r, const MgOpId *ops, uint32_t n, MgValueId *with) {
    MgGraph *g = f->g;
    MG_VEC(MgOpId) list = {0};
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = find_group(f, f->group_of[ops[i]]);
        const MgFuseGroup *group = &f->groups.at[number];
        if (!number || !is_group(f, group))
            mg_push(f->arena, &list, ops[i]);
        else if (group->members.at[group->members.len - 1].op == ops[i]) {
            MgOpId fused = wrap(f, group, r, with);
            mg_push(f->arena, &list, fused);
            changed = true;
        }
    }
    MgRegion *region = mg_region(g, r);
    if (changed) {
        region->ops.at = mg_arena_copy(g->module->arena, list.at, list.len, sizeof *list.at);
        region->ops.len = region->ops.cap = list.len;
    }
    return changed;
}

static bool reduces_rows(MgFuse *f, MgOpId id) {
    return mg_fuse_is_plain(f, id) && mg_fuse_piece(f, id)->reducer != MG_REDUCE_NONE &&
           mg_fuse_is_row(f, id);
}

// The place after the last op before place `end` that an op reads, or 0.
static uint32_t behind_read(MgFuse *f, const MgRegion *region, MgOpId id, uint32_t end) {
    const MgOp *op = mg_op(f->g, id);
    uint32_t behind = 0;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(f->g, op->operands[i])->def;
        uint32_t at = def ? f->order[def] : UINT32_MAX;
        if (at < end && region->ops.at[at] == def && at + 1 > behind)
            behind = at + 1;
    }
    return behind;
}

static void move_up(MgFuse *f, const MgRegion *region, uint32_t from, uint32_t to) {
    mg_op_move_before(f->g, region->ops.at[from], region->ops.at[to]);
    for (uint32_t i = to; i <= from; i++)
        f->order[region->ops.at[i]] = i;
}

static bool is_number(MgFuse *f, MgOpId id) {
    return mg_fuse_is_plain(f, id) && !mg_value(f->g, mg_op(f->g, id)->results[0])->rank &&
           mg_fuse_piece(f, id)->reducer == MG_REDUCE_NONE && !mg_traits(f->g, id).view;
}

// Moves ops next to those with which they may be one group, unless they also read a later op. An op
// between them would close the group. A reduction moves directly after another one over the same
// rows that it reads: without an op between them, a schedule can compute both in one pass over the
// row. A single number moves after the last number before it.
static void gather(MgFuse *f, MgRegionId r) {
    const MgRegion *region = mg_region(f->g, r);
    uint32_t barrier = 0; // after the last op that is not an equation
    uint32_t numbers = 0; // after the last number behind the barrier
    for (uint32_t i = 0; i < region->ops.len; i++) {
        MgOpId id = region->ops.at[i];
        f->order[id] = i;
        if (mg_op(f->g, id)->kind != MG_OP_EQUATION) {
            barrier = numbers = i + 1;
        } else if (reduces_rows(f, id)) {
            uint32_t to = behind_read(f, region, id, i);
            if (to > barrier && to < i && reduces_rows(f, region->ops.at[to - 1]))
                move_up(f, region, i, to);
        } else if (is_number(f, id) && behind_read(f, region, id, i) <= numbers) {
            if (numbers < i)
                move_up(f, region, i, numbers);
            numbers++;
        }
    }
}

static bool fuse_region(MgFuse *f, MgRegionId r, MgValueId *with) {
    MgGraph *g = f->g;
    uint32_t n = 0;
    f->numbers = 0;
    gather(f, r);
    MgOpId *ops = MG_NEW_N(f->arena, MgOpId, mg_region(g, r)->ops.len);
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        if (mg_op(g, id)->kind == MG_OP_ERASED || mg_op(g, id)->region != r)
            continue;
        ops[n++] = id;
        f->order[id] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        mg_fuse_attention(f, ops[i]);
    for (uint32_t i = 0; i < n; i++) {
        MgOpId id = ops[i];
        bool view = mg_traits(g, id).view;
        f->unchanging[id] = !f->group_of[id] && mg_fuse_is_unchanging(f, id);
        if (f->unchanging[id] && !view) {
            note_all(f, id, mg_fuse_made_once);
            continue;
        }
        if (f->group_of[id]) {
            close_read(f, id);
            note_attention(f, id);
            continue;
        }
        if (mg_fuse_is_plain(f, id) && !view) {
            place(f, id);
            continue;
        }
        close_read(f, id);
        note_all(f, id, view ? "it is a view: no data moves" : mg_fuse_alone(f, id));
    }
    return wrap_groups(f, r, ops, n, with);
}

// False inside a group, and in a loop's condition, which is printed as one expression.
static bool may_fuse_in(MgGraph *g, MgRegionId r) {
    MgOpId parent = mg_region(g, r)->parent;
    if (!parent)
        return true;
    const MgOp *op = mg_op(g, parent);
    bool condition = op->kind == MG_OP_LOOP && op->n_regions > 1 && op->regions[1] == r;
    return op->kind != MG_OP_FUSED && op->kind != MG_OP_ERASED && !condition;
}

bool mg_pass_fuse(MgGraph *g, MgPassContext *context) {
    uint32_t n_regions = g->regions.len, n_values = g->values.len;
    MgFuse f = {.g = g, .context = context, .arena = context->scratch};
    mg_push(f.arena, &f.groups, (MgFuseGroup){0});
    f.group_of = MG_NEW_N(f.arena, uint32_t, g->ops.len);
    f.order = MG_NEW_N(f.arena, uint32_t, g->ops.len);
    f.uses = mg_use_counts(g, f.arena);
    f.unchanging = MG_NEW_N(f.arena, bool, g->ops.len);
    f.output = MG_NEW_N(f.arena, bool, n_values);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        f.output[g->outputs.at[i].value] = true;
    f.not_attention = MG_NEW_N(f.arena, const char *, g->ops.len);
    MgValueId *with = MG_NEW_N(f.arena, MgValueId, n_values);
    bool changed = false;
    for (MgRegionId r = 0; r < n_regions; r++) {
        if (may_fuse_in(g, r))
            changed |= fuse_region(&f, r, with);
    }
    if (changed)
        redirect(&f, with, n_values);
    return changed;
}
