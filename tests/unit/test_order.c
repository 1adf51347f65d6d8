// Tests which launches wait for which: against the definition, on drawn uses of memory.
#include "runtime/device_order.h"
#include "tests/unit/check.h"

#include <stdlib.h>

enum { LAUNCHES = 70, USES = 3, TRIALS = 300 };

static bool conflict(const MgLaunchUse *a, const MgLaunchUse *b) {
    bool parts = a->part_of && a->part_of == b->part_of && a->begin != b->begin;
    return (a->writes || b->writes) && !parts && a->begin < a->end && b->begin < b->end &&
           a->begin < b->end && b->begin < a->end;
}

static bool must_wait(const MgLaunchUse *uses, const uint32_t *first, uint32_t a, uint32_t b) {
    for (uint32_t i = first[a]; i < first[a + 1]; i++)
        for (uint32_t k = first[b]; k < first[b + 1]; k++)
            if (conflict(&uses[i], &uses[k]))
                return true;
    return false;
}

static uint64_t seed = 1;
static uint32_t below(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

// Every conflict is waited for, nothing else is, and nothing twice.
START_TEST(drawn) {
    static MgLaunchUse uses[LAUNCHES * USES];
    static uint32_t first[LAUNCHES + 1];
    static bool waits[LAUNCHES][LAUNCHES];
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t n = below(LAUNCHES) + 1, memory = 10 + below(400);
        for (uint32_t i = 0, used = 0; i < n; i++) {
            first[i] = used;
            for (uint32_t k = below(USES + 1); k > 0; k--) {
                uint32_t begin = below(memory);
                bool whole = below(100) == 0; // what it uses is not known
                uses[used++] =
                    (MgLaunchUse){whole ? 0 : begin, whole ? UINT64_MAX : begin + below(12),
                                  whole || below(2) ? 0 : 1 + below(3), !below(3)};
            }
            first[i + 1] = used;
        }
        MgLaunchOrder order;
        ck_assert(mg_order_launches(uses, first, n, &order));
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t k = 0; k < i; k++)
                waits[i][k] = false;
            for (uint32_t a = order.first[i]; a < order.first[i + 1]; a++) {
                uint32_t other = order.after[a];
                ck_assert(other < i && must_wait(uses, first, i, other));
                ck_assert(!waits[i][other]); // another for which it waits does already
                waits[i][other] = true;
                for (uint32_t k = 0; k < other; k++)
                    waits[i][k] |= waits[other][k];
            }
            for (uint32_t k = 0; k < i; k++)
                ck_assert(waits[i][k] || !must_wait(uses, first, i, k));
        }
        mg_order_free(&order);
    }
}
END_TEST

START_TEST(too_many) {
    static uint32_t first[5002];
    MgLaunchOrder order;
    ck_assert(!mg_order_launches(NULL, first, 5000, &order));
    ck_assert(mg_order_launches(NULL, first, 4096, &order));
    ck_assert_uint_eq(order.first[4096], 0);
    mg_order_free(&order);
}
END_TEST

MG_TEST_MAIN("order", drawn, too_many)
