// The pass manager: it chooses a pipeline by level or by name and runs it. It also prints, times,
// verifies and reproduces what the passes do.
#include "passes/guards.h"
#include "passes/rules.h"
#include "support/clock.h"
#include "support/diff.h"

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

static bool fuses(const MgPassRow *row) {
    static const char *const fusing[] = {
#define MG_PASS(name, function, level, documentation)
#define MG_PIPELINE(level, passes)
#define MG_FUSING(name) name,
#include "passes/passes.def"
#undef MG_PASS
#undef MG_PIPELINE
#undef MG_FUSING
    };
    for (size_t i = 0; i < sizeof fusing / sizeof *fusing; i++)
        if (!strcmp(fusing[i], row->name))
            return true;
    return false;
}

const char *mg_passes_of_level(uint32_t level) {
    return pipelines[level < N_PIPELINES ? level : N_PIPELINES - 1];
}

static const MgPassRow *find_in(const MgPassRow *list, size_t n, const char *name, size_t length) {
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i].name) == length && !memcmp(list[i].name, name, length))
            return &list[i];
    return NULL;
}

static const MgPassRow *find(const MgPassList *more, const char *name, size_t length) {
    const MgPassRow *row = more ? find_in(more->rows, more->n, name, length) : NULL;
    return row ? row : find_in(rows, N_ROWS, name, length);
}

const MgPassRow *mg_pass_of_name(const char *name, const MgPassList *more) {
    return find(more, name, strlen(name));
}

static void list_rows(const MgPassRow *list, size_t n, MgText *out) {
    for (size_t i = 0; i < n; i++)
        mg_textf(out, "%-14s -O%u  %s\n", list[i].name, list[i].level, list[i].documentation);
}

void mg_passes_list(const MgPassList *more, MgText *out) {
    list_rows(rows, N_ROWS, out);
    list_rows(more->rows, more->n, out);
    for (uint32_t level = 0; level < N_PIPELINES; level++)
        mg_textf(out, "-O%u: %s\n", level, *pipelines[level] ? pipelines[level] : "none");
    mg_text_add(out, "\nrules of canonicalise, in the order that they are tried:\n");
    mg_rules_list(out);
}

// ---------------------------------------------------------------- one graph

typedef MG_VEC(const MgPassRow *) Pipeline;

// The effect of one pass of the pipeline.
typedef struct Measured {
    double seconds;
    uint64_t counted, made; // rewrites possible in all runs of the pass so far; made in this run
    uint32_t ops_before, ops_after;
} Measured;

typedef struct Manager {
    MgGraph *g;
    const MgPassOptions *options;
    MgArena *arena;
    Pipeline pipeline;
    Measured *measured; // parallel to pipeline
    MgRuleCount *rules; // parallel to mg_rule_rows
} Manager;

const char *mg_pass_near(const char *name, const MgPassList *more) {
    const char *near = NULL;
    for (uint32_t i = 0; i < N_ROWS + more->n; i++) {
        const char *next = i < N_ROWS ? rows[i].name : more->rows[i - N_ROWS].name;
        near = mg_nearer(name, near, next);
    }
    return near;
}

static bool unknown_pass(Manager *m, const char *name, size_t length) {
    const char *text = mg_arena_str(m->arena, name, length);
    const char *near = mg_pass_near(text, &m->options->more);
    mg_diag(m->g->module->session, mg_no_span(), MG_D_pass_unknown, text,
            near ? mg_arena_printf(m->arena, " (did you mean '%s'?)", near) : "");
    return false;
}

static bool read_pipeline(Manager *m, const char *at) {
    while (*at) {
        size_t n = strcspn(at, ",");
        const MgPassRow *row = find(&m->options->more, at, n);
        if (row && m->options->unfused && fuses(row))
            ;
        else if (row)
            mg_push(m->arena, &m->pipeline, row);
        else if (n == strlen("default") && !memcmp(at, "default", n))
            read_pipeline(m, mg_passes_of_level(m->options->level));
        else if (n)
            return unknown_pass(m, at, n);
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

// Does the pass come from a plugin?
static bool is_foreign(const MgPassRow *row) {
    return row < rows || row >= rows + N_ROWS;
}

static MgText reproducer(Manager *m, const MgPassRow *row) {
    MgText text = mg_text(m->arena);
    MgPrintOptions all = {.origins = true, .annotations = true, .inline_const = SIZE_MAX};
    const MgPassOptions *o = m->options;
    mg_textf(&text,
             "// The IR before %s. To replay the pass:\n"
             "// %s --passes=%s --verify-each -O%u%s%s\nmg 1\n",
             row->name, o->replay ? o->replay : "mgc --emit-ir FILE", row->name, o->level,
             o->strict ? " --strict" : "", o->gpu ? " --target=gpu" : "");
    mg_graph_print(m->g, &all, &text);
    mg_text_str(&text);
    return text;
}

// Must the IR be verified here? A release build trusts the pipelines of passes.def, which the tests
// run; it does not trust a pass from outside the tree, or an order that nobody tested.
static bool must_verify(const MgPassOptions *options, const MgPassRow *row) {
#ifdef NDEBUG
    return options->verify_each || options->passes || options->n_counters ||
           (row && is_foreign(row));
#else
    (void)options;
    (void)row;
    return true;
#endif
}

static void explain_read(void *ctx, MgGraph *g, const MgOp *op, const MgPiece *piece,
                         const MgSx *read, MgProof inside) {
    Manager *m = ctx;
    MgText text = mg_text(m->arena);
    mg_guards_read(g, op, piece, read, inside, &text);
    put(m, &text);
}

static void tell_rewrite(void *ctx, const MgPassContext *context) {
    Manager *m = ctx;
    m->options->rewrite(m->options->ctx, m->g, context->latest, context->counted);
}

// The context in which a pass of the pipeline begins: the count of its earlier runs, and its
// counter.
static MgPassContext begin_pass(Manager *m, uint32_t number) {
    const MgPassOptions *o = m->options;
    const MgPassRow *row = m->pipeline.at[number];
    MgPassContext context = {.scratch = mg_arena_new(mg_arena_mem(m->arena)),
                             .level = o->level,
                             .strict = o->strict,
                             .gpu = o->gpu,
                             .machine = o->machine ? o->machine : mg_machine_usual(),
                             .first = 1,
                             .last = UINT64_MAX,
                             .rules = m->rules,
                             .edge = o->edge,
                             .layout = o->layout,
                             .sibling = o->sibling,
                             .remat_tell = o->remat_tell,
                             .checkpoint_tell = o->checkpoint_tell,
                             .remat = &o->remat,
                             .edge_ctx = o->ctx,
                             .guard_ctx = m,
                             .made_one = o->rewrite ? tell_rewrite : NULL,
                             .made_ctx = m,
                             .guard = o->explain_guards ? explain_read : NULL};
    for (uint32_t i = 0; i < number; i++)
        if (m->pipeline.at[i] == row)
            context.counted = m->measured[i].counted;
    for (uint32_t i = 0; i < o->n_counters; i++)
        if (!strcmp(o->counters[i].pass, row->name)) {
            context.first = o->counters[i].first;
            context.last = o->counters[i].last;
        }
    if (o->rewrite)
        o->rewrite(o->ctx, m->g, MG_NONE, context.counted);
    return context;
}

bool mg_pass_may(MgPassContext *context, MgOpId op) {
    context->counted++;
    if (context->counted < context->first || context->counted > context->last)
        return false;
    context->made++;
    context->latest = op;
    if (context->made_one)
        context->made_one(context->made_ctx, context);
    return true;
}

static uint32_t live_ops(const MgGraph *g) {
    uint32_t n = 0;
    for (MgOpId id = 1; id < g->ops.len; id++)
        n += g->ops.at[id].kind != MG_OP_ERASED && g->ops.at[id].kind != MG_OP_YIELD;
    return n;
}

static void end_pass(Manager *m, uint32_t number, const MgPassContext *context, double begin) {
    Measured *measured = &m->measured[number];
    measured->seconds = mg_now_seconds() - begin;
    measured->counted = context->counted;
    measured->made = context->made;
    measured->ops_after = live_ops(m->g);
    if (m->options->rewrite)
        m->options->rewrite(m->options->ctx, m->g, MG_NONE, context->counted);
    mg_arena_free(context->scratch);
}

// Verifies the graph after the pass. Errors are reported at the user's lines, in the user's terms.
static bool is_sound(Manager *m, const MgPassRow *row, const MgText *before) {
    MgSession *session = m->g->module->session;
    uint32_t first = session->diags.len;
    if (!must_verify(m->options, row) || mg_graph_verify(m->g))
        return true;
    for (uint32_t i = first; i < session->diags.len; i++) {
        MgDiag *diag = &session->diags.at[i];
        diag->message =
            mg_arena_printf(session->arena, "the pass '%s' left %s", row->name, diag->message);
    }
    if (!is_foreign(row))
        mg_diag_note(session, mg_no_span(), MG_D_pass_broke);
    if (m->options->broken)
        m->options->broken(m->options->ctx, row->name, before->bytes.at, before->bytes.len);
    return false;
}

static void enter(Manager *m, const char *pass) {
    if (m->options->entered)
        m->options->entered(m->options->ctx, pass);
}

static const char *graph_text(Manager *m) {
    MgText text = mg_text(m->arena);
    mg_graph_print(m->g, &m->options->print, &text);
    return mg_text_str(&text);
}

// Prints the pass's changes as a unified diff; prints nothing if the text is the same.
static void print_difference(Manager *m, const char *pass, const char *before) {
    MgText text = mg_text(m->arena), changes = mg_text(m->arena);
    mg_diff(before, graph_text(m), m->options->color, &changes);
    if (!changes.bytes.len)
        return;
    mg_textf(&text, "--- before %s\n+++ after %s\n%s", pass, pass, mg_text_str(&changes));
    put(m, &text);
}

static bool run_pass(Manager *m, uint32_t number) {
    const MgPassRow *row = m->pipeline.at[number];
    const MgPassOptions *o = m->options;
    MgText before = mg_text(m->arena);
    if (o->before || (o->broken && must_verify(o, row)))
        before = reproducer(m, row);
    if (o->before)
        o->before(o->ctx, row->name, before.bytes.at, before.bytes.len);
    if (is_named(o->print_before, o->n_print_before, row->name))
        print(m, "before", row->name);
    const char *old = o->print_changed ? graph_text(m) : NULL;
    MgPassContext context = begin_pass(m, number);
    m->measured[number].ops_before = live_ops(m->g);
    double begin = mg_now_seconds();
    enter(m, row->name);
    bool changed = row->run(m->g, &context);
    mg_name_outputs(m->g);
    enter(m, NULL);
    end_pass(m, number, &context, begin);
    if (old)
        print_difference(m, row->name, old);
    if (o->print_after_all || is_named(o->print_after, o->n_print_after, row->name))
        print(m, changed ? "after" : "unchanged by", row->name);
    return is_sound(m, row, &before);
}

static void print_times(Manager *m) {
    MgText text = mg_text(m->arena);
    double sum = 0;
    for (uint32_t i = 0; i < m->pipeline.len; i++) {
        mg_textf(&text, "%12.1f µs  %s\n", m->measured[i].seconds * 1e6, m->pipeline.at[i]->name);
        sum += m->measured[i].seconds;
    }
    mg_textf(&text, "%12.1f µs  all passes of %s\n", sum * 1e6,
             mg_name(m->g->module->session->names, m->g->name));
    put(m, &text);
}

static void begin_rules(Manager *m) {
    uint32_t n;
    const MgRuleRow *table = mg_rule_rows(&n);
    m->rules = MG_NEW_N(m->arena, MgRuleCount, n);
    for (uint32_t i = 0; i < n; i++) {
        m->rules[i] = (MgRuleCount){.first = 1, .last = UINT64_MAX};
        for (uint32_t k = 0; k < m->options->n_counters; k++)
            if (!strcmp(m->options->counters[k].pass, table[i].name)) {
                m->rules[i].first = m->options->counters[k].first;
                m->rules[i].last = m->options->counters[k].last;
            }
    }
}

static void print_rules(Manager *m, MgText *text) {
    uint32_t n;
    const MgRuleRow *table = mg_rule_rows(&n);
    for (uint32_t i = 0; i < n; i++)
        if (m->rules[i].counted)
            mg_textf(text, "%10llu %10llu               rule %s\n",
                     (unsigned long long)m->rules[i].made, (unsigned long long)m->rules[i].counted,
                     table[i].name);
}

static void print_statistics(Manager *m) {
    MgText text = mg_text(m->arena);
    mg_textf(&text, "%10s %10s %6s %6s  passes of %s\n", "rewrites", "possible", "ops", "after",
             mg_name(m->g->module->session->names, m->g->name));
    for (uint32_t i = 0; i < m->pipeline.len; i++) {
        const Measured *s = &m->measured[i];
        uint64_t earlier = 0; // the count continues over all runs of a pass
        for (uint32_t k = 0; k < i; k++)
            if (m->pipeline.at[k] == m->pipeline.at[i])
                earlier = m->measured[k].counted;
        mg_textf(&text, "%10llu %10llu %6u %6u  %s\n", (unsigned long long)s->made,
                 (unsigned long long)(s->counted - earlier), s->ops_before, s->ops_after,
                 m->pipeline.at[i]->name);
    }
    print_rules(m, &text);
    put(m, &text);
}

bool mg_passes_run(MgGraph *g, const MgPassOptions *options) {
    MgArena *arena = mg_arena_new(mg_arena_mem(g->module->arena));
    Manager m = {.g = g, .options = options, .arena = arena};
    const char *names = options->passes ? options->passes : mg_passes_of_level(options->level);
    bool ok = read_pipeline(&m, names) && (!must_verify(options, NULL) || mg_graph_verify(g));
    MgText guards = mg_text(arena);
    if (ok && options->explain_guards) {
        mg_guards_proved(g, &guards);
        put(&m, &guards);
    }
    if (options->most && options->most < m.pipeline.len)
        m.pipeline.len = options->most;
    m.measured = MG_NEW_N(arena, Measured, m.pipeline.len);
    begin_rules(&m);
    for (uint32_t i = 0; i < m.pipeline.len && ok; i++)
        ok = run_pass(&m, i);
    if (ok && options->explain_guards) {
        guards = mg_text(arena);
        mg_guards_kept(g, &guards);
        put(&m, &guards);
    }
    if (ok && options->time_passes)
        print_times(&m);
    if (ok && options->statistics)
        print_statistics(&m);
    mg_arena_free(arena);
    return ok;
}

bool mg_module_passes_run(MgModule *module, const MgPassOptions *options) {
    bool ok = true;
    for (uint32_t i = 0; i < module->graphs.len && ok; i++)
        ok = mg_passes_run(module->graphs.at[i], options);
    return ok;
}
