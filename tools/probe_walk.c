// Walks over memory by different patterns of access, and through a matrix. They are plain loops of
// 8-byte loads (4-byte for a matrix). The sum is kept, so that the compiler can't drop a load;
// there are four sums, so that the accesses take the time and not a chain of additions.
#include "support/clock.h"
#include "tools/probe.h"

#include <stdlib.h>

enum { LINE = 64, PAGE = 4096, RUNS = 3, MOST = 1 << 22 }; // MOST: accesses of a run

static volatile uint64_t sink;

static uint64_t next(uint64_t *state) { // Knuth's MMIX constants
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

// The shortest time of a few runs, in ns per access; walk returns the number of accesses.
static double best(uint64_t (*walk)(const uint64_t *data, uint64_t n), uint64_t bytes) {
    uint64_t n = bytes / 8, *data = malloc(bytes);
    double least = 1e300;
    if (!data || !n) {
        free(data);
        return 0;
    }
    for (uint64_t i = 0; i < n; i++)
        data[i] = i;
    for (int run = 0; run <= RUNS; run++) {
        uint64_t begin = mg_now_ns();
        uint64_t accesses = walk(data, n);
        double ns = (double)(mg_now_ns() - begin) / (double)accesses;
        least = run && ns < least ? ns : least;
    }
    free(data);
    return least;
}

// Makes a fixed number of accesses, `step` elements apart, in rounds. If `wrapped`, each round
// begins one element later.
static inline uint64_t strided(const uint64_t *data, uint64_t n, uint64_t step, bool wrapped) {
    uint64_t a = 0, b = 0, c = 0, d = 0, done = 0, start = 0;
    while (done < MOST) {
        uint64_t i = start;
        for (; i + 3 * step < n; i += 4 * step, done += 4) {
            a += data[i];
            b += data[i + step];
            c += data[i + 2 * step];
            d += data[i + 3 * step];
        }
        for (; i < n; i += step, done++)
            a += data[i];
        if (wrapped && ++start == step)
            start = 0;
    }
    sink = a + b + c + d;
    return done;
}

static uint64_t sequential(const uint64_t *data, uint64_t n) {
    return strided(data, n, 1, false);
}
static uint64_t by_line(const uint64_t *data, uint64_t n) {
    return strided(data, n, LINE / 8, false);
}
static uint64_t by_line_wrapped(const uint64_t *data, uint64_t n) {
    return strided(data, n, LINE / 8, true);
}
static uint64_t by_page(const uint64_t *data, uint64_t n) {
    return strided(data, n, PAGE / 8 + LINE / 8, true);
}
// Four generators, so that no step waits for another, without a division: next() has 31 bits.
static uint64_t at_random(const uint64_t *data, uint64_t n) {
    uint64_t sum[4] = {0}, state[4] = {1, 2, 3, 4};
    for (uint64_t i = 0; i < MOST / 16; i++)
        for (int k = 0; k < 4; k++)
            sum[k] += data[next(&state[k]) * n >> 31];
    sink = sum[0] + sum[1] + sum[2] + sum[3];
    return MOST / 4;
}

#define WALK(name)                                                                                 \
    static double measure_##name(uint64_t bytes) {                                                 \
        return best(name, bytes);                                                                  \
    }
WALK(sequential)
WALK(by_line)
WALK(by_line_wrapped)
WALK(by_page)
WALK(at_random)

const MgcWalk mgc_walks[] = {{"sequential", "one after the other", measure_sequential},
                             {"strided", "one of each line of 64 bytes", measure_by_line},
                             {"wrapped-strided", "one of each line, the next one in the next round",
                              measure_by_line_wrapped},
                             {"page-strided", "one of each page and a line", measure_by_page},
                             {"random", "anywhere, independent", measure_at_random},
                             {NULL, NULL, NULL}};

// A cycle through all lines in random order (Sattolo, 1986): each load gives the next address.
static void **random_cycle(uint64_t bytes, uint64_t *n) {
    *n = bytes / LINE;
    char *data = aligned_alloc(LINE, *n * LINE);
    uint32_t *order = malloc(*n * sizeof *order);
    if (!data || !order || *n < 2) {
        free(data);
        free(order);
        return NULL;
    }
    uint64_t state = 7;
    for (uint32_t i = 0; i < *n; i++)
        order[i] = i;
    for (uint64_t i = *n - 1; i > 0; i--) {
        uint64_t k = next(&state) % i;
        uint32_t swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (uint64_t i = 0; i < *n; i++)
        *(void **)(void *)(data + (uint64_t)order[i] * LINE) =
            data + (uint64_t)order[(i + 1) % *n] * LINE;
    free(order);
    return (void **)(void *)data;
}

double mgc_latency(uint64_t bytes) {
    uint64_t n;
    void **cycle = random_cycle(bytes, &n), **at = cycle;
    if (!cycle)
        return 0;
    uint64_t steps = n < MOST / 8 ? MOST / 8 : n < MOST / 2 ? n : MOST / 2;
    double least = 1e300;
    for (int run = 0; run <= 1; run++) {
        uint64_t begin = mg_now_ns();
        for (uint64_t i = 0; i < steps; i++)
            at = *at;
        double ns = (double)(mg_now_ns() - begin) / (double)steps;
        least = ns < least ? ns : least;
    }
    sink = (uint64_t)(uintptr_t)at;
    free(cycle);
    return least;
}

// ---------------------------------------------------------------- matrices
static float *matrix(uint64_t bytes, uint64_t *side) {
    *side = 1;
    while ((*side + 1) * (*side + 1) * 4 <= bytes)
        ++*side;
    float *m = malloc(*side * *side * 4);
    for (uint64_t i = 0; m && i < *side * *side; i++)
        m[i] = (float)(i & 7);
    return m;
}

typedef float Traverse(const float *m, uint64_t side);

// The sum of `count` elements, `step` apart.
static inline float line(const float *m, uint64_t count, uint64_t step) {
    float a = 0, b = 0, c = 0, d = 0;
    uint64_t i = 0;
    for (; i + 3 < count; i += 4) {
        a += m[i * step];
        b += m[(i + 1) * step];
        c += m[(i + 2) * step];
        d += m[(i + 3) * step];
    }
    for (; i < count; i++)
        a += m[i * step];
    return a + b + c + d;
}

static float row_major(const float *m, uint64_t side) {
    float sum = 0;
    for (uint64_t i = 0; i < side; i++)
        sum += line(m + i * side, side, 1);
    return sum;
}
static float column_major(const float *m, uint64_t side) {
    float sum = 0;
    for (uint64_t j = 0; j < side; j++)
        sum += line(m + j, side, side);
    return sum;
}
static float flat(const float *m, uint64_t side) {
    return line(m, side * side, 1);
}

static double traverse(Traverse *walk, uint64_t bytes) {
    uint64_t side;
    float *m = matrix(bytes, &side);
    double least = 1e300;
    for (int run = 0; m && run < RUNS; run++) {
        uint64_t begin = mg_now_ns();
        sink = (uint64_t)walk(m, side);
        double ns = (double)(mg_now_ns() - begin) / (double)(side * side);
        least = ns < least ? ns : least;
    }
    free(m);
    return m ? least : 0;
}

static double measure_rows(uint64_t bytes) {
    return traverse(row_major, bytes);
}
static double measure_columns(uint64_t bytes) {
    return traverse(column_major, bytes);
}
static double measure_flat(uint64_t bytes) {
    return traverse(flat, bytes);
}

const MgcWalk mgc_traversals[] = {{"row-major", "row by row, as it lies", measure_rows},
                                  {"column-major", "column by column", measure_columns},
                                  {"flat", "as one line", measure_flat},
                                  {"pointer-chasing",
                                   "line by line in random order, each address in the one before",
                                   mgc_latency},
                                  {NULL, NULL, NULL}};
