// One case in this process: the model is loaded once, each data set runs in an instance of its own.
// The process is a child of `mgc test`, which lives through whatever happens here.
#include "tools/suite.h"

#include "runtime/context.h"
#include "runtime/tensor.h"
#include "tools/mgc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TOLERANCE 1e-4

typedef struct Run {
    const MgcCase *c;
    const MgcOptions *options;
    MgContext *context;
    MgModel *model;
    MgPassOptions passes;
    double tolerance;
    MgText *why;
} Run;

// A message of the library on one line: what stands after "error: ", of all errors or of one, the
// first that has a place.
static void add_errors(MgText *why, const char *message, bool all) {
    static const char mark[] = "error: ";
    const char *at = all ? NULL : strstr(message, ": error: ");
    at = strstr(at ? at : message, mark);
    if (!at) {
        mg_text_add_n(why, message, strcspn(message, "\n"));
        return;
    }
    for (uint32_t n = 0; at && (all || !n); n++) {
        at += sizeof mark - 1;
        mg_text_add(why, n ? "; " : "");
        mg_text_add_n(why, at, strcspn(at, "\n"));
        at = strstr(at, mark);
    }
}

static bool fail(const Run *r, const char *message) {
    add_errors(r->why, message, false);
    return false;
}

// ------------------------------------------------------------------------------------------ files
// input_K.pb of a data set; NULL where there is none, or (with *ok false) it can't be read.
static MgTensor *read_tensor(const Run *r, const char *set, const char *kind, uint32_t number,
                             bool *ok) {
    const char *path = mg_arena_printf(r->why->arena, "%s/%s_%u.pb", set, kind, number);
    MgTensor *t;
    if (access(path, F_OK))
        return NULL;
    if (mg_tensor_read(r->context, path, &t) == MG_OK)
        return t;
    *ok = fail(r, mg_context_message(r->context));
    return NULL;
}

// A copy of t's elements: floats converted, bits of another name as they are. Releases t.
static MgTensor *as_type(MgTensor *t, MgDType dtype) {
    MgTensor *out = mg_tensor_new((MgElement)dtype, t->rank, t->dims);
    size_t from = mg_dtype_size(t->dtype), to = mg_dtype_size(dtype);
    for (size_t k = 0; out && k < t->count; k++) { // little-endian machines
        MgBits v = 0;
        memcpy(&v, (const char *)t->data + k * from, from);
        if (mg_is_float(t->dtype))
            v = mg_bits_from_double(dtype, mg_bits_to_double(t->dtype, v));
        memcpy((char *)out->data + k * to, &v, to);
    }
    mg_tensor_release(t);
    return out;
}

// What wrote data sets made of a scalar a vector of one element.
static void as_scalar(MgTensor *t, const MgPortInfo *port) {
    if (!port->rank && t->rank == 1 && t->count == 1)
        t->rank = 0;
}

// Data as the port has it. numpy has no bf16: data sets hold its bits as u16. And a data set may be
// that of the same net in another precision: then *other is set.
static MgTensor *fit(MgTensor *t, const MgPortInfo *port, bool *other) {
    MgDType dtype = (MgDType)port->element;
    bool bits = dtype == MG_BF16 && t->dtype == MG_U16;
    bool precision = dtype != t->dtype && mg_is_float(dtype) && mg_is_float(t->dtype);
    *other |= precision;
    as_scalar(t, port);
    return bits || precision ? as_type(t, dtype) : t;
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

// ------------------------------------------------------------------------------------------ a set
static bool bind_inputs(const Run *r, MgInstance *instance, const char *set, bool *other) {
    uint32_t n = mg_model_inputs(r->model);
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        MgTensor *t = read_tensor(r, set, "input", i, &ok);
        if (t && !(t = fit(t, mg_model_input(r->model, i), other)))
            return fail(r, "out of memory");
        if (ok && !t) {
            mg_textf(r->why, "input '%s' has no file input_%u.pb",
                     mg_model_input(r->model, i)->name, i);
            ok = false;
        }
        if (ok && mg_bind_input_tensor(instance, i, t))
            ok = fail(r, mg_instance_message(instance));
        mg_tensor_release(t);
    }
    const char *beyond = mg_arena_printf(r->why->arena, "%s/input_%u.pb", set, n);
    if (ok && !access(beyond, F_OK)) {
        mg_textf(r->why, "input_%u.pb is for no input: the model has %u", n, n);
        ok = false;
    }
    return ok;
}

// Takes over want. other: the data set is of another precision, to which the result is converted.
static bool check_output(const Run *r, const MgInstance *instance, uint32_t i, MgTensor *want,
                         bool other) {
    const MgPortInfo *port = mg_model_output(r->model, i);
    MgTensor *got = port ? mg_output_tensor(instance, i) : NULL;
    bool precision = false, same = false;
    if (got)
        as_scalar(want, port);
    if (got && other && mg_is_float(want->dtype) && mg_is_float(got->dtype))
        got = as_type(got, want->dtype);
    else if (got && want->dtype == MG_U16)
        want = fit(want, port, &precision);
    if (got && want)
        same = mgc_same_output(port->name, got, want, r->tolerance, r->why);
    else if (port)
        fail(r, "out of memory");
    else
        mg_textf(r->why, "output_%u.pb is for no output: the model has %u", i,
                 mg_model_outputs(r->model));
    mg_tensor_release(got);
    mg_tensor_release(want);
    return same;
}

// Every output_K.pb is compared; a set without any compares nothing, and so does not pass.
static bool check_outputs(const Run *r, const MgInstance *instance, const char *set, bool other) {
    bool ok = true;
    uint32_t checked = 0, n = mg_model_outputs(r->model);
    for (uint32_t i = 0; ok && i <= n; i++) {
        MgTensor *want = read_tensor(r, set, "output", i, &ok);
        if (want) {
            checked++;
            ok = check_output(r, instance, i, want, other);
        }
    }
    return ok && (checked || fail(r, "there is no output_0.pb to compare with"));
}

static bool run_set(const Run *r, const char *set) {
    if (r->c->sets.len > 1)
        mg_textf(r->why, "%s: ", strrchr(set, '/') + 1);
    MgInstance *instance = NULL;
    bool other = false;
    bool ok = mg_instance_new(r->model, r->context, &instance) == MG_OK || fail(r, "out of memory");
    ok = ok && bind_inputs(r, instance, set, &other);
    if (ok && mg_run(instance))
        ok = fail(r, mg_instance_message(instance));
    ok = ok && check_outputs(r, instance, set, other);
    mg_instance_free(instance);
    if (ok)
        r->why->bytes.len = 0;
    return ok;
}

// ------------------------------------------------------------------------------------------ a case
static MgcVerdict load(Run *r) {
    const MgcOptions *o = r->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = o->no_cache ? "" : o->cache_folder};
    if (mg_context_new(&context, &r->context))
        return fail(r, mg_context_message(r->context)), MGC_FAIL;
    if (mgc_pass_options(o, &r->passes))
        r->context->passes = &r->passes;
    MgCompileOptions compile = {.level = (int32_t)o->level,
                                .march = o->march,
                                .target = o->target,
                                .strict = o->strict,
                                .interpret = o->interpret};
    if (!mg_model_load(r->context, r->c->model, &compile, &r->model))
        return MGC_PASS;
    bool unsupported = r->context->unsupported;
    add_errors(r->why, mg_context_message(r->context), unsupported);
    return unsupported ? MGC_UNSUPPORTED : MGC_FAIL;
}

static MgcVerdict run(Run *r) {
    if (!r->c->model)
        return fail(r, "it has neither model.onnx nor one .mg file"), MGC_FAIL;
    if (!r->c->sets.len)
        return fail(r, "it has no test_data_set_* folder"), MGC_FAIL;
    if (!read_tolerance(r))
        return MGC_FAIL;
    MgcVerdict verdict = load(r);
    for (uint32_t i = 0; verdict == MGC_PASS && i < r->c->sets.len; i++)
        if (!run_set(r, r->c->sets.at[i]))
            verdict = MGC_FAIL;
    return verdict;
}

MgcVerdict mgc_run_case(const MgcCase *c, const MgcOptions *options, MgText *why) {
    Run r = {.c = c, .options = options, .why = why};
    MgcVerdict verdict = run(&r);
    mg_model_release(r.model);
    mg_context_free(r.context);
    return verdict;
}
