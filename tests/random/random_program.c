// The generator's frame: choices, values, inputs, and the program around the statements.
#include "tests/random/random_internal.h"

#include <math.h>

// ---------------------------------------------------------------- choices
uint64_t draw(Gen *g) { // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
    uint64_t z = g->state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

uint32_t below(Gen *g, uint32_t n) {
    return (uint32_t)((draw(g) >> 32) * n >> 32);
}

bool chance(Gen *g, uint32_t percent) {
    return below(g, 100) < percent;
}

int64_t between(Gen *g, int64_t low, int64_t high) {
    return low + below(g, (uint32_t)(high - low + 1));
}

const char *format(Gen *g, const char *text, ...) {
    va_list args;
    va_start(args, text);
    const char *s = mg_arena_vprintf(g->arena, text, args);
    va_end(args);
    return s;
}

const char *list(Gen *g, const int64_t *at, uint32_t n) {
    MgText out = mg_text(g->arena);
    for (uint32_t k = 0; k < n; k++)
        mg_textf(&out, "%s%lld", k ? ", " : "[", (long long)at[k]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

void permute(Gen *g, uint32_t *at, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = below(g, i + 1);
        at[i] = at[j];
        at[j] = i;
    }
}

MgDType float_type(Gen *g) {
    static const MgDType types[] = {MG_F32, MG_F64, MG_F16, MG_BF16, MG_F8E4M3, MG_F8E5M2};
    return chance(g, 75) ? g->main : types[below(g, 6)];
}

MgDType int_type(Gen *g) {
    static const MgDType types[] = {MG_I64, MG_I32, MG_I32, MG_I16, MG_I8,
                                    MG_U64, MG_U32, MG_U16, MG_U8,  MG_I64};
    return types[below(g, 10)];
}

// ---------------------------------------------------------------- dimensions and values
Dim number(Gen *g, int64_t n) {
    return (Dim){n, format(g, "%lld", (long long)n)};
}

Dim any_dim(Gen *g) {
    static const int64_t sizes[] = {1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 16, 17};
    if (g->named.len && chance(g, 40))
        return g->named.at[below(g, g->named.len)];
    return chance(g, 2) ? number(g, 0) : number(g, sizes[below(g, 16)]);
}

bool is_number(Dim d) {
    return d.text[0] >= '0' && d.text[0] <= '9' && strspn(d.text, "0123456789") == strlen(d.text);
}

Dim open_or(Gen *g, uint32_t role, int64_t n) {
    return role < g->named.len && chance(g, 50) ? g->named.at[role] : number(g, n);
}

const char *fresh(Gen *g) {
    return format(g, "v%u", g->n_names++);
}

size_t count(const Value *v) {
    size_t n = 1;
    for (uint32_t k = 0; k < v->rank; k++)
        n *= (size_t)v->dims[k].n;
    return n;
}

Value result(const char *name, MgDType dtype, uint32_t rank, const Dim *dims, double size) {
    Value v = {.name = name, .dtype = dtype, .rank = rank, .size = size};
    for (uint32_t k = 0; k < rank; k++)
        v.dims[k] = dims[k];
    return v;
}

void keep(Gen *g, Value v) {
    mg_push(g->arena, &g->values, v);
}

double size_limit(MgDType dtype) {
    return dtype == MG_F16 || mg_dtype(dtype)->bits == 8 ? 60 : 1e4;
}

void bind_value(Gen *g, Value v, const char *text) {
    mg_textf(&g->body, "    %s = %s\n", v.name, text);
    if (mg_is_float(v.dtype) && v.size > size_limit(v.dtype)) {
        const char *squashed = fresh(g);
        mg_textf(&g->body, "    %s = softsign(%s)\n", squashed, v.name);
        v.name = squashed;
        v.size = 1;
    }
    keep(g, v);
}

// ---------------------------------------------------------------- inputs
static double draw_float(Gen *g) {
    static const double specials[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-41, -1e-310, 3e38};
    if (g->special && chance(g, 4))
        return specials[below(g, 8)];
    double x = (double)(draw(g) >> 11) * 0x1p-53;
    return chance(g, 10) ? (double)between(g, -2, 2) : 4 * x - 2;
}

static MgBits draw_int(Gen *g, MgDType dtype, Draw kind, int64_t limit) {
    if (kind == DRAW_BELOW)
        return mg_bits_from_int(dtype, limit ? between(g, -limit, limit - 1) : 0);
    return g->wide && chance(g, 30) ? mg_bits_from_int(dtype, (int64_t)draw(g))
                                    : mg_bits_from_int(dtype, between(g, -9, 9));
}

static void fill(Gen *g, MgRandomInput *in, Draw kind, int64_t limit) {
    size_t size = mg_dtype_size(in->dtype);
    in->data = mg_arena_alloc(g->arena, in->n, size);
    for (size_t i = 0; i < in->n; i++) {
        MgBits bits = mg_is_float(in->dtype) ? mg_bits_from_double(in->dtype, draw_float(g))
                      : in->dtype == MG_BOOL ? below(g, 2)
                                             : draw_int(g, in->dtype, kind, limit);
        memcpy((char *)in->data + i * size, &bits, size);
    }
}

Value new_input(Gen *g, MgDType dtype, uint32_t rank, const Dim *dims, Draw kind, int64_t limit) {
    Value v = result(format(g, "x%u", g->inputs.len), dtype, rank, dims, 2);
    v.is_input = true;
    v.uses = 1;
    MgRandomInput in = {.name = v.name, .dtype = dtype, .rank = rank, .n = count(&v)};
    for (uint32_t k = 0; k < rank; k++)
        in.shape[k] = dims[k].n;
    fill(g, &in, kind, limit);
    mg_push(g->arena, &g->inputs, in);
    if (kind == DRAW_ANY) // the others are only useful for their purpose
        keep(g, v);
    else
        keep(g, (Value){.name = v.name, .dtype = MG_DTYPE_COUNT, .rank = rank, .is_input = true});
    for (uint32_t k = 0; k < rank; k++)
        g->values.at[g->values.len - 1].dims[k] = dims[k];
    return v;
}

// ---------------------------------------------------------------- choosing operands
static Value random_input(Gen *g, MgDType dtype, uint32_t low, uint32_t high) {
    Dim dims[MAX_RANK];
    uint32_t rank = (uint32_t)between(g, low, high);
    size_t n = 1;
    for (uint32_t k = 0; k < rank; k++) {
        dims[k] = any_dim(g);
        if (n * (size_t)dims[k].n > 300)
            dims[k] = number(g, 2);
        n *= (size_t)dims[k].n;
    }
    return new_input(g, dtype, rank, dims, DRAW_ANY, 0);
}

static int find(Gen *g, Filter *ok) {
    for (int tries = 0; tries < 12 && g->values.len; tries++) {
        uint32_t newest = below(g, 2) ? g->values.len - 1 - below(g, (g->values.len + 1) / 2)
                                      : below(g, g->values.len);
        if (g->values.at[newest].dtype != MG_DTYPE_COUNT && ok(&g->values.at[newest]))
            return (int)newest;
    }
    return -1;
}

static Value use_at(Gen *g, int at) {
    g->values.at[at].uses++;
    return g->values.at[at];
}

static bool float_ok(const Value *v) {
    return mg_is_float(v->dtype) && v->rank > 0;
}

Value use(Gen *g, Filter *ok) {
    int at = find(g, ok);
    return at >= 0 ? use_at(g, at) : random_input(g, float_type(g), 1, 3);
}

Value use_float(Gen *g) {
    return chance(g, 12) ? random_input(g, float_type(g), 1, 4) : use(g, float_ok);
}

Value use_ranked(Gen *g, uint32_t low, uint32_t high) {
    for (int tries = 0; tries < 8; tries++) {
        int at = find(g, float_ok);
        if (at >= 0 && g->values.at[at].rank >= low && g->values.at[at].rank <= high)
            return use_at(g, at);
    }
    return random_input(g, float_type(g), low, high);
}

static bool int_ok(const Value *v) {
    return mg_is_int(v->dtype);
}

Value use_int(Gen *g) {
    int at = find(g, int_ok);
    return at >= 0 && chance(g, 70) ? use_at(g, at) : random_input(g, int_type(g), 1, 3);
}

static bool bool_ok(const Value *v) {
    return v->dtype == MG_BOOL && v->rank > 0;
}

Value use_bool(Gen *g) {
    int at = find(g, bool_ok);
    return at >= 0 ? use_at(g, at) : random_input(g, MG_BOOL, 1, 3);
}

static bool same_shape(const Value *v, MgDType dtype, uint32_t rank, const Dim *dims) {
    if (v->dtype != dtype || v->rank != rank)
        return false;
    for (uint32_t k = 0; k < rank; k++)
        if (strcmp(v->dims[k].text, dims[k].text) != 0)
            return false;
    return true;
}

Value need(Gen *g, MgDType dtype, uint32_t rank, const Dim *dims) {
    uint32_t start = g->values.len ? below(g, g->values.len) : 0;
    for (uint32_t k = 0; k < g->values.len && chance(g, 85); k++) {
        uint32_t at = (start + k) % g->values.len;
        if (same_shape(&g->values.at[at], dtype, rank, dims))
            return use_at(g, (int)at);
    }
    return new_input(g, dtype, rank, dims, DRAW_ANY, 0);
}

// ---------------------------------------------------------------- the program
static void choose_world(Gen *g, bool open) {
    static const MgDType types[] = {MG_F32, MG_F32,  MG_F32,    MG_F32,   MG_F64,
                                    MG_F16, MG_BF16, MG_F8E4M3, MG_F8E5M2};
    static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 11, 13, 16, 19, 33};
    g->main = types[below(g, 9)];
    g->special = chance(g, 15);
    g->wide = chance(g, 40);
    uint32_t n = below(g, 3);
    for (uint32_t k = 0; k < n; k++) {
        int64_t size = chance(g, 6) ? 0 : sizes[below(g, 11)];
        mg_push(g->arena, &g->named, open ? (Dim){size, format(g, "D%u", k)} : number(g, size));
    }
}

// The row of all tables that contains weight number `at`; counts the total if `at` is past it.
static const StatementRow *row_at(const Gen *g, uint32_t at, uint32_t *total) {
    static const StatementRow beside[] = {{unary, 2}, {binary, 3}, {reduce_axes, 1}, {0}};
    static const StatementRow *const small[] = {library_statements,
                                                index_statements,
                                                region_statements,
                                                network_statements,
                                                layout_statements,
                                                read_statements,
                                                NULL},
                                     *const large[] = {image_statements, row_statements, beside,
                                                       NULL};
    *total = 0;
    for (const StatementRow *const *table = g->large ? large : small; *table; table++)
        for (const StatementRow *r = *table; r->make; r++) {
            *total += r->weight;
            if (at < *total)
                return r;
        }
    return NULL;
}

static void statement(Gen *g) {
    uint32_t total, ignored;
    row_at(g, UINT32_MAX, &total);
    for (int tries = 0; tries < 20; tries++)
        if (row_at(g, below(g, total), &ignored)->make(g))
            return;
}

static void shape_text(MgText *out, const Value *v) {
    mg_textf(out, "%s[", mg_dtype(v->dtype)->name);
    for (uint32_t k = 0; k < v->rank; k++)
        mg_textf(out, "%s%s", k ? ", " : "", v->dims[k].text);
    mg_text_add(out, "]");
}

static const char *finish(Gen *g) {
    MgText out = mg_text(g->arena);
    mg_text_add(&out, "mg 1\ngraph random(");
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->values.len; k++) {
        Value v = g->values.at[k];
        if (!v.is_input)
            continue;
        v.dtype = g->inputs.at[n].dtype;
        mg_textf(&out, "%s%s: ", n++ ? ", " : "", v.name);
        shape_text(&out, &v);
    }
    mg_text_add(&out, ")\n    -> (");
    uint32_t outputs = 0;
    for (uint32_t k = 0; k < g->values.len; k++) {
        Value *v = &g->values.at[k];
        if (!v->is_input && (v->uses == 0 || k + 1 == g->values.len))
            mg_textf(&out, "%s%s", outputs++ ? ", " : "", v->name);
    }
    mg_textf(&out, ")\n{\n%s}\n", mg_text_str(&g->body));
    return mg_text_str(&out);
}

static Gen *begin(uint64_t seed, MgArena *arena, bool open) {
    Gen *g = MG_NEW(arena, Gen);
    g->arena = arena;
    g->state = seed * 0xD1342543DE82EF95 + 1;
    g->body = mg_text(arena);
    choose_world(g, open);
    return g;
}

static MgRandomProgram *end(Gen *g, uint64_t seed) {
    MgArena *arena = g->arena;
    MgRandomProgram *p = MG_NEW(arena, MgRandomProgram);
    p->seed = seed;
    p->text = finish(g);
    p->n_inputs = g->inputs.len;
    p->inputs = g->inputs.at;
    return p;
}

// Few layers, so that the interpreter finishes within a tenth of a second.
MgRandomProgram *mg_random_layers(uint64_t seed, MgArena *arena) {
    Gen *g = begin(seed, arena, true);
    g->large = true;
    g->named.len = 0;
    int64_t open[] = {between(g, 1, 3), between(g, 4, 20), between(g, 1, 70)};
    for (uint32_t k = 0; k < 3 && chance(g, 75); k++)
        mg_push(g->arena, &g->named, (Dim){open[k], format(g, "D%u", k)});
    for (uint32_t n = (uint32_t)between(g, 1, 4); n-- > 0;)
        statement(g);
    return end(g, seed);
}

static MgRandomProgram *small(uint64_t seed, MgArena *arena, bool open) {
    Gen *g = begin(seed, arena, open);
    uint32_t n = (uint32_t)between(g, 3, 12);
    for (uint32_t k = 0; k < n; k++)
        statement(g);
    return end(g, seed);
}

MgRandomProgram *mg_random_program(uint64_t seed, MgArena *arena) {
    if (seed % 4 == 0)
        return mg_random_layers(seed, arena);
    return small(seed, arena, true);
}

MgRandomProgram *mg_random_closed(uint64_t seed, MgArena *arena) {
    return small(seed, arena, false);
}

MgRandomProgram *mg_random_siblings(uint64_t seed, MgArena *arena) {
    Gen *g = begin(seed, arena, true);
    g->large = true;
    for (uint32_t n = (uint32_t)between(g, 1, 3); n-- > 0;)
        siblings(g);
    return end(g, seed);
}
