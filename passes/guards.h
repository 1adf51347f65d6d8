// --explain=guards: what a program checks while it runs and why, and what it need not check, one
// per line with the source's line:
//
//   proved  net.mg:4:5   x[i + 1] is inside at all sizes
//   kept    net.mg:6:5   each element: t[ids[i]] traps outside: its subscript 1 is data
#ifndef MG_PASSES_GUARDS_H
#define MG_PASSES_GUARDS_H

#include "ir/program.h"

// Reports a graph as the front end made it: reads that it proved to be inside.
void mg_guards_proved(MgGraph *g, MgText *out);
// Reports a read of the piece that a pass proved to be inside, or outside.
void mg_guards_read(MgGraph *g, const MgOp *op, const MgPiece *piece, const MgSx *read,
                    MgProof inside, MgText *out);
// Reports a graph after the passes: requirements, and reads and writes that are checked.
void mg_guards_kept(MgGraph *g, MgText *out);
// Reports a program: what its kernels require of memory.
void mg_guards_memory(MgProgram *p, MgText *out);

#endif
