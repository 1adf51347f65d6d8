// Collects diagnostics and renders them with their lines and carets.
#include "support/diag.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    MgSeverity severity;
    const char *id, *format;
} rows[] = {
#define MG_DIAG(id, severity, format) {MG_##severity, #id, format},
#include "lang/diags.def"
#undef MG_DIAG
};

MgSession *mg_session_new(size_t memory_limit) {
    MgMem *mem = mg_mem_new(memory_limit);
    if (!mem)
        return NULL;
    MgTry frame;
    if (MG_TRY(mem, frame)) {
        MgArena *arena = mg_arena_new(mem);
        MgSession *session = MG_NEW(arena, MgSession);
        session->mem = mem;
        session->arena = arena;
        session->names = mg_names_new(arena);
        session->max_errors = 100;
        mg_push(arena, &session->sources.all, (MgSource){0});
        mg_try_end(mem, &frame);
        return session;
    }
    mg_mem_free(mem);
    return NULL;
}

void mg_session_free(MgSession *session) {
    if (session)
        mg_mem_free(session->mem); // the session itself lives in its arena
}

static bool continues_character(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

// The number of bytes in [begin, end) that continue a character.
static uint32_t continued_in(const MgSource *source, uint32_t begin, uint32_t end) {
    uint32_t n = 0;
    for (uint32_t i = begin; i < end; i++)
        n += continues_character(source->text[i]);
    return n;
}

// The number of bytes before the offset that continue a character. It is counted by blocks, since a
// line may be as long as the file.
static uint32_t continued_before(const MgSource *source, uint32_t offset) {
    uint32_t block = offset / MG_SOURCE_BLOCK;
    return source->continued[block] + continued_in(source, block * MG_SOURCE_BLOCK, offset);
}

uint32_t mg_add_source(MgSession *session, const char *name, const char *text, size_t length) {
    MgArena *arena = session->arena;
    MgSource source = {.name = mg_arena_str(arena, name, strlen(name)),
                       .text = mg_arena_str(arena, text, length),
                       .length = (uint32_t)length};
    uint32_t n = 1;
    for (size_t i = 0; i < length; i++)
        n += text[i] == '\n';
    source.lines = MG_NEW_N(arena, uint32_t, n);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            source.lines[++source.n_lines] = (uint32_t)i + 1;
    source.n_lines++;
    uint32_t blocks = source.length / MG_SOURCE_BLOCK;
    source.continued = MG_NEW_N(arena, uint32_t, (size_t)blocks + 1);
    for (uint32_t i = 0; i < blocks * MG_SOURCE_BLOCK; i++)
        source.continued[i / MG_SOURCE_BLOCK + 1] += continues_character(text[i]);
    for (uint32_t i = 0; i < blocks; i++)
        source.continued[i + 1] += source.continued[i];
    mg_push(arena, &session->sources.all, source);
    return session->sources.all.len - 1;
}

MgSpan mg_add_place(MgSession *session, MgPlace place) {
    uint32_t number = mg_add_source(session, place.file, "", 0);
    session->sources.all.at[number].line = place.line;
    session->sources.all.at[number].column = place.column;
    return (MgSpan){number, 0, 0};
}

uint32_t mg_source_line(const MgSource *source, uint32_t offset) {
    uint32_t lo = 0, hi = source->n_lines;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (source->lines[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

MgPlace mg_place(const MgSession *session, uint32_t number, uint32_t offset) {
    if (!number || number >= session->sources.all.len)
        return (MgPlace){"", 0, 0};
    const MgSource *source = &session->sources.all.at[number];
    if (source->line)
        return (MgPlace){source->name, source->line, source->column};
    uint32_t line = mg_source_line(source, offset), begin = source->lines[line];
    uint32_t end = offset < source->length ? offset : source->length;
    uint32_t continued = end < begin + MG_SOURCE_BLOCK
                             ? continued_in(source, begin, end)
                             : continued_before(source, end) - continued_before(source, begin);
    return (MgPlace){source->name, line + 1, 1 + end - begin - continued};
}

void mg_source_made_by(MgSession *session, uint32_t number, const char *const *makers, uint32_t n) {
    if (number < session->sources.all.len && session->sources.all.at[number].n_lines == n)
        session->sources.all.at[number].makers = makers;
}

const char *mg_place_file(const MgSession *session, MgSpan span) {
    if (!span.source || span.source >= session->sources.all.len)
        return "";
    const MgSource *source = &session->sources.all.at[span.source];
    const char *maker = source->makers ? source->makers[mg_source_line(source, span.begin)] : NULL;
    return maker ? maker : source->name;
}

static void report(MgSession *session, MgSpan span, int id, bool attached, va_list args) {
    MgDiag diag = {.id = (MgDiagId)id, .severity = rows[id].severity, .span = span};
    diag.attached = attached;
    if (diag.severity == MG_ERROR && session->n_errors++ >= session->max_errors)
        return;
    if (attached && session->n_errors > session->max_errors)
        return;
    diag.message = mg_arena_vprintf(session->arena, rows[id].format, args);
    mg_push(session->arena, &session->diags, diag);
}

void mg_diag(MgSession *session, MgSpan span, int id, ...) {
    va_list args;
    va_start(args, id);
    report(session, span, id, false, args);
    va_end(args);
}

void mg_diag_note(MgSession *session, MgSpan span, int id, ...) {
    va_list args;
    va_start(args, id);
    report(session, span, id, true, args);
    va_end(args);
}

bool mg_diags_unsupported(const MgSession *session) {
    static const char prefix[] = "onnx_unsupported";
    for (uint32_t i = 0; i < session->diags.len; i++) {
        const MgDiag *d = &session->diags.at[i];
        if (d->severity == MG_ERROR && strncmp(rows[d->id].id, prefix, sizeof prefix - 1) != 0)
            return false;
    }
    return session->n_errors > 0;
}

const char *mg_diag_name(MgDiagId id) {
    return rows[id].id;
}

const char *mg_diag_suggestion(const MgDiag *diag, MgArena *arena) {
    static const char phrase[] = "did you mean '";
    const char *from = strstr(diag->message, phrase);
    from = from ? from + sizeof phrase - 1 : NULL;
    const char *end = from ? strchr(from, '\'') : NULL;
    return end ? mg_arena_str(arena, from, (size_t)(end - from)) : NULL;
}

// Cuts a line of more than WHOLE characters to BEFORE and AFTER of them around the caret.
enum { WHOLE = 200, BEFORE = 60, AFTER = 80 };

typedef struct Window {
    uint32_t begin, end;
    bool cut_before, cut_after;
} Window;

// The part of the line of `at` that is shown. It holds whole characters.
static Window window_at(const MgSource *source, uint32_t at) {
    uint32_t begin = source->lines[mg_source_line(source, at)], end = begin, characters = 0;
    for (; end < source->length && source->text[end] != '\n' && source->text[end] != '\r'; end++)
        characters += !continues_character(source->text[end]);
    if (characters <= WHOLE)
        return (Window){begin, end, false, false};
    Window w = {at, at, false, false};
    for (uint32_t n = 0; w.begin > begin && n < BEFORE;
         n += !continues_character(source->text[w.begin]))
        w.begin--;
    for (uint32_t n = 0; w.end < end && n < AFTER; w.end++)
        n += w.end + 1 < end && !continues_character(source->text[w.end + 1]);
    w.cut_before = w.begin > begin;
    w.cut_after = w.end < end;
    return w;
}

// Renders the source line of a span, and a caret range below it.
static void render_line(const MgSession *session, MgText *out, MgSpan span) {
    static const char ellipsis[] = "…";
    const MgSource *source = &session->sources.all.at[span.source];
    Window shown = window_at(source, span.begin);
    mg_textf(out, "%5u | %s", mg_source_line(source, span.begin) + 1,
             shown.cut_before ? ellipsis : "");
    for (uint32_t i = shown.begin; i < shown.end;
         i++) { // the terminal must not act on control bytes
        bool control = (unsigned char)source->text[i] < 0x20 && source->text[i] != '\t';
        mg_text_add_n(out, control ? "?" : source->text + i, 1);
    }
    mg_textf(out, "%s\n      | %s", shown.cut_after ? ellipsis : "", shown.cut_before ? " " : "");
    for (uint32_t i = shown.begin; i < span.begin && i < shown.end; i++)
        if (!continues_character(source->text[i]))
            mg_text_add(out, source->text[i] == '\t' ? "\t" : " ");
    mg_text_add(out, "^");
    for (uint32_t i = span.begin + 1; i < span.end && i < shown.end; i++)
        if (!continues_character(source->text[i]))
            mg_text_add(out, "~");
    mg_text_add(out, "\n");
}

static void render(const MgSession *session, MgText *out, const MgDiag *diag, bool color) {
    static const char *const words[] = {"error", "warning", "note"};
    static const char *const paint[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    MgSpan span = diag->span;
    if (span.source) {
        MgPlace place = mg_place(session, span.source, span.begin);
        mg_textf(out, "%s:%u:%u: ", mg_place_file(session, span), place.line, place.column);
    }
    mg_textf(out, "%s%s:%s %s\n", color ? paint[diag->severity] : "", words[diag->severity],
             color ? "\033[0m" : "", diag->message);
    if (span.source && !session->sources.all.at[span.source].line)
        render_line(session, out, span);
}

typedef struct Group {
    uint32_t first, n;
    MgSpan span;
} Group;

static int by_place(const void *a, const void *b) {
    const Group *x = a, *y = b;
    if (x->span.source != y->span.source)
        return x->span.source < y->span.source ? -1 : 1;
    if (x->span.begin != y->span.begin)
        return x->span.begin < y->span.begin ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

void mg_diags_render(const MgSession *session, MgText *out, bool color) {
    uint32_t n = 0;
    Group *groups = MG_NEW_N(out->arena, Group, session->diags.len + 1);
    for (uint32_t i = 0; i < session->diags.len; i++) {
        const MgDiag *d = &session->diags.at[i];
        if (d->attached && n)
            groups[n - 1].n++;
        else
            groups[n++] = (Group){i, 1, d->span};
    }
    qsort(groups, n, sizeof *groups, by_place);
    for (uint32_t g = 0; g < n; g++)
        for (uint32_t i = 0; i < groups[g].n; i++)
            render(session, out, &session->diags.at[groups[g].first + i], color);
    if (session->n_errors > session->max_errors)
        mg_textf(out, "%u more error%s not shown\n", session->n_errors - session->max_errors,
                 session->n_errors - session->max_errors == 1 ? " is" : "s are");
}
