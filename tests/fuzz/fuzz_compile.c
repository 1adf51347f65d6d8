// Fuzzes the way from text to kernels: names, types and sizes, lowering, the passes of a level with
// the verifier after each, schedules, and for some programs the CPU backend. Each stage takes what
// the previous one accepted. There must be no "invalid IR", no kernel that fails to verify, no
// failure without a message, and no unbounded memory.
// Mutations change tokens, not bytes, so that many programs still mean something. A number, name or
// operator becomes another one of the text; lines are left out, doubled or swapped.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/sema.h"
#include "runtime/compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

// ---------------------------------------------------------------- programs
static const char *diagnostics(MgSession *session) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    return mg_text_str(&out);
}

static void fault(MgSession *session, const char *what) {
    fprintf(stderr, "%s\n%s\n", what, diagnostics(session));
    abort();
}

// A stage refused. It must say why, and must not blame another stage.
static void refused(MgSession *session, const char *stage) {
    if (!session->n_errors)
        fault(session, stage);
    for (size_t i = 0; i < session->diags.len; i++)
        if (session->diags.at[i].id >= MG_D_verify_structure &&
            session->diags.at[i].id <= MG_D_verify_cover)
            fault(session, stage);
}

static void compile(MgSession *session, MgGraph *g, uint32_t hash) {
    MgPassOptions passes = {.verify_each = true};
    MgCompileSettings settings = {.backend = mg_backend_find("cpu"),
                                  .march = "x86-64-v4",
                                  .level = hash % 4,
                                  .workers = 1 + hash / 4 % 2,
                                  .share_all = hash / 8 % 2,
                                  .winograd = hash / 16 % 4,
                                  .passes = &passes};
    MgGraph *copy = mg_compile_copy(g, NULL);
    if (!mg_compile_passes(copy, &settings)) {
        refused(session, "the passes failed");
        return;
    }
    MgProgram *program = mg_compile_schedule(copy, &settings);
    if (!program) {
        refused(session, "scheduling failed");
        return;
    }
    // A kernel that one worker runs alone, as owners of rows do, has no memory per worker. The
    // verifier would report this as a race.
    bool shared = settings.workers > 1 && settings.share_all && settings.level < 2;
    for (uint32_t i = 0; i < program->kernels.len && shared; i++)
        if (!mg_kernel_verify(session, program->kernels.at[i]))
            fault(session, "a kernel is wrong");
    unsigned char *bytes = NULL;
    size_t length;
    if (hash / 64 % 8 == 0 && program->kernels.len < 20 &&
        !settings.backend->object(session, program, settings.march, &bytes, &length))
        refused(session, "the backend failed");
    free(bytes);
}

static void read(MgSession *session, const uint8_t *data, size_t size) {
    MgModule *module = mg_load_module_text(session, "fuzz.mg", (const char *)data, size);
    if (!module) {
        refused(session, "lowering failed");
        return;
    }
    if (!mg_module_verify(module))
        fault(session, "what was lowered is wrong");
    uint32_t hash = (uint32_t)mg_hash(data, size, 0);
    for (uint32_t i = 0; i < module->graphs.len && i < 4; i++)
        compile(session, module->graphs.at[i], hash + i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    MgSession *session = mg_session_new((size_t)512 << 20);
    MgTry frame;
    if (MG_TRY(session->mem, frame)) {
        read(session, data, size);
        mg_try_end(session->mem, &frame);
    } else {
        fprintf(stderr, "%zu bytes of input took more than 512 MiB\n", size);
    }
    mg_session_free(session);
    return 0;
}

// ---------------------------------------------------------------- mutations
typedef struct Token {
    size_t at, length;
} Token;
enum { MOST_TOKENS = 8192 };

typedef struct Mutation {
    uint32_t state;
    Token all[MOST_TOKENS];
    uint32_t n;
    const char *text;
} Mutation;

static uint32_t below(Mutation *m, uint32_t n) { // Knuth's generator, its upper bits
    m->state = m->state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(m->state >> 8) * n >> 24);
}

static int kind_of(char c) {
    return isdigit((unsigned char)c)               ? 'n'
           : isalpha((unsigned char)c) || c == '_' ? 'a'
           : isspace((unsigned char)c)             ? ' '
           : strchr("([{", c)                      ? '('
           : strchr(")]}", c)                      ? ')'
                                                   : '+';
}

static void split(Mutation *m, const char *text, size_t size) {
    m->text = text;
    m->n = 0;
    for (size_t i = 0; i < size && m->n < MOST_TOKENS; m->n++) {
        size_t begin = i++;
        int kind = kind_of(text[begin]);
        while ((kind == 'a' || kind == 'n') && i < size &&
               (kind_of(text[i]) == kind || (kind == 'a' && kind_of(text[i]) == 'n')))
            i++;
        m->all[m->n] = (Token){begin, i - begin};
    }
}

// A token of the same kind, which can replace this one.
static const char *other(Mutation *m, const Token *t, size_t *length) {
    static const char *const numbers[] = {"0",  "1",  "2",  "3",   "4",          "7",
                                          "8",  "16", "17", "48",  "64",         "100",
                                          "-1", "33", "N",  "257", "2147483648", "0.5"};
    static const char *const words[] = {
        "f32",    "f64",     "f16",    "bf16", "i32",  "i64",       "i8",     "u64",   "bool",
        "relu",   "softmax", "sum",    "max",  "min",  "mean",      "exp",    "tanh",  "else",
        "argmax", "prod",    "f8e5m2", "axis", "cast", "transpose", "conv2d", "matmul"};
    static const char *const signs[] = {"+", "-", "*", "/", "%", "<", "=", ",", ".", ":", "@"};
    int kind = kind_of(m->text[t->at]);
    const char *from = kind == 'n'   ? numbers[below(m, 18)]
                       : kind == 'a' ? words[below(m, 26)]
                                     : signs[below(m, 11)];
    for (int tries = 0; tries < 20 && below(m, 4); tries++) {
        const Token *u = &m->all[below(m, m->n)];
        if (kind_of(m->text[u->at]) == kind) {
            *length = u->length;
            return m->text + u->at;
        }
    }
    *length = strlen(from);
    return from;
}

// Replaces text[at, at + gone) by `to`. Does nothing if the text would become too long.
static size_t replace(char *text, size_t size, size_t max, size_t at, size_t gone, const char *to,
                      size_t length) {
    char copy[512];
    if (length > sizeof copy || size - gone + length > max)
        return size;
    memcpy(copy, to, length); // `to` may lie in the text itself
    memmove(text + at + length, text + at + gone, size - at - gone);
    memcpy(text + at, copy, length);
    return size - gone + length;
}

static size_t mutate_token(Mutation *m, char *text, size_t size, size_t max) {
    split(m, text, size);
    for (int tries = 0; tries < 50 && m->n; tries++) {
        const Token *t = &m->all[below(m, m->n)];
        size_t length;
        int kind = kind_of(text[t->at]);
        if (kind != 'a' && kind != 'n' && kind != '+')
            continue;
        const char *to = other(m, t, &length);
        return replace(text, size, max, t->at, t->length, to, length);
    }
    return size;
}

static size_t mutate_line(Mutation *m, char *text, size_t size, size_t max) {
    uint32_t lines = 0, which, other_line;
    size_t begin[2] = {0}, length[2] = {0};
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    if (lines < 3)
        return size;
    which = below(m, lines), other_line = below(m, lines);
    for (size_t i = 0, at = 0, line = 0; i < size; i++)
        if (text[i] == '\n') {
            for (int k = 0; k < 2; k++)
                if (line == (k ? other_line : which))
                    begin[k] = at, length[k] = i + 1 - at;
            at = i + 1;
            line++;
        }
    switch (below(m, 3)) {
    case 0:
        return replace(text, size, max, begin[0], length[0], "", 0);
    case 1: // replaces it by another
        return replace(text, size, max, begin[0], length[0], text + begin[1], length[1]);
    default: // inserts another before it
        return replace(text, size, max, begin[0], 0, text + begin[1], length[1]);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) {
    static Mutation m;
    m.state = seed;
    char *text = (char *)data;
    if (below(&m, 20) == 0)
        return LLVMFuzzerMutate(data, size, max);
    for (uint32_t n = 1 + below(&m, 3); n-- > 0;)
        size = below(&m, 4) ? mutate_token(&m, text, size, max) : mutate_line(&m, text, size, max);
    return size;
}
