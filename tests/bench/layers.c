// layers COUNT WIDTH FOLDER: writes net.mg, a chain of so many linear layers, and its weights: the
// input of the compile-time benchmark.
#include "runtime/safetensors.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_net(MgSession *session, const char *folder, int count, int width) {
    MgText out = mg_text(session->arena);
    mg_textf(&out,
             "mg 1\nimport nn\ngraph net(x0: f32[32, %d]) -> (y: f32[32, %d])\n    weights "
             "\"net.safetensors\"\n{\n",
             width, width);
    for (int i = 0; i < count; i++)
        mg_textf(&out, "    x%d = nn.linear(x%d, features = %d)\n", i + 1, i, width);
    mg_textf(&out, "    y = relu(x%d)\n}\n", count);
    return mg_file_write(session, mg_arena_printf(session->arena, "%s/net.mg", folder),
                         &(MgBytes){out.bytes.at, out.bytes.len}, 1);
}

static bool write_weights(MgSession *session, const char *folder, int count, int width) {
    float *data = MG_NEW_N(session->arena, float, (size_t)width *width);
    for (int i = 0; i < width * width; i++)
        data[i] = (float)(i % 7 - 3) / (float)(4 * width);
    int64_t dims[2] = {width, width};
    MgSafetensor *tensors = MG_NEW_N(session->arena, MgSafetensor, (size_t)2 * count);
    for (int i = 0; i < count; i++)
        for (int bias = 0; bias < 2; bias++)
            tensors[2 * i + bias] = (MgSafetensor){
                .key = mg_symf(session->names, "x%d.%s", i + 1, bias ? "bias" : "weight"),
                .dtype = MG_F32,
                .rank = bias ? 1 : 2,
                .dims = dims,
                .data = data,
                .bytes = sizeof(float) * (size_t)width * (bias ? 1 : (size_t)width)};
    return mg_safetensors_write(session,
                                mg_arena_printf(session->arena, "%s/net.safetensors", folder),
                                tensors, (size_t)2 * count);
}

int main(int argc, char **argv) {
    MgSession *session = mg_session_new(0);
    if (argc != 4 || !session)
        return 2;
    MgTry frame;
    bool ok = false;
    if (MG_TRY(session->mem, frame)) {
        ok = write_net(session, argv[3], atoi(argv[1]), atoi(argv[2])) &&
             write_weights(session, argv[3], atoi(argv[1]), atoi(argv[2]));
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return !ok;
}
