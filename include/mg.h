// libmg: load or compile a network written in MG, bind its inputs, run it, read its outputs.
//
// Handles and ownership:
// - MgContext: options, worker threads, the last message. Freed by mg_context_free, after the
//   instances that run in it; models, buffers and tensors that it made may stay.
// - MgModel: one compiled graph with its weights. Reference counted: who makes one owns one
//   reference, mg_model_release gives it up. Never changes in a way that a caller can see.
// - MgInstance: one place to run a model: inputs, outputs, memory. Holds a reference to its model.
//   Freed by mg_instance_free.
// - MgTensor: a typed array. Reference counted.
//
// What a `const char *` or a view returns belongs to the handle it came from. Pointers bound to an
// instance are borrowed until they are replaced or the instance is freed; tensors bound are
// retained.
//
// Threads: a context, and an instance, is used by one thread at a time. A model may be shared:
// instances of one model run in parallel, and MgModel and MgTensor references may be taken and
// dropped anywhere. The library keeps no global state, writes to no stream, and never ends the
// process.
//
// Errors: every call that can fail returns a status; the text, with file, line and what to do, is
// mg_context_message or mg_instance_message until the next call on that handle. Of a model that was
// made, it is the compiler's warnings, or empty.
#ifndef MG_H
#define MG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MG_API __attribute__((visibility("default")))
#else
#define MG_API
#endif

#define MG_VERSION_MAJOR 0
#define MG_VERSION_MINOR 1

// The numbers are mgc's exit statuses too.
typedef enum MgStatus {
    MG_OK = 0,
    MG_BAD_INPUT = 1,    // a file, a source text or a tensor is wrong
    MG_BAD_USAGE = 2,    // the call or an option is wrong: no such port, a required input not bound
    MG_RUN_FAILED = 3,   // a check failed while running, or the device failed
    MG_OUT_OF_MEMORY = 4 // the limit, or the machine's memory, is exhausted
} MgStatus;

typedef enum MgElement {
    MG_ELEMENT_F64,
    MG_ELEMENT_F32,
    MG_ELEMENT_F16,
    MG_ELEMENT_BF16,
    MG_ELEMENT_I64,
    MG_ELEMENT_I32,
    MG_ELEMENT_I16,
    MG_ELEMENT_I8,
    MG_ELEMENT_U64,
    MG_ELEMENT_U32,
    MG_ELEMENT_U16,
    MG_ELEMENT_U8,
    MG_ELEMENT_BOOL // one byte, 0 or 1
} MgElement;
MG_API const char *mg_element_name(MgElement element); // "f32"
MG_API size_t mg_element_size(MgElement element);      // bytes

typedef struct MgContext MgContext;
typedef struct MgModel MgModel;
typedef struct MgInstance MgInstance;
typedef struct MgTensor MgTensor;

// ---------------------------------------------------------------- tensors

// Row-major, no gaps. NULL if memory runs out, the sizes overflow or there are more than 64.
MG_API MgTensor *mg_tensor_new(MgElement element, uint32_t rank, const int64_t *dims); // zeroed
// Over memory of the caller, who is told by release(user), which may be NULL, when it is free
// again.
MG_API MgTensor *mg_tensor_wrap(MgElement element, uint32_t rank, const int64_t *dims, void *data,
                                void (*release)(void *user), void *user);
MG_API MgTensor *mg_tensor_retain(MgTensor *tensor);
MG_API void mg_tensor_release(MgTensor *tensor); // NULL is allowed
MG_API MgElement mg_tensor_element(const MgTensor *tensor);
MG_API uint32_t mg_tensor_rank(const MgTensor *tensor);
MG_API const int64_t *mg_tensor_dims(const MgTensor *tensor);
MG_API size_t mg_tensor_bytes(const MgTensor *tensor);
MG_API void *mg_tensor_data(MgTensor *tensor);
// file.npy, file.npz:key, file.safetensors:key or file.pb (a serialised ONNX TensorProto). Writing
// replaces the whole file, or leaves it as it was.
MG_API MgStatus mg_tensor_read(MgContext *context, const char *place, MgTensor **tensor);
MG_API MgStatus mg_tensor_write(MgContext *context, const char *place, const MgTensor *tensor);

// ---------------------------------------------------------------- context

// How to run work on several threads at once: call work(argument, w) for every w < workers, all at
// the same time (they wait for each other), and return when all have returned.
typedef void MgWork(void *argument, uint32_t worker);
typedef void MgParallel(void *user, uint32_t workers, MgWork *work, void *argument);

// Zero in any field asks for the default.
typedef struct MgContextOptions {
    uint32_t threads;    // default 1
    size_t memory_limit; // bytes for compiling and for tensors; default three quarters of the
                         // machine's
    const char
        *cache_folder; // compiled objects; default $XDG_CACHE_HOME/mg or ~/.cache/mg; "" keeps none
    MgParallel *parallel; // default: threads of the library
    void *parallel_user;
} MgContextOptions;
MG_API MgStatus mg_context_new(const MgContextOptions *options,
                               MgContext **context); // options may be NULL
MG_API void mg_context_free(MgContext *context);
MG_API const char *mg_context_message(const MgContext *context);

// ---------------------------------------------------------------- models

// How a graph is run: five ways to the same result, which exist to be compared.
typedef enum MgMode {
    MG_MODE_FUSED,     // the default: one submission, after fusion
    MG_MODE_GRAPH,     // one submission, op by op
    MG_MODE_CACHED,    // each op alone: its inputs transferred, run, waited for; programs are kept
    MG_MODE_IMMEDIATE, // the same, and each op compiled again every time
    MG_MODE_LOOP       // as fused; mg_run_passes repeats on the device, without the host
} MgMode;

// A tensor that an input will be given. name: of the input; NULL: the input at this place in the
// list. A sequence of an ONNX model becomes an input for each of its elements, 'x_0', 'x_1', …, and
// how many there are follows from what is given: its elements here, or tensors of these names. An
// optional has one element, or none.
typedef struct MgGiven {
    const char *name;
    MgTensor *tensor;
    MgTensor *const *elements; // of a sequence or an optional; then tensor is NULL
    uint32_t n_elements;
} MgGiven;

// How a GPU is given the work of a graph; one that the graph does not have becomes
// MG_FORM_SEPARATE.
typedef enum MgLaunchForm {
    MG_FORM_AUTO,      // what the cost model finds fastest
    MG_FORM_SEPARATE,  // a launch for each kernel
    MG_FORM_OWNED,     // one kernel whose groups walk all layers, each for its own rows
    MG_FORM_PERSISTENT // one kernel whose groups meet between the layers
} MgLaunchForm;

// Which convolutions of 3 x 3 -O3 computes by Winograd's algorithm, which needs fewer
// multiplications and rounds more.
typedef enum MgWinograd {
    MG_WINOGRAD_AUTO, // where the cost model finds it faster
    MG_WINOGRAD_NEVER,
    MG_WINOGRAD_TILES_2, // all, in tiles of 2 x 2 outputs
    MG_WINOGRAD_TILES_4  // all, in tiles of 4 x 4
} MgWinograd;

// How many of a context's threads run a graph on a CPU.
typedef enum MgSharing {
    MG_SHARING_AUTO, // all, or one where the cost model finds that waking the others takes longer
    MG_SHARING_ALL   // all, however little there is to do
} MgSharing;

// How exact the factors of a contraction, a sum of products of f32, have to be.
typedef enum MgPrecision {
    MG_PRECISION_F32,
    MG_PRECISION_TF32 // each factor may be rounded to the 10 mantissa bits of tf32 first
} MgPrecision;

typedef struct MgCompileOptions {
    const char *graph;  // default: the file's only graph
    int32_t level;      // 0 to 3 as -O0 to -O3; -1, and no options at all, the default: 2
    const char *march;  // CPU to compile for; default: this one
    bool strict;        // no reordered sums, no contraction to fma
    bool interpret;     // run by the reference interpreter: slow, the meaning itself
    const char *target; // "cpu" (default) or "gpu": an OpenCL device
    const char *device; // of target "gpu": a number as `mgc devices` lists them, or part of a name;
                        // default: the environment's MG_DEVICE, else the first GPU, else the first
    MgMode mode;
    // Of an ONNX model: what its inputs will be given. Sizes that inputs' values decide are taken
    // from these; such a model refuses other values when it runs. Without them, such a size is
    // computed when the model runs, and has 4096 as its bound. Read by the load only.
    const MgGiven *given;
    uint32_t n_given;
    MgLaunchForm launch;
    MgWinograd winograd;   // of level 3
    MgPrecision precision; // a permission: targets that don't gain by it compute in f32
    const char *tuned;     // a file that mgc tune wrote; "": none; default: the one in the cache
                           // folder, if there is one
    MgSharing sharing;
    const char *weights; // "random" or "random:SEED": random values for all parameters, of a scale
                         // that fits their use; default: the file that the graph names
} MgCompileOptions;
// path: file.mg, file.mgb, or "-" for standard input. options may be NULL.
MG_API MgStatus mg_model_load(MgContext *context, const char *path, const MgCompileOptions *options,
                              MgModel **model);
// name stands for the text in messages; weights files are found relative to its folder.
MG_API MgStatus mg_model_compile(MgContext *context, const char *name, const char *text,
                                 size_t length, const MgCompileOptions *options, MgModel **model);
MG_API MgModel *mg_model_retain(MgModel *model);
MG_API void mg_model_release(MgModel *model); // NULL is allowed

typedef struct MgPortInfo {
    const char *name;
    MgElement element;
    uint32_t rank;
    const int64_t *dims;         // per axis: a constant, or -1
    const char *const *formulas; // per axis, over the names of dimensions: "B", "2*H + 1", "10"
} MgPortInfo;
MG_API const char *mg_model_graph(const MgModel *model);
MG_API uint32_t mg_model_inputs(const MgModel *model);
MG_API uint32_t mg_model_outputs(const MgModel *model);
MG_API const MgPortInfo *mg_model_input(const MgModel *model,
                                        uint32_t number); // NULL if there is none
MG_API const MgPortInfo *mg_model_output(const MgModel *model, uint32_t number);
MG_API int32_t mg_model_find_input(const MgModel *model, const char *name); // -1 if there is none
MG_API int32_t mg_model_find_output(const MgModel *model, const char *name);
MG_API uint32_t mg_model_dims(const MgModel *model);
MG_API const char *mg_model_dim(const MgModel *model, uint32_t number);

// ---------------------------------------------------------------- running

// Runs model in the context, with its workers: where no earlier context of the model had as many,
// the first run compiles for them.
MG_API MgStatus mg_instance_new(MgModel *model, MgContext *context, MgInstance **instance);
MG_API void mg_instance_free(MgInstance *instance); // NULL is allowed
MG_API const char *mg_instance_message(const MgInstance *instance);

// data: rank and dims as given, row-major, aligned to its element; NULL only where it is empty.
// Binding new memory of the same shape costs nothing at the next run; a new shape is checked there.
MG_API MgStatus mg_bind_input(MgInstance *instance, uint32_t input, const void *data, uint32_t rank,
                              const int64_t *dims);
MG_API MgStatus mg_bind_input_tensor(MgInstance *instance, uint32_t input, MgTensor *tensor);
// Where an output is written, aligned to its element; by default the instance has memory for it.
// NULL: back to the default. That memory overlaps neither an input's nor another output's. Where it
// changes, there are no outputs until the next run.
MG_API MgStatus mg_bind_output(MgInstance *instance, uint32_t output, void *data, size_t bytes);

// Memory on a device, for models of target "gpu" in modes fused, graph and loop: what inputs and
// outputs are bound to stays there, and a run moves nothing between host and device but the other
// ports. Reference counted.
// An OpenCL object of the caller's is one of mg_opencl_context, a plain buffer or a part of one,
// and is retained. A run waits for itself, not for queues of the caller: what they write must be
// there before it, and they may read after it.
typedef struct MgBuffer MgBuffer;
MG_API MgStatus mg_buffer_new(MgModel *model, MgContext *context, size_t bytes, MgBuffer **buffer);
MG_API MgStatus mg_buffer_wrap(MgModel *model, MgContext *context, void *cl_mem, MgBuffer **buffer);
MG_API MgBuffer *mg_buffer_retain(MgBuffer *buffer);
MG_API void mg_buffer_release(MgBuffer *buffer); // NULL is allowed
MG_API size_t mg_buffer_bytes(const MgBuffer *buffer);
MG_API void *mg_buffer_cl_mem(const MgBuffer *buffer); // its OpenCL object, the buffer's
// Copies, and waits: MG_BAD_USAGE outside the buffer, MG_RUN_FAILED with the context's message.
MG_API MgStatus mg_buffer_write(MgBuffer *buffer, MgContext *context, size_t at, const void *from,
                                size_t bytes);
MG_API MgStatus mg_buffer_read(const MgBuffer *buffer, MgContext *context, size_t at, void *to,
                               size_t bytes);
// The cl_context and the cl_device_id that a model runs with; NULL: it runs on the CPU.
MG_API void *mg_opencl_context(const MgModel *model);
MG_API void *mg_opencl_device(const MgModel *model);
// As mg_bind_input and mg_bind_output, from and to the start of a buffer, which the instance
// retains until something else is bound there. MG_BAD_USAGE: it is on another device or too small,
// or another port that is written or read has it. What is carried from run to run takes two
// buffers that change places.
MG_API MgStatus mg_bind_input_buffer(MgInstance *instance, uint32_t input, MgBuffer *buffer,
                                     uint32_t rank, const int64_t *dims);
MG_API MgStatus mg_bind_output_buffer(MgInstance *instance, uint32_t output, MgBuffer *buffer);
MG_API MgStatus mg_run(MgInstance *instance);
// The graph `times` times over the same inputs, with nothing in between: on a device, inputs are
// brought there once and outputs fetched once.
MG_API MgStatus mg_run_times(MgInstance *instance, uint32_t times);
// So many runs, one after another, each fed with the one before: in the order of the outputs, every
// output becomes the first input of its type and shape that none has become yet; the other inputs
// stay as they are bound. Outputs are those of the last pass. In mode loop the passes follow one
// another on the device; in every other, and where the device has no such form, from the host.
MG_API MgStatus mg_run_passes(MgInstance *instance, uint64_t passes);
// Of the last run: valid until the next call on the instance. Of an output in a buffer *data is
// NULL.
MG_API MgStatus mg_output(const MgInstance *instance, uint32_t output, const void **data,
                          const int64_t **dims);
// A copy that outlives the instance; NULL if there was no run, or memory runs out.
MG_API MgTensor *mg_output_tensor(const MgInstance *instance, uint32_t output);

// ---------------------------------------------------------------- timing

typedef enum MgTimingKind {
    MG_TIMING_CALL,     // a whole run, or all passes of mg_run_passes in mode loop
    MG_TIMING_BIND,     // reserved
    MG_TIMING_KERNEL,   // one kernel on one worker, or on the device
    MG_TIMING_COMPILE,  // making code, or finding it in a cache; on a device its own compiler too
    MG_TIMING_TRANSFER, // between host and device: `schedule` is "upload" or "download"
    MG_TIMING_LAUNCH    // host time of enqueueing the graph's kernels
} MgTimingKind;
typedef struct MgTiming {
    MgTimingKind kind;
    const char *name;     // of the kernel's main result; of the graph for a call
    const char *schedule; // "elementwise", "contraction", …
    const char *place;    // "net.mg:6:10"
    uint32_t site, worker;
    uint64_t begin, end;  // nanoseconds on one clock, of unknown origin
    int64_t bytes, flops; // of the whole site, all workers together
} MgTiming;
typedef void MgTimingHook(void *user, const MgTiming *timing);
// Called in and after each run, for the call, for every kernel and worker, and for what came
// before them; NULL: off.
MG_API void mg_set_timing(MgInstance *instance, MgTimingHook *hook, void *user);

#ifdef __cplusplus
}
#endif
#endif
