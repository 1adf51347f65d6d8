// Tests programs whose numbers are at the ends of 31, 32, 62 and 63 bits, in sizes, subscripts,
// ranges, conditions, requirements, attributes and loops. Each compiles, or is refused at the
// user's line for a reason that concerns the user. No stage passes an overflowed number on to a
// later one.
#include "frontend/sema.h"
#include "runtime/compile.h"
#include "tests/unit/check.h"

// `$` is a number, `#` a small one.
static const char *const programs[] = {
    // subscripts
    "graph g(x: f32[N, 4]) -> (y: f32[N, 4]) { y[i, j] = x[i, j] + (x[i * $ + $, j] else 0) }",
    "graph g(x: f32[9]) -> (y: f32[9]) { y[i] = x[i * $ - $] }",
    "graph g(x: f32[N]) -> (y: f32[5]) { y[i in 0..5] = x[N - $ + i] }",
    "graph g(x: f32[N]) -> (y: f32[5]) { y[i in 0..5] = x[(i * $ + $) % N] + x[(i * $) / $ % 4] }",
    "graph g(x: f32[N, M]) -> (y: f32[N, M]) { y[i, j] = x[i, j] + x[$, j] }",
    "graph g(x: f32[N], k: i64[4]) -> (y: f32[4]) { y[i] = x[k[i] * $ + $] else 1 }",
    "graph g(x: f32[N], k: i32[4]) -> (y: f32[4]) { y[i] = x[max(min(k[i] + $, $), $)] }",
    "graph g(x: f32[6]) -> (y: f32[6]) { y[i] = x[min(max(i * $, $), $)] else x[abs(i - $)] else 0 "
    "}",
    "graph g(x: f32[2, 3]) -> (y: f32[#, #]) { y[i, j] = x[i - $, (j * $ + $) / $] else 0 }",
    "graph g(x: f32[8]) -> (y: f32[8]) { t[i]: f32[8] = x[i * $ + $] else 0\nu[i]: f32[8] = t[i * "
    "$ - $] else 0\n y[i] = u[7 - i] + t[i] }",
    "graph g(x: f32[N]) -> (y: f32[N]) { t[i]: f32[N] = x[i * $] else 0\n y[i] = t[i * $ + $] else "
    "0 }",
    // values
    "graph g() -> (y: i64[99]) { y[i in 0..99] = (i % 7) * (i % 7 - $) / # }",
    "graph g(x: i32[8]) -> (y: i32[8]) { y[i] = x[i] - shl($ - $, 3) }",
    "graph g(x: f32[8]) -> (y: f32[8]) { y[i] = x[i] * (i * $ + $ * $) - ($ - $) }",
    "graph g(x: f32[N]) -> (y: f32[N]) { y[i] = x[i] * (N * $ * i - $) + i / ($ - i) }",
    "graph g(x: i64[N]) -> (y: i64[N]) { y[i] = max(x[i] * $, i * $) % (i - $) + abs($ * i) }",
    "graph g(x: f32[N]) -> (y: f32[N]) { y[i] = where(i * $ < $ - i, x[i], N * $) }",
    "graph g(x: f32[8]) -> (y: bool[8]) { y[i] = x[i] > $ or i * $ == $ or $ != $ + $ }",
    // sizes
    "graph g(x: f32[$ * H, 7]) -> (y) { y = relu(x) }",
    "graph g(x: f32[H + $, W * $]) -> (y: f32[H * $, W]) { y[i, j] = x[i / #, j] else 0 }",
    "graph g(x: f32[N]) -> (y: f32[N * $ + $]) { y[i] = x[i / $] else 0 }",
    "graph g(x: f32[N]) -> (y: f32[N * $ - $, #]) { y[i, j] = x[j + $] else 0 }",
    "graph g(x: f32[N]) -> (y: f32[N / $ + #]) { y[i] = x[i % $] else 0 }",
    "graph g(x: f32[N, M]) -> (y: f32[N * M * $]) { y[(i, j, k)] = x[i, j] + k }",
    "graph g(x: f32[N * $]) -> (y: f32[N, $]) { y[i, j] = x[(i, j)] }",
    "graph g(x: f32[N, M]) -> (y) { y = reshape(x, shape = [-1, $]) }",
    "graph g(x: f32[N <= $, M >= $]) -> (y: f32[M, N]) { y[i, j] = x[j, i] * size(x) }",
    "graph g(x: f32[N < $, M > $]) -> (y: f32[M]) { y[j] = sum[i] x[i, j] }",
    "graph g(x: f32[N]) -> (y) { y = concat(x, x, pad(x, before = [$], after = [$]), axis = 0) }",
    // ranges
    "graph g(x: f32[8]) -> (y: f32[8]) { y[i] = sum[k in $..$] (x[i + k] else 0) }",
    "graph g(x: f32[8]) -> (y: f32[8]) { y[i] = max[k in i - $..=i + $] (x[k] else -1) }",
    "graph g(x: f32[N]) -> (y: f32[N]) { y[i] = sum[k in 0..=N * $ + $] (x[i - k] else 0) }",
    "graph g(x: f32[8]) -> (y: f32[#]) { y[i in 0..$] = x[i] else 0 }",
    "graph g(x: f32[8]) -> (y: f32[8]) { y[i in 0..8 - $] = x[i]\n y[i in 8 - $..8] = x[i - $] "
    "else 0 }",
    "graph g(x: f32[4], k: i64[4]) -> (y: f32[8]) { y[k[i] + i * $ - $] else none = sum[i] x[i] }",
    // conditions, requirements, loops over attributes
    "graph g(x: f32[N]) -> (y: f32[N])\n require N * $ <= $\n require N - $ != $ { y = relu(x) }",
    "graph g(x: f32[N, M]) -> (y: f32[N, M])\n require N * $ - M * $ >= $ or M == $ { y = -x }",
    "graph g(x: f32[N]) -> (y: f32[N])\n require N + $ > $ and not (N % $ == $ - $) { y = -x }",
    "graph g(x: f32[4]) -> (y) { if $ - $ < $ * # { y = relu(x) } else { y = -x } }",
    "op f(x: f32[N], n: int, m: int = $) -> (y: f32[N]) { y[i] = x[i] * (n - m) + x[n / m] else 0 "
    "}\ngraph g(x: f32[N]) -> (y) { y = f(x, n = $) }",
    "graph g(x: f32[4]) -> (y) { t = x\n for i in $..=$ { t = t + i }\n y = t }",
    "graph g(x: f32[4]) -> (y) { t = x\n for i in $..=$ { u[j]: f32[4] = t[i - j] else i * $\n t = "
    "u }\n y = t }",
    "graph g(x: f32[4]) -> (y: f32[4]) { y = loop i in $..$ carry (h = x) {\nu[j] = h[j] * 2 + i * "
    "$\n next h = u } }",
    "graph g(x: f32[N]) -> (y) { y = loop k in 0..N - $ carry (h = x) {\nu[j] = h[j] * 2 + k * $\n "
    "next h = u } }",
    "graph g(x: f32[6]) -> (y) { y = pad(x, before = $ - $, after = ($ - $) * $) }",
    // operators of the library
    "graph g(x: f32[N, C, H, W], w: f32[8, C, 3, 3]) -> (y) { y = conv2d(x, w, pad = $) }",
    "graph g(x: f32[1, 2, 9, 9], w: f32[8, 2, 3, 3]) -> (y) {\ny = conv2d(x, w, stride = $, "
    "dilation = $, pad = $) }",
    "graph g(x: f32[1, 2, H, W], w: f32[2, 2, 3, 3]) -> (y) {\ny = conv_transpose(x, w, stride = "
    "$, out_pad = $, pad = $) }",
    "graph g(x: f32[1, 2, H, 7]) -> (y) { y = max_pool2d(x, kernel = $, stride = $, pad = $) }",
    "graph g(x: f32[1, 2, 9, 7]) -> (y) { y = avg_pool(x, kernel = #, stride = $, dilation = $) }",
    "graph g(x: f32[N, 8]) -> (y) { y = slice(x, axis = 1, start = $, stop = $, step = $) }",
    "graph g(x: f32[N, 8]) -> (y) { y = slice(x, axis = 0, start = $, stop = $) }",
    "graph g(x: f32[N, 8]) -> (y) { y[n in 0..N, i in 0..8] = x[n % $, i / $] }",
    "graph g(x: f32[2, 8]) -> (y) { y = roll(x, shift = $, axis = 1) }",
    "graph g(x: f32[2, 8]) -> (y) { y = tile(x, times = [$, $]) }",
    "graph g(x: f32[2, N]) -> (y) { y = pad(x, before = [0, $], after = [0, $]) }",
    "graph g(x: f32[2, N]) -> (y) { y = resize_nearest(x, to = $, axis = 1) }",
    "graph g(x: f32[1, 2, N, 9]) -> (y) { y = unfold(x, kernel = 1, stride = $, dilation = $, pad "
    "= $) }",
    "graph g(x: f32[8]) -> (y) { y = f32(f8_encode(x, mantissa = 3, bias = $, least = 0.001,\nkind "
    "= \"uz\", most = 127, saturate = true)) }",
    "graph g(x: f32[8]) -> (y) { y = clip(x, $, $) }",
    "graph g(x: f32[4, 4]) -> (y) { y = triu(x, k = $) }",
};
static const char *const numbers[] = {
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "1073741823",
    "4611686018427387904",
    "4611686018427387903",
    "-4611686018427387904",
    "9223372036854775807",
    "9223372036854775806",
    "-9223372036854775807",
    "-9223372036854775808",
    "3074457345618258602",
    "-9223372036854775807",
    "140737488355328",
    "0",
    "1",
    "2",
    "-1",
    "7",
};
static const char *const words[] = {
    "internal error", "invalid IR", "defect of the compiler",
    "<overflow>",     "was lost",   "is missing",
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs, SMALL = 60, ENOUGH = 6, LARGE = 30 };
#define COUNT(of) (sizeof(of) / sizeof *(of))

static uint32_t state;

static uint32_t below(uint32_t n) { // Knuth's generator, its upper bits
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

// The program's text, with small numbers or with numbers at the limits.
static void fill(const char *program, bool small, MgText *out) {
    mg_text_add(out, "mg 1\n");
    for (const char *c = program; *c; c++)
        if (*c == '$' && small)
            mg_textf(out, "%u", below(8));
        else if (*c == '$')
            mg_text_add(out, numbers[below(COUNT(numbers))]);
        else if (*c == '#')
            mg_textf(out, "%u", below(8));
        else
            mg_textf(out, "%c", *c);
}

static void ck_words(const char *program, const char *said) {
    for (size_t i = 0; i < COUNT(words); i++)
        ck_assert_msg(!strstr(said, words[i]), "%s\n%s", program, said);
}

// A refusal must give a reason at a line of the program.
static void ck_refused(MgSession *session, const char *program) {
    const char *said = mg_test_diags(session);
    ck_words(program, said);
    ck_assert_msg(session->n_errors > 0, "refused without a message: %s", program);
    ck_assert_msg(!strncmp(said, "limits.mg:", 10), "%s\n%s", program, said);
}

static void ck_graph(MgSession *session, MgGraph *g, const char *program) {
    MgText text = mg_text(session->arena);
    mg_graph_print(g, NULL, &text);
    ck_words(program, mg_text_str(&text));
    MgPassOptions passes = {.verify_each = true};
    MgCompileSettings settings = {.backend = mg_backend_find("cpu"),
                                  .march = "x86-64-v4",
                                  .level = below(4),
                                  .workers = 1 + below(2),
                                  .passes = &passes};
    MgGraph *copy = mg_compile_copy(g, NULL);
    MgProgram *program_of =
        mg_compile_passes(copy, &settings) ? mg_compile_schedule(copy, &settings) : NULL;
    if (!program_of)
        ck_refused(session, program);
    for (uint32_t i = 0; program_of && i < program_of->kernels.len; i++)
        ck_assert_msg(mg_kernel_verify(session, program_of->kernels.at[i]), "%s\n%s", program,
                      mg_test_diags(session));
}

// Returns whether the program compiles.
static bool ck_program(const char *pattern, bool small) {
    MgSession *session = mg_session_new((size_t)512 << 20);
    MgTry frame;
    bool compiles = false;
    if (MG_TRY(session->mem, frame)) {
        MgText program = mg_text(session->arena);
        fill(pattern, small, &program);
        const char *text = mg_text_str(&program);
        MgModule *module = mg_load_module_text(session, "limits.mg", text, strlen(text));
        if (module && module->graphs.len) {
            ck_assert_msg(mg_module_verify(module), "%s\n%s", text, mg_test_diags(session));
            ck_graph(session, module->graphs.at[0], text);
            compiles = true;
        } else {
            ck_refused(session, text);
        }
        mg_try_end(session->mem, &frame);
    } else {
        ck_abort_msg("%s took more than 512 MiB", pattern);
    }
    mg_session_free(session);
    return compiles;
}

START_TEST(limits) {
    uint32_t compiles = 0;
    state = MG_SEED + (uint32_t)_i;
    for (int round = 0; round < SMALL && (round < ENOUGH || !compiles); round++)
        compiles += ck_program(programs[_i], true);
    ck_assert_msg(compiles, "refused with small numbers, too: %s", programs[_i]);
    for (int round = 0; round < LARGE; round++)
        ck_program(programs[_i], false);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("limits");
    TCase *all = tcase_create("limits");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, limits, 0, N_PROGRAMS);
    suite_add_tcase(suite, all);
    return mg_test_run(suite, CK_FORK);
}
