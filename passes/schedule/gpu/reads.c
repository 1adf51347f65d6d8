// Values from outside that a group reads at one address: they may be loaded ahead, once for all who
// read them.
#include "passes/schedule/gpu/gpu.h"
#include "passes/schedule/words.h"

void mg_gpu_note_read(MgGpuReads *reads, MgOpId op, const MgAccess *a, bool ok, bool moves) {
    for (uint32_t i = 0; i < reads->n; i++) {
        MgGpuRead *known = &reads->at[i];
        if (known->value != a->value)
            continue;
        known->readers++;
        known->ok &= ok && known->address == a->address && known->read->dtype == a->read->dtype;
        return;
    }
    if (reads->n < reads->room)
        reads->at[reads->n++] = (MgGpuRead){a->value, op, a->read, a->address, 1, ok, moves};
}

const MgKx *mg_gpu_load_read(MgGroup *gr, MgKBlock *block, const MgGpuRead *read, int vector,
                             uint32_t lanes) {
    MgGroupNest n = {read->op, NULL, MG_NONE};
    MgPoint p = mg_group_point(gr, &n, block, vector, lanes, NULL);
    const MgKx *x = mg_point_load(&p, mg_kb_value(&gr->kb, read->value), read->address, NULL, NULL);
    return converted(gr->kb.k, read->read->dtype, x);
}
