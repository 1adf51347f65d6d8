// The memory that a training takes: what its plan says, and its parameters and state once. The same
// on a device, if there is one whose memory is the host's.
#include "runtime/device.h"
#include "runtime/instance.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char net[] =
    "mg 1\nimport nn\nimport optim\n"
    "layer mlp(x: f32[N, 64]) -> (y: f32[N, 10]) {\n"
    "    param a: nn.linear(features = 1024)\n    param b: nn.linear(features = 1024)\n"
    "    param c: nn.linear(features = 10)\n    y = c(relu(b(relu(a(x)))))\n}\n"
    "graph step(images: f32[N, 64], labels: u8[N]) -> (loss: f32[])\n{\n"
    "    param net: mlp()\n    loss, logs = cross_entropy(net(images), labels)\n"
    "    for w in net {\n        u = optim.adamw(w, derivative(loss, w), 0.001)\n"
    "        next w = u\n    }\n}\n";

enum { SAMPLES = 2048, FEATURES = 64, MIB = 1 << 20 };

static size_t resident(void) {
    malloc_trim(0);
    size_t pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%zu %zu", &all, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static int failed(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

// The bytes of all parameters, each of which changes.
static size_t state_of(const MgModel *model) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < model->weights.all.len; i++)
        bytes += model->weights.all.at[i].bytes;
    return bytes * (model->options.in_place ? 1 : 2);
}

// Opens a training, makes two steps, and compares what the process has gained.
static int measure(MgModel *model, MgContext *context, const float *x, const uint8_t *labels,
                   bool compare) {
    size_t before = resident(), state = state_of(model);
    MgTrain *train;
    if (mg_train_open(model, context, &train))
        return failed("opening", mg_context_message(context));
    MgInstance *instance = mg_train_instance(train);
    mg_bind_input(instance, (uint32_t)mg_model_find_input(model, "images"), x, 2,
                  (const int64_t[]){SAMPLES, FEATURES});
    mg_bind_input(instance, (uint32_t)mg_model_find_input(model, "labels"), labels, 1,
                  (const int64_t[]){SAMPLES});
    if (mg_train_step(train) || mg_train_step(train))
        return failed("a step", mg_train_message(train));
    size_t took = resident() - before;
    size_t arena = (size_t)instance->slots[0];
    double off = ((double)took - (double)(state + arena)) / (double)(state + arena);
    mg_train_close(train);
    if (!compare)
        return 0;
    printf("%s, %s: parameters and state %.1f MiB, plan %.1f MiB, resident %.1f MiB: %+.1f %%\n",
           model->device ? "device" : "CPU", model->options.in_place ? "in place" : "two places",
           (double)state / MIB, (double)arena / MIB, (double)took / MIB, 100 * off);
    return off < -0.05 || off > 0.05 ? failed("resident", "another figure than planned") : 0;
}

// Is the first device a CPU, so that its memory is this process's?
static bool has_host_device(void) {
    MgDeviceInfo *list = NULL;
    uint32_t n = 0;
    char *message = NULL;
    bool has = !mg_devices(&list, &n, &message) && n && list[0].type == MG_DEVICE_CPU;
    free(list);
    free(message);
    return has;
}

static int measure_both(MgContext *context, const char *target, const float *x,
                        const uint8_t *labels) {
    int status = 0;
    for (int in_place = 0; in_place < 2 && !status; in_place++) {
        MgCompileOptions options = {.level = -1,
                                    .in_place = in_place,
                                    .graph = "step",
                                    .target = target,
                                    .weights = "initial:1"};
        MgModel *model;
        size_t before = resident();
        if (mg_model_compile(context, "net.mg", net, sizeof net - 1, &options, &model))
            return failed("compiling", mg_context_message(context));
        printf("the model: %.1f MiB\n", (double)(resident() - before) / MIB);
        // The first training compiles the code, which takes memory, too. A driver may give back
        // what its compiler took some time later.
        status = measure(model, context, x, labels, false);
        bool agrees = false;
        for (int i = 0; i < 3 && !status && !agrees; i++)
            agrees = !measure(model, context, x, labels, true);
        status |= !agrees;
        mg_model_release(model);
    }
    return status;
}

int main(void) {
    MgContext *context;
    if (mg_context_new(&(MgContextOptions){.cache_folder = "", .threads = 1}, &context))
        return failed("context", "no memory");
    float *x = calloc((size_t)SAMPLES * FEATURES, sizeof *x);
    uint8_t *labels = calloc(SAMPLES, 1);
    int status = !x || !labels || measure_both(context, "cpu", x, labels);
    if (!status && has_host_device())
        status = measure_both(context, "gpu", x, labels);
    free(x);
    free(labels);
    mg_context_free(context);
    return status;
}
