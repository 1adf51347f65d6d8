// Adds the contributions to a value. A slice, a split or a constant index contributes only to a
// part of it, a slab. If slabs lie side by side, the adjoint is one equation with a piece for each
// box: nothing is padded with zeros and added.
#include "derive/internal.h"

typedef struct Box {
    MgIx low, high;
    MG_VEC(MgSlab *) slabs;
} Box;

typedef MG_VEC(Box) Boxes;

static bool is_never_negative(MgDerivation *d, MgIx x) {
    MgIxRanges none = {NULL, NULL, 0};
    return mg_ix_nonnegative(d->ix, x, &none, d->facts, d->n_facts) == MG_PROVED;
}

static MgIx end_of(MgDerivation *d, const MgSlab *slab, uint32_t axis) {
    return mg_ix_add(d->ix, slab->low[axis], slab->size[axis]);
}

void mg_reach(MgDerivation *d, MgValueId v, MgValueId adjoint) {
    mg_push(d->scratch, &d->adjoints[v], ((MgAdjoint){.value = adjoint}));
}

void mg_reach_slab(MgDerivation *d, MgValueId v, const MgSlab *slab) {
    MgSlab *copy = MG_NEW(d->scratch, MgSlab);
    *copy = *slab;
    mg_push(d->scratch, &d->adjoints[v], ((MgAdjoint){.slab = copy}));
}

// ---------------------------------------------------------------- reads of contributions

static MgDType compute_type(MgDerivation *d, MgValueId v) {
    return mg_dtype(mg_value(d->g, v)->dtype)->compute;
}

MgValueId mg_slab_value(MgDerivation *d, MgValueId v, MgSlab *slab) {
    MgNames *names = d->m->session->names;
    slab->draft.d = d;
    MgSym name = mg_symf(names, "%s_part", mg_name(names, mg_adjoint_name(d, v)));
    if (!slab->value)
        slab->value = mg_draft_emit(&slab->draft, name, mg_value(d->g, v)->dtype, slab->size);
    return slab->value;
}

// The slab's element at the draft's point, which may be outside the slab.
static const MgSx *read_slab(MgDraft *draft, MgValueId v, MgSlab *slab) {
    MgDerivation *d = draft->d;
    const MgSx *subs[MG_DRAFT_INDICES];
    MgValueId value = mg_slab_value(d, v, slab);
    bool may_trap;
    for (uint32_t k = 0; k < draft->rank; k++)
        subs[k] = mg_derive_ix(d, mg_ix_sub(d->ix, draft->target[k].sub->ix, slab->low[k]));
    const MgSx *x =
        mg_sx_read(d->m, value, compute_type(d, v), subs, draft->rank, MG_BOUNDS_PROVED, NULL);
    return mg_settle_reads(draft, x, &may_trap);
}

static void add(MgDraft *draft, const MgSx *x) {
    draft->expr = draft->expr ? mg_derive_binary(draft->d, MG_PRIM_ADD, draft->expr, x) : x;
}

// A draft with one index for each dimension of an adjoint of v, that of `axis` from low up to high.
static MgDraft over_box(MgDerivation *d, MgValueId v, uint32_t axis, MgIx low, MgIx high) {
    MgDraft draft = {.d = d};
    MgNames *names = d->m->session->names;
    const MgIx *shape = mg_adjoint_shape(d, v);
    for (uint32_t k = 0; k < d->n_extra + mg_value(d->g, v)->rank; k++) {
        bool extra = k < d->n_extra;
        MgSym name = mg_symf(names, "%c%u", extra ? 'e' : 'i', extra ? k : k - d->n_extra);
        mg_draft_target(&draft,
                        mg_draft_index(&draft, name, k == axis ? low : mg_ix_const(d->ix, 0),
                                       k == axis ? high : shape[k]));
    }
    return draft;
}

// Adds the contributions to all of v.
static void add_wholes(MgDraft *draft, MgValueId v) {
    MgDerivation *d = draft->d;
    const MgAdjoints *all = &d->adjoints[v];
    const MgSx *subs[MG_DRAFT_INDICES];
    for (uint32_t k = 0; k < draft->rank; k++)
        subs[k] = draft->target[k].sub;
    for (uint32_t i = 0; i < all->len; i++)
        if (!all->at[i].slab)
            add(draft, mg_sx_read(d->m, all->at[i].value, compute_type(d, v), subs, draft->rank,
                                  MG_BOUNDS_PROVED, NULL));
}

// ---------------------------------------------------------------- boxes side by side

// The only axis that the slab doesn't fill; the rank if there are several.
static uint32_t cut_axis(MgDerivation *d, const MgSlab *slab, const MgIx *shape, uint32_t rank) {
    uint32_t axis = rank, n = 0;
    for (uint32_t k = 0; k < rank; k++)
        if (slab->low[k] != mg_ix_const(d->ix, 0) || slab->size[k] != shape[k]) {
            axis = k;
            n++;
        }
    return n == 1 ? axis : rank;
}

// Inserts the slab into its box, in order. False if it isn't known to lie beside the others.
static bool sort_in(MgDerivation *d, Boxes *boxes, uint32_t axis, MgSlab *slab) {
    MgIx low = slab->low[axis], high = end_of(d, slab, axis);
    uint32_t at = 0;
    for (uint32_t i = 0; i < boxes->len; i++) {
        Box *box = &boxes->at[i];
        if (box->low == low && box->high == high) {
            mg_push(d->scratch, &box->slabs, slab);
            return true;
        }
        if (is_never_negative(d, mg_ix_sub(d->ix, low, box->high)))
            at = i + 1;
        else if (!is_never_negative(d, mg_ix_sub(d->ix, box->low, high)))
            return false;
    }
    Box box = {.low = low, .high = high};
    mg_push(d->scratch, &box.slabs, slab);
    mg_push(d->scratch, boxes, box);
    memmove(boxes->at + at + 1, boxes->at + at, (boxes->len - 1 - at) * sizeof box);
    boxes->at[at] = box;
    return true;
}

static void keep_box(MgDerivation *d, Boxes *boxes, Box box) {
    if (!is_never_negative(d, mg_ix_sub(d->ix, box.low, box.high)))
        mg_push(d->scratch, boxes, box);
}

// Adds boxes in the gaps between slabs, and leaves out those that are empty.
static bool fill_gaps(MgDerivation *d, Boxes *boxes, MgIx size) {
    Boxes all = {0};
    MgIx at = mg_ix_const(d->ix, 0);
    for (uint32_t i = 0; i <= boxes->len; i++) {
        MgIx next = i < boxes->len ? boxes->at[i].low : size;
        if (next != at && !is_never_negative(d, mg_ix_sub(d->ix, next, at)))
            return false;
        keep_box(d, &all, (Box){.low = at, .high = next});
        if (i == boxes->len)
            break;
        keep_box(d, &all, boxes->at[i]);
        at = boxes->at[i].high;
    }
    if (!all.len) // of a value without elements, one stays
        mg_push(d->scratch, &all, boxes->at[0]);
    *boxes = all;
    return true;
}

// The boxes of v along one axis, each with the slabs that fill it. False if the slabs don't lie
// this way.
static bool find_boxes(MgDerivation *d, MgValueId v, uint32_t *axis, Boxes *boxes) {
    const MgAdjoints *all = &d->adjoints[v];
    uint32_t rank = d->n_extra + mg_value(d->g, v)->rank;
    const MgIx *shape = mg_adjoint_shape(d, v);
    *axis = rank;
    for (uint32_t i = 0; i < all->len; i++) {
        MgSlab *slab = all->at[i].slab;
        if (!slab)
            continue;
        uint32_t cut = cut_axis(d, slab, shape, rank);
        if (cut == rank || (*axis != rank && cut != *axis))
            return false;
        *axis = cut;
        if (!sort_in(d, boxes, cut, slab))
            return false;
    }
    return fill_gaps(d, boxes, shape[*axis]);
}

// The slab's own expression, over its box in v.
static MgDraft moved(MgDerivation *d, const MgSlab *slab, uint32_t axis) {
    MgDraft draft = slab->draft;
    MgIxSym place = 0;
    uint32_t at = 0;
    MgIx with[MG_DRAFT_INDICES];
    mg_ix_is_sym(d->ix, draft.target[axis].sub->ix, &place);
    mg_ix_sym_is_index(d->ix, place, &at);
    draft.d = d;
    draft.at[at].low = slab->low[axis];
    draft.at[at].high = end_of(d, slab, axis);
    for (uint32_t i = 0; i < MG_DRAFT_INDICES; i++)
        with[i] = mg_ix_idx(d->ix, i);
    with[at] = mg_ix_sub(d->ix, with[at], slab->low[axis]);
    draft.expr = mg_sx_subst_indices(d->m, draft.expr, with, MG_DRAFT_INDICES);
    return draft;
}

static MgDraft fill_box(MgDerivation *d, MgValueId v, uint32_t axis, const Box *box) {
    MgDraft draft = over_box(d, v, axis, box->low, box->high);
    add_wholes(&draft, v);
    const MgDraft *only = box->slabs.len == 1 ? &box->slabs.at[0]->draft : NULL;
    if (!draft.expr && only && !only->n_bound && !only->target[axis].n_tuple)
        return moved(d, box->slabs.at[0], axis);
    for (uint32_t i = 0; i < box->slabs.len; i++)
        add(&draft, read_slab(&draft, v, box->slabs.at[i]));
    if (!draft.expr)
        draft.expr = mg_sx_int(d->m, compute_type(d, v), 0);
    return draft;
}

// ---------------------------------------------------------------- the sum

// Adds all contributions at once, with slabs that are 0 outside.
static void add_all(MgDraft *draft, MgValueId v) {
    const MgAdjoints *all = &draft->d->adjoints[v];
    add_wholes(draft, v);
    for (uint32_t i = 0; i < all->len; i++)
        if (all->at[i].slab)
            add(draft, read_slab(draft, v, all->at[i].slab));
}

MgValueId mg_add_adjoints(MgDerivation *d, MgValueId v) {
    const MgAdjoints *all = &d->adjoints[v];
    uint32_t axis = 0, n_slabs = 0;
    Boxes boxes = {0};
    for (uint32_t i = 0; i < all->len; i++)
        n_slabs += all->at[i].slab != NULL;
    if (all->len < 2 && !n_slabs)
        return all->len ? all->at[0].value : MG_NONE;
    bool apart = n_slabs && find_boxes(d, v, &axis, &boxes);
    uint32_t n = apart ? boxes.len : 1;
    MgDraft *drafts = MG_NEW_N(d->scratch, MgDraft, n);
    for (uint32_t i = 0; i < n && apart; i++)
        drafts[i] = fill_box(d, v, axis, &boxes.at[i]);
    if (!apart) {
        drafts[0] = over_box(d, v, UINT32_MAX, 0, 0);
        add_all(&drafts[0], v);
    }
    return mg_drafts_emit(drafts, n, MG_NONE, mg_adjoint_name(d, v), mg_value(d->g, v)->dtype,
                          mg_adjoint_shape(d, v));
}
