// Measures a device's limits: a copy and chains of fused multiply-adds, which are networks compiled
// and run like any other, and the cost of a launch and of a barrier.
#include "runtime/device.h"
#include "tools/mgc.h"
#include "tools/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 7, CHAIN = 15, CHAINS = 3, ABREAST = 4 };

typedef struct Probe {
    MgContext *context;
    MgCompileOptions options;
    MgArena *arena;
    uint64_t begin, end; // of the kernels of the latest run
} Probe;

static void on_timing(void *context, const MgTiming *t) {
    Probe *p = context;
    if (t->kind != MG_TIMING_KERNEL)
        return;
    p->begin = !p->begin || t->begin < p->begin ? t->begin : p->begin;
    p->end = t->end > p->end ? t->end : p->end;
}

static int failed(const char *message) {
    return mgc_complain(MG_RUN_FAILED, message);
}

// Runs a network with one input of n floats. *seconds is the shortest time from the beginning of
// its first kernel to the end of its last.
static int least(Probe *p, const char *text, int64_t n, double *seconds) {
    MgModel *model;
    MgInstance *instance = NULL;
    float *data = calloc((size_t)n, sizeof *data);
    *seconds = INFINITY;
    MgStatus status =
        data ? mg_model_compile(p->context, "probe.mg", text, strlen(text), &p->options, &model)
             : MG_OUT_OF_MEMORY;
    if (status) {
        free(data);
        return failed(mg_context_message(p->context));
    }
    status = mg_instance_new(model, p->context, &instance);
    if (!status)
        status = mg_bind_input(instance, 0, data, 1, &n);
    if (!status)
        mg_set_timing(instance, on_timing, p);
    for (int i = 0; i < RUNS && !status; i++) {
        p->begin = p->end = 0;
        status = mg_run(instance);
        double s = (double)(p->end - p->begin) * 1e-9;
        *seconds = i && s < *seconds ? s : *seconds;
    }
    int result = status ? failed(mg_instance_message(instance)) : 0;
    mg_instance_free(instance);
    mg_model_release(model);
    free(data);
    return result;
}

// Several independent chains, so that no work item waits for the latency of one.
static const char *chain_text(MgArena *arena, int64_t n) {
    MgText out = mg_text(arena);
    mg_textf(&out, "mg 1\ngraph peak(x: f32[%lld]) -> (y: f32[%lld]) {\n", (long long)n,
             (long long)n);
    for (int c = 0; c < CHAINS; c++) {
        mg_textf(&out, "    %s[i] = ", c == CHAINS - 1 ? "y" : mg_arena_printf(arena, "v%d", c));
        for (int a = 0; a < ABREAST; a++) {
            mg_text_add(&out, a ? " + " : "");
            for (int k = 0; k < CHAIN; k++)
                mg_text_add(&out, "fma(");
            mg_textf(&out, "%s[i]", c ? mg_arena_printf(arena, "v%d", c - 1) : "x");
            for (int k = 0; k < CHAIN; k++)
                mg_textf(&out, ", 0.%d%d, 0.%d)", a + 5, 90 + k % 9, 1 + k % 7);
        }
        mg_text_add(&out, "\n");
    }
    mg_text_add(&out, "}\n");
    return mg_text_str(&out);
}

int mgc_limits_gpu(MgContext *context, const char *device, MgcLimits *l) {
    MgDevice *open;
    int status = (int)mg_context_device(context, device, &open);
    if (status)
        return failed(mg_context_message(context));
    const MgDeviceInfo *info = mg_device_info(open);
    bool gpu = info->type != MG_DEVICE_CPU;
    int64_t n = gpu ? (int64_t)64 << 20 : (int64_t)4 << 20, n_fma = n / 4;
    MgMem *mem = mg_mem_new(0);
    Probe p = {.context = context, .arena = mg_arena_new(mem)};
    p.options = (MgCompileOptions){.target = "gpu", .device = device, .level = 2};
    MgDeviceCosts costs;
    char *message = NULL;
    double copy, fma;
    snprintf(l->machine, sizeof l->machine, "%s", info->name);
    l->workers = info->compute_units;
    l->lanes = info->warp;
    const char *text = mg_arena_printf(
        p.arena, "mg 1\ngraph copy(x: f32[%lld]) -> (y: f32[%lld]) { y[i] = x[i] * 2 }\n",
        (long long)n, (long long)n);
    status = least(&p, text, n, &copy);
    if (!status)
        status = least(&p, chain_text(p.arena, n_fma), n_fma, &fma);
    mg_mem_free(mem);
    if (!status && (status = (int)mg_device_measure(open, &costs, &message)))
        failed(mg_message_text(message));
    free(message);
    if (status)
        return status;
    l->fma = l->fma_all = (2.0 * CHAIN * ABREAST + ABREAST - 1) * CHAINS * (double)n_fma / fma;
    l->copy_all = 8.0 * (double)n / copy;
    l->overhead = costs.launch * 1e-9;
    l->barrier = costs.barrier * 1e-9;
    l->met = costs.groups;
    l->disturbed = costs.disturbed;
    l->n_levels = 1;
    l->levels[0] = (MgcLevel){.name = "memory", .probed = (uint64_t)n * 8, .copy = l->copy_all};
    l->levels[0].read = l->levels[0].write = l->copy_all;
    return 0;
}
