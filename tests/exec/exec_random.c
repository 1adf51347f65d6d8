// Compares random programs on a backend at every level with the reference interpreter.
//
//   exec_random FIRST COUNT [--levels=0123] [--threads=12] [--modes=icglop] [--target=gpu]
//               [--shared] [--siblings] [--layers] [--precision=tf32] [--march=CPU]
//               [--machine=FILE] [--strict] [--open] [--keep=FOLDER] [--print]
//
// --siblings: only programs of products that share a factor. --layers: only programs of layers of
// networks. --shared: each program at one level and in one mode, in turn.
//
// At -O3 two seeds of three have convolutions by either form of Winograd's algorithm, half of
// the programs are compiled with parameters of schedules drawn at random, and half of those on the
// CPU (--open: all) run the code that takes any sizes, if dimensions are open. Each program runs
// in a process of its own, so that a crash or an endless loop is a failure like any other. A
// program with over 1% exempt elements proves little and is drawn again. A failure prints the seed,
// the program and what differs, and with --keep leaves program and inputs in a folder, with the
// command that runs them. The last line is 'N passed, N failed'.
#include "runtime/tuned.h"
#include "support/files.h"
#include "tests/exec/compare.h"
#include "tests/random/random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The limits of a program: CPU time, which a busy machine doesn't change, and wall-clock time,
// in case it waits for ever.
enum { PASSED, FAILED, REDRAW, CPU_SECONDS = 300, SECONDS = 3600 };

typedef struct Options {
    MgExecOptions exec;
    const char *keep;
    bool print, shared, siblings, layers;
} Options;

static MgInterpTensor *tensors(const MgRandomProgram *p, MgArena *arena) {
    MgInterpTensor *t = MG_NEW_N(arena, MgInterpTensor, p->n_inputs + 1);
    for (uint32_t k = 0; k < p->n_inputs; k++) {
        MgRandomInput *in = &p->inputs[k];
        t[k] = (MgInterpTensor){
            .dtype = in->dtype, .rank = in->rank, .shape = in->shape, .n = in->n, .data = in->data};
    }
    return t;
}

// Fills FOLDER/random_SEED with program.mg, an npy file for each input, and `run`, a shell line.
static void keep(const MgRandomProgram *p, const char *folder, uint64_t seed) {
    char path[512];
    snprintf(path, sizeof path, "%s/random_%llu", folder, (unsigned long long)seed);
    mkdir(folder, 0777);
    mkdir(path, 0777);
    size_t at = strlen(path);
    snprintf(path + at, sizeof path - at, "/program.mg");
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fputs(p->text, f);
    fclose(f);
    snprintf(path + at, sizeof path - at, "/run");
    f = fopen(path, "w");
    if (!f)
        return;
    fputs("mgc run program.mg", f);
    MgContext *context;
    if (mg_context_new(NULL, &context) != MG_OK)
        return;
    for (uint32_t k = 0; k < p->n_inputs; k++) {
        MgRandomInput *in = &p->inputs[k];
        MgTensor *t =
            mg_tensor_wrap((MgElement)in->dtype, in->rank, in->shape, in->data, NULL, NULL);
        snprintf(path + at, sizeof path - at, "/%s.npy", in->name);
        if (t && mg_tensor_write(context, path, t) == MG_OK)
            fprintf(f, " --input %s=%s.npy", in->name, in->name);
        mg_tensor_release(t);
    }
    fputs("\n", f);
    fclose(f);
    mg_context_free(context);
}

static MgRandomProgram *program(uint64_t seed, const Options *options, MgArena *arena) {
    return options->siblings ? mg_random_siblings(seed, arena)
           : options->layers ? mg_random_layers(seed, arena)
                             : mg_random_program(seed, arena);
}

// Writes a file of parameters for all units, as mgc tune could have found them. All of them are
// valid, and they give blocks, tiles and chunks that small sizes would not fill. NULL if it can't
// be written.
static const char *tuned_file(MgSession *session, uint64_t seed) {
    uint64_t state = seed * 0x9E3779B97F4A7C15;
    const char *path = mg_arena_printf(session->arena, "%s/mg-random-tuned-%lld",
                                       mg_temporary_folder(), (long long)getpid());
    FILE *f = fopen(path, "w");
    if (!f)
        return NULL;
    fprintf(f, "mg tuned 1\nmachine %s\nevery", mg_tuned_machine(session));
    for (int k = 0; k < MG_N_PARAMS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's
        int64_t least = mg_params[k].least, most = mg_params[k].most;
        if (state >> 62) // small values
            fprintf(f, " %s=%lld", mg_params[k].name,
                    (long long)(least + (int64_t)(state >> 33) %
                                            (most < least + 60 ? most - least + 1 : 60)));
    }
    fputs("\n", f);
    return fclose(f) ? NULL : path;
}

static int run_seed(uint64_t seed, uint64_t shown, const Options *options) {
    MgSession *session = mg_session_new(0);
    MgRandomProgram *p = program(seed, options, session->arena);
    if (options->print)
        printf("// seed %llu\n%s", (unsigned long long)shown, p->text);
    MgTry frame;
    int outcome = FAILED;
    MgExecOptions exec =
        options->exec; // convolutions of -O3: the compiler's choice, or either form
    exec.winograd = seed % 3 ? (MgWinograd)(seed % 3 + 1) : MG_WINOGRAD_AUTO;
    exec.open |= !exec.target && seed / 8 % 2;
    if (MG_TRY(session->mem, frame)) {
        if (seed % 8 >= 4)
            exec.tuned = tuned_file(session, seed);
        MgExecResult r = mg_exec_compare(session, "random.mg", p->text, strlen(p->text), NULL,
                                         tensors(p, session->arena), p->n_inputs, &exec);
        mg_try_end(session->mem, &frame);
        outcome = !r.ok ? FAILED : r.exempt * 100 > r.elements ? REDRAW : PASSED;
        if (!r.ok)
            printf("seed %llu: FAILED: %s\n%s\n", (unsigned long long)shown, r.what, p->text);
        else if (options->exec.verbose)
            printf("seed %llu: %zu elements, %zu exempt, worst %.2f of 8, %u runs\n",
                   (unsigned long long)shown, r.elements, r.exempt, r.worst, r.runs);
    } else {
        printf("seed %llu: FAILED: out of memory\n%s\n", (unsigned long long)shown, p->text);
    }
    if (outcome == FAILED && options->keep)
        keep(p, options->keep, shown);
    if (exec.tuned)
        unlink(exec.tuned);
    mg_session_free(session);
    return outcome;
}

// Calls run_seed in a child, which may crash.
static int guarded(uint64_t seed, uint64_t shown, const Options *options) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS + 1});
        alarm(SECONDS);
        int outcome = run_seed(seed, shown, options);
        fflush(stdout);
        _exit(outcome);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return FAILED;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= REDRAW)
        return WEXITSTATUS(status);
    MgMem *mem = mg_mem_new(0);
    MgRandomProgram *p = program(seed, options, mg_arena_new(mem));
    printf("seed %llu: FAILED: %s %d\n%s\n", (unsigned long long)shown,
           WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), p->text);
    if (options->keep)
        keep(p, options->keep, shown);
    mg_mem_free(mem);
    return FAILED;
}

int main(int argc, char **argv) {
    Options options = {.exec = {.levels = "0123", .threads = "12"}};
    uint64_t numbers[2] = {1, 60};
    int n_numbers = 0;
    for (int k = 1; k < argc; k++) {
        if (mg_exec_option(&options.exec, argv[k]))
            continue;
        else if (strncmp(argv[k], "--keep=", 7) == 0)
            options.keep = argv[k] + 7;
        else if (strcmp(argv[k], "--shared") == 0)
            options.shared = true;
        else if (strcmp(argv[k], "--siblings") == 0)
            options.siblings = true;
        else if (strcmp(argv[k], "--layers") == 0)
            options.layers = true;
        else if (strcmp(argv[k], "--print") == 0)
            options.print = true;
        else if (n_numbers < 2)
            numbers[n_numbers++] = strtoull(argv[k], NULL, 0);
    }
    uint32_t passed = 0, failed = 0, redrawn = 0;
    if (!mg_exec_has_target(&options.exec))
        return 77;
    const MgExecOptions all = options.exec;
    char one_level[2] = "", one_mode[2] = "";
    for (uint64_t k = 0; k < numbers[1]; k++) {
        uint64_t seed = numbers[0] + k;
        int outcome = REDRAW;
        if (options.shared) {
            size_t levels = strlen(all.levels), modes = all.modes ? strlen(all.modes) : 0;
            one_level[0] = levels ? all.levels[seed % levels] : 0;
            one_mode[0] = modes ? all.modes[(levels ? seed / levels : seed) % modes] : 0;
            options.exec.levels = one_level;
            options.exec.modes = one_mode;
        }
        for (uint64_t draw = 0; outcome == REDRAW && draw < 20; draw++) {
            outcome = guarded(seed + (draw << 40), seed, &options);
            redrawn += outcome == REDRAW;
        }
        passed += outcome == PASSED;
        failed += outcome != PASSED;
    }
    printf("%u programs drawn again for exempt elements\n", redrawn);
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
