// Plots as SVG: a grid of panels, each with two axes, series of points with their spread, and
// marks.
//
// A plot is one self-contained text that any browser or converter can read. It has no script, no
// style sheet and no font. Every point shows its numbers as a tooltip.
#ifndef MG_TOOLS_PLOT_H
#define MG_TOOLS_PLOT_H

#include "support/diag.h"
#include "support/text.h"

typedef enum MgcUnit { // how the numbers of an axis are written
    MGC_UNIT_NUMBER,
    MGC_UNIT_SECONDS, // 2 µs
    MGC_UNIT_ACCESS,  // seconds of one access to memory, which takes nanoseconds: 4 ns
    MGC_UNIT_BYTES,   // 32 KiB
    MGC_UNIT_RATE,    // bytes per second: 12 GB/s
    MGC_UNIT_FLOPS    // 65 TFLOP/s
} MgcUnit;

typedef struct MgcAxis {
    const char *title; // includes the unit if the numbers have none
    MgcUnit unit;
    bool log;         // all values must be positive
    double low, high; // both 0: taken from the data
} MgcAxis;

typedef struct MgcSeries {
    const char *name; // series of the same name share an entry of the legend, in all panels
    uint32_t style;   // colour and marker, equal for equal names; if panels use one style for
                      // different names, each panel has its own legend
    bool dashed;
    uint32_t n;
    const double *x, *y;
    const double *low, *high; // of the spread at each point; NULL: none
} MgcSeries;

typedef struct MgcMark { // a vertical line with a word, such as the size of a cache
    double x;
    const char *text;
} MgcMark;

typedef struct MgcPanel {
    const char *title;
    MgcAxis x, y;
    const MgcSeries *series;
    uint32_t n_series;
    const MgcMark *marks;
    uint32_t n_marks;
} MgcPanel;

typedef struct MgcPlot {
    const char *title, *subtitle; // subtitle: what was measured, on what; lines by \n
    const MgcPanel *panels;
    uint32_t n_panels, columns;
} MgcPlot;

void mgc_plot_svg(const MgcPlot *plot, MgText *out);
// A value in a unit that keeps it short: "2.5 µs", "32 KiB", "1.2 GB/s". digits is the number of
// significant digits.
const char *mgc_quantity(MgArena *arena, MgcUnit unit, double value, int digits);
// Checks, before anything is measured, that a plot can be written to `path`. Returns 0 (also if
// path is NULL: no plot), or the exit status after a message.
int mgc_plot_check(MgSession *session, const char *path);
// Writes the plot as a file. False with a diagnostic.
bool mgc_plot_write(MgSession *session, const char *path, const MgcPlot *plot);

#endif
