// Compiles scalar expressions to instructions over registers.
//
// Dimensions are known here, so every extent and stride is a number. Integer expressions that are
// linear in the indices (nearly all are) become one instruction each. Shared subtrees are compiled
// once.
#include "ir/interp_internal.h"

typedef struct Compiler {
    MgInterpRun *run;
    MgInterpProgram *program;
    const MgInterpTensor *const *operands;
    MgMap seen; // expression -> register, except under a mask
} Compiler;

static uint32_t new_reg(MgInterpProgram *p) {
    MgInterpReg r = {.v.i = MG_NEW_N(p->arena, int64_t, MG_INTERP_LANES)};
    if (p->bounds)
        r.e = MG_NEW_N(p->arena, double, MG_INTERP_LANES);
    mg_push(p->arena, &p->regs, r);
    return p->regs.len - 1;
}

MgInterpProgram *mg_interp_program_new(MgInterpRun *run, uint32_t n_indices) {
    MgInterpProgram *p = MG_NEW(run->scratch, MgInterpProgram);
    p->arena = run->scratch;
    p->bounds = run->bounds;
    p->n_indices = n_indices;
    p->index = MG_NEW_N(p->arena, uint32_t, n_indices);
    for (uint32_t i = 0; i < n_indices; i++)
        p->index[i] = new_reg(p);
    return p;
}

MgInterpProgram *mg_interp_program_copy(MgInterpRun *run, const MgInterpProgram *p) {
    MgArena *arena = run->scratch;
    MgInterpProgram *copy = mg_arena_copy(arena, p, 1, sizeof *p);
    copy->regs.at = mg_arena_copy(arena, p->regs.at, p->regs.len, sizeof *p->regs.at);
    for (uint32_t i = 0; i < p->regs.len; i++) {
        MgInterpReg *r = &copy->regs.at[i];
        r->v.i = mg_arena_copy(arena, r->v.i, MG_INTERP_LANES, sizeof *r->v.i);
        if (r->e)
            r->e = mg_arena_copy(arena, r->e, MG_INTERP_LANES, sizeof *r->e);
    }
    return copy;
}

static uint32_t const_int(MgInterpProgram *p, int64_t value) {
    uint32_t r = new_reg(p);
    for (int l = 0; l < MG_INTERP_LANES; l++)
        p->regs.at[r].v.i[l] = value;
    return r;
}

static uint32_t const_float(MgInterpProgram *p, double value) {
    uint32_t r = new_reg(p);
    for (int l = 0; l < MG_INTERP_LANES; l++)
        p->regs.at[r].v.f[l] = value;
    return r;
}

static MgInterpInstr *add_instr(MgInterpProgram *p, MgInterpCode code) {
    mg_push(p->arena, &p->code, (MgInterpInstr){.code = code});
    MgInterpInstr *in = &p->code.at[p->code.len - 1];
    in->dst = new_reg(p);
    return in;
}

// ---------------------------------------------------------------- integer expressions
bool mg_interp_linear_terms(MgInterpRun *run, MgIx x, uint32_t n_indices, int64_t *constant,
                            int64_t *coefficients) {
    MgIxTable *t = run->module->ix;
    for (uint32_t k = 0; k < n_indices; k++) {
        coefficients[k] = 0;
        MgIxSym s = mg_ix_index(t, k);
        MgIx coefficient, rest;
        if (!mg_ix_mentions(t, x, s))
            continue;
        if (!mg_ix_linear(t, x, s, &coefficient, &rest) || mg_ix_mentions_index(t, coefficient))
            return false;
        bool ok = true;
        coefficients[k] = mg_interp_run_ix(run, coefficient, &ok);
        if (!ok)
            return false;
        x = rest;
    }
    if (mg_ix_mentions_index(t, x))
        return false;
    bool ok = true;
    *constant = mg_interp_run_ix(run, x, &ok);
    return ok;
}

static uint32_t compile_node(Compiler *c, const MgIxNode *n) {
    static const MgPrim prims[] = {
        [MG_IX_ADD] = MG_PRIM_ADD,  [MG_IX_SUB] = MG_PRIM_SUB,  [MG_IX_MUL] = MG_PRIM_MUL,
        [MG_IX_DIV] = MG_PRIM_FDIV, [MG_IX_MOD] = MG_PRIM_FMOD, [MG_IX_MIN] = MG_PRIM_MIN,
        [MG_IX_MAX] = MG_PRIM_MAX};
    MgInterpProgram *p = c->program;
    if (n->op == MG_IX_CONST)
        return const_int(p, n->value);
    if (n->op == MG_IX_SYM) {
        uint32_t position;
        if (mg_ix_sym_is_index(c->run->module->ix, n->sym, &position))
            return position < p->n_indices ? p->index[position] : const_int(p, 0);
        return const_int(p, c->run->known[n->sym] ? c->run->dims[n->sym] : 0);
    }
    uint32_t a = compile_node(c, n->a), b = compile_node(c, n->b);
    MgInterpInstr *in = add_instr(p, MG_CODE_PRIM);
    in->prim = prims[n->op];
    in->type = in->to = MG_I64;
    in->n_args = 2;
    in->args[0] = a;
    in->args[1] = b;
    return in->dst;
}

static uint32_t compile_ix(Compiler *c, MgIx x) {
    MgInterpProgram *p = c->program;
    int64_t constant, *coefficients = MG_NEW_N(p->arena, int64_t, p->n_indices + 1);
    if (!mg_interp_linear_terms(c->run, x, p->n_indices, &constant, coefficients))
        return compile_node(c, mg_ix_tree(c->run->module->ix, x, p->arena));
    MgLinearPlan plan = {.constant = constant,
                         .regs = MG_NEW_N(p->arena, uint32_t, p->n_indices + 1),
                         .coefficients = coefficients};
    for (uint32_t k = 0; k < p->n_indices; k++)
        if (coefficients[k]) {
            plan.regs[plan.n] = p->index[k];
            plan.coefficients[plan.n++] = coefficients[k];
        }
    if (plan.n == 0)
        return const_int(p, constant);
    if (plan.n == 1 && constant == 0 && plan.coefficients[0] == 1)
        return plan.regs[0];
    MgInterpInstr *in = add_instr(p, MG_CODE_LINEAR);
    in->plan.linear = mg_arena_copy(p->arena, &plan, 1, sizeof plan);
    return in->dst;
}

// ---------------------------------------------------------------- expressions
static uint32_t compile(Compiler *c, const MgSx *x, uint32_t mask);

static uint32_t compile_const(MgInterpProgram *p, const MgSx *x) {
    return mg_is_float(x->dtype) ? const_float(p, mg_bits_to_double(x->dtype, x->bits))
                                 : const_int(p, mg_bits_to_int(x->dtype, x->bits));
}

static uint32_t compile_read(Compiler *c, const MgSx *x, uint32_t mask) {
    MgInterpProgram *p = c->program;
    const MgInterpTensor *t = c->operands[x->operand];
    MgReadPlan plan = {.tensor = t,
                       .rank = x->n_args,
                       .operand = x->operand,
                       .subs = MG_NEW_N(p->arena, uint32_t, x->n_args + 1),
                       .strides = MG_NEW_N(p->arena, int64_t, x->n_args + 1),
                       .bounds = x->bounds,
                       .mask = mask};
    int64_t stride = 1;
    for (uint32_t k = x->n_args; k-- > 0;) {
        plan.strides[k] = stride;
        stride = (int64_t)((uint64_t)stride * (uint64_t)t->shape[k]);
    }
    for (uint32_t k = 0; k < x->n_args; k++) {
        plan.subs[k] = compile(c, x->args[k], mask);
        plan.by_data |= x->args[k]->kind != MG_SX_IX;
    }
    plan.outside = x->bounds == MG_BOUNDS_ELSE ? new_reg(p) : MG_NO_REG;
    MgInterpInstr *in = add_instr(p, MG_CODE_READ);
    in->type = t->dtype;
    in->to = mg_dtype(t->dtype)->compute;
    in->plan.read = mg_arena_copy(p->arena, &plan, 1, sizeof plan);
    uint32_t dst = in->dst;
    if (x->bounds != MG_BOUNDS_ELSE)
        return dst;
    uint32_t otherwise = compile(c, x->otherwise, plan.outside);
    MgInterpInstr *select = add_instr(p, MG_CODE_SELECT);
    select->type = select->to = mg_dtype(t->dtype)->compute;
    select->n_args = 3;
    select->args[0] = plan.outside;
    select->args[1] = otherwise;
    select->args[2] = dst;
    return select->dst;
}

static uint32_t compile_prim(Compiler *c, const MgSx *x, uint32_t mask) {
    uint32_t args[3] = {0};
    for (uint32_t k = 0; k < x->n_args && k < 3; k++)
        args[k] = compile(c, x->args[k], mask);
    MgInterpInstr *in = add_instr(c->program, MG_CODE_PRIM);
    in->prim = x->prim;
    in->n_args = x->n_args;
    MgDType type = x->args[x->prim == MG_PRIM_WHERE ? 1 : 0]->dtype;
    in->type = x->prim == MG_PRIM_BITCAST ? type : mg_dtype(type)->compute;
    in->to = x->dtype;
    memcpy(in->args, args, sizeof args);
    for (uint32_t k = 0; k < x->n_args && c->run->bounds; k++)
        in->exact[k] = mg_sx_in(&c->run->exact, x->args[k]);
    return in->dst;
}

static uint32_t compile_new(Compiler *c, const MgSx *x, uint32_t mask) {
    switch (x->kind) {
    case MG_SX_CONST:
        return compile_const(c->program, x);
    case MG_SX_IX: {
        uint32_t value = compile_ix(c, x->ix);
        if (x->dtype == MG_I64)
            return value;
        MgInterpInstr *in = add_instr(c->program, MG_CODE_FROM_INT);
        in->type = MG_I64;
        in->to = x->dtype;
        in->n_args = 1;
        in->args[0] = value;
        return in->dst;
    }
    case MG_SX_READ:
        return compile_read(c, x, mask);
    case MG_SX_PRIM:
        return compile_prim(c, x, mask);
    }
    return 0;
}

static uint32_t compile(Compiler *c, const MgSx *x, uint32_t mask) {
    bool shared = mask == MG_NO_REG;
    uint64_t *seen = shared ? mg_map_find(&c->seen, (uintptr_t)x) : NULL;
    if (seen)
        return (uint32_t)*seen;
    uint32_t r = compile_new(c, x, mask);
    if (shared)
        mg_map_put(&c->seen, (uintptr_t)x, r);
    return r;
}

uint32_t mg_interp_program_sx(MgInterpRun *run, MgInterpProgram *p, const MgSx *x,
                              const MgInterpTensor *const *operands) {
    Compiler c = {run, p, operands, {0}};
    mg_map_init(&c.seen, p->arena);
    return compile(&c, x, MG_NO_REG);
}
