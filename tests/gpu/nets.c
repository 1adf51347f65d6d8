// Measures passes of a whole graph on a device: gpu_nets FILE.mg [GRAPH [OPTION=VALUE...]]. Its
// weights and inputs are random. Options: precision, launch, a file of schedules, the graph's open
// dimensions, and values of inputs of f32 and of i64 (0 otherwise, a valid subscript of anything).
// All ports are in buffers on the device; an output that takes over an input has its buffer. The
// time of a pass includes its launches: it is the difference of many passes and few, over their
// number. Prints one JSON line, like tests/bench.
#include "include/mg.h"
#include "support/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 2, MANY = 22, ROUNDS = 7, MAX_RANK = 64, MAX_PORTS = 256 };

typedef struct Nets {
    int n_options;
    char **options;
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    MgBuffer *buffers[MAX_PORTS]; // inputs, then outputs
} Nets;

static const char *option(const Nets *n, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < n->n_options; i++)
        if (!strncmp(n->options[i], name, length) && n->options[i][length] == '=')
            return n->options[i] + length + 1;
    return NULL;
}

// The number of the option's value among `names`; 0, the default, if it isn't given.
static uint32_t choice(const Nets *n, const char *name, const char *const *names) {
    const char *value = option(n, name);
    for (uint32_t i = 0; value && names[i]; i++)
        if (!strcmp(value, names[i]))
            return i;
    return 0;
}

// Floats of every width are about 1, of either sign.
static void fill(const Nets *n, const MgPortInfo *port, unsigned char *bytes, size_t length) {
    size_t size = mg_element_size(port->element);
    const char *value = option(n, port->name);
    static uint32_t state = 1;
    memset(bytes, 0, length);
    for (size_t i = 0; value && port->element == MG_ELEMENT_I64 && i < length / size; i++)
        ((int64_t *)(void *)bytes)[i] = atoll(value);
    for (size_t i = 0; value && port->element == MG_ELEMENT_F32 && i < length / size; i++)
        ((float *)(void *)bytes)[i] = strtof(value, NULL);
    for (size_t i = 0;
         !value && size > 1 && strchr(mg_element_name(port->element), 'f') && i < length;
         i += size) {
        state = state * 1664525u + 1013904223u;
        bytes[i + size - 1] = (unsigned char)(0x3c | state >> 31 << 7);
        bytes[i + size - 2] = (unsigned char)(state >> 16);
    }
}

static size_t size_of(const Nets *n, const MgPortInfo *port, int64_t *dims) {
    size_t bytes = mg_element_size(port->element);
    for (uint32_t axis = 0; axis < port->rank && axis < MAX_RANK; axis++) {
        const char *size = port->dims[axis] < 0 ? option(n, port->formulas[axis]) : NULL;
        dims[axis] = port->dims[axis] >= 0 ? port->dims[axis] : size ? atoll(size) : 1;
        bytes *= (size_t)dims[axis];
    }
    return bytes;
}

static bool bind_input(Nets *n, uint32_t input) {
    const MgPortInfo *port = mg_model_input(n->model, input);
    int64_t dims[MAX_RANK];
    size_t bytes = size_of(n, port, dims);
    unsigned char *data = malloc(bytes + 1);
    bool ok = data && mg_buffer_new(n->model, n->context, bytes, &n->buffers[input]) == MG_OK;
    if (ok) {
        fill(n, port, data, bytes);
        ok = mg_buffer_write(n->buffers[input], n->context, 0, data, bytes) == MG_OK &&
             mg_bind_input_buffer(n->instance, input, n->buffers[input], port->rank, dims) == MG_OK;
    }
    free(data);
    return ok;
}

// Only the input that the output takes over lends its buffer.
static bool bind_output(Nets *n, uint32_t output) {
    uint32_t inputs = mg_model_inputs(n->model);
    int64_t dims[MAX_RANK];
    size_t bytes = size_of(n, mg_model_output(n->model, output), dims);
    for (uint32_t k = 0; k < inputs; k++)
        if (mg_bind_output_buffer(n->instance, output, n->buffers[k]) == MG_OK)
            return true;
    MgBuffer **own = &n->buffers[inputs + output];
    return mg_buffer_new(n->model, n->context, bytes, own) == MG_OK &&
           mg_bind_output_buffer(n->instance, output, *own) == MG_OK;
}

static bool bind(Nets *n) {
    uint32_t inputs = mg_model_inputs(n->model), outputs = mg_model_outputs(n->model);
    bool ok = inputs + outputs <= MAX_PORTS;
    for (uint32_t k = 0; ok && k < inputs; k++)
        ok = bind_input(n, k);
    for (uint32_t k = 0; ok && k < outputs; k++)
        ok = bind_output(n, k);
    return ok;
}

static bool open(Nets *n, const char *path, const char *graph) {
    static const char *const precisions[] = {"f32", "tf32", "bf16", "f16", NULL};
    static const char *const launches[] = {"auto", "separate", "owned", "persistent", NULL};
    MgCompileOptions options = {.graph = graph,
                                .level = -1,
                                .target = "gpu",
                                .weights = "random:1",
                                .schedules = option(n, "schedules"),
                                .precision = (MgPrecision)choice(n, "precision", precisions),
                                .launch = (MgLaunchForm)choice(n, "launch", launches)};
    bool ok = mg_context_new(NULL, &n->context) == MG_OK &&
              mg_model_load(n->context, path, &options, &n->model) == MG_OK &&
              mg_instance_new(n->model, n->context, &n->instance) == MG_OK;
    ok = ok && bind(n);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, mg_context_message(n->context));
    return ok;
}

static double seconds(Nets *n, uint32_t passes, bool *ok) {
    double begin = mg_now_seconds();
    *ok = *ok && mg_run_times(n->instance, passes) == MG_OK;
    return mg_now_seconds() - begin;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(Nets *n, const char *path) {
    double pass[ROUNDS];
    bool ok = true;
    seconds(n, FEW, &ok);
    for (int i = 0; i < ROUNDS; i++) {
        double few = seconds(n, FEW, &ok), many = seconds(n, MANY, &ok);
        pass[i] = (many - few) / (MANY - FEW);
    }
    if (!ok) {
        fprintf(stderr, "%s: %s\n", path, mg_instance_message(n->instance));
        return false;
    }
    qsort(pass, ROUNDS, sizeof *pass, ascending);
    const char *base = strrchr(path, '/');
    printf("{\"name\": \"%s\", \"size\": \"%s", base ? base + 1 : path, mg_model_graph(n->model));
    for (int i = 0; i < n->n_options; i++)
        printf(" %s", n->options[i]);
    printf("\", \"mg\": %.4g, \"spread\": %.3f}\n", pass[ROUNDS / 2],
           (pass[ROUNDS * 3 / 4] - pass[ROUNDS / 4]) / pass[ROUNDS / 2]);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: gpu_nets FILE.mg [GRAPH [OPTION=VALUE...]]\n");
        return 2;
    }
    Nets n = {.n_options = argc > 3 ? argc - 3 : 0, .options = argv + 3};
    bool ok = open(&n, argv[1], argc > 2 ? argv[2] : NULL) && measure(&n, argv[1]);
    for (int k = 0; k < MAX_PORTS; k++)
        mg_buffer_release(n.buffers[k]);
    mg_instance_free(n.instance);
    mg_model_release(n.model);
    mg_context_free(n.context);
    return ok ? 0 : 1;
}
