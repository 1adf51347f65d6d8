// libmg: load or compile a network written in MG, bind its inputs, run it, and read its outputs.
//
// Handles and ownership
// - An MgContext holds options, worker threads and the last message. Free it with mg_context_free
//   after the instances that run in it. Models, buffers and tensors that it made may outlive it.
// - An MgModel is one compiled graph with its weights. It is reference counted: the call that makes
//   a model gives you one reference, and mg_model_release gives a reference up. A model never
//   changes in a way that a caller can see.
// - An MgInstance is one place to run a model: its inputs, outputs and memory. It holds a reference
//   to its model. Free it with mg_instance_free.
// - An MgTensor is a typed array. It is reference counted.
//
// A `const char *` or a view that a call returns belongs to the handle it came from. Memory that
// you bind to an instance stays yours: keep it until you bind something else or free the instance.
// The instance retains tensors and buffers that you bind.
//
// Threads
// One thread at a time uses a context or an instance. Several threads may share a model: its
// instances run in parallel, and any thread may retain or release models and tensors. The library
// writes to no stream and never exits.
//
// Errors
// Every call that can fail returns a status. mg_context_message or mg_instance_message then has the
// text, with file, line and what to do, until the next call on that handle. After a model was made,
// the message holds the compiler's warnings, or is empty. A NULL handle, a NULL argument that must
// not be NULL, or a number outside its range is MG_BAD_USAGE. A call without a status returns NULL,
// 0 or -1 in these cases.
//
// Memory
// Running out of it is MG_OUT_OF_MEMORY, wherever it happens in this library. LLVM, which generates
// code for the CPU, can't report that: it ends the process if the machine itself has no memory left
// while it compiles. Set memory_limit below what the machine has, or load compiled packages.
//
// Files
// A file is read when a model or tensor is loaded, and closed. If another program changes, shortens
// or removes it afterwards, a loaded model doesn't change.
//
// fork()
// A child of fork() may go on with the contexts, models and instances of its parent: its first run
// starts worker threads of its own. It must not use those that another thread was using at that
// moment. fork() waits while other threads compile, so the child can compile, too. OpenCL drivers
// don't work in a child: a model on a device fails there with MG_RUN_FAILED.
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

// Up to 3, these are also the exit statuses of mgc.
typedef enum MgStatus {
    MG_OK = 0,
    MG_BAD_INPUT = 1,    // a file, a source text or a tensor is wrong
    MG_BAD_USAGE = 2,    // the call or an option is wrong, or an input is not bound
    MG_RUN_FAILED = 3,   // a check failed during the run, or the device failed
    MG_OUT_OF_MEMORY = 4 // the limit or the machine's memory is exhausted
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
    MG_ELEMENT_BOOL,   // one byte, 0 or 1
    MG_ELEMENT_F8E4M3, // without infinity ("e4m3fn"); too large a number becomes NaN
    MG_ELEMENT_F8E5M2  // the upper byte of an f16; too large a number becomes infinite
} MgElement;
MG_API const char *mg_element_name(MgElement element); // "f32"; "" if it is not an element type
MG_API size_t mg_element_size(MgElement element);      // in bytes; 0 if it is not an element type

typedef struct MgContext MgContext;
typedef struct MgModel MgModel;
typedef struct MgInstance MgInstance;
typedef struct MgTensor MgTensor;

// ---------------------------------------------------------------- tensors

// A zeroed tensor, row-major without gaps. dims has `rank` sizes and may be NULL if rank is 0. The
// result is NULL if memory runs out, the type is unknown, a size is negative, the sizes overflow or
// there are more than 64 of them.
MG_API MgTensor *mg_tensor_new(MgElement element, uint32_t rank, const int64_t *dims);
// A tensor over your own memory, aligned to its element. The library calls release(user) when the
// last reference is gone; release may be NULL. The result is NULL for the same reasons as above.
MG_API MgTensor *mg_tensor_wrap(MgElement element, uint32_t rank, const int64_t *dims, void *data,
                                void (*release)(void *user), void *user);
MG_API MgTensor *mg_tensor_retain(MgTensor *tensor);
MG_API void mg_tensor_release(MgTensor *tensor); // NULL is allowed
MG_API MgElement mg_tensor_element(const MgTensor *tensor);
MG_API uint32_t mg_tensor_rank(const MgTensor *tensor);
MG_API const int64_t *mg_tensor_dims(const MgTensor *tensor);
MG_API size_t mg_tensor_bytes(const MgTensor *tensor);
MG_API void *mg_tensor_data(MgTensor *tensor);
// place is file.npy, file.npz:key, file.safetensors:key or file.pb (a serialised ONNX TensorProto).
// Reading also accepts IDX files: file.idx, or a name like train-images-idx3-ubyte of MNIST; either
// may end in .gz.
// Writing replaces the whole file or leaves it as it was.
MG_API MgStatus mg_tensor_read(MgContext *context, const char *place, MgTensor **tensor);
MG_API MgStatus mg_tensor_write(MgContext *context, const char *place, const MgTensor *tensor);

// ---------------------------------------------------------------- context

// Your own way to run work on several threads. It calls work(argument, w) once for every w <
// workers and returns when all calls have returned. The calls must run concurrently, because they
// wait for each other.
typedef void MgWork(void *argument, uint32_t worker);
typedef void MgParallel(void *user, uint32_t workers, MgWork *work, void *argument);

// Zero in a field asks for its default.
typedef struct MgContextOptions {
    uint32_t threads;    // workers of a run, at most 4096; default 1
    size_t memory_limit; // bytes for compiling, weights and tensors; default three quarters of
                         // the machine's memory
    const char
        *cache_folder;    // of compiled code; default $MG_CACHE_DIR, else $XDG_CACHE_HOME/mg, else
                          // ~/.cache/mg; "" for no cache. It is used only if it is yours and
                          // nobody else can write to it or replace it; otherwise the message of
                          // the first model has a warning
    MgParallel *parallel; // default: the library's own threads
    void *parallel_user;
} MgContextOptions;
// options may be NULL. If the call fails and *context isn't NULL, *context has the message; free it
// too.
MG_API MgStatus mg_context_new(const MgContextOptions *options, MgContext **context);
MG_API void mg_context_free(MgContext *context); // NULL is allowed
MG_API const char *mg_context_message(const MgContext *context);

// ---------------------------------------------------------------- models

// How a graph runs. The modes give the same result and exist to be compared.
typedef enum MgMode {
    MG_MODE_FUSED,     // the default: one submission, after fusion
    MG_MODE_GRAPH,     // one submission, one kernel for each op
    MG_MODE_CACHED,    // each op alone: transfer its inputs, run it, wait; compiled code is kept
    MG_MODE_IMMEDIATE, // the same, but each op is compiled again for every run
    MG_MODE_LOOP       // as fused, and mg_run_passes repeats on the device without the host
} MgMode;

// What an input will receive. name is the input's name; if it is NULL, the position in the list
// counts. A sequence of an ONNX model becomes one input for each of its elements: x_0, x_1, and so
// on. Their number is the number of elements here, or of tensors given under these names. An
// optional has one element or none.
typedef struct MgGiven {
    const char *name;
    MgTensor *tensor;
    MgTensor *const *elements; // of a sequence or an optional, whose tensor is NULL
    uint32_t n_elements;
} MgGiven;

// How the work of a graph is launched on a GPU. A graph that has no such form uses
// MG_FORM_SEPARATE.
typedef enum MgLaunchForm {
    MG_FORM_AUTO,      // the form that the cost model finds fastest
    MG_FORM_SEPARATE,  // a launch for each kernel
    MG_FORM_OWNED,     // one kernel: each group computes all layers for its own rows
    MG_FORM_PERSISTENT // one kernel: all groups meet at a barrier between layers
} MgLaunchForm;

// Which 3 x 3 convolutions level 3 computes by Winograd's algorithm. It needs fewer multiplications
// but has larger rounding errors.
typedef enum MgWinograd {
    MG_WINOGRAD_AUTO, // where the cost model finds it faster
    MG_WINOGRAD_NEVER,
    MG_WINOGRAD_TILES_2, // all, in tiles of 2 x 2 outputs
    MG_WINOGRAD_TILES_4  // all, in tiles of 4 x 4
} MgWinograd;

// How many of a context's threads run a graph on a CPU.
typedef enum MgSharing {
    MG_SHARING_AUTO, // all; one where the cost model finds that waking the others takes longer
    MG_SHARING_ALL   // all, however little work there is
} MgSharing;

// How exact products of matrices of f32 must be. TF32 is a permission: targets that gain nothing
// from it compute in f32. BF16 and F16 change what the graph means: mixed precision.
typedef enum MgPrecision {
    MG_PRECISION_F32,
    MG_PRECISION_TF32, // each factor may be rounded to the 10 mantissa bits of tf32 first
    MG_PRECISION_BF16, // factors and results are rounded to bf16; products and sums are f32
    MG_PRECISION_F16   // the same with f16
} MgPrecision;

// The type in which weights are kept: factors of sums of products that parameters alone decide. The
// sums stay f32. Types of eight bits have a scale for each output channel.
typedef enum MgWeightsType {
    MG_WEIGHTS_GIVEN, // as the graph has them
    MG_WEIGHTS_BF16,
    MG_WEIGHTS_F16,
    MG_WEIGHTS_I8,
    MG_WEIGHTS_F8E4M3
} MgWeightsType;

typedef struct MgCompileOptions {
    const char *graph; // name of the graph; default: the file's only one
    int32_t level;     // 0 to 3, as -O0 to -O3; -1 asks for the default: 2, or what a .mgb was
                       // built with
    const char *march; // CPU to compile for; default: this machine's
    bool strict;       // keeps the order of sums, and never contracts a product and a sum to an fma
    bool interpret;    // uses the reference interpreter: slow, and exact by definition
    const char *target; // "cpu" (default) or "gpu": a device of OpenCL or CUDA
    const char *device; // for target "gpu": a number from `mgc devices` or part of a name; default:
                        // $MG_DEVICE, else the first GPU, else the first device. "opencl:" or
                        // "cuda:" in front, or alone, chooses among that driver's devices; else a
                        // device that both drive is CUDA's
    MgMode mode;
    // For an ONNX model: what its inputs will receive. If the values of an input decide a size, the
    // size is taken from here, and the model then refuses other values when it runs. Without them,
    // each run computes such a size, which may be at most 4096. Only loading reads them.
    const MgGiven *given;
    uint32_t n_given;
    MgLaunchForm launch;
    MgWinograd winograd;
    MgPrecision precision;
    const char *tuned; // a file that mgc tune wrote; "" for none; default: the one in the cache
                       // folder, if there is one
    MgSharing sharing;
    const char
        *schedules;      // a file of schedules (docs/schedules.md) for some or all units; default:
                         // those that the compiler chooses
    const char *weights; // "random" or "random:SEED" gives every parameter random values on a scale
                         // that fits its use; "initial" or "initial:SEED" gives those that state an
                         // initial value this value; "bound" gives none: each instance gets
                         // them by mg_bind_parameter; default: the file that the graph names
    const char *machine; // figures to choose kernels by: a file, the name of a machine that mgc
                         // knows, or "none" for those of march; default: those that mgc probe
                         // --save kept for this machine in the cache folder, if march is this one
    const char *remat;   // what derivatives recompute instead of keeping it in memory: "none"
                         // (default), "auto" (what is cheaper to recompute), "all", or the bytes
                         // that the plan may take, such as "64MiB"
    bool open_parameters; // parameters are inputs, which have keys (MgPortInfo): values of a
                          // training can be bound to them
    bool accumulate;      // a step of training can take several batches (mg_train_add)
    bool in_place;        // a step of training changes parameters in their own memory, which halves
                          // what they take; see mg_train_step
    MgModel *weights_of;  // a model whose weights this one shares: parameters that have a key of
                          // that model are not loaded again, nor uploaded to the same device. Their
                          // types and shapes must agree. If that model's parameters are bound, so
                          // are this one's. If no device is named, both have the same one, and so
                          // the same buffers. The other model may be released
    bool short_sums;      // sums of products of floats of eight bits may keep 14 bits, 128 products
                          // at a time, where matrix units are faster so
    MgWeightsType weights_type;
} MgCompileOptions;
// path is FILE.mg, .mgb, .onnx or .mlir (StableHLO), or "-" for standard input. options may be
// NULL, which means the default of every option.
MG_API MgStatus mg_model_load(MgContext *context, const char *path, const MgCompileOptions *options,
                              MgModel **model);
// Compiles a source text. Messages call the text `name`, and its weights file is looked for in the
// folder of name.
MG_API MgStatus mg_model_compile(MgContext *context, const char *name, const char *text,
                                 size_t length, const MgCompileOptions *options, MgModel **model);
MG_API MgModel *mg_model_retain(MgModel *model);
MG_API void mg_model_release(MgModel *model); // NULL is allowed

typedef struct MgPortInfo {
    const char *name;
    MgElement element;
    uint32_t rank;
    const int64_t *dims;         // by axis: its size if that is constant, else -1
    const char *const *formulas; // by axis: "B", "2*H + 1", "10", over the names of dimensions
    const char *key; // of a parameter that the graph changes: its key in the weights file, for the
                     // input and for the output that is its next value; otherwise NULL
    int32_t over;    // of an output that takes over an input: that input's number; otherwise -1
} MgPortInfo;
MG_API const char *mg_model_graph(const MgModel *model);
MG_API uint32_t mg_model_inputs(const MgModel *model);
MG_API uint32_t mg_model_outputs(const MgModel *model);
// Ports and dimensions are numbered from 0. A function returns NULL if no port has the number.
MG_API const MgPortInfo *mg_model_input(const MgModel *model, uint32_t number);
MG_API const MgPortInfo *mg_model_output(const MgModel *model, uint32_t number);
MG_API int32_t mg_model_find_input(const MgModel *model, const char *name); // -1 if there is none
MG_API int32_t mg_model_find_output(const MgModel *model, const char *name);
MG_API uint32_t mg_model_dims(const MgModel *model);
MG_API const char *mg_model_dim(const MgModel *model, uint32_t number);

// ---------------------------------------------------------------- running

// Makes a place to run the model with the context's workers. If no earlier context of the model had
// as many workers, the first run compiles for them. If the call fails, the context has the message.
MG_API MgStatus mg_instance_new(MgModel *model, MgContext *context, MgInstance **instance);
MG_API void mg_instance_free(MgInstance *instance); // NULL is allowed; ignored in a hook of its own
MG_API const char *mg_instance_message(const MgInstance *instance);

// data is row-major and aligned to its element; it may be NULL only if the input is empty. Binding
// other memory of the same shape costs the next run nothing. The next run checks a new shape.
MG_API MgStatus mg_bind_input(MgInstance *instance, uint32_t input, const void *data, uint32_t rank,
                              const int64_t *dims);
MG_API MgStatus mg_bind_input_tensor(MgInstance *instance, uint32_t input, MgTensor *tensor);
// Where an output is written: `bytes` of memory, aligned to its element, that no other output
// overlaps, and no input but the whole of the one that the output takes over (`cache2: f32[N] over
// cache`). If both have the same memory, a run changes it in place, even if the run fails later;
// otherwise the input stays as it is. If data is NULL, the output returns to the instance's own
// memory, which is the default. After a change there are no outputs until the next run.
MG_API MgStatus mg_bind_output(MgInstance *instance, uint32_t output, void *data, size_t bytes);

// Gives this instance a parameter's values in place of the model's own: memory of the parameter's
// type and shape, `bytes` long and aligned to its element. Keep it, with the same
// values: a run may keep what it has computed from parameters for later runs. After a change, bind
// it again, with the same address or another. On the CPU only; devices have
// mg_bind_parameter_buffer and mg_bind_parameter_at.
MG_API MgStatus mg_bind_parameter(MgInstance *instance, const char *key, const void *data,
                                  size_t bytes);

// Memory on a device, for models of target "gpu" in modes fused, graph and loop. Inputs and outputs
// that are bound to buffers stay on the device; a run transfers only the other ports. Buffers are
// reference counted.
typedef struct MgBuffer MgBuffer;
MG_API MgStatus mg_buffer_new(MgModel *model, MgContext *context, size_t bytes, MgBuffer **buffer);
MG_API MgBuffer *mg_buffer_retain(MgBuffer *buffer);
MG_API void mg_buffer_release(MgBuffer *buffer); // NULL is allowed
MG_API size_t mg_buffer_bytes(const MgBuffer *buffer);
// Each copies `bytes` at byte `at` of the buffer, and waits. Bytes outside the buffer are
// MG_BAD_USAGE. The context has the message.
MG_API MgStatus mg_buffer_write(MgBuffer *buffer, MgContext *context, size_t at, const void *from,
                                size_t bytes);
MG_API MgStatus mg_buffer_read(const MgBuffer *buffer, MgContext *context, size_t at, void *to,
                               size_t bytes);
// The objects of the driver that runs a model, for callers who use it themselves. `interface` names
// the driver's interface. Each interface has a header that gives these calls its types; for
// "opencl" that is <mg/opencl.h>, for "cuda" <mg/cuda.h>. The result is NULL if the model or the
// buffer has no such object: it runs on the CPU, or through another interface.
typedef enum MgNative { MG_NATIVE_CONTEXT, MG_NATIVE_DEVICE } MgNative;
MG_API void *mg_model_native(const MgModel *model, const char *interface, MgNative which);
MG_API void *mg_buffer_native(const MgBuffer *buffer, const char *interface);
// Makes a buffer from the driver's memory object, which it retains. A run waits for its own
// commands, but not for your queues: finish the commands that write an input before the run.
// Commands that read an output may begin after the run.
MG_API MgStatus mg_buffer_of_native(MgModel *model, MgContext *context, const char *interface,
                                    void *memory, MgBuffer **buffer);
// Like mg_bind_input and mg_bind_output, at the start of a buffer. The instance retains the buffer
// until you bind something else. The result is MG_BAD_USAGE if the buffer is on another device, is
// too small, or is bound to another port and one of the two is an output. An output that takes over
// an input may have the same buffer, which a run changes in place; but not in mode loop, which
// exchanges buffers. To carry another value from run to run, swap two buffers.
MG_API MgStatus mg_bind_input_buffer(MgInstance *instance, uint32_t input, MgBuffer *buffer,
                                     uint32_t rank, const int64_t *dims);
MG_API MgStatus mg_bind_output_buffer(MgInstance *instance, uint32_t output, MgBuffer *buffer);
// Like mg_bind_parameter, at the start of a buffer, which the instance retains.
MG_API MgStatus mg_bind_parameter_buffer(MgInstance *instance, const char *key, MgBuffer *buffer);

// Memory of yours on the device, by its address there, for a driver whose memory has addresses
// ("cuda", <mg/cuda.h>). Nothing is copied, and it stays yours: keep it until you bind something
// else or free the instance. The address is a multiple of 16; otherwise, or if this is not memory
// of the model's device, the result is MG_BAD_USAGE. As in mg_bind_input and mg_bind_output, an
// output overlaps no other port, except that it may have the whole of the input that it takes over.
MG_API MgStatus mg_bind_input_at(MgInstance *instance, uint32_t input, uint64_t address,
                                 uint32_t rank, const int64_t *dims);
MG_API MgStatus mg_bind_output_at(MgInstance *instance, uint32_t output, uint64_t address,
                                  size_t bytes);
MG_API MgStatus mg_bind_parameter_at(MgInstance *instance, const char *key, uint64_t address,
                                     size_t bytes);
// Binds addresses and runs, as mg_run_with does with memory of the host (0 keeps a binding), in the
// order of a stream of yours, an object of the driver: the run begins after what is in the stream,
// and what you put there afterwards comes after the run. If all ports are on the device and no
// check is made during the run, the call returns without waiting for it. An error of the device is
// then reported by a later call. mg_wait waits for the run; mg_buffer_read and mg_buffer_write need
// that, since they follow no stream of yours.
MG_API MgStatus mg_run_in(MgInstance *instance, const char *interface, void *stream,
                          const uint64_t *inputs, const uint64_t *outputs, const size_t *bytes);
MG_API MgStatus mg_wait(MgInstance *instance);

// Runs the graph once.
MG_API MgStatus mg_run(MgInstance *instance);
// Binds memory and runs, in one call: inputs[k], with the shape that is bound already, and
// outputs[k] with bytes[k]. An entry that is NULL keeps its binding, and so does a list that is
// NULL.
MG_API MgStatus mg_run_with(MgInstance *instance, const void *const *inputs, void *const *outputs,
                            const size_t *bytes);
// Runs the graph `times` times, at least once, over the same inputs. A device gets the inputs once
// and gives the outputs back once.
MG_API MgStatus mg_run_times(MgInstance *instance, uint32_t times);
// Runs the graph `passes` times, at least once. Each pass gets results of the pass before. In the
// order of the outputs, each output becomes the first input of its type and shape that no earlier
// output has become. The other inputs stay as they are bound. The outputs are those of the last
// pass. In mode loop the passes follow each other on the device; otherwise the host repeats them.
MG_API MgStatus mg_run_passes(MgInstance *instance, uint64_t passes);
// An output of the last run. *data and *dims are valid until the next call on the instance. *data
// is NULL if the output is in a buffer.
MG_API MgStatus mg_output(const MgInstance *instance, uint32_t output, const void **data,
                          const int64_t **dims);
// The shape that an output of the next run will have, which the shapes of the bound inputs decide;
// where data decide, the largest. Until that run there are no outputs. *dims is valid until the
// next call on the instance.
MG_API MgStatus mg_output_shape(MgInstance *instance, uint32_t output, const int64_t **dims);
// A copy that outlives the instance. NULL if there are no outputs, or if memory runs out.
MG_API MgTensor *mg_output_tensor(const MgInstance *instance, uint32_t output);

typedef enum MgPicture {
    MG_PICTURE_GRAPH,  // what the model computes, op by op, and which ops read which
    MG_PICTURE_MEMORY, // where the values of a run lie in memory, and when: for the shapes of the
                       // bound inputs, which a model without dimensions doesn't need
    MG_PICTURES
} MgPicture;
// One SVG, as text that the caller frees. *svg is NULL if there is no such picture: interpreted
// models, modes in which ops are compiled alone, and models whose sizes data decide have no plan of
// memory. Drawing it compiles again, and what that takes stays with the model.
MG_API MgStatus mg_picture(MgInstance *instance, MgPicture which, char **svg);

// ---------------------------------------------------------------- training

// A training of a graph with `next`: it holds the parameters that the graph changes, and makes one
// step after another. Such a parameter is an input of the model, and its next value an output; both
// have a key. The training binds these ports itself. Bind the other inputs of its instance, and
// read the other outputs from it.
typedef struct MgTrain MgTrain;
// The parameters begin with the values of the weights file, or with those of
// MgCompileOptions.weights; a parameter with an initial value needs neither. If the call fails, the
// context has the message; later messages are the training's. A hook of its instance can't use the
// training.
MG_API MgStatus mg_train_open(MgModel *model, MgContext *context, MgTrain **train);
MG_API void mg_train_close(MgTrain *train); // NULL is allowed
MG_API const char *mg_train_message(const MgTrain *train);
MG_API MgInstance *mg_train_instance(MgTrain *train); // the training's own: don't free it
// Runs the graph once. After mg_train_step the parameters have their next values, after
// mg_train_try the same as before. If a step fails, they keep their values. With
// MgCompileOptions.in_place, a step writes them in place as it finds their next values. If it fails
// while it runs, the values are of no step, and every call that needs them is refused until
// mg_train_load.
MG_API MgStatus mg_train_step(MgTrain *train);
MG_API MgStatus mg_train_try(MgTrain *train);
// Runs the graph on a batch that is not the last of its step: bind the batch, call this, bind the
// next one, and so on, and call mg_train_step for the last. The gradients add up, and the step uses
// their mean. So for a loss that is a mean, N batches of B samples change the parameters as one
// batch of N * B does, within rounding. A gradient is the derivative of a number with respect to a
// parameter. Buffers that depend on the batch but not on gradients, such as running means, change
// with each batch; everything else that has a next value changes with the step. Outputs are those
// of the batch; those that depend on gradients are those of the batches so far. Inputs with
// dimensions count as the batch. mg_train_set and mg_train_load begin the step again, and
// mg_train_save leaves out what has been added up. The model must have been loaded with
// MgCompileOptions.accumulate; up to 2^24 batches make a step.
MG_API MgStatus mg_train_add(MgTrain *train);
// The runs from here on follow a stream of yours, as in mg_run_in: a batch that is bound by its
// address on the device is complete when the run begins. Each call waits for its run, since it
// reports whether that failed. NULL: they follow no stream.
MG_API MgStatus mg_train_stream(MgTrain *train, const char *interface, void *stream);
// The keys of the parameters that change, numbered from 0. NULL if there is none of this number.
MG_API uint32_t mg_train_params(const MgTrain *train);
MG_API const char *mg_train_param(const MgTrain *train, uint32_t number);
// Gives the parameters their values from before the latest step, or takes the latest batch of
// mg_train_add back. The result is MG_BAD_USAGE if there was no step, if it was undone already, if
// mg_train_try, mg_train_set or mg_train_load came after it, or if it was made in place.
MG_API MgStatus mg_train_undo(MgTrain *train);
// Binds the training's current values to those inputs of an instance that are its parameters
// (MgCompileOptions.open_parameters), until the next step; for a graph that validates. Inputs with
// other keys are left alone.
MG_API MgStatus mg_train_bind(MgTrain *train, MgInstance *instance);
// The first gives a copy of a parameter's values, which the caller owns; the second sets new values
// of its type and shape.
MG_API MgStatus mg_train_get(MgTrain *train, const char *key, MgTensor **value);
MG_API MgStatus mg_train_set(MgTrain *train, const char *key, const MgTensor *value);
// Write weights.safetensors (parameters) and state.safetensors (buffers) into a folder, and read
// them. Reading checks everything first, and names each tensor that is missing, has another type or
// belongs to no parameter.
MG_API MgStatus mg_train_save(MgTrain *train, const char *folder);
MG_API MgStatus mg_train_load(MgTrain *train, const char *folder);

// ---------------------------------------------------------------- timing

typedef enum MgTimingKind {
    MG_TIMING_CALL,     // a whole run, or all passes of mg_run_passes in mode loop
    MG_TIMING_BIND,     // reserved
    MG_TIMING_KERNEL,   // one kernel on one worker or on the device
    MG_TIMING_COMPILE,  // compiling, or finding code in a cache; the device's own compiler too
    MG_TIMING_TRANSFER, // between host and device; `schedule` is "upload" or "download"
    MG_TIMING_LAUNCH    // the host's time to enqueue the graph's kernels
} MgTimingKind;
typedef struct MgTiming {
    MgTimingKind kind;
    const char *name;     // of a kernel: its main result and, if several kernels make that, its
                          // part: "y (piece 2 of 3)"; of a call: the graph
    const char *schedule; // "elementwise", "contraction", …
    const char *place;    // "net.mg:6:10"
    uint32_t site, worker;
    uint64_t begin, end;  // nanoseconds of one clock with an arbitrary zero
    int64_t bytes, flops; // of the kernel on all workers together
    double faster; // how many products the kernel's instruction for narrow factors adds in the time
                   // of one f32 multiply-add; 1 without such an instruction
} MgTiming;
typedef void MgTimingHook(void *user, const MgTiming *timing);
// The hook is called during and after each run: for the call, for every kernel and worker, and for
// compiling and transfers. A hook can't use the instance that calls it: such calls are
// MG_BAD_USAGE. A NULL hook turns timing off.
MG_API void mg_set_timing(MgInstance *instance, MgTimingHook *hook, void *user);

#ifdef __cplusplus
}
#endif
#endif
