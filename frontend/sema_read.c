// Reads: turns subscripts into expressions, and proves that they stay within bounds.
#include "frontend/sema_eq.h"
#include "ir/equation.h"

// ---------------------------------------------------------------- one subscript
enum { LARGEST_FACTOR_LOG2 = 32 }; // of an index whose range isn't known: its product fits 64 bits

// Does x fit 64 bits over the ranges of its indices? If these aren't known, no factor may be so
// large that a product could wrap when the graph runs. Reports an x that doesn't fit.
static bool fits(MgCtx *c, MgSpan span, MgIx x) {
    MgIxTable *t = c->env->s->ix;
    const MgIxRanges *ranges = c->eq ? mg_eq_ranges(c->eq) : NULL;
    int64_t low, high;
    mg_ix_interval(t, x, ranges, &low, &high);
    bool known = true;
    MgIxSym *syms;
    uint32_t n =
        low == -MG_IX_INF || high == MG_IX_INF ? mg_ix_symbols(t, x, c->env->s->arena, &syms) : 0;
    for (uint32_t i = 0; i < n; i++) {
        mg_ix_interval(t, mg_ix_sym(t, syms[i]), ranges, &low, &high);
        known &= low != -MG_IX_INF && high != MG_IX_INF;
    }
    if (n && !known && mg_ix_largest_factor(t, x) >> LARGEST_FACTOR_LOG2) {
        MG_FAIL(c->env, span, subscript_factor, (1LL << LARGEST_FACTOR_LOG2) - 1,
                (unsigned long long)mg_ix_largest_factor(t, x));
        return false;
    }
    bool ok = !n || !known || mg_ix_has_division(t, x); // whose interval is too weak
    if (!ok)
        MG_FAIL(c->env, span, too_large, "this subscript");
    return ok;
}

static const MgSx *as_subscript(MgCtx *c, MgSpan span, MgVal v) {
    MgSema *s = c->env->s;
    if (v.kind == MG_V_INT) {
        if (v.ix == MG_IX_ERROR)
            MG_FAIL(c->env, span, too_large, "this subscript");
        bool good = v.ix != MG_IX_ERROR && fits(c, span, v.ix);
        return good ? mg_sx_ix(s->module, MG_I64, v.ix) : NULL;
    }
    if (v.kind == MG_V_POISON)
        return NULL;
    if ((v.kind == MG_V_SCALAR || v.kind == MG_V_UNTYPED) && !mg_tree_fits(c->env, span, v.sx))
        return NULL;
    if (v.kind == MG_V_SCALAR && mg_is_int(v.sx->dtype) && v.sx->dtype != MG_I64)
        return mg_sx_prim(s->module, MG_PRIM_CAST, MG_I64, &v.sx, 1);
    if ((v.kind == MG_V_SCALAR && v.sx->dtype == MG_I64) || (v.kind == MG_V_UNTYPED && !v.real))
        return mg_adopt(c, span, v, MG_I64);
    MG_FAIL(c->env, span, expected_int, "a subscript", mg_val_text(s, &v));
    return NULL;
}

static MgIndexVar *plain_index(MgCtx *c, const MgAstSub *sub) {
    MgSym name = 0;
    if (sub->kind == MG_SUB_EXPR && sub->expr->kind == MG_EXPR_NAME)
        name = sub->expr->name;
    else if (sub->kind == MG_SUB_INDEX || sub->kind == MG_SUB_PACK)
        name = sub->index.name.sym;
    return name ? mg_index_find(c->eq, name) : NULL;
}

// Component k of an index. Its box is the index's range.
static void index_component(MgCtx *c, const MgIndexVar *v, uint32_t k, MgSubscript *out) {
    MgSema *s = c->env->s;
    uint32_t p = v->first + k;
    out->sx = mg_sx_ix(s->module, MG_I64, mg_ix_idx(s->ix, p));
    out->low = c->eq->low[p];
    out->high = c->eq->high[p];
}

static bool is_zero(MgSema *s, MgIx x) {
    int64_t v;
    return mg_ix_is_const(s->ix, x, &v) && v == 0;
}

// ---------------------------------------------------------------- tuples
typedef struct Tuple {
    MG_VEC(MgSubscript) parts;
    MG_VEC(uint32_t) position; // the position of a plain index, else UINT32_MAX
    MG_VEC(MgIx) extents;
} Tuple;

static bool tuple_parts(MgCtx *c, const MgAstSubs *subs, Tuple *t) {
    MgSema *s = c->env->s;
    for (uint32_t i = 0; i < subs->len; i++) {
        const MgAstSub *sub = &subs->at[i];
        MgIndexVar *v = plain_index(c, sub);
        uint32_t n = mg_entry_length(c, sub);
        if (n == MG_UNKNOWN_LENGTH) {
            MG_FAIL(c->env, sub->span, pack_length_unknown, "");
            return false;
        }
        if (sub->kind == MG_SUB_TUPLE ||
            (sub->kind != MG_SUB_EXPR && sub->kind != MG_SUB_ZIP && !v)) {
            MG_FAIL(c->env, sub->span, not_in_tuple, "");
            return false;
        }
        for (uint32_t j = 0; j < n; j++) {
            MgSubscript part = {.low = MG_IX_ERROR, .high = MG_IX_ERROR};
            uint32_t position = UINT32_MAX;
            if (v) {
                index_component(c, v, j, &part);
                position = v->first + j;
            } else {
                MgCtx inner = *c;
                inner.mode = MG_M_SUB;
                if (sub->kind == MG_SUB_ZIP)
                    inner.pos = j;
                part.sx = as_subscript(&inner, sub->span, mg_eval(&inner, sub->expr));
                if (!part.sx)
                    return false;
            }
            MgIx extent = v && is_zero(s, part.low) ? part.high : MG_IX_ERROR;
            mg_push(s->arena, &t->parts, part);
            mg_push(s->arena, &t->position, position);
            mg_push(s->arena, &t->extents, extent);
        }
    }
    return true;
}

// The extents of a tuple: the ranges of its indices, or otherwise the declared factors. Their
// product is the dimension.
static bool tuple_extents(MgCtx *c, MgSpan span, MgIx dim, const MgFactors *f, Tuple *t) {
    MgSema *s = c->env->s;
    bool known = true;
    for (uint32_t i = 0; i < t->extents.len; i++)
        known &= t->extents.at[i] != MG_IX_ERROR;
    MgIx product = known ? mg_ix_product(s->ix, t->extents.at, t->extents.len) : MG_IX_ERROR;
    if (known && mg_same(s, product, dim) == MG_PROVED)
        return true;
    if (f && f->n == t->parts.len) {
        memcpy(t->extents.at, f->at, f->n * sizeof *f->at);
        return true;
    }
    if (known && dim != MG_IX_ERROR) {
        MgRequire *made;
        bool may = mg_equate_or_require(c->env, span, product, dim, &made);
        if (made)
            made->message = mg_symf(s->names, "the tuple covers {%s} of a dimension of {%s}",
                                    mg_ix_text(s, product), mg_ix_text(s, dim));
        if (may)
            return true;
        MG_FAIL(c->env, span, tuple_covers, mg_ix_text(s, product), mg_ix_text(s, dim));
        return false;
    }
    if (known)
        return true;
    MG_FAIL(c->env, span, tuple_extents, "");
    return false;
}

static MgProof inside(MgCtx *c, const MgSx *sub, MgIx dim);

static bool tuple_subscript(MgCtx *c, const MgAstSub *sub, MgIx dim, const MgFactors *f,
                            MgSubscript *out) {
    MgSema *s = c->env->s;
    Tuple t = {0};
    if (!tuple_parts(c, &sub->tuple, &t) || !tuple_extents(c, sub->span, dim, f, &t))
        return false;
    MgVal v = mg_val_ix(mg_ix_const(s->ix, 0));
    MgCtx inner = *c;
    inner.mode = MG_M_SUB;
    bool bare = true, within = true;
    for (uint32_t i = 0; i < t.parts.len; i++) {
        const MgSx *part = t.parts.at[i].sx;
        MgVal x = part->kind == MG_SX_IX ? mg_val_ix(part->ix) : mg_val_sx(part);
        v = mg_arith(&inner, sub->span, MG_PRIM_MUL, v, mg_val_ix(t.extents.at[i]));
        v = mg_arith(&inner, sub->span, MG_PRIM_ADD, v, x);
        bool whole = t.position.at[i] != UINT32_MAX && is_zero(s, t.parts.at[i].low) &&
                     t.parts.at[i].high == t.extents.at[i];
        bare &= whole;
        within &= whole || inside(c, part, t.extents.at[i]) == MG_PROVED;
    }
    out->sx = as_subscript(&inner, sub->span, v);
    out->inside = within;
    out->low = mg_ix_const(s->ix, 0);
    out->high = mg_ix_product(s->ix, t.extents.at, t.extents.len);
    if (!bare)
        out->low = out->high = MG_IX_ERROR;
    else if (t.parts.len > 1) {
        out->n_tuple = t.parts.len;
        out->tuple = t.position.at;
    }
    return out->sx != NULL;
}

// ---------------------------------------------------------------- all subscripts
static bool one_subscript(MgCtx *c, const MgAstSub *sub, uint32_t j, MgIx dim, const MgFactors *f,
                          MgSubscript *out) {
    MgSema *s = c->env->s;
    MgIndexVar *v = plain_index(c, sub);
    out->low = out->high = MG_IX_ERROR;
    bool pack = sub->kind == MG_SUB_PACK || (sub->kind == MG_SUB_INDEX && sub->index.pack);
    if (v && v->pack == pack) {
        index_component(c, v, pack ? j : 0, out);
        out->inside = is_zero(s, out->low) && out->high == dim;
        return true;
    }
    MgCtx inner = *c;
    inner.mode = MG_M_SUB;
    switch (sub->kind) {
    case MG_SUB_TUPLE:
        return tuple_subscript(c, sub, dim, f, out);
    case MG_SUB_ZIP:
        inner.pos = j;
        break;
    case MG_SUB_EXPR:
        break;
    case MG_SUB_PACK:
    case MG_SUB_INDEX:
        MG_FAIL(c->env, sub->span, unknown_index, mg_sym_text(s, sub->index.name.sym));
        return false;
    default:
        MG_FAIL(c->env, sub->span, some_not_here, "");
        return false;
    }
    MgVal x = mg_eval(&inner, sub->expr);
    if (x.kind == MG_V_TYPE || x.kind == MG_V_STR || x.kind == MG_V_LIST) {
        MG_FAIL(c->env, sub->span, expected_int, "a subscript", mg_val_text(s, &x));
        return false;
    }
    out->sx = as_subscript(&inner, sub->span, x);
    if (out->sx && out->sx->kind == MG_SX_IX && !mg_ix_mentions_index(s->ix, out->sx->ix)) {
        out->low = out->sx->ix; // the box is a single position
        out->high = mg_ix_add(s->ix, out->low, mg_ix_const(s->ix, 1));
    }
    return out->sx != NULL;
}

bool mg_subscripts(MgCtx *c, const MgAstSubs *subs, const MgAxes *at, const MgIx *shape,
                   const MgFactors *factors, MgSubscript *out) {
    MgSema *s = c->env->s;
    bool ok = true;
    for (uint32_t i = 0; i < subs->len; i++)
        for (uint32_t j = 0; j < at->count[i]; j++) {
            int32_t axis = at->axes[i][j];
            if (axis < 0)
                continue;
            int64_t one;
            if (at->pack.kind == MG_V_LIST && subs->at[i].kind == MG_SUB_PACK &&
                mg_ix_is_const(s->ix, shape[axis], &one) && one == 1 &&
                at->pack.list[j].ix != shape[axis]) { // a stretched axis is read at 0
                out[axis] = (MgSubscript){.sx = mg_sx_ix(s->module, MG_I64, mg_ix_const(s->ix, 0)),
                                          .inside = true};
                continue;
            }
            ok &= one_subscript(c, &subs->at[i], j, shape ? shape[axis] : MG_IX_ERROR,
                                factors ? &factors[axis] : NULL, &out[axis]);
        }
    return ok;
}

// ---------------------------------------------------------------- proofs
static bool is_nonnegative(void *ctx, MgIx x) {
    MgCtx *c = ctx;
    return mg_prove(c->env->s, x, c->eq ? mg_eq_ranges(c->eq) : NULL) == MG_PROVED;
}

static MgProof inside(MgCtx *c, const MgSx *sub, MgIx dim) {
    MgSema *s = c->env->s;
    MgIx last = mg_ix_sub(s->ix, dim, mg_ix_const(s->ix, 1));
    if (sub->kind != MG_SX_IX)
        return mg_sub_within(s->ix, sub, mg_ix_const(s->ix, 0), true, is_nonnegative, c) &&
                       mg_sub_within(s->ix, sub, last, false, is_nonnegative, c)
                   ? MG_PROVED
                   : MG_UNKNOWN;
    const MgIxRanges *ranges = mg_eq_ranges(c->eq);
    MgProof low = mg_prove(s, sub->ix, ranges);
    MgProof high = mg_prove(s, mg_ix_sub(s->ix, last, sub->ix), ranges);
    if (low == MG_PROVED && high == MG_PROVED)
        return MG_PROVED;
    return low == MG_REFUTED || high == MG_REFUTED ? MG_REFUTED : MG_UNKNOWN;
}

typedef struct End {
    MgIxSym index;
    MgIx at;
} End;

static bool at_end(void *ctx, MgIxSym s, MgIx *to) {
    const End *end = ctx;
    *to = end->at;
    return s == end->index;
}

MgIx mg_extreme_at(MgEq *eq, MgIx x, uint32_t p, bool least) {
    MgSema *s = eq->env->s;
    MgIxSym sym = mg_ix_index(s->ix, p);
    if (x == MG_IX_ERROR || !mg_ix_mentions(s->ix, x, sym))
        return x;
    MgIxDirection way = mg_ix_direction(s->ix, x, sym, &eq->ranges);
    MgIx coefficient, rest;
    if (way == MG_IX_MIXED && mg_ix_linear(s->ix, x, sym, &coefficient, &rest))
        way = mg_prove(s, coefficient, &eq->ranges) == MG_PROVED                     ? MG_IX_UP
              : mg_prove(s, mg_ix_neg(s->ix, coefficient), &eq->ranges) == MG_PROVED ? MG_IX_DOWN
                                                                                     : way;
    if (way == MG_IX_MIXED)
        return MG_IX_ERROR;
    MgIx last = mg_ix_sub(s->ix, eq->high[p], mg_ix_const(s->ix, 1));
    End end = {sym, (way == MG_IX_UP) == least ? eq->low[p] : last};
    return mg_ix_subst(s->ix, x, at_end, &end);
}

MgIx mg_extreme(MgEq *eq, MgIx x, bool least) {
    for (uint32_t p = eq->n_positions; p-- > 0;)
        x = mg_extreme_at(eq, x, p, least);
    return x;
}

// Does x mention index p, or an index whose range mentions it?
static bool bears_on(MgEq *eq, MgIx x, uint32_t p) {
    MgSema *s = eq->env->s;
    if (mg_ix_mentions(s->ix, x, mg_ix_index(s->ix, p)))
        return true;
    for (uint32_t k = p + 1; k < eq->n_positions; k++) // ranges mention only earlier indices
        if (mg_ix_mentions(s->ix, x, mg_ix_index(s->ix, k)) &&
            (bears_on(eq, eq->low[k], p) || bears_on(eq, eq->high[k], p)))
            return true;
    return false;
}

// A predicate over dimensions: x is nonnegative at every point of the box, or the box is empty.
// MG_IX_ERROR if only an empty box could satisfy it.
static MgIx over_box(MgEq *eq, MgIx nonnegative) {
    MgSema *s = eq->env->s;
    MgIx p = mg_extreme(eq, nonnegative, true);
    if (p == MG_IX_ERROR || mg_prove(s, p, NULL) == MG_REFUTED)
        return MG_IX_ERROR;
    for (uint32_t k = 0; k < eq->n_positions; k++) {
        MgIx extent = mg_ix_sub(s->ix, eq->high[k], eq->low[k]);
        if (!bears_on(eq, nonnegative, k) || mg_ix_mentions_index(s->ix, extent) ||
            mg_prove(s, mg_ix_sub(s->ix, extent, mg_ix_const(s->ix, 1)), NULL) == MG_PROVED)
            continue;
        p = mg_ix_max(s->ix, p, mg_ix_neg(s->ix, extent));
    }
    return p;
}

static bool require_inside(MgCtx *c, MgSpan span, MgSym message, MgIx nonnegative) {
    MgSema *s = c->env->s;
    if (mg_prove(s, nonnegative, &c->eq->ranges) == MG_PROVED)
        return true;
    MgIx p = over_box(c->eq, nonnegative);
    if (p == MG_IX_ERROR || mg_prove(s, p, NULL) == MG_REFUTED)
        return false;
    p = mg_unproved(s, p);
    mg_record_require(c->env, span, p, message);
    mg_assume(s, p);
    return true;
}

// Does an index in scope certainly have no values? Then nothing is read. (The flat form of a graph
// with a size of 0 has such boxes, where subscripts have become constants outside the tensor.)
static bool never(const MgEq *eq) {
    MgSema *s = eq->env->s;
    for (uint32_t k = 0; k < eq->n_positions; k++)
        if (mg_prove(s, mg_ix_sub(s->ix, eq->low[k], eq->high[k]), &eq->ranges) == MG_PROVED)
            return true;
    return false;
}

bool mg_bounds(MgCtx *c, MgSpan span, MgSym name, uint32_t rank, const MgIx *shape,
               const MgSubscript *subs, bool otherwise, MgBounds *out) {
    MgSema *s = c->env->s;
    *out = MG_BOUNDS_PROVED;
    for (uint32_t i = 0; i < rank; i++) {
        if (subs[i].inside)
            continue;
        MgProof p = inside(c, subs[i].sx, shape[i]);
        if (p == MG_PROVED)
            continue;
        if (otherwise) {
            *out = MG_BOUNDS_ELSE;
            return true;
        }
        if (subs[i].sx->kind != MG_SX_IX) {
            *out = MG_BOUNDS_CHECKED;
            continue;
        }
        MgIx x = subs[i].sx->ix;
        if (never(c->eq))
            continue;
        MgIx last = mg_ix_sub(s->ix, shape[i], mg_ix_const(s->ix, 1));
        MgSym outside = mg_symf(s->names, "'%s' is read out of bounds at axis %u of size {%s}",
                                mg_sym_text(s, name), i, mg_ix_text(s, shape[i]));
        if (p != MG_REFUTED && require_inside(c, span, outside, x) &&
            require_inside(c, span, outside, mg_ix_sub(s->ix, last, x)))
            continue;
        MgIx low = mg_extreme(c->eq, x, true), high = mg_extreme(c->eq, x, false);
        if (p == MG_UNKNOWN && (low == MG_IX_ERROR || high == MG_IX_ERROR)) {
            *out = MG_BOUNDS_CHECKED; // not monotone: the run checks each read
            continue;
        }
        if (low == high)
            MG_FAIL(c->env, span, read_place, mg_sym_text(s, name), i, mg_ix_text(s, low),
                    mg_ix_text(s, shape[i]));
        else
            MG_FAIL(c->env, span, read_outside, mg_sym_text(s, name), i, mg_ix_text(s, low),
                    mg_ix_text(s, high), mg_ix_text(s, shape[i]));
        return false;
    }
    return true;
}

// ---------------------------------------------------------------- reads
static MgVal in_mode(MgCtx *c, MgVal v) {
    if (c->mode == MG_M_SUB && v.kind == MG_V_SCALAR && mg_is_int(v.sx->dtype) &&
        v.sx->dtype != MG_I64)
        return mg_val_sx(mg_sx_prim(c->env->s->module, MG_PRIM_CAST, MG_I64, &v.sx, 1));
    return v;
}

static MgVal otherwise_value(MgCtx *c, const MgAstExpr *e, MgDType dtype) {
    MgCtx inner = *c;
    if (inner.mode == MG_M_SUB)
        inner.mode = MG_M_VALUE;
    MgVal v = mg_eval(&inner, e);
    if (v.kind == MG_V_POISON || dtype == MG_DTYPE_COUNT)
        return v;
    const MgSx *x = mg_adopt(&inner, e->span, v, dtype);
    return x ? mg_val_sx(x) : mg_val_poison();
}

static MgVal list_element(MgCtx *c, const MgAstExpr *e, const MgVal *list) {
    MgSema *s = c->env->s;
    int64_t k;
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = c->pos};
    if (e->read.subs.len != 1 || e->read.subs.at[0].kind != MG_SUB_EXPR) {
        MG_FAIL(c->env, e->span, list_subscript, mg_sym_text(s, e->read.name.sym));
        return mg_val_poison();
    }
    if (!mg_eval_const(&inner, e->read.subs.at[0].expr, "the number of an element", &k))
        return mg_val_poison();
    if (k < 0)
        k += list->n;
    if (k < 0 || k >= list->n) {
        MG_FAIL(c->env, e->span, element_range, mg_sym_text(s, e->read.name.sym), list->n,
                (long long)k);
        return mg_val_poison();
    }
    return list->list[k];
}

static MgVal tensor_read(MgCtx *c, const MgAstExpr *e, const MgBinding *b, MgValueId id) {
    MgSema *s = c->env->s;
    MgSym name = e->read.name.sym;
    MgValue t = *mg_value(s->g, id);
    MgCtx sub = *c;
    sub.mode = MG_M_SUB;
    if (!c->eq) {
        if (c->condition)
            MG_FAIL(c->env, e->span, static_condition, "");
        else
            MG_FAIL(c->env, e->span, read_outside_equation, mg_sym_text(s, name));
        return mg_val_poison();
    }
    if (++c->eq->n_nodes > MG_MAX_TREE) {
        MG_FAIL(c->env, e->span, expression_size, MG_MAX_TREE);
        s->stopped = true;
        return mg_val_poison();
    }
    MgFactors *factors = b ? b->factors : NULL;
    MgAxes at;
    if (!mg_axes(&sub, &e->read.subs, t.rank, b, b ? b->decl : NULL, e->span, false, &at)) {
        if (b && b->decl && !c->eq->failed)
            mg_rank_differs(c->env, e->span, name, id, e->read.subs.len);
        return mg_val_poison();
    }
    MgSubscript *subs = MG_NEW_N(s->arena, MgSubscript, t.rank);
    if (!mg_subscripts(&sub, &e->read.subs, &at, t.shape, factors, subs))
        return mg_val_poison();
    MgBounds bounds;
    if (!mg_bounds(&sub, e->span, name, t.rank, t.shape, subs, e->read.otherwise != NULL, &bounds))
        return mg_val_poison();
    MgDType d = mg_compute(t.dtype);
    const MgSx *otherwise = NULL;
    if (e->read.otherwise) {
        MgVal v = otherwise_value(c, e->read.otherwise, d);
        if (v.kind == MG_V_POISON)
            return v;
        if (bounds == MG_BOUNDS_ELSE)
            otherwise = v.sx;
    }
    const MgSx **args = MG_NEW_N(s->arena, const MgSx *, t.rank);
    for (uint32_t i = 0; i < t.rank; i++)
        args[i] = subs[i].sx;
    return in_mode(c, mg_val_sx(mg_sx_read(s->module, id, d, args, t.rank, bounds, otherwise)));
}

MgVal mg_eval_read(MgCtx *c, const MgAstExpr *e) {
    MgSema *s = c->env->s;
    MgSym name = e->read.name.sym;
    MgBinding *b = mg_env_find(c->env, name);
    MgVal v;
    if (c->eq && c->env == c->eq->env && name == c->eq->target &&
        (!b || b->val.kind == MG_V_PIECES)) {
        MG_FAIL(c->env, e->span, reads_itself, mg_sym_text(s, name));
        return mg_val_poison();
    }
    if (b) {
        v = b->val.kind == MG_V_PIECES ? mg_finish_pieces(b->val.pieces) : b->val;
        b = mg_env_find(c->env, name);
    } else {
        MgCtx named = *c;
        named.pos = -1;
        void *hidden =
            c->eq ? mg_eq_hide(c->eq) : NULL; // an index can't be read, so it hides no tensor
        v = mg_named(&named, name, e->read.name.span);
        if (c->eq)
            mg_eq_show(c->eq, hidden);
    }
    switch (v.kind) {
    case MG_V_TENSOR:
        return tensor_read(c, e, b, v.tensor);
    case MG_V_LIST:
        return list_element(c, e, &v);
    case MG_V_ABSENT:
        if (e->read.otherwise)
            return in_mode(c, otherwise_value(c, e->read.otherwise, MG_DTYPE_COUNT));
        MG_FAIL(c->env, e->span, absent_read, mg_sym_text(s, name), mg_sym_text(s, name));
        return mg_val_poison();
    case MG_V_PARAM:
        MG_FAIL(c->env, e->span, open_param, mg_sym_text(s, name));
        return mg_val_poison();
    default:
        if (v.kind == MG_V_POISON || mg_is_scalar(&v))
            return in_mode(c, v);
        MG_FAIL(c->env, e->span, not_a_tensor, mg_sym_text(s, name), mg_val_text(s, &v));
        return mg_val_poison();
    }
}
