// Computes dimensions from the shapes of the inputs. Each round solves every size of an input that
// has one unknown dimension, until a round learns nothing; then every size, bound and requirement
// is checked. Messages use the names of the source: the input that fixed a dimension, and the
// formula with its numbers.
#include <inttypes.h>
#include <stdlib.h>

#include "ir/fill.h"
#include "ir/graph.h"
#include "ir/print_internal.h"

typedef struct Binder {
    MgGraph *g;
    MgArena *scratch;
    MgMap place;   // symbol -> number among g->dims
    int64_t *dims; // -1: not known
    MgSym *from;   // the input that fixed it; 0: none
    bool ok;
} Binder;

static bool value_of(void *ctx, MgIxSym s, int64_t *value) {
    const Binder *b = ctx;
    uint64_t *place = mg_map_find(&b->place, s);
    if (!place || b->dims[*place] < 0)
        return false;
    *value = b->dims[*place];
    return true;
}

static bool eval(Binder *b, MgIx x, int64_t *value) {
    return mg_ix_eval(b->g->module->ix, x, value_of, b, value);
}

static const char *name_of(const Binder *b, MgSym sym) {
    return mg_name(b->g->module->session->names, sym);
}

static const char *formula(Binder *b, MgIx x) {
    MgText out = mg_text(b->scratch);
    MgPrinter p = {.g = b->g, .out = &out};
    mg_print_ix(&p, x);
    return mg_text_str(&out);
}

// The known dimensions in x, as in "H = 28, p = 1 from image".
static const char *where(Binder *b, MgIx x) {
    MgText out = mg_text(b->scratch);
    MgIxSym *syms;
    uint32_t n = mg_ix_symbols(b->g->module->ix, x, b->scratch, &syms);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *place = mg_map_find(&b->place, syms[i]);
        if (!place || b->dims[*place] < 0)
            continue;
        mg_textf(&out, "%s%s = %" PRId64, out.bytes.len ? ", " : "",
                 name_of(b, mg_ix_sym_name(b->g->module->ix, syms[i])), b->dims[*place]);
        if (b->from[*place])
            mg_textf(&out, " from %s", name_of(b, b->from[*place]));
    }
    return mg_text_str(&out);
}

static MgSpan span_of(const Binder *b, MgOriginId origin) {
    return mg_origin_user_span(b->g->module, origin);
}

// ---------------------------------------------------------------- solving

// Solves x == value if x has exactly one unknown symbol and is linear in it. Returns true if that
// gave the symbol a value.
static bool solve(Binder *b, MgIx x, int64_t value, MgSym input) {
    MgIxTable *t = b->g->module->ix;
    MgIxSym *syms, unknown = 0;
    uint32_t n = mg_ix_symbols(t, x, b->scratch, &syms), n_unknown = 0;
    int64_t v, coefficient, rest;
    MgIx c, r;
    for (uint32_t i = 0; i < n; i++)
        if (!value_of(b, syms[i], &v)) {
            unknown = syms[i];
            n_unknown++;
        }
    uint64_t *place = n_unknown == 1 ? mg_map_find(&b->place, unknown) : NULL;
    if (!place || !mg_ix_linear(t, x, unknown, &c, &r) || !eval(b, c, &coefficient) ||
        !eval(b, r, &rest) || coefficient == 0 || __builtin_sub_overflow(value, rest, &value) ||
        (coefficient == -1 && value == INT64_MIN) || value % coefficient || value / coefficient < 0)
        return false;
    b->dims[*place] = value / coefficient;
    b->from[*place] = input;
    return true;
}

static void solve_all(Binder *b, const int64_t *const *shapes) {
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < b->g->inputs.len; i++) {
            const MgValue *v = mg_value(b->g, b->g->inputs.at[i].value);
            for (uint32_t d = 0; d < v->rank; d++)
                again |= solve(b, v->shape[d], shapes[i][d], b->g->inputs.at[i].name);
        }
    }
}

// ---------------------------------------------------------------- checking

// Reports that no dimensions give the formula this size, or that some of its dimensions are
// unknown.
static void unsolved(Binder *b, MgSpan span, uint32_t d, const char *input, MgIx x, int64_t got) {
    const char *known = where(b, x);
    MgText out = mg_text(b->scratch);
    if (*known)
        mg_textf(&out, " (%s)", known);
    mg_diag(b->g->module->session, span, MG_D_bind_unsolved, d, input, formula(b, x),
            (long long)got, mg_text_str(&out));
}

static void check_inputs(Binder *b, const int64_t *const *shapes) {
    MgGraph *g = b->g;
    MgSession *session = g->module->session;
    for (uint32_t i = 0; i < g->inputs.len; i++) {
        const MgValue *v = mg_value(g, g->inputs.at[i].value);
        const char *input = name_of(b, g->inputs.at[i].name);
        for (uint32_t d = 0; d < v->rank; d++) {
            int64_t expected, got = shapes[i][d];
            MgSpan span = span_of(b, v->origin);
            if (got < 0)
                mg_diag(session, span, MG_D_bind_negative_size, d, input, (long long)got);
            else if (!eval(b, v->shape[d], &expected))
                unsolved(b, span, d, input, v->shape[d], got);
            else if (expected != got && mg_ix_is_const(g->module->ix, v->shape[d], NULL))
                mg_diag(session, span, MG_D_bind_size, d, input, (long long)expected,
                        (long long)got);
            else if (expected != got)
                mg_diag(session, span, MG_D_bind_mismatch, d, input, formula(b, v->shape[d]),
                        (long long)expected, where(b, v->shape[d]), (long long)got);
            else
                continue;
            b->ok = false;
        }
    }
}

static void check_bounds(Binder *b) {
    MgGraph *g = b->g;
    for (uint32_t i = 0; i < g->dims.len; i++) {
        int64_t low, high;
        mg_ix_sym_bounds(g->module->ix, g->dims.at[i], &low, &high);
        if (b->dims[i] < 0 || (b->dims[i] >= low && b->dims[i] <= high))
            continue;
        bool above = b->dims[i] > high;
        mg_diag(g->module->session, span_of(b, g->origin), MG_D_bind_bound,
                name_of(b, mg_ix_sym_name(g->module->ix, g->dims.at[i])), (long long)b->dims[i],
                b->from[i] ? name_of(b, b->from[i]) : "its formula", above ? "most" : "least",
                (long long)(above ? high : low));
        b->ok = false;
    }
}

// A formula that has no value although all its dimensions have one is too large.
static void check_fits(Binder *b, MgIx x, const char *text, MgOriginId origin) {
    MgIxSym *syms;
    int64_t v;
    uint32_t n = mg_ix_symbols(b->g->module->ix, x, b->scratch, &syms);
    for (uint32_t i = 0; i < n; i++)
        if (!value_of(b, syms[i], &v))
            return;
    mg_diag(b->g->module->session, span_of(b, origin), MG_D_bind_too_large, text, where(b, x));
    b->ok = false;
}

// The size of axis d, or -1 if it has none. A formula that is wrong is reported once.
static int64_t size_of(Binder *b, MgMap *seen, const MgValue *v, uint32_t d) {
    MgIx x = v->shape[d];
    uint64_t *known = mg_map_find(seen, x);
    int64_t size;
    if (known)
        return (int64_t)*known;
    if (!eval(b, x, &size)) {
        check_fits(b, x, formula(b, x), v->origin);
        size = -1;
    } else if (size < 0) {
        mg_diag(b->g->module->session, span_of(b, v->origin), MG_D_bind_negative_dim, d,
                name_of(b, v->name), formula(b, x), (long long)size, where(b, x));
        b->ok = false;
        size = -1;
    }
    mg_map_put(seen, x, (uint64_t)size);
    return size;
}

static void too_large(Binder *b, const MgValue *v, const int64_t *sizes) {
    MgText shape = mg_text(b->scratch);
    for (uint32_t d = 0; d < v->rank; d++)
        if (sizes[d] < 0)
            mg_textf(&shape, "%s%s", d ? ", " : "[", formula(b, v->shape[d]));
        else
            mg_textf(&shape, "%s%" PRId64, d ? ", " : "[", sizes[d]);
    mg_text_add(&shape, "]");
    mg_diag(b->g->module->session, span_of(b, v->origin), MG_D_shape_too_large,
            mg_text_str(&shape));
    b->ok = false;
}

// Checks intermediate shapes before anything is computed with them: a window may be larger than its
// image, a slice may end before it begins, and a tensor may be larger than any memory.
static void check_shapes(Binder *b) {
    MgGraph *g = b->g;
    MgMap seen;
    mg_map_init(&seen, b->scratch);
    for (uint32_t i = 1; i < g->values.len; i++) {
        const MgValue *v = mg_value(g, i);
        int64_t n = 1, *sizes = MG_NEW_N(b->scratch, int64_t, v->rank + 1);
        bool empty = false, fits = true;
        for (uint32_t d = 0; d < v->rank; d++) {
            sizes[d] = size_of(b, &seen, v, d);
            empty |= sizes[d] == 0;
            if (sizes[d] >= 0)
                fits &= !__builtin_mul_overflow(n, sizes[d], &n) && n <= MG_COUNT_MAX;
        }
        if (!fits && !empty && b->ok) // otherwise an earlier size is the cause
            too_large(b, v, sizes);
    }
}

// ---------------------------------------------------------------- requirements
static bool value_of_name(void *ctx, const char *name, size_t length, int64_t *value) {
    const Binder *b = ctx;
    for (uint32_t i = 0; i < b->g->dims.len; i++) {
        const char *dim = name_of(b, mg_ix_sym_name(b->g->module->ix, b->g->dims.at[i]));
        *value = b->dims[i];
        if (strlen(dim) == length && !memcmp(dim, name, length))
            return b->dims[i] >= 0;
    }
    return false;
}

static const char *predicate(Binder *b, const MgRequire *r) {
    MgText out = mg_text(b->scratch);
    MgPrinter p = {.g = b->g, .out = &out};
    mg_print_predicate(&p, r->nonnegative);
    return mg_text_str(&out);
}

static void report_require(Binder *b, const MgRequire *r) {
    MgGraph *g = b->g;
    MgSpan span = span_of(b, r->origin);
    if (r->message)
        mg_diag(g->module->session, span, MG_D_bind_require_text,
                mg_fill(b->scratch, name_of(b, r->message), value_of_name, b), predicate(b, r),
                where(b, r->nonnegative));
    else
        mg_diag(g->module->session, span, MG_D_bind_require, predicate(b, r),
                where(b, r->nonnegative));
    b->ok = false;
}

static void check_requires(Binder *b) {
    for (uint32_t i = 0; i < b->g->requires.len; i++) {
        const MgRequire *r = &b->g->requires.at[i];
        int64_t v;
        if (!eval(b, r->nonnegative, &v))
            check_fits(b, r->nonnegative, predicate(b, r), r->origin);
        else if (v < 0)
            report_require(b, r);
    }
}

const char *mg_require_text(MgGraph *g, const MgRequire *r) {
    const char *message = r->message ? mg_name(g->module->session->names, r->message) : "";
    if (*message && !strchr(message, '{'))
        return message;
    MgText out = mg_text(g->module->arena);
    MgPrinter p = {.g = g, .out = &out};
    mg_textf(&out, "%s%sthis needs ", message, *message ? ": " : "");
    mg_print_predicate(&p, r->nonnegative);
    return mg_text_str(&out);
}

static Binder binder(MgGraph *g, MgArena *scratch, int64_t *dims) {
    Binder b = {.g = g, .scratch = scratch, .dims = dims, .ok = true};
    b.from = MG_NEW_N(scratch, MgSym, g->dims.len);
    mg_map_init(&b.place, scratch);
    for (uint32_t i = 0; i < g->dims.len; i++)
        mg_map_put(&b.place, g->dims.at[i], i);
    return b;
}

void mg_require_failed(MgGraph *g, const MgRequire *require, int64_t *dims) {
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    Binder b = binder(g, scratch, dims);
    report_require(&b, require);
    mg_arena_free(scratch);
}

bool mg_bind_dims(MgGraph *g, const int64_t *const *input_shapes, int64_t *dims) {
    MgArena *scratch = mg_arena_new(mg_arena_mem(g->module->arena));
    Binder b = binder(g, scratch, dims);
    for (uint32_t i = 0; i < g->dims.len; i++)
        dims[i] = -1;
    solve_all(&b, input_shapes);
    check_inputs(&b, input_shapes);
    if (b.ok)
        check_bounds(&b);
    if (b.ok)
        check_requires(&b);
    if (b.ok)
        check_shapes(&b);
    mg_arena_free(scratch);
    return b.ok;
}
