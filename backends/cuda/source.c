// Divides the source of a program. Its kernels stand between other lines as the printer writes them
// (backends/opencl/print.c): each begins a line, and ends with the next brace that does. Behind
// them may stand modules of PTX, each with one of these kernels.
#include "backends/cuda/parts.h"

#include "backends/opencl/host/ptx.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64,           // of sources, and of modules
    PART_BYTES = 1 << 15 // of a source, that pay for another part: some 100 ms of the compilers
};
static const uint32_t none = UINT32_MAX, made = UINT32_MAX - 1; // no part yet; a module has it

typedef struct Kernel {
    const char *at;
    size_t bytes;
    uint32_t part;
} Kernel;

static bool begins(const char *at, const char *end, const char *word) {
    return (size_t)(end - at) > strlen(word) && !memcmp(at, word, strlen(word));
}

// Finds the first kernel from the beginning of a line on. False: there is none.
static bool find_kernel(const char *line, const char *end, Kernel *k) {
    for (; line < end; line++) {
        if (begins(line, end, "__attribute__((reqd_") || begins(line, end, "__kernel ")) {
            const char *brace = memmem(line, (size_t)(end - line), "\n}\n", 3);
            *k = (Kernel){line, (size_t)((brace ? brace + 3 : end) - line), none};
            return true;
        }
        line = memchr(line, '\n', (size_t)(end - line));
        if (!line)
            break;
    }
    return false;
}

// The kernels of a source, from malloc; NULL if memory runs out.
static Kernel *find_kernels(const char *source, const char *end, uint32_t *n) {
    Kernel k, *all = NULL;
    *n = 0;
    for (const char *at = source; find_kernel(at, end, &k); at = k.at + k.bytes)
        ++*n;
    all = malloc((*n + 1) * sizeof *all);
    for (uint32_t i = 0; all && i < *n; source = all[i].at + all[i].bytes, i++)
        find_kernel(source, end, &all[i]);
    return all;
}

static Kernel *largest_left(Kernel *kernels, uint32_t n) {
    Kernel *largest = NULL;
    for (uint32_t i = 0; i < n; i++)
        if (kernels[i].part == none && (!largest || kernels[i].bytes > largest->bytes))
            largest = &kernels[i];
    return largest;
}

// Each kernel goes to the part with the least load, the largest first (Graham, 1969). Returns the
// number of parts.
static uint32_t deal(Kernel *kernels, uint32_t n, uint32_t most, size_t *load) {
    size_t total = 0;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < n; i++)
        total += kernels[i].part == none ? kernels[i].bytes : 0;
    if (total / PART_BYTES < most)
        most = (uint32_t)(total / PART_BYTES) + 1;
    for (Kernel *k; (k = largest_left(kernels, n));) {
        k->part = 0;
        for (uint32_t i = 1; i < most && i < MOST; i++)
            k->part = load[i] < load[k->part] ? i : k->part;
        load[k->part] += k->bytes;
        parts = k->part < parts ? parts : k->part + 1;
    }
    return parts;
}

static void append(MgCuPart *part, const char *text, size_t bytes) {
    memcpy(part->code + part->bytes, text, bytes);
    part->bytes += bytes;
    part->code[part->bytes] = 0;
}

// Divides kernels of OpenCL C, which end at `end`. Lines between them go to all parts.
static bool divide_source(const char *source, const char *end, Kernel *kernels, uint32_t n,
                          uint32_t most, MgCuParts *parts) {
    size_t load[MOST] = {0}, rest = (size_t)(end - source);
    MgCuPart *all = parts->at + parts->n;
    uint32_t n_parts = deal(kernels, n, most, load);
    bool ok = true;
    if (!n) // no kernel was recognised
        n_parts = 1;
    for (uint32_t i = 0; i < n; i++)
        rest -= kernels[i].bytes;
    for (uint32_t i = 0; ok && i < n_parts; i++, parts->n++)
        ok = (all[i].code = malloc(rest + load[i] + 1));
    for (uint32_t k = 0; ok && k <= n; k++) {
        const char *to = k < n ? kernels[k].at : end;
        for (uint32_t i = 0; i < n_parts; i++)
            append(&all[i], source, (size_t)(to - source));
        if (k < n && kernels[k].part < n_parts)
            append(&all[kernels[k].part], to, kernels[k].bytes);
        source = k < n ? to + kernels[k].bytes : end;
    }
    return ok;
}

// ---------------------------------------------------------------- modules

// What follows the line that announces a module, up to the next one. NULL: there is none.
static const char *module_text(const char *line, const char *end, size_t *bytes) {
    const char *text = line < end ? line + strlen(MG_PTX_MODULE "\n") : end;
    if (text >= end)
        return NULL;
    *bytes = mg_ptx_source_length(text, (size_t)(end - text));
    return text;
}

static Kernel *find_modules(const char *line, const char *end, uint32_t *n) {
    size_t bytes = 0;
    const char *text;
    *n = 0;
    for (const char *at = line; (text = module_text(at, end, &bytes)); at = text + bytes)
        ++*n;
    Kernel *all = malloc((*n + 1) * sizeof *all);
    for (uint32_t i = 0; all && i < *n; line = all[i].at + all[i].bytes, i++) {
        text = module_text(line, end, &bytes);
        all[i] = (Kernel){text, bytes, none};
    }
    return all;
}

// The lines by which a module says its version and target, which its part says once.
static size_t head_of(const Kernel *module) {
    static const char last[] = ".address_size 64\n";
    const char *found = memmem(module->at, module->bytes, last, sizeof last - 1);
    return found ? (size_t)(found - module->at) + sizeof last - 1 : 0;
}

static bool divide_modules(Kernel *modules, uint32_t n, uint32_t most, MgCuParts *parts) {
    size_t load[MOST] = {0};
    MgCuPart *all = parts->at + parts->n;
    uint32_t n_parts = deal(modules, n, most, load);
    for (uint32_t i = 0; i < n_parts; i++, parts->n++) {
        if (!(all[i].code = malloc(load[i] + 1)))
            return false;
        all[i].stage = MG_CU_MODULES;
        for (uint32_t k = 0; k < n; k++) {
            size_t head = all[i].bytes ? head_of(&modules[k]) : 0;
            if (modules[k].part == i)
                append(&all[i], modules[k].at + head, modules[k].bytes - head);
        }
    }
    return true;
}

// Marks the kernels that modules have.
static void mark_made(Kernel *kernels, uint32_t n, const char *modules, const char *end) {
    static const char word[] = "__kernel void ";
    char entry[256] = ".entry ";
    for (uint32_t i = 0; i < n; i++) {
        const char *name = memmem(kernels[i].at, kernels[i].bytes, word, sizeof word - 1);
        const char *stop = name ? memchr(name, '(', kernels[i].bytes) : NULL;
        size_t length = stop ? (size_t)(stop - name) - (sizeof word - 1) + 1 : sizeof entry;
        if (length + strlen(".entry ") >= sizeof entry)
            continue;
        memcpy(entry + strlen(".entry "), name + sizeof word - 1, length);
        if (memmem(modules, (size_t)(end - modules), entry, strlen(".entry ") + length))
            kernels[i].part = made;
    }
}

bool mg_cu_divide(const char *source, size_t length, bool modules, uint32_t most,
                  MgCuParts *parts) {
    const char *last = source + mg_ptx_source_length(source, length), *end = source + length;
    uint32_t n, n_modules;
    if (!modules)
        end = last;
    Kernel *kernels = find_kernels(source, last, &n), *ready = find_modules(last, end, &n_modules);
    *parts = (MgCuParts){.at = calloc(2 * MOST, sizeof *parts->at)};
    bool ok = kernels && ready && parts->at;
    if (ok)
        mark_made(kernels, n, last, end);
    ok = ok && divide_source(source, last, kernels, n, most, parts) &&
         divide_modules(ready, n_modules, most, parts);
    free(kernels);
    free(ready);
    if (!ok)
        mg_cu_parts_free(parts);
    return ok;
}
