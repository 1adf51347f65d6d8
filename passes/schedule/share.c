// Is there enough work for several workers? The rule is the same for whole calls, kernels and runs
// by rows.
//
// A call that several workers enter costs the time to wake them; a kernel that they share costs the
// barrier after it (the target's launch_ns and barrier_ns). So work is shared if the others save
// the first worker more time than that. Work is estimated from the equations by a model of one core
// that is accurate to a factor of two. This is enough: if it errs, both ways take about the same
// time.
//
// With known sizes, a program without enough work is made for one worker. Within a larger program,
// a small kernel is made for, and called by, the first worker alone; neighbours of the same kind
// follow one another without a barrier. With open sizes, bind computes the number of workers that a
// call is worth.
#include "passes/schedule/share.h"
#include "passes/schedule/words.h"
#include "support/text.h"

#include "ir/equation.h"

#include <math.h>

// Work is counted in whole ticks, since sizes may be open; TRIPS: a guess at a loop's trips.
enum { TICKS_PER_NS = 64, TRIPS = 16 };

static int64_t ticks(double ns) {
    return (int64_t)lround(ns * TICKS_PER_NS);
}

// Nanoseconds of a vector of points.
static double time_of(const MgMachine *machine, const MgSx *x) {
    double n = 0;
    for (uint32_t i = 0; i < x->n_args; i++) {
        n += time_of(machine, x->args[i]);
        if (x->kind == MG_SX_READ && x->args[i]->kind != MG_SX_IX)
            n += machine->gather;
    }
    if (x->kind == MG_SX_READ && x->otherwise)
        n += time_of(machine, x->otherwise);
    if (x->kind == MG_SX_PRIM)
        n += mg_prim(x->prim)->kind == MG_KIND_APPROX ? machine->approx : machine->operation;
    return n;
}

static MgIx work_of_piece(MgSched *s, const MgPiece *p, const MgTraits *traits) {
    MgIxTable *t = s->ix;
    const MgMachine *machine = &s->options->target.machine;
    double lanes = s->options->level ? s->options->target.vector_bytes / 4.0 : 1;
    double ns = time_of(machine, p->expr) + (p->reducer != MG_REDUCE_NONE ? machine->operation : 0);
    if (traits->contraction || ns < machine->operation) // a multiply-add; a copy
        ns = machine->operation;
    ns += p->scatter || traits->scanned ? machine->gather : 0;
    return mg_ix_mul(t, mg_piece_points(s->ix, p), mg_ix_const(t, ticks(ns / lanes)));
}

MgIx mg_share_piece_work(MgSched *s, const MgPiece *piece) {
    const MgTraits plain = {0}; // an op's own are found by a walk of all its pieces
    return work_of_piece(s, piece, &plain);
}

// A whole number of ticks per byte if that is accurate enough, so that open sizes stay simple.
static MgIx time_of_bytes(MgSched *s, MgIx bytes) {
    enum { PARTS = 1024 };
    double each = s->options->target.machine.near_byte * TICKS_PER_NS;
    int64_t parts = (int64_t)lround(each * PARTS);
    MgIx sum = mg_ix_mul(s->ix, bytes, mg_ix_const(s->ix, parts % PARTS ? parts : parts / PARTS));
    return parts % PARTS ? mg_ix_div(s->ix, sum, mg_ix_const(s->ix, PARTS)) : sum;
}

// The bytes of the result and of each operand; at most one element of an operand is counted for
// each point.
static MgIx bytes_of(MgSched *s, const MgOp *op) {
    MgIxTable *t = s->ix;
    MgIx points = mg_ix_const(t, 0), sum = mg_value_bytes(s->g, op->results[0]);
    for (uint32_t i = 0; i < op->equation->n_pieces; i++)
        points = mg_ix_add(t, points, mg_piece_points(s->ix, &op->equation->pieces[i]));
    for (uint32_t i = 0; i < op->n_operands; i++) {
        int64_t size = (int64_t)mg_dtype_size(mg_value(s->g, op->operands[i])->dtype);
        MgIx most = mg_ix_mul(t, points, mg_ix_const(t, size));
        sum = mg_ix_add(t, sum, mg_ix_min(t, most, mg_value_bytes(s->g, op->operands[i])));
    }
    return time_of_bytes(s, sum);
}

MgIx mg_share_work_of(MgSched *s, const MgOpId *ops, uint32_t n) {
    MgIx sum = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < n; i++)
        sum = mg_ix_add(s->ix, sum, mg_share_work(s, ops[i]));
    return sum;
}

static MgIx work_of_region(MgSched *s, MgRegionId r) {
    return mg_share_work_of(s, mg_region(s->g, r)->ops.at, mg_region(s->g, r)->ops.len);
}

static MgIx work_of_loop(MgSched *s, const MgOp *op) {
    MgIxTable *t = s->ix;
    MgIx body = work_of_region(s, op->regions[0]);
    if (op->loop->has_while)
        body = mg_ix_add(t, body, work_of_region(s, op->regions[1]));
    MgIx trips = mg_ix_const(t, TRIPS); // a guess
    return mg_ix_mul(t, body,
                     op->loop->counted ? mg_ix_sub(t, op->loop->high, op->loop->low) : trips);
}

MgIx mg_share_work(MgSched *s, MgOpId id) {
    MgGraph *g = s->g;
    MgIxTable *t = s->ix;
    MgIx work = mg_ix_const(t, 0);
    const MgOp op = *mg_op(g, id);
    switch (op.kind) {
    case MG_OP_FUSED:
        return work_of_region(s, op.regions[0]);
    case MG_OP_LOOP:
        return work_of_loop(s, &op);
    case MG_OP_IF: // it is unknown which branch runs
        return mg_ix_max(t, work_of_region(s, op.regions[0]), work_of_region(s, op.regions[1]));
    case MG_OP_BUILTIN:
        return mg_ix_mul(t, mg_value_elements(g, op.operands[0]),
                         mg_ix_const(t, ticks(s->options->target.machine.sort)));
    case MG_OP_EQUATION:
        break;
    default:
        return work;
    }
    MgTraits traits = mg_traits(g, id);
    if ((traits.view && s->options->level) || mg_is_kept(s, op.results[0]))
        return work; // the same bytes, or computed in the first run
    for (uint32_t i = 0; i < op.equation->n_pieces; i++)
        work = mg_ix_add(t, work, work_of_piece(s, &op.equation->pieces[i], &traits));
    return mg_ix_add(t, work, bytes_of(s, &op));
}

// ---------------------------------------------------------------- the rule

// Positive if `workers` workers are faster than one, when using them costs `ns`.
static MgIx gain(MgSched *s, MgIx work, uint32_t ns) {
    MgIxTable *t = s->ix;
    int64_t workers = s->workers;
    return mg_ix_sub(t, mg_ix_mul(t, work, mg_ix_const(t, workers - 1)),
                     mg_ix_const(t, (int64_t)ns * TICKS_PER_NS * workers));
}

static bool may_be_small(const MgSched *s) {
    return s->workers > 1 && !s->options->target.gpu;
}

bool mg_share_is_small(MgSched *s, MgIx work) {
    return may_be_small(s) && s->options->target.barrier_ns &&
           mg_ix_const_or(s->ix, gain(s, work, s->options->target.barrier_ns), 1) <= 0;
}

bool mg_share_is_short(MgSched *s, MgIx work) {
    int64_t known, most = 100 * (int64_t)s->options->target.barrier_ns * TICKS_PER_NS;
    return mg_ix_is_const(s->ix, work, &known) && known <= most * s->workers;
}

bool mg_share_pays(MgSched *s, MgIx points, MgIx work) {
    int64_t n, more;
    if (!mg_ix_is_const(s->ix, points, &n) || n >= mg_figure(s, shared_points))
        return true;
    return may_be_small(s) && work &&
           mg_ix_is_const(s->ix, gain(s, work, s->options->target.barrier_ns), &more) && more > 0;
}

uint32_t mg_share_program(MgSched *s) {
    const MgTargetInfo *target = &s->options->target;
    MgIxTable *t = s->ix;
    int64_t known;
    if (!may_be_small(s) || !target->launch_ns)
        return s->workers;
    s->draft->share.work = mg_bound_of(s, work_of_region(s, 0));
    MgIx more = gain(s, s->draft->share.work, target->launch_ns);
    if (!mg_ix_is_const(t, more, &known)) {
        s->p->share_why = "how many workers run it depends on its dimensions";
        return s->workers;
    }
    int64_t work = mg_ix_const_or(t, s->draft->share.work, 0);
    s->p->share_why = mg_arena_printf(
        s->arena, "about %s of one worker's time, waking others costs %s: %s",
        mg_time_text(s->arena, (double)work / TICKS_PER_NS * 1e-3),
        mg_time_text(s->arena, target->launch_ns * 1e-3), known > 0 ? "all run it" : "one runs it");
    return known > 0 ? s->workers : 1;
}

void mg_share_bind(MgSched *s) {
    MgKernel *b = s->p->bind;
    if (may_be_small(s) && !s->draft->share.n_shared)
        s->p->max_workers = 1; // each of its calls is small
    const MgKx *workers = num(b, s->p->max_workers);
    if (s->draft->share.work && s->p->max_workers > 1) {
        MgIx more = gain(s, s->draft->share.work, s->options->target.launch_ns);
        const MgKx *pays = bin(b, MG_PRIM_GT, mg_bind_ix(s, more), num(b, 0));
        workers = where(b, pays, workers, num(b, 1));
    }
    store(b, &b->body, 0, num(b, MG_SLOT_WORKERS), workers);
}

// ---------------------------------------------------------------- calls of one worker

static bool is_last(const MgKBlock *plan, const MgKs *alone) {
    uint32_t n = plan->list.len;
    return alone && n > 1 && plan->list.at[n - 1]->kind == MG_KS_BARRIER &&
           plan->list.at[n - 2] == alone;
}

MgKBlock *mg_share_open_alone(const MgSched *s, MgKBlock *plan, MgSched *alone) {
    MgKernel *k = s->p->plan;
    MgWorkSharing *share = &s->draft->share;
    if (is_last(plan, share->alone)) {
        plan->list.len--; // its barrier
    } else {
        const MgKx *first = equal(k, mg_kspecial(k, MG_KX_WORKER), num(k, 0));
        share->alone = mg_kif(k, plan, first);
    }
    *alone = *s;
    alone->alone = true;
    alone->workers = 1;
    return &share->alone->body;
}

void mg_share_close_alone(MgSched *s, MgKBlock *plan) {
    mg_kbarrier(s->p->plan, plan, MG_BARRIER_GRID);
}
