// A program as text: kernels, plan, and the memory plan as a table or JSON.
#include "ir/program.h"

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

// "c1_conv2d (net.mg:7:15), c1 (net.mg:7:10)": the ops of a call, or the purpose of a call without
// ops.
static void print_ops(MgProgram *p, const MgSite *s, MgText *out) {
    const MgNames *names = p->graph->module->session->names;
    for (uint32_t i = 0; i < s->n_ops; i++) {
        const MgOp *op = mg_op(p->graph, s->ops[i]);
        const char *name =
            op->n_results ? mg_name(names, mg_value(p->graph, op->results[0])->name) : "";
        mg_textf(out, "%s%s (%s)", i ? ", " : "", name, place(p, op->origin));
    }
    if (!s->n_ops)
        mg_textf(out, "for %s (%s)", mg_name(names, s->name), place(p, s->origin));
    else if (s->part)
        mg_textf(out, ": %s", s->part);
}

// The comment above a kernel: the ops that it runs, once for each call.
static void print_callers(MgProgram *p, uint32_t kernel, MgText *out) {
    enum { MOST = 8 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->sites.len; i++) {
        const MgSite *s = &p->sites.at[i];
        if (s->kernel != kernel || n++ >= MOST)
            continue;
        mg_textf(out, "// %s: ", s->kind);
        print_ops(p, s, out);
        mg_text_add(out, "\n");
    }
    if (n > MOST)
        mg_textf(out, "// and %u more call%s\n", n - MOST, mg_plural(n - MOST));
}

void mg_program_print(MgProgram *p, MgText *out, bool kernels, bool plan) {
    for (uint32_t i = 0; kernels && i < p->kernels.len; i++) {
        print_callers(p, i, out);
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

static const char *label(MgProgram *p, const MgPlacement *pl) {
    return pl->value
               ? mg_name(p->graph->module->session->names, mg_value(p->graph, pl->value)->name)
           : pl->packed ? "(packed)"
                        : "(scratch)";
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
        cJSON_AddStringToObject(row, "value", label(p, pl));
        cJSON_AddNumberToObject(row, "first", pl->first);
        cJSON_AddNumberToObject(row, "last", pl->last);
        cJSON_AddNumberToObject(row, "bytes", (double)bytes);
        cJSON_AddNumberToObject(row, "offset", (double)pl->known_offset);
        cJSON_AddStringToObject(row, "reason", mg_name(names, pl->reason));
        cJSON_AddStringToObject(row, "place", place(p, pl->origin));
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

static void memplan_row(MgProgram *p, MgText *out, const MgPlacement *pl, int width) {
    const MgNames *names = p->graph->module->session->names;
    char first[16] = "-", last[16] = "-", offset[24] = "-";
    if (pl->first != UINT32_MAX) {
        snprintf(first, sizeof first, "%u", pl->first);
        snprintf(last, sizeof last, "%u", pl->last);
    }
    if (pl->known_offset >= 0)
        snprintf(offset, sizeof offset, "%lld", (long long)pl->known_offset);
    else if (pl->depends && pl->offset->kind == MG_KX_LOAD)
        snprintf(offset, sizeof offset, "slot %llu", (unsigned long long)pl->offset->args[0]->bits);
    const char *why = mg_name(names, pl->reason);
    if (pl->in_place_of && pl->first != UINT32_MAX)
        why = mg_arena_printf(p->arena, "in place of %s",
                              mg_name(names, mg_value(p->graph, pl->in_place_of)->name));
    mg_textf(out, "%-*s %5s %5s %12s %10s  %-34s %s\n", width, label(p, pl), first, last,
             ix_text(p, pl->bytes), offset, why, place(p, pl->origin));
}

void mg_memplan_print(MgProgram *p, MgText *out, bool json) {
    if (json) {
        memplan_json(p, out);
        return;
    }
    int width = 12;
    for (uint32_t i = 0; i < p->placements.len; i++) {
        int length = (int)strlen(label(p, &p->placements.at[i]));
        width = length > width ? length : width;
    }
    mg_textf(out, "%-*s %5s %5s %12s %10s  %-34s %s\n", width, "value", "first", "last", "bytes",
             "offset", "why there", "from");
    for (uint32_t i = 0; i < p->placements.len; i++)
        memplan_row(p, out, &p->placements.at[i], width);
    if (p->arena_bytes >= 0)
        mg_textf(out, "arena: %lld byte%s; the most that live at once: %s\n",
                 (long long)p->arena_bytes, mg_plural(p->arena_bytes),
                 ix_text(p, p->arena_lower_bound));
    else
        mg_text_add(out, "arena: its size is computed when the dimensions are known (slot 0)\n");
}
