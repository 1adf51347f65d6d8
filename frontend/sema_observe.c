// Reports the types of names in the user's text to an editor. Values are kept while a graph is
// lowered and reported at its end, when sizes that a later use determines are known.
#include "frontend/sema_internal.h"

enum { MOST = 100000 }; // a compile-time loop may bind a name a million times

void mg_observe(MgEnv *env, MgSpan name, MgVal val) {
    MgSema *s = env->s;
    bool told = val.kind == MG_V_INT || val.kind == MG_V_FLOAT || val.kind == MG_V_BOOL ||
                val.kind == MG_V_STR || val.kind == MG_V_TYPE || val.kind == MG_V_LIST ||
                val.kind == MG_V_TENSOR || val.kind == MG_V_PARAM;
    if (told && name.source && !env->unit->library && s->observed.len < MOST)
        mg_push(s->arena, &s->observed, (MgObserved){name, val});
}

void mg_observe_tell(MgSema *s) {
    const MgLowerObserver *observer = s->options.observer;
    for (uint32_t i = 0; i < s->observed.len; i++) {
        MgVal v = s->observed.at[i].val;
        if (v.kind == MG_V_PARAM && v.open->value)
            v = mg_val_tensor(v.open->value);
        observer->type(observer->context, s->observed.at[i].name, mg_val_text(s, &v));
    }
    s->observed.len = 0;
}
