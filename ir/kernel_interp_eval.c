// Evaluates expressions of kernel IR, and accesses memory.
#include "ir/kernel_interp.h"

#include <inttypes.h>

void mg_kmachine_fail(MgKMachine *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = mg_arena_vprintf(m->arena, format, args);
    va_end(args);
    if (!m->failed)
        mg_diag(m->session, mg_no_span(), MG_D_kernel_failed, mg_name(m->k->names, m->k->name),
                what);
    m->failed = true;
}

static MgKItem self(const MgKMachine *m) {
    return (MgKItem){m->worker->group, m->worker->item};
}

MgBits mg_kmachine_read(MgKMachine *m, MgKBufId buf, int64_t element) {
    MgBits bits = 0;
    const char *error = m->failed ? NULL : mg_kmemory_read(m->memory, buf, self(m), element, &bits);
    if (error)
        mg_kmachine_fail(m, "%s", error);
    return bits;
}

void mg_kmachine_write(MgKMachine *m, MgKBufId buf, int64_t element, MgBits value) {
    const char *error = mg_kmemory_write(m->memory, buf, self(m), element, value);
    if (error)
        mg_kmachine_fail(m, "%s", error);
}

MgBits mg_kmachine_shared(MgKMachine *m, MgKBufId buf, int64_t element, uint32_t adds) {
    MgBits bits = 0;
    const char *error = mg_kmemory_shared(m->memory, buf, self(m), element, adds, &bits);
    if (error)
        mg_kmachine_fail(m, "%s", error);
    return bits;
}

// The lanes of an operand: a variable's or a constant's own, or evaluated into room.
static const MgBits *operand(MgKMachine *m, const MgKx *x, MgBits *room) {
    if (x->kind == MG_KX_VAR)
        return m->worker->vars[x->var].bits;
    if (x->kind == MG_KX_CONST && x->type.lanes == 1)
        return &x->bits;
    mg_kmachine_eval(m, x, room);
    return room;
}

int64_t mg_kmachine_eval_int(MgKMachine *m, const MgKx *x) {
    MgBits room[MG_K_MAX_LANES];
    return mg_bits_to_int(x->type.dtype, *operand(m, x, room));
}

// The number of the scalar that lane `lane` of an access touches.
int64_t mg_kmachine_element(const MgKMachine *m, MgKBufId buf, const MgKx *index, const MgBits *at,
                            uint32_t lane) {
    uint32_t width = m->k->bufs.at[buf].elem.lanes;
    if (width > 1) // the index counts vector elements
        return (int64_t)(at[0] * width + lane);
    return index->type.lanes > 1 ? (int64_t)at[lane] : (int64_t)(at[0] + lane);
}

static void eval_load(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits index[MG_K_MAX_LANES], mask[MG_K_MAX_LANES];
    memset(out, 0, x->type.lanes * sizeof *out);
    mg_kmachine_eval(m, x->args[0], index);
    if (x->n_args == 3) {
        mg_kmachine_eval(m, x->args[1], mask);
        mg_kmachine_eval(m, x->args[2], out);
    }
    MgKItem who = self(m);
    for (uint32_t i = 0; i < x->type.lanes && !m->failed; i++) {
        if (x->n_args == 3 && !mask[i])
            continue;
        int64_t element = mg_kmachine_element(m, x->buf, x->args[0], index, i);
        const char *error = mg_kmemory_read(m->memory, x->buf, who, element, &out[i]);
        if (error)
            mg_kmachine_fail(m, "%s", error);
    }
}

#define EACH(expression)                                                                           \
    for (uint32_t l = 0; l < n; l++)                                                               \
        out[l] = (expression);                                                                     \
    return true

static bool all_positive(const MgBits *b, uint32_t n) {
    for (uint32_t l = 0; l < n; l++)
        if ((int64_t)b[l] <= 0)
            return false;
    return true;
}

// Rounds down; b > 0.
static MgBits floor_div(MgBits a, MgBits b) {
    int64_t q = (int64_t)a / (int64_t)b;
    return (MgBits)(q - ((int64_t)a % (int64_t)b < 0));
}

// The primitives of which addresses are made. False for another one, and for divisors that are not
// positive.
static bool prim_i64(MgPrim prim, uint32_t n, const MgBits *a, const MgBits *b, MgBits *out) {
    switch (prim) {
    case MG_PRIM_ADD:
        EACH(a[l] + b[l]);
    case MG_PRIM_SUB:
        EACH(a[l] - b[l]);
    case MG_PRIM_MUL:
        EACH(a[l] * b[l]);
    case MG_PRIM_FDIV:
        if (!all_positive(b, n))
            return false;
        EACH(floor_div(a[l], b[l]));
    case MG_PRIM_FMOD:
        if (!all_positive(b, n))
            return false;
        EACH(a[l] - floor_div(a[l], b[l]) * b[l]);
    case MG_PRIM_AND:
        EACH(a[l] & b[l]);
    case MG_PRIM_MIN:
        EACH((int64_t)b[l] < (int64_t)a[l] ? b[l] : a[l]);
    case MG_PRIM_MAX:
        EACH((int64_t)a[l] < (int64_t)b[l] ? b[l] : a[l]);
    case MG_PRIM_EQ:
        EACH(a[l] == b[l]);
    case MG_PRIM_NE:
        EACH(a[l] != b[l]);
    case MG_PRIM_LT:
        EACH((int64_t)a[l] < (int64_t)b[l]);
    case MG_PRIM_LE:
        EACH((int64_t)a[l] <= (int64_t)b[l]);
    case MG_PRIM_GT:
        EACH((int64_t)a[l] > (int64_t)b[l]);
    case MG_PRIM_GE:
        EACH((int64_t)a[l] >= (int64_t)b[l]);
    default:
        return false;
    }
}
#undef EACH

// Any primitive, lane by lane.
static void prim_lanes(const MgKx *x, MgDType from, const MgBits *const *args, MgBits *out) {
    for (uint32_t lane = 0; lane < x->type.lanes; lane++) {
        MgBits lanes[3];
        for (uint32_t i = 0; i < x->n_args; i++)
            lanes[i] = args[i][lane];
        out[lane] = mg_prim_eval(x->prim, from, x->type.dtype, lanes);
    }
}

static void eval_prim(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits room[3][MG_K_MAX_LANES];
    const MgBits *args[3];
    for (uint32_t i = 0; i < x->n_args; i++)
        args[i] = operand(m, x->args[i], room[i]);
    MgDType from = x->args[x->prim == MG_PRIM_WHERE ? 1 : 0]->type.dtype;
    if (x->prim == MG_PRIM_WHERE)
        for (uint32_t l = 0; l < x->type.lanes; l++)
            out[l] = args[0][l] ? args[1][l] : args[2][l];
    else if (from != MG_I64 || x->n_args != 2 ||
             !prim_i64(x->prim, x->type.lanes, args[0], args[1], out))
        prim_lanes(x, from, args, out);
}

static MgBits combine(MgPrim prim, MgDType dtype, MgBits a, MgBits b) {
    MgBits args[2] = {a, b};
    return mg_prim_eval(prim, dtype, dtype, args);
}

// Combines halves, and the last lane of an odd number at the end, as the legaliser does.
static void eval_fold(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits v[MG_K_MAX_LANES], rest = 0;
    uint32_t n = x->args[0]->type.lanes;
    bool any = false;
    mg_kmachine_eval(m, x->args[0], v);
    for (; n > 1; n /= 2) {
        if (n % 2) {
            rest = any ? combine(x->prim, x->type.dtype, v[n - 1], rest) : v[n - 1];
            any = true;
        }
        for (uint32_t i = 0; i < n / 2; i++)
            v[i] = combine(x->prim, x->type.dtype, v[i], v[n / 2 + i]);
    }
    *out = any ? combine(x->prim, x->type.dtype, v[0], rest) : v[0];
}

static void eval_words(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits a[MG_K_MAX_LANES];
    uint32_t bits = mg_dtype(x->args[0]->type.dtype)->bits, per_word = 32 / bits;
    mg_kmachine_eval(m, x->args[0], a);
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        out[i] = 0;
        for (uint32_t j = 0; j < per_word; j++)
            out[i] |= a[i * per_word + j] << j * bits;
    }
}

static void eval_dot(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits rows[MG_K_MAX_LANES], columns[MG_K_MAX_LANES];
    mg_kmachine_eval(m, x->args[0], out);
    mg_kmachine_eval(m, x->args[1], rows);
    mg_kmachine_eval(m, x->args[2], columns);
    for (uint32_t i = 0; i < x->type.lanes; i++)
        out[i] = mg_kmachine_dot((MgAtom)x->value, out[i], rows[i], columns[i]);
}

static void eval_lanes(MgKMachine *m, const MgKx *x, MgBits *out) {
    MgBits a[MG_K_MAX_LANES], b[MG_K_MAX_LANES];
    uint32_t n = x->args[0]->type.lanes;
    mg_kmachine_eval(m, x->args[0], a);
    if (x->n_args > 1)
        mg_kmachine_eval(m, x->args[1], b);
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        if (x->kind == MG_KX_SPLAT)
            out[i] = a[0];
        else if (x->kind == MG_KX_LANE)
            out[i] = a[x->value];
        else if (x->kind == MG_KX_PERMUTE)
            out[i] = x->lanes[i] < n ? a[x->lanes[i]] : b[x->lanes[i] - n];
        else if (x->kind == MG_KX_LOOKUP)
            out[i] = x->table[a[i] & (x->value - 1)];
        else
            out[i] = combine(
                MG_PRIM_ADD, x->type.dtype, a[0],
                combine(MG_PRIM_MUL, x->type.dtype, b[0], mg_bits_from_int(x->type.dtype, i)));
    }
}

static void compute(MgKMachine *m, const MgKx *x, MgBits *out) {
    switch (x->kind) {
    case MG_KX_CONST:
        for (uint32_t i = 0; i < x->type.lanes; i++)
            out[i] = x->bits;
        break;
    case MG_KX_VAR:
        memcpy(out, m->worker->vars[x->var].bits, x->type.lanes * sizeof *out);
        break;
    case MG_KX_LOAD:
        eval_load(m, x, out);
        break;
    case MG_KX_PRIM:
        eval_prim(m, x, out);
        break;
    case MG_KX_FOLD:
        eval_fold(m, x, out);
        break;
    case MG_KX_WORDS:
        eval_words(m, x, out);
        break;
    case MG_KX_DOT:
        eval_dot(m, x, out);
        break;
    case MG_KX_WORKER:
        out[0] = m->worker->group;
        break;
    case MG_KX_WORKERS:
        out[0] = m->workers;
        break;
    case MG_KX_LOCAL_ID:
        out[0] = m->worker->item;
        break;
    case MG_KX_LOCAL_SIZE:
        out[0] = m->items;
        break;
    default:
        eval_lanes(m, x, out);
    }
}

void mg_kmachine_eval(MgKMachine *m, const MgKx *x, MgBits *out) {
    if (m->failed) {
        memset(out, 0, x->type.lanes * sizeof *out);
        return;
    }
    bool leaf = x->kind == MG_KX_CONST || x->kind == MG_KX_VAR || !m->values.len;
    uint64_t *shared = leaf ? NULL : mg_map_find(&m->shared, (uint64_t)(uintptr_t)x);
    if (!shared) {
        compute(m, x, out);
        return;
    }
    if (m->values.at[*shared].epoch != m->epoch) {
        compute(m, x, out);
        MgKValue *value = &m->values.at[*shared];
        value->epoch = m->epoch;
        memcpy(value->bits, out, x->type.lanes * sizeof *out);
    }
    memcpy(out, m->values.at[*shared].bits, x->type.lanes * sizeof *out);
}
