// LSTM, GRU and RNN. Each direction is one call of the library's operator on that direction's
// weights. The results of two directions are stacked.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"

// The activations: the library's names for them, the parameters that they take, and ONNX's
// defaults.
static const struct Activation {
    const char *onnx, *word;
    bool alpha, beta;
    double default_alpha, default_beta;
} activations[] = {
    {"Sigmoid", "sigmoid", false, false, 0, 0},
    {"Tanh", "tanh", false, false, 0, 0},
    {"Relu", "relu", false, false, 0, 0},
    {"Affine", "affine", true, true, 1, 0},
    {"LeakyRelu", "leaky_relu", true, false, 0.01, 0},
    {"ThresholdedRelu", "thresholded_relu", true, false, 1, 0},
    {"ScaledTanh", "scaled_tanh", true, true, 1, 1},
    {"HardSigmoid", "hard_sigmoid", true, true, 0.2, 0.5},
    {"Elu", "elu", true, false, 1, 0},
    {"Softsign", "softsign", false, false, 0, 0},
    {"Softplus", "softplus", false, false, 0, 0},
};

typedef struct Recurrence {
    MgOnnxNode *n;
    const char *op;           // the library's operator
    const char *const *usual; // its activations if the node names none
    uint32_t n_functions;     // f, g, h
    uint32_t directions;
    bool batch_first; // layout 1
    MgOnnxFloats alpha, beta;
    uint32_t alpha_at, beta_at; // the number of them that were consumed
} Recurrence;

static const struct Activation *activation_of(Recurrence *r, uint32_t k) {
    MgOnnxNode *n = r->n;
    const char *name = mg_onnx_n_strs(n, "activations") ? mg_onnx_str_at(n, "activations", k)
                                                        : r->usual[k % r->n_functions];
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++)
        if (!strcasecmp(name, activations[i].onnx))
            return &activations[i];
    mg_onnx_fail(n, "there is no activation '%s'", name);
    return NULL;
}

static double parameter(const MgOnnxFloats *list, uint32_t *at, double otherwise) {
    return *at < list->n ? (double)list->at[(*at)++] : otherwise;
}

// ", f = "relu", …": the activations of direction d that differ from the library's defaults. The
// activations that take parameters consume them in order.
static void add_activations(Recurrence *r, uint32_t d, MgText *out) {
    MgArena *arena = r->n->t->arena;
    for (uint32_t k = 0; k < r->n_functions; k++) {
        const struct Activation *a = activation_of(r, d * r->n_functions + k);
        if (!a)
            return;
        if (strcmp(a->onnx, r->usual[k]) != 0)
            mg_textf(out, ", %c = \"%s\"", "fgh"[k], a -> word);
        if (a->alpha)
            mg_textf(
                out, ", %c_alpha = %s", "fgh"[k],
                mg_float_str(arena, parameter(&r->alpha, &r->alpha_at, a->default_alpha), true));
        if (a->beta)
            mg_textf(out, ", %c_beta = %s", "fgh"[k],
                     mg_float_str(arena, parameter(&r->beta, &r->beta_at, a->default_beta), true));
    }
}

// Input k of direction d, or `none`.
static const char *of_direction(Recurrence *r, uint32_t k, uint32_t d, bool state) {
    if (!mg_onnx_input(r->n, k))
        return "none";
    bool second = state && r->batch_first; // [B, D, H]
    return mg_onnx_text(r->n, "select($%u, index = %u%s)", k, d, second ? ", axis = 1" : "");
}

// Writes the call for direction d and returns the names of its results.
static bool call(Recurrence *r, const char *x, uint32_t d, bool reverse, uint32_t n_results,
                 const char **results) {
    MgOnnxNode *n = r->n;
    MgText out = mg_text(n->t->arena);
    static const char *const hints[] = {"states", "last_h", "last_c"};
    for (uint32_t i = 0; i < n_results; i++) {
        results[i] = mg_onnx_spelled(n->t, mg_onnx_fresh(n->t, NULL, hints[i]));
        mg_textf(&out, "%s%s", i ? ", " : "", results[i]);
    }
    mg_textf(&out, " = %s(%s, %s, %s, %s, %s, %s", r->op, x, of_direction(r, 1, d, false),
             of_direction(r, 2, d, false), of_direction(r, 3, d, false),
             mg_onnx_input(n, 4) ? "$4" : "none", of_direction(r, 5, d, true));
    if (n_results == 3)
        mg_textf(&out, ", %s, %s", of_direction(r, 6, d, true), of_direction(r, 7, d, false));
    add_activations(r, d, &out);
    mg_text_add(&out, "{, clip = @clip}");
    if (mg_onnx_int(n, "input_forget", 0))
        mg_text_add(&out, ", coupled = true");
    if (mg_onnx_int(n, "linear_before_reset", 0))
        mg_text_add(&out, ", reset_after = true");
    mg_textf(&out, "%s)", reverse ? ", reverse = true" : "");
    return !n->failed && mg_onnx_say_template(n, mg_text_str(&out));
}

// Makes output k from the results[d] of each direction.
static bool give(Recurrence *r, uint32_t k, const char *const *results) {
    MgOnnxNode *n = r->n;
    if (!mg_onnx_wants(n, k))
        return true;
    // Y is [S, D, B, H], or [B, S, D, H] with batch_first; a state is [D, B, H], or [B, D, H].
    unsigned axis = k ? r->batch_first : r->batch_first ? 2 : 1;
    const char *one = results[0], *two = r->directions == 2 ? results[1] : NULL;
    if (!k && r->batch_first) {
        one = mg_onnx_text(n, "swap_axes(%s, a = 0, b = 1)", one);
        two = two ? mg_onnx_text(n, "swap_axes(%s, a = 0, b = 1)", two) : NULL;
    }
    return mg_onnx_give(n, k,
                        two ? mg_onnx_text(n, "stack(%s, %s, axis = %u)", one, two, axis)
                            : mg_onnx_text(n, "unsqueeze(%s, axes = [%u])", one, axis));
}

static bool recurrence(MgOnnxNode *n, const char *op, const char *const *usual,
                       uint32_t n_functions, uint32_t n_results) {
    const char *direction = mg_onnx_str(n, "direction", "forward");
    bool both = !strcmp(direction, "bidirectional"), reverse = !strcmp(direction, "reverse");
    Recurrence r = {.n = n,
                    .op = op,
                    .usual = usual,
                    .n_functions = n_functions,
                    .directions = both ? 2 : 1,
                    .batch_first = mg_onnx_int(n, "layout", 0) == 1,
                    .alpha = mg_onnx_floats(n, "activation_alpha"),
                    .beta = mg_onnx_floats(n, "activation_beta")};
    uint32_t named = mg_onnx_n_strs(n, "activations");
    if (!mg_onnx_takes(n, 3))
        return false;
    if (!both && !reverse && strcmp(direction, "forward") != 0)
        return mg_onnx_fail(
            n, "attribute 'direction' is '%s'; expected forward, reverse or bidirectional",
            direction);
    if (named && named < r.directions * n_functions)
        return mg_onnx_fail(n, "it names %u activation%s; expected %u", named, mg_plural(named),
                            r.directions * n_functions);
    for (uint32_t k = 0; k < 3; k++)
        if (n->inputs[k]->type.rank != 3)
            return mg_onnx_fail(n, "input %u has rank %u; expected 3", k, n->inputs[k]->type.rank);
    const char *x = r.batch_first ? "swap_axes($0, a = 0, b = 1)" : "$0";
    const char *results[2][3], *column[2];
    for (uint32_t d = 0; d < r.directions; d++)
        if (!call(&r, x, d, reverse || d == 1, n_results, results[d]))
            return false;
    for (uint32_t k = 0; k < n_results; k++) {
        column[0] = results[0][k];
        column[1] = results[1][k];
        if (!give(&r, k, column))
            return false;
    }
    return true;
}

static const char *const gated[] = {"Sigmoid", "Tanh", "Tanh"};
static const char *const plain[] = {"Tanh"};

MG_ONNX_OP(lstm) {
    (void)text;
    return recurrence(n, "lstm_sequence", gated, 3, 3);
}

MG_ONNX_OP(gru) {
    (void)text;
    return recurrence(n, "gru_sequence", gated, 2, 2);
}

MG_ONNX_OP(rnn) {
    (void)text;
    return recurrence(n, "rnn_sequence", plain, 1, 2);
}
