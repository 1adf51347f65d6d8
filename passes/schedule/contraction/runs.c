// Packs a factor of a contraction whose elements lie in runs, as the image of a convolution does
// along its rows. A vector of lanes is cut where runs end. Each part is loaded in whole vectors
// under one mask, and all its subscripts but the last are scalars. If no condition mentions the
// first bound index, bounds are checked once for all of its steps. If addresses continue from one
// row to the next (padding keeps the size of the image), the run continues too: then nothing is
// cut, and conditions test which row each lane is in. Taps are written out; those of a large
// window, one row at a time.
#include "passes/schedule/contraction/contraction.h"
#include "passes/schedule/words.h"

enum { MAX_TAPS = 25, MAX_STEPS = 512 };

// ---------------------------------------------------------------- finding them
// Finds the coefficients of every index of the class in the read's address, over dimensions; false
// if there are none.
static bool coefficients(MgGemm *g, const MgSx *read, const MgGemmClass *cl, MgIx *at) {
    MgIxTable *t = g->s->ix;
    MgIx subs[MG_GEMM_SYMS], rest;
    for (uint32_t i = 0; i < read->n_args; i++) {
        if (read->args[i]->kind != MG_SX_IX)
            return false;
        subs[i] = read->args[i]->ix;
    }
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[read->operand];
    MgIx address = mg_address(g->s, v, subs, read->n_args, 0);
    for (uint32_t i = 0; i < cl->n; i++)
        if (!mg_ix_linear(t, address, mg_ix_index(t, cl->index[i]), &at[i], &rest) ||
            mg_ix_mentions_index(t, at[i]))
            return false;
    return true;
}

// The number of steps of the bound indices from number `first` on; -1: unknown.
static int64_t steps_from(MgGemm *g, uint32_t first) {
    int64_t n = 1, size;
    for (uint32_t i = first; i < g->k.n; i++) {
        if (!mg_ix_is_const(g->s->ix, g->piece->indices[g->k.index[i]].high, &size) || size < 1)
            return -1;
        n *= size;
    }
    return n;
}

// The first of the bound indices that are written out, as taps. The first bound index is always a
// loop. If the taps would be too many, the second is a loop around them, for one row of a large
// window at a time, which may have more of them. 0: there are still too many.
static uint32_t first_tap(MgGemm *g) {
    for (uint32_t first = 1; first <= 2 && first <= g->k.n; first++)
        if (steps_from(g, first) <= (first == 1 ? MAX_TAPS : mg_figure(g->s, row_taps)))
            return first;
    return 0;
}

// The distance between lanes in elements, if whole vectors can be loaded and lanes picked from
// them: 2 or 4.
static uint32_t elements_apart(MgGemm *g, MgIx step) {
    for (uint32_t apart = 2; apart <= MG_GEMM_APART; apart *= 2)
        if (step == mg_ix_const(g->s->ix, apart) && g->lanes >= apart)
            return apart;
    return 0;
}

static MgGemmRuns find_runs(MgGemm *g, const MgSx *x, const MgGemmClass *cl) {
    MgIxTable *t = g->s->ix;
    enum { MOST = 1 << 30 }; // lanes count pixels in 32 bits
    int64_t pixels;
    MgIx at[MG_GEMM_INDICES], one = mg_ix_const(t, 1);
    MgGemmRuns none = {0}, r = {.read = x, .outer = cl->n - 1, .hoisted = true};
    if (x->kind != MG_SX_READ || x->bounds == MG_BOUNDS_CHECKED ||
        (x->otherwise && x->otherwise->kind != MG_SX_CONST) || !coefficients(g, x, cl, at))
        return none;
    MgIxSym first = mg_ix_index(t, g->k.index[0]);
    for (uint32_t i = 0; i < x->n_args && x->bounds != MG_BOUNDS_PROVED; i++) {
        bool proved = mg_ix_mentions(t, x->args[i]->ix, first);
        MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[x->operand];
        MgIxRanges ranges = {g->at.low, g->at.high, MG_GEMM_SYMS};
        MgIx room = mg_ix_sub(t, mg_value(g->s->g, v)->shape[i],
                              mg_ix_add(t, x->args[i]->ix, mg_ix_const(t, 1)));
        if (proved && (mg_ix_nonnegative(t, x->args[i]->ix, &ranges, NULL, 0) != MG_PROVED ||
                       mg_ix_nonnegative(t, room, &ranges, NULL, 0) != MG_PROVED))
            r.hoisted = false;
    }
    r.length = g->piece->indices[cl->index[cl->n - 1]].high;
    while (r.outer) { // an index of one point, or one that continues the run
        MgIx high = g->piece->indices[cl->index[r.outer - 1]].high;
        bool goes_on = at[r.outer - 1] == mg_ix_mul(t, at[cl->n - 1], r.length);
        bool folds = x->bounds != MG_BOUNDS_PROVED && r.hoisted && !r.folds &&
                     at[cl->n - 1] == one &&
                     mg_ix_is_const(t, mg_ix_mul(t, r.length, high), &pixels) && pixels <= MOST;
        if (high != one && (!goes_on || (x->bounds != MG_BOUNDS_PROVED && !folds)))
            break;
        if (high != one && folds) {
            r.folds = r.outer;
            r.fold = r.length;
        }
        r.length = mg_ix_mul(t, r.length, high);
        r.outer--;
    }
    r.apart = r.hoisted ? elements_apart(g, at[cl->n - 1]) : 0;
    if (!r.outer && at[cl->n - 1] == one && x->bounds == MG_BOUNDS_PROVED)
        return none; // one run without conditions: any vector of it is plain
    return r;
}

bool mg_gemm_lies_along_k(MgGemm *g, const MgSx *factor, uint32_t sym) {
    MgStrides across = mg_gemm_strides(g, factor, sym),
              k = mg_gemm_strides(g, factor, mg_gemm_step(g));
    return g->lanes >= 4 && k.straight && !k.other && !across.straight;
}

int64_t mg_gemm_inner_steps(MgGemm *g) {
    return steps_from(g, 1);
}

// Do the bound indices have so few steps that they may be written out?
static bool few_steps(MgGemm *g) {
    int64_t inner = steps_from(g, 1);
    return !g->words.used && g->k.n && inner >= 1 && inner <= 2 * g->plan.kc &&
           inner <= MAX_STEPS && first_tap(g);
}

// Factors that are contiguous along k are packed by lines or transposed.
static MgGemmRuns runs_of(MgGemm *g, const MgSx *factor, const MgGemmClass *class, uint32_t sym) {
    bool runs = few_steps(g) && !mg_gemm_lies_along_k(g, factor, sym);
    return runs ? find_runs(g, factor, class) : (MgGemmRuns){0};
}

MgGemmRuns mg_gemm_column_runs(MgGemm *g) {
    return runs_of(g, g->column.x, &g->n, MG_GEMM_N);
}

MgGemmRuns mg_gemm_row_runs(MgGemm *g) {
    return runs_of(g, g->row.x, &g->m, MG_GEMM_M);
}

// ---------------------------------------------------------------- packing
typedef struct Part { // the lanes of a vector in one run
    const MgGemmRuns *runs;
    MgPoint point;
    const MgKx *k0, *kc;
    int64_t inner, taps;    // steps of all bound indices but the first; steps of the taps
    const MgKx *row;        // their first step; NULL: 0
    bool whole;             // all lanes are stored, and masked lanes are stored as zeros
    uint32_t index[2];      // of a run that joins two indices: these indices,
    const MgKx *lane_at[2]; // and each lane's position along them
} Part;

// Sets the inner bound indices to tap number `tap`.
static void at_tap(MgGemm *g, int64_t tap) {
    for (uint32_t i = g->k.n, first = first_tap(g); i-- > first;) {
        int64_t size = mg_ix_const_or(g->s->ix, g->piece->indices[g->k.index[i]].high, 1);
        g->at.loop[g->k.index[i]] = num(g->kb.k, tap % size);
        tap /= size;
    }
}

typedef struct Tap {    // conditions that hold for all steps of the first bound index
    const MgKx *inside; // NULL: everything is inside, or it is not known here
    // The elements of the vectors loaded for lanes that are some apart; NULL: unused.
    const MgKx *parts[MG_GEMM_APART];
} Tap;

static MgIx address_of(MgGemm *g, const MgSx *read) {
    MgIx subs[MG_GEMM_SYMS];
    for (uint32_t i = 0; i < read->n_args; i++)
        subs[i] = read->args[i]->ix;
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[read->operand];
    return mg_address(g->s, v, subs, read->n_args, 0);
}

// Loads lanes that are 2 or 4 elements apart: 2 or 4 consecutive vectors are loaded under the
// lanes' mask, and joined pairwise.
static const MgKx *load_apart(MgGemm *g, const Part *part, const Tap *tap, MgKBufId buf) {
    MgKernel *k = g->kb.k;
    uint32_t apart = part->runs->apart, have = g->lanes / apart; // lanes of a vector
    uint8_t lanes[64];
    const MgKx *at = mg_kb_ix(&g->kb, address_of(g, part->runs->read), g->at.loop),
               *x[MG_GEMM_APART];
    for (uint32_t i = 0; i < apart; i++)
        x[i] = named(k, part->point.block, "v",
                     mg_kload(k, buf, plus(k, at, i * g->lanes), g->lanes, tap->parts[i], NULL));
    for (uint32_t n = apart; n > 1; n /= 2, have *= 2) {
        for (uint32_t l = 0; l < g->lanes; l++) // lanes beyond 2 * have are unused
            lanes[l] = (uint8_t)(n == apart              ? l * apart % (2 * g->lanes)
                                 : l % (2 * have) < have ? l % have
                                                         : g->lanes + l % have);
        for (uint32_t i = 0; i < n; i += 2)
            x[i / 2] =
                named(k, part->point.block, "v", mg_kpermute(k, x[i], x[i + 1], lanes, g->lanes));
    }
    return x[0];
}

// Packs one step of depth at the current tap, to element `at` of the target.
static void pack_step(MgGemm *g, const Part *part, const MgGemmTarget *to, const MgKx *at,
                      const Tap *tap) {
    MgKernel *k = g->kb.k;
    const MgSx *read = part->runs->read;
    MgPoint p = part->point;
    const MgKx *inside = part->runs->hoisted ? tap->inside : mg_point_inside(&p, read);
    MgKBufId buf = mg_kb_value(&g->kb, mg_op(g->s->g, p.op)->operands[read->operand]);
    const MgKx *x = tap->parts[0] ? load_apart(g, part, tap, buf)
                                  : mg_point_load(&p, buf, address_of(g, read), NULL, inside);
    x = converted(k, read->dtype, x);
    x = mg_ksplat(k, x, g->lanes);
    if (inside && read->otherwise && read->otherwise->bits) // a masked lane is loaded as 0
        x = where(k, mg_ksplat(k, inside, g->lanes), x,
                  mg_kconst(k, x->type, read->otherwise->bits));
    const MgKx *place = add(k, to->to, times(k, at, to->step)), *mask = part->whole ? NULL : p.mask;
    if (mask && to->whole && !g->s->options->target.masks) { // the other lanes are stored again
        x = where(k, mask, x, mg_kload(k, to->buf, place, g->lanes, NULL, NULL));
        mask = NULL;
    }
    mg_kstore(k, p.block, to->buf, place, x, mask);
}

// Spreads a mask over lanes to the elements of the 2 or 4 vectors that contain them.
static void spread_mask(MgGemm *g, MgKBlock *block, const MgKx *mask, uint32_t apart, Tap *tap) {
    MgKernel *k = g->kb.k;
    MgKType type = mg_kt(MG_BOOL, g->lanes);
    uint8_t lanes[64];
    if (!mask)
        mask = mg_kconst(k, type, 1);
    mask = named(k, block, "mask", mg_ksplat(k, mask, g->lanes));
    for (uint32_t i = 0; i < apart; i++) {
        for (uint32_t e = 0; e < g->lanes; e++)
            lanes[e] = (uint8_t)(e % apart ? g->lanes : (e + i * g->lanes) / apart);
        const MgKx *some = mg_kpermute(k, mask, mg_kconst(k, type, 0), lanes, g->lanes);
        tap->parts[i] = named(k, block, "some", some);
    }
}

// Prefetches the last elements of the current step that the next strip or panel reads, since these
// have not been read yet. The lines of a large image come from memory, and are so far apart that
// hardware prefetchers don't find them.
static void ask_ahead(MgGemm *g, const Part *part, const MgGemmTarget *to) {
    MgKernel *k = g->kb.k;
    const MgSx *read = part->runs->read;
    MgValueId image = mg_op(g->s->g, part->point.op)->operands[read->operand];
    int64_t bytes, l2 = g->s->options->target.l2_bytes;
    if (mg_ix_is_const(g->s->ix, mg_value_bytes(g->s->g, image), &bytes) && bytes <= l2)
        return;
    MgKBufId buf = mg_kb_value(&g->kb, image);
    const MgKx *base = g->at.loop[part->point.vector];
    at_tap(g, part->taps - 1);
    g->at.loop[part->point.vector] = plus(k, base, to->step);
    mg_kprefetch(k, part->point.block, buf, mg_kb_ix(&g->kb, address_of(g, read), g->at.loop));
    g->at.loop[part->point.vector] = base;
}

// Packs all steps of depth: a loop over the first bound index, with the taps of the others written
// out.
static void pack_taps(MgGemm *g, Part *part, const MgGemmTarget *to, MgKBlock *block,
                      const Tap *taps) {
    MgKernel *k = g->kb.k;
    const MgKx *first = named(k, block, "first", over(k, part->k0, part->inner));
    const MgKx *n = over(k, part->kc, part->inner);
    Loop steps = each_of(k, block, "step", n);
    part->point.block = steps.body;
    g->at.loop[g->k.index[0]] = named(k, steps.body, "k", add(k, first, steps.at));
    const MgKx *at = times(k, steps.at, part->inner);
    at = named(k, steps.body, "at", part->row ? add(k, at, part->row) : at);
    ask_ahead(g, part, to);
    for (int64_t tap = 0; tap < part->taps; tap++) {
        at_tap(g, tap);
        pack_step(g, part, to, plus(k, at, tap), &taps[tap]);
    }
}

// Subscript x at a position in the run and a tap.
static const MgKx *subscript_at(MgGemm *g, const Part *part, MgIx x, const MgKx *place,
                                int64_t tap) {
    uint32_t vector = (uint32_t)part->point.vector;
    const MgKx *open = g->at.loop[vector];
    at_tap(g, tap);
    g->at.loop[vector] = place;
    const MgKx *at = mg_kb_ix(&g->kb, x, g->at.loop);
    g->at.loop[vector] = open;
    return at;
}

// The length of a run, or of the lines that are joined to one.
static MgIx line_of(const MgGemmRuns *r) {
    return r->folds ? r->fold : r->length;
}

// Is x outside at both ends of a run that is no longer than a vector? Every part of such a run
// includes one of its ends.
static bool never_inside(MgGemm *g, const Part *part, MgIx x, MgIx size) {
    int64_t length, room;
    if (!mg_ix_is_const(g->s->ix, line_of(part->runs), &length) || length > g->lanes ||
        !mg_ix_is_const(g->s->ix, size, &room))
        return false;
    const MgKx *low = subscript_at(g, part, x, num(g->kb.k, 0), 0);
    const MgKx *high = subscript_at(g, part, x, num(g->kb.k, length - 1), part->taps - 1);
    return low->kind == MG_KX_CONST && (int64_t)low->bits < 0 && high->kind == MG_KX_CONST &&
           (int64_t)high->bits >= room;
}

// The condition that subscript x is inside at every lane of the run and every tap. NULL: no single
// condition says this, or it never holds.
static const MgKx *always_inside(MgGemm *g, const Part *part, MgIx x, MgIx size) {
    MgKernel *k = g->kb.k;
    MgIxTable *t = g->s->ix;
    MgIx rest;
    int64_t step;
    uint32_t vector = (uint32_t)part->point.vector;
    const MgKx *base = g->at.loop[vector];
    for (uint32_t i = 0; i <= g->k.n; i++) { // it must grow with every index
        uint32_t moving = i ? g->k.index[i - 1] : vector;
        if (mg_ix_mentions(t, x, mg_ix_index(t, moving)) &&
            (!mg_ix_steps(t, x, mg_ix_index(t, moving), &step, &rest) || step < 0))
            return NULL;
    }
    if (never_inside(g, part, x, size))
        return NULL;
    const MgKx *length = mg_kb_ix(&g->kb, line_of(part->runs), g->at.loop);
    const MgKx *end = least(k, plus(k, base, g->lanes), length);
    const MgKx *low = subscript_at(g, part, x, greatest(k, base, num(k, 0)), 0);
    const MgKx *high = subscript_at(g, part, x, minus(k, end, 1), part->taps - 1);
    return both(k, bin(k, MG_PRIM_GE, low, num(k, 0)),
                less(k, high, mg_kb_ix(&g->kb, size, g->at.loop)));
}

// The same condition for the whole read, and `all`.
static const MgKx *always_all_inside(MgGemm *g, const Part *part, const MgIx *high,
                                     const MgKx *all) {
    const MgSx *read = part->runs->read;
    MgValueId v = mg_op(g->s->g, g->unit->ops[0])->operands[read->operand];
    MgIxRanges ranges = {g->at.low, high, MG_GEMM_SYMS};
    for (uint32_t i = 0; i < read->n_args; i++) {
        MgIx x = read->args[i]->ix, size = mg_value(g->s->g, v)->shape[i];
        MgIx room = mg_ix_sub(g->s->ix, size, mg_ix_add(g->s->ix, x, mg_ix_const(g->s->ix, 1)));
        if (mg_ix_nonnegative(g->s->ix, x, &ranges, NULL, 0) == MG_PROVED &&
            mg_ix_nonnegative(g->s->ix, room, &ranges, NULL, 0) == MG_PROVED)
            continue;
        const MgKx *one = always_inside(g, part, x, size);
        if (!one)
            return NULL;
        all = both(g->kb.k, all, one);
    }
    return all;
}

// The condition that no lane at any tap needs a mask. NULL: there is none, or masks cost less. Of
// joined lines, all lanes must be in one; the masks of a few taps stay in registers.
static const MgKx *needs_no_masks(MgGemm *g, const Part *part) {
    MgKernel *k = g->kb.k;
    if (!part->runs->folds)
        return always_all_inside(g, part, part->point.ranges.high, NULL);
    if (part->taps <= g->s->options->target.vector_registers)
        return NULL;
    const MgKx *loop[MG_GEMM_SYMS], *place = g->at.loop[part->index[1]];
    const MgKx *size = mg_kb_ix(&g->kb, part->runs->fold, g->at.loop);
    memcpy(loop, g->at.loop, sizeof loop);
    const MgKx *line = named(k, part->point.block, "line", quotient(k, place, size));
    const MgKx *at = named(k, part->point.block, "at", sub(k, place, mul(k, line, size)));
    g->at.loop[part->index[0]] = line;
    g->at.loop[part->index[1]] = at;
    const MgKx *all = bin(k, MG_PRIM_LE, plus(k, at, g->lanes), size);
    all = always_all_inside(g, part, g->at.high, all);
    memcpy(g->at.loop, loop, sizeof loop);
    return all;
}

// For a run that joins two indices, computes each lane's position along both.
static void find_places(MgGemm *g, Part *part, const MgGemmClass *cl) {
    MgKernel *k = g->kb.k;
    MgKBlock *block = part->point.block;
    uint32_t inner = cl->index[cl->n - 1], outer = cl->index[part->runs->folds - 1];
    const MgKx *place = mg_kramp(k, g->at.loop[inner], num(k, 1), g->lanes);
    const MgKx *size = mg_kb_ix(&g->kb, part->runs->fold, g->at.loop);
    place = named(k, block, "place", cast(k, MG_I32, place));
    size = mg_ksplat(k, cast(k, MG_I32, size), g->lanes);
    const MgKx *row = named(k, block, "row", quotient(k, place, size));
    const MgKx *before = mul(k, row, size);
    part->index[0] = outer;
    part->index[1] = inner;
    part->lane_at[0] = row;
    part->lane_at[1] = named(k, block, "at", sub(k, place, before));
}

// The lanes that are inside at the current tap; NULL: all.
static const MgKx *inside_at_tap(MgGemm *g, Part *part) {
    const MgSx *read = part->runs->read;
    if (!part->runs->folds)
        return mg_point_inside(&part->point, read);
    const MgKx *loop[MG_GEMM_SYMS];
    memcpy(loop, g->at.loop, sizeof loop);
    for (int i = 0; i < 2; i++)
        loop[part->index[i]] = part->lane_at[i];
    MgPoint p = part->point;
    p.vector = MG_EACH_LANE;
    p.loop = loop;
    p.ranges.high = g->at.high;
    return mg_point_inside(&p, read);
}

// Opens a loop over the second bound index, if it is not a tap.
static void open_row_of_taps(MgGemm *g, Part *part) {
    MgKernel *k = g->kb.k;
    if (first_tap(g) == 1)
        return;
    Loop rows = each_of(k, part->point.block, "row", num(k, part->inner / part->taps));
    g->at.loop[g->k.index[1]] = rows.at;
    part->point.block = rows.body;
    part->row = named(k, rows.body, "row", times(k, rows.at, part->taps));
}

static void pack_part(MgGemm *g, Part *part, const MgGemmTarget *to) {
    MgKernel *k = g->kb.k;
    const MgSx *read = part->runs->read;
    bool conditions = read->bounds != MG_BOUNDS_PROVED && part->runs->hoisted;
    uint32_t apart = part->runs->apart;
    Tap *taps = MG_NEW_N(g->s->arena, Tap, part->taps);
    if (apart)
        spread_mask(g, part->point.block, part->point.mask, apart, taps);
    for (int64_t tap = 1; tap < part->taps && apart; tap++)
        taps[tap] = taps[0];
    open_row_of_taps(g, part);
    MgKBlock *block = part->point.block;
    const MgKx *inner = conditions ? needs_no_masks(g, part) : NULL;
    if (inner) {
        MgKs *branch = mg_kif(k, block, inner);
        pack_taps(g, part, to, &branch->body, taps);
        block = part->point.block = &branch->orelse;
        taps = MG_NEW_N(g->s->arena, Tap, part->taps);
    }
    for (int64_t tap = 0; tap < part->taps && conditions; tap++) {
        at_tap(g, tap);
        taps[tap].inside = inside_at_tap(g, part);
        if (taps[tap].inside)
            taps[tap].inside = named(k, block, "inside", taps[tap].inside);
        if (apart)
            spread_mask(g, block, both_wide(k, part->point.mask, taps[tap].inside), apart,
                        &taps[tap]);
    }
    pack_taps(g, part, to, block, taps);
}

void mg_gemm_pack_runs(MgGemm *g, MgKBlock *block, const MgGemmRuns *r, const MgGemmClass *cl,
                       const MgGemmTarget *to, const MgKx *first, const MgKx *valid, const MgKx *k0,
                       const MgKx *kc) {
    MgKernel *k = g->kb.k;
    const MgKx *length = mg_kb_ix(&g->kb, r->length, g->at.loop), *row = num(k, 0), *base = first;
    const MgKx *mask = NULL;
    if (valid)
        mask = named(k, block, "mask", lanes_below(k, num(k, 0), valid, g->lanes));
    if (r->outer) {
        row = named(k, block, "run", quotient(k, first, length));
        const MgKx *start = named(k, block, "start", remainder_of(k, first, length));
        const MgKx *end =
            add(k, add(k, start, valid ? valid : num(k, g->lanes)), minus(k, length, 1));
        Loop parts = each_of(k, block, "part", quotient(k, end, length));
        block = parts.body;
        const MgKx *part = parts.at;
        base = named(k, block, "base", sub(k, start, mul(k, part, length)));
        const MgKx *place = named(k, block, "place", mg_kramp(k, base, num(k, 1), g->lanes));
        const MgKx *in = both(k, bin(k, MG_PRIM_GE, place, mg_ksplat(k, num(k, 0), g->lanes)),
                              less(k, place, mg_ksplat(k, length, g->lanes)));
        mask = named(k, block, "mask", both(k, mask, in));
        row = named(k, block, "row", add(k, row, part));
    }
    for (uint32_t i = 0; i < cl->n; i++)
        g->at.loop[cl->index[i]] = num(k, 0);
    for (uint32_t i = r->outer; i-- > 0;) {
        const MgKx *size = mg_kb_ix(&g->kb, g->piece->indices[cl->index[i]].high, g->at.loop);
        g->at.loop[cl->index[i]] = named(k, block, "i", i ? remainder_of(k, row, size) : row);
        row = named(k, block, "row", quotient(k, row, size));
    }
    uint32_t last = cl->index[cl->n - 1];
    g->at.loop[last] = base;
    Part part = {.runs = r,
                 .point = mg_gemm_point(g, g->unit->ops[0], block, (int)last, mask),
                 .k0 = k0,
                 .kc = kc,
                 .inner = steps_from(g, 1),
                 .taps = steps_from(g, first_tap(g)),
                 .whole = to->whole && !r->outer};
    part.point.with = g->plain;
    if (r->folds)
        find_places(g, &part, cl);
    MgIx high[MG_GEMM_SYMS];
    memcpy(high, g->at.high, sizeof high);
    high[last] = r->length; // several indices may have been joined
    part.point.ranges.high = high;
    pack_part(g, &part, to);
}
