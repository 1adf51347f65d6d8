// Float operations that OpenCL C lacks, or has only in a slow form. Each is a function of the
// source, printed before the first kernel that calls it.
#include "backends/opencl/print_impl.h"

#include <math.h>

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

// NVIDIA's correctly rounded division takes ten instructions and a branch for every lane, to handle
// the ends of the range. Its estimate of an inverse takes one. It is within one ulp, and 0 for a
// denormal.
static const char *const estimate =
    "#ifdef __NV_CL_C_VERSION\n"
    "static float mg_inverse_estimate(float x) {\n"
    "    float r;\n"
    "    asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
    "    return r;\n"
    "}\n"
    "#endif\n\n";

// Begins a function of a and b, with `r`, the estimated inverses of b, defined.
static void start_from_estimate(MgClPrinter *p, const char *name, MgKType t) {
    const char *type = mg_cl_type(p, t);
    if (mg_cl_need_helper(p, "mg_inverse_estimate"))
        mg_text_add(p->helpers, estimate);
    mg_textf(p->helpers, "static %s %s(%s a, %s b) {\n#ifdef __NV_CL_C_VERSION\n", type, name, type,
             type);
    mg_textf(p->helpers, "    const %s r = (%s)(", type, type);
    for (uint32_t i = 0; i < t.lanes; i++)
        mg_textf(p->helpers, "%smg_inverse_estimate(%s)", i ? ", " : "",
                 t.lanes > 1 ? mg_cl_component(p, "b", i) : "b");
    mg_text_add(p->helpers, ");\n");
}

// A quotient that need not be the nearest: one Newton step from the product with the estimate.
static void near_helper(MgClPrinter *p, const char *name, MgKType t) {
    start_from_estimate(p, name, t);
    mg_textf(p->helpers, "    const %s q = a * r;\n", mg_cl_type(p, t));
    mg_text_add(p->helpers, "    return fma(fma(-q, b, a), r, q);\n");
}

// 1 / b. One Newton step from the estimate rounds correctly if e = 1 - b r is small (checked for
// all 2^32 numbers). It does not if b or its inverse is not a normal number; one branch for all
// lanes handles those.
static void inverse_helper(MgClPrinter *p, const char *name, MgKType t) {
    start_from_estimate(p, name, t);
    mg_textf(p->helpers, "    const %s e = fma(-b, r, a);\n    if (", mg_cl_type(p, t));
    for (uint32_t i = 0; i < t.lanes; i++)
        mg_textf(p->helpers, "%sfabs(%s) < 0.5f", i ? " & " : "",
                 t.lanes > 1 ? mg_cl_component(p, "e", i) : "e");
    mg_text_add(p->helpers, ")\n        return fma(r, e, r);\n");
}

bool mg_cl_is_inverse(const MgKx *x) {
    return x->prim == MG_PRIM_DIV && x->type.dtype == MG_F32 && x->args[0]->kind == MG_KX_CONST &&
           mg_bits_to_double(MG_F32, x->args[0]->bits) == 1;
}

const char *mg_cl_quotient(MgClPrinter *p, const MgKx *x, const char *a, const char *b) {
    const char *form = x->near ? "near_quotient" : "inverse";
    const char *name = mg_arena_printf(p->arena, "mg_%s_%s", form, mg_cl_type(p, x->type));
    if (mg_cl_need_helper(p, name)) {
        (x->near ? near_helper : inverse_helper)(p, name, x->type);
        mg_text_add(p->helpers, "#endif\n    return a / b;\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s, %s)", name, a, b);
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
        mg_textf(p->helpers, "static %s %s(%s x) {\n    return (%s)(", type, name, type, type);
        for (uint32_t i = 0; i < x->type.lanes; i++)
            mg_textf(p->helpers, "%smg_rough_exp2(%s)", i ? ", " : "",
                     x->type.lanes > 1 ? mg_cl_component(p, "x", i) : "x");
        mg_text_add(p->helpers, ");\n}\n\n");
    }
    return mg_arena_printf(p->arena, "%s(%s)", name, a);
}
