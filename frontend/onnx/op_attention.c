// Attention, LinearAttention, FlexAttention and RotaryEmbedding. Heads in the last dimension get a
// dimension of their own. A cache comes before the keys. If more than the result is used, attention
// is written step by step.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"

enum { LENGTHS = 6 }; // the input with the number of valid keys of each batch

typedef struct Attention {
    MgOnnxNode *n;
    const char *q, *k, *v, *mask;
    MgIx queries, keys, past;
    bool flat; // the heads are in the last dimension
} Attention;

// Input k with a dimension for the heads.
static const char *with_heads(MgOnnxNode *n, uint32_t k, int64_t heads) {
    if (n->inputs[k]->type.rank == 4)
        return mg_onnx_text(n, "$%u", k);
    return mg_onnx_text(n, "split_heads($%u, heads = %lld)", k, (long long)heads);
}

// The cache's keys or values followed by the new ones, under the name of their output.
static const char *with_past(MgOnnxNode *n, uint32_t output, uint32_t past, const char *fresh) {
    if (mg_onnx_input(n, past))
        fresh = mg_onnx_text(n, "concat($%u, %s, axis = 2)", past, fresh);
    if (mg_onnx_wants(n, output))
        return mg_onnx_give(n, output, fresh) ? mg_onnx_operand(n, n->outputs[output]) : "_";
    return fresh;
}

// The mask as an addend, as wide as there are keys.
static const char *mask_of(MgOnnxNode *n, MgIx keys, MgDType type) {
    const MgOnnxValue *m = mg_onnx_input(n, 3);
    if (!m)
        return NULL;
    const char *name = mg_dtype(type)->name;
    const char *mask = m->type.dtype == MG_BOOL
                           ? mg_onnx_text(n, "mask_scores($3, type = %s)", name)
                       : mg_is_float(m->type.dtype) ? "$3"
                                                    : mg_onnx_text(n, "cast($3, to = %s)", name);
    uint32_t rank = m->type.rank;
    MgIx more = rank ? mg_ix_sub(n->t->ix, keys, m->type.shape[rank - 1]) : keys;
    int64_t few;
    if (!rank || (mg_onnx_const(n, more, &few) && !few))
        return mask;
    MgText before = mg_text(n->t->arena), after = mg_text(n->t->arena);
    for (uint32_t i = 0; i + 1 < rank; i++) {
        mg_text_add(&before, "0, ");
        mg_text_add(&after, "0, ");
    }
    return mg_onnx_text(n, "pad(%s, -inf, before = [%s0], after = [%s%s])", mask,
                        mg_text_str(&before), mg_text_str(&after), mg_onnx_ix(n, more));
}

// Outputs masked scores. With a boolean mask, -inf is replaced by the lowest finite number, as ONNX
// Runtime does.
static bool give_scores(const Attention *a, MgOnnxValue *scores, bool masked) {
    MgOnnxNode *n = a->n;
    const MgOnnxValue *m = mg_onnx_input(n, 3);
    MgDType type = scores->type.dtype;
    if (!masked || !m || m->type.dtype != MG_BOOL)
        return mg_onnx_same(n, 3, scores);
    const char *least = type == MG_F16    ? "-65504.0"
                        : type == MG_BF16 ? "-3.3895313892515355e38"
                        : type == MG_F64  ? "-1.7976931348623157e308"
                                          : "-3.4028234663852886e38";
    return mg_onnx_give(n, 3,
                        mg_onnx_text(n, "maximum(%s, %s)", mg_onnx_operand(n, scores), least));
}

// The number of keys that a query sees on one side. There is no limit if the attribute is absent.
static long long window(MgOnnxNode *n, const char *side) {
    int64_t size = mg_onnx_int(n, side, -1);
    return size < 0 || size > INT32_MAX ? INT32_MAX : size;
}

static bool windowed(MgOnnxNode *n) {
    return window(n, "left_window_size") < INT32_MAX || window(n, "right_window_size") < INT32_MAX;
}

// Applies the masks that follow the given one to the scores x: causality, the window, the lengths
// of keys.
static const char *place_masks(const Attention *a, const char *x, bool causal) {
    MgOnnxNode *n = a->n;
    bool lengths = mg_onnx_input(n, LENGTHS);
    const char *past = mg_onnx_ix(n, a->past), *y = x;
    if (causal)
        y = lengths ? mg_onnx_text(n, "length_causal_mask(%s, $6)", y)
                    : mg_onnx_text(n, "causal_mask(%s, past = %s)", y, past);
    if (windowed(n)) {
        const char *sides =
            mg_onnx_text(n, "left = %lld, right = %lld", window(n, "left_window_size"),
                         window(n, "right_window_size"));
        y = lengths ? mg_onnx_text(n, "length_window_mask(%s, $6, %s)", y, sides)
                    : mg_onnx_text(n, "window_mask(%s, %s, past = %s)", y, sides, past);
    }
    return lengths ? mg_onnx_text(n, "length_mask(%s, $6)", y) : y;
}

// Writes attention step by step: scores, cap, masks, softmax. Output 3 is one of the steps.
static bool in_steps(const Attention *a, const char *scale, double cap, bool causal) {
    MgOnnxNode *n = a->n;
    int64_t mode = mg_onnx_int(n, "qk_matmul_output_mode", 0);
    const char *steps[4] = {mg_onnx_text(n, "attention_scores(%s, %s%s)", a->q, a->k, scale)};
    MgOnnxValue *stage[4];
    for (uint32_t i = 0; i < 4; i++) {
        const char *last = i ? mg_onnx_operand(n, stage[i - 1]) : "";
        if (i == 1)
            steps[1] = cap > 0 ? mg_onnx_text(n, "soft_cap(%s, cap = %s)", last,
                                              mg_float_str(n->t->arena, cap, true))
                               : NULL;
        if (i == 2) {
            const char *masked =
                a->mask ? mg_onnx_text(n, "add_mask(%s, %s)", last, a->mask) : last;
            steps[2] = place_masks(a, masked, causal);
            steps[2] = strcmp(steps[2], last) ? steps[2] : NULL;
        }
        if (i == 3)
            steps[3] = mg_onnx_text(n, "masked_softmax(%s)", last);
        static const char *const hints[] = {"scores", "capped", "masked", "probabilities"};
        stage[i] = steps[i] ? mg_onnx_let(n, hints[i], steps[i]) : stage[i - 1];
        if (!stage[i])
            return false;
    }
    if (mg_onnx_wants(n, 3) && (mode < 0 || mode > 3 || !give_scores(a, stage[mode], mode == 2)))
        return mg_onnx_fail(n, "attribute 'qk_matmul_output_mode' is %lld; expected 0 to 3",
                            (long long)mode);
    const char *y = mg_onnx_text(n, "attend_values(%s, %s)", mg_onnx_operand(n, stage[3]), a->v);
    return mg_onnx_give(n, 0, a->flat ? mg_onnx_text(n, "merge_heads(%s)", y) : y);
}

MG_ONNX_OP(attention) {
    (void)text;
    if (!mg_onnx_takes(n, 3))
        return false;
    const MgScopeType *q = &n->inputs[0]->type, *k = &n->inputs[1]->type;
    int64_t heads = mg_onnx_int(n, "q_num_heads", 1), kv = mg_onnx_int(n, "kv_num_heads", 1);
    if (q->rank != k->rank || q->rank != n->inputs[2]->type.rank || q->rank < 3 || q->rank > 4)
        return mg_onnx_fail(n, "its inputs have rank %u and %u; expected 3 or 4", q->rank, k->rank);
    if (mg_onnx_input(n, LENGTHS) && mg_onnx_input(n, 4))
        return mg_onnx_fail(n, "it has both a cache and lengths of keys; expected one of them");
    Attention a = {.n = n, .flat = q->rank == 3, .past = mg_ix_const(n->t->ix, 0)};
    a.queries = q->shape[a.flat ? 1 : 2];
    if (mg_onnx_input(n, 4) && n->inputs[4]->type.rank == 4)
        a.past = n->inputs[4]->type.shape[2];
    a.keys = mg_ix_add(n->t->ix, a.past, k->shape[a.flat ? 1 : 2]);
    a.q = with_heads(n, 0, heads);
    a.k = with_past(n, 1, 4, with_heads(n, 1, kv));
    a.v = with_past(n, 2, 5, with_heads(n, 2, kv));
    a.mask = mask_of(n, a.keys, q->dtype);
    double cap = mg_onnx_float(n, "softcap", 0);
    bool causal = mg_onnx_int(n, "is_causal", 0);
    bool usual = !causal || mg_ix_sub(n->t->ix, a.keys, a.queries) == a.past;
    if (n->failed)
        return false;
    if (cap > 0 || mg_onnx_wants(n, 3) || !usual || windowed(n) || mg_onnx_input(n, LENGTHS))
        return in_steps(&a, "{, scale = @scale}", cap, causal);
    const char *y =
        mg_onnx_text(n, "attention(%s, %s, %s%s%s%s{, scale = @scale})", a.q, a.k, a.v,
                     a.mask ? ", " : "", a.mask ? a.mask : "", causal ? ", causal = true" : "");
    return mg_onnx_give(n, 0, a.flat ? mg_onnx_text(n, "merge_heads(%s)", y) : y);
}

// ---------------------------------------------------------------- in a wider type
// The type in which half precision is computed.
static MgDType wide(MgDType type) {
    return type == MG_F16 || type == MG_BF16 ? MG_F32 : type;
}

static const char *cast(const MgOnnxNode *n, const char *x, MgDType from, MgDType to) {
    return from == to ? x : mg_onnx_text(n, "cast(%s, to = %s)", x, mg_dtype(to)->name);
}

// Input k in that type, or `none`.
static const char *widened(const MgOnnxNode *n, uint32_t k, MgDType to) {
    const MgOnnxValue *v = mg_onnx_input(n, k);
    return v ? cast(n, mg_onnx_text(n, "$%u", k), v->type.dtype, to) : "none";
}

// ---------------------------------------------------------------- LinearAttention
// Checks that the node gives this input exactly if the rule uses it.
static bool rule_takes(MgOnnxNode *n, const char *rule, uint32_t k, const char *what, bool has) {
    bool given = mg_onnx_input(n, k) != NULL;
    return given == has || mg_onnx_fail(n, "update_rule '%s' %s %s", rule,
                                        has ? "needs the input" : "takes no input", what);
}

// The decay by heads: a number for each head, or for each feature of its keys.
static const char *decay_of(MgOnnxNode *n, int64_t heads, MgDType type) {
    const char *decay = widened(n, 4, type);
    return mg_onnx_input(n, 4)
               ? mg_onnx_text(n, "split_heads(%s, heads = %lld)", decay, (long long)heads)
               : decay;
}

MG_ONNX_OP(linear_attention) {
    (void)text;
    int64_t heads = mg_onnx_int(n, "q_num_heads", 0), kv = mg_onnx_int(n, "kv_num_heads", 0);
    if (!mg_onnx_takes(n, 3))
        return false;
    if (heads < 1 || kv < 1 || heads % kv)
        return mg_onnx_fail(n, "q_num_heads is %lld; expected a multiple of kv_num_heads, %lld",
                            (long long)heads, (long long)kv);
    const char *rule = mg_onnx_word(n, "update_rule", "gated_delta linear gated delta");
    bool gated = !strncmp(rule, "gated", 5), delta = strstr(rule, "delta");
    if (!rule_takes(n, rule, 4, "'decay'", gated) || !rule_takes(n, rule, 5, "'beta'", delta))
        return false;
    MgDType type = n->inputs[0]->type.dtype, in = wide(type);
    MgDType kept = mg_onnx_input(n, 3) ? n->inputs[3]->type.dtype : type;
    const char *operands[3];
    for (uint32_t k = 0; k < 3; k++)
        operands[k] = mg_onnx_text(n, "split_heads(%s, heads = %lld)", widened(n, k, in),
                                   (long long)(k ? kv : heads));
    double scale = mg_onnx_float(n, "scale", 0);
    const char *by =
        scale != 0 ? mg_onnx_text(n, ", scale = %s", mg_float_str(n->t->arena, scale, true)) : "";
    const char *beta = widened(n, 5, in);
    MgSym names[2] = {mg_onnx_fresh(n->t, NULL, "attended"), mg_onnx_fresh(n->t, NULL, "state")};
    const char *y = mg_onnx_spelled(n->t, names[0]), *state = mg_onnx_spelled(n->t, names[1]);
    return mg_onnx_say_template(
               n,
               mg_onnx_text(
                   n, "%s, %s = linear_attention(%s, %s, %s, %s, %s, %s%s)", y, state, operands[0],
                   operands[1], operands[2], widened(n, 3, in), decay_of(n, kv, in),
                   delta ? mg_onnx_text(n, "transpose(%s, perm = [0, 2, 1])", beta) : beta, by)) &&
           mg_onnx_give(n, 0, cast(n, mg_onnx_text(n, "merge_heads(%s)", y), in, type)) &&
           mg_onnx_give(n, 1,
                        in == kept ? mg_onnx_text(n, "identity(%s)", state)
                                   : cast(n, state, in, kept));
}

// ---------------------------------------------------------------- FlexAttention
// Applies the graph of this attribute to a value. Without such a graph, returns the value.
static MgOnnxValue *modified(MgOnnxNode *n, const char *attribute, MgOnnxValue *v) {
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, attribute);
    MgOnnxValue *out = NULL;
    if (!a)
        return v;
    if (!a->g)
        return mg_onnx_fail(n, "attribute '%s' must be a graph", attribute), NULL;
    if (a->g->n_input != 1 || a->g->n_output != 1)
        return mg_onnx_fail(n,
                            "the graph of '%s' takes %zu value%s and gives %zu; expected 1 and 1",
                            attribute, a->g->n_input, mg_plural(a->g->n_input), a->g->n_output),
               NULL;
    return mg_onnx_inline(n, a->g, &v, &out) ? out : NULL;
}

MG_ONNX_OP(flex_attention) {
    (void)text;
    if (!mg_onnx_takes(n, 3))
        return false;
    MgDType type = n->inputs[0]->type.dtype, in = wide(type);
    if (mg_onnx_has(n, "softmax_precision") &&
        !mg_onnx_dtype(mg_onnx_int(n, "softmax_precision", 1), &in))
        return mg_onnx_fail(n, "attribute 'softmax_precision' is not a floating-point type");
    const char *scores = cast(n, "attention_scores($0, $1{, scale = @scale})", type, in);
    MgOnnxValue *x = modified(n, "score_mod", mg_onnx_let(n, "scores", scores));
    x = x ? mg_onnx_let(n, "probabilities", mg_onnx_text(n, "softmax(%s)", mg_onnx_operand(n, x)))
          : NULL;
    x = x ? modified(n, "prob_mod", x) : NULL;
    return x && mg_onnx_give(n, 0,
                             cast(n,
                                  mg_onnx_text(n, "attend_values(%s, %s)", mg_onnx_operand(n, x),
                                               widened(n, 2, in)),
                                  in, n->inputs[2]->type.dtype));
}
