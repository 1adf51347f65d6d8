// Files and graphs: imports, and each graph's signature.
#include "frontend/sema_suggest.h"

#include "frontend/source.h"
#include "frontend/std_embedded.h"

#include <stdlib.h>

enum { MAX_UNROLLED = 1000000, MAX_CALLS = 200, MAX_IMPORTS = 1000 };

// ---------------------------------------------------------------- units
static MgSourceUnit *new_unit(MgSema *s, MgAstFile *file, MgSym name) {
    MgSourceUnit *u = mg_unit_new(s, file, name);
    for (uint32_t i = 0; i < file->items.len; i++) {
        MgAstItem *item = file->items.at[i];
        if (item->kind == MG_ITEM_DERIVATIVE)
            continue;
        uint64_t *old = mg_map_find(&u->items, item->name.sym);
        if (old) {
            const MgAstItem *first = (const MgAstItem *)(uintptr_t)*old;
            mg_diag(s->session, item->name.span, MG_D_defined_twice,
                    mg_sym_text(s, item->name.sym));
            mg_diag_note(s->session, first->name.span, MG_D_defined_here,
                         mg_sym_text(s, item->name.sym));
            continue;
        }
        mg_map_put(&u->items, item->name.sym, (uintptr_t)item);
    }
    for (uint32_t i = 0; i < file->items.len; i++)
        if (file->items.at[i]->kind == MG_ITEM_DERIVATIVE)
            mg_declare_own(s, u, file->items.at[i]);
    return u;
}

void mg_load_imports(MgSema *s, MgSourceUnit *u) {
    mg_push(s->arena, &s->open, u);
    for (uint32_t i = 0; i < u->file->imports.len; i++) {
        const MgAstImport *im = &u->file->imports.at[i];
        if (mg_map_find(&u->imports, im->alias.sym)) {
            mg_diag(s->session, im->span, MG_D_defined_twice, mg_sym_text(s, im->alias.sym));
            continue;
        }
        mg_map_put(&u->imports, im->alias.sym, (uintptr_t)mg_unit_import(s, u, im));
    }
    (void)mg_pop(&s->open);
}

static MgSym beside(MgSema *s, const char *from, const char *file) {
    const char *slash = strrchr(from, '/');
    if (file[0] == '/' || !slash)
        return mg_sym(s->names, file);
    return mg_symf(s->names, "%.*s/%s", (int)(slash - from), from, file);
}

MgSourceUnit *mg_unit_import(MgSema *s, MgSourceUnit *from, const MgAstImport *im) {
    if (!im->from_file) {
        MgSourceUnit *u = mg_unit_library(s, mg_sym_text(s, im->name.sym));
        if (!u) {
            MgSymList names = {0};
            for (const MgStdFile *f = mg_std_files; f->name; f++)
                mg_push(s->arena, &names, mg_sym(s->names, f->name));
            mg_diag(s->session, im->name.span, MG_D_unknown_import, mg_sym_text(s, im->name.sym),
                    mg_suggest_foreign(s, MG_FOREIGN_MODULE, im->name.sym, names.at, names.len));
        }
        return u;
    }
    const MgSource *src = &s->session->sources.all.at[from->file->source];
    MgSym path = beside(s, src->name, mg_sym_text(s, im->file.sym));
    // One file may have several spellings; its real path is the key.
    const char *real = mg_arena_realpath(s->arena, mg_sym_text(s, path));
    MgSym key = real ? mg_sym(s->names, real) : path;
    uint64_t *known = mg_map_find(&s->units, key);
    MgSourceUnit *u = known ? (MgSourceUnit *)(uintptr_t)*known : NULL;
    for (uint32_t i = 0; u && i < s->open.len; i++)
        if (s->open.at[i] == u) {
            mg_diag(s->session, im->span, MG_D_import_cycle, mg_sym_text(s, im->file.sym));
            return NULL;
        }
    if (known)
        return u;
    if (s->open.len > MAX_IMPORTS) {
        mg_diag(s->session, im->span, MG_D_import_depth, MAX_IMPORTS);
        return NULL;
    }
    uint32_t source = mg_source_read(s->session, mg_sym_text(s, path), im->span);
    MgAstFile *file = source ? mg_parse(s->session, source) : NULL;
    if (!file) {
        mg_map_put(&s->units, key, 0);
        return NULL;
    }
    u = new_unit(s, file, path);
    mg_map_put(&s->units, key, (uintptr_t)u);
    mg_load_imports(s, u);
    return u;
}

const MgAstExpr *mg_message_expr(MgSema *s, MgSym text) {
    uint64_t *known = mg_map_find(&s->messages, text);
    if (known)
        return (const MgAstExpr *)(uintptr_t)*known;
    const char *source =
        mg_arena_printf(s->arena, "mg 1\nop message() -> (m) { m = %s }\n", mg_sym_text(s, text));
    MgAstFile *file =
        mg_parse(s->session, mg_add_source(s->session, "a message", source, strlen(source)));
    const MgAstExpr *e = NULL;
    if (file && file->items.len == 1 && file->items.at[0]->body.stmts.len == 1 &&
        file->items.at[0]->body.stmts.at[0]->kind == MG_STMT_BIND)
        e = file->items.at[0]->body.stmts.at[0]->bind.value;
    mg_map_put(&s->messages, text, (uintptr_t)e);
    return e;
}

// ---------------------------------------------------------------- one graph
static bool graph_input(MgEnv *env, const MgAstParam *p) {
    MgSema *s = env->s;
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    MgDType d;
    MgShape shape;
    if (p->kind != MG_PARAM_TENSOR || p->optional || p->variadic || p->initial) {
        MG_FAIL(env, p->span, graph_takes_tensors, mg_sym_text(s, p->name.sym));
        mg_env_bind(env, p->name.sym, mg_val_poison(), p->name.span);
        return false;
    }
    bool ok = mg_element_type(env, &p->type.element, &d) &&
              mg_shape_of(&c, &p->type.shape, MG_SHAPE_FRESH, p->type.span, &shape);
    if (!ok) {
        mg_env_bind(env, p->name.sym, mg_val_poison(), p->name.span);
        return false;
    }
    MgValueId v =
        mg_input_new(s->g, p->name.sym, d, shape.rank, shape.dims, mg_env_origin(env, p->span));
    MgBinding *b = mg_env_bind(env, p->name.sym, mg_val_tensor(v), p->name.span);
    if (b) {
        b->decl = &p->type.shape;
        b->factors = shape.factors;
    }
    for (uint32_t i = 0; i < p->type.shape.len; i++) { // a dimension comes from its first input
        const MgAstSub *sub = &p->type.shape.at[i];
        MgBinding *dim = sub->kind == MG_SUB_EXPR && sub->expr->kind == MG_EXPR_NAME
                             ? mg_env_find_here(env, sub->expr->name)
                             : NULL;
        if (dim && dim->is_dim && !dim->from)
            dim->from = p->name.sym;
    }
    return b != NULL;
}

// `training seed`: the word `training` is true, and draw() derives its seeds from this input.
static void training_clause(MgEnv *env, const MgAstClause *cl) {
    MgSema *s = env->s;
    MgBinding *b = mg_env_find_here(env, cl->name.sym);
    const MgValue *v = b && b->val.kind == MG_V_TENSOR ? mg_value(s->g, b->val.tensor) : NULL;
    if (v && v->dtype == MG_U64 && !v->rank)
        s->training = b->val.tensor;
    else
        MG_FAIL(env, cl->name.span, training_seed, mg_sym_text(s, cl->name.sym));
}

static void graph_clauses(MgEnv *env, const MgAstItem *item) {
    MgSema *s = env->s;
    for (uint32_t i = 0; i < item->clauses.len; i++) {
        const MgAstClause *cl = &item->clauses.at[i];
        if (cl->kind == MG_CLAUSE_WEIGHTS) {
            s->g->weights = cl->text.sym;
            s->g->weights_origin = mg_origin_of_span(s->module, cl->text.span, 0);
        } else if (cl->kind == MG_CLAUSE_REQUIRE) {
            MgVal v = mg_eval_static(env, cl->expr);
            env->at = mg_origin_by_at(s, &cl->annots);
            mg_require(env, cl->expr->span, &v, cl->text.sym);
            env->at = 0;
        } else if (cl->kind == MG_CLAUSE_LET) {
            MgVal v = mg_eval_static(env, cl->expr);
            mg_env_bind(env, cl->name.sym, v, cl->name.span);
        } else if (cl->kind == MG_CLAUSE_TRAINING) {
            training_clause(env, cl);
        } else {
            MG_FAIL(env, cl->span, clause_here, "");
        }
    }
}

static bool output_type(MgEnv *env, const MgAstResult *r, MgValueId v, MgSpan defined) {
    MgSema *s = env->s;
    MgDType d;
    MgValue t = *mg_value(s->g, v);
    MgCtx c = {.env = env, .mode = MG_M_STATIC, .pos = -1};
    if (!r->type)
        return true;
    if (!mg_element_type(env, &r->type->element, &d))
        return false;
    if (d != t.dtype) {
        MG_FAIL(env, defined, result_type, mg_sym_text(s, r->name.sym), mg_dtype(d)->name,
                mg_dtype(t.dtype)->name);
        mg_diag_note(s->session, r->span, MG_D_declared_here, mg_sym_text(s, r->name.sym));
        return false;
    }
    return mg_unify(&c, &r->type->shape, t.rank, t.shape, r->name.sym, defined, r->type->span) >= 0;
}

// `k2: f16[B, P] over k`: the output takes the buffer of an input of the same type.
static int32_t taken_input(MgEnv *env, const MgAstResult *r, MgValueId v) {
    MgSema *s = env->s;
    for (uint32_t i = 0; r->over.sym && i < s->g->inputs.len; i++) {
        if (s->g->inputs.at[i].name != r->over.sym)
            continue;
        MgValue *a = mg_value(s->g, v), *b = mg_value(s->g, s->g->inputs.at[i].value);
        bool same = a->dtype == b->dtype && a->rank == b->rank;
        for (uint32_t k = 0; same && k < a->rank; k++)
            same = mg_same(s, a->shape[k], b->shape[k]) == MG_PROVED;
        MgVal x = mg_val_tensor(s->g->inputs.at[i].value), y = mg_val_tensor(v);
        if (!same)
            MG_FAIL(env, r->over.span, base_type, mg_sym_text(s, r->over.sym), mg_val_text(s, &x),
                    mg_val_text(s, &y), "");
        return (int32_t)i;
    }
    if (r->over.sym)
        MG_FAIL(env, r->over.span, unknown_name, mg_sym_text(s, r->over.sym), "");
    return -1;
}

static void graph_outputs(MgEnv *env, const MgAstItem *item) {
    MgSema *s = env->s;
    for (uint32_t i = 0; i < item->results.len; i++) {
        const MgAstResult *r = &item->results.at[i];
        MgBinding *b = mg_env_find_here(env, r->name.sym);
        if (mg_result_twice(env, item, i))
            continue;
        if (!b) {
            if (!s->stopped && !mg_definition_was_skipped(env, r->name.sym, item->body.span))
                MG_FAIL(env, r->span, result_missing, mg_sym_text(s, r->name.sym),
                        mg_sym_text(s, item->name.sym));
            continue;
        }
        MgSpan defined = b->span;
        MgVal v = b->val.kind == MG_V_PIECES ? mg_finish_pieces(b->val.pieces) : b->val;
        if (mg_is_scalar(&v)) {
            MgDType d = MG_DTYPE_COUNT;
            if (r->type && !mg_element_type(env, &r->type->element, &d))
                continue;
            MgValueId id = mg_materialise(env, v, d, r->name.sym, r->span);
            v = id ? mg_val_tensor(id) : mg_val_poison();
        }
        if (v.kind == MG_V_PARAM)
            mg_close_param(env, &v, v.open->shape);
        if (v.kind == MG_V_POISON)
            continue;
        if (v.kind != MG_V_TENSOR) {
            MG_FAIL(env, r->span, not_a_tensor, mg_sym_text(s, r->name.sym), mg_val_text(s, &v));
            continue;
        }
        if (output_type(env, r, v.tensor, defined)) {
            MgPort port = {
                .value = v.tensor, .name = r->name.sym, .aliases = taken_input(env, r, v.tensor)};
            mg_push(s->module->arena, &s->g->outputs, port);
        }
    }
}

static bool names_output(MgSema *s, MgSym name) {
    for (uint32_t i = 0; i < s->g->outputs.len; i++)
        if (s->g->outputs.at[i].name == name)
            return true;
    return false;
}

static void rename_value(MgSema *s, MgValueId v, MgSym name) {
    mg_value(s->g, v)->name = name;
    mg_map_put(&s->g->value_names, name, v);
}

// Gives each output's value the output's name, which keeps dumps short.
static void name_outputs(MgSema *s) {
    for (uint32_t i = 0; i < s->g->outputs.len; i++) {
        MgPort port = s->g->outputs.at[i];
        MgValue *v = mg_value(s->g, port.value);
        if (v->name == port.name || !v->def || mg_op(s->g, v->def)->kind == MG_OP_PARAM ||
            names_output(s, v->name))
            continue;
        MgValueId holder = (MgValueId)mg_map_get(&s->g->value_names, port.name, 0);
        if (holder && mg_value(s->g, holder)->name == port.name) {
            MgOpId def = mg_value(s->g, holder)->def;
            if (!def || mg_op(s->g, def)->kind == MG_OP_PARAM)
                continue;
            rename_value(s, holder, mg_unique_name(s->g, port.name));
        }
        rename_value(s, port.value, port.name);
    }
}

// Makes the environment of a graph's body: its inputs, and the effects of its clauses.
static MgEnv *open_graph(MgSema *s, MgSourceUnit *unit, const MgAstItem *item) {
    s->g = mg_graph_new(s->module, item->name.sym);
    s->g->origin = mg_origin_of_span(s->module, item->name.span, 0);
    s->first_op = 0;
    s->open_params.len = 0;
    s->updates.len = 0;
    s->derived.len = 0;
    s->owns.len = 0;
    s->training = MG_NONE;
    s->asks_training = false;
    mg_map_init(&s->draws, s->arena);
    mg_map_init(&s->derivatives, s->arena);
    mg_map_init(&s->params, s->arena);
    mg_map_init(&s->instance_keys, s->arena);
    mg_map_init(&s->requires, s->arena);
    s->facts.len = 0;
    s->late.len = 0;
    s->counters = NULL;
    MgEnv *env = mg_env_new(s, NULL);
    env->unit = unit;
    env->item = item;
    for (uint32_t i = 0; i < item->type_params.len; i++) {
        const MgAstTypeParam *t = &item->type_params.at[i];
        MG_FAIL(env, t->span, graph_type_params, "");
        mg_env_bind(env, t->name.sym, mg_val_poison(), t->span);
    }
    for (uint32_t i = 0; i < item->params.len; i++)
        graph_input(env, &item->params.at[i]);
    graph_clauses(env, item);
    return env;
}

static void lower_graph(MgSema *s, MgSourceUnit *unit, const MgAstItem *item) {
    uint32_t errors = s->session->n_errors;
    if (!mg_least_fits(s, unit, item))
        return;
    MgEnv *env = open_graph(s, unit, item);
    mg_block(env, &item->body);
    for (uint32_t i = 0; i < env->names.len; i++)
        if (env->names.at[i].val.kind == MG_V_PIECES)
            mg_finish_pieces(env->names.at[i].val.pieces);
    graph_outputs(env, item);
    for (uint32_t i = 0; i < s->open_params.len; i++)
        if (!s->open_params.at[i]->value && s->session->n_errors == errors)
            MG_FAIL(env, s->open_params.at[i]->span, open_param,
                    mg_sym_text(s, s->open_params.at[i]->name));
    mg_add_stated(env);
    if (s->updates.len && s->asks_training && !s->training)
        MG_FAIL(env, item->name.span, not_training, mg_sym_text(s, item->name.sym));
    mg_update_params(s);
    mg_drop_unasked(s);
    name_outputs(s);
    mg_prove_reads(s);
    if (s->session->n_errors == errors)
        mg_graph_guard(s->g);
    if (s->options.observer)
        mg_observe_tell(s);
}

// ---------------------------------------------------------------- entry points
// Opens the module, the library, and the file's own unit with its imports.
static MgSourceUnit *open_file(MgSema *s, const MgAstFile *file) {
    const MgSource *src = &s->session->sources.all.at[file->source];
    s->module = mg_module_new(s->session, mg_sym(s->names, src->name));
    s->ix = s->module->ix;
    mg_list_prelude(s);
    MgSourceUnit *unit = new_unit(s, (MgAstFile *)file, mg_sym(s->names, src->name));
    const char *real = mg_arena_realpath(s->arena, src->name);
    mg_map_put(&s->units, mg_sym(s->names, real ? real : src->name), (uintptr_t)unit);
    mg_load_imports(s, unit);
    return unit;
}

static MgModule *lower(MgSema *s, const MgAstFile *file) {
    MgSourceUnit *unit = open_file(s, file);
    uint32_t n = 0;
    for (uint32_t i = 0; i < file->items.len; i++)
        if (file->items.at[i]->kind == MG_ITEM_GRAPH) {
            n++;
            lower_graph(s, unit, file->items.at[i]);
        }
    if (!n && !s->session->n_errors) // a name of another kind may have been meant as a graph
        mg_diag(s->session, file->version_span, MG_D_no_graph,
                s->session->sources.all.at[file->source].name);
    return s->module;
}

// Reports an incomplete graph, unless an earlier error explains it.
static void check_complete(MgSema *s, const MgGraph *g, const MgAstFile *file) {
    uint32_t results = 0; // without next values
    for (uint32_t i = 0; i < g->outputs.len; i++)
        results += !g->outputs.at[i].key;
    for (uint32_t i = 0; i < file->items.len; i++) {
        const MgAstItem *item = file->items.at[i];
        if (item->kind == MG_ITEM_GRAPH && item->name.sym == g->name && results < item->results.len)
            mg_diag(s->session, item->name.span, MG_D_result_lost);
    }
}

MgSema *mg_sema_new(MgSession *session, const MgLowerOptions *options) {
    MgSema *s = MG_NEW(session->arena, MgSema);
    *s = (MgSema){.session = session, .arena = session->arena, .names = session->names, .trips = 1};
    if (options)
        s->options = *options;
    if (!s->options.max_unrolled)
        s->options.max_unrolled = MAX_UNROLLED;
    if (!s->options.max_depth)
        s->options.max_depth = MAX_CALLS;
    MgMap *maps[] = {&s->units, &s->prelude, &s->messages, &s->recursive, &s->weights};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        mg_map_init(maps[i], s->arena);
    return s;
}

MgEnv *mg_sema_open(MgSema *s, const MgAstFile *file) {
    uint32_t errors = s->session->n_errors;
    MgSourceUnit *unit = open_file(s, file);
    for (uint32_t i = 0; i < file->items.len; i++)
        if (file->items.at[i]->kind == MG_ITEM_GRAPH) {
            MgEnv *env = open_graph(s, unit, file->items.at[i]);
            return s->session->n_errors == errors ? env : NULL;
        }
    return NULL;
}

MgModule *mg_lower_file(MgSession *session, const MgAstFile *file, const MgLowerOptions *options) {
    MgSema *s = mg_sema_new(session, options);
    uint32_t errors = session->n_errors;
    MgModule *module = lower(s, file);
    bool complete = !file->skipped.len && !s->stopped;
    for (uint32_t i = 0; complete && i < module->graphs.len && session->n_errors == errors; i++)
        check_complete(s, module->graphs.at[i], file);
    return session->n_errors == errors && !s->stopped ? module : NULL;
}

MgModule *mg_load_source(MgSession *session, uint32_t source) {
    uint32_t errors = session->n_errors;
    MgAstFile *file = source ? mg_parse(session, source) : NULL;
    if (!file)
        return NULL;
    MgModule *module = mg_lower_file(session, file, session->lowering);
    return session->n_errors == errors ? module : NULL;
}

MgModule *mg_load_module(MgSession *session, const char *path) {
    return mg_load_source(session, mg_source_read(session, path, mg_no_span()));
}

MgModule *mg_load_module_text(MgSession *session, const char *name, const char *text,
                              size_t length) {
    if (length > MG_SOURCE_MAX) {
        mg_diag(session, mg_no_span(), MG_D_file_too_large, name, MG_SOURCE_TOO_LARGE);
        return NULL;
    }
    return mg_load_source(session, mg_add_source(session, name, text, length));
}
