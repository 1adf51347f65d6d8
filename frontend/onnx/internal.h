// Declarations that the files of the ONNX front end share. onnx.h says what it does.
//
// A row of a table (ops_*.def) translates a node: it has a template of MG text, or a small function
// that chooses one. The statement is lowered at once in a scope of sema, which gives the type of
// the result, so no shape rule is written twice. Small integers (results of Shape, values computed
// from them, and small constants) are known values: expressions over dimensions. They become
// attributes, and appear in the text as tensors only if something needs a tensor.
#ifndef MG_FRONTEND_ONNX_INTERNAL_H
#define MG_FRONTEND_ONNX_INTERNAL_H

#include "frontend/onnx/onnx.h"
#include "frontend/onnx/onnx.pb-c.h"
#include "frontend/sema_scope.h"

// One element of a known value: an integer expression over dimensions, or a float.
typedef struct MgOnnxNumber {
    bool real;
    union {
        MgIx ix;
        double f;
    };
} MgOnnxNumber;

enum { MG_ONNX_MAX_KNOWN = 4096 }; // elements of a known value
enum { MG_ONNX_MOST = 4096 };      // bound of a size that data decide, if nothing else bounds it

typedef enum MgOnnxKind { MG_ONNX_TENSOR, MG_ONNX_SEQUENCE, MG_ONNX_OPTIONAL } MgOnnxKind;

typedef struct MgOnnxValue MgOnnxValue;
struct MgOnnxValue {
    MgSym name; // its name in the text; 0 if it has not been written yet
    MgScopeType type;
    uint32_t n_known;
    const MgOnnxNumber *known;   // or NULL
    const MgSafetensor *data;    // data of an initialiser or constant, or NULL
    uint32_t narrow;             // ONNX's number of a type that `type` only represents, or 0
    bool poison;                 // an error was reported
    bool is_input;               // an input of the model; if it has data, the caller gave them
    struct MgOnnxNode *moved_by; // a node that only moves the elements of its inputs here, or NULL
    // Sequences and optionals (of at most one element) have only these fields: lists.c.
    MgOnnxKind kind;
    uint32_t n_elements;
    MgOnnxValue **elements;
};

// The values of a graph, of a subgraph inside it, or of a function's body.
typedef struct MgOnnxFrame MgOnnxFrame;
struct MgOnnxFrame {
    MgOnnxFrame *outer;          // the frame whose values a subgraph sees; NULL for a function
    MgMap values;                // MgSym of the model's name -> MgOnnxValue *
    MgMap ports;                 // MgSym of the model's name -> MgSym that the text must use
    const Onnx__NodeProto *call; // of a function: the call that has the attributes to which its
                                 // nodes may refer,
    MgOnnxFrame *caller;         // and the frame of that call
    const Onnx__FunctionProto *function;
    uint32_t depth;
};

// How much of the given tensors is used. The import uses no more than it needs to translate the
// model.
typedef enum MgOnnxUse {
    MG_ONNX_USE_RANKS, // the shapes of inputs whose rank the model leaves open or contradicts
    MG_ONNX_USE_NOTHING,
    MG_ONNX_USE_SHAPES, // the sizes of all inputs
    MG_ONNX_USE_VALUES, // also the elements of small inputs, since they may decide shapes
    MG_ONNX_USE_BOUNDS, // nothing; sizes that data decide are bounded by MG_ONNX_MOST
    MG_ONNX_USES
} MgOnnxUse;

typedef struct MgOnnxUnknown {
    const char *op, *first; // "Einsum of opset 17", the first node's name
    uint32_t nodes;
    bool defined; // ONNX defines it; op says why MG refuses it
} MgOnnxUnknown;

// The ranks of sizes that must be equal: the size of higher rank replaces the other. These are the
// ranks of an input dimension's name and of a number.
enum { MG_ONNX_DIM_OURS = 1, MG_ONNX_DIM_NAMED, MG_ONNX_DIM_RANKS };

// Sizes that must be equal, as previous attempts found: equal.c.
typedef struct MgOnnxEqual {
    MgMap of; // MgSym of a dimension -> the size that replaces it
    bool grew;
    bool may; // sizes may be made equal; otherwise `grew` only says that it would help
} MgOnnxEqual;

typedef struct MgOnnx {
    MgSession *session;
    MgArena *arena;
    MgNames *names;
    MgFileBytes file;
    const Onnx__ModelProto *model;
    MgSemaScope *scope;
    MgIxTable *ix;
    MgMap dim_sizes;   // MgSym of an input's dimension -> 1 + the size that the caller gives it
    MgMap used;        // names that the text uses
    MgMap keys;        // names that weights use
    MgMap rows;        // operator's name -> row and next
    MgMap functions;   // MgSym of domain, name and overload -> 1 + its number
    MgMap narrow;      // MgSafetensor * -> ONNX's number of its type, if MG's type only represents
                       // it
    MgMap uses;        // names that a node or graph reads
    MgMap makers;      // MgSym of the text -> label of the node whose statement binds it
    MgMap files;       // external data: path -> MgFileBytes *
    MgMap lists;       // inputs that are not tensors: name -> MgOnnxValue *
    MgText head;       // parameters and constants
    MgText *out;       // statements of the body being translated
    uint32_t n_nodes;  // translated so far
    uint32_t n_rounds; // rounds of unrolled loops so far
    const char *part;  // the part of the model that the last node's name states
    MgSafetensors weights;
    MG_VEC(MgOnnxUnknown) unknown; // operators that are not known, for one message
    MgMap unknown_at;              // op -> its index there
    const MgGiven *given;
    uint32_t n_given;
    MG_VEC(MgFixedInput) fixed;
    MgMap sizes; // name of a dimension -> 1 + its given size, or SIZES_DIFFER
    MgMap dims;  // of inputs: MgSym of the text -> MG_ONNX_DIM_
    MgOnnxEqual *equal;
    MgOnnxUse use;
    bool use_odd_names; // dimension names that are not identifiers count as names, too
    bool odd_names;     // there are such names
    bool take_else;     // of two branches that can't be joined, the second is used
    bool took_branch;   // there are such branches
    bool keep_axes;     // no open axis is assumed to have a size of 1 that Expand would repeat
    bool stretched;     // there are axes that may have such a size
    bool may_agree;     // the run may check that a size that it decides equals another
    bool disagreed;     // there are such sizes
    bool uses_module;   // the text calls operators of lang/std/onnx.mg
    bool uses_axes;     // the text calls operators of lang/std/onnx_axes.mg
} MgOnnx;

typedef struct MgOnnxNode MgOnnxNode;
typedef struct MgOnnxRow {
    const char *domain, *name;
    int64_t since; // the first opset with this meaning; a later row of the same name replaces it
    bool (*translate)(MgOnnxNode *n, const char *text); // NULL: text is a template
    const char *text;
} MgOnnxRow;

struct MgOnnxNode {
    MgOnnx *t;
    MgOnnxFrame *frame;
    const Onnx__NodeProto *proto;
    const MgOnnxRow *row;
    int64_t opset; // of the node's domain
    uint32_t n_inputs, n_outputs;
    MgOnnxValue **inputs; // NULL: omitted
    MgOnnxValue **outputs;
    const char *label; // "model.onnx: node 'c1' (Conv)"
    // For bounds of its numbers that the run decides: the product of the elements that the numbers
    // multiply, and a limit that no number can exceed; 0: neither.
    double around;
    int64_t most;
    bool failed;
    bool refused; // the library refused its last statement
};

// ---------------------------------------------------------------- node.c
// The input, or NULL if it is omitted.
MgOnnxValue *mg_onnx_input(const MgOnnxNode *n, uint32_t k);
bool mg_onnx_wants(const MgOnnxNode *n, uint32_t k); // whether output k is used
// Reports an error if one of the first `count` inputs is omitted.
bool mg_onnx_takes(MgOnnxNode *n, uint32_t count);
// Attributes: the value, or `otherwise` if it is absent. An attribute of another type is an error.
bool mg_onnx_has(MgOnnxNode *n, const char *name);
int64_t mg_onnx_int(MgOnnxNode *n, const char *name, int64_t otherwise);
double mg_onnx_float(MgOnnxNode *n, const char *name, double otherwise);
const char *mg_onnx_str(MgOnnxNode *n, const char *name, const char *otherwise);
// The same for an attribute whose value is one of several words, separated by blanks. Returns the
// first word if the attribute is absent, and after an error.
const char *mg_onnx_word(MgOnnxNode *n, const char *name, const char *words);
typedef struct MgOnnxInts {
    bool given;
    uint32_t n;
    const int64_t *at;
} MgOnnxInts;
MgOnnxInts mg_onnx_ints(MgOnnxNode *n, const char *name);
typedef struct MgOnnxFloats {
    bool given;
    uint32_t n;
    const float *at;
} MgOnnxFloats;
MgOnnxFloats mg_onnx_floats(MgOnnxNode *n, const char *name);
// The number of strings in the attribute, and one of them.
uint32_t mg_onnx_n_strs(MgOnnxNode *n, const char *name);
const char *mg_onnx_str_at(MgOnnxNode *n, const char *name, uint32_t k);
const Onnx__AttributeProto *mg_onnx_attribute(MgOnnxNode *n, const char *name);
// Input k as known numbers. False if it is absent; false after an error if it is not known.
bool mg_onnx_known(MgOnnxNode *n, uint32_t k, const MgOnnxNumber **numbers, uint32_t *count);
// A list of expressions over dimensions: an attribute in older opsets, input k in newer ones.
// `given` is false if there is neither.
typedef struct MgOnnxSizes {
    bool given;
    uint32_t n;
    const MgIx *at;
} MgOnnxSizes;
MgOnnxSizes mg_onnx_sizes(MgOnnxNode *n, const char *attribute, uint32_t k);
// The same for plain numbers.
MgOnnxInts mg_onnx_axes(MgOnnxNode *n, const char *attribute, uint32_t k);
bool mg_onnx_const(const MgOnnxNode *n, MgIx x, int64_t *value);
// Counts the axis from the front and checks it against the rank. False after an error.
bool mg_onnx_axis(MgOnnxNode *n, int64_t *axis, uint32_t rank);
// Does a slice continue to the first element? As in ONNX Runtime, it does if its step is negative
// and its end is the largest i32 or i64; ONNX's text would clamp that end to the last element.
bool mg_onnx_is_open_end(int64_t end, int64_t step);
// Reports an error. Both return false.
bool mg_onnx_fail(MgOnnxNode *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mg_onnx_unsupported(MgOnnxNode *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------- emit.c: writing statements
// Text in the arena: printf, and lists in MG's syntax.
#define mg_onnx_text(n, ...) mg_arena_printf((n)->t->arena, __VA_ARGS__)
const char *mg_onnx_ix(const MgOnnxNode *n, MgIx x);
const char *mg_onnx_list(const MgOnnxNode *n, const int64_t *at, uint32_t count);
const char *mg_onnx_ix_list(const MgOnnxNode *n, const MgIx *at, uint32_t count);
// The value's name in the text. A value that isn't in the text yet is written first.
const char *mg_onnx_operand(MgOnnxNode *n, MgOnnxValue *v);
// The same, but a single number of the model becomes a literal.
const char *mg_onnx_literal(MgOnnxNode *n, MgOnnxValue *v);
// Input k means one number, but some models give a tensor with one element. This turns it into that
// number. False after an error.
bool mg_onnx_scalar(MgOnnxNode *n, uint32_t k);
// Output k becomes the expanded template (template.c).
bool mg_onnx_give(MgOnnxNode *n, uint32_t k, const char *template);
// Outputs 0 to results - 1 become the results of this expression.
bool mg_onnx_give_all(MgOnnxNode *n, uint32_t results, const char *template);
// The same from output `first` on.
bool mg_onnx_give_from(MgOnnxNode *n, uint32_t first, uint32_t results, const char *template);
// These outputs become the results of an expression, which is not a template; -1 skips a result.
// values, unless it is NULL, receives the bound values.
bool mg_onnx_give_as(MgOnnxNode *n, const int32_t *outputs, uint32_t count, const char *expression,
                     MgOnnxValue **values);
// Binds a local value, named after `hint`. NULL after an error.
MgOnnxValue *mg_onnx_let(MgOnnxNode *n, const char *hint, const char *template);
// Output k becomes this value, under its name.
bool mg_onnx_same(MgOnnxNode *n, uint32_t k, MgOnnxValue *v);
// Output k becomes these known numbers.
bool mg_onnx_give_known(MgOnnxNode *n, uint32_t k, MgDType dtype, uint32_t rank, const MgIx *shape,
                        const MgOnnxNumber *numbers, uint32_t count);
// Adds whole statements as they are. Their local names come from mg_onnx_fresh.
bool mg_onnx_say(MgOnnxNode *n, const char *statements);
// The same for a template.
bool mg_onnx_say_template(MgOnnxNode *n, const char *template);
// Binds output k to a name that statements have bound.
bool mg_onnx_bind(MgOnnxNode *n, uint32_t k, MgSym name);
MgSym mg_onnx_output_name(MgOnnxNode *n, uint32_t k, const char *suffix);

// ---------------------------------------------------------------- template.c
// Templates of MG text:
//   $0    input 0               $0?  input 0; if it is absent, `none`, or nothing with the comma
//                                    before it if no later input is given
//   $0~   input 0, as a literal if it is one number
//   $0!   input 0, unless it is known to hold zeros alone
//   $0:one  input 0, which means one number, of whatever rank
//   $*    all inputs            $*:add  all of them, combined two at a time
//   $n    their number          $seed   the node's seed
//   #1    the numbers that input 1 is known to hold, a list     #1:one  its only number
//         #1:int  the same as an integer     #1:times  numbers that multiply input 0's elements
//         #1:early, #1:early:one  the same, if the run doesn't decide them; else it's
//         an error, or g(…) is tried
//   @a    attribute a, written as its type is; @a:bool a number as true or false, @a:word a word in
//         lower case, @a:str as it is, @a:type an element type, @a:each a list of equal numbers as
//         that number
//   @a=1  1 if a is absent      @a#1, @a#1:one  input 1 if a is absent
//   $1:late  absent unless it is the last attempt, in which the run may decide input 1
//   #1:known, $1:like  absent unless input 1 is one known integer; a float of input 0's type
//   {, b = @a}     nothing if what it asks for is absent
//   {, b = @a!=1}  nothing if a is absent or 1, or a list of 1
//   f(…) || g(…)   g(…) if what f(…) asks for is absent
const char *mg_onnx_expand(MgOnnxNode *n, const char *template);
// Translates a node by its row's template:
//   f(…)           output 0                   $0  output 0 is input 0 itself
//   f(…) |2| g(…)  if more than output 0 is used, the outputs are g's 2 results
//   |2| g(…)       always
//   |wide| f(…)    the inputs broadcast, also where the run decides whether a size is 1
//   |each| f($0, $1, $each)  a call for each of several tensors, whose inputs follow the first two
bool mg_onnx_by_template(MgOnnxNode *n, const char *template);
// The seed of a node that draws random numbers, as text.
const char *mg_onnx_seed(MgOnnxNode *n);

// ---------------------------------------------------------------- names.c
// A name that the text does not use, made from the model's name.
MgSym mg_onnx_fresh(MgOnnx *t, const char *wanted, const char *otherwise);
// The same for a weight: its key, if that is a path of words and not used.
MgSym mg_onnx_weight_name(MgOnnx *t, const char *key, const char *otherwise);
void mg_onnx_reserve(MgOnnx *t, MgSym name);
const char *mg_onnx_spelled(MgOnnx *t, MgSym name); // with backticks if it needs them

// ---------------------------------------------------------------- late.c
// The larger and the smaller of two sizes. Each is simply one of them if the scope can prove which.
MgIx mg_onnx_larger(MgOnnxNode *n, MgIx a, MgIx b);
MgIx mg_onnx_smaller(MgOnnxNode *n, MgIx a, MgIx b);
// Turns `value`, a scalar expression of i64, into a size from 0 to `most`, named after `hint`. The
// run fails if it lies outside. MG_IX_ERROR after an error.
MgIx mg_onnx_late(MgOnnxNode *n, const char *hint, const char *value, MgIx most);
// One of two sizes, chosen by a condition that is a scalar expression.
MgIx mg_onnx_late_between(MgOnnxNode *n, const char *condition, MgIx yes, MgIx no);
// The name of a rank-0 tensor that holds a size.
const char *mg_onnx_size_value(MgOnnxNode *n, MgIx size);
// Turns input k, integers that the run decides, into known numbers, if this attempt allows that.
bool mg_onnx_late_numbers(MgOnnxNode *n, uint32_t k);
// Broadcasts the inputs of a node. If the run decides a size, the input is stretched to the size of
// the others, and the run checks that this is possible. False after an error.
bool mg_onnx_stretch(MgOnnxNode *n);
// Call it after the library refused a statement of the node. If the reason was that a size that the
// run decides has to equal another, gives the inputs that size, which the run checks. Returns true
// if the node may be translated again.
bool mg_onnx_agree(MgOnnxNode *n, MgOnnxValue **inputs);
// Is there an input k whose numbers only the run knows?
bool mg_onnx_by_run(const MgOnnxNode *n, uint32_t k);
// Entry k of a list, if it is known; the others may be unknown.
bool mg_onnx_entry(const MgOnnxNode *n, MgOnnxValue *v, uint32_t k, MgOnnxNumber *number);
// The bound of `count` sizes that nothing else bounds, each larger than least[i] (NULL: 0), such
// that a tensor of them and `elements` has a size that memory can be planned for. An open size
// counts as 64.
int64_t mg_onnx_room(const MgOnnxNode *n, double elements, const MgIx *least, uint32_t count);
double mg_onnx_elements(const MgOnnxNode *n, const MgScopeType *type);
// A copy of n that outlives it.
MgOnnxNode *mg_onnx_kept(const MgOnnxNode *n);

// ---------------------------------------------------------------- branches.c
// The results of an If's branch: n tensors, and the statements that compute them.
typedef struct MgOnnxBranch {
    uint32_t n;
    MgScopeType *types;
    const char **names;
    MgOnnxValue **values;
    const char *text;
} MgOnnxBranch;
// Joins two branches with the same number of values, of the same types and ranks, by the name of a
// condition. Value k becomes output outputs[k], unless that is -1.
bool mg_onnx_join(MgOnnxNode *n, const char *condition, MgOnnxBranch *then, MgOnnxBranch *otherwise,
                  const int32_t *outputs, MgOnnxValue **values);

// ---------------------------------------------------------------- lines.c
// Records that the node with this label made the statement.
void mg_onnx_made_by(MgOnnx *t, const char *statement, const char *label);
// The labels of a text's n lines; NULL for a line that belongs to no node. The text must be one
// that this front end wrote.
const char *const *mg_onnx_makers(MgOnnx *t, const char *text, size_t length, uint32_t *n);

// ---------------------------------------------------------------- tensor.c, known.c
bool mg_onnx_dtype(int64_t onnx, MgDType *dtype); // false if MG has no such type
// i8 and u8 represent integers of two and four bits; u8 represents floats of four bits, and those
// of eight that are no types of MG: op_narrow.c.
enum {
    MG_ONNX_F8E4M3FNUZ = 18,
    MG_ONNX_F8E5M2FNUZ = 20,
    MG_ONNX_U4,
    MG_ONNX_I4,
    MG_ONNX_F4E2M1,
    MG_ONNX_F8E8M0,
    MG_ONNX_U2,
    MG_ONNX_I2
};
bool mg_onnx_is_narrow(int64_t onnx);
bool mg_onnx_is_narrow_float(int64_t onnx);
bool mg_onnx_carrier(int64_t onnx, MgDType *dtype); // the type itself, or the type that represents
                                                    // it
const char *mg_onnx_dtype_name(int64_t onnx);
// The tensor in a field of the model. what: its name in messages; key: the name of its values, or
// NULL to take the name from the tensor. NULL after an error.
const MgSafetensor *mg_onnx_tensor(MgOnnx *t, ProtobufCBinaryData field, const char *what,
                                   const char *key);
MgOnnxValue *mg_onnx_constant(MgOnnx *t, const MgSafetensor *tensor);
// Computes a constant's shape, once a scope exists that can hold it.
void mg_onnx_settle(MgOnnx *t, MgOnnxValue *v);
MgOnnxValue *mg_onnx_number_value(MgOnnx *t, MgDType dtype, MgIx number); // one known number
bool mg_onnx_numbers(MgOnnx *t, MgOnnxValue *v); // makes a small constant known
// If the operator can be folded and all inputs are known, sets its outputs. False if not.
bool mg_onnx_fold(MgOnnxNode *n);
// Can the operator be folded, and does it only move elements?
bool mg_onnx_moves(const MgOnnxNode *n);

// ---------------------------------------------------------------- ports.c
// Writes the signature up to its results. Initialisers that are listed among the inputs are not
// inputs.
bool mg_onnx_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out);
// Do two inputs of a graph or body have the same name? If so, sets their indices.
bool mg_onnx_named_twice(MgOnnx *t, const Onnx__GraphProto *g, size_t *first, size_t *second);
// Makes the inputs' values, once the scope knows the signature.
bool mg_onnx_bind_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
// Writes the results with their types, as far as all sizes are known before the graph runs.
bool mg_onnx_outputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out);

// ---------------------------------------------------------------- equal.c
// Records the unequal sizes for which the last statement failed. Returns true if that was the
// reason and they may be assumed to be equal.
bool mg_onnx_note_unequal(MgOnnx *t);
// Gives the inputs of a node the sizes that are assumed to be equal.
void mg_onnx_take_equal(MgOnnxNode *n);
// Appends the dimension `name` of an input as the signature has it.
void mg_onnx_add_size(MgOnnx *t, MgSym name, MgText *out);

// ---------------------------------------------------------------- translate.c
// A string that the file may omit.
static inline const char *mg_onnx_or_empty(const char *text) {
    return text ? text : "";
}
MgOnnxFrame *mg_onnx_frame(MgOnnx *t, MgOnnxFrame *outer);
MgOnnxValue *mg_onnx_find(MgOnnxFrame *frame, MgSym name);
void mg_onnx_define(MgOnnx *t, MgOnnxFrame *frame, const char *name, MgOnnxValue *value);
// Translates initialisers, then nodes, each after those that it uses.
bool mg_onnx_graph(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
bool mg_onnx_initialisers(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
void mg_onnx_index_rows(MgOnnx *t); // call it before translating anything
// The model's function that the node calls; NULL if there is none.
const Onnx__FunctionProto *mg_onnx_function(const MgOnnx *t, const Onnx__NodeProto *p);
uint64_t mg_onnx_least_nodes(MgOnnx *t); // expand.c
// Writes the text of the whole model.
bool mg_onnx_translate(MgOnnx *t, const char *weights_file, MgText *out);
bool mg_onnx_error(MgOnnx *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------- import.c
// The tensor that the caller gives for the input at this position. NULL if it is not known.
const MgTensor *mg_onnx_given(const MgOnnx *t, const char *name, uint32_t place);
const MgGiven *mg_onnx_given_for(const MgOnnx *t, const char *name, uint32_t place);

// ---------------------------------------------------------------- op_narrow.c: narrow types
// Can the operator take its inputs? It is an error if one is narrow and the operator computes with
// it.
bool mg_onnx_takes_narrow(MgOnnxNode *n);
// The outputs of a node that only moves elements stay narrow.
void mg_onnx_keep_narrow(MgOnnxNode *n);
// Output 0 becomes input 0, converted to ONNX's type `to`.
bool mg_onnx_cast(MgOnnxNode *n, int64_t to);
// The expression x, of small integers, clamped to the narrow type's range.
const char *mg_onnx_clipped(const MgOnnxNode *n, const char *x, uint32_t narrow);
// The expression x of type `from` as the type `to`. A number that is too large for a float of eight
// bits becomes its largest, unless the node says otherwise.
const char *mg_onnx_rounded(MgOnnxNode *n, const char *x, MgDType from, MgDType to);
// The expression x, of f32, encoded as the narrow float, and back.
const char *mg_onnx_encoded(MgOnnxNode *n, const char *x, uint32_t narrow);
const char *mg_onnx_decoded(MgOnnxNode *n, const char *x, uint32_t narrow);

// ---------------------------------------------------------------- lists.c: sequences, optionals
MgOnnxValue *mg_onnx_list_of(MgOnnx *t, MgOnnxKind kind, MgOnnxValue *const *elements, uint32_t n);
const char *mg_onnx_kind_name(const MgOnnxValue *v); // "a sequence"
uint32_t mg_onnx_leaves(const MgOnnxValue *v);       // the tensors in it, nested ones included
// Appends v's tensors at leaves[*n]; and the inverse, which builds a value of v's structure from
// them.
void mg_onnx_flatten(MgOnnxValue *v, MgOnnxValue **leaves, uint32_t *n);
MgOnnxValue *mg_onnx_rebuild(MgOnnx *t, const MgOnnxValue *v, MgOnnxValue *const *leaves,
                             uint32_t *n);
bool mg_onnx_same_structure(const MgOnnxValue *a, const MgOnnxValue *b);
bool mg_onnx_has_lists(const MgOnnxNode *n); // among its inputs
// Can the operator take its inputs? It is an error if one is a list and the operator takes only
// tensors.
bool mg_onnx_takes_lists(MgOnnxNode *n);
MgOnnxKind mg_onnx_kind_of(const Onnx__TypeProto *type);                  // NULL: a tensor
const Onnx__TypeProto *mg_onnx_element_type(const Onnx__TypeProto *type); // NULL: unspecified
// Unrolls a Loop that carries lists: op_lists.c.
bool mg_onnx_unroll(MgOnnxNode *n, const Onnx__GraphProto *body);

// ---------------------------------------------------------------- op_control.c
// Translates the nodes of a graph inside node n as if they stood next to n. values: one for each
// input of g; results: one for each output. False after an error.
bool mg_onnx_inline(MgOnnxNode *n, const Onnx__GraphProto *g, MgOnnxValue *const *values,
                    MgOnnxValue **results);

// ---------------------------------------------------------------- rows
extern const MgOnnxRow mg_onnx_rows[]; // ends with a row without a name

// ---------------------------------------------------------------- schemas.c
// An operator that ONNX defines, whether it has a row or not.
typedef struct MgOnnxSchema {
    const char *domain, *name;
    const char *opsets;  // "1 6 13": the opsets in which its definition changed
    const char *refused; // what it needs and MG does not have; otherwise ""
} MgOnnxSchema;
extern const MgOnnxSchema mg_onnx_schemas[]; // ends with a row without a name
const MgOnnxSchema *mg_onnx_schema(const char *domain, const char *name); // NULL if there is none
int64_t mg_onnx_supported_from(const MgOnnxSchema *schema); // the first opset; 0: none

#endif
