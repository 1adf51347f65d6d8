#include "passes/exact.h"

static bool constant(const MgSx *x, MgDType type) {
    double value = mg_bits_to_double(x->dtype, x->bits);
    if (mg_is_int(x->dtype) && mg_dtype_size(x->dtype) > 4) // such a value may not be a double
        return false;
    bool is_nan = value != value;
    return is_nan ? mg_is_float(type)
                  : mg_bits_to_double(type, mg_bits_from_double(type, value)) == value;
}

static bool primitive(MgGraph *g, const MgOp *op, const MgSx *x, MgDType type) {
    switch (x->prim) {
    case MG_PRIM_CAST: // what fits is not changed by it, and a narrow result fits by itself
        return mg_dtype_holds(type, x->dtype) ||
               (mg_dtype_holds(x->dtype, type) && mg_sx_is_exact_in(g, op, x->args[0], type));
    case MG_PRIM_NEG:
    case MG_PRIM_ABS: // the lowest integer has no opposite
        return mg_is_float(type) && mg_is_float(x->dtype) &&
               mg_sx_is_exact_in(g, op, x->args[0], type);
    case MG_PRIM_WHERE:
        return mg_sx_is_exact_in(g, op, x->args[1], type) &&
               mg_sx_is_exact_in(g, op, x->args[2], type);
    default:
        return mg_dtype_holds(type, x->dtype);
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
