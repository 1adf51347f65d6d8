// Measures a call: relu of 16 floats through mg_run and through the image's own run(), against a C
// function called through a pointer.
#include "bench.h"

#include "runtime/instance.h"

#include <string.h>

static const char source[] = "mg 1\ngraph f(x: f32[16]) -> (y: f32[16]) { y = relu(x) }\n";

static float input[16], output[16];

static __attribute__((noinline)) void loop(const float *x, float *y) {
    for (int i = 0; i < 16; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}

static void (*volatile loop_pointer)(const float *, float *) = loop;

static void run_loop(void *context) {
    (void)context;
    loop_pointer(input, output);
}

static void run_api(void *context) {
    mg_run(context);
}

static void run_image(void *context) {
    MgInstance *i = context;
    i->run(&i->call, 0, 1);
}

int main(void) {
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    int64_t dims[1] = {16};
    for (int i = 0; i < 16; i++)
        input[i] = (float)(i % 5 - 2);
    if (mg_context_new(NULL, &context) ||
        mg_model_compile(context, "call.mg", source, strlen(source), NULL, &model) ||
        mg_instance_new(model, context, &instance)) {
        fputs(mg_context_message(context), stderr);
        return 1;
    }
    const void *result;
    const int64_t *shape;
    if (mg_bind_input(instance, 0, input, 1, dims) || mg_run(instance) ||
        mg_output(instance, 0, &result, &shape)) {
        fputs(mg_instance_message(instance), stderr);
        return 1;
    }
    loop(input, output);
    if (memcmp(result, output, sizeof output) != 0) {
        fputs("call: a wrong result\n", stderr);
        return 1;
    }
    Contender peer = {run_loop, NULL};
    bench_compare("call", "mg_run", 1, (Contender){run_api, instance}, peer, "C loop", 0.02);
    bench_compare("call", "image", 1, (Contender){run_image, instance}, peer, "C loop", 0.02);
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    return 0;
}
