// Walks over the expressions of one statement.
#include "ir/kernel_walk.h"

#include "ir/kernel_impl.h"

uint32_t mg_ks_roots(const MgKs *s, const MgKx **roots) {
    const MgKx *all[5] = {s->index, s->x, s->mask, s->low, s->high};
    uint32_t n = 0;
    for (uint32_t i = 0; i < 5; i++)
        if (all[i])
            roots[n++] = all[i];
    for (uint32_t i = 0; i < MG_BOX_PLACES && s->at[i]; i++)
        roots[n++] = s->at[i];
    return n;
}

bool mg_kx_any(const MgKx *x, const MgKAsk *ask) {
    if (ask->node(ask->ctx, x))
        return true;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (mg_kx_any(x->args[i], ask))
            return true;
    return false;
}

bool mg_ks_any(const MgKs *s, const MgKAsk *ask) {
    const MgKx *roots[MG_KS_ROOTS];
    uint32_t n = ask->node ? mg_ks_roots(s, roots) : 0;
    if (ask->statement && ask->statement(ask->ctx, s))
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (mg_kx_any(roots[i], ask))
            return true;
    return mg_kblock_any(&s->body, ask) || mg_kblock_any(&s->orelse, ask);
}

bool mg_kblock_any(const MgKBlock *b, const MgKAsk *ask) {
    for (uint32_t i = 0; i < b->list.len; i++)
        if (mg_ks_any(b->list.at[i], ask))
            return true;
    return false;
}

static bool is_release(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_RELEASE;
}

bool mg_kernel_releases(const MgKernel *k) {
    return mg_kblock_any(&k->body, &(MgKAsk){.statement = is_release});
}

void mg_ks_map(MgKs *s, MgKxMap *f, void *ctx) {
    const MgKx **all[] = {&s->x, &s->index, &s->mask, &s->low, &s->high};
    for (uint32_t i = 0; i < 5; i++)
        if (*all[i])
            *all[i] = f(ctx, *all[i]);
    for (uint32_t i = 0; i < MG_BOX_PLACES && s->at[i]; i++)
        s->at[i] = f(ctx, s->at[i]);
}

MgKx *mg_kx_map(MgArena *arena, const MgKx *x, MgKxMap *f, void *ctx) {
    MgKx *copy = mg_arena_copy(arena, x, 1, sizeof *x);
    for (uint32_t i = 0; i < x->n_args; i++)
        copy->args[i] = f(ctx, x->args[i]);
    return copy;
}

typedef struct Shared {
    MgArena *arena;
    MgMap users; // node -> the number of its users
    MgKxList *out;
} Shared;

static void count(Shared *s, const MgKx *x) {
    if (mg_kx_is_leaf(x))
        return;
    uint64_t *n = mg_map_find(&s->users, (uint64_t)(uintptr_t)x);
    if (n) {
        ++*n;
        return;
    }
    mg_map_put(&s->users, (uint64_t)(uintptr_t)x, 1);
    for (uint32_t i = 0; i < x->n_args; i++)
        count(s, x->args[i]);
}

static void collect(Shared *s, const MgKx *x) {
    uint64_t *n = mg_kx_is_leaf(x) ? NULL : mg_map_find(&s->users, (uint64_t)(uintptr_t)x);
    if (!n || *n == 0)
        return;
    bool shared = *n > 1;
    *n = 0; // marks it as visited
    for (uint32_t i = 0; i < x->n_args; i++)
        collect(s, x->args[i]);
    if (shared)
        mg_push(s->arena, &s->out->list, x);
}

void mg_kx_shared(MgArena *arena, const MgKx *const *roots, uint32_t n, MgKxList *out) {
    Shared s = {.arena = arena, .out = out};
    mg_map_init(&s.users, arena);
    for (uint32_t i = 0; i < n; i++)
        count(&s, roots[i]);
    for (uint32_t i = 0; i < n; i++)
        collect(&s, roots[i]);
}

static uint64_t expression_size(const MgKx *x) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->n_args; i++)
        n += expression_size(x->args[i]);
    return n;
}

static uint64_t block_size(const MgKBlock *block) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < block->list.len; i++) {
        const MgKs *s = block->list.at[i];
        const MgKx *roots[MG_KS_ROOTS];
        uint32_t n = mg_ks_roots(s, roots);
        size += 1 + block_size(&s->body) + block_size(&s->orelse);
        for (uint32_t k = 0; k < n; k++)
            size += expression_size(roots[k]);
    }
    return size;
}

uint64_t mg_kernel_size(const MgKernel *k) {
    return block_size(&k->body);
}
