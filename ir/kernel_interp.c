// The interpreter of kernel IR: it defines what a kernel means, and checks everything that can go
// wrong.
//
// Each item of each worker (a work-group) is a machine with a stack of blocks, so it can stop at a
// barrier anywhere inside loops and continue later. Items run one after another up to the next
// barrier, which all items of their group, or of the grid, must reach. Shadow memory distinguishes
// races from ordered accesses. Kernels run before and after legalisation.
#include "ir/kernel_interp.h"

#include <inttypes.h>

void mg_kmachine_push(MgKMachine *m, const MgKs *owner, const MgKBlock *block, int64_t i,
                      int64_t high) {
    MgKFrame f = {.owner = owner, .block = block, .i = i, .high = high};
    mg_push(m->arena, &m->worker->stack, f);
}

// ---------------------------------------------------------------- statements

static void set_var(MgKMachine *m, MgKVarId v, int64_t value) {
    m->worker->vars[v].bits[0] = (MgBits)value;
}

static void store(MgKMachine *m, const MgKs *s) {
    MgBits index[MG_K_MAX_LANES], value[MG_K_MAX_LANES], mask[MG_K_MAX_LANES];
    mg_kmachine_eval(m, s->index, index);
    mg_kmachine_eval(m, s->x, value);
    if (s->mask)
        mg_kmachine_eval(m, s->mask, mask);
    for (uint32_t i = 0; i < s->x->type.lanes && !m->failed; i++) {
        if (s->mask && !mask[i])
            continue;
        int64_t element = mg_kmachine_element(m, s->buf, s->index, index, i);
        if (s->later)
            mg_push(m->arena, &m->worker->landing, ((MgKLanding){s->buf, element, value[i]}));
        else
            mg_kmachine_write(m, s->buf, element, value[i]);
    }
}

// The step from one trip of this machine to its next.
static int64_t stride_of(const MgKMachine *m, const MgKs *s) {
    return s->loop == MG_LOOP_GROUP  ? s->step * m->workers
           : s->loop == MG_LOOP_ITEM ? s->step * m->items
                                     : s->step;
}

// Enters a loop. In a parallel loop a worker gets a contiguous block of trips; in a loop over
// groups or items it gets every n-th trip.
static void enter_loop(MgKMachine *m, const MgKs *s) {
    int64_t low = mg_kmachine_eval_int(m, s->low), high = mg_kmachine_eval_int(m, s->high);
    if (m->failed || low >= high)
        return;
    uint64_t trips = ((uint64_t)high - (uint64_t)low + (uint64_t)s->step - 1) / (uint64_t)s->step;
    uint64_t w = m->worker->group, n = m->workers;
    if (s->loop == MG_LOOP_PARALLEL) {
        int64_t base = low;
        low = base + (int64_t)(trips * w / n) * s->step;
        if (w + 1 < n)
            high = base + (int64_t)(trips * (w + 1) / n) * s->step;
    } else if (s->loop == MG_LOOP_GROUP) {
        low += (int64_t)w * s->step;
    } else if (s->loop == MG_LOOP_ITEM) {
        low += (int64_t)m->worker->item * s->step;
    }
    if (low >= high)
        return;
    set_var(m, s->var, low);
    mg_kmachine_push(m, s, &s->body, low, high);
}

static void take(MgKMachine *m, const MgKs *s) {
    MgBits taken = mg_kmachine_shared(m, s->buf, mg_kmachine_eval_int(m, s->index), 1);
    m->worker->vars[s->var].bits[0] = taken;
}

static void post(MgKMachine *m, const MgKs *s) {
    MgBits x;
    mg_kmachine_eval(m, s->x, &x);
    mg_kmachine_write(m, s->buf, mg_kmachine_eval_int(m, s->index), mg_posted((uint32_t)x));
}

// False if a lane's post is still missing.
static bool collect(MgKMachine *m, const MgKs *s) {
    MgBits index[MG_K_MAX_LANES], *out = m->worker->vars[s->var].bits;
    bool all = true;
    mg_kmachine_eval(m, s->index, index);
    for (uint32_t i = 0; i < s->index->type.lanes && !m->failed; i++) {
        MgBits bits = mg_kmachine_shared(m, s->buf, (int64_t)index[i], 0);
        all &= bits >= mg_posted(0);
        out[i] = (uint32_t)bits;
    }
    return all || m->failed;
}

// Binds the arguments of a plan's call and passes the call on.
static void call(MgKMachine *m, const MgKCall *c) {
    MgKBufferArg *buffers = MG_NEW_N(m->arena, MgKBufferArg, c->n_buffers + 1);
    int64_t *scalars = MG_NEW_N(m->arena, int64_t, c->n_scalars + 1);
    if (!m->call)
        mg_kmachine_fail(m, "a call outside a plan");
    for (uint32_t i = 0; i < c->n_buffers && !m->failed; i++) {
        MgKBufId base = c->buffers[i].base;
        int64_t offset = mg_kmachine_eval_int(m, c->buffers[i].offset);
        if (base >= m->k->n_params || offset < 0 || (uint64_t)offset > m->params[base].bytes) {
            mg_kmachine_fail(m, "a call binds byte %" PRId64 " of buffer %u", offset, base);
            return;
        }
        buffers[i] = (MgKBufferArg){(char *)m->params[base].data + offset,
                                    m->params[base].bytes - (size_t)offset};
    }
    for (uint32_t i = 0; i < c->n_scalars && !m->failed; i++)
        scalars[i] = mg_kmachine_eval_int(m, c->scalars[i]);
    if (!m->failed && !(c->copies && buffers[0].data == buffers[1].data))
        m->failed = !m->call(m->ctx, c, buffers, scalars);
}

static void execute(MgKMachine *m, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        mg_kmachine_eval(m, s->x, m->worker->vars[s->var].bits);
        break;
    case MG_KS_STORE:
        store(m, s);
        break;
    case MG_KS_FOR:
        enter_loop(m, s);
        break;
    case MG_KS_WHILE:
        if (mg_kmachine_eval_int(m, s->x))
            mg_kmachine_push(m, s, &s->body, 0, 0);
        break;
    case MG_KS_IF:
        mg_kmachine_push(m, s, mg_kmachine_eval_int(m, s->x) ? &s->body : &s->orelse, 0, 0);
        break;
    case MG_KS_TRAP:
        if (s->x)
            mg_kmachine_eval_int(m, s->x); // checks the value; the device makes the message
        if (m->trap && !*m->trap)
            *m->trap = s->code;
        break;
    case MG_KS_PRODUCT:
        mg_kmachine_begin_product(m, s);
        break;
    case MG_KS_AWAIT:
        mg_kmachine_end_lagging(m);
        break;
    case MG_KS_RELEASE:
        mg_kmachine_release(m, s);
        break;
    case MG_KS_TAKE:
        take(m, s);
        break;
    case MG_KS_POST:
        post(m, s);
        break;
    case MG_KS_CALL:
        call(m, s->call);
        break;
    case MG_KS_BOX:
    case MG_KS_LANDED:
    case MG_KS_BARRIER:
    case MG_KS_TALLY:
    case MG_KS_COLLECT:
    case MG_KS_PREFETCH:
        break;
    }
}

// Starts the next trip of a loop, or leaves the block.
static void end_block(MgKMachine *m, MgKFrame *f) {
    const MgKs *s = f->owner;
    int64_t stride = s ? stride_of(m, s) : 0;
    f->next = 0;
    if (s && s->kind == MG_KS_FOR && f->high - f->i > stride) {
        f->i += stride;
        set_var(m, s->var, f->i);
    } else if (!(s && s->kind == MG_KS_WHILE && mg_kmachine_eval_int(m, s->x))) {
        m->worker->stack.len--;
        if (s && s->kind == MG_KS_PRODUCT)
            mg_kmachine_end_product(m, s);
        if (s && s->dealt)
            m->worker->at = s;
    }
}

// Do all workers meet at this statement: at a barrier, or at the end of a loop that is dealt out?
static bool meets_grid(const MgKs *s) {
    return s->dealt || (s->kind == MG_KS_BARRIER && s->barrier == MG_BARRIER_GRID);
}

// Does the item let other groups run? It waits for posts, or has taken a number: so groups wait for
// each other here as they do on a device.
static bool stands_aside(const MgKWorker *w) {
    return w->at && (w->at->kind == MG_KS_COLLECT || w->at->kind == MG_KS_TAKE);
}

// Runs an item up to the next barrier or its end. In a group of one item, it passes barriers of the
// group.
static void run_item(MgKMachine *m, MgKWorker *w) {
    const MgKs *met = w->at;
    m->worker = w;
    w->at = NULL;
    m->epoch++;
    if (met && met->kind == MG_KS_PRODUCT)
        execute(m, met);
    if (met && met->kind == MG_KS_COLLECT && !collect(m, met)) {
        w->at = met;
        return;
    }
    while (!m->failed && w->stack.len && !w->at) {
        MgKFrame *f = &w->stack.at[w->stack.len - 1];
        m->epoch++;
        m->done++;
        if (f->next == f->block->list.len) {
            end_block(m, f);
            continue;
        }
        const MgKs *s = f->block->list.at[f->next++];
        bool meets = s->kind == MG_KS_BARRIER && (meets_grid(s) || m->items > 1);
        if (meets || s->kind == MG_KS_LANDED || s->kind == MG_KS_BOX || s->kind == MG_KS_TALLY) {
            w->at = s;
            return;
        }
        if (s->kind == MG_KS_PRODUCT && s->product->row_lies == MG_LIES_HELD) {
            mg_kmachine_hold(m, s);
            w->at = s;
            return;
        }
        uint32_t depth = w->stack.len;
        execute(m, s);
        if (s->dealt && w->stack.len == depth) // there is no trip for this worker
            w->at = s;
        if (s->kind == MG_KS_TAKE || (s->kind == MG_KS_COLLECT && !collect(m, s)))
            w->at = s;
    }
}

// Has item i computed the same products as those that take part in them?
static bool is_with_neighbours(const MgKWorker *items, uint32_t i) {
    const MgKWorker *narrow = &items[i - i % MG_TOGETHER];
    const MgKWorker *wide = &items[i - i % (MG_WIDE * MG_TOGETHER)];
    return items[i].joint == narrow->joint && items[i].wide == wide->wide;
}

// Neighbouring items count in their order, as if one item did it: they don't race with each other,
// but with all other items.
static void tally(MgKMachine *m, MgKWorker *items, const MgKs *s) {
    for (uint32_t i = 0; i < m->items && !m->failed; i++) {
        MgBits at;
        m->worker = &items[i];
        m->epoch++;
        mg_kmachine_eval(m, s->index, &at);
        m->worker = &items[i - i % MG_TOGETHER];
        MgBits count = mg_kmachine_read(m, s->buf, (int64_t)at);
        if (!m->failed)
            mg_kmachine_write(m, s->buf, (int64_t)at, (uint32_t)(count + 1));
        items[i].vars[s->var].bits[0] = count;
    }
}

// Runs the items of a group as far as they get alone. False if some of them stand aside.
static bool run_items(MgKMachine *m, MgKWorker *items) {
    bool aside = false, still = false;
    for (uint32_t i = 0; i < m->items; i++)
        aside |= stands_aside(&items[i]);
    for (uint32_t i = 0; i < m->items && !m->failed; i++) {
        if (!aside || stands_aside(&items[i]))
            run_item(m, &items[i]);
        still |= stands_aside(&items[i]);
    }
    return !still;
}

// Runs the items of a group up to the next barrier over the grid, or to their end. Returns that
// barrier, or NULL. *aside: items stand aside instead.
static const MgKs *run_group(MgKMachine *m, MgKWorker *items, bool *aside) {
    for (;;) {
        *aside = !run_items(m, items);
        if (*aside)
            return NULL;
        const MgKs *at = items[0].at;
        for (uint32_t i = 1; i < m->items && !m->failed; i++) {
            if (items[i].at != at)
                mg_kmachine_fail(m, "items 0 and %u of a group meet at different places", i);
            if (!is_with_neighbours(items, i))
                mg_kmachine_fail(m, "item %u computes another product than its neighbours", i);
        }
        if (m->failed || !at || meets_grid(at))
            return at;
        if (at->kind == MG_KS_BOX)
            mg_kmachine_box(m, items, at);
        if (at->kind == MG_KS_LANDED)
            mg_kmachine_landed(m, items, at);
        if (at->kind == MG_KS_TALLY)
            tally(m, items, at);
        if (at->kind == MG_KS_BARRIER)
            mg_kmachine_met(m, items);
    }
}

// ---------------------------------------------------------------- the whole run

// Makes room for the values of nodes with several users in a statement.
static void find_shared(MgKMachine *m, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKx *roots[MG_KS_ROOTS];
        MgKxList shared = {0};
        mg_kx_shared(m->arena, roots, mg_ks_roots(b->list.at[i], roots), &shared);
        for (uint32_t n = 0; n < shared.list.len; n++) {
            const MgKx *x = shared.list.at[n];
            if (mg_map_find(&m->shared, (uint64_t)(uintptr_t)x))
                continue;
            mg_map_put(&m->shared, (uint64_t)(uintptr_t)x, m->values.len);
            MgKValue value = {.bits = MG_NEW_N(m->arena, MgBits, x->type.lanes)};
            mg_push(m->arena, &m->values, value);
        }
        find_shared(m, &b->list.at[i]->body);
        find_shared(m, &b->list.at[i]->orelse);
    }
}

static MgKWorker *new_workers(MgKMachine *m, const int64_t *scalars) {
    uint32_t n = m->workers * m->items;
    MgKWorker *all = MG_NEW_N(m->arena, MgKWorker, n);
    for (uint32_t w = 0; w < n; w++) {
        m->worker = &all[w];
        all[w].group = w / m->items;
        all[w].item = w % m->items;
        all[w].vars = MG_NEW_N(m->arena, MgKValue, m->k->vars.len);
        for (uint32_t v = 0; v < m->k->vars.len; v++)
            all[w].vars[v].bits = MG_NEW_N(m->arena, MgBits, m->k->vars.at[v].type.lanes);
        for (uint32_t s = 0; s < m->k->scalars.len; s++)
            set_var(m, m->k->scalars.at[s], scalars[s]);
        mg_kmachine_push(m, NULL, &m->k->body, 0, 0);
    }
    return all;
}

static int64_t *counts_of(MgKMachine *m) {
    int64_t *counts = MG_NEW_N(m->arena, int64_t, m->k->bufs.len + 1);
    for (uint32_t i = m->k->n_params; i < m->k->bufs.len && !m->failed; i++) {
        m->epoch++;
        counts[i] = mg_kmachine_eval_int(m, m->k->bufs.at[i].count);
        if (counts[i] < 0 || counts[i] > INT64_MAX / 1024)
            mg_kmachine_fail(m, "%s has %" PRId64 " elements",
                             mg_name(m->k->names, m->k->bufs.at[i].name), counts[i]);
    }
    return counts;
}

// Runs all groups to the next barrier over the grid, or to their end. Returns how many reach it.
static uint32_t run_groups(MgKMachine *m, MgKWorker *all) {
    bool *arrived = MG_NEW_N(m->arena, bool, m->workers + 1), up = true;
    uint32_t left = m->workers, waiting = 0;
    for (uint64_t before = 0; left && !m->failed; up = !up) {
        if (before && before == m->done)
            mg_kmachine_fail(m, "%u of %u groups wait for posts that nobody makes", left,
                             m->workers);
        before = m->done;
        for (uint32_t i = 0; i < m->workers && !m->failed; i++) {
            uint32_t w = up ? i : m->workers - 1 - i;
            bool aside = true;
            if (!arrived[w])
                waiting += run_group(m, &all[w * m->items], &aside) != NULL;
            left -= !aside;
            arrived[w] |= !aside;
        }
    }
    return waiting;
}

static void run_phases(MgKMachine *m, MgKWorker *all) {
    for (bool done = false; !done && !m->failed;) {
        uint32_t waiting = run_groups(m, all);
        done = !waiting;
        if (waiting && waiting < m->workers)
            mg_kmachine_fail(m, "%u of %u workers reach a barrier over the grid", waiting,
                             m->workers);
        if (waiting)
            mg_kmemory_barrier(m->memory);
    }
}

static bool run(MgKMachine *m, const MgKBufferArg *buffers, const int64_t *scalars) {
    m->arena = mg_arena_new(mg_arena_mem(m->k->arena));
    m->params = buffers;
    mg_map_init(&m->shared, m->arena);
    find_shared(m, &m->k->body);
    MgKWorker *all = new_workers(m, scalars);
    int64_t *counts = counts_of(m);
    if (!m->failed) {
        m->memory = mg_kmemory_new(m->arena, m->k, buffers, counts, m->workers, m->items);
        mg_kmemory_watch(m->memory, m->history, !m->call && !m->alone,
                         m->call ? MG_K_EVERYONE : MG_K_ANYONE);
        run_phases(m, all);
    }
    mg_arena_free(m->arena);
    return !m->failed;
}

static MgKMachine machine(MgSession *session, const MgKernel *k, uint32_t workers) {
    return (MgKMachine){.session = session,
                        .k = k,
                        .releases = mg_kernel_releases(k),
                        .workers = workers,
                        .items = k->items};
}

bool mg_kernel_interp(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                      const int64_t *scalars, uint32_t workers, uint32_t *trap) {
    MgKMachine m = machine(session, k, workers ? workers : 1);
    m.trap = trap;
    if (trap)
        *trap = 0;
    return run(&m, buffers, scalars);
}

bool mg_kernel_interp_call(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                           const int64_t *scalars, uint32_t workers, bool alone,
                           MgKHistory *history, uint32_t *trap) {
    MgKMachine m = machine(session, k, alone ? 1 : workers);
    m.trap = trap;
    m.history = history;
    m.alone = alone;
    *trap = 0;
    return run(&m, buffers, scalars);
}

bool mg_kernel_interp_plan(MgSession *session, const MgKernel *plan, const MgKBufferArg *buffers,
                           const int64_t *scalars, MgKHistory *history, MgKCallFn *call,
                           void *ctx) {
    MgKMachine m = machine(session, plan, 1);
    m.items = 1;
    m.history = history;
    m.call = call;
    m.ctx = ctx;
    return run(&m, buffers, scalars);
}
