// The contents of a text or of the workspace: symbols, and hints of inferred types.
#include "editor/internal.h"

// Kinds of LSP's symbols.
static const int kinds[MG_SYMBOL_KIND_COUNT] = {
    [MG_SYMBOL_GRAPH] = 2,       [MG_SYMBOL_LAYER] = 5,    [MG_SYMBOL_OP] = 12,
    [MG_SYMBOL_DERIVATIVE] = 12, [MG_SYMBOL_BUILTIN] = 12, [MG_SYMBOL_IMPORT] = 3,
    [MG_SYMBOL_TYPE] = 26,       [MG_SYMBOL_OPERAND] = 13, [MG_SYMBOL_ATTRIBUTE] = 7,
    [MG_SYMBOL_RESULT] = 13,     [MG_SYMBOL_DIM] = 14,     [MG_SYMBOL_PARAM] = 8,
    [MG_SYMBOL_BUFFER] = 8,      [MG_SYMBOL_CONST] = 14,   [MG_SYMBOL_INSTANCE] = 19,
    [MG_SYMBOL_VALUE] = 13,      [MG_SYMBOL_CARRY] = 13,   [MG_SYMBOL_INDEX] = 13,
};

static cJSON *symbol_json(MgRequest *r, const MgSymbol *s) {
    const MgSource *source = mg_analysis_source(r->analysis);
    MgSpan whole = mg_span_join(s->whole, s->span); // the one must hold the other
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", mg_name(r->analysis->session->names, s->name));
    cJSON_AddStringToObject(json, "detail", mg_symbol_kind_text(s->kind));
    cJSON_AddNumberToObject(json, "kind", kinds[s->kind]);
    cJSON_AddItemToObject(json, "range",
                          mg_range_json(source, whole.begin, whole.end, r->server->encoding));
    cJSON_AddItemToObject(json, "selectionRange",
                          mg_range_json(source, s->span.begin, s->span.end, r->server->encoding));
    return json;
}

static bool in_outline(const MgSymbol *s) {
    return s->kind != MG_SYMBOL_INDEX && s->kind != MG_SYMBOL_DIM && s->kind != MG_SYMBOL_TYPE;
}

cJSON *mg_document_symbols(MgRequest *r) {
    const MgSymbols *symbols = r->analysis->symbols;
    cJSON *list = cJSON_CreateArray();
    uint32_t n = symbols ? symbols->all.len : 0;
    cJSON **children = MG_NEW_N(r->arena, cJSON *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const MgSymbol *s = &symbols->all.at[i];
        if (!in_outline(s))
            continue;
        cJSON *json = symbol_json(r, s);
        if (s->ast)
            children[i] = cJSON_AddArrayToObject(json, "children");
        cJSON *parent = s->item != MG_NO_SYMBOL ? children[s->item] : NULL;
        cJSON_AddItemToArray(parent ? parent : list, json);
    }
    return list;
}

// ---------------------------------------------------------------- workspace/symbol
// Are the letters of the query in the name, in this order, whatever their case?
static bool matches(const char *query, const char *name) {
    for (; *query && *name; name++)
        query += (*query | 32) == (*name | 32);
    return !*query;
}

static void add_items(MgServer *server, MgDocument *document, const char *query, cJSON *list) {
    MgAnalysis *a = mg_documents_analysis(&server->documents, document);
    for (uint32_t i = 0; a && a->symbols && i < a->symbols->all.len; i++) {
        const MgSymbol *s = &a->symbols->all.at[i];
        const char *name = mg_name(a->session->names, s->name);
        cJSON *location =
            s->ast && matches(query, name) ? mg_location(server, a->session, s->span) : NULL;
        if (!location)
            continue;
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "name", name);
        cJSON_AddNumberToObject(json, "kind", kinds[s->kind]);
        cJSON_AddItemToObject(json, "location", location);
        cJSON_AddItemToArray(list, json);
    }
}

cJSON *mg_workspace_symbols(MgRequest *r) {
    MgServer *server = r->server;
    const char *query = mg_json_text(r->params, "query");
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < server->documents.n; i++)
        add_items(server, server->documents.at[i], query ? query : "", list);
    return list;
}

// ---------------------------------------------------------------- inlay hints
// The place of a name's hint: after it, or after the subscripts of an equation's target.
static uint32_t hint_place(const MgSource *source, MgSpan name) {
    uint32_t at = name.end, depth = 0;
    if (source->text[at] != '[')
        return at;
    for (; at < source->length && source->text[at] != '\n'; at++) {
        depth += source->text[at] == '[';
        depth -= source->text[at] == ']';
        if (!depth)
            return at + 1;
    }
    return name.end;
}

cJSON *mg_inlay_hints(MgRequest *r) {
    enum { TYPE = 1 };
    const MgAnalysis *a = r->analysis;
    const MgSource *source = mg_analysis_source(a);
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(r->params, "range");
    uint32_t from, to, n;
    cJSON *list = cJSON_CreateArray();
    if (!mg_range_read(range, source->text, source->length, r->server->encoding, &from, &to)) {
        from = 0;
        to = source->length;
    }
    for (uint32_t i = 0; a->symbols && i < a->symbols->uses.len; i++) {
        const MgUse *use = &a->symbols->uses.at[i];
        const MgSymbol *s = use->defines ? &a->symbols->all.at[use->symbol] : NULL;
        bool named = s && (s->kind == MG_SYMBOL_VALUE || s->kind == MG_SYMBOL_CONST ||
                           s->kind == MG_SYMBOL_CARRY || s->kind == MG_SYMBOL_RESULT);
        if (!named || s->type || use->span.begin < from || use->span.end > to)
            continue;
        const MgTypeNote *types = mg_analysis_types(a, use->span.begin, &n);
        if (!types || n != 1)
            continue;
        cJSON *hint = cJSON_CreateObject();
        cJSON_AddItemToObject(
            hint, "position",
            mg_position_json(source, hint_place(source, use->span), r->server->encoding));
        cJSON_AddStringToObject(hint, "label", mg_arena_printf(r->arena, ": %s", types->type));
        cJSON_AddNumberToObject(hint, "kind", TYPE);
        cJSON_AddItemToArray(list, hint);
    }
    return list;
}
