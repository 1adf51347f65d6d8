// Contractions for workers. find.c recognises them, choose.c makes a plan,
// and the kernel is built from this plan alone. Factors are evaluated once, while they are packed.
//
// The algorithm is that of Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 2008. Columns of b are packed into strips that are `nr` columns wide
// and `kc` deep, and stay in L2 and L1; rows of a are packed into panels of `mr` rows; a tile of mr
// x nr accumulators stays in registers. If a is contiguous along k, a panel keeps each row
// contiguous, so that packing it is a copy, or is not needed at all. Remaining rows have tiles of
// their own, remaining columns have masks.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/form.h"
#include "passes/schedule/words.h"

#include "ir/equation.h"

// Sums in blocks of k keep their partial results in the output. Is that possible?
static bool keeps_partials(MgGemm *g) {
    MgGraph *graph = g->s->g;
    MgOpId last = g->unit->ops[g->unit->n_ops - 1];
    MgValueId v = mg_op(graph, last)->results[0];
    if (!mg_unit_is_output(g->unit, v) || mg_value(graph, v)->dtype != g->type)
        return false;
    return !g->kb.k->bufs.at[mg_kb_value(&g->kb, v)].reads; // not if it is also an operand's buffer
}

// ---------------------------------------------------------------- packing once

void mg_gemm_take_operands(MgGemm *g, const MgSx *factor) {
    MgSched *s = g->s;
    MgAccesses reads = mg_reads(s, g->unit->ops[0], factor);
    for (uint32_t i = 0; i < reads.n; i++) {
        MgValueId v = reads.at[i].value;
        if (mg_kb_value(&g->kb, v) == UINT32_MAX)
            mg_kb_extra(&g->kb, "weight", mg_value(s->g, v)->dtype, s->storage_of[v], NULL, true,
                        false);
    }
}

static void keep_factor(MgGemm *g, MgGemmKeeping what) {
    MgSched *s = g->s;
    const MgSx *factor = what == MG_GEMM_KEEP_ROWS ? g->row.x : g->column.x;
    int64_t size = mg_gemm_kept_size(g, what);
    if (mg_gemm_follows_batch(g, factor))
        size *= g->batch.known;
    size += g->lanes; // a panel is written in whole vectors
    MgIx bytes = mg_ix_const(s->ix, size * (int64_t)mg_dtype_size(g->words.type));
    MgKBlock *ahead = mg_plan_ahead(s, g->unit->ops[0], factor);
    MgStorageId storage = ahead == s->once ? mg_storage_kept(s, bytes, MG_NONE)
                                           : mg_storage_new(s, MG_PLAN_ARENA, bytes, MG_NONE);
    s->draft->storages.at[storage].ahead = ahead != s->once;
    MgGemm p = *g;
    MgUnit unit = {.ops = g->unit->ops, .outputs = g->unit->outputs};
    mg_kb_begin(&p.kb, s, &unit, "pack");
    mg_gemm_take_operands(&p, factor);
    p.keeping = what;
    for (uint32_t i = 0; i < MG_GEMM_SYMS; i++)
        p.at.loop[i] = num(p.kb.k, 0);
    MgKBufId packed = mg_kb_extra(&p.kb, "packed", g->words.type, storage, NULL, false, true);
    p.row.packed = p.column.packed = packed;
    mg_gemm_emit(&p);
    unit.n_outputs = 1; // for the name of its site
    storage = mg_kb_end_ahead(&p.kb, g->unit->ops[0], ahead, storage);
    if (what == MG_GEMM_KEEP_ROWS)
        g->row.packed = mg_kb_extra(&g->kb, "rows", g->words.type, storage, NULL, true, false);
    else
        g->column.packed =
            mg_kb_extra(&g->kb, "columns", g->words.type, storage, NULL, true, false);
}

static void make_partials(MgGemm *g) {
    MgIxTable *t = g->s->ix;
    int64_t width = g->plan.nv * g->lanes;
    if (!g->partials.own)
        return;
    MgIx rows = g->m.extent; // if the number of rows is open, the last tile may have too many
    if (g->m.known < 0)
        rows = mg_ix_add(t, rows, mg_ix_const(t, MG_GEMM_OPEN_ROWS - 1));
    MgIx size = mg_ix_mul(t, rows, mg_ix_round_up(t, g->n.extent, width));
    bool common = g->plan.sharing != MG_GEMM_SHARE_BATCH && g->s->workers > 1;
    g->partials.buf = mg_kb_scratch(&g->kb, "partials", g->type, size,
                                    common ? MG_SCOPE_CALL : MG_SCOPE_WORKER, &g->partials.base);
}

static void make_buffers(MgGemm *g) {
    MgIxTable *t = g->s->ix;
    MgScope common = g->s->workers > 1 ? MG_SCOPE_CALL : MG_SCOPE_WORKER;
    int64_t width = g->plan.nv * g->lanes;
    bool tiles = g->plan.sharing == MG_GEMM_SHARE_TILES,
         all_rows = tiles || g->plan.sharing == MG_GEMM_SHARE_COLUMNS;
    MgIx strips = mg_ix_const(t, g->plan.nc / width);
    MgIx panels = mg_ix_const(t, mg_ceil_div(g->plan.mc, g->plan.mr));
    if (mg_gemm_strip_by_strip(g))
        strips = mg_ix_const(t, 1);
    if (all_rows)
        panels = mg_ix_const(t, mg_ceil_div(g->m.known, g->plan.mr));
    // A panel stored step by step is written in whole vectors, so the last vector needs extra room.
    MgIx rows = mg_ix_add(t, mg_ix_mul(t, panels, mg_ix_const(t, g->plan.mr * g->pitch)),
                          mg_ix_const(t, g->lanes));
    MgIx columns = mg_ix_mul(t, strips, mg_ix_const(t, width * g->plan.kc));
    if (g->plan.rows_lie)
        g->row.packed =
            mg_kb_value(&g->kb, mg_op(g->s->g, g->unit->ops[0])->operands[g->row.x->operand]);
    else if (mg_gemm_packs_rows(g))
        g->row.packed = mg_kb_scratch(&g->kb, "rows", g->words.type, rows,
                                      all_rows ? common : MG_SCOPE_WORKER, &g->row.base);
    if (mg_gemm_packs_columns(g))
        g->column.packed =
            mg_kb_scratch(&g->kb, "columns", g->words.type, columns,
                          tiles || g->plan.sharing == MG_GEMM_SHARE_ROWS ? common : MG_SCOPE_WORKER,
                          &g->column.base);
    make_partials(g);
    if (!g->row.base)
        g->row.base = num(g->kb.k, 0);
    if (!g->column.base)
        g->column.base = num(g->kb.k, 0);
    MgKType vector = mg_kt(g->type, g->lanes);
    g->sums.acc = mg_kb_private(&g->kb, "tile", vector, mg_gemm_summed_rows(g) * g->plan.nv);
    g->sums.done = mg_kb_private(&g->kb, "sums", vector, g->plan.mr * g->plan.nv);
    if (g->plan.transposed)
        g->sums.turned = mg_kb_private(&g->kb, "turned", vector, g->lanes);
}

// ---------------------------------------------------------------- consequences of a plan
// Rows of a panel begin an odd number of cache lines apart, so that they share no set of a cache.
static int64_t pitch_of(const MgGemm *g) {
    int64_t line = mg_line(g->s) / (int64_t)mg_dtype_size(g->type), kc = g->plan.kc;
    return g->plan.row_along_k && kc >= 8 * line ? (mg_ceil_div(kc, line) | 1) * line : kc;
}

void mg_gemm_derive(MgGemm *g) {
    const MgGemmPlan *p = &g->plan;
    bool splits = g->k.known < 0 || g->k.known > p->kc;
    g->partials.own = splits && (p->transposed || g->row_end || !keeps_partials(g));
    if (!p->rows_lie || !mg_gemm_rows_may_lie(g, &g->row.lies_at, &g->pitch))
        g->pitch = pitch_of(g);
    g->depths = g->k.known > 0 ? mg_ceil_div(g->k.known, p->kc) : 0;
    g->column.runs = p->column_runs ? mg_gemm_column_runs(g) : (MgGemmRuns){0};
    g->row.runs = p->row_runs ? mg_gemm_row_runs(g) : (MgGemmRuns){0};
    mg_gemm_find_lines(g);
}

static void find_buffers(MgGemm *g) {
    const MgOp *op = mg_op(g->s->g, g->unit->ops[0]);
    if (g->plan.rows_kept)
        keep_factor(g, MG_GEMM_KEEP_ROWS);
    if (g->plan.columns_kept)
        keep_factor(g, MG_GEMM_KEEP_COLUMNS);
    if (g->plan.columns_fill && mg_gemm_plain_address(g, g->column.x, &g->column.lies_at))
        g->column.lies_in = mg_kb_value(&g->kb, op->operands[g->column.x->operand]);
    make_buffers(g);
}

static void *find(MgSched *s, const MgUnit *unit) {
    MgGemm g = {.s = s, .unit = unit};
    return mg_gemm_find(&g) ? mg_arena_copy(s->arena, &g, 1, sizeof g) : NULL;
}

static void make_kernel(void *found) {
    MgGemm *g = found;
    mg_gemm_derive(g);
    find_buffers(g);
    mg_gemm_emit(g);
}

const MgForm mg_form_contraction = {.nests = MG_NEST_CONTRACTION,
                                    .level = 1,
                                    .what = "a contraction",
                                    .find = find,
                                    .choose = mg_gemm_choose,
                                    .read = mg_gemm_read_plan,
                                    .nest = mg_gemm_nest,
                                    .make = make_kernel};
