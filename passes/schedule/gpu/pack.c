// Packs a factor of a contraction on a GPU, if it never changes and lies in the wrong order, or if
// the device can then copy it by itself. It is written in the type of local memory, to one line of
// positions for each k (or, for wide products and if a word holds several k, to one line of k for
// each position). So tiles are loaded as whole vectors and stored to local memory unchanged. The
// parts of split columns are two planes of lines, as columns are dealt.
#include "passes/schedule/gpu/tile.h"
#include "passes/schedule/words.h"

#include <math.h>

enum { MOST_PACKED = 1 << 29 }; // elements: places in two planes of them have 31 bits

typedef struct Pack {
    MgGpuGemm gg;
    const MgStage *st;
    const MgGemmClass *along, *across; // lines run along the first
    MgKBufId to;
    uint32_t lanes; // of a vector of the line
    bool turns;     // vectors come from memory across the lines, and are turned in squares
} Pack;

static const MgGemmClass *lines_of(const MgGpuGemm *gg, const MgStage *st, bool along) {
    bool along_depth = st->word > 1 || mg_gpu_is_wide(&gg->t);
    return along == along_depth ? &gg->g.k : mg_gpu_class_of(gg, st);
}

static int64_t planes_of(const MgGpuGemm *gg, const MgStage *st) {
    return gg->boxes.used ? mg_gpu_planes(&gg->t, st->sym) : 1;
}

static int64_t elements_of(const MgGpuGemm *gg, const MgStage *st) {
    return st->pack.line * lines_of(gg, st, false)->known;
}

void mg_gpu_stage_find_pack(MgGpuGemm *gg, MgStage *st, MgGpuPacking packing) {
    MgGemm *g = &gg->g;
    const MgGemmClass *of = mg_gpu_class_of(gg, st);
    st->pack.used = st->pack.each_run = false;
    if (of->known <= 0 || g->k.known <= 0 || mg_gemm_follows_batch(g, st->factor))
        return;
    bool changes = !g->s->once || !mg_gemm_is_unchanging(g, st->factor, of);
    int64_t lanes = MG_QUAD * st->word;
    st->pack.line = mg_ceil_div(lines_of(gg, st, true)->known, lanes) * lanes;
    st->pack.used = (!changes || packing == MG_GPU_PACKED_AHEAD) &&
                    st->pack.line <= MOST_PACKED / lines_of(gg, st, false)->known;
    st->pack.each_run = st->pack.used && changes;
    if (!st->pack.used)
        return;
    st->runs = NULL;
    st->along_depth = lines_of(gg, st, true) == &g->k;
    st->lanes = (uint32_t)lanes;
}

double mg_gpu_stage_pack_time(const MgGpuGemm *gg, const MgStage *st) {
    const MgMachine *machine = &gg->g.s->options->target.machine;
    double bytes = (double)elements_of(gg, st) * (double)mg_dtype_size(st->type);
    bytes *= 1 + (double)planes_of(gg, st); // read and written
    return st->pack.each_run
               ? machine->after_kernel + fmax(machine->least_kernel, bytes / machine->memory_rate)
               : 0;
}

// ---------------------------------------------------------------- the kernel

static uint32_t symbol_of(const Pack *p, const MgGemmClass *of) {
    return of == &p->gg.g.k ? MG_GEMM_K : p->st->sym;
}

// Chooses vectors: along the lines, or across them if memory runs that way; whole ones only.
static void choose_vectors(Pack *p) {
    MgGemm *g = &p->gg.g;
    MgStrides along = mg_gemm_strides(g, p->st->factor, symbol_of(p, p->along));
    MgStrides across = mg_gemm_strides(g, p->st->factor, symbol_of(p, p->across));
    int64_t lanes = p->st->lanes;
    p->turns = across.straight > along.straight;
    const MgStrides *from = p->turns ? &across : &along;
    bool whole = from->straight && !from->other && p->along->known % lanes == 0 &&
                 (!p->turns || p->across->known % lanes == 0);
    p->lanes = whole ? (uint32_t)lanes : 1;
    p->turns = p->turns && whole;
}

// The vector of a line from the current indices on, in the type of local memory. Zeros pad a line.
static const MgKx *vector_at(Pack *p, MgKBlock *block, const MgKx *at) {
    MgGpuGemm *gg = &p->gg;
    MgKernel *k = gg->g.kb.k;
    const MgKx **index = &gg->g.at.loop[symbol_of(p, p->along)];
    bool padded = p->st->pack.line != p->along->known;
    *index = at;
    if (padded)
        *index = named(k, block, "at", least(k, at, num(k, p->along->known - 1)));
    uint32_t sym = symbol_of(p, p->turns ? p->across : p->along);
    MgPoint point = mg_gpu_gemm_point(gg, block, (int)sym, p->lanes);
    const MgKx *x = mg_ksplat(k, mg_point_expr(&point, p->st->factor), p->lanes);
    if (padded)
        x = where(k, less(k, at, num(k, p->along->known)), x, mg_kfloat(k, x->type, 0));
    return named(k, block, "x", mg_gpu_staged(gg, p->st, x));
}

static void store_packed(Pack *p, MgKBlock *block, const MgKx *line, const MgKx *at,
                         const MgKx *x) {
    MgGpuGemm *gg = &p->gg;
    MgKernel *k = gg->g.kb.k;
    bool split = planes_of(gg, p->st) == 2;
    if (split)
        line = mg_gpu_dealt(k, line, mg_gpu_deal(gg));
    const MgKx *to = named(k, block, "to", add(k, times(k, line, p->st->pack.line), at));
    const MgKx *high = split ? named(k, block, "high", mg_gpu_high_part(k, x)) : x;
    store(k, block, p->to, to, high);
    if (split)
        store(k, block, p->to, plus(k, to, elements_of(gg, p->st)), mg_gpu_low_part(k, x, high));
}

// An item packs a vector, or turns a square of vectors. Squares of neighbouring items lie beside
// one another in both directions, so that reads and writes fill whole lines of the caches.
static void emit(Pack *p) {
    enum { BESIDE = 4 };
    MgGemm *g = &p->gg.g;
    MgKernel *k = g->kb.k;
    MgKBlock *block = &k->body;
    int64_t lines = p->turns ? p->lanes : 1, vectors = p->st->pack.line / p->lanes;
    int64_t down = p->across->known / lines;
    int64_t beside = p->turns && vectors % BESIDE == 0 ? BESIDE : vectors;
    const MgKx *x[MG_PACK_LANES], *trips = num(k, vectors * down);
    const MgKx *number = mg_share_items(k, &block, trips, mg_gpu_usual_items(g->s));
    const MgKx *low = mg_gpu_digit(k, block, &number, num(k, beside));
    const MgKx *line = vectors > beside ? mg_gpu_digit(k, block, &number, num(k, down)) : number;
    const MgKx *at = vectors > beside ? add(k, times(k, number, beside), low) : low;
    at = named(k, block, "at", times(k, at, p->lanes));
    line = named(k, block, "line", times(k, line, lines));
    g->at.loop[symbol_of(p, p->across)] = line;
    for (int64_t i = 0; i < lines; i++)
        x[i] = vector_at(p, block, plus(k, at, i));
    mg_gpu_join_words(k, block, x, (uint32_t)lines);
    for (int64_t i = 0; i < lines; i++)
        store_packed(p, block, plus(k, line, i), at, x[i]);
}

void mg_gpu_stage_pack(MgGpuGemm *gg, MgStage *st, MgKBlock *plan) {
    MgGemm *g = &gg->g;
    MgSched *s = g->s;
    Pack p = {.gg = *gg, .st = st};
    MgKb *kb = &p.gg.g.kb;
    MgUnit unit = {.ops = g->unit->ops, .outputs = g->unit->outputs};
    int64_t size = (int64_t)mg_dtype_size(st->type);
    MgIx bytes = mg_ix_const(s->ix, planes_of(gg, st) * elements_of(gg, st) * size);
    MgStorageId storage = st->pack.each_run ? mg_storage_new(s, MG_PLAN_ARENA, bytes, MG_NONE)
                                            : mg_storage_kept(s, bytes, MG_NONE);
    p.along = lines_of(&p.gg, st, true);
    p.across = lines_of(&p.gg, st, false);
    mg_kb_begin(kb, s, &unit, "pack");
    mg_gemm_take_operands(&p.gg.g, st->factor);
    for (uint32_t i = 0; i < MG_GEMM_SYMS; i++)
        p.gg.g.at.loop[i] = num(kb->k, 0);
    p.to = mg_kb_extra(kb, "packed", st->type, storage, NULL, false, true);
    choose_vectors(&p);
    emit(&p);
    unit.n_outputs = 1; // for the name of its site
    if (st->pack.each_run)
        mg_kb_end(kb, plan, unit.ops[0]);
    else
        storage = mg_kb_end_ahead(kb, unit.ops[0], s->once, storage);
    st->pack.buf = mg_kb_extra(&g->kb, "packed", st->type, storage, NULL, true, false);
    g->kb.k->bufs.at[st->pack.buf].align = 64; // like the arena
}
