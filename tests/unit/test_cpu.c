// Tests the CPU backend's code for statements (loops, masks, tiles, gathers, traps) and for plans
// (ticks, costs, the image's tables). The bytes must be the same every time.
#include "tests/unit/cpu_fixture.h"
#include <string.h>

// y = x + 1 over n elements with a masked remainder; nothing past n is accessed.
START_TEST(elementwise_with_remainder) {
    enum { N = 37 };
    float x[64], y[64];
    for (int i = 0; i < 64; i++)
        x[i] = (float)i, y[i] = -7;
    MgKernel *k = mg_hand_kernel(&c, "increment");
    MgKBufId in = mg_kparam(k, "x", MG_F32, true, false);
    MgKBufId out = mg_kparam(k, "y", MG_F32, false, true);
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n")), *one = mg_kfloat(k, mg_kt(MG_F32, 16), 1);
    k->bufs.at[in].noalias = k->bufs.at[out].noalias = true;
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), n, 16);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *mask =
        mg_kprim(k, MG_PRIM_LT, mg_kramp(k, i, mg_kint(k, 1), 16), mg_ksplat(k, n, 16), NULL);
    const MgKx *sum = add(k, mg_kload(k, in, i, 16, mask, NULL), one);
    mg_kstore(k, &loop->body, out, i, sum, mask);
    mg_hand_port(&c, x, MG_F32, 64);
    mg_hand_port(&c, y, MG_F32, 64);
    compile_call(k, (int64_t[]){N});
    for (uint32_t workers = 1; workers <= 2; workers++) {
        memset(y, 0, sizeof y);
        mg_hand_run(&c, threads, workers);
        for (int i = 0; i < 64; i++)
            ck_assert_float_eq(y[i], i < N ? x[i] + 1 : 0);
    }
}
END_TEST

START_TEST(sum_of_lanes) {
    enum { N = 96 };
    int32_t x[N], y[2];
    for (int i = 0; i < N; i++)
        x[i] = i * i - 1000;
    MgKernel *k = mg_hand_kernel(&c, "sum");
    MgKBufId in = mg_kparam(k, "x", MG_I32, true, false),
             out = mg_kparam(k, "y", MG_I32, false, true);
    MgKType v = mg_kt(MG_I32, 12); // no power of two
    MgKBufId acc = mg_kalloc(k, "acc", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, 2));
    const MgKx *zero = mg_kint(k, 0), *one = mg_kint(k, 1);
    mg_kstore(k, &k->body, acc, zero, mg_kconst(k, v, 0), NULL);
    mg_kstore(k, &k->body, acc, one, mg_kconst(k, v, mg_bits_from_int(MG_I32, INT32_MIN)), NULL);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", zero, mg_kint(k, N), 12);
    const MgKx *e = mg_kload(k, in, mg_kvar(k, loop->var), 12, NULL, NULL);
    mg_kstore(k, &loop->body, acc, zero, add(k, mg_kload(k, acc, zero, 12, NULL, NULL), e), NULL);
    mg_kstore(k, &loop->body, acc, one,
              mg_kprim(k, MG_PRIM_MAX, mg_kload(k, acc, one, 12, NULL, NULL), e, NULL), NULL);
    mg_kstore(k, &k->body, out, zero,
              mg_kfold(k, MG_PRIM_ADD, mg_kload(k, acc, zero, 12, NULL, NULL)), NULL);
    mg_kstore(k, &k->body, out, one,
              mg_kfold(k, MG_PRIM_MAX, mg_kload(k, acc, one, 12, NULL, NULL)), NULL);
    mg_hand_port(&c, x, MG_I32, N);
    mg_hand_port(&c, y, MG_I32, 2);
    compile_call(k, NULL);
    mg_hand_run(&c, NULL, 1);
    int32_t sum = 0, most = INT32_MIN;
    for (int i = 0; i < N; i++)
        sum += x[i], most = x[i] > most ? x[i] : most;
    ck_assert_int_eq(y[0], sum);
    ck_assert_int_eq(y[1], most);
}
END_TEST

// C = A * B with a private tile of 4 rows by 2 vectors of 16, unrolled.
static MgKernel *matmul(int64_t n, int64_t depth, int64_t rows, int64_t columns) {
    MgKernel *k = mg_hand_kernel(&c, "matmul");
    MgKType v = mg_kt(MG_F32, 16);
    MgKBufId a = mg_kparam(k, "a", MG_F32, true, false), b = mg_kparam(k, "b", MG_F32, true, false);
    MgKBufId out = mg_kparam(k, "c", MG_F32, false, true);
    k->bufs.at[a].noalias = k->bufs.at[b].noalias = k->bufs.at[out].noalias = true;
    MgKBufId tile =
        mg_kalloc(k, "tile", v, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, rows * columns));
    MgKs *io = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), mg_kint(k, n), rows);
    MgKs *jo =
        mg_kfor(k, &io->body, MG_LOOP_SERIAL, "j", mg_kint(k, 0), mg_kint(k, n), 16 * columns);
    const MgKx *i0 = mg_kvar(k, io->var), *j0 = mg_kvar(k, jo->var), *zero = mg_kint(k, 0), *t, *r,
               *s;
    MgKs *clear = mg_kfor(k, &jo->body, MG_LOOP_UNROLLED, "t", zero, mg_kint(k, rows * columns), 1);
    mg_kstore(k, &clear->body, tile, mg_kvar(k, clear->var), mg_kfloat(k, v, 0), NULL);
    MgKs *ko = mg_kfor(k, &jo->body, MG_LOOP_SERIAL, "k", zero, mg_kint(k, depth), 1);
    const MgKx *kk = mg_kvar(k, ko->var);
    MgKs *ri = mg_kfor(k, &ko->body, MG_LOOP_UNROLLED, "r", zero, mg_kint(k, rows), 1);
    MgKs *si = mg_kfor(k, &ri->body, MG_LOOP_UNROLLED, "s", zero, mg_kint(k, columns), 1);
    r = mg_kvar(k, ri->var), s = mg_kvar(k, si->var);
    t = add(k, times(k, r, columns), s);
    const MgKx *x =
        mg_ksplat(k, mg_kload(k, a, add(k, times(k, add(k, i0, r), depth), kk), 1, NULL, NULL), 16);
    const MgKx *y =
        mg_kload(k, b, add(k, times(k, kk, n), add(k, j0, times(k, s, 16))), 16, NULL, NULL);
    mg_kstore(k, &si->body, tile, t,
              mg_kprim(k, MG_PRIM_FMA, x, y, mg_kload(k, tile, t, 16, NULL, NULL)), NULL);
    MgKs *rw = mg_kfor(k, &jo->body, MG_LOOP_UNROLLED, "r", zero, mg_kint(k, rows), 1);
    MgKs *sw = mg_kfor(k, &rw->body, MG_LOOP_UNROLLED, "s", zero, mg_kint(k, columns), 1);
    r = mg_kvar(k, rw->var), s = mg_kvar(k, sw->var);
    t = add(k, times(k, r, columns), s);
    const MgKx *at = add(k, times(k, add(k, i0, r), n), add(k, j0, times(k, s, 16)));
    mg_kstore(k, &sw->body, out, at, mg_kload(k, tile, t, 16, NULL, NULL), NULL);
    return k;
}

START_TEST(register_tile) {
    enum { N = 64, K = 23 };
    static float a[N * K], b[K * N], y[N * N];
    for (int i = 0; i < N * K; i++)
        a[i] = (float)(i % 17 - 8), b[i] = (float)(i % 13 - 6);
    MgKernel *k = matmul(N, K, 4, 2);
    mg_hand_port(&c, a, MG_F32, N * K);
    mg_hand_port(&c, b, MG_F32, K * N);
    mg_hand_port(&c, y, MG_F32, N * N);
    compile_call(k, NULL);
    for (uint32_t workers = 1; workers <= 2; workers++) {
        memset(y, 0, sizeof y);
        mg_hand_run(&c, threads, workers);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                float sum = 0; // exact: small integers
                for (int l = 0; l < K; l++)
                    sum += a[i * K + l] * b[l * N + j];
                ck_assert_float_eq(y[i * N + j], sum);
            }
    }
}
END_TEST

// Gather and scatter of every width, bool among them, under a mask and without.
START_TEST(gather_and_scatter) {
    static const MgDType types[] = {MG_F32, MG_F64, MG_F16, MG_I8, MG_BOOL, MG_I64};
    enum { N = 16 };
    MgDType d = types[_i];
    size_t size = mg_dtype_size(d);
    int64_t index[N];
    unsigned char x[N * 8], y[N * 8], want[N * 8];
    for (int i = 0; i < N * 8; i++) {
        x[i] = d == MG_BOOL ? (unsigned char)(i % 3 == 0) : (unsigned char)(i * 5 + 1);
        y[i] = want[i] = 0;
    }
    for (int i = 0; i < N; i++)
        index[i] = (i * 7 + 3) % N;
    MgKernel *k = mg_hand_kernel(&c, "move");
    MgKBufId ids = mg_kparam(k, "ids", MG_I64, true, false);
    MgKBufId in = mg_kparam(k, "x", d, true, false), out = mg_kparam(k, "y", d, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, N), 8);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *at = mg_kload(k, ids, i, 8, NULL, NULL);
    const MgKx *some = mg_kprim(k, MG_PRIM_NE, at, mg_ksplat(k, mg_kint(k, 5), 8), NULL);
    const MgKx *back = mg_kramp(
        k, add(k, mg_kint(k, N - 1), mg_kprim(k, MG_PRIM_NEG, i, NULL, NULL)), mg_kint(k, -1), 8);
    mg_kstore(k, &loop->body, out, back, mg_kload(k, in, at, 8, some, NULL), some);
    for (int n = 0; n < N; n++)
        if (index[n] != 5)
            memcpy(want + (size_t)(N - 1 - n) * size, x + (size_t)index[n] * size, size);
    mg_hand_port(&c, index, MG_I64, N);
    mg_hand_port(&c, x, d, N);
    mg_hand_port(&c, y, d, N);
    compile_call(k, NULL);
    mg_hand_run(&c, NULL, 1);
    ck_assert_mem_eq(y, want, N * size);
}
END_TEST

START_TEST(control) {
    int64_t x[1] = {27}, y[3] = {0};
    MgKernel *k = mg_hand_kernel(&c, "collatz");
    MgKBufId in = mg_kparam(k, "x", MG_I64, true, false),
             out = mg_kparam(k, "y", MG_I64, false, true);
    MgKBufId now =
        mg_kalloc(k, "now", mg_kt(MG_I64, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, 2));
    const MgKx *zero = mg_kint(k, 0), *one = mg_kint(k, 1), *two = mg_kint(k, 2);
    mg_kstore(k, &k->body, now, zero, mg_kload(k, in, zero, 1, NULL, NULL), NULL);
    mg_kstore(k, &k->body, now, one, zero, NULL);
    const MgKx *n = mg_kload(k, now, zero, 1, NULL, NULL);
    MgKs *loop = mg_kwhile(k, &k->body, mg_kprim(k, MG_PRIM_NE, n, one, NULL));
    const MgKx *m = mg_klet_x(k, &loop->body, "n", n);
    MgKs *odd = mg_kif(k, &loop->body,
                       mg_kprim(k, MG_PRIM_EQ, mg_kprim(k, MG_PRIM_FMOD, m, two, NULL), one, NULL));
    mg_kstore(k, &odd->body, now, zero, add(k, times(k, m, 3), one), NULL);
    mg_kstore(k, &odd->orelse, now, zero, mg_kprim(k, MG_PRIM_FDIV, m, two, NULL), NULL);
    mg_kstore(k, &loop->body, now, one, add(k, mg_kload(k, now, one, 1, NULL, NULL), one), NULL);
    mg_kstore(k, &k->body, out, zero, mg_kload(k, now, one, 1, NULL, NULL), NULL);
    mg_kstore(k, &k->body, out, one, mg_kspecial(k, MG_KX_LOCAL_SIZE), NULL);
    mg_kprefetch(k, &k->body, in, zero);
    mg_hand_port(&c, x, MG_I64, 1);
    mg_hand_port(&c, y, MG_I64, 3);
    compile_call(k, NULL);
    mg_hand_run(&c, NULL, 1);
    ck_assert_int_eq(y[0], 111);
    ck_assert_int_eq(y[1], 1);
    ck_assert_int_eq(y[2], 0);
}
END_TEST

// Rows whose distance is a stride, or a product of two, that is known only at run time.
START_TEST(open_strides) {
    enum { N = 4000 };
    static const int64_t rows[] = {0, 1, 3, 4, 7, 21, 64, 70, -2, -5};
    int32_t y[N] = {0}, expected[N] = {0};
    MgKernel *k = mg_hand_kernel(&c, "rows");
    MgKBufId out = mg_kparam(k, "y", MG_I32, false, true);
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n")), *m = mg_kvar(k, mg_kscalar(k, "m"));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 9), mg_kint(k, 12), 1);
    const MgKx *i = mg_kvar(k, loop->var);
    for (int32_t r = 0; r < 10; r++) {
        const MgKx *row = add(k, i, mg_kint(k, rows[r])),
                   *x = mg_kconst(k, mg_kt(MG_I32, 1), 1 + r);
        const MgKx *let = mg_klet_x(k, &loop->body, "row", row);
        mg_kstore(k, &loop->body, out, add(k, mg_kmul(k, let, n), i), x, NULL);
        mg_kstore(k, &loop->body, out, mg_kmul(k, mg_kmul(k, times(k, n, 2), row), m), x, NULL);
    }
    for (int32_t at = 9, r = 0; at < 12; r = (r + 1) % 10, at += !r)
        expected[(at + rows[r]) * 5 + at] = expected[(at + rows[r]) * 2 * 5 * 3] = 1 + r;
    mg_hand_port(&c, y, MG_I32, N);
    compile_call(k, (int64_t[]){5, 3});
    mg_hand_run(&c, NULL, 1);
    ck_assert_mem_eq(y, expected, sizeof y);
}
END_TEST

// A row that was loaded and named must keep its values when its memory is overwritten.
START_TEST(row_is_loaded_once) {
    int64_t rows[1] = {3};
    int32_t y[64] = {0}, expected[64] = {0};
    MgKernel *k = mg_hand_kernel(&c, "row");
    MgKBufId at = mg_kparam(k, "rows", MG_I64, true, true);
    MgKBufId out = mg_kparam(k, "y", MG_I32, false, true);
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n")), *zero = mg_kint(k, 0);
    const MgKx *row = add(k, mg_kload(k, at, zero, 1, NULL, NULL), mg_kint(k, 1));
    row = mg_klet_x(k, &k->body, "row", row);
    mg_kstore(k, &k->body, at, zero, mg_kint(k, 7), NULL);
    mg_kstore(k, &k->body, out, mg_kmul(k, row, n), mg_kconst(k, mg_kt(MG_I32, 1), 1), NULL);
    expected[(3 + 1) * 5] = 1;
    mg_hand_port(&c, rows, MG_I64, 1);
    mg_hand_port(&c, y, MG_I32, 64);
    compile_call(k, (int64_t[]){5});
    mg_hand_run(&c, NULL, 1);
    ck_assert_mem_eq(y, expected, sizeof y);
}
END_TEST

START_TEST(first_trap_stays) {
    int64_t x[1] = {0};
    MgKernel *k = mg_hand_kernel(&c, "check");
    MgKBufId in = mg_kparam(k, "x", MG_I64, true, false);
    const MgKx *e = mg_kload(k, in, mg_kint(k, 0), 1, NULL, NULL);
    for (int64_t code = 1; code <= 3; code++) {
        MgKs *bad = mg_kif(k, &k->body, mg_kprim(k, MG_PRIM_GE, e, mg_kint(k, 4 - code), NULL));
        mg_ktrap(k, &bad->body, (uint32_t)code, NULL);
    }
    mg_push(c.session->arena, &c.program->traps, (MgTrapSite){MG_NONE, "ids is outside"});
    mg_hand_port(&c, x, MG_I64, 1);
    compile_call(k, NULL);
    static const uint32_t want[] = {0, 3, 2, 1, 1};
    for (x[0] = 0; x[0] < 5; x[0]++) {
        mg_hand_run(&c, threads, 2);
        ck_assert_uint_eq(c.error, want[x[0]]);
    }
    ck_assert_str_eq(mg_loaded_image(c.loaded)->traps[0], "ids is outside");
}
END_TEST

START_TEST(nontemporal_and_private_arrays) {
    enum { N = 32 };
    _Alignas(64) float y[N];
    MgKernel *k = mg_hand_kernel(&c, "stream");
    MgKBufId out = mg_kparam(k, "y", MG_F32, false, true);
    k->bufs.at[out].align = 64;
    MgKBufId table =
        mg_kalloc(k, "table", mg_kt(MG_F32, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, mg_kint(k, N));
    MgKs *fill = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, N), 1);
    const MgKx *i = mg_kvar(k, fill->var);
    mg_kstore(k, &fill->body, table, i, mg_kcast(k, MG_PRIM_CAST, MG_F32, times(k, i, 3)), NULL);
    MgKs *copy = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "i", mg_kint(k, 0), mg_kint(k, N), 16);
    i = mg_kvar(k, copy->var);
    uint8_t reverse[16];
    for (int n = 0; n < 16; n++)
        reverse[n] = (uint8_t)(15 - n);
    const MgKx *x = mg_kload(k, table, i, 16, NULL, NULL);
    mg_kstore(k, &copy->body, out, i, mg_kpermute(k, x, NULL, reverse, 16), NULL)->nontemporal =
        true;
    mg_hand_port(&c, y, MG_F32, N);
    compile_call(k, NULL);
    mg_hand_run(&c, NULL, 1);
    for (int n = 0; n < N; n++)
        ck_assert_float_eq(y[n], (float)(3 * (n / 16 * 16 + 15 - n % 16)));
}
END_TEST

// Stores past the caches to a caller's memory, which is only aligned to elements.
START_TEST(nontemporal_at_any_address) {
    enum { N = 96, LINE = 64 };
    static _Alignas(64) float x[N], y[N + LINE];
    MgKernel *k = mg_hand_kernel(&c, "stream");
    MgKBufId in = mg_kparam(k, "x", MG_F32, true, false),
             out = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *copy = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), mg_kint(k, N), 32);
    const MgKx *i = mg_kvar(k, copy->var);
    mg_kprefetch(k, &copy->body, in, add(k, i, mg_kint(k, 1000)));
    mg_kstore(k, &copy->body, out, i, mg_kload(k, in, i, 32, NULL, NULL), NULL)->nontemporal = true;
    mg_hand_port(&c, x, MG_F32, N);
    mg_hand_port(&c, y, MG_F32, N);
    compile_call(k, NULL);
    for (int n = 0; n < N; n++)
        x[n] = (float)n + 0.5f;
    for (int start = 0; start <= 17; start++) {
        memset(y, 0, sizeof y);
        c.ports.at[1] = y + start;
        mg_hand_run(&c, NULL, 1);
        for (int n = 0; n < N + LINE; n++)
            ck_assert_float_eq(y[n], n < start || n >= start + N ? 0 : x[n - start]);
    }
}
END_TEST

// ---------------------------------------------------------------- plans and images

static MgKernel *accumulate(const char *name) { // y[0] = 10 * y[0] + s
    MgKernel *k = mg_hand_kernel(&c, name);
    MgKBufId out = mg_kparam(k, "y", MG_I64, true, true);
    const MgKx *zero = mg_kint(k, 0), *s = mg_kvar(k, mg_kscalar(k, "s"));
    mg_kstore(k, &k->body, out, zero,
              add(k, times(k, mg_kload(k, out, zero, 1, NULL, NULL), 10), s), NULL);
    return k;
}

START_TEST(plan_with_ticks_and_costs) {
    int64_t y[1] = {0}, counts[8];
    MgKernel *k = accumulate("step");
    MgKBufId y_port = mg_hand_port(&c, y, MG_I64, 1);
    mg_hand_ports_end(&c);
    c.arena_bytes = 128;
    MgKernel *plan = c.program->plan;
    mg_hand_call(&c, &plan->body, k, &y_port, (int64_t[]){1});
    MgKs *loop =
        mg_kfor(plan, &plan->body, MG_LOOP_SERIAL, "t", mg_kint(plan, 0), mg_kint(plan, 2), 1);
    MgKs *call = mg_hand_call(&c, &loop->body, k, &y_port, (int64_t[]){0});
    call->call->scalars[0] = mg_kvar(plan, loop->var);
    mg_hand_call(&c, &plan->body, k, &c.arena_buf, (int64_t[]){5}); // scratch: any value
    mg_hand_call(&c, &plan->body, k, &y_port, (int64_t[]){7});
    ck_assert(mg_hand_compile(&c, NULL));
    uint64_t ticks[8] = {0};
    mg_hand_run(&c, NULL, 1); // no ticks
    ck_assert_int_eq(y[0], 1017);
    y[0] = 0;
    c.ticks = ticks;
    mg_hand_run(&c, NULL, 1);
    ck_assert_int_eq(y[0], 1017);
    for (int i = 0; i < 8; i++)
        ck_assert(ticks[i] != 0 && (i == 0 || ticks[i] >= ticks[i - 1]));
    const MgImage *image = mg_loaded_image(c.loaded);
    image->costs((int64_t[]){0}, counts);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(counts[2 * i], 100 + i);
        ck_assert_int_eq(counts[2 * i + 1], 7);
    }
}
END_TEST

START_TEST(image_tables) {
    int64_t y[1] = {0};
    MgGraph *g = c.program->graph;
    MgIxTable *ix = c.module->ix;
    MgNames *names = c.session->names;
    static const float data[3] = {1.5f, -2, 3};
    MgKBufId first = mg_hand_port(&c, y, MG_I64, 1);
    MgIxSym batch = mg_ix_dim(ix, mg_sym(names, "B"), 0, 64);
    MgIx shape[] = {mg_ix_sym(ix, batch), mg_ix_const(ix, 3)};
    mg_push(c.module->arena, &g->dims, batch);
    MgOpId constant = mg_op_new(g, 0, MG_OP_CONST, NULL, 0, MG_NONE);
    MgValueId cv = mg_op_result(g, constant, mg_sym(names, "k"), MG_F32, 1, &shape[1]);
    mg_op(g, constant)->data = data;
    MgOpId param = mg_op_new(g, 0, MG_OP_PARAM, NULL, 0, MG_NONE);
    MgValueId wv = mg_op_result(g, param, mg_sym(names, "w"), MG_F16, 1, &shape[1]);
    mg_op(g, param)->key = mg_sym(names, "fc.weight");
    g->weights = mg_sym(names, "net.safetensors");
    MgOpId eq = mg_op_new(g, 0, MG_OP_EQUATION, &cv, 1, MG_NONE);
    MgValueId out = mg_op_result(g, eq, mg_sym(names, "out"), MG_I8, 2, shape);
    mg_push(c.module->arena, &g->outputs,
            (MgPort){.value = out, .name = mg_sym(names, "result"), .aliases = -1});
    MgRequire require = {.message = mg_sym(names, "B must be even")};
    mg_push(c.module->arena, &g->requires, require);
    mg_push(c.session->arena, &c.program->bufs, (MgPlanBuf){MG_PLAN_OUTPUT, 0, out});
    mg_push(c.session->arena, &c.program->bufs, (MgPlanBuf){MG_PLAN_WEIGHT, 0, wv});
    mg_push(c.session->arena, &c.program->bufs, (MgPlanBuf){MG_PLAN_CONST, 0, cv});
    mg_kparam(c.program->plan, "out", MG_I8, true, true);
    mg_kparam(c.program->plan, "w", MG_F16, true, false);
    mg_kparam(c.program->plan, "k", MG_F32, true, false);
    mg_kscalar(c.program->plan, "B");
    mg_kscalar(c.program->bind, "B");
    mg_hand_ports_end(&c);
    mg_hand_call(&c, &c.program->plan->body, accumulate("step"), &first, (int64_t[]){1});
    ck_assert(mg_hand_compile(&c, "x86-64-v3"));
    const MgImage *image = mg_loaded_image(c.loaded);
    ck_assert_str_eq(image->graph, "main");
    ck_assert_str_eq(image->march, "x86-64-v3");
    ck_assert_uint_eq(image->n_inputs, 1);
    ck_assert_uint_eq(image->n_outputs, 1);
    ck_assert_uint_eq(image->n_dims, 1);
    ck_assert_str_eq(image->dim_names[0], "B");
    const MgImagePort *port = &image->ports[1];
    ck_assert_str_eq(port->name, "result");
    ck_assert_uint_eq(port->dtype, MG_I8);
    ck_assert_uint_eq(port->rank, 2);
    ck_assert_int_eq(port->dims[0], -1);
    ck_assert_int_eq(port->dims[1], 3);
    ck_assert_str_eq(port->formulas[0], "B");
    ck_assert_int_eq(port->aliases, -1);
    ck_assert_str_eq(image->weights[0].key, "fc.weight");
    ck_assert_str_eq(image->weights[0].file, "net.safetensors");
    ck_assert_int_eq(image->weights[0].dims[0], 3);
    ck_assert_mem_eq(image->constants[0], data, sizeof data);
    ck_assert_uint_eq((uintptr_t)image->constants[0] % 64, 0);
    ck_assert_str_eq(image->sites[0].name, "step");
    ck_assert_str_eq(image->sites[0].kind, "test");
    ck_assert_str_eq(image->requires[0], "B must be even");
}
END_TEST

START_TEST(same_bytes_every_time) {
    unsigned char *bytes[2];
    size_t length[2];
    for (int round = 0; round < 2; round++) {
        MgCpuProgram p = c;
        mg_hand_begin(&c);
        static float none[1];
        for (int i = 0; i < 3; i++)
            mg_hand_port(&c, none, MG_F32, 4096);
        mg_hand_ports_end(&c);
        MgKBufId buffers[3] = {0, 1, 2};
        mg_hand_call(&c, &c.program->plan->body, matmul(64, 64, 4, 2), buffers, NULL);
        mg_hand_call(&c, &c.program->plan->body, matmul(32, 64, 4, 2), buffers,
                     NULL); // of the same name
        mg_kparam(c.program->bind, "slots", MG_I64, false, true);
        ck_assert(mg_backend_find("cpu")->object(c.session, c.program, NULL, &bytes[round],
                                                 &length[round]));
        mg_hand_end(&c);
        c = p;
    }
    ck_assert_uint_eq(length[0], length[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], length[0]);
    free(bytes[0]);
    free(bytes[1]);
}
END_TEST

// Objects cut short or with a damaged byte are refused or load; they never crash the loader.
START_TEST(loader_refuses_damage) {
    static float none[1];
    char error[MG_IMAGE_ERROR_MAX];
    unsigned char *bytes;
    size_t length;
    for (int i = 0; i < 3; i++)
        mg_hand_port(&c, none, MG_F32, 4096);
    mg_hand_ports_end(&c);
    MgKBufId buffers[3] = {0, 1, 2};
    mg_hand_call(&c, &c.program->plan->body, matmul(64, 64, 4, 2), buffers, NULL);
    mg_kparam(c.program->bind, "slots", MG_I64, false, true);
    ck_assert(mg_backend_find("cpu")->object(c.session, c.program, NULL, &bytes, &length));
    for (size_t n = 0; n < length; n++) {
        unsigned char *cut =
            malloc(n ? n : 1); // a separate copy, so that sanitizers see a read past its end
        memcpy(cut, bytes, n);
        ck_assert_ptr_null(mg_image_load(cut, n, error));
        ck_assert_uint_ne(strlen(error), 0);
        free(cut);
    }
    for (size_t n = 0; n < length; n++) {
        bytes[n] ^= 0x81;
        mg_image_unload(mg_image_load(bytes, length, error));
        bytes[n] ^= 0x81;
    }
    free(bytes);
}
END_TEST

START_TEST(refused) {
    MgText out = mg_text(c.session->arena);
    mg_hand_ports_end(&c);
    mg_kparam(c.program->bind, "slots", MG_I64, false, true);
    const MgBackend *cpu = mg_backend_find("cpu");
    ck_assert(!cpu->emit(c.session, c.program, "pentium", "llvm", &out));
    ck_assert(!cpu->emit(c.session, c.program, NULL, "opencl", &out));
    ck_assert_uint_eq(c.session->n_errors, 2);
    ck_assert(cpu->emit(c.session, c.program, NULL, "llvm", &out));
    ck_assert_ptr_nonnull(strstr(mg_text_str(&out), "@mg_image = "));
    ck_assert(cpu->emit(c.session, c.program, NULL, "asm", &out));
    ck_assert_ptr_nonnull(strstr(mg_text_str(&out), "mg_image:"));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cpu");
    TCase *tcase = tcase_create("cpu");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, elementwise_with_remainder);
    tcase_add_test(tcase, sum_of_lanes);
    tcase_add_test(tcase, register_tile);
    tcase_add_loop_test(tcase, gather_and_scatter, 0, 6);
    tcase_add_test(tcase, control);
    tcase_add_test(tcase, open_strides);
    tcase_add_test(tcase, row_is_loaded_once);
    tcase_add_test(tcase, first_trap_stays);
    tcase_add_test(tcase, nontemporal_and_private_arrays);
    tcase_add_test(tcase, nontemporal_at_any_address);
    tcase_add_test(tcase, plan_with_ticks_and_costs);
    tcase_add_test(tcase, image_tables);
    tcase_add_test(tcase, same_bytes_every_time);
    tcase_add_test(tcase, loader_refuses_damage);
    tcase_add_test(tcase, refused);
    suite_add_tcase(suite, tcase);
    return mg_test_run(suite, CK_FORK);
}
