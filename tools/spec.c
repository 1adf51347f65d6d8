// Files are read first, because their shapes give dimensions. Generated inputs then take the shapes
// that are known.
#include "tools/spec.h"

#include "formats/idx.h"
#include "formats/tensor.h"
#include "tools/mgc.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { GUESSED_SIZE = 5 };

typedef struct Specs {
    MgArena *arena;
    MgContext *context;
    MgModel *model;
    const char **spec; // per input, or NULL
    MgTensor **tensors;
    int64_t *dims; // per dimension of the graph, -1: not known yet
    bool *set;     // given by --set
    bool guesses;  // sizes that nothing determines are guessed
} Specs;

const char *mgc_split(const char *word, size_t *name_length) {
    const char *equals = strchr(word, '=');
    *name_length = equals ? (size_t)(equals - word) : 0;
    return equals ? equals + 1 : NULL;
}

// ---------------------------------------------------------------- names
int32_t mgc_resolve(MgArena *arena, const char *graph, const char *what, const char *word,
                    size_t length, const char *const *names, uint32_t n) {
    const char *name = mg_arena_str(arena, word, length);
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return (int32_t)i;
    int near = mg_nearest(name, names, n);
    if (near >= 0)
        mgc_fail(2, "%s has no %s '%s'; did you mean '%s'?", graph, what, name, names[near]);
    else if (n) {
        enum { SHOWN = 8 };
        MgText all = mg_text(arena);
        for (uint32_t i = 0; i < n && i < SHOWN; i++)
            mg_textf(&all, "%s'%s'", i ? ", " : "", names[i]);
        mg_text_add(&all, n > SHOWN ? ", …" : "");
        mgc_fail(2, "%s has no %s '%s'; it has %s", graph, what, name, mg_text_str(&all));
    } else
        mgc_fail(2, "%s has no %ss", graph, what);
    return -1;
}

static const char *input_name(const MgModel *m, uint32_t i) {
    return mg_model_input(m, i)->name;
}

int mgc_read_set(MgArena *arena, const char *word, const char **name, int64_t *size) {
    size_t length;
    const char *value = mgc_split(word, &length);
    char *end = NULL;
    errno = 0;
    *size = value ? strtoll(value, &end, 10) : -1;
    if (!value || *size < 0 || errno || *end || end == value)
        return mgc_fail(2, "--set takes DIM=SIZE, not '%s'", word);
    *name = mg_arena_str(arena, word, length);
    return 0;
}

int mgc_set_dims(MgArena *arena, MgGraph *g, const MgcList *sets, int64_t **dims) {
    MgSession *session = g->module->session;
    const char **names = MG_NEW_N(arena, const char *, g->dims.len + 1);
    *dims = MG_NEW_N(arena, int64_t, g->dims.len + 1);
    for (uint32_t d = 0; d < g->dims.len; d++) {
        names[d] = mg_name(session->names, mg_ix_sym_name(g->module->ix, g->dims.at[d]));
        (*dims)[d] = -1;
    }
    for (uint32_t k = 0; k < sets->n; k++) {
        const char *name;
        int64_t size;
        int status = mgc_read_set(arena, sets->at[k], &name, &size);
        if (status)
            return status;
        int32_t d = mgc_resolve(arena, mg_name(session->names, g->name), "dimension", name,
                                strlen(name), names, g->dims.len);
        if (d < 0)
            return 2;
        if ((*dims)[d] >= 0 && (*dims)[d] != size)
            return mgc_fail(2, "--set gives dimension '%s' two sizes", names[d]);
        (*dims)[d] = size;
    }
    return 0;
}

static const char own[] = "";

static bool read_specs(Specs *s, const MgcOptions *options) {
    const MgcList *inputs = &options->inputs;
    uint32_t n = mg_model_inputs(s->model);
    const char **names = MG_NEW_N(s->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        names[i] = input_name(s->model, i);
    for (uint32_t k = 0; k < inputs->n; k++) {
        size_t length;
        const char *spec = mgc_split(inputs->at[k], &length);
        if (!spec) {
            mgc_fail(2, "--input takes NAME=SPEC, not '%s'", inputs->at[k]);
            return false;
        }
        int32_t i = mgc_resolve(s->arena, mg_model_graph(s->model), "input", inputs->at[k], length,
                                names, n);
        if (i < 0)
            return false;
        if (s->spec[i]) {
            mgc_fail(2, "input '%s' is given twice", input_name(s->model, (uint32_t)i));
            return false;
        }
        s->spec[i] = spec;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!s->spec[i] && mg_model_input(s->model, i)->key) {
            s->spec[i] = own; // as any other parameter has it
        } else if (!s->spec[i] && options->command & (MGC_BISECT | MGC_TUNE)) {
            s->spec[i] = "random";
        } else if (!s->spec[i]) {
            const char *name = input_name(s->model, i);
            mgc_fail(2,
                     "input '%s' is not given: --input %s=SPEC, where SPEC is a file, random, "
                     "zeros, ones or 1,2,3",
                     name, name);
            return false;
        }
    return true;
}

// ---------------------------------------------------------------- files
static bool is_file(const char *spec) {
    return strstr(spec, ".npy") || strstr(spec, ".npz") || strstr(spec, ".safetensors") ||
           strstr(spec, ".pb") || strchr(spec, '/') || mg_idx_is(spec);
}

static bool read_file(Specs *s, uint32_t i) {
    const MgPortInfo *port = mg_model_input(s->model, i);
    MgTensor *t;
    if (mg_tensor_read(s->context, s->spec[i], &t)) {
        fputs(mg_context_message(s->context), stderr);
        return false;
    }
    s->tensors[i] = t;
    if ((MgElement)t->dtype != port->element || t->rank != port->rank) {
        mgc_fail(1, "input '%s' is %s with %u dimension%s, but '%s' holds %s with %u", port->name,
                 mg_element_name(port->element), port->rank, mg_plural(port->rank), s->spec[i],
                 mg_dtype(t->dtype)->name, t->rank);
        return false;
    }
    for (uint32_t a = 0; a < t->rank; a++)
        for (uint32_t d = 0; d < mg_model_dims(s->model); d++) {
            const char *name = mg_model_dim(s->model, d);
            if (strcmp(port->formulas[a], name) != 0)
                continue;
            if (s->set[d] && s->dims[d] != t->dims[a]) {
                mgc_fail(1, "--set says %s = %lld, but input '%s' has %s = %lld in '%s'", name,
                         (long long)s->dims[d], port->name, name, (long long)t->dims[a],
                         s->spec[i]);
                return false;
            }
            if (s->dims[d] < 0) // contradictions are found when dimensions are bound
                s->dims[d] = t->dims[a];
        }
    return true;
}

// A dimension that has no size yet takes the one for which a .mgb was built.
static int take_built_sizes(Specs *s) {
    const MgPackage *package = s->model->package;
    const MgSection *sizes = package ? mg_package_find(package, "sizes") : NULL;
    if (!sizes)
        return 0;
    char *text = mg_arena_str(s->arena, (const char *)sizes->bytes, sizes->length);
    uint32_t n = 0;
    for (const char *c = text; *c; c++)
        n += *c == '\n';
    const char **words = MG_NEW_N(s->arena, const char *, n + 1);
    n = 0;
    for (char *rest = NULL, *word = strtok_r(text, "\n", &rest); word;
         word = strtok_r(NULL, "\n", &rest))
        words[n++] = word;
    MgcList list = {.at = words, .n = n};
    int64_t *dims;
    int status = mgc_set_dims(s->arena, s->model->graph, &list, &dims);
    for (uint32_t d = 0; !status && d < mg_model_dims(s->model); d++)
        if (s->dims[d] < 0)
            s->dims[d] = dims[d];
    return status;
}

// ---------------------------------------------------------------- shapes
static bool dim_value(void *context, MgIxSym sym, int64_t *value) {
    const Specs *s = context;
    const MgGraph *g = s->model->graph;
    for (uint32_t d = 0; d < g->dims.len; d++)
        if (g->dims.at[d] == sym && s->dims[d] >= 0) {
            *value = s->dims[d];
            return true;
        }
    return false;
}

// Fills in the shape of input i, with -1 for unknown sizes. Returns the number of unknown axes.
static uint32_t shape_of(Specs *s, uint32_t i, int64_t *shape) {
    const MgGraph *g = s->model->graph;
    const MgValue *v = &g->values.at[g->inputs.at[i].value];
    uint32_t unknown = 0;
    for (uint32_t a = 0; a < v->rank; a++)
        if (!mg_ix_eval(g->module->ix, v->shape[a], dim_value, s, &shape[a])) {
            shape[a] = -1;
            unknown++;
        }
    return unknown;
}

static int64_t count_items(const char *literal) {
    int64_t n = literal[0] != 0;
    for (; *literal; literal++)
        n += *literal == ',';
    return n;
}

// The number of items of a literal determines the one open size. False if no size fits.
static bool solve_by_count(const Specs *s, uint32_t i, int64_t *shape, int64_t count) {
    const MgPortInfo *port = mg_model_input(s->model, i);
    int64_t known = 1;
    uint32_t open = 0;
    for (uint32_t a = 0; a < port->rank; a++)
        if (shape[a] < 0)
            open = a;
        else if (__builtin_mul_overflow(known, shape[a], &known))
            return false;
    if (!known || (count % known && count != 1))
        return false;
    if (count % known)
        return true; // one item stands for all elements of a size that is still open
    shape[open] = count / known;
    for (uint32_t d = 0; d < mg_model_dims(s->model); d++)
        if (!strcmp(port->formulas[open], mg_model_dim(s->model, d)))
            s->dims[d] = shape[open];
    return true;
}

// The shape as in the signature: f32[N, 2].
static const char *shape_text(const Specs *s, const MgPortInfo *port) {
    MgText out = mg_text(s->arena);
    mg_textf(&out, "%s[", mg_dtype((MgDType)port->element)->name);
    for (uint32_t a = 0; a < port->rank; a++)
        mg_textf(&out, "%s%s", a ? ", " : "", port->formulas[a]);
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- values
static void put(MgTensor *t, size_t at, MgBits bits) { // little-endian machines
    size_t size = mg_dtype_size(t->dtype);
    memcpy((char *)t->data + at * size, &bits, size);
}

static uint64_t next_random(uint64_t *state) { // splitmix64: Steele, Lea, Flood, OOPSLA 2014
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// Floats are uniform in [-1, 1). Integers are in 0..8, so that they can index small tables.
static void fill_random(MgTensor *t, uint64_t seed, uint32_t input) {
    uint64_t state = seed * 0x2545f4914f6cdd1d + input;
    for (size_t k = 0; k < t->count; k++) {
        uint64_t r = next_random(&state);
        put(t, k,
            mg_is_float(t->dtype)
                ? mg_bits_from_double(t->dtype, (double)(int64_t)(r >> 11) * 0x1p-52 - 1)
                : mg_bits_from_int(t->dtype, (int64_t)(r >> (t->dtype == MG_BOOL ? 63 : 61))));
    }
}

static void fill_ones(MgTensor *t) {
    for (size_t k = 0; k < t->count; k++)
        put(t, k,
            mg_is_float(t->dtype) ? mg_bits_from_double(t->dtype, 1)
                                  : mg_bits_from_int(t->dtype, 1));
}

// One item of a literal, up to the comma or the end.
static bool read_item(const char **at, MgDType dtype, MgBits *bits) {
    char *end;
    errno = 0;
    if (!strncmp(*at, "true", 4) || !strncmp(*at, "false", 5)) {
        *bits = mg_bits_from_int(dtype, **at == 't');
        end = (char *)(uintptr_t)*at + (**at == 't' ? 4 : 5);
        if (dtype != MG_BOOL)
            return false;
    } else if (mg_is_float(dtype)) {
        *bits = mg_bits_from_double(dtype, strtod(*at, &end));
        errno = 0; // the type decides: too large is inf, too small is 0
    } else if (dtype == MG_U64) {
        *bits = strtoull(*at, &end, 10);
    } else {
        int64_t v = strtoll(*at, &end, 10);
        *bits = mg_bits_from_int(dtype, v);
        if (mg_bits_to_int(dtype, *bits) != v)
            return false; // does not fit
    }
    if (errno || end == *at || (*end && *end != ','))
        return false;
    *at = *end ? end + 1 : end;
    return true;
}

static int bad_item(const Specs *s, uint32_t i, const char *at) {
    const MgPortInfo *port = mg_model_input(s->model, i);
    return mgc_fail(
        1, "input '%s': '%.*s' is not a value of type %s%s", port->name, (int)strcspn(at, ","), at,
        mg_dtype((MgDType)port->element)->name,
        isalpha((unsigned char)*at)
            ? ", random, zeros, ones or a file (.npy, .npz:KEY, .safetensors:KEY, .pb, .idx)"
            : "");
}

static bool fill_literal(const Specs *s, uint32_t i, MgTensor *t) {
    const char *at = s->spec[i], *name = input_name(s->model, i);
    int64_t n = count_items(at);
    if ((size_t)n != t->count && n != 1) {
        mgc_fail(1, "input '%s' has %zu element%s, but '%s' has %lld", name, t->count,
                 mg_plural(t->count), s->spec[i], (long long)n);
        return false;
    }
    MgBits bits = 0;
    for (size_t k = 0; k < t->count || k < (size_t)n; k++) {
        if (k < (size_t)n && !read_item(&at, t->dtype, &bits)) {
            bad_item(s, i, at);
            return false;
        }
        if (k < t->count) // one item describes all; there may be none
            put(t, k, bits);
    }
    return true;
}

// Any size is possible; this one is small and not a multiple of a vector's size.
static bool guess(Specs *s, const char *name, int64_t *size) {
    for (uint32_t d = 0; d < mg_model_dims(s->model); d++)
        if (!strcmp(mg_model_dim(s->model, d), name)) {
            if (s->dims[d] < 0)
                printf("%s = %d; --set gives it another size\n", name, GUESSED_SIZE);
            *size = s->dims[d] = s->dims[d] < 0 ? GUESSED_SIZE : s->dims[d];
            return true;
        }
    return false;
}

// Finds the shape of the generated input i. Returns the exit status.
static int find_shape(Specs *s, uint32_t i, bool literal, int64_t *shape) {
    const MgPortInfo *port = mg_model_input(s->model, i);
    if (shape_of(s, i, shape) == 1 && literal) {
        MgBits bits;
        const char *at = s->spec[i];
        if (*at && !read_item(&at, (MgDType)port->element, &bits))
            return bad_item(s, i, s->spec[i]);
        if (!solve_by_count(s, i, shape, count_items(s->spec[i])))
            return mgc_fail(1, "input '%s': %s don't fill %s", port->name,
                            mg_counted(s->arena, (uint64_t)count_items(s->spec[i]), "element"),
                            shape_text(s, port));
    }
    for (uint32_t a = 0; a < port->rank; a++)
        if (shape[a] < 0 && !(s->guesses && guess(s, port->formulas[a], &shape[a])))
            return mgc_fail(
                2, "the size of dimension %s of input '%s' is not known: give --set %s=SIZE",
                port->formulas[a], port->name, port->formulas[a]);
    return 0;
}

static bool is_random(const char *spec) {
    return !strncmp(spec, "random", 6) && (!spec[6] || spec[6] == ':');
}

static bool is_literal(const char *spec) {
    return !is_file(spec) && !is_random(spec) && strcmp(spec, "ones") != 0 &&
           strcmp(spec, "zeros") != 0;
}

// Lists of several items determine the one open size of their input.
static void take_listed_sizes(Specs *s) {
    for (uint32_t i = 0; i < s->model->graph->inputs.len; i++) {
        int64_t *shape = MG_NEW_N(s->arena, int64_t, mg_model_input(s->model, i)->rank + 1);
        if (is_literal(s->spec[i]) && count_items(s->spec[i]) > 1 && shape_of(s, i, shape) == 1)
            solve_by_count(s, i, shape, count_items(s->spec[i]));
    }
}

static int take_weight(Specs *s, uint32_t i) {
    const MgWeight *w = mg_weight(&s->model->weights, s->model->graph->inputs.at[i].key);
    s->tensors[i] = mg_tensor_new((MgElement)w->dtype, w->rank, w->dims);
    if (!s->tensors[i])
        return mgc_fail(1, "out of memory: '%s' has %zu bytes", input_name(s->model, i), w->bytes);
    memcpy(s->tensors[i]->data, w->data, w->bytes);
    return 0;
}

// Digits alone: strtoull would take a sign, too.
static bool read_seed(const char *text, uint64_t *seed) {
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return *text && text[strspn(text, "0123456789")] == 0 && !errno;
}

static int generate(Specs *s, uint32_t i) {
    if (s->spec[i] == own)
        return take_weight(s, i);
    const MgPortInfo *port = mg_model_input(s->model, i);
    const char *spec = s->spec[i];
    bool random = is_random(spec), ones = !strcmp(spec, "ones"), literal = is_literal(spec);
    int64_t *shape = MG_NEW_N(s->arena, int64_t, port->rank + 1);
    uint64_t seed = 0;
    if (random && spec[6] && !read_seed(spec + 7, &seed))
        return mgc_fail(2, "random takes a number as its seed, not '%s'", spec + 7);
    int status = find_shape(s, i, literal, shape);
    if (status)
        return status;
    size_t count, bytes;
    if (!mg_tensor_size((MgDType)port->element, port->rank, shape, &count, &bytes))
        return mgc_fail(1, "the size of input '%s' overflows", port->name);
    if (bytes > s->context->options.memory_limit ||
        !(s->tensors[i] = mg_tensor_new(port->element, port->rank, shape)))
        return mgc_fail(
            1, "out of memory: input '%s' has %zu bytes, the limit is %zu MiB (--memory-limit)",
            port->name, bytes, s->context->options.memory_limit >> 20);
    if (literal)
        return !fill_literal(s, i, s->tensors[i]);
    if (ones)
        fill_ones(s->tensors[i]);
    else if (random)
        fill_random(s->tensors[i], seed, i);
    return 0;
}

static MgTensor *whole_numbers(const char *literal) {
    int64_t n = count_items(literal);
    MgTensor *t = mg_tensor_new(MG_ELEMENT_I64, 1, &n);
    MgBits bits;
    for (int64_t k = 0; t && k < n; k++) {
        if (!read_item(&literal, MG_I64, &bits)) {
            mg_tensor_release(t);
            return NULL;
        }
        put(t, (size_t)k, bits);
    }
    return t;
}

MgGiven *mgc_given(MgArena *arena, MgContext *context, const MgcOptions *options, uint32_t *n) {
    MgGiven *given = MG_NEW_N(arena, MgGiven, options->inputs.n + 1);
    *n = 0;
    for (uint32_t k = 0; k < options->inputs.n; k++) {
        size_t length;
        const char *spec = mgc_split(options->inputs.at[k], &length);
        MgGiven g = {.name = mg_arena_str(arena, options->inputs.at[k], length)};
        if (spec && !is_file(spec))
            g.tensor = whole_numbers(spec);
        else if (spec && mg_tensor_read(context, spec, &g.tensor))
            g.tensor = NULL; // reported when it is needed
        if (g.tensor)
            given[(*n)++] = g;
    }
    return given;
}

int mgc_inputs(MgArena *arena, MgContext *context, MgModel *model, const MgcOptions *options,
               MgTensor **tensors) {
    uint32_t n = mg_model_inputs(model);
    Specs s = {.arena = arena,
               .context = context,
               .model = model,
               .spec = MG_NEW_N(arena, const char *, n + 1),
               .tensors = tensors,
               .guesses = options->command == MGC_BISECT};
    int status = mgc_set_dims(arena, model->graph, &options->sets, &s.dims);
    s.set = MG_NEW_N(arena, bool, model->graph->dims.len + 1);
    for (uint32_t d = 0; !status && d < model->graph->dims.len; d++)
        s.set[d] = s.dims[d] >= 0;
    if (!status && !read_specs(&s, options))
        status = 2;
    for (uint32_t i = 0; i < n && !status; i++)
        if (is_file(s.spec[i]))
            status = !read_file(&s, i);
    if (!status) {
        take_listed_sizes(&s);
        status = take_built_sizes(&s);
    }
    for (uint32_t i = 0; i < n && !status; i++)
        if (!s.tensors[i])
            status = generate(&s, i);
    return status;
}
