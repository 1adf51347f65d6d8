// Tests random products of narrow integers against the reference interpreter: every pair of types
// and layouts, zero points, sums that fill no whole word, batches, taps, and epilogues; for this
// machine and for one of AVX2, with one thread and two.
//
//   exec_words FIRST COUNT
//
// The last line is 'N passed, N failed'.
#include "support/text.h"
#include "tests/exec/compare.h"
#include "tests/exec/seeds.h"

#include <stdio.h>
#include <string.h>

static const MgDType types[] = {MG_I8, MG_U8, MG_I8, MG_U8, MG_I16};
// The last makes a factor that is not a narrow number.
static const int32_t zeros[] = {128, 113, -3, -65000};
enum { TYPES = sizeof types / sizeof *types, ZEROS = sizeof zeros / sizeof *zeros };

typedef struct Product {
    int64_t batches, rows, columns, depth, taps;
    MgDType row, column;
    int32_t zero;                             // it is subtracted from each row
    bool row_across, column_along, converted; // does the result become a float?
} Product;

static int64_t size(Random *r, uint32_t most) {
    return 1 + draw(r, draw(r, 3) ? most : 9);
}

static Product draw_product(Random *r) {
    return (Product){.batches = draw(r, 3) ? 1 : 2,
                     .rows = size(r, 60),
                     .columns = size(r, 90),
                     .depth = draw(r, 6) ? size(r, 200) : 1500 + draw(r, 9),
                     .taps = draw(r, 4) ? 1 : 3,
                     .row = types[draw(r, TYPES)],
                     .column = types[draw(r, TYPES)],
                     .zero = draw(r, 2) ? 0 : zeros[draw(r, ZEROS)],
                     .row_across = draw(r, 2),
                     .column_along = draw(r, 2),
                     .converted = draw(r, 3) == 0};
}

// The extents of the factors: rows are read `taps` - 1 further than there are rows.
static void shapes(const Product *p, int64_t row[3], int64_t column[3]) {
    int64_t rows = p->rows + p->taps - 1;
    row[0] = p->batches;
    row[1] = p->row_across ? p->depth : rows;
    row[2] = p->row_across ? rows : p->depth;
    column[0] = p->taps;
    column[1] = p->column_along ? p->columns : p->depth;
    column[2] = p->column_along ? p->depth : p->columns;
}

static const char *source(const Product *p, MgArena *arena) {
    MgText t = mg_text(arena);
    int64_t a[3], b[3];
    shapes(p, a, b);
    const char *names[] = {mg_dtype(p->row)->name, mg_dtype(p->column)->name};
    mg_textf(&t, "mg 1\ngraph g(a: %s[%lld, %lld, %lld], b: %s[%lld, %lld, %lld]) -> (y) {\n",
             names[0], (long long)a[0], (long long)a[1], (long long)a[2], names[1], (long long)b[0],
             (long long)b[1], (long long)b[2]);
    mg_textf(&t, "    s[i, m in 0..%lld, n]: i32[%lld, %lld, %lld] = sum[t in 0..%lld, k] ",
             (long long)p->rows, (long long)p->batches, (long long)p->rows, (long long)p->columns,
             (long long)p->taps);
    mg_textf(&t, "(i32(a[i, %s]) - (%d)) * i32(b[t, %s])\n    y = %s\n}\n",
             p->row_across ? "k, m + t" : "m + t, k", p->zero, p->column_along ? "n, k" : "k, n",
             p->converted ? "relu(f32(s) * 0.25 - 3)" : "s + 1");
    return mg_text_str(&t);
}

// Every fifth number is the smallest or the largest of its type.
static MgInterpTensor tensor(Random *r, MgArena *arena, MgDType type, const int64_t shape[3]) {
    MgInterpTensor t = {.dtype = type, .rank = 3};
    t.shape = mg_arena_copy(arena, shape, 3, sizeof *shape);
    size_t n = (size_t)(shape[0] * shape[1] * shape[2]), width = mg_dtype_size(type);
    unsigned char *data = MG_NEW_N(arena, unsigned char, n *width + 1);
    uint32_t bits = mg_dtype(type)->bits, least = mg_is_signed(type) ? 1u << (bits - 1) : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = draw(r, 5) ? draw(r, 1u << bits) : draw(r, 2) ? least : least - 1;
        memcpy(data + i * width, &x, width); // the lowest bytes come first
    }
    t.data = data;
    t.n = n;
    return t;
}

static bool run(uint64_t seed) {
    MgSession *session = mg_session_new(0);
    Random r = mg_seed(seed);
    Product p = draw_product(&r);
    int64_t a[3], b[3];
    shapes(&p, a, b);
    const char *text = source(&p, session->arena);
    MgInterpTensor inputs[] = {tensor(&r, session->arena, p.row, a),
                               tensor(&r, session->arena, p.column, b)};
    const char *const marches[] = {NULL, "x86-64-v3"};
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        MgExecOptions options = {.levels = seed % 4 ? "2" : "03", .threads = "12"};
        options.march = marches[i];
        MgExecResult result =
            mg_exec_compare(session, "words.mg", text, strlen(text), NULL, inputs, 2, &options);
        if (!result.ok)
            printf("seed %llu, %s: FAILED\n%s\n%s", (unsigned long long)seed,
                   marches[i] ? marches[i] : "native", result.what, text);
        ok &= result.ok;
    }
    mg_session_free(session);
    return ok;
}

int main(int argc, char **argv) {
    return mg_run_seeds(argc, argv, run);
}
