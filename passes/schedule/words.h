// Short words for arithmetic in kernels, which is most of what schedules write. Those with a number
// on their right take it as i64: times(k, i, 16) is i * 16.
#ifndef MG_PASSES_SCHEDULE_WORDS_H
#define MG_PASSES_SCHEDULE_WORDS_H

#include "ir/kernel.h"

static inline const MgKx *num(MgKernel *k, int64_t v) {
    return mg_kint(k, v);
}
static inline const MgKx *un(MgKernel *k, MgPrim prim, const MgKx *a) {
    return mg_kprim(k, prim, a, NULL, NULL);
}
static inline const MgKx *bin(MgKernel *k, MgPrim prim, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, prim, a, b, NULL);
}
static inline const MgKx *add(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kadd(k, a, b);
}
static inline const MgKx *sub(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_SUB, a, b);
}
static inline const MgKx *mul(MgKernel *k, const MgKx *a, const MgKx *b) {
    return mg_kmul(k, a, b);
}
static inline const MgKx *quotient(MgKernel *k, const MgKx *a, const MgKx *b) { // rounded down
    return bin(k, MG_PRIM_FDIV, a, b);
}
static inline const MgKx *remainder_of(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_FMOD, a, b);
}
static inline const MgKx *plus(MgKernel *k, const MgKx *a, int64_t b) {
    return add(k, a, num(k, b));
}
static inline const MgKx *minus(MgKernel *k, const MgKx *a, int64_t b) {
    return sub(k, a, num(k, b));
}
static inline const MgKx *times(MgKernel *k, const MgKx *a, int64_t b) {
    return mul(k, a, num(k, b));
}
static inline const MgKx *over(MgKernel *k, const MgKx *a, int64_t b) { // rounded down
    return quotient(k, a, num(k, b));
}
static inline const MgKx *modulo(MgKernel *k, const MgKx *a, int64_t b) {
    return remainder_of(k, a, num(k, b));
}
static inline const MgKx *least(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_MIN, a, b);
}
static inline const MgKx *greatest(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_MAX, a, b);
}
static inline const MgKx *less(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_LT, a, b);
}
static inline const MgKx *equal(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_EQ, a, b);
}
static inline const MgKx *both(MgKernel *k, const MgKx *a, const MgKx *b) { // NULL: always
    return a && b ? bin(k, MG_PRIM_AND, a, b) : a ? a : b;
}
static inline const MgKx *either(MgKernel *k, const MgKx *a, const MgKx *b) {
    return bin(k, MG_PRIM_OR, a, b);
}
static inline const MgKx *where(MgKernel *k, const MgKx *which, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, MG_PRIM_WHERE, which, a, b);
}
static inline const MgKx *cast(MgKernel *k, MgDType to, const MgKx *x) {
    return mg_kcast(k, MG_PRIM_CAST, to, x);
}
static inline const MgKx *converted(MgKernel *k, MgDType to, const MgKx *x) { // if it has another
    return x->type.dtype == to ? x : cast(k, to, x);
}

// The lanes of a vector: those of the positions from `first` on that are below `end`; and elements
// of a buffer from `at` on.
static inline const MgKx *lanes_below(MgKernel *k, const MgKx *first, const MgKx *end,
                                      uint32_t lanes) {
    return less(k, mg_kramp(k, first, num(k, 1), lanes), mg_ksplat(k, end, lanes));
}
static inline const MgKx *loaded(MgKernel *k, MgKBufId buf, const MgKx *at, uint32_t lanes) {
    return mg_kload(k, buf, at, lanes, NULL, NULL);
}
static inline MgKs *store(MgKernel *k, MgKBlock *block, MgKBufId buf, const MgKx *at,
                          const MgKx *x) {
    return mg_kstore(k, block, buf, at, x, NULL);
}

// Statements: a name for a value; what is done under a condition; and loops.
static inline const MgKx *named(MgKernel *k, MgKBlock *block, const char *name, const MgKx *x) {
    return mg_klet_x(k, block, name, x);
}
static inline MgKBlock *block_if(MgKernel *k, MgKBlock *block, const MgKx *condition) {
    return condition ? &mg_kif(k, block, condition)->body : block; // NULL: always
}
// What one worker does for all.
static inline MgKBlock *first_worker(MgKernel *k, MgKBlock *block) {
    return block_if(k, block, equal(k, mg_kspecial(k, MG_KX_WORKER), num(k, 0)));
}
// The only element of a private buffer.
static inline const MgKx *held(MgKernel *k, MgKBufId buf) {
    return loaded(k, buf, num(k, 0), k->bufs.at[buf].elem.lanes);
}
static inline void set_held(MgKernel *k, MgKBlock *block, MgKBufId buf, const MgKx *x) {
    store(k, block, buf, num(k, 0), x);
}
// Brings two operands to the same number of lanes.
static inline void widened(MgKernel *k, const MgKx **a, const MgKx **b) {
    uint32_t lanes = (*a)->type.lanes > (*b)->type.lanes ? (*a)->type.lanes : (*b)->type.lanes;
    *a = mg_ksplat(k, *a, lanes);
    *b = mg_ksplat(k, *b, lanes);
}
static inline const MgKx *both_wide(MgKernel *k, const MgKx *a, const MgKx *b) { // NULL: always
    if (a && b)
        widened(k, &a, &b);
    return both(k, a, b);
}
typedef struct Loop {
    MgKBlock *body;
    const MgKx *at; // the loop's index
} Loop;
static inline Loop loop_of(MgKernel *k, MgKBlock *block, MgLoopKind kind, const char *name,
                           const MgKx *low, const MgKx *high, int64_t step) {
    MgKs *loop = mg_kfor(k, block, kind, name, low, high, step);
    return (Loop){&loop->body, mg_kvar(k, loop->var)};
}
static inline Loop each_from(MgKernel *k, MgKBlock *block, const char *name, const MgKx *low,
                             const MgKx *high, int64_t step) {
    return loop_of(k, block, MG_LOOP_SERIAL, name, low, high, step);
}
static inline Loop each_of(MgKernel *k, MgKBlock *block, const char *name, const MgKx *n) {
    return loop_of(k, block, MG_LOOP_SERIAL, name, num(k, 0), n, 1);
}
static inline Loop share_out(MgKernel *k, MgKBlock *block, const char *name, const MgKx *n) {
    return loop_of(k, block, MG_LOOP_PARALLEL, name, num(k, 0), n, 1);
}
// Over groups, n of which have work: the kernel says the most that a loop has work for.
static inline Loop each_group(MgKernel *k, MgKBlock *block, const char *name, const MgKx *n) {
    k->groups = k->groups ? greatest(k, k->groups, n) : n;
    return loop_of(k, block, MG_LOOP_GROUP, name, num(k, 0), n, 1);
}

#endif
