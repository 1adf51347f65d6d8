// The C header of a library: C11 and C++, with nothing but the standard's own headers. Its
// declarations have the layout of backends/cpu/library.ll.
#include "runtime/library.h"

#include "image/image.h"
#include "include/mg.h"

#include <ctype.h>
#include <inttypes.h>

typedef struct Header {
    MgSession *session;
    MgArena *arena;
    const MgLibraryRequest *request;
    const MgLibrary *library;
    const char *weights_file; // of the file beside the library, or NULL
    const MgLibraryGraph *g;
    MgLibraryLayout layout;
    const char *name, *upper; // of the graph, as a prefix
    MgText *out;
} Header;

static const char *c_type(MgDType dtype) {
    static const char *const types[MG_DTYPE_COUNT] = {
        [MG_F64] = "double",    [MG_F32] = "float",      [MG_F16] = "uint16_t",
        [MG_BF16] = "uint16_t", [MG_I64] = "int64_t",    [MG_I32] = "int32_t",
        [MG_I16] = "int16_t",   [MG_I8] = "int8_t",      [MG_U64] = "uint64_t",
        [MG_U32] = "uint32_t",  [MG_U16] = "uint16_t",   [MG_U8] = "uint8_t",
        [MG_BOOL] = "uint8_t",  [MG_F8E4M3] = "uint8_t", [MG_F8E5M2] = "uint8_t"};
    return types[dtype];
}

static const char *upper_of(MgArena *arena, const char *name) {
    char *out = mg_arena_str(arena, name, strlen(name));
    for (char *c = out; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return out;
}

// A port's type, as in f32[B, 1, 28, 28].
static const char *type_text(Header *h, const MgPort *port) {
    MgGraph *g = h->g->graph;
    const MgValue *v = mg_value(g, port->value);
    MgText out = mg_text(h->arena);
    mg_textf(&out, "%s[", mg_dtype(v->dtype)->name);
    for (uint32_t a = 0; a < v->rank; a++) {
        mg_text_add(&out, a ? ", " : "");
        mg_ix_print(g->module->ix, h->session->names, v->shape[a], NULL, NULL, &out);
    }
    mg_text_add(&out, "]");
    return mg_text_str(&out);
}

// Text for a comment of C, which it must neither end nor continue on the next line.
static const char *comment(Header *h, const char *text) {
    char *out = mg_arena_str(h->arena, text, strlen(text));
    for (char *c = out; *c; c++)
        if (*c == '\\' || *c == '\n' || *c == '\r')
            *c = ' ';
    return out;
}

static const char *graph_text(Header *h, MgSym name) {
    return comment(h, mg_name(h->session->names, name));
}

// ---------------------------------------------------------------- structs
typedef struct Port {
    const MgPort *port;
    const char *name;
    bool output;
} Port;

static Port *ports_of(Header *h) {
    MgGraph *g = h->g->graph;
    uint32_t n = g->inputs.len + g->outputs.len;
    Port *ports = MG_NEW_N(h->arena, Port, n + 1);
    const char **names = MG_NEW_N(h->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        bool output = i >= g->inputs.len;
        const MgPort *port = output ? &g->outputs.at[i - g->inputs.len] : &g->inputs.at[i];
        names[i] = mg_c_name(h->arena, mg_name(h->session->names, port->name), names, i);
        ports[i] = (Port){port, names[i], output};
    }
    return ports;
}

static void write_sizes(Header *h) {
    MgGraph *g = h->g->graph;
    uint32_t given = mg_library_given_dims(g);
    const char **names = MG_NEW_N(h->arena, const char *, g->dims.len + 1);
    mg_textf(h->out, "// The sizes of the dimensions%s.\ntypedef struct %s_sizes {\n",
             g->dims.len ? "" : ": there are none, since all shapes are constant; pass NULL",
             h->name);
    for (uint32_t d = 0; d < g->dims.len; d++) {
        int64_t low, high;
        MgIxSym s = g->dims.at[d];
        const char *text = mg_name(h->session->names, mg_ix_sym_name(g->module->ix, s));
        mg_ix_sym_bounds(g->module->ix, s, &low, &high);
        names[d] = mg_c_name(h->arena, text, names, d);
        mg_textf(h->out, "    int64_t %s;", names[d]);
        if (d >= given)
            mg_text_add(h->out, " // bind writes its largest value, run its actual one");
        else if (high < MG_IX_INF)
            mg_textf(h->out, " // %" PRId64 " to %" PRId64, low, high);
        mg_text_add(h->out, "\n");
    }
    mg_textf(h->out, "%s} %s_sizes;\n\n", g->dims.len ? "" : "    int64_t none;\n", h->name);
}

static void write_pointers(Header *h, const Port *ports, uint32_t n, bool outputs) {
    uint32_t written = 0;
    mg_textf(h->out, "typedef struct %s_%s {\n", h->name, outputs ? "outputs" : "inputs");
    for (uint32_t i = 0; i < n; i++) {
        const MgValue *v = mg_value(h->g->graph, ports[i].port->value);
        if (ports[i].output != outputs)
            continue;
        mg_textf(h->out, "    %s%s *%s; // %s", outputs ? "" : "const ", c_type(v->dtype),
                 ports[i].name, comment(h, type_text(h, ports[i].port)));
        const char *text = graph_text(h, ports[i].port->name);
        if (strcmp(text, ports[i].name) != 0)
            mg_textf(h->out, ", %s", text);
        mg_text_add(h->out, v->dtype == MG_BOOL ? ": 0 or 1\n" : "\n");
        written++;
    }
    mg_textf(h->out, "%s} %s_%s;\n\n", written ? "" : "    void *none;\n", h->name,
             outputs ? "outputs" : "inputs");
}

static void write_shapes(Header *h, const Port *ports, uint32_t n) {
    uint32_t written = 0;
    mg_textf(h->out, "typedef struct %s_dims { // the axes of every input and output\n", h->name);
    for (uint32_t i = 0; i < n; i++) {
        const MgValue *v = mg_value(h->g->graph, ports[i].port->value);
        if (v->rank)
            mg_textf(h->out, "    int64_t %s[%u];\n", ports[i].name, v->rank);
        written += v->rank;
    }
    mg_textf(h->out, "%s} %s_dims;\n\n", written ? "" : "    int64_t none;\n", h->name);
}

static void write_instance(Header *h) {
    const MgLibraryLayout *l = &h->layout;
    // form, owned arena, weights, opened; the call; its tables
    uint32_t words =
        4 + (uint32_t)(sizeof(MgCall) / 8) + l->ports + l->dims + l->slots + l->weights;
    mg_textf(
        h->out,
        "// One place to run the graph. One thread at a time may use it; any number of them may "
        "run at the\n"
        "// same time. It may lie anywhere, but must not be moved between bind and close.\n"
        "typedef struct %s_instance {\n"
        "    %s_sizes sizes; // of the last bind; read only\n"
        "    uint64_t arena_bytes; // the size of its arena; read only\n"
        "    // How to run work on several threads at once: call work(argument, w) for every "
        "w < workers,\n"
        "    // all at the same time, and return when all have returned. NULL: one worker.\n"
        "    void (*parallel)(void *user, uint32_t workers, void (*work)(void *argument, "
        "uint32_t worker),\n"
        "                     void *argument);\n"
        "    void *user;\n"
        "    uint32_t workers; // how many you want; at most %s_WORKERS are used\n"
        "    uint32_t used; // by the last run; read only\n"
        "    uint64_t *ticks; // %s_TICKS words of yours, for %s_timing; NULL: runs are not "
        "timed\n"
        "    uint64_t own[%u]; // for the library\n"
        "} %s_instance;\n\n",
        h->name, h->name, h->upper, h->upper, h->name, words, h->name);
}

// Writes what the library reports about a kernel, as library.ll fills it in.
static void write_timing(Header *h) {
    mg_textf(h->out,
             "// What one worker spent on one kernel.\n"
             "typedef struct %s_kernel_time {\n"
             "    const char *name, *schedule, *place; // its main result; \"contraction\", …; "
             "\"net.mg:6:10\"\n"
             "    uint64_t begin, end; // in ticks of the CPU: rdtsc, or cntvct_el0 on AArch64\n"
             "    int64_t flops, bytes; // of all workers together\n"
             "} %s_kernel_time;\n\n",
             h->name, h->name);
}

// ---------------------------------------------------------------- functions
static void write_codes(Header *h) {
    static const char *const texts[] = {
#define X(id, text) #id ", // " text "\n",
        MG_LIBRARY_CODES(X)
#undef X
    };
    mg_textf(h->out,
             "// What the functions return. Other codes come from the graph's own checks: a size "
             "that it can't\n"
             "// take, or a trap in a run, such as a computed subscript outside its axis. "
             "%s_message gives the text.\n"
             "enum %s_code {\n",
             h->name, h->name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        mg_textf(h->out, "    %s_%s", h->upper, texts[i]);
    mg_text_add(h->out, "};\n\n");
}

static void write_functions(Header *h) {
    const char *n = h->name;
    mg_textf(h->out,
             "int %s_open_checked(%s_instance *net, uint64_t hash, const void *weights, size_t "
             "bytes);\n",
             n, n);
    if (h->g->beside)
        mg_textf(
            h->out,
            "// weights: the bytes of %s, which belongs to this object. There are %" PRIu64
            ", aligned to 64 (as\n"
            "// mmap gives them). They are only read, any number of instances may share them, and "
            "they must stay\n"
            "// until close.\n"
            "static inline int %s_open(%s_instance *net, const void *weights, size_t bytes) {\n"
            "    return %s_open_checked(net, %s_HASH, weights, bytes);\n}\n",
            comment(h, h->weights_file), h->library->file_bytes, n, n, n, h->upper);
    else
        mg_textf(h->out,
                 "static inline int %s_open(%s_instance *net) {\n"
                 "    return %s_open_checked(net, %s_HASH, NULL, 0);\n}\n",
                 n, n, n, h->upper);
    mg_textf(
        h->out,
        "// The size of the arena for these sizes, in bytes.\n"
        "int %s_arena(const %s_sizes *sizes, uint64_t *bytes);\n"
        "// Checks the sizes and makes the instance ready for them: once per set of sizes, "
        "not per run.\n"
        "// arena: memory of yours, aligned to 64, that only this instance uses until it is "
        "bound again\n"
        "// or closed; NULL: bind allocates it.\n"
        "int %s_bind(%s_instance *net, const %s_sizes *sizes, void *arena, size_t bytes);\n"
        "// Runs the graph. Tensors are row-major, without gaps, aligned to their elements; "
        "outputs must\n"
        "// not overlap anything else. Nothing is allocated. After an error the outputs hold no "
        "result.\n"
        "int %s_run(%s_instance *net, const %s_inputs *inputs, const %s_outputs *outputs);\n"
        "// The time that a worker (below net->used) spent on kernel number `site` (below "
        "%s_SITES) in the last\n"
        "// timed run. Returns 1, or 0 if the worker had no part in that kernel.\n"
        "int %s_timing(const %s_instance *net, uint32_t site, uint32_t worker, %s_kernel_time "
        "*time);\n"
        "void %s_close(%s_instance *net); // frees what bind allocated\n"
        "// The axes for these sizes. The sizes of a bound instance tell how much memory the "
        "outputs need;\n"
        "// after a run they tell what it wrote.\n"
        "void %s_shapes(const %s_sizes *sizes, %s_dims *dims);\n"
        "const char *%s_message(int code);\n"
        "uint64_t %s_hash(void); // the object's; %s_HASH if it belongs to this header, which "
        "open checks\n\n",
        n, n, n, n, n, n, n, n, n, h->upper, n, n, n, n, n, n, n, n, n, n, h->upper);
}

static void write_sets(Header *h) {
    MgGraph *g = h->g->graph;
    for (uint32_t f = 0; f + 1 < h->g->forms.len; f++) {
        mg_text_add(h->out, f ? "; " : "// With code of their own: ");
        bool first = true;
        for (uint32_t d = 0; d < g->dims.len; d++)
            if (h->g->forms.at[f].dims[d] >= 0) {
                mg_textf(h->out, "%s%s = %" PRId64, first ? "" : ", ",
                         graph_text(h, mg_ix_sym_name(g->module->ix, g->dims.at[d])),
                         h->g->forms.at[f].dims[d]);
                first = false;
            }
    }
    mg_text_add(h->out, h->g->forms.len > 1 ? ".\n" : "");
}

static void write_graph(Header *h) {
    uint32_t n = h->g->graph->inputs.len + h->g->graph->outputs.len;
    const Port *ports = ports_of(h);
    mg_textf(h->out,
             "// ---------------------------------------------------------------- graph %s\n",
             graph_text(h, h->g->graph->name));
    write_sets(h);
    mg_textf(h->out,
             "#define %s_HASH UINT64_C(0x%016" PRIx64 ")\n#define %s_WORKERS %u\n"
             "#define %s_SITES %u // kernels of a run, at most\n"
             "#define %s_TICKS (2 * %s_SITES * %s_WORKERS)\n\n",
             h->upper, h->g->hash, h->upper, h->request->settings.workers, h->upper,
             h->layout.sites, h->upper, h->upper, h->upper);
    write_sizes(h);
    write_pointers(h, ports, n, false);
    write_pointers(h, ports, n, true);
    write_shapes(h, ports, n);
    write_instance(h);
    write_timing(h);
    write_codes(h);
    write_functions(h);
}

// ---------------------------------------------------------------- the file
static void write_top(Header *h, const char *file, const char *guard) {
    const char *n = h->library->graphs.at[0].prefix;
    mg_textf(h->out,
             "// %s: how to call the library beside it. Made by mgc %d.%d from %s, -O%u for %s; do "
             "not edit it.\n"
             "//\n"
             "//   %s_instance net;\n"
             "//   int code = %s_open(&net%s);\n"
             "//   if (!code) code = %s_bind(&net, &sizes, NULL, 0);   // once per set of sizes\n"
             "//   if (!code) code = %s_run(&net, &inputs, &outputs);  // as often as wanted\n"
             "//   if (code) puts(%s_message(code));\n"
             "//   %s_close(&net);\n"
             "//\n"
             "// Needs libc and libm.\n"
             "#ifndef %s\n#define %s\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
             "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
             comment(h, file), MG_VERSION_MAJOR, MG_VERSION_MINOR,
             graph_text(h, h->request->module->source), h->request->settings.level,
             h->request->settings.march ? h->request->settings.march : "this machine", n, n,
             h->library->graphs.at[0].beside ? ", weights, bytes" : "", n, n, n, n, guard, guard);
}

void mg_library_header(MgSession *session, const MgLibraryRequest *request,
                       const MgLibrary *library, const char *weights_file, MgText *out) {
    Header h = {.session = session,
                .arena = session->arena,
                .request = request,
                .library = library,
                .weights_file = weights_file,
                .out = out};
    const char *path = mg_path_with_extension(h.arena, request->output, ".h");
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *guard =
        mg_arena_printf(h.arena, "MG_%s", upper_of(h.arena, mg_c_name(h.arena, file, NULL, 0)));
    write_top(&h, file, guard);
    for (uint32_t g = 0; g < library->graphs.len; g++) {
        h.g = &library->graphs.at[g];
        h.layout = mg_library_layout(h.g);
        h.name = h.g->prefix;
        h.upper = upper_of(h.arena, h.name);
        write_graph(&h);
    }
    mg_text_add(out, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
