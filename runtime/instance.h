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
    int64_t *dims; // room for the port's rank
    bool bound;
} MgInput;

typedef struct MgOutput {
    void *given; // by mg_bind_output
    size_t room; // bytes there
    void *own;   // malloc'd
    size_t own_room;
    int64_t *dims; // of the last run
    size_t bytes;
} MgOutput;

typedef struct MgSteps MgSteps; // runtime/steps.h

struct MgInstance {
    // Read by every run.
    void (*run)(MgCall *call, uint32_t worker, uint32_t workers);
    bool direct; // bound, one worker, no hook: nothing to do but call run
    MgCall call;

    bool bound; // shapes are checked, memory is there
    bool busy;  // in a run: what a hook of the caller's may not disturb
    uint32_t workers;
    MgModel *model; // retained
    MgContext *context;
    char *message;
    const MgVariant *variant; // NULL before the first bind, and when interpreting
    MgInput *inputs;
    MgOutput *outputs;
    void **ports;  // inputs, then outputs
    int64_t *dims; // of the graph
    int64_t *image_dims, *slots;
    unsigned char *arena;
    size_t arena_room;
    // of a model on a device (instance_device.c)
    MgDeviceRun *on_device; // of the variant; NULL: not made yet
    MgBuffer **buffers;     // retained, parallel to ports, each may be NULL; NULL: there is none
    void **device_ports;    // addresses there, parallel to ports: of a buffer, or what follows
    void **device_own;      // memory of the instance, 0 where a buffer makes it needless
    size_t *device_room;    // bytes there; behind the ports, those of the arena
    int64_t device_arena;
    bool told_compile;   // the hook knows how long the device's compiler took
    bool ran;            // outputs are those of the last run
    uint64_t loop_chunk; // passes of one launch on a device; 0: not measured yet
    MgSteps *steps;      // of the modes that run op by op, from the first run on

    MgTimingHook *hook;
    void *hook_user;
    uint64_t *ticks;
    int64_t *costs; // flops and bytes per site, or NULL
    uint64_t clock_ns,
        clock_ticks; // both clocks, read together: the longer ago, the better the scale
};

// Copies a result to where output `number` belongs. False if there is no memory, or too little.
bool mg_output_take(MgInstance *instance, uint32_t number, const int64_t *dims, const void *data,
                    size_t bytes);
// Sets the dims and bytes of an output from those of the inputs. bounds: a dimension that data
// decide counts as its largest value. False if that is not known.
bool mg_output_dims(MgInstance *instance, uint32_t number, bool bounds);
// Whether the instance can be called: it is there, and not in a run that a hook calls it from.
MgStatus mg_instance_check(MgInstance *instance);
// As mg_output, of an instance that may be in a run of many passes.
MgStatus mg_instance_output(MgInstance *instance, uint32_t output, const void **data,
                            const int64_t **dims);
// Runs the graph `times` times. The instance has been checked.
MgStatus mg_instance_run(MgInstance *instance, uint32_t times);
// What has to be done before a run whose shapes are new.
MgStatus mg_instance_prepare(MgInstance *instance);
MgStatus mg_instance_trapped(MgInstance *instance);
// Runs work(argument, w, workers) for every worker of the instance: alone, by the caller's hook or
// on the context's threads.
MgStatus mg_instance_share(MgInstance *instance, MgTask *work, void *argument);
// The parts of binding. The first asks whether there is such an input, of this rank; the second sets
// its memory (NULL: it is in a buffer) and its dims.
MgStatus mg_instance_check_input(MgInstance *instance, uint32_t number, uint32_t rank,
                                 const int64_t *dims);
void mg_instance_set_input(MgInstance *instance, uint32_t number, const void *data, uint32_t rank,
                           const int64_t *dims);
MgStatus mg_instance_check_output(MgInstance *instance, uint32_t number);
// runtime/buffer.c: a port (inputs, then outputs) gets a buffer, or gives up the one it had.
void mg_instance_set_buffer(MgInstance *instance, uint32_t port, MgBuffer *buffer);
int64_t mg_buffer_address(const MgBuffer *buffer);
// runtime/interpret.c: one run by the reference interpreter.
MgStatus mg_instance_interpret(MgInstance *instance);
// runtime/instance_device.c: memory on the device and what launches there; after binding, in place
// of the host's arena. Then a run: inputs there, the plan `times` times, outputs back.
MgStatus mg_instance_prepare_device(MgInstance *instance);
MgStatus mg_instance_run_device(MgInstance *instance, uint32_t times);
// An output that is the next pass's input (runtime/repeat.c finds them).
typedef struct MgFeed {
    uint32_t output, input;
    void *other; // memory of the output's size
} MgFeed;
// Runs `passes` passes, each fed with the results of the one before. One launch has as many of them
// as the plan allows and a launch may last; the data stays on the device.
MgStatus mg_instance_loop_device(MgInstance *instance, const MgFeed *feeds, uint32_t n,
                                 uint64_t passes);
// In mode loop: do passes follow one another without the host?
bool mg_instance_loops(const MgInstance *instance);
void mg_instance_free_device(MgInstance *instance, bool all); // all: memory too, not just the run
// Tells the hook of the device's events since the last finish.
void mg_instance_report_device(MgInstance *instance, uint64_t begin_ns, uint64_t end_ns,
                               uint64_t launched_ns, uint64_t enqueued_ns);
// runtime/timing.c: the counter that compiled code reads.
uint64_t mg_now_ticks(void);
// The same: tells the hook of a run that began and ended at these nanoseconds.
void mg_instance_report(MgInstance *instance, uint64_t begin_ns, uint64_t end_ns);

#endif
