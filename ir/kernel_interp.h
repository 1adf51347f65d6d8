// The interpreter of kernel IR: shared by its statements (kernel_interp.c), expressions
// (kernel_interp_eval.c) and products (kernel_interp_product.c).
#ifndef MG_IR_KERNEL_INTERP_H
#define MG_IR_KERNEL_INTERP_H

#include "ir/kernel_impl.h"
#include "ir/kernel_memory.h"

enum { MG_K_MAX_LANES = 64 };

typedef struct MgKFrame {
    const MgKs *owner; // the loop or branch; NULL: the kernel
    const MgKBlock *block;
    uint32_t next;
    int64_t i, high; // of a loop: its counter and end
} MgKFrame;

typedef struct MgKValue { // the value of a variable, or of a node with several users
    uint64_t epoch;
    MgBits *bits;
} MgKValue;

typedef struct MgKLanding { // an element that is stored later
    MgKBufId buf;
    int64_t element;
    MgBits value;
} MgKLanding;

typedef struct MgKSlot { // what boxes of a slot bring
    uint32_t n, together;
    uint32_t released; // items that have finished with it, if it was ever filled
    bool filled;
    MG_VEC(MgKLanding) landing;
} MgKSlot;

typedef struct MgKWorker { // one item of one group
    uint32_t group, item;
    MG_VEC(MgKFrame) stack;
    MgKValue *vars;
    const MgKs *at;      // the barrier, the boxes, the posts or the product of held rows for which
                         // it waits, or a TAKE; NULL: it runs, or has ended
    MgKSlot *slots;      // of the first item of a group; NULL: there were no boxes
    MG_VEC(MgBits) held; // its part of these rows
    uint64_t joint;      // a hash of the matrix products in which it took part, without ...
    uint64_t wide;       // ... wide ones, of which this is one
    MG_VEC(MgKLanding) landing;        // the stores of the latest product, and ...
    MG_VEC(MgKLanding) lagging_stores; // ... of the product before it, if that lags
    const MgKs *lagging;               // a product that is not complete, or NULL
    int64_t row0, column0;             // of the latest product
} MgKWorker;

typedef struct MgKMachine {
    MgSession *session;
    MgArena *arena;
    const MgKernel *k;
    MgKMemory *memory;
    uint32_t workers, items;
    MgKWorker *worker; // the current worker
    MgMap shared;      // node to its index in values
    MG_VEC(MgKValue) values;
    MG_VEC(MgBits) product; // the sums and factors of the current product
    uint64_t epoch;         // number of the current statement
    uint64_t done;          // the statements that items have begun
    uint32_t *trap;
    const MgKBufferArg *params;
    MgKHistory *history; // NULL: accesses are not compared with those of other calls
    bool alone;          // one worker makes the call, whichever it is
    MgKCallFn *call;     // NULL if k is not a plan
    void *ctx;
    bool releases; // the kernel has a RELEASE
    bool failed;
} MgKMachine;

// kernel_interp.c: opens a block. For a loop, i is the counter and high its end.
void mg_kmachine_push(MgKMachine *m, const MgKs *owner, const MgKBlock *block, int64_t i,
                      int64_t high);

// kernel_interp_eval.c -------------------------------------------------------------------------
__attribute__((format(printf, 2, 3))) void mg_kmachine_fail(MgKMachine *m, const char *format, ...);
// Evaluates all lanes of x; they are 0 after a failure.
void mg_kmachine_eval(MgKMachine *m, const MgKx *x, MgBits *out);
int64_t mg_kmachine_eval_int(MgKMachine *m, const MgKx *x);
// The number of the scalar that lane `lane` of an access touches.
int64_t mg_kmachine_element(const MgKMachine *m, MgKBufId buf, const MgKx *index, const MgBits *at,
                            uint32_t lane);
MgBits mg_kmachine_read(MgKMachine *m, MgKBufId buf, int64_t element);
void mg_kmachine_write(MgKMachine *m, MgKBufId buf, int64_t element, MgBits value);
MgBits mg_kmachine_shared(MgKMachine *m, MgKBufId buf, int64_t element, uint32_t adds);

// kernel_interp_product.c ----------------------------------------------------------------------
// The sum and the products of the neighbours in two words.
MgBits mg_kmachine_dot(MgAtom atom, MgBits sum, MgBits row, MgBits column);
// kernel_interp_box.c: all items of a group, from the first on, reach a box, or wait for a slot;
// and an item releases one.
void mg_kmachine_box(MgKMachine *m, MgKWorker *first, const MgKs *s);
void mg_kmachine_landed(MgKMachine *m, MgKWorker *first, const MgKs *s);
void mg_kmachine_release(MgKMachine *m, const MgKs *s);
// All items of a group have met, which releases all slots in a kernel that has no RELEASE.
void mg_kmachine_met(MgKMachine *m, MgKWorker *first);

void mg_kmachine_begin_product(MgKMachine *m, const MgKs *s);
void mg_kmachine_end_product(MgKMachine *m, const MgKs *s);
// Completes what lags, if anything does.
void mg_kmachine_end_lagging(MgKMachine *m);
// Records this item's part of held rows, which the other items read before they change.
void mg_kmachine_hold(MgKMachine *m, const MgKs *s);

#endif
