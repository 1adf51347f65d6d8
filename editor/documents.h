// The texts that the server knows: those that the client has open, as it last sent them, and files
// on disk that these import or that lie in the workspace.
#ifndef MG_EDITOR_DOCUMENTS_H
#define MG_EDITOR_DOCUMENTS_H

#include "editor/analysis.h"
#include "editor/text.h"

typedef struct MgDocument {
    char *uri, *path; // path: the compiler's name of the text; it is not absolute if the URI does
                      // not name a file
    char *text;
    size_t length;
    int32_t version; // the client's number; -1 if it gives none
    bool open;
    bool stale;              // the analysis is older than the text, or than a text that it imports
    bool unpublished;        // the client has not received the errors of this analysis
    MgAnalysis *analysis;    // NULL until it is needed, or if memory ran out
    int64_t modified, bytes; // of the file, if it is not open
    char *published;         // the diagnostics that the client has received, as JSON; NULL: none
} MgDocument;

typedef struct MgDocuments {
    MgDocument **at;
    size_t n, capacity;
    MgSourceReader reader; // for analyses: a text that is open counts as it is in the editor
    uint32_t budget_ms;    // the time that the types of one text may take
    bool frozen;           // a request is being answered: no text and no analysis changes
} MgDocuments;

void mg_documents_init(MgDocuments *documents);
void mg_documents_free(MgDocuments *documents);
// The document of a URI or path that is known, else NULL.
MgDocument *mg_documents_find(const MgDocuments *documents, const char *uri);
MgDocument *mg_documents_find_path(const MgDocuments *documents, const char *path);
// Takes a copy of the text. NULL: out of memory.
MgDocument *mg_documents_open(MgDocuments *documents, const char *uri, const char *text,
                              int32_t version);
// Applies one entry of contentChanges. False if it is invalid.
bool mg_documents_change(MgDocuments *documents, MgDocument *document, const cJSON *change,
                         MgEncoding encoding);
// Renews every stale analysis.
void mg_documents_refresh(MgDocuments *documents);
// Marks every analysis that depends on files as stale.
void mg_documents_recheck(MgDocuments *documents);
void mg_documents_close(MgDocuments *documents, MgDocument *document);
// The document at an absolute path. It is read from the disk unless it is open or has not changed
// since. NULL if there is no such regular file, or if it is over 16 MiB.
MgDocument *mg_documents_file(MgDocuments *documents, const char *path);
// The analysis of the text as it is now. NULL: out of memory.
MgAnalysis *mg_documents_analysis(MgDocuments *documents, MgDocument *document);
// The same with types and all errors, which are found only for open texts.
MgAnalysis *mg_documents_types(MgDocuments *documents, MgDocument *document);

#endif
