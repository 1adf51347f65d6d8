// Products of small matrices by the matrix instruction of 32 items. The layout of fragments is that
// of backends/opencl/print_product.c; PTX ISA 8.0, "Matrix Fragments for mma.m16n8k8" and others.
#include "backends/nvptx/emit.h"

#include <inttypes.h>

LLVMValueRef mg_nv_multiply(MgNvEmit *n, MgAtom id, LLVMValueRef sum, LLVMValueRef const *rows,
                            LLVMValueRef const *columns) {
    const MgAtomRow *atom = mg_atom(id);
    bool whole = !mg_is_float(atom->sum);
    int length = (int)strcspn(atom->types, ".");
    MgNvAsm multiply = {
        .text = mg_arena_printf(n->e.arena,
                                "mma.sync.aligned.m16n8%s.row.col.%s.%.*s {$0, $1, $2, $3}, "
                                "{$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};",
                                atom->step, atom->types, length, atom->types),
        .constraints =
            whole ? "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r" : "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f",
        .result = whole ? n->e.t.i32 : LLVMFloatTypeInContext(n->e.context),
        .n_results = 4};
    LLVMValueRef args[10] = {rows[0], rows[1], rows[2], rows[3], columns[0], columns[1]}, lanes[4];
    for (uint32_t i = 0; i < 4; i++)
        args[6 + i] = mg_nv_lane(n, sum, i);
    LLVMValueRef result = mg_nv_asm(n, &multiply, args, 10);
    for (uint32_t i = 0; i < 4; i++)
        lanes[i] = LLVMBuildExtractValue(n->e.builder, result, i, "");
    return mg_nv_vector(n, lanes, 4);
}

LLVMValueRef mg_nv_factor(MgNvEmit *n, MgKBufId buf, const MgKx *first, int64_t step,
                          int64_t next) {
    LLVMValueRef lane = mg_nv_binary(n, LLVMAnd, n->item, mg_nv_i32(n, MG_TOGETHER - 1));
    LLVMValueRef down = mg_nv_binary(n, LLVMMul, mg_nv_binary(n, LLVMLShr, lane, mg_nv_i32(n, 2)),
                                     mg_nv_i32(n, step));
    LLVMValueRef on = mg_nv_binary(n, LLVMMul, mg_nv_binary(n, LLVMAnd, lane, mg_nv_i32(n, 3)),
                                   mg_nv_i32(n, next));
    LLVMTypeRef element = mg_nv_element(n, &n->e.k->bufs.at[buf]);
    return mg_nv_step(n, element, mg_nv_place(n, buf, first), mg_nv_binary(n, LLVMAdd, down, on));
}

// The word that lies so many words from an address.
static LLVMValueRef word(MgNvEmit *n, LLVMValueRef from, int64_t at) {
    return mg_nv_load(n, n->e.t.i32, mg_nv_step(n, n->e.t.i32, from, mg_nv_i32(n, at)), 4);
}

typedef struct Words { // from a row (or column) to the next, and from a word to the next
    LLVMValueRef first;
    int64_t step, deep;
} Words;

// The sums of one step of the depth, which begins at word d.
static void step(MgNvEmit *n, const MgKs *s, const Words *r, const Words *c, int64_t d) {
    const MgKProduct *q = s->product;
    uint32_t down = q->rows / MG_PRODUCT_ROWS, across = q->columns / MG_PRODUCT_COLUMNS;
    LLVMValueRef(*rows)[4] = (void *)MG_NEW_N(n->e.arena, LLVMValueRef, 4 * down);
    LLVMValueRef(*columns)[2] = (void *)MG_NEW_N(n->e.arena, LLVMValueRef, 2 * across);
    for (uint32_t i = 0; i < down; i++)
        for (uint32_t part = 0; part < 4; part++)
            rows[i][part] = word(n, r->first,
                                 i * MG_PRODUCT_ROWS * r->step + d * r->deep +
                                     part % 2 * 8 * r->step + part / 2 * 4 * r->deep);
    for (uint32_t j = 0; j < across; j++)
        for (uint32_t part = 0; part < 2; part++)
            columns[j][part] = word(
                n, c->first, j * MG_PRODUCT_COLUMNS * c->step + d * c->deep + part * 4 * c->deep);
    LLVMTypeRef type = mg_nv_element(n, &n->e.k->bufs.at[s->buf]);
    for (uint32_t i = 0; i < down; i++)
        for (uint32_t j = 0; j < across; j++) {
            LLVMValueRef at = mg_nv_step(n, type, n->e.bufs[s->buf], mg_nv_i32(n, i * across + j));
            LLVMValueRef sum = mg_nv_load(n, type, at, 16);
            mg_nv_store(n, mg_nv_multiply(n, q->atom, sum, rows[i], columns[j]), at, 16);
        }
}

void mg_nv_product(MgNvEmit *n, const MgKs *s) {
    const MgKProduct *q = s->product;
    if (q->splits) {
        mg_nv_split(n, s);
        return;
    }
    int64_t per_word = mg_atom_per_word(q->atom);
    const Words rows = {mg_nv_factor(n, q->row_buf, s->index, q->row_step, q->row_deep),
                        q->row_step / per_word, q->row_deep / per_word},
                columns = {mg_nv_factor(n, q->column_buf, s->x, q->column_step, q->column_deep),
                           q->column_step / per_word, q->column_deep / per_word};
    for (int64_t d = 0; d < q->depth / per_word; d += MG_PRODUCT_WORDS)
        step(n, s, &rows, &columns, d);
}
