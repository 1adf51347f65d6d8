// Tests the runtime of devices through the public API: the digits network on a device and on the
// CPU, new sizes, several instances at once, repeated runs, and the calls of a timing hook. The
// test is skipped (77) if there is no OpenCL device.
#include "include/mg.h"
#include "runtime/device_impl.h"
#include "tests/unit/device.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 5, PIXELS = 64, CLASSES = 10, THREADS = 3 };

static unsigned char images[MOST * PIXELS];
static MgContext *context;

static MgModel *load(const char *target) {
    MgModel *model;
    MgCompileOptions options = {.level = 2, .graph = "digits", .target = target};
    MgStatus status =
        mg_model_load(context, MG_SOURCE_DIR "/examples/digits/digits.mg", &options, &model);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    return model;
}

static MgInstance *instance_in(MgModel *model, MgContext *c) {
    MgInstance *i;
    ck_assert(!mg_instance_new(model, c, &i));
    return i;
}

static MgInstance *instance_of(MgModel *model) {
    return instance_in(model, context);
}

static void run(MgInstance *i, int64_t n) {
    const int64_t dims[] = {n, 8, 8};
    ck_assert(!mg_bind_input(i, 0, images, 3, dims));
    MgStatus status = mg_run(i);
    ck_assert_msg(!status, "%s", mg_instance_message(i));
}

static void same(MgInstance *a, MgInstance *b, int64_t n) {
    const void *x, *y;
    const int64_t *dims;
    ck_assert(!mg_output(a, 0, &x, &dims));
    ck_assert_int_eq(dims[0], n);
    ck_assert(!mg_output(b, 0, &y, &dims));
    ck_assert_int_eq(dims[0], n);
    for (int64_t k = 0; k < n * CLASSES; k++)
        ck_assert(fabsf(((const float *)x)[k] - ((const float *)y)[k]) < 1e-5f);
}

START_TEST(test_sizes) {
    static const int64_t sizes[] = {1, MOST, 2, 3, 4, 1, MOST}; // more than there are variants
    MgModel *cpu = load("cpu"), *gpu = load("gpu");
    MgInstance *a = instance_of(cpu), *b = instance_of(gpu);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        run(a, sizes[k]);
        run(b, sizes[k]);
        same(a, b, sizes[k]);
    }
    ck_assert(!mg_run_times(b, 3));
    same(a, b, MOST);
    mg_instance_free(a);
    mg_instance_free(b);
    mg_model_release(cpu);
    mg_model_release(gpu);
}
END_TEST

static void *run_often(void *context_of_thread) {
    for (int k = 0; k < 20; k++)
        run(context_of_thread, MOST);
    return NULL;
}

START_TEST(test_threads) {
    MgModel *cpu = load("cpu"), *gpu = load("gpu");
    MgInstance *a = instance_of(cpu), *b[THREADS];
    pthread_t threads[THREADS];
    MgContext *own[THREADS]; // a context is used by one thread at a time
    run(a, MOST);
    for (int k = 0; k < THREADS; k++) {
        ck_assert(!mg_context_new(NULL, &own[k]));
        b[k] = instance_in(gpu, own[k]);
    }
    for (int k = 0; k < THREADS; k++)
        ck_assert(!pthread_create(&threads[k], NULL, run_often, b[k]));
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++) {
        same(a, b[k], MOST);
        mg_instance_free(b[k]);
        mg_context_free(own[k]);
    }
    mg_instance_free(a);
    mg_model_release(cpu);
    mg_model_release(gpu);
}
END_TEST

typedef struct Heard {
    int n[MG_TIMING_LAUNCH + 1];
    int64_t bytes;
    uint64_t first, last;
} Heard;

static void hear(void *user, const MgTiming *t) {
    Heard *h = user;
    ck_assert(t->end >= t->begin);
    h->n[t->kind]++;
    if (t->kind == MG_TIMING_TRANSFER)
        h->bytes += t->bytes;
    if (t->kind == MG_TIMING_KERNEL) {
        h->first = h->first && h->first < t->begin ? h->first : t->begin;
        h->last = h->last > t->end ? h->last : t->end;
    }
    if (t->kind == MG_TIMING_CALL && h->first) { // one clock, to a millisecond
        ck_assert(h->first + 1000000 >= t->begin);
        ck_assert(h->last <= t->end + 1000000);
    }
}

START_TEST(test_timing) {
    MgModel *gpu = load("gpu");
    MgInstance *i = instance_of(gpu);
    Heard h = {0};
    run(i, MOST);
    mg_set_timing(i, hear, &h);
    run(i, MOST);
    ck_assert_int_eq(h.n[MG_TIMING_CALL], 1);
    ck_assert_int_eq(h.n[MG_TIMING_LAUNCH], 1);
    ck_assert_int_ge(h.n[MG_TIMING_COMPILE], 1);
    ck_assert_int_ge(h.n[MG_TIMING_KERNEL], 4);
    ck_assert_int_eq(h.bytes, MOST * PIXELS + MOST * CLASSES * (int64_t)sizeof(float));
    int kernels = h.n[MG_TIMING_KERNEL];
    mg_set_timing(i, NULL, NULL);
    run(i, MOST);
    ck_assert_int_eq(h.n[MG_TIMING_KERNEL], kernels);
    mg_instance_free(i);
    mg_model_release(gpu);
}
END_TEST

START_TEST(test_usage) {
    MgModel *model;
    MgCompileOptions options = {
        .level = 2, .graph = "digits", .target = "gpu", .device = "no such device"};
    const char *path = MG_SOURCE_DIR "/examples/digits/digits.mg";
    ck_assert_int_eq(mg_model_load(context, path, &options, &model), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context),
                                 "no device has the number, type or name 'no such device'"));
    options = (MgCompileOptions){.level = 2, .graph = "digits", .target = "null"};
    ck_assert_int_eq(mg_model_load(context, path, &options, &model), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context), "nothing runs on target 'null'"));
}
END_TEST

START_TEST(test_grows) { // memory of the device is another object where a size needs more
    static const char text[] = "mg 1\ngraph twice(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] * 2 }\n";
    static const int64_t lengths[] = {1, 2, 3, 4, 10, 1000, 20, 100000, 5, 3000000};
    MgCompileOptions options = {.level = 2, .target = "gpu"};
    MgModel *gpu;
    float *x = calloc(3000000, sizeof *x);
    ck_assert(!mg_model_compile(context, "twice.mg", text, strlen(text), &options, &gpu));
    MgInstance *i = instance_of(gpu);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const void *y;
        const int64_t *dims, n = lengths[k];
        x[0] = x[n - 1] = (float)k;
        ck_assert(!mg_bind_input(i, 0, x, 1, &n) && !mg_run(i) && !mg_output(i, 0, &y, &dims));
        ck_assert_float_eq(((const float *)y)[0], 2 * (float)k);
        ck_assert_float_eq(((const float *)y)[n - 1], 2 * (float)k);
    }
    mg_instance_free(i);
    mg_model_release(gpu);
    free(x);
}
END_TEST

START_TEST(test_named) { // op by op on the device that was asked for, whatever else is open
    for (int k = 0; k < 2; k++) {
        MgModel *cpu = load("cpu"), *gpu;
        MgCompileOptions options = {.level = 2,
                                    .graph = "digits",
                                    .target = "gpu",
                                    .device = "0",
                                    .mode = k ? MG_MODE_CACHED : MG_MODE_IMMEDIATE};
        const char *path = MG_SOURCE_DIR "/examples/digits/digits.mg";
        MgContext *own;
        ck_assert(!mg_context_new(NULL, &own));
        ck_assert(!mg_model_load(own, path, &options, &gpu));
        MgInstance *a = instance_of(cpu), *b = instance_in(gpu, own), *c = instance_of(gpu);
        run(a, MOST);
        run(b, MOST);
        run(c, MOST);
        same(a, b, MOST);
        same(a, c, MOST);
        mg_instance_free(a);
        mg_instance_free(b);
        mg_instance_free(c);
        mg_model_release(gpu);
        mg_model_release(cpu);
        mg_context_free(own);
    }
}
END_TEST

START_TEST(test_outlives) { // a model and its buffers keep their device when their context is gone
    MgModel *cpu = load("cpu"), *gpu;
    MgCompileOptions options = {.level = 2, .graph = "digits", .target = "gpu"};
    MgContext *first;
    MgBuffer *buffer;
    float y[MOST * CLASSES];
    ck_assert(!mg_context_new(NULL, &first));
    ck_assert(!mg_model_load(first, MG_SOURCE_DIR "/examples/digits/digits.mg", &options, &gpu));
    ck_assert(!mg_buffer_new(gpu, first, sizeof y, &buffer));
    mg_context_free(first);
    MgInstance *a = instance_of(cpu), *b = instance_of(gpu);
    run(a, MOST);
    run(b, MOST);
    same(a, b, MOST);
    ck_assert(!mg_bind_output_buffer(b, 0, buffer));
    run(b, MOST);
    mg_instance_free(a);
    mg_instance_free(b);
    mg_model_release(cpu);
    mg_model_release(gpu);
    ck_assert(!mg_buffer_read(buffer, context, 0, y, sizeof y));
    ck_assert(y[0] >= 0 && y[0] <= 1);
    mg_buffer_release(buffer);
}
END_TEST

// What a child of fork() inherits from its parent.
typedef struct Inherited {
    MgModel *cpu, *gpu;
    MgInstance *on_cpu, *fresh, *used, *stepwise;
    MgBuffer *buffer;
} Inherited;

// If instance is NULL, the context must have the message.
static bool told(MgStatus status, const MgInstance *instance) {
    const char *message = instance ? mg_instance_message(instance) : mg_context_message(context);
    return status == MG_RUN_FAILED && strstr(message, "fork()");
}

// Returns the number of the check that fails, or 0: each call on the device must end with the
// documented status and a message, and freeing must not change the parent's objects.
static int in_child(Inherited *h) {
    float y[MOST * CLASSES];
    MgCompileOptions options = {.level = 2, .graph = "digits", .target = "gpu"};
    static const char path[] = MG_SOURCE_DIR "/examples/digits/digits.mg";
    MgInstance *const on_gpu[] = {h->fresh, h->used, h->stepwise};
    MgModel *another;
    MgBuffer *more;
    for (int k = 0; k < 3; k++) {
        const int64_t dims[] = {k + 1, 8, 8}; // the size that it had, and others
        if (mg_bind_input(on_gpu[k], 0, images, 3, dims))
            return 10 + k;
        if (!told(mg_run(on_gpu[k]), on_gpu[k]))
            return 20 + k;
        if (!told(mg_run_times(on_gpu[k], 2), on_gpu[k]))
            return 30 + k;
    }
    if (!told(mg_model_load(context, path, &options, &another), NULL))
        return 1;
    if (!told(mg_buffer_new(h->gpu, context, sizeof y, &more), NULL))
        return 2;
    if (!told(mg_buffer_read(h->buffer, context, 0, y, sizeof y), NULL))
        return 3;
    if (!told(mg_buffer_write(h->buffer, context, 0, y, sizeof y), NULL))
        return 4;
    if (mg_run(h->on_cpu)) // which needs no device
        return 5;
    for (int k = 0; k < 3; k++)
        mg_instance_free(on_gpu[k]);
    mg_buffer_release(h->buffer);
    mg_model_release(h->gpu);
    return 0;
}

START_TEST(test_forked) {
    MgCompileOptions stepwise = {
        .level = 2, .graph = "digits", .target = "gpu", .mode = MG_MODE_IMMEDIATE};
    MgModel *steps;
    ck_assert(
        !mg_model_load(context, MG_SOURCE_DIR "/examples/digits/digits.mg", &stepwise, &steps));
    Inherited h = {.cpu = load("cpu"), .gpu = load("gpu")};
    h.on_cpu = instance_of(h.cpu);
    h.fresh = instance_of(h.gpu);
    h.used = instance_of(h.gpu);
    h.stepwise = instance_of(steps);
    run(h.on_cpu, 2);
    run(h.used, 2);
    run(h.stepwise, 2);
    ck_assert(!mg_buffer_new(h.gpu, context, sizeof(float) * MOST * CLASSES, &h.buffer));
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        alarm(60);
        _exit(in_child(&h));
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child ended by signal %d", WTERMSIG(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    run(h.used, 2); // the parent goes on
    run(h.on_cpu, 2);
    same(h.on_cpu, h.used, 2);
    mg_instance_free(h.on_cpu);
    mg_instance_free(h.fresh);
    mg_instance_free(h.used);
    mg_instance_free(h.stepwise);
    mg_buffer_release(h.buffer);
    mg_model_release(steps);
    mg_model_release(h.cpu);
    mg_model_release(h.gpu);
}
END_TEST

// A program for one use, as in mode immediate, stays until its kernels are made, although another
// thread asks for its own meanwhile.
START_TEST(test_one_use) {
    static const char source[] = "__kernel void f(__global int *x) { x[0] = 1; }";
    MgDevice *device;
    MgDeviceProgram *program[2];
    char *message = NULL;
    ck_assert(!mg_device_open(NULL, NULL, &device, &message));
    mg_device_set_fresh(device, true);
    for (int k = 0; k < 2; k++)
        ck_assert(!mg_device_program(device, source, strlen(source), &program[k], &message));
    for (int k = 0; k < 2; k++) {
        ck_assert_ptr_nonnull(mg_device_program_handle(program[k]));
        mg_device_program_used(device, program[k]);
        ck_assert_ptr_null(mg_device_program_handle(program[k]));
    }
    mg_device_release(device);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_one_use, test_sizes, test_threads,  test_timing, test_usage,
                                  test_grows,   test_named, test_outlives, test_forked};
    for (int k = 0; k < MOST * PIXELS; k++)
        images[k] = (unsigned char)(k * 7 % 17);
    return mg_test_on_device("device", &context, tests, sizeof tests / sizeof *tests);
}
