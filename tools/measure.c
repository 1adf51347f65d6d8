// Times are collected run by run and summed up afterwards: percentiles of whole runs, and for each
// kernel the median over the runs of what it took.
#include "tools/measure.h"

#include "runtime/files.h"
#include "runtime/instance.h"
#include "tools/mgc.h"
#include "tools/probe.h"
#include "tools/show.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOOP_RUNS = 10 }; // with --time, of --repeat passes each

typedef struct Measure {
    MgArena *arena;
    MG_VEC(double) runs;      // nanoseconds each
    MG_VEC(MgTiming) records; // of all runs that count
    MG_VEC(uint32_t) ends;    // number of records at the end of each run
    bool counts;
} Measure;

static void record(void *context, const MgTiming *timing) {
    Measure *m = context;
    if (m->counts)
        mg_push(m->arena, &m->records, *timing);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const double *sorted, uint32_t n, double p) {
    double at = p * (n - 1);
    uint32_t low = (uint32_t)at;
    double rest = at - low;
    return low + 1 < n ? sorted[low] * (1 - rest) + sorted[low + 1] * rest : sorted[low];
}

// ------------------------------------------------------------------------------------------ --time
static const char *duration(MgArena *arena, double ns) {
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    int u = ns < 1e3 ? 0 : ns < 1e6 ? 1 : ns < 1e9 ? 2 : 3;
    return mg_arena_printf(arena, "%.4g %s", ns / units[u].scale, units[u].unit);
}

static void print_time(Measure *m, uint64_t passes, bool json, MgText *out) {
    uint32_t n = m->runs.len;
    double *sorted = mg_arena_copy(m->arena, m->runs.at, n, sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
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
        mg_textf(out, "time of a run, of %u:", n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = percentile(sorted, n, rows[i].p);
        if (json)
            mg_textf(out, ", \"%s\": %.1f", rows[i].name, v);
        else
            mg_textf(out, "  %s %s", rows[i].name, duration(m->arena, v));
    }
    mg_text_add(out, json ? "}" : "\n");
}

// ------------------------------------------------------------------------------------------
// --profile
typedef struct Row {
    const MgTiming *kernel; // one of its records
    double ns, flops, bytes;
    uint32_t times; // that one worker (or the device) ran it, in a run: in a loop, or in parts
} Row;

typedef struct Span { // of one site in one run
    uint64_t first, last, busy;
    double flops, bytes;
    uint32_t times;
} Span;

static void add_record(Span *s, const MgTiming *t) {
    s->first = !s->first || t->begin < s->first ? t->begin : s->first;
    s->last = t->end > s->last ? t->end : s->last;
    if (t->worker) // each worker's record tells the cost of all
        return;
    s->busy += t->end - t->begin;
    s->flops += (double)t->flops;
    s->bytes += (double)t->bytes;
    s->times++;
}

static int by_time(const void *a, const void *b) {
    const Row *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->kernel->site > y->kernel->site) - (x->kernel->site < y->kernel->site);
}

static uint32_t count_sites(const Measure *m) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->records.len; k++)
        if (m->records.at[k].kind == MG_TIMING_KERNEL && m->records.at[k].site >= n)
            n = m->records.at[k].site + 1;
    return n;
}

// One row per site: the median over the runs of its span, first worker in to last worker out; of
// what runs several times in a run, of the time that it takes in all.
static Row *summarise(Measure *m, uint32_t *n_rows) {
    uint32_t n_sites = count_sites(m), n_runs = m->ends.len, n = 0;
    Row *rows = MG_NEW_N(m->arena, Row, n_sites + 1);
    double *spans = MG_NEW_N(m->arena, double, (size_t)n_sites *n_runs + 1);
    for (uint32_t r = 0, k = 0; r < n_runs; r++) {
        Span *run = MG_NEW_N(m->arena, Span, n_sites + 1);
        for (; k < m->ends.at[r]; k++) {
            const MgTiming *t = &m->records.at[k];
            if (t->kind != MG_TIMING_KERNEL)
                continue;
            rows[t->site].kernel = t;
            add_record(&run[t->site], t);
        }
        for (uint32_t s = 0; s < n_sites; s++) {
            const Span *span = &run[s];
            spans[(size_t)s * n_runs + r] =
                (double)(span->times > 1 ? span->busy : span->last - span->first);
            if (span->times)
                rows[s] = (Row){rows[s].kernel, 0, span->flops, span->bytes, span->times};
        }
    }
    for (uint32_t s = 0; s < n_sites; s++)
        if (rows[s].kernel) {
            qsort(spans + (size_t)s * n_runs, n_runs, sizeof *spans, by_value);
            rows[s].ns = percentile(spans + (size_t)s * n_runs, n_runs, 0.5);
            rows[n++] = rows[s];
        }
    qsort(rows, n, sizeof *rows, by_time);
    *n_rows = n;
    return rows;
}

static void print_profile(Measure *m, const MgcLimits *limits, uint32_t workers, bool json,
                          MgText *out) {
    uint32_t n;
    Row *rows = summarise(m, &n);
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += rows[i].ns;
    if (json)
        mg_text_add(out, ", \"profile\": [");
    else
        mg_textf(out, "%12s %6s %9s %9s %-8s %5s  %-12s %-20s %s\n", "time", "share", "GFLOP/s",
                 "GB/s", "bound by", "roof", "kind", "kernel", "place");
    for (uint32_t i = 0; i < n; i++) {
        const MgTiming *t = rows[i].kernel;
        double ns = rows[i].ns > 0 ? rows[i].ns : 1, share = total > 0 ? rows[i].ns / total : 0;
        double flops = rows[i].flops / ns, bytes = rows[i].bytes / ns;
        double times = rows[i].times ? rows[i].times : 1;
        MgcRegime regime = mgc_regime(limits, workers, rows[i].flops / times, rows[i].bytes / times,
                                      ns / times * 1e-9);
        if (json) {
            mg_textf(out, "%s{\"kernel\": ", i ? ", " : "");
            mgc_json_string(out, t->name);
            mg_textf(out, ", \"kind\": \"%s\", \"place\": ", t->schedule);
            mgc_json_string(out, t->place);
            mg_textf(out,
                     ", \"ns\": %.1f, \"share\": %.4f, \"gflops\": %.3f, \"gbytes\": %.3f, "
                     "\"regime\": \"%s\", \"roof\": %.4f, \"floor_ns\": %.1f}",
                     rows[i].ns, share, flops, bytes, regime.name, regime.share,
                     regime.floor * 1e9);
        } else
            mg_textf(out, "%12s %5.1f%% %9.2f %9.2f %-8s %4.0f%%  %-12s %-20s %s\n",
                     duration(m->arena, rows[i].ns), 100 * share, flops, bytes, regime.name,
                     100 * regime.share, t->schedule, t->name, t->place);
    }
    if (json)
        mg_text_add(out, "]");
    else if (!n)
        mg_text_add(out, "no kernels: the reference interpreter has none\n");
}

static const char *const kinds[] = {[MG_TIMING_CALL] = "call",
                                    [MG_TIMING_BIND] = "bind",
                                    [MG_TIMING_COMPILE] = "compile",
                                    [MG_TIMING_TRANSFER] = "transfer",
                                    [MG_TIMING_LAUNCH] = "launch"};

// The trace-event format of Chrome and Perfetto: complete events, microseconds, a thread per
// worker.
static bool write_trace(Measure *m, MgSession *session, const char *path) {
    MgText out = mg_text(m->arena);
    uint64_t start = UINT64_MAX;
    for (uint32_t k = 0; k < m->records.len; k++)
        start = m->records.at[k].begin < start ? m->records.at[k].begin : start;
    mg_text_add(&out, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    for (uint32_t k = 0; k < m->records.len; k++) {
        const MgTiming *t = &m->records.at[k];
        mg_textf(
            &out,
            "%s\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"ts\": %.3f, \"dur\": %.3f, \"name\": ",
            k ? "," : "", t->worker, (double)(t->begin - start) / 1e3,
            (double)(t->end - t->begin) / 1e3);
        mgc_json_string(&out, t->name);
        mg_text_add(&out, ", \"args\": {\"kind\": ");
        mgc_json_string(&out, t->kind == MG_TIMING_KERNEL ? t->schedule : kinds[t->kind]);
        mg_text_add(&out, ", \"place\": ");
        mgc_json_string(&out, t->place);
        mg_textf(&out, ", \"flops\": %lld, \"bytes\": %lld}}", (long long)t->flops,
                 (long long)t->bytes);
    }
    mg_text_add(&out, "\n]}\n");
    return mg_file_write(session, path, &(MgBytes){out.bytes.at, out.bytes.len}, 1);
}

// ------------------------------------------------------------------------------------------ the
// runs
MgStatus mgc_measure(MgInstance *instance, const MgcOptions *options, MgText *out,
                     MgSession *session) {
    Measure m = {.arena = out->arena};
    int64_t warmup = options->warmup >= 0 ? options->warmup : options->time ? 10 : 0;
    int64_t repeat = options->repeat > 0 ? options->repeat : options->time ? 100 : 1;
    uint64_t passes = 1; // of a run
    if (options->mode == MG_MODE_LOOP) {
        passes = (uint64_t)repeat;
        repeat = options->time ? LOOP_RUNS : 1;
        warmup = options->warmup >= 0 ? warmup : options->time;
    }
    if (options->profile)
        mg_set_timing(instance, record, &m);
    MgStatus status = MG_OK;
    for (int64_t k = 0; k < warmup + repeat && !status; k++) {
        m.counts = k >= warmup;
        uint64_t begin = mg_now_ns();
        status = mg_run_passes(instance, passes);
        if (m.counts) {
            mg_push(m.arena, &m.runs, (double)(mg_now_ns() - begin) / (double)passes);
            mg_push(m.arena, &m.ends, m.records.len);
        }
    }
    if (status)
        return status;
    if (passes > 1 && instance->model->device && !mg_instance_loops(instance))
        fputs(
            "mgc: the host started each pass: this graph has no form that repeats on the device\n",
            stderr);
    if (options->time)
        print_time(&m, passes, options->json, out);
    if (options->profile) {
        MgcLimits limits;
        const MgDevice *device = instance->model->device;
        if (mgc_limits(session, instance->context, device, options->device, false, &limits))
            return MG_RUN_FAILED;
        print_profile(&m, &limits, device ? limits.workers : instance->workers, options->json, out);
    }
    if (options->profile_file && !write_trace(&m, session, options->profile_file))
        return MG_BAD_INPUT;
    return MG_OK;
}
