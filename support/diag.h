// Diagnostics: what is wrong, where, what was expected, and what was found.
//
// Every message is a row of lang/diags.def: id, severity, printf format. A diagnostic names a span
// of a source; rendering shows the file, line and column, the line itself and a caret range.
// Diagnostics are collected, not printed: the caller renders them, so the library writes to no
// stream.
#ifndef MG_SUPPORT_DIAG_H
#define MG_SUPPORT_DIAG_H

#include "support/map.h"
#include "support/text.h"

// Bytes [begin, end) of source number `source` (see MgSources). source 0 is "no place".
typedef struct MgSpan {
    uint32_t source, begin, end;
} MgSpan;

typedef struct MgSource {
    const char *name; // as the user gave it, for messages
    const char *text; // NUL-terminated copy in the session's arena
    uint32_t length;
    uint32_t *lines; // offset of each line's first byte
    uint32_t n_lines;
    uint32_t *continued; // by block of MG_SOURCE_BLOCK bytes: the number of bytes before it that
                         // continue a character
    const char *const *makers; // by line: what the line was made from, which messages name; NULL:
                               // the user wrote the text
    uint32_t line, column; // not 0: only this place of the source is known, and the text is empty
} MgSource;
enum { MG_SOURCE_BLOCK = 256 };

typedef struct MgSources {
    MG_VEC(MgSource) all; // number 0 is unused
} MgSources;

typedef struct MgPlace {
    const char *file;
    uint32_t line, column; // from 1; column in characters (UTF-8 code points)
} MgPlace;

typedef enum MgSeverity { MG_ERROR, MG_WARNING, MG_NOTE } MgSeverity;

typedef enum MgDiagId {
#define MG_DIAG(id, severity, format) MG_D_##id,
#include "lang/diags.def"
#undef MG_DIAG
    MG_D_COUNT
} MgDiagId;

typedef struct MgDiag {
    MgDiagId id;
    MgSeverity severity;
    MgSpan span;
    const char *message;
    bool attached; // a note that belongs to the diagnostic before it
} MgDiag;

// Reads the text of files for a session that does not read them itself.
typedef struct MgSourceReader {
    void *context;
    // Returns 0 with the text, which lives as long as the arena, or an errno.
    int (*read)(void *context, MgArena *arena, const char *path, const char **text, size_t *length);
} MgSourceReader;

// What one compilation shares: memory, names, sources, diagnostics.
typedef struct MgSession {
    MgMem *mem;
    MgArena *arena; // lives as long as the session
    MgNames *names;
    MgSources sources;
    MG_VEC(MgDiag) diags;
    uint32_t n_errors, max_errors; // errors after max_errors (default 100) are counted but not
                                   // stored
    const MgSourceReader *reader;  // NULL: files are read from the file system
    const struct MgLowerOptions *lowering; // of the modules that are loaded; NULL: the defaults
} MgSession;

// memory_limit is in bytes; 0: none. NULL if memory runs out.
MgSession *mg_session_new(size_t memory_limit);
void mg_session_free(MgSession *session);

// Copies text; returns the source's number. The length must fit 31 bits (the caller checks it).
uint32_t mg_add_source(MgSession *session, const char *name, const char *text, size_t length);
// A place of a file that is not loaded, as a span. Messages name it, but show no line.
MgSpan mg_add_place(MgSession *session, MgPlace place);
// The number, from 0, of the line that contains the offset.
uint32_t mg_source_line(const MgSource *source, uint32_t offset);
MgPlace mg_place(const MgSession *session, uint32_t source, uint32_t offset);
// For a generated text: makers[i], unless it is NULL, says what line i + 1 was made from. Messages
// about that line show it in place of the source's name. n is the text's number of lines.
void mg_source_made_by(MgSession *session, uint32_t source, const char *const *makers, uint32_t n);
// The name of the file at that place, for messages.
const char *mg_place_file(const MgSession *session, MgSpan span);

// Reports row `id` at span. The arguments are those of its format.
void mg_diag(MgSession *session, MgSpan span, int id, ...);
// A note attached to the last diagnostic.
void mg_diag_note(MgSession *session, MgSpan span, int id, ...);
static inline MgSpan mg_no_span(void) {
    return (MgSpan){0, 0, 0};
}
static inline MgSpan mg_span_join(MgSpan a, MgSpan b) {
    return (MgSpan){a.source, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

// Are there errors, and does each of them say that something is not supported? Their ids begin with
// onnx_unsupported.
bool mg_diags_unsupported(const MgSession *session);

// The id of a row, such as "unknown_name".
const char *mg_diag_name(MgDiagId id);

// The name that a message proposes (`did you mean 'x'?`), in the arena; NULL if it proposes none.
const char *mg_diag_suggestion(const MgDiag *diag, MgArena *arena);

// Renders all diagnostics, sorted by place, as text:
//   net.mg:6:10: error: K is 784 from image, 128 from fc1.weight
//      6 | fc = nn.linear(x)
//        |      ^~~~~~~~~~~~
void mg_diags_render(const MgSession *session, MgText *out, bool color);

#endif
