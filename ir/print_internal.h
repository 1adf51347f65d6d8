// What the files that print graph IR share.
#ifndef MG_IR_PRINT_INTERNAL_H
#define MG_IR_PRINT_INTERNAL_H

#include "ir/graph.h"

typedef struct MgPrinter {
    MgGraph *g;
    const MgPrintOptions *options;
    MgText *out;
    uint32_t indent;
    const MgPiece *piece; // the piece whose indices expressions use
    const MgOp *op;       // the op whose operands expressions read
    // While a loop's condition is printed as one expression: its region, and the region of the
    // body, whose carried names it uses. Otherwise they are equal.
    MgRegionId condition, body;
} MgPrinter;

// Prints an integer expression in a place where `/` rounds down (shapes, subscripts, ranges).
void mg_print_ix(const MgPrinter *p, MgIx x);
// Prints a type, such as f32[B, 10].
void mg_print_type(const MgPrinter *p, MgDType dtype, uint32_t rank, const MgIx *shape);
// Prints an expression of p's piece and op.
void mg_print_expression(const MgPrinter *p, const MgSx *x);
// Prints the equations of an op, one line for each piece.
void mg_print_equation(MgPrinter *p, MgOpId op);
// Prints a scalar literal of dtype that reads back exactly.
void mg_print_literal(MgText *out, MgDType dtype, MgBits bits);
void mg_print_value_name(const MgPrinter *p, MgValueId v);
void mg_print_string(MgText *out, const char *text);
// Prints a predicate x >= 0 in its most readable form: a == b, a >= b, p and q, p or q.
void mg_print_predicate(const MgPrinter *p, MgIx x);
// Prints the value that a loop's condition yields as one expression over the names that the loop's
// body carries.
void mg_print_condition(MgPrinter *p, MgRegionId condition, MgRegionId body);
void mg_print_line(MgPrinter *p); // starts a line

#endif
