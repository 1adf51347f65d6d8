// Makes one object of a library: the forms of every graph, their weights, and the functions that a
// C program calls (library.ll). Each form is a module of its own until all are linked into one,
// which exports only those functions.
#include "backends/cpu/library.h"

#include "image/image.h"

#include <inttypes.h>
#include <stddef.h>

extern const char mg_library_ll[];

// Removes everything that no graph of this library needs. The forms themselves are already
// optimised.
static const char tidy[] = "function(simplifycfg),globaldce";

typedef struct Word {
    const char *name;
    const char *text;
} Word;

typedef struct Writer {
    MgSession *session;
    MgArena *arena;
    const MgLibrary *library;
    MG_VEC(Word) words;
} Writer;

static void put(Writer *w, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put(Writer *w, const char *name, const char *format, ...) {
    va_list args;
    va_start(args, format);
    mg_push(w->arena, &w->words, ((Word){name, mg_arena_vprintf(w->arena, format, args)}));
    va_end(args);
}

static void put_text(Writer *w, const char *name, MgText *text) {
    mg_push(w->arena, &w->words, ((Word){name, mg_text_str(text)}));
}

// Writes the offsets of the fields of an image and of a call.
static void put_offsets(Writer *w) {
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        {"IMAGE_N_WEIGHTS", offsetof(MgImage, n_weights)},
        {"IMAGE_N_DIMS", offsetof(MgImage, n_dims)},
        {"IMAGE_N_TRAPS", offsetof(MgImage, n_traps)},
        {"IMAGE_CONSTANTS", offsetof(MgImage, constants)},
        {"IMAGE_TRAPS", offsetof(MgImage, traps)},
        {"IMAGE_MAX_WORKERS", offsetof(MgImage, max_workers)},
        {"IMAGE_BIND", offsetof(MgImage, bind)},
        {"IMAGE_REQUIRES", offsetof(MgImage, requires)},
        {"IMAGE_RUN", offsetof(MgImage, run)},
        {"IMAGE_N_SITES", offsetof(MgImage, n_sites)},
        {"IMAGE_SITES", offsetof(MgImage, sites)},
        {"IMAGE_COSTS", offsetof(MgImage, costs)},
        {"CALL_WEIGHTS", offsetof(MgCall, weights)},
        {"CALL_CONSTANTS", offsetof(MgCall, constants)},
        {"CALL_ARENA", offsetof(MgCall, arena)},
        {"CALL_DIMS", offsetof(MgCall, dims)},
        {"CALL_SLOTS", offsetof(MgCall, slots)},
        {"CALL_TICKS", offsetof(MgCall, ticks)},
        {"CALL_ERROR", offsetof(MgCall, error)},
        {"CALL_REPEAT", offsetof(MgCall, repeat)},
        {"CALL_BYTES", sizeof(MgCall)},
    };
    _Static_assert(sizeof(MgImageSite) == 3 * sizeof(void *) + sizeof(double),
                   "as library.ll has it");
    _Static_assert(offsetof(MgCall, ports) == 0 && sizeof(MgCall) % 8 == 0, "as library.ll has it");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        put(w, fields[i].name, "%zu", fields[i].offset);
}

static const char *bytes_text(Writer *w, const unsigned char *bytes, size_t n) {
    MgText out = mg_text(w->arena);
    mg_text_add(&out, "c\"");
    for (size_t i = 0; i < n; i++)
        if (bytes[i] >= ' ' && bytes[i] < 127 && bytes[i] != '"' && bytes[i] != '\\')
            mg_text_add_n(&out, (const char *)&bytes[i], 1);
        else
            mg_textf(&out, "\\%02X", bytes[i]);
    mg_text_add(&out, "\"");
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- library.ll's $ words

static void put_codes(Writer *w, const char *prefix) {
    static const char *const texts[] = {
#define X(id, text) text,
        MG_LIBRARY_CODES(X)
#undef X
    };
    static const char *const names[] = {
#define X(id, text) #id,
        MG_LIBRARY_CODES(X)
#undef X
    };
    uint32_t n = sizeof texts / sizeof *texts;
    MgText rows = mg_text(w->arena), all = rows;
    for (uint32_t i = 0; i < n; i++) {
        size_t size = strlen(texts[i]) + 1;
        put(w, names[i], "%u", i);
        mg_textf(&rows, "%sptr @%s.code.%u", i ? ", " : "", prefix, i);
        mg_textf(&all, "@%s.code.%u = private unnamed_addr constant [%zu x i8] %s\n", prefix, i,
                 size, bytes_text(w, (const unsigned char *)texts[i], size));
    }
    put(w, "CODES", "%u", n);
    put_text(w, "CODE_ROWS", &rows);
    put_text(w, "CODE_TEXTS", &all);
}

// Maps a form's dimensions to the graph's: a form has only those that it leaves open.
static void put_map(MgText *out, const MgGraph *g, const MgGraph *form) {
    for (uint32_t i = 0; i < form->dims.len; i++)
        for (uint32_t d = 0; d < g->dims.len; d++)
            if (g->dims.at[d] == form->dims.at[i])
                mg_textf(out, "%si32 %u", i ? ", " : "", d);
}

// Writes the image of each form, the place of its weights, and the dimensions it is for.
static void put_forms(Writer *w, const MgLibraryGraph *g) {
    const char *prefix = g->prefix;
    uint32_t n_dims = g->graph->dims.len;
    MgText rows = mg_text(w->arena), all = rows, requires = rows;
    for (uint32_t f = 0; f < g->forms.len; f++) {
        mg_textf(&rows,
                 "%s%%form { ptr @%s.%u.image, ptr @%s.%u.weights, ptr @%s.%u.offsets, ptr "
                 "@%s.%u.set, ptr @%s.%u.map }",
                 f ? ", " : "", prefix, f, prefix, f, prefix, f, prefix, f, prefix, f);
        mg_textf(
            &all,
            "@%s.%u.image = external constant i8\n@%s.%u.weights = external constant ptr\n"
            "@%s.%u.offsets = external constant i64\n@%s.%u.set = private constant [%u x i64] [",
            prefix, f, prefix, f, prefix, f, prefix, f, n_dims);
        for (uint32_t d = 0; d < n_dims; d++)
            mg_textf(&all, "%si64 %" PRId64, d ? ", " : "", g->forms.at[f].dims[d]);
        mg_textf(&all, "]\n@%s.%u.map = private constant [%u x i32] [", prefix, f,
                 g->forms.at[f].program->graph->dims.len);
        put_map(&all, g->graph, g->forms.at[f].program->graph);
        mg_text_add(&all, "]\n");
        mg_textf(&requires, "%si32 %u", f ? ", " : "", g->forms.at[f].program->graph->requires.len);
    }
    mg_textf(&all, "@%s.requires = private constant [%u x i32] [%s]\n", prefix, g->forms.len,
             mg_text_str(&requires));
    put(w, "FORMS", "%u", g->forms.len);
    put_text(w, "FORM_ROWS", &rows);
    put_text(w, "DECLARATIONS", &all);
}

static void put_words(Writer *w, const MgLibraryGraph *g) {
    const MgLibrary *l = w->library;
    MgLibraryLayout layout = mg_library_layout(g);
    put(w, "NAME", "%s", g->prefix);
    put(w, "HASH", "%" PRId64, (int64_t)g->hash);
    put(w, "DIMS", "%u", layout.dims);
    put(w, "PORTS", "%u", layout.ports);
    put(w, "SLOTS", "%u", layout.slots);
    put(w, "SLOT_WORKERS", "%d", MG_SLOT_WORKERS);
    put(w, "WEIGHT_SLOTS", "%u", layout.weights);
    put(w, "SITE_COUNTS", "%u", 2 * layout.sites);
    put(w, "GIVEN", "%u", mg_library_given_dims(g->graph));
    put(w, "DIM_BYTES", "%zu", g->graph->dims.len * sizeof(int64_t));
    put(w, "NEEDS_GIVEN", "%s", mg_library_given_dims(g->graph) ? "true" : "false");
    put(w, "NEEDS_SIZES", "%s", g->graph->dims.len ? "true" : "false");
    put(w, "NEEDS_INPUTS", "%s", g->graph->inputs.len ? "true" : "false");
    put(w, "NEEDS_OUTPUTS", "%s", g->graph->outputs.len ? "true" : "false");
    put(w, "INPUT_BYTES", "%zu", g->graph->inputs.len * sizeof(void *));
    put(w, "OUTPUT_BYTES", "%zu", g->graph->outputs.len * sizeof(void *));
    put(w, "BESIDE", "%s", g->beside ? "true" : "false");
    put(w, "FILE_BYTES", "%" PRIu64, l->file_bytes);
    put(w, "HEADER_BYTES", "%zu", g->beside ? l->header_bytes : 0);
    put(w, "HEADER", "%s", bytes_text(w, l->header, g->beside ? l->header_bytes : 0));
    put(w, "TRAP", "%u", MG_LIBRARY_TRAP);
    put_offsets(w);
    put_codes(w, g->prefix);
    put_forms(w, g);
}

static bool is_word(const char *at) {
    return (*at >= 'A' && *at <= 'Z') || (*at == '_' && at[1] >= 'A' && at[1] <= 'Z');
}

static const char *fill_in(Writer *w, const char *pattern) {
    MgText out = mg_text(w->arena);
    while (*pattern) {
        size_t plain = strcspn(pattern, "$"), n = 0;
        mg_text_add_n(&out, pattern, plain);
        pattern += plain;
        if (!*pattern)
            break;
        while (is_word(pattern + 1 + n))
            n++;
        for (uint32_t i = 0; i < w->words.len; i++)
            if (strlen(w->words.at[i].name) == n && !memcmp(w->words.at[i].name, pattern + 1, n))
                mg_text_add(&out, w->words.at[i].text);
        pattern += 1 + n;
    }
    return mg_text_str(&out);
}

// ---------------------------------------------------------------- modules

static bool link_in(LLVMModuleRef *all, LLVMModuleRef part) {
    if (!*all) {
        *all = part;
        return true;
    }
    return !LLVMLinkModules2(*all, part); // linking disposes of part even if it fails
}

static bool add_functions(MgSession *session, MgCpuUnit *u, const MgLibrary *l,
                          const MgLibraryGraph *g) {
    Writer w = {.session = session, .arena = mg_arena_new(session->mem), .library = l};
    put_words(&w, g);
    const char *text = fill_in(&w, mg_library_ll);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "library.ll");
    LLVMModuleRef part;
    mg_arena_free(w.arena);
    if (LLVMParseIRInContext(u->context, buffer, &part, &u->message))
        return mg_cpu_report(session, u);
    LLVMSetDataLayout(part, LLVMGetDataLayoutStr(u->all));
    LLVMSetTarget(part, LLVMGetTarget(u->all));
    return link_in(&u->all, part);
}

static void define_weights(MgCpuUnit *u, const MgLibrary *l) {
    for (uint32_t i = 0; i < l->weights.len; i++) {
        char name[32];
        mg_cpu_weight_name(i, name);
        LLVMValueRef declared = LLVMGetNamedGlobal(u->all, name);
        if (!declared)
            continue; // every form folded it away
        const MgLibraryWeight *w = &l->weights.at[i];
        LLVMSetInitializer(declared, LLVMConstStringInContext2(u->context, w->data ? w->data : "",
                                                               w->bytes, true));
        LLVMSetGlobalConstant(declared, true);
        LLVMSetAlignment(declared, 64);
    }
}

static bool is_export(const MgLibrary *l, const char *name) {
    static const char *const exports[] = {
#define X(text) "_" text,
        MG_LIBRARY_EXPORTS(X)
#undef X
    };
    for (uint32_t g = 0; g < l->graphs.len; g++) {
        size_t n = strlen(l->graphs.at[g].prefix);
        for (size_t i = 0; i < sizeof exports / sizeof *exports; i++)
            if (!strncmp(name, l->graphs.at[g].prefix, n) && !strcmp(name + n, exports[i]))
                return true;
    }
    return false;
}

// Hides everything but the functions of the header.
static void hide(MgCpuUnit *u, const MgLibrary *l) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->all); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_export(l, LLVMGetValueName(f)))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(u->all); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMPrivateLinkage)
            LLVMSetLinkage(g, LLVMInternalLinkage);
}

static bool add_forms(MgSession *session, MgCpuUnit *u, const MgCpuTarget *target,
                      const MgLibrary *l, const MgLibraryGraph *g) {
    for (uint32_t f = 0; f < g->forms.len; f++) {
        MgCpuForm form = {.library = l,
                          .graph = g,
                          .prefix = mg_arena_printf(session->arena, "%s.%u", g->prefix, f),
                          .generic = f + 1 == g->forms.len};
        mg_cpu_legalise(g->forms.at[f].program, target);
        if (!mg_cpu_build(session, g->forms.at[f].program, target, &form, u))
            return false;
        if (!mg_cpu_optimise(u))
            return mg_cpu_report(session, u);
        LLVMModuleRef part = u->module;
        u->module = NULL;
        if (!link_in(&u->all, part)) {
            mg_diag(session, mg_no_span(), MG_D_cpu_llvm, "modules cannot be linked");
            return false;
        }
    }
    return add_functions(session, u, l, g);
}

bool mg_cpu_library(MgSession *session, const MgLibrary *library, const char *march,
                    unsigned char **bytes, size_t *length) {
    MgCpuTarget target;
    if (!mg_cpu_target(session, march, &target))
        return false;
    MgCpuUnit *u = mg_cpu_begin(session, &target);
    bool good = u != NULL;
    for (uint32_t g = 0; g < library->graphs.len && good; g++)
        good = add_forms(session, u, &target, library, &library->graphs.at[g]);
    if (good) {
        if (!library->header_bytes)
            define_weights(u, library);
        hide(u, library);
        u->module = u->all;
        u->all = NULL;
        good = (mg_cpu_verify(u) && mg_cpu_run_passes(u, tidy) &&
                mg_cpu_generate(u, LLVMObjectFile)) ||
               mg_cpu_report(session, u);
        if (good)
            mg_cpu_take(session, u, bytes, length);
    }
    mg_cpu_end(session, u);
    return good;
}
