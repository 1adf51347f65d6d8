// Tests kernel IR: folding, text, identity, the verifier, legalisation against the interpreter, and
// the interpreter's own checks of bounds, races and unwritten memory.
#include "ir/kernel.h"

#include "tests/unit/check.h"
#include <math.h>
#include <stdlib.h>

static MgSession *session;
static MgKernel *k;

static void setup(void) {
    session = mg_session_new(0);
    k = mg_kernel_new(session->arena, session->names, mg_sym(session->names, "test"));
}

static void teardown(void) {
    mg_session_free(session);
}

static const char *text_of(const MgKernel *kernel) {
    MgText out = mg_text(session->arena);
    mg_kernel_print(kernel, &out);
    return mg_text_str(&out);
}

static const char *errors(void) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    return mg_text_str(&out);
}

static void assert_error(const char *part) {
    ck_assert_msg(strstr(errors(), part) != NULL, "'%s' is not in: %s", part, errors());
}

static const MgKx *num(int64_t v) {
    return mg_kint(k, v);
}

static const MgKx *prim(MgPrim p, const MgKx *a, const MgKx *b) {
    return mg_kprim(k, p, a, b, NULL);
}

static void legalise(void) {
    mg_kernel_legalise(k, &(MgLegaliseOptions){.f16 = false});
    ck_assert_msg(mg_kernel_verify(session, k), "%s", errors());
}

// y[i] = 2 x[i] over vectors
static MgKernel *scale(const char *name, const char *variable, double factor) {
    MgKernel *s = mg_kernel_new(session->arena, session->names, mg_sym(session->names, name));
    MgKBufId x = mg_kparam(s, "x", MG_F32, true, false), y = mg_kparam(s, "y", MG_F32, false, true);
    const MgKx *n = mg_kvar(s, mg_kscalar(s, "n"));
    MgKs *loop = mg_kfor(s, &s->body, MG_LOOP_PARALLEL, variable, mg_kint(s, 0), n, 8);
    const MgKx *i = mg_kvar(s, loop->var);
    const MgKx *index = mg_kramp(s, i, mg_kint(s, 1), 8);
    const MgKx *mask = mg_kprim(s, MG_PRIM_LT, index, n, NULL);
    const MgKx *v = mg_kload(s, x, index, 8, mask, NULL);
    mg_kstore(s, &loop->body, y, index, mg_kmul(s, v, mg_kfloat(s, v->type, factor)), mask);
    return s;
}

START_TEST(integers_fold_and_gather_constants) {
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n"));
    ck_assert_ptr_eq(mg_kadd(k, n, num(0)), n);
    ck_assert_ptr_eq(mg_kmul(k, num(1), n), n);
    ck_assert_int_eq((int64_t)mg_kmul(k, n, num(0))->bits, 0);
    const MgKx *x = mg_kmul(k, mg_kadd(k, mg_kadd(k, n, num(2)), num(3)), num(4)); // 4 n + 20
    ck_assert_int_eq(x->prim, MG_PRIM_ADD);
    ck_assert_int_eq((int64_t)x->args[1]->bits, 20);
    const MgKx *ramp = mg_kmul(k, mg_kadd(k, mg_kramp(k, n, num(1), 4), num(7)), num(3));
    ck_assert_int_eq(ramp->kind, MG_KX_RAMP);
    ck_assert_int_eq((int64_t)ramp->args[1]->bits, 3);
    ck_assert_int_eq(prim(MG_PRIM_SUB, n, n)->kind, MG_KX_CONST);
}
END_TEST

START_TEST(floats_fold_only_what_is_exact) {
    MgKBufId b = mg_kparam(k, "x", MG_F32, true, false);
    const MgKx *x = mg_kload(k, b, num(0), 1, NULL, NULL);
    MgKType f = mg_kt(MG_F32, 1);
    ck_assert_ptr_eq(mg_kmul(k, x, mg_kfloat(k, f, 1)), x);
    ck_assert_ptr_eq(mg_kadd(k, x, mg_kfloat(k, f, -0.0)), x);
    ck_assert_ptr_ne(mg_kadd(k, x, mg_kfloat(k, f, 0)), x); // -0 + 0 = 0
    ck_assert_int_eq(mg_kmul(k, x, mg_kfloat(k, f, 0))->kind, MG_KX_PRIM);
    ck_assert_int_eq(prim(MG_PRIM_SUB, x, x)->kind, MG_KX_PRIM); // inf - inf
}
END_TEST

START_TEST(contiguous_and_equal_lanes_are_recognised) {
    MgKBufId b = mg_kparam(k, "x", MG_F32, true, false);
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n"));
    const MgKx *x = mg_kload(k, b, mg_kramp(k, n, num(1), 4), 4, NULL, NULL);
    ck_assert_int_eq(x->args[0]->type.lanes, 1);
    x = mg_kload(k, b, mg_ksplat(k, n, 4), 4, NULL, NULL);
    ck_assert_int_eq(x->kind, MG_KX_SPLAT);
}
END_TEST

// Lanes, and scalars, divided by a constant: they are folded if low bits show that no lane leaves
// the first one's quotient. The stored values are compared with arithmetic; returns whether a
// division of lanes remains.
static bool over(int64_t step, int64_t times, int64_t plus, int64_t stride, int64_t c) {
    enum { LANES = 8, FROM = -96, TO = 96, MOST = TO - FROM };
    static int64_t q[MOST * LANES], r[MOST * LANES];
    teardown();
    setup(); // a kernel of its own
    MgKBufId to_q = mg_kparam(k, "q", MG_I64, false, true),
             to_r = mg_kparam(k, "r", MG_I64, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", num(FROM), num(TO), step);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *first =
        mg_klet_x(k, &loop->body, "x", mg_kadd(k, mg_kmul(k, i, num(times)), num(plus & ~3)));
    const MgKx *x = mg_kramp(k, mg_kadd(k, first, num(plus & 3)), num(stride), LANES);
    const MgKx *quotient = prim(MG_PRIM_FDIV, x, num(c)), *rest = prim(MG_PRIM_FMOD, x, num(c));
    const MgKx *at = mg_kmul(k, mg_kadd(k, i, num(-FROM)), num(LANES));
    mg_kstore(k, &loop->body, to_q, mg_kramp(k, at, num(1), LANES), quotient, NULL);
    mg_kstore(k, &loop->body, to_r, mg_kramp(k, at, num(1), LANES), rest, NULL);
    MgKBufferArg args[2] = {{q, sizeof q}, {r, sizeof r}};
    ck_assert_msg(mg_kernel_interp(session, k, args, NULL, 1, NULL), "%s", errors());
    for (int64_t n = FROM; n < TO; n += step)
        for (int64_t lane = 0; lane < LANES; lane++) {
            int64_t value = n * times + plus + lane * stride, place = (n - FROM) * LANES + lane;
            int64_t below = (value % c + c) % c;
            ck_assert_int_eq(q[place], (value - below) / c);
            ck_assert_int_eq(r[place], below);
        }
    return quotient->kind == MG_KX_PRIM && quotient->type.lanes > 1;
}

START_TEST(lanes_share_a_quotient) {
    uint32_t random = 1, left = 0, folded = 0;
    for (int n = 0; n < 400; n++) {
        int64_t of[5];
        for (int j = 0; j < 5; j++) {
            random = random * 1664525 + 1013904223;
            of[j] = random >> 16 & 63;
        }
        if (over(1 << (of[0] & 3), (of[1] & 7) << (of[2] & 3), of[2], of[3] & 3, of[4] * 2 + 2))
            left++;
        else
            folded++;
    }
    ck_assert(left > 50 && folded > 50);
    ck_assert(!over(16, 1, 0, 1, 48)); // 8 lanes from a multiple of 16
    ck_assert(!over(16, 1, 8, 1, 16));
    ck_assert(over(16, 1, 9, 1, 16)); // the last one is the next multiple
    ck_assert(over(16, 1, 0, 1, 12));
    ck_assert(over(1, 1, 0, 1, 16));
}
END_TEST

START_TEST(prints) {
    ck_assert_str_eq(text_of(scale("scale", "i", 2)),
                     "kernel scale(x: in f32[], y: out f32[]; n: i64) {\n"
                     "  parallel i in 0..n step 8 {\n"
                     "    _1 = ramp<8>(i, 1) < splat<8>(n)\n"
                     "    y[i]<8> = x[i]<8>{_1 else 0.0<8>} * 2.0<8> if _1\n"
                     "  }\n"
                     "}\n");
}
END_TEST

// y[i] = a table's entry at x[i], with 4 lanes.
static const MgKx *look_up(MgKernel *s, const double *table) {
    MgKBufId x = mg_kparam(s, "x", MG_U32, true, false);
    MgKBufId y = mg_kparam(s, "y", MG_F32, false, true);
    const MgKx *index = mg_kload(s, x, num(0), 4, NULL, NULL);
    const MgKx *found = mg_klookup(s, MG_F32, table, 2, index);
    mg_kstore(s, &s->body, y, num(0), found, NULL);
    return found;
}

START_TEST(tables_are_looked_up_modulo_their_size) {
    static const double table[2] = {0.5, -3}, other[2] = {0.5, 3};
    static uint32_t data[4] = {0, 1, 4, UINT32_MAX};
    float got[4], want[4] = {0.5f, -3, 0.5f, -3};
    ck_assert_int_eq(mg_klookup(k, MG_F32, table, 2, mg_kconst(k, mg_kt(MG_U32, 1), 7))->kind,
                     MG_KX_CONST);
    look_up(k, table);
    ck_assert_ptr_nonnull(strstr(text_of(k), "lookup<4>[0.5, -3.0](x[0]<4>)"));
    MgKBufferArg args[2] = {{data, sizeof data}, {got, sizeof got}};
    ck_assert(mg_kernel_verify(session, k));
    ck_assert(mg_kernel_interp(session, k, args, NULL, 1, NULL));
    ck_assert_mem_eq(got, want, sizeof got);
    MgKernel *same = mg_kernel_new(session->arena, session->names, 0);
    MgKernel *differs = mg_kernel_new(session->arena, session->names, 0);
    look_up(same, table);
    look_up(differs, other);
    ck_assert(mg_kernel_equal(k, same));
    ck_assert(!mg_kernel_equal(k, differs));
}
END_TEST

START_TEST(identity_is_that_of_the_computation) {
    MgKernel *a = scale("a", "i", 2), *b = scale("b", "j", 2), *c = scale("a", "i", 3);
    ck_assert(mg_kernel_equal(a, b));
    ck_assert_uint_eq(mg_kernel_hash(a), mg_kernel_hash(b));
    ck_assert(!mg_kernel_equal(a, c));
    ck_assert_uint_ne(mg_kernel_hash(a), mg_kernel_hash(c));
    MgKernel *stores[2];
    for (uint32_t i = 0; i < 2; i++) {
        MgKernel *s = stores[i] = mg_kernel_new(session->arena, session->names, 0);
        MgKBufId y = mg_kparam(s, "y", MG_F32, false, true);
        mg_kstore(s, &s->body, y, num(0), mg_kfloat(s, mg_kt(MG_F32, 1), 1), NULL)->later = i;
    }
    ck_assert(!mg_kernel_equal(stores[0], stores[1]));
}
END_TEST

START_TEST(verifier_finds_types_and_scopes) {
    MgKBufId y = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", num(0), num(4), 1);
    MgKVarId inner = mg_klet(k, &loop->body, "inner", num(3));
    mg_kstore(k, &k->body, y, mg_kvar(k, inner), mg_kfloat(k, mg_kt(MG_F64, 1), 1), NULL);
    ck_assert(!mg_kernel_verify(session, k));
    assert_error("inner is used outside its block");
    assert_error("y has elements f32, accessed as f64");
}
END_TEST

START_TEST(verifier_finds_bounds_and_races) {
    MgKBufId y = mg_kparam(k, "y", MG_F32, false, true);
    MgKBufId t = mg_kalloc(k, "t", mg_kt(MG_F32, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(8));
    const MgKx *one = mg_kfloat(k, mg_kt(MG_F32, 1), 1), *n = mg_kvar(k, mg_kscalar(k, "n"));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", num(0), num(3), 1);
    const MgKx *i = mg_kvar(k, loop->var);
    mg_kstore(k, &loop->body, t, mg_kadd(k, mg_kmul(k, i, num(3)), num(1)), one, NULL); // 1, 4, 7
    ck_assert_msg(mg_kernel_verify(session, k), "%s", errors());
    mg_kstore(k, &loop->body, t, mg_kadd(k, mg_kmul(k, i, num(3)), num(2)), one, NULL); // to 8
    loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "p", num(0), n, 1);
    mg_kstore(k, &loop->body, y, num(0), one, NULL);
    ck_assert(!mg_kernel_verify(session, k));
    assert_error("elements 2 to 8 of t are accessed, which has 8");
    assert_error("every iteration of a parallel loop stores to one element of y");
}
END_TEST

START_TEST(shared_nodes_are_named) {
    MgKBufId y = mg_kparam(k, "y", MG_F32, true, true);
    const MgKx *x = mg_kload(k, y, num(0), 1, NULL, NULL);
    for (int i = 0; i < 200; i++) // a tree of 2^200 nodes
        x = mg_kadd(k, x, x);
    mg_kstore(k, &k->body, y, num(1), x, NULL);
    legalise();
    ck_assert_uint_eq(k->body.list.len, 201);
}
END_TEST

// ---------------------------------------------------------------- legalisation

static const double values[] = {
    0,     -0.0,  1,     -1,   2,     -3,   7,        8,         -8,        31,
    32,    63,    64,    127,  128,   -128, -129,     255,       256,       32767,
    65504, 65519, 65520, 1e5,  -1e10, 1e19, 2e19,     0x1p-24,   0x1p-25,   0x1.8p-25,
    1e-40, 0.5,   2.5,   -3.5, 1e300, NAN,  INFINITY, -INFINITY, 0x1.002p0, 1.00390625};
enum { N = sizeof values / sizeof *values, LANES = 4 };

// Runs k, as built and legalised, on pairs of the values; the results must agree bit by bit.
static void compare(MgDType from, MgDType to, const char *what) {
    enum { COUNT = N * N };
    MgBits a[COUNT], b[COUNT], before[COUNT], after[COUNT];
    unsigned char *x = (unsigned char *)a, *z = (unsigned char *)b;
    size_t size = mg_dtype_size(from), out = mg_dtype_size(to);
    for (size_t i = 0; i < COUNT; i++) {
        MgBits u = mg_bits_from_double(from, values[i / N]),
               v = mg_bits_from_double(from, values[i % N]);
        if (mg_is_int(from) && i % N == 1) // lowest / -1
            u = mg_lowest(from), v = mg_bits_from_int(from, -1);
        memcpy(x + i * size, &u, size);
        memcpy(z + i * size, &v, size);
    }
    MgKBufferArg args[3] = {{x, COUNT * size}, {z, COUNT * size}, {before, COUNT * out}};
    ck_assert_msg(mg_kernel_interp(session, k, args, NULL, 1, NULL), "%s", errors());
    legalise();
    args[2].data = after;
    ck_assert_msg(mg_kernel_interp(session, k, args, NULL, 1, NULL), "%s", errors());
    for (size_t i = 0; i < COUNT; i++) {
        MgBits p = 0, q = 0;
        memcpy(&p, (unsigned char *)before + i * out, out);
        memcpy(&q, (unsigned char *)after + i * out, out);
        bool nans =
            mg_is_float(to) && isnan(mg_bits_to_double(to, p)) && isnan(mg_bits_to_double(to, q));
        ck_assert_msg(p == q || nans, "%s %s to %s of %g, %g: %llx, legalised %llx", what,
                      mg_dtype(from)->name, mg_dtype(to)->name, values[i / N], values[i % N],
                      (unsigned long long)p, (unsigned long long)q);
    }
}

static void build(MgPrim p, MgDType from, MgDType to) {
    setup();
    MgKBufId x = mg_kparam(k, "x", from, true, false), z = mg_kparam(k, "z", from, true, false);
    MgKBufId y = mg_kparam(k, "y", to, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", num(0), num(N * N), LANES);
    const MgKx *i = mg_kvar(k, loop->var), *a = mg_kload(k, x, i, LANES, NULL, NULL), *r;
    if (mg_prim(p)->result == MG_RESULT_CONVERT)
        r = mg_kcast(k, p, to, a);
    else
        r = mg_kprim(k, p, a, mg_kload(k, z, i, LANES, NULL, NULL), NULL);
    mg_kstore(k, &loop->body, y, i, r, NULL);
    compare(from, to, mg_prim(p)->name);
    teardown();
}

START_TEST(casts_keep_their_meaning) {
    teardown();
    for (int from = 0; from < MG_DTYPE_COUNT; from++)
        for (int to = 0; to < MG_DTYPE_COUNT; to++) {
            build(MG_PRIM_CAST, (MgDType)from, (MgDType)to);
            if (mg_is_int((MgDType)to) && from != MG_BOOL)
                build(MG_PRIM_SATURATE, (MgDType)from, (MgDType)to);
        }
    setup();
}
END_TEST

START_TEST(integers_keep_their_meaning) {
    static const MgPrim prims[] = {MG_PRIM_DIV, MG_PRIM_REM, MG_PRIM_FDIV, MG_PRIM_FMOD,
                                   MG_PRIM_SHL, MG_PRIM_SHR, MG_PRIM_SIGN, MG_PRIM_ABS,
                                   MG_PRIM_MIN, MG_PRIM_NOT};
    teardown();
    for (int d = MG_I64; d <= MG_U8; d++)
        for (size_t p = 0; p < sizeof prims / sizeof *prims; p++)
            build(prims[p], (MgDType)d, (MgDType)d);
    setup();
}
END_TEST

START_TEST(floats_keep_their_meaning) {
    static const MgPrim prims[] = {MG_PRIM_SIGN, MG_PRIM_MAX, MG_PRIM_MIN, MG_PRIM_REM,
                                   MG_PRIM_ROUND};
    teardown();
    for (size_t p = 0; p < sizeof prims / sizeof *prims; p++)
        build(prims[p], MG_F32, MG_F32);
    setup();
}
END_TEST

START_TEST(folds_keep_their_order) {
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    for (uint32_t lanes = 1; lanes <= 16; lanes++)
        mg_kstore(k, &k->body, y, num(lanes),
                  mg_kfold(k, MG_PRIM_ADD, mg_kload(k, x, num(0), lanes, NULL, NULL)), NULL);
    float in[16], before[17], after[17];
    for (int i = 0; i < 16; i++)
        in[i] = (float)exp(i * 1.7);
    MgKBufferArg args[2] = {{in, sizeof in}, {before, sizeof before}};
    ck_assert(mg_kernel_interp(session, k, args, NULL, 1, NULL));
    legalise();
    args[1].data = after;
    ck_assert(mg_kernel_interp(session, k, args, NULL, 1, NULL));
    ck_assert_mem_eq(before + 1, after + 1, 16 * sizeof(float));
}
END_TEST

START_TEST(while_with_shared_condition) { // doubles y[0] while y[0]^2 + y[0]^2 < 100
    MgKBufId y = mg_kparam(k, "y", MG_F32, true, true);
    const MgKx *v = mg_kload(k, y, num(0), 1, NULL, NULL), *s = mg_kmul(k, v, v);
    MgKs *loop = mg_kwhile(k, &k->body,
                           prim(MG_PRIM_LT, mg_kadd(k, s, s), mg_kfloat(k, mg_kt(MG_F32, 1), 100)));
    mg_kstore(k, &loop->body, y, num(0), mg_kadd(k, v, v), NULL);
    legalise();
    float data = 1;
    ck_assert(mg_kernel_interp(session, k, &(MgKBufferArg){&data, sizeof data}, NULL, 1, NULL));
    ck_assert_float_eq(data, 8);
}
END_TEST

// ---------------------------------------------------------------- the interpreter

START_TEST(masks_keep_the_remainder) {
    k = scale("scale", "i", 2);
    float x[11], y[11];
    for (int i = 0; i < 11; i++)
        x[i] = (float)i;
    int64_t n = 11;
    MgKBufferArg args[2] = {{x, sizeof x}, {y, sizeof y}};
    for (uint32_t workers = 1; workers < 4; workers++) {
        memset(y, 0, sizeof y);
        ck_assert_msg(mg_kernel_interp(session, k, args, &n, workers, NULL), "%s", errors());
        for (int i = 0; i < 11; i++)
            ck_assert_float_eq(y[i], (float)(2 * i));
    }
    n = 12; // one more than there are
    ck_assert(!mg_kernel_interp(session, k, args, &n, 1, NULL));
    assert_error("element 11 of x, which has 11");
}
END_TEST

// Each worker writes its number to its place of scratch and reads its neighbour's.
static void neighbours(bool barrier) {
    MgKBufId y = mg_kparam(k, "y", MG_I64, false, true);
    const MgKx *w = mg_kspecial(k, MG_KX_WORKER), *n = mg_kspecial(k, MG_KX_WORKERS);
    MgKBufId t = mg_kalloc(k, "t", mg_kt(MG_I64, 1), MG_SPACE_GLOBAL, MG_SCOPE_CALL, num(4));
    mg_kstore(k, &k->body, t, w, w, NULL);
    if (barrier)
        mg_kbarrier(k, &k->body, MG_BARRIER_GRID);
    const MgKx *next = prim(MG_PRIM_FMOD, mg_kadd(k, w, num(1)), n);
    mg_kstore(k, &k->body, y, w, mg_kload(k, t, next, 1, NULL, NULL), NULL);
}

START_TEST(barriers_order_workers) {
    int64_t y[4];
    neighbours(true);
    ck_assert(mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 4, NULL));
    ck_assert_int_eq(y[0], 1);
    ck_assert_int_eq(y[3], 0);
}
END_TEST

START_TEST(without_a_barrier_it_is_an_error) {
    int64_t y[4];
    neighbours(false);
    ck_assert(!mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 4, NULL));
    assert_error("element 1 of t is loaded, never stored");
}
END_TEST

START_TEST(races_and_barriers_not_reached_are_errors) {
    int64_t y[4];
    MgKBufferArg arg = {y, sizeof y};
    MgKBufId b = mg_kparam(k, "y", MG_I64, false, true);
    const MgKx *w = mg_kspecial(k, MG_KX_WORKER);
    MgKs *first = mg_kif(k, &k->body, prim(MG_PRIM_EQ, w, num(0)));
    mg_kbarrier(k, &first->body, MG_BARRIER_GRID);
    ck_assert(!mg_kernel_interp(session, k, &arg, NULL, 2, NULL));
    assert_error("1 of 2 workers reach a barrier over the grid");
    mg_kstore(k, &k->body, b, num(2), w, NULL);
    k->body.list.at[0] = k->body.list.at[1];
    k->body.list.len = 1;
    ck_assert(!mg_kernel_interp(session, k, &arg, NULL, 2, NULL));
    assert_error("two workers race for element 2 of y");
}
END_TEST

// Every item of each group writes its number to memory of the group, and reads its neighbour's.
static void items_meet(bool barrier, bool all) {
    k->items = 4;
    MgKBufId y = mg_kparam(k, "y", MG_I64, false, true);
    const MgKx *w = mg_kspecial(k, MG_KX_WORKER), *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    MgKBufId t = mg_kalloc(k, "t", mg_kt(MG_I64, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(4));
    MgKBufId own = mg_kalloc(k, "own", mg_kt(MG_I64, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(1));
    MgKs *each = mg_kfor(k, &k->body, MG_LOOP_ITEM, "i", num(0), num(4), 1);
    const MgKx *i = mg_kvar(k, each->var);
    mg_kstore(k, &each->body, t, i, mg_kadd(k, mg_kmul(k, w, num(10)), i), NULL);
    mg_kstore(k, &each->body, own, num(0), i, NULL);
    MgKBlock *meeting = all ? &k->body : &mg_kif(k, &k->body, prim(MG_PRIM_LT, me, num(2)))->body;
    if (barrier)
        mg_kbarrier(k, meeting, MG_BARRIER_GROUP);
    if (!all)
        return;
    const MgKx *next = prim(MG_PRIM_FMOD, mg_kadd(k, me, num(1)), num(4));
    const MgKx *mine = mg_kload(k, own, num(0), 1, NULL, NULL);
    mg_kstore(k, &k->body, y, mg_kadd(k, mg_kmul(k, w, num(4)), me),
              mg_kadd(k, mg_kload(k, t, next, 1, NULL, NULL), mg_kmul(k, mine, num(100))), NULL);
}

START_TEST(items_share_memory_of_their_group) {
    int64_t y[8];
    items_meet(true, true);
    ck_assert_msg(mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 2, NULL), "%s",
                  errors());
    ck_assert_int_eq(y[0], 1);
    ck_assert_int_eq(y[3], 300);
    ck_assert_int_eq(y[6], 213);
}
END_TEST

START_TEST(items_race_without_a_barrier) {
    int64_t y[8];
    items_meet(false, true);
    ck_assert(!mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 2, NULL));
    assert_error("element 1 of t is loaded, never stored");
    memset(&k->body, 0, sizeof k->body);
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID);
    mg_kstore(k, &k->body, 0, mg_kspecial(k, MG_KX_WORKER), me, NULL);
    ck_assert(!mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 2, NULL));
    assert_error("two workers race for element 0 of y");
}
END_TEST

START_TEST(items_part_at_a_barrier) {
    int64_t y[8];
    items_meet(true, false);
    ck_assert(!mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 2, NULL));
    assert_error("items 0 and 2 of a group meet at different places");
}
END_TEST

// 32 items multiply 16 rows by 8 columns, 8 deep; `apart`: each other columns than those beside it.
static void multiply(bool apart) {
    k->items = MG_TOGETHER;
    MgKBufId y = mg_kparam(k, "y", MG_F32, false, true);
    const MgKx *me = mg_kspecial(k, MG_KX_LOCAL_ID), *zero = mg_kfloat(k, mg_kt(MG_F32, 4), 0);
    MgKBufId t = mg_kalloc(k, "t", mg_kt(MG_F32, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(512));
    MgKBufId sums = mg_kalloc(k, "s", mg_kt(MG_F32, 4), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(1));
    MgKs *each = mg_kfor(k, &k->body, MG_LOOP_ITEM, "i", num(0), num(512), 1);
    const MgKx *i = mg_kvar(k, each->var);
    mg_kstore(k, &each->body, t, i, mg_kcast(k, MG_PRIM_CAST, MG_F32, i), NULL);
    mg_kstore(k, &k->body, sums, num(0), zero, NULL);
    mg_kbarrier(k, &k->body, MG_BARRIER_GROUP);
    // rows[r][d] = 8 r + d, columns[d][c] = 128 + 8 d + c
    MgKProduct product = {.atom = MG_ATOM_TF32,
                          .row_buf = t,
                          .column_buf = t,
                          .row_step = 8,
                          .row_deep = 1,
                          .column_step = 1,
                          .column_deep = 8,
                          .rows = 16,
                          .columns = 8,
                          .depth = 8};
    mg_kproduct(k, &k->body, sums, &product, num(0), apart ? mg_kadd(k, num(128), me) : num(128));
    mg_kstore(k, &k->body, y, mg_kmul(k, me, num(4)), mg_kload(k, sums, num(0), 4, NULL, NULL),
              NULL);
}

START_TEST(items_multiply_together) {
    float y[128];
    multiply(false);
    ck_assert_msg(mg_kernel_verify(session, k), "%s", errors());
    ck_assert_msg(mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 1, NULL), "%s",
                  errors());
    for (int item = 0; item < MG_TOGETHER; item++)
        for (int e = 0; e < 4; e++) {
            int row = item / 4 + e / 2 * 8, column = item % 4 * 2 + e % 2, sum = 0;
            for (int d = 0; d < 8; d++)
                sum += (8 * row + d) * (128 + 8 * d + column);
            ck_assert_int_eq((int)y[item * 4 + e], sum);
        }
}
END_TEST

START_TEST(items_multiply_apart) {
    float y[128];
    multiply(true);
    ck_assert(!mg_kernel_interp(session, k, &(MgKBufferArg){y, sizeof y}, NULL, 1, NULL));
    assert_error("item 1 computes another product than its neighbours");
}
END_TEST

START_TEST(verifier_finds_products_of_wrong_sizes) {
    multiply(false);
    k->items = 48;
    ck_assert(!mg_kernel_verify(session, k));
    assert_error("a product of 16 x 8, 8 deep, by 48 items");
}
END_TEST

START_TEST(traps_are_recorded) {
    MgKs *branch =
        mg_kif(k, &k->body, mg_kprim(k, MG_PRIM_GT, mg_kvar(k, mg_kscalar(k, "n")), num(2), NULL));
    mg_ktrap(k, &branch->body, 7, NULL);
    uint32_t trap;
    int64_t n = 2;
    ck_assert(mg_kernel_interp(session, k, NULL, &n, 1, &trap) && trap == 0);
    n = 3;
    ck_assert(mg_kernel_interp(session, k, NULL, &n, 1, &trap) && trap == 7);
}
END_TEST

MG_TEST_MAIN_WITH("kernel", setup, teardown, integers_fold_and_gather_constants,
                  floats_fold_only_what_is_exact, contiguous_and_equal_lanes_are_recognised,
                  lanes_share_a_quotient, prints, tables_are_looked_up_modulo_their_size,
                  identity_is_that_of_the_computation, verifier_finds_types_and_scopes,
                  verifier_finds_bounds_and_races, shared_nodes_are_named, casts_keep_their_meaning,
                  integers_keep_their_meaning, floats_keep_their_meaning, folds_keep_their_order,
                  while_with_shared_condition, masks_keep_the_remainder, barriers_order_workers,
                  without_a_barrier_it_is_an_error, races_and_barriers_not_reached_are_errors,
                  items_share_memory_of_their_group, items_race_without_a_barrier,
                  items_part_at_a_barrier, items_multiply_together, items_multiply_apart,
                  verifier_finds_products_of_wrong_sizes, traps_are_recorded)
