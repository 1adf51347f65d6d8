// Runs cases of the standard library. The file SUITE.npz beside each SUITE.mg holds each input of
// its graph and the expected value of each output, under the port's name.
//
//   run_cases [-i | -O0 | -O1 | -O2 | -O3] [-t THREADS] SUITE.mg...
//
// -i runs in the reference interpreter. A float passes if it is within `relative` of the expected
// value plus `absolute` of the array's largest value. NaN has to be NaN, an infinity the same
// infinity, an integer or bool equal. Every output that fails is named; the exit status is 0 if
// none does.
#include "include/mg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Totals {
    unsigned checks, failures;
} Totals;

static double half_value(uint16_t h) {
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    double v = exponent == 0    ? ldexp(mantissa, -24)
               : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                : ldexp(mantissa + 1024, exponent - 25);
    return h & 0x8000 ? -v : v;
}

static bool is_float(MgElement e) {
    return e == MG_ELEMENT_F64 || e == MG_ELEMENT_F32 || e == MG_ELEMENT_F16;
}

static double float_at(MgElement e, const void *data, size_t i) {
    switch (e) {
    case MG_ELEMENT_F64:
        return ((const double *)data)[i];
    case MG_ELEMENT_F32:
        return ((const float *)data)[i];
    default:
        return half_value(((const uint16_t *)data)[i]);
    }
}

static bool close_enough(MgElement e, double got, double want, double largest) {
    double relative = e == MG_ELEMENT_F64 ? 1e-12 : e == MG_ELEMENT_F32 ? 1e-5 : 2e-3;
    double absolute = e == MG_ELEMENT_F64 ? 1e-14 : e == MG_ELEMENT_F32 ? 1e-6 : 1e-3;
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    return fabs(got - want) <= relative * fabs(want) + absolute * fmin(largest, 1e6) + 1e-37;
}

// Prints and counts what differs; at most the first differing element of an output.
static void compare(const char *suite, const MgPortInfo *port, const int64_t *dims, const void *got,
                    MgTensor *want, Totals *totals) {
    MgElement e = mg_tensor_element(want);
    size_t n = mg_tensor_bytes(want) / mg_element_size(e);
    totals->checks++;
    bool same = port->element == e && port->rank == mg_tensor_rank(want);
    for (uint32_t i = 0; same && i < port->rank; i++)
        same = dims[i] == mg_tensor_dims(want)[i];
    if (!same) {
        printf("%s: %s has another type or shape than expected\n", suite, port->name);
        totals->failures++;
        return;
    }
    const void *data = mg_tensor_data(want);
    if (!is_float(e)) {
        size_t width = mg_element_size(e), i = 0;
        while (i < n &&
               !memcmp((const char *)got + i * width, (const char *)data + i * width, width))
            i++;
        if (i == n)
            return;
        printf("%s: %s[%zu] differs\n", suite, port->name, i);
        totals->failures++;
        return;
    }
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double w = fabs(float_at(e, data, i));
        if (isfinite(w) && w > largest)
            largest = w;
    }
    for (size_t i = 0; i < n; i++) {
        double g = float_at(e, got, i), w = float_at(e, data, i);
        if (close_enough(e, g, w, largest))
            continue;
        printf("%s: %s[%zu] is %.9g, expected %.9g\n", suite, port->name, i, g, w);
        totals->failures++;
        return;
    }
}

static MgTensor *read_case(MgContext *c, const char *stem, const char *port) {
    char place[4096];
    MgTensor *t = NULL;
    if ((size_t)snprintf(place, sizeof place, "%s.npz:%s", stem, port) >= sizeof place)
        fprintf(stderr, "%s: too long a path\n", stem);
    else if (mg_tensor_read(c, place, &t) != MG_OK)
        fprintf(stderr, "%s\n", mg_context_message(c));
    return t;
}

static bool run_bound(MgContext *c, MgModel *model, MgInstance *instance, const char *stem,
                      Totals *totals) {
    for (uint32_t i = 0; i < mg_model_inputs(model); i++) {
        MgTensor *t = read_case(c, stem, mg_model_input(model, i)->name);
        MgStatus status = t ? mg_bind_input_tensor(instance, i, t) : MG_BAD_INPUT;
        mg_tensor_release(t);
        if (status != MG_OK)
            return false;
    }
    if (mg_run(instance) != MG_OK)
        return false;
    for (uint32_t i = 0; i < mg_model_outputs(model); i++) {
        const MgPortInfo *port = mg_model_output(model, i);
        const void *data;
        const int64_t *dims;
        if (mg_output(instance, i, &data, &dims) != MG_OK)
            return false;
        MgTensor *want = read_case(c, stem, port->name);
        if (!want)
            return false;
        compare(stem, port, dims, data, want, totals);
        mg_tensor_release(want);
    }
    return true;
}

static bool run_suite(MgContext *c, const char *path, const MgCompileOptions *options,
                      Totals *totals) {
    MgModel *model = NULL;
    MgInstance *instance = NULL;
    char stem[4096];
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(path) - strlen(".mg")), path);
    bool ok = mg_model_load(c, path, options, &model) == MG_OK;
    if (!ok || mg_instance_new(model, c, &instance) != MG_OK) {
        fprintf(stderr, "%s\n", mg_context_message(c));
        mg_model_release(model);
        return false;
    }
    ok = run_bound(c, model, instance, stem, totals);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, mg_instance_message(instance));
    mg_instance_free(instance);
    mg_model_release(model);
    return ok;
}

int main(int argc, char **argv) {
    MgCompileOptions compile = {.level = -1};
    MgContextOptions options = {.cache_folder = ""};
    Totals totals = {0};
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (!strcmp(argv[first], "-i"))
            compile.interpret = true;
        else if (!strncmp(argv[first], "-O", 2))
            compile.level = atoi(argv[first] + 2);
        else if (!strcmp(argv[first], "-t") && first + 1 < argc)
            options.threads = (uint32_t)atoi(argv[++first]);
        else
            return fprintf(stderr, "run_cases: no option '%s'\n", argv[first]), 2;
    }
    MgContext *c = NULL;
    if (mg_context_new(&options, &c) != MG_OK)
        return 3;
    unsigned broken = 0;
    for (int i = first; i < argc; i++)
        broken += !run_suite(c, argv[i], &compile, &totals);
    mg_context_free(c);
    printf("%u checks, %u failed, %u suites did not run\n", totals.checks, totals.failures, broken);
    return totals.failures || broken || !totals.checks;
}
