// Statements with regions: loops, conditionals, and sizes that data decide.
#include "tests/random/random_internal.h"

static const char *const steps[] = {"tanh(%s) + %s", "0.5 * %s + %s", "maximum(%s, %s) * 0.75",
                                    "%s - %s * 0.25"};

static const char *step(Gen *g, const char *a, const char *b) {
    const char *form = steps[below(g, 4)], *first = strchr(form, '%'),
               *second = strchr(first + 1, '%');
    return format(g, "%.*s%s%.*s%s%s", (int)(first - form), form, a, (int)(second - first - 2),
                  first + 2, b, second + 2);
}

// A recurrence over the leading dimension of x, its states stacked.
static bool scan(Gen *g) {
    Value x = use_ranked(g, 2, 3);
    Value h = need(g, x.dtype, x.rank - 1, x.dims + 1);
    const char *last = fresh(g), *all = fresh(g), *row = fresh(g), *next = fresh(g);
    const char *subs = x.rank == 2 ? "i" : "i, j";
    mg_textf(&g->body, "    %s, %s = loop t in 0..%s carry (h_%s = %s) {\n", last, all,
             x.dims[0].text, last, h.name);
    mg_textf(&g->body, "        %s[%s]: %s[%s%s%s] = %s[t, %s]\n", row, subs,
             mg_dtype(x.dtype)->name, x.dims[1].text, x.rank == 3 ? ", " : "",
             x.rank == 3 ? x.dims[2].text : "", x.name, subs);
    mg_textf(&g->body, "        %s = %s\n", next, step(g, format(g, "h_%s", last), row));
    mg_textf(&g->body, "        next h_%s = %s\n        emit %s\n    }\n", last, next, next);
    keep(g, result(last, x.dtype, x.rank - 1, x.dims + 1, 4 * (x.size + h.size)));
    keep(g, result(all, x.dtype, x.rank, x.dims, 4 * (x.size + h.size)));
    return true;
}

// A loop that its own values end, with two carried values and a bound on the trips.
static bool until(Gen *g) {
    Value x = use_ranked(g, 1, 2);
    Value n = need(g, MG_I64, 0, NULL);
    const char *last = fresh(g), *trips = fresh(g), *next = fresh(g), *more = fresh(g);
    mg_textf(&g->body,
             "    %s, %s = loop t in 0..%d carry (a_%s = %s, n_%s = %s) while less(n_%s, 4) {\n",
             last, trips, (int)between(g, 1, 6), last, x.name, last, n.name, last);
    mg_textf(&g->body, "        %s = %s\n        %s = add(n_%s, 2)\n", next,
             step(g, format(g, "a_%s", last), x.name), more, last);
    mg_textf(&g->body, "        next a_%s = %s, n_%s = %s\n    }\n", last, next, last, more);
    keep(g, result(last, x.dtype, x.rank, x.dims, 12 * x.size));
    keep(g, result(trips, MG_I64, 0, NULL, 9));
    return true;
}

static bool conditional(Gen *g) {
    Value x = use_ranked(g, 1, 3), c = need(g, MG_BOOL, 0, NULL);
    Value other = need(g, x.dtype, x.rank, x.dims);
    const char *y = fresh(g), *a = fresh(g), *b = fresh(g);
    mg_textf(&g->body, "    %s = if %s {\n        %s = %s\n        yield %s\n    } else {\n", y,
             c.name, a, step(g, x.name, other.name), a);
    if (chance(g, 50))
        mg_textf(&g->body, "        yield %s\n    }\n", other.name);
    else
        mg_textf(&g->body, "        %s = %s\n        yield %s\n    }\n", b,
                 step(g, other.name, x.name), b);
    keep(g, result(y, x.dtype, x.rank, x.dims, 2 * (x.size + other.size)));
    return true;
}

// Sums the slices for which a mask holds. Their number is known only while the graph runs.
static bool compress(Gen *g) {
    Value x = use_ranked(g, 1, 3);
    Value mask = need(g, MG_BOOL, 1, x.dims);
    const char *some = fresh(g), *y = fresh(g);
    mg_textf(&g->body, "    %s = compress(%s, %s, axis = 0)\n", some, x.name, mask.name);
    mg_textf(&g->body, "    %s = sum(%s, axes = [0])\n", y, some);
    keep(g, result(y, x.dtype, x.rank - 1, x.dims + 1, x.size * (double)(x.dims[0].n + 1)));
    return true;
}

const StatementRow region_statements[] = {
    {scan, 3}, {until, 2}, {conditional, 3}, {compress, 2}, {0}};
