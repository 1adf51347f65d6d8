#include "ir/kernel_gpu.h"

#include "ir/kernel_walk.h"

#include <string.h>

// ---------------------------------------------------------------- buffers and loops

uint32_t mg_kbuf_words(const MgKBuf *b) {
    size_t size = mg_dtype_size(b->elem.dtype), bytes = b->elem.lanes * size;
    bool packed = b->space == MG_SPACE_PRIVATE && b->elem.lanes > 1 && size < 4 && bytes % 4 == 0;
    return packed ? (uint32_t)bytes / 4 : 0;
}

int64_t mg_kernel_overlay(const MgKernel *k, uint32_t *align) {
    int64_t most = 0;
    *align = 64;
    for (uint32_t i = 0; i < k->bufs.len; i++) {
        const MgKBuf *b = &k->bufs.at[i];
        if (!b->overlay)
            continue;
        int64_t end = b->overlay - 1 + mg_kbuf_bytes(b);
        most = end > most ? end : most;
        *align = b->align > *align ? b->align : *align;
    }
    return most;
}

const MgKx *mg_kload_condition(const MgKx *load) {
    const MgKx *mask = load->args[1];
    if (load->type.lanes == 1)
        return mask;
    return mask->kind == MG_KX_SPLAT && load->args[0]->type.lanes == 1 ? mask->args[0] : NULL;
}

int64_t mg_kloop_single_trips(const MgKernel *k, const MgKs *s) {
    if (s->loop != MG_LOOP_ITEM || s->low->kind != MG_KX_CONST || s->high->kind != MG_KX_CONST)
        return -1;
    int64_t low = (int64_t)s->low->bits, high = (int64_t)s->high->bits;
    int64_t trips = high > low ? (high - low + s->step - 1) / s->step : 0;
    return trips > k->items ? -1 : trips;
}

bool mg_kstore_copies(const MgKFacts *f, const MgKs *s) {
    const MgKx *inside, *x = s->later ? mg_kload_or_0(s->x, &inside) : NULL;
    return x && f->k->bufs.at[x->buf].space == MG_SPACE_GLOBAL && !s->mask &&
           x->type.lanes * mg_dtype_size(x->type.dtype) == MG_PIECE_BYTES &&
           mg_kfacts_aligned(f, s->buf, s->index, x->type.lanes) &&
           mg_kfacts_aligned(f, x->buf, x->args[0], x->type.lanes);
}

// ---------------------------------------------------------------- boxes

uint32_t mg_kboxes_number(const MgKBoxes *boxes, const MgKBox *b) {
    uint32_t i = 0;
    while (i < boxes->list.len && memcmp(boxes->list.at[i], b, sizeof *b))
        i++;
    return i;
}

typedef struct Noting {
    MgArena *arena;
    MgKBoxes boxes;
} Noting;

static bool note_box(void *ctx, const MgKs *s) {
    Noting *n = ctx;
    if (s->kind == MG_KS_BOX && mg_kboxes_number(&n->boxes, s->box) == n->boxes.list.len)
        mg_push(n->arena, &n->boxes.list, s->box);
    return false;
}

MgKBoxes mg_kernel_boxes(MgArena *arena, const MgKernel *k) {
    Noting n = {.arena = arena};
    mg_kblock_any(&k->body, &(MgKAsk){.statement = note_box, .ctx = &n});
    return n.boxes;
}

// ---------------------------------------------------------------- wide products

static bool is_wide(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_PRODUCT && mg_product_is_wide(s->product);
}

bool mg_kernel_has_wide(const MgKernel *k) {
    return mg_kblock_any(&k->body, &(MgKAsk){.statement = is_wide});
}

static bool stores_lines(void *ctx, const MgKs *s) {
    const MgKernel *k = ctx;
    return s->kind == MG_KS_STORE && k->bufs.at[s->buf].space == MG_SPACE_SHARED &&
           k->bufs.at[s->buf].align >= MG_LINES_BYTES;
}

bool mg_ks_stores_lines(const MgKernel *k, const MgKs *s) {
    return mg_ks_any(s, &(MgKAsk){.statement = stores_lines, .ctx = (void *)(uintptr_t)k});
}

MgDistinct mg_kproduct_vectors(MgArena *arena, const MgKernel *k, const MgKBlock *body) {
    MgDistinct bufs = {0};
    for (uint32_t i = 0; i < body->list.len; i++) {
        const MgKs *s = body->list.at[i];
        const MgKBuf *b = s->kind == MG_KS_STORE ? &k->bufs.at[s->buf] : NULL;
        if (b && b->space == MG_SPACE_PRIVATE && b->elem.dtype == MG_F32 && b->elem.lanes == 4)
            mg_distinct(arena, &bufs, s->buf);
    }
    return bufs;
}

enum { STEP_BYTES = MG_PRODUCT_WORDS * 4 }; // of depth, of one instruction

// Pieces to step i of the depth, of a factor with `size` rows or columns.
static uint32_t piece_of(MgKLies lies, const MgKProduct *q, uint32_t size, uint32_t i) {
    enum { STEPS = MG_LINE_BYTES / STEP_BYTES };
    uint32_t lines = MG_PRODUCT_WORDS * mg_atom_per_word(q->atom); // across, each depth has one
    uint32_t bytes = lies == MG_LIES_ACROSS
                         ? i * lines * MG_LINE_BYTES
                         : i / STEPS * size * MG_LINE_BYTES + i % STEPS * STEP_BYTES;
    return bytes / MG_PIECE_BYTES;
}

uint32_t mg_wide_row_piece(const MgKProduct *q, uint32_t step) {
    return piece_of(q->row_lies, q, MG_WIDE * q->rows, step);
}

uint32_t mg_wide_column_piece(const MgKProduct *q, uint32_t step, uint32_t part) {
    int64_t size = (int64_t)mg_dtype_size(mg_atom(q->atom)->column);
    uint32_t low = part == 1 ? (uint32_t)(q->column_low * size / MG_PIECE_BYTES) : 0;
    return piece_of(q->column_lies, q, q->columns, step) + low;
}
