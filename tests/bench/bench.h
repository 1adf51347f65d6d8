// What the benchmarks share: two contenders measured in turn in one process, so that whatever the
// machine does to one it does to the other; medians, and how far the rounds lie apart.
#ifndef MG_TESTS_BENCH_H
#define MG_TESTS_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BENCH_ROUNDS 15

typedef struct Contender {
    void (*run)(void *context); // one unit of work
    void *context;
} Contender;

static inline double bench_now(void) { // seconds
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double bench_repeat(Contender c, uint64_t n) { // seconds per unit
    double begin = bench_now();
    for (uint64_t i = 0; i < n; i++)
        c.run(c.context);
    return (bench_now() - begin) / (double)n;
}

static inline int bench_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, bench_order);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

// Prints one JSON line: seconds of both contenders (medians of the rounds), the ratio of their
// rates (above 1: mg is faster), and the spread of that ratio over the rounds (from the lower to
// the upper quartile, over the median).
static inline double bench_compare(const char *name, const char *size, int threads, Contender mg,
                                   Contender peer, const char *peer_name,
                                   double seconds_per_round) {
    double one = bench_repeat(mg, 1);
    one = bench_repeat(mg, one < 1e-4 ? 100 : 1); // warm by now
    uint64_t n = (uint64_t)(seconds_per_round / (one > 1e-9 ? one : 1e-9)) + 1;
    double mine[BENCH_ROUNDS], theirs[BENCH_ROUNDS], ratios[BENCH_ROUNDS];
    bench_repeat(peer, n > 10 ? n / 10 : 1);
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        mine[r] = bench_repeat(mg, n);
        theirs[r] = bench_repeat(peer, n);
        ratios[r] = theirs[r] / mine[r];
    }
    double ratio = bench_median(ratios, BENCH_ROUNDS);
    printf("{\"name\": \"%s\", \"size\": \"%s\", \"threads\": %d, \"mg\": %.4g, \"peer\": %.4g, "
           "\"peer_name\": \"%s\", "
           "\"ratio\": %.3f, \"spread\": %.3f}\n",
           name, size, threads, bench_median(mine, BENCH_ROUNDS),
           bench_median(theirs, BENCH_ROUNDS), peer_name, ratio,
           (ratios[BENCH_ROUNDS * 3 / 4] - ratios[BENCH_ROUNDS / 4]) / ratio);
    fflush(stdout);
    return ratio;
}

#endif
