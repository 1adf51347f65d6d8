// Loads ahead of what waits for them. Arithmetic may hold branches: a quotient and a root have rare
// cases of their own. A device's compiler moves no load across a branch, so an item that loads,
// computes and stores one vector after the other waits for memory as often as it has vectors. The
// loads of several vectors that stand together take as long as one.
#include "ir/kernel_walk.h"
#include "passes/schedule/gpu/gpu.h"

typedef struct Early {
    MgKernel *k;
    MgMap late;  // variables that stay where they are
    bool passed; // something that stores has been seen
    bool closed; // what follows stays
    MgKBlock early;
} Early;

static bool is_late(void *ctx, const MgKx *x) {
    return x->kind == MG_KX_VAR && mg_map_find(&((Early *)ctx)->late, x->var);
}

// Can x load something else after a store than before it?
static bool may_change(void *ctx, const MgKx *x) {
    if (x->kind != MG_KX_LOAD)
        return false;
    const MgKBuf *b = &((Early *)ctx)->k->bufs.at[x->buf];
    return b->space != MG_SPACE_GLOBAL || b->writes || !b->noalias;
}

// Does the statement only load, convert what is loaded, or find a place?
static bool is_light(const MgKs *s) {
    const MgKx *x = s->x;
    while (s->kind == MG_KS_LET && x->kind == MG_KX_PRIM && x->prim == MG_PRIM_CAST)
        x = x->args[0];
    return s->kind == MG_KS_LET && (x->kind == MG_KX_LOAD || x->kind == MG_KX_VAR ||
                                    (x->type.dtype == MG_I64 && x->type.lanes == 1));
}

static bool is_early(Early *e, const MgKs *s) {
    return !e->closed && is_light(s) && !mg_kx_any(s->x, &(MgKAsk){.node = is_late, .ctx = e}) &&
           !(e->passed && mg_kx_any(s->x, &(MgKAsk){.node = may_change, .ctx = e}));
}

static bool does_more(void *ctx, const MgKs *s) { // than name, store and branch
    (void)ctx;
    return s->kind != MG_KS_LET && s->kind != MG_KS_STORE && s->kind != MG_KS_IF &&
           (s->kind != MG_KS_BARRIER || s->barrier != MG_BARRIER_GROUP);
}

// Shares out the statements of a list; those of a branch that are early leave it, if `inside`.
static void share_out(Early *e, MgKs *const *at, uint32_t n, bool inside, MgKBlock *rest) {
    MgArena *arena = e->k->arena;
    for (uint32_t i = 0; i < n; i++) {
        MgKs *s = at[i];
        bool is = is_early(e, s);
        e->closed |= mg_ks_any(s, &(MgKAsk){.statement = does_more});
        if (s->kind == MG_KS_IF && inside && !e->closed && !s->orelse.list.len) {
            MgKBlock body = s->body;
            memset(&s->body, 0, sizeof s->body);
            share_out(e, body.list.at, body.list.len, true, &s->body);
        }
        e->passed |= s->kind != MG_KS_LET;
        if (s->kind == MG_KS_LET && !is)
            mg_map_put(&e->late, s->var, 1);
        mg_push(arena, is ? &e->early.list : &rest->list, s);
    }
}

static void part(MgKernel *k, MgKs *const *at, uint32_t n, bool inside, MgKBlock *early,
                 MgKBlock *rest) {
    MgArena *scratch = mg_arena_new(mg_arena_mem(k->arena));
    Early e = {.k = k};
    mg_map_init(&e.late, scratch);
    share_out(&e, at, n, inside, rest);
    mg_kblock_append(k, early, &e.early);
    mg_arena_free(scratch);
}

void mg_gpu_part_loads(MgKernel *k, const MgKBlock *from, MgKBlock *early, MgKBlock *rest) {
    part(k, from->list.at, from->list.len, false, early, rest);
}

void mg_gpu_loads_first(MgKernel *k, MgKBlock *block, uint32_t first, bool inside) {
    MgKBlock early = {0}, rest = {0};
    part(k, block->list.at + first, block->list.len - first, inside, &early, &rest);
    block->list.len = first;
    mg_kblock_append(k, block, &early);
    mg_kblock_append(k, block, &rest);
}

static uint32_t words_loaded(const MgKernel *k, const MgKs *s) {
    uint32_t words = 0;
    for (uint32_t i = 0; s->kind == MG_KS_IF && i < s->body.list.len; i++)
        words += words_loaded(k, s->body.list.at[i]);
    if (s->kind != MG_KS_LET || s->x->kind != MG_KX_LOAD ||
        k->bufs.at[s->x->buf].space != MG_SPACE_GLOBAL)
        return words;
    return (uint32_t)mg_ceil_div(s->x->type.lanes * (int64_t)mg_dtype_size(s->x->type.dtype),
                                 sizeof(float));
}

uint32_t mg_gpu_words_loaded(const MgKernel *k, const MgKBlock *block, uint32_t first) {
    uint32_t words = 0;
    for (uint32_t i = first; i < block->list.len; i++)
        words += words_loaded(k, block->list.at[i]);
    return words;
}
