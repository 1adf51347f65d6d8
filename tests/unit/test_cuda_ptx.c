// Tests how PTX that OpenCL's compiler made is rewritten for the CUDA driver.
#include "backends/cuda/ptx.h"
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

static const char head[] = ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n";
static const char small[] = "\n.entry small(\n\t.param .u64 small_param_0\n)\n{\n"
                            "\t.reg .b32 \t%r<5>;\n"
                            "\t// demoted variable\n"
                            "\t.shared .align 4 .b8 small_$_x[128];\n\n"
                            "\tmov.b32 \t%r1, %envreg6;\n"
                            "\tmov.b32 \t%r2, %envreg3;\n"
                            "\tmov.b32 \t%r3, %envreg0;\n"
                            "\tmov.u64 \t%rd1, small_$_x;\n"
                            "\tret;\n\n}\n";
static const char large[] = "\t// .globl\tlarge\n.entry large(\n\t.param .u64 large_param_0\n)\n{\n"
                            "\t.reg .b32 \t%r<5>;\n"
                            "\t.shared .align 16 .b8 large_$_a[100];\n"
                            "\t.shared .align 1024 .b8 large_$_ab[65536];\n"
                            "\tmov.u64 \t%rd1, large_$_ab;\n"
                            "\tld.shared.u32 \t%r1, [large_$_a+12];\n"
                            "\tst.shared.u32 \t[large_$_ab+4], %r1;\n"
                            "\tmov.u64 \t%rd2, large_$_abc;\n"
                            "\tret;\n}\n";

// The text of a program that makes one part, which is linked.
static char *rewritten(const char *first, const char *second) {
    char text[4096];
    ck_assert_int_lt(snprintf(text, sizeof text, "%s%s%s", head, first, second), (int)sizeof text);
    MgCuParts parts;
    ck_assert(mg_cu_ptx(text, &parts));
    ck_assert(parts.n == 1 && parts.at[0].stage == MG_CU_PTX);
    char *made = strdup(parts.at[0].code);
    ck_assert_uint_eq(parts.at[0].bytes, strlen(made));
    mg_cu_parts_free(&parts);
    return made;
}

static void has(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) != NULL, "no %s in:\n%s", part, text);
}

static void lacks(const char *text, const char *part) {
    ck_assert_msg(strstr(text, part) == NULL, "%s in:\n%s", part, text);
}

START_TEST(registers) {
    char *made = rewritten(small, "");
    has(made, "mov.b32 \t%r1, %nctaid.x;");
    has(made, "mov.b32 \t%r2, 0;");
    has(made, "mov.b32 \t%r3, 0;");
    has(made, ".shared .align 4 .b8 small_$_x[128];");
    has(made, "%rd1, small_$_x;");
    lacks(made, "envreg");
    lacks(made, "mg_local");
    free(made);
}
END_TEST

// A kernel that has wide products and calls is compiled as a whole; the head belongs to both parts.
START_TEST(wholes) {
    static const char wide[] =
        ".visible .entry wide(\n\t.param .u64 wide_param_0\n)\n{\n"
        "\twgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1}, %rd1;\n"
        "\tret;\n}\n";
    static const char both[] =
        ".visible .entry both(\n\t.param .u64 both_param_0\n)\n{\n"
        "\twgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1}, %rd1;\n"
        "\tdiv.rn.f32 \t%f1, %f1, %f2;\n"
        "\tret;\n}\n";
    char text[4096];
    MgCuParts parts;
    snprintf(text, sizeof text, "%s%s%s%s", head, wide, both, small);
    ck_assert(mg_cu_ptx(text, &parts));
    ck_assert_uint_eq(parts.n, 2);
    const char *whole = parts.at[0].code, *linked = parts.at[1].code;
    ck_assert(parts.at[0].stage == MG_CU_LOADABLE && parts.at[1].stage == MG_CU_PTX);
    has(linked, ".visible .entry wide(");
    has(linked, ".entry small(");
    lacks(linked, "both");
    lacks(linked, "div.rn");
    has(linked, "\tret;\n}\n\n\n.entry small(");
    has(whole, ".address_size 64\n");
    has(whole, ".visible .entry both(");
    has(whole, "div.rn.f32");
    lacks(whole, "small");
    lacks(whole, "wide(");
    mg_cu_parts_free(&parts);
    snprintf(text, sizeof text, "%s%s", head, both);
    ck_assert(mg_cu_ptx(text, &parts) && parts.n == 1 && parts.at[0].stage == MG_CU_LOADABLE);
    mg_cu_parts_free(&parts);
}
END_TEST

// Arrays of a kernel with much local memory are places in memory that its launch asks for.
START_TEST(local_memory) {
    char *made = rewritten(small, large);
    has(made, "\n.visible .global .align 4 .b8 large_local[66560];\n"
              ".extern .shared .align 1024 .b8 mg_local[];\n.entry large(");
    has(made, "mov.u64 \t%rd1, mg_local+1024;");
    has(made, "[mg_local+12]");
    has(made, "[mg_local+1028]");
    has(made, "%rd2, large_$_abc;"); // another name
    lacks(made, ".b8 large_$_a[");
    lacks(made, ".b8 large_$_ab[");
    has(made, "small_$_x[128]");
    lacks(made, "small_local");
    free(made);
}
END_TEST

// Comments that describe boxes become a variable of the module, in their order.
START_TEST(boxes) {
    static const char kernel[] =
        ".entry boxed()\n{\n\t.reg .b32 \t%r<5>;\n\t// begin inline asm\n"
        "\t// MG_BOX 0 2 0 0 2 0 4096 2 64 512 8192 128 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
        "\t// end inline asm\n"
        "\t// MG_BOX 2 4 1 16 3 128 64 2 64 9 128 1 3 1152 1 0 0 0 0 0 0 -1 -2 2 0 0 0 0 0 0\n"
        "\tret;\n}\n";
    char *made = rewritten(small, kernel);
    has(made, "\n.visible .global .align 8 .b64 boxed_boxes[60] = {0, 2, 0, 0, 2, 0, 4096, 2, 64, "
              "512, 8192, 128, 0, ");
    has(made,
        ", 2, 4, 1, 16, 3, 128, 64, 2, 64, 9, 128, 1, 3, 1152, 1, 0, 0, 0, 0, 0, 0, -1, -2, 2, 0, "
        "0, 0, 0, 0, 0};\n");
    lacks(made, "small_boxes");
    free(made);
}
END_TEST

// Two groups that share a unit say how many items they have, unless OpenCL's compiler has said it.
START_TEST(residents) {
    static const char alone[] = ".entry a()\n{\n\t// MG_RESIDENT 256 2\n\tret;\n}\n";
    static const char said[] =
        ".entry b()\n.reqntid 128, 1, 1\n{\n\t// MG_RESIDENT 128 3\n\tret;\n}\n";
    char *made = rewritten(alone, said);
    has(made, ".entry a()\n.maxntid 256, 1, 1\n.minnctapersm 2\n{");
    has(made, ".entry b()\n.reqntid 128, 1, 1\n.minnctapersm 3\n{");
    free(made);
    made = rewritten(small, "");
    lacks(made, "minnctapersm");
    free(made);
}
END_TEST

// What is not understood stays as it is; the driver then says what it thinks of it.
START_TEST(others) {
    static const char odd[] = ".entry odd()\n{\n\t.shared .align 16 .b8 a[70000];\n"
                              "\t.shared .v4 .f32 b;\n\tmov.u64 %rd1, a;\n}\n";
    static const char *const cut[] = {"",
                                      ".entry",
                                      ".entry x",
                                      ".entry x(",
                                      ".entry x()\n{",
                                      ".entry x()\n{\n\t.shared .align 0 .b8 a[4];\n}\n",
                                      ".entry x()\n{\n\t.shared .align 4 .b8 a[99999999999999"};
    char *made = rewritten(odd, "");
    has(made, "\t.shared .align 16 .b8 a[70000];\n");
    has(made, "mov.u64 %rd1, a;");
    free(made);
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        made = rewritten(cut[i], "");
        ck_assert_str_eq(made + strlen(head), cut[i]);
        free(made);
    }
}
END_TEST

MG_TEST_MAIN("cuda_ptx", registers, wholes, local_memory, boxes, residents, others)
