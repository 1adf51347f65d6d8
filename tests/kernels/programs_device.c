#include "tests/kernels/programs_device.h"

// A CPU with the lanes of OpenCL C and without f16 arithmetic. All workers run a program, and share
// all but its smallest kernels.
static void share(MgTargetInfo *info) {
    info->launch_ns = 0;
    info->barrier_ns = 4;
}

static bool portable_cpu(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = mg_backend_find("cpu")->target_info(session, march, info);
    info->max_lanes = 16;
    info->f16 = false;
    share(info);
    return ok;
}

static bool this_cpu(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = mg_backend_find("cpu")->target_info(session, march, info);
    share(info);
    return ok;
}

// A CPU that has all instructions for words of bytes and of bf16.
static bool words_cpu(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = this_cpu(session, march, info);
    info->dots = 1u << MG_ATOM_U8_I8 | 1u << MG_ATOM_I8_U8 | 1u << MG_ATOM_BF16;
    info->machine.dots_u8_i8 = info->machine.dots_bf16 = 100;
    return ok;
}

// A CPU with short vectors, whose instructions take a lane as a factor. Trips have several steps.
static bool lanes_cpu(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = words_cpu(session, march, info);
    info->vector_bytes = 16;
    info->vector_registers = 32;
    info->machine.lane_factors = 1;
    info->machine.tile_steps = 3;
    info->machine.pack = info->machine.turn = 0;
    return ok;
}

static bool small_cpu(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = this_cpu(session, march, info);
    info->l3_bytes = 16 << 10;
    return ok;
}

static bool gpu_with(MgSession *session, const char *properties, MgTargetInfo *info) {
    bool ok = mg_backend_find("opencl")->target_info(session, properties, info);
    info->workers = MG_TRIED_WORKERS;
    return ok;
}

// A small GPU, which small tests fill.
static bool small_gpu(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)march;
    bool ok = gpu_with(session, "cu=2,items=64,warp=8", info);
    info->machine.sort_added = 0; // so that steps of long sorts have all of their launches
    return ok;
}

static bool wide_gpu(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)march;
    bool ok = gpu_with(session, "cu=8,items=64,warp=8", info);
    info->machine.attention_keys = 64; // so that short caches are attention of few rows
    info->machine.attention_unit_keys = 1024;
    return ok;
}

// A GPU with matrix units, whose smallest tile has 128 items.
static bool matrix_units(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)march;
    return gpu_with(session, "cu=2,items=128,local=49152,warp=8,ptx=80", info);
}

static bool deep_units(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = matrix_units(session, march, info);
    info->local_most = 227 << 10;
    info->max_items = 256;
    return ok;
}

static bool hopper(MgSession *session, const char *march, MgTargetInfo *info) {
    (void)march;
    bool ok = gpu_with(session, "cu=2,items=256,local=49152,warp=8,ptx=90,posts=1", info);
    info->local_most = 227 << 10;
    return ok;
}

static bool hopper_with_boxes(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = hopper(session, march, info);
    info->boxes = true;
    info->machine.after_kernel = info->machine.least_kernel = 0; // so that small factors are packed
    info->machine.boxes_late = 0;                                // and small products have boxes
    return ok;
}

// With memory so slow that even two units compute the weights of attention again for derivatives.
static bool slow(bool ok, MgTargetInfo *info) {
    info->machine.memory_rate = 16;
    info->machine.weigh_share = 1;
    return ok;
}

static bool slow_units(MgSession *session, const char *march, MgTargetInfo *info) {
    return slow(matrix_units(session, march, info), info);
}

static bool slow_hopper(MgSession *session, const char *march, MgTargetInfo *info) {
    return slow(hopper(session, march, info), info);
}

static bool slow_boxes(MgSession *session, const char *march, MgTargetInfo *info) {
    return slow(hopper_with_boxes(session, march, info), info);
}

// With matrix units whose products split factors of f32.
static bool splitting_units(MgSession *session, const char *march, MgTargetInfo *info) {
    bool ok = deep_units(session, march, info);
    info->machine.parts_faster = 16;
    return slow(ok, info);
}

MgBackend mg_tried(const MgTried *t) {
    MgBackend cpu = {.name = "cpu",
                     .target_info = t->portable ? portable_cpu
                                    : t->small  ? small_cpu
                                    : t->words  ? words_cpu
                                    : t->lanes  ? lanes_cpu
                                                : this_cpu};
    MgBackend gpu = {.name = "opencl",
                     .on_device = true,
                     .target_info = t->boxes    ? (t->slow ? slow_boxes : hopper_with_boxes)
                                    : t->hopper ? (t->slow ? slow_hopper : hopper)
                                    : t->parts  ? splitting_units
                                    : t->slow   ? slow_units
                                    : t->deep   ? deep_units
                                    : t->units  ? matrix_units
                                    : t->wide   ? wide_gpu
                                                : small_gpu};
    return t->gpu ? gpu : cpu;
}
