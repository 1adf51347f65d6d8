// The verifier of products of matrices, and of boxes of their factors.
#include "ir/kernel_verify.h"

static uint64_t sums_of(const MgKProduct *p) { // an item's sums, in vectors of four
    return (uint64_t)p->rows * p->columns / (4 * MG_TOGETHER);
}

// The part of a held factor that each item has begins at the start of a buffer.
static void check_held(MgKVerifier *v, const MgKs *s, uint32_t which) {
    const MgKProduct *p = s->product;
    const MgKx *size = v->k->bufs.at[p->row_buf].count;
    int64_t count, first;
    if (which)
        mg_kv_wrong(v, "columns of a product are held");
    else if (!size || !mg_kx_is_int(size, &count) || count < p->depth / MG_PRODUCT_COLUMNS ||
             !mg_kx_is_int(s->index, &first) || first)
        mg_kv_wrong(v, "%s is too small for rows that are %u deep", mg_kv_buf_name(v, p->row_buf),
                    p->depth);
    if (p->lag == MG_LAG_ALL)
        mg_kv_wrong(v, "a product lags, and its rows are held");
}

// The factors of a wide product fill lines, and nothing that runs concurrently may wait for other
// items.
static void check_wide(MgKVerifier *v, const MgKs *s) {
    const MgKProduct *p = s->product;
    const MgKBufId bufs[] = {p->row_buf, p->column_buf};
    const MgKLies lies[] = {p->row_lies, p->column_lies};
    uint32_t line = MG_LINE_BYTES / 4 * mg_atom_per_word(p->atom);
    if (s->buf < v->k->bufs.len && v->k->bufs.at[s->buf].count->bits != sums_of(p))
        mg_kv_wrong(v, "%s has other sums than those of a wide product", mg_kv_buf_name(v, s->buf));
    if (p->rows != MG_PRODUCT_ROWS || p->columns > MG_WIDE_COLUMNS ||
        (p->depth > line && p->depth % line) || v->k->items % (MG_WIDE * MG_TOGETHER))
        mg_kv_wrong(v, "a wide product of %u x %u, %u deep, by %u items", p->rows, p->columns,
                    p->depth, v->k->items);
    bool split = p->column_low;
    if (p->column_low * 4 % MG_LINES_BYTES || p->column_low < 0 ||
        (split && (p->atom != MG_ATOM_TF32 || p->fresh || p->lag == MG_LAG_ALL ||
                   p->row_lies != MG_LIES_IN_LINES || p->depth > line)))
        mg_kv_wrong(v, "a product of columns whose low parts are %lld elements behind",
                    (long long)p->column_low);
    for (uint32_t i = 0; i < 2; i++) {
        if (lies[i] == MG_LIES_APART)
            mg_kv_wrong(v, "a wide product of a factor that is in no lines");
        if (lies[i] >= MG_LIES_ACROSS && mg_atom_per_word(p->atom) != 2)
            mg_kv_wrong(v, "%s are factors whose elements have no 16 bits",
                        lies[i] == MG_LIES_HELD ? "held" : "lines across");
        if (lies[i] == MG_LIES_HELD)
            check_held(v, s, i);
        else if (v->k->bufs.at[bufs[i]].align % MG_LINES_BYTES)
            mg_kv_wrong(v, "lines in %s, which is aligned to %u bytes", mg_kv_buf_name(v, bufs[i]),
                        v->k->bufs.at[bufs[i]].align);
    }
}

void mg_kv_product(MgKVerifier *v, const MgKs *s) {
    const MgKProduct *p = s->product;
    const MgAtomRow *atom = mg_atom(p->atom);
    const MgKBufId bufs[] = {s->buf, p->row_buf, p->column_buf};
    bool held = p->row_lies == MG_LIES_HELD;
    const MgKType want[] = {mg_kt(atom->sum, 4), mg_kt(atom->row, held ? 4 : 1),
                            mg_kt(atom->column, 1)};
    const int64_t steps[] = {p->row_step, p->row_deep, p->column_step, p->column_deep};
    if (!atom->step)
        mg_kv_wrong(v, "a product of matrices by %s", atom->word);
    const MgSpace spaces[] = {MG_SPACE_PRIVATE, held ? MG_SPACE_PRIVATE : MG_SPACE_SHARED,
                              MG_SPACE_SHARED};
    int64_t count, sums = (int64_t)p->rows * p->columns / (4 * MG_TOGETHER);
    for (uint32_t i = 0; i < 3; i++) {
        if (bufs[i] >= v->k->bufs.len) {
            mg_kv_wrong(v, "a product of buffer %u of %u", bufs[i], v->k->bufs.len);
            return;
        }
        const MgKBuf *b = &v->k->bufs.at[bufs[i]];
        if (!mg_kv_same_type(b->elem, want[i]) || b->space != spaces[i])
            mg_kv_wrong(v, "%s can have no part in a product", mg_kv_buf_name(v, bufs[i]));
    }
    const MgKx *size = v->k->bufs.at[s->buf].count;
    if (!size || !mg_kx_is_int(size, &count) || count < sums)
        mg_kv_wrong(v, "%s is too small for the sums of a product", mg_kv_buf_name(v, s->buf));
    if (!p->rows || p->rows % MG_PRODUCT_ROWS || p->columns % MG_PRODUCT_COLUMNS ||
        p->depth % (MG_PRODUCT_WORDS * mg_atom_per_word(p->atom)) || v->k->items % MG_TOGETHER)
        mg_kv_wrong(v, "a product of %u x %u, %u deep, by %u items", p->rows, p->columns, p->depth,
                    v->k->items);
    for (uint32_t i = 0; i < 4; i++)
        if (steps[i] % mg_atom_per_word(p->atom))
            mg_kv_wrong(v, "a product whose rows or columns are no whole words");
    mg_kv_type(v, s->index, mg_kt(MG_I64, 1), "first row of a product");
    mg_kv_type(v, s->x, mg_kt(MG_I64, 1), "first column of a product");
    if (v->product)
        mg_kv_wrong(v, "a product while another is computed");
    if (mg_product_is_wide(p) || p->column_lies != MG_LIES_APART)
        check_wide(v, s);
    else if (s->body.list.len || p->lag || p->fresh || p->column_low)
        mg_kv_wrong(v, "only a wide product lags, begins at 0, or has a meanwhile");
    if (p->splits && (mg_product_is_wide(p) || p->atom != MG_ATOM_TF32))
        mg_kv_wrong(v, "a product that splits factors is one of tf32 by 32 items");
}

// The first elements of a line, and of what follows it, are whole pieces.
static bool is_whole_pieces(const MgKBox *b, int64_t size) {
    bool whole = b->base * size % MG_PIECE_BYTES == 0 && b->axes[0].stride == 1 &&
                 b->axes[0].extent * size == MG_LINE_BYTES;
    for (uint32_t i = 1; i < b->rank; i++)
        whole &= b->axes[i].stride * size % MG_PIECE_BYTES == 0;
    return whole;
}

void mg_kv_box(MgKVerifier *v, const MgKs *s) {
    const MgKBox *b = s->box;
    if (s->buf >= v->k->bufs.len || b->from >= v->k->n_params) {
        mg_kv_wrong(v, "a box of buffer %u for buffer %u of %u", b->from, s->buf, v->k->bufs.len);
        return;
    }
    const MgKBuf *to = &v->k->bufs.at[s->buf], *from = &v->k->bufs.at[b->from];
    if (!mg_kv_same_type(to->elem, from->elem) || to->elem.lanes != 1 || from->writes ||
        to->space != MG_SPACE_SHARED || to->align % MG_LINES_BYTES)
        mg_kv_wrong(v, "%s can't have a box of %s", mg_kv_buf_name(v, s->buf),
                    mg_kv_buf_name(v, b->from));
    if (b->rounds && from->elem.dtype != MG_F32)
        mg_kv_wrong(v, "a box of %s, which is not f32, rounds to tf32", mg_kv_buf_name(v, b->from));
    bool fits = b->rank >= (b->pixels ? 3 : 2) && b->rank <= MG_BOX_AXES &&
                is_whole_pieces(b, (int64_t)mg_dtype_size(from->elem.dtype));
    for (uint32_t i = 0; fits && i < b->rank; i++)
        fits = b->axes[i].size > 0 && b->axes[i].extent > 0 && b->axes[i].extent <= MG_BOX_EXTENT;
    for (uint32_t i = 0; fits && b->pixels && i + 2 < b->rank; i++)
        fits = b->walks[i].step > 0 && b->axes[i + 1].size + b->walks[i].high > b->walks[i].low;
    if (!fits || b->pixels > MG_BOX_EXTENT || mg_box_lines(b) % 8 ||
        mg_box_lines(b) * 8 > MG_BOX_PIECES)
        mg_kv_wrong(v, "a box of %s that the device can't copy", mg_kv_buf_name(v, b->from));
    if (!b->slots || b->slots > MG_BOX_SLOTS || !b->together || v->k->items == 1)
        mg_kv_wrong(v, "boxes for %u slots, %u together", b->slots, b->together);
    mg_kv_type(v, s->index, mg_kt(MG_I64, 1), "first element of a box");
    for (uint32_t i = 0; fits && i < mg_box_places(b); i++)
        mg_kv_type(v, s->at[i], mg_kt(MG_I64, 1), "place of a box");
}
