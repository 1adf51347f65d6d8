// Declarations that the files of the OpenCL printer share. print.c prints statements and kernels,
// print_expr.c expressions, print_float.c functions for float arithmetic.
#ifndef MG_BACKENDS_OPENCL_PRINT_IMPL_H
#define MG_BACKENDS_OPENCL_PRINT_IMPL_H

#include "backends/opencl/print.h"
#include "ir/kernel_gpu.h"

typedef struct MgClPrinter {
    MgSession *session;
    const MgKernel *k;
    MgArena *arena;
    MgMap *known;    // helper functions of the source
    MgText *helpers; // helper functions that this kernel uses first
    MgKFacts facts;
    size_t *masks;  // by variable, of a vector of bools: the bytes of each lane, as selects take
                    // them; 0: chars
    MgText *body;   // statements so far
    uint32_t depth; // of indentation
    uint32_t temporaries;
    bool wide;         // the kernel has wide products
    bool lines_stored; // items may have stored lines of local memory since a barrier
    MgKBoxes boxes;
    bool releases;              // items release the boxes' slots
    const char *group, *groups; // the number of this group, and the number of groups, as text
    bool ok;
} MgClPrinter;

// The C text of an expression. Statements that must precede it (components of a gather) are
// printed.
const char *mg_cl_expr(MgClPrinter *p, const MgKx *x);
// Starts a line; arguments as for printf.
void mg_cl_line(MgClPrinter *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *mg_cl_type(MgClPrinter *p, MgKType type);    // of a value
const char *mg_cl_storage(MgClPrinter *p, MgKType type); // of an element in memory
const char *mg_cl_var(MgClPrinter *p, MgKVarId v);
const char *mg_cl_buf(MgClPrinter *p, MgKBufId b); // the base of the buffer; of a worker's scratch,
                                                   // the base of this worker's part
void mg_cl_refuse(MgClPrinter *p, const char *what);
// A memory type qualified with the buffer's address space, for pointers into it.
const char *mg_cl_place(MgClPrinter *p, MgKBufId buf, MgKType type);
// The words in which an item's own array of short vectors is kept, since registers are no shorter.
// NULL: it is kept as it is.
const char *mg_cl_packed(const MgKBuf *b);
// Converts a value to its type in memory.
const char *mg_cl_stored(MgClPrinter *p, MgKType type, const char *value);
// The name of a helper that performs one masked access ("load" or "store") of elements of buf, with
// one index, or with one index per lane.
const char *mg_cl_masked(MgClPrinter *p, bool store, MgKBufId buf, MgKType type, bool scattered);
// print_product.c: prints a statement that multiplies matrices.
void mg_cl_product(MgClPrinter *p, const MgKs *s);
// print_split.c: for a product that splits its factors, whose pointers have been printed: the sums
// by the matrix instruction; and `sum`, number i of the item's, of whole factors.
void mg_cl_split_sums(MgClPrinter *p, const MgKs *s);
// The parts of fragment i of a factor, NAME_upper and NAME_rest: vectors of `lanes` elements.
void mg_cl_fragment(MgClPrinter *p, const char *name, uint32_t i, uint32_t lanes,
                    const char *elements);
void mg_cl_whole_sum(MgClPrinter *p, const MgKProduct *q);
// The element `at` of a product's factor, in the type of the sums.
const char *mg_cl_factor(MgClPrinter *p, MgDType type, const char *of, const char *at);
// For wide products: prints such a statement, with `body` printing its body; and what its barriers
// need.
void mg_cl_wide_product(MgClPrinter *p, const MgKs *s,
                        void (*body)(MgClPrinter *, const MgKBlock *));
void mg_cl_before_barrier(MgClPrinter *p);
// The helper functions of wide products, and MG_WIDE if the device has them.
void mg_cl_wide_helpers(MgClPrinter *p);
// Declares the array in which items show held rows to each other, if there are no instructions for
// that.
void mg_cl_declare_held(MgClPrinter *p);
void mg_cl_await(MgClPrinter *p, const MgKs *s);
// A store that is an asynchronous copy (mg_kstore_copies).
void mg_cl_copy_later(MgClPrinter *p, const MgKs *s);
// A barrier of the group.
void mg_cl_barrier(MgClPrinter *p);
// print_box.c: for a kernel's boxes, prints their parameters, which follow the others, what
// the kernel needs at its start (it has so many `arguments` before these), and the statements.
void mg_cl_box_parameters(MgClPrinter *p);
void mg_cl_begin_boxes(MgClPrinter *p, const char *kernel, uint32_t arguments);
void mg_cl_box(MgClPrinter *p, const MgKs *s);
void mg_cl_landed(MgClPrinter *p, const MgKs *s);
void mg_cl_release(MgClPrinter *p, const MgKs *s);
// x as a long even if it is narrow (ir/kernel_facts.h), which is printed as an int.
const char *mg_cl_long(MgClPrinter *p, const MgKx *x);
// A buffer as scalars, for such a helper. If its elements are vectors, *index becomes an index of
// lanes.
const char *mg_cl_scalars(MgClPrinter *p, MgKBufId buf, const char **index);
// A comparison as lanes of `size` bytes with all bits set or none. NULL if its lanes have another
// size.
const char *mg_cl_mask(MgClPrinter *p, const MgKx *x, size_t size);
// The type of these lanes, for values of type t.
const char *mg_cl_mask_type(MgClPrinter *p, MgKType t);
// Gives the value of x a temporary variable, unless it is a variable already.
const char *mg_cl_named(MgClPrinter *p, const MgKx *x);

// Must the helper of this name still be printed? Afterwards it counts as printed.
bool mg_cl_need_helper(MgClPrinter *p, const char *name);
const char *mg_cl_component(MgClPrinter *p, const char *vector, uint32_t lane);

// print_float.c ------------------------------------------------------------ calls of functions
const char *mg_cl_extremum(MgClPrinter *p, const MgKx *x, const char *a, const char *b);
const char *mg_cl_scaleb(MgClPrinter *p, const MgKx *x, const char *a, const char *n);
const char *mg_cl_rough_exp2(MgClPrinter *p, const MgKx *x, const char *a);
// Of f32.
const char *mg_cl_quotient(MgClPrinter *p, const MgKx *x, const char *a, const char *b);
const char *mg_cl_root(MgClPrinter *p, const MgKx *x, const char *a);

// meet.c: the code for a kernel whose groups meet: before the kernel, at its start (the rest goes
// into a block), and in place of a barrier over the grid.
void mg_cl_meet_helpers(MgClSource *source);
void mg_cl_join(MgClPrinter *p);
void mg_cl_meet(MgClPrinter *p);

#endif
