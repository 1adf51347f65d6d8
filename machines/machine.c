// Reads and prints machines. A file may come from anywhere: every byte is checked, and every number
// must be within the bounds of its figure's row.
#include "machines/machine.h"

#include "machines/embedded.h"
#include "support/map.h"

#include <string.h>

const MgFigureRow mg_figures[MG_N_FIGURES] = {
#define MG_FIGURE(name, kind, unit, least, most, usual, meaning)                                   \
    {#name, MG_FIGURE_##kind, unit, least, most, usual, meaning},
#include "machines/figures.def"
#undef MG_FIGURE
};

static const MgMachine usual = {.name = "usual",
#define MG_FIGURE(name, kind, unit, least, most, usual, meaning) .name = usual,
#include "machines/figures.def"
#undef MG_FIGURE
                                .from = {
#define MG_FIGURE(name, kind, unit, least, most, usual, meaning) "usual",
#include "machines/figures.def"
#undef MG_FIGURE
                                }};

const MgMachine *mg_machine_usual(void) {
    return &usual;
}

const char *const *mg_machine_names(void) {
    return mg_machine_file_names;
}

// ---------------------------------------------------------------- words and numbers
// A multiple of a figure's unit. Every unit is a multiple of itself.
static const struct {
    const char *name, *unit;
    double by;
} multiples[] = {{"KiB", "B", 1024},
                 {"MiB", "B", 1048576},
                 {"GiB", "B", 1073741824},
                 {"us", "ns", 1000},
                 {"ms", "ns", 1000000}};

typedef struct Word {
    const char *at;
    size_t length;
} Word;

typedef struct Reader {
    MgMachine *machine;
    const char *at, *end; // of the current line
    const char *from;
    bool began;     // something besides `like` was given
    uint32_t depth; // files that refer to one another by `like`
} Reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static Word next_word(Reader *r) {
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
    const char *begin = r->at;
    while (r->at < r->end && !is_blank(*r->at))
        r->at++;
    return (Word){begin, (size_t)(r->at - begin)};
}

static bool is_word(Word w, const char *text) {
    return w.length == strlen(text) && !memcmp(w.at, text, w.length);
}

// Reads a decimal of at most 15 digits, which a double tells apart; no locale changes it.
static bool read_number(Word w, double *value) {
    uint64_t digits = 0;
    double by = 1;
    uint32_t n = 0;
    bool point = false;
    for (size_t i = 0; i < w.length; i++) {
        if (w.at[i] == '.' && !point && i) {
            point = true;
            continue;
        }
        if (w.at[i] < '0' || w.at[i] > '9' || ++n > 15)
            return false;
        digits = digits * 10 + (uint64_t)(w.at[i] - '0');
        by *= point ? 10 : 1;
    }
    *value = (double)digits / by;
    return n && w.at[w.length - 1] != '.';
}

// The factor from the word's unit to `unit`; 0: it is a unit of something else.
static double read_unit(Word w, const char *unit) {
    if (is_word(w, unit))
        return 1;
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
        if (!strcmp(multiples[i].unit, unit) && is_word(w, multiples[i].name))
            return multiples[i].by;
    return 0;
}

// ---------------------------------------------------------------- lines
static const char *read_text(MgMachine *machine, const char *text, size_t length, const char *from,
                             uint32_t depth, uint32_t *line);

static const MgMachineFile *find_file(Word name) {
    for (const MgMachineFile *f = mg_machine_files; f->name; f++)
        if (is_word(name, f->name))
            return f;
    return NULL;
}

static const char *read_like(Reader *r) {
    enum { DEEPEST = 8 };
    uint32_t line;
    const MgMachineFile *file = find_file(next_word(r));
    if (r->began)
        return "'like' comes first";
    if (!file || r->depth == DEEPEST)
        return "'like' takes the name of a machine that mgc knows";
    r->began = true;
    return read_text(r->machine, file->text, file->length, file->name, r->depth + 1, &line);
}

static const char *read_name(Reader *r, char *to) {
    Word w = next_word(r);
    if (!w.length || w.length >= MG_MACHINE_NAME)
        return "a name has 1 to 31 characters";
    for (size_t i = 0; i < w.length; i++)
        if (w.at[i] < '!' || w.at[i] > '~')
            return "a name has printable characters";
    memcpy(to, w.at, w.length);
    to[w.length] = 0;
    return NULL;
}

static const char *read_figure(Reader *r, Word name) {
    int figure = 0;
    double value, by;
    while (figure < MG_N_FIGURES && !is_word(name, mg_figures[figure].name))
        figure++;
    if (figure == MG_N_FIGURES)
        return "no figure has this name (mgc machine lists them)";
    const MgFigureRow *row = &mg_figures[figure];
    if (!read_number(next_word(r), &value))
        return "a figure is a decimal number of at most 15 digits";
    if (!(by = read_unit(next_word(r), row->unit)))
        return "the number lacks its figure's unit or has another's (mgc machine shows it)";
    if (value * by < row->least || value * by > row->most)
        return "the number is outside the range of its figure";
    r->machine->at[figure] = value * by;
    r->machine->from[figure] = r->from;
    return NULL;
}

static const char *read_line(Reader *r) {
    const char *wrong;
    Word w = next_word(r);
    if (!w.length)
        return NULL;
    if (is_word(w, "machine")) { // the rest is for the file's owner
        r->at = r->end;
        return NULL;
    }
    if (is_word(w, "like"))
        wrong = read_like(r);
    else if (is_word(w, "llvm"))
        wrong = read_name(r, r->machine->llvm);
    else if (is_word(w, "isa"))
        wrong = read_name(r, r->machine->isa);
    else
        wrong = read_figure(r, w);
    r->began = true;
    return wrong ? wrong : next_word(r).length ? "something follows what the line says" : NULL;
}

static const char *read_text(MgMachine *machine, const char *text, size_t length, const char *from,
                             uint32_t depth, uint32_t *line) {
    enum { LARGEST = 1 << 20 };
    Reader r = {.machine = machine, .from = from, .depth = depth};
    *line = 1;
    if (!length) // an empty file may have no bytes at all
        return "its first line is not 'mg machine 1'";
    if (length > LARGEST)
        return "it is larger than 1 MiB";
    const char *end = text + length, *wrong = NULL;
    for (*line = 0; text < end && !wrong;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        r.at = text;
        r.end = newline ? newline : end;
        text = newline ? newline + 1 : end;
        const char *comment = memchr(r.at, '#', (size_t)(r.end - r.at));
        r.end = comment ? comment : r.end;
        bool first = !(*line)++;
        if (!first)
            wrong = read_line(&r);
        else if (!is_word(next_word(&r), "mg") || !is_word(next_word(&r), "machine") ||
                 !is_word(next_word(&r), "1") || next_word(&r).length)
            wrong = "its first line is not 'mg machine 1'";
    }
    return wrong;
}

const char *mg_machine_read(MgMachine *machine, const char *text, size_t length, const char *from,
                            uint32_t *line) {
    return read_text(machine, text, length, from, 0, line);
}

bool mg_machine_find(const char *name, MgMachine *machine) {
    uint32_t line;
    const MgMachineFile *file = find_file((Word){name, strlen(name)});
    if (!file || strlen(name) >= MG_MACHINE_NAME)
        return false;
    *machine = usual;
    strcpy(machine->name, name);
    return !read_text(machine, file->text, file->length, file->name, 0, &line);
}

// ---------------------------------------------------------------- printing
void mg_machine_set(MgMachine *machine, MgFigure figure, double value, const char *from) {
    const MgFigureRow *row = &mg_figures[figure];
    machine->at[figure] = value > row->least ? value < row->most ? value : row->most : row->least;
    machine->from[figure] = from;
}

// At most 15 digits, and no more decimals than a measured figure is worth.
static const char *number_text(MgArena *arena, double value) {
    char *text = mg_arena_printf(arena, value < 1e9 ? "%.6f" : "%.0f", value);
    size_t n = strlen(text);
    while (strchr(text, '.') && text[n - 1] == '0')
        text[--n] = 0;
    if (text[n - 1] == '.')
        text[--n] = 0;
    return text;
}

// The largest multiple of the unit for which the value is a whole number.
static const char *largest_unit(const char *unit, double value, double *by) {
    const char *name = unit;
    for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++) {
        double n = value / multiples[i].by;
        if (!strcmp(multiples[i].unit, unit) && n >= 1 && n == (double)(uint64_t)n) {
            name = multiples[i].name;
            *by = multiples[i].by;
        }
    }
    return name;
}

void mg_machine_print(const MgMachine *machine, MgFigureKind kind, MgText *out) {
    mg_text_add(out, "mg machine 1\n");
    if (machine->isa[0])
        mg_textf(out, "isa %s\n", machine->isa);
    if (machine->llvm[0])
        mg_textf(out, "llvm %s\n", machine->llvm);
    for (int i = 0; i < MG_N_FIGURES; i++) {
        const MgFigureRow *row = &mg_figures[i];
        if (!(row->kind & kind))
            continue;
        double by = 1;
        const char *unit = largest_unit(row->unit, machine->at[i], &by);
        const char *text = mg_arena_printf(out->arena, "%s %s %s", row->name,
                                           number_text(out->arena, machine->at[i] / by), unit);
        mg_textf(out, "%-32s # %s: %s\n", text, machine->from[i], row->meaning);
    }
}

uint64_t mg_machine_hash(const MgMachine *machine) {
    return mg_hash(machine->at, sizeof machine->at, 0);
}
