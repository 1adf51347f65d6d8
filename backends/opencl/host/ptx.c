#include "backends/opencl/host/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char target[] = ".target sm_90";

bool mg_ptx_is_marked(const void *text, size_t length) {
    return memmem(text, length, MG_PTX_MARK, strlen(MG_PTX_MARK));
}

char *mg_ptx_unmarked(const void *ptx, size_t length, size_t *unmarked) {
    const char *from = ptx, *end = from + strnlen(from, length);
    const char *at = memmem(from, (size_t)(end - from), target, strlen(target));
    const size_t mark = strlen(MG_PTX_MARK);
    if (!at || at + strlen(target) == end || isalnum((unsigned char)at[strlen(target)]))
        return NULL;
    char *text = malloc((size_t)(end - from) + 2), *to = text;
    if (!text)
        return NULL;
    at += strlen(target);
    to = (char *)memcpy(to, from, (size_t)(at - from)) + (at - from);
    *to++ = 'a';
    while (at < end) {
        const char *next = memmem(at, (size_t)(end - at), MG_PTX_MARK, mark);
        size_t n = (size_t)((next ? next : end) - at);
        to = (char *)memcpy(to, at, n) + n;
        at = next ? next + mark : end;
    }
    *to = 0;
    *unmarked = (size_t)(to - text);
    return text;
}

size_t mg_ptx_source_length(const void *source, size_t length) {
    static const char line[] = "\n" MG_PTX_MODULE "\n";
    const char *found = memmem(source, length, line, sizeof line - 1);
    return found ? (size_t)(found - (const char *)source) + 1 : length;
}
