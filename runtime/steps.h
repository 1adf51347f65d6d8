// Op by op: the modes that run every op of a graph alone.
//
// Each op of the body, as the source has it, becomes a graph of its own (mg_graph_one_op). The public
// API compiles it, binds its inputs, runs it and waits for it, like any other model, so these modes
// work on every target and know none. The host keeps what passes from one op to the next. Mode
// `cached` keeps compiled code, and equal ops share it; mode `immediate` keeps none, in memory or on
// disk.
#ifndef MG_RUNTIME_STEPS_H
#define MG_RUNTIME_STEPS_H

#include "runtime/instance.h"

bool mg_mode_by_op(MgMode mode);
// One run, of a bound instance. Leaves its results where a compiled run would have left them.
MgStatus mg_instance_steps(MgInstance *instance);
void mg_steps_free(MgSteps *steps); // NULL is allowed

#endif
