// Where a name is defined and used: definition, references, highlights, rename.
#include "editor/internal.h"

#include "frontend/parse.h"
#include "frontend/spell.h"
#include "ir/words.h"

static const MgUse *use_at(const MgRequest *r) {
    return r->analysis->symbols ? mg_symbols_at(r->analysis->symbols, r->offset) : NULL;
}

static bool target_at(const MgRequest *r, MgNameAt *t) {
    const MgUse *use = use_at(r);
    return use && mg_target_of(r->server, r->document, use, t);
}

// The file that the name of an import refers to.
static cJSON *import_location(const MgRequest *r, const MgNameAt *t) {
    const MgAstImport *im = &t->symbols->file->imports.at[t->symbols->all.at[t->symbol].import];
    if (im->from_file) {
        MgDocument *other = mg_imported(r->server, t->document, im);
        return other ? mg_location(r->server, other->analysis->session,
                                   (MgSpan){other->analysis->source, 0, 0})
                     : NULL;
    }
    const char *name = mg_name(t->session->names, im->name.sym);
    for (uint32_t i = 0; i < r->server->catalog->entries.len; i++) {
        const MgCatalogEntry *e = &r->server->catalog->entries.at[i];
        if (!strcmp(e->file, name))
            return mg_location(r->server, r->server->library, (MgSpan){e->item->span.source, 0, 0});
    }
    return NULL;
}

cJSON *mg_definition(MgRequest *r) {
    MgNameAt t;
    if (!target_at(r, &t))
        return NULL;
    if (t.document && t.symbols->all.at[t.symbol].kind == MG_SYMBOL_IMPORT)
        return import_location(r, &t);
    return mg_location(r->server, t.session, mg_target_span(&t));
}

// ---------------------------------------------------------------- all uses
typedef void SeeUse(void *context, MgDocument *document, const MgUse *use);

static void uses_in(MgServer *server, MgDocument *document, const MgNameAt *target, SeeUse *see,
                    void *context) {
    MgAnalysis *a = mg_documents_analysis(&server->documents, document);
    for (uint32_t i = 0; a && a->symbols && i < a->symbols->uses.len; i++) {
        MgNameAt other;
        const MgUse *use = &a->symbols->uses.at[i];
        if (mg_target_of(server, document, use, &other) && mg_target_same(&other, target))
            see(context, document, use);
    }
}

// An item and the names in its signature may be used by every file; all other names by their own
// file only.
static void all_uses(MgServer *server, const MgNameAt *target, SeeUse *see, void *context) {
    if (!target->item) {
        uses_in(server, target->document, target, see, context);
        return;
    }
    for (size_t i = 0; i < server->documents.n; i++)
        uses_in(server, server->documents.at[i], target, see, context);
}

typedef struct Collect {
    MgServer *server;
    cJSON *list;
    bool definitions;
    const char *text; // of a rename
} Collect;

static cJSON *use_range(const MgServer *server, const MgDocument *document, const MgUse *use) {
    return mg_range_json(mg_analysis_source(document->analysis), use->span.begin, use->span.end,
                         server->encoding);
}

static void add_location(void *context, MgDocument *document, const MgUse *use) {
    Collect *c = context;
    if (use->defines && !c->definitions)
        return;
    cJSON *location = cJSON_CreateObject();
    cJSON_AddStringToObject(location, "uri", document->uri);
    cJSON_AddItemToObject(location, "range", use_range(c->server, document, use));
    cJSON_AddItemToArray(c->list, location);
}

cJSON *mg_references(MgRequest *r) {
    MgNameAt t;
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(r->params, "context");
    Collect c = {.server = r->server, .list = cJSON_CreateArray()};
    c.definitions = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(context, "includeDeclaration"));
    if (target_at(r, &t))
        all_uses(r->server, &t, add_location, &c);
    return c.list;
}

static void add_highlight(void *context, MgDocument *document, const MgUse *use) {
    enum { READ = 2, WRITE = 3 };
    Collect *c = context;
    cJSON *highlight = cJSON_CreateObject();
    cJSON_AddItemToObject(highlight, "range", use_range(c->server, document, use));
    cJSON_AddNumberToObject(highlight, "kind", use->defines ? WRITE : READ);
    cJSON_AddItemToArray(c->list, highlight);
}

cJSON *mg_highlight(MgRequest *r) {
    MgNameAt t;
    Collect c = {.server = r->server, .list = cJSON_CreateArray()};
    if (target_at(r, &t))
        uses_in(r->server, r->document, &t, add_highlight, &c);
    return c.list;
}

// ---------------------------------------------------------------- rename
static const char *cannot_rename(const MgServer *server, const MgNameAt *t) {
    if (t->entry)
        return "a name of the standard library cannot be renamed";
    const MgSymbol *s = &t->symbols->all.at[t->symbol];
    if (s->kind == MG_SYMBOL_IMPORT && !t->symbols->file->imports.at[s->import].from_file)
        return "an import of the standard library has the library's name";
    if (server->library_folder &&
        !strncmp(t->document->path, server->library_folder, strlen(server->library_folder)))
        return "a name of the standard library cannot be renamed";
    return NULL;
}

cJSON *mg_prepare_rename(MgRequest *r) {
    MgNameAt t;
    const MgUse *use = use_at(r);
    if (!use || !mg_target_of(r->server, r->document, use, &t))
        return NULL;
    const char *why = cannot_rename(r->server, &t);
    if (why)
        return mg_request_fail(r, MG_RPC_REQUEST_FAILED, why);
    cJSON *result = cJSON_CreateObject();
    cJSON_AddItemToObject(result, "range", use_range(r->server, r->document, use));
    cJSON_AddStringToObject(result, "placeholder",
                            mg_name(t.session->names, t.symbols->all.at[t.symbol].name));
    return result;
}

// The reason why name cannot be the symbol's, or NULL.
static const char *cannot_be_named(const MgNameAt *t, const char *name) {
    size_t length = strlen(name);
    const MgWord *word = mg_word_find(name, length);
    bool plain = length > 0 && !(name[0] >= '0' && name[0] <= '9');
    for (size_t i = 0; i < length; i++)
        plain &= name[i] == '_' || (name[i] >= 'a' && name[i] <= 'z') ||
                 (name[i] >= 'A' && name[i] <= 'Z') || (name[i] >= '0' && name[i] <= '9');
    if (!plain)
        return "a name is letters, digits and _, and begins with no digit";
    if ((word && word->reserved) || mg_is_reducer(name, length))
        return "this is a word of the language";
    MgSym sym = mg_sym(t->session->names, name);
    const MgSymbol *s = &t->symbols->all.at[t->symbol];
    for (uint32_t i = 0; i < t->symbols->all.len; i++) {
        const MgSymbol *other = &t->symbols->all.at[i];
        if (i != t->symbol && other->name == sym && other->visible.begin < s->visible.end &&
            s->visible.begin < other->visible.end)
            return "the name is already taken where this one is used";
    }
    return NULL;
}

static void add_edit(void *context, MgDocument *document, const MgUse *use) {
    Collect *c = context;
    cJSON *edits = cJSON_GetObjectItemCaseSensitive(c->list, document->uri);
    if (!edits)
        edits = cJSON_AddArrayToObject(c->list, document->uri);
    cJSON *edit = cJSON_CreateObject();
    cJSON_AddItemToObject(edit, "range", use_range(c->server, document, use));
    cJSON_AddStringToObject(edit, "newText", c->text);
    cJSON_AddItemToArray(edits, edit);
}

cJSON *mg_rename(MgRequest *r) {
    MgNameAt t;
    const char *name = mg_json_text(r->params, "newName");
    if (!name || !target_at(r, &t))
        return mg_request_fail(r, MG_RPC_INVALID_PARAMS, "there is no name here");
    const char *why = cannot_rename(r->server, &t);
    why = why ? why : cannot_be_named(&t, name);
    if (why)
        return mg_request_fail(r, MG_RPC_REQUEST_FAILED, why);
    MgText text = mg_text(r->arena);
    mg_spell_name(t.session->names, mg_sym(t.session->names, name), 0, &text);
    cJSON *result = cJSON_CreateObject();
    Collect c = {.server = r->server, .text = mg_text_str(&text)};
    c.list = cJSON_AddObjectToObject(result, "changes");
    all_uses(r->server, &t, add_edit, &c);
    return result;
}
