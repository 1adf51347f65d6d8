// From kernel IR to LLVM IR for NVIDIA's devices: the declarations that the emitting files share.
// kernel.c makes a kernel, statement.c its statements, value.c expressions, float.c functions for
// float arithmetic, product.c, split.c and wide.c products of matrices, box.c boxes.
//
// Numbers are computed as a CPU's kernels compute them (backends/cpu/emit_prim.c), but for what
// value.c and float.c replace. What kernels mean, and which instructions they become, is as in
// OpenCL C (backends/opencl), whose kernels have the same arguments.
#ifndef MG_BACKENDS_NVPTX_EMIT_H
#define MG_BACKENDS_NVPTX_EMIT_H

#include "backends/cpu/emit.h"
#include "ir/kernel_gpu.h"

// Address spaces of LLVM's target.
typedef enum MgNvSpace { MG_NV_GLOBAL = 1, MG_NV_SHARED = 3, MG_NV_CONSTANT = 4 } MgNvSpace;

typedef struct MgNvEmit {
    MgCpuEmit e; // it is the first member, so that its functions' argument is this
    MgKFacts facts;
    const char *name;                 // the kernel's
    LLVMValueRef item, group, groups; // i32
    LLVMValueRef trap;                // NULL: the kernel can't trap
    bool wide;                        // it has wide products
    bool lines_stored;                // items may have stored lines of local memory since a barrier
    bool releases;                    // items release the slots of boxes
    LLVMValueRef landing, released;   // the barriers of slots, in local memory
    LLVMValueRef phases;              // the place of a word with a bit for each slot
    MgKBoxes boxes;
    LLVMValueRef *maps; // the address of each box's map
    uint32_t arguments; // before the maps
} MgNvEmit;
static inline MgNvEmit *mg_nv(MgCpuEmit *e) {
    return (MgNvEmit *)e;
}

// ---------------------------------------------------------------- kernel.c
// Can the kernel be emitted? Otherwise it stays OpenCL C alone.
bool mg_nv_can_emit(const MgKernel *k);
// Emits k, which can be, as a kernel of that name.
void mg_nv_kernel(MgNvEmit *n, const MgKernel *k, const char *name);
// An array in local memory, undefined at the start.
LLVMValueRef mg_nv_shared(MgNvEmit *n, const char *name, LLVMTypeRef element, uint64_t count,
                          uint32_t align);

// ---------------------------------------------------------------- value.c
LLVMValueRef mg_nv_own(MgCpuEmit *e, const MgKx *x); // MgCpuEmit's `own`
LLVMValueRef mg_nv_i32(MgNvEmit *n, int64_t value);
// The value of a scalar i64 in 32 bits, if it is narrow (ir/kernel_facts.h), or cut to them.
LLVMValueRef mg_nv_word(MgNvEmit *n, const MgKx *x);
LLVMTypeRef mg_nv_element(MgNvEmit *n, const MgKBuf *b); // of a buffer, in memory
// The address of element `index` of a buffer. A vector index gives a vector of addresses.
LLVMValueRef mg_nv_place(MgNvEmit *n, MgKBufId buf, const MgKx *index);
// The alignment of lanes of type t there.
uint32_t mg_nv_align(const MgNvEmit *n, MgKBufId buf, const MgKx *index, MgKType t);
LLVMValueRef mg_nv_step(MgNvEmit *n, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef by);
LLVMValueRef mg_nv_load(MgNvEmit *n, LLVMTypeRef type, LLVMValueRef address, uint32_t align);
void mg_nv_store(MgNvEmit *n, LLVMValueRef value, LLVMValueRef address, uint32_t align);
LLVMValueRef mg_nv_lane(MgNvEmit *n, LLVMValueRef vector, uint32_t lane);
LLVMValueRef mg_nv_vector(MgNvEmit *n, LLVMValueRef *lanes, uint32_t count);
LLVMValueRef mg_nv_binary(MgNvEmit *n, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b);
// The address of local memory as instructions take it.
LLVMValueRef mg_nv_local(MgNvEmit *n, LLVMValueRef pointer);

// Assembly with operands $0, $1, ..., as LLVM takes it. The result has type `result`, or is a
// structure of `n_results` such values (0: none).
typedef struct MgNvAsm {
    const char *text, *constraints;
    LLVMTypeRef result;
    uint32_t n_results;
    bool pure; // it has no other effect than its results, and all items need not take part
} MgNvAsm;
LLVMValueRef mg_nv_asm(MgNvEmit *n, const MgNvAsm *what, LLVMValueRef *args, uint32_t n_args);

// ---------------------------------------------------------------- float.c
LLVMValueRef mg_nv_quotient(MgNvEmit *n, const MgKx *x); // of f32, as is the root
LLVMValueRef mg_nv_root(MgNvEmit *n, const MgKx *x);
LLVMValueRef mg_nv_rough_exp2(MgNvEmit *n, const MgKx *x);
LLVMValueRef mg_nv_extremum_f64(MgNvEmit *n, const MgKx *x);
LLVMValueRef mg_nv_to_bf16(MgNvEmit *n, const MgKx *x);
LLVMValueRef mg_nv_fma(MgNvEmit *n, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

// ---------------------------------------------------------------- statement.c
void mg_nv_statements(MgNvEmit *n, const MgKBlock *block);
// Emits a branch on a bool, and leaves the builder inside. mg_nv_end joins what follows; mg_nv_join
// does, too, and gives the value from inside, or another.
typedef struct MgNvIf {
    LLVMBasicBlockRef from, after;
} MgNvIf;
MgNvIf mg_nv_if(MgNvEmit *n, LLVMValueRef condition);
void mg_nv_end(MgNvEmit *n, const MgNvIf *branch);
LLVMValueRef mg_nv_join(MgNvEmit *n, const MgNvIf *branch, LLVMValueRef inside, LLVMValueRef other);

// ---------------------------------------------------------------- product.c, split.c, wide.c
void mg_nv_product(MgNvEmit *n, const MgKs *s);
LLVMValueRef mg_nv_multiply(MgNvEmit *n, MgAtom atom, LLVMValueRef sum, LLVMValueRef const *rows,
                            LLVMValueRef const *columns); // words: four and two
// The address of the first element of a factor that this item reads; see print_product.c's pointer.
LLVMValueRef mg_nv_factor(MgNvEmit *n, MgKBufId buf, const MgKx *first, int64_t step, int64_t next);
void mg_nv_split(MgNvEmit *n, const MgKs *s);
// The two numbers of tf32 that f32 is the sum of, as words.
void mg_nv_parts(MgNvEmit *n, LLVMValueRef x, LLVMValueRef *upper, LLVMValueRef *rest);
void mg_nv_wide(MgNvEmit *n, const MgKs *s);
void mg_nv_await(MgNvEmit *n, const MgKs *s);
void mg_nv_before_barrier(MgNvEmit *n);
void mg_nv_copy_later(MgNvEmit *n, const MgKs *s); // a store that copies (mg_kstore_copies)

// ---------------------------------------------------------------- box.c
void mg_nv_begin_boxes(MgNvEmit *n);
void mg_nv_box(MgNvEmit *n, const MgKs *s);
void mg_nv_landed(MgNvEmit *n, const MgKs *s);
void mg_nv_release(MgNvEmit *n, const MgKs *s);

#endif
