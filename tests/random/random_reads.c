// Equations with ranges of their own, whose reads have subscripts of any form: sums of multiples of
// indices, quotients, remainders, data. What is outside has an else.
#include "tests/random/random_internal.h"

enum { MAX_INDICES = 5 };

typedef struct Index {
    const char *name;
    Dim extent;
    bool within; // its range ends at another index
} Index;

// The indices of an equation, free and then bound.
typedef struct Box {
    Index at[MAX_INDICES];
    uint32_t n;
} Box;

// A number, or an open dimension that an input has already.
static Dim known_dim(Gen *g) {
    Dim d = any_dim(g);
    bool known = is_number(d);
    for (uint32_t i = 0; i < g->values.len; i++)
        for (uint32_t k = 0; k < g->values.at[i].rank; k++)
            known |= g->values.at[i].is_input && !strcmp(g->values.at[i].dims[k].text, d.text);
    return known ? d : number(g, d.n);
}

static const Index *any_index(Gen *g, const Box *box) {
    return &box->at[below(g, box->n)];
}

// An index that runs over exactly this dimension; NULL: there is none.
static const Index *along(Gen *g, const Box *box, Dim d) {
    uint32_t first = below(g, box->n);
    for (uint32_t k = 0; k < box->n; k++) {
        const Index *i = &box->at[(first + k) % box->n];
        if (!i->within && strcmp(i->extent.text, d.text) == 0)
            return i;
    }
    return NULL;
}

// A subscript for a dimension.
static const char *subscript(Gen *g, const Box *box, Dim d) {
    const Index *same = box->n ? along(g, box, d) : NULL;
    if (same && chance(g, 60))
        return same->name;
    if (!box->n || chance(g, 10))
        return format(g, "%lld", (long long)below(g, (uint32_t)d.n + 1));
    const char *i = any_index(g, box)->name, *j = any_index(g, box)->name;
    long long by = between(g, 1, 3), other = between(g, 1, 3), less = between(g, 0, 4);
    switch (below(g, 8)) {
    case 0:
        return format(g, "%s + %s - %lld", i, j, less);
    case 1:
        return format(g, "%s * %lld - %lld", i, by, less);
    case 2:
        return format(g, "%s * %lld + %s * %lld - %lld", i, by, j, other, less);
    case 3:
        return format(g, "%s - 1 - %s", d.text, i);
    case 4:
        return format(g, "(%s + %lld) / %lld", i, less, other + 1);
    case 5:
        return format(g, "%s - %s", i, j);
    case 6:
        if (is_number(d) && d.n)
            return format(g, "(%s * %lld + %s + %lld) %% %s", i, by, j, less, d.text);
        return format(g, "%s / %lld + %s", i, other + 1, j);
    default: {
        const Index *place = any_index(g, box);
        if (place->within)
            return format(g, "%s - 1", place->name);
        Value ids = new_input(g, MG_I64, 1, &place->extent, DRAW_BELOW, d.n + 1);
        return format(g, "%s[%s]", ids.name, place->name);
    }
    }
}

// A read of a float value, in the compute type of g's main type.
static const char *any_read(Gen *g, const Box *box, MgDType compute, double *size) {
    Value v = use_ranked(g, 0, 4);
    MgText out = mg_text(g->arena);
    mg_textf(&out, "%s[", v.name);
    for (uint32_t k = 0; k < v.rank; k++)
        mg_textf(&out, "%s%s", k ? ", " : "", subscript(g, box, v.dims[k]));
    static const char *const otherwise[] = {"0", "0", "0", "1", "-1", "0.5"};
    mg_textf(&out, "]%s%s", v.rank ? " else " : "", v.rank ? otherwise[below(g, 6)] : "");
    *size = *size > v.size ? *size : v.size;
    const char *text = mg_text_str(&out);
    return mg_dtype(v.dtype)->compute == compute
               ? format(g, "(%s)", text)
               : format(g, "%s(%s)", mg_dtype(compute)->name, text);
}

static const char *condition(Gen *g, const Box *box) {
    if (!box->n)
        return "true";
    const char *i = any_index(g, box)->name, *j = any_index(g, box)->name;
    switch (below(g, 5)) {
    case 0:
        return format(g, "%s <= %s + 1", i, j);
    case 1:
        return format(g, "(%s + %s) %% 2 == 0", i, j);
    case 2:
        return format(g, "%s %% 3 == 0", i);
    case 3:
        return format(g, "%s >= 1 and %s < 4", i, j);
    default:
        return format(g, "%s == %s", i, j);
    }
}

// A term of two reads.
static const char *term(Gen *g, const Box *box, MgDType compute, double *size) {
    const char *a = any_read(g, box, compute, size), *b = any_read(g, box, compute, size);
    double s = *size;
    switch (below(g, 6)) {
    case 0:
    case 1:
        *size = s * s + 1;
        return format(g, "%s * %s", a, b);
    case 2:
        *size = s + 1;
        return format(g, "where(%s, %s, %s)", condition(g, box), a, b);
    case 3:
        *size = s * 2;
        return format(g, "(%s - %s)", a, b);
    case 4: // rounded before it is used
        return format(g, "%s(%s)",
                      mg_dtype(compute == MG_F32 && chance(g, 50) ? MG_F16 : compute)->name, a);
    default:
        *size = s + 9;
        return format(g, "(%s + %s(%s))", a, mg_dtype(compute)->name,
                      box->n ? any_index(g, box)->name : "1");
    }
}

static double points(const Box *box) {
    double n = 1;
    for (uint32_t k = 0; k < box->n; k++)
        n *= (double)(box->at[k].extent.n + 1);
    return n;
}

// y[i, j] = reducer[r, s] term, or a term alone.
static bool reads(Gen *g) {
    static const char *const free_names[] = {"i", "j", "k"}, *const bound_names[] = {"r", "s"};
    static const char *const reducers[] = {"sum", "sum", "sum", "mean", "max", "min"};
    Box box = {.n = below(g, 4)};
    uint32_t rank = box.n, n_bound = below(g, 3);
    Dim dims[MAX_RANK];
    for (uint32_t k = 0; k < rank; k++) {
        dims[k] = known_dim(g);
        box.at[k] = (Index){free_names[k], dims[k], false};
    }
    if (points(&box) > MAX_ELEMENTS)
        return false;
    Value y = result(fresh(g), g->main, rank, dims, 1);
    MgText left = mg_text(g->arena), bound = mg_text(g->arena);
    for (uint32_t k = 0; k < rank; k++)
        mg_textf(&left, "%s%s in 0..%s", k ? ", " : "", box.at[k].name, dims[k].text);
    for (uint32_t k = 0; k < n_bound; k++) {
        Index r = {bound_names[k], known_dim(g), box.n && chance(g, 25)};
        const char *end = r.within ? any_index(g, &box)->name : r.extent.text;
        mg_textf(&bound, "%s%s in 0..%s%s", k ? ", " : "", r.name, end, r.within ? " + 1" : "");
        box.at[box.n++] = r;
    }
    if (points(&box) > 6000)
        return false;
    MgDType compute = mg_dtype(g->main)->compute;
    const char *text = term(g, &box, compute, &y.size);
    if (n_bound)
        text = format(g, "(%s[%s] %s)", reducers[below(g, 6)], mg_text_str(&bound), text);
    mg_textf(&g->body, "    %s[%s]: %s[", y.name, mg_text_str(&left), mg_dtype(y.dtype)->name);
    for (uint32_t k = 0; k < rank; k++)
        mg_textf(&g->body, "%s%s", k ? ", " : "", dims[k].text);
    mg_textf(&g->body, "] = softsign(%s)\n", text);
    y.size = 1;
    keep(g, y);
    return true;
}

// A loop whose trip number ends the boxes of what it writes, and a read behind it.
static bool growing(Gen *g) {
    Value x = use_ranked(g, 1, 1);
    Value a = need(g, x.dtype, 1, x.dims);
    const char *y = fresh(g), *u = fresh(g), *z = fresh(g), *n = x.dims[0].text,
               *type = mg_dtype(x.dtype)->name;
    mg_textf(&g->body, "    %s = loop t in 0..%s carry (c_%s = %s) {\n", y, n, y, a.name);
    mg_textf(&g->body, "        %s[i in 0..t + 1]: %s[%s] = c_%s[i] * 0.5\n", u, type, n, y);
    mg_textf(&g->body, "        %s[i in t + 1..%s]: %s[%s] = c_%s[i] + %s[%s - 1 - t]\n", u, n,
             type, n, y, x.name, n);
    mg_textf(&g->body, "        next c_%s = %s\n    }\n", y, u);
    mg_textf(&g->body, "    %s[]: %s[] = softsign(%s[0] else 0.5)\n", z, type, y);
    keep(g, result(z, x.dtype, 0, NULL, 1));
    return true;
}

const StatementRow read_statements[] = {{reads, 10}, {growing, 2}, {0}};
