// Graph IR: SSA over tensors.
//
// A module holds graphs; a graph holds values and ops, referred to by 32-bit ids into its arrays;
// an op lives in the op list of one region. The meaning of nearly every op is one node, the
// equation. Ops of the standard library are instantiated to equations before they get here, so
// nothing in the IR knows an operator's name but the provenance (MgOrigin), which only people read.
//
// Ids stay valid when ops are erased or moved; erased ops have kind MG_OP_ERASED.
#ifndef MG_IR_GRAPH_H
#define MG_IR_GRAPH_H

#include "ir/ix.h"
#include "ir/types.h"
#include "support/diag.h"

typedef uint32_t MgValueId; // 0 is none
typedef uint32_t MgOpId;    // 0 is none
typedef uint32_t MgRegionId;
typedef uint32_t MgOriginId; // 0 is none
#define MG_NONE 0u

// ---------------------------------------------------------------- scalar expressions
// Immutable trees in the module's arena.
typedef enum MgSxKind {
    MG_SX_CONST, // bits of dtype
    MG_SX_IX,    // an integer expression over dims and the equation's indices, as a value of dtype
    MG_SX_READ,  // one element of an operand
    MG_SX_PRIM   // a primitive of prims.def over args; dtype is the result type
} MgSxKind;

// How a read (or a computed write) is known to stay inside.
typedef enum MgBounds {
    MG_BOUNDS_PROVED, // for all dims, or under the graph's requires
    MG_BOUNDS_ELSE,   // outside, `otherwise` is the value (a write: dropped)
    MG_BOUNDS_CHECKED // a data-dependent subscript: checked per element, traps
} MgBounds;

typedef struct MgSx MgSx;
struct MgSx {
    MgSxKind kind;
    MgDType dtype;
    MgPrim prim;     // PRIM
    uint32_t n_args; // PRIM: operands. READ: subscripts, as many as the operand's rank
    const MgSx **args;
    MgBits bits;           // CONST
    MgIx ix;               // IX
    uint32_t operand;      // READ: position among the op's operands
    const MgSx *otherwise; // READ with MG_BOUNDS_ELSE
    MgBounds bounds;       // READ
};
// A subscript is an i64 expression: MG_SX_IX where it is affine in dims and indices, else
// primitives (FDIV and FMOD for / and %) over reads. dtype of a read is the operand's compute type:
// loading f16 or bf16 widens. The root's dtype is the compute type of the target; the store rounds
// once.

// ---------------------------------------------------------------- equations
// y[subs] = expr                             over the box of the free indices, or
// y[subs] = reducer over bound indices, expr     each element once per free index, or
// scatter: some of subs mention bound indices; contributions combine by the reducer from its
// identity or `over` a base.
typedef struct MgIndex {
    MgSym name;     // for printing; unique in the equation
    MgIx low, high; // half-open; may mention dims, and earlier indices (a prefix range)
} MgIndex;

// One target subscript: an integer expression, or a row-major tuple of plain indices whose ranges
// start at 0 (then sub.ix holds the product form too, ((i*J)+j)), or (scatter) a data-dependent
// expression.
typedef struct MgTarget {
    const MgSx *sub;  // dtype i64; MG_SX_IX unless data-dependent
    uint32_t n_tuple; // 0: not a tuple
    uint32_t *tuple;  // positions of indices, outermost first
} MgTarget;

// A piece defines the part of the target that its box covers. Pieces of one equation are disjoint
// and cover the target (several only without scatter).
typedef struct MgPiece {
    MgIndex *indices; // first the free ones, then those bound by the reduction
    uint32_t n_free, n_indices;
    MgReducer reducer; // MG_REDUCE_NONE: n_indices == n_free
    bool scatter;      // a target subscript mentions a bound index
    MgBounds write;    // scatter: ELSE drops outside writes ("else none"), CHECKED traps
    MgTarget *target;  // as many as the result's rank
    const MgSx *expr;
} MgPiece;

typedef struct MgEquation {
    MgPiece *pieces;
    uint32_t n_pieces;
    bool has_base; // scatter `over` a base: the LAST operand
} MgEquation;

// ---------------------------------------------------------------- ops and values
typedef enum MgOpKind {
    MG_OP_ERASED,
    MG_OP_EQUATION, // operands read by the pieces; one result
    MG_OP_BUILTIN,  // a row of ops.def
    MG_OP_PARAM,    // no operands; one result: a tensor of the graph's weights under `key`
    MG_OP_CONST,    // no operands; one result: bytes held in `data`, or a file reference
    MG_OP_FUSED,    // a region executed as one group; operands: none (it reads enclosing values);
                    // results: its yields
    MG_OP_LOOP,     // carried loop, see MgLoop
    MG_OP_IF,       // operand 0: bool[]; regions then and else; results: their yields
    MG_OP_DIM,      // operand 0: i64[]; introduces dimension `dim` with its bounds (traps outside)
    MG_OP_REQUIRE,  // predicate over dims that are known only here (after a `some`)
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

// A predicate over dims is one expression that must be >= 0: a == b is min(a-b, b-a), p and q is
// min, p or q is max, not p is -p - 1.
typedef struct MgRequire {
    MgIx nonnegative;
    MgSym message; // the user's text, with {formula} replaced at failure; 0: made from the formula
    MgOriginId origin;
} MgRequire;

// r…, e… = loop t in low..high carry (c… = operands…) while cond { body; next…; emit… }
// Regions: [0] body, [1] condition (only with while). Both have the carried values as parameters;
// the body yields next values then emitted ones, the condition yields one bool[]. The trip number
// is the dimension symbol `counter` inside. Results: last carried values, then the emitted, stacked
// in front.
typedef struct MgLoop {
    MgIxSym counter;
    bool counted; // has a range; else low is 0 and only `while` ends it
    MgIx low, high;
    bool has_while;
    uint32_t n_carried, n_emitted;
    MgIxSym trips; // with while and emits: the `some` dimension of the emitted results; else 0
} MgLoop;

typedef struct MgAnnotation {
    MgSym name; // erasable: #anchor("contraction")
    MgSym text; // its arguments, as printed
} MgAnnotation;

typedef struct MgValue {
    MgSym name; // unique in the graph; what is printed
    MgDType dtype;
    uint32_t rank;
    MgIx *shape;
    MgOpId def;          // MG_NONE for a graph's input or a region's parameter
    uint32_t result;     // which result of def
    MgRegionId param_of; // region whose parameter it is (0 for an input); UINT32_MAX if none
    MgOriginId origin;
} MgValue;

typedef struct MgOp {
    MgOpKind kind;
    MgBuiltin builtin;
    MgRegionId region; // that it is in
    uint32_t n_operands, n_results, n_regions, n_attrs;
    MgValueId *operands, *results;
    MgRegionId *regions;
    MgAttr *attrs;
    MgOriginId origin;
    MgEquation *equation; // EQUATION
    MgLoop *loop;         // LOOP
    MgIxSym dim;          // DIM; BUILTIN with a `some` dimension: that dimension
    MgIx dim_bound;       // its largest value, over dims known before it (0: its symbol's interval)
    MgRequire require;    // REQUIRE
    MgSym key;            // PARAM: key in the weights file
    bool buffer;          // PARAM: not differentiated
    const void *data;     // CONST: mg_value_bytes bytes, row-major, little-endian
    uint64_t data_hash;   // CONST: XXH3 of data
    MG_VEC(MgAnnotation) annotations;
} MgOp;

typedef struct MgRegion {
    MgOpId parent; // MG_NONE: the graph's body
    MG_VEC(MgValueId) params;
    MG_VEC(MgOpId) ops; // in order of execution; may hold erased ops until mg_graph_compact
    uint32_t latest;    // where an op was last found in ops: the next is near it
} MgRegion;

// Where something came from: outermost first. `inlined` leads to the call that it was inlined from.
typedef struct MgOrigin {
    MgSym file;
    uint32_t line, column, end; // end column, exclusive; 0 if unknown
    MgSpan span;                // where the source is loaded; else source 0
    MgOriginId inlined;
} MgOrigin;

typedef struct MgPort {
    MgValueId value;
    MgSym name;
    int32_t aliases; // output: the input whose buffer it takes (reserved: -1)
} MgPort;

typedef struct MgGraph {
    struct MgModule *module;
    MgSym name;
    MgOriginId origin;
    MG_VEC(MgPort) inputs;
    MG_VEC(MgPort) outputs;     // value defined in the body (or an input)
    MG_VEC(MgValue) values;     // [0] unused
    MG_VEC(MgOp) ops;           // [0] unused
    MG_VEC(MgRegion) regions;   // [0] is the body
    MG_VEC(MgRequire) requires; // over dims of the inputs; checked when dims are bound
    MG_VEC(MgIxSym)
    dims; // dimension symbols of the graph: those of inputs in order of appearance, then `some` and
          // `dim` ones
    MgMap value_names;         // MgSym -> MgValueId, kept by the builder
    MgSym weights;             // file as written, 0 if none
    MgOriginId weights_origin; // where it is written
} MgGraph;

// An input whose elements decided sizes when the module was made: it is wrong for any others.
typedef struct MgFixedInput {
    MgSym port;
    const void *bytes;
    size_t length;
    const char *text; // the elements, for messages
} MgFixedInput;

typedef struct MgModule {
    MgSession *session;
    MgArena *arena;
    MgIxTable *ix;
    MG_VEC(MgGraph *) graphs;
    MG_VEC(MgOrigin) origins;           // [0] unused
    MgSym source;                       // file name, for messages and relative weights paths
    const struct MgSafetensors *packed; // weights that came with it and stand for any file, or NULL
    bool random_weights;   // parameters get random values, whatever packed or a file has
    uint64_t weights_seed; // of these
    MG_VEC(MgFixedInput) fixed;
} MgModule;

// ---------------------------------------------------------------- building (ir/graph.c)
MgModule *mg_module_new(MgSession *session, MgSym source);
MgGraph *mg_graph_new(MgModule *module, MgSym name);
MgGraph *mg_graph_find(const MgModule *module, MgSym name); // NULL if none
MgOriginId mg_origin_new(MgModule *module, MgOrigin origin);
MgOriginId mg_origin_of_span(MgModule *module, MgSpan span, MgOriginId inlined);
MgSpan mg_origin_span(const MgModule *module, MgOriginId origin); // innermost with a loaded source
// The place to name to a user: the innermost outside the standard library; origin itself if all are
// in it.
const MgOrigin *mg_origin_of_user(const MgModule *module, MgOriginId origin);
// Where that is, if its source is loaded; else as mg_origin_span.
MgSpan mg_origin_user_span(const MgModule *module, MgOriginId origin);

MgRegionId mg_region_new(MgGraph *g, MgOpId parent);
// A name not taken in the graph: name itself, or name_2, name_3, …
MgSym mg_unique_name(MgGraph *g, MgSym name);
// A value with no definition yet (an input, a region's parameter); shape is copied.
MgValueId mg_value_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin);
MgValueId mg_input_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin);
MgValueId mg_region_param_new(MgGraph *g, MgRegionId r, MgSym name, MgDType dtype, uint32_t rank,
                              const MgIx *shape, MgOriginId origin);
// Appends an op to region r. Operands are copied; results are created by mg_op_result.
MgOpId mg_op_new(MgGraph *g, MgRegionId r, MgOpKind kind, const MgValueId *operands, uint32_t n,
                 MgOriginId origin);
MgValueId mg_op_result(MgGraph *g, MgOpId op, MgSym name, MgDType dtype, uint32_t rank,
                       const MgIx *shape);
// Inserts before another op of the same region instead of at the end.
MgOpId mg_op_new_before(MgGraph *g, MgOpId before, MgOpKind kind, const MgValueId *operands,
                        uint32_t n, MgOriginId origin);
static inline MgOp *mg_op(MgGraph *g, MgOpId id) {
    return &g->ops.at[id];
}
static inline MgValue *mg_value(MgGraph *g, MgValueId id) {
    return &g->values.at[id];
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
// Every use of v becomes with[v] where that isn't MG_NONE: one walk for many replacements.
void mg_replace_all_uses(MgGraph *g, const MgValueId *with);
// Uses of every value: counts per value id (operands of live ops, graph outputs). Indexed by id.
uint32_t *mg_use_counts(MgGraph *g, MgArena *arena);
// The ops that read each value, erased ones aside, in order of their ids: those of v stand from
// first[v] to first[v + 1] in ops. An op that has v as an operand twice stands there twice. It holds
// until operands change.
typedef struct MgReaders {
    MgGraph *g;
    uint32_t *first; // by value id, and one more
    MgOpId *ops;
} MgReaders;
MgReaders mg_readers(MgGraph *g, MgArena *arena);
const MgAttr *mg_attr(const MgGraph *g, const MgOp *op, const char *name); // NULL if absent
MgModule *mg_module_clone(MgModule *module); // same session; fresh arena
// A copy of the graph with dims set to constants where value() knows them ("specialised").
MgGraph *mg_graph_specialise(MgGraph *g, MgIxValueFn *value, void *ctx);
// A copy of g in the same module, not among its graphs; ids mean the same.
MgGraph *mg_graph_copy(MgGraph *g);
// One op of g's body as a graph of its own in the same module (but not among its graphs): inputs
// are the values of g that it reads, in `inputs`; outputs its results, in order. Dims that value()
// (NULL: none) knows become constants. plain: names are made from numbers, so that equal ops give
// equal text.
typedef struct MgOneOp {
    MgGraph *graph;
    MG_VEC(MgValueId) inputs;
} MgOneOp;
MgOneOp mg_graph_one_op(MgGraph *g, MgOpId op, bool plain, MgIxValueFn *value, void *ctx);

// Expressions (in the module's arena; children are shared, never changed).
const MgSx *mg_sx_const(MgModule *m, MgDType dtype, MgBits bits);
const MgSx *mg_sx_double(MgModule *m, MgDType dtype, double value);
const MgSx *mg_sx_int(MgModule *m, MgDType dtype, int64_t value);
const MgSx *mg_sx_ix(MgModule *m, MgDType dtype, MgIx ix);
const MgSx *mg_sx_prim(MgModule *m, MgPrim prim, MgDType result, const MgSx *const *args,
                       uint32_t n);
const MgSx *mg_sx_read(MgModule *m, uint32_t operand, MgDType dtype, const MgSx *const *subs,
                       uint32_t n, MgBounds bounds, const MgSx *otherwise);
// Rewrites bottom-up: visit(ctx, rebuilt node) returns the node to put in its place.
typedef const MgSx *MgSxVisitFn(void *ctx, const MgSx *x);
const MgSx *mg_sx_rewrite(MgModule *m, const MgSx *x, MgSxVisitFn *visit, void *ctx);
// Calls see(ctx, node) for every node, subscripts and else-values included, children first.
void mg_sx_walk(const MgSx *x, void (*see)(void *ctx, const MgSx *x), void *ctx);
// One expression? Of two ops, reads are the same where the values are: `of` are the ops' operands.
bool mg_sx_equal(const MgSx *a, const MgSx *b);
bool mg_sx_same(const MgSx *a, const MgValueId *of_a, const MgSx *b, const MgValueId *of_b);
uint64_t mg_sx_hash(const MgSx *x);
// index k -> with[k] (i64 expressions) in every ix and subscript below x.
const MgSx *mg_sx_subst_indices(MgModule *m, const MgSx *x, const MgIx *with, uint32_t n);

// ---------------------------------------------------------------- text (ir/graph_print.c,
// ir/graph_read.c)
typedef struct MgPrintOptions {
    bool origins;        // #at(...)
    bool annotations;    // everything else behind #
    size_t inline_const; // constants up to this many bytes print as literals (default 256); larger
                         // ones as file(...) references, their bytes collected by the caller
                         // through the module
} MgPrintOptions;
// The flat form: valid `.mg`, which mg_lower_file (frontend/sema.h) reads back to the same IR.
void mg_module_print(MgModule *module, const MgPrintOptions *options, MgText *out);
void mg_graph_print(MgGraph *g, const MgPrintOptions *options, MgText *out);
void mg_op_print(MgGraph *g, MgOpId op, const MgPrintOptions *options, MgText *out);
void mg_graph_dot(MgGraph *g, MgText *out); // Graphviz

// ---------------------------------------------------------------- checks and facts
// Verifies structure, types, dominance, ranges, bounds and annotations; reports diagnostics
// (MG_D_verify_*) and returns false if any.
bool mg_graph_verify(MgGraph *g);
bool mg_module_verify(MgModule *module);

// What an equation is, computed from its index maps (ir/traits.c).
typedef struct MgTraits {
    bool elementwise; // one piece, no reduction, target subscripts are the plain indices in order
    bool view;        // one read whose row-major address equals the target's: no data moves
    bool copy;        // expr is a single read (or constant): data moves, nothing is computed
    bool contraction; // sum over bound indices of a product of two reads; see MgContraction
    bool window;      // a read with a bound and a free index in one subscript
    bool row;         // the bound indices are exactly the trailing axes of the reads
    bool gathered;    // a data-dependent subscript
    bool scatter;
    bool scanned; // a prefix range
    bool jumps;   // uses a primitive of kind JUMP
} MgTraits;
MgTraits mg_traits(MgGraph *g, MgOpId op);
// Fills output_of, by value id and zeroed before, for what can live in the bytes of an output: the
// outputs, and what the graph makes and one of them is a view of, through any number of views.
void mg_output_bytes(MgGraph *g, MgValueId *output_of);

// Operation and traffic counts as functions of the dims. FLOPs: arithmetic primitives and
// reductions per point of the box (a transcendental counts 1); bytes: each operand read once, the
// result written once.
typedef struct MgCost {
    MgIx flops, bytes;
} MgCost;
// x with every dimension that data decide at its largest value, over the dimensions of inputs.
MgIx mg_bound_dims(MgGraph *g, MgIx x);
MgCost mg_cost(MgGraph *g, MgOpId op);
MgIx mg_value_elements(MgGraph *g, MgValueId v);
MgIx mg_value_bytes(MgGraph *g, MgValueId v);

// Dimensions of a graph from the shapes of its inputs: solves each input's declared dims
// (linear in one unknown), checks the rest and the requires. dims[] parallel to g->dims; those of
// `some` and `dim` stay at -1. False with a diagnostic that uses the user's names.
bool mg_bind_dims(MgGraph *g, const int64_t *const *input_shapes, int64_t *dims);
// Reports that a requirement does not hold under dims (parallel to g->dims, -1: not known).
void mg_require_failed(MgGraph *g, const MgRequire *require, int64_t *dims);

#endif
