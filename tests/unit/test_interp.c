// Tests the reference interpreter on handmade graphs: equations, regions, builtins and bounds.
#include "ir/builtins.h"
#include "ir/interp.h"

#include "tests/unit/check.h"
#include <math.h>
#include <stdlib.h>

static MgSession *session;
static MgModule *m;
static MgGraph *g;
static MgInterpTensor in[4], out[4];
static const MgInterpOptions with_bounds = {.bounds = true};

static void setup(void) {
    session = mg_session_new(0);
    m = mg_module_new(session, mg_sym(session->names, "test.mg"));
    g = mg_graph_new(m, mg_sym(session->names, "main"));
}

static void teardown(void) {
    mg_session_free(session);
}

// ---------------------------------------------------------------- building
static MgSym sym(const char *name) {
    return mg_sym(session->names, name);
}
static MgIx num(int64_t v) {
    return mg_ix_const(m->ix, v);
}
static MgIx idx(uint32_t k) {
    return mg_ix_idx(m->ix, k);
}
static const MgSx *sub(MgIx x) {
    return mg_sx_ix(m, MG_I64, x);
}
static const MgSx *prim(MgPrim p, MgDType type, const MgSx *a, const MgSx *b) {
    const MgSx *args[] = {a, b};
    return mg_sx_prim(m, p, type, args, b ? 2 : 1);
}
// Element of operand k at up to two subscripts.
static const MgSx *read_at(uint32_t k, MgDType type, MgBounds bounds, const MgSx *otherwise,
                           const MgSx *s0, const MgSx *s1) {
    const MgSx *subs[] = {s0, s1};
    return mg_sx_read(m, k, type, subs, s1 ? 2 : s0 ? 1 : 0, bounds, otherwise);
}
static const MgSx *read1(uint32_t k, MgIx i) {
    return read_at(k, MG_F32, MG_BOUNDS_PROVED, NULL, sub(i), NULL);
}
static MgIndex range(const char *name, MgIx low, MgIx high) {
    return (MgIndex){sym(name), low, high};
}

static MgValueId input(uint32_t k, MgDType type, int64_t n, const void *data) {
    MgIx shape = num(n);
    MgValueId v =
        mg_input_new(g, mg_symf(session->names, "x%u", k), type, n < 0 ? 0 : 1, &shape, MG_NONE);
    int64_t *extent = MG_NEW(session->arena, int64_t);
    *extent = n;
    in[k] = (MgInterpTensor){.dtype = type,
                             .rank = n < 0 ? 0 : 1,
                             .shape = extent,
                             .n = n < 0 ? 1 : (size_t)n,
                             .data = (void *)data};
    return v;
}

// y[target] = reducer expr in region r, one piece; type is the result's, of shape [n].
static MgValueId equation(MgRegionId r, const MgValueId *operands, uint32_t n_operands,
                          MgDType type, MgIx n, MgPiece piece, MgIx target) {
    MgOpId op = mg_op_new(g, r, MG_OP_EQUATION, operands, n_operands, MG_NONE);
    piece.target = MG_NEW(m->arena, MgTarget);
    piece.target->sub = sub(target);
    MgEquation *eq = MG_NEW(m->arena, MgEquation);
    eq->pieces = mg_arena_copy(m->arena, &piece, 1, sizeof piece);
    eq->n_pieces = 1;
    mg_op(g, op)->equation = eq;
    return mg_op_result(g, op, sym("y"), type, 1, &n);
}

static MgPiece map_piece(int64_t n, const MgSx *expr) {
    MgPiece p = {
        .indices = MG_NEW_N(m->arena, MgIndex, 1), .n_free = 1, .n_indices = 1, .expr = expr};
    p.indices[0] = range("i", num(0), num(n));
    return p;
}

static MgPiece reduce_piece(MgReducer reducer, int64_t n, MgIx low, MgIx high, const MgSx *expr) {
    MgPiece p = {.indices = MG_NEW_N(m->arena, MgIndex, 2),
                 .n_free = 1,
                 .n_indices = 2,
                 .reducer = reducer,
                 .expr = expr};
    p.indices[0] = range("i", num(0), num(n));
    p.indices[1] = range("j", low, high);
    return p;
}

static void output(MgValueId v) {
    mg_push(m->arena, &g->outputs,
            (MgPort){.value = v, .name = mg_value(g, v)->name, .aliases = -1});
}

static bool run(void) {
    return mg_interp(g, in, out, &with_bounds, session->arena);
}

static void expect_f32(const float *expected, size_t n) {
    ck_assert(run());
    ck_assert_uint_eq(out[0].n, n);
    for (size_t i = 0; i < n; i++) {
        float v = ((float *)out[0].data)[i];
        ck_assert_msg(v == expected[i] || (isnan(v) && isnan(expected[i])),
                      "element %zu is %g, not %g", i, v, expected[i]);
    }
}

// ---------------------------------------------------------------- equations
START_TEST(f32_rounds_after_each_operation) {
    float a[] = {1, 1e8f, INFINITY}, b[] = {0x1p-24f, 1, -INFINITY};
    MgValueId x[] = {input(0, MG_F32, 3, a), input(1, MG_F32, 3, b)};
    const MgSx *sum = prim(MG_PRIM_ADD, MG_F32, read1(0, idx(0)), read1(1, idx(0)));
    output(equation(0, x, 2, MG_F32, num(3),
                    map_piece(3, prim(MG_PRIM_SUB, MG_F32, sum, read1(0, idx(0)))), idx(0)));
    expect_f32((float[]){0, 0, NAN}, 3);
    ck_assert(out[0].bound[0] > 0x1p-24 && out[0].bound[0] < 0x1p-20);
    ck_assert(out[0].bound[1] > 8);
    ck_assert(out[0].bound[2] == 0);
}
END_TEST

START_TEST(windows_read_their_else) {
    float x[] = {1, 2, 3, 4}, w[] = {1, 10, 100};
    MgValueId v[] = {input(0, MG_F32, 4, x), input(1, MG_F32, 3, w)};
    MgIx at = mg_ix_add(m->ix, mg_ix_add(m->ix, idx(0), idx(1)), num(-1));
    const MgSx *edge = mg_sx_double(m, MG_F32, 7);
    const MgSx *product =
        prim(MG_PRIM_MUL, MG_F32, read_at(0, MG_F32, MG_BOUNDS_ELSE, edge, sub(at), NULL),
             read1(1, idx(1)));
    output(equation(0, v, 2, MG_F32, num(4),
                    reduce_piece(MG_REDUCE_SUM, 4, num(0), num(3), product), idx(0)));
    expect_f32((float[]){217, 321, 432, 743}, 4);
}
END_TEST

START_TEST(prefix_ranges_and_empty_reductions) {
    float x[] = {1, 2, 3, 4};
    MgValueId v = input(0, MG_F32, 4, x);
    output(equation(0, &v, 1, MG_F32, num(4),
                    reduce_piece(MG_REDUCE_SUM, 4, num(0), idx(0), read1(0, idx(1))), idx(0)));
    output(equation(0, &v, 1, MG_F32, num(4),
                    reduce_piece(MG_REDUCE_MAX, 4, num(0), idx(0), read1(0, idx(1))), idx(0)));
    expect_f32((float[]){0, 1, 3, 6}, 4);
    ck_assert(((float *)out[1].data)[0] == -INFINITY);
    ck_assert(((float *)out[1].data)[3] == 3);
}
END_TEST

START_TEST(means_whose_sums_overflow_are_exempt) {
    float x[] = {1e38f, 1e38f, 1e38f, 3e38f}, y[] = {1e38f, 1e37f, 1e38f, 1e38f};
    MgValueId v[] = {input(0, MG_F32, 4, x), input(1, MG_F32, 4, y)};
    for (uint32_t k = 0; k < 2; k++)
        output(equation(0, v, 2, MG_F32, num(1),
                        reduce_piece(MG_REDUCE_MEAN, 1, num(0), num(4), read1(k, idx(1))), idx(0)));
    ck_assert(run());
    ck_assert(out[0].exempt[0] && ((float *)out[0].data)[0] == 1.5e38f);
    ck_assert(!out[1].exempt[0] && ((float *)out[1].data)[0] == 7.75e37f);
}
END_TEST

// The weights of an attention may be divided by their sum, here 4, after the values were summed.
START_TEST(weighted_sums_that_overflow_undivided_are_exempt) {
    float x[] = {1e37f, 1e37f, 1e37f, 6e37f}, y[] = {1e37f, 1e37f, 1e37f, 5e37f};
    MgValueId v[] = {input(0, MG_F32, 4, x), input(1, MG_F32, 4, y)};
    for (uint32_t k = 0; k < 2; k++)
        output(equation(0, v, 2, MG_F32, num(1),
                        reduce_piece(MG_REDUCE_SUM, 1, num(0), num(4), read1(k, idx(1))), idx(0)));
    ck_assert(run());
    ck_assert(out[0].exempt[0] && ((float *)out[0].data)[0] == 9e37f);
    ck_assert(!out[1].exempt[0] && ((float *)out[1].data)[0] == 8e37f);
}
END_TEST

// x times exp(0): the same number, but no longer exact.
static const MgSx *inexact(const MgSx *x) {
    return prim(MG_PRIM_MUL, MG_F32, x,
                prim(MG_PRIM_EXP, MG_F32, mg_sx_double(m, MG_F32, 0), NULL));
}

START_TEST(argmax_ties_go_first_and_near_ties_are_exempt) {
    float x[] = {1, 3, 3, 0}, y[] = {0.1f, 0.3f, 0.3f, 0};
    MgValueId v[] = {input(0, MG_F32, 4, x), input(1, MG_F32, 4, y)};
    output(equation(0, v, 1, MG_I64, num(1),
                    reduce_piece(MG_REDUCE_ARGMAX, 1, num(0), num(4), read1(0, idx(1))), idx(0)));
    const MgSx *computed = prim(MG_PRIM_MUL, MG_F32, read1(1, idx(1)), read1(1, idx(1)));
    output(equation(0, v, 2, MG_I64, num(1),
                    reduce_piece(MG_REDUCE_ARGMAX, 1, num(0), num(4), inexact(computed)), idx(0)));
    output(equation(0, v, 2, MG_I64, num(1),
                    reduce_piece(MG_REDUCE_ARGMAX, 1, num(0), num(4), computed), idx(0)));
    ck_assert(run());
    ck_assert_int_eq(((int64_t *)out[0].data)[0], 1);
    ck_assert(!out[0].exempt[0]);
    ck_assert(out[1].exempt[0]);
    ck_assert(!out[2].exempt[0]);
}
END_TEST

START_TEST(argmax_of_nothing_is_an_error) {
    MgValueId v = input(0, MG_F32, 0, NULL);
    output(equation(0, &v, 1, MG_I64, num(1),
                    reduce_piece(MG_REDUCE_ARGMAX, 1, num(0), num(0), read1(0, idx(1))), idx(0)));
    ck_assert(!run());
    ck_assert_int_eq(session->diags.at[0].id, MG_D_interp_empty);
}
END_TEST

static void scatter(MgBounds write, MgReducer reducer) {
    static const float x[] = {1, 2, 4, 8, 16}, base[] = {100, 200, 300};
    MgValueId v[] = {input(0, MG_F32, 5, x), input(1, MG_F32, 3, base)};
    MgPiece p = {.indices = MG_NEW_N(m->arena, MgIndex, 1),
                 .n_indices = 1,
                 .reducer = reducer,
                 .scatter = true,
                 .write = write,
                 .expr = read1(0, idx(0))};
    p.indices[0] = range("j", num(0), num(5));
    MgValueId y = equation(0, v, 2, MG_F32, num(3), p,
                           mg_ix_sub(m->ix, mg_ix_div(m->ix, idx(0), num(2)), num(-1)));
    mg_op(g, mg_value(g, y)->def)->equation->has_base = true;
    output(y);
}

START_TEST(scatter_adds_to_its_base_and_drops_outside) {
    scatter(MG_BOUNDS_ELSE, MG_REDUCE_SUM);
    expect_f32((float[]){100, 203, 312}, 3);
}
END_TEST

START_TEST(scatter_keeps_the_last) {
    scatter(MG_BOUNDS_ELSE, MG_REDUCE_LAST);
    expect_f32((float[]){100, 2, 8}, 3);
}
END_TEST

START_TEST(checked_writes_trap) {
    scatter(MG_BOUNDS_CHECKED, MG_REDUCE_SUM);
    ck_assert(!run());
    ck_assert_str_eq(
        session->diags.at[0].message,
        "'y' is written out of bounds: the subscript at axis 0 is 3, the dimension is 3");
}
END_TEST

START_TEST(checked_reads_trap) {
    float x[] = {1, 2};
    int64_t ids[] = {0, 1, -1};
    MgValueId v[] = {input(0, MG_F32, 2, x), input(1, MG_I64, 3, ids)};
    const MgSx *id = read_at(1, MG_I64, MG_BOUNDS_PROVED, NULL, sub(idx(0)), NULL);
    output(equation(0, v, 2, MG_F32, num(3),
                    map_piece(3, read_at(0, MG_F32, MG_BOUNDS_CHECKED, NULL, id, NULL)), idx(0)));
    ck_assert(!run());
    ck_assert_str_eq(
        session->diags.at[0].message,
        "'x0' is read out of bounds: the subscript at axis 0 is -1, the dimension is 2");
}
END_TEST

START_TEST(pieces_cover_and_do_not_overlap) {
    float x[] = {1, 2};
    MgValueId v = input(0, MG_F32, 2, x);
    MgValueId y = equation(0, &v, 1, MG_F32, num(4), map_piece(2, read1(0, idx(0))), idx(0));
    MgEquation *eq = mg_op(g, mg_value(g, y)->def)->equation;
    output(y);
    ck_assert(!run());
    ck_assert_int_eq(session->diags.at[0].id, MG_D_interp_uncovered);
    MgPiece second = eq->pieces[0];
    second.indices = MG_NEW_N(m->arena, MgIndex, 1);
    second.indices[0] = range("i", num(2), num(4));
    second.expr = read1(0, mg_ix_sub(m->ix, num(3), idx(0)));
    MgPiece both[] = {eq->pieces[0], second};
    eq->pieces = mg_arena_copy(m->arena, both, 2, sizeof *both);
    eq->n_pieces = 2;
    expect_f32((float[]){1, 2, 2, 1}, 4);
    eq->pieces[1].indices[0].low = num(1);
    eq->pieces[1].expr = read1(0, num(0));
    ck_assert(!run());
    ck_assert_int_eq(session->diags.at[1].id, MG_D_interp_twice);
}
END_TEST

START_TEST(integers_wrap_and_casts_saturate) {
    int8_t x[] = {127, -128, 5};
    float f[] = {300, NAN, -1.5f};
    MgValueId v[] = {input(0, MG_I8, 3, x), input(1, MG_F32, 3, f)};
    const MgSx *xi = read_at(0, MG_I8, MG_BOUNDS_PROVED, NULL, sub(idx(0)), NULL);
    output(equation(0, v, 2, MG_I8, num(3),
                    map_piece(3, prim(MG_PRIM_ADD, MG_I8, xi, mg_sx_int(m, MG_I8, 1))), idx(0)));
    output(equation(0, v, 2, MG_U8, num(3),
                    map_piece(3, prim(MG_PRIM_CAST, MG_U8, read1(1, idx(0)), NULL)), idx(0)));
    ck_assert(run());
    ck_assert_mem_eq(out[0].data, ((int8_t[]){-128, -127, 6}), 3);
    ck_assert_mem_eq(out[1].data, ((uint8_t[]){255, 0, 0}), 3);
}
END_TEST

// The remainder of a division by infinity is the dividend, with its error.
START_TEST(remainders_of_infinity_keep_the_bound) {
    float x[] = {0.3f, -0.7f}, y[] = {INFINITY, -INFINITY};
    MgValueId v[] = {input(0, MG_F32, 2, x), input(1, MG_F32, 2, y)};
    const MgSx *third = prim(MG_PRIM_MUL, MG_F32, read1(0, idx(0)), mg_sx_double(m, MG_F32, 0.3));
    const MgSx *left = prim(MG_PRIM_REM, MG_F32, inexact(third), read1(1, idx(0)));
    output(equation(0, v, 2, MG_F32, num(2), map_piece(2, left), idx(0)));
    ck_assert(run());
    ck_assert(out[0].bound[0] > 0x1p-30 && out[0].bound[1] > 0x1p-30);
    ck_assert(!out[0].exempt[0] && !out[0].exempt[1]);
}
END_TEST

START_TEST(jumps_of_what_is_not_exact_are_exempt_within_the_bound) {
    float x[] = {0.1f, 0.25f, 3};
    MgValueId v = input(0, MG_F32, 3, x);
    const MgSx *ten = prim(MG_PRIM_MUL, MG_F32, read1(0, idx(0)), mg_sx_double(m, MG_F32, 10));
    output(equation(0, &v, 1, MG_F32, num(3),
                    map_piece(3, prim(MG_PRIM_FLOOR, MG_F32, inexact(ten), NULL)), idx(0)));
    output(equation(0, &v, 1, MG_F32, num(3), map_piece(3, prim(MG_PRIM_FLOOR, MG_F32, ten, NULL)),
                    idx(0)));
    expect_f32((float[]){1, 2, 30}, 3);
    ck_assert_mem_eq(out[0].exempt, ((uint8_t[]){1, 0, 1}), 3);
    ck_assert_mem_eq(out[1].exempt, ((uint8_t[]){0, 0, 0}), 3);
    MgComparison c = mg_interp_compare(&out[0], (float[]){0, 2, 29});
    ck_assert(c.ok && c.n_exempt == 2);
    c = mg_interp_compare(&out[0], (float[]){0, 2.1f, 29});
    ck_assert(!c.ok && c.first_bad == 1);
}
END_TEST

START_TEST(half_precision_rounds_once) {
    float x[] = {1.0004883f, 70000, 1};
    MgValueId v = input(0, MG_F32, 3, x);
    output(equation(0, &v, 1, MG_F16, num(3), map_piece(3, read1(0, idx(0))), idx(0)));
    ck_assert(run());
    uint16_t *h = out[0].data;
    ck_assert_uint_eq(h[0], 0x3c00);
    ck_assert_uint_eq(h[1], 0x7c00);
    ck_assert(out[0].bound[0] > 0 && out[0].bound[2] == 0);
}
END_TEST

// ---------------------------------------------------------------- regions
START_TEST(loops_carry_and_emit) {
    float x[] = {1, 1};
    MgValueId v = input(0, MG_F32, 2, x);
    MgIx two = num(2), stacked[] = {num(3), two};
    MgOpId op = mg_op_new(g, 0, MG_OP_LOOP, &v, 1, MG_NONE);
    MgLoop *loop = MG_NEW(m->arena, MgLoop);
    *loop =
        (MgLoop){.counted = true, .low = num(1), .high = num(4), .n_carried = 1, .n_emitted = 1};
    loop->counter = mg_ix_dim(m->ix, sym("t"), 0, MG_IX_INF);
    MgRegionId body = mg_region_new(g, op);
    MgValueId carried = mg_region_param_new(g, body, sym("c"), MG_F32, 1, &two, MG_NONE);
    const MgSx *t = mg_sx_ix(m, MG_F32, mg_ix_sym(m->ix, loop->counter));
    MgValueId next = equation(body, &carried, 1, MG_F32, two,
                              map_piece(2, prim(MG_PRIM_MUL, MG_F32, read1(0, idx(0)), t)), idx(0));
    MgValueId yields[] = {next, carried};
    mg_op_new(g, body, MG_OP_YIELD, yields, 2, MG_NONE);
    mg_op(g, op)->loop = loop;
    mg_op(g, op)->regions = mg_arena_copy(m->arena, &body, 1, sizeof body);
    mg_op(g, op)->n_regions = 1;
    output(mg_op_result(g, op, sym("last"), MG_F32, 1, &two));
    output(mg_op_result(g, op, sym("all"), MG_F32, 2, stacked));
    expect_f32((float[]){6, 6}, 2);
    ck_assert_uint_eq(out[1].n, 6);
    ck_assert_mem_eq(out[1].data, ((float[]){1, 1, 1, 1, 2, 2}), 24);
}
END_TEST

// ---------------------------------------------------------------- limits
START_TEST(steps_are_bounded) {
    float x[200] = {0};
    MgValueId v = input(0, MG_F32, 200, x);
    output(equation(0, &v, 1, MG_F32, num(200), map_piece(200, read1(0, idx(0))), idx(0)));
    MgInterpOptions options = {.max_steps = 100};
    ck_assert(!mg_interp(g, in, out, &options, session->arena));
    ck_assert_int_eq(session->diags.at[0].id, MG_D_interp_steps);
    options.max_steps = 1000;
    ck_assert(mg_interp(g, in, out, &options, session->arena));
    ck_assert_ptr_null(out[0].bound);
}
END_TEST

// ---------------------------------------------------------------- builtins
START_TEST(argsort_is_stable_with_nan_last) {
    float x[] = {2, NAN, 1, 2, -INFINITY};
    int64_t order[5];
    mg_argsort(MG_F32, x, 1, 5, 1, false, order, session->arena);
    ck_assert_mem_eq(order, ((int64_t[]){4, 2, 0, 3, 1}), sizeof order);
    mg_argsort(MG_F32, x, 1, 5, 1, true, order, session->arena);
    ck_assert_mem_eq(order, ((int64_t[]){0, 3, 2, 4, 1}), sizeof order);
    uint64_t u[] = {1, UINT64_MAX, 0, 7}; // two lanes of two along the first axis
    mg_argsort(MG_U64, u, 1, 2, 2, false, order, session->arena);
    ck_assert_mem_eq(order, ((int64_t[]){1, 1, 0, 0}), 4 * sizeof *order);
}
END_TEST

START_TEST(philox_known_answers) {
    uint32_t out4[4], zero[4] = {0}, ones[4] = {~0u, ~0u, ~0u, ~0u};
    mg_philox(zero, zero, out4);
    ck_assert_mem_eq(out4, ((uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}), 16);
    mg_philox(ones, ones, out4);
    ck_assert_mem_eq(out4, ((uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}), 16);
    ck_assert_uint_eq(mg_random_bits(0, 0), 0x6627e8d5);
    for (uint64_t i = 0; i < 4; i++) { // four elements have the words of one counter
        float u = (float)((uint32_t[]){0x6627e8, 0xe169c5, 0xbc57ac, 0x9b00db}[i]) * 0x1p-24f;
        ck_assert(mg_random_keeps(u, 0, i, true) && !mg_random_keeps(nextafterf(u, 1), 0, i, true));
    }
    uint32_t next[4] = {1};
    mg_philox(next, zero, out4);
    ck_assert(mg_random_keeps((float)(out4[2] >> 8) * 0x1p-24f, 0, 6, true));
    ck_assert(mg_random_keeps((float)(out4[0] >> 8) * 0x1p-24f, 0, 1, false));
}
END_TEST

START_TEST(non_max_suppression_drops_overlaps) {
    float boxes[] = {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 0, 10, 1, 11}, scores[] = {0.9f, 0.75f, 0.6f};
    MgNms nms = {boxes, scores, 1, 1, 3, 3, 0.5, 0, false};
    int64_t rows[9];
    ck_assert_uint_eq(mg_non_max_suppression(&nms, rows, session->arena), 2);
    ck_assert_mem_eq(rows, ((int64_t[]){0, 0, 0, 0, 0, 2}), 6 * sizeof *rows);
    nms.score = 0.7;
    ck_assert_uint_eq(mg_non_max_suppression(&nms, rows, session->arena), 1);
}
END_TEST

MG_TEST_MAIN_WITH("interp", setup, teardown, f32_rounds_after_each_operation,
                  windows_read_their_else, prefix_ranges_and_empty_reductions,
                  means_whose_sums_overflow_are_exempt,
                  weighted_sums_that_overflow_undivided_are_exempt,
                  argmax_ties_go_first_and_near_ties_are_exempt, argmax_of_nothing_is_an_error,
                  scatter_adds_to_its_base_and_drops_outside, scatter_keeps_the_last,
                  checked_writes_trap, checked_reads_trap, pieces_cover_and_do_not_overlap,
                  integers_wrap_and_casts_saturate,
                  jumps_of_what_is_not_exact_are_exempt_within_the_bound,
                  remainders_of_infinity_keep_the_bound, half_precision_rounds_once,
                  loops_carry_and_emit, steps_are_bounded, argsort_is_stable_with_nan_last,
                  philox_known_answers, non_max_suppression_drops_overlaps)
