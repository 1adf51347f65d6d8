// The calls of kernels: what the site of a call tells and costs, and where the plan makes the call.
//
// Kernels that differ only in their buffers are stored once: a kernel is added to the program only
// if it has no equal one (by hash, then by comparison), before it is expanded.
#include "ir/dots.h"
#include "ir/kernel_begin.h"
#include "ir/kernel_walk.h"
#include "passes/nest/nest.h"
#include "passes/schedule/riders.h"

// Returns the program's number of a kernel equal to k; adds k if there is none.
static uint32_t intern_kernel(MgSched *s, MgKernel *k, const char *kind) {
    uint64_t hash = mg_kernel_hash(k);
    for (;; hash++) {
        uint64_t *found = mg_map_find(&s->draft->known.kernels, hash);
        if (!found)
            break;
        if (mg_kernel_equal(s->p->kernels.at[*found], k))
            return (uint32_t)*found;
    }
    uint32_t number = s->p->kernels.len;
    k->name = mg_symf(s->m->session->names, "%s_%u", kind, number);
    mg_push(s->arena, &s->p->kernels, k);
    mg_map_put(&s->draft->known.kernels, hash, number);
    return number;
}

// A call in a counted loop of the graph counts once for each trip.
static MgCost of_all_trips(MgSched *s, MgOpId op, MgCost cost) {
    MgGraph *g = s->g;
    MgIx zero = mg_ix_const(s->ix, 0);
    for (op = mg_region(g, mg_op(g, op)->region)->parent; op;
         op = mg_region(g, mg_op(g, op)->region)->parent) {
        const MgLoop *loop = mg_op(g, op)->loop;
        if (!loop || !loop->counted)
            continue;
        MgIx trips = mg_ix_max(s->ix, mg_ix_sub(s->ix, loop->high, loop->low), zero);
        cost = (MgCost){mg_ix_mul(s->ix, cost.flops, trips), mg_ix_mul(s->ix, cost.bytes, trips)};
    }
    return cost;
}

static bool is_ahead(const MgSched *s, const MgKBlock *plan) {
    return plan == s->once || mg_plan_loop_before(s, plan);
}

static bool has_atom(const void *ctx, const MgLine *line) {
    (void)ctx;
    return line->kind == MG_LINE_DO && line->atom;
}

// A product of split factors is three products of their parts.
static double faster_of(const MgSched *s, const MgNest *nest) {
    const MgTargetInfo *target = &s->options->target;
    const MgLine *product = nest ? mg_nest_find(&nest->root, has_atom, NULL) : NULL;
    if (!product)
        return 0;
    double speed = mg_atom_speed(&target->machine, target->gpu, (MgAtom)(product->atom - 1));
    bool parts = product->way == MG_WAY_SPLIT || product->way == MG_WAY_PARTS;
    return parts ? speed / 3 : speed;
}

static MgSite site_of(MgKb *kb, MgKBlock *plan, MgOpId main_op) {
    MgSched *s = kb->s;
    bool ahead = is_ahead(s, plan);
    uint32_t riders = kb->rides ? kb->unit->n_riders : 0;
    const MgValue *result = mg_value(s->g, kb->unit->outputs[0]);
    MgSite site = {.kernel = intern_kernel(s, kb->k, kb->kind),
                   .name = result->name,
                   .origin = result->origin,
                   .kind = kb->kind,
                   .part = ahead ? NULL : s->part,
                   .tiled = ahead ? NULL : kb->tiled,
                   .ops = mg_arena_copy(s->arena, kb->unit->ops, kb->unit->n_ops + riders,
                                        sizeof *kb->unit->ops),
                   .n_ops = kb->unit->n_ops,
                   .n_riders = riders,
                   .nest = kb->nest,
                   .faster = faster_of(s, kb->nest),
                   .rows = s->walk && plan != s->once ? mg_walk_rows(s->walk) : 0,
                   .number = s->draft->unit.number};
    if (!ahead && kb->unit == s->draft->unit.tuned)
        site.unit = s->draft->unit.key;
    site.cost = (MgCost){mg_ix_const(s->ix, 0), mg_ix_const(s->ix, 0)};
    if (kb->piece)
        site.cost.flops = mg_piece_flops(s->g, kb->piece);
    for (uint32_t i = 0; i < kb->unit->n_ops && !kb->piece; i++) {
        MgOpId id = kb->unit->ops[i];
        MgCost cost = s->walk ? mg_walk_cost(s->walk, id) : mg_cost(s->g, id);
        site.cost.flops = mg_ix_add(s->ix, site.cost.flops, cost.flops);
    }
    for (uint32_t i = 0; i < kb->params.len; i++) {
        const MgStorage *st = &s->draft->storages.at[kb->params.at[i]];
        if (st->value) // traffic of scratch stays in cache and is not counted
            site.cost.bytes = mg_ix_add(s->ix, site.cost.bytes,
                                        mg_traffic(s, kb->unit, kb->piece, kb->params.at[i]));
    }
    if (s->walk && !ahead)
        site.cost = (MgCost){mg_walk_part(s->walk, site.cost.flops),
                             mg_walk_part(s->walk, site.cost.bytes)};
    if (!ahead)
        site.cost = of_all_trips(s, main_op, site.cost);
    return site;
}

// On a CPU, whose buffers begin anywhere, the call adds what all places have in common that a
// kernel reads in a buffer: kernels that begin to read elsewhere are equal then.
static void begin_reads(MgKb *kb) {
    MgSched *s = kb->s;
    for (uint32_t i = 0; i < kb->params.len && !s->options->target.gpu; i++) {
        const MgKBuf *buf = &kb->k->bufs.at[i];
        int64_t bytes, size = (int64_t)mg_dtype_size(buf->elem.dtype);
        if (buf->writes || kb->extra.at[i] ||
            !mg_ix_is_const(s->ix, s->draft->storages.at[kb->params.at[i]].bytes, &bytes))
            continue;
        int64_t begin = mg_kernel_take_begin(kb->k, i, bytes / size);
        kb->extra.at[i] = begin ? mg_kint(s->p->plan, begin * size) : NULL;
    }
}

static MgCallWith arguments_of(const MgKb *kb) {
    return (MgCallWith){kb->params.len, kb->scalars.len, kb->params.at, kb->extra.at,
                        kb->scalars.at};
}

void mg_kb_end(MgKb *kb, MgKBlock *plan, MgOpId main_op) {
    if (kb->rides)
        mg_riders_arrive(kb->s, kb->unit);
    begin_reads(kb);
    mg_plan_call(kb->s, plan, site_of(kb, plan, main_op), arguments_of(kb));
}

MgStorageId mg_kb_end_ahead(MgKb *kb, MgOpId main_op, MgKBlock *ahead, MgStorageId storage) {
    MgSched *s = kb->s;
    if (ahead != s->once) {
        s->draft->unit.reused = true; // equal units of other loops need a call of their own
        mg_kb_end(kb, ahead, main_op);
        return storage;
    }
    begin_reads(kb);
    return mg_plan_keep(s, site_of(kb, s->once, main_op), arguments_of(kb), storage);
}

static void barrier_once(MgSched *s) {
    uint32_t n = s->once->list.len;
    if (!n || s->once->list.at[n - 1]->kind != MG_KS_BARRIER)
        mg_kbarrier(s->p->plan, s->once, MG_BARRIER_GRID);
    s->draft->first.epoch++;
}

// Calls that run once write kept values and read values that never change. A barrier is needed only
// before a call that reads a value written by another one since the last barrier, and around calls
// whose bytes others may use before or after: scratch, and values for the first run alone.
static bool separate_once(MgSched *s, const MgStorageId *storages, uint32_t n) {
    bool wait = false, scratch = false;
    for (uint32_t i = 0; i < n; i++) {
        const MgStorage *st = &s->draft->storages.at[storages[i]];
        scratch |= st->kind == MG_PLAN_ARENA && (!st->kept || st->value);
        wait |= st->kept && st->epoch == s->draft->first.epoch;
    }
    if (wait || scratch)
        barrier_once(s);
    for (uint32_t i = 0; i < n; i++)
        if (s->draft->storages.at[storages[i]].kept && !s->draft->storages.at[storages[i]].epoch)
            s->draft->storages.at[storages[i]].epoch = s->draft->first.epoch;
    return scratch;
}

static bool reads_from(void *buf, const MgKx *x) {
    return x->kind == MG_KX_LOAD && x->buf == *(MgKBufId *)buf;
}

static bool copies_from(void *buf, const MgKs *s) {
    return s->kind == MG_KS_BOX && s->box->from == *(MgKBufId *)buf;
}

// Records the storages that the call uses. A kernel has a parameter that it doesn't read if a
// factor is packed for it.
static void touch(MgSched *s, const MgKBlock *plan, uint32_t step, uint32_t kernel,
                  const MgStorageId *storages, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const MgStorage *st = &s->draft->storages.at[storages[i]];
        if (plan == s->once && st->kind == MG_PLAN_ARENA)
            mg_storage_touch_once(s, storages[i]);
        else if (!st->kept || !st->value ||
                 mg_kblock_any(&s->p->kernels.at[kernel]->body,
                               &(MgKAsk){copies_from, reads_from, &i}))
            mg_storage_touch(s, storages[i], step);
    }
    s->draft->first.step += plan == s->once;
}

void mg_plan_call(MgSched *s, MgKBlock *plan, MgSite site, MgCallWith to) {
    MgKCall *call = MG_NEW(s->arena, MgKCall);
    const MgKx **scalars = MG_NEW_N(s->arena, const MgKx *, to.n_scalars);
    for (uint32_t i = 0; i < to.n_scalars; i++)
        scalars[i] = mg_plan_dim(s, to.sizes[i]);
    *call = (MgKCall){.kernel = site.kernel,
                      .site = s->p->sites.len,
                      .n_buffers = to.n_buffers,
                      .n_scalars = to.n_scalars,
                      .untimed = plan == s->once,
                      .alone = (s->walk || s->alone) && !is_ahead(s, plan),
                      .scalars = scalars};
    call->buffers = mg_arena_alloc(s->arena, to.n_buffers, sizeof *call->buffers);
    const MgPlanLoop *loop = mg_plan_loop_before(s, plan);
    bool once = plan == s->once, shared = !once && !loop && !s->walk && !s->alone;
    mg_push(s->arena, &s->p->sites, site);
    bool joins = shared && mg_call_joins(s, plan, call, to.storages);
    if (joins) {
        plan->list.len--; // the barrier
        s->draft->step--;
    }
    s->draft->share.together = !shared ? 0 : joins ? s->draft->share.together + 1 : 1;
    touch(s, plan, loop ? loop->step : s->draft->step, site.kernel, to.storages, to.n_buffers);
    mg_push(s->arena, &s->draft->calls, ((MgPendingCall){call, to, once}));
    bool scratch = once && separate_once(s, to.storages, to.n_buffers);
    MgKs *statement = MG_NEW(s->arena, MgKs);
    *statement = (MgKs){.kind = MG_KS_CALL, .call = call};
    mg_push(s->arena, &plan->list, statement);
    // Every later call may read a value that another worker wrote, or reuse bytes that one still
    // reads.
    if (scratch)
        barrier_once(s);
    else if (loop || shared)
        mg_kbarrier(s->p->plan, plan, MG_BARRIER_GRID);
    s->draft->share.n_shared += !once && !call->alone;
    s->draft->step++;
}

static bool begins_the_same(const MgKx *a, const MgKx *b) {
    return a == b ||
           (a && b && a->kind == MG_KX_CONST && b->kind == MG_KX_CONST && a->bits == b->bits);
}

static bool keeps_the_same(const MgSched *s, const MgCallWith *a, const MgCallWith *b,
                           MgStorageId storage) {
    bool same = a->n_buffers == b->n_buffers && a->n_scalars == b->n_scalars;
    for (uint32_t i = 0; same && i < a->n_buffers; i++)
        same = begins_the_same(a->extra[i], b->extra[i]) &&
               (a->storages[i] == b->storages[i] ||
                (b->storages[i] == storage && s->draft->storages.at[a->storages[i]].kept));
    for (uint32_t i = 0; same && i < a->n_scalars; i++)
        same = a->sizes[i] == b->sizes[i];
    return same;
}

MgStorageId mg_plan_keep(MgSched *s, MgSite site, MgCallWith to, MgStorageId storage) {
    uint64_t hash = mg_hash_mix(site.kernel, to.n_buffers);
    for (uint32_t i = 0; i < to.n_buffers; i++)
        hash = mg_hash_mix(hash, to.storages[i] == storage ? 0 : to.storages[i]);
    for (uint64_t *found; (found = mg_map_find(&s->draft->known.kept, hash)); hash++) {
        const MgPendingCall *made = &s->draft->calls.at[*found];
        if (made->call->kernel != site.kernel || !keeps_the_same(s, &made->to, &to, storage))
            continue;
        s->draft->unit.reused = true;
        for (uint32_t i = 0; i < to.n_buffers; i++)
            if (to.storages[i] == storage)
                return made->to.storages[i];
    }
    mg_map_put(&s->draft->known.kept, hash, s->draft->calls.len);
    mg_plan_call(s, s->once, site, to);
    return storage;
}
