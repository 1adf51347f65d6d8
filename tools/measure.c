// Times are collected run by run and summed up afterwards: percentiles of whole runs here, kernels
// in tools/profile.c, and the page in tools/report.c.
#include "tools/measure.h"

#include "support/files.h"
#include "tools/measured.h"
#include "tools/mgc.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOOP_RUNS = 10 }; // with --time, of --repeat passes each

static void record(void *context, const MgTiming *timing) {
    MgcRuns *m = context;
    if (m->counts)
        mg_push(m->arena, &m->records, *timing);
}

int mgc_by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double mgc_percentile(const double *sorted, uint32_t n, double p) {
    double at = p * (n - 1);
    uint32_t low = (uint32_t)at;
    double rest = at - low;
    return low + 1 < n ? sorted[low] * (1 - rest) + sorted[low + 1] * rest : sorted[low];
}

// ---------------------------------------------------------------- --time
const char *mgc_duration(MgArena *arena, double ns) {
    return mgc_quantity(arena, MGC_UNIT_SECONDS, ns * 1e-9, 4);
}

static void print_time(MgcRuns *m, uint64_t passes, bool json, MgText *out) {
    uint32_t n = m->runs.len;
    double *sorted = mg_arena_copy(m->arena, m->runs.at, n, sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, mgc_by_value);
    static const struct {
        const char *name;
        double p;
    } rows[] = {{"min", 0}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}};
    if (json)
        mg_textf(out, ", \"time_ns\": {\"runs\": %u, \"passes\": %llu", n,
                 (unsigned long long)passes);
    else if (passes > 1)
        mg_textf(out, "time of a pass, of %llu in each of %u runs:", (unsigned long long)passes, n);
    else
        mg_textf(out, "time of a run, over %u:", n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = mgc_percentile(sorted, n, rows[i].p);
        if (json)
            mg_textf(out, ", \"%s\": %.1f", rows[i].name, v);
        else
            mg_textf(out, "  %s %s", rows[i].name, mgc_duration(m->arena, v));
    }
    mg_text_add(out, json ? "}" : "\n");
}

// ---------------------------------------------------------------- --profile
int mgc_profile_check(MgSession *session, const MgcOptions *options) {
    const char *file = options->profile_file;
    if (file && !mg_path_has_extension(file, ".json") && !mg_path_has_extension(file, ".html") &&
        !mg_path_has_extension(file, ".mgs"))
        return mgc_fail(2,
                        "--profile writes a trace as FILE.json, a page as FILE.html, or schedules "
                        "with their times as FILE.mgs, not '%s'",
                        file);
    return file && !mg_file_writable(session, file);
}

static MgStatus profile(MgInstance *instance, const MgcOptions *options, const MgcRuns *m,
                        MgText *out, MgSession *session) {
    MgcLimits *limits = MG_NEW(m->arena, MgcLimits);
    const MgDevice *device = instance->model->device;
    const char *file = options->profile_file;
    if (mgc_limits(session, instance->context, device, options->device, false, limits))
        return MG_RUN_FAILED;
    uint32_t workers = instance->workers ? instance->workers                   // of one image
                                         : instance->context->options.threads; // op by op
    MgcProfile p = mgc_profile(m, limits, device ? limits->workers : workers);
    if (options->json) {
        mg_text_add(out, ", \"profile\": ");
        mgc_profile_json(&p, out);
    } else
        mgc_profile_table(&p, out);
    if (!file)
        return MG_OK;
    bool ok = mg_path_has_extension(file, ".html")
                  ? mgc_report_write(session, file, options, instance, m, &p)
              : mg_path_has_extension(file, ".mgs")
                  ? mgc_measured_write(session, file, instance, &p)
                  : mgc_trace_write(m, session, file);
    return ok ? MG_OK : MG_BAD_INPUT;
}

// ---------------------------------------------------------------- the runs
static MgStatus warm_up(MgInstance *instance, const MgcOptions *options, uint64_t passes) {
    bool told = options->time || options->profile;
    uint64_t begin = mg_now_ns(), runs = 0;
    MgStatus status = MG_OK;
    while (!status &&
           (options->warmup >= 0 ? runs < (uint64_t)options->warmup
                                 : told && !mgc_is_warm(runs, (double)(mg_now_ns() - begin)))) {
        status = mg_run_passes(instance, passes);
        runs++;
    }
    return status;
}

MgStatus mgc_measure(MgInstance *instance, const MgcOptions *options, MgText *out,
                     MgSession *session) {
    MgcRuns m = {.arena = out->arena};
    int64_t repeat = options->repeat > 0 ? options->repeat : options->time ? 100 : 1;
    uint64_t passes = 1; // of a run
    if (options->mode == MG_MODE_LOOP) {
        passes = (uint64_t)repeat;
        repeat = options->time ? LOOP_RUNS : 1;
    }
    if (options->profile)
        mg_set_timing(instance, record, &m);
    MgStatus status = warm_up(instance, options, passes);
    m.counts = true;
    for (int64_t k = 0; k < repeat && !status; k++) {
        uint64_t begin = mg_now_ns();
        status = mg_run_passes(instance, passes);
        mg_push(m.arena, &m.runs, (double)(mg_now_ns() - begin) / (double)passes);
        mg_push(m.arena, &m.ends, m.records.len);
    }
    if (status)
        return status;
    if (passes > 1 && instance->model->device && !mg_instance_loops(instance))
        fputs("mgc: the host started each pass: no form that repeats on the device was taken "
              "(--explain=launch says why)\n",
              stderr);
    if (options->time)
        print_time(&m, passes, options->json, out);
    if (options->profile)
        return profile(instance, options, &m, out, session);
    return MG_OK;
}
