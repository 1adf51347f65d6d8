// Completion and signature help.
#include "editor/internal.h"

#include "frontend/parse.h"
#include "ir/types.h"
#include "ir/words.h"

// Kinds of LSP's completion items.
enum { FUNCTION = 3, CLASS = 7, FIELD = 5, VARIABLE = 6, MODULE = 9, KEYWORD = 14, TYPE = 25 };

typedef struct List {
    MgRequest *request;
    cJSON *items;
    MgCursor cursor;
} List;

// Clients sort by rank, '0' first, and filter by what is typed.
static cJSON *add(List *l, const char *label, int kind, char rank, const char *detail) {
    const char sort[] = {rank, 0};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "label", label);
    cJSON_AddNumberToObject(item, "kind", kind);
    cJSON_AddStringToObject(item, "sortText",
                            mg_arena_printf(l->request->arena, "%s%s", sort, label));
    if (detail)
        cJSON_AddStringToObject(item, "detail", detail);
    cJSON_AddItemToArray(l->items, item);
    return item;
}

static void add_entry(List *l, const MgCatalogEntry *e, const char *label) {
    bool layer = e->item->kind == MG_ITEM_LAYER;
    cJSON *item = add(l, label, layer ? CLASS : FUNCTION, '2', e->signature);
    cJSON_AddStringToObject(item, "data", e->name); // for completionItem/resolve
}

// ---------------------------------------------------------------- candidates
static void add_attributes(List *l, const MgNameAt *t) {
    const MgSession *session = t->session;
    for (uint32_t i = 0; i < t->item->params.len; i++) {
        const MgAstParam *p = &t->item->params.at[i];
        if (p->kind == MG_PARAM_TENSOR)
            continue;
        const char *name = mg_name(session->names, p->name.sym);
        const char *text = session->sources.all.at[p->span.source].text + p->span.begin;
        cJSON *item = add(l, name, FIELD, '0',
                          mg_arena_str(l->request->arena, text, p->span.end - p->span.begin));
        cJSON_AddStringToObject(item, "insertText",
                                mg_arena_printf(l->request->arena, "%s = ", name));
    }
}

static void add_callee_attributes(List *l) {
    MgRequest *r = l->request;
    MgNameAt t;
    if (!l->cursor.callee || l->cursor.attribute)
        return;
    const char *name = mg_arena_str(r->arena, l->cursor.callee, l->cursor.callee_length);
    if (mg_target_named(r->server, r->document, r->offset, name, &t) && t.item && !t.param)
        add_attributes(l, &t);
}

static void add_symbols(List *l) {
    MgRequest *r = l->request;
    const MgSymbols *symbols = r->analysis->symbols;
    for (uint32_t i = 0; symbols && i < symbols->all.len; i++) {
        const MgSymbol *s = &symbols->all.at[i];
        if (r->offset < s->visible.begin || s->visible.end < r->offset ||
            s->kind == MG_SYMBOL_GRAPH)
            continue;
        int kind = s->ast                          ? FUNCTION
                   : s->kind == MG_SYMBOL_IMPORT   ? MODULE
                   : s->kind == MG_SYMBOL_INSTANCE ? CLASS
                                                   : VARIABLE;
        add(l, mg_name(r->analysis->session->names, s->name), kind, '1',
            mg_describe(r->arena, r->analysis, i));
    }
}

static void add_library(List *l) {
    const MgCatalog *catalog = l->request->server->catalog;
    for (uint32_t i = 0; i < catalog->entries.len; i++)
        if (!strchr(catalog->entries.at[i].name, '.'))
            add_entry(l, &catalog->entries.at[i], catalog->entries.at[i].name);
}

static void add_types(List *l, char rank) {
    for (uint32_t i = 0; i < MG_DTYPE_COUNT; i++)
        add(l, mg_dtype((MgDType)i)->name, TYPE, rank, "element type");
}

static void add_words(List *l) {
    for (size_t i = 0; mg_reducer_names[i]; i++)
        add(l, mg_reducer_names[i], KEYWORD, '3', "reduction");
    for (size_t i = 0; mg_words[i].text; i++)
        add(l, mg_words[i].text, KEYWORD, '4', NULL);
}

// Adds the names of a module: the library's from its catalog, a file's from its items.
static void add_module(List *l, const char *module) {
    MgRequest *r = l->request;
    MgAnalysis *a = r->analysis;
    MgSym sym = mg_sym(a->session->names, module);
    uint32_t id = a->symbols ? mg_symbols_find(a->symbols, r->offset, sym) : MG_NO_SYMBOL;
    bool import = id != MG_NO_SYMBOL && a->symbols->all.at[id].kind == MG_SYMBOL_IMPORT;
    const MgAstImport *im = import ? &a->file->imports.at[a->symbols->all.at[id].import] : NULL;
    if (im && im->from_file) {
        MgDocument *other = mg_imported(r->server, r->document, im);
        for (uint32_t i = 0; other && i < other->analysis->symbols->all.len; i++) {
            const MgSymbol *s = &other->analysis->symbols->all.at[i];
            if (s->ast)
                add(l, mg_name(other->analysis->session->names, s->name), FUNCTION, '1',
                    mg_describe(r->arena, other->analysis, i));
        }
        return;
    }
    const MgCatalog *catalog = r->server->catalog;
    for (uint32_t i = 0; i < catalog->entries.len; i++) {
        const MgCatalogEntry *e = &catalog->entries.at[i];
        const char *point = strchr(e->name, '.');
        if (!strcmp(e->file, module))
            add_entry(l, e, point ? point + 1 : e->name);
    }
}

cJSON *mg_completion(MgRequest *r) {
    List l = {.request = r, .items = cJSON_CreateArray()};
    mg_cursor(r->document->text, r->offset, &l.cursor);
    if (l.cursor.module) {
        add_module(&l, mg_arena_str(r->arena, l.cursor.module, l.cursor.module_length));
        return l.items;
    }
    if (l.cursor.after_colon)
        add_types(&l, '0');
    add_callee_attributes(&l);
    add_symbols(&l);
    add_library(&l);
    if (!l.cursor.after_colon)
        add_types(&l, '3');
    add_words(&l);
    return l.items;
}

static void add_markdown(cJSON *object, const char *name, const char *text) {
    cJSON *markup = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(markup, "kind", "markdown");
    cJSON_AddStringToObject(markup, "value", text);
}

cJSON *mg_completion_resolve(MgRequest *r) {
    MgServer *s = r->server;
    const char *name = mg_json_text(r->params, "data");
    const MgCatalogEntry *e =
        name ? mg_catalog_find(s->catalog, mg_sym(s->library->names, name)) : NULL;
    cJSON *item = cJSON_Duplicate(r->params, true);
    if (e && cJSON_IsObject(item) && !cJSON_HasObjectItem(item, "documentation"))
        add_markdown(item, "documentation", e->description);
    return item;
}

// ---------------------------------------------------------------- signature help
static uint32_t active_parameter(const MgNameAt *t, const MgCursor *c, MgArena *arena) {
    const char *name = c->attribute ? mg_arena_str(arena, c->attribute, c->attribute_length) : NULL;
    for (uint32_t i = 0; name && i < t->item->params.len; i++)
        if (!strcmp(mg_name(t->session->names, t->item->params.at[i].name.sym), name))
            return i;
    for (uint32_t i = 0; i < t->item->params.len && i < c->argument; i++)
        if (t->item->params.at[i].variadic)
            return i;
    return c->argument;
}

cJSON *mg_signature_help(MgRequest *r) {
    MgCursor cursor;
    MgNameAt t;
    mg_cursor(r->document->text, r->offset, &cursor);
    const char *name =
        cursor.callee ? mg_arena_str(r->arena, cursor.callee, cursor.callee_length) : NULL;
    if (!name || !mg_target_named(r->server, r->document, r->offset, name, &t) || !t.item ||
        t.param)
        return NULL;
    const char *label = mg_item_signature(t.session, t.item);
    cJSON *help = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(help, "signatures");
    cJSON *signature = cJSON_CreateObject();
    cJSON_AddItemToArray(list, signature);
    cJSON_AddStringToObject(signature, "label", label);
    add_markdown(signature, "documentation", mg_item_description(t.session, t.item));
    cJSON *parameters = cJSON_AddArrayToObject(signature, "parameters");
    for (uint32_t i = 0; i < t.item->params.len; i++) {
        MgSpan span = t.item->params.at[i].span; // offsets of a label are UTF-16's in any case
        uint32_t from = span.begin - t.item->span.begin, to = span.end - t.item->span.begin;
        int ends[] = {(int)mg_text_units(label, from, MG_UTF16),
                      (int)mg_text_units(label, to, MG_UTF16)};
        cJSON *parameter = cJSON_CreateObject();
        cJSON_AddItemToObject(parameter, "label", cJSON_CreateIntArray(ends, 2));
        cJSON_AddItemToArray(parameters, parameter);
    }
    cJSON_AddNumberToObject(help, "activeSignature", 0);
    cJSON_AddNumberToObject(help, "activeParameter", active_parameter(&t, &cursor, r->arena));
    return help;
}
