// Forms: families of kernels. A kernel of a form follows from a plan, which is a few numbers and
// choices.
//
// A form finds out whether a unit is of its kind, chooses a plan by rules, writes it as a nest, and
// reads it from a nest that the user gave. The given nest must equal the nest of the plan that was
// read from it. So no line of it is ignored, and no line contradicts another.
#ifndef MG_PASSES_SCHEDULE_FORM_H
#define MG_PASSES_SCHEDULE_FORM_H

#include "passes/nest/nest.h"
#include "passes/schedule/schedule.h"

// A nest that the user gave for a form.
typedef struct MgGivenNest {
    MgSched *s;
    const MgNest *nest;
    const MgNestScope *scope;
} MgGivenNest;
static inline const char *mg_given_name(const MgGivenNest *given, uint32_t index) {
    return given->scope->indices.at[index].name;
}

// A form is of units or of groups (group/group.h), whose kernels have been begun. What `find`, or
// `find_in`, returns is passed to the other functions as void *. That of a unit begins with the
// MgKb of the kernel.
struct MgGroup;
typedef struct MgForm {
    MgNestForm nests;
    bool gpu;           // of groups: for GPUs; otherwise for workers
    uint32_t level;     // of units: the lowest -O level at which it is chosen
    const char *what;   // in messages: "a window"
    const char *kernel; // the kernel's kind; NULL: the form's own functions begin it
    // What is known of the unit or group; NULL: it is not of this kind.
    void *(*find)(MgSched *s, const MgUnit *unit);
    void *(*find_in)(struct MgGroup *gr);
    // Makes the plan; false: another form is better. NULL: its room chooses it.
    bool (*choose)(void *);
    // Reads the plan from a nest; false after a diagnostic. NULL: the plan has no numbers.
    bool (*read)(void *, const MgGivenNest *given);
    void (*nest)(void *, MgNest *nest, MgNestScope *scope); // writes the plan as lines
    void (*make)(void *);                                   // makes the body of the plan's kernel
} MgForm;
extern const MgForm mg_form_contraction, mg_form_gpu_contraction, mg_form_window, mg_form_channels,
    mg_form_columns, mg_form_scan, mg_form_scatter, mg_form_attention, mg_form_winograd,
    mg_form_winograd_taps, mg_form_gpu_attention, mg_form_owned;

// Where a nest belongs: to a unit, or to one of its pieces, with so many shared indices.
typedef struct MgFormPlace {
    const MgUnit *unit;
    uint32_t depth, piece;
} MgFormPlace;
// The nest of a plan; and the plan of a nest: false, after a diagnostic, if there is none, or if
// its nest is another.
const MgNest *mg_form_nest(const MgForm *form, void *found, MgSched *s, MgFormPlace at);
bool mg_form_read(const MgForm *form, void *found, MgFormPlace at, const MgGivenNest *given);
// The nest that the user gave for the unit, whose plan has been read. NULL: there is none, or it is
// wrong, which has been reported (*failed).
const MgNest *mg_form_given(const MgForm *form, void *found, MgSched *s, const MgUnit *unit,
                            bool *failed);

// Both are schedules. They return false, without side effects, if the unit or its nest is not of
// the form.
bool mg_form_schedule(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan);
bool mg_form_schedule_given(const MgForm *form, MgSched *s, const MgUnit *unit, MgKBlock *plan);

// Reports why a nest is wrong, at a line (NULL: at its heading). Returns false.
bool mg_form_refuse(const MgGivenNest *given, const MgLine *line, const char *format, ...);
// The index that walks n indices of the scope as one. what: the form, in messages.
bool mg_form_read_joined(const MgGivenNest *given, const uint32_t *indices, uint32_t n,
                         const char *what, uint32_t *index);
// Reads the number of lanes: `most`, or a power of two below it.
bool mg_form_read_lanes(const MgGivenNest *given, MgNestFound found, uint32_t most,
                        uint32_t *lanes);
// The only piece of the unit's first op, if all of its indices begin at 0 and no range follows
// another index; otherwise NULL.
const MgPiece *mg_form_box(MgSched *s, const MgUnit *unit);
// Is the piece a sum, a mean or an extreme of floats, which lanes may add in another order?
bool mg_form_folds(const MgSched *s, const MgPiece *piece);
// Does the piece have enough points to share them among workers?
bool mg_form_shares(MgSched *s, const MgPiece *piece);
// Do cores share a nest's loop over the first equation's free indices, except those in the set
// `without`? If there are no such indices, and so no line that could say it, the number of points
// decides.
bool mg_form_is_shared(const MgGivenNest *given, uint64_t without);

// The number of positions of an index; -1 if it is open.
int64_t mg_form_extent(MgSched *s, const MgIndex *index);
// Adds the loop over a GPU's items; a group has `items` of them. Each takes a position of the
// indices of n axes. Returns the root if there are no axes. `axes` are numbers of the scope; the
// first becomes the index that joins them.
MgLine *mg_form_add_items(MgSched *s, MgNest *nest, MgNestScope *scope, uint32_t *axes, uint32_t n,
                          int64_t items);

// The symbols of a kernel's loops. Symbol k stands for index k of the first equation. The symbols
// after these belong to the form; the last one is the number of a block.
enum { MG_FORM_SYMS = 64 };
typedef struct MgLoops {
    MgIx with[MG_FORM_SYMS], low[MG_FORM_SYMS], high[MG_FORM_SYMS];
    const MgKx *loop[MG_FORM_SYMS];
} MgLoops;
void mg_loops_begin(MgLoops *l, MgKb *kb, const MgPiece *piece);
MgPoint mg_loops_point(const MgLoops *l, MgKb *kb, MgKBlock *block, int vector, uint32_t lanes,
                       const MgKx *mask);
// An index as a digit of a number.
MgKDigit mg_loops_digit(const MgLoops *l, MgKb *kb, uint32_t index);
// Open one loop, which workers share or the first worker runs. mg_loops_flat walks n indices of the
// piece that have several positions; mg_loops_open walks its free indices except those in
// `without`. The loop also walks `blocks` blocks, whose number changes fastest and goes to *number.
MgKBlock *mg_loops_flat(MgLoops *l, MgKb *kb, MgKBlock *block, const uint32_t *which, uint32_t n,
                        MgIx blocks, bool shared, const MgKx **number);
MgKBlock *mg_loops_open(MgLoops *l, MgKb *kb, const MgPiece *piece, uint64_t without, MgIx blocks,
                        bool shared, const MgKx **number);

// given.c: the text that the user gave for a piece of the unit, or NULL. It now has its unit.
const MgNestText *mg_nest_take(MgSched *s, const MgUnit *unit, uint32_t piece);
// The nest that the user gave for the whole unit, if it has the marks of the form. NULL:
// there is none, or its text is wrong, which has been reported (*failed).
const MgNest *mg_nest_given_form(MgSched *s, const MgUnit *unit, MgNestForm form,
                                 MgNestScope *scope, bool *failed);

#endif
