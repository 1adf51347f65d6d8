// The schedules of each target, in order, and what is done with a unit that none of them takes
// whole.
#include "passes/schedule/schedule.h"
#include "passes/row_end.h"
#include "passes/schedule/form.h"
#include "passes/schedule/share.h"

// The number of the unit's first ops that are a product and elementwise ops after it, if row ops
// follow; 0 if the unit has another form.
static uint32_t before_rows(MgSched *s, const MgUnit *unit) {
    if (mg_op(s->g, unit->ops[0])->kind != MG_OP_EQUATION ||
        mg_row_end_misfit(s->g, &s->options->target.machine, unit->ops, unit->n_ops, NULL))
        return 0;
    uint32_t axes = mg_op(s->g, unit->ops[0])->equation->pieces[0].n_free, n = 1;
    while (n < unit->n_ops && mg_op(s->g, unit->ops[n])->equation->pieces[0].n_free == axes)
        n++;
    return n < unit->n_ops ? n : 0;
}

// Schedules some ops of a unit as a unit of their own, whose outputs are the values that other ops
// read.
static void schedule_part(MgSched *s, const MgUnit *unit, uint32_t first, uint32_t n,
                          MgKBlock *plan) {
    MgUnit part = {
        .ops = unit->ops + first, .n_ops = n, .outputs = MG_NEW_N(s->arena, MgValueId, n)};
    for (uint32_t i = 0; i < n; i++) {
        MgValueId v = mg_op(s->g, part.ops[i])->results[0];
        bool leaves = mg_unit_is_output(unit, v);
        for (uint32_t o = first + n; o < unit->n_ops; o++)
            leaves |= mg_op_reads(mg_op(s->g, unit->ops[o]), v);
        if (leaves)
            part.outputs[part.n_outputs++] = v;
    }
    mg_schedule_unit(s, &part, plan);
}

// Notes that ops `first` to `end` are not in one kernel with the ops before them, although the pass
// that grouped them intended it.
static void note_apart(MgSched *s, const MgUnit *unit, uint32_t first, uint32_t end,
                       const char *why) {
    for (uint32_t o = first; o < end && s->options->edge; o++) {
        const MgOp *op = mg_op(s->g, unit->ops[o]);
        for (uint32_t i = 0; i < op->n_operands; i++)
            for (uint32_t before = 0; before < first; before++)
                if (mg_op(s->g, unit->ops[before])->results[0] == op->operands[i])
                    s->options->edge(s->options->edge_ctx, s->g, unit->ops[o], i, why);
    }
}

// Schedules a product whose rows don't fit into a tile on this target, and the row ops after it.
static bool schedule_rows_apart(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    uint32_t n = before_rows(s, unit);
    if (!n)
        return false;
    note_apart(s, unit, n, unit->n_ops, "the product's rows are wider than a tile of this target");
    schedule_part(s, unit, 0, n, plan);
    schedule_part(s, unit, n, unit->n_ops - n, plan);
    return true;
}

// Forms are tried in order; the first that accepts the unit makes its kernel. The schedule of
// groups accepts any single equation that is left. Two forms serve both targets: what workers share
// there, items share on a GPU (mg_kb_share).
static const MgForm *const for_cpu[] = {&mg_form_attention,     &mg_form_winograd,
                                        &mg_form_winograd_taps, &mg_form_contraction,
                                        &mg_form_window,        &mg_form_channels,
                                        &mg_form_columns,       &mg_form_scan,
                                        &mg_form_scatter,       NULL};
static const MgForm *const for_gpu[] = {&mg_form_gpu_attention, &mg_form_gpu_contraction,
                                        &mg_form_scan, &mg_form_scatter, NULL};

// Both make one kernel of the unit, from the nest that the user gave if there is one.
static bool schedule_by_form(MgSched *s, bool given, const MgUnit *unit, MgKBlock *plan) {
    const MgForm *const *form = s->options->target.gpu ? for_gpu : for_cpu;
    while (*form && !(given ? mg_form_schedule_given : mg_form_schedule)(*form, s, unit, plan))
        form++;
    return *form;
}

static bool schedule_group(MgSched *s, bool given, const MgUnit *unit, MgKBlock *plan) {
    return (s->options->target.gpu ? mg_schedule_gpu_group : mg_schedule_group)(s, unit, plan) ||
           (!given && mg_schedule_builtin(s, unit, plan));
}

// Makes every op a unit of its own, whose result is used outside it.
static void schedule_apart(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const char *why = s->draft->unit.apart_why
                          ? s->draft->unit.apart_why
                          : "no schedule of this target makes one kernel of their group";
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        MgOpId id = unit->ops[i];
        note_apart(s, unit, i, i + 1, why);
        const MgOp *op = mg_op(s->g, id);
        MgUnit one = {.ops = &id, .n_ops = 1, .outputs = op->results, .n_outputs = op->n_results};
        mg_schedule_unit(s, &one, plan);
    }
}

static bool is_small(MgSched *s, const MgUnit *unit, const MgKBlock *plan) {
    return !s->walk && plan != s->once &&
           mg_share_is_small(s, mg_share_work_of(s, unit->ops, unit->n_ops));
}

void mg_schedule_unit(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    s->draft->unit.apart_why = NULL;
    s->draft->unit.reused = false;
    s->draft->unit.tuned = NULL; // another unit may have had this address
    s->draft->unit.origin = mg_op(s->g, unit->ops[0])->origin;
    if (!s->alone && is_small(s, unit, plan)) {
        MgSched alone;
        MgKBlock *block = mg_share_open_alone(s, plan, &alone);
        mg_schedule_unit(&alone, unit, block);
        mg_share_close_alone(s, plan);
        return;
    }
    s->draft->unit.number++;
    if (s->options->schedules)
        mg_nest_count(s, unit);
    bool given = mg_nest_is_given(s, unit);
    if (!given && !s->options->schedules && mg_memo_replay(s, unit, plan))
        return;
    uint32_t first_call = s->draft->calls.len, first_trap = s->p->traps.len;
    bool taken = schedule_by_form(s, given, unit, plan);
    if (!taken && !given && !s->options->target.gpu && schedule_rows_apart(s, unit, plan))
        return; // its parts are remembered, and its edges are explained
    if (taken || schedule_group(s, given, unit, plan)) {
        if (!s->options->schedules)
            mg_memo_note(s, unit, first_call, first_trap);
        return;
    }
    if (unit->n_ops > 1) {
        schedule_apart(s, unit, plan);
        return;
    }
    mg_diag(s->m->session, mg_origin_user_span(s->m, mg_op(s->g, unit->ops[0])->origin),
            MG_D_schedule_none);
    s->draft->failed = true;
}
