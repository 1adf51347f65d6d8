// Runs kernels that were written for workers on a GPU: the trips of their parallel loops are spread
// over all items of all groups.
//
// Kernels of schedules without a form for GPUs are correct with any number of workers of one item.
// Here their parallel loops become loops over groups and items, with adjacent trips for adjacent
// items. Work that a worker does alone is done by a group's first item. Scratch belongs to workers,
// so a loop that uses it also runs on first items only.
#include "ir/kernel_walk.h"
#include "passes/schedule/schedule.h"

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

static bool of_scalars(const MgKernel *k, const MgKx *x) {
    if (x->kind == MG_KX_VAR)
        for (uint32_t i = 0; i < k->scalars.len; i++)
            if (k->scalars.at[i] == x->var)
                return true;
    if (x->kind != MG_KX_CONST && x->kind != MG_KX_PRIM)
        return false;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (!of_scalars(k, x->args[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------- rewriting

static const MgKx *num(Spread *sp, int64_t v) {
    return mg_kint(sp->k, v);
}

static void note_groups(Spread *sp, const MgKx *groups) {
    sp->unknown |= !of_scalars(sp->k, groups);
    sp->groups = sp->groups ? mg_kprim(sp->k, MG_PRIM_MAX, sp->groups, groups, NULL) : groups;
}

static MgKs *copy(Spread *sp, MgKBlock *out, const MgKs *s) {
    MgKs *made = mg_arena_copy(sp->k->arena, s, 1, sizeof *s);
    mg_push(sp->k->arena, &out->list, made);
    return made;
}

static void spread_loop(Spread *sp, const MgKs *s, MgKBlock *out) {
    MgKernel *k = sp->k;
    const MgKx *extent = mg_kprim(k, MG_PRIM_SUB, s->high, s->low, NULL);
    const MgKx *trips = mg_klet_x(k, out, "trips", mg_kceil_div(sp->k, extent, s->step));
    const MgKx *groups = mg_kceil_div(sp->k, trips, MG_SPREAD_ITEMS);
    note_groups(sp, mg_kceil_div(sp->k, mg_kceil_div(sp->k, extent, s->step), MG_SPREAD_ITEMS));
    MgKs *g = mg_kfor(k, out, MG_LOOP_GROUP, "g", num(sp, 0), groups, 1);
    MgKs *i = mg_kfor(k, &g->body, MG_LOOP_ITEM, "i", num(sp, 0), num(sp, MG_SPREAD_ITEMS), 1);
    const MgKx *at =
        mg_kadd(k, mg_kmul(k, mg_kvar(k, g->var), num(sp, MG_SPREAD_ITEMS)), mg_kvar(k, i->var));
    const MgKx *t = mg_klet_x(k, &i->body, "t", at);
    MgKs *own = mg_kif(k, &i->body, mg_kprim(k, MG_PRIM_LT, t, trips, NULL));
    MgKs *let = MG_NEW(k->arena, MgKs);
    *let = (MgKs){
        .kind = MG_KS_LET, .var = s->var, .x = mg_kadd(k, s->low, mg_kmul(k, t, num(sp, s->step)))};
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
        const MgKx *first =
            mg_kprim(k, MG_PRIM_EQ, mg_kspecial(k, MG_KX_LOCAL_ID), num(sp, 0), NULL);
        copy(sp, &mg_kif(k, out, first)->body, s);
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
