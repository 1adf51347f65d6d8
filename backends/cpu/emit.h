// From kernel IR to LLVM IR: the declarations that the emitting files share.
//
// A program becomes one module: its kernels as internal functions, `run` from the plan, `bind`,
// `costs`, and the constant `mg_image`. No decisions are made here. Loops, vectors and tiles stay
// as the schedule wrote them, so the result is what the kernel IR says, bit for bit. The only
// freedom is which of two zeros max and min return.
#ifndef MG_BACKENDS_CPU_EMIT_H
#define MG_BACKENDS_CPU_EMIT_H

#include "backends/cpu/target.h"
#include "backends/device_code.h"
#include "backends/library.h"
#include "ir/program.h"

typedef struct MgCpuTypes {
    LLVMTypeRef none, ptr, i1, i8, i32, i64;
} MgCpuTypes;

// The form of a library's graph that is emitted.
typedef struct MgCpuForm {
    const MgLibrary *library;
    const MgLibraryGraph *graph;
    const char *prefix; // of its symbols
    bool generic;       // the form for all sizes, which also has the functions that compute shapes
} MgCpuForm;

// Functions that walk long stretches of a plan, made when first needed.
typedef struct MgCpuSteps {
    // The function that resolves an argument; and one function per kernel, NULL until it is made.
    LLVMValueRef address, *of_kernel;
    LLVMValueRef functions; // the constant array of the per-kernel functions
} MgCpuSteps;

// times * value, one term of an access's index. Terms are sorted: outer variables come first.
typedef struct MgCpuTerm {
    LLVMValueRef value;
    uint64_t times;
    uint32_t order;
} MgCpuTerm;

enum { MG_CPU_MOST_TERMS = 8, MG_CPU_PLACES = 16 };
// An address that the current basic block has already computed, without its constant.
typedef struct MgCpuPlace {
    LLVMBasicBlockRef block;
    MgKBufId buf;
    uint32_t n;
    MgCpuTerm terms[MG_CPU_MOST_TERMS];
    LLVMValueRef address;
} MgCpuPlace;

typedef struct MgCpuEmit MgCpuEmit;
// Returns the base address of a buffer. A plan loads it from the call at each use.
typedef LLVMValueRef MgCpuBufferOf(MgCpuEmit *e, MgKBufId buf);
typedef LLVMValueRef MgCpuScalarOf(MgCpuEmit *e, uint32_t scalar);

struct MgCpuEmit {
    MgSession *session;
    MgArena *arena;
    MgProgram *program;
    const MgCpuTarget *target;
    const MgCpuForm *form; // NULL: it is an image of its own
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    MgCpuTypes t;
    LLVMValueRef *kernels;      // one function per kernel of the program
    LLVMValueRef barrier, tick; // helper functions, made when first used
    MgCpuSteps steps;
    MgMap texts; // the image's strings: MgSym to its constant
    // The function that is being emitted.
    const MgKernel *k;
    LLVMValueRef function, call, worker, workers; // i64 worker numbers
    LLVMBuilderRef allocas;                       // at the end of the entry block's allocations
    LLVMValueRef *vars, *bufs;
    LLVMValueRef modes[2]; // of arithmetic: the places of those before the kernel, and of its own
    const MgKx **lets;     // by variable: the value its let bound; NULL if no let made it
    MgCpuPlace places[MG_CPU_PLACES];
    uint32_t next_place;
    uint32_t *scalar_of; // by variable: 1 + its number among the scalars; 0 if it is not a scalar
    MgCpuBufferOf *buffer_of;
    MgCpuScalarOf *scalar_value;
    // A device's own form of an expression; it returns NULL where a CPU's will do. NULL: a CPU.
    LLVMValueRef (*own)(MgCpuEmit *e, const MgKx *x);
    LLVMValueRef ticks; // this worker's counters, or a null pointer at run time
    // For a program for a device:
    const MgDeviceCode *device;
    MG_VEC(const MgKCall *) launches; // the plan's launches, in order
    LLVMValueRef launch_args;         // where the plan stores a launch's arguments
};

// ---------------------------------------------------------------- emit_expr.c
LLVMTypeRef mg_cpu_type(MgCpuEmit *e, MgKType type);        // in registers: bool is i1
LLVMTypeRef mg_cpu_memory_type(MgCpuEmit *e, MgKType type); // bool is i8
LLVMValueRef mg_cpu_int(MgCpuEmit *e, int64_t value);       // i64
LLVMValueRef mg_cpu_value(MgCpuEmit *e, const MgKx *x);
LLVMValueRef mg_cpu_splat(MgCpuEmit *e, LLVMValueRef value, uint32_t lanes); // if it is a scalar
// The index of a load or store. For consecutive elements, the index of the first one.
const MgKx *mg_cpu_index(const MgKx *index);
LLVMValueRef mg_cpu_intrinsic(MgCpuEmit *e, const char *name, LLVMTypeRef *overload,
                              uint32_t n_overload, LLVMValueRef *args, uint32_t n_args);
LLVMValueRef mg_cpu_byte_address(MgCpuEmit *e, LLVMValueRef base, LLVMValueRef bytes);
LLVMValueRef mg_cpu_call_field(MgCpuEmit *e, size_t offset); // the address of that field of MgCall
// The address of element `index` of a buffer, or a vector of addresses (emit_address.c).
LLVMValueRef mg_cpu_place(MgCpuEmit *e, MgKBufId buf, const MgKx *index);
// A vector of `lanes` bools; all true if mask is NULL.
LLVMValueRef mg_cpu_mask(MgCpuEmit *e, const MgKx *mask, uint32_t lanes);
// The alignment in bytes that is known of an access. whole_vector: its index is a multiple of its
// lanes.
uint32_t mg_cpu_align(const MgCpuEmit *e, MgKBufId buf, MgKType accessed, bool whole_vector);
LLVMValueRef mg_cpu_prim(MgCpuEmit *e, const MgKx *x, LLVMValueRef *args); // emit_prim.c
// Reports a primitive that legalisation should have expanded, and returns a value to continue with.
LLVMValueRef mg_cpu_not_legal(MgCpuEmit *e, MgPrim prim, MgKType type, LLVMTypeRef result);

// ---------------------------------------------------------------- emit_registers.c
LLVMValueRef mg_cpu_scaleb(MgCpuEmit *e, MgKType type, LLVMValueRef *args);
LLVMValueRef mg_cpu_lookup(MgCpuEmit *e, const MgKx *x);

// ---------------------------------------------------------------- emit_stmt.c
// Adds a function to the module, with the attributes that all functions have.
LLVMValueRef mg_cpu_function(MgCpuEmit *e, const char *name, LLVMTypeRef result,
                             LLVMTypeRef *params, uint32_t n, bool internal);
LLVMBasicBlockRef mg_cpu_block(MgCpuEmit *e, const char *name);
void mg_cpu_attribute(MgCpuEmit *e, LLVMValueRef function, uint32_t place, const char *name,
                      uint64_t value);
// Begins to emit k's body into function. mg_cpu_end_body closes it with a void return.
void mg_cpu_begin_body(MgCpuEmit *e, const MgKernel *k, LLVMValueRef function);
void mg_cpu_end_body(MgCpuEmit *e);
void mg_cpu_statements(MgCpuEmit *e, const MgKBlock *block);
// Emits void k(MgCall *, i64 worker, i64 workers, buffers…, scalars…).
LLVMValueRef mg_cpu_kernel(MgCpuEmit *e, const MgKernel *k);
LLVMValueRef mg_cpu_declare_kernel(MgCpuEmit *e, const MgKernel *k); // without its body

// ---------------------------------------------------------------- emit_plan.c
void mg_cpu_call(MgCpuEmit *e, const MgKCall *call);
void mg_cpu_grid_barrier(MgCpuEmit *e);
void mg_cpu_tick(MgCpuEmit *e, LLVMValueRef index); // ticks[index], if the run records ticks
LLVMValueRef mg_cpu_run(MgCpuEmit *e);              // void run(MgCall *, u32 worker, u32 workers)
LLVMValueRef mg_cpu_bind(MgCpuEmit *e);             // i32 bind(const i64 *dims, i64 *slots)
LLVMValueRef mg_cpu_costs(MgCpuEmit *e);            // void costs(const i64 *dims, i64 *counts)
// Emits, for a library's graph, void NAME.shapes_of(const i64 *dims, i64 *sizes), which writes
// every axis of every port, and void NAME.bounds_of(const i64 *dims, i64 *sizes), which writes
// every dimension, or its upper bound if data decide it.
void mg_cpu_sizes(MgCpuEmit *e);

// ---------------------------------------------------------------- emit_steps.c
// Emits the calls and barriers from statement `first` of a plan's block on as a table, if there are
// enough of them. Returns the number of statements that it emitted; 0: none.
uint32_t mg_cpu_steps(MgCpuEmit *e, const MgKBlock *block, uint32_t first);
void mg_cpu_end_steps(MgCpuEmit *e); // at the end of any plan

// ---------------------------------------------------------------- emit_device.c
void mg_cpu_launch(MgCpuEmit *e, const MgKCall *call);
// Does a load of the plan read memory that kernels on a device wrote? Such a load goes through
// mg_cpu_device_load, which gives the address of a copy on the host.
bool mg_cpu_is_device_memory(const MgCpuEmit *e, MgKBufId buf);
LLVMValueRef mg_cpu_device_load(MgCpuEmit *e, const MgKx *x, const MgKx *index);

// ---------------------------------------------------------------- emit_image.c
// Emits the image: `mg_image`, or for a library `PREFIX.image`, with `PREFIX.weights` (the
// addresses of its weights) and `PREFIX.offsets` (their offsets in the separate weights file).
void mg_cpu_image(MgCpuEmit *e, LLVMValueRef run, LLVMValueRef bind, LLVMValueRef costs);
void mg_cpu_weight_name(uint32_t number, char name[32]); // the symbol of a library's weight

#endif
