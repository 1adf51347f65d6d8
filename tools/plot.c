// Lays a plot out from the outside in: a title, a legend, and a grid of panels. A panel draws its
// axes with ticks, then spreads, lines and points, so that nothing covers a point. If panels use
// one style for different names, each has a legend of its own.
#include "tools/plot.h"

#include "support/files.h"
#include "tools/mgc.h"

#include <math.h>

enum {
    WIDTH = 520,
    HEIGHT = 330, // of a panel's inside
    LEFT = 88,
    RIGHT = 28,
    TOP = 44,
    BOTTOM = 62,
    HEAD = 62, // title and subtitle
    LINE = 17,
    LEGEND_LINE = 22,
    MAX_TICKS = 64
};

typedef struct Style {
    const char *color;
    const char *marker; // of about 8 units, around the origin
} Style;
// Okabe and Ito's colours, which readers with any colour vision can tell apart.
static const Style styles[] = {
    {"#0072B2", "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0"},
    {"#D55E00", "M-3.6,-3.6h7.2v7.2h-7.2z"},
    {"#009E73", "M0,-4.8L4.4,3.4H-4.4z"},
    {"#CC79A7", "M0,-5L5,0L0,5L-5,0z"},
    {"#E69F00", "M0,4.8L4.4,-3.4H-4.4z"},
    {"#56B4E9", "M-4.2,-1.4h2.8v-2.8h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8z"},
    {"#333333", "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0"},
    {"#7A5C00", "M-3.6,-3.6h7.2v7.2h-7.2z"}};
#define N_STYLES (sizeof styles / sizeof *styles)

// ---------------------------------------------------------------- numbers
static const MgScale *const scales[] = {
    [MGC_UNIT_NUMBER] = (MgScale[]){{1, ""}, {0, NULL}},
    [MGC_UNIT_SECONDS] = mg_time_scales,
    [MGC_UNIT_ACCESS] = (MgScale[]){{1e-9, " ns"}, {0, NULL}},
    [MGC_UNIT_BYTES] =
        (MgScale[]){{1, " B"}, {1024, " KiB"}, {0x1p20, " MiB"}, {0x1p30, " GiB"}, {0, NULL}},
    [MGC_UNIT_RATE] = (MgScale[]){{1e6, " MB/s"}, {1e9, " GB/s"}, {1e12, " TB/s"}, {0, NULL}},
    [MGC_UNIT_FLOPS] =
        (MgScale[]){{1e6, " MFLOP/s"}, {1e9, " GFLOP/s"}, {1e12, " TFLOP/s"}, {0, NULL}}};

const char *mgc_quantity(MgArena *arena, MgcUnit unit, double value, int digits) {
    return mg_scaled(arena, scales[unit], value, digits);
}

// ---------------------------------------------------------------- axes
typedef struct Range {
    MgcAxis axis;
    double low, high;
    double from, to; // pixels
    double ticks[MAX_TICKS];
    uint32_t n_ticks;
} Range;

static double place(const Range *r, double v) {
    double t = r->axis.log ? (log(v) - log(r->low)) / (log(r->high) - log(r->low))
                           : (v - r->low) / (r->high - r->low);
    return r->from + t * (r->to - r->from);
}

static void see(Range *r, double v) {
    if (!isfinite(v) || (r->axis.log && v <= 0))
        return;
    r->low = v < r->low ? v : r->low;
    r->high = v > r->high ? v : r->high;
}

static void add_tick(Range *r, double v) {
    if (r->n_ticks < MAX_TICKS && v >= r->low * (1 - 1e-9) && v <= r->high * (1 + 1e-9))
        r->ticks[r->n_ticks++] = v;
}

// Ticks at powers of two for sizes and counts, and at powers of ten for others; at most eight.
static void log_ticks(Range *r) {
    bool binary = r->axis.unit == MGC_UNIT_BYTES || r->axis.unit == MGC_UNIT_NUMBER;
    double base = binary ? 2 : 10, n = log(r->high / r->low) / log(base);
    double step = pow(base, ceil(n / 9 > 1 ? n / 9 : 1));
    double first = pow(base, ceil(log(r->low) / log(base) - 1e-9));
    if (step > base) // so that they are powers of the step
        first = pow(step, ceil(log(r->low) / log(step) - 1e-9));
    for (double v = first; v <= r->high * (1 + 1e-9); v *= step)
        add_tick(r, v);
    if (r->n_ticks >= 3 || binary)
        return;
    r->n_ticks = 0; // less than two decades: 1, 2, 5
    for (double d = pow(10, floor(log10(r->low))); d <= r->high; d *= 10) {
        add_tick(r, d);
        add_tick(r, 2 * d);
        add_tick(r, 5 * d);
    }
}

static void linear_ticks(Range *r) {
    double span = r->high - r->low, step = pow(10, floor(log10(span / 5)));
    step *= span / step > 25 ? 5 : span / step > 12 ? 2 : 1;
    for (double v = ceil(r->low / step - 1e-9) * step; v <= r->high + step * 1e-9; v += step)
        if (r->n_ticks < MAX_TICKS)
            r->ticks[r->n_ticks++] = fabs(v) < step * 1e-9 ? 0 : v;
}

static Range range_of(const MgcPanel *p, bool is_x) {
    Range r = {.axis = is_x ? p->x : p->y, .low = INFINITY, .high = -INFINITY};
    if (r.axis.low < r.axis.high) {
        r.low = r.axis.low;
        r.high = r.axis.high;
    } else {
        for (uint32_t k = 0; k < p->n_series; k++)
            for (uint32_t i = 0; i < p->series[k].n; i++) {
                const MgcSeries *s = &p->series[k];
                see(&r, is_x ? s->x[i] : s->y[i]);
                if (!is_x && s->low)
                    see(&r, s->low[i]);
                if (!is_x && s->high)
                    see(&r, s->high[i]);
            }
        if (!(r.low <= r.high))
            r.low = r.high = 1;
        if (r.axis.log) { // leave a margin on both sides
            double air = is_x ? 1.08 : 1.35;
            r.low /= air;
            r.high *= air;
        } else {
            double span = r.high > r.low ? r.high - r.low : fabs(r.high) + 1;
            r.low = r.low >= 0 && r.low < span ? 0 : r.low - 0.05 * span;
            r.high += 0.05 * span;
        }
    }
    if (r.axis.log)
        log_ticks(&r);
    else
        linear_ticks(&r);
    return r;
}

// ---------------------------------------------------------------- drawing
static void words(MgText *out, double x, double y, const char *attributes, const char *text) {
    mg_textf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    mg_text_add_xml(out, text);
    mg_text_add(out, "</text>\n");
}

static void rule(MgText *out, double x1, double y1, double x2, double y2, const char *attributes) {
    mg_textf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2,
             attributes);
}

#define GRID "stroke=\"#e3e6ea\""
#define FAINT "stroke=\"#f2f4f6\""

// Draws lines at 2 to 9 between decades.
static void minor_lines(MgText *out, const Range *y, double left, double right) {
    if (!y->axis.log || y->axis.unit == MGC_UNIT_NUMBER || y->high / y->low > 1e7)
        return;
    for (double d = pow(10, floor(log10(y->low))); d <= y->high; d *= 10)
        for (int k = 2; k < 10; k++)
            if (k * d >= y->low && k * d <= y->high)
                rule(out, left, place(y, k * d), right, place(y, k * d), FAINT);
}

static void draw_axes(MgText *out, const Range *x, const Range *y) {
    double left = x->from, right = x->to, bottom = y->from, top = y->to;
    mg_textf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fcfdfe\"/>\n",
             left, top, right - left, bottom - top);
    minor_lines(out, y, left, right);
    for (uint32_t i = 0; i < y->n_ticks; i++) {
        double at = place(y, y->ticks[i]);
        rule(out, left, at, right, at, GRID);
        words(out, left - 8, at + 4, "text-anchor=\"end\" class=\"tick\"",
              mgc_quantity(out->arena, y->axis.unit, y->ticks[i], 4));
    }
    for (uint32_t i = 0; i < x->n_ticks; i++) {
        double at = place(x, x->ticks[i]);
        rule(out, at, bottom, at, top, GRID);
        rule(out, at, bottom, at, bottom + 4, "stroke=\"#8a929b\"");
        words(out, at, bottom + 18, "text-anchor=\"middle\" class=\"tick\"",
              mgc_quantity(out->arena, x->axis.unit, x->ticks[i], 4));
    }
    rule(out, left, bottom, right, bottom, "stroke=\"#8a929b\"");
    rule(out, left, bottom, left, top, "stroke=\"#8a929b\"");
    words(out, (left + right) / 2, bottom + 42, "text-anchor=\"middle\" class=\"axis\"",
          x->axis.title);
    mg_textf(out, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", left - 70,
             (top + bottom) / 2);
    words(out, 0, 0, "text-anchor=\"middle\" class=\"axis\"", y->axis.title);
    mg_text_add(out, "</g>\n");
}

static bool shown(const MgcSeries *s, const Range *x, const Range *y, uint32_t i) {
    return isfinite(s->y[i]) && (!y->axis.log || s->y[i] > 0) && (!x->axis.log || s->x[i] > 0);
}

// Draws the band between low and high, and a whisker at each point.
static void draw_spread(MgText *out, const MgcSeries *s, const Range *x, const Range *y) {
    const char *color = styles[s->style % N_STYLES].color;
    if (!s->low || !s->high)
        return;
    mg_textf(out, "<path fill=\"%s\" fill-opacity=\"0.14\" d=\"", color);
    const char *move = "M";
    for (uint32_t i = 0; i < s->n; i++)
        if (shown(s, x, y, i)) {
            mg_textf(out, "%s%.1f,%.1f", move, place(x, s->x[i]), place(y, s->high[i]));
            move = "L";
        }
    for (uint32_t i = s->n; i-- > 0;)
        if (shown(s, x, y, i))
            mg_textf(out, "%s%.1f,%.1f", move, place(x, s->x[i]), place(y, s->low[i]));
    mg_text_add(out, "\"/>\n");
    for (uint32_t i = 0; i < s->n; i++)
        if (shown(s, x, y, i) && place(y, s->low[i]) - place(y, s->high[i]) > 3) {
            double at = place(x, s->x[i]);
            mg_textf(out,
                     "<path stroke=\"%s\" stroke-opacity=\"0.55\" fill=\"none\" "
                     "d=\"M%.1f,%.1fh6m-3,0V%.1fm-3,0h6\"/>\n",
                     color, at - 3, place(y, s->low[i]), place(y, s->high[i]));
        }
}

static void draw_series(MgText *out, const MgcSeries *s, const Range *x, const Range *y) {
    const Style *style = &styles[s->style % N_STYLES];
    mg_textf(out,
             "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s "
             "d=\"",
             style->color, s->dashed ? " stroke-dasharray=\"6 4\"" : "");
    const char *move = "M";
    for (uint32_t i = 0; i < s->n; i++)
        if (shown(s, x, y, i)) {
            mg_textf(out, "%s%.1f,%.1f", move, place(x, s->x[i]), place(y, s->y[i]));
            move = "L";
        }
    mg_text_add(out, *move == 'L' ? "\"/>\n" : "M0,0\"/>\n");
    for (uint32_t i = 0; i < s->n; i++) {
        if (!shown(s, x, y, i))
            continue;
        mg_textf(out,
                 "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" fill=\"%s\" "
                 "stroke=\"#ffffff\" stroke-width=\"0.8\"><title>",
                 place(x, s->x[i]), place(y, s->y[i]), style->marker, style->color);
        mg_text_add_xml(out, s->name);
        mg_textf(out, ": %s, %s", mgc_quantity(out->arena, x->axis.unit, s->x[i], 4),
                 mgc_quantity(out->arena, y->axis.unit, s->y[i], 4));
        if (s->low && s->high)
            mg_textf(out, " (%s to %s)", mgc_quantity(out->arena, y->axis.unit, s->low[i], 4),
                     mgc_quantity(out->arena, y->axis.unit, s->high[i], 4));
        mg_text_add(out, "</title></path>\n");
    }
}

// The width of a text of the legend, estimated from a typical letter's.
static double text_width(const char *text) {
    return 7.2 * (double)mg_columns(text, strlen(text));
}

// Is this the first series of its name in all panels?
static bool is_first(const MgcPanel *panels, uint32_t panel, uint32_t series) {
    const char *name = panels[panel].series[series].name;
    for (uint32_t p = 0; p <= panel; p++)
        for (uint32_t k = 0; k < (p == panel ? series : panels[p].n_series); k++)
            if (!strcmp(panels[p].series[k].name, name))
                return false;
    return true;
}

static void legend_entry(MgText *out, const MgcSeries *s, double x, double y) {
    const Style *style = &styles[s->style % N_STYLES];
    mg_textf(out,
             "<path d=\"M%.1f,%.1fh32\" stroke=\"%s\" stroke-width=\"2\"%s/>"
             "<path transform=\"translate(%.1f %.1f)\" d=\"%s\" fill=\"%s\"/>\n",
             x, y - 4, style->color, s->dashed ? " stroke-dasharray=\"6 4\"" : "", x + 16, y - 4,
             style->marker, style->color);
    words(out, x + 40, y, "class=\"legend\"", s->name);
}

// Draws the legend of n panels and returns its height. If out is NULL, it only measures.
static double legend(const MgcPanel *panels, uint32_t n, MgText *out, double left, double top,
                     double width) {
    double x = left, y = top;
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t k = 0; k < panels[p].n_series; k++) {
            const MgcSeries *s = &panels[p].series[k];
            if (!is_first(panels, p, k))
                continue;
            double wide = 46 + text_width(s->name) + 18;
            if (x > left && x + wide > left + width) {
                x = left;
                y += LEGEND_LINE;
            }
            if (out)
                legend_entry(out, s, x, y);
            x += wide;
        }
    return y - top + LEGEND_LINE;
}

// Does each style stand for one name in all panels, so that one legend suffices?
static bool names_agree(const MgcPlot *plot) {
    const char *names[N_STYLES] = {NULL};
    for (uint32_t p = 0; p < plot->n_panels; p++)
        for (uint32_t k = 0; k < plot->panels[p].n_series; k++) {
            const MgcSeries *s = &plot->panels[p].series[k];
            const char **name = &names[s->style % N_STYLES];
            if (*name && strcmp(*name, s->name) != 0)
                return false;
            *name = s->name;
        }
    return true;
}

// The height of the panels' own legends below their titles. It is the height of the tallest, so
// that panels side by side stay aligned.
static double own_legends(const MgcPlot *plot) {
    double most = 0;
    for (uint32_t p = 0; p < plot->n_panels; p++)
        most = fmax(most, legend(&plot->panels[p], 1, NULL, 0, 0, WIDTH));
    return most;
}

// own: the height of the legend between title and axes, or 0.
static void draw_panel(MgText *out, const MgcPanel *p, double left, double top, double own) {
    Range x = range_of(p, true), y = range_of(p, false);
    x.from = left + LEFT;
    x.to = x.from + WIDTH;
    y.to = top + TOP + own;
    y.from = y.to + HEIGHT;
    words(out, x.from, top + TOP - 14, "class=\"panel\"", p->title);
    if (own > 0)
        legend(p, 1, out, x.from, top + TOP + 8, WIDTH);
    draw_axes(out, &x, &y);
    for (uint32_t i = 0; i < p->n_marks; i++) {
        double at = place(&x, p->marks[i].x);
        if (at < x.from || at > x.to)
            continue;
        rule(out, at, y.from, at, y.to, "stroke=\"#8a929b\" stroke-dasharray=\"3 3\"");
        words(out, at + 4, y.to + 13, "class=\"mark\"", p->marks[i].text);
    }
    for (uint32_t k = 0; k < p->n_series; k++)
        draw_spread(out, &p->series[k], &x, &y);
    for (uint32_t k = 0; k < p->n_series; k++)
        draw_series(out, &p->series[k], &x, &y);
}

static uint32_t lines_of(const char *text) {
    uint32_t n = *text != 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

void mgc_plot_svg(const MgcPlot *plot, MgText *out) {
    uint32_t columns = plot->columns < plot->n_panels ? plot->columns : plot->n_panels;
    columns = columns ? columns : 1;
    uint32_t rows = (plot->n_panels + columns - 1) / columns;
    bool shared = names_agree(plot);
    double own = shared ? 0 : own_legends(plot);
    double cell_w = LEFT + WIDTH + RIGHT, cell_h = TOP + own + HEIGHT + BOTTOM;
    double width = columns * cell_w + 16, head = HEAD + LINE * lines_of(plot->subtitle) - LINE;
    double wide = width - LEFT - RIGHT;
    double keys = shared ? legend(plot->panels, plot->n_panels, NULL, LEFT, 0, wide) : 0;
    double height = head + keys + rows * cell_h + 10;
    mg_textf(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
             "viewBox=\"0 0 %.0f %.0f\" font-family=\"Inter, Helvetica, Arial, 'DejaVu Sans', "
             "sans-serif\">\n<style>text{fill:#22282f;font-size:13px}.title{font-size:20px;"
             "font-weight:600}.sub{fill:#5b6570}.panel{font-size:15px;font-weight:600}"
             ".tick{font-size:12px;fill:#4a525b}.axis{fill:#2f363e}"
             ".mark{font-size:11px;fill:#6b747e}</style>\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
             width, height, width, height);
    words(out, LEFT, 34, "class=\"title\"", plot->title);
    double y = 56;
    for (const char *at = plot->subtitle; *at; y += LINE) {
        size_t n = strcspn(at, "\n");
        words(out, LEFT, y, "class=\"sub\"", mg_arena_str(out->arena, at, n));
        at += n + (at[n] != 0);
    }
    if (shared)
        legend(plot->panels, plot->n_panels, out, LEFT, head + 20, wide);
    for (uint32_t p = 0; p < plot->n_panels; p++)
        draw_panel(out, &plot->panels[p], p % columns * cell_w, head + keys + p / columns * cell_h,
                   own);
    mg_text_add(out, "</svg>\n");
}

int mgc_plot_check(MgSession *session, const char *path) {
    if (path && !mg_path_has_extension(path, ".svg"))
        return mgc_fail(2, "--plot=%s: a plot is written as SVG: --plot=FILE.svg", path);
    return path && !mg_file_writable(session, path);
}

bool mgc_plot_write(MgSession *session, const char *path, const MgcPlot *plot) {
    MgText out = mg_text(session->arena);
    mgc_plot_svg(plot, &out);
    return mg_file_write(session, path, &(MgBytes){out.bytes.at, out.bytes.len}, 1);
}
