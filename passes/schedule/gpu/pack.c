// Packs a factor of a contraction on a GPU that never changes and is stored in the wrong order. It
// is evaluated once for all runs, in the type of local memory, to one line of positions for each k
// (or, if a word holds several k, to one line of k for each position). So tiles are loaded as whole
// vectors and stored to local memory unchanged.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

enum { MOST_KEPT = 1 << 28 }; // elements

// The kernel that packs has parameters of its own: the factor's operands, and the packed buffer.
static MgKBufId begin(MgGpuGemm *pack, const MgStage *st, const MgUnit *unit, MgStorageId storage) {
    MgGemm *g = &pack->g;
    MgSched *s = g->s;
    const MgOp *op = mg_op(s->g, unit->ops[0]);
    mg_kb_begin(&g->kb, s, unit, "pack");
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (mg_is_kept(s, op->operands[i]) && mg_kb_value(&g->kb, op->operands[i]) == UINT32_MAX) {
            MgKBufId read = mg_kb_extra(&g->kb, "weight", mg_value(s->g, op->operands[i])->dtype,
                                        s->storage_of[op->operands[i]], NULL, true, false);
            g->kb.k->bufs.at[read].noalias = true;
        }
    for (uint32_t i = 0; i < MG_GEMM_SYMS; i++)
        g->loop[i] = num(g->kb.k, 0);
    return mg_kb_extra(&g->kb, "packed", st->type, storage, NULL, false, true);
}

// `across` is the class along which lines do not run.
static void emit(MgGpuGemm *pack, const MgStage *st, const MgGemmClass *along,
                 const MgGemmClass *across, MgKBufId to) {
    MgGemm *g = &pack->g;
    MgKernel *k = g->kb.k;
    uint32_t sym = along == &g->k ? MG_GEMM_K : st->sym;
    MgKBlock *block = &k->body;
    const MgKx *number;
    mg_gpu_flat_loop(&g->kb, num(k, st->line * across->known), mg_gpu_usual_items(g->s), &block,
                     &number);
    const MgKx *at = mg_klet_x(k, block, "at", bin(k, MG_PRIM_FMOD, number, num(k, st->line)));
    const MgKx *line = bin(k, MG_PRIM_FDIV, number, num(k, st->line));
    g->loop[sym == MG_GEMM_K ? st->sym : MG_GEMM_K] =
        mg_klet_x(k, block, st->word > 1 ? "at" : "k", line);
    g->loop[sym] = at;
    if (st->line != along->known) // zeros pad the line
        g->loop[sym] = mg_klet_x(k, block, "at", bin(k, MG_PRIM_MIN, at, num(k, along->known - 1)));
    MgPoint p = mg_gpu_gemm_point(pack, block, -1, 1);
    const MgKx *x = mg_point_expr(&p, st->factor);
    if (st->line != along->known)
        x = mg_kprim(k, MG_PRIM_WHERE, bin(k, MG_PRIM_LT, at, num(k, along->known)), x,
                     mg_kfloat(k, x->type, 0));
    mg_kstore(k, block, to, number, mg_gpu_staged(pack, st, x), NULL);
}

bool mg_gpu_stage_may_keep(MgGpuGemm *gg, MgStage *st, const MgGemmClass *of) {
    MgGemm *g = &gg->g;
    if (!g->s->once || of->known <= 0 || g->k.known <= 0 ||
        !mg_gemm_is_unchanging(g, st->factor, of) || mg_gemm_follows_batch(g, st->factor))
        return false;
    const MgGemmClass *along = st->word > 1 ? &g->k : of, *across = st->word > 1 ? of : &g->k;
    int64_t lanes = MG_QUAD * st->word;
    st->line = mg_ceil_div(along->known, lanes) * lanes;
    return st->line <= MOST_KEPT / across->known;
}

void mg_gpu_stage_keep(MgGpuGemm *gg, MgStage *st, const MgGemmClass *of) {
    MgGemm *g = &gg->g;
    MgSched *s = g->s;
    MgGpuGemm pack = *gg;
    const MgGemmClass *along = st->word > 1 ? &pack.g.k : of, *across = st->word > 1 ? of : &g->k;
    int64_t bytes = st->line * across->known * (int64_t)mg_dtype_size(st->type);
    MgStorageId storage = mg_storage_kept(s, mg_ix_const(s->ix, bytes), MG_NONE);
    MgUnit unit = {.ops = g->unit->ops, .outputs = g->unit->outputs};
    MgKBufId to = begin(&pack, st, &unit, storage);
    emit(&pack, st, along, across, to);
    unit.n_outputs = 1; // for the name of its site
    storage = mg_kb_end_ahead(&pack.g.kb, g->unit->ops[0], s->once, storage);
    st->packed = mg_kb_extra(&g->kb, "packed", st->type, storage, NULL, true, false);
    g->kb.k->bufs.at[st->packed].align = 64; // like the arena
    g->kb.k->bufs.at[st->packed].noalias = true;
}
