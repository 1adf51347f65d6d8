// Attention and RotaryEmbedding: heads that lie in the last dimension are made one of their own; a
// cache comes before the keys; what is asked for beyond the result is said step by step.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"

typedef struct Attention {
    MgOnnxNode *n;
    const char *q, *k, *v, *mask;
    MgIx queries, keys, past;
    bool flat; // heads lie in the last dimension
} Attention;

// Input k with a dimension for the heads.
static const char *with_heads(MgOnnxNode *n, uint32_t k, int64_t heads) {
    if (n->inputs[k]->type.rank == 4)
        return mg_onnx_text(n, "$%u", k);
    return mg_onnx_text(n, "split_heads($%u, heads = %lld)", k, (long long)heads);
}

// Keys or values after those of the cache, under the name of the output that they are.
static const char *with_past(MgOnnxNode *n, uint32_t output, uint32_t past, const char *fresh) {
    if (mg_onnx_input(n, past))
        fresh = mg_onnx_text(n, "concat($%u, %s, axis = 2)", past, fresh);
    if (mg_onnx_wants(n, output))
        return mg_onnx_give(n, output, fresh) ? mg_onnx_operand(n, n->outputs[output]) : "_";
    return fresh;
}

// The mask as something to add, as wide as there are keys.
static const char *mask_of(MgOnnxNode *n, MgIx keys, MgDType type) {
    const MgOnnxValue *m = mg_onnx_input(n, 3);
    if (!m)
        return NULL;
    const char *mask = m->type.dtype == MG_BOOL
                           ? mg_onnx_text(n, "mask_scores($3, type = %s)", mg_dtype(type)->name)
                           : "$3";
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

// Masked scores that leave: with a mask of truths the least finite number stands for -inf, as ONNX
// Runtime gives them.
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

// How many keys a query sees on a side; as many as there may be where nothing is said.
static long long window(MgOnnxNode *n, const char *side) {
    int64_t size = mg_onnx_int(n, side, -1);
    return size < 0 || size > INT32_MAX ? INT32_MAX : size;
}

static bool windowed(MgOnnxNode *n) {
    return window(n, "left_window_size") < INT32_MAX || window(n, "right_window_size") < INT32_MAX;
}

// Step by step: scores, cap, mask, causal mask, softmax; output 3 is one of them.
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
        if (i == 2)
            steps[2] = a->mask ? mg_onnx_text(n, "add_mask(%s, %s)", last, a->mask) : NULL;
        if (i == 2 && causal)
            steps[2] = mg_onnx_text(n, "causal_mask(%s, past = %s)", steps[2] ? steps[2] : last,
                                    mg_onnx_ix(n, a->past));
        if (i == 2 && windowed(n))
            steps[2] = mg_onnx_text(n, "window_mask(%s, left = %lld, right = %lld, past = %s)",
                                    steps[2] ? steps[2] : last, window(n, "left_window_size"),
                                    window(n, "right_window_size"), mg_onnx_ix(n, a->past));
        if (i == 3)
            steps[3] = mg_onnx_text(n, "masked_softmax(%s)", last);
        static const char *const hints[] = {"scores", "capped", "masked", "probabilities"};
        stage[i] = steps[i] ? mg_onnx_let(n, hints[i], steps[i]) : stage[i - 1];
        if (!stage[i])
            return false;
    }
    if (mg_onnx_wants(n, 3) && (mode < 0 || mode > 3 || !give_scores(a, stage[mode], mode == 2)))
        return mg_onnx_fail(n, "attribute 'qk_matmul_output_mode' is %lld", (long long)mode);
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
        return mg_onnx_fail(n, "its inputs have %u and %u dimensions; expected 3 or 4", q->rank,
                            k->rank);
    if (mg_onnx_input(n, 6))
        return mg_onnx_unsupported(n, "lengths of keys");
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
    if (cap > 0 || mg_onnx_wants(n, 3) || !usual || windowed(n))
        return in_steps(&a, "{, scale = @scale}", cap, causal);
    const char *y =
        mg_onnx_text(n, "attention(%s, %s, %s%s%s%s{, scale = @scale})", a.q, a.k, a.v,
                     a.mask ? ", " : "", a.mask ? a.mask : "", causal ? ", causal = true" : "");
    return mg_onnx_give(n, 0, a.flat ? mg_onnx_text(n, "merge_heads(%s)", y) : y);
}

MG_ONNX_OP(rotary) {
    (void)text;
    if (!mg_onnx_takes(n, 3))
        return false;
    bool flat = n->inputs[0]->type.rank == 3;
    const char *x = with_heads(n, 0, mg_onnx_int(n, "num_heads", 1));
    bool by_place = mg_onnx_input(n, 3);
    const char *y =
        mg_onnx_text(n, "rotary_by(%s, %s, %s{, interleaved = @interleaved:bool})", x,
                     by_place ? "gather($1, $3)" : "$1", by_place ? "gather($2, $3)" : "$2");
    return mg_onnx_give(n, 0, flat ? mg_onnx_text(n, "merge_heads(%s)", y) : y);
}
