// The list of parts, and its image.
#include "backends/cuda/parts.h"

#include <stdlib.h>
#include <string.h>

void mg_cu_parts_free(MgCuParts *parts) {
    for (uint32_t i = 0; i < parts->n; i++)
        free(parts->at[i].code);
    free(parts->at);
    *parts = (MgCuParts){0};
}

static const uint64_t magic = 0x31737472617075c3;

unsigned char *mg_cu_parts_write(const MgCuParts *parts, size_t *length) {
    uint64_t head[2] = {magic, parts->n};
    *length = sizeof head;
    for (uint32_t i = 0; i < parts->n; i++)
        *length += sizeof(uint64_t) + parts->at[i].bytes;
    unsigned char *image = malloc(*length), *to = image;
    if (!image)
        return NULL;
    to = (unsigned char *)memcpy(to, head, sizeof head) + sizeof head;
    for (uint32_t i = 0; i < parts->n; i++) {
        uint64_t bytes = parts->at[i].bytes;
        to = (unsigned char *)memcpy(to, &bytes, sizeof bytes) + sizeof bytes;
    }
    for (uint32_t i = 0; i < parts->n; i++)
        to =
            (unsigned char *)memcpy(to, parts->at[i].code, parts->at[i].bytes) + parts->at[i].bytes;
    return image;
}

// Takes a word from the image's beginning. False if none is left.
static bool word(const unsigned char **at, size_t *left, uint64_t *value) {
    if (*left < sizeof *value)
        return false;
    memcpy(value, *at, sizeof *value);
    *at += sizeof *value;
    *left -= sizeof *value;
    return true;
}

MgCuRead mg_cu_parts_read(const void *image, size_t length, MgCuParts *parts) {
    const unsigned char *at = image;
    uint64_t kind, n, bytes;
    *parts = (MgCuParts){0};
    if (!word(&at, &length, &kind) || !word(&at, &length, &n) || kind != magic ||
        n > length / sizeof n)
        return MG_CU_NO_IMAGE;
    const unsigned char *code = at + n * sizeof n;
    size_t left = length - n * sizeof n;
    parts->at = calloc(n + 1, sizeof *parts->at);
    MgCuRead status = parts->at ? MG_CU_READ : MG_CU_NO_ROOM;
    for (; status == MG_CU_READ && parts->n < n; parts->n++) {
        MgCuPart *p = &parts->at[parts->n];
        if (!word(&at, &length, &bytes) || bytes > left)
            status = MG_CU_NO_IMAGE;
        else if (!(p->code = malloc(bytes + 1)))
            status = MG_CU_NO_ROOM;
        else {
            memcpy(p->code, code, bytes);
            p->code[bytes] = 0;
            p->bytes = bytes;
            p->stage = MG_CU_LOADABLE;
            code += bytes;
            left -= bytes;
        }
    }
    if (status == MG_CU_READ && left)
        status = MG_CU_NO_IMAGE;
    if (status != MG_CU_READ)
        mg_cu_parts_free(parts);
    return status;
}
