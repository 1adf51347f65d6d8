#include "passes/exact.h"

static bool constant(const MgSx *x, MgDType type) {
    double value = mg_bits_to_double(x->dtype, x->bits);
    if (mg_is_int(x->dtype) && mg_dtype_size(x->dtype) > 4) // such a value may not be exact as a
                                                            // double
        return false;
    bool is_nan = value != value;
    return is_nan ? mg_is_float(type)
                  : mg_bits_to_double(type, mg_bits_from_double(type, value)) == value;
}

// ---------------------------------------------------------------- ranges of integers
typedef struct Range {
    int64_t low, high;
} Range;

// The range of a type, if it fits into i64.
static bool range_of_type(MgDType type, Range *r) {
    uint32_t bits = mg_dtype(type)->bits, sign = mg_is_signed(type);
    if (!mg_is_int(type) || bits - sign > 62)
        return false;
    r->low = sign ? -(INT64_C(1) << (bits - 1)) : 0;
    r->high = (INT64_C(1) << (bits - sign)) - 1;
    return true;
}

static bool lies_in(Range r, Range other) {
    return r.low >= other.low && r.high <= other.high;
}

static Range joined(Range a, Range b) {
    return (Range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static bool range_of(MgGraph *g, const MgOp *op, const MgSx *x, Range *r);

// The range of an operation on integers of at most 32 bits, before it wraps.
static bool combined(const MgSx *x, Range a, Range b, Range *r) {
    switch (x->prim) {
    case MG_PRIM_ADD:
        *r = (Range){a.low + b.low, a.high + b.high};
        return true;
    case MG_PRIM_SUB:
        *r = (Range){a.low - b.high, a.high - b.low};
        return true;
    case MG_PRIM_MIN:
        *r = (Range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
        return true;
    case MG_PRIM_MAX:
        *r = (Range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
        return true;
    default:
        return false;
    }
}

static bool primitive_range(MgGraph *g, const MgOp *op, const MgSx *x, Range *r) {
    Range a, b;
    uint32_t first = x->prim == MG_PRIM_WHERE;
    if (x->n_args == first || !range_of(g, op, x->args[first], &a))
        return false;
    if (x->prim == MG_PRIM_CAST || x->prim == MG_PRIM_SATURATE) {
        *r = a;
        return true;
    }
    if (x->n_args < first + 2 || !range_of(g, op, x->args[first + 1], &b))
        return false;
    if (x->prim == MG_PRIM_WHERE) {
        *r = joined(a, b);
        return true;
    }
    return combined(x, a, b, r);
}

// The range of the values of x, an integer of at most 32 bits. False if it is not obvious.
static bool range_of(MgGraph *g, const MgOp *op, const MgSx *x, Range *r) {
    Range type, other;
    if (mg_dtype_size(x->dtype) > 4 || !range_of_type(x->dtype, &type))
        return false;
    *r = type;
    if (x->kind == MG_SX_CONST) {
        r->low = r->high = mg_bits_to_int(x->dtype, x->bits);
    } else if (x->kind == MG_SX_READ) {
        if (!range_of_type(mg_value(g, op->operands[x->operand])->dtype, r))
            *r = type;
        if (x->bounds == MG_BOUNDS_ELSE)
            *r = range_of(g, op, x->otherwise, &other) ? joined(*r, other) : type;
    } else if (x->kind == MG_SX_PRIM) {
        if (!primitive_range(g, op, x, r))
            *r = type;
    }
    if (!lies_in(*r, type)) // it may wrap
        *r = type;
    return true;
}

static bool range_fits(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type) {
    Range r, room;
    return range_of_type(type, &room) && range_of(g, op, x, &r) && lies_in(r, room);
}

// ---------------------------------------------------------------- any type
static bool primitive(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type) {
    switch (x->prim) {
    case MG_PRIM_CAST: // a value that fits is not changed, and a narrow operand fits in any case
        return mg_dtype_holds(type, x->dtype) ||
               (mg_dtype_holds(x->dtype, type) && mg_sx_is_exact_in(g, op, x->args[0], type));
    case MG_PRIM_NEG:
    case MG_PRIM_ABS: // the lowest integer has no positive counterpart
        return mg_is_float(type) && mg_is_float(x->dtype) &&
               mg_sx_is_exact_in(g, op, x->args[0], type);
    case MG_PRIM_WHERE:
        return mg_sx_is_exact_in(g, op, x->args[1], type) &&
               mg_sx_is_exact_in(g, op, x->args[2], type);
    default:
        return mg_dtype_holds(type, x->dtype) || range_fits(g, op, x, type);
    }
}

bool mg_sx_is_exact_in(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type) {
    switch (x->kind) {
    case MG_SX_CONST:
        return constant(x, type);
    case MG_SX_READ:
        return mg_dtype_holds(type, mg_value(g, op->operands[x->operand])->dtype) &&
               (x->bounds != MG_BOUNDS_ELSE || mg_sx_is_exact_in(g, op, x->otherwise, type));
    case MG_SX_PRIM:
        return primitive(g, op, x, type);
    default:
        return mg_dtype_holds(type, x->dtype);
    }
}

bool mg_sx_are_exact_in_16(MgGraph *g, const MgOp *op, const MgSx *x, const MgSx *y) {
    static const MgDType types[] = {MG_BF16, MG_F16};
    for (uint32_t i = 0; i < 2; i++)
        if (mg_sx_is_exact_in(g, op, x, types[i]) && mg_sx_is_exact_in(g, op, y, types[i]))
            return true;
    return false;
}
