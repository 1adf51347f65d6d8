// Statements. A loop has its test at the top, and its variable is a phi.
#include "backends/nvptx/emit.h"

MgNvIf mg_nv_if(MgNvEmit *n, LLVMValueRef condition) {
    LLVMBuilderRef b = n->e.builder;
    MgNvIf branch = {LLVMGetInsertBlock(b), mg_cpu_block(&n->e, "endif")};
    LLVMBasicBlockRef then = mg_cpu_block(&n->e, "then");
    LLVMBuildCondBr(b, condition, then, branch.after);
    LLVMPositionBuilderAtEnd(b, then);
    return branch;
}

void mg_nv_end(MgNvEmit *n, const MgNvIf *branch) {
    LLVMBuildBr(n->e.builder, branch->after);
    LLVMPositionBuilderAtEnd(n->e.builder, branch->after);
}

LLVMValueRef mg_nv_join(MgNvEmit *n, const MgNvIf *branch, LLVMValueRef inside,
                        LLVMValueRef other) {
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(n->e.builder), branch->from};
    LLVMValueRef values[] = {inside, other};
    mg_nv_end(n, branch);
    LLVMValueRef either = LLVMBuildPhi(n->e.builder, LLVMTypeOf(inside), "");
    LLVMAddIncoming(either, values, from, 2);
    return either;
}

// ---------------------------------------------------------------- stores

// Stores the lanes that a mask selects.
static void store_lanes(MgNvEmit *n, const MgKs *s, LLVMValueRef value) {
    LLVMValueRef address = mg_nv_place(n, s->buf, s->index);
    LLVMTypeRef overload[] = {LLVMTypeOf(value), LLVMTypeOf(address)};
    LLVMValueRef args[] = {value, address, mg_nv_i32(n, (int64_t)mg_dtype_size(s->x->type.dtype)),
                           mg_cpu_mask(&n->e, s->mask, s->x->type.lanes)};
    bool scattered = s->index->type.lanes > 1;
    mg_cpu_intrinsic(&n->e, scattered ? "llvm.masked.scatter" : "llvm.masked.store", overload, 2,
                     args, 4);
}

static void store_whole(MgNvEmit *n, const MgKs *s, LLVMValueRef value) {
    const MgKBuf *b = &n->e.k->bufs.at[s->buf];
    if (b->elem.lanes > 1)
        value = LLVMBuildBitCast(n->e.builder, value, mg_nv_element(n, b), "");
    mg_nv_store(n, value, mg_nv_place(n, s->buf, s->index),
                mg_nv_align(n, s->buf, s->index, s->x->type));
}

static void store(MgNvEmit *n, const MgKs *s) {
    if (mg_kstore_copies(&n->facts, s)) {
        mg_nv_copy_later(n, s);
        return;
    }
    LLVMValueRef value = mg_cpu_value(&n->e, s->x);
    if (s->x->type.dtype == MG_BOOL)
        value = LLVMBuildZExt(n->e.builder, value, mg_cpu_memory_type(&n->e, s->x->type), "");
    if (s->x->type.lanes > 1 && (s->mask || s->index->type.lanes > 1)) {
        store_lanes(n, s, value);
        return;
    }
    if (!s->mask) {
        store_whole(n, s, value);
        return;
    }
    MgNvIf branch = mg_nv_if(n, mg_cpu_value(&n->e, s->mask));
    store_whole(n, s, value);
    mg_nv_end(n, &branch);
}

// ---------------------------------------------------------------- loops

// The bound of a loop in the type of its variable.
static LLVMValueRef bound(MgNvEmit *n, const MgKx *x, bool narrow) {
    return narrow ? mg_nv_word(n, x) : mg_cpu_value(&n->e, x);
}

// low + i * step.
static LLVMValueRef trip(MgNvEmit *n, LLVMValueRef low, LLVMValueRef i, int64_t step) {
    LLVMTypeRef type = LLVMTypeOf(low);
    LLVMValueRef by = LLVMConstInt(type, (uint64_t)step, true);
    i = LLVMBuildIntCast2(n->e.builder, i, type, true, "");
    return LLVMBuildNSWAdd(n->e.builder, low, LLVMBuildNSWMul(n->e.builder, i, by, ""), "");
}

// Contiguous blocks of the trips, in i64.
static LLVMValueRef share(MgNvEmit *n, LLVMValueRef low, LLVMValueRef trips, LLVMValueRef group,
                          int64_t step) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef groups = LLVMBuildSExt(b, n->groups, n->e.t.i64, "");
    LLVMValueRef first = mg_nv_binary(n, LLVMSDiv, LLVMBuildMul(b, trips, group, ""), groups);
    return trip(n, low, first, step);
}

static void divide(MgNvEmit *n, int64_t step, LLVMValueRef *low, LLVMValueRef *high) {
    LLVMBuilderRef b = n->e.builder;
    LLVMTypeRef type = LLVMTypeOf(*low), wide = n->e.t.i64;
    LLVMValueRef from = LLVMBuildIntCast2(b, *low, wide, true, "");
    LLVMValueRef to = LLVMBuildIntCast2(b, *high, wide, true, "");
    LLVMValueRef group = LLVMBuildSExt(b, n->group, wide, "");
    LLVMValueRef past =
        LLVMBuildAdd(b, LLVMBuildSub(b, to, from, ""), mg_cpu_int(&n->e, step - 1), "");
    LLVMValueRef args[] = {mg_nv_binary(n, LLVMSDiv, past, mg_cpu_int(&n->e, step)),
                           mg_cpu_int(&n->e, 0)};
    LLVMValueRef trips = mg_cpu_intrinsic(&n->e, "llvm.smax", &wide, 1, args, 2);
    LLVMValueRef next = LLVMBuildAdd(b, group, mg_cpu_int(&n->e, 1), "");
    *low = LLVMBuildIntCast2(b, share(n, from, trips, group, step), type, true, "");
    *high = LLVMBuildIntCast2(b, share(n, from, trips, next, step), type, true, "");
}

// A loop over items with constant bounds, of which no item has two trips, is a branch or a block.
static bool single_trip(MgNvEmit *n, const MgKs *s, bool narrow) {
    int64_t trips = mg_kloop_single_trips(n->e.k, s);
    if (trips < 0)
        return false;
    n->e.vars[s->var] = trip(n, bound(n, s->low, narrow), n->item, s->step);
    if (trips == n->e.k->items) {
        mg_nv_statements(n, &s->body);
        return true;
    }
    MgNvIf branch =
        mg_nv_if(n, LLVMBuildICmp(n->e.builder, LLVMIntSLT, n->item, mg_nv_i32(n, trips), ""));
    mg_nv_statements(n, &s->body);
    mg_nv_end(n, &branch);
    return true;
}

// Tells LLVM to leave the loop as it is.
static void keep_rolled(MgNvEmit *n, LLVMValueRef jump) {
    static const char word[] = "llvm.loop.unroll.disable";
    LLVMContextRef c = n->e.context;
    LLVMMetadataRef text = LLVMMDStringInContext2(c, word, sizeof word - 1);
    LLVMMetadataRef off = LLVMMDNodeInContext2(c, &text, 1);
    LLVMMetadataRef itself = LLVMTemporaryMDNode(c, NULL, 0);
    LLVMMetadataRef both[] = {itself, off};
    LLVMMetadataRef node = LLVMMDNodeInContext2(c, both, 2);
    LLVMMetadataReplaceAllUsesWith(itself, node);
    LLVMSetMetadata(jump, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, node));
}

static void loop(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    mg_kfacts_loop(&n->facts, s);
    bool narrow = n->facts.of[s->var].narrow;
    if (single_trip(n, s, narrow))
        return;
    LLVMValueRef low = bound(n, s->low, narrow), high = bound(n, s->high, narrow);
    LLVMTypeRef type = LLVMTypeOf(low);
    LLVMValueRef stride = LLVMConstInt(type, (uint64_t)s->step, true);
    bool groups = s->loop == MG_LOOP_GROUP, items = s->loop == MG_LOOP_ITEM;
    if (s->loop == MG_LOOP_PARALLEL)
        divide(n, s->step, &low, &high);
    else if (groups || items) {
        LLVMValueRef of = groups ? n->groups : mg_nv_i32(n, n->e.k->items);
        low = trip(n, low, groups ? n->group : n->item, s->step);
        stride = trip(n, LLVMConstNull(type), of, s->step);
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), test = mg_cpu_block(&n->e, "for"),
                      body = mg_cpu_block(&n->e, "loop"), after = mg_cpu_block(&n->e, "end");
    LLVMBuildBr(b, test);
    LLVMPositionBuilderAtEnd(b, test);
    LLVMValueRef i = LLVMBuildPhi(b, type, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, i, high, ""), body, after);
    LLVMPositionBuilderAtEnd(b, body);
    n->e.vars[s->var] = i;
    mg_nv_statements(n, &s->body);
    LLVMValueRef values[] = {low, LLVMBuildNSWAdd(b, i, stride, "")};
    LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(b)};
    LLVMValueRef jump = LLVMBuildBr(b, test);
    if (s->rolled)
        keep_rolled(n, jump);
    LLVMAddIncoming(i, values, from, 2);
    LLVMPositionBuilderAtEnd(b, after);
}

static void repeat(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMBasicBlockRef test = mg_cpu_block(&n->e, "while"), body = mg_cpu_block(&n->e, "do"),
                      after = mg_cpu_block(&n->e, "done");
    LLVMBuildBr(b, test);
    LLVMPositionBuilderAtEnd(b, test);
    LLVMBuildCondBr(b, mg_cpu_value(&n->e, s->x), body, after);
    LLVMPositionBuilderAtEnd(b, body);
    mg_nv_statements(n, &s->body);
    LLVMBuildBr(b, test);
    LLVMPositionBuilderAtEnd(b, after);
}

static void branch(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMBasicBlockRef then = mg_cpu_block(&n->e, "then"), after = mg_cpu_block(&n->e, "endif");
    LLVMBasicBlockRef orelse = s->orelse.list.len ? mg_cpu_block(&n->e, "else") : after;
    LLVMBuildCondBr(b, mg_cpu_value(&n->e, s->x), then, orelse);
    LLVMPositionBuilderAtEnd(b, then);
    mg_nv_statements(n, &s->body);
    LLVMBuildBr(b, after);
    if (orelse != after) {
        LLVMPositionBuilderAtEnd(b, orelse);
        mg_nv_statements(n, &s->orelse);
        LLVMBuildBr(b, after);
    }
    LLVMPositionBuilderAtEnd(b, after);
}

// ---------------------------------------------------------------- items and groups

static void barrier(MgNvEmit *n) {
    if (n->wide)
        mg_nv_before_barrier(n);
    mg_cpu_intrinsic(&n->e, "llvm.nvvm.barrier0", NULL, 0, NULL, 0);
}

// Records a trap and its value in MgDeviceTrap. The first trap of any item stays.
static void trap(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef value = s->x ? mg_cpu_value(&n->e, s->x) : NULL;
    LLVMValueRef was =
        LLVMBuildAtomicCmpXchg(b, n->trap, mg_nv_i32(n, 0), mg_nv_i32(n, s->code),
                               LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, false);
    if (!value)
        return;
    MgNvIf first = mg_nv_if(n, LLVMBuildExtractValue(b, was, 1, ""));
    mg_nv_store(n, mg_nv_i32(n, 1), mg_nv_step(n, n->e.t.i32, n->trap, mg_nv_i32(n, 1)), 4);
    mg_nv_store(n, value, mg_nv_step(n, n->e.t.i64, n->trap, mg_nv_i32(n, 1)), 8);
    mg_nv_end(n, &first);
}

// Items of a warp find those with the same count, of which the first adds the number of all.
static void tally(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMTypeRef word = n->e.t.i32;
    LLVMValueRef count = mg_nv_place(n, s->buf, s->index), at = mg_nv_local(n, count);
    const MgNvAsm match = {"match.any.sync.b32 $0, $1, 0xffffffff;", "=r,r,~{memory}", word, 1,
                           false},
                  below = {"mov.u32 $0, %lanemask_lt;", "=r", word, 1, true},
                  meet = {"bar.warp.sync 0xffffffff;", "~{memory}", NULL, 0, false};
    LLVMValueRef same = mg_nv_asm(n, &match, &at, 1);
    LLVMValueRef lower = mg_nv_binary(n, LLVMAnd, same, mg_nv_asm(n, &below, NULL, 0));
    LLVMValueRef before = mg_cpu_intrinsic(&n->e, "llvm.ctpop", &word, 1, &lower, 1);
    LLVMValueRef all = mg_cpu_intrinsic(&n->e, "llvm.ctpop", &word, 1, &same, 1);
    LLVMValueRef there = mg_nv_load(n, word, count, 4);
    mg_nv_asm(n, &meet, NULL, 0);
    MgNvIf first = mg_nv_if(n, LLVMBuildICmp(b, LLVMIntEQ, before, mg_nv_i32(n, 0), ""));
    mg_nv_store(n, LLVMBuildAdd(b, there, all, ""), count, 4);
    mg_nv_end(n, &first);
    mg_nv_asm(n, &meet, NULL, 0);
    n->e.vars[s->var] = LLVMBuildAdd(b, there, before, "");
}

static void take(MgNvEmit *n, const MgKs *s) {
    n->e.vars[s->var] =
        LLVMBuildAtomicRMW(n->e.builder, LLVMAtomicRMWBinOpAdd, mg_nv_place(n, s->buf, s->index),
                           mg_nv_i32(n, 1), LLVMAtomicOrderingMonotonic, false);
}

// Posts are stored and loaded past a unit's own cache.
static void post(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef value = LLVMBuildZExt(b, mg_cpu_value(&n->e, s->x), n->e.t.i64, "");
    LLVMValueRef args[] = {mg_nv_place(n, s->buf, s->index),
                           mg_nv_binary(n, LLVMOr, value, mg_cpu_int(&n->e, INT64_C(1) << 32))};
    const MgNvAsm put = {"st.relaxed.gpu.global.u64 [$0], $1;", "l,l,~{memory}", NULL, 0, false};
    mg_nv_asm(n, &put, args, 2);
}

// Looks until all lanes are there, which are on their way at once.
static void collect(MgNvEmit *n, const MgKs *s) {
    LLVMBuilderRef b = n->e.builder;
    uint32_t lanes = s->index->type.lanes;
    LLVMValueRef address = mg_nv_place(n, s->buf, s->index), words[64], found[64];
    const MgNvAsm look = {"ld.relaxed.gpu.global.u64 $0, [$1];", "=l,l,~{memory}", n->e.t.i64, 1,
                          false};
    LLVMBasicBlockRef again = mg_cpu_block(&n->e, "look"), after = mg_cpu_block(&n->e, "found");
    LLVMBuildBr(b, again);
    LLVMPositionBuilderAtEnd(b, again);
    LLVMValueRef all = NULL;
    for (uint32_t i = 0; i < lanes; i++) {
        LLVMValueRef at = lanes > 1 ? mg_nv_lane(n, address, i) : address;
        found[i] = mg_nv_asm(n, &look, &at, 1);
        all = all ? mg_nv_binary(n, LLVMAnd, all, found[i]) : found[i];
    }
    for (uint32_t i = 0; i < lanes; i++)
        words[i] = LLVMBuildTrunc(b, found[i], n->e.t.i32, "");
    LLVMValueRef there = mg_nv_binary(n, LLVMLShr, all, mg_cpu_int(&n->e, 32));
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, there, mg_cpu_int(&n->e, 0), ""), after, again);
    LLVMPositionBuilderAtEnd(b, after);
    n->e.vars[s->var] = lanes > 1 ? mg_nv_vector(n, words, lanes) : words[0];
}

// ---------------------------------------------------------------- everything

static void prefetch(MgNvEmit *n, const MgKs *s) {
    LLVMValueRef address = mg_nv_place(n, s->buf, s->index);
    const MgNvAsm fetch = {"prefetch.global.L2 [$0];", "l", NULL, 0, false};
    if (n->e.k->bufs.at[s->buf].space == MG_SPACE_GLOBAL)
        mg_nv_asm(n, &fetch, &address, 1);
}

static void let(MgNvEmit *n, const MgKs *s) {
    mg_kfacts_let(&n->facts, s);
    n->e.vars[s->var] =
        n->facts.of[s->var].narrow ? mg_nv_word(n, s->x) : mg_cpu_value(&n->e, s->x);
}

static void emit(MgNvEmit *n, const MgKs *s) {
    switch (s->kind) {
    case MG_KS_LET:
        let(n, s);
        break;
    case MG_KS_STORE:
        store(n, s);
        break;
    case MG_KS_FOR:
        loop(n, s);
        break;
    case MG_KS_WHILE:
        repeat(n, s);
        break;
    case MG_KS_IF:
        branch(n, s);
        break;
    case MG_KS_BARRIER:
        barrier(n);
        break;
    case MG_KS_TALLY:
        tally(n, s);
        break;
    case MG_KS_TAKE:
        take(n, s);
        break;
    case MG_KS_POST:
        post(n, s);
        break;
    case MG_KS_COLLECT:
        collect(n, s);
        break;
    case MG_KS_PREFETCH:
        prefetch(n, s);
        break;
    case MG_KS_PRODUCT:
        (mg_product_is_wide(s->product) ? mg_nv_wide : mg_nv_product)(n, s);
        break;
    case MG_KS_AWAIT:
        mg_nv_await(n, s);
        break;
    case MG_KS_BOX:
        mg_nv_box(n, s);
        break;
    case MG_KS_LANDED:
        mg_nv_landed(n, s);
        break;
    case MG_KS_RELEASE:
        mg_nv_release(n, s);
        break;
    case MG_KS_TRAP:
        trap(n, s);
        break;
    case MG_KS_CALL: // mg_nv_can_emit refuses it
        break;
    }
}

// A loop comes back to its beginning after its stores, and what stands in a loop or branch may not
// be run, so its barriers don't count for what follows.
static void statement(MgNvEmit *n, const MgKs *s) {
    bool before = n->lines_stored && s->kind != MG_KS_BARRIER;
    if (n->boxes.list.len && s->kind != MG_KS_IF)
        n->lines_stored |= mg_ks_stores_lines(n->e.k, s);
    emit(n, s);
    n->lines_stored |= before;
}

void mg_nv_statements(MgNvEmit *n, const MgKBlock *block) {
    for (uint32_t i = 0; i < block->list.len; i++)
        statement(n, block->list.at[i]);
}
