// Reads the {formulas} of messages. A formula is what mg_ix_print prints: names, numbers, + - * /
// %, min, max and parentheses.
#include "ir/fill.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/types.h"
#include "support/text.h"

typedef struct Reader {
    MgValueOfName value_of;
    void *context;
    const char *at, *end;
    int depth;
    bool ok;
} Reader;

static int64_t read_sum(Reader *r);

static void skip_blanks(Reader *r) {
    while (r->at < r->end && *r->at == ' ')
        r->at++;
}

static bool take(Reader *r, char c) {
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int64_t named(Reader *r, const char *name, size_t n) {
    int64_t value = 0;
    r->ok &= r->value_of && n && r->value_of(r->context, name, n, &value);
    return value;
}

static int64_t read_atom(Reader *r) {
    int64_t v;
    skip_blanks(r);
    if (r->depth++ > 100)
        r->ok = false;
    if (!r->ok)
        return 0;
    if (take(r, '-'))
        v = (int64_t) - (uint64_t)read_atom(r);
    else if (take(r, '(')) {
        v = read_sum(r);
        r->ok &= take(r, ')');
    } else {
        bool quoted = take(r, '`');
        const char *name = r->at;
        while (r->at < r->end && (quoted ? *r->at != '`' : is_word(*r->at)))
            r->at++;
        size_t n = (size_t)(r->at - name);
        r->ok &= !quoted || take(r, '`');
        bool min = n == 3 && !memcmp(name, "min", 3), max = n == 3 && !memcmp(name, "max", 3);
        if ((min || max) && take(r, '(')) {
            int64_t a = read_sum(r), b = take(r, ',') ? read_sum(r) : a;
            r->ok &= take(r, ')');
            v = (a < b) == min ? a : b;
        } else if (n && *name >= '0' && *name <= '9') {
            v = (int64_t)strtoll(name, NULL, 10);
        } else {
            v = named(r, name, n);
        }
    }
    r->depth--;
    return v;
}

static int64_t read_product(Reader *r) {
    int64_t v = read_atom(r);
    for (;;) {
        char op = take(r, '*') ? '*' : take(r, '/') ? '/' : take(r, '%') ? '%' : 0;
        if (!op)
            return v;
        MgPrim prim = op == '*' ? MG_PRIM_MUL : op == '/' ? MG_PRIM_FDIV : MG_PRIM_FMOD;
        MgBits args[] = {(MgBits)v, (MgBits)read_atom(r)};
        v = (int64_t)mg_prim_eval(prim, MG_I64, MG_I64, args);
    }
}

static int64_t read_sum(Reader *r) {
    int64_t v = read_product(r);
    for (;;) {
        if (take(r, '+'))
            v = (int64_t)((uint64_t)v + (uint64_t)read_product(r));
        else if (take(r, '-'))
            v = (int64_t)((uint64_t)v - (uint64_t)read_product(r));
        else
            return v;
    }
}

const char *mg_fill(MgArena *arena, const char *text, MgValueOfName value_of, void *context) {
    MgText out = mg_text(arena);
    while (*text) {
        const char *close = *text == '{' ? strchr(text, '}') : NULL;
        if (!close) {
            mg_text_add_n(&out, text++, 1);
            continue;
        }
        Reader r = {value_of, context, text + 1, close, 0, true};
        int64_t v = read_sum(&r);
        skip_blanks(&r);
        if (r.ok && r.at == close)
            mg_textf(&out, "%" PRId64, v);
        else
            mg_text_add_n(&out, text + 1, (size_t)(close - text - 1));
        text = close + 1;
    }
    return mg_text_str(&out);
}
