// Divides the source of a program. Its kernels stand between other lines as the printer writes them
// (backends/opencl/print.c): each begins a line, and ends with the next brace that does.
#include "backends/cuda/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64,
    PART_BYTES = 1 << 15 // of a source, that pay for another part: some 100 ms of the compilers
};
static const uint32_t none = UINT32_MAX;

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
    uint32_t parts = 1;
    for (uint32_t i = 0; i < n; i++)
        total += kernels[i].bytes;
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

bool mg_cu_divide(const char *source, size_t length, uint32_t most, MgCuParts *parts) {
    const char *end = source + length;
    size_t load[MOST] = {0}, rest = length;
    uint32_t n;
    Kernel *kernels = find_kernels(source, end, &n);
    *parts = (MgCuParts){.at = calloc(MOST, sizeof *parts->at)};
    bool ok = kernels && parts->at;
    if (ok)
        parts->n = deal(kernels, n, most, load);
    for (uint32_t i = 0; ok && i < n; i++)
        rest -= kernels[i].bytes;
    for (uint32_t i = 0; ok && i < parts->n; i++)
        ok = (parts->at[i].code = malloc(rest + load[i] + 1));
    for (uint32_t k = 0; ok && k <= n; k++) {
        const char *to = k < n ? kernels[k].at : end;
        for (uint32_t i = 0; i < parts->n; i++)
            append(&parts->at[i], source, (size_t)(to - source));
        if (k < n)
            append(&parts->at[kernels[k].part], to, kernels[k].bytes);
        source = k < n ? to + kernels[k].bytes : end;
    }
    free(kernels);
    if (!ok)
        mg_cu_parts_free(parts);
    return ok;
}
