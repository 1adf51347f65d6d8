// Prints a product of small matrices (MgKProduct) as OpenCL C. On NVIDIA's devices it uses the
// matrix instruction, which 32 items execute together, each holding a part of both factors.
// Elsewhere each item computes its own sums, as the interpreter does.
//
// PTX ISA 8.0, "Matrix Fragments for mma.m16n8k8", "m16n8k16" and "m16n8k32": item l holds rows
// l / 4 and l / 4 + 8 in words l mod 4 and l mod 4 + 4, and column l / 4 in the same words.
#include "backends/opencl/print_impl.h"

#include <inttypes.h>
#include <string.h>

// A function sums + rows * columns of one atom, for its types of sums.
static void helper(MgClPrinter *p, MgAtom id) {
    const MgAtomRow *atom = mg_atom(id);
    bool whole = !mg_is_float(atom->sum);
    const char *name = mg_arena_printf(p->arena, "mg_product_%s", atom->word);
    const char *type = whole ? "int" : "float", *in = whole ? "r" : "f";
    if (!mg_cl_need_helper(p, name))
        return;
    int sum = (int)strcspn(atom->types, ".");
    mg_textf(
        p->helpers,
        "#ifdef __NV_CL_C_VERSION\n"
        "static %s4 %s(%s4 c, uint4 a, uint2 b) {\n"
        "    %s x, y, z, w;\n"
        "    asm volatile(\"mma.sync.aligned.m16n8%s.row.col.%s.%.*s {%%0, %%1, %%2, %%3}, \"\n"
        "                 \"{%%4, %%5, %%6, %%7}, {%%8, %%9}, {%%10, %%11, %%12, %%13};\"\n"
        "                 : \"=%s\"(x), \"=%s\"(y), \"=%s\"(z), \"=%s\"(w)\n"
        "                 : \"r\"(a.x), \"r\"(a.y), \"r\"(a.z), \"r\"(a.w), \"r\"(b.x), "
        "\"r\"(b.y),\n"
        "                   \"%s\"(c.x), \"%s\"(c.y), \"%s\"(c.z), \"%s\"(c.w));\n"
        "    return (%s4)(x, y, z, w);\n"
        "}\n"
        "#endif\n\n",
        type, name, type, type, atom->step, atom->types, sum, atom->types, in, in, in, in, in, in,
        in, in, type);
}

// `row` and `column` point to words.
static void units(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    const int64_t per_word = mg_atom_per_word(q->atom);
    const int64_t row_step = q->row_step / per_word, row_deep = q->row_deep / per_word;
    const int64_t column_step = q->column_step / per_word, column_deep = q->column_deep / per_word;
    uint32_t down = q->rows / MG_PRODUCT_ROWS, across = q->columns / MG_PRODUCT_COLUMNS;
    const char *sums = mg_cl_buf(p, s->buf), *word = mg_atom(q->atom)->word;
    for (int64_t d = 0; d < q->depth / per_word; d += MG_PRODUCT_WORDS) {
        mg_cl_line(p, "{\n");
        p->depth++;
        for (int64_t i = 0; i < down; i++) {
            int64_t at = i * MG_PRODUCT_ROWS * row_step + d * row_deep;
            int64_t below = 8 * row_step, on = 4 * row_deep;
            mg_cl_line(p,
                       "const uint4 a%" PRId64 " = (uint4)(row[%" PRId64 "], row[%" PRId64
                       "], row[%" PRId64 "], row[%" PRId64 "]);\n",
                       i, at, at + below, at + on, at + below + on);
        }
        for (int64_t j = 0; j < across; j++) {
            int64_t at = j * MG_PRODUCT_COLUMNS * column_step + d * column_deep;
            mg_cl_line(p,
                       "const uint2 b%" PRId64 " = (uint2)(column[%" PRId64 "], column[%" PRId64
                       "]);\n",
                       j, at, at + 4 * column_deep);
        }
        for (uint32_t i = 0; i < down; i++)
            for (uint32_t j = 0; j < across; j++)
                mg_cl_line(p, "%s[%u] = mg_product_%s(%s[%u], a%u, b%u);\n", sums, i * across + j,
                           word, sums, i * across + j, i, j);
        p->depth--;
        mg_cl_line(p, "}\n");
    }
}

// Floats of eight bits as f32, by the f16 whose upper bits they are (ir/kernel_convert.c).
static const char *const byte_helpers = "static float mg_f8e5m2(uchar x) {\n"
                                        "    const ushort h = (ushort)(x << 8);\n"
                                        "    return vload_half(0, (const half *)&h);\n"
                                        "}\n"
                                        "static float mg_f8e4m3(uchar x) {\n"
                                        "    const int magnitude = x & 127;\n"
                                        "    const ushort h = (ushort)((x & 128) << 8 | (magnitude "
                                        "== 127 ? 0x7e00 : magnitude << 7));\n"
                                        "    return vload_half(0, (const half *)&h) * 256;\n"
                                        "}\n\n";

const char *mg_cl_factor(MgClPrinter *p, MgDType type, const char *of, const char *at) {
    switch (type) {
    case MG_F8E4M3:
    case MG_F8E5M2:
        if (mg_cl_need_helper(p, "mg_f8"))
            mg_text_add(p->helpers, byte_helpers);
        return mg_arena_printf(p->arena, "mg_%s(%s[%s])", mg_dtype(type)->name, of, at);
    case MG_BF16:
        return mg_arena_printf(p->arena, "as_float((uint)%s[%s] << 16)", of, at);
    case MG_F16:
        return mg_arena_printf(p->arena, "vload_half(%s, (__local const half *)%s)", at, of);
    default:
        return mg_arena_printf(p->arena, "%s[%s]", of, at);
    }
}

static void by_items(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    const MgAtomRow *atom = mg_atom(q->atom);
    const char *sums = mg_cl_buf(p, s->buf), *type = mg_is_float(atom->sum) ? "float" : "int";
    uint32_t across = q->columns / MG_PRODUCT_COLUMNS, per_word = mg_atom_per_word(q->atom);
    mg_cl_line(p, "for (int i = 0; i < %u; i++) {\n", q->rows / MG_PRODUCT_ROWS * across);
    mg_cl_line(p, "    %s4 sum = %s[i];\n", type, sums);
    mg_cl_line(p, "    for (int d = 0; d < %u; d++) {\n", q->depth);
    mg_cl_line(p, "        const int r = i / %u * %" PRId64 " + d / %u * %" PRId64 " + d %% %u;\n",
               across, MG_PRODUCT_ROWS * q->row_step, per_word, q->row_deep, per_word);
    mg_cl_line(p, "        const int c = i %% %u * %" PRId64 " + d / %u * %" PRId64 " + d %% %u;\n",
               across, MG_PRODUCT_COLUMNS * q->column_step, per_word, q->column_deep, per_word);
    const char *below = mg_arena_printf(p->arena, "r + %" PRId64, 8 * q->row_step);
    const char *next = mg_arena_printf(p->arena, "c + %" PRId64, q->column_step);
    mg_cl_line(p, "        const %s2 a = (%s2)(%s, %s);\n", type, type,
               mg_cl_factor(p, atom->row, "row", "r"), mg_cl_factor(p, atom->row, "row", below));
    mg_cl_line(p, "        const %s2 b = (%s2)(%s, %s);\n", type, type,
               mg_cl_factor(p, atom->column, "column", "c"),
               mg_cl_factor(p, atom->column, "column", next));
    mg_cl_line(p, mg_is_float(atom->sum) ? "        sum = fma(a.xxyy, b.xyxy, sum);\n"
                                         : "        sum += a.xxyy * b.xyxy;\n");
    mg_cl_line(p, "    }\n");
    mg_cl_line(p, "    %s[i] = sum;\n", sums);
    mg_cl_line(p, "}\n");
}

// Declares a pointer to the first elements of a factor that this item reads. `step` and `next` are
// the distances in elements to the positions of the item four further on and of the next item.
static void pointer(MgClPrinter *p, const char *name, const char *type, MgKBufId buf,
                    const MgKx *first, int64_t step, int64_t next) {
    mg_cl_line(p,
               "__local const %s *%s = (__local const %s *)(%s + %s + lane / 4 * %" PRId64
               " + lane %% 4 * %" PRId64 ");\n",
               type, name, type, mg_cl_buf(p, buf), mg_cl_expr(p, first), step, next);
}

// A product that splits its factors. Where no device does that, items add whole factors up.
static void split(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    pointer(p, "whole_row", "float", q->row_buf, s->index, q->row_step, 0);
    pointer(p, "whole_column", "float", q->column_buf, s->x, 0, 2 * q->column_step);
    mg_text_add(p->body, "#ifdef __NV_CL_C_VERSION\n");
    pointer(p, "row", "float", q->row_buf, s->index, q->row_step, q->row_deep);
    pointer(p, "column", "float", q->column_buf, s->x, q->column_step, q->column_deep);
    mg_cl_split_sums(p, s);
    mg_text_add(p->body, "#else\n");
    mg_cl_line(p, "for (int i = 0; i < %u; i++) {\n",
               q->rows / MG_PRODUCT_ROWS * (q->columns / MG_PRODUCT_COLUMNS));
    p->depth++;
    mg_cl_whole_sum(p, q);
    mg_cl_line(p, "%s[i] += sum;\n", mg_cl_buf(p, s->buf));
    p->depth--;
    mg_cl_line(p, "}\n");
    mg_text_add(p->body, "#endif\n");
}

void mg_cl_product(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    const MgAtomRow *atom = mg_atom(q->atom);
    helper(p, q->atom);
    mg_cl_line(p, "{ // %u x %u sums of %d items, %u deep\n", q->rows, q->columns, MG_TOGETHER,
               q->depth);
    p->depth++;
    mg_cl_line(p, "const int lane = (int)get_local_id(0) & %d;\n", MG_TOGETHER - 1);
    if (q->splits) {
        split(p, s);
        p->depth--;
        mg_cl_line(p, "}\n");
        return;
    }
    mg_text_add(p->body, "#ifdef __NV_CL_C_VERSION\n");
    pointer(p, "row", "uint", q->row_buf, s->index, q->row_step, q->row_deep);
    pointer(p, "column", "uint", q->column_buf, s->x, q->column_step, q->column_deep);
    units(p, s);
    mg_text_add(p->body, "#else\n");
    pointer(p, "row", mg_cl_type(p, mg_kt(atom->row, 1)), q->row_buf, s->index, q->row_step, 0);
    pointer(p, "column", mg_cl_type(p, mg_kt(atom->column, 1)), q->column_buf, s->x, 0,
            2 * q->column_step);
    by_items(p, s);
    mg_text_add(p->body, "#endif\n");
    p->depth--;
    mg_cl_line(p, "}\n");
}
