// Reads a file of schedules: lines of words, nested by their indentation.
//
//   file     = { "schedule" names [ "(" [ "piece" N "of" N ] [ "," ] [ "unit" N "of" N ] ")" ]
//              "on" target block }
//   block    = lines that are indented further than the one above them
//   line     = "index" name "=" name "*" name { "*" name }
//            | "for" walk { "," walk } [ "on" level ] [ "dealt" ] [ "edges" ]
//              [ "carry" names | "skip" name ] [ "tail" tail ]
//            | "stage" ( names | "*" ) [ "as" "[" axis { "," axis } "]" ] "in" space [ "by" way ]
//            | "keep" names "in" space [ "by" way ]
//            | "do" names [ "with" atom ] [ "at" "last" name ] [ "by" way ]
//            | "join" names "over" name [ "by" monoid ] "in" space
//   walk     = name [ "by" ( N | block ) ] | name "=" digit { digit }
//   axis     = name [ "+" name | "/" N ] | N
//   digit    = level "(" ( N | "*" ) ")"
//
// A name is a word, or anything but a line's end in backquotes. `//` begins a comment.
#include "passes/nest/nest_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096 }; // words of a line
#define MOST_NUMBER ((int64_t)1 << 31)

typedef enum TokenKind { END, NAME, QUOTED, NUMBER, SIGN } TokenKind;
typedef struct Token {
    TokenKind kind;
    const char *text; // of a name; of a sign: its character
    int64_t value;
    MgSpan span;
} Token;

typedef struct Reader {
    MgSession *session;
    uint32_t source, at, end, indent; // of the current line
    Token token;                      // the next token
    bool follows;                     // the schedule joins blocks inside a loop
    bool failed;
} Reader;

// ---------------------------------------------------------------- tokens

static bool refuse(Reader *r, MgSpan span, const char *what) {
    const char *text = r->session->sources.all.at[r->source].text;
    const char *found = mg_arena_printf(r->session->arena, "'%.*s'", (int)(span.end - span.begin),
                                        text + span.begin);
    if (!r->failed)
        mg_diag(r->session, span, MG_D_schedule_text, what,
                span.end > span.begin ? found : "the end of the line");
    r->failed = true;
    return false;
}

static void next(Reader *r) {
    const char *text = r->session->sources.all.at[r->source].text;
    while (r->at < r->end && (text[r->at] == ' ' || text[r->at] == '\r'))
        r->at++;
    uint32_t from = r->at;
    r->token = (Token){.kind = END, .text = "", .span = {r->source, from, from}};
    if (from == r->end || (text[from] == '/' && from + 1 < r->end && text[from + 1] == '/'))
        return;
    char c = text[r->at++];
    if (isalpha((unsigned char)c) || c == '_') {
        while (r->at < r->end &&
               (isalnum((unsigned char)text[r->at]) || text[r->at] == '_' || text[r->at] == '.'))
            r->at++;
        r->token.kind = NAME;
        r->token.text = mg_arena_str(r->session->arena, text + from, r->at - from);
    } else if (isdigit((unsigned char)c)) {
        r->token.kind = NUMBER;
        r->token.value = c - '0';
        while (r->at < r->end && isdigit((unsigned char)text[r->at]))
            if (r->token.value <= MOST_NUMBER)
                r->token.value = r->token.value * 10 + (text[r->at++] - '0');
            else
                r->at++;
        if (r->token.value > MOST_NUMBER)
            refuse(r, (MgSpan){r->source, from, r->at}, "a number of at most 2147483648");
    } else if (c == '`') {
        while (r->at < r->end && text[r->at] != '`')
            r->at++;
        r->token.kind = QUOTED;
        r->token.text = mg_arena_str(r->session->arena, text + from + 1, r->at - from - 1);
        if (r->at == r->end)
            refuse(r, (MgSpan){r->source, from, r->at}, "a closing `");
        else
            r->at++;
    } else {
        r->token.kind = SIGN;
        r->token.text = mg_arena_str(r->session->arena, text + from, 1);
    }
    r->token.span.end = r->at;
}

// Goes to the next line that has a token; false at the end of the file.
static bool next_line(Reader *r) {
    const MgSource *s = &r->session->sources.all.at[r->source];
    while (!r->failed) {
        uint32_t begin = r->end == UINT32_MAX ? 0 : r->end + 1;
        if (begin >= s->length)
            return false;
        const char *newline = memchr(s->text + begin, '\n', s->length - begin);
        r->end = newline ? (uint32_t)(newline - s->text) : s->length;
        r->at = begin;
        while (r->at < r->end && s->text[r->at] == ' ')
            r->at++;
        r->indent = r->at - begin;
        if (r->at < r->end && s->text[r->at] == '\t')
            return refuse(r, (MgSpan){r->source, r->at, r->at + 1},
                          "blanks, not tabs, in front of a line");
        next(r);
        if (r->token.kind != END)
            return !r->failed;
    }
    return false;
}

static bool is(const Reader *r, const char *word) {
    return (r->token.kind == NAME || r->token.kind == SIGN) && !strcmp(r->token.text, word);
}

static bool take(Reader *r, const char *word) {
    if (!is(r, word))
        return false;
    next(r);
    return true;
}

static bool expect(Reader *r, const char *word) {
    return take(r, word) ||
           refuse(r, r->token.span, mg_arena_printf(r->session->arena, "'%s'", word));
}

static bool number(Reader *r, int64_t *value) {
    if (r->token.kind != NUMBER || !r->token.value)
        return refuse(r, r->token.span, "a number above 0");
    *value = r->token.value;
    next(r);
    return true;
}

static bool small_number(Reader *r, uint32_t *value) {
    int64_t n = 0;
    bool ok = number(r, &n);
    *value = (uint32_t)n;
    return ok;
}

// Finds a row of the table of words by its word.
static bool word_of(Reader *r, const char *const *words, uint32_t n, uint32_t *row) {
    for (*row = 0; *row < n; ++*row)
        if (*words[*row] && is(r, words[*row])) {
            next(r);
            return true;
        }
    MgText text = mg_text(r->session->arena);
    const char *before = "one of ";
    for (uint32_t i = 0; i < n; i++)
        if (*words[i]) {
            mg_textf(&text, "%s%s", before, words[i]);
            before = ", ";
        }
    return refuse(r, r->token.span, mg_text_str(&text));
}

static bool level(Reader *r, MgLevel *row) {
    uint32_t n;
    bool ok = word_of(r, mg_level_words, MG_N_LEVELS, &n);
    *row = (MgLevel)n;
    return ok;
}

static bool space(Reader *r, MgNestSpace *row) {
    uint32_t n;
    bool ok = word_of(r, mg_nest_space_words, MG_N_NEST_SPACES, &n);
    *row = (MgNestSpace)n;
    return ok;
}

static bool way(Reader *r, MgNestWay *row) {
    uint32_t n;
    bool ok = word_of(r, mg_nest_way_words, MG_N_WAYS, &n);
    *row = (MgNestWay)n;
    return ok;
}

static bool tail(Reader *r, MgTail *row) {
    uint32_t n;
    bool ok = word_of(r, mg_tail_words, MG_N_TAILS, &n);
    *row = (MgTail)n;
    return ok;
}

// A block's length: a number, or the word for a length that is not a number.
static bool block(Reader *r, MgWalk *w) {
    for (uint32_t n = 0; n < MG_N_BLOCKS; n++)
        if (*mg_block_words[n] && take(r, mg_block_words[n])) {
            w->block = (MgBlock)n;
            w->by = 1;
            return true;
        }
    return number(r, &w->by);
}

// ---------------------------------------------------------------- lines

typedef MG_VEC(MgNestWord) Words;

static bool word(Reader *r, Words *words, const char *what) {
    if (r->token.kind != NAME && r->token.kind != QUOTED)
        return refuse(r, r->token.span, what);
    if (words->len == MOST_WORDS)
        return refuse(r, r->token.span, "at most 4096 names in a line");
    MgNestWord w = {r->token.text, r->token.span};
    mg_push(r->session->arena, words, w);
    next(r);
    return true;
}

static bool words_between(Reader *r, Words *words, const char *sign, const char *what) {
    do
        if (!word(r, words, what))
            return false;
    while (take(r, sign));
    return true;
}

static bool walk(Reader *r, Words *words, MgWalk *w) {
    if (!word(r, words, "an index"))
        return false;
    if (take(r, "by"))
        return block(r, w);
    if (!take(r, "="))
        return true;
    do {
        if (w->n_digits == MG_MAX_DIGITS)
            return refuse(r, r->token.span, "at most 5 digits");
        MgDigit *d = &w->digits[w->n_digits++];
        if (!level(r, &d->level) || !expect(r, "("))
            return false;
        if (!take(r, "*") && !number(r, &d->size))
            return false;
        if (!expect(r, ")"))
            return false;
    } while (r->token.kind == NAME && !is(r, "tail") && !is(r, "on") && !is(r, "dealt") &&
             !is(r, "edges") && !is(r, "carry") && !is(r, "skip"));
    return true;
}

static bool for_line(Reader *r, Words *words, MgLine *line) {
    MG_VEC(MgWalk) walks = {0};
    do {
        MgWalk w = {0};
        if (walks.len == MG_MAX_WALKS)
            return refuse(r, r->token.span, "at most 64 indices in a line");
        if (!walk(r, words, &w))
            return false;
        mg_push(r->session->arena, &walks, w);
    } while (take(r, ","));
    line->walks = walks.at;
    line->n_walks = walks.len;
    if (take(r, "on") && !level(r, &line->level))
        return false;
    line->dealt = take(r, "dealt");
    line->edges = take(r, "edges");
    if (take(r, "carry")) {
        if (!words_between(r, words, ",", "a value"))
            return false;
    } else if (take(r, "skip")) {
        line->skips = true;
        if (!word(r, words, "a value"))
            return false;
    }
    return !take(r, "tail") || tail(r, &line->tail);
}

// An axis of a copy: a number, an index, a sum of two, or blocks of one.
static bool axis(Reader *r, Words *indices, MgNestAxis *axis) {
    *axis = (MgNestAxis){.index = UINT32_MAX};
    if (r->token.kind == NUMBER)
        return number(r, &axis->by);
    axis->index = 0; // the names say which
    if (!word(r, indices, "an index or a number"))
        return false;
    if (take(r, "+")) {
        axis->plus = 1;
        return word(r, indices, "an index");
    }
    return !take(r, "/") || number(r, &axis->by);
}

// The axes of a copy: "[m / 14, k, 14]".
static bool axes(Reader *r, Words *indices, MgLine *line) {
    MG_VEC(MgNestAxis) all = {0};
    if (!expect(r, "["))
        return false;
    do {
        MgNestAxis one;
        if (all.len == MG_MAX_AXES)
            return refuse(r, r->token.span, "at most 8 axes");
        if (!axis(r, indices, &one))
            return false;
        mg_push(r->session->arena, &all, one);
    } while (take(r, ","));
    line->axes = all.at;
    line->n_axes = all.len;
    return expect(r, "]");
}

static bool place_line(Reader *r, Words *words, Words *indices, MgLine *line) {
    bool nothing = line->kind == MG_LINE_STAGE && take(r, "*");
    return (nothing || words_between(r, words, ",", "a value")) &&
           (line->kind != MG_LINE_STAGE || !take(r, "as") || axes(r, indices, line)) &&
           expect(r, "in") && space(r, &line->space) && (!take(r, "by") || way(r, &line->way));
}

static bool atom(Reader *r, uint32_t *row) {
    for (uint32_t a = 0; a < MG_ATOM_COUNT; a++)
        if (take(r, mg_atom((MgAtom)a)->word)) {
            *row = a + 1;
            return true;
        }
    return refuse(r, r->token.span, "an atom, as 'bf16'");
}

static bool do_line(Reader *r, Words *words, Words *indices, MgLine *line) {
    if (!words_between(r, words, ",", "a value") || (take(r, "with") && !atom(r, &line->atom)))
        return false;
    line->at_last = take(r, "at");
    return (!line->at_last || (expect(r, "last") && word(r, indices, "an index"))) &&
           (!take(r, "by") || way(r, &line->way));
}

static bool monoid(Reader *r, uint32_t *row) {
    for (uint32_t m = 0; m < MG_N_MONOIDS; m++)
        if (take(r, mg_monoid((MgMonoid)m)->word)) {
            *row = m + 1;
            return true;
        }
    return refuse(r, r->token.span, "a monoid, as 'shifted'");
}

static bool join_line(Reader *r, Words *words, Words *indices, MgLine *line) {
    return words_between(r, words, ",", "a value") && expect(r, "over") &&
           word(r, indices, "an index") && (!take(r, "by") || monoid(r, &line->monoid)) &&
           expect(r, "in") && space(r, &line->space);
}

static bool read_line(Reader *r, MgTextLine *l) {
    Words words = {0}, indices = {0};
    MgSpan first = r->token.span;
    bool ok;
    if (take(r, "index")) {
        l->line.kind = MG_LINE_INDEX;
        ok = word(r, &words, "a name") && expect(r, "=") &&
             words_between(r, &words, "*", "an index");
    } else if (take(r, "for")) {
        l->line.kind = MG_LINE_FOR;
        ok = for_line(r, &words, &l->line);
    } else if (is(r, "stage") || is(r, "keep")) {
        l->line.kind = is(r, "stage") ? MG_LINE_STAGE : MG_LINE_KEEP;
        next(r);
        ok = place_line(r, &words, &indices, &l->line);
    } else if (take(r, "do")) {
        l->line.kind = MG_LINE_DO;
        ok = do_line(r, &words, &indices, &l->line);
    } else if (take(r, "join")) {
        l->line.kind = MG_LINE_JOIN;
        ok = join_line(r, &words, &indices, &l->line);
    } else
        ok = refuse(r, r->token.span, "'index', 'for', 'stage', 'keep', 'do' or 'join'");
    l->words = words.at;
    l->n_words = words.len;
    l->indices = indices.at;
    l->n_indices = indices.len;
    l->line.span = (MgSpan){r->source, first.begin, r->token.span.begin};
    while (l->line.span.end > first.begin &&
           r->session->sources.all.at[r->source].text[l->line.span.end - 1] == ' ')
        l->line.span.end--;
    return ok && (r->token.kind == END || refuse(r, r->token.span, "the line's end"));
}

// Reads the lines of a block that is indented by `indent`, starting with the current line. Ends at
// the first line outside.
static bool read_block(Reader *r, MgTextLine *outer, uint32_t indent, uint32_t depth, bool *more) {
    while (*more && r->indent >= indent) {
        if (r->indent > indent)
            return refuse(r, r->token.span, "the indentation of the line above");
        MgTextLine *l = MG_NEW(r->session->arena, MgTextLine);
        if (!read_line(r, l))
            return false;
        mg_push(r->session->arena, &outer->below, l);
        r->follows |= depth > 1 && l->line.kind == MG_LINE_JOIN;
        *more = next_line(r);
        if (!*more || r->indent <= indent)
            continue;
        if (l->line.kind != MG_LINE_FOR)
            return refuse(r, r->token.span,
                          "no further indentation: only 'for' has lines below it");
        if (depth == MG_NEST_DEPTH)
            return refuse(r, r->token.span, "at most 64 nested loops");
        if (!read_block(r, l, r->indent, depth + 1, more))
            return false;
    }
    return !r->failed;
}

static bool counted(Reader *r, uint32_t *number, uint32_t *n) {
    if (!small_number(r, number) || !expect(r, "of") || !small_number(r, n))
        return false;
    return *number <= *n || refuse(r, r->token.span, "a number of at most the one behind 'of'");
}

static bool read_heading(Reader *r, MgNestText *t) {
    Words words = {0};
    MgSpan first = r->token.span;
    if (r->indent || !take(r, "schedule"))
        return refuse(r, first, "'schedule' at the beginning of a line");
    if (!words_between(r, &words, ",", "a value"))
        return false;
    MgText values = mg_text(r->session->arena);
    for (uint32_t i = 0; i < words.len; i++) {
        mg_text_add(&values, i ? ", " : "");
        mg_nest_print_word(words.at[i].text, &values);
    }
    t->name = (MgNestName){.values = mg_text_str(&values)};
    if (take(r, "(")) {
        bool piece = take(r, "piece");
        if (piece && !counted(r, &t->name.piece, &t->name.n_pieces))
            return false;
        if ((!piece || take(r, ",")) &&
            (!expect(r, "unit") || !counted(r, &t->name.unit, &t->name.n_units)))
            return false;
        if (!expect(r, ")"))
            return false;
    }
    if (!expect(r, "on"))
        return false;
    t->name.gpu = is(r, "gpu");
    if (!take(r, "gpu") && !expect(r, "cpu"))
        return false;
    t->span = (MgSpan){r->source, first.begin, r->token.span.begin};
    return r->token.kind == END || refuse(r, r->token.span, "the line's end");
}

// Notes whose schedule it is, by the number of its heading. False if there is one already.
static bool is_first(Reader *r, MgMap *headings, const MgNestFile *file, uint32_t number) {
    const MgNestText *t = file->all.at[number];
    const MgNestName *n = &t->name;
    uint64_t key = mg_hash(n->values, strlen(n->values), n->gpu);
    key = mg_hash_mix(key, (uint64_t)n->piece << 32 | n->unit);
    const uint64_t *before = mg_map_find(headings, key);
    if (!before) {
        mg_map_put(headings, key, number);
        return true;
    }
    const MgSource *source = &r->session->sources.all.at[r->source];
    uint32_t line = mg_source_line(source, file->all.at[*before]->span.begin) + 1;
    mg_diag(r->session, t->span, MG_D_schedule_twice, line, n->values);
    r->failed = true;
    return false;
}

MgNestFile *mg_nest_read(MgSession *session, uint32_t source) {
    Reader r = {.session = session, .source = source, .end = UINT32_MAX};
    MgNestFile *file = MG_NEW(session->arena, MgNestFile);
    const MgSource *s = &session->sources.all.at[source];
    file->hash = mg_hash(s->text, s->length, 0);
    MgMap headings; // of a unit or piece -> the number of its schedule
    mg_map_init(&headings, session->arena);
    bool more = next_line(&r);
    while (more) {
        MgNestText *t = MG_NEW(session->arena, MgNestText);
        if (!read_heading(&r, t))
            break;
        mg_push(session->arena, &file->all, t);
        if (!is_first(&r, &headings, file, file->all.len - 1))
            break;
        more = next_line(&r);
        r.follows = false;
        if (more && r.indent && !read_block(&r, &t->root, r.indent, 1, &more))
            break;
        t->follows = r.follows;
    }
    return r.failed ? NULL : file;
}

const MgNestName *mg_nest_text_name(const MgNestText *text) {
    return &text->name;
}

MgSpan mg_nest_text_span(const MgNestText *text) {
    return text->span;
}

bool mg_nest_text_follows(const MgNestText *text) {
    return text->follows;
}
