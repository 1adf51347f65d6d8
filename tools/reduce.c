// Greedy reduction to a fixed point, as in delta debugging (Zeller and Hildebrandt, TSE 28, 2002)
// over a language's own structure (as C-Reduce: Regehr et al., PLDI 2012): every reduction is tried
// in turn, from coarse to fine, and kept if the property holds. Each candidate is made from text to
// text in a session of its own, so that its memory is freed.
#include "tools/reduce.h"

#include "frontend/sema.h"
#include "passes/reduction.h"

typedef struct Candidate {
    MgArena *arena; // of the result
    const char *name, *text, *graph;
    MgReduction kind;
    uint32_t k;
} Candidate;

static const char *print(MgModule *module, MgArena *arena) {
    MgText out = mg_text(arena);
    MgPrintOptions options = {.annotations = true, .inline_const = SIZE_MAX};
    mg_module_print(module, &options, &out);
    return mg_text_str(&out);
}

static uint32_t number_of(const MgModule *module, const char *graph) {
    for (uint32_t i = 0; graph && i < module->graphs.len; i++)
        if (!strcmp(mg_name(module->session->names, module->graphs.at[i]->name), graph))
            return i;
    return 0;
}

// The reduced text, or NULL. *more says whether a larger k may exist.
static const char *reduce_in(MgSession *session, const Candidate *c, bool *more) {
    MgModule *m = mg_load_module_text(session, c->name, c->text, strlen(c->text));
    if (!m || !m->graphs.len ||
        (c->kind < MG_REDUCTIONS && !mg_reduce(m, number_of(m, c->graph), c->kind, c->k)))
        return NULL;
    *more = true;
    const char *text = print(m, c->arena);
    MgModule *again = mg_load_module_text(session, c->name, text, strlen(text));
    return again && mg_module_verify(again) ? print(again, c->arena) : NULL;
}

static const char *make(const Candidate *c, bool *more) {
    MgSession *session = mg_session_new(0);
    const char *text = NULL;
    *more = false;
    MgTry frame;
    if (session && MG_TRY(session->mem, frame)) {
        text = reduce_in(session, c, more);
        mg_try_end(session->mem, &frame);
    }
    mg_session_free(session);
    return text;
}

const char *mgc_reduce_text(MgArena *arena, const char *name, const char *text, const char *graph,
                            MgcInteresting *interesting, void *ctx, uint32_t *tried) {
    bool more, changed = true;
    Candidate c = {arena, name, text, graph, MG_REDUCTIONS, 0};
    const char *flat = make(&c, &more); // the flat form, if it has the property too
    if (flat && ++*tried && interesting(ctx, flat))
        c.text = flat;
    while (changed) {
        changed = false;
        for (c.kind = 0; c.kind < MG_REDUCTIONS; c.kind++)
            for (c.k = 0, more = true; more;) {
                const char *smaller = make(&c, &more);
                bool good = smaller && strlen(smaller) < strlen(c.text) && ++*tried &&
                            interesting(ctx, smaller);
                if (good)
                    c.text = smaller; // k is another place now
                else
                    c.k++;
                changed |= good;
            }
    }
    return c.text;
}
