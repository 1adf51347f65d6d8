// Weights are uniform with variance 1 / n, so that values keep their scale through the layers.
#include "tools/random_graph.h"

#include "formats/safetensors.h"

#include <math.h>

const MgcSeed mgc_seeds[MGC_SEEDS] = {
    {"alder", 101}, {"birch", 202}, {"cedar", 303}, {"elm", 404}, {"fir", 505}};

static uint64_t next(uint64_t *state) { // splitmix64: Steele, Lea, Flood, OOPSLA 2014
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void fill(float *to, size_t count, double scale, uint64_t seed) {
    for (size_t i = 0; i < count; i++)
        to[i] = (float)(((double)(next(&seed) >> 11) * 0x1p-52 - 1) * scale);
}

const char *mgc_random_layers(MgSession *session, uint64_t seed, uint32_t depth) {
    char *layers = mg_arena_alloc(session->arena, depth + 1, 1);
    memset(layers, 'R', depth);
    layers[0] = 'L';
    layers[depth - 1] = 'S';
    layers[depth] = 0;
    uint32_t open = depth - 2, linear = depth / 2 - 1;
    for (uint32_t i = 1; i + 1 < depth; i++, open--) // each choice of places is equally likely
        if (next(&seed) % open < linear) {
            layers[i] = 'L';
            linear--;
        }
    return layers;
}

double mgc_random_flops(const char *layers, uint32_t n) {
    double flops = 0;
    for (; *layers; layers++)
        flops += *layers == 'L' ? 2.0 * n * n * n + (double)n * n : 0;
    return flops;
}

void mgc_random_input(uint64_t seed, uint32_t n, float *x) {
    fill(x, (size_t)n * n, 1, seed ^ 0x5eed);
}

static const char *text_of(MgSession *session, const char *layers, uint32_t n, MgText *out) {
    mg_textf(out,
             "mg 1\nimport nn\ngraph net(x: f32[%u, %u]) -> (y: f32[%u, %u])\n"
             "    weights \"net.safetensors\"\n{\n",
             n, n, n, n);
    const char *from = "x";
    for (uint32_t i = 0; layers[i]; i++) {
        const char *to = layers[i + 1] ? mg_arena_printf(session->arena, "h%u", i + 1) : "y";
        mg_textf(out,
                 layers[i] == 'L'   ? "    %s = nn.linear(%s, features = %u)\n"
                 : layers[i] == 'R' ? "    %s = relu(%s)\n"
                                    : "    %s = softmax(%s)\n",
                 to, from, n);
        from = to;
    }
    mg_text_add(out, "}\n");
    return mg_text_str(out);
}

static bool write_weights(MgSession *session, const char *path, uint64_t seed, const char *layers,
                          uint32_t n) {
    MgArena *arena = mg_arena_new(session->mem); // large, and freed once it is written
    size_t depth = strlen(layers), count = 0;
    int64_t dims[2] = {n, n};
    MgSafetensor *tensors = MG_NEW_N(arena, MgSafetensor, 2 * depth);
    for (size_t i = 0; i < depth; i++)
        for (int bias = 0; bias < 2 && layers[i] == 'L'; bias++) {
            size_t size = bias ? n : (size_t)n * n;
            float *data = MG_NEW_N(arena, float, size);
            fill(data, size, bias ? 0.1 : sqrt(3.0 / n), seed + 1000 * i + (size_t)bias);
            tensors[count++] = (MgSafetensor){
                .key = mg_symf(session->names, "h%zu.%s", i + 1, bias ? "bias" : "weight"),
                .dtype = MG_F32,
                .rank = bias ? 1 : 2,
                .dims = dims,
                .data = data,
                .bytes = size * sizeof *data};
        }
    bool ok = mg_safetensors_write(session, path, tensors, count);
    mg_arena_free(arena);
    return ok;
}

const char *mgc_random_graph_write(MgSession *session, const char *folder, uint64_t seed,
                                   uint32_t depth, uint32_t n) {
    const char *layers = mgc_random_layers(session, seed, depth);
    const char *path = mg_arena_printf(session->arena, "%s/net.mg", folder);
    const char *weights = mg_arena_printf(session->arena, "%s/net.safetensors", folder);
    MgText text = mg_text(session->arena);
    text_of(session, layers, n, &text);
    if (!write_weights(session, weights, seed, layers, n) ||
        !mg_file_write(session, path, &(MgBytes){text.bytes.at, text.bytes.len}, 1))
        return NULL;
    return path;
}
