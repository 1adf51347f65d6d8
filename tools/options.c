// The tables of commands and flags, and a small parser that reads them. A flag is `--name`,
// `--name=VALUE` or `--name VALUE`; an optional value needs the `=`. The short flags are -O2, -o
// OUT and -i.
#include "tools/options_table.h"

#include "support/map.h"
#include "support/text.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

const MgcCommandRow mgc_commands[] = {
    {MGC_BUILD, "", "FILE.mg",
     "compile to a .mgb beside the source, or to the .mgb, .so, .a or .o that -o names; with only "
     "flags that ask about the compilation, such as --explain, write nothing",
     true},
    {MGC_EMIT, "", "--emit-WHAT FILE.mg", "print a stage of the compilation", true},
    {MGC_RUN, "run", "FILE.mg|FILE.mgb", "run a graph and print its outputs", true},
    {MGC_TEST, "test", "DIR...", "run conformance cases: model.onnx and test_data_set_*/", true},
    {MGC_BENCH, "bench", "graphs",
     "time random graphs over size and depth, in every mode; it takes minutes", true},
    {MGC_IMPORT, "import", "FILE.onnx",
     "translate an ONNX or StableHLO model to a source, with its weights beside it", true},
    {MGC_PROBE, "probe", "",
     "measure the machine: peak FLOP/s, and each memory level's bandwidth and latency", false},
    {MGC_TUNE, "tune", "FILE.mg", "measure kernel parameters on this machine, and keep the fastest",
     true},
    {MGC_BISECT, "bisect", "FILE.mg", "find the pass, rewrite and op that make a result wrong",
     true},
    {MGC_REDUCE, "reduce", "FILE.mg", "shrink a program while the command of --test exits 0", true},
    {MGC_TRAIN, "train", "FILE.mg",
     "run a graph with `next` over data, step after step, and keep its parameters", true},
    {MGC_GRADIENTS, "check-gradients", "FILE.mg",
     "compare the derivatives of a graph's outputs with finite differences", true},
    {MGC_KERNELS, "kernels", "FILE.mk",
     "check kernels written as --emit-kernels prints them, apply passes to them, print or run them",
     true},
    {MGC_WEIGHTS, "weights", "FILE.mg",
     "write random weights of the right types and shapes to the graph's file or to -o", true},
    {MGC_FMT, "fmt", "FILE.mg...",
     "print a source in canonical form, or check that files are in it", true},
    {MGC_LSP, "lsp", "", "run the language server for editors on standard input and output", false},
    {MGC_OPS, "ops", "[NAME]",
     "list the library's operators and layers, or show one with an example", false},
    {MGC_CACHE, "cache", "[clear]",
     "say where compiled objects are kept, how many and how large they are; or remove them", false},
    {MGC_DEVICES, "devices", "", "list the devices that --target=gpu can run on", false},
    {MGC_MACHINE, "machine", "[NAME]",
     "print the figures that kernels are chosen by, and where each comes from", false},
    {MGC_VERSION, "version", "",
     "print the versions of mgc, of the language and of LLVM, and whether OpenCL is there", false},
    {MGC_HELP, "help", "[COMMAND|OP]",
     "print this text, a command's help, or an operator's definition", false},
};
#define N_COMMANDS (sizeof mgc_commands / sizeof *mgc_commands)
const size_t mgc_n_commands = N_COMMANDS;

#define AT(field) offsetof(MgcOptions, field)
#define COMPILE (MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_BISECT)
#define ANY_COMPILE (COMPILE | MGC_TEST | MGC_BENCH | MGC_TRAIN)
#define ALL (~0u)
const MgcFlag mgc_flags[] = {
    {"-O", "LEVEL",
     "0: as written, 1: cleaned up, 2: fused (default), 3: all optimisations, compiles longer",
     ANY_COMPILE | MGC_TUNE, NUMBER, AT(level), 0, 0, 3},
    {"--target", "cpu|gpu", "the target; gpu is a device of OpenCL or CUDA",
     ANY_COMPILE | MGC_PROBE | MGC_TUNE | MGC_MACHINE, TEXT, AT(target), 0, 0, 0},
    {"--device", "NAME",
     "the device: its number in `mgc devices`, a type (gpu, cpu), or part of a name",
     ANY_COMPILE | MGC_PROBE | MGC_MACHINE, TEXT, AT(device), 0, 0, 0},
    {"--driver", "auto|opencl|cuda",
     "the driver of the device; auto (default): cuda for those that it knows",
     ANY_COMPILE | MGC_PROBE | MGC_MACHINE, TEXT, AT(driver), 0, 0, 0},
    {"--march", "CPU",
     "the CPU to compile for: native (default), x86-64-v2 to -v4, znver4, aarch64, …", ANY_COMPILE,
     TEXT, AT(march), 0, 0, 0},
    {"-o", "OUT", "the file to write",
     MGC_BUILD | MGC_EMIT | MGC_PROBE | MGC_IMPORT | MGC_BISECT | MGC_REDUCE | MGC_TUNE |
         MGC_WEIGHTS | MGC_MACHINE | MGC_KERNELS,
     TEXT, AT(output), 0, 0, 0},
    {"--graph", "NAME", "the graph to use (default: the only one in the file; of train: step)",
     MGC_TRAIN | COMPILE | MGC_REDUCE | MGC_TUNE | MGC_WEIGHTS | MGC_GRADIENTS, TEXT, AT(graph), 0,
     0, 0},
    {"--set", "DIM=SIZE", "set the size of a dimension of the inputs, or a scalar of a kernel",
     MGC_KERNELS | MGC_TRAIN | COMPILE | MGC_TUNE | MGC_WEIGHTS | MGC_GRADIENTS, LIST, AT(sets), 0,
     0, 0},
    {"--prefix", "NAME", "the prefix of a library's function names (default: the graph's name)",
     MGC_BUILD, TEXT, AT(prefix), 0, 0, 0},
    {"--soname", "NAME",
     "the name by which a program finds a shared object at its start (default: the path that "
     "was linked)",
     MGC_BUILD, TEXT, AT(soname), 0, 0, 0},
    {"--weights", "random|initial[:SEED]",
     "use random values for all parameters instead of those in the file; initial: except "
     "those that state an initial value",
     ANY_COMPILE | MGC_TUNE | MGC_WEIGHTS, TEXT, AT(weights), 0, 0, 0},
    {"--weights-type", "given|bf16|f16|i8|f8e4m3",
     "keep weights of sums of products in this type; i8 and f8e4m3 have a scale for each output "
     "channel",
     ANY_COMPILE, CHOICE, AT(weights_type), 0, 0, 0},
    {"--weights-place", "auto|inside|beside",
     "where a library's weights go: into the object or a file beside it (auto: above 256 MiB)",
     MGC_BUILD, CHOICE, AT(weights_place), 0, 0, 0},
    {"--strict", NULL, "do not reorder sums, and round each product before it is added",
     ANY_COMPILE | MGC_TUNE, SWITCH, AT(strict), 0, 0, 0},
    {"--in-place", NULL,
     "leave outputs that take over an input in its memory; each run finds what the last one left",
     MGC_RUN, SWITCH, AT(overwrite), 0, 0, 0},
    {"--training", NULL, "make next values in the memory of their parameters, as train does",
     MGC_EMIT, SWITCH, AT(training), 0, 0, 0},
    {"--precision", "f32|tf32|bf16|f16",
     "of products of f32 matrices: tf32 lets them round factors to 10 mantissa bits where that is "
     "faster; bf16 and f16 round factors and results to these types",
     ANY_COMPILE, CHOICE, AT(precision), 0, 0, 0},
    {"--short-sums", NULL,
     "let sums of products of f8e4m3 and f8e5m2 keep 14 bits, 128 products at a time, where that "
     "is faster",
     ANY_COMPILE, SWITCH, AT(short_sums), 0, 0, 0},
    {"--threads", "N", "number of worker threads (default: 1)",
     ANY_COMPILE | MGC_TUNE | MGC_KERNELS, NUMBER, AT(threads), 0, 1, 1024},
    {"--share", "auto|all",
     "auto: one worker runs kernels that are too small to share; all: workers share all",
     ANY_COMPILE, CHOICE, AT(sharing), 0, 0, 0},
    {"--memory-limit", "MIB", "limit on the memory of the compiler and of tensors",
     MGC_KERNELS | ANY_COMPILE | MGC_IMPORT | MGC_TUNE | MGC_WEIGHTS | MGC_GRADIENTS, NUMBER,
     AT(memory_limit), 0, 1, INT64_C(1) << 40},
    {"--cache", "FOLDER", "the folder of the compile cache",
     MGC_TRAIN | MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_PROBE | MGC_TEST | MGC_BENCH | MGC_CACHE |
         MGC_TUNE | MGC_MACHINE,
     TEXT, AT(cache_folder), 0, 0, 0},
    {"--no-cache", NULL, "do not use the compile cache",
     MGC_TRAIN | MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_PROBE | MGC_TEST | MGC_BENCH, SWITCH,
     AT(no_cache), 0, 0, 0},
    {"--input", "NAME=SPEC",
     "an input: FILE.npy, FILE.npz:KEY, FILE.safetensors:KEY, FILE.pb, FILE.idx, random[:SEED], "
     "zeros, ones, or 1,2,3",
     MGC_RUN | MGC_BISECT | MGC_TUNE | MGC_KERNELS, LIST, AT(inputs), 0, 0, 0},
    {"--output", "NAME=FILE", "write an output to FILE.npy or FILE.pb, or into FILE.npz", MGC_RUN,
     LIST, AT(outputs), 0, 0, 0},
    {"--run", NULL, "run the kernels in the interpreter and print what they write", MGC_KERNELS,
     SWITCH, AT(run), 0, 0, 0},
    {"--interp", NULL, "run in the reference interpreter", MGC_RUN | MGC_TEST, SWITCH,
     AT(interpret), 0, 0, 0},
    {"--launch", "auto|separate|owned|persistent",
     "how a GPU runs a graph: one launch per kernel, or one for all, by rows or with barriers",
     ANY_COMPILE, CHOICE, AT(launch), 0, 0, 0},
    {"--winograd", "auto|never|2|4",
     "which 3 x 3 convolutions -O3 computes by Winograd's method, in tiles of 2 or 4",
     ANY_COMPILE | MGC_BISECT | MGC_TUNE, CHOICE, AT(winograd), 0, 0, 0},
    {"--remat", "none|auto|all|BYTES",
     "what derivatives recompute instead of keeping it: nothing, what is cheaper, all, or what a "
     "plan of at most that many bytes (64MiB) requires",
     ANY_COMPILE | MGC_BISECT, TEXT, AT(remat), 0, 0, 0},
    {"--schedule", "FILE.mgs", "schedules for some or all units, as --emit-schedule prints them",
     MGC_BUILD | MGC_EMIT | MGC_RUN, TEXT, AT(schedule), 0, 0, 0},
    {"--tuned", "FILE|none",
     "results of mgc tune to use (default: this machine's file in the cache folder)", ANY_COMPILE,
     TEXT, AT(tuned), 0, 0, 0},
    {"--machine", "FILE|NAME|none",
     "figures to choose kernels by (default: those of mgc probe --save, else those of --march)",
     ANY_COMPILE, TEXT, AT(machine), 0, 0, 0},
    {"--save", "DIR",
     "of train: keep checkpoints in a folder; of probe, without DIR: keep the figures for this "
     "machine in the cache folder",
     MGC_PROBE | MGC_TRAIN, SWITCH_AND_TEXT, AT(save), AT(checkpoints), 0, 0},
    {"--mode", "fused|graph|cached|immediate|loop",
     "how the graph runs; loop: --repeat passes on the device, each fed the result of the last",
     MGC_RUN, CHOICE, AT(mode), 0, 0, 0},
    {"--sizes", "N,…", "sizes of the matrices, at depth 64 (default: 32 to 1024)", MGC_BENCH, TEXT,
     AT(sizes), 0, 0, 0},
    {"--depths", "N,…", "numbers of layers, at size 256 (default: 4 to 128)", MGC_BENCH, TEXT,
     AT(depths), 0, 0, 0},
    {"--modes", "MODE,…",
     "which of immediate, cached, graph, fused and loop to time (default: all)", MGC_BENCH, TEXT,
     AT(modes), 0, 0, 0},
    {"--targets", "cpu,gpu", "targets to run on (default: cpu)", MGC_BENCH, TEXT, AT(targets), 0, 0,
     0},
    {"--samples", "N", "samples of each graph; fewer if they take long (default: 5)", MGC_BENCH,
     NUMBER, AT(samples), 0, 1, 1000},
    {"--plot", "FILE.svg", "also draw a plot", MGC_TRAIN | MGC_BENCH | MGC_PROBE, TEXT, AT(plot), 0,
     0, 0},
    {"--data", "FILE.npz|FOLDER|NAME=FILE",
     "the data, with samples along the first axis: an archive with an array for each input, a "
     "folder with a folder of PNG files for each class, or a file for one input; one-dimensional "
     "data are a stream, whose samples are windows, from element N on with @N",
     MGC_TRAIN, LIST, AT(data), 0, 0, 0},
    {"--validate", "N|SHARE|FILE.npz|FOLDER|NAME=FILE",
     "hold out the last N samples, or a share below 1, or take other data, and report how well "
     "the net does on them",
     MGC_TRAIN, LIST, AT(validate), 0, 0, 0},
    {"--steps", "N", "end after step N", MGC_TRAIN, NUMBER, AT(steps), 0, 1, INT64_C(1) << 40},
    {"--batch", "N", "samples of a batch (default: 32)", MGC_TRAIN, NUMBER, AT(batch), 0, 1,
     INT32_MAX},
    {"--accumulate", "N",
     "update the parameters once for N batches, from the mean of their gradients (default: 1)",
     MGC_TRAIN, NUMBER, AT(accumulate), 0, 1, 1 << 20},
    {"--lr", "X", "the learning rate, for the input 'lr'", MGC_TRAIN, REAL, AT(rate), 0, 0, 0},
    {"--seed", "N", "the seed of initial values, of the order of samples and of the input 'seed'",
     MGC_TRAIN, NUMBER, AT(seed), 0, 0, INT64_MAX},
    {"--resume", "DIR", "go on from the latest checkpoint of a folder", MGC_TRAIN, TEXT, AT(resume),
     0, 0, 0},
    {"--report", "N", "validate, save and print a line of JSON every N steps (default: at the end)",
     MGC_TRAIN, NUMBER, AT(report), 0, 1, INT64_C(1) << 40},
    {"--warmup", "N",
     "uncounted runs first (default: 10 or 0.1 s of them if times are printed, else 0)",
     MGC_RUN | MGC_TRAIN, NUMBER, AT(warmup), 0, 0, INT32_MAX},
    {"--repeat", "N", "counted runs (default: 1; with --time, 100)", MGC_RUN | MGC_TRAIN, NUMBER,
     AT(repeat), 0, 1, INT32_MAX},
    {"--time", NULL, "print percentiles of the run time", MGC_RUN, SWITCH, AT(time), 0, 0, 0},
    {"--profile", "TRACE.json|REPORT.html|SCHEDULES.mgs",
     "print a table of kernels; FILE.json: also a Chrome trace, FILE.html: a page of everything, "
     "FILE.mgs: the schedules with their times",
     MGC_RUN | MGC_TRAIN, SWITCH_AND_TEXT, AT(profile), AT(profile_file), 0, 0},
    {"--format", "text|json", "the format of results and tables",
     MGC_RUN | MGC_EMIT | MGC_CACHE | MGC_VERSION | MGC_DEVICES, CHOICE, AT(json), 0, 0, 0},
    {"--most", "N", "check at most N parameters for each output (default: all)", MGC_GRADIENTS,
     NUMBER, AT(most), 0, 1, INT32_MAX},
    {"--seeds", "N", "use only the first N of the five seeds", MGC_BENCH, NUMBER, AT(seeds), 0, 1,
     5},
    {"--json", NULL, "print results as JSON",
     MGC_TRAIN | MGC_TEST | MGC_BENCH | MGC_PROBE | MGC_DEVICES, CONSTANT, AT(json), 0, 1, 0},
    {"--jobs", "N", "cases to run at once (default: the number of cores)", MGC_TEST, NUMBER,
     AT(jobs), 0, 1, 1024},
    {"--seconds", "N",
     "go on until N seconds have passed, by random changes (default: try each parameter once)",
     MGC_TUNE, NUMBER, AT(seconds), 0, 1, 1000000},
    {"--timeout", "SECONDS", "time limit of a case (default: 300)", MGC_TEST, NUMBER, AT(timeout),
     0, 1, 1000000},
    {"--tolerance", "X",
     "tolerance of floats, relative to the output's largest value (default: 1e-4)", MGC_TEST, REAL,
     AT(tolerance), 0, 0, 0},
    {"--passes", "A,B,…",
     "run exactly these passes, in this order; `default` stands for the level's; of kernels: fold, "
     "legalise",
     ANY_COMPILE | MGC_KERNELS, TEXT, AT(passes), 0, 0, 0},
    {"--explain", "nothing|fusion|launch|guards|layouts|remat|precision",
     "say on standard error why ops became one kernel or not, how a GPU launches them, what is "
     "checked at run time and what was proved, in which order values are stored, what "
     "derivatives keep and recompute, or which instruction computes each product, in which types, "
     "and why no faster one does",
     COMPILE, CHOICE, AT(explain), 0, 0, 0},
    {"--test", "COMMAND", "a shell command that exits 0 for a program to keep; {} is its path",
     MGC_REDUCE, TEXT, AT(test), 0, 0, 0},
    {"--pass-plugin", "FILE.so", "load passes from a plugin, to be named in --passes", ANY_COMPILE,
     LIST, AT(plugins), 0, 0, 0},
    {"--debug-counter", "PASS=A..B", "make only rewrites A to B of a pass or rule, counted from 1",
     ANY_COMPILE, LIST, AT(counters), 0, 0, 0},
    {"--pass-stats", NULL, "print how many rewrites each pass made, on standard error", COMPILE,
     SWITCH, AT(pass_stats), 0, 0, 0},
    {"--list-passes", NULL, "list the passes, and the rules of canonicalise", MGC_BUILD, SWITCH,
     AT(list_passes), 0, 0, 0},
    {"--list-ops", NULL, "list the operators of ONNX, and which are supported", MGC_IMPORT, SWITCH,
     AT(list_ops), 0, 0, 0},
    {"--print-before", "PASS", "print the IR before a pass, on standard error", COMPILE, LIST,
     AT(print_before), 0, 0, 0},
    {"--print-after", "PASS", "print the IR after a pass", COMPILE, LIST, AT(print_after), 0, 0, 0},
    {"--print-after-all", NULL, "print the IR after each pass", COMPILE, SWITCH,
     AT(print_after_all), 0, 0, 0},
    {"--print-changed", NULL, "print how each pass changed the IR, as a unified diff", COMPILE,
     SWITCH, AT(print_changed), 0, 0, 0},
    {"--verify-each", NULL, "check the IR after each pass", ANY_COMPILE, SWITCH, AT(verify_each), 0,
     0, 0},
    {"--time-passes", NULL, "print how long each pass took, on standard error", COMPILE, SWITCH,
     AT(time_passes), 0, 0, 0},
    {"--reproduce", NULL, "keep the IR before each pass, for a reproducer", COMPILE, SWITCH,
     AT(reproduce), 0, 0, 0},
    {"--places", NULL, "print source places", MGC_EMIT, SWITCH, AT(places), 0, 0, 0},
    {"--no-annotations", NULL, "leave annotations out", MGC_EMIT, SWITCH, AT(no_annotations), 0, 0,
     0},
    {"-i", NULL, "rewrite the file in place", MGC_FMT, SWITCH, AT(in_place), 0, 0, 0},
    {"--check", "finite",
     "of fmt, alone: list files that are not in canonical form, and exit with 1 if there are any; "
     "of train, =finite: look at the parameters after each step, and say which op made the first "
     "number that is not finite",
     MGC_FMT | MGC_TRAIN, SWITCH_AND_TEXT, AT(check), AT(check_what), 0, 0},
    {"--markdown", NULL, "print all of them as a Markdown page", MGC_OPS, SWITCH, AT(markdown), 0,
     0, 0},
    {"--man", NULL, "print the man page, as roff", MGC_HELP, SWITCH, AT(man), 0, 0, 0},
    {"--completion", "none|bash|zsh|fish", "print a shell's completion script for mgc", MGC_HELP,
     CHOICE, AT(completion), 0, 0, 0},
    {"--version", NULL, "the same as `mgc version`", MGC_BUILD | MGC_VERSION, SWITCH, AT(version),
     0, 0, 0},
    {"--help", NULL, "print this text", ALL, SWITCH, AT(help), 0, 0, 0},
#define X(id, name, help)                                                                          \
    {"--emit-" name, NULL, help, MGC_BUILD | MGC_EMIT, EMIT, AT(emit), 0, MGC_EMIT_##id, 0},
    MGC_EMITS(X)
#undef X
};
#define N_FLAGS (sizeof mgc_flags / sizeof *mgc_flags)
const size_t mgc_n_flags = N_FLAGS;

static bool usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("mgc: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    return false;
}

// Finds the flag of a word; *value is the text after `=`, or NULL. -O2 has its value without `=`.
static const MgcFlag *find(const char *word, const char **value) {
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < N_FLAGS; i++)
        if (strlen(mgc_flags[i].name) == length && !memcmp(mgc_flags[i].name, word, length))
            return &mgc_flags[i];
    for (size_t i = 0; i < N_FLAGS; i++)
        if (mgc_flags[i].name[1] != '-' && mgc_flags[i].kind == NUMBER &&
            !strncmp(word, mgc_flags[i].name, 2)) {
            *value = word + 2;
            return &mgc_flags[i];
        }
    return NULL;
}

static bool unknown_flag(const char *word) {
    const char *names[N_FLAGS];
    for (size_t i = 0; i < N_FLAGS; i++)
        names[i] = mgc_flags[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    int near = mg_nearest(name, names, N_FLAGS);
    return near >= 0 ? usage("unknown flag %s; did you mean %s?", name, names[near])
                     : usage("unknown flag %s; `mgc --help` lists them", name);
}

static bool add(MgcList *list, const char *value) {
    const char **grown = realloc(list->at, (list->n + 1) * sizeof *grown);
    if (!grown)
        return usage("out of memory");
    list->at = grown;
    list->at[list->n++] = value;
    return true;
}

static bool read_number(const MgcFlag *flag, const char *value, int64_t *to) {
    char *end;
    errno = 0;
    long long v = strtoll(value, &end, 10);
    if (errno || end == value || *end || v < flag->low || v > flag->high)
        return usage("%s takes a number from %lld to %lld, not '%s'", flag->name,
                     (long long)flag->low, (long long)flag->high, value);
    *to = v;
    return true;
}

static bool read_real(const MgcFlag *flag, const char *value, double *to) {
    char *end;
    *to = strtod(value, &end);
    return (end != value && !*end && *to >= 0 && *to <= DBL_MAX) ||
           usage("%s takes a number that is not negative, not '%s'", flag->name, value);
}

static bool read_choice(const MgcFlag *flag, const char *value, int64_t *to) {
    *to = 0;
    for (const char *at = flag->value;; (*to)++) {
        size_t n = strcspn(at, "|");
        if (strlen(value) == n && !memcmp(at, value, n))
            return true;
        if (!at[n])
            return usage("%s is one of %s, not '%s'", flag->name, flag->value, value);
        at += n + 1;
    }
}

static bool set(MgcOptions *o, const MgcFlag *flag, const char *value) {
    void *to = (char *)o + flag->offset;
    switch (flag->kind) {
    case SWITCH_AND_TEXT:
        *(const char **)(void *)((char *)o + flag->second) = value;
        *(bool *)to = true;
        return true;
    case SWITCH:
        *(bool *)to = true;
        return true;
    case EMIT:
        if (o->emit && o->emit != (MgcEmit)flag->low)
            return usage("several --emit-… were given; expected one");
        o->emit = (MgcEmit)flag->low;
        return true;
    case TEXT:
        *(const char **)to = value;
        return true;
    case LIST:
        return add(to, value);
    case NUMBER:
        return read_number(flag, value, to);
    case REAL:
        return read_real(flag, value, to);
    case CONSTANT:
        *(int64_t *)to = flag->low;
        return true;
    case CHOICE:
        return read_choice(flag, value, to);
    }
    return false;
}

// Parses a word that begins with a dash, and the next word if that is its value.
static bool parse_flag(MgcOptions *o, bool *seen, char **argv, int *at) {
    const char *value;
    const MgcFlag *flag = find(argv[*at], &value);
    if (!flag)
        return unknown_flag(argv[*at]);
    bool takes = flag->value && flag->kind != SWITCH_AND_TEXT;
    if (value && !flag->value)
        return usage("%s takes no value", flag->name);
    if (takes && !value && !(value = argv[*at + 1]))
        return usage("%s needs %s", flag->name, flag->value);
    if (takes && value == argv[*at + 1])
        ++*at;
    seen[flag - mgc_flags] = true;
    return set(o, flag, value);
}

static bool check_places(const MgcOptions *o, const bool *seen) {
    for (size_t i = 0; i < N_FLAGS; i++)
        if (seen[i] && !(mgc_flags[i].commands & o->command)) {
            for (size_t c = 0; c < N_COMMANDS; c++)
                if (mgc_commands[c].command == o->command)
                    return usage("%s has no meaning for `mgc %s%s%s`; `mgc --help` lists the "
                                 "commands that take it",
                                 mgc_flags[i].name, mgc_commands[c].name,
                                 mgc_commands[c].name[0] && mgc_commands[c].arguments[0] ? " " : "",
                                 mgc_commands[c].arguments);
        }
    return true;
}

static bool find_command(const char *word, MgcCommand *command) {
    for (size_t c = 0; c < N_COMMANDS; c++)
        if (mgc_commands[c].name[0] && !strcmp(mgc_commands[c].name, word)) {
            *command = mgc_commands[c].command;
            return true;
        }
    return false;
}

// The first positional word may be a command. A word that looks like a misspelt command is not a
// file.
static bool choose_command(MgcOptions *o, const char *word) {
    const char *names[N_COMMANDS];
    if (find_command(word, &o->command))
        return true;
    for (size_t c = 0; c < N_COMMANDS; c++)
        names[c] = mgc_commands[c].name;
    o->command = MGC_BUILD;
    o->file = word;
    if (strpbrk(word, "./") || !strcmp(word, "-"))
        return true;
    int near = mg_nearest(word, names, N_COMMANDS);
    return near >= 0 ? usage("unknown command %s; did you mean `mgc %s`?", word, names[near])
                     : usage("unknown command %s; `mgc --help` lists them", word);
}

// Checks that a command that needs a file has one, and that others have no word.
static bool check_words(const MgcOptions *o) {
    for (size_t c = 0; c < N_COMMANDS; c++) {
        const char *name = mgc_commands[c].name, *arguments = mgc_commands[c].arguments;
        if (mgc_commands[c].command != o->command)
            continue;
        if (mgc_commands[c].needs_file && !o->file && !o->list_passes && !o->list_ops)
            return usage("usage: mgc %s%s%s", name, name[0] ? " " : "", arguments);
        if (!arguments[0] && o->file)
            return usage("mgc %s takes no file and no other word; found '%s'", name, o->file);
    }
    return true;
}

bool mgc_options_parse(int argc, char **argv, MgcOptions *o) {
    *o = (MgcOptions){.level = -1,
                      .threads = 1,
                      .warmup = -1,
                      .repeat = -1,
                      .samples = 5,
                      .seeds = 5,
                      .timeout = 300,
                      .tolerance = -1,
                      .rate = -1,
                      .batch = 32,
                      .accumulate = 1};
    bool seen[N_FLAGS] = {0};
    bool only_files = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!only_files && !strcmp(word, "--")) {
            only_files = true;
        } else if (!only_files && word[0] == '-' && word[1]) {
            if (!parse_flag(o, seen, argv, &i))
                return false;
        } else if (!o->command) {
            if (!choose_command(o, word))
                return false;
        } else if (o->command == MGC_HELP) {
            o->help = find_command(word, &o->command);
            o->file = o->help ? NULL : word; // an operator of the library, or unknown
        } else if (o->command == MGC_TEST || o->command == MGC_FMT) {
            o->file = word;
            if (!add(&o->files, word))
                return false;
        } else if (o->file)
            return usage("expected one file, found '%s' and '%s'", o->file, word);
        else
            o->file = word;
    }
    if (o->help || (argc == 1 && (o->command = MGC_HELP)))
        return true;
    if (!o->command)
        o->command = o->version ? MGC_VERSION : MGC_BUILD;
    if (o->command == MGC_BUILD && o->emit)
        o->command = MGC_EMIT;
    if (!check_places(o, seen))
        return false;
    return check_words(o);
}

void mgc_options_free(MgcOptions *o) {
    MgcList *lists[] = {&o->inputs,  &o->outputs,  &o->sets,  &o->print_before, &o->print_after,
                        &o->plugins, &o->counters, &o->files, &o->data,         &o->validate};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->at);
}
