// Contexts: defaults, workers, the cache, and the last message.
#include "runtime/context.h"

#include "formats/idx.h"
#include "formats/npy.h"
#include "formats/tensor_proto.h"
#include "support/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

MgStatus mg_context_new(const MgContextOptions *options, MgContext **context) {
    if (!context)
        return MG_BAD_USAGE;
    MgContext *c = *context = calloc(1, sizeof *c);
    if (!c || !(c->message = strdup(""))) {
        free(c);
        *context = NULL;
        return MG_OUT_OF_MEMORY;
    }
    if (options)
        c->options = *options;
    if (!c->options.threads)
        c->options.threads = 1;
    if (!c->options.memory_limit)
        c->options.memory_limit = mg_mem_default_limit();
    const char *folder = c->options.cache_folder;
    if (!folder || folder[0])
        c->cache = mg_cache_open(folder, 0);
    c->options.cache_folder = NULL; // the caller may free the string
    if (c->options.threads > MG_THREADS_MAX) {
        mg_message_set(&c->message, "%u threads were asked for; at most %d are possible",
                       c->options.threads, MG_THREADS_MAX);
        return MG_BAD_USAGE;
    }
    if (c->options.threads > 1 && !c->options.parallel) {
        errno = 0;
        c->pool = mg_threads_new(c->options.threads, false);
        if (!c->pool && errno == ENOMEM)
            return mg_message_memory(c);
        if (!c->pool) {
            mg_message_set(&c->message, "cannot start %u thread%s", c->options.threads,
                           mg_plural(c->options.threads));
            return MG_RUN_FAILED;
        }
    }
    return MG_OK;
}

typedef struct MgOpenDevice {
    char *which; // as the caller wrote it
    MgDevice *device;
} MgOpenDevice;

MgStatus mg_context_device(MgContext *c, const char *which, MgDevice **device) {
    const char *name = which ? which : "";
    if (c->device) {
        *device = c->device;
        return mg_device_here(c->device, &c->message) ? MG_OK : MG_RUN_FAILED;
    }
    for (uint32_t i = 0; i < c->n_devices; i++)
        if (!strcmp(c->devices[i].which, name)) {
            *device = c->devices[i].device;
            return mg_device_here(*device, &c->message) ? MG_OK : MG_RUN_FAILED;
        }
    MgOpenDevice *grown = realloc(c->devices, (c->n_devices + 1) * sizeof *grown);
    if (!grown)
        return mg_message_memory(c);
    c->devices = grown;
    MgOpenDevice *d = &c->devices[c->n_devices];
    *d = (MgOpenDevice){.which = strdup(name)};
    MgStatus status =
        d->which ? mg_device_open(which, c->cache, &d->device, &c->message) : mg_message_memory(c);
    if (status) {
        free(d->which);
        return status;
    }
    c->n_devices++;
    *device = d->device;
    return MG_OK;
}

void mg_context_free(MgContext *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->n_devices; i++) {
        mg_device_release(c->devices[i].device);
        free(c->devices[i].which);
    }
    free(c->devices);
    mg_threads_free(c->pool);
    mg_cache_close(c->cache);
    free(c->message);
    free(c);
}

const char *mg_context_message(const MgContext *c) {
    return c ? mg_message_text(c->message) : "there is no context";
}

// ---------------------------------------------------------------- messages
void mg_message_set(char **message, const char *format, ...) {
    va_list args;
    va_start(args, format);
    free(*message);
    if (vasprintf(message, format, args) < 0)
        *message = NULL;
    va_end(args);
}

MgStatus mg_message_memory(MgContext *c) {
    mg_message_set(&c->message, "out of memory: the limit is %zu MiB",
                   c->options.memory_limit >> 20);
    return MG_OUT_OF_MEMORY;
}

MgStatus mg_message_misuse(char **message, const char *format, ...) {
    va_list args;
    va_start(args, format);
    free(*message);
    if (vasprintf(message, format, args) < 0)
        *message = NULL;
    va_end(args);
    return MG_BAD_USAGE;
}

void mg_message_take(char **message, MgSession *session, bool color) {
    MgTry frame;
    free(*message);
    *message = NULL;
    if (MG_TRY(session->mem, frame)) {
        MgText out = mg_text(session->arena);
        mg_diags_render(session, &out, color);
        *message = strdup(mg_text_str(&out));
        mg_try_end(session->mem, &frame);
    }
    session->diags.len = 0;
    session->n_errors = 0;
}

const char *mg_message_text(const char *message) {
    return message ? message : "out of memory: raise the memory limit";
}

// ---------------------------------------------------------------- tensor files
// Splits `file.ext:key` in two; *key is NULL if there is no key.
static const char *cut_key(MgSession *session, const char *place, const char **key) {
    const char *colon = strrchr(place, ':');
    *key = NULL;
    if (!colon || strchr(colon, '/'))
        return place;
    *key = colon + 1;
    return mg_arena_str(session->arena, place, (size_t)(colon - place));
}

static MgTensor *read_safetensor(MgSession *session, const char *path, const char *key) {
    MgSafetensors *file = mg_safetensors_open(session, path, mg_no_span());
    if (!file)
        return NULL;
    MgSym sym = mg_sym(session->names, key);
    const MgSafetensor *t = mg_safetensors_find(file, sym);
    if (!t || t->dtype == MG_DTYPE_COUNT) {
        MgSym near = t ? 0 : mg_safetensors_nearest(session, file, NULL, sym);
        mg_diag(session, mg_no_span(), MG_D_tensor_not_there, path, key,
                t      ? t->type
                : near ? mg_name(session->names, near)
                       : "nothing near");
        return NULL;
    }
    MgTensor *tensor = mg_tensor_new((MgElement)t->dtype, t->rank, t->dims);
    if (!tensor)
        mg_mem_fail(session->mem);
    if (t->bytes)
        memcpy(tensor->data, t->data, t->bytes);
    return tensor;
}

MgTensor *mg_tensor_read_in(MgSession *session, const char *place, size_t limit) {
    const char *key, *path = cut_key(session, place, &key);
    if (mg_path_has_extension(place, ".npy"))
        return mg_npy_read(session, place);
    if (mg_path_has_extension(place, ".pb"))
        return mg_pb_read(session, place);
    if (mg_idx_is(place))
        return mg_idx_read(session, place, limit);
    if (key && mg_path_has_extension(path, ".npz"))
        return mg_npz_read(session, path, key, limit);
    if (key && mg_path_has_extension(path, ".safetensors"))
        return read_safetensor(session, path, key);
    mg_diag(session, mg_no_span(), MG_D_tensor_place, place);
    return NULL;
}

static bool write_in(MgSession *session, const char *place, const MgTensor *tensor) {
    const char *key, *path = cut_key(session, place, &key);
    if (mg_path_has_extension(place, ".npy"))
        return mg_npy_write(session, place, tensor);
    if (mg_path_has_extension(place, ".pb"))
        return mg_pb_write(session, place, "", tensor);
    if (key && mg_path_has_extension(path, ".npz"))
        return mg_npz_write(session, path, &key, (MgTensor *const *)&tensor, 1);
    if (key && mg_path_has_extension(path, ".safetensors"))
        return mg_safetensors_write(session, path,
                                    &(MgSafetensor){.key = mg_sym(session->names, key),
                                                    .dtype = tensor->dtype,
                                                    .rank = tensor->rank,
                                                    .dims = tensor->dims,
                                                    .data = tensor->data,
                                                    .bytes = tensor->bytes},
                                    1);
    mg_diag(session, mg_no_span(), MG_D_tensor_place, place);
    return false;
}

// What to do with a file. Exactly one of these is set.
typedef struct FileWork {
    MgTensor **read;
    MgTensorList *list;
    const MgTensor *written;
} FileWork;

static bool read_list(MgSession *session, const char *place, MgTensorList *list) {
    MgFileBytes map;
    MgTensorProtos protos;
    if (!mg_file_read(session, place, mg_no_span(), &map))
        return false;
    list->is_list = mg_tensor_protos(session->arena, map.bytes, map.length, &protos);
    if (!list->is_list)
        return true;
    list->tensors = MG_NEW_N(list->arena, MgTensor *, protos.n + 1);
    for (; list->n < protos.n; list->n++) {
        const MgWireField *f = &protos.tensors[list->n];
        MgTensor *t = mg_pb_of_bytes(session, place, f->bytes, f->length);
        if (!t)
            return false;
        list->tensors[list->n] = t;
    }
    return true;
}

// Does the work in a session of its own.
static MgStatus with_file(MgContext *c, const char *place, const void *object, FileWork work) {
    if (!c)
        return MG_BAD_USAGE;
    if (!place || !object)
        return mg_message_misuse(&c->message, "the %s is NULL",
                                 place ? "tensor" : "tensor's place");
    MgSession *session = mg_session_new(c->options.memory_limit);
    if (!session)
        return mg_message_memory(c);
    volatile MgStatus status = MG_OUT_OF_MEMORY;
    MgTry frame;
    if (MG_TRY(session->mem, frame)) {
        bool ok =
            work.read
                ? (*work.read = mg_tensor_read_in(session, place, c->options.memory_limit)) != NULL
            : work.list ? read_list(session, place, work.list)
                        : write_in(session, place, work.written);
        status = ok ? MG_OK : MG_BAD_INPUT;
        mg_try_end(session->mem, &frame);
    }
    if (status == MG_OUT_OF_MEMORY)
        mg_message_memory(c);
    else if (status)
        mg_message_take(&c->message, session, c->color);
    mg_session_free(session);
    return status;
}

MgStatus mg_tensor_read(MgContext *context, const char *place, MgTensor **tensor) {
    if (tensor)
        *tensor = NULL;
    return with_file(context, place, tensor, (FileWork){.read = tensor});
}

MgStatus mg_tensors_read(MgContext *context, const char *place, MgTensorList *list) {
    MgStatus status = with_file(context, place, list, (FileWork){.list = list});
    for (uint32_t i = 0; status && i < list->n; i++)
        mg_tensor_release(list->tensors[i]);
    list->n = status ? 0 : list->n;
    return status;
}

MgStatus mg_tensor_write(MgContext *context, const char *place, const MgTensor *tensor) {
    return with_file(context, place, tensor, (FileWork){.written = tensor});
}
