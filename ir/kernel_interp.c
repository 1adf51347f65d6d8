// The interpreter of kernel IR: it defines what a kernel means, and checks everything that can go
// wrong.
//
// Each item of each worker (a work-group) is a machine with a stack of blocks, so it can stop at a
// barrier anywhere inside loops and go on later. Items run one after another up to the next
// barrier, which all items of their group, or of the grid, must reach. Shadow memory tells races
// from ordered accesses. Kernels run before and after legalisation.
#include "ir/kernel_impl.h"
#include "ir/kernel_memory.h"

#include <inttypes.h>

#define MAX_LANES 64

typedef struct Frame {
    const MgKs *owner; // the loop or branch; NULL: the kernel
    const MgKBlock *block;
    uint32_t next;
    int64_t i, high; // of a loop: counter and end
} Frame;

typedef struct Value { // of a variable, or of a node with several users
    uint64_t epoch;
    MgBits *bits;
} Value;

typedef struct Landing { // an element that is stored later
    MgKBufId buf;
    int64_t element;
    MgBits value;
} Landing;

typedef struct Worker { // one item of one group
    uint32_t group, item;
    MG_VEC(Frame) stack;
    Value *vars;
    const MgKs *at;                 // the barrier where it waits; NULL: it runs, or has ended
    uint64_t joint;                 // hash of the matrix products that it joined
    MG_VEC(Landing) landing;        // of the product that began last, and ...
    MG_VEC(Landing) lagging_stores; // ... of the one before, if that lags
    const MgKs *lagging;            // a product that has not ended, or NULL
    int64_t row0, column0;          // of the product that began last
} Worker;

typedef struct Machine {
    MgSession *session;
    MgArena *arena;
    const MgKernel *k;
    MgKMemory *memory;
    uint32_t workers, items;
    uint32_t together; // items that join the same products
    Worker *worker;    // the one that runs
    MgMap shared;      // node to its index in values
    MG_VEC(Value) values;
    MG_VEC(MgBits) product; // sums and factors of the product that is computed
    uint64_t epoch;         // number of the current statement
    uint32_t *trap;
    const MgKBufferArg *params;
    MgKCallFn *call; // NULL if k is not a plan
    void *ctx;
    bool failed;
} Machine;

__attribute__((format(printf, 2, 3))) static void fail(Machine *m, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = mg_arena_vprintf(m->arena, format, args);
    va_end(args);
    if (!m->failed)
        mg_diag(m->session, mg_no_span(), MG_D_kernel_failed, mg_name(m->k->names, m->k->name),
                what);
    m->failed = true;
}

// ---------------------------------------------------------------- expressions

static void eval(Machine *m, const MgKx *x, MgBits *out);

static uint32_t self(const Machine *m) {
    return m->worker->group * m->items + m->worker->item;
}

static int64_t eval_int(Machine *m, const MgKx *x) {
    MgBits bits[MAX_LANES];
    eval(m, x, bits);
    return mg_bits_to_int(x->type.dtype, bits[0]);
}

// The number of the scalar that lane `lane` of an access touches.
static int64_t element_of(const Machine *m, MgKBufId buf, const MgKx *index, const MgBits *at,
                          uint32_t lane) {
    uint32_t width = m->k->bufs.at[buf].elem.lanes;
    if (width > 1) // the index counts vector elements
        return (int64_t)(at[0] * width + lane);
    return index->type.lanes > 1 ? (int64_t)at[lane] : (int64_t)(at[0] + lane);
}

static void eval_load(Machine *m, const MgKx *x, MgBits *out) {
    MgBits index[MAX_LANES], mask[MAX_LANES];
    memset(out, 0, x->type.lanes * sizeof *out);
    eval(m, x->args[0], index);
    if (x->n_args == 3) {
        eval(m, x->args[1], mask);
        eval(m, x->args[2], out);
    }
    for (uint32_t i = 0; i < x->type.lanes && !m->failed; i++) {
        if (x->n_args == 3 && !mask[i])
            continue;
        int64_t element = element_of(m, x->buf, x->args[0], index, i);
        const char *error = mg_kmemory_read(m->memory, x->buf, self(m), element, &out[i]);
        if (error)
            fail(m, "%s", error);
    }
}

static void eval_prim(Machine *m, const MgKx *x, MgBits *out) {
    MgBits args[3][MAX_LANES];
    for (uint32_t i = 0; i < x->n_args; i++)
        eval(m, x->args[i], args[i]);
    MgDType from = x->args[x->prim == MG_PRIM_WHERE ? 1 : 0]->type.dtype;
    for (uint32_t lane = 0; lane < x->type.lanes; lane++) {
        MgBits lanes[3];
        for (uint32_t i = 0; i < x->n_args; i++)
            lanes[i] = args[i][lane];
        out[lane] = mg_prim_eval(x->prim, from, x->type.dtype, lanes);
    }
}

static MgBits combine(MgPrim prim, MgDType dtype, MgBits a, MgBits b) {
    MgBits args[2] = {a, b};
    return mg_prim_eval(prim, dtype, dtype, args);
}

// Combines halves, and the last lane of an odd number at the end, as the legaliser does.
static void eval_fold(Machine *m, const MgKx *x, MgBits *out) {
    MgBits v[MAX_LANES], rest = 0;
    uint32_t n = x->args[0]->type.lanes;
    bool any = false;
    eval(m, x->args[0], v);
    for (; n > 1; n /= 2) {
        if (n % 2) {
            rest = any ? combine(x->prim, x->type.dtype, v[n - 1], rest) : v[n - 1];
            any = true;
        }
        for (uint32_t i = 0; i < n / 2; i++)
            v[i] = combine(x->prim, x->type.dtype, v[i], v[n / 2 + i]);
    }
    *out = any ? combine(x->prim, x->type.dtype, v[0], rest) : v[0];
}

static void eval_lanes(Machine *m, const MgKx *x, MgBits *out) {
    MgBits a[MAX_LANES], b[MAX_LANES];
    uint32_t n = x->args[0]->type.lanes;
    eval(m, x->args[0], a);
    if (x->n_args > 1)
        eval(m, x->args[1], b);
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        if (x->kind == MG_KX_SPLAT)
            out[i] = a[0];
        else if (x->kind == MG_KX_LANE)
            out[i] = a[x->value];
        else if (x->kind == MG_KX_PERMUTE)
            out[i] = x->lanes[i] < n ? a[x->lanes[i]] : b[x->lanes[i] - n];
        else if (x->kind == MG_KX_LOOKUP)
            out[i] = x->table[a[i] & (x->value - 1)];
        else
            out[i] = combine(
                MG_PRIM_ADD, x->type.dtype, a[0],
                combine(MG_PRIM_MUL, x->type.dtype, b[0], mg_bits_from_int(x->type.dtype, i)));
    }
}

static void compute(Machine *m, const MgKx *x, MgBits *out) {
    switch (x->kind) {
    case MG_KX_CONST:
        for (uint32_t i = 0; i < x->type.lanes; i++)
            out[i] = x->bits;
        break;
    case MG_KX_VAR:
        memcpy(out, m->worker->vars[x->var].bits, x->type.lanes * sizeof *out);
        break;
    case MG_KX_LOAD:
        eval_load(m, x, out);
        break;
    case MG_KX_PRIM:
        eval_prim(m, x, out);
        break;
    case MG_KX_FOLD:
        eval_fold(m, x, out);
        break;
    case MG_KX_WORKER:
        out[0] = m->worker->group;
        break;
    case MG_KX_WORKERS:
        out[0] = m->workers;
        break;
    case MG_KX_LOCAL_ID:
        out[0] = m->worker->item;
        break;
    case MG_KX_LOCAL_SIZE:
        out[0] = m->items;
        break;
    default:
        eval_lanes(m, x, out);
    }
}

static void eval(Machine *m, const MgKx *x, MgBits *out) {
    if (m->failed) {
        memset(out, 0, x->type.lanes * sizeof *out);
        return;
    }
    bool leaf = x->kind == MG_KX_CONST || x->kind == MG_KX_VAR;
    uint64_t *shared = leaf ? NULL : mg_map_find(&m->shared, (uint64_t)(uintptr_t)x);
    if (!shared) {
        compute(m, x, out);
        return;
    }
    if (m->values.at[*shared].epoch != m->epoch) {
        compute(m, x, out);
        Value *value = &m->values.at[*shared];
        value->epoch = m->epoch;
        memcpy(value->bits, out, x->type.lanes * sizeof *out);
    }
    memcpy(out, m->values.at[*shared].bits, x->type.lanes * sizeof *out);
}

// ---------------------------------------------------------------- statements

static void set_var(Machine *m, MgKVarId v, int64_t value) {
    m->worker->vars[v].bits[0] = (MgBits)value;
}

static void push(Machine *m, const MgKs *owner, const MgKBlock *block, int64_t i, int64_t high) {
    Frame f = {.owner = owner, .block = block, .i = i, .high = high};
    mg_push(m->arena, &m->worker->stack, f);
}

static void write_at(Machine *m, MgKBufId buf, int64_t element, MgBits value) {
    const char *error = mg_kmemory_write(m->memory, buf, self(m), element, value);
    if (error)
        fail(m, "%s", error);
}

static void store(Machine *m, const MgKs *s) {
    MgBits index[MAX_LANES], value[MAX_LANES], mask[MAX_LANES];
    eval(m, s->index, index);
    eval(m, s->x, value);
    if (s->mask)
        eval(m, s->mask, mask);
    for (uint32_t i = 0; i < s->x->type.lanes && !m->failed; i++) {
        if (s->mask && !mask[i])
            continue;
        int64_t element = element_of(m, s->buf, s->index, index, i);
        if (s->later)
            mg_push(m->arena, &m->worker->landing, ((Landing){s->buf, element, value[i]}));
        else
            write_at(m, s->buf, element, value[i]);
    }
}

// The step from one trip of this machine to its next.
static int64_t stride_of(const Machine *m, const MgKs *s) {
    return s->loop == MG_LOOP_GROUP  ? s->step * m->workers
           : s->loop == MG_LOOP_ITEM ? s->step * m->items
                                     : s->step;
}

// In a parallel loop a worker gets a contiguous block of trips; in a loop over groups or items,
// every n-th trip.
static void enter_loop(Machine *m, const MgKs *s) {
    int64_t low = eval_int(m, s->low), high = eval_int(m, s->high);
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
    push(m, s, &s->body, low, high);
}

// Binds the arguments of a plan's call and passes the call on.
static void call(Machine *m, const MgKCall *c) {
    MgKBufferArg *buffers = MG_NEW_N(m->arena, MgKBufferArg, c->n_buffers + 1);
    int64_t *scalars = MG_NEW_N(m->arena, int64_t, c->n_scalars + 1);
    if (!m->call)
        fail(m, "a call outside a plan");
    for (uint32_t i = 0; i < c->n_buffers && !m->failed; i++) {
        MgKBufId base = c->buffers[i].base;
        int64_t offset = eval_int(m, c->buffers[i].offset);
        if (base >= m->k->n_params || offset < 0 || (uint64_t)offset > m->params[base].bytes) {
            fail(m, "a call binds byte %" PRId64 " of buffer %u", offset, base);
            return;
        }
        buffers[i] = (MgKBufferArg){(char *)m->params[base].data + offset,
                                    m->params[base].bytes - (size_t)offset};
    }
    for (uint32_t i = 0; i < c->n_scalars && !m->failed; i++)
        scalars[i] = eval_int(m, c->scalars[i]);
    if (!m->failed)
        m->failed = !m->call(m->ctx, c, buffers, scalars);
}

static MgBits read_at(Machine *m, MgKBufId buf, int64_t element) {
    MgBits bits = 0;
    const char *error = m->failed ? NULL : mg_kmemory_read(m->memory, buf, self(m), element, &bits);
    if (error)
        fail(m, "%s", error);
    return bits;
}

// sum + a * b, all of one type.
static MgBits multiply_add(MgDType type, MgBits a, MgBits b, MgBits sum) {
    MgBits args[] = {a, b, sum};
    if (mg_is_float(type))
        return mg_prim_eval(MG_PRIM_FMA, type, type, args);
    args[0] = mg_prim_eval(MG_PRIM_MUL, type, type, args);
    args[1] = sum;
    return mg_prim_eval(MG_PRIM_ADD, type, type, args);
}

// Room for n values of a product.
static MgBits *product_room(Machine *m, uint32_t n) {
    while (m->product.len < n)
        mg_push(m->arena, &m->product, 0);
    return m->product.at;
}

// Computes this item's sums of a product. They have the elements of its rows by those of its
// columns at each depth in turn, so each element is read once.
static void multiply(Machine *m, const MgKs *s, int64_t row0, int64_t column0) {
    const MgKProduct *p = s->product;
    const MgAtomRow *atom = mg_atom(p->atom);
    uint32_t lane = m->worker->item % MG_TOGETHER, warp = m->worker->item / MG_TOGETHER;
    int64_t first = mg_product_is_wide(p) ? warp % MG_WIDE * MG_PRODUCT_ROWS : 0;
    uint32_t rows = p->rows / MG_PRODUCT_ROWS * 2, columns = p->columns / MG_PRODUCT_COLUMNS * 2;
    uint32_t n = rows * columns;
    MgBits *sums = product_room(m, n + columns), *right = sums + n;
    for (uint32_t e = 0; e < n; e++)
        sums[e] = p->fresh ? 0 : read_at(m, s->buf, e);
    for (uint32_t d = 0; d < p->depth && !m->failed; d++) {
        for (uint32_t j = 0; j < columns; j++) {
            int64_t at = j / 2 * MG_PRODUCT_COLUMNS + lane % 4 * 2 + j % 2;
            MgBits x = read_at(m, p->column_buf, column0 + mg_product_column(p, at, d));
            right[j] = mg_prim_eval(MG_PRIM_CAST, atom->column, atom->sum, &x);
        }
        for (uint32_t i = 0; i < rows; i++) {
            int64_t at = first + i / 2 * MG_PRODUCT_ROWS + lane / 4 + i % 2 * 8;
            MgBits x = read_at(m, p->row_buf, row0 + mg_product_row(p, at, d));
            x = mg_prim_eval(MG_PRIM_CAST, atom->row, atom->sum, &x);
            MgBits *fragments = sums + i / 2 * columns * 2 + i % 2 * 2; // vectors of four
            for (uint32_t j = 0; j < columns; j++) {
                MgBits *sum = &fragments[j / 2 * 4 + j % 2];
                *sum = multiply_add(atom->sum, x, right[j], *sum);
            }
        }
    }
    for (uint32_t e = 0; e < n && !m->failed; e++)
        write_at(m, s->buf, e, sums[e]);
}

// Whether all items that join a product do the same one is checked when they meet.
static void begin_product(Machine *m, const MgKs *s) {
    Worker *w = m->worker;
    int64_t row0 = eval_int(m, s->index), column0 = eval_int(m, s->x);
    const int64_t what[] = {(int64_t)(uintptr_t)s, row0, column0};
    w->joint = mg_hash(what, sizeof what, w->joint + 1);
    if (mg_product_is_wide(s->product))
        m->together = MG_WIDE * MG_TOGETHER;
    push(m, s, &s->body, 0, 0);
}

static void land(Machine *m, const Landing *all, uint32_t n) {
    for (uint32_t i = 0; i < n && !m->failed; i++)
        write_at(m, all[i].buf, all[i].element, all[i].value);
}

static void end_lagging(Machine *m) {
    Worker *w = m->worker;
    if (w->lagging)
        multiply(m, w->lagging, w->row0, w->column0);
    land(m, w->lagging_stores.at, w->lagging_stores.len);
    w->lagging = NULL;
    w->lagging_stores.len = 0;
}

// All happens as late as may be.
static void end_product(Machine *m, const MgKs *s) {
    Worker *w = m->worker;
    end_lagging(m);
    w->row0 = eval_int(m, s->index);
    w->column0 = eval_int(m, s->x);
    if (s->product->lag == MG_LAG_ALL)
        w->lagging = s;
    else
        multiply(m, s, w->row0, w->column0);
    for (uint32_t i = 0; i < w->landing.len; i++)
        mg_push(m->arena, &w->lagging_stores, w->landing.at[i]);
    w->landing.len = 0;
    if (s->product->lag == MG_LAG_NONE)
        end_lagging(m);
}

static void execute(Machine *m, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        eval(m, s->x, m->worker->vars[s->var].bits);
        break;
    case MG_KS_STORE:
        store(m, s);
        break;
    case MG_KS_FOR:
        enter_loop(m, s);
        break;
    case MG_KS_WHILE:
        if (eval_int(m, s->x))
            push(m, s, &s->body, 0, 0);
        break;
    case MG_KS_IF:
        push(m, s, eval_int(m, s->x) ? &s->body : &s->orelse, 0, 0);
        break;
    case MG_KS_TRAP:
        if (s->x)
            eval_int(m, s->x); // checks it; the device makes the message
        if (m->trap && !*m->trap)
            *m->trap = s->code;
        break;
    case MG_KS_PRODUCT:
        begin_product(m, s);
        break;
    case MG_KS_AWAIT:
        end_lagging(m);
        break;
    case MG_KS_CALL:
        call(m, s->call);
        break;
    case MG_KS_BARRIER:
    case MG_KS_PREFETCH:
        break;
    }
}

// Starts the next trip of a loop, or leaves the block.
static void end_block(Machine *m, Frame *f) {
    const MgKs *s = f->owner;
    int64_t stride = s ? stride_of(m, s) : 0;
    f->next = 0;
    if (s && s->kind == MG_KS_FOR && f->high - f->i > stride) {
        f->i += stride;
        set_var(m, s->var, f->i);
    } else if (!(s && s->kind == MG_KS_WHILE && eval_int(m, s->x))) {
        m->worker->stack.len--;
        if (s && s->kind == MG_KS_PRODUCT)
            end_product(m, s);
    }
}

// Runs an item up to the next barrier or its end. A group of one item passes barriers of the group
// alone.
static void run_item(Machine *m, Worker *w) {
    m->worker = w;
    w->at = NULL;
    while (!m->failed && w->stack.len) {
        Frame *f = &w->stack.at[w->stack.len - 1];
        m->epoch++;
        if (f->next == f->block->list.len) {
            end_block(m, f);
            continue;
        }
        const MgKs *s = f->block->list.at[f->next++];
        if (s->kind == MG_KS_BARRIER && (s->barrier == MG_BARRIER_GRID || m->items > 1)) {
            w->at = s;
            return;
        }
        execute(m, s);
    }
}

// Runs the items of a group up to the next barrier over the grid, or to their end. Returns that
// barrier, or NULL.
static const MgKs *run_group(Machine *m, Worker *items) {
    for (;;) {
        for (uint32_t i = 0; i < m->items && !m->failed; i++)
            run_item(m, &items[i]);
        const MgKs *at = items[0].at;
        for (uint32_t i = 1; i < m->items && !m->failed; i++) {
            if (items[i].at != at)
                fail(m, "items 0 and %u of a group stop at different barriers", i);
            if (items[i].joint != items[i / m->together * m->together].joint)
                fail(m, "item %u computes another product than its neighbours", i);
        }
        if (m->failed || !at || at->barrier == MG_BARRIER_GRID)
            return at;
        mg_kmemory_group_barrier(m->memory, items->group);
    }
}

// ---------------------------------------------------------------- the whole run

// Makes places for the values of nodes with several users in a statement.
static void find_shared(Machine *m, const MgKBlock *b) {
    for (uint32_t i = 0; i < b->list.len; i++) {
        const MgKx *roots[5];
        MgKxList shared = {0};
        mg_kx_shared(m->arena, roots, mg_ks_roots(b->list.at[i], roots), &shared);
        for (uint32_t n = 0; n < shared.list.len; n++) {
            const MgKx *x = shared.list.at[n];
            if (mg_map_find(&m->shared, (uint64_t)(uintptr_t)x))
                continue;
            mg_map_put(&m->shared, (uint64_t)(uintptr_t)x, m->values.len);
            Value value = {.bits = MG_NEW_N(m->arena, MgBits, x->type.lanes)};
            mg_push(m->arena, &m->values, value);
        }
        find_shared(m, &b->list.at[i]->body);
        find_shared(m, &b->list.at[i]->orelse);
    }
}

static Worker *new_workers(Machine *m, const int64_t *scalars) {
    uint32_t n = m->workers * m->items;
    Worker *all = MG_NEW_N(m->arena, Worker, n);
    for (uint32_t w = 0; w < n; w++) {
        m->worker = &all[w];
        all[w].group = w / m->items;
        all[w].item = w % m->items;
        all[w].vars = MG_NEW_N(m->arena, Value, m->k->vars.len);
        for (uint32_t v = 0; v < m->k->vars.len; v++)
            all[w].vars[v].bits = MG_NEW_N(m->arena, MgBits, m->k->vars.at[v].type.lanes);
        for (uint32_t s = 0; s < m->k->scalars.len; s++)
            set_var(m, m->k->scalars.at[s], scalars[s]);
        push(m, NULL, &m->k->body, 0, 0);
    }
    return all;
}

static int64_t *counts_of(Machine *m) {
    int64_t *counts = MG_NEW_N(m->arena, int64_t, m->k->bufs.len + 1);
    for (uint32_t i = m->k->n_params; i < m->k->bufs.len && !m->failed; i++) {
        m->epoch++;
        counts[i] = eval_int(m, m->k->bufs.at[i].count);
        if (counts[i] < 0 || counts[i] > INT64_MAX / 1024)
            fail(m, "%s has %" PRId64 " elements", mg_name(m->k->names, m->k->bufs.at[i].name),
                 counts[i]);
    }
    return counts;
}

static void run_phases(Machine *m, Worker *all) {
    for (bool done = false; !done && !m->failed;) {
        uint32_t waiting = 0;
        for (uint32_t w = 0; w < m->workers && !m->failed; w++)
            waiting += run_group(m, &all[w * m->items]) != NULL;
        done = !waiting;
        if (waiting && waiting < m->workers)
            fail(m, "%u of %u workers reach a barrier over the grid", waiting, m->workers);
        mg_kmemory_barrier(m->memory);
    }
}

static bool run(Machine *m, const MgKBufferArg *buffers, const int64_t *scalars) {
    m->arena = mg_arena_new(mg_arena_mem(m->k->arena));
    m->params = buffers;
    mg_map_init(&m->shared, m->arena);
    find_shared(m, &m->k->body);
    Worker *all = new_workers(m, scalars);
    int64_t *counts = counts_of(m);
    if (!m->failed) {
        m->memory = mg_kmemory_new(m->arena, m->k, buffers, counts, m->workers, m->items);
        run_phases(m, all);
    }
    mg_arena_free(m->arena);
    return !m->failed;
}

bool mg_kernel_interp(MgSession *session, const MgKernel *k, const MgKBufferArg *buffers,
                      const int64_t *scalars, uint32_t workers, uint32_t *trap) {
    Machine m = {.session = session,
                 .k = k,
                 .workers = workers ? workers : 1,
                 .items = k->items,
                 .together = MG_TOGETHER,
                 .trap = trap};
    if (trap)
        *trap = 0;
    return run(&m, buffers, scalars);
}

bool mg_kernel_interp_plan(MgSession *session, const MgKernel *plan, const MgKBufferArg *buffers,
                           const int64_t *scalars, MgKCallFn *call, void *ctx) {
    Machine m = {.session = session,
                 .k = plan,
                 .workers = 1,
                 .items = 1,
                 .together = MG_TOGETHER,
                 .call = call,
                 .ctx = ctx};
    return run(&m, buffers, scalars);
}
