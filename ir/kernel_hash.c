// Structural identity of kernels: hash and equality share one encoding.
//
// The encoding lists the buffers, the scalars, the distinct nodes in the order in which statements
// use them, and the statements over node numbers. Variables are numbered in order of appearance.
// Names are left out. So is the sharing of nodes, since equal nodes have one number. Two schedules
// that write the same computation therefore share one kernel.
#include "ir/kernel.h"
#include "ir/kernel_impl.h"

typedef struct Node { // a node as the encoding stores it
    uint32_t kind, dtype, lanes, prim, symbol, n_args;
    uint64_t bits;
    uint8_t selectors[64]; // a vector has at most 64 lanes
    uint32_t args[3], near;
} Node;

typedef struct Encoder {
    const MgKernel *k;
    MgArena *arena;
    MgMap by_pointer, by_hash; // node -> its number + 1
    MgMap vars;                // variable -> its number of appearance + 1
    MG_VEC(Node) nodes;
    MG_VEC(uint64_t) code;
} Encoder;

static void put(Encoder *e, uint64_t word) {
    mg_push(e->arena, &e->code, word);
}

static uint32_t variable(Encoder *e, MgKVarId v) {
    uint64_t *n = mg_map_find(&e->vars, v);
    if (n)
        return (uint32_t)*n;
    uint32_t number = e->vars.entries.len + 1;
    mg_map_put(&e->vars, v, number);
    return number;
}

static uint32_t number_of(Encoder *e, const Node *n) {
    uint64_t hash = mg_hash(n, sizeof *n, 0), *found;
    while ((found = mg_map_find(&e->by_hash, hash))) {
        if (!memcmp(&e->nodes.at[*found - 1], n, sizeof *n))
            return (uint32_t)*found;
        hash++;
    }
    mg_push(e->arena, &e->nodes, *n);
    mg_map_put(&e->by_hash, hash, e->nodes.len);
    return e->nodes.len;
}

static uint32_t expr(Encoder *e, const MgKx *x) {
    if (!x)
        return 0;
    uint64_t *known = mg_map_find(&e->by_pointer, (uint64_t)(uintptr_t)x);
    if (known)
        return (uint32_t)*known;
    Node n;
    memset(&n, 0, sizeof n);
    n.kind = x->kind;
    n.dtype = x->type.dtype;
    n.lanes = x->type.lanes;
    n.n_args = x->n_args;
    for (uint32_t i = 0; i < x->n_args; i++)
        n.args[i] = expr(e, x->args[i]);
    if (x->kind == MG_KX_CONST)
        n.bits = x->bits;
    if (x->kind == MG_KX_VAR)
        n.symbol = variable(e, x->var);
    if (x->kind == MG_KX_LOAD)
        n.symbol = x->buf;
    if (x->kind == MG_KX_LANE || x->kind == MG_KX_DOT)
        n.symbol = x->value;
    if (x->kind == MG_KX_PRIM || x->kind == MG_KX_FOLD)
        n.prim = x->prim;
    n.near = x->near;
    if (x->kind == MG_KX_PERMUTE)
        memcpy(n.selectors, x->lanes, x->type.lanes < 64 ? x->type.lanes : 64);
    if (x->kind == MG_KX_LOOKUP) {
        n.symbol = x->value;
        n.bits = mg_hash(x->table, x->value * sizeof *x->table, 0);
    }
    uint32_t before = e->nodes.len, number = number_of(e, &n);
    for (uint32_t i = 0; x->kind == MG_KX_LOOKUP && e->nodes.len > before && i < x->value; i++)
        put(e, x->table[i]);
    mg_map_put(&e->by_pointer, (uint64_t)(uintptr_t)x, number);
    return number;
}

static void block(Encoder *e, const MgKBlock *b);

static void call(Encoder *e, const MgKCall *c) {
    put(e, c->kernel);
    put(e, c->site);
    put(e, c->n_buffers);
    put(e, c->n_scalars);
    for (uint32_t i = 0; i < c->n_buffers; i++) {
        put(e, c->buffers[i].base);
        put(e, expr(e, c->buffers[i].offset));
    }
    for (uint32_t i = 0; i < c->n_scalars; i++)
        put(e, expr(e, c->scalars[i]));
}

static void product(Encoder *e, const MgKs *s) {
    const MgKProduct *p = s->product;
    put(e, s->buf);
    put(e, p->atom);
    put(e, p->row_buf);
    put(e, p->column_buf);
    put(e, (uint64_t)p->row_step);
    put(e, (uint64_t)p->row_deep);
    put(e, (uint64_t)p->column_step);
    put(e, (uint64_t)p->column_deep);
    put(e, p->rows);
    put(e, p->columns);
    put(e, p->depth);
    put(e, p->row_lies);
    put(e, p->column_lies);
    put(e, p->fresh);
    put(e, (uint64_t)p->column_low);
    put(e, p->splits);
    put(e, p->lag);
}

static void box(Encoder *e, const MgKs *s) {
    const MgKBox *b = s->box;
    put(e, s->buf);
    put(e, b->from);
    put(e, (uint64_t)b->base);
    put(e, b->rounds);
    put(e, b->rank);
    for (uint32_t i = 0; i < b->rank; i++) {
        put(e, (uint64_t)b->axes[i].size);
        put(e, (uint64_t)b->axes[i].stride);
        put(e, b->axes[i].extent);
    }
    put(e, b->pixels);
    for (uint32_t i = 0; i < MG_BOX_PIXELS; i++) {
        put(e, (uint64_t)b->walks[i].low);
        put(e, (uint64_t)b->walks[i].high);
        put(e, (uint64_t)b->walks[i].step);
    }
    put(e, (uint64_t)b->slots << 32 | b->together);
    for (uint32_t i = 0; i < mg_box_places(b); i++)
        put(e, expr(e, s->at[i]));
}

static void statement(Encoder *e, const MgKs *s) {
    const MgKx *all[] = {s->x, s->index, s->mask, s->low, s->high};
    put(e, s->kind);
    for (uint32_t i = 0; i < 5; i++)
        put(e, expr(e, all[i]));
    put(e, mg_ks_defines(s) ? variable(e, s->var) : 0);
    put(e, mg_ks_accesses(s) || s->kind == MG_KS_AWAIT ? s->buf : 0);
    put(e, (uint64_t)s->nontemporal | (uint64_t)s->loop << 1 | (uint64_t)s->rolled << 7 |
               (uint64_t)s->dealt << 6 | (uint64_t)s->barrier << 8 | (uint64_t)s->far << 16 |
               (uint64_t)s->later << 17);
    put(e, (uint64_t)s->step);
    put(e, s->code);
    if (s->call)
        call(e, s->call);
    if (s->product)
        product(e, s);
    if (s->box)
        box(e, s);
    block(e, &s->body);
    block(e, &s->orelse);
}

static void block(Encoder *e, const MgKBlock *b) {
    put(e, b->list.len);
    for (uint32_t i = 0; i < b->list.len; i++)
        statement(e, b->list.at[i]);
}

static void encode(Encoder *e, const MgKernel *k, MgArena *arena) {
    *e = (Encoder){.k = k, .arena = arena};
    mg_map_init(&e->by_pointer, arena);
    mg_map_init(&e->by_hash, arena);
    mg_map_init(&e->vars, arena);
    put(e, k->n_params);
    put(e, (uint64_t)k->flushes << 1 | k->legal);
    put(e, k->items);
    put(e, k->resident);
    put(e, k->scalars.len);
    for (uint32_t i = 0; i < k->scalars.len; i++)
        put(e, (uint64_t)variable(e, k->scalars.at[i]) << 1 | k->vars.at[k->scalars.at[i]].below_0);
    put(e, k->bufs.len);
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        put(e, (uint64_t)b->elem.dtype << 32 | (uint64_t)b->elem.lanes << 16 |
                   (uint64_t)b->space << 8 | (uint64_t)b->scope);
        put(e, b->overlay);
        put(e, (uint64_t)b->align << 3 | (uint64_t)b->reads << 2 | (uint64_t)b->writes << 1 |
                   (uint64_t)b->noalias);
        put(e, expr(e, b->count));
    }
    put(e, expr(e, k->groups));
    block(e, &k->body);
}

uint64_t mg_kernel_hash(const MgKernel *k) {
    MgArena *arena = mg_arena_new(mg_arena_mem(k->arena));
    Encoder e;
    encode(&e, k, arena);
    uint64_t hash = mg_hash(e.nodes.at, e.nodes.len * sizeof *e.nodes.at, 0);
    hash = mg_hash(e.code.at, e.code.len * sizeof *e.code.at, hash);
    mg_arena_free(arena);
    return hash;
}

bool mg_kernel_equal(const MgKernel *a, const MgKernel *b) {
    MgArena *arena = mg_arena_new(mg_arena_mem(a->arena));
    Encoder x, y;
    encode(&x, a, arena);
    encode(&y, b, arena);
    bool equal =
        x.nodes.len == y.nodes.len && x.code.len == y.code.len &&
        (!x.nodes.len || !memcmp(x.nodes.at, y.nodes.at, x.nodes.len * sizeof *x.nodes.at)) &&
        !memcmp(x.code.at, y.code.at, x.code.len * sizeof *x.code.at);
    mg_arena_free(arena);
    return equal;
}
