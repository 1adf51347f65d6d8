// Shared by the two files that read kernels: statements and expressions.
#ifndef MG_IR_KERNEL_READ_H
#define MG_IR_KERNEL_READ_H

#include "ir/kernel_impl.h"
#include "ir/kernel_lex.h"

enum {
    MG_K_BLOCKS = 200,   // nesting of blocks
    MG_K_HIGHEST = 1000, // operands below operands, through shared expressions
    MG_K_DEEPEST = 1100, // nesting of brackets: enough for any expression that is no higher
    MG_K_WIDEST = 64     // lanes
};

typedef struct MgKReader {
    MgKLexer in;
    MgKernel *k;
    MgMap bufs, vars;      // by name: its number
    MgMap shared;          // of the statement that is read, by number: the expression
    MgMap heights;         // by the same number
    uint32_t deep, blocks; // nesting of brackets and blocks
    uint32_t height;       // of the expression that was read last
} MgKReader;

// Goes over a name that a kernel gives; refuses anything else as `what`.
MgSym mg_kr_name(MgKReader *r, const char *what);
// The buffer that is named next.
MgKBufId mg_kr_buffer(MgKReader *r);
MgDType mg_kr_dtype(MgKReader *r);
// The number in `<16>` right behind what was read; 1 if there is none.
uint32_t mg_kr_lanes(MgKReader *r);
// An expression; an operand is one without an infix sign of its own. Neither is ever NULL.
const MgKx *mg_kr_expr(MgKReader *r);
const MgKx *mg_kr_operand(MgKReader *r);
// `[index]` behind the name of a buffer.
const MgKx *mg_kr_index(MgKReader *r);
// The lanes of an access to buf at index, with those that stand behind it.
uint32_t mg_kr_access(MgKReader *r, MgKBufId buf, const MgKx *index);

#endif
