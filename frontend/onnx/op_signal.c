// Operators of ops_signal.def.
#include "frontend/onnx/ops.h"

#include "frontend/spell.h"
#include "support/map.h"

// Input k as one integer, which may be an expression over dimensions.
static bool one_size(MgOnnxNode *n, uint32_t k, MgIx *size) {
    MgOnnxSizes s = mg_onnx_sizes(n, NULL, k);
    *size = mg_ix_const(n->t->ix, 0);
    if (n->failed || s.n != 1)
        return mg_onnx_fail(n, "input %u must be one number", k);
    *size = s.at[0];
    return true;
}

// The axis is an attribute in opset 17 and an input from 20 on.
MG_ONNX_OP(dft) {
    (void)text;
    int64_t axis = mg_onnx_int(n, "axis", n->opset < 20 ? 1 : -2);
    MgIx length;
    const char *sized = "";
    if (!mg_onnx_takes(n, 1))
        return false;
    if (mg_onnx_input(n, 2)) {
        MgOnnxInts given = mg_onnx_axes(n, NULL, 2);
        if (n->failed || given.n != 1)
            return mg_onnx_fail(n, "its axis must be one number");
        axis = given.at[0];
    }
    if (mg_onnx_input(n, 1)) {
        if (!one_size(n, 1, &length))
            return false;
        sized = mg_onnx_text(n, ", length = %s", mg_onnx_ix(n, length));
    }
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "dft($0, axis = %lld%s%s)", (long long)axis,
                                     "{, inverse = @inverse:bool}{, onesided = @onesided:bool}",
                                     sized));
}

MG_ONNX_OP(stft) {
    (void)text;
    MgIx step, length;
    const char *sized = "";
    if (!mg_onnx_takes(n, 2) || !one_size(n, 1, &step))
        return false;
    if (!mg_onnx_input(n, 2) && !mg_onnx_input(n, 3))
        return mg_onnx_fail(n, "it needs a window or the length of a frame");
    if (mg_onnx_input(n, 3)) {
        if (!one_size(n, 3, &length))
            return false;
        sized = mg_onnx_text(n, ", length = %s", mg_onnx_ix(n, length));
    }
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "stft($0, $2?, step = %s%s{, onesided = @onesided:bool})",
                                     mg_onnx_ix(n, step), sized));
}

MG_ONNX_OP(window) {
    MgIx size;
    return one_size(n, 0, &size) &&
           mg_onnx_give(
               n, 0,
               mg_onnx_text(n, "%s(n = %s%s)", text, mg_onnx_ix(n, size),
                            "{, periodic = @periodic:bool}{, type = @output_datatype:type}"));
}

MG_ONNX_OP(mel) {
    (void)text;
    MgIx size[3];
    const MgOnnxNumber *edge[2];
    uint32_t count[2];
    for (uint32_t k = 0; k < 3; k++)
        if (!one_size(n, k, &size[k]))
            return false;
    for (uint32_t k = 0; k < 2; k++)
        if (!mg_onnx_known(n, 3 + k, &edge[k], &count[k]) || count[k] != 1 || !edge[k]->real)
            return mg_onnx_fail(n, "input %u must be one float", 3 + k);
    return mg_onnx_give(
        n, 0,
        mg_onnx_text(n, "mel_weights(bins = %s, length = %s, rate = %s, low = %s, high = %s%s)",
                     mg_onnx_ix(n, size[0]), mg_onnx_ix(n, size[1]), mg_onnx_ix(n, size[2]),
                     mg_float_str(n->t->arena, edge[0]->f, true),
                     mg_float_str(n->t->arena, edge[1]->f, true),
                     "{, type = @output_datatype:type}"));
}

// ---------------------------------------------------------------- random numbers
// The bits of the node's seed. A node without one derives it from its result's name.
const char *mg_onnx_seed(MgOnnxNode *n) {
    const char *name = n->n_outputs ? n->proto->output[0] : "";
    uint64_t s = mg_hash(name, strlen(name), 0);
    const Onnx__AttributeProto *a = mg_onnx_attribute(n, "seed");
    if (a && a->has_i && !a->has_f) {
        s = (uint64_t)a->i;
    } else if (a) {
        float given = (float)mg_onnx_float(n, "seed", 0);
        uint32_t bits;
        memcpy(&bits, &given, sizeof bits);
        s = bits;
    }
    return mg_onnx_text(n, "%llu", (unsigned long long)s);
}

// ", type = …)": the node's type, otherwise that of x.
static const char *type_of(MgOnnxNode *n, const MgOnnxValue *x) {
    if (mg_onnx_has(n, "dtype"))
        return ", type = @dtype:type)";
    return x ? mg_onnx_text(n, ", type = %s)", mg_dtype(x->type.dtype)->name) : ")";
}

// text: the call, with a place for the seed (and the shape).
static const char *with_seed(MgOnnxNode *n, const char *text, const char *shape) {
    MgText out = mg_text(n->t->arena);
    const char *fill[] = {mg_onnx_seed(n), shape};
    for (uint32_t k = 0; *text; text++) {
        if (text[0] == '%' && text[1] == 's') {
            mg_text_add(&out, fill[k++]);
            text++;
        } else
            mg_text_add_n(&out, text, 1);
    }
    return mg_text_str(&out);
}

MG_ONNX_OP(random) {
    return mg_onnx_give(n, 0, mg_onnx_text(n, "%s%s", with_seed(n, text, ""), type_of(n, NULL)));
}

MG_ONNX_OP(random_like) {
    if (!mg_onnx_takes(n, 1))
        return false;
    const MgOnnxValue *x = n->inputs[0];
    const char *shape = mg_onnx_ix_list(n, x->type.shape, x->type.rank);
    return mg_onnx_give(n, 0, mg_onnx_text(n, "%s%s", with_seed(n, text, shape), type_of(n, x)));
}

MG_ONNX_OP(bernoulli) {
    (void)text;
    return mg_onnx_takes(n, 1) &&
           mg_onnx_give(
               n, 0,
               mg_onnx_text(n, "bernoulli($0, %s%s", mg_onnx_seed(n), type_of(n, n->inputs[0])));
}

MG_ONNX_OP(multinomial) {
    (void)text;
    return mg_onnx_give(n, 0,
                        mg_onnx_text(n, "multinomial($0, %s, n = @sample_size=1%s", mg_onnx_seed(n),
                                     type_of(n, NULL)));
}
