// Writes --explain=guards. Each line is printed once, even if several reads, or several points of
// one, share it.
#include "passes/guards.h"

#include "ir/equation.h"
#include "ir/kernel_walk.h"
#include "ir/print_internal.h"
#include "passes/rewrite.h"

typedef struct Guards {
    MgGraph *g;
    MgArena *scratch;
    MgText *out;
    MgMap told; // lines printed so far, by hash
    MgIx *facts;
    uint32_t n_facts;
    const MgOp *op; // the op whose reads are walked
    const MgPiece *piece;
    MgIxRanges ranges;
} Guards;

static Guards begin(MgGraph *g, MgText *out) {
    Guards s = {.g = g, .scratch = mg_arena_new(mg_arena_mem(g->module->arena)), .out = out};
    mg_map_init(&s.told, s.scratch);
    s.n_facts = mg_graph_facts(g, s.scratch, &s.facts);
    return s;
}

static void line(Guards *s, const char *verdict, MgOriginId origin, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void line(Guards *s, const char *verdict, MgOriginId origin, const char *format, ...) {
    const MgNames *names = s->g->module->session->names;
    const MgOrigin *o = origin ? mg_origin_of_user(s->g->module, origin) : NULL;
    va_list args;
    va_start(args, format);
    const char *what = mg_arena_vprintf(s->scratch, format, args);
    va_end(args);
    const char *text =
        o ? mg_arena_printf(s->scratch, "%-7s %s:%u:%u  %s\n", verdict, mg_name(names, o->file),
                            o->line, o->column, what)
          : mg_arena_printf(s->scratch, "%-7s %s  %s\n", verdict, mg_name(names, s->g->name), what);
    uint64_t hash = mg_hash(text, strlen(text), 0);
    if (!mg_map_find(&s->told, hash))
        mg_text_add(s->out, text);
    mg_map_put(&s->told, hash, 1);
}

static const char *size_text(Guards *s, MgIx x) {
    MgText text = mg_text(s->scratch);
    mg_ix_print(s->g->module->ix, s->g->module->session->names, x, NULL, NULL, &text);
    return mg_text_str(&text);
}

static const char *predicate(Guards *s, MgIx nonnegative) {
    MgText text = mg_text(s->scratch);
    MgPrinter p = {.g = s->g, .out = &text};
    mg_print_predicate(&p, nonnegative);
    return mg_text_str(&text);
}

static const char *expression(Guards *s, const MgSx *x) {
    MgText text = mg_text(s->scratch);
    MgSx plain = *x;
    plain.otherwise = NULL; // only the read itself matters, not its `else`
    MgPrinter p = {.g = s->g, .out = &text, .piece = s->piece, .op = s->op};
    mg_print_expression(&p, &plain);
    return mg_text_str(&text);
}

// ---------------------------------------------------------------- reads
static MgIx extent(Guards *s, const MgSx *read, uint32_t k) {
    return mg_value(s->g, s->op->operands[read->operand])->shape[k];
}

static MgProof inside(Guards *s, const MgSx *read, bool with_facts) {
    MgProof all = MG_PROVED;
    for (uint32_t k = 0; k < read->n_args && all != MG_REFUTED; k++) {
        MgProof one = MG_UNKNOWN;
        if (read->args[k]->kind == MG_SX_IX)
            one = mg_inside(s->g->module->ix, read->args[k]->ix, extent(s, read, k), &s->ranges,
                            s->facts, with_facts ? s->n_facts : 0);
        all = one == MG_PROVED ? all : one;
    }
    return all;
}

// Is each subscript an index over exactly its axis, so there is nothing to prove?
static bool is_plain(Guards *s, const MgSx *read) {
    MgIxTable *t = s->g->module->ix;
    for (uint32_t k = 0; k < read->n_args; k++) {
        bool plain = false;
        for (uint32_t i = 0; i < s->piece->n_indices && !plain; i++)
            plain = read->args[k]->kind == MG_SX_IX && read->args[k]->ix == mg_ix_idx(t, i) &&
                    s->piece->indices[i].low == mg_ix_const(t, 0) &&
                    s->piece->indices[i].high == extent(s, read, k);
        if (!plain)
            return false;
    }
    return true;
}

static void see_proved(void *ctx, const MgSx *x) {
    Guards *s = ctx;
    if (x->kind != MG_SX_READ || x->bounds != MG_BOUNDS_PROVED || is_plain(s, x))
        return;
    const char *why = inside(s, x, false) == MG_PROVED  ? "at all sizes"
                      : inside(s, x, true) == MG_PROVED ? "at all sizes that are required"
                                                        : "by the form of its subscripts";
    line(s, "proved", s->op->origin, "%s is inside %s", expression(s, x), why);
}

static void see_kept(void *ctx, const MgSx *x) {
    Guards *s = ctx;
    if (x->kind != MG_SX_READ || x->bounds == MG_BOUNDS_PROVED)
        return;
    const char *what = x->bounds == MG_BOUNDS_ELSE ? "takes its else outside" : "traps outside";
    for (uint32_t k = 0; k < x->n_args; k++)
        if (x->args[k]->kind != MG_SX_IX)
            line(s, "kept", s->op->origin, "each element: %s %s: its subscript %u is data",
                 expression(s, x), what, k + 1);
        else if (mg_inside(s->g->module->ix, x->args[k]->ix, extent(s, x, k), &s->ranges, s->facts,
                           s->n_facts) != MG_PROVED)
            line(s, "kept", s->op->origin,
                 "each element: %s %s: its subscript %u is not always in 0..%s", expression(s, x),
                 what, k + 1, size_text(s, extent(s, x, k)));
}

static void walk(Guards *s, void (*see)(void *ctx, const MgSx *x)) {
    for (MgOpId id = 1; id < s->g->ops.len; id++) {
        s->op = mg_op(s->g, id);
        for (uint32_t p = 0; s->op->kind == MG_OP_EQUATION && p < s->op->equation->n_pieces; p++) {
            s->piece = &s->op->equation->pieces[p];
            s->ranges = mg_piece_ranges(s->piece, s->scratch);
            mg_sx_walk(s->piece->expr, see, s);
        }
    }
}

void mg_guards_proved(MgGraph *g, MgText *out) {
    Guards s = begin(g, out);
    walk(&s, see_proved);
    mg_arena_free(s.scratch);
}

void mg_guards_read(MgGraph *g, const MgOp *op, const MgPiece *piece, const MgSx *read,
                    MgProof proof, MgText *out) {
    Guards s = begin(g, out);
    s.op = op;
    s.piece = piece;
    line(&s, "proved", op->origin,
         proof == MG_PROVED ? "%s is never outside: no else, no check"
                            : "%s is always outside: only its else is used",
         expression(&s, read));
    mg_arena_free(s.scratch);
}

// ---------------------------------------------------------------- the rest of a graph
static void kept_op(Guards *s, const MgOp *op) {
    const char *result =
        op->n_results ? mg_name(s->g->module->session->names, mg_value(s->g, op->results[0])->name)
                      : "";
    if (op->kind == MG_OP_REQUIRE)
        line(s, "kept", op->origin, "when it is reached: %s, whose sizes data decide",
             predicate(s, op->require.nonnegative));
    if (op->kind == MG_OP_DIM || (op->kind == MG_OP_BUILTIN && op->dim))
        line(s, "kept", op->origin, "when it is reached: a size that data decide is within %s",
             op->dim_bound ? size_text(s, op->dim_bound) : "its bounds");
    for (uint32_t p = 0; op->kind == MG_OP_EQUATION && p < op->equation->n_pieces; p++) {
        const MgPiece *piece = &op->equation->pieces[p];
        if (piece->scatter && piece->write != MG_BOUNDS_PROVED)
            line(s, "kept", op->origin, "each element written to %s: %s, as its place is data",
                 result, piece->write == MG_BOUNDS_ELSE ? "dropped outside" : "traps outside");
    }
}

void mg_guards_kept(MgGraph *g, MgText *out) {
    Guards s = begin(g, out);
    const MgNames *names = g->module->session->names;
    if (g->inputs.len)
        line(&s, "kept", g->origin, "when sizes are set: inputs have the shapes declared");
    for (uint32_t i = 0; i < g->requires.len; i++) {
        const MgRequire *r = &g->requires.at[i];
        line(&s, "kept", r->origin, "when sizes are set: %s%s%s", predicate(&s, r->nonnegative),
             r->message ? ": " : "", r->message ? mg_name(names, r->message) : "");
    }
    for (MgOpId id = 1; id < g->ops.len; id++)
        kept_op(&s, mg_op(g, id));
    walk(&s, see_kept);
    mg_arena_free(s.scratch);
}

// ---------------------------------------------------------------- memory
// Is a parameter that may start at any address stored in whole lines past the caches?
static bool tests_alignment(void *k, const MgKs *s) {
    return s->kind == MG_KS_STORE && s->nontemporal &&
           ((const MgKernel *)k)->bufs.at[s->buf].align < 64;
}

void mg_guards_memory(MgProgram *p, MgText *out) {
    Guards s = begin(p->graph, out);
    bool apart = false;
    for (uint32_t i = 0; i < p->sites.len; i++) {
        MgKernel *k = p->kernels.at[p->sites.at[i].kernel];
        if (mg_kblock_any(&k->body, &(MgKAsk){.statement = tests_alignment, .ctx = k}))
            line(&s, "kept", p->sites.at[i].origin,
                 "stores past the caches: whole lines where the result's memory is aligned to 64 "
                 "bytes, parts of them elsewhere");
        for (uint32_t b = 0; b < k->n_params; b++)
            apart |= k->bufs.at[b].writes && k->bufs.at[b].noalias;
    }
    line(&s, "kept", MG_NONE, "when bound: memory of inputs is aligned to their elements");
    if (apart)
        line(&s, "assumed", MG_NONE, "memory of outputs overlaps neither inputs nor each other");
    mg_arena_free(s.scratch);
}
