// A graph as a picture: its text, with a dot for each input, op and output, in the order of
// execution, and at the left an arc from each to those that read it. Parameters are named where
// they are read.
//
// It is one self-contained SVG. A line that is cut has its whole text as a tooltip.
#include "ir/print_internal.h"

#include <math.h>

enum {
    WIDTH = 1000,
    TOP = 52,
    ROW = 20,
    GUTTER = 120, // for arcs
    LETTERS = 116,
    MOST = 1000 // rows; a larger picture helps nobody
};

typedef enum Kind { INPUT, EQUATION, BUILTIN, KERNEL, NESTED, OUTPUT } Kind;

static const struct {
    const char *colour, *name;
} kinds[] = {[INPUT] = {"#59a14f", "input"},           [EQUATION] = {"#4e79a7", "equation"},
             [BUILTIN] = {"#f28e2b", "builtin"},       [KERNEL] = {"#76b7b2", "kernel"},
             [NESTED] = {"#b07aa1", "loop or branch"}, [OUTPUT] = {"#e15759", "output"}};

typedef struct Picture {
    MgGraph *g;
    MgText *out, arcs;
    uint32_t *row_of; // by value: 1 + the row that defines it; 0: none
    uint32_t rows, left_out;
} Picture;

static double y_of(uint32_t row) {
    return TOP + row * ROW + ROW / 2.0;
}

// The longest beginning that there is room for, without half a character of UTF-8.
static size_t shortened(const char *line, size_t n) {
    size_t cut = n < LETTERS ? n : LETTERS;
    while (cut < n && cut && ((unsigned char)line[cut] & 0xc0) == 0x80)
        cut--;
    return cut;
}

static void arc(Picture *pic, uint32_t from, uint32_t to) {
    double a = y_of(from), b = y_of(to), x = GUTTER - 5;
    double out = 6 + 14 * log2((double)(to - from));
    out = out < GUTTER - 12 ? out : GUTTER - 12;
    if (to == from + 1)
        mg_textf(&pic->arcs, "<path d='M%d %.0fV%.0f'/>\n", GUTTER, a + 4, b - 4);
    else
        mg_textf(&pic->arcs, "<path d='M%.0f %.0fC%.1f %.0f %.1f %.0f %.0f %.0f'/>\n", x, a,
                 x - out, a, x - out, b, x, b);
}

// Draws an arc from the row that defines a value, once for each row that reads it.
static void read(Picture *pic, MgValueId v, uint32_t row, uint32_t *last) {
    uint32_t from = pic->row_of[v];
    if (from && from - 1 < row && last[from] != row + 1) {
        last[from] = row + 1;
        arc(pic, from - 1, row);
    }
}

static void read_op(Picture *pic, MgOpId id, uint32_t row, uint32_t *last) {
    const MgOp *op = mg_op(pic->g, id);
    for (uint32_t i = 0; i < op->n_operands; i++)
        read(pic, op->operands[i], row, last);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        const MgRegion *region = mg_region(pic->g, op->regions[r]);
        for (uint32_t i = 0; i < region->ops.len; i++)
            if (mg_op(pic->g, region->ops.at[i])->kind != MG_OP_ERASED)
                read_op(pic, region->ops.at[i], row, last);
    }
}

static void add_line(Picture *pic, const char *line, size_t n) {
    MgArena *arena = pic->out->arena;
    size_t shown = shortened(line, n), indent = strspn(line, " ");
    mg_textf(pic->out, "<text x='%.1f' y='%.0f'>", GUTTER + 14 + 7.2 * (double)indent,
             y_of(pic->rows++) + 4);
    mg_text_add_xml(pic->out, mg_arena_str(arena, line + indent, shown - indent));
    if (shown < n) {
        mg_text_add(pic->out, " …<title>");
        mg_text_add_xml(pic->out, mg_arena_str(arena, line, n));
        mg_text_add(pic->out, "</title>");
    }
    mg_text_add(pic->out, "</text>\n");
}

// Adds a text, with a dot at its first line. False if there is no room for it.
static bool add(Picture *pic, Kind kind, const char *text) {
    uint32_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += c[0] == '\n' && c[1];
    if (pic->rows + lines > MOST) {
        pic->left_out++;
        return false;
    }
    mg_textf(pic->out, "<circle cx='%d' cy='%.0f' r='4' fill='%s'/>", GUTTER, y_of(pic->rows),
             kinds[kind].colour);
    for (size_t n; lines--; text += n + (text[n] == '\n'))
        add_line(pic, text, n = strcspn(text, "\n"));
    return true;
}

static const char *name_of(const Picture *pic, MgSym name) {
    return mg_name(pic->g->module->session->names, name);
}

static const char *port_text(const Picture *pic, const MgPort *port) {
    MgText text = mg_text(pic->out->arena);
    const MgValue *value = mg_value(pic->g, port->value);
    MgPrinter p = {.g = pic->g, .out = &text};
    mg_textf(&text, "%s: ", name_of(pic, port->name));
    mg_print_type(&p, value->dtype, value->rank, value->shape);
    return mg_text_str(&text);
}

static bool is_shown(const MgOp *op) {
    return op->kind == MG_OP_EQUATION || op->kind == MG_OP_BUILTIN || op->kind == MG_OP_CONST ||
           op->n_regions;
}

static Kind kind_of(const MgOp *op) {
    return op->kind == MG_OP_FUSED      ? KERNEL
           : op->n_regions              ? NESTED
           : op->kind == MG_OP_EQUATION ? EQUATION
                                        : BUILTIN;
}

static void add_op(Picture *pic, MgOpId id, uint32_t *last) {
    const MgOp *op = mg_op(pic->g, id);
    MgText text = mg_text(pic->out->arena);
    uint32_t row = pic->rows;
    mg_op_print(pic->g, id, NULL, &text);
    if (!add(pic, kind_of(op), mg_text_str(&text)))
        return;
    read_op(pic, id, row, last);
    for (uint32_t i = 0; i < op->n_results; i++)
        pic->row_of[op->results[i]] = row + 1;
}

static void add_rows(Picture *pic) {
    MgGraph *g = pic->g;
    const MgRegion *body = mg_region(g, 0);
    uint32_t *last = MG_NEW_N(pic->out->arena, uint32_t, MOST + 1);
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (add(pic, INPUT, port_text(pic, &g->inputs.at[i])))
            pic->row_of[g->inputs.at[i].value] = pic->rows;
    for (uint32_t i = 0; i < body->ops.len; i++)
        if (is_shown(mg_op(g, body->ops.at[i])))
            add_op(pic, body->ops.at[i], last);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        uint32_t row = pic->rows;
        if (add(pic, OUTPUT, port_text(pic, &g->outputs.at[i])))
            read(pic, g->outputs.at[i].value, row, last);
    }
}

static void add_legend(MgText *out) {
    int x = GUTTER + 14;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        mg_textf(out, "<circle cx='%d' cy='40' r='4' fill='%s'/><text x='%d' y='44'>%s</text>\n", x,
                 kinds[k].colour, x + 8, kinds[k].name);
        x += 24 + 8 * (int)strlen(kinds[k].name);
    }
}

void mg_graph_svg(MgGraph *g, MgText *out) {
    MgText rows = mg_text(out->arena);
    Picture pic = {.g = g, .out = &rows, .arcs = mg_text(out->arena)};
    pic.row_of = MG_NEW_N(out->arena, uint32_t, g->values.len + 1);
    add_rows(&pic);
    uint32_t height = TOP + (pic.rows + (pic.left_out > 0) + 1) * ROW;
    mg_textf(out,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %u' width='%d' height='%u' "
             "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
             "fill='#fff'/>\n<text x='%d' y='24' font-size='16' font-weight='bold'>",
             WIDTH, height, WIDTH, height, GUTTER + 14);
    mg_text_add_xml(out, name_of(&pic, g->name));
    mg_text_add(out, "</text>\n");
    add_legend(out);
    mg_text_add(out, "<g fill='none' stroke='#888' stroke-opacity='.7'>\n");
    mg_text_add(out, mg_text_str(&pic.arcs));
    mg_text_add(out, "</g>\n<g font-family='monospace'>\n");
    mg_text_add(out, mg_text_str(&rows));
    mg_text_add(out, "</g>\n");
    if (pic.left_out)
        mg_textf(out, "<text x='%d' y='%.0f'>… and %u more</text>\n", GUTTER + 14,
                 y_of(pic.rows) + 4, pic.left_out);
    mg_text_add(out, "</svg>\n");
}
