// The meaning of a name at a place: a symbol of the text, of an imported file, or of the library.
#include "editor/internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char *text_of(MgSession *session, MgSym sym) {
    return mg_name(session->names, sym);
}

static void target_symbol(MgDocument *document, uint32_t symbol, MgNameAt *t) {
    MgAnalysis *a = document->analysis;
    const MgSymbol *s = &a->symbols->all.at[symbol];
    *t = (MgNameAt){.document = document, .session = a->session, .symbols = a->symbols};
    t->symbol = symbol;
    t->param = s->param;
    t->item = s->param && s->item != MG_NO_SYMBOL ? a->symbols->all.at[s->item].ast : s->ast;
}

static const MgAstParam *find_param(MgSession *session, const MgAstItem *item, const char *name) {
    for (uint32_t i = 0; i < item->params.len; i++)
        if (!strcmp(text_of(session, item->params.at[i].name.sym), name))
            return &item->params.at[i];
    return NULL;
}

// module is NULL for names that need no import, otherwise the library's file that must define the
// name.
static bool target_library(MgServer *server, const char *module, const char *name,
                           const char *attribute, MgNameAt *t) {
    MgSession *session = server->library;
    MgSym full = module ? mg_symf(session->names, "%s.%s", module, name) : 0;
    const MgCatalogEntry *entry = module ? mg_catalog_find(server->catalog, full) : NULL;
    entry = entry ? entry : mg_catalog_find(server->catalog, mg_sym(session->names, name));
    if (!entry || (module && strcmp(entry->file, module) != 0))
        return false;
    *t = (MgNameAt){.session = session, .entry = entry, .item = entry->item};
    t->symbol = MG_NO_SYMBOL;
    t->param = *attribute ? find_param(session, entry->item, attribute) : NULL;
    return !*attribute || t->param;
}

MgDocument *mg_imported(MgServer *server, MgDocument *document, const MgAstImport *import) {
    const char *file = text_of(document->analysis->session, import->file.sym);
    const char *slash = strrchr(document->path, '/');
    char path[4096];
    if (!import->from_file)
        return NULL;
    int n = file[0] == '/' || !slash
                ? snprintf(path, sizeof path, "%s", file)
                : snprintf(path, sizeof path, "%.*s/%s", (int)(slash - document->path),
                           document->path, file);
    char *real = n > 0 && (size_t)n < sizeof path ? realpath(path, NULL) : NULL;
    MgDocument *found = mg_documents_find_path(&server->documents, path); // not saved yet
    if (!found && real)
        found = mg_documents_file(&server->documents, real);
    free(real);
    MgAnalysis *a = found ? mg_documents_analysis(&server->documents, found) : NULL;
    return a && a->symbols ? found : NULL;
}

static bool target_imported(MgServer *server, MgDocument *document, const MgAstImport *import,
                            const char *name, const char *attribute, MgNameAt *t) {
    if (!import->from_file)
        return target_library(server, text_of(document->analysis->session, import->name.sym), name,
                              attribute, t);
    MgDocument *other = mg_imported(server, document, import);
    if (!other)
        return false;
    MgNames *names = other->analysis->session->names;
    const MgSymbols *symbols = other->analysis->symbols;
    uint32_t id = MG_NO_SYMBOL;
    for (uint32_t i = 0; i < symbols->all.len && id == MG_NO_SYMBOL; i++)
        if (symbols->all.at[i].ast && !strcmp(mg_name(names, symbols->all.at[i].name), name))
            id = i;
    if (id != MG_NO_SYMBOL && *attribute)
        id = mg_symbols_parameter(symbols, id, mg_sym(names, attribute));
    if (id == MG_NO_SYMBOL)
        return false;
    target_symbol(other, id, t);
    return true;
}

bool mg_target_of(MgServer *server, MgDocument *document, const MgUse *use, MgNameAt *t) {
    MgAnalysis *a = document->analysis;
    if (use->symbol != MG_NO_SYMBOL) {
        target_symbol(document, use->symbol, t);
        return true;
    }
    const char *name = text_of(a->session, use->outside.name);
    const char *attribute = text_of(a->session, use->outside.attribute);
    if (!use->outside.imported)
        return target_library(server, NULL, name, attribute, t);
    return target_imported(server, document, &a->file->imports.at[use->outside.import], name,
                           attribute, t);
}

bool mg_target_named(MgServer *server, MgDocument *document, uint32_t offset, const char *name,
                     MgNameAt *t) {
    MgAnalysis *a = document->analysis;
    if (!a->symbols)
        return target_library(server, NULL, name, "", t);
    MgNames *names = a->session->names;
    uint32_t id = mg_symbols_find(a->symbols, offset, mg_sym(names, name));
    if (id != MG_NO_SYMBOL) {
        target_symbol(document, id, t);
        return true;
    }
    const char *point = strchr(name, '.');
    MgSym head = point ? mg_sym_n(names, name, (size_t)(point - name)) : 0;
    id = point ? mg_symbols_find(a->symbols, offset, head) : MG_NO_SYMBOL;
    if (id != MG_NO_SYMBOL && a->symbols->all.at[id].kind == MG_SYMBOL_IMPORT) {
        uint32_t import = a->symbols->all.at[id].import;
        return target_imported(server, document, &a->file->imports.at[import], point + 1, "", t);
    }
    return target_library(server, NULL, name, "", t);
}

bool mg_target_same(const MgNameAt *a, const MgNameAt *b) {
    return a->document == b->document && a->symbol == b->symbol && a->entry == b->entry &&
           (a->document || a->param == b->param);
}

MgSpan mg_target_span(const MgNameAt *t) {
    if (t->document)
        return t->symbols->all.at[t->symbol].span;
    return t->param ? t->param->name.span : t->item->name.span;
}

cJSON *mg_location(MgServer *server, const MgSession *session, MgSpan span) {
    const MgSource *source = &session->sources.all.at[span.source];
    MgDocument *known = mg_documents_find_path(&server->documents, source->name);
    char *uri = known                    ? strdup(known->uri)
                : source->name[0] == '/' ? mg_path_to_uri(source->name)
                                         : mg_library_uri(server, source);
    if (!uri)
        return NULL;
    cJSON *location = cJSON_CreateObject();
    cJSON_AddStringToObject(location, "uri", uri);
    cJSON_AddItemToObject(location, "range",
                          mg_range_json(source, span.begin, span.end, server->encoding));
    free(uri);
    return location;
}
