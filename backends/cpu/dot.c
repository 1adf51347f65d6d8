// Finds which instructions of lang/dots.def a target has.
#include "backends/cpu/dot.h"
#include "ir/dots.h"

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

static const MgDotIsa isa_of[] = {[MG_CPU_X86] = MG_DOT_X86, [MG_CPU_AARCH64] = MG_DOT_AARCH64};

// The next row, from number *i on, that a target's vectors allow; NULL: none.
static const MgDotRow *next_row(const MgCpuTarget *target, uint32_t *i) {
    uint32_t n;
    for (const MgDotRow *rows = mg_dot_rows(&n); *i < n; ++*i)
        if (rows[*i].isa == isa_of[target->arch] && rows[*i].bits == target->vector_bytes * 8)
            return &rows[(*i)++];
    return NULL;
}

uint32_t mg_cpu_dots(const MgCpuTarget *target, const MgMachine *machine) {
    uint32_t atoms = 0, i = 0;
    for (const MgDotRow *r; (r = next_row(target, &i));)
        if (machine->at[r->rate] > 0)
            atoms |= 1u << r->atom;
    return atoms;
}

static bool is_here(const MgDotRow *r) {
#if defined(__x86_64__)
    uint32_t words[4];
    return r->isa == MG_DOT_X86 &&
           __get_cpuid_count(7, r->part, &words[0], &words[1], &words[2], &words[3]) &&
           words[r->word] >> r->bit & 1;
#else
    unsigned long has = getauxval(r->part ? AT_HWCAP2 : AT_HWCAP);
    return r->isa == MG_DOT_AARCH64 && has >> r->bit & 1;
#endif
}

// Each instruction takes the time of a multiply-add of f32.
void mg_cpu_dots_here(const MgCpuTarget *target, MgMachine *machine, const char *from) {
    uint32_t i = 0;
    for (const MgDotRow *r; (r = next_row(target, &i));)
        if (is_here(r) && machine->at[r->rate] <= 0)
            mg_machine_set(machine, r->rate, machine->products * mg_atom_per_word(r->atom), from);
}

void mg_cpu_dot_features_here(const MgCpuTarget *target, MgText *features) {
    uint32_t i = 0;
    for (const MgDotRow *r; (r = next_row(target, &i));)
        if (is_here(r))
            mg_textf(features, ",+%s", r->feature);
}

bool mg_cpu_dots_run_here(const MgCpuTarget *target, const MgMachine *machine) {
    uint32_t i = 0;
    for (const MgDotRow *r; (r = next_row(target, &i));)
        if (machine->at[r->rate] > 0 && !is_here(r))
            return false;
    return true;
}

const char *mg_cpu_dot_intrinsic(const MgCpuTarget *target, MgAtom atom, uint32_t bits) {
    uint32_t i = 0;
    for (const MgDotRow *r; (r = next_row(target, &i));)
        if (r->atom == atom && r->bits == bits)
            return r->intrinsic;
    return NULL;
}
