// Hover: what a name is, its type and shape, and its comment.
#include "editor/internal.h"

static const char *source_text(const MgSession *session, MgSpan span, int *length) {
    *length = (int)(span.end - span.begin);
    return session->sources.all.at[span.source].text + span.begin;
}

// The types of the name, in the order of its definitions, or the declared one.
static void add_types(MgText *out, const MgAnalysis *a, uint32_t symbol) {
    enum { MOST = 4 };
    const MgSymbols *symbols = a->symbols;
    const char *name = mg_name(a->session->names, symbols->all.at[symbol].name), *last = NULL;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < symbols->uses.len; i++) {
        const MgUse *use = &symbols->uses.at[i];
        uint32_t n;
        const MgTypeNote *types = use->symbol == symbol && use->defines
                                      ? mg_analysis_types(a, use->span.begin, &n)
                                      : NULL;
        for (uint32_t k = 0; types && k < n; k++) {
            bool shown_already = !strcmp(last ? last : name, types[k].type); // a dimension B is B
            if (shown_already)
                continue;
            if (++shown <= MOST)
                mg_textf(out, "%s%s", shown == 1 ? ": " : " or ", types[k].type);
            last = types[k].type;
        }
    }
    int length;
    const MgAstType *type = symbols->all.at[symbol].type;
    const char *text = type ? source_text(a->session, type->span, &length) : NULL;
    if (shown > MOST)
        mg_text_add(out, " or others");
    else if (!shown && text)
        mg_textf(out, ": %.*s", length, text);
}

const char *mg_describe(MgArena *arena, const MgAnalysis *a, uint32_t symbol) {
    const MgSymbol *s = &a->symbols->all.at[symbol];
    MgText out = mg_text(arena);
    int length;
    if (s->ast)
        return mg_item_signature(a->session, s->ast);
    if (s->kind == MG_SYMBOL_ATTRIBUTE || s->kind == MG_SYMBOL_TYPE ||
        s->kind == MG_SYMBOL_IMPORT) {
        const char *text = source_text(a->session, s->whole, &length);
        mg_textf(&out, "%.*s", length, text);
    } else {
        mg_text_add(&out, mg_name(a->session->names, s->name));
        add_types(&out, a, symbol);
    }
    return mg_text_str(&out);
}

static void add_item(MgText *out, MgSession *session, const MgAstItem *item) {
    const char *description = mg_item_description(session, item);
    mg_textf(out, "```mg\n%s\n```", mg_item_signature(session, item));
    if (*description)
        mg_textf(out, "\n\n%s", description);
}

static void add_target(MgText *out, MgRequest *r, const MgNameAt *t) {
    int length;
    if (t->entry) {
        if (t->param) {
            const char *text = source_text(t->session, t->param->span, &length);
            mg_textf(out, "```mg\n%.*s\n```\n\nof:\n\n", length, text);
        }
        add_item(out, t->session, t->item);
        mg_textf(out, "\n\n`%s` of the standard library, `std/%s.mg`", t->entry->name,
                 t->entry->file);
        return;
    }
    const MgSymbol *s = &t->symbols->all.at[t->symbol];
    if (s->ast)
        add_item(out, t->session, s->ast);
    else
        mg_textf(out, "```mg\n%s\n```\n\n%s",
                 mg_describe(r->arena, t->document->analysis, t->symbol),
                 mg_symbol_kind_text(s->kind));
}

cJSON *mg_hover(MgRequest *r) {
    const MgUse *use = r->analysis->symbols ? mg_symbols_at(r->analysis->symbols, r->offset) : NULL;
    MgNameAt t;
    if (!use || !mg_target_of(r->server, r->document, use, &t))
        return NULL;
    MgText text = mg_text(r->arena);
    add_target(&text, r, &t);
    cJSON *hover = cJSON_CreateObject(), *contents = cJSON_AddObjectToObject(hover, "contents");
    cJSON_AddStringToObject(contents, "kind", "markdown");
    cJSON_AddStringToObject(contents, "value", mg_text_str(&text));
    cJSON_AddItemToObject(hover, "range",
                          mg_range_json(mg_analysis_source(r->analysis), use->span.begin,
                                        use->span.end, r->server->encoding));
    return hover;
}
