// Models: a source becomes graph IR, a graph is chosen, and its parameters are found. Code is made
// later, when an instance knows its dimensions (runtime/variant.c).
#include "runtime/context.h"

#include "frontend/sema.h"
#include "passes/accumulate.h"
#include "passes/autocast.h"
#include "passes/weights.h"
#include "runtime/machine_file.h"
#include "runtime/open.h"
#include "runtime/tuned.h"
#include "runtime/weights_random.h"
#include "support/files.h"
#include "support/fork.h"

#include <stdio.h>
#include <stdlib.h>

// Where a model comes from: a path, or text under a name.
typedef struct Origin {
    const char *path, *text;
    size_t length;
} Origin;

static const char BOUND[] = "bound"; // the option weights

static const char *keep(MgSession *session, const char *text) {
    return text ? mg_arena_str(session->arena, text, strlen(text)) : NULL;
}

MgGraph *mg_choose_graph(MgModule *module, const char *name) {
    MgSession *session = module->session;
    uint32_t n = module->graphs.len;
    const char **names = MG_NEW_N(session->arena, const char *, n + 1);
    MgText all = mg_text(session->arena);
    for (uint32_t i = 0; i < n; i++) {
        names[i] = mg_name(session->names, module->graphs.at[i]->name);
        mg_textf(&all, "%s%s", i ? ", " : "", names[i]);
        if (name && !strcmp(name, names[i]))
            return module->graphs.at[i];
    }
    const char *source = mg_name(session->names, module->source);
    if (!n)
        mg_diag(session, mg_no_span(), MG_D_graph_none, source);
    else if (!name && n == 1)
        return module->graphs.at[0];
    else if (!name)
        mg_diag(session, mg_no_span(), MG_D_graph_choose, source, n, mg_text_str(&all));
    else {
        int near = mg_nearest(name, names, n);
        mg_diag(session, mg_no_span(), near >= 0 ? MG_D_graph_unknown_near : MG_D_graph_unknown,
                source, name, near >= 0 ? names[near] : mg_text_str(&all));
    }
    return NULL;
}

// The type in which weights are kept; MG_F32: that of the graph.
static MgDType weights_type(MgWeightsType type) {
    return type == MG_WEIGHTS_BF16     ? MG_BF16
           : type == MG_WEIGHTS_F16    ? MG_F16
           : type == MG_WEIGHTS_I8     ? MG_I8
           : type == MG_WEIGHTS_F8E4M3 ? MG_F8E4M3
                                       : MG_F32;
}

// The type to which a precision rounds factors and results; MG_F32: none.
static MgDType precision_type(MgPrecision precision) {
    return precision == MG_PRECISION_BF16  ? MG_BF16
           : precision == MG_PRECISION_F16 ? MG_F16
                                           : MG_F32;
}

void mg_round_graph(MgGraph *g, MgWeightsType weights, MgPrecision precision) {
    MgDType narrow = weights_type(weights);
    if (narrow != MG_F32)
        mg_narrow_weights(g, narrow);
    narrow = precision_type(precision);
    if (narrow != MG_F32)
        mg_autocast(g, narrow);
}

static void describe_port(MgModel *m, const MgPort *port, MgPortInfo *info) {
    const MgValue *v = mg_value(m->graph, port->value);
    MgArena *arena = m->session->arena;
    int64_t *dims = MG_NEW_N(arena, int64_t, v->rank + 1);
    const char **formulas = MG_NEW_N(arena, const char *, v->rank + 1);
    for (uint32_t i = 0; i < v->rank; i++) {
        if (!mg_ix_is_const(m->module->ix, v->shape[i], &dims[i]))
            dims[i] = -1;
        MgText text = mg_text(arena);
        mg_ix_print(m->module->ix, m->session->names, v->shape[i], NULL, NULL, &text);
        formulas[i] = mg_text_str(&text);
    }
    *info = (MgPortInfo){.name = mg_name(m->session->names, port->name),
                         .element = (MgElement)v->dtype,
                         .rank = v->rank,
                         .dims = dims,
                         .formulas = formulas,
                         .key = port->key ? mg_name(m->session->names, port->key) : NULL,
                         .over = port->aliases};
}

static void describe(MgModel *m) {
    MgGraph *g = m->graph;
    m->inputs = MG_NEW_N(m->session->arena, MgPortInfo, g->inputs.len + 1);
    m->outputs = MG_NEW_N(m->session->arena, MgPortInfo, g->outputs.len + 1);
    m->dim_names = MG_NEW_N(m->session->arena, const char *, g->dims.len + 1);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        describe_port(m, &g->inputs.at[i], &m->inputs[i]);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        describe_port(m, &g->outputs.at[i], &m->outputs[i]);
    m->output_bounds = MG_NEW_N(m->session->arena, MgIx *, g->outputs.len + 1);
    MgDimMakers makers = mg_dim_makers(g, m->session->arena);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        const MgValue *v = mg_value(g, g->outputs.at[i].value);
        m->output_bounds[i] = MG_NEW_N(m->session->arena, MgIx, v->rank + 1);
        for (uint32_t a = 0; a < v->rank; a++)
            m->output_bounds[i][a] = mg_bound_dims(&makers, v->shape[a]);
    }
    for (uint32_t i = 0; i < g->dims.len; i++)
        m->dim_names[i] = mg_name(m->session->names, mg_ix_sym_name(m->module->ix, g->dims.at[i]));
}

// The options with which a package was built hold unless the caller asks for others.
static void take_options(MgModel *m, const MgSection *options) {
    if (!options || !options->length)
        return;
    m->options.strict |= options->length > 1; // another level keeps --strict
    if (m->options.level < 0 && options->bytes[0] >= '0' && options->bytes[0] <= '3')
        m->options.level = options->bytes[0] - '0';
}

// Reads the graph in a .mgb under the file's own name, so that paths are relative to the file's
// folder.
static MgModule *load_package(MgModel *m, const char *path) {
    MgSession *session = m->session;
    MgPackage *package = MG_NEW(session->arena, MgPackage);
    if (!mg_package_read(session, path, package))
        return NULL;
    m->package = package;
    const MgSection *ir = mg_package_find(package, "ir"),
                    *weights = mg_package_find(package, "weights");
    if (!ir) {
        mg_diag(session, mg_no_span(), MG_D_file_format, path, "mgb", "it has no graph");
        return NULL;
    }
    take_options(m, mg_package_find(package, "options"));
    const MgSafetensors *packed = NULL;
    if (weights && !(packed = mg_safetensors_of_bytes(session, path, mg_no_span(), weights->bytes,
                                                      weights->length)))
        return NULL;
    MgModule *module = mg_load_module_text(session, path, (const char *)ir->bytes, ir->length);
    if (module)
        module->packed = packed;
    return module;
}

static void open_parameters(MgGraph *g) {
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_PARAM)
            mg_param_to_input(g, id);
    mg_graph_compact(g);
}

static MgStatus load(MgModel *m, const Origin *from, bool cached) {
    MgSession *session = m->session;
    bool compiled = from->text || !mg_path_has_extension(from->path, ".mgb");
    if (compiled && !cached && !m->options.interpret && m->backend->prepare)
        m->backend->prepare(session);
    m->module =
        from->text ? mg_load_module_text(session, from->path, from->text, from->length)
        : mg_path_has_extension(from->path, ".mgb")
            ? load_package(m, from->path)
            : mg_module_open_given(session, from->path, m->options.given, m->options.n_given);
    if (m->module) {
        m->module->random_weights = m->options.weights && !m->bound_weights;
        m->module->bound_weights = m->bound_weights;
        m->module->initial_weights = m->initial_weights;
        m->module->weights_seed = m->weights_seed;
    }
    m->graph = m->module ? mg_choose_graph(m->module, m->options.graph) : NULL;
    if (m->graph && m->options.open_parameters)
        open_parameters(m->graph);
    if (m->graph)
        mg_round_graph(m->graph, m->options.weights_type, m->options.precision);
    if (m->graph && m->options.accumulate && !mg_accumulate(m->graph))
        return MG_BAD_INPUT;
    const MgWeights *others = m->shares ? &m->shares->weights : NULL;
    if (!m->graph || !mg_weights_share(m->graph, others, mg_model_graph(m->shares), &m->weights))
        return MG_BAD_INPUT;
    if (m->device)
        m->device_weights = MG_NEW_N(session->arena, int64_t, m->weights.all.len + 1);
    if (m->options.level < 0)
        m->options.level = MG_DEFAULT_LEVEL;
    describe(m);
    return MG_OK;
}

// Finds the backend that the options name, and the device on which its code runs.
static MgStatus choose_target(MgModel *m, MgContext *c) {
    const char *target = m->options.target ? m->options.target : "cpu";
    const MgBackend *backend = mg_backend_find(target);
    if (!backend || !backend->object) {
        mg_message_set(&c->message, "nothing runs on target '%s': choose cpu or gpu", target);
        return MG_BAD_USAGE;
    }
    m->backend = backend;
    if (!backend->on_device || m->options.interpret)
        return MG_OK;
    MgDevice *device = m->shares && !m->options.device ? m->shares->device : NULL;
    MgStatus status = !device ? mg_context_device(c, m->options.device, &device)
                      : mg_device_here(device, &c->message) ? MG_OK
                                                            : MG_RUN_FAILED;
    m->options.device = NULL; // the caller may free the string
    if (status)
        return status;
    m->device = mg_device_retain(device);
    m->backend = mg_backend_find(mg_device_backend(device));
    return MG_OK;
}

static void free_on_device(MgModel *m) {
    for (uint32_t w = 0; m->device_weights && w < m->weights.all.len; w++)
        mg_device_free(m->device, m->device_weights[w]);
    for (uint32_t v = 0; m->device && v < m->variants.len; v++)
        for (uint32_t k = 0; k < m->variants.at[v]->image->n_constants; k++)
            mg_device_free(m->device, (int64_t)(intptr_t)m->variants.at[v]->constants[k]);
}

static void free_model(MgModel *m) {
    free_on_device(m);
    mg_device_release(m->device);
    mg_session_free(m->session); // and with it the images of the variants
    mg_model_release(m->shares);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

// Reads what tuning measured, from the file that the options name or the one in the cache's folder.
static bool find_tuned(MgModel *m, const MgContext *c) {
    const char *march = m->options.march, *path = m->options.tuned;
    bool here = !march || !strcmp(march, "native");
    m->options.tuned = NULL; // the caller may free the string
    m->tuning.log = c->tune_log;
    return m->backend->on_device || m->options.interpret ||
           mg_tuned_find(m->session, path, here ? c->cache : NULL, &m->tuning);
}

static bool find_machine(MgModel *m, const MgContext *c) {
    const char *march = m->options.march, *which = m->options.machine;
    bool here = !m->backend->on_device && (!march || !strcmp(march, "native"));
    m->options.machine = NULL; // the caller may free the string
    return m->options.interpret ||
           mg_machine_choose(m->session, which, here ? c->cache : NULL, &m->machine);
}

static bool find_schedules(MgModel *m) {
    const char *path = m->options.schedules;
    m->options.schedules = NULL; // the caller's string is not ours to keep
    return !path || (m->schedules = mg_compile_schedules(m->session, path));
}

// The first model warns about a cache that other users could have written to.
static void tell_cache(MgModel *m, MgContext *c) {
    if (c->cache && mg_cache_refused(c->cache) && !c->told_cache)
        mg_diag(m->session, mg_no_span(), MG_D_cache_refused, mg_cache_note(c->cache));
    c->told_cache = true;
}

// Checks that every number of the options is a value of its type, and that no required pointer is
// NULL.
static MgStatus check_options(MgContext *c, const MgCompileOptions *o, uint64_t *seed,
                              bool *initial) {
    const struct {
        const char *what;
        int64_t value, low, high;
    } rows[] = {{"level", o->level, -1, 3},
                {"mode", o->mode, MG_MODE_FUSED, MG_MODE_LOOP},
                {"launch", o->launch, MG_FORM_AUTO, MG_FORM_PERSISTENT},
                {"winograd", o->winograd, MG_WINOGRAD_AUTO, MG_WINOGRAD_TILES_4},
                {"precision", o->precision, MG_PRECISION_F32, MG_PRECISION_F16},
                {"weights_type", o->weights_type, MG_WEIGHTS_GIVEN, MG_WEIGHTS_F8E4M3},
                {"sharing", o->sharing, MG_SHARING_AUTO, MG_SHARING_ALL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value < rows[i].low || rows[i].value > rows[i].high)
            return mg_message_misuse(
                &c->message, "the option %s is %lld; it goes from %lld to %lld", rows[i].what,
                (long long)rows[i].value, (long long)rows[i].low, (long long)rows[i].high);
    if (o->n_given && !o->given)
        return mg_message_misuse(&c->message, "the option given is NULL");
    for (uint32_t i = 0; i < o->n_given; i++)
        for (uint32_t k = 0; k < o->given[i].n_elements; k++)
            if (!o->given[i].elements || !o->given[i].elements[k])
                return mg_message_misuse(&c->message, "element %u of the option given[%u] is NULL",
                                         k, i);
    if (o->weights && strcmp(o->weights, BOUND) != 0 &&
        !mg_random_weights_parse(o->weights, seed, initial))
        return mg_message_misuse(&c->message,
                                 "weights are random or initial, with :SEED behind if you like, a "
                                 "whole number, or bound, not '%s'",
                                 o->weights);
    MgRematPlan plan;
    if (!mg_remat_parse(o->remat, &plan))
        return mg_message_misuse(&c->message,
                                 "the option remat is none, auto, all or a number of bytes, such "
                                 "as 64MiB, not '%s'",
                                 o->remat);
    return MG_OK;
}

static MgStatus make(MgContext *c, const Origin *from, const MgCompileOptions *options,
                     MgModel **model) {
    if (model)
        *model = NULL;
    if (!c)
        return MG_BAD_USAGE;
    if (!model || !from->path || (!from->text && from->length))
        return mg_message_misuse(&c->message, "%s is NULL",
                                 !model        ? "the place for the model"
                                 : !from->path ? "the name of the model"
                                               : "the text of the model");
    uint64_t seed = 0;
    bool initial = false;
    MgStatus wrong = options ? check_options(c, options, &seed, &initial) : MG_OK;
    if (wrong)
        return wrong;
    MgModel *m = calloc(1, sizeof *m);
    if (!m)
        return mg_message_memory(c);
    m->references = 1;
    m->weights_seed = seed;
    m->initial_weights = initial;
    m->bound_weights = options && options->weights && !strcmp(options->weights, BOUND);
    m->shares = mg_model_retain(options ? options->weights_of : NULL);
    m->bound_weights |= m->shares && m->shares->bound_weights;
    pthread_mutex_init(&m->lock, NULL);
    volatile MgStatus status = MG_OUT_OF_MEMORY;
    mg_fork_hold();
    m->session = mg_session_new(c->options.memory_limit);
    MgTry frame;
    if (m->session && MG_TRY(m->session->mem, frame)) {
        m->options = options ? *options : (MgCompileOptions){.level = -1};
        mg_remat_parse(m->options.remat, &m->remat);
        m->options.remat = NULL;
        m->options.graph = keep(m->session, m->options.graph);
        m->options.march = keep(m->session, m->options.march);
        m->options.target = keep(m->session, m->options.target);
        tell_cache(m, c);
        MgStatus found = choose_target(m, c);
        if (!found && (!find_tuned(m, c) || !find_machine(m, c) || !find_schedules(m)))
            found = MG_BAD_INPUT;
        status = found ? found : load(m, from, c->cache != NULL); // unchanged if memory runs out
        m->options.given = NULL;                                  // it belongs to the caller
        m->options.weights_of = NULL;
        m->options.weights = NULL;
        mg_mem_trim(m->session->mem);
        mg_try_end(m->session->mem, &frame);
    }
    mg_fork_allow(); // before the session's end, which waits for a thread
    c->unsupported = status == MG_BAD_INPUT && mg_diags_unsupported(m->session);
    if (status == MG_OUT_OF_MEMORY)
        mg_message_memory(c);
    else if (m->session && m->session->diags.len)
        mg_message_take(&c->message, m->session, c->color); // also takes warnings
    else if (!status) // an error that is not a diagnostic has set the message already
        mg_message_set(&c->message, "%s", "");
    if (status)
        free_model(m);
    else
        *model = m;
    return status;
}

MgStatus mg_model_load(MgContext *context, const char *path, const MgCompileOptions *options,
                       MgModel **model) {
    return make(context, &(Origin){path, NULL, 0}, options, model);
}

MgStatus mg_model_compile(MgContext *context, const char *name, const char *text, size_t length,
                          const MgCompileOptions *options, MgModel **model) {
    return make(context, &(Origin){name, text ? text : length ? NULL : "", length}, options, model);
}

MgModel *mg_model_retain(MgModel *m) {
    if (m)
        atomic_fetch_add_explicit(&m->references, 1, memory_order_relaxed);
    return m;
}

void mg_model_release(MgModel *m) {
    if (m && atomic_fetch_sub_explicit(&m->references, 1, memory_order_acq_rel) == 1)
        free_model(m);
}

// ---------------------------------------------------------------- description
const char *mg_model_graph(const MgModel *m) {
    return m ? mg_name(m->session->names, m->graph->name) : NULL;
}

uint32_t mg_model_inputs(const MgModel *m) {
    return m ? m->graph->inputs.len : 0;
}

uint32_t mg_model_outputs(const MgModel *m) {
    return m ? m->graph->outputs.len : 0;
}

const MgPortInfo *mg_model_input(const MgModel *m, uint32_t number) {
    return m && number < m->graph->inputs.len ? &m->inputs[number] : NULL;
}

const MgPortInfo *mg_model_output(const MgModel *m, uint32_t number) {
    return m && number < m->graph->outputs.len ? &m->outputs[number] : NULL;
}

static int32_t find(const MgPortInfo *ports, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n && name; i++)
        if (!strcmp(ports[i].name, name))
            return (int32_t)i;
    return -1;
}

int32_t mg_model_find_input(const MgModel *m, const char *name) {
    return m ? find(m->inputs, m->graph->inputs.len, name) : -1;
}

int32_t mg_model_find_output(const MgModel *m, const char *name) {
    return m ? find(m->outputs, m->graph->outputs.len, name) : -1;
}

uint32_t mg_model_dims(const MgModel *m) {
    return m ? m->graph->dims.len : 0;
}

const char *mg_model_dim(const MgModel *m, uint32_t number) {
    return m && number < m->graph->dims.len ? m->dim_names[number] : NULL;
}
