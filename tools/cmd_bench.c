// mgc bench graphs: times the random graph (random_graph.h) over tensor size and over depth, in
// every requested mode and on every requested target. It prints medians and spread as a table or
// JSON, and draws a plot.
//
// A time is the time of one pass as a program that uses the library sees it: the run, the wait, and
// the transfers of a device. Short passes are timed in batches. The first result of every mode is
// checked before the mode is timed: against the interpreter up to size 64, against -O0 up to 256,
// and above that against op by op execution on the CPU.
#include "tools/measure.h"
#include "tools/mgc.h"

#include "runtime/instance.h"
#include "support/files.h"
#include "tools/plot.h"
#include "tools/random_graph.h"
#include "tools/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FED = 3, MOST_PASSES = 1000, SWEEP_SIZE = 256, SWEEP_DEPTH = 64 };
#define BATCH_NS 2e6  // a sample lasts at least this long
#define BUDGET_NS 4e8 // samples of one graph in one mode should not take longer
#define LOOP_NS 1e8   // a sample of mode loop lasts this long, unless it has MOST_PASSES

static const char *const mode_names[] = {"fused", "graph", "cached", "immediate", "loop"};

// One graph: its size and depth, and the sweep to which it belongs.
typedef struct Place {
    uint32_t n, depth;
    bool by_depth;
} Place;

typedef struct Point {
    Place at;
    const char *target;
    MgMode mode;
    double median;         // ns per pass: the geometric mean of the seeds' medians
    double low, high;      // the tenth and ninetieth percentiles of the samples
    MG_VEC(double) ratios; // of each sample to its seed's median
    double gflops;
    uint32_t samples;
    uint64_t passes; // of one submission
} Point;

typedef struct Bench {
    MgSession *session;
    const MgcOptions *options;
    char *folder;
    const char *path; // of the current graph
    MG_VEC(Place) places;
    MG_VEC(MgMode) modes;
    MG_VEC(const char *) targets;
    MG_VEC(Point) points;
    float *input, *expected[2]; // after one pass, and after FED passes
    const char *device;         // where target gpu ran; NULL: it has not run yet
    uint32_t done;              // the graphs measured so far in all modes, for the progress line
} Bench;

typedef struct Runner {
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
} Runner;

// ---------------------------------------------------------------- running
static void close_runner(Runner *r) {
    mg_instance_free(r->instance);
    mg_model_release(r->model);
    mg_context_free(r->context);
    *r = (Runner){NULL, NULL, NULL};
}

static int open_runner(Bench *b, uint32_t n, const MgCompileOptions *compile, Runner *r) {
    const MgcOptions *o = b->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = o->no_cache ? "" : o->cache_folder};
    int64_t dims[2] = {n, n};
    *r = (Runner){NULL, NULL, NULL};
    MgStatus status = mg_context_new(&context, &r->context);
    if (!status)
        status = mg_model_load(r->context, b->path, compile, &r->model);
    if (!status && r->model->device && !b->device) {
        const char *name = mg_device_info(r->model->device)->name;
        b->device = mg_arena_str(b->session->arena, name, strlen(name));
    }
    if (!status)
        status = mg_instance_new(r->model, r->context, &r->instance);
    if (!status)
        status = mg_bind_input(r->instance, 0, b->input, 2, dims);
    return status ? mgc_fail(status, "%s", mg_context_message(r->context)) : 0;
}

static int run(Runner *r, uint64_t passes) {
    MgStatus status = mg_run_passes(r->instance, passes);
    return status ? mgc_fail(status, "%s", mg_instance_message(r->instance)) : 0;
}

static const float *result(const Runner *r) {
    const void *data = NULL;
    const int64_t *dims;
    mg_output(r->instance, 0, &data, &dims);
    return data;
}

// ---------------------------------------------------------------- checking
static int expect(Bench *b, const Place *at) {
    MgCompileOptions o = {.level = at->n <= SWEEP_SIZE ? 0 : 2,
                          .interpret = at->n <= 64,
                          .mode = at->n <= SWEEP_SIZE ? MG_MODE_GRAPH : MG_MODE_CACHED,
                          .weights = b->options->weights};
    size_t bytes = sizeof(float) * at->n * at->n;
    Runner r;
    int status = open_runner(b, at->n, &o, &r);
    for (int k = 0; k < 2 && !status; k++) {
        status = run(&r, k ? FED : 1);
        if (!status)
            memcpy(b->expected[k], result(&r), bytes);
    }
    close_runner(&r);
    return status;
}

static int check(const Place *at, const float *got, const float *want, const char *what) {
    for (size_t i = 0; i < (size_t)at->n * at->n; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= 1e-5 + 2e-3 * fabs((double)want[i])))
            return mgc_fail(3, "%s: y[%zu, %zu] is %g, expected %g", what, i / at->n, i % at->n,
                            (double)got[i], (double)want[i]);
    return 0;
}

// ---------------------------------------------------------------- timing
static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int time_batch(Runner *r, uint64_t batch, uint64_t passes, double *ns) {
    uint64_t begin = mg_now_ns();
    int status = 0;
    for (uint64_t k = 0; k < batch && !status; k++)
        status = run(r, passes);
    *ns = (double)(mg_now_ns() - begin) / (double)(batch * passes);
    return status;
}

// Fills samples: the requested number, fewer if they would take too long, at least one.
static int take_samples(Bench *b, Runner *r, MgMode mode, double *samples, uint32_t *n,
                        uint64_t *passes) {
    double once, spent = 0;
    int status = 0;
    for (uint64_t runs = 0; !status && !mgc_is_warm(runs, spent); runs++) {
        status = time_batch(r, 1, 1, &once); // the last of these gives the time of one run
        spent += once;
    }
    if (status)
        return status;
    *passes = 1;
    for (int again = 0; mode == MG_MODE_LOOP && again < 2 && !status; again++) {
        double fit = LOOP_NS / once; // the first guess includes the cost of a submission
        *passes = fit > MOST_PASSES ? MOST_PASSES : fit < FED ? FED : (uint64_t)fit;
        status = time_batch(r, 1, *passes, &once);
    }
    double pass = once * (double)*passes;
    uint64_t batch = pass < BATCH_NS ? (uint64_t)ceil(BATCH_NS / pass) : 1;
    uint32_t wanted = (uint32_t)b->options->samples;
    double fit = BUDGET_NS / (pass * (double)batch);
    *n = fit < wanted ? fit < 1 ? 1 : (uint32_t)fit : wanted;
    for (uint32_t k = 0; k < *n && !status; k++)
        status = time_batch(r, batch, *passes, &samples[k]);
    qsort(samples, *n, sizeof *samples, by_value);
    return status;
}

static double median(const double *sorted, uint32_t n) {
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

// Checks and times one graph in one mode on one target, and adds it to the point of all seeds.
static int measure(Bench *b, const Place *at, const char *target, MgMode mode, double *log_sum,
                   Point *point) {
    MgCompileOptions o = mgc_compile_options(b->options);
    o.target = target;
    o.mode = mode;
    const char *what = mg_arena_printf(b->session->arena, "%s, mode %s, size %u, depth %u", target,
                                       mode_names[mode], at->n, at->depth);
    Runner r;
    int status = open_runner(b, at->n, &o, &r);
    if (!status)
        status = run(&r, 1);
    if (!status)
        status = check(at, result(&r), b->expected[0], what);
    if (!status && mode == MG_MODE_LOOP)
        status = run(&r, FED);
    if (!status && mode == MG_MODE_LOOP)
        status = check(at, result(&r), b->expected[1], what);
    double *samples = MG_NEW_N(b->session->arena, double, (size_t)b->options->samples + 1);
    uint32_t n = 0;
    if (!status)
        status = take_samples(b, &r, mode, samples, &n, &point->passes);
    close_runner(&r);
    if (status)
        return status;
    *log_sum += log(median(samples, n));
    for (uint32_t k = 0; k < n; k++)
        mg_push(b->session->arena, &point->ratios, samples[k] / median(samples, n));
    point->samples += n;
    return 0;
}

static void find_spread(Point *p) {
    qsort(p->ratios.at, p->ratios.len, sizeof *p->ratios.at, by_value);
    p->low = p->median * p->ratios.at[p->ratios.len / 10];
    p->high = p->median * p->ratios.at[p->ratios.len - 1 - p->ratios.len / 10];
}

static void progress(Bench *b, const Place *at, const char *target, MgMode mode) {
    size_t all = (size_t)b->places.len * (size_t)b->options->seeds * b->modes.len * b->targets.len;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%3zu%%  %s, %s, size %u, depth %u", b->done * 100 / all, target,
                mode_names[mode], at->n, at->depth);
    b->done++;
}

static void wipe_progress(void) {
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static int measure_place(Bench *b, const Place *at) {
    uint32_t kinds = b->modes.len * b->targets.len;
    Point *points = MG_NEW_N(b->session->arena, Point, kinds);
    double *log_sums = MG_NEW_N(b->session->arena, double, kinds), flops = 0;
    size_t count = (size_t)at->n * at->n;
    int status = 0;
    for (uint32_t s = 0; s < b->options->seeds && !status; s++) {
        MgArena *arena = mg_arena_new(b->session->mem);
        b->input = MG_NEW_N(arena, float, count);
        b->expected[0] = MG_NEW_N(arena, float, count);
        b->expected[1] = MG_NEW_N(arena, float, count);
        mgc_random_input(mgc_seeds[s].seed, at->n, b->input);
        b->path =
            mgc_random_graph_write(b->session, b->folder, mgc_seeds[s].seed, at->depth, at->n);
        status = b->path ? expect(b, at) : 1;
        flops =
            mgc_random_flops(mgc_random_layers(b->session, mgc_seeds[s].seed, at->depth), at->n);
        for (uint32_t k = 0; k < kinds && !status; k++) {
            const char *target = b->targets.at[k / b->modes.len];
            MgMode mode = b->modes.at[k % b->modes.len];
            if (s == 0)
                points[k] = (Point){.at = *at, .target = target, .mode = mode};
            progress(b, at, target, mode);
            status = measure(b, at, target, mode, &log_sums[k], &points[k]);
        }
        mg_arena_free(arena);
    }
    for (uint32_t k = 0; k < kinds && !status; k++) {
        points[k].median = exp(log_sums[k] / (double)b->options->seeds);
        find_spread(&points[k]);
        points[k].gflops = flops / points[k].median;
        mg_push(b->session->arena, &b->points, points[k]);
    }
    return status;
}

// ---------------------------------------------------------------- printing
static void print_head(Bench *b, MgText *out) {
    mg_text_add(out, "seeds:");
    for (uint32_t s = 0; s < b->options->seeds; s++)
        mg_textf(out, " %s=%llu", mgc_seeds[s].name, (unsigned long long)mgc_seeds[s].seed);
    mg_textf(out, "\n%-6s %-10s %6s %6s %15s %12s %12s %10s %8s %7s\n", "target", "mode", "size",
             "depth", "µs of a pass", "low", "high", "GFLOP/s", "samples", "passes");
}

static void print_rows(Bench *b, uint32_t first, MgText *out) {
    for (uint32_t k = first; k < b->points.len; k++) {
        const Point *p = &b->points.at[k];
        mg_textf(out, "%-6s %-10s %6u %6u %14.3f %12.3f %12.3f %10.2f %8u %7llu\n", p->target,
                 mode_names[p->mode], p->at.n, p->at.depth, p->median / 1e3, p->low / 1e3,
                 p->high / 1e3, p->gflops, p->samples, (unsigned long long)p->passes);
    }
}

static void print_json(Bench *b, MgText *out) {
    mg_textf(out, "{\"benchmark\": \"graphs\", \"threads\": %lld, \"seeds\": [",
             (long long)b->options->threads);
    for (uint32_t s = 0; s < b->options->seeds; s++)
        mg_textf(out, "%s{\"name\": \"%s\", \"seed\": %llu, \"layers\": \"%s\"}", s ? ", " : "",
                 mgc_seeds[s].name, (unsigned long long)mgc_seeds[s].seed,
                 mgc_random_layers(b->session, mgc_seeds[s].seed, SWEEP_DEPTH));
    mg_text_add(out, "], \"points\": [");
    for (uint32_t k = 0; k < b->points.len; k++) {
        const Point *p = &b->points.at[k];
        mg_textf(out,
                 "%s\n{\"sweep\": \"%s\", \"target\": \"%s\", \"mode\": \"%s\", \"size\": %u, "
                 "\"depth\": %u, \"ns\": %.1f, \"low_ns\": %.1f, \"high_ns\": %.1f, "
                 "\"gflops\": %.3f, \"samples\": %u, \"passes\": %llu}",
                 k ? "," : "", p->at.by_depth ? "depth" : "size", p->target, mode_names[p->mode],
                 p->at.n, p->at.depth, p->median, p->low, p->high, p->gflops, p->samples,
                 (unsigned long long)p->passes);
    }
    mg_text_add(out, "\n]}\n");
}

// The points of one line of the plot.
static MgcSeries series_of(const Bench *b, const char *target, MgMode mode, bool by_depth) {
    static const uint32_t styles[] = {[MG_MODE_IMMEDIATE] = 1,
                                      [MG_MODE_CACHED] = 4,
                                      [MG_MODE_GRAPH] = 5,
                                      [MG_MODE_FUSED] = 0,
                                      [MG_MODE_LOOP] = 2};
    MgArena *arena = b->session->arena;
    double *v[4];
    for (int i = 0; i < 4; i++)
        v[i] = MG_NEW_N(arena, double, b->points.len + 1);
    MgcSeries s = {.name = mode_names[mode],
                   .style = styles[mode],
                   .x = v[0],
                   .y = v[1],
                   .low = v[2],
                   .high = v[3]};
    for (uint32_t k = 0; k < b->points.len; k++) {
        const Point *p = &b->points.at[k];
        if (strcmp(p->target, target) != 0 || p->mode != mode || p->at.by_depth != by_depth)
            continue;
        v[0][s.n] = by_depth ? p->at.depth : p->at.n;
        v[1][s.n] = p->median * 1e-9;
        v[2][s.n] = p->low * 1e-9;
        v[3][s.n++] = p->high * 1e-9;
    }
    return s;
}

// Gives both targets the same scale, so that they can be compared at a glance.
static void share_range(const Bench *b, bool by_depth, MgcAxis *y) {
    double low = INFINITY, high = 0;
    for (uint32_t k = 0; k < b->points.len; k++)
        if (b->points.at[k].at.by_depth == by_depth) {
            low = fmin(low, b->points.at[k].low * 1e-9);
            high = fmax(high, b->points.at[k].high * 1e-9);
        }
    y->low = low / 1.5;
    y->high = high * 1.5;
}

static bool draw(Bench *b) {
    MgArena *arena = b->session->arena;
    MgcPanel *panels = MG_NEW_N(arena, MgcPanel, 2 * b->targets.len);
    uint32_t n = 0, columns = 0;
    for (uint32_t t = 0; t < b->targets.len; t++)
        for (int by_depth = 0; by_depth < 2; by_depth++) {
            MgcSeries *series = MG_NEW_N(arena, MgcSeries, b->modes.len);
            MgcPanel p = {
                .series = series,
                .x = {.log = true,
                      .title = by_depth ? "depth (layers)"
                                        : "tensor size n (matrices of n × n, batch n)"},
                .y = {.title = "time of one pass", .unit = MGC_UNIT_SECONDS, .log = true}};
            p.title = mg_arena_printf(
                arena, by_depth ? "%s: over depth, n = %u" : "%s: over tensor size, %u layers",
                !strcmp(b->targets.at[t], "cpu") ? "CPU"
                : b->device                      ? b->device
                                                 : "GPU",
                by_depth ? SWEEP_SIZE : SWEEP_DEPTH);
            for (uint32_t m = 0; m < b->modes.len; m++)
                series[p.n_series++] =
                    series_of(b, b->targets.at[t], b->modes.at[m], by_depth != 0);
            if (!series[0].n)
                continue;
            share_range(b, by_depth != 0, &p.y);
            panels[n++] = p;
            columns += t == 0;
        }
    MgcPlot plot = {
        .title = "One graph, five ways to run it",
        .subtitle = mg_arena_printf(
            arena,
            "Random graphs of linear layers and ReLU with softmax last, f32, half of the layers "
            "linear, %lld thread%s.\nGeometric mean over %lld seed%s of the median; bands and "
            "whiskers hold eight of ten samples.",
            (long long)b->options->threads, b->options->threads > 1 ? "s" : "",
            (long long)b->options->seeds, b->options->seeds > 1 ? "s" : ""),
        .panels = panels,
        .n_panels = n,
        .columns = columns};
    return mgc_plot_write(b->session, b->options->plot, &plot);
}

// ---------------------------------------------------------------- options
// Calls take(b, word) for each word of a list with commas; false if one is refused.
static bool each_word(Bench *b, const char *list, bool (*take)(Bench *b, const char *word)) {
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n && !take(b, mg_arena_str(b->session->arena, list, n)))
            return false;
        list += n + (list[n] == ',');
    }
    return true;
}

static bool take_number(const char *flag, const char *word, long low, long high, uint32_t *to) {
    char *end;
    long v = strtol(word, &end, 10);
    if (*end || end == word || v < low || v > high) {
        mgc_fail(2, "%s takes numbers from %ld to %ld, not '%s'", flag, low, high, word);
        return false;
    }
    *to = (uint32_t)v;
    return true;
}

static bool take_size(Bench *b, const char *word) {
    Place p = {.depth = SWEEP_DEPTH};
    if (!take_number("--sizes", word, 1, 8192, &p.n))
        return false;
    mg_push(b->session->arena, &b->places, p);
    return true;
}

static bool take_depth(Bench *b, const char *word) {
    Place p = {.n = SWEEP_SIZE, .by_depth = true};
    if (!take_number("--depths", word, 2, 4096, &p.depth))
        return false;
    mg_push(b->session->arena, &b->places, p);
    return true;
}

static bool take_mode(Bench *b, const char *word) {
    for (uint32_t m = 0; m < sizeof mode_names / sizeof *mode_names; m++)
        if (!strcmp(mode_names[m], word)) {
            mg_push(b->session->arena, &b->modes, (MgMode)m);
            return true;
        }
    mgc_fail(2, "--modes takes immediate, cached, graph, fused and loop, not '%s'", word);
    return false;
}

static bool take_target(Bench *b, const char *word) {
    if (strcmp(word, "cpu") && strcmp(word, "gpu")) {
        mgc_fail(2, "--targets takes cpu and gpu, not '%s'", word);
        return false;
    }
    mg_push(b->session->arena, &b->targets, word);
    return true;
}

static bool read_options(Bench *b) {
    const MgcOptions *o = b->options;
    return each_word(b, o->sizes ? o->sizes : "32,64,128,256,512,1024", take_size) &&
           each_word(b, o->depths ? o->depths : "4,8,16,32,64,128", take_depth) &&
           each_word(b, o->modes ? o->modes : "immediate,cached,graph,fused,loop", take_mode) &&
           each_word(b,
                     o->targets  ? o->targets
                     : o->target ? o->target
                                 : "cpu",
                     take_target);
}

static void remove_folder(const Bench *b) {
    static const char *const files[] = {"/net.mg", "/net.safetensors", ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = mg_arena_printf(b->session->arena, "%s%s", b->folder, files[i]);
        if (*files[i])
            unlink(path);
        else
            rmdir(path);
    }
}

// Prints the table so far, while the next rows are measured.
static int show(Bench *b, MgText *table) {
    const char *to = b->options->output;
    if (to && strcmp(to, "-") != 0)
        return 0; // a file is written at the end
    wipe_progress();
    int status = mgc_put(b->session, b->options, mg_text_str(table), table->bytes.len);
    table->bytes.len = 0;
    return status;
}

static int bench(MgSession *session, const MgcOptions *options) {
    Bench b = {.session = session, .options = options};
    if (strcmp(options->file, "graphs") != 0)
        return mgc_fail(2, "there is no benchmark '%s'; the only one is graphs", options->file);
    if (!read_options(&b))
        return 2;
    int status = mgc_plot_check(session, options->plot);
    if (status)
        return status;
    b.folder = mg_arena_printf(session->arena, "%s/mg-bench-XXXXXX", mg_temporary_folder());
    if (!mkdtemp(b.folder))
        return mgc_fail(1, "cannot make a folder like %s: set TMPDIR", b.folder);
    MgText out = mg_text(session->arena);
    if (!options->json)
        print_head(&b, &out);
    for (uint32_t i = 0; i < b.places.len && !status; i++) {
        uint32_t first = b.points.len;
        status = measure_place(&b, &b.places.at[i]);
        if (status || options->json)
            continue;
        print_rows(&b, first, &out);
        status = show(&b, &out);
    }
    wipe_progress();
    remove_folder(&b);
    if (status)
        return status;
    if (options->json)
        print_json(&b, &out);
    if (options->plot && !draw(&b))
        return 1;
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_bench(const MgcOptions *options) {
    return mgc_in_session(options, bench);
}
