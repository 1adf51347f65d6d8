// Reads kernels from the text that mg_kernel_print writes.
//
//   file      = { kernel }
//   kernel    = "kernel" name "(" [ param { "," param } ]
//               [ ";" name ":" "i64" { "," name ":" "i64" } ] ")"
//               { attribute } "{" { alloc } { statement } "}"
//   param     = name ":" use buffer              use = "in" | "out" | "inout" | "unused"
//   alloc     = "alloc" space scope name ":" [ use ] buffer
//   buffer    = type "[" [ expr ] "]" { "align" N | "noalias" | "alias" | "at" "byte" N }
//   attribute = "items" N | "resident" N | "groups" operand | "meets" N "at" name | flag
//   statement = "_" N "=" expr                            (a node that the statement below shares)
//             | name ":" type "=" expr
//             | access "=" [ "later" ] [ "nontemporal" ] expr [ "if" expr ]
//             | loop name "in" operand ".." operand [ "step" N ] [ "rolled" ] [ "dealt" ] block
//             | "while" expr block | "if" expr block [ "else" block ]
//             | "barrier" ( "group" | "grid" ) | "prefetch" [ "far" ] access
//             | "trap" N [ "of" expr ]
//             | ( "tally" | "take" | "collect" ) name "=" access | "post" access "=" expr
//             | "product" name "[" N "," N "]" ( "+=" | "=" ) factor "*" factor "," N "deep"
//               "by" atom [ "splits" | "split" N ] [ "lags" | "stores_lag" ]
//               [ "meanwhile" block ] | "await" name
//             | "box" name "[" expr "]" "=" name "+" N "at" axis { "," axis }
//               [ "walk" N walk { "," walk } ] "slot" operand "of" N "by" N | "landed" operand
//             | "call" "#" N "site" N [ "alone" ] [ "untimed" ] [ "copies" ]
//               "(" [ name "+" operand { "," … } ] [ ";" expr { "," expr } ] ")"
//   axis      = operand ":" N "of" N "by" N               walk = operand ":" N ".." N "step" N
//   factor    = name "[" expr "]" ( "<" N "," N ">" | "in_lines" | "across" | "held" )
//   expr      = operand [ [ "~" ] sign operand ]
//   operand   = "(" expr ")" | constant | name | access [ "{" expr "else" expr "}" ]
//             | [ "~" ] primitive [ "<" type ">" ] "(" expr { "," expr } ")" | word form …
//   access    = name "[" expr "]" [ "<" N ">" ]
//   type      = element [ "<" N ">" ]
//
// ir/kernel_words.def has the words of flags, spaces, scopes, loops and expressions. Every
// statement begins a line. `//` begins a comment.
#include "ir/kernel_read.h"

#include <string.h>

static bool takes_name(const MgKReader *r, char behind) {
    bool name = r->in.token.kind == MG_K_NAME || r->in.token.kind == MG_K_QUOTED;
    return name && !r->in.failed && r->in.text[r->in.at] == behind;
}

static MgKType type(MgKReader *r) {
    MgDType dtype = mg_kr_dtype(r);
    return mg_kt(dtype, mg_kr_lanes(r));
}

static bool same_type(MgKType a, MgKType b) {
    return a.dtype == b.dtype && a.lanes == b.lanes;
}

// ---------------------------------------------------------------- names

// Reads a new name. If `again` is the map of variables, the name may be that of a variable.
static MgSym new_name(MgKReader *r, const MgMap *again) {
    MgSpan span = r->in.token.span;
    MgSym name = mg_kr_name(r, "a name");
    bool taken = (again != &r->vars && mg_map_find(&r->vars, name)) || mg_map_find(&r->bufs, name);
    if (taken)
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "'%s' is the name of something else already",
                                   mg_name(r->k->names, name)));
    return name;
}

// A variable may be defined in several blocks, with one type.
static MgKVarId define(MgKReader *r, MgSym name, MgSpan span, MgKType type, uint32_t zeros) {
    uint64_t *known = mg_map_find(&r->vars, name);
    MgKVarId v = known ? (MgKVarId)*known : mg_kernel_var(r->k, name, type);
    MgKVar *var = &r->k->vars.at[v];
    if (known && !same_type(var->type, type))
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "'%s' had another type before",
                                   mg_name(r->k->names, name)));
    var->zeros = known && var->zeros < zeros ? var->zeros : zeros;
    mg_map_put(&r->vars, name, v);
    return v;
}

// ---------------------------------------------------------------- statements

static void block(MgKReader *r, MgKBlock *out);

static MgKs *statement_of(MgKReader *r, MgKBlock *out, MgKsKind kind) {
    return mg_kernel_append(r->k, out, kind);
}

// Skips a word that ends a statement. The next statement may begin with a name that is this word.
static bool follows(MgKReader *r, const char *word) {
    return !r->in.token.first && mg_k_take(&r->in, word);
}

static void share(MgKReader *r) {
    MgSpan span = r->in.token.span;
    uint32_t number = mg_k_shared_number(r->in.token.text);
    mg_k_next(&r->in);
    mg_k_expect(&r->in, "=");
    const MgKx *x = mg_kr_expr(r);
    if (mg_map_find(&r->shared, number))
        mg_k_wrong(&r->in, span, "this line was given above");
    mg_map_put(&r->shared, number, (uint64_t)(uintptr_t)x);
    mg_map_put(&r->heights, number, r->height);
}

static void let(MgKReader *r, MgKBlock *out) {
    MgSpan span = r->in.token.span;
    MgSym name = new_name(r, &r->vars);
    mg_k_expect(&r->in, ":");
    MgKType t = type(r);
    mg_k_expect(&r->in, "=");
    const MgKx *x = mg_kr_expr(r);
    if (!same_type(t, x->type))
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "'%s' is not of the type of its value",
                                   mg_name(r->k->names, name)));
    MgKs *s = statement_of(r, out, MG_KS_LET);
    s->var = define(r, name, span, t, mg_kx_zeros(r->k, x));
    s->x = x;
}

static void store(MgKReader *r, MgKBlock *out) {
    MgSpan span = r->in.token.span;
    MgKs *s = statement_of(r, out, MG_KS_STORE);
    s->buf = mg_kr_buffer(r);
    s->index = mg_kr_index(r);
    uint32_t lanes = mg_kr_access(r, s->buf, s->index);
    mg_k_expect(&r->in, "=");
    s->later = mg_k_take(&r->in, "later");
    s->nontemporal = mg_k_take(&r->in, "nontemporal");
    s->x = mg_kr_expr(r);
    if (s->x->type.lanes != lanes)
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "a value of %s is stored in %u",
                                   mg_counted(r->k->arena, s->x->type.lanes, "lane"), lanes));
    if (follows(r, "if"))
        s->mask = mg_kr_expr(r);
}

static void braces(MgKReader *r, MgKBlock *out) {
    if (r->blocks >= MG_K_BLOCKS)
        mg_k_wrong(&r->in, r->in.token.span, "blocks are nested too deep");
    r->blocks++;
    mg_k_expect(&r->in, "{");
    block(r, out);
    mg_k_expect(&r->in, "}");
    r->blocks--;
}

static void loop(MgKReader *r, MgKBlock *out, MgLoopKind kind) {
    MgKs *s = statement_of(r, out, MG_KS_FOR);
    MgSpan span = r->in.token.span;
    MgSym name = new_name(r, &r->vars);
    s->loop = kind;
    mg_k_expect(&r->in, "in");
    s->low = mg_kr_operand(r);
    mg_k_expect(&r->in, "..");
    s->high = mg_kr_operand(r);
    s->step = mg_k_take(&r->in, "step") ? mg_k_integer(&r->in, 1, INT64_MAX) : 1;
    s->rolled = mg_k_take(&r->in, "rolled");
    s->dealt = mg_k_take(&r->in, "dealt");
    uint32_t zeros = mg_kx_zeros(r->k, s->low);
    uint32_t steps = (uint32_t)__builtin_ctzll((uint64_t)s->step);
    s->var = define(r, name, span, mg_kt(MG_I64, 1), zeros < steps ? zeros : steps);
    braces(r, &s->body);
}

static void branch(MgKReader *r, MgKBlock *out, MgKsKind kind) {
    MgKs *s = statement_of(r, out, kind);
    s->x = mg_kr_expr(r);
    braces(r, &s->body);
    if (kind == MG_KS_IF && follows(r, "else"))
        braces(r, &s->orelse);
}

static void barrier(MgKReader *r, MgKBlock *out) {
    static const char *const scopes[] = {[MG_BARRIER_GROUP] = "group", [MG_BARRIER_GRID] = "grid"};
    uint32_t scope = mg_k_word_of(&r->in, scopes, 2);
    if (scope == 2)
        mg_k_refuse(&r->in, "'group' or 'grid'");
    statement_of(r, out, MG_KS_BARRIER)->barrier = scope ? MG_BARRIER_GRID : MG_BARRIER_GROUP;
}

static void prefetch(MgKReader *r, MgKBlock *out) {
    MgKs *s = statement_of(r, out, MG_KS_PREFETCH);
    s->far = !takes_name(r, '[') && mg_k_take(&r->in, "far");
    s->buf = mg_kr_buffer(r);
    s->index = mg_kr_index(r);
}

static void count(MgKReader *r, MgKBlock *out, MgKsKind kind) {
    MgKs *s = statement_of(r, out, kind);
    MgSpan span = r->in.token.span;
    MgSym name = new_name(r, &r->vars);
    mg_k_expect(&r->in, "=");
    s->buf = mg_kr_buffer(r);
    s->index = mg_kr_index(r);
    s->var = define(r, name, span, mg_kt(MG_U32, s->index->type.lanes), 0);
}

static void post(MgKReader *r, MgKBlock *out) {
    MgKs *s = statement_of(r, out, MG_KS_POST);
    s->buf = mg_kr_buffer(r);
    s->index = mg_kr_index(r);
    mg_k_expect(&r->in, "=");
    s->x = mg_kr_expr(r);
}

static void trap(MgKReader *r, MgKBlock *out) {
    MgKs *s = statement_of(r, out, MG_KS_TRAP);
    s->code = (uint32_t)mg_k_integer(&r->in, 1, UINT32_MAX);
    s->x = follows(r, "of") ? mg_kr_expr(r) : NULL;
}

static const MgKx *factor(MgKReader *r, MgKBufId *buf, MgKLies *lies, int64_t *step,
                          int64_t *deep) {
    *buf = mg_kr_buffer(r);
    const MgKx *first = mg_kr_index(r);
    for (uint32_t i = MG_LIES_IN_LINES; i <= MG_LIES_HELD; i++)
        if (mg_k_take(&r->in, mg_k_lies_words[i])) {
            *lies = (MgKLies)i;
            return first;
        }
    mg_k_expect(&r->in, "<");
    *step = mg_k_integer(&r->in, -INT64_MAX, INT64_MAX);
    mg_k_expect(&r->in, ",");
    *deep = mg_k_integer(&r->in, -INT64_MAX, INT64_MAX);
    mg_k_expect(&r->in, ">");
    return first;
}

static void product(MgKReader *r, MgKBlock *out) {
    enum { MOST = 1 << 16 };
    MgKProduct p = {0};
    MgKs *s = statement_of(r, out, MG_KS_PRODUCT);
    s->buf = mg_kr_buffer(r);
    mg_k_expect(&r->in, "[");
    p.rows = (uint32_t)mg_k_integer(&r->in, 1, MOST);
    mg_k_expect(&r->in, ",");
    p.columns = (uint32_t)mg_k_integer(&r->in, 1, MOST);
    mg_k_expect(&r->in, "]");
    p.fresh = mg_k_take(&r->in, "=");
    if (!p.fresh)
        mg_k_expect(&r->in, "+=");
    s->index = factor(r, &p.row_buf, &p.row_lies, &p.row_step, &p.row_deep);
    mg_k_expect(&r->in, "*");
    s->x = factor(r, &p.column_buf, &p.column_lies, &p.column_step, &p.column_deep);
    mg_k_expect(&r->in, ",");
    p.depth = (uint32_t)mg_k_integer(&r->in, 1, MOST);
    mg_k_expect(&r->in, "deep");
    mg_k_expect(&r->in, "by");
    p.atom = mg_kr_atom(r);
    p.splits = follows(r, "splits");
    if (follows(r, "split"))
        p.column_low = mg_k_integer(&r->in, 1, INT32_MAX);
    p.lag = follows(r, "lags")         ? MG_LAG_ALL
            : follows(r, "stores_lag") ? MG_LAG_STORES
                                       : MG_LAG_NONE;
    s->product = mg_arena_copy(r->k->arena, &p, 1, sizeof p);
    if (follows(r, "meanwhile"))
        braces(r, &s->body);
}

static void await(MgKReader *r, MgKBlock *out) {
    MgKs *s = statement_of(r, out, MG_KS_AWAIT);
    s->buf = mg_kr_buffer(r);
}

static void box_axes(MgKReader *r, MgKs *s, MgKBox *b) {
    do {
        if (b->rank == MG_BOX_AXES) {
            mg_k_refuse(&r->in, "at most 5 axes");
            return;
        }
        s->at[b->rank] = mg_kr_operand(r);
        struct MgKBoxAxis *axis = &b->axes[b->rank++];
        mg_k_expect(&r->in, ":");
        axis->extent = (uint32_t)mg_k_integer(&r->in, 1, MG_BOX_EXTENT);
        mg_k_expect(&r->in, "of");
        axis->size = mg_k_integer(&r->in, 1, INT32_MAX);
        mg_k_expect(&r->in, "by");
        axis->stride = mg_k_integer(&r->in, 1, INT32_MAX);
    } while (mg_k_take(&r->in, ","));
}

static void box_walks(MgKReader *r, MgKs *s, MgKBox *b) {
    enum { FAR = 1 << 15 };
    b->pixels = (uint32_t)mg_k_integer(&r->in, 1, MG_BOX_EXTENT);
    for (uint32_t i = 0; i + 2 < b->rank; i++) {
        if (i)
            mg_k_expect(&r->in, ",");
        s->at[b->rank + i] = mg_kr_operand(r);
        mg_k_expect(&r->in, ":");
        b->walks[i].low = (int32_t)mg_k_integer(&r->in, -FAR, FAR);
        mg_k_expect(&r->in, "..");
        b->walks[i].high = (int32_t)mg_k_integer(&r->in, -FAR, FAR);
        mg_k_expect(&r->in, "step");
        b->walks[i].step = (int32_t)mg_k_integer(&r->in, 1, FAR);
    }
}

static void box(MgKReader *r, MgKBlock *out) {
    MgKBox b = {0};
    MgKs *s = statement_of(r, out, MG_KS_BOX);
    s->buf = mg_kr_buffer(r);
    s->index = mg_kr_index(r);
    mg_k_expect(&r->in, "=");
    b.from = mg_kr_buffer(r);
    mg_k_expect(&r->in, "+");
    b.base = mg_k_integer(&r->in, 0, INT64_MAX / MG_PIECE_BYTES);
    b.rounds = mg_k_take(&r->in, "to");
    if (b.rounds)
        mg_k_expect(&r->in, "tf32");
    mg_k_expect(&r->in, "at");
    box_axes(r, s, &b);
    if (mg_k_take(&r->in, "walk"))
        box_walks(r, s, &b);
    mg_k_expect(&r->in, "slot");
    s->x = mg_kr_operand(r);
    mg_k_expect(&r->in, "of");
    b.slots = (uint32_t)mg_k_integer(&r->in, 1, MG_BOX_SLOTS);
    mg_k_expect(&r->in, "by");
    b.together = (uint32_t)mg_k_integer(&r->in, 1, MG_BOX_SLOTS);
    s->box = mg_arena_copy(r->k->arena, &b, 1, sizeof b);
}

static void call(MgKReader *r, MgKBlock *out) {
    MG_VEC(struct MgKBinding) buffers = {0};
    MG_VEC(const MgKx *) scalars = {0};
    MgKCall *c = MG_NEW(r->k->arena, MgKCall);
    mg_k_expect(&r->in, "#");
    c->kernel = (uint32_t)mg_k_integer(&r->in, 0, UINT32_MAX);
    mg_k_expect(&r->in, "site");
    c->site = (uint32_t)mg_k_integer(&r->in, 0, UINT32_MAX);
    c->alone = mg_k_take(&r->in, "alone");
    c->untimed = mg_k_take(&r->in, "untimed");
    c->copies = mg_k_take(&r->in, "copies");
    mg_k_expect(&r->in, "(");
    while (!r->in.failed && !mg_k_is(&r->in, ")") && !mg_k_is(&r->in, ";")) {
        if (buffers.len)
            mg_k_expect(&r->in, ",");
        struct MgKBinding b = {.base = mg_kr_buffer(r), .bytes = -1};
        mg_k_expect(&r->in, "+");
        b.offset = mg_kr_operand(r);
        mg_push(r->k->arena, &buffers, b);
    }
    if (mg_k_take(&r->in, ";"))
        do
            mg_push(r->k->arena, &scalars, mg_kr_expr(r));
        while (mg_k_take(&r->in, ","));
    mg_k_expect(&r->in, ")");
    c->buffers = buffers.at;
    c->n_buffers = buffers.len;
    c->scalars = scalars.at;
    c->n_scalars = scalars.len;
    statement_of(r, out, MG_KS_CALL)->call = c;
}

// A statement that begins with a word. Any other statement is an access or a let.
static void statement(MgKReader *r, MgKBlock *out) {
    uint32_t kind;
    if (takes_name(r, '['))
        store(r, out);
    else if (takes_name(r, ':'))
        let(r, out);
    else if ((kind = mg_k_word_of(&r->in, mg_k_loop_words, MG_K_LOOPS)) < MG_K_LOOPS)
        loop(r, out, (MgLoopKind)kind);
    else if (mg_k_take(&r->in, "while"))
        branch(r, out, MG_KS_WHILE);
    else if (mg_k_take(&r->in, "if"))
        branch(r, out, MG_KS_IF);
    else if (mg_k_take(&r->in, "barrier"))
        barrier(r, out);
    else if (mg_k_take(&r->in, "prefetch"))
        prefetch(r, out);
    else if (mg_k_take(&r->in, "tally"))
        count(r, out, MG_KS_TALLY);
    else if (mg_k_take(&r->in, "take"))
        count(r, out, MG_KS_TAKE);
    else if (mg_k_take(&r->in, "collect"))
        count(r, out, MG_KS_COLLECT);
    else if (mg_k_take(&r->in, "post"))
        post(r, out);
    else if (mg_k_take(&r->in, "trap"))
        trap(r, out);
    else if (mg_k_take(&r->in, "product"))
        product(r, out);
    else if (mg_k_take(&r->in, "await"))
        await(r, out);
    else if (mg_k_take(&r->in, "box"))
        box(r, out);
    else if (mg_k_take(&r->in, "landed"))
        statement_of(r, out, MG_KS_LANDED)->x = mg_kr_operand(r);
    else if (mg_k_take(&r->in, "release"))
        statement_of(r, out, MG_KS_RELEASE)->x = mg_kr_operand(r);
    else if (mg_k_take(&r->in, "call"))
        call(r, out);
    else
        mg_k_refuse(&r->in, "a statement");
}

static void block(MgKReader *r, MgKBlock *out) {
    bool pending = false; // a shared node waits for its statement
    while (!r->in.failed && (pending || !mg_k_is(&r->in, "}"))) {
        if (!r->in.token.first)
            mg_k_refuse(&r->in, "a new line");
        if (!pending) {
            mg_map_init(&r->shared, r->k->arena);
            mg_map_init(&r->heights, r->k->arena);
        }
        pending = r->in.token.kind == MG_K_NAME && mg_k_shared_number(r->in.token.text);
        if (pending)
            share(r);
        else
            statement(r, out);
    }
}

// ---------------------------------------------------------------- the head of a kernel

static void attributes_of_buffer(MgKReader *r, MgKBuf *b) {
    for (;;) {
        MgSpan span = r->in.token.span;
        if (mg_k_take(&r->in, "align")) {
            b->align = (uint32_t)mg_k_integer(&r->in, 1, 4096);
            if (b->align & (b->align - 1))
                mg_k_wrong(&r->in, span, "an alignment is a power of 2");
        } else if (mg_k_take(&r->in, "noalias")) {
            b->noalias = true;
        } else if (mg_k_take(&r->in, "alias")) {
            b->noalias = false;
        } else if (mg_k_take(&r->in, "at")) {
            mg_k_expect(&r->in, "byte");
            b->overlay = (uint32_t)mg_k_integer(&r->in, 0, INT32_MAX) + 1;
        } else {
            return;
        }
    }
}

// A buffer, from its name on. `b` has what the words before it say.
static void buffer(MgKReader *r, MgKBuf b) {
    bool param = b.scope == MG_SCOPE_PARAM;
    b.name = new_name(r, NULL);
    mg_k_expect(&r->in, ":");
    uint32_t use = mg_k_word_of(&r->in, mg_k_use_words, MG_K_USES);
    if (use == MG_K_USES && param)
        mg_k_refuse(&r->in, "'in', 'out', 'inout' or 'unused'");
    b.reads = use == MG_K_USES || use & 1;
    b.writes = use == MG_K_USES || use & 2;
    b.elem = type(r);
    b.align = param ? mg_k_param_align(b.elem) : MG_K_ALIGN;
    b.noalias = !param;
    mg_k_expect(&r->in, "[");
    b.count = mg_k_is(&r->in, "]") ? NULL : mg_kr_expr(r);
    mg_k_expect(&r->in, "]");
    attributes_of_buffer(r, &b);
    if (r->in.failed)
        return;
    mg_map_put(&r->bufs, b.name, r->k->bufs.len);
    mg_push(r->k->arena, &r->k->bufs, b);
    r->k->n_params += param;
}

static void allocation(MgKReader *r) {
    MgKBuf b = {0};
    uint32_t space = mg_k_word_of(&r->in, mg_k_space_words, MG_K_SPACES);
    if (space == MG_K_SPACES)
        mg_k_refuse(&r->in, "'global', 'shared' or 'private'");
    uint32_t scope = mg_k_word_of(&r->in, mg_k_scope_words, MG_K_SCOPES);
    if (scope == MG_K_SCOPES || scope == MG_SCOPE_PARAM)
        mg_k_refuse(&r->in, "'thread', 'worker', 'group' or 'call'");
    b.space = (MgSpace)space;
    b.scope = (MgScope)scope;
    if (!r->in.failed)
        buffer(r, b);
}

static void scalars(MgKReader *r) {
    do {
        MgSpan span = r->in.token.span;
        MgSym name = new_name(r, NULL);
        mg_k_expect(&r->in, ":");
        mg_k_expect(&r->in, "i64");
        MgKVarId v = define(r, name, span, mg_kt(MG_I64, 1), 0);
        r->k->vars.at[v].below_0 = mg_k_take(&r->in, "signed");
        mg_push(r->k->arena, &r->k->scalars, v);
    } while (mg_k_take(&r->in, ","));
}

// The parameters. The scalars after them are read first, since the sizes of buffers use them.
static void params(MgKReader *r) {
    mg_k_expect(&r->in, "(");
    MgKLexer begin = r->in;
    while (!r->in.failed && r->in.token.kind != MG_K_END && !mg_k_is(&r->in, ";") &&
           !mg_k_is(&r->in, "{"))
        mg_k_next(&r->in);
    bool any = mg_k_take(&r->in, ";");
    if (any)
        scalars(r);
    MgKLexer end = r->in;
    if (end.failed)
        return;
    r->in = begin;
    for (uint32_t n = 0; !r->in.failed && !mg_k_is(&r->in, any ? ";" : ")"); n++) {
        if (n)
            mg_k_expect(&r->in, ",");
        buffer(r, (MgKBuf){.space = MG_SPACE_GLOBAL, .scope = MG_SCOPE_PARAM});
    }
    if (any && !r->in.failed)
        r->in = end;
    mg_k_expect(&r->in, ")");
}

static bool flag(MgKReader *r) {
    for (uint32_t i = 0; i < MG_K_FLAGS; i++)
        if (mg_k_take(&r->in, mg_k_flags[i].word)) {
            *(bool *)((char *)r->k + mg_k_flags[i].offset) = true;
            return true;
        }
    return false;
}

static void attributes(MgKReader *r) {
    enum { MOST_ITEMS = 1024, MOST_RESIDENT = 32 };
    MgKernel *k = r->k;
    while (!r->in.failed && !mg_k_is(&r->in, "{")) {
        if (mg_k_take(&r->in, "items")) {
            k->items = (uint32_t)mg_k_integer(&r->in, 1, MOST_ITEMS);
        } else if (mg_k_take(&r->in, "resident")) {
            k->resident = (uint32_t)mg_k_integer(&r->in, 1, MOST_RESIDENT);
        } else if (mg_k_take(&r->in, "groups")) {
            k->groups = mg_kr_operand(r);
        } else if (mg_k_take(&r->in, "meets")) {
            k->meets = (uint32_t)mg_k_integer(&r->in, 1, UINT32_MAX);
            mg_k_expect(&r->in, "at");
            k->meeting = mg_kr_buffer(r);
        } else if (!flag(r)) {
            mg_k_refuse(&r->in, "an attribute of the kernel or '{'");
        }
    }
}

static MgKernel *kernel(MgKReader *r, MgSession *session) {
    mg_k_expect(&r->in, "kernel");
    MgSym name = mg_kr_name(r, "the name of a kernel");
    r->k = mg_kernel_new(session->arena, session->names, name);
    mg_map_init(&r->bufs, session->arena);
    mg_map_init(&r->vars, session->arena);
    mg_map_init(&r->shared, session->arena);
    mg_map_init(&r->heights, session->arena);
    params(r);
    attributes(r);
    mg_k_expect(&r->in, "{");
    while (!takes_name(r, ':') && !takes_name(r, '[') && mg_k_take(&r->in, "alloc"))
        allocation(r);
    block(r, &r->k->body);
    mg_k_expect(&r->in, "}");
    return r->k;
}

bool mg_kernels_read(MgSession *session, uint32_t source, MgKernels *out) {
    MgKReader r = {0};
    // Names before the first kernel need a kernel, because mg_kr_name interns names through one.
    r.k = mg_kernel_new(session->arena, session->names, 0);
    mg_k_lex(&r.in, session, source);
    while (!r.in.failed && r.in.token.kind != MG_K_END) {
        MgKernel *k = kernel(&r, session);
        if (!r.in.failed)
            mg_push(session->arena, &out->list, k);
    }
    return !r.in.failed;
}
