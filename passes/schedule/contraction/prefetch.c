// While a tile is summed, the lines that its end reads and writes are prefetched: those of the
// output, and of the operands that the epilogue adds, which come from memory in a real network.
// They are short pieces far from one another, which no hardware prefetcher finds.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

enum { MOST = 4 };

typedef struct Wanted {
    MgGemm *g;
    uint32_t n;
    MgKBufId buf[MOST];
    MgIx address[MOST]; // over the symbols of rows and columns
} Wanted;

static void want(Wanted *w, MgKBufId buf, MgIx address) {
    MgIxTable *t = w->g->s->ix;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->buf[i] == buf && w->address[i] == address)
            return; // in place
    if (w->n == MOST || !mg_ix_mentions(t, address, mg_ix_index(t, MG_GEMM_M)) ||
        !mg_ix_mentions(t, address, mg_ix_index(t, MG_GEMM_N)))
        return;
    w->buf[w->n] = buf;
    w->address[w->n++] = address;
}

static Wanted wanted(MgGemm *g) {
    MgGraph *graph = g->s->g;
    Wanted w = {.g = g};
    MgOpId last = g->unit->ops[g->unit->n_ops - 1];
    MgValueId v = mg_op(graph, last)->results[0];
    if (mg_unit_is_output(g->unit, v))
        want(&w, mg_kb_value(&g->kb, v), mg_unit_target(g->s, last, g->at.with, MG_GEMM_SYMS));
    for (uint32_t i = 1; i < g->unit->n_ops; i++) {
        MgOpId op = g->unit->ops[i];
        MgAccesses all = mg_accesses(g->s, op, mg_op(graph, op)->equation->pieces[0].expr,
                                     g->at.with, MG_GEMM_SYMS);
        for (uint32_t r = 0; r < all.n; r++)
            if (all.at[r].known && all.at[r].read->bounds == MG_BOUNDS_PROVED &&
                !mg_unit_def(g->unit, graph, all.at[r].value))
                want(&w, mg_kb_value(&g->kb, all.at[r].value), all.at[r].address);
    }
    return w;
}

void mg_gemm_prefetch(MgGemm *g, MgKBlock *block, const MgKx *m0, const MgKx *n0, uint32_t mr,
                      uint32_t nv) {
    MgKernel *k = g->kb.k;
    int64_t bytes = g->m.known * g->n.known * (int64_t)mg_dtype_size(g->type);
    Wanted w = wanted(g);
    if (!w.n || g->m.known < 0 || g->n.known < 0 ||
        bytes <= g->s->options->target.l2_bytes / 8) // small ones are still in cache
        return;
    // Each vector of every row is prefetched; if the tile is transposed, the first and the last row
    // of every column.
    uint32_t far = g->plan.transposed ? nv * g->lanes : mr, near = g->plan.transposed ? 2 : nv;
    Loop loop = each_of(k, block, "r", num(k, far));
    for (uint32_t j = 0; j < near; j++) {
        int64_t along = g->plan.transposed ? j * (mr - 1) : j * g->lanes;
        const MgKx *m = add(k, m0, g->plan.transposed ? num(k, along) : loop.at);
        const MgKx *n = add(k, n0, g->plan.transposed ? loop.at : num(k, along));
        g->at.loop[MG_GEMM_M] = m;
        g->at.loop[MG_GEMM_N] = least(k, n, num(k, g->n.known - 1));
        for (uint32_t b = 0; b < w.n; b++)
            mg_kprefetch(k, loop.body, w.buf[b], mg_kb_ix(&g->kb, w.address[b], g->at.loop));
    }
}

void mg_gemm_prefetch_strip(MgGemm *g, MgKBlock *block, const MgGemmTile *t, const MgKx *chain,
                            int64_t chains) {
    enum { HIDE = 4 }; // with fewer panels there is no time in which memory could answer
    MgKernel *k = g->kb.k;
    int64_t size = (int64_t)mg_dtype_size(g->type), l2 = g->s->options->target.l2_bytes,
            strip = g->plan.nv * g->lanes * g->plan.kc, line = mg_line(g->s) / size;
    bool all_rows = mg_gemm_strip_by_strip(g) || (g->m.known >= 0 && g->m.known < g->plan.mc);
    int64_t panels = (all_rows ? g->m.known : g->plan.mc) / g->plan.mr;
    if (!t->number || !g->plan.columns_kept || panels < HIDE || 4 * strip * size > l2 ||
        mg_gemm_kept_size(g, MG_GEMM_KEEP_COLUMNS) * size <= l2)
        return;
    int64_t lines = mg_ceil_div(mg_ceil_div(strip, line), panels * chains);
    const MgKx *share = add(k, times(k, t->number, chains), chain);
    const MgKx *next = add(k, plus(k, t->strip, strip), times(k, share, lines * line));
    next = named(k, block, "next", next);
    Loop loop = each_of(k, block, "line", num(k, lines));
    const MgKx *at = add(k, next, times(k, loop.at, line));
    mg_kprefetch(k, loop.body, g->column.packed, at)->far = true;
}
