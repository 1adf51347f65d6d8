// One point of many equations, such as the steps of all parameters' updates: chains of a few
// scalars each that need nothing of each other. Each chain is for items of its own, whose
// instructions don't wait for those of another chain.
#include "ir/kernel_walk.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

typedef struct Chains {
    MgKernel *k;
    uint32_t *of;     // by statement: another one of its chain, or itself
    MgMap vars, bufs; // by number: 1 + the first statement that has it
    uint32_t at;      // the statement that is looked at
} Chains;

static uint32_t first_of(const Chains *c, uint32_t i) {
    while (c->of[i] != i)
        i = c->of[i];
    return i;
}

// The statement joins the chain of the first one that has this number.
static void join(Chains *c, MgMap *map, uint32_t number) {
    uint64_t known = mg_map_get(map, number, 0);
    if (!known)
        mg_map_put(map, number, 1 + c->at);
    else
        c->of[first_of(c, c->at)] = first_of(c, (uint32_t)known - 1);
}

static bool note(void *ctx, const MgKx *x) {
    Chains *c = ctx;
    if (x->kind == MG_KX_VAR)
        join(c, &c->vars, x->var);
    if (x->kind == MG_KX_LOAD && c->k->bufs.at[x->buf].writes)
        join(c, &c->bufs, x->buf);
    return false;
}

static bool find(Chains *c, const MgKBlock *all) {
    for (c->at = 0; c->at < all->list.len; c->at++) {
        const MgKs *s = all->list.at[c->at];
        c->of[c->at] = c->at;
        if (s->kind != MG_KS_LET && s->kind != MG_KS_STORE)
            return false;
        mg_ks_any(s, &(MgKAsk){.node = note, .ctx = c});
        if (s->kind == MG_KS_LET)
            join(c, &c->vars, s->var);
        else
            join(c, &c->bufs, s->buf);
    }
    return true;
}

void mg_gpu_chains(MgKb *kb, const MgKBlock *all, uint32_t items) {
    MgKernel *k = kb->k;
    MgArena *scratch = mg_arena_new(mg_arena_mem(k->arena));
    uint32_t n = all->list.len, chains = 0;
    Chains c = {.k = k, .of = MG_NEW_N(scratch, uint32_t, n + 1)};
    MgKBlock *block = &k->body, **own = MG_NEW_N(scratch, MgKBlock *, n + 1);
    mg_map_init(&c.vars, scratch);
    mg_map_init(&c.bufs, scratch);
    bool found = find(&c, all);
    for (uint32_t i = 0; found && i < n; i++)
        chains += c.of[i] == i;
    bool several = chains > 1;
    const MgKx *trips = num(k, several ? (int64_t)chains * MG_TOGETHER : 1);
    const MgKx *number = mg_share_items(k, &block, trips, items);
    chains = 0;
    for (uint32_t i = 0; i < n; i++) {
        MgKBlock **to = &own[several ? first_of(&c, i) : 0];
        if (!*to)
            *to = several ? block_if(k, block,
                                     equal(k, number, num(k, (int64_t)chains++ * MG_TOGETHER)))
                          : block;
        mg_push(k->arena, &(*to)->list, all->list.at[i]);
    }
    mg_arena_free(scratch);
}
