// Code actions: turns a message's suggestion into an edit.
#include "editor/internal.h"

static bool is_name(char c) {
    return c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

// The name at or right before offset.
static MgSpan name_at(const MgSource *source, uint32_t number, uint32_t offset) {
    uint32_t begin = offset, end = offset;
    while (begin && is_name(source->text[begin - 1]))
        begin--;
    while (end < source->length && is_name(source->text[end]))
        end++;
    return (MgSpan){number, begin, end};
}

static bool resembles(const MgSource *source, MgSpan span, const char *suggested) {
    char name[128];
    size_t n = span.end - span.begin;
    if (!n || n >= sizeof name)
        return false;
    memcpy(name, source->text + span.begin, n);
    name[n] = 0;
    return strcmp(name, suggested) != 0 && mg_nearest(name, &suggested, 1) == 0;
}

// The name that the suggestion replaces: at the message's span, or the word before it, since a
// misspelt `graph` is reported at the name after it.
static bool find_misspelt(const MgSource *source, const MgDiag *d, const char *suggested,
                          MgSpan *out) {
    *out = name_at(source, d->span.source, d->span.begin);
    if (resembles(source, *out, suggested))
        return true;
    uint32_t at = out->begin;
    while (at && strchr(" \t\r\n", source->text[at - 1]))
        at--;
    *out = name_at(source, d->span.source, at);
    return resembles(source, *out, suggested);
}

static cJSON *edit_json(MgRequest *r, MgSpan span, const char *text) {
    cJSON *edit = cJSON_CreateObject(), *changes = cJSON_AddObjectToObject(edit, "changes");
    cJSON *list = cJSON_AddArrayToObject(changes, r->document->uri), *one = cJSON_CreateObject();
    cJSON_AddItemToArray(list, one);
    cJSON_AddItemToObject(
        one, "range",
        mg_range_json(mg_analysis_source(r->analysis), span.begin, span.end, r->server->encoding));
    cJSON_AddStringToObject(one, "newText", text);
    return edit;
}

static void add(MgRequest *r, cJSON *list, uint32_t diag, const char *title, MgSpan span,
                const char *text) {
    cJSON *action = cJSON_CreateObject();
    cJSON_AddStringToObject(action, "title", title);
    cJSON_AddStringToObject(action, "kind", "quickfix");
    cJSON_AddBoolToObject(action, "isPreferred", true);
    cJSON *diagnostics = cJSON_AddArrayToObject(action, "diagnostics");
    cJSON_AddItemToArray(diagnostics, mg_diagnostic_json(r->server, r->analysis, diag));
    cJSON_AddItemToObject(action, "edit", edit_json(r, span, text));
    cJSON_AddItemToArray(list, action);
}

static void add_suggestion(MgRequest *r, cJSON *list, uint32_t i) {
    const MgSource *source = mg_analysis_source(r->analysis);
    const MgDiag *d = &r->analysis->session->diags.at[i];
    const char *suggested = mg_diag_suggestion(d, r->arena);
    MgSpan span;
    if (suggested && find_misspelt(source, d, suggested, &span))
        add(r, list, i, mg_arena_printf(r->arena, "Change to '%s'", suggested), span, suggested);
}

static bool imports(const MgAnalysis *a, const char *name) {
    for (uint32_t i = 0; i < a->file->imports.len; i++)
        if (!strcmp(mg_name(a->session->names, a->file->imports.at[i].alias.sym), name))
            return true;
    return false;
}

// Offers `import nn` for `nn.linear` in a file without that import, and likewise for `onnx.conv`.
static void add_import(MgRequest *r, cJSON *list, uint32_t i) {
    MgAnalysis *a = r->analysis;
    MgServer *s = r->server;
    const MgSource *source = mg_analysis_source(a);
    MgSpan name = name_at(source, a->source, a->session->diags.at[i].span.begin);
    const char *text = mg_arena_str(r->arena, source->text + name.begin, name.end - name.begin);
    const char *module = mg_arena_str(r->arena, text, strcspn(text, "."));
    if (!a->file || !strchr(text, '.') || imports(a, module) ||
        !mg_catalog_find(s->catalog, mg_sym(s->library->names, text)))
        return;
    uint32_t at = a->file->version_span.end;
    add(r, list, i, mg_arena_printf(r->arena, "Import %s", module), (MgSpan){a->source, at, at},
        mg_arena_printf(r->arena, "\nimport %s", module));
}

cJSON *mg_code_actions(MgRequest *r) {
    const MgAnalysis *a = r->analysis;
    const MgSource *source = mg_analysis_source(a);
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(r->params, "range");
    uint32_t from, to;
    cJSON *list = cJSON_CreateArray();
    if (!mg_range_read(range, source->text, source->length, r->server->encoding, &from, &to))
        return list;
    for (uint32_t i = 0; i < a->session->diags.len; i++) {
        const MgDiag *d = &a->session->diags.at[i];
        if (d->attached || d->span.source != a->source || d->span.begin > to || d->span.end < from)
            continue;
        add_suggestion(r, list, i);
        add_import(r, list, i);
    }
    return list;
}
