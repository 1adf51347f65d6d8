// When the values that derivatives read are alive, by the order of the ops: the forward pass makes
// them, and the derivatives read them from the last to the first. So the bytes grow up to the turn
// between both and fall from there. What is not kept saves bytes only at moments at which it is
// neither read nor computed again.
//
// A copy for a derivative reads its operands, and copies of these read theirs. If nothing stopped
// this, the first derivative would need copies of the whole forward pass, all at once. So the
// forward pass has segments, and what one reads of an earlier one is kept (Chen et al., "Training
// deep nets with sublinear memory cost", 2016). Borders lie where few bytes cross them, as between
// the layers of a net: nothing else tells layers from other ops.
#include "passes/remat_profile.h"

#include "passes/rewrite.h"

#include <stdlib.h>

typedef struct Value {
    uint32_t place;       // of the op that makes it
    uint32_t last;        // the last early place at which it is read
    uint32_t first_late;  // the first derivative that reads it, by position
    uint32_t behind_late; // behind the last one; 0: none reads it
} Value;

typedef struct Profile {
    MgGraph *g;
    MgArena *arena;
    const bool *late;
    const double *bytes;
    const MgRegion *body;
    uint32_t n;
    uint32_t *depth; // by op of the body: the most ops in a chain that ends with it
    uint32_t *place; // by early op: its place in an order in which each comes as late as possible
    bool *view;      // by op: its result shares the bytes of its operand
    Value *values;   // by value
} Profile;

// Who reads a view reads the value whose bytes it shares.
static void see_read(Profile *p, MgValueId read, uint32_t at, bool late) {
    for (MgValueId v = read; v;) {
        Value *it = &p->values[v];
        MgOpId def = mg_value(p->g, v)->def;
        if (late) {
            it->first_late = it->behind_late && it->first_late < at ? it->first_late : at;
            it->behind_late = it->behind_late > at ? it->behind_late : at + 1;
        } else {
            it->last = it->last > at ? it->last : at;
        }
        v = def && p->view[def] ? mg_op(p->g, def)->operands[0] : MG_NONE;
    }
}

// What an op reads, in its regions too.
static void see_reads(Profile *p, const MgOp *op, uint32_t at, bool late) {
    for (uint32_t i = 0; i < op->n_operands; i++)
        see_read(p, op->operands[i], at, late);
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(p->g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            see_reads(p, mg_op(p->g, region->ops.at[i]), at, late);
    }
}

// ---------------------------------------------------------------- places

typedef struct Read { // of an early op by another one
    uint32_t depth;
    MgOpId op;
} Read;

typedef MG_VEC(Read) Reads;

typedef struct Frame { // an op that waits for those that it reads
    MgOpId op;
    Reads reads;
    uint32_t next;
} Frame;

static int deeper_first(const void *a, const void *b) {
    const Read *x = a, *y = b;
    if (x->depth != y->depth)
        return (x->depth < y->depth) - (x->depth > y->depth);
    return (x->op > y->op) - (x->op < y->op);
}

static void find_reads(const Profile *p, const MgOp *op, Reads *to) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        MgOpId def = mg_value(p->g, op->operands[i])->def;
        if (def && p->depth[def] && !p->late[def])
            mg_push(p->arena, to, (Read){p->depth[def], def});
    }
    for (uint32_t k = 0; k < op->n_regions; k++) {
        const MgRegion *region = mg_region(p->g, op->regions[k]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            find_reads(p, mg_op(p->g, region->ops.at[i]), to);
    }
}

// Gives places to an op and all that it reads, first to what ends the longest chains. So a weight
// or a mask comes directly before its first reader, though it may stand before everything else.
static void place(Profile *p, MgOpId root, uint32_t *n_placed, bool *entered) {
    MG_VEC(Frame) stack = {0};
    MgOpId enter = root;
    for (;;) {
        if (enter && !entered[enter]) {
            Frame new = {.op = enter};
            entered[enter] = true;
            find_reads(p, mg_op(p->g, enter), &new.reads);
            if (new.reads.len)
                qsort(new.reads.at, new.reads.len, sizeof *new.reads.at, deeper_first);
            mg_push(p->arena, &stack, new);
        }
        if (!stack.len)
            return;
        Frame *top = &stack.at[stack.len - 1];
        enter = MG_NONE;
        if (top->next < top->reads.len) {
            enter = top->reads.at[top->next++].op;
        } else {
            p->place[top->op] = (*n_placed)++;
            stack.len--;
        }
    }
}

static void find_places(Profile *p) {
    bool *entered = MG_NEW_N(p->arena, bool, p->g->ops.len);
    bool *is_read = MG_NEW_N(p->arena, bool, p->g->ops.len); // by an early op
    uint32_t n_placed = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        MgOpId id = p->body->ops.at[i];
        const MgOp *op = mg_op(p->g, id);
        Reads reads = {0};
        p->view[id] = mg_is_view(p->g, id);
        find_reads(p, op, &reads);
        p->depth[id] = 1;
        for (uint32_t k = 0; k < reads.len; k++) {
            is_read[reads.at[k].op] |= !p->late[id];
            if (p->depth[id] <= reads.at[k].depth)
                p->depth[id] = reads.at[k].depth + 1;
        }
    }
    for (uint32_t i = 0; i < p->n; i++)
        if (!p->late[p->body->ops.at[i]] && !is_read[p->body->ops.at[i]])
            place(p, p->body->ops.at[i], &n_placed, entered);
    for (uint32_t i = 0; i < p->n; i++) {
        MgOpId id = p->body->ops.at[i];
        const MgOp *op = mg_op(p->g, id);
        for (uint32_t k = 0; k < op->n_results; k++)
            p->values[op->results[k]].place = p->place[id];
        see_reads(p, op, p->late[id] ? i : p->place[id], p->late[id]);
    }
}

static bool has_bytes(const Profile *p, MgValueId v) {
    return p->bytes[v] > 0 && !p->view[mg_value(p->g, v)->def];
}

static bool is_read_late(const Profile *p, MgValueId v) {
    return has_bytes(p, v) && p->values[v].behind_late;
}

// A smaller part of all bytes is not worth a kernel.
static const double speck = 1e-5;

static double least(double a, double b) {
    return a < b ? a : b;
}

static void find_savings(Profile *p, MgRematProfile *profile) {
    double *made = MG_NEW_N(p->arena, double, p->n + 1u);    // at places up to this one
    double *read_on = MG_NEW_N(p->arena, double, p->n + 1u); // at this position or later
    for (MgValueId v = 1; v < p->g->values.len; v++)
        if (is_read_late(p, v)) {
            made[p->values[v].place] += p->bytes[v];
            read_on[p->values[v].behind_late - 1] += p->bytes[v];
        }
    for (uint32_t i = 1; i <= p->n; i++)
        made[i] += made[i - 1];
    for (uint32_t i = p->n; i-- > 0;)
        read_on[i] += read_on[i + 1];
    double most = made[p->n];
    for (MgValueId v = 1; v < p->g->values.len; v++) {
        const Value *it = &p->values[v];
        uint32_t last = it->last > it->place ? it->last : it->place;
        double saves = p->bytes[v] < most * speck ? 0 : p->bytes[v];
        if (is_read_late(p, v))
            saves = least(saves, least(most - made[last], most - read_on[it->first_late]));
        profile->saves[v] = saves;
        profile->part[v] = it->place && most > 0 ? made[it->place - 1] / most : 0;
    }
}

// The places at which segments begin, in *begins: where the fewest bytes cross, before the late
// bytes since the last border exceed `room`. Where more than half of a segment would cross there is
// no border. Returns the bytes of the largest segment; a single value counts at most as `room`,
// since no border divides it.
static double find_begins(const Profile *p, const double *crossing, const double *needed,
                          double room, bool *begins) {
    double since = 0, behind = 0; // since the last border, and since the best place
    double largest = 0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double here = least(needed[i], room);
        if (since + here > room && best && 2 * crossing[best] < since - behind) {
            begins[best] = true;
            since = behind;
            best = 0;
        }
        if (2 * since > room && (!best || crossing[i] <= crossing[best])) {
            best = i;
            behind = 0;
        }
        since += here;
        behind += here;
        largest = since > largest ? since : largest;
    }
    return largest;
}

// Marks what crosses borders if a segment has room for this many late bytes. Returns the bytes of
// all that does, and of one segment.
static double mark(const Profile *p, const double *crossing, const double *needed, double room,
                   bool *border) {
    bool *begins = MG_NEW_N(p->arena, bool, p->n + 1u);
    uint32_t *begun = MG_NEW_N(p->arena, uint32_t, p->n + 1u);
    double bytes = find_begins(p, crossing, needed, room, begins);
    for (uint32_t i = 1; i <= p->n; i++)
        begun[i] = begun[i - 1] + begins[i];
    for (MgValueId v = 1; v < p->g->values.len; v++) {
        const Value *it = &p->values[v];
        border[v] = p->bytes[v] > 0 && it->last > it->place && begun[it->last] > begun[it->place];
        bytes += border[v] && has_bytes(p, v) ? p->bytes[v] : 0;
    }
    return bytes;
}

// Borders and one segment together take the fewest bytes. Behind the number of segments for which
// they do, rooms grow smaller than single values.
static void find_borders(Profile *p, bool *border) {
    double *crossing = MG_NEW_N(p->arena, double, p->n + 2u); // by place: bytes from earlier ones
    double *needed = MG_NEW_N(p->arena, double, p->n + 1u);   // by place: bytes that are read late
    double all = 0, fewest = 0;
    uint32_t best = 1;
    for (MgValueId v = 1; v < p->g->values.len; v++) {
        const Value *it = &p->values[v];
        if (has_bytes(p, v) && it->last > it->place) {
            crossing[it->place + 1] += p->bytes[v];
            crossing[it->last + 1] -= p->bytes[v];
        }
        if (is_read_late(p, v)) {
            needed[it->place] += p->bytes[v];
            all += p->bytes[v];
        }
    }
    for (uint32_t i = 1; i <= p->n; i++)
        crossing[i] += crossing[i - 1];
    fewest = all;
    uint32_t worse = 0; // how many tries are, one after another
    for (uint32_t segments = 2; segments <= p->n && worse < 2; segments += segments / 2) {
        double bytes = mark(p, crossing, needed, all / segments, border);
        worse = bytes < fewest ? 0 : worse + 1;
        best = bytes < fewest ? segments : best;
        fewest = least(bytes, fewest);
    }
    mark(p, crossing, needed, all / best, border);
}

MgRematProfile mg_remat_profile(MgGraph *g, const bool *late, const double *bytes, bool segments,
                                MgArena *arena) {
    const MgRegion *body = mg_region(g, 0);
    Profile p = {.g = g, .arena = arena, .late = late, .bytes = bytes, .body = body};
    MgRematProfile profile = {.saves = MG_NEW_N(arena, double, g->values.len),
                              .part = MG_NEW_N(arena, double, g->values.len),
                              .border = MG_NEW_N(arena, bool, g->values.len)};
    p.n = body->ops.len;
    p.depth = MG_NEW_N(arena, uint32_t, g->ops.len);
    p.place = MG_NEW_N(arena, uint32_t, g->ops.len);
    p.view = MG_NEW_N(arena, bool, g->ops.len);
    p.values = MG_NEW_N(arena, Value, g->values.len);
    find_places(&p);
    find_savings(&p, &profile);
    if (segments)
        find_borders(&p, profile.border);
    return profile;
}
