// Measures the host time of enqueueing a graph of 32 small kernels, in turn with a hand-written
// loop of the same 32 clEnqueueNDRangeKernel calls: the same program, kernels, arguments and queue.
// Neither side counts the wait for the device. Prints one JSON line, like tests/bench.
#include "backends/opencl/host/host.h"
#include "runtime/context.h"
#include "runtime/device_impl.h"
#include "runtime/instance.h"
#include "tests/bench/bench.h"

#include <string.h>

enum { LAUNCHES = 32, ROUNDS = 400, N = 16 };

// 16 products, each followed by a row kernel, which fusion can't merge.
static size_t write_graph(char *text, size_t size) {
    size_t n =
        (size_t)snprintf(text, size, "mg 1\ngraph net(x0: f32[%d, %d]) -> (x%d: f32[%d, %d]) {\n",
                         N, N, LAUNCHES / 2, N, N);
    for (int i = 0; i < LAUNCHES / 2; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "    x%d = softmax(matmul(x%d, x%d), axis = -1)\n", i + 1, i, i);
    return n + (size_t)snprintf(text + n, size - n, "}\n");
}

typedef struct Hand { // one launch, as a programmer would store it
    cl_kernel kernel;
    size_t global, local;
} Hand;

// Replaces the runtime's hooks during one run, and records the plan's requests as the hand-written
// loop.
typedef struct Recorder {
    MgCallDevice hooks;
    MgInstance *instance;
    cl_program program;
    Hand hands[LAUNCHES];
    int n;
} Recorder;

static void record(MgCallDevice *hooks, uint32_t launch, const int64_t *args, int64_t groups) {
    Recorder *r = (Recorder *)hooks;
    MgDevice *d = r->instance->model->device;
    const MgClApi *cl = &d->driver->cl;
    const MgImageDevice *code = r->instance->variant->image->device;
    const MgImageKernel *k = &code->kernels[code->launches[launch].kernel];
    if (r->n++ >= LAUNCHES)
        return;
    Hand *h = &r->hands[r->n - 1];
    h->kernel = cl->clCreateKernel(r->program, k->name, NULL);
    cl_uint n = 0;
    for (uint32_t i = 0; i < k->n_buffers; i++) {
        int64_t offset;
        cl_mem memory = (cl_mem)mg_device_memory(d, args[i], &offset);
        cl->clSetKernelArg(h->kernel, n++, sizeof memory, &memory);
        cl->clSetKernelArg(h->kernel, n++, sizeof offset, &offset);
    }
    for (uint32_t i = 0; i < k->n_scalars; i++)
        cl->clSetKernelArg(h->kernel, n++, sizeof *args, &args[k->n_buffers + i]);
    h->local = k->items;
    h->global = h->local * (size_t)(groups < 1 ? 1 : groups);
}

static bool make_hand(MgInstance *i, Recorder *r) {
    char *message = NULL;
    MgDeviceProgram *program;
    const MgImageDevice *code = i->variant->image->device;
    *r = (Recorder){.hooks = {.launch = record, .dims = i->call.device->dims}, .instance = i};
    if (mg_device_program(i->model->device, code->source, code->source_length, &program, &message))
        return false;
    r->program = (cl_program)mg_device_program_handle(program);
    MgCallDevice *own = i->call.device;
    i->call.device = &r->hooks;
    i->run(&i->call, 0, 1);
    i->call.device = own;
    return r->n == LAUNCHES;
}

static double by_plan(MgInstance *i) {
    double begin = mg_now_seconds();
    i->run(&i->call, 0, 1);
    return mg_now_seconds() - begin;
}

static double by_hand(const MgClApi *cl, cl_command_queue queue, const Recorder *r) {
    double begin = mg_now_seconds();
    for (int k = 0; k < LAUNCHES; k++)
        cl->clEnqueueNDRangeKernel(queue, r->hands[k].kernel, 1, NULL, &r->hands[k].global,
                                   &r->hands[k].local, 0, NULL, NULL);
    return mg_now_seconds() - begin;
}

static int compare(MgInstance *i) {
    Recorder r;
    double mine[ROUNDS], theirs[ROUNDS], ratios[ROUNDS];
    const MgClApi *cl = &i->model->device->driver->cl;
    cl_command_queue queue = (cl_command_queue)mg_device_run_queue(i->on_device);
    if (!make_hand(i, &r)) {
        printf("the graph is not %d launches but %d\n", LAUNCHES, r.n);
        return 1;
    }
    for (int k = -20; k < ROUNDS; k++) {
        double a = by_plan(i);
        cl->clFinish(queue);
        double b = by_hand(cl, queue, &r);
        cl->clFinish(queue);
        if (k >= 0) {
            mine[k] = a;
            theirs[k] = b;
            ratios[k] = b / a;
        }
    }
    double ratio = bench_median(ratios, ROUNDS), mg = bench_median(mine, ROUNDS);
    printf(
        "{\"name\": \"enqueue\", \"size\": \"%d launches on %s\", \"threads\": 1, \"mg\": %.4g, "
        "\"peer\": %.4g, \"peer_name\": \"a loop by hand\", \"ratio\": %.3f, \"spread\": %.3f}\n",
        LAUNCHES, mg_device_info(i->model->device)->name, mg, bench_median(theirs, ROUNDS), ratio,
        (ratios[ROUNDS * 3 / 4] - ratios[ROUNDS / 4]) / ratio);
    for (int k = 0; k < LAUNCHES; k++)
        cl->clReleaseKernel(r.hands[k].kernel);
    return 0;
}

int main(void) {
    static char text[1 << 14];
    static float x[N * N];
    const int64_t dims[] = {N, N};
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    MgCompileOptions options = {.level = 2, .target = "gpu", .device = "opencl"};
    int status = 1;
    if (mg_context_new(NULL, &context))
        return 1;
    if (mg_model_compile(context, "net.mg", text, write_graph(text, sizeof text), &options,
                         &model)) {
        printf("%s\n", mg_context_message(context));
    } else {
        if (mg_instance_new(model, context, &instance) || mg_bind_input(instance, 0, x, 2, dims) ||
            mg_run(instance))
            printf("%s\n", mg_instance_message(instance));
        else
            status = compare(instance);
        mg_instance_free(instance);
        mg_model_release(model);
    }
    mg_context_free(context);
    return status;
}
