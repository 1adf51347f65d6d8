// Writes a graph for the report's script: a list of ops. The ops of a region follow the op that
// contains it.
#include "ir/print_internal.h"
#include "tools/report.h"
#include "tools/show.h"

#include <stdio.h>

// An inner value of a kernel is shown under the name of the result that it becomes, which is the
// user's name.
static MgValueId shown_as(MgGraph *g, MgValueId v) {
    MgOpId def = mg_value(g, v)->def;
    MgRegionId r = def ? mg_op(g, def)->region : 0;
    MgOpId around = r ? mg_region(g, r)->parent : MG_NONE;
    if (!around || mg_op(g, around)->kind != MG_OP_FUSED)
        return v;
    const MgRegion *body = mg_region(g, r);
    const MgOp *yield = mg_op(g, body->ops.at[body->ops.len - 1]);
    for (uint32_t i = 0; i < yield->n_operands; i++)
        if (yield->operands[i] == v)
            return mg_op(g, around)->results[i];
    return v;
}

static const char *name_of(MgGraph *g, MgValueId v) {
    return mg_name(g->module->session->names, mg_value(g, shown_as(g, v))->name);
}

static void add_field(MgText *out, const char *name, const char *text) {
    mg_textf(out, ", \"%s\": ", name);
    mgc_json_string(out, text);
}

static void add_names(MgGraph *g, const char *field, const MgValueId *values, uint32_t n,
                      MgText *out) {
    mg_textf(out, ", \"%s\": [", field);
    for (uint32_t i = 0; i < n; i++) {
        mg_text_add(out, i ? ", " : "");
        mgc_json_string(out, name_of(g, values[i]));
    }
    mg_text_add(out, "]");
}

static void add_type(MgGraph *g, MgValueId v, MgText *out) {
    MgText text = mg_text(out->arena);
    MgPrinter p = {.g = g, .out = &text};
    mg_print_type(&p, mg_value(g, v)->dtype, mg_value(g, v)->rank, mg_value(g, v)->shape);
    add_field(out, "type", mg_text_str(&text));
}

static void add_place(MgGraph *g, MgOriginId origin, MgText *out) {
    char place[1024];
    if (!origin)
        return;
    const MgOrigin *o = mg_origin_of_user(g->module, origin);
    snprintf(place, sizeof place, "%s:%u:%u", mg_name(g->module->session->names, o->file), o->line,
             o->column);
    add_field(out, "place", place);
}

static const char *const kinds[] = {[MG_OP_ERASED] = "",         [MG_OP_EQUATION] = "equation",
                                    [MG_OP_BUILTIN] = "builtin", [MG_OP_PARAM] = "weight",
                                    [MG_OP_CONST] = "constant",  [MG_OP_FUSED] = "kernel",
                                    [MG_OP_LOOP] = "loop",       [MG_OP_IF] = "if",
                                    [MG_OP_DIM] = "dimension",   [MG_OP_YIELD] = "yield",
                                    [MG_OP_REQUIRE] = "require"};

static void add_region(MgGraph *g, MgRegionId r, uint32_t depth, MgText *out);

static void swap_names(MgGraph *g, const MgValueId *values, const MgSym *to, MgSym *from,
                       uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (from)
            from[i] = mg_value(g, values[i])->name;
        mg_value(g, values[i])->name = to ? to[i] : mg_value(g, shown_as(g, values[i]))->name;
    }
}

// The op's text in the user's names.
static const char *text_of(MgGraph *g, MgOpId id, MgText *out) {
    static const MgPrintOptions print = {.inline_const = 64};
    const MgOp *op = mg_op(g, id);
    MgText text = mg_text(out->arena);
    MgSym *results = MG_NEW_N(out->arena, MgSym, op->n_results);
    MgSym *operands = MG_NEW_N(out->arena, MgSym, op->n_operands);
    swap_names(g, op->results, NULL, results, op->n_results);
    swap_names(g, op->operands, NULL, operands, op->n_operands);
    mg_op_print(g, id, &print, &text);
    swap_names(g, op->operands, operands, NULL, op->n_operands);
    swap_names(g, op->results, results, NULL, op->n_results);
    return mg_text_str(&text);
}

static void add_op(MgGraph *g, MgOpId id, uint32_t depth, MgText *out) {
    const MgOp op = *mg_op(g, id);
    mg_textf(out, ",\n{\"kind\": \"%s\", \"depth\": %u", kinds[op.kind], depth);
    add_names(g, "out", op.results, op.n_results, out);
    add_names(g, "in", op.operands, op.n_operands, out);
    if (op.n_results)
        add_type(g, op.results[0], out);
    add_place(g, op.origin, out);
    if (!op.n_regions)
        add_field(out, "text", text_of(g, id, out));
    mg_text_add(out, "}");
    for (uint32_t r = 0; r < op.n_regions; r++)
        add_region(g, op.regions[r], depth + 1, out);
}

// A region's results are named as its yields read them. An op of kind "yield" connects them with
// the names outside.
static void add_region(MgGraph *g, MgRegionId r, uint32_t depth, MgText *out) {
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        if (mg_op(g, id)->kind != MG_OP_ERASED && mg_op(g, id)->region == r)
            add_op(g, id, depth, out);
    }
}

void mgc_report_graph(MgGraph *g, MgText *out) {
    const char *comma = "";
    mg_text_add(out, "{\"ops\": [");
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        MgValueId v = g->inputs.at[i].value;
        mg_textf(out, "%s\n{\"kind\": \"input\", \"depth\": 0, \"in\": []", comma);
        add_names(g, "out", &v, 1, out);
        add_type(g, v, out);
        mg_text_add(out, "}");
        comma = ",";
    }
    if (!*comma) // ops begin with a comma each
        mg_text_add(out, "\n{\"kind\": \"start\", \"depth\": 0, \"in\": [], \"out\": []}");
    add_region(g, 0, 0, out);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        mg_text_add(out, ",\n{\"kind\": \"output\", \"depth\": 0, \"out\": []");
        add_names(g, "in", &g->outputs.at[i].value, 1, out);
        add_type(g, g->outputs.at[i].value, out);
        add_field(out, "name", mg_name(g->module->session->names, g->outputs.at[i].name));
        mg_text_add(out, "}");
    }
    mg_text_add(out, "]}");
}
