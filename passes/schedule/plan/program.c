// From a graph to a program: storage, then kernels and plan in one walk, then offsets.
#include "passes/schedule/form.h"
#include "passes/schedule/plan/launch_cost.h"
#include "passes/schedule/plan/owned.h"
#include "passes/schedule/plan/persistent.h"
#include "passes/schedule/share.h"

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
                               .lookup4 = t->lookup4,
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
        mg_map_put(&s->draft->dims.vars, dim, (uint64_t)(uintptr_t)mg_kvar(plan, v));
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

static MgProgram *new_program(MgGraph *g, const MgScheduleOptions *options) {
    MgArena *arena = g->module->arena;
    MgProgram *p = MG_NEW(arena, MgProgram);
    *p = (MgProgram){.arena = arena,
                     .graph = g,
                     .max_workers = options->target.workers ? options->target.workers : 1,
                     .target = mg_arena_copy(arena, &options->target, 1, sizeof options->target),
                     .specialised = known_dims(g),
                     .launch = MG_LAUNCH_SEPARATE,
                     .in_place = MG_NEW_N(arena, bool, g->outputs.len + 1)};
    return p;
}

// What schedules look up. The graph is final: no form of launching changes it from here on.
static void begin_lookups(MgSched *s) {
    uint32_t n = s->g->values.len;
    MgMap *maps[] = {&s->draft->known.kernels, &s->draft->known.kept, &s->draft->dims.vars,
                     &s->draft->known.memo_by_key, &s->draft->given.by_name};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        mg_map_init(maps[i], s->arena);
    s->storage_of = MG_NEW_N(s->arena, MgStorageId, n);
    s->placed = MG_NEW_N(s->arena, MgInWhole, n);
    s->draft->placing.in_place_of = MG_NEW_N(s->arena, MgValueId, n);
    s->draft->placing.because = MG_NEW_N(s->arena, const char *, n);
    s->draft->dims.makers = mg_dim_makers(s->g, s->arena);
    find_fixed(s);
    mg_find_rough(s);
}

// The program becomes one kernel with barriers, if that is possible.
static void join(MgSched *s, MgStorageId meeting, MgIxSym passes) {
    const char *against = mg_schedule_persistent(s, meeting, passes);
    if (against) {
        drop_passes(s);
        refuse_joining(s, against);
        return;
    }
    s->p->launch = MG_LAUNCH_PERSISTENT;
    s->p->loops = true;
}

// The program of one kernel in which groups own rows.
static void own_rows(MgOwned *owned) {
    MgProgram *p = owned->s->p;
    p->graph = owned->s->g; // its equations are scheduled one by one
    p->launch = MG_LAUNCH_OWNED;
    p->loops = owned->loops;
    if (owned->loops)
        owned->passes = add_passes(owned->s);
    owned->s->launch.one_kernel = true;
}

MgProgram *mg_schedule(MgGraph *given, const MgScheduleOptions *options) {
    MgModule *m = given->module;
    MgGraph *g = mg_ranges_not_negative(given, m->arena);
    MgProgram *p = new_program(g, options);
    MgDraftProgram draft = {0};
    MgSched whole = {.g = g,
                     .m = m,
                     .p = p,
                     .arena = m->arena,
                     .ix = m->ix,
                     .options = options,
                     .draft = &draft,
                     .workers = p->max_workers};
    name_yields(g);
    mg_launches_estimate(&whole);
    MgOwned *owned = mg_owned_find(&whole);
    if (draft.failed)
        return NULL;
    if (owned)
        own_rows(owned);
    MgSched *s = owned ? owned->s : &whole;
    bool joins = !owned && may_join(s);
    MgIxSym passes = joins ? add_passes(s) : 0;
    begin_lookups(s);
    p->plan = mg_kernel_new(m->arena, m->session->names, mg_sym(m->session->names, "plan"));
    slot_dims(s);
    mg_tuning_begin(s);
    mg_storage_assign(s);
    s->workers = p->max_workers = mg_share_program(s);
    bind_dims(s);
    MgStorageId meeting =
        joins ? mg_storage_new(s, MG_PLAN_ARENA, mg_ix_const(s->ix, MG_MEETING_BYTES), MG_NONE) : 0;
    if (joins)
        mg_storage_touch(s, meeting, draft.step);
    if (owned)
        mg_owned_emit(owned, &p->plan->body);
    else
        mg_plan_build(s);
    if (draft.failed || !mg_nest_all_taken(s))
        return NULL;
    if (joins)
        mg_storage_touch(s, meeting, draft.step); // it is alive all the time
    mg_storage_place(s);
    if (joins)
        join(s, meeting, passes);
    name_sites(s);
    legalise_all(p, options);
    mg_tuning_end(s);
    return p;
}
