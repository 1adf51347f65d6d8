// What the forms of scans share (scan.c, scan_emit.c, gpu_scan.c).
#ifndef MG_PASSES_SCHEDULE_SCAN_H
#define MG_PASSES_SCHEDULE_SCAN_H

#include "passes/schedule/form.h"

// How a row is walked.
typedef enum MgScanWay {
    MG_SCAN_STEPS,   // an element after the other; `across`: of as many rows at once as lanes
    MG_SCAN_VECTORS, // lanes along the row
    MG_SCAN_GROUPS   // blocks of it by a GPU's groups
} MgScanWay;

// On a GPU, by groups: items of one, and neighbours of each.
enum { MG_SCAN_ITEMS = 256, MG_SCAN_EACH = 4, MG_SCAN_BLOCK = MG_SCAN_ITEMS * MG_SCAN_EACH };

typedef struct MgScan {
    MgSched *s;
    MgKb kb;
    const MgUnit *unit;
    const MgPiece *piece;
    uint32_t axis;  // the free index that the range follows
    uint32_t bound; // the only bound index
    bool up;        // the high end follows (else the low end, walked downwards)
    bool by_steps;  // prefixes may be combined with what lies between them; a step adds one element
    bool exclusive; // then: the first result has none yet
    MgLoops at;
    const MgKx *on; // which rows there are, of a vector of them; NULL: all
    // The plan.
    MgScanWay way;
    MgKType type;   // of the accumulator, its lanes as many as a vector has
    int across;     // the index along the lanes, of rows side by side; -1: none
    int64_t length; // of a part of the row; 0: it is whole
} MgScan;

// Positions of an index, -1: open.
int64_t mg_scan_extent(const MgScan *c, uint32_t index);
// Are there indices besides the axis that have several positions?
bool mg_scan_has_rows(const MgScan *c);
// The equation where c->at says.
MgPoint mg_scan_point(MgScan *c, MgKBlock *block, int vector, const MgKx *mask);
// What the step adds, in the accumulator's type; storing a result.
const MgKx *mg_scan_element(MgScan *c, MgPoint *p);
void mg_scan_store(MgScan *c, MgPoint *p, const MgKx *x);
// scan_emit.c: the kernel of a plan for workers.
void mg_scan_emit(MgScan *c);
// gpu_scan.c: can groups take rows? Are rows better off so than with an item each? The length of
// a part, 0: rows are not cut. The kernel of the plan.
bool mg_gpu_scan_fits(const MgScan *c);
bool mg_gpu_scan_pays(const MgScan *c, bool straight);
int64_t mg_gpu_scan_part(const MgScan *c);
void mg_gpu_scan_emit(MgScan *c);

#endif
