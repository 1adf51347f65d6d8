// A linker for shared objects is the only program that mgc ever runs. It tries a compiler first,
// which knows where libc is; a bare linker only knows its own search path.
#include "runtime/library.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Tool {
    uint16_t machine;
    const char *program;
    bool compiler;
} Tool;

// In order of preference. For the machine that mgc runs on, $CC and $LD come first.
static const Tool tools[] = {
    {EM_X86_64, "cc", true},
    {EM_X86_64, "gcc", true},
    {EM_X86_64, "clang", true},
    {EM_X86_64, "ld", false},
    {EM_X86_64, "ld.lld", false},
    {EM_AARCH64, "aarch64-linux-gnu-gcc", true},
    {EM_AARCH64, "aarch64-linux-gnu-ld", false},
};

static uint16_t machine_of(MgBytes object) {
    Elf64_Ehdr header;
    memcpy(&header, object.at, sizeof header);
    return header.e_machine;
}

typedef struct Link {
    MgSession *session;
    char *folder, *input, *output, *log;
    const char *soname;
} Link;

// The program's exit status. 127: there is no such program.
static int call(Link *l, const char *program, bool compiler) {
    const char *name = l->soname ? mg_arena_printf(l->session->arena, "%s%s",
                                                   compiler ? "-Wl,-soname," : "-soname=",
                                                   l->soname)
                                 : NULL; // ends the arguments
    const char *compiling[] = {program,
                               "-shared",
                               "-nostartfiles",
                               "-Wl,--as-needed",
                               "-Wl,-z,now",
                               "-Wl,--build-id=none",
                               "-o",
                               l->output,
                               l->input,
                               "-lm",
                               "-lc",
                               name,
                               NULL};
    const char *linking[] = {program,
                             "-shared",
                             "--as-needed",
                             "-z",
                             "now",
                             "--build-id=none",
                             "-L/lib/x86_64-linux-gnu",
                             "-L/usr/lib64",
                             "-L/lib64",
                             "-o",
                             l->output,
                             l->input,
                             "-l:libm.so.6",
                             "-l:libc.so.6",
                             name,
                             NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int status = 127;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, l->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (!posix_spawnp(&child, program, &files, &attributes,
                      (char **)(uintptr_t)(compiler ? compiling : linking), environ))
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return status == 127 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static bool put_file(const char *path, MgBytes bytes) {
    FILE *f = fopen(path, "wbx");
    bool ok = f && fwrite(bytes.at, 1, bytes.length, f) == bytes.length;
    return f && !fclose(f) && ok;
}

static bool get_file(MgSession *session, const char *path, MgBytes *bytes) {
    FILE *f = fopen(path, "rb");
    struct stat st;
    bool ok = f && !fstat(fileno(f), &st);
    if (ok) {
        char *to = mg_arena_alloc(session->arena, (size_t)st.st_size + 1, 1);
        ok = fread(to, 1, (size_t)st.st_size, f) == (size_t)st.st_size;
        *bytes = (MgBytes){to, (size_t)st.st_size};
    }
    if (f)
        fclose(f);
    return ok;
}

// Runs the first program that exists. False with a diagnostic.
static bool call_any(Link *l, uint16_t machine) {
    const char *asked = machine == EM_X86_64 ? getenv("CC") : NULL;
    bool compiler = asked && *asked && !strpbrk(asked, " \t");
    int status = compiler ? call(l, asked, true) : 127;
    for (size_t i = 0; i < sizeof tools / sizeof *tools && status == 127; i++)
        if (tools[i].machine == machine)
            status = call(l, tools[i].program, tools[i].compiler);
    if (status == 127)
        mg_diag(l->session, mg_no_span(), MG_D_library_no_linker,
                machine == EM_AARCH64 ? "aarch64-linux-gnu-gcc" : "cc, gcc, clang, ld or ld.lld");
    else if (status) {
        MgBytes log = {"", 0};
        get_file(l->session, l->log, &log);
        mg_diag(l->session, mg_no_span(), MG_D_library_linker, (int)log.length,
                (const char *)log.at);
    }
    return !status;
}

static bool link_in_folder(Link *l, MgBytes object, MgBytes *result) {
    bool put = put_file(l->input, object);
    bool ok = put && call_any(l, machine_of(object));
    if (!put || (ok && !get_file(l->session, l->output, result))) {
        mg_diag(l->session, mg_no_span(), MG_D_file_write, l->folder, strerror(errno));
        ok = false;
    }
    unlink(l->input);
    unlink(l->output);
    unlink(l->log);
    rmdir(l->folder);
    return ok;
}

bool mg_link_shared(MgSession *session, MgBytes object, const char *soname, MgBytes *result) {
    Link l = {.session = session, .soname = soname};
    MgArena *arena = session->arena;
    sigset_t all, before;
    l.folder = mg_arena_printf(arena, "%s/mgc-XXXXXX", mg_temporary_folder());
    sigfillset(&all); // an interrupt waits until the folder is gone; the linker itself sees it
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool ok = mkdtemp(l.folder) != NULL;
    if (!ok)
        mg_diag(session, mg_no_span(), MG_D_file_write, l.folder, strerror(errno));
    l.input = mg_arena_printf(arena, "%s/net.o", l.folder);
    l.output = mg_arena_printf(arena, "%s/net.so", l.folder);
    l.log = mg_arena_printf(arena, "%s/log", l.folder);
    ok = ok && link_in_folder(&l, object, result);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}
