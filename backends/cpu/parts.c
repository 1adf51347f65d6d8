// Generates an image in parallel. LLVM takes nearly all of a compilation and works on a module in
// one thread. So the kernels are dealt out to a few modules by size, a thread generates each, and
// the loader links the objects. The number of modules depends on the program alone, never on the
// machine, so the same source gives the same bytes.
#include "backends/cpu/unit.h"

#include "image/image.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 4,           // parts; a fifth would gain less than its own LLVM context costs
    PART_SIZE = 1 << 12 // nodes of kernels that pay for another part: some 5 ms of LLVM
};
_Static_assert(MOST <= (int)MG_IMAGE_MAX_PARTS, "the loader takes at most this many parts");

// ---------------------------------------------------------------- dealing out

typedef struct Weight {
    uint64_t size;
    uint32_t kernel;
} Weight;

static int largest_first(const void *a, const void *b) {
    const Weight *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->kernel < y->kernel ? -1 : 1;
}

// Deals each kernel to the part with the least load, the largest kernel first (Graham, 1969).
// Returns the number of parts. The first part also has the plan and bind, whose nodes are weighted:
// a node of theirs becomes several address computations.
static uint32_t deal(MgArena *arena, const MgProgram *p, uint32_t *part_of) {
    Weight *all = MG_NEW_N(arena, Weight, p->kernels.len + 1);
    uint64_t total = 0, load[MOST] = {0};
    load[0] = (mg_kernel_size(p->plan) + mg_kernel_size(p->bind)) * 5 / 2;
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        all[i] = (Weight){mg_kernel_size(p->kernels.at[i]), i};
        total += all[i].size;
    }
    qsort(all, p->kernels.len, sizeof *all, largest_first);
    uint32_t parts = total / PART_SIZE + 1 < MOST ? (uint32_t)(total / PART_SIZE) + 1 : MOST;
    if (parts > p->kernels.len) // so that none is empty
        parts = p->kernels.len ? p->kernels.len : 1;
    for (uint32_t i = 0; i < p->kernels.len; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < parts; k++)
            least = load[k] < load[least] ? k : least;
        part_of[all[i].kernel] = least;
        load[least] += all[i].size;
    }
    return parts;
}

// ---------------------------------------------------------------- generating

static void join(MgSession *session, MgCpuUnit *const *units, uint32_t n, unsigned char **bytes,
                 size_t *length) {
    MgImageParts head = {.magic = MG_IMAGE_PARTS_MAGIC, .count = n};
    size_t total = sizeof head;
    if (n == 1) {
        mg_cpu_take(session, units[0], bytes, length);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        head.length[i] = LLVMGetBufferSize(units[n - 1 - i]->result);
        total += (head.length[i] + 7) & ~(size_t)7;
    }
    unsigned char *at = *bytes = calloc(1, total);
    *length = total;
    if (!at)
        mg_mem_fail(session->mem);
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(at, LLVMGetBufferStart(units[n - 1 - i]->result), head.length[i]);
        at += (head.length[i] + 7) & ~(size_t)7;
    }
}

// Starts generating each part as soon as it is built, while the next is being built. This thread
// generates the last part. The other threads allocate nothing from the session, which belongs to
// this one.
static bool generate(MgSession *session, MgProgram *p, const MgCpuTarget *target,
                     const MgDeviceCode *device, const uint32_t *part_of, MgCpuUnit **units,
                     uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        MgCpuUnit *u = units[i] = mg_cpu_begin(session, target);
        if (!u)
            return false;
        u->device = device;
        u->part_of = n > 1 ? part_of : NULL;
        u->part = i;
        if (!mg_cpu_build(session, p, target, NULL, u))
            return false;
        if (i + 1 < n)
            mg_cpu_start(u);
    }
    bool good = true;
    for (uint32_t i = n; i-- > 0;)
        good = (mg_cpu_finish(units[i]) || mg_cpu_report(session, units[i])) && good;
    return good;
}

bool mg_cpu_image_object(MgSession *session, MgProgram *p, const MgCpuTarget *target,
                         const MgDeviceCode *device, unsigned char **bytes, size_t *length) {
    MgCpuUnit *units[MOST] = {0};
    uint32_t *part_of = MG_NEW_N(session->arena, uint32_t, p->kernels.len + 1);
    mg_cpu_legalise(p, target);
    uint32_t n = device ? 1 : deal(session->arena, p, part_of);
    bool good = generate(session, p, target, device, part_of, units, n);
    if (good)
        join(session, units, n, bytes, length);
    for (uint32_t i = 0; i < n; i++)
        mg_cpu_end(session, units[i]);
    return good;
}
