// The rows of dtypes.def, prims.def, atoms.def and ops.def, scalars as bits, and the meaning of
// every primitive.
//
// mg_prim_eval is the reference that both interpreters and the constant folder share. It is total
// and correctly rounded. + - * / and sqrt of f32 are done in f64 and rounded; rounding twice is
// harmless, since f64 has more than twice the bits. fma calls the C library. Transcendentals are
// the library's f64 functions, rounded. Narrowing from f64 to 16 or 8 bits goes through f32 rounded
// to odd, so that the value is rounded once.
#include "ir/types.h"

#include "ir/graph.h"

#include <math.h>
#include <string.h>

static const MgDTypeRow dtype_rows[] = {
#define MG_DTYPE(id, spelling, bits, class, compute, safetensors, npy)                             \
    {spelling, bits, MG_CLASS_##class, MG_##compute, safetensors, npy},
#include "lang/dtypes.def"
#undef MG_DTYPE
};

static const MgPrimRow prim_rows[] = {
#define MG_PRIM(id, spelling, arity, operands, result, kind, ulp)                                  \
    {spelling, arity, MG_OPERANDS_##operands, MG_RESULT_##result, MG_KIND_##kind, ulp},
#define MG_REDUCER(id, spelling, operands, empty, monoid)
#include "lang/prims.def"
#undef MG_PRIM
#undef MG_REDUCER
};

static const MgReducerRow reducer_rows[] = {
    {"", MG_OPERANDS_ANY, MG_IDENTITY_NONE, MG_MONOID_ANY},
#define MG_PRIM(id, spelling, arity, operands, result, kind, ulp)
#define MG_REDUCER(id, spelling, operands, empty, monoid)                                          \
    {spelling, MG_OPERANDS_##operands, MG_IDENTITY_##empty, MG_MONOID_##monoid},
#include "lang/prims.def"
#undef MG_PRIM
#undef MG_REDUCER
};

static const MgMonoidRow monoid_rows[] = {
#define MG_ROW(word, leader, identity, order, beside)                                              \
    {word, MG_PRIM_##leader, MG_IDENTITY_##identity, MG_ORDER_##order, MG_BESIDE_##beside},
#define MG_MONOID(id, word, leader, identity, order) MG_ROW(word, leader, identity, order, NOTHING)
#define MG_MONOID_PLACE(id, word, leader, identity, order)                                         \
    MG_ROW(word, leader, identity, order, PLACE)
#define MG_MONOID_SHIFTED(id, word, leader, identity, order, counts, shift, term, moved)           \
    MG_ROW(word, leader, identity, order, counts)
#include "lang/monoids.def"
#undef MG_ROW
};

static const MgAtomRow atom_rows[] = {
#define MG_ATOM(id, word, row, column, sum, rounds, keeps, since, step, types)                     \
    {word, MG_##row, MG_##column, MG_##sum, rounds, keeps, since, step, types},
#include "lang/atoms.def"
#undef MG_ATOM
};

static const MgBuiltinRow builtin_rows[] = {
#define MG_BUILTIN(id, spelling, n_operands, n_results, documentation)                             \
    {spelling, n_operands, n_results, documentation},
#include "lang/ops.def"
#undef MG_BUILTIN
};

const MgDTypeRow *mg_dtype(MgDType dtype) {
    return &dtype_rows[dtype];
}

MgDType mg_dtype_of_name(const char *name) {
    unsigned d = 0;
    while (d < MG_DTYPE_COUNT && strcmp(dtype_rows[d].name, name))
        d++;
    return (MgDType)d;
}

// The binary digits that the integers of a type need, or that a floating-point type has; no number
// is larger than 2 to the power of range.
typedef struct Extent {
    int digits, range;
} Extent;

static Extent extent_of(MgDType d) {
    static const Extent floats[] = {
        [MG_F64] = {53, 1024}, [MG_F32] = {24, 128}, [MG_F16] = {11, 16},
        [MG_BF16] = {8, 128},  [MG_F8E4M3] = {4, 9}, [MG_F8E5M2] = {3, 16}};
    if (mg_is_float(d))
        return floats[d];
    int digits = d == MG_BOOL ? 1 : (int)mg_dtype(d)->bits - mg_is_signed(d);
    return (Extent){digits, digits};
}

bool mg_dtype_holds(MgDType type, MgDType other) {
    Extent a = extent_of(type), b = extent_of(other);
    bool sign = mg_is_float(type) || mg_is_signed(type) || !mg_is_signed(other);
    return type == other || (type != MG_BOOL && sign && a.digits >= b.digits &&
                             a.range >= b.range && (mg_is_float(type) || !mg_is_float(other)));
}

const MgAtomRow *mg_atom(MgAtom atom) {
    return &atom_rows[atom];
}

const MgPrimRow *mg_prim(MgPrim prim) {
    return &prim_rows[prim];
}

MgPrim mg_prim_of_name(const char *name) {
    unsigned p = 0;
    while (p < MG_PRIM_COUNT && strcmp(prim_rows[p].name, name))
        p++;
    return (MgPrim)p;
}

const MgReducerRow *mg_reducer(MgReducer reducer) {
    return &reducer_rows[reducer];
}

const MgMonoidRow *mg_monoid(MgMonoid monoid) {
    return &monoid_rows[monoid];
}

MgReducer mg_reducer_of_name(const char *name) {
    for (unsigned r = 1; r < MG_REDUCER_COUNT; r++)
        if (!strcmp(reducer_rows[r].name, name))
            return (MgReducer)r;
    return MG_REDUCE_NONE;
}

const MgBuiltinRow *mg_builtin(MgBuiltin builtin) {
    return &builtin_rows[builtin];
}

MgBuiltin mg_builtin_of_name(const char *name) {
    unsigned b = 0;
    while (b < MG_BUILTIN_COUNT && strcmp(builtin_rows[b].name, name))
        b++;
    return (MgBuiltin)b;
}

bool mg_builtin_draws(MgBuiltin builtin) {
    return builtin == MG_BUILTIN_RANDOM_BITS || builtin == MG_BUILTIN_RANDOM_KEEPS;
}

bool mg_operands_admit(MgOperands operands, MgDType dtype) {
    switch (operands) {
    case MG_OPERANDS_FLOAT:
        return mg_is_float(dtype);
    case MG_OPERANDS_INT:
        return mg_is_int(dtype);
    case MG_OPERANDS_NUMBER:
        return dtype != MG_BOOL;
    case MG_OPERANDS_LOGIC:
        return !mg_is_float(dtype);
    case MG_OPERANDS_BOOL:
        return dtype == MG_BOOL;
    case MG_OPERANDS_ANY:
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- scalars as bits

// f64 to f32. An inexact result is rounded to the neighbour whose last bit is odd; rounding that to
// 16 bits rounds the f64 once (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
// 2008).
static float float_to_odd(double value) {
    float f = (float)value;
    uint32_t bits = mg_bits_of_f32(f);
    if (isnan(value) || (double)f == value || (bits & 1))
        return f;
    return mg_f32_of_bits(fabs((double)f) > fabs(value) ? bits - 1 : bits + 1);
}

static uint64_t low_bits(MgDType dtype) {
    uint32_t bits = dtype_rows[dtype].bits;
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

MgBits mg_bits_at(MgDType dtype, const void *elements, size_t i) {
    MgBits bits = 0;
    size_t size = mg_dtype_size(dtype);
    memcpy(&bits, (const char *)elements + i * size, size);
    return bits;
}

double mg_bits_to_double(MgDType dtype, MgBits bits) {
    double value;
    switch (dtype) {
    case MG_F64:
        memcpy(&value, &bits, sizeof value);
        return value;
    case MG_F32:
        return (double)mg_f32_of_bits((uint32_t)bits);
    case MG_F16:
        return (double)mg_half_to_float((uint16_t)bits);
    case MG_BF16:
        return (double)mg_bfloat_to_float((uint16_t)bits);
    case MG_F8E4M3:
        return (double)mg_f8e4m3_to_float((uint8_t)bits);
    case MG_F8E5M2:
        return (double)mg_f8e5m2_to_float((uint8_t)bits);
    case MG_U64:
        return (double)bits;
    default:
        return (double)mg_bits_to_int(dtype, bits);
    }
}

static double integer_max(MgDType dtype) { // the highest value, plus one: exact in f64
    return ldexp(1, (int)dtype_rows[dtype].bits - (mg_is_signed(dtype) ? 1 : 0));
}

MgBits mg_bits_from_double(MgDType dtype, double value) {
    MgBits bits;
    switch (dtype) {
    case MG_F64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    case MG_F32:
        return mg_bits_of_f32((float)value);
    case MG_F16:
        return mg_half_from_float(float_to_odd(value));
    case MG_BF16:
        return mg_bfloat_from_float(float_to_odd(value));
    case MG_F8E4M3:
        return mg_f8e4m3_from_float(float_to_odd(value));
    case MG_F8E5M2:
        return mg_f8e5m2_from_float(float_to_odd(value));
    case MG_BOOL:
        return value != 0;
    default:
        if (isnan(value))
            return 0;
        if (value >= integer_max(dtype))
            return mg_highest(dtype);
        if (value <= (mg_is_signed(dtype) ? -integer_max(dtype) : 0))
            return mg_lowest(dtype);
        return (dtype == MG_U64 ? (uint64_t)value : (uint64_t)(int64_t)value) & low_bits(dtype);
    }
}

int64_t mg_bits_to_int(MgDType dtype, MgBits bits) {
    if (mg_is_signed(dtype)) {
        uint32_t shift = 64 - dtype_rows[dtype].bits;
        return (int64_t)(bits << shift) >> shift;
    }
    return (int64_t)bits;
}

// An integer as f64, rounded to odd, so that rounding it again to 32 bits or fewer is correct.
static double double_to_odd(bool negative, uint64_t magnitude) {
    if (magnitude >> 53) {
        uint64_t lost = magnitude & 0x7ff;
        magnitude = (magnitude & ~(uint64_t)0x7ff) | (lost ? 0x800 : 0);
    }
    double value = (double)magnitude;
    return negative ? -value : value;
}

MgBits mg_bits_from_int(MgDType dtype, int64_t value) {
    if (dtype == MG_BOOL)
        return value != 0;
    if (dtype == MG_F64)
        return mg_bits_from_double(MG_F64, (double)value);
    if (mg_is_float(dtype)) {
        uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
        return mg_bits_from_double(dtype, double_to_odd(value < 0, magnitude));
    }
    return (uint64_t)value & low_bits(dtype);
}

MgBits mg_lowest(MgDType dtype) {
    if (mg_is_float(dtype))
        return mg_bits_from_double(dtype, dtype == MG_F8E4M3 ? -448 : -INFINITY);
    return mg_is_signed(dtype) ? (uint64_t)1 << (dtype_rows[dtype].bits - 1) : 0;
}

MgBits mg_highest(MgDType dtype) {
    if (mg_is_float(dtype))
        return mg_bits_from_double(dtype, dtype == MG_F8E4M3 ? 448 : INFINITY);
    if (dtype == MG_BOOL)
        return 1;
    return mg_is_signed(dtype) ? low_bits(dtype) >> 1 : low_bits(dtype);
}

// ---------------------------------------------------------------- primitives

static double reciprocal_root(double x) {
    return 1 / sqrt(x);
}
static double sign_of(double x) {
    return isnan(x) ? x : (double)((x > 0) - (x < 0));
}
static double negate(double x) {
    return -x;
}
static MgUnary *const unary[MG_PRIM_COUNT] = {
    [MG_PRIM_NEG] = negate,
    [MG_PRIM_ABS] = fabs,
    [MG_PRIM_SIGN] = sign_of,
    [MG_PRIM_SQRT] = sqrt,
    [MG_PRIM_RSQRT] = reciprocal_root,
    [MG_PRIM_EXP] = exp,
    [MG_PRIM_EXP2] = exp2,
    [MG_PRIM_EXPM1] = expm1,
    [MG_PRIM_LOG] = log,
    [MG_PRIM_LOG2] = log2,
    [MG_PRIM_LOG1P] = log1p,
    [MG_PRIM_SIN] = sin,
    [MG_PRIM_COS] = cos,
    [MG_PRIM_TAN] = tan,
    [MG_PRIM_ASIN] = asin,
    [MG_PRIM_ACOS] = acos,
    [MG_PRIM_ATAN] = atan,
    [MG_PRIM_SINH] = sinh,
    [MG_PRIM_COSH] = cosh,
    [MG_PRIM_TANH] = tanh,
    [MG_PRIM_ASINH] = asinh,
    [MG_PRIM_ACOSH] = acosh,
    [MG_PRIM_ATANH] = atanh,
    [MG_PRIM_ERF] = erf,
    [MG_PRIM_ERFC] = erfc,
    [MG_PRIM_FLOOR] = floor,
    [MG_PRIM_CEIL] = ceil,
    [MG_PRIM_ROUND] = roundeven,
    [MG_PRIM_TRUNC] = trunc,
};

MgUnary *mg_prim_unary(MgPrim prim) {
    return unary[prim];
}

static double float_binary(MgPrim prim, double a, double b) {
    switch (prim) {
    case MG_PRIM_ADD:
        return a + b;
    case MG_PRIM_SUB:
        return a - b;
    case MG_PRIM_MUL:
        return a * b;
    case MG_PRIM_DIV:
        return a / b;
    case MG_PRIM_REM:
        return fmod(a, b);
    case MG_PRIM_POW:
        return pow(a, b);
    case MG_PRIM_SCALEB:
        return isnan(b) ? b : scalbn(a, (int)floor(fmin(fmax(b, -4096), 4096)));
    case MG_PRIM_MIN:
        return isnan(a) ? a : isnan(b) ? b : b < a ? b : a;
    case MG_PRIM_MAX:
        return isnan(a) ? a : isnan(b) ? b : b > a ? b : a;
    default:
        return NAN;
    }
}

static MgBits eval_float(MgPrim prim, MgDType dtype, const MgBits *args) {
    double a = mg_bits_to_double(dtype, args[0]);
    if (prim == MG_PRIM_ISNAN)
        return isnan(a) != 0;
    if (unary[prim])
        return mg_bits_from_double(dtype, unary[prim](a));
    double b = mg_bits_to_double(dtype, args[1]);
    if (prim == MG_PRIM_FMA) {
        double c = mg_bits_to_double(dtype, args[2]);
        double exact = dtype == MG_F64 ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
        return mg_bits_from_double(dtype, exact);
    }
    return mg_bits_from_double(dtype, float_binary(prim, a, b));
}

static uint64_t shift(MgPrim prim, MgDType dtype, uint64_t a, uint64_t b) {
    int64_t value = mg_bits_to_int(dtype, a);
    bool outside = (b & low_bits(dtype)) >= dtype_rows[dtype].bits;
    if (prim == MG_PRIM_SHL)
        return outside ? 0 : a << b;
    if (outside)
        return mg_is_signed(dtype) && value < 0 ? UINT64_MAX : 0;
    return mg_is_signed(dtype) ? (uint64_t)(value >> b) : a >> b;
}

static uint64_t signed_divide(MgPrim prim, int64_t a, int64_t b) {
    bool divides = prim == MG_PRIM_DIV || prim == MG_PRIM_FDIV;
    if (b == 0)
        return 0;
    if (b == -1) // MIN / -1 wraps
        return divides ? -(uint64_t)a : 0;
    int64_t q = a / b, r = a % b;
    bool floors = prim == MG_PRIM_FDIV || prim == MG_PRIM_FMOD;
    if (floors && r != 0 && (r < 0) != (b < 0)) {
        q--;
        r += b;
    }
    return (uint64_t)(divides ? q : r);
}

static uint64_t divide(MgPrim prim, MgDType dtype, uint64_t a, uint64_t b) {
    if (mg_is_signed(dtype))
        return signed_divide(prim, mg_bits_to_int(dtype, a), mg_bits_to_int(dtype, b));
    if (b == 0)
        return 0;
    return prim == MG_PRIM_DIV || prim == MG_PRIM_FDIV ? a / b : a % b;
}

static bool int_less(MgDType dtype, uint64_t a, uint64_t b) {
    return mg_is_signed(dtype) ? mg_bits_to_int(dtype, a) < mg_bits_to_int(dtype, b) : a < b;
}

static MgBits eval_int(MgPrim prim, MgDType dtype, const MgBits *args) {
    uint64_t a = args[0], b = mg_prim(prim)->arity > 1 ? args[1] : 0, r = 0;
    bool negative = mg_is_signed(dtype) && mg_bits_to_int(dtype, a) < 0;
    switch (prim) {
    case MG_PRIM_ADD:
        r = a + b;
        break;
    case MG_PRIM_SUB:
        r = a - b;
        break;
    case MG_PRIM_MUL:
        r = a * b;
        break;
    case MG_PRIM_NEG:
        r = -a;
        break;
    case MG_PRIM_ABS:
        r = negative ? -a : a;
        break;
    case MG_PRIM_SIGN:
        r = negative ? UINT64_MAX : a != 0;
        break;
    case MG_PRIM_MIN:
        r = int_less(dtype, b, a) ? b : a;
        break;
    case MG_PRIM_MAX:
        r = int_less(dtype, a, b) ? b : a;
        break;
    case MG_PRIM_AND:
        r = a & b;
        break;
    case MG_PRIM_OR:
        r = a | b;
        break;
    case MG_PRIM_XOR:
        r = a ^ b;
        break;
    case MG_PRIM_NOT:
        r = dtype == MG_BOOL ? !a : ~a;
        break;
    case MG_PRIM_SHL:
    case MG_PRIM_SHR:
        r = shift(prim, dtype, a, b);
        break;
    case MG_PRIM_DIV:
    case MG_PRIM_REM:
    case MG_PRIM_FDIV:
    case MG_PRIM_FMOD:
        r = divide(prim, dtype, a, b);
        break;
    default:
        break;
    }
    return r & low_bits(dtype);
}

static bool compare(MgPrim prim, MgDType dtype, MgBits a, MgBits b) {
    bool less, equal;
    if (mg_is_float(dtype)) {
        double x = mg_bits_to_double(dtype, a), y = mg_bits_to_double(dtype, b);
        if (isnan(x) || isnan(y))
            return prim == MG_PRIM_NE;
        less = x < y;
        equal = x == y;
    } else {
        less = int_less(dtype, a, b);
        equal = a == b;
    }
    switch (prim) {
    case MG_PRIM_EQ:
        return equal;
    case MG_PRIM_NE:
        return !equal;
    case MG_PRIM_LT:
        return less;
    case MG_PRIM_LE:
        return less || equal;
    case MG_PRIM_GT:
        return !less && !equal;
    default:
        return !less;
    }
}

static MgBits cast(MgDType from, MgDType to, MgBits bits) {
    if (mg_is_float(from))
        return mg_bits_from_double(to, mg_bits_to_double(from, bits));
    if (from == MG_U64 && mg_is_float(to))
        return mg_bits_from_double(to, to == MG_F64 ? (double)bits : double_to_odd(false, bits));
    return mg_bits_from_int(to, mg_bits_to_int(from, bits));
}

static MgBits saturate(MgDType from, MgDType to, MgBits bits) {
    if (mg_is_float(from) || mg_is_float(to) || to == MG_BOOL)
        return cast(from, to, bits);
    int64_t value = mg_bits_to_int(from, bits);
    if (mg_is_signed(from) && value < 0) {
        if (!mg_is_signed(to))
            return 0;
        int64_t lowest = mg_bits_to_int(to, mg_lowest(to));
        return value < lowest ? mg_lowest(to) : (uint64_t)value & low_bits(to);
    }
    return bits > mg_highest(to) ? mg_highest(to) : bits;
}

MgBits mg_prim_eval(MgPrim prim, MgDType dtype, MgDType to, const MgBits *args) {
    switch (prim) {
    case MG_PRIM_CAST:
        return cast(dtype, to, args[0]);
    case MG_PRIM_SATURATE:
        return saturate(dtype, to, args[0]);
    case MG_PRIM_BITCAST:
        return args[0];
    case MG_PRIM_WHERE:
        return args[0] ? args[1] : args[2];
    case MG_PRIM_EQ:
    case MG_PRIM_NE:
    case MG_PRIM_LT:
    case MG_PRIM_LE:
    case MG_PRIM_GT:
    case MG_PRIM_GE:
        return compare(prim, dtype, args[0], args[1]);
    default:
        return mg_is_float(dtype) ? eval_float(prim, dtype, args) : eval_int(prim, dtype, args);
    }
}
