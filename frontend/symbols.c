// The index of a file's names: scopes, definitions, and the signatures of items.
//
// Items and their operands and attributes are entered first, because a file may use an item before
// its definition. Then every item is read in the order of its text, so that a use finds the
// definitions before it.
#include "frontend/symbols_internal.h"

#include <stdlib.h>

static const char *const kind_texts[] = {
    [MG_SYMBOL_GRAPH] = "graph",           [MG_SYMBOL_LAYER] = "layer",
    [MG_SYMBOL_OP] = "operator",           [MG_SYMBOL_BUILTIN] = "builtin operator",
    [MG_SYMBOL_DERIVATIVE] = "derivative", [MG_SYMBOL_IMPORT] = "import",
    [MG_SYMBOL_TYPE] = "type parameter",   [MG_SYMBOL_OPERAND] = "operand",
    [MG_SYMBOL_ATTRIBUTE] = "attribute",   [MG_SYMBOL_RESULT] = "result",
    [MG_SYMBOL_DIM] = "dimension",         [MG_SYMBOL_PARAM] = "parameter",
    [MG_SYMBOL_BUFFER] = "buffer",         [MG_SYMBOL_INSTANCE] = "instance",
    [MG_SYMBOL_CONST] = "constant",        [MG_SYMBOL_VALUE] = "value",
    [MG_SYMBOL_CARRY] = "carried value",   [MG_SYMBOL_INDEX] = "index"};

const char *mg_symbol_kind_text(MgSymbolKind kind) {
    return kind_texts[kind];
}

// ---------------------------------------------------------------- scopes
uint32_t mg_names_enter(MgIndexer *x, MgSpan span, bool binds) {
    uint32_t before = x->scope, id = x->scopes.len;
    MgNameScope scope = {.parent = before, .binds = binds ? id : x->scopes.at[before].binds};
    scope.span = span;
    mg_push(x->arena, &x->scopes, scope);
    x->scope = id;
    return before;
}

static uint64_t key(uint32_t scope, MgSym name) {
    return (uint64_t)scope << 32 | name;
}

uint32_t mg_names_lookup(const MgIndexer *x, MgSym name) {
    for (uint32_t scope = x->scope;; scope = x->scopes.at[scope].parent) {
        uint64_t *known = mg_map_find(&x->names, key(scope, name));
        if (known)
            return (uint32_t)*known;
        if (!scope)
            return MG_NO_SYMBOL;
    }
}

static void add_use(MgIndexer *x, MgSpan span, uint32_t symbol, bool defines, MgOutside outside) {
    mg_push(x->arena, &x->out->uses, (MgUse){span, symbol, defines, outside});
}

static uint32_t add_symbol(MgIndexer *x, MgSymbolKind kind, MgAstName name, uint32_t scope) {
    MgSymbol s = {.kind = kind, .name = name.sym, .span = name.span, .whole = x->whole};
    s.visible = x->scopes.at[scope].span;
    s.scope = scope;
    s.item = x->item;
    mg_push(x->arena, &x->out->all, s);
    uint32_t id = x->out->all.len - 1;
    mg_map_put(&x->names, key(scope, name.sym), id);
    return id;
}

uint32_t mg_names_define(MgIndexer *x, MgSymbolKind kind, MgAstName name, bool inner) {
    if (!name.sym)
        return MG_NO_SYMBOL;
    uint32_t scope = inner ? x->scope : x->scopes.at[x->scope].binds;
    uint64_t *known = mg_map_find(&x->names, key(scope, name.sym));
    uint32_t id = known ? (uint32_t)*known : add_symbol(x, kind, name, scope);
    add_use(x, name.span, id, true, (MgOutside){0});
    return id;
}

// ---------------------------------------------------------------- uses
static bool is_blank(const char *text) {
    return text[0] == '_' && !text[1];
}

// The first n bytes of a name written without backticks, or the whole of a name with backticks.
static MgSpan part_of(MgAstName name, size_t length, size_t from, size_t n) {
    if (name.span.end - name.span.begin != length)
        return name.span;
    uint32_t begin = name.span.begin + (uint32_t)from;
    return (MgSpan){name.span.source, begin, begin + (uint32_t)n};
}

// The longest prefix of a dotted name that is a symbol, with its length in *n.
static uint32_t find_head(const MgIndexer *x, const char *text, size_t *n) {
    for (*n = strlen(text); *n;) {
        uint32_t id = mg_names_lookup(x, mg_sym_n(x->session->names, text, *n));
        if (id != MG_NO_SYMBOL)
            return id;
        while (*n && text[--*n] != '.')
            ;
    }
    return MG_NO_SYMBOL;
}

// The meaning of a called or read name: a symbol, or a name outside the file.
static uint32_t resolve(const MgIndexer *x, MgSym name, size_t *head, MgOutside *outside) {
    const char *text = mg_name(x->session->names, name);
    uint32_t id = find_head(x, text, head);
    *outside = (MgOutside){.name = name};
    if (id != MG_NO_SYMBOL && x->out->all.at[id].kind == MG_SYMBOL_IMPORT && text[*head])
        *outside = (MgOutside){.imported = true,
                               .import = x->out->all.at[id].import,
                               .name = mg_sym(x->session->names, text + *head + 1)};
    return id;
}

void mg_names_use(MgIndexer *x, MgAstName name, MgUnknown unknown) {
    const char *text = mg_name(x->session->names, name.sym);
    size_t head, length = strlen(text);
    MgOutside outside;
    if (!name.sym || is_blank(text))
        return;
    uint32_t id = resolve(x, name.sym, &head, &outside);
    if (id == MG_NO_SYMBOL && unknown != MG_UNKNOWN_OUTSIDE && !strchr(text, '.')) {
        bool dim = unknown == MG_UNKNOWN_DIM;
        mg_names_define(x, dim ? MG_SYMBOL_DIM : MG_SYMBOL_INDEX, name, !dim);
        return;
    }
    if (id == MG_NO_SYMBOL) {
        add_use(x, name.span, MG_NO_SYMBOL, false, outside);
        return;
    }
    add_use(x, part_of(name, length, 0, head), id, false, (MgOutside){0});
    if (outside.imported)
        add_use(x, part_of(name, length, head + 1, length - head - 1), MG_NO_SYMBOL, false,
                outside);
}

void mg_names_attribute(MgIndexer *x, MgAstName callee, MgAstName attribute) {
    size_t head;
    MgOutside outside;
    uint32_t id = resolve(x, callee.sym, &head, &outside);
    if (id != MG_NO_SYMBOL && !outside.imported) {
        uint32_t param = mg_symbols_parameter(x->out, id, attribute.sym);
        if (param != MG_NO_SYMBOL)
            add_use(x, attribute.span, param, false, (MgOutside){0});
        return;
    }
    outside.attribute = attribute.sym;
    add_use(x, attribute.span, MG_NO_SYMBOL, false, outside);
}

static bool name_char(char c, bool first) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (!first && c >= '0' && c <= '9');
}

void mg_names_message(MgIndexer *x, MgAstName text) {
    if (!text.sym)
        return;
    const char *source = x->session->sources.all.at[text.span.source].text;
    bool inside = false;
    for (uint32_t i = text.span.begin; i < text.span.end; i++) {
        inside = source[i] == '{' || (inside && source[i] != '}');
        if (!inside || !name_char(source[i], true))
            continue;
        uint32_t end = i + 1;
        while (end < text.span.end && name_char(source[end], false))
            end++;
        MgAstName name = {mg_sym_n(x->session->names, source + i, end - i),
                          {text.span.source, i, end}};
        if (mg_names_lookup(x, name.sym) != MG_NO_SYMBOL)
            mg_names_use(x, name, MG_UNKNOWN_OUTSIDE);
        i = end - 1;
    }
}

// ---------------------------------------------------------------- items
static void declare_parameters(MgIndexer *x, const MgAstItem *item) {
    for (uint32_t i = 0; i < item->type_params.len; i++) {
        x->whole = item->type_params.at[i].span;
        mg_names_define(x, MG_SYMBOL_TYPE, item->type_params.at[i].name, false);
    }
    for (uint32_t i = 0; i < item->params.len; i++) {
        const MgAstParam *p = &item->params.at[i];
        bool operand = p->kind == MG_PARAM_TENSOR;
        x->whole = p->span;
        uint32_t id =
            mg_names_define(x, operand ? MG_SYMBOL_OPERAND : MG_SYMBOL_ATTRIBUTE, p->name, false);
        x->out->all.at[id].param = p;
        x->out->all.at[id].type = p->kind == MG_PARAM_ENUM ? NULL : &p->type;
    }
}

static MgAstName derivative_name(MgIndexer *x, const MgAstItem *item) {
    static const char first[] = "derivative";
    MgNames *names = x->session->names;
    MgSpan words = item->span;
    words.end = words.begin + (uint32_t)sizeof first - 1;
    return (MgAstName){.sym = mg_symf(names, "%s of %s", first, mg_name(names, item->name.sym)),
                       .span = words};
}

static uint32_t declare_item(MgIndexer *x, const MgAstItem *item) {
    static const MgSymbolKind kinds[] = {[MG_ITEM_GRAPH] = MG_SYMBOL_GRAPH,
                                         [MG_ITEM_LAYER] = MG_SYMBOL_LAYER,
                                         [MG_ITEM_OP] = MG_SYMBOL_OP,
                                         [MG_ITEM_BUILTIN] = MG_SYMBOL_BUILTIN,
                                         [MG_ITEM_DERIVATIVE] = MG_SYMBOL_DERIVATIVE};
    x->item = MG_NO_SYMBOL;
    x->whole = item->span;
    MgAstName name = item->name;
    if (item->kind == MG_ITEM_DERIVATIVE) // the item's own name is made of the words; the op's name
                                          // is a use
        name = derivative_name(x, item);
    uint32_t id = mg_names_define(x, kinds[item->kind], name, false);
    x->out->all.at[id].ast = item;
    x->item = id;
    mg_names_enter(x, item->span, true);
    uint32_t scope = x->scope;
    declare_parameters(x, item);
    x->scope = 0;
    return scope;
}

static void read_clauses(MgIndexer *x, const MgAstItem *item) {
    for (uint32_t i = 0; i < item->clauses.len; i++) {
        const MgAstClause *c = &item->clauses.at[i];
        x->whole = c->span;
        if (c->expr)
            mg_names_expr(x, c->expr, MG_UNKNOWN_OUTSIDE);
        if (c->kind == MG_CLAUSE_LET || c->kind == MG_CLAUSE_LET_PACK)
            mg_names_define(x, MG_SYMBOL_DIM, c->name, false);
        else if (c->kind == MG_CLAUSE_BROADCAST)
            mg_names_use(x, c->name, MG_UNKNOWN_DIM);
        else if (c->kind == MG_CLAUSE_TRAINING)
            mg_names_use(x, c->name, MG_UNKNOWN_OUTSIDE);
        else if (c->kind == MG_CLAUSE_REQUIRE)
            mg_names_message(x, c->text);
    }
}

static void read_item(MgIndexer *x, const MgAstItem *item) {
    x->whole = item->span;
    if (item->kind == MG_ITEM_DERIVATIVE)
        mg_names_use(x, item->name, MG_UNKNOWN_OUTSIDE);
    for (uint32_t i = 0; i < item->params.len; i++) {
        const MgAstParam *p = &item->params.at[i];
        x->whole = p->span;
        if (p->kind != MG_PARAM_ENUM)
            mg_names_type(x, &p->type);
        if (p->initial)
            mg_names_expr(x, p->initial, MG_UNKNOWN_OUTSIDE);
    }
    read_clauses(x, item);
    for (uint32_t i = 0; i < item->results.len; i++) {
        const MgAstResult *r = &item->results.at[i];
        x->whole = r->span;
        uint32_t id = mg_names_define(x, MG_SYMBOL_RESULT, r->name, false);
        x->out->all.at[id].type = r->type;
        if (r->type)
            mg_names_type(x, r->type);
        mg_names_use(x, r->over, MG_UNKNOWN_OUTSIDE);
    }
    mg_names_block(x, &item->body);
}

static void declare_import(MgIndexer *x, uint32_t i) {
    const MgAstImport *im = &x->out->file->imports.at[i];
    x->whole = im->span;
    uint32_t id = mg_names_define(x, MG_SYMBOL_IMPORT, im->alias, false);
    if (id != MG_NO_SYMBOL)
        x->out->all.at[id].import = i;
}

static int by_place(const void *a, const void *b) {
    const MgUse *u = a, *v = b;
    return u->span.begin < v->span.begin ? -1 : u->span.begin > v->span.begin;
}

MgSymbols *mg_symbols(MgSession *session, const MgAstFile *file) {
    MgIndexer x = {.session = session, .arena = session->arena, .item = MG_NO_SYMBOL};
    x.out = MG_NEW(x.arena, MgSymbols);
    x.out->file = file;
    mg_map_init(&x.names, x.arena);
    MgSpan all = {file->source, 0, session->sources.all.at[file->source].length};
    mg_push(x.arena, &x.scopes, (MgNameScope){.span = all});
    for (uint32_t i = 0; i < file->imports.len; i++)
        declare_import(&x, i);
    uint32_t *scopes = MG_NEW_N(x.arena, uint32_t, file->items.len + 1);
    uint32_t *symbols = MG_NEW_N(x.arena, uint32_t, file->items.len + 1);
    for (uint32_t i = 0; i < file->items.len; i++) {
        scopes[i] = declare_item(&x, file->items.at[i]);
        symbols[i] = x.item;
    }
    for (uint32_t i = 0; i < file->items.len; i++) {
        x.scope = scopes[i];
        x.item = symbols[i];
        read_item(&x, file->items.at[i]);
    }
    if (x.out->uses.len)
        qsort(x.out->uses.at, x.out->uses.len, sizeof *x.out->uses.at, by_place);
    return x.out;
}

// ---------------------------------------------------------------- questions
const MgUse *mg_symbols_at(const MgSymbols *symbols, uint32_t offset) {
    uint32_t low = 0, high = symbols->uses.len;
    while (low < high) { // the first use that begins after the offset
        uint32_t middle = low + (high - low) / 2;
        if (symbols->uses.at[middle].span.begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    const MgUse *use = low ? &symbols->uses.at[low - 1] : NULL;
    return use && use->span.end >= offset ? use : NULL;
}

uint32_t mg_symbols_find(const MgSymbols *symbols, uint32_t offset, MgSym name) {
    uint32_t best = MG_NO_SYMBOL, length = UINT32_MAX;
    for (uint32_t i = 0; i < symbols->all.len; i++) {
        const MgSymbol *s = &symbols->all.at[i];
        bool here = s->visible.begin <= offset && offset <= s->visible.end;
        if (s->name == name && here && s->visible.end - s->visible.begin < length) {
            best = i;
            length = s->visible.end - s->visible.begin;
        }
    }
    return best;
}

uint32_t mg_symbols_parameter(const MgSymbols *symbols, uint32_t item, MgSym name) {
    for (uint32_t i = item + 1; i < symbols->all.len; i++) {
        const MgSymbol *s = &symbols->all.at[i];
        if (s->item == item && s->param && s->name == name)
            return i;
    }
    return MG_NO_SYMBOL;
}
