// The modes that run every op of a graph alone.
//
// Each op of the body, as it is in the source, becomes a graph of its own (mg_graph_one_op). The
// public API compiles it, binds its inputs, runs it and waits for it, like any other model. So
// these modes work on every target, and no target knows about them. The host keeps the values
// between ops. Mode `cached` keeps compiled code, which equal ops share; mode `immediate` keeps
// none, neither in memory nor on disk.
#ifndef MG_RUNTIME_STEPS_H
#define MG_RUNTIME_STEPS_H

#include "runtime/instance.h"

bool mg_mode_by_op(MgMode mode);
// One run of a bound instance. It leaves its results where a compiled run would leave them.
MgStatus mg_instance_steps(MgInstance *instance);
void mg_steps_free(MgSteps *steps); // NULL is allowed

#endif
