// Tests ports that are bound to addresses of CUDA, and runs in the order of a stream, with
// other_cuda.c as the driver: what is copied, what waits for what, and what is refused. That driver
// computes nothing.
#include "backends/cuda/api.h"
#include "include/mg.h"
#include "include/mg/cuda.h"
#include "tests/unit/check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { N = 4, BYTES = N * N * sizeof(float) };
static const int64_t dims[] = {N, N};
static const char plain[] = "mg 1\n"
                            "graph step(x: f32[R, 4]) -> (y: f32[R, 4]) {\n"
                            "    param w: f32[4, 4]\n"
                            "    y = tanh(sqrt(exp(matmul(x, w)))) + x\n"
                            "}\n";
static const char checked[] = "mg 1\n"
                              "graph pick(x: f32[4, 4], i: i64[4]) -> (y: f32[4]) {\n"
                              "    y[k] = x[k, i[k]]\n"
                              "}\n";
static MgContext *context;
static int (*calls)(const char *name);
static const char *(*order)(void);
static MgCuResult (*push)(MgCuContext context), (*pop)(MgCuContext *context);
static MgCuResult (*allocate)(MgCuPointer *at, size_t bytes), (*release)(MgCuPointer at);

static MgModel *load(const char *text, MgMode mode) {
    MgModel *model;
    MgCompileOptions options = {.level = 2,
                                .target = "gpu",
                                .device = "cuda",
                                .mode = mode,
                                .weights = "bound",
                                .launch = MG_FORM_SEPARATE};
    MgStatus status = mg_model_compile(context, "step.mg", text, strlen(text), &options, &model);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    return model;
}

static MgInstance *instance_of(MgModel *model) {
    MgInstance *i;
    ck_assert(!mg_instance_new(model, context, &i));
    return i;
}

// Memory that another user of CUDA allocates.
static uint64_t memory(const MgModel *model, size_t bytes) {
    uint64_t at = 0;
    MgCuContext before;
    ck_assert(!push(mg_cuda_context(model)) && !allocate(&at, bytes) && !pop(&before));
    return at;
}

static void give_back(const MgModel *model, uint64_t at) {
    MgCuContext before;
    ck_assert(!push(mg_cuda_context(model)) && !release(at) && !pop(&before));
}

static void refused(MgStatus status, const MgInstance *i, const char *why) {
    ck_assert_int_eq(status, MG_BAD_USAGE);
    ck_assert_msg(strstr(mg_instance_message(i), why) != NULL, "%s", mg_instance_message(i));
}

static int copies(void) {
    return calls("cuMemcpyHtoDAsync_v2") + calls("cuMemcpyDtoHAsync_v2") +
           calls("cuMemcpyDtoDAsync_v2");
}

// A call copies nothing, waits for nothing, and stands in the stream's order, with other addresses,
// too.
START_TEST(test_stream) {
    MgModel *model = load(plain, MG_MODE_FUSED);
    MgInstance *i = instance_of(model);
    uint64_t x = memory(model, 2 * BYTES), y = memory(model, 2 * BYTES), w = memory(model, BYTES);
    const size_t bytes = BYTES;
    ck_assert(!mg_bind_input_at(i, 0, x, 2, dims) && !mg_bind_output_at(i, 0, y, BYTES));
    refused(mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL), i,
            "parameter w is not bound");
    ck_assert(!mg_bind_parameter_at(i, "w", w, BYTES));
    ck_assert_msg(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL), "%s",
                  mg_instance_message(i));
    order();
    for (uint64_t step = 0; step < 6; step++) {
        int moved = copies(), waits = calls("cuStreamSynchronize"),
            allocations = calls("cuMemAlloc_v2");
        uint64_t from = x + step % 2 * 64, to = y + step % 2 * 64;
        ck_assert(!mg_run_cuda(i, MG_CUDA_PER_THREAD_STREAM, &from, &to, &bytes));
        ck_assert_str_eq(order(), "2<0 0<2 ");
        ck_assert_int_eq(copies(), moved);
        ck_assert_int_eq(calls("cuStreamSynchronize"), waits);
        ck_assert_int_eq(calls("cuMemAlloc_v2"), allocations);
        const void *data;
        const int64_t *sizes;
        ck_assert(!mg_output(i, 0, &data, &sizes) && !data && sizes[0] == N);
    }
    int waits = calls("cuStreamSynchronize");
    ck_assert(!mg_wait(i));
    ck_assert_int_eq(calls("cuStreamSynchronize"), waits + 1);
    ck_assert(!mg_wait(i)); // nothing is left to wait for
    ck_assert_int_eq(calls("cuStreamSynchronize"), waits + 1);
    ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    MgTensor *copy = mg_output_tensor(i, 0); // waits for the run
    ck_assert_ptr_nonnull(copy);
    ck_assert_int_ge(calls("cuStreamSynchronize"), waits + 2);
    mg_tensor_release(copy);
    // A run with another shape waits for the one before, since both use the same memory.
    ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    waits = calls("cuStreamSynchronize");
    ck_assert(!mg_bind_input_at(i, 0, x, 2, (int64_t[]){2 * N, N}) &&
              !mg_bind_output_at(i, 0, y, 2 * BYTES));
    ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    ck_assert_int_gt(calls("cuStreamSynchronize"), waits);
    mg_instance_free(i); // in progress
    const uint64_t all[] = {x, y, w};
    for (int k = 0; k < 3; k++)
        give_back(model, all[k]);
    mg_model_release(model);
}
END_TEST

// Runs over the same addresses are replays, which don't wait either.
START_TEST(test_replays) {
    MgModel *model = load(plain, MG_MODE_GRAPH);
    MgInstance *i = instance_of(model);
    uint64_t x = memory(model, BYTES), y = memory(model, BYTES);
    ck_assert(!mg_bind_input_at(i, 0, x, 2, dims) && !mg_bind_output_at(i, 0, y, BYTES));
    ck_assert(!mg_bind_parameter_at(i, "w", x, BYTES));
    for (int k = 0; k < 2; k++)
        ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    int waits = calls("cuStreamSynchronize"), replays = calls("cuGraphLaunch");
    order();
    for (int k = 0; k < 3; k++)
        ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, &x, &y, (size_t[]){BYTES}));
    ck_assert_str_eq(order(), "1<0 0<1 1<0 0<1 1<0 0<1 ");
    ck_assert_int_eq(calls("cuStreamSynchronize"), waits);
    ck_assert_int_eq(calls("cuGraphLaunch"), replays + 3);
    mg_instance_free(i);
    give_back(model, x);
    give_back(model, y);
    mg_model_release(model);
}
END_TEST

// What must come back to the host makes a call wait: an output, and the result of a check.
START_TEST(test_waits) {
    MgModel *model = load(plain, MG_MODE_FUSED), *traps = load(checked, MG_MODE_FUSED);
    MgInstance *i = instance_of(model), *j = instance_of(traps);
    uint64_t x = memory(model, BYTES), y = memory(model, BYTES),
             at = memory(model, N * sizeof(int64_t));
    float host[N * N];
    ck_assert(!mg_bind_input_at(i, 0, x, 2, dims) && !mg_bind_output(i, 0, host, BYTES) &&
              !mg_bind_parameter_at(i, "w", y, BYTES));
    int waits = calls("cuStreamSynchronize");
    ck_assert(!mg_run_cuda(i, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    ck_assert_int_gt(calls("cuStreamSynchronize"), waits);
    ck_assert(!mg_bind_input_at(j, 0, x, 2, dims) && !mg_bind_input_at(j, 1, at, 1, dims) &&
              !mg_bind_output_at(j, 0, y, BYTES));
    ck_assert(!mg_run_cuda(j, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    waits = calls("cuStreamSynchronize");
    ck_assert(!mg_run_cuda(j, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL));
    ck_assert_int_gt(calls("cuStreamSynchronize"), waits);
    // and so does a run that has no stream
    ck_assert(!mg_bind_output_at(i, 0, x, BYTES) && !mg_bind_input_at(i, 0, y, 2, dims) &&
              !mg_run(i));
    waits = calls("cuStreamSynchronize");
    order();
    ck_assert(!mg_run(i));
    ck_assert_int_gt(calls("cuStreamSynchronize"), waits);
    ck_assert_str_eq(order(), "");
    mg_instance_free(i);
    mg_instance_free(j);
    const uint64_t all[] = {x, y, at};
    for (int k = 0; k < 3; k++)
        give_back(model, all[k]);
    mg_model_release(model);
    mg_model_release(traps);
}
END_TEST

START_TEST(test_refused) {
    MgModel *model = load(plain, MG_MODE_FUSED), *by_op = load(plain, MG_MODE_CACHED), *cpu;
    MgCompileOptions options = {.level = 2, .weights = "random"};
    ck_assert(!mg_model_compile(context, "cpu.mg", plain, strlen(plain), &options, &cpu));
    MgInstance *i = instance_of(model), *j = instance_of(by_op), *c = instance_of(cpu);
    uint64_t x = memory(model, BYTES);
    uint64_t host = (uint64_t)(uintptr_t)context & ~(uint64_t)15;
    MgBuffer *b;
    refused(mg_bind_input_at(i, 0, x + 4, 2, dims), i, "its address is no multiple of 16");
    refused(mg_bind_input_at(i, 0, host, 2, dims), i,
            "this is not memory of the device that CUDA allocated");
    refused(mg_bind_input_at(i, 0, 0, 2, dims), i, "this is not memory of the device");
    refused(mg_bind_input_at(i, 0, ~(uint64_t)15, 2, dims), i, "there is no such address");
    refused(mg_bind_input_at(i, 0, x, 2, (int64_t[]){1 << 20, N}), i,
            "this is not memory of the device");
    refused(mg_bind_output_at(i, 0, x, (size_t)1 << 40), i, "output y: ");
    refused(mg_bind_output_at(i, 3, x, BYTES), i, "there is no output number 3");
    refused(mg_bind_parameter_at(i, "w", x, 60), i, "parameter w has 64 bytes, its memory 60");
    refused(mg_bind_parameter_at(i, "w", host, BYTES), i, "parameter w: ");
    refused(mg_bind_parameter(i, "w", &host, BYTES), i,
            "the model runs on a device: parameter w needs memory there");
    ck_assert_int_eq(mg_bind_input_at(i, 0, x, 1, dims), MG_BAD_INPUT);
    refused(mg_bind_input_at(j, 0, x, 2, dims), j, "a run op by op goes through the host");
    refused(mg_bind_input_at(c, 0, x, 2, dims), c, "the model runs on the CPU");
    refused(mg_run_cuda(c, MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL), c,
            "step doesn't run through cuda");
    refused(mg_run_in(i, "opencl", MG_CUDA_DEFAULT_STREAM, NULL, NULL, NULL), i,
            "step doesn't run through opencl");
    refused(mg_run_cuda(i, NULL, NULL, NULL, NULL), i, "the stream is NULL");
    ck_assert_int_eq(mg_wait(NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_buffer_wrap_cuda(model, context, x + 4, &b), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context), "no multiple of 16"));
    // what is too small is found when the shapes are known
    ck_assert(!mg_bind_parameter_at(i, "w", x, BYTES) && !mg_bind_input_at(i, 0, x, 2, dims) &&
              !mg_bind_output_at(i, 0, x, 16));
    refused(mg_run(i), i, "output y needs 64 bytes, but its buffer has 16");
    // without elements, no address is needed
    ck_assert(!mg_bind_input_at(i, 0, 0, 2, (int64_t[]){0, N}) && !mg_bind_output_at(i, 0, 0, 0));
    ck_assert_msg(!mg_run(i), "%s", mg_instance_message(i));
    give_back(model, x);
    MgInstance *instances[] = {i, j, c};
    MgModel *models[] = {model, by_op, cpu};
    for (int k = 0; k < 3; k++) {
        mg_instance_free(instances[k]);
        mg_model_release(models[k]);
    }
}
END_TEST

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    calls = driver ? (int (*)(const char *))dlsym(driver, "other_cuda_calls") : NULL;
    if (!calls || mg_context_new(NULL, &context))
        return EXIT_FAILURE;
    order = (const char *(*)(void))dlsym(driver, "other_cuda_order");
    *(void **)&push = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void **)&pop = dlsym(driver, "cuCtxPopCurrent_v2");
    *(void **)&allocate = dlsym(driver, "cuMemAlloc_v2");
    *(void **)&release = dlsym(driver, "cuMemFree_v2");
    const TTest *const tests[] = {test_stream, test_replays, test_waits, test_refused};
    int status = mg_test_run(mg_test_suite("cuda_ports", NULL, NULL, tests, 4), CK_NOFORK);
    mg_context_free(context);
    return status;
}
