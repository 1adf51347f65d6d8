// Searches an order of ops that keeps few bytes alive. Between two fixed steps it tries all orders
// of a few steps, or makes a greedy order of many and repairs it window by window.
#include "passes/order.h"

// ---------------------------------------------------------------- the model
typedef struct Memory {
    const MgOrderProblem *p;
    uint32_t *left; // by block: remaining readers
    int64_t live;
} Memory;

static Memory memory_new(const MgOrderProblem *p, MgArena *arena) {
    Memory m = {p, MG_NEW_N(arena, uint32_t, p->n_blocks), 0};
    for (uint32_t i = 0; i < p->n_blocks; i++)
        m.left[i] = p->blocks[i].n_readers;
    return m;
}

// The bytes that a step allocates beyond those that it takes over.
static int64_t made_by(const Memory *m, const MgOrderStep *s) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_makes; i++)
        bytes += m->p->blocks[s->makes[i]].bytes;
    bool over = s->over != UINT32_MAX && m->left[s->over] == 1;
    return over ? bytes - m->p->blocks[s->over].bytes : bytes;
}

static int64_t freed_by(const Memory *m, const MgOrderStep *s) {
    int64_t bytes = 0;
    for (uint32_t i = 0; i < s->n_reads; i++) {
        uint32_t block = s->reads[i];
        bool over = block == s->over; // its bytes are reused
        if (m->left[block] == 1 && !over)
            bytes += m->p->blocks[block].bytes;
    }
    for (uint32_t i = 0; i < s->n_makes; i++)
        if (!m->p->blocks[s->makes[i]].n_readers)
            bytes += m->p->blocks[s->makes[i]].bytes; // it has no readers
    return bytes;
}

// Runs a step and returns the bytes alive while it runs.
static int64_t run(Memory *m, const MgOrderStep *s) {
    int64_t during = m->live + made_by(m, s);
    m->live = during - freed_by(m, s);
    for (uint32_t i = 0; i < s->n_reads; i++)
        m->left[s->reads[i]]--;
    return during;
}

// Runs steps and returns the most bytes alive while they run.
static int64_t run_all(Memory *m, const uint32_t *steps, uint32_t n) {
    int64_t peak = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t during = run(m, &m->p->steps[steps[i]]);
        peak = during > peak ? during : peak;
    }
    return peak;
}

// Takes back steps that ran; before them, `live` bytes were alive.
static void take_back(Memory *m, const uint32_t *steps, uint32_t n, int64_t live) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m->p->steps[steps[i]].n_reads; k++)
            m->left[m->p->steps[steps[i]].reads[k]]++;
    m->live = live;
}

int64_t mg_order_peak(const MgOrderProblem *p, const uint32_t *order, uint32_t n, MgArena *arena) {
    Memory m = memory_new(p, arena);
    return run_all(&m, order, n);
}

// ---------------------------------------------------------------- the search
typedef struct State { // after a set of a window's steps
    int64_t peak, live;
    uint8_t latest; // the last step of the best order
    bool reached;
} State;

typedef struct Candidate { // a step that may run
    int64_t change;        // the change of the live bytes
    uint32_t step;
} Candidate;

// Lists by number, stored one after another: list k is at[first[k]] to at[first[k + 1]].
typedef struct Lists {
    uint32_t *at, *first;
} Lists;

typedef struct Search {
    const MgOrderProblem *p;
    MgArena *arena;
    Memory memory; // before the current stretch or window
    int64_t peak;  // of everything before the stretch
    // A window's steps are sets of bits.
    State *states;     // by set
    uint32_t *bit_of;  // by step: 0 if it is not in the window
    uint32_t *readers; // by block: its readers in the window
    // The greedy order.
    Lists users;     // by step: the steps that need it
    Lists reading;   // by block: the steps that read it
    uint32_t *waits; // by step: the number of its needs that have yet to run; RAN
    int64_t *change; // by step: of the live bytes if it ran now
    MG_VEC(Candidate) heap;
} Search;

// ---------------------------------------------------------------- exhaustive search of few steps
// The live bytes after a set of steps do not depend on the order in the set: dynamic programming
// over sets, after Ahn et al., "Ordering chaos", MLSys 2020.
enum { WINDOW = 14 };

typedef struct WindowRead { // a read of a block that dies in the window, by the last of its readers
    uint32_t readers;       // a set of steps
    int64_t bytes;
    bool over; // the step's result may take its bytes
} WindowRead;

typedef struct WindowStep {
    uint32_t needs; // a set of steps
    int64_t makes;  // bytes, less those that it takes over in any order
    int64_t frees;  // bytes that die with it in any order
    WindowRead *reads;
    uint32_t n_reads;
} WindowStep;

typedef struct Window {
    WindowStep steps[WINDOW];
    uint32_t n;
    State *states; // by set of steps: 1 << WINDOW of them
} Window;

static void extend(Window *w, uint32_t set) {
    const State *from = &w->states[set];
    for (uint32_t i = 0; i < w->n; i++) {
        const WindowStep *s = &w->steps[i];
        if (set >> i & 1 || (s->needs & ~set))
            continue;
        int64_t during = from->live + s->makes, freed = s->frees;
        for (uint32_t k = 0; k < s->n_reads; k++) {
            if (s->reads[k].readers & ~(set | 1u << i))
                continue;
            if (s->reads[k].over)
                during -= s->reads[k].bytes;
            else
                freed += s->reads[k].bytes;
        }
        int64_t peak = from->peak > during ? from->peak : during;
        State *to = &w->states[set | 1u << i];
        if (!to->reached || peak < to->peak)
            *to = (State){peak, during - freed, (uint8_t)i, true};
    }
}

static WindowStep window_step(Search *search, uint32_t step) {
    const MgOrderProblem *p = search->p;
    const MgOrderStep *s = &p->steps[step];
    WindowStep w = {.reads = MG_NEW_N(search->arena, WindowRead, s->n_reads)};
    for (uint32_t j = 0; j < s->n_needs; j++)
        w.needs |= search->bit_of[s->needs[j]];
    for (uint32_t j = 0; j < s->n_makes; j++) {
        const MgOrderBlock *made = &p->blocks[s->makes[j]];
        w.makes += made->bytes;
        w.frees += made->n_readers ? 0 : made->bytes;
    }
    for (uint32_t j = 0; j < s->n_reads; j++) {
        uint32_t block = s->reads[j], readers = search->readers[block];
        int64_t bytes = p->blocks[block].bytes;
        if ((uint32_t)__builtin_popcount(readers) != search->memory.left[block])
            continue; // it is still read later
        if (readers != search->bit_of[step])
            w.reads[w.n_reads++] = (WindowRead){readers, bytes, block == s->over};
        else if (block == s->over)
            w.makes -= bytes;
        else
            w.frees += bytes;
    }
    return w;
}

// Records which steps are in the window; with `in` false, removes them.
static void set_window(Search *s, const uint32_t *steps, uint32_t n, bool in) {
    for (uint32_t i = 0; i < n; i++) {
        const MgOrderStep *step = &s->p->steps[steps[i]];
        s->bit_of[steps[i]] = in ? 1u << i : 0;
        for (uint32_t k = 0; k < step->n_reads; k++)
            s->readers[step->reads[k]] = in ? s->readers[step->reads[k]] | 1u << i : 0;
    }
}

// Puts steps[0..n) into the best order.
static void order_window(Search *s, uint32_t *steps, uint32_t n) {
    Window w = {.n = n, .states = s->states};
    set_window(s, steps, n, true);
    for (uint32_t i = 0; i < n; i++)
        w.steps[i] = window_step(s, steps[i]);
    set_window(s, steps, n, false);
    memset(w.states, 0, sizeof *w.states << n);
    w.states[0] = (State){.live = s->memory.live, .reached = true};
    for (uint32_t set = 0; set + 1 < 1u << n; set++)
        if (w.states[set].reached)
            extend(&w, set);
    uint32_t best[WINDOW];
    for (uint32_t set = (1u << n) - 1, i = n; i-- > 0;) {
        best[i] = steps[w.states[set].latest];
        set &= ~(1u << w.states[set].latest);
    }
    memcpy(steps, best, n * sizeof *best);
}

// ---------------------------------------------------------------- many steps
static bool goes_first(Candidate a, Candidate b) {
    return a.change != b.change ? a.change < b.change : a.step < b.step;
}

static void push(Search *s, uint32_t step) {
    Candidate new = {s->change[step], step};
    mg_push(s->arena, &s->heap, new);
    Candidate *heap = s->heap.at;
    uint32_t at = s->heap.len - 1;
    for (; at && goes_first(new, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = new;
}

static Candidate pop(Search *s) {
    Candidate *heap = s->heap.at, first = heap[0], last = mg_pop(&s->heap);
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < s->heap.len; at = child) {
        child += child + 1 < s->heap.len && goes_first(heap[child + 1], heap[child]);
        if (!goes_first(heap[child], last))
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return first;
}

static const uint32_t RAN = UINT32_MAX;

// Updates the counts of other steps after a step has run; steps are numbered first to end in the
// source.
static void ran(Search *s, uint32_t step, uint32_t first, uint32_t end) {
    const MgOrderStep *it = &s->p->steps[step];
    s->waits[step] = RAN;
    for (uint32_t i = s->users.first[step]; i < s->users.first[step + 1]; i++) {
        uint32_t user = s->users.at[i];
        if (user < end && !--s->waits[user])
            push(s, user);
    }
    for (uint32_t k = 0; k < it->n_reads; k++) {
        uint32_t block = it->reads[k];
        for (uint32_t i = s->reading.first[block];
             s->memory.left[block] == 1 && i < s->reading.first[block + 1]; i++) {
            uint32_t reader = s->reading.at[i]; // the last one frees it or takes its bytes over
            if (reader < first || reader >= end || s->waits[reader] == RAN)
                continue;
            s->change[reader] -= s->p->blocks[block].bytes;
            if (!s->waits[reader])
                push(s, reader);
        }
    }
}

// Of the steps that may run, takes the one that frees the most bytes, and among equals the first in
// the source. A step whose gain grows is pushed again, and outdated entries are ignored.
static void greedy(Search *s, uint32_t *steps, uint32_t n) {
    uint32_t first = steps[0], end = first + n; // they are in the source's order
    int64_t live = s->memory.live;
    for (uint32_t step = first; step < end; step++) {
        const MgOrderStep *it = &s->p->steps[step];
        s->change[step] = made_by(&s->memory, it) - freed_by(&s->memory, it);
        s->waits[step] = 0;
        for (uint32_t j = 0; j < it->n_needs; j++)
            s->waits[step] += it->needs[j] >= first;
        if (!s->waits[step])
            push(s, step);
    }
    for (uint32_t i = 0; i < n;) {
        Candidate best = pop(s);
        if (s->waits[best.step] == RAN || best.change != s->change[best.step])
            continue;
        steps[i++] = best.step;
        run(&s->memory, &s->p->steps[best.step]);
        ran(s, best.step, first, end);
    }
    s->heap.len = 0;
    take_back(&s->memory, steps, n, live);
}

// Puts each window in turn into its best order; twice, with the windows shifted.
static void repair(Search *s, uint32_t *steps, uint32_t n) {
    enum { SMALL = 10 };
    for (uint32_t round = 0; round < 2; round++) {
        int64_t live = s->memory.live;
        for (uint32_t at = 0; at < n;) {
            uint32_t length = round && !at ? SMALL / 2 : SMALL;
            length = length < n - at ? length : n - at;
            order_window(s, steps + at, length);
            run_all(&s->memory, steps + at, length);
            at += length;
        }
        take_back(&s->memory, steps, n, live);
    }
}

// Sorts the steps by key; steps of one key stay in their order. Keys are below n.
static void sort_by_key(Search *s, uint32_t *steps, const uint32_t *key, uint32_t n) {
    uint32_t *from = mg_arena_copy(s->arena, steps, n, sizeof *steps);
    uint32_t *next = MG_NEW_N(s->arena, uint32_t, n + 1u);
    for (uint32_t i = 0; i < n; i++)
        next[key[i] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        next[i + 1] += next[i];
    for (uint32_t i = 0; i < n; i++)
        steps[next[key[i]]++] = from[i];
}

// For each of the steps in this order, the bytes that are alive behind it and were not before it.
static void find_gains(Search *s, const uint32_t *steps, uint32_t n, int64_t *gain) {
    int64_t live = s->memory.live;
    for (uint32_t i = 0; i < n; i++) {
        int64_t before = s->memory.live;
        run(&s->memory, &s->p->steps[steps[i]]);
        gain[i] = s->memory.live - before;
    }
    take_back(&s->memory, steps, n, live);
}

// Moves each step after which fewer bytes are alive directly behind the last one that it needs: a
// gradient is used up where it is made.
static void settle_up(Search *s, uint32_t *steps, uint32_t n) {
    uint32_t first = steps[0]; // they are in the source's order
    int64_t *gain = MG_NEW_N(s->arena, int64_t, n);
    uint32_t *key = MG_NEW_N(s->arena, uint32_t, n);
    find_gains(s, steps, n, gain);
    for (uint32_t i = 0; i < n; i++) {
        const MgOrderStep *it = &s->p->steps[steps[i]];
        uint32_t to = 0, found = 0;
        for (uint32_t k = 0; k < it->n_needs; k++)
            if (it->needs[k] >= first) {
                uint32_t behind = key[it->needs[k] - first];
                to = behind > to ? behind : to;
                found++;
            }
        key[i] = found && (gain[i] < 0 || !it->n_makes) ? to : i;
    }
    sort_by_key(s, steps, key, n);
}

// Moves each step after which more bytes are alive directly before the first one that needs it:
// what is computed again for a derivative is computed there, though a greedy choice would be to
// compute it early, since it adds fewer bytes than other steps.
static void settle_down(Search *s, uint32_t *steps, uint32_t n) {
    uint32_t first = s->p->n_steps;
    int64_t *gain = MG_NEW_N(s->arena, int64_t, n);
    uint32_t *key = MG_NEW_N(s->arena, uint32_t, n), *place = MG_NEW_N(s->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        first = steps[i] < first ? steps[i] : first;
    find_gains(s, steps, n, gain);
    for (uint32_t i = n; i-- > 0;) {
        uint32_t to = n, step = steps[i];
        for (uint32_t k = s->users.first[step]; k < s->users.first[step + 1]; k++) {
            uint32_t user = s->users.at[k] - first;
            if (user < n && key[place[user]] < to)
                to = key[place[user]];
        }
        place[step - first] = i;
        key[i] = gain[i] > 0 && to < n ? to : i;
    }
    sort_by_key(s, steps, key, n);
}

// The peak up to the end of the stretch.
static int64_t peak_with(Search *s, const uint32_t *steps, uint32_t n) {
    int64_t live = s->memory.live, peak = run_all(&s->memory, steps, n);
    take_back(&s->memory, steps, n, live);
    return peak > s->peak ? peak : s->peak;
}

// Takes the other order if its peak is smaller.
static void take_better(Search *s, uint32_t *steps, const uint32_t *other, uint32_t n) {
    if (peak_with(s, other, n) < peak_with(s, steps, n))
        memcpy(steps, other, n * sizeof *steps);
}

// Orders the steps between two fixed ones, if that makes the peak so far smaller.
static void order_stretch(Search *s, uint32_t *steps, uint32_t n) {
    int64_t before = peak_with(s, steps, n);
    if (n < 2 || before == s->peak)
        return;
    uint32_t *source = mg_arena_copy(s->arena, steps, n, sizeof *steps);
    if (n <= WINDOW) {
        order_window(s, steps, n);
    } else {
        uint32_t *other = mg_arena_copy(s->arena, steps, n, sizeof *steps);
        uint32_t *settled = mg_arena_copy(s->arena, steps, n, sizeof *steps);
        settle_up(s, settled, n);
        settle_down(s, settled, n);
        repair(s, steps, n);
        greedy(s, other, n);
        repair(s, other, n);
        take_better(s, steps, other, n);
        take_better(s, steps, settled, n);
    }
    if (peak_with(s, steps, n) >= before)
        memcpy(steps, source, n * sizeof *steps);
}

// For each x below n, the steps that list it among their reads or needs.
static Lists inverse(const MgOrderProblem *p, bool reads, uint32_t n, MgArena *arena) {
    Lists to = {.first = MG_NEW_N(arena, uint32_t, n + 2u)};
    for (uint32_t fill = 0; fill < 2; fill++) { // the first pass counts; afterwards first[x + 1] is
                                                // where x's next entry goes
        for (uint32_t i = 0; i < p->n_steps; i++) {
            const MgOrderStep *s = &p->steps[i];
            const uint32_t *list = reads ? s->reads : s->needs;
            for (uint32_t k = 0; k < (reads ? s->n_reads : s->n_needs); k++)
                if (fill)
                    to.at[to.first[list[k] + 1]++] = i;
                else
                    to.first[list[k] + 2]++;
        }
        for (uint32_t x = 0; x <= n && !fill; x++)
            to.first[x + 1] += to.first[x];
        if (!fill)
            to.at = MG_NEW_N(arena, uint32_t, to.first[n + 1]);
    }
    return to;
}

uint32_t *mg_order_search(const MgOrderProblem *p, MgArena *arena) {
    Search s = {.p = p, .arena = arena, .memory = memory_new(p, arena)};
    s.states = MG_NEW_N(arena, State, (size_t)1 << WINDOW);
    s.bit_of = MG_NEW_N(arena, uint32_t, p->n_steps);
    s.readers = MG_NEW_N(arena, uint32_t, p->n_blocks);
    s.users = inverse(p, false, p->n_steps, arena);
    s.reading = inverse(p, true, p->n_blocks, arena);
    s.waits = MG_NEW_N(arena, uint32_t, p->n_steps);
    s.change = MG_NEW_N(arena, int64_t, p->n_steps);
    uint32_t *order = MG_NEW_N(arena, uint32_t, p->n_steps), first = 0;
    for (uint32_t i = 0; i < p->n_steps; i++)
        order[i] = i;
    for (uint32_t i = 0; i <= p->n_steps; i++)
        if (i == p->n_steps || p->steps[i].fixed) {
            order_stretch(&s, order + first, i - first);
            uint32_t end = i < p->n_steps ? i + 1 : i;
            int64_t peak = run_all(&s.memory, order + first, end - first);
            s.peak = peak > s.peak ? peak : s.peak;
            first = end;
        }
    return order;
}
