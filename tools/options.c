// The tables, and the small parser over them. A flag is `--name`, `--name=VALUE` or `--name VALUE`;
// one whose value may be left out takes it after `=` only. -O2, -o OUT and -i are the short ones.
#include "tools/options_table.h"

#include "support/map.h"
#include "support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const MgcCommandRow mgc_commands[] = {
    {MGC_BUILD, "", "FILE.mg",
     "compile to a .mgb beside the source, or to -o OUT: .mgb, .so, .a, .o", true},
    {MGC_EMIT, "", "--emit-WHAT FILE.mg", "print a stage of the compilation", true},
    {MGC_RUN, "run", "FILE.mg|FILE.mgb", "run a graph and print its outputs", true},
    {MGC_TEST, "test", "DIR...", "run conformance cases: model.onnx and test_data_set_*/", true},
    {MGC_BENCH, "bench", "graphs", "random graphs over size and depth, in every mode", true},
    {MGC_IMPORT, "import", "FILE.onnx", "an ONNX model as a source, with its weights beside it",
     true},
    {MGC_PROBE, "probe", "", "what the machine gives: peak, bandwidth and latency of each level",
     false},
    {MGC_TUNE, "tune", "FILE.mg", "measure the parameters of kernels, and keep what is faster here",
     true},
    {MGC_BISECT, "bisect", "FILE.mg", "find the pass, rewrite and op that make a result wrong",
     true},
    {MGC_REDUCE, "reduce", "FILE.mg", "a smaller program for which --test's command exits 0", true},
    {MGC_WEIGHTS, "weights", "FILE.mg",
     "random weights of the right types and shapes, as the file that the graph names or -o", true},
    {MGC_FMT, "fmt", "FILE.mg...", "print a source in canonical form, or check that files are",
     true},
    {MGC_LSP, "lsp", "", "a language server for editors, on standard input and output", false},
    {MGC_OPS, "ops", "[NAME]", "the operators and layers of the library, or one with an example",
     false},
    {MGC_CACHE, "cache", "[clear]", "where compiled objects are kept, how many, how large", false},
    {MGC_DEVICES, "devices", "", "what --target=gpu can run on", false},
    {MGC_VERSION, "version", "", "versions of mgc, the language and its parts", false},
    {MGC_HELP, "help", "[COMMAND|OP]", "this text, that of a command, or an operator's definition",
     false},
};
#define N_COMMANDS (sizeof mgc_commands / sizeof *mgc_commands)
const size_t mgc_n_commands = N_COMMANDS;

#define AT(field) offsetof(MgcOptions, field)
#define COMPILE (MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_BISECT)
#define ANY_COMPILE (COMPILE | MGC_TEST | MGC_BENCH)
#define ALL (~0u)
const MgcFlag mgc_flags[] = {
    {"-O", "LEVEL", "0 as written, 1 cleaned, 2 fused (default), 3 all that costs compile time",
     ANY_COMPILE | MGC_TUNE, NUMBER, AT(level), 0, 0, 3},
    {"--target", "cpu|gpu", "what to compile for; gpu: an OpenCL device",
     ANY_COMPILE | MGC_PROBE | MGC_TUNE, TEXT, AT(target), 0, 0, 0},
    {"--device", "NAME",
     "which device: a number of `mgc devices`, a type (gpu, cpu), or part of a name",
     ANY_COMPILE | MGC_PROBE, TEXT, AT(device), 0, 0, 0},
    {"--march", "CPU", "its kind: native (default), x86-64-v2 to -v4, znver4, aarch64, …",
     ANY_COMPILE, TEXT, AT(march), 0, 0, 0},
    {"-o", "OUT", "where the result goes",
     MGC_BUILD | MGC_EMIT | MGC_PROBE | MGC_IMPORT | MGC_BISECT | MGC_REDUCE | MGC_TUNE |
         MGC_WEIGHTS,
     TEXT, AT(output), 0, 0, 0},
    {"--graph", "NAME", "which graph of the file (default: its only one)",
     COMPILE | MGC_REDUCE | MGC_TUNE | MGC_WEIGHTS, TEXT, AT(graph), 0, 0, 0},
    {"--set", "DIM=SIZE", "gives a dimension of the inputs its size",
     COMPILE | MGC_TUNE | MGC_WEIGHTS, LIST, AT(sets), 0, 0, 0},
    {"--prefix", "NAME",
     "of a library: what its functions' names begin with (default: the graph's)", MGC_BUILD, TEXT,
     AT(prefix), 0, 0, 0},
    {"--soname", "NAME",
     "of a shared object: what a program looks for when it starts (default: the path that it "
     "linked)",
     MGC_BUILD, TEXT, AT(soname), 0, 0, 0},
    {"--weights", "random[:SEED]", "random values for all parameters, instead of the file's",
     ANY_COMPILE | MGC_TUNE | MGC_WEIGHTS, TEXT, AT(weights), 0, 0, 0},
    {"--weights-place", "auto|inside|beside",
     "of a library: in the object, or in a file beside it (auto: above 256 MiB)", MGC_BUILD, CHOICE,
     AT(weights_place), 0, 0, 0},
    {"--strict", NULL, "no reordered sums, no contraction to fma", ANY_COMPILE | MGC_TUNE, SWITCH,
     AT(strict), 0, 0, 0},
    {"--precision", "f32|tf32",
     "tf32: contractions of f32 may round their factors to 10 mantissa bits, where that is faster",
     ANY_COMPILE, CHOICE, AT(precision), 0, 0, 0},
    {"--threads", "N", "workers (default: 1)", ANY_COMPILE | MGC_TUNE, NUMBER, AT(threads), 0, 1,
     1024},
    {"--share", "auto|all",
     "auto: work too little to wake other workers for is one worker's; all: it is shared, too",
     ANY_COMPILE, CHOICE, AT(sharing), 0, 0, 0},
    {"--memory-limit", "MIB", "most memory for compiling and for tensors",
     ANY_COMPILE | MGC_IMPORT | MGC_TUNE | MGC_WEIGHTS, NUMBER, AT(memory_limit), 0, 1,
     INT64_C(1) << 40},
    {"--cache", "FOLDER", "where compiled objects are kept",
     MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_PROBE | MGC_TEST | MGC_BENCH | MGC_CACHE | MGC_TUNE, TEXT,
     AT(cache_folder), 0, 0, 0},
    {"--no-cache", NULL, "neither look for compiled objects nor keep them",
     MGC_BUILD | MGC_EMIT | MGC_RUN | MGC_PROBE | MGC_TEST | MGC_BENCH, SWITCH, AT(no_cache), 0, 0,
     0},
    {"--input", "NAME=SPEC",
     "an input: FILE.npy, FILE.npz:KEY, FILE.pb, random[:SEED], zeros, ones, or 1,2,3",
     MGC_RUN | MGC_BISECT | MGC_TUNE, LIST, AT(inputs), 0, 0, 0},
    {"--output", "NAME=FILE", "writes an output to FILE.npy or FILE.pb, or into FILE.npz", MGC_RUN,
     LIST, AT(outputs), 0, 0, 0},
    {"--interp", NULL, "run by the reference interpreter", MGC_RUN | MGC_TEST, SWITCH,
     AT(interpret), 0, 0, 0},
    {"--launch", "auto|separate|owned|persistent",
     "how a GPU is given a graph: a launch a kernel, or one for all, by rows or with barriers",
     ANY_COMPILE, CHOICE, AT(launch), 0, 0, 0},
    {"--winograd", "auto|never|2|4",
     "which convolutions of 3 x 3 -O3 computes with fewer multiplications, in tiles of 2 or 4",
     ANY_COMPILE | MGC_BISECT | MGC_TUNE, CHOICE, AT(winograd), 0, 0, 0},
    {"--schedule", "FILE.mgs", "schedules for some or all units, as --emit-schedule prints them",
     MGC_BUILD | MGC_EMIT | MGC_RUN, TEXT, AT(schedule), 0, 0, 0},
    {"--tuned", "FILE|none",
     "what mgc tune found (default: the cache folder's file for this machine)", ANY_COMPILE, TEXT,
     AT(tuned), 0, 0, 0},
    {"--mode", "fused|graph|cached|immediate|loop",
     "how the graph runs; loop: --repeat passes on the device, each fed with the one before",
     MGC_RUN, CHOICE, AT(mode), 0, 0, 0},
    {"--sizes", "N,…", "sizes of the matrices, at depth 64 (default: 32 to 1024)", MGC_BENCH, TEXT,
     AT(sizes), 0, 0, 0},
    {"--depths", "N,…", "numbers of layers, at size 256 (default: 4 to 128)", MGC_BENCH, TEXT,
     AT(depths), 0, 0, 0},
    {"--modes", "MODE,…", "of immediate, cached, graph, fused and loop (default: all)", MGC_BENCH,
     TEXT, AT(modes), 0, 0, 0},
    {"--targets", "cpu,gpu", "what to run on (default: cpu)", MGC_BENCH, TEXT, AT(targets), 0, 0,
     0},
    {"--samples", "N", "of each graph, fewer where they take long (default: 5)", MGC_BENCH, NUMBER,
     AT(samples), 0, 1, 1000},
    {"--plot", "FILE.svg", "draw a plot too", MGC_BENCH | MGC_PROBE, TEXT, AT(plot), 0, 0, 0},
    {"--warmup", "N",
     "runs before those that count (default: where times are told, 10 or 0.1 s of them; else 0)",
     MGC_RUN, NUMBER, AT(warmup), 0, 0, INT32_MAX},
    {"--repeat", "N", "runs that count (default: 1; with --time, 100)", MGC_RUN, NUMBER, AT(repeat),
     0, 1, INT32_MAX},
    {"--time", NULL, "percentiles of the time of a run", MGC_RUN, SWITCH, AT(time), 0, 0, 0},
    {"--profile", "TRACE.json|REPORT.html",
     "a table of kernels; with a FILE.json a Chrome trace too, with a FILE.html a page of it all",
     MGC_RUN, SWITCH_AND_TEXT, AT(profile), AT(profile_file), 0, 0},
    {"--format", "text|json", "how results and tables are printed",
     MGC_RUN | MGC_EMIT | MGC_CACHE | MGC_VERSION | MGC_DEVICES, CHOICE, AT(json), 0, 0, 0},
    {"--seeds", "N", "of the five, the first N (default: all)", MGC_BENCH, NUMBER, AT(seeds), 0, 1,
     5},
    {"--json", NULL, "results as JSON", MGC_TEST | MGC_BENCH | MGC_PROBE | MGC_DEVICES, CONSTANT,
     AT(json), 0, 1, 0},
    {"--jobs", "N", "cases at once (default: as many as there are cores)", MGC_TEST, NUMBER,
     AT(jobs), 0, 1, 1024},
    {"--timeout", "SECONDS", "what a case may take (default: 300)", MGC_TEST, NUMBER, AT(timeout),
     0, 1, 1000000},
    {"--tolerance", "X", "of floats, times the output's largest (default: 1e-4)", MGC_TEST, REAL,
     AT(tolerance), 0, 0, 0},
    {"--passes", "A,B,…", "exactly these passes, in this order; `default`: the level's",
     ANY_COMPILE, TEXT, AT(passes), 0, 0, 0},
    {"--explain", "nothing|fusion|launch|guards|layouts",
     "why ops became one kernel or not, how a GPU is given them, what is checked while running and "
     "what is proved, or the order in which values are stored, on standard error",
     COMPILE, CHOICE, AT(explain), 0, 0, 0},
    {"--test", "COMMAND", "exits 0 for what is looked for; {} is the program's path", MGC_REDUCE,
     TEXT, AT(test), 0, 0, 0},
    {"--pass-plugin", "FILE.so", "passes from outside the tree, to be named in --passes",
     ANY_COMPILE, LIST, AT(plugins), 0, 0, 0},
    {"--debug-counter", "PASS=A..B",
     "of a pass, or a rule, only the rewrites A to B, counted from 1", ANY_COMPILE, LIST,
     AT(counters), 0, 0, 0},
    {"--pass-stats", NULL, "how many rewrites every pass made, on standard error", COMPILE, SWITCH,
     AT(pass_stats), 0, 0, 0},
    {"--list-passes", NULL, "the passes there are, and the rules of canonicalise", MGC_BUILD,
     SWITCH, AT(list_passes), 0, 0, 0},
    {"--list-ops", NULL, "the operators of ONNX, and which of them are supported", MGC_IMPORT,
     SWITCH, AT(list_ops), 0, 0, 0},
    {"--print-before", "PASS", "the IR before a pass, on standard error", COMPILE, LIST,
     AT(print_before), 0, 0, 0},
    {"--print-after", "PASS", "the IR after a pass", COMPILE, LIST, AT(print_after), 0, 0, 0},
    {"--print-after-all", NULL, "the IR after every pass", COMPILE, SWITCH, AT(print_after_all), 0,
     0, 0},
    {"--print-changed", NULL, "how every pass changed the IR, as a unified diff", COMPILE, SWITCH,
     AT(print_changed), 0, 0, 0},
    {"--verify-each", NULL, "check the IR after every pass", ANY_COMPILE, SWITCH, AT(verify_each),
     0, 0, 0},
    {"--time-passes", NULL, "how long every pass took, on standard error", COMPILE, SWITCH,
     AT(time_passes), 0, 0, 0},
    {"--reproduce", NULL, "keep the IR before each pass, for a reproducer", COMPILE, SWITCH,
     AT(reproduce), 0, 0, 0},
    {"--places", NULL, "with source places", MGC_EMIT, SWITCH, AT(places), 0, 0, 0},
    {"--no-annotations", NULL, "without annotations", MGC_EMIT, SWITCH, AT(no_annotations), 0, 0,
     0},
    {"-i", NULL, "write the file itself", MGC_FMT, SWITCH, AT(in_place), 0, 0, 0},
    {"--check", NULL, "name the files that are not in canonical form, and exit with 1", MGC_FMT,
     SWITCH, AT(check), 0, 0, 0},
    {"--markdown", NULL, "all of them as a page", MGC_OPS, SWITCH, AT(markdown), 0, 0, 0},
    {"--man", NULL, "the manual's page, as roff", MGC_HELP, SWITCH, AT(man), 0, 0, 0},
    {"--completion", "none|bash|zsh|fish", "a shell's completion of mgc's command line", MGC_HELP,
     CHOICE, AT(completion), 0, 0, 0},
    {"--help", NULL, "this text", ALL, SWITCH, AT(help), 0, 0, 0},
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

// The flag that word is, with *value after its `=`, else NULL. -O2 carries its value without one.
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
    return (end != value && !*end && *to >= 0) ||
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
            return usage("one --emit-… at a time");
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

// One word that begins with a dash; takes a second one where the value stands apart.
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
                    return usage("%s has no meaning for `mgc %s%s%s`; `mgc --help` lists what has",
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

// The first positional word may be a command; what looks like a misspelt one is not taken for a
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

// Is there a file where the command needs one, and no word where it takes none?
static bool check_words(const MgcOptions *o) {
    for (size_t c = 0; c < N_COMMANDS; c++) {
        const char *name = mgc_commands[c].name, *arguments = mgc_commands[c].arguments;
        if (mgc_commands[c].command != o->command)
            continue;
        if (mgc_commands[c].needs_file && !o->file && !o->list_passes && !o->list_ops)
            return usage("no file given: mgc %s%s%s", name, name[0] ? " " : "", arguments);
        if (!arguments[0] && o->file)
            return usage("mgc %s takes no file and no other word: '%s'", name, o->file);
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
                      .tolerance = -1};
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
            o->file = o->help ? NULL : word; // of the library, or unknown
        } else if (o->command == MGC_TEST || o->command == MGC_FMT) {
            o->file = word;
            if (!add(&o->files, word))
                return false;
        } else if (o->file)
            return usage("one file at a time: '%s' and '%s'", o->file, word);
        else
            o->file = word;
    }
    if (o->help || (argc == 1 && (o->command = MGC_HELP)))
        return true;
    if (!o->command)
        o->command = MGC_BUILD;
    if (o->command == MGC_BUILD && o->emit)
        o->command = MGC_EMIT;
    if (!check_places(o, seen))
        return false;
    return check_words(o);
}

void mgc_options_free(MgcOptions *o) {
    MgcList *lists[] = {&o->inputs,      &o->outputs, &o->sets,     &o->print_before,
                        &o->print_after, &o->plugins, &o->counters, &o->files};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->at);
}
