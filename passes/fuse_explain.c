// Why ops are not one kernel, for --explain=fusion. Each reason names the op that is in the way,
// its line, and what would have to be different. Nothing is computed unless --explain asks for it.
#include "passes/fuse.h"

#include "ir/equation.h"

const char *mg_fuse_say(MgFuse *f, const char *format, ...) {
    if (!f->context->edge)
        return "apart";
    va_list args;
    va_start(args, format);
    const char *text = mg_arena_vprintf(f->arena, format, args);
    va_end(args);
    return text;
}

const char *mg_fuse_told(MgFuse *f, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    if (!f->context->edge)
        return "";
    const MgModule *m = f->g->module;
    const char *name =
        op->n_results ? mg_name(m->session->names, mg_value(f->g, op->results[0])->name) : "an op";
    const MgOrigin *o = op->origin ? mg_origin_of_user(m, op->origin) : NULL;
    return o ? mg_arena_printf(f->arena, "%s (%s:%u:%u)", name, mg_name(m->session->names, o->file),
                               o->line, o->column)
             : name;
}

static const char *box_text(MgFuse *f, const MgPiece *p, uint32_t depth) {
    const MgModule *m = f->g->module;
    MgText out = mg_text(f->arena);
    for (uint32_t i = 0; i < depth; i++) {
        mg_textf(&out, "%s", i ? " x " : "");
        mg_ix_print(m->ix, m->session->names,
                    mg_ix_sub(m->ix, p->indices[i].high, p->indices[i].low), NULL, NULL, &out);
    }
    return mg_text_str(&out);
}

const char *mg_fuse_boxes_differ(MgFuse *f, MgOpId a, MgOpId b, uint32_t depth) {
    if (!f->context->edge)
        return "apart";
    const char *one = box_text(f, &mg_op(f->g, a)->equation->pieces[0], depth);
    const char *other = box_text(f, &mg_op(f->g, b)->equation->pieces[0], depth);
    return mg_fuse_say(f, "a kernel has one box, but %s runs over %s and %s over %s",
                       mg_fuse_told(f, a), one, mg_fuse_told(f, b), other);
}

const char *mg_fuse_alone(MgFuse *f, MgOpId id) {
    const MgOp *op = mg_op(f->g, id);
    const char *told = mg_fuse_told(f, id), *what = "is not computed point by point";
    if (op->kind == MG_OP_LOOP)
        what = "is a loop, whose body has kernels of its own";
    else if (op->kind == MG_OP_IF)
        what = "is an if, whose branches have kernels of their own";
    else if (op->kind == MG_OP_FUSED)
        what = "is a fused op already";
    else if (op->kind == MG_OP_BUILTIN)
        what = "is a builtin, which has a kernel of its own";
    else if (op->kind == MG_OP_EQUATION && op->equation->n_pieces > 1)
        return mg_fuse_say(f,
                           "%s has %u pieces, each with a loop of its own; one piece that covers "
                           "it could be fused",
                           told, op->equation->n_pieces);
    else if (op->kind == MG_OP_EQUATION && op->equation->pieces[0].scatter)
        what = "writes where data decide (a scatter), which has a kernel of its own";
    else if (op->kind == MG_OP_EQUATION &&
             mg_piece_is_scanned(f->g->module, &op->equation->pieces[0]))
        what =
            "reduces over a range that depends on an index (a scan), which has a kernel of its own";
    else if (op->kind == MG_OP_EQUATION)
        what = "writes its elements in another order than its indices; with one index for each "
               "axis it could be fused";
    return mg_fuse_say(f, "%s %s", told, what);
}

const char mg_fuse_made_once[] =
    "it depends on parameters and constants alone: the first run computes it for all runs";

const char *mg_fuse_ungrouped(MgFuse *f, MgValueId v) {
    MgOpId def = mg_value(f->g, v)->def;
    if (!def || f->unchanging[def]) // an input of the graph needs no reason
        return mg_fuse_made_once;
    bool view = mg_op(f->g, def)->kind == MG_OP_EQUATION && mg_traits(f->g, def).view;
    return view ? "it is a view: no data moves" : mg_fuse_alone(f, def);
}

// ---------------------------------------------------------------- groups that are closed

// Does `op`, or an op in it, need the result of the earlier op `on`?
static bool needs(MgFuse *f, MgOpId op, MgOpId on, bool *seen) {
    const MgOp *o = mg_op(f->g, op);
    if (op == on)
        return true;
    if (seen[op])
        return false;
    seen[op] = true;
    for (uint32_t i = 0; i < o->n_operands; i++) {
        MgOpId def = mg_value(f->g, o->operands[i])->def;
        if (def && needs(f, def, on, seen))
            return true;
    }
    for (uint32_t r = 0; r < o->n_regions; r++) {
        const MgRegion *region = mg_region(f->g, o->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (needs(f, region->ops.at[i], on, seen))
                return true;
    }
    return false;
}

// The value of the group that the op, or an op in it, reads.
static MgValueId value_read(MgFuse *f, const MgFuseGroup *group, MgOpId reader) {
    const MgOp *op = mg_op(f->g, reader);
    for (uint32_t i = 0; i < op->n_operands; i++)
        for (uint32_t m = 0; m < group->members.len; m++)
            if (mg_value(f->g, op->operands[i])->def == group->members.at[m].op)
                return op->operands[i];
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = mg_region(f->g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++) {
            MgValueId v = value_read(f, group, region->ops.at[i]);
            if (v)
                return v;
        }
    }
    return MG_NONE;
}

const char *mg_fuse_closed(MgFuse *f, MgOpId id, const MgFuseGroup *group) {
    if (group->closed_why || !f->context->edge)
        return group->closed_why ? group->closed_why : "apart";
    MgOpId reader = group->readers.at[0];
    bool needed = false;
    for (uint32_t i = 0; i < group->readers.len && !needed; i++) {
        bool *seen = MG_NEW_N(f->arena, bool, f->g->ops.len);
        needed = needs(f, id, group->readers.at[i], seen);
        reader = needed ? group->readers.at[i] : reader;
    }
    MgValueId v = value_read(f, group, reader);
    const char *read = v ? mg_fuse_told(f, mg_value(f->g, v)->def) : "it";
    const char *by = mg_fuse_told(f, reader), *self = mg_fuse_told(f, id);
    return needed ? mg_fuse_say(f,
                                "%s, which %s needs, reads %s from memory: the first kernel "
                                "has to end before the second begins",
                                by, self, read)
                  : mg_fuse_say(f,
                                "%s reads %s from memory first; with %s before it in the source "
                                "they could be one",
                                by, read, self);
}
