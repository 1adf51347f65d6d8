// Scheduling of attention. steps.c has what all targets share, attention.c and
// emit.c the schedule for workers (sizes and buffers; a strip of rows), gpu/attention.c
// the schedule for GPUs.
#ifndef MG_PASSES_SCHEDULE_ATTENTION_ATTENTION_H
#define MG_PASSES_SCHEDULE_ATTENTION_ATTENTION_H

#include "passes/attention.h"
#include "passes/schedule/schedule.h"

// Symbols of the kernel. The symbols of the batch keep their numbers; each other class has one
// symbol.
enum {
    MG_ATTN_ROW = 48,
    MG_ATTN_KEY = 49,
    MG_ATTN_DEPTH = 50,
    MG_ATTN_COLUMN = 51,
    MG_ATTN_SYMS = 64,
    MG_ATTN_VECTORS = 4,
    MG_ATTN_ACROSS = 4
};

typedef struct MgAttnMatrix { // a matrix stored by rows, in a worker's scratch or as an operand
                              // lies
    MgKBufId buf;
    const MgKx *base; // the element where it begins
    MgIx pitch;       // elements from row to row
    MgIx at;          // of an operand: its first element, over the symbols of the batch; otherwise
                      // 0
} MgAttnMatrix;

typedef struct MgAttnFactor { // a factor of a contraction: a matrix of `sym` by `along`
    uint32_t step, sym, along;
    const MgSx *x;
    MgIx n; // the extent of `along`
} MgAttnFactor;

typedef struct MgAttnAcross { // a read in a step of the scores that lies across the lanes; it is
                              // transposed beforehand
    uint32_t step;
    const MgSx *read;
    const MgKx *now; // its vector at the current key, once it has been loaded
} MgAttnAcross;

typedef struct MgAttn {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    MgUnit tail; // the last contraction, and what follows it point by point
    MgAttention *a;
    MgIx with[MG_ATTENTION_STEPS][MG_ATTN_SYMS]; // index k of a step as an expression over the
                                                 // kernel's symbols
    MgIx low[MG_ATTN_SYMS], high[MG_ATTN_SYMS];
    const MgKx *loop[MG_ATTN_SYMS];
    MgIx rows, keys, depth, columns; // extents
    MgAttnFactor key_factor, value_factor;
    uint32_t lanes, nv;             // a strip is nv vectors of rows
    uint32_t key_tile, column_tile; // keys and columns of a register tile
    int64_t key_block;              // the number of keys whose scores are in cache together
    bool one_block;
    bool whole_tiles;            // every tile of keys is full: none is padded
    bool dealt;                  // trips are dealt out to workers that are free
    MgIx parts, each;            // the number of trips of a batch, and of strips in a trip
    MgAttnMatrix q, k, v, s_, o; // q, s_ and o are transposed: rows lie along the lanes
    MgAttnAcross across[MG_ATTN_ACROSS];
    uint32_t n_across;
    MgAttnMatrix turned; // for each of `across`, a square of keys by rows
    MgIx seen;           // the first key that neither a row nor any row before it sees,
    uint32_t seen_row;   // over the symbols of the batch and this one of the row; 0: all rows see
                         // all keys
    MgAttnMatrix unseen; // of a strip: the sums of 0 times the values of keys that it does not see
    MgKBufId tile;       // register tile
    MgKBufId square;     // transposed results, if something follows them
    MgKBufId most, peak, sum; // per row: the largest score of the block, the largest so far, the
                              // sum of exponentials
} MgAttn;

// steps.c ---------------------------------------------------------------------------
// Fills in t and begins the kernel of the unit. False if the unit is no attention.
bool mg_attention_begin(MgAttn *t, MgSched *s, const MgUnit *unit);
// The number of batches; sets the symbols of the batch from its number.
const MgKx *mg_attention_batches(MgAttn *t);
void mg_attention_batch(MgAttn *t, MgKBlock *block, const MgKx *left);
// A step's point: vectors of t->lanes along a symbol, or one element (1 lane, or vector < 0).
MgPoint mg_attention_point(MgAttn *t, uint32_t step, MgKBlock *block, int vector, const MgKx *mask);
// The lanes of a step's factor along symbol `vector`; they are 0 where the mask is off.
const MgKx *mg_attention_factor(MgAttn *t, MgKBlock *block, uint32_t step, const MgSx *x,
                                int vector, const MgKx *mask);
// Does each read of a factor either move by one along the symbol or not move?
bool mg_attention_straight(MgAttn *t, uint32_t step, const MgSx *x, uint32_t sym);
// The same question for what follows the last contraction; the reads must also be known to be
// inside.
bool mg_attention_tail_straight(MgAttn *t, uint32_t sym);
// Turns a sum of products into the score of the definition, at the rows and the key in t->loop.
const MgKx *mg_attention_score(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *sum);
// The larger of two scores. If one is NaN, the result may or may not be NaN: the exponential of a
// NaN is NaN from any shift, and so is its row. This takes one instruction; a maximum that keeps
// NaN takes three.
const MgKx *mg_attention_larger(MgAttn *t, const MgKx *a, const MgKx *b);
// A finite shift for the exponentials, if the largest score is finite or -inf.
const MgKx *mg_attention_shift(MgAttn *t, const MgKx *peak);
// The factor that the sums of the rows in t->loop are multiplied by at the end. It follows from
// their largest score and the sum of their exponentials.
const MgKx *mg_attention_row_factor(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *peak,
                                    const MgKx *sum);

// seen.c -----------------------------------------------------------------------------
// Sets t->seen, after sizes have been chosen.
void mg_attention_find_seen(MgAttn *t);
// The number of keys that any row of the strip from row `first` on sees. t->seen must not be 0.
const MgKx *mg_attention_seen(MgAttn *t, MgKBlock *block, const MgKx *first);
// Fills t->unseen.
void mg_attention_sum_unseen(MgAttn *t, MgKBlock *block, const MgKx *seen);

// emit.c: the kernel's body for workers.
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

// The number of columns of all register tiles.
static inline MgIx mg_attn_tiled_columns(MgAttn *t) {
    return mg_attn_round_up(t->s->ix, t->columns, t->column_tile);
}

// The number of lines of t->o: one for each column of the values, with padding for tiles and
// transposing.
static inline MgIx mg_attn_sum_lines(MgAttn *t) {
    return mg_ix_max(t->s->ix, mg_attn_tiled_columns(t),
                     mg_attn_round_up(t->s->ix, t->columns, t->lanes));
}

// The number of elements of t->unseen: the lines above, rounded up to whole steps of a register
// tile.
static inline MgIx mg_attn_unseen_lines(MgAttn *t) {
    return mg_attn_round_up(t->s->ix, mg_attn_sum_lines(t), t->nv * t->lanes);
}

#endif
