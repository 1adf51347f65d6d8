// The use of a parameter is found from the equations: its uses are followed through moves, casts
// and arithmetic with constants until they meet another value.
#include "runtime/weights_random.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool mg_random_weights_parse(const char *text, uint64_t *seed, bool *initial) {
    static const char *const words[] = {"random", "initial"};
    *seed = 0;
    *initial = text[0] == 'i';
    size_t n = strlen(words[*initial]);
    if (strncmp(text, words[*initial], n) != 0)
        return false;
    if (text[n] != ':')
        return !text[n];
    const char *digits = text + n + 1;
    char *end;
    errno = 0;
    *seed = strtoull(digits, &end, 10);
    return *digits >= '0' && *digits <= '9' && !*end && !errno;
}

// ---------------------------------------------------------------- uses

// What has been found about one parameter.
typedef struct Uses {
    const MgReaders *readers;
    double fan_in; // the longest sum of products of which it is a factor; 0: none
    bool changes;  // it is trained: its first reader counts, since those of its update follow
                   // the net's
    bool positive; // it is a divisor, or the operand of a root, a logarithm or a power
    bool table;    // data choose its rows
    bool chosen;   // it is itself a subscript
    bool scale, term;
} Uses;

// The operations applied to a read between it and the root of an expression.
typedef struct Above {
    bool product, positive, subscript;
    bool term; // the nearest sum or product above it is a sum
} Above;

typedef struct Reading {
    Uses *uses;
    const MgOp *op;
    const MgPiece *piece;
    MgValueId value;
    bool bare; // a read of it has only moves and casts above it
} Reading;

// The number of elements of v along the axes that the piece's bound indices walk; 1 if they walk
// none.
static double bound_extent(const Reading *r, const MgSx *read, const MgValue *v) {
    MgGraph *g = r->uses->readers->g;
    double extent = 1;
    for (uint32_t a = 0; a < read->n_args; a++) {
        bool bound = false;
        int64_t size;
        for (uint32_t k = r->piece->n_free; k < r->piece->n_indices; k++)
            bound |=
                read->args[a]->kind == MG_SX_IX &&
                mg_ix_mentions(g->module->ix, read->args[a]->ix, mg_ix_index(g->module->ix, k));
        if (bound && mg_ix_is_const(g->module->ix, v->shape[a], &size))
            extent *= (double)size;
    }
    return extent;
}

static void note_read(Reading *r, const MgSx *read, Above above) {
    Uses *u = r->uses;
    const MgValue *v = mg_value(u->readers->g, r->value);
    double extent = r->piece->reducer == MG_REDUCE_SUM ? bound_extent(r, read, v) : 1;
    bool gathered = false;
    for (uint32_t a = 0; a < read->n_args; a++)
        gathered |= read->args[a]->kind != MG_SX_IX;
    if (above.subscript)
        u->chosen = true;
    else if (above.product && extent > 1)
        u->fan_in = fmax(u->fan_in, extent);
    else if (above.positive)
        u->positive = true;
    else if (gathered)
        u->table = true;
    else if (above.term)
        u->term = true;
    else if (above.product)
        u->scale = true;
    else
        r->bare = true;
}

static void see(Reading *r, const MgSx *x, Above above) {
    if (x->kind == MG_SX_READ) {
        if (r->op->operands[x->operand] == r->value)
            note_read(r, x, above);
        for (uint32_t a = 0; a < x->n_args; a++)
            see(r, x->args[a], (Above){.subscript = true});
        if (x->otherwise)
            see(r, x->otherwise, above);
        return;
    }
    for (uint32_t a = 0; a < x->n_args && x->kind == MG_SX_PRIM; a++) {
        Above inside = above;
        switch (x->prim) {
        case MG_PRIM_ADD:
        case MG_PRIM_SUB:
            inside.term = true;
            break;
        case MG_PRIM_MUL:
        case MG_PRIM_FMA:
            inside.product |= a < 2;
            inside.term = a == 2;
            break;
        case MG_PRIM_DIV:
            inside.positive |= a == 1;
            inside.product |= a == 0;
            inside.term = false;
            break;
        case MG_PRIM_SQRT:
        case MG_PRIM_RSQRT:
        case MG_PRIM_LOG:
        case MG_PRIM_LOG2:
        case MG_PRIM_LOG1P:
            inside.positive = true;
            break;
        case MG_PRIM_POW:
            inside.positive |= a == 0;
            break;
        default:
            break;
        }
        see(r, x->args[a], inside);
    }
}

enum { DEEPEST = 6 }; // ops between a parameter and a use of it

// Is the op computed only from this value and constants, through at most `depth` ops? Then its
// result stands for the value.
static bool stands_for(MgGraph *g, const MgOp *op, MgValueId value, uint32_t depth) {
    for (uint32_t k = 0; k < op->n_operands; k++) {
        const MgOp *from = mg_def(g, op->operands[k]);
        bool only =
            from && from->kind == MG_OP_EQUATION && depth && stands_for(g, from, value, depth - 1);
        if (op->operands[k] != value && !only && !(from && from->kind == MG_OP_CONST))
            return false;
    }
    return true;
}

// The position of the op, or of the loop that contains it, in the graph's body.
static uint32_t place_of(MgGraph *g, MgOpId op) {
    while (mg_op(g, op)->region)
        op = mg_region(g, mg_op(g, op)->region)->parent;
    const MgRegion *body = mg_region(g, 0);
    uint32_t at = 0;
    while (at < body->ops.len && body->ops.at[at] != op)
        at++;
    return at;
}

// The first reader, by its number among all readers.
static uint32_t first_reader(const MgReaders *readers, uint32_t begin, uint32_t end) {
    uint32_t first = begin, least = UINT32_MAX;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t place = place_of(readers->g, readers->ops[i]);
        first = place < least ? i : first;
        least = place < least ? place : least;
    }
    return first;
}

static void follow(Uses *u, MgValueId value, uint32_t depth);

static void follow_reader(Uses *u, MgOpId id, MgValueId value, uint32_t depth) {
    MgGraph *g = u->readers->g;
    MgOp *op = mg_op(g, id);
    if (op->kind != MG_OP_EQUATION)
        return;
    Reading r = {.uses = u, .op = op, .value = value};
    for (uint32_t p = 0; p < op->equation->n_pieces; p++) {
        r.piece = &op->equation->pieces[p];
        see(&r, r.piece->expr, (Above){0});
    }
    if (depth < DEEPEST && (r.bare || stands_for(g, op, value, DEEPEST)))
        follow(u, op->results[0], depth + 1);
}

static void follow(Uses *u, MgValueId value, uint32_t depth) {
    enum { MOST_READERS = 64 };
    const MgReaders *readers = u->readers;
    uint32_t begin = readers->first[value], end = readers->first[value + 1];
    end = end - begin > MOST_READERS ? begin + MOST_READERS : end;
    if (u->changes && begin < end) {
        begin = first_reader(readers, begin, end);
        end = begin + 1;
    }
    for (uint32_t i = begin; i < end; i++)
        follow_reader(u, readers->ops[i], value, depth);
}

// A table may also be a factor, as where a net's last layer shares the first one's weights. Sums
// over all of it, such as a penalty or a norm, don't count.
static void follow_table(Uses *u, MgValueId value) {
    const MgReaders *readers = u->readers;
    MgGraph *g = readers->g;
    int64_t all;
    for (uint32_t i = readers->first[value]; i < readers->first[value + 1]; i++) {
        Uses other = {.readers = readers, .changes = true};
        if (!mg_origin_is_backward(g->module, mg_op(g, readers->ops[i])->origin))
            follow_reader(&other, readers->ops[i], value, DEEPEST - 1);
        if (!mg_ix_is_const(g->module->ix, mg_value_elements(g, value), &all) ||
            other.fan_in < (double)all)
            u->fan_in = fmax(u->fan_in, other.fan_in);
    }
}

// ---------------------------------------------------------------- values

typedef struct Interval {
    double low, high;
} Interval;

static Interval about(double middle, double reach) {
    return (Interval){middle - reach, middle + reach};
}

// A matrix that no equation explains counts as one whose rows are summed.
static double usual_fan_in(MgGraph *g, const MgValue *v) {
    double n = 1;
    int64_t size;
    for (uint32_t a = 1; a < v->rank; a++)
        n *= mg_ix_is_const(g->module->ix, v->shape[a], &size) ? (double)size : 1;
    return n;
}

static Interval float_interval(const Uses *u, const MgValue *v) {
    bool known = u->positive || u->table || u->scale || u->term;
    double fan_in = u->fan_in ? u->fan_in : known ? 0 : usual_fan_in(u->readers->g, v);
    if (fan_in > 1)
        return about(0, sqrt(3 / fan_in)); // has variance 1 / fan_in
    return u->positive ? about(1, 0.5) : u->table ? about(0, sqrt(3)) : about(u->scale, 0.1);
}

static uint64_t next(uint64_t *state) { // splitmix64: Steele, Lea, Flood, OOPSLA 2014
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void put(void *data, MgDType dtype, size_t i, MgBits bits) { // little-endian machines
    size_t size = mg_dtype_size(dtype);
    memcpy((char *)data + i * size, &bits, size);
}

static void fill_floats(void *data, MgDType dtype, size_t count, Interval in, uint64_t state) {
    double width = (in.high - in.low) * 0x1p-53;
    for (size_t i = 0; i < count; i++) {
        double value = in.low + (double)(next(&state) >> 11) * width;
        if (dtype == MG_F32)
            ((float *)data)[i] = (float)value;
        else
            put(data, dtype, i, mg_bits_from_double(dtype, value));
    }
}

// Quantised weights have 8 or 16 bits and use all of them. Wider integers are indices, sizes or
// biases; 0 is valid for each of these.
static void fill_integers(void *data, MgDType dtype, size_t count, bool zero, uint64_t state) {
    bool all = mg_dtype_size(dtype) <= 2 && !zero;
    for (size_t i = 0; i < count; i++) {
        uint64_t r = next(&state);
        put(data, dtype, i,
            mg_bits_from_int(dtype, dtype == MG_BOOL ? r >> 63
                                    : all            ? r >> 48
                                                     : 0));
    }
}

void mg_random_weight(const MgReaders *readers, MgSym name, MgValueId value, uint64_t seed,
                      void *data, size_t count) {
    MgGraph *g = readers->g;
    const MgValue *v = mg_value(g, value);
    const char *key = mg_name(g->module->session->names, name);
    uint64_t state = mg_hash(key, strlen(key), seed);
    Uses uses = {.readers = readers, .changes = v->def == MG_NONE};
    follow(&uses, value, 0);
    if (uses.changes && uses.table && !uses.fan_in)
        follow_table(&uses, value);
    if (mg_is_float(v->dtype))
        fill_floats(data, v->dtype, count, float_interval(&uses, v), state);
    else
        fill_integers(data, v->dtype, count, uses.chosen, state);
}
