// Finds each kernel's median time over the runs, and compares it with the machine's limits.
#include "tools/profile.h"

#include "support/files.h"
#include "tools/show.h"

#include <stdlib.h>

typedef struct Span { // the span of one site in one run
    uint64_t first, last, busy;
    double flops, bytes;
    uint32_t times, worker; // worker: 1 + the worker whose records count
} Span;

static void add_record(Span *s, const MgTiming *t) {
    s->first = !s->first || t->begin < s->first ? t->begin : s->first;
    s->last = t->end > s->last ? t->end : s->last;
    if (!s->worker) // each worker's record states the cost of all workers
        s->worker = t->worker + 1;
    if (s->worker != t->worker + 1)
        return;
    s->busy += t->end - t->begin;
    s->flops += (double)t->flops;
    s->bytes += (double)t->bytes;
    s->times++;
}

static int by_time(const void *a, const void *b) {
    const MgcKernelRow *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->kernel->site > y->kernel->site) - (x->kernel->site < y->kernel->site);
}

static uint32_t count_sites(const MgcRuns *m) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->records.len; k++)
        if (m->records.at[k].kind == MG_TIMING_KERNEL && m->records.at[k].site >= n)
            n = m->records.at[k].site + 1;
    return n;
}

// Makes one row per site. Its time is the median over the runs of the span from the first worker's
// beginning to the last worker's end. If a site runs several times in a run, the times are added.
static MgcKernelRow *summarise(const MgcRuns *m, uint32_t *n_rows) {
    uint32_t n_sites = count_sites(m), n_runs = m->ends.len, n = 0;
    MgcKernelRow *rows = MG_NEW_N(m->arena, MgcKernelRow, n_sites + 1);
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
                rows[s] = (MgcKernelRow){.kernel = rows[s].kernel,
                                         .flops = span->flops,
                                         .bytes = span->bytes,
                                         .faster = rows[s].kernel->faster,
                                         .times = span->times};
        }
    }
    for (uint32_t s = 0; s < n_sites; s++)
        if (rows[s].kernel) {
            qsort(spans + (size_t)s * n_runs, n_runs, sizeof *spans, mgc_by_value);
            rows[s].ns = mgc_percentile(spans + (size_t)s * n_runs, n_runs, 0.5);
            if (rows[s].ns > 0) // otherwise only the first run executes it
                rows[n++] = rows[s];
        }
    qsort(rows, n, sizeof *rows, by_time);
    *n_rows = n;
    return rows;
}

// Averages compiling, transfers and enqueueing over the runs.
static void sum_beside(const MgcRuns *m, MgcProfile *p) {
    static const MgTimingKind kinds[MGC_BESIDE] = {MG_TIMING_COMPILE, MG_TIMING_TRANSFER,
                                                   MG_TIMING_LAUNCH};
    for (uint32_t k = 0; k < m->records.len; k++)
        for (int b = 0; b < MGC_BESIDE; b++)
            if (m->records.at[k].kind == kinds[b])
                p->beside[b] += (double)(m->records.at[k].end - m->records.at[k].begin) /
                                (double)(m->ends.len ? m->ends.len : 1);
}

MgcProfile mgc_profile(const MgcRuns *runs, const MgcLimits *limits, uint32_t workers) {
    MgcProfile p = {.limits = limits, .workers = workers};
    MgcKernelRow *rows = summarise(runs, &p.n_rows);
    double total = 0;
    for (uint32_t i = 0; i < p.n_rows; i++)
        total += rows[i].ns;
    for (uint32_t i = 0; i < p.n_rows; i++) {
        MgcKernelRow *r = &rows[i];
        double times = r->times ? r->times : 1, ns = r->ns > 0 ? r->ns : 1;
        r->share = total > 0 ? r->ns / total : 0;
        double plain = r->flops / (r->faster > 0 ? r->faster : 1); // as many take as long in f32
        r->regime = mgc_regime(limits, workers, plain / times, r->bytes / times, ns / times * 1e-9);
    }
    p.rows = rows;
    sum_beside(runs, &p);
    return p;
}

// An amount per nanosecond: in units of 10^9 per second.
static double rate(const MgcKernelRow *r, double amount) {
    return amount / (r->ns > 0 ? r->ns : 1);
}

void mgc_profile_table(const MgcProfile *p, MgText *out) {
    // µ is two bytes of one column
    mg_textf(out, "%13s %6s %9s %9s %-8s %7s %-7s %-12s %-20s %s\n", "time, µs", "share", "GFLOP/s",
             "GB/s", "bound by", "of roof", "roof", "kind", "kernel", "place");
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const MgcKernelRow *r = &p->rows[i];
        const MgTiming *t = r->kernel;
        mg_textf(out, "%12.3f %5.1f%% %9.2f %9.2f %-8s %6.0f%% %-7s %-12s %-20s %s\n", r->ns / 1e3,
                 100 * r->share, rate(r, r->flops), rate(r, r->bytes), r->regime.name,
                 100 * r->regime.share, r->regime.roof, t->schedule, t->name, t->place);
    }
    static const char *const beside[MGC_BESIDE] = {"compiling", "transfers", "launching"};
    const char *comma = "beside the kernels, in each run:";
    for (int b = 0; b < MGC_BESIDE; b++)
        if (p->beside[b] > 0) {
            mg_textf(out, "%s %s %s", comma, beside[b], mgc_duration(out->arena, p->beside[b]));
            comma = ",";
        }
    mg_text_add(out, *comma == ',' ? "\n" : "");
    if (!p->n_rows)
        mg_text_add(out, "no kernels: the reference interpreter has none\n");
    mg_text_add(out, mgc_limits_note(out->arena, p->limits));
}

void mgc_profile_json(const MgcProfile *p, MgText *out) {
    mg_text_add(out, "[");
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const MgcKernelRow *r = &p->rows[i];
        mg_textf(out, "%s{\"kernel\": ", i ? ", " : "");
        mgc_json_string(out, r->kernel->name);
        mg_textf(out, ", \"kind\": \"%s\", \"place\": ", r->kernel->schedule);
        mgc_json_string(out, r->kernel->place);
        mg_textf(out,
                 ", \"ns\": %.1f, \"share\": %.4f, \"gflops\": %.3f, \"gbytes\": %.3f, "
                 "\"flops\": %.0f, \"bytes\": %.0f, \"times\": %u, \"regime\": \"%s\", "
                 "\"roof\": %.4f, \"under\": \"%s\", \"floor_ns\": %.1f}",
                 r->ns, r->share, rate(r, r->flops), rate(r, r->bytes), r->flops, r->bytes,
                 r->times, r->regime.name, r->regime.share, r->regime.roof, r->regime.floor * 1e9);
    }
    mg_text_add(out, "]");
}

const char *mgc_timing_kind(const MgTiming *t) {
    static const char *const kinds[] = {[MG_TIMING_CALL] = "call",
                                        [MG_TIMING_BIND] = "bind",
                                        [MG_TIMING_COMPILE] = "compile",
                                        [MG_TIMING_TRANSFER] = "transfer",
                                        [MG_TIMING_LAUNCH] = "launch"};
    return t->kind == MG_TIMING_KERNEL ? t->schedule : kinds[t->kind];
}

bool mgc_trace_write(const MgcRuns *m, MgSession *session, const char *path) {
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
        mgc_json_string(&out, mgc_timing_kind(t));
        mg_text_add(&out, ", \"place\": ");
        mgc_json_string(&out, t->place);
        mg_textf(&out, ", \"flops\": %lld, \"bytes\": %lld}}", (long long)t->flops,
                 (long long)t->bytes);
    }
    mg_text_add(&out, "\n]}\n");
    return mg_file_write(session, path, &(MgBytes){out.bytes.at, out.bytes.len}, 1);
}
