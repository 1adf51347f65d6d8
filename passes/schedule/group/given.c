// Checks a nest that the user gave for a group, and reads the plan of one that has a form.
#include "passes/schedule/group/nest.h"

static bool refuse(MgGroup *gr, MgSpan span, const char *why) {
    mg_diag(gr->s->m->session, span, MG_D_schedule_wrong, why);
    return false;
}

// Lanes along a sum find the best element of each lane only if positions are known.
static bool check_sums(MgGroup *gr, const MgNest *nest, const MgNestScope *scope,
                       const MgLine *outer) {
    for (uint32_t i = 0; i < outer->body.len; i++) {
        const MgLine *line = outer->body.at[i];
        if (line->kind != MG_LINE_FOR || line == mg_nest_tile(nest))
            continue;
        if (!check_sums(gr, nest, scope, line))
            return false;
        if (!line->walks[0].n_digits || nest->gpu || line->body.at[0]->kind != MG_LINE_DO)
            continue;
        const MgGroupNest *n = &gr->nests[line->body.at[0]->numbers[0]];
        if (mg_nest_symbol(nest, scope, line->walks[0].index) >= n->piece->n_free &&
            !mg_group_folds(n->piece->reducer) && !mg_group_places(gr, n->piece))
            return refuse(gr, line->span, "the places of this extreme do not fit lanes");
    }
    return true;
}

// Joins the indices of the nest's lines; on a CPU each line's indices must join to one.
static bool join(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    for (uint32_t i = 0; i < nest->root.body.len; i++) {
        const MgLine *line = nest->root.body.at[i];
        uint32_t axes[MG_GROUP_LOOPS];
        if (line->kind != MG_LINE_INDEX || nest->gpu)
            continue;
        for (uint32_t a = 0; a < line->n_numbers; a++)
            axes[a] = scope->indices.at[line->numbers[a]].position;
        if (gr->reduces || !mg_group_join(gr, axes, line->n_numbers))
            return refuse(gr, line->span,
                          "these indices can't be joined: in some value, a step of the outer one "
                          "is not a whole row of the inner one");
    }
    return true;
}

static bool check_vector(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    const MgLine *line = nest->root.body.len ? nest->root.body.at[nest->root.body.len - 1] : NULL;
    if (!nest->gpu || !line || line->kind != MG_LINE_FOR)
        return true;
    const MgWalk *w = line->walks;
    const MgDigit *last = &w->digits[w->n_digits - 1];
    MgGroup copy = *gr; // its indices are joined
    const MgLine *joined = mg_nest_join_line(nest, w->index);
    uint32_t axes[MG_GROUP_LOOPS];
    for (uint32_t a = 0; joined && a < joined->n_numbers; a++)
        axes[a] = scope->indices.at[joined->numbers[a]].position;
    if (joined && gr->s->options->level > 0 && !gr->reduces)
        mg_group_join(&copy, axes, joined->n_numbers);
    if (last->level != MG_LEVEL_VEC || last->size == 1 ||
        mg_gpu_takes_vectors(&copy, mg_nest_symbol(nest, scope, w->index), (uint32_t)last->size))
        return true;
    return refuse(gr, line->span,
                  "not every access along this index is a whole vector: some value is not "
                  "contiguous along it, or the size is not a multiple");
}

static bool check_rows(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    (void)scope;
    const char *why = mg_gpu_rows_misfit(gr, nest);
    return !why || refuse(gr, nest->root.span, why);
}

// Registers interleave two positions of the last index, or hold several sums of one index.
static bool check_registers(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    const MgLine *line = mg_nest_find_level(&nest->root, MG_LEVEL_REG);
    MgNestFound lanes = mg_nest_find_digit(&nest->root, MG_LEVEL_LANE);
    uint32_t e = mg_nest_symbol(nest, scope, line->walks->index),
             v = mg_nest_symbol(nest, scope, lanes.walk->index);
    int64_t n = mg_nest_digit(lanes.walk, MG_LEVEL_LANE);
    if (mg_nest_find_digit(line, MG_LEVEL_LANE).line) { // lanes are around them
        bool fits =
            gr->depth == gr->nests->piece->n_free && mg_group_folds(gr->nests->piece->reducer);
        for (uint32_t i = 1; i < gr->n_nests; i++)
            fits &= gr->nests[i].piece->n_indices == gr->depth;
        return (fits && lanes.line->body.at[0]->numbers[0] == 0) ||
               refuse(gr, line->span,
                      "only sums, or extremes without their places, of one equation are in "
                      "registers together");
    }
    return (mg_nest_digit(lanes.walk, MG_LEVEL_REG) == 1 &&
            mg_interleaves(gr, v, e, (uint32_t)n)) ||
           refuse(gr, line->span,
                  "registers interleave two positions of the result's last index, with 4 to 16 "
                  "lanes along the index before it");
}

static bool check_tile(MgGroup *gr, const MgNest *nest, const MgNestScope *scope) {
    const char *why = mg_transpose_misfit(gr, nest, scope);
    return !why || refuse(gr, mg_nest_tile(nest)->span, why);
}

static const MgForm *const forms[] = {&mg_group_parts, &mg_group_gpu_tiles, &mg_group_gpu_joined};

// Reads the plan of a nest that has a form.
static bool read_plan(MgGroup *gr, const MgForm *form, const MgGivenNest *given, void **plan) {
    *plan = form->find_in(gr);
    return *plan ? mg_form_read(form, *plan, mg_group_place_of(gr), given)
                 : mg_form_refuse(given, NULL, "the unit is not %s", form->what);
}

const MgNest *mg_nest_given(MgGroup *gr, uint32_t n_pieces, bool *failed, const MgForm **form,
                            void **plan) {
    MgSched *s = gr->s;
    const MgNestText *text = mg_nest_take(s, gr->unit, gr->piece);
    if (!text)
        return NULL;
    *failed = true;
    const MgNestName *name = mg_nest_text_name(text);
    if (name->n_pieces > 1 && name->n_pieces != n_pieces) {
        refuse(gr, mg_nest_text_span(text),
               mg_arena_printf(s->arena, "the unit has %u piece%s", n_pieces, mg_plural(n_pieces)));
        return NULL;
    }
    MgNestScope scope = mg_nest_scope(s->arena, s->g, gr->unit->ops, gr->unit->n_ops, gr->piece);
    MgNest *nest = mg_nest_resolve(s->m->session, text, &scope);
    if (!nest)
        return NULL;
    nest->depth = gr->depth;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (forms[f]->nests == mg_nest_form(nest, &scope) && forms[f]->gpu == nest->gpu) {
            *form = forms[f];
            *failed = !read_plan(gr, *form, &(MgGivenNest){s, nest, &scope}, plan);
            return *failed ? NULL : nest;
        }
    const MgTargetInfo *target = &s->options->target;
    uint32_t lanes = nest->gpu ? MG_GPU_MOST_LANES : target->max_lanes;
    MgNestLimits limits = {lanes ? lanes : 64, target->max_items};
    *failed = !mg_nest_check(s->m->session, nest, &scope, gr->unit->outputs, gr->unit->n_outputs,
                             limits) ||
              !join(gr, nest, &scope) || !check_sums(gr, nest, &scope, &nest->root) ||
              !(mg_nest_tile(nest)                              ? check_tile
                : mg_nest_find_level(&nest->root, MG_LEVEL_REG) ? check_registers
                : mg_nest_has_rows(nest, &scope)                ? check_rows
                                                                : check_vector)(gr, nest, &scope);
    return *failed ? NULL : nest;
}
