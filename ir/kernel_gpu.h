// What the printers of kernels for GPUs ask of a kernel, whatever they print: OpenCL C, or LLVM IR
// for one maker's devices.
#ifndef MG_IR_KERNEL_GPU_H
#define MG_IR_KERNEL_GPU_H

#include "ir/kernel_facts.h"
#include "support/map.h"

// The words that each element of an item's own array of short vectors fills, since registers are no
// shorter. 0: the array is kept as it is.
uint32_t mg_kbuf_words(const MgKBuf *b);
// The bytes of local memory that buffers use in turn, and their alignment. 0: there are none.
int64_t mg_kernel_overlay(const MgKernel *k, uint32_t *align);
// The condition under which a masked load reads all its lanes, and no other lane; NULL if lanes
// differ.
const MgKx *mg_kload_condition(const MgKx *load);
// The trips of a loop over items with constant bounds, if no item has two. -1: an item may have.
int64_t mg_kloop_single_trips(const MgKernel *k, const MgKs *s);
// Can a store that lands later (MgKs) be an asynchronous copy of one piece (MG_PIECE_BYTES)?
bool mg_kstore_copies(const MgKFacts *f, const MgKs *s);

// A kernel's boxes, each once, and the number of one among them; their count if it is not there.
typedef struct MgKBoxes {
    MG_VEC(const MgKBox *) list;
} MgKBoxes;
MgKBoxes mg_kernel_boxes(MgArena *arena, const MgKernel *k);
uint32_t mg_kboxes_number(const MgKBoxes *boxes, const MgKBox *b);

// ---------------------------------------------------------------- wide products (MgKProduct)
bool mg_kernel_has_wide(const MgKernel *k);
// May the statement store lines, in which factors of wide products lie?
bool mg_ks_stores_lines(const MgKernel *k, const MgKs *s);
// An item's own vectors of four f32 that the body of a product stores.
MgDistinct mg_kproduct_vectors(MgArena *arena, const MgKernel *k, const MgKBlock *body);

// An instruction takes a step of MG_PRODUCT_WORDS words of the depth, of which an item has
// MG_WIDE_HELD words of rows. If factors are split, each step has MG_WIDE_PARTS instructions,
// otherwise it has the last of them. The first multiplies low rows, the second low columns.
enum { MG_WIDE_HELD = 4, MG_WIDE_PARTS = 3 };
static inline uint32_t mg_wide_steps(const MgKProduct *q) {
    return q->depth / mg_atom_per_word(q->atom) / MG_PRODUCT_WORDS;
}
static inline uint32_t mg_wide_first_part(const MgKProduct *q) {
    return q->column_low ? 0 : MG_WIDE_PARTS - 1;
}
static inline bool mg_wide_low_row(uint32_t part) {
    return part == 0;
}
// Pieces (MG_PIECE_BYTES) from a factor's first element to what an instruction multiplies.
uint32_t mg_wide_row_piece(const MgKProduct *q, uint32_t step);
uint32_t mg_wide_column_piece(const MgKProduct *q, uint32_t step, uint32_t part);

#endif
