// Do ops form a group that some schedule can turn into one kernel? See fuse.c.
#include "passes/fuse.h"
#include "passes/row_end.h"

enum { MAX_GROUP = 48 };

typedef struct Aligned {
    MgFuse *f;
    const MgOp *op;
    const MgFuseGroup *group;
    uint32_t depth;
    MgOpId read; // the last member whose result was checked
    bool ok;
} Aligned;

// Is op a member whose result others may read? An attention handles its inner steps itself.
static bool is_member(const MgFuseGroup *group, MgOpId op) {
    for (uint32_t i = 0; i < group->members.len; i++)
        if (group->members.at[i].op == op)
            return !group->members.at[i].inner;
    return false;
}

// Does an op that follows an attention read a value of its rows? Its kernel only stores these.
static MgOpId reads_inner(MgFuse *f, const MgFuseGroup *group, const MgFuseMember *reader) {
    const MgOp *op = mg_op(f->g, reader->op);
    for (uint32_t i = 0; i < group->members.len && !reader->product; i++)
        for (uint32_t k = 0; group->members.at[i].inner && k < op->n_operands; k++)
            if (mg_value(f->g, op->operands[k])->def == group->members.at[i].op)
                return group->members.at[i].op;
    return MG_NONE;
}

// Checks that reads of the group's own values are at the shared point.
static void check_read(void *ctx, const MgSx *x) {
    Aligned *a = ctx;
    if (x->kind != MG_SX_READ || !a->ok)
        return;
    MgOpId def = mg_value(a->f->g, a->op->operands[x->operand])->def;
    if (!def || !is_member(a->group, def))
        return;
    MgIxTable *t = a->f->g->module->ix;
    a->read = def;
    a->ok = x->n_args >= a->depth && x->bounds == MG_BOUNDS_PROVED;
    for (uint32_t i = 0; i < a->depth && a->ok; i++)
        a->ok = x->args[i]->kind == MG_SX_IX && x->args[i]->ix == mg_ix_idx(t, i);
    for (uint32_t i = a->depth; i < x->n_args && a->ok; i++)
        a->ok = x->args[i]->kind == MG_SX_IX;
}

static const MgFuseMember *first_of(const MgFuseGroup *group) {
    const MgFuseMember *m = group->members.at;
    while (m->inner)
        m++;
    return m;
}

static bool reads_members(MgFuse *f, const MgFuseGroup *group, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    bool any = false;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(f->g, op->operands[i])->def;
        any |= def && is_member(group, def);
    }
    return any;
}

// A product must be the first member of its group and read no other member. Returns NULL, or the
// obstacle.
static const char *begins_not(MgFuse *f, const MgFuseGroup *group, const MgFuseMember *product) {
    if (reads_members(f, group, product->op))
        return mg_fuse_say(f,
                           "%s is a matrix product: it reads its factors from memory, and computes "
                           "inside only elementwise ops that have no other reader",
                           mg_fuse_told(f, product->op));
    if (first_of(group) == product)
        return NULL;
    return mg_fuse_say(f, "%s and %s are both matrix products; a kernel has one",
                       mg_fuse_told(f, first_of(group)->op), mg_fuse_told(f, product->op));
}

static const char *row_end_misfit(MgFuse *f, const MgFuseGroup *group, MgOpId reduction) {
    MgOpId ops[MAX_GROUP], at;
    MgOpId product = first_of(group)->op;
    const char *told = mg_fuse_told(f, reduction), *why = begins_not(f, group, first_of(group));
    if (why)
        return why;
    if (f->context->gpu)
        return mg_fuse_say(f, "%s reduces rows of a product, which on a GPU many items hold", told);
    if (f->context->strict)
        return mg_fuse_say(f, "%s would sum a row in another order, which --strict forbids", told);
    if (group->attention)
        return mg_fuse_say(f, "%s reduces rows of attention's result, which are several tiles",
                           told);
    for (uint32_t i = 0; i < group->members.len; i++)
        ops[i] = group->members.at[i].op;
    why = mg_row_end_misfit(f->g, f->context->machine, ops, group->members.len, &at);
    if (!why) {
        why = mg_row_end_is_small(f->g, f->context->machine, product);
        at = product;
    }
    return why ? mg_fuse_say(f, "%s %s", mg_fuse_told(f, at), why) : NULL;
}

// Finds the depth at which the members can be one group. Returns NULL, or why there is none.
static const char *choose_depth(MgFuse *f, MgFuseGroup *group) {
    uint32_t least = UINT32_MAX, most = 0;
    MgOpId shortest = MG_NONE,
           reduction = MG_NONE; // the op with the fewest axes; the last op that reduces
    group->reduces = group->product = group->row_end = false;
    for (uint32_t i = 0; i < group->members.len; i++) {
        const MgFuseMember *m = &group->members.at[i];
        const MgPiece *p = mg_fuse_piece(f, m->op);
        if (m->inner)
            continue;
        bool behind = group->product && !group->row_end && p->n_free + 1 == group->depth;
        if (m->reduces && group->reduces && p->n_free != group->depth && !behind)
            return mg_fuse_say(f, "%s reduces to %u %s and %s to %u; one kernel reduces to one box",
                               mg_fuse_told(f, reduction), group->depth,
                               group->depth == 1 ? "axis" : "axes", mg_fuse_told(f, m->op),
                               p->n_free);
        group->row_end |= m->reduces && behind;
        if (m->reduces) {
            group->depth = p->n_free;
            reduction = m->op;
        }
        group->reduces |= m->reduces;
        group->product |= m->product;
        shortest = p->n_free < least ? m->op : shortest;
        least = p->n_free < least ? p->n_free : least;
        most = p->n_free > most ? p->n_free : most;
    }
    if (!group->reduces)
        group->depth = most;
    group->rows = most > group->depth && !group->row_end;
    if (group->row_end)
        return row_end_misfit(f, group, reduction);
    if (least >= group->depth)
        return NULL;
    return mg_fuse_say(f, "%s has %u %s, fewer than the %u of %s", mg_fuse_told(f, shortest), least,
                       least == 1 ? "axis" : "axes", group->depth,
                       reduction ? mg_fuse_told(f, reduction) : "the others");
}

// A row group runs its rows in parallel and keeps a row in cache, so there must be several rows,
// and a row must fit. Returns NULL, or why it does not pay.
static const char *rows_misfit(MgFuse *f, const MgFuseGroup *group) {
    enum { UNKNOWN = 1 << 10 };
    const MgMachine *machine = f->context->machine;
    MgIxTable *t = f->g->module->ix;
    MgIx outer = mg_ix_const(t, 1), inner = outer;
    for (uint32_t i = 0; i < group->members.len; i++) {
        const MgPiece *p = mg_fuse_piece(f, group->members.at[i].op);
        uint32_t shared = group->depth < p->n_free ? group->depth : p->n_free;
        MgIx own = mg_index_points(t, p->indices + shared, p->n_free - shared);
        outer = mg_index_points(t, p->indices, shared);
        if (mg_ix_const_or(t, own, UNKNOWN) > mg_ix_const_or(t, inner, UNKNOWN))
            inner = own;
    }
    int64_t row = mg_ix_const_or(t, inner, UNKNOWN), n = mg_ix_const_or(t, outer, UNKNOWN);
    if ((double)row > machine->longest_row)
        return mg_fuse_say(
            f, "a row has %lld elements; up to %.0f stay in a cache from one step to the next",
            (long long)row, machine->longest_row);
    if (n > 1 || ((double)row <= machine->lone_row && mg_ix_is_const(t, inner, NULL)))
        return NULL;
    return mg_fuse_say(f,
                       "there is one row, which workers share step by step; rows of up to %.0f "
                       "elements, or several, would be one kernel",
                       machine->lone_row);
}

static void count_outside(void *ctx, const MgSx *x) {
    *(uint32_t *)ctx += x->kind == MG_SX_READ && x->bounds == MG_BOUNDS_ELSE;
}

// Do vectors of the product's result run across several axes, as over the pixels of an image? Then
// each lane has a place of its own.
static bool lanes_fold(MgFuse *f, const MgPiece *product) {
    MgModule *m = f->g->module;
    const MgSx *const *factors = product->expr->args;
    uint32_t axes = 0, last = product->n_free - 1;
    for (uint32_t k = 0; product->n_free && k < product->n_free; k++) {
        bool along = false; // the same factor as the last axis
        for (uint32_t i = 0; i < 2; i++)
            along |= mg_sx_mentions(m, factors[i], last) && mg_sx_mentions(m, factors[i], k) &&
                     !mg_sx_mentions(m, factors[1 - i], k);
        axes += along && product->indices[k].high != mg_ix_const(m->ix, 1);
    }
    return axes > 1;
}

// Reads that may be outside are gathered at the end of such a product, while a kernel of their own
// loads vectors. It pays if storing the product's result and reading it again takes less time.
static const char *gathers(MgFuse *f, const MgFuseGroup *group, const MgFuseMember *member) {
    const MgMachine *machine = f->context->machine;
    const MgFuseMember *first = first_of(group);
    const MgPiece *product = mg_fuse_piece(f, first->op);
    uint32_t reads = 0;
    if (!group->product || group->attention || first == member || f->context->gpu)
        return NULL;
    mg_sx_walk(mg_fuse_piece(f, member->op)->expr, count_outside, &reads);
    double lanes = machine->vector_size / mg_dtype_size(product->expr->dtype);
    if (reads * machine->gather <= lanes * machine->pass || !lanes_fold(f, product))
        return NULL;
    return mg_fuse_say(f,
                       "%s has other values where its reads are outside: the kernel of a matrix "
                       "product would look for the elements of such reads one by one",
                       mg_fuse_told(f, member->op));
}

// NULL if member i fits the group and a schedule takes it; else the reason, for users.
static const char *member_misfit(MgFuse *f, const MgFuseGroup *group, uint32_t i) {
    const MgFuseMember *m = &group->members.at[i];
    const MgPiece *p = mg_fuse_piece(f, m->op);
    MgOpId first = first_of(group)->op;
    if (m->inner)
        return NULL;
    if (!mg_same_box(mg_fuse_piece(f, first), p, group->depth))
        return mg_fuse_boxes_differ(f, first, m->op, group->depth);
    const char *late = m->product ? begins_not(f, group, m) : NULL;
    if (late)
        return late;
    MgOpId inner = reads_inner(f, group, m);
    if (inner)
        return mg_fuse_say(f, "%s is a step of attention, which keeps it for later kernels only",
                           mg_fuse_told(f, inner));
    if (group->product && !group->row_end && m->reduces && !m->product) // no schedule takes it
        return mg_fuse_say(f,
                           "%s reduces; the kernel of a matrix product ends with elementwise steps",
                           mg_fuse_told(f, m->op));
    if (group->rows && m->product)
        return mg_fuse_say(
            f,
            "%s is a matrix product, whose kernel has no steps with more axes than its "
            "result",
            mg_fuse_told(f, m->op));
    if (group->rows && m->reduces && !mg_fuse_is_row(f, m->op))
        return mg_fuse_say(
            f,
            "%s does not reduce the last axes of all its operands, in their order; a kernel that "
            "goes row by row reduces rows",
            mg_fuse_told(f, m->op));
    const char *outside = gathers(f, group, m);
    if (outside)
        return outside;
    Aligned a = {
        .f = f, .op = mg_op(f->g, m->op), .group = group, .depth = group->depth, .ok = true};
    mg_sx_walk(p->expr, check_read, &a);
    return a.ok ? NULL
                : mg_fuse_say(f, "%s reads %s at places other than the one that it computes",
                              mg_fuse_told(f, m->op), mg_fuse_told(f, a.read));
}

const char *mg_fuse_misfit(MgFuse *f, MgFuseGroup *group) {
    if (group->members.len > MAX_GROUP)
        return mg_fuse_say(f, "a kernel would have more than %d ops", MAX_GROUP);
    const char *why = choose_depth(f, group);
    for (uint32_t i = 0; i < group->members.len && !why; i++)
        why = member_misfit(f, group, i);
    return !why && group->rows ? rows_misfit(f, group) : why;
}
