// Fuzzes the loader of compiled images, which come from the cache and from packages. However an
// image is changed, it must be refused or loaded, without reading or writing outside it. A loaded
// image is not run, since code from a cache is trusted. The first byte of input says how much is
// cut off. Then three bytes make one change: the position in the object (16 bits, scaled to its
// length), and the number added to the byte there.
#include "backends/cpu/hand_program.h"
#include "fuzz_file.h"

static unsigned char *object;
static size_t object_length;

// One kernel and a plan that calls it have symbols, constants and relocations of each kind.
static void make_object(void) {
    static float memory[64];
    MgCpuProgram c;
    mg_hand_begin(&c);
    for (int i = 0; i < 2; i++)
        mg_hand_port(&c, memory, MG_F32, 64);
    mg_hand_ports_end(&c);
    MgKernel *k = mg_hand_kernel(&c, "root");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, 64), 1);
    const MgKx *i = mg_kvar(k, loop->var), *v = mg_kload(k, x, i, 1, NULL, NULL);
    mg_kstore(k, &loop->body, y, i, mg_kprim(k, MG_PRIM_SQRT, v, NULL, NULL), NULL);
    MgKBufId buffers[] = {0, 1};
    mg_hand_call(&c, &c.program->plan->body, k, buffers, NULL);
    mg_kparam(c.program->bind, "slots", MG_I64, false, true);
    if (!mg_backend_find("cpu")->object(c.session, c.program, NULL, &object, &object_length))
        abort();
    mg_hand_end(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[MG_IMAGE_ERROR_MAX];
    if (!object)
        make_object();
    size_t cut = size && data[0] < 64 ? data[0] * object_length / 64 : 0;
    size_t length = object_length - cut;
    unsigned char *copy = malloc(length); // an allocation of its own shows a read past its end
    if (!copy)
        abort();
    memcpy(copy, object, length);
    for (size_t i = 1; i + 3 <= size && length; i += 3)
        copy[(data[i] | (size_t)data[i + 1] << 8) * length / 65536] += data[i + 2];
    MgLoadedImage *loaded = mg_image_load(copy, length, error);
    if (!loaded && !error[0])
        abort();
    mg_image_unload(loaded);
    free(copy);
    return 0;
}
