// Finds sums of products with computed weights; see attention.h. A product that isn't one of rows
// and keys, such as a matrix of which each row uses a part, is read from memory, like anything else
// that no step computes.
#include "passes/attention_steps.h"

// Puts a product that has no value for each key outside. False if there is none.
static bool put_outside(MgSearch *f) {
    for (uint32_t i = 0; i < f->a->n_products; i++) {
        const MgAttentionStep *step = &f->a->steps[f->a->products[i].step];
        if ((mg_search_box(f, step) & f->a->keys) == f->a->keys)
            continue;
        if (f->n_outside == MG_ATTENTION_PRODUCTS)
            return false;
        f->outside[f->n_outside++] = step->op;
        return true;
    }
    return false;
}

// Gives all steps their roles. False if weights depend on the columns, too.
static bool cast_steps(MgSearch *f) {
    MgAttention *a = f->a;
    MgAttentionStep *values = &a->steps[a->values];
    uint64_t seen = mg_search_mentioned(f, values, a->weight);
    for (uint32_t s = 0; s < a->values; s++) {
        a->steps[s].role = MG_ATTENTION_SCORE;
        seen |= mg_search_box(f, &a->steps[s]);
    }
    for (uint32_t i = 0; i < a->n_products; i++)
        a->steps[a->products[i].step].role = MG_ATTENTION_SCORES;
    values->role = MG_ATTENTION_VALUES;
    a->max = a->exp = a->sum = UINT32_MAX;
    a->score = values->weight = mg_attention_unrounded(a->weight);
    a->argument = a->values;
    return a->rows && !(seen & a->columns);
}

static bool one_type(const MgSearch *f) {
    MgAttention *a = f->a;
    a->type = mg_search_piece(f, a->steps[a->values].op)->expr->dtype;
    bool same = a->type == MG_F32 && a->weight->dtype == a->type;
    for (uint32_t i = 0; i < a->n_products; i++)
        same &= mg_search_piece(f, a->steps[a->products[i].step].op)->expr->dtype == a->type;
    return same;
}

static bool find_with(MgSearch *f, MgOpId id, uint32_t factor) {
    f->n_outside = 0;
    while (mg_search_steps(f, id, factor))
        if (!put_outside(f))
            return mg_search_classes(f) && cast_steps(f) && one_type(f);
    return false;
}

bool mg_attention_find_weighted(MgGraph *g, MgOpId op, uint32_t factor, const uint32_t *uses,
                                MgAttention *a) {
    MgSearch f = mg_search_begin(g, op, a);
    return mg_search_is_last(&f, op) && find_with(&f, op, factor) &&
           (!uses || mg_search_is_closed(&f, uses));
}
