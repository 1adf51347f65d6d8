// From a graph to a program: storage, then kernels and plan in one walk, then offsets.
#include "passes/schedule/schedule.h"
#include "passes/row_end.h"
#include "passes/schedule/form.h"
#include "passes/schedule/launch_cost.h"
#include "passes/schedule/owned.h"
#include "passes/schedule/persistent.h"
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

// Ways are tried in order; the first that accepts the unit makes its kernel. The group schedule
// accepts any single equation that is left. Schedules for workers serve a GPU too: see
// gpu_spread.c.
typedef struct Way {
    MgScheduleFn *schedule;
    const MgForm *form; // alternatively; only forms and groups make a kernel of a nest from a file
} Way;
static const Way for_cpu[] = {
    {mg_schedule_attention, NULL}, {mg_schedule_winograd, NULL}, {NULL, &mg_form_contraction},
    {schedule_rows_apart, NULL},   {NULL, &mg_form_window},      {NULL, &mg_form_channels},
    {NULL, &mg_form_columns},      {NULL, &mg_form_scan},        {NULL, &mg_form_scatter},
    {mg_schedule_group, NULL},     {mg_schedule_builtin, NULL},  {NULL, NULL},
};
static const Way for_gpu[] = {
    {mg_schedule_gpu_attention, NULL},
    {NULL, &mg_form_gpu_contraction},
    {NULL, &mg_form_scan},
    {NULL, &mg_form_scatter},
    {mg_schedule_gpu_group, NULL},
    {mg_schedule_builtin, NULL},
    {NULL, NULL},
};

static bool schedule_by(MgSched *s, const Way *way, bool given, const MgUnit *unit,
                        MgKBlock *plan) {
    if (way->form)
        return (given ? mg_form_schedule_given : mg_form_schedule)(way->form, s, unit, plan);
    bool groups = way->schedule == mg_schedule_group || way->schedule == mg_schedule_gpu_group;
    return (!given || groups) && way->schedule(s, unit, plan);
}

// Makes every op a unit of its own, whose result is used outside it.
static void schedule_apart(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    const char *why =
        s->apart_why ? s->apart_why : "no schedule of this target makes one kernel of their group";
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        MgOpId id = unit->ops[i];
        note_apart(s, unit, i, i + 1, why);
        const MgOp *op = mg_op(s->g, id);
        MgUnit one = {.ops = &id, .n_ops = 1, .outputs = op->results, .n_outputs = op->n_results};
        mg_schedule_unit(s, &one, plan);
    }
}

static bool is_small(MgSched *s, const MgUnit *unit, const MgKBlock *plan) {
    MgIx work = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < unit->n_ops; i++)
        work = mg_ix_add(s->ix, work, mg_share_work(s, unit->ops[i]));
    return !s->walk && plan != s->once && mg_share_is_small(s, work);
}

void mg_schedule_unit(MgSched *s, const MgUnit *unit, MgKBlock *plan) {
    s->apart_why = NULL;
    s->reused = false;
    s->tuned_unit = NULL; // another unit may have had this address
    s->origin = mg_op(s->g, unit->ops[0])->origin;
    if (!s->is_alone && is_small(s, unit, plan)) {
        mg_schedule_unit(s, unit, mg_share_begin_alone(s, plan));
        mg_share_end_alone(s, plan);
        return;
    }
    s->unit_number++;
    if (s->options->schedules)
        mg_nest_count(s, unit);
    bool given = mg_nest_is_given(s, unit);
    if (!given && !s->options->schedules && mg_memo_replay(s, unit, plan))
        return;
    uint32_t first_call = s->calls.len, first_trap = s->p->traps.len;
    for (const Way *w = s->options->target.gpu ? for_gpu : for_cpu; w->form || w->schedule; w++)
        if (schedule_by(s, w, given, unit, plan)) {
            if (w->schedule != schedule_rows_apart &&
                !s->options->schedules) // its parts are noted, and its edges are explained
                mg_memo_note(s, unit, first_call, first_trap);
            return;
        }
    if (unit->n_ops > 1) {
        schedule_apart(s, unit, plan);
        return;
    }
    mg_diag(s->m->session, mg_origin_user_span(s->m, mg_op(s->g, unit->ops[0])->origin),
            MG_D_schedule_none);
    s->failed = true;
}

static bool known_dims(MgGraph *g) {
    int64_t v;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const MgValue *value = mg_value(g, g->inputs.at[i].value);
        for (uint32_t a = 0; a < value->rank; a++)
            if (!mg_ix_is_const(g->module->ix, value->shape[a], &v))
                return false;
    }
    return true;
}

static void legalise_all(MgProgram *p, const MgScheduleOptions *options) {
    const MgTargetInfo *t = &options->target;
    MgLegaliseOptions legal = {.f16 = t->f16,
                               .bf16 = t->bf16,
                               .scaleb = t->scaleb,
                               .lookup = t->lookup,
                               .rough_exp2 = t->rough_exp2,
                               .keeps_math = options->to_read,
                               .contracts = options->level >= 2 && mg_contracts(options)};
    for (uint32_t i = 0; i < p->kernels.len; i++)
        mg_kernel_legalise(p->kernels.at[i], &legal);
    mg_kernel_legalise(p->bind, &legal);
    mg_kernel_legalise(p->plan, &legal);
}

// Adds the dimension for the number of passes to run, before the plan's scalars are made from
// dimensions.
static MgIxSym add_passes(MgSched *s) {
    MgIxSym passes = mg_ix_dim(s->ix, mg_sym(s->m->session->names, MG_PASSES_DIM), 0, INT32_MAX);
    mg_dim_slot(s, passes);
    return passes;
}

// Removes it if no form uses it: it was the last.
static void drop_passes(MgSched *s) {
    s->g->dims.len--;
    s->p->plan->scalars.len--;
    s->p->bind->scalars.len--;
}

static void refuse_joining(MgSched *s, const char *why) {
    mg_say_launch(s, "one kernel with barriers is impossible: %s", why);
}

// May the plan become one kernel with barriers between its groups?
static bool may_join(MgSched *s) {
    const MgScheduleOptions *o = s->options;
    bool asked = o->launch == MG_LAUNCH_PERSISTENT;
    if (!o->target.gpu || !(asked || o->launch == MG_LAUNCH_AUTO))
        return false;
    bool pays = mg_persistent_pays(s);
    if (!asked && !pays)
        return false;
    const char *why = !s->p->specialised ? "sizes are open (--set names them)"
                      : s->g->dims.len   ? "data decide sizes in it"
                                         : NULL;
    if (why)
        refuse_joining(s, why);
    return !why;
}

// Dimensions of results get their slots before the scalars are fixed.
static void slot_dims(MgSched *s) {
    MgGraph *g = s->g;
    for (MgOpId id = 1; id < g->ops.len; id++)
        if (mg_op(g, id)->kind == MG_OP_LOOP && mg_op(g, id)->loop->trips)
            mg_dim_slot(s, mg_op(g, id)->loop->trips);
        else if (mg_op(g, id)->kind != MG_OP_ERASED && mg_op(g, id)->dim)
            mg_dim_slot(s, mg_op(g, id)->dim);
}

static void find_fixed(MgSched *s) {
    s->rounding = mg_rounding(s->g, s->arena);
    mg_map_init(&s->fixed, s->arena);
    for (MgOpId id = 1; id < s->g->ops.len && s->options->level >= 2; id++)
        if (mg_op(s->g, id)->kind == MG_OP_EQUATION)
            mg_rounding_fixed(&s->rounding, s->g, id, &s->fixed);
}

// Every dimension of the graph is a scalar of the plan.
static void bind_dims(MgSched *s) {
    MgKernel *plan = s->p->plan;
    for (uint32_t i = 0; i < s->g->dims.len; i++) {
        MgIxSym dim = s->g->dims.at[i];
        MgKVarId v = mg_kscalar(plan, mg_name(s->m->session->names, mg_ix_sym_name(s->ix, dim)));
        mg_map_put(&s->dim_vars, dim, (uint64_t)(uintptr_t)mg_kvar(plan, v));
    }
}

// The value that a fused op yields is its result, so it gets the name that the user knows.
static void name_yields(MgGraph *g) {
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        const MgOp *yield = op->kind == MG_OP_FUSED ? mg_yield_of(g, op->regions[0]) : NULL;
        for (uint32_t i = 0; yield && i < yield->n_operands; i++)
            if (mg_is_inside(g, op, yield->operands[i]))
                mg_value(g, yield->operands[i])->name = mg_value(g, op->results[i])->name;
    }
}

static uint64_t same_site(const MgSite *s) {
    uint64_t key = mg_hash_mix(s->name, mg_hash(s->kind, strlen(s->kind), 0));
    return mg_hash_mix(key, s->part ? mg_hash(s->part, strlen(s->part), 1) : 0);
}

// Makes the name of each call unique: by the part that it computes, or by a number among the calls
// of its kind.
static void name_sites(MgSched *s) {
    MgNames *names = s->m->session->names;
    MgMap all, so_far;
    mg_map_init(&all, s->arena);
    mg_map_init(&so_far, s->arena);
    for (uint32_t i = 0; i < s->p->sites.len; i++) {
        uint64_t key = same_site(&s->p->sites.at[i]);
        mg_map_put(&all, key, mg_map_get(&all, key, 0) + 1);
    }
    for (uint32_t i = 0; i < s->p->sites.len; i++) {
        MgSite *site = &s->p->sites.at[i];
        uint64_t key = same_site(site), n = mg_map_get(&all, key, 0);
        uint64_t number = mg_map_get(&so_far, key, 0) + 1;
        mg_map_put(&so_far, key, number);
        if (n > 1)
            site->part = mg_arena_printf(s->arena, "%s%skernel %llu of %llu",
                                         site->part ? site->part : "", site->part ? ", " : "",
                                         (unsigned long long)number, (unsigned long long)n);
        if (site->part)
            site->name = mg_symf(names, "%s (%s)", mg_name(names, site->name), site->part);
    }
}

MgProgram *mg_schedule(MgGraph *g, const MgScheduleOptions *options) {
    MgModule *m = g->module;
    MgArena *arena = m->arena;
    MgProgram *p = MG_NEW(arena, MgProgram);
    MgSched s = {.g = g, .m = m, .p = p, .arena = arena, .ix = m->ix, .options = options};
    p->arena = arena;
    p->graph = g;
    p->max_workers = options->target.workers ? options->target.workers : 1;
    p->target = mg_arena_copy(p->arena, &options->target, 1, sizeof options->target);
    p->specialised = known_dims(g);
    p->grid_barriers = true;
    p->launch = MG_LAUNCH_SEPARATE;
    p->in_place = MG_NEW_N(arena, bool, g->outputs.len + 1);
    name_yields(g);
    mg_ranges_not_negative(&s);
    mg_launches_estimate(&s);
    MgOwned *owned = mg_owned_find(&s);
    if (owned) { // its equations are scheduled one by one
        p->graph = g = s.g;
        p->launch = MG_LAUNCH_OWNED;
        p->loops = owned->loops;
        if (owned->loops)
            owned->passes = add_passes(&s);
    }
    bool joins = !owned && may_join(&s);
    MgIxSym passes = joins ? add_passes(&s) : 0;
    s.one_kernel = owned != NULL;
    s.storage_of = MG_NEW_N(arena, MgStorageId, g->values.len);
    s.in_place_of = MG_NEW_N(arena, MgValueId, g->values.len);
    s.placed_because = MG_NEW_N(arena, const char *, g->values.len);
    find_fixed(&s);
    mg_map_init(&s.kernels_by_hash, arena);
    mg_map_init(&s.kept_by_hash, arena);
    mg_map_init(&s.dim_vars, arena);
    s.dim_makers = mg_dim_makers(s.g, arena);
    mg_map_init(&s.memo_by_key, arena);
    mg_map_init(&s.units_by_name, arena);
    p->plan = mg_kernel_new(arena, m->session->names, mg_sym(m->session->names, "plan"));
    slot_dims(&s);
    mg_tuning_begin(&s);
    mg_storage_assign(&s);
    mg_share_program(&s);
    bind_dims(&s);
    MgStorageId meeting =
        joins ? mg_storage_new(&s, MG_PLAN_ARENA, mg_ix_const(s.ix, MG_MEETING_BYTES), MG_NONE) : 0;
    if (joins)
        mg_storage_touch(&s, meeting);
    if (owned)
        mg_owned_emit(owned, &p->plan->body);
    else
        mg_plan_build(&s);
    if (s.failed || !mg_nest_all_taken(&s))
        return NULL;
    if (joins)
        mg_storage_touch(&s, meeting); // it is alive all the time
    mg_storage_place(&s);
    const char *against = joins ? mg_schedule_persistent(&s, meeting, passes) : NULL;
    if (joins && !against) {
        p->launch = MG_LAUNCH_PERSISTENT;
        p->loops = true;
    } else if (joins) {
        drop_passes(&s);
        refuse_joining(&s, against);
    }
    name_sites(&s);
    legalise_all(p, options);
    mg_tuning_end(&s);
    return p;
}
