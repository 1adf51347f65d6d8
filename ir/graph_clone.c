// Copies a whole module into a fresh arena, a graph with dimensions set to constants, and one op as
// a graph of its own.
#include "ir/ix_internal.h"

#include "ir/graph.h"

// ---------------------------------------------------------------- the table of integer expressions

static MgMap clone_map(const MgMap *map, MgArena *arena) {
    MgMap copy;
    mg_map_init(&copy, arena);
    for (uint32_t i = 0; i < map->entries.len; i++)
        mg_map_put(&copy, map->entries.at[i].key, map->entries.at[i].value);
    return copy;
}

#define CLONE_VEC(arena, to, from)                                                                 \
    do {                                                                                           \
        (to).at =                                                                                  \
            (from).len ? mg_arena_copy((arena), (from).at, (from).len, sizeof *(from).at) : NULL;  \
        (to).len = (to).cap = (from).len;                                                          \
    } while (0)

// Ids keep their meaning: the same id is the same expression in both tables.
static MgIxTable *clone_table(const MgIxTable *t, MgArena *arena) {
    MgIxTable *copy = MG_NEW(arena, MgIxTable);
    copy->arena = arena;
    copy->poly_ids = clone_map(&t->poly_ids, arena);
    copy->mono_ids = clone_map(&t->mono_ids, arena);
    copy->atom_ids = clone_map(&t->atom_ids, arena);
    CLONE_VEC(arena, copy->polys, t->polys);
    CLONE_VEC(arena, copy->monos, t->monos);
    CLONE_VEC(arena, copy->atoms, t->atoms);
    CLONE_VEC(arena, copy->syms, t->syms);
    CLONE_VEC(arena, copy->indices, t->indices);
    for (uint32_t i = 0; i < copy->polys.len; i++) {
        MgIxPoly *poly = &copy->polys.at[i];
        poly->terms = mg_arena_copy(arena, poly->terms, poly->n, sizeof *poly->terms);
    }
    for (uint32_t i = 0; i < copy->monos.len; i++) {
        MgIxMonoRow *mono = &copy->monos.at[i];
        mono->factors = mg_arena_copy(arena, mono->factors, mono->n, sizeof *mono->factors);
    }
    return copy;
}

// ---------------------------------------------------------------- ops

typedef struct Cloner {
    MgModule *to;
    MgMap expressions; // node -> its copy
    MgIxMapFn *map;    // replaces dimensions, or NULL
    void *ctx;
} Cloner;

static MgIx clone_ix(Cloner *c, MgIx x) {
    return c->map ? mg_ix_subst(c->to->ix, x, c->map, c->ctx) : x;
}

static MgIx *clone_shape(Cloner *c, const MgIx *shape, uint32_t rank) {
    MgIx *copy = MG_NEW_N(c->to->arena, MgIx, rank);
    for (uint32_t i = 0; i < rank; i++)
        copy[i] = clone_ix(c, shape[i]);
    return copy;
}

static const MgSx *clone_sx(Cloner *c, const MgSx *x) {
    if (!x)
        return NULL;
    uint64_t *known = mg_map_find(&c->expressions, (uintptr_t)x);
    if (known)
        return (const MgSx *)(uintptr_t)*known;
    MgArena *arena = c->to->arena;
    MgSx *copy = mg_arena_copy(arena, x, 1, sizeof *x);
    copy->args = MG_NEW_N(arena, const MgSx *, x->n_args);
    for (uint32_t i = 0; i < x->n_args; i++)
        copy->args[i] = clone_sx(c, x->args[i]);
    copy->otherwise = clone_sx(c, x->otherwise);
    if (x->kind == MG_SX_IX)
        copy->ix = clone_ix(c, x->ix);
    mg_map_put(&c->expressions, (uintptr_t)x, (uintptr_t)copy);
    return copy;
}

static MgPiece clone_piece(Cloner *c, const MgPiece *p, uint32_t rank) {
    MgArena *arena = c->to->arena;
    MgPiece copy = *p;
    copy.indices = mg_arena_copy(arena, p->indices, p->n_indices, sizeof *p->indices);
    for (uint32_t i = 0; i < p->n_indices; i++) {
        copy.indices[i].low = clone_ix(c, p->indices[i].low);
        copy.indices[i].high = clone_ix(c, p->indices[i].high);
    }
    copy.target = mg_arena_copy(arena, p->target, rank, sizeof *p->target);
    for (uint32_t i = 0; i < rank; i++) {
        copy.target[i].sub = clone_sx(c, p->target[i].sub);
        copy.target[i].tuple = mg_arena_copy(arena, p->target[i].tuple, p->target[i].n_tuple,
                                             sizeof *p->target[i].tuple);
    }
    copy.expr = clone_sx(c, p->expr);
    return copy;
}

// Drops pieces that turn out to be empty now that sizes are known: what is printed and read back is
// without them, too. If all are empty, one stays.
static void drop_empty_pieces(const MgIxTable *t, MgEquation *e) {
    uint32_t n = 0;
    for (uint32_t p = 0; p < e->n_pieces; p++) {
        bool empty = false;
        for (uint32_t i = 0; i < e->pieces[p].n_free; i++) {
            int64_t low, high;
            empty |= mg_ix_is_const(t, e->pieces[p].indices[i].low, &low) &&
                     mg_ix_is_const(t, e->pieces[p].indices[i].high, &high) && low >= high;
        }
        if (!empty || (n == 0 && p + 1 == e->n_pieces))
            e->pieces[n++] = e->pieces[p];
    }
    e->n_pieces = n;
}

static MgEquation *clone_equation(Cloner *c, const MgEquation *e, uint32_t rank) {
    MgEquation *copy = mg_arena_copy(c->to->arena, e, 1, sizeof *e);
    copy->pieces = MG_NEW_N(c->to->arena, MgPiece, e->n_pieces);
    for (uint32_t i = 0; i < e->n_pieces; i++)
        copy->pieces[i] = clone_piece(c, &e->pieces[i], rank);
    if (c->map)
        drop_empty_pieces(c->to->ix, copy);
    return copy;
}

static MgOp clone_op(Cloner *c, const MgGraph *g, const MgOp *op) {
    MgArena *arena = c->to->arena;
    MgOp copy = *op;
    copy.operands = mg_arena_copy(arena, op->operands, op->n_operands, sizeof *op->operands);
    copy.results = mg_arena_copy(arena, op->results, op->n_results, sizeof *op->results);
    copy.regions = mg_arena_copy(arena, op->regions, op->n_regions, sizeof *op->regions);
    copy.attrs = mg_arena_copy(arena, op->attrs, op->n_attrs, sizeof *op->attrs);
    for (uint32_t i = 0; i < op->n_attrs; i++)
        copy.attrs[i].ix = clone_ix(c, op->attrs[i].ix);
    if (op->equation)
        copy.equation = clone_equation(c, op->equation, g->values.at[op->results[0]].rank);
    if (op->loop) {
        copy.loop = mg_arena_copy(arena, op->loop, 1, sizeof *op->loop);
        copy.loop->low = clone_ix(c, op->loop->low);
        copy.loop->high = clone_ix(c, op->loop->high);
    }
    copy.require.nonnegative = clone_ix(c, op->require.nonnegative);
    copy.dim_bound = clone_ix(c, op->dim_bound);
    if (op->data && !c->map) { // a copy in the same module shares the bytes
        int64_t n;
        MgIx elements = mg_value_elements((MgGraph *)g, op->results[0]);
        if (mg_ix_is_const(c->to->ix, elements, &n))
            copy.data = mg_arena_copy(arena, op->data, (size_t)n,
                                      mg_dtype_size(g->values.at[op->results[0]].dtype));
    }
    CLONE_VEC(arena, copy.annotations, op->annotations);
    return copy;
}

static MgGraph *clone_graph(Cloner *c, const MgGraph *g);

// The graph of an initial value; graphs of one module share it.
static MgGraph *clone_begins(Cloner *c, MgGraph *begins) {
    if (!begins || begins->module == c->to)
        return begins;
    uint64_t known = mg_map_get(&c->expressions, (uintptr_t)begins, 0);
    MgGraph *copy = known ? (MgGraph *)(uintptr_t)known : clone_graph(c, begins);
    mg_map_put(&c->expressions, (uintptr_t)begins, (uintptr_t)copy);
    return copy;
}

static MgGraph *clone_graph(Cloner *c, const MgGraph *g) {
    MgArena *arena = c->to->arena;
    MgGraph *copy = mg_arena_copy(arena, g, 1, sizeof *g);
    copy->module = c->to;
    CLONE_VEC(arena, copy->inputs, g->inputs);
    CLONE_VEC(arena, copy->outputs, g->outputs);
    CLONE_VEC(arena, copy->values, g->values);
    CLONE_VEC(arena, copy->ops, g->ops);
    CLONE_VEC(arena, copy->regions, g->regions);
    CLONE_VEC(arena, copy->requires, g->requires);
    CLONE_VEC(arena, copy->dims, g->dims);
    copy->value_names = clone_map(&g->value_names, arena);
    for (uint32_t i = 0; i < g->values.len; i++)
        copy->values.at[i].shape = clone_shape(c, g->values.at[i].shape, g->values.at[i].rank);
    for (uint32_t i = 0; i < g->ops.len; i++)
        copy->ops.at[i] = clone_op(c, g, &g->ops.at[i]);
    for (uint32_t i = 0; i < g->ops.len; i++)
        copy->ops.at[i].begins = clone_begins(c, g->ops.at[i].begins);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        copy->inputs.at[i].begins = clone_begins(c, g->inputs.at[i].begins);
    for (uint32_t i = 0; i < g->outputs.len; i++)
        copy->outputs.at[i].begins = clone_begins(c, g->outputs.at[i].begins);
    for (uint32_t i = 0; i < g->regions.len; i++) {
        CLONE_VEC(arena, copy->regions.at[i].params, g->regions.at[i].params);
        CLONE_VEC(arena, copy->regions.at[i].ops, g->regions.at[i].ops);
    }
    for (uint32_t i = 0; i < g->requires.len; i++)
    copy->requires.at[i].nonnegative = clone_ix(c, g->requires.at[i].nonnegative);
    return copy;
}

MgModule *mg_module_clone(MgModule *module) {
    MgArena *arena = mg_arena_new(module->session->mem);
    MgModule *copy = mg_arena_copy(arena, module, 1, sizeof *module);
    copy->arena = arena;
    copy->ix = clone_table(module->ix, arena);
    CLONE_VEC(arena, copy->origins, module->origins);
    copy->graphs.len = copy->graphs.cap = 0;
    copy->graphs.at = NULL;
    copy->subscripts.len = copy->subscripts.cap = 0; // its nodes are its own
    copy->subscripts.at = NULL;
    Cloner c = {.to = copy};
    mg_map_init(&c.expressions, arena);
    for (uint32_t i = 0; i < module->graphs.len; i++)
        mg_push(arena, &copy->graphs, clone_graph(&c, module->graphs.at[i]));
    return copy;
}

// ---------------------------------------------------------------- specialisation

typedef struct Specialiser {
    MgIxTable *table;
    MgIxValueFn *value;
    void *ctx;
} Specialiser;

static bool map_dim(void *ctx, MgIxSym s, MgIx *to) {
    const Specialiser *sp = ctx;
    int64_t v;
    if (!sp->value || mg_ix_sym_is_index(sp->table, s, NULL) || !sp->value(sp->ctx, s, &v))
        return false;
    *to = mg_ix_const(sp->table, v);
    return true;
}

MgGraph *mg_graph_specialise(MgGraph *g, MgIxValueFn *value, void *ctx) {
    Specialiser sp = {g->module->ix, value, ctx};
    Cloner c = {.to = g->module, .map = map_dim, .ctx = &sp};
    mg_map_init(&c.expressions, g->module->arena);
    MgGraph *copy = clone_graph(&c, g);
    uint32_t n = 0;
    for (uint32_t i = 0; i < copy->requires.len; i++) { // drop those that hold
        int64_t v;
        if (!mg_ix_is_const(g->module->ix, copy->requires.at[i].nonnegative, &v) || v < 0)
        copy->requires.at[n++] = copy->requires.at[i];
    }
    copy->requires.len = n;
    n = 0;
    for (uint32_t i = 0; i < copy->dims.len; i++) {
        MgIx to;
        if (!map_dim(&sp, copy->dims.at[i], &to))
            copy->dims.at[n++] = copy->dims.at[i];
    }
    copy->dims.len = n;
    return copy;
}

static bool no_dim(void *ctx, MgIxSym s, int64_t *value) {
    (void)ctx, (void)s, (void)value;
    return false;
}

MgGraph *mg_graph_copy(MgGraph *g) {
    return mg_graph_specialise(g, no_dim, NULL);
}

MgGraph *mg_graph_with_ops(const MgGraph *g) {
    MgGraph *same = mg_arena_copy(g->module->arena, g, 1, sizeof *g);
    same->ops.at = mg_arena_copy(g->module->arena, g->ops.at, g->ops.len, sizeof *g->ops.at);
    return same;
}

// ---------------------------------------------------------------- one op as a graph

// Ops copied from one graph to another, or within one.
typedef struct Extract {
    Cloner c;
    MgGraph *from, *to;
    MgMap values; // from a value of `from` to its copy in `to`
    bool plain;   // names are made from numbers
    uint32_t n_names;
    MgOneOp *out; // NULL within one graph, where a value from outside stands for itself
} Extract;

// Dots become underscores, since a dotted path names a parameter.
static MgSym extracted_name(Extract *x, MgSym name) {
    MgNames *names = x->to->module->session->names;
    if (x->plain)
        return mg_symf(names, "v%u", x->n_names++);
    char *text =
        mg_arena_str(x->to->module->arena, mg_name(names, name), strlen(mg_name(names, name)));
    for (char *c = text; *c; c++)
        if (*c == '.')
            *c = '_';
    return mg_unique_name(x->to, mg_sym(names, text));
}

static void extracted(Extract *x, MgValueId from, MgValueId to) {
    mg_map_put(&x->values, from, to);
}

// A value from outside becomes an input when it is first read.
static MgValueId extract_value(Extract *x, MgValueId v) {
    uint64_t *known = mg_map_find(&x->values, v);
    if (known || !x->out)
        return known ? (MgValueId)*known : v;
    const MgValue *value = mg_value(x->from, v);
    MgValueId input = mg_input_new(x->to, extracted_name(x, value->name), value->dtype, value->rank,
                                   clone_shape(&x->c, value->shape, value->rank), value->origin);
    extracted(x, v, input);
    mg_push(x->to->module->arena, &x->out->inputs, v);
    return input;
}

static void extract_op(Extract *x, MgOpId id, MgRegionId into);

static void extract_region(Extract *x, MgRegionId id, MgOpId parent) {
    const MgRegion r = *mg_region(x->from, id);
    MgRegionId into = mg_region_new(x->to, parent);
    for (uint32_t i = 0; i < r.params.len; i++) {
        const MgValue *p = mg_value(x->from, r.params.at[i]);
        extracted(x, r.params.at[i],
                  mg_region_param_new(x->to, into, extracted_name(x, p->name), p->dtype, p->rank,
                                      clone_shape(&x->c, p->shape, p->rank), p->origin));
    }
    for (uint32_t i = 0; i < r.ops.len; i++)
        if (mg_op(x->from, r.ops.at[i])->kind != MG_OP_ERASED)
            extract_op(x, r.ops.at[i], into);
}

static void extract_op(Extract *x, MgOpId id, MgRegionId into) {
    MgOp op = clone_op(&x->c, x->from, mg_op(x->from, id));
    for (uint32_t i = 0; i < op.n_operands; i++)
        op.operands[i] = extract_value(x, op.operands[i]);
    MgOpId made = mg_op_new(x->to, into, op.kind, op.operands, op.n_operands, op.origin);
    for (uint32_t i = 0; i < op.n_regions; i++)
        extract_region(x, op.regions[i], made);
    for (uint32_t i = 0; i < op.n_results; i++) {
        const MgValue *r = mg_value(x->from, op.results[i]);
        extracted(x, op.results[i],
                  mg_op_result(x->to, made, extracted_name(x, r->name), r->dtype, r->rank,
                               clone_shape(&x->c, r->shape, r->rank)));
    }
    const MgOp *row = mg_op(x->to, made); // results and regions are the new ones
    op.region = row->region;
    op.results = row->results;
    op.regions = row->regions;
    *mg_op(x->to, made) = op;
    for (uint32_t i = 0; i < 2; i++) { // declare the dimensions that the op itself decides
        MgIxSym dim = i ? op.loop ? op.loop->trips : 0 : op.dim;
        MgIx known;
        if (dim && x->out && !map_dim(x->c.ctx, dim, &known))
            mg_push(x->to->module->arena, &x->to->dims, dim);
    }
}

MgOneOp mg_graph_one_op(MgGraph *g, MgOpId op, bool plain, MgIxValueFn *value, void *ctx) {
    MgOneOp out = {0};
    MgModule *m = g->module;
    Specialiser sp = {m->ix, value, ctx};
    Extract x = {
        .c = {.to = m, .map = map_dim, .ctx = &sp}, .from = g, .plain = plain, .out = &out};
    mg_map_init(&x.c.expressions, m->arena);
    mg_map_init(&x.values, m->arena);
    x.to = out.graph = mg_graph_new(m, mg_sym(m->session->names, "step"));
    m->graphs.len--; // mg_graph_new added it to the module's graphs, but it isn't one of them
    extract_op(&x, op, 0);
    const MgOp *from = mg_op(g, op);
    for (uint32_t i = 0; i < from->n_results; i++) {
        MgValueId v = extract_value(&x, from->results[i]);
        mg_push(m->arena, &out.graph->outputs,
                (MgPort){.value = v, .name = mg_value(out.graph, v)->name, .aliases = -1});
    }
    return out;
}

void mg_region_copy(MgGraph *g, MgRegionId from, MgRegionId into, MgMap *values, MgIxMapFn *map,
                    void *ctx) {
    Extract x = {.c = {.to = g->module, .map = map, .ctx = ctx}, .from = g, .to = g};
    mg_map_init(&x.c.expressions, g->module->arena);
    x.values = *values;
    const MgRegion r = *mg_region(g, from);
    for (uint32_t i = 0; i < r.ops.len; i++) {
        MgOpKind kind = mg_op(g, r.ops.at[i])->kind;
        if (kind != MG_OP_ERASED && kind != MG_OP_YIELD)
            extract_op(&x, r.ops.at[i], into);
    }
    *values = x.values;
}
