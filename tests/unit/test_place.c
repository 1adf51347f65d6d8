// Tests the placement of blocks of memory, with random lifetimes.
#include "passes/schedule/plan/skyline.h"
#include "tests/unit/check.h"

enum { BLOCKS = 60, STEPS = 40, DRAWS = 300 };

typedef struct Drawn {
    MgBlockLife lives[BLOCKS];
    uint32_t n;
} Drawn;

static uint32_t draw(uint64_t *seed, uint32_t n) {
    *seed = mg_hash_mix(*seed, 1);
    return (uint32_t)(*seed >> 33) % n;
}

static Drawn draw_blocks(uint64_t seed) {
    Drawn d = {.n = 1 + draw(&seed, BLOCKS)};
    for (uint32_t i = 0; i < d.n; i++) {
        uint32_t first = draw(&seed, STEPS), last = first + draw(&seed, STEPS - first);
        d.lives[i] = (MgBlockLife){64 * draw(&seed, 9), first, last, 0};
    }
    return d;
}

static bool together(const MgBlockLife *a, const MgBlockLife *b) {
    return a->first <= b->last && b->first <= a->last;
}

START_TEST(blocks_alive_together_lie_apart) {
    MgMem *mem = mg_mem_new(0);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        MgArena *arena = mg_arena_new(mem);
        Drawn d = draw_blocks(seed);
        int64_t peak = mg_place_blocks(d.lives, d.n, arena);
        ck_assert_int_ge(peak, mg_place_lower_bound(d.lives, d.n, arena));
        for (uint32_t i = 0; i < d.n; i++) {
            const MgBlockLife *a = &d.lives[i];
            ck_assert_int_ge(a->offset, 0);
            ck_assert_int_le(a->offset + a->bytes, peak);
            for (uint32_t j = 0; j < i; j++) {
                const MgBlockLife *b = &d.lives[j];
                ck_assert(!together(a, b) || a->offset + a->bytes <= b->offset ||
                          b->offset + b->bytes <= a->offset);
            }
        }
        mg_arena_free(arena);
    }
    mg_mem_free(mem);
}
END_TEST

// Checks that a skyline's answer is the set of tops that were recorded step by step.
static void same_tops(const uint32_t *tops, const MgBlockLife *life, MgDistinct below) {
    uint32_t found = 0;
    bool counted[BLOCKS + 1] = {false};
    for (uint32_t s = life->first; s <= life->last; s++) {
        found += tops[s] && !counted[tops[s]];
        counted[tops[s]] = true;
    }
    ck_assert_uint_eq(found, below.len);
    for (uint32_t i = 0; i < below.len; i++)
        ck_assert(below.at[i] && counted[below.at[i]]);
}

START_TEST(a_skyline_tells_the_topmost_blocks) {
    MgMem *mem = mg_mem_new(0);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        MgArena *arena = mg_arena_new(mem);
        Drawn d = draw_blocks(seed);
        MgSkyline line = mg_skyline(arena, d.lives, d.n);
        uint32_t tops[STEPS] = {0};
        for (uint32_t i = 0; i < d.n; i++) {
            const MgBlockLife *life = &d.lives[i];
            MgDistinct below = {0};
            mg_skyline_raise(&line, life->first, life->last, i + 1, &below);
            same_tops(tops, life, below);
            for (uint32_t s = life->first; s <= life->last; s++)
                tops[s] = i + 1;
        }
        mg_arena_free(arena);
    }
    mg_mem_free(mem);
}
END_TEST

MG_TEST_MAIN("place", blocks_alive_together_lie_apart, a_skyline_tells_the_topmost_blocks)
