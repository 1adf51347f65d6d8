// mgc train runs a graph with `next` over data, step after step, and keeps what it learned.
#include "tools/mgc.h"

#include "formats/tensor.h"
#include "runtime/instance.h"
#include "support/clock.h"
#include "tools/measure.h"
#include "tools/plot.h"
#include "tools/spec.h"
#include "tools/train_data.h"
#include "tools/train_files.h"
#include "tools/train_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef MG_VEC(double) Numbers;

typedef struct Training {
    const MgcOptions *options;
    MgSession *session;
    MgContext *context;
    MgModel *model;
    MgTrain *train;
    MgInstance *instance; // the training's
    MgModel *validation;  // the file's graph `validate`; NULL: there is none
    MgInstance *validator;
    MgcData data, held_out;
    MgcTrainPlace place;
    uint64_t begin_step, begin_ns;
    int32_t step, seed, rate; // inputs that mgc gives, or -1
    int32_t loss;             // output
    uint64_t step_value, seed_value;
    union {
        float single;
        double twice;
    } rate_value;
    double last;          // loss
    double *figures;      // of the latest step, by output
    Numbers at, losses;   // for the plot
    bool terminal, shown; // a progress line is on the terminal
    uint64_t next_show;   // when to print the next progress line, in nanoseconds
} Training;

// ---------------------------------------------------------------- the graph's ports

static int own_inputs(Training *t, bool *wanted) {
    for (uint32_t i = 0; i < mg_model_inputs(t->model); i++) {
        const MgPortInfo *port = mg_model_input(t->model, i);
        int32_t *mine = !strcmp(port->name, "step")   ? &t->step
                        : !strcmp(port->name, "seed") ? &t->seed
                        : !strcmp(port->name, "lr")   ? &t->rate
                                                      : NULL;
        bool number =
            !port->rank &&
            (mine == &t->rate ? port->element == MG_ELEMENT_F32 || port->element == MG_ELEMENT_F64
                              : port->element == MG_ELEMENT_U64 || port->element == MG_ELEMENT_I64);
        wanted[i] = !port->key && !mine;
        if (mine && !number)
            return mgc_fail(1,
                            "input '%s' of %s is given by mgc train: it is %s, with no dimension",
                            port->name, mg_model_graph(t->model),
                            mine == &t->rate ? "f32[] or f64[]" : "u64[] or i64[]");
        if (mine)
            *mine = (int32_t)i;
    }
    if (t->rate >= 0 && t->options->rate < 0)
        return mgc_fail(2, "%s has an input 'lr': give a learning rate, --lr=0.001",
                        mg_model_graph(t->model));
    if (t->rate < 0 && t->options->rate >= 0)
        return mgc_fail(2, "--lr has no meaning: %s has no input 'lr'", mg_model_graph(t->model));
    return 0;
}

static int find_loss(Training *t) {
    t->loss = mg_model_find_output(t->model, "loss");
    if (t->loss < 0)
        return mgc_fail(1, "%s has no output 'loss', which mgc train reports and checks",
                        mg_model_graph(t->model));
    const MgPortInfo *port = mg_model_output(t->model, (uint32_t)t->loss);
    if (port->rank || (port->element != MG_ELEMENT_F32 && port->element != MG_ELEMENT_F64))
        return mgc_fail(1, "the output 'loss' of %s must be a single number, f32[] or f64[]",
                        mg_model_graph(t->model));
    return 0;
}

static int bind_number(MgInstance *instance, int32_t input, const void *at) {
    if (input >= 0 && mg_bind_input(instance, (uint32_t)input, at, 0, NULL))
        return mgc_fail(1, "%s", mg_instance_message(instance));
    return 0;
}

// Binds the inputs of a batch of the current step. It is an MgcBindFn.
static int bind_batch(void *ctx, MgInstance *instance, uint64_t batch) {
    Training *t = ctx;
    uint64_t size = (uint64_t)t->options->batch, batches = (uint64_t)t->options->accumulate;
    t->step_value = t->place.step;
    t->seed_value = mgc_mix(t->place.seed, t->place.step * batches + batch);
    const MgPortInfo *rate = t->rate < 0 ? NULL : mg_model_input(t->model, (uint32_t)t->rate);
    if (rate && rate->element == MG_ELEMENT_F32)
        t->rate_value.single = (float)t->options->rate;
    else
        t->rate_value.twice = t->options->rate;
    int status = bind_number(instance, t->step, &t->step_value);
    status = status ? status : bind_number(instance, t->seed, &t->seed_value);
    status = status ? status : bind_number(instance, t->rate, &t->rate_value);
    return status ? status
                  : mgc_data_batch(&t->data, instance, t->place.samples + batch * size,
                                   (uint32_t)size);
}

static double scalar_output(const MgInstance *instance, uint32_t number) {
    const MgPortInfo *port = mg_model_output(instance->model, number);
    const void *data;
    const int64_t *dims;
    if (mg_output(instance, number, &data, &dims) || !data)
        return NAN;
    MgBits bits = 0;
    memcpy(&bits, data, mg_element_size(port->element));
    return mg_is_float((MgDType)port->element) ? mg_bits_to_double((MgDType)port->element, bits)
                                               : (double)(int64_t)bits;
}

static bool is_figure(const MgPortInfo *port) {
    return !port->key && !port->rank && mg_is_float((MgDType)port->element);
}

// ---------------------------------------------------------------- reports

static double seconds_since(uint64_t ns) {
    return (double)(mg_now_ns() - ns) * 1e-9;
}

static double samples_of_step(const Training *t) {
    return (double)t->options->batch * (double)t->options->accumulate;
}

static double rate_of(const Training *t) { // samples per second
    double seconds = seconds_since(t->begin_ns);
    double samples = (double)(t->place.step - t->begin_step) * samples_of_step(t);
    return seconds > 0 ? samples / seconds : 0;
}

static void clear_line(Training *t) {
    if (t->shown)
        fputs("\r\033[K", stderr);
    t->shown = false;
}

static void show_progress(Training *t) {
    enum { EVERY_NS = 200000000 };
    uint64_t now = mg_now_ns();
    if (!t->terminal || now < t->next_show)
        return;
    t->next_show = now + EVERY_NS;
    uint64_t steps = (uint64_t)t->options->steps, done = t->place.step - t->begin_step;
    double left =
        done ? seconds_since(t->begin_ns) / (double)done * (double)(steps - t->place.step) : 0;
    fprintf(stderr,
            "\r\033[Kstep %" PRIu64 " of %" PRIu64 ", loss %.4f, %.0f samples/s, %.0f s left",
            t->place.step, steps, t->last, rate_of(t), left);
    t->shown = true;
}

// Prints a line of JSON or text with the current figures: each output that is a number.
static void tell(Training *t, const MgModel *model, const char *what, const double *figures) {
    clear_line(t);
    bool json = t->options->json;
    printf(json ? "{\"step\": %" PRIu64 ", \"of\": \"%s\"" : "step %" PRIu64 "%s", t->place.step,
           json                        ? what
           : !strcmp(what, "training") ? ""
                                       : ", held-out data");
    for (uint32_t i = 0; i < mg_model_outputs(model); i++) {
        const MgPortInfo *port = mg_model_output(model, i);
        if (is_figure(port))
            printf(json ? ", \"%s\": %.9g" : ", %s %.4f", port->name, figures[i]);
    }
    if (!strcmp(what, "training"))
        printf(json ? ", \"samples_per_second\": %.1f" : ", %.0f samples/s", rate_of(t));
    puts(json ? "}" : "");
    fflush(stdout);
}

static void read_figures(const MgInstance *instance, double *figures, double weight) {
    for (uint32_t i = 0; i < mg_model_outputs(instance->model); i++)
        if (is_figure(mg_model_output(instance->model, i)))
            figures[i] += weight * scalar_output(instance, i);
}

// ---------------------------------------------------------------- steps

static MgCompileOptions compile_options(Training *t) {
    MgCompileOptions compile = mgc_compile_options(t->options);
    if (!compile.graph)
        compile.graph = "step";
    compile.accumulate = t->options->accumulate > 1;
    // What went wrong in a step can only be found if its old values are still there; a profile runs
    // the whole step again and again.
    compile.in_place = !t->options->check_what && !t->options->profile;
    if (!compile.weights) // a training begins with nothing loaded
        compile.weights = mg_arena_printf(t->session->arena, "initial:%" PRIu64, t->place.seed);
    return compile;
}

static MgStatus try_batch(Training *t) {
    if (!t->validator)
        return mg_train_try(t->train);
    MgStatus status = mg_train_bind(t->train, t->validator);
    return status ? status : mg_run(t->validator);
}

// Computes the mean of each figure over all held-out samples, with the graph `validate` or
// otherwise with the training graph itself. The parameters don't change.
static int validate(Training *t) {
    MgcData *d = &t->held_out;
    MgInstance *instance = t->validator ? t->validator : t->instance;
    double *figures = MG_NEW_N(t->session->arena, double, mg_model_outputs(instance->model) + 1);
    int status = 0;
    for (int64_t at = 0; at < d->count && !status; at += t->options->batch) {
        int64_t n = d->count - at < t->options->batch ? d->count - at : t->options->batch;
        status = mgc_data_batch(d, instance, (uint64_t)at, (uint32_t)n);
        if (!status && try_batch(t))
            return mgc_complain(1, t->validator ? mg_instance_message(instance)
                                                : mg_train_message(t->train));
        read_figures(instance, figures, (double)n / (double)d->count);
    }
    if (!status)
        tell(t, instance->model, "held-out data", figures);
    return status;
}

// key: the parameter to which the step gave a number that is not finite; NULL: the loss is not
// finite.
static int not_finite(Training *t, const char *key, uint64_t batch) {
    clear_line(t);
    const char *kept = t->options->checkpoints ? "; what --save kept is from before" : "",
               *hint =
                   t->options->check_what ? "" : "; --check=finite names the op that is at fault";
    if (key)
        mgc_fail(3, "step %" PRIu64 " gives '%s' a number that is not finite%s%s", t->place.step,
                 key, kept, hint);
    else
        mgc_fail(3, "the loss of step %" PRIu64 " is %s: the learning rate may be too large%s%s",
                 t->place.step, isnan(t->last) ? "not a number" : "infinite", kept, hint);
    if (t->options->check_what) {
        MgcStep step = {.train = t->train,
                        .batch = batch,
                        .file = t->options->file,
                        .compile = compile_options(t),
                        .color = t->context->color,
                        .key = key,
                        .bind = bind_batch,
                        .ctx = t};
        mgc_finite_explain(t->session, &step);
    }
    return 3;
}

// A loss doesn't depend on its own step's update, so the parameters are examined before they
// replace a checkpoint that can be used. A buffer may hold an infinity, as a minimum so far does.
static int save(Training *t) {
    const char *key = mgc_finite_exception(t->train, t->model, false);
    if (!key)
        return mgc_checkpoint_save(t->session, t->train, t->options->checkpoints, &t->place);
    t->place.step--;
    return not_finite(t, key, 0);
}

static int report(Training *t) {
    if (t->options->json || t->place.step == (uint64_t)t->options->steps)
        tell(t, t->model, "training", t->figures);
    int status = t->held_out.n_sources ? validate(t) : 0;
    return !status && t->options->checkpoints ? save(t) : status;
}

// Adds up the figures that each batch has for itself; the others are those of the last batch.
static void read_step_figures(Training *t, uint64_t batch, uint64_t batches) {
    const MgGraph *g = t->model->graph;
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        bool own = g->outputs.at[i].turn == MG_TURN_BATCH;
        if (!is_figure(mg_model_output(t->model, i)) || (!own && batch + 1 < batches))
            continue;
        t->figures[i] = (own && batch ? t->figures[i] : 0) +
                        scalar_output(t->instance, i) / (own ? (double)batches : 1);
    }
}

static int one_batch(Training *t, uint64_t batch, uint64_t batches) {
    int status = bind_batch(t, t->instance, batch);
    if (status)
        return status;
    if (batch + 1 < batches ? mg_train_add(t->train) : mg_train_step(t->train)) {
        const char *why = mg_train_message(t->train);
        return strchr(why, '\n') ? mgc_complain(1, why) // diagnostics, as of --remat
                                 : mgc_fail(1, "step %" PRIu64 ": %s", t->place.step, why);
    }
    t->last = scalar_output(t->instance, (uint32_t)t->loss);
    const char *key = NULL;
    if (isfinite(t->last) && t->options->check_what)
        key = mgc_finite_exception(t->train, t->model, true);
    if (key || !isfinite(t->last))
        return not_finite(t, key, batch);
    read_step_figures(t, batch, batches);
    return 0;
}

static int one_step(Training *t) {
    uint64_t batches = (uint64_t)t->options->accumulate;
    int status = 0;
    for (uint64_t batch = 0; batch < batches && !status; batch++) {
        status = one_batch(t, batch, batches);
        if (!status && batch + 1 < batches)
            show_progress(t);
    }
    if (status)
        return status;
    t->last = t->figures[t->loss];
    t->place.step++;
    t->place.samples += batches * (uint64_t)t->options->batch;
    return 0;
}

static int run_steps(Training *t) {
    const MgcOptions *o = t->options;
    uint64_t steps = (uint64_t)o->steps, every = o->report > 0 ? (uint64_t)o->report : steps,
             point = steps / 400 + 1;
    t->begin_step = t->place.step;
    t->begin_ns = mg_now_ns();
    if (t->place.step >= steps)
        fprintf(stderr,
                "mgc: note: the training in '%s' has made %" PRIu64 " steps, so --steps=%" PRIu64
                " asks for no more\n",
                o->resume, t->place.step, steps);
    int status = 0;
    while (t->place.step < steps && !status) {
        status = one_step(t);
        if (!status && (t->place.step % point == 0 || t->place.step == steps)) {
            mg_push(t->session->arena, &t->at, (double)t->place.step);
            mg_push(t->session->arena, &t->losses, t->last);
        }
        if (!status)
            show_progress(t);
        if (!status && (t->place.step % every == 0 || t->place.step == steps))
            status = report(t);
    }
    clear_line(t);
    return status;
}

static int plot(Training *t) {
    if (!t->options->plot || !t->at.len)
        return 0;
    MgcSeries series = {.name = "loss", .n = t->at.len, .x = t->at.at, .y = t->losses.at};
    MgcPanel panel = {.title = "Loss of each step's batch",
                      .x = {.title = "step"},
                      .y = {.title = "loss"},
                      .series = &series,
                      .n_series = 1};
    MgcPlot p = {.title = mg_arena_printf(t->session->arena, "Training of %s", t->options->file),
                 .subtitle = mg_arena_printf(
                     t->session->arena, "graph %s, %.0f samples in a step, %.0f samples/s",
                     mg_model_graph(t->model), samples_of_step(t), rate_of(t)),
                 .panels = &panel,
                 .n_panels = 1,
                 .columns = 1};
    return !mgc_plot_write(t->session, t->options->plot, &p);
}

// --profile: which kernels a step has, and what bounds each. The parameters don't change.
static int profile(Training *t) {
    if (!t->options->profile)
        return 0;
    MgText out = mg_text(t->session->arena);
    MgcProgress *progress = mgc_progress_begin("profiling", mg_model_graph(t->model));
    int status = bind_batch(t, t->instance, 0);
    MgStatus ran = status ? MG_OK : mg_train_try(t->train);
    if (!status && !ran)
        ran = mgc_measure(t->instance, t->options, &out, t->session);
    mgc_progress_end(progress);
    if (ran)
        return t->session->n_errors ? 1 : mgc_fail(1, "%s", mg_instance_message(t->instance));
    if (!status && t->options->json)
        printf("{\"step\": %" PRIu64 ", \"of\": \"profile\"%s}\n", t->place.step,
               mg_text_str(&out));
    else if (!status)
        fputs(mg_text_str(&out), stdout);
    return status;
}

// ---------------------------------------------------------------- preparation

static int load(Training *t) {
    const MgcOptions *o = t->options;
    MgContextOptions context = {.threads = (uint32_t)o->threads,
                                .memory_limit = (size_t)o->memory_limit << 20,
                                .cache_folder = o->no_cache ? "" : o->cache_folder};
    MgStatus status = mg_context_new(&context, &t->context);
    if (!status) {
        t->context->color = mgc_color(2);
        MgCompileOptions compile = compile_options(t);
        status = mg_model_load(t->context, o->file, &compile, &t->model);
    }
    if (!status)
        status = mg_train_open(t->model, t->context, &t->train);
    if (status)
        return mgc_complain(status, mg_context_message(t->context));
    t->instance = mg_train_instance(t->train);
    t->figures = MG_NEW_N(t->session->arena, double, mg_model_outputs(t->model) + 1);
    return 0;
}

// Opens the graph `validate` with the parameters of the training.
static int open_validation(Training *t) {
    const MgModule *module = t->model->module;
    MgSym name = mg_sym(t->model->session->names, "validate");
    if (!t->options->validate.n || !mg_graph_find(module, name) || t->model->graph->name == name)
        return 0;
    MgCompileOptions compile = compile_options(t);
    compile.graph = "validate";
    compile.open_parameters = true;
    compile.accumulate = false; // it has no gradients
    MgStatus status = mg_model_load(t->context, t->options->file, &compile, &t->validation);
    if (!status)
        status = mg_instance_new(t->validation, t->context, &t->validator);
    if (status)
        return mgc_complain(status, mg_context_message(t->context));
    for (uint32_t i = 0; i < mg_model_inputs(t->validation); i++) {
        const char *key = mg_model_input(t->validation, i)->key;
        bool known = !key;
        for (uint32_t k = 0; k < mg_train_params(t->train) && !known; k++)
            known = !strcmp(mg_train_param(t->train, k), key);
        if (!known)
            return mgc_fail(1, "graph validate has a parameter '%s' that %s doesn't change", key,
                            mg_model_graph(t->model));
    }
    return 0;
}

// --validate: the last samples of the data, as a number or a share below 1; or other data.
static int hold_out(Training *t, const bool *training_wants) {
    const MgcOptions *o = t->options;
    const MgcList *v = &o->validate;
    MgModel *model = t->validation ? t->validation : t->model;
    bool *wanted = MG_NEW_N(t->session->arena, bool, mg_model_inputs(model) + 1);
    for (uint32_t i = 0; i < mg_model_inputs(model); i++)
        wanted[i] = t->validation ? !mg_model_input(model, i)->key : training_wants[i];
    char *end = NULL;
    double n = v->n == 1 ? strtod(v->at[0], &end) : 0;
    bool number = v->n == 1 && end != v->at[0] && !*end;
    if (!v->n)
        return 0;
    if (!number) {
        int status =
            mgc_data_open(t->session->arena, t->context, model, v, &o->sets, wanted, &t->held_out);
        mgc_data_in_order(&t->held_out, 0, t->held_out.count);
        return status;
    }
    if (n > 1 && n != floor(n))
        return mgc_fail(2, "--validate=%s is neither a number of samples nor a share below 1",
                        v->at[0]);
    double held = n < 1 ? floor(n * (double)t->data.count) : floor(n);
    if (!(held >= 1) || held >= (double)t->data.count)
        return mgc_fail(
            2,
            "--validate=%s holds out %.0f of %lld sample%s; at least one has to stay on "
            "each side",
            v->at[0], held > 0 ? held : 0, (long long)t->data.count, mg_plural(t->data.count));
    int status = mgc_data_open(t->session->arena, t->context, model, &o->data, &o->sets, wanted,
                               &t->held_out);
    mgc_data_in_order(&t->held_out, t->data.count - (int64_t)held, (int64_t)held);
    // A window that a step sees ends before the first sample that is held out.
    t->data.count -= (int64_t)held + (t->data.stream ? t->data.window - 1 : 0);
    if (!status && t->data.count < 1)
        return mgc_fail(2, "--validate=%s leaves no window to learn from", v->at[0]);
    return status;
}

static int check_size(const Training *t) {
    const MgcOptions *o = t->options;
    if (t->data.stream || t->data.count >= o->batch * o->accumulate)
        return 0;
    if (t->data.count < o->batch)
        return mgc_fail(2, "--batch=%lld is more than the number of samples, %lld",
                        (long long)o->batch, (long long)t->data.count);
    return mgc_fail(2,
                    "a step takes %lld sample%s (--accumulate=%lld times --batch=%lld), more than "
                    "the %lld there are",
                    (long long)(o->batch * o->accumulate),
                    mg_plural((uint64_t)(o->batch * o->accumulate)), (long long)o->accumulate,
                    (long long)o->batch, (long long)t->data.count);
}

static int prepare(Training *t) {
    const MgcOptions *o = t->options;
    int status = mgc_plot_check(t->session, o->plot);
    status = status ? status : mgc_profile_check(t->session, o);
    status = status || !o->checkpoints ? status : mgc_checkpoint_check(o->checkpoints);
    MgcProgress *progress = status ? NULL : mgc_progress_begin("compiling", o->file);
    status = status ? status : load(t);
    mgc_progress_end(progress);
    if (status)
        return status;
    bool *wanted = MG_NEW_N(t->session->arena, bool, mg_model_inputs(t->model) + 1);
    status = own_inputs(t, wanted);
    status = status ? status : find_loss(t);
    if (!status)
        status = mgc_data_open(t->session->arena, t->context, t->model, &o->data, &o->sets, wanted,
                               &t->data);
    status = status ? status : open_validation(t);
    status = status ? status : hold_out(t, wanted);
    if (!status && o->resume)
        status = mgc_checkpoint_load(t->session, t->train, o->resume, &t->place);
    status = status ? status : check_size(t);
    t->data.shuffled = true;
    t->data.seed = t->place.seed;
    return status;
}

// Closes what a training holds outside the session's memory.
static void close_all(void *ctx) {
    Training *t = ctx;
    mgc_data_close(&t->data);
    mgc_data_close(&t->held_out);
    mg_instance_free(t->validator);
    mg_model_release(t->validation);
    mg_train_close(t->train);
    mg_model_release(t->model);
    mg_context_free(t->context);
}

static int train(MgSession *session, const MgcOptions *options) {
    Training *t = MG_NEW(session->arena, Training);
    *t = (Training){.options = options,
                    .session = session,
                    .step = -1,
                    .seed = -1,
                    .rate = -1,
                    .place = {.seed = (uint64_t)options->seed,
                              .batch = (uint64_t)options->batch,
                              .accumulate = (uint64_t)options->accumulate},
                    .terminal = isatty(STDERR_FILENO)};
    mg_mem_defer(session->mem, close_all, t); // memory may run out while threads run
    int status = prepare(t);
    if (!status)
        mgc_watch_run();
    status = status ? status : run_steps(t);
    status = status ? status : plot(t);
    status = status ? status : profile(t);
    mg_mem_undefer(session->mem, t);
    close_all(t);
    return status;
}

int mgc_train(const MgcOptions *options) {
    if (!options->data.n)
        return mgc_fail(2, "mgc train needs data: --data=FILE.npz, or --data NAME=FILE");
    if (options->steps <= 0)
        return mgc_fail(2, "mgc train needs a number of steps: --steps=N");
    if (options->check && (!options->check_what || strcmp(options->check_what, "finite") != 0))
        return mgc_fail(2, "--check of a training is --check=finite");
    if (options->save && !options->checkpoints)
        return mgc_fail(2, "--save=DIR names the folder of checkpoints, with the '='");
    return mgc_in_session(options, train);
}
