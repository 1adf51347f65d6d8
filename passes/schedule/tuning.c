// Looks up the tuned choice of a unit, and records the units that ask for one.
#include "passes/schedule/tuning.h"

#include "passes/schedule/schedule.h"

#include <stdlib.h>

const MgParamRow mg_params[MG_N_PARAMS] = {
#define MG_PARAM(id, name, least, most, candidates, documentation)                                 \
    {name, least, most, candidates, documentation},
#include "passes/schedule/params.def"
#undef MG_PARAM
};

MgParam mg_param_of_name(const char *name, size_t length) {
    for (int i = 0; i < MG_N_PARAMS; i++)
        if (strlen(mg_params[i].name) == length && !memcmp(mg_params[i].name, name, length))
            return (MgParam)i;
    return MG_N_PARAMS;
}

int mg_tuned_order(const void *a, const void *b) {
    const MgTuned *x = a, *y = b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return (int)x->param - (int)y->param;
}

uint64_t mg_tuning_hash(const MgTuning *tuning) {
    uint64_t hash = 0;
    for (uint32_t i = 0; tuning && i < tuning->n; i++) {
        const MgTuned *t = &tuning->at[i];
        hash =
            mg_hash_mix(mg_hash_mix(hash, t->unit), (uint64_t)t->param << 48 ^ (uint64_t)t->value);
    }
    return hash;
}

// Equal ops have equal text. Whether an operand never changes is part of the key too.
static uint64_t key_of(MgSched *s, const MgUnit *unit) {
    const MgScheduleOptions *o = s->options;
    uint64_t key = mg_hash_mix((uint64_t)o->level << 32 | s->workers, o->strict);
    for (uint32_t i = 0; i < unit->n_ops; i++) {
        MgOneOp one = mg_graph_one_op(s->g, unit->ops[i], true, NULL, NULL);
        MgPrintOptions print = {.inline_const = 64};
        MgText text = mg_text(s->arena);
        mg_graph_print(one.graph, &print, &text);
        key = mg_hash_mix(key, mg_hash(text.bytes.at, text.bytes.len, 0));
        for (uint32_t k = 0; k < one.inputs.len; k++)
            key = mg_hash_mix(key, mg_is_kept(s, one.inputs.at[k]));
    }
    return key ? key : 1;
}

void mg_tuning_begin(MgSched *s) {
    MgTuneLog *log = s->options->tuning ? s->options->tuning->log : NULL;
    if (log) {
        log->asked.len = 0;
        log->sites.len = 0;
    }
}

void mg_tuning_end(MgSched *s) {
    MgTuneLog *log = s->options->tuning ? s->options->tuning->log : NULL;
    for (uint32_t i = 0; log && i < s->p->sites.len; i++)
        mg_push(log->arena, &log->sites, s->p->sites.at[i].unit);
}

int64_t mg_param(MgSched *s, const MgUnit *unit, MgParam param, int64_t value) {
    const MgTuning *tuning = s->options->tuning;
    if (!tuning || (!tuning->n && !tuning->log))
        return value;
    if (s->draft->unit.tuned != unit) {
        s->draft->unit.tuned = unit;
        s->draft->unit.key = key_of(s, unit);
    }
    MgTuned want = {s->draft->unit.key, param, value};
    if (tuning->log) {
        bool known = false;
        for (uint32_t i = 0; i < tuning->log->asked.len; i++)
            known |= !mg_tuned_order(&tuning->log->asked.at[i], &want);
        if (!known)
            mg_push(tuning->log->arena, &tuning->log->asked, want);
    }
    if (!tuning->n) // it only records
        return value;
    const MgTuned *found = bsearch(&want, tuning->at, tuning->n, sizeof want, mg_tuned_order);
    want.unit = MG_EVERY_UNIT;
    if (!found)
        found = bsearch(&want, tuning->at, tuning->n, sizeof want, mg_tuned_order);
    return found ? found->value : value;
}
