// cse: keeps the first of several equal ops.
//
// Needs: nothing; it finds more if operands are in canonical order (canonicalise). Keeps: the value
// of every element. Indices are numbered by position, so equal equations have equal expressions
// whatever the names of their indices. An op may be replaced by an equal one in an enclosing
// region, but not the other way round. A loop that emits a value twice, or a copy of it, emits it
// once. Ends: there is one walk.
#include "passes/loops.h"
#include "passes/rewrite.h"

typedef struct Entry {
    MgOpId op;
    uint32_t next; // next entry of equal hash; 0: none
} Entry;

typedef struct Cse {
    MgGraph *g;
    MgPassContext *context;
    MgArena *arena;
    MgMap heads;           // hash -> entry
    MG_VEC(Entry) entries; // [0] unused
    MgValueId *with;       // by value id
    bool *outputs;         // by value id
    bool changed;
} Cse;

static uint64_t mix_ix(uint64_t h, MgIx a, MgIx b) {
    return mg_hash_mix(h, (uint64_t)a << 32 | b);
}

static uint64_t hash_piece(uint64_t h, const MgPiece *p, uint32_t rank) {
    h = mg_hash_mix(h, (uint64_t)p->reducer << 32 | p->n_indices);
    for (uint32_t i = 0; i < p->n_indices; i++)
        h = mix_ix(h, p->indices[i].low, p->indices[i].high);
    for (uint32_t d = 0; d < rank; d++)
        h = mg_hash_mix(h, mg_sx_hash(p->target[d].sub));
    return mg_hash_mix(h, mg_sx_hash(p->expr));
}

static uint64_t hash_op(MgGraph *g, const MgOp *op) {
    uint64_t h = mg_hash_mix(op->kind, (uint64_t)op->builtin << 32 | op->key);
    const MgValue *v = mg_value(g, op->results[0]);
    h = mg_hash_mix(h, (uint64_t)v->dtype << 32 | v->rank);
    for (uint32_t i = 0; i < op->n_operands; i++)
        h = mg_hash_mix(h, op->operands[i]);
    for (uint32_t i = 0; op->kind == MG_OP_EQUATION && i < op->equation->n_pieces; i++)
        h = hash_piece(h, &op->equation->pieces[i], v->rank);
    return op->kind == MG_OP_CONST ? mg_hash_mix(h, op->data_hash) : h;
}

static bool same_piece(const MgPiece *a, const MgPiece *b, uint32_t rank) {
    if (a->n_free != b->n_free || a->n_indices != b->n_indices || a->reducer != b->reducer ||
        a->scatter != b->scatter || a->write != b->write || !mg_sx_equal(a->expr, b->expr))
        return false;
    for (uint32_t i = 0; i < a->n_indices; i++)
        if (a->indices[i].low != b->indices[i].low || a->indices[i].high != b->indices[i].high)
            return false;
    for (uint32_t d = 0; d < rank; d++)
        if (!mg_sx_equal(a->target[d].sub, b->target[d].sub) ||
            a->target[d].n_tuple != b->target[d].n_tuple)
            return false;
    return true;
}

static bool same_equation(const MgEquation *a, const MgEquation *b, uint32_t rank) {
    if (a->n_pieces != b->n_pieces || a->has_base != b->has_base)
        return false;
    for (uint32_t i = 0; i < a->n_pieces; i++)
        if (!same_piece(&a->pieces[i], &b->pieces[i], rank))
            return false;
    return true;
}

static bool same_attr(const MgAttr *a, const MgAttr *b) {
    return a->name == b->name && a->kind == b->kind && a->ix == b->ix && a->b == b->b &&
           a->str == b->str && a->type == b->type && !memcmp(&a->f, &b->f, sizeof a->f);
}

static bool same_op(MgGraph *g, const MgOp *a, const MgOp *b) {
    if (a->kind != b->kind || a->builtin != b->builtin || a->key != b->key ||
        a->buffer != b->buffer || a->n_operands != b->n_operands || a->n_results != b->n_results ||
        a->n_attrs != b->n_attrs || a->data_hash != b->data_hash)
        return false;
    for (uint32_t i = 0; i < a->n_operands; i++)
        if (a->operands[i] != b->operands[i])
            return false;
    for (uint32_t i = 0; i < a->n_attrs; i++)
        if (!same_attr(&a->attrs[i], &b->attrs[i]))
            return false;
    for (uint32_t i = 0; i < a->n_results; i++) {
        const MgValue *x = mg_value(g, a->results[i]), *y = mg_value(g, b->results[i]);
        if (x->dtype != y->dtype || x->rank != y->rank ||
            memcmp(x->shape, y->shape, x->rank * sizeof *x->shape))
            return false;
    }
    int64_t n;
    if (a->kind == MG_OP_CONST && a->data != b->data) {
        MgIx bytes = mg_value_bytes(g, a->results[0]);
        if (!a->data || !b->data || !mg_ix_is_const(g->module->ix, bytes, &n) ||
            memcmp(a->data, b->data, (size_t)n))
            return false;
    }
    return a->kind != MG_OP_EQUATION ||
           same_equation(a->equation, b->equation, mg_value(g, a->results[0])->rank);
}

static bool is_candidate(const MgOp *op) {
    return op->kind == MG_OP_EQUATION || op->kind == MG_OP_PARAM || op->kind == MG_OP_CONST ||
           (op->kind == MG_OP_BUILTIN && !op->dim && op->n_results);
}

// The value of which v is a copy, through any number of copies.
static MgValueId source_of(MgGraph *g, MgValueId v) {
    while (mg_value(g, v)->def && mg_is_copy(g, mg_value(g, v)->def))
        v = mg_op(g, mg_value(g, v)->def)->operands[0];
    return v;
}

static void merge_emitted(Cse *c, MgOpId id) {
    MgGraph *g = c->g;
    const MgOp op = *mg_op(g, id);
    bool *drop = MG_NEW_N(c->arena, bool, op.n_results), some = false;
    for (uint32_t i = op.loop->n_carried; i < op.n_results; i++)
        for (uint32_t k = i + 1; k < op.n_results && !drop[i]; k++) {
            const MgOp *yield = mg_loop_yield(g, id);
            MgValueId v = source_of(g, yield->operands[i]);
            if (drop[k] || c->outputs[op.results[k]] || source_of(g, yield->operands[k]) != v ||
                !mg_pass_may(c->context, id))
                continue;
            yield->operands[i] = v;
            c->with[op.results[k]] = op.results[i];
            some = drop[k] = true;
        }
    if (some)
        mg_loop_drop(g, id, drop);
    c->changed |= some;
}

static void visit_region(Cse *c, MgRegionId r);

static void visit_op(Cse *c, MgOpId id) {
    MgOp *op = mg_op(c->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++)
        if (c->with[op->operands[i]])
            op->operands[i] = c->with[op->operands[i]];
    for (uint32_t r = 0; r < op->n_regions; r++)
        visit_region(c, op->regions[r]);
    if (op->kind == MG_OP_LOOP)
        merge_emitted(c, id);
    if (!is_candidate(op))
        return;
    uint64_t hash = hash_op(c->g, op);
    uint32_t first = (uint32_t)mg_map_get(&c->heads, hash, 0);
    for (uint32_t e = first; e; e = c->entries.at[e].next) {
        const MgOp *other = mg_op(c->g, c->entries.at[e].op);
        if (!same_op(c->g, other, op) || !mg_pass_may(c->context, id))
            continue;
        for (uint32_t i = 0; i < op->n_results; i++)
            c->with[op->results[i]] = other->results[i];
        op->kind = MG_OP_ERASED;
        c->changed = true;
        return;
    }
    mg_push(c->arena, &c->entries, (Entry){id, first});
    mg_map_put(&c->heads, hash, c->entries.len - 1);
}

// Entries of a region's ops are dropped at its end.
static void visit_region(Cse *c, MgRegionId r) {
    uint32_t known = c->entries.len;
    for (uint32_t i = 0; i < mg_region(c->g, r)->ops.len; i++) {
        MgOpId id = mg_region(c->g, r)->ops.at[i];
        if (mg_op(c->g, id)->kind != MG_OP_ERASED && mg_op(c->g, id)->region == r)
            visit_op(c, id);
    }
    while (c->entries.len > known) {
        Entry last = mg_pop(&c->entries);
        mg_map_put(&c->heads, hash_op(c->g, mg_op(c->g, last.op)), last.next);
    }
}

bool mg_pass_cse(MgGraph *g, MgPassContext *context) {
    Cse c = {.g = g, .context = context, .arena = context->scratch};
    mg_map_init(&c.heads, context->scratch);
    mg_push(context->scratch, &c.entries, (Entry){0});
    c.with = MG_NEW_N(context->scratch, MgValueId, g->values.len);
    c.outputs = MG_NEW_N(context->scratch, bool, g->values.len);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        c.outputs[g->outputs.at[i].value] = true;
    visit_region(&c, 0);
    if (!c.changed)
        return false;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (c.with[g->outputs.at[i].value])
            g->outputs.at[i].value = c.with[g->outputs.at[i].value];
    mg_graph_compact(g);
    return true;
}
