// Memory of a device: the table of objects by which an address finds its memory, and copies.
#include "runtime/device_impl.h"

#include "runtime/context.h"

#include <stdlib.h>
#include <string.h>

// Numbers from here on are no objects: the address, without this number, is the driver's own.
#define SPACE ((uint64_t)1 << 18)
#define SPACE_BYTES ((uint64_t)1 << 56)

// Takes a free number for an object, from 1 on, since address 0 means none. UINT32_MAX if memory
// runs out.
static uint32_t take_number(MgDevice *d, MgHostMemory *memory) {
    for (uint32_t k = 1; k < d->n_memories; k++)
        if (!d->memories[k]) {
            d->memories[k] = memory;
            return k;
        }
    if (d->n_memories + 1 >= SPACE)
        return UINT32_MAX;
    if (d->n_memories + 1 >= d->room) {
        uint32_t room = d->room ? 2 * d->room : 64;
        MgHostMemory **grown = realloc(d->memories, room * sizeof *grown);
        if (!grown)
            return UINT32_MAX;
        d->memories = grown;
        d->room = room;
    }
    if (!d->n_memories)
        d->memories[d->n_memories++] = NULL;
    d->memories[d->n_memories] = memory;
    return d->n_memories++;
}

// The address of an object, whose reference the table takes over. 0 if memory runs out.
static int64_t enter(MgDevice *d, MgHostMemory *memory, char **message) {
    pthread_mutex_lock(&d->memory_lock);
    uint32_t number = take_number(d, memory);
    pthread_mutex_unlock(&d->memory_lock);
    if (number == UINT32_MAX) {
        d->host->free(d->driver, memory);
        mg_message_set(message, "out of memory");
        return 0;
    }
    return (int64_t)number << MG_DEVICE_SHIFT;
}

int64_t mg_device_alloc(MgDevice *d, size_t bytes, const void *content, char **message) {
    MgHostMemory *memory;
    if (!mg_device_here(d, message))
        return 0;
    MgHostStatus status = d->host->alloc(d->driver, bytes, content, &memory);
    if (!status)
        return enter(d, memory, message);
    mg_message_set(message, "%s: out of memory: %zu bytes in one piece (%s); it has %llu MiB",
                   d->info.name, bytes, d->host->status_name(status),
                   (unsigned long long)(d->info.memory >> 20));
    return 0;
}

void mg_device_free(MgDevice *d, int64_t address) {
    uint64_t number = (uint64_t)address >> MG_DEVICE_SHIFT;
    if (!number || !mg_device_here(d, NULL))
        return;
    pthread_mutex_lock(&d->memory_lock);
    MgHostMemory *memory = d->memories[number];
    d->memories[number] = NULL;
    d->freed++;
    pthread_mutex_unlock(&d->memory_lock);
    d->host->free(d->driver, memory);
}

MgHostMemory *mg_device_memory(MgDevice *d, int64_t address, int64_t *offset) {
    uint64_t number = (uint64_t)address >> MG_DEVICE_SHIFT;
    if (number >= SPACE) {
        *offset = address - (int64_t)(SPACE << MG_DEVICE_SHIFT);
        return d->host->space(d->driver);
    }
    *offset = address & (((int64_t)1 << MG_DEVICE_SHIFT) - 1);
    pthread_mutex_lock(&d->memory_lock);
    MgHostMemory *memory = number < d->n_memories ? d->memories[number] : NULL;
    pthread_mutex_unlock(&d->memory_lock);
    return memory;
}

MgStatus mg_device_adopt(MgDevice *d, const char *interface, void *object, int64_t *address,
                         size_t *bytes, char **message) {
    if (!mg_device_here(d, message))
        return MG_RUN_FAILED;
    if (strcmp(d->host->name, interface)) {
        mg_message_set(message, "%s is a device of %s, which takes no memory of %s", d->info.name,
                       d->host->name, interface);
        return MG_BAD_USAGE;
    }
    MgHostMemory *memory;
    const char *wrong = d->host->adopt(d->driver, object, &memory, bytes);
    if (wrong) {
        mg_message_set(message, "%s", wrong);
        return MG_BAD_USAGE;
    }
    *address = enter(d, memory, message);
    return *address ? MG_OK : MG_OUT_OF_MEMORY;
}

int64_t mg_device_at(MgDevice *d, uint64_t driver, size_t bytes, char **message) {
    if (!mg_device_here(d, message))
        return 0;
    const char *wrong = !d->host->space        ? "its driver's memory has no addresses"
                        : driver > SPACE_BYTES ? "there is no such address"
                                               : d->host->outside(d->driver, driver, bytes);
    if (wrong)
        mg_message_set(message, "%s: %s", d->info.name, wrong);
    return wrong ? 0 : (int64_t)((SPACE << MG_DEVICE_SHIFT) + driver);
}

static MgHostStatus transfer_queue(MgDevice *d) {
    MgHostStatus status = 0;
    pthread_mutex_lock(&d->memory_lock);
    if (!d->transfers)
        status = d->host->queue(d->driver, false, &d->transfers);
    pthread_mutex_unlock(&d->memory_lock);
    return status;
}

MgStatus mg_device_copy(MgDevice *d, int64_t address, const void *from, void *to, size_t bytes,
                        char **message) {
    int64_t at;
    if (!mg_device_here(d, message))
        return MG_RUN_FAILED;
    MgHostMemory *memory = mg_device_memory(d, address, &at);
    MgHostStatus status = transfer_queue(d);
    if (!status && bytes)
        status = from ? d->host->write(d->driver, d->transfers, memory, (size_t)at, from, bytes,
                                       true, NULL)
                      : d->host->read(d->driver, d->transfers, memory, (size_t)at, to, bytes, true,
                                      NULL);
    return status ? mg_device_fail(d, message, "memory of the device can't be copied", status)
                  : MG_OK;
}

void *mg_device_memory_object(MgDevice *d, const char *interface, int64_t address) {
    int64_t at;
    if (interface && strcmp(d->host->name, interface))
        return NULL;
    return d->host->memory_object(d->driver, mg_device_memory(d, address, &at));
}

void mg_device_memories_free(MgDevice *d) {
    bool here = mg_device_here(d, NULL);
    for (uint32_t k = 0; k < d->n_memories && here; k++)
        if (d->memories[k])
            d->host->free(d->driver, d->memories[k]);
    if (d->transfers && here)
        d->host->free_queue(d->driver, d->transfers);
    free(d->memories);
}
