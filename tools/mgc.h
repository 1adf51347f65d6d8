// The subcommands of mgc, one function each, and what they share to talk to the user.
#ifndef MG_TOOLS_MGC_H
#define MG_TOOLS_MGC_H

#include "include/mg.h"
#include "runtime/compile.h"
#include "support/diag.h"
#include "tools/options.h"

// Each returns the exit status.
int mgc_build(const MgcOptions *options);
int mgc_emit(const MgcOptions *options);
int mgc_run(const MgcOptions *options);
int mgc_test(const MgcOptions *options);
int mgc_bench(const MgcOptions *options);
int mgc_import(const MgcOptions *options);
int mgc_fmt(const MgcOptions *options);
int mgc_cache(const MgcOptions *options);
int mgc_devices(const MgcOptions *options);
int mgc_machine(const MgcOptions *options);
int mgc_kernels(const MgcOptions *options);
int mgc_probe(const MgcOptions *options);
int mgc_tune(const MgcOptions *options);
int mgc_bisect(const MgcOptions *options);
int mgc_reduce(const MgcOptions *options);
int mgc_weights(const MgcOptions *options);
int mgc_train(const MgcOptions *options);
int mgc_check_gradients(const MgcOptions *options);
int mgc_ops(const MgcOptions *options); // also does `mgc help OP`
int mgc_lsp(const MgcOptions *options);
int mgc_version(const MgcOptions *options);
int mgc_list_passes(const MgcOptions *options);

// Colours on a terminal, unless NO_COLOR is set.
bool mgc_color(int fd);
// Prints the session's diagnostics on standard error. Returns 1 if one is an error, else 0.
int mgc_report(MgSession *session);
int mgc_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints a message of the library and returns its status. A message that is a diagnostic begins
// with its place or severity and ends with a newline.
int mgc_complain(int status, const char *message);

// Runs work(session, options) in a session of its own with the memory limit of the options, and
// reports its diagnostics. If memory runs out, it prints a message and returns 1.
int mgc_in_session(const MgcOptions *options,
                   int (*work)(MgSession *session, const MgcOptions *options));
// Loads the module of the options' file. Its parameters are random if --weights asks for that.
// Returns NULL with diagnostics.
struct MgModule *mgc_module_open(MgSession *session, const MgcOptions *options);
// Opens the cache that the options name. Returns NULL if none is wanted or memory ran out. If the
// cache is refused, standard error says why.
MgCache *mgc_cache_open(const MgcOptions *options);
// Writes text to standard output, or to the file of -o. Returns the exit status.
int mgc_put(MgSession *session, const MgcOptions *options, const char *text, size_t length);
// Checks that mgc_put could write, before long work begins. Returns 0, or 1 with a diagnostic.
int mgc_put_check(MgSession *session, const MgcOptions *options);

// The flags as settings of the compiler. It fills *passes, which must outlive the result.
MgCompileSettings mgc_settings(const MgcOptions *options, MgPassOptions *passes);
// The same for the public API; flags that the command lacks keep their defaults.
MgCompileOptions mgc_compile_options(const MgcOptions *options);
// Reads the file of --tuned, or else that of the cache folder. False with a diagnostic.
bool mgc_tuning(MgSession *session, const MgcOptions *options, MgTuning *tuning);
// Reads what --schedule and --machine name, or what mgc probe kept, into the settings. False with
// diagnostics.
bool mgc_named_files(MgSession *session, const MgcOptions *options, MgCompileSettings *settings);
// tools/passes.c: the flags about passes.
void mgc_pass_options(const MgcOptions *options, MgPassOptions *passes);
// Appends a word as a shell reads it, quoted where that is necessary.
void mgc_shell_word(const char *word, MgText *out);
// tools/explain.c: the callbacks of MgPassContext for --explain.
void mgc_explain_edge(void *context, MgGraph *g, MgOpId op, uint32_t i, const char *why);
void mgc_explain_layout(void *context, MgGraph *g, MgValueId v, const char *text);
void mgc_explain_remat(void *context, MgGraph *g, MgValueId v, bool again, double bytes, double ns);
void mgc_explain_checkpoint(void *context, MgGraph *g, MgValueId v, const MgCheckpointTold *told);
void mgc_explain_sibling(void *context, MgGraph *g, MgOpId first, MgOpId op, const char *why);
// Prints the lines of edges that wait. Call it before other output, and at the end.
void mgc_tell_edges(void);
// Checks that the passes that the command line names exist. Returns the exit status.
int mgc_check_passes(const MgcOptions *options);
// From here on a crash leaves a reproducer: mgc starts again with --reproduce, which keeps the IR
// before each pass and, when it crashes again, writes the last one to a file.
void mgc_watch_crashes(char **argv, const MgcOptions *options);
void mgc_watch_run(void);      // from here on a crash is a fault of the program or its driver
void mgc_ignore_crashes(void); // in a process whose crash is expected

// A line on standard error that appears when work takes over a second, on a terminal only.
typedef struct MgcProgress MgcProgress;
MgcProgress *mgc_progress_begin(const char *what, const char *of); // NULL without a terminal
void mgc_progress_end(MgcProgress *progress);                      // NULL is allowed

#endif
