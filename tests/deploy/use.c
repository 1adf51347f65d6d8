// A program that uses a library of two graphs as its header says, and checks every code and value.
// Built against net.h with -Wall -Wextra -Wpedantic -Werror as C11, and against net.o, .a and .so.
#include "net.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static int failures;

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #what);                        \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define SAYS(code, text)                                                                           \
    do {                                                                                           \
        if (!(code) || !strstr(MESSAGE(code), text)) {                                             \
            printf("%s:%d: code %d says '%s', not '%s'\n", __FILE__, __LINE__, (int)(code),        \
                   MESSAGE(code), text);                                                           \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

// ---------------------------------------------------------------- weights, sizes, forms, arenas
#define MESSAGE affine_message

static int open_affine(affine_instance *net) {
#ifdef WEIGHTS
    static _Alignas(64) char bytes[4096];
    static size_t length;
    if (!length) {
        FILE *f = fopen(WEIGHTS, "rb");
        length = f ? fread(bytes, 1, sizeof bytes, f) : 0;
        if (f)
            fclose(f);
        CHECK(affine_open(net, NULL, 0) == AFFINE_WEIGHTS);
        CHECK(affine_open(net, bytes, length - 1) == AFFINE_WEIGHTS);
        bytes[40] ^= 1;
        CHECK(affine_open(net, bytes, length) == AFFINE_WEIGHTS);
        bytes[40] ^= 1;
    }
    return affine_open(net, bytes, length);
#else
    return affine_open(net);
#endif
}

static void run_affine(affine_instance *net, int64_t n) {
    static float x[128], y[129];
    static const uint8_t flags[3] = {0, 1, 0};
    uint8_t flipped[3] = {9, 9, 9};
    for (int i = 0; i < 2 * n; i++)
        x[i] = (float)i;
    y[2 * n] = -7;
    affine_inputs in = {.x = x, .end = flags};
    affine_outputs out = {.y = y, .z = flipped};
    CHECK(affine_run(net, &in, &out) == AFFINE_OK);
    for (int i = 0; i < 2 * n; i++)
        CHECK(y[i] == (float)i * (i % 2 ? 3 : 2) + 1);
    CHECK(y[2 * n] == -7);
    CHECK(flipped[0] == 1 && flipped[1] == 0 && flipped[2] == 1);
}

static void test_affine(void) {
    affine_instance net;
    affine_sizes sizes = {.N = 3};
    affine_dims dims;
    uint64_t need;
    CHECK(affine_hash() == AFFINE_HASH);
    CHECK(affine_open_checked(NULL, AFFINE_HASH, NULL, 0) == AFFINE_MISSING);
    CHECK(affine_bind(NULL, &sizes, NULL, 0) == AFFINE_MISSING);
    CHECK(affine_bind(&net, NULL, NULL, 0) == AFFINE_MISSING);
    CHECK(affine_arena(NULL, &need) == AFFINE_MISSING);
    CHECK(affine_arena(&sizes, NULL) == AFFINE_MISSING);
    CHECK(affine_run(NULL, NULL, NULL) == AFFINE_MISSING);
    CHECK(affine_timing(NULL, 0, 0, NULL) == 0);
    affine_shapes(NULL, &dims);
    affine_shapes(&sizes, NULL);
    affine_close(NULL);
    SAYS(AFFINE_MISSING, "is NULL");
    CHECK(affine_open_checked(&net, AFFINE_HASH + 2, NULL, 0) == AFFINE_MISMATCH);
    CHECK(affine_bind(&net, &sizes, NULL, 0) == AFFINE_NOT_OPEN);
    CHECK(open_affine(&net) == AFFINE_OK);
    CHECK(affine_run(&net, NULL, NULL) == AFFINE_NOT_BOUND);
    for (int64_t n = 0; n <= 64; n += n < 5 ? 1 : 59) { // 4 has a form of its own
        sizes.N = n;
        CHECK(affine_bind(&net, &sizes, NULL, 0) == AFFINE_OK);
        run_affine(&net, n);
        run_affine(&net, n);
        CHECK(affine_run(&net, NULL, &(affine_outputs){0}) == AFFINE_MISSING);
        CHECK(affine_run(&net, &(affine_inputs){0}, NULL) == AFFINE_MISSING);
        CHECK(affine_timing(&net, 0, 0, NULL) == 0);
    }
    sizes.N = 65;
    SAYS(affine_bind(&net, &sizes, NULL, 0), "N must be at most 64");
    CHECK(affine_run(&net, NULL, NULL) == AFFINE_NOT_BOUND);
    sizes.N = -1;
    CHECK(affine_bind(&net, &sizes, NULL, 0) == AFFINE_SIZES);
    sizes.N = INT64_MAX;
    CHECK(affine_arena(&sizes, &need) == AFFINE_SIZES);
    sizes.N = 7;
    affine_shapes(&sizes, &dims);
    CHECK(dims.x[0] == 7 && dims.x[1] == 2 && dims.end[0] == 3 && dims.y[0] == 7);
    SAYS(123456, "unknown error code");
    SAYS(-1, "unknown error code");
    affine_close(&net);
    CHECK(affine_bind(&net, &sizes, NULL, 0) == AFFINE_NOT_OPEN);
}

// ---------------------------------------------------------------- traps, requirements
#undef MESSAGE
#define MESSAGE pick_message

static void test_pick(void) {
    pick_instance net;
    float table[] = {1, 2, 3, 4, 5, 6}, rows[4];
    int64_t ids[] = {2, 0}, wrong[] = {0, 3};
    CHECK(pick_open(&net) == PICK_OK);
    SAYS(pick_bind(&net, &(pick_sizes){.V = 1, .M = 2}, NULL, 0),
         "the table has V rows: this needs V >= 2");
    CHECK(pick_bind(&net, &(pick_sizes){.V = 3, .M = 2}, NULL, 0) == PICK_OK);
    CHECK(pick_run(&net, &(pick_inputs){table, ids}, &(pick_outputs){rows}) == PICK_OK);
    CHECK(rows[0] == 5 && rows[1] == 6 && rows[2] == 1 && rows[3] == 2);
    SAYS(pick_run(&net, &(pick_inputs){table, wrong}, &(pick_outputs){rows}), "net.mg:");
    CHECK(pick_run(&net, &(pick_inputs){table, ids}, &(pick_outputs){rows}) == PICK_OK);
    pick_close(&net);
}

// ---------------------------------------------------------------- what data decide
static void test_found(void) {
    found_instance net;
    float x[] = {0, 3, 0, 0, 5, 0}, taken[6];
    CHECK(found_open(&net) == FOUND_OK);
    CHECK(found_bind(&net, &(found_sizes){.N = 6}, NULL, 0) == FOUND_OK);
    CHECK(net.sizes.N == 6 && net.sizes.C == 6);
    CHECK(found_run(&net, &(found_inputs){x}, &(found_outputs){taken}) == FOUND_OK);
    CHECK(net.sizes.C == 2 && taken[0] == 3 && taken[1] == 5);
    found_dims dims;
    found_shapes(&net.sizes, &dims);
    CHECK(dims.x[0] == 6 && dims.taken[0] == 2);
    x[0] = 1;
    CHECK(found_run(&net, &(found_inputs){x}, &(found_outputs){taken}) == FOUND_OK);
    CHECK(net.sizes.C == 3 && taken[0] == 1);
    found_close(&net);
}

// ---------------------------------------------------------------- threads: a hook, and instances
typedef struct Part {
    void (*work)(void *argument, uint32_t worker);
    void *argument;
    uint32_t worker;
} Part;

static int enter(void *part) {
    Part *p = part;
    p->work(p->argument, p->worker);
    return 0;
}

static void parallel(void *user, uint32_t workers, void (*work)(void *argument, uint32_t worker),
                     void *argument) {
    thrd_t threads[64];
    Part parts[64];
    ++*(int *)user;
    for (uint32_t w = 1; w < workers; w++) {
        parts[w] = (Part){work, argument, w};
        thrd_create(&threads[w], enter, &parts[w]);
    }
    work(argument, 0);
    for (uint32_t w = 1; w < workers; w++)
        thrd_join(threads[w], NULL);
}

enum { B = 96 };
static float image[B * 64], weights[64 * 64], expected[B * 64];

static void run_dense(dense_instance *net, float *out) {
    CHECK(dense_run(net, &(dense_inputs){image, weights}, &(dense_outputs){out}) == DENSE_OK);
    CHECK(memcmp(out, expected, sizeof expected) == 0);
}

static int many_runs(void *unused) {
    (void)unused;
    dense_instance net;
    uint64_t need = 0;
    dense_sizes sizes = {.B = B};
    CHECK(dense_open(&net) == DENSE_OK);
    CHECK(dense_arena(&sizes, &need) == DENSE_OK);
    char *arena = aligned_alloc(64, need / 64 * 64 + 64);
    float *out = malloc(sizeof expected);
    if (need)
        CHECK(dense_bind(&net, &sizes, arena, need - 1) == DENSE_ARENA);
    CHECK(dense_bind(&net, &sizes, arena + 8, need + 64) == DENSE_ARENA);
    CHECK(dense_bind(&net, &sizes, arena, need) == DENSE_OK);
    CHECK(net.arena_bytes == need);
    for (int i = 0; i < 50; i++)
        run_dense(&net, out);
    dense_close(&net);
    free(arena);
    free(out);
    return 0;
}

// Each kernel is recorded once, its parts by their workers; without memory for records, there are
// none.
static void test_timing(void) {
    static uint64_t ticks[DENSE_TICKS];
    dense_instance net;
    dense_kernel_time time;
    float *out = malloc(sizeof expected);
    int calls = 0;
    CHECK(dense_open(&net) == DENSE_OK);
    CHECK(dense_timing(&net, 0, 0, &time) == 0);
    CHECK(dense_bind(&net, &(dense_sizes){.B = B}, NULL, 0) == DENSE_OK);
    run_dense(&net, out);
    CHECK(dense_timing(&net, 0, 0, &time) == 0);
    net.ticks = ticks;
    net.parallel = parallel;
    net.user = &calls;
    for (net.workers = 1; net.workers <= 2; net.workers++) {
        int64_t flops = 0;
        run_dense(&net, out);
        CHECK(net.used == net.workers);
        for (uint32_t s = 0; s < DENSE_SITES; s++) {
            int parts = 0;
            for (uint32_t w = 0; w < net.used; w++)
                if (dense_timing(&net, s, w, &time)) {
                    CHECK(time.begin <= time.end);
                    CHECK(strncmp(time.place, "net.mg:", 7) == 0);
                    CHECK(time.name[0] && time.schedule[0] && time.bytes > 0);
                    flops += parts++ ? 0 : time.flops;
                }
        }
        CHECK(flops >= 2 * B * 64 * 64 && flops <= (2 * 64 + 2) * B * 64);
        CHECK(dense_timing(&net, DENSE_SITES, 0, &time) == 0);
        CHECK(dense_timing(&net, 0, net.used, &time) == 0);
    }
    net.ticks = NULL;
    net.workers = 1;
    run_dense(&net, out);
    CHECK(dense_timing(&net, 0, 0, &time) == 0);
    dense_close(&net);
    CHECK(dense_timing(&net, 0, 0, &time) == 0);
    free(out);
}

static void test_threads(void) {
    dense_instance net;
    float *out = malloc(sizeof expected);
    int calls = 0;
    thrd_t threads[4];
    for (int i = 0; i < B * 64; i++)
        image[i] = (float)(i % 17) - 8;
    for (int i = 0; i < 64 * 64; i++)
        weights[i] = (float)(i % 13) / 8;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < 64; j++) {
            float sum = 0; // exact: small multiples of 1/8
            for (int k = 0; k < 64; k++)
                sum += image[i * 64 + k] * weights[k * 64 + j];
            expected[i * 64 + j] = sum > 0 ? sum : 0;
        }
    CHECK(dense_open(&net) == DENSE_OK);
    CHECK(dense_bind(&net, &(dense_sizes){.B = B}, NULL, 0) == DENSE_OK);
    run_dense(&net, out);
    CHECK(net.used == 1);
    net.parallel = parallel;
    net.user = &calls;
    net.workers = 3; // built for two
    for (int i = 0; i < 20; i++)
        run_dense(&net, out);
    CHECK(calls == 20 && net.used == DENSE_WORKERS && DENSE_WORKERS == 2);
    dense_close(&net);
    for (int i = 0; i < 4; i++)
        thrd_create(&threads[i], many_runs, NULL);
    for (int i = 0; i < 4; i++)
        thrd_join(threads[i], NULL);
    free(out);
}

int main(void) {
    test_affine();
    test_pick();
    test_found();
    test_threads();
    test_timing();
    puts(failures ? "FAILED" : "all of it holds");
    return failures != 0;
}
