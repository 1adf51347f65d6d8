// A run by the reference interpreter, which is slow but defines the meaning. It works in an arena
// of its own under the model's lock, and leaves its results where a compiled run would leave them.
#include "runtime/instance.h"

#include "formats/tensor.h"
#include "ir/interp.h"

#include <stdlib.h>

static const void *param(void *context, MgSym key, const MgValue *value, size_t bytes) {
    const MgInstance *i = context;
    const MgWeight *w = mg_weight(&i->model->weights, key);
    (void)value; // its type was checked when the weights were found
    return w && w->bytes == bytes ? mg_instance_parameter(i, w) : NULL;
}

static void observe(void *context, MgGraph *g, MgOpId op, const MgInterpTensor *results,
                    uint32_t n) {
    const MgObserver *observer = ((const MgInstance *)context)->context->observer;
    observer->op(observer->ctx, g, op, results, n);
}

static MgStatus interpret(MgInstance *i, MgArena *arena) {
    MgModel *m = i->model;
    uint32_t n_inputs = mg_model_inputs(m), n_outputs = mg_model_outputs(m);
    MgInterpTensor *inputs = MG_NEW_N(arena, MgInterpTensor, n_inputs + 1);
    MgInterpTensor *outputs = MG_NEW_N(arena, MgInterpTensor, n_outputs + 1);
    for (uint32_t k = 0; k < n_inputs; k++) {
        size_t bytes;
        MgInterpTensor *t = &inputs[k];
        *t = (MgInterpTensor){.dtype = (MgDType)m->inputs[k].element,
                              .rank = i->inputs[k].rank,
                              .shape = i->inputs[k].dims,
                              .data = (void *)(uintptr_t)i->inputs[k].data};
        mg_tensor_size(t->dtype, t->rank, t->shape, &t->n, &bytes);
    }
    MgInterpOptions options = {
        .param = param, .observe = i->context->observer ? observe : NULL, .ctx = i};
    if (!mg_interp(m->graph, inputs, outputs, &options, arena))
        return MG_RUN_FAILED;
    for (uint32_t k = 0; k < n_outputs; k++)
        if (!mg_output_take(i, k, outputs[k].shape, outputs[k].data,
                            outputs[k].n * mg_dtype_size(outputs[k].dtype)))
            return MG_OUT_OF_MEMORY;
    mg_outputs_taken(i);
    return MG_OK;
}

MgStatus mg_instance_interpret(MgInstance *i) {
    MgModel *m = i->model;
    volatile MgStatus status = MG_OUT_OF_MEMORY;
    MgArena *volatile arena = NULL;
    uint64_t begin = i->hook ? mg_now_ns() : 0;
    pthread_mutex_lock(&m->lock);
    MgTry frame;
    if (MG_TRY(m->session->mem, frame)) {
        arena = mg_arena_new(m->session->mem);
        status = interpret(i, arena);
        mg_try_end(m->session->mem, &frame);
    }
    if (status == MG_OUT_OF_MEMORY)
        mg_message_set(&i->message, "out of memory: the limit is %zu MiB",
                       i->context->options.memory_limit >> 20);
    else if (status)
        mg_message_take(&i->message, m->session, i->context->color);
    if (arena)
        mg_arena_free(arena);
    pthread_mutex_unlock(&m->lock);
    if (i->hook && !status)
        mg_instance_report(i, begin, mg_now_ns());
    return status;
}
