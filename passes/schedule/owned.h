// Row ownership on a GPU: a graph in which row i of every value needs only row i of others (linear
// layers, elementwise and row ops in a chain) as one kernel. A group keeps a block of rows in local
// memory and walks all the layers for it; no group waits for another, and a pass may follow another
// without leaving the kernel.
//
// owned.c says whether a graph is one, cuts it into stages and places their values; owned_cost.c
// chooses the rows and items of a group; owned_emit.c writes the kernel.
#ifndef MG_PASSES_SCHEDULE_OWNED_H
#define MG_PASSES_SCHEDULE_OWNED_H

#include "passes/schedule/schedule.h"

// A matrix product of a row with weights that are packed beforehand: [k / 4][j][k mod 4], with
// zeros up to whole steps of four k; so are the rows that it reads.
typedef struct MgOwnedProduct {
    MgValueId x, w; // x[i, k] * w[j, k], or w[k, j] if `across`
    bool across;
    int64_t k, j;   // extents
    int64_t packed; // where in the packed weights, in elements
} MgOwnedProduct;

// Equations that one item computes at one point of their common box, the first of which may reduce.
typedef struct MgOwnedStage {
    const MgOpId *ops; // among the unit's
    uint32_t n_ops;
    bool reduces, product;
    MgOwnedProduct p;
    int64_t points; // of a row
} MgOwnedStage;

typedef struct MgOwnedPlace { // of a value's rows in local memory
    bool placed, padded;      // padded: a product reads the row's last vector, zeros behind its end
    uint32_t first, last;     // stages
    int64_t width, offset;    // elements of a row; of the first row of the block, times rows
} MgOwnedPlace;

typedef struct MgOwned {
    MgSched *s;
    MgKb kb;
    MgUnit unit;
    int64_t rows;          // of the graph
    uint32_t block, items; // rows and items of a group
    MG_VEC(MgOwnedStage) stages;
    MgOwnedPlace *places; // by value id
    uint32_t *made;       // by value id: the stage that makes it, plus 1; 0: it is an input
    bool *by_row;         // by value id: row i of its readers reads only its row i
    int64_t row_elements; // of local memory for one row of the block
    int64_t packed;       // elements of all packed weights
    MgStorageId packed_storage;
    bool loops;        // passes can follow one another: what is fed back is owned
    MgIxSym passes;    // the dimension that says how many
    int64_t *fed_from; // by input: number of the output that it becomes, -1
    double pass_us;    // by the model of owned_cost.c
} MgOwned;

// NULL if the graph is none, or does not fit the target.
MgOwned *mg_owned_find(MgSched *s);
// Sets block and items; false if no choice fits into local memory.
bool mg_owned_choose(MgOwned *o);
// Is it faster than separate launches, by the models? Says why in the program's launch_why.
bool mg_owned_pays(MgOwned *o);
void mg_owned_emit(MgOwned *o, MgKBlock *plan);
int64_t mg_owned_const(const MgOwned *o, MgIx x); // of an expression known to be constant
int64_t mg_owned_steps(const MgOwnedProduct *p);  // of four k, the last perhaps of fewer
// Items that share a product's columns; how many items share one column's sum.
uint32_t mg_owned_columns(const MgOwned *o, int64_t j);
uint32_t mg_owned_splits(const MgOwned *o, const MgOwnedProduct *p);
int64_t mg_owned_partials(const MgOwned *o); // elements of local memory for partial results

#endif
