// A schedule as a value: the loop nest of a unit, which a chooser makes and a person edits.
//
// A unit is the equations that one kernel computes. A nest says how the kernel walks their indices:
// which loops there are, which core or lane takes which positions, where each equation is computed,
// and where its value is kept. docs/schedules.md has the text form and its meaning. Kernels are
// made from a unit and a nest alone, so a printed nest that is read back gives the same kernel.
//
// A nest names indices by symbol and equations by number, so equal units share it. Its text has the
// user's names; MgNestScope maps between the two.
#ifndef MG_PASSES_NEST_H
#define MG_PASSES_NEST_H

#include "ir/graph.h"

typedef enum MgLevel {
#define MG_LEVEL(id, word, documentation) MG_LEVEL_##id,
#include "passes/nest/words.def"
    MG_N_LEVELS
} MgLevel;

typedef enum MgNestSpace {
#define MG_NEST_SPACE(id, word, documentation) MG_NEST_SPACE_##id,
#include "passes/nest/words.def"
    MG_N_NEST_SPACES
} MgNestSpace;

typedef enum MgNestWay {
#define MG_WAY(id, word, documentation) MG_WAY_##id,
#include "passes/nest/words.def"
    MG_N_WAYS
} MgNestWay;

typedef enum MgTail {
#define MG_TAIL(id, word, documentation) MG_TAIL_##id,
#include "passes/nest/words.def"
    MG_N_TAILS
} MgTail;

typedef enum MgBlock {
#define MG_BLOCK(id, word, documentation) MG_BLOCK_##id,
#include "passes/nest/words.def"
    MG_N_BLOCKS
} MgBlock;

// Words by the values of these types.
extern const char *const mg_level_words[];
extern const char *const mg_nest_space_words[];
extern const char *const mg_nest_way_words[];
extern const char *const mg_tail_words[];
extern const char *const mg_block_words[];

enum {
    MG_MAX_DIGITS = 5,
    MG_MAX_AXES = 8,
    MG_MAX_WALKS = 64,
    MG_NEST_DEPTH = 64,
    MG_MOST_TOGETHER = 16
};

// A digit of a position in mixed radix. The outermost digit comes first.
typedef struct MgDigit {
    MgLevel level;
    int64_t size; // 0: whatever the other digits leave
} MgDigit;

typedef struct MgWalk {
    uint32_t index; // a number of MgNestScope
    int64_t by;     // the positions of a block, which the lines below walk; 0: single positions
    MgBlock block;  // SIZED: the size is `by`
    MgDigit digits[MG_MAX_DIGITS];
    uint32_t n_digits; // 0: the line's level takes the positions
} MgWalk;

// An axis of a copy: an index, the number of its block (i / 14), or the place in a block (14).
typedef struct MgNestAxis {
    uint32_t index; // UINT32_MAX: none
    int64_t by;     // 0: every position
    uint32_t plus;  // 1 + the index that is added to it, as in [h + r]; 0: none
} MgNestAxis;

typedef enum MgLineKind {
    MG_LINE_ROOT, // holds a nest's outermost lines
    MG_LINE_INDEX,
    MG_LINE_FOR,
    MG_LINE_STAGE,
    MG_LINE_KEEP,
    MG_LINE_DO,
    MG_LINE_JOIN
} MgLineKind;

typedef struct MgLine {
    MgLineKind kind;
    MgSpan span;    // of the line in the user's file; none if a chooser made it
    uint32_t index; // INDEX: the index that it makes; DO: see at_last; JOIN: the index whose blocks
                    // are joined
    MgWalk *walks;  // FOR
    uint32_t n_walks;
    MgLevel level; // FOR without digits
    MgTail tail;
    bool dealt;        // FOR: blocks are dealt out to cores that are free
    bool skips;        // FOR: positions at which the only equation of `numbers` is -inf for all
                       // rows are left out
    bool edges;        // FOR: both ends of the range have code of their own
    MgNestAxis *axes;  // STAGE: the axes of the copy, the innermost last
    uint32_t n_axes;   // 0: the copy has the order in which the lines below read it
    MgNestSpace space; // STAGE, KEEP
    MgNestWay way;     // STAGE, KEEP, DO
    uint32_t *numbers; // INDEX: the joined indices; STAGE: the reads; KEEP, DO, JOIN: the
                       // equations; FOR: the equations whose sums are carried from each position or
                       // block to the next, or the one that `skips` is about
    uint32_t n_numbers;
    uint32_t monoid;              // JOIN: 1 + MgMonoid; 0: the equation's reducer
    bool at_last;                 // DO: only in the last block of the index `index`
    uint32_t atom;                // DO: 1 + the MgAtom that multiplies; 0: none
    MG_VEC(struct MgLine *) body; // ROOT, FOR
} MgLine;

typedef struct MgNest {
    uint32_t depth; // the number of leading indices that the equations share
    uint32_t piece; // the piece of the only equation, from 1; 0: it has one piece
    bool gpu;
    bool follows; // a loop joins the results of its blocks; see mg_nest_scope_following
    MgLine root;
} MgNest;

// ---------------------------------------------------------------- names
// The indices of a unit. Indices at one position with one range are the same index, and loops over
// it serve every equation that has it. Its name is the one in the first equation, followed by a
// number if another index has that name. Joined indices come last.
typedef struct MgNestIndex {
    const char *name;
    uint32_t position; // in the equations that have it; UINT32_MAX: it is joined
    MgIx low, high;
} MgNestIndex;

typedef struct MgNestRead { // a value that the unit reads and does not compute
    MgValueId value;
    const char *name;
} MgNestRead;

typedef struct MgNestScope {
    MgGraph *g;
    const MgOpId *ops;  // equations
    const char **names; // the names of their results; a repeated name is followed by a number
    uint32_t n_ops, piece;
    MG_VEC(MgNestRead) reads; // in the order of the equations
    MG_VEC(MgNestIndex) indices;
    uint32_t **followed; // by equation and position: the index; NULL: position and range decide
} MgNestScope;

// piece: the piece of the only equation; 0 if there are several equations. The scope lives in the
// arena.
MgNestScope mg_nest_scope(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                          uint32_t piece);
// The same, but an index by which an equation reads a value of the unit is the index of that value,
// and every other index is a new one. So an equation has the indices of those that it follows,
// whatever their positions. Nests whose loops join the results of blocks have such names.
MgNestScope mg_nest_scope_following(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops);
// The index at `position` of equation `op` (a number of the scope).
uint32_t mg_nest_index(const MgNestScope *scope, uint32_t op, uint32_t position);
// The scope of a nest's unit, with its joined indices.
MgNestScope mg_nest_scope_of(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                             const MgNest *nest);
// Adds an index that joins others. If name is NULL, the index gets a name of its own.
uint32_t mg_nest_join(MgNestScope *scope, MgArena *arena, const char *name);
// The index that walks n indices of the scope as one: their own, or the one that an `index` line of
// the nest makes of them (UINT32_MAX: there is no such line). The second adds the line if there is
// none.
uint32_t mg_nest_joined(const MgNest *nest, const uint32_t *indices, uint32_t n);
uint32_t mg_nest_add_joined(MgNest *nest, MgNestScope *scope, MgArena *arena,
                            const uint32_t *indices, uint32_t n);
// The line that joins others to this index, or NULL.
const MgLine *mg_nest_join_line(const MgNest *nest, uint32_t index);
const MgPiece *mg_nest_piece(const MgNestScope *scope, uint32_t op);

// ---------------------------------------------------------------- checks
// Does another equation, whose line follows in the same body, read this one?
bool mg_nest_reads_beside(const MgNestScope *scope, const MgNest *nest, uint32_t equation);
// Do items of a group share rows? They do if a loop of a GPU's nest walks an index that is not
// shared.
bool mg_nest_has_rows(const MgNest *nest, const MgNestScope *scope);
// The loop of a tile, whose body has a line that stages operands; NULL if there is none. Its last
// two walks are blocks of the tile's sides.
const MgLine *mg_nest_tile(const MgNest *nest);
// The first of the indices that the nest joined to this one, or the index itself.
uint32_t mg_nest_first_part(const MgNest *nest, uint32_t index);
// The size of the digit of this level; 1 if there is none.
int64_t mg_nest_digit(const MgWalk *w, MgLevel level);
bool mg_nest_has_digit(const MgWalk *w, MgLevel level);
// The form whose kernels the lines of a nest describe. The form then reads its plan from the nest
// and checks it. The nests of groups are checked below.
typedef enum MgNestForm {
    MG_NEST_GROUP,
    MG_NEST_CONTRACTION, // a loop without digits walks the index of a sum
    MG_NEST_COLUMNS,     // such loops are in registers, and the sums are kept
    MG_NEST_WINDOW,      // the same, and the sums are not kept
    MG_NEST_CHANNELS,    // the same, and the tile has edges
    MG_NEST_SCAN,        // a loop carries sums from one position to the next
    MG_NEST_SCATTER,     // the equation writes to computed places
    MG_NEST_PARTS,       // a line joins the results of blocks
    MG_NEST_ATTENTION,   // a line in a loop does
    MG_NEST_WINOGRAD,    // an equation is computed by winograd
    MG_NEST_GPU_TILES,   // on a GPU, with copies in local memory
    MG_NEST_OWNED        // on a GPU, groups keep blocks of rows, without such copies
} MgNestForm;
MgNestForm mg_nest_form(const MgNest *nest, const MgNestScope *scope);
// What a target allows.
typedef struct MgNestLimits {
    uint32_t lanes, items; // of a vector; of a group
} MgNestLimits;
// Is the nest right for the unit, whose `outputs` are used outside? If not, reports what is wrong
// and where.
bool mg_nest_check(MgSession *session, const MgNest *nest, const MgNestScope *scope,
                   const MgValueId *outputs, uint32_t n_outputs, MgNestLimits limits);

// ---------------------------------------------------------------- lines
MgLine *mg_nest_add(MgArena *arena, MgLine *outer, MgLineKind kind);
MgLine *mg_nest_add_for(MgArena *arena, MgLine *outer, uint32_t n_walks);
// Adds a loop, on cores or not, over the first equation's free indices that have several positions,
// except those in the set `without`, and over the blocks of one index (`by` 0: none). Returns
// `outer` if there is nothing to walk.
MgLine *mg_nest_add_grid(MgArena *arena, MgLine *outer, const MgNestScope *scope, uint64_t without,
                         MgWalk blocks, bool cores);
// Adds a loop over the blocks of an index, or over its positions if `by` is 0.
MgLine *mg_nest_add_blocks(MgArena *arena, MgLine *outer, uint32_t index, int64_t by);
// Adds a loop over an index, `vectors` vectors at a time. A mask turns off lanes past its extent
// (-1: open).
MgLine *mg_nest_add_lanes(MgArena *arena, MgLine *outer, uint32_t index, int64_t vectors,
                          int64_t lanes, int64_t extent);
// Adds a loop of a level over n walks.
MgLine *mg_nest_add_walks(MgArena *arena, MgLine *outer, MgLevel level, const MgWalk *walks,
                          uint32_t n);
// Adds a loop over what registers hold: n positions of an index (0: no index), and for each of
// them some vectors along another one.
MgLine *mg_nest_add_registers(MgArena *arena, MgLine *outer, uint32_t index, int64_t n,
                              uint32_t along, int64_t vectors, int64_t lanes);
// Adds a line with n equations or reads.
MgLine *mg_nest_add_numbers(MgArena *arena, MgLine *outer, MgLineKind kind, uint32_t first,
                            uint32_t n);
// Adds a line that stages everything that x, an expression of an equation, reads. The line has no
// numbers if x reads nothing; its text then has `*` in place of names.
MgLine *mg_nest_add_stage(MgArena *arena, MgLine *outer, const MgNestScope *scope,
                          uint32_t equation, const MgSx *x);
// Sets where the line's copy is, and its axes, of which there may be none.
MgLine *mg_nest_set_copy(MgArena *arena, MgLine *stage, MgNestSpace space, MgNestWay way,
                         const MgNestAxis *axes, uint32_t n);
void mg_nest_add_digit(MgWalk *w, MgLevel level, int64_t size);
bool mg_nest_is_single(const MgNestScope *scope, uint32_t index); // does it have one position?
static inline bool mg_nest_is_power(int64_t n) {                  // of two
    return n > 0 && !(n & (n - 1));
}

// These find the first line below `outer`, or NULL: one for which is(ctx, line) holds; one of a
// kind; a loop of a level, without digits; a copy whose first axes are these; a loop over blocks of
// the index, of a size; and a loop whose walk over the index, or over any, has such a digit.
typedef struct MgNestFound {
    const MgLine *line;
    const MgWalk *walk;
} MgNestFound;
typedef bool MgNestTest(const void *ctx, const MgLine *line);
const MgLine *mg_nest_find(const MgLine *outer, MgNestTest *is, const void *ctx);
const MgLine *mg_nest_find_kind(const MgLine *outer, MgLineKind kind);
const MgLine *mg_nest_find_level(const MgLine *outer, MgLevel level);
static inline const MgLine *mg_nest_find_cores(const MgLine *outer) {
    return mg_nest_find_level(outer, MG_LEVEL_CORE);
}
const MgLine *mg_nest_find_stage(const MgLine *outer, uint32_t across, uint32_t along);
MgNestFound mg_nest_find_blocks(const MgLine *outer, uint32_t index);
MgNestFound mg_nest_find_digit_of(const MgLine *outer, uint32_t index, MgLevel level);
static inline MgNestFound mg_nest_find_digit(const MgLine *outer, MgLevel level) {
    return mg_nest_find_digit_of(outer, UINT32_MAX, level);
}
// Does a given nest have the lines of the nest that a form wants? If not, reports the first
// difference. what: "a window".
bool mg_nest_compare(MgSession *session, const MgNest *given, const MgNest *wanted,
                     const MgNestScope *scope, const char *what);

// ---------------------------------------------------------------- text
// What a schedule's heading names.
typedef struct MgNestName {
    const char *values; // "h, y": the results of its equations, as they are printed
    uint32_t piece, n_pieces, unit, n_units; // from 1; n_pieces, n_units 0 or 1: there is only one
    bool gpu;
} MgNestName;

// A name as a schedule writes it: in backquotes unless it is a plain word.
void mg_nest_print_word(const char *name, MgText *out);
// The names of all equations, as a heading has them; and those of a unit's. NULL: it has other ops.
const char *mg_nest_values(MgArena *arena, const MgNestScope *scope);
const char *mg_nest_values_of(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n);
void mg_nest_print_line(const MgLine *line, const MgNestScope *scope, MgText *out);
void mg_nest_print(const MgNest *nest, const MgNestScope *scope, const MgNestName *name,
                   MgText *out);

// A schedule of a file before its unit is known: words only.
typedef struct MgNestText MgNestText;
typedef struct MgNestFile {
    MG_VEC(MgNestText *) all;
    uint64_t hash; // of its text: part of what names an object
} MgNestFile;
// The schedules of a source. NULL after diagnostics.
MgNestFile *mg_nest_read(MgSession *session, uint32_t source);
const MgNestName *mg_nest_text_name(const MgNestText *text);
MgSpan mg_nest_text_span(const MgNestText *text);  // of its heading
bool mg_nest_text_follows(const MgNestText *text); // see MgNest
// The nest that a text describes for a unit, with its names resolved. NULL after diagnostics.
MgNest *mg_nest_resolve(MgSession *session, const MgNestText *text, MgNestScope *scope);

#endif
