// Shared by the files of kernel IR; schedules and backends use kernel.h.
#ifndef MG_IR_KERNEL_IMPL_H
#define MG_IR_KERNEL_IMPL_H

#include "ir/kernel.h"

MgKx *mg_kernel_node(MgKernel *k, MgKxKind kind, MgKType type);
MgKs *mg_kernel_append(MgKernel *k, MgKBlock *b, MgKsKind kind);
MgKVarId mg_kernel_var(MgKernel *k, MgSym name, MgKType type);

// Rebuilds x by its constructor, which simplifies it, with operands a (NULL for those that x
// lacks).
const MgKx *mg_kx_remake(MgKernel *k, const MgKx *x, const MgKx *const *a);

// Is x an integer or bool constant (in every lane)? If so, sets its value.
bool mg_kx_is_int(const MgKx *x, int64_t *value);
// The number of integers in [low, high), which may exceed the range of a signed number.
static inline uint64_t mg_kspan(int64_t low, int64_t high) {
    return high > low ? (uint64_t)high - (uint64_t)low : 0;
}
// The number of low bits of an integer that are known to be 0: n means a multiple of 2^n
// (kernel_fold.c).
uint32_t mg_kx_zeros(const MgKernel *k, const MgKx *x);
// Is it free to repeat? Constants, variables and the numbers of workers and items are.
static inline bool mg_kx_is_leaf(const MgKx *x) {
    return x->kind == MG_KX_CONST || x->kind == MG_KX_VAR || x->kind >= MG_KX_WORKER;
}

// The nodes below x that have more than one user among `roots` (the expressions of one statement),
// without leaves, operands before users. A printer or the legaliser names them, so that a shared
// node is written once.
typedef struct MgKxList {
    MG_VEC(const MgKx *) list;
} MgKxList;
void mg_kx_shared(MgArena *arena, const MgKx *const *roots, uint32_t n, MgKxList *out);
// The statement's own expressions (not those of its blocks or its call), at most MG_KS_ROOTS.
// Returns their number.
enum { MG_KS_ROOTS = 5 + MG_BOX_PLACES };
uint32_t mg_ks_roots(const MgKs *s, const MgKx **roots);

#endif
