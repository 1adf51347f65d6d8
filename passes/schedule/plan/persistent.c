// The plan as one kernel: the bodies of the kernels that it calls, one after another, with a
// barrier over the grid between two launches, for the requested number of passes. The plan's own
// loops and branches become the kernel's. Its work for the first run alone stays in front, as
// launches, and so do copies of inputs to outputs that take them over.
//
// The groups of such a kernel must all run at the same time. OpenCL does not say how many can, so
// the kernel finds out (backends/opencl/meet.c prints how); schedules make kernels that are correct
// with any number of groups. All groups have as many items as the largest of them needs
// (gpu/widen.c), and the kernels use the same local memory in turn.
#include "passes/schedule/plan/persistent.h"

#include "ir/kernel_walk.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/plan/launch_cost.h"
#include "passes/schedule/plan/owned.h"
#include "passes/schedule/words.h"

#include <inttypes.h>

enum { MOST_BUFFERS = 200, MEET_WORDS = 16 };
enum { LOCAL_ALIGN = 16 };

typedef struct Bound { // a parameter: equal bytes with an equal type share one
    MgKBufId base;
    const MgKx *offset;
    MgKType elem;
    MgKBufId id;
} Bound;

typedef struct Feed {       // an output that becomes the next pass's input
    uint32_t output, input; // of the plan's buffers
    MgDType dtype;
    int64_t n;
} Feed;

typedef struct Taken {  // a kernel, or the plan, that is being copied
    MgKBufId *bufs;     // its buffers in the new kernel
    const MgKx **shift; // per buffer: elements to add to an index, NULL: none
    MgKVarId *vars;
    MgMap nodes; // expressions that have been copied
} Taken;

typedef struct Join {
    MgSched *s;
    MgKernel *k; // the new kernel
    uint32_t items, least_items;
    const MgKernel **wide; // per kernel of the program; NULL: not called
    MG_VEC(Bound) bounds;
    MG_VEC(const MgKCall *) calls;
    MG_VEC(Feed) feeds;
    int64_t local; // bytes
    bool whole;    // the whole arena is one buffer per type
    Taken *now;
    const char *why; // the obstacle; NULL: none so far
} Join;

// ---------------------------------------------------------------- conditions

__attribute__((format(printf, 2, 3))) static void refuse(Join *j, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!j->why)
        j->why = mg_arena_vprintf(j->s->arena, format, args);
    va_end(args);
}

static bool see_node(void *ctx, const MgKx *x) {
    Join *j = ctx;
    if (x->kind == MG_KX_WORKER)
        refuse(j, "data decide sizes in it");
    if (x->kind == MG_KX_LOAD && x->buf < j->s->p->plan->n_params && x->buf >= j->s->p->bufs.len)
        refuse(j, "places in memory, or sizes, are known only when it runs");
    return false;
}

static bool see_statement(void *ctx, const MgKs *s) {
    Join *j = ctx;
    if (s->kind == MG_KS_STORE && s->buf < j->s->p->plan->n_params)
        refuse(j, "data decide sizes in it");
    if (s->kind != MG_KS_CALL)
        return false;
    mg_push(j->s->arena, &j->calls, s->call);
    for (uint32_t n = 0; n < s->call->n_buffers; n++)
        mg_kx_any(s->call->buffers[n].offset, &(MgKAsk){.node = see_node, .ctx = j});
    return false;
}

static bool is_box(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_BOX;
}

// Widens every kernel to groups of the largest one's items.
static void widen(Join *j) {
    const MgProgram *p = j->s->p;
    j->wide = MG_NEW_N(j->s->arena, const MgKernel *, p->kernels.len + 1);
    j->least_items = UINT32_MAX;
    for (uint32_t i = 0; i < j->calls.len; i++) {
        uint32_t items = p->kernels.at[j->calls.at[i]->kernel]->items;
        j->items = items > j->items ? items : j->items;
        j->least_items = items < j->least_items ? items : j->least_items;
    }
    for (uint32_t i = 0; i < j->calls.len; i++) {
        const MgKernel *k = p->kernels.at[j->calls.at[i]->kernel],
                       **wide = &j->wide[j->calls.at[i]->kernel];
        if (mg_kblock_any(&k->body, &(MgKAsk){.statement = is_box})) {
            refuse(j, "the device copies boxes for %s by itself, of memory that stays as it is",
                   mg_name(k->names, k->name));
            return;
        }
        *wide = *wide ? *wide : mg_gpu_widen(k, j->items);
        if (!*wide) {
            refuse(j, "the kernel %s for groups of %u item%s can't be one for groups of %u",
                   mg_name(k->names, k->name), k->items, mg_plural(k->items), j->items);
            return;
        }
    }
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

static bool is_bound(const Join *j, MgKBufId base) {
    for (uint32_t i = 0; i < j->bounds.len; i++)
        if (j->bounds.at[i].base == base)
            return true;
    return false;
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

// Weights and constants, and values computed from them in the first run, may bypass the coherent
// path; values that one group passes to another may not.
static void mark_constant(Join *j) {
    const MgSched *s = j->s;
    for (uint32_t i = 0; i < j->bounds.len; i++) {
        const Bound *b = &j->bounds.at[i];
        MgPlanBufKind kind = b->base < s->p->bufs.len ? s->p->bufs.at[b->base].kind : MG_PLAN_ARENA;
        bool kept = false;
        for (MgStorageId id = 1; id < s->draft->storages.len && !kept; id++) {
            const MgStorage *st = &s->draft->storages.at[id];
            kept =
                st->kept && st->plan_buf == b->base && st->known_offset == (int64_t)b->offset->bits;
        }
        j->k->bufs.at[b->id].noalias = kind == MG_PLAN_WEIGHT || kind == MG_PLAN_CONST || kept;
    }
}

// The offset of a call's buffer in its parameter; the remainder is added to indices.
static const MgKx *start_of(Join *j, const MgKCall *call, uint32_t b) {
    const MgKx *offset = call->buffers[b].offset;
    bool whole = j->whole && call->buffers[b].base == j->s->p->bufs.len - 1;
    return offset->kind == MG_KX_CONST && !whole ? offset : num(j->k, 0);
}

static void bind_call(Join *j, const MgKCall *call) {
    const MgKernel *from = j->wide[call->kernel];
    for (uint32_t b = 0; b < from->n_params; b++)
        add_bound(j, call->buffers[b].base, start_of(j, call, b), &from->bufs.at[b]);
}

// Binds what the plan itself reads.
static bool bind_node(void *ctx, const MgKx *x) {
    Join *j = ctx;
    const MgKernel *plan = j->s->p->plan;
    if (x->kind == MG_KX_LOAD && x->buf < plan->n_params)
        add_bound(j, x->buf, num(j->k, 0), &plan->bufs.at[x->buf]);
    return false;
}

static bool bind_statement(void *ctx, const MgKs *s) {
    if (s->kind == MG_KS_CALL)
        bind_call(ctx, s->call);
    return false;
}

// Every output that becomes an input of the next pass is copied there. An input that nothing reads
// needs no copy.
static void bind_feeds(Join *j) {
    MgGraph *g = j->s->p->graph;
    const int64_t *from = mg_fed_from(g, j->s->arena);
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        if (from[i] < 0)
            continue;
        MgValueId value = g->outputs.at[from[i]].value;
        Feed f = {g->inputs.len + (uint32_t)from[i], i, mg_value(g, value)->dtype,
                  mg_ix_const_or(j->s->ix, mg_value_elements(g, value), 0)};
        if (is_bound(j, f.input) && is_bound(j, f.output))
            mg_push(j->s->arena, &j->feeds, f);
    }
    for (uint32_t i = 0; i < j->feeds.len; i++) {
        MgKBuf like = {.elem = mg_kt(j->feeds.at[i].dtype, 1), .align = 1};
        const MgKx *zero = num(j->k, 0);
        like.name = mg_sym(j->k->names, "fed");
        like.writes = true;
        add_bound(j, j->feeds.at[i].input, zero, &like);
        like.reads = !(like.writes = false);
        add_bound(j, j->feeds.at[i].output, zero, &like);
    }
}

// Local memory of the group at byte *at, which the kernels use in turn; *at then moves past it.
static MgKBufId local_of(Join *j, const MgKBuf *like, int64_t *at) {
    int64_t align = like->align > LOCAL_ALIGN ? like->align : LOCAL_ALIGN;
    uint32_t place = (uint32_t)((*at + align - 1) / align * align);
    *at = place + mg_kbuf_bytes(like);
    j->local = *at > j->local ? *at : j->local;
    for (uint32_t i = j->k->n_params; i < j->k->bufs.len; i++) {
        const MgKBuf *b = &j->k->bufs.at[i];
        if (b->overlay == place + 1 && b->elem.dtype == like->elem.dtype &&
            b->elem.lanes == like->elem.lanes && b->count->bits == like->count->bits)
            return i;
    }
    MgKBufId id = mg_kalloc(j->k, mg_name(j->k->names, like->name), like->elem, MG_SPACE_SHARED,
                            MG_SCOPE_GROUP, num(j->k, (int64_t)like->count->bits));
    j->k->bufs.at[id].align = like->align;
    j->k->bufs.at[id].overlay = place + 1;
    return id;
}

// ---------------------------------------------------------------- copying a kernel

static void take_call(Join *j, const MgKCall *call, MgKBlock *to);

static const MgKx *shifted(Join *j, MgKBufId buf, const MgKx *index) {
    const MgKx *shift = j->now->shift[buf];
    if (shift && index->type.dtype != shift->type.dtype)
        shift = cast(j->k, index->type.dtype, shift);
    return shift ? add(j->k, index, mg_ksplat(j->k, shift, index->type.lanes)) : index;
}

static const MgKx *take_x(void *ctx, const MgKx *x) {
    Join *j = ctx;
    if (x->kind == MG_KX_CONST)
        return x;
    Taken *t = j->now;
    uint64_t *known = mg_map_find(&t->nodes, (uintptr_t)x);
    if (known)
        return (const MgKx *)(uintptr_t)*known;
    MgKx *copy = mg_kx_map(j->s->arena, x, take_x, j);
    if (x->kind == MG_KX_VAR)
        copy->var = t->vars[x->var];
    if (x->kind == MG_KX_LOAD) {
        copy->buf = t->bufs[x->buf];
        copy->args[0] = shifted(j, x->buf, copy->args[0]);
    }
    mg_map_put(&t->nodes, (uintptr_t)x, (uintptr_t)copy);
    return copy;
}

static void take_block(Join *j, const MgKBlock *from, uint32_t first, uint32_t end, MgKBlock *to) {
    for (uint32_t i = first; i < end; i++) {
        const MgKs *s = from->list.at[i];
        if (s->kind == MG_KS_CALL) {
            take_call(j, s->call, to);
            continue;
        }
        MgKs *copy = mg_arena_copy(j->s->arena, s, 1, sizeof *s);
        if (mg_ks_defines(s))
            copy->var = j->now->vars[s->var];
        mg_ks_map(copy, take_x, j);
        if (s->kind == MG_KS_AWAIT)
            copy->buf = j->now->bufs[s->buf];
        if (mg_ks_accesses(s)) {
            copy->buf = j->now->bufs[s->buf];
            copy->index = shifted(j, s->buf, copy->index);
        }
        if (s->kind == MG_KS_PRODUCT) {
            MgKProduct *product = mg_arena_copy(j->s->arena, s->product, 1, sizeof *product);
            product->row_buf = j->now->bufs[product->row_buf];
            product->column_buf = j->now->bufs[product->column_buf];
            copy->buf = j->now->bufs[s->buf];
            copy->product = product;
        }
        copy->body = copy->orelse = (MgKBlock){0};
        take_block(j, &s->body, 0, s->body.list.len, &copy->body);
        take_block(j, &s->orelse, 0, s->orelse.list.len, &copy->orelse);
        mg_push(j->s->arena, &to->list, copy);
    }
}

static Taken *taken(Join *j, const MgKernel *from) {
    MgArena *arena = j->s->arena;
    Taken *t = MG_NEW(arena, Taken);
    t->bufs = MG_NEW_N(arena, MgKBufId, from->bufs.len + 1);
    t->shift = MG_NEW_N(arena, const MgKx *, from->bufs.len + 1);
    t->vars = MG_NEW_N(arena, MgKVarId, from->vars.len + 1);
    mg_map_init(&t->nodes, arena);
    for (uint32_t v = 0; v < from->vars.len; v++) {
        mg_push(j->k->arena, &j->k->vars, from->vars.at[v]);
        t->vars[v] = j->k->vars.len - 1;
    }
    return t;
}

static MgKBufId private_of(Join *j, const MgKBuf *like) {
    return mg_kalloc(j->k, mg_name(j->k->names, like->name), like->elem, like->space, like->scope,
                     num(j->k, (int64_t)like->count->bits));
}

static void take_call(Join *j, const MgKCall *call, MgKBlock *to) {
    MgKernel *k = j->k;
    const MgKernel *from = j->wide[call->kernel];
    Taken *t = taken(j, from), *around = j->now;
    int64_t local = 0;
    for (uint32_t b = 0; b < from->bufs.len; b++) {
        const MgKBuf *like = &from->bufs.at[b];
        if (b >= from->n_params) {
            t->bufs[b] =
                like->space == MG_SPACE_SHARED ? local_of(j, like, &local) : private_of(j, like);
            continue;
        }
        const MgKx *offset = call->buffers[b].offset, *start = start_of(j, call, b);
        t->bufs[b] = bound_of(j, call->buffers[b].base, start, like->elem)->id;
        int64_t size = like->elem.lanes * (int64_t)mg_dtype_size(like->elem.dtype);
        if (start != offset)
            t->shift[b] = named(k, to, "shift", over(k, take_x(j, offset), size));
    }
    for (uint32_t i = 0; i < from->scalars.len; i++) {
        MgKs *let = MG_NEW(j->s->arena, MgKs);
        *let = (MgKs){.kind = MG_KS_LET,
                      .var = t->vars[from->scalars.at[i]],
                      .x = take_x(j, call->scalars[i])};
        mg_push(j->s->arena, &to->list, let);
    }
    j->now = t;
    take_block(j, &from->body, 0, from->body.list.len, to);
    j->now = around;
}

// Copies the plan's statements; the barrier at the end is the one between passes.
static void take_plan(Join *j, uint32_t first, MgKBlock *to) {
    const MgKernel *plan = j->s->p->plan;
    uint32_t end = plan->body.list.len;
    while (end > first && plan->body.list.at[end - 1]->kind == MG_KS_BARRIER)
        end--;
    j->now = taken(j, plan);
    for (uint32_t b = 0; b < plan->bufs.len; b++) {
        const MgKBuf *like = &plan->bufs.at[b];
        const Bound *bound = b < plan->n_params ? bound_of(j, b, num(j->k, 0), like->elem) : NULL;
        j->now->bufs[b] = b >= plan->n_params ? private_of(j, like) : bound ? bound->id : 0;
    }
    take_block(j, &plan->body, first, end, to);
}

// ---------------------------------------------------------------- feeding

// All groups share the work.
static void feed(Join *j, MgKBlock *block) {
    const MgKx *zero = num(j->k, 0);
    for (uint32_t i = 0; i < j->feeds.len; i++) {
        const Feed *f = &j->feeds.at[i];
        MgKBufId from = bound_of(j, f->output, zero, mg_kt(f->dtype, 1))->id;
        MgKBufId to = bound_of(j, f->input, zero, mg_kt(f->dtype, 1))->id;
        MgKBlock *b = block;
        const MgKx *at = mg_share_items(j->k, &b, num(j->k, f->n), j->items);
        store(j->k, b, to, at, loaded(j->k, from, at, 1));
    }
}

// ---------------------------------------------------------------- the kernel and its plan

static MgKCall *call_of(Join *j, uint32_t kernel, uint32_t site, uint32_t n_buffers) {
    MgKCall *call = MG_NEW(j->s->arena, MgKCall);
    *call = (MgKCall){.kernel = kernel, .site = site, .n_buffers = n_buffers};
    call->buffers = mg_arena_alloc(j->s->arena, n_buffers, sizeof *call->buffers);
    for (uint32_t i = 0; i < n_buffers; i++)
        call->buffers[i].bytes = -1;
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

// The counters of the groups' barrier are zero when they start.
static MgKCall *clear_meeting(Join *j, const MgKx *offset) {
    MgNames *names = j->s->m->session->names;
    MgKernel *k = mg_kernel_new(j->s->arena, names, mg_sym(names, "clear"));
    MgKBufId words = mg_kparam(k, "words", MG_I32, false, true);
    Loop loop = each_group(k, &k->body, "g", num(k, 1));
    loop = each_of(k, loop.body, "i", num(k, MEET_WORDS));
    store(k, loop.body, words, loop.at, mg_kconst(k, mg_kt(MG_I32, 1), 0));
    MgKCall *call = call_of(j, add_kernel(j, k), j->calls.at[0]->site, 1);
    call->buffers[0].base = j->s->p->bufs.len - 1;
    call->buffers[0].offset = offset;
    return call;
}

// If groups are large, there is one for each unit. With more, the groups with the few tiles of a
// small product might share units while other units are idle, and every barrier would wait for more
// groups.
static int64_t groups_of(Join *j) {
    int64_t a_unit = mg_ceil_div(mg_figure(j->s, meeting_items), j->items);
    int64_t most = (int64_t)j->s->options->target.compute_units * a_unit, n = 1;
    for (uint32_t i = 0; i < j->calls.len; i++) {
        const MgKx *groups = j->wide[j->calls.at[i]->kernel]->groups;
        int64_t v = groups && groups->kind == MG_KX_CONST ? (int64_t)groups->bits : most;
        n = v > n ? v : n;
    }
    n = n < most ? n : most;
    return n < j->s->workers ? n : j->s->workers;
}

static uint32_t add_trap(Join *j) {
    MgTrapSite site = {j->s->p->sites.at[j->calls.at[0]->site].origin,
                       "the groups of the persistent kernel did not meet in time; run it with "
                       "--launch=separate"};
    mg_push(j->s->arena, &j->s->p->traps, site);
    return j->s->p->traps.len;
}

static void write_body(Join *j, uint32_t first) {
    MgKernel *k = j->k;
    MgKVarId count = mg_kscalar(k, "passes");
    const MgKx *last = named(k, &k->body, "passes", greatest(k, mg_kvar(k, count), num(k, 1)));
    Loop pass = each_of(k, &k->body, "pass", last);
    take_plan(j, first, pass.body);
    const MgKx *next = plus(k, pass.at, 1);
    MgKBlock *more = block_if(k, pass.body, less(k, next, last));
    mg_kbarrier(k, more, MG_BARRIER_GRID);
    feed(j, more);
    mg_kbarrier(k, more, MG_BARRIER_GRID);
}

// Makes the kernel; false if the plan can't be one. `first`: the statement after those in front of
// the graph's own work.
static bool make_kernel(Join *j, const MgKx *meeting, uint32_t first) {
    const MgProgram *p = j->s->p;
    MgKBlock rest = {0};
    MgKBuf words = {.name = mg_sym(j->k->names, "meeting"),
                    .elem = mg_kt(MG_I32, 1),
                    .writes = true,
                    .reads = true,
                    .align = 64};
    for (uint32_t i = first; i < p->plan->body.list.len; i++)
        mg_push(j->s->arena, &rest.list, p->plan->body.list.at[i]);
    mg_kblock_any(&rest, &(MgKAsk){see_statement, see_node, j});
    if (!j->calls.len)
        refuse(j, "it has no kernels");
    if (!j->why)
        widen(j);
    if (j->why)
        return false;
    for (int whole = 0; whole < 2 && (!whole || j->bounds.len > MOST_BUFFERS); whole++) {
        j->k = mg_kernel_new(j->s->arena, j->k->names, mg_sym(j->k->names, "persistent"));
        j->bounds.len = j->feeds.len = 0;
        j->whole = whole;
        j->k->meeting = add_bound(j, p->bufs.len - 1, meeting, &words);
        mg_kblock_any(&rest, &(MgKAsk){bind_statement, bind_node, j});
        bind_feeds(j);
    }
    if (j->bounds.len > MOST_BUFFERS) {
        refuse(j, "its kernels have %u buffers, one may have %d", j->bounds.len, MOST_BUFFERS);
        return false;
    }
    j->k->items = j->items;
    j->k->meets = add_trap(j);
    write_body(j, first);
    j->k->groups = num(j->k, groups_of(j));
    mark_constant(j);
    if (j->local > j->s->options->target.local_most)
        refuse(j, "its kernels use %" PRId64 " bytes of local memory, a group has %u", j->local,
               j->s->options->target.local_most);
    return !j->why;
}

static MgSite site_of_all(Join *j, uint32_t kernel) {
    const MgProgram *p = j->s->p;
    MgSite site = p->sites.at[j->calls.at[j->calls.len - 1]->site];
    MgIx none = mg_ix_const(j->s->ix, 0);
    site.kernel = kernel;
    site.kind = "persistent";
    site.unit = 0;
    site.cost = (MgCost){none, none};
    double operations = 0, plain = 0; // at the speed of f32
    for (uint32_t i = 0; i < j->calls.len; i++) {
        const MgSite *one = &p->sites.at[j->calls.at[i]->site];
        double flops = (double)mg_ix_likely(j->s->ix, one->cost.flops);
        operations += flops;
        plain += flops / (one->faster > 0 ? one->faster : 1);
        site.cost.flops = mg_ix_add(j->s->ix, site.cost.flops, one->cost.flops);
        site.cost.bytes = mg_ix_add(j->s->ix, site.cost.bytes, one->cost.bytes);
    }
    site.faster = plain > 0 ? operations / plain : 0;
    return site;
}

static void explain(Join *j) {
    const char *least =
        j->least_items == j->items
            ? ""
            : mg_arena_printf(j->s->arena, ", where kernels have %u and more", j->least_items);
    mg_say_launch(j->s,
                  "%u call%s in one kernel: up to %" PRId64 " group%s of %u item%s%s, %" PRId64
                  " byte%s of local memory, %u buffer%s",
                  j->calls.len, mg_plural(j->calls.len), (int64_t)j->k->groups->bits,
                  mg_plural(j->k->groups->bits), j->items, mg_plural(j->items), least, j->local,
                  mg_plural(j->local), j->bounds.len, mg_plural(j->bounds.len));
}

const char *mg_schedule_persistent(MgSched *s, MgStorageId meeting, MgIxSym passes) {
    MgProgram *p = s->p;
    MgNames *names = s->m->session->names;
    Join j = {.s = s, .k = mg_kernel_new(s->arena, names, mg_sym(names, "persistent"))};
    int64_t place = s->draft->storages.at[meeting].known_offset;
    if (place < 0)
        return "places in memory are known when it runs";
    const MgKx *offset = num(p->plan, place);
    if (!make_kernel(&j, offset, s->draft->first.front))
        return j.why;
    explain(&j);
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
    mg_push(s->arena, &p->sites, site_of_all(&j, all->kernel));
    p->plan->body.list.len = s->draft->first.front;
    plan_call(&j, &p->plan->body, clear);
    plan_call(&j, &p->plan->body, all);
    return NULL;
}
