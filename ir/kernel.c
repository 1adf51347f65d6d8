// Builds kernel IR: one function for each kind of node and statement.
//
// The constructors bring expressions into the cheapest form that is exactly equal. They move splats
// and ramps outwards, so that an address is scalar arithmetic. So contiguous accesses are
// recognised here, once, and not in every schedule and backend. kernel_fold.c simplifies
// arithmetic.
#include "ir/kernel.h"

#include "ir/kernel_impl.h"

#include <assert.h>

MgKernel *mg_kernel_new(MgArena *arena, MgNames *names, MgSym name) {
    MgKernel *k = MG_NEW(arena, MgKernel);
    k->arena = arena;
    k->names = names;
    k->name = name;
    k->items = 1;
    return k;
}

MgKBufId mg_kparam(MgKernel *k, const char *name, MgDType elem, bool reads, bool writes) {
    assert(k->n_params == k->bufs.len);
    MgKBuf buf = {.name = mg_sym(k->names, name),
                  .elem = mg_kt(elem, 1),
                  .space = MG_SPACE_GLOBAL,
                  .scope = MG_SCOPE_PARAM,
                  .reads = reads,
                  .writes = writes,
                  .align = (uint32_t)mg_dtype_size(elem)};
    mg_push(k->arena, &k->bufs, buf);
    return k->n_params++;
}

MgKBufId mg_kalloc(MgKernel *k, const char *name, MgKType elem, MgSpace space, MgScope scope,
                   const MgKx *count) {
    MgKBuf buf = {.name = mg_sym(k->names, name),
                  .elem = elem,
                  .space = space,
                  .scope = scope,
                  .reads = true,
                  .writes = true,
                  .noalias = true,
                  .align = 64,
                  .count = count};
    mg_push(k->arena, &k->bufs, buf);
    return k->bufs.len - 1;
}

MgKVarId mg_kernel_var(MgKernel *k, MgSym name, MgKType type) {
    MgKVar var = {.name = name, .type = type};
    mg_push(k->arena, &k->vars, var);
    return k->vars.len - 1;
}

MgKVarId mg_kscalar(MgKernel *k, const char *name) {
    MgKVarId v = mg_kernel_var(k, mg_sym(k->names, name), mg_kt(MG_I64, 1));
    mg_push(k->arena, &k->scalars, v);
    return v;
}

// ---------------------------------------------------------------- expressions

MgKx *mg_kernel_node(MgKernel *k, MgKxKind kind, MgKType type) {
    MgKx *x = MG_NEW(k->arena, MgKx);
    x->kind = kind;
    x->type = type;
    return x;
}

const MgKx *mg_kvar(MgKernel *k, MgKVarId v) {
    MgKx *x = mg_kernel_node(k, MG_KX_VAR, k->vars.at[v].type);
    x->var = v;
    return x;
}

const MgKx *mg_kconst(MgKernel *k, MgKType type, MgBits bits) {
    MgKx *x = mg_kernel_node(k, MG_KX_CONST, type);
    x->bits = bits;
    return x;
}

const MgKx *mg_kint(MgKernel *k, int64_t value) {
    return mg_kconst(k, mg_kt(MG_I64, 1), (MgBits)value);
}

const MgKx *mg_kfloat(MgKernel *k, MgKType type, double value) {
    return mg_kconst(k, type, mg_bits_from_double(type.dtype, value));
}

bool mg_kx_is_int(const MgKx *x, int64_t *value) {
    if (x->kind != MG_KX_CONST || mg_is_float(x->type.dtype))
        return false;
    *value = mg_bits_to_int(x->type.dtype, x->bits);
    return true;
}

// An index base + lane * 1 becomes its base, since the access is contiguous.
static const MgKx *contiguous(const MgKx *index) {
    int64_t stride;
    bool unit = index->kind == MG_KX_RAMP && mg_kx_is_int(index->args[1], &stride) && stride == 1;
    return unit ? index->args[0] : index;
}

// Is x obviously true where `and`, the condition or a conjunction with it, is?
static bool follows(const MgKx *and, const MgKx *x) {
    return and == x || (and->kind == MG_KX_PRIM && and->prim == MG_PRIM_AND &&
                        (follows(and->args[0], x) || follows(and->args[1], x)));
}

const MgKx *mg_kload_or_0(const MgKx *x, const MgKx **inside) {
    *inside = NULL;
    if (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_WHERE && x->args[0]->kind == MG_KX_SPLAT &&
        x->args[2]->kind == MG_KX_CONST && !x->args[2]->bits) {
        *inside = x->args[0]->args[0];
        x = x->args[1];
    }
    if (x->kind != MG_KX_LOAD)
        return NULL;
    const MgKx *mask = x->n_args > 1 ? x->args[1] : NULL;
    return !mask || (mask->kind == MG_KX_SPLAT && *inside && follows(*inside, mask->args[0]))
               ? x
               : NULL;
}

const MgKx *mg_kload(MgKernel *k, MgKBufId buf, const MgKx *index, uint32_t lanes, const MgKx *mask,
                     const MgKx *other) {
    MgKType elem = k->bufs.at[buf].elem;
    k->bufs.at[buf].reads = true; // this includes results that the kernel adds to
    if (elem.lanes == 1 && lanes > 1 && index->type.lanes == lanes) {
        if (index->kind == MG_KX_SPLAT && !mask)
            return mg_ksplat(k, mg_kload(k, buf, index->args[0], 1, NULL, NULL), lanes);
        index = contiguous(index);
    }
    MgKx *x = mg_kernel_node(k, MG_KX_LOAD, mg_kt(elem.dtype, elem.lanes > 1 ? elem.lanes : lanes));
    x->buf = buf;
    x->args[0] = index;
    x->n_args = 1;
    if (mask) {
        x->args[1] = mg_ksplat(k, mask, x->type.lanes);
        x->args[2] = other ? mg_ksplat(k, other, x->type.lanes) : mg_kconst(k, x->type, (MgBits)0);
        x->n_args = 3;
    }
    return x;
}

const MgKx *mg_kramp(MgKernel *k, const MgKx *base, const MgKx *stride, uint32_t lanes) {
    int64_t s;
    if (lanes == 1)
        return base;
    if (mg_kx_is_int(stride, &s) && s == 0)
        return mg_ksplat(k, base, lanes);
    MgKx *x = mg_kernel_node(k, MG_KX_RAMP, mg_kt(base->type.dtype, lanes));
    x->args[0] = base;
    x->args[1] = stride;
    x->n_args = 2;
    return x;
}

const MgKx *mg_ksplat(MgKernel *k, const MgKx *a, uint32_t lanes) {
    if (a->type.lanes == lanes || lanes == 1)
        return a;
    assert(a->type.lanes == 1);
    MgKType type = mg_kt(a->type.dtype, lanes);
    if (a->kind == MG_KX_CONST)
        return mg_kconst(k, type, a->bits);
    MgKx *x = mg_kernel_node(k, MG_KX_SPLAT, type);
    x->args[0] = a;
    x->n_args = 1;
    return x;
}

const MgKx *mg_klane(MgKernel *k, const MgKx *a, uint32_t lane) {
    if (a->type.lanes == 1)
        return a;
    MgKType scalar = mg_kt(a->type.dtype, 1);
    if (a->kind == MG_KX_CONST)
        return mg_kconst(k, scalar, a->bits);
    if (a->kind == MG_KX_SPLAT)
        return a->args[0];
    if (a->kind == MG_KX_RAMP) {
        const MgKx *n = mg_kconst(k, scalar, mg_bits_from_int(scalar.dtype, lane));
        return mg_kadd(k, a->args[0], mg_kmul(k, a->args[1], n));
    }
    MgKx *x = mg_kernel_node(k, MG_KX_LANE, scalar);
    x->value = lane;
    x->args[0] = a;
    x->n_args = 1;
    return x;
}

const MgKx *mg_kpermute(MgKernel *k, const MgKx *a, const MgKx *b, const uint8_t *lanes,
                        uint32_t n) {
    bool same = n == a->type.lanes;
    for (uint32_t i = 0; i < n && same; i++)
        same = lanes[i] == i;
    if (same)
        return a;
    MgKx *x = mg_kernel_node(k, MG_KX_PERMUTE, mg_kt(a->type.dtype, n));
    x->lanes = mg_arena_copy(k->arena, lanes, n, 1);
    x->args[0] = a;
    x->args[1] = b;
    x->n_args = b ? 2 : 1;
    return x;
}

const MgKx *mg_klookup(MgKernel *k, MgDType dtype, const double *values, uint32_t n,
                       const MgKx *index) {
    assert(n && n <= 64 && !(n & (n - 1)));
    MgKType type = mg_kt(dtype, index->type.lanes);
    if (index->kind == MG_KX_CONST)
        return mg_kfloat(k, type, values[index->bits & (n - 1)]);
    MgBits *table = MG_NEW_N(k->arena, MgBits, n);
    for (uint32_t i = 0; i < n; i++)
        table[i] = mg_bits_from_double(dtype, values[i]);
    MgKx *x = mg_kernel_node(k, MG_KX_LOOKUP, type);
    x->table = table;
    x->value = n;
    x->args[0] = index;
    x->n_args = 1;
    return x;
}

void mg_ktranspose(MgKernel *k, MgKBlock *b, const MgKx **x, uint32_t n) {
    uint8_t low[64], high[64];
    for (uint32_t h = n / 2; h > 0; h /= 2) { // squares of side 2h: two corners swap
        for (uint32_t l = 0; l < n; l++) {
            low[l] = (uint8_t)(l & h ? n + l - h : l);
            high[l] = (uint8_t)(l & h ? n + l : l + h);
        }
        for (uint32_t i = 0; i < n; i++) {
            if (i & h)
                continue;
            const MgKx *upper = x[i], *lower = x[i + h];
            x[i] = mg_klet_x(k, b, "t", mg_kpermute(k, upper, lower, low, n));
            x[i + h] = mg_klet_x(k, b, "t", mg_kpermute(k, upper, lower, high, n));
        }
    }
}

const MgKx *mg_kfold(MgKernel *k, MgPrim prim, const MgKx *a) {
    if (a->type.lanes == 1)
        return a;
    MgKx *x = mg_kernel_node(k, MG_KX_FOLD, mg_kt(a->type.dtype, 1));
    x->prim = prim;
    x->args[0] = a;
    x->n_args = 1;
    return x;
}

const MgKx *mg_kwords(MgKernel *k, const MgKx *a) {
    uint32_t bits = mg_dtype(a->type.dtype)->bits;
    MgKType type = mg_kt(MG_I32, a->type.lanes * bits / 32);
    if (a->kind == MG_KX_CONST) {
        MgBits word = 0;
        for (uint32_t at = 0; at < 32; at += bits)
            word |= a->bits << at;
        return mg_kconst(k, type, word);
    }
    MgKx *x = mg_kernel_node(k, MG_KX_WORDS, type);
    x->args[0] = a;
    x->n_args = 1;
    return x;
}

const MgKx *mg_kdot(MgKernel *k, MgAtom atom, const MgKx *sums, const MgKx *rows,
                    const MgKx *columns) {
    MgKx *x = mg_kernel_node(k, MG_KX_DOT, sums->type);
    x->value = atom;
    x->args[0] = sums;
    x->args[1] = rows;
    x->args[2] = columns;
    x->n_args = 3;
    return x;
}

const MgKx *mg_kspecial(MgKernel *k, MgKxKind kind) {
    assert(kind >= MG_KX_WORKER);
    return mg_kernel_node(k, kind, mg_kt(MG_I64, 1));
}

static const MgKx *with_index(MgKernel *k, const MgKx *lookup, const MgKx *index) {
    if (index->kind == MG_KX_CONST)
        return mg_kconst(k, lookup->type, lookup->table[index->bits & (lookup->value - 1)]);
    MgKx *x = mg_arena_copy(k->arena, lookup, 1, sizeof *x);
    x->args[0] = index;
    return x;
}

static const MgKx *primitive_again(MgKernel *k, const MgKx *x, const MgKx *const *a) {
    if (mg_prim(x->prim)->result == MG_RESULT_CONVERT)
        return mg_kcast(k, x->prim, x->type.dtype, a[0]);
    if (x->near)
        return x->prim == MG_PRIM_DIV    ? mg_knear(k, a[0], a[1])
               : x->prim == MG_PRIM_EXP  ? mg_kexp_below(k, a[0])
               : x->prim == MG_PRIM_ERFC ? mg_kerfc_near(k, a[0])
                                         : mg_kexp2_rough(k, a[0]);
    return mg_kprim(k, x->prim, a[0], a[1], a[2]);
}

const MgKx *mg_kx_remake(MgKernel *k, const MgKx *x, const MgKx *const *a) {
    switch (x->kind) {
    case MG_KX_LOAD:
        return mg_kload(k, x->buf, a[0], x->type.lanes, a[1], a[2]);
    case MG_KX_PRIM:
        return primitive_again(k, x, a);
    case MG_KX_RAMP:
        return mg_kramp(k, a[0], a[1], x->type.lanes);
    case MG_KX_SPLAT:
        return mg_ksplat(k, a[0], x->type.lanes);
    case MG_KX_LANE:
        return mg_klane(k, a[0], x->value);
    case MG_KX_PERMUTE:
        return mg_kpermute(k, a[0], a[1], x->lanes, x->type.lanes);
    case MG_KX_LOOKUP:
        return a[0] == x->args[0] ? x : with_index(k, x, a[0]);
    case MG_KX_FOLD:
        return mg_kfold(k, x->prim, a[0]);
    case MG_KX_WORDS:
        return mg_kwords(k, a[0]);
    case MG_KX_DOT:
        return mg_kdot(k, (MgAtom)x->value, a[0], a[1], a[2]);
    default:
        return x;
    }
}

// ---------------------------------------------------------------- statements

MgKs *mg_kernel_append(MgKernel *k, MgKBlock *b, MgKsKind kind) {
    MgKs *s = MG_NEW(k->arena, MgKs);
    s->kind = kind;
    mg_push(k->arena, &b->list, s);
    return s;
}

void mg_kblock_append(MgKernel *k, MgKBlock *to, const MgKBlock *from) {
    for (uint32_t i = 0; i < from->list.len; i++)
        mg_push(k->arena, &to->list, from->list.at[i]);
}

MgKVarId mg_klet(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x) {
    MgKVarId v = mg_kernel_var(k, mg_sym(k->names, name), x->type);
    k->vars.at[v].zeros = mg_kx_zeros(k, x);
    MgKs *s = mg_kernel_append(k, b, MG_KS_LET);
    s->var = v;
    s->x = x;
    return v;
}

const MgKx *mg_klet_x(MgKernel *k, MgKBlock *b, const char *name, const MgKx *x) {
    if (mg_kx_is_leaf(x))
        return x;
    return mg_kvar(k, mg_klet(k, b, name, x));
}

MgKs *mg_kstore(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index, const MgKx *x,
                const MgKx *mask) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_STORE);
    s->buf = buf;
    s->x = x->type.lanes == 1 && index->type.lanes > 1 ? mg_ksplat(k, x, index->type.lanes) : x;
    s->index = k->bufs.at[buf].elem.lanes == 1 ? contiguous(index) : index;
    s->mask = mask ? mg_ksplat(k, mask, s->x->type.lanes) : NULL;
    return s;
}

MgKs *mg_kfor(MgKernel *k, MgKBlock *b, MgLoopKind kind, const char *name, const MgKx *low,
              const MgKx *high, int64_t step) {
    assert(step > 0);
    MgKs *s = mg_kernel_append(k, b, MG_KS_FOR);
    s->var = mg_kernel_var(k, mg_sym(k->names, name), mg_kt(MG_I64, 1));
    s->loop = kind;
    s->low = low;
    s->high = high;
    s->step = step;
    uint32_t zeros = mg_kx_zeros(k, low), steps = (uint32_t)__builtin_ctzll((uint64_t)step);
    k->vars.at[s->var].zeros = zeros < steps ? zeros : steps;
    return s;
}

MgKs *mg_kdealt(MgKernel *k, MgKBlock *b, const char *name, const MgKx *low, const MgKx *high) {
    MgKs *s = mg_kfor(k, b, MG_LOOP_PARALLEL, name, low, high, 1);
    s->dealt = true;
    return s;
}

MgKs *mg_kwhile(MgKernel *k, MgKBlock *b, const MgKx *cond) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_WHILE);
    s->x = cond;
    return s;
}

MgKs *mg_kif(MgKernel *k, MgKBlock *b, const MgKx *cond) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_IF);
    s->x = cond;
    return s;
}

void mg_kbarrier(MgKernel *k, MgKBlock *b, MgBarrier scope) {
    mg_kernel_append(k, b, MG_KS_BARRIER)->barrier = scope;
}

MgKs *mg_kprefetch(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_PREFETCH);
    s->buf = buf;
    s->index = index;
    return s;
}

void mg_ktrap(MgKernel *k, MgKBlock *b, uint32_t code, const MgKx *value) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_TRAP);
    s->code = code;
    s->x = value;
}

typedef struct Factor { // a factor of a product
    MgKLies lies;
    MgDType type;
    int64_t step, deep;
    int64_t size; // the number of rows or columns
} Factor;

static int64_t element_of(const MgKProduct *p, Factor f, int64_t at, int64_t d) {
    int64_t per_word = mg_atom_per_word(p->atom), size = (int64_t)mg_dtype_size(f.type);
    int64_t line = MG_LINE_BYTES / size, piece = MG_PIECE_BYTES / size;
    if (f.lies == MG_LIES_APART)
        return at * f.step + d / per_word * f.deep + d % per_word;
    bool across = f.lies == MG_LIES_ACROSS;
    int64_t number = across ? at / line * p->depth + d : d / line * f.size + at;
    int64_t within = (across ? at : d) % line;
    return number * line + (within / piece ^ number % 8) * piece + within % piece;
}

int64_t mg_product_row(const MgKProduct *p, int64_t row, int64_t d) {
    Factor f = {p->row_lies, mg_atom(p->atom)->row, p->row_step, p->row_deep,
                (int64_t)MG_WIDE * p->rows};
    return element_of(p, f, row, d);
}

int64_t mg_product_column(const MgKProduct *p, int64_t column, int64_t d) {
    Factor f = {p->column_lies, mg_atom(p->atom)->column, p->column_step, p->column_deep,
                p->columns};
    return element_of(p, f, column, d);
}

MgKs *mg_kproduct(MgKernel *k, MgKBlock *b, MgKBufId sums, const MgKProduct *product,
                  const MgKx *row, const MgKx *column) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_PRODUCT);
    s->product = mg_arena_copy(k->arena, product, 1, sizeof *product);
    s->buf = sums;
    s->index = row;
    s->x = column;
    k->bufs.at[sums].reads = k->bufs.at[sums].writes = true;
    k->bufs.at[product->row_buf].reads = k->bufs.at[product->column_buf].reads = true;
    return s;
}

// A statement that defines a number of type u32 by an element of a buffer.
static const MgKx *counted(MgKernel *k, MgKBlock *b, MgKsKind kind, const char *name, MgKBufId buf,
                           const MgKx *index) {
    MgKs *s = mg_kernel_append(k, b, kind);
    s->var = mg_kernel_var(k, mg_sym(k->names, name), mg_kt(MG_U32, index->type.lanes));
    s->buf = buf;
    s->index = index;
    k->bufs.at[buf].reads |= mg_ks_reads(s);
    k->bufs.at[buf].writes |= mg_ks_writes(s);
    return mg_kvar(k, s->var);
}

const MgKx *mg_ktally(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf, const MgKx *index) {
    return counted(k, b, MG_KS_TALLY, name, buf, index);
}

const MgKx *mg_ktake(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf, const MgKx *index) {
    return counted(k, b, MG_KS_TAKE, name, buf, index);
}

const MgKx *mg_kcollect(MgKernel *k, MgKBlock *b, const char *name, MgKBufId buf,
                        const MgKx *index) {
    return counted(k, b, MG_KS_COLLECT, name, buf, index);
}

void mg_kpost(MgKernel *k, MgKBlock *b, MgKBufId buf, const MgKx *index, const MgKx *x) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_POST);
    s->buf = buf;
    s->index = index;
    s->x = x;
    k->bufs.at[buf].writes = true;
}

void mg_kawait(MgKernel *k, MgKBlock *b, MgKBufId sums) {
    mg_kernel_append(k, b, MG_KS_AWAIT)->buf = sums;
}

int64_t mg_box_lines(const MgKBox *b) {
    int64_t n = b->pixels ? b->pixels : 1;
    for (uint32_t i = 1; i < b->rank && !b->pixels; i++)
        n *= b->axes[i].extent;
    return n;
}

MgKs *mg_kbox(MgKernel *k, MgKBlock *b, MgKBufId to, const MgKx *first, const MgKBox *box,
              const MgKx *const *at, const MgKx *slot) {
    MgKs *s = mg_kernel_append(k, b, MG_KS_BOX);
    s->box = mg_arena_copy(k->arena, box, 1, sizeof *box);
    s->buf = to;
    s->index = first;
    s->x = slot;
    for (uint32_t i = 0; i < mg_box_places(box); i++)
        s->at[i] = at[i];
    k->bufs.at[to].writes = k->bufs.at[box->from].reads = true;
    return s;
}

void mg_klanded(MgKernel *k, MgKBlock *b, const MgKx *slot) {
    mg_kernel_append(k, b, MG_KS_LANDED)->x = slot;
}

void mg_krelease(MgKernel *k, MgKBlock *b, const MgKx *slot) {
    mg_kernel_append(k, b, MG_KS_RELEASE)->x = slot;
}

// ---------------------------------------------------------------- integer expressions

static const MgKx *of_node(MgKernel *k, const MgIxNode *n, MgKxOfSym *value, void *ctx) {
    static const MgPrim prims[] = {
        [MG_IX_ADD] = MG_PRIM_ADD,  [MG_IX_SUB] = MG_PRIM_SUB,  [MG_IX_MUL] = MG_PRIM_MUL,
        [MG_IX_DIV] = MG_PRIM_FDIV, [MG_IX_MOD] = MG_PRIM_FMOD, [MG_IX_MIN] = MG_PRIM_MIN,
        [MG_IX_MAX] = MG_PRIM_MAX};
    if (n->op == MG_IX_CONST)
        return mg_kint(k, n->value);
    if (n->op == MG_IX_SYM)
        return value(ctx, n->sym);
    const MgKx *a = of_node(k, n->a, value, ctx);
    return mg_kprim(k, prims[n->op], a, of_node(k, n->b, value, ctx), NULL);
}

const MgKx *mg_kx_of_ix(MgKernel *k, const MgIxTable *t, MgIx x, MgKxOfSym *value, void *ctx) {
    return of_node(k, mg_ix_tree(t, x, k->arena), value, ctx);
}
