// What is computed ahead of the ops that need it, since it is the same each time: by the first run
// for all runs, or before a loop for all of its trips.
#include "passes/schedule/schedule.h"

#include "ir/equation.h"

static bool is_made_in(MgGraph *g, MgValueId v, MgOpId loop) {
    const MgValue *value = mg_value(g, v);
    MgOpId at = value->def ? mg_region(g, mg_op(g, value->def)->region)->parent
                           : mg_region(g, value->param_of)->parent;
    while (at && at != loop)
        at = mg_region(g, mg_op(g, at)->region)->parent;
    return at == loop;
}

// Does the loop write bytes of v's storage? Its results may have taken over their first values.
static bool is_written_by(MgSched *s, MgValueId v, const MgOp *loop) {
    for (uint32_t i = 0; i < loop->n_results; i++)
        if (s->storage_of[loop->results[i]] == s->storage_of[v])
            return true;
    return false;
}

static bool no_trip_changes(MgSched *s, MgValueId v, MgOpId loop) {
    return !is_made_in(s->g, v, loop) && !is_written_by(s, v, mg_op(s->g, loop));
}

// Does x read only what is the same in all trips of a loop, or, if it is NULL, in all runs?
static bool is_same(MgSched *s, MgOpId op, const MgSx *x, const MgPlanLoop *loop) {
    MgAccesses reads = mg_reads(s, op, x);
    for (uint32_t i = 0; i < reads.n; i++) {
        MgValueId v = reads.at[i].value;
        if (loop ? !no_trip_changes(s, v, loop->op) : !mg_is_kept(s, v))
            return false;
    }
    return true;
}

bool mg_is_unchanging(MgSched *s, MgOpId op, const MgSx *x) {
    return s->once && !mg_sx_varies(s->m, x, s->arena) && is_same(s, op, x, NULL);
}

static bool has_one_trip(MgSched *s, MgOpId op) {
    const MgLoop *loop = mg_op(s->g, op)->loop;
    return loop->counted && mg_ix_const_or(s->ix, mg_ix_sub(s->ix, loop->high, loop->low), 2) <= 1;
}

MgKBlock *mg_plan_ahead(MgSched *s, MgOpId op, const MgSx *x) {
    if (mg_is_unchanging(s, op, x))
        return s->once;
    if (!s->loop || mg_sx_varies(s->m, x, s->arena))
        return NULL;
    MgKBlock *block = NULL;
    for (MgPlanLoop *loop = s->loop; loop && is_same(s, op, x, loop); loop = loop->outer)
        if (block || !has_one_trip(s, loop->op))
            block = &loop->before;
    return block;
}

uint32_t mg_unchanging_loops(MgSched *s, MgValueId v) {
    uint32_t n = 0;
    for (const MgPlanLoop *loop = s->loop; loop && no_trip_changes(s, v, loop->op);
         loop = loop->outer)
        n++;
    return n;
}

const MgPlanLoop *mg_plan_loop_before(const MgSched *s, const MgKBlock *plan) {
    const MgPlanLoop *loop = s->loop;
    while (loop && &loop->before != plan)
        loop = loop->outer;
    return loop;
}
