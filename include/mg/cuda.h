// libmg together with your own memory of CUDA, or that of a framework that uses CUDA. A model of
// target "gpu" whose device is "cuda" runs in the device's primary context, as CUDA's runtime does.
// mg.h has everything else about devices and buffers. This header needs nothing of CUDA: an address
// on the device (CUdeviceptr, or a pointer of cudaMalloc) is a number.
#ifndef MG_CUDA_H
#define MG_CUDA_H

#include "../mg.h"

#ifdef __cplusplus
extern "C" {
#endif

// The CUcontext of a model; NULL if it doesn't run through CUDA.
static inline void *mg_cuda_context(const MgModel *model) {
    return mg_model_native(model, "cuda", MG_NATIVE_CONTEXT);
}

// Makes a buffer of the memory from `address` to the end of its allocation. Keep the allocation
// until you release the buffer. A run waits for its own commands, but not for your streams: finish
// the commands that write an input before the run. Commands that read an output may begin after the
// run.
static inline MgStatus mg_buffer_wrap_cuda(MgModel *model, MgContext *context, uint64_t address,
                                           MgBuffer **buffer) {
    return mg_buffer_of_native(model, context, "cuda", (void *)(uintptr_t)address, buffer);
}

// mg_bind_input_at, mg_bind_output_at and mg_bind_parameter_at bind memory by its address, such as
// a tensor's, without a buffer, which costs less in each call. mg_run_cuda is a run in the order of
// a stream (CUstream or cudaStream_t) of the device's primary context; the default stream is
// MG_CUDA_DEFAULT_STREAM. The stream must not be recording a graph. A training's steps follow a
// stream after mg_train_stream(train, "cuda", stream).
#define MG_CUDA_DEFAULT_STREAM ((void *)1)
#define MG_CUDA_PER_THREAD_STREAM ((void *)2)
static inline MgStatus mg_run_cuda(MgInstance *instance, void *stream, const uint64_t *inputs,
                                   const uint64_t *outputs, const size_t *bytes) {
    return mg_run_in(instance, "cuda", stream, inputs, outputs, bytes);
}

// The address of a buffer on its device; 0 if it isn't memory of CUDA.
static inline uint64_t mg_buffer_cuda_address(const MgBuffer *buffer) {
    return (uint64_t)(uintptr_t)mg_buffer_native(buffer, "cuda");
}

#ifdef __cplusplus
}
#endif

#endif
