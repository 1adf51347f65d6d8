// Boxes in the interpreter of kernel IR. They land as late as they may, and nobody may touch their
// memory before. The first item of a group keeps them.
#include "ir/kernel_interp.h"

#include <inttypes.h>
#include <string.h>

typedef struct Walk { // the position of a line
    int64_t at[MG_BOX_AXES];
} Walk;

// The element of `from` at a position along axis 0 of a line, or -1 if it is outside.
static int64_t element_at(const MgKBox *b, const Walk *line, const int64_t *taps, int64_t i) {
    int64_t element = b->base;
    for (uint32_t a = 0; a < b->rank; a++) {
        int64_t at = line->at[a] + (a ? 0 : i);
        at += b->pixels && a && a + 1 < b->rank ? taps[a - 1] : 0;
        if (at < 0 || at >= b->axes[a].size)
            return -1;
        element += at * b->axes[a].stride;
    }
    return element;
}

// Moves to the next line of a box that began at `first`; `line` is the number of the next one.
static void move_on(const MgKBox *b, const Walk *first, int64_t line, Walk *w) {
    for (uint32_t a = 1; a < b->rank && !b->pixels; a++) {
        w->at[a] = first->at[a] + line % b->axes[a].extent;
        line /= b->axes[a].extent;
    }
    for (uint32_t i = 0; b->pixels && i < b->rank - 2; i++) {
        w->at[i + 1] += b->walks[i].step;
        if (w->at[i + 1] < b->axes[i + 1].size + b->walks[i].high)
            return;
        w->at[i + 1] = b->walks[i].low;
    }
    if (b->pixels)
        w->at[b->rank - 1]++;
}

// The bits of an f32 that is rounded to tf32.
static MgBits rounded(MgBits x) {
    const MgBits magnitude = 0x7fffffff, infinite = 0x7f800000, low = 0x1fff;
    MgBits below_half = low / 2 + (x >> 13 & 1);
    return (x & magnitude) > infinite ? magnitude & ~low : (x + below_half) & ~low;
}

// What lands: a zero for an element outside.
static void push_line(MgKMachine *m, const MgKs *s, const Walk *w, const int64_t *taps, int64_t to,
                      int64_t line, MgKSlot *slot) {
    const MgKBox *b = s->box;
    int64_t n = b->axes[0].extent, piece = n / (MG_LINE_BYTES / MG_PIECE_BYTES);
    for (int64_t i = 0; i < n && !m->failed; i++) {
        int64_t from = element_at(b, w, taps, i);
        int64_t at = to + line * n + (i / piece ^ line % 8) * piece + i % piece;
        MgBits value = from < 0 ? 0 : mg_kmachine_read(m, b->from, from);
        value = b->rounds ? rounded(value) : value;
        mg_push(m->arena, &slot->landing, ((MgKLanding){s->buf, at, value}));
    }
}

static MgKSlot *slot_at(MgKMachine *m, MgKWorker *first, const MgKs *s) {
    int64_t number = mg_kmachine_eval_int(m, s->x);
    if (!first->slots)
        first->slots = MG_NEW_N(m->arena, MgKSlot, MG_BOX_SLOTS);
    if (number < 0 || number >= MG_BOX_SLOTS || (s->box && number >= s->box->slots)) {
        mg_kmachine_fail(m, "there is no slot %" PRId64, number);
        return first->slots;
    }
    return &first->slots[number];
}

static void empty(MgKMachine *m, const MgKWorker *first, const MgKSlot *slot) {
    for (uint32_t i = 0; i < slot->landing.len && !m->failed; i++) {
        const MgKLanding *l = &slot->landing.at[i];
        const char *error = mg_kmemory_empty(m->memory, l->buf, first->group, l->element,
                                             (uint32_t)(slot - first->slots));
        if (error)
            mg_kmachine_fail(m, "%s", error);
    }
}

// All items must give the same box. The first one's values count.
void mg_kmachine_box(MgKMachine *m, MgKWorker *first, const MgKs *s) {
    const MgKBox *b = s->box;
    int64_t places[MG_BOX_PLACES] = {0}, to = 0;
    uint64_t joint = 0;
    for (uint32_t n = m->items; n-- > 0 && !m->failed;) {
        m->worker = first + n;
        m->epoch++;
        int64_t number = mg_kmachine_eval_int(m, s->x);
        to = mg_kmachine_eval_int(m, s->index);
        for (uint32_t i = 0; i < mg_box_places(b); i++)
            places[i] = mg_kmachine_eval_int(m, s->at[i]);
        uint64_t own =
            mg_hash(places, sizeof places, (uint64_t)to * MG_BOX_SLOTS + (uint64_t)number);
        if (n + 1 < m->items && own != joint)
            mg_kmachine_fail(m, "items %u and %u have different boxes", n, n + 1);
        joint = own;
    }
    MgKSlot *slot = slot_at(m, first, s);
    if (slot->n == b->together)
        mg_kmachine_fail(m, "a box for a slot that is full");
    if (!slot->n && slot->filled && slot->released < m->items)
        mg_kmachine_fail(m, "a box for a slot that %u of %u items have released", slot->released,
                         m->items);
    if (to % (8 * b->axes[0].extent))
        mg_kmachine_fail(m, "a box that begins within eight lines");
    slot->n++;
    slot->together = b->together;
    slot->filled = true;
    Walk line, origin;
    memcpy(origin.at, places, sizeof origin.at);
    line = origin;
    for (int64_t l = 0; l < mg_box_lines(b) && !m->failed; l++) {
        push_line(m, s, &line, places + b->rank, to, l, slot);
        move_on(b, &origin, l + 1, &line);
    }
    empty(m, first, slot);
}

void mg_kmachine_landed(MgKMachine *m, MgKWorker *first, const MgKs *s) {
    m->worker = first;
    m->epoch++;
    MgKSlot *slot = slot_at(m, first, s);
    if (!m->failed && (!slot->n || slot->n < slot->together))
        mg_kmachine_fail(m, "a slot is awaited that no boxes fill");
    for (uint32_t i = 0; i < slot->landing.len && !m->failed; i++) {
        const MgKLanding *l = &slot->landing.at[i];
        const char *error = mg_kmemory_land(m->memory, l->buf, first->group, l->element, l->value,
                                            (uint32_t)(slot - first->slots));
        if (error)
            mg_kmachine_fail(m, "%s", error);
    }
    mg_kmemory_landed(m->memory, first->group, (uint32_t)(slot - first->slots));
    slot->n = slot->released = slot->landing.len = 0;
}

void mg_kmachine_release(MgKMachine *m, const MgKs *s) {
    MgKWorker *w = m->worker;
    MgKSlot *slot = slot_at(m, w - w->item, s);
    if (!slot->filled || slot->n)
        mg_kmachine_fail(m, "a slot is released that holds no boxes");
    slot->released++;
    if (!mg_kmemory_release(m->memory, (MgKItem){w->group, w->item},
                            (uint32_t)(slot - (w - w->item)->slots)))
        mg_kmachine_fail(m, "item %u releases a slot twice", w->item);
}

void mg_kmachine_met(MgKMachine *m, MgKWorker *first) {
    for (uint32_t i = 0; first->slots && !m->releases && i < MG_BOX_SLOTS; i++)
        first->slots[i].released = m->items;
    mg_kmemory_group_barrier(m->memory, first->group);
}
