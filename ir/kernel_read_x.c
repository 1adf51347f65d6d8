// Reads the expressions of kernels. Nodes are made as they are written, without folding, so that
// they equal what was printed.
#include "ir/kernel_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const MgKx *nothing(MgKReader *r) {
    return mg_kint(r->k, 0);
}

MgSym mg_kr_name(MgKReader *r, const char *what) {
    const MgKToken *t = &r->in.token;
    bool is_name = t->kind == MG_K_QUOTED || (t->kind == MG_K_NAME && mg_k_is_plain(t->text));
    MgSym name = is_name ? mg_sym(r->k->names, t->text) : 0;
    if (is_name)
        mg_k_next(&r->in);
    else
        mg_k_refuse(&r->in, what);
    return name;
}

MgKBufId mg_kr_buffer(MgKReader *r) {
    MgSpan span = r->in.token.span;
    MgSym name = mg_kr_name(r, "the name of a buffer");
    uint64_t *buf = mg_map_find(&r->bufs, name);
    if (!buf)
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "'%s' is no buffer of this kernel",
                                   mg_name(r->k->names, name)));
    return buf ? (MgKBufId)*buf : 0;
}

MgDType mg_kr_dtype(MgKReader *r) {
    MgDType d = r->in.token.kind == MG_K_NAME ? mg_dtype_of_name(r->in.token.text) : MG_DTYPE_COUNT;
    if (d == MG_DTYPE_COUNT)
        mg_k_refuse(&r->in, "an element type");
    else
        mg_k_next(&r->in);
    return d == MG_DTYPE_COUNT ? MG_I64 : d;
}

uint32_t mg_kr_lanes(MgKReader *r) {
    if (!mg_k_touches(&r->in, "<"))
        return 1;
    mg_k_next(&r->in);
    uint32_t n = (uint32_t)mg_k_integer(&r->in, 1, MG_K_WIDEST);
    mg_k_expect(&r->in, ">");
    return n;
}

// ---------------------------------------------------------------- constants

static const MgKx *constant(MgKReader *r, MgDType dtype, MgBits bits) {
    return mg_kconst(r->k, mg_kt(dtype, mg_kr_lanes(r)), bits);
}

// Reads "inf", "nan", or "nan(0x7f81)bf16" with all its bits.
static const MgKx *special_float(MgKReader *r, MgDType dtype, bool minus) {
    bool nan = r->in.token.text[0] == 'n', plain = !r->in.token.text[3];
    mg_k_next(&r->in);
    if (!nan || !plain || !mg_k_touches(&r->in, "("))
        return constant(r, dtype,
                        mg_bits_from_double(dtype, nan     ? NAN
                                                   : minus ? -INFINITY
                                                           : INFINITY));
    mg_k_next(&r->in);
    char *end = "";
    MgBits bits = strtoull(r->in.token.text, &end, 16);
    if (r->in.token.kind != MG_K_NUMBER || *end)
        mg_k_refuse(&r->in, "the bits of a NaN, as 0x7fc00001");
    MgSpan span = r->in.token.span;
    mg_k_next(&r->in);
    mg_k_expect(&r->in, ")");
    if (r->in.token.kind == MG_K_NAME && !r->in.token.spaced)
        dtype = mg_kr_dtype(r);
    if (!mg_is_float(dtype) || mg_dtype(dtype)->bits < 64 - (uint32_t)__builtin_clzll(bits | 1) ||
        !isnan(mg_bits_to_double(dtype, bits)))
        mg_k_wrong(&r->in, span, "these are not the bits of a NaN of its type");
    return constant(r, dtype, bits);
}

// The bits of an integer of the type, or false if it is out of its range.
static bool integer_bits(const char *digits, MgDType dtype, bool minus, MgBits *bits) {
    uint32_t width = mg_dtype(dtype)->bits;
    uint64_t limit = mg_is_signed(dtype) ? (UINT64_C(1) << (width - 1)) - !minus
                     : minus             ? 0
                                         : UINT64_MAX >> (64 - width);
    errno = 0;
    uint64_t value = strtoull(digits, NULL, 10);
    *bits = mg_bits_from_int(dtype, (int64_t)(minus ? -value : value));
    return !errno && value <= limit;
}

static const MgKx *number(MgKReader *r, bool minus) {
    const char *text = r->in.token.text;
    MgSpan span = r->in.token.span;
    size_t n = strspn(text, "0123456789");
    bool point = text[n] == '.' || text[n] == 'e';
    char *end = (char *)(uintptr_t)text + n;
    double value = 0;
    if (point) // all floats but f64 are printed as the f32 that they are
        value = strstr(text, "f64") ? strtod(text, &end) : strtof(text, &end);
    MgDType dtype = *end ? mg_dtype_of_name(end) : point ? MG_F32 : MG_I64;
    MgBits bits = 0;
    if (dtype == MG_DTYPE_COUNT || dtype == MG_BOOL || mg_is_float(dtype) != point) {
        mg_k_refuse(&r->in, "a number, as 3, 3i32, 3.0 or 3.0f16");
        return nothing(r);
    }
    if (point)
        bits = mg_bits_from_double(dtype, minus ? -value : value);
    if (point ? !isfinite(mg_bits_to_double(dtype, bits))
              : !integer_bits(text, dtype, minus, &bits))
        mg_k_wrong(&r->in, span,
                   mg_arena_printf(r->k->arena, "'%s%s' is outside the range of %s",
                                   minus ? "-" : "", text, mg_dtype(dtype)->name));
    mg_k_next(&r->in);
    return constant(r, dtype, bits);
}

// ---------------------------------------------------------------- nodes

// Reads "(a, b)"; returns the number of operands.
static uint32_t operands(MgKReader *r, const MgKx *args[3], uint32_t least, uint32_t most) {
    uint32_t n = 0, height = 0;
    mg_k_expect(&r->in, "(");
    do {
        args[n++] = mg_kr_expr(r);
        height = r->height > height ? r->height : height;
    } while (n < most && mg_k_take(&r->in, ","));
    if (n < least)
        mg_k_refuse(&r->in, mg_arena_printf(r->k->arena, "%u operand%s", least, mg_plural(least)));
    mg_k_expect(&r->in, ")");
    r->height = height;
    return n;
}

// Makes a node of the operands that were read last, whose height is in r.
static MgKx *node(MgKReader *r, MgKxKind kind, MgKType type, const MgKx *const *args, uint32_t n) {
    MgKx *x = mg_kernel_node(r->k, kind, type);
    memcpy(x->args, args, n * sizeof *args);
    x->n_args = n;
    if (r->height++ >= MG_K_HIGHEST)
        mg_k_wrong(&r->in, r->in.token.span, "an expression is too deep");
    return x;
}

static const MgKx *primitive(MgKReader *r, MgPrim prim, bool near, MgDType to,
                             const MgKx *const *args) {
    const MgPrimRow *row = mg_prim(prim);
    MgKType type = args[prim == MG_PRIM_WHERE]->type;
    if (row->result == MG_RESULT_BOOL)
        type.dtype = MG_BOOL;
    if (row->result == MG_RESULT_CONVERT)
        type.dtype = to;
    MgKx *x = node(r, MG_KX_PRIM, type, args, row->arity);
    x->prim = prim;
    x->near = near;
    return x;
}

static const MgKx *named_primitive(MgKReader *r, MgPrim prim, bool near) {
    const MgKx *args[3];
    uint32_t arity = mg_prim(prim)->arity;
    MgDType to = MG_I64;
    mg_k_next(&r->in);
    if (mg_prim(prim)->result == MG_RESULT_CONVERT) {
        mg_k_expect(&r->in, "<");
        to = mg_kr_dtype(r);
        mg_k_expect(&r->in, ">");
    }
    operands(r, args, arity, arity);
    return r->in.failed ? nothing(r) : primitive(r, prim, near, to, args);
}

static void selectors(MgKReader *r, uint8_t *lanes, uint32_t *n) {
    mg_k_expect(&r->in, "<");
    for (*n = 0; *n < MG_K_WIDEST && !mg_k_is(&r->in, ">") && !r->in.failed; ++*n)
        lanes[*n] = (uint8_t)mg_k_integer(&r->in, 0, 2 * MG_K_WIDEST - 1);
    if (!*n)
        mg_k_refuse(&r->in, "the number of a lane");
    mg_k_expect(&r->in, ">");
}

static MgPrim reducer(MgKReader *r) {
    mg_k_expect(&r->in, "<");
    MgPrim prim = mg_prim_of_name(r->in.token.text);
    if (prim == MG_PRIM_COUNT)
        mg_k_refuse(&r->in, "a primitive that combines lanes");
    else
        mg_k_next(&r->in);
    mg_k_expect(&r->in, ">");
    return prim;
}

MgAtom mg_kr_atom(MgKReader *r) {
    static const char *const words[] = {
#define MG_ATOM(id, word, row, column, sum, rounds, keeps, since, step, types) word,
#include "lang/atoms.def"
#undef MG_ATOM
    };
    uint32_t n = mg_k_word_of(&r->in, words, MG_ATOM_COUNT);
    if (n == MG_ATOM_COUNT) {
        mg_k_refuse(&r->in, "an atom");
        n = 0;
    }
    return (MgAtom)n;
}

// Reads "[1.0, 2.0]". Returns the number of constants, all of one type.
static uint32_t table(MgKReader *r, MgBits *bits, MgDType *dtype) {
    uint32_t n = 0;
    mg_k_expect(&r->in, "[");
    do {
        MgSpan span = r->in.token.span;
        const MgKx *x = mg_kr_operand(r);
        if (x->kind != MG_KX_CONST || x->type.lanes > 1 || (n && x->type.dtype != *dtype))
            mg_k_wrong(&r->in, span, "a table has constants of one type");
        *dtype = x->type.dtype;
        bits[n++] = x->bits;
    } while (n < MG_K_WIDEST && mg_k_take(&r->in, ","));
    mg_k_expect(&r->in, "]");
    return n;
}

// The type of such an expression with `lanes` written lanes, from that of its first operand.
static MgKType worded_type(MgKxKind kind, uint32_t lanes, MgKType first) {
    if (kind == MG_KX_DOT)
        return first;
    if (kind != MG_KX_WORDS)
        return mg_kt(first.dtype, lanes);
    uint32_t words = first.lanes * mg_dtype(first.dtype)->bits / 32;
    return mg_kt(MG_I32, words ? words : 1); // verification refuses what fills no word
}

// An expression that is a word with its form and operands.
static const MgKx *worded(MgKReader *r, MgKxKind kind) {
    const MgKxWord *row = &mg_kx_words[kind];
    const MgKx *args[3];
    uint8_t lanes[MG_K_WIDEST] = {0};
    MgBits bits[MG_K_WIDEST];
    uint32_t n = 1, value = 0, n_args;
    MgDType dtype = MG_I64;
    MgPrim prim = 0;
    mg_k_next(&r->in);
    r->height = 0;
    if (!row->most)
        return mg_kernel_node(r->k, kind, mg_kt(MG_I64, 1));
    if (row->form == MG_KX_FORM_LANES || row->form == MG_KX_FORM_TABLE)
        n = mg_kr_lanes(r);
    if (row->form == MG_KX_FORM_TABLE)
        value = table(r, bits, &dtype);
    if (row->form == MG_KX_FORM_SELECTORS)
        selectors(r, lanes, &n);
    if (row->form == MG_KX_FORM_REDUCER)
        prim = reducer(r);
    if (row->form == MG_KX_FORM_ATOM) {
        mg_k_expect(&r->in, "<");
        value = mg_kr_atom(r);
        mg_k_expect(&r->in, ">");
    }
    if (row->form == MG_KX_FORM_VALUE) {
        mg_k_expect(&r->in, "<");
        value = (uint32_t)mg_k_integer(&r->in, 0, MG_K_WIDEST - 1);
        mg_k_expect(&r->in, ">");
    }
    n_args = operands(r, args, row->least, row->most);
    MgKType type = mg_kt(dtype, n);
    if (row->form != MG_KX_FORM_TABLE)
        type = worded_type(kind, n, args[0]->type);
    MgKx *x = node(r, kind, type, args, n_args);
    x->value = value;
    x->prim = prim;
    if (row->form == MG_KX_FORM_SELECTORS)
        x->lanes = mg_arena_copy(r->k->arena, lanes, n, 1);
    if (row->form == MG_KX_FORM_TABLE)
        x->table = mg_arena_copy(r->k->arena, bits, value, sizeof *bits);
    return x;
}

// ---------------------------------------------------------------- names

const MgKx *mg_kr_index(MgKReader *r) {
    mg_k_expect(&r->in, "[");
    const MgKx *index = mg_kr_expr(r);
    mg_k_expect(&r->in, "]");
    return index;
}

uint32_t mg_kr_access(MgKReader *r, MgKBufId buf, const MgKx *index) {
    uint32_t lanes = r->in.failed ? 1 : r->k->bufs.at[buf].elem.lanes;
    if (lanes == 1)
        lanes = index->type.lanes;
    return lanes == 1 ? mg_kr_lanes(r) : lanes;
}

static const MgKx *load(MgKReader *r) {
    const MgKx *args[3] = {NULL};
    MgKBufId buf = mg_kr_buffer(r);
    args[0] = mg_kr_index(r);
    uint32_t lanes = mg_kr_access(r, buf, args[0]), height = r->height, n = 1;
    if (mg_k_touches(&r->in, "{")) {
        mg_k_next(&r->in);
        args[n++] = mg_kr_expr(r);
        height = r->height > height ? r->height : height;
        mg_k_expect(&r->in, "else");
        args[n++] = mg_kr_expr(r);
        mg_k_expect(&r->in, "}");
    }
    if (r->in.failed)
        return nothing(r);
    r->height = r->height > height ? r->height : height;
    MgKx *x = node(r, MG_KX_LOAD, mg_kt(r->k->bufs.at[buf].elem.dtype, lanes), args, n);
    x->buf = buf;
    return x;
}

static const MgKx *variable(MgKReader *r) {
    MgSpan span = r->in.token.span;
    MgSym name = mg_kr_name(r, "an expression");
    uint64_t *var = mg_map_find(&r->vars, name);
    r->height = 0;
    if (var)
        return mg_kvar(r->k, (MgKVarId)*var);
    mg_k_wrong(&r->in, span,
               mg_arena_printf(r->k->arena, "'%s' is no variable that is defined before",
                               mg_name(r->k->names, name)));
    return nothing(r);
}

static const MgKx *shared(MgKReader *r, uint32_t number) {
    uint64_t *x = mg_map_find(&r->shared, number);
    r->height = (uint32_t)mg_map_get(&r->heights, number, 0);
    if (!x)
        mg_k_wrong(&r->in, r->in.token.span, "no line above this statement says what this is");
    mg_k_next(&r->in);
    return x ? (const MgKx *)(uintptr_t)*x : nothing(r);
}

// A word that is not a name of the kernel. NULL if it is one.
static const MgKx *word(MgKReader *r) {
    const char *text = r->in.token.text;
    char behind = r->in.text[r->in.at];
    MgDType dtype = mg_k_special_float(text);
    uint32_t number = mg_k_shared_number(text);
    if (number)
        return shared(r, number);
    if (dtype != MG_DTYPE_COUNT)
        return special_float(r, dtype, false);
    if (!strcmp(text, "true") || !strcmp(text, "false")) {
        mg_k_next(&r->in);
        return constant(r, MG_BOOL, text[0] == 't');
    }
    for (uint32_t i = 0; i < MG_KX_KINDS; i++)
        if (mg_kx_words[i].word && !strcmp(mg_kx_words[i].word, text) &&
            (!mg_kx_words[i].most || behind == '(' || behind == '<' ||
             mg_kx_words[i].form == MG_KX_FORM_TABLE))
            return worded(r, (MgKxKind)i);
    MgPrim prim = behind == '(' || behind == '<' ? mg_prim_of_name(text) : MG_PRIM_COUNT;
    return prim == MG_PRIM_COUNT ? NULL : named_primitive(r, prim, false);
}

// A minus sign before a constant.
static const MgKx *negative(MgKReader *r) {
    mg_k_next(&r->in);
    if (!r->in.token.spaced && r->in.token.kind == MG_K_NUMBER)
        return number(r, true);
    MgDType dtype = r->in.token.kind == MG_K_NAME && r->in.token.text[0] == 'i'
                        ? mg_k_special_float(r->in.token.text)
                        : MG_DTYPE_COUNT;
    if (!r->in.token.spaced && dtype != MG_DTYPE_COUNT)
        return special_float(r, dtype, true);
    mg_k_refuse(&r->in, "a constant right behind '-'; neg(x) is the negative of x");
    return nothing(r);
}

static const MgKx *near_primitive(MgKReader *r) {
    MgPrim prim = r->in.token.kind == MG_K_NAME ? mg_prim_of_name(r->in.token.text) : MG_PRIM_COUNT;
    if (prim != MG_PRIM_COUNT)
        return named_primitive(r, prim, true);
    mg_k_refuse(&r->in, "a function");
    return nothing(r);
}

static const MgKx *parenthesised(MgKReader *r) {
    const MgKx *x = mg_kr_expr(r);
    mg_k_expect(&r->in, ")");
    return x;
}

const MgKx *mg_kr_operand(MgKReader *r) {
    const MgKx *x = NULL;
    r->height = 0;
    if (r->in.failed)
        return nothing(r);
    if (mg_k_take(&r->in, "("))
        return parenthesised(r);
    if (mg_k_is(&r->in, "-"))
        return negative(r);
    if (mg_k_take(&r->in, "~"))
        return near_primitive(r);
    if (r->in.token.kind == MG_K_NUMBER)
        return number(r, false);
    if (r->in.token.kind == MG_K_NAME)
        x = word(r);
    if (x)
        return x;
    return r->in.text[r->in.at] == '[' ? load(r) : variable(r);
}

static const MgKx *infix(MgKReader *r) {
    const MgKx *args[2] = {mg_kr_operand(r), NULL};
    bool near = !r->in.token.first && mg_k_take(&r->in, "~");
    MgPrim prim = r->in.token.kind == MG_K_SIGN && !r->in.token.first
                      ? mg_prim_of_name(r->in.token.text)
                      : MG_PRIM_COUNT;
    if (near && prim == MG_PRIM_COUNT)
        mg_k_refuse(&r->in, "an infix sign");
    if (prim == MG_PRIM_COUNT || r->in.failed)
        return args[0];
    uint32_t height = r->height;
    mg_k_next(&r->in);
    args[1] = mg_kr_operand(r);
    r->height = r->height > height ? r->height : height;
    return primitive(r, prim, near, MG_I64, args);
}

const MgKx *mg_kr_expr(MgKReader *r) {
    if (r->deep >= MG_K_DEEPEST)
        mg_k_wrong(&r->in, r->in.token.span, "an expression is nested too deep");
    r->deep++;
    const MgKx *x = r->in.failed ? nothing(r) : infix(r);
    r->deep--;
    return x;
}
