// Finds parameters, and checks that they exist (or suggests the nearest key), and their types and
// shapes. All are checked in one go, so that a user sees every wrong key of a checkpoint at once.
#include "runtime/weights.h"

#include "formats/tensor.h"
#include "ir/interp.h"
#include "runtime/weights_random.h"

#include <unistd.h>

typedef struct Finder {
    MgSession *session;
    MgGraph *g;
    const MgSafetensors *file;
    MgWeights *weights;
    MgReaders readers; // for random values
    MgMap keys;        // of the graph's parameters
    MG_VEC(MgPort) params;
    const MgWeights *others; // of another model, whose data is shared; NULL: none
    const char *owner;       // that model's graph
    MgMap of_others;         // by key, in this session
    const void *zeros;       // for all parameters that begin with zeros; as long as the longest
    MgThreads *threads;      // compute stated values; NULL: none are computed yet
} Finder;

const char *mg_weight_type(MgArena *arena, const char *dtype, uint32_t rank, const int64_t *dims) {
    MgText out = mg_text(arena);
    mg_textf(&out, "%s[", dtype);
    for (uint32_t i = 0; i < rank; i++)
        mg_textf(&out, "%s%lld", i ? ", " : "", (long long)dims[i]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

// Copies a tensor if its elements are misaligned, or if a bool is neither 0 nor 1.
static const void *mended(MgArena *arena, const MgSafetensor *t) {
    size_t size = mg_dtype_size(t->dtype);
    const unsigned char *from = t->data;
    bool whole = (uintptr_t)from % size == 0;
    if (t->dtype == MG_BOOL)
        for (size_t i = 0; i < t->bytes && whole; i++)
            whole = from[i] <= 1;
    if (whole)
        return from;
    unsigned char *to = mg_arena_copy(arena, from, t->bytes, 1);
    if (t->dtype == MG_BOOL)
        for (size_t i = 0; i < t->bytes; i++)
            to[i] = to[i] != 0;
    return to;
}

static bool report_missing(const Finder *f, MgSpan span, MgSym key, const char *expected) {
    MgSym near = mg_safetensors_nearest(f->session, f->file, &f->keys, key);
    const char *name = mg_name(f->session->names, key);
    if (near)
        mg_diag(f->session, span, MG_D_weight_missing_near, f->file->path, name, expected,
                mg_name(f->session->names, near));
    else
        mg_diag(f->session, span, MG_D_weight_missing, f->file->path, name, expected);
    return false;
}

// Has w this type and shape? Otherwise `source`, which offers them, is reported.
static bool check_type(const Finder *f, MgSpan span, const MgWeight *w, MgDType dtype,
                       const char *type, uint32_t rank, const int64_t *dims, const char *source) {
    MgArena *arena = f->session->arena;
    bool same = dtype == w->dtype && rank == w->rank;
    for (uint32_t i = 0; i < w->rank && same; i++)
        same = dims[i] == w->dims[i];
    if (!same)
        mg_diag(f->session, span, MG_D_weight_type, w->name,
                mg_weight_type(arena, type, rank, dims), source,
                mg_weight_type(arena, mg_dtype(w->dtype)->name, w->rank, w->dims));
    return same;
}

static const MgWeight *of_others(const Finder *f, MgSym key) {
    const uint64_t *at = f->others ? mg_map_find(&f->of_others, key) : NULL;
    return at ? &f->others->all.at[*at] : NULL;
}

// Fills in the data of w from the weight of the other model.
static bool take_from_other(const Finder *f, MgSpan span, MgWeight *w) {
    const MgWeight *of = w->of = of_others(f, w->key);
    w->data = of->data;
    w->bytes = of->bytes;
    return check_type(f, span, w, of->dtype, mg_dtype(of->dtype)->name, of->rank, of->dims,
                      f->owner);
}

// Fills in the data of w from the file.
static bool take_from_file(const Finder *f, MgSpan span, MgWeight *w) {
    const MgSafetensor *t = mg_safetensors_find(f->file, w->key);
    if (!t)
        return report_missing(
            f, span, w->key,
            mg_weight_type(f->session->arena, mg_dtype(w->dtype)->name, w->rank, w->dims));
    const char *type = mg_safetensor_type(t);
    if (!check_type(f, span, w, t->dtype, type, t->rank, t->dims, f->file->path))
        return false;
    w->data = mended(f->session->arena, t);
    w->bytes = t->bytes;
    return true;
}

static MgBits initial_bits(const MgPort *param, MgDType dtype) {
    return mg_is_float(dtype) ? mg_bits_from_double(dtype, param->initial)
                              : mg_bits_from_int(dtype, (uint64_t)(int64_t)param->initial);
}

// An optimiser's state is larger than its parameters, and mostly begins with zeros. They share
// memory.
static const void *zeros(Finder *f) {
    size_t most = 0;
    for (uint32_t i = 0; i < f->params.len && !f->zeros; i++) {
        const MgPort *param = &f->params.at[i];
        const MgValue *v = mg_value(f->g, param->value);
        int64_t *dims = MG_NEW_N(f->session->arena, int64_t, v->rank + 1);
        bool known = param->has_initial && !param->begins && !initial_bits(param, v->dtype);
        for (uint32_t a = 0; a < v->rank && known; a++)
            known = mg_ix_is_const(f->g->module->ix, v->shape[a], &dims[a]);
        size_t count, bytes;
        if (known && mg_tensor_size(v->dtype, v->rank, dims, &count, &bytes) && bytes > most)
            most = bytes;
    }
    return f->zeros ? f->zeros : (f->zeros = mg_arena_alloc(f->session->arena, most, 1));
}

// The value of every element if nothing is loaded.
static const void *filled(Finder *f, const MgPort *param, MgDType dtype, size_t count) {
    MgBits bits = initial_bits(param, dtype);
    if (!bits)
        return zeros(f);
    size_t size = mg_dtype_size(dtype);
    char *data = mg_arena_alloc(f->session->arena, count, size);
    for (size_t i = 0; i < count; i++) // little-endian machines
        memcpy(data + i * size, &bits, size);
    return data;
}

// Is it state that an optimiser keeps, or a similar buffer? (The ports of a graph have names.)
static bool is_state(const MgPort *param) {
    return param->buffer && param->name && param->has_initial;
}

static void free_threads(void *threads) {
    mg_threads_free(threads);
}

static MgThreads *threads(Finder *f) {
    if (!f->threads && (f->threads = mg_threads_new(mg_threads_available(), false)))
        mg_mem_defer(f->session->mem, free_threads, f->threads);
    return f->threads;
}

// The stated initial value, computed by the reference interpreter, so that it is the same on every
// machine. Each key has a seed of its own.
static bool compute(Finder *f, const MgPort *param, MgWeight *w, size_t count) {
    MgArena *arena = f->session->arena;
    uint64_t *seed = MG_NEW(arena, uint64_t);
    *seed = mg_hash(w->name, strlen(w->name), f->g->module->weights_seed);
    MgInterpTensor input = {.dtype = MG_U64, .n = 1, .data = seed}, value;
    MgInterpOptions options = {.threads = threads(f)};
    MgArena *scratch = mg_arena_new(f->session->mem);
    bool ok = mg_interp(param->begins, &input, &value, &options, scratch);
    if (ok)
        w->data = mg_arena_copy(arena, value.data, count, mg_dtype_size(w->dtype));
    mg_arena_free(scratch);
    return ok;
}

static bool make_up(Finder *f, const MgPort *param, MgWeight *w) {
    const MgModule *m = f->g->module;
    size_t count;
    if (!mg_tensor_size(w->dtype, w->rank, w->dims, &count, &w->bytes))
        mg_mem_fail(f->session->mem);
    if (param->begins)
        return compute(f, param, w, count);
    if (param->has_initial && (m->initial_weights || !m->random_weights || is_state(param))) {
        w->data = filled(f, param, w->dtype, count);
        return true;
    }
    void *data = mg_arena_alloc(f->session->arena, count, mg_dtype_size(w->dtype));
    mg_random_weight(&f->readers, param->key, param->value, m->weights_seed, data, count);
    w->data = data;
    return true;
}

// The values of parameters for which nothing needs to be loaded: random or stated values, and those
// with which a training begins.
static bool made_up(const Finder *f, const MgPort *param) {
    bool absent =
        !f->g->weights || (is_state(param) && f->file && !mg_safetensors_find(f->file, param->key));
    return f->g->module->random_weights || (param->has_initial && absent);
}

// Finds only the sizes, if the caller binds the values later.
static bool leave_open(const Finder *f, MgWeight *w) {
    size_t count;
    if (!mg_tensor_size(w->dtype, w->rank, w->dims, &count, &w->bytes))
        mg_mem_fail(f->session->mem);
    return true;
}

static bool find_one(Finder *f, const MgPort *param) {
    const MgValue *v = mg_value(f->g, param->value);
    MgModule *m = f->g->module;
    MgWeight w = {.key = param->key,
                  .name = mg_name(f->session->names, param->key),
                  .dtype = v->dtype,
                  .rank = v->rank};
    MgOriginId origin = v->def ? mg_op(f->g, v->def)->origin : v->origin;
    MgSpan span = mg_origin_of_user(m, origin)->span; // not the library's line
    int64_t *dims = MG_NEW_N(f->session->arena, int64_t, v->rank + 1);
    for (uint32_t i = 0; i < v->rank; i++)
        if (!mg_ix_is_const(m->ix, v->shape[i], &dims[i])) {
            mg_diag(f->session, span, MG_D_weight_symbolic, mg_name(f->session->names, param->key));
            return false;
        }
    w.dims = dims;
    if (!(of_others(f, param->key)      ? take_from_other(f, span, &w)
          : f->g->module->bound_weights ? leave_open(f, &w)
          : made_up(f, param)           ? make_up(f, param, &w)
                                        : take_from_file(f, span, &w)))
        return false;
    mg_map_put(&f->weights->by_key, param->key, f->weights->all.len);
    mg_push(f->session->arena, &f->weights->all, w);
    return true;
}

// Opens the source of the weights.
static bool open_source(Finder *f, MgSpan span) {
    if (f->g->module->random_weights) {
        if (!f->readers.g)
            f->readers = mg_readers(f->g, f->session->arena);
        return true;
    }
    if (f->file)
        return true;
    if (!f->g->weights) {
        mg_diag(f->session, span, MG_D_weights_unnamed, mg_name(f->session->names, f->g->name));
        return false;
    }
    const char *source = mg_name(f->session->names, f->g->module->source);
    const char *path =
        mg_path_beside(f->session->arena, source, mg_name(f->session->names, f->g->weights));
    f->file = mg_safetensors_open(f->session, path, span);
    if (!f->file && access(path, F_OK))
        mg_diag_note(f->session, mg_no_span(), MG_D_weights_absent, source);
    return f->file != NULL;
}

static bool find_all(Finder *f) {
    const MgGraph *g = f->g;
    MgOriginId origin = g->weights ? g->weights_origin : g->origin;
    bool ok = true;
    for (uint32_t i = 0; i < f->params.len; i++) {
        const MgPort *param = &f->params.at[i];
        bool needed = !g->module->bound_weights && !of_others(f, param->key) &&
                      (!param->has_initial || g->weights || g->module->random_weights);
        if (needed && !open_source(f, mg_origin_span(g->module, origin)))
            return false;
        ok &= find_one(f, param);
    }
    return ok;
}

bool mg_weights_find(MgGraph *g, MgWeights *weights) {
    return mg_weights_share(g, NULL, NULL, weights);
}

bool mg_weights_share(MgGraph *g, const MgWeights *others, const char *owner, MgWeights *weights) {
    Finder f = {.session = g->module->session,
                .g = g,
                .file = g->module->packed,
                .weights = weights,
                .others = others,
                .owner = owner};
    mg_map_init(&f.of_others, f.session->arena);
    for (uint32_t i = 0; others && i < others->all.len; i++)
        mg_map_put(&f.of_others, mg_sym(f.session->names, others->all.at[i].name), i);
    *weights = (MgWeights){0};
    mg_map_init(&weights->by_key, f.session->arena);
    mg_map_init(&f.keys, f.session->arena);
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        if (op->kind == MG_OP_PARAM && !mg_map_find(&f.keys, op->key)) {
            mg_map_put(&f.keys, op->key, 1);
            mg_push(f.session->arena, &f.params, mg_param_port(op));
        }
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        if (g->inputs.at[i].key) {
            mg_map_put(&f.keys, g->inputs.at[i].key, 1);
            mg_push(f.session->arena, &f.params, g->inputs.at[i]);
        }
    bool ok = find_all(&f);
    if (f.threads && mg_mem_undefer(f.session->mem, f.threads))
        mg_threads_free(f.threads);
    return ok;
}

const MgWeight *mg_weight(const MgWeights *weights, MgSym key) {
    const uint64_t *at = mg_map_find(&weights->by_key, key);
    return at ? &weights->all.at[*at] : NULL;
}
