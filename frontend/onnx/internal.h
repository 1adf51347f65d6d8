// What the files of the ONNX front end share. See onnx.h for what it does.
//
// A node is translated by its row in a table (ops_*.def): a template of MG text, or a small
// function that chooses one. The statement is lowered at once in a scope of sema's, which tells
// the type of the result. So no shape rule is written twice. Small integers (the results of Shape,
// what is computed from them, and small constants) are known values: expressions over dimensions.
// They become attributes, and stand in the text as tensors only if something needs them as
// tensors.
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
enum { MG_ONNX_MOST = 4096 };      // bound of a size that data decide, where nothing else bounds it

typedef enum MgOnnxKind { MG_ONNX_TENSOR, MG_ONNX_SEQUENCE, MG_ONNX_OPTIONAL } MgOnnxKind;

typedef struct MgOnnxValue MgOnnxValue;
struct MgOnnxValue {
    MgSym name; // in the text; 0 while it doesn't stand there
    MgScopeType type;
    uint32_t n_known;
    const MgOnnxNumber *known;   // or NULL
    const MgSafetensor *data;    // of an initialiser or constant, or NULL
    uint32_t narrow;             // ONNX's number of a type that `type` only carries, or 0
    bool poison;                 // an error was reported
    bool is_input;               // of the model: data, if there is any, was given for it
    struct MgOnnxNode *moved_by; // a node that only moves its inputs' elements here, or NULL
    // Of a sequence, or of an optional (none or one), which have nothing else: lists.c.
    MgOnnxKind kind;
    uint32_t n_elements;
    MgOnnxValue **elements;
};

// The values of one graph, of a subgraph inside it, or of a function's body.
typedef struct MgOnnxFrame MgOnnxFrame;
struct MgOnnxFrame {
    MgOnnxFrame *outer;          // whose values a subgraph sees; NULL for a function
    MgMap values;                // MgSym of the model's name -> MgOnnxValue *
    MgMap ports;                 // MgSym of the model's name -> MgSym that the text has to use
    const Onnx__NodeProto *call; // of a function: whose attributes its nodes may refer to,
    MgOnnxFrame *caller;         // in this frame
    const Onnx__FunctionProto *function;
    uint32_t depth;
};

// How much of the given tensors is used: the least with which the model can be translated.
typedef enum MgOnnxUse {
    MG_ONNX_USE_RANKS, // the shape of an input whose rank the model leaves open, or has otherwise
    MG_ONNX_USE_NOTHING,
    MG_ONNX_USE_SHAPES, // the sizes of all inputs
    MG_ONNX_USE_VALUES, // and their elements, where they are few: they decide shapes
    MG_ONNX_USE_BOUNDS, // nothing; what data decide has MG_ONNX_MOST as its bound
    MG_ONNX_USES
} MgOnnxUse;

typedef struct MgOnnxUnknown {
    const char *op, *first; // "Einsum of opset 17", the first node's name
    uint32_t nodes;
    bool defined; // by ONNX; op says why it is refused
} MgOnnxUnknown;

typedef struct MgOnnx {
    MgSession *session;
    MgArena *arena;
    MgNames *names;
    MgFileBytes file;
    const Onnx__ModelProto *model;
    MgScope *scope;
    MgIxTable *ix;
    MgMap used;       // names of the text
    MgMap keys;       // of weights
    MgMap rows;       // operator's name -> row and next
    MgMap narrow;     // MgSafetensor * -> ONNX's number of its type, if it only carries that
    MgMap uses;       // names that some node or graph takes
    MgMap makers;     // MgSym of the text -> label of the node whose statement binds it
    MgMap files;      // external data: path -> MgFileBytes *
    MgMap lists;      // inputs that are no tensors: name -> MgOnnxValue *
    MgText head;      // parameters and constants
    MgText *out;      // statements of the body being translated
    uint32_t n_nodes; // translated so far
    const char *part; // that the last node's name says it belongs to
    MgSafetensors weights;
    MG_VEC(MgOnnxUnknown) unknown; // operators, for one message
    MgMap unknown_at;              // op -> its place there
    const MgGiven *given;
    uint32_t n_given;
    MG_VEC(MgFixedInput) fixed;
    MgMap sizes; // name of a dimension -> 1 + the size that is given for it, or that they differ
    MgOnnxUse use;
    bool use_odd_names; // a dimension's name that is no identifier is a name like any other
    bool odd_names;     // there are such names
    bool take_else;     // of branches that can't be one value, the second
    bool took_branch;   // there are such branches
} MgOnnx;

typedef struct MgOnnxNode MgOnnxNode;
typedef struct MgOnnxRow {
    const char *domain, *name;
    int64_t since; // opset from which on this is its meaning; a later row of the name replaces it
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
    MgOnnxValue **inputs; // NULL: not given
    MgOnnxValue **outputs;
    const char *label; // "model.onnx: node 'c1' (Conv)"
    bool failed;
};

// ---------------------------------------------------------------- node.c
// The input, or NULL if it isn't given.
MgOnnxValue *mg_onnx_input(const MgOnnxNode *n, uint32_t k);
bool mg_onnx_wants(const MgOnnxNode *n, uint32_t k); // is output k used?
bool mg_onnx_takes(MgOnnxNode *n, uint32_t count);   // an error if one of the first is not given
// Attributes: the value, or `otherwise` if it is absent. An attribute of another type is an error.
bool mg_onnx_has(MgOnnxNode *n, const char *name);
int64_t mg_onnx_int(MgOnnxNode *n, const char *name, int64_t otherwise);
double mg_onnx_float(MgOnnxNode *n, const char *name, double otherwise);
const char *mg_onnx_str(MgOnnxNode *n, const char *name, const char *otherwise);
// The same for one of several words, separated by blanks. The first if it is absent or after an
// error.
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
// The number of strings that the attribute holds, and one of them.
uint32_t mg_onnx_n_strs(MgOnnxNode *n, const char *name);
const char *mg_onnx_str_at(MgOnnxNode *n, const char *name, uint32_t k);
const Onnx__AttributeProto *mg_onnx_attribute(MgOnnxNode *n, const char *name);
// Input k as known numbers. False if it is absent, or not known (an error).
bool mg_onnx_known(MgOnnxNode *n, uint32_t k, const MgOnnxNumber **numbers, uint32_t *count);
// A list of expressions over dimensions: an attribute in older opsets, input k in newer ones.
// `given` is false if it is neither.
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
// All return false.
bool mg_onnx_fail(MgOnnxNode *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mg_onnx_unsupported(MgOnnxNode *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------- emit.c: writing statements
// Text in the arena: printf, and lists as MG writes them.
#define mg_onnx_text(n, ...) mg_arena_printf((n)->t->arena, __VA_ARGS__)
const char *mg_onnx_ix(const MgOnnxNode *n, MgIx x);
const char *mg_onnx_list(const MgOnnxNode *n, const int64_t *at, uint32_t count);
const char *mg_onnx_ix_list(const MgOnnxNode *n, const MgIx *at, uint32_t count);
// The value's name in the text. Writes the value first if it isn't there yet.
const char *mg_onnx_operand(MgOnnxNode *n, MgOnnxValue *v);
// The same, but a single number of the model stands as a literal.
const char *mg_onnx_literal(MgOnnxNode *n, MgOnnxValue *v);
// Input k means one number, but some models give a tensor of one element. Makes it that number.
// False after an error.
bool mg_onnx_scalar(MgOnnxNode *n, uint32_t k);
// Output k is this expression. Templates:
//   $0       input 0               $0?  input 0, or nothing with the comma before it
//   $0~      input 0, a literal if it is one number                $*  all inputs
//   @a       attribute a, as its type is written; @a:bool a number as true or false,
//            @a:word a word in lower case, @a:type an element type; @a=1.0 where it is absent
//   {, b = @a}   nothing if attribute a is absent
bool mg_onnx_give(MgOnnxNode *n, uint32_t k, const char *template);
// Outputs 0 … results - 1 are the results of this one expression.
bool mg_onnx_give_all(MgOnnxNode *n, uint32_t results, const char *template);
// The same from output `first` on.
bool mg_onnx_give_from(MgOnnxNode *n, uint32_t first, uint32_t results, const char *template);
// The results of this expression, which is no template, become these outputs; -1 stands for none.
// Unless it is NULL, values gets what was bound.
bool mg_onnx_give_as(MgOnnxNode *n, const int32_t *outputs, uint32_t count, const char *expression,
                     MgOnnxValue **values);
// Binds an inner value. NULL after an error. hint: for its name.
MgOnnxValue *mg_onnx_let(MgOnnxNode *n, const char *hint, const char *template);
// Output k is this value, under its name.
bool mg_onnx_same(MgOnnxNode *n, uint32_t k, MgOnnxValue *v);
// Output k is these known numbers.
bool mg_onnx_give_known(MgOnnxNode *n, uint32_t k, MgDType dtype, uint32_t rank, const MgIx *shape,
                        const MgOnnxNumber *numbers, uint32_t count);
// Adds whole statements as they are. Their inner names come from mg_onnx_fresh.
bool mg_onnx_say(MgOnnxNode *n, const char *statements);
// The same of a template.
bool mg_onnx_say_template(MgOnnxNode *n, const char *template);
// Binds output k to a name that statements have bound.
bool mg_onnx_bind(MgOnnxNode *n, uint32_t k, MgSym name);
MgSym mg_onnx_output_name(MgOnnxNode *n, uint32_t k, const char *suffix);

// ---------------------------------------------------------------- names.c
// A name that is free in the text, from what the model calls it.
MgSym mg_onnx_fresh(MgOnnx *t, const char *wanted, const char *otherwise);
// The same for a weight: its key, if that is a path of words and not taken.
MgSym mg_onnx_weight_name(MgOnnx *t, const char *key, const char *otherwise);
void mg_onnx_reserve(MgOnnx *t, MgSym name);
const char *mg_onnx_spelled(MgOnnx *t, MgSym name); // with backticks where they are needed

// ---------------------------------------------------------------- late.c
// The larger and the smaller of two sizes: one of them where the scope can prove which.
MgIx mg_onnx_larger(MgOnnxNode *n, MgIx a, MgIx b);
MgIx mg_onnx_smaller(MgOnnxNode *n, MgIx a, MgIx b);
// The number `value`, a scalar expression of i64, as a size from 0 to `most`; the run fails where
// it lies outside. hint: what names say of it. MG_IX_ERROR after an error.
MgIx mg_onnx_late(MgOnnxNode *n, const char *hint, const char *value, MgIx most);
// One of two sizes, by a condition that is a scalar expression.
MgIx mg_onnx_late_between(MgOnnxNode *n, const char *condition, MgIx yes, MgIx no);
// The tensor of rank 0 that holds a size: its name in the text.
const char *mg_onnx_size_value(MgOnnxNode *n, MgIx size);
// Input k, whole numbers that the run decides, becomes known numbers, if it is time for that.
bool mg_onnx_late_numbers(MgOnnxNode *n, uint32_t k);
// A node like n that outlives it.
MgOnnxNode *mg_onnx_kept(const MgOnnxNode *n);

// ---------------------------------------------------------------- branches.c
// What a branch of an If gives: the n tensors, and the statements that make them.
typedef struct MgOnnxBranch {
    uint32_t n;
    MgScopeType *types;
    const char **names;
    MgOnnxValue **values;
    const char *text;
} MgOnnxBranch;
// One value each of two branches that give as many values, of the same types and ranks, by a
// condition's name. Value k becomes output outputs[k], unless that is -1.
bool mg_onnx_join(MgOnnxNode *n, const char *condition, MgOnnxBranch *then, MgOnnxBranch *otherwise,
                  const int32_t *outputs, MgOnnxValue **values);

// ---------------------------------------------------------------- lines.c
// The statement was made of the node with this label.
void mg_onnx_made_by(MgOnnx *t, const char *statement, const char *label);
// The labels of a text's n lines, NULL where a line belongs to no node. The text is one of ours.
const char *const *mg_onnx_makers(MgOnnx *t, const char *text, size_t length, uint32_t *n);

// ---------------------------------------------------------------- tensor.c, known.c
bool mg_onnx_dtype(int64_t onnx, MgDType *dtype); // false: MG has no such type
// Integers of two and four bits travel as i8 and u8, floats of four and eight bits as u8:
// op_narrow.c.
enum {
    MG_ONNX_F8E4M3FN = 17,
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
bool mg_onnx_carrier(int64_t onnx, MgDType *dtype); // the type itself, or what carries it
const char *mg_onnx_dtype_name(int64_t onnx);
// The tensor that a field of the model holds. what: for messages; key: what its values are called,
// or NULL: as the tensor itself says. NULL after an error.
const MgSafetensor *mg_onnx_tensor(MgOnnx *t, ProtobufCBinaryData field, const char *what,
                                   const char *key);
MgOnnxValue *mg_onnx_constant(MgOnnx *t, const MgSafetensor *tensor);
// The shape of a constant, once there is a scope to say it in.
void mg_onnx_settle(MgOnnx *t, MgOnnxValue *v);
MgOnnxValue *mg_onnx_number_value(MgOnnx *t, MgDType dtype, MgIx number); // one known number
bool mg_onnx_numbers(MgOnnx *t, MgOnnxValue *v); // known of a small constant
// If all inputs are known and the operator is one that folds: gives its outputs. False: it isn't.
bool mg_onnx_fold(MgOnnxNode *n);
// Does the operator fold, and move elements only?
bool mg_onnx_moves(const MgOnnxNode *n);

// ---------------------------------------------------------------- ports.c
// The signature up to its results. Initialisers that are listed among the inputs are no inputs.
bool mg_onnx_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out);
// Whether two inputs of a graph, or of a body, have one name: their places.
bool mg_onnx_named_twice(MgOnnx *t, const Onnx__GraphProto *g, size_t *first, size_t *second);
// Their values, once the scope knows the signature.
bool mg_onnx_bind_inputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
// Results with their types, where all sizes are known before the graph runs.
bool mg_onnx_outputs(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g, MgText *out);

// ---------------------------------------------------------------- translate.c
// A text that the file may leave out.
static inline const char *mg_onnx_or_empty(const char *text) {
    return text ? text : "";
}
MgOnnxFrame *mg_onnx_frame(MgOnnx *t, MgOnnxFrame *outer);
MgOnnxValue *mg_onnx_find(MgOnnxFrame *frame, MgSym name);
void mg_onnx_define(MgOnnx *t, MgOnnxFrame *frame, const char *name, MgOnnxValue *value);
// Initialisers, then nodes, in an order in which each comes after what it uses.
bool mg_onnx_graph(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
bool mg_onnx_initialisers(MgOnnx *t, MgOnnxFrame *frame, const Onnx__GraphProto *g);
void mg_onnx_index_rows(MgOnnx *t); // before anything is translated
// The text of the whole model.
bool mg_onnx_translate(MgOnnx *t, const char *weights_file, MgText *out);
bool mg_onnx_error(MgOnnx *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------- import.c
// What the input at this place among the graph's inputs will be given; NULL: not known.
const MgTensor *mg_onnx_given(const MgOnnx *t, const char *name, uint32_t place);
const MgGiven *mg_onnx_given_for(const MgOnnx *t, const char *name, uint32_t place);

// ---------------------------------------------------------------- op_narrow.c: what is only
// carried May the node take its inputs? An error if one is narrow and the operator computes with
// it.
bool mg_onnx_takes_narrow(MgOnnxNode *n);
// What was moved stays what it was.
void mg_onnx_keep_narrow(MgOnnxNode *n);
// Input 0 converted to ONNX's type `to` as output 0.
bool mg_onnx_cast(MgOnnxNode *n, int64_t to);
// The expression x, small integers, clipped to the ends of the narrow type.
const char *mg_onnx_clipped(const MgOnnxNode *n, const char *x, uint32_t narrow);
// The expression x, of f32, as codes of the narrow float, and back.
const char *mg_onnx_encoded(MgOnnxNode *n, const char *x, uint32_t narrow);
const char *mg_onnx_decoded(MgOnnxNode *n, const char *x, uint32_t narrow);

// ---------------------------------------------------------------- lists.c: sequences, optionals
MgOnnxValue *mg_onnx_list_of(MgOnnx *t, MgOnnxKind kind, MgOnnxValue *const *elements, uint32_t n);
const char *mg_onnx_kind_name(const MgOnnxValue *v); // "a sequence"
uint32_t mg_onnx_leaves(const MgOnnxValue *v);       // tensors in it, in what it holds too
// Adds v's leaves at leaves[*n], and the other way round: a value of v's structure from them.
void mg_onnx_flatten(MgOnnxValue *v, MgOnnxValue **leaves, uint32_t *n);
MgOnnxValue *mg_onnx_rebuild(MgOnnx *t, const MgOnnxValue *v, MgOnnxValue *const *leaves,
                             uint32_t *n);
bool mg_onnx_same_structure(const MgOnnxValue *a, const MgOnnxValue *b);
bool mg_onnx_has_lists(const MgOnnxNode *n); // among its inputs
// May the node take its inputs? An error if one is no tensor and the operator takes only such.
bool mg_onnx_takes_lists(MgOnnxNode *n);
MgOnnxKind mg_onnx_kind_of(const Onnx__TypeProto *type);                  // NULL: a tensor
const Onnx__TypeProto *mg_onnx_element_type(const Onnx__TypeProto *type); // NULL: not said
// A Loop that carries lists, round by round: op_lists.c.
bool mg_onnx_unroll(MgOnnxNode *n, const Onnx__GraphProto *body);

// ---------------------------------------------------------------- op_control.c
// The nodes of a graph of node n, as if they stood around it. values: one for each input of g;
// results: one for each output. False after an error.
bool mg_onnx_inline(MgOnnxNode *n, const Onnx__GraphProto *g, MgOnnxValue *const *values,
                    MgOnnxValue **results);

// ---------------------------------------------------------------- rows
extern const MgOnnxRow mg_onnx_rows[]; // ends with a row without a name

// ---------------------------------------------------------------- schemas.c
// An operator that ONNX defines, whether there is a row for it or not.
typedef struct MgOnnxSchema {
    const char *domain, *name;
    const char *opsets;  // "1 6 13": those in which its definition changed
    const char *refused; // what it needs that MG does not have, or ""
} MgOnnxSchema;
extern const MgOnnxSchema mg_onnx_schemas[];                              // likewise
const MgOnnxSchema *mg_onnx_schema(const char *domain, const char *name); // NULL: there is none
int64_t mg_onnx_supported_from(const MgOnnxSchema *schema); // the first opset; 0: none

#endif
