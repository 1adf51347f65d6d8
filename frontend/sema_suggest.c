// Reports unknown names, with a guess at what was meant.
#include "frontend/sema_suggest.h"

#include "frontend/std_embedded.h"

#include <strings.h>

// ---------------------------------------------------------------- near names
static const char *did_you_mean(MgSema *s, const char *name) {
    return mg_arena_printf(s->arena, "; did you mean '%s'?", name);
}

const char *mg_suggest(MgSema *s, MgSym name, const MgSym *candidates, size_t n) {
    MgSym near = mg_nearest_name(s->names, name, candidates, n);
    return near ? did_you_mean(s, mg_sym_text(s, near)) : "";
}

const char *mg_suggest_foreign(MgSema *s, MgForeignKind kind, MgSym name, const MgSym *candidates,
                               size_t n) {
    const char *meant = mg_foreign(kind, mg_sym_text(s, name));
    if (meant && mg_foreign_is_advice(meant))
        return mg_arena_printf(s->arena, "; %s", meant);
    for (const char *at = meant; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        MgSym one = mg_sym_n(s->names, at, strcspn(at, "|"));
        for (size_t i = 0; i < n; i++)
            if (candidates[i] == one)
                return did_you_mean(s, mg_sym_text(s, one));
    }
    return mg_suggest(s, name, candidates, n);
}

static void add_items(MgSema *s, MgSymList *list, MgSym alias, MgSourceUnit *u) {
    for (uint32_t i = 0; i < u->items.entries.len; i++)
        mg_push(s->arena, list,
                mg_symf(s->names, "%s.%s", mg_sym_text(s, alias),
                        mg_sym_text(s, (MgSym)u->items.entries.at[i].key)));
}

static MgSymList visible_values(MgEnv *env) {
    MgSymList list = {0};
    for (MgEnv *e = env; e; e = e->outer)
        for (uint32_t i = 0; i < e->names.len; i++)
            if (!e->names.at[i].hidden)
                mg_push(env->s->arena, &list, e->names.at[i].name);
    return list;
}

static MgSymList visible_items(MgEnv *env) {
    MgSymList list = visible_values(env);
    MgSema *s = env->s;
    for (uint32_t i = 0; i < env->unit->items.entries.len; i++)
        mg_push(s->arena, &list, (MgSym)env->unit->items.entries.at[i].key);
    for (uint32_t i = 0; i < s->prelude.entries.len; i++)
        mg_push(s->arena, &list, (MgSym)s->prelude.entries.at[i].key);
    for (uint32_t k = 0; k < env->unit->imports.entries.len; k++) {
        MgMapEntry *im = &env->unit->imports.entries.at[k];
        MgSourceUnit *u = (MgSourceUnit *)(uintptr_t)im->value;
        if (u)
            add_items(s, &list, (MgSym)im->key, u);
    }
    return list;
}

// ---------------------------------------------------------------- text that a syntax error hides
static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The words of the text that syntax errors left out, each mapped to 1.
static void list_skipped(MgSema *s, MgSourceUnit *u) {
    const MgSource *source = &s->session->sources.all.at[u->file->source];
    u->skipped_listed = true;
    mg_map_init(&u->skipped, s->arena);
    for (uint32_t i = 0; i < u->file->skipped.len; i++) {
        MgSpan span = u->file->skipped.at[i];
        for (const char *c = source->text + span.begin, *end = source->text + span.end; c < end;) {
            const char *from = c;
            while (c < end && is_word(*c))
                c++;
            if (c > from)
                mg_map_put(&u->skipped, mg_sym_n(s->names, from, (size_t)(c - from)), 1);
            c += c == from;
        }
    }
}

bool mg_was_skipped(MgEnv *env, MgSym name) {
    MgSourceUnit *u = env->unit;
    if (!u->file->skipped.len)
        return false;
    if (!u->skipped_listed)
        list_skipped(env->s, u);
    const char *text = mg_sym_text(env->s, name);
    return mg_map_find(&u->skipped, mg_sym_n(env->s->names, text, strcspn(text, "."))) != NULL;
}

static bool any_within(const MgSpan *spans, uint32_t n, MgSpan span) {
    for (uint32_t i = 0; i < n; i++)
        if (spans[i].begin >= span.begin && spans[i].begin < span.end)
            return true;
    return false;
}

bool mg_has_skipped(const MgEnv *env, MgSpan span) {
    const MgAstFile *file = env->unit->file;
    return any_within(file->skipped.at, file->skipped.len, span);
}

bool mg_in_skipped(const MgEnv *env, MgSpan span) {
    const MgAstFile *file = env->unit->file;
    for (uint32_t i = 0; i < file->skipped.len; i++)
        if (span.begin >= file->skipped.at[i].begin && span.begin < file->skipped.at[i].end)
            return true;
    return false;
}

bool mg_definition_was_skipped(MgEnv *env, MgSym result, MgSpan span) {
    const MgAstFile *file = env->unit->file;
    return mg_was_skipped(env, result) || any_within(file->unnamed.at, file->unnamed.len, span);
}

// ---------------------------------------------------------------- dotted names
typedef struct Dotted {
    const char *text, *last; // the last component
    MgSym head;              // the part before the first dot; 0 if there is none
    bool imported;           // the head is an import's name
    MgSourceUnit *unit;      // the unit of that import; NULL after an error
} Dotted;

static Dotted parts_of(MgEnv *env, MgSym name) {
    MgSema *s = env->s;
    const char *text = mg_sym_text(s, name), *dot = strchr(text, '.');
    Dotted d = {.text = text, .last = text};
    if (!dot)
        return d;
    d.head = mg_sym_n(s->names, text, (size_t)(dot - text));
    d.last = strrchr(text, '.') + 1;
    uint64_t *import = mg_map_find(&env->unit->imports, d.head);
    d.imported = import != NULL;
    d.unit = import ? (MgSourceUnit *)(uintptr_t)*import : NULL;
    return d;
}

static bool is_tensor_name(MgEnv *env, MgSym name) {
    MgBinding *b = name ? mg_env_find(env, name) : NULL;
    return b &&
           (b->val.kind == MG_V_TENSOR || b->val.kind == MG_V_PARAM || b->val.kind == MG_V_PIECES);
}

// Advice for a dotted name of an operator or layer that the library has: its name, or the import
// that it needs.
static const char *offer(MgEnv *env, const char *meant) {
    MgSema *s = env->s;
    const char *dot = strchr(meant, '.');
    MgSym module = dot ? mg_sym_n(s->names, meant, (size_t)(dot - meant)) : 0;
    if (!module || mg_map_find(&env->unit->imports, module))
        return did_you_mean(s, meant);
    return mg_arena_printf(s->arena, "; did you mean '%s', with 'import %s' before it?", meant,
                           mg_sym_text(s, module));
}

// Advice if the head names a module of the library that is not imported but has the item.
static const char *missing_import(MgEnv *env, const Dotted *d) {
    MgSema *s = env->s;
    MgSourceUnit *u = d->head && !d->imported ? mg_unit_library(s, mg_sym_text(s, d->head)) : NULL;
    if (!u)
        return NULL;
    const char *module = mg_sym_text(s, d->head);
    MgSym item = mg_sym(s->names, d->last);
    if (mg_map_find(&u->items, item))
        return mg_arena_printf(s->arena, "; it needs 'import %s' at the top of the file", module);
    MgSymList names = {0};
    add_items(s, &names, d->head, u);
    MgSym near = mg_nearest_name(s->names, mg_sym(s->names, d->text), names.at, names.len);
    return near ? offer(env, mg_sym_text(s, near)) : NULL;
}

static const char *method(MgEnv *env, const Dotted *d) {
    MgSema *s = env->s;
    MgSymList names = visible_items(env);
    const char *meant = mg_foreign(MG_FOREIGN_OPERATOR, d->last), *tensor = mg_sym_text(s, d->head);
    if (meant && mg_foreign_is_advice(meant))
        return mg_arena_printf(s->arena, "; a tensor has no methods: %s", meant);
    for (uint32_t i = 0; i < names.len && !meant; i++)
        if (!strcasecmp(mg_sym_text(s, names.at[i]), d->last))
            meant = mg_sym_text(s, names.at[i]);
    return mg_arena_printf(s->arena, "; a tensor has no methods: write '%s(%s)'",
                           meant ? meant : d->last, tensor);
}

void mg_unknown_op(MgCtx *c, const MgAstName *name, bool layer) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    Dotted d = parts_of(env, name->sym);
    if (mg_was_skipped(env, name->sym) || (d.imported && !d.unit))
        return; // its definition or import is wrong, which has been reported
    MgSymList names = visible_items(env);
    if (c->mode != MG_M_TENSOR)
        for (uint32_t i = 0; i < MG_PRIM_COUNT; i++)
            mg_push(s->arena, &names, mg_sym(s->names, mg_prim((MgPrim)i)->name));
    const char *hint = is_tensor_name(env, d.head) ? method(env, &d) : NULL;
    if (!hint && is_tensor_name(env, name->sym))
        hint = "; that name is a tensor: read its elements with brackets";
    const char *meant = hint ? NULL : missing_import(env, &d);
    hint = hint ? hint : meant;
    meant = hint ? NULL : mg_foreign(MG_FOREIGN_OPERATOR, d.last);
    if (meant)
        hint = mg_foreign_is_advice(meant) ? mg_arena_printf(s->arena, "; %s", meant)
                                           : offer(env, meant);
    for (uint32_t i = 0; i < names.len && d.head && !hint; i++) // torch.relu
        if (!strcasecmp(mg_sym_text(s, names.at[i]), d.last))
            hint = did_you_mean(s, mg_sym_text(s, names.at[i]));
    if (!hint)
        hint = mg_suggest(s, name->sym, names.at, names.len);
    if (!*hint && d.head)
        hint = mg_suggest(s, mg_sym(s->names, d.last), names.at, names.len);
    if (layer)
        MG_FAIL(env, name->span, unknown_layer, d.text, hint);
    else
        MG_FAIL(env, name->span, unknown_op, d.text, hint);
}

// ---------------------------------------------------------------- values and indices
// Reports an index whose reduction has ended, or which belongs to another reduction.
static bool ended_index(MgCtx *c, MgSym name, MgSpan span) {
    MgEq *eq = c->eq;
    MgSema *s = c->env->s;
    const MgAstExpr *reduce = eq ? mg_index_reduction(eq, name) : NULL;
    if (!reduce || span.source != reduce->span.source)
        return false;
    const char *reducer = mg_sym_text(s, reduce->reduce.reducer.sym), *index = mg_sym_text(s, name);
    const char *text = s->session->sources.all.at[span.source].text;
    uint32_t at = reduce->span.end;
    while (at < span.begin && strchr(" \t\r\n", text[at]))
        at++;
    uint32_t end = at;
    while (end < span.begin && strchr("+-<>=!", text[end]))
        end++;
    if (end > at)
        MG_FAIL(c->env, span, index_gone, index, reducer,
                mg_arena_printf(s->arena, "%.*s", (int)(end - at), text + at));
    else
        MG_FAIL(c->env, span, index_elsewhere, index, reducer);
    return true;
}

static const char *member(MgEnv *env, const Dotted *d) {
    MgSema *s = env->s;
    const char *meant = mg_foreign(MG_FOREIGN_MEMBER, d->last);
    return meant ? mg_arena_printf(s->arena, "; a tensor has no members: %s", meant)
                 : "; a tensor has no members";
}

static const char *value_hint(MgCtx *c, MgSym name, const Dotted *d) {
    MgEnv *env = c->env;
    MgSema *s = env->s;
    if (is_tensor_name(env, d->head))
        return member(env, d);
    const char *meant = mg_foreign(MG_FOREIGN_VALUE, d->last);
    if (meant)
        return mg_foreign_is_advice(meant) ? mg_arena_printf(s->arena, "; %s", meant)
                                           : did_you_mean(s, meant);
    MgSymList names = visible_values(env);
    MgSym near = mg_nearest_name(s->names, name, names.at, names.len);
    bool case_only = near && !strcasecmp(mg_sym_text(s, near), d->text);
    if (near && !(c->eq && c->mode == MG_M_SUB && case_only)) // a dimension is not an index
        return did_you_mean(s, mg_sym_text(s, near));
    if (c->eq && c->mode == MG_M_SUB)
        return mg_arena_printf(s->arena,
                               "; an index is bound on the left side or by a reduction, as in "
                               "sum[%s]",
                               d->text);
    MgCallee callee;
    if (mg_find_item(env, name, &callee))
        return mg_arena_printf(s->arena, "; that name is an operator: call it as '%s(…)'", d->text);
    return "";
}

// The place where a later statement of the body defines the name.
static const MgAstName *defined_later(const MgAstItem *item, MgSym name, MgSpan span) {
    for (uint32_t i = 0; item && i < item->body.stmts.len; i++) {
        const MgAstStmt *st = item->body.stmts.at[i];
        if (st->span.source != span.source || st->span.begin < span.begin)
            continue;
        if (st->kind == MG_STMT_EQUATION && st->equation.name.sym == name)
            return &st->equation.name;
        for (uint32_t k = 0; st->kind == MG_STMT_BIND && k < st->bind.targets.len; k++)
            if (st->bind.targets.at[k].name.sym == name)
                return &st->bind.targets.at[k].name;
    }
    return NULL;
}

void mg_unknown_value(MgCtx *c, MgSym name, MgSpan span) {
    Dotted d = parts_of(c->env, name);
    if (mg_was_skipped(c->env, name) || (d.imported && !d.unit) || ended_index(c, name, span))
        return;
    const MgAstName *later = defined_later(c->env->item, name, span);
    if (later) {
        MG_FAIL(c->env, span, used_before, d.text);
        mg_diag_note(c->env->s->session, later->span, MG_D_defined_here, d.text);
        return;
    }
    MG_FAIL(c->env, span, unknown_name, d.text, value_hint(c, name, &d));
}
