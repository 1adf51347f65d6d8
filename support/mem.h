// Memory of one compilation: arenas under one limit, and one place to unwind to.
//
// Compiler structures live in arenas and are freed together, so no pass frees anything by itself.
// An allocation never returns NULL. If the limit or the machine is exhausted, or a size overflows,
// it unwinds (longjmp) to the innermost MG_TRY of its MgMem. The public API enters one, so out of
// memory is a status there, and no code in between has to test for it. A function that holds
// anything outside arenas, such as files or LLVM objects, registers it with mg_mem_defer first.
#ifndef MG_SUPPORT_MEM_H
#define MG_SUPPORT_MEM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct MgMem MgMem;
typedef struct MgArena MgArena;
typedef void MgDeferFn(void *object);

// A memory account with a limit in bytes (0: none). NULL only if malloc itself fails here.
MgMem *mg_mem_new(size_t limit);
// The default limit: three quarters of the machine's memory.
size_t mg_mem_default_limit(void);
// Frees every arena and runs every deferred release, newest first.
void mg_mem_free(MgMem *mem);
// Gives pages that no arena uses back to the system. An account keeps them otherwise, since a
// compilation needs them again at once.
void mg_mem_trim(MgMem *mem);
size_t mg_mem_used(const MgMem *mem);
size_t mg_mem_peak(const MgMem *mem);
// Unwinds to the innermost MG_TRY. If there is none, which is a bug, the process aborts.
_Noreturn void mg_mem_fail(MgMem *mem);
// `bytes` of zeroed memory in pages of its own, counted against the limit and freed with the
// account: for large data that is filled at once. Unwinds if memory runs out.
void *mg_mem_pages(MgMem *mem, size_t bytes);
void mg_mem_defer(MgMem *mem, MgDeferFn *release, void *object);
// Forgets a registration without running it; returns false if there was none.
bool mg_mem_undefer(MgMem *mem, void *object);

// if (MG_TRY(mem, frame)) { work; mg_try_end(mem, &frame); } else { out of memory }
typedef struct MgTry {
    jmp_buf jump;
    struct MgTry *outer;
} MgTry;
void mg_try_begin(MgMem *mem, MgTry *frame);
void mg_try_end(MgMem *mem, MgTry *frame);
#define MG_TRY(mem, frame) (mg_try_begin((mem), &(frame)), setjmp((frame).jump) == 0)

MgArena *mg_arena_new(MgMem *mem);
void mg_arena_free(MgArena *arena);
MgMem *mg_arena_mem(MgArena *arena);
// count * size zeroed bytes, aligned to 16. Never NULL; overflow counts as out of memory.
void *mg_arena_alloc(MgArena *arena, size_t count, size_t size);
void *mg_arena_copy(MgArena *arena, const void *bytes, size_t count, size_t size);
char *mg_arena_str(MgArena *arena, const char *text, size_t length);
char *mg_arena_printf(MgArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The path without links and dots, or NULL with errno if the file cannot be found.
char *mg_arena_realpath(MgArena *arena, const char *path);
char *mg_arena_vprintf(MgArena *arena, const char *format, va_list args);

#define MG_NEW(arena, T) ((T *)mg_arena_alloc((arena), 1, sizeof(T)))
#define MG_NEW_N(arena, T, n) ((T *)mg_arena_alloc((arena), (n), sizeof(T)))

// Growable arrays in an arena: MG_VEC(int) v = {0}; mg_push(arena, &v, 3); v.at[0]; v.len
#define MG_VEC(T)                                                                                  \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t len, cap;                                                                         \
    }
void *mg_vec_grow(MgArena *arena, void *at, uint32_t len, uint32_t *cap, size_t size);
#define mg_push(arena, v, ...)                                                                     \
    ((v)->at = (v)->len == (v)->cap                                                                \
                   ? mg_vec_grow((arena), (v)->at, (v)->len, &(v)->cap, sizeof *(v)->at)           \
                   : (v)->at,                                                                      \
     (v)->at[(v)->len++] = (__VA_ARGS__))
#define mg_pop(v) ((v)->at[--(v)->len])

#endif
