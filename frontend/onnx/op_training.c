// Operators of ops_training.def. A node optimises any number of tensors: first come all weights,
// then their gradients, then each kind of state. The outputs follow the same order.
#include "frontend/onnx/ops.h"

MG_ONNX_OP(optimiser) {
    uint32_t operands = n->n_inputs > 2 ? n->n_inputs - 2 : 0;
    uint32_t count = operands > n->n_outputs ? operands - n->n_outputs : 0;
    if (!count || operands % count || !mg_onnx_takes(n, n->n_inputs))
        return mg_onnx_fail(n,
                            "%u inputs and %u outputs are not those of tensors with their "
                            "gradients and states",
                            n->n_inputs, n->n_outputs);
    if (!mg_onnx_scalar(n, 0) || !mg_onnx_scalar(n, 1))
        return false;
    bool named = mg_onnx_has(n, "mode"); // only Momentum has it
    const char *mode = named ? mg_onnx_word(n, "mode", "standard nesterov") : "";
    const char *end = text[strlen(text) - 1] == ')' ? ""
                      : !strcmp(mode, "nesterov")   ? ", nesterov = true)"
                                                    : ")";
    for (uint32_t i = 0; i < count; i++) {
        MgText each = mg_text(n->t->arena), names = mg_text(n->t->arena);
        MgSym *results = MG_NEW_N(n->t->arena, MgSym, operands / count);
        for (uint32_t k = i; k < operands; k += count)
            mg_textf(&each, "%s$%u", k == i ? "" : ", ", k + 2);
        for (uint32_t k = i; k < n->n_outputs; k += count) {
            results[k / count] = mg_onnx_output_name(n, k, "");
            mg_textf(&names, "%s%s", k == i ? "" : ", ", mg_onnx_spelled(n->t, results[k / count]));
        }
        const char *before = strstr(text, "%s");
        if (!mg_onnx_say_template(n, mg_onnx_text(n, "%s = %.*s%s%s%s", mg_text_str(&names),
                                                  (int)(before - text), text, mg_text_str(&each),
                                                  before + 2, end)))
            return false;
        for (uint32_t k = i; k < n->n_outputs; k += count)
            if (!mg_onnx_bind(n, k, results[k / count]))
                return false;
    }
    return true;
}
