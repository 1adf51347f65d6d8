// An instance on a device: its arena, memory for each port (kept while large enough), and the
// launches of a run. Data crosses only at the graph's boundaries.
#include "runtime/instance.h"

#include "formats/tensor.h"
#include "ir/program.h"

#include <stdlib.h>

void mg_instance_free_device(MgInstance *i, bool all) {
    if (!i->model->device)
        return;
    mg_device_run_free(i->on_device);
    i->on_device = NULL;
    if (!all)
        return;
    for (uint32_t k = 0; k < MG_PARTS; k++)
        mg_device_run_free(i->parked[k].run);
    uint32_t n = mg_model_inputs(i->model) + mg_model_outputs(i->model);
    for (uint32_t k = 0; i->device_own && k < n; k++)
        mg_device_free(i->model->device, (int64_t)(intptr_t)i->device_own[k]);
    mg_device_free(i->model->device, i->device_arena);
    free(i->device_ports);
    free(i->device_own);
    free(i->device_room);
}

// A training that takes several batches in a step changes from one part's code to another's and
// back. So the launches of the code before are kept.
void mg_instance_change_device(MgInstance *i, const MgVariant *to) {
    if (!i->model->device)
        return;
    MgParked before = {i->variant, i->on_device};
    i->on_device = NULL;
    for (uint32_t k = 0; k < MG_PARTS && !i->on_device; k++)
        if (i->parked[k].run && i->parked[k].variant == to) {
            i->on_device = i->parked[k].run;
            i->parked[k] = (MgParked){0};
        }
    if (!before.run)
        return;
    for (uint32_t k = 0; k < MG_PARTS; k++)
        if (!i->parked[k].run || k + 1 == MG_PARTS) {
            mg_device_run_free(i->parked[k].run);
            i->parked[k] = before;
            return;
        }
}

// Makes the memory at *address at least `bytes` bytes long.
static bool reserve(MgInstance *i, int64_t *address, size_t *room, size_t bytes) {
    if (*address && *room >= bytes)
        return true;
    mg_device_free(i->model->device, *address);
    *room = 0;
    *address = mg_device_alloc(i->model->device, bytes, NULL, &i->message);
    if (*address)
        *room = bytes;
    return *address != 0;
}

static size_t input_bytes(const MgInstance *i, uint32_t k) {
    size_t count, bytes;
    const MgInput *in = &i->inputs[k];
    MgDType dtype = (MgDType)i->model->inputs[k].element;
    return mg_tensor_size(dtype, in->rank, in->dims, &count, &bytes) ? bytes : 0;
}

static size_t port_bytes(const MgInstance *i, uint32_t k) {
    uint32_t inputs = mg_model_inputs(i->model);
    return k < inputs ? input_bytes(i, k) : i->outputs[k - inputs].bytes;
}

static int64_t port(const MgInstance *i, uint32_t k) {
    return (int64_t)(intptr_t)i->device_ports[k];
}

// Gives port k memory of the instance's own.
static bool reserve_port(MgInstance *i, uint32_t k) {
    int64_t address = (int64_t)(intptr_t)i->device_own[k];
    bool ok = reserve(i, &address, &i->device_room[k], port_bytes(i, k));
    i->device_ports[k] = i->device_own[k] = (void *)(intptr_t)address;
    return ok;
}

// The input in whose memory the code makes port k, an output; -1: it has memory of its own.
static int32_t made_in(const MgInstance *i, uint32_t k) {
    uint32_t inputs = mg_model_inputs(i->model);
    return k < inputs || mg_instance_placed(i, k) ? -1 : mg_instance_aliases(i, k - inputs);
}

static bool reserve_ports(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model), n = inputs + mg_model_outputs(i->model);
    if (!i->device_ports) {
        i->device_ports = calloc(n + 1, sizeof *i->device_ports);
        i->device_own = calloc(n + 1, sizeof *i->device_own);
        i->device_room = calloc(n + 1, sizeof *i->device_room);
    }
    if (!i->device_ports || !i->device_own || !i->device_room) {
        mg_message_set(&i->message, "out of memory");
        return false;
    }
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++)
        if (mg_instance_placed(i, k))
            i->device_ports[k] = (void *)(intptr_t)mg_instance_placed(i, k);
        else if (made_in(i, k) < 0)
            ok = reserve_port(i, k);
    return ok && reserve(i, &i->device_arena, &i->device_room[n], (size_t)i->slots[0]);
}

// If an output and the input that it takes over have one memory on the host, they have one on the
// device, too, so that each of several runs begins with what the one before left.
static void place_outputs(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model);
    bool loops = i->model->options.mode == MG_MODE_LOOP;
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++) {
        if (mg_instance_placed(i, inputs + k) || made_in(i, inputs + k) >= 0)
            continue;
        int32_t input = i->model->graph->outputs.at[k].aliases;
        i->device_ports[inputs + k] = !loops && mg_instance_in_place(i, k)
                                          ? i->device_ports[input]
                                          : i->device_own[inputs + k];
    }
}

static void upload_inputs(MgInstance *i) {
    uint32_t n = mg_model_inputs(i->model) + mg_model_outputs(i->model);
    for (uint32_t k = 0; k < n; k++)
        if (made_in(i, k) >= 0)
            i->device_ports[k] = i->device_ports[made_in(i, k)];
    for (uint32_t k = 0; k < mg_model_inputs(i->model); k++)
        if (!mg_instance_placed(i, k))
            mg_device_upload(i->on_device, port(i, k), i->inputs[k].data, input_bytes(i, k));
}

static void download_outputs(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model);
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++)
        if (!mg_instance_placed(i, inputs + k))
            mg_device_download(i->on_device, i->ports[inputs + k], port(i, inputs + k),
                               i->outputs[k].bytes);
}

MgStatus mg_instance_prepare_device(MgInstance *i) {
    const MgVariant *v = i->variant;
    bool timed = i->hook != NULL;
    if (!reserve_ports(i))
        return MG_RUN_FAILED;
    if (i->on_device && mg_device_run_timed(i->on_device) != timed)
        mg_instance_free_device(i, false);
    if (!i->on_device) {
        MgStatus status =
            mg_device_run_new(i->model->device, v->image, timed, &i->on_device, &i->message);
        if (status)
            return status;
    }
    i->call = (MgCall){.ports = i->device_ports,
                       .weights = i->weights ? i->weights : v->weights,
                       .constants = (const void *const *)v->constants,
                       .arena = (unsigned char *)(intptr_t)i->device_arena,
                       .dims = i->image_dims,
                       .slots = i->slots,
                       .device = mg_device_run_hooks(i->on_device)};
    i->run = v->image->run;
    return MG_OK;
}

// The plan's own checks come before a kernel's trap.
MgStatus mg_instance_finish_device(MgInstance *i) {
    MgDeviceTrap trap;
    MgStatus status = mg_device_finish(i->on_device, &trap, &i->message);
    if (!i->call.error) {
        i->call.error = trap.code;
        i->call.valued = trap.valued;
        i->call.value = trap.value;
    }
    return status;
}

// Need the host not wait for the run? It has nothing to fetch, nothing to report and no memory of
// its own in use.
static bool may_leave(const MgInstance *i) {
    uint32_t n = mg_model_inputs(i->model) + mg_model_outputs(i->model);
    bool leaves = i->stream && !i->hook && !i->variant->image->n_traps && !i->call.error;
    for (uint32_t k = 0; k < n && leaves; k++)
        leaves = mg_instance_placed(i, k) || !port_bytes(i, k);
    return leaves;
}

MgStatus mg_instance_run_device(MgInstance *i, uint32_t times) {
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    if (i->stream)
        mg_device_follow(i->on_device, i->stream);
    place_outputs(i);
    upload_inputs(i);
    uint64_t launched = i->hook ? mg_now_ns() : 0;
    i->call.error = i->call.valued = 0;
    for (uint32_t n = 0; n < times; n++) {
        mg_device_begin_pass(i->on_device);
        i->run(&i->call, 0, 1);
    }
    uint64_t enqueued = i->hook ? mg_now_ns() : 0;
    download_outputs(i);
    i->pending = may_leave(i) && mg_device_lead(i->on_device, i->stream);
    MgStatus status = i->pending ? MG_OK : mg_instance_finish_device(i);
    if (i->hook)
        mg_instance_report_device(i, begin, mg_now_ns(), launched, enqueued);
    if (status) // what the arena should keep may be missing
        i->bound = false;
    return status;
}

// ---------------------------------------------------------------- loops
enum { FIRST_CHUNK = 16 }; // at most this many passes until it is known how long one takes
#define LAUNCH_NS 5e7      // a launch of many passes should not last longer than this

// The dimension that gives the plan the number of passes to run; -1: it runs one pass.
static int32_t passes_dim(const MgInstance *i) {
    const MgImage *image = i->variant->image;
    for (uint32_t d = 0; d < image->n_dims; d++)
        if (!strcmp(image->dim_names[d], MG_PASSES_DIM))
            return (int32_t)d;
    return -1;
}

bool mg_instance_loops(const MgInstance *i) {
    return i->variant && i->model->options.mode == MG_MODE_LOOP &&
           (!i->model->device || passes_dim(i) >= 0);
}

// Swaps memory, so that the next pass reads what this one wrote.
static void swap_ports(MgInstance *i, const MgFeed *feeds, uint32_t n) {
    uint32_t inputs = mg_model_inputs(i->model);
    for (uint32_t f = 0; f < n; f++) {
        uint32_t in = feeds[f].input, out = inputs + feeds[f].output;
        void *own = i->device_own[in];
        i->device_ports[in] = i->device_own[in] = i->device_own[out];
        i->device_ports[out] = i->device_own[out] = own;
        size_t room = i->device_room[in];
        i->device_room[in] = i->device_room[out];
        i->device_room[out] = room;
    }
}

// Ports that pass values on use the instance's own memory meanwhile: a buffer's bytes are copied
// there first, and back at the end.
static bool enter_loop(MgInstance *i, const MgFeed *feeds, uint32_t n) {
    uint32_t inputs = mg_model_inputs(i->model);
    bool ok = true;
    for (uint32_t f = 0; f < n && ok; f++) {
        int64_t from = mg_instance_placed(i, feeds[f].input);
        ok = reserve_port(i, feeds[f].input) && reserve_port(i, inputs + feeds[f].output);
        if (ok && from)
            mg_device_move(i->on_device, port(i, feeds[f].input), from,
                           input_bytes(i, feeds[f].input));
    }
    return ok;
}

static void leave_loop(MgInstance *i, const MgFeed *feeds, uint32_t n) {
    uint32_t inputs = mg_model_inputs(i->model);
    for (uint32_t f = 0; f < n; f++) {
        uint32_t in = feeds[f].input, out = inputs + feeds[f].output;
        if (mg_instance_placed(i, in))
            i->device_ports[in] = (void *)(intptr_t)mg_instance_placed(i, in);
        int64_t to = mg_instance_placed(i, out);
        if (!to)
            continue;
        mg_device_move(i->on_device, to, port(i, out), port_bytes(i, out));
        i->device_ports[out] = (void *)(intptr_t)to;
    }
}

static MgStatus finish(MgInstance *i) {
    MgStatus status = mg_instance_finish_device(i);
    return status ? status : i->call.error != 0 ? mg_instance_trapped(i) : MG_OK;
}

MgStatus mg_instance_loop_device(MgInstance *i, const MgFeed *feeds, uint32_t n, uint64_t passes) {
    int32_t dim = passes_dim(i);
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    if (!enter_loop(i, feeds, n)) {
        i->bound = false;
        return MG_RUN_FAILED;
    }
    upload_inputs(i);
    uint64_t launched = i->hook ? mg_now_ns() : 0;
    MgStatus status = MG_OK;
    uint64_t trial = 1;
    i->call.error = i->call.valued = 0;
    i->ran = false;
    for (uint64_t done = 0; done < passes && !status;) {
        uint64_t chunk = i->loop_chunk ? i->loop_chunk : trial;
        chunk = dim < 0 ? 1 : chunk < passes - done ? chunk : passes - done;
        if (done)
            swap_ports(i, feeds, n);
        if (dim >= 0)
            i->image_dims[dim] = (int64_t)chunk;
        bool measures = dim >= 0 && !i->loop_chunk;
        if (measures)
            status = finish(i); // earlier commands must not count for this chunk
        uint64_t from = mg_now_ns();
        mg_device_begin_pass(i->on_device);
        i->run(&i->call, 0, 1);
        done += chunk;
        if (measures && !status)
            status = finish(i);
        double each = (double)(mg_now_ns() - from) / (double)chunk;
        uint64_t fit = measures && each < LAUNCH_NS ? (uint64_t)(LAUNCH_NS / each) : 1;
        if (measures && (chunk > 1 || fit < FIRST_CHUNK)) // the first pass also computes what is
                                                          // kept
            i->loop_chunk = fit;
        trial = FIRST_CHUNK;
    }
    if (dim >= 0)
        i->image_dims[dim] = -1;
    uint64_t enqueued = i->hook ? mg_now_ns() : 0;
    leave_loop(i, feeds, n);
    if (!status) {
        download_outputs(i);
        status = finish(i);
    }
    if (i->hook)
        mg_instance_report_device(i, begin, mg_now_ns(), launched, enqueued);
    i->ran = !status;
    return status;
}

// ---------------------------------------------------------------- timing

// Is this the first launch of its site? The first one reports the cost of all.
static bool first_of_site(const MgImageDevice *code, uint32_t launch) {
    for (uint32_t l = launch; l-- > 0;)
        if (code->launches[l].site == code->launches[launch].site)
            return false;
    return true;
}

static MgTiming timing_of(const MgInstance *i, const MgDeviceEvent *e) {
    MgTiming t = {.kind = MG_TIMING_TRANSFER,
                  .name = e->kind == MG_EVENT_UPLOAD ? "to the device" : "from the device",
                  .schedule = e->kind == MG_EVENT_UPLOAD ? "upload" : "download",
                  .place = "",
                  .begin = e->begin,
                  .end = e->end,
                  .bytes = (int64_t)e->bytes,
                  .faster = 1};
    if (e->kind != MG_EVENT_KERNEL)
        return t;
    const MgImage *image = i->variant->image;
    uint32_t site = image->device->launches[e->launch].site;
    bool counts = first_of_site(image->device, e->launch);
    t.kind = MG_TIMING_KERNEL;
    t.name = image->sites[site].name;
    t.schedule = image->sites[site].kind;
    t.place = image->sites[site].place;
    t.site = site;
    t.faster = image->sites[site].faster;
    t.flops = counts ? i->costs[2 * site] : 0;
    t.bytes = counts ? i->costs[2 * site + 1] : 0;
    return t;
}

void mg_instance_report_device(MgInstance *i, uint64_t begin, uint64_t end, uint64_t launched,
                               uint64_t enqueued) {
    const MgDeviceEvent *events;
    uint32_t n = mg_device_events(i->on_device, &events);
    const char *graph = mg_model_graph(i->model);
    MgTiming call = {.kind = MG_TIMING_CALL,
                     .name = graph,
                     .schedule = "",
                     .place = "",
                     .begin = begin,
                     .end = end,
                     .faster = 1};
    MgTiming phase = {
        .kind = MG_TIMING_COMPILE, .name = graph, .schedule = "compile", .place = "", .faster = 1};
    mg_device_run_built(i->on_device, &phase.begin, &phase.end);
    if (!i->told_compile && phase.end)
        i->hook(i->hook_user, &phase);
    i->told_compile = true;
    phase = (MgTiming){.kind = MG_TIMING_LAUNCH,
                       .name = graph,
                       .schedule = "launch",
                       .place = "",
                       .begin = launched,
                       .end = enqueued,
                       .faster = 1};
    i->hook(i->hook_user, &phase);
    for (uint32_t k = 0; k < n; k++) {
        MgTiming t = timing_of(i, &events[k]);
        i->hook(i->hook_user, &t);
        if (t.kind == MG_TIMING_KERNEL) {
            call.flops += t.flops;
            call.bytes += t.bytes;
        }
    }
    i->hook(i->hook_user, &call);
}
