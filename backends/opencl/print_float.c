// Float operations that OpenCL C lacks, or has only in a slow form. Each is a function of the
// source, printed before the first kernel that calls it.
#include "backends/opencl/print_impl.h"

#include <math.h>

// A lane of the variable, which may be no vector.
static const char *lane_of(MgClPrinter *p, MgKType t, const char *variable, uint32_t lane) {
    return t.lanes > 1 ? mg_cl_component(p, variable, lane) : variable;
}

// A device that has wide products has an instruction for it, which its compiler does not find.
static const char *unit_extremum(MgClPrinter *p, const char *prim, const char *a, const char *b) {
    const char *name = mg_arena_printf(p->arena, "mg_unit_%s", prim);
    mg_cl_wide_helpers(p);
    if (mg_cl_need_helper(p, name))
        mg_textf(p->helpers,
                 "static float %s(float a, float b) {\n"
                 "#ifdef MG_WIDE\n"
                 "    float y;\n"
                 "    asm(\"%s.NaN.f32 %%0, %%1, %%2;\" : \"=f\"(y) : \"f\"(a), \"f\"(b));\n"
                 "    return y;\n"
                 "#else\n"
                 "    return a %s b || isnan(a) ? a : b;\n"
                 "#endif\n"
                 "}\n\n",
                 name, prim, prim[1] == 'a' ? ">=" : "<=");
    return mg_arena_printf(p->arena, "%s(%s, %s)", name, a, b);
}

// max or min of floats: the first operand if it is not beaten or is NaN.
const char *mg_cl_extremum(MgClPrinter *p, const MgKx *x, const char *a, const char *b) {
    const char *type = mg_cl_type(p, x->type), *prim = mg_prim(x->prim)->name;
    const MgKx *y = x->args[1];
    bool number = y->kind == MG_KX_CONST && !isnan(mg_bits_to_double(y->type.dtype, y->bits));
    const char *name = mg_arena_printf(p->arena, "mg_%s_%s%s", prim, type, number ? "_number" : "");
    if (p->wide && !number && x->type.lanes == 1 && x->type.dtype == MG_F32)
        return unit_extremum(p, prim, a, b);
    if (number &&
        mg_cl_need_helper(p, name)) { // b is no NaN, so the first operand wins unless it is beaten
        const char *beats = x->prim == MG_PRIM_MAX ? ">" : "<";
        const char *body = x->type.lanes == 1 ? "b %s a ? b : a" : "select(a, b, b %s a)";
        mg_textf(p->helpers, "static %s %s(%s a, %s b) {\n    return ", type, name, type, type);
        mg_textf(p->helpers, body, beats);
        mg_text_add(p->helpers, ";\n}\n\n");
    } else if (!number && mg_cl_need_helper(p, name)) {
        const char *compare = x->prim == MG_PRIM_MAX ? ">=" : "<=";
        mg_textf(p->helpers, "static %s %s(%s a, %s b) {\n", type, name, type, type);
        if (x->type.lanes == 1)
            mg_textf(p->helpers, "    return a %s b || isnan(a) ? a : b;\n}\n\n", compare);
        else
            mg_textf(p->helpers, "    return select(b, a, (a %s b) | isnan(a));\n}\n\n", compare);
    }
    return mg_arena_printf(p->arena, "%s(%s, %s)", name, a, b);
}

// Uses ldexp. Its exponent is an integer, so a NaN in n must be handled first.
const char *mg_cl_scaleb(MgClPrinter *p, const MgKx *x, const char *a, const char *n) {
    const char *type = mg_cl_type(p, x->type);
    const char *name = mg_arena_printf(p->arena, "mg_scaleb_%s", type);
    if (mg_cl_need_helper(p, name)) {
        const char *whole = mg_cl_type(p, mg_kt(MG_I32, x->type.lanes));
        const char *body = x->type.lanes == 1 ? "isnan(n) ? n : ldexp(a, %s)"
                                              : "select(ldexp(a, %s), n, isnan(n))";
        mg_textf(p->helpers, "static %s %s(%s a, %s n) {\n    return ", type, name, type, type);
        mg_textf(p->helpers, body, mg_arena_printf(p->arena, "convert_%s_sat_rtn(n)", whole));
        mg_text_add(p->helpers, ";\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s, %s)", name, a, n);
}

// ---------------------------------------------------------------- quotients

// NVIDIA's correctly rounded division takes ten instructions, and calls a function for the ends of
// the range, as its root does. Its assembler takes seconds for a kernel with a hundred such calls,
// and its linker makes wide products beside them wait. Estimates of an inverse and of a root's
// inverse take one instruction. They are within one ulp, and take a denormal for 0.
static void estimate(MgClPrinter *p, const char *name, const char *instruction, MgDType d) {
    const char *type = mg_cl_type(p, mg_kt(d, 1));
    if (mg_cl_need_helper(p, name))
        mg_textf(p->helpers,
                 "#ifdef __NV_CL_C_VERSION\n"
                 "static %s %s(%s x) {\n"
                 "    %s r;\n"
                 "    asm(\"%s.approx.ftz.%s %%0, %%1;\" : \"=%c\"(r) : \"%c\"(x));\n"
                 "    return r;\n"
                 "}\n"
                 "#endif\n\n",
                 type, name, type, type, instruction, mg_dtype(d)->name, *type, *type);
}

// The text of a vector whose lanes are a function of other vectors' lanes.
static void each(MgClPrinter *p, MgKType t, const char *function, const char *a, const char *b) {
    mg_textf(p->helpers, "(%s)(", mg_cl_type(p, t));
    for (uint32_t i = 0; i < t.lanes; i++) {
        mg_textf(p->helpers, "%s%s(%s", i ? ", " : "", function, lane_of(p, t, a, i));
        if (b)
            mg_textf(p->helpers, ", %s", lane_of(p, t, b, i));
        mg_text_add(p->helpers, ")");
    }
    mg_text_add(p->helpers, ")");
}

// Begins a function of a and b, with `r`, the estimated inverses of b, defined.
static void start_from_estimate(MgClPrinter *p, const char *name, MgKType t) {
    const char *type = mg_cl_type(p, t);
    estimate(p, "mg_inverse_estimate", "rcp", MG_F32);
    mg_textf(p->helpers, "static %s %s(%s a, %s b) {\n#ifdef __NV_CL_C_VERSION\n", type, name, type,
             type);
    mg_textf(p->helpers, "    const %s r = ", type);
    each(p, t, "mg_inverse_estimate", "b", NULL);
    mg_text_add(p->helpers, ";\n");
}

// A quotient that need not be the nearest: one Newton step from the product with the estimate.
static void near_helper(MgClPrinter *p, const char *name, MgKType t) {
    start_from_estimate(p, name, t);
    mg_textf(p->helpers, "    const %s q = a * r;\n", mg_cl_type(p, t));
    mg_text_add(p->helpers, "    return fma(fma(-q, b, a), r, q);\n");
}

// The nearest of any two numbers' quotient, by f64: a Newton step from the estimate and one from
// the quotient leave an error that is smaller than a quotient's distance from the middle of two
// numbers of f32. The product with the estimate is right if it is 0, infinite or no number.
static void any_quotient(MgClPrinter *p) {
    estimate(p, "mg_inverse_estimate_double", "rcp", MG_F64);
    if (mg_cl_need_helper(p, "mg_any_quotient"))
        mg_text_add(p->helpers,
                    "#ifdef __NV_CL_C_VERSION\n"
                    "static float mg_any_quotient(float n, float d) {\n"
                    "    const double a = n, b = d, r = mg_inverse_estimate_double(b), s = a * r;\n"
                    "    const double i = fma(r, fma(-b, r, 1.0), r), q = a * i;\n"
                    "    const double y = fma(fma(-b, q, a), i, q);\n"
                    "    return (float)(fabs(s) > 0.0 & fabs(s) < INFINITY ? y : s);\n"
                    "}\n"
                    "#endif\n\n");
}

// The condition that a comparison holds for all lanes of a vector.
static void all_lanes(MgClPrinter *p, MgKType t, const char *vector, const char *than) {
    for (uint32_t i = 0; i < t.lanes; i++)
        mg_textf(p->helpers, "%sfabs(%s) %s", i ? " & " : "", lane_of(p, t, vector, i), than);
}

// Ends the function. One branch for all lanes handles numbers for which its steps do not round
// correctly.
static void else_any(MgClPrinter *p, MgKType t, const char *value) {
    mg_textf(p->helpers, ")\n        return %s;\n    return ", value);
    each(p, t, "mg_any_quotient", "a", "b");
    mg_text_add(p->helpers, ";\n");
}

// 1 / b. One Newton step from the estimate rounds correctly if e = 1 - b r is small (checked for
// all 2^32 numbers). It does not if b or its inverse is not a normal number.
static void inverse_helper(MgClPrinter *p, const char *name, MgKType t) {
    any_quotient(p);
    start_from_estimate(p, name, t);
    mg_textf(p->helpers, "    const %s e = fma(-b, r, a);\n    if (", mg_cl_type(p, t));
    all_lanes(p, t, "e", "< 0.5f");
    else_any(p, t, "fma(r, e, r)");
}

// The inverse of b as above, and a correction: it rounds correctly if the inverse does (Markstein,
// 1990), and if no number among them is denormal or too large.
static void quotient_helper(MgClPrinter *p, const char *name, MgKType t) {
    const char *type = mg_cl_type(p, t);
    any_quotient(p);
    start_from_estimate(p, name, t);
    mg_textf(p->helpers, "    const %s i = fma(r, fma(-b, r, (%s)(1.0f)), r), q = a * i;\n    if (",
             type, type);
    all_lanes(p, t, "a", ">= 0x1p-100f");
    mg_text_add(p->helpers, " &\n        ");
    all_lanes(p, t, "q", ">= 0x1p-64f");
    mg_text_add(p->helpers, " &\n        ");
    all_lanes(p, t, "q", "<= 0x1p64f");
    else_any(p, t, "fma(fma(-b, q, a), i, q)");
}

static bool is_inverse(const MgKx *x) {
    return x->args[0]->kind == MG_KX_CONST && mg_bits_to_double(MG_F32, x->args[0]->bits) == 1;
}

const char *mg_cl_quotient(MgClPrinter *p, const MgKx *x, const char *a, const char *b) {
    static const struct {
        const char *name;
        void (*helper)(MgClPrinter *, const char *, MgKType);
    } forms[] = {
        {"near_quotient", near_helper}, {"inverse", inverse_helper}, {"quotient", quotient_helper}};
    uint32_t form = x->near ? 0 : is_inverse(x) ? 1 : 2;
    const char *type = mg_cl_type(p, x->type);
    const char *name = mg_arena_printf(p->arena, "mg_%s_%s", forms[form].name, type);
    if (mg_cl_need_helper(p, name)) {
        forms[form].helper(p, name, x->type);
        mg_text_add(p->helpers, "#endif\n    return a / b;\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s, %s)", name, a, b);
}

// ---------------------------------------------------------------- roots

// The device's own steps, without its branch: no root is denormal, so those of small numbers are
// found among larger ones.
const char *mg_cl_root(MgClPrinter *p, const MgKx *x, const char *a) {
    const char *type = mg_cl_type(p, x->type);
    const char *name = mg_arena_printf(p->arena, "mg_root_%s", type);
    estimate(p, "mg_inverse_root_estimate", "rsqrt", MG_F32);
    if (mg_cl_need_helper(p, name)) {
        mg_textf(p->helpers,
                 "static %s %s(%s x) {\n#ifdef __NV_CL_C_VERSION\n"
                 "    const %s s = select(x, x * 0x1p64f, x < 0x1p-100f);\n    const %s r = ",
                 type, name, type, type, type);
        each(p, x->type, "mg_inverse_root_estimate", "s", NULL);
        mg_textf(p->helpers,
                 ", q = s * r, y = fma(fma(-q, q, s), r * 0.5f, q);\n"
                 "    return select(select(y, y * 0x1p-32f, x < 0x1p-100f), x, (x == 0.0f) | (x == "
                 "INFINITY));\n"
                 "#endif\n    return sqrt(x);\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s)", name, a);
}

// ---------------------------------------------------------------- powers of 2

// OpenCL's own exp2 is within 3 ulp of f32; NVIDIA's spends eight instructions on denormals, which
// are not needed here.
const char *mg_cl_rough_exp2(MgClPrinter *p, const MgKx *x, const char *a) {
    const char *type = mg_cl_type(p, x->type);
    const char *name = mg_arena_printf(p->arena, "mg_rough_exp2_%s", type);
    if (mg_cl_need_helper(p, "mg_rough_exp2"))
        mg_text_add(p->helpers, "#ifdef __NV_CL_C_VERSION\n"
                                "static float mg_rough_exp2(float x) {\n"
                                "    float y;\n"
                                "    asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));\n"
                                "    return y;\n"
                                "}\n"
                                "#else\n"
                                "#define mg_rough_exp2 exp2\n"
                                "#endif\n\n");
    if (mg_cl_need_helper(p, name)) {
        mg_textf(p->helpers, "static %s %s(%s x) {\n    return ", type, name, type);
        each(p, x->type, "mg_rough_exp2", "x", NULL);
        mg_text_add(p->helpers, ";\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s)", name, a);
}
