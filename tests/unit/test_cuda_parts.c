// Tests how a source is divided, and the image of parts, whatever its bytes are.
#include "backends/cuda/parts.h"
#include "backends/device_text.h"
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

enum { KIB = 1 << 10 };

static void line(char **at, const char *text, int times) {
    for (int i = 0; i < times; i++)
        *at += sprintf(*at, "%s\n", text);
}

static MgCuParts divided(const char *source, uint32_t most) {
    MgCuParts parts;
    ck_assert(mg_cu_divide(source, strlen(source), true, most, &parts));
    for (uint32_t i = 0; i < parts.n; i++) {
        ck_assert_uint_eq(strlen(parts.at[i].code), parts.at[i].bytes);
        ck_assert_int_eq(parts.at[i].stage, MG_CU_SOURCE);
    }
    return parts;
}

// Each kernel is in one part, the largest alone in the first, and all else in every part.
START_TEST(dealt) {
    static char source[400 * KIB];
    char *at = source, name[64];
    line(&at, "static int before(int x) {\n    return x;\n}\n", 1);
    for (int k = 0; k < 9; k++) {
        if (k % 2)
            line(&at, "__attribute__((reqd_work_group_size(64, 1, 1)))", 1);
        snprintf(name, sizeof name, "__kernel void k%d(__global int *x) {", k);
        line(&at, name, 1);
        line(&at, "    if (x[0]) {\n        x[0] = 0;\n    }", k == 3 ? 3000 : 500);
        line(&at, k == 4 ? "}\n#define BETWEEN" : "}", 1);
    }
    line(&at, "static int after;", 1);
    MgCuParts parts = divided(source, 3);
    ck_assert_uint_eq(parts.n, 3);
    for (int k = 0; k < 9; k++) {
        int in = 0;
        snprintf(name, sizeof name, "void k%d(", k);
        for (uint32_t i = 0; i < parts.n; i++)
            in += strstr(parts.at[i].code, name) != NULL;
        ck_assert_int_eq(in, 1);
    }
    ck_assert(strstr(parts.at[0].code, "(64, 1, 1)))\n__kernel void k3("));
    for (uint32_t i = 0; i < parts.n; i++) {
        ck_assert(!strncmp(parts.at[i].code, source, strlen("static int before")));
        ck_assert(strstr(parts.at[i].code, "\n#define BETWEEN\n"));
        ck_assert(strstr(parts.at[i].code, "\n}\nstatic int after;\n") ||
                  strstr(parts.at[i].code, "BETWEEN\nstatic int after;\n"));
        ck_assert(parts.at[i].bytes > 60 * KIB && parts.at[i].bytes < 130 * KIB);
    }
    mg_cu_parts_free(&parts);
    parts = divided(source, 1);
    ck_assert(parts.n == 1 && !strcmp(parts.at[0].code, source));
    mg_cu_parts_free(&parts);
}
END_TEST

// A short source, and one without kernels or with half of one, makes one part, as it is.
START_TEST(short_ones) {
    static const char *const sources[] = {"",
                                          "static int a;\n",
                                          "__kernel void a() {\n}\n__kernel void b() {\n}\n",
                                          "__kernel void a() {\n",
                                          "__kernel",
                                          "\n\n__kernel void a() {\n}"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        MgCuParts parts = divided(sources[i], 16);
        ck_assert(parts.n == 1 && !strcmp(parts.at[0].code, sources[i]));
        mg_cu_parts_free(&parts);
    }
}
END_TEST

static const char head[] = ".version 8.0\n.target sm_90a\n.address_size 64\n";

// Modules of PTX behind the source make parts, each with one head. Their kernels stay in the source
// only if they aren't wanted.
START_TEST(modules) {
    char source[4 * KIB];
    static const char c[] = "int f;\n__kernel void ab(int x) {\n}\n__kernel void a(int x) {\n}\n"
                            "__kernel void b(int x) {\n}\n";
    snprintf(source, sizeof source, "%s%s\n%s.entry a(\nfirst\n\n%s\n%s.entry b(\nsecond\n", c,
             "\n" MG_PTX_MODULE, head, MG_PTX_MODULE, head);
    MgCuParts parts;
    ck_assert(mg_cu_divide(source, strlen(source), true, 4, &parts));
    ck_assert_uint_eq(parts.n, 2);
    ck_assert_int_eq(parts.at[0].stage, MG_CU_SOURCE);
    ck_assert_str_eq(parts.at[0].code, "int f;\n__kernel void ab(int x) {\n}\n\n");
    ck_assert_int_eq(parts.at[1].stage, MG_CU_MODULES);
    ck_assert(!strncmp(parts.at[1].code, head, strlen(head)));
    ck_assert(!strstr(parts.at[1].code + 1, ".version"));
    ck_assert(strstr(parts.at[1].code, "first") && strstr(parts.at[1].code, "second"));
    ck_assert_uint_eq(parts.at[1].bytes, strlen(parts.at[1].code));
    mg_cu_parts_free(&parts);
    ck_assert(mg_cu_divide(source, strlen(source), false, 4, &parts));
    ck_assert(parts.n == 1 && strstr(parts.at[0].code, "void b(") &&
              !strstr(parts.at[0].code, ".entry"));
    mg_cu_parts_free(&parts);
    for (size_t n = 0; n < strlen(source); n++) { // cut short
        ck_assert(mg_cu_divide(source, n, true, 4, &parts));
        mg_cu_parts_free(&parts);
    }
    // All kernels have modules: nothing is left to compile.
    snprintf(source, sizeof source, "__kernel void a(int x) {\n}\n\n%s\n%s.entry a(\n",
             MG_PTX_MODULE, head);
    ck_assert(mg_cu_divide(source, strlen(source), true, 4, &parts));
    ck_assert(parts.n == 1 && parts.at[0].stage == MG_CU_MODULES);
    mg_cu_parts_free(&parts);
}
END_TEST

START_TEST(images) {
    char first[] = "first", second[] = "the second\0part";
    MgCuPart at[] = {{first, 5, MG_CU_LOADABLE},
                     {second, sizeof second - 1, MG_CU_LOADABLE},
                     {second, 0, MG_CU_LOADABLE}};
    MgCuParts parts = {at, 3}, read;
    size_t length;
    unsigned char *image = mg_cu_parts_write(&parts, &length);
    ck_assert_int_eq(mg_cu_parts_read(image, length, &read), MG_CU_READ);
    ck_assert_uint_eq(read.n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(read.at[i].bytes, at[i].bytes);
        ck_assert(!memcmp(read.at[i].code, at[i].code, at[i].bytes));
        ck_assert(!read.at[i].code[at[i].bytes] && read.at[i].stage == MG_CU_LOADABLE);
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

MG_TEST_MAIN("cuda_parts", dealt, short_ones, modules, images)
