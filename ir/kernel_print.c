// Kernel IR as text, for --emit-kernels, golden tests and human readers.
//
//   kernel scale(x: in f32[], y: out f32[]; n: i64) {
//     parallel i in 0..n step 16 {
//       y[i]<16> = x[i]<16> * 2.0<16>
//     }
//   }
//
// T<n> is a vector of n lanes, c<n> a constant in n lanes, b[i]<n> a contiguous access, and b[v]
// with a vector v a gather. i64 and f32 constants are bare; others carry their type. Names that
// occur more than once are numbered in order of declaration. A node with more than one user in a
// statement is printed once, as `_k = ...` before the statement. The text depends only on the
// kernel and describes it completely: kernel_read.c, which has the grammar, reads an equal kernel
// from it.
#include "ir/kernel.h"
#include "ir/kernel_impl.h"

#include "ir/kernel_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct Printer {
    const MgKernel *k;
    MgArena *arena;
    MgText *out;
    MgMap uses;   // name -> its number of uses
    MgMap taken;  // hashes of the texts that are in use
    MgMap shared; // node -> its number
    const char **bufs, **vars;
    uint32_t depth;
} Printer;

// The name as the text has it: in backquotes unless it is plain.
static const char *quoted(Printer *p, const char *name) {
    if (mg_k_is_plain(name))
        return name;
    char *text = mg_arena_printf(p->arena, "`%s`", name);
    for (char *c = text + 1; c[1]; c++)
        if (*c == '`' || (unsigned char)*c < ' ')
            *c = '?';
    return text;
}

// The name, followed by the lowest number that makes it unique.
static const char *unique(Printer *p, MgSym name) {
    const char *stem = mg_name(p->k->names, name), *text;
    uint64_t n = mg_map_get(&p->uses, name, 0), key;
    do {
        n++;
        text = n == 1 ? stem : mg_arena_printf(p->arena, "%s.%" PRIu64, stem, n);
        text = quoted(p, *stem ? text : mg_arena_printf(p->arena, "v%s", text));
        key = mg_hash(text, strlen(text), 0);
    } while (mg_map_find(&p->taken, key));
    mg_map_put(&p->uses, name, n);
    mg_map_put(&p->taken, key, 1);
    return text;
}

static void name_all(Printer *p) {
    p->bufs = MG_NEW_N(p->arena, const char *, p->k->bufs.len);
    p->vars = MG_NEW_N(p->arena, const char *, p->k->vars.len);
    for (uint32_t i = 0; i < p->k->bufs.len; i++)
        p->bufs[i] = unique(p, p->k->bufs.at[i].name);
    for (uint32_t i = 0; i < p->k->vars.len; i++)
        p->vars[i] = unique(p, p->k->vars.at[i].name);
}

static void type(Printer *p, MgKType t) {
    mg_text_add(p->out, mg_dtype(t.dtype)->name);
    if (t.lanes > 1)
        mg_textf(p->out, "<%u>", t.lanes);
}

static void lanes(Printer *p, uint32_t n) {
    if (n > 1)
        mg_textf(p->out, "<%u>", n);
}

// Is it a NaN other than the one that "nan" means?
static bool is_odd_nan(MgDType d, MgBits bits) {
    return isnan(mg_bits_to_double(d, bits)) && bits != mg_bits_from_double(d, NAN);
}

static void constant(Printer *p, const MgKx *x) {
    MgDType d = x->type.dtype;
    if (d == MG_BOOL)
        mg_text_add(p->out, x->bits ? "true" : "false");
    else if (mg_is_float(d) && is_odd_nan(d, x->bits))
        mg_textf(p->out, "nan(0x%" PRIx64 ")", x->bits);
    else if (mg_is_float(d))
        mg_text_add(p->out, mg_float_str(p->arena, mg_bits_to_double(d, x->bits), d != MG_F64));
    else if (mg_is_signed(d))
        mg_textf(p->out, "%" PRId64, mg_bits_to_int(d, x->bits));
    else
        mg_textf(p->out, "%" PRIu64, x->bits);
    if (d != MG_I64 && d != MG_F32 && d != MG_BOOL)
        mg_text_add(p->out, mg_dtype(d)->name);
    lanes(p, x->type.lanes);
}

// ---------------------------------------------------------------- expressions

static void expr(Printer *p, const MgKx *x, bool inner);

static void list(Printer *p, const MgKx *const *args, uint32_t n) {
    mg_text_add(p->out, "(");
    for (uint32_t i = 0; i < n; i++) {
        mg_text_add(p->out, i ? ", " : "");
        expr(p, args[i], false);
    }
    mg_text_add(p->out, ")");
}

static void primitive(Printer *p, const MgKx *x, bool inner) {
    const MgPrimRow *row = mg_prim(x->prim);
    bool word = row->name[0] >= 'a' && row->name[0] <= 'z';
    if (word) {
        mg_textf(p->out, "%s%s", x->near ? "~" : "", row->name);
        if (row->result == MG_RESULT_CONVERT)
            mg_textf(p->out, "<%s>", mg_dtype(x->type.dtype)->name);
        list(p, x->args, x->n_args);
        return;
    }
    mg_text_add(p->out, inner ? "(" : "");
    expr(p, x->args[0], true);
    mg_textf(p->out, " %s%s ", x->near ? "~" : "", row->name);
    expr(p, x->args[1], true);
    mg_text_add(p->out, inner ? ")" : "");
}

static void access(Printer *p, MgKBufId buf, const MgKx *index, uint32_t n) {
    mg_textf(p->out, "%s[", p->bufs[buf]);
    expr(p, index, false);
    mg_text_add(p->out, "]");
    if (index->type.lanes == 1 && p->k->bufs.at[buf].elem.lanes == 1)
        lanes(p, n);
}

static void load(Printer *p, const MgKx *x) {
    access(p, x->buf, x->args[0], x->type.lanes);
    if (x->n_args > 1) {
        mg_text_add(p->out, "{");
        expr(p, x->args[1], false);
        mg_text_add(p->out, " else ");
        expr(p, x->args[2], false);
        mg_text_add(p->out, "}");
    }
}

static void selectors(Printer *p, const MgKx *x) {
    for (uint32_t i = 0; i < x->type.lanes; i++)
        mg_textf(p->out, "%s%u", i ? " " : "<", x->lanes[i]);
    mg_text_add(p->out, ">");
}

static void table(Printer *p, const MgKx *x) {
    lanes(p, x->type.lanes);
    for (uint32_t i = 0; i < x->value; i++) {
        mg_text_add(p->out, i ? ", " : "[");
        constant(p, &(MgKx){.type = mg_kt(x->type.dtype, 1), .bits = x->table[i]});
    }
    mg_text_add(p->out, "]");
}

// An expression that is a word with its form and operands.
static void worded(Printer *p, const MgKx *x) {
    const MgKxWord *row = &mg_kx_words[x->kind];
    mg_text_add(p->out, row->word);
    switch (row->form) {
    case MG_KX_FORM_NONE:
        break;
    case MG_KX_FORM_LANES:
        lanes(p, x->type.lanes);
        break;
    case MG_KX_FORM_VALUE:
        mg_textf(p->out, "<%u>", x->value);
        break;
    case MG_KX_FORM_SELECTORS:
        selectors(p, x);
        break;
    case MG_KX_FORM_REDUCER:
        mg_textf(p->out, "<%s>", mg_prim(x->prim)->name);
        break;
    case MG_KX_FORM_ATOM:
        mg_textf(p->out, "<%s>", mg_atom((MgAtom)x->value)->word);
        break;
    case MG_KX_FORM_TABLE:
        table(p, x);
        break;
    }
    if (row->most)
        list(p, x->args, x->n_args);
}

static void expr(Printer *p, const MgKx *x, bool inner) {
    uint64_t *number = mg_map_find(&p->shared, (uint64_t)(uintptr_t)x);
    if (number && *number) {
        mg_textf(p->out, "_%" PRIu64, *number);
        return;
    }
    switch (x->kind) {
    case MG_KX_CONST:
        constant(p, x);
        break;
    case MG_KX_VAR:
        mg_text_add(p->out, p->vars[x->var]);
        break;
    case MG_KX_LOAD:
        load(p, x);
        break;
    case MG_KX_PRIM:
        primitive(p, x, inner);
        break;
    default:
        worded(p, x);
    }
}

// ---------------------------------------------------------------- statements

static void indent(Printer *p) {
    for (uint32_t i = 0; i < p->depth; i++)
        mg_text_add(p->out, "  ");
}

// Prints the shared nodes of a statement, with their names, before it.
static void share(Printer *p, const MgKx *const *roots, uint32_t n) {
    MgKxList shared = {0};
    mg_map_init(&p->shared, p->arena);
    mg_kx_shared(p->arena, roots, n, &shared);
    for (uint32_t i = 0; i < shared.list.len; i++) {
        indent(p);
        mg_textf(p->out, "_%u = ", i + 1);
        expr(p, shared.list.at[i], false);
        mg_text_add(p->out, "\n");
        mg_map_put(&p->shared, (uint64_t)(uintptr_t)shared.list.at[i], i + 1);
    }
}

static void block(Printer *p, const MgKBlock *b);

static void body(Printer *p, const MgKBlock *b) {
    mg_text_add(p->out, " {\n");
    p->depth++;
    block(p, b);
    p->depth--;
    indent(p);
    mg_text_add(p->out, "}");
}

static void loop(Printer *p, const MgKs *s) {
    mg_textf(p->out, "%s %s in ", mg_k_loop_words[s->loop], p->vars[s->var]);
    expr(p, s->low, true);
    mg_text_add(p->out, "..");
    expr(p, s->high, true);
    if (s->step != 1)
        mg_textf(p->out, " step %" PRId64, s->step);
    mg_text_add(p->out, s->rolled ? " rolled" : "");
    mg_text_add(p->out, s->dealt ? " dealt" : "");
    body(p, &s->body);
}

static void store(Printer *p, const MgKs *s) {
    access(p, s->buf, s->index, s->x->type.lanes);
    mg_text_add(p->out, s->later ? " = later " : s->nontemporal ? " = nontemporal " : " = ");
    expr(p, s->x, false);
    if (s->mask) {
        mg_text_add(p->out, " if ");
        expr(p, s->mask, false);
    }
}

static void call(Printer *p, const MgKCall *c) {
    mg_textf(p->out, "call #%u site %u%s%s%s(", c->kernel, c->site, c->alone ? " alone" : "",
             c->untimed ? " untimed" : "", c->copies ? " copies" : "");
    for (uint32_t i = 0; i < c->n_buffers; i++) {
        mg_textf(p->out, "%s%s + ", i ? ", " : "", p->bufs[c->buffers[i].base]);
        expr(p, c->buffers[i].offset, true);
    }
    mg_text_add(p->out, c->n_scalars ? "; " : "");
    for (uint32_t i = 0; i < c->n_scalars; i++) {
        mg_text_add(p->out, i ? ", " : "");
        expr(p, c->scalars[i], false);
    }
    mg_text_add(p->out, ")");
}

static void lies(Printer *p, MgKLies how, int64_t step, int64_t deep) {
    if (how == MG_LIES_APART)
        mg_textf(p->out, "<%" PRId64 ", %" PRId64 ">", step, deep);
    else
        mg_textf(p->out, " %s", mg_k_lies_words[how]);
}

static void product(Printer *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    mg_textf(p->out, "product %s[%u, %u] %s ", p->bufs[s->buf], q->rows, q->columns,
             q->fresh ? "=" : "+=");
    access(p, q->row_buf, s->index, 1);
    lies(p, q->row_lies, q->row_step, q->row_deep);
    mg_text_add(p->out, " * ");
    access(p, q->column_buf, s->x, 1);
    lies(p, q->column_lies, q->column_step, q->column_deep);
    mg_textf(p->out, ", %u deep by %s", q->depth, mg_atom(q->atom)->word);
    if (q->column_low)
        mg_textf(p->out, " split %" PRId64, q->column_low);
    mg_text_add(p->out, q->splits ? " splits" : "");
    mg_text_add(p->out, q->lag == MG_LAG_ALL ? " lags" : q->lag ? " stores_lag" : "");
    if (s->body.list.len) {
        mg_text_add(p->out, " meanwhile");
        body(p, &s->body);
    }
}

static void box(Printer *p, const MgKs *s) {
    const MgKBox *b = s->box;
    mg_text_add(p->out, "box ");
    access(p, s->buf, s->index, 1);
    mg_textf(p->out, " = %s + %" PRId64 "%s at ", p->bufs[b->from], b->base,
             b->rounds ? " to tf32" : "");
    for (uint32_t i = 0; i < b->rank; i++) {
        mg_text_add(p->out, i ? ", " : "");
        expr(p, s->at[i], true);
        mg_textf(p->out, ": %u of %" PRId64 " by %" PRId64, b->axes[i].extent, b->axes[i].size,
                 b->axes[i].stride);
    }
    if (b->pixels)
        mg_textf(p->out, " walk %u", b->pixels);
    for (uint32_t i = 0; b->pixels && i + 2 < b->rank; i++) {
        mg_text_add(p->out, i ? ", " : " ");
        expr(p, s->at[b->rank + i], true);
        mg_textf(p->out, ": %d..%d step %d", b->walks[i].low, b->walks[i].high, b->walks[i].step);
    }
    mg_text_add(p->out, " slot ");
    expr(p, s->x, true);
    mg_textf(p->out, " of %u by %u", b->slots, b->together);
}

static void statement(Printer *p, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        mg_textf(p->out, "%s: ", p->vars[s->var]);
        type(p, p->k->vars.at[s->var].type);
        mg_text_add(p->out, " = ");
        expr(p, s->x, false);
        break;
    case MG_KS_STORE:
        store(p, s);
        break;
    case MG_KS_TALLY:
    case MG_KS_TAKE:
    case MG_KS_COLLECT:
        mg_textf(p->out, "%s %s = ",
                 s->kind == MG_KS_TALLY  ? "tally"
                 : s->kind == MG_KS_TAKE ? "take"
                                         : "collect",
                 p->vars[s->var]);
        access(p, s->buf, s->index, 1);
        break;
    case MG_KS_POST:
        mg_text_add(p->out, "post ");
        access(p, s->buf, s->index, 1);
        mg_text_add(p->out, " = ");
        expr(p, s->x, false);
        break;
    case MG_KS_FOR:
        loop(p, s);
        break;
    case MG_KS_WHILE:
    case MG_KS_IF:
        mg_text_add(p->out, s->kind == MG_KS_IF ? "if " : "while ");
        expr(p, s->x, false);
        body(p, &s->body);
        if (s->orelse.list.len) {
            mg_text_add(p->out, " else");
            body(p, &s->orelse);
        }
        break;
    case MG_KS_BARRIER:
        mg_textf(p->out, "barrier %s", s->barrier == MG_BARRIER_GROUP ? "group" : "grid");
        break;
    case MG_KS_PREFETCH:
        mg_text_add(p->out, s->far ? "prefetch far " : "prefetch ");
        access(p, s->buf, s->index, 1);
        break;
    case MG_KS_TRAP:
        mg_textf(p->out, "trap %u", s->code);
        if (s->x) {
            mg_text_add(p->out, " of ");
            expr(p, s->x, false);
        }
        break;
    case MG_KS_PRODUCT:
        product(p, s);
        break;
    case MG_KS_AWAIT:
        mg_textf(p->out, "await %s", p->bufs[s->buf]);
        break;
    case MG_KS_BOX:
        box(p, s);
        break;
    case MG_KS_LANDED:
        mg_text_add(p->out, "landed ");
        expr(p, s->x, true);
        break;
    case MG_KS_RELEASE:
        mg_text_add(p->out, "release ");
        expr(p, s->x, true);
        break;
    case MG_KS_CALL:
        call(p, s->call);
        break;
    }
}

static void block(Printer *p, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKx *roots[MG_KS_ROOTS];
        share(p, roots, mg_ks_roots(b->list.at[i], roots));
        indent(p);
        statement(p, b->list.at[i]);
        mg_text_add(p->out, "\n");
    }
}

static void buffer(Printer *p, MgKBufId id, bool tells_use, uint32_t align, bool noalias) {
    const MgKBuf *b = &p->k->bufs.at[id];
    mg_textf(p->out, "%s: ", p->bufs[id]);
    if (tells_use)
        mg_textf(p->out, "%s ", mg_k_use_words[b->reads + 2 * b->writes]);
    type(p, b->elem);
    mg_text_add(p->out, "[");
    if (b->count)
        expr(p, b->count, false);
    mg_text_add(p->out, "]");
    if (b->align != align)
        mg_textf(p->out, " align %u", b->align);
    if (b->noalias != noalias)
        mg_text_add(p->out, b->noalias ? " noalias" : " alias");
    if (b->overlay)
        mg_textf(p->out, " at byte %u", b->overlay - 1);
}

static void attributes(Printer *p) {
    const MgKernel *k = p->k;
    if (k->items > 1)
        mg_textf(p->out, " items %u", k->items);
    if (k->resident)
        mg_textf(p->out, " resident %u", k->resident);
    if (k->groups) {
        mg_text_add(p->out, " groups ");
        expr(p, k->groups, true);
    }
    if (k->meets)
        mg_textf(p->out, " meets %u at %s", k->meets, p->bufs[k->meeting]);
    for (uint32_t i = 0; i < MG_K_FLAGS; i++)
        if (*(const bool *)((const char *)k + mg_k_flags[i].offset))
            mg_textf(p->out, " %s", mg_k_flags[i].word);
}

static void header(Printer *p) {
    const MgKernel *k = p->k;
    mg_textf(p->out, "kernel %s(", quoted(p, mg_name(k->names, k->name)));
    for (uint32_t i = 0; i < k->n_params; i++) {
        mg_text_add(p->out, i ? ", " : "");
        buffer(p, i, true, mg_k_param_align(k->bufs.at[i].elem), false);
    }
    for (uint32_t i = 0; i < k->scalars.len; i++)
        mg_textf(p->out, "%s%s: i64%s", i ? ", " : "; ", p->vars[k->scalars.at[i]],
                 k->vars.at[k->scalars.at[i]].below_0 ? " signed" : "");
    mg_text_add(p->out, ")");
    attributes(p);
    mg_text_add(p->out, " {\n");
}

static void allocations(Printer *p) {
    for (uint32_t i = p->k->n_params; i < p->k->bufs.len; i++) {
        const MgKBuf *b = &p->k->bufs.at[i];
        mg_textf(p->out, "  alloc %s %s ", mg_k_space_words[b->space], mg_k_scope_words[b->scope]);
        buffer(p, i, !(b->reads && b->writes), MG_K_ALIGN, true);
        mg_text_add(p->out, "\n");
    }
}

void mg_kernel_print(const MgKernel *k, MgText *out) {
    Printer p = {.k = k, .arena = mg_arena_new(mg_arena_mem(k->arena)), .out = out, .depth = 1};
    mg_map_init(&p.uses, p.arena);
    mg_map_init(&p.taken, p.arena);
    mg_map_init(&p.shared, p.arena);
    name_all(&p);
    header(&p);
    allocations(&p);
    block(&p, &k->body);
    mg_text_add(out, "}\n");
    mg_arena_free(p.arena);
}
