// Element types, scalar primitives, reducers and atoms: the enums and rows of dtypes.def, prims.def
// and atoms.def.
#ifndef MG_IR_TYPES_H
#define MG_IR_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum MgDType {
#define MG_DTYPE(id, spelling, bits, class, compute, safetensors, npy) MG_##id,
#include "lang/dtypes.def"
#undef MG_DTYPE
    MG_DTYPE_COUNT
} MgDType;

typedef enum MgClass { MG_CLASS_FLOAT, MG_CLASS_INT, MG_CLASS_UINT, MG_CLASS_BOOL } MgClass;

typedef struct MgDTypeRow {
    const char *name;
    uint32_t bits;
    MgClass class;
    MgDType compute;
    const char *safetensors, *npy;
} MgDTypeRow;
const MgDTypeRow *mg_dtype(MgDType dtype);
// MG_DTYPE_COUNT if no type has the name.
MgDType mg_dtype_of_name(const char *name);
static inline bool mg_is_float(MgDType d) {
    return d <= MG_BF16 || d >= MG_F8E4M3;
}
// A type of 16 or 8 bits that is only stored: values are computed in a wider one.
static inline bool mg_is_short_float(MgDType d) {
    return mg_dtype(d)->compute != d;
}
static inline bool mg_is_int(MgDType d) { // signed or unsigned
    return d >= MG_I64 && d <= MG_U8;
}
static inline bool mg_is_signed(MgDType d) {
    return d >= MG_I64 && d <= MG_I8;
}
static inline size_t mg_dtype_size(MgDType d) { // bytes of an element
    return mg_dtype(d)->bits / 8;
}

// The most elements of a tensor. A process can't address more bytes, and sums of a few thousand
// such sizes fit into 64 bits.
#define MG_COUNT_MAX ((int64_t)1 << 47)

typedef enum MgPrim {
#define MG_PRIM(id, spelling, arity, operands, result, kind, ulp) MG_PRIM_##id,
#define MG_REDUCER(id, spelling, operands, empty, monoid)
#include "lang/prims.def"
#undef MG_PRIM
    MG_PRIM_COUNT
} MgPrim;

typedef enum MgReducer {
    MG_REDUCE_NONE,
#define MG_PRIM(id, spelling, arity, operands, result, kind, ulp)
#undef MG_REDUCER
#define MG_REDUCER(id, spelling, operands, empty, monoid) MG_REDUCE_##id,
#include "lang/prims.def"
#undef MG_PRIM
#undef MG_REDUCER
    MG_REDUCER_COUNT
} MgReducer;

// The rows of monoids.def, which define reductions.
typedef enum MgMonoid {
#define MG_MONOID(id, word, leader, identity, order) MG_MONOID_##id,
#include "lang/monoids.def"
    MG_N_MONOIDS
} MgMonoid;

typedef enum MgOperands {
    MG_OPERANDS_FLOAT,
    MG_OPERANDS_INT,
    MG_OPERANDS_NUMBER,
    MG_OPERANDS_LOGIC,
    MG_OPERANDS_BOOL,
    MG_OPERANDS_ANY
} MgOperands;
typedef enum MgPrimResult { MG_RESULT_SAME, MG_RESULT_BOOL, MG_RESULT_CONVERT } MgPrimResult;
typedef enum MgPrimKind {
    MG_KIND_ARITH,
    MG_KIND_APPROX,
    MG_KIND_MOVE,
    MG_KIND_JUMP,
    MG_KIND_BITS
} MgPrimKind;

typedef struct MgPrimRow {
    const char *name;
    uint32_t arity;
    MgOperands operands;
    MgPrimResult result;
    MgPrimKind kind;
    uint32_t ulp;
} MgPrimRow;
const MgPrimRow *mg_prim(MgPrim prim);
MgPrim mg_prim_of_name(const char *name); // infix spellings included; MG_PRIM_COUNT if there is
                                          // none

typedef enum MgIdentity {
    MG_IDENTITY_ZERO,
    MG_IDENTITY_ONE,
    MG_IDENTITY_LOWEST,
    MG_IDENTITY_HIGHEST,
    MG_IDENTITY_FALSE,
    MG_IDENTITY_TRUE,
    MG_IDENTITY_NAN,
    MG_IDENTITY_NONE
} MgIdentity;
typedef enum MgOrder { MG_ORDER_SUM, MG_ORDER_EXACT, MG_ORDER_FIRST, MG_ORDER_LAST } MgOrder;

// What accompanies the leader in an element of a monoid: the position of an extreme, or a sum,
// whose formulas may use the number of points.
typedef enum MgBeside {
    MG_BESIDE_NOTHING,
    MG_BESIDE_PLACE,
    MG_BESIDE_ALONE,
    MG_BESIDE_COUNTED
} MgBeside;

typedef struct MgMonoidRow {
    const char *word;
    MgPrim leader; // MG_PRIM_COUNT: the later element is kept
    MgIdentity identity;
    MgOrder order;
    MgBeside beside;
} MgMonoidRow;
const MgMonoidRow *mg_monoid(MgMonoid monoid);

typedef struct MgReducerRow {
    const char *name;
    MgOperands operands;
    MgIdentity empty;
    MgMonoid monoid;
} MgReducerRow;
const MgReducerRow *mg_reducer(MgReducer reducer);
static inline MgOrder mg_reduce_order(MgReducer r) {
    return mg_monoid(mg_reducer(r)->monoid)->order;
}
// The primitive that combines two partial results (ADD for a mean).
static inline MgPrim mg_reduce_prim(MgReducer r) {
    return mg_monoid(mg_reducer(r)->monoid)->leader;
}
MgReducer mg_reducer_of_name(const char *name); // MG_REDUCE_NONE if none
bool mg_operands_admit(MgOperands operands, MgDType dtype);

typedef enum MgAtom {
#define MG_ATOM(id, word, row, column, sum, rounds, keeps, since, step, types) MG_ATOM_##id,
#include "lang/atoms.def"
#undef MG_ATOM
    MG_ATOM_COUNT
} MgAtom;

typedef struct MgAtomRow {
    const char *word;
    MgDType row, column, sum;
    uint32_t rounds, keeps, since;
    const char *step, *types; // of PTX (lang/atoms.def)
} MgAtomRow;
const MgAtomRow *mg_atom(MgAtom atom);
// The elements of the atom's factors in a 32-bit word.
static inline uint32_t mg_atom_per_word(MgAtom atom) {
    return 4 / (uint32_t)mg_dtype_size(mg_atom(atom)->row);
}
// Is every number of one type also a number of the other?
bool mg_dtype_holds(MgDType type, MgDType other);

// The bits of an f32, and back.
static inline uint32_t mg_bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline float mg_f32_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// One scalar of any type as its bits (in the low bits; the upper ones are zero), and back.
typedef uint64_t MgBits;
MgBits mg_bits_at(MgDType dtype, const void *elements, size_t i);
double mg_bits_to_double(MgDType dtype, MgBits bits); // exact except for 64-bit integers
MgBits mg_bits_from_double(
    MgDType dtype,
    double value); // floats round half to even; integers truncate and saturate, NaN to 0
int64_t mg_bits_to_int(MgDType dtype, MgBits bits);    // integers and bool; u64 wraps
MgBits mg_bits_from_int(MgDType dtype, int64_t value); // integers wrap; floats round
float mg_half_to_float(uint16_t half);
uint16_t mg_half_from_float(float value); // IEEE binary16, half to even
float mg_bfloat_to_float(uint16_t bits);
uint16_t mg_bfloat_from_float(float value);
float mg_f8e4m3_to_float(uint8_t bits);
uint8_t mg_f8e4m3_from_float(float value); // above 464, and infinity: NaN
float mg_f8e5m2_to_float(uint8_t bits);
uint8_t mg_f8e5m2_from_float(float value); // 61440 and above: infinity

// The definition of every primitive on bits, in the compute type of dtype (correctly rounded;
// transcendentals go through f64). `to` is the result type of a conversion. Operands are of type
// `dtype` (a compute type), except that WHERE's first is bool. The interpreters and the constant
// folder share it.
MgBits mg_prim_eval(MgPrim prim, MgDType dtype, MgDType to, const MgBits *args);
typedef double MgUnary(double);
// The function of one f64 by which mg_prim_eval computes a primitive of any float type, before it
// rounds to this type; NULL for other primitives.
MgUnary *mg_prim_unary(MgPrim prim);
// The lowest and highest value of a type (-inf and inf for floats, or the largest finite numbers of
// a type without infinity).
MgBits mg_lowest(MgDType dtype);
MgBits mg_highest(MgDType dtype);

#endif
