// Many passes, each on the results of the one before. In mode loop the workers enter once and run
// all passes without returning. Outputs alternate between two buffers, so that a pass never writes
// what it reads, and the last pass writes where the caller wants its results. In every other mode
// each pass is a run of its own, and its results are copied to where the next one reads.
#include "runtime/instance.h"
#include "runtime/steps.h"

#include <sched.h>
#include <stdlib.h>

typedef struct Repeat {
    MgInstance *i;
    uint64_t passes;
    MgFeed *pairs; // other: the output's second buffer, or the copy of it that the next pass reads
    uint32_t n;
    MgCall calls[3]; // the first pass; passes into the other buffers; passes into the outputs
    void **ports[2]; // for the last two calls
    atomic_uint_fast64_t arrived;
} Repeat;

static bool pair_up(Repeat *r) {
    MgInstance *i = r->i;
    uint32_t inputs = mg_model_inputs(i->model), outputs = mg_model_outputs(i->model);
    bool *taken = calloc(inputs + 1, sizeof *taken);
    r->pairs = calloc(outputs + 1, sizeof *r->pairs);
    bool ok = taken && r->pairs;
    for (uint32_t o = 0; o < outputs && ok; o++) {
        const MgPortInfo *out = &i->model->outputs[o];
        if (!mg_output_dims(i, o, false))
            continue; // data decide its size
        for (uint32_t k = 0; k < inputs; k++) {
            const MgPortInfo *in = &i->model->inputs[k];
            if (taken[k] || in->element != out->element || in->rank != out->rank ||
                (in->rank && memcmp(i->inputs[k].dims, i->outputs[o].dims,
                                    in->rank * sizeof *i->inputs[k].dims) != 0))
                continue;
            taken[k] = true;
            void *other = aligned_alloc(64, (i->outputs[o].bytes + 64) / 64 * 64);
            r->pairs[r->n++] = (MgFeed){o, k, other};
            ok &= other != NULL;
            break;
        }
    }
    free(taken);
    return ok;
}

static void clear(Repeat *r) {
    for (uint32_t p = 0; p < r->n; p++)
        free(r->pairs[p].other);
    free(r->pairs);
    free(r->ports[0]);
    free(r->ports[1]);
}

// ---------------------------------------------------------------- from the host
static MgStatus on_host(Repeat *r) {
    MgInstance *i = r->i;
    uint32_t inputs = mg_model_inputs(i->model);
    const void **kept = calloc(inputs + 1, sizeof *kept);
    if (!kept)
        return MG_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < inputs; k++)
        kept[k] = i->inputs[k].data;
    MgStatus status = MG_OK;
    for (uint64_t pass = 0; pass < r->passes && !status; pass++) {
        for (uint32_t p = 0; p < r->n && pass && !status; p++) {
            MgFeed *pair = &r->pairs[p];
            const void *data;
            const int64_t *dims;
            status = mg_instance_output(i, pair->output, &data, &dims);
            if (!status && i->outputs[pair->output].bytes)
                memcpy(pair->other, data, i->outputs[pair->output].bytes);
            i->inputs[pair->input].data = i->ports[pair->input] = pair->other;
        }
        if (!status)
            status = mg_instance_run(i, 1);
    }
    for (uint32_t k = 0; k < inputs; k++) {
        i->inputs[k].data = kept[k];
        i->ports[k] = (void *)(uintptr_t)kept[k];
    }
    free(kept);
    return status;
}

// ---------------------------------------------------------------- on the CPU, as the device
// Waits until all workers have finished a pass, before any begins the next.
static void meet(Repeat *r, uint64_t pass, uint32_t workers) {
    if (workers == 1)
        return;
    atomic_fetch_add_explicit(&r->arrived, 1, memory_order_acq_rel);
    for (uint32_t spins = 0;
         atomic_load_explicit(&r->arrived, memory_order_acquire) < (pass + 1) * workers; spins++)
        if (spins > 2000) // more workers than cores
            sched_yield();
}

static void work(void *context, uint32_t worker, uint32_t workers) {
    Repeat *r = context;
    for (uint64_t pass = 0; pass < r->passes; pass++) {
        bool to_output = (r->passes - pass) % 2 != 0;
        MgCall *call = &r->calls[pass ? 1 + to_output : 0];
        r->i->run(call, worker, workers);
        meet(r, pass, workers);
        if (call->error)
            return; // all workers see it, since nobody writes it before the next pass
    }
}

static bool prepare_calls(Repeat *r) {
    MgInstance *i = r->i;
    uint32_t inputs = mg_model_inputs(i->model), all = inputs + mg_model_outputs(i->model);
    void **first = calloc(all + 1, sizeof *first);
    for (int c = 0; c < 2; c++)
        r->ports[c] = calloc(all + 1, sizeof *r->ports[c]);
    if (!first || !r->ports[0] || !r->ports[1]) {
        free(first);
        return false;
    }
    for (uint32_t k = 0; k < all; k++)
        r->ports[0][k] = r->ports[1][k] = first[k] = i->ports[k];
    bool first_to_output = r->passes % 2 != 0;
    for (uint32_t p = 0; p < r->n; p++) {
        const MgFeed *pair = &r->pairs[p];
        void *own = i->ports[inputs + pair->output];
        r->ports[0][pair->input] = own; // to the other buffers
        r->ports[0][inputs + pair->output] = pair->other;
        r->ports[1][pair->input] = pair->other; // to the outputs
        if (!first_to_output)
            first[inputs + pair->output] = pair->other;
    }
    for (int c = 0; c < 3; c++) {
        r->calls[c] = i->call;
        r->calls[c].error = r->calls[c].valued = 0;
        r->calls[c].ports = c ? r->ports[c - 1] : first;
    }
    return true;
}

static MgStatus on_device(Repeat *r) {
    MgInstance *i = r->i;
    if (!prepare_calls(r))
        return MG_OUT_OF_MEMORY;
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    i->ran = false;
    MgStatus status = mg_instance_share(i, work, r);
    free((void *)(uintptr_t)r->calls[0].ports);
    if (status)
        return status;
    if (i->hook)
        mg_instance_report(i, begin, mg_now_ns());
    i->call.error = i->call.valued = 0;
    for (int c = 0; c < 3; c++)
        if (r->calls[c].error) {
            i->call.error = r->calls[c].error;
            i->call.valued = r->calls[c].valued;
            i->call.value = r->calls[c].value;
        }
    i->ran = !i->call.error;
    return i->call.error ? mg_instance_trapped(i) : MG_OK;
}

static MgStatus run_passes(MgInstance *i, uint64_t passes) {
    if (!passes) {
        mg_message_set(&i->message, "a run needs at least one pass, and 0 were asked for");
        return MG_BAD_USAGE;
    }
    if (passes == 1)
        return mg_instance_run(i, 1);
    bool looks = i->model->module->fixed.len; // the host must look at inputs before each pass
    bool placed = mg_instance_has_places(i);
    if (looks && placed) {
        mg_message_set(&i->message, "inputs decided sizes when the model was loaded, and are "
                                    "checked before each pass: bind host memory, not buffers");
        return MG_BAD_USAGE;
    }
    i->ran = false;
    if (i->model->device && !mg_device_here(i->model->device, &i->message))
        return MG_RUN_FAILED;
    MgStatus status = i->bound ? MG_OK : mg_instance_prepare(i);
    if (status)
        return status;
    Repeat r = {.i = i, .passes = passes};
    bool loops = ((i->model->options.mode == MG_MODE_LOOP && !looks) || placed) && i->variant;
    if (pair_up(&r))
        status = !loops             ? on_host(&r)
                 : i->model->device ? mg_instance_loop_device(i, r.pairs, r.n, passes)
                                    : on_device(&r);
    else
        status = MG_OUT_OF_MEMORY;
    if (status == MG_OUT_OF_MEMORY)
        mg_message_set(&i->message, "out of memory: the limit is %zu MiB",
                       i->context->options.memory_limit >> 20);
    clear(&r);
    return status;
}

MgStatus mg_run_passes(MgInstance *i, uint64_t passes) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    i->busy = true;
    status = run_passes(i, passes);
    i->busy = false;
    return status;
}
