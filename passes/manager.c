// The pass manager: pipelines by level or by name, printing, timing, verifying, reproducing.
#include "passes/pass.h"

#include <time.h>

static const MgPassRow rows[] = {
#define MG_PASS(name, function, level, documentation) {name, function, level, documentation},
#define MG_PIPELINE(level, passes)
#include "passes/passes.def"
#undef MG_PASS
#undef MG_PIPELINE
};
#define N_ROWS (sizeof rows / sizeof *rows)

static const char *const pipelines[] = {
#define MG_PASS(name, function, level, documentation)
#define MG_PIPELINE(level, passes) [level] = passes,
#include "passes/passes.def"
#undef MG_PASS
#undef MG_PIPELINE
};
#define N_PIPELINES (sizeof pipelines / sizeof *pipelines)

const char *mg_passes_of_level(uint32_t level) {
    return pipelines[level < N_PIPELINES ? level : N_PIPELINES - 1];
}

static const MgPassRow *find(const char *name, size_t length) {
    for (size_t i = 0; i < N_ROWS; i++)
        if (strlen(rows[i].name) == length && !memcmp(rows[i].name, name, length))
            return &rows[i];
    return NULL;
}

const MgPassRow *mg_pass_of_name(const char *name) {
    return find(name, strlen(name));
}

void mg_passes_list(MgText *out) {
    for (size_t i = 0; i < N_ROWS; i++)
        mg_textf(out, "%-14s -O%u  %s\n", rows[i].name, rows[i].level, rows[i].documentation);
    for (uint32_t level = 0; level < N_PIPELINES; level++)
        mg_textf(out, "-O%u: %s\n", level, *pipelines[level] ? pipelines[level] : "none");
}

// ---------------------------------------------------------------- one graph

typedef MG_VEC(const MgPassRow *) Pipeline;

typedef struct Manager {
    MgGraph *g;
    const MgPassOptions *options;
    MgArena *arena;
    Pipeline pipeline;
    double *seconds; // parallel to pipeline
} Manager;

const char *mg_pass_near(const char *name) {
    const char *candidates[N_ROWS];
    for (size_t i = 0; i < N_ROWS; i++)
        candidates[i] = rows[i].name;
    int nearest = mg_nearest(name, candidates, N_ROWS);
    return nearest < 0 ? NULL : candidates[nearest];
}

static bool unknown_pass(Manager *m, const char *name, size_t length) {
    const char *text = mg_arena_str(m->arena, name, length), *near = mg_pass_near(text);
    mg_diag(m->g->module->session, mg_no_span(), MG_D_pass_unknown, text,
            near ? mg_arena_printf(m->arena, " (did you mean '%s'?)", near) : "");
    return false;
}

static bool read_pipeline(Manager *m) {
    const char *at = m->options->passes;
    if (!at)
        at = mg_passes_of_level(m->options->level);
    while (*at) {
        size_t n = strcspn(at, ",");
        const MgPassRow *row = find(at, n);
        if (!row && n)
            return unknown_pass(m, at, n);
        if (row)
            mg_push(m->arena, &m->pipeline, row);
        at += n + (at[n] == ',');
    }
    return true;
}

static bool is_named(const char *const *names, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static void put(Manager *m, MgText *text) {
    const char *bytes = mg_text_str(text);
    if (m->options->put)
        m->options->put(m->options->ctx, bytes, text->bytes.len);
}

static void print(Manager *m, const char *when, const char *pass) {
    MgText text = mg_text(m->arena);
    mg_textf(&text, "// %s %s\nmg 1\n", when, pass);
    mg_graph_print(m->g, &m->options->print, &text);
    put(m, &text);
}

static MgText reproducer(Manager *m, const MgPassRow *row) {
    MgText text = mg_text(m->arena);
    MgPrintOptions all = {.origins = true, .annotations = true, .inline_const = SIZE_MAX};
    mg_textf(&text, "// the IR before %s; replay with --passes=%s --verify-each -O%u%s\nmg 1\n",
             row->name, row->name, m->options->level, m->options->strict ? " --strict" : "");
    mg_graph_print(m->g, &all, &text);
    mg_text_str(&text);
    return text;
}

static bool must_verify(const MgPassOptions *options) {
#ifdef NDEBUG
    return options->verify_each;
#else
    (void)options;
    return true;
#endif
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool run_pass(Manager *m, uint32_t number) {
    const MgPassRow *row = m->pipeline.at[number];
    const MgPassOptions *o = m->options;
    MgText before = mg_text(m->arena);
    if (o->before || (o->broken && must_verify(o)))
        before = reproducer(m, row);
    if (o->before)
        o->before(o->ctx, row->name, before.bytes.at, before.bytes.len);
    if (is_named(o->print_before, o->n_print_before, row->name))
        print(m, "before", row->name);
    MgPassContext context = {
        .scratch = mg_arena_new(mg_arena_mem(m->arena)), .level = o->level, .strict = o->strict};
    double begin = now();
    bool changed = row->run(m->g, &context);
    m->seconds[number] = now() - begin;
    mg_arena_free(context.scratch);
    if (o->print_after_all || (o->print_changed && changed) ||
        is_named(o->print_after, o->n_print_after, row->name))
        print(m, changed ? "after" : "unchanged by", row->name);
    if (!must_verify(o) || mg_graph_verify(m->g))
        return true;
    mg_diag(m->g->module->session, mg_no_span(), MG_D_pass_broke, row->name);
    if (o->broken)
        o->broken(o->ctx, row->name, before.bytes.at, before.bytes.len);
    return false;
}

static void print_times(Manager *m) {
    MgText text = mg_text(m->arena);
    double sum = 0;
    for (uint32_t i = 0; i < m->pipeline.len; i++) {
        mg_textf(&text, "%10.3f ms  %s\n", m->seconds[i] * 1e3, m->pipeline.at[i]->name);
        sum += m->seconds[i];
    }
    mg_textf(&text, "%10.3f ms  all passes of %s\n", sum * 1e3,
             mg_name(m->g->module->session->names, m->g->name));
    put(m, &text);
}

bool mg_passes_run(MgGraph *g, const MgPassOptions *options) {
    MgArena *arena = mg_arena_new(mg_arena_mem(g->module->arena));
    Manager m = {.g = g, .options = options, .arena = arena};
    bool ok = read_pipeline(&m) && (!must_verify(options) || mg_graph_verify(g));
    m.seconds = MG_NEW_N(arena, double, m.pipeline.len);
    for (uint32_t i = 0; i < m.pipeline.len && ok; i++)
        ok = run_pass(&m, i);
    if (ok && options->time_passes)
        print_times(&m);
    mg_arena_free(arena);
    return ok;
}

bool mg_module_passes_run(MgModule *module, const MgPassOptions *options) {
    bool ok = true;
    for (uint32_t i = 0; i < module->graphs.len && ok; i++)
        ok = mg_passes_run(module->graphs.at[i], options);
    return ok;
}
