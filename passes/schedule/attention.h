// An attention being scheduled: shared by what is done for rows everywhere (attention_steps.c), by
// the schedule for workers (attention.c: sizes and buffers, attention_emit.c: a strip of rows) and
// that for GPUs (gpu_attention.c).
#ifndef MG_PASSES_SCHEDULE_ATTENTION_H
#define MG_PASSES_SCHEDULE_ATTENTION_H

#include "passes/attention.h"
#include "passes/schedule/schedule.h"

// Symbols of the kernel: those of the batch as they are, and one for each other class.
enum {
    MG_ATTN_ROW = 48,
    MG_ATTN_KEY = 49,
    MG_ATTN_DEPTH = 50,
    MG_ATTN_COLUMN = 51,
    MG_ATTN_SYMS = 64,
    MG_ATTN_VECTORS = 4,
    MG_ATTN_ACROSS = 4
};

typedef struct MgAttnMatrix { // row after row: in a worker's scratch, or where an operand lies
    MgKBufId buf;
    const MgKx *base; // elements before it
    MgIx pitch;       // elements from row to row
    MgIx at;          // of an operand: its first element, over the symbols of the batch; else 0
} MgAttnMatrix;

typedef struct MgAttnFactor { // of a contraction: a matrix of rows `sym` by `along`
    uint32_t step, sym, along;
    const MgSx *x;
    MgIx n; // along
} MgAttnFactor;

typedef struct MgAttnAcross { // a read of a step of scores that lies across the lanes: it is turned
                              // beforehand
    uint32_t step;
    const MgSx *read;
    const MgKx *now; // at the open key, if it has been
} MgAttnAcross;

typedef struct MgAttn {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    MgUnit tail; // the last contraction, and what follows it point by point
    MgAttention *a;
    MgIx with[MG_ATTENTION_STEPS][MG_ATTN_SYMS]; // index k of a step over the kernel's symbols
    MgIx low[MG_ATTN_SYMS], high[MG_ATTN_SYMS];
    const MgKx *loop[MG_ATTN_SYMS];
    MgIx rows, keys, depth, columns; // extents
    MgAttnFactor key_factor, value_factor;
    uint32_t lanes, nv;             // a strip is nv vectors of rows
    uint32_t key_tile, column_tile; // keys, columns in a register tile
    int64_t key_block;              // keys whose scores are in cache at once
    bool one_block;
    bool whole_tiles;            // of keys: none is filled up
    bool dealt;                  // trips go to whoever is free
    MgIx parts, each;            // trips that a batch is dealt out in, and strips of one
    MgAttnMatrix q, k, v, s_, o; // q and s_ and o transposed: rows lie along the lanes
    MgAttnAcross across[MG_ATTN_ACROSS];
    uint32_t n_across;
    MgAttnMatrix turned; // of each of these, a square of keys by rows
    MgIx seen;           // the first key that a row does not see, nor any before that row, over the
    uint32_t seen_row;   // symbols of the batch and this one of the rows; 0: all see all
    MgAttnMatrix unseen; // of a strip: sums of 0 times what it does not see
    MgKBufId tile;       // register tile
    MgKBufId square;     // of results, turned, where something follows them
    MgKBufId most, peak, sum; // of a row: of the block, so far, and the sum of exponentials
} MgAttn;

// attention_steps.c ---------------------------------------------------------------------------
// Fills in t and begins the kernel of the unit. False if the unit is no attention.
bool mg_attention_begin(MgAttn *t, MgSched *s, const MgUnit *unit);
// How many batches; and the symbols of one from its number.
const MgKx *mg_attention_batches(MgAttn *t);
void mg_attention_batch(MgAttn *t, MgKBlock *block, const MgKx *left);
// A step's point: vectors of t->lanes along a symbol, or (1 lane, or vector < 0) one element.
MgPoint mg_attention_point(MgAttn *t, uint32_t step, MgKBlock *block, int vector, const MgKx *mask);
// Lanes of a factor of a step along symbol `vector`, 0 where the mask is off.
const MgKx *mg_attention_factor(MgAttn *t, MgKBlock *block, uint32_t step, const MgSx *x,
                                int vector, const MgKx *mask);
// Do all reads of a factor move by one along a symbol, or stay?
bool mg_attention_straight(MgAttn *t, uint32_t step, const MgSx *x, uint32_t sym);
// The same of what follows the last contraction, and are they known to be inside?
bool mg_attention_tail_straight(MgAttn *t, uint32_t sym);
// The score that the definition has, of a sum of products, at the rows and the key in t->loop.
const MgKx *mg_attention_score(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *sum);
// The larger of two scores, NaN or not where one is: a NaN's exponential is NaN from any shift, and
// so is the row. One instruction where a maximum that keeps NaN is three.
const MgKx *mg_attention_larger(MgAttn *t, const MgKx *a, const MgKx *b);
// A finite place to take exponentials from, where the largest score is finite or -inf.
const MgKx *mg_attention_shift(MgAttn *t, const MgKx *peak);
// What the sums of the rows in t->loop are multiplied by in the end, from their largest score and
// the sum of their exponentials.
const MgKx *mg_attention_row_factor(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *peak,
                                    const MgKx *sum);

// attention_seen.c -----------------------------------------------------------------------------
// Sets t->seen, after sizes have been chosen.
void mg_attention_find_seen(MgAttn *t);
// How many keys any row of the strip from row `first` on sees; t->seen is not 0.
const MgKx *mg_attention_seen(MgAttn *t, MgKBlock *block, const MgKx *first);
// Fills t->unseen.
void mg_attention_sum_unseen(MgAttn *t, MgKBlock *block, const MgKx *seen);

// attention_emit.c: the kernel's body for workers.
void mg_attention_emit(MgAttn *t);

static inline int64_t mg_attn_known_or(MgAttn *t, MgIx x, int64_t otherwise) {
    int64_t v;
    return mg_ix_is_const(t->s->ix, x, &v) ? v : otherwise;
}

static inline MgIx mg_attn_div_up(MgIxTable *t, MgIx x, MgIx by) {
    return mg_ix_div(t, mg_ix_add(t, x, mg_ix_sub(t, by, mg_ix_const(t, 1))), by);
}

static inline MgIx mg_attn_round_up(MgIxTable *t, MgIx x, int64_t unit) {
    MgIx by = mg_ix_const(t, unit);
    return mg_ix_mul(t, mg_attn_div_up(t, x, by), by);
}

// Of t->o: a line for each column of the values, with those that packing and turning fill up.
static inline MgIx mg_attn_sum_lines(MgAttn *t) {
    return mg_ix_max(t->s->ix, t->v.pitch, mg_attn_round_up(t->s->ix, t->columns, t->lanes));
}

// Elements of t->unseen: as many, in whole steps of a register tile.
static inline MgIx mg_attn_unseen_lines(MgAttn *t) {
    return mg_attn_round_up(t->s->ix, mg_attn_sum_lines(t), t->nv * t->lanes);
}

#endif
