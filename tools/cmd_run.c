// mgc run runs a graph. Inputs come from the command line; outputs go to the terminal or into
// files.
#include "tools/mgc.h"

#include "formats/npy.h"
#include "formats/tensor_proto.h"
#include "tools/measure.h"
#include "tools/show.h"
#include "tools/spec.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Run {
    const MgcOptions *options;
    MgSession *session; // for what mgc itself reads, writes and prints
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    MgTensor **inputs;
    MgPassOptions passes;
    MgText tables; // --time and --profile
} Run;

// ---------------------------------------------------------------- outputs
static int32_t output_of(const Run *r, const char *word, size_t length) {
    uint32_t n = mg_model_outputs(r->model);
    const char **names = MG_NEW_N(r->session->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        names[i] = mg_model_output(r->model, i)->name;
    return mgc_resolve(r->session->arena, mg_model_graph(r->model), "output", word, length, names,
                       n);
}

// Checks --output before anything is run. files[i] is where output i goes, or NULL.
static int plan_outputs(const Run *r, const char **files) {
    for (uint32_t k = 0; k < r->options->outputs.n; k++) {
        const char *word = r->options->outputs.at[k];
        size_t length;
        const char *file = mgc_split(word, &length);
        if (!file)
            return mgc_fail(2, "--output takes NAME=FILE, not '%s'", word);
        int32_t i = output_of(r, word, length);
        if (i < 0)
            return 2;
        if (!mg_path_has_extension(file, ".npy") && !mg_path_has_extension(file, ".npz") &&
            !mg_path_has_extension(file, ".pb"))
            return mgc_fail(2, "outputs are written to .npy, .npz or .pb files, not to '%s'", file);
        for (uint32_t j = 0; j < mg_model_outputs(r->model); j++)
            if (j != (uint32_t)i && files[j] && !strcmp(files[j], file) &&
                !mg_path_has_extension(file, ".npz"))
                return mgc_fail(2,
                                "two outputs, '%s' and '%s', can't go to one file '%s'; a .npz "
                                "holds several",
                                mg_model_output(r->model, j)->name,
                                mg_model_output(r->model, (uint32_t)i)->name, file);
        if (!mg_file_writable(r->session, file))
            return 1;
        files[i] = file;
    }
    return 0;
}

static MgTensor *tensor_of(const Run *r, uint32_t number) {
    const MgPortInfo *port = mg_model_output(r->model, number);
    const void *data;
    const int64_t *dims;
    if (mg_output(r->instance, number, &data, &dims))
        return NULL;
    return mg_tensor_wrap(port->element, port->rank, dims, (void *)(uintptr_t)data, NULL, NULL);
}

// All outputs that go to the same .npz are members of it.
static bool write_archive(const Run *r, const char *const *files, uint32_t first) {
    uint32_t n = mg_model_outputs(r->model), count = 0;
    const char **keys = MG_NEW_N(r->session->arena, const char *, n);
    MgTensor **tensors = MG_NEW_N(r->session->arena, MgTensor *, n);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        if (files[i] && !strcmp(files[i], files[first])) {
            keys[count] = mg_model_output(r->model, i)->name;
            ok &= (tensors[count++] = tensor_of(r, i)) != NULL;
        }
    ok = ok && mg_npz_write(r->session, files[first], keys, tensors, count);
    for (uint32_t i = 0; i < count; i++)
        mg_tensor_release(tensors[i]);
    return ok;
}

static bool write_files(const Run *r, const char *const *files) {
    for (uint32_t i = 0; i < mg_model_outputs(r->model); i++) {
        if (!files[i])
            continue;
        if (mg_path_has_extension(files[i], ".npz")) {
            bool first = true;
            for (uint32_t k = 0; k < i; k++)
                first &= !files[k] || strcmp(files[k], files[i]) != 0;
            if (first && !write_archive(r, files, i))
                return false;
            continue;
        }
        MgTensor *t = tensor_of(r, i);
        bool ok =
            t && (mg_path_has_extension(files[i], ".pb")
                      ? mg_pb_write(r->session, files[i], mg_model_output(r->model, i)->name, t)
                      : mg_npy_write(r->session, files[i], t));
        mg_tensor_release(t);
        if (!ok)
            return false;
    }
    return true;
}

static int print(Run *r, const char *const *files) {
    MgText out = mg_text(r->session->arena);
    bool json = r->options->json, first = true;
    if (json) {
        mg_text_add(&out, "{\"graph\": ");
        mgc_json_string(&out, mg_model_graph(r->model));
        mg_text_add(&out, ", \"outputs\": [");
    }
    for (uint32_t i = 0; i < mg_model_outputs(r->model); i++) {
        const MgPortInfo *port = mg_model_output(r->model, i);
        const void *data;
        const int64_t *dims;
        if (files[i])
            continue;
        if (mg_output(r->instance, i, &data, &dims))
            return mgc_complain(3, mg_instance_message(r->instance));
        mg_text_add(&out, json && !first ? ",\n" : "");
        first = false;
        (json ? mgc_show_json : mgc_show)(&out, port->name, port->element, port->rank, dims, data);
    }
    mg_text_add(&out, json ? "]" : "");
    mg_text_add_n(&out, r->tables.bytes.at, r->tables.bytes.len);
    mg_text_add(&out, json ? "}\n" : "");
    return mgc_put(r->session, r->options, mg_text_str(&out), out.bytes.len);
}

// ---------------------------------------------------------------- the run
static int load(Run *r) {
    const MgcOptions *o = r->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = o->no_cache ? "" : o->cache_folder};
    MgStatus status = mg_context_new(&context, &r->context);
    if (status)
        return mgc_complain(status, mg_context_message(r->context));
    r->context->color = mgc_color(2);
    mgc_pass_options(o, &r->passes);
    r->context->passes = &r->passes;
    MgCompileOptions compile = mgc_compile_options(o);
    if (mg_path_has_extension(o->file, ".onnx")) // its shapes may depend on its inputs
        compile.given = mgc_given(r->session->arena, r->context, o, &compile.n_given);
    status = mg_model_load(r->context, o->file, &compile, &r->model);
    for (uint32_t i = 0; i < compile.n_given; i++)
        mg_tensor_release(compile.given[i].tensor);
    if (status)
        return mgc_complain(status, mg_context_message(r->context));
    if (r->context->message)
        fputs(r->context->message, stderr); // warnings
    return 0;
}

static int execute(Run *r) {
    MgStatus status = mg_instance_new(r->model, r->context, &r->instance);
    for (uint32_t i = 0; i < mg_model_inputs(r->model) && !status; i++)
        status = mg_bind_input_tensor(r->instance, i, r->inputs[i]);
    for (uint32_t i = 0; i < mg_model_outputs(r->model) && !status && r->options->overwrite; i++) {
        int32_t over = mg_model_output(r->model, i)->over;
        if (over >= 0)
            status = mg_bind_output(r->instance, i, mg_tensor_data(r->inputs[over]),
                                    mg_tensor_bytes(r->inputs[over]));
    }
    if (!status)
        status = mgc_measure(r->instance, r->options, &r->tables, r->session);
    if (status && r->session->n_errors)
        return 1; // the trace could not be written: the session has the message
    return status ? mgc_complain(status, mg_instance_message(r->instance)) : 0;
}

static int steps(Run *r) {
    MgcProgress *progress = mgc_progress_begin("loading", r->options->file);
    int status = load(r);
    mgc_progress_end(progress);
    if (status)
        return status;
    const char **files = MG_NEW_N(r->session->arena, const char *, mg_model_outputs(r->model) + 1);
    r->inputs = MG_NEW_N(r->session->arena, MgTensor *, mg_model_inputs(r->model) + 1);
    status = plan_outputs(r, files);
    if (!status)
        status = mgc_profile_check(r->session, r->options);
    if (!status)
        status = mgc_inputs(r->session->arena, r->context, r->model, r->options, r->inputs);
    if (status)
        return status;
    mgc_watch_run();
    progress = mgc_progress_begin("running", mg_model_graph(r->model));
    status = execute(r);
    mgc_progress_end(progress);
    if (!status && !write_files(r, files))
        status = 1;
    return status ? status : print(r, files);
}

static int run(MgSession *session, const MgcOptions *options) {
    Run r = {.options = options, .session = session, .tables = mg_text(session->arena)};
    int status = steps(&r);
    mg_instance_free(r.instance);
    for (uint32_t i = 0; r.inputs && i < mg_model_inputs(r.model); i++)
        mg_tensor_release(r.inputs[i]);
    mg_model_release(r.model);
    mg_context_free(r.context);
    return status;
}

int mgc_run(const MgcOptions *options) {
    return mgc_in_session(options, run);
}
