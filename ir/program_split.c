// Splits a kernel in one walk over its statements. The walk writes their part in the plan, and
// collects the statements between barriers. Values named before a barrier are computed again after
// it.
#include "ir/program_split.h"

#include "ir/kernel_impl.h"
#include "ir/kernel_walk.h"

typedef struct Phases { // the phases of one kernel, in order of the walk
    MG_VEC(uint32_t) list;
} Phases;

typedef struct Split {
    MgProgram *p;
    MgArena *arena;
    Phases *of; // by kernel before the split
    // The call that is being replaced:
    const MgKernel *from;
    const MgKCall *call;
    const MgKx **value; // by variable of `from`: the same value as an expression of the plan, or
                        // NULL
    MG_VEC(const MgKs *) lets; // the surrounding lets, which any worker can compute again
    MG_VEC(MgKVarId) counters; // of the surrounding loops, which the plan now has
    uint32_t next;             // number of the next phase
    bool ok;
} Split;

static void refuse(Split *s, const char *what) {
    if (s->ok)
        mg_diag(s->p->graph->module->session, mg_no_span(), MG_D_opencl_unsupported,
                mg_name(s->from->names, s->from->name), what);
    s->ok = false;
}

static bool is_barrier(const MgKs *s) {
    return s->kind == MG_KS_BARRIER && s->barrier == MG_BARRIER_GRID;
}

static bool is_barrier_of(void *ctx, const MgKs *s) {
    (void)ctx;
    return is_barrier(s);
}

static const MgKAsk barrier = {.statement = is_barrier_of};

// ---------------------------------------------------------------- expressions of the plan

// x with the variables of `from` replaced; NULL if it can't be computed in the plan.
static const MgKx *in_plan(Split *s, const MgKx *x) {
    if (x->kind == MG_KX_CONST)
        return x;
    if (x->kind == MG_KX_VAR)
        return s->value[x->var];
    if (x->kind == MG_KX_WORKERS && !s->from->groups)
        return mg_kint(s->p->plan, s->p->max_workers);
    if (x->kind != MG_KX_PRIM || x->type.lanes != 1)
        return NULL;
    MgKx *copy = mg_arena_copy(s->arena, x, 1, sizeof *x);
    for (uint32_t i = 0; i < x->n_args; i++)
        if (!(copy->args[i] = in_plan(s, x->args[i])))
            return NULL;
    return copy;
}

static const MgKx *must_be_in_plan(Split *s, const MgKx *x) {
    const MgKx *y = in_plan(s, x);
    if (!y)
        refuse(s, "a barrier over the grid after a value that the host does not know");
    return y ? y : mg_kint(s->p->plan, 0);
}

static void set_scalars(Split *s) {
    s->value = MG_NEW_N(s->arena, const MgKx *, s->from->vars.len + 1);
    for (uint32_t i = 0; i < s->from->scalars.len; i++)
        s->value[s->from->scalars.at[i]] = s->call->scalars[i];
}

const MgKx *mg_call_groups(const MgProgram *p, const MgKCall *call) {
    const MgKernel *k = p->kernels.at[call->kernel];
    Split s = {.p = (MgProgram *)(uintptr_t)p, .arena = p->arena, .from = k, .call = call};
    set_scalars(&s);
    const MgKx *groups = k->groups ? in_plan(&s, k->groups) : NULL;
    return groups ? groups : mg_kint(p->plan, p->max_workers);
}

// ---------------------------------------------------------------- phases

static bool is_load(void *ctx, const MgKx *x) {
    (void)ctx;
    return x->kind == MG_KX_LOAD;
}

// Is a number known when the call is?
static bool is_known(const Split *s, const MgKx *x) {
    Split fresh = {.p = s->p, .arena = s->arena, .from = s->from, .call = s->call};
    set_scalars(&fresh);
    return in_plan(&fresh, x) != NULL;
}

// The groups for which the statements have work, if these are loops over groups: the kernel has as
// many as its largest phase, and a group that finds nothing to do still has to begin.
static const MgKx *groups_of(const Split *s, MgKernel *k, MgKs *const *at, uint32_t n) {
    const MgKx *most = NULL, *all = s->from->groups;
    for (uint32_t i = 0; i < n; i++) {
        const MgKs *f = at[i];
        if (f->kind == MG_KS_LET)
            continue;
        if (f->kind != MG_KS_FOR || f->loop != MG_LOOP_GROUP || !is_known(s, f->high))
            return all;
        most = most ? mg_kprim(k, MG_PRIM_MAX, most, f->high, NULL) : f->high;
    }
    return all && most ? mg_kprim(k, MG_PRIM_MIN, all, most, NULL) : all;
}

static bool note_statement(void *ctx, const MgKs *s) {
    MgKernel *k = ctx;
    if (mg_ks_accesses(s) && s->buf < k->n_params) {
        k->bufs.at[s->buf].reads |= mg_ks_reads(s);
        k->bufs.at[s->buf].writes |= mg_ks_writes(s);
    }
    if (s->kind == MG_KS_BOX)
        k->bufs.at[s->box->from].reads = true;
    return false;
}

static bool note_load(void *ctx, const MgKx *x) {
    MgKernel *k = ctx;
    if (x->kind == MG_KX_LOAD && x->buf < k->n_params)
        k->bufs.at[x->buf].reads = true;
    return false;
}

// Finds what a phase does with the kernel's arguments: launches wait for those alone that write
// what they use.
static void find_uses(MgArena *arena, MgKernel *k) {
    k->bufs.at = mg_arena_copy(arena, k->bufs.at, k->bufs.len, sizeof *k->bufs.at);
    k->bufs.cap = k->bufs.len;
    for (uint32_t i = 0; i < k->n_params; i++)
        k->bufs.at[i].reads = k->bufs.at[i].writes = false;
    mg_kblock_any(&k->body, &(MgKAsk){note_statement, note_load, k});
}

// Makes a kernel of the `n` statements from `at` on, with the surrounding lets and counters.
static uint32_t new_phase(Split *s, MgKs *const *at, uint32_t n) {
    const MgKernel *from = s->from;
    uint32_t number = s->p->kernels.len;
    MgKernel *k = MG_NEW(s->arena, MgKernel);
    *k = *from;
    k->name = mg_symf(from->names, "%s_%u", mg_name(from->names, from->name), s->next);
    memset(&k->scalars, 0, sizeof k->scalars);
    memset(&k->body, 0, sizeof k->body);
    for (uint32_t i = 0; i < from->scalars.len; i++)
        mg_push(s->arena, &k->scalars, from->scalars.at[i]);
    for (uint32_t i = 0; i < s->counters.len; i++)
        mg_push(s->arena, &k->scalars, s->counters.at[i]);
    for (uint32_t i = 0; i < s->lets.len; i++)
        mg_push(s->arena, &k->body.list, (MgKs *)(uintptr_t)s->lets.at[i]);
    for (uint32_t i = 0; i < n; i++)
        mg_push(s->arena, &k->body.list, at[i]);
    find_uses(s->arena, k);
    k->groups = groups_of(s, k, at, n);
    mg_push(s->arena, &s->p->kernels, k);
    return number;
}

static void call_phase(Split *s, MgKs *const *at, uint32_t n, MgKBlock *plan) {
    Phases *known = &s->of[s->call->kernel];
    if (s->next == known->list.len)
        mg_push(s->arena, &known->list, new_phase(s, at, n));
    MgKCall *call = mg_arena_copy(s->arena, s->call, 1, sizeof *s->call);
    const MgKx **scalars = MG_NEW_N(s->arena, const MgKx *, call->n_scalars + s->counters.len + 1);
    for (uint32_t i = 0; i < call->n_scalars; i++)
        scalars[i] = call->scalars[i];
    for (uint32_t i = 0; i < s->counters.len; i++)
        scalars[call->n_scalars + i] = s->value[s->counters.at[i]];
    call->scalars = scalars;
    call->n_scalars += s->counters.len;
    call->kernel = known->list.at[s->next++];
    call->buffers = mg_arena_copy(s->arena, call->buffers, call->n_buffers, sizeof *call->buffers);
    const MgKBuf *bufs = s->p->kernels.at[call->kernel]->bufs.at;
    for (uint32_t i = 0; i < call->n_buffers; i++)
        if (!bufs[i].reads && !bufs[i].writes)
            call->buffers[i].bytes = 0;
    MgKs *statement = MG_NEW(s->arena, MgKs);
    *statement = (MgKs){.kind = MG_KS_CALL, .call = call};
    mg_push(s->arena, &plan->list, statement);
}

static void note_let(Split *s, const MgKs *let) {
    if (mg_kx_any(let->x, &(MgKAsk){.node = is_load}))
        return; // its value is lost at the barrier; the verifier refuses a use after it
    mg_push(s->arena, &s->lets, let);
    s->value[let->var] = in_plan(s, let->x);
}

// ---------------------------------------------------------------- the walk

static void walk(Split *s, const MgKBlock *from, MgKBlock *plan);

static void walk_inside(Split *s, const MgKBlock *from, MgKBlock *plan) {
    uint32_t lets = s->lets.len;
    walk(s, from, plan);
    s->lets.len = lets;
}

static void walk_loop(Split *s, const MgKs *loop, MgKBlock *plan) {
    if (loop->loop != MG_LOOP_SERIAL)
        refuse(s, "a barrier over the grid inside a divided loop");
    const char *name = mg_name(s->from->names, s->from->vars.at[loop->var].name);
    MgKs *f = mg_kfor(s->p->plan, plan, MG_LOOP_SERIAL, name, must_be_in_plan(s, loop->low),
                      must_be_in_plan(s, loop->high), loop->step);
    s->value[loop->var] = mg_kvar(s->p->plan, f->var);
    mg_push(s->arena, &s->counters, loop->var);
    walk_inside(s, &loop->body, &f->body);
    s->counters.len--;
}

static void walk_branch(Split *s, const MgKs *branch, MgKBlock *plan) {
    MgKs *f = mg_kif(s->p->plan, plan, must_be_in_plan(s, branch->x));
    walk_inside(s, &branch->body, &f->body);
    walk_inside(s, &branch->orelse, &f->orelse);
}

// Walks a run of statements without a barrier, from number `first` on. Returns the number after the
// run.
static uint32_t walk_run(Split *s, const MgKBlock *from, uint32_t first, MgKBlock *plan) {
    uint32_t end = first;
    bool works = false;
    for (; end < from->list.len; end++) {
        const MgKs *k = from->list.at[end];
        if (mg_ks_any(k, &barrier))
            break;
        works |= k->kind != MG_KS_LET;
    }
    if (works)
        call_phase(s, from->list.at + first, end - first, plan);
    for (uint32_t i = first; i < end; i++)
        if (from->list.at[i]->kind == MG_KS_LET)
            note_let(s, from->list.at[i]);
    return end;
}

static void walk(Split *s, const MgKBlock *from, MgKBlock *plan) {
    for (uint32_t i = 0; i < from->list.len && s->ok;) {
        uint32_t end = walk_run(s, from, i, plan);
        if (end > i) {
            i = end;
            continue;
        }
        const MgKs *k = from->list.at[i++];
        if (is_barrier(k))
            mg_kbarrier(s->p->plan, plan, MG_BARRIER_GRID);
        else if (k->kind == MG_KS_FOR)
            walk_loop(s, k, plan);
        else if (k->kind == MG_KS_IF)
            walk_branch(s, k, plan);
        else
            refuse(s, "a barrier over the grid inside a loop whose end depends on data");
    }
}

static void split_calls(Split *s, MgKBlock *block) {
    MgKBlock old = *block;
    memset(block, 0, sizeof *block);
    for (uint32_t i = 0; i < old.list.len && s->ok; i++) {
        MgKs *k = old.list.at[i];
        split_calls(s, &k->body);
        split_calls(s, &k->orelse);
        const MgKernel *callee = k->kind == MG_KS_CALL ? s->p->kernels.at[k->call->kernel] : NULL;
        if (!callee || callee->meets || !mg_kblock_any(&callee->body, &barrier)) {
            mg_push(s->arena, &block->list, k);
            continue;
        }
        s->from = callee;
        s->call = k->call;
        s->next = s->lets.len = s->counters.len = 0;
        set_scalars(s);
        walk(s, &callee->body, block);
    }
}

bool mg_program_split(MgProgram *p) {
    uint32_t n = p->kernels.len;
    Split s = {.p = p, .arena = p->arena, .ok = true};
    s.of = MG_NEW_N(p->arena, Phases, n + 1);
    split_calls(&s, &p->plan->body);
    MgSession *session = p->graph->module->session;
    for (uint32_t i = n; i < p->kernels.len && s.ok; i++)
        s.ok = mg_kernel_verify(session, p->kernels.at[i]);
    return s.ok;
}
