// How the groups of a persistent kernel find each other and synchronise, as OpenCL C.
//
// Occupancy discovery (Sorensen, Donaldson, Batty, Gopalakrishnan, Rakamaric, "Portable
// inter-workgroup barrier synchronisation for GPUs", OOPSLA 2016): groups arrive at a counter, and
// the first to lose patience closes it. Those that arrived before take part, because all of them
// run at the same time; the rest leave. The barrier is one counter that only grows, compared by
// signed difference. Nobody waits for ever: past a bound the kernel traps, every waiting group sees
// that, and no later barrier waits.
// A device without ordered atomics admits one group. PoCL's atomics are all ordered, so it doesn't
// count as such a device.
#include "backends/opencl/print_impl.h"

static const char text[] =
    "// m[0]: arrivals, and CLOSED; m[1]: groups admitted, once closed; m[2]: arrivals at "
    "barriers\n"
    "#define MG_CLOSED 0x80000000u\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "#define MG_PATIENCE (1u << 10)\n"
    "#define MG_LIMIT (1u << 18)\n"
    "static uint mg_meet_add(__global uint *p, uint v) {\n"
    "    uint r;\n"
    "    asm volatile(\"atom.add.acq_rel.gpu.u32 %0, [%1], %2;\" : \"=r\"(r) : \"l\"(p), \"r\"(v) "
    ": \"memory\");\n"
    "    return r;\n"
    "}\n"
    "static uint mg_meet_load(__global uint *p) {\n"
    "    uint r;\n"
    "    asm volatile(\"ld.acquire.gpu.u32 %0, [%1];\" : \"=r\"(r) : \"l\"(p) : \"memory\");\n"
    "    return r;\n"
    "}\n"
    "#elif defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device)\n"
    "#define MG_PATIENCE (1u << 10)\n"
    "#define MG_LIMIT (1u << 20)\n"
    "static uint mg_meet_add(__global uint *p, uint v) {\n"
    "    return atomic_fetch_add_explicit((volatile __global atomic_uint *)p, v,\n"
    "                                     memory_order_acq_rel, memory_scope_device);\n"
    "}\n"
    "static uint mg_meet_load(__global uint *p) {\n"
    "    return atomic_load_explicit((volatile __global atomic_uint *)p, memory_order_acquire,\n"
    "                                memory_scope_device);\n"
    "}\n"
    "#elif defined(POCL_DEVICE_ADDRESS_BITS)\n"
    "#define MG_PATIENCE (1u << 16)\n"
    "#define MG_LIMIT (1u << 26)\n"
    "static uint mg_meet_add(__global uint *p, uint v) {\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    return atomic_add((volatile __global uint *)p, v);\n"
    "}\n"
    "static uint mg_meet_load(__global uint *p) { return mg_meet_add(p, 0); }\n"
    "#else\n"
    "#define MG_ALONE\n"
    "#endif\n\n"
    "static void mg_join(__global uint *m, __local uint *who, __global int *trap, int code) {\n"
    "#ifdef MG_ALONE\n"
    "    who[0] = get_group_id(0) > 0;\n"
    "    who[1] = get_group_id(0) == 0;\n"
    "#else\n"
    "    const uint mine = mg_meet_add(m, 1);\n"
    "    who[0] = 1;\n"
    "    who[1] = 0;\n"
    "    if (mine & MG_CLOSED)\n"
    "        return;\n"
    "    for (uint i = 0; i < MG_PATIENCE && mg_meet_load(m) < get_num_groups(0); i++)\n"
    "        ;\n"
    "    const uint came = atomic_or((volatile __global uint *)m, MG_CLOSED);\n"
    "    if (!(came & MG_CLOSED))\n"
    "        mg_meet_add(m + 1, came);\n"
    "    who[0] = mine;\n"
    "    for (uint i = 0; !(who[1] = mg_meet_load(m + 1)); i++)\n"
    "        if (i == MG_LIMIT) {\n"
    "            atomic_cmpxchg((volatile __global int *)trap, 0, code);\n"
    "            return;\n"
    "        }\n"
    "#endif\n"
    "}\n\n"
    "static uint mg_meet(__global uint *m, uint groups, uint round, __global int *trap, int code) "
    "{\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "#ifndef MG_ALONE\n"
    "    if (get_local_id(0) == 0 && groups > 1 && round) {\n"
    "        mg_meet_add(m + 2, 1);\n"
    "        const uint all = round * groups;\n"
    "        for (uint i = 0; (int)(mg_meet_load(m + 2) - all) < 0; i++)\n"
    "            if (i == MG_LIMIT || ((i & 1023) == 1023 && *(volatile __global int *)trap)) {\n"
    "                atomic_cmpxchg((volatile __global int *)trap, 0, code);\n"
    "                round = 0;\n"
    "                break;\n"
    "            }\n"
    "    }\n"
    "#endif\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    return round ? round + 1 : 0; // 0: it has given up, and waits no more\n"
    "}\n\n";

void mg_cl_meet_helpers(MgClSource *source) {
    if (!source->meets)
        mg_text_add(source->out, text);
    source->meets = true;
}

void mg_cl_join(MgClPrinter *p) {
    mg_cl_line(p, "__global uint *meeting = (__global uint *)%s;\n", mg_cl_buf(p, p->k->meeting));
    // Local memory may be fully used later, so this borrows from it.
    uint32_t align;
    bool borrowed = mg_kernel_overlay(p->k, &align) >= 8;
    mg_cl_line(p, borrowed ? "__local uint *who = (__local uint *)local_bytes;\n"
                           : "__local uint who[2];\n");
    mg_cl_line(p, "if (get_local_id(0) == 0)\n");
    mg_cl_line(p, "    mg_join(meeting, who, trap, %u);\n", p->k->meets);
    mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
    mg_cl_line(p, "const int group = (int)who[0], groups = (int)who[1];\n");
    if (borrowed)
        mg_cl_line(p, "barrier(CLK_LOCAL_MEM_FENCE);\n");
    mg_cl_line(p, "uint round = 1;\n");
    mg_cl_line(p, "if (group < groups) {\n");
    p->group = "group";
    p->groups = "groups";
    p->depth++;
}

void mg_cl_meet(MgClPrinter *p) {
    mg_cl_line(p, "round = mg_meet(meeting, (uint)groups, round, trap, %u);\n", p->k->meets);
}

void mg_opencl_print_meeting(MgClSource *source) {
    mg_cl_meet_helpers(source);
    mg_text_add(
        source->out,
        "__kernel void mg_meeting(__global uint *meeting, int rounds, __global int *trap) {\n"
        "    __local uint who[2];\n"
        "    if (get_local_id(0) == 0)\n"
        "        mg_join(meeting, who, trap, 1);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    const uint groups = who[1];\n"
        "    if (who[0] < groups) {\n"
        "        uint round = 1;\n"
        "        for (int i = 0; i < rounds; i++)\n"
        "            round = mg_meet(meeting, groups, round, trap, 1);\n"
        "#ifndef MG_ALONE\n"
        "        if (who[0] == 0 && get_local_id(0) == 0)\n"
        "            meeting[3] = groups;\n"
        "#endif\n"
        "    }\n"
        "}\n");
}
