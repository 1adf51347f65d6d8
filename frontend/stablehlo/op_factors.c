// Factorisations and systems of equations: the dialect's own operations, and the calls of LAPACK
// and cuSOLVER that JAX prints. The operators are in lang/std/factors.mg.
#include "frontend/stablehlo/internal.h"

#include <string.h>

// ---------------------------------------------------------------- values
static MgHloType swapped_type(MgHlo *t, MgHloType type) {
    MgHloType out = mg_hlo_tensor(t, type.dtype, type.rank, type.dims);
    int64_t *dims = mg_arena_copy(t->arena, type.dims, type.rank, sizeof *dims);
    dims[type.rank - 2] = type.dims[type.rank - 1];
    dims[type.rank - 1] = type.dims[type.rank - 2];
    out.dims = dims;
    return out;
}

// Each matrix transposed.
static MgHloValue *swapped(MgHloNode *n, MgHloValue *v) {
    MgHlo *t = n->t;
    uint32_t rank = v->type.rank;
    const char **at = mg_arena_copy(t->arena, mg_hlo_indices(t, rank), rank, sizeof(const char *));
    const char *row = at[rank - 2];
    at[rank - 2] = at[rank - 1];
    at[rank - 1] = row;
    return mg_hlo_let(t, n->op, "swapped", swapped_type(t, v->type), mg_hlo_read(t, v, at));
}

static MgHloValue *swapped_if(MgHloNode *n, MgHloValue *v, bool swap) {
    return swap ? swapped(n, v) : v;
}

static MgHloValue *whole(MgHloNode *n, const char *hint, MgHloType type, const char *expression) {
    return mg_hlo_let_whole(n->t, n->op, hint, type, expression);
}

// Results of an operator, with the types that they have there: "a, b = what".
static bool give(MgHloNode *n, uint32_t count, const MgHloType *types, const char *what) {
    MgText names = mg_text(n->t->arena);
    for (uint32_t k = 0; k < count; k++) {
        const char *name = mg_hlo_result_name(n, k);
        n->outputs[k] = mg_hlo_value(n->t, types[k], name);
        mg_textf(&names, "%s%s", k ? ", " : "", name);
    }
    mg_hlo_say(n->t, n->op, "%s = %s", mg_text_str(&names), what);
    return true;
}

// A number of each matrix.
static MgHloType number_each(const MgHloType *matrices, MgDType dtype) {
    return (MgHloType){dtype, matrices->rank - 2, matrices->dims, false};
}

// A row of each matrix, as long as its shorter side.
static MgHloType row_each(MgHlo *t, const MgHloType *matrices, MgDType dtype) {
    uint32_t rank = matrices->rank;
    int64_t *dims = mg_arena_copy(t->arena, matrices->dims, rank, sizeof *dims);
    dims[rank - 2] = dims[rank - 1] < dims[rank - 2] ? dims[rank - 1] : dims[rank - 2];
    return (MgHloType){dtype, rank - 1, dims, false};
}

// ---------------------------------------------------------------- what the operands are
static bool is_matrices(const MgHloType *type) {
    return type->rank >= 2 && mg_is_float(type->dtype);
}

static bool is_square(const MgHloType *type) {
    return is_matrices(type) && type->dims[type->rank - 1] == type->dims[type->rank - 2];
}

// Have the types the same batches, in front of `inner` dimensions of the first and `others`?
static bool same_batches(const MgHloType *a, uint32_t inner, const MgHloType *b, uint32_t others) {
    return a->rank - inner == b->rank - others &&
           (a->rank == inner || !memcmp(a->dims, b->dims, (a->rank - inner) * sizeof *a->dims));
}

// An operand that is matrices, all of whose sizes are known, and the number of results.
static bool takes(MgHloNode *n, uint32_t operands, uint32_t results, bool square) {
    if (n->op->n_operands != operands || n->op->n_results != results ||
        !is_matrices(&n->inputs[0]->type) || (square && !is_square(&n->inputs[0]->type)))
        return mg_hlo_fail(n->t, n->op->at,
                           "it takes %s, the first of %s matrices, and the number of results is %u",
                           operands == 1 ? "one operand" : "two operands",
                           square ? "square" : "any", results);
    n->t->factors = true;
    return mg_hlo_all_closed(n, &n->inputs[0]->type);
}

static bool is(MgHloNode *n, const char *name, char letter) {
    return mg_hlo_int(n, name, 0) == letter;
}

// Does a call read the lower triangle? LAPACK says it by a letter, cuSOLVER by a bool.
static bool is_lower(MgHloNode *n) {
    return is(n, "uplo", 'L') || mg_hlo_int(n, "lower", 0);
}

// ---------------------------------------------------------------- cholesky
// Gives output 0, and the number of the column where it failed as output 1 if there is one.
static bool cholesky(MgHloNode *n, bool lower) {
    MgHlo *t = n->t;
    const MgHloType *type = &n->inputs[0]->type;
    MgHloValue *x = swapped_if(n, n->inputs[0], !lower);
    const char *name = mg_hlo_fresh(t, "triangle"), *wrong = mg_hlo_fresh(t, "wrong");
    mg_hlo_say(t, n->op, "%s, %s = factors.cholesky(%s)", name, wrong, mg_hlo_name(t, x));
    n->outputs[0] = swapped_if(n, mg_hlo_value(t, *type, name), !lower);
    if (n->op->n_results > 1)
        n->outputs[1] =
            mg_hlo_value(t, (MgHloType){MG_I32, type->rank - 2, type->dims, false}, wrong);
    return true;
}

bool mg_hlo_op_cholesky(MgHloNode *n) {
    return takes(n, 1, 1, true) && cholesky(n, mg_hlo_int(n, "lower", 0));
}

static bool potrf(MgHloNode *n) {
    return takes(n, 1, 2, true) && cholesky(n, is_lower(n));
}

// ---------------------------------------------------------------- triangular_solve
typedef struct Solve { // op(a) * y = b, or y * op(a) = b
    bool left, lower, transposed, unit;
} Solve;

static bool solve(MgHloNode *n, Solve s) {
    MgHlo *t = n->t;
    MgHloValue *a = n->inputs[0], *b = n->inputs[1];
    uint32_t rank = a->type.rank, side = s.left ? 2 : 1;
    if (b->type.rank != rank || b->type.dtype != a->type.dtype ||
        b->type.dims[rank - side] != a->type.dims[rank - 1] ||
        !same_batches(&a->type, 2, &b->type, 2))
        return mg_hlo_fail(t, n->op->at, "the operands don't match");
    bool turned = s.transposed == s.left; // y * a = b is transpose(a) * transpose(y) = transpose(b)
    a = swapped_if(n, a, turned);
    b = swapped_if(n, b, !s.left);
    MgHloValue *y =
        whole(n, s.left && n->op->result ? n->op->result : "solved", b->type,
              mg_hlo_text(t, "factors.triangular_solve(%s, %s, lower = %s, unit = %s)",
                          mg_hlo_name(t, a), mg_hlo_name(t, b),
                          s.lower != turned ? "true" : "false", s.unit ? "true" : "false"));
    n->outputs[0] = swapped_if(n, y, !s.left);
    return true;
}

bool mg_hlo_op_triangular_solve(MgHloNode *n) {
    MgHloText way = mg_hlo_find(n->op->attributes, "transpose_a");
    bool plain = !way.length || memmem(way.at, way.length, "NO_TRANSPOSE", 12);
    return takes(n, 2, 1, true) && solve(n, (Solve){.left = mg_hlo_int(n, "left_side", 0),
                                                    .lower = mg_hlo_int(n, "lower", 0),
                                                    .transposed = !plain,
                                                    .unit = mg_hlo_int(n, "unit_diagonal", 0)});
}

static bool trsm(MgHloNode *n) {
    return takes(n, 2, 1, true) && solve(n, (Solve){.left = is(n, "side", 'L'),
                                                    .lower = is(n, "uplo", 'L'),
                                                    .transposed = !is(n, "trans_x", 'N'),
                                                    .unit = is(n, "diag", 'U')});
}

// ---------------------------------------------------------------- other calls of LAPACK
static const char *of(MgHloNode *n, const char *operator) {
    return mg_hlo_text(n->t, "factors.%s(%s)", operator, mg_hlo_name(n->t, n->inputs[0]));
}

static bool getrf(MgHloNode *n) {
    if (!takes(n, 1, 3, false))
        return false;
    const MgHloType type = n->inputs[0]->type;
    const MgHloType types[] = {type, row_each(n->t, &type, MG_I32), number_each(&type, MG_I32)};
    return give(n, 3, types, of(n, "lu"));
}

static bool geqrf(MgHloNode *n) {
    if (!takes(n, 1, 2, false))
        return false;
    const MgHloType type = n->inputs[0]->type;
    const MgHloType types[] = {type, row_each(n->t, &type, type.dtype)};
    return give(n, 2, types, of(n, "householder"));
}

static bool orgqr(MgHloNode *n) {
    if (!takes(n, 2, 1, false))
        return false;
    const MgHloType *x = &n->inputs[0]->type, *tau = &n->inputs[1]->type;
    if (tau->dtype != x->dtype || tau->rank + 1 != x->rank || !same_batches(x, 2, tau, 1) ||
        tau->dims[tau->rank - 1] > x->dims[x->rank - 1])
        return mg_hlo_fail(n->t, n->op->at, "the operands don't match");
    return give(n, 1, x,
                mg_hlo_text(n->t, "factors.householder_product(%s, %s)",
                            mg_hlo_name(n->t, n->inputs[0]), mg_hlo_name(n->t, n->inputs[1])));
}

// Output k is 0: the method does not fail.
static bool never_fails(MgHloNode *n, uint32_t k) {
    MgHloValue *v = mg_hlo_value(n->t, number_each(&n->inputs[0]->type, MG_I32), NULL);
    v->literal = "0";
    n->outputs[k] = v;
    return true;
}

static bool syevd(MgHloNode *n) {
    if (!takes(n, 1, 3, true))
        return false;
    MgHlo *t = n->t;
    const MgHloType type = n->inputs[0]->type;
    const MgHloType types[] = {type, row_each(t, &type, type.dtype)};
    MgHloValue *x = swapped_if(n, n->inputs[0], !is_lower(n));
    return give(n, 2, types, mg_hlo_text(t, "factors.eigh(%s)", mg_hlo_name(t, x))) &&
           never_fails(n, 2);
}

// Columns behind the vectors, if the result has more.
static MgHloValue *all_columns(MgHloNode *n, MgHloValue *v, int64_t columns) {
    MgHlo *t = n->t;
    MgHloType type = v->type;
    if (type.dims[type.rank - 1] == columns)
        return v;
    int64_t *dims = mg_arena_copy(t->arena, type.dims, type.rank, sizeof *dims);
    dims[type.rank - 1] = columns;
    type.dims = dims;
    return whole(n, "complete", type,
                 mg_hlo_text(t, "factors.orthonormal(%s, columns = %lld)", mg_hlo_name(t, v),
                             (long long)columns));
}

// The operand (which LAPACK overwrites), singular values, left and right vectors, and a status.
static bool gesdd(MgHloNode *n) {
    MgHlo *t = n->t;
    if (!takes(n, 1, 5, false))
        return false;
    MgHloType type = n->inputs[0]->type;
    uint32_t rank = type.rank;
    int64_t rows = type.dims[rank - 2], columns = type.dims[rank - 1];
    bool wide = rows < columns;
    const MgHloType *left = &n->op->types[2], *right = &n->op->types[3];
    if (!is_matrices(left) || !is_matrices(right) || left->rank != rank || right->rank != rank)
        return mg_hlo_fail(t, n->op->at, "the results are matrices");
    MgHloValue *x = swapped_if(n, n->inputs[0], wide);
    int64_t *dims = mg_arena_copy(t->arena, type.dims, rank, sizeof *dims);
    int64_t *short_dims = mg_arena_copy(t->arena, type.dims, rank, sizeof *dims);
    dims[rank - 2] = wide ? columns : rows;
    dims[rank - 1] = short_dims[rank - 2] = short_dims[rank - 1] = wide ? rows : columns;
    const char *u = mg_hlo_fresh(t, "left"), *s = mg_hlo_fresh(t, "singular"),
               *v = mg_hlo_fresh(t, "right");
    mg_hlo_say(t, n->op, "%s, %s, %s = factors.svd(%s)", u, s, v, mg_hlo_name(t, x));
    MgHloValue *longer = mg_hlo_value(t, (MgHloType){type.dtype, rank, dims, false}, u);
    MgHloValue *shorter = mg_hlo_value(t, (MgHloType){type.dtype, rank, short_dims, false}, v);
    n->outputs[0] = n->inputs[0];
    n->outputs[1] = mg_hlo_value(t, row_each(t, &type, type.dtype), s);
    if (is(n, "mode", 'N')) {
        mg_hlo_give(n, 2, "0");
        mg_hlo_give(n, 3, "0");
    } else {
        longer = all_columns(n, longer, wide ? right->dims[rank - 2] : left->dims[rank - 1]);
        n->outputs[2] = wide ? shorter : longer;
        n->outputs[3] = swapped(n, wide ? longer : shorter);
    }
    return never_fails(n, 4);
}

static const struct {
    const char *name;
    bool cuda; // cuSOLVER has the same call
    bool (*translate)(MgHloNode *n);
} calls[] = {{"potrf_ffi", true, potrf}, {"getrf_ffi", true, getrf}, {"geqrf_ffi", true, geqrf},
             {"orgqr_ffi", true, orgqr}, {"syevd_ffi", true, syevd}, {"trsm_ffi", false, trsm},
             {"gesdd_ffi", false, gesdd}};

// What follows a beginning; NULL if the name begins otherwise.
static const char *after(const char *name, const char *beginning) {
    size_t n = strlen(beginning);
    return strncmp(name, beginning, n) ? NULL : name + n;
}

bool mg_hlo_lapack(MgHloNode *n, bool *known) {
    const char *symbol = n->op->symbol ? n->op->symbol : "", *cuda = after(symbol, "@cusolver_");
    const char *name = cuda ? cuda : after(symbol, "@lapack_s");
    name = name ? name : after(symbol, "@lapack_d");
    *known = false;
    for (size_t i = 0; name && i < sizeof calls / sizeof *calls && !*known; i++)
        if (!strcmp(name, calls[i].name) && (calls[i].cuda || !cuda)) {
            *known = true;
            return calls[i].translate(n);
        }
    return false;
}
