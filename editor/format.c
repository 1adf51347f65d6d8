// Formatting: edits that turn the lines that differ into the text's canonical form.
#include "editor/internal.h"

typedef struct Lines {
    const char *text;
    const uint32_t *begins; // of n lines, and the end of the last
    uint32_t n;
} Lines;

static Lines split(MgArena *arena, const char *text, size_t length) {
    MG_VEC(uint32_t) begins = {0};
    for (size_t i = 0; i < length; i++)
        if (!i || text[i - 1] == '\n')
            mg_push(arena, &begins, (uint32_t)i);
    Lines lines = {.text = text, .n = begins.len};
    mg_push(arena, &begins, (uint32_t)length);
    lines.begins = begins.at;
    return lines;
}

static bool same(const Lines *a, uint32_t i, const Lines *b, uint32_t k) {
    uint32_t n = a->begins[i + 1] - a->begins[i];
    return n == b->begins[k + 1] - b->begins[k] &&
           !memcmp(a->text + a->begins[i], b->text + b->begins[k], n);
}

// The next pair of equal lines from i and k on, nearest first; the ends if there is none nearby.
static void meet(const Lines *a, const Lines *b, uint32_t *i, uint32_t *k) {
    enum { NEAR = 200 }; // lines that one change may span before the rest becomes one change
    for (uint32_t d = 0; d < NEAR; d++)
        for (uint32_t x = 0; x <= d; x++) {
            uint32_t p = *i + x, q = *k + d - x;
            if (p < a->n && q < b->n && same(a, p, b, q)) {
                *i = p;
                *k = q;
                return;
            }
        }
    *i = a->n;
    *k = b->n;
}

// Edits from the text to its canonical form, for the lines that touch [from, to).
static cJSON *edits(MgRequest *r, const char *formatted, size_t length, uint32_t from,
                    uint32_t to) {
    const MgSource *source = mg_analysis_source(r->analysis);
    Lines a = split(r->arena, source->text, source->length);
    Lines b = split(r->arena, formatted, length);
    cJSON *list = cJSON_CreateArray();
    for (uint32_t i = 0, k = 0; i < a.n || k < b.n;) {
        if (i < a.n && k < b.n && same(&a, i, &b, k)) {
            i++;
            k++;
            continue;
        }
        uint32_t first = i, line = k;
        meet(&a, &b, &i, &k);
        uint32_t begin = a.begins[first], end = a.begins[i];
        if (begin > to || end < from)
            continue;
        cJSON *edit = cJSON_CreateObject();
        cJSON_AddItemToObject(edit, "range",
                              mg_range_json(source, begin, end, r->server->encoding));
        cJSON_AddStringToObject(
            edit, "newText",
            mg_arena_str(r->arena, formatted + b.begins[line], b.begins[k] - b.begins[line]));
        cJSON_AddItemToArray(list, edit);
    }
    return list;
}

static cJSON *format(MgRequest *r, uint32_t from, uint32_t to) {
    MgAnalysis *a = r->analysis;
    if (!a->file || a->syntax_errors) // its tree lacks the wrong parts
        return mg_request_fail(r, MG_RPC_REQUEST_FAILED,
                               "a text with syntax errors cannot be formatted");
    MgText out = mg_text(r->arena);
    mg_fmt(a->session, a->file, &out);
    const char *text = mg_text_str(&out);
    return edits(r, text, out.bytes.len, from, to);
}

cJSON *mg_formatting(MgRequest *r) {
    return format(r, 0, UINT32_MAX);
}

cJSON *mg_range_formatting(MgRequest *r) {
    uint32_t from, to;
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(r->params, "range");
    if (!mg_range_read(range, r->document->text, r->document->length, r->server->encoding, &from,
                       &to))
        return mg_request_fail(r, MG_RPC_INVALID_PARAMS, "range is not two positions");
    return format(r, from, to);
}
