// The plan as one kernel: the bodies of the kernels that it calls, one after another, with a
// barrier over the grid where one launch followed another, as many passes as asked for.
//
// The groups of such a kernel must all run at the same time. How many can, OpenCL does not tell, so
// the kernel finds out (backends/opencl/meet.c prints how); schedules make kernels that are right
// with any number of groups. What a plan must be for this: calls and barriers only, of constant
// sizes, kernels of one number of items, or of fewer that never meet.
#include "passes/schedule/persistent.h"

enum { MOST_BUFFERS = 200, GROUPS_A_UNIT = 8, MEET_WORDS = 16, LEAST_CALLS = 4, LEAST_WARP = 16 };

typedef struct Bound { // a parameter: the same bytes, as the same type, are the same one
    MgKBufId base;
    const MgKx *offset;
    MgKType elem;
    MgKBufId id;
} Bound;

typedef struct Pool { // local memory that the kernels use in turn
    MgKType elem;
    int64_t count;
    uint32_t align;
    MgKBufId id;
} Pool;

typedef struct Join {
    MgSched *s;
    MgKernel *k; // the one
    uint32_t items;
    MG_VEC(Bound) bounds;
    MG_VEC(Pool) pools;
    MG_VEC(const MgKCall *) calls;
    // of the call that is being taken in
    const MgKernel *from;
    MgKBufId *bufs; // its buffers in k
    MgKVarId *vars;
    MgMap nodes; // expressions taken in
} Join;

// ---------------------------------------------------------------- does it pay?

static double least_us(double a, double b) {
    return a > b ? a : b;
}

// Of NVIDIA's Hopper: floating-point operations a unit and microsecond at the share of the peak
// that small kernels reach, bytes a microsecond, and the least time of a kernel.
bool mg_persistent_pays(MgSched *s) {
    static const struct {
        double flops, bytes, kernel_us;
    } model = {128 * 2 * 0.4 * 1700, 3e6, 1.5};
    const MgTargetInfo *target = &s->options->target;
    const MgRegion *body = mg_region(s->g, 0);
    double work = 0, launch = target->launch_ns * 1e-3, barrier = target->barrier_ns * 1e-3;
    uint32_t n = 0;
    for (uint32_t i = 0; i < body->ops.len; i++) {
        int64_t flops = 0, bytes = 0;
        MgOpKind kind = mg_op(s->g, body->ops.at[i])->kind;
        if (kind == MG_OP_PARAM || kind == MG_OP_CONST || kind == MG_OP_ERASED)
            continue;
        MgCost cost = mg_cost(s->g, body->ops.at[i]);
        mg_ix_is_const(s->ix, cost.flops, &flops);
        mg_ix_is_const(s->ix, cost.bytes, &bytes);
        work +=
            least_us(model.kernel_us, least_us((double)flops / model.flops / target->compute_units,
                                               (double)bytes / model.bytes));
        n++;
    }
    double separate = least_us(work, n * launch), joined = work + n * barrier;
    bool pays = s->options->repeats && n >= LEAST_CALLS && joined < 0.8 * separate &&
                target->warp >= LEAST_WARP;
    if (!s->p->launch_why)
        s->p->launch_why = mg_arena_printf(
            s->arena,
            "%u separate launches, about %.3g us a pass; one kernel with barriers, about %.3g "
            "us%s\n",
            n, separate, joined, s->options->repeats ? "" : ", for many passes (--mode=loop)");
    return pays;
}

// ---------------------------------------------------------------- can it be had?

static bool uses_item(const MgKx *x) {
    if (!x)
        return false;
    if (x->kind == MG_KX_LOCAL_ID || x->kind == MG_KX_LOCAL_SIZE)
        return true;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (uses_item(x->args[i]))
            return true;
    return false;
}

// Barriers of groups, or an item's own number: then it needs exactly its own number of items.
static bool needs_own_items(const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        if (s->kind == MG_KS_BARRIER || uses_item(s->x) || uses_item(s->index) ||
            uses_item(s->low) || uses_item(s->high) || needs_own_items(&s->body) ||
            needs_own_items(&s->orelse))
            return true;
    }
    return false;
}

// Does a kernel of one item say so itself, by loops over items alone?
static bool only_item_loops(const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        bool nested = s->kind == MG_KS_FOR || s->kind == MG_KS_IF;
        if (s->kind == MG_KS_STORE || s->kind == MG_KS_TRAP || s->kind == MG_KS_WHILE)
            return false;
        if (nested && !(s->kind == MG_KS_FOR && s->loop == MG_LOOP_ITEM) &&
            (!only_item_loops(&s->body) || !only_item_loops(&s->orelse)))
            return false;
    }
    return true;
}

static bool fits(Join *j, const MgKCall *call) {
    const MgKernel *k = j->s->p->kernels.at[call->kernel];
    for (uint32_t i = 0; i < call->n_scalars; i++)
        if (call->scalars[i]->kind != MG_KX_CONST)
            return false;
    for (uint32_t i = 0; i < call->n_buffers; i++)
        if (call->buffers[i].offset->kind != MG_KX_CONST)
            return false;
    return k->items == j->items || (!needs_own_items(&k->body) && only_item_loops(&k->body));
}

static bool collect(Join *j, const MgKBlock *plan) {
    for (uint32_t i = 0; i < plan->list.len; i++) {
        const MgKs *s = plan->list.at[i];
        if (s->kind == MG_KS_CALL)
            mg_push(j->s->arena, &j->calls, s->call);
        else if (s->kind != MG_KS_BARRIER)
            return false;
    }
    for (uint32_t i = 0; i < j->calls.len; i++) {
        const MgKernel *k = j->s->p->kernels.at[j->calls.at[i]->kernel];
        j->items = k->items > j->items ? k->items : j->items;
    }
    for (uint32_t i = 0; i < j->calls.len; i++)
        if (!fits(j, j->calls.at[i]))
            return false;
    return j->calls.len > 1;
}

// ---------------------------------------------------------------- buffers

static Bound *bound_of(Join *j, MgKBufId base, const MgKx *offset, MgKType elem) {
    for (uint32_t i = 0; i < j->bounds.len; i++) {
        Bound *b = &j->bounds.at[i];
        if (b->base == base && b->offset->bits == offset->bits && b->elem.dtype == elem.dtype &&
            b->elem.lanes == elem.lanes)
            return b;
    }
    return NULL;
}

static MgKBufId add_bound(Join *j, MgKBufId base, const MgKx *offset, const MgKBuf *like) {
    Bound *known = bound_of(j, base, offset, like->elem);
    if (!known) {
        MgKBufId id =
            mg_kparam(j->k, mg_name(j->k->names, like->name), like->elem.dtype, false, false);
        j->k->bufs.at[id].elem = like->elem;
        j->k->bufs.at[id].align = like->align;
        mg_push(j->s->arena, &j->bounds, (Bound){base, offset, like->elem, id});
        known = &j->bounds.at[j->bounds.len - 1];
    }
    MgKBuf *b = &j->k->bufs.at[known->id];
    b->reads |= like->reads;
    b->writes |= like->writes;
    b->align = like->align > b->align ? like->align : b->align;
    return known->id;
}

// Weights and constants, which nothing writes, may go past the coherent path; what one group leaves
// for another may not.
static void mark_constant(Join *j) {
    for (uint32_t i = 0; i < j->bounds.len; i++) {
        const Bound *b = &j->bounds.at[i];
        MgPlanBufKind kind =
            b->base < j->s->p->bufs.len ? j->s->p->bufs.at[b->base].kind : MG_PLAN_ARENA;
        j->k->bufs.at[b->id].noalias = kind == MG_PLAN_WEIGHT || kind == MG_PLAN_CONST;
    }
}

// The n-th local array of this type that a kernel has shares its bytes with that of the others.
static MgKBufId shared(Join *j, const MgKBuf *like, uint32_t *taken) {
    for (uint32_t i = 0; i < j->pools.len; i++) {
        Pool *p = &j->pools.at[i];
        if (!(*taken >> i & 1) && p->elem.dtype == like->elem.dtype &&
            p->elem.lanes == like->elem.lanes) {
            *taken |= 1u << i;
            return p->id;
        }
    }
    return UINT32_MAX;
}

static bool add_pools(Join *j, const MgKernel *from) {
    uint32_t taken = 0;
    for (uint32_t b = from->n_params; b < from->bufs.len; b++) {
        const MgKBuf *like = &from->bufs.at[b];
        uint32_t at = 0;
        if (like->space != MG_SPACE_SHARED)
            continue;
        if (like->count->kind != MG_KX_CONST)
            return false;
        while (at < j->pools.len &&
               ((taken >> at & 1) || j->pools.at[at].elem.dtype != like->elem.dtype ||
                j->pools.at[at].elem.lanes != like->elem.lanes))
            at++;
        if (at == 31)
            return false;
        if (at == j->pools.len)
            mg_push(j->s->arena, &j->pools, (Pool){like->elem, 0, 0, at});
        taken |= 1u << at;
        Pool *p = &j->pools.at[at];
        int64_t count = (int64_t)like->count->bits;
        p->count = count > p->count ? count : p->count;
        p->align = like->align > p->align ? like->align : p->align;
    }
    return true;
}

static bool make_pools(Join *j) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < j->calls.len; i++)
        if (!add_pools(j, j->s->p->kernels.at[j->calls.at[i]->kernel]))
            return false;
    for (uint32_t i = 0; i < j->pools.len; i++) {
        Pool *p = &j->pools.at[i];
        p->id = mg_kalloc(j->k, "local", p->elem, MG_SPACE_SHARED, MG_SCOPE_GROUP,
                          mg_kint(j->k, p->count));
        j->k->bufs.at[p->id].align = p->align;
        bytes += p->count * p->elem.lanes * (int64_t)mg_dtype_size(p->elem.dtype);
    }
    return bytes <= j->s->options->target.local_bytes;
}

// ---------------------------------------------------------------- taking a kernel in

static const MgKx *take_x(Join *j, const MgKx *x) {
    if (!x || x->kind == MG_KX_CONST)
        return x;
    uint64_t *known = mg_map_find(&j->nodes, (uintptr_t)x);
    if (known)
        return (const MgKx *)(uintptr_t)*known;
    MgKx *copy = mg_arena_copy(j->s->arena, x, 1, sizeof *x);
    if (x->kind == MG_KX_VAR)
        copy->var = j->vars[x->var];
    if (x->kind == MG_KX_LOAD)
        copy->buf = j->bufs[x->buf];
    for (uint32_t i = 0; i < x->n_args; i++)
        copy->args[i] = take_x(j, x->args[i]);
    mg_map_put(&j->nodes, (uintptr_t)x, (uintptr_t)copy);
    return copy;
}

static void take_block(Join *j, const MgKBlock *from, MgKBlock *to) {
    for (uint32_t i = 0; i < from->list.len; i++) {
        const MgKs *s = from->list.at[i];
        MgKs *copy = mg_arena_copy(j->s->arena, s, 1, sizeof *s);
        if (s->kind == MG_KS_LET || s->kind == MG_KS_FOR)
            copy->var = j->vars[s->var];
        if (s->kind == MG_KS_STORE || s->kind == MG_KS_PREFETCH)
            copy->buf = j->bufs[s->buf];
        copy->x = take_x(j, s->x);
        copy->index = take_x(j, s->index);
        copy->mask = take_x(j, s->mask);
        copy->low = take_x(j, s->low);
        copy->high = take_x(j, s->high);
        copy->body = copy->orelse = (MgKBlock){0};
        take_block(j, &s->body, &copy->body);
        take_block(j, &s->orelse, &copy->orelse);
        mg_push(j->s->arena, &to->list, copy);
    }
}

static void take_call(Join *j, const MgKCall *call, MgKBlock *to) {
    MgArena *arena = j->s->arena;
    j->from = j->s->p->kernels.at[call->kernel];
    j->bufs = MG_NEW_N(arena, MgKBufId, j->from->bufs.len + 1);
    j->vars = MG_NEW_N(arena, MgKVarId, j->from->vars.len + 1);
    mg_map_init(&j->nodes, arena);
    uint32_t taken = 0;
    for (uint32_t b = 0; b < j->from->bufs.len; b++) {
        const MgKBuf *like = &j->from->bufs.at[b];
        if (b < j->from->n_params)
            j->bufs[b] =
                bound_of(j, call->buffers[b].base, call->buffers[b].offset, like->elem)->id;
        else if (like->space == MG_SPACE_SHARED)
            j->bufs[b] = shared(j, like, &taken);
        else
            j->bufs[b] = mg_kalloc(j->k, mg_name(j->k->names, like->name), like->elem, like->space,
                                   like->scope, take_x(j, like->count));
    }
    for (uint32_t v = 0; v < j->from->vars.len; v++) {
        mg_push(j->k->arena, &j->k->vars, j->from->vars.at[v]);
        j->vars[v] = j->k->vars.len - 1;
    }
    for (uint32_t i = 0; i < j->from->scalars.len; i++) {
        MgKs *let = MG_NEW(arena, MgKs);
        *let = (MgKs){
            .kind = MG_KS_LET, .var = j->vars[j->from->scalars.at[i]], .x = call->scalars[i]};
        mg_push(arena, &to->list, let);
    }
    take_block(j, &j->from->body, to);
}

// ---------------------------------------------------------------- feeding

// All groups share the work.
static void copy_elements(Join *j, MgKBlock *b, MgKBufId from, MgKBufId to, int64_t n) {
    MgKernel *k = j->k;
    const MgKx *zero = mg_kint(k, 0), *each = mg_kint(k, j->items);
    const MgKx *trips = mg_kint(k, (n + j->items - 1) / j->items);
    MgKs *groups = mg_kfor(k, b, MG_LOOP_GROUP, "g", zero, trips, 1);
    MgKs *item = mg_kfor(k, &groups->body, MG_LOOP_ITEM, "i", zero, each, 1);
    const MgKx *at = mg_kadd(k, mg_kmul(k, mg_kvar(k, groups->var), each), mg_kvar(k, item->var));
    at = mg_klet_x(k, &item->body, "at", at);
    const MgKx *inside = mg_kprim(k, MG_PRIM_LT, at, mg_kint(k, n), NULL);
    mg_kstore(k, &mg_kif(k, &item->body, inside)->body, to, at,
              mg_kload(k, from, at, 1, NULL, NULL), NULL);
    k->bufs.at[to].writes = true;
}

// Every output that is the next pass's input is copied there: the first of its type and shape that
// none before has become.
static void feed(Join *j, MgKBlock *b) {
    MgGraph *g = j->s->p->graph;
    bool *taken = MG_NEW_N(j->s->arena, bool, g->inputs.len + 1);
    for (uint32_t o = 0; o < g->outputs.len; o++)
        for (uint32_t i = 0; i < g->inputs.len; i++) {
            MgValueId value = g->outputs.at[o].value;
            const MgValue *out = mg_value(g, value), *in = mg_value(g, g->inputs.at[i].value);
            if (taken[i] || in->dtype != out->dtype || in->rank != out->rank ||
                memcmp(in->shape, out->shape, in->rank * sizeof *in->shape) != 0)
                continue;
            taken[i] = true;
            int64_t n = 0;
            const MgKx *zero = mg_kint(j->k, 0);
            const Bound *from = bound_of(j, g->inputs.len + o, zero, mg_kt(out->dtype, 1));
            const Bound *to = bound_of(j, i, zero, mg_kt(in->dtype, 1));
            mg_ix_is_const(j->s->ix, mg_value_elements(g, value), &n);
            if (from && to) // else nobody reads the input
                copy_elements(j, b, from->id, to->id, n);
            break;
        }
}

// ---------------------------------------------------------------- the kernel and its plan

static MgKCall *call_of(Join *j, uint32_t kernel, uint32_t site, uint32_t n_buffers) {
    MgKCall *call = MG_NEW(j->s->arena, MgKCall);
    *call = (MgKCall){.kernel = kernel, .site = site, .n_buffers = n_buffers};
    call->buffers = mg_arena_alloc(j->s->arena, n_buffers, sizeof *call->buffers);
    return call;
}

static void plan_call(Join *j, MgKBlock *plan, MgKCall *call) {
    MgKs *statement = MG_NEW(j->s->arena, MgKs);
    *statement = (MgKs){.kind = MG_KS_CALL, .call = call};
    mg_push(j->s->arena, &plan->list, statement);
    mg_kbarrier(j->s->p->plan, plan, MG_BARRIER_GRID);
}

static uint32_t add_kernel(Join *j, MgKernel *k) {
    mg_push(j->s->arena, &j->s->p->kernels, k);
    return j->s->p->kernels.len - 1;
}

// What the groups meet at is zero when they start.
static MgKCall *clear_meeting(Join *j, const MgKx *offset) {
    MgNames *names = j->s->m->session->names;
    MgKernel *k = mg_kernel_new(j->s->arena, names, mg_sym(names, "clear"));
    MgKBufId words = mg_kparam(k, "words", MG_I32, false, true);
    k->groups = mg_kint(k, 1);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_GROUP, "g", mg_kint(k, 0), mg_kint(k, 1), 1);
    loop = mg_kfor(k, &loop->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, MEET_WORDS), 1);
    mg_kstore(k, &loop->body, words, mg_kvar(k, loop->var), mg_kconst(k, mg_kt(MG_I32, 1), 0),
              NULL);
    MgKCall *call = call_of(j, add_kernel(j, k), j->calls.at[0]->site, 1);
    call->buffers[0].base = j->s->p->bufs.len - 1;
    call->buffers[0].offset = offset;
    return call;
}

static int64_t groups_of(Join *j) {
    int64_t most = (int64_t)j->s->options->target.compute_units * GROUPS_A_UNIT, n = 1;
    for (uint32_t i = 0; i < j->calls.len; i++) {
        const MgKx *groups = j->s->p->kernels.at[j->calls.at[i]->kernel]->groups;
        int64_t v = groups && groups->kind == MG_KX_CONST ? (int64_t)groups->bits : most;
        n = v > n ? v : n;
    }
    n = n < most ? n : most;
    return n < j->s->p->max_workers ? n : j->s->p->max_workers;
}

static uint32_t add_trap(Join *j) {
    MgTrapSite site = {j->s->p->sites.at[j->calls.at[0]->site].origin,
                       "the groups of the persistent kernel did not meet in time; run it with "
                       "--launch=separate"};
    mg_push(j->s->arena, &j->s->p->traps, site);
    return j->s->p->traps.len;
}

static void write_body(Join *j) {
    MgKernel *k = j->k;
    MgKVarId count = mg_kscalar(k, "passes");
    const MgKx *last = mg_kprim(k, MG_PRIM_MAX, mg_kvar(k, count), mg_kint(k, 1), NULL);
    last = mg_klet_x(k, &k->body, "passes", last);
    MgKs *pass = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "pass", mg_kint(k, 0), last, 1);
    for (uint32_t i = 0; i < j->calls.len; i++) {
        if (i)
            mg_kbarrier(k, &pass->body, MG_BARRIER_GRID);
        take_call(j, j->calls.at[i], &pass->body);
    }
    const MgKx *next = mg_kadd(k, mg_kvar(k, pass->var), mg_kint(k, 1));
    MgKBlock *more = &mg_kif(k, &pass->body, mg_kprim(k, MG_PRIM_LT, next, last, NULL))->body;
    mg_kbarrier(k, more, MG_BARRIER_GRID);
    feed(j, more);
    mg_kbarrier(k, more, MG_BARRIER_GRID);
}

bool mg_schedule_persistent(MgSched *s, MgStorageId meeting, MgIxSym passes) {
    MgProgram *p = s->p;
    MgNames *names = s->m->session->names;
    Join j = {.s = s, .k = mg_kernel_new(s->arena, names, mg_sym(names, "persistent"))};
    int64_t place = s->storages.at[meeting].known_offset;
    if (place < 0 || !collect(&j, &p->plan->body))
        return false;
    const MgKx *offset = mg_kint(p->plan, place);
    MgKBuf words = {.name = mg_sym(names, "meeting"),
                    .elem = mg_kt(MG_I32, 1),
                    .writes = true,
                    .reads = true,
                    .align = 64};
    j.k->meeting = add_bound(&j, p->bufs.len - 1, offset, &words);
    for (uint32_t i = 0; i < j.calls.len; i++) {
        const MgKernel *from = p->kernels.at[j.calls.at[i]->kernel];
        for (uint32_t b = 0; b < from->n_params; b++)
            add_bound(&j, j.calls.at[i]->buffers[b].base, j.calls.at[i]->buffers[b].offset,
                      &from->bufs.at[b]);
    }
    if (j.bounds.len > MOST_BUFFERS || !make_pools(&j))
        return false;
    j.k->items = j.items;
    j.k->groups = mg_kint(j.k, groups_of(&j));
    j.k->meets = add_trap(&j);
    write_body(&j);
    mark_constant(&j);
    MgKCall *clear = clear_meeting(&j, offset);
    MgKCall *all = call_of(&j, add_kernel(&j, j.k), p->sites.len, j.bounds.len);
    for (uint32_t i = 0; i < j.bounds.len; i++) {
        all->buffers[i].base = j.bounds.at[i].base;
        all->buffers[i].offset = j.bounds.at[i].offset;
    }
    const MgKx **scalars = MG_NEW_N(s->arena, const MgKx *, 1);
    scalars[0] = mg_plan_dim(s, passes);
    all->scalars = scalars;
    all->n_scalars = 1;
    MgSite site = p->sites.at[j.calls.at[j.calls.len - 1]->site];
    site.kernel = all->kernel;
    site.kind = "persistent";
    for (uint32_t i = 0; i + 1 < j.calls.len; i++) {
        const MgCost *c = &p->sites.at[j.calls.at[i]->site].cost;
        site.cost.flops = mg_ix_add(s->ix, site.cost.flops, c->flops);
        site.cost.bytes = mg_ix_add(s->ix, site.cost.bytes, c->bytes);
    }
    mg_push(s->arena, &p->sites, site);
    p->plan->body.list.len = 0;
    plan_call(&j, &p->plan->body, clear);
    plan_call(&j, &p->plan->body, all);
    return true;
}
