// Prints a product of small matrices (MgKProduct) as OpenCL C. On NVIDIA's devices it uses the
// matrix instruction, which 32 items execute together, each holding a part of both factors.
// Elsewhere each item computes its own sums, as the interpreter does.
//
// PTX ISA 8.0, "Matrix Fragments for mma.m16n8k8". With tf32 factors, item l holds rows l / 4 and l
// / 4 + 8 at depths l mod 4 and l mod 4 + 4, and column l / 4 at the same depths.
#include "backends/opencl/print_impl.h"

#include <inttypes.h>

static const char *const helper =
    "#ifdef __NV_CL_C_VERSION\n"
    "static float4 mg_product(float4 c, float4 a, float2 b) {\n"
    "    float x, y, z, w;\n"
    "    asm volatile(\"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, \"\n"
    "                 \"{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};\"\n"
    "                 : \"=f\"(x), \"=f\"(y), \"=f\"(z), \"=f\"(w)\n"
    "                 : \"r\"(as_uint(a.x)), \"r\"(as_uint(a.y)), \"r\"(as_uint(a.z)), "
    "\"r\"(as_uint(a.w)),\n"
    "                   \"r\"(as_uint(b.x)), \"r\"(as_uint(b.y)), \"f\"(c.x), \"f\"(c.y), "
    "\"f\"(c.z), \"f\"(c.w));\n"
    "    return (float4)(x, y, z, w);\n"
    "}\n"
    "#endif\n\n";

static void units(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    uint32_t down = q->rows / MG_PRODUCT_ROWS, across = q->columns / MG_PRODUCT_COLUMNS;
    for (int64_t d = 0; d < q->depth; d += MG_PRODUCT_DEPTH) {
        mg_cl_line(p, "{\n");
        p->depth++;
        for (int64_t i = 0; i < down; i++) {
            int64_t at = i * MG_PRODUCT_ROWS * q->row_step + d * q->row_deep;
            int64_t below = 8 * q->row_step, on = 4 * q->row_deep;
            mg_cl_line(p,
                       "const float4 a%" PRId64 " = (float4)(row[%" PRId64 "], row[%" PRId64
                       "], row[%" PRId64 "], row[%" PRId64 "]);\n",
                       i, at, at + below, at + on, at + below + on);
        }
        for (int64_t j = 0; j < across; j++) {
            int64_t at = j * MG_PRODUCT_COLUMNS * q->column_step + d * q->column_deep;
            mg_cl_line(p,
                       "const float2 b%" PRId64 " = (float2)(column[%" PRId64 "], column[%" PRId64
                       "]);\n",
                       j, at, at + 4 * q->column_deep);
        }
        const char *sums = mg_cl_buf(p, s->buf);
        for (uint32_t i = 0; i < down; i++)
            for (uint32_t j = 0; j < across; j++)
                mg_cl_line(p, "%s[%u] = mg_product(%s[%u], a%u, b%u);\n", sums, i * across + j,
                           sums, i * across + j, i, j);
        p->depth--;
        mg_cl_line(p, "}\n");
    }
}

static void by_items(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    const char *sums = mg_cl_buf(p, s->buf);
    uint32_t across = q->columns / MG_PRODUCT_COLUMNS;
    mg_cl_line(p, "for (int i = 0; i < %u; i++) {\n", q->rows / MG_PRODUCT_ROWS * across);
    mg_cl_line(p, "    float4 sum = %s[i];\n", sums);
    mg_cl_line(p, "    for (int d = 0; d < %u; d++) {\n", q->depth);
    mg_cl_line(p,
               "        const int r = i / %u * %" PRId64 " + d * %" PRId64
               ", c = i %% %u * %" PRId64 " + d * %" PRId64 ";\n",
               across, MG_PRODUCT_ROWS * q->row_step, q->row_deep, across,
               MG_PRODUCT_COLUMNS * q->column_step, q->column_deep);
    mg_cl_line(p, "        const float2 a = (float2)(row[r], row[r + %" PRId64 "]);\n",
               8 * q->row_step);
    mg_cl_line(p, "        const float2 b = (float2)(column[c], column[c + %" PRId64 "]);\n",
               q->column_step);
    mg_cl_line(p, "        sum = fma(a.xxyy, b.xyxy, sum);\n");
    mg_cl_line(p, "    }\n");
    mg_cl_line(p, "    %s[i] = sum;\n", sums);
    mg_cl_line(p, "}\n");
}

// Declares pointers to the first elements that this item reads of both factors.
static void pointers(MgClPrinter *p, const MgKs *s, int64_t row, int64_t row_next, int64_t column,
                     int64_t column_next) {
    const MgKProduct *q = s->product;
    mg_cl_line(p,
               "__local const float *row = %s + %s + lane / 4 * %" PRId64 " + lane %% 4 * %" PRId64
               ";\n",
               mg_cl_buf(p, q->row_buf), mg_cl_expr(p, s->index), row, row_next);
    mg_cl_line(p,
               "__local const float *column = %s + %s + lane / 4 * %" PRId64
               " + lane %% 4 * %" PRId64 ";\n",
               mg_cl_buf(p, q->column_buf), mg_cl_expr(p, s->x), column, column_next);
}

void mg_cl_product(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    if (mg_cl_need_helper(p, "mg_product"))
        mg_text_add(p->helpers, helper);
    mg_cl_line(p, "{ // %u x %u sums of %d items, %u deep\n", q->rows, q->columns, MG_TOGETHER,
               q->depth);
    p->depth++;
    mg_cl_line(p, "const int lane = (int)get_local_id(0) & %d;\n", MG_TOGETHER - 1);
    mg_text_add(p->body, "#ifdef __NV_CL_C_VERSION\n");
    pointers(p, s, q->row_step, q->row_deep, q->column_step, q->column_deep);
    units(p, s);
    mg_text_add(p->body, "#else\n");
    pointers(p, s, q->row_step, 0, 0, 2 * q->column_step);
    by_items(p, s);
    mg_text_add(p->body, "#endif\n");
    p->depth--;
    mg_cl_line(p, "}\n");
}
