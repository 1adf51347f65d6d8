// Keys and values of wide attention that the device copies to local memory by itself, as boxes
// (MgKBox), if they come from memory unchanged. A line of 64 elements of all rows of a block is a
// box. A batch begins anywhere in the tensor, as long as whole pieces lie before it.
#include "passes/schedule/gpu/attention_units.h"
#include "passes/schedule/gpu/attention_words.h"
#include "passes/schedule/words.h"

enum { PIECE = MG_PIECE_BYTES / 2, LINE = MG_LINE_BYTES / 2 }; // elements

// Splits the address of row 0, which depends on the batch, into whole pieces.
static bool find_pieces(MgIxTable *t, MgIx at, MgUnitsFactor *f) {
    MgIx piece = mg_ix_const(t, PIECE);
    f->batch = mg_ix_div(t, at, piece);
    return mg_ix_mul(t, f->batch, piece) == at;
}

bool mg_attn_lies(const MgAttnUnits *u, const MgUnitsFactor *f, MgValueId *v, MgIx *at) {
    const MgAttn *t = &u->g.t;
    const MgSx *x = mg_gpu_plain_read(f->of->x);
    if (!x || x->bounds != MG_BOUNDS_PROVED)
        return false;
    *v = mg_op(t->s->g, t->a->steps[f->of->step].op)->operands[x->operand];
    return mg_value(t->s->g, *v)->dtype == f->type &&
           mg_read_address(t->s, *v, x, t->at.with[f->of->step], MG_ATTN_SYMS, at);
}

static bool find_box(MgAttnUnits *u, MgUnitsFactor *f) {
    MgAttn *t = &u->g.t;
    MgIxTable *ixs = t->s->ix;
    int64_t rows = mg_attn_known_or(t, t->size.keys, 0), n = mg_attn_known_or(t, f->of->n, 0),
            pitch;
    int64_t all;
    MgIx at, step;
    if (rows <= 0 || !mg_attn_lies(u, f, &f->value, &at) ||
        !mg_ix_is_const(ixs, mg_value_elements(t->s->g, f->value), &all) ||
        !mg_moves_by_one(ixs, at, mg_ix_index(ixs, f->of->along)) ||
        !mg_ix_linear(ixs, at, mg_ix_index(ixs, f->of->along), &step, &at) ||
        !mg_ix_linear(ixs, at, mg_ix_index(ixs, f->of->sym), &step, &at) ||
        !mg_ix_is_const(ixs, step, &pitch) || pitch <= 0 || pitch % PIECE ||
        all / PIECE > INT32_MAX || !find_pieces(ixs, at, f))
        return false;
    f->box =
        (MgKBox){.rank = 3,
                 .axes = {{n, 1, LINE}, {rows, pitch, (uint32_t)f->rows}, {all / PIECE, PIECE, 1}},
                 .slots = (u->n_products + 1) * MG_UNITS_SLOTS,
                 .together = (uint32_t)(f->width / LINE)};
    return true;
}

bool mg_attn_find_boxes(MgAttnUnits *u) {
    bool ok = u->g.t.s->options->target.boxes &&
              (u->n_products + 1) * MG_UNITS_SLOTS <= MG_BOX_SLOTS &&
              (u->shared < u->n_products || find_box(u, &u->v));
    for (uint32_t i = 0; i < u->n_products; i++) {
        MgUnitsFactor *k = &u->products[i].k;
        ok = ok && k->width == u->v.width && find_box(u, k);
    }
    return ok;
}

// The slot's number among those of all factors.
static const MgKx *slot_of(const MgAttnUnits *u, const MgUnitsFactor *f, const MgKx *slot) {
    return plus(u->g.t.kb.k, slot, f->number * MG_UNITS_SLOTS);
}

void mg_attn_fill(MgAttnUnits *u, MgKBlock *b, MgUnitsFactor *f, const MgKx *block,
                  const MgKx *slot) {
    MgKernel *k = u->g.t.kb.k;
    const MgKx *number = let(&u->g, b, slot_of(u, f, slot));
    const MgKx *row = let(&u->g, b, times(k, block, f->rows));
    const MgKx *batch = let(&u->g, b, mg_kb_ix(&u->g.t.kb, f->batch, u->g.t.at.loop));
    const MgKx *to = let(&u->g, b, times(k, slot, f->rows * f->width));
    f->box.from = mg_kb_value(&u->g.t.kb, f->value);
    for (int64_t i = 0; i < f->width / LINE; i++) {
        const MgKx *at[MG_BOX_PLACES] = {num(k, i * LINE), row, batch};
        mg_kbox(k, b, f->buf, plus(k, to, i * f->rows * LINE), &f->box, at, number);
    }
}

void mg_attn_await(MgAttnUnits *u, MgKBlock *b, const MgUnitsFactor *f, const MgKx *slot) {
    mg_klanded(u->g.t.kb.k, b, let(&u->g, b, slot_of(u, f, slot)));
}
