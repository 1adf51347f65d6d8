// The verifier of kernel IR: what its statements (kernel_verify.c) and the products and boxes among
// them (kernel_verify_product.c) share.
#ifndef MG_IR_KERNEL_VERIFY_H
#define MG_IR_KERNEL_VERIFY_H

#include "ir/kernel.h"
#include "ir/kernel_impl.h"

typedef struct MgKRange { // the range of a loop variable: low, low + step, … up to last
    bool known;
    int64_t low, last;
} MgKRange;

typedef struct MgKVerifier {
    MgSession *session;
    const MgKernel *k;
    MgArena *arena;
    MgMap visited;       // nodes checked in this statement
    bool *defined;       // by variable: it is in scope
    bool *varies;        // by variable: its value depends on the parallel variable
    MgKRange *ranges;    // of loop variables
    bool conditional;    // inside an if, a while or a loop that may be empty
    bool parallel;       // inside a parallel loop
    const MgKs *product; // the product whose sums are being computed concurrently
    bool ok;
} MgKVerifier;

__attribute__((format(printf, 2, 3))) void mg_kv_wrong(MgKVerifier *v, const char *format, ...);
const char *mg_kv_buf_name(const MgKVerifier *v, MgKBufId b);
static inline bool mg_kv_same_type(MgKType a, MgKType b) {
    return a.dtype == b.dtype && a.lanes == b.lanes;
}
// Reports x, called `what`, if it has another type.
void mg_kv_type(MgKVerifier *v, const MgKx *x, MgKType want, const char *what);

// kernel_verify_product.c: everything but what runs meanwhile.
void mg_kv_product(MgKVerifier *v, const MgKs *s);
void mg_kv_box(MgKVerifier *v, const MgKs *s);

#endif
