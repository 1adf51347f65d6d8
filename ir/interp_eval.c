// Runs instructions over strips of lanes.
//
// The common primitives have loops of their own. The others go lane by lane through mg_prim_eval,
// which defines every primitive. An f32 operation is done in f64 and rounded: for + - * / and sqrt
// that is the correctly rounded result, since 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding
// innocuous?", 1995).
#include "ir/interp_internal.h"

// ---------------------------------------------------------------- elements
double mg_interp_round_to(MgDType dtype, double v) {
    if (dtype == MG_F64)
        return v;
    if (dtype == MG_F32)
        return (float)v;
    return mg_bits_to_double(dtype, mg_bits_from_double(dtype, v));
}

int64_t mg_interp_wrap_to(MgDType dtype, int64_t v) {
    switch (dtype) {
    case MG_I32:
        return (int32_t)v;
    case MG_I16:
        return (int16_t)v;
    case MG_I8:
        return (int8_t)v;
    case MG_U32:
        return (uint32_t)v;
    case MG_U16:
        return (uint16_t)v;
    case MG_U8:
        return (uint8_t)v;
    case MG_BOOL:
        return v != 0;
    default:
        return v;
    }
}

double mg_interp_load_float(MgDType dtype, const void *data, size_t i) {
    switch (dtype) {
    case MG_F64:
        return ((const double *)data)[i];
    case MG_F32:
        return ((const float *)data)[i];
    case MG_F16:
        return mg_half_to_float(((const uint16_t *)data)[i]);
    case MG_BF16:
        return mg_bfloat_to_float(((const uint16_t *)data)[i]);
    default:
        return mg_bits_to_double(dtype, ((const uint8_t *)data)[i]);
    }
}

int64_t mg_interp_load_int(MgDType dtype, const void *data, size_t i) {
    switch (dtype) {
    case MG_I32:
        return ((const int32_t *)data)[i];
    case MG_U32:
        return ((const uint32_t *)data)[i];
    case MG_I16:
        return ((const int16_t *)data)[i];
    case MG_U16:
        return ((const uint16_t *)data)[i];
    case MG_I8:
        return ((const int8_t *)data)[i];
    case MG_U8:
        return ((const uint8_t *)data)[i];
    case MG_BOOL:
        return ((const uint8_t *)data)[i] != 0;
    default:
        return ((const int64_t *)data)[i];
    }
}

double mg_interp_load_bound(const MgInterpTensor *t, size_t i) {
    return t->exempt && t->exempt[i] ? MG_INTERP_EXEMPT : t->bound ? t->bound[i] : 0;
}

void mg_interp_store_int(MgInterpTensor *t, size_t i, int64_t v, double e) {
    switch (mg_dtype(t->dtype)->bits) {
    case 64:
        ((int64_t *)t->data)[i] = v;
        break;
    case 32:
        ((uint32_t *)t->data)[i] = (uint32_t)v;
        break;
    case 16:
        ((uint16_t *)t->data)[i] = (uint16_t)v;
        break;
    default:
        ((uint8_t *)t->data)[i] = (uint8_t)mg_interp_wrap_to(t->dtype, v);
    }
    if (t->exempt)
        t->exempt[i] = e != 0;
}

void mg_interp_store_float(MgInterpTensor *t, size_t i, double v, double e) {
    double stored = mg_interp_round_to(t->dtype, v);
    switch (t->dtype) {
    case MG_F64:
        ((double *)t->data)[i] = v;
        break;
    case MG_F32:
        ((float *)t->data)[i] = (float)v;
        break;
    case MG_F16:
        ((uint16_t *)t->data)[i] = mg_half_from_float((float)v);
        break;
    case MG_BF16:
        ((uint16_t *)t->data)[i] = mg_bfloat_from_float((float)v);
        break;
    default:
        ((uint8_t *)t->data)[i] = (uint8_t)mg_bits_from_double(t->dtype, (float)v);
    }
    if (!t->bound)
        return;
    // A narrower type adds its rounding, but an exact value that fits stays exact (copies, small
    // integers).
    if (mg_dtype(t->dtype)->bits < 32 && isfinite(v) && (e > MG_SIGN_BOUND || stored != v))
        e += mg_interp_unit_roundoff(t->dtype) * fabs(v) +
             mg_interp_unit_roundoff(t->dtype) * mg_interp_least_normal(t->dtype);
    // Near the largest value, a backend may overflow where the interpreter did not, or the other
    // way round.
    if (isfinite(v) && e > 0 && fabs(v) + 8 * e > mg_interp_largest(t->dtype))
        e = MG_INTERP_EXEMPT;
    t->bound[i] = e;
    t->exempt[i] = !(e < MG_INTERP_EXEMPT);
}

// ---------------------------------------------------------------- reads
static bool read_fails(MgInterpRun *run, const MgReadPlan *r, const MgInterpReg *regs,
                       uint32_t lane) {
    for (uint32_t k = 0; k < r->rank; k++) {
        int64_t s = regs[r->subs[k]].v.i[lane];
        if (s >= 0 && s < r->tensor->shape[k])
            continue;
        const char *name =
            mg_interp_run_value_name(run, mg_op(run->g, run->op)->operands[r->operand]);
        return mg_interp_run_fail(run, MG_D_interp_read, name, k, (long long)s,
                                  (long long)r->tensor->shape[k]);
    }
    return true;
}

// Computes the element number of each lane, and in *any whether a subscript is outside. bad says
// which lanes have one.
static void read_addresses(const MgReadPlan *r, const MgInterpReg *regs, uint32_t n,
                           int64_t *address, uint64_t *bad, bool *any) {
    uint64_t outside = 0;
    memset(address, 0, n * sizeof *address);
    for (uint32_t k = 0; k < r->rank; k++) {
        const int64_t *s = regs[r->subs[k]].v.i;
        uint64_t stride = (uint64_t)r->strides[k], extent = (uint64_t)r->tensor->shape[k];
        for (uint32_t l = 0; l < n; l++) {
            outside |= (uint64_t)s[l] >= extent;
            address[l] = (int64_t)((uint64_t)address[l] + (uint64_t)s[l] * stride);
        }
    }
    *any = outside;
    if (!outside)
        return;
    memset(bad, 0, n * sizeof *bad);
    for (uint32_t k = 0; k < r->rank; k++)
        for (uint32_t l = 0; l < n; l++)
            bad[l] |= (uint64_t)regs[r->subs[k]].v.i[l] >= (uint64_t)r->tensor->shape[k];
}

// Loads lanes whose addresses are all inside.
static void load_inside(const MgInterpTensor *t, const int64_t *address, const MgInterpReg *dst,
                        uint32_t n) {
    if (t->dtype == MG_F32) {
        const float *data = t->data;
        for (uint32_t l = 0; l < n; l++)
            dst->v.f[l] = data[address[l]];
    } else if (mg_is_float(t->dtype)) {
        for (uint32_t l = 0; l < n; l++)
            dst->v.f[l] = mg_interp_load_float(t->dtype, t->data, (size_t)address[l]);
    } else {
        for (uint32_t l = 0; l < n; l++)
            dst->v.i[l] = mg_interp_load_int(t->dtype, t->data, (size_t)address[l]);
    }
}

// A lane outside, whose address is -1, reads 0.
static void load_some(const MgInterpTensor *t, const int64_t *address, const MgInterpReg *dst,
                      uint32_t n) {
    for (uint32_t l = 0; l < n; l++) {
        size_t at = (size_t)address[l];
        if (mg_is_float(t->dtype))
            dst->v.f[l] = address[l] < 0 ? 0 : mg_interp_load_float(t->dtype, t->data, at);
        else
            dst->v.i[l] = address[l] < 0 ? 0 : mg_interp_load_int(t->dtype, t->data, at);
    }
}

// The bounds of what was read. An element at an uncertain place is exempt.
static void read_bounds(const MgReadPlan *r, const MgInterpReg *regs, const int64_t *address,
                        const MgInterpReg *dst, uint32_t n) {
    const MgInterpTensor *t = r->tensor;
    if (!t->bound && !t->exempt)
        memset(dst->e, 0, n * sizeof *dst->e);
    else
        for (uint32_t l = 0; l < n; l++)
            dst->e[l] = address[l] < 0 ? 0 : mg_interp_load_bound(t, (size_t)address[l]);
    for (uint32_t k = 0; r->by_data && k < r->rank; k++)
        for (uint32_t l = 0; l < n; l++)
            if (regs[r->subs[k]].e[l] != 0)
                dst->e[l] = MG_INTERP_EXEMPT;
}

static bool read_instr(MgInterpRun *run, const MgInterpProgram *p, const MgInterpInstr *in,
                       uint32_t n) {
    const MgReadPlan *r = in->plan.read;
    const MgInterpReg *regs = p->regs.at, dst = regs[in->dst];
    int64_t address[MG_INTERP_LANES];
    uint64_t bad[MG_INTERP_LANES];
    bool any;
    read_addresses(r, regs, n, address, bad, &any);
    const int64_t *mask = r->mask == MG_NO_REG ? NULL : regs[r->mask].v.i;
    for (uint32_t l = 0; any && l < n; l++) {
        if (!bad[l])
            continue;
        if (r->outside == MG_NO_REG && (!mask || mask[l]))
            return read_fails(run, r, regs, l);
        address[l] = -1;
    }
    if (r->outside != MG_NO_REG)
        for (uint32_t l = 0; l < n; l++)
            regs[r->outside].v.i[l] = any && bad[l] && (!mask || mask[l]);
    (any ? load_some : load_inside)(r->tensor, address, &dst, n);
    if (!p->bounds)
        return true;
    read_bounds(r, regs, address, &dst, n);
    if (r->outside != MG_NO_REG)
        for (uint32_t l = 0; l < n; l++)
            regs[r->outside].e[l] = dst.e[l] < MG_INTERP_EXEMPT ? 0 : dst.e[l];
    return true;
}

// ---------------------------------------------------------------- primitives
static double max_float(double a, double b) {
    return isnan(a) ? a : isnan(b) ? b : a >= b ? a : b;
}

static double min_float(double a, double b) {
    return isnan(a) ? a : isnan(b) ? b : a <= b ? a : b;
}

#define EACH(expression)                                                                           \
    for (uint32_t l = 0; l < n; l++)                                                               \
        expression;                                                                                \
    return true

static bool float_instr(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const double *a = r[in->args[0]].v.f, *b = r[in->args[1]].v.f;
    double *d = r[in->dst].v.f;
    int64_t *di = r[in->dst].v.i;
    bool wide = in->type == MG_F64;
    MgUnary *unary = mg_prim_unary(in->prim);
#define ROUNDED(x) d[l] = wide ? (x) : (double)(float)(x)
    if (unary) {
        EACH(ROUNDED(unary(a[l])));
    }
    switch (in->prim) {
    case MG_PRIM_ADD:
        EACH(ROUNDED(a[l] + b[l]));
    case MG_PRIM_SUB:
        EACH(ROUNDED(a[l] - b[l]));
    case MG_PRIM_MUL:
        EACH(ROUNDED(a[l] * b[l]));
    case MG_PRIM_DIV:
        EACH(ROUNDED(a[l] / b[l]));
    case MG_PRIM_MAX:
        EACH(d[l] = max_float(a[l], b[l]));
    case MG_PRIM_MIN:
        EACH(d[l] = min_float(a[l], b[l]));
    case MG_PRIM_EQ:
        EACH(di[l] = a[l] == b[l]);
    case MG_PRIM_NE:
        EACH(di[l] = a[l] != b[l]);
    case MG_PRIM_LT:
        EACH(di[l] = a[l] < b[l]);
    case MG_PRIM_LE:
        EACH(di[l] = a[l] <= b[l]);
    case MG_PRIM_GT:
        EACH(di[l] = a[l] > b[l]);
    case MG_PRIM_GE:
        EACH(di[l] = a[l] >= b[l]);
    case MG_PRIM_CAST:
        if (!mg_is_float(in->to))
            return false;
        EACH(d[l] = mg_interp_round_to(in->to, a[l]));
    default:
        return false;
    }
#undef ROUNDED
}

static void from_int_instr(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const int64_t *a = r[in->args[0]].v.i;
    const MgInterpReg *d = &r[in->dst];
    for (uint32_t l = 0; l < n; l++) {
        if (!mg_is_float(in->to))
            d->v.i[l] = mg_interp_wrap_to(in->to, a[l]);
        else if (in->to == MG_F32)
            d->v.f[l] = (float)a[l];
        else
            d->v.f[l] = mg_bits_to_double(in->to, mg_bits_from_int(in->to, a[l]));
    }
}

static bool int_instr(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const int64_t *a = r[in->args[0]].v.i, *b = r[in->args[1]].v.i;
    int64_t *d = r[in->dst].v.i;
    MgDType t = in->type;
#define WRAPPED(op) d[l] = mg_interp_wrap_to(t, (int64_t)((uint64_t)a[l] op(uint64_t) b[l]))
    switch (in->prim) {
    case MG_PRIM_ADD:
        EACH(WRAPPED(+));
    case MG_PRIM_SUB:
        EACH(WRAPPED(-));
    case MG_PRIM_MUL:
        EACH(WRAPPED(*));
    case MG_PRIM_EQ:
        EACH(d[l] = a[l] == b[l]);
    case MG_PRIM_NE:
        EACH(d[l] = a[l] != b[l]);
    default:
        break;
    }
#undef WRAPPED
    if (t == MG_U64) // lanes are compared as signed numbers
        return false;
    switch (in->prim) {
    case MG_PRIM_LT:
        EACH(d[l] = a[l] < b[l]);
    case MG_PRIM_LE:
        EACH(d[l] = a[l] <= b[l]);
    case MG_PRIM_GT:
        EACH(d[l] = a[l] > b[l]);
    case MG_PRIM_GE:
        EACH(d[l] = a[l] >= b[l]);
    case MG_PRIM_MIN:
        EACH(d[l] = a[l] < b[l] ? a[l] : b[l]);
    case MG_PRIM_MAX:
        EACH(d[l] = a[l] > b[l] ? a[l] : b[l]);
    case MG_PRIM_SHR: // beyond all bits, only the sign is left
        EACH(d[l] = a[l] >> ((uint64_t)b[l] < mg_dtype(t)->bits ? b[l] : 63));
    case MG_PRIM_CAST:
        from_int_instr(in, r, n);
        return true;
    default:
        return false;
    }
}
#undef EACH

static void where_instr(const MgInterpReg *c, const MgInterpReg *a, const MgInterpReg *b,
                        const MgInterpReg *d, uint32_t n) {
    for (uint32_t l = 0; l < n; l++) // copies bits, which is correct for floats and integers alike
        d->v.i[l] = c->v.i[l] ? a->v.i[l] : b->v.i[l];
}

static MgBits lane_bits(MgDType dtype, const MgInterpReg *r, uint32_t l) {
    return mg_is_float(dtype) ? mg_bits_from_double(dtype, r->v.f[l])
                              : mg_bits_from_int(dtype, r->v.i[l]);
}

static void any_instr(const MgInterpInstr *in, const MgInterpReg *r, uint32_t n) {
    const MgInterpReg *d = &r[in->dst];
    for (uint32_t l = 0; l < n; l++) {
        MgBits args[3] = {0};
        for (uint32_t k = 0; k < in->n_args; k++)
            args[k] = lane_bits(in->type, &r[in->args[k]], l);
        MgBits bits = mg_prim_eval(in->prim, in->type, in->to, args);
        if (mg_is_float(in->to))
            d->v.f[l] = mg_bits_to_double(in->to, bits);
        else
            d->v.i[l] = mg_bits_to_int(in->to, bits);
    }
}

static void linear_instr(const MgLinearPlan *plan, const MgInterpReg *r, const MgInterpReg *d,
                         uint32_t n) {
    int64_t *out = d->v.i;
    for (uint32_t l = 0; l < n; l++)
        out[l] = plan->constant;
    for (uint32_t k = 0; k < plan->n; k++) {
        const int64_t *in = r[plan->regs[k]].v.i;
        uint64_t coefficient = (uint64_t)plan->coefficients[k];
        for (uint32_t l = 0; l < n; l++)
            out[l] = (int64_t)((uint64_t)out[l] + coefficient * (uint64_t)in[l]);
    }
}

bool mg_interp_program_run(MgInterpRun *run, MgInterpProgram *p, uint32_t n) {
    if (!mg_interp_run_steps(run, (uint64_t)n * (p->code.len + 1)))
        return false;
    const MgInterpReg *r = p->regs.at;
    for (uint32_t i = 0; i < p->code.len; i++) {
        const MgInterpInstr *in = &p->code.at[i];
        switch (in->code) {
        case MG_CODE_READ:
            if (!read_instr(run, p, in, n))
                return false;
            continue;
        case MG_CODE_LINEAR:
            linear_instr(in->plan.linear, r, &r[in->dst], n);
            continue;
        case MG_CODE_FROM_INT:
            from_int_instr(in, r, n);
            break;
        case MG_CODE_SELECT:
            where_instr(&r[in->args[0]], &r[in->args[1]], &r[in->args[2]], &r[in->dst], n);
            break;
        case MG_CODE_PRIM:
            if (in->prim == MG_PRIM_WHERE)
                where_instr(&r[in->args[0]], &r[in->args[1]], &r[in->args[2]], &r[in->dst], n);
            else if (!(mg_is_float(in->type) ? float_instr(in, r, n) : int_instr(in, r, n)))
                any_instr(in, r, n);
            break;
        }
        if (p->bounds)
            mg_interp_bound_instr(p, in, n);
    }
    return true;
}
