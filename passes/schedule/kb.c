// Building one kernel: its parameters for graph values, scalars for dimensions, and scratch.
#include "ir/equation.h"
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

enum { FEW = 8 }; // the number of ops or outputs that are searched linearly

static uint64_t output_key(MgValueId v) {
    return (uint64_t)1 << 32 | v;
}

void mg_unit_index(MgSched *s, MgUnit *u) {
    if (u->n_ops + u->n_outputs <= FEW)
        return;
    mg_map_init(&u->members, s->arena);
    for (uint32_t i = 0; i < u->n_ops; i++)
        mg_map_put(&u->members, u->ops[i], i);
    for (uint32_t i = 0; i < u->n_outputs; i++)
        mg_map_put(&u->members, output_key(u->outputs[i]), i);
}

bool mg_unit_is_output(const MgUnit *u, MgValueId v) {
    if (u->members.n_slots)
        return mg_map_find(&u->members, output_key(v)) != NULL;
    for (uint32_t i = 0; i < u->n_outputs; i++)
        if (u->outputs[i] == v)
            return true;
    return false;
}

MgOpId mg_unit_def(const MgUnit *u, MgGraph *g, MgValueId v) {
    MgOpId def = mg_value(g, v)->def;
    if (u->members.n_slots)
        return def && mg_map_find(&u->members, def) ? def : MG_NONE;
    for (uint32_t i = 0; def && i < u->n_ops; i++)
        if (u->ops[i] == def)
            return def;
    return MG_NONE;
}

bool mg_unit_reads_in_place(MgSched *s, const MgUnit *u, uint32_t depth) {
    for (uint32_t i = 0; i < u->n_ops; i++) {
        const MgEquation *e = mg_op(s->g, u->ops[i])->equation;
        for (uint32_t p = 0; p < e->n_pieces; p++) {
            MgAccesses reads = mg_reads(s, u->ops[i], e->pieces[p].expr);
            for (uint32_t r = 0; r < reads.n; r++) {
                const MgSx *x = reads.at[r].read;
                if (mg_unit_def(u, s->g, reads.at[r].value) &&
                    (x->n_args < depth || x->bounds != MG_BOUNDS_PROVED ||
                     !mg_reads_at(s, x, depth)))
                    return false;
            }
        }
    }
    return true;
}

static MgKBufId param_of(MgKb *kb, MgStorageId storage) {
    return (MgKBufId)mg_map_get(&kb->param_of, storage, 0) - 1;
}

// Memory of a device is allocated, and divided, in multiples of this; a caller on the host may pass
// memory with any alignment.
static void align_on_device(MgKb *kb, MgKBufId buf) {
    enum { BYTES = 16 };
    if (kb->s->options->target.gpu)
        kb->k->bufs.at[buf].align = BYTES;
}

// The first parameter of a storage is the one through which its values are accessed.
static void add_param(MgKb *kb, MgStorageId storage, MgKBufId buf, const MgKx *extra) {
    if (param_of(kb, storage) == UINT32_MAX)
        mg_map_put(&kb->param_of, storage, buf + 1);
    mg_push(kb->s->arena, &kb->params, storage);
    mg_push(kb->s->arena, &kb->extra, extra);
}

void mg_kb_add_value(MgKb *kb, MgValueId v, bool write) {
    MgSched *s = kb->s;
    MgStorageId storage = s->storage_of[v];
    MgKBufId buf = param_of(kb, storage);
    if (buf == UINT32_MAX) {
        const char *name = mg_name(s->m->session->names, mg_value(s->g, v)->name);
        buf = mg_kparam(kb->k, name, mg_value(s->g, v)->dtype, !write, write);
        kb->k->bufs.at[buf].noalias = true;
        align_on_device(kb, buf);
        add_param(kb, storage, buf, NULL);
    }
    kb->k->bufs.at[buf].reads |= !write;
    kb->k->bufs.at[buf].writes |= write;
}

typedef struct Smooth {
    const MgMap *fixed; // the expressions whose rounding is fixed
    bool all;
} Smooth;

// A sum, a product or a move of floats, whose rounding isn't fixed. Others jump, have poles, or are
// computed by way of numbers that may be subnormal.
static void see_smooth(void *ctx, const MgSx *x) {
    Smooth *s = ctx;
    if (x->kind != MG_SX_PRIM || !mg_is_float(x->args[0]->dtype))
        return;
    MgPrimKind kind = mg_prim(x->prim)->kind;
    bool pole = x->prim == MG_PRIM_DIV || x->prim == MG_PRIM_SQRT;
    s->all &= (kind == MG_KIND_MOVE || kind == MG_KIND_ARITH) && !pole && !mg_sx_in(s->fixed, x);
}

// May subnormal numbers count as 0? Then the error of a sum of products is less than the largest
// factor times the least normal number, which -O3 allows; but only sums and products may depend on
// it.
static bool may_flush(MgSched *s, const MgUnit *unit) {
    const MgScheduleOptions *o = s->options;
    Smooth smooth = {.fixed = &s->fixed, .all = true};
    bool sums = false;
    for (uint32_t i = 0; i < unit->n_ops && o->level >= 3 && !o->strict && !o->target.gpu; i++) {
        const MgEquation *e = mg_op(s->g, unit->ops[i])->equation;
        for (uint32_t p = 0; e && p < e->n_pieces; p++) {
            sums |= mg_piece_sums_products(&e->pieces[p]);
            mg_sx_walk(e->pieces[p].expr, see_smooth, &smooth);
        }
    }
    return sums && smooth.all;
}

static void begin(MgKb *kb, MgSched *s, const MgUnit *unit, const char *kind) {
    *kb = (MgKb){.s = s, .unit = unit, .kind = kind};
    mg_map_init(&kb->param_of, s->arena);
    kb->k = mg_kernel_new(s->arena, s->m->session->names, mg_sym(s->m->session->names, kind));
    kb->k->one_worker = !s->options->target.gpu && s->workers == 1;
    kb->k->flushes = may_flush(s, unit);
}

static void add_outputs(MgKb *kb) {
    for (uint32_t i = 0; i < kb->unit->n_outputs; i++)
        mg_kb_add_value(kb, kb->unit->outputs[i], true);
}

void mg_kb_begin(MgKb *kb, MgSched *s, const MgUnit *unit, const char *kind) {
    begin(kb, s, unit, kind);
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        const MgOp *op = mg_op(s->g, unit->ops[i]);
        for (uint32_t j = 0; j < op->n_operands; j++)
            if (!mg_unit_def(unit, s->g, op->operands[j]))
                mg_kb_add_value(kb, op->operands[j], false);
    }
    add_outputs(kb);
}

void mg_kb_begin_piece(MgKb *kb, MgSched *s, const MgUnit *unit, const MgPiece *piece,
                       const char *kind) {
    begin(kb, s, unit, kind);
    kb->piece = piece;
    MgAccesses reads = mg_reads(s, unit->ops[0], piece->expr);
    for (uint32_t i = 0; i < reads.n; i++)
        mg_kb_add_value(kb, reads.at[i].value, false);
    add_outputs(kb);
}

MgKBufId mg_kb_value(MgKb *kb, MgValueId v) {
    return param_of(kb, kb->s->storage_of[v]);
}

MgKbValue *mg_kb_local(MgKb *kb, MgValueId v) {
    for (uint32_t i = kb->sources.len; i-- > 0;)
        if (kb->sources.at[i].value == v)
            return &kb->sources.at[i];
    return NULL;
}

void mg_kb_define(MgKb *kb, MgKbValue source) {
    mg_push(kb->s->arena, &kb->sources, source);
}

void mg_kb_forget(MgKb *kb, uint32_t n_sources) {
    kb->sources.len = n_sources;
}

MgKBufId mg_kb_extra(MgKb *kb, const char *name, MgDType elem, MgStorageId storage,
                     const MgKx *extra, bool reads, bool writes) {
    MgKBufId buf = mg_kparam(kb->k, name, elem, reads, writes);
    kb->k->bufs.at[buf].noalias = true;
    if (!extra)
        align_on_device(kb, buf);
    add_param(kb, storage, buf, extra);
    return buf;
}

static const MgKx *dim_scalar(MgKb *kb, MgIxSym sym) {
    for (uint32_t i = 0; i < kb->scalars.len; i++)
        if (kb->scalars.at[i] == sym)
            return mg_kvar(kb->k, kb->k->scalars.at[i]);
    MgNames *names = kb->s->m->session->names;
    MgKVarId var = mg_kscalar(kb->k, mg_name(names, mg_ix_sym_name(kb->s->ix, sym)));
    int64_t low, high;
    mg_ix_sym_bounds(kb->s->ix, sym, &low, &high);
    kb->k->vars.at[var].below_0 = low < 0;
    mg_push(kb->s->arena, &kb->scalars, sym);
    return mg_kvar(kb->k, var);
}

static const MgKx *tree_kx(MgKb *kb, const MgIxNode *n, const MgKx *const *index, MgDType type) {
    static const MgPrim prims[] = {
        [MG_IX_ADD] = MG_PRIM_ADD,  [MG_IX_SUB] = MG_PRIM_SUB,  [MG_IX_MUL] = MG_PRIM_MUL,
        [MG_IX_DIV] = MG_PRIM_FDIV, [MG_IX_MOD] = MG_PRIM_FMOD, [MG_IX_MIN] = MG_PRIM_MIN,
        [MG_IX_MAX] = MG_PRIM_MAX,
    };
    uint32_t position;
    if (n->op == MG_IX_CONST)
        return mg_kconst(kb->k, mg_kt(type, 1), mg_bits_from_int(type, n->value));
    if (n->op == MG_IX_SYM) {
        bool is_index = mg_ix_sym_is_index(kb->s->ix, n->sym, &position);
        const MgKx *x = is_index ? index[position] : dim_scalar(kb, n->sym);
        return x->type.dtype == type ? x : cast(kb->k, type, x);
    }
    const MgKx *a = tree_kx(kb, n->a, index, type), *b = tree_kx(kb, n->b, index, type);
    widened(kb->k, &a, &b);
    return bin(kb->k, prims[n->op], a, b);
}

const MgKx *mg_kb_ix(MgKb *kb, MgIx x, const MgKx *const *index) {
    return tree_kx(kb, mg_ix_tree(kb->s->ix, x, kb->s->arena), index, MG_I64);
}

void mg_kb_digits(MgKb *kb, MgKBlock *block, const MgKDigit *digits, uint32_t n, const MgKx *number,
                  const MgKx **index) {
    MgKernel *k = kb->k;
    for (uint32_t j = n; j-- > 0;) {
        const MgKDigit *d = &digits[j];
        const MgKx *digit = j ? remainder_of(k, number, d->size) : number;
        index[d->index] = named(k, block, "i", add(k, d->low, digit));
        if (j)
            number = named(k, block, "left", quotient(k, number, d->size));
    }
}

void mg_kb_positions(MgKb *kb, MgKBlock *block, const MgPiece *piece, const uint32_t *which,
                     uint32_t n, const MgKx *number, const MgKx **index) {
    MgKDigit *digits = MG_NEW_N(kb->s->arena, MgKDigit, n + 1);
    for (uint32_t i = 0; i < n; i++)
        digits[i] =
            (MgKDigit){which[i], num(kb->k, 0), mg_kb_ix(kb, piece->indices[which[i]].high, index)};
    mg_kb_digits(kb, block, digits, n, number, index);
}

typedef struct Interval {
    int64_t low, high;
} Interval;

static int64_t clamped(int64_t v) {
    const int64_t most = INT64_C(1) << 40; // larger than any narrow type, and small enough that
                                           // products don't overflow
    return v > most ? most : v < -most ? -most : v;
}

// Values of every node for symbols in their ranges; sets *fits to false if one leaves 32 bits.
static Interval node_interval(MgKb *kb, const MgIxNode *n, const MgIxRanges *ranges, bool *fits) {
    MgIxTable *t = kb->s->ix;
    Interval r = {n->value, n->value};
    if (n->op == MG_IX_SYM)
        mg_ix_interval(t, mg_ix_sym(t, n->sym), ranges, &r.low, &r.high);
    if (n->a && n->b) {
        Interval a = node_interval(kb, n->a, ranges, fits),
                 b = node_interval(kb, n->b, ranges, fits);
        int64_t products[4];
        switch (n->op) {
        case MG_IX_ADD:
            r = (Interval){a.low + b.low, a.high + b.high};
            break;
        case MG_IX_SUB:
            r = (Interval){a.low - b.high, a.high - b.low};
            break;
        case MG_IX_MUL:
            if (a.low < -(1 << 20) || a.high > INT64_C(1) << 31 || b.low < -(1 << 20) ||
                b.high > INT64_C(1) << 31) {
                *fits = false;
                return a;
            }
            products[0] = a.low * b.low, products[1] = a.low * b.high;
            products[2] = a.high * b.low, products[3] = a.high * b.high;
            r = (Interval){products[0], products[0]};
            for (int i = 1; i < 4; i++) {
                r.low = products[i] < r.low ? products[i] : r.low;
                r.high = products[i] > r.high ? products[i] : r.high;
            }
            break;
        case MG_IX_MOD:
            r = (Interval){0, b.high};
            *fits &= b.low > 0;
            break;
        default: // a quotient by a positive divisor, min, max: in the range of the operands and 0
            *fits &= n->op != MG_IX_DIV || b.low > 0;
            r = (Interval){a.low < 0 ? a.low : 0, a.high > 0 ? a.high : 0};
            if (n->op != MG_IX_DIV) {
                r.low = b.low < r.low ? b.low : r.low;
                r.high = b.high > r.high ? b.high : r.high;
            }
        }
    }
    *fits &= r.low >= INT32_MIN && r.high <= INT32_MAX;
    return (Interval){clamped(r.low), clamped(r.high)};
}

const MgKx *mg_kb_narrow_ix(MgKb *kb, MgIx x, const MgKx *const *index, const MgIxRanges *ranges) {
    const MgIxNode *tree = mg_ix_tree(kb->s->ix, x, kb->s->arena);
    bool fits = true;
    node_interval(kb, tree, ranges, &fits);
    return tree_kx(kb, tree, index, fits ? MG_I32 : MG_I64);
}

MgKBufId mg_kb_scratch(MgKb *kb, const char *name, MgDType elem, MgIx count, MgScope scope,
                       const MgKx **base) {
    MgSched *s = kb->s;
    MgIxTable *t = s->ix;
    count = mg_bound_of(s, count); // the count is needed before data decide it
    // A worker's part is a whole number of cache lines, so that no two workers share one.
    int64_t size = (int64_t)mg_dtype_size(elem), line = mg_line(s) / size;
    bool several = scope == MG_SCOPE_WORKER && s->workers > 1;
    MgIx padded = mg_ix_round_up(t, count, line);
    if (several)
        padded = mg_ix_add(t, padded, mg_ix_const(t, mg_worker_gap(s) / size));
    MgIx copies = mg_ix_const(t, scope == MG_SCOPE_WORKER ? s->workers : 1);
    MgIx bytes = mg_ix_mul(t, mg_ix_mul(t, padded, copies), mg_ix_const(t, size));
    MgStorageId storage = s->walk ? mg_walk_scratch(s->walk, bytes)
                                  : mg_storage_new(s, MG_PLAN_ARENA, bytes, MG_NONE);
    MgKBufId buf = mg_kb_extra(kb, name, elem, storage, NULL, true, true);
    *base = NULL;
    if (several)
        *base = mul(kb->k, mg_kspecial(kb->k, MG_KX_WORKER), mg_kb_ix(kb, padded, NULL));
    return buf;
}

const MgKx *mg_share_items(MgKernel *k, MgKBlock **block, const MgKx *trips, uint32_t items) {
    k->items = items;
    Loop g = each_group(k, *block, "g", mg_kceil_div(k, trips, items));
    const MgKx *t = add(k, times(k, g.at, items), mg_kspecial(k, MG_KX_LOCAL_ID));
    t = named(k, g.body, "t", t);
    bool whole = trips->kind == MG_KX_CONST && (int64_t)trips->bits % items == 0;
    *block = whole ? g.body : block_if(k, g.body, less(k, t, trips));
    return t;
}

const MgKx *mg_kb_share(MgKb *kb, MgKBlock **block, const char *name, const MgKx *trips) {
    MgKernel *k = kb->k;
    if (kb->s->options->target.gpu)
        return mg_share_items(k, block, trips, k->items > 1 ? k->items : MG_SHARING_ITEMS);
    Loop loop = share_out(k, *block, name, trips);
    *block = loop.body;
    return loop.at;
}

MgKBlock *mg_kb_alone(MgKb *kb, MgKBlock *block) {
    MgKernel *k = kb->k;
    block = first_worker(k, block);
    return kb->s->options->target.gpu
               ? block_if(k, block, equal(k, mg_kspecial(k, MG_KX_LOCAL_ID), num(k, 0)))
               : block;
}

MgKBufId mg_kb_common(MgKb *kb, const char *name, MgDType elem, MgIx count) {
    const MgKx *base;
    return mg_kb_scratch(kb, name, elem, count, MG_SCOPE_CALL, &base);
}

MgKBufId mg_kb_private(MgKb *kb, const char *name, MgKType elem, int64_t count) {
    return mg_kalloc(kb->k, name, elem, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(kb->k, count));
}

MgKBufId mg_kb_held(MgKb *kb, MgKBlock *block, const char *name, const MgKx *x) {
    MgKBufId buf = mg_kb_private(kb, name, x->type, 1);
    set_held(kb->k, block, buf, x);
    return buf;
}

uint32_t mg_kb_trap_outside(MgKb *kb, MgOpId op, const char *what, MgIx high) {
    MgSched *s = kb->s;
    MgText reason = mg_text(s->arena);
    mg_textf(&reason, "%s, computed from data, is outside 0 to ", what);
    mg_ix_print(s->ix, s->m->session->names, high, NULL, NULL, &reason);
    mg_push(s->arena, &s->p->traps, (MgTrapSite){mg_op(s->g, op)->origin, mg_text_str(&reason)});
    return s->p->traps.len;
}

uint32_t mg_kb_trap_subscript(MgKb *kb, MgOpId op, MgValueId v, uint32_t position) {
    MgSched *s = kb->s;
    const MgValue *value = mg_value(s->g, v);
    const char *what = mg_arena_printf(s->arena, "subscript %u of '%s'", position + 1,
                                       mg_name(s->m->session->names, value->name));
    MgIx one = mg_ix_const(s->ix, 1);
    return mg_kb_trap_outside(kb, op, what, mg_ix_sub(s->ix, value->shape[position], one));
}

uint32_t mg_kb_lanes(const MgKb *kb, MgDType dtype) {
    const MgScheduleOptions *o = kb->s->options;
    if (o->level == 0)
        return 1;
    uint32_t lanes = o->target.vector_bytes / (uint32_t)mg_dtype_size(dtype);
    if (lanes > 16)
        lanes = 16;
    return lanes ? lanes : 1;
}
