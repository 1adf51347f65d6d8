// Graph IR: SSA over tensors.
//
// A module holds graphs. A graph holds values and ops, which 32-bit ids number. Each op lives in
// the op list of one region. The meaning of nearly every op is one node, the equation. Ops of the
// standard library become equations before they get here. So nothing in the IR knows an operator's
// name, apart from the provenance (MgOrigin), which only people read.
//
// Ids stay valid when ops are erased or moved; erased ops have kind MG_OP_ERASED.
#ifndef MG_IR_GRAPH_H
#define MG_IR_GRAPH_H

#include "ir/ix.h"
#include "ir/types.h"
#include "support/diag.h"

typedef uint32_t MgValueId; // 0: none
typedef uint32_t MgOpId;    // 0: none
typedef uint32_t MgRegionId;
typedef uint32_t MgOriginId; // 0: none
#define MG_NONE 0u

// ---------------------------------------------------------------- scalar expressions
// Immutable trees in the module's arena.
typedef enum MgSxKind {
    MG_SX_CONST, // bits of dtype
    MG_SX_IX,    // an integer expression over dims and the equation's indices, as a value of dtype
    MG_SX_READ,  // one element of an operand
    MG_SX_PRIM   // a primitive of prims.def over args; dtype is the result type
} MgSxKind;

// Why a read (or a computed write) is known to stay inside.
typedef enum MgBounds {
    MG_BOUNDS_PROVED, // for all dims, or given the graph's requires
    MG_BOUNDS_ELSE,   // outside, `otherwise` is the value (a write is dropped)
    MG_BOUNDS_CHECKED // the subscript depends on data: each element is checked, and traps
} MgBounds;

typedef struct MgSx MgSx;
struct MgSx {
    MgSxKind kind;
    MgDType dtype;
    MgPrim prim;     // PRIM
    uint32_t n_args; // PRIM: the number of operands. READ: the number of subscripts, which is the
                     // operand's rank
    const MgSx **args;
    MgBits bits;           // CONST
    MgIx ix;               // IX
    uint32_t operand;      // READ: position among the op's operands
    const MgSx *otherwise; // READ with MG_BOUNDS_ELSE
    MgBounds bounds;       // READ
};
// A subscript is an i64 expression: MG_SX_IX if it is affine in dims and indices, otherwise
// primitives (FDIV and FMOD for / and %) over reads. The dtype of a read is the operand's compute
// type: loading f16 or bf16 widens. The root's dtype is the compute type of the target; the store
// rounds once.

// ---------------------------------------------------------------- equations
// y[subs] = expr                              over the box of the free indices, or
// y[subs] = reducer over bound indices, expr   for each point of the free indices, or
// a scatter, if some subs mention bound indices: the reducer combines contributions, starting from
// its identity or from a base (`over`).
typedef struct MgIndex {
    MgSym name;     // for printing; unique in the equation
    MgIx low, high; // half-open; may mention dims, and earlier indices (a prefix range)
} MgIndex;

// One target subscript: an integer expression; or a row-major tuple of plain indices whose ranges
// start at 0 (sub.ix then holds its product form, ((i*J)+j)); or, in a scatter, an expression that
// depends on data.
typedef struct MgTarget {
    const MgSx *sub;  // dtype i64; MG_SX_IX unless data-dependent
    uint32_t n_tuple; // 0: not a tuple
    uint32_t *tuple;  // positions of indices, outermost first
} MgTarget;

// A piece defines the part of the target that its box covers. The pieces of one equation are
// disjoint and cover the target. A scatter has one piece.
typedef struct MgPiece {
    MgIndex *indices; // the free indices, then those bound by the reduction
    uint32_t n_free, n_indices;
    MgReducer reducer; // MG_REDUCE_NONE: n_indices == n_free
    bool scatter;      // a target subscript mentions a bound index
    MgBounds write;    // of a scatter: ELSE drops writes outside ("else none"), CHECKED traps
    MgTarget *target;  // one for each axis of the result
    const MgSx *expr;
} MgPiece;
static inline bool mg_piece_reduces(const MgPiece *piece) { // has it bound indices?
    return piece->n_indices > piece->n_free;
}

typedef struct MgEquation {
    MgPiece *pieces;
    uint32_t n_pieces;
    bool has_base; // a scatter `over` a base, which is the last operand
} MgEquation;

// ---------------------------------------------------------------- ops and values
typedef enum MgOpKind {
    MG_OP_ERASED,
    MG_OP_EQUATION, // operands read by the pieces; one result
    MG_OP_BUILTIN,  // a row of ops.def
    MG_OP_PARAM,    // no operands; one result: a tensor of the graph's weights under `key`
    MG_OP_CONST,    // no operands; one result: bytes held in `data`, or a file reference
    MG_OP_FUSED,    // a region executed as one group; it has no operands (it reads enclosing
                    // values), and its results are its yields
    MG_OP_LOOP,     // carried loop, see MgLoop
    MG_OP_IF,       // operand 0 is bool[]; regions: then, else; results: their yields
    MG_OP_DIM,      // operand 0 is i64[]; introduces dimension `dim`, and traps outside its bounds
    MG_OP_REQUIRE,  // a predicate over dims that are known only here (after a `some`)
    MG_OP_YIELD     // last op of every region but a graph's: operands are the region's results
} MgOpKind;

typedef enum MgBuiltin {
#define MG_BUILTIN(id, spelling, n_operands, n_results, documentation) MG_BUILTIN_##id,
#include "lang/ops.def"
#undef MG_BUILTIN
    MG_BUILTIN_COUNT
} MgBuiltin;
typedef struct MgBuiltinRow {
    const char *name;
    int n_operands, n_results;
    const char *documentation;
} MgBuiltinRow;
const MgBuiltinRow *mg_builtin(MgBuiltin builtin);
MgBuiltin mg_builtin_of_name(const char *name);
// Does the builtin draw random numbers?
bool mg_builtin_draws(MgBuiltin builtin);

typedef enum MgAttrKind {
    MG_ATTR_INT,
    MG_ATTR_FLOAT,
    MG_ATTR_BOOL,
    MG_ATTR_STR,
    MG_ATTR_TYPE
} MgAttrKind;
typedef struct MgAttr {
    MgSym name;
    MgAttrKind kind;
    MgIx ix; // INT: may be an expression over dims
    double f;
    bool b;
    MgSym str;
    MgDType type;
} MgAttr;

// A predicate over dims is one expression that must be >= 0: a == b is min(a-b, b-a), "p and q" is
// min, "p or q" is max, "not p" is -p - 1.
typedef struct MgRequire {
    MgIx nonnegative;
    MgSym message; // the user's text with {formula}s, which are filled in when it fails; 0: none
    MgOriginId origin;
} MgRequire;

// r…, e… = loop t in low..high carry (c… = operands…) while cond { body; next…; emit… }
// Region 0 is the body, region 1 the condition (only with while). Both have the carried values as
// parameters. The body yields the next values, then the emitted ones; the condition yields one
// bool[]. Inside, the dimension symbol `counter` is the trip number. The results are the last
// carried values, then the emitted ones, stacked along a new first axis.
typedef struct MgLoop {
    MgIxSym counter;
    bool counted; // it has a range; otherwise low is 0, and only `while` ends it
    MgIx low, high;
    bool has_while;
    uint32_t n_carried, n_emitted;
    MgIxSym trips; // with while and emits: the `some` dimension of the emitted results; else 0
} MgLoop;

typedef struct MgAnnotation {
    MgSym name; // the word, as in #anchor("contraction"); erasing it changes no meaning
    MgSym text; // its arguments, as printed
} MgAnnotation;

typedef struct MgValue {
    MgSym name; // the name that is printed; unique in the graph
    MgDType dtype;
    uint32_t rank;
    MgIx *shape;
    MgOpId def;          // MG_NONE for a graph's input or a region's parameter
    uint32_t result;     // its number among the results of def
    MgRegionId param_of; // the region whose parameter it is (0 for an input); UINT32_MAX: none
    MgOriginId origin;
} MgValue;

typedef struct MgOp {
    MgOpKind kind;
    MgBuiltin builtin;
    MgRegionId region; // the region that holds it
    uint32_t n_operands, n_results, n_regions, n_attrs;
    MgValueId *operands, *results;
    MgRegionId *regions;
    MgAttr *attrs;
    MgOriginId origin;
    MgEquation *equation;   // EQUATION
    MgLoop *loop;           // LOOP
    MgIxSym dim;            // DIM; BUILTIN with a `some` dimension: that dimension
    MgIx dim_bound;         // its largest value, over earlier dims; 0: the bounds of its symbol
    MgRequire require;      // REQUIRE
    MgSym key;              // PARAM: key in the weights file
    bool buffer;            // PARAM: not differentiated
    bool has_initial;       // PARAM: it has a value even if nothing is loaded
    double initial;         // PARAM: that value, of every element
    struct MgGraph *begins; // PARAM: computes that value instead, from a seed u64[]; or NULL
    const void *data;       // CONST: mg_value_bytes bytes, row-major, little-endian
    uint64_t data_hash;     // CONST: XXH3 of data
    MG_VEC(MgAnnotation) annotations;
} MgOp;

typedef struct MgRegion {
    MgOpId parent; // MG_NONE: the graph's body
    MG_VEC(MgValueId) params;
    MG_VEC(MgOpId) ops; // in order of execution; may hold erased ops until mg_graph_compact
    uint32_t latest;    // where the last search in `ops` ended: the next one begins there
} MgRegion;

// Where something came from. `inlined` leads to the call from which it was inlined.
typedef struct MgOrigin {
    MgSym file;
    uint32_t line, column, end; // end column, exclusive; 0 if unknown
    MgSpan span;                // its place in the source, if that is loaded; otherwise source 0
    MgOriginId inlined;
    bool backward; // it belongs to a derivative
} MgOrigin;

// The role of a port if several batches make a step (passes/accumulate.h).
typedef enum MgTurn {
    MG_TURN_STEP,  // an output that is complete with the last batch; every port if a step has one
                   // batch
    MG_TURN_BATCH, // an output that each batch has separately
    MG_TURN_SUM,   // the sum of a gradient over the batches so far
    MG_TURN_NUMBER // the number of the batch in its step, from 1
} MgTurn;

typedef struct MgPort {
    MgValueId value;
    MgSym name;
    int32_t aliases; // of an output: the input whose buffer it takes (reserved: -1)
    // A parameter with a next value is an input, and its next value is an output over it:
    MgSym key; // in the weights file, of the input and of the output; 0: an ordinary port
    bool buffer, has_initial;
    double initial;
    struct MgGraph *begins; // as in MgOp
    MgTurn turn;
} MgPort;
typedef MG_VEC(MgPort) MgPorts;

// The derivative of a number with respect to a parameter, which has the parameter's shape.
typedef struct MgParamGradient {
    MgValueId value;
    MgSym key; // of the parameter
} MgParamGradient;

typedef struct MgGraph {
    struct MgModule *module;
    MgSym name;
    MgOriginId origin;
    MgPorts inputs;
    MgPorts outputs;            // defined in the body, or an input
    MG_VEC(MgValue) values;     // [0] unused
    MG_VEC(MgOp) ops;           // [0] unused
    MG_VEC(MgRegion) regions;   // [0] is the body
    MG_VEC(MgRequire) requires; // over dims of the inputs; checked when dims are bound
    MG_VEC(MgIxSym)
    dims; // dimension symbols: those of the inputs in order of appearance, then those of `some` and
          // `dim`
    MG_VEC(MgParamGradient) gradients; // those that the source asks for; valid until the first pass
    MgMap value_names;                 // MgSym -> MgValueId, kept by the builder
    MgSym weights;                     // the file as written in the source; 0: none
    MgOriginId weights_origin;         // where the source names it
} MgGraph;

// An input whose elements decided sizes when the module was made. The module is wrong for any other
// elements.
typedef struct MgFixedInput {
    MgSym port;
    const void *bytes;
    size_t length;
    const char *text; // the elements, for messages
} MgFixedInput;

// What a flag rounded of a sum of products, as bits.
typedef enum MgNarrowed {
    MG_NARROWED_FIRST = 1, // its first factor
    MG_NARROWED_SECOND = 2,
    MG_NARROWED_RESULT = 4,
    MG_NARROWED_WEIGHT = 8 // one of its factors is a weight, which --weights-type rounded
} MgNarrowed;

typedef struct MgModule {
    MgSession *session;
    MgArena *arena;
    MgIxTable *ix;
    MG_VEC(MgGraph *) graphs;
    MG_VEC(MgOrigin) origins;           // [0] unused
    MgSym source;                       // file name, for messages and relative weights paths
    const struct MgSafetensors *packed; // weights that replace any file, or NULL
    MgMap *narrowed; // by origin of a sum of products, MgNarrowed bits: what mg_autocast rounded.
                     // NULL: nothing
    bool random_weights;   // parameters get random values, whatever `packed` or a file has
    bool bound_weights;    // parameters get no values
    bool initial_weights;  // parameters that state an initial value have it
    uint64_t weights_seed; // the seed of these values
    MG_VEC(MgFixedInput) fixed;
    MG_VEC(const MgSx *) subscripts; // by MgIx: the one node of that i64 expression, or NULL
} MgModule;

// ---------------------------------------------------------------- building (ir/graph.c)
MgModule *mg_module_new(MgSession *session, MgSym source);
MgGraph *mg_graph_new(MgModule *module, MgSym name);
MgGraph *mg_graph_find(const MgModule *module, MgSym name); // NULL if none
MgOriginId mg_origin_new(MgModule *module, MgOrigin origin);
// The same place, marked as part of a derivative.
MgOriginId mg_origin_backward(MgModule *module, MgOriginId origin);
// Is it part of a derivative, because it comes from such an origin?
bool mg_origin_is_backward(const MgModule *module, MgOriginId origin);
MgOriginId mg_origin_of_span(MgModule *module, MgSpan span, MgOriginId inlined);
MgSpan mg_origin_span(const MgModule *module, MgOriginId origin); // the innermost one that has a
                                                                  // loaded source
// The place to show to a user: the innermost one outside the standard library, or origin itself if
// all are in the library.
const MgOrigin *mg_origin_of_user(const MgModule *module, MgOriginId origin);
// The span of that place if its source is loaded; otherwise the span of mg_origin_span, or a span
// that only names the place.
MgSpan mg_origin_user_span(const MgModule *module, MgOriginId origin);

MgRegionId mg_region_new(MgGraph *g, MgOpId parent);
// A name that the graph does not use: `name` itself, or name_2, name_3, …
MgSym mg_unique_name(MgGraph *g, MgSym name);
// Gives the value of each output the output's name, unless another output or an input has it.
// Printing does this, and so does the pass manager after each pass, so that names don't depend on
// flags.
void mg_name_outputs(MgGraph *g);
// Makes a value without a definition (an input, a region's parameter). The shape is copied.
MgValueId mg_value_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin);
MgValueId mg_input_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin);
MgValueId mg_region_param_new(MgGraph *g, MgRegionId r, MgSym name, MgDType dtype, uint32_t rank,
                              const MgIx *shape, MgOriginId origin);
// Turns a parameter into an input of the graph, with its key. The op is erased.
void mg_param_to_input(MgGraph *g, MgOpId param);
// Turns a parameter whose next value is `next` into an input, and `next` into an output over it.
// The op is erased.
void mg_param_update(MgGraph *g, MgOpId param, MgValueId next);
// What the op declares, as a port that belongs to no graph.
static inline MgPort mg_param_port(const MgOp *op) {
    return (MgPort){.value = op->results[0],
                    .aliases = -1,
                    .key = op->key,
                    .buffer = op->buffer,
                    .has_initial = op->has_initial,
                    .initial = op->initial,
                    .begins = op->begins};
}
// Appends an op to region r. Operands are copied. mg_op_result creates results.
MgOpId mg_op_new(MgGraph *g, MgRegionId r, MgOpKind kind, const MgValueId *operands, uint32_t n,
                 MgOriginId origin);
MgValueId mg_op_result(MgGraph *g, MgOpId op, MgSym name, MgDType dtype, uint32_t rank,
                       const MgIx *shape);
// Inserts an op before another op of the same region.
MgOpId mg_op_new_before(MgGraph *g, MgOpId before, MgOpKind kind, const MgValueId *operands,
                        uint32_t n, MgOriginId origin);
static inline MgOp *mg_op(MgGraph *g, MgOpId id) {
    return &g->ops.at[id];
}
static inline MgValue *mg_value(MgGraph *g, MgValueId id) {
    return &g->values.at[id];
}
// The op that makes v; NULL if none does, as a region's parameter.
static inline MgOp *mg_def(MgGraph *g, MgValueId v) {
    return mg_value(g, v)->def ? mg_op(g, mg_value(g, v)->def) : NULL;
}
// The piece of an equation that has one; NULL of any other op, and of NULL.
static inline const MgPiece *mg_only_piece(const MgOp *op) {
    return op && op->kind == MG_OP_EQUATION && op->equation->n_pieces == 1 ? op->equation->pieces
                                                                           : NULL;
}
// Pointers from mg_op, mg_value and mg_region are valid until the next op, value or region is made.
static inline MgRegion *mg_region(MgGraph *g, MgRegionId id) {
    return &g->regions.at[id];
}
bool mg_op_reads(const MgOp *op, MgValueId v); // is v one of its operands? Erased ops have none
void mg_op_erase(MgGraph *g, MgOpId op);       // its results must be unused
void mg_op_move_before(MgGraph *g, MgOpId op, MgOpId before);
void mg_op_move_to_end(MgGraph *g, MgOpId op, MgRegionId r);
void mg_graph_compact(MgGraph *g);                              // drops erased ops from the lists
void mg_replace_uses(MgGraph *g, MgValueId from, MgValueId to); // operands and graph outputs
// Replaces every use of each v by with[v], unless that is MG_NONE. Many replacements take one walk.
void mg_replace_all_uses(MgGraph *g, const MgValueId *with);
// The number of uses of every value (operands of live ops, graph outputs), by value id.
uint32_t *mg_use_counts(MgGraph *g, MgArena *arena);
// The ops that read each value, in order of their ids, without erased ones. The readers of v are
// ops[first[v]] up to, but excluding, ops[first[v + 1]]. An op that has v as an operand twice is
// listed twice. Valid until operands change.
typedef struct MgReaders {
    MgGraph *g;
    uint32_t *first; // by value id, with one more at the end
    MgOpId *ops;
} MgReaders;
MgReaders mg_readers(MgGraph *g, MgArena *arena);
const MgAttr *mg_attr(const MgGraph *g, const MgOp *op, const char *name); // NULL if absent
MgModule *mg_module_clone(MgModule *module); // same session; fresh arena
// A copy of the graph in which the dims that value() knows are constants ("specialised").
MgGraph *mg_graph_specialise(MgGraph *g, MgIxValueFn *value, void *ctx);
// A copy of g in the same module, but not among its graphs. Ids keep their meaning.
MgGraph *mg_graph_copy(MgGraph *g);
// A graph that has ops of its own and everything else in common with g. Their equations can be
// replaced; no op or value can be added.
MgGraph *mg_graph_with_ops(const MgGraph *g);
// One op of g's body as a graph of its own in the same module (but not among its graphs). Its
// inputs are the values of g that the op reads, listed in `inputs`; its outputs are the op's
// results, in order. Dims that value() knows (NULL: none) become constants. With `plain`, names are
// made from numbers, so that equal ops give equal text.
typedef struct MgOneOp {
    MgGraph *graph;
    MG_VEC(MgValueId) inputs;
} MgOneOp;
MgOneOp mg_graph_one_op(MgGraph *g, MgOpId op, bool plain, MgIxValueFn *value, void *ctx);

// Copies the ops of one region, except its yield, to the end of another region of g. `values` maps
// values to what the copies read instead, such as the region's parameters; the copies' results are
// added to it. map replaces dimensions, such as a loop's counter. No op may introduce a dimension.
void mg_region_copy(MgGraph *g, MgRegionId from, MgRegionId into, MgMap *values, MgIxMapFn *map,
                    void *ctx);

// Expressions live in the module's arena. Subexpressions are shared and never change.
const MgSx *mg_sx_const(MgModule *m, MgDType dtype, MgBits bits);
const MgSx *mg_sx_double(MgModule *m, MgDType dtype, double value);
const MgSx *mg_sx_int(MgModule *m, MgDType dtype, int64_t value);
bool mg_sx_is_number(const MgSx *x, double value); // is it this constant of a float type?
const MgSx *mg_sx_ix(MgModule *m, MgDType dtype, MgIx ix);
const MgSx *mg_sx_prim(MgModule *m, MgPrim prim, MgDType result, const MgSx *const *args,
                       uint32_t n);
const MgSx *mg_sx_read(MgModule *m, uint32_t operand, MgDType dtype, const MgSx *const *subs,
                       uint32_t n, MgBounds bounds, const MgSx *otherwise);
// Rewrites bottom-up: visit(ctx, rebuilt node) returns the node that replaces it.
typedef const MgSx *MgSxVisitFn(void *ctx, const MgSx *x);
const MgSx *mg_sx_rewrite(MgModule *m, const MgSx *x, MgSxVisitFn *visit, void *ctx);
// Calls see(ctx, node) for every node, subscripts and else-values included, children first.
void mg_sx_walk(const MgSx *x, void (*see)(void *ctx, const MgSx *x), void *ctx);
// Are the expressions equal? mg_sx_same compares expressions of two ops whose operands are `of`:
// two reads are equal if they read the same value.
bool mg_sx_equal(const MgSx *a, const MgSx *b);
bool mg_sx_same(const MgSx *a, const MgValueId *of_a, const MgSx *b, const MgValueId *of_b);
uint64_t mg_sx_hash(const MgSx *x);
// Copies expressions. with[k] replaces index k, for k < n, and operand(ctx, k) gives the new number
// of operand k (NULL: numbers stay). Shared subexpressions stay shared in the copy.
typedef struct MgSxMap {
    MgModule *module;
    const MgIx *with;
    uint32_t n;
    uint32_t (*operand)(void *ctx, uint32_t k);
    void *ctx;
    MgMap done; // node -> its copy
} MgSxMap;
const MgSx *mg_sx_map(MgSxMap *map, const MgSx *x);
// Replaces index k by with[k] (i64 expressions) in every ix and subscript below x.
const MgSx *mg_sx_subst_indices(MgModule *m, const MgSx *x, const MgIx *with, uint32_t n);

// ---------------------------------------------------------------- text (ir/graph_print.c)
typedef struct MgPrintOptions {
    bool origins;        // #at(...)
    bool annotations;    // everything else after #
    size_t inline_const; // constants of at most this many bytes print as literals (default 256);
                         // larger ones print as file(...) references, and the caller gets their
                         // bytes from the module
} MgPrintOptions;
// Prints the flat form: valid `.mg`, which mg_lower_file (frontend/sema.h) reads back as the same
// IR.
void mg_module_print(MgModule *module, const MgPrintOptions *options, MgText *out);
// Prints one piece of op's equation, or a piece that differs only in the names of indices, as a
// line of that form.
void mg_piece_print(MgGraph *g, MgOpId op, const MgPiece *piece, MgText *out);
void mg_graph_print(MgGraph *g, const MgPrintOptions *options, MgText *out);
void mg_op_print(MgGraph *g, MgOpId op, const MgPrintOptions *options, MgText *out);
void mg_graph_dot(MgGraph *g, MgText *out); // Graphviz
void mg_graph_svg(MgGraph *g, MgText *out); // a picture (ir/graph_svg.c)

// ---------------------------------------------------------------- checks and facts
// Verifies structure, types, dominance, ranges, bounds and annotations. Reports diagnostics
// (MG_D_verify_*) and returns false if something is wrong.
bool mg_graph_verify(MgGraph *g);
// Adds `else 0` to each read that is marked as proved but that the verifier can't prove. This does
// not change the read's value if it is inside, as the code that marked it knew by more than the
// graph says.
void mg_graph_guard(MgGraph *g);
bool mg_module_verify(MgModule *module);

// Properties of an equation, computed from its index maps (ir/traits.c).
typedef struct MgTraits {
    bool elementwise; // one piece, no reduction, and the target subscripts are the plain indices in
                      // order
    bool view;        // one read whose row-major address equals the target's; no data moves
    bool copy;        // expr is a single read (or constant); data moves but nothing is computed
    bool contraction; // a sum of products of two reads; mg_piece_contraction tells which kind
    bool window;      // a read with a bound and a free index in one subscript
    bool row;         // the bound indices are exactly the trailing axes of the reads
    bool gathered;    // a subscript depends on data
    bool scatter;
    bool scanned; // some range is a prefix range
    bool jumps;   // it uses a primitive of kind JUMP
} MgTraits;
MgTraits mg_traits(MgGraph *g, MgOpId op);
// Fills in output_of, which is indexed by value id and must be zeroed: the output whose bytes can
// hold the value. This applies to outputs, and to values of which an output is a view, through any
// number of views.
void mg_output_bytes(MgGraph *g, MgValueId *output_of);

// Counts of operations and traffic as functions of the dims. FLOPs: arithmetic primitives and
// reductions per point of the box (a transcendental counts 1). Bytes: each operand is read once,
// and the result is written once.
typedef struct MgCost {
    MgIx flops, bytes;
} MgCost;
// Which op defines each dimension that data decide. Valid until the graph changes.
typedef struct MgDimMakers {
    MgGraph *graph;
    MgMap ops; // MgIxSym -> MgOpId
} MgDimMakers;
MgDimMakers mg_dim_makers(MgGraph *g, MgArena *arena);
// x with every dimension that data decide at its largest value, as an expression over the
// dimensions of inputs.
MgIx mg_bound_dims(const MgDimMakers *makers, MgIx x);
MgCost mg_cost(MgGraph *g, MgOpId op);
MgIx mg_piece_flops(MgGraph *g, const MgPiece *piece); // of an equation
MgIx mg_value_elements(MgGraph *g, MgValueId v);
MgIx mg_value_bytes(MgGraph *g, MgValueId v);

// Computes a graph's dimensions from the shapes of its inputs: solves each declared size (linear in
// one unknown), then checks the sizes and the requires. dims[] is parallel to g->dims; those of
// `some` and `dim` stay at -1. Returns false after a diagnostic that uses the user's names.
bool mg_bind_dims(MgGraph *g, const int64_t *const *input_shapes, int64_t *dims);
// Reports that a requirement does not hold under dims (parallel to g->dims, -1: not known).
void mg_require_failed(MgGraph *g, const MgRequire *require, int64_t *dims);
// The condition of a requirement in formulas, for code that reports it without its graph.
const char *mg_require_text(MgGraph *g, const MgRequire *require);

#endif
