// Row ownership on a GPU: a whole graph as one kernel. In such a graph, row i of every value needs
// only row i of others (a chain of linear layers, elementwise and row ops). A group keeps a block
// of rows in local memory and runs all layers for it. No group waits for another, and a pass may
// follow another without leaving the kernel.
//
// owned.c recognises such a graph, cuts it into stages and places their values. owned_cost.c
// chooses the rows and items of a group. owned_nest.c writes both as a nest, and reads them from
// one. owned_emit.c writes the kernel.
#ifndef MG_PASSES_SCHEDULE_PLAN_OWNED_H
#define MG_PASSES_SCHEDULE_PLAN_OWNED_H

#include "passes/schedule/form.h"

// A matrix product of a row with weights that were packed before: [k / 4][j][k mod 4], padded with
// zeros to whole steps of four k. The rows that it reads are padded in the same way.
typedef struct MgOwnedProduct {
    MgValueId x, w; // x[i, k] * w[j, k], or w[k, j] if `across`
    bool across;
    int64_t k, j;   // extents
    int64_t packed; // where it begins in the packed weights, in elements
} MgOwnedProduct;

// Equations that one item computes at one point of their common box. The first of them may reduce.
typedef struct MgOwnedStage {
    const MgOpId *ops; // some of the unit's ops
    uint32_t n_ops;
    bool reduces, product;
    MgOwnedProduct p;
    int64_t points; // the points of a row
} MgOwnedStage;

typedef struct MgOwnedPlace { // the place of a value's rows in local memory
    bool placed, padded;      // padded: a product reads the row's last vector, with zeros after its
                              // end
    uint32_t first, last;     // the stages in which it is alive
    int64_t width, offset;    // the elements of a row; the offset of the block's first row, times
                              // rows
} MgOwnedPlace;

typedef struct MgOwned {
    MgSched *s; // of the flat graph: each of its equations is an op of the body
    MgKb kb;
    MgUnit unit;
    int64_t rows;          // the rows of the graph
    uint32_t block, items; // the rows and items of a group
    MG_VEC(MgOwnedStage) stages;
    const MgNest *nest;
    MgOwnedPlace *places; // by value id
    uint32_t *made;       // by value id: the stage that makes it, plus 1; 0: it is an input
    bool *by_row;         // by value id: row i of its readers reads only its row i
    int64_t row_elements; // elements of local memory for one row of the block
    int64_t packed;       // elements of all packed weights
    MgStorageId packed_storage;
    bool loops;        // passes can follow one another, since all values that are fed back are
                       // owned
    MgIxSym passes;    // the dimension that gives the number of passes
    int64_t *fed_from; // by input: see mg_fed_from
    double pass_us;    // the time of a pass by the model of owned_cost.c
} MgOwned;

// By input: the number of the output that becomes this input in the next pass, or -1. Each output
// becomes the first unused input of its type and shape.
int64_t *mg_fed_from(const MgGraph *g, MgArena *arena);
// NULL if the graph is not of this kind, or does not fit the target.
MgOwned *mg_owned_find(const MgSched *whole);
// Sets block and items. False if no choice fits into local memory.
bool mg_owned_choose(MgOwned *o);
// Why a group can't have this block and these items; NULL: it can.
const char *mg_owned_misfit(const MgOwned *o);
// Is it faster than separate launches, by the models? Adds the reason to the program's launch_why.
bool mg_owned_pays(MgOwned *o);
void mg_owned_emit(MgOwned *o, MgKBlock *plan);
// Does the stage reduce each row to one number, whose sum items then share?
bool mg_owned_shares_rows(const MgOwned *o, const MgOwnedStage *stage);
int64_t mg_owned_const(const MgOwned *o, MgIx x); // of an expression that is known to be constant
int64_t mg_owned_steps(const MgOwnedProduct *p);  // steps of four k; the last may be shorter
// The items that share a product's columns; the number of items that share one column's sum.
uint32_t mg_owned_columns(const MgOwned *o, int64_t j);
uint32_t mg_owned_splits(const MgOwned *o, const MgOwnedProduct *p);
int64_t mg_owned_partials(const MgOwned *o); // elements of local memory for partial results

#endif
