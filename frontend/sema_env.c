// Environments: the names that a body knows, and the texts of values in messages.
#include "frontend/sema_internal.h"

enum { LINEAR = 24 }; // up to this number of names a scan is faster than the map

MgEnv *mg_env_new(MgSema *s, MgEnv *caller) {
    MgEnv *env = MG_NEW(s->arena, MgEnv);
    env->s = s;
    env->caller = caller;
    mg_map_init(&env->index, s->arena);
    env->block = ++s->n_blocks;
    if (caller) {
        env->depth = caller->depth + 1;
        env->region = caller->region;
        env->unit = caller->unit;
    }
    return env;
}

static MgBinding *find_any(MgEnv *env, MgSym name) {
    if (env->names.len > LINEAR) {
        uint64_t *at = mg_map_find(&env->index, name);
        return at ? &env->names.at[*at] : NULL;
    }
    for (uint32_t i = env->names.len; i-- > 0;)
        if (env->names.at[i].name == name)
            return &env->names.at[i];
    return NULL;
}

MgBinding *mg_env_find_here(MgEnv *env, MgSym name) {
    MgBinding *b = find_any(env, name);
    return b && !b->hidden ? b : NULL;
}

MgBinding *mg_env_find(MgEnv *env, MgSym name) {
    for (; env; env = env->outer) {
        MgBinding *b = mg_env_find_here(env, name);
        if (b)
            return b;
    }
    return NULL;
}

MgBinding *mg_env_bind(MgEnv *env, MgSym name, MgVal val, MgSpan span) {
    MgSema *s = env->s;
    MgBinding *old = find_any(env, name);
    if (s->options.observer)
        mg_observe(env, span, val);
    if (old) {
        if (!old->hidden && old->block == env->block && old->val.kind != MG_V_POISON) {
            MG_FAIL(env, span, defined_twice, mg_sym_text(s, name));
            mg_diag_note(s->session, old->span, MG_D_defined_here, mg_sym_text(s, name));
            return NULL;
        }
        *old = (MgBinding){.name = name, .val = val, .span = span, .block = env->block};
        return old;
    }
    mg_push(s->arena, &env->names,
            (MgBinding){.name = name, .val = val, .span = span, .block = env->block});
    if (env->names.len > LINEAR) {
        if (env->names.len == LINEAR + 1)
            for (uint32_t i = 0; i < env->names.len; i++)
                mg_map_put(&env->index, env->names.at[i].name, i);
        else
            mg_map_put(&env->index, name, env->names.len - 1);
    }
    return &env->names.at[env->names.len - 1];
}

MgOriginId mg_env_origin(MgEnv *env, MgSpan span) {
    return env->at ? env->at : mg_origin_of_span(env->s->module, span, env->inlined);
}

MgSym mg_env_hint(MgEnv *env, MgSym name) {
    MgSema *s = env->s;
    if (env->hints && env->item)
        for (uint32_t i = 0; i < env->item->results.len; i++)
            if (env->item->results.at[i].name.sym == name && env->hints[i])
                return env->hints[i];
    if (!env->prefix)
        return name;
    return mg_symf(s->names, "%s_%s", mg_sym_text(s, env->prefix), mg_sym_text(s, name));
}

MgSym mg_env_local(MgEnv *env, MgSym name) {
    return mg_unique_name(env->s->g, mg_env_hint(env, name));
}

bool mg_env_is_broadcast(MgEnv *env, MgSym pack) {
    for (uint32_t i = 0; i < env->broadcast.len; i++)
        if (env->broadcast.at[i] == pack)
            return true;
    return false;
}

static MgEnv *up(const MgEnv *env) {
    return env->outer ? env->outer : env->caller;
}

// The innermost environment around env that is in the user's own text.
static MgEnv *of_user(MgEnv *env, MgSpan span, MgSpan *blamed) {
    *blamed = span;
    while (env && env->unit->library && span.source == env->unit->file->source) {
        while (env->outer)
            env = env->outer;
        if (!env->caller)
            break;
        *blamed = span = env->call_span;
        env = env->caller;
    }
    return env;
}

MgSpan mg_env_blame(MgEnv *env, MgSpan span) {
    MgSpan blamed;
    of_user(env, span, &blamed);
    return blamed;
}

void mg_env_note_calls(MgEnv *env, MgSpan span) {
    MgSema *s = env->s;
    MgSpan blamed;
    MgEnv *e = of_user(env, span, &blamed);
    uint32_t shown = 0;
    if (e != env) {
        while (env->outer)
            env = env->outer;
        mg_diag_note(s->session, span, MG_D_in_library, mg_sym_text(s, env->item->name.sym));
    }
    for (; e; e = up(e)) {
        if (e->outer || !e->item || !e->caller)
            continue;
        if (shown++ == 4) {
            mg_diag_note(s->session, e->call_span, MG_D_in_more_calls, "");
            return;
        }
        mg_diag_note(s->session, e->call_span, MG_D_in_call, mg_sym_text(s, e->item->name.sym));
    }
}

// ---------------------------------------------------------------- text
const char *mg_sym_text(MgSema *s, MgSym sym) {
    return mg_name(s->names, sym);
}

const char *mg_ix_text(MgSema *s, MgIx x) {
    if (x == MG_IX_ERROR)
        return "_";
    MgText text = mg_text(s->arena);
    mg_ix_print(s->ix, s->names, x, mg_eq_index_name, s, &text);
    return mg_text_str(&text);
}

static const char *shape_text(MgSema *s, uint32_t rank, const MgIx *shape, bool of_run) {
    MgText text = mg_text(s->arena);
    mg_text_add(&text, "[");
    for (uint32_t i = 0; i < rank; i++) {
        bool open = of_run && !mg_ix_is_const(s->ix, shape[i], NULL);
        mg_textf(&text, "%s%s%s%s", i ? ", " : "", open ? "{" : "", mg_ix_text(s, shape[i]),
                 open ? "}" : "");
    }
    mg_text_add(&text, "]");
    return mg_text_str(&text);
}

const char *mg_shape_text(MgSema *s, uint32_t rank, const MgIx *shape) {
    return shape_text(s, rank, shape, false);
}

const char *mg_shape_of_run(MgSema *s, uint32_t rank, const MgIx *shape) {
    return shape_text(s, rank, shape, true);
}

const char *mg_val_text(MgSema *s, const MgVal *v) {
    switch (v->kind) {
    case MG_V_INT:
        return mg_ix_text(s, v->ix);
    case MG_V_FLOAT:
        return mg_float_str(s->arena, v->f, false);
    case MG_V_BOOL:
        return v->b ? "true" : "false";
    case MG_V_STR:
        return mg_arena_printf(s->arena, "\"%s\"", mg_sym_text(s, v->sym));
    case MG_V_TYPE:
        return mg_dtype(v->type)->name;
    case MG_V_LIST: {
        MgText text = mg_text(s->arena);
        mg_text_add(&text, "[");
        for (uint32_t i = 0; i < v->n; i++)
            mg_textf(&text, "%s%s", i ? ", " : "", mg_val_text(s, &v->list[i]));
        mg_text_add(&text, "]");
        return mg_text_str(&text);
    }
    case MG_V_TENSOR: {
        MgValue *t = mg_value(s->g, v->tensor);
        return mg_arena_printf(s->arena, "%s%s", mg_dtype(t->dtype)->name,
                               mg_shape_text(s, t->rank, t->shape));
    }
    case MG_V_SCALAR:
        return mg_arena_printf(s->arena, "a scalar %s", mg_dtype(v->sx->dtype)->name);
    case MG_V_UNTYPED:
    case MG_V_PRED:
        return "a scalar";
    case MG_V_PARAM:
        return mg_arena_printf(s->arena, "%s%s", mg_dtype(v->open->dtype)->name,
                               mg_shape_text(s, v->open->rank, v->open->shape));
    case MG_V_INSTANCE:
        return "an instance of a layer";
    case MG_V_ABSENT:
        return "an absent operand";
    default:
        return "a value";
    }
}

const char *mg_element_text(MgSema *s, MgSym name, const MgVal *v) {
    static const char *const subscripts[] = {"", "i", "i, j", "i, j, k", "i, j, k, l"};
    uint32_t rank = v->kind == MG_V_PARAM ? v->open->rank : mg_value(s->g, v->tensor)->rank;
    return mg_arena_printf(s->arena, "%s[%s]", mg_sym_text(s, name),
                           rank < 5 ? subscripts[rank] : "…");
}

bool mg_is_lost(const MgVal *v) {
    return (v->kind == MG_V_INT || v->kind == MG_V_PRED) && v->ix == MG_IX_ERROR;
}

void mg_lost(MgEnv *env, MgSpan span, const char *what) {
    if (mg_ix_overflowed(env->s->ix))
        MG_FAIL(env, span, too_large, what);
    else
        MG_FAIL(env, span, too_many_terms, what);
}

bool mg_val_const_int(MgSema *s, const MgVal *v, int64_t *out) {
    return v->kind == MG_V_INT && mg_ix_is_const(s->ix, v->ix, out);
}
