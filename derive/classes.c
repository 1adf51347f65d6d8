// Residue classes of positions: if a value is read at step * j + tap, as by a convolution with a
// stride, only the taps of one residue reach a position.
#include "derive/internal.h"
#include "ir/number.h"

uint32_t mg_count_classes(const MgClasses *c) {
    int64_t n = 1;
    for (uint32_t i = 0; i < MG_DRAFT_INDICES; i++)
        n = c->step[i] <= MG_MOST_CLASSES && n <= MG_MOST_CLASSES ? n * c->step[i]
                                                                  : MG_MOST_CLASSES + 1;
    return (uint32_t)n;
}

void mg_number_class(MgClasses *c, uint32_t number) {
    for (uint32_t i = MG_DRAFT_INDICES; i-- > 0;) {
        c->residue[i] = number % c->step[i];
        number /= (uint32_t)c->step[i];
    }
}

// ---------------------------------------------------------------- taps

MgTapClass mg_tap_class(int64_t step, int64_t by, int64_t left) {
    MgTapClass class = {.common = mg_gcd(step, by)};
    class.every = step / class.common;
    class.some = left % class.common == 0;
    if (class.some && by)
        class.first = (int64_t)((__int128)mg_inverse_modulo(by / class.common, class.every) *
                                (left / class.common) % class.every);
    return class;
}

// ---------------------------------------------------------------- joining

typedef struct Join {
    MgDerivation *d;
    const MgClasses *classes;
    const MgValueId *of;
    uint32_t rank;                      // of the adjoint
    const MgSx *subs[MG_DRAFT_INDICES]; // of a class
    const MgSx
        *phase[MG_DRAFT_INDICES]; // by axis of the adjoint: the index of the residue, or NULL
    MgDType type;
} Join;

// The element at the draft's point. `number` gives the residues of the axes before `axis`; the
// indices choose those from `axis` on.
static const MgSx *choose(Join *j, uint32_t axis, uint32_t number) {
    MgDerivation *d = j->d;
    if (axis == j->rank)
        return j->of[number] ? mg_sx_read(d->m, j->of[number], j->type, j->subs, j->rank,
                                          MG_BOUNDS_PROVED, NULL)
                             : mg_sx_int(d->m, j->type, 0);
    if (!j->phase[axis])
        return choose(j, axis + 1, number);
    uint32_t step = (uint32_t)j->classes->step[axis - d->n_extra];
    const MgSx *x = choose(j, axis + 1, number * step + step - 1);
    for (uint32_t r = step - 1; r-- > 0;) {
        const MgSx *here = mg_derive_compare(d, MG_PRIM_EQ, j->phase[axis],
                                             mg_derive_ix(d, mg_ix_const(d->ix, r)));
        const MgSx *args[] = {here, choose(j, axis + 1, number * step + r), x};
        x = mg_sx_prim(d->m, MG_PRIM_WHERE, j->type, args, 3);
    }
    return x;
}

// Adds an axis of the adjoint: an index, or a tuple of q and the residue.
static MgIx add_axis(Join *j, MgDraft *draft, uint32_t axis, MgIx size) {
    MgDerivation *d = j->d;
    MgNames *names = d->m->session->names;
    bool extra = axis < d->n_extra;
    MgSym name = mg_symf(names, "%c%u", extra ? 'e' : 'i', extra ? axis : axis - d->n_extra);
    MgIx zero = mg_ix_const(d->ix, 0);
    int64_t step = extra ? 1 : j->classes->step[axis - d->n_extra];
    MgIx by = mg_ix_const(d->ix, step);
    if (step == 1) {
        mg_draft_target(draft, mg_draft_index(draft, name, zero, size));
        j->subs[axis] = draft->target[axis].sub;
        return size;
    }
    MgIx steps = mg_ix_div(d->ix, mg_ix_add(d->ix, size, mg_ix_const(d->ix, step - 1)), by);
    uint32_t q = mg_draft_index(draft, name, zero, steps),
             r = mg_draft_index(draft, mg_symf(names, "%s_step", mg_name(names, name)), zero, by);
    MgTarget *t = &draft->target[draft->rank++];
    MgIx place = mg_ix_add(d->ix, mg_ix_mul(d->ix, mg_ix_idx(d->ix, q), by), mg_ix_idx(d->ix, r));
    *t = (MgTarget){mg_derive_ix(d, place), 2, MG_NEW_N(d->scratch, uint32_t, 2)};
    draft->free[draft->n_free++] = t->tuple[0] = q;
    draft->free[draft->n_free++] = t->tuple[1] = r;
    j->subs[axis] = mg_derive_ix(d, mg_ix_idx(d->ix, q));
    j->phase[axis] = mg_derive_ix(d, mg_ix_idx(d->ix, r));
    return mg_ix_mul(d->ix, steps, by);
}

// The first elements of each axis.
static MgValueId cut(Join *j, MgValueId whole, MgValueId x, const MgIx *shape) {
    MgDerivation *d = j->d;
    MgClasses plain;
    Join of = {.d = d, .classes = &plain, .of = &whole, .rank = j->rank, .type = j->type};
    MgDraft draft = {.d = d};
    for (uint32_t i = 0; i < MG_DRAFT_INDICES; i++)
        plain.step[i] = 1;
    for (uint32_t k = 0; k < j->rank; k++)
        add_axis(&of, &draft, k, shape[k]);
    draft.expr = choose(&of, 0, 0);
    return mg_draft_emit(&draft, mg_adjoint_name(d, x), mg_value(d->g, x)->dtype, shape);
}

MgValueId mg_join_classes(MgDerivation *d, MgValueId x, const MgClasses *classes,
                          const MgValueId *of) {
    const MgValue v = *mg_value(d->g, x);
    MgNames *names = d->m->session->names;
    Join j = {.d = d,
              .classes = classes,
              .of = of,
              .rank = d->n_extra + v.rank,
              .type = mg_dtype(v.dtype)->compute};
    MgDraft draft = {.d = d};
    MgIx *shape = mg_adjoint_shape(d, x), rounded[MG_DRAFT_INDICES];
    bool fits = true;
    for (uint32_t k = 0; k < j.rank; k++) {
        rounded[k] = add_axis(&j, &draft, k, shape[k]);
        fits &= rounded[k] == shape[k];
    }
    draft.expr = choose(&j, 0, 0);
    MgSym name = mg_adjoint_name(d, x);
    if (fits)
        return mg_draft_emit(&draft, name, v.dtype, shape);
    name = mg_symf(names, "%s_whole", mg_name(names, name));
    return cut(&j, mg_draft_emit(&draft, name, v.dtype, rounded), x, shape);
}
