// Tests include/mg.h as a program uses it: ports, binding, running, dimensions that change, hooks
// and messages.
#include "include/mg.h"

#include "tests/unit/check.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "mg 1\n"
    "graph scale(x: f32[N <= 64, 3], factor: f32[]) -> (y: f32[N, 3], rows: f32[N])\n"
    "{\n"
    "    y[n, i] = x[n, i] * factor[]\n"
    "    rows[n] = sum[i] y[n, i]\n"
    "}\n"
    "graph take(table: f32[V], at: i64[N]) -> (y: f32[N]) { y[n] = table[at[n]] }\n"
    "graph found(x: f32[N]) -> (where: i64[1, some C <= N]) { where = nonzero(x) }\n"
    "graph cubes(x: f32[N]) -> (y: f32[N])\n"
    "{\n"
    "    z[i, j, k] = x[i] * x[j] + x[k]\n"
    "    y[i] = z[i, 0, 0] + sum[j, k] z[i, j, k] * z[i, k, j]\n"
    "}\n";

static MgContext *context;
static MgModel *model;
static MgInstance *instance;

static void open_graph(const char *graph, bool interpret) {
    MgCompileOptions options = {
        .graph = graph, .level = -1, .interpret = interpret, .sharing = MG_SHARING_ALL};
    ck_assert_msg(!mg_model_compile(context, "api.mg", source, strlen(source), &options, &model),
                  "%s", mg_context_message(context));
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
}

static void setup(void) {
    MgContextOptions options = {.cache_folder = ""};
    ck_assert_int_eq(mg_context_new(&options, &context), MG_OK);
    model = NULL;
    instance = NULL;
}

static void teardown(void) {
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
}

static void ck_run(void) {
    ck_assert_msg(mg_run(instance) == MG_OK, "%s", mg_instance_message(instance));
}

static const float *output(uint32_t number, int64_t first) {
    const void *data;
    const int64_t *dims;
    ck_assert_int_eq(mg_output(instance, number, &data, &dims), MG_OK);
    ck_assert_int_eq(dims[0], first);
    return data;
}

static void ck_says(const char *message, const char *part) {
    ck_assert_msg(strstr(message, part) != NULL, "'%s' does not say '%s'", message, part);
}

// ---------------------------------------------------------------- description
START_TEST(ports) {
    open_graph("scale", false);
    ck_assert_str_eq(mg_model_graph(model), "scale");
    ck_assert_uint_eq(mg_model_inputs(model), 2);
    ck_assert_uint_eq(mg_model_outputs(model), 2);
    ck_assert_int_eq(mg_model_find_input(model, "factor"), 1);
    ck_assert_int_eq(mg_model_find_input(model, "rows"), -1);
    ck_assert_int_eq(mg_model_find_output(model, "rows"), 1);
    const MgPortInfo *x = mg_model_input(model, 0);
    ck_assert_str_eq(x->name, "x");
    ck_assert_int_eq(x->element, MG_ELEMENT_F32);
    ck_assert_uint_eq(x->rank, 2);
    ck_assert_int_eq(x->dims[0], -1);
    ck_assert_int_eq(x->dims[1], 3);
    ck_assert_str_eq(x->formulas[0], "N");
    ck_assert_ptr_null(mg_model_input(model, 2));
    ck_assert_uint_eq(mg_model_dims(model), 1);
    ck_assert_str_eq(mg_model_dim(model, 0), "N");
    ck_assert_ptr_null(mg_model_dim(model, 1));
}
END_TEST

START_TEST(elements) {
    ck_assert_str_eq(mg_element_name(MG_ELEMENT_BF16), "bf16");
    ck_assert_uint_eq(mg_element_size(MG_ELEMENT_BF16), 2);
    ck_assert_str_eq(mg_element_name((MgElement)99), "");
    int64_t ones[65];
    for (int i = 0; i < 65; i++)
        ones[i] = 1;
    ck_assert_ptr_null(mg_tensor_new(MG_ELEMENT_F32, 65, ones)); // more than a file can have
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F32, 64, ones);
    ck_assert_uint_eq(mg_tensor_bytes(t), 4);
    mg_tensor_release(t);
    ck_assert_uint_eq(mg_element_size((MgElement)99), 0);
}
END_TEST

// ---------------------------------------------------------------- running
static float numbers[64 * 3], factor = 2;

static void bind(int64_t n) {
    int64_t dims[2] = {n, 3};
    for (int i = 0; i < 64 * 3; i++)
        numbers[i] = (float)i;
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, dims), MG_OK);
    ck_assert_int_eq(mg_bind_input(instance, 1, &factor, 0, NULL), MG_OK);
}

static void ck_scaled(int64_t n) {
    const float *y = output(0, n);
    for (int64_t i = 0; i < 3 * n; i++)
        ck_assert_float_eq(y[i], numbers[i] * factor);
    const float *rows = output(1, n);
    for (int64_t i = 0; i < n; i++)
        ck_assert_float_eq(rows[i], (float)(9 * i + 3) * factor);
}

START_TEST(runs) {
    open_graph("scale", _i == 1);
    bind(4);
    ck_run();
    ck_scaled(4);
    factor = 3; // bound memory is read at each run
    ck_run();
    ck_scaled(4);
    factor = 2;
}
END_TEST

START_TEST(dimensions_change) { // past the specialised variants into the generic code, and back
    open_graph("scale", false);
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 64, 0, 7, 2, 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bind(sizes[i]);
        ck_run();
        ck_scaled(sizes[i]);
    }
}
END_TEST

START_TEST(outputs_of_the_caller) {
    open_graph("scale", _i == 1);
    float y[12] = {0};
    bind(4);
    ck_assert_int_eq(mg_bind_output(instance, 0, y, sizeof y - 1), MG_OK);
    ck_assert_int_ne(mg_run(instance), MG_OK);
    ck_assert_int_eq(mg_bind_output(instance, 0, y, sizeof y), MG_OK);
    ck_run();
    ck_assert_float_eq(y[11], 22);
    ck_assert_ptr_eq(output(0, 4), y);
    ck_assert_int_eq(mg_bind_output(instance, 0, NULL, 0), MG_OK);
    ck_run();
    ck_assert_ptr_ne(output(0, 4), y);
    ck_assert_int_eq(mg_bind_output(instance, 2, y, sizeof y), MG_BAD_USAGE);
}
END_TEST

// A run must not read old results from memory that it didn't write.
START_TEST(outputs_elsewhere) {
    open_graph("scale", _i == 1);
    float y[12], few[1];
    const void *data;
    const int64_t *dims;
    bind(4);
    ck_run();
    ck_assert_int_eq(mg_bind_output(instance, 0, few, sizeof few), MG_OK);
    ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_BAD_USAGE);
    ck_assert_ptr_null(mg_output_tensor(instance, 0));
    ck_assert_int_eq(mg_bind_output(instance, 0, y, sizeof y), MG_OK);
    ck_run();
    ck_assert_int_eq(mg_bind_output(instance, 0, NULL, 0), MG_OK);
    ck_assert_ptr_null(mg_output_tensor(instance, 0));
    ck_run();
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, (int64_t[]){65, 3}), MG_OK);
    ck_assert_int_eq(mg_run_passes(instance, 2), MG_BAD_INPUT); // nor after a run that failed
    ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_BAD_USAGE);
}
END_TEST

START_TEST(tensors_outlive) {
    open_graph("scale", false);
    int64_t dims[2] = {2, 3};
    MgTensor *x = mg_tensor_new(MG_ELEMENT_F32, 2, dims),
             *f = mg_tensor_new(MG_ELEMENT_F32, 0, NULL);
    ((float *)mg_tensor_data(x))[5] = 4;
    *(float *)mg_tensor_data(f) = 0.5f;
    ck_assert_int_eq(mg_bind_input_tensor(instance, 0, x), MG_OK);
    ck_assert_int_eq(mg_bind_input_tensor(instance, 1, f), MG_OK);
    mg_tensor_release(x); // the instance holds them
    mg_tensor_release(f);
    ck_assert_ptr_null(mg_output_tensor(instance, 0)); // nothing was run
    ck_run();
    MgTensor *y = mg_output_tensor(instance, 0);
    mg_instance_free(instance);
    instance = NULL;
    ck_assert_uint_eq(mg_tensor_bytes(y), 24);
    ck_assert_uint_eq(mg_tensor_rank(y), 2);
    ck_assert_int_eq(mg_tensor_element(y), MG_ELEMENT_F32);
    ck_assert_float_eq(((float *)mg_tensor_data(y))[5], 2);
    mg_tensor_release(y);
}
END_TEST

START_TEST(sizes_from_data) {
    open_graph("found", _i == 1);
    float x[5] = {0, 1, 0, 2, 3};
    const void *data;
    const int64_t *dims;
    ck_assert_int_eq(mg_bind_input(instance, 0, x, 1, (int64_t[]){5}), MG_OK);
    for (int64_t n = 3; n < 6; n++) { // 3, 4, then 5 elements differ from zero
        ck_assert_int_eq(mg_output_shape(instance, 0, &dims), MG_OK);
        ck_assert(dims[0] == 1 && dims[1] == 5);
        ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_BAD_USAGE);
        ck_run();
        ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_OK);
        ck_assert_int_eq(dims[0], 1);
        ck_assert_int_eq(dims[1], n);
        ck_assert_int_eq(((const int64_t *)data)[n - 1], 4);
        x[n == 3 ? 0 : 2] = 1;
    }
}
END_TEST

// ---------------------------------------------------------------- mistakes
START_TEST(mistakes) {
    open_graph("scale", false);
    ck_assert_int_eq(mg_run(instance), MG_BAD_USAGE);
    ck_says(mg_instance_message(instance), "input x is not bound");
    ck_assert_int_eq(mg_bind_input(instance, 2, numbers, 0, NULL), MG_BAD_USAGE);
    ck_says(mg_instance_message(instance), "there is no input number 2");
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 1, (int64_t[]){3}), MG_BAD_INPUT);
    ck_says(mg_instance_message(instance), "input x has 2 dimensions, not 1");
    ck_assert_int_eq(mg_bind_input(instance, 0, (char *)numbers + 1, 2, (int64_t[]){1, 3}),
                     MG_BAD_USAGE);
    ck_says(mg_instance_message(instance), "aligned");
    ck_assert_int_eq(mg_bind_output(instance, 1, (char *)numbers + 1, 12), MG_BAD_USAGE);
    ck_says(mg_instance_message(instance), "the memory of output rows is not aligned to its f32");
    ck_assert_int_eq(mg_bind_input(instance, 0, NULL, 2, (int64_t[]){1, 3}), MG_BAD_USAGE);
    ck_says(mg_instance_message(instance), "the memory of input x is NULL");
    ck_assert_int_eq(mg_bind_input(instance, 0, NULL, 2, (int64_t[]){0, 3}), MG_OK);
    MgTensor *t = mg_tensor_new(MG_ELEMENT_I32, 0, NULL);
    ck_assert_int_eq(mg_bind_input_tensor(instance, 1, t), MG_BAD_INPUT);
    ck_says(mg_instance_message(instance), "input factor is f32, but its tensor is i32");
    mg_tensor_release(t);
    bind(65);
    ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
    ck_says(mg_instance_message(instance), "at most 64");
    ck_assert_int_eq(mg_bind_input(instance, 0, numbers, 2, (int64_t[]){2, 4}), MG_OK);
    ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
    bind(3); // and it still works
    ck_run();
    ck_scaled(3);
}
END_TEST

START_TEST(traps) {
    open_graph("take", _i == 1);
    float table[2] = {5, 6};
    int64_t at[2] = {1, 2};
    mg_bind_input(instance, 0, table, 1, (int64_t[]){2});
    mg_bind_input(instance, 1, at, 1, (int64_t[]){2});
    ck_assert_int_eq(mg_run(instance), MG_RUN_FAILED);
    ck_says(mg_instance_message(instance), "api.mg:7:");
    const void *data;
    const int64_t *dims;
    ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_BAD_USAGE);
    at[1] = 0;
    ck_run();
    ck_assert_float_eq(output(0, 2)[0], 6);
    ck_assert_float_eq(output(0, 2)[1], 5);
}
END_TEST

// An intermediate value is too large for any memory: in code for its sizes, and in the generic
// code, which computes its place.
START_TEST(large) {
    static float x[1 << 16];
    open_graph("cubes", _i == 1);
    for (int64_t n = 1; n < 8; n++) {
        ck_assert_int_eq(mg_bind_input(instance, 0, x, 1, (int64_t[]){n}), MG_OK);
        ck_run();
    }
    for (int bits = 16; bits < 63; bits++) { // from 22 on its size is 0 mod 2^64
        int64_t n = (int64_t)1 << bits;
        ck_assert_int_eq(mg_bind_input(instance, 0, x, 1, &n), MG_OK);
        ck_assert_int_eq(mg_run(instance), MG_BAD_INPUT);
        ck_says(mg_instance_message(instance), "is larger than any memory");
    }
}
END_TEST

START_TEST(sources) {
    ck_assert_int_eq(mg_model_load(context, "/nonexistent/net.mg", NULL, &model), MG_BAD_INPUT);
    ck_says(mg_context_message(context), "/nonexistent/net.mg");
    ck_assert_ptr_null(model);
    ck_assert_int_eq(mg_model_compile(context, "x.mg", source, ((size_t)1 << 32) + 5, NULL, &model),
                     MG_BAD_INPUT); // a length that is not cut
    ck_says(mg_context_message(context), "'x.mg' is too large");
    ck_assert_int_eq(mg_model_compile(context, "x.mg", "mg 1\ngraph f(", 13, NULL, &model),
                     MG_BAD_INPUT);
    ck_says(mg_context_message(context), "x.mg:2:9: error");
    ck_assert_int_eq(mg_model_compile(context, "api.mg", source, strlen(source), NULL, &model),
                     MG_BAD_INPUT);
    ck_says(mg_context_message(context), "has 4 graphs (scale, take, found, cubes)");
}
END_TEST

START_TEST(little_memory) { // exceeding the limit is a status in every call
    MgContextOptions options = {.cache_folder = "", .memory_limit = (size_t)1 << (16 + _i)};
    MgContext *small;
    ck_assert_int_eq(mg_context_new(&options, &small), MG_OK);
    MgCompileOptions compile = {.graph = "scale", .level = 2};
    MgStatus status = mg_model_compile(small, "api.mg", source, strlen(source), &compile, &model);
    if (!status) {
        ck_assert_int_eq(mg_instance_new(model, small, &instance), MG_OK);
        bind(3);
        status = mg_run(instance);
        ck_assert(!status || strstr(mg_instance_message(instance), "out of memory"));
    } else
        ck_says(mg_context_message(small), "out of memory");
    ck_assert(status == MG_OK || status == MG_OUT_OF_MEMORY);
    mg_instance_free(instance);
    instance = NULL;
    mg_model_release(model);
    model = NULL;
    mg_context_free(small);
}
END_TEST

// ---------------------------------------------------------------- threads and hooks
typedef struct Seen {
    int calls, kernels;
    int64_t flops;
    bool ordered;
} Seen;

static void see(void *user, const MgTiming *t) {
    Seen *seen = user;
    seen->calls += t->kind == MG_TIMING_CALL;
    seen->kernels += t->kind == MG_TIMING_KERNEL;
    seen->flops += t->kind == MG_TIMING_KERNEL && t->worker == 0 ? t->flops : 0;
    seen->ordered &= t->begin <= t->end;
    ck_assert(t->faster >= 1);
    if (t->kind == MG_TIMING_KERNEL)
        ck_says(t->place, "api.mg:");
}

START_TEST(timing) {
    open_graph("scale", false);
    bind(4);
    Seen seen = {.ordered = true};
    mg_set_timing(instance, see, &seen);
    ck_run();
    ck_run();
    ck_assert_int_eq(seen.calls, 2);
    ck_assert_int_ge(seen.kernels, 2);
    ck_assert_int_gt(seen.flops, 0);
    ck_assert(seen.ordered);
    mg_set_timing(instance, NULL, NULL);
    ck_run();
    ck_assert_int_eq(seen.calls, 2);
    ck_scaled(4);
}
END_TEST

typedef struct Part {
    MgWork *work;
    void *argument;
    uint32_t worker;
} Part;

static void *run_part(void *p) {
    Part *part = p;
    part->work(part->argument, part->worker);
    return NULL;
}

static void on_threads(void *user, uint32_t workers, MgWork *work, void *argument) {
    pthread_t threads[8];
    Part parts[8];
    ++*(int *)user;
    for (uint32_t w = 1; w < workers; w++) {
        parts[w] = (Part){work, argument, w};
        pthread_create(&threads[w], NULL, run_part, &parts[w]);
    }
    work(argument, 0);
    for (uint32_t w = 1; w < workers; w++)
        pthread_join(threads[w], NULL);
}

START_TEST(workers) { // the library's and the caller's
    int calls = 0;
    MgContextOptions options = {.threads = 2, .cache_folder = ""};
    if (_i)
        options.parallel = on_threads, options.parallel_user = &calls;
    mg_context_free(context);
    ck_assert_int_eq(mg_context_new(&options, &context), MG_OK);
    open_graph("scale", false);
    for (int k = 0; k < 20; k++) {
        bind(3 + k);
        ck_run();
        ck_scaled(3 + k);
    }
    ck_assert_int_eq(calls > 0, _i);
}
END_TEST

START_TEST(more_workers) { // than the context in which the model was compiled and first ran
    int calls = 0;
    MgContextOptions options = {
        .threads = 2, .cache_folder = "", .parallel = on_threads, .parallel_user = &calls};
    MgContext *first = context;
    MgInstance *one;
    open_graph("scale", false);
    bind(22);
    ck_run();
    one = instance;
    ck_assert_int_eq(mg_context_new(&options, &context), MG_OK);
    ck_assert_int_eq(mg_instance_new(model, context, &instance), MG_OK);
    for (int k = 0; k < 9; k++) { // past the sizes that have code of their own
        bind(22 - k);
        ck_run();
        ck_scaled(22 - k);
    }
    ck_assert_int_gt(calls, 0);
    mg_instance_free(instance);
    mg_context_free(context);
    instance = one;
    context = first;
    bind(5);
    ck_run();
    ck_scaled(5);
}
END_TEST

static void *run_many(void *user) {
    MgContextOptions options = {.cache_folder = ""};
    MgContext *own;
    MgInstance *mine;
    float x[6] = {1, 2, 3, 4, 5, 6}, f = 2;
    const void *data = NULL;
    const int64_t *dims;
    bool ok = !mg_context_new(&options, &own) && !mg_instance_new(user, own, &mine);
    for (int64_t k = 0; ok && k < 50; k++) {
        ok = !mg_bind_input(mine, 0, x, 2, (int64_t[]){1 + k % 2, 3}) &&
             !mg_bind_input(mine, 1, &f, 0, NULL) && !mg_run(mine) &&
             !mg_output(mine, 0, &data, &dims) && ((const float *)data)[2] == 6;
    }
    mg_instance_free(mine);
    mg_context_free(own);
    return ok ? user : NULL;
}

START_TEST(shared_model) { // instances of one model on several threads, compiling at first
    open_graph("scale", false);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run_many, model);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, model);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("api");
    TCase *t = tcase_create("api");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, ports);
    tcase_add_test(t, elements);
    tcase_add_loop_test(t, runs, 0, 2);
    tcase_add_test(t, dimensions_change);
    tcase_add_loop_test(t, outputs_of_the_caller, 0, 2);
    tcase_add_loop_test(t, outputs_elsewhere, 0, 2);
    tcase_add_test(t, tensors_outlive);
    tcase_add_loop_test(t, sizes_from_data, 0, 2);
    tcase_add_test(t, mistakes);
    tcase_add_loop_test(t, traps, 0, 2);
    tcase_add_loop_test(t, large, 0, 2);
    tcase_add_test(t, sources);
    tcase_add_loop_test(t, little_memory, 0, 9);
    tcase_add_test(t, timing);
    tcase_add_loop_test(t, workers, 0, 2);
    tcase_add_test(t, more_workers);
    tcase_add_test(t, shared_model);
    suite_add_tcase(suite, t);
    return mg_test_run(suite, CK_FORK);
}
