// Declarations that the files of sema share. sema.h says what sema does.
//
// Lowering is one walk of the tree by a compile-time evaluator. An environment (MgEnv) binds the
// names of one body: operands and locals to graph values, dimensions and attributes to compile-time
// values, packs to lists of dimensions. A call instantiates the callee's body in a new environment
// and appends equations to the graph. Inside an equation the same evaluator yields scalar
// expressions over reads and indices.
//
// An error poisons the value that it concerns. Poisoned values cause no further messages, so each
// mistake gives one diagnostic, and one run finds all mistakes of a file.
#ifndef MG_FRONTEND_SEMA_INTERNAL_H
#define MG_FRONTEND_SEMA_INTERNAL_H

#include "derive/derive.h"
#include "frontend/sema.h"

// ---------------------------------------------------------------- values at compile time
typedef enum MgValKind {
    MG_V_POISON,   // an error was reported
    MG_V_ABSENT,   // an optional operand that was omitted
    MG_V_INT,      // ix, over dimensions and (in an equation) indices
    MG_V_FLOAT,    // a literal or attribute
    MG_V_BOOL,     // decided at compile time
    MG_V_PRED,     // its truth depends on dimensions: ix >= 0; list holds its parts, each >= 0
    MG_V_STR,      // sym
    MG_V_TYPE,     // type
    MG_V_LIST,     // list attribute, pack of dimensions
    MG_V_UNTYPED,  // scalar tree that takes the type of its context: sx; real if it contains a
                   // float
    MG_V_SCALAR,   // typed scalar: sx
    MG_V_TENSOR,   // graph value
    MG_V_PARAM,    // a parameter with dimensions `_` that its first use determines
    MG_V_INSTANCE, // an instance of a layer
    MG_V_PIECES,   // a target whose pieces are being collected
} MgValKind;

typedef struct MgLayerInstance MgLayerInstance;
typedef struct MgOpenParam MgOpenParam;
typedef struct MgPieces MgPieces;
typedef struct MgVal MgVal;
struct MgVal {
    MgValKind kind;
    bool real;
    bool converted; // f32(x): a type that the program names, even if nothing is to do
    union {
        MgIx ix;
        double f;
        bool b;
        MgSym sym;
        MgDType type;
        const MgSx *sx;
        MgValueId tensor;
        MgLayerInstance *instance;
        MgOpenParam *open;
        MgPieces *pieces;
    };
    uint32_t n; // elements of a LIST or PRED
    MgVal *list;
    const MgSx *written; // of a PRED: the condition as the program states it
};
typedef MG_VEC(MgVal) MgVals;

// The declared factors of a product dimension (groups * C), for tuple subscripts. n is 0 without
// factors.
typedef struct MgFactors {
    uint32_t n;
    MgIx *at;
} MgFactors;

// ---------------------------------------------------------------- files
typedef struct MgSourceUnit {
    MgAstFile *file;
    MgSym name;        // for messages
    MgMap items;       // name -> MgAstItem *; in the library 0 until it is first used
    MgMap derivatives; // name of an op -> MgAstItem *: the derivative that the op states
    MgMap places;      // in the library: name -> begin of its text | end << 32
    MgMap imports;     // alias -> MgSourceUnit *
    bool library;
    bool skipped_listed;
    MgMap skipped; // the words of file->skipped, valid once skipped_listed
} MgSourceUnit;

// ---------------------------------------------------------------- environments
typedef struct MgBinding {
    MgSym name;
    MgVal val;
    MgSpan span;
    MgSym from;             // for a dimension: the operand that determined it
    const MgIx *from_shape; // and that operand's shape
    uint32_t from_rank;
    const MgAstSubs *decl; // an operand's declared shape, which gives the axes of its entries
    MgFactors *factors;    // one for each dimension, or NULL
    uint32_t block;        // the static block that bound it
    bool is_dim, is_operand;
    bool hidden; // it is out of scope: the index of a compile-time loop after the loop
} MgBinding;

typedef struct MgEq MgEq;
typedef struct MgSema MgSema;
typedef struct MgEnv MgEnv;
struct MgEnv {
    MgSema *s;
    MgEnv *outer;  // the enclosing scope of a region's body, else NULL
    MgEnv *caller; // the body that instantiated this one
    MgSpan call_span;
    MgOriginId inlined; // the origin of the call
    MgOriginId at;      // the origin that #at(…) gives the current statement, otherwise 0
    MgSourceUnit *unit;
    const MgAstItem *item;
    MG_VEC(MgBinding) names;
    MgMap index;              // name -> position in names, once there are many names
    MG_VEC(MgSym) broadcast;  // packs of the broadcast clause
    MgSym prefix;             // the prefix of the names of locals; 0 in a graph
    MgSym *hints;             // names for the results
    bool scalar;              // it is inlined into an index expression,
    struct MgCtx *scalar_ctx; // namely this one
    MgLayerInstance *instance;
    uint32_t block, depth;
    MgVals counters; // of the enclosing static `for`s
    MgRegionId region;
};

// A parameter whose `_` dimensions are not known yet (MG_IX_ERROR in shape).
struct MgOpenParam {
    MgSym key, name;
    MgDType dtype;
    uint32_t rank;
    MgIx *shape;
    bool buffer, has_initial;
    double initial;
    struct MgInitial *begins; // the call that computes its initial value, or NULL
    MgSpan span;
    MgValueId value; // set once it exists
};

// A layer with its attributes. All its applications share the parameters under `key`.
struct MgLayerInstance {
    const MgAstItem *item;
    MgSourceUnit *unit;
    MgSym key, path;
    MgSpan span;
    MG_VEC(struct MgArgument) attrs;
    MgMap members; // name -> MgInstanceMember *: parameters, child instances
    bool applied;
};
typedef struct MgArgument {
    MgSym name; // of an attribute; 0: it is positional
    MgVal val;
    MgSpan span;
    MgSym text; // its name in messages
} MgArgument;
typedef MG_VEC(MgArgument) MgArguments;

// The context in which an expression is evaluated.
typedef enum MgEvalMode {
    MG_M_STATIC, // attributes, shapes, conditions: `/` floors
    MG_M_TENSOR, // right side of a binding: operators are the library's
    MG_M_VALUE,  // inside an equation: `/` truncates
    MG_M_SUB,    // subscripts and ranges inside an equation: `/` floors, integers are i64
} MgEvalMode;
typedef struct MgCtx {
    MgEnv *env;
    MgEq *eq;
    MgEvalMode mode;
    int64_t pos;    // the component of a zip; -1 outside a zip
    MgSym hint;     // MG_M_TENSOR: a name for the value, or 0
    MgSym sugar;    // MG_M_TENSOR: the binding for which a call of a layer declares an instance
    bool condition; // of a compile-time `if`
} MgCtx;

typedef MG_VEC(MgValueId) MgValueIds;
// The next value of a parameter.
typedef struct MgUpdate {
    MgValueId param, next;
    MgSpan span;
} MgUpdate;

// A name that the user wrote and its value, for the observer.
typedef struct MgObserved {
    MgSpan name;
    MgVal val;
} MgObserved;

// ---------------------------------------------------------------- the graph being made
struct MgSema {
    MgSession *session;
    MgArena *arena;
    MgNames *names;
    MgLowerOptions options;
    MgModule *module;
    MgIxTable *ix;
    MgMap units;   // path or library name -> MgSourceUnit *
    MgMap prelude; // name -> 1 + number of the library's file that defines it
    MG_VEC(MgSourceUnit *) library;
    MG_VEC(MgSourceUnit *) open; // files that are being loaded, to find import cycles
    uint32_t n_statements, n_blocks, depth;
    uint64_t trips; // product of the trip counts of the enclosing `for`s inside the nearest `if`
    bool stopped;   // a limit was exceeded, so nothing more is done
    // The state of the graph.
    MgGraph *g;
    MgOpId first_op;                   // the first op of the body that is not a parameter
    MgMap params;                      // key -> value
    MgMap instance_keys;               // key -> MgLayerInstance * that a binding declared
    MG_VEC(MgOpenParam *) open_params; // those with `_` dimensions that are still open
    MG_VEC(MgUpdate) updates;          // at most one for each parameter
    MgMap derivatives;                 // "y along region" -> MgMap *: x -> its derivative
    MG_VEC(MgOpId) derived;            // the ops of derivatives
    MgOwns owns;                       // calls of ops that state derivatives of their own
    MgValueId training;                // the seed of `training seed`, or MG_NONE
    bool asks_training;                // the word `training` stands in the graph or its layers
    MgMap draws;                       // key of a layer -> number of its draws
    MgMap requires;                    // predicate -> 1
    MG_VEC(MgIx) facts;                // each is known to be >= 0
    MgIx unequal[2];                   // the names or numbers that mg_equate last refused to equate
    MG_VEC(MgIxSym) late;              // dims whose values are known only while the graph runs
    struct MgCounter *counters;
    MgEq *eq;       // the current equation, whose indices have names in messages
    MgMap messages; // text in braces -> MgAstExpr *
    MG_VEC(MgObserved) observed;
    MgMap recursive; // MgAstItem * -> 1: the cycle of calls that contains it was reported
    MgMap weights;   // (file, key) -> value of another graph, as the text of its type
};
// The trip number of a run-time loop, in [low, high).
typedef struct MgCounter {
    MgIxSym sym;
    MgIx low, high;
    bool bounded;
    struct MgCounter *outer;
} MgCounter;

// ---------------------------------------------------------------- sema_env.c: names and values
static inline MgVal mg_val_poison(void) {
    return (MgVal){.kind = MG_V_POISON};
}
static inline MgVal mg_val_ix(MgIx ix) {
    return (MgVal){.kind = MG_V_INT, .ix = ix};
}
static inline MgVal mg_val_bool(bool b) {
    return (MgVal){.kind = MG_V_BOOL, .b = b};
}
static inline MgVal mg_val_float(double f) {
    return (MgVal){.kind = MG_V_FLOAT, .f = f};
}
static inline MgVal mg_val_tensor(MgValueId v) {
    return (MgVal){.kind = MG_V_TENSOR, .tensor = v};
}
static inline MgVal mg_val_sx(const MgSx *sx) {
    return (MgVal){.kind = MG_V_SCALAR, .sx = sx};
}
static inline MgVal mg_val_list(MgVal *list, uint32_t n) {
    return (MgVal){.kind = MG_V_LIST, .list = list, .n = n};
}
MgEnv *mg_env_new(MgSema *s, MgEnv *caller);
MgBinding *mg_env_find_here(MgEnv *env, MgSym name);
MgBinding *mg_env_find(MgEnv *env, MgSym name); // outer scopes included; NULL if there is none
// Binds or rebinds a name. NULL after reporting a second definition in the same block.
MgBinding *mg_env_bind(MgEnv *env, MgSym name, MgVal val, MgSpan span);
MgOriginId mg_env_origin(MgEnv *env, MgSpan span);
MgSym mg_env_hint(MgEnv *env, MgSym name);  // the name that a binding should have in the graph
MgSym mg_env_local(MgEnv *env, MgSym name); // the same, made unique
bool mg_env_is_broadcast(MgEnv *env, MgSym pack);
// sema_observe.c: records the value of a name in the user's text, which is reported when the graph
// is complete.
void mg_observe(MgEnv *env, MgSpan name, MgVal val);
void mg_observe_tell(MgSema *s);
// Adds notes that lead from an error in a body to the calls that instantiated it.
void mg_env_note_calls(MgEnv *env, MgSpan span);
MgSpan mg_env_blame(MgEnv *env, MgSpan span);
const char *mg_sym_text(MgSema *s, MgSym sym);
const char *mg_ix_text(MgSema *s, MgIx x);
const char *mg_shape_text(MgSema *s, uint32_t rank, const MgIx *shape);
// The same for the message of a requirement: sizes are {formulas}, filled in when it is shown.
const char *mg_shape_of_run(MgSema *s, uint32_t rank, const MgIx *shape);
const char *mg_val_text(MgSema *s, const MgVal *v); // "f32[B, 10]", "3", "a list"
// The text of a read of one element of a tensor: "x[]", "x[i, j]".
const char *mg_element_text(MgSema *s, MgSym name, const MgVal *v);
bool mg_val_const_int(MgSema *s, const MgVal *v, int64_t *out);
// Has arithmetic just lost the integer expression v (MG_IX_ERROR)? Each operation that loses one
// reports it by mg_lost and continues with poison; elsewhere MG_IX_ERROR means "not known yet".
bool mg_is_lost(const MgVal *v);
void mg_lost(MgEnv *env, MgSpan span, const char *what);
// Reports diagnostic `id` at span, with notes about the calls that instantiated the body. A mistake
// that shows up in a body of the library is reported at the library's call, with a note at span.
#define MG_FAIL(env, span, id, ...)                                                                \
    (mg_diag((env)->s->session, mg_env_blame(env, span), MG_D_##id, __VA_ARGS__),                  \
     mg_env_note_calls(env, span))
typedef MG_VEC(MgSym) MgSymList;

// ---------------------------------------------------------------- sema_eval.c: expressions
MgVal mg_eval(MgCtx *c, const MgAstExpr *e);
MgVal mg_eval_static(MgEnv *env, const MgAstExpr *e);
MgVal mg_eval_int(MgCtx *c, const MgAstExpr *e, const char *what); // MG_V_INT or MG_V_POISON
bool mg_eval_const(MgCtx *c, const MgAstExpr *e, const char *what, int64_t *out);
// Does every name that e mentions have a value?
bool mg_known(MgCtx *c, const MgAstExpr *e);
void mg_ast_names(const MgAstExpr *e, void (*see)(void *ctx, const MgAstExpr *name), void *ctx);
MgVal mg_list_of(MgCtx *c, const MgAstExpr *e);
bool mg_eval_range(MgCtx *c, const MgAstRange *r, MgIx *low, MgIx *high);
MgVal mg_named(MgCtx *c, MgSym name, MgSpan span);

// ---------------------------------------------------------------- sema_scalar.c: typed arithmetic
MgVal mg_arith(MgCtx *c, MgSpan span, MgPrim prim, MgVal a, MgVal b);
MgVal mg_apply_prim(MgCtx *c, MgSpan span, MgPrim prim, MgVal *args, uint32_t n);
MgVal mg_convert(MgCtx *c, MgSpan span, MgVal v, MgDType to, MgPrim how);
// v as an expression of dtype. NULL after a diagnostic.
const MgSx *mg_adopt(MgCtx *c, MgSpan span, MgVal v, MgDType dtype);
// The same, as i64, f32 or bool if v has no type.
const MgSx *mg_default_type(MgCtx *c, MgSpan span, MgVal v);
bool mg_is_scalar(const MgVal *v); // a number, bool or scalar expression
MgDType mg_compute(MgDType d);

// ---------------------------------------------------------------- sema_dims.c: shapes
typedef struct MgLayout {
    uint32_t *first, *count; // of each entry: axes[first .. first + count)
    uint32_t *axes;
} MgLayout;
#define MG_UNKNOWN_LENGTH UINT32_MAX
enum { MG_MAX_RANK = 16 };
// The number of axes that an entry covers, or MG_UNKNOWN_LENGTH. place_rank: the rank to which
// places refer.
uint32_t mg_entry_length(MgCtx *c, const MgAstSub *sub);
// Finds the axes of a shape of `rank` that each entry covers. False if the lengths don't determine
// them (*failed is false), or after a diagnostic (*failed is true).
bool mg_layout(MgCtx *c, const MgAstSubs *subs, uint32_t rank, MgSpan span, MgLayout *out,
               bool *failed);
uint32_t mg_entries_rank(MgCtx *c, const MgAstSubs *subs); // or MG_UNKNOWN_LENGTH
// Evaluates a declared shape whose names are known (if `fresh`, new names become dimensions). False
// after a diagnostic.
typedef struct MgShape {
    uint32_t rank;
    MgIx *dims; // MG_IX_ERROR if open (`_`), only if allow_open
    MgFactors *factors;
    MgIxSym some;    // the dimension that `some` introduced, else 0
    MgIx some_bound; // and its upper bound
} MgShape;
typedef enum MgShapeMode {
    MG_SHAPE_CLOSED,
    MG_SHAPE_OPEN,
    MG_SHAPE_FRESH,
    MG_SHAPE_SOME
} MgShapeMode;
bool mg_shape_of(MgCtx *c, const MgAstSubs *subs, MgShapeMode mode, MgSpan span, MgShape *out);
// Can memory of this shape be addressed, as far as its dimensions are known? If not, reports that.
bool mg_shape_fits(MgEnv *env, MgSpan span, uint32_t rank, const MgIx *dims);
// Solves a declared shape for an actual one. Returns 1 if it is solved, 0 if it can't be solved
// yet, -1 if it failed.
int mg_unify(MgCtx *c, const MgAstSubs *decl, uint32_t rank, const MgIx *shape, MgSym from,
             MgSpan span, MgSpan decl_span);
bool mg_element_type(MgEnv *env, const MgAstName *name, MgDType *out); // false after a diagnostic
MgDType mg_element_type_quiet(MgEnv *env, MgSym name); // MG_DTYPE_COUNT if there is none
// Joins a list of dimensions into a pack of the broadcast clause.
bool mg_join_list(MgCtx *c, MgSym pack, MgVal list, MgSpan span, MgSym from);

// ---------------------------------------------------------------- sema_facts.c: proofs
bool mg_is_blank(MgSema *s, const MgAstExpr *e); // `_`
// For `B <= 64` or `1 <= N`: returns the name and its bounds. NULL if e is not a bound.
const MgAstExpr *mg_dim_bound(MgCtx *c, const MgAstExpr *e, int64_t *low, int64_t *high);
MgProof mg_prove(MgSema *s, MgIx nonnegative, const MgIxRanges *ranges);
// Drops the `else` of reads that the graph's requirements, including later ones, prove to be
// inside. Printing the graph and reading it again has the same effect.
void mg_prove_reads(MgSema *s);
MgProof mg_same(MgSema *s, MgIx a, MgIx b);
bool mg_simple_dim(MgSema *s, MgIx a);
// Makes a == b hold: it is proved or required. False, without a diagnostic, if it is refuted.
bool mg_equate(MgEnv *env, MgSpan span, MgIx a, MgIx b);
// The same. *made is the new requirement, which has no message yet, or NULL. It is valid until the
// next one is made.
bool mg_equate_or_require(MgEnv *env, MgSpan span, MgIx a, MgIx b, MgRequire **made);
MgVal mg_compare_ix(MgSema *s, MgPrim prim, MgIx a, MgIx b);
MgVal mg_pred_and(MgSema *s, MgVal a, MgVal b);
MgVal mg_pred_or(MgSema *s, MgVal a, MgVal b);
MgVal mg_pred_not(MgSema *s, MgVal a);
void mg_assume(MgSema *s, MgIx nonnegative);
// Proves or records the requirement. False after a diagnostic if it is refuted. message: as
// written, or 0.
bool mg_require(MgEnv *env, MgSpan span, const MgVal *pred, MgSym message);
// The predicate without those operands of its minima that are proved.
MgIx mg_unproved(MgSema *s, MgIx p);
// Records it without a proof. Returns it if it is new; it is valid until the next one is made.
MgRequire *mg_record_require(MgEnv *env, MgSpan span, MgIx nonnegative, MgSym message);

// ---------------------------------------------------------------- sema_equation.c
// e without the terms and factors of absent operands: `+ (bias[m] else 0)`, `* (weight[m] else 1)`.
const MgAstExpr *mg_strip_absent(MgEnv *env, const MgAstExpr *e);
void mg_equation(MgEnv *env, const MgAstStmt *st);
MgVal mg_finish_pieces(MgPieces *p);
MgVal mg_eval_read(MgCtx *c, const MgAstExpr *e);
MgVal mg_eval_reduce(MgCtx *c, const MgAstExpr *e);
bool mg_eq_index(MgCtx *c, MgSym name, MgSpan span, MgVal *out); // is it an index in scope?
uint32_t mg_eq_pack_length(MgEq *eq, MgSym name, bool *is_index);
const MgIxRanges *mg_eq_ranges(MgEq *eq);
const char *mg_eq_index_name(void *sema, uint32_t position); // for mg_ix_print
void *mg_eq_hide(MgEq *eq); // hides the indices from an inlined body
void mg_eq_show(MgEq *eq, void *hidden);
// A rank-0 tensor with the value of v, for places that need a tensor.
MgValueId mg_materialise(MgEnv *env, MgVal v, MgDType dtype, MgSym hint, MgSpan span);

// Adds the equation name[] = e, where e is an expression over elements.
MgValueId mg_scalar_equation(MgEnv *env, const MgAstExpr *e, MgSym name, MgDType dtype);

// ---------------------------------------------------------------- sema_call.c
typedef struct MgCallee {
    const MgAstItem *item;
    MgSourceUnit *unit;
    MgLayerInstance *instance;
} MgCallee;
// Instantiates an item and returns the number of its results. results has n_hints places; after an
// error they are filled with poison.
uint32_t mg_call(MgCtx *c, const MgCallee *callee, const MgArguments *args, MgSpan span,
                 const MgSym *hints, uint32_t n_hints, MgVal *results);
// Checks that an instance's attributes exist, each once and of the right kind.
bool mg_check_attributes(MgEnv *env, const MgCallee *callee, const MgArguments *attrs, MgSpan span);
bool mg_find_item(MgEnv *env, MgSym name, MgCallee *out);
// Evaluates the arguments of a call of item. Operands become tensors, and attributes values known
// at compile time.
void mg_eval_args(MgCtx *c, const MgAstItem *item, const MgAstArgs *args, MgArguments *out);
// The optional operand of this name, which may also be given by name; NULL if there is none.
const MgAstParam *mg_operand_named(const MgAstItem *item, MgSym name);
MgVal mg_eval_call(MgCtx *c, const MgAstExpr *e);
uint32_t mg_eval_call_many(MgCtx *c, const MgAstExpr *e, const MgSym *hints, uint32_t n,
                           MgVal *results);
// exprs: the operands' expressions, for messages.
MgVal mg_call_std(MgCtx *c, MgSpan span, const char *name, MgVal *args,
                  const MgAstExpr *const *exprs, uint32_t n);
const MgAstResult *mg_result_of(MgEnv *env, MgSym name);
// Does result i have the name of an earlier one? If so, reports that.
bool mg_result_twice(MgEnv *env, const MgAstItem *item, uint32_t i);

// ---------------------------------------------------------------- sema_builtin.c
uint32_t mg_call_builtin(MgEnv *env, const MgArguments *variadic, MgSpan span, uint32_t n_results,
                         MgVal *results);

// ---------------------------------------------------------------- sema_derivative.c
// derivative(y, x) or derivative(y, x, along = g): appends the equations of the derivative.
uint32_t mg_lower_derivative(MgEnv *env, const MgArguments *variadic, MgSpan span, MgVal *results);

// ---------------------------------------------------------------- sema_least.c
// Can the graph's body stay within the limit on statements? False after a diagnostic.
bool mg_least_fits(MgSema *s, MgSourceUnit *unit, const MgAstItem *graph);

// ---------------------------------------------------------------- sema_layer.c
void mg_param_stmt(MgEnv *env, const MgAstStmt *st);
MgLayerInstance *mg_instance_for(MgEnv *env, MgSym name, const MgCallee *callee,
                                 const MgArguments *attrs, MgSpan span);
MgVal mg_instance_member(MgEnv *env, MgLayerInstance *in, const char *path, MgSpan span,
                         MgSym whole);
bool mg_close_param(MgEnv *env, MgVal *v, const MgIx *shape); // gives `_` dims their values

MgSym mg_env_key(MgEnv *env); // of the layer whose body it is; 0 in a graph
// Appends the parameters of an instance and of its layers, in order of declaration, without
// buffers.
// sema_initial.c: a parameter's initial value by a call of an op, `= random_normal(scale = 0.02)`.
// Does the expression call an op whose only operand, if any, is a seed?
bool mg_is_initial_call(MgEnv *env, const MgAstExpr *e);
// Evaluates the attributes of the call, for a parameter of this name. NULL after a diagnostic.
struct MgInitial *mg_initial_call(MgEnv *env, MgSym param, const MgAstExpr *e);
// The graph that computes the value, now that the shape is known. NULL after a diagnostic.
MgGraph *mg_initial_graph(MgSema *s, const MgOpenParam *p);

void mg_params_of(MgEnv *env, MgLayerInstance *in, MgSpan span, MgVals *params);

// sema_own.c: derivatives that ops state. The first checks an item against its op and adds it to
// the unit. The second records a call of such an op, whose values begin at `first`.
void mg_declare_own(MgSema *s, MgSourceUnit *u, const MgAstItem *derivative);
void mg_note_own(MgEnv *call, uint32_t first, uint32_t n_results, MgVal *results);
bool mg_apply_own(void *ctx, const MgOwn *own, MgRegionId region, const MgValueId *adjoints,
                  MgValueId *shares);
// sema_stated.c: adds derivatives to the outputs, if options.stated asks for them.
void mg_add_stated(MgEnv *graph);
// sema_derivative.c: erases equations of derivatives that nothing uses.
void mg_drop_unasked(MgSema *s);

// ---------------------------------------------------------------- sema_update.c
void mg_next_param(MgEnv *env, const MgAstCarry *x);
void mg_update_params(MgSema *s); // once the graph is complete
// The part of names that stands for the element of a compile-time loop: the path of a parameter or
// instance.
MgVal mg_counter_of(MgSema *s, MgVal v);

// ---------------------------------------------------------------- sema_stmt.c, sema_control.c
void mg_block(MgEnv *env, const MgAstBlock *block);
void mg_stmt(MgEnv *env, const MgAstStmt *st);
void mg_bind_result(MgEnv *env, const MgAstTarget *t, MgVal v);
// Reports that a call gives a different number of values than there are names. callee is 0 for an
// expression that calls nothing.
void mg_result_count(MgEnv *env, MgSpan span, MgSym callee, uint32_t values, uint32_t names);
void mg_loop_stmt(MgEnv *env, const MgAstStmt *st);
// The value of e as a tensor; a number gets type `dtype`. 0 after a diagnostic.
MgValueId mg_tensor_of(MgEnv *env, const MgAstExpr *e, MgSym hint, MgDType dtype);
void mg_if_value_stmt(MgEnv *env, const MgAstStmt *st);
void mg_fused_stmt(MgEnv *env, const MgAstStmt *st);
void mg_dim_stmt(MgEnv *env, const MgAstStmt *st);
MgSym mg_free_dim_name(MgSema *s, MgSym base); // base, base_2, …
bool mg_dim_named(MgSema *s, MgSym name); // does a dimension or value of the graph have the name?
MgSym mg_interpolate(MgEnv *env, MgSym text); // replaces {names and formulas} by their values
bool mg_const_stmt(MgEnv *env, const MgAstStmt *st);
void mg_annotate(MgEnv *env, const MgAstStmt *st, MgOpId op);
MgOriginId mg_stmt_origin(MgEnv *env, const MgAstStmt *st);
// The origin that #at(…) gives; 0 if there is none.
MgOriginId mg_origin_by_at(MgSema *s, const MgAstAnnots *annots);

// ---------------------------------------------------------------- sema_module.c
MgSema *mg_sema_new(MgSession *session, const MgLowerOptions *options);
// Loads what the file of one graph needs, and makes the environment of its body before the first
// statement. NULL after a diagnostic.
MgEnv *mg_sema_open(MgSema *s, const MgAstFile *file);
MgSourceUnit *mg_unit_library(MgSema *s, const char *name);        // NULL if there is none
MgSourceUnit *mg_unit_new(MgSema *s, MgAstFile *file, MgSym name); // without items
void mg_load_imports(MgSema *s, MgSourceUnit *u);
void mg_list_prelude(MgSema *s);
const MgAstItem *mg_unit_item(MgSema *s, MgSourceUnit *u, MgSym name); // NULL if it defines none
// The library's unit that defines name and needs no import; NULL if there is none.
MgSourceUnit *mg_unit_prelude(MgSema *s, MgSym name);
const MgAstExpr *mg_message_expr(MgSema *s, MgSym text); // NULL if it is not an expression
MgSourceUnit *mg_unit_import(MgSema *s, MgSourceUnit *from, const MgAstImport *import);

#endif
