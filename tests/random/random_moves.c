// Statements that call the library's moves, gathers and scatters.
#include "tests/random/random_internal.h"

bool transpose(Gen *g) {
    Value x = chance(g, 75) ? use_float(g) : use_int(g), y = x;
    uint32_t perm[MAX_RANK];
    int64_t shown[MAX_RANK];
    permute(g, perm, x.rank);
    for (uint32_t k = 0; k < x.rank; k++) {
        y.dims[k] = x.dims[perm[k]];
        shown[k] = perm[k];
    }
    if (x.rank == 0)
        return false;
    bind_value(g, result(fresh(g), x.dtype, x.rank, y.dims, x.size),
               format(g, "transpose(%s, perm = %s)", x.name, list(g, shown, x.rank)));
    return true;
}

bool reshape(Gen *g) {
    Value x = use_ranked(g, 1, 4);
    if (count(&x) == 0)
        return false;
    // neighbours merge, so that the sizes may be names
    uint32_t at = below(g, x.rank), rank = 0;
    Dim dims[MAX_RANK];
    MgText shape = mg_text(g->arena);
    for (uint32_t k = 0; k < x.rank; k++) {
        Dim d = x.dims[k];
        if (k == at && k + 1 < x.rank) {
            d = (Dim){d.n * x.dims[k + 1].n, format(g, "%s * (%s)", d.text, x.dims[k + 1].text)};
            if (x.dims[k].text[0] >= '0' && x.dims[k].text[0] <= '9' &&
                x.dims[k + 1].text[0] >= '0' && x.dims[k + 1].text[0] <= '9')
                d = number(g, d.n);
            k++;
        }
        mg_textf(&shape, "%s%s", rank ? ", " : "", d.text);
        dims[rank++] = d;
    }
    if (chance(g, 50) && rank < MAX_RANK) {
        dims[rank++] = number(g, 1);
        mg_text_add(&shape, ", 1");
    }
    bind_value(g, result(fresh(g), x.dtype, rank, dims, x.size),
               format(g, "reshape(%s, shape = [%s])", x.name, mg_text_str(&shape)));
    return true;
}

static Dim plus(Gen *g, Dim a, Dim b) {
    return is_number(a) && is_number(b) ? number(g, a.n + b.n)
                                        : (Dim){a.n + b.n, format(g, "(%s + %s)", a.text, b.text)};
}

bool join(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 4) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank), n = 2 + below(g, 2);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    MgText text = mg_text(g->arena);
    mg_textf(&text, "concat(%s", x.name);
    for (uint32_t k = 1; k < n; k++) {
        Value other = x;
        other.dims[axis] = any_dim(g);
        if (count(&other) > 400)
            other.dims[axis] = number(g, 1);
        other = need(g, x.dtype, x.rank, other.dims);
        y.dims[axis] = plus(g, y.dims[axis], other.dims[axis]);
        y.size = y.size > other.size ? y.size : other.size;
        mg_textf(&text, ", %s", other.name);
    }
    if (count(&y) > MAX_ELEMENTS || count(&y) == 0)
        return false;
    mg_textf(&text, ", axis = %u)", axis);
    bind_value(g, y, mg_text_str(&text));
    return true;
}

bool slice(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 4) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank);
    if (!is_number(x.dims[axis]) || x.dims[axis].n == 0)
        return false;
    int64_t n = x.dims[axis].n, low = between(g, 0, n - 1), high = between(g, low, n);
    int64_t step = between(g, 1, 3);
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    y.dims[axis] = number(g, (high - low + step - 1) / step);
    if (chance(g, 30)) {
        // backwards from the last element
        y.dims[axis] = number(g, (n + step - 1) / step);
        bind_value(g, y,
                   format(g, "slice(%s, axis = %u, step = %lld)", x.name, axis, (long long)-step));
        return true;
    }
    bind_value(g, y,
               format(g, "slice(%s, axis = %u, start = %lld, stop = %lld, step = %lld)", x.name,
                      axis, (long long)low, (long long)high, (long long)step));
    return true;
}

bool pad(Gen *g) {
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    Value x = use_ranked(g, 1, 3), y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    uint32_t mode = below(g, 4);
    int64_t before[MAX_RANK], after[MAX_RANK];
    for (uint32_t k = 0; k < x.rank; k++) {
        if (mode && x.dims[k].n == 0)
            return false;
        int64_t most = mode == 1 && x.dims[k].n < 3 ? x.dims[k].n - 1 : 2;
        before[k] = between(g, 0, most);
        after[k] = between(g, 0, most);
        y.dims[k] = plus(g, x.dims[k], number(g, before[k] + after[k]));
    }
    if (count(&y) > MAX_ELEMENTS)
        return false;
    bind_value(g, y,
               format(g, "pad(%s, before = %s, after = %s, mode = \"%s\")", x.name,
                      list(g, before, x.rank), list(g, after, x.rank), modes[mode]));
    return true;
}

bool rearrange(Gen *g) { // flip, tile, repeat, stack, unsqueeze, select, trilu
    Value x = use_ranked(g, 1, 3), y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    uint32_t axis = below(g, x.rank);
    Dim *d = &y.dims[axis];
    switch (below(g, 7)) {
    case 0:
        bind_value(g, y, format(g, "flip(%s, axes = [%u])", x.name, axis));
        return true;
    case 1:
        *d = is_number(*d) ? number(g, d->n * 2) : (Dim){d->n * 2, format(g, "(%s * 2)", d->text)};
        bind_value(g, y, format(g, "repeat(%s, times = 2, axis = %u)", x.name, axis));
        return true;
    case 2: {
        int64_t times[MAX_RANK] = {1, 1, 1, 1, 1};
        times[axis] = 2;
        *d = is_number(*d) ? number(g, d->n * 2) : (Dim){d->n * 2, format(g, "(%s * 2)", d->text)};
        bind_value(g, y, format(g, "tile(%s, times = %s)", x.name, list(g, times, x.rank)));
        return true;
    }
    case 3: {
        Value b = need(g, x.dtype, x.rank, x.dims);
        for (uint32_t k = x.rank; k > axis; k--)
            y.dims[k] = y.dims[k - 1];
        y.dims[axis] = number(g, 2);
        y.rank++;
        bind_value(g, y, format(g, "stack(%s, %s, axis = %u)", x.name, b.name, axis));
        return true;
    }
    case 4:
        for (uint32_t k = x.rank; k > axis; k--)
            y.dims[k] = y.dims[k - 1];
        y.dims[axis] = number(g, 1);
        y.rank++;
        bind_value(g, y, format(g, "unsqueeze(%s, axes = [%u])", x.name, axis));
        return true;
    case 5:
        if (d->n == 0)
            return false;
        for (uint32_t k = axis; k + 1 < x.rank; k++)
            y.dims[k] = y.dims[k + 1];
        y.rank--;
        bind_value(
            g, y,
            format(g, "select(%s, index = %lld, axis = %u)", x.name,
                   (long long)(is_number(x.dims[axis]) ? between(g, 0, x.dims[axis].n - 1) : 0),
                   axis));
        return true;
    default:
        if (x.rank < 2)
            return false;
        bind_value(g, y,
                   format(g, "trilu(%s, k = %lld, upper = %s)", x.name,
                          (long long)between(g, -1, 1), chance(g, 50) ? "true" : "false"));
        return true;
    }
}

// ---------------------------------------------------------------- gather and scatter
bool gather(Gen *g) {
    Value x = chance(g, 80) ? use_ranked(g, 1, 3) : use_int(g);
    if (x.rank == 0)
        return false;
    uint32_t axis = below(g, x.rank);
    int64_t n = x.dims[axis].n;
    if (n == 0)
        return false;
    MgDType type = chance(g, 60) || n > 100 ? MG_I64 : chance(g, 50) ? MG_I32 : MG_I8;
    Dim dims[MAX_RANK];
    Value y = result(fresh(g), x.dtype, x.rank, x.dims, x.size);
    if (chance(g, 50)) { // gather_elements and scatter_elements: as many places in each slice
        memcpy(dims, x.dims, sizeof dims);
        dims[axis] = number(g, between(g, 1, 4));
        Value ids = new_input(g, type, x.rank, dims, DRAW_BELOW, n);
        if (chance(g, 50)) {
            y.dims[axis] = dims[axis];
            bind_value(g, y,
                       format(g, "gather_elements(%s, %s, axis = %u)", x.name, ids.name, axis));
            return true;
        }
        static const char *const reductions[] = {"none", "add", "mul", "max", "min"};
        Value u = need(g, x.dtype, x.rank, dims);
        y.size = (x.size + u.size) * 8;
        bind_value(g, y,
                   format(g, "scatter_elements(%s, %s, %s, axis = %u, reduction = \"%s\")", x.name,
                          ids.name, u.name, axis, reductions[below(g, 5)]));
        return true;
    }
    uint32_t rank = 1 + below(g, 2);
    if (x.rank - 1 + rank > MAX_RANK)
        return false;
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = number(g, between(g, 1, 4));
    Value ids = new_input(g, type, rank, dims, DRAW_BELOW, n);
    y.rank = 0;
    for (uint32_t k = 0; k < x.rank; k++) {
        if (k != axis)
            y.dims[y.rank++] = x.dims[k];
        for (uint32_t j = 0; k == axis && j < rank; j++)
            y.dims[y.rank++] = dims[j];
    }
    if (count(&y) > MAX_ELEMENTS)
        return false;
    bind_value(g, y, format(g, "gather(%s, %s, axis = %u)", x.name, ids.name, axis));
    return true;
}

bool one_hot(Gen *g) {
    Dim d = any_dim(g), dims[2] = {d, number(g, between(g, 1, 6))};
    Value ids = new_input(g, int_type(g), 1, &d, DRAW_ANY, 0);
    MgDType type = float_type(g);
    Value off = need(g, type, 0, NULL), on = need(g, type, 0, NULL);
    bind_value(
        g, result(fresh(g), type, 2, dims, 2),
        format(g, "one_hot(%s, %s, %s, depth = %s)", ids.name, off.name, on.name, dims[1].text));
    return true;
}
