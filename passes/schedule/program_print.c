// A program as text: kernels, plan, and the memory plan as a table or JSON.
#include "passes/schedule/schedule.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static const char *place(MgProgram *p, MgOriginId origin) {
    const MgModule *m = p->graph->module;
    if (!origin)
        return "";
    const MgOrigin *o = mg_origin_of_user(m, origin);
    return mg_arena_printf(p->arena, "%s:%u:%u", mg_name(m->session->names, o->file), o->line,
                           o->column);
}

static void print_sites(MgProgram *p, MgText *out) {
    const MgNames *names = p->graph->module->session->names;
    for (uint32_t i = 0; i < p->sites.len; i++) {
        const MgSite *s = &p->sites.at[i];
        mg_textf(out, "// site %u: %s (%s) runs %s, from %s\n", i, mg_name(names, s->name), s->kind,
                 mg_name(names, p->kernels.at[s->kernel]->name), place(p, s->origin));
    }
}

void mg_program_print(MgProgram *p, MgText *out, bool kernels, bool plan) {
    for (uint32_t i = 0; kernels && i < p->kernels.len; i++) {
        mg_kernel_print(p->kernels.at[i], out);
        mg_text_add(out, "\n");
    }
    if (!plan)
        return;
    print_sites(p, out);
    mg_kernel_print(p->bind, out);
    mg_text_add(out, "\n");
    mg_kernel_print(p->plan, out);
}

static void memplan_json(MgProgram *p, MgText *out) {
    const MgNames *names = p->graph->module->session->names;
    MgIxTable *t = p->graph->module->ix;
    cJSON *list = cJSON_CreateArray();
    for (uint32_t i = 0; list && i < p->placements.len; i++) {
        const MgPlacement *pl = &p->placements.at[i];
        int64_t bytes = -1;
        mg_ix_is_const(t, pl->bytes, &bytes);
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "value", mg_name(names, mg_value(p->graph, pl->value)->name));
        cJSON_AddNumberToObject(row, "first", pl->first);
        cJSON_AddNumberToObject(row, "last", pl->last);
        cJSON_AddNumberToObject(row, "bytes", (double)bytes);
        cJSON_AddNumberToObject(row, "offset", (double)pl->known_offset);
        cJSON_AddStringToObject(row, "reason", mg_name(names, pl->reason));
        cJSON_AddStringToObject(row, "place", place(p, mg_value(p->graph, pl->value)->origin));
        cJSON_AddItemToArray(list, row);
    }
    char *text = cJSON_Print(list);
    mg_textf(out, "%s\n", text ? text : "[]");
    cJSON_free(text);
    cJSON_Delete(list);
}

static const char *ix_text(MgProgram *p, MgIx x) {
    MgText text = mg_text(p->arena);
    mg_ix_print(p->graph->module->ix, p->graph->module->session->names, x, NULL, NULL, &text);
    return mg_text_str(&text);
}

// Bytes of the arena where they are known: the largest end.
static int64_t known_peak(MgProgram *p) {
    int64_t peak = 0;
    for (uint32_t i = 0; i < p->placements.len; i++) {
        const MgPlacement *pl = &p->placements.at[i];
        int64_t bytes;
        if (pl->known_offset >= 0 && mg_ix_is_const(p->graph->module->ix, pl->bytes, &bytes) &&
            pl->known_offset + bytes > peak)
            peak = pl->known_offset + bytes;
    }
    return peak;
}

void mg_memplan_print(MgProgram *p, MgText *out, bool json) {
    if (json) {
        memplan_json(p, out);
        return;
    }
    const MgNames *names = p->graph->module->session->names;
    mg_textf(out, "%-20s %6s %6s %14s %12s  %-34s %s\n", "value", "first", "last", "bytes",
             "offset", "why there", "from");
    for (uint32_t i = 0; i < p->placements.len; i++) {
        const MgPlacement *pl = &p->placements.at[i];
        const MgValue *v = mg_value(p->graph, pl->value);
        char first[16] = "-", last[16] = "-", offset[24] = "-";
        if (pl->first != UINT32_MAX) {
            snprintf(first, sizeof first, "%u", pl->first);
            snprintf(last, sizeof last, "%u", pl->last);
        }
        if (pl->known_offset >= 0)
            snprintf(offset, sizeof offset, "%lld", (long long)pl->known_offset);
        else if (pl->offset->kind == MG_KX_LOAD)
            snprintf(offset, sizeof offset, "slot %llu",
                     (unsigned long long)pl->offset->args[0]->bits);
        const char *why = mg_name(names, pl->reason);
        if (pl->in_place_of)
            why = mg_arena_printf(p->arena, "in place of %s",
                                  mg_name(names, mg_value(p->graph, pl->in_place_of)->name));
        mg_textf(out, "%-20s %6s %6s %14s %12s  %-34s %s\n", mg_name(names, v->name), first, last,
                 ix_text(p, pl->bytes), offset, why, place(p, v->origin));
    }
    mg_textf(out, "arena: %lld bytes; the most bytes live at once: %s\n", (long long)known_peak(p),
             ix_text(p, p->arena_lower_bound));
}
