// Fuzzes the ONNX front end's translation of nodes. The bytes are read as choices: an operator of
// the table, its inputs, its attributes and their values. So every input is a well-formed file, and
// every row is reached. What is accepted is a program that the language accepts too.
#include "fuzz_file.h"

#include "frontend/onnx/internal.h"
#include "frontend/onnx/onnx.h"
#include "frontend/sema.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Choices {
    MgArena *arena;
    const uint8_t *at, *end;
    uint32_t n_values, depth; // values that nodes may read: v0, v1, …
} Choices;

static uint32_t choose(Choices *c, uint32_t n) {
    return c->at < c->end ? *c->at++ % n : 0;
}

// One element of an array.
#define PICK(c, array) ((array)[choose(c, sizeof(array) / sizeof *(array))])

static const int64_t numbers[] = {
    0,  1,  2,  3,  4,  5,  6,   7,   8,   10,  11,   12,   16,          17,        20,
    21, 22, -1, -2, -3, -4, 100, 255, 256, 511, 4096, 9999, -2147483648, INT64_MIN, INT64_MAX};
static const float reals[] = {0,     1,   -1,    0.5F,  2,           3,
                              1e-5F, 100, -0.0F, 1e30F, 1.0F / 0.0F, 0.0F / 0.0F};
static const char *const words[] = {"",
                                    "linear",
                                    "nearest",
                                    "cubic",
                                    "bilinear",
                                    "bicubic",
                                    "stretch",
                                    "not_larger",
                                    "not_smaller",
                                    "none",
                                    "tanh",
                                    "Tanh",
                                    "Sigmoid",
                                    "Relu",
                                    "Affine",
                                    "LeakyRelu",
                                    "HardSigmoid",
                                    "forward",
                                    "reverse",
                                    "bidirectional",
                                    "NOTSET",
                                    "SAME_UPPER",
                                    "SAME_LOWER",
                                    "VALID",
                                    "half_pixel",
                                    "half_pixel_symmetric",
                                    "pytorch_half_pixel",
                                    "align_corners",
                                    "asymmetric",
                                    "tf_half_pixel_for_nn",
                                    "tf_crop_and_resize",
                                    "output_half_pixel",
                                    "round_prefer_floor",
                                    "round_prefer_ceil",
                                    "floor",
                                    "ceil",
                                    "constant",
                                    "reflect",
                                    "edge",
                                    "wrap",
                                    "zeros",
                                    "border",
                                    "reflection",
                                    "avg",
                                    "max",
                                    "min",
                                    "add",
                                    "mul",
                                    "sum",
                                    "mean",
                                    "DCR",
                                    "CRD",
                                    "TF",
                                    "IDF",
                                    "TFIDF",
                                    "LEFT",
                                    "RIGHT",
                                    "ij,jk->ik",
                                    "...ii->i",
                                    "bij,...jk",
                                    "i->",
                                    "ij->ji,",
                                    "\xff"};
static const struct Named {
    const char *name;
    int kind; // 1 f, 2 i, 3 s, 4 t, 5 g, 6 floats, 7 ints, 8 strings
} attributes[] = {{"activation_alpha", 6},
                  {"activation_beta", 6},
                  {"activations", 8},
                  {"align_corners", 2},
                  {"allowzero", 2},
                  {"alpha", 1},
                  {"antialias", 2},
                  {"approximate", 3},
                  {"auto_pad", 3},
                  {"axes", 7},
                  {"axis", 2},
                  {"batch_axis", 2},
                  {"batch_dims", 2},
                  {"beta", 1},
                  {"bias", 1},
                  {"block_size", 2},
                  {"blocksize", 2},
                  {"body", 5},
                  {"broadcast", 2},
                  {"ceil_mode", 2},
                  {"center_point_box", 2},
                  {"clip", 1},
                  {"coordinate_transformation_mode", 3},
                  {"count_include_pad", 2},
                  {"cubic_coeff_a", 1},
                  {"detect_negative", 2},
                  {"detect_positive", 2},
                  {"dilations", 7},
                  {"direction", 3},
                  {"dtype", 2},
                  {"else_branch", 5},
                  {"ends", 7},
                  {"epsilon", 1},
                  {"equation", 3},
                  {"exclude_outside", 2},
                  {"extrapolation_value", 1},
                  {"fmod", 2},
                  {"gamma", 1},
                  {"group", 2},
                  {"hidden_size", 2},
                  {"high", 1},
                  {"input_forget", 2},
                  {"interleaved", 2},
                  {"is_causal", 2},
                  {"is_test", 2},
                  {"k", 2},
                  {"keep_aspect_ratio_policy", 3},
                  {"keepdims", 2},
                  {"kernel_shape", 7},
                  {"kv_num_heads", 2},
                  {"lambd", 1},
                  {"largest", 2},
                  {"layout", 2},
                  {"linear_before_reset", 2},
                  {"low", 1},
                  {"max", 1},
                  {"max_gram_length", 2},
                  {"mean", 1},
                  {"min", 1},
                  {"min_gram_length", 2},
                  {"mode", 3},
                  {"momentum", 1},
                  {"nearest_mode", 3},
                  {"ngram_counts", 7},
                  {"ngram_indexes", 7},
                  {"noop_with_empty_axes", 2},
                  {"num_groups", 2},
                  {"num_heads", 2},
                  {"num_outputs", 2},
                  {"num_scan_inputs", 2},
                  {"onesided", 2},
                  {"output_datatype", 2},
                  {"output_dtype", 2},
                  {"output_height", 2},
                  {"output_padding", 7},
                  {"output_shape", 7},
                  {"output_width", 2},
                  {"p", 1},
                  {"p", 2},
                  {"padding_mode", 3},
                  {"pads", 7},
                  {"perm", 7},
                  {"periodic", 2},
                  {"pool_int64s", 7},
                  {"pooled_shape", 7},
                  {"precision", 2},
                  {"q_num_heads", 2},
                  {"qk_matmul_output_mode", 2},
                  {"ratio", 1},
                  {"reduction", 3},
                  {"reverse", 2},
                  {"rotary_embedding_dim", 2},
                  {"sample_size", 2},
                  {"sampling_ratio", 2},
                  {"saturate", 2},
                  {"scale", 1},
                  {"scales", 6},
                  {"scan_input_axes", 7},
                  {"scan_input_directions", 7},
                  {"scan_output_axes", 7},
                  {"scan_output_directions", 7},
                  {"seed", 1},
                  {"select_last_index", 2},
                  {"shape", 7},
                  {"size", 2},
                  {"softcap", 1},
                  {"sorted", 2},
                  {"spatial_scale", 1},
                  {"split", 7},
                  {"starts", 7},
                  {"stash_type", 2},
                  {"storage_order", 2},
                  {"strides", 7},
                  {"then_branch", 5},
                  {"time_axis", 2},
                  {"to", 2},
                  {"training_mode", 2},
                  {"transA", 2},
                  {"transB", 2},
                  {"upper", 2},
                  {"value", 4},
                  {"value_float", 1},
                  {"value_floats", 6},
                  {"value_int", 2},
                  {"value_ints", 7},
                  {"weights", 6},
                  {"width_scale", 1},
                  {"height_scale", 1}};

// ---------------------------------------------------------------- the wire format
static void varint(MgText *out, uint64_t value) {
    for (; value > 127; value >>= 7)
        mg_text_add_n(out, &(char){(char)(value | 128)}, 1);
    mg_text_add_n(out, &(char){(char)value}, 1);
}

static void integer(MgText *out, unsigned field, int64_t value) {
    varint(out, field << 3);
    varint(out, (uint64_t)value);
}

static void real(MgText *out, unsigned field, float value) {
    varint(out, field << 3 | 5);
    mg_text_add_n(out, (const char *)&value, sizeof value);
}

static void bytes(MgText *out, unsigned field, const char *at, size_t n) {
    varint(out, field << 3 | 2);
    varint(out, n);
    mg_text_add_n(out, at, n);
}

static void word(MgText *out, unsigned field, const char *text) {
    bytes(out, field, text, strlen(text));
}

static void message(MgText *out, unsigned field, MgText inner) {
    bytes(out, field, mg_text_str(&inner), inner.bytes.len);
}

// ---------------------------------------------------------------- choices
// Types by ONNX's numbers, with their bytes. The usual ones come more often.
static const struct {
    uint8_t type, bytes;
} types[] = {{1, 4}, {1, 4}, {1, 4},  {7, 8},  {7, 8},  {6, 4},  {9, 1}, {10, 2}, {11, 8},
             {3, 1}, {2, 1}, {16, 2}, {17, 1}, {21, 1}, {22, 1}, {5, 2}, {8, 1},  {13, 8}};

// Common shapes, so that many nodes fit their inputs.
static const struct {
    uint8_t rank, dims[5];
} shapes[] = {{4, {1, 4, 6, 6}},
              {4, {1, 4, 6, 6}},
              {4, {4, 4, 3, 3}},
              {3, {2, 4, 4}},
              {2, {4, 4}},
              {2, {4, 4}},
              {1, {4}},
              {1, {4}},
              {1, {1}},
              {0, {0}},
              {1, {2}},
              {1, {8}},
              {5, {1, 2, 4, 4, 4}}};

static MgText tensor(Choices *c, const char *name) {
    MgText out = mg_text(c->arena);
    uint32_t usual = choose(c, 2 * sizeof shapes / sizeof *shapes),
             n_shapes = sizeof shapes / sizeof *shapes;
    uint32_t rank = usual < n_shapes ? shapes[usual].rank : choose(c, 5),
             t = choose(c, sizeof types / sizeof *types);
    size_t n = types[t].bytes;
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t d = usual < n_shapes ? shapes[usual].dims[i] : choose(c, 7);
        integer(&out, 1, d);
        n *= d;
    }
    integer(&out, 2, types[t].type);
    word(&out, 8, name);
    char *data = MG_NEW_N(c->arena, char, n + 1);
    for (size_t i = 0; i < n && c->at < c->end; i += types[t].bytes) {
        int64_t whole = PICK(c, numbers);
        float f = PICK(c, reals);
        memcpy(data + i, types[t].type == 1 ? (const void *)&f : &whole, types[t].bytes);
    }
    bytes(&out, 9, data, choose(c, 40) == 39 ? n + 1 : n);
    return out;
}

static MgText port(Choices *c, const char *name) {
    MgText out = mg_text(c->arena), type = mg_text(c->arena), kind = mg_text(c->arena),
           shape = mg_text(c->arena);
    uint32_t usual = choose(c, 2 * sizeof shapes / sizeof *shapes),
             n_shapes = sizeof shapes / sizeof *shapes;
    uint32_t t = choose(c, 3) ? 0 : choose(c, sizeof types / sizeof *types),
             rank = usual < n_shapes ? shapes[usual].rank : choose(c, 6);
    for (uint32_t i = 0; i < rank; i++) {
        MgText dim = mg_text(c->arena);
        uint32_t d = usual < n_shapes ? shapes[usual].dims[i] : choose(c, 12);
        if (d >= 9)
            word(&dim, 2, d == 9 ? "N" : d == 10 ? "M" : "");
        else
            integer(&dim, 1, d);
        message(&shape, 1, dim);
    }
    integer(&kind, 1, types[t].type);
    message(&kind, 2, shape);
    message(&type, 1, kind);
    word(&out, 1, name);
    message(&out, 2, type);
    return out;
}

static const char *value(Choices *c, uint32_t k) {
    return mg_arena_printf(c->arena, "v%u", k);
}

static MgText graph(Choices *c);

static MgText attribute(Choices *c) {
    MgText out = mg_text(c->arena);
    struct Named a = PICK(c, attributes);
    uint32_t count = choose(c, 8);
    if (choose(c, 32) == 31)
        a.kind = 1 + (int)choose(c, 8);
    word(&out, 1, a.name);
    if (choose(c, 64) != 63)
        integer(&out, 20, a.kind);
    if (a.kind == 1)
        real(&out, 2, PICK(c, reals));
    else if (a.kind == 2)
        integer(&out, 3, PICK(c, numbers));
    else if (a.kind == 3)
        word(&out, 4, PICK(c, words));
    else if (a.kind == 4)
        message(&out, 5, tensor(c, "t"));
    else if (a.kind == 5 && c->depth < 2)
        message(&out, 6, graph(c));
    for (uint32_t i = 0; i < count && a.kind > 5; i++)
        if (a.kind == 6)
            real(&out, 7, PICK(c, reals));
        else if (a.kind == 7)
            integer(&out, 8, PICK(c, numbers));
        else
            word(&out, 9, PICK(c, words));
    return out;
}

static MgText node(Choices *c) {
    MgText out = mg_text(c->arena);
    uint32_t n_rows = 0, before = c->n_values;
    while (mg_onnx_rows[n_rows].name)
        n_rows++;
    uint32_t pick = choose(c, 256);
    const MgOnnxRow *row = &mg_onnx_rows[(choose(c, 256) << 8 | pick) % n_rows];
    uint32_t n_inputs = choose(c, 4) ? 1 + choose(c, 3) : choose(c, 8);
    uint32_t n_outputs = choose(c, 4) ? 0 : choose(c, 4), n_attributes = choose(c, 6);
    for (uint32_t i = 0; i < n_inputs; i++) {
        uint32_t k = before && choose(c, 16) ? choose(c, before) : before;
        word(&out, 1, k == before ? "" : value(c, before - 1 - k));
    }
    for (uint32_t i = 0; i <= n_outputs; i++)
        word(&out, 2, value(c, c->n_values++));
    word(&out, 4, row->name);
    word(&out, 7, row->domain);
    for (uint32_t i = 0; i < n_attributes; i++)
        message(&out, 5, attribute(c));
    return out;
}

static MgText graph(Choices *c) {
    MgText out = mg_text(c->arena);
    uint32_t n_inputs = choose(c, 5), n_tensors = choose(c, 5), n_nodes = 1 + choose(c, 4);
    c->depth++;
    for (uint32_t i = 0; i < n_inputs; i++)
        message(&out, 11, port(c, value(c, c->n_values++)));
    for (uint32_t i = 0; i < n_tensors; i++)
        message(&out, 5, tensor(c, value(c, c->n_values++)));
    for (uint32_t i = 0; i < n_nodes; i++)
        message(&out, 1, node(c));
    uint32_t n_outputs = choose(c, 4);
    for (uint32_t i = 0; i < n_outputs && i < c->n_values; i++)
        message(&out, 12, port(c, value(c, c->n_values - 1 - i)));
    c->depth--;
    return out;
}

static MgText model(Choices *c) {
    static const char *const domains[] = {"", "ai.onnx.ml", "com.microsoft"};
    MgText out = mg_text(c->arena);
    for (uint32_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        MgText opset = mg_text(c->arena);
        word(&opset, 1, domains[i]);
        integer(&opset, 2, i ? 1 : 24 - (int)choose(c, 24));
        message(&out, 8, opset);
    }
    message(&out, 7, graph(c));
    return out;
}

static void read(MgSession *session, const uint8_t *data, size_t size) {
    Choices c = {.arena = session->arena, .at = data, .end = data + size};
    MgText text = model(&c);
    MgFileBytes file = {.path = "fuzz.onnx",
                        .bytes = (const unsigned char *)mg_text_str(&text),
                        .length = text.bytes.len};
    MgOnnxImport import;
    const char *keep = getenv("MG_FUZZ_KEEP"); // a place to write the model to
    FILE *kept = keep ? fopen(keep, "wb") : NULL;
    if (kept) {
        fwrite(file.bytes, 1, file.length, kept);
        fclose(kept);
    }
    if (!mg_onnx_import_file(session, &file, "fuzz.safetensors", NULL, 0, &import)) {
        MgText out = mg_text(session->arena);
        mg_diags_render(session, &out, false);
        if (strstr(mg_text_str(&out), "internal error") || !session->n_errors) {
            fprintf(stderr, "%s\n", mg_text_str(&out));
            abort();
        }
        return;
    }
    for (uint32_t i = 0; i < import.weights.tensors.len; i++)
        fuzz_touch(import.weights.tensors.at[i].data, import.weights.tensors.at[i].bytes);
    MgModule *module = mg_load_module_text(session, "import", import.text, import.length);
    if (module && mg_module_verify(module))
        return;
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    fprintf(stderr, "%s\n%s\n", import.text, mg_text_str(&out));
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_file(data, size, read);
}
