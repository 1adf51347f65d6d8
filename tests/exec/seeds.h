// Tests of programs drawn from seeds: the numbers that they are drawn by, and the loop over seeds.
#ifndef MG_TESTS_EXEC_SEEDS_H
#define MG_TESTS_EXEC_SEEDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline uint32_t draw(Random *r, uint32_t n) { // Knuth's generator, its upper bits
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((r->state >> 33) % n);
}

// A seed's numbers. The first ones, which neighbouring seeds nearly share, are skipped.
static inline Random mg_seed(uint64_t seed) {
    Random r = {seed * 977 + 5};
    for (int i = 0; i < 4; i++)
        draw(&r, 2);
    return r;
}

// Runs the seeds that the command line gives as FIRST COUNT (1 20 if it doesn't), and prints how
// many passed. Returns the exit status.
static inline int mg_run_seeds(int argc, char **argv, bool (*run)(uint64_t seed)) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 20;
    uint32_t passed = 0, failed = 0;
    for (uint64_t i = 0; i < count; i++)
        if (run(first + i))
            passed++;
        else
            failed++;
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
