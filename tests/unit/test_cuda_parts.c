// Tests how kernels are dealt out to parts, and the image of parts, whatever its bytes are.
#include "backends/cuda/parts.h"
#include "tests/unit/check.h"

#include <string.h>

enum { KIB = 1 << 10 };

// The largest kernel has a part of its own, and the others share the rest.
START_TEST(dealt) {
    MgCuKernel kernels[9] = {{.bytes = 10 * KIB}, {.bytes = 90 * KIB}};
    for (int i = 2; i < 9; i++)
        kernels[i].bytes = 20 * KIB;
    uint32_t wholes;
    ck_assert_uint_eq(mg_cu_deal(kernels, 9, 3, &wholes), 3);
    ck_assert_uint_eq(wholes, 0);
    size_t load[3] = {0};
    for (int i = 0; i < 9; i++)
        load[kernels[i].part] += kernels[i].bytes;
    ck_assert(load[0] == 90 * KIB && load[1] <= 80 * KIB && load[2] <= 80 * KIB);
}
END_TEST

// A short program makes one part, and a long one no more than kernels.
START_TEST(numbers) {
    MgCuKernel kernels[200] = {{.bytes = 3 * KIB}, {.bytes = 2 * KIB}};
    uint32_t wholes;
    ck_assert_uint_eq(mg_cu_deal(kernels, 0, 8, &wholes), 1);
    ck_assert_uint_eq(mg_cu_deal(kernels, 2, 8, &wholes), 1);
    kernels[0].bytes = 900 * KIB;
    ck_assert_uint_eq(mg_cu_deal(kernels, 2, 8, &wholes), 2);
    kernels[0].whole = true;
    ck_assert_uint_eq(mg_cu_deal(kernels, 1, 8, &wholes), 1);
    ck_assert_uint_eq(wholes, 1);
    ck_assert_uint_eq(mg_cu_deal(kernels, 2, 8, &wholes), 2);
    ck_assert(kernels[0].part == 0 && kernels[1].part == 1 && wholes == 1);
    for (int i = 0; i < 200; i++)
        kernels[i] = (MgCuKernel){.bytes = 100 * KIB};
    uint32_t most = mg_cu_deal(kernels, 200, 4096, &wholes);
    ck_assert(most > 8 && most <= 200);
    ck_assert_uint_eq(mg_cu_deal(kernels, 200, 1, &wholes), 1);
}
END_TEST

START_TEST(images) {
    char first[] = "first", second[] = "the second\0part";
    MgCuPart at[] = {{first, 5, false}, {second, sizeof second - 1, true}, {second, 0, false}};
    MgCuParts parts = {at, 3}, read;
    size_t length;
    unsigned char *image = mg_cu_parts_write(&parts, &length);
    ck_assert_int_eq(mg_cu_parts_read(image, length, &read), MG_CU_READ);
    ck_assert_uint_eq(read.n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(read.at[i].bytes, at[i].bytes);
        ck_assert(!memcmp(read.at[i].code, at[i].code, at[i].bytes));
        ck_assert(!read.at[i].code[at[i].bytes] && !read.at[i].links);
    }
    mg_cu_parts_free(&read);
    for (size_t n = 0; n < length; n++) // cut short
        ck_assert_int_eq(mg_cu_parts_read(image, n, &read), MG_CU_NO_IMAGE);
    for (size_t n = 0; n < length * 8; n++) { // each bit another one
        image[n / 8] ^= (unsigned char)(1 << n % 8);
        if (mg_cu_parts_read(image, length, &read) == MG_CU_READ)
            mg_cu_parts_free(&read);
        ck_assert_uint_eq(read.n, 0);
        image[n / 8] ^= (unsigned char)(1 << n % 8);
    }
    free(image);
}
END_TEST

MG_TEST_MAIN("cuda_parts", dealt, numbers, images)
