// --explain=guards: what a program checks while it runs and why, and what it need not check, with
// the line of the source. One line each:
//
//   proved  net.mg:4:5   x[i + 1] is inside at all sizes
//   kept    net.mg:6:5   each element: t[ids[i]] traps outside: its subscript 1 is data
#ifndef MG_PASSES_GUARDS_H
#define MG_PASSES_GUARDS_H

#include "ir/program.h"

// Of a graph as the front end made it: reads that it proved to be inside.
void mg_guards_proved(MgGraph *g, MgText *out);
// A read of the piece whose `else` or check turned out to be needless, or to be all there is.
void mg_guards_read(MgGraph *g, const MgOp *op, const MgPiece *piece, const MgSx *read,
                    MgProof inside, MgText *out);
// Of a graph after the passes: requirements, and reads and writes that are tested.
void mg_guards_kept(MgGraph *g, MgText *out);
// Of a program: what its kernels ask of memory.
void mg_guards_memory(MgProgram *p, MgText *out);

#endif
