// Looks for races between the calls of a CPU's program. Runs random programs and training steps in
// the interpreters of plans and kernels, which record who touches which byte between two barriers.
// Two workers may not touch one byte, one of them to write it. Calls between which the plan has no
// barrier are as much a part of this as the inside of a kernel.
//
//   races FIRST COUNT FILE.mg...
//
// COUNT random programs, from seed FIRST on, and the first graph of each file, whose sizes are
// constants. Each is compiled for machines whose barriers cost little or much, so that many calls
// are shared, run by one worker, or joined.
#include "frontend/sema.h"
#include "runtime/compile.h"
#include "runtime/weights.h"
#include "tests/exec/suite.h"
#include "tests/random/random_program.h"

enum { WORKERS = 3 };

static uint32_t barrier_ns; // of the machine

static bool target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = mg_backend_find("cpu")->target_info(session, march, info);
    info->launch_ns = 0;
    info->barrier_ns = barrier_ns;
    return ok;
}

typedef struct Counts {
    uint32_t programs, joined; // joined: calls that no barrier separates from the call before
} Counts;

static void count_joined(const MgKBlock *b, Counts *n) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKs *s = b->list.at[i];
        n->joined +=
            i && s->kind == MG_KS_CALL && b->list.at[i - 1]->kind == MG_KS_CALL && !s->call->alone;
        count_joined(&s->body, n);
        count_joined(&s->orelse, n);
    }
}

// Numbers in [0.5, 1.5), or 1 for integers and bool.
static void fill(void *data, MgDType dtype, size_t n) {
    size_t size = mg_dtype_size(dtype);
    for (size_t i = 0; i < n; i++) {
        double x = mg_is_float(dtype) ? 0.5 + (double)(i * 2654435761u % 1000) / 1000 : 1;
        MgBits bits = mg_bits_from_double(dtype, x);
        memcpy((char *)data + i * size, &bits, size);
    }
}

static size_t elements(const MgGraph *g, MgValueId id) {
    int64_t n = 0;
    mg_ix_is_const(g->module->ix, mg_value_elements((MgGraph *)g, id), &n);
    return (size_t)n;
}

// Memory of every port and parameter. `drawn`: the inputs; NULL: numbers near 1.
static MgKBufferArg *memory_of(const MgProgram *p, const MgRandomProgram *drawn, MgArena *arena) {
    MgKBufferArg *all = MG_NEW_N(arena, MgKBufferArg, p->bufs.len + 1);
    for (uint32_t i = 0; i < p->bufs.len; i++) {
        const MgPlanBuf *b = &p->bufs.at[i];
        if (b->kind == MG_PLAN_ARENA || b->kind == MG_PLAN_CONST)
            continue;
        MgDType dtype = mg_value(p->graph, b->value)->dtype;
        size_t n = elements(p->graph, b->value), size = mg_dtype_size(dtype);
        all[i] = (MgKBufferArg){mg_arena_alloc(arena, n + 1, size), n * size};
        if (b->kind == MG_PLAN_INPUT && drawn)
            memcpy(all[i].data, drawn->inputs[b->number].data, n * size);
        else if (b->kind != MG_PLAN_OUTPUT)
            fill(all[i].data, dtype, n);
    }
    return all;
}

static bool check(const char *name, const char *text, const MgRandomProgram *drawn, uint32_t level,
                  Counts *n) {
    MgSession *session = mg_session_new(0);
    const MgBackend cpu = {.name = "cpu", .target_info = target_info};
    MgCompileSettings settings = {
        .backend = &cpu, .level = level, .workers = WORKERS, .in_place = true};
    MgModule *m = mg_load_module_text(session, name, text, strlen(text));
    MgGraph *g = m && m->graphs.len ? m->graphs.at[0] : NULL;
    MgProgram *p = g ? mg_compile_program(g, NULL, &settings) : NULL;
    uint32_t trap;
    bool ok = p != NULL;
    if (p) {
        const int64_t *dims = MG_NEW_N(session->arena, int64_t, p->graph->dims.len + 1);
        MgKBufferArg *memory = memory_of(p, drawn, session->arena);
        ok = mg_program_interp(session, p, memory, dims, WORKERS, NULL, NULL, &trap);
        count_joined(&p->plan->body, n);
        n->programs++;
    }
    if (!ok) {
        MgText out = mg_text(session->arena);
        mg_diags_render(session, &out, false);
        printf("%s at -O%u, barriers of %u ns:\n%s%s", name, level, barrier_ns, mg_text_str(&out),
               drawn ? text : "");
    }
    mg_session_free(session);
    return ok;
}

static bool check_all(const char *name, const char *text, const MgRandomProgram *drawn, Counts *n) {
    static const uint32_t barriers[] = {4, 100, 3000};
    bool ok = true;
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
        barrier_ns = barriers[i];
        ok = check(name, text, drawn, i == 1 ? 3 : 2, n) && ok;
    }
    return ok;
}

int main(int argc, char **argv) {
    uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint32_t failed = 0;
    Counts n = {0};
    for (uint64_t seed = first; seed < first + count; seed++) {
        MgSession *session = mg_session_new(0);
        const MgRandomProgram *p = mg_random_closed(seed, session->arena);
        char name[64];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        failed += !check_all(name, p->text, p, &n);
        mg_session_free(session);
    }
    for (int i = 3; i < argc; i++) {
        size_t length;
        char *text = mg_suite_text(argv[i], &length);
        if (text)
            text[length] = 0;
        failed += !text || !check_all(argv[i], text, NULL, &n);
        free(text);
    }
    printf("%u programs, %u joined calls, %u failed\n", n.programs, n.joined, failed);
    return failed || !n.joined;
}
