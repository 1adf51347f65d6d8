// Tests outputs that take over inputs: a caller may give both the same memory, which a run then
// changes in place, or memory of their own, which leaves the input as it is. Results are the same.
#include "include/mg.h"
#include "tests/unit/device.h"

#include <stdio.h>
#include <string.h>

// A cache that is updated in place; one that is read after its update; a value that is read
// backwards, so that it can't be; two that are exchanged; and a window of a run-time `if`.
static const char text[] = //
    "mg 1\n"
    "graph up(x: f32[3], at: i64[], k: f32[8], m: f32[8], a: f32[4], b: f32[4], c: f32[4])\n"
    "    -> (k2: f32[8] over k, s: f32[], m2: f32[8] over m, a2: f32[4] over a,\n"
    "        b2: f32[4] over b, c2: f32[4] over c, d: f32[4])\n"
    "{\n"
    "    k2[at[] + i] = last[i in 0..3] x[i] over k\n"
    "    s[] = sum[i] k2[i]\n"
    "    m2[i in 0..8]: f32[8] = m[7 - i] + k2[i]\n"
    "    a2 = b\n"
    "    b2 = a\n"
    "    c2[i in 0..4]: f32[4] = c[i] * 2 + a[i]\n"
    "    d[i in 0..4]: f32[4] = c2[3 - i]\n"
    "}\n";
enum { INPUTS = 7, OUTPUTS = 7, MOST = 8 };
static const uint32_t sizes[INPUTS] = {3, 1, 8, 8, 4, 4, 4}, made[OUTPUTS] = {8, 1, 8, 4, 4, 4, 4};
static const int over[OUTPUTS] = {2, -1, 3, 4, 5, 6, -1}; // by output: the input
static const float first[INPUTS][MOST] = {{1, 2, 3},
                                          {0},
                                          {10, 11, 12, 13, 14, 15, 16, 17},
                                          {1, 2, 3, 4, 5, 6, 7, 8},
                                          {20, 21, 22, 23},
                                          {30, 31, 32, 33},
                                          {40, 41, 42, 43}};
static const float want[OUTPUTS][MOST] = {{10, 11, 1, 2, 3, 15, 16, 17},
                                          {75},
                                          {18, 18, 7, 7, 7, 18, 18, 18},
                                          {30, 31, 32, 33},
                                          {20, 21, 22, 23},
                                          {100, 103, 106, 109},
                                          {109, 106, 103, 100}};
static const int64_t at = 2;
static MgContext *context;

static MgInstance *open(MgCompileOptions options, MgModel **model) {
    MgInstance *i;
    MgStatus status = mg_model_compile(context, "up.mg", text, strlen(text), &options, model);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    ck_assert(!mg_instance_new(*model, context, &i));
    return i;
}

static int64_t dims_of(uint32_t input) {
    return sizes[input];
}

static void equal(const float *got, const float *wanted, uint32_t n, const char *what, uint32_t k) {
    for (uint32_t e = 0; e < n; e++)
        ck_assert_msg(got[e] == wanted[e], "%s %u, element %u: %g, expected %g", what, k, e,
                      (double)got[e], (double)wanted[e]);
}

// ---------------------------------------------------------------- memory of the host
static void on_host(MgCompileOptions options, bool in_place) {
    MgModel *model;
    MgInstance *i = open(options, &model);
    float in[INPUTS][MOST], out[OUTPUTS][MOST] = {{0}};
    memcpy(in, first, sizeof in);
    for (uint32_t k = 0; k < INPUTS; k++) {
        int64_t dims = dims_of(k);
        ck_assert(!mg_bind_input(i, k, k == 1 ? (const void *)&at : in[k], k != 1, &dims));
    }
    for (uint32_t k = 0; k < OUTPUTS; k++)
        ck_assert(!mg_bind_output(i, k, in_place && over[k] >= 0 ? in[over[k]] : out[k],
                                  made[k] * sizeof(float)));
    for (int run = 0; run < (in_place ? 1 : 2); run++) {
        ck_assert_msg(!mg_run(i), "%s", mg_instance_message(i));
        for (uint32_t k = 0; k < OUTPUTS; k++) {
            const void *data;
            const int64_t *dims;
            ck_assert(!mg_output(i, k, &data, &dims));
            equal(data, want[k], made[k], "output", k);
        }
    }
    for (uint32_t k = 0; k < INPUTS && !in_place; k++)
        equal(in[k], first[k], sizes[k], "input", k);
    mg_instance_free(i);
    mg_model_release(model);
}

START_TEST(test_levels) {
    for (int32_t level = 0; level < 4; level++)
        for (int in_place = 0; in_place < 2; in_place++) {
            on_host((MgCompileOptions){.level = level}, in_place);
            on_host((MgCompileOptions){.level = level, .mode = MG_MODE_GRAPH}, in_place);
            on_host((MgCompileOptions){.level = level, .mode = MG_MODE_CACHED}, in_place);
            on_host((MgCompileOptions){.level = level, .interpret = true}, in_place);
        }
}
END_TEST

// Updates that accumulate from run to run. together: in the runs of one call.
static void again(MgCompileOptions options, bool together) {
    MgModel *model;
    MgInstance *i = open(options, &model);
    float in[INPUTS][MOST];
    memcpy(in, first, sizeof in);
    for (uint32_t k = 0; k < INPUTS; k++) {
        int64_t dims = dims_of(k);
        ck_assert(!mg_bind_input(i, k, k == 1 ? (const void *)&at : in[k], k != 1, &dims));
    }
    ck_assert(!mg_bind_output(i, 0, in[2], sizeof in[2]));
    ck_assert(!mg_bind_output(i, 5, in[6], 4 * sizeof(float)));
    static const float twice[] = {220, 227, 234, 241}; // c * 4 + a * 3
    static const float moved[] = {10, 11, 1, 1, 2, 3, 16, 17};
    int64_t next = 3;
    if (!together)
        ck_assert(!mg_run(i) && !mg_bind_input(i, 1, &next, 0, NULL));
    MgStatus status = together ? mg_run_times(i, 2) : mg_run(i);
    ck_assert_msg(!status, "%s", mg_instance_message(i));
    equal(in[2], together ? want[0] : moved, 8, "output", 0);
    equal(in[6], twice, 4, "output", 5);
    float apart[4] = {0}; // the input stays as the runs left it
    ck_assert(!mg_bind_output(i, 5, apart, sizeof apart) && !mg_run(i));
    equal(in[6], twice, 4, "output", 5);
    equal(apart, (const float[]){460, 475, 490, 505}, 4, "output", 5);
    mg_instance_free(i);
    mg_model_release(model);
}

START_TEST(test_again) {
    for (int together = 0; together < 2; together++) {
        again((MgCompileOptions){.level = 2}, together);
        again((MgCompileOptions){.level = 2, .mode = MG_MODE_CACHED}, together);
        again((MgCompileOptions){.interpret = true}, together);
    }
}
END_TEST

START_TEST(test_again_on_device) {
    for (int together = 0; together < 2; together++)
        again((MgCompileOptions){.level = 2, .target = "gpu"}, together);
}
END_TEST

// ---------------------------------------------------------------- memory of a device
static MgBuffer *buffer_of(MgModel *model, const void *content, size_t bytes) {
    MgBuffer *b;
    MgStatus status = mg_buffer_new(model, context, bytes, &b);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    ck_assert(!content || !mg_buffer_write(b, context, 0, content, bytes));
    return b;
}

static void on_device(MgCompileOptions options, bool in_place) {
    MgModel *model;
    options.target = "gpu";
    MgInstance *i = open(options, &model);
    MgBuffer *in[INPUTS], *out[OUTPUTS];
    for (uint32_t k = 0; k < INPUTS; k++) {
        int64_t dims = dims_of(k);
        in[k] = k == 1 ? buffer_of(model, &at, sizeof at)
                       : buffer_of(model, first[k], sizes[k] * sizeof(float));
        ck_assert(!mg_bind_input_buffer(i, k, in[k], k != 1, &dims));
    }
    for (uint32_t k = 0; k < OUTPUTS; k++) {
        out[k] = in_place && over[k] >= 0 ? mg_buffer_retain(in[over[k]])
                                          : buffer_of(model, NULL, made[k] * sizeof(float));
        MgStatus status = mg_bind_output_buffer(i, k, out[k]);
        ck_assert_msg(!status, "%s", mg_instance_message(i));
    }
    ck_assert_msg(!mg_run(i), "%s", mg_instance_message(i));
    for (uint32_t k = 0; k < OUTPUTS; k++) {
        float got[MOST];
        ck_assert(!mg_buffer_read(out[k], context, 0, got, made[k] * sizeof(float)));
        equal(got, want[k], made[k], "output", k);
    }
    for (uint32_t k = 0; k < INPUTS + OUTPUTS; k++)
        mg_buffer_release(k < INPUTS ? in[k] : out[k - INPUTS]);
    mg_instance_free(i);
    mg_model_release(model);
}

START_TEST(test_device) {
    for (int32_t level = 0; level < 4; level += 2)
        for (int in_place = 0; in_place < 2; in_place++) {
            on_device((MgCompileOptions){.level = level}, in_place);
            on_device((MgCompileOptions){.level = level, .launch = MG_FORM_PERSISTENT}, in_place);
            on_device((MgCompileOptions){.level = level, .mode = MG_MODE_GRAPH}, in_place);
        }
}
END_TEST

START_TEST(test_refused) {
    MgModel *model;
    MgCompileOptions options = {.level = 2, .target = "gpu"};
    for (int loop = 0; loop < 2; loop++) {
        options.mode = loop ? MG_MODE_LOOP : MG_MODE_FUSED;
        MgInstance *i = open(options, &model);
        int64_t n = 8;
        MgBuffer *b = buffer_of(model, first[2], sizeof first[2]);
        ck_assert(!mg_bind_input_buffer(i, 2, b, 1, &n));
        ck_assert_int_eq(mg_bind_output_buffer(i, 0, b), loop ? MG_BAD_USAGE : MG_OK);
        ck_assert_int_eq(mg_bind_output_buffer(i, 2, b), MG_BAD_USAGE); // over another input
        ck_assert(strstr(mg_instance_message(i), "another port has the same buffer"));
        mg_buffer_release(b);
        mg_instance_free(i);
        mg_model_release(model);
    }
}
END_TEST

int main(void) {
    const TTest *const host[] = {test_levels, test_again}, *const device[] = {test_device,
                                                                              test_refused,
                                                                              test_again_on_device};
    if (mg_context_new(NULL, &context))
        return EXIT_FAILURE;
    Suite *suite = mg_test_suite("over, host", NULL, NULL, host, sizeof host / sizeof *host);
    int status = mg_test_run(suite, CK_NOFORK);
    mg_context_free(context);
    return status ? status
                  : mg_test_on_device("over", &context, device, sizeof device / sizeof *device);
}
