// mgc probe measures the limits of this machine, or of a device with --target=gpu, and shows them
// as a table, JSON and a plot. It keeps them in the cache folder, where --profile finds them.
#include "tools/mgc.h"

#include "backends/backend.h"
#include "runtime/machine_file.h"
#include "support/files.h"
#include "tools/plot.h"
#include "tools/probe.h"
#include "tools/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DISTURBED 1.25 // a spread above this means that other work took time
enum { SIZES = 40 };

int mgc_limits(MgSession *session, MgContext *context, bool gpu, const char *device, bool again,
               MgcLimits *limits) {
    char who[256] = "cpu";
    MgDevice *open;
    if (gpu) {
        MgStatus status = mg_context_device(context, device, &open);
        if (status)
            return mgc_fail((int)status, "%s", mg_context_message(context));
        snprintf(who, sizeof who, "%s %s", mg_device_info(open)->name,
                 mg_device_info(open)->driver);
    } else {
        MgText key = mg_text(session->arena);
        if (!mg_backend_find("cpu")->target_key(session, NULL, &key))
            return 1;
        snprintf(who, sizeof who, "%s, %u", mg_text_str(&key), mg_threads_available());
    }
    MgCachePart parts[] = {{"limits", 6}, {who, strlen(who)}};
    MgCacheKey key = mg_cache_key(parts, 2);
    key.measured = true;
    void *kept = NULL;
    size_t length = 0;
    if (!again && context->cache && mg_cache_get(context->cache, key, &kept, &length)) {
        bool sound = mgc_limits_read(kept, length, limits);
        free(kept);
        if (sound)
            return 0;
    }
    memset(limits, 0, sizeof *limits);
    limits->version = MGC_LIMITS_VERSION;
    int status = gpu ? mgc_limits_gpu(context, device, limits)
                     : (mgc_limits_cpu(limits) ? 0 : mgc_fail(3, "the machine can't be probed"));
    if (!status && context->cache && limits->spread < DISTURBED && !limits->disturbed)
        mg_cache_put(context->cache, key, limits, sizeof *limits);
    return status;
}

// ---------------------------------------------------------------- curves over size
typedef struct Curve {
    const char *name;
    double y[SIZES];
} Curve;

typedef struct Curves {
    double bytes[SIZES];
    uint32_t n;
    Curve streams[3], latency, walks[8], traversals[8];
    uint32_t n_walks, n_traversals;
} Curves;

static void measure_walks(const MgcWalk *walks, Curves *c, uint32_t s, Curve *to, uint32_t *n) {
    *n = 0;
    for (const MgcWalk *w = walks; w->name; w++) {
        to[*n].name = w->name;
        to[(*n)++].y[s] = w->measure((uint64_t)c->bytes[s]);
    }
}

// Measures at every power of two.
static void measure_curves(Curves *c, uint64_t most) {
    static const char *const names[] = {"read", "write", "copy"};
    for (uint64_t bytes = 4096; bytes <= most && c->n < SIZES; bytes *= 2) {
        uint32_t s = c->n++;
        c->bytes[s] = (double)bytes;
        for (int kind = 0; kind < 3; kind++) {
            c->streams[kind].name = names[kind];
            c->streams[kind].y[s] = mgc_bandwidth(bytes, kind);
        }
        c->latency.name = "dependent loads";
        c->latency.y[s] = mgc_latency(bytes) * 1e-9;
        measure_walks(mgc_walks, c, s, c->walks, &c->n_walks);
        measure_walks(mgc_traversals, c, s, c->traversals, &c->n_traversals);
    }
}

static MgcPanel panel(MgArena *arena, const Curves *c, const MgcLimits *l, const char *title,
                      const char *y, MgcUnit unit, const Curve *curves, uint32_t n, double scale) {
    MgcSeries *series = MG_NEW_N(arena, MgcSeries, n);
    MgcMark *marks = MG_NEW_N(arena, MgcMark, MGC_LEVELS);
    uint32_t n_marks = 0;
    for (uint32_t i = 0; i < n; i++) {
        double *values = mg_arena_copy(arena, curves[i].y, c->n, sizeof *values);
        for (uint32_t k = 0; k < c->n; k++)
            values[k] *= scale;
        series[i] =
            (MgcSeries){.name = curves[i].name, .style = i, .n = c->n, .x = c->bytes, .y = values};
    }
    for (uint32_t i = 0; i < l->n_levels; i++)
        if (l->levels[i].capacity)
            marks[n_marks++] = (MgcMark){(double)l->levels[i].capacity, l->levels[i].name};
    return (MgcPanel){.title = title,
                      .x = {.title = "memory walked", .unit = MGC_UNIT_BYTES, .log = true},
                      .y = {.title = y, .unit = unit, .log = true},
                      .series = series,
                      .n_series = n,
                      .marks = marks,
                      .n_marks = n_marks};
}

static bool plot(MgSession *session, const MgcOptions *o, const MgcLimits *l, const Curves *c) {
    MgArena *arena = session->arena;
    MgcPanel panels[] = {
        panel(arena, c, l, "Bandwidth", "bytes a second", MGC_UNIT_RATE, c->streams, 3, 1),
        panel(arena, c, l, "Latency", "time of a load", MGC_UNIT_ACCESS, &c->latency, 1, 1),
        panel(arena, c, l, "Patterns of access", "time of a load of 8 bytes", MGC_UNIT_ACCESS,
              c->walks, c->n_walks, 1e-9),
        panel(arena, c, l, "Ways through a matrix", "time of an element", MGC_UNIT_ACCESS,
              c->traversals, c->n_traversals, 1e-9)};
    MgcPlot p = {.title = "What the machine gives",
                 .subtitle =
                     mg_arena_printf(arena,
                                     "%s, one core; %s of f32 fused "
                                     "multiply-add; least of several runs",
                                     l->machine, mgc_quantity(arena, MGC_UNIT_FLOPS, l->fma, 4)),
                 .panels = panels,
                 .n_panels = 4,
                 .columns = 2};
    return mgc_plot_write(session, o->plot, &p);
}

// ---------------------------------------------------------------- what is printed
static void add_rate(MgText *out, MgArena *arena, MgcUnit unit, double value) {
    mg_textf(out, " %12s", value > 0 ? mgc_quantity(arena, unit, value, 3) : "-");
}

const char *mgc_limits_note(MgArena *arena, const MgcLimits *l) {
    return l->spread < DISTURBED
               ? ""
               : mg_arena_printf(
                     arena,
                     "the machine was busy: times of the same code differed by %.0f %%, "
                     "so its limits are too low and are not kept\n",
                     100 * (l->spread - 1));
}

static void table(MgText *out, MgArena *a, const MgcLimits *l, bool gpu) {
    mg_textf(out, "%s, %u %s\n", l->machine, l->workers, gpu ? "compute units" : "cores");
    mg_textf(out, "%s (f32 fused multiply-add): %s%s", mgc_bounds[MGC_COMPUTE].name,
             mgc_quantity(a, MGC_UNIT_FLOPS, l->fma, 4), gpu ? "\n" : " on one core, ");
    if (!gpu)
        mg_textf(out, "%s on %u\n", mgc_quantity(a, MGC_UNIT_FLOPS, l->fma_all, 4), l->workers);
    mg_textf(out, "%s (a copy past the caches%s): %s, read and written\n",
             mgc_bounds[MGC_MEMORY].name, gpu ? "" : " by all cores",
             mgc_quantity(a, MGC_UNIT_RATE, l->copy_all, 4));
    mg_textf(out, "%s (%s): %s\n", mgc_bounds[MGC_OVERHEAD].name,
             gpu ? "one launch among many" : "a call that does nothing",
             mgc_quantity(a, MGC_UNIT_SECONDS, l->overhead, 3));
    if (gpu && l->barrier > 0)
        mg_textf(out, "barrier over the grid, %u group%s: %s\n", l->met, mg_plural(l->met),
                 mgc_quantity(a, MGC_UNIT_SECONDS, l->barrier, 3));
    else if (gpu && l->disturbed)
        mg_text_add(
            out,
            "barrier over the grid: not measured: something else kept the device busy, so that its "
            "groups came late; nothing is kept\n");
    else if (gpu)
        mg_text_add(out, "barrier over the grid: none, its groups don't meet\n");
    else if (l->barrier > 0)
        mg_textf(out, "barrier of all workers: %s\n",
                 mgc_quantity(a, MGC_UNIT_SECONDS, l->barrier, 3));
    mg_text_add(out, mgc_limits_note(a, l));
    if (gpu)
        return;
    mg_textf(out, "\n%-8s %12s %12s %12s %12s %12s\n", "level", "size", "read", "write", "copy",
             "latency");
    for (uint32_t i = 0; i < l->n_levels; i++) {
        const MgcLevel *v = &l->levels[i];
        mg_textf(out, "%-8s", v->name);
        add_rate(out, a, MGC_UNIT_BYTES, (double)v->capacity);
        add_rate(out, a, MGC_UNIT_RATE, v->read);
        add_rate(out, a, MGC_UNIT_RATE, v->write);
        add_rate(out, a, MGC_UNIT_RATE, v->copy);
        add_rate(out, a, MGC_UNIT_ACCESS, v->latency);
        mg_text_add(out, "\n");
    }
}

static void walks_table(MgText *out, MgArena *a, const char *title, const MgcWalk *walks,
                        const double *bytes, uint32_t n) {
    mg_textf(out, "\n%-16s", title);
    for (uint32_t i = 0; i < n; i++)
        mg_textf(out, " %10s", mgc_quantity(a, MGC_UNIT_BYTES, bytes[i], 3));
    for (const MgcWalk *w = walks; w->name; w++) {
        mg_textf(out, "\n%-16s", w->name);
        for (uint32_t i = 0; i < n; i++)
            mg_textf(out, " %10s",
                     mgc_quantity(a, MGC_UNIT_ACCESS, w->measure((uint64_t)bytes[i]) * 1e-9, 3));
        mg_textf(out, "   %s", w->what);
    }
    mg_text_add(out, "\n");
}

static void add_number(MgText *out, const char *name, double value) {
    mg_textf(out, ", \"%s\": %.6g", name, value);
}

static void json_curves(MgText *out, const Curves *c, const char *name, const Curve *curves,
                        uint32_t n) {
    mg_textf(out, ", \"%s\": {", name);
    for (uint32_t i = 0; i < n; i++) {
        mg_textf(out, "%s\"%s\": [", i ? ", " : "", curves[i].name);
        for (uint32_t k = 0; k < c->n; k++)
            mg_textf(out, "%s%.6g", k ? ", " : "", curves[i].y[k]);
        mg_text_add(out, "]");
    }
    mg_text_add(out, "}");
}

static void json(MgText *out, const MgcLimits *l, const Curves *c) {
    mg_text_add(out, "{\"machine\": ");
    mgc_json_string(out, l->machine);
    mg_textf(out, ", \"workers\": %u", l->workers);
    add_number(out, "fma_flops", l->fma);
    add_number(out, "fma_flops_all", l->fma_all);
    add_number(out, "copy_bytes", l->copy_all);
    add_number(out, "overhead_s", l->overhead);
    add_number(out, "barrier_s", l->barrier);
    add_number(out, "spread", l->spread);
    mg_text_add(out, ", \"levels\": [");
    for (uint32_t i = 0; i < l->n_levels; i++) {
        const MgcLevel *v = &l->levels[i];
        mg_textf(out, "%s{\"name\": \"%s\", \"capacity\": %llu", i ? ", " : "", v->name,
                 (unsigned long long)v->capacity);
        add_number(out, "read_bytes", v->read);
        add_number(out, "write_bytes", v->write);
        add_number(out, "copy_bytes", v->copy);
        add_number(out, "latency_s", v->latency);
        mg_text_add(out, "}");
    }
    mg_text_add(out, "]");
    if (c->n) {
        mg_text_add(out, ", \"bytes\": [");
        for (uint32_t k = 0; k < c->n; k++)
            mg_textf(out, "%s%.0f", k ? ", " : "", c->bytes[k]);
        mg_text_add(out, "]");
        json_curves(out, c, "bandwidth", c->streams, 3);
        json_curves(out, c, "latency", &c->latency, 1);
        json_curves(out, c, "access_ns", c->walks, c->n_walks);
        json_curves(out, c, "matrix_ns", c->traversals, c->n_traversals);
    }
    mg_text_add(out, "}\n");
}

// Writes the measured figures over those already known for this machine.
static int save(MgSession *session, const MgContext *context, const MgcLimits *limits) {
    MgTargetInfo info;
    MgText text = mg_text(session->arena);
    const char *path = mg_machine_default(session, context->cache);
    if (!path)
        return mgc_fail(2, "--save needs a cache folder");
    if (limits->spread >= DISTURBED)
        return mgc_fail(1, "nothing is saved: the machine was busy");
    if (!mg_backend_find("cpu")->target_info(session, NULL, &info))
        return 1;
    mgc_limits_figures(limits, "probed", &info.machine);
    mg_machine_print(&info.machine, MG_FIGURE_CPU, &text);
    mg_textf(&text, "machine %s\n", limits->machine);
    MgBytes all = {mg_text_str(&text), text.bytes.len};
    if (!mg_file_write_private(session, path, &all, 1))
        return 1;
    printf("saved as %s\n", path);
    return 0;
}

static int probe_with(MgSession *session, const MgcOptions *o, MgContext *context) {
    MgcLimits limits;
    Curves *curves = MG_NEW(session->arena, Curves);
    bool gpu = o->target && strcmp(o->target, "cpu") != 0;
    MgText out = mg_text(session->arena);
    int status = mgc_limits(session, context, gpu, o->device, true, &limits);
    if (status)
        return status;
    if (!gpu && (o->json || o->plot))
        measure_curves(curves, 2 * limits.levels[limits.n_levels - 1].probed);
    if (o->json) {
        json(&out, &limits, curves);
    } else {
        table(&out, session->arena, &limits, gpu);
        double sizes[MGC_LEVELS];
        for (uint32_t i = 0; i < limits.n_levels; i++)
            sizes[i] = (double)limits.levels[i].probed;
        if (!gpu) {
            walks_table(&out, session->arena, "access", mgc_walks, sizes, limits.n_levels);
            walks_table(&out, session->arena, "matrix", mgc_traversals, sizes, limits.n_levels);
        }
    }
    if (o->plot && !plot(session, o, &limits, curves))
        return 1;
    if (o->save && (status = save(session, context, &limits)))
        return status;
    return mgc_put(session, o, mg_text_str(&out), out.bytes.len);
}

// Checks that the plot can be drawn and written, before minutes of measuring.
static int check_outputs(MgSession *session, const MgcOptions *o) {
    if (o->plot && o->target && strcmp(o->target, "cpu") != 0)
        return mgc_fail(2, "--plot draws the CPU's memory; a device is probed by three kernels");
    if (o->checkpoints)
        return mgc_fail(2, "mgc probe --save takes no folder: --cache names that of the cache");
    if (o->save && o->target && strcmp(o->target, "cpu") != 0)
        return mgc_fail(2, "--save is for a CPU: a device's own numbers are always used");
    int status = mgc_plot_check(session, o->plot);
    return status ? status : mgc_put_check(session, o);
}

static int probe(MgSession *session, const MgcOptions *options) {
    int wrong = check_outputs(session, options);
    if (wrong)
        return wrong;
    MgContextOptions o = {.cache_folder = options->no_cache ? "" : options->cache_folder};
    MgContext *context;
    MgcProgress *progress =
        mgc_progress_begin("probing", options->target ? options->target : "cpu");
    int status = (int)mg_context_new(&o, &context);
    if (!status)
        status = probe_with(session, options, context);
    mg_context_free(context);
    mgc_progress_end(progress);
    return status;
}

int mgc_probe(const MgcOptions *options) {
    return mgc_in_session(options, probe);
}
