// Expressions as OpenCL C.
//
// A scalar bool is an int, 0 or 1; a vector of bools is a vector of char, 0 or -1, as vector
// comparisons and select want it; in memory a bool is uchar. f16 and bf16 are ushort, and floats of
// eight bits uchar: legalised kernels only move them. Signed arithmetic that may wrap goes through
// the unsigned type, since overflow is undefined in C. Memory is accessed by vload and vstore,
// which need only the element's alignment.
#include "backends/opencl/print_impl.h"

#include <inttypes.h>
#include <math.h>

static const char *const scalar_type[MG_DTYPE_COUNT] = {
    [MG_F64] = "double", [MG_F32] = "float",    [MG_F16] = "ushort",  [MG_BF16] = "ushort",
    [MG_I64] = "long",   [MG_I32] = "int",      [MG_I16] = "short",   [MG_I8] = "char",
    [MG_U64] = "ulong",  [MG_U32] = "uint",     [MG_U16] = "ushort",  [MG_U8] = "uchar",
    [MG_BOOL] = "uchar", [MG_F8E4M3] = "uchar", [MG_F8E5M2] = "uchar"};

static const char *sized(MgClPrinter *p, const char *name, uint32_t lanes) {
    return lanes == 1 ? name : mg_arena_printf(p->arena, "%s%u", name, lanes);
}

const char *mg_cl_storage(MgClPrinter *p, MgKType t) {
    return sized(p, scalar_type[t.dtype], t.lanes);
}

const char *mg_cl_type(MgClPrinter *p, MgKType t) {
    bool known = t.lanes <= 4 || t.lanes == 8 || t.lanes == 16;
    if (!known)
        mg_cl_refuse(p, mg_arena_printf(p->arena, "vectors of %u lanes", t.lanes));
    if (t.dtype == MG_BOOL)
        return sized(p, t.lanes == 1 ? "int" : "char", t.lanes);
    return mg_cl_storage(p, t);
}

// The signed integer type as wide as an element of t. Selects and vector comparisons use it.
const char *mg_cl_mask_type(MgClPrinter *p, MgKType t) {
    static const char *const by_bytes[9] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
    return sized(p, by_bytes[mg_dtype_size(t.dtype)], t.lanes);
}

const char *mg_cl_component(MgClPrinter *p, const char *name, uint32_t lane) {
    return mg_arena_printf(p->arena, "%s.s%x", name, lane);
}

// ---------------------------------------------------------------- constants

static const char *float_constant(MgClPrinter *p, MgDType d, double v) {
    bool single = d == MG_F32;
    if (isnan(v))
        return single ? "NAN" : "nan(0ul)";
    if (isinf(v))
        return mg_arena_printf(p->arena, "%s%sINFINITY", v < 0 ? "-" : "",
                               single ? "" : "(double)");
    return mg_arena_printf(p->arena, "%s%s", mg_float_str(p->arena, v, single), single ? "f" : "");
}

static const char *scalar_constant(MgClPrinter *p, MgDType d, MgBits bits) {
    if (d == MG_F64 || d == MG_F32)
        return float_constant(p, d, mg_bits_to_double(d, bits));
    int64_t v = mg_bits_to_int(d, bits);
    switch (d) {
    case MG_I64:
        if (v >= INT32_MIN && v <= INT32_MAX) // as narrow as a variable of that range
            return v == INT32_MIN ? "INT_MIN" : mg_arena_printf(p->arena, "%" PRId64, v);
        return v == INT64_MIN ? "LONG_MIN" : mg_arena_printf(p->arena, "%" PRId64 "l", v);
    case MG_U64:
        return mg_arena_printf(p->arena, "%" PRIu64 "ul", bits);
    case MG_I32:
        return v == INT32_MIN ? "INT_MIN" : mg_arena_printf(p->arena, "%" PRId64, v);
    case MG_U32:
        return mg_arena_printf(p->arena, "%" PRIu64 "u", bits);
    case MG_BOOL:
        return bits ? "1" : "0";
    default:
        return mg_arena_printf(p->arena, "(%s)%" PRId64, scalar_type[d],
                               mg_is_float(d) ? (int64_t)bits : v);
    }
}

static const char *constant(MgClPrinter *p, const MgKx *x) {
    if (x->type.lanes == 1)
        return scalar_constant(p, x->type.dtype, x->bits);
    const char *value = x->type.dtype == MG_BOOL ? (x->bits ? "-1" : "0")
                                                 : scalar_constant(p, x->type.dtype, x->bits);
    return mg_arena_printf(p->arena, "(%s)(%s)", mg_cl_type(p, x->type), value);
}

bool mg_cl_need_helper(MgClPrinter *p, const char *name) {
    uint64_t key = mg_hash(name, strlen(name), 0);
    if (mg_map_find(p->known, key))
        return false;
    mg_map_put(p->known, key, 1);
    return true;
}

// ---------------------------------------------------------------- primitives

static const char *const infix[MG_PRIM_COUNT] = {
    [MG_PRIM_ADD] = "+",  [MG_PRIM_SUB] = "-",  [MG_PRIM_MUL] = "*", [MG_PRIM_DIV] = "/",
    [MG_PRIM_REM] = "%",  [MG_PRIM_AND] = "&",  [MG_PRIM_OR] = "|",  [MG_PRIM_XOR] = "^",
    [MG_PRIM_SHL] = "<<", [MG_PRIM_SHR] = ">>", [MG_PRIM_EQ] = "==", [MG_PRIM_NE] = "!=",
    [MG_PRIM_LT] = "<",   [MG_PRIM_LE] = "<=",  [MG_PRIM_GT] = ">",  [MG_PRIM_GE] = ">="};

// The names of OpenCL C that differ from the language's.
static const char *const function[MG_PRIM_COUNT] = {
    [MG_PRIM_ABS] = "fabs", [MG_PRIM_ROUND] = "rint", [MG_PRIM_REM] = "fmod"};

static const char *compare(MgClPrinter *p, const MgKx *x, const char *text) {
    if (x->type.lanes == 1)
        return text;
    if (mg_dtype_size(x->args[0]->type.dtype) == 1)
        return text; // it is already a vector of char
    return mg_arena_printf(p->arena, "convert_%s(%s)", mg_cl_type(p, x->type), text);
}

static bool may_wrap(const MgKx *x) {
    return mg_is_signed(x->type.dtype) && (x->prim == MG_PRIM_ADD || x->prim == MG_PRIM_SUB ||
                                           x->prim == MG_PRIM_MUL || x->prim == MG_PRIM_SHL);
}

const char *mg_cl_long(MgClPrinter *p, const MgKx *x) {
    const char *text = mg_cl_expr(p, x);
    return mg_kfacts_narrow(&p->facts, x) ? mg_arena_printf(p->arena, "(long)%s", text) : text;
}

static const char *integer_binary(MgClPrinter *p, const MgKx *x, const char *a, const char *b) {
    static const MgDType unsigned_of[MG_DTYPE_COUNT] = {
        [MG_I64] = MG_U64, [MG_I32] = MG_U32, [MG_I16] = MG_U16, [MG_I8] = MG_U8};
    const char *type = mg_cl_type(p, x->type), *op = infix[x->prim];
    if (x->type.lanes == 1 && x->type.dtype != MG_BOOL && mg_dtype_size(x->type.dtype) < 4)
        return mg_arena_printf(p->arena, "(%s)(%s %s %s)", type, a, op, b); // C computes it as int
    if (!may_wrap(x) || mg_kfacts_counts(&p->facts, x) || mg_kfacts_narrow(&p->facts, x))
        return mg_arena_printf(p->arena, "(%s %s %s)", a, op, b);
    const char *u = mg_cl_type(p, mg_kt(unsigned_of[x->type.dtype], x->type.lanes));
    return mg_arena_printf(p->arena, "as_%s(as_%s(%s) %s as_%s(%s))", type, u, a, op, u, b);
}

const char *mg_cl_mask(MgClPrinter *p, const MgKx *c, size_t size) {
    if (c->kind == MG_KX_VAR && p->masks[c->var] == size)
        return mg_cl_var(p, c->var);
    if (c->kind != MG_KX_PRIM || c->n_args != 2 || !infix[c->prim] ||
        c->args[0]->type.dtype == MG_BOOL || mg_dtype_size(c->args[0]->type.dtype) != size)
        return NULL;
    return mg_arena_printf(p->arena, "(%s %s %s)", mg_cl_expr(p, c->args[0]), infix[c->prim],
                           mg_cl_expr(p, c->args[1]));
}

static const char *where(MgClPrinter *p, const MgKx *x, const char *c, const char *a,
                         const char *b) {
    if (x->type.lanes == 1) { // C would widen small integers to int
        bool small = x->type.dtype != MG_BOOL && mg_dtype_size(x->type.dtype) < 4;
        const char *type = small ? mg_arena_printf(p->arena, "(%s)", mg_cl_type(p, x->type)) : "";
        return mg_arena_printf(p->arena, "%s(%s ? %s : %s)", type, c, a, b);
    }
    if (mg_dtype_size(x->type.dtype) > 1)
        c = mg_arena_printf(p->arena, "convert_%s(%s)", mg_cl_mask_type(p, x->type), c);
    const char *wide = mg_cl_mask(p, x->args[0], mg_dtype_size(x->type.dtype));
    return mg_arena_printf(p->arena, "select(%s, %s, %s)", b, a, wide ? wide : c);
}

// Converts between f32 and f16. OpenCL C 1.2 has f16 only in loads and stores.
static const char *convert_half(MgClPrinter *p, const MgKx *x, const char *a) {
    bool widens = x->type.dtype == MG_F32;
    uint32_t lanes = x->type.lanes;
    const char *to = mg_cl_type(p, x->type), *from = mg_cl_type(p, x->args[0]->type);
    const char *name = mg_arena_printf(p->arena, "mg_%s_half%u", widens ? "from" : "to", lanes);
    if (mg_cl_need_helper(p, name)) {
        const char *n = lanes == 1 ? "" : mg_arena_printf(p->arena, "%u", lanes);
        mg_textf(p->helpers, "static %s %s(%s x) {\n", to, name, from);
        if (widens)
            mg_textf(p->helpers, "    return vload_half%s(0, (const half *)&x);\n}\n\n", n);
        else
            mg_textf(p->helpers,
                     "    %s h;\n    vstore_half%s_rte(x, 0, (half *)&h);\n    return h;\n}\n\n",
                     to, n);
    }
    return mg_arena_printf(p->arena, "%s(%s)", name, a);
}

// Rounds two elements to bf16 by an instruction of NVIDIA's devices.
static const char *const two_bfloats =
    "#ifdef __NV_CL_C_VERSION\n"
    "static uint mg_two_bfloats(float low, float high) {\n"
    "    uint x;\n"
    "    asm(\"cvt.rn.bf16x2.f32 %0, %1, %2;\" : \"=r\"(x) : \"f\"(high), \"f\"(low));\n"
    "    return x;\n"
    "}\n"
    "#else\n"
    "static uint mg_bfloat(float x) {\n"
    "    const uint bits = as_uint(x);\n"
    "    return isnan(x) ? bits >> 16 | 64 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;\n"
    "}\n"
    "static uint mg_two_bfloats(float low, float high) {\n"
    "    return mg_bfloat(low) | mg_bfloat(high) << 16;\n"
    "}\n"
    "#endif\n\n";

static const char *narrow_to_bfloat(MgClPrinter *p, const MgKx *x, const char *a) {
    const char *to = mg_cl_type(p, x->type), *from = mg_cl_type(p, x->args[0]->type);
    uint32_t lanes = x->type.lanes;
    const char *name = mg_arena_printf(p->arena, "mg_to_bfloat%u", lanes);
    if (mg_cl_need_helper(p, "mg_two_bfloats"))
        mg_text_add(p->helpers, two_bfloats);
    if (mg_cl_need_helper(p, name)) {
        const char *as = lanes == 1   ? "(ushort)("
                         : lanes == 2 ? "as_ushort2("
                                      : mg_arena_printf(p->arena, "as_%s((uint%u)(", to, lanes / 2);
        mg_textf(p->helpers, "static %s %s(%s x) {\n    return %s", to, name, from, as);
        for (uint32_t i = 0; i < lanes; i += 2)
            mg_textf(p->helpers, "%smg_two_bfloats(%s, %s)", i ? ", " : "",
                     lanes > 1 ? mg_cl_component(p, "x", i) : "x",
                     lanes > 1 ? mg_cl_component(p, "x", i + 1) : "0");
        mg_textf(p->helpers, ")%s;\n}\n\n", lanes > 2 ? ")" : "");
    }
    return mg_arena_printf(p->arena, "%s(%s)", name, a);
}

static const char *convert(MgClPrinter *p, const MgKx *x, const char *a) {
    const char *type = mg_cl_type(p, x->type);
    if (x->prim == MG_PRIM_CAST && (x->type.dtype == MG_F16 || x->args[0]->type.dtype == MG_F16))
        return convert_half(p, x, a);
    if (x->prim == MG_PRIM_CAST && x->type.dtype == MG_BF16)
        return narrow_to_bfloat(p, x, a);
    if (x->prim == MG_PRIM_BITCAST) // a bit-cast between types of one representation does nothing
        return !strcmp(type, mg_cl_type(p, x->args[0]->type))
                   ? a
                   : mg_arena_printf(p->arena, "as_%s(%s)", type, a);
    if (x->type.lanes > 1)
        return mg_arena_printf(p->arena, "convert_%s(%s)", type, a);
    bool narrow = x->type.dtype == MG_I64 &&
                  mg_kfacts_narrow(&p->facts, x); // `min` takes operands of one type
    return mg_arena_printf(p->arena, "(%s)(%s)", narrow ? "int" : type, a);
}

static const char *negate(MgClPrinter *p, const MgKx *x, const char *a) {
    if (mg_is_float(x->type.dtype))
        return mg_arena_printf(p->arena, "(-%s)", a);
    MgKx minus = *x;
    minus.prim = MG_PRIM_SUB;
    const MgKx zero = {.kind = MG_KX_CONST, .type = x->type};
    return integer_binary(
        p, &minus, x->type.lanes == 1 && x->type.dtype == MG_I64 ? "0l" : constant(p, &zero), a);
}

static const char *logical_not(MgClPrinter *p, const MgKx *x, const char *a) {
    bool scalar = x->type.lanes == 1;
    if (x->type.dtype == MG_BOOL && scalar)
        return mg_arena_printf(p->arena, "(!%s)", a);
    if (scalar && mg_dtype_size(x->type.dtype) < 4)
        return mg_arena_printf(p->arena, "(%s)(~%s)", mg_cl_type(p, x->type), a);
    return mg_arena_printf(p->arena, "(~%s)", a);
}

static const char *call(MgClPrinter *p, const MgKx *x, const char *const *a) {
    const char *name = function[x->prim] ? function[x->prim] : mg_prim(x->prim)->name;
    if (x->n_args == 1)
        return mg_arena_printf(p->arena, "%s(%s)", name, a[0]);
    if (x->n_args == 2)
        return mg_arena_printf(p->arena, "%s(%s, %s)", name, a[0], a[1]);
    return mg_arena_printf(p->arena, "%s(%s, %s, %s)", name, a[0], a[1], a[2]);
}

static const char *primitive(MgClPrinter *p, const MgKx *x) {
    const char *a[3] = {NULL, NULL, NULL};
    // Operations that may exceed 32 bits, and bit-casts, need operands of full width.
    bool wide = x->type.lanes == 1 && x->n_args && !mg_kfacts_narrow(&p->facts, x) &&
                (x->type.dtype == MG_I64 || x->prim == MG_PRIM_BITCAST);
    for (uint32_t i = 0; i < x->n_args; i++)
        a[i] = wide && x->args[i]->type.dtype == MG_I64 ? mg_cl_long(p, x->args[i])
                                                        : mg_cl_expr(p, x->args[i]);
    bool floats = mg_is_float(x->args[0]->type.dtype);
    if (mg_prim(x->prim)->result == MG_RESULT_BOOL) {
        const char *text = infix[x->prim]
                               ? mg_arena_printf(p->arena, "(%s %s %s)", a[0], infix[x->prim], a[1])
                               : call(p, x, a);
        return compare(p, x, text);
    }
    if (x->prim == MG_PRIM_DIV && x->type.dtype == MG_F32)
        return mg_cl_quotient(p, x, a[0], a[1]);
    if (x->prim == MG_PRIM_SQRT && x->type.dtype == MG_F32)
        return mg_cl_root(p, x, a[0]);
    if (x->prim == MG_PRIM_EXP2 && x->near)
        return mg_cl_rough_exp2(p, x, a[0]);
    switch (x->prim) {
    case MG_PRIM_WHERE:
        return where(p, x, a[0], a[1], a[2]);
    case MG_PRIM_CAST:
    case MG_PRIM_BITCAST:
        return convert(p, x, a[0]);
    case MG_PRIM_NEG:
        return negate(p, x, a[0]);
    case MG_PRIM_NOT:
        return logical_not(p, x, a[0]);
    case MG_PRIM_SCALEB:
        return mg_cl_scaleb(p, x, a[0], a[1]);
    case MG_PRIM_MIN:
    case MG_PRIM_MAX:
        return floats ? mg_cl_extremum(p, x, a[0], a[1]) : call(p, x, a);
    default:
        break;
    }
    if (!infix[x->prim] || (floats && x->prim == MG_PRIM_REM))
        return call(p, x, a);
    if (floats)
        return mg_arena_printf(p->arena, "(%s %s %s)", a[0], infix[x->prim], a[1]);
    return integer_binary(p, x, a[0], a[1]);
}

// ---------------------------------------------------------------- loads

const char *mg_cl_named(MgClPrinter *p, const MgKx *x) {
    const char *value = mg_cl_expr(p, x);
    if (x->kind == MG_KX_VAR)
        return value;
    const char *name = mg_arena_printf(p->arena, "t%u", p->temporaries++);
    mg_cl_line(p, "const %s %s = %s;\n", mg_cl_type(p, x->type), name, value);
    return name;
}

// Converts a value from memory's type to an expression's.
static const char *loaded(MgClPrinter *p, MgKType t, const char *value) {
    if (t.dtype != MG_BOOL)
        return value;
    return mg_arena_printf(p->arena, t.lanes == 1 ? "(%s != 0)" : "(%s != (%s)(0))", value,
                           mg_cl_storage(p, t));
}

const char *mg_cl_stored(MgClPrinter *p, MgKType t, const char *value) {
    if (t.dtype != MG_BOOL)
        return value;
    if (t.lanes == 1)
        return mg_arena_printf(p->arena, "(uchar)(%s)", value);
    return mg_arena_printf(p->arena, "as_uchar%u(%s & (char%u)(1))", t.lanes, value, t.lanes);
}

static const char *space_of(const MgKBuf *b) {
    return b->space == MG_SPACE_SHARED   ? "local"
           : b->scope == MG_SCOPE_THREAD ? "private"
                                         : "global";
}

const char *mg_cl_scalars(MgClPrinter *p, MgKBufId buf, const char **index) {
    const MgKBuf *b = &p->k->bufs.at[buf];
    const char *name = mg_cl_buf(p, buf);
    if (b->elem.lanes == 1)
        return name;
    *index = mg_arena_printf(p->arena, "(long)(%s) * %u", *index, b->elem.lanes);
    return mg_arena_printf(p->arena, "(__%s %s%s *)%s", space_of(b), b->writes ? "" : "const ",
                           mg_cl_storage(p, mg_kt(b->elem.dtype, 1)), name);
}

const char *mg_cl_masked(MgClPrinter *p, bool store, MgKBufId buf, MgKType type, bool scattered) {
    const MgKBuf *b = &p->k->bufs.at[buf];
    const char *space = space_of(b);
    const char *value = mg_cl_type(p, type), *element = mg_cl_storage(p, mg_kt(type.dtype, 1));
    const char *what = store ? (scattered ? "scatter" : "store") : scattered ? "gather" : "load";
    const char *name = mg_arena_printf(p->arena, "mg_%s_%s_%s%s", what, space, value,
                                       type.dtype == MG_BOOL ? "_bool" : "");
    if (!mg_cl_need_helper(p, name))
        return name;
    mg_textf(p->helpers, "static %s %s(__%s %s%s *b, %s i, char%u mask, %s x) {\n",
             store ? "void" : value, name, space, store ? "" : "const ", element,
             sized(p, "long", scattered ? type.lanes : 1), type.lanes, value);
    for (uint32_t i = 0; i < type.lanes; i++) {
        const char *at =
            scattered ? mg_cl_component(p, "i", i) : mg_arena_printf(p->arena, "i + %u", i);
        const char *lane = mg_cl_component(p, "x", i), *mask = mg_cl_component(p, "mask", i);
        if (store)
            mg_textf(p->helpers, "    if (%s)\n        b[%s] = %s%s;\n", mask, at, lane,
                     type.dtype == MG_BOOL ? " != 0" : "");
        else
            mg_textf(
                p->helpers, "    if (%s)\n        %s = %s;\n", mask, lane,
                mg_arena_printf(p->arena, type.dtype == MG_BOOL ? "-(b[%s] != 0)" : "b[%s]", at));
    }
    mg_textf(p->helpers, "%s}\n\n", store ? "" : "    return x;\n");
    return name;
}

static const char *masked_load(MgClPrinter *p, const MgKx *x) {
    const char *name = mg_cl_masked(p, false, x->buf, x->type, x->args[0]->type.lanes > 1);
    const char *index = mg_cl_expr(p, x->args[0]), *mask = mg_cl_expr(p, x->args[1]);
    if (x->args[0]->type.lanes > 1 && x->args[0]->type.dtype != MG_I64)
        index = mg_arena_printf(p->arena, "convert_long%u(%s)", x->type.lanes, index);
    const char *buf = mg_cl_scalars(p, x->buf, &index);
    return mg_arena_printf(p->arena, "%s(%s, %s, %s, %s)", name, buf, index, mask,
                           mg_cl_expr(p, x->args[2]));
}

static const char *gather(MgClPrinter *p, const MgKx *x) {
    const char *index = mg_cl_named(p, x->args[0]), *buf = mg_cl_buf(p, x->buf);
    MgText text = mg_text(p->arena);
    mg_textf(&text, "(%s)(", mg_cl_storage(p, x->type));
    for (uint32_t i = 0; i < x->type.lanes; i++)
        mg_textf(&text, "%s%s[%s]", i ? ", " : "", buf, mg_cl_component(p, index, i));
    mg_text_add(&text, ")");
    return loaded(p, x->type, mg_text_str(&text));
}

const char *mg_cl_place(MgClPrinter *p, MgKBufId buf, MgKType type) {
    static const char *const spaces[] = {"__global", "__local", "__private"};
    return mg_arena_printf(p->arena, "%s %s", spaces[p->k->bufs.at[buf].space],
                           mg_cl_storage(p, type));
}

const char *mg_cl_packed(const MgKBuf *b) {
    static const char *const words[] = {[1] = "uint", [2] = "uint2", [4] = "uint4"};
    uint32_t n = mg_kbuf_words(b);
    return n < sizeof words / sizeof *words ? words[n] : NULL;
}

// A vector of 32 bytes as two of 16, the widest that a device loads at once; NULL if the buffer has
// no such vectors there.
static const char *in_halves(MgClPrinter *p, const MgKx *x, const char *buf, const char *index) {
    uint32_t n = x->type.lanes / 2;
    MgKType half = mg_kt(x->type.dtype, n);
    if (n * mg_dtype_size(x->type.dtype) != 16 ||
        !mg_kfacts_aligned(&p->facts, x->buf, x->args[0], n))
        return NULL;
    const char *type = mg_cl_place(p, x->buf, half);
    const char *low = mg_arena_printf(p->arena, "*(const %s *)(%s + %s)", type, buf, index);
    const char *high =
        mg_arena_printf(p->arena, "*(const %s *)(%s + (%s) + %u)", type, buf, index, n);
    return mg_arena_printf(p->arena, "(%s)(%s, %s)", mg_cl_type(p, x->type), loaded(p, half, low),
                           loaded(p, half, high));
}

// A load without its mask.
static const char *plain_load(MgClPrinter *p, const MgKx *x) {
    bool whole = p->k->bufs.at[x->buf].elem.lanes > 1 || x->type.lanes == 1;
    if (x->args[0]->type.lanes > 1)
        return gather(p, x);
    const char *index = mg_cl_expr(p, x->args[0]), *buf = mg_cl_buf(p, x->buf);
    if (!whole && mg_kfacts_aligned(&p->facts, x->buf, x->args[0], x->type.lanes))
        return loaded(p, x->type,
                      mg_arena_printf(p->arena, "*(const %s *)(%s + %s)",
                                      mg_cl_place(p, x->buf, x->type), buf, index));
    const char *halves = whole ? NULL : in_halves(p, x, buf, index);
    if (halves)
        return halves;
    if (!whole)
        return loaded(p, x->type,
                      mg_arena_printf(p->arena, "vload%u(0, %s + %s)", x->type.lanes, buf, index));
    const char *element = mg_arena_printf(p->arena, "%s[%s]", buf, index);
    if (mg_cl_packed(&p->k->bufs.at[x->buf]))
        element = mg_arena_printf(p->arena, "as_%s(%s)", mg_cl_storage(p, x->type), element);
    return loaded(p, x->type, element);
}

static const char *load(MgClPrinter *p, const MgKx *x) {
    if (x->n_args == 1)
        return plain_load(p, x);
    const MgKx *condition = mg_kload_condition(x);
    if (!condition)
        return masked_load(p, x);
    const char *value = plain_load(p, x);
    return mg_arena_printf(p->arena, "(%s ? %s : %s)", mg_cl_expr(p, condition), value,
                           mg_cl_expr(p, x->args[2]));
}

// ---------------------------------------------------------------- lanes

static const char *ramp(MgClPrinter *p, const MgKx *x) {
    const char *type = mg_cl_type(p, x->type), *base = mg_cl_expr(p, x->args[0]);
    MgText text = mg_text(p->arena);
    mg_textf(&text, "((%s)(%s) + (%s)(", type, base, type);
    for (uint32_t i = 0; i < x->type.lanes; i++)
        mg_textf(&text, "%s%u", i ? ", " : "", i);
    mg_textf(&text, ") * (%s)(%s))", type, mg_cl_expr(p, x->args[1]));
    return mg_text_str(&text);
}

static const char *permute(MgClPrinter *p, const MgKx *x) {
    uint32_t from = x->args[0]->type.lanes;
    if (x->n_args == 1) {
        MgText text = mg_text(p->arena);
        mg_textf(&text, "%s.s", mg_cl_named(p, x->args[0]));
        for (uint32_t i = 0; i < x->type.lanes; i++)
            mg_textf(&text, "%x", x->lanes[i]);
        return mg_text_str(&text);
    }
    const char *a = mg_cl_named(p, x->args[0]), *b = mg_cl_named(p, x->args[1]);
    MgText text = mg_text(p->arena);
    mg_textf(&text, "(%s)(", mg_cl_type(p, x->type));
    for (uint32_t i = 0; i < x->type.lanes; i++) {
        mg_textf(&text, "%s%s", i ? ", " : "", x->lanes[i] < from ? a : b);
        if (from > 1) // a scalar has no lanes to name
            mg_textf(&text, ".s%x", x->lanes[i] % from);
    }
    mg_text_add(&text, ")");
    return mg_text_str(&text);
}

// The table is a constant of the source, shared by its kernels.
static const char *lookup(MgClPrinter *p, const MgKx *x) {
    const char *element = mg_cl_type(p, mg_kt(x->type.dtype, 1));
    uint64_t hash = mg_hash(x->table, x->value * sizeof *x->table, x->value);
    const char *table = mg_arena_printf(p->arena, "mg_table_%s_%016" PRIx64, element, hash);
    if (mg_cl_need_helper(p, table)) {
        mg_textf(p->helpers, "__constant %s %s[%u] = {", element, table, x->value);
        for (uint32_t i = 0; i < x->value; i++)
            mg_textf(p->helpers, "%s%s", i ? ", " : "",
                     scalar_constant(p, x->type.dtype, x->table[i]));
        mg_text_add(p->helpers, "};\n\n");
    }
    if (x->type.lanes == 1)
        return mg_arena_printf(p->arena, "%s[(%s) & %uu]", table, mg_cl_expr(p, x->args[0]),
                               x->value - 1);
    const char *index = mg_cl_named(p, x->args[0]);
    MgText text = mg_text(p->arena);
    mg_textf(&text, "(%s)(", mg_cl_type(p, x->type));
    for (uint32_t i = 0; i < x->type.lanes; i++)
        mg_textf(&text, "%s%s[%s & %uu]", i ? ", " : "", table, mg_cl_component(p, index, i),
                 x->value - 1);
    mg_text_add(&text, ")");
    return mg_text_str(&text);
}

static const char *splat(MgClPrinter *p, const MgKx *x) {
    return mg_arena_printf(p->arena, x->type.dtype == MG_BOOL ? "(%s)(-(%s))" : "(%s)(%s)",
                           mg_cl_type(p, x->type), mg_cl_expr(p, x->args[0]));
}

static const char *lane(MgClPrinter *p, const MgKx *x) {
    const char *c = mg_cl_component(p, mg_cl_named(p, x->args[0]), x->value);
    return x->type.dtype == MG_BOOL ? mg_arena_printf(p->arena, "(%s != 0)", c) : c;
}

const char *mg_cl_expr(MgClPrinter *p, const MgKx *x) {
    const char *const special[] = {[MG_KX_WORKER] = p->group,
                                   [MG_KX_WORKERS] = p->groups,
                                   [MG_KX_LOCAL_ID] = "(int)get_local_id(0)",
                                   [MG_KX_LOCAL_SIZE] = "(int)get_local_size(0)"};
    switch (x->kind) {
    case MG_KX_CONST:
        return constant(p, x);
    case MG_KX_VAR:
        if (p->masks[x->var])
            return mg_arena_printf(p->arena, "convert_%s(%s)", mg_cl_type(p, x->type),
                                   mg_cl_var(p, x->var));
        return mg_cl_var(p, x->var);
    case MG_KX_LOAD:
        return load(p, x);
    case MG_KX_PRIM:
        return primitive(p, x);
    case MG_KX_RAMP:
        return ramp(p, x);
    case MG_KX_SPLAT:
        return splat(p, x);
    case MG_KX_LANE:
        return lane(p, x);
    case MG_KX_PERMUTE:
        return permute(p, x);
    case MG_KX_LOOKUP:
        return lookup(p, x);
    case MG_KX_FOLD: // legalised kernels have none
        mg_cl_refuse(p, "a fold of lanes");
        return "0";
    case MG_KX_WORDS: // only workers' contractions have these
    case MG_KX_DOT:
        mg_cl_refuse(p, "a dot product of words");
        return "0";
    default:
        return x->kind < MG_KX_LOCAL_ID ? mg_arena_printf(p->arena, "(int)%s", special[x->kind])
                                        : special[x->kind];
    }
}
