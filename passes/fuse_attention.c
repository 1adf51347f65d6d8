// Finds attention for fuse.c, and decides whether one kernel for it pays.
#include "passes/attention.h"
#include "passes/fuse.h"
#include "passes/weigh.h"

// Rows lie along the lanes of a vector. With few rows most lanes are idle, and the scores are small
// anyway. (With six of eight lanes in use, one kernel has 0.89 of the speed of separate ones; with
// all lanes, 1.1 to 1.25.) On a GPU, groups can share long keys of few rows, which saves launches.
// But a tile of scores is as large as one of many rows, so this pays only while each unit has few
// keys.
static bool shares_keys(MgFuse *f, const MgAttention *a) {
    const MgMachine *machine = f->context->machine;
    int64_t keys = mg_attention_likely_size(f->g, a, a->keys),
            all = mg_attention_likely_size(f->g, a, a->keys | a->batch);
    return f->context->gpu && (double)keys >= machine->attention_keys &&
           (double)all <= machine->attention_unit_keys * machine->units;
}

// The least rows that make an attention: enough to nearly fill a vector; on a GPU, the machine's
// figure.
static int64_t least_rows(const MgFuse *f, const MgAttention *a) {
    int64_t lanes = (int64_t)f->context->machine->vector_size / (int64_t)mg_dtype_size(a->type);
    return f->context->gpu ? (int64_t)f->context->machine->attention_rows : lanes - lanes / 8;
}

static const char *attention_pays(MgFuse *f, const MgAttention *a, MgOpId id) {
    const int64_t least = (int64_t)f->context->machine->attention_least;
    int64_t rows = mg_attention_likely_size(f->g, a, a->rows),
            keys = mg_attention_likely_size(f->g, a, a->keys);
    if (rows < least_rows(f, a) && !shares_keys(f, a))
        return mg_fuse_say(f,
                           "the attention that ends in %s has %lld rows; one kernel pays from %lld",
                           mg_fuse_told(f, id), (long long)rows, (long long)least_rows(f, a));
    if (keys < least)
        return mg_fuse_say(f,
                           "the attention that ends in %s has %lld keys; one kernel pays from %lld",
                           mg_fuse_told(f, id), (long long)keys, (long long)least);
    return NULL;
}

// The op of the region that is or contains op.
static MgOpId outermost(const MgFuse *f, MgOpId op, MgRegionId region) {
    while (op && mg_op(f->g, op)->region != region)
        op = mg_region(f->g, mg_op(f->g, op)->region)->parent;
    return op;
}

// An op that reads a value of the rows, but comes before the last step, after which the kernel has
// it; or MG_NONE.
static MgOpId reads_early(MgFuse *f, const MgAttention *a, MgOpId id) {
    MgRegionId region = mg_op(f->g, id)->region;
    for (uint32_t s = 0; s < a->n_steps; s++) {
        if (!mg_attention_is_of_rows(&a->steps[s]))
            continue;
        MgValueId v = mg_op(f->g, a->steps[s].op)->results[0];
        for (MgOpId o = 1; o < f->g->ops.len; o++) {
            const MgOp *op = mg_op(f->g, o);
            bool step = op->kind == MG_OP_ERASED;
            for (uint32_t i = 0; i < a->n_steps; i++)
                step |= a->steps[i].op == o;
            for (uint32_t k = 0; !step && k < op->n_operands; k++)
                if (op->operands[k] == v && f->order[outermost(f, o, region)] < f->order[id])
                    return o;
        }
    }
    return MG_NONE;
}

// Is op a sum over computed weights whose kernel pays, and has it all steps for itself?
static bool is_weighted(MgFuse *f, MgOpId id, MgAttention *a) {
    bool found = false, may = f->context->machine->weigh_share > 0;
    for (uint32_t i = 0; i < 2 && may && !found; i++)
        found = mg_attention_find_weighted(f->g, id, i, f->uses, a) &&
                mg_weigh_pays(f->g, f->context, a, f->uses);
    for (uint32_t s = 0; found && s < a->n_steps; s++)
        found = !f->group_of[a->steps[s].op];
    return found;
}

void mg_fuse_attention(MgFuse *f, MgOpId id) {
    MgAttention found, *a = &found;
    const char **why = &f->not_attention[id];
    bool softmax = mg_attention_find(f->g, id, f->uses, a, why);
    if (!softmax && (*why || !is_weighted(f, id, a)))
        return;
    *why = !softmax ? NULL
           : f->context->strict
               ? mg_fuse_say(
                     f, "--strict keeps the order of the sums of the attention that ends in %s",
                     mg_fuse_told(f, id))
               : attention_pays(f, a, id);
    for (uint32_t s = 0; s < a->n_steps && !*why; s++)
        if (f->group_of[a->steps[s].op])
            *why = mg_fuse_say(
                f, "%s is a step of another attention, too; one kernel needs steps of its own",
                mg_fuse_told(f, a->steps[s].op));
    MgOpId early = *why ? MG_NONE : reads_early(f, a, id);
    if (early)
        *why = mg_fuse_say(f, "%s reads a row's value before the attention ends",
                           mg_fuse_told(f, early));
    if (*why || !mg_pass_may(f->context, id))
        return;
    MgFuseGroup group = {.attention = true};
    for (uint32_t s = 0; s < a->n_steps; s++) {
        bool last = a->steps[s].op == id;
        MgFuseMember m = {.op = a->steps[s].op, .reduces = last, .product = last, .inner = !last};
        mg_push(f->arena, &group.members, m);
        f->group_of[m.op] = f->groups.len;
    }
    mg_fuse_sort(f, &group);
    if (!mg_fuse_is_plain(f, id)) {
        group.closed = true;
        group.closed_why = "attention's result has its axes in another order than the box that it "
                           "is computed over";
    }
    mg_push(f->arena, &f->groups, group);
}
