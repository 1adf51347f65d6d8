// The families of the layouts pass: values that equations walk point by point together, and the ops
// whose cost depends on a family's order.
#include "passes/layouts.h"

#include <string.h>

// ---------------------------------------------------------------- ops with many pieces
// A concatenation of n values belongs to n families. Each family considers only the pieces that
// read its values.
enum { MANY_PIECES = 32 };

typedef struct Note {
    MgLayouts *l;
    MgOpId id;
    const MgPiece *piece;
} Note;

static uint64_t piece_key(MgOpId id, MgValueId v) {
    return (uint64_t)id << 32 | v;
}

static void note_piece(void *ctx, const MgSx *x) {
    Note *n = ctx;
    MgLayouts *l = n->l;
    if (x->kind != MG_SX_READ)
        return;
    uint64_t key = piece_key(n->id, mg_op(l->g, n->id)->operands[x->operand]);
    MgLayoutPieces *pieces = (MgLayoutPieces *)(uintptr_t)mg_map_get(&l->pieces_of, key, 0);
    if (!pieces) {
        pieces = MG_NEW(l->arena, MgLayoutPieces);
        mg_map_put(&l->pieces_of, key, (uintptr_t)pieces);
    }
    if (!pieces->len || pieces->at[pieces->len - 1] != n->piece)
        mg_push(l->arena, pieces, n->piece);
}

void mg_layout_note_pieces(MgLayouts *l) {
    mg_map_init(&l->pieces_of, l->arena);
    for (MgOpId id = 1; id < l->g->ops.len; id++) {
        const MgOp *op = mg_op(l->g, id);
        if (op->kind != MG_OP_EQUATION || op->equation->n_pieces < MANY_PIECES)
            continue;
        for (uint32_t i = 0; i < op->equation->n_pieces; i++) {
            Note n = {l, id, &op->equation->pieces[i]};
            mg_sx_walk(n.piece->expr, note_piece, &n);
        }
    }
}

const MgLayoutPieces *mg_layout_pieces_of(MgLayouts *l, MgOpId id, MgValueId v) {
    return (const MgLayoutPieces *)(uintptr_t)mg_map_get(&l->pieces_of, piece_key(id, v), 0);
}

bool mg_layout_has_many(MgLayouts *l, const MgLayoutFamily *f, MgOpId id) {
    const MgOp *op = mg_op(l->g, id);
    uint32_t own = l->family_of[op->results[0]];
    return op->equation->n_pieces >= MANY_PIECES && (!own || &l->families.at[own] != f);
}

// ---------------------------------------------------------------- growing a family
typedef struct Match {
    MgLayouts *l;
    const MgOp *op;
    const MgPiece *piece;
    MgValueId value;              // the operand
    uint8_t with[MG_LAYOUT_AXES]; // its axis -> the axis of the result that moves with it, or NONE
    bool found;
} Match;

static void match_read(void *ctx, const MgSx *x) {
    Match *m = ctx;
    if (x->kind != MG_SX_READ || m->found || m->op->operands[x->operand] != m->value)
        return;
    uint32_t rank = mg_value(m->l->g, m->op->results[0])->rank;
    memset(m->with, MG_LAYOUT_NONE, sizeof m->with);
    for (uint32_t i = 0; i < x->n_args; i++) {
        uint32_t index = mg_layout_index_of(m->l, m->piece, x->args[i]);
        for (uint32_t a = 0; a < rank && index != MG_LAYOUT_NONE; a++)
            if (!m->piece->target[a].n_tuple &&
                mg_layout_index_of(m->l, m->piece, m->piece->target[a].sub) == index)
                m->with[i] = (uint8_t)a;
    }
    m->found = true;
}

// Maps the operand's axes to the result's. False unless one value's axes are all among the other's,
// and at least two of them could be in another order.
static bool match(MgLayouts *l, MgOpId id, MgValueId v, Match *m) {
    const MgOp *op = mg_op(l->g, id);
    *m = (Match){.l = l, .op = op, .value = v};
    const MgLayoutPieces *pieces = mg_layout_pieces_of(l, id, v);
    for (uint32_t i = 0; i < (pieces ? pieces->len : op->equation->n_pieces) && !m->found; i++) {
        m->piece = pieces ? pieces->at[i] : &op->equation->pieces[i];
        mg_sx_walk(m->piece->expr, match_read, m);
    }
    uint32_t both = 0, of_operand = 0, of_result = 0;
    for (uint32_t i = 0; i < mg_value(l->g, v)->rank; i++) {
        if (m->with[i] != MG_LAYOUT_NONE && memchr(m->with, m->with[i], i))
            return false; // two axes move with one: a diagonal, or parts of one index
        of_operand += !mg_layout_is_unit(l, v, i);
        both += m->with[i] != MG_LAYOUT_NONE && !mg_layout_is_unit(l, v, i);
    }
    for (uint32_t a = 0; a < mg_value(l->g, op->results[0])->rank; a++)
        of_result += !mg_layout_is_unit(l, op->results[0], a);
    return m->found && both >= 2 && (both == of_operand || both == of_result);
}

static void join(MgLayouts *l, uint32_t number, MgValueId v) {
    mg_push(l->arena, &l->families.at[number].members, v);
    l->family_of[v] = number;
}

// Adds an axis to the family, right after `after` in its order (NONE: in front).
static uint8_t new_axis(MgLayoutFamily *f, uint8_t after) {
    uint32_t at = 0;
    while (after != MG_LAYOUT_NONE && f->order[at++] != after) {
    }
    memmove(f->order + at + 1, f->order + at, f->n_axes - at);
    f->order[at] = (uint8_t)f->n_axes;
    return (uint8_t)f->n_axes++;
}

// Maps the value's axes to the family's: known[] gives the existing ones, and others are added.
// False if there is no room.
static bool map_axes(MgLayouts *l, uint32_t number, MgValueId v, const uint8_t *known) {
    MgLayoutFamily *f = &l->families.at[number];
    uint32_t rank = mg_value(l->g, v)->rank;
    uint8_t before = MG_LAYOUT_NONE;
    if (f->n_axes + rank > MG_LAYOUT_AXES)
        return false;
    for (uint32_t i = 0; i < rank; i++)
        before = l->axis[v * MG_LAYOUT_AXES + i] =
            known[i] != MG_LAYOUT_NONE ? known[i] : new_axis(f, before);
    return true;
}

// Adds `other` to the family of v if the op walks both together.
static void follow(MgLayouts *l, MgOpId id, MgValueId operand, MgValueId v, MgValueId other) {
    Match m;
    uint8_t known[MG_LAYOUT_AXES];
    if (!l->free[other] || l->family_of[other] || mg_layout_is_contraction(l, id) ||
        !match(l, id, operand, &m))
        return;
    memset(known, MG_LAYOUT_NONE, sizeof known);
    for (uint32_t i = 0; i < mg_value(l->g, operand)->rank; i++)
        if (m.with[i] != MG_LAYOUT_NONE && other == operand)
            known[i] = l->axis[v * MG_LAYOUT_AXES + m.with[i]];
        else if (m.with[i] != MG_LAYOUT_NONE)
            known[m.with[i]] = l->axis[v * MG_LAYOUT_AXES + i];
    if (map_axes(l, l->family_of[v], other, known))
        join(l, l->family_of[v], other);
}

void mg_layout_grow(MgLayouts *l, MgValueId seed) {
    uint8_t none[MG_LAYOUT_AXES];
    memset(none, MG_LAYOUT_NONE, sizeof none);
    mg_push(l->arena, &l->families, (MgLayoutFamily){0});
    uint32_t number = l->families.len - 1;
    map_axes(l, number, seed, none);
    join(l, number, seed);
    for (uint32_t i = 0; i < l->families.at[number].members.len; i++) {
        MgValueId v = l->families.at[number].members.at[i];
        MgOpId def = mg_value(l->g, v)->def;
        for (uint32_t k = 0; k < mg_op(l->g, def)->n_operands; k++)
            follow(l, def, mg_op(l->g, def)->operands[k], v, mg_op(l->g, def)->operands[k]);
        for (uint32_t k = 0; k < l->uses[v].len; k++)
            follow(l, l->uses[v].at[k], v, v, mg_op(l->g, l->uses[v].at[k])->results[0]);
    }
}

void mg_layout_find_ops(MgLayouts *l, uint32_t number) {
    MgLayoutFamily *f = &l->families.at[number];
    for (uint32_t i = 0; i < f->members.len; i++) {
        MgValueId v = f->members.at[i];
        for (uint32_t k = 0; k <= l->uses[v].len; k++) {
            MgOpId id = k ? l->uses[v].at[k - 1] : mg_value(l->g, v)->def;
            if (l->seen[id] != number)
                mg_push(l->arena, &f->ops, id);
            l->seen[id] = number;
        }
    }
}
