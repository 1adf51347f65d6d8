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
    uint32_t *place; // by op: the place of its first early reader, if there is one
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
            if (def && p->place[def] > at)
                p->place[def] = at;
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

static bool reads_inputs_alone(const Profile *p, const MgOp *op) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const MgOp *def = mg_def(p->g, op->operands[i]);
        if (def && def->kind != MG_OP_PARAM && def->kind != MG_OP_CONST)
            return false;
    }
    return !op->n_regions;
}

// What reads inputs alone has the place of its first reader: the copies in 16 bits of all weights,
// which come first, belong to the segments that read them.
static void find_places(Profile *p) {
    memset(p->place, 0xff, p->g->ops.len * sizeof *p->place);
    for (uint32_t i = 0; i < p->n; i++) {
        const MgOp *op = mg_op(p->g, p->body->ops.at[i]);
        p->view[p->body->ops.at[i]] = op->kind == MG_OP_EQUATION && op->n_operands &&
                                      mg_traits(p->g, p->body->ops.at[i]).view;
    }
    for (uint32_t i = p->n; i-- > 0;) {
        MgOpId id = p->body->ops.at[i];
        const MgOp *op = mg_op(p->g, id);
        if (p->place[id] == UINT32_MAX || !reads_inputs_alone(p, op))
            p->place[id] = i;
        see_reads(p, op, i, p->late[id]);
        for (uint32_t k = 0; k < op->n_results; k++)
            p->values[op->results[k]].place = p->place[id];
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
// bytes since the last border exceed `room`. Where more than half of a segment would cross, such as
// a single large value, there is none.
static void find_begins(const Profile *p, const double *crossing, const double *needed, double room,
                        bool *begins) {
    double since = 0, behind = 0; // since the last border, and since the best place
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->n; i++) {
        if (since + needed[i] > room && best && 2 * crossing[best] < since - behind) {
            begins[best] = true;
            since = behind;
            best = 0;
        }
        if (since > 0 && (!best || crossing[i] <= crossing[best])) {
            best = i;
            behind = 0;
        }
        since += needed[i];
        behind += needed[i];
    }
}

// Marks what crosses borders if a segment has room for this many late bytes. Returns the bytes of
// all that does.
static double mark(const Profile *p, const double *crossing, const double *needed, double room,
                   bool *border) {
    bool *begins = MG_NEW_N(p->arena, bool, p->n + 1u);
    uint32_t *begun = MG_NEW_N(p->arena, uint32_t, p->n + 1u);
    double bytes = 0;
    find_begins(p, crossing, needed, room, begins);
    for (uint32_t i = 1; i <= p->n; i++)
        begun[i] = begun[i - 1] + begins[i];
    for (MgValueId v = 1; v < p->g->values.len; v++) {
        const Value *it = &p->values[v];
        border[v] = p->bytes[v] > 0 && it->last > it->place && begun[it->last] > begun[it->place];
        bytes += border[v] && has_bytes(p, v) ? p->bytes[v] : 0;
    }
    return bytes;
}

// Borders and one segment together take the fewest bytes.
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
    for (uint32_t segments = 2; segments <= p->n; segments += segments / 2) {
        double bytes = mark(p, crossing, needed, all / segments, border) + all / segments;
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
    p.place = MG_NEW_N(arena, uint32_t, g->ops.len);
    p.view = MG_NEW_N(arena, bool, g->ops.len);
    p.values = MG_NEW_N(arena, Value, g->values.len);
    find_places(&p);
    find_savings(&p, &profile);
    if (segments)
        find_borders(&p, profile.border);
    return profile;
}
