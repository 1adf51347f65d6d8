// The flags about passes, and reproducers. If a pass crashes or leaves invalid IR, a file keeps the
// IR before it. An ordinary run pays nothing for this: the handler of a crash starts mgc once more
// with --reproduce, and only that run keeps the text.
#include "tools/mgc.h"

#include "passes/plugin.h"
#include "passes/rules.h"
#include "support/files.h"
#include "support/map.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char reproducer[] = "mgc-reproducer.mg";

// All the state that the signal handler may touch.
static struct {
    char **again;               // the command line with --reproduce, or NULL
    const char *volatile pass;  // the pass that is running, or NULL
    char *text;                 // the IR before it
    volatile size_t length;     // of text
    volatile sig_atomic_t runs; // the model is running, though passes may run again for other sizes
} crash;

static void say(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void tell_pass(void) {
    bool written = false;
    if (crash.length) {
        int fd = open(reproducer, O_CREAT | O_TRUNC | O_WRONLY, 0666);
        written = fd >= 0 && write(fd, crash.text, crash.length) == (ssize_t)crash.length;
    }
    say("mgc: internal error: the pass '");
    say(crash.pass);
    say("' crashed");
    if (written) {
        say("; the IR before it, and how to replay it, is in ");
        say(reproducer);
    }
    say("\n");
}

static void handle(int signal_number) {
    if (crash.pass && !crash.length && crash.again)
        execv("/proc/self/exe", crash.again);
    if (crash.pass)
        tell_pass();
    else if (crash.runs)
        say("mgc: internal error: a crash while the program ran; `mgc bisect` tells whether a pass "
            "is at fault\n");
    else
        say("mgc: internal error: a crash outside the passes\n");
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void mgc_ignore_crashes(void) {
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

void mgc_watch_run(void) {
    crash.runs = 1;
}

void mgc_watch_crashes(char **argv, const MgcOptions *options) {
    int n = 0;
    while (argv[n])
        n++;
    bool again = options->file && strcmp(options->file, "-") != 0 && !options->reproduce;
    static char flag[] = "--reproduce";
    if (again && (crash.again = calloc((size_t)n + 2, sizeof *crash.again))) {
        memcpy(crash.again, argv, (size_t)n * sizeof *argv);
        crash.again[n] = flag;
    }
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_NODEFER | SA_RESETHAND};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

// ---------------------------------------------------------------- options
static void put(void *context, const char *text, size_t length) {
    (void)context;
    mgc_tell_edges(); // those lines come first
    fwrite(text, 1, length, stderr);
}

static void entered(void *context, const char *pass) {
    (void)context;
    crash.pass = pass;
}

static void keep(void *context, const char *pass, const char *text, size_t length) {
    (void)context;
    (void)pass;
    crash.length = 0;
    free(crash.text);
    crash.text = malloc(length);
    if (crash.text) {
        memcpy(crash.text, text, length);
        crash.length = length;
    }
}

static void broken(void *context, const char *pass, const char *text, size_t length) {
    (void)context;
    FILE *f = fopen(reproducer, "w");
    if (f && fwrite(text, 1, length, f) == length)
        fprintf(stderr, "mgc: the IR before %s, and how to replay it, is in %s\n", pass,
                reproducer);
    if (f)
        fclose(f);
}

static MgPassList plugins;          // the passes that --pass-plugin loaded
static MgDebugCounter counters[16]; // the values of --debug-counter
static char *replay;                // the beginning of a command line that replays a pass

static int load_plugins(MgSession *session, const MgcOptions *o) {
    MgText command = mg_text(session->arena);
    mg_textf(&command, "mgc --emit-ir %s", reproducer);
    for (uint32_t i = 0; i < o->plugins.n; i++) {
        const char *wrong = mg_pass_plugin_load(o->plugins.at[i], &plugins, session->arena);
        if (wrong)
            return mgc_fail(1, "%s", wrong);
        mg_text_add(&command, " --pass-plugin=");
        mgc_shell_word(o->plugins.at[i], &command);
    }
    replay = strdup(mg_text_str(&command)); // outlives the session
    return 0;
}

void mgc_shell_word(const char *word, MgText *out) {
    bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-+=./,:@%")];
    mg_text_add(out, plain ? "" : "'");
    for (; *word; word++)
        if (*word == '\'')
            mg_text_add(out, "'\\''");
        else
            mg_text_add_n(out, word, 1);
    mg_text_add(out, plain ? "" : "'");
}

// It does its work only once in a process.
static int mgc_load_plugins(const MgcOptions *o) {
    return replay ? 0 : mgc_in_session(o, load_plugins);
}

// A given flag that changes the level's passes or asks for output about them; NULL if there is
// none.
static const char *flag_of_passes(const MgcOptions *o) {
    const struct {
        bool given;
        const char *flag;
    } flags[] = {{o->passes != NULL, "--passes"},
                 {o->plugins.n, "--pass-plugin"},
                 {o->explain, "--explain"},
                 {o->counters.n, "--debug-counter"},
                 {o->print_before.n, "--print-before"},
                 {o->print_after.n, "--print-after"},
                 {o->print_after_all, "--print-after-all"},
                 {o->print_changed, "--print-changed"},
                 {o->verify_each, "--verify-each"},
                 {o->time_passes, "--time-passes"},
                 {o->pass_stats, "--pass-stats"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].given)
            return flags[i].flag;
    return NULL;
}

void mgc_pass_options(const MgcOptions *o, MgPassOptions *passes) {
    *passes = (MgPassOptions){
        .passes = o->passes,
        .more = plugins,
        .counters = counters,
        .n_counters = o->counters.n,
        .print_before = o->print_before.at,
        .print_after = o->print_after.at,
        .n_print_before = o->print_before.n,
        .n_print_after = o->print_after.n,
        .print_after_all = o->print_after_all,
        .print_changed = o->print_changed,
        .color = mgc_color(STDERR_FILENO),
        .verify_each = o->verify_each,
        .time_passes = o->time_passes,
        .statistics = o->pass_stats,
        .print = {.annotations = !o->no_annotations, .origins = o->places, .inline_const = 256},
        .put = put,
        .replay = replay,
        .entered = entered,
        .before = o->reproduce ? keep : NULL,
        .broken = broken,
        .explain_launch = o->explain == MGC_EXPLAIN_LAUNCH,
        .explain_precision = o->explain == MGC_EXPLAIN_PRECISION,
        .explain_guards = o->explain == MGC_EXPLAIN_GUARDS,
        .edge = o->explain == MGC_EXPLAIN_FUSION ? mgc_explain_edge : NULL,
        .layout = o->explain == MGC_EXPLAIN_LAYOUTS ? mgc_explain_layout : NULL,
        .sibling = o->explain == MGC_EXPLAIN_FUSION ? mgc_explain_sibling : NULL,
        .remat_tell = o->explain == MGC_EXPLAIN_REMAT ? mgc_explain_remat : NULL,
        .checkpoint_tell = o->explain == MGC_EXPLAIN_REMAT ? mgc_explain_checkpoint : NULL};
    mg_remat_parse(o->remat, &passes->remat);
    passes->level_only = !flag_of_passes(o) && !o->reproduce;
}

static int no_pass(const char *what, const char *name, const char *near) {
    return near ? mgc_fail(2, "there is no %s '%s'; did you mean '%s'?", what, name, near)
                : mgc_fail(2, "there is no %s '%s'; `mgc --list-passes` lists them", what, name);
}

static int check(const char *name) {
    return mg_pass_of_name(name, &plugins) ? 0
                                           : no_pass("pass", name, mg_pass_near(name, &plugins));
}

// The pass or rule of this name, as its table spells it. If there is none, returns NULL, and *near
// is a similar name or NULL.
static const char *counted(const char *name, const char **near) {
    uint32_t n;
    const MgRuleRow *rows = mg_rule_rows(&n);
    const MgPassRow *pass = mg_pass_of_name(name, &plugins);
    *near = mg_pass_near(name, &plugins);
    for (uint32_t i = 0; i < n; i++) {
        if (!strcmp(rows[i].name, name))
            return rows[i].name;
        *near = mg_nearer(name, *near, rows[i].name);
    }
    return pass ? pass->name : NULL;
}

// Reads the number at *text and moves *text past it. False if there is none, or if it is too large.
static bool read_ordinal(const char **text, uint64_t *n) {
    if (**text < '0' || **text > '9')
        return false;
    char *end;
    errno = 0;
    uint64_t value = strtoull(*text, &end, 10);
    if (errno)
        return false;
    *text = end;
    *n = value;
    return true;
}

// Reads PASS=A..B, PASS=A (one rewrite), PASS=..B or PASS=A..; ..0 allows none.
static int read_counter(const char *text, MgDebugCounter *counter) {
    size_t length = strcspn(text, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const char *near;
    *counter = (MgDebugCounter){counted(name, &near), 1, UINT64_MAX};
    if (!counter->pass)
        return no_pass("pass or rule", name, near);
    const char *at = text + length + (text[length] == '=');
    bool first = read_ordinal(&at, &counter->first), range = !strncmp(at, "..", 2);
    at += range ? 2 : 0;
    bool last = range && read_ordinal(&at, &counter->last);
    if (!range)
        counter->last = counter->first;
    if (*at || (!first && !last))
        return mgc_fail(2, "--debug-counter takes PASS=A..B, not '%s'", text);
    if (first && (!counter->first || counter->first > counter->last))
        return mgc_fail(2, "--debug-counter=%s: in A..B, A is from 1 to B; %s=..0 makes no rewrite",
                        text, name);
    return 0;
}

static int check_list(const char *names) {
    int status = 0;
    char name[64];
    for (const char *at = names; at && *at && !status; at += strspn(at, ",")) {
        size_t n = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        status = strcmp(name, "default") ? check(name) : 0;
        at += n;
    }
    return status;
}

int mgc_check_passes(const MgcOptions *o) {
    if (o->command == MGC_KERNELS)
        return 0; // its passes are different ones
    bool by_op = o->mode == MG_MODE_CACHED || o->mode == MG_MODE_IMMEDIATE;
    if (by_op && flag_of_passes(o))
        return mgc_fail(2,
                        "%s needs a mode that compiles the graph as a whole; --mode=%s compiles "
                        "each op by itself",
                        flag_of_passes(o), o->mode == MG_MODE_CACHED ? "cached" : "immediate");
    int status = mgc_load_plugins(o);
    if (!status)
        status = check_list(o->passes);
    if (o->counters.n > sizeof counters / sizeof *counters)
        return mgc_fail(2, "more than 16 --debug-counter were given");
    for (uint32_t i = 0; i < o->counters.n && !status; i++)
        status = read_counter(o->counters.at[i], &counters[i]);
    for (uint32_t i = 0; i < o->print_before.n && !status; i++)
        status = check(o->print_before.at[i]);
    for (uint32_t i = 0; i < o->print_after.n && !status; i++)
        status = check(o->print_after.at[i]);
    return status;
}

static int list(MgSession *session, const MgcOptions *options) {
    MgText out = mg_text(session->arena);
    mg_passes_list(&plugins, &out);
    return mgc_put(session, options, mg_text_str(&out), out.bytes.len);
}

int mgc_list_passes(const MgcOptions *options) {
    int status = mgc_load_plugins(options);
    return status ? status : mgc_in_session(options, list);
}
