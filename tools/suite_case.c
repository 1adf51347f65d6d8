// Runs one case, data set by data set. This process is a child of `mgc test`, which survives its
// crash.
#include "tools/suite.h"

#include "formats/tensor.h"
#include "runtime/context.h"
#include "tools/mgc.h"
#include "tools/suite_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define TOLERANCE 1e-4

typedef struct Run {
    const MgcCase *c;
    const MgcOptions *options;
    MgContext *context;
    MgPassOptions passes;
    double tolerance;
    MgText *why;
} Run;

typedef struct Set {
    const Run *r;
    const char *folder;
    MgModel *model;
    MgInstance *instance;
    MgGiven *given; // its inputs; a list takes several ports
    uint32_t n;
    bool other;         // its data have another precision than the model
    MgcVerdict verdict; // the latest verdict on an output
} Set;

// Adds a line of a message without the model's path, which would repeat the case's folder.
static void add_line(const Run *r, const char *line) {
    const char *model = r->c->model;
    size_t n = model ? strlen(model) : 0, quoted = line[0] == '\'';
    if (n && !strncmp(line + quoted, model, n) && line[quoted + n] == (quoted ? '\'' : ':'))
        line += n + 2 * quoted + strspn(line + n + 2 * quoted, ": ");
    mg_text_add_n(r->why, line, strcspn(line, "\n"));
}

// Adds a message of the library on one line: the text after "error: " of all errors, or only of the
// first that has a place.
static void add_errors(const Run *r, const char *message, bool all) {
    static const char mark[] = "error: ";
    const char *at = all ? NULL : strstr(message, ": error: ");
    at = strstr(at ? at : message, mark);
    if (!at) {
        add_line(r, message);
        return;
    }
    for (uint32_t n = 0; at && (all || !n); n++) {
        at += sizeof mark - 1;
        mg_text_add(r->why, n ? "; " : "");
        add_line(r, at);
        at = strstr(at, mark);
    }
}

static bool fail(const Run *r, const char *message) {
    add_errors(r, message, false);
    return false;
}

// The file `tolerance` of a case holds one number.
static bool read_tolerance(Run *r) {
    const MgcOptions *o = r->options;
    const char *path = mg_arena_printf(r->why->arena, "%s/tolerance", r->c->folder);
    FILE *f = fopen(path, "r");
    r->tolerance = o->tolerance >= 0 ? o->tolerance : TOLERANCE;
    if (!f)
        return errno == ENOENT ? true : fail(r, "its file 'tolerance' cannot be read");
    char text[64] = "", *end = text;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    r->tolerance = strtod(text, &end);
    end += strspn(end, " \t\r\n");
    return (n && end == text + n && r->tolerance >= 0) ||
           fail(r, "its file 'tolerance' is not one number");
}

// ---------------------------------------------------------------- a set
// Reads the inputs of a set from its files; one that can't be read is NULL.
static void read_given(Set *s) {
    MgArena *arena = s->r->why->arena;
    s->n = mgc_set_count(arena, s->r->context, s->folder, "input");
    s->given = MG_NEW_N(arena, MgGiven, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) {
        MgStatus status; // errors are reported when the input is needed
        MgGiven *g = &s->given[i];
        bool is_list;
        g->elements =
            mgc_set_list(arena, s->r->context, s->folder, "input", i, &g->n_elements, &is_list);
        if (!is_list)
            g->tensor = mgc_set_tensor(arena, s->r->context, s->folder, "input", i, &status);
    }
}

static bool bind_tensor(Set *s, uint32_t i, uint32_t port, MgTensor **t) {
    const Run *r = s->r;
    const MgPortInfo *info = mg_model_input(s->model, port);
    if (!info) {
        mg_textf(r->why, "input %u of the set is for no input: the model has %u", i,
                 mg_model_inputs(s->model));
        return false;
    }
    if (!(*t = mgc_as_input(*t, info, &s->other)))
        return fail(r, "out of memory");
    return !mg_bind_input_tensor(s->instance, port, *t) ||
           fail(r, mg_instance_message(s->instance));
}

// Binds input i to the port *port; a list takes several ports from there on.
static bool bind_input(Set *s, uint32_t i, uint32_t *port) {
    const Run *r = s->r;
    MgStatus status = MG_OK;
    MgGiven *g = &s->given[i];
    for (uint32_t k = 0; k < g->n_elements; k++) {
        MgTensor **t = (MgTensor **)(uintptr_t)&g->elements[k];
        if (!bind_tensor(s, i, (*port)++, t))
            return false;
    }
    if (g->elements)
        return true;
    if (g->tensor)
        return bind_tensor(s, i, (*port)++, &g->tensor);
    mgc_set_tensor(r->why->arena, r->context, s->folder, "input", i, &status);
    if (status)
        return fail(r, mg_context_message(r->context));
    mg_textf(r->why, "there is no file input_%u.pb or .npy", i);
    return false;
}

static bool bind_inputs(Set *s) {
    uint32_t n = mg_model_inputs(s->model), port = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (!bind_input(s, i, &port))
            return false;
    if (port < n)
        mg_textf(s->r->why, "input '%s' has no file input_%u.pb or .npy",
                 mg_model_input(s->model, port)->name, s->n);
    return port >= n;
}

// Does a graph draw random numbers?
static bool draws(const MgGraph *g) {
    for (uint32_t i = 1; i < g->ops.len; i++)
        if (g->ops.at[i].kind == MG_OP_BUILTIN && mg_builtin_draws(g->ops.at[i].builtin))
            return true;
    return false;
}

// Compares output i with want, and takes over want's reference.
static bool check_output(Set *s, uint32_t i, MgTensor *want) {
    const Run *r = s->r;
    const MgPortInfo *port = mg_model_output(s->model, i);
    if (!port) {
        mg_textf(r->why, "output %u of the set is for no output: the model has %u", i,
                 mg_model_outputs(s->model));
        mg_tensor_release(want);
        return false;
    }
    MgTensor *got = mg_output_tensor(s->instance, i);
    want = mgc_as_output(want, port);
    if (got && want && s->other && mg_is_float(want->dtype) && mg_is_float(got->dtype))
        got = mgc_as_type(got, (MgElement)want->dtype);
    bool both = got && want, random = draws(s->model->graph);
    if (both)
        s->verdict = mgc_judge(port->name, got, want, r->tolerance, random, r->why);
    mg_tensor_release(got);
    mg_tensor_release(want);
    return both ? s->verdict == MGC_PASS : fail(r, "out of memory");
}

// Compares the tensors of output i, a list, from port *port on. False if it is not a list, or if
// they differ.
static bool check_list(Set *s, uint32_t i, uint32_t *port, bool *is_list) {
    const Run *r = s->r;
    uint32_t n;
    MgTensor **want = mgc_set_list(r->why->arena, r->context, s->folder, "output", i, &n, is_list);
    bool same = *is_list;
    for (uint32_t k = 0; k < n; k++) {
        if (same)
            same = check_output(s, (*port)++, want[k]);
        else
            mg_tensor_release(want[k]);
    }
    return same;
}

// Compares every output_K.pb. A set without any does not pass. If outputs are lists, their lengths
// determine the number of ports.
static bool check_outputs(Set *s) {
    const Run *r = s->r;
    uint32_t checked = 0, port = 0,
             n = mgc_set_count(r->why->arena, r->context, s->folder, "output");
    bool lists = false;
    for (uint32_t i = 0; i < n; i++) {
        MgStatus status;
        bool is_list;
        if (check_list(s, i, &port, &is_list)) {
            lists = true;
            checked++;
            continue;
        }
        if (is_list)
            return false;
        MgTensor *want = mgc_set_tensor(r->why->arena, r->context, s->folder, "output", i, &status);
        if (status)
            return fail(r, mg_context_message(r->context));
        if (want && !check_output(s, port, want))
            return false;
        port++;
        checked += want != NULL;
    }
    if (lists && port != mg_model_outputs(s->model)) {
        mg_textf(r->why, "the model has %u output%s; expected %u", mg_model_outputs(s->model),
                 mg_plural(mg_model_outputs(s->model)), port);
        return false;
    }
    return checked || fail(r, "there is no output_0.pb or .npy to compare with");
}

// Loads the model for each set, since its inputs may decide its shapes.
static MgcVerdict load(Set *s) {
    MgCompileOptions compile = mgc_compile_options(s->r->options);
    compile.given = s->given;
    compile.n_given = s->n;
    if (!mg_model_load(s->r->context, s->r->c->model, &compile, &s->model))
        return MGC_PASS;
    bool unsupported = s->r->context->unsupported;
    add_errors(s->r, mg_context_message(s->r->context), unsupported);
    return unsupported ? MGC_UNSUPPORTED : MGC_FAIL;
}

static bool run_loaded(Set *s) {
    const Run *r = s->r;
    if (mg_instance_new(s->model, r->context, &s->instance))
        return fail(r, "out of memory");
    if (!bind_inputs(s))
        return false;
    if (mg_run(s->instance))
        return fail(r, mg_instance_message(s->instance));
    return check_outputs(s);
}

static MgcVerdict run_set(const Run *r, const char *folder) {
    Set s = {.r = r, .folder = folder};
    if (r->c->sets.len > 1)
        mg_textf(r->why, "%s: ", strrchr(folder, '/') + 1);
    read_given(&s);
    MgcVerdict verdict = load(&s);
    if (verdict == MGC_PASS && !run_loaded(&s))
        verdict = s.verdict == MGC_UNSUPPORTED ? MGC_UNSUPPORTED : MGC_FAIL;
    mg_instance_free(s.instance);
    mg_model_release(s.model);
    for (uint32_t i = 0; i < s.n; i++) {
        mg_tensor_release(s.given[i].tensor);
        for (uint32_t k = 0; k < s.given[i].n_elements; k++)
            mg_tensor_release(s.given[i].elements[k]);
    }
    if (verdict == MGC_PASS)
        r->why->bytes.len = 0;
    return verdict;
}

// ---------------------------------------------------------------- a case
static bool open_context(Run *r) {
    const MgcOptions *o = r->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = o->no_cache ? "" : o->cache_folder};
    if (mg_context_new(&context, &r->context))
        return fail(r, mg_context_message(r->context));
    mgc_pass_options(o, &r->passes);
    r->context->passes = &r->passes;
    return true;
}

static MgcVerdict run(Run *r) {
    if (!r->c->model)
        return fail(r, "it has neither model.onnx nor model.mlir nor one .mg file"), MGC_FAIL;
    if (!r->c->sets.len)
        return fail(r, "it has no test_data_set_* folder"), MGC_FAIL;
    MgcVerdict verdict = read_tolerance(r) && open_context(r) ? MGC_PASS : MGC_FAIL;
    for (uint32_t i = 0; verdict == MGC_PASS && i < r->c->sets.len; i++)
        verdict = run_set(r, r->c->sets.at[i]);
    return verdict;
}

MgcVerdict mgc_run_case(const MgcCase *c, const MgcOptions *options, MgText *why) {
    Run r = {.c = c, .options = options, .why = why};
    MgcVerdict verdict = run(&r);
    mg_context_free(r.context);
    return verdict;
}
