// --profile=REPORT.html: one self-contained page about what a run took and why: kernels under their
// roofs, the timeline, the memory plan, the graph before and after the passes.
//
// The page is text in tools/report/ (embedded by the build) around one block of JSON, which its
// script draws. The JSON holds no `<`, so nothing that a user named can end the block; the script
// sets names as text, never as markup.
#ifndef MG_TOOLS_REPORT_H
#define MG_TOOLS_REPORT_H

#include "tools/options.h"
#include "tools/profile.h"

// Writes the page after the runs. False with a diagnostic.
bool mgc_report_write(MgSession *session, const char *path, const MgcOptions *options,
                      MgInstance *instance, const MgcRuns *runs, const MgcProfile *profile);

// tools/report_graph.c: appends a JSON object with the ops in order, each with its equation, type,
// source place, operands and depth of nesting.
void mgc_report_graph(MgGraph *g, MgText *out);

extern const char mgc_report_html[], mgc_report_css[], mgc_report_js[]; // embedded

#endif
