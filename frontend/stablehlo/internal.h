// Declarations that the files of the StableHLO front end share. stablehlo.h says what it does.
//
// lex.c and parse.c read a module as functions of operations. An operation's attributes stay text,
// in which a name is looked up when it is needed (attributes.c). Every value has a type in the
// program, so hardly any shape rules are needed: each operation becomes equations with declared
// types. Where the program leaves a size open, sizes.c finds it.
// Elementwise operations are rows of scalar expressions (ops.def); the others are functions in
// op_*.c, which write subscripts.
#ifndef MG_FRONTEND_STABLEHLO_INTERNAL_H
#define MG_FRONTEND_STABLEHLO_INTERNAL_H

#include "frontend/stablehlo/stablehlo.h"
#include "ir/ix.h"

enum { MG_HLO_MAX_RANK = 32, MG_HLO_MAX_DEPTH = 64, MG_HLO_MAX_OPS = 1000000 };

// ---------------------------------------------------------------- the program
typedef enum MgHloTokenKind {
    MG_HLO_END,
    MG_HLO_WORD,   // add, stablehlo.add, 12x
    MG_HLO_STRING, // with its quotes
    MG_HLO_VALUE,  // %12, %arg0#1
    MG_HLO_SYMBOL, // @main
    MG_HLO_HASH,   // #loc3, #stablehlo.gather
    MG_HLO_CARET,  // ^bb0
    MG_HLO_NUMBER, // -1, 1.5e+00, 0x7F800000
    MG_HLO_TYPE,   // tensor<…>, whole
    MG_HLO_PUNCT,  // one character, or ->
    MG_HLO_WRONG,  // a character that is not allowed here
} MgHloTokenKind;

typedef struct MgHloToken {
    MgHloTokenKind kind;
    const char *at;
    uint32_t length;
    bool first; // it is the first of its line
} MgHloToken;

// A size is a number, or a formula over the sizes of the arguments and the counters of loops
// (sizes.c). In the program, an open size is MG_HLO_ANY.
#define MG_HLO_ANY (-((int64_t)1 << 40))
typedef struct MgHloType {
    MgDType dtype;
    uint32_t rank;
    const int64_t *dims;
    bool complex; // of two such elements; none are after mg_hlo_expand_complex
} MgHloType;

typedef struct MgHloText { // a part of the program
    const char *at;
    size_t length;
} MgHloText;

typedef struct MgHloBlock MgHloBlock;
typedef struct MgHloOp {
    const char *name; // "stablehlo.add", "func.call", "return"
    const char *at;   // where its text begins
    MgHloText attributes;
    const char *symbol; // of a call
    uint32_t n_operands, n_results, n_regions;
    const char **operands; // "%12", "%5#1"
    const char *result;    // "%12", whose results are %12#0, …; NULL: it has no name
    const char **results;  // names, if there are several: "%values", "%indices"; else NULL
    uint32_t n_named;
    uint32_t part;    // 1, 2: the real, the imaginary part of what the text says; 0: all of it
    MgHloType *types; // by result
    MgHloBlock **regions;
} MgHloOp;

struct MgHloBlock {
    uint32_t n_args;
    const char **args;
    MgHloText *attributes; // of the arguments; NULL: there are none
    MgHloType *types;
    MG_VEC(MgHloOp *) ops; // the last one returns
};

typedef struct MgHloFunction {
    const char *name, *at;
    bool public;
    MgHloBlock *body;
    uint32_t n_results;
    MgHloType *results;
    const char **sizes; // by argument: the name of the size that it is, or NULL; found when needed
} MgHloFunction;

// ---------------------------------------------------------------- translating
typedef struct MgHloCondition { // a comparison of sizes
    int64_t a, b;
    const char *sign;
} MgHloCondition;

typedef struct MgHloValue MgHloValue;
struct MgHloValue {
    MgHloType type;
    const char *text;     // its name in MG; NULL if it has not been written yet
    const char *literal;  // the value of every element, as MG writes it; NULL: not known
    const MgHloOp *op;    // the operation that defines it; NULL: it is an argument
    bool lifted;          // it stands for a number of a region, once for each element of t->lift
    const int64_t *known; // its elements, integers, as sizes; NULL: not known
    const MgHloCondition *condition; // what it tells about sizes; or NULL
    // If each trip of a loop writes only one row of this state: the row's value (op_while.c).
    struct MgHloStack *stack;
    MgHloValue *row;
};

// A state of a loop that may become the stacked emits of the rounds.
typedef struct MgHloStack {
    int64_t counter, rounds; // sizes
    bool used;               // it is used in another way
    bool reversed;           // row n - 1 - i is written in round i
    bool written;
} MgHloStack;

typedef struct MgHloFrame MgHloFrame;
struct MgHloFrame {
    MgHloFrame *outer; // the frame whose values a region sees; NULL for a function
    MgMap values;      // MgSym -> MgHloValue *
};

typedef struct MgHlo {
    MgSession *session;
    MgArena *arena;
    MgNames *names;
    const char *path, *text;
    uint32_t source;
    MG_VEC(MgHloFunction *) functions;
    MgMap by_name; // MgSym -> MgHloFunction *
    // The state of the translation.
    MgText head;  // parameters
    MgText needs; // what the program asserts about sizes
    MgText *out;  // statements
    MgIxTable *sizes;
    MgMap used;   // names that the text uses
    MgMap makers; // MgSym of a statement's first name -> label
    MgSafetensors weights;
    const MgHloType *lift; // the shape for whose elements a region is translated; or NULL
    uint32_t depth, n_ops, n_names, n_loops;
    bool factors; // the text uses factors.mg
    bool complex; // the program has complex numbers
    bool failed;
} MgHlo;

typedef struct MgHloNode { // an operation that is being translated
    MgHlo *t;
    MgHloFrame *frame;
    const MgHloOp *op;
    MgHloValue **inputs;
    MgHloValue **outputs; // the translation fills them in
} MgHloNode;

typedef struct MgHloRow {
    const char *name;
    bool (*translate)(MgHloNode *n);   // NULL: the expressions below
    bool each;                         // it is elementwise
    const char *floats, *ints, *bools; // by the type of the first operand; NULL: not defined
} MgHloRow;
extern const MgHloRow mg_hlo_rows[]; // ends with a row without a name
const MgHloRow *mg_hlo_row(const char *name);

// ---------------------------------------------------------------- rules that operations share
typedef struct MgHloWidths { // of a pad, by axis
    const int64_t *low, *high, *gaps;
} MgHloWidths;
bool mg_hlo_widths(MgHloNode *n, MgHloWidths *w);
typedef struct MgHloDims { // pairs of axes of two factors
    const int64_t *left, *right;
    uint32_t n;
} MgHloDims;
bool mg_hlo_product_dims(MgHloNode *n, MgHloDims *batch, MgHloDims *contracted);
// The sizes of a result. False if they don't follow from the operands.
bool mg_hlo_sizes_of_slice(MgHloNode *n, uint32_t k, int64_t *dims);
bool mg_hlo_sizes_of_gather(MgHloNode *n, uint32_t k, int64_t *dims);
bool mg_hlo_sizes_of_convolution(MgHloNode *n, uint32_t k, int64_t *dims);
bool mg_hlo_sizes_of_windows(MgHloNode *n, uint32_t k, int64_t *dims);
// The places at which a window of this size, step and dilation fits into a padded size.
int64_t mg_hlo_window_places(MgHlo *t, int64_t size, int64_t low, int64_t high, int64_t spread,
                             int64_t window, int64_t dilation, int64_t stride);

// ---------------------------------------------------------------- lex.c
MgHloToken mg_hlo_token(const char *text, const char *at); // the token at or after `at`
bool mg_hlo_is(const MgHloToken *token, const char *word);
// Reports what is wrong at a place of the program. All of them return false.
bool mg_hlo_fail(MgHlo *t, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool mg_hlo_unsupported(MgHlo *t, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---------------------------------------------------------------- parse.c, parse_type.c
bool mg_hlo_parse(MgHlo *t);
// Reads tensor<2x3xf32>. False after an error.
bool mg_hlo_type(MgHlo *t, const MgHloToken *token, MgHloType *type);

MgHloFunction *mg_hlo_function(MgHlo *t, const char *symbol); // symbol may be NULL, as the result

// ---------------------------------------------------------------- complex.c
// Replaces complex numbers by pairs of numbers. Returns the graph's function, or NULL.
const MgHloFunction *mg_hlo_expand_complex(MgHlo *t, const MgHloFunction *entry);
const char *mg_hlo_direction(const MgHloOp *op); // of a comparison: "==", …, or NULL (ops.c)

// ---------------------------------------------------------------- sizes.c
bool mg_hlo_is_open(int64_t size);
int64_t mg_hlo_count(MgHlo *t, const MgHloType *type); // elements, as a size
// The size as MG writes it in an index expression; a formula of several terms is in brackets.
const char *mg_hlo_size(MgHlo *t, int64_t size);
const char *mg_hlo_sizes(MgHlo *t, const MgHloType *type); // "2, N, 3"
MgIx mg_hlo_formula(MgHlo *t, int64_t size);
int64_t mg_hlo_size_of(MgHlo *t, MgIx formula);
typedef MgIx MgHloArithmetic(MgIxTable *t, MgIx a, MgIx b); // mg_ix_add, …
int64_t mg_hlo_combine_sizes(MgHlo *t, MgHloArithmetic *f, int64_t a, int64_t b);
bool mg_hlo_at_most(MgHlo *t, int64_t a, int64_t b); // is a <= b for all sizes of the arguments?
bool mg_hlo_less(MgHlo *t, int64_t a, int64_t b);
// Refuses an operation that needs to know all sizes of a type.
bool mg_hlo_all_closed(MgHloNode *n, const MgHloType *type);
bool mg_hlo_has_any(const MgHloType *type);
bool mg_hlo_same_type(const MgHloType *a, const MgHloType *b); // MG_HLO_ANY fits every size
// A value whose elements are sizes.
MgHloValue *mg_hlo_known(MgHlo *t, MgHloType type, const MgHloOp *op, const int64_t *sizes);
// The elements of integers, if they are known and few; otherwise NULL.
const int64_t *mg_hlo_sizes_in(MgHlo *t, const MgHloValue *v);
bool mg_hlo_may_hold(MgHlo *t, MgDType dtype, const MgHloValue *v); // its known elements, unchanged
const char *mg_hlo_known_text(MgHlo *t, const MgHloValue *v);       // an element, over i0, i1, …
bool mg_hlo_keep_known(MgHloNode *n); // arithmetic of sizes gives sizes
// Decides a comparison of sizes: "true", "false" or NULL.
const char *mg_hlo_decide(MgHlo *t, const MgHloValue *a, const char *sign, const MgHloValue *b);
bool mg_hlo_resolve(MgHloNode *n); // replaces open sizes in the types of results
int64_t mg_hlo_new_size(MgHlo *t, const char *name, int64_t low, int64_t high); // name: unused yet
// Gives the open sizes of the graph's arguments names.
void mg_hlo_open_arguments(MgHlo *t, const MgHloBlock *block, MgHloType *types);

// ---------------------------------------------------------------- attributes.c
// The value after `name =` in a text; its length is 0 if there is none.
MgHloText mg_hlo_find(MgHloText in, const char *name);
// All whole numbers in it, except those of types.
typedef struct MgHloInts {
    uint32_t n;
    const int64_t *at;
} MgHloInts;
MgHloInts mg_hlo_ints_of(MgHlo *t, MgHloText text);
MgHloInts mg_hlo_ints(const MgHloNode *n, const char *name);
// The same for a list that must have `count` numbers; all are `otherwise` if there is no list. Sets
// n->t->failed on error.
const int64_t *mg_hlo_list(MgHloNode *n, const char *name, uint32_t count, int64_t otherwise);
int64_t mg_hlo_int(MgHloNode *n, const char *name, int64_t otherwise);

// ---------------------------------------------------------------- emit.c
#define mg_hlo_text(t, ...) mg_arena_printf((t)->arena, __VA_ARGS__)
const char *mg_hlo_fresh(MgHlo *t, const char *wanted);
const char *mg_hlo_shape(MgHlo *t, const MgHloType *type); // "f32[2, 3]"
MgHloType mg_hlo_tensor(MgHlo *t, MgDType dtype, uint32_t rank, const int64_t *dims);
MgHloValue *mg_hlo_value(MgHlo *t, MgHloType type, const char *text);
void mg_hlo_say(MgHlo *t, const MgHloOp *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Adds a constant with these elements to the graph.
void mg_hlo_add_constant(MgHlo *t, const MgHloType *type, const char *name,
                         const char *const *elements);
// The value's name. A value that has not been written yet is written first.
const char *mg_hlo_name(MgHlo *t, MgHloValue *v);
// One element of the value: x[i, j] with the given subscripts, or a literal.
const char *mg_hlo_read(MgHlo *t, MgHloValue *v, const char *const *subscripts);
// Operand k, which must be a single number. Sets n->t->failed on error.
const char *mg_hlo_number(MgHloNode *n, uint32_t k);
const char *const *mg_hlo_indices(MgHlo *t, uint32_t rank); // "i0", "i1", …
// "name[i0, i1]: f32[2, 3]": the left side of an equation for a new value.
const char *mg_hlo_left(MgHlo *t, const char *name, const MgHloType *type);
// Output k becomes the value of an equation over i0, i1, …
bool mg_hlo_give(MgHloNode *n, uint32_t k, const char *expression);
MgHloValue *mg_hlo_let(MgHlo *t, const MgHloOp *op, const char *hint, MgHloType type,
                       const char *expression);
// The same for an expression over whole tensors.
MgHloValue *mg_hlo_let_whole(MgHlo *t, const MgHloOp *op, const char *hint, MgHloType type,
                             const char *expression);
const char *mg_hlo_result_name(const MgHloNode *n, uint32_t k);
// A rank-0 tensor that holds an index, clamped to 0..most, a size: its number if that is known in
// the text, otherwise its element.
const char *mg_hlo_start(MgHlo *t, MgHloValue *v, int64_t most);
bool mg_hlo_is_number(const MgHloValue *v, int64_t *number);

// ---------------------------------------------------------------- translate.c
// The value of this name in a frame or around it; NULL if there is none.
MgHloValue *mg_hlo_look_up(MgHlo *t, MgHloFrame *frame, const char *name);
bool mg_hlo_translate(MgHlo *t, const char *weights_file, MgText *out);
// Translates a block with these arguments. It returns `count` values, which go to results.
bool mg_hlo_block(MgHlo *t, MgHloFrame *outer, const MgHloBlock *block, MgHloValue **args,
                  MgHloValue **results, uint32_t count, const char *at);
bool mg_hlo_by_row(MgHloNode *n, const MgHloRow *row);
// The reducer of a region with one operation over its two arguments: "sum", "prod", "max", "min",
// "any", "all"; "last" if it returns the second. NULL: it is not one of these.
const char *mg_hlo_reducer(const MgHloBlock *block, MgDType dtype);
const char *mg_hlo_combine(MgHlo *t, const char *reducer, const char *a, const char *b);
bool mg_hlo_is_neutral(const char *reducer, const MgHloValue *v);
// The operation that defines a value of the block; NULL if there is none.
const MgHloOp *mg_hlo_maker(const MgHloBlock *block, const char *name);

bool mg_hlo_op_constant(MgHloNode *n);

// ---------------------------------------------------------------- op_factors.c
bool mg_hlo_lapack(MgHloNode *n, bool *known); // a custom call of LAPACK; known: it is one of these

// ---------------------------------------------------------------- regions.c
// Regions of several operations over numbers, as reductions and sorts have them.
// The operation as it is over whole tensors of t->lift. NULL after an error: it isn't elementwise.
const MgHloOp *mg_hlo_lift(MgHlo *t, const MgHloOp *op, bool each);
// Translates a region once for all elements of a shape. Its arguments are tensors of this shape or
// numbers. The `count` results are, too.
bool mg_hlo_region(MgHloNode *n, const MgHloBlock *block, const MgHloType *shape, MgHloValue **args,
                   uint32_t n_args, MgHloValue **results, uint32_t count);
// The outputs combine the last axis of the values in order, and begin with the operands behind
// those of the values. There is one value for each output.
bool mg_hlo_fold(MgHloNode *n, const MgHloBlock *block, MgHloValue **values);

#endif
