// Prints kernels as OpenCL C and runs them on a device (PoCL or another with a CPU). They must give
// the bits of the kernel interpreter, since nothing in kernel IR belongs to one backend. Exits 77
// (skipped) without a device.
#include "backends/opencl/host/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, GROUPS = 3 };

static MgSession *session;
static MgClDevice *device;
static int failures;
static MgLegaliseOptions left; // to the device

static MgKernel *kernel(const char *name) {
    return mg_kernel_new(session->arena, session->names, mg_sym(session->names, name));
}

static void show_errors(void) {
    MgText out = mg_text(session->arena);
    mg_diags_render(session, &out, false);
    fputs(mg_text_str(&out), stderr);
    session->diags.len = 0;
}

static bool same(MgDType d, const unsigned char *a, const unsigned char *b, size_t i) {
    MgBits x = 0, y = 0;
    size_t size = mg_dtype_size(d);
    memcpy(&x, a + i * size, size);
    memcpy(&y, b + i * size, size);
    return x == y ||
           (mg_is_float(d) && isnan(mg_bits_to_double(d, x)) && isnan(mg_bits_to_double(d, y)));
}

// Runs k both ways on the arguments' data, and compares everything that it writes.
static void compare(MgKernel *k, const MgKBufferArg *args, const int64_t *scalars) {
    MgKBufferArg want[16], got[16];
    uint32_t trap[2] = {0, 0};
    for (uint32_t b = 0; b < k->n_params; b++) {
        want[b] = got[b] = args[b];
        if (k->bufs.at[b].writes) {
            want[b].data = mg_arena_alloc(session->arena, args[b].bytes, 1);
            got[b].data = mg_arena_alloc(session->arena, args[b].bytes, 1);
        }
    }
    mg_kernel_legalise(k, &left);
    bool ok = mg_kernel_verify(session, k) &&
              mg_kernel_interp(session, k, want, scalars, GROUPS, &trap[0]) &&
              mg_opencl_run(device, k, got, scalars, GROUPS, k->items, &trap[1]) &&
              trap[0] == trap[1];
    for (uint32_t b = 0; ok && b < k->n_params; b++) {
        MgDType d = k->bufs.at[b].elem.dtype;
        for (size_t i = 0; ok && i < args[b].bytes / mg_dtype_size(d); i++) {
            ok = same(d, want[b].data, got[b].data, i);
            if (!ok)
                printf("element %zu of %s differs\n", i,
                       mg_name(session->names, k->bufs.at[b].name));
        }
    }
    if (!ok) {
        MgText text = mg_text(session->arena);
        mg_kernel_print(k, &text);
        printf("%s\n%s", mg_name(session->names, k->name), mg_text_str(&text));
        show_errors();
        failures++;
    }
}

// ---------------------------------------------------------------- primitives

static const double values[] = {0,     -0.0, 1,     -1,      2,         -3,        7,         8,
                                -8,    31,   32,    63,      64,        127,       128,       -128,
                                -129,  255,  256,   32767,   65504,     65519,     65520,     1e5,
                                -1e10, 1e19, 2e19,  0x1p-24, 0x1p-25,   0x1.8p-25, 1e-40,     0.5,
                                2.5,   -3.5, 1e300, NAN,     0x1p-1022, INFINITY,  -INFINITY, 0.3};
enum { N_VALUES = sizeof values / sizeof *values };

static void draw(MgDType d, unsigned char *x, unsigned char *z) {
    size_t size = mg_dtype_size(d);
    for (size_t i = 0; i < N; i++) {
        MgBits a = mg_bits_from_double(d, values[i % N_VALUES]);
        MgBits b = mg_bits_from_double(d, values[i / N_VALUES % N_VALUES]);
        memcpy(x + i * size, &a, size);
        memcpy(z + i * size, &b, size);
    }
}

// Does kernel IR fix a device's result? It does for arithmetic in the compute type, except for the
// f64 functions.
static bool is_fixed(MgPrim p, MgDType d) {
    const MgPrimRow *row = mg_prim(p);
    bool device_math = d == MG_F64 && (row->kind == MG_KIND_APPROX || p == MG_PRIM_REM);
    return row->result != MG_RESULT_CONVERT && p != MG_PRIM_WHERE && mg_dtype(d)->compute == d &&
           mg_operands_admit(row->operands, d) && !device_math;
}

// Every primitive that takes d, one after the other, over N pairs: values to y, bools to q.
static void primitives(MgDType d, uint32_t lanes) {
    static unsigned char x[N * 8], z[N * 8];
    MgKernel *k = kernel(mg_dtype(d)->name);
    MgKBufId bx = mg_kparam(k, "x", d, true, false), bz = mg_kparam(k, "z", d, true, false);
    MgKBufId by = mg_kparam(k, "y", d, false, true), bq = mg_kparam(k, "q", MG_BOOL, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), mg_kint(k, N), lanes);
    const MgKx *i = mg_kvar(k, loop->var), *a = mg_kload(k, bx, i, lanes, NULL, NULL);
    const MgKx *b = mg_kload(k, bz, i, lanes, NULL, NULL);
    const MgKx *odd = mg_kprim(k, MG_PRIM_AND, i, mg_kint(k, 8), NULL);
    const MgKx *chosen =
        mg_kprim(k, MG_PRIM_WHERE, mg_kprim(k, MG_PRIM_NE, odd, mg_kint(k, 0), NULL), a, b);
    int64_t values_stored = 1, bools_stored = 0;
    mg_kstore(k, &loop->body, by, i, chosen, NULL);
    for (int p = 0; p < MG_PRIM_COUNT; p++) {
        if (!is_fixed((MgPrim)p, d))
            continue;
        bool test = mg_prim((MgPrim)p)->result == MG_RESULT_BOOL;
        int64_t *n = test ? &bools_stored : &values_stored;
        const MgKx *at = mg_kadd(k, i, mg_kint(k, (*n)++ * N));
        mg_kstore(k, &loop->body, test ? bq : by, at, mg_kprim(k, (MgPrim)p, a, b, a), NULL);
    }
    draw(d, x, z);
    size_t size = mg_dtype_size(d);
    MgKBufferArg args[] = {{x, N * size},
                           {z, N * size},
                           {NULL, (size_t)values_stored * N * size},
                           {NULL, (size_t)bools_stored * N}};
    compare(k, args, NULL);
}

// Casts to every type.
static void casts(MgDType from) {
    static unsigned char x[N * 8], z[N * 8];
    MgKernel *k = kernel(mg_arena_printf(session->arena, "cast %s", mg_dtype(from)->name));
    MgKBufferArg args[MG_DTYPE_COUNT + 1] = {{x, N * mg_dtype_size(from)}};
    MgKBufId in = mg_kparam(k, "x", from, true, false);
    draw(from, x, z);
    for (int to = 0; to < MG_DTYPE_COUNT; to++) {
        args[to + 1].bytes = N * mg_dtype_size((MgDType)to);
        mg_kparam(k, mg_dtype((MgDType)to)->name, (MgDType)to, false, true);
    }
    for (int to = 0; to < MG_DTYPE_COUNT; to++) {
        uint32_t lanes = to % 2 ? 16 : 1;
        MgKs *loop =
            mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", mg_kint(k, 0), mg_kint(k, N), lanes);
        const MgKx *i = mg_kvar(k, loop->var), *a = mg_kload(k, in, i, lanes, NULL, NULL);
        mg_kstore(k, &loop->body, (MgKBufId)to + 1, i, mg_kcast(k, MG_PRIM_CAST, (MgDType)to, a),
                  NULL);
    }
    compare(k, args, NULL);
}

// ---------------------------------------------------------------- accesses

static float data[N], more[N];

static void fill(void) {
    for (int i = 0; i < N; i++) {
        data[i] = (float)sin(i * 0.7) * 3;
        more[i] = (float)cos(i * 1.3);
    }
}

static const MgKx *num(MgKernel *k, int64_t v) {
    return mg_kint(k, v);
}

// gelu over n elements with a masked remainder
static void elementwise(void) {
    MgKernel *k = kernel("elementwise");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    const MgKx *n = mg_kvar(k, mg_kscalar(k, "n"));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), n, 16);
    const MgKx *index = mg_kramp(k, mg_kvar(k, loop->var), num(k, 1), 16);
    const MgKx *mask = mg_kprim(k, MG_PRIM_LT, index, n, NULL);
    const MgKx *v = mg_kload(k, x, index, 16, mask, NULL);
    const MgKx *e =
        mg_kprim(k, MG_PRIM_ERFC, mg_kmul(k, v, mg_kfloat(k, v->type, -0.70710678)), NULL, NULL);
    v = mg_kmul(k, mg_kmul(k, v, mg_kfloat(k, v->type, 0.5)), e);
    mg_kstore(k, &loop->body, y, index, v, mask);
    int64_t count = N - 5;
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, &count);
}

// A private row whose elements are vectors, written and read under masks.
static void vector_elements(void) {
    enum { LANES = 4 };
    MgKernel *k = kernel("vector_elements");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKType vector = mg_kt(MG_F32, LANES);
    MgKBufId t = mg_kalloc(k, "row", vector, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, 2));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, N), LANES);
    const MgKx *i = mg_kvar(k, loop->var), *one = num(k, 1);
    const MgKx *v = mg_klet_x(k, &loop->body, "v", mg_kload(k, x, i, LANES, NULL, NULL));
    const MgKx *mask = mg_kprim(k, MG_PRIM_LT, v, mg_kfloat(k, vector, 0), NULL);
    mg_kstore(k, &loop->body, t, one, mg_kfloat(k, vector, 7), NULL);
    mg_kstore(k, &loop->body, t, one, v, mask);
    const MgKx *odd = mg_kprim(k, MG_PRIM_GT, v, mg_kfloat(k, vector, -1), NULL);
    const MgKx *got = mg_kload(k, t, one, LANES, odd, mg_kfloat(k, vector, 5));
    mg_kstore(k, &loop->body, y, i, got, NULL);
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, NULL);
}

// softmax of rows of 100, with a private row of vectors, a fold and a trap for rows without a
// finite maximum
static void rows(void) {
    enum { LENGTH = 96, LANES = 8 };
    MgKernel *k = kernel("rows");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKType vector = mg_kt(MG_F32, LANES);
    MgKBufId t =
        mg_kalloc(k, "row", vector, MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, LENGTH / LANES + 1));
    const MgKx *best_at = num(k, LENGTH / LANES);
    MgKs *row = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "r", num(k, 0), num(k, N / LENGTH), 1);
    const MgKx *base = mg_kmul(k, mg_kvar(k, row->var), num(k, LENGTH));
    mg_kstore(k, &row->body, t, best_at, mg_kfloat(k, vector, -INFINITY), NULL);
    MgKs *loop =
        mg_kfor(k, &row->body, MG_LOOP_UNROLLED, "i", num(k, 0), num(k, LENGTH / LANES), 1);
    const MgKx *i = mg_kvar(k, loop->var);
    const MgKx *v =
        mg_kload(k, x, mg_kadd(k, base, mg_kmul(k, i, num(k, LANES))), LANES, NULL, NULL);
    mg_kstore(k, &loop->body, t, i, v, NULL);
    mg_kstore(k, &loop->body, t, best_at,
              mg_kprim(k, MG_PRIM_MAX, mg_kload(k, t, best_at, LANES, NULL, NULL), v, NULL), NULL);
    const MgKx *m = mg_kfold(k, MG_PRIM_MAX, mg_kload(k, t, best_at, LANES, NULL, NULL));
    m = mg_klet_x(k, &row->body, "m", m);
    MgKs *bad = mg_kif(k, &row->body,
                       mg_kprim(k, MG_PRIM_EQ, m, mg_kfloat(k, m->type, data[0] + 100), NULL));
    mg_ktrap(k, &bad->body, 3, NULL);
    mg_kstore(k, &row->body, t, best_at, mg_kfloat(k, vector, 0), NULL);
    loop = mg_kfor(k, &row->body, MG_LOOP_SERIAL, "i", num(k, 0), num(k, LENGTH / LANES), 1);
    i = mg_kvar(k, loop->var);
    const MgKx *e = mg_kprim(k, MG_PRIM_SUB, mg_kload(k, t, i, LANES, NULL, NULL), m, NULL);
    e = mg_klet_x(k, &loop->body, "e", mg_kprim(k, MG_PRIM_EXP, e, NULL, NULL));
    mg_kstore(k, &loop->body, t, i, e, NULL);
    mg_kstore(k, &loop->body, t, best_at, mg_kadd(k, mg_kload(k, t, best_at, LANES, NULL, NULL), e),
              NULL);
    const MgKx *sum = mg_klet_x(
        k, &row->body, "sum", mg_kfold(k, MG_PRIM_ADD, mg_kload(k, t, best_at, LANES, NULL, NULL)));
    loop = mg_kfor(k, &row->body, MG_LOOP_SERIAL, "i", num(k, 0), num(k, LENGTH / LANES), 1);
    i = mg_kvar(k, loop->var);
    mg_kstore(k, &loop->body, y, mg_kadd(k, base, mg_kmul(k, i, num(k, LANES))),
              mg_kprim(k, MG_PRIM_DIV, mg_kload(k, t, i, LANES, NULL, NULL), sum, NULL), NULL);
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, NULL);
}

// C = A B with B packed by each worker: partial sums of two halves of K, then their sums
static void contraction(void) {
    enum { M = 24, K = 40, P = 16, LANES = 16, TILE = 4 };
    MgKernel *k = kernel("contraction");
    MgKBufId a = mg_kparam(k, "a", MG_F32, true, false), b = mg_kparam(k, "b", MG_F32, true, false);
    MgKBufId part = mg_kparam(k, "part", MG_F32, false, true);
    MgKBufId panel =
        mg_kalloc(k, "panel", mg_kt(MG_F32, LANES), MG_SPACE_GLOBAL, MG_SCOPE_WORKER, num(k, K));
    MgKBufId acc =
        mg_kalloc(k, "acc", mg_kt(MG_F32, LANES), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, TILE));
    MgKs *pack = mg_kfor(k, &k->body, MG_LOOP_SERIAL, "p", num(k, 0), num(k, K), 1);
    const MgKx *p = mg_kvar(k, pack->var);
    const MgKx *column = mg_kadd(k, mg_kmul(k, mg_kramp(k, num(k, 0), num(k, 1), LANES), num(k, K)),
                                 p); // B is transposed
    mg_kstore(k, &pack->body, panel, p, mg_kload(k, b, column, LANES, NULL, NULL), NULL);
    MgKs *tile = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "t", num(k, 0), num(k, 2 * M / TILE), 1);
    const MgKx *t = mg_kvar(k, tile->var);
    const MgKx *half =
        mg_klet_x(k, &tile->body, "half", mg_kprim(k, MG_PRIM_FDIV, t, num(k, M / TILE), NULL));
    const MgKx *first =
        mg_kmul(k, mg_kprim(k, MG_PRIM_FMOD, t, num(k, M / TILE), NULL), num(k, TILE));
    first = mg_klet_x(k, &tile->body, "row", first);
    MgKs *r = mg_kfor(k, &tile->body, MG_LOOP_UNROLLED, "r", num(k, 0), num(k, TILE), 1);
    mg_kstore(k, &r->body, acc, mg_kvar(k, r->var), mg_kfloat(k, mg_kt(MG_F32, LANES), 0), NULL);
    const MgKx *low = mg_kmul(k, half, num(k, K / 2));
    MgKs *deep =
        mg_kfor(k, &tile->body, MG_LOOP_SERIAL, "d", low, mg_kadd(k, low, num(k, K / 2)), 1);
    const MgKx *d = mg_kvar(k, deep->var),
               *bv = mg_klet_x(k, &deep->body, "bv", mg_kload(k, panel, d, LANES, NULL, NULL));
    r = mg_kfor(k, &deep->body, MG_LOOP_UNROLLED, "r", num(k, 0), num(k, TILE), 1);
    const MgKx *row = mg_kvar(k, r->var),
               *ar = mg_kadd(k, mg_kmul(k, mg_kadd(k, first, row), num(k, K)), d);
    mg_kstore(k, &r->body, acc, row,
              mg_kprim(k, MG_PRIM_FMA, mg_kload(k, a, ar, 1, NULL, NULL), bv,
                       mg_kload(k, acc, row, LANES, NULL, NULL)),
              NULL);
    r = mg_kfor(k, &tile->body, MG_LOOP_UNROLLED, "r", num(k, 0), num(k, TILE), 1);
    row = mg_kvar(k, r->var);
    const MgKx *at =
        mg_kmul(k, mg_kadd(k, mg_kadd(k, mg_kmul(k, half, num(k, M)), first), row), num(k, P));
    mg_kstore(k, &r->body, part, at, mg_kload(k, acc, row, LANES, NULL, NULL), NULL);
    MgKBufferArg args[3] = {
        {data, sizeof data}, {more, sizeof more}, {NULL, 2 * M * P * sizeof(float)}};
    compare(k, args, NULL);
    k = kernel("join");
    part = mg_kparam(k, "part", MG_F32, true, false);
    MgKBufId c = mg_kparam(k, "c", MG_F32, false, true);
    MgKs *join = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, M * P), LANES);
    const MgKx *i = mg_kvar(k, join->var);
    mg_kstore(k, &join->body, c, i,
              mg_kadd(k, mg_kload(k, part, i, LANES, NULL, NULL),
                      mg_kload(k, part, mg_kadd(k, i, num(k, M * P)), LANES, NULL, NULL)),
              NULL);
    MgKBufferArg sums[2] = {{data, sizeof data}, {NULL, M * P * sizeof(float)}};
    compare(k, sums, NULL);
}

// a gather and a scatter under masks, permutes, a while loop
static void irregular(void) {
    MgKernel *k = kernel("irregular");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKBufId flag =
        mg_kalloc(k, "flag", mg_kt(MG_BOOL, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, 8));
    MgKBufId count =
        mg_kalloc(k, "count", mg_kt(MG_I64, 1), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, 1));
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, N / 8), 1);
    const MgKx *i = mg_kvar(k, loop->var), *index = mg_kramp(k, i, num(k, N / 8), 8);
    const MgKx *odd =
        mg_kprim(k, MG_PRIM_NE, mg_kprim(k, MG_PRIM_FMOD, index, num(k, 3), NULL), num(k, 0), NULL);
    const MgKx *v = mg_klet_x(k, &loop->body, "v",
                              mg_kload(k, x, index, 8, odd, mg_kfloat(k, mg_kt(MG_F32, 8), 7)));
    static const uint8_t reverse[8] = {7, 6, 5, 4, 3, 2, 1, 0},
                         mixed[8] = {0, 8, 1, 9, 2, 10, 15, 7};
    const MgKx *w = mg_klet_x(k, &loop->body, "w", mg_kpermute(k, v, NULL, reverse, 8));
    w = mg_kpermute(k, w, mg_kmul(k, v, v), mixed, 8);
    mg_kstore(k, &loop->body, flag, num(k, 0), mg_kprim(k, MG_PRIM_LT, w, v, NULL), NULL);
    const MgKx *f = mg_kload(k, flag, num(k, 0), 8, NULL, NULL);
    mg_kstore(k, &loop->body, count, num(k, 0), i, NULL);
    const MgKx *c = mg_kload(k, count, num(k, 0), 1, NULL, NULL);
    MgKs *again = mg_kwhile(k, &loop->body, mg_kprim(k, MG_PRIM_GT, c, num(k, 10), NULL));
    mg_kstore(k, &again->body, count, num(k, 0), mg_kprim(k, MG_PRIM_SUB, c, num(k, 7), NULL),
              NULL);
    w = mg_kadd(k, mg_kprim(k, MG_PRIM_WHERE, f, w, v), mg_kcast(k, MG_PRIM_CAST, MG_F32, c));
    mg_kstore(k, &loop->body, y, index, w, mg_kprim(k, MG_PRIM_OR, odd, f, NULL));
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, NULL);
}

// sums of rows by a tree over the items of a group, in its memory; whole vectors, narrow indices
static void tree(void) {
    enum { ITEMS = 16, ROWS = 8, WIDTH = N / ROWS };
    MgKernel *k = kernel("tree");
    k->items = ITEMS;
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    k->bufs.at[x].align = 16;
    MgKBufId part =
        mg_kalloc(k, "part", mg_kt(MG_F32, 1), MG_SPACE_SHARED, MG_SCOPE_GROUP, num(k, ITEMS));
    MgKBufId acc =
        mg_kalloc(k, "acc", mg_kt(MG_F32, 4), MG_SPACE_PRIVATE, MG_SCOPE_THREAD, num(k, 1));
    MgKs *rows = mg_kfor(k, &k->body, MG_LOOP_GROUP, "row", num(k, 0), num(k, ROWS), 1);
    MgKBlock *b = &rows->body;
    const MgKx *row = mg_kvar(k, rows->var), *me = mg_kspecial(k, MG_KX_LOCAL_ID),
               *zero = num(k, 0);
    mg_kstore(k, b, acc, zero, mg_kfloat(k, mg_kt(MG_F32, 4), 0), NULL);
    MgKs *each = mg_kfor(k, b, MG_LOOP_ITEM, "i", zero, num(k, WIDTH), 4);
    const MgKx *at = mg_kadd(k, mg_kmul(k, row, num(k, WIDTH)), mg_kvar(k, each->var));
    mg_kstore(k, &each->body, acc, zero,
              mg_kadd(k, mg_kload(k, acc, zero, 4, NULL, NULL), mg_kload(k, x, at, 4, NULL, NULL)),
              NULL);
    mg_kstore(k, b, part, me, mg_kfold(k, MG_PRIM_ADD, mg_kload(k, acc, zero, 4, NULL, NULL)),
              NULL);
    for (int64_t n = ITEMS / 2; n; n /= 2) {
        mg_kbarrier(k, b, MG_BARRIER_GROUP);
        MgKs *half = mg_kfor(k, b, MG_LOOP_ITEM, "j", zero, num(k, n), 1);
        const MgKx *j = mg_kvar(k, half->var);
        mg_kstore(k, &half->body, part, j,
                  mg_kadd(k, mg_kload(k, part, j, 1, NULL, NULL),
                          mg_kload(k, part, mg_kadd(k, j, num(k, n)), 1, NULL, NULL)),
                  NULL);
    }
    MgKs *one = mg_kfor(k, b, MG_LOOP_ITEM, "one", zero, num(k, 1), 1);
    mg_kstore(k, &one->body, y, row, mg_kload(k, part, zero, 1, NULL, NULL), NULL);
    mg_kbarrier(k, b, MG_BARRIER_GROUP);
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, ROWS * sizeof(float)}};
    compare(k, args, NULL);
}

// a table of constants looked up by whole vectors, and by one number
static void tables(void) {
    static const double squares[16] = {0,  1,  4,   9,   16,  25,  36,  49,
                                       64, 81, 100, 121, 144, 169, 196, -0.0};
    static const double pair[2] = {0.5, -3};
    MgKernel *k = kernel("tables");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, N), 8);
    const MgKx *i = mg_kvar(k, loop->var), *v = mg_kload(k, x, i, 8, NULL, NULL);
    const MgKx *bits = mg_kcast(k, MG_PRIM_BITCAST, MG_U32, v);
    bits = mg_kprim(k, MG_PRIM_SHR, bits, mg_kconst(k, bits->type, 20), NULL);
    const MgKx *one = mg_kcast(k, MG_PRIM_CAST, MG_U32, i),
               *a = mg_klookup(k, MG_F32, pair, 2, one);
    const MgKx *b = mg_klookup(k, MG_F32, squares, 16, bits);
    b = mg_kadd(k, b, mg_klookup(k, MG_F32, pair, 2, bits));
    mg_kstore(k, &loop->body, y, i, mg_kadd(k, mg_ksplat(k, a, 8), b), NULL);
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, NULL);
}

// Powers of 2 that need not be exact; they are for whole numbers.
static void powers(void) {
    MgKernel *k = kernel("powers");
    MgKBufId x = mg_kparam(k, "x", MG_F32, true, false), y = mg_kparam(k, "y", MG_F32, false, true);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, N), 2);
    const MgKx *i = mg_kvar(k, loop->var), *v = mg_kload(k, x, i, 2, NULL, NULL);
    v = mg_kprim(k, MG_PRIM_MIN, v, mg_kfloat(k, v->type, 100), NULL);
    v = mg_kprim(k, MG_PRIM_MAX, v, mg_kfloat(k, v->type, -100), NULL);
    v = mg_kprim(k, MG_PRIM_FLOOR, v, NULL, NULL);
    mg_kstore(k, &loop->body, y, i, mg_kexp2_rough(k, v), NULL);
    MgKBufferArg args[2] = {{data, sizeof data}, {NULL, N * sizeof(float)}};
    compare(k, args, NULL);
}

// ---------------------------------------------------------------- quotients and roots

// Estimates like NVIDIA's: 0 for a denormal number, and of f64 the upper word alone, off by OFF.
static const char estimates[] =
    "#define __NV_CL_C_VERSION 120\n"
    "#define asm(...) r = estimate(#__VA_ARGS__, sizeof r, x)\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "static float flushed(float x) {\n"
    "    return fabs(x) < 0x1p-126f ? copysign(0.0f, x) : x;\n"
    "}\n"
    "static double estimate(constant char *text, int bytes, double x) {\n"
    "    x = bytes == 4 ? flushed((float)x) : x;\n"
    "    const double y = text[2] == 'c' ? 1.0 / x : 1.0 / sqrt(x);\n"
    "    const long off = y != 0 && isfinite(y) ? OFF : 0;\n"
    "    if (bytes == 4)\n"
    "        return flushed((float)y);\n"
    "    return as_double((as_long(y) & ~0xffffffffl) + (off << 32));\n"
    "}\n";

enum { PAIRS = 1 << 14 };

// Numbers at the ends of the range and of steps, then any bits, then mantissas alone.
static void draw_pairs(float *x, float *z) {
    static const uint32_t ends[] = {0,          1,          2,          0x7fffff,   0x800000,
                                    0x800001,   0x7f7fffff, 0x7f800000, 0x7fc00000, 0x3f800000,
                                    0x3f7fffff, 0x3f800001, 0x7e800000, 0x7e800001, 0x7f000000,
                                    0x0d7fffff, 0x0d800000, 0x1f800000, 0x5f800000};
    enum { N_ENDS = sizeof ends / sizeof *ends, SIGNED = 2 * N_ENDS };
    uint64_t state = 1;
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t drawn[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u; // (Knuth, 1997)
            uint32_t end = (k ? i : i / SIGNED) % SIGNED, bits = (uint32_t)(state >> 32);
            drawn[k] = i < SIGNED * SIGNED ? ends[end / 2] | (end & 1) << 31
                       : i % 2             ? bits
                                           : (bits & 0x7fffff) | 0x3f800000;
        }
        memcpy(&x[i], &drawn[0], sizeof *x);
        memcpy(&z[i], &drawn[1], sizeof *z);
    }
}

// What NVIDIA's devices compute by steps of their own is correctly rounded.
static void quotients(uint32_t lanes) {
    static float x[PAIRS], z[PAIRS];
    draw_pairs(x, z);
    MgKernel *k = kernel("quotients");
    MgKBufId bx = mg_kparam(k, "x", MG_F32, true, false),
             bz = mg_kparam(k, "z", MG_F32, true, false);
    MgKs *loop = mg_kfor(k, &k->body, MG_LOOP_PARALLEL, "i", num(k, 0), num(k, PAIRS), lanes);
    const MgKx *i = mg_kvar(k, loop->var), *a = mg_kload(k, bx, i, lanes, NULL, NULL);
    const MgKx *b = mg_kload(k, bz, i, lanes, NULL, NULL), *one = mg_kfloat(k, a->type, 1);
    const MgKx *results[] = {mg_kprim(k, MG_PRIM_DIV, a, b, NULL),
                             mg_kprim(k, MG_PRIM_DIV, one, b, NULL),
                             mg_kprim(k, MG_PRIM_SQRT, a, NULL, NULL)};
    static const char *const names[] = {"quotient", "inverse", "root"};
    MgKBufferArg args[] = {
        {x, sizeof x}, {z, sizeof z}, {NULL, sizeof x}, {NULL, sizeof x}, {NULL, sizeof x}};
    for (int r = 0; r < 3; r++)
        mg_kstore(k, &loop->body, mg_kparam(k, names[r], MG_F32, false, true), i, results[r], NULL);
    compare(k, args, NULL);
}

static void estimated_quotients(void) {
    for (int off = -1; off <= 1; off++) {
        mg_opencl_begin(device,
                        mg_arena_printf(session->arena, "#define OFF %d\n%s", off, estimates));
        quotients(1);
        quotients(4);
    }
    mg_opencl_begin(device, "");
}

int main(void) {
    session = mg_session_new(0);
    device = mg_opencl_open(session, MG_CL_CPU);
    if (!device) {
        show_errors();
        mg_session_free(session);
        return 77;
    }
    fill();
    for (int d = 0; d < MG_DTYPE_COUNT; d++) {
        primitives((MgDType)d, 1);
        primitives((MgDType)d, 8);
        casts((MgDType)d);
    }
    left = (MgLegaliseOptions){.f16 = true, .scaleb = true, .lookup = true};
    casts(MG_F16);
    casts(MG_F32);
    primitives(MG_F32, 1);
    primitives(MG_F32, 8);
    primitives(MG_F64, 8);
    left = (MgLegaliseOptions){.rough_exp2 = true};
    powers();
    left = (MgLegaliseOptions){0};
    elementwise();
    vector_elements();
    rows();
    contraction();
    irregular();
    tables();
    tree();
    estimated_quotients();
    printf("%s: %d kernels differ\n", mg_opencl_device_name(device), failures);
    mg_session_free(session);
    return failures != 0;
}
