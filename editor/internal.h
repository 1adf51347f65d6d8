// What the parts of the server share: its state, a request, and the meaning of a name at a place.
#ifndef MG_EDITOR_INTERNAL_H
#define MG_EDITOR_INTERNAL_H

#include "editor/documents.h"
#include "editor/frames.h"
#include "editor/server.h"
#include "frontend/catalog.h"

// Error codes of JSON-RPC and LSP.
enum {
    MG_RPC_PARSE_ERROR = -32700,
    MG_RPC_INVALID_REQUEST = -32600,
    MG_RPC_METHOD_NOT_FOUND = -32601,
    MG_RPC_INVALID_PARAMS = -32602,
    MG_RPC_INTERNAL_ERROR = -32603,
    MG_RPC_NOT_INITIALIZED = -32002,
    MG_RPC_CANCELLED = -32800,
    MG_RPC_REQUEST_FAILED = -32803
};

typedef struct MgWaiting {
    cJSON *message;
    bool cancelled;
} MgWaiting;

struct MgServer {
    MgServerWrite *write;
    void *context;
    MgFrames frames;
    MgWaiting *waiting; // messages that were read but not yet handled
    size_t n_waiting, capacity;
    bool initialized, shut_down, gone;
    int status;
    MgEncoding encoding;
    MgDocuments documents;
    char *root;         // the workspace's folder, NULL: none
    MgSession *library; // the standard library's text and catalog
    MgCatalog *catalog;
    char *library_folder; // where its files are written so that the client can show them; NULL: not
                          // yet
};

// A request that is being answered. If its row of the table asks for a document, the document is
// open and has an analysis; if it asks for a position, offset holds that position.
typedef struct MgRequest {
    MgServer *server;
    const cJSON *params;
    MgDocument *document;
    MgAnalysis *analysis;
    MgArena *arena; // freed after the answer
    uint32_t offset;
    int error; // set together with message if there is no result
    const char *message;
} MgRequest;

typedef cJSON *MgHandler(MgRequest *request); // NULL: the result is null
MgHandler mg_hover, mg_definition, mg_references, mg_highlight, mg_prepare_rename, mg_rename,
    mg_completion, mg_completion_resolve, mg_signature_help, mg_formatting, mg_range_formatting,
    mg_inlay_hints, mg_document_symbols, mg_workspace_symbols, mg_code_actions;

cJSON *mg_request_fail(MgRequest *request, int code, const char *message); // NULL
// diagnostics.c: analyses stale documents and sends diagnostics that have changed.
void mg_publish(MgServer *server);
// The JSON of diagnostic number `at`, as it is sent to the client.
cJSON *mg_diagnostic_json(MgServer *server, const MgAnalysis *analysis, uint32_t at);
void mg_server_notify(MgServer *server, const char *method, cJSON *params); // owns params

// ---------------------------------------------------------------- target.c: what a name means
// An item, or something within one. For the library, document is NULL.
typedef struct MgNameAt {
    MgDocument *document;
    MgSession *session;          // the session of the spans and names
    const MgSymbols *symbols;    // of the document
    uint32_t symbol;             // of the document
    const MgCatalogEntry *entry; // of the library
    const MgAstItem *item;       // of an item, or of the item that has the operand or attribute
    const MgAstParam *param;     // of an operand or attribute of an item
} MgNameAt;

// False if the meaning of the use is unknown.
bool mg_target_of(MgServer *server, MgDocument *document, const MgUse *use, MgNameAt *target);
bool mg_target_same(const MgNameAt *a, const MgNameAt *b);
// The item that `name` means at offset: one of the text, of an import, or of the library.
bool mg_target_named(MgServer *server, MgDocument *document, uint32_t offset, const char *name,
                     MgNameAt *target);
// The document of a file import. NULL if there is none, or if it is the library's.
MgDocument *mg_imported(MgServer *server, MgDocument *document, const MgAstImport *import);
MgSpan mg_target_span(const MgNameAt *target); // of the name, at its definition
// {uri, range} of a span of a session; NULL if the client could not open it.
cJSON *mg_location(MgServer *server, const MgSession *session, MgSpan span);

// ---------------------------------------------------------------- workspace.c
// Reads the files of the workspace's folder, a bounded number of them, into the documents.
void mg_workspace_load(MgServer *server);
// The URI of a source of the library, malloc'd. First writes the text to a file beside the compile
// cache, unless an equal file is there. NULL if that fails.
char *mg_library_uri(MgServer *server, const MgSource *source);

// ---------------------------------------------------------------- cursor.c: what is being typed
// The innermost call, shape or subscript that is open at a place. The text may be half a program.
typedef struct MgCursor {
    const char *word; // the beginning of the name that ends at the place
    size_t word_length;
    const char *module; // the module before the point in front of the word; NULL: there is none
    size_t module_length;
    bool after_colon;   // a type is expected
    const char *callee; // NULL: no call is open
    size_t callee_length;
    uint32_t argument;     // the number of commas between the opening bracket and the place
    const char *attribute; // `name =` of the argument, NULL: it is positional
    size_t attribute_length;
} MgCursor;
void mg_cursor(const char *text, uint32_t offset, MgCursor *cursor);

// The text that describes a value, parameter or item in a hover and in a completion's details.
const char *mg_describe(MgArena *arena, const MgAnalysis *analysis, uint32_t symbol);

#endif
