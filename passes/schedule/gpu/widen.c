// Rewrites a kernel for groups with more items, so that kernels with different numbers of items can
// become one.
//
// If the kernel has no barrier inside a group, and doesn't use the number of its group, a larger
// group runs several of its groups side by side. Otherwise it runs one, and the surplus items do
// nothing but reach every barrier: the code between two barriers is put under a condition. Numbers
// that are named there and used after the barrier are computed by all items; the surplus items
// compute those of the last other item. Values, and loads from memory, are passed on in registers.
// Numbers that decide how often a barrier is reached are the same for all items of a group. Where
// they are loaded, there is no such kernel.
#include "ir/kernel_impl.h"
#include "ir/kernel_walk.h"
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

typedef struct Widen {
    const MgKernel *from;
    MgKernel *k;
    int64_t items;         // of `from`
    int64_t share;         // the number of groups of `from` in a group of k
    const MgKx *me, *part; // the item's number in its group of `from`, and that group's number
    const MgKx *active;    // does the item work? NULL: all do
    bool *control;         // per variable: a barrier depends on it
    bool *loaded;          // per variable: it is loaded from memory
    bool *needed;          // per variable: it is used after the condition
    bool *forced;          // per variable: a number that all items compute depends on it
    const MgKs **let_of;   // per variable
    MgMap nodes;           // expressions, and their copies in k
    bool ok;
} Widen;

// ---------------------------------------------------------------- analysis

static bool is_barrier(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_BARRIER;
}

static bool meets(const MgKs *s) {
    return mg_ks_any(s, &(MgKAsk){.statement = is_barrier});
}

static bool is_tally(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_TALLY;
}

static bool is_worker(void *ctx, const MgKx *x) {
    (void)ctx;
    return x->kind == MG_KX_WORKER || x->kind == MG_KX_WORKERS;
}

// Does the statement depend on the group? It is a barrier of items, or all workers share it.
static bool is_bound(void *ctx, const MgKs *s) {
    (void)ctx;
    return (s->kind == MG_KS_BARRIER && s->barrier == MG_BARRIER_GROUP) ||
           (s->kind == MG_KS_FOR && (s->loop == MG_LOOP_PARALLEL || meets(s)));
}

static bool has_shared(const MgKernel *k) {
    for (uint32_t i = k->n_params; i < k->bufs.len; i++)
        if (k->bufs.at[i].space == MG_SPACE_SHARED)
            return true;
    return false;
}

static bool note_let(void *ctx, const MgKs *s) {
    if (s->kind == MG_KS_LET)
        ((Widen *)ctx)->let_of[s->var] = s;
    return false;
}

// Records that a barrier depends on x.
static bool decide(void *ctx, const MgKx *x) {
    Widen *w = ctx;
    const MgKs *let = x->kind == MG_KX_VAR ? w->let_of[x->var] : NULL;
    w->ok &= x->kind != MG_KX_LOAD;
    if (let && !w->control[x->var])
        mg_kx_any(let->x, &(MgKAsk){.node = decide, .ctx = w});
    if (x->kind == MG_KX_VAR)
        w->control[x->var] = true;
    return false;
}

static bool find_control(void *ctx, const MgKs *s) {
    const MgKx *roots[MG_KS_ROOTS];
    uint32_t n = meets(s) ? mg_ks_roots(s, roots) : 0;
    for (uint32_t i = 0; i < n; i++)
        mg_kx_any(roots[i], &(MgKAsk){.node = decide, .ctx = ctx});
    return false;
}

static bool is_loaded(void *ctx, const MgKx *x) {
    return x->kind == MG_KX_LOAD || (x->kind == MG_KX_VAR && ((Widen *)ctx)->loaded[x->var]);
}

static bool find_loaded(void *ctx, const MgKs *s) {
    if (s->kind == MG_KS_LET)
        ((Widen *)ctx)->loaded[s->var] = mg_kx_any(s->x, &(MgKAsk){.node = is_loaded, .ctx = ctx});
    return false;
}

// ---------------------------------------------------------------- copying

static const MgKx *copy_x(void *ctx, const MgKx *x) {
    Widen *w = ctx;
    if (x->kind == MG_KX_CONST || x->kind == MG_KX_VAR)
        return x;
    if (x->kind == MG_KX_LOCAL_ID)
        return w->me;
    uint64_t *known = mg_map_find(&w->nodes, (uintptr_t)x);
    if (known)
        return (const MgKx *)(uintptr_t)*known;
    const MgKx *copy = mg_kx_map(w->k->arena, x, copy_x, w);
    mg_map_put(&w->nodes, (uintptr_t)x, (uintptr_t)copy);
    return copy;
}

static MgKs *copy_one(Widen *w, const MgKs *s, MgKBlock *out) {
    MgKs *copy = mg_arena_copy(w->k->arena, s, 1, sizeof *s);
    mg_ks_map(copy, copy_x, w);
    copy->body = copy->orelse = (MgKBlock){0};
    mg_push(w->k->arena, &out->list, copy);
    return copy;
}

static void set_var(Widen *w, MgKBlock *out, MgKVarId var, const MgKx *x) {
    MgKs *s = mg_kernel_append(w->k, out, MG_KS_LET);
    s->var = var;
    s->x = x;
}

// A loop over groups, several of which become one.
static MgKBlock *open_groups(Widen *w, const MgKs *s, MgKBlock *out) {
    const MgKx *low = copy_x(w, s->low), *high = copy_x(w, s->high);
    int64_t step = s->step * w->share;
    const MgKx *n = plus(w->k, sub(w->k, high, low), step - 1);
    n = named(w->k, out, "n", over(w->k, n, step));
    Loop loop = loop_of(w->k, out, MG_LOOP_GROUP, "groups", num(w->k, 0), n, 1);
    const MgKx *at = times(w->k, loop.at, w->share);
    at = times(w->k, add(w->k, at, w->part), s->step);
    set_var(w, loop.body, s->var, add(w->k, low, at));
    const MgKx *inside = less(w->k, mg_kvar(w->k, s->var), high);
    return block_if(w->k, loop.body, inside);
}

// Copies a statement without a barrier.
static void copy_statement(Widen *w, const MgKs *s, MgKBlock *out) {
    MgKBlock *body = NULL, *orelse = NULL;
    if (s->kind == MG_KS_FOR && s->loop == MG_LOOP_GROUP && w->share > 1) {
        body = open_groups(w, s, out);
    } else {
        MgKs *copy = copy_one(w, s, out);
        body = &copy->body;
        orelse = &copy->orelse;
    }
    for (uint32_t i = 0; i < s->body.list.len; i++)
        copy_statement(w, s->body.list.at[i], body);
    for (uint32_t i = 0; i < s->orelse.list.len; i++)
        copy_statement(w, s->orelse.list.at[i], orelse);
}

// ---------------------------------------------------------------- between barriers

static bool is_needed(const Widen *w, const MgKs *s) {
    return s->kind == MG_KS_LET && w->needed[s->var];
}

// Do all items compute it?
static bool is_number(const Widen *w, const MgKs *s) {
    MgDType type = s->x->type.dtype;
    return w->control[s->var] || w->forced[s->var] ||
           (!w->loaded[s->var] && (type == MG_I64 || type == MG_BOOL));
}

static bool need(void *ctx, const MgKx *x) {
    if (x->kind == MG_KX_VAR)
        ((Widen *)ctx)->needed[x->var] = true;
    return false;
}

static bool force(void *ctx, const MgKx *x) {
    if (x->kind == MG_KX_VAR)
        ((Widen *)ctx)->forced[x->var] = true;
    return need(ctx, x);
}

static MgKType cell_type(const MgKs *s) {
    MgKType t = s->x->type;
    return t.dtype == MG_BOOL ? mg_kt(MG_I32, t.lanes) : t;
}

static void fill_cell(Widen *w, const MgKs *s, MgKBlock *out, MgKBufId cell) {
    MgKType type = cell_type(s);
    const MgKx *x = mg_kvar(w->k, s->var);
    if (s->x->type.dtype == MG_BOOL)
        x = where(w->k, x, mg_kconst(w->k, type, 1), mg_kconst(w->k, type, 0));
    store(w->k, out, cell, num(w->k, 0), x);
}

static void name_cell(Widen *w, const MgKs *s, MgKBlock *out, MgKBufId cell) {
    MgKType type = cell_type(s);
    const MgKx *x = mg_kload(w->k, cell, num(w->k, 0), type.lanes, NULL, NULL);
    if (s->x->type.dtype == MG_BOOL)
        x = bin(w->k, MG_PRIM_NE, x, mg_kconst(w->k, type, 0));
    set_var(w, out, s->var, x);
}

// Copies the statements from `first` to `end`, none of which has a barrier: numbers, a condition
// around the rest, and the names of the values that it passes on.
static void copy_run(Widen *w, const MgKBlock *in, uint32_t first, uint32_t end, MgKBlock *out) {
    MgKernel *k = w->k;
    MgKBufId *cells = MG_NEW_N(k->arena, MgKBufId, end - first + 1);
    memset(w->needed, 0, w->from->vars.len * sizeof *w->needed);
    memset(w->forced, 0, w->from->vars.len * sizeof *w->forced);
    for (uint32_t i = end; i < in->list.len; i++)
        mg_ks_any(in->list.at[i], &(MgKAsk){.node = need, .ctx = w});
    for (uint32_t i = end; i-- > first;)
        if (is_needed(w, in->list.at[i]) && is_number(w, in->list.at[i]))
            mg_kx_any(in->list.at[i]->x, &(MgKAsk){.node = force, .ctx = w});
    for (uint32_t i = first; i < end; i++) {
        const MgKs *s = in->list.at[i];
        if (!is_needed(w, s))
            continue;
        if (is_number(w, s)) {
            copy_one(w, s, out);
            continue;
        }
        MgKType type = cell_type(s);
        cells[i - first] =
            mg_kalloc(k, "kept", type, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(w->k, 1));
        store(k, out, cells[i - first], num(w->k, 0), mg_kconst(k, type, 0));
    }
    MgKBlock *inside = NULL;
    for (uint32_t i = first; i < end; i++) {
        const MgKs *s = in->list.at[i];
        bool needed = is_needed(w, s);
        if (needed && is_number(w, s))
            continue;
        inside = inside ? inside : block_if(k, out, w->active);
        copy_statement(w, s, inside);
        if (needed)
            fill_cell(w, s, inside, cells[i - first]);
    }
    for (uint32_t i = first; i < end; i++)
        if (is_needed(w, in->list.at[i]) && !is_number(w, in->list.at[i]))
            name_cell(w, in->list.at[i], out, cells[i - first]);
}

static void copy_block(Widen *w, const MgKBlock *in, MgKBlock *out) {
    for (uint32_t i = 0; i < in->list.len;) {
        const MgKs *s = in->list.at[i];
        uint32_t end = i;
        while (end < in->list.len && !meets(in->list.at[end]))
            end++;
        if (end > i && w->active)
            copy_run(w, in, i, end, out);
        for (uint32_t j = i; j < end && !w->active; j++)
            copy_statement(w, in->list.at[j], out);
        if (end == i) {
            MgKs *copy = copy_one(w, s, out);
            copy_block(w, &s->body, &copy->body);
            copy_block(w, &s->orelse, &copy->orelse);
            end++;
        }
        i = end;
    }
}

// ---------------------------------------------------------------- the kernel

static MgKernel *copy_of(const MgKernel *k) {
    MgKernel *copy = mg_arena_copy(k->arena, k, 1, sizeof *k);
    memset(&copy->bufs, 0, sizeof copy->bufs);
    memset(&copy->vars, 0, sizeof copy->vars);
    copy->body = (MgKBlock){0};
    for (uint32_t i = 0; i < k->bufs.len; i++)
        mg_push(k->arena, &copy->bufs, k->bufs.at[i]);
    for (uint32_t i = 0; i < k->vars.len; i++)
        mg_push(k->arena, &copy->vars, k->vars.at[i]);
    return copy;
}

static void number_items(Widen *w) {
    MgKernel *k = w->k;
    const MgKx *item = mg_kspecial(k, MG_KX_LOCAL_ID);
    int64_t used = w->share * w->items;
    if (used < k->items) {
        w->active = less(w->k, item, num(w->k, used));
        item = named(k, &k->body, "item", least(w->k, item, num(w->k, used - 1)));
    }
    w->me = w->items == 1 ? num(w->k, 0) : w->share > 1 ? modulo(w->k, item, w->items) : item;
    w->part = w->share > 1 ? over(w->k, item, w->items) : NULL;
    w->me = named(k, &k->body, "me", w->me);
    w->part = w->part ? named(k, &k->body, "part", w->part) : NULL;
}

const MgKernel *mg_gpu_widen(const MgKernel *k, uint32_t items) {
    if (k->items == items)
        return k;
    if (mg_kblock_any(&k->body, &(MgKAsk){.statement = is_tally}))
        return NULL; // all items count
    Widen w = {.from = k, .k = copy_of(k), .items = k->items, .share = 1, .ok = true};
    MgArena *arena = k->arena;
    w.control = MG_NEW_N(arena, bool, k->vars.len + 1);
    w.needed = MG_NEW_N(arena, bool, k->vars.len + 1);
    w.forced = MG_NEW_N(arena, bool, k->vars.len + 1);
    w.loaded = MG_NEW_N(arena, bool, k->vars.len + 1);
    w.let_of = MG_NEW_N(arena, const MgKs *, k->vars.len + 1);
    mg_map_init(&w.nodes, arena);
    mg_kblock_any(&k->body, &(MgKAsk){.statement = note_let, .ctx = &w});
    mg_kblock_any(&k->body, &(MgKAsk){.statement = find_control, .ctx = &w});
    mg_kblock_any(&k->body, &(MgKAsk){.statement = find_loaded, .ctx = &w});
    if (k->groups && !has_shared(k) &&
        !mg_kblock_any(&k->body, &(MgKAsk){.statement = is_bound, .node = is_worker}))
        w.share = items / k->items;
    w.k->items = items;
    if (w.share > 1)
        w.k->groups = mg_kceil_div(w.k, k->groups, w.share);
    number_items(&w);
    copy_block(&w, &k->body, &w.k->body);
    return w.ok ? w.k : NULL;
}
