// mgc: the compiler's command line. A table maps subcommands to functions; each has its own file.
#include "tools/mgc.h"

#include "backends/device_host.h"
#include "runtime/context.h"

#include "runtime/machine_file.h"
#include "runtime/open.h"
#include "runtime/tuned.h"
#include "runtime/weights_random.h"
#include "support/files.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

bool mgc_color(int fd) {
    const char *no = getenv("NO_COLOR");
    return !(no && no[0]) && isatty(fd);
}

int mgc_report(MgSession *session) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, mgc_color(STDERR_FILENO));
    fputs(mg_text_str(&out), stderr);
    return session->n_errors > 0;
}

int mgc_fail(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("mgc: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    return status;
}

int mgc_complain(int status, const char *message) {
    size_t n = strlen(message);
    bool rendered = n && message[n - 1] == '\n';
    fprintf(stderr, rendered ? "%s" : "mgc: error: %s\n", message);
    return status == MG_OUT_OF_MEMORY ? 1 : status;
}

int mgc_in_session(const MgcOptions *options,
                   int (*work)(MgSession *session, const MgcOptions *options)) {
    size_t limit =
        options->memory_limit ? (size_t)options->memory_limit << 20 : mg_mem_default_limit();
    MgSession *session = mg_session_new(limit);
    if (!session)
        return mgc_fail(1, "out of memory");
    int status;
    MgTry frame;
    if (MG_TRY(session->mem, frame)) {
        status = work(session, options);
        int reported = mgc_report(session);
        status = status ? status : reported;
        mg_try_end(session->mem, &frame);
    } else
        status = mgc_fail(1, "out of memory: the limit is %zu MiB (--memory-limit)", limit >> 20);
    mg_session_free(session);
    return status;
}

MgCache *mgc_cache_open(const MgcOptions *options) {
    static bool told;
    MgCache *cache = options->no_cache ? NULL : mg_cache_open(options->cache_folder, 0);
    if (cache && mg_cache_refused(cache) && !told)
        fprintf(stderr, "warning: %s\n", mg_cache_note(cache));
    told = true;
    return cache;
}

MgModule *mgc_module_open(MgSession *session, const MgcOptions *options) {
    MgModule *module = mg_module_open(session, options->file);
    if (module && options->weights)
        module->random_weights = mg_random_weights_parse(options->weights, &module->weights_seed,
                                                         &module->initial_weights);
    for (uint32_t i = 0; module && i < module->graphs.len; i++)
        mg_round_graph(module->graphs.at[i], (MgWeightsType)options->weights_type,
                       (MgPrecision)options->precision);
    return module;
}

int mgc_put(MgSession *session, const MgcOptions *options, const char *text, size_t length) {
    if (options->output && strcmp(options->output, "-") != 0)
        return !mg_file_write(session, options->output, &(MgBytes){text, length}, 1);
    if (fwrite(text, 1, length, stdout) != length || fflush(stdout))
        return mgc_fail(1, "cannot write to standard output");
    return 0;
}

int mgc_put_check(MgSession *session, const MgcOptions *options) {
    bool file = options->output && strcmp(options->output, "-") != 0;
    return file && !mg_file_writable(session, options->output);
}

MgCompileSettings mgc_settings(const MgcOptions *options, MgPassOptions *passes) {
    mgc_pass_options(options, passes);
    return (MgCompileSettings){
        .backend = mg_backend_find(options->target ? options->target : "cpu"),
        .march = options->march,
        .level = options->level < 0 ? MG_DEFAULT_LEVEL : (uint32_t)options->level,
        .workers = (uint32_t)options->threads,
        .launch = (MgLaunch)options->launch,
        .winograd = (uint32_t)options->winograd,
        .remat = passes->remat,
        .in_place = options->training,
        .tf32 = options->precision == MG_PRECISION_TF32,
        .short_sums = options->short_sums,
        .share_all = options->sharing == MG_SHARING_ALL,
        .strict = options->strict,
        .passes = passes};
}

// A path; "" for none; NULL for the default.
static const char *tuned(const MgcOptions *options) {
    return options->tuned && !strcmp(options->tuned, "none") ? "" : options->tuned;
}

MgCompileOptions mgc_compile_options(const MgcOptions *o) {
    return (MgCompileOptions){.graph = o->graph,
                              .level = (int32_t)o->level,
                              .march = o->march,
                              .strict = o->strict,
                              .precision = (MgPrecision)o->precision,
                              .short_sums = o->short_sums,
                              .weights_type = (MgWeightsType)o->weights_type,
                              .sharing = (MgSharing)o->sharing,
                              .interpret = o->interpret,
                              .mode = (MgMode)o->mode,
                              .launch = (MgLaunchForm)o->launch,
                              .winograd = (MgWinograd)o->winograd,
                              .remat = o->remat,
                              .target = o->target,
                              .device = o->device,
                              .tuned = tuned(o),
                              .schedules = o->schedule,
                              .machine = o->machine,
                              .weights = o->weights};
}

bool mgc_tuning(MgSession *session, const MgcOptions *options, MgTuning *tuning) {
    bool here = !options->march || !strcmp(options->march, "native");
    *tuning = (MgTuning){0};
    if (options->target && strcmp(options->target, "cpu") != 0)
        return true;
    MgCache *cache = here && !options->tuned ? mgc_cache_open(options) : NULL;
    bool ok = mg_tuned_find(session, tuned(options), cache, tuning);
    mg_cache_close(cache);
    return ok;
}

static bool choose_machine(MgSession *session, const MgcOptions *options,
                           MgCompileSettings *settings) {
    bool here = !settings->backend->on_device &&
                (!options->march || !strcmp(options->march, "native")) && !options->machine;
    MgCache *cache = here ? mgc_cache_open(options) : NULL;
    bool ok = mg_machine_choose(session, options->machine, cache, &settings->machine);
    mg_cache_close(cache);
    return ok;
}

bool mgc_named_files(MgSession *session, const MgcOptions *options, MgCompileSettings *settings) {
    if (options->schedule)
        settings->schedules = mg_compile_schedules(session, options->schedule);
    return (!options->schedule || settings->schedules) &&
           choose_machine(session, options, settings);
}

static const struct {
    MgcCommand command;
    int (*run)(const MgcOptions *options);
} commands[] = {
    {MGC_BUILD, mgc_build},     {MGC_EMIT, mgc_emit},       {MGC_RUN, mgc_run},
    {MGC_TEST, mgc_test},       {MGC_BENCH, mgc_bench},     {MGC_FMT, mgc_fmt},
    {MGC_CACHE, mgc_cache},     {MGC_DEVICES, mgc_devices}, {MGC_MACHINE, mgc_machine},
    {MGC_KERNELS, mgc_kernels}, {MGC_VERSION, mgc_version}, {MGC_IMPORT, mgc_import},
    {MGC_BISECT, mgc_bisect},   {MGC_REDUCE, mgc_reduce},   {MGC_PROBE, mgc_probe},
    {MGC_TUNE, mgc_tune},       {MGC_WEIGHTS, mgc_weights}, {MGC_GRADIENTS, mgc_check_gradients},
    {MGC_LSP, mgc_lsp},         {MGC_OPS, mgc_ops},         {MGC_TRAIN, mgc_train},
};

// Every backend prints its programs. Backends that make objects also run them.
static bool check_target(const MgcOptions *options) {
    const char *target = options->target ? options->target : "cpu";
    const MgBackend *backend = mg_backend_find(target);
    if (!backend) {
        mgc_fail(2, "there is no target '%s'; the targets are cpu and gpu", target);
        return false;
    }
    if (!backend->object && options->command != MGC_EMIT) {
        mgc_fail(2, "target '%s' prints its kernels (--emit-…) and runs nothing; cpu and gpu do",
                 target);
        return false;
    }
    return true;
}

static bool is_driver(const char *name) {
    bool found = !strcmp(name, "auto");
    for (const MgDeviceHost *const *host = mg_device_hosts; *host; host++)
        found |= !strcmp(name, (*host)->name);
    return found;
}

static bool check_device(const MgcOptions *options) {
    const char *driver = options->driver, *device = options->device;
    bool gpu = options->target && !strcmp(options->target, "gpu");
    if ((device || driver) && !gpu && options->command != MGC_PROBE &&
        options->command != MGC_MACHINE)
        mgc_fail(2, "--%s=%s chooses a device: it needs --target=gpu", device ? "device" : "driver",
                 device ? device : driver);
    else if (driver && !is_driver(driver))
        mgc_fail(2, "--driver=%s: the drivers are opencl and cuda, or auto", driver);
    else
        return true;
    return false;
}

// A device is named with its driver.
static bool join_driver(MgcOptions *options) {
    const char *driver = options->driver, *device = options->device;
    char *name = options->device_of_driver;
    size_t room = sizeof options->device_of_driver;
    if (!driver || !strcmp(driver, "auto"))
        return true;
    int n = snprintf(name, room, "%s%s%s", driver, device ? ":" : "", device ? device : "");
    options->device = name;
    if ((size_t)n < room)
        return true;
    mgc_fail(2, "--device=%.40s...: the name is too long", device);
    return false;
}

static bool check_weights(const MgcOptions *options) {
    uint64_t seed;
    bool initial;
    if (!options->weights || mg_random_weights_parse(options->weights, &seed, &initial))
        return true;
    bool place = strstr("auto inside beside", options->weights) != NULL;
    bool file = strstr(options->weights, ".safetensors") != NULL;
    mgc_fail(2,
             "--weights takes random, random:SEED, initial or initial:SEED, where SEED is a whole "
             "number, not '%s'%s",
             options->weights,
             place  ? "; --weights-place says where a library has them"
             : file ? "; a graph names its file itself, after its results: weights \"FILE\""
                    : "");
    return false;
}

static bool check_remat(const MgcOptions *options) {
    MgRematPlan plan;
    if (mg_remat_parse(options->remat, &plan))
        return true;
    mgc_fail(2, "--remat takes none, auto, all or a number of bytes, such as 64MiB, not '%s'",
             options->remat);
    return false;
}

// A compiler's memory grows until the end. Returning pieces to the system and asking for them again
// takes 2 of the 60 ms of a small net. Large pages save another 3 ms, of page faults and of the
// exit.
static void keep_memory(void) {
    enum { PAD = 32 << 20, LARGE = 2 << 20 };
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, PAD);
    void *volatile more = malloc(1 << 20); // more than there is, so that the heap grows by the pad
    free(more);
    uintptr_t end = (uintptr_t)sbrk(0) / LARGE * LARGE;
    madvise((void *)(end - PAD + LARGE), PAD - LARGE, MADV_HUGEPAGE); // a hint: it may fail
}

int main(int argc, char **argv) {
    MgcOptions options;
    int status = 2;
    keep_memory();
    signal(SIGXFSZ, SIG_IGN); // a file over its limit is an error of write(), reported as such
    if (mgc_options_parse(argc, argv, &options) && check_target(&options) &&
        check_device(&options) && join_driver(&options) && check_weights(&options) &&
        check_remat(&options)) {
        status = 0;
        if (options.command != MGC_TEST) // a crash of its children concerns only them
            mgc_watch_crashes(argv, &options);
        if (options.help || options.command == MGC_HELP)
            status = options.file && !options.help ? mgc_ops(&options) : mgc_help(&options);
        else if (options.list_passes)
            status = mgc_list_passes(&options);
        else if (!(status = mgc_check_passes(&options)))
            for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
                if (commands[i].command == options.command)
                    status = commands[i].run(&options);
    }
    mgc_tell_edges();
    mgc_options_free(&options);
    // What mgc_put could not write was reported already.
    if (fflush(stdout) && !status)
        status = mgc_fail(1, "cannot write to standard output");
    return status;
}
