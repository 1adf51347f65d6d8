// Runs kernels that were written for workers on a GPU: the trips of their parallel loops are spread
// over all items of all groups.
//
// Kernels of schedules without a form for GPUs are correct with any number of workers of one item.
// Here their parallel loops become loops over groups and items, with adjacent trips for adjacent
// items. Work that a worker does alone is done by a group's first item. Scratch belongs to workers,
// so a loop that uses it also runs on first items only.
#include "ir/kernel_walk.h"
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

typedef struct Spread {
    MgKernel *k;
    const MgKx *groups; // the most groups that a loop has work for; NULL: none so far
    bool unknown;       // a loop whose trips are not a function of the scalars, or that needs
                        // workers
} Spread;

// ---------------------------------------------------------------- analysis

static bool is_worker(void *ctx, const MgKx *x) {
    (void)ctx;
    return x->kind == MG_KX_WORKER || x->kind == MG_KX_WORKERS;
}

static bool uses_worker(const MgKBlock *b) {
    return mg_kblock_any(b, &(MgKAsk){.node = is_worker});
}

static bool is_shared_out(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_BARRIER || (s->kind == MG_KS_FOR && s->loop == MG_LOOP_PARALLEL);
}

// Does a statement below involve several workers?
static bool is_common(const MgKs *s) {
    return mg_ks_any(s, &(MgKAsk){.statement = is_shared_out});
}

static bool is_known_later(void *ctx, const MgKx *x) { // than the scalars
    const MgKernel *k = ctx;
    bool known = x->kind == MG_KX_CONST || x->kind == MG_KX_PRIM;
    for (uint32_t i = 0; i < k->scalars.len; i++)
        known |= x->kind == MG_KX_VAR && k->scalars.at[i] == x->var;
    return !known;
}

// ---------------------------------------------------------------- rewriting

static void note_groups(Spread *sp, const MgKx *groups) {
    sp->unknown |= mg_kx_any(groups, &(MgKAsk){.node = is_known_later, .ctx = sp->k});
    sp->groups = sp->groups ? greatest(sp->k, sp->groups, groups) : groups;
}

static MgKs *copy(Spread *sp, MgKBlock *out, const MgKs *s) {
    MgKs *made = mg_arena_copy(sp->k->arena, s, 1, sizeof *s);
    mg_push(sp->k->arena, &out->list, made);
    return made;
}

static void spread_loop(Spread *sp, const MgKs *s, MgKBlock *out) {
    MgKernel *k = sp->k;
    const MgKx *extent = sub(k, s->high, s->low);
    const MgKx *trips = named(k, out, "trips", mg_kceil_div(sp->k, extent, s->step));
    const MgKx *groups = mg_kceil_div(sp->k, trips, MG_SPREAD_ITEMS);
    note_groups(sp, mg_kceil_div(sp->k, mg_kceil_div(sp->k, extent, s->step), MG_SPREAD_ITEMS));
    Loop g = each_group(k, out, "g", groups);
    Loop i = loop_of(k, g.body, MG_LOOP_ITEM, "i", num(sp->k, 0), num(sp->k, MG_SPREAD_ITEMS), 1);
    const MgKx *at = add(k, mul(k, g.at, num(sp->k, MG_SPREAD_ITEMS)), i.at);
    const MgKx *t = named(k, i.body, "t", at);
    MgKs *own = mg_kif(k, i.body, less(k, t, trips));
    MgKs *let = MG_NEW(k->arena, MgKs);
    *let = (MgKs){
        .kind = MG_KS_LET, .var = s->var, .x = add(k, s->low, mul(k, t, num(sp->k, s->step)))};
    mg_push(k->arena, &own->body.list, let);
    for (uint32_t n = 0; n < s->body.list.len; n++)
        copy(sp, &own->body, s->body.list.at[n]);
}

static bool is_private(const MgKernel *k, const MgKs *s) {
    return s->kind == MG_KS_STORE && k->bufs.at[s->buf].scope == MG_SCOPE_THREAD;
}

static void spread_block(Spread *sp, const MgKBlock *in, MgKBlock *out);

static void spread_statement(Spread *sp, const MgKs *s, MgKBlock *out) {
    MgKernel *k = sp->k;
    bool parallel = s->kind == MG_KS_FOR && s->loop == MG_LOOP_PARALLEL;
    if (parallel && !uses_worker(&s->body)) {
        spread_loop(sp, s, out);
    } else if (s->kind == MG_KS_LET || s->kind == MG_KS_BARRIER || is_private(k, s)) {
        copy(sp, out, s);
    } else if (is_common(s) && !parallel) {
        MgKs *made = copy(sp, out, s);
        made->body = made->orelse = (MgKBlock){0};
        spread_block(sp, &s->body, &made->body);
        spread_block(sp, &s->orelse, &made->orelse);
    } else {
        sp->unknown |= parallel;
        const MgKx *first = equal(k, mg_kspecial(k, MG_KX_LOCAL_ID), num(sp->k, 0));
        copy(sp, block_if(k, out, first), s);
        mg_kbarrier(k, out, MG_BARRIER_GROUP); // the following code may read what it wrote
    }
}

static void spread_block(Spread *sp, const MgKBlock *in, MgKBlock *out) {
    for (uint32_t i = 0; i < in->list.len; i++)
        spread_statement(sp, in->list.at[i], out);
}

void mg_gpu_spread(MgKernel *k) {
    Spread sp = {.k = k};
    MgKBlock body = {0};
    spread_block(&sp, &k->body, &body);
    k->body = body;
    if (sp.groups) { // otherwise one item does everything
        k->items = MG_SPREAD_ITEMS;
        k->groups = sp.unknown ? NULL : sp.groups;
    }
}
