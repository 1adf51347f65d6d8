// Makes a kernel fit for backends: copies its statements, with unrolled loops written out,
// primitives expanded (kernel_expand.c, kernel_convert.c, kernel_math.c), folds of lanes as trees
// of permutes, and constants folded again. Every node with more than one user in a statement gets a
// name, so that a printer can write trees.
//
// Nothing else changes: the order of stores, loads and barriers stays.
#include "ir/kernel_expand.h"

typedef struct Legaliser {
    MgKernel *k;
    MgArena *scratch;
    MgExpander expander;
    MgMap memo;               // of this statement: old node -> new node
    MgMap values;             // variable -> the expression that replaces it
    MG_VEC(bool) nonnegative; // by variable
    uint32_t copies;          // depth of unrolling; in a copy, variables get new names
    const MgKx **roots;       // of this statement, before legalisation
    uint32_t n_roots;
} Legaliser;

static uint64_t key(const MgKx *x) {
    return (uint64_t)(uintptr_t)x;
}

static const MgKx *at(uint64_t value) {
    return (const MgKx *)(uintptr_t)value;
}

// ---------------------------------------------------------------- signs of indices

// The search goes only `depth` operands deep, since nodes may be shared.
static bool nonnegative_within(const Legaliser *l, const MgKx *x, uint32_t depth) {
    int64_t c;
    if (mg_kx_is_int(x, &c))
        return c >= 0;
    if (x->kind == MG_KX_VAR)
        return x->var < l->nonnegative.len && l->nonnegative.at[x->var];
    if (x->kind >= MG_KX_WORKER)
        return true;
    bool of[3] = {false, false, false};
    for (uint32_t i = 0; i < x->n_args && depth; i++)
        of[i] = nonnegative_within(l, x->args[i], depth - 1);
    if (x->kind == MG_KX_RAMP || x->kind == MG_KX_SPLAT)
        return of[0] && (of[1] || x->kind == MG_KX_SPLAT);
    if (x->kind != MG_KX_PRIM)
        return false;
    switch (x->prim) {
    case MG_PRIM_ADD:
    case MG_PRIM_MUL:
    case MG_PRIM_DIV:
    case MG_PRIM_FDIV:
    case MG_PRIM_MIN:
        return of[0] && of[1];
    case MG_PRIM_FMOD:
        return of[1];
    case MG_PRIM_REM:
    case MG_PRIM_SHR:
        return of[0];
    case MG_PRIM_AND:
    case MG_PRIM_MAX:
        return of[0] || of[1];
    case MG_PRIM_WHERE:
        return of[1] && of[2];
    default:
        return false;
    }
}

static bool nonnegative(void *ctx, const MgKx *x) {
    return x->type.dtype == MG_I64 && nonnegative_within(ctx, x, 10);
}

static void set_nonnegative(Legaliser *l, MgKVarId v, bool value) {
    while (l->nonnegative.len <= v)
        mg_push(l->scratch, &l->nonnegative, false);
    l->nonnegative.at[v] = value;
}

// ---------------------------------------------------------------- expressions

// Combines lanes by halves; the last one of an odd number comes last.
static const MgKx *fold(Legaliser *l, MgPrim prim, const MgKx *x) {
    MgKernel *k = l->k;
    uint8_t low[64], high[64];
    const MgKx *rest = NULL;
    while (x->type.lanes > 1) {
        uint32_t lanes = x->type.lanes, half = lanes / 2;
        for (uint32_t i = 0; i < half; i++) {
            low[i] = (uint8_t)i;
            high[i] = (uint8_t)(half + i);
        }
        if (lanes % 2) {
            const MgKx *last = mg_klane(k, x, lanes - 1);
            rest = rest ? mg_k2(k, prim, last, rest) : last;
        }
        const MgKx *a = half == 1 ? mg_klane(k, x, 0) : mg_kpermute(k, x, NULL, low, half);
        const MgKx *b = half == 1 ? mg_klane(k, x, 1) : mg_kpermute(k, x, NULL, high, half);
        x = mg_k2(k, prim, a, b);
    }
    return rest ? mg_k2(k, prim, x, rest) : x;
}

static const MgKx *lower(Legaliser *l, const MgKx *x);

static uint32_t exponentials(const MgKx *x, MgMap *seen) {
    if (mg_kx_is_leaf(x) || mg_map_find(seen, key(x)))
        return 0;
    mg_map_put(seen, key(x), 1);
    uint32_t n = x->kind == MG_KX_PRIM && x->prim == MG_PRIM_EXP;
    for (uint32_t i = 0; i < x->n_args; i++)
        n += exponentials(x->args[i], seen);
    return n;
}

// The sum of a constant and an exponential, by a formula for that sum. NULL if x is something else.
// The statement may have no other exponential, since that could be the same one.
static const MgKx *plus_exp(Legaliser *l, const MgKx *x) {
    if (x->kind != MG_KX_PRIM || x->prim != MG_PRIM_ADD || x->type.dtype != MG_F32 ||
        l->expander.options->keeps_math)
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const MgKx *e = x->args[i], *c = x->args[1 - i];
        if (e->kind != MG_KX_PRIM || e->prim != MG_PRIM_EXP || !mg_plus_exp_suits(l->k, c))
            continue;
        MgMap seen;
        mg_map_init(&seen, l->scratch);
        uint32_t n = 0;
        for (uint32_t r = 0; r < l->n_roots; r++)
            n += exponentials(l->roots[r], &seen);
        if (n == 1)
            return mg_math_plus_exp(l->k, c, lower(l, e->args[0]));
    }
    return NULL;
}

static const MgKx *lower_args(Legaliser *l, const MgKx *x) {
    const MgKx *a[3] = {0}, *sum = plus_exp(l, x);
    if (sum)
        return sum;
    for (uint32_t i = 0; i < x->n_args; i++)
        a[i] = lower(l, x->args[i]);
    return x->kind == MG_KX_PRIM   ? mg_expand_prim(&l->expander, x, a)
           : x->kind == MG_KX_FOLD ? fold(l, x->prim, a[0])
                                   : mg_kx_remake(l->k, x, a);
}

static const MgKx *lower(Legaliser *l, const MgKx *x) {
    if (x->kind == MG_KX_VAR)
        return at(mg_map_get(&l->values, x->var, key(x)));
    if (mg_kx_is_leaf(x))
        return x;
    uint64_t *known = mg_map_find(&l->memo, key(x));
    if (known)
        return at(*known);
    const MgKx *y = lower_args(l, x);
    mg_map_put(&l->memo, key(x), key(y));
    return y;
}

// x with the nodes in `names` replaced by their variables.
static const MgKx *rename_nodes(Legaliser *l, MgMap *names, const MgKx *x) {
    if (mg_kx_is_leaf(x))
        return x;
    uint64_t *known = mg_map_find(names, key(x));
    if (known)
        return at(*known);
    const MgKx *args[3] = {0};
    bool same = true;
    for (uint32_t i = 0; i < x->n_args; i++) {
        args[i] = rename_nodes(l, names, x->args[i]);
        same &= args[i] == x->args[i];
    }
    const MgKx *y = x;
    if (!same) {
        MgKx *copy = mg_arena_copy(l->k->arena, x, 1, sizeof *x);
        memcpy(copy->args, args, sizeof args);
        y = copy;
    }
    mg_map_put(names, key(x), key(y));
    return y;
}

// Adds lets to `out` for nodes that the roots share, and rewrites the roots to use them.
static void name_shared(Legaliser *l, MgKBlock *out, const MgKx **roots, uint32_t n) {
    MgKxList shared = {0};
    mg_kx_shared(l->scratch, roots, n, &shared);
    if (!shared.list.len)
        return;
    MgMap names;
    mg_map_init(&names, l->scratch);
    for (uint32_t i = 0; i < shared.list.len; i++) {
        const MgKx *x = shared.list.at[i];
        MgKVarId v = mg_klet(l->k, out, "t", rename_nodes(l, &names, x));
        set_nonnegative(l, v, nonnegative(l, x));
        mg_map_put(&names, key(x), key(mg_kvar(l->k, v)));
    }
    for (uint32_t i = 0; i < n; i++)
        roots[i] = rename_nodes(l, &names, roots[i]);
}

static void lower_roots(Legaliser *l, MgKBlock *out, const MgKx **roots, uint32_t n) {
    mg_map_init(&l->memo, l->scratch);
    l->n_roots = n;
    l->roots = mg_arena_copy(l->scratch, roots, n, sizeof *roots);
    for (uint32_t i = 0; i < n; i++)
        roots[i] = lower(l, roots[i]);
    name_shared(l, out, roots, n);
}

// ---------------------------------------------------------------- statements

static void legalise_block(Legaliser *l, const MgKBlock *in, MgKBlock *out);

static MgKs *copy_of(Legaliser *l, MgKBlock *out, const MgKs *s) {
    MgKs *copy = mg_kernel_append(l->k, out, s->kind);
    *copy = *s;
    copy->body = copy->orelse = (MgKBlock){0};
    return copy;
}

// The variable that s defines; a new one in a copy of a body.
static MgKVarId defined(Legaliser *l, const MgKs *s) {
    if (!l->copies)
        return s->var;
    MgKVar var = l->k->vars.at[s->var];
    MgKVarId v = mg_kernel_var(l->k, var.name, var.type);
    mg_map_put(&l->values, s->var, key(mg_kvar(l->k, v)));
    return v;
}

// Is x so cheap that a name would only hide its form from an address?
static bool repeats(const MgKx *x) {
    if (x->kind == MG_KX_SPLAT)
        return mg_kx_is_leaf(x->args[0]);
    if (x->kind == MG_KX_RAMP)
        return mg_kx_is_leaf(x->args[0]) && mg_kx_is_leaf(x->args[1]);
    return mg_kx_is_leaf(x);
}

static void legalise_let(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *x = s->x;
    lower_roots(l, out, &x, 1);
    if (repeats(x)) {
        mg_map_put(&l->values, s->var, key(x));
        return;
    }
    MgKVarId v = defined(l, s);
    set_nonnegative(l, v, nonnegative(l, x));
    MgKs *let = copy_of(l, out, s);
    let->var = v;
    let->x = x;
}

static void legalise_store(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *roots[3] = {s->index, s->x, s->mask};
    int64_t c;
    lower_roots(l, out, roots, s->mask ? 3 : 2);
    bool always = !roots[2] || (mg_kx_is_int(roots[2], &c) && c);
    if (!always && mg_kx_is_int(roots[2], &c))
        return; // masked out
    MgKs *store = mg_kstore(l->k, out, s->buf, roots[0], roots[1], always ? NULL : roots[2]);
    store->nontemporal = s->nontemporal;
    store->later = s->later;
}

static void legalise_post(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *roots[2] = {s->index, s->x};
    lower_roots(l, out, roots, 2);
    mg_kpost(l->k, out, s->buf, roots[0], roots[1]);
}

static void write_out(Legaliser *l, const MgKs *s, int64_t low, int64_t high, MgKBlock *out) {
    l->copies++;
    for (int64_t i = low; i < high; i += s->step) {
        mg_map_put(&l->values, s->var, key(mg_kint(l->k, i)));
        legalise_block(l, &s->body, out);
        if (mg_kspan(i, high) <= (uint64_t)s->step)
            break;
    }
    l->copies--;
}

static void legalise_for(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *roots[2] = {s->low, s->high};
    int64_t low, high;
    lower_roots(l, out, roots, 2);
    bool known = mg_kx_is_int(roots[0], &low) && mg_kx_is_int(roots[1], &high);
    bool once = known && s->loop == MG_LOOP_SERIAL && mg_kspan(low, high) <= (uint64_t)s->step;
    if (known && (low >= high || s->loop == MG_LOOP_UNROLLED || once)) {
        write_out(l, s, low, high, out);
        return;
    }
    MgKVarId v = defined(l, s);
    set_nonnegative(l, v, nonnegative(l, roots[0]));
    MgKs *loop = copy_of(l, out, s);
    loop->var = v;
    loop->low = roots[0];
    loop->high = roots[1];
    legalise_block(l, &s->body, &loop->body);
    if (!loop->body.list.len) // as around an empty loop: nothing is done, maybe very often
        out->list.len--;
}

static void legalise_if(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *cond = s->x;
    int64_t c;
    lower_roots(l, out, &cond, 1);
    if (mg_kx_is_int(cond, &c)) {
        legalise_block(l, c ? &s->body : &s->orelse, out);
        return;
    }
    MgKs *branch = copy_of(l, out, s);
    branch->x = cond;
    legalise_block(l, &s->body, &branch->body);
    legalise_block(l, &s->orelse, &branch->orelse);
}

// A condition that shares nodes has no place for their lets, so a private flag carries its value.
static void legalise_while(Legaliser *l, const MgKs *s, MgKBlock *out) {
    MgKernel *k = l->k;
    MgKBlock lets = {0};
    const MgKx *cond = s->x, *zero = mg_kint(k, 0);
    int64_t c;
    lower_roots(l, &lets, &cond, 1);
    if (mg_kx_is_int(cond, &c) && !c)
        return;
    if (!lets.list.len) {
        MgKs *loop = copy_of(l, out, s);
        loop->x = cond;
        legalise_block(l, &s->body, &loop->body);
        return;
    }
    MgKBufId flag =
        mg_kalloc(k, "again", mg_kt(MG_BOOL, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, 1));
    cond = s->x;
    lower_roots(l, out, &cond, 1);
    mg_kstore(k, out, flag, zero, cond, NULL);
    MgKs *loop = mg_kwhile(k, out, mg_kload(k, flag, zero, 1, NULL, NULL));
    legalise_block(l, &s->body, &loop->body);
    cond = s->x;
    lower_roots(l, &loop->body, &cond, 1);
    mg_kstore(k, &loop->body, flag, zero, cond, NULL);
}

static void legalise_call(Legaliser *l, const MgKs *s, MgKBlock *out) {
    MgKernel *k = l->k;
    MgKCall *c = mg_arena_copy(k->arena, s->call, 1, sizeof *c);
    uint32_t n = c->n_buffers + c->n_scalars;
    const MgKx **roots = MG_NEW_N(l->scratch, const MgKx *, n);
    for (uint32_t i = 0; i < n; i++)
        roots[i] = i < c->n_buffers ? c->buffers[i].offset : c->scalars[i - c->n_buffers];
    lower_roots(l, out, roots, n);
    c->buffers = mg_arena_copy(k->arena, c->buffers, c->n_buffers, sizeof *c->buffers);
    c->scalars = mg_arena_copy(k->arena, roots + c->n_buffers, c->n_scalars, sizeof *c->scalars);
    for (uint32_t i = 0; i < c->n_buffers; i++)
        c->buffers[i].offset = roots[i];
    copy_of(l, out, s)->call = c;
}

static void legalise_product(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *roots[2] = {s->index, s->x};
    lower_roots(l, out, roots, 2);
    MgKs *copy = copy_of(l, out, s);
    copy->index = roots[0];
    copy->x = roots[1];
    legalise_block(l, &s->body, &copy->body);
}

static void legalise_box(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *roots[MG_KS_ROOTS] = {s->index, s->x};
    uint32_t n = mg_box_places(s->box);
    for (uint32_t i = 0; i < n; i++)
        roots[2 + i] = s->at[i];
    lower_roots(l, out, roots, 2 + n);
    MgKs *copy = copy_of(l, out, s);
    copy->index = roots[0];
    copy->x = roots[1];
    for (uint32_t i = 0; i < n; i++)
        copy->at[i] = roots[2 + i];
}

static void legalise_statement(Legaliser *l, const MgKs *s, MgKBlock *out) {
    const MgKx *index = s->index, *x = s->x;
    switch (s->kind) {
    case MG_KS_LET:
        legalise_let(l, s, out);
        break;
    case MG_KS_STORE:
        legalise_store(l, s, out);
        break;
    case MG_KS_FOR:
        legalise_for(l, s, out);
        break;
    case MG_KS_WHILE:
        legalise_while(l, s, out);
        break;
    case MG_KS_IF:
        legalise_if(l, s, out);
        break;
    case MG_KS_PREFETCH:
        lower_roots(l, out, &index, 1);
        copy_of(l, out, s)->index = index;
        break;
    case MG_KS_TALLY:
    case MG_KS_TAKE:
    case MG_KS_COLLECT: {
        lower_roots(l, out, &index, 1);
        MgKVarId v = defined(l, s);
        MgKs *copy = copy_of(l, out, s);
        copy->var = v;
        copy->index = index;
        break;
    }
    case MG_KS_POST:
        legalise_post(l, s, out);
        break;
    case MG_KS_PRODUCT:
        legalise_product(l, s, out);
        break;
    case MG_KS_BOX:
        legalise_box(l, s, out);
        break;
    case MG_KS_CALL:
        legalise_call(l, s, out);
        break;
    case MG_KS_LANDED:
    case MG_KS_RELEASE:
    case MG_KS_TRAP:
        if (x)
            lower_roots(l, out, &x, 1);
        copy_of(l, out, s)->x = x;
        break;
    case MG_KS_BARRIER:
    case MG_KS_AWAIT:
        copy_of(l, out, s);
        break;
    }
}

static void legalise_block(Legaliser *l, const MgKBlock *in, MgKBlock *out) {
    for (uint32_t i = 0; i < in->list.len; i++)
        legalise_statement(l, in->list.at[i], out);
}

void mg_kernel_legalise(MgKernel *k, const MgLegaliseOptions *options) {
    if (k->legal)
        return;
    k->scaleb = options->scaleb;
    k->lookup = options->lookup;
    k->lookup4 = options->lookup4;
    k->contracts = options->contracts;
    k->keeps_math = options->keeps_math;
    k->rough_exp2 = options->rough_exp2;
    Legaliser l = {.k = k, .scratch = mg_arena_new(mg_arena_mem(k->arena))};
    l.expander = (MgExpander){.k = k, .options = options, .nonnegative = nonnegative, .ctx = &l};
    mg_map_init(&l.values, l.scratch);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        set_nonnegative(&l, k->scalars.at[i], !k->vars.at[k->scalars.at[i]].below_0);
    mg_map_init(&l.memo, l.scratch);
    for (uint32_t i = 0; i < k->bufs.len; i++)
        if (k->bufs.at[i].count)
            k->bufs.at[i].count = lower(&l, k->bufs.at[i].count);
    if (k->groups)
        k->groups = lower(&l, k->groups);
    MgKBlock body = {0};
    legalise_block(&l, &k->body, &body);
    k->body = body;
    k->legal = true;
    mg_arena_free(l.scratch);
}
