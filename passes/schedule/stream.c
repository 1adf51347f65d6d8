// Kernels that move more bytes than the last-level cache holds. Their stores to large tensors
// bypass the caches: the data would be evicted before it is read, and lines need not be fetched
// before they are written, which saves a third of a copy's traffic. Loads from large tensors are
// prefetched: the CPU's own prefetchers stop at the end of a page, and start again with a miss.
//
// Stores must be whole vectors, in runs long enough to fill lines; a line that is written in part,
// and then again, costs more than this saves. Operands that the kernel reads, or overwrites in
// place, are in the cache already.
// Loads in the last loop over a row prefetch the same position of the next row, if a row fits into
// the first-level cache; otherwise they prefetch a fixed distance ahead (`ahead` of the machine).
// If data choose elements of a row, the whole next row is prefetched, in order: the CPU can't
// predict the positions, and would wait for each. If data choose rows, a later row is prefetched.
#include "ir/kernel_impl.h"
#include "ir/kernel_walk.h"
#include "passes/schedule/schedule.h"
#include "passes/schedule/words.h"

enum { RUN = 8, LEAST_BYTES = 16 };

typedef struct Stream {
    const MgSched *s;
    MgKernel *k;
    const bool *large;  // by parameter
    const MgKs *rows;   // the innermost parallel loop
    MgKVarId row;       // its variable
    MgKs *first, *last; // loops in it that read the current parameter
    MgKBufId buf;
} Stream;

// Is x, apart from the loop's variable, a multiple of `line` elements?
static bool whole_lines(const MgKx *x, const MgKs *loop, int64_t line) {
    if (x->kind == MG_KX_VAR)
        return x->var == loop->var && loop->low->kind == MG_KX_CONST && loop->low->bits == 0;
    if (x->kind == MG_KX_CONST)
        return (int64_t)x->bits % line == 0;
    if (x->kind != MG_KX_PRIM)
        return false;
    if (x->prim == MG_PRIM_ADD)
        return whole_lines(x->args[0], loop, line) && whole_lines(x->args[1], loop, line);
    return x->prim == MG_PRIM_MUL && x->args[1]->kind == MG_KX_CONST &&
           (int64_t)x->args[1]->bits % line == 0;
}

static int64_t length(const MgKs *loop) { // its number of elements; a large number if unknown
    if (loop->low->kind != MG_KX_CONST || loop->high->kind != MG_KX_CONST)
        return INT32_MAX;
    int64_t n = (int64_t)(loop->high->bits - loop->low->bits);
    return (n + loop->step - 1) / loop->step * loop->step;
}

static int64_t at_most(const MgKx *x) { // a large number if unknown
    if (x->kind == MG_KX_CONST)
        return (int64_t)x->bits;
    if (x->kind != MG_KX_PRIM || (x->prim != MG_PRIM_MIN && x->prim != MG_PRIM_ADD))
        return INT32_MAX;
    int64_t a = at_most(x->args[0]), b = at_most(x->args[1]);
    if (x->prim == MG_PRIM_MIN)
        return a < b ? a : b;
    return a < INT32_MAX && b < INT32_MAX ? a + b : INT32_MAX;
}

// Does an innermost loop fill lines: has it at least RUN vectors, or whole ones?
static bool fills(const Stream *t, const MgKs *loop, const MgKs *store) {
    int64_t line = mg_line(t->s) / (int64_t)mg_dtype_size(store->x->type.dtype), n = length(loop);
    return n >= RUN * loop->step ||
           (n >= line && n % line == 0 && whole_lines(store->index, loop, line));
}

static bool is_large(const Stream *t, MgKBufId buf) {
    return buf < t->k->n_params && t->large[buf];
}

static void store_past_caches(Stream *t, MgKBlock *block, const MgKs *loop) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        if (s->kind == MG_KS_STORE && loop && is_large(t, s->buf) && !t->k->bufs.at[s->buf].reads &&
            !s->mask && s->index->type.lanes == 1 && fills(t, loop, s) &&
            s->x->type.lanes * mg_dtype_size(s->x->type.dtype) >= LEAST_BYTES)
            s->nontemporal = true;
        store_past_caches(t, &s->body, s->kind == MG_KS_FOR ? s : loop);
        store_past_caches(t, &s->orelse, loop);
    }
}

// ---------------------------------------------------------------- prefetching
// x with variable v replaced, and with the definitions of the block's first n statements. x itself
// if it has none of them; NULL if that is not possible.
static const MgKx *replaced(const Stream *t, const MgKx *x, MgKVarId v, const MgKx *by,
                            const MgKBlock *block, uint32_t n) {
    const MgKx *args[3] = {0};
    bool same = true;
    for (uint32_t i = 0; x->kind == MG_KX_VAR && i < n; i++)
        if (block->list.at[i]->kind == MG_KS_LET && block->list.at[i]->var == x->var)
            return replaced(t, block->list.at[i]->x, v, by, block, i);
    if (x->kind == MG_KX_VAR)
        return x->var == v ? by : x;
    if (x->n_args && ((x->kind != MG_KX_PRIM && x->kind != MG_KX_LOAD) || x->type.lanes > 1 ||
                      (x->kind == MG_KX_LOAD && t->k->bufs.at[x->buf].writes)))
        return NULL;
    for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i] && !(args[i] = replaced(t, x->args[i], v, by, block, n)))
            return NULL;
        same &= args[i] == x->args[i];
    }
    return same ? x : mg_kx_remake(t->k, x, args);
}

// x with v increased.
static const MgKx *moved(const Stream *t, const MgKx *x, MgKVarId v, int64_t by) {
    return replaced(t, x, v, plus(t->k, mg_kvar(t->k, v), by), NULL, 0);
}

static bool reads_row(const MgKs *s, MgKBufId buf) {
    return s->kind == MG_KS_LET && s->x->kind == MG_KX_LOAD && s->x->buf == buf &&
           s->x->n_args == 1 && s->x->type.lanes > 1 && s->x->args[0]->type.lanes == 1;
}

// Is it an innermost loop over vectors that reads t->buf contiguously?
static bool is_reader(const Stream *t, const MgKs *loop) {
    bool found = false;
    for (uint32_t i = 0; i < loop->body.list.len; i++) {
        const MgKs *s = loop->body.list.at[i];
        if (s->kind == MG_KS_FOR || s->kind == MG_KS_WHILE)
            return false;
        found |= reads_row(s, t->buf);
    }
    return found && loop->loop == MG_LOOP_SERIAL && loop->step > 1;
}

static void find_readers(Stream *t, MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        if (s->kind == MG_KS_FOR && is_reader(t, s)) {
            t->first = t->first ? t->first : s;
            t->last = s;
        }
        find_readers(t, &s->body);
        find_readers(t, &s->orelse);
    }
}

// Inserts the prefetches before statement `at` of the loop.
static void insert(Stream *t, MgKs *loop, uint32_t at, MgKBlock *asked) {
    for (uint32_t i = at; i < loop->body.list.len; i++)
        mg_push(t->k->arena, &asked->list, loop->body.list.at[i]);
    loop->body.list.len = at;
    mg_kblock_append(t->k, &loop->body, asked);
}

// Adds prefetches of each line of a vector like `load`, which begins at `index`.
static void ask_lines(Stream *t, MgKs *loop, uint32_t at, const MgKx *load, const MgKx *index) {
    MgKBlock asked = {0};
    int64_t size = (int64_t)mg_dtype_size(load->type.dtype);
    for (int64_t i = 0; i < (int64_t)load->type.lanes * size; i += mg_line(t->s))
        mg_kprefetch(t->k, &asked, t->buf, plus(t->k, index, i / size));
    insert(t, loop, at, &asked);
}

// Adds prefetches before the first load of t->buf in the loop.
static void ask(Stream *t, MgKs *loop) {
    uint32_t at = 0;
    while (!reads_row(loop->body.list.at[at], t->buf))
        at++;
    const MgKx *load = loop->body.list.at[at]->x;
    int64_t size = (int64_t)mg_dtype_size(load->type.dtype);
    int64_t longest = loop->low->kind == MG_KX_CONST ? at_most(loop->high) : INT32_MAX;
    bool rows = t->first != t->last && longest <= mg_figure(t->s, l1_size) / size;
    MgKVarId v = rows ? t->row : loop->var;
    const MgKx *index = moved(t, load->args[0], v, rows ? 1 : mg_figure(t->s, ahead) / size);
    if (index && index != load->args[0])
        ask_lines(t, loop, at, load, index);
}

// ---------------------------------------------------------------- data choose elements of a row
// The difference of x between steps of v; -1: not a constant.
static int64_t step_of(const MgKx *x, MgKVarId v) {
    if (x->kind == MG_KX_CONST || x->kind == MG_KX_VAR)
        return x->kind == MG_KX_VAR && x->var == v;
    if (x->kind != MG_KX_PRIM || x->n_args != 2)
        return -1;
    int64_t a = step_of(x->args[0], v), b = step_of(x->args[1], v);
    if (a < 0 || b < 0 || a > INT32_MAX || b > INT32_MAX)
        return -1;
    if (x->prim == MG_PRIM_ADD)
        return a + b;
    bool scaled =
        x->prim == MG_PRIM_MUL && x->args[1]->kind == MG_KX_CONST && x->args[1]->bits < INT32_MAX;
    return scaled ? a * (int64_t)x->args[1]->bits : a + b ? -1 : 0;
}

// The beginning of the row from which a statement gathers elements of t->buf; NULL if it gathers
// none.
static const MgKx *gathered(const Stream *t, const MgKs *s) {
    if (s->kind != MG_KS_LET || s->x->kind != MG_KX_LOAD || s->x->buf != t->buf)
        return NULL;
    const MgKx *x = s->x->args[0];
    for (uint32_t i = 0; x->kind == MG_KX_PRIM && x->prim == MG_PRIM_ADD && i < 2; i++)
        if (x->args[i]->kind == MG_KX_SPLAT)
            return x->args[i]->args[0];
    return NULL;
}

// Prefetches a share of the next row in each trip of the loop, if most of the row's lines will be
// used.
static void ask_row(Stream *t, MgKs *loop, uint32_t at, const MgKx *start) {
    MgKernel *k = t->k;
    int64_t size = (int64_t)mg_dtype_size(loop->body.list.at[at]->x->type.dtype);
    int64_t row = step_of(start, t->row), n = length(loop);
    if (row <= 0 || row > mg_figure(t->s, l1_size) / size || n == INT32_MAX ||
        loop->low->kind != MG_KX_CONST)
        return;
    int64_t line = mg_line(t->s) / size, lines = (row + line - 1) / line, trips = n / loop->step;
    if (n < lines / 2 || trips < RUN)
        return;
    int64_t each = (lines + trips - 1) / trips;
    const MgKx *trip = over(k, sub(k, mg_kvar(k, loop->var), loop->low), loop->step);
    const MgKx *from = add(k, moved(t, start, t->row, 1), times(k, trip, each * line));
    MgKBlock asked = {0};
    for (int64_t i = 0; i < each; i++)
        mg_kprefetch(k, &asked, t->buf, plus(k, from, i * line));
    insert(t, loop, at, &asked);
}

static void ask_for_rows(Stream *t, MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        for (uint32_t at = 0; s->kind == MG_KS_FOR && s->step > 1 && at < s->body.list.len; at++) {
            const MgKx *start = gathered(t, s->body.list.at[at]);
            if (!start)
                continue;
            ask_row(t, s, at, start);
            break;
        }
        ask_for_rows(t, &s->body);
    }
}

// ---------------------------------------------------------------- data choose rows
static bool is_load(void *ctx, const MgKx *x) {
    (void)ctx;
    return x->kind == MG_KX_LOAD;
}

// Vectors of a row whose position depends on data: the CPU's prefetchers start again at each row,
// so the same vector of a later row is prefetched.
static void ask_chosen(Stream *t, MgKs *loop) {
    MgKernel *k = t->k;
    for (uint32_t at = 0; at < loop->body.list.len; at++) {
        const MgKs *s = loop->body.list.at[at];
        if (s->kind != MG_KS_LET || s->x->kind != MG_KX_LOAD || s->x->buf != t->buf ||
            s->x->type.lanes == 1 || s->x->args[0]->type.lanes > 1)
            continue;
        int64_t size = (int64_t)mg_dtype_size(s->x->type.dtype), row = length(loop) * size;
        const MgKx *last = minus(k, t->rows->high, 1);
        const MgKx *next =
            plus(k, mg_kvar(k, t->row), 1 + mg_figure(t->s, chosen_ahead) / (row > 0 ? row : 1));
        const MgKx *index =
            replaced(t, s->x->args[0], t->row, least(k, next, last), &loop->body, at);
        if (!index || !mg_kx_any(index, &(MgKAsk){.node = is_load}))
            continue;
        ask_lines(t, loop, at, s->x, index);
        return;
    }
}

// Only if every row covers the whole box: neither branches nor ranges may depend on the row.
static void ask_for_chosen(Stream *t, MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        if (s->kind != MG_KS_FOR || length(s) == INT32_MAX)
            continue;
        if (s->step > 1)
            ask_chosen(t, s);
        else
            ask_for_chosen(t, &s->body);
    }
}

static void ask_early(Stream *t, MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++) {
        MgKs *s = block->list.at[i];
        if (s->kind != MG_KS_FOR || s->loop != MG_LOOP_PARALLEL) {
            ask_early(t, &s->body);
            continue;
        }
        t->rows = s;
        t->row = s->var;
        for (t->buf = 0; t->buf < t->k->n_params; t->buf++) {
            t->first = t->last = NULL;
            if (!t->large[t->buf] || t->k->bufs.at[t->buf].writes)
                continue;
            find_readers(t, &s->body);
            ask_for_rows(t, &s->body);
            ask_for_chosen(t, &s->body);
            if (t->last && length(t->last) >= RUN * t->last->step)
                ask(t, t->last);
        }
    }
}

void mg_kb_stream(MgKb *kb) {
    MgSched *s = kb->s;
    MgKernel *k = kb->k;
    int64_t *bytes = MG_NEW_N(s->arena, int64_t, k->n_params + 1), all = 0;
    bool *large = MG_NEW_N(s->arena, bool, k->n_params + 1);
    for (uint32_t i = 0; i < k->n_params; i++) {
        if (!mg_ix_is_const(s->ix, s->draft->storages.at[kb->params.at[i]].bytes, &bytes[i]))
            bytes[i] = 0;
        all += bytes[i];
    }
    int64_t cache = s->options->target.l3_bytes;
    if (all < cache || s->walk || s->options->level < 2 || s->options->target.gpu || !cache)
        return;
    for (uint32_t i = 0; i < k->n_params; i++)
        large[i] = bytes[i] >= cache / 2;
    Stream t = {.s = s, .k = k, .large = large};
    store_past_caches(&t, &k->body, NULL);
    ask_early(&t, &k->body);
}
