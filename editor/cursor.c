// Finds what is being typed from the text alone, because the tree of a half-written program has no
// node for the statement that matters.
#include "editor/internal.h"

enum { DEEPEST = 64 };

typedef struct Open {
    char bracket;
    const char *callee, *attribute;
    size_t callee_length, attribute_length;
    uint32_t argument;
} Open;

static bool is_word(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

// The end of the comment or string that begins at i.
static uint32_t skip(const char *text, uint32_t i, uint32_t end) {
    bool string = text[i] == '"';
    for (i++; i < end && text[i] != '\n'; i++) {
        if (string && text[i] == '"')
            return i + 1;
        if (string && text[i] == '\\' && i + 1 < end && text[i + 1] != '\n')
            i++;
    }
    return i;
}

typedef struct Scan {
    Open open[DEEPEST];
    uint32_t n;       // open brackets; those past the deepest are only counted
    const char *name; // the last dotted name, if only blanks follow it
    size_t name_length;
} Scan;

static void bracket(Scan *s, char c) {
    if (c == '(' || c == '[') {
        if (s->n < DEEPEST)
            s->open[s->n] = (Open){
                .bracket = c, .callee = c == '(' ? s->name : NULL, .callee_length = s->name_length};
        s->n++;
    } else if (c == ')' || c == ']')
        s->n -= s->n > 0;
    else if (c == '{' || c == '}')
        s->n = 0;
    Open *top = s->n && s->n <= DEEPEST ? &s->open[s->n - 1] : NULL;
    if (top && c == ',') {
        top->argument++;
        top->attribute = NULL;
    } else if (top && c == '=' && s->name) {
        top->attribute = s->name;
        top->attribute_length = s->name_length;
    }
    s->name = NULL;
}

static void scan(Scan *s, const char *text, uint32_t end) {
    for (uint32_t i = 0; i < end;) {
        char c = text[i];
        uint32_t begin = i;
        if (c == '"' || (c == '/' && i + 1 < end && text[i + 1] == '/')) {
            i = skip(text, i, end);
            s->name = NULL;
        } else if (is_word(c)) {
            while (i < end &&
                   (is_word(text[i]) || (text[i] == '.' && i + 1 < end && is_word(text[i + 1]))))
                i++;
            s->name = text + begin;
            s->name_length = i - begin;
        } else {
            i++;
            if (!strchr(" \t\r\n", c))
                bracket(s, c);
        }
    }
}

static void set_call(const Scan *s, MgCursor *cursor) {
    for (uint32_t i = s->n < DEEPEST ? s->n : DEEPEST; i-- > 0;) {
        const Open *open = &s->open[i];
        if (open->bracket != '(' || !open->callee)
            continue;
        cursor->callee = open->callee;
        cursor->callee_length = open->callee_length;
        cursor->argument = open->argument;
        cursor->attribute = open->attribute;
        cursor->attribute_length = open->attribute_length;
        return;
    }
}

void mg_cursor(const char *text, uint32_t offset, MgCursor *cursor) {
    uint32_t begin = offset;
    while (begin && is_word(text[begin - 1]))
        begin--;
    *cursor = (MgCursor){.word = text + begin, .word_length = offset - begin};
    uint32_t before = begin;
    if (begin && text[begin - 1] == '.') {
        uint32_t end = --before;
        while (before && (is_word(text[before - 1]) || text[before - 1] == '.'))
            before--;
        if (before < end) {
            cursor->module = text + before;
            cursor->module_length = end - before;
        }
    }
    while (before && (text[before - 1] == ' ' || text[before - 1] == '\t'))
        before--;
    cursor->after_colon = before && text[before - 1] == ':';
    Scan s = {.n = 0};
    scan(&s, text, begin);
    set_call(&s, cursor);
}
