// Shared by the benchmarks. It measures two contenders in turn in one process, so that disturbances
// hit both alike, and returns medians and the spread of the rounds.
#ifndef MG_TESTS_BENCH_H
#define MG_TESTS_BENCH_H

#include "support/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_ROUNDS 15

// The flags that compiled benchmarks share.
typedef struct BenchFlags {
    int threads, level;
    const char *march; // NULL: this machine's
} BenchFlags;

// Reads one of the shared flags; false for any other word.
static inline bool bench_flag(const char *word, BenchFlags *flags) {
    if (!strncmp(word, "--march=", 8))
        flags->march = word + 8;
    else if (sscanf(word, "--threads=%d", &flags->threads) != 1)
        return sscanf(word, "--level=%d", &flags->level) == 1;
    return true;
}

typedef struct Contender {
    void (*run)(void *context); // one unit of work
    void *context;
} Contender;

// CPU seconds for one thread, wall-clock seconds for several.
static inline double bench_seconds(int threads) {
    struct timespec t;
    if (threads > 1)
        return mg_now_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds per unit. One thread is measured in its own CPU seconds, which other load on the machine
// does not affect, as it does wall-clock time. Several threads get a pause first, in which the
// other contender's threads stop spinning.
static inline double bench_repeat_on(Contender c, uint64_t n, int threads) {
    if (threads > 1) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        c.run(c.context);
    }
    double begin = bench_seconds(threads);
    for (uint64_t i = 0; i < n; i++)
        c.run(c.context);
    return (bench_seconds(threads) - begin) / (double)n;
}

static inline double bench_repeat(Contender c, uint64_t n) {
    return bench_repeat_on(c, n, 1);
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
// the upper quartile, over the median). If `peak` is given, it is also timed in every round: its
// time multiplied by `floor_of_peak` is the floor of mg's time, and `share` is floor over time.
static inline double bench_compare_with_peak(const char *name, const char *size, int threads,
                                             Contender mg, Contender peer, const char *peer_name,
                                             double seconds_per_round, Contender peak,
                                             double floor_of_peak) {
    double one = bench_repeat(mg, 1);
    one = bench_repeat_on(mg, one < 1e-4 ? 100 : 1, threads); // everything is warm by now
    uint64_t n = (uint64_t)(seconds_per_round / (one > 1e-9 ? one : 1e-9)) + 1;
    uint64_t n_peak = peak.run ? (uint64_t)(seconds_per_round / bench_repeat(peak, 1)) + 1 : 0;
    double mine[BENCH_ROUNDS], theirs[BENCH_ROUNDS], ratios[BENCH_ROUNDS];
    double floors[BENCH_ROUNDS], shares[BENCH_ROUNDS];
    bench_repeat(peer, n > 10 ? n / 10 : 1);
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        mine[r] = bench_repeat_on(mg, n, threads);
        theirs[r] = bench_repeat_on(peer, n, threads);
        ratios[r] = theirs[r] / mine[r];
        floors[r] = peak.run ? bench_repeat_on(peak, n_peak, threads) * floor_of_peak : 0;
        shares[r] = floors[r] / mine[r];
    }
    double ratio = bench_median(ratios, BENCH_ROUNDS);
    printf("{\"name\": \"%s\", \"size\": \"%s\", \"threads\": %d, \"mg\": %.4g, \"peer\": %.4g, "
           "\"peer_name\": \"%s\", "
           "\"ratio\": %.3f, \"spread\": %.3f",
           name, size, threads, bench_median(mine, BENCH_ROUNDS),
           bench_median(theirs, BENCH_ROUNDS), peer_name, ratio,
           (ratios[BENCH_ROUNDS * 3 / 4] - ratios[BENCH_ROUNDS / 4]) / ratio);
    if (peak.run)
        printf(", \"floor\": %.4g, \"share\": %.3f", bench_median(floors, BENCH_ROUNDS),
               bench_median(shares, BENCH_ROUNDS));
    puts("}");
    fflush(stdout);
    return ratio;
}

static inline double bench_compare(const char *name, const char *size, int threads, Contender mg,
                                   Contender peer, const char *peer_name,
                                   double seconds_per_round) {
    return bench_compare_with_peak(name, size, threads, mg, peer, peer_name, seconds_per_round,
                                   (Contender){0}, 0);
}

#endif
