// The law that derivatives agree with differences, for programs drawn at random.
//
//   drawn_gradients FIRST COUNT [--print]
//
// Every float output of each program is derived with respect to every float input that it reads. A
// wrong derivative fails, and so does a missing one, except that of a loop that data end. If a
// slope is infinite, as that of sqrt at 0, a derivative is not finite; it counts as undecided. The
// test fails if fewer derivatives than programs were right. The last line counts all.
#include "frontend/sema.h"
#include "runtime/compile.h"
#include "tests/random/random_program.h"
#include "tools/gradients.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const words[MG_GRADIENT_VERDICTS] = {"right", "wrong",     "zero",
                                                        "none",  "undecided", "not run"};

typedef struct Count {
    uint64_t seed, of[MG_GRADIENT_VERDICTS], bad;
    const char *text;
    bool print;
} Count;

static bool has_infinite_slope(const char *text) {
    static const char *const functions[] = {"sqrt(", "asin(", "acos(", "acosh(", "pow("};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strstr(text, functions[i]))
            return true;
    return false;
}

static void tell(void *ctx, const MgGradient *r) {
    Count *c = ctx;
    MgGradientVerdict verdict = r->verdict;
    if (verdict == MG_GRADIENT_WRONG && isnan(r->derived) && has_infinite_slope(c->text))
        verdict = MG_GRADIENT_UNDECIDED;
    bool meant = verdict == MG_GRADIENT_NONE && strstr(r->why, "the data decide when this loop"),
         bad = verdict == MG_GRADIENT_WRONG || (verdict == MG_GRADIENT_NONE && !meant);
    c->of[verdict]++;
    c->bad += bad;
    if (bad || c->print)
        printf("seed %llu: %s: %s by %s: derived %.9g, measured %.9g, element %lld %s\n",
               (unsigned long long)c->seed, words[verdict], r->y, r->x ? r->x : "?", r->derived,
               r->measured, (long long)r->element, r->why ? r->why : "");
}

static bool check(Count *c) {
    MgSession *session = mg_session_new(0);
    MgRandomProgram *p = mg_random_closed(c->seed, session->arena);
    c->text = p->text;
    if (c->print)
        printf("%s", p->text);
    MgModule *module = mg_load_module_text(session, "random", p->text, strlen(p->text));
    const void **integers = MG_NEW_N(session->arena, const void *, p->n_inputs + 1);
    for (uint32_t i = 0; i < p->n_inputs; i++)
        integers[i] = p->inputs[i].data;
    if (module)
        mg_check_gradients(&(MgGradientCheck){.graph = mg_compile_copy(module->graphs.at[0], NULL),
                                              .seed = c->seed,
                                              .integers = integers},
                           tell, c);
    else
        printf("seed %llu is no program\n", (unsigned long long)c->seed);
    mg_session_free(session);
    return module != NULL;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    Count c = {.print = argc > 3};
    bool ok = true;
    for (uint64_t k = 0; k < count; k++) {
        c.seed = first + k;
        ok &= check(&c);
    }
    for (int v = 0; v < MG_GRADIENT_VERDICTS; v++)
        printf("%llu %s%s", (unsigned long long)c.of[v], words[v],
               v + 1 < MG_GRADIENT_VERDICTS ? ", " : "\n");
    return !ok || c.bad || c.of[MG_GRADIENT_RIGHT] < count;
}
