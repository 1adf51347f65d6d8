// Variants: the first few sets of dimensions get code of their own, in which every extent is a
// constant. After that, one generic image serves all sets. The choice is made when the shapes of a
// call change.
#include "passes/accumulate.h"
#include "runtime/compile.h"
#include "runtime/context.h"

#include <stdlib.h>

static void *to_device(MgModel *m, const void *content, size_t bytes) {
    char *message = NULL;
    int64_t address = mg_device_alloc(m->device, bytes, content, &message);
    m->device_failed |= !address;
    if (!address)
        mg_diag(m->session, mg_no_span(), MG_D_device_failed, mg_message_text(message));
    free(message);
    return (void *)(intptr_t)address;
}

// Uploads a weight once, for all variants, and for all models that share it. `m` is the model that
// reports a failure.
static const void *weight_on_device(MgModel *m, MgModel *owner, const MgWeight *weight) {
    if (weight->of && owner->shares->device == m->device) {
        pthread_mutex_lock(&owner->shares->lock);
        const void *address = weight_on_device(m, owner->shares, weight->of);
        pthread_mutex_unlock(&owner->shares->lock);
        return address;
    }
    int64_t *address = &owner->device_weights[weight - owner->weights.all.at];
    if (!*address)
        *address = (int64_t)(intptr_t)to_device(m, weight->data, weight->bytes);
    return (const void *)(intptr_t)*address;
}

static bool constants_to_device(MgModel *m, MgVariant *v) {
    const MgImage *image = v->image;
    v->constants = MG_NEW_N(m->session->arena, void *, image->n_constants + 1);
    for (uint32_t k = 0; k < image->n_constants; k++)
        if (!(v->constants[k] =
                  to_device(m, image->constants[k], image->device->constant_bytes[k])))
            return false;
    return true;
}

static bool load(MgModel *m, MgVariant *v, const void *bytes, size_t length) {
    char error[MG_IMAGE_ERROR_MAX];
    MgArena *arena = m->session->arena;
    v->loaded = mg_image_load(bytes, length, error);
    if (!v->loaded && !error[0])
        mg_mem_fail(m->session->mem);
    if (!v->loaded) {
        mg_diag(m->session, mg_no_span(), MG_D_image_load, error);
        return false;
    }
    const MgImage *image = v->image = mg_loaded_image(v->loaded);
    v->weights = MG_NEW_N(arena, const void *, image->n_weights + 1);
    v->of = MG_NEW_N(arena, const MgWeight *, image->n_weights + 1);
    v->dim_of = MG_NEW_N(arena, uint32_t, image->n_dims + 1);
    for (uint32_t w = 0; w < image->n_weights; w++) {
        const MgWeight *weight =
            mg_weight(&m->weights, mg_sym(m->session->names, image->weights[w].key));
        if (!weight) {
            mg_diag(m->session, mg_no_span(), MG_D_image_load, image->weights[w].key);
            return false;
        }
        v->of[w] = weight;
        bool uploads = m->device && (weight->data || !weight->bytes);
        v->weights[w] = uploads ? weight_on_device(m, m, weight) : weight->data;
        if (uploads && !v->weights[w])
            return false;
    }
    for (uint32_t d = 0; d < image->n_dims; d++) {
        v->dim_of[d] = UINT32_MAX;
        for (uint32_t k = 0; k < m->graph->dims.len; k++)
            if (!strcmp(image->dim_names[d], m->dim_names[k]))
                v->dim_of[d] = k;
    }
    if (m->device && !image->device) {
        mg_diag(m->session, mg_no_span(), MG_D_image_load, "it is made for the CPU");
        return false;
    }
    return !m->device || constants_to_device(m, v);
}

static void unload(void *object) {
    MgVariant *v = object;
    mg_image_unload(v->loaded);
    v->loaded = NULL;
}

// The object of a .mgb for exactly these settings, or NULL.
static const MgSection *packaged(MgModel *m, const int64_t *dims,
                                 const MgCompileSettings *settings) {
    MgText name = mg_text(m->session->arena);
    mg_text_add(&name, "object ");
    if (!m->package || mg_compile_is_special(settings) ||
        !mg_compile_name(m->graph, dims, settings, &name))
        return NULL;
    return mg_package_find(m->package, mg_text_str(&name));
}

_Static_assert((int)MG_FORM_AUTO == (int)MG_LAUNCH_AUTO &&
                   (int)MG_FORM_SEPARATE == (int)MG_LAUNCH_SEPARATE &&
                   (int)MG_FORM_OWNED == (int)MG_LAUNCH_OWNED &&
                   (int)MG_FORM_PERSISTENT == (int)MG_LAUNCH_PERSISTENT,
               "the public names of the forms have their numbers");
_Static_assert((int)MG_WINOGRAD_AUTO == (int)MG_WINO_AUTO &&
                   (int)MG_WINOGRAD_NEVER == (int)MG_WINO_NEVER &&
                   (int)MG_WINOGRAD_TILES_2 == (int)MG_WINO_TILES_2 &&
                   (int)MG_WINOGRAD_TILES_4 == (int)MG_WINO_TILES_4,
               "and those of Winograd's");

MgCompileSettings mg_model_settings(const MgModel *m, const MgContext *context) {
    // Mode graph launches a kernel for each op, unless the caller chose a form.
    bool by_launches = m->options.mode == MG_MODE_GRAPH && m->options.launch == MG_FORM_AUTO;
    return (MgCompileSettings){.backend = m->backend,
                               .march = m->device ? mg_device_march(m->device) : m->options.march,
                               .level = (uint32_t)m->options.level,
                               .workers = context->options.threads,
                               .launch =
                                   by_launches ? MG_LAUNCH_SEPARATE : (MgLaunch)m->options.launch,
                               .winograd = (uint32_t)m->options.winograd,
                               .remat = m->remat,
                               .repeats = m->device && m->options.mode == MG_MODE_LOOP,
                               .in_place = m->options.in_place && m->options.mode != MG_MODE_LOOP,
                               .tf32 = m->options.precision == MG_PRECISION_TF32,
                               .short_sums = m->options.short_sums,
                               .share_all = m->options.sharing == MG_SHARING_ALL,
                               .strict = m->options.strict,
                               .unfused = m->options.mode == MG_MODE_GRAPH,
                               .tuning = &m->tuning,
                               .schedules = m->schedules,
                               .machine = m->machine,
                               .passes = context->passes};
}

static MgGraph *graph_of(MgModel *m, MgPart part) {
    if (part == MG_PART_ALL)
        return m->graph;
    if (!m->parts[part])
        mg_leave_out_next(m->parts[part] = mg_compile_copy(m->graph, NULL), part == MG_PART_TRY);
    return m->parts[part];
}

// Schedules are of one set of sizes, and a run decides these only now: says how to print them.
static void tell_sizes(MgModel *m, const int64_t *dims) {
    MgText sets = mg_text(m->session->arena);
    for (uint32_t d = 0; d < m->graph->dims.len; d++)
        if (dims[d] >= 0)
            mg_textf(&sets, " --set %s=%lld", m->dim_names[d], (long long)dims[d]);
    if (sets.bytes.len)
        mg_diag_note(m->session, mg_no_span(), MG_D_schedule_sizes, mg_text_str(&sets));
}

// Makes a variant; with dims NULL, the generic code.
static const MgVariant *make(MgModel *m, MgContext *context, const int64_t *dims, MgPart part) {
    MgCompileSettings settings = mg_model_settings(m, context);
    if (settings.backend->runs_here && !settings.backend->runs_here(m->session, settings.march))
        return NULL;
    MgVariant *v = MG_NEW(m->session->arena, MgVariant);
    v->workers = settings.workers;
    v->part = part;
    if (dims)
        v->dims = mg_arena_copy(m->session->arena, dims, m->graph->dims.len, sizeof *dims);
    mg_mem_defer(m->session->mem, unload, v);
    const MgSection *section = part ? NULL : packaged(m, dims, &settings);
    if (section)
        return load(m, v, section->bytes, section->length) ? v : NULL;
    unsigned char *bytes;
    size_t length;
    if (!mg_compile_object(graph_of(m, part), dims, &settings, context->cache, &bytes, &length)) {
        if (m->schedules && dims)
            tell_sizes(m, dims);
        return NULL;
    }
    mg_mem_trim(m->session->mem);
    mg_mem_defer(m->session->mem, free, bytes);
    bool ok = load(m, v, bytes, length);
    mg_mem_undefer(m->session->mem, bytes);
    free(bytes);
    return ok ? v : NULL; // an image is unloaded with the session
}

const MgVariant *mg_model_variant(MgModel *m, MgContext *context, const int64_t *dims,
                                  MgPart part) {
    size_t bytes = m->graph->dims.len * sizeof *dims;
    uint32_t enough = 0; // variants with code for the context's workers
    for (uint32_t i = 0; i < m->variants.len; i++) {
        const MgVariant *v = m->variants.at[i];
        if (v->part != part || (v->workers < context->options.threads && !m->device))
            continue;
        if (!v->dims || !bytes || !memcmp(v->dims, dims, bytes))
            return v;
        enough++;
    }
    bool generic = m->any_sizes || enough >= MG_STATIC_VARIANTS;
    const MgVariant *v = make(m, context, generic ? NULL : dims, part);
    if (v)
        mg_push(m->session->arena, &m->variants, v);
    return v;
}
