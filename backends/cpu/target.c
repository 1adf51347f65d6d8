// Which CPU: LLVM's name and features of this machine, or a level of the x86-64 psABI; caches by
// hwloc.
#include "backends/cpu/target.h"

#include "support/text.h"

#include <hwloc.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <string.h>

// --march names besides "native": the levels of the x86-64 psABI.
static const CpuTarget levels[] = {
    {"x86-64-v2", "", false, false, 16, 16, "128"},
    {"x86-64-v3", "", true, false, 32, 16, "256"},
    {"x86-64-v4", "-prefer-256-bit", true, false, 64, 32, "512"},
};
enum { LEVELS = sizeof levels / sizeof *levels };

static bool has(const char *features, const char *name) { // "+a,-b,+c"
    size_t n = strlen(name);
    for (const char *p = features; (p = strstr(p, name)); p += n)
        if (p > features && p[-1] == '+' && (p[n] == ',' || !p[n]))
            return true;
    return false;
}

static CpuTarget host(MgSession *session) {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    bool v4 = has(features, "avx512f") && has(features, "avx512bw") && has(features, "avx512dq") &&
              has(features, "avx512vl");
    bool v3 = has(features, "avx2") && has(features, "fma");
    CpuTarget target = levels[v4 ? 2 : v3 ? 1 : 0];
    target.f16 = has(features, "f16c");
    target.bf16_dot = has(features, "avx512bf16");
    target.cpu = mg_arena_str(session->arena, cpu, strlen(cpu));
    target.features =
        mg_arena_printf(session->arena, "%s%s", features, v4 ? ",-prefer-256-bit" : "");
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return target;
}

bool mg_cpu_target(MgSession *session, const char *march, CpuTarget *target) {
    if (!march || strcmp(march, "native") == 0) {
        *target = host(session);
        return true;
    }
    for (int i = 0; i < LEVELS; i++)
        if (strcmp(march, levels[i].cpu) == 0) {
            *target = levels[i];
            return true;
        }
    mg_diag(session, mg_no_span(), MG_D_cpu_march, march,
            "native, x86-64-v2, x86-64-v3, x86-64-v4");
    return false;
}

bool mg_cpu_target_key(MgSession *session, const char *march, MgText *out) {
    CpuTarget target;
    unsigned major, minor, patch;
    if (!mg_cpu_target(session, march, &target))
        return false;
    LLVMGetVersion(&major, &minor, &patch);
    mg_textf(out, "%s %s llvm %u.%u.%u", target.cpu, target.features, major, minor, patch);
    return true;
}

// ---------------------------------------------------------------- numbers for schedules

typedef struct Caches {
    uint32_t level[4]; // bytes of a core's data cache of each level; level[0] unused
} Caches;

// sysconf() would do, but gives all of a socket's third-level cache as one core's.
static Caches find_caches(void) {
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                             HWLOC_OBJ_L3CACHE};
    Caches caches = {{0, 32 << 10, 512 << 10, 8 << 20}};
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return caches;
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) == 0)
        for (int i = 0; i < 3; i++) {
            hwloc_obj_t cache = hwloc_get_obj_by_type(topology, types[i], 0);
            if (cache && cache->attr->cache.size && cache->attr->cache.size < UINT32_MAX)
                caches.level[i + 1] = (uint32_t)cache->attr->cache.size;
        }
    hwloc_topology_destroy(topology);
    return caches;
}

bool mg_cpu_target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    CpuTarget target;
    if (!mg_cpu_target(session, march, &target))
        return false;
    Caches caches = find_caches();
    *info = (MgTargetInfo){
        .name = target.cpu,
        .vector_bytes = target.vector_bytes,
        .vector_registers = target.vector_registers,
        .fma_units = 2,
        .l1_bytes = caches.level[1],
        .l2_bytes = caches.level[2],
        .l3_bytes = caches.level[3],
        .workers = 1,
        .f16 = target.f16,
        .bf16_dot = target.bf16_dot,
    };
    return true;
}

LLVMTargetMachineRef mg_cpu_machine(MgSession *session, const CpuTarget *target) {
    static const char triple[] = "x86_64-pc-linux-gnu";
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMTargetRef x86;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &x86, &message)) {
        mg_diag(session, mg_no_span(), MG_D_cpu_llvm, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(x86, triple, target->cpu, target->features,
                                   LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
}
