#include "backends/cuda/ptx.h"

#include "backends/cuda/boxes.h"
#include "backends/opencl/print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// OpenCL finds the size and the origin of the range of items in registers of its own, which the
// CUDA driver doesn't set. The range begins at 0.
static const struct {
    const char *name, *value;
} registers[] = {{"%envreg0", "0"}, {"%envreg3", "0"}, {"%envreg6", "%nctaid.x"}};

enum { MOST_ARRAYS = 64, MOST_NAME = 200 };

typedef struct Array { // of local memory
    char name[MOST_NAME];
    uint64_t bytes, align, at;
} Array;

typedef struct Entry { // a kernel's text: its head, its body from the brace on, and its end
    const char *head, *body, *end;
    char name[MOST_NAME];
    Array arrays[MOST_ARRAYS];
    uint32_t n;
    uint64_t bytes; // of all arrays
    bool known;     // all its local memory is in `arrays`
} Entry;

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *next_line(const char *at, const char *end) {
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found + 1 : end;
}

// ---------------------------------------------------------------- reading

// Reads the declaration at the beginning of a line, if it is one of local memory.
static void read_array(Entry *e, const char *line) {
    static const char word[] = ".shared ";
    line += strspn(line, "\t ");
    if (strncmp(line, word, sizeof word - 1))
        return;
    Array *a = &e->arrays[e->n];
    int used = 0;
    e->known &= e->n < MOST_ARRAYS &&
                sscanf(line, ".shared .align %" SCNu64 " .b8 %199[^[ ;][%" SCNu64 "];%n", &a->align,
                       a->name, &a->bytes, &used) == 3 &&
                used && a->align && a->align <= 1024 && a->bytes < 1u << 30;
    if (!e->known)
        return;
    a->at = (e->bytes + a->align - 1) / a->align * a->align;
    e->bytes = a->at + a->bytes;
    e->n++;
}

// Finds the first kernel from `text` on.
static bool read_entry(const char *text, Entry *e) {
    static const char word[] = ".entry ";
    const char *found = strstr(text, word);
    *e = (Entry){.head = found, .known = true};
    e->body = found ? strchr(found, '{') : NULL;
    e->end = e->body ? strstr(e->body, "\n}") : NULL;
    if (!e->end || sscanf(found + sizeof word - 1, "%199[^( ]", e->name) != 1)
        return false;
    for (const char *line = e->body; line < e->end; line = next_line(line, e->end))
        read_array(e, line);
    return true;
}

// ---------------------------------------------------------------- writing

static bool contains(const Entry *e, const char *word) {
    return memmem(e->body, (size_t)(e->end - e->body), word, strlen(word));
}

// Can only the driver compile it well, as a whole module?
static bool is_whole(const Entry *e) {
    static const char *const calls[] = {"div.rn.", "rcp.rn.", "sqrt.rn.", "div.s64",
                                        "div.u64", "rem.s64", "rem.u64",  "call"};
    bool called = false, wide = contains(e, "wgmma.mma_async");
    for (size_t i = 0; wide && !called && i < sizeof calls / sizeof *calls; i++)
        called = contains(e, calls[i]);
    return called;
}

static const Array *array_of(const Entry *e, const char *name, size_t length) {
    for (uint32_t i = 0; i < e->n; i++)
        if (strlen(e->arrays[i].name) == length && !strncmp(e->arrays[i].name, name, length))
            return &e->arrays[i];
    return NULL;
}

// Writes a name, and returns what follows it. An array becomes a place in the memory that has no
// size.
static const char *write_name(FILE *to, const char *at, const char *end, const Entry *moved) {
    const char *after = at;
    while (after < end && is_name(*after))
        after++;
    const Array *a = moved ? array_of(moved, at, (size_t)(after - at)) : NULL;
    if (!a) {
        fwrite(at, 1, (size_t)(after - at), to);
        return after;
    }
    uint64_t offset = a->at;
    if (after < end && *after == '+' && isdigit((unsigned char)after[1])) {
        char *past;
        offset += strtoull(after + 1, &past, 10);
        after = past;
    }
    fprintf(to, "mg_local+%" PRIu64, offset);
    return after;
}

// Writes a text with OpenCL's registers replaced, and, if `moved` is given, its arrays as well.
static void write_text(FILE *to, const char *at, const char *end, const Entry *moved) {
    while (at < end) {
        const char *value = NULL, *after = at + 1;
        if (*at == '%') {
            while (after < end && is_name(*after))
                after++;
            for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
                if (strlen(registers[i].name) == (size_t)(after - at) &&
                    !strncmp(registers[i].name, at, (size_t)(after - at)))
                    value = registers[i].value;
        }
        if (value)
            fputs(value, to);
        else if (*at != '%' && is_name(*at))
            after = write_name(to, at, end, moved);
        else
            fwrite(at, 1, (size_t)(after - at), to);
        at = after;
    }
}

static bool is_declaration(const char *line) {
    line += strspn(line, "\t ");
    return *line == '.' || *line == '/' || *line == '\n' || *line == '{';
}

// Says how many groups share a unit, and how many items a group has, unless OpenCL's compiler has
// said it.
static void write_residents(FILE *to, const Entry *e) {
    static const char word[] = "// " MG_PTX_RESIDENT " ";
    size_t body = (size_t)(e->end - e->body), head = (size_t)(e->body - e->head);
    const char *found = memmem(e->body, body, word, sizeof word - 1);
    unsigned items, groups;
    if (!found || sscanf(found + sizeof word - 1, "%u %u", &items, &groups) != 2)
        return;
    if (!memmem(e->head, head, ".reqntid", 8) && !memmem(e->head, head, ".maxntid", 8))
        fprintf(to, ".maxntid %u, 1, 1\n", items);
    fprintf(to, ".minnctapersm %u\n", groups);
}

static void write_entry(FILE *to, const Entry *e) {
    const Entry *moved = e->known && e->bytes > MG_CU_MOST_STATIC ? e : NULL;
    const char *line = e->body;
    write_text(to, e->head, e->body, NULL);
    write_residents(to, e);
    for (; line < e->end && is_declaration(line); line = next_line(line, e->end))
        if (!moved || strncmp(line + strspn(line, "\t "), ".shared", strlen(".shared")))
            write_text(to, line, next_line(line, e->end), NULL);
    write_text(to, line, e->end, moved);
}

// The variable that describes an entry's boxes.
static void write_boxes(FILE *to, const Entry *e) {
    static const char word[] = "// " MG_PTX_BOX " ";
    uint32_t n = 0;
    for (const char *line = e->body; line < e->end; line = next_line(line, e->end))
        n += !strncmp(line + strspn(line, "\t "), word, strlen(word));
    if (!n)
        return;
    fprintf(to, "\n.visible .global .align 8 .b64 %s" MG_CU_BOX_SUFFIX "[%u] = {", e->name,
            n * (uint32_t)MG_CU_BOX_WORDS);
    const char *comma = "";
    for (const char *line = e->body; line < e->end; line = next_line(line, e->end)) {
        line += strspn(line, "\t ");
        if (strncmp(line, word, strlen(word)))
            continue;
        char *at = (char *)(uintptr_t)line + strlen(word);
        for (uint32_t i = 0; i < MG_CU_BOX_WORDS; i++, comma = ", ")
            fprintf(to, "%s%lld", comma, strtoll(at, &at, 10));
    }
    fputs("};\n", to);
}

// ---------------------------------------------------------------- parts

typedef struct Output { // the text of a part
    FILE *to;
    char *text;
    size_t bytes;
    bool local; // it has the memory of no size
} Output;

// The variables that say what a kernel needs, its boxes and local memory, and that memory.
static void write_needs(Output *o, const Entry *e) {
    write_boxes(o->to, e);
    if (!e->known || e->bytes <= MG_CU_MOST_STATIC)
        return;
    fprintf(o->to, "\n.visible .global .align 4 .b8 %s" MG_CU_LOCAL_SUFFIX "[%" PRIu64 "];\n",
            e->name, e->bytes);
    if (!o->local)
        fputs(".extern .shared .align 1024 .b8 mg_local[];\n", o->to);
    o->local = true;
}

// The beginning of the line where a kernel of `text` begins. What stands before it belongs to all
// parts.
static const char *line_of(const Entry *e, const char *text) {
    const char *line = e->head;
    while (line > text && line[-1] != '\n')
        line--;
    return line;
}

static void write_all(Output *all, uint32_t n, const char *text, const char *end) {
    for (uint32_t i = 0; i < n; i++)
        write_text(all[i].to, text, end, NULL);
}

// The first `wholes` of n parts have a kernel each that can't be linked.
static void write_parts(Output *all, uint32_t n, uint32_t wholes, const char *text) {
    const char *head = strstr(text, ".address_size");
    head = head ? next_line(head, text + strlen(text)) : text;
    for (uint32_t i = 0; i < n; i++)
        fwrite(text, 1, (size_t)(head - text), all[i].to);
    Entry e;
    Output *whole = all, *linked = all + wholes;
    for (text = head; read_entry(text, &e); text = e.end + strlen("\n}")) {
        const char *line = line_of(&e, text);
        Output *o = is_whole(&e) ? whole++ : linked;
        write_all(all, n, text, line);
        write_needs(o, &e);
        write_text(o->to, line, e.head, NULL);
        write_entry(o->to, &e);
        fputs("\n}", o->to);
    }
    write_all(all, n, text, text + strlen(text));
}

bool mg_cu_ptx(const char *text, MgCuParts *parts) {
    uint32_t kernels = 0, wholes = 0;
    Entry e;
    for (const char *at = text; read_entry(at, &e); at = e.end, kernels++)
        wholes += is_whole(&e);
    uint32_t n = wholes && wholes == kernels ? wholes : wholes + 1;
    Output *all = calloc(n, sizeof *all);
    *parts = (MgCuParts){.at = calloc(n, sizeof *parts->at)};
    bool ok = all && parts->at;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = (all[i].to = open_memstream(&all[i].text, &all[i].bytes));
    if (ok)
        write_parts(all, n, wholes, text);
    for (uint32_t i = 0; all && parts->at && i < n && all[i].to; i++) {
        ok &= !ferror(all[i].to);
        ok &= !fclose(all[i].to);
        parts->at[parts->n++] =
            (MgCuPart){all[i].text, all[i].bytes, i < wholes ? MG_CU_LOADABLE : MG_CU_PTX};
    }
    if (!ok)
        mg_cu_parts_free(parts);
    free(all);
    return ok;
}
