// What kernels move between memory and cores, for profiles and for the costs of launches.
//
// A kernel moves all bytes of what it reads and writes, or fewer: it may pick some rows of a table,
// read a slice, or write over a part in place. So each read and each write of an equation counts
// for as many elements as the equation has points, up to the whole.
#include "ir/equation.h"
#include "passes/schedule/schedule.h"

typedef struct Traffic {
    MgSched *s;
    MgStorageId id;
    MgOpId op;
    const MgPiece *only; // the only piece of the op that counts, or NULL
} Traffic;

// How often does a point of the piece read or write the storage?
static int64_t times_of(const Traffic *t, const MgPiece *p) {
    const MgStorageId *storage_of = t->s->storage_of;
    MgAccesses reads = mg_reads(t->s, t->op, p->expr);
    int64_t times = storage_of[mg_op(t->s->g, t->op)->results[0]] == t->id;
    for (uint32_t i = 0; i < reads.n; i++)
        times += storage_of[reads.at[i].value] == t->id;
    return times;
}

// Adds the elements that an equation moves of the storage, each as often as it names it. False if
// it may be all of them.
static bool add_elements(Traffic *t, MgIx *elements) {
    MgIxTable *ix = t->s->ix;
    const MgOp *op = mg_op(t->s->g, t->op);
    const MgEquation *e = op->equation;
    bool result = t->s->storage_of[op->results[0]] == t->id;
    if (e->has_base && !result && t->s->storage_of[op->operands[op->n_operands - 1]] == t->id)
        return false; // it is copied
    for (uint32_t i = 0; i < (t->only ? 1 : e->n_pieces); i++) {
        const MgPiece *p = t->only ? t->only : &e->pieces[i];
        int64_t times = times_of(t, p);
        if (!times)
            continue;
        MgIx points = mg_ix_const(ix, times);
        for (uint32_t k = 0; k < p->n_indices; k++) {
            MgIx extent = mg_ix_sub(ix, p->indices[k].high, p->indices[k].low);
            if (mg_ix_mentions_index(ix, extent))
                return false;
            points = mg_ix_mul(ix, points, extent);
        }
        *elements = mg_ix_add(ix, *elements, points);
    }
    return true;
}

MgIx mg_traffic(MgSched *s, const MgUnit *unit, const MgPiece *piece, MgStorageId id) {
    const MgValue *v = mg_value(s->g, s->draft->storages.at[id].value);
    MgIx whole = mg_value_bytes(s->g, s->draft->storages.at[id].value),
         elements = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < unit->n_ops + unit->n_riders; i++) {
        if (i >= unit->n_ops && s->storage_of[mg_op(s->g, unit->ops[i])->results[0]] != id)
            continue; // a rider reads nothing from memory
        Traffic t = {.s = s, .id = id, .op = unit->ops[i], .only = piece};
        if (mg_op(s->g, t.op)->kind != MG_OP_EQUATION || !add_elements(&t, &elements))
            return whole;
    }
    MgIx size = mg_ix_const(s->ix, (int64_t)mg_dtype_size(v->dtype));
    return mg_ix_min(s->ix, mg_ix_mul(s->ix, elements, size), whole);
}
