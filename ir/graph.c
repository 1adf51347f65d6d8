// Builds graph IR: modules, graphs, regions, values and ops. Everything lives in the module's
// arena.
#include "ir/graph.h"

MgModule *mg_module_new(MgSession *session, MgSym source) {
    MgArena *arena = mg_arena_new(session->mem);
    MgModule *m = MG_NEW(arena, MgModule);
    m->session = session;
    m->arena = arena;
    m->ix = mg_ix_table_new(arena);
    m->source = source;
    mg_push(arena, &m->origins, (MgOrigin){0});
    return m;
}

MgGraph *mg_graph_new(MgModule *module, MgSym name) {
    MgGraph *g = MG_NEW(module->arena, MgGraph);
    g->module = module;
    g->name = name;
    mg_push(module->arena, &g->values, (MgValue){0});
    mg_push(module->arena, &g->ops, (MgOp){0});
    mg_map_init(&g->value_names, module->arena);
    mg_region_new(g, MG_NONE);
    mg_push(module->arena, &module->graphs, g);
    return g;
}

MgGraph *mg_graph_find(const MgModule *module, MgSym name) {
    for (uint32_t i = 0; i < module->graphs.len; i++)
        if (module->graphs.at[i]->name == name)
            return module->graphs.at[i];
    return NULL;
}

// ---------------------------------------------------------------- origins

MgOriginId mg_origin_new(MgModule *module, MgOrigin origin) {
    mg_push(module->arena, &module->origins, origin);
    return module->origins.len - 1;
}

MgOriginId mg_origin_of_span(MgModule *module, MgSpan span, MgOriginId inlined) {
    MgPlace begin = mg_place(module->session, span.source, span.begin);
    MgPlace end = mg_place(module->session, span.source, span.end);
    MgOrigin origin = {.file = mg_sym(module->session->names, mg_place_file(module->session, span)),
                       .line = begin.line,
                       .column = begin.column,
                       .end = end.line == begin.line ? end.column : 0,
                       .span = span,
                       .inlined = inlined};
    return mg_origin_new(module, origin);
}

MgOriginId mg_origin_backward(MgModule *module, MgOriginId origin) {
    MgOrigin o = module->origins.at[origin];
    o.backward = true;
    return mg_origin_new(module, o);
}

bool mg_origin_is_backward(const MgModule *module, MgOriginId origin) {
    for (; origin; origin = module->origins.at[origin].inlined)
        if (module->origins.at[origin].backward)
            return true;
    return false;
}

MgSpan mg_origin_span(const MgModule *module, MgOriginId origin) {
    for (; origin; origin = module->origins.at[origin].inlined)
        if (module->origins.at[origin].span.source)
            return module->origins.at[origin].span;
    return mg_no_span();
}

const MgOrigin *mg_origin_of_user(const MgModule *module, MgOriginId origin) {
    for (MgOriginId o = origin; o; o = module->origins.at[o].inlined)
        if (strncmp(mg_name(module->session->names, module->origins.at[o].file), "std/", 4) != 0)
            return &module->origins.at[o];
    return &module->origins.at[origin];
}

MgSpan mg_origin_user_span(const MgModule *module, MgOriginId origin) {
    const MgOrigin *user = mg_origin_of_user(module, origin);
    MgSpan span = user->span.source ? user->span : mg_origin_span(module, origin);
    if (span.source || !user->line)
        return span;
    MgPlace place = {mg_name(module->session->names, user->file), user->line, user->column};
    return mg_add_place(module->session, place);
}

// ---------------------------------------------------------------- names and values

// value_names also stores, for each name that was taken, the suffix to try next. This is its key.
static uint64_t suffix_key(MgSym name) {
    return (uint64_t)1 << 32 | name;
}

MgSym mg_unique_name(MgGraph *g, MgSym name) {
    MgNames *names = g->module->session->names;
    if (!name)
        name = mg_sym(names, "v");
    if (!mg_map_find(&g->value_names, name))
        return name;
    MgSym unique;
    uint64_t n = mg_map_get(&g->value_names, suffix_key(name), 2);
    do
        unique = mg_symf(names, "%s_%llu", mg_name(names, name), (unsigned long long)n++);
    while (mg_map_find(&g->value_names, unique));
    mg_map_put(&g->value_names, suffix_key(name), n);
    return unique;
}

MgValueId mg_value_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin) {
    MgArena *arena = g->module->arena;
    MgValue value = {.name = mg_unique_name(g, name),
                     .dtype = dtype,
                     .rank = rank,
                     .shape = mg_arena_copy(arena, shape, rank, sizeof *shape),
                     .param_of = UINT32_MAX,
                     .origin = origin};
    mg_push(arena, &g->values, value);
    mg_map_put(&g->value_names, value.name, g->values.len - 1);
    return g->values.len - 1;
}

MgValueId mg_region_param_new(MgGraph *g, MgRegionId r, MgSym name, MgDType dtype, uint32_t rank,
                              const MgIx *shape, MgOriginId origin) {
    MgValueId v = mg_value_new(g, name, dtype, rank, shape, origin);
    mg_value(g, v)->param_of = r;
    mg_push(g->module->arena, &mg_region(g, r)->params, v);
    return v;
}

MgValueId mg_input_new(MgGraph *g, MgSym name, MgDType dtype, uint32_t rank, const MgIx *shape,
                       MgOriginId origin) {
    MgValueId v = mg_region_param_new(g, 0, name, dtype, rank, shape, origin);
    mg_push(g->module->arena, &g->inputs, (MgPort){.value = v, .name = name, .aliases = -1});
    return v;
}

static bool has_port(const MgGraph *g, MgSym name) {
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (g->inputs.at[i].name == name)
            return true;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].name == name)
            return true;
    return false;
}

void mg_param_to_input(MgGraph *g, MgOpId param) {
    MgArena *arena = g->module->arena;
    MgOp *op = mg_op(g, param);
    MgValueId v = op->results[0];
    MgPort port = mg_param_port(op);
    port.name = mg_value(g, v)->name;
    mg_value(g, v)->origin = op->origin;
    mg_value(g, v)->def = MG_NONE;
    mg_value(g, v)->param_of = 0;
    mg_push(arena, &mg_region(g, 0)->params, v);
    op->n_results = 0;
    mg_op_erase(g, param);
    mg_push(arena, &g->inputs, port);
}

void mg_param_update(MgGraph *g, MgOpId param, MgValueId next) {
    MgArena *arena = g->module->arena;
    MgSession *session = g->module->session;
    mg_param_to_input(g, param);
    MgPort port = g->inputs.at[g->inputs.len - 1];
    port.aliases = (int32_t)g->inputs.len - 1;
    port.value = next;
    port.name = mg_symf(session->names, "%s.next", mg_name(session->names, port.name));
    while (has_port(g, port.name))
        port.name = mg_symf(session->names, "%s_", mg_name(session->names, port.name));
    mg_push(arena, &g->outputs, port);
}

// ---------------------------------------------------------------- ops

MgRegionId mg_region_new(MgGraph *g, MgOpId parent) {
    MgArena *arena = g->module->arena;
    mg_push(arena, &g->regions, (MgRegion){.parent = parent});
    MgRegionId r = g->regions.len - 1;
    if (parent) {
        MgOp *op = mg_op(g, parent);
        MgRegionId *regions = MG_NEW_N(arena, MgRegionId, op->n_regions + 1);
        if (op->n_regions)
            memcpy(regions, op->regions, op->n_regions * sizeof *regions);
        regions[op->n_regions++] = r;
        op->regions = regions;
    }
    return r;
}

static MgOpId new_op(MgGraph *g, MgRegionId r, MgOpKind kind, const MgValueId *operands, uint32_t n,
                     MgOriginId origin) {
    MgOp op = {.kind = kind, .region = r, .n_operands = n, .origin = origin};
    op.operands = mg_arena_copy(g->module->arena, operands, n, sizeof *operands);
    mg_push(g->module->arena, &g->ops, op);
    return g->ops.len - 1;
}

MgOpId mg_op_new(MgGraph *g, MgRegionId r, MgOpKind kind, const MgValueId *operands, uint32_t n,
                 MgOriginId origin) {
    MgOpId op = new_op(g, r, kind, operands, n, origin);
    mg_push(g->module->arena, &mg_region(g, r)->ops, op);
    return op;
}

// Passes walk a region in order, so the search goes outward from where the last one ended.
static uint32_t place_of(MgRegion *region, MgOpId op) {
    uint32_t n = region->ops.len, up = region->latest < n ? region->latest : n, down = up;
    while (up < n || down > 0) {
        if (up < n && region->ops.at[up] == op)
            return region->latest = up;
        if (down > 0 && region->ops.at[--down] == op)
            return region->latest = down;
        up += up < n;
    }
    return n;
}

static void insert(MgGraph *g, MgRegion *region, uint32_t at, MgOpId op) {
    mg_push(g->module->arena, &region->ops, op);
    memmove(region->ops.at + at + 1, region->ops.at + at,
            (region->ops.len - 1 - at) * sizeof *region->ops.at);
    region->ops.at[at] = op;
}

static void take_out(MgGraph *g, MgOpId op) {
    MgRegion *region = mg_region(g, mg_op(g, op)->region);
    uint32_t at = place_of(region, op);
    if (at == region->ops.len)
        return;
    memmove(region->ops.at + at, region->ops.at + at + 1,
            (region->ops.len - 1 - at) * sizeof *region->ops.at);
    region->ops.len--;
}

MgOpId mg_op_new_before(MgGraph *g, MgOpId before, MgOpKind kind, const MgValueId *operands,
                        uint32_t n, MgOriginId origin) {
    MgRegionId r = mg_op(g, before)->region;
    MgOpId op = new_op(g, r, kind, operands, n, origin);
    insert(g, mg_region(g, r), place_of(mg_region(g, r), before), op);
    return op;
}

MgValueId mg_op_result(MgGraph *g, MgOpId op, MgSym name, MgDType dtype, uint32_t rank,
                       const MgIx *shape) {
    MgValueId v = mg_value_new(g, name, dtype, rank, shape, mg_op(g, op)->origin);
    MgOp *row = mg_op(g, op);
    MgValueId *results = MG_NEW_N(g->module->arena, MgValueId, row->n_results + 1);
    if (row->n_results)
        memcpy(results, row->results, row->n_results * sizeof *results);
    mg_value(g, v)->def = op;
    mg_value(g, v)->result = row->n_results;
    results[row->n_results++] = v;
    row->results = results;
    return v;
}

void mg_op_erase(MgGraph *g, MgOpId id) {
    MgOp *op = mg_op(g, id);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        MgRegion *region = mg_region(g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (mg_op(g, region->ops.at[i])->region == op->regions[r])
                mg_op_erase(g, region->ops.at[i]);
    }
    op->kind = MG_OP_ERASED;
}

void mg_op_move_before(MgGraph *g, MgOpId op, MgOpId before) {
    take_out(g, op);
    MgRegionId r = mg_op(g, before)->region;
    mg_op(g, op)->region = r;
    insert(g, mg_region(g, r), place_of(mg_region(g, r), before), op);
}

void mg_op_move_to_end(MgGraph *g, MgOpId op, MgRegionId r) {
    take_out(g, op);
    mg_op(g, op)->region = r;
    mg_push(g->module->arena, &mg_region(g, r)->ops, op);
}

void mg_graph_compact(MgGraph *g) {
    for (uint32_t r = 0; r < g->regions.len; r++) {
        MgRegion *region = mg_region(g, r);
        uint32_t n = 0;
        for (uint32_t i = 0; i < region->ops.len; i++) {
            const MgOp *op = mg_op(g, region->ops.at[i]);
            if (op->kind != MG_OP_ERASED && op->region == r)
                region->ops.at[n++] = region->ops.at[i];
        }
        region->ops.len = n;
    }
}

// ---------------------------------------------------------------- uses

void mg_replace_all_uses(MgGraph *g, const MgValueId *with) {
    for (uint32_t i = 1; i < g->ops.len; i++) {
        MgOp *op = mg_op(g, i);
        for (uint32_t k = 0; op->kind != MG_OP_ERASED && k < op->n_operands; k++)
            if (with[op->operands[k]])
                op->operands[k] = with[op->operands[k]];
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (with[g->outputs.at[i].value])
            g->outputs.at[i].value = with[g->outputs.at[i].value];
}

bool mg_op_reads(const MgOp *op, MgValueId v) {
    for (uint32_t i = 0; i < op->n_operands && op->kind != MG_OP_ERASED; i++)
        if (op->operands[i] == v)
            return true;
    return false;
}

void mg_replace_uses(MgGraph *g, MgValueId from, MgValueId to) {
    for (uint32_t i = 1; i < g->ops.len; i++) {
        MgOp *op = mg_op(g, i);
        for (uint32_t k = 0; op->kind != MG_OP_ERASED && k < op->n_operands; k++)
            if (op->operands[k] == from)
                op->operands[k] = to;
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (g->outputs.at[i].value == from)
            g->outputs.at[i].value = to;
}

uint32_t *mg_use_counts(MgGraph *g, MgArena *arena) {
    uint32_t *counts = MG_NEW_N(arena, uint32_t, g->values.len);
    for (uint32_t i = 1; i < g->ops.len; i++) {
        const MgOp *op = mg_op(g, i);
        for (uint32_t k = 0; op->kind != MG_OP_ERASED && k < op->n_operands; k++)
            counts[op->operands[k]]++;
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        counts[g->outputs.at[i].value]++;
    return counts;
}

static uint32_t reads_of(MgGraph *g, MgOpId id) {
    return mg_op(g, id)->kind == MG_OP_ERASED ? 0 : mg_op(g, id)->n_operands;
}

MgReaders mg_readers(MgGraph *g, MgArena *arena) {
    uint32_t n = g->values.len;
    MgReaders r = {.g = g, .first = MG_NEW_N(arena, uint32_t, n + 1)};
    for (MgOpId id = 1; id < g->ops.len; id++)
        for (uint32_t k = 0; k < reads_of(g, id); k++)
            r.first[mg_op(g, id)->operands[k] + 1]++;
    for (uint32_t v = 0; v < n; v++)
        r.first[v + 1] += r.first[v];
    uint32_t *next = mg_arena_copy(arena, r.first, n, sizeof *next);
    r.ops = MG_NEW_N(arena, MgOpId, r.first[n] + 1);
    for (MgOpId id = 1; id < g->ops.len; id++)
        for (uint32_t k = 0; k < reads_of(g, id); k++)
            r.ops[next[mg_op(g, id)->operands[k]]++] = id;
    return r;
}

const MgAttr *mg_attr(const MgGraph *g, const MgOp *op, const char *name) {
    for (uint32_t i = 0; i < op->n_attrs; i++)
        if (!strcmp(mg_name(g->module->session->names, op->attrs[i].name), name))
            return &op->attrs[i];
    return NULL;
}
