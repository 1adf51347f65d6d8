// Is a plan faster as one kernel whose groups meet than as separate launches? A barrier is shorter
// than a launch, but hides nowhere, and the code of one kernel for a whole graph comes through no
// cache. What neither form changes, the work, decides which of them matters.
#include "passes/schedule/launch_cost.h"
#include "passes/schedule/persistent.h"
#include "support/text.h"

// The share that is to be saved at least: what the model is wrong by.
#define LEAST_SAVED 0.2

bool mg_persistent_pays(MgSched *s) {
    const MgTargetInfo *target = &s->options->target;
    MgLaunches l = s->launches;
    double joined = l.work_us * target->machine.joined_slower + l.n * target->barrier_ns * 1e-3;
    const char *misfit = mg_launches_misfit(s);
    bool pays = s->options->repeats && !misfit && joined < (1 - LEAST_SAVED) * l.us;
    bool asked = s->options->launch == MG_LAUNCH_PERSISTENT;
    mg_say_launch(s, "one kernel with barriers, about %s a pass: %s",
                  mg_time_text(s->arena, joined),
                  asked                  ? "asked for"
                  : pays                 ? "chosen"
                  : !s->options->repeats ? "not taken: it is for many passes (--mode=loop)"
                  : misfit               ? misfit
                                         : "not taken: too little is saved");
    return pays;
}
