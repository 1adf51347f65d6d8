// mgc ops lists the operators and layers of the standard library with one sentence each, or shows
// the signature, description and example of one. mgc help OP prints its definition. All of this
// comes from the library's text, except the examples, which come from its test cases.
#include "tools/mgc.h"
#include "tools/options_table.h"

#include "frontend/catalog.h"

#include <ctype.h>
#include <stdio.h>

static const struct {
    const char *name, *call;
} examples[] = {
#define MG_EXAMPLE(name, call) {name, call},
#include "lang/examples.def"
#undef MG_EXAMPLE
};

static const char *example_of(const char *name) {
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (!strcmp(examples[i].name, name))
            return examples[i].call;
    return NULL;
}

static int first_line(const char *text) {
    return (int)strcspn(text, "\n");
}

// The first sentence of a text, and the second if the first only names a paper and its year.
static size_t first_sentence(const char *text) {
    for (size_t i = 1; text[i]; i++) {
        bool ends = text[i] == '.' && isspace((unsigned char)text[i + 1]) &&
                    isupper((unsigned char)text[i + 2]);
        if (ends && !isdigit((unsigned char)text[i - 1]))
            return i;
    }
    return strlen(text);
}

// Adds a name and its description, broken between words.
static void add_line(MgText *out, MgSession *session, const MgCatalogEntry *e) {
    enum { LEFT = 27, PAGE = 110 };
    const char *text = mg_item_description(session, e->item);
    const char *end = text + first_sentence(text);
    mg_textf(out, "  %-24s", e->name);
    for (size_t column = LEFT - 1, word; text < end; text += word) {
        text += strspn(text, " \n");
        word = strcspn(text, " \n");
        word = word < (size_t)(end - text) ? word : (size_t)(end - text);
        if (column + 1 + mg_columns(text, word) > PAGE) {
            mg_textf(out, "\n%*s", LEFT - 1, "");
            column = LEFT - 1;
        }
        mg_textf(out, " %.*s", (int)word, text);
        column += 1 + mg_columns(text, word);
    }
    mg_text_add(out, "\n");
}

static void add_one(MgText *out, MgSession *session, const MgCatalogEntry *e) {
    const char *description = mg_item_description(session, e->item), *call = example_of(e->name);
    mg_textf(out, "%s\n", mg_item_signature(session, e->item));
    for (const char *line = description; *line;) {
        int n = first_line(line);
        mg_textf(out, "    %.*s\n", n, line);
        line += n + (line[n] == '\n');
    }
    if (call)
        mg_textf(out, "\nexample: y = %s\n", call);
    mg_textf(out, "defined in std/%s.mg; `mgc help %s` shows how\n", e->file, e->name);
}

// Appends an item's comment and text as they stand in the library.
static void add_definition(MgText *out, MgSession *session, const MgCatalogEntry *e) {
    const MgSpan span = e->item->span;
    const char *text = session->sources.all.at[span.source].text;
    const char *description = mg_item_description(session, e->item);
    for (const char *line = description; *line;) {
        int n = first_line(line);
        mg_textf(out, "// %.*s\n", n, line);
        line += n + (line[n] == '\n');
    }
    mg_textf(out, "%.*s\n", (int)(span.end - span.begin), text + span.begin);
}

static void add_page(MgText *out, MgSession *session, const MgCatalog *catalog) {
    const char *file = "";
    mg_text_add(out, "# Operators and layers\n\nThis page is made by `mgc ops --markdown`. "
                     "`mgc ops NAME` prints the entry of one, `mgc help NAME` its definition.\n"
                     "Names of `nn`, `optim`, `onnx`, `onnx_axes`, `aten` and `stablehlo` need an "
                     "import, such as `import nn`; all others are known everywhere.\n");
    for (uint32_t i = 0; i < catalog->entries.len; i++) {
        const MgCatalogEntry *e = &catalog->entries.at[i];
        const char *call = example_of(e->name);
        if (strcmp(file, e->file) != 0)
            mg_textf(out, "\n## %s\n", e->file);
        file = e->file;
        mg_textf(out, "\n**`%s`**: %s\n\n```mg\n%s\n```\n", e->name,
                 mg_item_description(session, e->item), mg_item_signature(session, e->item));
        if (call)
            mg_textf(out, "Example: `y = %s`\n", call);
    }
}

static void add_list(MgText *out, MgSession *session, const MgCatalog *catalog) {
    const char *file = "";
    for (uint32_t i = 0; i < catalog->entries.len; i++) {
        const MgCatalogEntry *e = &catalog->entries.at[i];
        if (strcmp(file, e->file) != 0)
            mg_textf(out, "%s%s\n", *file ? "\n" : "", e->file);
        file = e->file;
        add_line(out, session, e);
    }
}

// The entry of a name, with or without its module: `linear` is nn.linear.
static const MgCatalogEntry *find(MgSession *session, const MgCatalog *catalog, const char *name) {
    const MgCatalogEntry *e = mg_catalog_find(catalog, mg_sym(session->names, name));
    return e ? e : mg_catalog_find(catalog, mg_symf(session->names, "nn.%s", name));
}

static int unknown(MgSession *session, const MgCatalog *catalog, const MgcOptions *options) {
    MG_VEC(const char *) names = {0};
    for (size_t c = 0; options->command == MGC_HELP && c < mgc_n_commands; c++)
        if (mgc_commands[c].name[0])
            mg_push(session->arena, &names, mgc_commands[c].name);
    for (uint32_t i = 0; i < catalog->entries.len; i++)
        mg_push(session->arena, &names, catalog->entries.at[i].name);
    int near = mg_nearest(options->file, names.at, names.len);
    const char *what = options->command == MGC_HELP ? "command or operator" : "operator";
    return near < 0
               ? mgc_fail(2, "unknown %s '%s'; `mgc ops` lists the operators", what, options->file)
               : mgc_fail(2, "unknown %s '%s'; did you mean '%s'?", what, options->file,
                          names.at[near]);
}

static int ops(MgSession *session, const MgcOptions *options) {
    const MgCatalog *catalog = mg_catalog(session);
    MgText out = mg_text(session->arena);
    const MgCatalogEntry *e = options->file ? find(session, catalog, options->file) : NULL;
    if (options->file && !e)
        return unknown(session, catalog, options);
    if (e && options->command == MGC_HELP)
        add_definition(&out, session, e);
    else if (e)
        add_one(&out, session, e);
    else if (options->markdown)
        add_page(&out, session, catalog);
    else
        add_list(&out, session, catalog);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_ops(const MgcOptions *options) {
    return mgc_in_session(options, ops);
}
