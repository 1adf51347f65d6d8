#include "backends/device_text.h"

#include "ir/kernel_walk.h"

static bool is_trap(void *ctx, const MgKs *s) {
    (void)ctx;
    return s->kind == MG_KS_TRAP;
}

bool mg_device_can_trap(const MgKernel *k) {
    return k->meets || mg_kblock_any(&k->body, &(MgKAsk){.statement = is_trap});
}
