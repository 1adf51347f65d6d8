// Is a plan faster as one kernel with barriers between its groups than as separate launches? A
// barrier is shorter than a launch, but nothing hides it, and the code of one kernel for a whole
// graph doesn't fit into a cache. The work, which is the same in both forms, decides which of these
// matters.
#include "passes/schedule/plan/launch_cost.h"
#include "passes/schedule/plan/persistent.h"
#include "support/text.h"

// The least share to be saved: the error of the model.
#define LEAST_SAVED 0.2

bool mg_persistent_pays(MgSched *s) {
    const MgTargetInfo *target = &s->options->target;
    MgLaunches l = s->launch.separate;
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
