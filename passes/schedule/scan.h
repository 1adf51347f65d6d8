// What the forms of scans share (scan.c, gpu_scan.c).
#ifndef MG_PASSES_SCHEDULE_SCAN_H
#define MG_PASSES_SCHEDULE_SCAN_H

#include "passes/schedule/schedule.h"

typedef struct MgScan {
    const MgPiece *piece;
    uint32_t axis;  // the free index that the range follows
    uint32_t bound; // the only bound index
    bool up;        // the high end follows (else the low end, walked downwards)
    bool exclusive; // where each step adds one element: the first result has none yet
} MgScan;

enum { MG_SCAN_SYMS = 64 };

// Where a scan is emitted: its kernel, and the values and ranges of the loop symbols.
typedef struct MgScanWalk {
    MgKb *kb;
    const MgScan *scan;
    MgOpId op;
    MgValueId result;
    MgKType type; // of the accumulator
    MgIx with[MG_SCAN_SYMS], low[MG_SCAN_SYMS], high[MG_SCAN_SYMS];
    const MgKx *loop[MG_SCAN_SYMS];
    int across;     // the index along the lanes, of scans side by side; -1: none
    const MgKx *on; // which of these there are; NULL: all
} MgScanWalk;

// May prefixes be combined with what lies between them, and does every step add one element? Sets
// whether the first result has none yet.
bool mg_scan_by_steps(MgScanWalk *w, MgScan *scan);
// Do results, and all that is read and moves with `index`, lie straight along it?
bool mg_scan_reads_straight(MgScanWalk *w, uint32_t index);
// The body, in the accumulator's type, and storing a result, where w->loop says.
const MgKx *mg_scan_element(MgScanWalk *w, MgKBlock *block);
void mg_scan_store(MgScanWalk *w, MgKBlock *block, const MgKx *x);
// gpu_scan.c: the whole kernel, false without a trace if rows are better off with an item each.
bool mg_gpu_scan(MgScanWalk *w, MgScan *scan);

#endif
