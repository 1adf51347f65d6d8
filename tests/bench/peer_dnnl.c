// oneDNN's matmul as a peer of benchmarks, callable through ctypes. It is built where its
// headers are (Debian: libdnnl-dev), for the benchmarks only.
#include <oneapi/dnnl/dnnl.h>

#include <stdlib.h>

#if DNNL_VERSION_MAJOR != 2
#error "written for oneDNN 2"
#endif

typedef struct Peer {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t args[3];
} Peer;

void peer_dnnl_free(Peer *p);
Peer *peer_dnnl_new(const int64_t *sizes, int turned_a, int turned_b, float *a, float *b, float *c);
int peer_dnnl_run(Peer *p);
const char *peer_dnnl_name(void);

const char *peer_dnnl_name(void) {
    static char name[32] = "oneDNN x.x.x";
    const dnnl_version_t *v = dnnl_version();
    name[7] = (char)('0' + v->major);
    name[9] = (char)('0' + v->minor % 10);
    name[11] = (char)('0' + v->patch % 10);
    return name;
}

// batch x rows x columns, or with the last two transposed in memory.
static dnnl_memory_desc_t layout(int64_t batch, int64_t rows, int64_t columns, int turned) {
    dnnl_memory_desc_t desc = {0};
    dnnl_dims_t dims = {batch, rows, columns};
    dnnl_dims_t strides = {rows * columns, turned ? 1 : columns, turned ? rows : 1};
    int first = batch == 1; // two axes if there is no batch
    dnnl_memory_desc_init_by_strides(&desc, 3 - first, dims + first, dnnl_f32, strides + first);
    return desc;
}

void peer_dnnl_free(Peer *p) {
    for (int i = 0; p && i < 3; i++)
        dnnl_memory_destroy(p->args[i].memory);
    if (p) {
        dnnl_primitive_destroy(p->primitive);
        dnnl_stream_destroy(p->stream);
        dnnl_engine_destroy(p->engine);
    }
    free(p);
}

// sizes: batch, m, n, k. NULL if oneDNN refuses it.
Peer *peer_dnnl_new(const int64_t *sizes, int turned_a, int turned_b, float *a, float *b,
                    float *c) {
    int64_t batch = sizes[0], m = sizes[1], n = sizes[2], k = sizes[3];
    static const int roles[3] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    float *data[3] = {a, b, c};
    dnnl_memory_desc_t descs[3] = {layout(batch, m, k, turned_a), layout(batch, k, n, turned_b),
                                   layout(batch, m, n, 0)};
    Peer *p = calloc(1, sizeof *p);
    dnnl_matmul_desc_t op;
    dnnl_primitive_desc_t desc = NULL;
    if (!p)
        return NULL;
    int bad = dnnl_engine_create(&p->engine, dnnl_cpu, 0) ||
              dnnl_stream_create(&p->stream, p->engine, dnnl_stream_default_flags) ||
              dnnl_matmul_desc_init(&op, &descs[0], &descs[1], NULL, &descs[2]) ||
              dnnl_primitive_desc_create(&desc, &op, NULL, p->engine, NULL) ||
              dnnl_primitive_create(&p->primitive, desc);
    for (int i = 0; !bad && i < 3; i++) {
        p->args[i].arg = roles[i];
        bad = dnnl_memory_create(&p->args[i].memory, &descs[i], p->engine, data[i]);
    }
    dnnl_primitive_desc_destroy(desc);
    if (bad) {
        peer_dnnl_free(p);
        return NULL;
    }
    return p;
}

int peer_dnnl_run(Peer *p) {
    return dnnl_primitive_execute(p->primitive, p->stream, 3, p->args) ||
           dnnl_stream_wait(p->stream);
}
