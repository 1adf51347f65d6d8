// Tests the builder of graph IR and its scalar expressions.
#include "ir/graph.h"

#include "tests/unit/check.h"

static MgSession *session;
static MgModule *module;
static MgGraph *g;
static MgIx shape[1];

static void setup(void) {
    session = mg_session_new(0);
    module = mg_module_new(session, mg_sym(session->names, "test.mg"));
    g = mg_graph_new(module, mg_sym(session->names, "main"));
    shape[0] = mg_ix_const(module->ix, 4);
}

static void teardown(void) {
    mg_session_free(session);
}

static MgSym sym(const char *name) {
    return mg_sym(session->names, name);
}

// y = x + 1, appended to the body.
static MgOpId increment(MgValueId x) {
    MgOpId op = mg_op_new(g, 0, MG_OP_EQUATION, &x, 1, MG_NONE);
    mg_op_result(g, op, sym("y"), MG_F32, 1, shape);
    return op;
}

START_TEST(names_are_unique) {
    MgValueId x = mg_input_new(g, sym("x"), MG_F32, 1, shape, MG_NONE);
    MgOpId a = increment(x), b = increment(x), c = increment(x);
    ck_assert_str_eq(mg_name(session->names, mg_value(g, mg_op(g, a)->results[0])->name), "y");
    ck_assert_str_eq(mg_name(session->names, mg_value(g, mg_op(g, b)->results[0])->name), "y_2");
    ck_assert_str_eq(mg_name(session->names, mg_value(g, mg_op(g, c)->results[0])->name), "y_3");
    ck_assert_uint_eq(mg_map_get(&g->value_names, sym("y_2"), 0), mg_op(g, b)->results[0]);
    ck_assert_ptr_eq(mg_graph_find(module, sym("main")), g);
    ck_assert_ptr_null(mg_graph_find(module, sym("other")));
}
END_TEST

START_TEST(ops_move_and_uses_follow) {
    MgValueId x = mg_input_new(g, sym("x"), MG_F32, 1, shape, MG_NONE);
    MgOpId a = increment(x), b = increment(mg_op(g, a)->results[0]);
    MgValueId ya = mg_op(g, a)->results[0], yb = mg_op(g, b)->results[0];
    mg_push(module->arena, &g->outputs, (MgPort){.value = yb, .name = sym("y"), .aliases = -1});
    MgOpId between = mg_op_new_before(g, b, MG_OP_EQUATION, &ya, 1, MG_NONE);
    MgValueId yc = mg_op_result(g, between, sym("z"), MG_F32, 1, shape);
    ck_assert_uint_eq(mg_region(g, 0)->ops.at[1], between);
    uint32_t *uses = mg_use_counts(g, session->arena);
    ck_assert_uint_eq(uses[ya], 2);
    ck_assert_uint_eq(uses[yb], 1);
    ck_assert_uint_eq(uses[yc], 0);
    mg_op(g, b)->operands[0] = yc;
    mg_replace_uses(g, yb, yc);
    ck_assert_uint_eq(g->outputs.at[0].value, yc);
    mg_op_erase(g, b);
    mg_graph_compact(g);
    ck_assert_uint_eq(mg_region(g, 0)->ops.len, 2);
    MgOpId fused = mg_op_new(g, 0, MG_OP_FUSED, NULL, 0, MG_NONE);
    MgRegionId body = mg_region_new(g, fused);
    mg_op_move_to_end(g, between, body);
    ck_assert_uint_eq(mg_region(g, 0)->ops.len, 2);
    ck_assert_uint_eq(mg_region(g, body)->ops.at[0], between);
    mg_op_erase(g, fused);
    ck_assert_int_eq(mg_op(g, between)->kind, MG_OP_ERASED);
}
END_TEST

static void count_nodes(void *ctx, const MgSx *x) {
    (void)x;
    ++*(int *)ctx;
}

static const MgSx *zero_constants(void *ctx, const MgSx *x) {
    (void)ctx;
    return x->kind == MG_SX_CONST ? mg_sx_int(module, x->dtype, 0) : x;
}

START_TEST(expressions_compare_and_rewrite) {
    const MgSx *both[2];
    for (int i = 0; i < 2; i++) {
        const MgSx *sub = mg_sx_ix(module, MG_I64, mg_ix_idx(module->ix, 0));
        const MgSx *read =
            mg_sx_read(module, 0, MG_F32, &sub, 1, MG_BOUNDS_ELSE, mg_sx_double(module, MG_F32, 2));
        const MgSx *args[] = {read, mg_sx_double(module, MG_F32, 1)};
        both[i] = mg_sx_prim(module, MG_PRIM_ADD, MG_F32, args, 2);
    }
    ck_assert(mg_sx_equal(both[0], both[1]));
    ck_assert_uint_eq(mg_sx_hash(both[0]), mg_sx_hash(both[1]));
    int n = 0;
    mg_sx_walk(both[0], count_nodes, &n);
    ck_assert_int_eq(n, 5);
    const MgSx *zeroed = mg_sx_rewrite(module, both[0], zero_constants, NULL);
    ck_assert(!mg_sx_equal(zeroed, both[0]));
    ck_assert_uint_eq(zeroed->args[0]->otherwise->bits, 0);
    ck_assert_uint_eq(both[0]->args[1]->bits, 0x3f800000);
    MgIx with = mg_ix_const(module->ix, 3);
    const MgSx *at3 = mg_sx_subst_indices(module, both[0], &with, 1);
    ck_assert_uint_eq(at3->args[0]->args[0]->ix, with);
}
END_TEST

MG_TEST_MAIN_WITH("graph", setup, teardown, names_are_unique, ops_move_and_uses_follow,
                  expressions_compare_and_rewrite)
