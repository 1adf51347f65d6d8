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

static bool meet(const MgBlockLife *a, const MgBlockLife *b) {
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static void check_placed(const Drawn *d, int64_t peak, MgArena *arena) {
    ck_assert_int_ge(peak, mg_place_lower_bound(d->lives, d->n, arena));
    for (uint32_t i = 0; i < d->n; i++) {
        const MgBlockLife *a = &d->lives[i];
        ck_assert_int_ge(a->offset, 0);
        ck_assert_int_le(a->offset + a->bytes, peak);
        for (uint32_t j = 0; j < i; j++)
            ck_assert(!together(a, &d->lives[j]) || !meet(a, &d->lives[j]));
    }
}

START_TEST(blocks_alive_together_lie_apart) {
    MgMem *mem = mg_mem_new(0);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        MgArena *arena = mg_arena_new(mem);
        Drawn d = draw_blocks(seed), late = d;
        int64_t peak = mg_place_blocks(d.lives, d.n, arena);
        int64_t rested = mg_place_apart(late.lives, late.n, arena);
        check_placed(&d, peak, arena);
        check_placed(&late, rested, arena);
        ck_assert_int_le(rested, peak);
        for (uint32_t i = 0; i < d.n; i++) // lives are as they were
            ck_assert_uint_eq(late.lives[i].last, d.lives[i].last);
        mg_arena_free(arena);
    }
    mg_mem_free(mem);
}
END_TEST

// Three values one after the other, beside one that ends before them and needs four times as much.
START_TEST(bytes_rest_before_they_are_used_again) {
    MgMem *mem = mg_mem_new(0);
    MgArena *arena = mg_arena_new(mem);
    MgBlockLife lives[] = {{256, 0, 1, 0}, {64, 3, 4, 0}, {64, 5, 6, 0}, {64, 7, 8, 0}};
    ck_assert_int_eq(mg_place_apart(lives, 4, arena), 256);
    for (uint32_t i = 1; i < 4; i++)
        for (uint32_t j = 1; j < i; j++)
            ck_assert(!meet(&lives[i], &lives[j]));
    mg_arena_free(arena);
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

MG_TEST_MAIN("place", blocks_alive_together_lie_apart, bytes_rest_before_they_are_used_again,
             a_skyline_tells_the_topmost_blocks)
