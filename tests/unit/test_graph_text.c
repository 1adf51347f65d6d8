// Tests the flat form, the verifier, traits, cost, binding and copies on a small handmade net.
#include "frontend/ast.h"
#include "ir/graph.h"

#include "tests/unit/check.h"
#include <math.h>

static MgSession *session;
static MgModule *m;
static MgGraph *g;
static MgIxTable *t;
static MgIx B, K, N;

static MgSym sym(const char *name) {
    return mg_sym(session->names, name);
}

static MgIx dim(const char *name, int64_t low, int64_t high) {
    MgIxSym s = mg_ix_dim(t, sym(name), low, high);
    mg_push(m->arena, &g->dims, s);
    return mg_ix_sym(t, s);
}

static const MgSx *idx(uint32_t k) {
    return mg_sx_ix(m, MG_I64, mg_ix_idx(t, k));
}

static MgIndex range(const char *name, MgIx high) {
    return (MgIndex){sym(name), mg_ix_const(t, 0), high};
}

// One plain piece over the whole of a new value: indices are n_free free ones, then the bound ones.
static MgValueId equation(const char *name, MgDType dtype, const MgValueId *operands, uint32_t n,
                          const MgIndex *indices, uint32_t n_free, uint32_t n_indices,
                          MgReducer reducer, const MgSx *expr) {
    MgIx shape[8];
    MgPiece piece = {.n_free = n_free, .n_indices = n_indices, .reducer = reducer, .expr = expr};
    piece.indices = mg_arena_copy(m->arena, indices, n_indices, sizeof *indices);
    piece.target = MG_NEW_N(m->arena, MgTarget, n_free);
    for (uint32_t i = 0; i < n_free; i++) {
        shape[i] = indices[i].high;
        piece.target[i].sub = idx(i);
    }
    MgOpId op = mg_op_new(g, 0, MG_OP_EQUATION, operands, n, MG_NONE);
    MgEquation *e = MG_NEW(m->arena, MgEquation);
    *e = (MgEquation){.pieces = mg_arena_copy(m->arena, &piece, 1, sizeof piece), .n_pieces = 1};
    mg_op(g, op)->equation = e;
    return mg_op_result(g, op, sym(name), dtype, n_free, shape);
}

static const MgSx *read2(uint32_t operand, uint32_t i, uint32_t j) {
    const MgSx *subs[] = {idx(i), idx(j)};
    return mg_sx_read(m, operand, MG_F32, subs, 2, MG_BOUNDS_PROVED, NULL);
}

static const MgSx *prim2(MgPrim prim, const MgSx *a, const MgSx *b) {
    const MgSx *args[] = {a, b};
    return mg_sx_prim(m, prim, MG_F32, args, 2);
}

static MgValueId param(const char *name, uint32_t rank, const MgIx *shape) {
    MgOpId op = mg_op_new(g, 0, MG_OP_PARAM, NULL, 0, MG_NONE);
    mg_op(g, op)->key = sym(name);
    return mg_op_result(g, op, sym(name), MG_F32, rank, shape);
}

static MgOpId linear, act; // ops of the net

// x[B, K] * w[N, K], then relu with a bias.
static void setup(void) {
    session = mg_session_new(0);
    m = mg_module_new(session, sym("test.mg"));
    g = mg_graph_new(m, sym("net"));
    t = m->ix;
    B = dim("B", 1, 64);
    K = dim("K", 0, MG_IX_INF);
    N = mg_ix_const(t, 10);
    MgValueId x = mg_input_new(g, sym("x"), MG_F32, 2, (MgIx[]){B, K}, MG_NONE);
    MgValueId w = param("fc.weight", 2, (MgIx[]){N, K}), b = param("fc.bias", 1, (MgIx[]){N});
    MgValueId z = equation("fc", MG_F32, (MgValueId[]){x, w}, 2,
                           (MgIndex[]){range("n", B), range("o", N), range("k", K)}, 2, 3,
                           MG_REDUCE_SUM, prim2(MG_PRIM_MUL, read2(0, 0, 2), read2(1, 1, 2)));
    linear = mg_value(g, z)->def;
    const MgSx *sub = idx(1);
    const MgSx *bias = mg_sx_read(m, 1, MG_F32, &sub, 1, MG_BOUNDS_PROVED, NULL);
    const MgSx *sum = prim2(MG_PRIM_ADD, read2(0, 0, 1), bias);
    MgValueId y =
        equation("y", MG_F16, (MgValueId[]){z, b}, 2, (MgIndex[]){range("n", B), range("o", N)}, 2,
                 2, MG_REDUCE_NONE, prim2(MG_PRIM_MAX, sum, mg_sx_double(m, MG_F32, 0)));
    act = mg_value(g, y)->def;
    mg_push(m->arena, &g->outputs, (MgPort){.value = y, .name = sym("y"), .aliases = -1});
    mg_push(m->arena, &g->requires,
            (MgRequire){mg_ix_sub(t, K, mg_ix_const(t, 2)), sym("{K + 1} is too \"few\""), 0});
}

static void teardown(void) {
    mg_session_free(session);
}

static const char *print(MgGraph *graph) {
    MgText out = mg_text(session->arena);
    mg_graph_print(graph, NULL, &out);
    return mg_text_str(&out);
}

static const char *expected =
    "graph net(x: f32[B <= 64, K]) -> (y: f16[B, 10])\n"
    "    require B >= 1\n"
    "    require K >= 2 : \"{K + 1} is too \\\"few\\\"\"\n"
    "{\n"
    "    param fc.weight: f32[10, K]\n"
    "    param fc.bias: f32[10]\n"
    "    fc[n in 0..B, o in 0..10]: f32[B, 10] = sum[k in 0..K] x[n, k] * fc.weight[o, k]\n"
    "    y[n in 0..B, o in 0..10]: f16[B, 10] = max(fc[n, o] + fc.bias[o], 0.0)\n"
    "}\n";

START_TEST(prints_the_flat_form) {
    ck_assert_str_eq(print(g), expected);
    MgText out = mg_text(session->arena);
    mg_module_print(m, NULL, &out);
    const char *text = mg_text_str(&out);
    uint32_t source = mg_add_source(session, "flat.mg", text, strlen(text));
    ck_assert_ptr_nonnull(mg_parse(session, source));
    ck_assert_uint_eq(session->n_errors, 0);
}
END_TEST

static const char *expression(const MgSx *expr) {
    static int n;
    MgValueId v = equation("e", expr->dtype, (MgValueId[]){g->inputs.at[0].value}, 1,
                           (MgIndex[]){range("i", B), range("j", K)}, 2, 2, MG_REDUCE_NONE, expr);
    MgText out = mg_text(session->arena);
    mg_op_print(g, mg_value(g, v)->def, NULL, &out);
    ck_assert_msg(mg_graph_verify(g), "expression %d", n++);
    return strstr(mg_text_str(&out), " = ") + 3;
}

static const MgSx *prim1(MgPrim prim, MgDType d, const MgSx *a) {
    return mg_sx_prim(m, prim, d, &a, 1);
}

START_TEST(expressions_say_their_types) {
    const MgSx *x = read2(0, 0, 1), *i = mg_sx_ix(m, MG_F32, mg_ix_idx(t, 0));
    const MgSx *two = mg_sx_double(m, MG_F32, 2);
    ck_assert_str_eq(expression(prim2(MG_PRIM_SUB, x, prim2(MG_PRIM_SUB, x, i))),
                     "x[i, j] - (x[i, j] - i)");
    ck_assert_str_eq(expression(prim2(MG_PRIM_SUB, prim2(MG_PRIM_SUB, x, i), two)),
                     "x[i, j] - i - 2.0");
    ck_assert_str_eq(expression(prim2(MG_PRIM_MUL, two, i)), "f32(2.0) * i");
    ck_assert_str_eq(expression(prim1(MG_PRIM_NEG, MG_F32, prim1(MG_PRIM_NEG, MG_F32, x))),
                     "-(-x[i, j])");
    const MgSx *half = prim1(MG_PRIM_CAST, MG_F16, x);
    ck_assert_str_eq(expression(prim1(MG_PRIM_CAST, MG_F32, half)), "f16(x[i, j])");
    ck_assert_str_eq(expression(prim1(MG_PRIM_SATURATE, MG_I8, x)), "saturate(x[i, j], i8)");
    MgIx halved = mg_ix_div(t, mg_ix_idx(t, 1), mg_ix_const(t, 2));
    ck_assert_str_eq(expression(prim2(MG_PRIM_ADD, x, mg_sx_ix(m, MG_F32, halved))),
                     "x[i, j] + floordiv(j, 2)");
    const MgSx *less[] = {idx(1), idx(0)};
    const MgSx *c = mg_sx_prim(m, MG_PRIM_LE, MG_BOOL, less, 2);
    const MgSx *where[] = {c, two, mg_sx_double(m, MG_F32, -0.1)};
    ck_assert_str_eq(expression(mg_sx_prim(m, MG_PRIM_WHERE, MG_F32, where, 3)),
                     "where(j <= i, f32(2.0), -0.1)");
    const MgSx *subs[] = {mg_sx_ix(m, MG_I64, mg_ix_sub(t, mg_ix_idx(t, 0), mg_ix_const(t, 1))),
                          mg_sx_ix(m, MG_I64, halved)};
    const MgSx *edge = mg_sx_read(m, 0, MG_F32, subs, 2, MG_BOUNDS_ELSE,
                                  mg_sx_double(m, MG_F32, -(double)INFINITY));
    ck_assert_str_eq(expression(prim2(MG_PRIM_DIV, edge, x)),
                     "x[i - 1, j/2] else (-inf) / x[i, j]");
}
END_TEST

START_TEST(the_verifier_finds_faults) {
    ck_assert(mg_graph_verify(g));
    MgPiece *p = &mg_op(g, act)->equation->pieces[0];
    const MgSx *good = p->expr;
    p->expr = read2(0, 1, 0); // transposed: o < 10 is not < B
    ck_assert(!mg_graph_verify(g));
    p->expr = mg_sx_double(m, MG_F64, 0);
    ck_assert(!mg_graph_verify(g));
    p->expr = good;
    ck_assert(mg_graph_verify(g));
    p->indices[0].high = mg_ix_sub(t, B, mg_ix_const(t, 1));
    ck_assert(!mg_graph_verify(g)); // does not cover
    p->indices[0].high = B;
    MgOpId nothing = mg_op_new(g, 0, MG_OP_FUSED, NULL, 0, MG_NONE);
    mg_op_new(g, mg_region_new(g, nothing), MG_OP_YIELD, NULL, 0, MG_NONE);
    ck_assert(!mg_graph_verify(g)); // a group without a result
    mg_op_erase(g, nothing);
    ck_assert(mg_graph_verify(g));
    mg_op_move_before(g, act, linear);
    ck_assert(!mg_graph_verify(g)); // reads fc before it is defined
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    const char *text = mg_text_str(&out);
    ck_assert_ptr_nonnull(strstr(text, "y: subscript 0 of 'fc' is not proved to be inside"));
    ck_assert_ptr_nonnull(strstr(text, "y reads 'fc', which is not defined before it"));
    ck_assert_ptr_nonnull(strstr(text, "y: its pieces are not known to cover it"));
}
END_TEST

START_TEST(traits_and_costs) {
    MgTraits a = mg_traits(g, linear), b = mg_traits(g, act);
    ck_assert(a.contraction && a.row && !a.elementwise && !a.window && !a.jumps);
    ck_assert(b.elementwise && !b.contraction && !b.view && !b.copy);
    // z[n, (i, j)] = y[n, i * 5 + j]: a view
    MgCost cost = mg_cost(g, linear);
    MgIx bk = mg_ix_mul(t, B, K);
    ck_assert_uint_eq(cost.flops, mg_ix_mul(t, bk, mg_ix_const(t, 20)));
    MgIx elements = mg_ix_add(t, bk, mg_ix_mul(t, N, mg_ix_add(t, B, K)));
    ck_assert_uint_eq(cost.bytes, mg_ix_mul(t, elements, mg_ix_const(t, 4)));
    MgValueId x = g->inputs.at[0].value;
    MgIx sub[] = {mg_ix_idx(t, 0)};
    MgIx row = mg_ix_div(t, sub[0], K), column = mg_ix_mod(t, sub[0], K);
    const MgSx *subs[] = {mg_sx_ix(m, MG_I64, row), mg_sx_ix(m, MG_I64, column)};
    MgValueId line =
        equation("line", MG_F32, &x, 1, (MgIndex[]){range("i", bk)}, 1, 1, MG_REDUCE_NONE,
                 mg_sx_read(m, 0, MG_F32, subs, 2, MG_BOUNDS_PROVED, NULL));
    ck_assert(mg_traits(g, mg_value(g, line)->def).view);
}
END_TEST

static const char *bind(int64_t b, int64_t k, bool ok) {
    int64_t dims[2];
    const int64_t shape[] = {b, k}, *shapes[] = {shape};
    session->diags.len = 0;
    session->n_errors = 0;
    ck_assert_int_eq(mg_bind_dims(g, shapes, dims), ok);
    if (ok) {
        ck_assert_int_eq(dims[0], b);
        ck_assert_int_eq(dims[1], k);
    }
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    return mg_text_str(&out);
}

START_TEST(dimensions_are_bound) {
    ck_assert_str_eq(bind(3, 7, true), "");
    ck_assert_str_eq(bind(65, 7, false), "error: B is 65 from x; it must be at most 64\n");
    ck_assert_str_eq(bind(0, 7, false), "error: B is 0 from x; it must be at least 1\n");
    ck_assert_str_eq(bind(1, 1, false),
                     "error: 2 is too \"few\": this needs K >= 2 (K = 1 from x)\n");
    ck_assert_ptr_nonnull(strstr(bind(1, -4, false), "dimension 1 of input 'x' is negative: -4"));
}
END_TEST

static bool five(void *ctx, MgIxSym s, int64_t *v) {
    (void)ctx;
    *v = 5;
    return s == g->dims.at[0];
}

START_TEST(copies_are_equal) {
    MgModule *copy = mg_module_clone(m);
    ck_assert_str_eq(print(copy->graphs.at[0]), expected);
    ck_assert(mg_module_verify(copy));
    MgGraph *special = mg_graph_specialise(g, five, NULL);
    ck_assert_ptr_nonnull(strstr(print(special), "fc[n in 0..5, o in 0..10]: f32[5, 10]"));
    ck_assert(mg_graph_verify(special));
    ck_assert_uint_eq(special->dims.len, 1);
    ck_assert_str_eq(print(g), expected);
}
END_TEST

MG_TEST_MAIN_WITH("graph text", setup, teardown, prints_the_flat_form, expressions_say_their_types,
                  the_verifier_finds_faults, traits_and_costs, dimensions_are_bound,
                  copies_are_equal)
