// Forms: families of kernels that follow from a plan, a few numbers and choices.
//
// A form finds out whether a unit is of its kind, chooses a plan by rules, says it as a nest, and
// reads it off a nest that the user gave. That nest has to be the one that the plan has: so no line
// of it is ignored, and no line contradicts another.
#ifndef MG_PASSES_SCHEDULE_FORM_H
#define MG_PASSES_SCHEDULE_FORM_H

#include "passes/nest/nest.h"
#include "passes/schedule/schedule.h"

typedef struct MgForm {
    MgNestForm nests;
    uint32_t level;   // the lowest one, of -O, at which it is chosen
    const char *what; // in messages: "a window"
    void *(*find)(MgSched *s,
                  const MgUnit *unit); // what is known of the unit; NULL: not its kind
    bool (*choose)(void *);            // its plan; false: another form is better
    // The plan that a nest says. False: it is not possible, which has been told.
    bool (*read)(void *, const MgNest *nest, const MgNestScope *scope);
    MgNest *(*nest)(void *, MgNestScope *scope);              // of the plan
    void (*make)(void *, const MgNest *nest, MgKBlock *plan); // the kernel of the plan
} MgForm;
extern const MgForm mg_form_contraction, mg_form_gpu_contraction, mg_form_window, mg_form_channels,
    mg_form_columns, mg_form_scan, mg_form_scatter;

// Both are schedules: false without a trace if the unit, or its nest, is not of the form.
bool mg_form_schedule(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan);
bool mg_form_schedule_given(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan);

// Tells why a nest is wrong, at a line; NULL: at its heading. Gives false.
bool mg_form_refuse(MgSched *s, const MgNest *nest, const MgLine *line, const char *format, ...);
// Do lanes fit: are they as many as a vector has at most, or a power of two below?
bool mg_form_check_lanes(MgSched *s, const MgNest *nest, MgNestFound lanes, uint32_t most);
// Are the points of the piece worth sharing?
bool mg_form_shares(MgSched *s, const MgPiece *piece);
// Do cores share a nest's loop over the first equation's free indices but those of a set of bits?
// Where there are none, and so no line that could say it, its points decide.
bool mg_form_is_shared(MgSched *s, const MgNest *nest, const MgNestScope *scope, uint64_t without);

// Positions of an index; -1: open.
int64_t mg_form_extent(MgSched *s, const MgIndex *index);
// The loop of a GPU's items, so many in a group, each of which takes a position of the indices of
// n axes: the root if there are none. axes: of the scope; the first becomes the index that joins
// them.
MgLine *mg_form_add_items(MgSched *s, MgNest *nest, MgNestScope *scope, uint32_t *axes, uint32_t n,
                          int64_t items);

// The symbols of a kernel's loops: symbol k stands for index k of its first equation; those behind
// them are the form's own, up to the last, which is the number of a block.
enum { MG_FORM_SYMS = 64 };
typedef struct MgLoops {
    MgIx with[MG_FORM_SYMS], low[MG_FORM_SYMS], high[MG_FORM_SYMS];
    const MgKx *loop[MG_FORM_SYMS];
} MgLoops;
void mg_loops_begin(MgLoops *l, MgKb *kb, const MgPiece *piece);
MgPoint mg_loops_point(const MgLoops *l, MgKb *kb, MgKBlock *block, int vector, uint32_t lanes,
                       const MgKx *mask);
// One loop, shared by workers or the first one's, over n indices of the piece that have several
// positions, or over its free ones but those of a set of bits, and over so many blocks, whose
// number changes fastest and goes to *number.
MgKBlock *mg_loops_flat(MgLoops *l, MgKb *kb, MgKBlock *block, const uint32_t *which, uint32_t n,
                        MgIx blocks, bool shared, const MgKx **number);
MgKBlock *mg_loops_open(MgLoops *l, MgKb *kb, const MgPiece *piece, uint64_t without, MgIx blocks,
                        bool shared, const MgKx **number);

// given.c: the nest that the user gave for all of a unit, if it has the marks of the form. NULL:
// there is none, or (*failed) its text is wrong, which has been told.
const MgNest *mg_nest_given_form(MgSched *s, const MgUnit *unit, MgNestForm form,
                                 MgNestScope *scope, bool *failed);

#endif
