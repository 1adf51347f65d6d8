// ar archives, as System V and GNU write them: an index of symbols, and one object. They record no
// dates, owners or modes, so that the same object gives the same bytes.
#include "runtime/library.h"

#include <stdio.h>

enum { HEADER = 60 };

static char *member_header(MgArena *arena, const char *name, size_t length) {
    char *out = mg_arena_alloc(arena, HEADER + 1, 1);
    snprintf(out, HEADER + 1, "%-16.16s%-12u%-6u%-6u%-8o%-10zu`\n", name, 0u, 0u, 0u, 0644u,
             length);
    return out;
}

static void add_u32(MgText *out, uint32_t value) { // big-endian, on every machine
    char bytes[4] = {(char)(value >> 24), (char)(value >> 16), (char)(value >> 8), (char)value};
    mg_text_add_n(out, bytes, 4);
}

void mg_archive_parts(MgSession *session, const char *member, MgBytes object,
                      const char *const *symbols, uint32_t n, MgByteParts *parts) {
    static const char magic[] = "!<arch>\n", newline[] = "\n";
    MgArena *arena = session->arena;
    size_t names = 0;
    for (uint32_t i = 0; i < n; i++)
        names += strlen(symbols[i]) + 1;
    names += names % 2; // members begin at even offsets
    // A name of up to 15 bytes ends in a slash. A longer name is cut, since nothing looks it up.
    const char *name = mg_arena_printf(arena, "%.13s%s", member, strlen(member) > 13 ? "o/" : "/");
    size_t index = 4 + 4 * (size_t)n + names, first = sizeof magic - 1 + HEADER + index;
    MgText table = mg_text(arena);
    add_u32(&table, n);
    for (uint32_t i = 0; i < n; i++)
        add_u32(&table, (uint32_t)first);
    for (uint32_t i = 0; i < n; i++)
        mg_text_add_n(&table, symbols[i], strlen(symbols[i]) + 1);
    while (table.bytes.len < index)
        mg_text_add_n(&table, "", 1);
    MgBytes all[] = {{magic, sizeof magic - 1},
                     {member_header(arena, "/", index), HEADER},
                     {mg_text_str(&table), index},
                     {member_header(arena, name, object.length), HEADER},
                     object,
                     {newline, object.length % 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mg_push(arena, parts, all[i]);
}
