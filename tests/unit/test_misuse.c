// Passes every unusable argument to every call of include/mg.h. A call must return a status and a
// message, and must not crash. Also tests that a loaded model keeps its data when its files change.
#include "include/mg.h"
#include "include/mg/dlpack.h"

#include "tests/unit/check.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char source[] =
    "mg 1\ngraph net(x: f32[N, 3]) -> (y: f32[N, 3]) { y[n, i] = x[n, i] * 2 }\n";

static MgContext *context;
static MgModel *model;
static MgInstance *instance;
static float numbers[6] = {1, 2, 3, 4, 5, 6};
static const int64_t dims[2] = {2, 3};

static char cache[64]; // with one, LLVM is loaded when code is made, not ahead of time

static void setup(void) {
    strcpy(cache, "/tmp/mg-test-misuse-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(cache));
    ck_assert_int_eq(mg_context_new(&(MgContextOptions){.cache_folder = cache}, &context), MG_OK);
    ck_assert_int_eq(mg_model_compile(context, "net.mg", source, strlen(source), NULL, &model),
                     MG_OK);
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
}

static void teardown(void) {
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", cache);
    ck_assert_int_eq(system(command), 0);
}

// Checks for the status of wrong usage, and for `word` in the message of the context or instance.
static void ck_context(MgStatus status, const char *word) {
    ck_assert_int_eq(status, MG_BAD_USAGE);
    ck_assert_msg(strstr(mg_context_message(context), word) != NULL, "'%s' does not say '%s'",
                  mg_context_message(context), word);
}

static void ck_instance(MgStatus status, const char *word) {
    ck_assert_int_eq(status, MG_BAD_USAGE);
    ck_assert_msg(strstr(mg_instance_message(instance), word) != NULL, "'%s' does not say '%s'",
                  mg_instance_message(instance), word);
}

static void ck_still_runs(void) {
    const void *data;
    const int64_t *shape;
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, dims), MG_OK);
    ck_assert_int_eq(mg_run(instance), MG_OK);
    ck_assert_int_eq(mg_output(instance, 0, &data, &shape), MG_OK);
    ck_assert_float_eq(((const float *)data)[5], 12);
}

START_TEST(tensors) {
    static const int wrong[] = {-1, MG_ELEMENT_F8E5M2 + 1, INT_MAX, INT_MIN};
    int64_t many[65], size = 4, negative = -1;
    for (int i = 0; i < 65; i++)
        many[i] = 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MgElement e = (MgElement)wrong[i];
        ck_assert_str_eq(mg_element_name(e), "");
        ck_assert_uint_eq(mg_element_size(e), 0);
        ck_assert_ptr_null(mg_tensor_new(e, 1, &size));
        ck_assert_ptr_null(mg_tensor_wrap(e, 1, &size, numbers, NULL, NULL));
    }
    ck_assert_ptr_null(mg_tensor_new(MG_ELEMENT_F32, 65, many));
    ck_assert_ptr_null(mg_tensor_new(MG_ELEMENT_F32, UINT32_MAX, many));
    ck_assert_ptr_null(mg_tensor_new(MG_ELEMENT_F32, 1, NULL));
    ck_assert_ptr_null(mg_tensor_new(MG_ELEMENT_F32, 1, &negative));
    ck_assert_ptr_null(mg_tensor_wrap(MG_ELEMENT_F32, 65, many, numbers, NULL, NULL));
    ck_assert_ptr_null(mg_tensor_wrap(MG_ELEMENT_F32, UINT32_MAX, many, numbers, NULL, NULL));
    ck_assert_ptr_null(mg_tensor_wrap(MG_ELEMENT_F32, 1, NULL, numbers, NULL, NULL));
    ck_assert_ptr_null(mg_tensor_wrap(MG_ELEMENT_F32, 1, &size, NULL, NULL, NULL));
    ck_assert_ptr_null(mg_tensor_retain(NULL));
    mg_tensor_release(NULL);
    ck_assert_int_eq(mg_tensor_element(NULL), MG_ELEMENT_F64);
    ck_assert_uint_eq(mg_tensor_rank(NULL), 0);
    ck_assert_ptr_null(mg_tensor_dims(NULL));
    ck_assert_uint_eq(mg_tensor_bytes(NULL), 0);
    ck_assert_ptr_null(mg_tensor_data(NULL));
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F32, 0, NULL), *none = t;
    ck_assert_ptr_nonnull(t);
    ck_assert_int_eq(mg_tensor_read(NULL, "x.npy", &none), MG_BAD_USAGE);
    ck_assert_ptr_null(none);
    ck_context(mg_tensor_read(context, NULL, &none), "place is NULL");
    ck_context(mg_tensor_read(context, "x.npy", NULL), "tensor is NULL");
    ck_assert_int_eq(mg_tensor_write(NULL, "x.npy", t), MG_BAD_USAGE);
    ck_context(mg_tensor_write(context, NULL, t), "place is NULL");
    ck_context(mg_tensor_write(context, "x.npy", NULL), "tensor is NULL");
    mg_tensor_release(t);
}
END_TEST

START_TEST(contexts) {
    MgContext *c = context;
    ck_assert_int_eq(mg_context_new(NULL, NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_context_new(&(MgContextOptions){.threads = 5000, .cache_folder = ""}, &c),
                     MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(c), "5000 threads"));
    mg_context_free(c);
    mg_context_free(NULL);
    ck_assert_str_eq(mg_context_message(NULL), "there is no context");
    ck_assert_str_eq(mg_context_message(context), ""); // nothing has failed
    ck_assert_str_eq(mg_instance_message(NULL), "there is no instance");
    ck_assert_str_eq(mg_instance_message(instance), "");
}
END_TEST

START_TEST(models) {
    size_t n = strlen(source);
    MgModel *m = model;
    ck_assert_int_eq(mg_model_load(NULL, "net.mg", NULL, &m), MG_BAD_USAGE);
    ck_assert_ptr_null(m);
    ck_context(mg_model_load(context, NULL, NULL, &m), "name of the model is NULL");
    ck_context(mg_model_load(context, "net.mg", NULL, NULL), "place for the model is NULL");
    ck_assert_int_eq(mg_model_compile(NULL, "net.mg", source, n, NULL, &m), MG_BAD_USAGE);
    ck_context(mg_model_compile(context, NULL, source, n, NULL, &m), "name of the model is NULL");
    ck_context(mg_model_compile(context, "net.mg", NULL, n, NULL, &m), "text of the model is NULL");
    ck_context(mg_model_compile(context, "net.mg", source, n, NULL, NULL), "place for the model");
    ck_assert_int_eq(mg_model_compile(context, "net.mg", NULL, 0, NULL, &m), MG_BAD_INPUT);
    ck_assert_ptr_null(mg_model_retain(NULL));
    mg_model_release(NULL);
    ck_assert_ptr_null(mg_model_graph(NULL));
    ck_assert_uint_eq(mg_model_inputs(NULL) + mg_model_outputs(NULL) + mg_model_dims(NULL), 0);
    ck_assert(!mg_model_input(NULL, 0) && !mg_model_output(NULL, 0) && !mg_model_dim(NULL, 0));
    ck_assert(!mg_model_input(model, 1) && !mg_model_output(model, 1) && !mg_model_dim(model, 1));
    ck_assert(!mg_model_input(model, UINT32_MAX) && !mg_model_dim(model, UINT32_MAX));
    ck_assert_int_eq(mg_model_find_input(NULL, "x"), -1);
    ck_assert_int_eq(mg_model_find_input(model, NULL), -1);
    ck_assert_int_eq(mg_model_find_output(NULL, "y"), -1);
    ck_assert_int_eq(mg_model_find_output(model, NULL), -1);
    ck_assert_ptr_null(mg_model_native(NULL, "opencl", MG_NATIVE_CONTEXT));
    ck_assert_ptr_null(mg_model_native(model, NULL, MG_NATIVE_DEVICE));
    ck_assert_ptr_null(mg_model_native(model, "opencl", (MgNative)INT_MAX));
}
END_TEST

// Gives every number and every word of the options a wrong value.
START_TEST(options) {
    static const int wrong[] = {-2, 100, INT_MAX, INT_MIN};
    static const struct {
        const char *name;
        size_t at;
    } numbered[] = {{"level", offsetof(MgCompileOptions, level)},
                    {"mode", offsetof(MgCompileOptions, mode)},
                    {"launch", offsetof(MgCompileOptions, launch)},
                    {"winograd", offsetof(MgCompileOptions, winograd)},
                    {"precision", offsetof(MgCompileOptions, precision)},
                    {"sharing", offsetof(MgCompileOptions, sharing)}},
      words[] = {{"target", offsetof(MgCompileOptions, target)},
                 {"weights", offsetof(MgCompileOptions, weights)}};
    MgModel *m;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            MgCompileOptions o = {.level = -1};
            memcpy((char *)&o + numbered[i].at, &wrong[k], sizeof(int));
            ck_context(mg_model_compile(context, "net.mg", source, strlen(source), &o, &m),
                       numbered[i].name);
            ck_assert_ptr_null(m);
        }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = "unheard";
        MgCompileOptions o = {.level = -1};
        memcpy((char *)&o + words[i].at, &word, sizeof word);
        ck_context(mg_model_compile(context, "net.mg", source, strlen(source), &o, &m), "unheard");
    }
    const char *march = "unheard", *graph = "unheard";
    MgCompileOptions o = {.level = -1, .graph = graph};
    ck_assert_int_eq(mg_model_compile(context, "net.mg", source, strlen(source), &o, &m),
                     MG_BAD_INPUT);
    o = (MgCompileOptions){.level = -1, .march = march};
    MgStatus status = mg_model_compile(context, "net.mg", source, strlen(source), &o, &m);
    ck_assert(status == MG_OK || status == MG_BAD_INPUT); // found out when it is compiled
    if (!status) {
        MgInstance *i;
        ck_assert_int_eq(mg_instance_new(m, context, &i), MG_OK);
        ck_assert_int_eq(mg_bind_input(i, 0, numbers, 2, dims), MG_OK);
        ck_assert_int_eq(mg_run(i), MG_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(mg_instance_message(i), "unheard"));
        mg_instance_free(i);
        mg_model_release(m);
    }
    o = (MgCompileOptions){.level = -1, .n_given = 1};
    ck_context(mg_model_compile(context, "net.mg", source, strlen(source), &o, &m), "given");
    o.given = &(MgGiven){.name = "x", .n_elements = 1};
    ck_context(mg_model_compile(context, "net.mg", source, strlen(source), &o, &m), "given");
}
END_TEST

START_TEST(instances) {
    MgInstance *i = instance;
    int64_t negative[2] = {-1, 3}, huge[2] = {INT64_MAX, 3};
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F32, 2, dims);
    ck_assert_int_eq(mg_instance_new(model, NULL, &i), MG_BAD_USAGE);
    ck_assert_ptr_null(i);
    ck_context(mg_instance_new(NULL, context, &i), "model is NULL");
    ck_context(mg_instance_new(model, context, NULL), "place for the instance is NULL");
    mg_instance_free(NULL);
    ck_assert_int_eq(mg_bind_input(NULL, 0, numbers, 2, dims), MG_BAD_USAGE);
    ck_instance(mg_bind_input(instance, 1, numbers, 2, dims), "no input number 1");
    ck_instance(mg_bind_input(instance, UINT32_MAX, numbers, 2, dims), "no input number");
    ck_instance(mg_bind_input(instance, 0, NULL, 2, dims), "memory of input x is NULL");
    ck_instance(mg_bind_input(instance, 0, (char *)numbers + 1, 2, dims), "not aligned");
    ck_instance(mg_bind_input(instance, 0, numbers, 2, NULL), "dimensions of input x are NULL");
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 65, dims), MG_BAD_INPUT);
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, negative), MG_OK); // looked at by a run
    ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, huge), MG_OK);
    ck_assert_int_ne(mg_run(instance), MG_OK);
    ck_assert_int_eq(mg_bind_input_tensor(NULL, 0, t), MG_BAD_USAGE);
    ck_instance(mg_bind_input_tensor(instance, 0, NULL), "tensor of input x is NULL");
    ck_instance(mg_bind_input_tensor(instance, 9, t), "no input number 9");
    ck_instance(mg_bind_input_tensor(instance, 9, NULL), "no input number 9");
    ck_assert_int_eq(mg_bind_output(NULL, 0, numbers, 4), MG_BAD_USAGE);
    ck_instance(mg_bind_output(instance, 1, numbers, 4), "no output number 1");
    ck_instance(mg_bind_output(instance, 0, (char *)numbers + 1, 4), "not aligned");
    mg_set_timing(NULL, NULL, NULL);
    mg_tensor_release(t);
    ck_still_runs();
}
END_TEST

START_TEST(runs) {
    const void *data;
    const int64_t *shape;
    char *svg;
    ck_assert_int_eq(mg_run(NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_run_times(NULL, 1), MG_BAD_USAGE);
    ck_assert_int_eq(mg_run_passes(NULL, 1), MG_BAD_USAGE);
    ck_instance(mg_run(instance), "input x is not bound");
    ck_instance(mg_output_shape(instance, 0, &shape), "input x is not bound");
    ck_instance(mg_picture(instance, MG_PICTURE_MEMORY, &svg), "input x is not bound");
    ck_instance(mg_output(instance, 0, &data, &shape), "there are no outputs");
    ck_assert_ptr_null(mg_output_tensor(instance, 0));
    ck_still_runs();
    ck_instance(mg_run_times(instance, 0), "times is 0");
    ck_instance(mg_run_passes(instance, 0), "at least one pass");
    ck_still_runs();
    ck_assert_int_eq(mg_output(NULL, 0, &data, &shape), MG_BAD_USAGE);
    ck_assert_int_eq(mg_output_shape(NULL, 0, &shape), MG_BAD_USAGE);
    ck_instance(mg_output_shape(instance, 1, &shape), "no output number 1");
    ck_instance(mg_output_shape(instance, 0, NULL), "dimensions is NULL");
    ck_instance(mg_output(instance, 1, &data, &shape), "no output number 1");
    ck_assert_int_eq(mg_picture(NULL, MG_PICTURE_GRAPH, &svg), MG_BAD_USAGE);
    ck_instance(mg_picture(instance, MG_PICTURE_GRAPH, NULL), "picture is NULL");
    ck_instance(mg_picture(instance, MG_PICTURES, &svg), "no picture number 2");
    ck_assert_ptr_null(svg);
    ck_instance(mg_output(instance, 0, NULL, &shape), "address is NULL");
    ck_instance(mg_output(instance, 0, &data, NULL), "dimensions is NULL");
    ck_assert_ptr_null(mg_output_tensor(NULL, 0));
    ck_assert_ptr_null(mg_output_tensor(instance, 1));
}
END_TEST

START_TEST(buffers) { // a model that runs on the CPU has none, whatever is asked
    MgBuffer *b;
    ck_assert_int_eq(mg_buffer_new(model, NULL, 4, &b), MG_BAD_USAGE);
    ck_context(mg_buffer_new(NULL, context, 4, &b), "model is NULL");
    ck_context(mg_buffer_new(model, context, 4, NULL), "place for the buffer is NULL");
    ck_context(mg_buffer_new(model, context, 4, &b), "runs on the CPU");
    ck_assert_int_eq(mg_buffer_of_native(model, NULL, "opencl", NULL, &b), MG_BAD_USAGE);
    ck_context(mg_buffer_of_native(NULL, context, "opencl", NULL, &b), "model is NULL");
    ck_context(mg_buffer_of_native(model, context, "opencl", NULL, NULL),
               "place for the buffer is NULL");
    ck_context(mg_buffer_of_native(model, context, NULL, NULL, &b),
               "name of the interface is NULL");
    ck_context(mg_buffer_of_native(model, context, "opencl", NULL, &b), "runs on the CPU");
    ck_assert_ptr_null(mg_buffer_retain(NULL));
    mg_buffer_release(NULL);
    ck_assert_uint_eq(mg_buffer_bytes(NULL), 0);
    ck_assert_ptr_null(mg_buffer_native(NULL, "opencl"));
    ck_assert_int_eq(mg_buffer_write(NULL, NULL, 0, numbers, 4), MG_BAD_USAGE);
    ck_context(mg_buffer_write(NULL, context, 0, numbers, 4), "buffer is NULL");
    ck_assert_int_eq(mg_buffer_read(NULL, NULL, 0, numbers, 4), MG_BAD_USAGE);
    ck_context(mg_buffer_read(NULL, context, 0, numbers, 4), "buffer is NULL");
    ck_assert_int_eq(mg_bind_input_buffer(NULL, 0, NULL, 2, dims), MG_BAD_USAGE);
    ck_instance(mg_bind_input_buffer(instance, 0, NULL, 2, dims), "buffer is NULL");
    ck_instance(mg_bind_input_buffer(instance, 0, NULL, 2, NULL), "dimensions of input x are NULL");
    ck_instance(mg_bind_input_buffer(instance, 9, NULL, 2, dims), "no input number 9");
    ck_assert_int_eq(mg_bind_output_buffer(NULL, 0, NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_bind_parameter_buffer(NULL, "w", NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_bind_input_at(NULL, 0, 16, 2, dims), MG_BAD_USAGE);
    ck_assert_int_eq(mg_bind_output_at(NULL, 0, 16, 4), MG_BAD_USAGE);
    ck_assert_int_eq(mg_bind_parameter_at(NULL, "w", 16, 4), MG_BAD_USAGE);
    ck_assert_int_eq(mg_run_in(NULL, "cuda", numbers, NULL, NULL, NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_wait(NULL), MG_BAD_USAGE);
    ck_assert_ptr_null(mg_buffer_dlpack(NULL, 0, MG_ELEMENT_F32, 2, dims));
    ck_instance(mg_bind_output_buffer(instance, 0, NULL), "buffer is NULL");
    ck_instance(mg_bind_output_buffer(instance, 9, NULL), "no output number 9");
    ck_still_runs();
}
END_TEST

// A hook that uses the instance which calls it.
static void use_instance(void *user, const MgTiming *timing) {
    const void *data;
    const int64_t *shape;
    (void)timing;
    ck_instance(mg_run(instance), "the instance is running");
    ck_instance(mg_run_times(instance, 2), "the instance is running");
    ck_instance(mg_run_passes(instance, 2), "the instance is running");
    ck_instance(mg_bind_input(instance, 0, numbers, 2, dims), "the instance is running");
    ck_instance(mg_bind_output(instance, 0, NULL, 0), "the instance is running");
    ck_instance(mg_output(instance, 0, &data, &shape), "the instance is running");
    ck_assert_ptr_null(mg_output_tensor(instance, 0));
    mg_set_timing(instance, NULL, NULL);
    mg_instance_free(instance);
    ++*(int *)user;
}

START_TEST(hooks) {
    int calls = 0;
    mg_set_timing(instance, use_instance, &calls);
    ck_still_runs();
    ck_assert_int_ge(calls, 2);
    ck_assert_int_eq(mg_run_passes(instance, 3), MG_OK);
    mg_set_timing(instance, NULL, NULL);
    calls = 0;
    ck_still_runs();
    ck_assert_int_eq(calls, 0);
}
END_TEST

// A model keeps the contents that its files had when it was loaded, however they change.
static void write_weight(const char *path, float value) {
    static const char header[] = "{\"w\":{\"dtype\":\"F32\",\"shape\":[65536],"
                                 "\"data_offsets\":[0,262144]}}";
    uint64_t length = sizeof header - 1;
    FILE *f = fopen(path, "r+");
    f = f ? f : fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fwrite(&length, 8, 1, f);
    fwrite(header, 1, length, f);
    for (int i = 0; i < 65536; i++)
        fwrite(&value, sizeof value, 1, f);
    ck_assert_int_eq(fclose(f), 0);
}

START_TEST(changing_weights) {
    static const char text[] =
        "mg 1\ngraph net(x: f32[65536]) -> (y: f32[65536])\n"
        "    weights \"w.safetensors\"\n{ param w: f32[65536]\n y = x * w }\n";
    char folder[] = "/tmp/mg-test-weights-XXXXXX", path[64], name[64];
    static float x[65536];
    const void *y;
    const int64_t *shape;
    MgModel *m;
    MgInstance *i;
    x[65535] = 1;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/w.safetensors", folder);
    snprintf(name, sizeof name, "%s/net.mg", folder);
    write_weight(path, 3);
    ck_assert_msg(!mg_model_compile(context, name, text, strlen(text), NULL, &m), "%s",
                  mg_context_message(context));
    ck_assert_int_eq(mg_instance_new(m, context, &i), MG_OK);
    ck_assert_int_eq(mg_bind_input(i, 0, x, 1, (int64_t[]){65536}), MG_OK);
    for (int step = 0; step < 3; step++) {
        ck_assert_int_eq(mg_run(i), MG_OK);
        ck_assert_int_eq(mg_output(i, 0, &y, &shape), MG_OK);
        ck_assert_float_eq(((const float *)y)[65535], 3);
        if (step == 0)
            write_weight(path, 7);
        else
            ck_assert_int_eq(truncate(path, 100), 0);
    }
    mg_instance_free(i);
    mg_model_release(m);
    unlink(path);
    rmdir(folder);
}
END_TEST

#if defined(__SANITIZE_ADDRESS__) // gcc
#define SANITIZED
#elif defined(__has_feature) // clang
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

// If the compiler's library doesn't fit, the status is out of memory too, and a later call
// succeeds.
START_TEST(no_room_for_llvm) {
#ifndef SANITIZED // whose shadow takes terabytes
    struct rlimit before, limit;
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert(f && fscanf(f, "%ld", &pages) == 1);
    fclose(f);
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (24 << 20);
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, dims), MG_OK);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    MgStatus status = mg_run(instance);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    ck_assert_msg(status == MG_OUT_OF_MEMORY, "%d: %s", status, mg_instance_message(instance));
    ck_assert_ptr_nonnull(strstr(mg_instance_message(instance), "out of memory"));
    ck_still_runs();
#endif
}
END_TEST

// The first runs before anything has loaded LLVM, even if all tests share a process.
MG_TEST_MAIN_WITH("misuse", setup, teardown, no_room_for_llvm, tensors, contexts, models, options,
                  instances, runs, buffers, hooks, changing_weights)
