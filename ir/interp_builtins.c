// Builtins in the reference interpreter. Attributes and sizes come from the graph, values from
// ir/builtins.h. A result is exempt if its operands lie within their bounds of a tie.
#include "ir/builtins.h"
#include "ir/interp_internal.h"

static int64_t int_attr(MgInterpRun *run, const MgOp *op, const char *name, int64_t otherwise) {
    const MgAttr *a = mg_attr(run->g, op, name);
    bool ok = true;
    int64_t v = a && a->kind == MG_ATTR_INT ? mg_interp_run_ix(run, a->ix, &ok) : otherwise;
    return ok ? v : otherwise;
}

static double float_attr(MgInterpRun *run, const MgOp *op, const char *name, double otherwise) {
    const MgAttr *a = mg_attr(run->g, op, name);
    if (a && a->kind == MG_ATTR_INT)
        return (double)int_attr(run, op, name, 0);
    return a && a->kind == MG_ATTR_FLOAT ? a->f : otherwise;
}

static bool bool_attr(MgInterpRun *run, const MgOp *op, const char *name) {
    const MgAttr *a = mg_attr(run->g, op, name);
    return a && a->kind == MG_ATTR_BOOL && a->b;
}

static double element(const MgInterpTensor *t, size_t i) {
    return mg_is_float(t->dtype) ? mg_interp_load_float(t->dtype, t->data, i)
                                 : (double)mg_interp_load_int(t->dtype, t->data, i);
}

// Operand k. The order of exact elements is certain, so an exact operand comes without bounds.
static MgInterpTensor operand(MgInterpRun *run, const MgOp *op, uint32_t k) {
    MgInterpTensor t = run->values[op->operands[k]];
    if (run->bounds && run->rounding.exact[op->operands[k]])
        t.bound = NULL;
    return t;
}

// ---------------------------------------------------------------- argsort
// Exempts the positions of elements whose order is in doubt.
static void doubt_order(const MgInterpTensor *x, MgInterpTensor *out, size_t base, size_t n,
                        size_t stride, MgArena *scratch) {
    double *v = MG_NEW_N(scratch, double, n), *e = MG_NEW_N(scratch, double, n), most = 0;
    const int64_t *order = out->data;
    for (size_t k = 0; k < n; k++) {
        size_t at = base + (size_t)order[base + k * stride] * stride;
        v[k] = element(x, at);
        e[k] = mg_interp_load_bound(x, at);
        most = fmax(most, e[k]);
    }
    for (size_t i = 0; i < n && most > 0; i++)
        for (size_t j = i + 1; j < n && !(fabs(v[i] - v[j]) > 8 * (e[i] + most)); j++)
            if (mg_interp_near(fabs(v[i] - v[j]), e[i] + e[j]))
                for (size_t k = i; k <= j; k++)
                    out->exempt[base + k * stride] = 1;
}

static bool run_argsort(MgInterpRun *run, const MgOp *op) {
    const MgInterpTensor sorted = operand(run, op, 0), *x = &sorted;
    MgInterpTensor *out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    int64_t axis = int_attr(run, op, "axis", -1);
    if (axis < 0)
        axis += x->rank;
    size_t outer = 1, inner = 1, n = (size_t)x->shape[axis];
    for (uint32_t k = 0; k < x->rank; k++) {
        if (k < axis)
            outer *= (size_t)x->shape[k];
        else if (k > axis)
            inner *= (size_t)x->shape[k];
    }
    mg_argsort(x->dtype, x->data, outer, n, inner, bool_attr(run, op, "descending"), out->data,
               run->scratch);
    for (size_t o = 0; run->bounds && o < outer; o++)
        for (size_t i = 0; i < inner; i++)
            doubt_order(x, out, o * n * inner + i, n, inner, run->scratch);
    return mg_interp_run_steps(run, x->n * 8);
}

// ---------------------------------------------------------------- results whose size data fixes
static void set_some(MgInterpRun *run, const MgOp *op, size_t count) {
    run->dims[op->dim] = (int64_t)count;
    run->known[op->dim] = true;
}

static bool run_nonzero(MgInterpRun *run, const MgOp *op) {
    const MgInterpTensor counted = operand(run, op, 0), *x = &counted;
    for (size_t i = 0; run->bounds && i < x->n; i++) {
        double e = mg_interp_load_bound(x, i);
        run->unsure |= e == MG_INTERP_EXEMPT || mg_interp_near(fabs(element(x, i)), e);
    }
    size_t count = mg_count_nonzero(x->dtype, x->data, x->n);
    set_some(run, op, count);
    MgInterpTensor *out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    mg_nonzero(x->dtype, x->data, x->rank, x->shape, count, out->data);
    return mg_interp_run_steps(run, x->n);
}

static bool run_nms(MgInterpRun *run, const MgOp *op) {
    const MgInterpTensor b = operand(run, op, 0), s = operand(run, op, 1), o = operand(run, op, 2);
    const MgInterpTensor *boxes = &b, *scores = &s;
    run->unsure |= run->bounds && mg_interp_load_bound(&o, 0) > 0;
    for (size_t i = 0; run->bounds && i < boxes->n; i++)
        run->unsure |= mg_interp_load_bound(boxes, i) > 0;
    for (size_t i = 0; run->bounds && i < scores->n; i++)
        run->unsure |= mg_interp_load_bound(scores, i) > 0;
    MgNms nms = {.boxes = boxes->data,
                 .scores = scores->data,
                 .batches = (size_t)scores->shape[0],
                 .classes = (size_t)scores->shape[1],
                 .n = (size_t)scores->shape[2],
                 .max_output = int_attr(run, op, "max_output", 0),
                 .iou = *(const float *)o.data,
                 .score = float_attr(run, op, "score", -HUGE_VAL),
                 .center = bool_attr(run, op, "center")};
    size_t most = nms.max_output < 0 ? 0 : (size_t)nms.max_output;
    if (most > nms.n)
        most = nms.n;
    int64_t *rows = MG_NEW_N(run->scratch, int64_t, nms.batches * nms.classes * most * 3);
    size_t count = mg_non_max_suppression(&nms, rows, run->scratch);
    set_some(run, op, count);
    MgInterpTensor *out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], out))
        return false;
    if (count)
        memcpy(out->data, rows, count * 3 * sizeof *rows);
    return mg_interp_run_steps(run, scores->n * (most + 1));
}

// ---------------------------------------------------------------- random numbers
typedef struct Draw {
    MgInterpTensor *out;
    uint64_t seed;
    float ratio; // of what is dropped
    bool together;
} Draw;

static void draw_bits(void *context, uint32_t worker, uint32_t workers) {
    const Draw *d = context;
    size_t end = mg_threads_part(d->out->n, worker + 1, workers);
    for (size_t i = mg_threads_part(d->out->n, worker, workers); i < end; i++)
        ((uint32_t *)d->out->data)[i] = mg_random_bits(d->seed, i);
}

static void draw_keeps(void *context, uint32_t worker, uint32_t workers) {
    const Draw *d = context;
    size_t end = mg_threads_part(d->out->n, worker + 1, workers);
    for (size_t i = mg_threads_part(d->out->n, worker, workers); i < end; i++)
        ((uint8_t *)d->out->data)[i] = mg_random_keeps(d->ratio, d->seed, i, d->together);
}

static bool draw(MgInterpRun *run, const MgOp *op, MgTask *task, Draw *d) {
    d->out = &run->values[op->results[0]];
    if (!mg_interp_run_tensor(run, op->results[0], d->out))
        return false;
    uint32_t workers = mg_interp_workers(run, d->out->n);
    if (workers < 2 || !mg_threads_run(run->options->threads, task, d, workers))
        task(d, 0, 1);
    return mg_interp_run_steps(run, d->out->n * 10);
}

static bool run_random_bits(MgInterpRun *run, const MgOp *op) {
    Draw d = {.seed = *(const uint64_t *)run->values[op->operands[0]].data};
    return draw(run, op, draw_bits, &d);
}

static bool run_random_keeps(MgInterpRun *run, const MgOp *op) {
    const MgAttr *together = mg_attr(run->g, op, "together");
    Draw d = {.ratio = *(const float *)run->values[op->operands[0]].data,
              .seed = *(const uint64_t *)run->values[op->operands[1]].data,
              .together = together && together->b};
    return draw(run, op, draw_keeps, &d);
}

bool mg_interp_run_builtin(MgInterpRun *run, MgOpId id) {
    static bool (*const run_one[MG_BUILTIN_COUNT])(MgInterpRun *, const MgOp *) = {
        [MG_BUILTIN_ARGSORT] = run_argsort,
        [MG_BUILTIN_NONZERO] = run_nonzero,
        [MG_BUILTIN_NON_MAX_SUPPRESSION] = run_nms,
        [MG_BUILTIN_RANDOM_BITS] = run_random_bits,
        [MG_BUILTIN_RANDOM_KEEPS] = run_random_keeps};
    const MgOp *op = mg_op(run->g, id);
    return run_one[op->builtin](run, op);
}
