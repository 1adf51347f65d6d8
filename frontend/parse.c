// Parses a file. It checks that the file is text and hands the tokens to the grammar. After a
// syntax error it decides where to resume, so that one run reports every error and few false ones.
// Recovery: the grammar can resume at the token SYNC. This file sends SYNC before a line that can
// start a statement (inside a block) or an item (outside). A line inside open brackets belongs to
// its statement if it is indented further. A block is read even if its head is wrong.
#include "frontend/parse.h"

#include "frontend/parser.h"

typedef void *Scanner;
int mg_yylex_init_extra(MgParser *p, Scanner *scanner);
int mg_yylex_destroy(Scanner scanner);
void *mg_yy_scan_bytes(const char *text, int length, Scanner scanner);
int mg_yylex(MG_YYSTYPE *value, MgSpan *span, Scanner scanner);

typedef struct Token {
    MG_YYSTYPE value;
    MgTokenSeen seen;
} Token;

// ---------------------------------------------------------------- is it text

// The length of the UTF-8 character at text, with n bytes left; 0 if it is invalid.
static size_t utf8_length(const unsigned char *text, size_t n) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    if (length < 2 || length > n)
        return length <= n ? length : 0;
    uint32_t code = text[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    bool valid = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? length : 0;
}

static bool check_text(MgSession *session, uint32_t number) {
    const MgSource *source = &session->sources.all.at[number];
    const unsigned char *text = (const unsigned char *)source->text;
    for (uint32_t i = 0; i < source->length;) {
        size_t length = utf8_length(text + i, source->length - i);
        bool control =
            (text[i] < 0x20 && !strchr("\t\n\r", text[i] ? text[i] : 1)) || text[i] == 0x7f;
        if (!length || control) {
            mg_diag(session, (MgSpan){number, i, i + 1},
                    control ? MG_D_syntax_control : MG_D_syntax_utf8, text[i]);
            return false;
        }
        i += (uint32_t)length;
    }
    return true;
}

// ---------------------------------------------------------------- tokens

static bool first_on_line(const MgParser *p, uint32_t begin) {
    while (begin && strchr(" \t\r", p->text->text[begin - 1]))
        begin--;
    return !begin || p->text->text[begin - 1] == '\n';
}

static uint32_t column(const MgParser *p, MgSpan span) {
    uint32_t begin = span.begin;
    while (begin && p->text->text[begin - 1] != '\n')
        begin--;
    return span.begin - begin;
}

static Token next_token(MgParser *p, Scanner scanner) {
    Token t = {0};
    t.seen.kind = mg_yylex(&t.value, &t.seen.span, scanner);
    if (t.seen.kind == 0)
        t.seen.span = (MgSpan){p->file->source, p->text->length, p->text->length};
    t.seen.first = first_on_line(p, t.seen.span.begin);
    return t;
}

// Can the token begin a statement or an item? Parsing resumes only at a line that begins with such
// a token.
static bool may_start(const MgParser *p, int kind) {
    bool item = kind == MG_TOK_GRAPH || kind == MG_TOK_LAYER || kind == MG_TOK_OP ||
                kind == MG_TOK_BUILTIN || kind == MG_TOK_DERIVATIVE;
    if (!p->braces.len)
        return item;
    switch (kind) {
    case MG_TOK_AS:
    case MG_TOK_IN:
    case MG_TOK_ELSE:
    case MG_TOK_WHILE:
    case MG_TOK_SOME:
    case MG_TOK_OVER:
    case MG_TOK_AND:
    case MG_TOK_OR:
    case MG_TOK_NOT:
    case MG_TOK_LOOP:
    case MG_TOK_REDUCER:
        return false;
    }
    return kind == MG_TOK_IDENT || kind == MG_TOK_PATH || (kind >= MG_TOK_MG && kind < MG_TOK_NOT);
}

static bool resync_before(const MgParser *p, const MgTokenSeen *t) {
    if (!t->first)
        return false;
    uint32_t at = column(p, t->span);
    if (!p->braces.len) // a name at the margin is probably a misspelt `graph`
        return may_start(p, t->kind) || (t->kind == MG_TOK_IDENT && !at);
    return may_start(p, t->kind) && (!p->brackets || at <= p->column);
}

// Keeps track of open brackets, open braces and the statement's column, for recovery.
static void track(MgParser *p, const MgTokenSeen *t) {
    switch (t->kind) {
    case '(':
    case '[':
        p->brackets++;
        break;
    case ')':
    case ']':
        p->brackets -= p->brackets > 0;
        break;
    case '{':
        mg_push(p->arena, &p->braces, t->span);
        p->statement.span.source = 0;
        p->brackets = 0;
        break;
    case '}':
        if (p->braces.len)
            p->braces.len--;
        p->brackets = 0;
        break;
    default:
        if (t->first && !p->brackets && may_start(p, t->kind))
            p->column = column(p, t->span);
    }
}

static int push(MgParser *p, mg_yypstate *state, const Token *t) {
    p->token = t->seen;
    int status = mg_yypush_parse(state, t->seen.kind, &t->value, (MgSpan *)&t->seen.span, p);
    return status;
}

static int push_synthetic(MgParser *p, mg_yypstate *state, int kind, MgSpan near) {
    Token t = {.seen = {.kind = kind, .span = {near.source, near.begin, near.begin}}};
    return push(p, state, &t);
}

static int sync(MgParser *p, mg_yypstate *state, const Token *t) {
    int status = push_synthetic(p, state, MG_TOK_SYNC, t->seen.span);
    p->brackets = 0;
    return status;
}

// An item has started inside an open block. Closes the blocks and reads the item's first tokens
// again.
static int restart_item(MgParser *p, mg_yypstate *state, const Token *word, const Token *name) {
    int status = YYPUSH_MORE;
    p->close_blocks = false;
    while (p->braces.len && status == YYPUSH_MORE) {
        status = push_synthetic(p, state, '}', word->seen.span);
        p->braces.len--;
    }
    p->brackets = 0;
    if (status == YYPUSH_MORE)
        status = push(p, state, word);
    return status == YYPUSH_MORE ? push(p, state, name) : status;
}

static int feed(MgParser *p, mg_yypstate *state, const Token *before, const Token *t) {
    bool had_error = p->recovering;
    int status = YYPUSH_MORE;
    if (p->recovering && resync_before(p, &t->seen))
        status = sync(p, state, t);
    had_error = p->recovering;
    if (status == YYPUSH_MORE)
        status = push(p, state, t);
    if (t->seen.kind == '{')
        p->recovering = false; // a block is read even if its head is wrong
    if (p->close_blocks && status == YYPUSH_MORE)
        return restart_item(p, state, before, t);
    bool before_it = p->recovering && !had_error && !p->unexpected;
    if (before_it && status == YYPUSH_MORE && resync_before(p, &t->seen)) {
        status = sync(p, state, t); // the line before is at fault, not this one
        if (status == YYPUSH_MORE)
            status = push(p, state, t);
    }
    return status;
}

// ---------------------------------------------------------------- the version line

static void push_version(MgParser *p, mg_yypstate *state, MgSpan at) {
    push_synthetic(p, state, MG_TOK_MG, at);
    Token one = {.value.integer = 1, .seen = {.kind = MG_TOK_INT, .span = at}};
    push(p, state, &one);
}

// Reads `mg 1` and leaves the next token in t. A missing version line is reported, and parsing
// continues as if it were there, with the file's first token in t. False if the file has another
// version. Text that does not start at the file's beginning needs no version line.
static bool version_line(MgParser *p, mg_yypstate *state, Scanner scanner, Token *t) {
    bool begins = p->offset == 0;
    Token word = next_token(p, scanner), number = word;
    if (!begins) {
        push_version(p, state, word.seen.span);
        *t = word;
        return true;
    }
    if (word.seen.kind == MG_TOK_MG) {
        number = next_token(p, scanner);
        if (number.seen.kind == MG_TOK_INT && number.value.integer == 1) {
            push(p, state, &word);
            push(p, state, &number);
            p->last = number.seen;
            *t = next_token(p, scanner);
            return true;
        }
        if (number.seen.kind == MG_TOK_INT) {
            mg_diag(p->session, number.seen.span, MG_D_syntax_version,
                    (unsigned long long)number.value.integer);
            return false;
        }
    }
    mg_diag(p->session, number.seen.span, MG_D_syntax_no_version);
    push_version(p, state, word.seen.span);
    *t = number;
    return true;
}

// ---------------------------------------------------------------- the file

static void delete_state(void *state) {
    mg_yypstate_delete(state);
}

static void delete_locale(void *locale) {
    freelocale((locale_t)locale);
}

static bool read_tokens(MgParser *p, mg_yypstate *state, Scanner scanner) {
    Token before = {0}, t;
    if (!version_line(p, state, scanner, &t))
        return false;
    int status = YYPUSH_MORE;
    while (status == YYPUSH_MORE) {
        status = feed(p, state, &before, &t);
        track(p, &t.seen);
        if (t.seen.kind == 0)
            break;
        p->last = t.seen;
        before = t;
        t = next_token(p, scanner);
    }
    return true;
}

static void own(MgParser *p, void *object, MgDeferFn *release) {
    if (!object)
        mg_mem_fail(p->session->mem);
    mg_mem_defer(p->session->mem, release, object);
}

static void release(MgParser *p, void *object, MgDeferFn *release) {
    if (mg_mem_undefer(p->session->mem, object))
        release(object);
}

MgAstFile *mg_parse_part(MgSession *session, uint32_t source, uint32_t begin, uint32_t end) {
    MgSource text = session->sources.all.at[source];
    MgParser p = {.session = session, .arena = session->arena, .text = &text, .offset = begin};
    p.file = MG_NEW(p.arena, MgAstFile);
    p.file->source = source;
    p.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    own(&p, p.c_locale, delete_locale);
    Scanner scanner = NULL;
    p.scratch = mg_arena_new(session->mem);
    mg_yylex_init_extra(&p, &scanner);
    mg_yy_scan_bytes(text.text + begin, (int)(end - begin), scanner);
    mg_yypstate *state = mg_yypstate_new();
    own(&p, state, delete_state);
    bool known = read_tokens(&p, state, scanner);
    release(&p, state, delete_state);
    mg_arena_free(p.scratch);
    release(&p, p.c_locale, delete_locale);
    return known && !p.too_deep ? p.file : NULL; // a leaf stands where a tree is too deep
}

MgAstFile *mg_parse(MgSession *session, uint32_t source) {
    if (!check_text(session, source))
        return NULL;
    return mg_parse_part(session, source, 0, session->sources.all.at[source].length);
}
