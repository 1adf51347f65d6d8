// The check of derivatives; see gradients.h.
#include "tools/gradients.h"

#include "frontend/sema.h"
#include "passes/pass.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

// Few elements move along a direction, so that hardly any two of them are nearer than a step.
enum { MOST_MOVED = 32 };
enum { DIRECTIONS = 2, ELEMENTS = 6, DRAWS = 6 };
// The results of the walks back and forward differ only by the rounding of f64.
static const double tolerance = 1e-6, step = 1e-5, transposed = 1e-10;

// The text of a graph in parts: "graph net(INPUTS) -> (RESULTS)… {BODY}".
typedef struct GraphText {
    const char *inputs, *results, *body;
} GraphText;

// One output of the graph, as text, and the values with which it is computed.
typedef struct Check {
    const MgGradientCheck *of;
    MgSession *session; // for this output alone
    uint32_t output;    // its place among the graph's
    GraphText text;
    const char *y;
    uint64_t state; // of the random numbers
    MgGraph *graph; // the graph of L, without the derivative
    MgInterpTensor *in;
    MG_VEC(MgInterpTensor) params;
    MG_VEC(MgSym) keys;
    MgInterpTensor g; // of y's type
    MgInterpTensor v; // of x's type: the direction
} Check;

// ---------------------------------------------------------------- random numbers

// A number in [0, 1) (splitmix64, Steele et al. 2014).
static double draw(Check *c) {
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Floats are drawn between 0.2 and 0.9, where most functions are defined; in later draws above 1,
// then below 0. Integers are 0 or 1.
static void fill(Check *c, MgInterpTensor *t, uint32_t draws) {
    static const double lowest[] = {0.2, 1.2, -0.9};
    size_t bytes = mg_dtype_size(t->dtype);
    for (size_t i = 0; i < t->n; i++) {
        double v = lowest[mg_is_float(t->dtype) ? draws % 3 : 0] + 0.7 * draw(c);
        MgBits bits = mg_is_float(t->dtype) ? mg_bits_from_double(t->dtype, v)
                                            : mg_bits_from_int(t->dtype, v > 0.55);
        memcpy((char *)t->data + i * bytes, &bits, bytes);
    }
}

// Gives elements variance 1 / n, where n is the number of elements per entry of the first axis, so
// that values keep their scale through a layer. At the ends of functions, such as a softmax's, all
// derivatives are 0.
static void fill_weights(Check *c, MgInterpTensor *t) {
    double scale = t->shape[0] ? sqrt(3 * (double)t->shape[0] / (double)t->n) : 0;
    size_t bytes = mg_dtype_size(t->dtype);
    for (size_t i = 0; i < t->n; i++) {
        MgBits bits = mg_bits_from_double(t->dtype, (2 * draw(c) - 1) * scale);
        memcpy((char *)t->data + i * bytes, &bits, bytes);
    }
}

static MgInterpTensor tensor_like(Check *c, const MgGraph *g, const MgValue *v) {
    MgArena *arena = c->session->arena;
    MgInterpTensor t = {.dtype = v->dtype, .rank = v->rank, .n = 1};
    t.shape = MG_NEW_N(arena, int64_t, v->rank);
    for (uint32_t i = 0; i < v->rank; i++) {
        mg_ix_is_const(g->module->ix, v->shape[i], &t.shape[i]);
        t.n *= (size_t)t.shape[i];
    }
    t.data = mg_arena_alloc(arena, t.n, mg_dtype_size(v->dtype));
    return t;
}

static const void *find_param(void *ctx, MgSym key, const MgValue *value, size_t bytes) {
    Check *c = ctx;
    (void)bytes;
    for (uint32_t i = 0; i < c->keys.len; i++)
        if (c->keys.at[i] == key)
            return c->params.at[i].data;
    MgInterpTensor t = tensor_like(c, c->graph, value);
    if (t.rank >= 2 && mg_is_float(t.dtype))
        fill_weights(c, &t);
    else
        fill(c, &t, 0);
    mg_push(c->session->arena, &c->keys, key);
    mg_push(c->session->arena, &c->params, t);
    return t.data;
}

// ---------------------------------------------------------------- text

// The text, with f64 in place of every other float type.
static const char *in_f64(MgArena *arena, const char *text) {
    MgText out = mg_text(arena);
    while (*text) {
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.')
            n++;
        MgDType type = mg_dtype_of_name(mg_arena_str(arena, text, n));
        if (type != MG_DTYPE_COUNT && mg_is_float(type))
            mg_text_add(&out, "f64");
        else
            mg_text_add_n(&out, text, n ? n : 1);
        text += n ? n : 1;
    }
    return mg_text_str(&out);
}

static const char *quoted(MgArena *arena, const char *name) {
    MgText out = mg_text(arena);
    mg_print_name(name, &out);
    return mg_text_str(&out);
}

static bool is_unknown(void *ctx, MgIxSym s, int64_t *value) {
    (void)ctx, (void)s, (void)value;
    return false;
}

// Prints what the outputs of g need.
static bool print_graph(Check *c, MgGraph *g, GraphText *to) {
    MgArena *arena = c->session->arena;
    MgPassContext context = {.scratch = arena, .machine = mg_machine_usual(), .last = UINT64_MAX};
    mg_pass_of_name("dce", NULL)->run(g, &context);
    mg_graph_compact(g);
    MgText printed = mg_text(arena);
    mg_graph_print(g, &(MgPrintOptions){.inline_const = SIZE_MAX}, &printed);
    char *text = mg_arena_printf(arena, "%s", in_f64(arena, mg_text_str(&printed)));
    char *open = strchr(text, '('), *arrow = strstr(text, ") -> ("), *brace = strchr(text, '{'),
         *end = strrchr(text, '}');
    char *type = arrow ? strchr(arrow, ':') : NULL, *close = type ? strchr(type, ')') : NULL;
    if (!open || !arrow || !brace || !end || !close)
        return false;
    *end = *close = *arrow = '\0';
    *to = (GraphText){open + 1, arrow + strlen(") -> ("), brace};
    return true;
}

static const char *whole_text(MgArena *arena, const GraphText *text) {
    return mg_arena_printf(arena, "mg 1\ngraph net(%s) -> (%s) weights \"none\" %s}\n",
                           text->inputs, text->results, text->body);
}

static const char *shape_text(MgArena *arena, const MgInterpTensor *x) {
    MgText out = mg_text(arena);
    for (uint32_t i = 0; i < x->rank; i++)
        mg_textf(&out, "%s%lld", i ? ", " : "", (long long)x->shape[i]);
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- derivatives

static const MgPort *port_of(Check *c, const MgPorts *ports, const char *name) {
    MgNames *names = c->of->graph->module->session->names;
    for (uint32_t i = 0; i < ports->len; i++)
        if (!strcmp(mg_name(names, ports->at[i].name), name))
            return &ports->at[i];
    return NULL;
}

// The graph of the derivatives that ops state, between y and x: the original's inputs, then those
// of the adjoint and the direction. NULL if there is none.
static const char *stated_text(Check *c, const char *x) {
    MgArena *arena = c->session->arena;
    MgNames *names = c->of->graph->module->session->names;
    const char *y = mg_name(names, c->of->graph->outputs.at[c->output].name);
    if (!c->of->stated)
        return NULL;
    MgGraph *g = mg_graph_specialise(c->of->stated, is_unknown, NULL);
    const MgPort *back =
                     port_of(c, &g->outputs, mg_arena_printf(arena, "back from %s to %s", y, x)),
                 *forward =
                     port_of(c, &g->outputs, mg_arena_printf(arena, "forward from %s to %s", y, x)),
                 *adjoint = port_of(c, &g->inputs, mg_arena_printf(arena, "g for %s", y)),
                 *direction = port_of(c, &g->inputs, mg_arena_printf(arena, "v for %s", x));
    if (!back || !forward || !adjoint || !direction)
        return NULL;
    MgPort results[] = {*back, *forward}, more[] = {*adjoint, *direction};
    MgPorts inputs = {0};
    for (uint32_t i = 0; i < c->of->graph->inputs.len; i++) {
        const MgPort *in = port_of(c, &g->inputs, mg_name(names, c->of->graph->inputs.at[i].name));
        if (!in)
            return NULL;
        mg_push(arena, &inputs, *in);
    }
    for (uint32_t i = 0; i < 2; i++) {
        mg_push(arena, &inputs, more[i]);
        g->outputs.at[i] = results[i];
    }
    g->outputs.len = 2;
    g->inputs = inputs;
    GraphText text;
    if (!print_graph(c, g, &text))
        return NULL;
    return whole_text(arena, &text);
}

static const char *derivative_text(Check *c, const char *name, const MgInterpTensor *x) {
    MgArena *arena = c->session->arena;
    const char *type = strchr(c->text.results, ':') + 1;
    return mg_arena_printf(
        arena,
        "mg 1\ngraph net(%s%s`g for y`:%s, `v for x`: f64[%s]) -> (`d for x`, `t for y`) "
        "weights \"none\" %s\n    `d for x` = derivative(%s, %s, along = `g for y`)\n"
        "    `t for y` = derivative(%s, %s, towards = `v for x`)\n}\n",
        c->text.inputs, *c->text.inputs ? ", " : "", type, shape_text(arena, x), c->text.body, c->y,
        name, c->y, name);
}

static MgGraph *load(Check *c, const char *text, const char **why) {
    MgSession *session = c->session;
    uint32_t before = session->diags.len;
    session->n_errors = 0;
    MgModule *m = mg_load_module_text(session, "derivative", text, strlen(text));
    *why = m ? NULL : "unknown";
    for (uint32_t i = before; !m && i < session->diags.len; i++)
        if (session->diags.at[i].severity == MG_ERROR) {
            *why = session->diags.at[i].message;
            break;
        }
    return m ? m->graphs.at[0] : NULL;
}

// ---------------------------------------------------------------- values

// Runs the graph, with derivatives, which are two outputs, or without.
static bool run(Check *c, MgGraph *g, MgInterpTensor *out, bool derived) {
    MgInterpOptions options = {.param = find_param, .ctx = c, .max_steps = 200000000};
    MgArena *arena = c->session->arena;
    uint32_t n = g->inputs.len - (derived ? 2 : 0);
    MgInterpTensor *in = MG_NEW_N(arena, MgInterpTensor, g->inputs.len + 1);
    memcpy(in, c->in, n * sizeof *in);
    if (derived) {
        in[n] = c->g;
        in[n + 1] = c->v;
    }
    return mg_interp(g, in, out, &options, arena);
}

static double dot(const MgInterpTensor *a, const MgInterpTensor *b, double *size) {
    double sum = 0;
    for (size_t i = 0; i < a->n; i++) {
        double term = ((double *)a->data)[i] * ((double *)b->data)[i];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

// sum g * (y - z)
static double weighed(const Check *c, const MgInterpTensor *y, const MgInterpTensor *z) {
    double total = 0; // outputs that don't change cancel exactly
    for (size_t i = 0; i < y->n; i++)
        total += ((double *)c->g.data)[i] * (((double *)y->data)[i] - ((double *)z->data)[i]);
    return total;
}

// The change of L(x) = sum g * y for a step of h along v.
typedef struct Difference {
    double slope; // (L(x + h v) - L(x - h v)) / 2h; NaN if it can't be computed
    double bend;  // ((L(x + h v) - L(x)) - (L(x) - L(x - h v))) / h
} Difference;

static Difference difference(Check *c, double *x, const double *v, size_t n, double h,
                             const MgInterpTensor *here) {
    MgInterpTensor y[2];
    bool ok = true;
    double *saved = mg_arena_copy(c->session->arena, x, n, sizeof *x);
    for (int k = 0; k < 2 && ok; k++) {
        for (size_t i = 0; i < n; i++)
            x[i] = saved[i] + (k ? -h : h) * v[i];
        ok = run(c, c->graph, &y[k], false);
    }
    memcpy(x, saved, n * sizeof *x);
    if (!ok)
        return (Difference){NAN, NAN};
    return (Difference){weighed(c, &y[0], &y[1]) / (2 * h),
                        (weighed(c, &y[0], here) - weighed(c, here, &y[1])) / h};
}

// Is there a jump or a kink within a step? If the step is four times as wide, a smooth function
// bends four times as much, and its slope stays. At a kink one of these fails, wherever in the step
// it is.
static bool near_jump(Difference narrow, Difference wide, double size) {
    return !isfinite(narrow.slope) || !isfinite(wide.slope) ||
           fabs(narrow.slope - wide.slope) > tolerance * size ||
           !(fabs(4 * narrow.bend - wide.bend) <= tolerance * size);
}

static void note_error(MgGradient *r, double derived, double measured, double error,
                       int64_t element) {
    if (error <= r->worst)
        return;
    r->worst = isnan(error) ? INFINITY : error;
    r->derived = derived;
    r->measured = measured;
    r->element = element;
}

// Along the direction, compares the results of the walk back (d, like x) and the walk forward (t,
// like y) with the difference, and with each other. False if the point is too near a jump.
static bool compare(Check *c, MgGradient *r, double *x, const MgInterpTensor *d, int64_t element) {
    double size = 0, other = 0;
    double back = d ? dot(&d[0], &c->v, &size) : 0, forward = d ? dot(&d[1], &c->g, &other) : 0;
    MgInterpTensor here;
    if (!run(c, c->graph, &here, false))
        return false;
    Difference narrow = difference(c, x, c->v.data, c->v.n, step, &here),
               wide = difference(c, x, c->v.data, c->v.n, 4 * step, &here);
    size = fmax(fmax(size, fabs(narrow.slope)), 1e-2);
    if (near_jump(narrow, wide, size))
        return false;
    double measured = narrow.slope + (narrow.slope - wide.slope) / 15; // Richardson
    note_error(r, back, measured, fabs(back - measured) / size, element);
    note_error(r, forward, measured, fabs(forward - measured) / size, element);
    if (!(fabs(back - forward) <= transposed * size))
        note_error(r, forward, back, INFINITY, element);
    return true;
}

// ---------------------------------------------------------------- one pair

static void check_pair(Check *c, MgGradient *r, MgGraph *with, MgInterpTensor *x) {
    MgArena *arena = c->session->arena;
    double *v = MG_NEW_N(arena, double, x->n);
    c->v = *x;
    c->v.data = v;
    uint32_t decided = 0,
             elements = !with             ? 0
                        : x->n < ELEMENTS ? (uint32_t)x->n
                                          : ELEMENTS,
             tries = DIRECTIONS + elements;
    r->worst = 0;
    r->element = -1;
    for (uint32_t k = 0; k < tries; k++) {
        int64_t element = k < DIRECTIONS ? -1 : (int64_t)(draw(c) * (double)x->n);
        bool ok = false;
        for (uint32_t again = 0; again < DRAWS && !ok; again++) {
            if (again)
                fill(c, x, again);
            for (size_t i = 0; i < x->n; i++)
                v[i] = element >= 0                          ? (int64_t)i == element
                       : draw(c) * (double)x->n < MOST_MOVED ? draw(c) * 2 - 1
                                                             : 0;
            MgInterpTensor d[2];
            if (with && !run(c, with, d, true))
                break;
            ok = compare(c, r, x->data, with ? d : NULL, element);
        }
        decided += ok;
    }
    r->verdict = !decided               ? MG_GRADIENT_UNDECIDED
                 : r->worst > tolerance ? MG_GRADIENT_WRONG
                 : with                 ? MG_GRADIENT_RIGHT
                                        : MG_GRADIENT_ZERO;
}

static void check_by(Check *c, const char *name, MgInterpTensor *x, MgGradient *r) {
    const char *why;
    r->x = quoted(c->session->arena, name);
    const char *stated = stated_text(c, name);
    MgGraph *with = load(c, stated ? stated : derivative_text(c, r->x, x), &why);
    bool no_path = !with && strstr(why, "no path of floats");
    if (with || no_path) {
        check_pair(c, r, with, x);
        return;
    }
    r->verdict = MG_GRADIENT_NONE;
    r->why = why;
}

static bool draw_inputs(Check *c, const char **why) {
    MgGraph *g = c->graph;
    MgInterpTensor y;
    c->in = MG_NEW_N(c->session->arena, MgInterpTensor, g->inputs.len + 1);
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        c->in[i] = tensor_like(c, g, mg_value(g, g->inputs.at[i].value));
        if (c->of->integers && !mg_is_float(c->in[i].dtype))
            memcpy(c->in[i].data, c->of->integers[i], c->in[i].n * mg_dtype_size(c->in[i].dtype));
        else
            fill(c, &c->in[i], 0);
    }
    c->g = tensor_like(c, g, mg_value(g, g->outputs.at[0].value));
    fill(c, &c->g, 0);
    *why = "it does not run on numbers that are drawn";
    return run(c, g, &y, false);
}

static bool open_output(Check *c, const char **why) {
    MgArena *arena = c->session->arena;
    const MgValue *y = mg_value(c->of->graph, c->of->graph->outputs.at[c->output].value);
    MgIxTable *t = c->of->graph->module->ix;
    *why = "the data decide its size";
    for (uint32_t i = 0; i < y->rank; i++)
        if (!mg_ix_is_const(t, y->shape[i], &(int64_t){0}))
            return false;
    *why = "its text is not understood";
    MgGraph *g = mg_graph_specialise(c->of->graph, is_unknown, NULL);
    g->outputs.at[0] = g->outputs.at[c->output];
    g->outputs.len = 1;
    if (!print_graph(c, g, &c->text))
        return false;
    c->y = quoted(arena, mg_name(g->module->session->names, g->outputs.at[0].name));
    const char *text = whole_text(arena, &c->text);
    c->graph = load(c, text, why);
    return c->graph && draw_inputs(c, why);
}

static void check_output(Check *c, void (*tell)(void *ctx, const MgGradient *), void *ctx) {
    MgGradient r = {.verdict = MG_GRADIENT_NOT_RUN};
    if (!open_output(c, &r.why)) {
        r.y =
            mg_name(c->of->graph->module->session->names, c->of->graph->outputs.at[c->output].name);
        tell(ctx, &r);
        return;
    }
    MgNames *names = c->session->names;
    const uint32_t *uses = mg_use_counts(c->graph, c->session->arena);
    for (uint32_t i = 0; i < c->graph->inputs.len; i++) {
        r = (MgGradient){.y = c->y};
        if (!mg_is_float(c->in[i].dtype) || !uses[c->graph->inputs.at[i].value])
            continue;
        check_by(c, mg_name(names, c->graph->inputs.at[i].name), &c->in[i], &r);
        tell(ctx, &r);
    }
    uint64_t n = c->keys.len, at = 0;
    for (MgOpId id = 1; id < c->graph->ops.len; id++) {
        const MgOp *op = mg_op(c->graph, id);
        r = (MgGradient){.y = c->y};
        at += op->kind == MG_OP_PARAM;
        if (c->of->most && n > c->of->most && at * c->of->most / n == (at - 1) * c->of->most / n)
            continue;
        for (uint32_t k = 0; op->kind == MG_OP_PARAM && k < c->keys.len; k++)
            if (c->keys.at[k] == op->key && mg_is_float(c->params.at[k].dtype)) {
                check_by(c, mg_name(names, mg_value(c->graph, op->results[0])->name),
                         &c->params.at[k], &r);
                tell(ctx, &r);
            }
    }
}

// Checks one output in a session of its own, whose memory is freed afterwards.
static void check_apart(const MgGradientCheck *check, uint32_t output,
                        void (*tell)(void *ctx, const MgGradient *gradient), void *ctx) {
    MgSession *session = mg_session_new(mg_mem_default_limit());
    MgTry frame;
    if (!session)
        return;
    if (MG_TRY(session->mem, frame)) {
        Check c = {.of = check, .session = session, .output = output, .state = check->seed};
        check_output(&c, tell, ctx);
        mg_try_end(session->mem, &frame);
    } else {
        tell(ctx, &(MgGradient){.y = "?", .verdict = MG_GRADIENT_NOT_RUN, .why = "out of memory"});
    }
    mg_session_free(session);
}

void mg_check_gradients(const MgGradientCheck *check,
                        void (*tell)(void *ctx, const MgGradient *gradient), void *ctx) {
    MgGraph *g = check->graph;
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (!g->outputs.at[i].key && mg_is_float(mg_value(g, g->outputs.at[i].value)->dtype))
            check_apart(check, i, tell, ctx);
}
