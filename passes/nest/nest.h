// A schedule as a value: the loop nest of a unit, as a chooser makes it and a person edits it.
//
// A unit is the equations that one kernel computes. A nest says how it walks their indices: which
// loops there are, who takes their positions, where each equation is computed and where its value
// is kept. docs/schedules.md has the text form and its meaning. Kernels are made from a unit and a
// nest alone, so a printed nest that is read back gives the same kernel.
//
// A nest names indices by symbol and equations by number, so that equal units share it. The text
// has the user's names; MgNestScope maps one to the other.
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

// By the values of these types.
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

// A digit of a position in mixed radix, the outermost first.
typedef struct MgDigit {
    MgLevel level;
    int64_t size; // 0: all that the other digits leave
} MgDigit;

typedef struct MgWalk {
    uint32_t index; // see MgNestScope
    int64_t by;     // positions of a block, which the lines below walk; 0: single positions
    MgBlock block;  // SIZED: `by` says them
    MgDigit digits[MG_MAX_DIGITS];
    uint32_t n_digits; // 0: the line's level takes the positions
} MgWalk;

// An axis of a copy: an index, its blocks (i / 14), or the positions in a block (14).
typedef struct MgNestAxis {
    uint32_t index; // UINT32_MAX: none
    int64_t by;     // 0: each position
    uint32_t plus;  // 1 more than the index that is added to it, as in [h + r]; 0: none
} MgNestAxis;

typedef enum MgLineKind {
    MG_LINE_ROOT, // what a nest's outermost lines are in
    MG_LINE_INDEX,
    MG_LINE_FOR,
    MG_LINE_STAGE,
    MG_LINE_KEEP,
    MG_LINE_DO,
    MG_LINE_JOIN
} MgLineKind;

typedef struct MgLine {
    MgLineKind kind;
    MgSpan span;    // in the user's file, of the line; none for a chooser's
    uint32_t index; // INDEX: the one that it makes; DO: see at_last; JOIN: whose blocks are joined
    MgWalk *walks;  // FOR
    uint32_t n_walks;
    MgLevel level; // FOR without digits
    MgTail tail;
    bool dealt;        // FOR: blocks are dealt out to whoever is free
    bool edges;        // FOR: both ends of the range are code of their own
    MgNestAxis *axes;  // STAGE: of the copy, the innermost last
    uint32_t n_axes;   // 0: as the lines below read it
    MgNestSpace space; // STAGE, KEEP
    MgNestWay way;     // STAGE, KEEP, DO
    uint32_t *numbers; // INDEX: the indices that it joins; STAGE: reads; KEEP, DO, JOIN: equations;
                       // FOR: those whose sums go on from each position, or block, to the next
    uint32_t n_numbers;
    uint32_t monoid;              // JOIN: MgMonoid, plus 1; 0: what the equation is reduced by
    bool at_last;                 // DO: in the last block of the index `index` only
    uint32_t atom;                // DO: MgAtom, plus 1, that multiplies; 0: none
    MG_VEC(struct MgLine *) body; // ROOT, FOR
} MgLine;

typedef struct MgNest {
    uint32_t depth; // leading indices that the equations share
    uint32_t piece; // of the only equation, from 1; 0: it has one
    bool gpu;
    MgLine root;
} MgNest;

// ---------------------------------------------------------------- names
// The indices of a unit. Those with one position and one range are one index: loops over it serve
// every equation that has it. The name is that of the first equation, or that with a number behind
// it where another index has it. Joined indices come last.
typedef struct MgNestIndex {
    const char *name;
    uint32_t position; // in the equations that have it; UINT32_MAX: joined
    MgIx low, high;
} MgNestIndex;

typedef struct MgNestRead { // a value that the unit reads and does not compute
    MgValueId value;
    const char *name;
} MgNestRead;

typedef struct MgNestScope {
    MgGraph *g;
    const MgOpId *ops;  // equations
    const char **names; // of their results; a second one of a name has a number behind it
    uint32_t n_ops, piece;
    MG_VEC(MgNestRead) reads; // in the order of the equations
    MG_VEC(MgNestIndex) indices;
} MgNestScope;

// piece: of the only equation's; 0 where there are several equations. Lives in the arena.
MgNestScope mg_nest_scope(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                          uint32_t piece);
// The index of equation `op` (a number of the scope) at `position`.
uint32_t mg_nest_index(const MgNestScope *scope, uint32_t op, uint32_t position);
// The scope of a nest's unit, its joined indices included.
MgNestScope mg_nest_scope_of(MgArena *arena, MgGraph *g, const MgOpId *ops, uint32_t n_ops,
                             const MgNest *nest);
// Adds the index that joins others; NULL: it gets a name of its own.
uint32_t mg_nest_join(MgNestScope *scope, MgArena *arena, const char *name);
// The line that joins others to this index; NULL: none does.
const MgLine *mg_nest_join_line(const MgNest *nest, uint32_t index);
const MgPiece *mg_nest_piece(const MgNestScope *scope, uint32_t op);

// ---------------------------------------------------------------- checks
// Does an equation behind `equation`'s line, in the same body, read it?
bool mg_nest_reads_beside(const MgNestScope *scope, const MgNest *nest, uint32_t equation);
// Do items of a group share rows: does a loop of a GPU's nest walk what is no shared index?
bool mg_nest_has_rows(const MgNest *nest, const MgNestScope *scope);
// The loop of a tile, in whose body a line stages what it reads; NULL: there is none. Its last two
// walks are blocks of the tile's sides.
const MgLine *mg_nest_tile(const MgNest *nest);
// The first of these indices that a nest joined to one, or the index itself.
uint32_t mg_nest_first_part(const MgNest *nest, uint32_t index);
// What a digit of the level says, 1 without it.
int64_t mg_nest_digit(const MgWalk *w, MgLevel level);
bool mg_nest_has_digit(const MgWalk *w, MgLevel level);
// Whose kernels the lines of a nest describe. The form then reads its plan off the nest and checks
// it; a group's nests are checked below.
typedef enum MgNestForm {
    MG_NEST_GROUP,
    MG_NEST_CONTRACTION, // a loop without digits walks what an equation sums over
    MG_NEST_COLUMNS,     // such loops are in registers, of sums that are kept
    MG_NEST_WINDOW,      // of sums that are not
    MG_NEST_CHANNELS,    // of sums of a tile that has edges
    MG_NEST_SCAN,        // a loop carries sums from one position to the next
    MG_NEST_SCATTER,     // of an equation that writes to computed places
    MG_NEST_PARTS,       // a line joins what blocks were reduced to
    MG_NEST_GPU_TILES    // on a GPU, with copies in local memory
} MgNestForm;
MgNestForm mg_nest_form(const MgNest *nest, const MgNestScope *scope);
// What a target allows.
typedef struct MgNestLimits {
    uint32_t lanes, items; // of a vector; of a group
} MgNestLimits;
// Is the nest a right one for the unit, of which `outputs` leave? Else tells what is wrong, where.
bool mg_nest_check(MgSession *session, const MgNest *nest, const MgNestScope *scope,
                   const MgValueId *outputs, uint32_t n_outputs, MgNestLimits limits);

// ---------------------------------------------------------------- lines
MgLine *mg_nest_add(MgArena *arena, MgLine *outer, MgLineKind kind);
MgLine *mg_nest_add_for(MgArena *arena, MgLine *outer, uint32_t n_walks);
// A loop, on cores or not, over the first equation's free indices that have several positions but
// those of a set of bits, and over blocks (`by` 0: none) of one. Gives `outer` if that is nothing.
MgLine *mg_nest_add_grid(MgArena *arena, MgLine *outer, const MgNestScope *scope, uint64_t without,
                         MgWalk blocks, bool cores);
// A loop over blocks of an index; by 0: over its positions.
MgLine *mg_nest_add_blocks(MgArena *arena, MgLine *outer, uint32_t index, int64_t by);
// A loop over an index, so many vectors at once; a mask turns off what is past its extent (-1: an
// open one).
MgLine *mg_nest_add_lanes(MgArena *arena, MgLine *outer, uint32_t index, int64_t vectors,
                          int64_t lanes, int64_t extent);
// A line of n equations or reads.
MgLine *mg_nest_add_numbers(MgArena *arena, MgLine *outer, MgLineKind kind, uint32_t first,
                            uint32_t n);
// A line that stages all that x, of the first equation, reads. It has no numbers if that is
// nothing.
MgLine *mg_nest_add_stage(MgArena *arena, MgLine *outer, const MgNestScope *scope, const MgSx *x);
void mg_nest_add_digit(MgWalk *w, MgLevel level, int64_t size);
bool mg_nest_is_single(const MgNestScope *scope, uint32_t index); // has it one position?

// The first line below `outer`, NULL if there is none: of a kind; a loop on cores; a loop over
// blocks of the index, or with such a digit of any index, and which of its walks that is.
typedef struct MgNestFound {
    const MgLine *line;
    const MgWalk *walk;
} MgNestFound;
const MgLine *mg_nest_find_kind(const MgLine *outer, MgLineKind kind);
const MgLine *mg_nest_find_cores(const MgLine *outer);
MgNestFound mg_nest_find_blocks(const MgLine *outer, uint32_t index);
const MgLine *mg_nest_find_registers(const MgLine *outer); // a loop on reg without digits
MgNestFound mg_nest_find_digit(const MgLine *outer, MgLevel level);
// Has a given nest the lines of the one that a form wants? Else tells the first that differs. What:
// "a window".
bool mg_nest_compare(MgSession *session, const MgNest *given, const MgNest *wanted,
                     const MgNestScope *scope, const char *what);

// ---------------------------------------------------------------- text
// What a schedule's heading names.
typedef struct MgNestName {
    const char *values; // "h, y": the results of its equations, as they are printed
    uint32_t piece, n_pieces, unit, n_units; // from 1; n 0 or 1: there is one
    bool gpu;
} MgNestName;

// A name as a schedule has it: in backquotes where it is no plain word.
void mg_nest_print_word(const char *name, MgText *out);
// "h, y (piece 1 of 2)"; its target is not in there.
void mg_nest_print_name(const MgNestName *name, MgText *out);
// The names of all equations, as a heading has them.
const char *mg_nest_values(MgArena *arena, const MgNestScope *scope);
void mg_nest_print_line(const MgLine *line, const MgNestScope *scope, MgText *out);
void mg_nest_print(const MgNest *nest, const MgNestScope *scope, const MgNestName *name,
                   MgText *out);

// A schedule of a file, before its unit is known: words only.
typedef struct MgNestText MgNestText;
typedef struct MgNestFile {
    MG_VEC(MgNestText *) all;
    uint64_t hash; // of its text: part of what names an object
} MgNestFile;
// The schedules of a source. NULL after diagnostics.
MgNestFile *mg_nest_read(MgSession *session, uint32_t source);
const MgNestName *mg_nest_text_name(const MgNestText *text);
MgSpan mg_nest_text_span(const MgNestText *text); // of its heading
// The nest that a text says for a unit, with its names resolved. NULL after diagnostics.
MgNest *mg_nest_resolve(MgSession *session, const MgNestText *text, MgNestScope *scope);

#endif
