// Tests buffers: ports that are bound to a device's memory, MG's or the caller's, and which
// contents are moved, kept or refused. The test is skipped (77) without an OpenCL device.
#include "backends/opencl/host/api.h"
#include "include/mg.h"
#include "include/mg/opencl.h"
#include "tests/unit/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, K = 8, BYTES = N * K * sizeof(float) };
static const int64_t x_dims[] = {N, K}, w_dims[] = {K, K};
static const char text[] = "mg 1\n"
                           "graph step(x: f32[6, 8], w: f32[8, 8]) -> (y: f32[6, 8]) {\n"
                           "    y = softmax(tanh(matmul(x, w)))\n"
                           "}\n";
static MgContext *context;
static float x[N * K], w[K * K];

static MgModel *load_in(MgContext *c, const char *target, MgMode mode, MgLaunchForm launch) {
    MgModel *model;
    MgCompileOptions options = {
        .level = 2, .target = target, .device = "opencl", .mode = mode, .launch = launch};
    MgStatus status = mg_model_compile(c, "step.mg", text, strlen(text), &options, &model);
    ck_assert_msg(!status, "%s", mg_context_message(c));
    return model;
}

static MgModel *load(const char *target, MgMode mode) {
    return load_in(context, target, mode, MG_FORM_AUTO);
}

static MgInstance *instance_of(MgModel *model) {
    MgInstance *i;
    ck_assert(!mg_instance_new(model, context, &i));
    return i;
}

static MgBuffer *buffer_of(MgModel *model, const void *content, size_t bytes) {
    MgBuffer *b;
    MgStatus status = mg_buffer_new(model, context, bytes, &b);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    ck_assert_uint_eq(mg_buffer_bytes(b), bytes);
    ck_assert(!content || !mg_buffer_write(b, context, 0, content, bytes));
    return b;
}

// The CPU's result after a number of steps.
static void expected(uint32_t steps, float *y) {
    MgModel *cpu = load("cpu", MG_MODE_FUSED);
    MgInstance *i = instance_of(cpu);
    const void *data;
    const int64_t *dims;
    ck_assert(!mg_bind_input(i, 0, x, 2, x_dims) && !mg_bind_input(i, 1, w, 2, w_dims));
    ck_assert(!mg_run_passes(i, steps) && !mg_output(i, 0, &data, &dims));
    memcpy(y, data, BYTES);
    mg_instance_free(i);
    mg_model_release(cpu);
}

static void close_to(const float *a, const float *b) {
    for (int k = 0; k < N * K; k++)
        ck_assert_msg(fabsf(a[k] - b[k]) < 1e-5f, "%d: %g, expected %g", k, (double)a[k],
                      (double)b[k]);
}

static void holds(const MgBuffer *b, const float *want) {
    float got[N * K];
    ck_assert(!mg_buffer_read(b, context, 0, got, BYTES));
    close_to(got, want);
}

static void count_bytes(void *user, const MgTiming *t) {
    if (t->kind == MG_TIMING_TRANSFER)
        *(int64_t *)user += t->bytes;
}

// Two buffers change places: nothing is moved.
START_TEST(test_steps) {
    MgModel *model = load("gpu", MG_MODE_FUSED);
    MgInstance *i = instance_of(model);
    MgBuffer *b[2] = {buffer_of(model, x, BYTES), buffer_of(model, NULL, BYTES)};
    MgBuffer *weights = buffer_of(model, w, sizeof w);
    float want[N * K];
    int64_t moved = 0;
    mg_set_timing(i, count_bytes, &moved);
    ck_assert(!mg_bind_input_buffer(i, 1, weights, 2, w_dims));
    for (uint32_t step = 0; step < 3; step++) {
        // the output first releases the buffer that the input gets
        ck_assert(!mg_bind_output(i, 0, NULL, 0));
        ck_assert(!mg_bind_input_buffer(i, 0, b[step % 2], 2, x_dims));
        ck_assert(!mg_bind_output_buffer(i, 0, b[1 - step % 2]));
        ck_assert_msg(!mg_run(i), "%s", mg_instance_message(i));
        expected(step + 1, want);
        holds(b[1 - step % 2], want);
    }
    ck_assert_int_eq(moved, 0);
    float third[N * K];
    memcpy(third, want, BYTES);
    const void *data;
    const int64_t *dims;
    ck_assert(!mg_output(i, 0, &data, &dims));
    ck_assert(!data && dims[0] == N && dims[1] == K);
    MgTensor *t = mg_output_tensor(i, 0);
    close_to(mg_tensor_data(t), want);
    mg_tensor_release(t);
    // bind memory of the host again
    ck_assert(!mg_bind_input(i, 0, x, 2, x_dims) && !mg_bind_output(i, 0, NULL, 0) && !mg_run(i));
    expected(1, want);
    ck_assert(!mg_output(i, 0, &data, &dims) && data);
    close_to(data, want);
    ck_assert_int_eq(moved, 2 * BYTES);
    mg_instance_free(i); // whatever is bound, only its references are dropped
    holds(b[1], third);
    for (int k = 0; k < 2; k++)
        mg_buffer_release(b[k]);
    mg_buffer_release(weights);
    mg_model_release(model);
}
END_TEST

// Passes in a loop leave the input's buffer unchanged, in every form.
START_TEST(test_passes) {
    static const struct {
        MgMode mode;
        MgLaunchForm launch;
    } ways[] = {{MG_MODE_FUSED, MG_FORM_AUTO},
                {MG_MODE_LOOP, MG_FORM_SEPARATE},
                {MG_MODE_LOOP, MG_FORM_OWNED},
                {MG_MODE_LOOP, MG_FORM_PERSISTENT}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (uint32_t passes = 1; passes < 5; passes++) {
            MgModel *model = load_in(context, "gpu", ways[k].mode, ways[k].launch);
            MgInstance *i = instance_of(model);
            MgBuffer *in = buffer_of(model, x, BYTES), *out = buffer_of(model, NULL, BYTES);
            float want[N * K];
            ck_assert(!mg_bind_input_buffer(i, 0, in, 2, x_dims));
            ck_assert(!mg_bind_input(i, 1, w, 2, w_dims));
            ck_assert(!mg_bind_output_buffer(i, 0, out));
            expected(passes, want);
            for (int again = 0; again < 2; again++) {
                ck_assert_msg(!mg_run_passes(i, passes), "%s", mg_instance_message(i));
                holds(out, want);
                holds(in, x);
            }
            expected(1, want);
            ck_assert(!mg_run(i));
            holds(out, want);
            mg_instance_free(i);
            mg_buffer_release(in);
            mg_buffer_release(out);
            mg_model_release(model);
        }
}
END_TEST

// Memory of the caller, in the model's OpenCL context.
START_TEST(test_callers) {
    MgClApi cl;
    ck_assert(!mg_cl_api(&cl));
    MgModel *model = load("gpu", MG_MODE_FUSED);
    MgInstance *i = instance_of(model);
    cl_int status[3];
    cl_context ours = mg_opencl_context(model);
    cl_command_queue queue = cl.clCreateCommandQueue(ours, mg_opencl_device(model), 0, &status[0]);
    cl_mem in =
        cl.clCreateBuffer(ours, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, x, &status[1]);
    cl_mem out = cl.clCreateBuffer(ours, CL_MEM_READ_WRITE, BYTES, NULL, &status[2]);
    ck_assert(!status[0] && !status[1] && !status[2]);
    MgBuffer *a, *b;
    ck_assert(!mg_buffer_wrap(model, context, in, &a) && !mg_buffer_wrap(model, context, out, &b));
    ck_assert_ptr_eq(mg_buffer_cl_mem(b), out);
    ck_assert_ptr_null(mg_buffer_native(b, "cuda"));
    ck_assert_ptr_null(mg_model_native(model, "cuda", MG_NATIVE_CONTEXT));
    ck_assert_uint_eq(mg_buffer_bytes(b), BYTES);
    ck_assert(!mg_bind_input_buffer(i, 0, a, 2, x_dims) && !mg_bind_input(i, 1, w, 2, w_dims) &&
              !mg_bind_output_buffer(i, 0, b));
    mg_buffer_release(a); // the instance has it
    mg_buffer_release(b);
    ck_assert(!mg_run(i));
    mg_instance_free(i);
    float got[N * K], want[N * K];
    ck_assert(!cl.clEnqueueReadBuffer(queue, out, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    expected(1, want);
    close_to(got, want);
    // a buffer of another context
    MgContext *other;
    ck_assert(!mg_context_new(NULL, &other));
    MgModel *elsewhere = load_in(other, "gpu", MG_MODE_FUSED, MG_FORM_AUTO);
    ck_assert_int_eq(mg_buffer_wrap(elsewhere, other, out, &b), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(other), "belongs to another OpenCL context"));
    ck_assert_int_eq(mg_buffer_wrap(model, context, NULL, &b), MG_BAD_USAGE);
    ck_assert_int_eq(mg_buffer_of_native(model, context, "cuda", out, &b), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context), "takes no memory of cuda"));
    mg_model_release(elsewhere);
    mg_context_free(other);
    cl.clReleaseMemObject(in);
    cl.clReleaseMemObject(out);
    cl.clReleaseCommandQueue(queue);
    mg_model_release(model);
}
END_TEST

static void refused(MgStatus status, const MgInstance *i, const char *why) {
    ck_assert_int_eq(status, MG_BAD_USAGE);
    ck_assert_msg(strstr(mg_instance_message(i), why) != NULL, "%s", mg_instance_message(i));
}

// A parameter in a buffer has the buffer's values, and new ones when it is bound again.
START_TEST(test_parameter) {
    static const char source[] = "mg 1\n"
                                 "graph scale(x: f32[6, 8]) -> (y: f32[6, 8]) {\n"
                                 "    param w: f32[8]\n"
                                 "    y[i, j] = x[i, j] * (w[j] + 1)\n"
                                 "}\n";
    MgCompileOptions options = {
        .level = 2, .target = "gpu", .device = "opencl", .weights = "bound"};
    MgModel *model;
    MgStatus status = mg_model_compile(context, "s.mg", source, strlen(source), &options, &model);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    MgInstance *i = instance_of(model);
    MgBuffer *b = buffer_of(model, w, K * sizeof *w), *small = buffer_of(model, NULL, 28);
    const void *data;
    const int64_t *dims;
    ck_assert(!mg_bind_input(i, 0, x, 2, x_dims));
    refused(mg_run(i), i, "parameter w is not bound");
    refused(mg_bind_parameter_buffer(i, "w", small), i, "parameter w has 32 bytes, its memory 28");
    refused(mg_bind_parameter_buffer(i, "v", b), i, "scale has no parameter 'v'");
    refused(mg_bind_parameter_at(i, "w", 64, 32), i, "its driver's memory has no addresses");
    refused(mg_bind_input_at(i, 0, 64, 2, x_dims), i, "its driver's memory has no addresses");
    refused(mg_run_in(i, "opencl", x, NULL, NULL, NULL), i, "that has no streams");
    ck_assert(!mg_bind_parameter_buffer(i, "w", b));
    mg_buffer_release(small);
    for (uint32_t from = 0; from < 2 * K; from += K) {
        ck_assert(!mg_buffer_write(b, context, 0, w + from, K * sizeof *w));
        ck_assert(!mg_bind_parameter_buffer(i, "w", b) && !mg_run(i));
        ck_assert(!mg_output(i, 0, &data, &dims));
        for (uint32_t k = 0; k < N * K; k++)
            ck_assert_float_eq_tol(((const float *)data)[k], x[k] * (w[from + k % K] + 1), 1e-6f);
    }
    mg_buffer_release(b); // the instance retains it
    ck_assert(!mg_run(i));
    mg_instance_free(i);
    mg_model_release(model);
}
END_TEST

START_TEST(test_refused) {
    MgModel *model = load("gpu", MG_MODE_FUSED), *cpu = load("cpu", MG_MODE_FUSED);
    MgModel *by_op = load("gpu", MG_MODE_CACHED);
    MgInstance *i = instance_of(model), *j = instance_of(by_op), *c = instance_of(cpu);
    MgBuffer *b = buffer_of(model, x, BYTES), *small = buffer_of(model, NULL, BYTES - 1), *none;
    refused(mg_bind_input_buffer(i, 0, small, 2, x_dims), i,
            "input x needs 192 bytes, but its buffer has 191");
    refused(mg_bind_input_buffer(i, 7, b, 2, x_dims), i, "there is no input number 7");
    refused(mg_bind_output_buffer(i, 7, b), i, "there is no output number 7");
    refused(mg_bind_input_buffer(j, 0, b, 2, x_dims), j, "input x: a run op by op goes through");
    refused(mg_bind_input_buffer(c, 0, b, 2, x_dims), c, "input x: the model runs on the CPU");
    ck_assert_int_eq(mg_bind_input_buffer(i, 0, b, 1, x_dims), MG_BAD_INPUT);
    ck_assert(!mg_bind_input_buffer(i, 0, b, 2, x_dims) && !mg_bind_input(i, 1, w, 2, w_dims));
    refused(mg_bind_output_buffer(i, 0, b), i, "output y: another port has the same buffer");
    ck_assert(!mg_bind_output_buffer(i, 0, small));
    refused(mg_run(i), i, "output y needs 192 bytes, but its buffer has 191");
    ck_assert(!mg_bind_output(i, 0, NULL, 0) && !mg_run(i));
    ck_assert_int_eq(mg_buffer_read(b, context, 8, w, BYTES), MG_BAD_USAGE);
    ck_assert_int_eq(mg_buffer_write(b, context, BYTES + 1, w, 0), MG_BAD_USAGE);
    ck_assert_int_eq(mg_buffer_new(cpu, context, 4, &none), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context), "runs on the CPU"));
    ck_assert_int_eq(mg_buffer_new(model, context, (size_t)1 << 60, &none), MG_RUN_FAILED);
    ck_assert_ptr_null(mg_opencl_context(cpu));
    MgInstance *instances[] = {i, j, c};
    MgModel *models[] = {model, by_op, cpu};
    mg_buffer_release(b);
    mg_buffer_release(small);
    for (int k = 0; k < 3; k++) {
        mg_instance_free(instances[k]);
        mg_model_release(models[k]);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {test_steps, test_passes, test_callers, test_parameter,
                                  test_refused};
    for (int k = 0; k < N * K; k++)
        x[k] = (float)(k * 7 % 17) / 8 - 1;
    for (int k = 0; k < K * K; k++)
        w[k] = (float)(k * 5 % 13) / 6 - 1;
    return mg_test_on_device("buffer", &context, tests, sizeof tests / sizeof *tests);
}
