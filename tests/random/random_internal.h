// What the files of the random program generator share: the state of a program while it is written,
// the values that it can use, and choices.
#ifndef MG_TESTS_RANDOM_INTERNAL_H
#define MG_TESTS_RANDOM_INTERNAL_H

#include "tests/random/random_program.h"

enum { MAX_RANK = 5, MAX_ELEMENTS = 1500, LARGE = 20000 }; // elements of one value, small or large

typedef struct Dim {
    int64_t n;
    const char *text; // a number, the name of a dimension, or a formula
} Dim;

typedef struct Value {
    const char *name;
    MgDType dtype;
    uint32_t rank;
    Dim dims[MAX_RANK];
    double size; // about the largest magnitude of its elements; it is kept small, so that nothing
                 // overflows
    uint32_t uses;
    bool is_input;
} Value;

// How the elements of an input are drawn.
typedef enum Draw {
    DRAW_ANY,  // floats around 0, integers small or of the whole range
    DRAW_BELOW // integers in [-limit, limit)
} Draw;

typedef struct Gen {
    MgArena *arena;
    uint64_t state;
    MgText body;
    MG_VEC(Value) values;
    MG_VEC(MgRandomInput) inputs;
    MG_VEC(Dim) named;  // open dimensions
    MgDType main;       // the float type of most values
    bool large;         // sizes for which schedules of large products apply
    bool special, wide; // inputs with special values; integers of the whole range
    uint32_t n_names;
} Gen;

// One kind of statement: appends to the body and adds its values, or returns false without writing
// anything.
typedef bool Statement(Gen *g);
typedef struct StatementRow {
    Statement *make;
    uint32_t weight;
} StatementRow;
Statement unary, binary, reduce_axes, siblings, matmul, conv, pool, channel_norm, transpose,
    reshape, join, slice, pad, rearrange, gather, one_hot;
extern const StatementRow library_statements[], index_statements[], region_statements[],
    network_statements[], layout_statements[], read_statements[], // end in {0}
    image_statements[], row_statements[];                         // of large programs

// ---------------------------------------------------------------- choices
uint64_t draw(Gen *g);
uint32_t below(Gen *g, uint32_t n); // 0..n-1, n > 0
bool chance(Gen *g, uint32_t percent);
int64_t between(Gen *g, int64_t low, int64_t high); // inclusive
const char *format(Gen *g, const char *text, ...) __attribute__((format(printf, 2, 3)));
const char *list(Gen *g, const int64_t *at, uint32_t n); // [a, b, c]
void permute(Gen *g, uint32_t *at, uint32_t n);          // at becomes a random order of 0..n-1

// ---------------------------------------------------------------- values
Dim number(Gen *g, int64_t n);
bool is_number(Dim d);
Dim any_dim(Gen *g);
// n, or in large programs the open dimension for this role: 0: images, 1: sides of images, 2: rows.
Dim open_or(Gen *g, uint32_t role, int64_t n);
double size_limit(MgDType dtype); // larger values are squashed
const char *fresh(Gen *g);
size_t count(const Value *v);
// A copy of a live value for which ok holds, or a new input of a float type.
typedef bool Filter(const Value *v);
Value use(Gen *g, Filter *ok);
Value use_float(Gen *g);
Value use_ranked(Gen *g, uint32_t low, uint32_t high); // a float value of a rank in this range
Value use_int(Gen *g);
Value use_bool(Gen *g);
// A value of exactly this type and shape: a live one, or a new input.
Value need(Gen *g, MgDType dtype, uint32_t rank, const Dim *dims);
Value new_input(Gen *g, MgDType dtype, uint32_t rank, const Dim *dims, Draw kind, int64_t limit);
// The result of a statement.
Value result(const char *name, MgDType dtype, uint32_t rank, const Dim *dims, double size);
void keep(Gen *g, Value v);
// Writes "name = text" and keeps the value, squashed if its size grew too large.
void bind_value(Gen *g, Value v, const char *text);
// Writes a constant tensor of rank 1, 2 or 4, and returns its name.
const char *constant(Gen *g, const char *type, uint32_t rank, const int64_t *n);
const char *put(Gen *g, const char *text, const char *operand); // the text with the operand in
                                                                // place of each %
MgDType float_type(Gen *g);
MgDType int_type(Gen *g);

#endif
