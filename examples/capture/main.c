// One function of C, run in three ways: call by call, recorded and printed as MG, and recorded and
// run as one graph for any number of rows.
#include "capture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Value net(Capture *c, Value x, Value w, Value b) {
    Value product = capture_call(c, "matmul", (Value[]){x, w}, 2, NULL);
    Value sum = capture_call(c, "add", (Value[]){product, b}, 2, NULL);
    Value hidden = capture_call(c, "relu", &sum, 1, NULL);
    return capture_call(c, "softmax", &hidden, 1, "axis = 1");
}

static MgTensor *filled(uint32_t rank, const int64_t *dims, float step) {
    MgTensor *t = mg_tensor_new(MG_ELEMENT_F32, rank, dims);
    float *at = mg_tensor_data(t);
    for (int64_t i = 0, n = mg_tensor_bytes(t) / 4; i < n; i++)
        at[i] = step * (float)(i % 7 - 3);
    return t;
}

static int say(const char *what) {
    fprintf(stderr, "capture: %s\n", what);
    return 1;
}

// Runs the text over the inputs. The result, or NULL.
static MgTensor *run(MgContext *context, const char *text, MgTensor *const *inputs, uint32_t n) {
    MgModel *model;
    MgInstance *instance;
    MgTensor *result = NULL;
    if (mg_model_compile(context, "net.mg", text, strlen(text), NULL, &model)) {
        say(mg_context_message(context));
        return NULL;
    }
    MgStatus status = mg_instance_new(model, context, &instance);
    for (uint32_t i = 0; i < n && !status; i++)
        status = mg_bind_input_tensor(instance, i, inputs[i]);
    if (!status && !mg_run(instance))
        result = mg_output_tensor(instance, 0);
    if (!result)
        say(mg_instance_message(instance));
    mg_instance_free(instance);
    mg_model_release(model);
    return result;
}

static int compare(MgContext *context) {
    MgTensor *given[] = {filled(2, (int64_t[]){3, 4}, 0.5f), filled(2, (int64_t[]){4, 2}, 0.25f),
                         filled(1, (int64_t[]){2}, 1)};
    Capture *eager = capture_new(context, false), *record = capture_new(context, true);
    static const char *const names[] = {"x", "w", "b"}, *const types[] = {"f32[N, 4]", "f32[4, 2]",
                                                                          "f32[2]"};
    Value now[3], later[3];
    for (int i = 0; i < 3; i++) {
        now[i] = capture_input(eager, names[i], given[i], NULL);
        later[i] = capture_input(record, names[i], NULL, types[i]);
    }
    Value a = net(eager, now[0], now[1], now[2]), b = net(record, later[0], later[1], later[2]);
    const char *wrong = capture_message(eager) ? capture_message(eager) : capture_message(record);
    int code = wrong ? say(wrong) : 0;
    if (!code) {
        const char *text = capture_text(record, "net", &b, 1);
        printf("%s", text);
        MgTensor *whole = run(context, text, given, 3);
        float most = 0;
        for (int i = 0; whole && i < 6; i++)
            most = fmaxf(most, fabsf(((float *)mg_tensor_data(whole))[i] -
                                     ((float *)mg_tensor_data(a.tensor))[i]));
        if (whole && most < 1e-6f)
            printf("call by call and as one graph: the same\n");
        else
            code = say("the results differ");
        mg_tensor_release(whole);
    }
    // a mistake is told by the call that makes it
    capture_call(eager, "matmul", (Value[]){a, a}, 2, NULL);
    printf("%s", capture_message(eager) ? capture_message(eager) : "");
    capture_free(eager);
    capture_free(record);
    for (int i = 0; i < 3; i++)
        mg_tensor_release(given[i]);
    return code;
}

int main(void) {
    MgContext *context;
    if (mg_context_new(NULL, &context))
        return say("out of memory");
    int code = compare(context);
    mg_context_free(context);
    return code;
}
