// Writes the report's data as JSON, and the page around it. The image lacks the memory plan and the
// ops before and after the passes, so the graph is compiled once more in the model's session.
// Compiling is deterministic, so the result is what ran.
#include "tools/report.h"

#include "runtime/steps.h"
#include "support/files.h"
#include "tools/recompile.h"
#include "tools/show.h"

#include <stdlib.h>

enum { MOST_SPANS = 20000 }; // of the timeline

static void add_string(MgText *out, const char *field, const char *text) {
    mg_textf(out, ",\n\"%s\": ", field);
    mgc_json_string(out, text);
}

// ---------------------------------------------------------------- what ran, where
static void add_run(const MgcRuns *m, MgText *out) {
    double *sorted = mg_arena_copy(m->arena, m->runs.at, m->runs.len, sizeof *sorted);
    qsort(sorted, m->runs.len, sizeof *sorted, mgc_by_value);
    mg_textf(out, ",\n\"runs\": {\"n\": %u", m->runs.len);
    static const struct {
        const char *name;
        double p;
    } of[] = {{"min", 0}, {"p50", 0.5}, {"p90", 0.9}, {"max", 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        mg_textf(out, ", \"%s\": %.1f", of[i].name, mgc_percentile(sorted, m->runs.len, of[i].p));
    mg_text_add(out, "}");
}

static void add_limits(const MgcProfile *p, MgText *out) {
    MgcRoof roofs[MGC_LEVELS];
    uint32_t n = mgc_roofs(p->limits, p->workers, roofs);
    mg_textf(out, ",\n\"limits\": {\"peak\": %.6g, \"roofs\": [", mgc_peak(p->limits, p->workers));
    for (uint32_t i = 0; i < n; i++) {
        mg_textf(out, "%s{\"name\": ", i ? ", " : "");
        mgc_json_string(out, roofs[i].name);
        mg_textf(out, ", \"rate\": %.6g, \"capacity\": %.0f}", roofs[i].rate, roofs[i].capacity);
    }
    mg_text_add(out, "], \"bounds\": {");
    for (int b = 0; b < MGC_N_BOUNDS; b++) {
        mg_textf(out, "%s\"%s\": ", b ? ", " : "", mgc_bounds[b].name);
        mgc_json_string(out, mgc_bounds[b].meaning);
    }
    mg_text_add(out, "}, \"note\": ");
    mgc_json_string(out, mgc_limits_note(out->arena, p->limits));
    mg_text_add(out, "}");
}

static void add_setting(const MgcOptions *o, const MgInstance *instance, uint32_t workers,
                        MgText *out) {
    static const char *const modes[] = {[MG_MODE_FUSED] = "fused",
                                        [MG_MODE_GRAPH] = "graph",
                                        [MG_MODE_CACHED] = "cached",
                                        [MG_MODE_IMMEDIATE] = "immediate",
                                        [MG_MODE_LOOP] = "loop"};
    const MgModel *m = instance->model;
    add_string(out, "graph", mg_model_graph(m));
    add_string(out, "file", o->file);
    mg_textf(out, ",\n\"setting\": \"%s, -O%d%s, mode %s",
             m->options.interpret ? "reference interpreter"
             : m->device          ? "gpu"
                                  : "cpu",
             (int)m->options.level, m->options.strict ? ", strict" : "", modes[m->options.mode]);
    if (!m->device)
        mg_textf(out, ", %u thread%s", workers, workers == 1 ? "" : "s");
    mg_text_add(out, "\"");
}

// ---------------------------------------------------------------- the timeline
// The run with the median time.
static uint32_t typical_run(const MgcRuns *m) {
    double *sorted = mg_arena_copy(m->arena, m->runs.at, m->runs.len, sizeof *sorted);
    qsort(sorted, m->runs.len, sizeof *sorted, mgc_by_value);
    for (uint32_t r = 0; r < m->runs.len; r++)
        if (m->runs.at[r] == sorted[m->runs.len / 2])
            return r;
    return 0;
}

static int32_t row_of(const MgcProfile *p, const MgTiming *t) {
    for (uint32_t i = 0; i < p->n_rows && t->kind == MG_TIMING_KERNEL; i++)
        if (p->rows[i].kernel->site == t->site)
            return (int32_t)i;
    return -1;
}

// [lane, begin, nanoseconds, row of the table or -1, its name if it has no row]
static void add_span(const MgcProfile *p, const MgTiming *t, uint64_t start, bool device,
                     MgText *out) {
    static const char *const lanes[] = {[MG_TIMING_CALL] = "run",
                                        [MG_TIMING_BIND] = "host",
                                        [MG_TIMING_COMPILE] = "host",
                                        [MG_TIMING_LAUNCH] = "host",
                                        [MG_TIMING_TRANSFER] = "transfers"};
    int32_t row = row_of(p, t);
    if (t->kind != MG_TIMING_KERNEL)
        mg_textf(out, "[\"%s\"", lanes[t->kind]);
    else if (device)
        mg_text_add(out, "[\"device\"");
    else
        mg_textf(out, "[\"worker %u\"", t->worker);
    mg_textf(out, ", %llu, %llu, %d", (unsigned long long)(t->begin - start),
             (unsigned long long)(t->end - t->begin), row);
    if (row < 0) {
        mg_text_add(out, ", ");
        mgc_json_string(out, mg_arena_printf(out->arena, "%s: %s", mgc_timing_kind(t), t->name));
    }
    mg_text_add(out, "]");
}

static void add_timeline(const MgcRuns *m, const MgcProfile *p, bool device, MgText *out) {
    uint32_t run = typical_run(m), first = run ? m->ends.at[run - 1] : 0, n = 0;
    uint32_t last = m->ends.len ? m->ends.at[run] : 0;
    uint64_t start = UINT64_MAX;
    for (uint32_t k = first; k < last; k++)
        start = m->records.at[k].begin < start ? m->records.at[k].begin : start;
    mg_textf(out, ",\n\"timeline\": {\"run\": %u, \"spans\": [", run + 1);
    for (uint32_t k = first; k < last && n < MOST_SPANS; k++, n++) {
        mg_text_add(out, n ? ",\n" : "\n");
        add_span(p, &m->records.at[k], start, device, out);
    }
    mg_textf(out, "], \"left_out\": %u}", last - first - n);
}

// ---------------------------------------------------------------- the compiler's graph and memory
typedef struct Stages {
    MgInstance *instance;
    MgText graphs, memory; // JSON fields; SVG, or empty
    const char *why;       // why there is no picture of the memory; or NULL
} Stages;

static void look(void *ctx, MgGraph *g, const MgCompileSettings *settings) {
    Stages *s = ctx;
    const MgModel *m = s->instance->model;
    mg_text_add(&s->graphs, ",\n\"graphs\": [");
    mgc_report_graph(g, &s->graphs);
    if (m->options.interpret || mg_mode_by_op(m->options.mode))
        s->why = m->options.interpret ? "The reference interpreter has no memory plan."
                                      : "In this mode every op is compiled alone.";
    else if (mg_compile_passes(g, settings)) {
        mg_text_add(&s->graphs, ",\n");
        mgc_report_graph(g, &s->graphs);
        MgProgram *program = mg_compile_schedule(g, settings);
        if (!program || !mg_memplan_svg(program, &s->memory))
            s->why = "Where its blocks lie depends on dimensions that data decide.";
    }
    mg_text_add(&s->graphs, "]");
}

// ---------------------------------------------------------------- the page
// A part of the page: {{NAME}} in a template is replaced by the text of that name.
typedef struct Part {
    const char *name;
    const char *text;
    size_t length;
} Part;

static void fill(const char *at, const Part *parts, size_t n, MgText *out) {
    for (const char *mark; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        mg_text_add_n(out, at, (size_t)(mark - at));
        for (size_t i = 0; i < n; i++)
            if (!strncmp(mark + 2, parts[i].name, strlen(parts[i].name)))
                mg_text_add_n(out, parts[i].text, parts[i].length);
    }
    mg_text_add(out, at);
}

// Escapes `<`, which occurs only inside strings of the JSON, so that no string ends the page's
// element.
static void add_safe(MgText *out, const MgText *json) {
    for (uint32_t i = 0; i < json->bytes.len; i++)
        if (json->bytes.at[i] == '<')
            mg_text_add(out, "\\u003c");
        else
            mg_text_add_n(out, json->bytes.at + i, 1);
}

bool mgc_report_write(MgSession *session, const char *path, const MgcOptions *options,
                      MgInstance *instance, const MgcRuns *runs, const MgcProfile *profile) {
    MgArena *arena = session->arena;
    Stages s = {
        .instance = instance, .graphs = mg_text(instance->model->session->arena), .why = NULL};
    s.memory = s.graphs;
    if (!mgc_recompile(instance, session, look, &s))
        return false;
    MgText json = mg_text(arena), safe = json, page = json;
    mg_text_add(&json, "{\"machine\": ");
    mgc_json_string(&json, profile->limits->machine);
    add_setting(options, instance, profile->workers, &json);
    add_run(runs, &json);
    add_limits(profile, &json);
    mg_text_add(&json, ",\n\"kernels\": ");
    mgc_profile_json(profile, &json);
    add_timeline(runs, profile, instance->model->device, &json);
    mg_text_add_n(&json, s.graphs.bytes.at, s.graphs.bytes.len);
    add_string(&json, "no_memory", s.why ? s.why : "");
    mg_text_add(&json, "}");
    add_safe(&safe, &json);
    const Part parts[] = {{"style", mgc_report_css, strlen(mgc_report_css)},
                          {"script", mgc_report_js, strlen(mgc_report_js)},
                          {"memory", s.memory.bytes.at, s.memory.bytes.len},
                          {"data", safe.bytes.at, safe.bytes.len}};
    fill(mgc_report_html, parts, sizeof parts / sizeof *parts, &page);
    return mg_file_write(session, path, &(MgBytes){page.bytes.at, page.bytes.len}, 1);
}
