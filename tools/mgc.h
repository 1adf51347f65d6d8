// What the subcommands of mgc share: one function each, and how they talk to the user.
#ifndef MG_TOOLS_MGC_H
#define MG_TOOLS_MGC_H

#include "include/mg.h"
#include "runtime/compile.h"
#include "support/diag.h"
#include "tools/options.h"

// Each gives the exit status.
int mgc_build(const MgcOptions *options);
int mgc_emit(const MgcOptions *options);
int mgc_run(const MgcOptions *options);
int mgc_test(const MgcOptions *options);
int mgc_bench(const MgcOptions *options);
int mgc_import(const MgcOptions *options);
int mgc_fmt(const MgcOptions *options);
int mgc_cache(const MgcOptions *options);
int mgc_devices(const MgcOptions *options);
int mgc_probe(const MgcOptions *options);
int mgc_tune(const MgcOptions *options);
int mgc_bisect(const MgcOptions *options);
int mgc_reduce(const MgcOptions *options);
int mgc_weights(const MgcOptions *options);
int mgc_ops(const MgcOptions *options); // of `mgc help OP`, too
int mgc_lsp(const MgcOptions *options);
int mgc_version(const MgcOptions *options);
int mgc_list_passes(const MgcOptions *options);

// Colours on a terminal, unless NO_COLOR is set.
bool mgc_color(int fd);
// Diagnostics of the session to standard error. Gives 1 if there is an error among them, else 0.
int mgc_report(MgSession *session);
int mgc_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Runs work(session, options) in a session of its own with the memory limit of the options; reports
// its diagnostics. Out of memory is a message and status 1.
int mgc_in_session(const MgcOptions *options,
                   int (*work)(MgSession *session, const MgcOptions *options));
// The module of the options' file; its parameters are random if --weights asks for it. NULL with
// diagnostics.
struct MgModule *mgc_module_open(MgSession *session, const MgcOptions *options);
// The cache of the options; NULL: it is not wanted, or memory ran out. One that is refused is told
// on standard error.
MgCache *mgc_cache_open(const MgcOptions *options);
// Text to standard output, or to the file of -o. Gives the exit status.
int mgc_put(MgSession *session, const MgcOptions *options, const char *text, size_t length);
// Could mgc_put write now? For what takes long before there is text. 0, or a diagnostic and 1.
int mgc_put_check(MgSession *session, const MgcOptions *options);

// What the flags say about compiling; passes (filled by it) must live as long as the result.
MgCompileSettings mgc_settings(const MgcOptions *options, MgPassOptions *passes);
// The same for the public API; flags that the command does not have are at their defaults.
MgCompileOptions mgc_compile_options(const MgcOptions *options);
// What --tuned names, or what the cache folder has, read for settings. False with a diagnostic.
bool mgc_tuning(MgSession *session, const MgcOptions *options, MgTuning *tuning);
// What --schedule names, read into the settings. False with diagnostics.
bool mgc_schedules(MgSession *session, const MgcOptions *options, MgCompileSettings *settings);
// tools/passes.c: the flags about passes.
void mgc_pass_options(const MgcOptions *options, MgPassOptions *passes);
// A word as a shell reads it, in quotes where it needs them.
void mgc_shell_word(const char *word, MgText *out);
// tools/explain.c: for --explain, as in MgPassContext.
void mgc_explain_edge(void *context, MgGraph *g, MgOpId op, uint32_t i, const char *why);
void mgc_explain_layout(void *context, MgGraph *g, MgValueId v, const char *text);
void mgc_explain_sibling(void *context, MgGraph *g, MgOpId first, MgOpId op, const char *why);
// Prints what was said of edges so far, before anything else is, and at the end.
void mgc_tell_edges(void);
// Names of passes on the command line are passes. Gives the exit status.
int mgc_check_passes(const MgcOptions *options);
// From here on a crash leaves a reproducer: mgc runs once more with --reproduce, which keeps the IR
// before each pass, and writes the last of them out when it crashes again.
void mgc_watch_crashes(char **argv, const MgcOptions *options);
void mgc_watch_run(void);      // from here on a crash is the program's, or its driver's
void mgc_ignore_crashes(void); // in a process whose crash is expected

// A line on standard error that appears if what is going on takes over a second, on a terminal
// only.
typedef struct MgcProgress MgcProgress;
MgcProgress *mgc_progress_begin(const char *what, const char *of); // NULL where it is not wanted
void mgc_progress_end(MgcProgress *progress);                      // NULL is allowed

#endif
