#include "tools/train_source.h"

#include "formats/idx.h"
#include "runtime/instance.h"
#include "tools/mgc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- files

// A file of elements, one after another: any file that is not in a tensor format, such as a text.
static int open_elements(const char *path, MgcSource *s) {
    size_t element = mg_element_size(s->element);
    struct stat st;
    s->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer doesn't wait
    if (s->file < 0 || fstat(s->file, &st))
        return mgc_fail(1, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return mgc_fail(1, "cannot read '%s': it is no regular file", path);
    if ((uint64_t)st.st_size % element)
        return mgc_fail(1, "'%s' has %lld bytes, no whole number of %s (%zu bytes each)", path,
                        (long long)st.st_size, mg_element_name(s->element), element);
    s->path = path;
    s->rank = 1;
    s->dims[0] = (int64_t)((uint64_t)st.st_size / element);
    return 0;
}

static int open_tensor(MgContext *context, const MgPortInfo *port, const char *place,
                       MgcSource *s) {
    if (mg_tensor_read(context, place, &s->all))
        return mgc_complain(1, mg_context_message(context));
    if (mg_tensor_element(s->all) != port->element)
        return mgc_fail(1, "input '%s' is %s, but '%s' holds %s", port->name,
                        mg_element_name(port->element), place,
                        mg_element_name(mg_tensor_element(s->all)));
    s->rank = s->all->rank;
    memcpy(s->dims, s->all->dims, s->rank * sizeof *s->dims);
    return 0;
}

// ---------------------------------------------------------------- pictures

// The axis of the input that counts channels: the last or the second, if it is declared with as
// many as the pictures have. 0: there is none, since the pictures are grey. -1: neither axis fits.
static int channel_axis(const MgPortInfo *port, uint32_t channels) {
    if (port->rank == 3)
        return channels == 1 ? 0 : -1;
    return port->dims[3] == channels ? 3 : port->dims[1] == channels ? 1 : -1;
}

static int open_pixels(MgArena *arena, const MgPortInfo *port, MgcPictures *p, MgcSource *s) {
    int status = mgc_pictures_measure(p);
    if (status)
        return status;
    const MgPngSize *size = &p->size;
    int axis = channel_axis(port, size->channels);
    if (axis < 0)
        return mgc_fail(1,
                        "the pictures of '%s' have %u channel%s: input '%s' has to be u8[N, H, W, "
                        "%u] or u8[N, %u, H, W]%s",
                        p->folder, size->channels, mg_plural(size->channels), port->name,
                        size->channels, size->channels,
                        size->channels == 1 ? ", or u8[N, H, W]" : "");
    s->planes = axis == 1;
    s->rank = port->rank;
    int64_t h = size->height, w = size->width, c = size->channels;
    const int64_t last[] = {h, w, c}, first[] = {c, h, w};
    memcpy(s->dims + 1, s->planes ? first : last, (s->rank - 1) * sizeof *s->dims);
    s->scratch = mg_arena_alloc(arena, (size_t)(h * w), (size_t)c);
    return 0;
}

static int open_classes(const MgPortInfo *port, const MgcPictures *p, MgcSource *s) {
    if (!p->n_classes)
        return mgc_fail(1, "the folder '%s' has no folders, whose names would be the classes",
                        p->folder);
    MgDType type = (MgDType)port->element;
    unsigned bits = 8 * (unsigned)mg_dtype_size(type) - mg_is_signed(type);
    if (bits < 32 && p->n_classes > UINT32_C(1) << bits)
        return mgc_fail(1, "the %u classes of '%s' are more than %s has numbers for", p->n_classes,
                        p->folder, mg_element_name(port->element));
    s->rank = 1;
    return 0;
}

static int open_pictures(MgArena *arena, const MgPortInfo *port, const char *path, MgcSource *s) {
    MgcPictures *p = MG_NEW(arena, MgcPictures);
    int status = mgc_pictures_open(arena, path, p);
    if (status)
        return status;
    s->pictures = p;
    s->dims[0] = p->all.len;
    if (port->element == MG_ELEMENT_U8 && (port->rank == 3 || port->rank == 4))
        return open_pixels(arena, port, p, s);
    if (mg_is_int((MgDType)port->element) && port->rank == 1)
        return open_classes(port, p, s);
    return mgc_fail(1,
                    "a folder of pictures gives pixels to an input u8[N, H, W] or of four axes, "
                    "and classes to one of integers with one axis, but '%s' is neither",
                    port->name);
}

static bool read_picture(const MgcSource *s, int64_t k, uint8_t *to, char *message) {
    const MgcPictures *p = s->pictures;
    const MgcPicture *picture = &p->all.at[k];
    size_t channels = p->size.channels, area = (size_t)p->size.height * p->size.width;
    if (!s->scratch) {
        MgBits bits = mg_bits_from_int((MgDType)s->element, picture->class);
        memcpy(to, &bits, s->bytes);
        return true;
    }
    if (!mg_png_read(picture->path, &p->size, s->planes ? s->scratch : to, message, MGC_MESSAGE))
        return false;
    for (size_t c = 0; s->planes && c < channels; c++)
        for (size_t i = 0; i < area; i++)
            to[c * area + i] = s->scratch[i * channels + c];
    return true;
}

// ---------------------------------------------------------------- one input

static bool is_archive(const char *path) {
    return mg_path_has_extension(path, ".npz") || mg_path_has_extension(path, ".safetensors");
}

bool mgc_source_is_for_all(const char *path) {
    return is_archive(path) || mgc_pictures_are(path);
}

// FILE.npy, FILE.npz:KEY, FILE.npz (the array of the input's name), a folder of pictures, or a file
// of raw elements. @N begins a stream's windows N elements later.
static int open_spec(MgArena *arena, MgContext *context, const MgPortInfo *port, const char *spec,
                     MgcSource *s) {
    const char *mark = strrchr(spec, '@');
    char *end = NULL;
    long long ahead = mark ? strtoll(mark + 1, &end, 10) : 0;
    if (mark && end != mark + 1 && !*end && ahead >= 0) {
        spec = mg_arena_str(arena, spec, (size_t)(mark - spec));
        s->ahead = ahead;
    }
    if (mgc_pictures_are(spec))
        return open_pictures(arena, port, spec, s);
    const char *place = is_archive(spec) ? mg_arena_printf(arena, "%s:%s", spec, port->name) : spec;
    bool tensor = mg_idx_is(place) || strstr(place, ".npy") || strstr(place, ".npz") ||
                  strstr(place, ".pb") || strstr(place, ".safetensors");
    return tensor ? open_tensor(context, port, place, s) : open_elements(place, s);
}

// ---------------------------------------------------------------- shapes

typedef struct Sizes {
    const MgGraph *g;
    const int64_t *dims;
} Sizes;

static bool dim_value(void *context, MgIxSym sym, int64_t *value) {
    const Sizes *s = context;
    for (uint32_t d = 0; d < s->g->dims.len; d++)
        if (s->g->dims.at[d] == sym && s->dims[d] >= 0) {
            *value = s->dims[d];
            return true;
        }
    return false;
}

// Sizes that --set gives are those of the data.
static int check_sets(MgModel *model, const int64_t *dims, const MgcSource *s) {
    const MgPortInfo *port = mg_model_input(model, s->input);
    const MgGraph *g = model->graph;
    const MgValue *v = &g->values.at[g->inputs.at[s->input].value];
    Sizes sizes = {g, dims};
    for (uint32_t i = 1; i < port->rank && !s->stream; i++) {
        int64_t size;
        if (!mg_ix_is_const(g->module->ix, v->shape[i], &size) &&
            mg_ix_eval(g->module->ix, v->shape[i], dim_value, &sizes, &size) && size != s->dims[i])
            return mgc_fail(1, "--set says %s = %lld, but the data of '%s' have %lld",
                            port->formulas[i], (long long)size, port->name, (long long)s->dims[i]);
    }
    return 0;
}

static int find_shape(MgArena *arena, MgModel *model, const int64_t *dims, MgcSource *s) {
    const MgPortInfo *port = mg_model_input(model, s->input);
    const MgGraph *g = model->graph;
    const MgValue *v = &g->values.at[g->inputs.at[s->input].value];
    if (!port->rank)
        return mgc_fail(1, "input '%s' is a number, not a batch of samples", port->name);
    if (port->rank > MG_TENSOR_RANK_MAX ||
        (s->rank != port->rank && !(s->rank == 1 && port->rank > 1)))
        return mgc_fail(1,
                        "input '%s' has %u dimension%s, the batch included; its data have %u "
                        "(with one, they would be a stream of which samples are windows)",
                        port->name, port->rank, mg_plural(port->rank), s->rank);
    s->stream = s->rank == 1 && port->rank > 1;
    if (s->ahead && !s->stream)
        return mgc_fail(2, "@%lld belongs to a stream, and the data of '%s' are samples",
                        (long long)s->ahead, port->name);
    int status = check_sets(model, dims, s);
    if (status)
        return status;
    s->sample_rank = port->rank - 1;
    s->shape = MG_NEW_N(arena, int64_t, port->rank);
    s->bytes = mg_element_size(port->element);
    Sizes sizes = {g, dims};
    for (uint32_t i = 1; i < port->rank; i++) {
        s->shape[i - 1] = s->stream ? -1 : s->dims[i];
        if (s->stream &&
            !mg_ix_eval(g->module->ix, v->shape[i], dim_value, &sizes, &s->shape[i - 1]))
            return mgc_fail(2, "the windows of '%s' need a size: --set %s=SIZE", port->name,
                            port->formulas[i]);
        if (s->shape[i - 1] < 0 ||
            __builtin_mul_overflow(s->bytes, (size_t)s->shape[i - 1], &s->bytes))
            return mgc_fail(1, "the size of a sample of '%s' overflows", port->name);
    }
    return 0;
}

// ---------------------------------------------------------------- use

int mgc_source_open(MgArena *arena, MgContext *context, MgModel *model, uint32_t input,
                    const char *spec, const int64_t *dims, MgcSource *s) {
    const MgPortInfo *port = mg_model_input(model, input);
    *s = (MgcSource){.input = input, .element = port->element, .file = -1};
    int status = open_spec(arena, context, port, spec, s);
    return status ? status : find_shape(arena, model, dims, s);
}

void mgc_source_close(MgcSource *s) {
    mg_tensor_release(s->all);
    if (s->file >= 0)
        close(s->file);
}

int64_t mgc_source_samples(const MgcSource *s) {
    if (!s->stream)
        return s->dims[0];
    return s->dims[0] - (int64_t)(s->bytes / mg_element_size(s->element)) - s->ahead + 1;
}

static bool read_elements(const MgcSource *s, size_t at, char *to, char *message) {
    for (size_t n = s->bytes; n;) {
        ssize_t got = pread(s->file, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            snprintf(message, MGC_MESSAGE, "cannot read '%s': %s", s->path,
                     got ? strerror(errno) : "it became shorter");
            return false;
        }
        to += got;
        at += (size_t)got;
        n -= (size_t)got;
    }
    return true;
}

bool mgc_source_read(const MgcSource *s, int64_t k, void *to, char *message) {
    if (s->pictures)
        return read_picture(s, k, to, message);
    size_t element = mg_element_size(s->element),
           at = (size_t)k * (s->stream ? element : s->bytes) + (size_t)s->ahead * element;
    if (s->file >= 0)
        return read_elements(s, at, to, message);
    if (s->bytes)
        memcpy(to, (const char *)s->all->data + at, s->bytes);
    return true;
}
