// What the forms of scans share (scan.c, scan_emit.c, scan_gpu.c).
#ifndef MG_PASSES_SCHEDULE_ORDERED_SCAN_H
#define MG_PASSES_SCHEDULE_ORDERED_SCAN_H

#include "passes/schedule/form.h"

// How a row is walked.
typedef enum MgScanWay {
    MG_SCAN_STEPS,   // one element after another; with `across`, for as many rows at once as a
                     // vector has lanes
    MG_SCAN_VECTORS, // lanes along the row
    MG_SCAN_GROUPS   // a GPU's groups take blocks of the row
} MgScanWay;

// Scans by groups on a GPU: the items of a group, and the neighbouring elements that an item may
// have.
enum { MG_SCAN_ITEMS = 256, MG_SCAN_LEAST_EACH = 4, MG_SCAN_MOST_EACH = 16 };

typedef struct MgScan {
    MgKb kb;
    MgSched *s;
    const MgUnit *unit;
    const MgPiece *piece;
    uint32_t axis;  // the free index that the range follows
    uint32_t bound; // the only bound index
    bool up;        // the high end of the range follows (otherwise the low end, and the row is
                    // walked downwards)
    bool by_steps;  // prefixes may be combined with partial sums; a step adds one element
    bool exclusive; // in that case: the first result has no element yet
    MgLoops at;
    const MgKx *on; // which rows of a vector of rows exist; NULL: all
    // The plan.
    MgScanWay way;
    MgKType type;   // of the accumulator, with the lanes of a vector
    int across;     // the index along the lanes, if rows are walked side by side; -1: none
    int64_t length; // the length of a part of the row; 0: the row is whole
    int64_t each;   // on a GPU, the elements of an item
    bool dealt;     // groups take parts in their order, and look back at earlier ones
} MgScan;

// The number of positions of an index; -1 if it is open.
int64_t mg_scan_extent(const MgScan *c, uint32_t index);
// Are there indices with several positions, besides the axis?
bool mg_scan_has_rows(const MgScan *c);
// The equation's point at c->at.
MgPoint mg_scan_point(MgScan *c, MgKBlock *block, int vector, const MgKx *mask);
// The element that a step adds, in the accumulator's type; and the store of a result.
const MgKx *mg_scan_element(MgScan *c, MgPoint *p);
void mg_scan_store(MgScan *c, MgPoint *p, const MgKx *x);
// scan_emit.c: emits the kernel of a plan for workers.
void mg_scan_emit(MgScan *c);
static inline int64_t mg_scan_block(const MgScan *c) {
    return MG_SCAN_ITEMS * c->each;
}
// scan_gpu.c: can groups take rows, with blocks of `each`, and look back; are they faster than one
// item per row; the plan's numbers; and its kernel.
bool mg_gpu_scan_fits(const MgScan *c);
bool mg_gpu_scan_looks_back(const MgScan *c, int64_t parts);
bool mg_gpu_scan_pays(const MgScan *c, bool straight);
void mg_gpu_scan_choose(MgScan *c);
void mg_gpu_scan_emit(MgScan *c);

#endif
