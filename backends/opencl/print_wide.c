// Prints a wide product (MgKProduct) as OpenCL C. NVIDIA's compute capability 9.0 has asynchronous
// instructions for it: they are started, the product's body follows, and then the code waits for
// them. Elsewhere each item computes its own sums, as the interpreter does.
//
// The instructions exist only in a PTX target of their own, "sm_90a", for which OpenCL C can't be
// compiled. So they are printed as comments after marks, which the host removes
// (backends/opencl/host/ptx.h). If it can't, MG_PLAIN is defined.
//
// PTX ISA 8.0, "Asynchronous Warpgroup Level Matrix Instructions": shapes, types and fragments, the
// matrix descriptor, and the swizzle of 128 bytes, in which lines are stored.
#include "backends/opencl/print_impl.h"
#include "ir/kernel_walk.h"

#include <inttypes.h>

// Helpers that all wide products need. A descriptor has the address of the first line, the bytes to
// the next block of lines across, and those to the next eight lines.
void mg_cl_wide_helpers(MgClPrinter *p) {
    if (!mg_cl_need_helper(p, "mg_lines"))
        return;
    mg_textf(p->helpers,
             "#if defined(__NV_CL_C_VERSION) && !defined(MG_PLAIN)\n"
             "#define MG_WIDE\n"
             "static ulong mg_lines(__local const void *first, uint block) {\n"
             "    return (ulong)1 << 62 | (ulong)(%d >> 4) << 32 | (ulong)(block >> 4) << 16 |\n"
             "           ((uint)(ulong)first & 0x3ffff) >> 4;\n"
             "}\n"
             "static void mg_copy(__local void *to, __global const void *from) {\n"
             "    asm volatile(\"cp.async.cg.shared.global [%%0], [%%1], 16;\"\n"
             "                 :: \"r\"((uint)(ulong)to), \"l\"(from) : \"memory\");\n"
             "}\n"
             "static void mg_copy_or_0(__local void *to, __global const void *from, int copies) {\n"
             "    asm volatile(\"cp.async.cg.shared.global [%%0], [%%1], 16, %%2;\"\n"
             "                 :: \"r\"((uint)(ulong)to), \"l\"(from), \"r\"(copies ? 16 : 0)\n"
             "                 : \"memory\");\n"
             "}\n"
             "#endif\n"
             "static int mg_in_line(int line, int at, int piece) {\n"
             "    return line * 8 * piece + (at / piece ^ line & 7) * piece + at %% piece;\n"
             "}\n\n",
             MG_LINES_BYTES);
}

// The instructions after the barrier read local memory that ordinary stores have written. If boxes
// bring the factors, only items' stores do, and this may be the first barrier after one.
void mg_cl_before_barrier(MgClPrinter *p) {
    bool always = !p->boxes.list.len || p->lines_stored;
    mg_cl_wide_helpers(p);
    mg_text_add(p->body,
                always ? "#ifdef MG_WIDE\n" : "#if defined(MG_WIDE) && !defined(MG_BOXES)\n");
    p->lines_stored = false;
    mg_cl_line(p, "asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n");
    mg_text_add(p->body, "#endif\n");
}

// ---------------------------------------------------------------- wide instructions

// An item's sums have a vector for each eight columns.
static uint32_t sums_of(const MgClPrinter *p, MgKBufId sums) {
    return (uint32_t)p->k->bufs.at[sums].count->bits * 4;
}

static bool is_float(const MgClPrinter *p, MgKBufId sums) {
    return mg_is_float(p->k->bufs.at[sums].elem.dtype);
}

// The sums as scalars that assembly can name. A product whose sums are fresh reads none.
static void take_sums(MgClPrinter *p, MgKBufId sums, bool reads) {
    const char *name = mg_cl_buf(p, sums);
    uint32_t n = sums_of(p, sums);
    mg_cl_line(p, "%s w[%u];\n", is_float(p, sums) ? "float" : "int", n);
    for (uint32_t i = 0; reads && i < n / 4; i++)
        mg_cl_line(p, "w[%u] = %s[%u].x, w[%u] = %s[%u].y, w[%u] = %s[%u].z, w[%u] = %s[%u].w;\n",
                   4 * i, name, i, 4 * i + 1, name, i, 4 * i + 2, name, i, 4 * i + 3, name, i);
}

// "%0, %1, …", or operands of assembly, for all of an item's sums.
static const char *operands(MgClPrinter *p, MgKBufId sums, bool numbers) {
    MgText text = mg_text(p->arena);
    for (uint32_t i = 0; i < sums_of(p, sums); i++) {
        mg_text_add(&text, i ? ", " : "");
        if (numbers)
            mg_textf(&text, "%%%u", i);
        else
            mg_textf(&text, "\"%s\"(w[%u])", is_float(p, sums) ? "+f" : "+r", i);
    }
    return mg_text_str(&text);
}

static void put_sums(MgClPrinter *p, MgKBufId sums) {
    for (uint32_t i = 0; i < sums_of(p, sums) / 4; i++)
        mg_cl_line(p, "%s[%u] = (%s4)(w[%u], w[%u], w[%u], w[%u]);\n", mg_cl_buf(p, sums), i,
                   is_float(p, sums) ? "float" : "int", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

static void await(MgClPrinter *p, MgKBufId sums, int pending) {
    mg_cl_line(p,
               "asm volatile(\"" MG_PTX_MARK "wgmma.wait_group.sync.aligned %d;\" : %s :: "
               "\"memory\");\n",
               pending, operands(p, sums, false));
    put_sums(p, sums);
}

static void descriptor(MgClPrinter *p, const char *name, MgKBufId buf, const MgKx *first,
                       MgKLies lies, uint32_t depth) {
    // If lines run along the depth, there is no next block.
    uint32_t block = lies == MG_LIES_ACROSS ? depth * MG_LINE_BYTES : MG_PIECE_BYTES;
    mg_cl_line(p, "const ulong %s = mg_lines(%s + %s, %u);\n", name, mg_cl_buf(p, buf),
               mg_cl_expr(p, first), block);
}

// The item's elements of rows, as words that assembly can name. They are defined before the first
// instruction begins, since no later instruction may wait for them.
static void take_held(MgClPrinter *p, const MgKProduct *q) {
    const char *name = mg_cl_buf(p, q->row_buf);
    uint32_t n = q->depth / MG_PRODUCT_COLUMNS;
    MgText text = mg_text(p->arena);
    mg_cl_line(p, "uint h[%u];\n", 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        mg_cl_line(p, "h[%u] = as_uint2(%s[%u]).x, h[%u] = as_uint2(%s[%u]).y;\n", 2 * i, name, i,
                   2 * i + 1, name, i);
        mg_textf(&text, "%s\"+r\"(h[%u]), \"+r\"(h[%u])", i ? ", " : "", 2 * i, 2 * i + 1);
    }
    mg_cl_line(p, "asm volatile(\"\" : %s :: \"memory\");\n", mg_text_str(&text));
}

static void declare_place(MgClPrinter *p) {
    mg_cl_line(p,
               "const int lane = (int)get_local_id(0) & %d, r = ((int)get_local_id(0) / %d & %d) * "
               "%d + lane / 4;\n",
               MG_TOGETHER - 1, MG_TOGETHER, MG_WIDE - 1, MG_PRODUCT_ROWS);
}

static void declare_rows(MgClPrinter *p, const MgKs *s) {
    declare_place(p);
    mg_cl_line(p, "uint h[%u];\n", 2 * MG_WIDE_HELD * s->product->depth / MG_PRODUCT_WORDS);
    mg_cl_line(p, "__local const float *row = %s + %s;\n", mg_cl_buf(p, s->product->row_buf),
               mg_cl_expr(p, s->index));
}

// Both parts of the item's rows in step i of the depth. Instructions of the steps before it run
// meanwhile: each step has registers of its own, which are defined before its instructions begin.
static void take_parts(MgClPrinter *p, uint32_t i) {
    static const char *const parts[] = {"upper", "rest"};
    MgText elements = mg_text(p->arena), defined = mg_text(p->arena);
    uint32_t first = 2 * MG_WIDE_HELD * i;
    for (uint32_t e = 0; e < MG_WIDE_HELD; e++)
        mg_textf(&elements, "%srow[mg_in_line(r + %u, lane %% 4 + %u, 4)]", e ? ", " : "",
                 e % 2 * 8, i * MG_PRODUCT_WORDS + e / 2 * 4);
    mg_cl_fragment(p, "a", i, MG_WIDE_HELD, mg_text_str(&elements));
    for (uint32_t e = 0; e < 2 * MG_WIDE_HELD; e++) {
        mg_cl_line(p, "h[%u] = a_%s%u.%c;\n", first + e, parts[e / MG_WIDE_HELD], i,
                   "xyzw"[e % MG_WIDE_HELD]);
        mg_textf(&defined, "%s\"+r\"(h[%u])", e ? ", " : "", first + e);
    }
    mg_cl_line(p, "asm volatile(\"\" : %s :: \"memory\");\n", mg_text_str(&defined));
}

static const char *row_operands(MgClPrinter *p, const MgKProduct *q, uint32_t i, uint32_t part) {
    uint32_t h = MG_WIDE_HELD * (q->column_low ? 2 * i + mg_wide_low_row(part) : i);
    if (q->column_low || q->row_lies == MG_LIES_HELD)
        return mg_arena_printf(p->arena, "\"r\"(h[%u]), \"r\"(h[%u]), \"r\"(h[%u]), \"r\"(h[%u])",
                               h, h + 1, h + 2, h + 3);
    return mg_arena_printf(p->arena, "\"l\"(rows + %u)", mg_wide_row_piece(q, i));
}

// If items split rows, the body follows the first step: items wait to start each instruction, so
// what follows the last one runs when the product has nearly ended.
static void begin(MgClPrinter *p, const MgKs *s, void (*body)(MgClPrinter *, const MgKBlock *)) {
    const MgKProduct *q = s->product;
    const MgAtomRow *atom = mg_atom(q->atom);
    const char *numbers = operands(p, s->buf, true), *in_out = operands(p, s->buf, false);
    uint32_t n = sums_of(p, s->buf);
    bool turns = mg_atom_per_word(q->atom) == 2, held = q->row_lies == MG_LIES_HELD;
    bool registers = held || q->column_low;
    uint32_t rows = registers ? MG_WIDE_HELD : 1; // operands of rows: registers, or a descriptor
    const char *row_numbers =
        registers ? mg_arena_printf(p->arena, "{%%%u, %%%u, %%%u, %%%u}", n, n + 1, n + 2, n + 3)
                  : mg_arena_printf(p->arena, "%%%u", n);
    const char *ways =
        !is_float(p, s->buf) ? ""
        : held  ? mg_arena_printf(p->arena, ", 1, 1, %d", q->column_lies == MG_LIES_ACROSS)
        : turns ? mg_arena_printf(p->arena, ", 1, 1, %d, %d", q->row_lies == MG_LIES_ACROSS,
                                  q->column_lies == MG_LIES_ACROSS)
                : ", 1, 1";
    take_sums(p, s->buf, !q->fresh);
    if (held)
        take_held(p, q);
    else if (q->column_low)
        declare_rows(p, s);
    else
        descriptor(p, "rows", q->row_buf, s->index, q->row_lies, q->depth);
    descriptor(p, "columns", q->column_buf, s->x, q->column_lies, q->depth);
    for (uint32_t i = 0; i < mg_wide_steps(q); i++) {
        if (q->column_low)
            take_parts(p, i);
        if (!i || q->column_low)
            mg_cl_line(p, "asm volatile(\"" MG_PTX_MARK
                          "wgmma.fence.sync.aligned;\" ::: \"memory\");\n");
        for (uint32_t part = mg_wide_first_part(q); part < MG_WIDE_PARTS; part++) {
            mg_cl_line(p,
                       "asm volatile(\"" MG_PTX_MARK
                       "wgmma.mma_async.sync.aligned.m64n%u%s.%s {%s}, %s, %%%u, %d%s;\"\n",
                       q->columns, atom->step, atom->types, numbers, row_numbers, n + rows,
                       i || !q->fresh, ways);
            mg_cl_line(p, "             : %s\n", in_out);
            mg_cl_line(p, "             : %s, \"l\"(columns + %u));\n", row_operands(p, q, i, part),
                       mg_wide_column_piece(q, i, part));
        }
        if (!i && q->column_low)
            body(p, &s->body);
    }
    mg_cl_line(p, "asm volatile(\"" MG_PTX_MARK
                  "wgmma.commit_group.sync.aligned;\" ::: \"memory\");\n");
}

// Compilers move arithmetic behind a wait. What the body leaves in an item's own vectors of four is
// computed before it, between the instructions of the product, which the items wait to start.
static void settle(MgClPrinter *p, const MgKBlock *body) {
    MgDistinct bufs = mg_kproduct_vectors(p->arena, p->k, body);
    for (uint32_t i = 0; i < bufs.len; i++) {
        mg_cl_line(p, "{\n");
        p->depth++;
        take_sums(p, bufs.at[i], true);
        mg_cl_line(p, "asm volatile(\"\" : %s :: \"memory\");\n", operands(p, bufs.at[i], false));
        put_sums(p, bufs.at[i]);
        p->depth--;
        mg_cl_line(p, "}\n");
    }
}

static void end(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    if (q->row_lies != MG_LIES_HELD) // as many weights as a block has took longer so
        settle(p, &s->body);
    if (!p->boxes.list.len)
        mg_cl_line(p,
                   "asm volatile(\"cp.async.commit_group;\\n\\tcp.async.wait_group %d;\" ::: "
                   "\"memory\");\n",
                   q->lag != MG_LAG_NONE);
    await(p, s->buf, q->lag == MG_LAG_ALL);
}

// Waits until no more products than one that lags, or none, are running.
void mg_cl_await(MgClPrinter *p, const MgKs *s) {
    mg_cl_wide_helpers(p);
    mg_text_add(p->body, "#ifdef MG_WIDE\n");
    mg_cl_line(p, "{\n");
    p->depth++;
    if (!p->boxes.list.len)
        mg_cl_line(p, "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n");
    take_sums(p, s->buf, true);
    await(p, s->buf, 0);
    p->depth--;
    mg_cl_line(p, "}\n");
    mg_text_add(p->body, "#endif\n");
}

// ---------------------------------------------------------------- copies

void mg_cl_copy_later(MgClPrinter *p, const MgKs *s) {
    const MgKx *inside, *x = mg_kload_or_0(s->x, &inside);
    const char *to = mg_cl_expr(p, s->index), *from = mg_cl_expr(p, x->args[0]);
    const char *local = mg_cl_buf(p, s->buf), *global = mg_cl_buf(p, x->buf);
    mg_cl_wide_helpers(p);
    mg_text_add(p->body, "#ifdef MG_WIDE\n");
    if (inside)
        mg_cl_line(p, "mg_copy_or_0(%s + %s, %s + %s, %s);\n", local, to, global, from,
                   mg_cl_expr(p, inside));
    else
        mg_cl_line(p, "mg_copy(%s + %s, %s + %s);\n", local, to, global, from);
    mg_text_add(p->body, "#else\n");
    mg_cl_line(p, "*(%s *)(%s + %s) = %s;\n", mg_cl_place(p, s->buf, s->x->type), local, to,
               mg_cl_expr(p, s->x));
    mg_text_add(p->body, "#endif\n");
}

// ---------------------------------------------------------------- by each item

static bool note_held(void *ctx, const MgKs *s) {
    int64_t *most = ctx;
    if (s->kind == MG_KS_PRODUCT && s->product->row_lies == MG_LIES_HELD) {
        int64_t n = (int64_t)s->product->rows * s->product->depth;
        *most = n > *most ? n : *most;
    }
    return false;
}

void mg_cl_declare_held(MgClPrinter *p) {
    int64_t most = 0; // of the items that hold the same rows
    mg_kblock_any(&p->k->body, &(MgKAsk){.statement = note_held, .ctx = &most});
    if (!most)
        return;
    mg_cl_wide_helpers(p);
    mg_text_add(p->body, "#ifndef MG_WIDE\n");
    mg_cl_line(p, "__local ushort held[%" PRId64 "];\n", p->k->items / MG_TOGETHER * most);
    mg_text_add(p->body, "#endif\n");
}

// The text of a factor's element at a position and a depth.
static const char *element(MgClPrinter *p, const MgKProduct *q, MgDType type, MgKLies lies,
                           const char *of, const char *at, uint32_t positions) {
    uint32_t size = (uint32_t)mg_dtype_size(type), line = MG_LINE_BYTES / size;
    const char *place =
        lies == MG_LIES_HELD ? mg_arena_printf(p->arena, "(%s) * %u + d", at, q->depth)
        : lies == MG_LIES_ACROSS
            ? mg_arena_printf(p->arena, "mg_in_line((%s) / %u * %u + d, (%s) %% %u, %u)", at, line,
                              q->depth, at, line, MG_PIECE_BYTES / size)
            : mg_arena_printf(p->arena, "mg_in_line(d / %u * %u + %s, d %% %u, %u)", line,
                              positions, at, line, MG_PIECE_BYTES / size);
    return mg_cl_factor(p, type, of, place);
}

// Held rows are stored to local memory for the other items, row after row.
static void tell_held(MgClPrinter *p, const MgKProduct *q) {
    const char *name = mg_cl_buf(p, q->row_buf);
    mg_cl_line(p, "for (int i = 0; i < %u; i++) {\n", q->depth / MG_PRODUCT_COLUMNS);
    mg_cl_line(p,
               "    const int at = ((int)get_local_id(0) / %d * %d + lane / 4) * %u + i * %d + "
               "lane %% 4 * 2;\n",
               MG_TOGETHER, MG_PRODUCT_ROWS, q->depth, MG_PRODUCT_COLUMNS);
    mg_cl_line(p, "    vstore2(as_ushort4(%s[i]).xy, 0, held + at);\n", name);
    mg_cl_line(p, "    vstore2(as_ushort4(%s[i]).zw, 0, held + at + %u);\n", name, 8 * q->depth);
    mg_cl_line(p, "}\n");
    mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void by_items(MgClPrinter *p, const MgKs *s) {
    const MgKProduct *q = s->product;
    const MgAtomRow *atom = mg_atom(q->atom);
    const char *sums = mg_cl_buf(p, s->buf), *type = mg_is_float(atom->sum) ? "float" : "int";
    bool held = q->row_lies == MG_LIES_HELD;
    declare_place(p);
    if (held)
        tell_held(p, q);
    const char *types[] = {mg_cl_type(p, mg_kt(atom->row, 1)),
                           mg_cl_type(p, mg_kt(atom->column, 1))};
    mg_cl_line(p, "__local const %s *row = %s + %s;\n", types[0],
               held ? "held" : mg_cl_buf(p, q->row_buf),
               held ? mg_arena_printf(p->arena, "((int)get_local_id(0) / %d) * %u",
                                      MG_WIDE * MG_TOGETHER, MG_WIDE * q->rows * q->depth)
                    : mg_cl_expr(p, s->index));
    mg_cl_line(p, "__local const %s *%s = %s + %s;\n", types[1],
               q->column_low ? "first_column" : "column", mg_cl_buf(p, q->column_buf),
               mg_cl_expr(p, s->x));
    mg_cl_line(p, "for (int i = 0; i < %u; i++) {\n", q->columns / MG_PRODUCT_COLUMNS);
    mg_cl_line(p, "    const int c = i * %d + lane %% 4 * 2;\n", MG_PRODUCT_COLUMNS);
    mg_cl_line(p, "    %s4 sum = %s%s;\n", type, q->fresh ? "0" : sums, q->fresh ? "" : "[i]");
    if (q->column_low) {
        mg_cl_line(p, "    for (int part = 0; part < 2; part++) {\n");
        mg_cl_line(p, "    __local const %s *column = first_column + (part == 0) * %" PRId64 ";\n",
                   types[1], q->column_low);
    }
    mg_cl_line(p, "    for (int d = 0; d < %u; d++) {\n", q->depth);
    mg_cl_line(p, "        const %s2 a = (%s2)(%s, %s);\n", type, type,
               element(p, q, atom->row, q->row_lies, "row", "r", MG_WIDE * q->rows),
               element(p, q, atom->row, q->row_lies, "row", "r + 8", MG_WIDE * q->rows));
    mg_cl_line(p, "        const %s2 b = (%s2)(%s, %s);\n", type, type,
               element(p, q, atom->column, q->column_lies, "column", "c", q->columns),
               element(p, q, atom->column, q->column_lies, "column", "c + 1", q->columns));
    mg_cl_line(p, mg_is_float(atom->sum) ? "        sum = fma(a.xxyy, b.xyxy, sum);\n"
                                         : "        sum += a.xxyy * b.xyxy;\n");
    mg_cl_line(p, "    }\n%s    %s[i] = sum;\n", q->column_low ? "    }\n" : "", sums);
    mg_cl_line(p, "}\n");
    if (held)
        mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE);\n");
}

void mg_cl_wide_product(MgClPrinter *p, const MgKs *s,
                        void (*body)(MgClPrinter *, const MgKBlock *)) {
    const MgKProduct *q = s->product;
    mg_cl_wide_helpers(p);
    mg_cl_line(p, "{ // %u x %u sums of %d items, %u deep\n", MG_WIDE * q->rows, q->columns,
               MG_WIDE * MG_TOGETHER, q->depth);
    p->depth++;
    mg_text_add(p->body, "#ifdef MG_WIDE\n");
    begin(p, s, body);
    mg_text_add(p->body, "#else\n");
    mg_cl_line(p, "{\n");
    p->depth++;
    by_items(p, s);
    p->depth--;
    mg_cl_line(p, "}\n");
    if (q->column_low)
        body(p, &s->body);
    mg_text_add(p->body, "#endif\n");
    if (!q->column_low)
        body(p, &s->body);
    mg_text_add(p->body, "#ifdef MG_WIDE\n");
    end(p, s);
    mg_text_add(p->body, "#endif\n");
    p->depth--;
    mg_cl_line(p, "}\n");
}
