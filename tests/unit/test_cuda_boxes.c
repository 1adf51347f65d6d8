// Tests which tensors the CUDA host maps for boxes (backends/cuda/boxes.h).
#include "backends/cuda/boxes.h"
#include "tests/unit/check.h"

#include <string.h>

static struct {
    int type;
    uint32_t rank, channels, pixels;
    MgCuPointer at;
    uint64_t sizes[5], strides[4];
    uint32_t extents[5], steps[5];
    int low[3], high[3];
} asked;

static MgCuResult map(MgCuMap *m, int type, uint32_t rank, MgCuPointer at, const uint64_t *sizes,
                      const uint64_t *strides, const uint32_t *extents, const uint32_t *steps,
                      int interleaved, int swizzled, int promoted, int outside) {
    asked.type = type;
    asked.rank = rank;
    asked.at = at;
    memcpy(asked.sizes, sizes, rank * sizeof *sizes);
    memcpy(asked.strides, strides, (rank - 1) * sizeof *strides);
    memcpy(asked.extents, extents, rank * sizeof *extents);
    memcpy(asked.steps, steps, rank * sizeof *steps);
    m->opaque[0] = 1;
    ck_assert(!interleaved && swizzled == 3 && promoted == 3 && !outside);
    return 0;
}

static MgCuResult map_pixels(MgCuMap *m, int type, uint32_t rank, MgCuPointer at,
                             const uint64_t *sizes, const uint64_t *strides, const int *low,
                             const int *high, uint32_t channels, uint32_t pixels,
                             const uint32_t *steps, int interleaved, int swizzled, int promoted,
                             int outside) {
    uint32_t extents[5] = {0};
    map(m, type, rank, at, sizes, strides, extents, steps, interleaved, swizzled, promoted,
        outside);
    memcpy(asked.low, low, (rank - 2) * sizeof *low);
    memcpy(asked.high, high, (rank - 2) * sizeof *high);
    asked.channels = channels;
    asked.pixels = pixels;
    return 0;
}

static const MgCuApi api = {.map = map, .map_pixels = map_pixels};

START_TEST(plain) {
    MgCuMap m;
    MgCuBox box = {.element = 2, .rank = 3, .axes = {{64, 2, 64}, {512, 8192, 32}, {9, 128, 4}}};
    ck_assert_int_eq(mg_cu_map(&api, &box, 4096, &m), 0);
    ck_assert(m.opaque[0] == 1 && asked.at == 4096 && asked.rank == 3);
    ck_assert_int_eq(asked.type, MG_CU_U16);
    ck_assert(asked.sizes[0] == 64 && asked.sizes[1] == 512 && asked.sizes[2] == 9);
    ck_assert(asked.strides[0] == 8192 && asked.strides[1] == 128);
    ck_assert(asked.extents[0] == 64 && asked.extents[1] == 32 && asked.extents[2] == 4);
    ck_assert(asked.steps[0] == 1 && asked.steps[1] == 1 && asked.steps[2] == 1);
    box = (MgCuBox){.element = 4, .rounds = 1, .rank = 2, .axes = {{32, 4, 32}, {64, 128, 8}}};
    ck_assert_int_eq(mg_cu_map(&api, &box, 4096, &m), 0);
    ck_assert_int_eq(asked.type, MG_CU_TF32);
}
END_TEST

START_TEST(windows) {
    MgCuMap m;
    MgCuBox box = {.element = 1,
                   .rank = 4,
                   .pixels = 128,
                   .axes = {{128, 1, 128}, {56, 128, 1}, {28, 7168, 1}, {3, 200704, 1}},
                   .walks = {{-1, -2, 2}, {0, -1, 1}}};
    ck_assert_int_eq(mg_cu_map(&api, &box, 64, &m), 0);
    ck_assert_int_eq(asked.type, MG_CU_U8);
    ck_assert(asked.channels == 128 && asked.pixels == 128);
    ck_assert(asked.low[0] == -1 && asked.high[0] == -2 && !asked.low[1] && asked.high[1] == -1);
    ck_assert(asked.steps[0] == 1 && asked.steps[1] == 2 && asked.steps[2] == 1 &&
              asked.steps[3] == 1);
    ck_assert(asked.strides[0] == 128 && asked.strides[1] == 7168 && asked.strides[2] == 200704);
}
END_TEST

START_TEST(wrong) {
    MgCuMap m;
    MgCuBox box = {.element = 2, .rank = 6};
    ck_assert_int_eq(mg_cu_map(&api, &box, 64, &m), MG_CU_INVALID_VALUE);
    box = (MgCuBox){.element = 8, .rank = 2};
    ck_assert_int_eq(mg_cu_map(&api, &box, 64, &m), MG_CU_INVALID_VALUE);
    box = (MgCuBox){.element = 2, .rank = 2, .pixels = 64};
    ck_assert_int_eq(mg_cu_map(&api, &box, 64, &m), MG_CU_INVALID_VALUE);
}
END_TEST

MG_TEST_MAIN("cuda_boxes", plain, windows, wrong)
