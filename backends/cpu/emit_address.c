// Addresses of loads and stores, in the order that suits the machine: the buffer, then the varying
// terms with outer variables first, then a constant. The accesses of a tile, or of a filter's taps,
// differ only in that constant, so they share the rest, and loops hoist the terms that they don't
// change. LLVM's own passes (SCEV and loop strength reduction) would spend a fifth of code
// generation on finding both again, and often fail once instcombine has turned additions into `or`.
//
// A stride known only at run time gives multiples in place of the constant: the rows of a tile are
// 0, N, 2*N, ... past its first. They also come last, in groups of four that share one address; the
// machine's scaled index does the rest.
#include "backends/cpu/emit.h"

#include <string.h>

enum {
    MOST_NODES = 64,
    MOST_FACTORS = 8,
    TOGETHER = 4,
    STRIDE = UINT32_MAX - 1,
    LAST = UINT32_MAX
};

// ---------------------------------------------------------------- an index as a sum

typedef struct Sum {
    MgCpuTerm terms[MG_CPU_MOST_TERMS];
    uint32_t n, nodes;
    uint64_t constant;
} Sum;

static bool add_term(Sum *sum, LLVMValueRef value, uint64_t times, uint32_t order) {
    for (uint32_t i = 0; i < sum->n; i++)
        if (sum->terms[i].value == value) {
            sum->terms[i].times += times;
            return true;
        }
    if (sum->n == MG_CPU_MOST_TERMS)
        return false;
    uint32_t at = sum->n++;
    for (; at && sum->terms[at - 1].order > order; at--)
        sum->terms[at] = sum->terms[at - 1];
    sum->terms[at] = (MgCpuTerm){value, times, order};
    return true;
}

// Splits off a constant factor and returns the other one, or NULL if there is none.
static const MgKx *scaled(const MgKx *x, uint64_t *times) {
    for (int i = 0; i < 2; i++)
        if (x->prim == MG_PRIM_MUL && x->args[i]->kind == MG_KX_CONST) {
            *times *= x->args[i]->bits;
            return x->args[!i];
        }
    return NULL;
}

// Does x consist of variables and constants only? Then it may be decomposed outside its original
// place.
static bool is_sum(const MgKx *x, uint32_t *nodes) {
    uint64_t times = 1;
    if (x->type.lanes != 1 || x->type.dtype != MG_I64 || ++*nodes > MOST_NODES)
        return false;
    if (x->kind != MG_KX_PRIM)
        return x->kind == MG_KX_CONST || x->kind == MG_KX_VAR;
    if (x->prim == MG_PRIM_ADD || x->prim == MG_PRIM_SUB)
        return is_sum(x->args[0], nodes) && is_sum(x->args[1], nodes);
    const MgKx *factor = scaled(x, &times);
    return factor && is_sum(factor, nodes);
}

// ---------------------------------------------------------------- products

typedef struct Product {
    const MgKx *factors[MOST_FACTORS]; // none of them is constant
    uint32_t n;
    uint64_t times;
} Product;

static bool add_factor(Product *p, const MgKx *x) {
    if (x->kind == MG_KX_CONST) {
        p->times *= x->bits;
        return true;
    }
    if (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_MUL)
        return add_factor(p, x->args[0]) && add_factor(p, x->args[1]);
    if (p->n == MOST_FACTORS)
        return false;
    p->factors[p->n++] = x;
    return true;
}

static bool is_parameter(const MgCpuEmit *e, const MgKx *x) {
    return x->kind == MG_KX_VAR && e->scalar_of[x->var];
}

// The last variable that a value depends on, which decides the term's place in an address. 0 if it
// depends on parameters alone.
static uint32_t order_of(const MgCpuEmit *e, const MgKx *x) {
    if (x->kind == MG_KX_CONST || is_parameter(e, x))
        return 0;
    if (x->kind == MG_KX_VAR)
        return x->var;
    uint32_t order = x->kind == MG_KX_PRIM ? 0 : LAST;
    for (uint32_t i = 0; i < x->n_args && order != LAST; i++) {
        uint32_t own = x->args[i] ? order_of(e, x->args[i]) : 0;
        order = own > order ? own : order;
    }
    return order;
}

static uint32_t order_of_all(const MgCpuEmit *e, const Product *p) {
    uint32_t order = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t own = order_of(e, p->factors[i]);
        order = own > order ? own : order;
    }
    return order;
}

static LLVMValueRef value_of(MgCpuEmit *e, const Product *p) {
    LLVMValueRef value = mg_cpu_value(e, p->factors[0]);
    for (uint32_t i = 1; i < p->n; i++)
        value = LLVMBuildMul(e->builder, value, mg_cpu_value(e, p->factors[i]), "");
    return value;
}

static bool loads(const MgKx *x) {
    bool any = x->kind == MG_KX_LOAD;
    for (uint32_t i = 0; i < x->n_args && !any; i++)
        any = x->args[i] && loads(x->args[i]);
    return any;
}

// Is x, or the let that defines it, *rest + *constant? A let that loads doesn't count: its memory
// may have changed since.
static bool is_shifted(const MgCpuEmit *e, const MgKx *x, const MgKx **rest, uint64_t *constant) {
    if (x->kind == MG_KX_VAR && e->lets[x->var]) {
        x = e->lets[x->var];
        if (loads(x))
            return false;
    }
    if (x->kind != MG_KX_PRIM || x->prim != MG_PRIM_ADD || x->args[1]->kind != MG_KX_CONST)
        return false;
    *rest = x->args[0];
    *constant = x->args[1]->bits;
    return true;
}

// Adds a product. It splits (v + c) * stride into v * stride and c strides.
static bool add_product(MgCpuEmit *e, Sum *sum, Product *p) {
    for (uint32_t i = 0; i < p->n && p->n > 1; i++) {
        Product others = {.times = p->times};
        const MgKx *rest;
        uint64_t constant;
        for (uint32_t j = 0; j < p->n; j++)
            if (j != i)
                others.factors[others.n++] = p->factors[j];
        if (order_of_all(e, &others) || !is_shifted(e, p->factors[i], &rest, &constant))
            continue;
        if (!add_term(sum, value_of(e, &others), constant * others.times, STRIDE))
            return false;
        p->factors[i] = rest;
    }
    return add_term(sum, value_of(e, p), p->times, order_of_all(e, p));
}

// Adds times * x. False if the sum gets too long.
static bool add(MgCpuEmit *e, Sum *sum, const MgKx *x, uint64_t times) {
    if (++sum->nodes > MOST_NODES)
        return false;
    if (x->kind == MG_KX_CONST) {
        sum->constant += times * x->bits;
        return true;
    }
    if (x->kind == MG_KX_VAR) {
        const MgKx *let = e->lets[x->var];
        uint32_t nodes = 0;
        return let && is_sum(let, &nodes) ? add(e, sum, let, times)
                                          : add_term(sum, mg_cpu_value(e, x), times, x->var);
    }
    if (x->kind == MG_KX_PRIM && (x->prim == MG_PRIM_ADD || x->prim == MG_PRIM_SUB))
        return add(e, sum, x->args[0], times) &&
               add(e, sum, x->args[1], x->prim == MG_PRIM_ADD ? times : -times);
    uint64_t scale = times;
    const MgKx *factor = x->kind == MG_KX_PRIM ? scaled(x, &scale) : NULL;
    if (factor)
        return add(e, sum, factor, scale);
    Product p = {.times = times};
    if (x->kind == MG_KX_PRIM && x->prim == MG_PRIM_MUL && add_factor(&p, x) && p.n)
        return add_product(e, sum, &p);
    return add_term(sum, mg_cpu_value(e, x), times, LAST);
}

// ---------------------------------------------------------------- the address of a sum

static LLVMValueRef step(MgCpuEmit *e, LLVMTypeRef elem, LLVMValueRef base, LLVMValueRef index) {
    return LLVMBuildGEP2(e->builder, elem, base, &index, 1, "");
}

static bool same_terms(const MgCpuPlace *p, const Sum *sum) {
    bool same = p->n == sum->n;
    for (uint32_t i = 0; i < sum->n && same; i++)
        same = p->terms[i].value == sum->terms[i].value && p->terms[i].times == sum->terms[i].times;
    return same;
}

static LLVMValueRef step_times(MgCpuEmit *e, LLVMTypeRef elem, LLVMValueRef base,
                               LLVMValueRef value, uint64_t times) {
    if (times != 1)
        value = LLVMBuildMul(e->builder, value, mg_cpu_int(e, (int64_t)times), "");
    return times ? step(e, elem, base, value) : base;
}

// All of the address but the constant, computed once in each basic block.
static LLVMValueRef varying(MgCpuEmit *e, MgKBufId buf, LLVMTypeRef elem, const Sum *sum) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
    for (uint32_t i = 0; i < MG_CPU_PLACES; i++)
        if (e->places[i].block == block && e->places[i].buf == buf &&
            same_terms(&e->places[i], sum))
            return e->places[i].address;
    LLVMValueRef address = e->buffer_of(e, buf);
    for (uint32_t i = 0; i < sum->n; i++) {
        const MgCpuTerm *term = &sum->terms[i];
        uint64_t times = term->times;
        if (term->order == STRIDE && times < 16 * TOGETHER) {
            address = step_times(e, elem, address, term->value, times / TOGETHER * TOGETHER);
            times %= TOGETHER;
        }
        address = step_times(e, elem, address, term->value, times);
    }
    MgCpuPlace *place = &e->places[e->next_place++ % MG_CPU_PLACES];
    *place = (MgCpuPlace){.block = block, .buf = buf, .n = sum->n, .address = address};
    memcpy(place->terms, sum->terms, sizeof sum->terms);
    return address;
}

// Matches first + i64(lanes) with 32-bit lanes, which takes one gather instead of two. False if x
// has no such form.
static bool narrow_lanes(const MgKx *x, const MgKx **first, const MgKx **lanes) {
    bool sum = x->kind == MG_KX_PRIM && x->prim == MG_PRIM_ADD && x->type.lanes > 1;
    for (uint32_t i = 0; sum && i < 2; i++) {
        const MgKx *a = x->args[i], *b = x->args[1 - i];
        if (a->kind == MG_KX_SPLAT && b->kind == MG_KX_PRIM && b->prim == MG_PRIM_CAST &&
            b->args[0]->type.dtype == MG_I32) {
            *first = a->args[0];
            *lanes = b->args[0];
            return true;
        }
    }
    return false;
}

LLVMValueRef mg_cpu_place(MgCpuEmit *e, MgKBufId buf, const MgKx *index) {
    LLVMTypeRef elem = mg_cpu_memory_type(e, e->k->bufs.at[buf].elem);
    Sum sum = {.n = 0};
    const MgKx *first, *lanes;
    if (narrow_lanes(index, &first, &lanes))
        return step(e, elem, mg_cpu_place(e, buf, first), mg_cpu_value(e, lanes));
    if (index->type.lanes > 1 || !add(e, &sum, index, 1))
        return step(e, elem, e->buffer_of(e, buf), mg_cpu_value(e, index));
    LLVMValueRef address = varying(e, buf, elem, &sum);
    return sum.constant ? step(e, elem, address, mg_cpu_int(e, (int64_t)sum.constant)) : address;
}
