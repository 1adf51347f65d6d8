// Scalar expressions: construction, traversal, rewriting and comparison. Nodes never change.
#include "ir/graph.h"

static MgSx *new_node(MgModule *m, MgSxKind kind, MgDType dtype) {
    MgSx *x = MG_NEW(m->arena, MgSx);
    x->kind = kind;
    x->dtype = dtype;
    return x;
}

static const MgSx **copy_args(MgModule *m, const MgSx *const *args, uint32_t n) {
    return mg_arena_copy(m->arena, args, n, sizeof *args);
}

const MgSx *mg_sx_const(MgModule *m, MgDType dtype, MgBits bits) {
    MgSx *x = new_node(m, MG_SX_CONST, dtype);
    x->bits = bits;
    return x;
}

const MgSx *mg_sx_double(MgModule *m, MgDType dtype, double value) {
    return mg_sx_const(m, dtype, mg_bits_from_double(dtype, value));
}

const MgSx *mg_sx_int(MgModule *m, MgDType dtype, int64_t value) {
    return mg_sx_const(m, dtype, mg_bits_from_int(dtype, value));
}

bool mg_sx_is_number(const MgSx *x, double value) {
    return x->kind == MG_SX_CONST && mg_is_float(x->dtype) &&
           mg_bits_to_double(x->dtype, x->bits) == value;
}

// Equal subscripts are one node: most reads have the same few, and passes that walk them find them
// in a cache.
const MgSx *mg_sx_ix(MgModule *m, MgDType dtype, MgIx ix) {
    while (dtype == MG_I64 && m->subscripts.len <= ix)
        mg_push(m->arena, &m->subscripts, NULL);
    if (dtype == MG_I64 && m->subscripts.at[ix])
        return m->subscripts.at[ix];
    MgSx *x = new_node(m, MG_SX_IX, dtype);
    x->ix = ix;
    if (dtype == MG_I64)
        m->subscripts.at[ix] = x;
    return x;
}

const MgSx *mg_sx_prim(MgModule *m, MgPrim prim, MgDType result, const MgSx *const *args,
                       uint32_t n) {
    MgSx *x = new_node(m, MG_SX_PRIM, result);
    x->prim = prim;
    x->n_args = n;
    x->args = copy_args(m, args, n);
    return x;
}

const MgSx *mg_sx_read(MgModule *m, uint32_t operand, MgDType dtype, const MgSx *const *subs,
                       uint32_t n, MgBounds bounds, const MgSx *otherwise) {
    MgSx *x = new_node(m, MG_SX_READ, dtype);
    x->operand = operand;
    x->n_args = n;
    x->args = copy_args(m, subs, n);
    x->bounds = bounds;
    x->otherwise = otherwise;
    return x;
}

const MgSx *mg_sx_rewrite(MgModule *m, const MgSx *x, MgSxVisitFn *visit, void *ctx) {
    MgSx *changed = NULL;
    for (uint32_t i = 0; i < x->n_args; i++) {
        const MgSx *arg = mg_sx_rewrite(m, x->args[i], visit, ctx);
        if (arg == x->args[i])
            continue;
        if (!changed) {
            changed = mg_arena_copy(m->arena, x, 1, sizeof *x);
            changed->args = copy_args(m, x->args, x->n_args);
        }
        changed->args[i] = arg;
    }
    if (x->otherwise) {
        const MgSx *otherwise = mg_sx_rewrite(m, x->otherwise, visit, ctx);
        if (otherwise != x->otherwise) {
            if (!changed)
                changed = mg_arena_copy(m->arena, x, 1, sizeof *x);
            changed->otherwise = otherwise;
        }
    }
    return visit(ctx, changed ? changed : x);
}

void mg_sx_walk(const MgSx *x, void (*see)(void *ctx, const MgSx *x), void *ctx) {
    for (uint32_t i = 0; i < x->n_args; i++)
        mg_sx_walk(x->args[i], see, ctx);
    if (x->otherwise)
        mg_sx_walk(x->otherwise, see, ctx);
    see(ctx, x);
}

bool mg_sx_same(const MgSx *a, const MgValueId *of_a, const MgSx *b, const MgValueId *of_b) {
    if (a == b && of_a == of_b)
        return true;
    if (!a || !b || a->kind != b->kind || a->dtype != b->dtype || a->prim != b->prim ||
        a->n_args != b->n_args || a->bits != b->bits || a->ix != b->ix || a->bounds != b->bounds)
        return false;
    if (of_a && a->kind == MG_SX_READ ? of_a[a->operand] != of_b[b->operand]
                                      : a->operand != b->operand)
        return false;
    for (uint32_t i = 0; i < a->n_args; i++)
        if (!mg_sx_same(a->args[i], of_a, b->args[i], of_b))
            return false;
    return (!a->otherwise && !b->otherwise) || mg_sx_same(a->otherwise, of_a, b->otherwise, of_b);
}

bool mg_sx_equal(const MgSx *a, const MgSx *b) {
    return mg_sx_same(a, NULL, b, NULL);
}

uint64_t mg_sx_hash(const MgSx *x) {
    uint64_t h =
        mg_hash_mix((uint64_t)x->kind << 32 | x->dtype, (uint64_t)x->prim << 32 | x->n_args);
    h = mg_hash_mix(h, x->bits);
    h = mg_hash_mix(h, (uint64_t)x->ix << 32 | x->operand << 2 | x->bounds);
    for (uint32_t i = 0; i < x->n_args; i++)
        h = mg_hash_mix(h, mg_sx_hash(x->args[i]));
    return x->otherwise ? mg_hash_mix(h, mg_sx_hash(x->otherwise)) : h;
}

const MgSx *mg_sx_map(MgSxMap *map, const MgSx *x) {
    MgModule *m = map->module;
    if (x->kind == MG_SX_CONST)
        return x;
    if (x->kind == MG_SX_IX)
        return mg_sx_ix(m, x->dtype, mg_ix_subst_indices(m->ix, x->ix, map->with, map->n));
    uint64_t *seen = mg_map_find(&map->done, (uintptr_t)x);
    if (seen)
        return (const MgSx *)(uintptr_t)*seen;
    const MgSx **args = MG_NEW_N(m->arena, const MgSx *, x->n_args), *copy;
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = mg_sx_map(map, x->args[i]);
    if (x->kind == MG_SX_READ)
        copy = mg_sx_read(m, map->operand ? map->operand(map->ctx, x->operand) : x->operand,
                          x->dtype, args, x->n_args, x->bounds,
                          x->otherwise ? mg_sx_map(map, x->otherwise) : NULL);
    else
        copy = mg_sx_prim(m, x->prim, x->dtype, args, x->n_args);
    mg_map_put(&map->done, (uintptr_t)x, (uintptr_t)copy);
    return copy;
}

typedef struct Substitution {
    MgModule *module;
    const MgIx *with;
    uint32_t n;
} Substitution;

static const MgSx *subst_node(void *ctx, const MgSx *x) {
    const Substitution *s = ctx;
    if (x->kind != MG_SX_IX)
        return x;
    MgIx ix = mg_ix_subst_indices(s->module->ix, x->ix, s->with, s->n);
    return ix == x->ix ? x : mg_sx_ix(s->module, x->dtype, ix);
}

const MgSx *mg_sx_subst_indices(MgModule *m, const MgSx *x, const MgIx *with, uint32_t n) {
    Substitution s = {m, with, n};
    return mg_sx_rewrite(m, x, subst_node, &s);
}
