// A call while sema_arguments.c, sema_types.c and sema_bind.c bind it, one after the other.
#ifndef MG_FRONTEND_SEMA_CALL_H
#define MG_FRONTEND_SEMA_CALL_H

#include "frontend/sema_internal.h"

typedef struct MgOperand {
    const MgAstParam *param;
    MgVal val;
    MgSpan span;
    MgSym text;
    bool solved;
} MgOperand;

typedef struct MgOpCall {
    MgCtx *c; // of the caller
    MgEnv *env;
    const MgAstItem *item;
    MgSpan span;
    MG_VEC(MgOperand) operands;
    MgArguments variadic;
} MgOpCall;

static inline bool mg_is_operand_param(const MgAstParam *p) {
    return p->kind == MG_PARAM_TENSOR;
}

bool mg_bind_arguments(MgOpCall *k, const MgArguments *args, MgLayerInstance *instance);
bool mg_check_attribute(MgOpCall *k, const MgAstParam *p, MgVal *v, MgSpan span);
// What to write instead of an operand of the wrong kind, or "".
const char *mg_operand_advice(const MgVal *v);
const char *mg_kind_text(MgSema *s, const MgAstParam *p);
bool mg_bind_types(MgOpCall *k);   // type parameters; a number takes the type of its operand
bool mg_solve_shapes(MgOpCall *k); // dimensions, packs, defaults
// Reports attributes without a value: all of them, or only those without a default. Returns whether
// there were any.
bool mg_missing_attributes(MgOpCall *k, bool all);
bool mg_spread_lists(MgOpCall *k);     // a single number for int[..X] becomes a list as long as X
bool mg_declare_operands(MgOpCall *k); // the axes of their entries, and the factors of products
bool mg_run_clauses(MgOpCall *k);

#endif
