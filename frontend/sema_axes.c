// Finds the axes of a read's or target's subscripts: by their places, by the declared entries that
// they match one by one, or at the end of a broadcasting pack.
#include "frontend/sema_eq.h"

// ---------------------------------------------------------------- the axes of subscripts
static bool is_pack_entry(const MgAstSub *s) {
    return s->kind == MG_SUB_PACK || s->kind == MG_SUB_ZIP ||
           (s->kind == MG_SUB_INDEX && s->index.pack);
}

// Subscripts that match the declared entries one by one have the axes of those entries.
static bool follows(const MgAstSubs *subs, const MgAstSubs *decl) {
    if (!decl || decl->len != subs->len)
        return false;
    for (uint32_t i = 0; i < subs->len; i++)
        if (subs->at[i].place.first || is_pack_entry(&subs->at[i]) != is_pack_entry(&decl->at[i]))
            return false;
    return true;
}

static void spread(MgCtx *c, const MgLayout *at, uint32_t n, MgAxes *out) {
    MgArena *arena = c->env->s->arena;
    out->count = at->count;
    out->axes = MG_NEW_N(arena, int32_t *, n);
    for (uint32_t i = 0; i < n; i++) {
        out->axes[i] = MG_NEW_N(arena, int32_t, at->count[i]);
        for (uint32_t j = 0; j < at->count[i]; j++)
            out->axes[i][j] = (int32_t)at->axes[at->first[i] + j];
    }
}

// An operand of a broadcasting pack has the pack's last axes; axes of size 1 stretch.
static bool broadcast_axes(MgCtx *c, const MgAstSubs *subs, uint32_t rank, const MgVal *pack,
                           MgAxes *out) {
    MgSema *s = c->env->s;
    uint32_t n = subs->len, others = 0, axis = 0;
    uint32_t the = n;
    for (uint32_t i = 0; i < n; i++) {
        if (the == n && subs->at[i].kind == MG_SUB_PACK) {
            the = i;
            continue;
        }
        uint32_t len = mg_entry_length(c, &subs->at[i]);
        if (len == MG_UNKNOWN_LENGTH)
            return false;
        others += len;
    }
    if (the == n || others > rank || rank - others > pack->n)
        return false;
    uint32_t skip = pack->n - (rank - others);
    out->count = MG_NEW_N(s->arena, uint32_t, n);
    out->axes = MG_NEW_N(s->arena, int32_t *, n);
    out->pack = *pack;
    for (uint32_t i = 0; i < n; i++) {
        out->count[i] = i == the ? pack->n : mg_entry_length(c, &subs->at[i]);
        out->axes[i] = MG_NEW_N(s->arena, int32_t, out->count[i]);
        for (uint32_t j = 0; j < out->count[i]; j++)
            out->axes[i][j] = i == the && j < skip ? -1 : (int32_t)axis++;
    }
    return true;
}

void mg_rank_differs(MgEnv *env, MgSpan span, MgSym name, MgValueId tensor, uint32_t found) {
    MgSema *s = env->s;
    MgVal v = mg_val_tensor(tensor);
    MG_FAIL(env, span, rank_differs, mg_sym_text(s, name), mg_val_text(s, &v),
            mg_counted(s->arena, mg_value(s->g, tensor)->rank, "subscript"), found);
}

bool mg_axes(MgCtx *c, const MgAstSubs *subs, uint32_t rank, const MgBinding *b,
             const MgAstSubs *decl, MgSpan span, bool quiet, MgAxes *out) {
    MgEnv *env = c->env;
    *out = (MgAxes){.wrong = UINT32_MAX};
    for (uint32_t i = 0; b && decl && i < decl->len; i++) {
        const MgAstSub *sub = &decl->at[i];
        if (sub->kind == MG_SUB_PACK && mg_env_is_broadcast(env, sub->index.name.sym)) {
            MgBinding *pack = mg_env_find(env, sub->index.name.sym);
            if (pack && pack->val.kind == MG_V_LIST)
                return broadcast_axes(c, subs, rank, &pack->val, out);
        }
    }
    MgLayout at;
    bool failed = false;
    MgCtx plain_ctx = *c;
    const MgAstSubs *by = subs;
    if (follows(subs, decl)) {
        by = decl;
        plain_ctx.eq = NULL;
    }
    if (quiet) { // lengths that may not fit are reported when the read is lowered
        uint32_t n = mg_entries_rank(&plain_ctx, by);
        if (n != MG_UNKNOWN_LENGTH && n != rank) {
            out->wrong = n;
            c->eq->failed = true;
            return false;
        }
        if (n == MG_UNKNOWN_LENGTH) {
            uint32_t known = 0;
            for (uint32_t i = 0; i < by->len; i++) {
                uint32_t len = mg_entry_length(&plain_ctx, &by->at[i]);
                known += len == MG_UNKNOWN_LENGTH ? 0 : len;
            }
            if (known > rank)
                return false;
        }
    }
    if (!mg_layout(&plain_ctx, by, rank, span, &at, &failed)) {
        if (!failed && !quiet)
            MG_FAIL(env, span, pack_length_unknown, "");
        if (failed)
            c->eq->failed = true;
        return false;
    }
    spread(c, &at, subs->len, out);
    return true;
}
