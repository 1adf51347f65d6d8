// Plans of images for a device. Calls launch through MgCall.device, and the plan reads device
// memory through it. The rest of the plan is as on the CPU.
#include "backends/cpu/emit.h"

#include "backends/device_code.h"
#include "image/image.h"
#include "ir/program_split.h"

#include <stddef.h>

static LLVMValueRef device_pointer(MgCpuEmit *e) {
    LLVMValueRef at = mg_cpu_call_field(e, offsetof(MgCall, device));
    return LLVMBuildLoad2(e->builder, e->t.ptr, at, "");
}

static LLVMValueRef field(MgCpuEmit *e, LLVMTypeRef type, LLVMValueRef device, size_t offset) {
    LLVMValueRef at = mg_cpu_byte_address(e, device, mg_cpu_int(e, (int64_t)offset));
    return LLVMBuildLoad2(e->builder, type, at, "");
}

static LLVMValueRef scratch(MgCpuEmit *e, LLVMTypeRef type, uint32_t n) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
    LLVMPositionBuilderBefore(e->allocas, LLVMGetBasicBlockTerminator(entry));
    LLVMValueRef at = LLVMBuildAlloca(e->allocas, LLVMArrayType2(type, n), "");
    LLVMSetAlignment(at, 64);
    return at;
}

// Device addresses are integers here: the plan only adds offsets to them.
static LLVMValueRef number(MgCpuEmit *e, LLVMValueRef address) {
    return LLVMBuildPtrToInt(e->builder, address, e->t.i64, "");
}

LLVMValueRef mg_cpu_device_dims(MgCpuEmit *e) {
    LLVMValueRef dims = field(e, e->t.i64, device_pointer(e), offsetof(MgCallDevice, dims));
    return LLVMBuildIntToPtr(e->builder, dims, e->t.ptr, "");
}

static uint32_t most_arguments(const MgKBlock *b) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        uint32_t inner[] = {most_arguments(&s->body), most_arguments(&s->orelse),
                            s->kind == MG_KS_CALL ? s->call->n_buffers + s->call->n_scalars : 0};
        for (int k = 0; k < 3; k++)
            most = inner[k] > most ? inner[k] : most;
    }
    return most;
}

static void store_argument(MgCpuEmit *e, uint32_t n, LLVMValueRef value) {
    LLVMValueRef at = mg_cpu_byte_address(e, e->launch_args, mg_cpu_int(e, 8 * (int64_t)n));
    LLVMBuildStore(e->builder, value, at);
}

void mg_cpu_launch(MgCpuEmit *e, const MgKCall *call) {
    uint32_t n = 0;
    if (!e->launch_args) // one array serves all launches: each has read it when it returns
        e->launch_args = scratch(e, e->t.i64, most_arguments(&e->program->plan->body));
    for (uint32_t i = 0; i < call->n_buffers; i++) {
        MgKBufId buf = call->buffers[i].base;
        bool dims = buf == e->program->bufs.len + 1;
        LLVMValueRef base = dims ? mg_cpu_device_dims(e) : e->buffer_of(e, buf);
        LLVMValueRef offset = mg_cpu_value(e, call->buffers[i].offset);
        store_argument(e, n++, LLVMBuildAdd(e->builder, number(e, base), offset, ""));
    }
    for (uint32_t i = 0; i < call->n_scalars; i++)
        store_argument(e, n++, mg_cpu_value(e, call->scalars[i]));
    LLVMValueRef groups = mg_cpu_value(e, mg_call_groups(e->program, call));
    LLVMValueRef device = device_pointer(e);
    LLVMTypeRef params[] = {e->t.ptr, e->t.i32, e->t.ptr, e->t.i64};
    LLVMValueRef args[] = {device, LLVMConstInt(e->t.i32, e->launches.len, false), e->launch_args,
                           groups};
    LLVMBuildCall2(e->builder, LLVMFunctionType(e->t.none, params, 4, false),
                   field(e, e->t.ptr, device, offsetof(MgCallDevice, launch)), args, 4, "");
    mg_push(e->arena, &e->launches, call);
}

// Copies `bytes` of the device's memory at `address` to `to`.
static void read_back(MgCpuEmit *e, LLVMValueRef address, LLVMValueRef to, uint64_t bytes) {
    LLVMTypeRef params[] = {e->t.ptr, e->t.i64, e->t.ptr, e->t.i64};
    LLVMValueRef device = device_pointer(e);
    LLVMValueRef args[] = {device, number(e, address), to, mg_cpu_int(e, (int64_t)bytes)};
    LLVMBuildCall2(e->builder, LLVMFunctionType(e->t.none, params, 4, false),
                   field(e, e->t.ptr, device, offsetof(MgCallDevice, read)), args, 4, "");
}

// Loads a value that kernels wrote: from one of the program's buffers, or a dimension. A dimension
// is copied into the host's array, where the runtime looks for sizes that data decide.
LLVMValueRef mg_cpu_device_load(MgCpuEmit *e, const MgKx *x, const MgKx *index) {
    uint64_t size = mg_dtype_size(x->type.dtype);
    bool dims = x->buf == e->program->bufs.len + 1;
    LLVMValueRef host = mg_cpu_place(e, x->buf, index), from = host;
    if (dims) {
        LLVMValueRef bytes =
            LLVMBuildMul(e->builder, mg_cpu_value(e, index), mg_cpu_int(e, (int64_t)size), "");
        from = mg_cpu_byte_address(e, mg_cpu_device_dims(e), bytes);
    } else {
        host = scratch(e, mg_cpu_memory_type(e, x->type), 1);
    }
    read_back(e, from, host, size);
    return host;
}

bool mg_cpu_is_device_memory(const MgCpuEmit *e, MgKBufId buf) {
    // The numbers n and n + 1 are slots, which bind wrote on the host, and dims.
    uint32_t n = e->program->bufs.len;
    return e->device && e->k == e->program->plan && mg_kbuf_is_bound(&e->k->bufs.at[buf]) &&
           (buf < n || buf == n + 1);
}
