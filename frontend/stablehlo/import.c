// The entry point: reads the text, translates its graph, and formats it.
#include "frontend/stablehlo/internal.h"

#include "frontend/fmt.h"
#include "frontend/parse.h"
#include "support/files.h"

#include <string.h>

// ---------------------------------------------------------------- which operation made which line
static void note_block(const MgHlo *t, uint32_t source, const char **makers,
                       const MgAstBlock *block) {
    for (uint32_t i = 0; i < block->stmts.len; i++) {
        const MgAstStmt *s = block->stmts.at[i];
        bool choice = s->kind == MG_STMT_IF_VALUE, loop = s->kind == MG_STMT_LOOP;
        MgSym name = s->kind == MG_STMT_BIND       ? s->bind.targets.at[0].name.sym
                     : s->kind == MG_STMT_EQUATION ? s->equation.name.sym
                     : choice                      ? s->if_value.targets.at[0].name.sym
                     : loop                        ? s->loop.targets.at[0].name.sym
                                                   : 0;
        const char *label = (const char *)(uintptr_t)mg_map_get(&t->makers, name, 0);
        uint32_t first = mg_place(t->session, source, s->span.begin).line;
        uint32_t last = mg_place(t->session, source, s->span.end).line;
        for (uint32_t line = first; label && line <= last; line++)
            makers[line - 1] = label;
        if (choice) {
            note_block(t, source, makers, &s->if_value.then);
            note_block(t, source, makers, &s->if_value.otherwise);
        } else if (loop)
            note_block(t, source, makers, &s->loop.body);
    }
}

static bool finish(MgHlo *t, MgText *text, MgStablehloImport *import) {
    MgText pretty = mg_text(t->arena);
    const MgAstFile *file = mg_parse(
        t->session, mg_add_source(t->session, t->path, mg_text_str(text), text->bytes.len));
    if (!file)
        return false;
    mg_fmt(t->session, file, &pretty);
    import->text = mg_text_str(&pretty);
    import->length = pretty.bytes.len;
    import->weights = t->weights;
    uint32_t source = mg_add_source(t->session, t->path, import->text, import->length);
    file = mg_parse(t->session, source);
    import->n_makers = t->session->sources.all.at[source].n_lines;
    const char **makers = MG_NEW_N(t->arena, const char *, import->n_makers + 1);
    for (uint32_t i = 0; file && i < file->items.len; i++)
        note_block(t, source, makers, &file->items.at[i]->body);
    import->makers = makers;
    return file != NULL;
}

bool mg_stablehlo_import_text(MgSession *session, const char *path, const char *text, size_t length,
                              const char *weights_file, MgStablehloImport *import) {
    static const char bytecode[] = {'M', 'L', (char)0xef, 'R'};
    MgHlo *t = MG_NEW(session->arena, MgHlo);
    MgText out = mg_text(session->arena);
    *t =
        (MgHlo){.session = session, .arena = session->arena, .names = session->names, .path = path};
    t->source = mg_add_source(session, path, text, length);
    t->text = session->sources.all.at[t->source].text;
    t->weights.path = path;
    t->sizes = mg_ix_table_new(t->arena);
    mg_map_init(&t->by_name, t->arena);
    mg_map_init(&t->used, t->arena);
    mg_map_init(&t->makers, t->arena);
    mg_map_init(&t->weights.by_key, t->arena);
    if (length >= sizeof bytecode && !memcmp(text, bytecode, sizeof bytecode))
        return mg_hlo_fail(t, t->text, "this is bytecode: print the module as text");
    if (strlen(t->text) != length)
        return mg_hlo_fail(t, t->text + strlen(t->text), "a byte 0 in the text");
    return mg_hlo_parse(t) && mg_hlo_translate(t, weights_file, &out) && !t->failed &&
           finish(t, &out, import);
}

bool mg_stablehlo_import(MgSession *session, const char *path, const char *weights_file,
                         MgStablehloImport *import) {
    MgFileBytes file;
    return mg_file_read(session, path, mg_no_span(), &file) &&
           mg_stablehlo_import_text(session, path, (const char *)file.bytes, file.length,
                                    weights_file, import);
}
