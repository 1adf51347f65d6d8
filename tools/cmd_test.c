// mgc test: runs cases in child processes, several at a time, each with a limit of time and memory.
// A case that dies or hangs is a failure with a reason, and the others still run. Children are
// forked while this process has one thread. Results are printed in the order of the folders' names,
// each as soon as all before it are known.
#include "support/clock.h"
#include "tools/mgc.h"
#include "tools/show.h"
#include "tools/suite.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB_DEFAULT 4096

#if defined(__SANITIZE_ADDRESS__) // gcc
#define SANITIZED
#elif defined(__has_feature) // clang
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#define WHY_MAX 4000

typedef struct Result {
    bool done;
    MgcVerdict verdict;
    const char *why; // "" if there is nothing to report
    double seconds;
} Result;

// A child and its case. The child writes a byte for the verdict and then the reason into a pipe.
// Its output goes to an unnamed file, which is read only if the child died.
typedef struct Child {
    pid_t pid; // 0: the slot is free
    uint32_t number;
    int pipe, printed;
    double begin;
    bool late;
    size_t length;
    char text[WHY_MAX + 1];
} Child;

typedef struct Suite {
    const MgcOptions *options;
    MgSession *session;
    MgcCases cases;
    Result *results;
    Child *children;
    uint32_t slots, started, finished, printed;
    uint32_t count[3]; // per verdict
} Suite;

static const char *const verdicts[] = {"PASS", "FAIL", "UNSUPPORTED"};
static const char *const json_verdicts[] = {"pass", "fail", "unsupported"};

// ---------------------------------------------------------------- the child
static void limit(int what, rlim_t most) {
    setrlimit(what, &(struct rlimit){most, most});
}

static void set_limits(const MgcOptions *o) {
    limit(RLIMIT_CORE, 0);
#ifndef SANITIZED // AddressSanitizer's shadow counts as terabytes
    // The library keeps its own limit, but LLVM has none.
    limit(RLIMIT_DATA, (rlim_t)(o->memory_limit ? o->memory_limit : MIB_DEFAULT) << 21);
#else
    (void)o;
#endif
}

static void send(int to, MgcVerdict verdict, MgText *why) {
    char begin = (char)('0' + verdict);
    size_t length = why->bytes.len < WHY_MAX ? why->bytes.len : WHY_MAX - 1;
    if (write(to, &begin, 1) != 1 || write(to, why->bytes.at, length) != (ssize_t)length)
        _exit(4);
}

static _Noreturn void be_child(const Suite *s, uint32_t number, int to, int printed) {
    MgcOptions options = *s->options;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
    set_limits(&options);
    if (!options.memory_limit)
        options.memory_limit = MIB_DEFAULT;
    MgText why = mg_text(s->session->arena);
    MgcVerdict verdict = mgc_run_case(&s->cases.at[number], &options, &why);
    send(to, verdict, &why);
    _exit(0);
}

static bool start(Suite *s, Child *c) {
    int ends[2];
    *c = (Child){
        .number = s->started, .begin = mg_now_seconds(), .printed = memfd_create("printed", 0)};
    if (c->printed < 0 || pipe(ends))
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return false;
    if (!pid) {
        close(ends[0]);
        be_child(s, c->number, ends[1], c->printed);
    }
    setpgid(pid, pid); // the child does the same; either may come first
    close(ends[1]);
    c->pipe = ends[0];
    c->pid = pid;
    s->started++;
    return true;
}

// ---------------------------------------------------------------- the end of a child
// Adds the first line of a child's output, such as a sanitizer's or an assertion's.
static void add_printed(MgText *why, int file) {
    char text[300];
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *line = text + strspn(text, "=\n ");
    size_t length = strcspn(line, "\n");
    if (length)
        mg_textf(why, ": %.*s", (int)length, line);
}

static const char *why_dead(const Suite *s, const Child *c, int status) {
    MgText why = mg_text(s->session->arena);
    if (c->late)
        mg_textf(&why, "timeout: not done after %lld s", (long long)s->options->timeout);
    else if (WIFSIGNALED(status))
        mg_textf(&why, "died of SIG%s (%s)", sigabbrev_np(WTERMSIG(status)),
                 sigdescr_np(WTERMSIG(status)));
    else
        mg_textf(&why, "ended with status %d and no result", WEXITSTATUS(status));
    if (!c->late)
        add_printed(&why, c->printed);
    return mg_text_str(&why);
}

static void finish(Suite *s, Child *c) {
    int status = 0;
    Result *r = &s->results[c->number];
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-c->pid, SIGKILL); // also ends what the child started
    bool told = !c->late && WIFEXITED(status) && !WEXITSTATUS(status) && c->length;
    r->verdict = told ? (MgcVerdict)(c->text[0] - '0') : MGC_FAIL;
    r->why =
        told ? mg_arena_str(s->session->arena, c->text + 1, c->length - 1) : why_dead(s, c, status);
    r->seconds = mg_now_seconds() - c->begin;
    r->done = true;
    s->count[r->verdict]++;
    s->finished++;
    close(c->pipe);
    close(c->printed);
    c->pid = 0;
}

// Reads what has arrived in the pipe. True at its end.
static bool drain(Child *c) {
    char rest[256];
    bool full = c->length == WHY_MAX;
    ssize_t n = full ? read(c->pipe, rest, sizeof rest)
                     : read(c->pipe, c->text + c->length, WHY_MAX - c->length);
    if (n > 0 && !full)
        c->length += (size_t)n;
    return n == 0 || (n < 0 && errno != EINTR);
}

// ---------------------------------------------------------------- printing
static void print_json(const Suite *s, uint32_t i) {
    MgText out = mg_text(s->session->arena);
    const Result *r = &s->results[i];
    mg_textf(&out, "%s{\"case\": ", i ? ",\n " : "{\"cases\": [\n ");
    mgc_json_string(&out, s->cases.at[i].folder);
    mg_textf(&out, ", \"result\": \"%s\", \"why\": ", json_verdicts[r->verdict]);
    mgc_json_string(&out, r->why);
    mg_textf(&out, ", \"seconds\": %.3f}", r->seconds);
    fputs(mg_text_str(&out), stdout);
}

static void print_text(const Suite *s, uint32_t i) {
    const Result *r = &s->results[i];
    printf("%-11s %s%s%s\n", verdicts[r->verdict], s->cases.at[i].folder, r->why[0] ? ": " : "",
           r->why);
}

static void wipe(bool terminal) {
    if (terminal)
        fputs("\r\033[K", stderr);
}

static void print_finished(Suite *s) {
    bool terminal = isatty(STDERR_FILENO);
    wipe(terminal);
    for (; s->printed < s->cases.len && s->results[s->printed].done; s->printed++)
        (s->options->json ? print_json : print_text)(s, s->printed);
    fflush(stdout);
    if (terminal && s->finished < s->cases.len)
        fprintf(stderr, "%u of %u, %u failed", s->finished, s->cases.len, s->count[MGC_FAIL]);
}

static void print_totals(const Suite *s) {
    const uint32_t *n = s->count;
    if (s->options->json)
        printf("%s], \"passed\": %u, \"failed\": %u, \"unsupported\": %u}\n",
               s->cases.len ? "\n" : "{\"cases\": [", n[MGC_PASS], n[MGC_FAIL], n[MGC_UNSUPPORTED]);
    else
        printf("%u passed, %u failed, %u unsupported\n", n[MGC_PASS], n[MGC_FAIL],
               n[MGC_UNSUPPORTED]);
}

// ---------------------------------------------------------------- the run
// Waits until a child writes or reaches its deadline, and ends those that are over time.
static void wait_for_children(Suite *s) {
    struct pollfd *polls = MG_NEW_N(s->session->arena, struct pollfd, s->slots);
    double first = 1e9, at = mg_now_seconds();
    for (uint32_t i = 0; i < s->slots; i++) {
        Child *c = &s->children[i];
        polls[i] = (struct pollfd){.fd = c->pid ? c->pipe : -1, .events = POLLIN};
        double left = c->begin + (double)s->options->timeout - at;
        if (c->pid && left <= 0 && !c->late) {
            c->late = true;
            kill(-c->pid, SIGKILL);
        }
        if (c->pid && left < first)
            first = left;
    }
    int wait = first < 0 ? 0 : first > 60 ? 60000 : (int)(first * 1000) + 1;
    if (poll(polls, s->slots, wait) <= 0)
        return;
    for (uint32_t i = 0; i < s->slots; i++)
        if (polls[i].revents && drain(&s->children[i]))
            finish(s, &s->children[i]);
}

static int run_cases(Suite *s) {
    while (s->finished < s->cases.len) {
        for (uint32_t i = 0; i < s->slots && s->started < s->cases.len; i++)
            if (!s->children[i].pid && !start(s, &s->children[i]))
                return mgc_fail(3, "cannot start a process: %s", strerror(errno));
        wait_for_children(s);
        print_finished(s);
    }
    return 0;
}

static int by_folder(const void *a, const void *b) {
    return strcmp(((const MgcCase *)a)->folder, ((const MgcCase *)b)->folder);
}

// Sorts the cases and removes duplicates.
static void sort_cases(MgcCases *cases) {
    if (cases->len)
        qsort(cases->at, cases->len, sizeof *cases->at, by_folder);
    uint32_t n = 0;
    for (uint32_t i = 0; i < cases->len; i++)
        if (!n || strcmp(cases->at[n - 1].folder, cases->at[i].folder) != 0)
            cases->at[n++] = cases->at[i];
    cases->len = n;
}

static int test(MgSession *session, const MgcOptions *options) {
    Suite s = {.options = options, .session = session};
    for (uint32_t i = 0; i < options->files.n; i++) {
        uint32_t before = s.cases.len;
        int status = mgc_find_cases(session->arena, options->files.at[i], &s.cases);
        if (!status && s.cases.len == before)
            status = mgc_fail(1,
                              "no case in or under '%s': expected folders with model.onnx (or "
                              "model.mlir, or a .mg file) and test_data_set_*",
                              options->files.at[i]);
        if (status)
            return status;
    }
    sort_cases(&s.cases);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    s.slots = options->jobs ? (uint32_t)options->jobs : cores > 0 ? (uint32_t)cores : 1;
    s.results = MG_NEW_N(session->arena, Result, s.cases.len);
    s.children = MG_NEW_N(session->arena, Child, s.slots);
    int status = run_cases(&s);
    if (!status)
        print_totals(&s);
    return status ? status : s.count[MGC_FAIL] > 0;
}

int mgc_test(const MgcOptions *options) {
    return mgc_in_session(options, test);
}
