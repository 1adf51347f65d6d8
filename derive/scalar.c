// The derivative of one expression: its adjoint, propagated down to the reads, or its tangent.
#include "derive/internal.h"

static const char *const texts[MG_PRIM_COUNT][3] = {
#define MG_DERIVATIVE(id, first, second, third) [MG_PRIM_##id] = {first, second, third},
#include "lang/derivatives.def"
#undef MG_DERIVATIVE
    [MG_PRIM_CAST] = {"g"}, // of the operand's type
};

const char *mg_derivative_text(MgPrim prim, uint32_t operand) {
    const char *text = operand < 3 ? texts[prim][operand] : NULL;
    return text && *text ? text : NULL;
}

typedef struct Spread {
    MgDerivation *d;
    MgMap flows;                // node -> 1 + whether it flows
    MG_VEC(const MgSx *) order; // nodes that flow, operands first
    MgMap adjoints;             // node -> its adjoint so far, or its tangent
} Spread;

static bool flows_to(const MgSx *x, uint32_t i) {
    return mg_is_float(x->args[i]->dtype) && mg_derivative_text(x->prim, i);
}

// Lists the nodes below x that depend on x through floats, each once.
static bool list(Spread *s, const MgSx *x) {
    if (x->kind == MG_SX_CONST || x->kind == MG_SX_IX || !mg_is_float(x->dtype))
        return false;
    uint64_t *known = mg_map_find(&s->flows, (uintptr_t)x);
    if (known)
        return *known - 1;
    bool some = false;
    if (x->kind == MG_SX_READ)
        some = s->d->depends[x->operand] | (x->otherwise && list(s, x->otherwise));
    for (uint32_t i = 0; x->kind == MG_SX_PRIM && i < x->n_args; i++)
        some |= flows_to(x, i) && list(s, x->args[i]);
    mg_map_put(&s->flows, (uintptr_t)x, 1 + some);
    if (some)
        mg_push(s->d->scratch, &s->order, x);
    return some;
}

static void begin(Spread *s, MgDerivation *d) {
    *s = (Spread){.d = d};
    mg_map_init(&s->flows, d->scratch);
    mg_map_init(&s->adjoints, d->scratch);
}

bool mg_flows(MgDerivation *d, const MgSx *x) {
    Spread s;
    begin(&s, d);
    return list(&s, x);
}

// Adds to the adjoint of a node. The adjoint of a type narrower than its compute type has the
// compute type.
static void add(Spread *s, const MgSx *to, const MgSx *adjoint) {
    MgDerivation *d = s->d;
    MgDType type = mg_dtype(to->dtype)->compute;
    if (adjoint->dtype != type)
        adjoint = mg_sx_prim(d->m, MG_PRIM_CAST, type, &adjoint, 1);
    uint64_t *before = mg_map_find(&s->adjoints, (uintptr_t)to);
    if (before)
        adjoint = mg_derive_binary(d, MG_PRIM_ADD, (const MgSx *)(uintptr_t)*before, adjoint);
    mg_map_put(&s->adjoints, (uintptr_t)to, (uintptr_t)adjoint);
}

// The condition that a read with `else` is inside.
static const MgSx *is_inside(MgDerivation *d, const MgSx *read) {
    const MgSx *all = NULL, *zero = mg_derive_ix(d, mg_ix_const(d->ix, 0));
    for (uint32_t i = 0; i < read->n_args; i++) {
        const MgSx *size = mg_derive_ix(d, mg_value(d->g, read->operand)->shape[i]);
        all = mg_derive_both(d, all, mg_derive_compare(d, MG_PRIM_GE, read->args[i], zero));
        all = mg_derive_both(d, all, mg_derive_compare(d, MG_PRIM_LT, read->args[i], size));
    }
    return all ? all : mg_sx_int(d->m, MG_BOOL, 1);
}

// Adds the contribution to the `else` value of a read, for points outside.
static void reach_otherwise(Spread *s, const MgSx *read, const MgSx *adjoint) {
    MgDerivation *d = s->d;
    if (!read->otherwise || !list(s, read->otherwise))
        return;
    const MgSx *args[] = {is_inside(d, read), mg_sx_int(d->m, adjoint->dtype, 0), adjoint};
    add(s, read->otherwise, mg_sx_prim(d->m, MG_PRIM_WHERE, adjoint->dtype, args, 3));
}

static void share(Spread *s, const MgSx *read, const MgSx *adjoint, MgShares *out) {
    MgDerivation *d = s->d;
    if (!d->depends[read->operand])
        return;
    for (uint32_t i = 0; i < out->len; i++) {
        MgShare *same = &out->at[i];
        bool equal = same->read->operand == read->operand;
        for (uint32_t k = 0; equal && k < read->n_args; k++)
            equal = mg_sx_equal(same->read->args[k], read->args[k]);
        if (equal) {
            same->adjoint = mg_derive_binary(d, MG_PRIM_ADD, same->adjoint, adjoint);
            return;
        }
    }
    mg_push(d->scratch, out, (MgShare){read, adjoint});
}

// The number of nodes of x as a tree, up to a little more than the limit.
static uint64_t size_of(MgMap *sizes, const MgSx *x) {
    uint64_t *known = mg_map_find(sizes, (uintptr_t)x);
    if (known)
        return *known;
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->n_args && n <= MG_LARGEST_DERIVATIVE; i++)
        n += size_of(sizes, x->args[i]);
    if (x->otherwise)
        n += size_of(sizes, x->otherwise);
    mg_map_put(sizes, (uintptr_t)x, n);
    return n;
}

static bool is_too_large(MgDerivation *d, const MgSx *x) {
    MgMap sizes;
    mg_map_init(&sizes, d->scratch);
    return size_of(&sizes, x) > MG_LARGEST_DERIVATIVE;
}

// Spreads to the branches of a choice. The shares are selected last, since the branch that is not
// taken may divide by 0 on the way.
static bool spread_branches(Spread *s, const MgSx *node, const MgSx *adjoint, MgShares *out) {
    MgDerivation *d = s->d;
    for (uint32_t i = 1; i < node->n_args; i++) {
        MgShares inner = {0};
        if (!list(s, node->args[i]))
            continue;
        if (!mg_spread(d, node->args[i], adjoint, NULL, &inner))
            return false;
        for (uint32_t k = 0; k < inner.len; k++) {
            const MgSx *part = d->of->rule(d->of->ctx, mg_derivative_text(node->prim, i),
                                           node->args, node->n_args, node, inner.at[k].adjoint);
            if (!part)
                return false;
            share(s, inner.at[k].read, part, out);
        }
    }
    return true;
}

bool mg_spread(MgDerivation *d, const MgSx *x, const MgSx *adjoint, const MgSx *stored,
               MgShares *out) {
    Spread s;
    begin(&s, d);
    if (!list(&s, x))
        return true;
    add(&s, x, adjoint);
    while (s.order.len) {
        const MgSx *node = mg_pop(&s.order);
        adjoint = (const MgSx *)(uintptr_t)mg_map_get(&s.adjoints, (uintptr_t)node, 0);
        if (!adjoint)
            continue;
        if (is_too_large(d, adjoint))
            return false;
        if (node->kind == MG_SX_READ) {
            reach_otherwise(&s, node, adjoint);
            share(&s, node, adjoint, out);
            continue;
        }
        if (node->prim == MG_PRIM_WHERE) {
            if (!spread_branches(&s, node, adjoint, out))
                return false;
            continue;
        }
        const MgSx *result = node == x && stored ? stored : node;
        for (uint32_t i = 0; i < node->n_args; i++) {
            if (!flows_to(node, i) || !list(&s, node->args[i]))
                continue;
            const MgSx *part = node->prim == MG_PRIM_CAST
                                   ? adjoint
                                   : d->of->rule(d->of->ctx, mg_derivative_text(node->prim, i),
                                                 node->args, node->n_args, result, adjoint);
            if (!part)
                return false;
            add(&s, node->args[i], part);
        }
    }
    return true;
}

// ---------------------------------------------------------------- tangents

static const MgSx *in_compute_type(MgDerivation *d, const MgSx *of, const MgSx *t) {
    MgDType type = mg_dtype(of->dtype)->compute;
    return t->dtype == type ? t : mg_sx_prim(d->m, MG_PRIM_CAST, type, &t, 1);
}

static const MgSx *tangent_of(Spread *s, const MgSx *x) {
    const MgSx *t = (const MgSx *)(uintptr_t)mg_map_get(&s->adjoints, (uintptr_t)x, 0);
    return t ? t : mg_sx_int(s->d->m, mg_dtype(x->dtype)->compute, 0);
}

static const MgSx *tangent_of_read(Spread *s, const MgSx *x) {
    MgDerivation *d = s->d;
    const MgSx *other = x->otherwise ? tangent_of(s, x->otherwise) : NULL;
    MgValueId t = d->tangents[x->operand];
    if (t)
        return mg_sx_read(d->m, t, mg_dtype(x->dtype)->compute, x->args, x->n_args, x->bounds,
                          other);
    const MgSx *args[] = {is_inside(d, x), mg_sx_int(d->m, other->dtype, 0), other};
    return mg_sx_prim(d->m, MG_PRIM_WHERE, other->dtype, args, 3);
}

// The sum of the operands' tangents times the derivatives of the result. NULL if a rule can't be
// evaluated.
static const MgSx *tangent_of_prim(Spread *s, const MgSx *x, const MgSx *result) {
    MgDerivation *d = s->d;
    const MgSx *sum = NULL;
    if (x->prim == MG_PRIM_CAST)
        return in_compute_type(d, x, tangent_of(s, x->args[0]));
    if (x->prim == MG_PRIM_WHERE) {
        const MgSx *args[] = {x->args[0], tangent_of(s, x->args[1]), tangent_of(s, x->args[2])};
        return mg_sx_prim(d->m, MG_PRIM_WHERE, args[1]->dtype, args, 3);
    }
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (!flows_to(x, i) || !list(s, x->args[i]))
            continue;
        const MgSx *part = d->of->rule(d->of->ctx, mg_derivative_text(x->prim, i), x->args,
                                       x->n_args, result, tangent_of(s, x->args[i]));
        if (!part)
            return NULL;
        part = in_compute_type(d, x, part);
        sum = sum ? mg_derive_binary(d, MG_PRIM_ADD, sum, part) : part;
    }
    return sum;
}

const MgSx *mg_tangent(MgDerivation *d, const MgSx *x, const MgSx *stored) {
    Spread s;
    begin(&s, d);
    list(&s, x);
    for (uint32_t i = 0; i < s.order.len; i++) {
        const MgSx *node = s.order.at[i];
        const MgSx *t = node->kind == MG_SX_READ
                            ? tangent_of_read(&s, node)
                            : tangent_of_prim(&s, node, node == x && stored ? stored : node);
        if (!t || is_too_large(d, t))
            return NULL;
        mg_map_put(&s.adjoints, (uintptr_t)node, (uintptr_t)t);
    }
    return tangent_of(&s, x);
}
