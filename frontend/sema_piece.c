// From a lowered equation to an op: numbers its indices, lists its operands, checks its pieces.
#include "frontend/sema_suggest.h"

// ---------------------------------------------------------------- names that an expression uses
static void use_ix(MgSema *s, MgIx x, bool *used) {
    MgIxSym *syms;
    uint32_t n = mg_ix_symbols(s->ix, x, s->arena, &syms), position;
    for (uint32_t i = 0; i < n; i++)
        if (mg_ix_sym_is_index(s->ix, syms[i], &position))
            used[position] = true;
}

void mg_used_positions_ix(MgEq *eq, MgIx x, bool *used) {
    use_ix(eq->env->s, x, used);
}

typedef struct Uses {
    MgSema *s;
    bool *used;
} Uses;

static void see_use(void *ctx, const MgSx *x) {
    Uses *u = ctx;
    if (x->kind == MG_SX_IX)
        use_ix(u->s, x->ix, u->used);
}

void mg_used_positions(MgEq *eq, const MgSx *x, bool *used) {
    Uses u = {eq->env->s, used};
    mg_sx_walk(x, see_use, &u);
}

// Inlined functions share their operands, so a small graph may be a huge tree.
static uint64_t tree_size(MgMap *sizes, const MgSx *x) {
    if (x->kind == MG_SX_CONST || x->kind == MG_SX_IX)
        return 1;
    uint64_t *known = mg_map_find(sizes, (uintptr_t)x);
    if (known)
        return *known;
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->n_args; i++)
        n += tree_size(sizes, x->args[i]);
    if (x->kind == MG_SX_READ && x->otherwise)
        n += tree_size(sizes, x->otherwise);
    n = n < UINT32_MAX ? n : UINT32_MAX;
    mg_map_put(sizes, (uintptr_t)x, n);
    return n;
}

bool mg_tree_fits(MgEnv *env, MgSpan span, const MgSx *x) {
    MgMap sizes;
    mg_map_init(&sizes, env->s->arena);
    if (tree_size(&sizes, x) <= MG_MAX_TREE)
        return true;
    MG_FAIL(env, span, expression_size, MG_MAX_TREE);
    return false;
}

// ---------------------------------------------------------------- operands
// An MgSxMap's function: the position of value v among the operands. A new value is added.
static uint32_t operand(void *ctx, uint32_t v) {
    MgPieces *p = ctx;
    return mg_distinct(p->env->s->arena, &p->operands, v);
}

// ---------------------------------------------------------------- names of indices
static bool name_taken(MgEq *eq, const MgIndex *indices, uint32_t n, MgSym name) {
    MgSema *s = eq->env->s;
    for (uint32_t i = 0; i < n; i++)
        if (indices[i].name == name)
            return true;
    for (uint32_t i = 0; i < s->g->dims.len; i++)
        if (mg_ix_sym_name(s->ix, s->g->dims.at[i]) == name)
            return true;
    for (MgCounter *k = s->counters; k; k = k->outer)
        if (mg_ix_sym_name(s->ix, k->sym) == name)
            return true;
    return false;
}

static MgSym index_name(MgEq *eq, const MgIndex *indices, uint32_t n, uint32_t position) {
    MgSema *s = eq->env->s;
    MgSym name = mg_sym(s->names, "i");
    for (uint32_t i = 0; i < eq->vars.len; i++) {
        MgIndexVar *v = &eq->vars.at[i];
        if (v->first == UINT32_MAX || position < v->first || position >= v->first + v->n)
            continue;
        name = v->pack && v->n > 1
                   ? mg_symf(s->names, "%s%u", mg_sym_text(s, v->name), position - v->first)
                   : v->name;
    }
    while (name_taken(eq, indices, n, name))
        name = mg_symf(s->names, "%s_", mg_sym_text(s, name));
    return name;
}

static bool is_in(const uint32_t *list, uint32_t n, uint32_t value) {
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

// The free indices in the order of the target's subscripts, which is the order in which the flat
// form's reader numbers them. If ranges depend on the order, it stays.
static const uint32_t *in_target_order(MgEq *eq, const MgPieceSpec *spec, uint32_t rank) {
    MgSema *s = eq->env->s;
    uint32_t *order = MG_NEW_N(s->arena, uint32_t, spec->n_free + 1), n = 0, position;
    MgIxSym sym;
    for (uint32_t k = 0; k < spec->n_free; k++)
        if (mg_ix_mentions_index(s->ix, eq->low[spec->free[k]]) ||
            mg_ix_mentions_index(s->ix, eq->high[spec->free[k]]))
            return spec->free;
    for (uint32_t i = 0; i < rank; i++) {
        const MgSubscript *sub = &spec->target[i];
        bool bare = !sub->n_tuple && sub->sx->kind == MG_SX_IX &&
                    mg_ix_is_sym(s->ix, sub->sx->ix, &sym) &&
                    mg_ix_sym_is_index(s->ix, sym, &position);
        for (uint32_t j = 0; j < (bare ? 1 : sub->n_tuple); j++) {
            uint32_t at = bare ? position : sub->tuple[j];
            if (is_in(spec->free, spec->n_free, at) && !is_in(order, n, at))
                order[n++] = at;
        }
    }
    for (uint32_t k = 0; k < spec->n_free; k++)
        if (!is_in(order, n, spec->free[k]))
            order[n++] = spec->free[k];
    return order;
}

bool mg_box_is_empty(MgSema *s, const MgPieceSpec *spec, uint32_t rank) {
    for (uint32_t i = 0; i < rank && !spec->scatter; i++)
        if (spec->target[i].high != MG_IX_ERROR &&
            mg_same(s, spec->target[i].low, spec->target[i].high) == MG_PROVED)
            return true;
    return false;
}

// An empty box adds nothing to others, so it stands only if it is the only one.
static bool adds_nothing(MgEq *eq, MgPieces *p, const MgPieceSpec *spec) {
    bool empty = mg_box_is_empty(eq->env->s, spec, p->shape.rank);
    if (p->pieces.len && empty)
        return true;
    if (p->empty) {
        p->pieces.len = p->boxes.len = 0;
        p->operands = (MgDistinct){0};
    }
    p->empty = empty;
    return false;
}

void mg_piece_add(MgEq *eq, MgPieces *p, const MgPieceSpec *spec) {
    MgSema *s = eq->env->s;
    MgArena *arena = s->module->arena;
    if (adds_nothing(eq, p, spec))
        return;
    MgIx *with = MG_NEW_N(s->arena, MgIx, eq->n_positions);
    MgSxMap map = {s->module, with, eq->n_positions, operand, p, {0}};
    mg_map_init(&map.done, s->arena);
    MgPiece piece = {.n_free = spec->n_free,
                     .n_indices = spec->n_free + spec->n_bound,
                     .reducer = spec->reducer,
                     .scatter = spec->scatter,
                     .write = spec->write};
    const uint32_t *free = in_target_order(eq, spec, p->shape.rank);
    piece.indices = MG_NEW_N(arena, MgIndex, piece.n_indices);
    for (uint32_t k = 0; k < map.n; k++)
        with[k] = mg_ix_idx(s->ix, k);
    for (uint32_t k = 0; k < piece.n_indices; k++) {
        uint32_t at = k < spec->n_free ? free[k] : spec->bound[k - spec->n_free];
        with[at] = mg_ix_idx(s->ix, k);
        if (spec->begin && k < spec->n_free)
            with[at] = mg_ix_add(s->ix, with[at], spec->begin[at]);
    }
    for (uint32_t k = 0; k < piece.n_indices; k++) {
        uint32_t at = k < spec->n_free ? free[k] : spec->bound[k - spec->n_free];
        piece.indices[k] = (MgIndex){.name = index_name(eq, piece.indices, k, at),
                                     .low = mg_ix_subst_indices(s->ix, eq->low[at], with, map.n),
                                     .high = mg_ix_subst_indices(s->ix, eq->high[at], with, map.n)};
    }
    piece.target = MG_NEW_N(arena, MgTarget, p->shape.rank);
    MgIx *box = MG_NEW_N(s->arena, MgIx, 2 * (size_t)p->shape.rank);
    for (uint32_t i = 0; i < p->shape.rank; i++) {
        const MgSubscript *sub = &spec->target[i];
        MgTarget *t = &piece.target[i];
        t->sub = mg_sx_map(&map, sub->sx);
        t->n_tuple = sub->n_tuple;
        t->tuple = MG_NEW_N(arena, uint32_t, sub->n_tuple);
        for (uint32_t j = 0; j < sub->n_tuple; j++) {
            uint32_t position = 0;
            mg_ix_sym_is_index(s->ix, mg_ix_index(s->ix, 0), &position);
            for (uint32_t k = 0; k < piece.n_indices; k++) {
                uint32_t at = k < spec->n_free ? free[k] : spec->bound[k - spec->n_free];
                if (at == sub->tuple[j])
                    position = k;
            }
            t->tuple[j] = position;
        }
        box[2 * i] = sub->low;
        box[2 * i + 1] = sub->high;
    }
    piece.expr = mg_sx_map(&map, spec->expr);
    mg_push(s->arena, &p->pieces, piece);
    mg_push(s->arena, &p->boxes, box);
}

// ---------------------------------------------------------------- pieces
// Do the boxes partition the whole? Each axis along which they may follow one another is tried. Few
// boxes may lie anyhow: if no two of them overlap, and together they are as large as the whole.
enum { FEW = 256 };
typedef struct Boxes {
    MgPieces *p;
    const MgIx *whole; // by axis: the dimension
    uint32_t rank;
} Boxes;

static bool same(MgSema *s, MgIx a, MgIx b) {
    return mg_same(s, a, b) == MG_PROVED;
}

static bool covers(Boxes *b, const uint32_t *set, uint32_t n, uint32_t done);

// The boxes of a set, grouped by where they begin along an axis. A group lists positions in the
// set, in order, linked by `next` (position + 1; 0 ends it).
typedef struct Begins {
    MgMap first; // low -> position + 1
    uint32_t *next;
} Begins;

static Begins begins_of(Boxes *b, const uint32_t *set, uint32_t n, uint32_t axis) {
    MgArena *arena = b->p->env->s->arena;
    Begins begins = {.next = MG_NEW_N(arena, uint32_t, n)};
    mg_map_init(&begins.first, arena);
    for (uint32_t i = n; i-- > 0;) {
        MgIx low = b->p->boxes.at[set[i]][2 * axis];
        begins.next[i] = (uint32_t)mg_map_get(&begins.first, low, 0);
        mg_map_put(&begins.first, low, i + 1);
    }
    return begins;
}

// Finds the boxes that begin at `end`, and returns their number. With few boxes, any proof of
// equality counts; with many, only equal expressions do.
static uint32_t beginning_at(Boxes *b, const Begins *begins, const uint32_t *set, uint32_t n,
                             uint32_t axis, MgIx end, uint32_t *group) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < n && n <= FEW; i++) {
        MgIx low = b->p->boxes.at[set[i]][2 * axis];
        if (low != MG_IX_ERROR && same(b->p->env->s, low, end))
            group[k++] = set[i];
    }
    if (n > FEW)
        for (uint32_t i = (uint32_t)mg_map_get(&begins->first, end, 0); i; i = begins->next[i - 1])
            group[k++] = set[i - 1];
    return k;
}

static bool along(Boxes *b, const uint32_t *set, uint32_t n, uint32_t axis, uint32_t done) {
    MgSema *s = b->p->env->s;
    uint32_t *group = MG_NEW_N(s->arena, uint32_t, n);
    Begins begins = begins_of(b, set, n, axis);
    MgIx end = mg_ix_const(s->ix, 0);
    uint32_t taken = 0;
    while (taken < n) {
        uint32_t k = beginning_at(b, &begins, set, n, axis, end, group);
        MgIx next = k ? b->p->boxes.at[group[0]][2 * axis + 1] : MG_IX_ERROR;
        for (uint32_t i = 1; i < k; i++)
            if (!same(s, next, b->p->boxes.at[group[i]][2 * axis + 1]))
                return false;
        bool empty = k && same(s, next, end); // an axis without elements: all boxes or none
        if (!k || (empty && k < n) || !covers(b, group, k, done | 1u << axis))
            return false;
        taken += k;
        end = next;
    }
    return same(s, end, b->whole[axis]);
}

static bool covers(Boxes *b, const uint32_t *set, uint32_t n, uint32_t done) {
    bool rest = false;
    for (uint32_t axis = 0; axis < b->rank; axis++) {
        if (done & 1u << axis)
            continue;
        rest = true;
        if (along(b, set, n, axis, done))
            return true;
    }
    return !rest && n == 1;
}

static MgIx volume(const Boxes *b, const MgIx *box) {
    MgIxTable *t = b->p->env->s->ix;
    MgIx product = mg_ix_const(t, 1);
    for (uint32_t i = 0; i < b->rank; i++)
        product = mg_ix_mul(t, product, mg_ix_sub(t, box[2 * i + 1], box[2 * i]));
    return product;
}

static bool disjoint(const Boxes *b, const MgIx *one, const MgIx *other) {
    MgSema *s = b->p->env->s;
    for (uint32_t i = 0; i < 2 * b->rank; i += 2)
        if (mg_prove(s, mg_ix_sub(s->ix, other[i], one[i + 1]), NULL) == MG_PROVED ||
            mg_prove(s, mg_ix_sub(s->ix, one[i], other[i + 1]), NULL) == MG_PROVED)
            return true;
    return false;
}

static bool fill(const Boxes *b, uint32_t n) {
    MgSema *s = b->p->env->s;
    MgIx **boxes = b->p->boxes.at, sum = mg_ix_const(s->ix, 0);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < 2 * b->rank; i++)
            if (boxes[k][i] == MG_IX_ERROR || mg_ix_mentions_index(s->ix, boxes[k][i]))
                return false;
    for (uint32_t k = 0; k < n; k++)
        sum = mg_ix_add(s->ix, sum, volume(b, boxes[k]));
    if (!same(s, sum, mg_ix_product(s->ix, b->whole, b->rank)))
        return false;
    for (uint32_t k = 1; k < n; k++)
        for (uint32_t j = 0; j < k; j++)
            if (!disjoint(b, boxes[j], boxes[k]))
                return false;
    return true;
}

// Does the box have a side of length 0 or, if box is NULL, the value an axis of size 0?
static bool is_empty(MgPieces *p, const MgIx *box) {
    MgSema *s = p->env->s;
    MgIx zero = mg_ix_const(s->ix, 0);
    for (uint32_t i = 0; i < p->shape.rank; i++)
        if (box ? box[2 * i] != MG_IX_ERROR && same(s, box[2 * i], box[2 * i + 1])
                : same(s, p->shape.dims[i], zero))
            return true;
    return false;
}

// A value without elements is covered by pieces without elements, wherever they are.
static bool nothing_to_cover(MgPieces *p) {
    bool nothing = is_empty(p, NULL);
    for (uint32_t i = 0; i < p->pieces.len && nothing; i++)
        nothing = is_empty(p, p->boxes.at[i]);
    return nothing;
}

bool mg_pieces_whole(MgPieces *p) {
    MgSema *s = p->env->s;
    Boxes b = {p, p->shape.dims, p->shape.rank};
    uint32_t n = p->pieces.len;
    uint32_t *set = MG_NEW_N(s->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        set[i] = i;
    return nothing_to_cover(p) || covers(&b, set, n, 0) || (n <= FEW && fill(&b, n));
}

// Boxes that follow one another partition the whole only if none of them ends before it begins.
static void require_forward(MgPieces *p) {
    MgSema *s = p->env->s;
    for (uint32_t k = 0; k < p->pieces.len; k++)
        for (uint32_t i = 0; i < p->shape.rank; i++) {
            const MgIx *side = &p->boxes.at[k][2 * (size_t)i];
            MgIx extent = mg_ix_sub(s->ix, side[1], side[0]);
            if (mg_prove(s, extent, NULL) == MG_PROVED)
                continue;
            MgSym message = mg_symf(s->names, "a range of '%s' ends before it begins",
                                    mg_sym_text(s, p->target));
            mg_record_require(p->env, p->span, extent, message);
            mg_assume(s, extent);
        }
}

static bool check_cover(MgPieces *p) {
    MgSema *s = p->env->s;
    if (mg_was_skipped(p->env, p->target))
        return false; // its missing piece may be in text that a syntax error left out
    uint32_t n = p->pieces.len;
    if ((p->pieces.at[0].scatter && n == 1) || nothing_to_cover(p))
        return true;
    if (n == 1) { // each axis by itself: a requirement may complete it
        for (uint32_t i = 0; i < p->shape.rank; i++) {
            const MgIx *box = p->boxes.at[0];
            if (!same(s, box[2 * i], mg_ix_const(s->ix, 0)) ||
                mg_ix_mentions_index(s->ix, box[2 * i + 1]) || // a triangle covers no rectangle
                !mg_equate(p->env, p->span, box[2 * i + 1], p->shape.dims[i])) {
                MG_FAIL(p->env, p->span, pieces_cover, mg_sym_text(s, p->target),
                        mg_shape_text(s, p->shape.rank, p->shape.dims));
                return false;
            }
        }
        return true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (p->pieces.at[i].scatter) {
            MG_FAIL(p->env, p->span, scatter_pieces, mg_sym_text(s, p->target));
            return false;
        }
    }
    if (!mg_pieces_whole(p)) {
        MG_FAIL(p->env, p->span, pieces_cover, mg_sym_text(s, p->target),
                mg_shape_text(s, p->shape.rank, p->shape.dims));
        return false;
    }
    require_forward(p);
    return true;
}

MgValueId mg_pieces_emit(MgPieces *p) {
    MgSema *s = p->env->s;
    for (uint32_t i = 0; i < p->shape.rank; i++)
        if (p->shape.dims[i] == MG_IX_ERROR) {
            mg_lost(p->env, p->span, mg_arena_printf(s->arena, "dimension %u of the result", i));
            return 0;
        }
    if (!mg_shape_fits(p->env, p->span, p->shape.rank, p->shape.dims) || !check_cover(p))
        return 0;
    MgEquation *eq = MG_NEW(s->module->arena, MgEquation);
    eq->n_pieces = p->pieces.len;
    eq->pieces = mg_arena_copy(s->module->arena, p->pieces.at, p->pieces.len, sizeof *p->pieces.at);
    if (p->over) {
        eq->has_base = true;
        mg_push(s->arena, &p->operands, p->over);
    }
    MgOpId op =
        mg_op_new(s->g, p->env->region, MG_OP_EQUATION, p->operands.at, p->operands.len, p->origin);
    mg_op(s->g, op)->equation = eq;
    if (p->st)
        mg_annotate(p->env, p->st, op);
    return mg_op_result(s->g, op, p->name, p->dtype, p->shape.rank, p->shape.dims);
}
