// A training through include/mg.h: steps, undoing a step, checkpoints, and wrong calls.
#include "include/mg.h"

#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

// Each step adds x to w; the loss is the sum of w before the step.
static const char source[] = "mg 1\ngraph step(x: f32[2]) -> (loss: f32[])\n{\n"
                             "    param w: f32[2] = 1.0\n"
                             "    loss[] = sum[i] w[i]\n"
                             "    v[i] = w[i] + x[i]\n    next w = v\n}\n";

static MgContext *context;
static MgModel *model;
static MgTrain *train;
static const float x[2] = {1, 10};

static void setup(void) {
    MgCompileOptions options = {.weights = "initial:1"};
    ck_assert_int_eq(mg_context_new(&(MgContextOptions){.cache_folder = ""}, &context), MG_OK);
    MgStatus status = mg_model_compile(context, "net.mg", source, strlen(source), &options, &model);
    ck_assert_msg(status == MG_OK, "%s", mg_context_message(context));
    ck_assert_int_eq(mg_train_open(model, context, &train), MG_OK);
    MgInstance *instance = mg_train_instance(train);
    int32_t input = mg_model_find_input(model, "x");
    ck_assert_int_ge(input, 0);
    ck_assert_int_eq(mg_bind_input(instance, (uint32_t)input, x, 1, (const int64_t[]){2}), MG_OK);
}

static void teardown(void) {
    mg_train_close(train);
    mg_model_release(model);
    mg_context_free(context);
}

static void ck_w(float first, float second) {
    MgTensor *w = NULL;
    ck_assert_int_eq(mg_train_get(train, "w", &w), MG_OK);
    const float *data = mg_tensor_data(w);
    ck_assert_float_eq(data[0], first);
    ck_assert_float_eq(data[1], second);
    mg_tensor_release(w);
}

static void ck_refused(MgStatus status, const char *word) {
    ck_assert_int_eq(status, MG_BAD_USAGE);
    ck_assert_msg(strstr(mg_train_message(train), word) != NULL, "'%s' does not say '%s'",
                  mg_train_message(train), word);
}

START_TEST(steps) {
    ck_assert_uint_eq(mg_train_params(train), 1);
    ck_assert_str_eq(mg_train_param(train, 0), "w");
    ck_assert_ptr_null(mg_train_param(train, 1));
    ck_w(1, 1);
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_w(2, 11);
    ck_assert_int_eq(mg_train_try(train), MG_OK);
    ck_w(2, 11);
    int32_t loss = mg_model_find_output(model, "loss");
    const void *data;
    const int64_t *dims;
    ck_assert_int_eq(mg_output(mg_train_instance(train), (uint32_t)loss, &data, &dims), MG_OK);
    ck_assert_float_eq(*(const float *)data, 13);
}
END_TEST

START_TEST(undoes_a_step_once) {
    ck_refused(mg_train_undo(train), "no step to undo");
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_w(3, 21);
    ck_assert_int_eq(mg_train_undo(train), MG_OK);
    ck_w(2, 11);
    ck_refused(mg_train_undo(train), "no step to undo");
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_w(3, 21);
}
END_TEST

// A try overwrites the values from before the step, and so does setting a value.
START_TEST(undoes_no_step_that_is_gone) {
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_assert_int_eq(mg_train_try(train), MG_OK);
    ck_refused(mg_train_undo(train), "no step to undo");
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    MgTensor *w = mg_tensor_new(MG_ELEMENT_F32, 1, (const int64_t[]){2});
    ck_assert_int_eq(mg_train_set(train, "w", w), MG_OK);
    mg_tensor_release(w);
    ck_refused(mg_train_undo(train), "no step to undo");
    ck_w(0, 0);
}
END_TEST

START_TEST(goes_on_from_files) {
    char folder[] = "/tmp/mg-test-train-XXXXXX", command[100];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_assert_int_eq(mg_train_save(train, folder), MG_OK);
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    ck_assert_int_eq(mg_train_load(train, folder), MG_OK);
    ck_w(2, 11);
    ck_refused(mg_train_undo(train), "no step to undo");
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_ne(mg_train_load(train, folder), MG_OK);
    ck_w(2, 11);
}
END_TEST

// Two batches of one sample are a step; w goes down by the mean of the samples.
static const char adding[] = "mg 1\ngraph step(x: f32[N]) -> (loss: f32[], slope: f32[])\n{\n"
                             "    param w: f32[] = 1.0\n    buffer m: f32[] = 0.0\n"
                             "    loss[] = mean[n] x[n] * w[]\n    slope = derivative(loss, w)\n"
                             "    v[] = w[] - slope[]\n    next w = v\n"
                             "    seen[] = m[] + (mean[n] x[n])\n    next m = seen\n}\n";

static MgTrain *open_adding(MgModel **loaded) {
    MgCompileOptions options = {.accumulate = true};
    MgTrain *t = NULL;
    MgStatus status = mg_model_compile(context, "net.mg", adding, strlen(adding), &options, loaded);
    ck_assert_msg(status == MG_OK, "%s", mg_context_message(context));
    ck_assert_int_eq(mg_train_open(*loaded, context, &t), MG_OK);
    return t;
}

static float number(MgTrain *t, const char *key) {
    MgTensor *value = NULL;
    ck_assert_int_eq(mg_train_get(t, key, &value), MG_OK);
    float x = *(const float *)mg_tensor_data(value);
    mg_tensor_release(value);
    return x;
}

static void batch(MgTrain *t, MgModel *of, float sample, MgStatus (*run)(MgTrain *), float slope) {
    MgInstance *instance = mg_train_instance(t);
    const void *data;
    const int64_t *dims;
    uint32_t x_port = (uint32_t)mg_model_find_input(of, "x"),
             slope_port = (uint32_t)mg_model_find_output(of, "slope");
    ck_assert_int_eq(mg_bind_input(instance, x_port, &sample, 1, (const int64_t[]){1}), MG_OK);
    ck_assert_int_eq(run(t), MG_OK);
    ck_assert_int_eq(mg_output(instance, slope_port, &data, &dims), MG_OK);
    ck_assert_float_eq(*(const float *)data, slope);
}

static void ck_state(MgTrain *t, float w, float m) {
    ck_assert_float_eq(number(t, "w"), w);
    ck_assert_float_eq(number(t, "m"), m);
}

START_TEST(adds_batches) {
    MgModel *of;
    MgTrain *t = open_adding(&of);
    ck_assert_uint_eq(mg_train_params(t), 2); // the sums don't count
    batch(t, of, 2, mg_train_add, 2);
    ck_state(t, 1, 2);
    batch(t, of, 6, mg_train_add, 4);
    ck_state(t, 1, 8);
    ck_assert_int_eq(mg_train_undo(t), MG_OK); // the batch of 6 is undone
    ck_state(t, 1, 2);
    batch(t, of, 100, mg_train_try, 51); // and a try leaves nothing
    batch(t, of, 4, mg_train_step, 3);
    ck_state(t, -2, 6);
    ck_assert_int_eq(mg_train_undo(t), MG_OK);
    ck_state(t, 1, 2);
    batch(t, of, 8, mg_train_step, 5);
    ck_state(t, -4, 10);
    batch(t, of, 1, mg_train_step, 1); // the next step begins with no sums
    ck_state(t, -5, 11);
    mg_train_close(t);
    mg_model_release(of);
}
END_TEST

// The update reads a table at a position that the caller gives.
static const char updating[] = "mg 1\ngraph step(x: f32[N], at: i64[]) -> (loss: f32[])\n{\n"
                               "    param w: f32[] = 1.0\n    param table: f32[3] = 2.0\n"
                               "    loss[] = mean[n] x[n] * w[]\n    g = derivative(loss, w)\n"
                               "    v[] = w[] - table[at[]] * g[]\n    next w = v\n}\n";

// Only the last batch of a step computes the update.
START_TEST(updates_once) {
    MgCompileOptions options = {.level = -1, .accumulate = true};
    MgModel *of = NULL;
    MgTrain *t = NULL;
    ck_assert_int_eq(mg_model_compile(context, "net.mg", updating, strlen(updating), &options, &of),
                     MG_OK);
    ck_assert_int_eq(mg_train_open(of, context, &t), MG_OK);
    const float samples[] = {2, 4};
    int64_t at = 7;
    MgInstance *instance = mg_train_instance(t);
    uint32_t x = (uint32_t)mg_model_find_input(of, "x");
    mg_bind_input(instance, (uint32_t)mg_model_find_input(of, "at"), &at, 0, NULL);
    for (int step = 0; step < 2; step++) {
        at = 7;
        mg_bind_input(instance, x, &samples[0], 1, (const int64_t[]){1});
        ck_assert_int_eq(mg_train_add(t), MG_OK);
        mg_bind_input(instance, x, &samples[1], 1, (const int64_t[]){1});
        ck_assert_int_eq(mg_train_step(t), MG_RUN_FAILED);
        ck_assert_float_eq(number(t, "w"), step ? -5.0F : 1.0F);
        at = 1;
        ck_assert_int_eq(mg_train_step(t), MG_OK);
        ck_assert_float_eq(number(t, "w"), step ? -11.0F : -5.0F);
    }
    mg_train_close(t);
    mg_model_release(of);
}
END_TEST

// Steps in place can't be undone, and after a step that fails there is nothing to continue with.
START_TEST(steps_in_place) {
    MgCompileOptions options = {.level = -1, .in_place = true};
    char folder[] = "/tmp/mg-train-XXXXXX", command[64];
    MgModel *of = NULL;
    MgTrain *t = NULL;
    MgTensor *w = NULL;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(mg_model_compile(context, "net.mg", updating, strlen(updating), &options, &of),
                     MG_OK);
    ck_assert_int_eq(mg_train_open(of, context, &t), MG_OK);
    const float sample = 3;
    int64_t at = 1;
    MgInstance *instance = mg_train_instance(t);
    mg_bind_input(instance, (uint32_t)mg_model_find_input(of, "at"), &at, 0, NULL);
    mg_bind_input(instance, (uint32_t)mg_model_find_input(of, "x"), &sample, 1,
                  (const int64_t[]){1});
    ck_assert_int_eq(mg_train_try(t), MG_OK);
    ck_assert_float_eq(number(t, "w"), 1);
    ck_assert_int_eq(mg_train_step(t), MG_OK);
    ck_assert_float_eq(number(t, "w"), -5);
    ck_assert_int_eq(mg_train_undo(t), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_train_message(t), "can't be undone"));
    ck_assert_int_eq(mg_train_save(t, folder), MG_OK);
    at = 3;
    ck_assert_int_eq(mg_train_try(t), MG_OK); // it makes no update
    ck_assert_float_eq(number(t, "w"), -5);
    ck_assert_int_eq(mg_train_step(t), MG_RUN_FAILED);
    at = 0;
    ck_assert_int_eq(mg_train_step(t), MG_BAD_USAGE);
    ck_assert_ptr_nonnull(strstr(mg_train_message(t), "load them first"));
    ck_assert_int_eq(mg_train_get(t, "w", &w), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_save(t, folder), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_load(t, folder), MG_OK);
    ck_assert_float_eq(number(t, "w"), -5);
    ck_assert_int_eq(mg_train_step(t), MG_OK);
    ck_assert_float_eq(number(t, "w"), -11);
    mg_train_close(t);
    mg_model_release(of);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(a_new_value_begins_the_step_again) {
    MgModel *of;
    MgTrain *t = open_adding(&of);
    MgTensor *w = mg_tensor_new(MG_ELEMENT_F32, 0, NULL);
    batch(t, of, 2, mg_train_add, 2);
    ck_assert_int_eq(mg_train_set(t, "w", w), MG_OK);
    batch(t, of, 4, mg_train_step, 4);
    ck_state(t, -4, 6);
    mg_tensor_release(w);
    mg_train_close(t);
    mg_model_release(of);
    ck_refused(mg_train_add(train), "without the option accumulate");
    ck_assert_int_eq(mg_train_add(NULL), MG_BAD_USAGE);
}
END_TEST

START_TEST(refuses_wrong_calls) {
    MgTensor *w = mg_tensor_new(MG_ELEMENT_F32, 1, (const int64_t[]){3}), *got = w;
    MgTrain *none = train;
    ck_assert_str_eq(mg_train_message(train), ""); // nothing has failed
    ck_assert_str_eq(mg_train_message(NULL), "there is no training");
    ck_assert_int_eq(mg_train_open(model, NULL, &none), MG_BAD_USAGE);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(mg_train_open(NULL, context, &none), MG_BAD_USAGE);
    ck_assert_str_eq(mg_context_message(context), "the model is NULL");
    ck_assert_int_eq(mg_train_open(model, context, NULL), MG_BAD_USAGE);
    ck_assert_str_eq(mg_context_message(context), "the place for the training is NULL");
    ck_refused(mg_train_set(train, "w", w), "another type or shape");
    ck_refused(mg_train_set(train, "v", w), "no parameter 'v'");
    ck_refused(mg_train_set(train, NULL, w), "key is NULL");
    ck_refused(mg_train_set(train, "w", NULL), "value is NULL");
    mg_tensor_release(w);
    ck_refused(mg_train_get(train, NULL, &got), "key is NULL");
    ck_assert_ptr_null(got);
    ck_refused(mg_train_get(train, "w", NULL), "place for the value is NULL");
    ck_refused(mg_train_save(train, NULL), "folder is NULL");
    ck_refused(mg_train_load(train, NULL), "folder is NULL");
    ck_refused(mg_train_bind(train, NULL), "instance is NULL");
    ck_refused(mg_train_stream(train, NULL, &none), "name of the interface is NULL");
    ck_refused(mg_train_stream(train, "cuda", &none),
               "step doesn't run through cuda, or that has no streams");
    ck_assert_int_eq(mg_train_stream(train, NULL, NULL), MG_OK);
    ck_assert_int_eq(mg_train_step(NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_try(NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_undo(NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_save(NULL, "."), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_load(NULL, "."), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_get(NULL, "w", &got), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_set(NULL, "w", NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_bind(NULL, NULL), MG_BAD_USAGE);
    ck_assert_int_eq(mg_train_stream(NULL, "cuda", &none), MG_BAD_USAGE);
    ck_assert_ptr_null(mg_train_instance(NULL));
    ck_assert_ptr_null(mg_train_param(NULL, 0));
    ck_assert_uint_eq(mg_train_params(NULL), 0);
    mg_train_close(NULL);
    ck_w(1, 1);
}
END_TEST

// A hook that uses the training whose step calls it.
static void use_training(void *user, const MgTiming *timing) {
    MgTensor *got;
    (void)timing;
    ck_refused(mg_train_step(train), "is running");
    ck_refused(mg_train_undo(train), "is running");
    ck_refused(mg_train_get(train, "w", &got), "is running");
    ck_refused(mg_train_save(train, "/nowhere"), "is running");
    mg_train_close(train);
    ++*(int *)user;
}

START_TEST(refuses_calls_of_its_hook) {
    int calls = 0;
    mg_set_timing(mg_train_instance(train), use_training, &calls);
    ck_assert_int_eq(mg_train_step(train), MG_OK);
    mg_set_timing(mg_train_instance(train), NULL, NULL);
    ck_assert_int_ge(calls, 2);
    ck_w(2, 11);
}
END_TEST

MG_TEST_MAIN_WITH("train", setup, teardown, steps, undoes_a_step_once, undoes_no_step_that_is_gone,
                  goes_on_from_files, adds_batches, updates_once, steps_in_place,
                  a_new_value_begins_the_step_again, refuses_wrong_calls, refuses_calls_of_its_hook)
