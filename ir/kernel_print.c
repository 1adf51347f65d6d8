// Kernel IR as text, for --emit-kernels, golden tests and people.
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
// statement is printed once, as `_k = ...` in front of it. The text depends on the kernel alone.
#include "ir/kernel.h"
#include "ir/kernel_impl.h"

#include <inttypes.h>

typedef struct Printer {
    const MgKernel *k;
    MgArena *arena;
    MgText *out;
    MgMap taken;  // name to its number of uses
    MgMap shared; // node to its number
    const char **bufs, **vars;
    uint32_t depth;
} Printer;

static const char *unique(Printer *p, MgSym name) {
    const char *text = mg_name(p->k->names, name);
    if (!*text)
        text = "v";
    uint64_t n = mg_map_get(&p->taken, name, 0) + 1;
    mg_map_put(&p->taken, name, n);
    return n == 1 ? text : mg_arena_printf(p->arena, "%s.%" PRIu64, text, n);
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

static void constant(Printer *p, const MgKx *x) {
    MgDType d = x->type.dtype;
    if (d == MG_BOOL)
        mg_text_add(p->out, x->bits ? "true" : "false");
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

static void permute(Printer *p, const MgKx *x) {
    mg_text_add(p->out, "permute<");
    for (uint32_t i = 0; i < x->type.lanes; i++)
        mg_textf(p->out, "%s%u", i ? " " : "", x->lanes[i]);
    mg_text_add(p->out, ">");
    list(p, x->args, x->n_args);
}

static void lookup(Printer *p, const MgKx *x) {
    mg_text_add(p->out, "lookup");
    lanes(p, x->type.lanes);
    mg_text_add(p->out, "[");
    for (uint32_t i = 0; i < x->value; i++) {
        mg_text_add(p->out, i ? ", " : "");
        constant(p, &(MgKx){.type = mg_kt(x->type.dtype, 1), .bits = x->table[i]});
    }
    mg_text_add(p->out, "]");
    list(p, x->args, 1);
}

static void call_like(Printer *p, const char *name, const MgKx *x) {
    mg_text_add(p->out, name);
    if (x->kind != MG_KX_FOLD)
        lanes(p, x->type.lanes);
    list(p, x->args, x->n_args);
}

static void expr(Printer *p, const MgKx *x, bool inner) {
    static const char *const special[] = {[MG_KX_WORKER] = "worker",
                                          [MG_KX_WORKERS] = "workers",
                                          [MG_KX_LOCAL_ID] = "local_id",
                                          [MG_KX_LOCAL_SIZE] = "local_size"};
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
    case MG_KX_RAMP:
        call_like(p, "ramp", x);
        break;
    case MG_KX_SPLAT:
        call_like(p, "splat", x);
        break;
    case MG_KX_LANE:
        mg_textf(p->out, "lane<%u>", x->value);
        list(p, x->args, 1);
        break;
    case MG_KX_PERMUTE:
        permute(p, x);
        break;
    case MG_KX_LOOKUP:
        lookup(p, x);
        break;
    case MG_KX_FOLD:
        mg_textf(p->out, "fold<%s>", mg_prim(x->prim)->name);
        list(p, x->args, 1);
        break;
    default:
        mg_text_add(p->out, special[x->kind]);
    }
}

// ---------------------------------------------------------------- statements

static void indent(Printer *p) {
    for (uint32_t i = 0; i < p->depth; i++)
        mg_text_add(p->out, "  ");
}

// Prints the shared nodes of a statement with their names, in front of it.
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
    static const char *const kinds[] = {[MG_LOOP_SERIAL] = "for",
                                        [MG_LOOP_UNROLLED] = "unrolled",
                                        [MG_LOOP_PARALLEL] = "parallel",
                                        [MG_LOOP_GROUP] = "group",
                                        [MG_LOOP_ITEM] = "item"};
    mg_textf(p->out, "%s %s in ", kinds[s->loop], p->vars[s->var]);
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
    mg_text_add(p->out, s->nontemporal ? " = nontemporal " : " = ");
    expr(p, s->x, false);
    if (s->mask) {
        mg_text_add(p->out, " if ");
        expr(p, s->mask, false);
    }
}

static void call(Printer *p, const MgKCall *c) {
    mg_textf(p->out, "call #%u site %u%s(", c->kernel, c->site, c->alone ? " alone" : "");
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

static void product(Printer *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    mg_textf(p->out, "product %s[%u, %u] += ", p->bufs[s->buf], q->rows, q->columns);
    access(p, q->row_buf, s->index, 1);
    mg_textf(p->out, "<%" PRId64 ", %" PRId64 "> * ", q->row_step, q->row_deep);
    access(p, q->column_buf, s->x, 1);
    mg_textf(p->out, "<%" PRId64 ", %" PRId64 ">, %u deep", q->column_step, q->column_deep,
             q->depth);
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
        break;
    case MG_KS_PRODUCT:
        product(p, s);
        break;
    case MG_KS_CALL:
        call(p, s->call);
        break;
    }
}

static void block(Printer *p, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKx *roots[5];
        share(p, roots, mg_ks_roots(b->list.at[i], roots));
        indent(p);
        statement(p, b->list.at[i]);
        mg_text_add(p->out, "\n");
    }
}

static void header(Printer *p) {
    const MgKernel *k = p->k;
    mg_textf(p->out, "kernel %s(", mg_name(k->names, k->name));
    for (uint32_t i = 0; i < k->n_params; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        mg_textf(p->out, "%s%s: %s %s[", i ? ", " : "", p->bufs[i],
                 b->reads && b->writes ? "inout"
                 : b->writes           ? "out"
                                       : "in",
                 mg_dtype(b->elem.dtype)->name);
        if (b->count)
            expr(p, b->count, false);
        mg_text_add(p->out, b->noalias ? "] noalias" : "]");
    }
    for (uint32_t i = 0; i < k->scalars.len; i++)
        mg_textf(p->out, "%s%s: i64", i ? ", " : "; ", p->vars[k->scalars.at[i]]);
    mg_text_add(p->out, ")");
    if (k->items > 1)
        mg_textf(p->out, " items %u", k->items);
    if (k->groups) {
        mg_text_add(p->out, " groups ");
        expr(p, k->groups, false);
    }
    mg_text_add(p->out, " {\n");
}

static void allocations(Printer *p) {
    static const char *const spaces[] = {"global", "shared", "private"};
    static const char *const scopes[] = {"param", "thread", "worker", "group", "call"};
    for (uint32_t i = p->k->n_params; i < p->k->bufs.len; i++) {
        const MgKBuf *b = &p->k->bufs.at[i];
        mg_textf(p->out, "  alloc %s %s %s: ", spaces[b->space], scopes[b->scope], p->bufs[i]);
        type(p, b->elem);
        mg_text_add(p->out, "[");
        if (b->count)
            expr(p, b->count, false);
        mg_text_add(p->out, "]");
        if (b->overlay)
            mg_textf(p->out, " at byte %u", b->overlay - 1);
        mg_text_add(p->out, "\n");
    }
}

void mg_kernel_print(const MgKernel *k, MgText *out) {
    Printer p = {.k = k, .arena = mg_arena_new(mg_arena_mem(k->arena)), .out = out, .depth = 1};
    mg_map_init(&p.taken, p.arena);
    mg_map_init(&p.shared, p.arena);
    name_all(&p);
    header(&p);
    allocations(&p);
    block(&p, &k->body);
    mg_text_add(out, "}\n");
    mg_arena_free(p.arena);
}
