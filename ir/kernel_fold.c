// Simplifies arithmetic of kernel IR while it is built.
//
// Constants are folded by the reference meaning (mg_prim_eval). Integers wrap, so the laws of a
// ring hold, and addresses become sums with one constant. Floats are simplified only if the result
// is exact for every value, NaN and -0 included: x*1, x/1, x-0, x+(-0). Splats and ramps move
// outwards. They also move out of a division if known zero bits show that no lane reaches the next
// multiple of the divisor. So a row of pixels is stored without a scatter if its length is a
// multiple of a vector's.
#include "ir/kernel.h"
#include "ir/kernel_impl.h"
#include "ir/kernel_walk.h"

#include <assert.h>

static const MgKx *node(MgKernel *k, MgPrim prim, MgKType type, const MgKx *a, const MgKx *b,
                        const MgKx *c) {
    MgKx *x = mg_kernel_node(k, MG_KX_PRIM, type);
    x->prim = prim;
    x->args[0] = a;
    x->args[1] = b;
    x->args[2] = c;
    x->n_args = c ? 3 : b ? 2 : 1;
    return x;
}

static const MgKx *int_like(MgKernel *k, const MgKx *x, int64_t value) {
    return mg_kconst(k, x->type, mg_bits_from_int(x->type.dtype, value));
}

static bool is_prim(const MgKx *x, MgPrim prim) {
    return x->kind == MG_KX_PRIM && x->prim == prim;
}

// ---------------------------------------------------------------- constants

static bool all_const(const MgKx *a, const MgKx *b, const MgKx *c) {
    return a->kind == MG_KX_CONST && (!b || b->kind == MG_KX_CONST) &&
           (!c || c->kind == MG_KX_CONST);
}

static const MgKx *eval(MgKernel *k, MgPrim prim, MgKType type, const MgKx *a, const MgKx *b,
                        const MgKx *c) {
    MgBits args[3] = {a->bits, b ? b->bits : 0, c ? c->bits : 0};
    return mg_kconst(k, type, mg_prim_eval(prim, a->type.dtype, type.dtype, args));
}

// ---------------------------------------------------------------- low bits

static uint32_t zeros_of(const MgKernel *k, const MgKx *x, uint32_t depth) {
    enum { DEEP = 8 }; // expressions share nodes: a deeper search would take long
    int64_t value;
    if (mg_is_float(x->type.dtype) || x->type.lanes > 1)
        return 0;
    if (mg_kx_is_int(x, &value))
        return value ? (uint32_t)__builtin_ctzll((uint64_t)value) : 64;
    if (x->kind == MG_KX_VAR)
        return k->vars.at[x->var].zeros;
    if (x->kind != MG_KX_PRIM || x->n_args != 2 || depth == DEEP)
        return 0;
    switch (x->prim) {
    case MG_PRIM_ADD:
    case MG_PRIM_SUB:
    case MG_PRIM_MUL:
    case MG_PRIM_MIN:
    case MG_PRIM_MAX: {
        uint32_t a = zeros_of(k, x->args[0], depth + 1), b = zeros_of(k, x->args[1], depth + 1);
        if (x->prim == MG_PRIM_MUL)
            return a + b < 64 ? a + b : 64;
        return a < b ? a : b;
    }
    default:
        return 0;
    }
}

uint32_t mg_kx_zeros(const MgKernel *k, const MgKx *x) {
    return zeros_of(k, x, 0);
}

// The largest power of 2 that divides both c > 0 and, as far as is known, a. All numbers from one
// multiple of it up to the next have the same quotient by c.
static int64_t common_power(const MgKernel *k, const MgKx *a, int64_t c) {
    uint32_t zeros = mg_kx_zeros(k, a), of_c = (uint32_t)__builtin_ctzll((uint64_t)c);
    return INT64_C(1) << (zeros < of_c ? zeros : of_c);
}

// ---------------------------------------------------------------- integers

static const MgKx *int_add(MgKernel *k, const MgKx *a, const MgKx *b) {
    int64_t c, d;
    if (mg_kx_is_int(a, &c) && !mg_kx_is_int(b, &d))
        return int_add(k, b, a); // constants go to the right
    if (mg_kx_is_int(b, &c)) {
        if (c == 0)
            return a;
        if (is_prim(a, MG_PRIM_ADD) && mg_kx_is_int(a->args[1], &d))
            return mg_kadd(k, a->args[0], int_like(k, b, (int64_t)((uint64_t)c + (uint64_t)d)));
        return node(k, MG_PRIM_ADD, a->type, a, b, NULL);
    }
    // (x + c) + y = (x + y) + c
    if (is_prim(a, MG_PRIM_ADD) && mg_kx_is_int(a->args[1], &d))
        return mg_kadd(k, mg_kadd(k, a->args[0], b), a->args[1]);
    if (is_prim(b, MG_PRIM_ADD) && mg_kx_is_int(b->args[1], &d))
        return mg_kadd(k, mg_kadd(k, a, b->args[0]), b->args[1]);
    return node(k, MG_PRIM_ADD, a->type, a, b, NULL);
}

static const MgKx *int_sub(MgKernel *k, const MgKx *a, const MgKx *b) {
    int64_t c;
    if (a == b)
        return int_like(k, a, 0);
    if (mg_kx_is_int(b, &c))
        return mg_kadd(k, a, int_like(k, b, (int64_t) - (uint64_t)c));
    return node(k, MG_PRIM_SUB, a->type, a, b, NULL);
}

static const MgKx *int_mul(MgKernel *k, const MgKx *a, const MgKx *b) {
    int64_t c, d;
    if (mg_kx_is_int(a, &c) && !mg_kx_is_int(b, &d))
        return int_mul(k, b, a);
    if (!mg_kx_is_int(b, &c))
        return node(k, MG_PRIM_MUL, a->type, a, b, NULL);
    if (c == 0 || c == 1)
        return c ? a : b;
    if (is_prim(a, MG_PRIM_MUL) && mg_kx_is_int(a->args[1], &d))
        return mg_kmul(k, a->args[0], int_like(k, b, (int64_t)((uint64_t)c * (uint64_t)d)));
    if (is_prim(a, MG_PRIM_ADD) && mg_kx_is_int(a->args[1], &d)) // (x + d) * c
        return mg_kadd(k, mg_kmul(k, a->args[0], b), mg_kmul(k, a->args[1], b));
    return node(k, MG_PRIM_MUL, a->type, a, b, NULL);
}

// (x + d) over c, if x + d stays below the next multiple of their common power of 2 after x.
static const MgKx *sum_over(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *over) {
    int64_t c, d;
    if (!is_prim(a, MG_PRIM_ADD) || !mg_kx_is_int(a->args[1], &d) || !mg_kx_is_int(over, &c) ||
        c <= 0 || d < 0 || d >= common_power(k, a->args[0], c))
        return NULL;
    const MgKx *x = mg_kprim(k, prim, a->args[0], over, NULL);
    return prim == MG_PRIM_FDIV ? x : mg_kadd(k, x, a->args[1]);
}

// Division and remainder by the constant 1 or 0 (total: by 0 both give 0; x / 1 = x), and
// remainders of multiples.
static const MgKx *int_divide(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    int64_t c;
    bool divides = prim == MG_PRIM_DIV || prim == MG_PRIM_FDIV;
    if (mg_kx_is_int(a, &c) && c == 0)
        return a;
    if (mg_kx_is_int(b, &c) && (c == 0 || c == 1))
        return c && divides ? a : int_like(k, a, 0);
    if (!divides && mg_kx_is_int(b, &c) && c > 0 && common_power(k, a, c) == c)
        return int_like(k, a, 0);
    const MgKx *x = prim == MG_PRIM_FDIV || prim == MG_PRIM_FMOD ? sum_over(k, prim, a, b) : NULL;
    return x ? x : node(k, prim, a->type, a, b, NULL);
}

static const MgKx *logic(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    int64_t c;
    if (a == b && prim != MG_PRIM_XOR)
        return a;
    if (a->kind == MG_KX_CONST && b->kind != MG_KX_CONST)
        return logic(k, prim, b, a);
    if (mg_kx_is_int(b, &c)) {
        bool ones =
            b->type.dtype == MG_BOOL ? c != 0 : b->bits == mg_bits_from_int(b->type.dtype, -1);
        if (c == 0)
            return prim == MG_PRIM_AND ? b : a;
        if (ones && prim != MG_PRIM_XOR)
            return prim == MG_PRIM_AND ? a : b;
    }
    return node(k, prim, a->type, a, b, NULL);
}

static const MgKx *int_minmax(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    return a == b ? a : node(k, prim, a->type, a, b, NULL);
}

static const MgKx *int_shift(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    int64_t c;
    return mg_kx_is_int(b, &c) && c == 0 ? a : node(k, prim, a->type, a, b, NULL);
}

static const MgKx *int_binary(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    switch (prim) {
    case MG_PRIM_ADD:
        return int_add(k, a, b);
    case MG_PRIM_SUB:
        return int_sub(k, a, b);
    case MG_PRIM_MUL:
        return int_mul(k, a, b);
    case MG_PRIM_DIV:
    case MG_PRIM_REM:
    case MG_PRIM_FDIV:
    case MG_PRIM_FMOD:
        return int_divide(k, prim, a, b);
    case MG_PRIM_AND:
    case MG_PRIM_OR:
    case MG_PRIM_XOR:
        return logic(k, prim, a, b);
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return int_minmax(k, prim, a, b);
    case MG_PRIM_SHL:
    case MG_PRIM_SHR:
        return int_shift(k, prim, a, b);
    default:
        return node(k, prim, a->type, a, b, NULL);
    }
}

// ---------------------------------------------------------------- floats

static const MgKx *float_binary(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    MgBits one = mg_bits_from_double(a->type.dtype, 1), zero = 0,
           minus_zero = mg_bits_from_double(a->type.dtype, -0.0);
    bool right = b->kind == MG_KX_CONST, left = a->kind == MG_KX_CONST;
    if (right && (((prim == MG_PRIM_MUL || prim == MG_PRIM_DIV) && b->bits == one) ||
                  (prim == MG_PRIM_ADD && b->bits == minus_zero) ||
                  (prim == MG_PRIM_SUB && b->bits == zero)))
        return a;
    if (left &&
        ((prim == MG_PRIM_MUL && a->bits == one) || (prim == MG_PRIM_ADD && a->bits == minus_zero)))
        return b;
    return node(k, prim, a->type, a, b, NULL);
}

// ---------------------------------------------------------------- vectors

static const MgKx *scalar_of(MgKernel *k, const MgKx *x) {
    return x->kind == MG_KX_SPLAT   ? x->args[0]
           : x->kind == MG_KX_CONST ? mg_kconst(k, mg_kt(x->type.dtype, 1), x->bits)
                                    : NULL;
}

// A ramp over a constant. If no lane reaches the next multiple of their common power of 2, all
// lanes have the first lane's quotient.
static const MgKx *ramp_over(MgKernel *k, MgPrim prim, const MgKx *ramp, const MgKx *over) {
    const MgKx *first = ramp->args[0], *step = ramp->args[1];
    int64_t c, s;
    uint32_t lanes = ramp->type.lanes;
    if (!mg_kx_is_int(over, &c) || !mg_kx_is_int(step, &s) || c <= 0 || s < 0 || s > INT32_MAX ||
        s * (lanes - 1) >= common_power(k, first, c))
        return NULL;
    const MgKx *x = mg_kprim(k, prim, first, scalar_of(k, over), NULL);
    return prim == MG_PRIM_FDIV ? mg_ksplat(k, x, lanes) : mg_kramp(k, x, step, lanes);
}

// Equal lanes stay scalar. A ramp plus or times equal lanes stays a ramp; that is exact, since
// integers wrap.
static const MgKx *spread(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b, const MgKx *c) {
    const MgKx *u = scalar_of(k, a), *v = b ? scalar_of(k, b) : NULL,
               *w = c ? scalar_of(k, c) : NULL;
    uint32_t lanes = a->type.lanes;
    if (u && (v || !b) && (w || !c))
        return mg_ksplat(k, mg_kprim(k, prim, u, v, w), lanes);
    if (!b || c || !mg_is_int(a->type.dtype))
        return NULL;
    if ((prim == MG_PRIM_FDIV || prim == MG_PRIM_FMOD) && a->kind == MG_KX_RAMP)
        return ramp_over(k, prim, a, b);
    bool scales = prim == MG_PRIM_MUL;
    if (prim != MG_PRIM_ADD && prim != MG_PRIM_SUB && !scales)
        return NULL;
    const MgKx *ramp = a->kind == MG_KX_RAMP ? a : b->kind == MG_KX_RAMP ? b : NULL;
    if (!ramp)
        return NULL;
    if (a->kind == MG_KX_RAMP && b->kind == MG_KX_RAMP && !scales)
        return mg_kramp(k, mg_kprim(k, prim, a->args[0], b->args[0], NULL),
                        mg_kprim(k, prim, a->args[1], b->args[1], NULL), lanes);
    const MgKx *s = ramp == a ? v : u;
    if (!s || (ramp == b && prim == MG_PRIM_SUB))
        return NULL;
    return mg_kramp(k, mg_kprim(k, prim, ramp->args[0], s, NULL),
                    scales ? mg_kmul(k, ramp->args[1], s) : ramp->args[1], lanes);
}

static uint32_t widest(const MgKx *a, const MgKx *b, const MgKx *c) {
    uint32_t lanes = a->type.lanes;
    if (b && b->type.lanes > lanes)
        lanes = b->type.lanes;
    return c && c->type.lanes > lanes ? c->type.lanes : lanes;
}

static const MgKx *where(MgKernel *k, const MgKx *a, const MgKx *b, const MgKx *c) {
    if (a->kind == MG_KX_CONST)
        return a->bits ? b : c;
    if (b == c)
        return b;
    return node(k, MG_PRIM_WHERE, b->type, a, b, c);
}

static const MgKx *unary(MgKernel *k, MgPrim prim, MgKType type, const MgKx *a) {
    if (prim == MG_PRIM_NOT && is_prim(a, MG_PRIM_NOT))
        return a->args[0];
    return node(k, prim, type, a, NULL, NULL);
}

const MgKx *mg_kprim(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b, const MgKx *c) {
    const MgPrimRow *row = mg_prim(prim);
    assert(row->result != MG_RESULT_CONVERT);
    b = row->arity > 1 ? b : NULL;
    c = row->arity > 2 ? c : NULL;
    uint32_t lanes = widest(a, b, c);
    a = mg_ksplat(k, a, lanes);
    b = b ? mg_ksplat(k, b, lanes) : NULL;
    c = c ? mg_ksplat(k, c, lanes) : NULL;
    MgKType type = row->result == MG_RESULT_BOOL ? mg_kt(MG_BOOL, lanes)
                   : prim == MG_PRIM_WHERE       ? b->type
                                                 : a->type;
    if (prim == MG_PRIM_WHERE && all_const(a, b, c))
        return a->bits ? b : c;
    if (all_const(a, b, c))
        return eval(k, prim, type, a, b, c);
    if (lanes > 1) {
        const MgKx *x = spread(k, prim, a, b, c);
        if (x)
            return x;
    }
    if (prim == MG_PRIM_WHERE)
        return where(k, a, b, c);
    if (row->arity == 1)
        return unary(k, prim, type, a);
    if (row->arity == 2 && row->result == MG_RESULT_SAME)
        return mg_is_float(a->type.dtype) ? float_binary(k, prim, a, b) : int_binary(k, prim, a, b);
    return node(k, prim, type, a, b, c);
}

static const MgKx *made_near(MgKernel *k, MgPrim prim, const MgKx *x) {
    if (x->kind != MG_KX_PRIM || x->prim != prim || x->type.dtype != MG_F32)
        return x;
    MgKx *y = mg_arena_copy(k->arena, x, 1, sizeof *x);
    y->near = true;
    return y;
}

const MgKx *mg_knear(MgKernel *k, const MgKx *a, const MgKx *b) {
    return made_near(k, MG_PRIM_DIV, mg_kprim(k, MG_PRIM_DIV, a, b, NULL));
}

const MgKx *mg_kexp_below(MgKernel *k, const MgKx *x) {
    return made_near(k, MG_PRIM_EXP, mg_kprim(k, MG_PRIM_EXP, x, NULL, NULL));
}

const MgKx *mg_kexp2_rough(MgKernel *k, const MgKx *x) {
    return made_near(k, MG_PRIM_EXP2, mg_kprim(k, MG_PRIM_EXP2, x, NULL, NULL));
}

const MgKx *mg_kexp_rough(MgKernel *k, const MgKx *x) {
    const MgKx *log2e = mg_kfloat(k, x->type, 0x1.715476p+0);
    return mg_kexp2_rough(k, mg_kprim(k, MG_PRIM_MUL, x, log2e, NULL));
}

const MgKx *mg_kerfc_near(MgKernel *k, const MgKx *x) {
    return made_near(k, MG_PRIM_ERFC, mg_kprim(k, MG_PRIM_ERFC, x, NULL, NULL));
}

const MgKx *mg_kcast(MgKernel *k, MgPrim prim, MgDType to, const MgKx *a) {
    MgKType type = mg_kt(to, a->type.lanes);
    if (a->type.dtype == to)
        return a;
    if (a->kind == MG_KX_CONST)
        return eval(k, prim, type, a, NULL, NULL);
    if (a->kind == MG_KX_SPLAT)
        return mg_ksplat(k, mg_kcast(k, prim, to, a->args[0]), type.lanes);
    bool there_and_back = prim == MG_PRIM_CAST && a->kind == MG_KX_PRIM &&
                          a->prim == MG_PRIM_CAST && a->args[0]->type.dtype == to &&
                          mg_dtype_holds(a->type.dtype, to);
    return there_and_back ? a->args[0] : node(k, prim, type, a, NULL, NULL);
}

// ---------------------------------------------------------------- a whole kernel

typedef struct Folder {
    MgKernel *k;
    MgMap made; // node -> the node that it became
} Folder;

static const MgKx *fold_x(void *ctx, const MgKx *x) {
    Folder *f = ctx;
    const MgKx *args[3] = {NULL, NULL, NULL};
    if (mg_kx_is_leaf(x))
        return x;
    uint64_t *made = mg_map_find(&f->made, (uint64_t)(uintptr_t)x);
    if (made)
        return (const MgKx *)(uintptr_t)*made;
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = fold_x(f, x->args[i]);
    const MgKx *y = mg_kx_remake(f->k, x, args);
    mg_map_put(&f->made, (uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y);
    return y;
}

static void fold_block(Folder *f, MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        mg_ks_map(b->list.at[i], fold_x, f);
        fold_block(f, &b->list.at[i]->body);
        fold_block(f, &b->list.at[i]->orelse);
    }
}

void mg_kernel_fold(MgKernel *k) {
    Folder f = {.k = k};
    mg_map_init(&f.made, k->arena);
    fold_block(&f, &k->body);
}
