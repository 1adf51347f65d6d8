// What the front end knows about a text: its tree and names, and, once a request has asked for
// them, types and errors. Every change of the text makes a new analysis. An analysis changes once,
// when its types are found. Most requests need no types, and are answered in a third of the time.
#ifndef MG_EDITOR_ANALYSIS_H
#define MG_EDITOR_ANALYSIS_H

#include "frontend/source.h"
#include "frontend/symbols.h"

// The type of a name of the text. A name in the body of an operator has a note for each
// instantiation with another type.
typedef struct MgTypeNote {
    uint32_t begin; // of the name
    const char *type;
} MgTypeNote;

typedef struct MgAnalysis {
    MgSession *session;       // owns everything; its diagnostics are those of the text
    uint32_t source;          // of the text
    MgAstFile *file;          // NULL if it is not a text, or in another version of the language
    MgSymbols *symbols;       // NULL if file is
    bool syntax_errors;       // if so, no other errors are reported, and types cover what could be
                              // parsed
    bool typed;               // types and all errors have been looked for
    bool imports_files;       // it imports files of the user, which may change
    MG_VEC(MgTypeNote) types; // sorted by place
} MgAnalysis;

typedef struct MgAnalysisInput {
    const char *name, *text;
    size_t length;
    const MgSourceReader *reader; // of imports; lives as long as the analysis
} MgAnalysisInput;

// Finds the syntax and the names. Returns NULL if the memory limit is reached.
MgAnalysis *mg_analysis_new(const MgAnalysisInput *input);
// Finds types and all errors, for at most budget_ms. False if the memory limit is reached; the
// analysis can then only be freed.
bool mg_analysis_find_types(MgAnalysis *analysis, uint32_t budget_ms);
void mg_analysis_free(MgAnalysis *analysis); // NULL is allowed
const MgSource *mg_analysis_source(const MgAnalysis *analysis);
// The first note of the name that begins at `begin`, and their number in *n; NULL if there is none.
const MgTypeNote *mg_analysis_types(const MgAnalysis *analysis, uint32_t begin, uint32_t *n);

#endif
