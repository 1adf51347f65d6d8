#include "passes/schedule/schedule.h"
bool mg_schedule_contraction(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    (void)s;
    (void)unit;
    (void)plan;
    return false;
}
