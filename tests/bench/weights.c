// weights FILE.mg: writes the file of weights that its graph names, beside it, all zeros: what
// compiling needs of them is that they are there.
#include "runtime/open.h"
#include "runtime/safetensors.h"

#include <string.h>

static uint32_t collect(MgGraph *g, MgSafetensor *tensors) {
    MgMap seen;
    uint32_t n = 0;
    size_t most = 0;
    mg_map_init(&seen, g->module->session->arena);
    for (uint32_t i = 0; i < g->ops.len; i++) {
        const MgOp *op = &g->ops.at[i];
        if (op->kind != MG_OP_PARAM || mg_map_find(&seen, op->key))
            continue;
        const MgValue *v = mg_value(g, op->results[0]);
        int64_t *dims = MG_NEW_N(g->module->session->arena, int64_t, v->rank + 1);
        size_t bytes = mg_dtype_size(v->dtype);
        for (uint32_t a = 0; a < v->rank; a++) {
            mg_ix_is_const(g->module->ix, v->shape[a], &dims[a]);
            bytes *= (size_t)dims[a];
        }
        tensors[n++] = (MgSafetensor){
            .key = op->key, .dtype = v->dtype, .rank = v->rank, .dims = dims, .bytes = bytes};
        most = bytes > most ? bytes : most;
        mg_map_put(&seen, op->key, 1);
    }
    void *zeros = mg_arena_alloc(g->module->session->arena, most, 1);
    for (uint32_t i = 0; i < n; i++)
        tensors[i].data = zeros;
    return n;
}

static bool write_weights(MgSession *session, const char *source) {
    MgModule *module = mg_module_open(session, source);
    if (!module)
        return false;
    MgGraph *g = module->graphs.at[0];
    MgSafetensor *tensors = MG_NEW_N(session->arena, MgSafetensor, g->ops.len);
    uint32_t n = collect(g, tensors);
    const char *slash = strrchr(source, '/'), *name = mg_name(session->names, g->weights);
    int folder = slash ? (int)(slash + 1 - source) : 0;
    return mg_safetensors_write(
        session, mg_arena_printf(session->arena, "%.*s%s", folder, source, name), tensors, n);
}

int main(int argc, char **argv) {
    MgSession *session = mg_session_new(0);
    if (argc != 2 || !session)
        return 2;
    MgTry frame;
    bool ok = false;
    if (MG_TRY(session->mem, frame)) {
        ok = write_weights(session, argv[1]);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return !ok;
}
