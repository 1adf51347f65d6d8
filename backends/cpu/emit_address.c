// Addresses of loads and stores, written as machines have them: a buffer, then what varies, outer
// variables first, then a constant. Accesses of a tile or of the taps of a filter differ in that
// constant alone and so share all but it; what is before it leaves the loops that it does not
// depend on. LLVM's passes would have to find both again (SCEV and loop strength reduction, at a
// fifth of the time of code generation), and after instcombine has made `or` of additions they
// often can't.
#include "backends/cpu/emit.h"

#include <string.h>

enum { MOST_NODES = 64 };

// ---------------------------------------------------------------- an index as a sum

typedef struct Sum {
    CpuTerm terms[CPU_MOST_TERMS];
    uint32_t n, nodes;
    uint64_t constant;
} Sum;

static bool add_term(Sum *sum, LLVMValueRef value, uint64_t times, uint32_t order) {
    for (uint32_t i = 0; i < sum->n; i++)
        if (sum->terms[i].value == value) {
            sum->terms[i].times += times;
            return true;
        }
    if (sum->n == CPU_MOST_TERMS)
        return false;
    uint32_t at = sum->n++;
    for (; at && sum->terms[at - 1].order > order; at--)
        sum->terms[at] = sum->terms[at - 1];
    sum->terms[at] = (CpuTerm){value, times, order};
    return true;
}

// A factor that is constant, and the other one.
static const MgKx *scaled(const MgKx *x, uint64_t *times) {
    for (int i = 0; i < 2; i++)
        if (x->prim == MG_PRIM_MUL && x->args[i]->kind == MG_KX_CONST) {
            *times *= x->args[i]->bits;
            return x->args[!i];
        }
    return NULL;
}

// Is it made of variables and constants? Then it may be taken apart where it isn't written.
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

// Adds times * x. False: it is too long.
static bool add(CpuEmit *e, Sum *sum, const MgKx *x, uint64_t times) {
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
    const MgKx *factor = x->kind == MG_KX_PRIM ? scaled(x, &times) : NULL;
    return factor ? add(e, sum, factor, times)
                  : add_term(sum, mg_cpu_value(e, x), times, UINT32_MAX);
}

// ---------------------------------------------------------------- its address

static LLVMValueRef step(CpuEmit *e, LLVMTypeRef elem, LLVMValueRef base, LLVMValueRef index) {
    return LLVMBuildGEP2(e->builder, elem, base, &index, 1, "");
}

static bool same_terms(const CpuPlace *p, const Sum *sum) {
    bool same = p->n == sum->n;
    for (uint32_t i = 0; i < sum->n && same; i++)
        same = p->terms[i].value == sum->terms[i].value && p->terms[i].times == sum->terms[i].times;
    return same;
}

// All of the address but the constant: written once in a basic block.
static LLVMValueRef varying(CpuEmit *e, MgKBufId buf, LLVMTypeRef elem, const Sum *sum) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(e->builder);
    for (uint32_t i = 0; i < CPU_PLACES; i++)
        if (e->places[i].block == block && e->places[i].buf == buf &&
            same_terms(&e->places[i], sum))
            return e->places[i].address;
    LLVMValueRef address = e->buffer_of(e, buf);
    for (uint32_t i = 0; i < sum->n; i++) {
        LLVMValueRef index = sum->terms[i].value;
        if (sum->terms[i].times != 1)
            index =
                LLVMBuildMul(e->builder, index, mg_cpu_int(e, (int64_t)sum->terms[i].times), "");
        address = step(e, elem, address, index);
    }
    CpuPlace *place = &e->places[e->next_place++ % CPU_PLACES];
    *place = (CpuPlace){.block = block, .buf = buf, .n = sum->n, .address = address};
    memcpy(place->terms, sum->terms, sizeof sum->terms);
    return address;
}

LLVMValueRef mg_cpu_place(CpuEmit *e, MgKBufId buf, const MgKx *index) {
    LLVMTypeRef elem = mg_cpu_memory_type(e, e->k->bufs.at[buf].elem);
    Sum sum = {.n = 0};
    if (index->type.lanes > 1 || !add(e, &sum, index, 1))
        return step(e, elem, e->buffer_of(e, buf), mg_cpu_value(e, index));
    LLVMValueRef address = varying(e, buf, elem, &sum);
    return sum.constant ? step(e, elem, address, mg_cpu_int(e, (int64_t)sum.constant)) : address;
}
