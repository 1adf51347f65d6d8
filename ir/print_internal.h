// Printing of graph IR: what the files that print share.
#ifndef MG_IR_PRINT_INTERNAL_H
#define MG_IR_PRINT_INTERNAL_H

#include "ir/graph.h"

typedef struct MgPrinter {
    MgGraph *g;
    const MgPrintOptions *options;
    MgText *out;
    uint32_t indent;
    const MgPiece *piece; // whose indices an expression names
    const MgOp *op;       // whose operands it reads
    // While a loop's condition is printed as one expression: its region, and that of the body,
    // whose carried names it uses. Equal otherwise.
    MgRegionId condition, body;
} MgPrinter;

// An integer expression where `/` floors (shapes, subscripts, ranges).
void mg_print_ix(const MgPrinter *p, MgIx x);
// f32[B, 10].
void mg_print_type(const MgPrinter *p, MgDType dtype, uint32_t rank, const MgIx *shape);
// An expression of the piece and op that p has.
void mg_print_expression(const MgPrinter *p, const MgSx *x);
// The equations of an op, one line a piece.
void mg_print_equation(MgPrinter *p, MgOpId op);
// A scalar literal of dtype that reads back exactly.
void mg_print_literal(MgText *out, MgDType dtype, MgBits bits);
void mg_print_value_name(const MgPrinter *p, MgValueId v);
void mg_print_string(MgText *out, const char *text);
// A predicate x >= 0 in its most readable form: a == b, a >= b, p and q, p or q.
void mg_print_predicate(const MgPrinter *p, MgIx x);
// The value that a loop's condition yields, as one expression over the names carried by its body.
void mg_print_condition(MgPrinter *p, MgRegionId condition, MgRegionId body);
void mg_print_line(MgPrinter *p); // starts a line

#endif
