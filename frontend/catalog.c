// The standard library's items and the comments that describe them.
#include "frontend/catalog.h"

#include "frontend/source.h"
#include "frontend/std_embedded.h"

static void add_file(MgSession *session, MgCatalog *catalog, const MgStdFile *f) {
    MgAstFile *file = mg_parse(session, mg_source_std(session, f->name));
    for (uint32_t i = 0; file && i < file->items.len; i++) {
        const MgAstItem *item = file->items.at[i];
        const char *name = mg_name(session->names, item->name.sym);
        if (item->kind == MG_ITEM_DERIVATIVE) // its op has the entry of that name
            continue;
        if (f->imported)
            name = mg_arena_printf(session->arena, "%s.%s", f->name, name);
        mg_map_put(&catalog->by_name, mg_sym(session->names, name), catalog->entries.len);
        mg_push(session->arena, &catalog->entries,
                (MgCatalogEntry){f->name, item, name, mg_item_signature(session, item),
                                 mg_item_description(session, item)});
    }
}

MgCatalog *mg_catalog(MgSession *session) {
    MgCatalog *catalog = MG_NEW(session->arena, MgCatalog);
    mg_map_init(&catalog->by_name, session->arena);
    for (const MgStdFile *f = mg_std_files; f->name; f++)
        add_file(session, catalog, f);
    return catalog;
}

const MgCatalogEntry *mg_catalog_find(const MgCatalog *catalog, MgSym name) {
    uint64_t *at = mg_map_find(&catalog->by_name, name);
    return at ? &catalog->entries.at[*at] : NULL;
}

const char *mg_item_signature(MgSession *session, const MgAstItem *item) {
    const MgSource *source = &session->sources.all.at[item->span.source];
    bool has_body = item->kind != MG_ITEM_BUILTIN;
    uint32_t begin = item->span.begin, end = has_body ? item->body.span.begin : item->span.end;
    while (end > begin && strchr(" \t\r\n", source->text[end - 1]))
        end--;
    return mg_arena_str(session->arena, source->text + begin, end - begin);
}

// The beginning of the line before the line that begins at `line`.
static uint32_t line_before(const char *text, uint32_t line) {
    uint32_t begin = line - 1;
    while (begin && text[begin - 1] != '\n')
        begin--;
    return begin;
}

static bool is_comment(const char *text, uint32_t line) {
    return text[line] == '/' && text[line + 1] == '/';
}

const char *mg_item_description(MgSession *session, const MgAstItem *item) {
    const char *text = session->sources.all.at[item->span.source].text;
    uint32_t end = item->span.begin, begin;
    while (end && text[end - 1] != '\n')
        end--;
    for (begin = end; begin && is_comment(text, line_before(text, begin));)
        begin = line_before(text, begin);
    MgText out = mg_text(session->arena);
    for (uint32_t line = begin; line < end;) {
        uint32_t from = line + 2, to = from;
        while (text[to] != '\n')
            to++;
        line = to + 1;
        from += text[from] == ' ';
        if (!strncmp(text + from - 1, " ----", 5)) { // a section heading, which describes no item
            out.bytes.len = 0;
            continue;
        }
        mg_textf(&out, "%s%.*s", out.bytes.len ? "\n" : "", (int)(to - from), text + from);
    }
    return mg_text_str(&out);
}
