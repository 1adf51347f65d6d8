// What the two files that read kernels share: statements and expressions.
#ifndef MG_IR_KERNEL_READ_H
#define MG_IR_KERNEL_READ_H

#include "ir/kernel_impl.h"
#include "ir/kernel_lex.h"

enum {
    MG_K_BLOCKS = 200,   // nesting of blocks
    MG_K_HIGHEST = 1000, // height of expressions, through shared ones
    MG_K_DEEPEST = 1100, // nesting of brackets: enough for any expression of that height
    MG_K_WIDEST = 64     // lanes
};

typedef struct MgKReader {
    MgKLexer in;
    MgKernel *k;
    MgMap bufs, vars;      // name -> number
    MgMap shared;          // of the current statement: number -> shared expression
    MgMap heights;         // number -> height of that expression
    uint32_t deep, blocks; // nesting of brackets and blocks
    uint32_t height;       // the height of the latest expression
} MgKReader;

// Reads a name that a kernel defines; reports anything else as `what`.
MgSym mg_kr_name(MgKReader *r, const char *what);
// Reads the name of a buffer.
MgKBufId mg_kr_buffer(MgKReader *r);
MgDType mg_kr_dtype(MgKReader *r);
MgAtom mg_kr_atom(MgKReader *r);
// The number in `<16>` directly after the last token; 1 if there is none.
uint32_t mg_kr_lanes(MgKReader *r);
// Reads an expression; an operand is one without an infix sign of its own. The result is never
// NULL.
const MgKx *mg_kr_expr(MgKReader *r);
const MgKx *mg_kr_operand(MgKReader *r);
// Reads `[index]` after the name of a buffer.
const MgKx *mg_kr_index(MgKReader *r);
// Reads the lanes of an access to buf at index, which follow it.
uint32_t mg_kr_access(MgKReader *r, MgKBufId buf, const MgKx *index);

#endif
