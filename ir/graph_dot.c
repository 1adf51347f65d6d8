// A graph for Graphviz: ops are nodes with their equations, values are edges with their types.
#include "ir/print_internal.h"

static void label(MgText *out, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            mg_text_add(out, "\\");
        mg_text_add_n(out, *text == '\n' ? "\\l" : text, *text == '\n' ? 2 : 1);
    }
}

static void edge_label(MgGraph *g, MgValueId v, MgText *out) {
    MgText text = mg_text(out->arena);
    MgPrinter p = {.g = g, .out = &text};
    const MgValue *value = mg_value(g, v);
    mg_print_type(&p, value->dtype, value->rank, value->shape);
    label(out, mg_text_str(&text));
}

static void source(MgGraph *g, MgValueId v, MgText *out) {
    MgOpId def = mg_value(g, v)->def;
    if (def)
        mg_textf(out, "op%u", def);
    else
        mg_textf(out, "value%u", v);
}

static void dot_region(MgGraph *g, MgRegionId r, MgText *out);

static void dot_op(MgGraph *g, MgOpId id, MgText *out) {
    static const MgPrintOptions options;
    const MgOp op = *mg_op(g, id);
    MgText text = mg_text(out->arena);
    if (op.n_regions == 0)
        mg_op_print(g, id, &options, &text);
    else
        mg_text_add(&text, op.kind == MG_OP_FUSED ? "fused" : op.kind == MG_OP_IF ? "if" : "loop");
    mg_textf(out, "  op%u [shape=box, label=\"", id);
    label(out, mg_text_str(&text));
    mg_text_add(out, "\\l\"];\n");
    for (uint32_t r = 0; r < op.n_regions; r++) {
        mg_textf(out, "  subgraph cluster%u {\n  label=\"op%u\";\n", op.regions[r], id);
        dot_region(g, op.regions[r], out);
        mg_text_add(out, "  }\n");
    }
    for (uint32_t i = 0; i < op.n_operands; i++) {
        mg_text_add(out, "  ");
        source(g, op.operands[i], out);
        mg_textf(out, " -> op%u [label=\"", id);
        edge_label(g, op.operands[i], out);
        mg_text_add(out, "\"];\n");
    }
}

static void dot_region(MgGraph *g, MgRegionId r, MgText *out) {
    const MgNames *names = g->module->session->names;
    for (uint32_t i = 0; i < mg_region(g, r)->params.len; i++) {
        MgValueId v = mg_region(g, r)->params.at[i];
        mg_textf(out, "  value%u [label=\"", v);
        label(out, mg_name(names, mg_value(g, v)->name));
        mg_text_add(out, "\"];\n");
    }
    for (uint32_t i = 0; i < mg_region(g, r)->ops.len; i++) {
        MgOpId id = mg_region(g, r)->ops.at[i];
        if (mg_op(g, id)->kind != MG_OP_ERASED && mg_op(g, id)->region == r)
            dot_op(g, id, out);
    }
}

void mg_graph_dot(MgGraph *g, MgText *out) {
    const MgNames *names = g->module->session->names;
    mg_text_add(out, "digraph \"");
    label(out, mg_name(names, g->name));
    mg_text_add(out, "\" {\n  node [fontname=monospace];\n");
    dot_region(g, 0, out);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        mg_textf(out, "  output%u [label=\"", i);
        label(out, mg_name(names, g->outputs.at[i].name));
        mg_text_add(out, "\"];\n  ");
        source(g, g->outputs.at[i].value, out);
        mg_textf(out, " -> output%u [label=\"", i);
        edge_label(g, g->outputs.at[i].value, out);
        mg_text_add(out, "\"];\n");
    }
    mg_text_add(out, "}\n");
}
