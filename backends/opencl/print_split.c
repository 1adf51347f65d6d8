// Prints a product of 32 items that splits factors of f32 (MgKProduct) for a device's matrix
// instruction. A factor is the sum of two numbers of tf32: its nearest one, and the rest, of which
// the instruction ignores the lowest bits. What is left out, the product of both rests, is 2^-22 of
// the whole (passes/schedule/gpu/split.c).
#include "backends/opencl/print_impl.h"

#include <inttypes.h>

static const char *const parts_helper =
    "// The upper part of f32, as tf32.\n"
    "#define MG_UPPER(x) ((as_uint(x) + 0x1000) & 0xffffe000)\n"
    "static uint4 mg_upper4(float4 x) {\n"
    "    return (uint4)(MG_UPPER(x.x), MG_UPPER(x.y), MG_UPPER(x.z), MG_UPPER(x.w));\n"
    "}\n"
    "static uint2 mg_upper2(float2 x) {\n"
    "    return (uint2)(MG_UPPER(x.x), MG_UPPER(x.y));\n"
    "}\n\n";

void mg_cl_fragment(MgClPrinter *p, const char *name, uint32_t i, uint32_t lanes,
                    const char *elements) {
    if (mg_cl_need_helper(p, "mg_upper"))
        mg_text_add(p->helpers, parts_helper);
    mg_cl_line(p, "const float%u %s%u = (float%u)(%s);\n", lanes, name, i, lanes, elements);
    mg_cl_line(p, "uint%u %s_upper%u = mg_upper%u(%s%u);\n", lanes, name, i, lanes, name, i);
    mg_cl_line(p, "uint%u %s_rest%u = as_uint%u(%s%u - as_float%u(%s_upper%u));\n", lanes, name, i,
               lanes, name, i, lanes, name, i);
}

// Eight steps of the depth. The smallest products come first.
static void steps(MgClPrinter *p, const MgKProduct *q, int64_t d) {
    static const char *const parts[][2] = {
        {"rest", "upper"}, {"upper", "rest"}, {"upper", "upper"}};
    uint32_t down = q->rows / MG_PRODUCT_ROWS, across = q->columns / MG_PRODUCT_COLUMNS;
    mg_cl_line(p, "{\n");
    p->depth++;
    for (uint32_t i = 0; i < down; i++) {
        int64_t at = i * MG_PRODUCT_ROWS * q->row_step + d * q->row_deep;
        int64_t below = 8 * q->row_step, on = 4 * q->row_deep;
        mg_cl_fragment(p, "a", i, 4,
                       mg_arena_printf(p->arena,
                                       "row[%" PRId64 "], row[%" PRId64 "], row[%" PRId64
                                       "], row[%" PRId64 "]",
                                       at, at + below, at + on, at + below + on));
    }
    for (uint32_t j = 0; j < across; j++) {
        int64_t at = j * MG_PRODUCT_COLUMNS * q->column_step + d * q->column_deep;
        mg_cl_fragment(p, "b", j, 2,
                       mg_arena_printf(p->arena, "column[%" PRId64 "], column[%" PRId64 "]", at,
                                       at + 4 * q->column_deep));
    }
    for (uint32_t part = 0; part < 3; part++)
        for (uint32_t i = 0; i < down; i++)
            for (uint32_t j = 0; j < across; j++)
                mg_cl_line(p, "sums[%u] = mg_product_tf32(sums[%u], a_%s%u, b_%s%u);\n",
                           i * across + j, i * across + j, parts[part][0], i, parts[part][1], j);
    p->depth--;
    mg_cl_line(p, "}\n");
}

void mg_cl_whole_sum(MgClPrinter *p, const MgKProduct *q) {
    uint32_t across = q->columns / MG_PRODUCT_COLUMNS;
    mg_cl_line(p, "float4 sum = 0;\n");
    mg_cl_line(p, "for (int d = 0; d < %u; d++) {\n", q->depth);
    mg_cl_line(p, "    const int r = i / %u * %" PRId64 " + d * %" PRId64 ";\n", across,
               MG_PRODUCT_ROWS * q->row_step, q->row_deep);
    mg_cl_line(p, "    const int c = i %% %u * %" PRId64 " + d * %" PRId64 ";\n", across,
               MG_PRODUCT_COLUMNS * q->column_step, q->column_deep);
    mg_cl_line(p, "    const float2 a = (float2)(whole_row[r], whole_row[r + %" PRId64 "]);\n",
               8 * q->row_step);
    mg_cl_line(p,
               "    const float2 b = (float2)(whole_column[c], whole_column[c + %" PRId64 "]);\n",
               q->column_step);
    mg_cl_line(p, "    sum = fma(a.xxyy, b.xyxy, sum);\n");
    mg_cl_line(p, "}\n");
}

void mg_cl_split_sums(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    uint32_t n = q->rows / MG_PRODUCT_ROWS * (q->columns / MG_PRODUCT_COLUMNS);
    mg_cl_line(p, "float4 sums[%u], odd = 0;\n", n);
    for (uint32_t i = 0; i < n; i++)
        mg_cl_line(p, "sums[%u] = 0;\n", i);
    for (int64_t d = 0; d < q->depth; d += MG_PRODUCT_WORDS)
        steps(p, q, d);
    for (uint32_t i = 0; i < n; i++) // 0 times what is not finite is NaN
        mg_cl_line(p, "odd = fma(sums[%u], (float4)(0), odd);\n", i);
    mg_cl_line(p, "if (isnan(odd.x + odd.y + odd.z + odd.w)) {\n");
    mg_cl_line(p, "    #pragma unroll 1\n");
    mg_cl_line(p, "    for (int i = 0; i < %u; i++) {\n", n);
    p->depth += 2;
    mg_cl_whole_sum(p, q);
    for (uint32_t i = 0; i < n; i++) // arrays with other indices don't stay in registers
        mg_cl_line(p, "sums[%u] = i == %u ? sum : sums[%u];\n", i, i, i);
    p->depth -= 2;
    mg_cl_line(p, "    }\n");
    mg_cl_line(p, "}\n");
    for (uint32_t i = 0; i < n; i++)
        mg_cl_line(p, "%s[%u] += sums[%u];\n", mg_cl_buf(p, s->buf), i, i);
}
