// Reports syntax errors in the user's words: what was expected, what was found, and where.
//
// The tokens that the parser expects are grouped, so that a message names few things: all tokens
// that start an expression are "an expression". If the construct before a line is incomplete, the
// error is reported at the end of the line before, not at the first token of the next.
#include "frontend/foreign.h"
#include "frontend/parse.h"
#include "frontend/parser.h"
#include "ir/words.h"

// ---------------------------------------------------------------- what was expected

typedef struct Expected {
    const char *const *names;
    size_t n;
    bool gone[128]; // by token: a group has already named it
} Expected;

static int find(const Expected *e, const char *name) {
    for (size_t i = 0; i < e->n; i++)
        if (!strcmp(e->names[i], name))
            return (int)i;
    return -1;
}

static bool has(const Expected *e, const char *name) {
    return find(e, name) >= 0;
}

static void remove_all(Expected *e, const char *const *names) {
    for (; *names; names++) {
        int i = find(e, *names);
        if (i >= 0)
            e->gone[i] = true;
    }
}

static void remove_words(Expected *e, bool reserved) {
    for (size_t i = 0; i < e->n; i++) {
        const MgWord *word = mg_word_find(e->names[i], strlen(e->names[i]));
        if (word && (reserved || !word->reserved))
            e->gone[i] = true;
    }
}

static const char *const expression_tokens[] = {
    "a name", "a dotted name", "a reducer", "a string", "a whole number", "a number", "'('",
    "'['",    "'-'",           "not",       NULL};
static const char *const name_tokens[] = {"a name", "a dotted name", "a reducer", NULL};
static const char *const operator_tokens[] = {"'+'", "'-'", "'*'", "'/'", "'%'", "'<'", "'>'", "==",
                                              "!=",  "<=",  ">=",  "and", "or",  "'='", NULL};
static const char *const after_name_tokens[] = {"'('", "'['", NULL};
static const char *const annotation_tokens[] = {"'#'", NULL};
static const char *const clause_tokens[] = {"require",   "weights",  "let",
                                            "broadcast", "training", NULL};
// Expected only where other items are, and rarely used.
static const char *const rare_tokens[] = {"derivative of", NULL};
static const char *const closing_tokens[] = {"'}'", "')'", "']'", "','", NULL};

static bool has_expression(const Expected *e) {
    return has(e, "a whole number") && has(e, "a number") && has(e, "'('");
}

static bool has_statement(const Expected *e) {
    return has(e, "for") && has(e, "yield") && !has(e, "a reducer");
}

// Is the token, or the group of tokens, expected?
static bool stands(const Expected *e, const char *name) {
    return !strcmp(name, "a statement")     ? has_statement(e)
           : !strcmp(name, "an expression") ? has_expression(e)
                                            : has(e, name);
}

// The name of a group that the expected tokens contain, or NULL. Marks the group's tokens as gone.
static const char *name_group(Expected *e) {
    bool expression = has_expression(e), statement = has_statement(e);
    if (!expression && !statement && !has(e, "a name"))
        return NULL;
    remove_words(e, expression || statement || has(e, "a reducer"));
    remove_all(e, expression ? expression_tokens : name_tokens);
    if (!statement)
        return expression ? "an expression" : "a name";
    remove_all(e, operator_tokens);
    remove_all(e, after_name_tokens);
    remove_all(e, annotation_tokens);
    return "a statement";
}

// Lists a few things that could be here, separated by commas, the likeliest first.
static const char *expectation(MgParser *p, Expected *e) {
    enum { MOST = 5 };
    const char *items[128 + 4], *group = name_group(e);
    remove_all(e, rare_tokens);
    size_t n = 0, rest = 0;
    bool operators = has(e, "'+'") && has(e, "'*'") && !e->gone[find(e, "'+'")];
    if (operators) {
        remove_all(e, operator_tokens);
        for (size_t i = 0; i < e->n; i++)
            rest += !e->gone[i] && strcmp(e->names[i], "'('") && strcmp(e->names[i], "'['");
        if (rest || group)
            remove_all(e, after_name_tokens);
    }
    bool clause = !group && has(e, "require") && has(e, "weights");
    if (clause) {
        remove_all(e, clause_tokens);
        remove_all(e, annotation_tokens);
    }
    if (group)
        items[n++] = group;
    for (const char *const *close = closing_tokens; *close; close++) // the likeliest one
        if (has(e, *close) && !e->gone[find(e, *close)])
            items[n++] = *close;
    remove_all(e, closing_tokens);
    for (size_t i = 0; i < e->n; i++)
        if (!e->gone[i] && strcmp(e->names[i], "end of file"))
            items[n++] = e->names[i];
    if (clause)
        items[n++] = "a clause";
    if (operators && !rest && !group)
        items[n++] = "an operator";
    if (!n)
        items[n++] = "the end of the file";
    MgText text = mg_text(p->arena);
    for (size_t i = 0; i < n && i < MOST; i++) {
        bool word = mg_word_find(items[i], strlen(items[i])) || strchr(".-=!<>", items[i][0]);
        const char *between = i == 0 ? "" : i + 1 == n && n <= MOST ? " or " : ", ";
        mg_textf(&text, word ? "%s'%s'" : "%s%s", between, items[i]);
    }
    if (n > MOST)
        mg_text_add(&text, ", …");
    return mg_text_str(&text);
}

// ---------------------------------------------------------------- what was found

static const char *found(MgParser *p, bool next_line) {
    const char *where = next_line ? " on the next line" : "";
    uint32_t length = p->token.span.end - p->token.span.begin;
    const char *text = p->text->text + p->token.span.begin;
    if (p->token.kind == MG_TOK_YYEOF)
        return "the end of the file";
    if (p->token.kind == MG_TOK_STRING)
        return mg_arena_printf(p->arena, "a string%s", where);
    if (length > 40)
        return mg_arena_printf(p->arena, "'%.32s…'%s", text, where);
    return mg_arena_printf(p->arena, "'%.*s'%s", (int)length, text, where);
}

// What users usually mean if these tokens are expected and this one is found.
static const char *usual_slip(const MgParser *p, const Expected *e, const char *token) {
    static const struct {
        const char *expected, *and, *not, *found, *advice;
    } slips[] = {
        {"==", "'+'", "for", "=", "a comparison is '=='"},
        {"'='", "':'", "'+'", "==", "a definition has one '='"},
        {"'?'", "...", "'+'", "(", "a shape goes in brackets, as in f32[N]"},
        {"'='", "'['", "'+'", "(", "a statement names its value, as in y = relu(x)"},
        {"a name", "a string", "a number", "[", "a shape follows its element type, as in f32[N]"},
        {"..", "..=", "a name", "{", "a range is written first..end, as in 0..3"},
        {"':'", NULL, "'='", ">", "a type parameter has a class, as in T: float"},
        {"a statement", NULL, NULL, "(", "operands and attributes go in one pair of parentheses"},
        {"an expression", NULL, NULL, "if",
         "to choose between numbers, use where(condition, a, b)"},
    };
    const char *text = p->text->text + p->last.span.begin;
    const MgWord *last = mg_word_find(text, p->last.span.end - p->last.span.begin);
    if (last && last->reserved && has(e, "'='") && !has(e, "'+'") && !has(e, "':'"))
        return mg_arena_printf(p->arena,
                               "'%s' is a word of the language: to use it as a name, put it in "
                               "backticks",
                               last->text);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (stands(e, slips[i].expected) && (!slips[i].and || stands(e, slips[i].and)) &&
            (!slips[i].not || !stands(e, slips[i].not )) && !strcmp(slips[i].found, token))
            return slips[i].advice;
    return NULL;
}

// MG's form of what other languages write in this way. NULL if nothing is known.
static const char *foreign_advice(const MgParser *p, const Expected *e, const MgTokenSeen *word) {
    const char *text = p->text->text, *at = text + p->token.span.begin;
    const char *token = mg_arena_str(p->arena, at, p->token.span.end - p->token.span.begin);
    const char *advice = mg_foreign_syntax(text, at);
    if (!advice && has(e, "'+'"))
        advice = mg_foreign(MG_FOREIGN_INFIX, token);
    if (!advice && has(e, "']'"))
        advice = mg_foreign(MG_FOREIGN_SUBSCRIPT, token);
    if (!advice)
        advice = usual_slip(p, e, token);
    bool begins = has(e, "'='") && has(e, "'['"); // the first word of a statement came before
    if (!advice && (word->first || begins) && word->span.source)
        advice = mg_foreign_syntax(text, text + word->span.begin);
    return advice;
}

// A hint at what the user probably meant, or "".
static const char *hint(MgParser *p, const Expected *e) {
    static const char *const starts[] = {"graph",   "layer", "op",     "builtin", "import",
                                         "param",   "const", "buffer", "require", "yield",
                                         "weights", "for",   "dim",    "emit",    "broadcast"};
    const MgTokenSeen *word =
        has(e, "graph") && has(e, "op") && !has(e, "a name") ? &p->token : &p->last;
    uint32_t length = p->token.span.end - p->token.span.begin;
    const char *text = p->text->text + p->token.span.begin;
    const MgWord *reserved = mg_word_find(text, length);
    const char *advice = foreign_advice(p, e, word);
    if (advice)
        return mg_arena_printf(p->arena, "; %s", advice);
    if (has(e, "a name") && reserved && reserved->reserved && !p->token.first)
        return mg_arena_printf(
            p->arena, "; '%s' is a word of the language: to use it as a name, put it in backticks",
            reserved->text);
    if (word->kind == MG_TOK_IDENT && word->first && word->span.source) {
        const char *name = mg_arena_str(p->arena, p->text->text + word->span.begin,
                                        word->span.end - word->span.begin);
        int near = mg_nearest(name, starts, sizeof starts / sizeof *starts);
        if (near >= 0)
            return mg_arena_printf(p->arena, "; did you mean '%s'?", starts[near]);
    }
    return "";
}

static bool starts_item(const MgParser *p, const MgTokenSeen *t) {
    return t->span.source && t->first &&
           (!t->span.begin || p->text->text[t->span.begin - 1] == '\n') &&
           (t->kind == MG_TOK_GRAPH || t->kind == MG_TOK_LAYER || t->kind == MG_TOK_OP ||
            t->kind == MG_TOK_BUILTIN || t->kind == MG_TOK_DERIVATIVE);
}

static void report_unclosed(MgParser *p, MgSpan at, const char *before) {
    mg_diag(p->session, at, MG_D_syntax_unclosed, before);
    mg_diag_note(p->session, p->braces.at[p->braces.len - 1], MG_D_syntax_opened);
}

static bool same_line(const MgParser *p, MgSpan a, MgSpan b) {
    return a.source && a.begin <= b.begin &&
           !memchr(p->text->text + a.begin, '\n', b.begin - a.begin);
}

// Two statements may share a line. But tokens after a statement that don't form a statement were
// probably meant as part of it: `y = relu x`.
static bool breaks_line(const MgParser *p, const Expected *e) {
    const MgTokenSeen *start = &p->statement;
    return start->kind == MG_TOK_IDENT && !start->first && has(e, "'='") && has(e, "':'") &&
           same_line(p, start->span, p->last.span);
}

// The part of the line before the span.
static MgSpan line_before(const MgParser *p, MgSpan span) {
    MgSpan line = {span.source, span.begin, span.begin};
    while (line.begin && p->text->text[line.begin - 1] != '\n')
        line.begin--;
    return line;
}

static const char *text_of(const MgParser *p, const MgTokenSeen *t) {
    return mg_arena_str(p->arena, p->text->text + t->span.begin, t->span.end - t->span.begin);
}

// The place of the bracket that is closed at `at`; the start of the line if it is not on the line.
static uint32_t opening(const char *text, uint32_t at) {
    for (uint32_t depth = 0; at && text[at] != '\n'; at--) {
        depth += text[at] == ')' || text[at] == ']';
        depth -= text[at] == '(' || text[at] == '[';
        if (!depth)
            break;
    }
    return at;
}

// The statement begins on the line of another one. If that one ends in a reducer, its indices are
// missing or in the wrong brackets.
static const char *reducer_advice(const MgParser *p, const MgTokenSeen *statement) {
    const char *text = p->text->text;
    uint32_t end = statement->span.begin;
    while (end && text[end - 1] == ' ')
        end--;
    bool brackets = end && text[end - 1] == ')';
    if (brackets)
        end = opening(text, end - 1);
    uint32_t begin = end;
    while (begin && text[begin - 1] >= 'a' && text[begin - 1] <= 'z')
        begin--;
    if (!mg_is_reducer(text + begin, end - begin))
        return "";
    return brackets ? "; the indices of a reduction go in brackets, as in sum[i] x[i]"
                    : "; a reduction names its indices in brackets, as in sum[i] x[i]";
}

void mg_syntax_error(MgParser *p, const char *const *names, size_t n) {
    p->recovering = true;
    if (p->token.kind == MG_TOK_INVALID)
        return; // the lexer has reported what is wrong
    Expected e = {.names = names, .n = n};
    if (p->braces.len && starts_item(p, &p->last)) {
        p->close_blocks = true;
        report_unclosed(p, p->last.span,
                        mg_arena_printf(p->arena, "'%.*s'",
                                        (int)(p->last.span.end - p->last.span.begin),
                                        p->text->text + p->last.span.begin));
        return;
    }
    bool complete =
        (has(&e, "yield") && !has(&e, "a reducer")) || (has(&e, "end of file") && !has(&e, "'('"));
    p->unexpected = complete;
    if (p->token.kind == MG_TOK_YYEOF && p->braces.len && has(&e, "'}'")) {
        report_unclosed(p, p->last.span, "the end of the file");
        return;
    }
    MgSpan at = p->token.span;
    bool next_line =
        p->last.span.source && !complete && (p->token.first || p->token.kind == MG_TOK_YYEOF);
    if (next_line)
        at = (MgSpan){at.source, p->last.span.end, p->last.span.end};
    if (same_line(p, p->error, at))
        return; // it follows from the first error
    p->error = at;
    if (breaks_line(p, &e)) {
        mg_push(p->arena, &p->file->skipped, line_before(p, p->statement.span));
        mg_diag(p->session, p->statement.span, MG_D_syntax_same_line, text_of(p, &p->statement),
                reducer_advice(p, &p->statement));
        return;
    }
    if (has(&e, "'='") && has(&e, "'['"))
        mg_push(p->arena, &p->file->unnamed, at);
    const char *help = hint(p, &e);
    mg_diag(p->session, at, MG_D_syntax, expectation(p, &e), found(p, next_line), help);
}
