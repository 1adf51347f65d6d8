// Sums of products: dot_general and convolution.
#include "frontend/stablehlo/internal.h"

#include <stdlib.h>
#include <string.h>

// An element of an operand as a factor of a sum in another type.
static const char *factor(MgHloNode *n, uint32_t k, const char *const *subscripts) {
    const char *x = mg_hlo_read(n->t, n->inputs[k], subscripts);
    MgDType to = n->op->types[0].dtype;
    return n->inputs[k]->type.dtype == to && !n->inputs[k]->literal
               ? x
               : mg_hlo_text(n->t, "%s(%s)", mg_dtype(to)->name, x);
}

// Of bools, a sum is `or` and a product is `and`.
static const char *sum(MgHloNode *n, const MgText *over, const char *a, const char *b) {
    MgText indices = *over;
    bool logic = n->op->types[0].dtype == MG_BOOL;
    const char *term =
        logic ? mg_hlo_text(n->t, "(%s and %s)", a, b) : mg_hlo_text(n->t, "%s * %s", a, b);
    return over->bytes.len
               ? mg_hlo_text(n->t, "%s[%s] %s", logic ? "any" : "sum", mg_text_str(&indices), term)
               : term;
}

// ---------------------------------------------------------------- dot_general
// `name = [0] x [1]`, or the lists of #stablehlo.dot<…>.
static bool dims_of(MgHloNode *n, const char *plain, const char *left, const char *right,
                    MgHloDims *dims) {
    MgHloText text = mg_hlo_find(n->op->attributes, plain);
    MgHloInts a, b;
    if (text.length) { // up to the next name
        const char *close = memchr(text.at, ']', text.length), *x = close;
        while (x && x < n->op->attributes.at + n->op->attributes.length && *x != '[')
            x++;
        const char *end =
            x ? memchr(x, ']', (size_t)(n->op->attributes.at + n->op->attributes.length - x))
              : NULL;
        if (!end)
            return mg_hlo_fail(n->t, n->op->at, "%s is written [0] x [1]", plain);
        a = mg_hlo_ints_of(n->t, (MgHloText){text.at, (size_t)(close - text.at)});
        b = mg_hlo_ints_of(n->t, (MgHloText){x, (size_t)(end - x)});
    } else {
        a = mg_hlo_ints(n, left);
        b = mg_hlo_ints(n, right);
    }
    *dims = (MgHloDims){a.at, b.at, a.n};
    bool ok = a.n == b.n;
    for (uint32_t i = 0; i < a.n && ok; i++)
        ok = a.at[i] >= 0 && a.at[i] < n->inputs[0]->type.rank && b.at[i] >= 0 &&
             b.at[i] < n->inputs[1]->type.rank &&
             n->inputs[0]->type.dims[a.at[i]] == n->inputs[1]->type.dims[b.at[i]];
    return ok || mg_hlo_fail(n->t, n->op->at, "the %s dimensions don't match", plain);
}

static bool product(MgHloNode *n, const MgHloDims *batch, const MgHloDims *contracted) {
    MgHlo *t = n->t;
    const MgHloType *types[2] = {&n->inputs[0]->type, &n->inputs[1]->type};
    const char **at[2];
    MgText over = mg_text(t->arena);
    uint32_t next = 0;
    for (uint32_t k = 0; k < 2; k++)
        at[k] = MG_NEW_N(t->arena, const char *, types[k]->rank + 1);
    for (uint32_t i = 0; i < batch->n; i++, next++)
        at[0][batch->left[i]] = at[1][batch->right[i]] = mg_hlo_text(t, "i%u", next);
    for (uint32_t i = 0; i < contracted->n; i++) {
        at[0][contracted->left[i]] = at[1][contracted->right[i]] = mg_hlo_text(t, "k%u", i);
        mg_textf(&over, "%sk%u in 0..%s", i ? ", " : "", i,
                 mg_hlo_size(t, types[0]->dims[contracted->left[i]]));
    }
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t d = 0; d < types[k]->rank; d++)
            if (!at[k][d])
                at[k][d] = mg_hlo_text(t, "i%u", next++);
    if (next != n->op->types[0].rank)
        return mg_hlo_fail(t, n->op->at, "the result's rank is %u, not %u", n->op->types[0].rank,
                           next);
    return mg_hlo_give(n, 0, sum(n, &over, factor(n, 0, at[0]), factor(n, 1, at[1])));
}

static bool two(MgHloNode *n) {
    return (n->op->n_operands == 2 && n->op->n_results == 1) ||
           mg_hlo_fail(n->t, n->op->at, "%s has two operands", n->op->name);
}

bool mg_hlo_product_dims(MgHloNode *n, MgHloDims *batch, MgHloDims *contracted) {
    return dims_of(n, "batching_dims", "lhs_batching_dimensions", "rhs_batching_dimensions",
                   batch) &&
           dims_of(n, "contracting_dims", "lhs_contracting_dimensions",
                   "rhs_contracting_dimensions", contracted);
}

bool mg_hlo_op_dot_general(MgHloNode *n) {
    MgHloDims batch, contracted;
    return two(n) && mg_hlo_product_dims(n, &batch, &contracted) && product(n, &batch, &contracted);
}

bool mg_hlo_op_dot(MgHloNode *n) {
    static const int64_t first = 0;
    if (!two(n))
        return false;
    int64_t *last = MG_NEW(n->t->arena, int64_t);
    *last = (int64_t)n->inputs[0]->type.rank - 1;
    return *last >= 0 && n->inputs[1]->type.rank &&
                   n->inputs[0]->type.dims[*last] == n->inputs[1]->type.dims[0]
               ? product(n, &(MgHloDims){0}, &(MgHloDims){last, &first, 1})
               : mg_hlo_fail(n->t, n->op->at, "the factors' sizes don't match");
}

// ---------------------------------------------------------------- convolution
// The role of each axis of an operand: batch or output features, features, or space.
typedef struct Roles {
    uint32_t outer, inner, space[MG_HLO_MAX_RANK], n_space;
} Roles;

typedef struct Conv {
    Roles x, w, y;
    const int64_t *stride, *low, *spread, *dilation, *reversed; // by spatial axis
    int64_t groups, batches;                                    // groups of features, of the batch
} Conv;

// Reads [b, 0, 1, f] at *at, and moves *at past the bracket.
static bool read_roles(MgHloNode *n, const char **at, const char *outer, const char *inner,
                       uint32_t rank, Roles *roles) {
    const char *end = n->op->attributes.at + n->op->attributes.length;
    uint32_t axis = 0, seen = 0;
    uint64_t taken = 0;
    const char *open = *at < end ? memchr(*at, '[', (size_t)(end - *at)) : NULL;
    if (!open || rank < 2)
        return mg_hlo_fail(n->t, n->op->at,
                           "dim_numbers is written [b, 0, f]x[0, i, o]->[b, 0, f]");
    *roles = (Roles){.n_space = rank - 2};
    MgHloToken token = mg_hlo_token(n->t->text, open + 1);
    for (; token.at < end && !mg_hlo_is(&token, "]");
         token = mg_hlo_token(n->t->text, token.at + token.length)) {
        if (mg_hlo_is(&token, ","))
            continue;
        long space = token.kind == MG_HLO_NUMBER ? strtol(token.at, NULL, 10) : -1;
        bool is_outer = mg_hlo_is(&token, outer), is_inner = mg_hlo_is(&token, inner);
        uint64_t bit = is_outer                               ? 1
                       : is_inner                             ? 2
                       : space >= 0 && space < (long)rank - 2 ? 4ull << space
                                                              : 0;
        if (!bit || (taken & bit))
            break;
        taken |= bit;
        if (is_outer)
            roles->outer = axis;
        else if (is_inner)
            roles->inner = axis;
        else
            roles->space[space] = axis;
        seen++;
        axis++;
    }
    *at = token.at + 1;
    return seen == rank || mg_hlo_fail(n->t, n->op->at, "dim_numbers don't fit the operands");
}

// The operand with an axis of `groups` parts in place of `axis`: [.., groups, size / groups, ..].
static MgHloValue *split(MgHloNode *n, MgHloValue *v, uint32_t axis, int64_t groups) {
    MgHlo *t = n->t;
    int64_t dims[MG_HLO_MAX_RANK + 1];
    for (uint32_t i = 0; i <= v->type.rank; i++)
        dims[i] = i == axis       ? groups
                  : i == axis + 1 ? v->type.dims[axis] / groups
                                  : v->type.dims[i - (i > axis)];
    MgHloType type = mg_hlo_tensor(t, v->type.dtype, v->type.rank + 1, dims);
    return mg_hlo_let_whole(
        t, n->op, "split", type,
        mg_hlo_text(t, "reshape(%s, shape = [%s])", mg_hlo_name(t, v), mg_hlo_sizes(t, &type)));
}

static bool read_layout(MgHloNode *n, Conv *c) {
    MgHlo *t = n->t;
    uint32_t rank = n->inputs[0]->type.rank, space = rank - 2;
    MgHloText numbers = mg_hlo_find(n->op->attributes, "dim_numbers"), all = n->op->attributes;
    if (!numbers.length)
        numbers = mg_hlo_find(all, "dimension_numbers");
    if (rank < 2 || rank + 1 > MG_HLO_MAX_RANK || n->inputs[1]->type.rank != rank ||
        n->op->types[0].rank != rank || !numbers.length)
        return mg_hlo_fail(t, n->op->at, "a convolution's operands have one rank and dim_numbers");
    const char *at = numbers.at;
    if (!read_roles(n, &at, "b", "f", rank, &c->x) || !read_roles(n, &at, "o", "i", rank, &c->w) ||
        !read_roles(n, &at, "b", "f", rank, &c->y))
        return false;
    bool plain = mg_hlo_find(all, "window").length;
    c->stride = mg_hlo_list(n, plain ? "stride" : "window_strides", space, 1);
    c->low = mg_hlo_list(n, plain ? "pad" : "padding", 2 * space, 0);
    c->spread = mg_hlo_list(n, plain ? "lhs_dilate" : "lhs_dilation", space, 1);
    c->dilation = mg_hlo_list(n, plain ? "rhs_dilate" : "rhs_dilation", space, 1);
    c->reversed = mg_hlo_list(n, plain ? "reverse" : "window_reversal", space, 0);
    c->groups = mg_hlo_int(n, "feature_group_count", 1);
    c->batches = mg_hlo_int(n, "batch_group_count", 1);
    for (uint32_t i = 0; i < space && !t->failed; i++)
        if (c->stride[i] < 1 || c->spread[i] < 1 || c->dilation[i] < 1)
            return mg_hlo_fail(t, n->op->at, "a step of the window is not positive");
    return !t->failed;
}

static bool read_conv(MgHloNode *n, Conv *c) {
    MgHlo *t = n->t;
    if (!read_layout(n, c))
        return false;
    uint32_t rank = n->inputs[0]->type.rank;
    const int64_t *x = n->inputs[0]->type.dims, *w = n->inputs[1]->type.dims,
                  *y = n->op->types[0].dims;
    int64_t g = c->groups, b = c->batches;
    for (uint32_t i = 0; i < rank && !t->failed; i++)
        if (g * b > 1 &&
            (mg_hlo_is_open(w[i]) ||
             (mg_hlo_is_open(x[i]) && (i == c->x.inner || (i == c->x.outer && b > 1)))))
            return mg_hlo_unsupported(t, n->op->at, "a convolution with open features");
    if (g < 1 || b < 1 || (g > 1 && b > 1) || (g > 1 && x[c->x.inner] % g) ||
        (g > 1 ? x[c->x.inner] / g : x[c->x.inner]) != w[c->w.inner] ||
        (g * b > 1 && w[c->w.outer] % (g * b)) || y[c->y.inner] != w[c->w.outer] ||
        (b > 1 && x[c->x.outer] % b) ||
        (b > 1 ? x[c->x.outer] / b : x[c->x.outer]) != y[c->y.outer])
        return mg_hlo_fail(t, n->op->at, "the sizes of batch and features don't match");
    return !t->failed;
}

// The subscripts of the operand and the window in space, and the ranges of their sum. If the
// operand is spread and the window doesn't skip, the places of the result are computed instead: a
// scatter.
static void in_space(MgHloNode *n, const Conv *c, bool scatter, const char **x, const char **w,
                     const char **y, MgText *over, MgText *holes) {
    MgHlo *t = n->t;
    for (uint32_t i = 0; i < c->x.n_space; i++) {
        long long low = c->low[2 * i];
        const char *size = mg_hlo_size(t, n->inputs[1]->type.dims[c->w.space[i]]);
        const char *width = mg_hlo_size(t, n->inputs[0]->type.dims[c->x.space[i]]);
        const char *tap = c->dilation[i] > 1
                              ? mg_hlo_text(t, "%lld * k%u", (long long)c->dilation[i], i)
                              : mg_hlo_text(t, "k%u", i);
        w[c->w.space[i]] =
            c->reversed[i] ? mg_hlo_text(t, "%s - k%u - 1", size, i) : mg_hlo_text(t, "k%u", i);
        if (scatter) {
            mg_textf(over, ", s%u in 0..%s, k%u in 0..%s", i, width, i, size);
            x[c->x.space[i]] = mg_hlo_text(t, "s%u", i);
            y[c->y.space[i]] =
                mg_hlo_text(t, "%lld * s%u - %s + (%lld)", (long long)c->spread[i], i, tap, low);
            continue;
        }
        mg_textf(over, ", k%u in 0..%s", i, size);
        const char *place = mg_hlo_text(t, "%lld * %s + %s - (%lld)", (long long)c->stride[i],
                                        y[c->y.space[i]], tap, low);
        x[c->x.space[i]] = c->spread[i] > 1
                               ? mg_hlo_text(t, "(%s) / %lld", place, (long long)c->spread[i])
                               : place;
        if (c->spread[i] > 1)
            mg_textf(holes, "%s(%s + %lld) %% %lld == 0", holes->bytes.len ? " and " : "", place,
                     (long long)(c->spread[i] * (1 + llabs(low))), (long long)c->spread[i]);
    }
}

static const char *subscripted(MgHlo *t, const char *name, const char *const *at, uint32_t rank) {
    MgText out = mg_text(t->arena);
    for (uint32_t i = 0; i < rank; i++)
        mg_textf(&out, "%s%s", i ? ", " : "", at[i]);
    return mg_hlo_text(t, "%s[%s]", name, mg_text_str(&out));
}

// Inserts a subscript for a new axis before axis `at`.
static void insert(const char **subscripts, uint32_t rank, uint32_t at, const char *what) {
    memmove(subscripts + at + 1, subscripts + at, (rank - at) * sizeof *subscripts);
    subscripts[at] = what;
}

static bool convolve(MgHloNode *n, const Conv *c) {
    MgHlo *t = n->t;
    uint32_t rank = n->inputs[0]->type.rank, space = rank - 2;
    int64_t parts = c->groups * c->batches, dims[MG_HLO_MAX_RANK + 1];
    bool scatter = true, spread = false;
    for (uint32_t i = 0; i < space; i++) {
        scatter &= c->stride[i] == 1;
        spread |= c->spread[i] > 1;
    }
    scatter &= spread;
    const char *x[MG_HLO_MAX_RANK + 2], *w[MG_HLO_MAX_RANK + 2], *y[MG_HLO_MAX_RANK + 2];
    for (uint32_t i = 0; i < rank; i++)
        y[i] = mg_hlo_text(t, "j%u", i);
    MgText over = mg_text(t->arena), holes = mg_text(t->arena), left = mg_text(t->arena);
    mg_textf(&over, "c in 0..%s", mg_hlo_size(t, n->inputs[1]->type.dims[c->w.inner]));
    in_space(n, c, scatter, x, w, y, &over, &holes);
    x[c->x.outer] = y[c->y.outer];
    x[c->x.inner] = w[c->w.inner] = "c";
    w[c->w.outer] = y[c->y.inner];
    MgHloValue *a = n->inputs[0], *b = n->inputs[1];
    memcpy(dims, n->op->types[0].dims, rank * sizeof *dims);
    uint32_t to = rank;
    if (parts > 1) { // an axis of groups in each operand and in the result
        uint32_t axis = c->groups > 1 ? c->x.inner : c->x.outer;
        a = split(n, a, axis, parts);
        insert(x, rank, axis, "g");
        b = split(n, b, c->w.outer, parts);
        insert(w, rank, c->w.outer, "g");
        insert(y, rank, c->y.inner, "g");
        memmove(dims + c->y.inner + 1, dims + c->y.inner, (rank - c->y.inner) * sizeof *dims);
        dims[c->y.inner] = parts;
        dims[c->y.inner + 1] /= parts;
        to++;
    }
    MgDType type = n->op->types[0].dtype;
    const char *one = subscripted(t, mg_hlo_name(t, a), x, a->type.rank);
    const char *two = subscripted(t, mg_hlo_name(t, b), w, b->type.rank);
    if (!scatter)
        one = mg_hlo_text(t, "(%s else 0)", one);
    if (a->type.dtype != type) {
        one = mg_hlo_text(t, "%s(%s)", mg_dtype(type)->name, one);
        two = mg_hlo_text(t, "%s(%s)", mg_dtype(type)->name, two);
    }
    if (holes.bytes.len)
        one = mg_hlo_text(t, "where(%s, %s, 0)", mg_text_str(&holes), one);
    if (scatter) { // the sum also binds the indices that stand alone on the left
        for (uint32_t i = 0; i < to; i++)
            if (strchr("gj", *y[i]))
                mg_textf(&over, ", %s in 0..%s", y[i], mg_hlo_size(t, dims[i]));
    }
    MgHloType made = mg_hlo_tensor(t, type, to, dims);
    const char *name = parts > 1 ? mg_hlo_fresh(t, "groups") : mg_hlo_result_name(n, 0);
    mg_textf(&left, "%s: %s%s", subscripted(t, name, y, to), mg_hlo_shape(t, &made),
             scatter ? " else none" : "");
    mg_hlo_say(t, n->op, "%s = %s", mg_text_str(&left), sum(n, &over, one, two));
    n->outputs[0] = mg_hlo_value(t, made, name);
    if (parts == 1)
        return true;
    const char *shape = mg_hlo_sizes(t, &n->op->types[0]);
    n->outputs[0] =
        mg_hlo_let_whole(t, n->op, n->op->result ? n->op->result : "joined", n->op->types[0],
                         mg_hlo_text(t, "reshape(%s, shape = [%s])", name, shape));
    return true;
}

// Finds the result's sizes before read_conv compares them with those of the operands.
bool mg_hlo_sizes_of_convolution(MgHloNode *n, uint32_t k, int64_t *dims) {
    Conv c;
    MgHlo *t = n->t;
    if (!two(n) || n->inputs[0]->type.rank != n->op->types[k].rank || !read_layout(n, &c))
        return false;
    const int64_t *x = n->inputs[0]->type.dims, *w = n->inputs[1]->type.dims;
    dims[c.y.inner] = w[c.w.outer];
    dims[c.y.outer] = c.batches == 1 ? x[c.x.outer] : MG_HLO_ANY;
    for (uint32_t i = 0; i < c.x.n_space; i++)
        dims[c.y.space[i]] =
            mg_hlo_window_places(t, x[c.x.space[i]], c.low[2 * i], c.low[2 * i + 1], c.spread[i],
                                 w[c.w.space[i]], c.dilation[i], c.stride[i]);
    return true;
}

bool mg_hlo_op_convolution(MgHloNode *n) {
    Conv c;
    return two(n) && read_conv(n, &c) && convolve(n, &c);
}
