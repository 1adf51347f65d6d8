// Wide products by the asynchronous instructions of 128 items, as backends/opencl/print_wide.c has
// them: they are started, the product's body follows, and then the code waits for them.
//
// PTX ISA 8.0, "Asynchronous Warpgroup Level Matrix Instructions".
#include "backends/nvptx/emit.h"

#include <inttypes.h>

enum { MOST_SUMS = 2 * MG_WIDE_COLUMNS };

static void order(MgNvEmit *n, const char *instruction) {
    mg_nv_asm(n, &(MgNvAsm){.text = instruction, .constraints = "~{memory}"}, NULL, 0);
}

// The instructions after the barrier read local memory that ordinary stores have written.
void mg_nv_before_barrier(MgNvEmit *n) {
    if (!n->boxes.list.len || n->lines_stored)
        order(n, "fence.proxy.async.shared::cta;");
    n->lines_stored = false;
}

// ---------------------------------------------------------------- sums

// The scalars of an array of vectors of four, which instructions name as operands.
typedef struct Sums {
    MgKBufId buf;
    uint32_t n;
    LLVMTypeRef type, scalar;
    bool floats;
    LLVMValueRef at[MOST_SUMS];
} Sums;

static LLVMValueRef place_of(MgNvEmit *n, const Sums *w, uint32_t vector) {
    return mg_nv_step(n, w->type, n->e.bufs[w->buf], mg_nv_i32(n, vector));
}

static void take_sums(MgNvEmit *n, MgKBufId buf, bool reads, Sums *w) {
    const MgKBuf *b = &n->e.k->bufs.at[buf];
    w->buf = buf;
    w->n = (uint32_t)b->count->bits * 4;
    w->floats = mg_is_float(b->elem.dtype);
    w->type = mg_nv_element(n, b);
    w->scalar = LLVMGetElementType(w->type);
    for (uint32_t i = 0; i < w->n / 4; i++) {
        LLVMValueRef four = reads ? mg_nv_load(n, w->type, place_of(n, w, i), 16) : NULL;
        for (uint32_t k = 0; k < 4; k++)
            w->at[4 * i + k] = reads ? mg_nv_lane(n, four, k) : LLVMGetPoison(w->scalar);
    }
}

static void put_sums(MgNvEmit *n, const Sums *w) {
    for (uint32_t i = 0; i < w->n / 4; i++)
        mg_nv_store(n, mg_nv_vector(n, (LLVMValueRef *)w->at + 4 * i, 4), place_of(n, w, i), 16);
}

// An instruction that changes all sums, with other operands behind them: their constraints, each
// after a comma.
static void change(MgNvEmit *n, Sums *w, const char *text, const char *constraints,
                   LLVMValueRef *args, uint32_t n_args) {
    MgText all = mg_text(n->e.arena);
    LLVMValueRef *operands = MG_NEW_N(n->e.arena, LLVMValueRef, n_args + w->n + 1);
    for (uint32_t i = 0; i < w->n; i++)
        mg_textf(&all, "%s=%s", i ? "," : "", w->floats ? "f" : "r");
    mg_text_add(&all, constraints);
    for (uint32_t i = 0; i < n_args; i++)
        operands[i] = args[i];
    for (uint32_t i = 0; i < w->n; i++) {
        mg_textf(&all, ",%u", i);
        operands[n_args + i] = w->at[i];
    }
    mg_text_add(&all, ",~{memory}");
    const MgNvAsm what = {text, mg_text_str(&all), w->scalar, w->n, false};
    LLVMValueRef result = mg_nv_asm(n, &what, operands, n_args + w->n);
    for (uint32_t i = 0; i < w->n; i++)
        w->at[i] = LLVMBuildExtractValue(n->e.builder, result, i, "");
}

// Defines words before the first instruction begins, since no later one may wait for them.
static void define(MgNvEmit *n, LLVMValueRef *words, uint32_t count) {
    MgText text = mg_text(n->e.arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&text, "%s=r", i ? "," : "");
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&text, ",%u", i);
    mg_text_add(&text, ",~{memory}");
    const MgNvAsm what = {"", mg_text_str(&text), n->e.t.i32, count, false};
    LLVMValueRef result = mg_nv_asm(n, &what, words, count);
    for (uint32_t i = 0; i < count; i++)
        words[i] = count > 1 ? LLVMBuildExtractValue(n->e.builder, result, i, "") : result;
}

// ---------------------------------------------------------------- factors

// The address of the first line, the bytes to the next block of lines across, and those to the next
// eight lines.
static LLVMValueRef descriptor(MgNvEmit *n, MgKBufId buf, const MgKx *first, MgKLies lies,
                               uint32_t depth) {
    uint64_t block = lies == MG_LIES_ACROSS ? depth * MG_LINE_BYTES : MG_PIECE_BYTES;
    uint64_t fixed = (uint64_t)1 << 62 | (uint64_t)(MG_LINES_BYTES >> 4) << 32 | block >> 4 << 16;
    LLVMValueRef at = mg_nv_local(n, mg_nv_place(n, buf, first));
    at = mg_nv_binary(n, LLVMLShr, mg_nv_binary(n, LLVMAnd, at, mg_nv_i32(n, 0x3ffff)),
                      mg_nv_i32(n, 4));
    return mg_nv_binary(n, LLVMOr, LLVMBuildZExt(n->e.builder, at, n->e.t.i64, ""),
                        mg_cpu_int(&n->e, (int64_t)fixed));
}

// What instructions read: descriptors, or words of rows.
typedef struct Factors {
    LLVMValueRef rows, columns, *words;
    LLVMValueRef row, lane; // the item's row in lines, if it splits rows
    LLVMValueRef first_row;
} Factors;

static void take_held(MgNvEmit *n, const MgKProduct *q, Factors *f) {
    uint32_t count = q->depth / MG_PRODUCT_COLUMNS;
    LLVMTypeRef type = mg_nv_element(n, &n->e.k->bufs.at[q->row_buf]);
    f->words = MG_NEW_N(n->e.arena, LLVMValueRef, 2 * count);
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef at = mg_nv_step(n, type, n->e.bufs[q->row_buf], mg_nv_i32(n, i));
        LLVMValueRef two = mg_nv_load(n, type, at, 8);
        f->words[2 * i] = mg_nv_lane(n, two, 0);
        f->words[2 * i + 1] = mg_nv_lane(n, two, 1);
    }
    define(n, f->words, 2 * count);
}

static LLVMValueRef quotient(MgNvEmit *n, LLVMValueRef a, uint32_t b) {
    return mg_nv_binary(n, LLVMUDiv, a, mg_nv_i32(n, b));
}

static LLVMValueRef sum(MgNvEmit *n, LLVMValueRef a, LLVMValueRef b) {
    return mg_nv_binary(n, LLVMAdd, a, b);
}

static LLVMValueRef times(MgNvEmit *n, LLVMValueRef a, uint32_t b) {
    return mg_nv_binary(n, LLVMMul, a, mg_nv_i32(n, b));
}

static LLVMValueRef masked(MgNvEmit *n, LLVMValueRef a, uint32_t mask) {
    return mg_nv_binary(n, LLVMAnd, a, mg_nv_i32(n, mask));
}

static void declare_rows(MgNvEmit *n, const MgKs *s, Factors *f) {
    f->lane = masked(n, n->item, MG_TOGETHER - 1);
    LLVMValueRef strip = masked(n, quotient(n, n->item, MG_TOGETHER), MG_WIDE - 1);
    f->first_row = sum(n, times(n, strip, MG_PRODUCT_ROWS), quotient(n, f->lane, 4));
    f->row = mg_nv_place(n, s->product->row_buf, s->index);
    f->words = MG_NEW_N(n->e.arena, LLVMValueRef, 2 * MG_WIDE_HELD);
}

// Where the element `at` of a line is: pieces of four elements are permuted.
static LLVMValueRef in_line(MgNvEmit *n, LLVMValueRef line, LLVMValueRef at) {
    LLVMValueRef piece = mg_nv_binary(n, LLVMXor, quotient(n, at, 4), masked(n, line, 7));
    return sum(n, sum(n, times(n, line, 32), times(n, piece, 4)), masked(n, at, 3));
}

// Both parts of the item's rows in step i of the depth. Instructions of the steps before it run
// meanwhile: each step has words of its own, which are defined before its instructions begin.
static void take_parts(MgNvEmit *n, Factors *f, uint32_t i) {
    LLVMTypeRef single = LLVMFloatTypeInContext(n->e.context);
    for (uint32_t e = 0; e < MG_WIDE_HELD; e++) {
        LLVMValueRef line = sum(n, f->first_row, mg_nv_i32(n, e % 2 * 8));
        LLVMValueRef at =
            sum(n, masked(n, f->lane, 3), mg_nv_i32(n, i * MG_PRODUCT_WORDS + e / 2 * 4));
        LLVMValueRef x =
            mg_nv_load(n, single, mg_nv_step(n, single, f->row, in_line(n, line, at)), 4);
        mg_nv_parts(n, x, &f->words[e], &f->words[MG_WIDE_HELD + e]);
    }
    define(n, f->words, 2 * MG_WIDE_HELD);
}

static LLVMValueRef further(MgNvEmit *n, LLVMValueRef descriptor, uint32_t pieces) {
    return LLVMBuildAdd(n->e.builder, descriptor, mg_cpu_int(&n->e, pieces), "");
}

// ---------------------------------------------------------------- instructions

static bool has_words(const MgKProduct *q) {
    return q->column_low || q->row_lies == MG_LIES_HELD;
}

// "{$0, $1, …}": operands from number `first` on.
static const char *numbers(MgNvEmit *n, uint32_t first, uint32_t count) {
    MgText text = mg_text(n->e.arena);
    for (uint32_t i = 0; i < count; i++)
        mg_textf(&text, "%s$%u", i ? ", " : "{", first + i);
    mg_text_add(&text, "}");
    return mg_text_str(&text);
}

// Signs of the factors, and which of them lie across.
static const char *ways(MgNvEmit *n, const MgKProduct *q, bool floats) {
    if (!floats)
        return "";
    if (q->row_lies == MG_LIES_HELD)
        return mg_arena_printf(n->e.arena, ", 1, 1, %d", q->column_lies == MG_LIES_ACROSS);
    return mg_atom_per_word(q->atom) == 2
               ? mg_arena_printf(n->e.arena, ", 1, 1, %d, %d", q->row_lies == MG_LIES_ACROSS,
                                 q->column_lies == MG_LIES_ACROSS)
               : ", 1, 1";
}

static void multiply(MgNvEmit *n, const MgKProduct *q, Sums *w, const Factors *f, uint32_t i,
                     uint32_t part) {
    const MgAtomRow *atom = mg_atom(q->atom);
    uint32_t rows = has_words(q) ? MG_WIDE_HELD : 1;
    LLVMValueRef args[MG_WIDE_HELD + 1];
    for (uint32_t e = 0; e < rows && has_words(q); e++)
        args[e] = f->words[q->column_low ? MG_WIDE_HELD * mg_wide_low_row(part) + e
                                         : MG_WIDE_HELD * i + e];
    if (!has_words(q))
        args[0] = further(n, f->rows, mg_wide_row_piece(q, i));
    args[rows] = further(n, f->columns, mg_wide_column_piece(q, i, part));
    const char *row =
        has_words(q) ? numbers(n, w->n, MG_WIDE_HELD) : mg_arena_printf(n->e.arena, "$%u", w->n);
    const char *text =
        mg_arena_printf(n->e.arena, "wgmma.mma_async.sync.aligned.m64n%u%s.%s %s, %s, $%u, %d%s;",
                        q->columns, atom->step, atom->types, numbers(n, 0, w->n), row, w->n + rows,
                        i || !q->fresh, ways(n, q, w->floats));
    change(n, w, text, has_words(q) ? ",r,r,r,r,l" : ",l,l", args, rows + 1);
}

// If items split rows, the body follows the first step: items wait to start each instruction, so
// what follows the last one runs when the product has nearly ended.
static void begin(MgNvEmit *n, const MgKs *s, Sums *w) {
    const MgKProduct *q = s->product;
    Factors f = {0};
    take_sums(n, s->buf, !q->fresh, w);
    if (q->row_lies == MG_LIES_HELD)
        take_held(n, q, &f);
    else if (q->column_low)
        declare_rows(n, s, &f);
    else
        f.rows = descriptor(n, q->row_buf, s->index, q->row_lies, q->depth);
    f.columns = descriptor(n, q->column_buf, s->x, q->column_lies, q->depth);
    for (uint32_t i = 0; i < mg_wide_steps(q); i++) {
        if (q->column_low)
            take_parts(n, &f, i);
        if (!i || q->column_low)
            order(n, "wgmma.fence.sync.aligned;");
        for (uint32_t part = mg_wide_first_part(q); part < MG_WIDE_PARTS; part++)
            multiply(n, q, w, &f, i, part);
        if (!i && q->column_low)
            mg_nv_statements(n, &s->body);
    }
    order(n, "wgmma.commit_group.sync.aligned;");
}

// Compilers move arithmetic behind a wait. What the body leaves in an item's own vectors of four is
// computed before it, between the instructions of the product, which the items wait to start.
static void settle(MgNvEmit *n, const MgKBlock *body) {
    MgDistinct bufs = mg_kproduct_vectors(n->e.arena, n->e.k, body);
    Sums *w = MG_NEW(n->e.arena, Sums);
    for (uint32_t i = 0; i < bufs.len; i++) {
        take_sums(n, bufs.at[i], true, w);
        change(n, w, "", "", NULL, 0);
        put_sums(n, w);
    }
}

static void await(MgNvEmit *n, Sums *w, int pending) {
    change(n, w, mg_arena_printf(n->e.arena, "wgmma.wait_group.sync.aligned %d;", pending), "",
           NULL, 0);
    put_sums(n, w);
}

void mg_nv_wide(MgNvEmit *n, const MgKs *s) {
    const MgKProduct *q = s->product;
    Sums *w = MG_NEW(n->e.arena, Sums);
    begin(n, s, w);
    if (!q->column_low)
        mg_nv_statements(n, &s->body);
    if (q->row_lies != MG_LIES_HELD) // as many weights as a block has took longer so
        settle(n, &s->body);
    if (!n->boxes.list.len)
        order(n, q->lag != MG_LAG_NONE ? "cp.async.commit_group;\n\tcp.async.wait_group 1;"
                                       : "cp.async.commit_group;\n\tcp.async.wait_group 0;");
    await(n, w, q->lag == MG_LAG_ALL);
}

// Waits until no product is running.
void mg_nv_await(MgNvEmit *n, const MgKs *s) {
    Sums *w = MG_NEW(n->e.arena, Sums);
    if (!n->boxes.list.len)
        order(n, "cp.async.wait_all;");
    take_sums(n, s->buf, true, w);
    await(n, w, 0);
}

// ---------------------------------------------------------------- copies

void mg_nv_copy_later(MgNvEmit *n, const MgKs *s) {
    const MgKx *inside, *x = mg_kload_or_0(s->x, &inside);
    LLVMValueRef args[] = {mg_nv_local(n, mg_nv_place(n, s->buf, s->index)),
                           mg_nv_place(n, x->buf, x->args[0]), NULL};
    if (inside)
        args[2] = LLVMBuildSelect(n->e.builder, mg_cpu_value(&n->e, inside), mg_nv_i32(n, 16),
                                  mg_nv_i32(n, 0), "");
    const MgNvAsm copy = {"cp.async.cg.shared.global [$0], [$1], 16;", "r,l,~{memory}", NULL, 0,
                          false},
                  copy_or_0 = {"cp.async.cg.shared.global [$0], [$1], 16, $2;", "r,l,r,~{memory}",
                               NULL, 0, false};
    mg_nv_asm(n, inside ? &copy_or_0 : &copy, args, inside ? 3 : 2);
}
