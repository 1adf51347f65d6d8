// The memory plan as a picture: time to the right in steps of the plan, addresses up, and a bar for
// each block of the arena. Above it are the bytes alive in each step; no placement can be smaller
// than their peak.
//
// It is one self-contained SVG. Every bar has its values, sizes, reason and source line as a
// tooltip; its label is the name of its first value, if there is room.
#include "ir/program.h"

#include <math.h>

enum {
    WIDTH = 1000,
    LEFT = 90,
    RIGHT = 20,
    TOP = 56,
    PLAN = 520,
    LIVE = 90,
    GAP = 46,
    BOTTOM = 44
};

typedef struct Bar {
    int64_t offset, bytes;
    uint32_t first, last;
    MgText what; // tooltip
    const char *label;
    bool scratch;
} Bar;

typedef struct Picture {
    MgProgram *p;
    MG_VEC(Bar) bars;
    uint32_t steps;
    int64_t bytes;
} Picture;

static const char *name_of(MgProgram *p, MgValueId v) {
    return mg_name(p->graph->module->session->names, mg_value(p->graph, v)->name);
}

static const char *place_of(MgProgram *p, MgOriginId origin) {
    MgModule *m = p->graph->module;
    if (!origin)
        return "";
    const MgOrigin *o = mg_origin_of_user(m, origin);
    return mg_arena_printf(p->arena, "%s:%u", mg_name(m->session->names, o->file), o->line);
}

// Values that share bytes are one bar.
static Bar *bar_of(Picture *pic, const MgPlacement *pl, int64_t bytes) {
    for (uint32_t i = 0; i < pic->bars.len; i++) {
        Bar *b = &pic->bars.at[i];
        if (b->offset == pl->known_offset && b->first == pl->first && b->last == pl->last &&
            b->bytes == bytes)
            return b;
    }
    Bar b = {pl->known_offset,       bytes, pl->first, pl->last,
             mg_text(pic->p->arena), NULL,  !pl->value};
    mg_push(pic->p->arena, &pic->bars, b);
    return &pic->bars.at[pic->bars.len - 1];
}

static void collect(Picture *pic) {
    MgProgram *p = pic->p;
    const MgNames *names = p->graph->module->session->names;
    for (uint32_t i = 0; i < p->placements.len; i++) {
        const MgPlacement *pl = &p->placements.at[i];
        int64_t bytes;
        if (pl->known_offset < 0 || !mg_ix_is_const(p->graph->module->ix, pl->bytes, &bytes))
            continue;
        Bar *b = bar_of(pic, pl, bytes);
        const char *place = place_of(p, pl->origin);
        const char *what = pl->value ? name_of(p, pl->value) : pl->packed ? "packed" : "scratch";
        if (!b->label || !*b->label)
            b->label = what;
        mg_textf(&b->what, "%s%s%s%s: %s", b->what.bytes.len ? "\n" : "", what, *place ? ", " : "",
                 place,
                 pl->in_place_of
                     ? mg_arena_printf(p->arena, "in place of %s", name_of(p, pl->in_place_of))
                     : mg_name(names, pl->reason));
        pic->steps = pl->last >= pic->steps ? pl->last + 1 : pic->steps;
    }
}

static double x_of(const Picture *pic, double step) {
    return LEFT + step * (WIDTH - LEFT - RIGHT) / (pic->steps ? pic->steps : 1);
}

static double y_of(const Picture *pic, double address) {
    double top = TOP + LIVE + GAP;
    return top + PLAN - address * PLAN / (pic->bytes ? (double)pic->bytes : 1);
}

static const char *bytes_text(MgArena *arena, double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    return mg_arena_printf(arena, bytes < 10 && u ? "%.1f %s" : "%.0f %s", bytes, units[u]);
}

static void draw_bar(const Picture *pic, const Bar *b, MgText *out) {
    static const char *const colours[] = {"#4e79a7", "#59a14f", "#f28e2b", "#76b7b2",
                                          "#b6992d", "#b07aa1", "#9c755f"};
    double x = x_of(pic, b->first), w = x_of(pic, b->last + 1.0) - x;
    double y = y_of(pic, (double)(b->offset + b->bytes)), h = y_of(pic, (double)b->offset) - y;
    uint32_t colour = (uint32_t)(b->offset / 64 + b->first) % 7;
    mg_textf(out,
             "<g><rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s' stroke='#fff' "
             "stroke-width='.6'%s/>",
             x, y, w, h, b->scratch ? "#bab0ac" : colours[colour],
             b->scratch ? " fill-opacity='.6'" : "");
    mg_textf(out, "<title>%s, steps %u to %u, at %lld\n",
             bytes_text(pic->p->arena, (double)b->bytes), b->first, b->last, (long long)b->offset);
    MgText what = b->what;
    mg_text_add_xml(out, mg_text_str(&what));
    mg_text_add(out, "</title>");
    if (h >= 11 && w >= 7.0 * (double)strlen(b->label) + 6) {
        mg_textf(out, "<text x='%.1f' y='%.1f' fill='%s' font-size='11'>", x + 4, y + h / 2 + 4,
                 b->scratch ? "#333" : "#fff");
        mg_text_add_xml(out, b->label);
        mg_text_add(out, "</text>");
    }
    mg_text_add(out, "</g>\n");
}

static void draw_live(const Picture *pic, MgText *out) {
    int64_t most = 0;
    double *live = MG_NEW_N(pic->p->arena, double, pic->steps + 1);
    for (uint32_t i = 0; i < pic->bars.len; i++)
        for (uint32_t s = pic->bars.at[i].first; s <= pic->bars.at[i].last; s++)
            live[s] += (double)pic->bars.at[i].bytes;
    mg_ix_is_const(pic->p->graph->module->ix, pic->p->arena_lower_bound, &most);
    double scale = pic->bytes ? LIVE / (double)pic->bytes : 0;
    mg_textf(out, "<path fill='#a0cbe8' stroke='#4e79a7' d='M%.1f %d", x_of(pic, 0), TOP + LIVE);
    for (uint32_t s = 0; s < pic->steps; s++)
        mg_textf(out, "L%.1f %.1fL%.1f %.1f", x_of(pic, s), TOP + LIVE - live[s] * scale,
                 x_of(pic, s + 1.0), TOP + LIVE - live[s] * scale);
    mg_textf(out, "L%.1f %dZ'/>\n", x_of(pic, pic->steps), TOP + LIVE);
    double y = TOP + LIVE - (double)most * scale;
    mg_textf(
        out,
        "<path stroke='#e15759' stroke-dasharray='5 4' d='M%d %.1fH%d'/>"
        "<text x='%d' y='%.1f' text-anchor='end'>%s</text>"
        "<text x='%d' y='%d' fill='#555'>bytes alive; dashed: their most, the lower bound</text>\n",
        LEFT, y, WIDTH - RIGHT, LEFT - 8, y + 4, bytes_text(pic->p->arena, (double)most), LEFT,
        TOP + LIVE + 16);
}

static void draw_axes(const Picture *pic, MgText *out) {
    static const double nice[] = {1, 2, 5};
    double bottom = y_of(pic, 0), step = 1;
    for (uint32_t i = 0; pic->steps / step > 12; i++)
        step = nice[i % 3] * pow(10, i / 3);
    for (double s = 0; s <= pic->steps; s += step)
        mg_textf(out,
                 "<path stroke='#ccc' d='M%.1f %.1fV%.1f'/><text x='%.1f' y='%.1f' "
                 "text-anchor='middle'>%.0f</text>\n",
                 x_of(pic, s), bottom, bottom + 5, x_of(pic, s), bottom + 18, s);
    for (int i = 0; i <= 4; i++) {
        double address = (double)pic->bytes * i / 4;
        mg_textf(out,
                 "<path stroke='#e5e5e5' d='M%d %.1fH%d'/><text x='%d' y='%.1f' "
                 "text-anchor='end'>%s</text>\n",
                 LEFT, y_of(pic, address), WIDTH - RIGHT, LEFT - 8, y_of(pic, address) + 4,
                 bytes_text(pic->p->arena, address));
    }
    mg_textf(out,
             "<text x='%d' y='%.1f' text-anchor='middle'>step of the plan</text>"
             "<text transform='translate(16 %.1f) rotate(-90)' text-anchor='middle'>address in the "
             "arena</text>\n",
             (LEFT + WIDTH - RIGHT) / 2, bottom + 38, (bottom + y_of(pic, (double)pic->bytes)) / 2);
}

bool mg_memplan_svg(MgProgram *p, MgText *out) {
    Picture pic = {.p = p, .bytes = p->arena_bytes};
    if (p->arena_bytes < 0)
        return false;
    collect(&pic);
    int height = TOP + LIVE + GAP + PLAN + BOTTOM;
    mg_textf(out,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
             "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
             "fill='#fff'/>\n<text x='%d' y='24' font-size='16' font-weight='bold'>Memory plan of ",
             WIDTH, height, WIDTH, height, LEFT);
    mg_text_add_xml(out, mg_name(p->graph->module->session->names, p->graph->name));
    int64_t most = 0;
    mg_ix_is_const(p->graph->module->ix, p->arena_lower_bound, &most);
    mg_textf(
        out,
        "</text>\n<text x='%d' y='42' fill='#555'>%u step%s; the arena takes %s, %.3f of the most "
        "bytes alive at once</text>\n",
        LEFT, pic.steps, mg_plural(pic.steps), bytes_text(p->arena, (double)p->arena_bytes),
        most ? (double)p->arena_bytes / (double)most : 1);
    draw_axes(&pic, out);
    for (uint32_t i = 0; i < pic.bars.len; i++)
        draw_bar(&pic, &pic.bars.at[i], out);
    draw_live(&pic, out);
    mg_text_add(out, "</svg>\n");
    return true;
}
