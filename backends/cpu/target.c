// Describes a CPU: this machine by LLVM's name and features, or one of machines/.
#include "backends/cpu/target.h"

#include "backends/cpu/dot.h"
#include "backends/cpu/thread.h"
#include "backends/device_code.h"
#include "support/diag.h"
#include "support/fork.h"

#if !defined(__x86_64__)
#include <hwloc.h>
#endif
#include <inttypes.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Kinds of CPUs, by common properties.
typedef enum Kind { V2, V3, V4, NEON } Kind;
static const MgCpuTarget kinds[] = {
    [V2] = {.arch = MG_CPU_X86, .vector_bytes = 16, .vector_bits = "128"},
    [V3] = {.arch = MG_CPU_X86,
            .f16 = true,
            .fma = true,
            .lookup4 = true,
            .vector_bytes = 32,
            .vector_bits = "256"},
    [V4] = {.arch = MG_CPU_X86,
            .f16 = true,
            .fma = true,
            .scaleb = true,
            .lookup = true,
            .masks = true,
            .vector_bytes = 64,
            .vector_bits = "512"},
    [NEON] = {.arch = MG_CPU_AARCH64,
              .f16 = true,
              .fma = true,
              .vector_bytes = 16,
              .vector_bits = "128"},
};

// The names of kinds: the `isa` in a machine's file, and a file with the kind's figures.
static const char *const kind_names[] = {
    [V2] = "x86-64-v2", [V3] = "x86-64-v3", [V4] = "x86-64-v4", [NEON] = "aarch64"};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Features that LLVM needs besides the name. By default it would use half of an AVX-512 register.
static const char *features_of(Kind kind) {
    return kind == V4 ? "-prefer-256-bit" : "";
}

static Kind kind_here(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return V4;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? V3 : V2;
#else
    return NEON;
#endif
}

// This machine's numbers, without LLVM. The CPUID bits are as in the vendors' manuals.
static MgCpuTarget numbers_here(void) {
    MgCpuTarget target = kinds[kind_here()];
#if defined(__x86_64__)
    uint32_t a = 0, b, c = 0, d;
    target.f16 = __get_cpuid(1, &a, &b, &c, &d) && target.fma && c >> 29 & 1;
#endif
    return target;
}

static MgCpuTarget host(MgSession *session) {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    Kind kind = kind_here();
    MgCpuTarget target = numbers_here();
    target.cpu = mg_arena_str(session->arena, cpu, strlen(cpu));
    MgText all = mg_text(session->arena);
    mg_textf(&all, "%s%s%s", features, kind == V4 ? "," : "", features_of(kind));
    mg_cpu_dot_features_here(&target, &all);
    target.features = mg_text_str(&all);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    return target;
}

// Finds the machine of this name that runs code for a CPU, and the kind of code. Code for a name is
// the same on every host, so it never depends on the host's properties.
static bool find_cpu(const char *march, MgMachine *machine, Kind *kind) {
    if (!mg_machine_find(march, machine))
        return false;
    for (int k = 0; k < KINDS; k++)
        if (!strcmp(kind_names[k], machine->isa)) {
            *kind = (Kind)k;
            return true;
        }
    return false;
}

static bool unknown_march(MgSession *session, const char *march) {
    MgText all = mg_text(session->arena);
    MG_VEC(const char *) names = {0};
    mg_text_add(&all, "native");
    for (const char *const *name = mg_machine_names(); *name; name++) {
        MgMachine machine;
        Kind kind;
        if (!find_cpu(*name, &machine, &kind))
            continue;
        mg_push(session->arena, &names, *name);
        mg_textf(&all, ", %s", *name);
    }
    int near = mg_nearest(march, names.at, names.len);
    if (near >= 0)
        mg_diag(session, mg_no_span(), MG_D_cpu_march_near, march, names.at[near]);
    else
        mg_diag(session, mg_no_span(), MG_D_cpu_march, march, mg_text_str(&all));
    return false;
}

static bool is_native(const char *march) {
    return !march || strcmp(march, "native") == 0;
}

// Finds a CPU by its name, without LLVM.
static bool find_target(MgSession *session, const char *march, MgCpuTarget *target,
                        MgMachine *machine) {
    Kind kind;
    if (!find_cpu(march, machine, &kind))
        return unknown_march(session, march);
    const char *llvm = machine->llvm[0] ? machine->llvm : march;
    *target = kinds[kind];
    target->cpu = mg_arena_str(session->arena, llvm, strlen(llvm));
    target->features = features_of(kind);
    return true;
}

bool mg_cpu_load(MgSession *session) {
    bool memory;
    const char *why = mg_llvm_load(&memory);
    if (memory)
        mg_mem_fail(session->mem);
    if (why)
        mg_diag(session, mg_no_span(), MG_D_cpu_no_llvm, why);
    return !why;
}

bool mg_cpu_target(MgSession *session, const char *march, MgCpuTarget *target) {
    if (!mg_cpu_load(session))
        return false;
    MgMachine machine;
    if (!is_native(march))
        return find_target(session, march, target, &machine);
    *target = host(session);
    return true;
}

// ---------------------------------------------------------------- caches of this machine

// In KiB, except for the ways of a set and the CPUs that share the last level; 0: unknown. They are
// written once, with the same contents for every thread.
static struct { uint32_t l1, l2, l3, l1_ways, l3_cpus; } caches_here;
static pthread_once_t caches_once = PTHREAD_ONCE_INIT;

// Ignores an implausible size, which leaves the kind's in place.
static void note_cache(uint32_t level, uint64_t bytes, uint32_t ways, uint32_t cpus) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t *const at[] = {NULL, &caches_here.l1, &caches_here.l2, &caches_here.l3};
    if (level >= 1 && level <= 3 && bytes >= 1024 && bytes < UINT32_MAX)
        *at[level] = (uint32_t)(bytes >> 10);
    if (level == 1 && ways > 1 && ways <= 64)
        caches_here.l1_ways = ways;
    if (level == 3)
        caches_here.l3_cpus = online > 0 && online < (long)cpus ? (uint32_t)online : cpus;
}

#if defined(__x86_64__)
// Reads CPUID's cache leaf (Intel's 4, AMD's 0x8000001d). hwloc asks the kernel for the same facts,
// but takes 2 ms, or 5 while a front end runs.
static void find_caches(void) {
    uint32_t a, b, c, d, leaf = 4;
    __cpuid(0x80000000, a, b, c, d);
    if (a >= 0x8000001d) {
        __cpuid(0x80000001, a, b, c, d);
        leaf = c >> 22 & 1 ? 0x8000001d : leaf; // the feature bit "topology extensions"
    }
    for (uint32_t i = 0; i < 16 && __get_cpuid_count(leaf, i, &a, &b, &c, &d) && (a & 31); i++) {
        uint32_t level = a >> 5 & 7, ways = (b >> 22) + 1, parts = (b >> 12 & 1023) + 1;
        uint64_t size = (uint64_t)ways * parts * ((b & 4095) + 1) * ((uint64_t)c + 1);
        bool data = (a & 31) == 1 || (a & 31) == 3;
        if (data)
            note_cache(level, size, ways, (a >> 14 & 4095) + 1);
    }
}
#else
// sysconf() won't do: it counts a socket's whole third-level cache for each core.
static void find_caches(void) {
    static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                             HWLOC_OBJ_L3CACHE};
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) == 0)
        for (uint32_t i = 0; i < 3; i++) {
            hwloc_obj_t cache = hwloc_get_obj_by_type(topology, types[i], 0);
            if (cache)
                note_cache(i + 1, cache->attr->cache.size,
                           (uint32_t)cache->attr->cache.associativity,
                           (uint32_t)hwloc_bitmap_weight(cache->cpuset));
        }
    hwloc_topology_destroy(topology);
}
#endif

// ---------------------------------------------------------------- this machine, without LLVM

// Exact for vector features. No CPU has these and lacks another feature of its kind.
bool mg_cpu_runs_here(MgSession *session, const char *march) {
    MgMachine machine;
    Kind here = kind_here(), wanted;
    if (is_native(march) || !find_cpu(march, &machine, &wanted))
        return true; // this machine; or an unknown name, which is reported elsewhere
    if (kinds[wanted].arch == kinds[here].arch && wanted <= here &&
        mg_cpu_dots_run_here(&kinds[wanted], &machine))
        return true;
    mg_diag(session, mg_no_span(), MG_D_cpu_not_here, march);
    return false;
}

// Hashes the CPU's own description, except for properties that differ between its cores, together
// with its caches, which schedules use.
static uint64_t cpu_hash(void) {
    pthread_once(&caches_once, find_caches);
    uint32_t words[32] = {caches_here.l1, caches_here.l2, caches_here.l3, caches_here.l1_ways,
                          caches_here.l3_cpus},
             n = 5;
#if defined(__x86_64__)
    static const uint32_t leaves[][2] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        uint32_t *w = &words[n];
        __get_cpuid_count(leaves[i][0], leaves[i][1], &w[0], &w[1], &w[2], &w[3]);
        if (leaves[i][0] == 1)
            w[1] = 0; // it contains the core's number
        n += 4;
    }
#endif
    return mg_hash(words, n * sizeof *words, 0);
}

bool mg_cpu_target_key(MgSession *session, const char *march, MgText *out) {
    MgMachine machine;
    Kind kind;
    if (is_native(march))
        mg_textf(out, "native %016" PRIx64, cpu_hash());
    else if (!find_cpu(march, &machine, &kind))
        return unknown_march(session, march);
    else
        mg_textf(out, "%s %s", kinds[kind].arch == MG_CPU_X86 ? "x86-64" : "aarch64", march);
    mg_textf(out, " llvm %s", LLVM_VERSION_STRING);
    return true;
}

// ---------------------------------------------------------------- numbers for schedules

// The figures of this machine's kind, with its own caches.
static void machine_here(MgMachine *machine, const MgCpuTarget *target) {
    static const char from[] = "this CPU";
    pthread_once(&caches_once, find_caches);
    mg_machine_find(kind_names[kind_here()], machine);
    strcpy(machine->name, "native");
    if (caches_here.l1)
        mg_machine_set(machine, MG_FIG_l1_size, caches_here.l1 * 1024.0, from);
    if (caches_here.l1_ways)
        mg_machine_set(machine, MG_FIG_l1_ways, caches_here.l1_ways, from);
    if (caches_here.l2)
        mg_machine_set(machine, MG_FIG_l2_size, caches_here.l2 * 1024.0, from);
    double most = caches_here.l3_cpus * (double)machine->l3_core;
    if (caches_here.l3)
        mg_machine_set(machine, MG_FIG_l3_size,
                       most < caches_here.l3 * 1024.0 ? most : caches_here.l3 * 1024.0, from);
    mg_cpu_dots_here(target, machine, from);
}

bool mg_cpu_target_info(MgSession *session, const char *march, MgTargetInfo *info) {
    MgCpuTarget target;
    MgMachine machine;
    if (is_native(march)) {
        target = numbers_here();
        target.cpu = "native";
        machine_here(&machine, &target);
    } else if (!find_target(session, march, &target, &machine)) {
        return false;
    }
    *info = (MgTargetInfo){
        .name = target.cpu,
        .fma_units = target.fma ? 2 : 0,
        .workers = 1,
        .f16 = target.f16,
        .scaleb = target.scaleb,
        .lookup = target.lookup,
        .lookup4 = target.lookup4,
        .masks = target.masks,
        .dots = mg_cpu_dots(&target, &machine),
    };
    mg_target_use(info, &machine);
    return true;
}

static void initialise_x86(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
}

static void initialise_aarch64(void) {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
}

static void initialise_nvptx(void) {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

// LLVM's registry of targets is not thread-safe.
static void initialise(MgCpuArch arch) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void (*const all[])(void) = {[MG_CPU_X86] = initialise_x86,
                                        [MG_CPU_AARCH64] = initialise_aarch64,
                                        [MG_CPU_NVPTX] = initialise_nvptx};
    static bool done[sizeof all / sizeof *all];
    pthread_mutex_lock(&lock);
    if (!done[arch])
        all[arch]();
    done[arch] = true;
    pthread_mutex_unlock(&lock);
}

// ---------------------------------------------------------------- ahead of time

static void *prepare(void *unused) {
    (void)unused;
    mg_fork_hold();
    pthread_once(&caches_once, find_caches);
    bool memory;
    if (!mg_llvm_load(&memory))
        initialise(kinds[kind_here()].arch);
    mg_fork_allow();
    return NULL;
}

typedef struct Preparing {
    pthread_t thread;
    pid_t process; // a child of fork() has no such thread to wait for
} Preparing;

static void wait_for(void *object) {
    Preparing *p = object;
    if (p->process == getpid())
        pthread_join(p->thread, NULL);
}

void mg_cpu_prepare_host(MgSession *session) {
    static atomic_bool begun;
    Preparing *p = MG_NEW(session->arena, Preparing);
    p->process = getpid();
    if (!atomic_exchange(&begun, true) && mg_cpu_thread(&p->thread, prepare, NULL))
        mg_mem_defer(session->mem, wait_for, p);
}

LLVMTargetMachineRef mg_cpu_machine(MgSession *session, const MgCpuTarget *target) {
    static const struct {
        const char *triple;
        LLVMCodeGenOptLevel level;
    } kinds_of_code[] = {[MG_CPU_X86] = {"x86_64-pc-linux-gnu", LLVMCodeGenLevelDefault},
                         [MG_CPU_AARCH64] = {"aarch64-unknown-linux-gnu", LLVMCodeGenLevelDefault},
                         [MG_CPU_NVPTX] = {"nvptx64-nvidia-cuda", LLVMCodeGenLevelAggressive}};
    const char *triple = kinds_of_code[target->arch].triple;
    initialise(target->arch);
    LLVMTargetRef found;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &found, &message)) {
        mg_diag(session, mg_no_span(), MG_D_cpu_llvm, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(found, triple, target->cpu, target->features,
                                   kinds_of_code[target->arch].level, LLVMRelocPIC,
                                   LLVMCodeModelSmall);
}
