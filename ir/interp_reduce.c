// Running reductions with their error bounds.
//
// Sums, means and products of floats accumulate in f64 and are rounded once. A sum of K terms has
// the bound sum e_k + sqrt(K) u sum |term|, by which a sum in another order and in the stored
// precision may differ (Higham, "Accuracy and Stability of Numerical Algorithms", 4.2, its
// probabilistic form). If a partial sum or product could overflow in another order, the element is
// exempt.
#include "ir/interp_internal.h"

static bool unsigned_wide(MgDType type) {
    return type == MG_U64;
}

static bool int_less(MgDType type, int64_t a, int64_t b) {
    return unsigned_wide(type) ? (uint64_t)a < (uint64_t)b : a < b;
}

void mg_interp_acc_init(MgInterpAcc *acc, MgReducer reducer, MgDType type) {
    *acc = (MgInterpAcc){.above = 1, .below = 1};
    switch (mg_reducer(reducer)->empty) {
    case MG_IDENTITY_ONE:
    case MG_IDENTITY_TRUE:
        acc->f = 1;
        acc->i = 1;
        break;
    case MG_IDENTITY_LOWEST:
    case MG_IDENTITY_HIGHEST: {
        bool low = mg_reducer(reducer)->empty == MG_IDENTITY_LOWEST;
        MgBits bits = low ? mg_lowest(type) : mg_highest(type);
        acc->f = mg_is_float(type) ? mg_bits_to_double(type, bits) : 0;
        acc->i = mg_is_float(type) ? 0 : mg_bits_to_int(type, bits);
        break;
    }
    default:
        break;
    }
}

static void add_float_sum(MgInterpAcc *acc, double v, double e) {
    acc->f += v;
    acc->e += e;
    if (isfinite(v))
        acc->magnitude += fabs(v);
    else
        acc->special = true;
    acc->n++;
}

static void add_float_prod(MgInterpAcc *acc, double v, double e, MgDType type) {
    double u = mg_interp_unit_roundoff(type);
    acc->e = fabs(acc->f) * e + fabs(v) * acc->e + 8 * acc->e * e + 4 * u * fabs(acc->f * v);
    acc->f *= v;
    acc->special |= isnan(v);
    acc->above *= fmax(1, fabs(v));
    if (v != 0)
        acc->below *= fmin(1, fabs(v));
    acc->n++;
}

// Adds a term to a max (sign 1) or a min (sign -1). The first NaN stays. Values that may be
// exchanged share the larger bound.
static void add_float_extreme(MgInterpAcc *acc, double v, double e, double sign, int64_t position) {
    bool first = acc->n++ == 0;
    if (isnan(acc->f) && !first)
        return;
    bool wins = first || isnan(v) || sign * v > sign * acc->f;
    double both = first || isnan(v) ? e : acc->e + e;
    bool close = !first && !isnan(v) && v != acc->f && fabs(v - acc->f) <= 8 * both;
    bool tie = !first && v == acc->f && both > 1e3 * MG_SIGN_BOUND;
    if (close || tie) {
        acc->e = fmax(acc->e, e);
        acc->exempt = true; // which position wins is in doubt, though the value is not
    } else if (wins) {
        acc->e = e;
        acc->exempt = false;
    }
    if (wins) {
        acc->f = v;
        acc->position = position;
    }
}

static void add_int_extreme(MgInterpAcc *acc, MgDType type, int64_t v, double e, bool max) {
    bool first = acc->n == 0;
    if (first || (max ? int_less(type, acc->i, v) : int_less(type, v, acc->i))) {
        acc->i = v;
        acc->position = (int64_t)acc->n;
    }
    acc->n++;
    acc->e += e;
}

static void add_last(MgInterpAcc *acc, MgDType type, const MgInterpReg *value, uint32_t l,
                     double e) {
    if (mg_is_float(type))
        acc->f = value->v.f[l];
    else
        acc->i = value->v.i[l];
    acc->e = e;
    acc->n++;
}

static void add_int(MgInterpAcc *acc, MgReducer reducer, MgDType type, int64_t v, double e) {
    switch (reducer) {
    case MG_REDUCE_SUM:
        acc->i = mg_interp_wrap_to(type, (int64_t)((uint64_t)acc->i + (uint64_t)v));
        break;
    case MG_REDUCE_PROD:
        acc->i = mg_interp_wrap_to(type, (int64_t)((uint64_t)acc->i * (uint64_t)v));
        break;
    case MG_REDUCE_ANY:
    case MG_REDUCE_ALL: { // one certain element decides
        bool decides = (v != 0) == (reducer == MG_REDUCE_ANY);
        if (decides) {
            acc->i = v != 0;
            acc->position |= e == 0;
        }
        break;
    }
    default:
        add_int_extreme(acc, type, v, e, reducer == MG_REDUCE_MAX || reducer == MG_REDUCE_ARGMAX);
        return;
    }
    acc->e += e;
    acc->n++;
}

static void add_float(MgInterpAcc *acc, MgReducer reducer, MgDType type, double v, double e) {
    switch (reducer) {
    case MG_REDUCE_SUM:
    case MG_REDUCE_MEAN:
        add_float_sum(acc, v, e);
        break;
    case MG_REDUCE_PROD:
        add_float_prod(acc, v, e, type);
        break;
    default:
        add_float_extreme(acc, v, e,
                          reducer == MG_REDUCE_MAX || reducer == MG_REDUCE_ARGMAX ? 1 : -1,
                          (int64_t)acc->n);
    }
}

void mg_interp_acc_base(MgInterpAcc *acc, MgReducer reducer, MgDType type, double f, int64_t i,
                        double e) {
    acc->f = f;
    acc->i = i;
    acc->e = e;
    acc->magnitude = isfinite(f) ? fabs(f) : 0;
    acc->special = !isfinite(f);
    if (reducer == MG_REDUCE_PROD && mg_is_float(type)) {
        acc->above = fmax(1, fabs(f));
        acc->below = f != 0 ? fmin(1, fabs(f)) : 1;
    }
    if (reducer != MG_REDUCE_MEAN)
        acc->n = 1;
}

void mg_interp_acc_add(MgInterpAcc *acc, const uint32_t *map, MgReducer reducer, MgDType type,
                       const MgInterpReg *value, uint32_t n) {
    if (reducer == MG_REDUCE_LAST) {
        for (uint32_t l = 0; l < n; l++)
            add_last(&acc[map[l]], type, value, l, value->e ? value->e[l] : 0);
    } else if (!mg_is_float(type)) {
        for (uint32_t l = 0; l < n; l++)
            add_int(&acc[map[l]], reducer, type, value->v.i[l], value->e ? value->e[l] : 0);
    } else if (reducer == MG_REDUCE_SUM && !value->e) {
        for (uint32_t l = 0; l < n; l++)
            acc[map[l]].f += value->v.f[l], acc[map[l]].n++;
    } else {
        for (uint32_t l = 0; l < n; l++)
            add_float(&acc[map[l]], reducer, type, value->v.f[l], value->e ? value->e[l] : 0);
    }
}

// ---------------------------------------------------------------- the end of a reduction
// The bound of y, the sum divided by `by`. A backend's sum may overflow before it is divided. So
// may a sum of weights times values, since attention divides only at the end by the sum of its
// weights, which is at most their number. (f16 is summed in f32.)
static double sum_bound(const MgInterpAcc *acc, double by, MgDType type, double y) {
    double u = mg_interp_unit_roundoff(type), max = mg_interp_largest(type) / by;
    double weighed = type == MG_F16 ? max : mg_interp_largest(type) / fmax(by, (double)acc->n);
    if (!(acc->e < MG_INTERP_EXEMPT))
        return MG_INTERP_EXEMPT;
    if (acc->special) // an infinity or NaN among the terms decides, unless the other terms overflow
        return acc->magnitude + 8 * acc->e > weighed ? MG_INTERP_EXEMPT : 0;
    double e = acc->e + sqrt((double)acc->n) * u * acc->magnitude + mg_interp_least_normal(type);
    if (isinf(y)) // all terms have one sign and are far out of range: every order overflows
        return acc->magnitude == fabs(acc->f) && acc->magnitude - 8 * e > max ? 0
                                                                              : MG_INTERP_EXEMPT;
    return acc->magnitude + 8 * e > weighed ? MG_INTERP_EXEMPT : e;
}

static double prod_bound(const MgInterpAcc *acc, MgDType type, double y) {
    if (acc->special)
        return 0;
    if (!isfinite(y) || !(acc->e < MG_INTERP_EXEMPT))
        return MG_INTERP_EXEMPT;
    bool overflows = acc->above > mg_interp_largest(type) / 4,
         underflows = acc->below < mg_interp_least_normal(type);
    return overflows || underflows ? MG_INTERP_EXEMPT : acc->e + mg_interp_least_normal(type);
}

static void store_sum(MgInterpAcc *acc, MgReducer reducer, MgDType type, MgInterpTensor *t,
                      size_t i) {
    double count = 1;
    if (reducer == MG_REDUCE_MEAN) {
        count = (double)acc->n;
        acc->f /= count; // the mean of no elements is 0 / 0
        acc->e /= count;
        acc->magnitude /= count;
        if (acc->n == 0) {
            mg_interp_store_float(t, i, NAN, 0);
            return;
        }
    }
    double y = mg_interp_round_to(type, acc->f);
    mg_interp_store_float(t, i, y, sum_bound(acc, count, type, y));
}

bool mg_interp_acc_store(MgInterpAcc *acc, MgReducer reducer, MgDType type, MgInterpTensor *t,
                         size_t i) {
    if (acc->n == 0 && mg_reducer(reducer)->empty == MG_IDENTITY_NONE)
        return false;
    switch (reducer) {
    case MG_REDUCE_ARGMAX:
    case MG_REDUCE_ARGMIN:
        mg_interp_store_int(t, i, acc->position,
                            !(acc->e < MG_INTERP_EXEMPT) || (mg_is_float(type) && acc->exempt));
        return true;
    case MG_REDUCE_ANY:
    case MG_REDUCE_ALL:
        mg_interp_store_int(t, i, acc->i, acc->position ? 0 : acc->e);
        return true;
    case MG_REDUCE_SUM:
    case MG_REDUCE_MEAN:
        if (mg_is_float(type)) {
            store_sum(acc, reducer, type, t, i);
            return true;
        }
        break;
    case MG_REDUCE_PROD:
        if (mg_is_float(type)) {
            double y = mg_interp_round_to(type, acc->f);
            mg_interp_store_float(t, i, y, acc->n < 2 ? acc->e : prod_bound(acc, type, y));
            return true;
        }
        break;
    default:
        break;
    }
    if (mg_is_float(type))
        mg_interp_store_float(t, i, acc->f, acc->e);
    else
        mg_interp_store_int(t, i, acc->i, acc->e);
    return true;
}
