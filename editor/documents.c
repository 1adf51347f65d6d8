// The table of texts, and edits of them.
#include "editor/documents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { FILE_MOST = 16 << 20, BUDGET_MS = 2000 };

// ---------------------------------------------------------------- files
// Reads a regular file; a pipe or device could keep the server waiting. Returns 0 or an errno.
static int read_file(const char *path, char **text, size_t *length, struct stat *st) {
    if (path[0] != '/')
        return ENOENT;
    if (stat(path, st))
        return errno;
    if (!S_ISREG(st->st_mode))
        return S_ISDIR(st->st_mode) ? EISDIR : EINVAL;
    if (st->st_size > FILE_MOST)
        return EFBIG;
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno;
    *text = malloc((size_t)st->st_size + 1);
    *length = *text ? fread(*text, 1, (size_t)st->st_size, file) : 0;
    fclose(file);
    if (!*text)
        return ENOMEM;
    (*text)[*length] = 0;
    return 0;
}

// Gives the front end the open text of a path, or else the file.
static int read_source(void *context, MgArena *arena, const char *path, const char **text,
                       size_t *length) {
    MgDocument *open = mg_documents_find_path(context, path);
    if (open && open->open) {
        *text = open->text;
        *length = open->length;
        return 0;
    }
    struct stat st;
    char *bytes;
    int error = read_file(path, &bytes, length, &st);
    if (error)
        return error;
    mg_mem_defer(mg_arena_mem(arena), free, bytes); // the copy may run out of memory
    *text = mg_arena_str(arena, bytes, *length);
    if (mg_mem_undefer(mg_arena_mem(arena), bytes))
        free(bytes);
    return 0;
}

// ---------------------------------------------------------------- the table
void mg_documents_init(MgDocuments *d) {
    *d = (MgDocuments){.budget_ms = BUDGET_MS};
    d->reader = (MgSourceReader){d, read_source};
}

static void free_document(MgDocument *doc) {
    mg_analysis_free(doc->analysis);
    free(doc->uri);
    free(doc->path);
    free(doc->text);
    free(doc->published);
    free(doc);
}

void mg_documents_free(MgDocuments *d) {
    for (size_t i = 0; i < d->n; i++)
        free_document(d->at[i]);
    free(d->at);
    *d = (MgDocuments){0};
}

MgDocument *mg_documents_find(const MgDocuments *d, const char *uri) {
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->at[i]->uri, uri))
            return d->at[i];
    char *path = mg_uri_to_path(uri); // the same file may have been escaped in another way
    MgDocument *found = path ? mg_documents_find_path(d, path) : NULL;
    free(path);
    return found;
}

MgDocument *mg_documents_find_path(const MgDocuments *d, const char *path) {
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->at[i]->path, path))
            return d->at[i];
    return NULL;
}

static MgDocument *add(MgDocuments *d, char *uri, char *path) {
    MgDocument *doc = calloc(1, sizeof *doc);
    if (d->n == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 16;
        MgDocument **grown = realloc(d->at, capacity * sizeof *grown);
        d->at = grown ? grown : d->at;
        d->capacity = grown ? capacity : d->capacity;
    }
    if (!doc || !uri || !path || d->n == d->capacity) {
        free(doc);
        free(uri);
        free(path);
        return NULL;
    }
    *doc = (MgDocument){.uri = uri, .path = path, .version = -1, .stale = true};
    d->at[d->n++] = doc;
    return doc;
}

static void set_text(MgDocuments *d, MgDocument *doc, char *text, size_t length) {
    free(doc->text);
    doc->text = text;
    doc->length = length;
    doc->stale = true;
    if (!d->frozen)
        mg_documents_recheck(d);
}

void mg_documents_refresh(MgDocuments *d) {
    for (size_t i = 0; i < d->n; i++)
        if (d->at[i]->analysis && d->at[i]->stale)
            mg_documents_analysis(d, d->at[i]);
}

// A text that imports files may import one that has changed.
void mg_documents_recheck(MgDocuments *d) {
    for (size_t i = 0; i < d->n; i++)
        d->at[i]->stale |= d->at[i]->analysis && d->at[i]->analysis->imports_files;
}

MgDocument *mg_documents_open(MgDocuments *d, const char *uri, const char *text, int32_t version) {
    MgDocument *doc = mg_documents_find(d, uri);
    char *copy = strdup(text);
    if (!doc && copy)
        doc = add(d, strdup(uri), mg_uri_to_path(uri));
    if (!doc || !copy) {
        free(copy);
        return NULL;
    }
    doc->open = true;
    doc->version = version;
    set_text(d, doc, copy, strlen(copy));
    return doc;
}

bool mg_documents_change(MgDocuments *d, MgDocument *doc, const cJSON *change,
                         MgEncoding encoding) {
    const char *text = mg_json_text(change, "text");
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(change, "range");
    uint32_t begin = 0, end = (uint32_t)doc->length;
    if (!text || (range && !mg_range_read(range, doc->text, doc->length, encoding, &begin, &end)))
        return false;
    size_t added = strlen(text), length = doc->length - (end - begin) + added;
    char *joined = length <= MG_SOURCE_MAX ? malloc(length + 1) : NULL;
    if (!joined)
        return false;
    memcpy(joined, doc->text, begin);
    memcpy(joined + begin, text, added);
    memcpy(joined + begin + added, doc->text + end, doc->length - end);
    joined[length] = 0;
    set_text(d, doc, joined, length);
    return true;
}

void mg_documents_close(MgDocuments *d, MgDocument *doc) {
    for (size_t i = 0; i < d->n; i++) {
        d->at[i]->stale |= d->at[i]->analysis && d->at[i]->analysis->imports_files;
        if (d->at[i] == doc) {
            d->at[i--] = d->at[--d->n];
            free_document(doc);
            doc = NULL;
        }
    }
}

MgDocument *mg_documents_file(MgDocuments *d, const char *path) {
    MgDocument *doc = mg_documents_find_path(d, path);
    struct stat st;
    if (doc && (doc->open || d->frozen))
        return doc;
    bool there = !stat(path, &st);
    if (doc && there && doc->modified == (int64_t)st.st_mtime && doc->bytes == (int64_t)st.st_size)
        return doc;
    char *text = NULL;
    size_t length;
    if (read_file(path, &text, &length, &st)) {
        if (doc)
            mg_documents_close(d, doc);
        return NULL;
    }
    if (!doc && !(doc = add(d, mg_path_to_uri(path), strdup(path)))) {
        free(text);
        return NULL;
    }
    doc->modified = (int64_t)st.st_mtime;
    doc->bytes = (int64_t)st.st_size;
    set_text(d, doc, text, length);
    return doc;
}

MgAnalysis *mg_documents_analysis(MgDocuments *d, MgDocument *doc) {
    if (doc->stale && !(d->frozen && doc->analysis)) {
        mg_analysis_free(doc->analysis);
        doc->stale = false;
        doc->unpublished = true;
        doc->analysis = mg_analysis_new(&(MgAnalysisInput){
            .name = doc->path, .text = doc->text, .length = doc->length, .reader = &d->reader});
    }
    return doc->analysis;
}

MgAnalysis *mg_documents_types(MgDocuments *d, MgDocument *doc) {
    MgAnalysis *a = mg_documents_analysis(d, doc);
    if (a && doc->open && !mg_analysis_find_types(a, d->budget_ms)) {
        mg_analysis_free(a);
        doc->analysis = NULL;
    }
    return doc->analysis;
}
