// What the files of the reference interpreter share.
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

enum { MG_INTERP_LANES = 128 };
#define MG_INTERP_EXEMPT HUGE_VAL
// The bound of a zero whose sign is not certain: it is far from any jump, but 1/x is unknown.
#define MG_SIGN_BOUND 1e-300

typedef struct MgInterpReg {
    union {
        double *f;
        int64_t *i;
    } v;
    double *e;
} MgInterpReg;

// One read of an operand; its subscripts are in registers.
typedef struct MgReadPlan {
    const MgInterpTensor *tensor;
    uint32_t rank, operand;
    uint32_t *subs;
    int64_t *strides; // in elements
    MgBounds bounds;
    bool by_data;     // subscripts depend on values, which may have bounds
    uint32_t mask;    // register that says which lanes are active, or MG_NO_REG: all
    uint32_t outside; // register that becomes 1 in lanes where the read is outside
} MgReadPlan;
#define MG_NO_REG UINT32_MAX

// dst = constant + sum of coefficient * reg
typedef struct MgLinearPlan {
    int64_t constant;
    uint32_t n;
    uint32_t *regs;
    int64_t *coefficients;
} MgLinearPlan;

typedef enum MgInterpCode {
    MG_CODE_PRIM,     // prim over args, of type, result `to`
    MG_CODE_READ,     // plan.read
    MG_CODE_LINEAR,   // plan.linear
    MG_CODE_FROM_INT, // i64 register as a value of type `to`
    MG_CODE_SELECT    // args[0] outside mask, args[1] where 1, args[2] where 0
} MgInterpCode;

typedef struct MgInterpInstr {
    MgInterpCode code;
    MgPrim prim;
    MgDType type, to;
    uint32_t dst, n_args, args[3];
    bool exact[3]; // by argument: it is exact, so jumps of it are certain (rounding.h)
    union {
        MgReadPlan *read;
        MgLinearPlan *linear;
    } plan;
} MgInterpInstr;

typedef struct MgInterpProgram {
    MG_VEC(MgInterpInstr) code;
    MG_VEC(MgInterpReg) regs;
    uint32_t *index; // register of each index
    uint32_t n_indices;
    bool bounds;
    MgArena *arena;
} MgInterpProgram;

// One run of a graph.
typedef struct MgInterpRun {
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
    bool unsure;         // a size or a branch depended on an exempt element
    MgOpId op;           // the current one, for diagnostics
    bool quiet;          // it reports no failure: it is a worker's copy of another run
} MgInterpRun;

// ---------------------------------------------------------------- interp.c
int64_t mg_interp_run_ix(MgInterpRun *run, MgIx x, bool *ok);
// Reports a diagnostic at the current op, as mg_interp_run_fail(run, id, arguments...). Returns
// false.
#define mg_interp_run_fail(run, ...)                                                               \
    run_false((run)->quiet ||                                                                      \
              (mg_diag((run)->module->session, mg_interp_run_span(run), __VA_ARGS__), true))
static inline bool run_false(bool reported) {
    return !reported;
}
MgSpan mg_interp_run_span(const MgInterpRun *run);
// Makes a zeroed tensor of value v's type, with its shape under the dims known now.
bool mg_interp_run_tensor(MgInterpRun *run, MgValueId v, MgInterpTensor *out);
MgInterpTensor mg_interp_tensor_new(MgInterpRun *run, MgDType dtype, uint32_t rank,
                                    const int64_t *shape);
bool mg_interp_run_steps(MgInterpRun *run, uint64_t steps);
const char *mg_interp_run_value_name(MgInterpRun *run, MgValueId v);
// The number of the run's threads that share a tensor of this length.
uint32_t mg_interp_workers(const MgInterpRun *run, size_t elements);

// ---------------------------------------------------------------- interp_compile.c
MgInterpProgram *mg_interp_program_new(MgInterpRun *run, uint32_t n_indices);
uint32_t mg_interp_program_sx(MgInterpRun *run, MgInterpProgram *p, const MgSx *x,
                              const MgInterpTensor *const *operands);
// The same program with registers of its own.
MgInterpProgram *mg_interp_program_copy(MgInterpRun *run, const MgInterpProgram *p);
// The terms of x over the indices; false unless x is linear in them with constant coefficients.
bool mg_interp_linear_terms(MgInterpRun *run, MgIx x, uint32_t n_indices, int64_t *constant,
                            int64_t *coefficients);

// ---------------------------------------------------------------- interp_eval.c, interp_bound.c
// Runs all instructions over the first n lanes. False after a diagnostic (a checked read was
// outside).
bool mg_interp_program_run(MgInterpRun *run, MgInterpProgram *p, uint32_t n);
void mg_interp_bound_instr(const MgInterpProgram *p, const MgInterpInstr *in, uint32_t n);
// Rounds v to a type; wraps a lane's integer to its width.
double mg_interp_round_to(MgDType dtype, double v);
int64_t mg_interp_wrap_to(MgDType dtype, int64_t v);
double mg_interp_unit_roundoff(MgDType dtype);
double mg_interp_least_normal(MgDType dtype);
double mg_interp_largest(MgDType dtype);
// Loads element i as a lane value, and stores it. A store rounds once and adds its error to e.
double mg_interp_load_float(MgDType dtype, const void *data, size_t i);
int64_t mg_interp_load_int(MgDType dtype, const void *data, size_t i);
double mg_interp_load_bound(const MgInterpTensor *t, size_t i);
void mg_interp_store_float(MgInterpTensor *t, size_t i, double v, double e);
void mg_interp_store_int(MgInterpTensor *t, size_t i, int64_t v, double e);
bool mg_interp_near(double distance, double e); // is a jump at this distance within the bound e?

// ---------------------------------------------------------------- interp_reduce.c
typedef struct MgInterpAcc { // a running reduction of one element
    double f, e, magnitude;  // the value, the sum of bounds, the sum of |term|
    double above, below;     // of a product: its factors above and below 1, to detect overflow of
                             // partial products
    int64_t i, position;
    uint64_t n;
    bool exempt;  // of an extreme: which element wins is in doubt
    bool special; // an infinity or NaN among the terms
} MgInterpAcc;
void mg_interp_acc_init(MgInterpAcc *acc, MgReducer reducer, MgDType type);
void mg_interp_acc_base(MgInterpAcc *acc, MgReducer reducer, MgDType type, double f, int64_t i,
                        double e);
// Adds lanes [0, n) of value to acc[map[lane]], in order.
void mg_interp_acc_add(MgInterpAcc *acc, const uint32_t *map, MgReducer reducer, MgDType type,
                       const MgInterpReg *value, uint32_t n);
// False if an empty reduction has no identity.
bool mg_interp_acc_store(MgInterpAcc *acc, MgReducer reducer, MgDType type, MgInterpTensor *t,
                         size_t i);

// ---------------------------------------------------------------- interp_tiled.c
typedef struct MgTiledBound { // what an algorithm adds to a result's bounds
    double *e;                // by free point, row-major
    const int64_t *extent;    // by free index
    uint32_t n;               // number of free indices
} MgTiledBound;
size_t mg_interp_tiled_place(const MgTiledBound *b,
                             const int64_t *at); // the number of a free point in e
// Computes what the algorithm adds to each element of the piece. False after a diagnostic.
bool mg_interp_tiled_bound(MgInterpRun *run, const MgTiled *tiled, const MgPiece *piece,
                           const MgInterpTensor *const *operands, MgTiledBound *to);

// ---------------------------------------------------------------- interp_walk.c
bool mg_interp_run_equation(MgInterpRun *run, MgOpId op);

// ---------------------------------------------------------------- interp_builtins.c
bool mg_interp_run_builtin(MgInterpRun *run, MgOpId op);

#endif
