// Prints boxes (MgKBox) as OpenCL C.
//
// NVIDIA's compute capability 9.0 copies them by itself: one item begins the copy, and a barrier in
// local memory counts the bytes that have landed. Another one counts the sets of 32 items that have
// released the slot. The copy needs a map of the tensor, which only the host can make, since its
// contents are the driver's secret: each box has a parameter for one, and a line of PTX that is a
// comment tells what the map is of (backends/cuda/boxes.h). A host that makes maps defines
// MG_BOXES. Elsewhere the items of the group copy, and meet where LANDED stands and where a box
// waits for a slot.
//
// PTX ISA 8.0, "cp.async.bulk.tensor", "mbarrier", and the im2col mode of tensors.
#include "backends/opencl/print_impl.h"
#include "ir/kernel_walk.h"

#include <inttypes.h>
#include <string.h>

void mg_cl_box_parameters(MgClPrinter *p) {
    if (!p->boxes.list.len)
        return;
    mg_text_add(p->body, "\n#ifdef MG_BOXES\n    ");
    for (uint32_t i = 0; i < p->boxes.list.len; i++)
        mg_textf(p->body, ", ulong16 map%u", i);
    mg_text_add(p->body, "\n#endif\n");
}

static void helpers(MgClPrinter *p) {
    mg_cl_wide_helpers(p);
    if (!mg_cl_need_helper(p, "mg_landed"))
        return;
    mg_text_add(
        p->helpers,
        "#ifndef MG_WIDE\n"
        "#undef MG_BOXES\n"
        "#endif\n"
        "#ifdef MG_BOXES\n"
        "static void mg_landed(__local const ulong *slot, uint phase) {\n"
        "    asm volatile(\"" MG_PTX_MARK
        "{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }\"\n"
        "                 :: \"r\"((uint)(ulong)slot), \"r\"(phase) : \"memory\");\n"
        "}\n"
        "static void mg_release(__local const ulong *slot) {\n"
        "    asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\");\n"
        "    if (get_local_id(0) % 32 == 0)\n"
        "        asm volatile(\"" MG_PTX_MARK "mbarrier.arrive.shared.b64 _, [%0];\"\n"
        "                     :: \"r\"((uint)(ulong)slot) : \"memory\");\n"
        "}\n"
        "#endif\n\n");
}

static void rounding_helper(MgClPrinter *p) {
    if (mg_cl_need_helper(p, "mg_to_tf32"))
        mg_text_add(p->helpers, "static ulong2 mg_to_tf32(ulong2 x) {\n"
                                "    const uint4 y = as_uint4(x);\n"
                                "    const uint4 nearest = y + 0xfffu + (y >> 13 & 1u);\n"
                                "    const int4 nan = (y & 0x7fffffffu) > 0x7f800000u;\n"
                                "    return as_ulong2(select(nearest, (uint4)(0x7fffffffu), nan) & "
                                "0xffffe000u);\n"
                                "}\n\n");
}

static void end_helper(MgClPrinter *p) {
    if (mg_cl_need_helper(p, "mg_first_bits"))
        mg_text_add(p->helpers, "static ulong2 mg_first_bits(ulong2 x, long n) {\n"
                                "    x.x &= n < 64 ? (1ul << n) - 1 : ~0ul;\n"
                                "    x.y &= n <= 64 ? 0 : n < 128 ? (1ul << (n - 64)) - 1 : ~0ul;\n"
                                "    return x;\n"
                                "}\n\n");
}

// The bytes of a tensor, in the order of MgCuBox.
static void describe(MgClPrinter *p, const MgKBox *b) {
    int64_t size = (int64_t)mg_dtype_size(p->k->bufs.at[b->from].elem.dtype);
    MgText text = mg_text(p->arena);
    mg_textf(&text, "%u %" PRId64 " %d %" PRId64 " %u %u", 2 * b->from, size, b->rounds,
             b->base * size, b->rank, b->pixels);
    for (uint32_t i = 0; i < MG_BOX_AXES; i++)
        mg_textf(&text, " %" PRId64 " %" PRId64 " %u", b->axes[i].size, b->axes[i].stride * size,
                 b->axes[i].extent);
    for (uint32_t i = 0; i < MG_BOX_PIXELS; i++)
        mg_textf(&text, " %d %d %d", b->walks[i].low, b->walks[i].high, b->walks[i].step);
    mg_cl_line(p, "asm volatile(\"" MG_PTX_MARK "// " MG_PTX_BOX " %s\");\n", mg_text_str(&text));
}

static void count_to(MgClPrinter *p, const char *barriers, uint32_t n) {
    mg_cl_line(p,
               "        asm volatile(\"" MG_PTX_MARK
               "mbarrier.init.shared.b64 [%%0], %u;\" :: \"r\"((uint)(ulong)(%s + i)) : "
               "\"memory\");\n",
               n, barriers);
}

void mg_cl_begin_boxes(MgClPrinter *p, const char *kernel, uint32_t arguments) {
    if (!p->boxes.list.len)
        return;
    helpers(p);
    const MgKBox *b = p->boxes.list.at[0];
    mg_text_add(p->body, "#ifdef MG_BOXES\n");
    mg_cl_line(p, "__local ulong landing[%u] __attribute__((aligned(8)));\n", b->slots);
    if (p->releases)
        mg_cl_line(p, "__local ulong released[%u] __attribute__((aligned(8)));\n", b->slots);
    mg_cl_line(p, "uint phases = 0;\n");
    if (p->k->resident)
        mg_cl_line(p, "asm volatile(\"" MG_PTX_MARK "// " MG_PTX_RESIDENT " %u %u\");\n",
                   p->k->items, p->k->resident);
    for (uint32_t i = 0; i < p->boxes.list.len; i++) {
        mg_cl_line(p, "ulong at_map%u;\n", i);
        mg_cl_line(p,
                   "asm volatile(\"" MG_PTX_MARK
                   "{ .reg .b64 t; mov.b64 t, %s_param_%u; cvta.param.u64 %%0, t; }\" : "
                   "\"=l\"(at_map%u));\n",
                   kernel, arguments + i, i);
        describe(p, p->boxes.list.at[i]);
    }
    mg_cl_line(p, "if (get_local_id(0) == 0) {\n");
    mg_cl_line(p, "    for (int i = 0; i < %u; i++) {\n", b->slots);
    count_to(p, "landing", b->together);
    if (p->releases)
        count_to(p, "released", p->k->items / MG_TOGETHER);
    mg_cl_line(p, "    }\n");
    mg_cl_line(p, "    asm volatile(\"" MG_PTX_MARK
                  "fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n");
    mg_cl_line(p, "}\n");
    mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE);\n");
    mg_text_add(p->body, "#endif\n");
}

// "{x, y, …}, [%4]" with operands from number 3 on, and the operands.
static const char *coordinates(MgClPrinter *p, const MgKs *s, MgText *operands) {
    const MgKBox *b = s->box;
    MgText text = mg_text(p->arena);
    mg_text_add(&text, "{");
    for (uint32_t i = 0; i < b->rank; i++) {
        mg_textf(&text, "%s%%%u", i ? ", " : "", 3 + i);
        mg_textf(operands, ", \"r\"((int)(%s))", mg_cl_expr(p, s->at[i]));
    }
    mg_text_add(&text, "}], [%2]");
    for (uint32_t i = b->rank; i < mg_box_places(b); i++) {
        mg_textf(&text, "%s%%%u", i > b->rank ? ", " : ", {", 3 + i);
        mg_textf(operands, ", \"h\"((ushort)(%s))", mg_cl_expr(p, s->at[i]));
    }
    mg_text_add(&text, b->pixels ? "}" : "");
    return mg_text_str(&text);
}

static void by_device(MgClPrinter *p, const MgKs *s) {
    const MgKBox *b = s->box;
    MgText operands = mg_text(p->arena);
    const char *at = coordinates(p, s, &operands);
    const char *to = mg_cl_expr(p, s->index), *slot = mg_cl_expr(p, s->x);
    mg_cl_line(p, "if (get_local_id(0) == 0) {\n");
    if (p->releases)
        mg_cl_line(p, "    mg_landed(released + %s, ~phases >> %s & 1);\n", slot, slot);
    mg_cl_line(p,
               "    asm volatile(\"" MG_PTX_MARK
               "mbarrier.arrive.expect_tx.shared.b64 _, [%%0], %" PRId64
               ";\" :: \"r\"((uint)(ulong)(landing + %s)) : \"memory\");\n",
               mg_box_lines(b) * MG_LINE_BYTES, slot);
    mg_cl_line(p,
               "    asm volatile(\"" MG_PTX_MARK
               "cp.async.bulk.tensor.%ud.shared::cluster.global%s.mbarrier::complete_tx::bytes "
               "[%%0], [%%1, %s;\"\n",
               b->rank, b->pixels ? ".im2col" : "", at);
    mg_cl_line(p,
               "                 :: \"r\"((uint)(ulong)(%s + %s)), \"l\"(at_map%u), "
               "\"r\"((uint)(ulong)(landing + %s))%s : \"memory\");\n",
               mg_cl_buf(p, s->buf), to, mg_kboxes_number(&p->boxes, b), slot,
               mg_text_str(&operands));
    mg_cl_line(p, "}\n");
}

// A barrier where the device copies no boxes: what items store still waits for one that always
// stands there.
static void barrier_of_items(MgClPrinter *p) {
    bool stored = p->lines_stored;
    mg_cl_barrier(p);
    p->lines_stored = stored;
}

// The positions of line l, as variables at0, at1, …; a walk counts its steps from its beginning.
static void declare_places(MgClPrinter *p, const MgKs *s) {
    const MgKBox *b = s->box;
    mg_cl_line(p, "long at0 = %s + piece * %u;\n", mg_cl_expr(p, s->at[0]), b->axes[0].extent / 8);
    if (b->pixels)
        mg_cl_line(p, "long left = line, wrap;\n");
    for (uint32_t i = 1; i < b->rank && !b->pixels; i++) {
        mg_cl_line(p, "const long at%u = %s + left %% %u;\n", i, mg_cl_expr(p, s->at[i]),
                   b->axes[i].extent);
        mg_cl_line(p, "left /= %u;\n", b->axes[i].extent);
    }
    for (uint32_t i = 0; b->pixels && i + 2 < b->rank; i++) {
        const struct MgKBoxWalk *w = &b->walks[i];
        int64_t span = b->axes[i + 1].size + w->high - w->low;
        int64_t steps = (span + w->step - 1) / w->step;
        mg_cl_line(p, "left += (%s - (%d)) / %d;\n", mg_cl_expr(p, s->at[i + 1]), w->low, w->step);
        mg_cl_line(p, "wrap = left %% %" PRId64 ";\n", steps);
        mg_cl_line(p, "left /= %" PRId64 ";\n", steps);
        mg_cl_line(p, "const long at%u = %d + wrap * %d + %s;\n", i + 1, w->low, w->step,
                   mg_cl_expr(p, s->at[b->rank + i]));
    }
    if (b->pixels)
        mg_cl_line(p, "const long at%u = %s + left;\n", b->rank - 1,
                   mg_cl_expr(p, s->at[b->rank - 1]));
}

static void by_items(MgClPrinter *p, const MgKs *s) {
    const MgKBox *b = s->box;
    uint32_t elements = b->axes[0].extent / 8; // of a piece
    if (p->releases)
        barrier_of_items(p);
    MgText inside = mg_text(p->arena), from = mg_text(p->arena);
    mg_cl_line(p, "for (int n = (int)get_local_id(0); n < %" PRId64 "; n += %u) {\n",
               mg_box_lines(b) * 8, p->k->items);
    p->depth++;
    mg_cl_line(p, "const int piece = n & 7, line = n >> 3;\n");
    if (!b->pixels)
        mg_cl_line(p, "int left = line;\n");
    declare_places(p, s);
    for (uint32_t i = 0; i < b->rank; i++) {
        mg_textf(&inside, "%sat%u >= 0 && at%u < %" PRId64, i ? " && " : "", i, i, b->axes[i].size);
        mg_textf(&from, " + at%u * %" PRId64, i, b->axes[i].stride);
    }
    mg_cl_line(p, "ulong2 x = 0;\n");
    mg_cl_line(p, "if (%s)\n", mg_text_str(&inside));
    mg_cl_line(p, "    x = *(__global const ulong2 *)(%s + %" PRId64 "%s);\n",
               mg_cl_buf(p, b->from), b->base, mg_text_str(&from));
    if (b->axes[0].size % elements) // a line ends within a piece
        mg_cl_line(p, "x = mg_first_bits(x, (%" PRId64 " - at0) * %u);\n", b->axes[0].size,
                   8 * MG_PIECE_BYTES / elements);
    if (b->rounds)
        mg_cl_line(p, "x = mg_to_tf32(x);\n");
    mg_cl_line(p, "*(__local ulong2 *)(%s + %s + line * %u + (piece ^ line & 7) * %u) = x;\n",
               mg_cl_buf(p, s->buf), mg_cl_expr(p, s->index), 8 * elements, elements);
    p->depth--;
    mg_cl_line(p, "}\n");
}

void mg_cl_box(MgClPrinter *p, const MgKs *s) {
    if (s->box->rounds)
        rounding_helper(p);
    if (s->box->axes[0].size % (s->box->axes[0].extent / 8))
        end_helper(p);
    mg_cl_line(p, "{ // a box of %s\n", mg_cl_buf(p, s->box->from));
    p->depth++;
    mg_text_add(p->body, "#ifdef MG_BOXES\n");
    by_device(p, s);
    mg_text_add(p->body, "#else\n");
    by_items(p, s);
    mg_text_add(p->body, "#endif\n");
    p->depth--;
    mg_cl_line(p, "}\n");
}

void mg_cl_landed(MgClPrinter *p, const MgKs *s) {
    const char *slot = mg_cl_expr(p, s->x);
    mg_text_add(p->body, "#ifdef MG_BOXES\n");
    mg_cl_line(p, "mg_landed(landing + %s, phases >> %s & 1);\n", slot, slot);
    mg_cl_line(p, "phases ^= 1u << %s;\n", slot);
    mg_text_add(p->body, "#else\n");
    barrier_of_items(p);
    mg_text_add(p->body, "#endif\n");
}

void mg_cl_release(MgClPrinter *p, const MgKs *s) {
    mg_text_add(p->body, "#ifdef MG_BOXES\n");
    mg_cl_line(p, "mg_release(released + %s);\n", mg_cl_expr(p, s->x));
    mg_text_add(p->body, "#endif\n");
}
