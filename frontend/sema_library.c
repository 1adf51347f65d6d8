// The standard library's files as units. A net uses about ten of their 350 items, and parsing whole
// files would take a third of a small net's front end. So each file is split at the heads of its
// items, which the build lists, and an item is parsed when it is first used.
#include "frontend/sema_internal.h"

#include "frontend/source.h"
#include "frontend/std_embedded.h"

MgSourceUnit *mg_unit_new(MgSema *s, MgAstFile *file, MgSym name) {
    MgSourceUnit *u = MG_NEW(s->arena, MgSourceUnit);
    *u = (MgSourceUnit){.file = file, .name = name};
    mg_map_init(&u->items, s->arena);
    mg_map_init(&u->derivatives, s->arena);
    mg_map_init(&u->places, s->arena);
    mg_map_init(&u->imports, s->arena);
    return u;
}

// The place of the first head of an item from `at` on, at the beginning of a line as in
// embed_files.cmake; the text's length if there is none.
static uint32_t next_head(const char *text, uint32_t at, uint32_t length) {
    static const char *const words[] = {"op ", "layer ", "builtin op "};
    for (const char *line = text + at; (line = memchr(line, '\n', length - (line - text)));) {
        line++;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (!strncmp(line, words[i], strlen(words[i])))
                return (uint32_t)(line - text);
    }
    return length;
}

static void list_items(MgSema *s, MgSourceUnit *u, const MgStdFile *f, uint32_t begin) {
    for (const char *const *name = f->defines; *name; name++) {
        uint32_t end = next_head(f->text, begin, (uint32_t)f->length);
        MgSym sym = mg_sym(s->names, *name);
        mg_map_put(&u->items, sym, 0);
        mg_map_put(&u->places, sym, (uint64_t)end << 32 | begin);
        begin = end;
    }
}

MgSourceUnit *mg_unit_library(MgSema *s, const char *name) {
    MgSym key = mg_symf(s->names, "<%s>", name);
    uint64_t *known = mg_map_find(&s->units, key);
    if (known)
        return (MgSourceUnit *)(uintptr_t)*known;
    const MgStdFile *f = mg_std_files;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    if (!f->name)
        return NULL;
    uint32_t begin = next_head(f->text, 0, (uint32_t)f->length);
    MgAstFile *file = mg_parse_part(s->session, mg_source_std(s->session, name), 0, begin);
    MgSourceUnit *u = mg_unit_new(s, file, mg_sym(s->names, name));
    u->library = true;
    list_items(s, u, f, begin);
    mg_map_put(&s->units, key, (uintptr_t)u);
    mg_load_imports(s, u);
    return u;
}

const MgAstItem *mg_unit_item(MgSema *s, MgSourceUnit *u, MgSym name) {
    uint64_t *known = mg_map_find(&u->items, name), *place;
    if (known && !*known && (place = mg_map_find(&u->places, name))) {
        MgAstFile *part =
            mg_parse_part(s->session, u->file->source, (uint32_t)*place, (uint32_t)(*place >> 32));
        *known = part && part->items.len ? (uintptr_t)part->items.at[0] : 0;
        for (uint32_t i = 1; *known && i < part->items.len; i++) // which comes after its op
            mg_declare_own(s, u, part->items.at[i]);
    }
    return known ? (const MgAstItem *)(uintptr_t)*known : NULL;
}

// Enters the names that are known without an import.
void mg_list_prelude(MgSema *s) {
    for (uint64_t i = 0; mg_std_files[i].name; i++) {
        const MgStdFile *f = &mg_std_files[i];
        for (const char *const *name = f->defines; !f->imported && *name; name++)
            mg_map_put(&s->prelude, mg_sym(s->names, *name), i + 1);
    }
}

MgSourceUnit *mg_unit_prelude(MgSema *s, MgSym name) {
    uint64_t file = mg_map_get(&s->prelude, name, 0);
    return file ? mg_unit_library(s, mg_std_files[file - 1].name) : NULL;
}
