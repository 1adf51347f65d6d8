// Nests given by the user: finds the nest of a unit by its name.
#include "passes/schedule/form.h"

static const MgNestFile *file_of(const MgSched *s) {
    return s->options->schedules;
}

static const char *name_of(MgSched *s, const MgUnit *unit) {
    const char *values = mg_nest_values_of(s->arena, s->g, unit->ops, unit->n_ops);
    return values ? values : "";
}

void mg_nest_count(MgSched *s, const MgUnit *unit) {
    const char *name = name_of(s, unit);
    uint64_t key = mg_hash(name, strlen(name), 0),
             n = mg_map_get(&s->draft->given.by_name, key, 0) + 1;
    mg_map_put(&s->draft->given.by_name, key, n);
    s->draft->unit.of_name = (uint32_t)n;
}

// Is it a schedule of units of that name, for the target?
static bool is_of(const MgSched *s, const MgNestName *n, const char *name) {
    return n->gpu == s->options->target.gpu && !strcmp(n->values, name);
}

// The file's schedule for a piece of the unit (0: for any piece). A schedule that names the unit's
// number is preferred to one for all units of that name. UINT32_MAX: none.
static uint32_t find(MgSched *s, const char *name, uint32_t piece) {
    const MgNestFile *file = file_of(s);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; file && i < file->all.len; i++) {
        const MgNestName *n = mg_nest_text_name(file->all.at[i]);
        if (!is_of(s, n, name) || (n->n_units && n->unit != s->draft->unit.of_name) ||
            (piece != UINT32_MAX && n->piece != piece))
            continue;
        if (found == UINT32_MAX || n->n_units)
            found = i;
    }
    return found;
}

bool mg_nest_is_given(MgSched *s, const MgUnit *unit) {
    return file_of(s) && find(s, name_of(s, unit), UINT32_MAX) < UINT32_MAX;
}

bool mg_nest_is_named(MgSched *s, MgOpId op) {
    const char *name = name_of(s, &(MgUnit){.ops = &op, .n_ops = 1});
    const MgNestFile *file = file_of(s);
    bool found = false;
    for (uint32_t i = 0; file && i < file->all.len && !found; i++)
        found = is_of(s, mg_nest_text_name(file->all.at[i]), name);
    return found;
}

const MgNestText *mg_nest_take(MgSched *s, const MgUnit *unit, uint32_t piece) {
    uint32_t i = file_of(s) ? find(s, name_of(s, unit), piece) : UINT32_MAX;
    if (i == UINT32_MAX)
        return NULL;
    if (!s->draft->given.taken)
        s->draft->given.taken = MG_NEW_N(s->arena, bool, file_of(s)->all.len);
    s->draft->given.taken[i] = true;
    return file_of(s)->all.at[i];
}

const MgNest *mg_nest_given_form(MgSched *s, const MgUnit *unit, MgNestForm form,
                                 MgNestScope *scope, bool *failed) {
    const MgNestText *text = mg_nest_take(s, unit, 0);
    if (!text || mg_nest_text_follows(text) != (form == MG_NEST_ATTENTION))
        return NULL;
    const MgNest *nest = mg_nest_resolve(s->m->session, text, scope);
    *failed = !nest;
    return nest && mg_nest_form(nest, scope) == form ? nest : NULL;
}

bool mg_nest_all_taken(MgSched *s) {
    const MgNestFile *file = s->options->schedules;
    bool all = true;
    for (uint32_t i = 0; file && i < file->all.len; i++) {
        const MgNestText *text = file->all.at[i];
        const MgNestName *name = mg_nest_text_name(text);
        uint64_t n =
            mg_map_get(&s->draft->given.by_name, mg_hash(name->values, strlen(name->values), 0), 0);
        if (name->gpu != s->options->target.gpu)
            continue; // it is for another target
        if (name->n_units > 1 && n && n != name->n_units)
            mg_diag(s->m->session, mg_nest_text_span(text), MG_D_schedule_units, name->values,
                    (unsigned long long)n, name->n_units);
        else if (!n)
            mg_diag(s->m->session, mg_nest_text_span(text), MG_D_schedule_no_unit, name->values);
        else if (!s->draft->given.taken || !s->draft->given.taken[i])
            mg_diag(s->m->session, mg_nest_text_span(text), MG_D_schedule_not_taken, name->values);
        else
            continue;
        all = false;
    }
    return all;
}
