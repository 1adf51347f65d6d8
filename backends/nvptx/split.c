// A product of 32 items that splits factors of f32, as backends/opencl/print_split.c does.
#include "backends/nvptx/emit.h"

void mg_nv_parts(MgNvEmit *n, LLVMValueRef x, LLVMValueRef *upper, LLVMValueRef *rest) {
    LLVMBuilderRef b = n->e.builder;
    LLVMTypeRef type = LLVMTypeOf(x), word = n->e.t.i32;
    LLVMValueRef bits = LLVMBuildBitCast(b, x, word, "");
    bits = LLVMBuildAdd(b, bits, mg_nv_i32(n, 0x1000), "");
    *upper = mg_nv_binary(n, LLVMAnd, bits, mg_nv_i32(n, (int32_t)0xffffe000));
    LLVMValueRef left = mg_nv_binary(n, LLVMFSub, x, LLVMBuildBitCast(b, *upper, type, ""));
    *rest = LLVMBuildBitCast(b, left, word, "");
}

typedef struct Split {
    const MgKProduct *q;
    LLVMTypeRef single, four;
    LLVMValueRef row, column, whole_row, whole_column; // addresses of elements
    LLVMValueRef sums;                                 // that begin at 0
    uint32_t down, across;
} Split;

static LLVMValueRef element(MgNvEmit *n, const Split *p, LLVMValueRef from, LLVMValueRef at) {
    return mg_nv_load(n, p->single, mg_nv_step(n, p->single, from, at), 4);
}

static LLVMValueRef place_of_sum(MgNvEmit *n, const Split *p, LLVMValueRef sums, uint32_t i) {
    return mg_nv_step(n, p->four, sums, mg_nv_i32(n, i));
}

// Both parts of `count` words of a fragment: parts[0] the upper ones, parts[1] the rest.
static void fragment(MgNvEmit *n, const Split *p, LLVMValueRef from, const int64_t *places,
                     uint32_t count, LLVMValueRef parts[2][4]) {
    for (uint32_t i = 0; i < count; i++)
        mg_nv_parts(n, element(n, p, from, mg_nv_i32(n, places[i])), &parts[0][i], &parts[1][i]);
}

// Eight steps of the depth. The smallest products come first.
static void steps(MgNvEmit *n, const Split *p, int64_t d) {
    static const int order[][2] = {{1, 0}, {0, 1}, {0, 0}};
    const MgKProduct *q = p->q;
    LLVMValueRef(*rows)[2][4] = (void *)MG_NEW_N(n->e.arena, LLVMValueRef, 8 * p->down);
    LLVMValueRef(*columns)[2][4] = (void *)MG_NEW_N(n->e.arena, LLVMValueRef, 8 * p->across);
    for (uint32_t i = 0; i < p->down; i++) {
        int64_t at = i * MG_PRODUCT_ROWS * q->row_step + d * q->row_deep;
        int64_t below = 8 * q->row_step, on = 4 * q->row_deep;
        fragment(n, p, p->row, (int64_t[]){at, at + below, at + on, at + below + on}, 4, rows[i]);
    }
    for (uint32_t j = 0; j < p->across; j++) {
        int64_t at = j * MG_PRODUCT_COLUMNS * q->column_step + d * q->column_deep;
        fragment(n, p, p->column, (int64_t[]){at, at + 4 * q->column_deep}, 2, columns[j]);
    }
    for (uint32_t part = 0; part < 3; part++)
        for (uint32_t i = 0; i < p->down * p->across; i++) {
            LLVMValueRef at = place_of_sum(n, p, p->sums, i);
            LLVMValueRef sum = mg_nv_load(n, p->four, at, 16);
            sum = mg_nv_multiply(n, MG_ATOM_TF32, sum, rows[i / p->across][order[part][0]],
                                 columns[i % p->across][order[part][1]]);
            mg_nv_store(n, sum, at, 16);
        }
}

// Loops of few statements, which stay loops.
typedef struct Count {
    LLVMBasicBlockRef before, body;
    LLVMValueRef i;
} Count;

static Count begin_count(MgNvEmit *n) {
    LLVMBuilderRef b = n->e.builder;
    Count c = {LLVMGetInsertBlock(b), mg_cpu_block(&n->e, "count"), NULL};
    LLVMBuildBr(b, c.body);
    LLVMPositionBuilderAtEnd(b, c.body);
    c.i = LLVMBuildPhi(b, n->e.t.i32, "");
    return c;
}

static void end_count(MgNvEmit *n, const Count *c, uint32_t trips) {
    LLVMBuilderRef b = n->e.builder;
    LLVMBasicBlockRef after = mg_cpu_block(&n->e, "counted");
    LLVMValueRef values[] = {mg_nv_i32(n, 0), LLVMBuildNSWAdd(b, c->i, mg_nv_i32(n, 1), "")};
    LLVMBasicBlockRef from[] = {c->before, LLVMGetInsertBlock(b)};
    LLVMAddIncoming(c->i, values, from, 2);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, values[1], mg_nv_i32(n, trips), ""), c->body,
                    after);
    LLVMPositionBuilderAtEnd(b, after);
}

static LLVMValueRef at_two(MgNvEmit *n, LLVMValueRef a, int64_t times, LLVMValueRef b, int64_t by) {
    return mg_nv_binary(n, LLVMAdd, mg_nv_binary(n, LLVMMul, a, mg_nv_i32(n, times)),
                        mg_nv_binary(n, LLVMMul, b, mg_nv_i32(n, by)));
}

// Sum number i of the item's, of whole factors.
static LLVMValueRef whole_sum(MgNvEmit *n, const Split *p, LLVMValueRef i) {
    const MgKProduct *q = p->q;
    LLVMBuilderRef b = n->e.builder;
    LLVMValueRef by = mg_nv_i32(n, p->across);
    LLVMValueRef down = mg_nv_binary(n, LLVMUDiv, i, by), across = mg_nv_binary(n, LLVMURem, i, by);
    Count c = begin_count(n);
    LLVMValueRef sum = LLVMBuildPhi(b, p->four, "");
    LLVMValueRef r = at_two(n, down, MG_PRODUCT_ROWS * q->row_step, c.i, q->row_deep);
    LLVMValueRef k = at_two(n, across, MG_PRODUCT_COLUMNS * q->column_step, c.i, q->column_deep);
    LLVMValueRef below = LLVMBuildAdd(b, r, mg_nv_i32(n, 8 * q->row_step), "");
    LLVMValueRef next = LLVMBuildAdd(b, k, mg_nv_i32(n, q->column_step), "");
    LLVMValueRef x[] = {element(n, p, p->whole_row, r), element(n, p, p->whole_row, below)},
                 y[] = {element(n, p, p->whole_column, k), element(n, p, p->whole_column, next)};
    LLVMValueRef rows[] = {x[0], x[0], x[1], x[1]}, columns[] = {y[0], y[1], y[0], y[1]};
    LLVMValueRef more = mg_nv_fma(n, mg_nv_vector(n, rows, 4), mg_nv_vector(n, columns, 4), sum);
    LLVMValueRef values[] = {LLVMConstNull(p->four), more};
    LLVMBasicBlockRef from[] = {c.before, LLVMGetInsertBlock(b)};
    LLVMAddIncoming(sum, values, from, 2);
    end_count(n, &c, q->depth);
    return more;
}

// Is a sum not finite? 0 times what is not finite is NaN.
static LLVMValueRef any_odd(MgNvEmit *n, const Split *p) {
    LLVMValueRef zero = LLVMConstNull(p->four), odd = zero;
    for (uint32_t i = 0; i < p->down * p->across; i++)
        odd = mg_nv_fma(n, mg_nv_load(n, p->four, place_of_sum(n, p, p->sums, i), 16), zero, odd);
    LLVMValueRef all = mg_nv_lane(n, odd, 0);
    for (uint32_t i = 1; i < 4; i++)
        all = mg_nv_binary(n, LLVMFAdd, all, mg_nv_lane(n, odd, i));
    return LLVMBuildFCmp(n->e.builder, LLVMRealUNO, all, all, "");
}

// Replaces all sums. Arrays with indices that vary don't stay in registers.
static void take_whole_sums(MgNvEmit *n, const Split *p) {
    LLVMBuilderRef b = n->e.builder;
    Count c = begin_count(n);
    LLVMValueRef sum = whole_sum(n, p, c.i);
    for (uint32_t u = 0; u < p->down * p->across; u++) {
        LLVMValueRef at = place_of_sum(n, p, p->sums, u);
        LLVMValueRef is = LLVMBuildICmp(b, LLVMIntEQ, c.i, mg_nv_i32(n, u), "");
        mg_nv_store(n, LLVMBuildSelect(b, is, sum, mg_nv_load(n, p->four, at, 16), ""), at, 16);
    }
    end_count(n, &c, p->down * p->across);
}

void mg_nv_split(MgNvEmit *n, const MgKs *s) {
    const MgKProduct *q = s->product;
    LLVMTypeRef single = LLVMFloatTypeInContext(n->e.context);
    Split p = {.q = q,
               .single = single,
               .four = LLVMVectorType(single, 4),
               .row = mg_nv_factor(n, q->row_buf, s->index, q->row_step, q->row_deep),
               .column = mg_nv_factor(n, q->column_buf, s->x, q->column_step, q->column_deep),
               .whole_row = mg_nv_factor(n, q->row_buf, s->index, q->row_step, 0),
               .whole_column = mg_nv_factor(n, q->column_buf, s->x, 0, 2 * q->column_step),
               .down = q->rows / MG_PRODUCT_ROWS,
               .across = q->columns / MG_PRODUCT_COLUMNS};
    uint32_t count = p.down * p.across;
    p.sums = LLVMBuildAlloca(n->e.allocas, LLVMArrayType2(p.four, count), "");
    for (uint32_t i = 0; i < count; i++)
        mg_nv_store(n, LLVMConstNull(p.four), place_of_sum(n, &p, p.sums, i), 16);
    for (int64_t d = 0; d < q->depth; d += MG_PRODUCT_WORDS)
        steps(n, &p, d);
    MgNvIf odd = mg_nv_if(n, any_odd(n, &p));
    take_whole_sums(n, &p);
    mg_nv_end(n, &odd);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef at = place_of_sum(n, &p, n->e.bufs[s->buf], i);
        LLVMValueRef both = mg_nv_binary(n, LLVMFAdd, mg_nv_load(n, p.four, at, 16),
                                         mg_nv_load(n, p.four, place_of_sum(n, &p, p.sums, i), 16));
        mg_nv_store(n, both, at, 16);
    }
}
