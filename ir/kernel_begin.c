// Taps of a window, and parts of a tensor, have kernels that differ only in where they begin to
// read. If the call adds that constant, they are one kernel.
#include "ir/kernel_begin.h"

#include "ir/kernel_impl.h"
#include "ir/kernel_walk.h"
#include "support/map.h"

typedef struct Begin {
    MgKernel *k;
    MgKBufId buf;
    MgMap positive; // variables that are never negative
    int64_t least;  // the constant, so far; INT64_MAX: no load has been seen
    MgMap taken;    // node -> the same without the constant
} Begin;

// ---------------------------------------------------------------- finding it

// Is x of a type in which an index that overflows would be negative, outside of its buffer?
static bool is_index(const MgKx *x) {
    return x->type.dtype == MG_I64 || x->type.dtype == MG_I32;
}

// Has x the constant of its first operand?
static bool passes_on(const MgKx *x) {
    return x->kind == MG_KX_RAMP || x->kind == MG_KX_SPLAT ||
           (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_CAST && is_index(x) &&
            is_index(x->args[0]));
}

static bool is_sum(const MgKx *x) {
    return x->kind == MG_KX_PRIM && x->prim == MG_PRIM_ADD;
}

// The constant at the end of a sum.
static int64_t constant_of(const MgKx *x) {
    int64_t c;
    while (passes_on(x))
        x = x->args[0];
    return mg_kx_is_int(x, &c) || (is_sum(x) && mg_kx_is_int(x->args[1], &c)) ? c : 0;
}

// Is an index never negative, without the constant at its end if `open`? Indices don't overflow.
static bool positive(const Begin *b, const MgKx *x, bool open) {
    int64_t c;
    if (mg_kx_is_int(x, &c))
        return open || c >= 0;
    if (x->kind == MG_KX_VAR)
        return mg_map_find(&b->positive, x->var);
    if (x->kind >= MG_KX_WORKER)
        return true;
    if (x->kind == MG_KX_RAMP)
        return positive(b, x->args[0], open) && positive(b, x->args[1], false);
    if (passes_on(x))
        return positive(b, x->args[0], open);
    if (open && is_sum(x) && mg_kx_is_int(x->args[1], &c))
        return positive(b, x->args[0], false);
    if (x->kind != MG_KX_PRIM ||
        (x->prim != MG_PRIM_ADD && x->prim != MG_PRIM_MUL && x->prim != MG_PRIM_FDIV &&
         x->prim != MG_PRIM_DIV && x->prim != MG_PRIM_MIN))
        return false;
    return positive(b, x->args[0], false) && positive(b, x->args[1], false);
}

static bool see_statement(void *ctx, const MgKs *s) {
    Begin *b = ctx;
    bool names = s->kind == MG_KS_LET && positive(b, s->x, false);
    if (names || (s->kind == MG_KS_FOR && positive(b, s->low, false)))
        mg_map_put(&b->positive, s->var, 1);
    return false;
}

static bool see_load(void *ctx, const MgKx *x) {
    Begin *b = ctx;
    if (x->kind != MG_KX_LOAD || x->buf != b->buf)
        return false;
    int64_t c = constant_of(x->args[0]);
    b->least = c < b->least ? c : b->least;
    return b->least <= 0 || !positive(b, x->args[0], true);
}

// ---------------------------------------------------------------- taking it

static const MgKx *without(MgKernel *k, const MgKx *x, int64_t c) {
    if (!passes_on(x))
        return mg_kadd(k, x, mg_kconst(k, x->type, mg_bits_from_int(x->type.dtype, -c)));
    const MgKx *inner = without(k, x->args[0], c);
    if (x->kind == MG_KX_RAMP)
        return mg_kramp(k, inner, x->args[1], x->type.lanes);
    return x->kind == MG_KX_SPLAT ? mg_ksplat(k, inner, x->type.lanes)
                                  : mg_kcast(k, MG_PRIM_CAST, x->type.dtype, inner);
}

static const MgKx *take(void *ctx, const MgKx *x) {
    Begin *b = ctx;
    uint64_t key = (uint64_t)(uintptr_t)x, *known = mg_map_find(&b->taken, key);
    if (mg_kx_is_leaf(x))
        return x;
    if (known)
        return (const MgKx *)(uintptr_t)*known;
    MgKx *copy = mg_kx_map(b->k->arena, x, take, b);
    bool same = true;
    for (uint32_t i = 0; i < x->n_args; i++)
        same &= copy->args[i] == x->args[i];
    if (x->kind == MG_KX_LOAD && x->buf == b->buf)
        copy->args[0] = without(b->k, copy->args[0], b->least);
    else if (same)
        copy = NULL;
    mg_map_put(&b->taken, key, copy ? (uint64_t)(uintptr_t)copy : key);
    return copy ? copy : x;
}

static void take_in(Begin *b, MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        mg_ks_map(s, take, b);
        if (s->kind == MG_KS_PREFETCH && s->buf == b->buf)
            s->index = without(b->k, s->index, b->least);
        take_in(b, &s->body);
        take_in(b, &s->orelse);
    }
}

int64_t mg_kernel_take_begin(MgKernel *k, MgKBufId buf, int64_t elements) {
    Begin b = {.k = k, .buf = buf, .least = INT64_MAX};
    mg_map_init(&b.positive, k->arena);
    mg_map_init(&b.taken, k->arena);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        if (!k->vars.at[k->scalars.at[i]].below_0)
            mg_map_put(&b.positive, k->scalars.at[i], 1);
    if (mg_kblock_any(&k->body, &(MgKAsk){see_statement, see_load, &b}) || b.least >= elements)
        return 0;
    take_in(&b, &k->body);
    return b.least;
}
