// Continues a text with GPT-2, through libmg. Tokens are numbers, in and out:
//
//   generate [OPTION…] FILE.mg TOKEN…
//
// FILE.mg has the graphs `prompt` and `step`. Both models share the weights, which are loaded once,
// and the cache of keys and values, which each run changes in place. On a GPU the cache stays
// there.
#include <mg.h>

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS, VALUES, CACHES };

typedef struct Settings {
    int64_t count, k, places, entries;
    uint64_t seed;
    float temperature, p;
    MgCompileOptions compile;
    MgContextOptions context;
} Settings;

// A graph that can run.
typedef struct Net {
    MgModel *model;
    MgInstance *instance;
} Net;

typedef struct Generator {
    Settings *settings;
    MgContext *context;
    Net prompt, step;
    void *cache[CACHES];       // on the CPU
    MgBuffer *buffers[CACHES]; // on a GPU
    size_t cache_bytes;        // of each
} Generator;

static const char usage[] =
    "usage: generate [OPTION…] FILE.mg TOKEN…\n"
    "  --count=N              how many tokens to draw (default: 20)\n"
    "  --seed=N               of the random numbers (default: 1)\n"
    "  --temperature=T        below 1 prefers probable tokens (default: 1)\n"
    "  --top-k=K              draw from the K most probable tokens (default: all)\n"
    "  --top-p=P              draw from the fewest tokens of total probability P (default: 1, "
    "all)\n"
    "  --greedy               take the most probable token: the same as --top-k=1\n"
    "  --weights=random:SEED  random weights in place of the file that FILE.mg names\n"
    "  --target=cpu|gpu       where to run (default: cpu)\n"
    "  --precision=TYPE       f32, tf32, bf16 or f16: of the factors of products (default: f32)\n"
    "  --threads=N            workers on the CPU (default: 1)\n";

static bool fail(const char *format, const char *what) {
    fprintf(stderr, "generate: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return false;
}

// ---------------------------------------------------------------- arguments
static bool read_whole(const char *option, const char *text, int64_t least, int64_t *to) {
    char *end;
    errno = 0;
    *to = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && *to >= least)
        return true;
    fprintf(stderr, "generate: %s is '%s'; expected a whole number of at least %lld\n", option,
            text, (long long)least);
    return false;
}

// A number above 0 and at most `most`.
static bool read_positive(const char *option, const char *text, double most, float *to) {
    char *end;
    *to = strtof(text, &end);
    if (end != text && !*end && *to > 0 && *to <= most)
        return true;
    fprintf(stderr, "generate: %s is '%s'; expected a number above 0%s\n", option, text,
            most <= 1 ? " and at most 1" : "");
    return false;
}

static bool read_precision(const char *text, MgPrecision *to) {
    static const char *const names[] = {"f32", "tf32", "bf16", "f16"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(text, names[i])) {
            *to = (MgPrecision)i;
            return true;
        }
    return fail("--precision is '%s'; expected f32, tf32, bf16 or f16", text);
}

static bool read_option(Settings *s, int option, const char *text) {
    int64_t number = 0;
    bool ok = true;
    switch (option) {
    case 'n':
        return read_whole("--count", text, 1, &s->count);
    case 's':
        ok = read_whole("--seed", text, 0, &number);
        s->seed = (uint64_t)number;
        return ok;
    case 't':
        return read_positive("--temperature", text, (double)3e38f, &s->temperature);
    case 'k':
        return read_whole("--top-k", text, 1, &s->k);
    case 'p':
        return read_positive("--top-p", text, 1, &s->p);
    case 'g':
        s->k = 1;
        return true;
    case 'w':
        s->compile.weights = text;
        return true;
    case 'd':
        s->compile.target = text;
        return true;
    case 'r':
        return read_precision(text, &s->compile.precision);
    case 'j':
        ok = read_whole("--threads", text, 1, &number);
        s->context.threads = (uint32_t)number;
        return ok;
    case 'h':
        printf("%s", usage);
        exit(0);
    default:
        return false;
    }
}

static bool read_options(Settings *s, int argc, char **argv) {
    static const struct option options[] = {{"count", required_argument, NULL, 'n'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"temperature", required_argument, NULL, 't'},
                                            {"top-k", required_argument, NULL, 'k'},
                                            {"top-p", required_argument, NULL, 'p'},
                                            {"greedy", no_argument, NULL, 'g'},
                                            {"weights", required_argument, NULL, 'w'},
                                            {"target", required_argument, NULL, 'd'},
                                            {"precision", required_argument, NULL, 'r'},
                                            {"threads", required_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (!read_option(s, option, optarg))
            return false;
    if (optind + 1 < argc)
        return true;
    fprintf(stderr, "%s", usage);
    return false;
}

// Reads the prompt. The model says how many tokens there are, and how many places for them.
static bool read_tokens(const Settings *s, char **words, int64_t n, int64_t *tokens) {
    if (s->count - 1 > s->places - n) {
        fprintf(stderr, "generate: %lld tokens after a prompt of %lld: the model has %lld places\n",
                (long long)s->count, (long long)n, (long long)s->places);
        return false;
    }
    for (int64_t i = 0; i < n; i++) {
        if (!read_whole("a token", words[i], 0, &tokens[i]))
            return false;
        if (tokens[i] < s->entries)
            continue;
        fprintf(stderr, "generate: token %lld is outside 0 to %lld\n", (long long)tokens[i],
                (long long)s->entries - 1);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------- models
static bool open_net(Generator *g, const char *path, const char *graph, MgModel *shared, Net *net) {
    MgCompileOptions options = g->settings->compile;
    options.graph = graph;
    options.weights_of = shared;
    MgStatus status = mg_model_load(g->context, path, &options, &net->model);
    if (!status)
        status = mg_instance_new(net->model, g->context, &net->instance);
    return !status || fail("%s", mg_context_message(g->context));
}

static bool bind(Net *net, const char *input, const void *data, uint32_t rank, int64_t size) {
    int32_t number = mg_model_find_input(net->model, input);
    return (number >= 0 && !mg_bind_input(net->instance, (uint32_t)number, data, rank, &size)) ||
           fail("%s",
                number < 0 ? "another graph was expected" : mg_instance_message(net->instance));
}

// Binds a cache to its input and to the output that takes it over: the graph changes it in place.
static bool bind_cache(Generator *g, Net *net, int c) {
    static const char *const names[][2] = {
        [KEYS] = {"keys", "keys1"}, [VALUES] = {"values", "values1"}};
    uint32_t in = (uint32_t)mg_model_find_input(net->model, names[c][0]),
             out = (uint32_t)mg_model_find_output(net->model, names[c][1]);
    const MgPortInfo *port = mg_model_input(net->model, in);
    if (!port)
        return fail("%s", "another graph was expected");
    MgStatus status = g->buffers[c]
                          ? mg_bind_input_buffer(net->instance, in, g->buffers[c], 4, port->dims)
                          : mg_bind_input(net->instance, in, g->cache[c], 4, port->dims);
    if (!status)
        status = g->buffers[c] ? mg_bind_output_buffer(net->instance, out, g->buffers[c])
                               : mg_bind_output(net->instance, out, g->cache[c], g->cache_bytes);
    return !status || fail("%s", mg_instance_message(net->instance));
}

// Binds what a prompt and all steps after it share.
static bool bind_shared(Generator *g, Net *net) {
    Settings *s = g->settings;
    return bind_cache(g, net, KEYS) && bind_cache(g, net, VALUES) &&
           bind(net, "temperature", &s->temperature, 0, 0) && bind(net, "k", &s->k, 0, 0) &&
           bind(net, "p", &s->p, 0, 0) && bind(net, "seed", &s->seed, 0, 0);
}

// A cache of zeros: a masked place counts as 0 times its value, which must be finite.
static bool make_cache(Generator *g, const MgPortInfo *port) {
    size_t bytes = mg_element_size(port->element);
    for (uint32_t a = 0; a < port->rank; a++)
        bytes *= (size_t)port->dims[a];
    g->cache_bytes = bytes;
    bool gpu = g->settings->compile.target && !strcmp(g->settings->compile.target, "gpu");
    for (int c = 0; c < CACHES; c++) {
        if (!(g->cache[c] = calloc(bytes, 1)))
            return fail("%s", "out of memory");
        if (gpu && (mg_buffer_new(g->prompt.model, g->context, bytes, &g->buffers[c]) ||
                    mg_buffer_write(g->buffers[c], g->context, 0, g->cache[c], bytes)))
            return fail("%s", mg_context_message(g->context));
    }
    return true;
}

static bool open_generator(Generator *g, const char *path) {
    Settings *s = g->settings;
    if (mg_context_new(&s->context, &g->context))
        return fail("%s", mg_context_message(g->context));
    if (!open_net(g, path, "prompt", NULL, &g->prompt) ||
        !open_net(g, path, "step", g->prompt.model, &g->step))
        return false;
    const MgPortInfo *keys =
        mg_model_input(g->prompt.model, (uint32_t)mg_model_find_input(g->prompt.model, "keys"));
    const MgPortInfo *logits =
        mg_model_output(g->prompt.model, (uint32_t)mg_model_find_output(g->prompt.model, "logits"));
    if (!keys || keys->rank != 4 || keys->dims[2] < 0 || !logits || logits->rank != 1)
        return fail("%s: its graphs are not those of this example", path);
    s->places = keys->dims[2];
    s->entries = logits->dims[0];
    return make_cache(g, keys);
}

static void close_generator(Generator *g) {
    Net nets[] = {g->prompt, g->step};
    for (int i = 0; i < 2; i++) {
        mg_instance_free(nets[i].instance);
        mg_model_release(nets[i].model);
    }
    for (int c = 0; c < CACHES; c++) {
        mg_buffer_release(g->buffers[c]);
        free(g->cache[c]);
    }
    mg_context_free(g->context);
}

// ---------------------------------------------------------------- running
// Runs a graph and gives the token that it drew.
static bool draw(Net *net, int64_t *token) {
    const void *data;
    const int64_t *dims;
    uint32_t number = (uint32_t)mg_model_find_output(net->model, "token");
    if (mg_run(net->instance) || mg_output(net->instance, number, &data, &dims))
        return fail("%s", mg_instance_message(net->instance));
    *token = *(const int64_t *)data;
    return true;
}

static bool generate(Generator *g, const int64_t *tokens, int64_t n) {
    int64_t token, at;
    bool ok = bind_shared(g, &g->prompt) && bind_shared(g, &g->step) &&
              bind(&g->prompt, "tokens", tokens, 1, n) && bind(&g->step, "newest", &token, 0, 0) &&
              bind(&g->step, "at", &at, 0, 0) && draw(&g->prompt, &token);
    for (int64_t drawn = 1; ok; drawn++) {
        printf("%lld%c", (long long)token, drawn < g->settings->count ? ' ' : '\n');
        fflush(stdout);
        if (drawn == g->settings->count)
            break;
        at = n + drawn - 1;
        ok = draw(&g->step, &token);
    }
    return ok;
}

int main(int argc, char **argv) {
    Settings settings = {
        .count = 20, .seed = 1, .temperature = 1, .k = INT64_MAX, .p = 1, .compile = {.level = -1}};
    if (!read_options(&settings, argc, argv))
        return 2;
    int64_t n = argc - optind - 1;
    int64_t *tokens = calloc((size_t)n, sizeof *tokens);
    Generator g = {.settings = &settings};
    bool ok = tokens && open_generator(&g, argv[optind]) &&
              read_tokens(&settings, argv + optind + 1, n, tokens) && generate(&g, tokens, n);
    close_generator(&g);
    free(tokens);
    return !ok;
}
