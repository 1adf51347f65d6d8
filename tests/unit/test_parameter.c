// Tests mg_bind_parameter and mg_run_with: values bound to instances, recomputed kept values,
// misuse.
#include "include/mg.h"

#include "tests/unit/check.h"
#include <string.h>

static const char source[] = "mg 1\n"
                             "graph net(x: f32[N, 4]) -> (y: f32[N, 2], w: f32[2, 4])\n"
                             "{\n"
                             "    param weight: f32[2, 4]\n"
                             "    param bias: f32[2] as \"b\"\n"
                             "    w[o, i] = weight[o, i] * 2\n"
                             "    y[n, o] = bias[o] + sum[i] x[n, i] * w[o, i]\n"
                             "}\n";

static MgContext *context;
static MgModel *model;
static MgInstance *first, *second;
static float x[3][4], weight[2][4], bias[2];

static void load(const MgCompileOptions *options) {
    ck_assert_msg(!mg_model_compile(context, "net.mg", source, strlen(source), options, &model),
                  "%s", mg_context_message(context));
    ck_assert_int_eq(mg_instance_new(model, context, &first), MG_OK);
    ck_assert_int_eq(mg_instance_new(model, context, &second), MG_OK);
}

static void setup(void) {
    MgContextOptions options = {.cache_folder = ""};
    ck_assert_int_eq(mg_context_new(&options, &context), MG_OK);
    model = NULL;
    first = second = NULL;
    for (int i = 0; i < 12; i++)
        x[i / 4][i % 4] = (float)i - 5;
    for (int i = 0; i < 8; i++)
        weight[i / 4][i % 4] = (float)(i * i) / 4;
    bias[0] = 1;
    bias[1] = -1;
}

static void teardown(void) {
    mg_instance_free(first);
    mg_instance_free(second);
    mg_model_release(model);
    mg_context_free(context);
}

static void bind_all(MgInstance *instance, float (*w)[4]) {
    ck_assert_int_eq(mg_bind_parameter(instance, "weight", w, sizeof weight), MG_OK);
    ck_assert_int_eq(mg_bind_parameter(instance, "b", bias, sizeof bias), MG_OK);
    ck_assert_int_eq(mg_bind_input(instance, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
}

static void check(MgInstance *instance, const float (*w)[4]) {
    const void *data;
    const int64_t *dims;
    ck_assert_msg(!mg_run(instance), "%s", mg_instance_message(instance));
    ck_assert_int_eq(mg_output(instance, 0, &data, &dims), MG_OK);
    for (int n = 0; n < 3; n++)
        for (int o = 0; o < 2; o++) {
            float sum = bias[o];
            for (int i = 0; i < 4; i++)
                sum += x[n][i] * 2 * w[o][i];
            ck_assert_float_eq_tol(((const float *)data)[n * 2 + o], sum, 1e-4f);
        }
}

static const MgCompileOptions ways[] = {{.level = -1, .weights = "bound"},
                                        {.level = 0, .weights = "bound"},
                                        {.level = -1, .weights = "bound", .interpret = true},
                                        {.level = -1, .weights = "bound", .mode = MG_MODE_CACHED}};

// Two instances have values of their own; changed values take effect once they are bound again.
START_TEST(values) {
    static float other[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    load(&ways[_i]);
    ck_assert_int_eq(mg_model_inputs(model), 1);
    bind_all(first, weight);
    bind_all(second, other);
    check(first, weight);
    check(second, other);
    check(first, weight);
    weight[1][2] = 100;
    ck_assert_int_eq(mg_bind_parameter(first, "weight", weight, sizeof weight), MG_OK);
    check(first, weight);
    check(second, other);
    ck_assert_int_eq(mg_bind_parameter(first, "weight", other, sizeof weight), MG_OK);
    check(first, other);
}
END_TEST

// A model's own parameters are replaced for one instance alone.
START_TEST(replaced) {
    load(&(MgCompileOptions){.level = -1, .weights = "random:3"});
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(mg_bind_input(k ? second : first, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
    bind_all(first, weight);
    check(first, weight);
    const void *data;
    const int64_t *dims;
    ck_assert_int_eq(mg_run(second), MG_OK);
    ck_assert_int_eq(mg_output(second, 1, &data, &dims), MG_OK);
    ck_assert(memcmp(data, weight, sizeof weight) != 0);
}
END_TEST

#define REFUSED(call, says)                                                                        \
    do {                                                                                           \
        ck_assert_int_eq(call, MG_BAD_USAGE);                                                      \
        ck_assert_msg(strstr(mg_instance_message(first), says) != NULL, "%s",                      \
                      mg_instance_message(first));                                                 \
    } while (0)

START_TEST(misuse) {
    load(&ways[0]);
    ck_assert_int_eq(mg_bind_parameter(NULL, "b", bias, sizeof bias), MG_BAD_USAGE);
    REFUSED(mg_bind_parameter(first, NULL, bias, sizeof bias), "the key is NULL");
    REFUSED(mg_bind_parameter(first, "b", NULL, sizeof bias),
            "the memory of the parameter is NULL");
    REFUSED(mg_bind_parameter(first, "bias", bias, sizeof bias), "net has no parameter 'bias'");
    REFUSED(mg_bind_parameter(first, "b", bias, 4), "parameter b has 8 bytes, its memory 4");
    REFUSED(mg_bind_parameter(first, "b", (char *)bias + 1, sizeof bias), "not aligned");
    ck_assert_int_eq(mg_bind_input(first, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
    ck_assert_int_eq(mg_bind_parameter(first, "weight", weight, sizeof weight), MG_OK);
    REFUSED(mg_run(first), "parameter b is not bound");
    bind_all(first, weight);
    check(first, weight);
    MgModel *none = NULL;
    MgCompileOptions bad = {.level = -1, .weights = "bond"};
    ck_assert_int_eq(mg_model_compile(context, "net.mg", source, strlen(source), &bad, &none),
                     MG_BAD_USAGE);
    ck_assert(!none && strstr(mg_context_message(context), "or bound, not 'bond'"));
}
END_TEST

// mg_run_with binds the given values, and leaves those that are NULL.
START_TEST(call) {
    float y[3][2], again[3][2], moved[3][4], doubled[2][4];
    load(&ways[0]);
    bind_all(first, weight);
    void *outputs[] = {y, NULL};
    size_t bytes[] = {sizeof y, 0};
    ck_assert_int_eq(mg_run_with(NULL, NULL, NULL, NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_run_with(first, NULL, outputs, bytes), MG_OK);
    check(first, weight);
    memcpy(again, y, sizeof y);
    memcpy(moved, x, sizeof x);
    moved[2][3] += 1;
    outputs[1] = doubled;
    bytes[1] = sizeof doubled;
    ck_assert_int_eq(mg_run_with(first, (const void *[]){moved}, outputs, bytes), MG_OK);
    ck_assert_float_eq_tol(y[2][1], again[2][1] + 2 * weight[1][3], 1e-4f);
    ck_assert_float_eq(doubled[1][1], 2 * weight[1][1]);
    ck_assert_int_eq(mg_run_with(first, (const void *[]){x}, NULL, NULL), MG_OK);
    ck_assert_float_eq_tol(y[2][1], again[2][1], 1e-4f);
    bytes[0] = 4;
    REFUSED(mg_run_with(first, NULL, outputs, bytes), "but the memory bound to it has 4");
    bytes[0] = sizeof y;
    ck_assert_int_eq(mg_run_with(first, NULL, outputs, bytes), MG_OK);
}
END_TEST

// Models of two graphs that share weights: those with the same key have the other model's values,
// also after it is released; the others are found as usual.
START_TEST(shared) {
    static const char more[] = "mg 1\n"
                               "graph more(x: f32[N, 4]) -> (y: f32[N, 2], z: f32[3])\n"
                               "{\n"
                               "    param weight: f32[2, 4]\n"
                               "    param bias: f32[2] as \"b\"\n"
                               "    param own: f32[3] = 7\n"
                               "    z = own\n"
                               "    y[n, o] = bias[o] + sum[i] x[n, i] * weight[o, i] * 2\n"
                               "}\n";
    MgCompileOptions options = {.level = -1, .weights = "random:5"};
    load(&options);
    MgModel *other, *third;
    options = (MgCompileOptions){.level = -1, .weights_of = model};
    MgStatus status = mg_model_compile(context, "more.mg", more, strlen(more), &options, &other);
    ck_assert_msg(!status, "%s", mg_context_message(context));
    const void *data, *own;
    const int64_t *dims;
    float want[3][2];
    ck_assert_int_eq(mg_bind_input(first, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
    ck_assert_int_eq(mg_run(first), MG_OK);
    ck_assert_int_eq(mg_output(first, 0, &data, &dims), MG_OK);
    memcpy(want, data, sizeof want);

    const char *narrow = "mg 1\ngraph narrow(x: f32[]) -> (y: f32[3]) { param weight: f32[3]\n"
                         "    y = weight\n}\n";
    ck_assert_int_eq(
        mg_model_compile(context, "narrow.mg", narrow, strlen(narrow), &options, &third),
        MG_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(mg_context_message(context), "'weight' is f32[2, 4] in 'net', but "
                                                              "the graph needs f32[3]"));
    mg_instance_free(first);
    mg_instance_free(second);
    mg_model_release(model);
    model = other;
    ck_assert_int_eq(mg_instance_new(other, context, &first), MG_OK);
    ck_assert_int_eq(mg_instance_new(other, context, &second), MG_OK);
    ck_assert_int_eq(mg_bind_input(first, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
    ck_assert_int_eq(mg_run(first), MG_OK);
    ck_assert_int_eq(mg_output(first, 0, &data, &dims), MG_OK);
    for (int k = 0; k < 6; k++)
        ck_assert_float_eq_tol(((const float *)data)[k], want[k / 2][k % 2], 1e-5f);
    ck_assert_int_eq(mg_output(first, 1, &own, &dims), MG_OK);
    ck_assert_float_eq(((const float *)own)[2], 7);
}
END_TEST

// If the other model's parameters have no values, these have none, either.
START_TEST(shared_bound) {
    load(&ways[0]);
    MgModel *bound = model;
    mg_instance_free(first);
    mg_instance_free(second);
    load(&(MgCompileOptions){.level = -1, .weights_of = bound});
    mg_model_release(bound);
    ck_assert_int_eq(mg_bind_input(first, 0, x, 2, (int64_t[]){3, 4}), MG_OK);
    REFUSED(mg_run(first), "parameter weight is not bound");
    bind_all(first, weight);
    check(first, weight);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("parameter");
    TCase *t = tcase_create("parameter");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, values, 0, sizeof ways / sizeof *ways);
    tcase_add_test(t, replaced);
    tcase_add_test(t, misuse);
    tcase_add_test(t, call);
    tcase_add_test(t, shared);
    tcase_add_test(t, shared_bound);
    suite_add_tcase(suite, t);
    return mg_test_run(suite, CK_FORK);
}
