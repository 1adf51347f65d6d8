// mgc --emit-…: runs the pipeline up to one stage and prints it. Each stage is a row with the input
// that it needs and the function that prints it.
#include "tools/mgc.h"

#include "frontend/ast.h"
#include "frontend/sema.h"
#include "frontend/source.h"
#include "runtime/context.h"
#include "runtime/open.h"
#include "tools/spec.h"

#include <string.h>

typedef struct Emit {
    MgSession *session;
    const MgcOptions *options;
    MgCompileSettings settings;
    MgText out;
    MgModule *module;
    MgGraph *graph;
    MgProgram *program;
    MgTuning tuning;
} Emit;

static bool print_ast(Emit *e) {
    uint32_t source = mg_source_read(e->session, e->options->file, mg_no_span());
    MgAstFile *file = source ? mg_parse(e->session, source) : NULL;
    if (!file || e->session->n_errors)
        return false;
    mg_ast_dump(e->session, file, e->options->places, &e->out);
    return true;
}

static bool print_ir(Emit *e) {
    MgPrintOptions print = {.origins = e->options->places,
                            .annotations = !e->options->no_annotations,
                            .inline_const = SIZE_MAX};
    if (e->options->graph || e->options->sets.n) {
        mg_text_add(&e->out, "mg 1\n");
        mg_graph_print(e->graph, &print, &e->out);
    } else
        mg_module_print(e->module, &print, &e->out);
    return true;
}

static bool is_picture(const Emit *e) {
    const char *output = e->options->output, *dot = output ? strrchr(output, '.') : NULL;
    return dot && !strcmp(dot, ".svg");
}

static bool print_dot(Emit *e) {
    (is_picture(e) ? mg_graph_svg : mg_graph_dot)(e->graph, &e->out);
    return true;
}

static bool print_kernels(Emit *e) {
    mg_program_print(e->program, &e->out, true, false);
    return true;
}

static bool print_schedule(Emit *e) {
    mg_schedule_print(e->program, NULL, NULL, &e->out);
    return true;
}

static bool print_plan(Emit *e) {
    mg_program_print(e->program, &e->out, false, true);
    return true;
}

static bool print_memplan(Emit *e) {
    if (is_picture(e))
        return mg_memplan_svg(e->program, &e->out) ||
               mgc_fail(1, "where its blocks lie depends on dimensions: give them with --set") == 0;
    mg_memplan_print(e->program, &e->out, e->options->json);
    return true;
}

static bool print_llvm(Emit *e) {
    return e->settings.backend->emit(e->session, e->program, e->options->march, "llvm", &e->out);
}

static bool print_asm(Emit *e) {
    return e->settings.backend->emit(e->session, e->program, e->options->march, "asm", &e->out);
}

static bool print_opencl(Emit *e) {
    return mg_backend_find("opencl")->emit(e->session, e->program, e->options->march, "opencl",
                                           &e->out);
}

typedef enum Needs { FILE_ALONE, ALL_GRAPHS, ONE_GRAPH, PROGRAM } Needs;
static const struct {
    MgcEmit emit;
    Needs needs;
    bool (*print)(Emit *e);
} stages[] = {
    {MGC_EMIT_AST, FILE_ALONE, print_ast},      {MGC_EMIT_IR, ALL_GRAPHS, print_ir},
    {MGC_EMIT_DOT, ONE_GRAPH, print_dot},       {MGC_EMIT_SCHEDULE, PROGRAM, print_schedule},
    {MGC_EMIT_KERNELS, PROGRAM, print_kernels}, {MGC_EMIT_PLAN, PROGRAM, print_plan},
    {MGC_EMIT_MEMPLAN, PROGRAM, print_memplan}, {MGC_EMIT_LLVM, PROGRAM, print_llvm},
    {MGC_EMIT_ASM, PROGRAM, print_asm},         {MGC_EMIT_OPENCL, PROGRAM, print_opencl},
};

static bool set_dim(void *context, MgIxSym s, int64_t *value) {
    const Emit *e = ((void **)context)[0];
    const int64_t *dims = ((void **)context)[1];
    for (uint32_t d = 0; d < e->graph->dims.len; d++)
        if (e->graph->dims.at[d] == s && dims[d] >= 0) {
            *value = dims[d];
            return true;
        }
    return false;
}

// Loads the source and prepares the input of the stage, with the passes of the level.
static int prepare(Emit *e, Needs needs) {
    const MgcOptions *o = e->options;
    if (needs == FILE_ALONE)
        return 0;
    if (!(e->module = mgc_module_open(e->session, o)))
        return 1;
    if (needs == ALL_GRAPHS && !o->graph && !o->sets.n) {
        for (uint32_t i = 0; i < e->module->graphs.len; i++)
            if (!mg_compile_passes(e->module->graphs.at[i], &e->settings))
                return 1;
        return 0;
    }
    if (!(e->graph = mg_choose_graph(e->module, o->graph)))
        return 1;
    int64_t *dims;
    int status = mgc_set_dims(e->session->arena, e->graph, &o->sets, &dims);
    if (status)
        return status;
    if (o->sets.n)
        e->graph = mg_graph_specialise(e->graph, set_dim, (void *[]){e, dims});
    if (!mg_compile_passes(e->graph, &e->settings))
        return 1;
    return needs == PROGRAM && !(e->program = mg_compile_schedule(e->graph, &e->settings));
}

static int emit(MgSession *session, const MgcOptions *options) {
    MgPassOptions passes;
    Emit e = {.session = session,
              .options = options,
              .settings = mgc_settings(options, &passes),
              .out = mg_text(session->arena)};
    if (options->emit == MGC_EMIT_OPENCL && !options->target) // scheduled for the target in whose
                                                              // language it is printed
        e.settings.backend = mg_backend_find("opencl");
    e.settings.to_read = options->emit == MGC_EMIT_KERNELS;
    if (!mgc_tuning(session, options, &e.tuning))
        return 1;
    e.settings.tuning = &e.tuning;
    if (!mgc_named_files(session, options, &e.settings))
        return 1;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].emit == options->emit) {
            int status = prepare(&e, stages[i].needs);
            mgc_tell_edges(); // before the stage, on a terminal
            if (!status)
                status = !stages[i].print(&e);
            return status ? status
                          : mgc_put(session, options, mg_text_str(&e.out), e.out.bytes.len);
        }
    return 1;
}

int mgc_emit(const MgcOptions *options) {
    MgcProgress *progress = mgc_progress_begin("compiling", options->file);
    int status = mgc_in_session(options, emit);
    mgc_progress_end(progress);
    return status;
}
