// Reads messages, finds their methods in a table, and sends the answers.
#include "editor/internal.h"

#include "include/mg.h"

#include <stdio.h>
#include <stdlib.h>

// ---------------------------------------------------------------- out
static void send(MgServer *s, cJSON *message) { // owns message
    enum { HEADER = 64 };
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    char *body = cJSON_PrintUnformatted(message), header[HEADER];
    cJSON_Delete(message);
    if (!body)
        return;
    int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(body));
    bool sent = !s->gone && s->write(s->context, header, (size_t)n) &&
                s->write(s->context, body, strlen(body));
    s->gone |= !sent;
    cJSON_free(body);
}

static cJSON *answer_to(const cJSON *id) {
    cJSON *answer = cJSON_CreateObject();
    cJSON_AddItemToObject(answer, "id", id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
    return answer;
}

static void send_error(MgServer *s, const cJSON *id, int code, const char *message) {
    cJSON *answer = answer_to(id), *error = cJSON_AddObjectToObject(answer, "error");
    cJSON_AddNumberToObject(error, "code", code);
    cJSON_AddStringToObject(error, "message", message);
    send(s, answer);
}

static void send_result(MgServer *s, const cJSON *id, cJSON *result) {
    cJSON *answer = answer_to(id);
    cJSON_AddItemToObject(answer, "result", result ? result : cJSON_CreateNull());
    send(s, answer);
}

void mg_server_notify(MgServer *s, const char *method, cJSON *params) {
    cJSON *message = cJSON_CreateObject();
    cJSON_AddStringToObject(message, "method", method);
    cJSON_AddItemToObject(message, "params", params);
    send(s, message);
}

cJSON *mg_request_fail(MgRequest *r, int code, const char *message) {
    r->error = code;
    r->message = message;
    return NULL;
}

// ---------------------------------------------------------------- initialize, shutdown, exit
static bool client_takes_utf8(const cJSON *params) {
    const cJSON *capabilities = cJSON_GetObjectItemCaseSensitive(params, "capabilities");
    const cJSON *general = cJSON_GetObjectItemCaseSensitive(capabilities, "general");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(general, "positionEncodings"), *item;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item) && !strcmp(item->valuestring, "utf-8"))
            return true;
    }
    return false;
}

static void take_root(MgServer *s, const cJSON *params) {
    const cJSON *folders = cJSON_GetObjectItemCaseSensitive(params, "workspaceFolders");
    const char *uri = mg_json_text(cJSON_GetArrayItem(folders, 0), "uri");
    uri = uri ? uri : mg_json_text(params, "rootUri");
    free(s->root);
    s->root = uri ? mg_uri_to_path(uri) : NULL;
}

static cJSON *initialize(MgRequest *r) {
    static const char capabilities[] =
        "{\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":false},"
        "\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
        "\"documentHighlightProvider\":true,\"renameProvider\":{\"prepareProvider\":true},"
        "\"completionProvider\":{\"triggerCharacters\":[\".\",\"(\"],\"resolveProvider\":true},"
        "\"signatureHelpProvider\":{\"triggerCharacters\":[\"(\",\",\"]},"
        "\"documentFormattingProvider\":true,\"documentRangeFormattingProvider\":true,"
        "\"inlayHintProvider\":true,\"documentSymbolProvider\":true,"
        "\"workspaceSymbolProvider\":true,"
        "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]}}";
    MgServer *s = r->server;
    if (s->initialized)
        return mg_request_fail(r, MG_RPC_INVALID_REQUEST, "the server is initialized already");
    s->initialized = true;
    s->encoding = client_takes_utf8(r->params) ? MG_UTF8 : MG_UTF16;
    take_root(s, r->params);
    cJSON *result = cJSON_CreateObject(), *all = cJSON_Parse(capabilities);
    cJSON_AddStringToObject(all, "positionEncoding", s->encoding == MG_UTF8 ? "utf-8" : "utf-16");
    cJSON_AddItemToObject(result, "capabilities", all);
    cJSON *info = cJSON_AddObjectToObject(result, "serverInfo");
    cJSON_AddStringToObject(info, "name", "mgc");
    char version[32];
    snprintf(version, sizeof version, "%d.%d", MG_VERSION_MAJOR, MG_VERSION_MINOR);
    cJSON_AddStringToObject(info, "version", version);
    return result;
}

static cJSON *shut_down(MgRequest *r) {
    r->server->shut_down = true;
    return NULL;
}

static cJSON *leave(MgRequest *r) {
    r->server->status = r->server->shut_down ? 0 : 1;
    return NULL;
}

static cJSON *nothing(MgRequest *r) {
    (void)r;
    return NULL;
}

// ---------------------------------------------------------------- texts
static cJSON *did_open(MgRequest *r) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->params, "textDocument");
    const char *uri = mg_json_text(item, "uri"), *text = mg_json_text(item, "text");
    if (uri && text)
        mg_documents_open(&r->server->documents, uri, text, mg_json_number(item, "version"));
    return NULL;
}

static cJSON *did_change(MgRequest *r) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->params, "textDocument"), *change;
    cJSON_ArrayForEach(change, cJSON_GetObjectItemCaseSensitive(r->params, "contentChanges"))
        mg_documents_change(&r->server->documents, r->document, change, r->server->encoding);
    r->document->version = mg_json_number(item, "version");
    return NULL;
}

static cJSON *did_close(MgRequest *r) {
    cJSON *params = cJSON_CreateObject(); // its diagnostics are no longer shown
    cJSON_AddStringToObject(params, "uri", r->document->uri);
    cJSON_AddItemToObject(params, "diagnostics", cJSON_CreateArray());
    mg_documents_close(&r->server->documents, r->document);
    mg_server_notify(r->server, "textDocument/publishDiagnostics", params);
    return NULL;
}

static cJSON *files_changed(MgRequest *r) {
    mg_documents_recheck(&r->server->documents);
    return NULL;
}

// ---------------------------------------------------------------- the table
enum {
    DOCUMENT = 1,  // params.textDocument is open
    ANALYSIS = 2,  // and was parsed
    TYPES = 4,     // and its types and errors are known
    POSITION = 8,  // params.position is read
    EARLY = 16,    // allowed before initialize and after shutdown
    WORKSPACE = 32 // the files of the workspace are read
};

static const struct Method {
    const char *name;
    MgHandler *handle;
    bool request;
    unsigned needs;
} methods[] = {
    {"initialize", initialize, true, EARLY},
    {"initialized", nothing, false, 0},
    {"shutdown", shut_down, true, 0},
    {"exit", leave, false, EARLY},
    {"$/setTrace", nothing, false, 0},
    {"workspace/didChangeConfiguration", nothing, false, 0},
    {"workspace/didChangeWatchedFiles", files_changed, false, WORKSPACE},
    {"textDocument/didOpen", did_open, false, 0},
    {"textDocument/didChange", did_change, false, DOCUMENT},
    {"textDocument/didSave", nothing, false, DOCUMENT},
    {"textDocument/didClose", did_close, false, DOCUMENT},
    {"textDocument/hover", mg_hover, true, TYPES | POSITION},
    {"textDocument/definition", mg_definition, true, ANALYSIS | POSITION},
    {"textDocument/references", mg_references, true, ANALYSIS | POSITION | WORKSPACE},
    {"textDocument/documentHighlight", mg_highlight, true, ANALYSIS | POSITION},
    {"textDocument/prepareRename", mg_prepare_rename, true, ANALYSIS | POSITION},
    {"textDocument/rename", mg_rename, true, ANALYSIS | POSITION | WORKSPACE},
    {"textDocument/completion", mg_completion, true, TYPES | POSITION},
    {"completionItem/resolve", mg_completion_resolve, true, 0},
    {"textDocument/signatureHelp", mg_signature_help, true, ANALYSIS | POSITION},
    {"textDocument/formatting", mg_formatting, true, ANALYSIS},
    {"textDocument/rangeFormatting", mg_range_formatting, true, ANALYSIS},
    {"textDocument/inlayHint", mg_inlay_hints, true, TYPES},
    {"textDocument/documentSymbol", mg_document_symbols, true, ANALYSIS},
    {"workspace/symbol", mg_workspace_symbols, true, WORKSPACE},
    {"textDocument/codeAction", mg_code_actions, true, TYPES},
};

static const struct Method *find_method(const char *name) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}

static MgAnalysis *analysis_for(MgServer *s, MgDocument *document, const struct Method *m) {
    return m->needs & TYPES ? mg_documents_types(&s->documents, document)
                            : mg_documents_analysis(&s->documents, document);
}

// Finds the document, its analysis and the offset, as the method needs them. False with an error.
static bool prepare(MgRequest *r, const struct Method *m) {
    MgServer *s = r->server;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->params, "textDocument");
    const char *uri = mg_json_text(item, "uri");
    if (m->needs & WORKSPACE)
        mg_workspace_load(s);
    if (!(m->needs & (DOCUMENT | ANALYSIS | TYPES)))
        return true;
    r->document = uri ? mg_documents_find(&s->documents, uri) : NULL;
    if (!r->document || !r->document->open) {
        mg_request_fail(r, MG_RPC_INVALID_PARAMS, "textDocument is not open");
        return false;
    }
    if (m->needs & (ANALYSIS | TYPES) && !(r->analysis = analysis_for(s, r->document, m))) {
        mg_request_fail(r, MG_RPC_INTERNAL_ERROR, "out of memory");
        return false;
    }
    const cJSON *position = cJSON_GetObjectItemCaseSensitive(r->params, "position");
    if (m->needs & POSITION && !mg_position_read(position, r->document->text, r->document->length,
                                                 s->encoding, &r->offset)) {
        mg_request_fail(r, MG_RPC_INVALID_PARAMS, "position is not a line and a character");
        return false;
    }
    return true;
}

// Handlers allocate in the analysis's session, or in the library's if there is none.
static cJSON *run(MgRequest *r, const struct Method *m) {
    MgSession *session = r->analysis ? r->analysis->session : r->server->library;
    MgTry frame;
    cJSON *volatile result = NULL;
    if (m->request)
        mg_documents_refresh(&r->server->documents);
    r->server->documents.frozen = m->request; // this keeps the handler's data valid
    if (MG_TRY(session->mem, frame)) {
        r->arena = mg_arena_new(session->mem);
        result = m->handle(r);
        mg_arena_free(r->arena);
        mg_try_end(session->mem, &frame);
    } else
        mg_request_fail(r, MG_RPC_INTERNAL_ERROR, "out of memory");
    r->server->documents.frozen = false;
    return result;
}

static const char *refusal(const MgServer *s, const struct Method *m, int *code) {
    bool early = m && m->needs & EARLY;
    *code = MG_RPC_NOT_INITIALIZED;
    if (!s->initialized && !early)
        return "the first request is initialize";
    *code = MG_RPC_INVALID_REQUEST;
    if (s->shut_down && !early)
        return "the server was shut down";
    *code = MG_RPC_METHOD_NOT_FOUND;
    return m ? NULL : "no such method";
}

static void handle(MgServer *s, const MgWaiting *waiting) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(waiting->message, "id");
    const char *name = mg_json_text(waiting->message, "method");
    if (!name) {
        bool answer = cJSON_GetObjectItemCaseSensitive(waiting->message, "result") ||
                      cJSON_GetObjectItemCaseSensitive(waiting->message, "error");
        if (!answer) // the server sends no requests, so an answer has no meaning, but is harmless
            send_error(s, id, MG_RPC_INVALID_REQUEST, "the message has no method");
        return;
    }
    const struct Method *m = find_method(name);
    int code;
    const char *why = refusal(s, m, &code);
    if (waiting->cancelled && id) {
        code = MG_RPC_CANCELLED;
        why = "the request was cancelled";
    }
    MgRequest r = {.server = s, .error = why ? code : 0, .message = why};
    r.params = cJSON_GetObjectItemCaseSensitive(waiting->message, "params");
    cJSON *result = !why && (!id || m->request) && prepare(&r, m) ? run(&r, m) : NULL;
    if (id && r.error) {
        send_error(s, id, r.error, r.message);
        cJSON_Delete(result);
    } else if (id)
        send_result(s, id, result);
    else
        cJSON_Delete(result);
}

// ---------------------------------------------------------------- in
// $/cancelRequest concerns waiting requests only.
static bool cancel(MgServer *s, const cJSON *message) {
    const char *name = mg_json_text(message, "method");
    if (!name || strcmp(name, "$/cancelRequest") != 0)
        return false;
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(message, "params");
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(params, "id");
    for (size_t i = 0; id && i < s->n_waiting; i++) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(s->waiting[i].message, "id");
        s->waiting[i].cancelled |= other && cJSON_Compare(id, other, true);
    }
    return true;
}

static bool enqueue(MgServer *s, cJSON *message) {
    if (s->n_waiting == s->capacity) {
        size_t capacity = s->capacity ? s->capacity * 2 : 16;
        MgWaiting *grown = realloc(s->waiting, capacity * sizeof *grown);
        if (!grown) {
            cJSON_Delete(message);
            return false;
        }
        s->waiting = grown;
        s->capacity = capacity;
    }
    s->waiting[s->n_waiting++] = (MgWaiting){.message = message};
    return true;
}

bool mg_server_feed(MgServer *s, const char *bytes, size_t length) {
    const char *body;
    if (!mg_frames_add(&s->frames, bytes, length))
        return false;
    for (MgFrame frame; (frame = mg_frames_next(&s->frames, &body, &length)) != MG_FRAME_NONE;) {
        cJSON *message = frame == MG_FRAME_MESSAGE ? cJSON_ParseWithLength(body, length) : NULL;
        if (!message)
            send_error(s, NULL, MG_RPC_PARSE_ERROR,
                       frame == MG_FRAME_MESSAGE ? "the message is not JSON"
                                                 : "a header without a usable Content-Length");
        else if (!cJSON_IsObject(message))
            send_error(s, NULL, MG_RPC_INVALID_REQUEST, "the message is not an object");
        if (!cJSON_IsObject(message) || cancel(s, message))
            cJSON_Delete(message);
        else if (!enqueue(s, message))
            return false;
    }
    return true;
}

void mg_server_work(MgServer *s) {
    for (size_t i = 0; i < s->n_waiting; i++) {
        if (s->status < 0)
            handle(s, &s->waiting[i]);
        cJSON_Delete(s->waiting[i].message);
    }
    s->n_waiting = 0;
    if (s->status < 0 && s->initialized && !s->shut_down)
        mg_publish(s);
    if (s->gone && s->status < 0)
        s->status = s->shut_down ? 0 : 1;
}

int mg_server_status(const MgServer *s) {
    return s->status;
}

// ---------------------------------------------------------------- begin and end
static bool load_library(MgServer *s) {
    MgTry frame;
    s->library = mg_session_new(0);
    if (!s->library)
        return false;
    if (MG_TRY(s->library->mem, frame)) {
        s->catalog = mg_catalog(s->library);
        mg_try_end(s->library->mem, &frame);
        return true;
    }
    return false;
}

MgServer *mg_server_new(MgServerWrite *write, void *context) {
    MgServer *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (MgServer){.write = write, .context = context, .status = -1};
    mg_documents_init(&s->documents);
    if (load_library(s))
        return s;
    mg_server_free(s);
    return NULL;
}

void mg_server_free(MgServer *s) {
    if (!s)
        return;
    for (size_t i = 0; i < s->n_waiting; i++)
        cJSON_Delete(s->waiting[i].message);
    free(s->waiting);
    mg_frames_free(&s->frames);
    mg_documents_free(&s->documents);
    mg_session_free(s->library);
    free(s->root);
    free(s->library_folder);
    free(s);
}
