// mgc FILE: compiles a source to the file that -o names. The file is a .mgb, which holds the graph,
// its weights, and code for this target (for all sizes, and for those that --set names); or it is a
// stand-alone library. If flags only ask about the compilation and there is no -o, no file is
// written.
#include "tools/mgc.h"

#include "frontend/sema.h"
#include "runtime/compile.h"
#include "runtime/context.h"
#include "runtime/library.h"
#include "runtime/open.h"
#include "runtime/package.h"
#include "support/files.h"
#include "tools/spec.h"

#include <stdlib.h>

#define WEIGHTS_MAX ((size_t)256 << 20) // larger ones stay beside the file

typedef struct Build {
    MgSession *session;
    const MgcOptions *options;
    MgGraph *graph;
    MgCache *cache;
    MgCompileSettings settings;
    MgPassOptions silent; // those that answer nothing
    MgTuning tuning;
    MgPackage package;
} Build;

static void add(Build *b, const char *name, const void *bytes, size_t length) {
    mg_push(b->session->arena, &b->package.sections, (MgSection){name, bytes, length});
}

static void add_ir(Build *b) {
    MgText text = mg_text(b->session->arena);
    MgPrintOptions print = {.origins = true, .annotations = true, .inline_const = SIZE_MAX};
    mg_text_add(&text, "mg 1\n");
    mg_graph_print(b->graph, &print, &text);
    add(b, "ir", text.bytes.at, text.bytes.len);
}

static void add_options(Build *b) {
    const char *text = mg_arena_printf(b->session->arena, "%u%s", b->settings.level,
                                       b->settings.strict ? "s" : "");
    add(b, "options", text, strlen(text));
}

// Adds the sizes of --set, one per line. A run uses them for sizes that nothing else determines.
static void add_sizes(Build *b) {
    MgText text = mg_text(b->session->arena);
    for (uint32_t i = 0; i < b->options->sets.n; i++)
        mg_textf(&text, "%s\n", b->options->sets.at[i]);
    if (text.bytes.len)
        add(b, "sizes", text.bytes.at, text.bytes.len);
}

static bool add_weights(Build *b) {
    MgArena *arena = b->session->arena;
    MgWeights weights;
    if (!mg_weights_find(b->graph, &weights))
        return false;
    size_t total = 0;
    MgSafetensor *tensors = MG_NEW_N(arena, MgSafetensor, weights.all.len + 1);
    for (uint32_t i = 0; i < weights.all.len; i++) {
        const MgWeight *w = &weights.all.at[i];
        tensors[i] = (MgSafetensor){.key = w->key,
                                    .dtype = w->dtype,
                                    .rank = w->rank,
                                    .dims = w->dims,
                                    .data = w->data,
                                    .bytes = w->bytes};
        total += w->bytes;
    }
    const MgModule *m = b->graph->module;
    bool named =
        !m->packed && !m->random_weights; // the weights have a file of their own and can stay there
    if (!weights.all.len || (total > WEIGHTS_MAX && named))
        return true;
    MgByteParts parts = {0};
    mg_safetensors_parts(b->session, tensors, weights.all.len, &parts);
    size_t length = 0, at = 0;
    for (uint32_t i = 0; i < parts.len; i++)
        length += parts.at[i].length;
    char *bytes = mg_arena_alloc(arena, length, 1);
    for (uint32_t i = 0; i < parts.len; at += parts.at[i++].length)
        if (parts.at[i].length)
            memcpy(bytes + at, parts.at[i].at, parts.at[i].length);
    add(b, "weights", bytes, length);
    return true;
}

static bool add_object(Build *b, const int64_t *dims) {
    MgText name = mg_text(b->session->arena);
    mg_text_add(&name, "object ");
    unsigned char *bytes;
    size_t length;
    if (!mg_compile_name(b->graph, dims, &b->settings, &name) ||
        !mg_compile_object(b->graph, dims, &b->settings, b->cache, &bytes, &length))
        return false;
    add(b, mg_text_str(&name), mg_arena_copy(b->session->arena, bytes, length, 1), length);
    free(bytes);
    return true;
}

// Do flags only ask what the compiler does, and does nothing name a file to write?
static bool only_asks(const MgcOptions *o) {
    return !o->output &&
           (o->explain || o->print_before.n || o->print_after.n || o->print_after_all ||
            o->print_changed || o->pass_stats || o->time_passes);
}

static void fall_silent(Build *b) {
    MgcOptions options = *b->options;
    options.explain = 0;
    options.print_before.n = options.print_after.n = 0;
    options.print_after_all = options.print_changed = false;
    options.pass_stats = options.time_passes = false;
    mgc_pass_options(&options, &b->silent);
    b->settings.passes = &b->silent;
}

// Adds code for the target and for the CPU of this machine, so that a file made for a device also
// runs without one. What flags ask is answered for the target alone.
static bool add_objects(Build *b, const int64_t *dims) {
    if (!add_object(b, NULL) || (b->options->sets.n && !add_object(b, dims)))
        return false;
    if (!b->settings.backend->on_device || only_asks(b->options))
        return true;
    fall_silent(b);
    b->settings.backend = mg_backend_find("cpu");
    b->settings.march = NULL;
    b->settings.machine = NULL;
    return add_objects(b, dims);
}

static int build_in(Build *b) {
    const MgcOptions *o = b->options;
    MgModule *module = mgc_module_open(b->session, o);
    b->graph = module ? mg_choose_graph(module, o->graph) : NULL;
    if (!b->graph)
        return 1;
    int64_t *dims;
    int status = mgc_set_dims(b->session->arena, b->graph, &o->sets, &dims);
    if (status)
        return status;
    if (only_asks(o))
        return !add_objects(b, dims);
    add_options(b);
    add_ir(b);
    add_sizes(b);
    if (!add_weights(b) || !add_objects(b, dims))
        return 1;
    const char *out =
        o->output ? o->output : mg_path_with_extension(b->session->arena, o->file, ".mgb");
    return !mg_package_write(b->session, out, &b->package);
}

// ---------------------------------------------------------------- libraries
static bool any_graph_has(MgModule *module, MgSym dim) {
    for (uint32_t i = 0; i < module->graphs.len; i++)
        for (uint32_t d = 0; d < module->graphs.at[i]->dims.len; d++)
            if (mg_ix_sym_name(module->ix, module->graphs.at[i]->dims.at[d]) == dim)
                return true;
    return false;
}

// A dimension that appears again begins another set, which keeps the sizes of the other dimensions.
static bool put_size(MgSession *session, MgLibraryRequest *request, MgLibrarySize size) {
    MgLibrarySet *last = request->sets.len ? &request->sets.at[request->sets.len - 1] : NULL;
    if (!last) {
        mg_push(session->arena, &request->sets, (MgLibrarySet){0});
        last = &request->sets.at[0];
    }
    for (uint32_t i = 0; i < last->len; i++)
        if (last->at[i].dim == size.dim) {
            MgLibrarySet next = {0};
            for (uint32_t k = 0; k < last->len; k++)
                mg_push(session->arena, &next, k == i ? size : last->at[k]);
            mg_push(session->arena, &request->sets, next);
            return true;
        }
    mg_push(session->arena, last, size);
    return true;
}

static int read_sets(MgSession *session, const MgcList *sets, MgLibraryRequest *request) {
    for (uint32_t k = 0; k < sets->n; k++) {
        const char *name;
        MgLibrarySize size;
        int status = mgc_read_set(session->arena, sets->at[k], &name, &size.size);
        if (status)
            return status;
        size.dim = mg_sym(session->names, name);
        if (!any_graph_has(request->module, size.dim))
            return mgc_fail(2, "no graph of the file has a dimension '%s'", name);
        put_size(session, request, size);
    }
    return 0;
}

static int build_library(MgSession *session, const MgcOptions *options) {
    MgPassOptions passes;
    MgTuning tuning;
    if (!mgc_tuning(session, options, &tuning))
        return 1;
    MgLibraryRequest request = {.settings = mgc_settings(options, &passes),
                                .module = mgc_module_open(session, options),
                                .place = (MgWeightsPlace)options->weights_place,
                                .prefix = options->prefix,
                                .soname = options->soname,
                                .output = options->output};
    request.settings.tuning = &tuning;
    if (!request.module || !mgc_named_files(session, options, &request.settings))
        return 1;
    if (!request.module->graphs.len || options->graph)
        if (!(request.graph = mg_choose_graph(request.module, options->graph)))
            return 1;
    int status = read_sets(session, &options->sets, &request);
    return status ? status : !mg_library_write(session, &request);
}

// Code for a device is made for the device of this machine, so that a run here finds it. Without a
// device, the code is made for typical numbers, and compiled again where it runs.
static int choose_device(Build *b) {
    MgDevice *device;
    char *message = NULL;
    if (!b->settings.backend->on_device || b->options->march)
        return 0;
    MgStatus status = mg_device_open(b->options->device, NULL, &device, &message);
    if (!status) {
        const char *march = mg_device_march(device);
        b->settings.march = mg_arena_str(b->session->arena, march, strlen(march));
        mg_device_release(device);
    } else if (b->options->device) {
        mgc_fail(status, "%s", message);
    } else {
        status = 0;
    }
    free(message);
    return status;
}

static int build(MgSession *session, const MgcOptions *options) {
    Build b = {.session = session, .options = options};
    MgPassOptions passes;
    b.settings = mgc_settings(options, &passes);
    if (!mgc_tuning(session, options, &b.tuning))
        return 1;
    b.settings.tuning = &b.tuning;
    if (!mgc_named_files(session, options, &b.settings))
        return 1;
    int chosen = choose_device(&b);
    if (chosen)
        return chosen;
    b.cache = mgc_cache_open(options);
    if (!b.cache && b.settings.backend->prepare)
        b.settings.backend->prepare(session);
    int status = build_in(&b);
    mg_cache_close(b.cache);
    return status;
}

int mgc_build(const MgcOptions *options) {
    const char *out = options->output;
    const MgBackend *backend = mg_backend_find(options->target ? options->target : "cpu");
    if (!out && !strcmp(options->file, "-") && !only_asks(options))
        return mgc_fail(2, "standard input has no folder to write to: give -o OUT.mgb");
    bool library = out && mg_library_is_output(out);
    if (out && !library && !mg_path_has_extension(out, ".mgb"))
        return mgc_fail(2, "'%s': the extension says what to make: .mgb, .so, .a or .o", out);
    if (library && !backend->library)
        return mgc_fail(2, "target '%s' makes no libraries", backend->name);
    MgcProgress *progress = mgc_progress_begin("compiling", options->file);
    int status = mgc_in_session(options, library ? build_library : build);
    mgc_progress_end(progress);
    return status;
}
