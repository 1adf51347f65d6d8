// Pushes diagnostics: after every change, the client gets the lists that differ from its own.
//
// A mistake in an imported file is found while the importer is analysed, so the diagnostics of one
// URI are collected over all open texts.
#include "editor/internal.h"

#include <stdlib.h>

// A span without a place, or an empty one, still gets a character to underline.
static cJSON *range_of(const MgSource *source, MgSpan span, MgEncoding encoding) {
    uint32_t end = span.end;
    if (end <= span.begin && end < source->length && source->text[end] != '\n')
        end = span.begin + 1;
    while (end < source->length && ((unsigned char)source->text[end] & 0xc0) == 0x80)
        end++;
    return mg_range_json(source, span.begin, end, encoding);
}

static cJSON *related(MgServer *server, const MgAnalysis *a, uint32_t at) {
    cJSON *list = cJSON_CreateArray();
    const MgSession *session = a->session;
    for (uint32_t i = at + 1; i < session->diags.len && session->diags.at[i].attached; i++) {
        const MgDiag *note = &session->diags.at[i];
        cJSON *location = note->span.source ? mg_location(server, session, note->span) : NULL;
        if (!location)
            continue;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToObject(entry, "location", location);
        cJSON_AddStringToObject(entry, "message", note->message);
        cJSON_AddItemToArray(list, entry);
    }
    return list;
}

cJSON *mg_diagnostic_json(MgServer *server, const MgAnalysis *a, uint32_t at) {
    static const int severities[] = {[MG_ERROR] = 1, [MG_WARNING] = 2, [MG_NOTE] = 3};
    const MgDiag *d = &a->session->diags.at[at];
    MgSpan span = d->span.source ? d->span : (MgSpan){a->source, 0, 0};
    const MgSource *source = &a->session->sources.all.at[span.source];
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "range", range_of(source, span, server->encoding));
    cJSON_AddNumberToObject(json, "severity", severities[d->severity]);
    cJSON_AddStringToObject(json, "code", mg_diag_name(d->id));
    cJSON_AddStringToObject(json, "source", "mgc");
    cJSON_AddStringToObject(json, "message", d->message);
    cJSON *notes = related(server, a, at);
    if (cJSON_GetArraySize(notes))
        cJSON_AddItemToObject(json, "relatedInformation", notes);
    else
        cJSON_Delete(notes);
    return json;
}

// A file of operators needs no graph.
static bool is_wanted(const MgAnalysis *a, const MgDiag *d) {
    return !d->attached && !(d->id == MG_D_no_graph && a->file && a->file->items.len);
}

static bool has(const cJSON *list, const cJSON *diagnostic) {
    const cJSON *other;
    cJSON_ArrayForEach(other, list) {
        if (cJSON_Compare(other, diagnostic, true))
            return true;
    }
    return false;
}

// Sorts the diagnostics of one text into the lists of `all`, one for each URI.
static void collect(MgServer *server, const MgDocument *document, cJSON *all) {
    const MgAnalysis *a = document->analysis;
    for (uint32_t i = 0; a && i < a->session->diags.len; i++) {
        const MgDiag *d = &a->session->diags.at[i];
        if (!is_wanted(a, d))
            continue;
        const char *name = a->session->sources.all.at[d->span.source].name;
        bool here = !d->span.source || d->span.source == a->source;
        if (!here && name[0] != '/')
            continue; // the user made no mistake in the library's text
        char *uri = here ? strdup(document->uri) : mg_path_to_uri(name);
        MgDocument *other = here ? NULL : mg_documents_find_path(&server->documents, name);
        const char *key = other ? other->uri : uri ? uri : document->uri;
        cJSON *list = cJSON_GetObjectItemCaseSensitive(all, key);
        if (!list)
            list = cJSON_AddArrayToObject(all, key);
        cJSON *json = mg_diagnostic_json(server, a, i);
        if (has(list, json))
            cJSON_Delete(json);
        else
            cJSON_AddItemToArray(list, json);
        free(uri);
    }
}

static void send_list(MgServer *server, const char *uri, int32_t version, const cJSON *list) {
    cJSON *params = cJSON_CreateObject();
    cJSON_AddStringToObject(params, "uri", uri);
    if (version >= 0)
        cJSON_AddNumberToObject(params, "version", version);
    cJSON_AddItemToObject(params, "diagnostics",
                          list ? cJSON_Duplicate(list, true) : cJSON_CreateArray());
    mg_server_notify(server, "textDocument/publishDiagnostics", params);
}

static void send_if_new(MgServer *server, MgDocument *document, const cJSON *list) {
    char *text = list ? cJSON_PrintUnformatted(list) : NULL;
    bool had = document->published && strcmp(document->published, "[]") != 0;
    bool same = text ? document->published && !strcmp(text, document->published) : !had;
    bool first = document->open && !document->published; // an empty list is news, too
    if (!same || first)
        send_list(server, document->uri, document->open ? document->version : -1, list);
    free(document->published);
    document->published = text ? text : strdup("[]");
}

void mg_publish(MgServer *server) {
    MgDocuments *documents = &server->documents;
    bool changed = false;
    for (size_t i = 0; i < documents->n; i++) {
        MgDocument *document = documents->at[i];
        if (!document->open)
            continue;
        mg_documents_types(documents, document);
        changed |= document->unpublished;
        document->unpublished = false;
    }
    if (!changed)
        return;
    cJSON *all = cJSON_CreateObject();
    const cJSON *list;
    for (size_t i = 0; i < documents->n; i++)
        if (documents->at[i]->open)
            collect(server, documents->at[i], all);
    cJSON_ArrayForEach(list, all) { // so that an imported file is known, and can be cleared later
        char *path = mg_uri_to_path(list->string);
        if (path && !mg_documents_find(documents, list->string))
            mg_documents_file(documents, path);
        free(path);
    }
    for (size_t i = 0; i < documents->n; i++)
        send_if_new(server, documents->at[i],
                    cJSON_GetObjectItemCaseSensitive(all, documents->at[i]->uri));
    cJSON_Delete(all);
}
