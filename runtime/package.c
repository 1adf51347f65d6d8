// Reading and writing .mgb containers. The file may be hostile: each offset is checked before it is
// used.
#include "runtime/package.h"

#define ALIGN ((uint64_t)64)
#define SECTIONS_MAX 1024

static const char magic[8] = "MGBOX\r\n\1"; // a transfer in text mode damages it, so it is noticed

typedef struct Head {
    char magic[8];
    uint64_t n, table_hash;
} Head;

typedef struct Row {
    uint64_t name, name_length, bytes, length, hash;
} Row;

static bool bad(MgSession *session, const char *path, const char *why) {
    mg_diag(session, mg_no_span(), MG_D_file_format, path, "mgb", why);
    return false;
}

static bool inside(const MgFileBytes *map, uint64_t offset, uint64_t length) {
    return offset <= map->length && length <= map->length - offset;
}

static bool is_weights(const char *name) {
    return !strcmp(name, "weights"); // they are large, and their own reader checks them
}

bool mg_package_of_bytes(MgSession *session, const MgFileBytes *map, MgPackage *package) {
    const char *path = map->path;
    Head head;
    *package = (MgPackage){.path = path};
    if (map->length < sizeof head)
        return bad(session, path, "it is too short");
    memcpy(&head, map->bytes, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0)
        return bad(session, path,
                   "it does not begin as one, or was written by another version of mgc");
    if (head.n > SECTIONS_MAX || !inside(map, sizeof head, head.n * sizeof(Row)))
        return bad(session, path, "its table does not fit into it (is it truncated?)");
    const unsigned char *table = map->bytes + sizeof head;
    if (mg_hash(table, head.n * sizeof(Row), 0) != head.table_hash)
        return bad(session, path, "its table is damaged");
    for (uint64_t i = 0; i < head.n; i++) {
        Row row;
        memcpy(&row, table + i * sizeof row, sizeof row);
        if (!inside(map, row.name, row.name_length) || !inside(map, row.bytes, row.length))
            return bad(session, path, "a section runs past its end (is it truncated?)");
        MgSection section = {
            .name =
                mg_arena_str(session->arena, (const char *)map->bytes + row.name, row.name_length),
            .bytes = map->bytes + row.bytes,
            .length = row.length};
        if (!is_weights(section.name) && mg_hash(section.bytes, section.length, 0) != row.hash)
            return bad(session, path, "a section is damaged");
        mg_push(session->arena, &package->sections, section);
    }
    return true;
}

bool mg_package_read(MgSession *session, const char *path, MgPackage *package) {
    MgFileBytes map;
    return mg_file_read(session, path, mg_no_span(), &map) &&
           mg_package_of_bytes(session, &map, package);
}

const MgSection *mg_package_find(const MgPackage *package, const char *name) {
    for (uint32_t i = 0; i < package->sections.len; i++)
        if (!strcmp(package->sections.at[i].name, name))
            return &package->sections.at[i];
    return NULL;
}

static const char zeros[ALIGN];
typedef MG_VEC(MgBytes) Parts;

// Adds bytes at the next multiple of 64 and returns their offset.
static uint64_t place(MgSession *session, Parts *list, uint64_t *at, const void *bytes,
                      size_t length) {
    uint64_t gap = (ALIGN - *at % ALIGN) % ALIGN, offset = *at + gap;
    mg_push(session->arena, list, (MgBytes){zeros, gap});
    mg_push(session->arena, list, (MgBytes){bytes, length});
    *at = offset + length;
    return offset;
}

bool mg_package_write(MgSession *session, const char *path, const MgPackage *package) {
    uint32_t n = package->sections.len;
    Row *table = MG_NEW_N(session->arena, Row, n + 1);
    Head *head = MG_NEW(session->arena, Head);
    Parts parts = {0};
    uint64_t at = sizeof *head + n * sizeof *table;
    mg_push(session->arena, &parts, (MgBytes){head, sizeof *head});
    mg_push(session->arena, &parts, (MgBytes){table, n * sizeof *table});
    for (uint32_t i = 0; i < n; i++) {
        const MgSection *s = &package->sections.at[i];
        table[i].name_length = strlen(s->name);
        table[i].name = place(session, &parts, &at, s->name, table[i].name_length);
        table[i].length = s->length;
        table[i].bytes = place(session, &parts, &at, s->bytes, s->length);
        table[i].hash = mg_hash(s->bytes, s->length, 0);
    }
    memcpy(head->magic, magic, sizeof magic);
    head->n = n;
    head->table_hash = mg_hash(table, n * sizeof *table, 0);
    return mg_file_write(session, path, parts.at, parts.len);
}
