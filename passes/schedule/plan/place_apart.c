// Placement for launches that may run side by side. A launch waits for those before it that use the
// bytes it writes, even for a value of which it knows nothing. So bytes rest for some steps before
// they are used again, as far as the peak allows.
#include "passes/schedule/plan/place.h"

#include <string.h>

enum {
    REST = 32, // steps; launches that are farther apart seldom run side by side
    LEFT = 32, // so small a part of the peak is left to the search at first, then one four times
               // as large
};

// All blocks live one step longer, then another one, each until a step would have more than `most`
// bytes by that.
static void lengthen(MgBlockLife *lives, uint32_t n, int64_t most, MgArena *scratch) {
    uint32_t steps;
    int64_t *alive = mg_place_alive(lives, n, &steps, scratch);
    bool *ends = MG_NEW_N(scratch, bool, n);
    for (uint32_t rest = 0; rest < REST; rest++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t next = lives[i].last + 1;
            ends[i] = ends[i] || next >= steps || alive[next] + lives[i].bytes > most;
            if (ends[i])
                continue;
            alive[next] += lives[i].bytes;
            lives[i].last = next;
        }
}

int64_t mg_place_apart(MgBlockLife *lives, uint32_t n, MgArena *scratch) {
    int64_t peak = mg_place_blocks(lives, n, scratch);
    MgBlockLife *longer = MG_NEW_N(scratch, MgBlockLife, n);
    for (int64_t part = LEFT; part > 1; part /= 4) {
        memcpy(longer, lives, n * sizeof *longer);
        lengthen(longer, n, peak - peak / part, scratch);
        int64_t found = mg_place_blocks(longer, n, scratch);
        if (found > peak)
            continue;
        for (uint32_t i = 0; i < n; i++)
            lives[i].offset = longer[i].offset;
        return found;
    }
    return peak;
}
