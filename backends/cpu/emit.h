// Kernel IR to LLVM IR: what the emitting files share.
//
// One module a program: its kernels as internal functions, `run` from the plan, `bind`, `costs`,
// and the constant `mg_image`. Nothing is decided here: loops, vectors and tiles are as the
// schedule wrote them, and nothing is relaxed but which of two zeros max and min choose, so the
// result is what the kernel IR says, bit by bit.
#ifndef MG_BACKENDS_CPU_EMIT_H
#define MG_BACKENDS_CPU_EMIT_H

#include "backends/cpu/target.h"
#include "backends/device_code.h"
#include "backends/library.h"
#include "ir/program.h"

typedef struct CpuTypes {
    LLVMTypeRef none, ptr, i1, i8, i32, i64;
} CpuTypes;

// Which form of which graph of a library is emitted.
typedef struct CpuForm {
    const MgLibrary *library;
    const MgLibraryGraph *graph;
    const char *prefix; // of its symbols
    bool generic;       // the one for all sizes, which brings what computes shapes
} CpuForm;

typedef struct CpuLaunch {
    uint32_t kernel, site;
} CpuLaunch;

// What walks long stretches of a plan, made when first needed.
typedef struct CpuSteps {
    LLVMValueRef address, *of_kernel; // functions: of an argument; a kernel's, NULL: none yet
    LLVMValueRef functions;           // the constant array of the latter
} CpuSteps;

// times * value in the index of an access; order: outer variables first.
typedef struct CpuTerm {
    LLVMValueRef value;
    uint64_t times;
    uint32_t order;
} CpuTerm;

enum { CPU_MOST_TERMS = 8, CPU_PLACES = 16 };
typedef struct CpuPlace { // an address that a basic block has already, without its constant
    LLVMBasicBlockRef block;
    MgKBufId buf;
    uint32_t n;
    CpuTerm terms[CPU_MOST_TERMS];
    LLVMValueRef address;
} CpuPlace;

typedef struct CpuEmit CpuEmit;
// The base address of a buffer; a plan loads it from the call where it is used.
typedef LLVMValueRef CpuBufferOf(CpuEmit *e, MgKBufId buf);
typedef LLVMValueRef CpuScalarOf(CpuEmit *e, uint32_t scalar);

struct CpuEmit {
    MgSession *session;
    MgArena *arena;
    MgProgram *program;
    const CpuTarget *target;
    const CpuForm *form; // NULL: an image by itself
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    CpuTypes t;
    LLVMValueRef *kernels;      // functions, per kernel of the program
    LLVMValueRef barrier, tick; // helper functions, made when first used
    CpuSteps steps;
    MgMap texts; // of the image: MgSym to its constant
    // the function being emitted
    const MgKernel *k;
    LLVMValueRef function, call, worker, workers; // i64 worker numbers
    LLVMBuilderRef allocas;                       // at the end of the entry block's allocations
    LLVMValueRef *vars, *bufs;
    const MgKx **lets; // what each variable was bound to, NULL: it is none of a let
    CpuPlace places[CPU_PLACES];
    uint32_t next_place;
    uint32_t *scalar_of; // per variable: 1 + its number among the scalars, 0 if it is none
    CpuBufferOf *buffer_of;
    CpuScalarOf *scalar_value;
    LLVMValueRef ticks; // this worker's counters, or a null pointer at run time
    // of a program for a device
    const MgDeviceCode *device;
    MG_VEC(CpuLaunch) launches; // of the plan, in order
    LLVMValueRef launch_args;   // where the plan puts the arguments of a launch
};

// ---------------------------------------------------------------- emit_expr.c
LLVMTypeRef mg_cpu_type(CpuEmit *e, MgKType type);        // in registers: bool is i1
LLVMTypeRef mg_cpu_memory_type(CpuEmit *e, MgKType type); // bool is i8
LLVMValueRef mg_cpu_int(CpuEmit *e, int64_t value);       // i64
LLVMValueRef mg_cpu_value(CpuEmit *e, const MgKx *x);
// The index of a load or store, that of consecutive elements as the first one's.
const MgKx *mg_cpu_index(const MgKx *index);
LLVMValueRef mg_cpu_intrinsic(CpuEmit *e, const char *name, LLVMTypeRef *overload,
                              uint32_t n_overload, LLVMValueRef *args, uint32_t n_args);
LLVMValueRef mg_cpu_byte_address(CpuEmit *e, LLVMValueRef base, LLVMValueRef bytes);
LLVMValueRef mg_cpu_call_field(CpuEmit *e, size_t offset); // the address of MgCall's
// Address of element `index` of a buffer, or addresses of the elements (emit_address.c).
LLVMValueRef mg_cpu_place(CpuEmit *e, MgKBufId buf, const MgKx *index);
// A vector of `lanes` bools; all true if mask is NULL.
LLVMValueRef mg_cpu_mask(CpuEmit *e, const MgKx *mask, uint32_t lanes);
// Bytes that an access is known to be aligned to. whole_vector: its index is a multiple of its
// lanes.
uint32_t mg_cpu_align(const CpuEmit *e, MgKBufId buf, MgKType accessed, bool whole_vector);
LLVMValueRef mg_cpu_prim(CpuEmit *e, const MgKx *x, LLVMValueRef *args); // emit_prim.c
// Reports what legalisation should have expanded; a value to go on with.
LLVMValueRef mg_cpu_not_legal(CpuEmit *e, MgPrim prim, MgKType type, LLVMTypeRef result);

// ---------------------------------------------------------------- emit_registers.c
LLVMValueRef mg_cpu_scaleb(CpuEmit *e, MgKType type, LLVMValueRef *args);
LLVMValueRef mg_cpu_lookup(CpuEmit *e, const MgKx *x);

// ---------------------------------------------------------------- emit_stmt.c
// A function of the module with the attributes that all have.
LLVMValueRef mg_cpu_function(CpuEmit *e, const char *name, LLVMTypeRef result, LLVMTypeRef *params,
                             uint32_t n, bool internal);
LLVMBasicBlockRef mg_cpu_block(CpuEmit *e, const char *name);
void mg_cpu_attribute(CpuEmit *e, LLVMValueRef function, uint32_t place, const char *name,
                      uint64_t value);
// Starts emitting k's body into function; mg_cpu_end_body closes it with a return of nothing.
void mg_cpu_begin_body(CpuEmit *e, const MgKernel *k, LLVMValueRef function);
void mg_cpu_end_body(CpuEmit *e);
void mg_cpu_statements(CpuEmit *e, const MgKBlock *block);
// void k(MgCall *, i64 worker, i64 workers, buffers…, scalars…), emitted whole.
LLVMValueRef mg_cpu_kernel(CpuEmit *e, const MgKernel *k);
LLVMValueRef mg_cpu_declare_kernel(CpuEmit *e, const MgKernel *k); // without its body
// Buffers that a caller binds: parameters, and scratch that the plan places. The rest is allocated
// inside.
bool mg_cpu_is_bound(const MgKBuf *buf);

// ---------------------------------------------------------------- emit_plan.c
void mg_cpu_call(CpuEmit *e, const MgKCall *call);
void mg_cpu_grid_barrier(CpuEmit *e);
void mg_cpu_tick(CpuEmit *e, LLVMValueRef index); // ticks[index], if ticks are taken
LLVMValueRef mg_cpu_run(CpuEmit *e);              // void run(MgCall *, u32 worker, u32 workers)
LLVMValueRef mg_cpu_bind(CpuEmit *e);             // i32 bind(const i64 *dims, i64 *slots)
LLVMValueRef mg_cpu_costs(CpuEmit *e);            // void costs(const i64 *dims, i64 *counts)
// Of a library's graph: void NAME.shapes_of(const i64 *dims, i64 *sizes), every axis of every port;
// void NAME.bounds_of(const i64 *dims, i64 *sizes), every dimension, of those that data decide the
// largest.
void mg_cpu_sizes(CpuEmit *e);

// ---------------------------------------------------------------- emit_steps.c
// Emits the calls and barriers from statement `first` of a plan's block on as a table, if they are
// many: how many statements; 0: none.
uint32_t mg_cpu_steps(CpuEmit *e, const MgKBlock *block, uint32_t first);
void mg_cpu_end_steps(CpuEmit *e); // at the end of a plan that may have had some

// ---------------------------------------------------------------- emit_device.c
void mg_cpu_launch(CpuEmit *e, const MgKCall *call);
// Whether a load of the plan reads what kernels on a device wrote; then it goes through
// mg_cpu_device_load, which gives the address of a copy.
bool mg_cpu_is_device_memory(const CpuEmit *e, MgKBufId buf);
LLVMValueRef mg_cpu_device_load(CpuEmit *e, const MgKx *x, const MgKx *index);

// ---------------------------------------------------------------- emit_image.c
// The image: `mg_image`, or of a library `PREFIX.image`, with `PREFIX.weights`, the addresses of
// its weights, and `PREFIX.offsets`, their places in the file that lies beside.
void mg_cpu_image(CpuEmit *e, LLVMValueRef run, LLVMValueRef bind, LLVMValueRef costs);
void mg_cpu_weight_name(uint32_t number, char name[32]); // the symbol of a library's weight

#endif
