#include "tests/kernels/edit_schedule.h"

#include <ctype.h>

enum { MOST_EDITS = 3 };

typedef struct Editor {
    MgArena *arena;
    uint64_t state;
    MG_VEC(const char *) lines;
    uint32_t first, end; // lines of the edited schedule, without its heading
} Editor;

static uint32_t random_below(Editor *e, uint32_t n) {
    e->state = e->state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    return (uint32_t)((e->state >> 33) % (n ? n : 1));
}

static void split(Editor *e, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        mg_push(e->arena, &e->lines, mg_arena_str(e->arena, text, n));
        text += n + (text[n] == '\n');
    }
}

static bool is_heading(const char *line) {
    return !strncmp(line, "schedule ", 9);
}

// Chooses one of the schedules.
static bool choose(Editor *e) {
    uint32_t n = 0, which;
    for (uint32_t i = 0; i < e->lines.len; i++)
        n += is_heading(e->lines.at[i]);
    which = random_below(e, n);
    for (uint32_t i = 0; i < e->lines.len; i++)
        if (is_heading(e->lines.at[i]) && !which--) {
            e->first = e->end = i + 1;
            while (e->end < e->lines.len && e->lines.at[e->end][0] == ' ')
                e->end++;
        }
    return e->end > e->first;
}

// Replaces the `n` characters at `at`.
static void replace(Editor *e, uint32_t line, size_t at, size_t n, const char *with) {
    const char *old = e->lines.at[line];
    e->lines.at[line] = mg_arena_printf(e->arena, "%.*s%s%s", (int)at, old, with, old + at + n);
}

static const char *any_number(Editor *e) {
    static const char *const numbers[] = {"1",  "2",  "3",  "4",    "5",         "8",
                                          "16", "32", "64", "4096", "1073741824"};
    return numbers[random_below(e, sizeof numbers / sizeof *numbers)];
}

// The position of the next number of a line, from `at` on; the line's length if there is none.
static size_t find_number(const char *text, size_t at) {
    while (text[at] && !(isdigit((unsigned char)text[at]) && at &&
                         (text[at - 1] == '(' || text[at - 1] == ' ')))
        at++;
    return at;
}

static void other_number(Editor *e, uint32_t line) {
    const char *text = e->lines.at[line];
    size_t at = find_number(text, 0);
    if (text[at])
        replace(e, line, at, strspn(text + at, "0123456789"), any_number(e));
}

// Changes a number of the line to another one, in all lines of the schedule.
static void other_size(Editor *e, uint32_t line) {
    const char *text = e->lines.at[line], *with = any_number(e);
    size_t at = find_number(text, 0), n = strspn(text + at, "0123456789");
    const char *number = mg_arena_str(e->arena, text + at, n);
    for (uint32_t l = e->first; n && l < e->end; l++)
        for (at = find_number(e->lines.at[l], 0); e->lines.at[l][at];
             at = find_number(e->lines.at[l], at + 1))
            if (strspn(e->lines.at[l] + at, "0123456789") == n &&
                !strncmp(e->lines.at[l] + at, number, n))
                replace(e, l, at, n, with);
}

static void other_word(Editor *e, uint32_t line) {
    static const char *const words[][2] = {
        {" on core", ""},       {" tail mask", ""},        {"for ", "do "},
        {" = ", " by 4 = "},    {" reg(", " lane("},       {"time(*)", "core(*)"},
        {" in local", ""},      {"do ", "keep "},          {"lane(8)", "lane(4)"},
        {"core(*)", "core(3)"}, {"lane(", "reg(2) lane("}, {"warp(", "lane("},
        {"reg(*)", "time(*)"},  {" vec(4)", ""},           {"time(*) reg(4)", "reg(*)"},
        {" by turn", ""},       {"stage ", "keep "},       {" in reg", " in local"},
        {" edges", ""},         {" by phases", ""},        {" on reg", ""},
        {"do ", "stage "}};
    enum { N = sizeof words / sizeof *words };
    for (uint32_t tries = 0; tries < N; tries++) {
        const char *const *row = words[random_below(e, N)],
                          *found = strstr(e->lines.at[line], *row);
        if (found) {
            replace(e, line, (size_t)(found - e->lines.at[line]), strlen(*row), row[1]);
            return;
        }
    }
    replace(e, line, strlen(e->lines.at[line]), 0, random_below(e, 2) ? " tail mask" : " on core");
}

// Gives a loop, or its blocks, the index of another line.
static void other_index(Editor *e, uint32_t line) {
    const char *from = e->lines.at[e->first + random_below(e, e->end - e->first)];
    const char *text = e->lines.at[line], *a = strstr(text, "for "), *b = strstr(from, "for ");
    if (a && b) {
        size_t n = strcspn(b + 4, " ,");
        replace(e, line, (size_t)(a + 4 - text), strcspn(a + 4, " ,"),
                mg_arena_str(e->arena, b + 4, n));
    }
}

static void other_place(Editor *e, uint32_t line) {
    uint32_t to = e->first + random_below(e, e->end - e->first);
    const char *moved = e->lines.at[line];
    for (; line < to; line++)
        e->lines.at[line] = e->lines.at[line + 1];
    for (; line > to; line--)
        e->lines.at[line] = e->lines.at[line - 1];
    e->lines.at[to] = moved;
}

// Puts a loop around the line and those below it that are nested at least as deep.
static void new_loop(Editor *e, uint32_t line) {
    const char *text = e->lines.at[line];
    size_t indent = strspn(text, " ");
    const char *from = e->lines.at[e->first + random_below(e, e->end - e->first)];
    const char *index = strstr(from, "for ");
    size_t n = index ? strcspn(index + 4, " ,") : 1;
    const char *loop = mg_arena_printf(e->arena, "%*sfor %.*s%s", (int)indent, "", (int)n,
                                       index ? index + 4 : "i", random_below(e, 2) ? " by 8" : "");
    mg_push(e->arena, &e->lines, "");
    for (uint32_t i = e->lines.len - 1; i > line; i--)
        e->lines.at[i] = e->lines.at[i - 1];
    e->lines.at[line] = loop;
    e->end++;
    for (uint32_t i = line + 1; i < e->end && strspn(e->lines.at[i], " ") >= indent; i++)
        replace(e, i, 0, 0, "  ");
}

static void indent(Editor *e, uint32_t line) {
    if (random_below(e, 2))
        replace(e, line, 0, 0, "  ");
    else if (strspn(e->lines.at[line], " ") > 2)
        replace(e, line, 0, 2, "");
}

static void drop(Editor *e, uint32_t line) {
    e->lines.at[line] = "";
}

const char *mg_edit_schedule(MgArena *arena, const char *text, uint64_t seed) {
    static void (*const edits[])(Editor *, uint32_t) = {other_number, other_size,  other_word,
                                                        other_index,  other_place, new_loop,
                                                        new_loop,     indent,      drop};
    Editor e = {.arena = arena, .state = seed * 0x9e3779b97f4a7c15u + 1};
    split(&e, text);
    uint32_t n = 1 + random_below(&e, MOST_EDITS);
    for (uint32_t i = 0; choose(&e) && i < n; i++)
        edits[random_below(&e, sizeof edits / sizeof *edits)](
            &e, e.first + random_below(&e, e.end - e.first));
    MgText out = mg_text(arena);
    for (uint32_t i = 0; i < e.lines.len; i++)
        mg_textf(&out, "%s\n", e.lines.at[i]);
    return mg_text_str(&out);
}
