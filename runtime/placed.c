// Ports whose memory is on the device and the caller's: by buffers or by the driver's own
// addresses; and runs in the order of a stream of the caller's.
#include "runtime/instance.h"

#include "formats/tensor.h"
#include "runtime/steps.h"

#include <stdlib.h>

// ---------------------------------------------------------------- the memory of a port
int64_t mg_instance_placed(const MgInstance *i, uint32_t k) {
    return i->placed ? i->placed[k].at : 0;
}

bool mg_instance_has_places(const MgInstance *i) {
    size_t n = (size_t)mg_model_inputs(i->model) + mg_model_outputs(i->model);
    bool some = false;
    for (size_t k = 0; k < n && i->placed; k++)
        some |= i->placed[k].at != 0;
    return some;
}

MgStatus mg_instance_can_place(MgInstance *i, const char *what, const char *name) {
    const MgModel *m = i->model;
    const char *wrong = NULL;
    size_t n = (size_t)mg_model_inputs(m) + mg_model_outputs(m);
    if (!m->device)
        wrong = "the model runs on the CPU, which takes no memory of a device";
    else if (m->options.interpret || mg_mode_by_op(m->options.mode))
        wrong = "a run op by op goes through the host: memory of a device is for modes fused, "
                "graph and loop";
    else if (!i->placed && !(i->placed = calloc(n + 1, sizeof *i->placed)))
        wrong = "out of memory";
    if (wrong)
        mg_message_set(&i->message, "%s %s: %s", what, name, wrong);
    return wrong ? MG_BAD_USAGE : MG_OK;
}

void mg_instance_place(MgInstance *i, uint32_t k, int64_t address, size_t bytes, MgBuffer *b) {
    MgPlaced *placed = &i->placed[k], before = *placed;
    uint32_t inputs = mg_model_inputs(i->model);
    MgOutput *out = k < inputs ? NULL : &i->outputs[k - inputs];
    if (before.at && i->bound && (!out || bytes >= out->bytes)) // only the address changes
        i->device_ports[k] = (void *)(intptr_t)address;
    else
        i->bound = i->direct = false;
    if (out) {
        i->ran &= before.at == address; // the last run left its results elsewhere
        out->given = NULL;
        out->room = bytes;
    }
    *placed = (MgPlaced){address, b ? mg_buffer_retain(b) : NULL};
    mg_buffer_release(before.buffer);
}

void mg_instance_unplace(MgInstance *i, uint32_t k) {
    if (!mg_instance_placed(i, k))
        return;
    mg_buffer_release(i->placed[k].buffer);
    i->placed[k] = (MgPlaced){0};
    i->bound = i->direct = false;
    i->ran &= k < mg_model_inputs(i->model);
}

// ---------------------------------------------------------------- addresses
MgStatus mg_instance_address(MgInstance *i, const char *what, const char *name, uint64_t driver,
                             size_t bytes, int64_t *address) {
    char *message = NULL;
    *address = mg_device_at(i->model->device, driver, bytes, &message);
    if (!*address)
        mg_message_set(&i->message, "%s %s: %s", what, name, mg_message_text(message));
    free(message);
    return *address ? MG_OK : MG_BAD_USAGE;
}

MgStatus mg_bind_input_at(MgInstance *i, uint32_t number, uint64_t at, uint32_t rank,
                          const int64_t *dims) {
    size_t count, bytes = 0;
    int64_t address;
    MgStatus status = mg_instance_check_input(i, number, rank, dims);
    if (status)
        return status;
    const MgPortInfo *port = mg_model_input(i->model, number);
    if (!mg_tensor_size((MgDType)port->element, rank, dims, &count, &bytes))
        return mg_message_misuse(&i->message, "the dimensions of input %s overflow", port->name);
    if (!bytes)
        return mg_bind_input(i, number, NULL, rank, dims);
    status = mg_instance_can_place(i, "input", port->name);
    status = status ? status : mg_instance_address(i, "input", port->name, at, bytes, &address);
    if (status)
        return status;
    mg_instance_set_input(i, number, NULL, rank, dims);
    mg_instance_place(i, number, address, bytes, NULL);
    return MG_OK;
}

MgStatus mg_bind_output_at(MgInstance *i, uint32_t number, uint64_t at, size_t bytes) {
    int64_t address;
    MgStatus status = mg_instance_check_output(i, number);
    if (status || !bytes)
        return status ? status : mg_bind_output(i, number, NULL, 0);
    const char *name = i->model->outputs[number].name;
    status = mg_instance_can_place(i, "output", name);
    status = status ? status : mg_instance_address(i, "output", name, at, bytes, &address);
    if (!status)
        mg_instance_place(i, mg_model_inputs(i->model) + number, address, bytes, NULL);
    return status;
}

// ---------------------------------------------------------------- runs in a stream's order
static MgStatus bind(MgInstance *i, const uint64_t *inputs, const uint64_t *outputs,
                     const size_t *bytes) {
    MgStatus status = MG_OK;
    for (uint32_t k = 0; k < mg_model_inputs(i->model) && inputs && !status; k++)
        if (inputs[k])
            status = mg_bind_input_at(i, k, inputs[k], i->inputs[k].rank, i->inputs[k].dims);
    for (uint32_t k = 0; k < mg_model_outputs(i->model) && outputs && bytes && !status; k++)
        if (outputs[k])
            status = mg_bind_output_at(i, k, outputs[k], bytes[k]);
    return status;
}

MgStatus mg_run_in(MgInstance *i, const char *interface, void *stream, const uint64_t *inputs,
                   const uint64_t *outputs, const size_t *bytes) {
    MgStatus status = mg_instance_check(i);
    if (status)
        return status;
    if (!interface || !stream)
        return mg_message_misuse(&i->message, "the %s is NULL",
                                 interface ? "stream" : "name of the interface");
    if (!i->model->device || !mg_device_has_streams(i->model->device, interface))
        return mg_message_misuse(&i->message, "%s doesn't run through %s, or that has no streams",
                                 mg_model_graph(i->model), interface);
    status = mg_instance_can_place(i, "graph", mg_model_graph(i->model));
    status = status ? status : bind(i, inputs, outputs, bytes);
    if (status)
        return status;
    i->stream = stream;
    status = mg_instance_run(i, 1);
    i->stream = NULL;
    return status;
}

MgStatus mg_instance_settle(MgInstance *i) {
    if (!i->pending)
        return MG_OK;
    i->pending = false;
    MgStatus status = mg_instance_finish_device(i);
    if (status)
        i->ran = i->bound = false;
    return status;
}

MgStatus mg_wait(MgInstance *i) {
    MgStatus status = mg_instance_check(i);
    return status ? status : mg_instance_settle(i);
}
