// An instance on a device: its arena and a buffer for each port there, kept while they are large
// enough, and the run's launches. Data crosses only at the graph's boundaries.
#include "runtime/instance.h"

#include "runtime/tensor.h"

#include <stdlib.h>

void mg_instance_free_device(MgInstance *i, bool all) {
    if (!i->model->device)
        return;
    mg_device_run_free(i->on_device);
    i->on_device = NULL;
    if (!all)
        return;
    uint32_t n = mg_model_inputs(i->model) + mg_model_outputs(i->model);
    for (uint32_t k = 0; i->device_ports && k < n; k++)
        mg_device_free(i->model->device, (int64_t)(intptr_t)i->device_ports[k]);
    mg_device_free(i->model->device, i->device_arena);
    free(i->device_ports);
    free(i->device_room);
}

// At least `bytes` at *address.
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

static bool reserve_ports(MgInstance *i) {
    uint32_t inputs = mg_model_inputs(i->model), n = inputs + mg_model_outputs(i->model);
    if (!i->device_ports) {
        i->device_ports = calloc(n + 1, sizeof *i->device_ports);
        i->device_room = calloc(n + 1, sizeof *i->device_room);
    }
    if (!i->device_ports || !i->device_room) {
        mg_message_set(&i->message, "out of memory");
        return false;
    }
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++) {
        size_t bytes = k < inputs ? input_bytes(i, k) : i->outputs[k - inputs].bytes;
        int64_t address = (int64_t)(intptr_t)i->device_ports[k];
        ok = reserve(i, &address, &i->device_room[k], bytes);
        i->device_ports[k] = (void *)(intptr_t)address;
    }
    return ok && reserve(i, &i->device_arena, &i->device_room[n], (size_t)i->slots[0]);
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
                       .weights = v->weights,
                       .constants = (const void *const *)v->constants,
                       .arena = (unsigned char *)(intptr_t)i->device_arena,
                       .dims = i->image_dims,
                       .slots = i->slots,
                       .device = mg_device_run_hooks(i->on_device)};
    i->run = v->image->run;
    return MG_OK;
}

MgStatus mg_instance_run_device(MgInstance *i, uint32_t times) {
    uint32_t inputs = mg_model_inputs(i->model);
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    for (uint32_t k = 0; k < inputs; k++)
        mg_device_upload(i->on_device, (int64_t)(intptr_t)i->device_ports[k], i->inputs[k].data,
                         input_bytes(i, k));
    uint64_t launched = i->hook ? mg_now_ns() : 0;
    i->call.error = 0;
    for (uint32_t n = 0; n < times; n++)
        i->run(&i->call, 0, 1);
    uint64_t enqueued = i->hook ? mg_now_ns() : 0;
    uint32_t trap = 0;
    for (uint32_t k = 0; k < mg_model_outputs(i->model); k++)
        mg_device_download(i->on_device, i->ports[inputs + k],
                           (int64_t)(intptr_t)i->device_ports[inputs + k], i->outputs[k].bytes);
    MgStatus status = mg_device_finish(i->on_device, &trap, &i->message);
    if (!i->call.error) // the plan's own checks come first
        i->call.error = trap;
    if (i->hook)
        mg_instance_report_device(i, begin, mg_now_ns(), launched, enqueued);
    return status;
}

// ------------------------------------------------------------------------------------------
// timing

// A site that is several launches tells its cost with the first of them.
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
                  .bytes = (int64_t)e->bytes};
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
                     .end = end};
    MgTiming phase = {.kind = MG_TIMING_COMPILE, .name = graph, .schedule = "compile", .place = ""};
    mg_device_run_built(i->on_device, &phase.begin, &phase.end);
    if (!i->told_compile && phase.end)
        i->hook(i->hook_user, &phase);
    i->told_compile = true;
    phase = (MgTiming){.kind = MG_TIMING_LAUNCH,
                       .name = graph,
                       .schedule = "launch",
                       .place = "",
                       .begin = launched,
                       .end = enqueued};
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
