// Shared by the files of the reference interpreter.
//
// An op runs in three steps. Each scalar expression of a piece is compiled to a list of
// instructions over registers (interp_compile.c). The points of the piece's box are walked in
// row-major order and packed into strips (interp_walk.c). Every instruction runs over a whole strip
// (interp_eval.c), so that dispatch costs little and no memory is allocated per element.
//
// A register holds LANES values: doubles for floats (f32 values are exact in them and are rounded
// after each operation), 64-bit integers for integers and bool (wrapped to their width). Each value
// has its error bound beside it. An infinite bound means "exempt": the element depends on a jump
// that lies within a bound. Exemption propagates by the same arithmetic.
#ifndef MG_IR_INTERP_INTERNAL_H
#define MG_IR_INTERP_INTERNAL_H

#include "ir/interp.h"
#include "ir/rounding.h"

#include <math.h>

enum { LANES = 128 };
#define EXEMPT HUGE_VAL
// The bound of a zero whose sign is not certain: it is far from any jump, but 1/x is unknown.
#define SIGN_BOUND 1e-300

typedef struct Reg {
    union {
        double *f;
        int64_t *i;
    } v;
    double *e;
} Reg;

// One read of an operand; its subscripts are in registers.
typedef struct ReadPlan {
    const MgInterpTensor *tensor;
    uint32_t rank, operand;
    uint32_t *subs;
    int64_t *strides; // in elements
    MgBounds bounds;
    uint32_t mask;    // register of the lanes that count, or NO_REG: all
    uint32_t outside; // register that is set to 1 where the read is outside
} ReadPlan;
#define NO_REG UINT32_MAX

// dst = constant + sum of coefficient * reg
typedef struct LinearPlan {
    int64_t constant;
    uint32_t n;
    uint32_t *regs;
    int64_t *coefficients;
} LinearPlan;

typedef enum Code {
    CODE_PRIM,     // prim over args, of type, result `to`
    CODE_READ,     // plan.read
    CODE_LINEAR,   // plan.linear
    CODE_FROM_INT, // i64 register as a value of type `to`
    CODE_SELECT    // args[0] outside mask, args[1] where 1, args[2] where 0
} Code;

typedef struct Instr {
    Code code;
    MgPrim prim;
    MgDType type, to;
    uint32_t dst, n_args, args[3];
    bool exact[3]; // by argument: it is exact, so its jumps are certain (rounding.h)
    union {
        ReadPlan *read;
        LinearPlan *linear;
    } plan;
} Instr;

typedef struct Program {
    MG_VEC(Instr) code;
    MG_VEC(Reg) regs;
    uint32_t *index; // register of each index
    uint32_t n_indices;
    bool bounds;
    MgArena *arena;
} Program;

// One run of a graph.
typedef struct Run {
    MgGraph *g;
    MgModule *module;
    const MgInterpOptions *options;
    MgArena *arena;         // for the results of the current op
    MgArena *scratch;       // for the programs of the current op
    MgInterpTensor *values; // by value id
    int64_t *dims;          // by symbol
    bool *known;
    uint64_t steps;
    bool bounds;
    MgRounding rounding; // of g, if there are bounds
    MgMap exact;         // the exact expressions of the current op
    bool unsure;         // a size or a choice of branch depended on an exempt element
    MgOpId op;           // the current one, for diagnostics
} Run;

// ---------------------------------------------------------------- interp.c
int64_t run_ix(Run *run, MgIx x, bool *ok);
// Reports a diagnostic at the current op, as run_fail(run, id, arguments...). Always false.
#define run_fail(run, ...)                                                                         \
    run_false((mg_diag((run)->module->session, run_span(run), __VA_ARGS__), true))
static inline bool run_false(bool reported) {
    return !reported;
}
MgSpan run_span(const Run *run);
// A zeroed tensor with value v's type, and with its shape under the dims known now.
bool run_tensor(Run *run, MgValueId v, MgInterpTensor *out);
MgInterpTensor tensor_new(Run *run, MgDType dtype, uint32_t rank, const int64_t *shape);
bool run_steps(Run *run, uint64_t steps);
const char *run_value_name(Run *run, MgValueId v);

// ---------------------------------------------------------------- interp_compile.c
Program *program_new(Run *run, uint32_t n_indices);
uint32_t program_sx(Run *run, Program *p, const MgSx *x, const MgInterpTensor *const *operands);
// The terms of x over the indices; false unless x is linear in them with constant coefficients.
bool linear_terms(Run *run, MgIx x, uint32_t n_indices, int64_t *constant, int64_t *coefficients);

// ---------------------------------------------------------------- interp_eval.c, interp_bound.c
// Runs all instructions over the first n lanes. False after a diagnostic (a checked read was
// outside).
bool program_run(Run *run, Program *p, uint32_t n);
void bound_instr(const Program *p, const Instr *in, uint32_t n);
// Rounds v to a type; wraps a lane's integer to its width.
double round_to(MgDType dtype, double v);
int64_t wrap_to(MgDType dtype, int64_t v);
double unit_roundoff(MgDType dtype);
double least_normal(MgDType dtype);
double largest(MgDType dtype);
// Loads element i as a lane value, and stores it. A store rounds once and adds its error to e.
double load_float(MgDType dtype, const void *data, size_t i);
int64_t load_int(MgDType dtype, const void *data, size_t i);
double load_bound(const MgInterpTensor *t, size_t i);
void store_float(MgInterpTensor *t, size_t i, double v, double e);
void store_int(MgInterpTensor *t, size_t i, int64_t v, double e);
bool near(double distance, double e); // is a jump at this distance within the bound?

// ---------------------------------------------------------------- interp_reduce.c
typedef struct Acc {        // a running reduction of one element
    double f, e, magnitude; // the value, the sum of bounds, the sum of |term|
    double above, below; // of a product: its factors above and below 1, to find overflow on the way
    int64_t i, position;
    uint64_t n;
    bool exempt;  // of an extreme: which element wins is in doubt
    bool special; // an infinity or NaN among the terms
} Acc;
void acc_init(Acc *acc, MgReducer reducer, MgDType type);
void acc_base(Acc *acc, MgReducer reducer, MgDType type, double f, int64_t i, double e);
// Adds lanes [0, n) of value to acc[map[lane]], in order.
void acc_add(Acc *acc, const uint32_t *map, MgReducer reducer, MgDType type, const Reg *value,
             uint32_t n);
// False if an empty reduction has no identity.
bool acc_store(Acc *acc, MgReducer reducer, MgDType type, MgInterpTensor *t, size_t i);

// ---------------------------------------------------------------- interp_tiled.c
typedef struct TiledBound { // what an algorithm adds to a result's bounds
    double *e;              // by free point, row-major
    const int64_t *extent;  // by free index
    uint32_t n;             // number of free indices
} TiledBound;
size_t tiled_place(const TiledBound *b, const int64_t *at); // the number of a free point in e
// Computes what the algorithm adds to each element of the piece. False after a diagnostic.
bool tiled_bound(Run *run, const MgTiled *tiled, const MgPiece *piece,
                 const MgInterpTensor *const *operands, TiledBound *to);

// ---------------------------------------------------------------- interp_walk.c
bool run_equation(Run *run, MgOpId op);

// ---------------------------------------------------------------- interp_builtins.c
bool run_builtin(Run *run, MgOpId op);

#endif
