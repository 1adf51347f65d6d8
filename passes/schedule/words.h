// Short words for arithmetic in kernels, which is most of what schedules write. Those with a number
// on their right take it as i64: times(k, i, 16) is i * 16.
#ifndef MG_PASSES_SCHEDULE_WORDS_H
#define MG_PASSES_SCHEDULE_WORDS_H

#include "ir/kernel.h"

static inline const MgKx *num(MgKernel *k, int64_t v) {
    return mg_kint(k, v);
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

// The lanes of a vector: those of the positions from `first` on that are below `end`; and elements
// of a buffer from `at` on.
static inline const MgKx *lanes_below(MgKernel *k, const MgKx *first, const MgKx *end,
                                      uint32_t lanes) {
    return less(k, mg_kramp(k, first, num(k, 1), lanes), mg_ksplat(k, end, lanes));
}
static inline const MgKx *loaded(MgKernel *k, MgKBufId buf, const MgKx *at, uint32_t lanes) {
    return mg_kload(k, buf, at, lanes, NULL, NULL);
}

#endif
