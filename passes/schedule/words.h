// Short words for index arithmetic, which is most of what schedules write.
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

static inline const MgKx *times(MgKernel *k, const MgKx *a, int64_t by) {
    return mg_kmul(k, a, mg_kint(k, by));
}

#endif
