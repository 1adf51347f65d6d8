// Buffers: memory on a model's device, MG's own or the caller's, to which ports can be bound.
#include "runtime/instance.h"

#include "formats/tensor.h"

#include <stdlib.h>

struct MgBuffer {
    atomic_uint references;
    MgDevice *device; // retained
    int64_t address;
    size_t bytes;
    const void *object; // the driver's; two buffers may have one
};

static MgStatus make(MgModel *model, MgContext *context, MgBuffer **buffer) {
    if (buffer)
        *buffer = NULL;
    if (!context)
        return MG_BAD_USAGE;
    if (!model || !buffer)
        return mg_message_misuse(&context->message, "%s is NULL",
                                 model ? "the place for the buffer" : "the model");
    if (!model->device) {
        mg_message_set(&context->message, "%s runs on the CPU: a buffer is memory of a device",
                       mg_model_graph(model));
        return MG_BAD_USAGE;
    }
    MgBuffer *b = *buffer = calloc(1, sizeof *b);
    if (!b) {
        mg_message_set(&context->message, "out of memory");
        return MG_OUT_OF_MEMORY;
    }
    b->references = 1;
    b->device = mg_device_retain(model->device);
    return MG_OK;
}

static MgStatus done(MgBuffer **buffer, MgStatus status) {
    if (status) {
        mg_device_release((*buffer)->device);
        free(*buffer);
        *buffer = NULL;
    } else {
        (*buffer)->object = mg_device_memory_object((*buffer)->device, NULL, (*buffer)->address);
    }
    return status;
}

MgStatus mg_buffer_new(MgModel *model, MgContext *context, size_t bytes, MgBuffer **buffer) {
    MgStatus status = make(model, context, buffer);
    if (status)
        return status;
    MgBuffer *b = *buffer;
    b->bytes = bytes;
    b->address = mg_device_alloc(b->device, bytes, NULL, &context->message);
    return done(buffer, b->address ? MG_OK : MG_RUN_FAILED);
}

MgStatus mg_buffer_of_native(MgModel *model, MgContext *context, const char *interface,
                             void *memory, MgBuffer **buffer) {
    if (context && !interface)
        return mg_message_misuse(&context->message, "the name of the interface is NULL");
    MgStatus status = make(model, context, buffer);
    if (status)
        return status;
    MgBuffer *b = *buffer;
    return done(buffer, mg_device_adopt(b->device, interface, memory, &b->address, &b->bytes,
                                        &context->message));
}

MgBuffer *mg_buffer_retain(MgBuffer *b) {
    if (b)
        atomic_fetch_add(&b->references, 1);
    return b;
}

void mg_buffer_release(MgBuffer *b) {
    if (!b || atomic_fetch_sub(&b->references, 1) > 1)
        return;
    mg_device_free(b->device, b->address);
    mg_device_release(b->device);
    free(b);
}

size_t mg_buffer_bytes(const MgBuffer *b) {
    return b ? b->bytes : 0;
}

void *mg_buffer_native(const MgBuffer *b, const char *interface) {
    return b && interface ? mg_device_memory_object(b->device, interface, b->address) : NULL;
}

int64_t mg_buffer_address(const MgBuffer *b) {
    return b->address;
}

static MgStatus copy(const MgBuffer *b, MgContext *context, size_t at, const void *from, void *to,
                     size_t bytes) {
    if (!context)
        return MG_BAD_USAGE;
    if (!b || (bytes && !from && !to))
        return mg_message_misuse(&context->message, "%s is NULL",
                                 b ? "the memory of the host" : "the buffer");
    if (at > b->bytes || bytes > b->bytes - at) {
        mg_message_set(&context->message,
                       "the buffer has %zu byte%s: %zu from byte %zu on are not in it", b->bytes,
                       mg_plural(b->bytes), bytes, at);
        return MG_BAD_USAGE;
    }
    return mg_device_copy(b->device, b->address + (int64_t)at, from, to, bytes, &context->message);
}

MgStatus mg_buffer_write(MgBuffer *b, MgContext *context, size_t at, const void *from,
                         size_t bytes) {
    return copy(b, context, at, from, NULL, bytes);
}

MgStatus mg_buffer_read(const MgBuffer *b, MgContext *context, size_t at, void *to, size_t bytes) {
    return copy(b, context, at, NULL, to, bytes);
}

void *mg_model_native(const MgModel *model, const char *interface, MgNative which) {
    static const MgHostObject objects[] = {
        [MG_NATIVE_CONTEXT] = MG_HOST_CONTEXT, [MG_NATIVE_DEVICE] = MG_HOST_DEVICE};
    if (!model || !model->device || !interface || (unsigned)which > MG_NATIVE_DEVICE)
        return NULL;
    return mg_device_object(model->device, interface, objects[which]);
}

// ---------------------------------------------------------------- binding

// Does one of two ports take over the other? In mode loop, passes exchange buffers.
static bool takes_over(const MgModel *m, uint32_t k, uint32_t j) {
    uint32_t inputs = mg_model_inputs(m), input = k < j ? k : j, output = k < j ? j : k;
    return input < inputs && output >= inputs && m->options.mode != MG_MODE_LOOP &&
           m->graph->outputs.at[output - inputs].aliases == (int32_t)input;
}

bool mg_buffer_is_of(const MgBuffer *b, const MgModel *m) {
    return b->device == m->device;
}

// May buffer b be bound to port k (inputs, then outputs)? A buffer that is written may serve only
// one port, or an output and the input that it takes over.
static MgStatus check(MgInstance *i, uint32_t k, const char *name, const MgBuffer *b) {
    const MgModel *m = i->model;
    uint32_t inputs = mg_model_inputs(m), n = inputs + mg_model_outputs(m);
    const char *what = k < inputs ? "input" : "output", *wrong = NULL;
    if (!b)
        return mg_message_misuse(&i->message, "%s %s: the buffer is NULL", what, name);
    MgStatus status = mg_instance_can_place(i, what, name);
    if (status)
        return status;
    if (!mg_buffer_is_of(b, m))
        wrong = "the buffer is on another device, or was made for a model of another context";
    for (uint32_t j = 0; j < n && !wrong; j++)
        if (j != k && i->placed[j].buffer && (j >= inputs || k >= inputs) && !takes_over(m, k, j) &&
            i->placed[j].buffer->object == b->object)
            wrong = "another port has the same buffer, and one of the two is written";
    if (wrong)
        mg_message_set(&i->message, "%s %s: %s", what, name, wrong);
    return wrong ? MG_BAD_USAGE : MG_OK;
}

MgStatus mg_bind_input_buffer(MgInstance *i, uint32_t number, MgBuffer *b, uint32_t rank,
                              const int64_t *dims) {
    size_t count, bytes = 0;
    MgStatus status = mg_instance_check_input(i, number, rank, dims);
    const MgPortInfo *port = status ? NULL : mg_model_input(i->model, number);
    status = status ? status : check(i, number, port->name, b);
    if (status)
        return status;
    if (!mg_tensor_size((MgDType)port->element, rank, dims, &count, &bytes) || bytes > b->bytes) {
        mg_message_set(&i->message, "input %s needs %zu bytes, but its buffer has %zu", port->name,
                       bytes, b->bytes);
        return MG_BAD_USAGE;
    }
    mg_instance_set_input(i, number, NULL, rank, dims);
    mg_instance_place(i, number, b->address, b->bytes, b);
    return MG_OK;
}

MgStatus mg_bind_output_buffer(MgInstance *i, uint32_t number, MgBuffer *b) {
    MgStatus status = mg_instance_check_output(i, number);
    uint32_t k = status ? 0 : mg_model_inputs(i->model) + number;
    status = status ? status : check(i, k, i->model->outputs[number].name, b);
    if (status)
        return status;
    mg_instance_place(i, k, b->address, b->bytes, b);
    return MG_OK;
}
