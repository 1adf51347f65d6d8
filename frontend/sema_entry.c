// Entries of shapes and subscripts: how many axes each covers, and which ones.
//
// An entry covers one axis; a pack covers one axis per component. Entries with a place (`D @ axis`)
// take that axis, and the others fill the remaining axes in order.
#include "frontend/sema_internal.h"

// ---------------------------------------------------------------- lengths of entries
typedef struct Length {
    MgCtx *c;
    uint32_t n;
} Length;

static void see_length(void *ctx, const MgAstExpr *e) {
    Length *l = ctx;
    bool is_index = false;
    uint32_t n = MG_UNKNOWN_LENGTH;
    if (l->c->eq)
        n = mg_eq_pack_length(l->c->eq, e->name, &is_index);
    if (!is_index) {
        MgBinding *b = mg_env_find(l->c->env, e->name);
        if (b && b->val.kind == MG_V_LIST)
            n = b->val.n;
    }
    if (n != MG_UNKNOWN_LENGTH && l->n == MG_UNKNOWN_LENGTH)
        l->n = n;
}

static uint32_t places_count(MgCtx *c, const MgAstRange *place) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
    if (!mg_known(&inner, place->first) || (place->last && !mg_known(&inner, place->last)))
        return MG_UNKNOWN_LENGTH;
    MgVal a = mg_eval(&inner, place->first);
    if (!place->last)
        return a.kind == MG_V_LIST ? a.n : a.kind == MG_V_INT ? 1 : MG_UNKNOWN_LENGTH;
    MgVal b = mg_eval(&inner, place->last);
    int64_t low, high;
    if (!mg_val_const_int(s, &a, &low) || !mg_val_const_int(s, &b, &high))
        return MG_UNKNOWN_LENGTH;
    if (low < -MG_MAX_RANK || low > MG_MAX_RANK || high < -MG_MAX_RANK || high > MG_MAX_RANK)
        return MG_UNKNOWN_LENGTH; // no tensor has such an axis: the user of the length reports it
    if (low < 0)                  // from the end: a last one from the start needs the rank
        return high <= 0 ? (uint32_t)(high + place->closed - low) : MG_UNKNOWN_LENGTH;
    return high + place->closed >= low ? (uint32_t)(high + place->closed - low) : 0;
}

uint32_t mg_entry_length(MgCtx *c, const MgAstSub *sub) {
    bool is_index = false;
    if (sub->kind == MG_SUB_PACK || (sub->kind == MG_SUB_INDEX && sub->index.pack)) {
        if (c->eq) {
            uint32_t n = mg_eq_pack_length(c->eq, sub->index.name.sym, &is_index);
            if (is_index)
                return n;
        }
        MgBinding *b = mg_env_find(c->env, sub->index.name.sym);
        if (b && b->val.kind == MG_V_LIST)
            return b->val.n;
        return sub->place.first ? places_count(c, &sub->place) : MG_UNKNOWN_LENGTH;
    }
    if (sub->kind == MG_SUB_ZIP) {
        Length l = {c, MG_UNKNOWN_LENGTH};
        mg_ast_names(sub->expr, see_length, &l);
        if (l.n == MG_UNKNOWN_LENGTH && sub->place.first)
            return places_count(c, &sub->place);
        return l.n;
    }
    return 1;
}

uint32_t mg_entries_rank(MgCtx *c, const MgAstSubs *subs) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < subs->len; i++) {
        uint32_t n = mg_entry_length(c, &subs->at[i]);
        if (n == MG_UNKNOWN_LENGTH)
            return n;
        rank += n;
    }
    return rank;
}

// ---------------------------------------------------------------- places
// The first use of an attribute that names places normalises it: counts from the end become counts
// from the start.
static void normalise(MgCtx *c, const MgAstExpr *e, MgVal v) {
    if (e->kind != MG_EXPR_NAME)
        return;
    MgBinding *b = mg_env_find(c->env, e->name);
    if (b && (b->val.kind == MG_V_INT || b->val.kind == MG_V_LIST) && !b->is_dim)
        b->val = v;
}

static bool place_in(MgCtx *c, int64_t *axis, uint32_t rank, uint32_t *used, MgSpan span) {
    int64_t given = *axis;
    if (*axis < 0)
        *axis += rank;
    if (*axis < 0 || *axis >= rank) {
        MG_FAIL(c->env, span, axis_range, (long long)given, rank);
        return false;
    }
    if (*used & 1u << *axis) {
        MG_FAIL(c->env, span, axis_twice, (long long)given);
        return false;
    }
    *used |= 1u << *axis;
    return true;
}

static bool place_list(MgCtx *c, const MgAstRange *place, MgVal v, uint32_t rank, uint32_t *used,
                       uint32_t *axes, uint32_t *n) {
    MgSema *s = c->env->s;
    if (v.kind != MG_V_LIST)
        v = mg_val_list(mg_arena_copy(s->arena, &v, 1, sizeof v), 1);
    MgVal *at = MG_NEW_N(s->arena, MgVal, v.n);
    if (v.n > rank) {
        MG_FAIL(c->env, place->span, too_many_places, v.n, rank);
        return false;
    }
    for (uint32_t i = 0; i < v.n; i++) {
        int64_t axis;
        if (!mg_val_const_int(s, &v.list[i], &axis)) {
            if (v.list[i].kind != MG_V_POISON)
                MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &v.list[i]));
            return false;
        }
        if (!place_in(c, &axis, rank, used, place->span))
            return false;
        at[i] = mg_val_ix(mg_ix_const(s->ix, axis));
        axes[i] = (uint32_t)axis;
    }
    *n = v.n;
    normalise(c, place->first, mg_val_list(at, v.n));
    return true;
}

static bool places(MgCtx *c, const MgAstRange *place, uint32_t rank, uint32_t *used, uint32_t *axes,
                   uint32_t *n) {
    MgSema *s = c->env->s;
    MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
    MgVal first = mg_eval(&inner, place->first);
    if (first.kind == MG_V_POISON)
        return false;
    int64_t low, high;
    if (!place->last) {
        if (first.kind == MG_V_LIST)
            return place_list(c, place, first, rank, used, axes, n);
        if (!mg_val_const_int(s, &first, &low)) {
            MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &first));
            return false;
        }
        *n = 1;
        if (!place_in(c, &low, rank, used, place->span))
            return false;
        axes[0] = (uint32_t)low;
        normalise(c, place->first, mg_val_ix(mg_ix_const(s->ix, low)));
        return true;
    }
    if (!mg_val_const_int(s, &first, &low)) {
        MG_FAIL(c->env, place->span, not_constant, "a place", mg_val_text(s, &first));
        return false;
    }
    bool from_end = low < 0;
    if (from_end) {
        low += rank;
        normalise(c, place->first, mg_val_ix(mg_ix_const(s->ix, low)));
    }
    if (!mg_eval_const(&inner, place->last, "a place", &high))
        return false;
    if (high < INT64_MAX)
        high += place->closed;
    if (from_end && high <= 0)
        high += rank;
    if (low < 0 || high > rank || low > high) {
        MG_FAIL(c->env, place->span, places_range, (long long)low, (long long)high, rank);
        return false;
    }
    *n = 0;
    for (; low < high; low++) {
        int64_t axis = low;
        if (!place_in(c, &axis, rank, used, place->span))
            return false;
        axes[(*n)++] = (uint32_t)axis;
    }
    return true;
}

bool mg_layout(MgCtx *c, const MgAstSubs *subs, uint32_t rank, MgSpan span, MgLayout *out,
               bool *failed) {
    MgArena *arena = c->env->s->arena;
    uint32_t n = subs->len, used = 0, total = 0, open = n, next = 0;
    uint32_t at[MG_MAX_RANK];
    *failed = true;
    if (rank > MG_MAX_RANK) {
        MG_FAIL(c->env, span, rank_limit, rank, MG_MAX_RANK);
        return false;
    }
    *out = (MgLayout){MG_NEW_N(arena, uint32_t, n), MG_NEW_N(arena, uint32_t, n),
                      MG_NEW_N(arena, uint32_t, rank)};
    uint32_t *axes = MG_NEW_N(arena, uint32_t, n * MG_MAX_RANK);
    for (uint32_t i = 0; i < n; i++) {
        const MgAstSub *sub = &subs->at[i];
        out->count[i] = MG_UNKNOWN_LENGTH;
        if (sub->place.first) {
            MgCtx inner = {.env = c->env, .mode = MG_M_STATIC, .pos = -1};
            *failed = mg_known(&inner, sub->place.first) &&
                      (!sub->place.last || mg_known(&inner, sub->place.last));
            if (!*failed ||
                !places(c, &sub->place, rank, &used, axes + i * MG_MAX_RANK, &out->count[i]))
                return false;
        } else {
            out->count[i] = mg_entry_length(c, sub);
        }
        if (out->count[i] == MG_UNKNOWN_LENGTH) {
            if (open != n) {
                *failed = false;
                return false;
            }
            open = i;
        } else {
            total += out->count[i];
        }
    }
    if (open != n && total <= rank) {
        out->count[open] = rank - total;
        total = rank;
    }
    if (total != rank || total > MG_MAX_RANK) {
        MG_FAIL(c->env, span, rank_written, total, rank);
        return false;
    }
    for (uint32_t i = 0, k = 0; i < n; i++) {
        out->first[i] = k;
        for (uint32_t j = 0; j < out->count[i]; j++) {
            if (subs->at[i].place.first) {
                at[k++] = axes[i * MG_MAX_RANK + j];
                continue;
            }
            while (used & 1u << next)
                next++;
            at[k++] = next++;
        }
    }
    memcpy(out->axes, at, rank * sizeof *at);
    return true;
}
