// Boxes that the device copies by itself, as backends/opencl/print_box.c has them: one item begins
// the copy, and barriers in local memory count the bytes that have landed and the items that have
// released a slot. A line of PTX that is a comment tells the host of which tensor a map is needed.
//
// PTX ISA 8.0, "cp.async.bulk.tensor", "mbarrier", and the im2col mode of tensors.
#include "backends/nvptx/emit.h"

#include "backends/device_text.h"

#include <inttypes.h>

// The instruction must stay where it is, and so do accesses of memory around it.
static void run(MgNvEmit *n, const char *text, const char *constraints, LLVMValueRef *args,
                uint32_t n_args) {
    const MgNvAsm what = {
        text, mg_arena_printf(n->e.arena, "%s%s~{memory}", constraints, *constraints ? "," : ""),
        NULL, 0, false};
    mg_nv_asm(n, &what, args, n_args);
}

// The address of a slot's barrier.
static LLVMValueRef barrier_of(MgNvEmit *n, LLVMValueRef barriers, LLVMValueRef slot) {
    return mg_nv_local(n, mg_nv_step(n, n->e.t.i64, barriers, slot));
}

// ---------------------------------------------------------------- the kernel's start

// The bytes of a tensor, in the order of MgCuBox.
static void describe(MgNvEmit *n, const MgKBox *b) {
    int64_t size = (int64_t)mg_dtype_size(n->e.k->bufs.at[b->from].elem.dtype);
    MgText text = mg_text(n->e.arena);
    mg_textf(&text, "// " MG_PTX_BOX " %u %" PRId64 " %d %" PRId64 " %u %u", 2 * b->from, size,
             b->rounds, b->base * size, b->rank, b->pixels);
    for (uint32_t i = 0; i < MG_BOX_AXES; i++)
        mg_textf(&text, " %" PRId64 " %" PRId64 " %u", b->axes[i].size, b->axes[i].stride * size,
                 b->axes[i].extent);
    for (uint32_t i = 0; i < MG_BOX_PIXELS; i++)
        mg_textf(&text, " %d %d %d", b->walks[i].low, b->walks[i].high, b->walks[i].step);
    run(n, mg_text_str(&text), "", NULL, 0);
}

static void find_map(MgNvEmit *n, uint32_t i) {
    const MgNvAsm what = {
        .text = mg_arena_printf(n->e.arena,
                                "{ .reg .b64 t; mov.b64 t, %s_param_%u; cvta.param.u64 $0, t; }",
                                n->name, n->arguments + i),
        .constraints = "=l",
        .result = n->e.t.i64,
        .n_results = 1};
    n->maps[i] = mg_nv_asm(n, &what, NULL, 0);
}

static void count_to(MgNvEmit *n, LLVMValueRef barriers, uint32_t slots, uint32_t count) {
    const char *text = mg_arena_printf(n->e.arena, "mbarrier.init.shared.b64 [$0], %u;", count);
    for (uint32_t i = 0; i < slots; i++) {
        LLVMValueRef at = barrier_of(n, barriers, mg_nv_i32(n, i));
        run(n, text, "r", &at, 1);
    }
}

static MgNvIf first_item(MgNvEmit *n) {
    return mg_nv_if(n, LLVMBuildICmp(n->e.builder, LLVMIntEQ, n->item, mg_nv_i32(n, 0), ""));
}

void mg_nv_begin_boxes(MgNvEmit *n) {
    const MgKernel *k = n->e.k;
    if (!n->boxes.list.len)
        return;
    uint32_t slots = n->boxes.list.at[0]->slots;
    n->landing = mg_nv_shared(n, "landing", n->e.t.i64, slots, 8);
    if (n->releases)
        n->released = mg_nv_shared(n, "released", n->e.t.i64, slots, 8);
    n->phases = LLVMBuildAlloca(n->e.allocas, n->e.t.i32, "phases");
    mg_nv_store(n, mg_nv_i32(n, 0), n->phases, 4);
    if (k->resident)
        run(n, mg_arena_printf(n->e.arena, "// " MG_PTX_RESIDENT " %u %u", k->items, k->resident),
            "", NULL, 0);
    n->maps = MG_NEW_N(n->e.arena, LLVMValueRef, n->boxes.list.len);
    for (uint32_t i = 0; i < n->boxes.list.len; i++) {
        find_map(n, i);
        describe(n, n->boxes.list.at[i]);
    }
    MgNvIf first = first_item(n);
    count_to(n, n->landing, slots, n->boxes.list.at[0]->together);
    if (n->releases)
        count_to(n, n->released, slots, k->items / MG_TOGETHER);
    run(n, "fence.mbarrier_init.release.cluster;", "", NULL, 0);
    mg_nv_end(n, &first);
    mg_cpu_intrinsic(&n->e, "llvm.nvvm.barrier0", NULL, 0, NULL, 0);
}

// ---------------------------------------------------------------- statements

static LLVMValueRef phase_of(MgNvEmit *n, LLVMValueRef phases, LLVMValueRef slot) {
    return mg_nv_binary(n, LLVMAnd, mg_nv_binary(n, LLVMLShr, phases, slot), mg_nv_i32(n, 1));
}

// Waits until a slot's barrier has ended a phase.
static void wait_for(MgNvEmit *n, LLVMValueRef barriers, LLVMValueRef slot, LLVMValueRef phase) {
    LLVMValueRef args[] = {barrier_of(n, barriers, slot), phase};
    run(n, "{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; @!p bra W; }",
        "r,r", args, 2);
}

static void copy(MgNvEmit *n, const MgKs *s, LLVMValueRef slot) {
    const MgKBox *b = s->box;
    LLVMBuilderRef at = n->e.builder;
    MgText text = mg_text(n->e.arena), constraints = text;
    LLVMValueRef args[3 + MG_BOX_PLACES] = {mg_nv_local(n, mg_nv_place(n, s->buf, s->index)),
                                            n->maps[mg_kboxes_number(&n->boxes, b)],
                                            barrier_of(n, n->landing, slot)};
    uint32_t places = mg_box_places(b);
    mg_textf(&text,
             "cp.async.bulk.tensor.%ud.shared::cluster.global%s.mbarrier::complete_tx::bytes "
             "[$0], [$1, {",
             b->rank, b->pixels ? ".im2col" : "");
    mg_text_add(&constraints, "r,l,r");
    for (uint32_t i = 0; i < places; i++) {
        if (i == b->rank)
            mg_text_add(&text, "}], [$2], {");
        mg_textf(&text, "%s$%u", i && i != b->rank ? ", " : "", 3 + i);
        mg_text_add(&constraints, i < b->rank ? ",r" : ",h");
        args[3 + i] = mg_nv_word(n, s->at[i]);
        if (i >= b->rank)
            args[3 + i] =
                LLVMBuildTrunc(at, args[3 + i], LLVMIntTypeInContext(n->e.context, 16), "");
    }
    mg_text_add(&text, places == b->rank ? "}], [$2];" : "};");
    run(n, mg_text_str(&text), mg_text_str(&constraints), args, 3 + places);
}

void mg_nv_box(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef slot = mg_nv_word(n, s->x);
    MgNvIf first = first_item(n);
    if (n->releases) {
        LLVMValueRef phases = mg_nv_load(n, n->e.t.i32, n->phases, 4);
        wait_for(n, n->released, slot, phase_of(n, LLVMBuildNot(b, phases, ""), slot));
    }
    LLVMValueRef landing = barrier_of(n, n->landing, slot);
    run(n,
        mg_arena_printf(n->e.arena, "mbarrier.arrive.expect_tx.shared.b64 _, [$0], %" PRId64 ";",
                        mg_box_lines(s->box) * MG_LINE_BYTES),
        "r", &landing, 1);
    copy(n, s, slot);
    mg_nv_end(n, &first);
}

void mg_nv_landed(MgNvEmit *n, const MgKs *s) {
    LLVMValueRef slot = mg_nv_word(n, s->x), phases = mg_nv_load(n, n->e.t.i32, n->phases, 4);
    wait_for(n, n->landing, slot, phase_of(n, phases, slot));
    LLVMValueRef bit = mg_nv_binary(n, LLVMShl, mg_nv_i32(n, 1), slot);
    mg_nv_store(n, mg_nv_binary(n, LLVMXor, phases, bit), n->phases, 4);
}

void mg_nv_release(MgNvEmit *n, const MgKs *s) {
    LLVMValueRef slot = mg_nv_word(n, s->x);
    run(n, "bar.warp.sync 0xffffffff;", "", NULL, 0);
    LLVMValueRef lane = mg_nv_binary(n, LLVMAnd, n->item, mg_nv_i32(n, MG_TOGETHER - 1));
    MgNvIf first = mg_nv_if(n, LLVMBuildICmp(n->e.builder, LLVMIntEQ, lane, mg_nv_i32(n, 0), ""));
    LLVMValueRef at = barrier_of(n, n->released, slot);
    run(n, "mbarrier.arrive.shared.b64 _, [$0];", "r", &at, 1);
    mg_nv_end(n, &first);
}
