// The schedules of a program as text: each unit's name, its equations, and its nest.
#include "ir/dots.h"
#include "passes/nest/nest.h"
#include "passes/schedule/schedule.h"

// The number of units of each name, and the number counted so far.
typedef struct Names {
    MgMap all, so_far;
    uint32_t last; // the number of the last counted unit
} Names;

static uint64_t key_of(const char *values) {
    return mg_hash(values, strlen(values), 0);
}

static void count(MgMap *map, const char *values) {
    mg_map_put(map, key_of(values), mg_map_get(map, key_of(values), 0) + 1);
}

// The unit's equations, with the names that its schedule uses.
static void print_equations(const MgNestScope *scope, MgText *out) {
    MgNames *names = scope->g->module->session->names;
    for (uint32_t o = 0; o < scope->n_ops; o++) {
        MgPiece piece = *mg_nest_piece(scope, o);
        piece.indices =
            mg_arena_copy(out->arena, piece.indices, piece.n_indices, sizeof *piece.indices);
        for (uint32_t i = 0; i < piece.n_indices; i++)
            piece.indices[i].name =
                mg_sym(names, scope->indices.at[mg_nest_index(scope, o, i)].name);
        mg_text_add(out, "// ");
        mg_piece_print(scope->g, scope->ops[o], &piece, out);
        mg_text_add(out, "\n");
    }
}

// A write that rides with the unit, with its own indices.
static void print_rider(MgGraph *g, MgOpId id, MgText *out) {
    mg_text_add(out, "// rides: ");
    mg_piece_print(g, id, mg_only_piece(mg_op(g, id)), out);
    mg_text_add(out, "\n");
}

// The least time of a kernel: that of its arithmetic, or that of its bytes from the level of memory
// that can hold them.
typedef struct Roof {
    const char *name;
    double ns;
} Roof;

static void find_roofs(const MgProgram *p, const MgSite *site, double operations, double bytes,
                       Roof roofs[2]) {
    const MgMachine *m = &p->target->machine;
    double cores = p->max_workers, faster = site->faster > 0 ? site->faster : 1;
    if (p->target->gpu) {
        double products = m->clock * m->units * m->unit_products * faster;
        roofs[0] = (Roof){"arithmetic", operations / (2 * products)};
        roofs[1] = (Roof){"memory", bytes / m->memory_rate};
        return;
    }
    bool near = bytes <= m->l2_size * cores, last = bytes <= m->l3_size;
    double byte = near ? m->near_byte : last ? m->last_byte : m->memory_byte;
    roofs[0] = (Roof){"arithmetic", operations / (2 * m->products * faster * cores)};
    roofs[1] = (Roof){near   ? "the near caches"
                      : last ? "the last-level cache"
                             : "memory",
                      bytes * byte / cores};
}

// The work of a kernel and, if sizes are known, its estimated time by the machine's figures.
static void print_cost(MgProgram *p, const MgSite *site, MgText *out) {
    const MgModule *m = p->graph->module;
    const MgCost *cost = &site->cost;
    int64_t operations, bytes;
    mg_text_add(out, "// ");
    mg_ix_print(m->ix, m->session->names, cost->flops, NULL, NULL, out);
    mg_text_add(out, " operations on ");
    mg_ix_print(m->ix, m->session->names, cost->bytes, NULL, NULL, out);
    mg_text_add(out, " bytes");
    if (mg_ix_is_const(m->ix, cost->flops, &operations) &&
        mg_ix_is_const(m->ix, cost->bytes, &bytes)) {
        Roof roofs[2];
        find_roofs(p, site, (double)operations, (double)bytes, roofs);
        double least = roofs[0].ns > roofs[1].ns ? roofs[0].ns : roofs[1].ns;
        mg_textf(out, ": %s by the machine's figures", mg_time_text(out->arena, least / 1000));
        for (int i = 0; i < 2 && least > 0; i++)
            mg_textf(out, ", %s %.0f%%", roofs[i].name, 100 * roofs[i].ns / least);
    }
    mg_text_add(out, "\n");
}

static void print_rows(const MgProgram *p, const MgSite *site, MgText *out) {
    int64_t rows;
    if (!site->rows)
        return;
    bool known = mg_ix_is_const(p->graph->module->ix, site->rows, &rows);
    mg_text_add(out, "// a core takes blocks of ");
    if (known)
        mg_textf(out, "%lld ", (long long)rows);
    mg_text_add(out, "rows through this kernel and others\n");
}

static void print_site(MgProgram *p, uint32_t number, const char *values, const char *note,
                       Names *names, MgText *out) {
    const MgSite *site = &p->sites.at[number];
    MgNestName name = {.values = values,
                       .unit = (uint32_t)mg_map_get(&names->so_far, key_of(values), 1),
                       .n_units = (uint32_t)mg_map_get(&names->all, key_of(values), 1)};
    if (!site->nest) {
        mg_textf(out, "// %s: the form '%s' has no text\n", values, site->kind);
        mg_textf(out, note ? "// %s\n\n" : "\n", note);
        return;
    }
    name.gpu = site->nest->gpu;
    name.piece = site->nest->piece;
    if (name.piece)
        name.n_pieces = mg_op(p->graph, site->ops[0])->equation->n_pieces;
    MgNestScope scope = mg_nest_scope_of(p->arena, p->graph, site->ops, site->n_ops, site->nest);
    print_equations(&scope, out);
    for (uint32_t i = 0; i < site->n_riders; i++)
        print_rider(p->graph, site->ops[site->n_ops + i], out);
    print_cost(p, site, out);
    print_rows(p, site, out);
    if (note)
        mg_textf(out, "// %s\n", note);
    mg_nest_print(site->nest, &scope, &name, out);
    mg_text_add(out, "\n");
}

void mg_schedule_print(MgProgram *p, MgSiteNote *note, void *ctx, MgText *out) {
    Names names = {.last = UINT32_MAX};
    mg_map_init(&names.all, p->arena);
    mg_map_init(&names.so_far, p->arena);
    for (uint32_t pass = 0; pass < 2; pass++) {
        names.last = UINT32_MAX;
        for (uint32_t i = 0; i < p->sites.len; i++) {
            const MgSite *site = &p->sites.at[i];
            const char *values = mg_nest_values_of(p->arena, p->graph, site->ops, site->n_ops);
            if (!values || !site->n_ops)
                continue;
            if (site->number != names.last)
                count(pass ? &names.so_far : &names.all, values);
            names.last = site->number;
            if (pass)
                print_site(p, i, values, note ? note(ctx, p, i) : NULL, &names, out);
        }
    }
}
