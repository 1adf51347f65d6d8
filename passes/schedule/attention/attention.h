// Scheduling of attention. steps.c and nest.c have what all targets share. The form for workers
// has its plan in attention.c and workers_nest.c, and its kernel in emit.c. gpu/attention.h has the
// forms for GPUs.
#ifndef MG_PASSES_SCHEDULE_ATTENTION_ATTENTION_H
#define MG_PASSES_SCHEDULE_ATTENTION_ATTENTION_H

#include "passes/attention.h"
#include "passes/schedule/form.h"

// Symbols of the kernel. The symbols of the batch keep their numbers; each other class has one
// symbol.
enum {
    MG_ATTN_ROW = 48,
    MG_ATTN_KEY = 49,
    MG_ATTN_COLUMN = 50,
    MG_ATTN_DEPTH = 51, // and those after it: of each product
    MG_ATTN_SYMS = 64,
    MG_ATTN_VECTORS = 4, // of a strip, at most
    MG_ATTN_TILE = 16,   // keys, or columns, of a register tile, at most
    MG_ATTN_ACROSS = 4
};

#define MG_LOG2_E 1.4426950408889634

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

typedef struct MgAttnProduct { // a contraction that scores are computed from
    MgAttnFactor q, k;
} MgAttnProduct;

typedef struct MgAttnAcross { // a read in a step of the scores that lies across the lanes; it is
                              // transposed beforehand
    uint32_t step;
    const MgSx *read;
    const MgKx *now; // its vector at the current key, once it has been loaded
} MgAttnAcross;

// The plan of a kernel for workers. All numbers may be others, within limits.
typedef struct MgAttnPlan {
    uint32_t lanes, nv;             // a strip is nv vectors of rows
    uint32_t key_tile, column_tile; // keys and columns of a register tile
    int64_t key_block;              // the number of keys whose scores are in cache together
    int64_t trip;                   // strips of a trip; 0: each core has a part of the rows, or
    bool part;                      // (false) a trip has all of them
    bool dealt;                     // trips are dealt out to workers that are free
    bool keys_lie, values_lie;      // these are not packed, but read as they lie
    bool in_tile;                   // sums become scores in the registers of their tile
    bool turn_rows, turn_sums, turn_across; // squares are transposed in registers: of q, of the
                                            // results, and of what scores read across the lanes
    bool skips;                             // blocks of keys that no row sees are left out
} MgAttnPlan;

typedef struct MgAttnReads { // the reads of scores that lie across the lanes
    MgAttnAcross at[MG_ATTN_ACROSS];
    uint32_t n;
} MgAttnReads;

typedef struct MgAttnTrips { // of a batch
    MgIx n, strips;          // their number; the strips of one
} MgAttnTrips;

// What a worker has in its scratch and its registers for a strip. Matrices are transposed: rows lie
// along the lanes.
typedef struct MgAttnStrip {
    MgAttnMatrix scores, sums; // of a block of keys; of weighted values
    MgAttnMatrix turned;       // for each read across the lanes, a square of keys by rows
    MgAttnMatrix unseen;       // the sums of 0 times the values of keys that it does not see
    MgKBufId tile;             // in registers
    MgKBufId square;           // transposed results, if something follows them
} MgAttnStrip;

typedef struct MgAttnSyms { // of the kernel's loops
    // index k of a step as an expression over them
    MgIx with[MG_ATTENTION_STEPS][MG_ATTN_SYMS];
    MgIx low[MG_ATTN_SYMS], high[MG_ATTN_SYMS];
    const MgKx *loop[MG_ATTN_SYMS];
} MgAttnSyms;

typedef struct MgAttnSize { // extents
    MgIx rows, keys, columns, batches;
    MgIx depth; // of the first product
} MgAttnSize;

// The first key that neither a row nor any row before it sees; or, if `after`, the first that it or
// any row after it sees. 0: all rows see all keys.
typedef struct MgAttnSeen {
    MgIx keys; // over the symbols of the batch and this one:
    uint32_t row;
    bool after;
    // By step: the operand that its choice takes if a key is not seen, 1 or 2, where it takes the
    // other if a key is seen; 0: it does not choose so.
    uint8_t branch[MG_ATTENTION_STEPS];
} MgAttnSeen;

typedef enum MgAttnSees { MG_SEES_SOME, MG_SEES_NONE, MG_SEES_ALL } MgAttnSees;

typedef struct MgAttnScores { // what is kept of a row's scores
    MgKBufId most, peak;      // the largest of the block, and the largest so far
    MgKBufId sum;             // of exponentials
} MgAttnScores;

typedef struct MgAttn {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    MgUnit tail; // the last contraction, and what follows it point by point
    MgAttention *a;
    MgAttnSyms at;
    MgAttnSize size;
    MgAttnProduct products[MG_ATTENTION_PRODUCTS];
    MgAttnFactor value_factor;
    MgAttnPlan plan;
    uint32_t lanes; // of the plan
    int64_t width;  // the rows of a strip, or of a group's block
    bool one_block; // it has all keys
    MgAttnTrips trips;
    MgAttnMatrix q, k, v; // q is transposed
    MgAttnStrip strip;
    MgAttnReads across;
    const MgOp *scaling; // a step that mg_attention_score leaves out; NULL: none
    MgAttnSeen seen;
    MgAttnSees sees; // of what keys steps have the values
    MgAttnScores kept;
    const MgKx *leaves; // where values of rows that are used outside are stored; NULL: everywhere
} MgAttn;

// steps.c ---------------------------------------------------------------------------
// Fills in what t knows of the unit. False if the unit is no attention.
bool mg_attention_of_unit(MgAttn *t, MgSched *s, const MgUnit *unit);
void mg_attention_begin(MgAttn *t); // begins its kernel
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
// Turns the products' sums into the score of the definition, at the rows and the key in
// t->at.loop.
const MgKx *mg_attention_score(MgAttn *t, MgKBlock *block, const MgKx *mask,
                               const MgKx *const *sums);
// Is the first step after the products' sums a positive factor, which may be multiplied last, since
// later steps only choose between a score and -inf? Then it is left out of the scores from now on.
// Returns it, or 1.
double mg_attention_leave_factor(MgAttn *t);
// The larger of two scores. If one is NaN, the result may or may not be NaN: the exponential of a
// NaN is NaN from any shift, and so is its row. This takes one instruction; a maximum that keeps
// NaN takes three.
const MgKx *mg_attention_larger(MgAttn *t, const MgKx *a, const MgKx *b);
// A finite shift for the exponentials, if the largest score is finite or -inf.
const MgKx *mg_attention_shift(MgAttn *t, const MgKx *peak);
// The factor that the sums of the rows in t->at.loop are multiplied by at the end. It follows from
// their largest score and the sum of their exponentials.
const MgKx *mg_attention_row_factor(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *peak,
                                    const MgKx *sum);

// gains.c ----------------------------------------------------------------------------
// The weight w of the row and the key in t->at.loop, times its gains. A key past the last one does
// not exist (NULL: all do), and keeps its weight of 0.
const MgKx *mg_attention_gained(MgAttn *t, MgKBlock *block, const MgKx *mask, const MgKx *exists,
                                const MgKx *w);
// The factor of the rows in t->at.loop, but 0 for those of which gains drop all weights: these are
// 0 even if the factor is not finite.
const MgKx *mg_attention_or_dropped(MgAttn *t, MgKBlock *block, const MgKx *mask,
                                    const MgKx *factor);

// seen.c -----------------------------------------------------------------------------
// Sets t->seen.
void mg_attention_find_seen(MgAttn *t);
// The number of keys that any row of the strip from row `first` on sees. t->seen.keys is not 0. If
// t->seen.after, the number of keys before those that all rows see.
const MgKx *mg_attention_seen(MgAttn *t, MgKBlock *block, const MgKx *first);
// The weight of a key that is not seen, the one in t->at.loop.
const MgKx *mg_attention_unseen_weight(MgAttn *t, MgKBlock *block);
// Is it always 0, or NaN where weights of keys that are seen are infinite or NaN?
bool mg_attention_unseen_is_nothing(const MgAttn *t);
// The number of keys that all rows of the strip see. If t->seen.after, the number of keys that no
// row sees.
const MgKx *mg_attention_seen_by_all(MgAttn *t, MgKBlock *block, const MgKx *first);
// The last step that chooses by whether a key is seen.
const MgAttentionStep *mg_attention_choice(const MgAttn *t);
// Fills t->strip.unseen.
void mg_attention_sum_unseen(MgAttn *t, MgKBlock *block, const MgKx *seen);

// nest.c -------------------------------------------------------------------------------
// The indices that walk the classes. rows: UINT32_MAX if there is a single row without an index.
typedef struct MgAttnIndices {
    uint32_t rows, keys, columns;
    uint32_t depth[MG_ATTENTION_PRODUCTS];
} MgAttnIndices;
// The first adds the lines that join classes of several indices; the second finds these, or
// reports that a line is missing.
MgAttnIndices mg_attention_add_indices(const MgAttn *t, MgNest *nest, MgNestScope *scope);
bool mg_attention_read_indices(const MgAttn *t, const MgGivenNest *given, MgAttnIndices *x);
// The number of an equation in the unit.
uint32_t mg_attention_number(const MgAttn *t, MgOpId op);
// Adds a line that computes the steps of some roles (a set), in order, and, with `tail`, what
// follows the last contraction. Returns NULL, and adds no line, if there are no such steps. The
// second computes one step.
MgLine *mg_attention_add_do(const MgAttn *t, MgLine *outer, uint32_t roles, bool tail);
MgLine *mg_attention_add_do_step(const MgAttn *t, MgLine *outer, uint32_t step);
void mg_attention_add_keep(const MgAttn *t, MgLine *outer, uint32_t roles, MgNestSpace space,
                           MgNestWay way);
// Adds the loop on cores over the batches of several positions, and n other walks. Returns `outer`
// if there is nothing to walk.
MgLine *mg_attention_add_batches(const MgAttn *t, const MgNestScope *scope, MgLine *outer,
                                 const MgWalk *others, uint32_t n);
// Adds the loop over blocks of keys, some of which may be skipped.
MgLine *mg_attention_add_blocks(const MgAttn *t, MgLine *outer, uint32_t keys, int64_t by,
                                bool skips);
// Adds a copy of a factor, whose inner axis is `along` (UINT32_MAX for an axis: it has none).
MgLine *mg_attention_add_stage(const MgAttn *t, MgLine *outer, const MgNestScope *scope,
                               const MgAttnFactor *f, uint32_t across, uint32_t along);
// Adds the line that joins the results of blocks of keys.
void mg_attention_add_join(const MgAttn *t, MgLine *outer, uint32_t keys, MgNestSpace space);
// The first line that keeps the equation, or NULL.
const MgLine *mg_attention_find_keep(const MgLine *outer, uint32_t equation);
#define MG_ATTENTION_SET(role) (1u << (role))

// workers_nest.c: the plan, in a MgAttn, of a kernel for workers as a nest, and back.
void mg_attention_workers_nest(void *found, MgNest *nest, MgNestScope *scope);
bool mg_attention_read_workers(void *found, const MgGivenNest *given);

// attention.c: can tiles read the factor's matrix as it lies in memory? Sets its place, without its
// buffer. tile: the size of register tiles along `tiled`.
bool mg_attention_lies(MgAttn *t, const MgAttnFactor *f, MgIx tiled, uint32_t tile,
                       MgAttnMatrix *m);
// Is every tile of keys full, so that none is padded?
bool mg_attention_whole_tiles(MgAttn *t);

// emit.c: the buffers and the body of a kernel for workers.
void mg_attention_emit(MgAttn *t);

static inline int64_t mg_attn_known_or(const MgAttn *t, MgIx x, int64_t otherwise) {
    return mg_ix_const_or(t->s->ix, x, otherwise);
}

// The number of columns of all register tiles.
static inline MgIx mg_attn_tiled_columns(MgAttn *t) {
    return mg_ix_round_up(t->s->ix, t->size.columns, t->plan.column_tile);
}

// The number of lines of t->strip.sums: one for each column of the values, with padding for tiles
// and transposing.
static inline MgIx mg_attn_sum_lines(MgAttn *t) {
    return mg_ix_max(t->s->ix, mg_attn_tiled_columns(t),
                     mg_ix_round_up(t->s->ix, t->size.columns, t->lanes));
}

// The number of elements of t->strip.unseen: the lines above, rounded up to whole steps of a
// register tile.
static inline MgIx mg_attn_unseen_lines(MgAttn *t) {
    return mg_ix_round_up(t->s->ix, mg_attn_sum_lines(t), t->width);
}

#endif
