// From a module to the files of a library. Everything is made in memory first and written at the
// end, so that an error leaves no file.
#include "runtime/library.h"

#include "runtime/weights.h"

#include <inttypes.h>
#include <stdlib.h>

typedef MG_VEC(MgSafetensor) Tensors;

static const int64_t SIZE_END = (int64_t)1 << 40; // as library.ll has it

typedef struct Maker {
    MgSession *session;
    const MgLibraryRequest *request;
    MgLibrary library;
    MgByteParts weights; // of the file beside the library; empty if there is none
} Maker;

static const char *extension_of(const char *path) {
    static const char *const known[] = {".so", ".a", ".o"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (mg_path_has_extension(path, known[i]))
            return known[i];
    return NULL;
}

bool mg_library_is_output(const char *path) {
    return extension_of(path) != NULL;
}

// ------------------------------------------------------------------------------------------ checks
// Adds a requirement. A library has no front end to look at sizes, so what mg_bind_dims checks
// becomes requirements of the graph, which the library's code tests.
static void require(MgGraph *g, MgIx nonnegative, MgOriginId origin, const char *message) {
    MgSession *session = g->module->session;
    if (mg_ix_nonnegative(g->module->ix, nonnegative, NULL, NULL, 0) == MG_PROVED)
        return;
    for (uint32_t i = 0; i < g->requires.len; i++)
        if (g->requires.at[i].nonnegative == nonnegative)
            return;
    mg_push(g->module->arena, &g->requires,
            (MgRequire){nonnegative, mg_sym(session->names, message), origin});
}

// Requires the bounds of a size. It doesn't call require(), which would use the interval to prove
// the check itself.
static void require_interval(MgGraph *g, uint32_t d) {
    MgIxTable *t = g->module->ix;
    MgIxSym s = g->dims.at[d];
    int64_t low, high;
    mg_ix_sym_bounds(t, s, &low, &high);
    const char *name = mg_name(g->module->session->names, mg_ix_sym_name(t, s));
    MgIx x = mg_ix_sym(t, s);
    MgRequire ends[] = {
        {mg_ix_sub(t, x, mg_ix_const(t, low)),
         mg_sym(g->module->session->names,
                mg_arena_printf(g->module->arena, "%s must be at least %" PRId64, name, low)),
         g->origin},
        {mg_ix_sub(t, mg_ix_const(t, high), x),
         mg_sym(g->module->session->names,
                mg_arena_printf(g->module->arena, "%s must be at most %" PRId64, name, high)),
         g->origin}};
    if (low > 0)
        mg_push(g->module->arena, &g->requires, ends[0]);
    if (high < MG_IX_INF)
        mg_push(g->module->arena, &g->requires, ends[1]);
}

static bool is_given(MgGraph *g, MgIx x, uint32_t given) {
    for (uint32_t d = given; d < g->dims.len; d++)
        if (mg_ix_mentions(g->module->ix, x, g->dims.at[d]))
            return false;
    return true;
}

// The largest value of dimension x, given that a library only takes sizes below 2^40.
static int64_t most(MgGraph *g, MgIx x) {
    int64_t low, high;
    mg_ix_interval(g->module->ix, x, NULL, &low, &high);
    return high < SIZE_END ? high : SIZE_END;
}

// Requires that a value does not have too many elements, since the library's code computes sizes
// without checks for overflow. After each axis, the number of elements still allowed must be at
// least one.
static void require_count(MgGraph *g, const MgValue *v, uint32_t given) {
    MgIxTable *t = g->module->ix;
    MgNames *names = g->module->session->names;
    MgIx one = mg_ix_const(t, 1), left = mg_ix_const(t, MG_COUNT_MAX);
    int64_t n = 1;
    bool fits = true;
    MgText shape = mg_text(g->module->arena);
    for (uint32_t a = 0; a < v->rank; a++) {
        if (mg_ix_mentions_index(t, v->shape[a]) || !is_given(g, v->shape[a], given))
            return;
        fits &= !__builtin_mul_overflow(n, most(g, v->shape[a]), &n) && n <= MG_COUNT_MAX;
        left = mg_ix_div(t, left, mg_ix_max(t, v->shape[a], one));
        mg_text_add(&shape, a ? ", " : "");
        mg_ix_print(t, names, v->shape[a], NULL, NULL, &shape);
    }
    if (!fits)
        require(g, mg_ix_sub(t, left, one), v->origin,
                mg_arena_printf(g->module->arena,
                                "%s, of shape [%s], would have more elements than memory has "
                                "addresses",
                                mg_name(names, v->name), mg_text_str(&shape)));
}

static void add_requirements(MgGraph *g) {
    uint32_t given = mg_library_given_dims(g);
    MgNames *names = g->module->session->names;
    for (uint32_t d = 0; d < given; d++)
        require_interval(g, d);
    for (uint32_t i = 1; i < g->values.len; i++) {
        const MgValue *v = mg_value(g, i);
        for (uint32_t a = 0; a < v->rank; a++) {
            if (mg_ix_mentions_index(g->module->ix, v->shape[a]) ||
                !is_given(g, v->shape[a], given))
                continue;
            MgText formula = mg_text(g->module->arena);
            mg_ix_print(g->module->ix, names, v->shape[a], NULL, NULL, &formula);
            require(g, v->shape[a], v->origin,
                    mg_arena_printf(g->module->arena, "dimension %u of %s, %s, would be negative",
                                    a, mg_name(names, v->name), mg_text_str(&formula)));
        }
        require_count(g, v, given);
    }
}

// ------------------------------------------------------------------------------------------ forms
typedef struct Known {
    const MgGraph *g;
    const int64_t *dims;
} Known;

static bool known_dim(void *context, MgIxSym s, int64_t *value) {
    const Known *k = context;
    for (uint32_t d = 0; d < k->g->dims.len; d++)
        if (k->g->dims.at[d] == s && k->dims[d] >= 0) {
            *value = k->dims[d];
            return true;
        }
    return false;
}

static bool check_set(MgGraph *g, int64_t *dims) {
    Known known = {g, dims};
    bool ok = true;
    for (uint32_t i = 0; i < g->requires.len; i++) {
        int64_t v;
        if (mg_ix_eval(g->module->ix, g->requires.at[i].nonnegative, known_dim, &known, &v) &&
            v < 0) {
            mg_require_failed(g, &g->requires.at[i], dims);
            ok = false;
        }
    }
    return ok;
}

static bool add_form(Maker *m, MgLibraryGraph *g, int64_t *dims) {
    Known known = {g->graph, dims};
    if (!check_set(g->graph, dims))
        return false;
    MgGraph *copy = mg_graph_specialise(g->graph, known_dim, &known);
    MgProgram *program = mg_compile_passes(copy, &m->request->settings)
                             ? mg_compile_schedule(copy, &m->request->settings)
                             : NULL;
    if (!program)
        return false;
    mg_push(m->session->arena, &g->forms, (MgLibraryForm){program, dims});
    return true;
}

// The dimensions of one set that this graph has, and -1 for the others. NULL if it has none of
// them, or if they equal those of an earlier form.
static int64_t *dims_of_set(Maker *m, const MgLibraryGraph *g, const MgLibrarySet *set) {
    uint32_t n = g->graph->dims.len, found = 0;
    int64_t *dims = MG_NEW_N(m->session->arena, int64_t, n + 1);
    for (uint32_t d = 0; d < n; d++) {
        dims[d] = -1;
        for (uint32_t i = 0; set && i < set->len; i++)
            if (mg_ix_sym_name(g->graph->module->ix, g->graph->dims.at[d]) == set->at[i].dim) {
                dims[d] = set->at[i].size;
                found++;
            }
    }
    for (uint32_t f = 0; f < g->forms.len; f++)
        if (!memcmp(g->forms.at[f].dims, dims, n * sizeof *dims))
            return NULL;
    return found || !set ? dims : NULL;
}

static uint64_t hash_of(Maker *m, const MgLibraryGraph *g) {
    MgText text = mg_text(m->session->arena);
    MgPrintOptions print = {.annotations = true, .inline_const = 256};
    mg_graph_print(g->graph, &print, &text);
    for (uint32_t f = 0; f < g->forms.len; f++)
        if (!mg_compile_name(g->graph, g->forms.at[f].dims, &m->request->settings, &text))
            return 0;
    mg_textf(&text, " %zu %u", m->library.header_bytes, MG_LIBRARY_ABI);
    return mg_hash(text.bytes.at, text.bytes.len, 0) | 1; // never 0, which a zeroed instance has
}

static bool largest_dim(void *context, MgIxSym s, MgIx *to) {
    const MgDimMakers *makers = context;
    *to = mg_bound_dims(makers, mg_ix_sym(makers->graph->module->ix, s));
    return true;
}

// A library computes the memory of outputs from the shapes at the largest dimensions. So a size
// must not decrease as a dimension that data decide grows.
static bool outputs_grow(Maker *m, MgGraph *g) {
    MgDimMakers makers = mg_dim_makers(g, m->session->arena);
    for (uint32_t i = 0; i < g->outputs.len; i++) {
        const MgValue *v = mg_value(g, g->outputs.at[i].value);
        for (uint32_t a = 0; a < v->rank; a++) {
            MgIx at_largest = mg_ix_subst(g->module->ix, v->shape[a], largest_dim, &makers);
            if (mg_bound_dims(&makers, v->shape[a]) == at_largest)
                continue;
            MgText size = mg_text(m->session->arena);
            mg_ix_print(g->module->ix, m->session->names, v->shape[a], NULL, NULL, &size);
            mg_diag(m->session, mg_no_span(), MG_D_plain,
                    mg_arena_printf(m->session->arena,
                                    "a library can't tell the memory of output '%s': its size %s "
                                    "falls as a dimension that data decide grows",
                                    mg_name(m->session->names, g->outputs.at[i].name),
                                    mg_text_str(&size)));
            return false;
        }
    }
    return true;
}

static bool add_graph(Maker *m, MgGraph *graph) {
    uint32_t n = m->library.graphs.len;
    const char **taken = MG_NEW_N(m->session->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        taken[i] = m->library.graphs.at[i].prefix;
    MgLibraryGraph g = {.graph = graph};
    const char *name = mg_name(m->session->names, graph->name), *prefix = m->request->prefix;
    bool alone = m->request->graph || m->request->module->graphs.len == 1;
    if (prefix)
        name = alone ? prefix : mg_arena_printf(m->session->arena, "%s_%s", prefix, name);
    g.prefix = mg_c_name(m->session->arena, name, taken, n);
    for (MgOpId id = 1; id < graph->ops.len; id++)
        g.beside |= m->library.header_bytes && mg_op(graph, id)->kind == MG_OP_PARAM;
    add_requirements(graph);
    for (uint32_t s = 0; s < m->request->sets.len; s++) {
        int64_t *dims = dims_of_set(m, &g, &m->request->sets.at[s]);
        if (dims && !add_form(m, &g, dims))
            return false;
    }
    if (g.forms.len >= MG_LIBRARY_FORMS) {
        mg_diag(m->session, mg_no_span(), MG_D_library_forms, MG_LIBRARY_FORMS - 1);
        return false;
    }
    if (!outputs_grow(m, graph))
        return false;
    int64_t *any = dims_of_set(m, &g, NULL);
    if (any && !add_form(m, &g, any))
        return false;
    mg_push(m->session->arena, &m->library.graphs, g);
    return true;
}

// ---------------------------------------------------------------- weights
static bool has_weight(const MgLibrary *l, MgSym key, MgSym file) {
    for (uint32_t i = 0; i < l->weights.len; i++)
        if (l->weights.at[i].key == key && l->weights.at[i].file == file)
            return true;
    return false;
}

static bool add_weights(Maker *m, MgGraph *g, Tensors *tensors, size_t *total) {
    MgWeights found;
    if (!mg_weights_find(g, &found))
        return false;
    for (uint32_t i = 0; i < found.all.len; i++) {
        const MgWeight *w = &found.all.at[i];
        if (has_weight(&m->library, w->key, g->weights))
            continue;
        mg_push(m->session->arena, &m->library.weights,
                (MgLibraryWeight){w->key, g->weights, w->data, w->bytes, 0});
        mg_push(m->session->arena, tensors,
                (MgSafetensor){.key = w->key,
                               .dtype = w->dtype,
                               .rank = w->rank,
                               .dims = w->dims,
                               .data = w->data,
                               .bytes = w->bytes});
        *total += w->bytes;
    }
    return true;
}

// Adds padding between tensors, so that each is aligned to 64.
static void pad(Maker *m, Tensors *all, const char *name, size_t bytes) {
    static const int64_t none[1];
    static const unsigned char zeros[64];
    int64_t *dims = MG_NEW(m->session->arena, int64_t);
    dims[0] = (int64_t)bytes;
    mg_push(m->session->arena, all,
            (MgSafetensor){.key = mg_sym(m->session->names, name),
                           .dtype = MG_U8,
                           .rank = 1,
                           .dims = bytes ? dims : none,
                           .data = zeros,
                           .bytes = bytes});
}

// Lays out the file beside the library: every tensor at a multiple of 64. The header contains the
// hash of the contents, so that it identifies the file.
static void lay_beside(Maker *m, Tensors *tensors) {
    MgArena *arena = m->session->arena;
    Tensors all = {0};
    uint64_t hash = 0, at = 0;
    for (uint32_t i = 0; i < tensors->len; i++)
        hash = mg_hash(tensors->at[i].data, tensors->at[i].bytes, hash);
    pad(m, &all, mg_arena_printf(arena, "mg.contents.%016" PRIx64, hash), 0);
    for (uint32_t i = 0; i < tensors->len; i++) {
        MgSafetensor t = tensors->at[i];
        for (uint32_t k = 0; k < i; k++)
            if (tensors->at[k].key == t.key) // the same key of another file
                t.key =
                    mg_sym(m->session->names,
                           mg_arena_printf(arena, "%s (%u)", mg_name(m->session->names, t.key), i));
        m->library.weights.at[i].offset = at;
        mg_push(arena, &all, t);
        size_t gap = (64 - t.bytes % 64) % 64;
        if (gap)
            pad(m, &all, mg_arena_printf(arena, "mg.pad.%u", i), gap);
        at += t.bytes + gap;
    }
    mg_safetensors_parts(m->session, all.at, all.len, &m->weights);
    MgText header = mg_text(arena);
    for (uint32_t i = 0; i < 2; i++) // the header's length, then its JSON
        mg_text_add_n(&header, m->weights.at[i].at, m->weights.at[i].length);
    m->library.header = mg_text_str(&header);
    m->library.header_bytes = header.bytes.len;
    m->library.file_bytes = header.bytes.len + at;
    for (uint32_t i = 0; i < m->library.weights.len; i++)
        m->library.weights.at[i].offset += header.bytes.len;
}

static bool find_weights(Maker *m) {
    const MgLibraryRequest *r = m->request;
    Tensors tensors = {0};
    size_t total = 0;
    for (uint32_t i = 0; i < r->module->graphs.len; i++)
        if ((!r->graph || r->graph == r->module->graphs.at[i]) &&
            !add_weights(m, r->module->graphs.at[i], &tensors, &total))
            return false;
    bool large = r->place == MG_WEIGHTS_BESIDE ||
                 (r->place == MG_WEIGHTS_BY_SIZE && total > MG_WEIGHTS_INSIDE_MAX);
    if (large && tensors.len)
        lay_beside(m, &tensors);
    return true;
}

// ------------------------------------------------------------------------------------------ files
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void archive(Maker *m, MgBytes object, MgByteParts *parts) {
    static const char *const exports[] = {
#define X(text) text,
        MG_LIBRARY_EXPORTS(X)
#undef X
    };
    MgArena *arena = m->session->arena;
    uint32_t per = sizeof exports / sizeof *exports, n = 0;
    const char **symbols = MG_NEW_N(arena, const char *, (size_t)per * m->library.graphs.len + 1);
    for (uint32_t g = 0; g < m->library.graphs.len; g++)
        for (uint32_t i = 0; i < per; i++)
            symbols[n++] =
                mg_arena_printf(arena, "%s_%s", m->library.graphs.at[g].prefix, exports[i]);
    const char *member = mg_path_with_extension(arena, base_name(m->request->output), ".o");
    mg_archive_parts(m->session, member, object, symbols, n, parts);
}

// The bytes of the file that -o names, made from the object.
static bool container(Maker *m, MgBytes object, MgByteParts *parts) {
    const char *extension = extension_of(m->request->output);
    if (!strcmp(extension, ".a"))
        archive(m, object, parts);
    else {
        if (!strcmp(extension, ".so") &&
            !mg_link_shared(m->session, object, m->request->soname, &object))
            return false;
        mg_push(m->session->arena, parts, object);
    }
    return true;
}

static bool write(Maker *m, MgBytes object) {
    MgSession *session = m->session;
    const char *output = m->request->output;
    const char *header = mg_path_with_extension(session->arena, output, ".h"),
               *weights = mg_path_with_extension(session->arena, output, ".weights");
    MgText text = mg_text(session->arena);
    MgByteParts parts = {0};
    if (!container(m, object, &parts))
        return false;
    mg_library_header(session, m->request, &m->library, m->weights.len ? base_name(weights) : NULL,
                      &text);
    return (!m->weights.len || mg_file_write(session, weights, m->weights.at, m->weights.len)) &&
           mg_file_write(session, header, &(MgBytes){text.bytes.at, text.bytes.len}, 1) &&
           mg_file_write(session, output, parts.at, parts.len);
}

bool mg_library_write(MgSession *session, const MgLibraryRequest *request) {
    Maker m = {.session = session, .request = request};
    unsigned char *bytes;
    size_t length;
    if (!find_weights(&m))
        return false;
    for (uint32_t i = 0; i < request->module->graphs.len; i++)
        if ((!request->graph || request->graph == request->module->graphs.at[i]) &&
            !add_graph(&m, request->module->graphs.at[i]))
            return false;
    for (uint32_t i = 0; i < m.library.graphs.len; i++)
        m.library.graphs.at[i].hash = hash_of(&m, &m.library.graphs.at[i]);
    if (!request->settings.backend->library(session, &m.library, request->settings.march, &bytes,
                                            &length))
        return false;
    mg_mem_defer(session->mem, free, bytes);
    bool ok = write(&m, (MgBytes){bytes, length});
    mg_mem_undefer(session->mem, bytes);
    free(bytes);
    return ok;
}
