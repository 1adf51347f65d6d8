// mgc tune: schedules choose their parameters (passes/schedule/params.def) by rules. This command
// measures other values on this machine and keeps the faster ones in a file that later builds read.
//
// Parameters are searched one after another. Each candidate value is given to all kernels that have
// the parameter, and each kernel keeps the value that made it fastest. So a search costs one
// compilation per candidate, not per kernel and candidate. At the end the values found are measured
// once more in turn with the rules, and those that are still faster are kept.
//
// With --seconds the search continues: in each round every kernel changes one of its values at
// random, and the changed kernels are measured in turn with the best so far. This finds better
// values where a search of one parameter after another gets stuck.
#include "tools/measure.h"
#include "tools/mgc.h"

#include "runtime/context.h"
#include "runtime/instance.h"
#include "runtime/tuned.h"
#include "support/files.h"
#include "tools/profile.h"
#include "tools/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_RUNS = 5, MOST_RUNS = 200, CHECKS = 3 };
#define RUNS_NS 3e7   // the time for which a candidate runs, unless LEAST_RUNS takes longer
#define WORTH_IT 0.98 // of the time before; a smaller gain is noise

typedef struct Unit {
    uint64_t key;
    const char *name, *schedule, *place; // of its first kernel
    double by_rules, best;               // ns
} Unit;

typedef struct Site { // a site of the measured program, in one run
    double begin, end;
    double least; // the shortest of all runs, in ns
} Site;

typedef struct Tune {
    MgSession *session;
    const MgcOptions *options;
    MgContext *context;
    MgTensor **inputs;
    MgTuneLog log;
    MG_VEC(Unit) units;
    MG_VEC(MgTuned) asked; // what the program of the rules asked for
    MG_VEC(MgTuned) best;
    Site *sites;
    uint32_t n_sites;
    double *times; // by unit, of the latest measurement
    uint64_t end;  // the end of the search, ns; 0: it ends after one pass over all parameters
    uint64_t drawn;
    uint32_t rounds;
} Tune;

// ---------------------------------------------------------------- measuring
static Unit *unit_of(Tune *t, uint64_t key) {
    for (uint32_t i = 0; i < t->units.len; i++)
        if (t->units.at[i].key == key)
            return &t->units.at[i];
    return NULL;
}

static void note(void *context, const MgTiming *timing) {
    Tune *t = context;
    if (timing->kind != MG_TIMING_KERNEL || timing->site >= t->log.sites.len)
        return;
    Site *site = &t->sites[timing->site];
    site->begin = fmin(site->begin, (double)timing->begin);
    site->end = fmax(site->end, (double)timing->end);
    Unit *unit = unit_of(t, t->log.sites.at[timing->site]);
    if (unit && !unit->name) {
        MgArena *arena = t->session->arena;
        unit->name = mg_arena_printf(arena, "%s", timing->name);
        unit->schedule = mg_arena_printf(arena, "%s", timing->schedule);
        unit->place = mg_arena_printf(arena, "%s", timing->place);
    }
}

static int failed(MgStatus status, const char *message) {
    fputs(message, stderr);
    return status == MG_OUT_OF_MEMORY ? 1 : (int)status;
}

// Runs until the time is over, and keeps the shortest time of each site.
static MgStatus run(Tune *t, MgInstance *instance) {
    MgStatus status = MG_OK;
    double spent = 0;
    uint64_t first = mg_now_ns();
    for (uint64_t i = 0; !status && !mgc_is_warm(i, (double)(mg_now_ns() - first)); i++)
        status = mg_run(instance);
    t->n_sites = t->log.sites.len;
    t->sites = MG_NEW_N(t->session->arena, Site, t->n_sites + 1);
    for (uint32_t s = 0; s < t->n_sites; s++)
        t->sites[s].least = INFINITY;
    mg_set_timing(instance, note, t);
    for (int i = 0; i < MOST_RUNS && !status && (i < LEAST_RUNS || spent < RUNS_NS); i++) {
        for (uint32_t s = 0; s < t->n_sites; s++) {
            t->sites[s].begin = INFINITY;
            t->sites[s].end = 0;
        }
        uint64_t begin = mg_now_ns();
        status = mg_run(instance);
        spent += (double)(mg_now_ns() - begin);
        for (uint32_t s = 0; s < t->n_sites; s++)
            if (t->sites[s].end > 0)
                t->sites[s].least = fmin(t->sites[s].least, t->sites[s].end - t->sites[s].begin);
    }
    return status;
}

// Finds the parameters to search: those for which the first program asked.
static void find_units(Tune *t) {
    MgArena *arena = t->session->arena;
    for (uint32_t s = 0; s < t->log.sites.len; s++)
        if (t->log.sites.at[s] && !unit_of(t, t->log.sites.at[s]))
            mg_push(arena, &t->units, (Unit){.key = t->log.sites.at[s]});
    for (uint32_t i = 0; i < t->log.asked.len; i++)
        if (unit_of(t, t->log.asked.at[i].unit))
            mg_push(arena, &t->asked, t->log.asked.at[i]);
    t->times = MG_NEW_N(arena, double, t->units.len + 1);
}

static int load(Tune *t, MgModel **model) {
    const MgcOptions *o = t->options;
    MgCompileOptions compile = mgc_compile_options(o);
    compile.tuned = "";
    MgStatus status = mg_model_load(t->context, o->file, &compile, model);
    return status ? failed(status, mg_context_message(t->context)) : 0;
}

// Compiles with these values and runs. t->times becomes the times of the units. Returns the exit
// status.
static int measure(Tune *t, const MgTuned *values, uint32_t n) {
    MgModel *model = NULL;
    MgInstance *instance = NULL;
    int status = load(t, &model);
    if (status)
        return status;
    model->tuning = (MgTuning){values, n, &t->log};
    MgStatus ran = mg_instance_new(model, t->context, &instance);
    for (uint32_t i = 0; i < mg_model_inputs(model) && !ran; i++)
        ran = mg_bind_input_tensor(instance, i, t->inputs[i]);
    if (!ran)
        ran = mg_run(instance);
    if (!ran && !t->times)
        find_units(t);
    if (!ran)
        ran = run(t, instance);
    status = ran ? failed(ran, mg_instance_message(instance)) : 0;
    for (uint32_t i = 0; i < t->units.len && !status; i++) {
        t->times[i] = 0;
        for (uint32_t s = 0; s < t->n_sites; s++)
            if (t->log.sites.at[s] == t->units.at[i].key && t->sites[s].least < INFINITY)
                t->times[i] += t->sites[s].least;
    }
    mg_instance_free(instance);
    mg_model_release(model);
    return status;
}

// ---------------------------------------------------------------- the search
static int64_t value_of(const Tune *t, uint64_t unit, MgParam param, int64_t otherwise) {
    for (uint32_t i = 0; i < t->best.len; i++)
        if (t->best.at[i].unit == unit && t->best.at[i].param == param)
            return t->best.at[i].value;
    return otherwise;
}

static void set_value(Tune *t, MgTuned value) {
    for (uint32_t i = 0; i < t->best.len; i++)
        if (!mg_tuned_order(&t->best.at[i], &value)) {
            t->best.at[i].value = value.value;
            return;
        }
    mg_push(t->session->arena, &t->best, value);
    qsort(t->best.at, t->best.len, sizeof *t->best.at, mg_tuned_order);
}

// Fills *to with the best values so far, and gives the candidate value to every unit that has
// another value of the parameter. Returns the number of these units.
static uint32_t candidate(Tune *t, MgParam param, int64_t value, MgTuning *to) {
    MG_VEC(MgTuned) all = {0};
    uint32_t changed = 0;
    for (uint32_t i = 0; i < t->best.len; i++)
        if (t->best.at[i].param != param)
            mg_push(t->session->arena, &all, t->best.at[i]);
    for (uint32_t i = 0; i < t->asked.len; i++) {
        MgTuned a = t->asked.at[i];
        if (a.param != param)
            continue;
        changed += value_of(t, a.unit, param, a.value) != value;
        mg_push(t->session->arena, &all, (MgTuned){a.unit, param, value});
    }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, mg_tuned_order);
    *to = (MgTuning){all.at, all.len, NULL};
    return changed;
}

static int try_param(Tune *t, MgParam param) {
    int64_t *found = MG_NEW_N(t->session->arena, int64_t, t->units.len + 1); // 0: nothing
    bool measured = false;
    const char *at = mg_params[param].candidates;
    for (char *end; *at; at = end) {
        int64_t value = strtoll(at, &end, 10);
        MgTuning tuning;
        if (!candidate(t, param, value, &tuning))
            continue;
        int status = measured ? 0 : measure(t, t->best.at, t->best.len); // as things are now
        for (uint32_t i = 0; i < t->units.len && !measured && !status; i++)
            t->units.at[i].best = t->times[i];
        measured = true;
        if (status || (status = measure(t, tuning.at, tuning.n)))
            return status;
        for (uint32_t i = 0; i < t->units.len; i++)
            if (t->times[i] < WORTH_IT * t->units.at[i].best) {
                t->units.at[i].best = t->times[i];
                found[i] = value;
            }
    }
    for (uint32_t i = 0; i < t->asked.len; i++) {
        MgTuned a = t->asked.at[i];
        int64_t value = found[unit_of(t, a.unit) - t->units.at];
        if (a.param == param && value)
            set_value(t, (MgTuned){a.unit, param, value});
    }
    return 0;
}

// Measures the rules and the best values in turn, and drops values that are not faster.
static int check(Tune *t) {
    for (uint32_t i = 0; i < t->units.len; i++)
        t->units.at[i].by_rules = t->units.at[i].best = INFINITY;
    for (int k = 0; k < 2 * CHECKS; k++) {
        int status = k % 2 ? measure(t, t->best.at, t->best.len) : measure(t, NULL, 0);
        if (status)
            return status;
        for (uint32_t i = 0; i < t->units.len; i++) {
            Unit *u = &t->units.at[i];
            double *least = k % 2 ? &u->best : &u->by_rules;
            *least = fmin(*least, t->times[i]);
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->best.len; i++) {
        const Unit *u = unit_of(t, t->best.at[i].unit);
        if (u->best < WORTH_IT * u->by_rules)
            t->best.at[kept++] = t->best.at[i];
    }
    t->best.len = kept;
    for (uint32_t i = 0; i < t->units.len; i++)
        if (t->units.at[i].best >= WORTH_IT * t->units.at[i].by_rules)
            t->units.at[i].best = t->units.at[i].by_rules;
    return 0;
}

// ---------------------------------------------------------------- what was found
static const char *words_of(const Tune *t, uint64_t unit) {
    MgText text = mg_text(t->session->arena);
    for (uint32_t i = 0; i < t->best.len; i++)
        if (t->best.at[i].unit == unit)
            mg_textf(&text, "%s%s=%lld", text.bytes.len ? " " : "",
                     mg_params[t->best.at[i].param].name, (long long)t->best.at[i].value);
    return mg_text_str(&text);
}

static void print(const Tune *t, const char *path) {
    double by_rules = 0, best = 0;
    MgArena *arena = t->session->arena;
    // µ is two bytes of one column
    printf("%-24s %-14s %13s %13s %6s  %s\n", "kernel", "schedule", "by rules, µs", "tuned, µs",
           "ratio", "parameters");
    for (uint32_t i = 0; i < t->units.len; i++) {
        const Unit *u = &t->units.at[i];
        by_rules += u->by_rules;
        best += u->best;
        if (u->name)
            printf("%-24s %-14s %12.3f %12.3f %6.3f  %s\n", u->name, u->schedule, u->by_rules / 1e3,
                   u->best / 1e3, u->best / u->by_rules, words_of(t, u->key));
    }
    printf("%u kernel%s with parameters: the rules take %s, the best found %s, %.3f of it; kept in "
           "%s\n",
           t->units.len, mg_plural(t->units.len), mgc_duration(arena, by_rules),
           mgc_duration(arena, best), by_rules > 0 ? best / by_rules : 1, path);
}

// Keeps the values of other units in the file.
static int keep(Tune *t, const char *path, const MgCache *cache) {
    MgArena *arena = t->session->arena;
    MgTuning old = {0};
    MG_VEC(MgTuned) all = {0};
    if (t->options->output)
        mg_tuned_read(t->session, path, true, &old);
    else
        mg_tuned_find(t->session, NULL, cache, &old);
    for (uint32_t i = 0; i < old.n; i++)
        if (!unit_of(t, old.at[i].unit))
            mg_push(arena, &all, old.at[i]);
    for (uint32_t i = 0; i < t->best.len; i++)
        mg_push(arena, &all, t->best.at[i]);
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, mg_tuned_order);
    const char **notes = MG_NEW_N(arena, const char *, all.len + 1);
    for (uint32_t i = 0; i < all.len; i++) {
        const Unit *u = unit_of(t, all.at[i].unit);
        if (u && u->name)
            notes[i] =
                mg_arena_printf(arena, "%s %s: %s, by rules %s", u->schedule, u->name,
                                mgc_duration(arena, u->best), mgc_duration(arena, u->by_rules));
    }
    MgText text = mg_text(arena);
    char name[128];
    mgc_machine_name(name, sizeof name);
    mg_tuned_print(t->session, name, &(MgTuning){all.at, all.len, NULL}, notes, &text);
    MgBytes bytes = {text.bytes.at, text.bytes.len};
    return !(t->options->output ? mg_file_write : mg_file_write_private)(t->session, path, &bytes,
                                                                         1);
}

// ---------------------------------------------------------------- drawn changes
static bool is_over(const Tune *t) {
    return t->end && mg_now_ns() >= t->end;
}

static uint32_t draw(Tune *t, uint32_t n) {
    t->drawn = mg_hash_mix(t->drawn, 0x9e3779b97f4a7c15u);
    return (uint32_t)(t->drawn >> 32) % n;
}

// A candidate of the parameter, or a value near that of the unit.
static int64_t draw_value(Tune *t, MgParam param, int64_t now) {
    const MgParamRow *row = &mg_params[param];
    int64_t values[64], n = 0;
    const char *at = row->candidates;
    for (char *end; *at && n < 60; at = end)
        values[n++] = strtoll(at, &end, 10);
    const int64_t near[] = {now - 1, now + 1, now / 2, now < row->most / 2 ? now * 2 : now};
    for (int i = 0; i < 4; i++)
        if (near[i] >= row->least && near[i] <= row->most)
            values[n++] = near[i];
    return values[draw(t, (uint32_t)n)];
}

// The best values so far, with one value of each unit changed; `changes` has the changes by unit.
static MgTuning draw_changes(Tune *t, MgTuned *changes) {
    MgArena *arena = t->session->arena;
    MG_VEC(MgTuned) all = {0};
    for (uint32_t i = 0; i < t->best.len; i++)
        mg_push(arena, &all, t->best.at[i]);
    for (uint32_t u = 0; u < t->units.len; u++) {
        uint32_t n = 0, first = 0;
        for (uint32_t i = 0; i < t->asked.len; i++)
            n += t->asked.at[i].unit == t->units.at[u].key;
        uint32_t which = n ? draw(t, n) : 0;
        while (n && (t->asked.at[first].unit != t->units.at[u].key || which--))
            first++;
        if (!n)
            continue;
        MgTuned a = t->asked.at[first];
        a.value = draw_value(t, a.param, value_of(t, a.unit, a.param, a.value));
        changes[u] = a;
        uint32_t place = 0;
        while (place < all.len && mg_tuned_order(&all.at[place], &a))
            place++;
        if (place == all.len)
            mg_push(arena, &all, a);
        all.at[place] = a;
    }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, mg_tuned_order);
    return (MgTuning){all.at, all.len, NULL};
}

// One round. The best so far is measured in the same minute as the changes, since a machine's speed
// varies.
static int try_changes(Tune *t) {
    MgArena *arena = t->session->arena;
    MgTuned *changes = MG_NEW_N(arena, MgTuned, t->units.len + 1);
    double *before = MG_NEW_N(arena, double, t->units.len + 1);
    MgTuning tuning = draw_changes(t, changes);
    int status = measure(t, t->best.at, t->best.len);
    memcpy(before, t->times, t->units.len * sizeof *before);
    if (status || (status = measure(t, tuning.at, tuning.n)))
        return status;
    for (uint32_t u = 0; u < t->units.len; u++)
        if (changes[u].unit && t->times[u] < WORTH_IT * before[u])
            set_value(t, changes[u]);
    t->rounds++;
    return 0;
}

static int search(Tune *t) {
    t->end = t->options->seconds ? mg_now_ns() + (uint64_t)t->options->seconds * 1000000000 : 0;
    int status = measure(t, NULL, 0);
    for (int p = 0; p < MG_N_PARAMS && !status && !is_over(t); p++)
        status = try_param(t, (MgParam)p);
    while (!status && t->end && t->asked.len && !is_over(t))
        status = try_changes(t);
    return status ? status : check(t);
}

static int begin(Tune *t) {
    const MgcOptions *o = t->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = ""};
    MgStatus status = mg_context_new(&context, &t->context);
    if (status)
        return failed(status, mg_context_message(t->context));
    t->context->tune_log = &t->log;
    MgModel *model = NULL;
    int loaded = load(t, &model);
    if (loaded)
        return loaded;
    t->inputs = MG_NEW_N(t->session->arena, MgTensor *, mg_model_inputs(model) + 1);
    loaded = mgc_inputs(t->session->arena, t->context, model, o, t->inputs);
    mg_model_release(model);
    return loaded;
}

static int tune(MgSession *session, const MgcOptions *options) {
    Tune t = {.session = session, .options = options, .log = {.arena = session->arena}};
    MgCache *cache = options->output ? NULL : mgc_cache_open(options);
    const char *path = options->output ? options->output : mg_tuned_default(session, cache);
    MgcProgress *progress = mgc_progress_begin("tuning", options->file);
    int status =
        !path ? mgc_fail(2, "there is no cache folder to keep the results in: name a file with -o")
        : mg_file_writable(session, path) ? begin(&t)
                                          : 1;
    if (!status)
        status = search(&t);
    mgc_progress_end(progress);
    if (!status && !(status = keep(&t, path, cache)))
        print(&t, path);
    for (uint32_t i = 0; t.inputs && t.inputs[i]; i++)
        mg_tensor_release(t.inputs[i]);
    mg_context_free(t.context);
    mg_cache_close(cache);
    return status;
}

int mgc_tune(const MgcOptions *options) {
    if (options->target && strcmp(options->target, "cpu") != 0)
        return mgc_fail(2, "the schedules of the CPU have parameters to tune, not those of %s",
                        options->target);
    return mgc_in_session(options, tune);
}
