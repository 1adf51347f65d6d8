// Places outputs in the memory of the inputs that they take over.
//
// An output takes over its input's bytes if nothing reads the input later, and its own kernel reads
// each element before it writes it, or only writes some. An update often comes before the last
// reader of the old value, as a gradient's kernel does before the kernel that passes the adjoint
// on. So updates are delayed first, as far as no op needs their results.
//
// The next value of a parameter is written into the parameter's memory, if the option in_place says
// so. For other ports the caller decides: the output's memory may be that of the input or another.
// The plan computes in the output's memory, and begins with a copy of the input, which is left out
// if both are one. If the output can't be computed there, it is computed elsewhere and copied in
// the end, when nothing reads the input any more.
//
// What an output is written over, in one step or in several, is made in the same memory.
#include "passes/schedule/schedule.h"

#include "ir/equation.h"

typedef struct Next {
    MgSched *s;
    MgGraph *g;
    MgReaders readers;
    MgValueId *output_of; // by value: the output in whose bytes it is computed
    uint32_t *at;         // by op: its place in the body, or that of the op that contains it
} Next;

static void number(Next *n, MgRegionId r, uint32_t place) {
    const MgRegion *region = mg_region(n->g, r);
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(n->g, region->ops.at[i]);
        n->at[region->ops.at[i]] = r ? place : i;
        for (uint32_t k = 0; k < op->n_regions; k++)
            number(n, op->regions[k], r ? place : i);
    }
}

static bool is_output(const MgGraph *g, MgValueId v) {
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].value == v)
            return true;
    return false;
}

// The place of the last op that reads v or a view of it; UINT32_MAX if an output shows it.
static uint32_t last_reader(const Next *n, MgValueId v) {
    uint32_t last = is_output(n->g, v) ? UINT32_MAX : 0;
    for (uint32_t k = n->readers.first[v]; k < n->readers.first[v + 1]; k++) {
        MgOpId id = n->readers.ops[k];
        const MgOp *op = mg_op(n->g, id);
        bool view = op->kind == MG_OP_EQUATION && mg_traits(n->g, id).view;
        uint32_t at = view ? last_reader(n, op->results[0]) : 0;
        at = at > n->at[id] ? at : n->at[id];
        last = at > last ? at : last;
    }
    return last;
}

// ---------------------------------------------------------------- order

static void move(Next *n, uint32_t from, uint32_t to) {
    MgOpId *ops = mg_region(n->g, 0)->ops.at, moved = ops[from];
    memmove(ops + from, ops + from + 1, (to - from) * sizeof *ops);
    ops[to] = moved;
    number(n, 0, 0);
}

static bool is_read(const Next *n, MgOpId id, uint32_t to) {
    const MgOp *op = mg_op(n->g, id);
    for (uint32_t i = 0; i < op->n_results; i++)
        for (uint32_t k = n->readers.first[op->results[i]];
             k < n->readers.first[op->results[i] + 1]; k++)
            if (n->at[n->readers.ops[k]] <= to)
                return true;
    return false;
}

// Moves an op that shows an update as an output to the end, where it delays no other op.
static void show_last(Next *n, MgValueId output) {
    MgOpId def = mg_value(n->g, output)->def;
    uint32_t end = mg_region(n->g, 0)->ops.len - 1;
    if (!is_read(n, def, end))
        move(n, n->at[def], end);
}

// Moves the op after the last reader of its parameter, unless an op before that needs its result.
static void delay(Next *n, MgValueId parameter, MgValueId next) {
    MgOpId def = mg_value(n->g, next)->def;
    uint32_t from = n->at[def], to = last_reader(n, parameter);
    if (to != UINT32_MAX && to > from && !is_read(n, def, to))
        move(n, from, to);
}

// ---------------------------------------------------------------- memory

bool mg_is_pointwise(MgSched *s, const MgOp *op, MgValueId v) {
    const MgPiece *p = &op->equation->pieces[0];
    MgValueId result = op->results[0];
    if (mg_piece_reduces(p) || mg_value_elements(s->g, result) != mg_value_elements(s->g, v) ||
        !mg_piece_is_plain(s->g, p, result))
        return false;
    MgOpId id = mg_value(s->g, result)->def;
    MgIx own = mg_unit_target(s, id, NULL, 0);
    MgAccesses all = mg_accesses(s, id, p->expr, NULL, 0);
    for (uint32_t i = 0; i < all.n; i++)
        if (all.at[i].value == v && (!all.at[i].known || all.at[i].address != own))
            return false;
    return true;
}

// From the first op that reads the parameter on, do all ops of the group compute each element from
// others at its place? And does none read the parameter after it is overwritten?
static bool group_may(const Next *n, const MgRegion *region, MgOpId def, MgValueId parameter) {
    bool read = false, behind = false;
    for (uint32_t i = 0; i < region->ops.len; i++) {
        const MgOp *op = mg_op(n->g, region->ops.at[i]);
        if (op->kind == MG_OP_ERASED || op->kind == MG_OP_YIELD)
            continue;
        bool reads = mg_op_reads(op, parameter);
        read |= reads;
        const MgPiece *p = mg_only_piece(op);
        if (!p || p->scatter || (behind && reads) ||
            (read && !mg_is_pointwise(n->s, op, parameter)))
            return false;
        behind |= region->ops.at[i] == def;
    }
    return true;
}

// The value whose op computes the bytes of an output: the one of which the output is a view, or the
// output itself. MG_NONE if they are not computed in one place of the body.
static MgValueId maker_of(const Next *n, const MgPort *port) {
    const MgGraph *g = n->g;
    uint32_t outputs = 0;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        outputs += g->outputs.at[i].value == port->value;
    MgValueId v = port->value;
    for (;;) {
        MgOpId def = g->values.at[v].def;
        if (!def || outputs != 1)
            return MG_NONE;
        const MgOp *op = &g->ops.at[def];
        if (op->kind != MG_OP_EQUATION || !mg_traits(n->g, def).view)
            return v;
        v = op->operands[0];
        if (n->output_of[v] != port->value)
            return MG_NONE;
    }
}

// Is v read neither after the op nor, through a view, by the op itself?
static bool dies_in(const Next *n, MgValueId v, MgOpId def) {
    MgGraph *g = n->g;
    if (last_reader(n, v) > n->at[def])
        return false;
    for (uint32_t k = n->readers.first[v]; k < n->readers.first[v + 1]; k++) {
        MgOpId id = n->readers.ops[k]; // a view may be read anywhere
        if (mg_op(g, id)->kind == MG_OP_EQUATION && mg_traits(g, id).view &&
            last_reader(n, mg_op(g, id)->results[0]) >= n->at[def])
            return false;
    }
    return true;
}

// The tensor over which an op of the body writes v, as an update of a cache does, if nothing else
// reads that tensor then or later. Otherwise MG_NONE.
static MgValueId written_over(const Next *n, MgValueId v) {
    const MgOp *op = mg_def(n->g, v);
    if (!op || op->kind != MG_OP_EQUATION || op->region || !op->equation->has_base)
        return MG_NONE;
    MgValueId base = op->operands[op->n_operands - 1];
    for (uint32_t i = 0; i + 1 < op->n_operands; i++)
        if (op->operands[i] == base)
            return MG_NONE;
    bool same = mg_value(n->g, base)->dtype == mg_value(n->g, v)->dtype &&
                mg_value_bytes(n->g, base) == mg_value_bytes(n->g, v);
    return same && dies_in(n, base, mg_value(n->g, v)->def) ? base : MG_NONE;
}

// Is v written over the input, in one step or in several, as the layers of a decoder write into one
// cache?
static bool is_written_over(const Next *n, MgValueId v, MgValueId input) {
    while (v && v != input)
        v = written_over(n, v);
    return v != MG_NONE;
}

static bool may_take(const Next *n, MgValueId input, MgValueId next) {
    MgGraph *g = n->g;
    MgOpId def = mg_value(g, next)->def;
    const MgOp *op = mg_op(g, def);
    if (op->kind == MG_OP_EQUATION && op->equation->has_base)
        return is_written_over(n, next, input);
    if (mg_value(g, input)->dtype != mg_value(g, next)->dtype || !dies_in(n, input, def))
        return false;
    if (op->kind != MG_OP_FUSED)
        return mg_only_piece(op) && !mg_only_piece(op)->scatter && mg_is_pointwise(n->s, op, input);
    const MgRegion *region = mg_region(g, op->regions[0]);
    MgValueId inner = mg_yield_of(g, op->regions[0])->operands[mg_value(g, next)->result];
    MgOpId maker = mg_value(g, inner)->def;
    return maker && mg_op(g, maker)->region == op->regions[0] &&
           mg_is_pointwise(n->s, mg_op(g, maker), input) && !mg_traits(g, maker).view &&
           group_may(n, region, maker, input);
}

// Can v be computed in other bytes than its own?
static bool is_made(const Next *n, MgValueId v) {
    const MgOp *op = mg_def(n->g, v);
    return op && !op->region && !n->s->storage_of[v] &&
           (op->kind == MG_OP_FUSED ||
            (op->kind == MG_OP_EQUATION && !mg_traits(n->g, mg_value(n->g, v)->def).view));
}

// The values over which v is written are made in the storage of v.
static void place_steps(const Next *n, MgValueId v) {
    MgSched *s = n->s;
    for (MgValueId base; (base = written_over(n, v)) && is_made(n, base); v = base) {
        s->storage_of[base] = s->storage_of[v];
        s->draft->placing.because[base] = "an output is written over it";
        s->draft->placing.in_place_of[v] = base;
    }
}

static void place(const Next *n, uint32_t output, MgValueId input, MgValueId next) {
    MgSched *s = n->s;
    const MgPort *port = &n->g->outputs.at[output];
    if (port->key) {
        MgStorageId id = s->storage_of[input];
        s->storage_of[port->value] = id;
        s->p->plan->bufs.at[s->draft->storages.at[id].plan_buf].writes = true;
        s->p->in_place[output] = true;
    } else {
        s->storage_of[input] = mg_output_storage(s, output);
    }
    s->draft->placing.in_place_of[next] = s->draft->placing.in_place_of[port->value] = input;
    const MgOp *op = mg_op(n->g, mg_value(n->g, next)->def);
    if (op->kind == MG_OP_FUSED) // a report names what the group yields
        s->draft->placing.in_place_of[mg_yield_of(n->g, op->regions[0])
                                          ->operands[mg_value(n->g, next)->result]] = input;
    s->storage_of[next] = s->storage_of[port->value];
    place_steps(n, next);
}

// Computes an output apart from its memory, where its input may still be read.
static void keep_apart(MgSched *s, uint32_t output) {
    MgStorageId *storage = &s->storage_of[s->g->outputs.at[output].value];
    if (*storage == mg_output_storage(s, output))
        *storage = MG_NONE;
}

// May the output's memory be its input's? A plan of several passes exchanges whole buffers.
static bool may_share(const MgSched *s, const MgPort *port) {
    return port->aliases >= 0 && (port->key ? s->options->in_place : !s->options->repeats);
}

void mg_storage_over(MgSched *s) {
    MgGraph *g = s->g;
    Next n = {.s = s,
              .g = g,
              .readers = mg_readers(g, s->arena),
              .output_of = MG_NEW_N(s->arena, MgValueId, g->values.len),
              .at = MG_NEW_N(s->arena, uint32_t, g->ops.len)};
    number(&n, 0, 0);
    mg_output_bytes(g, n.output_of);
    enum { SHOW, DELAY, PLACE, PASSES };
    for (int pass = s->options->level > 0 ? SHOW : PLACE; pass < PASSES; pass++)
        for (uint32_t i = 0; i < g->outputs.len; i++) {
            const MgPort *port = &g->outputs.at[i];
            if (!may_share(s, port)) {
                if (pass == PLACE && s->options->level > 0 && s->storage_of[port->value])
                    place_steps(&n, port->value);
                continue;
            }
            MgValueId next = s->options->level > 0 ? maker_of(&n, port) : MG_NONE;
            MgValueId input = g->inputs.at[port->aliases].value;
            if (pass == SHOW && next && next != port->value)
                show_last(&n, port->value);
            else if (pass == DELAY && next)
                delay(&n, input, next);
            else if (pass == PLACE && next && may_take(&n, input, next))
                place(&n, i, input, next);
            else if (pass == PLACE && !port->key)
                keep_apart(s, i);
        }
}
