// Chooses the number of rows that a group keeps, and its number of items. With more rows per group,
// fewer groups read the weights, but fewer compute units work. The model counts the clocks of one
// pass: loading weights through a unit's port and from the shared cache, multiplications, and the
// least latency of a step.
#include "passes/schedule/plan/launch_cost.h"
#include "passes/schedule/plan/owned.h"
#include "support/text.h"

#include <math.h>

enum { MOST_BLOCK = 16, LEAST_ITEMS = 32, MOST_ITEMS = 512 };
static const MgMachine *machine_of(const MgOwned *o) {
    return &o->s->options->target.machine;
}

uint32_t mg_owned_columns(const MgOwned *o, int64_t j) {
    return j >= 128 && j % 2 == 0 && o->block <= 8 ? 2 : 1;
}

// The number of items that work on columns side by side: the smallest power of two that covers
// them.
static uint32_t abreast(const MgOwned *o, const MgOwnedProduct *p) {
    uint32_t lanes = 1;
    while (lanes < o->items && lanes < p->j / mg_owned_columns(o, p->j))
        lanes *= 2;
    return lanes;
}

int64_t mg_owned_steps(const MgOwnedProduct *p) {
    return (p->k + 3) / 4;
}

uint32_t mg_owned_splits(const MgOwned *o, const MgOwnedProduct *p) {
    uint32_t splits = o->items / abreast(o, p);
    while (splits > mg_owned_steps(p))
        splits /= 2;
    return splits;
}

// The share of a group's items that have a column: 288 columns, two for each item, occupy 144 of
// 256 items.
static double busy(const MgOwned *o, const MgOwnedProduct *p) {
    double at_once = (double)abreast(o, p) * mg_owned_columns(o, p->j);
    return (double)p->j / (at_once * ceil((double)p->j / at_once));
}

int64_t mg_owned_partials(const MgOwned *o) {
    int64_t n = o->items;
    for (uint32_t i = 0; i < o->stages.len; i++) {
        const MgOwnedStage *st = &o->stages.at[i];
        uint32_t splits = st->product ? mg_owned_splits(o, &st->p) : 1;
        if (splits > 1 && n < splits * st->p.j * o->block)
            n = splits * st->p.j * o->block;
    }
    return n;
}

// Groups of one kernel take equal time: 144 of them on 132 units take as long as two on each.
static double waves_of(const MgOwned *o) {
    return ceil((double)(o->rows / o->block) / o->s->options->target.compute_units);
}

static double product_clocks(const MgOwned *o, const MgOwnedProduct *p) {
    const MgMachine *machine = machine_of(o);
    double units = o->s->options->target.compute_units, groups = (double)(o->rows / o->block);
    double waves = waves_of(o), bytes = 4.0 * (double)(p->k * p->j);
    bool near = 4 * (double)o->packed <= machine->own_cache;
    double latency = near ? machine->own_latency : machine->shared_latency;
    double flight = 16.0 * 8 * o->items * busy(o, p) / latency; // of one group
    double port = waves * bytes / (near ? machine->own_port : machine->shared_port);
    double stream = fmax(bytes / flight, port);
    if (!near)
        stream = fmax(stream, groups * bytes / (machine->shared_cache * units));
    double splits = mg_owned_splits(o, p);
    double fma = waves * o->block * (double)(p->k * p->j) / machine->unit_products /
                 machine->owned_share / busy(o, p);
    double each = 4 * ceil((double)mg_owned_steps(p) / splits);
    double chain = each * fmax(1, (double)p->j / (o->items * splits));
    return latency + fmax(stream, fmax(fma, chain)) +
           (splits > 1 ? 2 * machine->stage + machine->split * splits : machine->stage);
}

// Items that each compute a whole sum read it term by term; one sum per row is shared by many.
static double terms_clocks(const MgOwned *o, const MgOwnedStage *st) {
    const MgPiece *p = &mg_op(o->s->g, st->ops[0])->equation->pieces[0];
    double terms = st->reduces && p->n_free > 1 ? 1 : 0;
    for (uint32_t i = p->n_free; i < p->n_indices; i++)
        terms *= (double)mg_owned_const(o, p->indices[i].high);
    return terms * machine_of(o)->term;
}

static double pass_clocks(const MgOwned *o) {
    const MgMachine *machine = machine_of(o);
    double clocks = 0;
    for (uint32_t i = 0; i < o->stages.len; i++) {
        const MgOwnedStage *st = &o->stages.at[i];
        double points = fmax(1, (double)(st->points * o->block) / o->items);
        clocks += st->product ? product_clocks(o, &st->p)
                              : machine->stage * (st->reduces ? 4 : 1) +
                                    (20 + terms_clocks(o, st)) * points * waves_of(o);
    }
    // Fewer groups that do a little more each are as fast, and compete less with each other.
    bool crowded = 2 * (o->rows / o->block) > o->s->options->target.compute_units;
    return crowded ? clocks * machine->crowd : clocks;
}

const char *mg_owned_misfit(const MgOwned *o) {
    const MgTargetInfo *target = &o->s->options->target;
    uint32_t most = target->max_items < MOST_ITEMS ? target->max_items : MOST_ITEMS;
    if (!mg_nest_is_power(o->block) || o->block > MOST_BLOCK || o->rows % o->block ||
        !mg_nest_is_power(o->items) || o->items < LEAST_ITEMS || o->items > most)
        return mg_arena_printf(o->s->arena,
                               "a group has a power of two of rows, at most %d, which divides "
                               "their number, and one of items, %d to %u",
                               MOST_BLOCK, LEAST_ITEMS, most);
    return 4 * (o->row_elements * o->block + mg_owned_partials(o)) > target->local_bytes
               ? "the rows of a group do not fit into its local memory"
               : NULL;
}

bool mg_owned_choose(MgOwned *o) {
    MgOwned tried = *o;
    double best = 0;
    o->block = 0;
    for (tried.block = 1; tried.block <= MOST_BLOCK; tried.block *= 2)
        for (tried.items = LEAST_ITEMS; tried.items <= MOST_ITEMS; tried.items *= 2) {
            if (mg_owned_misfit(&tried))
                continue;
            double clocks = pass_clocks(&tried);
            if (o->block && clocks >= best)
                continue;
            best = clocks;
            o->block = tried.block;
            o->items = tried.items;
        }
    o->pass_us = best / machine_of(o)->clock * 1e-3;
    return o->block != 0;
}

// A message about the choice and its reason.
static const char *verdict(const MgOwned *o, bool pays) {
    const MgScheduleOptions *options = o->s->options;
    return options->launch == MG_LAUNCH_OWNED ? "asked for"
           : pays                             ? "chosen"
           : mg_launches_misfit(o->s)         ? mg_launches_misfit(o->s)
                                              : "not taken: it is no faster";
}

bool mg_owned_pays(MgOwned *o) {
    MgLaunches l = o->s->launch.separate;
    bool pays = o->pass_us < l.us && !mg_launches_misfit(o->s);
    mg_say_launch(o->s,
                  "%lld row%s owned by groups: blocks of %u row%s, %u group%s of %u item%s, about "
                  "%s a pass: %s",
                  (long long)o->rows, mg_plural(o->rows), o->block, mg_plural(o->block),
                  (uint32_t)(o->rows / o->block), mg_plural((uint64_t)(o->rows / o->block)),
                  o->items, mg_plural(o->items), mg_time_text(o->s->arena, o->pass_us),
                  verdict(o, pays));
    return pays;
}
