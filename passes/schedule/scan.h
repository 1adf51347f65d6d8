// What the forms of scans share (scan.c, gpu_scan.c).
#ifndef MG_PASSES_SCHEDULE_SCAN_H
#define MG_PASSES_SCHEDULE_SCAN_H

#include "passes/schedule/schedule.h"

typedef struct Scan {
    const MgPiece *piece;
    uint32_t axis;  // the free index that the range follows
    uint32_t bound; // the only bound index
    bool up;        // the high end follows (else the low end, walked downwards)
    bool exclusive; // where each step adds one element: the first result has none yet
} Scan;

enum { N_SYMS = 64 };

// Where a scan is emitted: its kernel, and the values and ranges of the loop symbols.
typedef struct Walk {
    MgKb *kb;
    const Scan *scan;
    MgOpId op;
    MgValueId result;
    MgKType type; // of the accumulator
    MgIx with[N_SYMS], low[N_SYMS], high[N_SYMS];
    const MgKx *loop[N_SYMS];
    int across;     // the index along the lanes, of scans side by side; -1: none
    const MgKx *on; // which of these there are; NULL: all
} Walk;

// May prefixes be combined with what lies between them, and does every step add one element? Sets
// whether the first result has none yet.
bool mg_scan_by_steps(Walk *w, Scan *scan);
// Do results, and all that is read and moves with `index`, lie straight along it?
bool mg_scan_reads_straight(Walk *w, uint32_t index);
// The body, in the accumulator's type, and storing a result, where w->loop says.
const MgKx *mg_scan_element(Walk *w, MgKBlock *block);
void mg_scan_store(Walk *w, MgKBlock *block, const MgKx *x);
// gpu_scan.c: the whole kernel, false without a trace if rows are better off with an item each.
bool mg_gpu_scan(Walk *w, Scan *scan);

#endif
