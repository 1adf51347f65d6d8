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
    const MgOp *op;
    const MgPiece *only; // the only piece of the op that counts, or NULL
    int64_t times;       // that a point of the piece reads or writes the storage
} Traffic;

static void count_read(void *ctx, const MgSx *x) {
    Traffic *t = ctx;
    t->times += x->kind == MG_SX_READ && t->s->storage_of[t->op->operands[x->operand]] == t->id;
}

// Adds the elements that an equation moves of the storage, each as often as it names it. False if
// it may be all of them.
static bool add_elements(Traffic *t, MgIx *elements) {
    MgIxTable *ix = t->s->ix;
    const MgEquation *e = t->op->equation;
    bool result = t->s->storage_of[t->op->results[0]] == t->id;
    if (e->has_base && !result && t->s->storage_of[t->op->operands[t->op->n_operands - 1]] == t->id)
        return false; // it is copied
    for (uint32_t i = 0; i < (t->only ? 1 : e->n_pieces); i++) {
        const MgPiece *p = t->only ? t->only : &e->pieces[i];
        t->times = result;
        mg_sx_walk(p->expr, count_read, t);
        if (!t->times)
            continue;
        MgIx points = mg_ix_const(ix, t->times);
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
    const MgValue *v = mg_value(s->g, s->storages.at[id].value);
    MgIx whole = mg_value_bytes(s->g, s->storages.at[id].value), elements = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        Traffic t = {.s = s, .id = id, .op = mg_op(s->g, unit->ops[i]), .only = piece};
        if (t.op->kind != MG_OP_EQUATION || !add_elements(&t, &elements))
            return whole;
    }
    MgIx size = mg_ix_const(s->ix, (int64_t)mg_dtype_size(v->dtype));
    return mg_ix_min(s->ix, mg_ix_mul(s->ix, elements, size), whole);
}
