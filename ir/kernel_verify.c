// The verifier of kernel IR: types, scopes of variables, and the use of buffers. If an index is
// affine in loop variables of constant bounds, it also finds accesses outside a buffer of constant
// size, and stores that every iteration of a parallel loop would make to the same element.
//
// It reports only what is certainly wrong. The interpreter checks what depends on run-time values.
#include "ir/kernel_verify.h"

#include <inttypes.h>

#define MAX_LANES 64
enum { FIXED = 1, VARIES }; // between iterations of the parallel loop
#define MAX_TERMS 8
#define MAX_NODES 256 // nodes of an index that are searched for terms; nodes may be shared

void mg_kv_wrong(MgKVerifier *v, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = mg_arena_vprintf(v->arena, format, args);
    va_end(args);
    mg_diag(v->session, mg_no_span(), MG_D_kernel_invalid, mg_name(v->k->names, v->k->name), what);
    v->ok = false;
}

static const char *type_name(MgKVerifier *v, MgKType t) {
    if (t.lanes == 1)
        return mg_dtype(t.dtype)->name;
    return mg_arena_printf(v->arena, "%s<%u>", mg_dtype(t.dtype)->name, t.lanes);
}

const char *mg_kv_buf_name(const MgKVerifier *v, MgKBufId b) {
    return mg_name(v->k->names, v->k->bufs.at[b].name);
}

static const char *var_name(const MgKVerifier *v, MgKVarId x) {
    return mg_name(v->k->names, v->k->vars.at[x].name);
}

// ---------------------------------------------------------------- affine indices

typedef struct Affine {
    int64_t constant;
    uint32_t n, nodes;
    MgKVarId vars[MAX_TERMS];
    int64_t scale[MAX_TERMS];
} Affine;

static bool add_term(Affine *a, MgKVarId var, int64_t scale) {
    uint32_t i = 0;
    while (i < a->n && a->vars[i] != var)
        i++;
    if (i == MAX_TERMS)
        return false;
    if (i == a->n) {
        a->vars[a->n++] = var;
        a->scale[i] = 0;
    }
    return !__builtin_add_overflow(a->scale[i], scale, &a->scale[i]);
}

// Adds scale * x to a. x must consist of sums, differences and constant multiples of integer
// variables.
static bool affine(const MgKx *x, int64_t scale, Affine *a) {
    int64_t c;
    if (a->nodes++ == MAX_NODES)
        return false;
    if (mg_kx_is_int(x, &c))
        return !__builtin_mul_overflow(c, scale, &c) &&
               !__builtin_add_overflow(a->constant, c, &a->constant);
    if (x->kind == MG_KX_VAR)
        return add_term(a, x->var, scale);
    if (x->kind != MG_KX_PRIM)
        return false;
    if (x->prim == MG_PRIM_ADD)
        return affine(x->args[0], scale, a) && affine(x->args[1], scale, a);
    if (x->prim == MG_PRIM_SUB)
        return affine(x->args[0], scale, a) && affine(x->args[1], -scale, a);
    return x->prim == MG_PRIM_MUL && mg_kx_is_int(x->args[1], &c) &&
           !__builtin_mul_overflow(c, scale, &c) && affine(x->args[0], c, a);
}

// The exact lowest and highest value of a. False unless all its variables are loops of known
// ranges.
static bool extremes(const MgKVerifier *v, const Affine *a, int64_t *low, int64_t *high) {
    *low = *high = a->constant;
    for (uint32_t i = 0; i < a->n; i++) {
        const MgKRange *r = &v->ranges[a->vars[i]];
        int64_t first, last;
        if (!r->known || __builtin_mul_overflow(r->low, a->scale[i], &first) ||
            __builtin_mul_overflow(r->last, a->scale[i], &last))
            return false;
        if (__builtin_add_overflow(*low, first < last ? first : last, low) ||
            __builtin_add_overflow(*high, first < last ? last : first, high))
            return false;
    }
    return true;
}

static void check_bounds(MgKVerifier *v, MgKBufId buf, const MgKx *index, uint32_t lanes) {
    const MgKBuf *b = &v->k->bufs.at[buf];
    int64_t count, low, high;
    Affine a = {0};
    if (v->conditional || index->type.lanes != 1 || !b->count || !mg_kx_is_int(b->count, &count) ||
        !affine(index, 1, &a) || !extremes(v, &a, &low, &high))
        return;
    int64_t extent = b->elem.lanes == 1 ? lanes : 1;
    if (low < 0 || high > count - extent)
        mg_kv_wrong(v, "elements %" PRId64 " to %" PRId64 " of %s are accessed, which has %" PRId64,
                    low, high + extent - 1, mg_kv_buf_name(v, buf), count);
}

// ---------------------------------------------------------------- expressions

static void check_expr(MgKVerifier *v, const MgKx *x);

static void check_index(MgKVerifier *v, MgKBufId buf, const MgKx *index, MgKType value,
                        bool masked) {
    const MgKBuf *b = &v->k->bufs.at[buf];
    if (index->type.dtype != MG_I64)
        mg_kv_wrong(v, "index of %s has type %s, not i64", mg_kv_buf_name(v, buf),
                    type_name(v, index->type));
    if (index->type.lanes != 1 && index->type.lanes != value.lanes)
        mg_kv_wrong(v, "index of %s has %u lanes, the value %u", mg_kv_buf_name(v, buf),
                    index->type.lanes, value.lanes);
    if (value.dtype != b->elem.dtype || (b->elem.lanes > 1 && value.lanes != b->elem.lanes))
        mg_kv_wrong(v, "%s has elements %s, accessed as %s", mg_kv_buf_name(v, buf),
                    type_name(v, b->elem), type_name(v, value));
    if (!masked)
        check_bounds(v, buf, index, value.lanes);
}

static void check_load(MgKVerifier *v, const MgKx *x) {
    if (x->buf >= v->k->bufs.len) {
        mg_kv_wrong(v, "load from buffer %u of %u", x->buf, v->k->bufs.len);
        return;
    }
    if (!v->k->bufs.at[x->buf].reads)
        mg_kv_wrong(v, "load from %s, which is not read", mg_kv_buf_name(v, x->buf));
    if (v->product && x->buf == v->product->buf)
        mg_kv_wrong(v, "load from %s while a product adds to it", mg_kv_buf_name(v, x->buf));
    check_index(v, x->buf, x->args[0], x->type, x->n_args == 3);
    if (x->n_args == 3 && (!mg_kv_same_type(x->args[1]->type, mg_kt(MG_BOOL, x->type.lanes)) ||
                           !mg_kv_same_type(x->args[2]->type, x->type)))
        mg_kv_wrong(v, "mask or other of a load from %s has a wrong type",
                    mg_kv_buf_name(v, x->buf));
}

static bool is_move(MgPrim prim) {
    return prim == MG_PRIM_WHERE || mg_prim(prim)->result == MG_RESULT_CONVERT;
}

static void check_prim(MgKVerifier *v, const MgKx *x) {
    const MgPrimRow *row = mg_prim(x->prim);
    if (x->n_args != row->arity) {
        mg_kv_wrong(v, "%s has %u operands", row->name, x->n_args);
        return;
    }
    MgKType first = x->args[x->prim == MG_PRIM_WHERE ? 1 : 0]->type;
    for (uint32_t i = x->prim == MG_PRIM_WHERE ? 1 : 0; i < x->n_args; i++)
        if (!mg_kv_same_type(x->args[i]->type, first))
            mg_kv_wrong(v, "%s of %s and %s", row->name, type_name(v, first),
                        type_name(v, x->args[i]->type));
    if (x->prim == MG_PRIM_WHERE && !mg_kv_same_type(x->args[0]->type, mg_kt(MG_BOOL, first.lanes)))
        mg_kv_wrong(v, "where has condition %s for values %s", type_name(v, x->args[0]->type),
                    type_name(v, first));
    if (!mg_operands_admit(row->operands, first.dtype))
        mg_kv_wrong(v, "%s of %s", row->name, type_name(v, first));
    if (!is_move(x->prim) && mg_dtype(first.dtype)->compute != first.dtype)
        mg_kv_wrong(v, "%s of %s: arithmetic is in the compute type", row->name,
                    type_name(v, first));
    MgDType result = row->result == MG_RESULT_BOOL      ? MG_BOOL
                     : row->result == MG_RESULT_CONVERT ? x->type.dtype
                                                        : first.dtype;
    if (!mg_kv_same_type(x->type, mg_kt(result, first.lanes)))
        mg_kv_wrong(v, "%s of %s gives %s", row->name, type_name(v, first), type_name(v, x->type));
    if (x->prim == MG_PRIM_BITCAST && mg_dtype(result)->bits != mg_dtype(first.dtype)->bits)
        mg_kv_wrong(v, "bitcast of %s to %s", type_name(v, first), type_name(v, x->type));
    bool may_be_near = x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_EXP ||
                       x->prim == MG_PRIM_EXP2 || x->prim == MG_PRIM_ERFC;
    if (x->near && (!may_be_near || first.dtype != MG_F32))
        mg_kv_wrong(v, "%s of %s, or a neighbour of it", row->name, type_name(v, first));
    bool expanded = x->prim == MG_PRIM_FDIV || x->prim == MG_PRIM_FMOD ||
                    x->prim == MG_PRIM_SATURATE || x->prim == MG_PRIM_SIGN ||
                    (row->kind == MG_KIND_APPROX && first.dtype == MG_F32 && !v->k->keeps_math &&
                     !(x->near && x->prim == MG_PRIM_EXP2));
    if (v->k->legal && expanded)
        mg_kv_wrong(v, "%s of %s in a legalised kernel", row->name, type_name(v, first));
}

static void check_lookup(MgKVerifier *v, const MgKx *x) {
    if (!mg_kv_same_type(x->args[0]->type, mg_kt(MG_U32, x->type.lanes)))
        mg_kv_wrong(v, "lookup of %s by %s", type_name(v, x->type), type_name(v, x->args[0]->type));
    if (!x->value || x->value > MAX_LANES || x->value & (x->value - 1))
        mg_kv_wrong(v, "lookup in a table of %u", x->value);
}

static bool folds(MgPrim prim, MgDType dtype) {
    bool known = prim == MG_PRIM_ADD || prim == MG_PRIM_MUL || prim == MG_PRIM_MIN ||
                 prim == MG_PRIM_MAX || prim == MG_PRIM_AND || prim == MG_PRIM_OR;
    return known && mg_operands_admit(mg_prim(prim)->operands, dtype) &&
           mg_dtype(dtype)->compute == dtype;
}

static void check_lanes(MgKVerifier *v, const MgKx *x) {
    const MgKx *a = x->args[0];
    if (x->kind == MG_KX_LANE && x->value >= a->type.lanes)
        mg_kv_wrong(v, "lane %u of %s", x->value, type_name(v, a->type));
    if (x->kind == MG_KX_PERMUTE) {
        uint32_t n = a->type.lanes * x->n_args;
        if (x->n_args == 2 && !mg_kv_same_type(a->type, x->args[1]->type))
            mg_kv_wrong(v, "permute of %s and %s", type_name(v, a->type),
                        type_name(v, x->args[1]->type));
        for (uint32_t i = 0; i < x->type.lanes; i++)
            if (x->lanes[i] >= n)
                mg_kv_wrong(v, "permute selects lane %u of %u", x->lanes[i], n);
    }
    if (x->kind == MG_KX_RAMP && !mg_kv_same_type(a->type, x->args[1]->type))
        mg_kv_wrong(v, "ramp of %s by %s", type_name(v, a->type), type_name(v, x->args[1]->type));
    if ((x->kind == MG_KX_RAMP || x->kind == MG_KX_SPLAT) && a->type.lanes != 1)
        mg_kv_wrong(v, "%s of a vector", x->kind == MG_KX_RAMP ? "ramp" : "splat");
    if (x->kind == MG_KX_FOLD && !folds(x->prim, a->type.dtype))
        mg_kv_wrong(v, "fold of %s by %s", type_name(v, a->type), mg_prim(x->prim)->name);
    if (x->type.dtype != a->type.dtype)
        mg_kv_wrong(v, "lanes of %s taken as %s", type_name(v, a->type), type_name(v, x->type));
}

static void check_words(MgKVerifier *v, const MgKx *x) {
    MgKType from = x->args[0]->type;
    uint32_t bits = mg_dtype(from.dtype)->bits;
    if ((bits != 8 && bits != 16) || from.dtype == MG_BOOL ||
        !mg_kv_same_type(x->type, mg_kt(MG_I32, from.lanes * bits / 32)) || from.lanes * bits % 32)
        mg_kv_wrong(v, "words of %s give %s", type_name(v, from), type_name(v, x->type));
}

static void check_dot(MgKVerifier *v, const MgKx *x) {
    const MgAtomRow *atom = mg_atom((MgAtom)x->value);
    MgKType words = mg_kt(MG_I32, x->type.lanes);
    if (mg_atom_per_word((MgAtom)x->value) == 1 ||
        !mg_kv_same_type(x->type, mg_kt(atom->sum, x->type.lanes)) ||
        !mg_kv_same_type(x->args[0]->type, x->type) || !mg_kv_same_type(x->args[1]->type, words) ||
        !mg_kv_same_type(x->args[2]->type, words))
        mg_kv_wrong(v, "dot by %s of %s, %s and %s", atom->word, type_name(v, x->args[0]->type),
                    type_name(v, x->args[1]->type), type_name(v, x->args[2]->type));
}

static void check_expr(MgKVerifier *v, const MgKx *x) {
    if (mg_map_find(&v->visited, (uint64_t)(uintptr_t)x))
        return;
    bool varies = x->kind == MG_KX_LOAD || x->kind >= MG_KX_WORKER ||
                  (x->kind == MG_KX_VAR && x->var < v->k->vars.len && v->varies[x->var]);
    for (uint32_t i = 0; i < x->n_args; i++) {
        check_expr(v, x->args[i]);
        varies |= mg_map_get(&v->visited, (uint64_t)(uintptr_t)x->args[i], FIXED) == VARIES;
    }
    mg_map_put(&v->visited, (uint64_t)(uintptr_t)x, varies ? VARIES : FIXED);
    if (x->type.lanes == 0 || x->type.lanes > MAX_LANES)
        mg_kv_wrong(v, "a vector of %u lanes", x->type.lanes);
    switch (x->kind) {
    case MG_KX_VAR:
        if (x->var >= v->k->vars.len || !v->defined[x->var])
            mg_kv_wrong(v, "%s is used outside its block",
                        x->var < v->k->vars.len ? var_name(v, x->var) : "a variable");
        else if (!mg_kv_same_type(x->type, v->k->vars.at[x->var].type))
            mg_kv_wrong(v, "%s has type %s, used as %s", var_name(v, x->var),
                        type_name(v, v->k->vars.at[x->var].type), type_name(v, x->type));
        break;
    case MG_KX_LOAD:
        check_load(v, x);
        break;
    case MG_KX_PRIM:
        check_prim(v, x);
        break;
    case MG_KX_RAMP:
    case MG_KX_SPLAT:
    case MG_KX_LANE:
    case MG_KX_PERMUTE:
    case MG_KX_FOLD:
        check_lanes(v, x);
        break;
    case MG_KX_LOOKUP:
        check_lookup(v, x);
        break;
    case MG_KX_WORDS:
        check_words(v, x);
        break;
    case MG_KX_DOT:
        check_dot(v, x);
        break;
    default:
        break;
    }
}

// May x, checked in this statement, differ between iterations of the parallel loop around it?
static bool differs(const MgKVerifier *v, const MgKx *x) {
    return mg_map_get(&v->visited, (uint64_t)(uintptr_t)x, FIXED) == VARIES;
}

// ---------------------------------------------------------------- statements

static void check_block(MgKVerifier *v, const MgKBlock *b);

void mg_kv_type(MgKVerifier *v, const MgKx *x, MgKType want, const char *what) {
    if (!mg_kv_same_type(x->type, want))
        mg_kv_wrong(v, "%s is %s, not %s", what, type_name(v, x->type), type_name(v, want));
}

static void define(MgKVerifier *v, const MgKs *s) {
    if (v->defined[s->var])
        mg_kv_wrong(v, "%s is defined twice", var_name(v, s->var));
    v->defined[s->var] = true;
}

static void check_store(MgKVerifier *v, const MgKs *s) {
    const MgKBuf *b = &v->k->bufs.at[s->buf];
    if (!b->writes)
        mg_kv_wrong(v, "store to %s, which is not written", mg_kv_buf_name(v, s->buf));
    if (v->product && s->buf == v->product->buf)
        mg_kv_wrong(v, "store to %s while a product adds to it", mg_kv_buf_name(v, s->buf));
    check_index(v, s->buf, s->index, s->x->type, s->mask != NULL);
    if (s->later && (!v->product || b->space != MG_SPACE_SHARED))
        mg_kv_wrong(v, "a store to %s that lands later, but not with a product",
                    mg_kv_buf_name(v, s->buf));
    if (s->mask)
        mg_kv_type(v, s->mask, mg_kt(MG_BOOL, s->x->type.lanes), "mask of a store");
    bool common = b->scope == MG_SCOPE_PARAM || b->scope == MG_SCOPE_CALL;
    if (v->parallel && common && !v->conditional && !v->k->one_worker && !differs(v, s->index))
        mg_kv_wrong(v, "every iteration of a parallel loop stores to one element of %s",
                    mg_kv_buf_name(v, s->buf));
}

// The last value of a nonempty loop, from low to below high in steps of `step`.
static int64_t last_of(int64_t low, int64_t high, int64_t step) {
    uint64_t last = (mg_kspan(low, high) - 1) / (uint64_t)step * (uint64_t)step;
    return (int64_t)((uint64_t)low + last);
}

static void check_loop(MgKVerifier *v, const MgKs *s) {
    MgKType i64 = mg_kt(MG_I64, 1);
    mg_kv_type(v, s->low, i64, "lower bound of a loop");
    mg_kv_type(v, s->high, i64, "upper bound of a loop");
    if (s->step <= 0)
        mg_kv_wrong(v, "step %" PRId64 " of loop %s", s->step, var_name(v, s->var));
    int64_t low, high;
    bool known = mg_kx_is_int(s->low, &low) && mg_kx_is_int(s->high, &high);
    if (s->loop == MG_LOOP_UNROLLED && (v->k->legal || !known))
        mg_kv_wrong(v, v->k->legal ? "loop %s is not unrolled" : "bounds of unrolled loop %s vary",
                    var_name(v, s->var));
    if (s->dealt && (s->loop != MG_LOOP_PARALLEL || v->parallel))
        mg_kv_wrong(v, "loop %s is dealt out, but not parallel", var_name(v, s->var));
    define(v, s);
    bool conditional = v->conditional, parallel = v->parallel;
    if (known && high > low && s->step > 0)
        v->ranges[s->var] = (MgKRange){true, low, last_of(low, high, s->step)};
    else if (known || differs(v, s->low) || differs(v, s->high))
        v->conditional = true; // the loop is empty, or may be in some iterations
    if (s->loop == MG_LOOP_PARALLEL || s->loop == MG_LOOP_GROUP) {
        v->parallel = !(known && s->step > 0 && mg_kspan(low, high) <= (uint64_t)s->step);
        v->varies[s->var] = true;
    } else {
        v->varies[s->var] = s->loop == MG_LOOP_ITEM || differs(v, s->low);
    }
    check_block(v, &s->body);
    v->conditional = conditional;
    v->parallel = parallel;
    v->defined[s->var] = false;
}

static void check_branch(MgKVerifier *v, const MgKs *s) {
    bool conditional = v->conditional;
    mg_kv_type(v, s->x, mg_kt(MG_BOOL, 1), s->kind == MG_KS_IF ? "condition" : "while condition");
    v->conditional = true;
    check_block(v, &s->body);
    check_block(v, &s->orelse);
    v->conditional = conditional;
}

static void check_call(MgKVerifier *v, const MgKCall *c) {
    for (uint32_t i = 0; i < c->n_buffers; i++) {
        if (c->buffers[i].base >= v->k->bufs.len)
            mg_kv_wrong(v, "a call binds buffer %u of %u", c->buffers[i].base, v->k->bufs.len);
        check_expr(v, c->buffers[i].offset);
        mg_kv_type(v, c->buffers[i].offset, mg_kt(MG_I64, 1), "offset of a binding");
    }
    for (uint32_t i = 0; i < c->n_scalars; i++) {
        check_expr(v, c->scalars[i]);
        mg_kv_type(v, c->scalars[i], mg_kt(MG_I64, 1), "scalar of a call");
    }
}

static void check_tally(MgKVerifier *v, const MgKs *s) {
    const MgKBuf *b = &v->k->bufs.at[s->buf];
    MgKType count = mg_kt(MG_U32, 1);
    if (b->space != MG_SPACE_SHARED || b->scope != MG_SCOPE_GROUP || !b->reads || !b->writes ||
        !mg_kv_same_type(b->elem, count))
        mg_kv_wrong(v, "%s has no counts of the group", mg_kv_buf_name(v, s->buf));
    if (v->k->items % MG_TOGETHER)
        mg_kv_wrong(v, "%u items count, not a multiple of %d", v->k->items, MG_TOGETHER);
    if (v->product)
        mg_kv_wrong(v, "items count while a product is computed");
    mg_kv_type(v, s->index, mg_kt(MG_I64, 1), "number of a count");
    mg_kv_type(v, mg_kvar((MgKernel *)v->k, s->var), count, "variable of a count");
    define(v, s);
    v->varies[s->var] = true;
}

// A number that all groups count, or a post.
static void check_common(MgKVerifier *v, const MgKs *s) {
    const MgKBuf *b = &v->k->bufs.at[s->buf];
    bool takes = s->kind == MG_KS_TAKE, posts = s->kind == MG_KS_POST;
    MgKType number = mg_kt(MG_U32, posts ? 1 : s->index->type.lanes);
    MgKType element = mg_kt(takes ? MG_U32 : MG_U64, 1);
    if (b->space != MG_SPACE_GLOBAL || !mg_kv_same_type(b->elem, element) ||
        (mg_ks_reads(s) && !b->reads) || (mg_ks_writes(s) && !b->writes))
        mg_kv_wrong(v, "%s has no %s that all groups share", mg_kv_buf_name(v, s->buf),
                    takes ? "counts" : "posts");
    if (takes && number.lanes > 1)
        mg_kv_wrong(v, "an item takes %u numbers at once", number.lanes);
    if (v->product)
        mg_kv_wrong(v, "groups wait while a product is computed");
    check_index(v, s->buf, s->index, mg_kt(element.dtype, number.lanes), false);
    mg_kv_type(v, posts ? s->x : mg_kvar((MgKernel *)v->k, s->var), number,
               posts ? "what is posted" : "variable of a count");
    if (posts)
        return;
    define(v, s);
    v->varies[s->var] = true;
}

static void check_statement(MgKVerifier *v, const MgKs *s) {
    const MgKx *roots[MG_KS_ROOTS];
    uint32_t n = mg_ks_roots(s, roots);
    mg_map_init(&v->visited, v->arena);
    if (mg_ks_accesses(s) && s->buf >= v->k->bufs.len) {
        mg_kv_wrong(v, "access to buffer %u of %u", s->buf, v->k->bufs.len);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        check_expr(v, roots[i]);
    switch (s->kind) {
    case MG_KS_LET:
        mg_kv_type(v, s->x, v->k->vars.at[s->var].type, var_name(v, s->var));
        define(v, s);
        v->varies[s->var] = differs(v, s->x);
        break;
    case MG_KS_STORE:
        check_store(v, s);
        break;
    case MG_KS_TALLY:
        check_tally(v, s);
        break;
    case MG_KS_TAKE:
    case MG_KS_POST:
    case MG_KS_COLLECT:
        check_common(v, s);
        break;
    case MG_KS_FOR:
        check_loop(v, s);
        break;
    case MG_KS_WHILE:
    case MG_KS_IF:
        check_branch(v, s);
        break;
    case MG_KS_PRODUCT:
        mg_kv_product(v, s);
        v->product = s;
        check_block(v, &s->body);
        v->product = NULL;
        break;
    case MG_KS_CALL:
        check_call(v, s->call);
        break;
    case MG_KS_TRAP:
        if (!s->code)
            mg_kv_wrong(v, "a trap without a code");
        if (s->x)
            mg_kv_type(v, s->x, mg_kt(MG_I64, 1), "value of a trap");
        break;
    case MG_KS_BOX:
    case MG_KS_LANDED:
    case MG_KS_RELEASE:
        mg_kv_type(v, s->x, mg_kt(MG_I64, 1), "slot of boxes");
        if (v->product && s->kind == MG_KS_LANDED)
            mg_kv_wrong(v, "boxes are awaited while a product is computed");
        if (s->kind == MG_KS_BOX)
            mg_kv_box(v, s);
        break;
    case MG_KS_BARRIER:
    case MG_KS_AWAIT:
        if (v->product)
            mg_kv_wrong(v, "a barrier while a product is computed");
        if (s->kind == MG_KS_AWAIT && s->buf >= v->k->bufs.len)
            mg_kv_wrong(v, "buffer %u of %u is awaited", s->buf, v->k->bufs.len);
        break;
    case MG_KS_PREFETCH:
        break;
    }
}

static void check_block(MgKVerifier *v, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++)
        check_statement(v, b->list.at[i]);
    for (uint32_t i = 0; i < b->list.len; i++)
        if (mg_ks_defines(b->list.at[i]))
            v->defined[b->list.at[i]->var] = false;
}

static void check_size(MgKVerifier *v, const MgKx *x, const char *of) {
    check_expr(v, x);
    mg_kv_type(v, x, mg_kt(MG_I64, 1), mg_arena_printf(v->arena, "the size of %s", of));
}

static void check_buffers(MgKVerifier *v) {
    int64_t count;
    for (uint32_t i = 0; i < v->k->bufs.len; i++) {
        const MgKBuf *b = &v->k->bufs.at[i];
        bool param = i < v->k->n_params;
        if (param != (b->scope == MG_SCOPE_PARAM))
            mg_kv_wrong(v, "%s is %sa parameter", mg_kv_buf_name(v, i), param ? "" : "not ");
        if (b->count)
            check_size(v, b->count, mg_kv_buf_name(v, i));
        else if (!param)
            mg_kv_wrong(v, "%s has no size", mg_kv_buf_name(v, i));
        if (b->scope == MG_SCOPE_THREAD && b->count &&
            (!mg_kx_is_int(b->count, &count) || count < 0))
            mg_kv_wrong(v, "the size of private %s is not constant", mg_kv_buf_name(v, i));
    }
}

bool mg_kernel_verify(MgSession *session, const MgKernel *k) {
    MgKVerifier v = {
        .session = session, .k = k, .arena = mg_arena_new(mg_arena_mem(k->arena)), .ok = true};
    v.defined = MG_NEW_N(v.arena, bool, k->vars.len);
    v.varies = MG_NEW_N(v.arena, bool, k->vars.len);
    v.ranges = MG_NEW_N(v.arena, MgKRange, k->vars.len);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        v.defined[k->scalars.at[i]] = true;
    mg_map_init(&v.visited, v.arena);
    check_buffers(&v);
    if (k->groups)
        check_size(&v, k->groups, "the grid");
    check_block(&v, &k->body);
    mg_arena_free(v.arena);
    return v.ok;
}
