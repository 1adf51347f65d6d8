// An instance. Everything that a run needs is prepared when shapes change, so a run with unchanged
// shapes is one indirect call and one test of the error word.
#ifndef MG_RUNTIME_INSTANCE_H
#define MG_RUNTIME_INSTANCE_H

#include "runtime/context.h"
#include "support/clock.h"

typedef struct MgInput {
    const void *data;
    MgTensor *tensor; // retained, or NULL
    uint32_t rank;
    int64_t *dims; // has room for the port's rank
    bool bound;
    uint32_t made_here; // 1 + the output that the code makes in its memory; 0: none
} MgInput;

typedef struct MgOutput {
    void *given; // what mg_bind_output gave
    size_t room; // bytes there, or in the memory that was given on the device
    void *own;   // malloc'd
    size_t own_room;
    int64_t *dims; // of the last run
    size_t bytes;
} MgOutput;

typedef struct MgSteps MgSteps; // runtime/steps.h

// Memory of the caller on the device: a buffer, or the driver's own address.
typedef struct MgPlaced {
    int64_t at;       // 0: none
    MgBuffer *buffer; // retained, or NULL
} MgPlaced;

typedef struct MgParked {
    const MgVariant *variant;
    MgDeviceRun *run; // NULL: none
} MgParked;

struct MgInstance {
    // Fields that every run reads.
    void (*run)(MgCall *call, uint32_t worker, uint32_t workers);
    bool direct; // bound, one worker, no hook: a run is one call
    MgCall call;

    bool bound;  // shapes are checked, and memory is allocated
    bool busy;   // in a run, which a hook of the caller must not disturb
    MgPart part; // what the next run computes
    uint32_t workers;
    MgModel *model; // retained
    MgContext *context;
    char *message;
    const MgVariant *variant; // NULL before the first bind, and when interpreting
    MgInput *inputs;
    MgOutput *outputs;
    void **ports;            // inputs, then outputs
    const void **parameters; // parallel to the model's weights: memory that was bound to them (on a
                             // device, its address there), or NULL; the array is NULL if none was
    MgBuffer **parameter_buffers; // those of them that are buffers, retained; NULL if none was
    const void **weights;         // for the variant, with the model's own
    int64_t *dims;                // of the graph
    int64_t *image_dims, *slots;
    unsigned char *arena;
    size_t arena_room;
    // On a device (instance_device.c):
    MgDeviceRun *on_device;    // of the variant; NULL: not made yet
    MgParked parked[MG_PARTS]; // those of variants before
    MgPlaced *placed; // memory of the caller there, parallel to ports; NULL if no port has had any
    void **device_ports; // addresses there, parallel to ports: of placed, or of device_own
    void **device_own;   // memory of the instance; 0 where `placed` replaces it
    size_t *device_room; // its bytes; after the ports, those of the arena
    int64_t device_arena;
    bool told_compile;   // the hook has been told how long the device's compiler took
    bool ran;            // outputs are those of the last run
    bool pending;        // the last run may still be in progress (mg_run_in)
    void *stream;        // of the caller's, for the run that begins; NULL: none
    uint64_t loop_chunk; // the passes of one launch on a device; 0: not measured yet
    MgSteps *steps;      // for modes that run op by op; made in the first run

    MgTimingHook *hook;
    void *hook_user;
    uint64_t *ticks;
    int64_t *costs; // flops and bytes per site, or NULL
    uint64_t clock_ns,
        clock_ticks; // both clocks, read together: the longer ago this was, the more exact is the
                     // scale
};

// Copies a result to the memory of output `number`. False if there is no memory, or too little.
// An output in place of its input gets it from mg_outputs_taken, when all results are copied.
bool mg_output_take(MgInstance *instance, uint32_t number, const int64_t *dims, const void *data,
                    size_t bytes);
void mg_outputs_taken(MgInstance *instance);
// Computes the dims and bytes of an output from the dims of the inputs. With `bounds`, a dimension
// that data decide counts as its largest value. False if that is unknown.
bool mg_output_dims(MgInstance *instance, uint32_t number, bool bounds);
// Chooses what the runs that follow compute.
void mg_instance_part(MgInstance *instance, MgPart part);
// The input in whose memory the code of the last mg_instance_prepare makes the output, or -1.
int32_t mg_instance_aliases(const MgInstance *instance, uint32_t output);
// Was the output given the memory of the input that it takes over, on the host? The results of
// other outputs may lie there as well.
bool mg_instance_in_place(const MgInstance *instance, uint32_t output);
// Can the instance be called? It must exist and must not be in a run, whose hook may call.
MgStatus mg_instance_check(MgInstance *instance);
// Like mg_output, for an instance that may be in a run of many passes.
MgStatus mg_instance_output(MgInstance *instance, uint32_t output, const void **data,
                            const int64_t **dims);
// Runs the graph `times` times. The instance has been checked.
MgStatus mg_instance_run(MgInstance *instance, uint32_t times);
// Does what a run with new shapes needs first.
MgStatus mg_instance_prepare(MgInstance *instance);
// Of that, finds the dimensions, and the code for them.
MgStatus mg_instance_sizes(MgInstance *instance);
MgStatus mg_instance_trapped(MgInstance *instance);
// Sets the message to a text of the image, with its {formulas} filled in.
void mg_instance_says(MgInstance *instance, const char *text);
// Runs work(argument, w, workers) for every worker of the instance: on the calling thread, by the
// caller's hook, or on the context's threads.
MgStatus mg_instance_share(MgInstance *instance, MgTask *work, void *argument);
// The parts of binding. The first checks that there is an input of this number and rank. The second
// sets its memory (NULL: it is in a buffer) and its dims.
MgStatus mg_instance_check_input(MgInstance *instance, uint32_t number, uint32_t rank,
                                 const int64_t *dims);
void mg_instance_set_input(MgInstance *instance, uint32_t number, const void *data, uint32_t rank,
                           const int64_t *dims);
// runtime/parameter.c. The first gives the host's memory of a parameter of this instance, or NULL.
// The second checks that all parameters have values. If some differ from the model's, it fills
// `weights` for the variant (NULL: none is used).
const void *mg_instance_parameter(const MgInstance *instance, const MgWeight *weight);
void mg_instance_free_parameters(MgInstance *instance);
MgStatus mg_instance_parameters(MgInstance *instance, const MgVariant *variant);
MgStatus mg_instance_check_output(MgInstance *instance, uint32_t number);
// runtime/placed.c: memory of the caller on the device, for a port (inputs, then outputs). The
// first is its address, or 0. The second says whether the model can run over such memory. The third
// makes it a port's: `bytes` at `address`, in a buffer or not; the fourth takes it away.
int64_t mg_instance_placed(const MgInstance *instance, uint32_t port);
bool mg_instance_has_places(const MgInstance *instance); // has any port such memory?
MgStatus mg_instance_can_place(MgInstance *instance, const char *what, const char *name);
void mg_instance_place(MgInstance *instance, uint32_t port, int64_t address, size_t bytes,
                       MgBuffer *buffer);
void mg_instance_unplace(MgInstance *instance, uint32_t port);
// The address of the caller's memory that is at `driver`, one of the driver's addresses.
MgStatus mg_instance_address(MgInstance *instance, const char *what, const char *name,
                             uint64_t driver, size_t bytes, int64_t *address);
// Waits for a run that is in progress, and reports what went wrong in it.
MgStatus mg_instance_settle(MgInstance *instance);
// runtime/buffer.c
int64_t mg_buffer_address(const MgBuffer *buffer);
bool mg_buffer_is_of(const MgBuffer *buffer, const MgModel *model); // on its device
// runtime/interpret.c: one run by the reference interpreter.
MgStatus mg_instance_interpret(MgInstance *instance);
// runtime/instance_device.c: on a device, prepares memory and launches after binding, in place of
// the host's arena. A run then copies inputs there, runs the plan `times` times, and copies outputs
// back.
MgStatus mg_instance_prepare_device(MgInstance *instance);
MgStatus mg_instance_run_device(MgInstance *instance, uint32_t times);
MgStatus mg_instance_finish_device(MgInstance *instance);
// An output that becomes an input of the next pass (runtime/repeat.c finds them).
typedef struct MgFeed {
    uint32_t output, input;
    void *other; // memory of the output's size
} MgFeed;
// Runs `passes` passes, each on the results of the one before. One launch runs as many of them as
// the plan allows and as fit into the time of a launch. The data stays on the device.
MgStatus mg_instance_loop_device(MgInstance *instance, const MgFeed *feeds, uint32_t n,
                                 uint64_t passes);
// In mode loop: can passes follow one another without the host?
bool mg_instance_loops(const MgInstance *instance);
void mg_instance_free_device(MgInstance *instance, bool all); // all: memory too, not just the run
// Puts the launches of the current variant aside and takes those of another, if they are there.
void mg_instance_change_device(MgInstance *instance, const MgVariant *to);
// Reports the device's events since the last finish to the hook.
void mg_instance_report_device(MgInstance *instance, uint64_t begin_ns, uint64_t end_ns,
                               uint64_t launched_ns, uint64_t enqueued_ns);
// runtime/timing.c: the counter that compiled code reads.
uint64_t mg_now_ticks(void);
// Reports a run that began and ended at these nanoseconds to the hook.
void mg_instance_report(MgInstance *instance, uint64_t begin_ns, uint64_t end_ns);

#endif
